// Characters of a MaxiCode to codewords: five sets of characters, shifts and latches between them, digits by nine.
//
// A printer writes the fewest codewords. Among those it shifts one character at a time, then latches as seldom as it
// can, then writes in set A what A has. So the price of a way counts these four, the first before all others.
#include "bar/encode/maxicode_parts.h"
#include "base/ckd.h"

enum set { A, B, C, D, E, SETS };

// The longest message: digits in the 93 codewords of mode 4.
enum { LONGEST = 93 / 6 * 9 + 93 % 6, DIGITS = 9, DIGIT_CODEWORDS = 6 };

enum { SHIFT_AB = 59, SHIFT_C = 60, TWO_OF_A = 56, THREE_OF_A = 57, LATCH_A = 58, NUMERIC = 31 };

// Characters first to last have rising codewords in a set. Most are in one set only.
static const struct range {
    uint8_t first, last, set, codeword;
} ranges[] = {
    {0x00, 0x1A, E, 0},  {0x0D, 0x0D, A, 0},  {0x1B, 0x1B, E, 30}, {0x1C, 0x1E, A, 28}, {0x1C, 0x1E, B, 28},
    {0x1C, 0x1E, C, 28}, {0x1C, 0x1E, D, 28}, {0x1C, 0x1E, E, 32}, {0x1F, 0x1F, E, 35}, {' ', ' ', A, 32},
    {' ', ' ', B, 47},   {' ', ' ', C, 59},   {' ', ' ', D, 59},   {' ', ' ', E, 59},   {'!', '!', B, 53},
    {'"', ':', A, 34},   {',', ',', B, 48},   {'.', '/', B, 49},   {':', ':', B, 51},   {';', '?', B, 37},
    {'@', '@', B, 52},   {'A', 'Z', A, 1},    {'[', '_', B, 42},   {'`', 'z', B, 0},    {'{', '{', B, 32},
    {'|', '|', B, 54},   {'}', 0x7F, B, 34},  {0x80, 0x89, C, 48}, {0x8A, 0x94, D, 47}, {0x95, 0x9E, E, 48},
    {0x9F, 0xA0, E, 36}, {0xA1, 0xA1, D, 37}, {0xA2, 0xA7, E, 38}, {0xA8, 0xA8, D, 38}, {0xA9, 0xA9, E, 44},
    {0xAA, 0xAA, C, 37}, {0xAB, 0xAB, D, 39}, {0xAC, 0xAC, C, 38}, {0xAD, 0xAE, E, 45}, {0xAF, 0xB0, D, 40},
    {0xB1, 0xB3, C, 39}, {0xB4, 0xB4, D, 42}, {0xB5, 0xB5, C, 42}, {0xB6, 0xB6, E, 47}, {0xB7, 0xB8, D, 43},
    {0xB9, 0xBA, C, 43}, {0xBB, 0xBB, D, 45}, {0xBC, 0xBE, C, 45}, {0xBF, 0xBF, D, 46}, {0xC0, 0xDA, C, 0},
    {0xDB, 0xDF, C, 32}, {0xE0, 0xFA, D, 0},  {0xFB, 0xFF, D, 32},
};

enum { NONE = 0xFF };

struct codes {
    uint8_t of[SETS][256]; // NONE: not in the set
};

static void make_codes(struct codes *codes)
{
    memset(codes, NONE, sizeof *codes);
    for (size_t i = 0; i < PL_COUNTOF(ranges); i++)
        for (uint32_t c = ranges[i].first; c <= ranges[i].last; c++)
            codes->of[ranges[i].set][c] = (uint8_t)(ranges[i].codeword + c - ranges[i].first);
}

int pl_maxicode_in_set_a(uint8_t character)
{
    for (size_t i = 0; i < PL_COUNTOF(ranges); i++)
        if (ranges[i].set == A && character >= ranges[i].first && character <= ranges[i].last)
            return ranges[i].codeword + character - ranges[i].first;
    return -1;
}

// What a way costs; sums of the longest message stay apart: 9, 7, 8 and 8 bits.
#define CODEWORD (UINT32_C(1) << 23)
#define LONG_SHIFT (UINT32_C(1) << 16)
#define LATCH (UINT32_C(1) << 8)
#define NOT_IN_A UINT32_C(1)

// A step from a place of the message: characters in the set, or a latch to another.
enum step { STAY, NUMBER, SHIFT, TWO, THREE, GO };

struct way {
    uint32_t price; // of all that is left; UINT32_MAX: there is none
    uint8_t step, to;
};

static bool may_shift(enum set from, enum set to)
{
    return from != to && (to >= C || from <= B);
}

static uint32_t shift_codeword(enum set to)
{
    return to >= C ? SHIFT_C + (uint32_t)to - C : SHIFT_AB;
}

// Latches to C, D and E are their shift, twice.
static uint32_t latch_length(enum set to)
{
    return to >= C ? 2 : 1;
}

