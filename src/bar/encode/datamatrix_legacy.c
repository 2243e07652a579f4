// Data Matrix ECC 000 to 140 (ISO/IEC 16022:2000, 5.2 to 5.7 and annexes B to F): the old square symbols of odd size.
#include "bar/encode/datamatrix_legacy.h"

#include <string.h>

#include "base/ckd.h"

enum {
    MAX_CHARS = 511, // the length field has nine bits
    MIN_SIDE = 7,    // without the finder pattern
    MAX_SIDE = 47,
    MAX_BITS = MAX_SIDE * MAX_SIDE,
};

// Annex F: what the bits are mixed with so that the symbol is neither all white nor all black. The first is in the most
// significant bit.
static const uint8_t scramble[MAX_BITS / 8 + 1] = {
    0x05, 0xFF, 0xC7, 0x31, 0x88, 0xA8, 0x83, 0x9C, 0x64, 0x87, 0x9F, 0x64, 0xB3, 0xE0, 0x4D, 0x9C, 0x80, 0x29, 0x3A,
    0x90, 0xB3, 0x8B, 0x9E, 0x90, 0x45, 0xBF, 0xF5, 0x68, 0x4B, 0x08, 0xCF, 0x44, 0xB8, 0xD4, 0x4C, 0x5B, 0xA0, 0xAB,
    0x72, 0x52, 0x1C, 0xE4, 0xD2, 0x74, 0xA4, 0xDA, 0x8A, 0x08, 0xFA, 0xA7, 0xC7, 0xDD, 0x00, 0x30, 0xA9, 0xE6, 0x64,
    0xAB, 0xD5, 0x8B, 0xED, 0x9C, 0x79, 0xF8, 0x08, 0xD1, 0x8B, 0xC6, 0x22, 0x64, 0x0B, 0x33, 0x43, 0xD0, 0x80, 0xD4,
    0x44, 0x95, 0x2E, 0x6F, 0x5E, 0x13, 0x8D, 0x47, 0x62, 0x06, 0xEB, 0x80, 0x82, 0xC9, 0x41, 0xD5, 0x73, 0x8A, 0x30,
    0x23, 0x24, 0xE3, 0x7F, 0xB2, 0xA8, 0x0B, 0xED, 0x38, 0x42, 0x4C, 0xD7, 0xB0, 0xCE, 0x98, 0xBD, 0xE1, 0xD5, 0xE4,
    0xC3, 0x1D, 0x15, 0x4A, 0xCF, 0xD1, 0x1F, 0x39, 0x26, 0x18, 0x93, 0xFC, 0x19, 0xB2, 0x2D, 0xAB, 0xF2, 0x6E, 0xA1,
    0x9F, 0xAF, 0xD0, 0x8A, 0x2B, 0xA0, 0x56, 0xB0, 0x41, 0x6D, 0x43, 0xA4, 0x63, 0xF3, 0xAA, 0x7D, 0xAF, 0x35, 0x57,
    0xC2, 0x94, 0x4A, 0x65, 0x0B, 0x41, 0xDE, 0xB8, 0xE2, 0x30, 0x12, 0x27, 0x9B, 0x66, 0x2B, 0x34, 0x5B, 0xB8, 0x99,
    0xE8, 0x28, 0x71, 0xD0, 0x95, 0x6B, 0x07, 0x4D, 0x3C, 0x7A, 0xB3, 0xE5, 0x29, 0xB3, 0xBA, 0x8C, 0xCC, 0x2D, 0xE0,
    0xC9, 0xC0, 0x22, 0xEC, 0x4C, 0xDE, 0xF8, 0x58, 0x07, 0xFC, 0x19, 0xF2, 0x64, 0xE2, 0xC3, 0xE2, 0xD8, 0xB9, 0xFD,
    0x67, 0xA0, 0xBC, 0xF5, 0x2E, 0xC9, 0x49, 0x75, 0x62, 0x82, 0x27, 0x10, 0xF4, 0x19, 0x6F, 0x49, 0xF7, 0xB3, 0x84,
    0x14, 0xEA, 0xEB, 0xE1, 0x2A, 0x31, 0xAB, 0x47, 0x7D, 0x08, 0x29, 0xAC, 0xBB, 0x72, 0xFA, 0xFA, 0x62, 0xB8, 0xC8,
    0xD3, 0x86, 0x89, 0x95, 0xFD, 0xDF, 0xCC, 0x9C, 0xAD, 0xF1, 0xD4, 0x6C, 0x64, 0x23, 0x24, 0x2A, 0x56, 0x1F, 0x36,
    0xEB, 0xB7, 0xD6, 0xFF, 0xDA, 0x57, 0xF4, 0x50, 0x79, 0x08, 0x00};

