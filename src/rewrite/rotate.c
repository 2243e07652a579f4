// Turning labels. By 180 degrees the printer does it (^PO). By 90 and 270 every field is turned by its own commands and
// then moved so that its ink lies where it belongs: both versions are drawn, since only drawing knows how large a text
// or a barcode is.
#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "raster/bitmap.h"
#include "rewrite/drawing.h"
#include "rewrite/fill.h"
#include "rewrite/flow.h"
#include "rewrite/passes.h"
#include "rewrite/unit.h"

#define TEXT_MOST ((size_t)128 << 20)

// Turns every label upside down.
static enum pl_errc turn_over(struct rw_document *doc, struct pl_error *err)
{
    bool said = false;
    for (uint32_t i = 0; i < doc->count; i++) {
        struct rw_command *c = &doc->commands[i];
        if (rw_is(c, "^PO")) {
            bool inverted = rw_has(c, 0) && (c->items[0].ptr[0] & 0xDF) == 'I';
            if (!rw_set_item(doc, c, 0, pl_slice_cstr(inverted ? "N" : "I")))
                return pl_fail_memory(err);
        } else if (rw_is(c, "^XA") && !said) {
            // It stays in force for the labels that follow.
            if (!rw_insert(doc, i + 1, "^PO", "I"))
                return pl_fail_memory(err);
            said = true;
        }
    }
    return rw_apply_insertions(doc, err);
}

// ---- each command by itself

static char turned(char letter, unsigned quarters)
{
    static const char ORDER[] = "NRIB";
    const char *at = strchr(ORDER, letter & 0xDF);
    return at && *at ? ORDER[((size_t)(at - ORDER) + quarters) % 4] : 'N';
}

static enum pl_errc turn_letter(struct rw_document *doc, struct rw_command *c, unsigned quarters, struct pl_error *err)
{
    if (!rw_has(c, 0) || !strchr("NRIBnrib", c->items[0].ptr[0]))
        return PL_OK; // by ^FW, or a height without a letter
    char *text = pl_arena_printf(doc->arena, "%c", turned((char)c->items[0].ptr[0], quarters));
    return text && rw_set_item(doc, c, 0, pl_slice_cstr(text)) ? PL_OK : pl_fail_memory(err);
}

static enum pl_errc swap_items(struct rw_document *doc, struct rw_command *c, uint32_t a, struct pl_error *err)
{
    if (c->item_count <= a)
        return PL_OK;
    if (c->item_count == a + 1 && !rw_set_item(doc, c, a + 1, pl_slice_make("", 0)))
        return pl_fail_memory(err);
    struct pl_slice kept = c->items[a];
    c->items[a] = c->items[a + 1];
    c->items[a + 1] = kept;
    return PL_OK;
}

static enum pl_errc turn_diagonal(struct rw_document *doc, struct rw_command *c, struct pl_error *err)
{
    uint8_t way = rw_has(c, 4) ? c->items[4].ptr[0] : 'R';
    bool left = (way & 0xDF) == 'L' || way == '\\';
    PL_TRY(swap_items(doc, c, 0, err));
    return rw_set_item(doc, c, 4, pl_slice_cstr(left ? "R" : "L")) ? PL_OK : pl_fail_memory(err);
}

static enum pl_errc turn_graphic(struct rw_document *doc, struct rw_command *c, unsigned quarters, struct pl_error *err)
{
    const struct pl_bitmap *bits;
    struct pl_bitmap out;
    PL_TRY(rw_graphic(doc, c, &bits, err));
    if (!bits) {
        RW_NOTE(doc, c, "The graphic data cannot be read; it was not rotated.");
        return PL_OK;
    }
    PL_TRY(pl_bitmap_turn(doc->arena, bits, (enum pl_rotation)quarters, &out, err));
    return rw_set_graphic(doc, c, &out, PLATEN_GRAPHIC_ACS, err);
}

// ^LL becomes ^PW, which cuts. A length that a label does not keep to becomes that of the page.
static enum pl_errc turn_length(struct rw_document *doc, struct rw_command *c, double page_height, struct pl_error *err)
{
    memcpy(&c->first, (uint8_t[]){'P', 'W'}, 2);
    char *text = doc->overlong
                     ? pl_arena_printf(doc->arena, "%.*f", floor(page_height) == page_height ? 0 : 4, page_height)
                     : NULL;
    return !doc->overlong || (text && rw_set_item(doc, c, 0, pl_slice_cstr(text))) ? PL_OK : pl_fail_memory(err);
}

