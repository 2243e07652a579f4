// One line: faces for characters, order, shaping.
#include "font/line/layout.h"

#include <string.h>

#include "base/ckd.h"
#include "font/face/fallback.h"
#include "font/face/font_hb.h"
#include "font/line/bidi.h"

#define SOFT_HYPHEN 0xAD
#define SILENT_BREAK 0x200B  // a line of a block may end there
#define TAB_STOP (80 * 2048) // dots, in any font
#define ZERO_WIDTH_JOINER 0x200D
// Advance of a blank for a missing character: 7 dots at a width of 24, as measured on a printer.
#define BLANK_ADVANCE (7 * 2048 / 24)
#define ZERO_WIDTH_NON_JOINER 0x200C
// Characters that HarfBuzz is given at a time. A downloaded font may take long for each; fields have far fewer.
#define LONGEST_PIECE 1024
#define LONGEST_PIECE_OF_DOWNLOADED 256

static struct pl_sized_face face_for(const struct pl_layout *layout, uint32_t c, uint32_t *glyph)
{
    struct pl_face *main = layout->font->main.face;
    // A cell holds one letter by itself: scripts that join theirs leave the cells.
    bool leaves_cells = main->kind == PL_FACE_DEVICE && pl_layout_needs_shaping(c);
    if (!leaves_cells && pl_face_glyph(layout->faces, main, c, glyph))
        return layout->font->main;
    return pl_fallback_find(layout->faces, layout->font, c, glyph);
}

// The face of chars[i] in a line that ends at `end`. Only faces from files can put a mark in its place: a letter with a
// mark that it has no sign of its own with is drawn by a face that has both.
static struct pl_sized_face face_at(const struct pl_layout *layout, uint32_t i, uint32_t end, uint32_t *glyph)
{
    uint32_t c = layout->chars[i];
    struct pl_sized_face face = face_for(layout, c, glyph);
    if (face.face->kind == PL_FACE_FILE || i + 1 >= end || pl_hb_is_mark(c) || !pl_hb_is_mark(layout->chars[i + 1]))
        return face;
    uint32_t mark_glyph, base_glyph;
    struct pl_sized_face other = pl_fallback_find(layout->faces, layout->font, layout->chars[i + 1], &mark_glyph);
    if (other.face->kind != PL_FACE_FILE || !pl_face_glyph(layout->faces, other.face, c, &base_glyph))
        return face;
    *glyph = base_glyph;
    return other;
}

static bool is_space(uint32_t c)
{
    return c == ' ';
}

// What a glyph advances the pen by, in 1/2048 dots, without the gap. Printers advance outlines by whole dots of a size
// that is 204/203 of the one asked for. Measured with downloaded fonts; that it holds for font 0 is inferred.
static int64_t advance_of(const struct pl_layout *layout, const struct pl_sized_face *face, uint32_t glyph)
{
    int64_t advance = pl_face_advance(layout->faces, face, glyph);
    const struct pl_face *main = layout->font->main.face;
    // Fonts whose cells are half of a square have Chinese characters in squares: they take two cells.
    if (face->face->kind == PL_FACE_FILE && main->kind == PL_FACE_DEVICE && main->device->gap == 0 &&
        main->device->cell_height == 2 * main->device->cell_width) {
        int64_t cell = pl_face_advance(layout->faces, &layout->font->main, 0);
        return advance > cell * 3 / 2 ? cell * 2 : advance;
    }
    if (face->face->kind == PL_FACE_SYMBOL && layout->symbols_apart)
        return (int64_t)(PL_SYMBOL_CELL + PL_SYMBOL_GAP) * face->width * 2048;
    if (!layout->whole_advances || (face->face->kind != PL_FACE_FONT0 && face->face->kind != PL_FACE_FILE))
        return advance;
    return (advance * 204 / 203 + 1024) / 2048 * 2048;
}

static int64_t gap_behind(const struct pl_layout *layout, bool space)
{
    return space && layout->plain_spaces ? 0 : layout->gap;
}

int64_t pl_layout_width_of(const struct pl_layout *layout, uint32_t character)
{
    uint32_t glyph;
    if (!pl_face_glyph(layout->faces, layout->font->main.face, character, &glyph))
        return 0;
    return advance_of(layout, &layout->font->main, glyph) + gap_behind(layout, is_space(character));
}