struct bits {
    uint8_t bit[MAX_CHARS * 8 + 64];
    uint32_t count;
};

// Least significant bit first, as nearly all numbers of this symbology are sent.
static void put_low_first(struct bits *bits, uint32_t value, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        bits->bit[bits->count++] = value >> i & 1;
}

// Annex D: CCITT's polynomial, bits from the low end, over the format and the data.
static uint32_t checksum(uint32_t format, struct pl_slice data)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < data.len + 2; i++) {
        crc ^= i == 0 ? format : i == 1 ? 0 : data.ptr[i - 2];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ ((0u - (crc & 1)) & 0x8408);
    }
    return crc;
}

// The four formats with an alphabet of their own: so many characters in so many bits, fewer at the end.
struct format {
    const char *alphabet;
    uint32_t group;
    uint8_t widths[7]; // bits of 1, 2, … characters
};

static const struct format formats[4] = {
    {" 0123456789", 6, {0, 4, 7, 11, 14, 18, 21}},
    {" ABCDEFGHIJKLMNOPQRSTUVWXYZ", 5, {0, 5, 10, 15, 20, 24}},
    {" ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-/", 4, {0, 6, 11, 17, 22}},
    {" ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 4, {0, 6, 11, 16, 21}},
};

// False if the format has no such character.
static bool put_data(struct bits *bits, uint32_t format, struct pl_slice data)
{
    if (format >= 5) {
        for (size_t i = 0; i < data.len; i++) {
            if (format == 5 && data.ptr[i] > 127)
                return false;
            put_low_first(bits, data.ptr[i], format == 5 ? 7 : 8);
        }
        return true;
    }
    const struct format *f = &formats[format - 1];
    uint32_t base = (uint32_t)strlen(f->alphabet);
    for (size_t at = 0; at < data.len;) {
        uint32_t value = 0, power = 1, count = 0;
        for (; count < f->group && at < data.len; count++, at++) {
            const char *found = data.ptr[at] != 0 ? strchr(f->alphabet, data.ptr[at]) : NULL;
            if (found == NULL)
                return false;
            value += power * (uint32_t)(found - f->alphabet);
            power *= base;
        }
        put_low_first(bits, value, f->widths[count]);
    }
    return true;
}

// Annex E: for each output bit the taps of the shift registers; `inputs` bits enter at a time, each its own register of
// `depth` bits, of which the lowest is the newest.
struct code {
    uint32_t quality;
    uint32_t header; // 19 bits, the first in bit 0
    uint32_t inputs, outputs, depth;
    uint32_t taps[4];
};

static const struct code codes[] = {
    {50, 0x0E00E, 3, 4, 4, {0xE81, 0x0BC, 0x32E, 0xB73}},
    {80, 0x71C0E, 2, 3, 12, {0x9884EB, 0x349732, 0xA970E1}},
    {100, 0x7FC0E, 1, 2, 16, {0x87E5, 0xE85B}},
    {140, 0x7E38E, 1, 4, 14, {0x3491, 0x2F99, 0x3AB7, 0x3EB7}},
};

// One bit of the protected message after the other; false once there are more than a symbol holds.
static bool protect(const struct bits *raw, const struct code *code, uint8_t *out, uint32_t *count)
{
    for (uint32_t i = 0; i < 19; i++)
        out[(*count)++] = code->header >> i & 1;
    uint32_t registers[3] = {0}, steps = (raw->count + code->inputs - 1) / code->inputs + code->depth - 1;
    for (uint32_t step = 0; step < steps; step++) {
        uint32_t state = 0;
        for (uint32_t i = 0; i < code->inputs; i++) {
            uint32_t at = step * code->inputs + i, bit = at < raw->count ? raw->bit[at] : 0;
            registers[i] = (registers[i] << 1 | bit) & ((1u << code->depth) - 1);
            state |= registers[i] << (i * code->depth);
        }
        if (*count + code->outputs > MAX_BITS)
            return false;
        for (uint32_t i = 0; i < code->outputs; i++)
            out[(*count)++] = (uint8_t)__builtin_parity(state & code->taps[i]);
    }
    return true;
}

static bool protect_nothing(const struct bits *raw, uint8_t *out, uint32_t *count)
{
    for (uint32_t i = 0; i < 7; i++)
        out[(*count)++] = 0x7E >> i & 1;
    if (*count + raw->count > MAX_BITS)
        return false;
    memcpy(out + *count, raw->bit, raw->count);
    *count += raw->count;
    return true;
}

// The numbers below `side` sorted by their bits read backwards.
static void reversed_order(uint32_t side, uint8_t *order)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t value = 0;
        for (int b = 0; b < 6; b++)
            value |= (i >> b & 1) << (5 - b);
        if (value < side)
            order[count++] = (uint8_t)value;
    }
}

