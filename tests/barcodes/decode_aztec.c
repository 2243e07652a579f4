// Reads Aztec symbols from their modules: mode message, layers, check words, stuffed bits, the five tables.
#include <string.h>

#include "decode.h"
#include "decode_rs.h"

struct reader {
    const uint8_t *bits; // one a byte
    uint32_t at, end;
    struct decoded *out;
    bool bad;
};

static bool checks_hold(const uint16_t *words, uint32_t total, uint32_t checks, uint32_t bits)
{
    static const uint16_t POLYNOMIALS[] = {[4] = 0x13, [6] = 0x43, [8] = 0x12D, [10] = 0x409, [12] = 0x1069};
    return rs_holds_wide(words, total, 1, checks, bits, POLYNOMIALS[bits]);
}

static uint32_t take(struct reader *r, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value = value << 1 | (r->at < r->end ? r->bits[r->at++] : 1u);
    return value;
}

static void give(struct reader *r, uint32_t c)
{
    if (r->out->count >= r->out->cap)
        r->bad = true;
    else
        r->out->chars[r->out->count++] = (uint16_t)c;
}

static void give_text(struct reader *r, const char *text)
{
    for (; *text; text++)
        give(r, (uint8_t)*text);
}

enum table { UPPER, LOWER, MIXED, PUNCTUATION, DIGIT, NO_TABLE };

static void read_binary(struct reader *r)
{
    uint32_t count = take(r, 5);
    if (count == 0)
        count = take(r, 11) + 31;
    if (count * 8 > r->end - r->at)
        r->bad = true;
    for (; count > 0 && !r->bad; count--)
        give(r, take(r, 8));
}

// One code of a table. Returns the table to go to, or NO_TABLE; *shift: for one character only.
static enum table read_code(struct reader *r, enum table table, bool *shift)
{
    static const char *const PUNCTUATIONS[] = {"",  "\r", "\r\n", ". ", ", ", ": ", "!", "\"", "#", "$", "%",
                                               "&", "'",  "(",    ")",  "*",  "+",  ",", "-",  ".", "/", ":",
                                               ";", "<",  "=",    ">",  "?",  "[",  "]", "{",  "}"};
    static const uint8_t MIXEDS[] = {0,  ' ', 1,  2,  3,  4,  5,   6,    7,   8,   9,   10,  11,  12,
                                     13, 27,  28, 29, 30, 31, '@', '\\', '^', '_', '`', '|', '~', 127};
    uint32_t v = take(r, table == DIGIT ? 4 : 5);
    *shift = false;
    switch (table) {
    case UPPER:
    case LOWER:
        if (v == 0) {
            *shift = true;
            return PUNCTUATION;
        }
        if (v <= 27) {
            give(r, v == 1 ? ' ' : (table == UPPER ? 'A' : 'a') + v - 2);
            return NO_TABLE;
        }
        if (v == 31) {
            read_binary(r);
            return NO_TABLE;
        }
        if (v == 28 && table == LOWER) {
            *shift = true;
            return UPPER;
        }
        return v == 28 ? LOWER : v == 29 ? MIXED : DIGIT;
    case MIXED:
        if (v == 0) {
            *shift = true;
            return PUNCTUATION;
        }
        if (v <= 27) {
            give(r, MIXEDS[v]);
            return NO_TABLE;
        }
        if (v == 31) {
            read_binary(r);
            return NO_TABLE;
        }
        return v == 28 ? LOWER : v == 29 ? UPPER : PUNCTUATION;
    case PUNCTUATION:
        if (v == 0) { // FLG: an ECI, whose digits say nothing here, or FNC1
            uint32_t digits = take(r, 3);
            if (digits == 0)
                give(r, DECODE_FNC1);
            take(r, digits < 7 ? digits * 4 : 0);
            return NO_TABLE;
        }
        if (v == 31)
            return UPPER;
        give_text(r, PUNCTUATIONS[v]);
        return NO_TABLE;
    default:
        if (v == 0 || v == 15) {
            *shift = true;
            return v == 0 ? PUNCTUATION : UPPER;
        }
        if (v == 14)
            return UPPER;
        give(r, v == 1 ? ' ' : v < 12 ? '0' + v - 2 : v == 12 ? ',' : '.');
        return NO_TABLE;
    }
}

static void read_message(struct reader *r)
{
    enum table table = UPPER;
    while (r->at < r->end && !r->bad) {
        // Ones that fill up the last word are no code: they would end behind it.
        uint32_t rest = r->end - r->at, ones = 0;
        while (ones < rest && r->bits[r->at + ones])
            ones++;
        if (ones == rest && rest < 12)
            return;
        bool shift;
        enum table next = read_code(r, table, &shift);
        if (next == NO_TABLE)
            continue;
        if (!shift) {
            table = next;
            continue;
        }
        bool again;
        if (read_code(r, next, &again) != NO_TABLE)
            r->bad = true;
    }
}

