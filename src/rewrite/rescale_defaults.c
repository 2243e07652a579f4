// What a printer takes where nothing is said: it is in dots, and so it is said.
#include <math.h>

#include "bar/bar.h"
#include "base/ckd.h"
#include "rewrite/rescale.h"

#define DEFAULT_MODULE 2
#define DEFAULT_BAR_HEIGHT 10
#define SHAPE_LEAST 3 // a side of a diagonal or an ellipse

void rescale_reset(struct rescale *r)
{
    r->label = UINT32_MAX;
    r->font.letter = 'A';
    r->font.height = r->font.width = r->font.last_height = r->font.last_width = 0;
    r->font.said = r->font.named = false;
    for (size_t i = 0; i < PL_COUNTOF(r->font.stored); i++)
        r->font.stored[i] = false;
    r->bars.module = DEFAULT_MODULE;
    r->bars.height = DEFAULT_BAR_HEIGHT;
    r->bars.module_said = r->bars.height_said = false;
}

// Dots of the old density into a parameter that is missing; they are scaled later, as what is given is.
static enum pl_errc say(struct rescale *r, struct rw_command *c, uint32_t item, bool is_length, double dots)
{
    if (rw_has(c, item))
        return PL_OK;
    double unit = is_length ? rw_unit_dots(&r->unit, r->from) : 1;
    char *text = pl_arena_printf(r->doc->arena, "%.*f", unit == 1 ? 0 : 4, dots / unit);
    return text && rw_set_item(r->doc, c, item, pl_slice_cstr(text)) ? PL_OK : pl_fail_memory(r->err);
}

// ^BY: its own defaults, until it has said them once.
static enum pl_errc say_module(struct rescale *r, struct rw_command *c)
{
    double dots;
    if (!r->bars.module_said)
        PL_TRY(say(r, c, 0, true, r->bars.module));
    if (!r->bars.height_said)
        PL_TRY(say(r, c, 2, true, r->bars.height));
    r->bars.module_said = r->bars.height_said = true;
    if (rescale_read(r, c, 0, true, &dots) && dots >= 1)
        r->bars.module = (uint32_t)PL_MIN(dots, 100.0);
    if (rescale_read(r, c, 2, true, &dots) && dots >= 1)
        r->bars.height = (uint32_t)PL_MIN(dots, 32000.0);
    return PL_OK;
}

// ^GD and ^GE: a side that is missing is as long as the line is thick, but not below three dots.
static enum pl_errc say_sides(struct rescale *r, struct rw_command *c)
{
    double thickness = 1, side;
    (void)rescale_read(r, c, 2, true, &thickness);
    for (uint32_t item = 0; item < 2; item++) {
        bool has = rescale_read(r, c, item, true, &side) && side > 0;
        double used = PL_MAX(has ? side : thickness, (double)SHAPE_LEAST);
        if (has && used == side)
            continue;
        if (rw_has(c, item))
            c->items[item] = pl_slice_make("", 0);
        PL_TRY(say(r, c, item, true, used));
    }
    return PL_OK;
}

// ^GB: a line of no dots is one dot thick.
static enum pl_errc say_thickness(struct rescale *r, struct rw_command *c)
{
    double dots;
    if (rescale_read(r, c, 2, true, &dots) && dots < 1)
        c->items[2] = pl_slice_make("", 0);
    return say(r, c, 2, true, 1);
}

// What depends on the density: said only where the printer's own value is not the scaled one.
struct by_density {
    char name[4];
    uint8_t item;
    uint32_t (*dots)(uint32_t dpmm);
};

static enum pl_errc say_by_density(struct rescale *r, uint32_t index, const struct by_density *d)
{
    struct rw_command *c = &r->doc->commands[index];
    uint32_t before = d->dots((uint32_t)(r->from + 0.5)), after = d->dots((uint32_t)(r->to + 0.5));
    if (rw_has(c, d->item) || fabs(before * r->ratio - after) < 0.001)
        return PL_OK;
    PL_TRY(say(r, c, d->item, rw_is(c, "^BT"), before));
    if (!rw_is(c, "^BQ"))
        return PL_OK;
    // Said, it would become the module of later barcodes.
    char *items = pl_arena_printf(r->doc->arena, "%.0f", PL_MAX(ceil(r->bars.module * r->ratio - 0.5 - 1e-9), 1.0));
    return items && rw_insert(r->doc, index + 1, "^BY", items) ? PL_OK : pl_fail_memory(r->err);
}

