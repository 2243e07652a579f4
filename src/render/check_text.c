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
    bool key; // of a barcode: a GS1 key with a check digit
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

// Is `shorter` the other number without one character inside of it? The ends of a number are often left out.
static bool lacks_one(const struct number *shorter, const struct number *longer)
{
    enum { SHORTER_LEAST = 8 }; // shorter ones are alike by chance
    uint32_t i = 0, k = 0;
    if (shorter->length + 1 != longer->length || shorter->length < SHORTER_LEAST)
        return false;
    while (i < shorter->length && shorter->text[i] == longer->text[i])
        i++;
    while (k < shorter->length && shorter->text[shorter->length - 1 - k] == longer->text[longer->length - 1 - k])
        k++;
    return i + k >= shorter->length && i < shorter->length && k < shorter->length;
}

// The same number with few characters changed, or two exchanged, or one lost or put in: what a wrong template or a
// typing mistake makes of it. Neither contains the other: a part of a number is often shown alone.
static bool is_mistaken(const struct number *shown, const struct number *held)
{
    uint32_t different = 0, first = 0;
    if (shown->length < NUMBER_LEAST || shown->digits * 2 < shown->length)
        return false;
    if (shown->length != held->length)
        return lacks_one(shown, held) || lacks_one(held, shown);
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

static bool is_same(const struct number *a, const struct number *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static struct pl_slice slice_of(const struct number *n)
{
    return pl_slice_make(n->text, n->length);
}

static bool has_right_check(const struct number *n)
{
    return pl_gs1_check_digit(pl_slice_make(n->text, n->length - 1)) == n->text[n->length - 1];
}

// Digits of the length of a key, the last of which is right.
static bool is_whole_key(const struct number *n)
{
    const bool length = n->length == 8 || (n->length >= 12 && n->length <= 14) || n->length == 18;
    return length && pl_all_digits(slice_of(n)) && has_right_check(n);
}

// A key with a wrong check digit is no other number that happens to be like it.
static bool is_broken_key(const struct number *shown, const struct number *held)
{
    return held->key && is_whole_key(held) && pl_all_digits(slice_of(shown)) && !has_right_check(shown);
}

static bool is_between_words(uint8_t c)
{
    return c == ' ' || c == ':' || c == '#' || c == '.' || c == '=';
}

// Without the words before and behind a number: "No. 1234 A" shows 1234. A name may have digits: "EAN-13: 1234".
static struct number without_words(struct pl_slice text, bool named)
{
    size_t start = 0, end = text.len;
    bool letter = false;
    for (size_t i = 0; i < text.len && (letter || !pl_is_digit(text.ptr[i])); i++) {
        const uint8_t upper = pl_upper(text.ptr[i]);
        letter = named && !is_between_words(upper) && (letter || (upper >= 'A' && upper <= 'Z'));
        if (is_between_words(upper))
            start = i + 1;
    }
    for (size_t i = text.len; i > start && !pl_is_digit(text.ptr[i - 1]); i--)
        if (text.ptr[i - 1] == ' ')
            end = i - 1;
    return number_of(pl_slice_sub(text, start, end - start));
}

static bool is_part_of_number(uint8_t c)
{
    return pl_is_digit(c) || pl_is_letter(c);
}

// Does the text have this number, from the start of a word to the end of one, among whatever else?
static bool shows(struct pl_slice text, const struct number *n)
{
    for (size_t start = 0; start < text.len && n->length; start++) {
        size_t at = start;
        uint32_t same = 0;
        if (start > 0 && is_part_of_number(text.ptr[start - 1]))
            continue;
        for (; at < text.len && same < n->length; at++) {
            if (is_part_of_number(text.ptr[at]) && pl_upper(text.ptr[at]) != (uint8_t)n->text[same])
                break;
            same += is_part_of_number(text.ptr[at]);
        }
        if (same == n->length && (at == text.len || !is_part_of_number(text.ptr[at])))
            return true;
    }
    return false;
}

// Numbers of a barcode that a text may show.
enum { WHOLE = 2, HELD_MOST = 24, ITF14_DIGITS = 14 };
struct held {
    struct number numbers[HELD_MOST]; // first all of its text and of its data, then values of its elements
    bool by_chance[HELD_MOST];        // dates and measures: what is nearly like them is no mistake
    uint32_t count;
    bool captioned;       // its own text line shows it
    bool gs1, is_an_item; // it is a GS1 element string; its symbology is for items
};

static void add_held(struct held *held, struct pl_slice value)
{
    if (held->count < HELD_MOST)
        held->numbers[held->count++] = number_of(value);
}

// The value behind its identifier, as people show it.
static void add_marked(struct held *held, const char *ai, const struct number *value)
{
    struct number n = number_of(pl_slice_cstr(ai));
    if (held->count == HELD_MOST || value->length == 0 || n.length + value->length > NUMBER_MOST)
        return;
    memcpy(n.text + n.length, value->text, value->length);
    n.length += value->length;
    n.digits += value->digits;
    held->numbers[held->count++] = n;
}

static void add_elements(struct held *held, const struct pl_gs1_result *result)
{
    for (uint32_t i = 0; i < result->element_count && held->count < HELD_MOST; i++) {
        const struct pl_gs1_element *e = &result->elements[i];
        const bool item = strcmp(e->ai, "01") == 0 || strcmp(e->ai, "02") == 0;
        held->by_chance[held->count] =
            !item && !e->row->qualifiers && strcmp(e->ai, "10") != 0 && strcmp(e->ai, "21") != 0;
        add_held(held, e->value);
        struct number *value = &held->numbers[held->count - 1];
        value->key = item || strcmp(e->ai, "00") == 0 || strncmp(e->ai, "41", 2) == 0;
        if (item && e->value.len == 14 && e->value.ptr[0] == '0')
            add_held(held, pl_slice_sub(e->value, 1, 13)); // as EAN-13 has it
        if (!held->by_chance[value - held->numbers] && !value->key)
            add_marked(held, e->ai, value); // (21)1234
    }
}

static enum pl_errc numbers_of(const struct pl_check_run *run, uint32_t index, struct held *held)
{
    const struct platen_element *e = &run->page->elements[index];
    const struct pl_barcode *b = &run->page->drawn.reports[index].element->barcode;
    struct pl_arena *scratch = &run->worker->scratch;
    struct pl_symbol_data data;
    *held = (struct held){.captioned = !pl_box_is_empty(run->page->drawn.reports[index].drawn.caption),
                          .is_an_item = b->symbology == PL_SYM_EAN13 || b->symbology == PL_SYM_EAN8 ||
                                        b->symbology == PL_SYM_UPCA ||
                                        (b->symbology == PL_SYM_INTERLEAVED_2OF5 && e->text_size == ITF14_DIGITS)};
    add_held(held, pl_slice_make(e->text, e->text_size));
    add_held(held, text_of(e));
    held->numbers[0].key = held->numbers[1].key = held->is_an_item;
    PL_TRY(pl_symbol_data(b, scratch, &data, run->err));
    held->gs1 = data.gs1;
    const bool link = pl_gs1_is_link(data.data);
    if (!link && !data.gs1)
        return PL_OK;
    struct pl_gs1_result *result = PL_ARENA_NEW(scratch, struct pl_gs1_result);
    if (!result)
        return pl_fail_memory(run->err);
    const enum pl_gs1_form form = link                                       ? PL_GS1_LINK
                                  : data.data.len && data.data.ptr[0] == '(' ? PL_GS1_BRACKETS
                                                                             : PL_GS1_ELEMENTS;
    PL_TRY(pl_gs1_check(data.data, form, scratch, result, run->err));
    if (b->symbology == PL_SYM_DATABAR)
        add_held(held, data.data); // with its identifier, which its field does not have
    add_elements(held, result);
    return PL_OK;
}

// The same item in another package has another first and last digit.
static bool is_other_package(const struct number *shown, const struct number *held)
{
    return held->length == 14 && shown->text[0] != held->text[0] && memcmp(shown->text + 1, held->text + 1, 12) == 0 &&
           has_right_check(shown);
}

// The barcode's own text line shows the right number: is another one beside it, as a whole or behind words, of
// something else?
static bool is_of_another(const struct held *held, const struct number *shown, uint32_t i, bool behind_words)
{
    const bool broken = is_broken_key(shown, &held->numbers[i]);
    if (i < WHOLE)
        return behind_words || !(held->gs1 || broken);
    return is_whole_key(shown) || (behind_words && !broken);
}

// The number of the barcode that the text shows nearly; NULL: it shows none, or one of them as it is.
static const struct number *find_mistaken(const struct held *held, const struct number *shown, bool behind_words)
{
    const struct number *found = NULL;
    for (uint32_t i = 0; i < held->count; i++) {
        const struct number *n = &held->numbers[i];
        if (is_same(shown, n))
            return NULL;
        if (!found && !(held->captioned && is_of_another(held, shown, i, behind_words)) && !held->by_chance[i] &&
            is_mistaken(shown, n) && !is_other_package(shown, n))
            found = n;
    }
    return found;
}

// Does another barcode hold this number, or another text show the one that the barcode has?
static enum pl_errc is_explained(const struct pl_check_run *run, uint32_t barcode, const struct number *shown,
                                 const struct number *right, uint32_t *pairs, bool *explained)
{
    const struct pl_drawn_page *drawn = &run->page->drawn;
    const int32_t reach = (int32_t)(BESIDE_MM * run->page->dpmm);
    *explained = false;
    for (uint32_t i = 0; i < drawn->report_count && i < TEXTS_MOST && !*explained; i++) {
        const struct platen_element *e = &run->page->elements[i];
        if (e->type == PLATEN_TEXT) {
            *explained = shows(text_of(e), right) && !is_broken_key(shown, right) &&
                         is_beside(drawn->reports[i].box, drawn->reports[barcode].bars, reach);
        } else if (i != barcode && drawn->reports[i].part_count) {
            struct pl_arena_mark mark = pl_arena_mark(&run->worker->scratch);
            struct held other;
            PL_TRY(numbers_of(run, i, &other));
            pl_arena_release(&run->worker->scratch, mark);
            for (uint32_t k = 0; k < other.count; k++)
                *explained = *explained || is_same(&other.numbers[k], shown);
            *explained = *explained || ++*pairs >= PAIRS_MOST; // not all are looked at
        }
    }
    return PL_OK;
}

static bool is_between_numbers(uint8_t c)
{
    return is_between_words(c) || c == '\n' || c == '\r' || c == '\\' || c == '&' || c == ',' || c == ';' || c == '/';
}

// One of the text's numbers alone; several that are like the barcode's are a list or a range of a series.
static const struct number *find_only_mistake(struct pl_slice text, const struct held *held, struct number *shown)
{
    const struct number *found = NULL;
    for (size_t at = 0; at < text.len; at++) {
        const size_t start = at;
        while (at < text.len && !is_between_numbers(text.ptr[at]))
            at++;
        const struct number n = number_of(pl_slice_sub(text, start, at - start));
        const struct number *other = find_mistaken(held, &n, true);
        if (other && found)
            return NULL;
        if (other) {
            found = other;
            *shown = n;
        }
    }
    return found;
}

static bool holds(const struct held *held, const struct number *n)
{
    for (uint32_t i = 0; i < held->count && n->length; i++)
        if (is_same(&held->numbers[i], n))
            return true;
    return false;
}

// Does the text show nearly a number of the barcode: all of it, what is behind its words, or one of several numbers?
static bool find_mistake(struct pl_slice text, const struct held *held, struct number *shown,
                         const struct number **other)
{
    const struct number behind[] = {without_words(text, false), without_words(text, true)};
    *other = NULL;
    for (size_t i = 0; i < PL_COUNTOF(behind); i++)
        if (holds(held, &behind[i])) // SN SN000123
            return false;
    *shown = number_of(text);
    *other = find_mistaken(held, shown, false);
    for (size_t i = 0; i < PL_COUNTOF(behind) && !*other; i++) {
        *shown = behind[i];
        *other = find_mistaken(held, shown, true);
    }
    if (!*other)
        *other = find_only_mistake(text, held, shown);
    return *other != NULL;
}

static enum pl_errc check_barcode(const struct pl_check_run *run, uint32_t index, uint32_t *pairs)
{
    const struct pl_drawn_page *drawn = &run->page->drawn;
    const struct platen_element *e = &run->page->elements[index];
    const int32_t reach = (int32_t)(BESIDE_MM * run->page->dpmm);
    struct held held;
    PL_TRY(numbers_of(run, index, &held));
    for (uint32_t i = 0; i < drawn->report_count && *pairs < PAIRS_MOST; i++, ++*pairs) {
        struct number shown;
        const struct number *other;
        bool explained;
        if (run->page->elements[i].type != PLATEN_TEXT ||
            !is_beside(drawn->reports[i].box, drawn->reports[index].bars, reach) ||
            !find_mistake(text_of(&run->page->elements[i]), &held, &shown, &other))
            continue;
        PL_TRY(is_explained(run, index, &shown, other, pairs, &explained));
        if (!explained)
            pl_check_find(run, i, PL_DIAG_TEXT_DIFFERS, drawn->reports[i].element->source, 0,
                          "The text shows %.*s, but the barcode at %d,%d has %.*s.", (int)shown.length, shown.text,
                          e->x, e->y, (int)other->length, other->text);
    }
    return PL_OK;
}

// How far apart two boxes are, squared.
static int64_t gap(struct pl_box a, struct pl_box b)
{
    const int64_t x = PL_MAX(PL_MAX((int64_t)b.x0 - a.x1, (int64_t)a.x0 - b.x1), 0),
                  y = PL_MAX(PL_MAX((int64_t)b.y0 - a.y1, (int64_t)a.y0 - b.y1), 0);
    return x * x + y * y;
}

// Barcodes without a text line of their own, and what they hold, on labels of a size that people make.
enum { PLAIN_MOST = 32, PLAIN_TEXTS_MOST = 256 };
struct plain {
    uint32_t index;
    struct number number;
    bool shown;    // the text beside it shows its number
    int64_t other; // index of a text beside it that shows the number of another one; -1: there is none
    uint32_t of;   // that one, in the list
};

// Could a text of the one be meant for the other? Beside a number of another kind, or one with more in it, a text shows
// what the whole thing is.
static bool are_of_one_kind(const struct pl_check_run *run, const struct plain *a, const struct plain *b)
{
    const struct pl_element_report *reports = run->page->drawn.reports;
    const uint32_t longer = PL_MAX(a->number.length, b->number.length),
                   shorter = PL_MIN(a->number.length, b->number.length);
    return reports[a->index].element->barcode.symbology == reports[b->index].element->barcode.symbology &&
           longer - shorter <= 1 && a->number.digits * 2 >= a->number.length &&
           !memmem(a->number.text, a->number.length, b->number.text, b->number.length) &&
           !memmem(b->number.text, b->number.length, a->number.text, a->number.length);
}

// The barcode that the text is beside: none other is less than twice as far from it. `count`: none is.
static uint32_t find_plain(const struct pl_check_run *run, const struct plain *list, uint32_t count, struct pl_box text)
{
    const int32_t reach = (int32_t)(BESIDE_MM * run->page->dpmm);
    uint32_t nearest = count;
    int64_t least = 0, next = INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t far = gap(text, run->page->drawn.reports[list[i].index].bars);
        if (nearest == count || far < least) {
            next = nearest == count ? INT64_MAX : least;
            least = far;
            nearest = i;
        } else {
            next = PL_MIN(next, far);
        }
    }
    return nearest < count && least <= (int64_t)reach * reach && next / 4 > least ? nearest : count;
}

static uint32_t find_number(const struct plain *list, uint32_t count, const struct number *number)
{
    uint32_t found = count;
    for (uint32_t i = 0; i < count; i++)
        if (is_same(&list[i].number, number)) {
            if (found < count)
                return count; // two hold the same
            found = i;
        }
    return found;
}

static void take_text(const struct pl_check_run *run, struct plain *list, uint32_t count, uint32_t index)
{
    const struct pl_slice text = text_of(&run->page->elements[index]);
    const struct number shown[] = {number_of(text), without_words(text, false), without_words(text, true)};
    const uint32_t at = find_plain(run, list, count, run->page->drawn.reports[index].box);
    for (size_t i = 0; i < PL_COUNTOF(shown) && at < count; i++) {
        const uint32_t of = find_number(list, count, &shown[i]);
        if (of == count || shown[i].length < NUMBER_LEAST)
            continue;
        if (of == at)
            list[at].shown = true;
        else if (list[at].other < 0 && are_of_one_kind(run, &list[at], &list[of])) {
            list[at].other = index;
            list[at].of = of;
        }
    }
}

// Texts of barcodes side by side that were exchanged, or of which one was copied to the others: a text shows the number
// of another barcode, which has a text of its own, and none shows that of the barcode that it is beside.
static void check_exchanged(const struct pl_check_run *run)
{
    const struct pl_drawn_page *drawn = &run->page->drawn;
    struct plain list[PLAIN_MOST];
    uint32_t count = 0, texts = 0;
    for (uint32_t i = 0; i < drawn->report_count && i < TEXTS_MOST; i++) {
        const struct platen_element *e = &run->page->elements[i];
        texts += e->type == PLATEN_TEXT;
        if (drawn->reports[i].part_count == 0 || !pl_box_is_empty(drawn->reports[i].drawn.caption))
            continue;
        if (count == PLAIN_MOST)
            return;
        list[count++] =
            (struct plain){.index = i, .number = number_of(pl_slice_make(e->text, e->text_size)), .other = -1};
    }
    if (count < 2 || texts > PLAIN_TEXTS_MOST)
        return;
    for (uint32_t i = 0; i < drawn->report_count && i < TEXTS_MOST; i++)
        if (run->page->elements[i].type == PLATEN_TEXT)
            take_text(run, list, count, i);
    for (uint32_t i = 0; i < count; i++) {
        const struct plain *p = &list[i];
        if (p->shown || p->other < 0 || !(list[p->of].shown || list[p->of].other >= 0))
            continue;
        const struct platen_element *e = &run->page->elements[p->index];
        const struct number *shown = &list[p->of].number;
        pl_check_find(
            run, (uint32_t)p->other, PL_DIAG_TEXT_DIFFERS, drawn->reports[p->other].element->source, 0,
            "The text shows %.*s, which is the number of another barcode; the one at %d,%d beside it has %.*s.",
            (int)shown->length, shown->text, e->x, e->y, (int)p->number.length, p->number.text);
        return; // one fault, one finding
    }
}

enum pl_errc pl_check_text(const struct pl_check_run *run)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count && i < TEXTS_MOST; i++) {
        if (run->page->drawn.reports[i].part_count == 0)
            continue;
        struct pl_arena_mark mark = pl_arena_mark(&run->worker->scratch);
        PL_TRY(check_barcode(run, i, &pairs));
        pl_arena_release(&run->worker->scratch, mark);
    }
    check_exchanged(run);
    return PL_OK;
}