bool decode_aztec(const struct pl_bitmap *m, struct decoded *out)
{
    static uint8_t raw[20000], plain[20000];
    static uint16_t words[3400];
    uint8_t map[151];
    int side = (int)m->width, centre = side / 2;
    out->count = 0;
    if (m->height != m->width || side < 15 || side > 151)
        return false;
    // The finder of a full symbol has one ring more.
    bool ring = side >= 19;
    for (int i = -6; i <= 6 && ring; i++)
        for (int edge = 0; edge < 4; edge++) {
            int along = centre + i, across = centre + (edge < 2 ? -6 : 6);
            ring =
                ring && pl_bitmap_get(m, (uint32_t)(edge % 2 ? along : across), (uint32_t)(edge % 2 ? across : along));
        }
    bool compact = !ring;
    int radius = compact ? 5 : 7, length = compact ? 7 : 10;
    uint16_t mode[10] = {0};
    for (int i = 0; i < 4 * length; i++) {
        int k = i % length, offset = compact ? k - 3 : k - 5 + k / 5;
        int x = i / length == 0   ? centre + offset
                : i / length == 1 ? centre + radius
                : i / length == 2 ? centre - offset
                                  : centre - radius;
        int y = i / length == 0   ? centre - radius
                : i / length == 1 ? centre + offset
                : i / length == 2 ? centre + radius
                                  : centre - offset;
        mode[i / 4] = (uint16_t)(mode[i / 4] << 1 | pl_bitmap_get(m, (uint32_t)x, (uint32_t)y));
    }
    if (!checks_hold(mode, compact ? 7 : 10, compact ? 5 : 6, 4))
        return false;
    uint32_t value = 0;
    for (int i = 0; i < (compact ? 2 : 4); i++)
        value = value << 4 | mode[i];
    uint32_t layers = (value >> (compact ? 6 : 11)) + 1, data = (value & (compact ? 63 : 2047)) + 1;
    // The bit that tells a reader to set itself up is one that the count does not need.
    if (compact ? layers == 1 && data > 32 : layers <= 22 && data > 1024)
        data -= compact ? 32 : 1024;
    uint32_t word_bits = layers <= 2 ? 6 : layers <= 8 ? 8 : layers <= 22 ? 10 : 12;
    uint32_t base = (compact ? 11 : 14) + 4 * layers, total = ((compact ? 88 : 112) + 16 * layers) * layers;
    if ((compact ? base : base + 1 + 2 * ((base / 2 - 1) / 15)) != m->width)
        return false;
    for (uint32_t i = 0; i < base; i++) {
        uint32_t distance = i < base / 2 ? base / 2 - 1 - i : i - base / 2;
        map[i] = (uint8_t)(compact        ? i
                           : i < base / 2 ? (uint32_t)centre - 1 - distance - distance / 15
                                          : (uint32_t)centre + 1 + distance + distance / 15);
    }
    uint32_t at = 0;
    for (uint32_t layer = 0; layer < layers; layer++) {
        uint32_t strip = base - 4 * layer - 2, low = 2 * layer, high = base - 1 - 2 * layer;
        for (uint32_t edge = 0; edge < 4; edge++)
            for (uint32_t i = 0; i < 2 * strip; i++) {
                uint32_t along = i / 2, across = i % 2;
                uint32_t x = edge == 0   ? low + across
                             : edge == 1 ? low + along
                             : edge == 2 ? high - across
                                         : high - along;
                uint32_t y = edge == 0   ? low + along
                             : edge == 1 ? high - across
                             : edge == 2 ? high - along
                                         : low + across;
                raw[at++] = pl_bitmap_get(m, map[x], map[y]);
            }
    }
    uint32_t count = total / word_bits, first = total % word_bits, n = 0;
    if (at != total || data >= count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        words[i] = 0;
        for (uint32_t k = 0; k < word_bits; k++)
            words[i] = (uint16_t)(words[i] << 1 | raw[first + i * word_bits + k]);
    }
    if (!checks_hold(words, count, count - data, word_bits))
        return false;
    for (uint32_t i = 0; i < data; i++) {
        uint32_t ones = (1u << word_bits) - 1, kept = word_bits;
        if (words[i] == 0 || words[i] == ones)
            return false;
        if (words[i] == 1 || words[i] == ones - 1)
            kept--; // the last bit is a stuffed one
        for (uint32_t k = 0; k < kept; k++)
            plain[n++] = words[i] >> (word_bits - 1 - k) & 1;
    }
    struct reader r = {.bits = plain, .end = n, .out = out};
    read_message(&r);
    return !r.bad;
}
