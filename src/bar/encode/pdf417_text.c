// PDF417 text compaction: two characters of a sub-mode in one codeword.
#include "bar/encode/pdf417_parts.h"

enum { UPPER = 1, LOWER = 2, MIXED = 4, PUNCTUATION = 8 };

// The sub-modes that have the character, and its value there. A character that several have has one value in all of
// them: the standard's tables are laid out so.
struct entry {
    uint8_t modes, value;
};

static const char mixed_chars[] = "0123456789&\r\t,:#-.$/+%*=^";
static const char punctuation_chars[] = ";<>@[\\]_`~!\r\t,:\n-.$/\"|*()?{}'";

static struct entry look_up(uint8_t c)
{
    struct entry e = {0, 0};
    if (c == ' ')
        return (struct entry){UPPER | LOWER | MIXED, 26};
    if (pl_is_upper(c))
        return (struct entry){UPPER, (uint8_t)(c - 'A')};
    if (pl_is_lower(c))
        return (struct entry){LOWER, (uint8_t)(c - 'a')};
    if (pl_is_digit(c))
        return (struct entry){MIXED, (uint8_t)(c - '0')};
    for (uint32_t i = 10; mixed_chars[i] != '\0'; i++)
        if ((uint8_t)mixed_chars[i] == c)
            e = (struct entry){MIXED, (uint8_t)i};
    for (uint32_t i = 0; punctuation_chars[i] != '\0'; i++)
        if ((uint8_t)punctuation_chars[i] == c)
            e = (struct entry){(uint8_t)(e.modes | PUNCTUATION), (uint8_t)i};
    return e;
}

struct pairs {
    struct pl_pdf_words *out;
    uint32_t first;
    bool half;
};

static void put(struct pairs *p, uint32_t value)
{
    if (p->half)
        pl_pdf_put(p->out, 30 * p->first + value);
    p->first = value;
    p->half = !p->half;
}

// Latches from one sub-mode to another; at most two values.
static void latch(struct pairs *p, uint32_t from, uint32_t to)
{
    enum { TO_LOWER = 27, TO_MIXED = 28, TO_UPPER = 28, TO_PUNCTUATION = 25, FROM_PUNCTUATION = 29 };
    if (from == PUNCTUATION) {
        put(p, FROM_PUNCTUATION); // this leads to upper case
        from = UPPER;
    }
    if (from == to)
        return;
    if (to == UPPER) { // lower case gets there by way of mixed
        if (from == LOWER)
            put(p, TO_MIXED);
        put(p, TO_UPPER);
    } else if (to == LOWER) {
        put(p, TO_LOWER);
    } else {
        if (from != MIXED)
            put(p, TO_MIXED);
        if (to == PUNCTUATION)
            put(p, TO_PUNCTUATION);
    }
}

// How many characters from the first on have a sub-mode.
static uint32_t run_of(struct pl_slice text, uint32_t mode)
{
    uint32_t n = 0;
    while (n < text.len && (look_up(text.ptr[n]).modes & mode))
        n++;
    return n;
}

// Is the run that begins here too short for a latch, so that each of its characters is shifted?
static bool is_short(struct pl_slice text, size_t i, uint32_t mode, uint32_t latch_run)
{
    size_t end = i + latch_run < text.len ? i + latch_run : text.len;
    return run_of(pl_slice_sub(text, i, end - i), mode) < latch_run;
}

void pl_pdf_put_text(struct pl_slice text, struct pl_pdf_words *out)
{
    enum { SHIFT_UPPER = 27, SHIFT_PUNCTUATION = 29, PAD = 29 };
    struct pairs p = {.out = out};
    uint32_t mode = UPPER;
    struct entry next = text.len > 0 ? look_up(text.ptr[0]) : (struct entry){0, 0};
    for (size_t i = 0; i < text.len && !out->overflow; i++) {
        struct entry e = next;
        next = i + 1 < text.len ? look_up(text.ptr[i + 1]) : (struct entry){0, 0};
        if (e.modes & mode) {
            put(&p, e.value);
            continue;
        }
        uint32_t both = e.modes & next.modes;
        uint32_t run = out->rules.latch_run;
        if (mode == LOWER && (e.modes & UPPER) && (run ? is_short(text, i, UPPER, run) : both == 0)) {
            put(&p, SHIFT_UPPER);
        } else if ((e.modes & PUNCTUATION) &&
                   (run ? !(both & MIXED) && is_short(text, i, PUNCTUATION, run) : both == 0)) {
            put(&p, SHIFT_PUNCTUATION);
        } else {
            uint32_t candidates = both != 0 ? both : e.modes;
            uint32_t to = candidates & (0u - candidates); // the first of several: upper, lower, mixed, punctuation
            latch(&p, mode, to);
            mode = to;
        }
        put(&p, e.value);
    }
    if (p.half)
        put(&p, PAD);
}
