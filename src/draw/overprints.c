// What is printed over barcodes and texts of the finished page: each is drawn once more by itself, and compared.
#include "base/ckd.h"
#include "draw/loop.h"
#include "draw/page_words.h"
#include "draw/symbol_checks.h"

// Barcodes of one page that are drawn once more to see what is printed over them: a label may have very many.
#define OVERPRINT_CHECKS 64

// The first element whose box meets the bars.
static bool find_overprinter(const struct pl_drawn_page *page, const struct pl_element_report *r, uint32_t *out)
{
    for (uint32_t i = 0; i < r->overlap_count; i++) {
        const struct pl_element_report *other = &page->reports[r->overlaps[i]];
        *out = r->overlaps[i];
        if (!pl_box_is_empty(pl_box_intersect(other->box, r->bars)))
            return true;
    }
    return r->overlaps_left_out > 0;
}

// The first element behind it that erases what is below it: it may have no ink there.
static bool find_eraser(const struct pl_drawn_page *page, const struct pl_element_report *r, struct pl_box below,
                        uint32_t *out)
{
    for (uint32_t i = (uint32_t)(r - page->reports) + 1; i < page->report_count; i++) {
        const struct pl_element_report *other = &page->reports[i];
        *out = i;
        if (other->element->replaces && (!pl_box_is_empty(pl_box_intersect(other->drawn.paper, below)) ||
                                         !pl_box_is_empty(pl_box_intersect(other->drawn.text_paper, below))))
            return true;
    }
    return false;
}

static uint32_t count_changed(const struct pl_drawn_page *page, const struct pl_bitmap *alone, struct pl_box box)
{
    struct pl_page_words w;
    uint32_t changed = 0;
    if (!pl_page_words_of(page, box, &w))
        return 0;
    for (uint32_t y = w.y0; y < w.y1; y++)
        for (uint32_t i = w.first; i <= w.last; i++)
            changed += pl_count_bits64((pl_bitmap_row(alone, y)[i] ^ pl_page_word(page, y, i)) & pl_page_mask(&w, i));
    return changed;
}

// The page with nothing on it but this one.
static enum pl_errc draw_alone(const struct pl_draw_loop *from, const struct pl_page_map *map,
                               const struct pl_element *element, struct pl_bitmap *out, struct pl_error *err)
{
    struct pl_page_options options = *from->options;
    struct pl_drawn_page alone = {0};
    struct pl_bitmap canvas;
    struct pl_diags none = {0};
    struct pl_page_tools tools = *from->tools;
    options.want_report = options.grey = false;
    tools.diags = &none; // all was said
    PL_TRY(pl_bitmap_new(tools.arena, map->width, map->height, &alone.bits, err));
    canvas = alone.bits;
    if (map->dot_size != 1 || map->area_width != map->width)
        PL_TRY(pl_bitmap_new(tools.arena, (map->area_width + map->dot_size - 1) / map->dot_size,
                             (map->height + map->dot_size - 1) / map->dot_size, &canvas, err));
    struct pl_draw_loop loop = {.scene = from->scene, .tools = &tools, .options = &options, .canvas = &canvas};
    PL_TRY(pl_loop_draw_alone(&loop, element, err));
    PL_TRY(pl_page_finish_bits(map, &tools, &canvas, &alone, err));
    *out = alone.bits;
    return PL_OK;
}

// ---- texts that are printed over

enum {
    TEXT_CHECKS = 64,  // texts and captions of one page that are drawn once more
    LETTERS_LEAST = 3, // of a text that somebody has to read
    CELLS_LEAST = 2,   // about as many letters
    // How much of the ink of a cell must be the text's own, in percent. Lines through a text and grounds of dots leave
    // more than the first; two texts on top of each other less than the second. What is reversed can be read on any
    // ground and across its edge.
    OWN_INK = 50,
    OWN_INK_IN_TEXT = 72,
    OWN_INK_WHERE_TEXTS_MEET = 80, // of all that the boxes of both have: letters of one size share much of their ink
    OWN_INK_REVERSED = 0
};

static bool is_letter(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0xC0;
}

// Rows of dots or dashes are there to be written on, and a cross to be put over others.
static bool has_words(const struct pl_text *text)
{
    uint32_t letters = 0;
    for (uint32_t i = 0; i < text->length; i++)
        letters += is_letter(text->chars[i]);
    return letters >= LETTERS_LEAST && letters * 2 >= text->length;
}