// `page_height`: in the unit that is in force at the command.
static enum pl_errc turn_command(struct rw_document *doc, struct rw_command *c, unsigned quarters, double page_height,
                                 struct pl_error *err)
{
    if (rw_is(c, "^BQ") || rw_is(c, "^BD")) {
        RW_NOTE(doc, c, "%.3s cannot be rotated; the symbol stays upright.", rw_source(c).command);
        return PL_OK;
    }
    if (rw_is_font(c) || rw_is(c, "^A@") || rw_is(c, "^FW") || rw_is(c, "^GS") || rw_is(c, "^TB") || rw_is_barcode(c))
        return turn_letter(doc, c, quarters, err);
    if (rw_is(c, "^GB") || rw_is(c, "^GE"))
        return swap_items(doc, c, 0, err);
    if (rw_is(c, "^XG"))
        return swap_items(doc, c, 1, err);
    if (rw_is(c, "^GD"))
        return turn_diagonal(doc, c, err);
    if (rw_has_graphic(c))
        return turn_graphic(doc, c, quarters, err);
    if (rw_is(c, "^PW"))
        memcpy(&c->first, (uint8_t[]){'L', 'L'}, 2);
    else if (rw_is(c, "^LL"))
        return turn_length(doc, c, page_height, err);
    else if (rw_is(c, "^FM") || rw_is(c, "^PM") || rw_is(c, "^IS") || rw_is(c, "^IL") || rw_is(c, "~DY"))
        RW_NOTE(doc, c, "%.3s cannot be rotated and was left as it is.", rw_source(c).command);
    return PL_OK;
}

// Writes the document and reads it again, in the memory that it had: its offsets are then those of the written code.
static enum pl_errc settle(struct rw_document *doc, struct pl_error *err)
{
    struct pl_buf text;
    struct pl_arena own;
    PL_TRY(rw_apply_insertions(doc, err));
    pl_arena_init(&own, TEXT_MOST);
    struct rw_places places = {.arena = &own};
    pl_buf_init(&text, TEXT_MOST);
    rw_write(doc, RW_LINES, &text, &places);
    enum pl_errc code = pl_buf_check(&text, err);
    pl_arena_release(doc->arena, doc->start);
    uint8_t *copy = pl_arena_copy(doc->arena, text.len ? text.data : (uint8_t *)"", text.len);
    doc->input = pl_slice_make(copy, text.len);
    doc->places = &places;
    doc->capacity = 0;
    if (code == PL_OK)
        code = copy ? rw_read(doc, err) : pl_fail_memory(err);
    doc->places = NULL;
    pl_arena_fini(&own);
    pl_buf_fini(&text);
    return code;
}

// ---- places

static bool coordinate(const struct rw_command *c, uint32_t item, int64_t *out)
{
    bool clean;
    *out = 0;
    return rw_has(c, item) && zpl_parse_number(c->items[item], out, &clean);
}

// False: ^FT without a coordinate is where the field before it ended. ^FO without one is at 0.
static bool scaled_place(const struct rw_command *c, int64_t *x, int64_t *y)
{
    bool has_x = coordinate(c, 0, x), has_y = coordinate(c, 1, y);
    return (has_x && has_y) || rw_is(c, "^FO");
}

// Index of ^FO or ^FT, UINT32_MAX: the field has none; `*first` is its first command.
static uint32_t place_of(const struct rw_document *doc, const struct rw_inked *ink, uint32_t *first)
{
    uint32_t found = UINT32_MAX, i = *first = rw_first_command(doc, ink);
    for (; i < doc->count && doc->commands[i].start < ink->end; i++) {
        if (rw_is(&doc->commands[i], "^FO") || rw_is(&doc->commands[i], "^FT"))
            found = i;
    }
    return found;
}

// The unit of lengths on the way through the commands.
struct unit_walk {
    struct rw_unit unit;
    uint32_t next; // command that is not looked at yet
};

static double dots_per_unit(struct unit_walk *walk, const struct rw_document *doc, uint32_t end, double dpmm)
{
    if (end < walk->next)
        *walk = (struct unit_walk){RW_UNIT_DOTS, 0};
    for (; walk->next < end; walk->next++)
        rw_unit_obey(&walk->unit, &doc->commands[walk->next]);
    return rw_unit_dots(&walk->unit, dpmm);
}

