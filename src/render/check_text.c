// The text beside a barcode: does it show the number that the barcode has?
#include "base/ckd.h"
#include "render/checks.h"

enum {
    NUMBER_LEAST = 6, // characters of a number; shorter ones are alike by chance
    NUMBER_MOST = 64,
    TEXTS_MOST = 4096, // that are looked at on a label
    PAIRS_MOST = 65536
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

static bool contains(const struct number *all, const struct number *part)
{
    return part->length >= NUMBER_LEAST && part->length <= all->length &&
           memmem(all->text, all->length, part->text, part->length) != NULL;
}

// Its own caption, or a text anywhere on the label that has its number, or a part of it: elements are often written in
// lines of their own.
bool pl_check_is_shown(const struct pl_check_run *run, uint32_t index)
{
    const struct pl_drawn_page *drawn = &run->page->drawn;
    const struct platen_element *e = &run->page->elements[index];
    if (!pl_box_is_empty(drawn->reports[index].drawn.caption))
        return true;
    const struct number held = number_of(pl_slice_make(e->text, e->text_size));
    struct number bare = held; // without the identifier, which a word may stand for
    bare.length -= PL_MIN(bare.length, 2u);
    memmove(bare.text, bare.text + 2, bare.length);
    for (uint32_t i = 0; i < drawn->report_count && i < TEXTS_MOST; i++) {
        if (run->page->elements[i].type != PLATEN_TEXT)
            continue;
        const struct number shown = number_of(text_of(&run->page->elements[i]));
        if (contains(&held, &shown) || contains(&shown, &bare))
            return true;
    }
    return held.length < NUMBER_LEAST;
}

void pl_check_text(const struct pl_check_run *run)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count && i < TEXTS_MOST; i++)
        if (run->page->drawn.reports[i].part_count)
            check_barcode(run, i, &pairs);
}
