// Text that nobody can read, since something lies over it or it lies on ink.
#include "base/ckd.h"
#include "render/checks.h"

enum {
    DOTS_MOST = 8 << 20, // of a label that are looked at; of texts beyond them nothing is said
    ERASERS_MOST = 4096  // elements behind a text that may erase it
};

// Half of the line's height, and as far along it as half of a digit: a quarter of the height.
static bool takes_a_digit(struct pl_box text, struct pl_box cover)
{
    const struct pl_box both = pl_box_intersect(text, cover);
    const int64_t width = (int64_t)text.x1 - text.x0, height = (int64_t)text.y1 - text.y0;
    const int64_t x = (int64_t)both.x1 - both.x0, y = (int64_t)both.y1 - both.y0;
    if (pl_box_is_empty(both))
        return false;
    return width >= height ? y * 2 >= height && x * 4 >= height : x * 2 >= width && y * 4 >= width;
}

// What a filled shape surely covers: of an ellipse the rectangle inside it.
static struct pl_box covered_by(const struct pl_element_report *r)
{
    struct pl_box b = r->drawn.ink;
    if (r->element->kind == PL_ELEMENT_ELLIPSE) {
        const int32_t x = (b.x1 - b.x0) * 15 / 100, y = (b.y1 - b.y0) * 15 / 100;
        b = (struct pl_box){b.x0 + x, b.y0 + y, b.x1 - x, b.y1 - y};
    }
    return b;
}

// Text and codes of EPL2 erase what is below them, also where they have no ink.
static bool is_erased(const struct pl_drawn_page *page, uint32_t index, struct pl_box text)
{
    for (uint32_t i = index + 1; i < page->report_count && i - index <= ERASERS_MOST; i++) {
        const struct pl_drawn *drawn = &page->reports[i].drawn;
        if (page->reports[i].element->replaces &&
            (takes_a_digit(text, drawn->paper) || takes_a_digit(text, drawn->text_paper)))
            return true;
    }
    return false;
}

bool pl_check_is_covered(const struct pl_check_run *run, uint32_t index, struct pl_box text)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    for (uint32_t i = 0; i < r->overlap_count; i++) {
        const struct pl_element_report *other = &run->page->drawn.reports[r->overlaps[i]];
        const struct pl_shape *shape = &other->element->shape;
        const bool filled = (other->element->kind == PL_ELEMENT_BOX || other->element->kind == PL_ELEMENT_ELLIPSE) &&
                            shape->thickness * INT64_C(2) >= PL_MIN(shape->width, shape->height);
        if (r->overlaps[i] > index && filled && !other->element->reverse && takes_a_digit(text, covered_by(other)))
            return true;
    }
    return is_erased(&run->page->drawn, index, text);
}

static bool is_dark(const struct pl_drawn_page *page, int32_t x, int32_t y)
{
    return page->is_grey ? pl_grey_get(&page->grey, (uint32_t)x, (uint32_t)y) < 128
                         : pl_bitmap_get(&page->bits, (uint32_t)x, (uint32_t)y);
}

// Is nearly all of a column, across the line, ink?
static bool is_dark_across(const struct pl_drawn_page *page, struct pl_box b, bool upright, int32_t at)
{
    int32_t dark = 0;
    const int32_t across = upright ? b.y1 - b.y0 : b.x1 - b.x0;
    for (int32_t i = 0; i < across; i++)
        dark += upright ? is_dark(page, b.x0 + at, b.y0 + i) : is_dark(page, b.x0 + i, b.y0 + at);
    return dark * INT64_C(20) >= across * INT64_C(19);
}

static int64_t longest_blanks(struct pl_slice text)
{
    int64_t most = 0, blanks = 0;
    for (size_t i = 0; i < text.len; i++) {
        blanks = text.ptr[i] == ' ' ? blanks + 1 : 0;
        most = PL_MAX(most, blanks);
    }
    return most;
}

bool pl_check_is_blackened(const struct pl_check_run *run, uint32_t index, uint64_t *looked_at)
{
    const struct pl_drawn_page *page = &run->page->drawn;
    const struct pl_box whole = {0, 0, (int32_t)(page->is_grey ? page->grey.width : page->bits.width),
                                 (int32_t)(page->is_grey ? page->grey.height : page->bits.height)};
    const struct pl_box b = pl_box_intersect(page->reports[index].box, whole);
    const int64_t width = (int64_t)b.x1 - b.x0, height = (int64_t)b.y1 - b.y0;
    const bool upright = width >= height;
    const int64_t along = upright ? width : height, across = upright ? height : width;
    if (pl_box_is_empty(b) || *looked_at + (uint64_t)(width * height) > DOTS_MOST)
        return false;
    *looked_at += (uint64_t)(width * height);
    // No letter has ink of this width over its whole height, however wide it is drawn; blanks in white text are black.
    const struct platen_element *e = &run->page->elements[index];
    const int64_t letter = PL_MAX(along / PL_MAX((int64_t)e->data_size, 1), across);
    const int64_t most = letter * 6 / 10 + letter * longest_blanks(pl_slice_make(e->data, e->data_size));
    int64_t dark = 0;
    for (int32_t at = 0; at < along; at++) {
        dark = is_dark_across(page, b, upright, at) ? dark + 1 : 0;
        if (dark > most)
            return true;
    }
    return false;
}

// What two texts do to each other is one finding, and so is what one does to a text that is printed twice to be bold.
void pl_check_garbled(const struct pl_check_run *run)
{
    const struct pl_element_report *reports = run->page->drawn.reports, *last = NULL;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &reports[i];
        const uint32_t by = r->garbler;
        if (!r->garbled || (by < i && reports[by].garbled && reports[by].garbler == i) ||
            (last && last->garbler == by && !pl_box_is_empty(pl_box_intersect(last->box, r->box))))
            continue;
        last = r;
        pl_check_find(run, i, PL_DIAG_TEXT_OVERPRINTED, r->element->source, 0,
                      "The text%s cannot be read: the %s at %d,%d prints over it.",
                      r->part_count ? " of the barcode" : "", run->page->elements[by].type_name,
                      run->page->elements[by].x, run->page->elements[by].y);
    }
}