static uint32_t length_without_blanks(const struct pl_text *text)
{
    uint32_t n = text->length;
    while (n > 0 && text->chars[n - 1] == ' ')
        n--;
    return n;
}

static bool is_near(int32_t a, int32_t b, int64_t most)
{
    return llabs((int64_t)a - b) <= most;
}

static bool has_same_chars(const struct pl_text *a, uint32_t from, const struct pl_text *b, uint32_t count)
{
    return memcmp(a->chars + from, b->chars, count * sizeof *b->chars) == 0;
}

static bool is_same_font(const struct pl_text *a, const struct pl_text *b)
{
    return a->font.resident == b->font.resident && a->font.file == b->font.file && a->font.height == b->font.height &&
           a->font.width == b->font.width && a->gap == b->gap;
}

// The first words of a line, or its last ones, once more in their place.
static bool repeats_part(const struct pl_element_report *whole, const struct pl_element_report *part, int64_t few)
{
    const struct pl_text *text = &whole->element->text, *again = &part->element->text;
    const uint32_t n = length_without_blanks(text), count = length_without_blanks(again);
    const struct pl_box a = whole->box, b = part->box;
    const bool across = pl_is_upright(whole->rotation),
               back = whole->rotation == PL_ROT_I || whole->rotation == PL_ROT_B;
    const bool low = is_near(across ? a.x0 : a.y0, across ? b.x0 : b.y0, few),
               high = is_near(across ? a.x1 : a.y1, across ? b.x1 : b.y1, few);
    const bool in_line = across ? is_near(a.y0, b.y0, few) || is_near(a.y1, b.y1, few)
                                : is_near(a.x0, b.x0, few) || is_near(a.x1, b.x1, few);
    if (count >= n || whole->rotation != part->rotation || text->block.kind != PL_BLOCK_NONE ||
        again->block.kind != PL_BLOCK_NONE || !is_same_font(text, again) || !in_line)
        return false;
    return ((back ? high : low) && has_same_chars(text, 0, again, count)) ||
           ((back ? low : high) && has_same_chars(text, n - count, again, count));
}

// The same text once more, or one end of it, a few dots beside it: that makes it bold, or gives it a shadow.
static bool makes_bold(const struct pl_element_report *a, const struct pl_element_report *b)
{
    const struct pl_element *x = a->element, *y = b->element;
    const uint32_t n = x->kind == PL_ELEMENT_TEXT && y->kind == PL_ELEMENT_TEXT ? length_without_blanks(&x->text) : 0;
    const int64_t height = PL_MIN((int64_t)a->box.x1 - a->box.x0, (int64_t)a->box.y1 - a->box.y0);
    const int64_t few = PL_MAX(height / 6, 2);
    const uint32_t m = n > 0 ? length_without_blanks(&y->text) : 0;
    if (m != n)
        return m > 0 && (repeats_part(a, b, few) || repeats_part(b, a, few));
    return n > 0 && has_same_chars(&x->text, 0, &y->text, n) && is_near(a->box.x0, b->box.x0, few) &&
           is_near(a->box.y0, b->box.y0, few) && is_near(a->box.x1, b->box.x1, few) &&
           is_near(a->box.y1, b->box.y1, few);
}

// What is checked of a text, or of the text line of a barcode: its place on the page, and the height of a line.
struct line {
    struct pl_box box;
    int32_t height;
};

static bool line_of(const struct pl_page_map *map, const struct pl_element_report *r, struct line *out)
{
    const struct pl_element *e = r->element;
    if (e->kind == PL_ELEMENT_TEXT && (!has_words(&e->text) || e->at.x_goes_on || e->at.y_goes_on))
        return false; // the latter have no place of their own
    out->box = e->kind == PL_ELEMENT_TEXT ? r->box : pl_page_map_box(map, r->drawn.caption);
    out->box = pl_box_intersect(
        out->box, (struct pl_box){0, 0, pl_is_upright(map->rotation) ? (int32_t)map->width : (int32_t)map->height,
                                  pl_is_upright(map->rotation) ? (int32_t)map->height : (int32_t)map->width});
    const int32_t width = out->box.x1 - out->box.x0, height = out->box.y1 - out->box.y0;
    out->height = PL_MIN(width, height);
    if (e->kind == PL_ELEMENT_TEXT && e->text.block.kind != PL_BLOCK_NONE && e->text.font.height > 0)
        out->height = PL_MIN(out->height, pl_saturate_i32((int64_t)e->text.font.height * map->dot_size));
    return (e->kind == PL_ELEMENT_TEXT || e->kind == PL_ELEMENT_BARCODE) && !pl_box_is_empty(out->box) &&
           out->height >= 4;
}

