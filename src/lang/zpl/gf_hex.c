// Graphic data in hex digits with run lengths, decoded straight into bitmap rows.
#include "base/machine.h"
#include "lang/zpl/gfdata.h"
#include "raster/bits.h"

// 0-15: hex digit. 16 + n: repeat by n (up to 19 by G-Y, 20-400 by g-z).
enum { ROW_ZERO = 0xFFF0, ROW_ONES, ROW_SAME, BLANK, ODD };
#define D(c, v) [c] = (v) + 1
static const uint16_t CODES[256] = {
    D('0', 0),        D('1', 1),     D('2', 2),      D('3', 3),      D('4', 4),      D('5', 5),        D('6', 6),
    D('7', 7),        D('8', 8),     D('9', 9),      D('A', 10),     D('B', 11),     D('C', 12),       D('D', 13),
    D('E', 14),       D('F', 15),    D('a', 10),     D('b', 11),     D('c', 12),     D('d', 13),       D('e', 14),
    D('f', 15),       D('G', 17),    D('H', 18),     D('I', 19),     D('J', 20),     D('K', 21),       D('L', 22),
    D('M', 23),       D('N', 24),    D('O', 25),     D('P', 26),     D('Q', 27),     D('R', 28),       D('S', 29),
    D('T', 30),       D('U', 31),    D('V', 32),     D('W', 33),     D('X', 34),     D('Y', 35),       D('g', 36),
    D('h', 56),       D('i', 76),    D('j', 96),     D('k', 116),    D('l', 136),    D('m', 156),      D('n', 176),
    D('o', 196),      D('p', 216),   D('q', 236),    D('r', 256),    D('s', 276),    D('t', 296),      D('u', 316),
    D('v', 336),      D('w', 356),   D('x', 376),    D('y', 396),    D('z', 416),    [','] = ROW_ZERO, ['!'] = ROW_ONES,
    [':'] = ROW_SAME, [' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK, ['\n'] = BLANK,
};
#undef D

struct writer {
    uint8_t *rows;
    uint8_t *row;
    uint32_t row_count, at_row;
    uint32_t nibbles, at; // of a row
    size_t pitch;
};

static void next_row(struct writer *w)
{
    w->at = 0;
    w->at_row++;
    w->row += w->pitch;
}

// `count` times the same digit within the row.
static inline void fill_row(struct writer *w, uint8_t digit, uint32_t count)
{
    uint32_t at = w->at, end = at + count;
    if (at & 1)
        w->row[at++ / 2] |= digit;
    uint8_t *to = w->row + at / 2;
    size_t pairs = end > at ? (end - at) / 2 : 0;
    // Most runs are a few bytes long, and a call costs more than they do.
    if (pairs > 16)
        memset(to, digit * 0x11, pairs);
    else
        for (size_t i = 0; i < pairs; i++)
            to[i] = (uint8_t)(digit * 0x11);
    if (end > at && ((end - at) & 1))
        to[pairs] = (uint8_t)(digit << 4);
    w->at = end;
    if (end == w->nibbles)
        next_row(w);
}

// The same over row ends where need be.
static void put_run(struct writer *w, uint8_t digit, uint64_t count)
{
    while (count > 0 && w->at_row < w->row_count) {
        uint32_t room = w->nibbles - w->at;
        uint32_t take = count < room ? (uint32_t)count : room;
        count -= take;
        fill_row(w, digit, take);
    }
}

// The rest of the row as in the row above; blank where there is none.
static void repeat_row(struct writer *w)
{
    if (w->at_row > 0) {
        const uint8_t *above = w->row - w->pitch;
        uint32_t from = w->at / 2;
        if (w->at & 1) {
            w->row[from] |= above[from] & 0x0F;
            from++;
        }
        memcpy(w->row + from, above + from, w->nibbles / 2 - from);
    }
    next_row(w);
}

// Eight hex digits at once to four bytes. False: not all of them are digits.
static inline bool eight_digits(const uint8_t *p, uint8_t *to)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
    uint64_t text = pl_load_be64(p);
    // Of each character: what is above 0 as a digit, and above 0x60 as a small letter. Sums of a byte reach its top bit
    // when it is larger than what they leave room for.
    uint64_t digit = text ^ ones * 0x30, letter = (text | ones * 0x20) ^ ones * 0x60;
    uint64_t is_digit = ~((digit & ~tops) + ones * 0x76);                                      // 0 to 9
    uint64_t is_letter = ~((letter & ~tops) + ones * 0x79) & ((letter & ~tops) + ones * 0x7F); // 1 to 6
    if (((is_digit | is_letter) & ~text & tops) != tops)
        return false;
    uint64_t nibbles = (text & ones * 0x0F) + (text >> 6 & ones) * 9;
    nibbles = (nibbles | nibbles >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    nibbles = (nibbles | nibbles >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    uint32_t bytes = (uint32_t)(nibbles | nibbles >> 16);
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(bytes >> (24 - 8 * i));
    return true;
}

// Plain pairs up to the row's end, the bulk of uncompressed graphics; `w` is at a whole byte. Returns what follows
// them.
static inline const uint8_t *put_pairs(struct writer *w, const uint8_t *p, const uint8_t *end)
{
    uint8_t *to = w->row + w->at / 2, *stop = w->row + w->nibbles / 2;
    while (stop - to >= 4 && end - p >= 8 && eight_digits(p, to)) {
        to += 4;
        p += 8;
    }
    while (to < stop && end - p >= 2) {
        uint16_t high = (uint16_t)(CODES[p[0]] - 1), low = (uint16_t)(CODES[p[1]] - 1);
        if ((high | low) > 15)
            break;
        *to++ = (uint8_t)(high << 4 | low);
        p += 2;
    }
    w->at = (uint32_t)(to - w->row) * 2;
    if (w->at == w->nibbles)
        next_row(w);
    return p;
}

// The rest of a row by one character.
static void end_row(struct writer *w, uint16_t code)
{
    if (code == ROW_ONES)
        put_run(w, 0x0F, w->nibbles - w->at);
    else if (code == ROW_SAME)
        repeat_row(w);
    else
        next_row(w);
}

static bool has_ink(const uint8_t *row, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        if (row[i])
            return true;
    return false;
}

// How many rows the rest of the text would fill, to the last one that has ink; `dark`: the row before it has.
static uint64_t rows_behind(const uint8_t *p, const uint8_t *end, uint32_t nibbles, bool dark)
{
    uint64_t rows = 0, digits = 0, repeat = 0, last = 0;
    bool ink = false; // in the row that is not full
    for (; p < end; p++) {
        const uint16_t code = CODES[*p];
        if ((uint16_t)(code - 1) < 16) {
            digits += repeat ? repeat : 1;
            ink = ink || code > 1;
            repeat = 0;
        } else if (code > 16 && code < ROW_ZERO) {
            repeat = repeat + code - 17;
        } else if (code >= ROW_ZERO && code <= ROW_SAME) {
            dark = ink || code == ROW_ONES || (code == ROW_SAME && dark);
            rows += digits / nibbles + 1;
            last = dark ? rows : last;
            digits = repeat = 0;
            ink = false;
        }
    }
    return ink && digits >= nibbles ? rows + digits / nibbles : last;
}

PL_BY_MACHINE uint32_t zpl_gf_hex(struct pl_slice text, uint8_t *rows, uint32_t row_count, uint32_t bytes_per_row,
                                  size_t pitch, bool *odd, uint64_t *behind)
{
    struct writer w = {rows, rows, row_count, 0, bytes_per_row * 2, 0, pitch};
    const uint8_t *p = text.ptr, *end = p + text.len;
    uint64_t repeat = 0;
    *odd = false;
    *behind = 0;
    while (p < end && w.at_row < row_count) {
        uint16_t code = CODES[*p];
        if ((uint16_t)(code - 1) < 16) {
            if (!repeat && !(w.at & 1)) {
                const uint8_t *next = put_pairs(&w, p, end);
                if (next != p) {
                    p = next;
                    continue;
                }
            }
            put_run(&w, (uint8_t)(code - 1), repeat ? repeat : 1);
            repeat = 0;
        } else if (code > 16 && code < ROW_ZERO) {
            repeat += (uint64_t)code - 17;
            if (repeat > UINT32_MAX)
                repeat = UINT32_MAX;
        } else if (code >= ROW_ZERO && code <= ROW_SAME) {
            end_row(&w, code);
            repeat = 0;
        } else if (code == 0) {
            *odd = true;
        }
        p++;
    }
    *behind = p < end && row_count ? rows_behind(p, end, w.nibbles, has_ink(w.row - pitch, bytes_per_row)) : 0;
    return w.at_row + (w.at > 0);
}
