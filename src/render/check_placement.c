// Placement and size of barcodes: quiet zones, what is printed over or cut off, modules, heights.
#include <stdio.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "render/checks.h"

// Elements that are looked at for the one in a quiet zone.
#define BLOCKERS_MOST 4096u

struct millimetres {
    char text[PL_FMT_DOUBLE_MAX];
};

static struct millimetres shown(double mm)
{
    struct millimetres out;
    pl_format_fixed(mm, mm < 10 ? 3 : 2, out.text);
    return out;
}

static const char *const SIDES[] = {"left of", "right of", "above", "below"};

// Whose ink is in the quiet zone: an element whose box meets it at the side that is reported, best one that also prints
// over the bars. -1: not known.
static int64_t find_blocker(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r)
{
    const struct pl_element_report *all = run->page->drawn.reports;
    struct pl_box side = r->quiet_zone;
    if (r->quiet_side == 0)
        side.x1 = r->bars.x0;
    else if (r->quiet_side == 1)
        side.x0 = r->bars.x1;
    else if (r->quiet_side == 2)
        side.y1 = r->bars.y0;
    else
        side.y0 = r->bars.y1;
    if (r->overprinted && !pl_box_is_empty(pl_box_intersect(all[r->overprinter].box, side)))
        return r->overprinter;
    for (uint32_t i = 0; i < run->page->drawn.report_count && i < BLOCKERS_MOST; i++)
        if (i != index && !pl_box_is_empty(pl_box_intersect(all[i].box, side)))
            return i;
    return -1;
}

static void check_quiet_zone(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                             int64_t blocker)
{
    double missing = pl_check_mm(run, r->quiet_missing), depth = pl_check_mm(run, r->quiet_depth);
    char who[80] = "";
    if (blocker >= 0)
        snprintf(who, sizeof who, ", from the %s at %d,%d", run->page->elements[blocker].type_name,
                 run->page->elements[blocker].x, run->page->elements[blocker].y);
    struct pl_diag *d =
        pl_check_find(run, index, PL_DIAG_QUIET_ZONE_BLOCKED, r->element->source, missing,
                      "There is other ink in the quiet zone of the barcode: %s mm of the %s mm %s it are missing%s.",
                      shown(missing).text, shown(depth).text, SIDES[r->quiet_side], who);
    if (d && pl_quiet_side_is_lost(r))
        d->severity = PL_SEV_ERROR;
}

static void check_overprint(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                            bool in_quiet_zone)
{
    const struct platen_element *other = &run->page->elements[r->overprinter];
    const struct pl_placement *at = &run->page->drawn.reports[r->overprinter].element->at;
    const bool inked = other->width > 0;
    char more[160] = "";
    double missing = in_quiet_zone ? pl_check_mm(run, r->quiet_missing) : 0;
    if (in_quiet_zone)
        snprintf(more, sizeof more, " The same field takes %s mm of the %s mm of quiet zone %s the barcode.",
                 shown(missing).text, shown(pl_check_mm(run, r->quiet_depth)).text, SIDES[r->quiet_side]);
    struct pl_diag *d =
        pl_check_find(run, index, PL_DIAG_BARS_OVERPRINTED, r->element->source, missing,
                      "The bars of the barcode are printed over: %u dots are changed, by the %s at %d,%d or others.%s",
                      r->overprinted, other->type_name, inked ? other->x : at->x, inked ? other->y : at->y, more);
    if (d && in_quiet_zone && pl_quiet_side_is_lost(r))
        d->severity = PL_SEV_ERROR;
}

// What a field does to the bars and to their quiet zone is one finding.
static void check_ink(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r)
{
    const int64_t blocker = r->quiet_missing ? find_blocker(run, index, r) : -1;
    const bool same = r->overprinted && r->quiet_missing && blocker == r->overprinter;
    if (r->quiet_missing && !same)
        check_quiet_zone(run, index, r, blocker);
    if (r->overprinted)
        check_overprint(run, index, r, same);
}