// The element that meets most of the line, texts first, and whether it is a text. False: none does, or it is the
// business of a barcode's own check. `meet`: what both have.
static bool find_text_overprinter(const struct pl_page_map *map, const struct pl_drawn_page *page,
                                  const struct pl_element_report *r, const struct line *line, uint32_t *out,
                                  struct pl_box *meet, bool *is_text)
{
    int64_t most = 0;
    *is_text = false;
    for (uint32_t i = 0; i < r->overlap_count; i++) {
        const struct pl_element_report *other = &page->reports[r->overlaps[i]];
        if (!pl_box_is_empty(pl_box_intersect(other->bars, line->box)))
            return false;
        const struct pl_element *e = other->element;
        const bool caption = !pl_box_is_empty(other->drawn.caption);
        const bool bold = makes_bold(r, other);
        const bool text = caption || (e->kind == PL_ELEMENT_TEXT && has_words(&e->text) && !bold);
        if (bold && !e->reverse)
            continue;
        const struct pl_box box =
            pl_box_intersect(line->box, caption ? pl_page_map_box(map, other->drawn.caption) : other->box);
        const int32_t width = box.x1 - box.x0, height = box.y1 - box.y0;
        if (PL_MIN(width, height) * 4 < line->height)
            continue;
        if ((!text && *is_text) || (text == *is_text && (int64_t)width * height <= most))
            continue;
        *is_text = text;
        most = (int64_t)width * height;
        *out = r->overlaps[i];
        *meet = box;
    }
    return most > 0;
}

// Is so little of the cell's ink that of the text, black on white or white on black, that nobody can read it?
static bool is_cell_lost(const struct pl_drawn_page *page, const struct pl_bitmap *alone, struct pl_box cell,
                         uint32_t least)
{
    struct pl_page_words w;
    uint64_t own = 0, all = 0, both = 0;
    const uint64_t dots = (uint64_t)(cell.x1 - cell.x0) * (uint64_t)(cell.y1 - cell.y0);
    if (!pl_page_words_of(page, cell, &w))
        return false;
    for (uint32_t y = w.y0; y < w.y1; y++)
        for (uint32_t i = w.first; i <= w.last; i++) {
            const uint64_t a = pl_bitmap_row(alone, y)[i] & pl_page_mask(&w, i),
                           p = pl_page_word(page, y, i) & pl_page_mask(&w, i);
            own += pl_count_bits64(a);
            all += pl_count_bits64(p);
            both += pl_count_bits64(a & p);
        }
    if (own * 8 < dots) // between letters
        return false;
    const bool plain = both * 100 >= (own + all - both) * least;
    const bool reversed = (own - both) * 100 >= (dots - all + both) * least;
    return all * 20 < dots || all * 20 > dots * 19 || !(plain || reversed);
}

// Cells as high as a line and half as wide, as a letter is, each half a cell behind the one before it, up to the end of
// the line: two letters that are lost lie in three of them, wherever they begin.
static bool is_garbled(const struct pl_drawn_page *page, const struct pl_bitmap *alone, const struct line *line,
                       uint32_t least)
{
    const struct pl_box b = line->box;
    const bool upright = b.x1 - b.x0 >= b.y1 - b.y0;
    const int32_t half = PL_MAX(line->height / 2, 1), step = PL_MAX(half / 2, 1);
    const int32_t start = upright ? b.x0 : b.y0, end = (upright ? b.x1 : b.y1) - half;
    const int32_t lines = ((upright ? b.y1 - b.y0 : b.x1 - b.x0)) / line->height;
    uint32_t lost = 0;
    for (int32_t i = 0; i < lines; i++)
        for (int32_t at = start; at <= end; at = at < end ? PL_MIN(at + step, end) : end + 1) {
            const int32_t top = (upright ? b.y0 : b.x0) + i * line->height;
            const struct pl_box cell = upright ? (struct pl_box){at, top, at + half, top + line->height}
                                               : (struct pl_box){top, at, top + line->height, at + half};
            lost += is_cell_lost(page, alone, cell, least);
        }
    return lost >= 2 * CELLS_LEAST - 1;
}

