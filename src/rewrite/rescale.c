// From one density to another: every length in dots times the ratio of both, graphics resampled.
#include "rewrite/rescale.h"

#include <math.h>

#include "base/ckd.h"
#include "raster/bitmap.h"

#define CODE_49 "^B4" // the height of its rows is a number of modules

bool rescale_read(const struct rescale *r, const struct rw_command *c, uint32_t item, bool is_length, double *dots)
{
    int64_t value;
    bool clean;
    if (!rw_has(c, item) || !zpl_parse_number(c->items[item], &value, &clean))
        return false;
    double exact = (double)value / 10000 * (is_length ? rw_unit_dots(&r->unit, r->from) : 1);
    *dots = exact < 0 ? -floor(0.5 - exact) : floor(exact + 0.5);
    return true;
}

enum pl_errc rescale_write(struct rescale *r, struct rw_command *c, uint32_t item, double dots, bool is_length)
{
    double unit = is_length ? rw_unit_dots(&r->unit, r->to) : 1;
    char *text = pl_arena_printf(r->doc->arena, "%.*f", unit == 1 ? 0 : 4, dots / unit);
    return text && rw_set_item(r->doc, c, item, pl_slice_cstr(text)) ? PL_OK : pl_fail_memory(r->err);
}

double rescale_round(struct rescale *r, double exact)
{
    double whole = exact < 0 ? -floor(0.5 - exact) : floor(exact + 0.5);
    // What is there stays there: a line of one dot does not vanish.
    if (exact > 0 && whole < 1)
        whole = 1;
    double error = fabs(exact - whole);
    if (error > 0.001) {
        r->rounded++;
        r->worst = PL_MAX(r->worst, error);
    }
    return whole;
}

// Counts of dots that are no lengths of the table: modules and magnifications.
static bool is_module(const struct rw_command *c, uint32_t item)
{
    static const struct {
        char name[4];
        uint8_t item;
    } MODULES[] = {{"^BY", 0}, {"^BQ", 2}, {"^BO", 1}, {"^B0", 1}, {"^BX", 1}, {"^BR", 2}, {"^BT", 1}, {"^BT", 4}};
    for (size_t i = 0; i < PL_COUNTOF(MODULES); i++) {
        if (rw_is(c, MODULES[i].name) && MODULES[i].item == item)
            return true;
    }
    return false;
}

const struct pl_lang_param *rescale_param(const struct rw_command *c, uint32_t item)
{
    uint32_t index = rw_is(c, "^FM") ? item % 2 : item; // any number of places
    return index < c->row->info.param_count ? &c->row->info.params[index] : NULL;
}

static void note_module(struct rescale *r, const struct rw_command *c, double before, double exact, double whole)
{
    RW_NOTE(r->doc, c, "%.3s: a module of %.0f dots at %g dpmm is %.2f dots at %g dpmm; it became %.0f.",
            rw_source(c).command, before, r->from, exact, r->to, whole);
}

enum pl_errc rescale_item(struct rescale *r, struct rw_command *c, uint32_t item)
{
    const struct pl_lang_param *p = rescale_param(c, item);
    bool module = is_module(c, item), length = p && p->type == PL_LANG_DOTS && !rw_is(c, CODE_49);
    double before;
    if (!p || (!module && !length) || (length && !rescale_in_dots(r)) || !rescale_read(r, c, item, length, &before))
        return PL_OK;
    // A printer takes the nearest value that it allows.
    if (before >= 0 || p->min < 0)
        before = PL_MIN(PL_MAX(before, (double)p->min), (double)p->max);
    double exact = before * r->ratio, whole;
    if (module) {
        // Of two that are as near the smaller: a wider symbol no longer fits between its neighbours.
        whole = PL_MAX(ceil(exact - 0.5 - 1e-9), p->min >= 1 || exact > 0 ? 1.0 : 0.0);
        if (whole <= p->max && fabs(exact - whole) > 0.001)
            note_module(r, c, before, exact, whole);
    } else {
        whole = rescale_round(r, exact);
    }
    double allowed = exact < 0 && p->min >= 0 ? whole : PL_MIN(PL_MAX(whole, (double)p->min), (double)p->max);
    if (allowed != whole)
        RW_NOTE(r->doc, c, "%.3s: %s of %.0f dots at %g dpmm is %.2f dots at %g dpmm; it became %.0f, the %s allowed.",
                rw_source(c).command, p->name, before, r->from, exact, r->to, allowed,
                allowed < whole ? "most" : "least");
    return rescale_write(r, c, item, allowed, length);
}

static void resample(const struct pl_bitmap *from, struct pl_bitmap *to)
{
    for (uint32_t y = 0; y < to->height; y++) {
        uint32_t sy = (uint32_t)(((uint64_t)y * 2 + 1) * from->height / ((uint64_t)to->height * 2));
        for (uint32_t x = 0; x < to->width; x++) {
            uint32_t sx = (uint32_t)(((uint64_t)x * 2 + 1) * from->width / ((uint64_t)to->width * 2));
            if (pl_bitmap_get(from, sx, sy))
                pl_bitmap_set(to, x, y);
        }
    }
}