// Annex B: place of each bit as y x 64 + x. Neighbouring bits go to places far apart; the first four go to the corners,
// in exchange for what would have stood there.
static void find_places(uint32_t side, uint16_t *places)
{
    uint8_t order[MAX_SIDE], rank[MAX_SIDE];
    uint16_t bit_at[64 * MAX_SIDE];
    reversed_order(side, order);
    for (uint32_t i = 0; i < side; i++)
        rank[order[i]] = (uint8_t)i;
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t row = order[i % side];
        places[i] = (uint16_t)((side - 1 - row) * 64 + (rank[i / side] + 2 * row) % side);
        bit_at[places[i]] = (uint16_t)i;
    }
    uint32_t end = side - 1;
    const uint32_t corners[4] = {end * 64, end, 0, end * 64 + end};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t other = bit_at[corners[i]];
        uint16_t moved = places[i];
        places[i] = (uint16_t)corners[i];
        places[other] = moved;
        bit_at[corners[i]] = (uint16_t)i;
        bit_at[moved] = (uint16_t)other;
    }
}

static enum pl_errc draw(uint32_t side, const uint8_t *bits, uint32_t count, struct pl_arena *arena,
                         struct pl_bitmap *modules, struct pl_error *err)
{
    uint16_t places[MAX_BITS];
    find_places(side, places);
    PL_TRY(pl_bitmap_new(arena, side + 2, side + 2, modules, err));
    for (uint32_t i = 0; i < side + 2; i++) {
        pl_bitmap_set(modules, 0, i);
        pl_bitmap_set(modules, i, side + 1);
        if (i % 2 == 0) {
            pl_bitmap_set(modules, i, 0);
            pl_bitmap_set(modules, side + 1, i);
        }
    }
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t mixed = (i < count ? bits[i] : 0u) ^ (scramble[i / 8] >> (7 - i % 8) & 1u);
        if (mixed)
            pl_bitmap_set(modules, places[i] % 64 + 1u, places[i] / 64 + 1u);
    }
    return PL_OK;
}

enum pl_errc pl_datamatrix_legacy_encode(struct pl_slice data, const struct pl_datamatrix_legacy_options *options,
                                         struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err)
{
    const struct code *code = NULL;
    for (size_t i = 0; i < PL_COUNTOF(codes); i++)
        if (codes[i].quality == options->quality)
            code = &codes[i];
    if (code == NULL && options->quality != 0)
        return pl_fail(err, PL_E_INVALID, "there is no Data Matrix of quality %u", options->quality);
    if (data.len == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for a Data Matrix symbol");
    if (data.len > MAX_CHARS)
        return pl_fail(err, PL_E_INVALID, "Data Matrix below quality 200 holds at most %d characters", MAX_CHARS);
    uint32_t format = options->format >= 1 && options->format <= 6 ? options->format : 6;
    struct bits raw = {.count = 0};
    for (int i = 4; i >= 0; i--)
        raw.bit[raw.count++] = (format - 1) >> i & 1;
    put_low_first(&raw, checksum(format, data), 16);
    put_low_first(&raw, (uint32_t)data.len, 9);
    if (!put_data(&raw, format, data))
        return pl_fail(err, PL_E_INVALID, "the data has characters that format %u has not", format);
    uint8_t bits[MAX_BITS];
    uint32_t count = 0;
    bool fits = code != NULL ? protect(&raw, code, bits, &count) : protect_nothing(&raw, bits, &count);
    uint32_t side = MIN_SIDE;
    while (side < MAX_SIDE && side * side < count)
        side += 2;
    if (options->side % 2 == 1 && options->side >= MIN_SIDE + 2 && options->side <= MAX_SIDE + 2) {
        fits = fits && side + 2 <= options->side;
        side = options->side - 2;
    }
    if (!fits || side * side < count)
        return pl_fail(err, PL_E_INVALID, "the data does not fit into a Data Matrix symbol of the size asked for");
    return draw(side, bits, count, arena, modules, err);
}
