// Reads MaxiCode symbols from their cells.
#include <string.h>

#include "bar/encode/maxicode_parts.h"
#include "decode.h"
#include "decode_rs.h"

enum { A, B, C, D, E, SETS };
enum { ECI = 27, NUMERIC = 31 };

// Characters of each set; codewords with another meaning are 0 here.
// clang-format off
static const uint8_t characters[SETS][64] = {
    {13, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 0, 28, 29, 30, 0,
     32, 0, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 0, 0, 0, 0, 0},
    {96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 0, 28, 29, 30, 0,
     123, 0, 125, 126, 127, 59, 60, 61, 62, 63, 91, 92, 93, 94, 95, 32, 44, 46, 47, 58, 64, 33, 124, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 0, 28, 29, 30, 0,
     219, 220, 221, 222, 223, 170, 172, 177, 178, 179, 181, 185, 186, 188, 189, 190, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 0, 32, 0, 0, 0, 0},
    {224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 0, 28, 29, 30, 0,
     251, 252, 253, 254, 255, 161, 168, 171, 175, 176, 180, 183, 184, 187, 191, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 0, 32, 0, 0, 0, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 0, 0, 0, 27, 0,
     28, 29, 30, 31, 159, 160, 162, 163, 164, 165, 166, 167, 169, 173, 174, 182, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 0, 32, 0, 0, 0, 0},
};
// clang-format on

static bool is_code(const uint8_t *codewords, uint32_t count, uint32_t step, uint32_t checks)
{
    return rs_holds(codewords, count, step, checks, 6, 0x43);
}

static bool read_cells(const struct pl_bitmap *cells, uint8_t *codewords)
{
    if (cells->width != PL_MAXICODE_COLUMNS || cells->height != PL_MAXICODE_ROWS)
        return false;
    memset(codewords, 0, PL_MAXICODE_CODEWORDS);
    for (uint32_t y = 0; y < PL_MAXICODE_ROWS; y++)
        for (uint32_t x = 0; x < PL_MAXICODE_COLUMNS; x++) {
            uint32_t bit = pl_maxicode_bit_of_cell[y][x];
            bool dark = pl_bitmap_get(cells, x, y);
            if (bit >= PL_MAXICODE_BITS && dark != (bit == PL_MAXICODE_DARK))
                return false;
            if (bit < PL_MAXICODE_BITS && dark)
                codewords[bit / 6] |= (uint8_t)(32 >> bit % 6);
        }
    return true;
}

static bool is_pad(int set, uint8_t codeword)
{
    return (set <= B && codeword == 33) || (set == B && (codeword == 55 || codeword == 58)) ||
           (set == E && (codeword == 28 || codeword == 29));
}

struct state {
    int set, back; // what is in force, and what follows when the shift is over
    int shifted;   // characters that are left of a shift; 0: none
};

// What a codeword from 56 on means in a set; false: it is a character or a pad.
static bool changes_set(struct state *s, uint8_t codeword)
{
    int to = codeword == 59 ? (s->set == A ? B : A) : C + codeword - 60, count = 1;
    if (s->set <= B ? codeword < (s->set == A ? 59 : 56) || codeword == 58 : codeword < 58 || codeword == 59)
        return false;
    bool latch = codeword == 63 || (s->set >= C && (codeword == 58 || to == s->set));
    if (codeword == 63)
        to = s->set == B ? A : B;
    else if (s->set >= C && codeword == 58)
        to = A;
    else if (codeword == 56 || codeword == 57) {
        to = A;
        count = codeword - 54;
    }
    if (latch)
        *s = (struct state){to, to, 0};
    else
        *s = (struct state){to, s->shifted ? s->back : s->set, count};
    return true;
}

static bool put(struct decoded *out, uint16_t character)
{
    if (out->count == out->cap)
        return false;
    out->chars[out->count++] = character;
    return true;
}

static bool read_text(const uint8_t *text, uint32_t count, struct decoded *out, uint32_t *used)
{
    struct state s = {A, A, 0};
    bool padded = false;
    *used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t codeword = text[i];
        if (is_pad(s.set, codeword)) {
            padded = true;
            continue;
        }
        if (padded || codeword == ECI)
            return false;
        if (codeword == NUMERIC) {
            if (i + 5 >= count || s.shifted)
                return false;
            uint32_t number = 0;
            for (int k = 0; k < 5; k++)
                number = number << 6 | text[++i];
            if (number > 999999999)
                return false;
            for (uint32_t digit = 100000000; digit; digit /= 10)
                if (!put(out, (uint16_t)('0' + number / digit % 10)))
                    return false;
        } else if (changes_set(&s, codeword)) {
            continue;
        } else {
            if (!put(out, characters[s.set][codeword]))
                return false;
            if (s.shifted && --s.shifted == 0)
                s.set = s.back;
        }
        *used = i + 1;
    }
    return true;
}

static void read_address(struct decoded_maxicode *more)
{
    uint64_t bits = 0;
    for (uint32_t i = 10; i-- > 0;)
        bits = bits << 6 | more->codewords[i];
    more->country = bits >> 40 & 1023;
    more->service = bits >> 50 & 1023;
    uint64_t postcode = bits >> 4 & ((UINT64_C(1) << 36) - 1);
    if (more->mode == 3) {
        for (uint32_t i = 6; i-- > 0; postcode >>= 6)
            more->postcode[i] = (char)characters[A][postcode & 63];
    } else {
        uint32_t length = (uint32_t)(postcode >> 30), digits = postcode & ((1u << 30) - 1);
        for (uint32_t at = 9; at-- > 0;) {
            if (at >= length)
                continue;
            more->postcode[at] = (char)('0' + digits % 10);
            digits /= 10;
        }
    }
}

bool decode_maxicode(const struct pl_bitmap *cells, struct decoded *out, struct decoded_maxicode *more)
{
    memset(more, 0, sizeof *more);
    if (!read_cells(cells, more->codewords))
        return false;
    uint8_t *codewords = more->codewords, text[124];
    more->mode = codewords[0] & 15;
    uint32_t checks = more->mode == 5 ? 28 : 20, data = 124 - 2 * checks, count = 0;
    if (more->mode < 2 || more->mode > 6 || !is_code(codewords, 20, 1, 10) || !is_code(codewords + 20, 62, 2, checks) ||
        !is_code(codewords + 21, 62, 2, checks))
        return false;
    if (more->mode <= 3) {
        read_address(more);
    } else {
        memcpy(text, codewords + 1, 9);
        count = 9;
    }
    memcpy(text + count, codewords + 20, data);
    count += data;
    uint32_t at = 0;
    if (text[0] == 33 && text[1] != 33) { // a message that is empty begins with a latch
        more->append_index = (text[1] >> 3) + 1u;
        more->append_count = (text[1] & 7) + 1u;
        at = 2;
    }
    return read_text(text + at, count - at, out, &more->used);
}