static void note_derived(struct rescale *r, const struct rw_command *c)
{
    double dots;
    bool derived = (rw_is(c, "^BX") || rw_is(c, "^B7")) && !(rescale_read(r, c, 1, true, &dots) && dots > 0);
    if (derived)
        RW_NOTE(r->doc, c,
                "%.3s: its %s follow from the height of ^BY and the number of rows, as whole dots; they may differ by "
                "less than %.0f dots.",
                rw_source(c).command, rw_is(c, "^BX") ? "modules" : "rows", ceil(r->ratio));
}

enum pl_errc rescale_say_defaults(struct rescale *r, uint32_t index)
{
    static const struct {
        char name[4];
        uint8_t item, dots;
    } UNSAID[] = {{"^GC", 0, 3}, {"^GC", 1, 1},  {"^GD", 2, 1}, {"^GE", 2, 1},
                  {"^BB", 1, 8}, {"^BR", 4, 25}, {"^TB", 1, 1}, {"^TB", 2, 1}};
    static const struct by_density BY_DENSITY[] = {
        {"^BQ", 2, pl_bar_matrix_default},  {"^BO", 1, pl_bar_matrix_default}, {"^B0", 1, pl_bar_matrix_default},
        {"^BR", 2, pl_bar_databar_default}, {"^BT", 1, pl_bar_tlc39_module},   {"^BT", 3, pl_bar_tlc39_height},
        {"^BT", 4, pl_bar_tlc39_module},    {"^BT", 5, pl_bar_tlc39_row}};
    struct rw_command *c = &r->doc->commands[index];
    double dots;
    if (rw_is(c, "^BY"))
        return say_module(r, c);
    if (rw_is(c, "^B4")) // rows are as high as so many modules
        return rescale_in_dots(r) ? say(r, c, 1, true, r->bars.height) : PL_OK;
    if (rw_is(c, "^GB"))
        return say_thickness(r, c);
    if (rw_is(c, "^GD") || rw_is(c, "^GE"))
        PL_TRY(say_sides(r, c));
    if (rw_is(c, "^BQ") && rescale_read(r, c, 2, false, &dots) && dots >= 1)
        r->bars.module = (uint32_t)PL_MIN(dots, 100.0);
    note_derived(r, c);
    for (size_t i = 0; i < PL_COUNTOF(UNSAID); i++) {
        if (rw_is(c, UNSAID[i].name))
            PL_TRY(say(r, c, UNSAID[i].item, true, UNSAID[i].dots));
    }
    for (size_t i = 0; i < PL_COUNTOF(BY_DENSITY); i++) {
        if (rw_is(c, BY_DENSITY[i].name))
            PL_TRY(say_by_density(r, index, &BY_DENSITY[i]));
    }
    return PL_OK;
}

enum pl_errc rescale_default_bars(struct rescale *r, const struct rw_command *barcode)
{
    if (r->bars.module_said || r->bars.height_said || r->label == UINT32_MAX)
        return PL_OK;
    r->bars.module_said = r->bars.height_said = true;
    struct rw_command *c = rw_insert(r->doc, r->label + 1, "^BY", "");
    if (!c)
        return pl_fail_memory(r->err);
    struct rescale in_dots = *r;
    c->origin = barcode->origin; // notes are about the barcode that needs it
    c->origin_end = barcode->origin_end;
    in_dots.unit = RW_UNIT_DOTS;
    PL_TRY(say(&in_dots, c, 0, true, r->bars.module));
    PL_TRY(say(&in_dots, c, 2, true, r->bars.height));
    PL_TRY(rescale_item(&in_dots, c, 0));
    PL_TRY(rescale_item(&in_dots, c, 2));
    r->rounded = in_dots.rounded;
    r->worst = in_dots.worst;
    return PL_OK;
}