static enum pl_errc move(struct rw_document *doc, struct rw_command *c, double unit, int64_t dx, int64_t dy,
                         struct pl_error *err)
{
    int64_t x, y;
    if (!scaled_place(c, &x, &y)) {
        RW_NOTE(doc, c, "%.3s has no place of its own; its field could not be moved.", rw_source(c).command);
        return PL_OK;
    }
    double left = floor((double)x / 10000 * unit + 0.5) + (double)dx;
    double top = floor((double)y / 10000 * unit + 0.5) + (double)dy;
    if (left < 0 || top < 0)
        RW_NOTE(doc, c, "The field would begin %.0f dots before the edge; a place cannot be negative.",
                -PL_MIN(left, top));
    int decimals = unit == 1 ? 0 : 4;
    char *across = pl_arena_printf(doc->arena, "%.*f", decimals, PL_MAX(left, 0) / unit);
    char *down = pl_arena_printf(doc->arena, "%.*f", decimals, PL_MAX(top, 0) / unit);
    return across && down && rw_set_item(doc, c, 0, pl_slice_cstr(across)) &&
                   rw_set_item(doc, c, 1, pl_slice_cstr(down))
               ? PL_OK
               : pl_fail_memory(err);
}

// Where the ink of a field must go, from where it is in the turned label.
static void way_of(const struct rw_inked *before, const struct rw_inked *after, uint32_t label_height,
                   unsigned quarters, int64_t *dx, int64_t *dy)
{
    int64_t right = (int64_t)before->label_width - before->x - before->width;
    int64_t down = (int64_t)label_height - before->y - before->height;
    *dx = (quarters == 1 ? down : before->y) - after->x;
    *dy = (quarters == 1 ? before->x : right) - after->y;
}

static enum pl_errc move_all(struct rw_document *doc, const struct rw_drawing *before, const struct rw_drawing *after,
                             const struct platen_rewrite_options *options, struct pl_error *err)
{
    unsigned quarters = options->rotation / 90;
    struct unit_walk walk = {RW_UNIT_DOTS, 0};
    for (uint32_t i = 0; i < before->count; i++) {
        const struct rw_inked *a = &before->items[i], *b = &after->items[i];
        uint32_t first;
        int64_t dx, dy;
        uint32_t place = place_of(doc, b, &first);
        if (first >= doc->count || a->width == 0)
            continue;
        struct rw_command *c = &doc->commands[place == UINT32_MAX ? first : place];
        // A field of a stored format is moved once, however often it is recalled.
        if (c->moved)
            continue;
        if (place == UINT32_MAX && (rw_is(c, "^XF") || rw_is(c, "^IL")))
            continue; // what is recalled has its places elsewhere
        c->moved = true;
        if (place == UINT32_MAX) { // it stands at 0,0
            c = rw_insert(doc, first, "^FO", "");
            if (!c || !rw_set_item(doc, c, 0, pl_slice_cstr("0")) || !rw_set_item(doc, c, 1, pl_slice_cstr("0")))
                return pl_fail_memory(err);
            place = first;
        }
        if (b->width == 0) {
            RW_NOTE(doc, c, "The rotated field lies outside the label; it was not moved.");
            continue;
        }
        way_of(a, b, doc->overlong ? before->page_height : a->label_height, quarters, &dx, &dy);
        PL_TRY(move(doc, c, dots_per_unit(&walk, doc, place, options->target_dpmm), dx, dy, err));
    }
    return rw_apply_insertions(doc, err);
}

// ---- fields whose data changes

struct turned_field {
    uint32_t place; // index of ^FO; UINT32_MAX: none
    uint8_t way;    // N, R, I or B
    bool varies;    // its data is other data on another label
    bool is_block;
};

static void see_field(struct turned_field *f, const struct rw_command *c, uint32_t index)
{
    bool has_way = rw_is_font(c) || rw_is(c, "^A@") || rw_is_barcode(c);
    if (rw_is(c, "^FO"))
        f->place = index;
    else if (rw_is(c, "^FT"))
        f->place = UINT32_MAX;
    else if (has_way && rw_has(c, 0) && strchr("NRIBnrib", c->items[0].ptr[0]))
        f->way = c->items[0].ptr[0] & 0xDF;
    f->is_block = f->is_block || rw_is(c, "^FB") || rw_is(c, "^TB");
    f->varies = f->varies || rw_is(c, "^FN") || rw_is(c, "^SN") || rw_is(c, "^SF") || rw_is(c, "^FC") ||
                rw_has_placeholder(c->data);
}

