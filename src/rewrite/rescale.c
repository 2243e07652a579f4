// From one density to another: every length in dots times the ratio of both, graphics resampled.
#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "raster/bitmap.h"
#include "rewrite/passes.h"
#include "zpl/args.h"

struct rescale {
    struct rw_document *doc;
    double from, to, ratio;
    bool in_dots;        // the unit of lengths is the dot
    bool has_by, has_cf; // were set before
    uint32_t rounded;    // lengths that are no whole number of dots at the new density
    double worst;        // and by how much at most
    struct pl_error *err;
};

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

static bool is_length(const struct rw_command *c, uint32_t item)
{
    if (rw_is(c, "^FM"))
        return true;
    return item < c->row->info.param_count && c->row->info.params[item].type == PL_ZPL_DOTS;
}

// Bitmap fonts have whole multiples of one size.
static bool is_bitmap_font(uint8_t letter)
{
    letter &= letter >= 'a' ? 0xDF : 0xFF;
    return letter >= 'A' && letter <= 'H';
}

static enum pl_errc scale_item(struct rescale *r, struct rw_command *c, uint32_t item)
{
    int64_t value;
    bool clean, module = is_module(c, item);
    if (!rw_has(c, item) || (!module && !is_length(c, item)))
        return PL_OK;
    // Modules of ^BQ and the like are dots whatever the unit.
    bool table_length = is_length(c, item);
    if ((table_length && !r->in_dots) || !zpl_parse_number(c->items[item], &value, &clean))
        return PL_OK;
    double exact = (double)value / 10000 * r->ratio, whole = floor(fabs(exact) + 0.5);
    whole = exact < 0 ? -whole : whole;
    if (module && whole < 1)
        whole = 1;
    // What is there stays there: a line of one dot does not vanish.
    if (value >= 10000 && whole < 1)
        whole = 1;
    double error = fabs(exact - whole);
    if (module && error > 0.001) {
        RW_NOTE(r->doc, c, "%.3s: a module of %lld dots at %g dpmm is %.2f dots at %g dpmm; it became %.0f.",
                rw_source(c).command, (long long)(value / 10000), r->from, exact, r->to, whole);
    } else if (error > 0.001) {
        r->rounded++;
        r->worst = PL_MAX(r->worst, error);
    }
    // ^A048,40: a height that stands where the turn should be.
    char *text = pl_arena_printf(r->doc->arena, "%.0f", whole);
    return text && rw_set_item(r->doc, c, item, pl_slice_cstr(text)) ? PL_OK : pl_fail_memory(r->err);
}

// ^A050,40 has no letter for the turn: its first parameter is the height.
static enum pl_errc scale_font(struct rescale *r, struct rw_command *c)
{
    bool glued = rw_has(c, 0) && c->items[0].ptr[0] >= '0' && c->items[0].ptr[0] <= '9';
    if (glued && r->in_dots) {
        int64_t value;
        bool clean;
        if (zpl_parse_number(c->items[0], &value, &clean)) {
            char *text = pl_arena_printf(r->doc->arena, "%.0f", floor((double)value / 10000 * r->ratio + 0.5));
            if (!text)
                return pl_fail_memory(r->err);
            c->items[0] = pl_slice_cstr(text);
        }
    }
    if (is_bitmap_font(c->second))
        RW_NOTE(r->doc, c, "^A%c is a bitmap font: its size is a whole multiple of its cell at any density.",
                c->second);
    return PL_OK;
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
    return rw_set_graphic(r->doc, c, &scaled, PL_CODE_RUNS, r->err);
}

static void note_unscaled(struct rescale *r, const struct rw_command *c)
{
    if (rw_is(c, "~DY"))
        RW_NOTE(r->doc, c, "~DY: pictures in files are not resampled; fonts need not be.");
    else if (rw_is(c, "~DB"))
        RW_NOTE(r->doc, c, "~DB: bitmap fonts are not resampled.");
}

// What a printer takes where nothing is said is in dots, and so is said.
static enum pl_errc say_defaults(struct rescale *r, uint32_t *index)
{
    struct rw_command *c = &r->doc->commands[*index];
    r->has_by = r->has_by || rw_is(c, "^BY");
    r->has_cf = r->has_cf || rw_is(c, "^CF");
    const char *name = NULL, *items = NULL;
    if (rw_is_barcode(c) && !r->has_by) {
        name = "^BY";
        items = "2,3.0,10";
        r->has_by = true;
    } else if (rw_is(c, "^FD") && !r->has_cf) {
        name = "^CF";
        items = "A,9,5";
        r->has_cf = true;
    }
    if (!name)
        return PL_OK;
    struct rw_command *added = rw_insert(r->doc, *index, name, "");
    if (!added)
        return pl_fail_memory(r->err);
    uint32_t n = 0;
    const char *at = items;
    for (const char *p = items;; p++) {
        if (*p && *p != ',')
            continue;
        char *text = pl_arena_printf(r->doc->arena, "%.*s", (int)(p - at), at);
        if (!text || !rw_set_item(r->doc, added, n++, pl_slice_cstr(text)))
            return pl_fail_memory(r->err);
        at = p + 1;
        if (!*p)
            break;
    }
    bool in_dots = r->in_dots;
    r->in_dots = true; // these are dots
    for (uint32_t i = 0; i < n; i++)
        PL_TRY(scale_item(r, added, i));
    r->in_dots = in_dots;
    ++*index;
    return PL_OK;
}

// Is a default of the printer's used? Text with a font of its own needs no ^CF.
static bool uses_default_font(const struct rw_document *doc)
{
    bool font = false, other = false;
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        font = font || rw_is_font(c) || rw_is(c, "^A@");
        other = other || rw_is_barcode(c);
        if (rw_is(c, "^CF"))
            return false;
        if (rw_is(c, "^FD") && !font && !other)
            return true;
        if (rw_is(c, "^FS"))
            font = other = false;
    }
    return false;
}

enum pl_errc rw_rescale(struct rw_document *doc, double from_dpmm, double to_dpmm, struct pl_error *err)
{
    struct rescale r = {.doc = doc, .from = from_dpmm, .to = to_dpmm, .ratio = to_dpmm / from_dpmm, .in_dots = true};
    r.err = err;
    if (r.ratio == 1)
        return PL_OK;
    r.has_cf = !uses_default_font(doc);
    for (uint32_t i = 0; i < doc->count; i++) {
        PL_TRY(pl_job_check(doc->job, err));
        PL_TRY(say_defaults(&r, &i));
        struct rw_command *c = &doc->commands[i];
        if (rw_is(c, "^MU") && rw_has(c, 0))
            r.in_dots = (c->items[0].ptr[0] & 0xDF) == 'D';
        if (rw_has_graphic(c)) {
            PL_TRY(scale_graphic(&r, c));
            continue;
        }
        note_unscaled(&r, c);
        if (!c->row || c->kind != ZPL_LEX_ARGS || c->no_parameters)
            continue;
        if (rw_is_font(c))
            PL_TRY(scale_font(&r, c));
        for (uint32_t item = 0; item < c->item_count; item++)
            PL_TRY(scale_item(&r, c, item));
    }
    if (r.rounded > 0)
        pl_diag_add(doc->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0,
                    "%u lengths are no whole number of dots at %g dpmm; they were rounded, by %.2f dots at most.",
                    r.rounded, to_dpmm, r.worst);
    return PL_OK;
}