static enum pl_errc scale_graphic(struct rescale *r, struct rw_command *c)
{
    const struct pl_bitmap *bits;
    struct pl_bitmap scaled;
    PL_TRY(rw_graphic(r->doc, c, &bits, r->err));
    if (!bits) {
        RW_NOTE(r->doc, c, "The graphic data cannot be read; it was left as it is.");
        return PL_OK;
    }
    double width = floor(bits->width * r->ratio + 0.5), height = floor(bits->height * r->ratio + 0.5);
    width = PL_MAX(width, 1);
    height = PL_MAX(height, 1);
    if (width * height / 8 > (double)r->doc->decoded_limit)
        return pl_fail(r->err, PL_E_LIMIT, "a graphic of %.0f x %.0f dots is over the limit", width, height);
    PL_TRY(pl_bitmap_new(r->doc->arena, (uint32_t)width, (uint32_t)height, &scaled, r->err));
    resample(bits, &scaled);
    if (r->ratio != floor(r->ratio))
        RW_NOTE(r->doc, c, "A graphic of %u x %u dots was resampled to %.0f x %.0f: lines in it may differ by a dot.",
                bits->width, bits->height, width, height);
    return rw_set_graphic(r->doc, c, &scaled, PLATEN_GRAPHIC_ACS, r->err);
}

static void note_unscaled(struct rescale *r, const struct rw_flow *flow, const struct rw_command *c)
{
    if (rw_is(c, "~DY"))
        RW_NOTE(r->doc, c, "~DY: pictures in files are not resampled; fonts need not be.");
    else if (rw_is(c, "~DB"))
        RW_NOTE(r->doc, c, "~DB: bitmap fonts are not resampled.");
    else if (rw_recalls_unknown(flow, c))
        RW_NOTE(r->doc, c,
                "%.3s: what it recalls is not in the code; it keeps its dots and is %.2f times as large as before.",
                rw_source(c).command, 1 / r->ratio);
}

// What the field has so far, and the printer's settings that it needs said.
static enum pl_errc watch_field(struct rescale *r, uint32_t index)
{
    const struct rw_command *c = &r->doc->commands[index];
    if (rw_is(c, "~JR"))
        rescale_reset(r);
    if (rw_is(c, "^XA") && r->label == UINT32_MAX)
        r->label = index;
    if (rw_is(c, "^FS") || rw_is(c, "^XA"))
        r->field.font = r->field.barcode = false;
    r->field.font = r->field.font || rw_is_font(c) || rw_is(c, "^A@") || rw_is(c, "^GS");
    if (rw_is_barcode(c)) {
        r->field.barcode = true;
        PL_TRY(rescale_default_bars(r, c));
    }
    bool text = rw_is(c, "^FD") || rw_is(c, "^FV") || rw_is(c, "^SN") || rw_is(c, "^FN");
    return text && !r->field.font && !r->field.barcode ? rescale_default_font(r, c) : PL_OK;
}

static enum pl_errc scale_command(struct rescale *r, const struct rw_flow *flow, uint32_t index)
{
    struct rw_command *c = &r->doc->commands[index];
    r->unit = flow->units[index];
    PL_TRY(watch_field(r, index));
    if (rw_has_graphic(c))
        return scale_graphic(r, c);
    note_unscaled(r, flow, c);
    if (!c->row || c->kind != ZPL_LEX_ARGS || c->no_parameters)
        return PL_OK;
    rescale_note_letter(r, c);
    if (rescale_is_font(c))
        return rescale_font(r, c);
    PL_TRY(rescale_say_defaults(r, index));
    for (uint32_t item = 0; item < c->item_count; item++)
        PL_TRY(rescale_item(r, c, item));
    return PL_OK;
}

enum pl_errc rw_rescale(struct rw_document *doc, double from_dpmm, double to_dpmm, struct pl_error *err)
{
    struct rescale r = {.doc = doc, .from = from_dpmm, .to = to_dpmm, .ratio = to_dpmm / from_dpmm, .err = err};
    struct rw_flow flow;
    if (r.ratio == 1)
        return PL_OK;
    rescale_reset(&r);
    PL_TRY(rw_flow_find(doc, &flow, err));
    for (uint32_t i = 0; i < flow.count; i++) {
        PL_TRY(pl_job_check(doc->job, err));
        PL_TRY(scale_command(&r, &flow, flow.order[i]));
    }
    if (r.rounded > 0)
        pl_diag_add(doc->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0,
                    "%u lengths are no whole number of dots at %g dpmm; they were rounded, by %.2f dots at most.",
                    r.rounded, to_dpmm, r.worst);
    return rw_apply_insertions(doc, err);
}
