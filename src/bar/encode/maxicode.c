// MaxiCode: the primary message, codewords with their check codewords, and the cells that show them.
#include "bar/encode/maxicode.h"

#include "bar/encode/maxicode_parts.h"
#include "bar/encode/reed_solomon.h"
#include "base/ckd.h"

enum {
    PRIMARY = 10, // codewords of the primary message, with as many check codewords
    SECONDARY = PL_MAXICODE_CODEWORDS - 2 * PRIMARY,
    FIELD_BITS = 6,
    FIELD = 0x43,
};

// Mode, postcode, country and class of service, each from its lowest bit on. False: the postcode of mode 3 has a
// character that is not in set A.
static bool address_bits(const struct pl_maxicode_options *options, uint64_t *bits)
{
    uint64_t postcode = 0, length = 0;
    const char *text = options->postcode;
    if (options->mode == 2) {
        for (; length < 9 && text[length]; length++)
            postcode = postcode * 10 + (uint64_t)(text[length] - '0');
        postcode |= length << 30;
    } else {
        for (uint32_t i = 0; i < 6; i++) {
            int codeword = pl_maxicode_in_set_a(*text ? (uint8_t)*text++ : ' ');
            if (codeword < 0)
                return false;
            postcode = postcode << 6 | (uint64_t)codeword;
        }
    }
    *bits = options->mode | postcode << 4 | (uint64_t)options->country << 40 | (uint64_t)options->service << 50;
    return true;
}

// `length` data codewords in two halves, odd and even ones, and behind them their check codewords in the same way.
static void add_checks(const struct pl_rs *code, uint8_t *codewords, uint32_t length, uint32_t halves)
{
    for (uint32_t half = 0; half < halves; half++)
        pl_rs_encode_bytes(code, codewords + half, halves, length / halves, codewords + length + half, halves);
}

static enum pl_errc place(const uint8_t *codewords, struct pl_arena *arena, struct pl_bitmap *cells,
                          struct pl_error *err)
{
    uint8_t bits[PL_MAXICODE_BITS + 2];
    for (uint32_t i = 0; i < PL_MAXICODE_BITS; i++)
        bits[i] = codewords[i / 6] >> (5 - i % 6) & 1;
    bits[PL_MAXICODE_LIGHT] = 0;
    bits[PL_MAXICODE_DARK] = 1;
    PL_TRY(pl_bitmap_new(arena, PL_MAXICODE_COLUMNS, PL_MAXICODE_ROWS, cells, err));
    for (uint32_t y = 0; y < PL_MAXICODE_ROWS; y++) {
        uint64_t row = 0;
        for (uint32_t x = 0; x < PL_MAXICODE_COLUMNS; x++)
            row = row << 1 | bits[pl_maxicode_bit_of_cell[y][x]];
        *pl_bitmap_row(cells, y) = row << (64 - PL_MAXICODE_COLUMNS);
    }
    return PL_OK;
}

// Check codewords of the secondary message: mode 5 has more.
static uint32_t checks_of(uint32_t mode)
{
    return mode == 5 ? 56 : 40;
}

enum pl_errc pl_maxicode_finish(uint8_t *codewords, uint32_t mode, struct pl_arena *arena, struct pl_bitmap *cells,
                                struct pl_error *err)
{
    const struct pl_rs *first = pl_rs_new(arena, FIELD_BITS, FIELD, 1, PRIMARY);
    const struct pl_rs *second = pl_rs_new(arena, FIELD_BITS, FIELD, 1, checks_of(mode) / 2);
    if (!first || !second)
        return pl_fail_memory(err);
    add_checks(first, codewords, PRIMARY, 1);
    add_checks(second, codewords + 2 * PRIMARY, SECONDARY - checks_of(mode), 2);
    return place(codewords, arena, cells, err);
}

// Codewords for the message: behind the address, or in the primary message behind the mode as well.
static uint32_t room_of(const struct pl_maxicode_options *options)
{
    uint32_t secondary = SECONDARY - checks_of(options->mode);
    return options->mode <= 3 ? secondary : secondary + PRIMARY - 1;
}

bool pl_maxicode_fits(struct pl_slice message, const struct pl_maxicode_options *options)
{
    uint8_t text[SECONDARY];
    uint32_t room = room_of(options) - (options->append_count > 1 ? 2 : 0);
    return pl_maxicode_write(message, text, room) <= room;
}

enum pl_errc pl_maxicode_encode(struct pl_slice message, const struct pl_maxicode_options *options,
                                struct pl_arena *arena, struct pl_bitmap *cells, struct pl_error *err)
{
    bool has_address = options->mode <= 3;
    uint32_t data = SECONDARY - checks_of(options->mode), room = room_of(options), at = 0;
    uint8_t text[SECONDARY], codewords[PL_MAXICODE_CODEWORDS];
    if (options->append_count > 1) {
        text[at++] = PL_MAXICODE_PAD;
        text[at++] = (uint8_t)((options->append_index - 1) << 3 | (options->append_count - 1));
    }
    uint32_t length = pl_maxicode_write(message, text + at, room - at);
    if (length > room - at)
        return pl_fail(err, PL_E_INVALID, "%zu characters are too many", message.len);
    at += length;
    if (at < room)
        text[at++] = PL_MAXICODE_LATCH;
    memset(text + at, PL_MAXICODE_PAD, room - at);
    if (has_address) {
        uint64_t bits;
        if (!address_bits(options, &bits))
            return pl_fail(err, PL_E_INVALID, "the postcode has a character that MaxiCode does not have there");
        for (uint32_t i = 0; i < PRIMARY; i++)
            codewords[i] = bits >> (6 * i) & 63;
    } else {
        codewords[0] = (uint8_t)options->mode;
        memcpy(codewords + 1, text, PRIMARY - 1);
    }
    memcpy(codewords + 2 * PRIMARY, text + room - data, data);
    return pl_maxicode_finish(codewords, options->mode, arena, cells, err);
}