// ^FO is the place of the upper left corner, which is another corner of the rotated field: where a field begins would
// depend on its length. ^FT is the place of its beginning, however it is rotated.
static enum pl_errc anchor_fields(struct rw_document *doc, unsigned quarters, struct pl_error *err)
{
    uint8_t way = 'N'; // of ^FW
    struct turned_field field = {.place = UINT32_MAX, .way = way};
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        PL_TRY(pl_job_check(doc->job, err));
        if (rw_is(c, "^FW") && rw_has(c, 0) && strchr("NRIBnrib", c->items[0].ptr[0]))
            way = c->items[0].ptr[0] & 0xDF;
        see_field(&field, c, i);
        if (!rw_is(c, "^FS") && !rw_is(c, "^XA") && !rw_is(c, "^XZ"))
            continue;
        struct rw_command *place = field.place != UINT32_MAX ? &doc->commands[field.place] : NULL;
        bool left = place && (!rw_has(place, 2) || place->items[2].ptr[0] == '0');
        if (left && field.varies && !field.is_block && field.way == (quarters == 1 ? 'R' : 'N'))
            place->second = 'T';
        field = (struct turned_field){.place = UINT32_MAX, .way = way};
    }
    return PL_OK;
}

static void note_unknown(struct rw_document *doc, const struct rw_flow *flow, const struct rw_command *c)
{
    if (!rw_is(c, "^IL") && rw_recalls_unknown(flow, c))
        RW_NOTE(doc, c, "%.3s: what it recalls is not in the code; it was not rotated.", rw_source(c).command);
}

static enum pl_errc turn_commands(struct rw_document *doc, unsigned quarters, double page_height, double dpmm,
                                  struct pl_error *err)
{
    struct rw_flow flow;
    PL_TRY(rw_flow_find(doc, &flow, err));
    struct unit_walk walk = {RW_UNIT_DOTS, 0};
    bool said = false;
    for (uint32_t i = 0; i < doc->count; i++) {
        PL_TRY(pl_job_check(doc->job, err));
        if (rw_is(&doc->commands[i], "^XA") && !said) {
            if (!rw_insert(doc, i + 1, "^FW", quarters == 1 ? "R" : "B"))
                return pl_fail_memory(err);
            said = true;
            continue;
        }
        double height = page_height / dots_per_unit(&walk, doc, i, dpmm);
        PL_TRY(turn_command(doc, &doc->commands[i], quarters, height, err));
        note_unknown(doc, &flow, &doc->commands[i]);
    }
    return PL_OK;
}

static enum pl_errc turn_sideways(struct platen_worker *worker, struct rw_document *doc,
                                  const struct platen_rewrite_options *options, struct pl_arena *arena,
                                  struct pl_error *err)
{
    struct rw_drawing before = {.arena = arena}, after = {.arena = arena};
    unsigned quarters = options->rotation / 90;
    struct platen_rewrite_options sideways = *options;
    sideways.width_mm = options->height_mm;
    sideways.height_mm = options->width_mm;
    PL_TRY(settle(doc, err));
    PL_TRY(rw_draw(worker, doc, options, &before, err));
    doc->overlong = before.overlong;
    PL_TRY(anchor_fields(doc, quarters, err));
    PL_TRY(turn_commands(doc, quarters, before.page_height, options->target_dpmm, err));
    PL_TRY(settle(doc, err));
    PL_TRY(rw_draw(worker, doc, &sideways, &after, err));
    if (before.count == after.count)
        return move_all(doc, &before, &after, options, err);
    pl_diag_add(doc->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0,
                "The rotated label has %u elements instead of %u; their places were not set.", after.count,
                before.count);
    return PL_OK;
}

enum pl_errc rw_rotate(struct platen_worker *worker, struct rw_document *doc,
                       const struct platen_rewrite_options *options, struct pl_error *err)
{
    struct pl_arena drawings;
    if (options->rotation == 180)
        return turn_over(doc, err);
    pl_arena_init(&drawings, worker->engine->limits.arena_bytes);
    enum pl_errc code = turn_sideways(worker, doc, options, &drawings, err);
    pl_arena_fini(&drawings);
    return code;
}
