// The text beside a barcode: does it show the number that the barcode has?
#include "base/ckd.h"
#include "render/checks.h"

enum {
    NUMBER_LEAST = 6, // characters of a number; shorter ones are alike by chance
    NUMBER_MOST = 64,
    TEXTS_MOST = 4096, // that are looked at on a label
    PAIRS_MOST = 65536,
    SHOWN_MOST = 32768 // letters and digits of all texts of a label; of more it is not asked what they show
};
// So close to the bars, in millimetres, a text belongs to them.
#define BESIDE_MM 8.0

struct number {
    char text[NUMBER_MOST];
    uint32_t length, digits;
};

// Letters and digits alone: numbers are written in groups and with brackets.
static struct number number_of(struct pl_slice s)
{
    struct number n = {.length = 0};
    for (size_t i = 0; i < s.len; i++) {
        const uint8_t c = s.ptr[i], upper = pl_upper(c);
        const bool digit = pl_is_digit(c);
        if (!digit && (upper < 'A' || upper > 'Z'))
            continue;
        if (n.length == NUMBER_MOST)
            return (struct number){.length = 0};
        n.text[n.length++] = (char)upper;
        n.digits += digit;
    }
    return n;
}

// The same number with few characters changed, or two exchanged: what a wrong template or a typing mistake makes of it.
// Neither contains the other: a part of a number is often shown alone.
static bool is_mistaken(const struct number *shown, const struct number *held)
{
    uint32_t different = 0, first = 0;
    if (shown->length != held->length || shown->length < NUMBER_LEAST || shown->digits * 2 < shown->length)
        return false;
    for (uint32_t i = 0; i < shown->length; i++) {
        if (shown->text[i] == held->text[i])
            continue;
        first = different++ ? first : i;
    }
    // Numbers of a series differ at their ends: one place, two neighbours, or up to a quarter of a long number.
    return different > 0 && (different <= 2 || different * 4 <= shown->length);
}

static bool is_beside(struct pl_box text, struct pl_box bars, int32_t reach)
{
    const struct pl_box around = {bars.x0 - reach, bars.y0 - reach, bars.x1 + reach, bars.y1 + reach};
    return !pl_box_is_empty(pl_box_intersect(text, around));
}

static struct pl_slice text_of(const struct platen_element *e)
{
    return pl_slice_make(e->data, e->data_size);
}

// Does another barcode hold this number, or another text show the one that the barcode has?
static bool is_explained(const struct pl_check_run *run, uint32_t barcode, const struct number *shown,
                         const struct number *held, int32_t reach)
{
    const struct pl_drawn_page *drawn = &run->page->drawn;
    for (uint32_t i = 0; i < drawn->report_count && i < TEXTS_MOST; i++) {
        const struct platen_element *e = &run->page->elements[i];
        if (i == barcode || (e->type != PLATEN_BARCODE && e->type != PLATEN_TEXT))
            continue;
        const struct number other =
            number_of(e->type == PLATEN_BARCODE ? pl_slice_make(e->text, e->text_size) : text_of(e));
        const struct number *same = e->type == PLATEN_BARCODE ? shown : held;
        if (other.length == same->length && memcmp(other.text, same->text, other.length) == 0 &&
            (e->type == PLATEN_BARCODE || is_beside(drawn->reports[i].box, drawn->reports[barcode].bars, reach)))
            return true;
    }
    return false;
}

static void check_barcode(const struct pl_check_run *run, uint32_t index, uint32_t *pairs)
{
    const struct pl_drawn_page *drawn = &run->page->drawn;
    const struct pl_element_report *r = &drawn->reports[index];
    const struct platen_element *e = &run->page->elements[index];
    const int32_t reach = (int32_t)(BESIDE_MM * run->page->dpmm);
    const struct number said = number_of(pl_slice_make(e->text, e->text_size)), written = number_of(text_of(e));
    for (uint32_t i = 0; i < drawn->report_count && *pairs < PAIRS_MOST; i++, ++*pairs) {
        if (run->page->elements[i].type != PLATEN_TEXT || !is_beside(drawn->reports[i].box, r->bars, reach))
            continue;
        const struct number shown = number_of(text_of(&run->page->elements[i]));
        const struct number *held = is_mistaken(&shown, &said) ? &said : &written;
        if (!is_mistaken(&shown, held) ||
            (shown.length == said.length && !memcmp(shown.text, said.text, said.length)) ||
            is_explained(run, index, &shown, held, reach))
            continue;
        pl_check_find(run, i, PL_DIAG_TEXT_DIFFERS, drawn->reports[i].element->source, 0,
                      "The text shows %.*s, but the barcode at %d,%d has %.*s.", (int)shown.length, shown.text, e->x,
                      e->y, (int)held->length, held->text);
    }
}

static size_t put_letters(struct pl_slice s, uint8_t *out, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < room; i++) {
        const uint8_t upper = pl_upper(s.ptr[i]);
        if (pl_is_digit(upper) || pl_is_upper(upper))
            out[n++] = upper;
    }
    return n;
}

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

bool pl_check_is_covered(const struct pl_check_run *run, uint32_t index, struct pl_box text)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    for (uint32_t i = 0; i < r->overlap_count; i++) {
        const struct pl_element_report *other = &run->page->drawn.reports[r->overlaps[i]];
        const struct pl_shape *shape = &other->element->shape;
        if (r->overlaps[i] > index && other->element->kind == PL_ELEMENT_BOX && !other->element->reverse &&
            shape->thickness * INT64_C(2) >= PL_MIN(shape->width, shape->height) &&
            takes_a_digit(text, other->drawn.ink))
            return true;
    }
    return false;
}

enum pl_errc pl_check_shown_text(const struct pl_check_run *run, struct pl_slice *out)
{
    uint8_t *text = PL_ARENA_ARRAY(&run->worker->scratch, uint8_t, SHOWN_MOST);
    if (!text)
        return pl_fail_memory(run->err);
    size_t n = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count && n < SHOWN_MOST; i++)
        if (run->page->elements[i].type == PLATEN_TEXT &&
            !pl_check_is_covered(run, i, run->page->drawn.reports[i].drawn.ink))
            n += put_letters(text_of(&run->page->elements[i]), text + n, SHOWN_MOST - n);
    *out = pl_slice_make(text, n);
    return PL_OK;
}

bool pl_check_is_shown(struct pl_slice shown, struct pl_slice value)
{
    uint8_t number[NUMBER_MOST];
    const size_t n = put_letters(value, number, sizeof number);
    return shown.len == SHOWN_MOST || n == 0 || memmem(shown.ptr, shown.len, number, n) != NULL;
}

void pl_check_text(const struct pl_check_run *run)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count && i < TEXTS_MOST; i++)
        if (run->page->drawn.reports[i].part_count)
            check_barcode(run, i, &pairs);
}