// A character drawn by itself.
static void put_plain(const struct pl_layout *layout, struct pl_items *out, uint32_t c, uint32_t cluster)
{
    struct pl_item *item = &out->at[out->count++];
    *item = (struct pl_item){.cluster = cluster, .space = is_space(c)};
    if (c == '\t') {
        // To the next stop from the line's start; in ^FB a blank as wide as a space (printer-measured).
        item->face = face_for(layout, ' ', &item->glyph);
        item->space = true;
        item->advance = layout->tab_stops ? TAB_STOP - out->width % TAB_STOP
                                          : advance_of(layout, &item->face, item->glyph) + layout->gap;
        out->width += item->advance;
        return;
    }
    item->face = face_for(layout, c, &item->glyph);
    const struct pl_face *face = item->face.face;
    if (layout->plain_zeros && c == '0' && face->kind == PL_FACE_DEVICE && face->device->resident == PL_FONT_A)
        item->glyph = PL_DEVICE_PLAIN_ZERO;
    item->advance = advance_of(layout, &item->face, item->glyph) + gap_behind(layout, item->space);
    if (item->face.face->kind == PL_FACE_BOX) {
        out->missing = out->missing == 0 ? c : out->missing;
        if (layout->blank_missing) {
            item->blank = true;
            item->advance = ((int64_t)item->face.width * BLANK_ADVANCE + 1024) / 2048 * 2048 + layout->gap;
        }
    }
    out->width += item->advance;
}

// A soft hyphen shows only where the line ends with it.
static bool is_shown(const struct pl_layout *layout, uint32_t i, uint32_t end)
{
    return layout->chars[i] != SILENT_BREAK && (layout->chars[i] != SOFT_HYPHEN || i + 1 == end);
}

static uint32_t drawn_character(const struct pl_layout *layout, uint32_t i)
{
    return layout->chars[i] == SOFT_HYPHEN ? '-' : layout->chars[i];
}

// All symbols that follow each other in one place; blanks advance.
static void stack_symbols(struct pl_items *items)
{
    for (uint32_t i = 0; i + 1 < items->count; i++)
        if (!items->at[i].space && !items->at[i + 1].space) {
            items->width -= items->at[i].advance;
            items->at[i].advance = 0;
        }
}

static enum pl_errc simple_line(const struct pl_layout *layout, uint32_t start, uint32_t end, struct pl_items *out,
                                struct pl_error *err)
{
    out->at = PL_ARENA_ARRAY(layout->arena, struct pl_item, (size_t)(end - start) + 1);
    if (!out->at)
        return pl_fail_memory(err);
    for (uint32_t i = start; i < end; i++) {
        if (i % PL_CHARS_PER_CHECK == PL_CHARS_PER_CHECK - 1)
            PL_TRY(pl_job_check(layout->job, err));
        if (is_shown(layout, i, end))
            put_plain(layout, out, drawn_character(layout, i), i);
    }
    if (layout->font->main.face->kind == PL_FACE_SYMBOL && !layout->symbols_apart)
        stack_symbols(out);
    return PL_OK;
}

struct run {
    struct pl_sized_face face;
    uint32_t start, end;
    uint8_t level;
};

struct run_list {
    struct run *at;
    uint32_t count;
};

// Runs of one level, face and script. A mark stays with its letter's face if that has it; neutral characters join the
// run before them where its face has them, so that HarfBuzz sees words and their punctuation together.
static enum pl_errc make_runs(const struct pl_layout *layout, uint32_t start, uint32_t end, const uint8_t *levels,
                              struct run_list *out, struct pl_error *err)
{
    out->at = PL_ARENA_ARRAY(layout->arena, struct run, (size_t)(end - start) + 1);
    if (!out->at)
        return pl_fail_memory(err);
    out->count = 0;
    uint32_t script = 0;
    for (uint32_t i = start; i < end; i++) {
        if (i % PL_CHARS_PER_CHECK == PL_CHARS_PER_CHECK - 1)
            PL_TRY(pl_job_check(layout->job, err));
        uint32_t c = layout->chars[i], glyph, own = pl_hb_script(c);
        struct run *last = out->count > 0 ? &out->at[out->count - 1] : NULL;
        bool joins = last && last->level == levels[i - start] && (own == 0 || script == 0 || own == script);
        bool joiner = c == ZERO_WIDTH_JOINER || c == ZERO_WIDTH_NON_JOINER;
        if (joins && (joiner || (own == 0 && last->face.face->kind == PL_FACE_FILE &&
                                 pl_face_glyph(layout->faces, last->face.face, c, &glyph)))) {
            last->end = i + 1;
            continue;
        }
        struct pl_sized_face face = face_at(layout, i, end, &glyph);
        script = own != 0 ? own : joins ? script : 0;
        if (joins && last->face.face == face.face) {
            last->end = i + 1;
            continue;
        }
        out->at[out->count++] = (struct run){face, i, i + 1, levels[i - start]};
    }
    return PL_OK;
}

