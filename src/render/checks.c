// Placement and size of barcodes, and what all checks share.
#include "render/checks.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "os/locale.h"

void pl_check_find(const struct pl_check_run *run, uint32_t index, enum pl_diag_id id, struct pl_source source,
                   double missing_mm, const char *fmt, ...)
{
    struct pl_diags *diags = &run->page->diags;
    uint32_t before = diags->count;
    char text[400];
    va_list args;
    va_start(args, fmt);
    pl_os_vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    diags->element = (int32_t)index;
    pl_diag_add(diags, id, source, 0, "%s", text);
    if (diags->count > before)
        diags->items[before].missing_mm = (float)missing_mm;
}

double pl_dots_mm(double dots, double dpmm)
{
    // The nominal densities are print heads of whole dpi; a module is as wide as they print it.
    uint32_t dpi = pl_nominal_dpi(dpmm);
    return dpi ? dots * 25.4 / dpi : dots / dpmm;
}

double pl_check_mm(const struct pl_check_run *run, double dots)
{
    return pl_dots_mm(dots, run->page->dpmm);
}

enum pl_check_symbology pl_check_symbology(const struct pl_element_report *report)
{
    return pl_check_symbology_of(report->drawn.symbology ? report->drawn.symbology
                                                         : pl_symbology_name(report->element->barcode.symbology));
}

struct millimetres {
    char text[PL_FMT_DOUBLE_MAX];
};

static struct millimetres shown(double mm)
{
    struct millimetres out;
    pl_format_fixed(mm, mm < 10 ? 3 : 2, out.text);
    return out;
}

static void check_quiet_zone(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r)
{
    if (r->quiet_missing == 0)
        return;
    double missing = pl_check_mm(run, r->quiet_missing);
    pl_check_find(run, index, PL_DIAG_QUIET_ZONE_BLOCKED, r->element->source, missing,
                  "There is other ink in the quiet zone of the barcode: %s mm of it are missing.", shown(missing).text);
}

static void check_overprint(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r)
{
    if (r->overprinted == 0)
        return;
    const struct platen_element *other = &run->page->elements[r->overprinter];
    pl_check_find(run, index, PL_DIAG_BARS_OVERPRINTED, r->element->source, 0,
                  "The bars of the barcode are printed over: %u dots are changed, by the %s at %d,%d or others.",
                  r->overprinted, other->type_name, other->x, other->y);
}

// A linear symbol that is only lower than it was meant to be can still be read.
static void check_cut(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                      enum pl_check_symbology symbology)
{
    bool linear = symbology < PL_CHECK_SYMBOLOGY_COUNT && pl_check_shape_of(symbology) == PL_SHAPE_LINEAR;
    bool upright = pl_is_upright(r->rotation);
    uint32_t height = (uint32_t)(upright ? r->bars.y1 - r->bars.y0 : r->bars.x1 - r->bars.x0);
    uint32_t cut = linear && r->cut_height < height ? r->cut_length : PL_MAX(r->cut_length, r->cut_height);
    if (cut * 2 <= r->module)
        return;
    double missing = pl_check_mm(run, cut);
    pl_check_find(run, index, PL_DIAG_BARS_CUT, r->element->source, missing,
                  "The edge of the label cuts %s mm off the bars of the barcode.", shown(missing).text);
}

static void check_module(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                         const struct pl_size_rule *rule)
{
    double module = pl_check_mm(run, r->module), wanted = run->document->options.min_module_mm;
    const char *who = "was asked for";
    if (rule && rule->min_module_um / 1000.0 > wanted) {
        wanted = rule->min_module_um / 1000.0;
        who = "is the rule";
    }
    if (module + 1e-9 < wanted) {
        pl_check_find(run, index, PL_DIAG_MODULE_BELOW_MINIMUM, r->element->source, wanted - module,
                      "The barcode's module is %s mm wide; at least %s mm %s.", shown(module).text, shown(wanted).text,
                      who);
    }
    double most = rule ? rule->max_module_um / 1000.0 : 0;
    if (most > 0 && module > most + 1e-9)
        pl_check_find(run, index, PL_DIAG_MODULE_ABOVE_MAXIMUM, r->element->source, module - most,
                      "The barcode's module is %s mm wide; the rules '%s' allow at most %s mm.", shown(module).text,
                      run->document->rules->name, shown(most).text);
}

static void check_height(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                         const struct pl_size_rule *rule)
{
    if (!rule)
        return;
    bool upright = pl_is_upright(r->rotation);
    double dots = upright ? (double)r->bars.y1 - r->bars.y0 : (double)r->bars.x1 - r->bars.x0;
    double height = pl_check_mm(run, dots - r->cut_height), module_um = pl_check_mm(run, r->module) * 1000;
    double wanted = pl_size_rule_height_um(rule, (uint32_t)(module_um + 0.5)) / 1000.0;
    double dot = pl_check_mm(run, 1);
    // Heights are whole dots: less than one dot is rounding.
    if (wanted - height >= dot)
        pl_check_find(run, index, PL_DIAG_BARS_TOO_LOW, r->element->source, wanted - height,
                      "The bars are %s mm high; the rules '%s' ask for %s mm.", shown(height).text,
                      run->document->rules->name, shown(wanted).text);
}

// Is there a GS1 form of the symbology that the rules allow?
static bool is_plain(const struct pl_rule_set *rules, enum pl_check_symbology symbology)
{
    return (symbology == PL_CHECK_CODE128 && pl_rule_set_allows(rules, PL_CHECK_GS1_128)) ||
           (symbology == PL_CHECK_DATAMATRIX && pl_rule_set_allows(rules, PL_CHECK_GS1_DATAMATRIX));
}

void pl_check_placement(const struct pl_check_run *run)
{
    const struct pl_rule_set *rules = run->document->rules;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &run->page->drawn.reports[i];
        if (r->part_count == 0)
            continue;
        enum pl_check_symbology symbology = pl_check_symbology(r);
        const struct pl_size_rule *rule =
            symbology < PL_CHECK_SYMBOLOGY_COUNT ? pl_rule_set_size(rules, symbology) : NULL;
        check_quiet_zone(run, i, r);
        check_overprint(run, i, r);
        check_cut(run, i, r, symbology);
        check_module(run, i, r, rule);
        check_height(run, i, r, rule);
        if (symbology < PL_CHECK_SYMBOLOGY_COUNT && !pl_rule_set_allows(rules, symbology))
            pl_check_find(run, i, PL_DIAG_SYMBOLOGY_NOT_ALLOWED, r->element->source, 0,
                          "The rules '%s' do not allow %s%s.", rules->name, pl_check_symbology_name(symbology),
                          is_plain(rules, symbology) ? " without FNC1 before the data" : "");
    }
}

// Of the rules "none" only what the caller asked for by itself is checked.
static void check_modules_alone(const struct pl_check_run *run)
{
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++)
        if (run->page->drawn.reports[i].part_count)
            check_module(run, i, &run->page->drawn.reports[i], NULL);
}

enum pl_errc pl_page_checks(struct platen_worker *worker, const struct platen_document *document,
                            struct platen_page *page, struct pl_error *err)
{
    const struct pl_check_run run = {worker, document, page, err};
    page->diags.limit = UINT32_MAX; // the elements bound what is found here
    if (document->checks_rules) {
        pl_check_placement(&run);
        PL_TRY(pl_check_data(&run));
    } else if (document->options.min_module_mm > 0) {
        check_modules_alone(&run);
    }
    if (document->options.verify)
        PL_TRY(pl_check_read_back(&run));
    page->diags.element = -1;
    return PL_OK;
}
