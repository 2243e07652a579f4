// From one density to another: every length in dots times the ratio of both, graphics resampled.
#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "raster/bitmap.h"
#include "rewrite/passes.h"
#include "zpl/args.h"

#define DEFAULT_MODULE 2
#define DEFAULT_BAR_HEIGHT 10
#define CODE_49 "^B4" // the height of its rows is a number of modules

struct rescale {
    struct rw_document *doc;
    double from, to, ratio;
    bool in_dots;                  // the unit of lengths is the dot
    bool module_said, height_said; // by ^BY
    unsigned bar_height;           // of ^BY, not scaled
    uint32_t rounded;              // lengths that are no whole number of dots at the new density
    double worst;                  // and by how much at most
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
    if (rw_is(c, CODE_49))
        return false;
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
    bool is_default = rw_is(c, "^CF");
    bool glued = !is_default && rw_has(c, 0) && c->items[0].ptr[0] >= '0' && c->items[0].ptr[0] <= '9';
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
    uint8_t letter = !is_default ? c->second : rw_has(c, 0) ? c->items[0].ptr[0] : 'A';
    if (is_bitmap_font(letter) && !c->added)
        RW_NOTE(r->doc, c, "%s%c is a bitmap font: its size is a whole multiple of its cell at any density.",
                is_default ? "^CF" : "^A", letter);
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

// ---- what a printer takes where nothing is said: it is in dots, and so is said

static enum pl_errc say(struct rescale *r, struct rw_command *c, uint32_t item, unsigned dots)
{
    if (rw_has(c, item))
        return PL_OK;
    char *text = pl_arena_printf(r->doc->arena, "%u", dots);
    return text && rw_set_item(r->doc, c, item, pl_slice_cstr(text)) ? PL_OK : pl_fail_memory(r->err);
}

static enum pl_errc say_module(struct rescale *r, struct rw_command *c)
{
    int64_t value;
    bool clean;
    if (!r->module_said)
        PL_TRY(say(r, c, 0, DEFAULT_MODULE));
    if (!r->height_said)
        PL_TRY(say(r, c, 2, DEFAULT_BAR_HEIGHT));
    r->module_said = r->height_said = true;
    if (rw_has(c, 2) && zpl_parse_number(c->items[2], &value, &clean) && value >= 10000)
        r->bar_height = (unsigned)PL_MIN(value / 10000, 32000);
    return PL_OK;
}

static enum pl_errc say_own_defaults(struct rescale *r, struct rw_command *c)
{
    static const struct {
        char name[4];
        uint8_t item, dots;
    } UNSAID[] = {{"^GB", 2, 1}, {"^GC", 0, 3}, {"^GC", 1, 1}, {"^GD", 2, 1},
                  {"^GE", 2, 1}, {"^BB", 1, 8}, {"^BR", 4, 25}};
    if (!r->in_dots)
        return PL_OK;
    if (rw_is(c, "^BY"))
        return say_module(r, c);
    if (rw_is(c, CODE_49))
        return say(r, c, 1, r->bar_height);
    for (size_t i = 0; i < PL_COUNTOF(UNSAID); i++) {
        if (rw_is(c, UNSAID[i].name))
            PL_TRY(say(r, c, UNSAID[i].item, UNSAID[i].dots));
    }
    return PL_OK;
}

// A font whose height is that of ^CF. ^A050 has its height where the turn should be.
static bool is_sized_by_default(const struct rw_command *c)
{
    bool glued = rw_has(c, 0) && c->items[0].ptr[0] >= '0' && c->items[0].ptr[0] <= '9';
    return (rw_is_font(c) || rw_is(c, "^A@") || rw_is(c, "^GS")) && !rw_has(c, 1) && !glued;
}

// Is the printer's own font used, or the size of it?
static bool uses_default_font(const struct rw_document *doc)
{
    bool font = false, other = false;
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        font = font || rw_is_font(c) || rw_is(c, "^A@");
        other = other || rw_is_barcode(c);
        if (rw_is(c, "^CF"))
            return false;
        bool text = rw_is(c, "^FD") || rw_is(c, "^FV") || rw_is(c, "^SN") || rw_is(c, "^FN");
        if ((text && !font && !other) || is_sized_by_default(c))
            return true;
        if (rw_is(c, "^FS"))
            font = other = false;
    }
    return false;
}

static bool uses_default_bars(const struct rw_document *doc)
{
    for (uint32_t i = 0; i < doc->count && !rw_is(&doc->commands[i], "^BY"); i++) {
        if (rw_is_barcode(&doc->commands[i]))
            return true;
    }
    return false;
}

// Settings at the start of the first label, where they are in no field's way.
static enum pl_errc say_settings(struct rescale *r)
{
    struct rw_document *doc = r->doc;
    bool font = uses_default_font(doc), bars = uses_default_bars(doc);
    uint32_t at = 0;
    while (at < doc->count && !rw_is(&doc->commands[at], "^XA"))
        at++;
    at = at < doc->count ? at + 1 : 0;
    struct rw_command *c = font ? rw_insert(doc, at, "^CF", "") : NULL;
    if (font && (!c || !rw_set_item(doc, c, 0, pl_slice_cstr("A")) || !rw_set_item(doc, c, 1, pl_slice_cstr("9")) ||
                 !rw_set_item(doc, c, 2, pl_slice_cstr("5"))))
        return pl_fail_memory(r->err);
    if (bars && !rw_insert(doc, at, "^BY", "")) // filled in as any other
        return pl_fail_memory(r->err);
    return PL_OK;
}

enum pl_errc rw_rescale(struct rw_document *doc, double from_dpmm, double to_dpmm, struct pl_error *err)
{
    struct rescale r = {.doc = doc, .from = from_dpmm, .to = to_dpmm, .ratio = to_dpmm / from_dpmm, .in_dots = true};
    r.err = err;
    r.bar_height = DEFAULT_BAR_HEIGHT;
    if (r.ratio == 1)
        return PL_OK;
    PL_TRY(say_settings(&r));
    for (uint32_t i = 0; i < doc->count; i++) {
        PL_TRY(pl_job_check(doc->job, err));
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
        PL_TRY(say_own_defaults(&r, c));
        if (rw_is_font(c) || rw_is(c, "^CF"))
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