static enum pl_errc order_runs(const struct pl_layout *layout, struct run_list *runs, struct pl_error *err)
{
    if (runs->count < 2)
        return PL_OK;
    uint8_t *levels = pl_arena_zalloc(layout->arena, runs->count, 1);
    uint32_t *order = PL_ARENA_ARRAY(layout->arena, uint32_t, runs->count);
    struct run *ordered = PL_ARENA_ARRAY(layout->arena, struct run, runs->count);
    if (!levels || !order || !ordered)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < runs->count; i++)
        levels[i] = runs->at[i].level;
    pl_bidi_order(levels, runs->count, order);
    for (uint32_t i = 0; i < runs->count; i++)
        ordered[i] = runs->at[order[i]];
    runs->at = ordered;
    return PL_OK;
}

// Room for `count` items more. It doubles, so that many runs take no more than twice what their items need.
static enum pl_errc make_room(const struct pl_layout *layout, uint32_t count, struct pl_items *items,
                              struct pl_error *err)
{
    size_t needed = (size_t)items->count + count;
    if (needed <= items->capacity && items->at)
        return PL_OK;
    size_t capacity = PL_MAX(needed + 1, (size_t)items->capacity * 2);
    struct pl_item *more = capacity > UINT32_MAX ? NULL : PL_ARENA_ARRAY(layout->arena, struct pl_item, capacity);
    if (!more)
        return pl_fail_memory(err);
    if (items->count > 0)
        memcpy(more, items->at, items->count * sizeof *more);
    items->at = more;
    items->capacity = (uint32_t)capacity;
    return PL_OK;
}

enum pl_errc pl_layout_add_hyphen(const struct pl_layout *layout, struct pl_items *items, struct pl_error *err)
{
    const struct pl_face *main = layout->font->main.face;
    PL_TRY(make_room(layout, 1, items, err));
    put_plain(layout, items, '-', layout->length > 0 ? layout->length - 1 : 0);
    if (main->kind == PL_FACE_DEVICE &&
        (main->device->resident == PL_FONT_OCR_B || main->device->resident == PL_FONT_OCR_A))
        items->at[items->count - 1].blank = true;
    return PL_OK;
}

static enum pl_errc shaped_piece(const struct pl_layout *layout, const struct run *run, struct pl_items *out,
                                 struct pl_error *err)
{
    struct pl_face *face = run->face.face;
    struct pl_hb_glyph *glyphs;
    uint32_t count;
    // The characters around the run decide about the forms of its first and last letters.
    uint32_t from = layout->apart ? run->start : 0, to = layout->apart ? run->end : layout->length;
    PL_TRY(pl_hb_shape(face->hb, layout->chars + from, to - from, run->start - from, run->end - run->start,
                       run->level & 1, layout->job, layout->arena, &glyphs, &count, err));
    PL_TRY(make_room(layout, count, out, err));
    int64_t em = pl_ft_units_per_em(face->ft);
    int64_t per_unit_x = (int64_t)run->face.width * 2048 * face->height_1000 / 1000 * face->width_1000 / 1000;
    int64_t per_unit_y = (int64_t)run->face.height * 2048 * face->height_1000 / 1000;
    for (uint32_t i = 0; i < count; i++) {
        struct pl_item *item = &out->at[out->count++];
        uint32_t cluster = from + glyphs[i].cluster;
        *item =
            (struct pl_item){.face = run->face,
                             .glyph = glyphs[i].glyph,
                             .cluster = cluster,
                             .space = is_space(layout->chars[cluster]) && glyphs[i].advance > 0, // not marks on a space
                             .advance = glyphs[i].advance * per_unit_x / em,
                             .x = glyphs[i].x * per_unit_x / em,
                             .y = -glyphs[i].y * per_unit_y / em};
        if (item->advance > 0 && layout->whole_advances)
            item->advance = (item->advance * 204 / 203 + 1024) / 2048 * 2048;
        if (item->advance > 0)
            item->advance += gap_behind(layout, item->space);
        out->width += item->advance;
    }
    return PL_OK;
}

