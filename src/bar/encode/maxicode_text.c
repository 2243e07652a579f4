// Characters of a MaxiCode to codewords: five sets of characters, shifts and latches between them, digits by nine.
//
// A printer looks only at the run of characters that the current set lacks, and by its length it shifts or latches.
// That is not always the shortest way. Where a message fits only by the shortest way, that one is written.
#include "bar/encode/maxicode_parts.h"
#include "base/ckd.h"

enum set { A, B, C, D, E, SETS };

// The longest message: digits in the 93 codewords of mode 4. At worst a character takes a latch of two and its
// codeword.
enum { LONGEST = 93 / 6 * 9 + 93 % 6, DIGITS = 9, DIGIT_CODEWORDS = 6, MOST_CODEWORDS = 3 * LONGEST };

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

// A step from a place of the message: characters in the set, or a latch to another.
enum step { STAY, NUMBER, SHIFT, TWO, THREE, GO };

struct way {
    uint32_t length; // in codewords, of all that is left; UINT32_MAX: there is none
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

static bool starts_number(struct pl_slice rest)
{
    uint32_t digits = 0;
    while (digits < DIGITS && digits < rest.len && pl_is_digit(rest.ptr[digits]))
        digits++;
    return digits == DIGITS;
}

// The set of a character that the current one lacks: the first that has it.
static enum set home_of(const struct codes *codes, uint8_t c)
{
    enum set set = A;
    while (set < E && codes->of[set][c] == NONE)
        set++;
    return set;
}

// A printer's next step.
static struct way printed_step(const struct codes *codes, struct pl_slice rest, enum set set)
{
    if (starts_number(rest))
        return (struct way){0, NUMBER, (uint8_t)set};
    if (codes->of[set][rest.ptr[0]] != NONE)
        return (struct way){0, STAY, (uint8_t)set};
    enum set to = home_of(codes, rest.ptr[0]);
    uint32_t run = 1;
    while (run < 4 && run < rest.len && codes->of[set][rest.ptr[run]] == NONE && codes->of[to][rest.ptr[run]] != NONE)
        run++;
    uint32_t shifted = to == B ? 1 : 3; // characters that are not worth a latch
    if (!may_shift(set, to) || run > shifted)
        return (struct way){0, GO, (uint8_t)to};
    enum step step = to != A ? SHIFT : run == 3 ? THREE : run == 2 ? TWO : SHIFT;
    return (struct way){0, (uint8_t)step, (uint8_t)to};
}

static void offer(struct way *best, uint32_t length, enum step step, enum set to)
{
    if (length < best->length)
        *best = (struct way){length, (uint8_t)step, (uint8_t)to};
}

// The shortest way from a place by one set, without a latch at once. ways[k]: from k characters further on.
static void find_step(const struct codes *codes, struct pl_slice rest, enum set s, struct way (*ways)[SETS])
{
    uint8_t c = rest.ptr[0];
    struct way *best = &ways[0][s];
    *best = (struct way){UINT32_MAX, STAY, A};
    if (starts_number(rest))
        offer(best, ways[DIGITS][s].length + DIGIT_CODEWORDS, NUMBER, s);
    if (codes->of[s][c] != NONE)
        offer(best, ways[1][s].length + 1, STAY, s);
    for (enum set to = A; to < SETS; to++)
        if (codes->of[to][c] != NONE && may_shift(s, to))
            offer(best, ways[1][s].length + 2, SHIFT, to);
}

static void find_steps(const struct codes *codes, struct pl_slice rest, struct way (*ways)[SETS])
{
    for (enum set s = A; s < SETS; s++)
        find_step(codes, rest, s, ways);
    if (codes->of[A][rest.ptr[0]] == NONE || rest.len < 2 || codes->of[A][rest.ptr[1]] == NONE)
        return;
    offer(&ways[0][B], ways[2][B].length + 3, TWO, A);
    if (rest.len >= 3 && codes->of[A][rest.ptr[2]] != NONE)
        offer(&ways[0][B], ways[3][B].length + 4, THREE, A);
}

static void add_latches(struct way *ways)
{
    struct way direct[SETS];
    memcpy(direct, ways, sizeof direct);
    for (enum set s = A; s < SETS; s++)
        for (enum set to = A; to < SETS; to++)
            if (to != s && direct[to].length != UINT32_MAX)
                offer(&ways[s], direct[to].length + latch_length(to), GO, to);
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

// Writes the message by the ways that were found for each place and set; without them as a printer does.
static uint32_t put_message(const struct codes *codes, struct pl_slice message, struct way (*ways)[SETS],
                            uint8_t *codewords)
{
    uint8_t *out = codewords;
    enum set set = A;
    for (size_t at = 0; at < message.len;) {
        const uint8_t *c = message.ptr + at;
        struct way way = ways ? ways[at][set] : printed_step(codes, pl_slice_sub(message, at, message.len), set);
        switch ((enum step)way.step) {
        case STAY:
            *out++ = codes->of[set][*c];
            at++;
            break;
        case NUMBER:
            out = put_number(out, c);
            at += DIGITS;
            break;
        case SHIFT:
            *out++ = (uint8_t)shift_codeword((enum set)way.to);
            *out++ = codes->of[way.to][*c];
            at++;
            break;
        case TWO:
        case THREE: {
            uint32_t count = way.step == TWO ? 2 : 3;
            *out++ = count == 2 ? TWO_OF_A : THREE_OF_A;
            for (uint32_t i = 0; i < count; i++)
                *out++ = codes->of[A][c[i]];
            at += count;
            break;
        }
        case GO:
            out = put_latch(out, set, (enum set)way.to);
            set = (enum set)way.to;
            break;
        }
    }
    return (uint32_t)(out - codewords);
}

uint32_t pl_maxicode_write(struct pl_slice message, uint8_t *codewords, uint32_t room)
{
    if (message.len > LONGEST)
        return UINT32_MAX;
    struct codes codes;
    make_codes(&codes);
    uint8_t printed[MOST_CODEWORDS];
    uint32_t length = put_message(&codes, message, NULL, printed);
    if (length <= room) {
        memcpy(codewords, printed, length);
        return length;
    }
    struct way ways[LONGEST + 1][SETS];
    memset(ways[message.len], 0, sizeof ways[0]);
    for (size_t at = message.len; at-- > 0;) {
        find_steps(&codes, pl_slice_sub(message, at, message.len), ways + at);
        add_latches(ways[at]);
    }
    if (ways[0][A].length > room)
        return ways[0][A].length;
    return put_message(&codes, message, ways, codewords);
}