// The edge of the label is no quiet zone: the next label, its gap or a table follows.
static void check_edge(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r)
{
    const struct pl_drawn_page *page = &run->page->drawn;
    const int32_t width = (int32_t)(page->is_grey ? page->grey.width : page->bits.width);
    const int32_t height = (int32_t)(page->is_grey ? page->grey.height : page->bits.height);
    const struct pl_box b = r->bars, z = r->quiet_zone;
    if (r->cut_length || r->cut_height)
        return; // that is worse, and is reported
    const int32_t depths[4] = {b.x0 - z.x0, z.x1 - b.x1, b.y0 - z.y0, z.y1 - b.y1};
    const int32_t outside[4] = {-z.x0, z.x1 - width, -z.y0, z.y1 - height};
    int worst = 0;
    for (int side = 1; side < 4; side++)
        worst = outside[side] > outside[worst] ? side : worst;
    if (outside[worst] <= 0 || (uint32_t)outside[worst] * 2 <= r->module)
        return;
    double missing = pl_check_mm(run, outside[worst]), depth = pl_check_mm(run, depths[worst]);
    pl_check_find(run, index, PL_DIAG_QUIET_ZONE_AT_EDGE, r->element->source, missing,
                  "The quiet zone %s the barcode must be %s mm: %s mm of it are beyond the edge of the label.",
                  SIDES[worst], shown(depth).text, shown(missing).text);
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
    pl_check_drop(run, index, PL_DIAG_OUTSIDE_LABEL);
    pl_check_find(run, index, PL_DIAG_BARS_CUT, r->element->source, missing,
                  "The edge of the label cuts %s mm off the bars of the barcode.", shown(missing).text);
}

// A print head cannot vary the width of a single dot: heat, paper and speed change it by as much.
static void check_dots(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                       enum pl_check_symbology symbology)
{
    const enum pl_check_shape shape =
        symbology < PL_CHECK_SYMBOLOGY_COUNT ? pl_check_shape_of(symbology) : PL_SHAPE_LINEAR;
    const uint32_t least = shape == PL_SHAPE_MATRIX ? 3 : shape == PL_SHAPE_POSTAL ? 0 : 2;
    if (r->module >= least || symbology == PL_CHECK_MAXICODE)
        return;
    pl_check_find(run, index, PL_DIAG_MODULE_BELOW_MINIMUM, r->element->source, pl_check_mm(run, least - r->module),
                  "The barcode's module is %u dot%s (%s mm) wide; thermal printers need at least %u.", r->module,
                  r->module == 1 ? "" : "s", shown(pl_check_mm(run, r->module)).text, least);
}

// Figures of guides are inches, rounded to a tenth of a mil: 0.170 mm are two dots of 300 dpi.
#define ROUNDED_MM 0.001

// Heads of 12 and 24 dpmm are sold as 300 and 600 dpi, and some are exactly that: their dots are a little wider.
static double widest_mm(const struct pl_check_run *run, uint32_t dots)
{
    const double dpmm = run->page->dpmm;
    return dpmm == 12 || dpmm == 24 ? dots * 25.4 / (dpmm * 25) : pl_check_mm(run, dots);
}

// True: there was a finding.
static bool check_module(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                         const struct pl_size_rule *rule)
{
    double module = pl_check_mm(run, r->module), wanted = run->document->options.min_module_mm;
    const char *who = "was asked for";
    if (rule && rule->min_module_um / 1000.0 > wanted) {
        wanted = rule->min_module_um / 1000.0;
        who = "is the rule";
    }
    bool below = widest_mm(run, r->module) + ROUNDED_MM < wanted;
    if (below) {
        pl_check_find(run, index, PL_DIAG_MODULE_BELOW_MINIMUM, r->element->source, wanted - module,
                      "The barcode's module is %s mm wide; at least %s mm %s.", shown(module).text, shown(wanted).text,
                      who);
    }
    double most = rule ? rule->max_module_um / 1000.0 : 0;
    if (most > 0 && module > most + ROUNDED_MM)
        pl_check_find(run, index, PL_DIAG_MODULE_ABOVE_MAXIMUM, r->element->source, module - most,
                      "The barcode's module is %s mm wide; the rules '%s' allow at most %s mm.", shown(module).text,
                      run->document->rules->name, shown(most).text);
    return below;
}