// Where a run that begins at `start` and is longer than `most` characters is cut: behind a space if there is one, else
// where no mark follows.
static uint32_t cut_run(const struct pl_layout *layout, uint32_t start, uint32_t end, uint32_t most)
{
    if (end - start <= most)
        return end;
    uint32_t first = start + most / 2, last = start + most;
    for (uint32_t i = last; i > first; i--)
        if (is_space(layout->chars[i - 1]) && !pl_hb_is_mark(layout->chars[i]))
            return i;
    for (uint32_t i = last; i > first; i--)
        if (!pl_hb_is_mark(layout->chars[i]) && !pl_hb_is_virama(layout->chars[i - 1]))
            return i;
    return last;
}

// In pieces; those of a right-to-left run are written in reverse order.
static enum pl_errc shaped_run(const struct pl_layout *layout, const struct run *run, struct pl_items *out,
                               struct pl_error *err)
{
    uint32_t most = run->face.face->file_id ? LONGEST_PIECE_OF_DOWNLOADED : LONGEST_PIECE;
    if (run->end - run->start <= most)
        return shaped_piece(layout, run, out, err);
    uint32_t count = 0;
    uint32_t *cuts = PL_ARENA_ARRAY(layout->arena, uint32_t, (size_t)(run->end - run->start) / (most / 2) + 2);
    if (!cuts)
        return pl_fail_memory(err);
    for (uint32_t at = run->start; at < run->end; at = cuts[count])
        cuts[count++] = at, cuts[count] = cut_run(layout, at, run->end, most);
    bool backwards = run->level & 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = backwards ? count - 1 - i : i;
        struct run piece = {run->face, cuts[k], cuts[k + 1], run->level};
        PL_TRY(shaped_piece(layout, &piece, out, err));
    }
    return PL_OK;
}

static enum pl_errc plain_run(const struct pl_layout *layout, const struct run *run, uint32_t line_end,
                              struct pl_items *out, struct pl_error *err)
{
    uint32_t count = run->end - run->start;
    PL_TRY(make_room(layout, count, out, err));
    bool backwards = run->level & 1;
    for (uint32_t k = 0; k < count; k++) {
        if (k % PL_CHARS_PER_CHECK == PL_CHARS_PER_CHECK - 1)
            PL_TRY(pl_job_check(layout->job, err));
        uint32_t i = backwards ? run->end - 1 - k : run->start + k, c = drawn_character(layout, i);
        if (is_shown(layout, i, line_end))
            put_plain(layout, out, backwards ? pl_hb_mirror(c) : c, i);
    }
    return PL_OK;
}

// The levels of a line's characters.
static enum pl_errc line_levels(const struct pl_layout *layout, uint32_t start, uint32_t end, uint8_t *levels,
                                struct pl_error *err)
{
    const uint32_t *chars = layout->chars + start;
    uint32_t length = end - start;
    if (!layout->levels)
        return PL_OK;
    if (layout->own_levels)
        return pl_bidi_levels(chars, length, PL_BIDI_BASE_LEFT, layout->arena, layout->job, levels, levels + length,
                              err);
    memcpy(levels, layout->levels + start, length);
    pl_bidi_end_line(chars, length, layout->bases[start], levels);
    return PL_OK;
}

static enum pl_errc complex_line(const struct pl_layout *layout, uint32_t start, uint32_t end, struct pl_items *out,
                                 struct pl_error *err)
{
    uint8_t *levels = pl_arena_zalloc(layout->arena, (size_t)(end - start) * 2 + 1, 1);
    if (!levels)
        return pl_fail_memory(err);
    PL_TRY(line_levels(layout, start, end, levels, err));
    struct run_list runs = {NULL, 0};
    PL_TRY(make_runs(layout, start, end, levels, &runs, err));
    PL_TRY(order_runs(layout, &runs, err));
    for (uint32_t i = 0; i < runs.count; i++) {
        PL_TRY(pl_job_check(layout->job, err));
        if (!layout->unshaped && pl_face_open_shaping(layout->faces, runs.at[i].face.face))
            PL_TRY(shaped_run(layout, &runs.at[i], out, err));
        else
            PL_TRY(plain_run(layout, &runs.at[i], end, out, err));
    }
    return PL_OK;
}

enum pl_errc pl_layout_line(const struct pl_layout *layout, uint32_t start, uint32_t end, struct pl_items *out,
                            struct pl_error *err)
{
    *out = (struct pl_items){0};
    if (layout->simple || start == end)
        return simple_line(layout, start, end, out, err);
    return complex_line(layout, start, end, out, err);
}
