// Order and breaks of any text: levels within bounds, an order that has everything once, and characters that the
// algorithm removes changing nothing.
#include <stdlib.h>
#include <string.h>

#include "font/line/bidi.h"
#include "font/line/bidi_class.h"
#include "font/line/breaks.h"

enum { LONGEST = 4096, HIGHEST_LEVEL = 126 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A byte is a character: one of those that the rules tell apart, or any of a page.
static uint32_t character(uint8_t byte)
{
    static const uint32_t chars[] = {'a',    0x5D0,  0x627,  '1',    '+',     '#',    0x660,  ',',    0x300,  0xAD,
                                     0x2029, '\t',   ' ',    '!',    0x202A,  0x202D, 0x202B, 0x202E, 0x202C, 0x2066,
                                     0x2067, 0x2068, 0x2069, '(',    ')',     '[',    ']',    0x2329, 0x3009, 0x61C,
                                     0x200E, 0x200F, '\n',   0x200D, 0x1F1E6, 0xE40,  0xE31,  0xE01,  0x94D,  0x3001};
    enum { COUNT = sizeof chars / sizeof *chars };
    return byte < 4 * COUNT ? chars[byte % COUNT] : 0x580 + 16u * (byte - 4 * COUNT);
}

static void expect(bool right)
{
    if (!right)
        abort();
}

// What rule X9 removes takes no part in the rules: with one behind every character the levels are the same.
static void removed_characters_change_nothing(struct pl_arena *arena, const uint32_t *chars, uint32_t length,
                                              enum pl_bidi_base base, const uint8_t *levels)
{
    static uint32_t longer[LONGEST * 2];
    static uint8_t longer_levels[LONGEST * 2], bases[LONGEST * 2];
    uint32_t n = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (pl_bidi_class(chars[i]) == PL_BIDI_B)
            return; // what follows would be the start of the next paragraph
        longer[n++] = chars[i];
        longer[n++] = 0xAD;
    }
    expect(pl_bidi_levels(longer, n, base, arena, NULL, longer_levels, bases, NULL) == PL_OK);
    for (uint32_t i = 0; i < length; i++)
        expect(longer_levels[i * 2] == levels[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct pl_arena arena;
    static uint32_t chars[LONGEST], order[LONGEST];
    static uint8_t levels[LONGEST], bases[LONGEST], seen[LONGEST], breaks[LONGEST];
    if (size < 1)
        return 0;
    pl_arena_init(&arena, (size_t)16 << 20);
    enum pl_bidi_base base = (enum pl_bidi_base)(data[0] % 3);
    uint32_t length = size - 1 < LONGEST ? (uint32_t)(size - 1) : LONGEST;
    for (uint32_t i = 0; i < length; i++)
        chars[i] = character(data[i + 1]);
    expect(pl_bidi_levels(chars, length, base, &arena, NULL, levels, bases, NULL) == PL_OK);
    for (uint32_t i = 0; i < length; i++) {
        expect(bases[i] <= 1 && levels[i] >= bases[i] && levels[i] <= HIGHEST_LEVEL);
        expect(base == PL_BIDI_BASE_TEXT || bases[i] == (base == PL_BIDI_BASE_RIGHT));
    }
    removed_characters_change_nothing(&arena, chars, length, base, levels);
    pl_bidi_order(levels, length, order);
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < length; i++)
        expect(order[i] < length && !seen[order[i]]++);
    expect(pl_breaks_find(chars, length, NULL, breaks, NULL) == PL_OK);
    for (uint32_t i = 0; i < length; i++)
        expect(breaks[i] <= PL_BREAK_MAY);
    pl_arena_fini(&arena);
    return 0;
}