static void check_height(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r,
                         const struct pl_size_rule *rule)
{
    if (!rule)
        return;
    bool upright = pl_is_upright(r->rotation);
    const char *name = run->document->rules->name;
    double dots = upright ? (double)r->bars.y1 - r->bars.y0 : (double)r->bars.x1 - r->bars.x0;
    double height = pl_check_mm(run, dots - r->cut_height), module_um = pl_check_mm(run, r->module) * 1000;
    double wanted = pl_size_rule_height_um(rule, (uint32_t)(module_um + 0.5)) / 1000.0;
    double dot = pl_check_mm(run, 1);
    // Heights are whole dots: less than one dot is rounding.
    if (wanted - height >= dot)
        pl_check_find(run, index, PL_DIAG_BARS_TOO_LOW, r->element->source, wanted - height,
                      "The bars are %s mm high; the rules '%s' ask for %s mm%s%s.", shown(height).text, name,
                      shown(wanted).text, rule->unverified ? ", which was not verified with " : "",
                      rule->unverified ? rule->unverified : "");
}

// ITF-14 has wide bars of 2.25 to 3 times the narrow ones (GS1 General Specifications, section 5.3.2).
static void check_wide(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r)
{
    const struct pl_barcode *b = &r->element->barcode;
    const uint32_t narrow = r->drawn.module, wide = b->wide ? b->wide : narrow * b->ratio_tenths / 10;
    const struct platen_element *e = &run->page->elements[index];
    if (b->symbology != PL_SYM_INTERLEAVED_2OF5 || !(run->document->rules->rules & PL_RULE_KEY) ||
        wide * 4 >= narrow * 9 ||
        pl_rules_check(PL_RULE_KEY, PL_CHECK_INTERLEAVED_2OF5, pl_slice_make(e->text, e->text_size)).match !=
            PL_RULE_HOLDS)
        return;
    const double dots = narrow * 2.25 - wide;
    pl_check_find(
        run, index, PL_DIAG_MODULE_BELOW_MINIMUM, r->element->source, pl_check_mm(run, dots),
        "The wide bars are %u dots and the narrow ones %u dots wide; in ITF-14 they are at least 2.25 times as "
        "wide.",
        wide, narrow);
}

// ISO/IEC 15438 asks for rows of three modules in PDF417, ISO/IEC 24728 for two in MicroPDF417. Guides of printers show
// PDF417 with less than three: two are the least here. A PDF417 has three rows or more, a MicroPDF417 four.
static void check_rows(const struct pl_check_run *run, uint32_t index, const struct pl_element_report *r)
{
    const struct pl_barcode *b = &r->element->barcode;
    const uint32_t least = 2 * r->drawn.module;
    if (b->symbology != PL_SYM_PDF417 && b->symbology != PL_SYM_MICROPDF417)
        return;
    const uint32_t rows = b->symbology == PL_SYM_PDF417 && b->pdf417.rows > 3 ? (uint32_t)b->pdf417.rows : 3;
    const uint32_t height = b->height > 0 ? (uint32_t)b->height : PL_MAX(b->default_height / rows, 1u);
    if (height < least)
        pl_check_find(
            run, index, PL_DIAG_BARS_TOO_LOW, r->element->source, pl_check_mm(run, least - height),
            "The rows of the symbol are %u dot%s high, and a module is %u wide: rows are at least two modules "
            "high.",
            height, height == 1 ? "" : "s", r->drawn.module);
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
        check_ink(run, i, r);
        check_edge(run, i, r);
        check_cut(run, i, r, symbology);
        if (!check_module(run, i, r, rule))
            check_dots(run, i, r, symbology);
        check_height(run, i, r, rule);
        check_wide(run, i, r);
        check_rows(run, i, r);
        if (symbology < PL_CHECK_SYMBOLOGY_COUNT && !pl_rule_set_allows(rules, symbology))
            pl_check_find(run, i, PL_DIAG_SYMBOLOGY_NOT_ALLOWED, r->element->source, 0,
                          "The rules '%s' do not allow %s%s.", rules->name, pl_check_symbology_name(symbology),
                          is_plain(rules, symbology) ? " without FNC1 before the data" : "");
    }
}

void pl_check_modules_alone(const struct pl_check_run *run)
{
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++)
        if (run->page->drawn.reports[i].part_count)
            check_module(run, i, &run->page->drawn.reports[i], NULL);
}