// Does another text run about two letters into the line, or out of it?
static bool runs_into(const struct pl_drawn_page *page, const struct pl_bitmap *alone, const struct line *line,
                      struct pl_box meet)
{
    const int32_t width = meet.x1 - meet.x0, height = meet.y1 - meet.y0;
    return PL_MIN(width, height) * 4 >= line->height * 3 && PL_MAX(width, height) >= line->height &&
           is_cell_lost(page, alone, meet, OWN_INK_WHERE_TEXTS_MEET);
}

static enum pl_errc check_texts(const struct pl_draw_loop *loop, const struct pl_page_map *map,
                                struct pl_drawn_page *page, bool erases, struct pl_error *err)
{
    struct pl_arena *arena = loop->tools->arena;
    uint32_t checked = 0;
    for (uint32_t i = 0; i < page->report_count && checked < TEXT_CHECKS; i++) {
        struct pl_element_report *r = &page->reports[i];
        struct line line;
        uint32_t other = 0;
        bool by_text = false;
        struct pl_box meet = {0};
        if (!line_of(map, r, &line))
            continue;
        PL_TRY(pl_job_check(loop->tools->job, err));
        if (!find_text_overprinter(map, page, r, &line, &other, &meet, &by_text) &&
            !(erases && find_eraser(page, r, r->part_count ? r->drawn.caption : r->drawn.ink, &other)))
            continue;
        struct pl_arena_mark mark = pl_arena_mark(arena);
        struct pl_bitmap alone;
        PL_TRY(draw_alone(loop, map, r->element, &alone, err));
        const bool reversed = r->element->reverse || page->reports[other].element->reverse;
        r->garbled = is_garbled(page, &alone, &line,
                                by_text    ? OWN_INK_IN_TEXT
                                : reversed ? OWN_INK_REVERSED
                                           : OWN_INK) ||
                     (by_text && runs_into(page, &alone, &line, meet));
        r->garbler = other;
        pl_arena_release(arena, mark);
        checked++;
    }
    return PL_OK;
}

// ---- barcodes that are printed over

static uint64_t area_of(struct pl_box box)
{
    return (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
}

// A field in reverse on black, or with black in reverse over it: every dot is changed, and the zone around it must be
// black. Of what is only covered, about half is.
static void take_inverted(const struct pl_page_map *map, const struct pl_drawn_page *page, struct pl_element_report *r)
{
    uint64_t dots = 0;
    const struct pl_box whole = {0, 0, (int32_t)map->width, (int32_t)map->height};
    for (uint32_t i = 0; i < r->part_count; i++) {
        struct pl_box seen = pl_box_intersect(r->parts[i], whole);
        dots += pl_box_is_empty(seen) ? 0 : area_of(seen);
    }
    r->inverted = (uint64_t)r->overprinted * 4 > dots * 3;
    if (!r->inverted)
        return;
    r->overprinted = (uint32_t)(dots - PL_MIN(dots, (uint64_t)r->overprinted));
    pl_symbol_check_inverted(page, r);
}

enum pl_errc pl_page_check_overprints(const struct pl_draw_loop *loop, const struct pl_page_map *map,
                                      struct pl_drawn_page *page, struct pl_error *err)
{
    struct pl_arena *arena = loop->tools->arena;
    uint32_t checked = 0;
    bool erases = false;
    for (uint32_t i = 0; i < page->report_count && !erases; i++)
        erases = page->reports[i].element->replaces;
    for (uint32_t i = 0; i < page->report_count && checked < OVERPRINT_CHECKS; i++) {
        struct pl_element_report *r = &page->reports[i];
        uint32_t other = 0;
        if (r->part_count == 0)
            continue;
        PL_TRY(pl_job_check(loop->tools->job, err));
        if (!find_overprinter(page, r, &other) && !(erases && find_eraser(page, r, r->drawn.bars, &other)))
            continue;
        // Its smooth picture has other dots than the printer's, where its hexagons are not on whole dots.
        if (page->is_grey && r->element->barcode.symbology == PL_SYM_MAXICODE &&
            !loop->scene->profile->bar.maxicode_on_whole_dots)
            continue;
        struct pl_arena_mark mark = pl_arena_mark(arena);
        struct pl_bitmap alone;
        PL_TRY(draw_alone(loop, map, r->element, &alone, err));
        for (uint32_t k = 0; k < r->part_count; k++)
            r->overprinted += count_changed(page, &alone, pl_bars_without_ends(r->parts[k], pl_part_quiet_zone(r, k)));
        r->overprinter = other;
        take_inverted(map, page, r);
        pl_arena_release(arena, mark);
        checked++;
    }
    return check_texts(loop, map, page, erases, err);
}