static void offer(struct way *best, uint32_t price, enum step step, enum set to)
{
    if (price < best->price)
        *best = (struct way){price, (uint8_t)step, (uint8_t)to};
}

// The best way from a place by one set, without a latch at once. ways[k]: from k characters further on.
static void find_step(const struct codes *codes, uint8_t c, bool digits, enum set s, struct way (*ways)[SETS])
{
    bool in_a = codes->of[A][c] != NONE;
    struct way *best = &ways[0][s];
    *best = (struct way){UINT32_MAX, STAY, A};
    if (digits)
        offer(best, ways[DIGITS][s].price + DIGIT_CODEWORDS * CODEWORD + (s == A ? 0 : NOT_IN_A), NUMBER, s);
    if (codes->of[s][c] != NONE)
        offer(best, ways[1][s].price + CODEWORD + (in_a && s != A ? NOT_IN_A : 0), STAY, s);
    for (enum set to = A; to < SETS; to++)
        if (codes->of[to][c] != NONE && may_shift(s, to))
            offer(best, ways[1][s].price + 2 * CODEWORD + (in_a && to != A ? NOT_IN_A : 0), SHIFT, to);
}

static void find_steps(const struct codes *codes, struct pl_slice rest, bool digits, struct way (*ways)[SETS])
{
    for (enum set s = A; s < SETS; s++)
        find_step(codes, rest.ptr[0], digits, s, ways);
    if (codes->of[A][rest.ptr[0]] == NONE || rest.len < 2 || codes->of[A][rest.ptr[1]] == NONE)
        return;
    offer(&ways[0][B], ways[2][B].price + 3 * CODEWORD + LONG_SHIFT, TWO, A);
    if (rest.len >= 3 && codes->of[A][rest.ptr[2]] != NONE)
        offer(&ways[0][B], ways[3][B].price + 4 * CODEWORD + LONG_SHIFT, THREE, A);
}

static void add_latches(struct way *ways)
{
    struct way direct[SETS];
    memcpy(direct, ways, sizeof direct);
    for (enum set s = A; s < SETS; s++)
        for (enum set to = A; to < SETS; to++)
            if (to != s && direct[to].price != UINT32_MAX)
                offer(&ways[s], direct[to].price + latch_length(to) * CODEWORD + LATCH, GO, to);
}

static uint8_t *put_latch(uint8_t *out, enum set from, enum set to)
{
    if (to >= C) {
        *out++ = (uint8_t)shift_codeword(to);
        *out++ = (uint8_t)shift_codeword(to);
    } else {
        *out++ = to == A && from >= C ? LATCH_A : PL_MAXICODE_LATCH;
    }
    return out;
}

static uint8_t *put_number(uint8_t *out, const uint8_t *digits)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < DIGITS; i++)
        number = number * 10 + digits[i] - '0';
    *out++ = NUMERIC;
    for (uint32_t bit = 30; bit > 0; bit -= 6)
        *out++ = number >> (bit - 6) & 63;
    return out;
}

uint32_t pl_maxicode_write(struct pl_slice message, uint8_t *codewords, uint32_t room)
{
    if (message.len > LONGEST)
        return UINT32_MAX;
    struct codes codes;
    struct way ways[LONGEST + 1][SETS];
    make_codes(&codes);
    memset(ways[message.len], 0, sizeof ways[0]);
    uint32_t digits = 0;
    for (size_t at = message.len; at-- > 0;) {
        digits = message.ptr[at] >= '0' && message.ptr[at] <= '9' ? digits + 1 : 0;
        find_steps(&codes, pl_slice_sub(message, at, message.len), digits >= DIGITS, ways + at);
        add_latches(ways[at]);
    }
    uint32_t length = ways[0][A].price / CODEWORD;
    if (length > room)
        return length;
    uint8_t *out = codewords;
    enum set set = A;
    for (size_t at = 0; at < message.len;) {
        const struct way *way = &ways[at][set];
        const uint8_t *c = message.ptr + at;
        switch ((enum step)way->step) {
        case STAY:
            *out++ = codes.of[set][*c];
            at++;
            break;
        case NUMBER:
            out = put_number(out, c);
            at += DIGITS;
            break;
        case SHIFT:
            *out++ = (uint8_t)shift_codeword((enum set)way->to);
            *out++ = codes.of[way->to][*c];
            at++;
            break;
        case TWO:
        case THREE: {
            uint32_t count = way->step == TWO ? 2 : 3;
            *out++ = count == 2 ? TWO_OF_A : THREE_OF_A;
            for (uint32_t i = 0; i < count; i++)
                *out++ = codes.of[A][c[i]];
            at += count;
            break;
        }
        case GO:
            out = put_latch(out, set, (enum set)way->to);
            set = (enum set)way->to;
            break;
        }
    }
    return length;
}
