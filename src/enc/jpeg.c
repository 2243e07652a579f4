// JPEG (T.81 baseline), greyscale, for labels: most blocks of 8 x 8 dots are of one shade and need no transform, and
// those of a two-colour canvas that do come again and again, so what they were coded to is kept for a while.
#include <string.h>

#include "base/ckd.h"
#include "base/machine.h"
#include "enc/enc.h"
#include "enc/jpeg_block.h"
#include "enc/jpeg_codes.h"
#include "raster/bits.h"

#define MAX_SIDE 65500u
#define MEMO_BITS 11
#define CHECK_BLOCKS 16384

// Is it time to ask whether the work may go on?
static enum pl_errc check(struct pl_jpeg *j, uint32_t blocks, struct pl_error *err)
{
    j->blocks += blocks;
    if (j->blocks < CHECK_BLOCKS)
        return PL_OK;
    j->blocks = 0;
    return pl_job_check(j->job, err);
}

// ---- one block of shades

PL_BY_MACHINE static void code_shades(const struct pl_jpeg *j, const uint8_t shades[64], struct pl_jpeg_block *block)
{
    int32_t dots[8][8], passed[64], turned[8][8];
    const int32_t *lines[8];
    for (unsigned y = 0; y < 8; y++) {
        for (unsigned x = 0; x < 8; x++)
            dots[y][x] = shades[y * 8 + x] - PL_JPEG_MIDDLE;
        lines[y] = dots[y];
    }
    pl_jpeg_transform(j, lines, passed);
    for (unsigned v = 0; v < 8; v++) {
        for (unsigned x = 0; x < 8; x++)
            turned[x][v] = (passed[v * 8 + x] + (1 << (PL_JPEG_SCALE_BITS - PL_JPEG_ROW_BITS - 1))) >>
                           (PL_JPEG_SCALE_BITS - PL_JPEG_ROW_BITS);
        lines[v] = turned[v];
    }
    pl_jpeg_transform(j, lines, passed); // columns and rows have changed places: so has `order`
    pl_jpeg_code_block(j, passed, block);
}

// ---- two colours

struct memory {
    bool by_shades;                 // the page has shades: blocks of two colours are coded as those with shades are
    int32_t rows[256][8];           // each row of eight dots, transformed; not of a page with shades
    uint64_t keys[1u << MEMO_BITS]; // the dots of `blocks`; 0, which no block of several shades has: none
    struct pl_jpeg_block blocks[1u << MEMO_BITS];
};

static void transform_rows(const struct pl_jpeg *j, struct memory *memory)
{
    // Of all patterns, from those of one dot less; with all of the fraction, so that rounding does not add up.
    static const int32_t ink = 0 - 255;
    int32_t(*rows)[8] = memory->rows;
    memset(rows[0], 0, sizeof rows[0]);
    rows[0][0] = (255 - PL_JPEG_MIDDLE) * 8 * j->cosines[0][0];
    for (unsigned pattern = 1; pattern < 256; pattern++) {
        unsigned lowest = (unsigned)__builtin_ctz(pattern), without = pattern & (pattern - 1);
        for (unsigned u = 0; u < 8; u++)
            rows[pattern][u] = rows[without][u] + ink * j->cosines[u][7 - lowest];
    }
    for (unsigned pattern = 0; pattern < 256; pattern++) {
        for (unsigned u = 0; u < 8; u++)
            rows[pattern][u] = (rows[pattern][u] + (1 << (PL_JPEG_SCALE_BITS - PL_JPEG_ROW_BITS - 1))) >>
                               (PL_JPEG_SCALE_BITS - PL_JPEG_ROW_BITS);
    }
}

// `dots` has a row in each byte, the first one in the most significant.
PL_BY_MACHINE static void put_dots(struct pl_jpeg *j, struct memory *memory, uint64_t dots)
{
    size_t slot = (size_t)(dots * UINT64_C(0x9E3779B97F4A7C15) >> (64 - MEMO_BITS));
    struct pl_jpeg_block *block = &memory->blocks[slot];
    if (memory->keys[slot] != dots && memory->by_shades) {
        uint8_t shades[64];
        for (unsigned y = 0; y < 8; y++)
            pl_store_be64(shades + (size_t)8 * y, pl_grey_eight((uint8_t)(dots >> (56 - 8 * y))));
        code_shades(j, shades, block);
        memory->keys[slot] = dots;
    } else if (memory->keys[slot] != dots) {
        const int32_t *rows[8];
        int32_t coefficients[64];
        for (unsigned y = 0; y < 8; y++)
            rows[y] = memory->rows[dots >> (56 - 8 * y) & 0xFF];
        pl_jpeg_transform(j, rows, coefficients);
        pl_jpeg_code_block(j, coefficients, block);
        memory->keys[slot] = dots;
    }
    pl_jpeg_put_block(j, block);
}

// Eight rows of 64 dots, of which the first `count` groups of eight are on the canvas.
PL_BY_MACHINE static void put_words(struct pl_jpeg *j, struct memory *memory, const uint64_t words[8], uint32_t count)
{
    uint64_t any = 0, all = UINT64_MAX;
    for (unsigned y = 0; y < 8; y++) {
        any |= words[y];
        all &= words[y];
    }
    if (any == 0 || all == UINT64_MAX) {
        pl_jpeg_put_flat(j, pl_jpeg_flat_dc(j, any ? 0 : 255), count);
        return;
    }
    for (unsigned k = 0; k < count; k++) {
        unsigned shift = 56 - 8 * k;
        if ((any >> shift & 0xFF) == 0 || (all >> shift & 0xFF) == 0xFF) {
            pl_jpeg_put_flat(j, pl_jpeg_flat_dc(j, any >> shift & 0xFF ? 0 : 255), 1);
            continue;
        }
        uint64_t dots = 0;
        for (unsigned y = 0; y < 8; y++)
            dots = dots << 8 | (words[y] >> shift & 0xFF);
        put_dots(j, memory, dots);
    }
}

// Right of the canvas and below it the last dots go on: what is not seen disturbs least that way.
static uint64_t continued(uint64_t word, uint32_t dots)
{
    uint64_t last = word >> (64 - dots) & 1;
    return last ? word | (UINT64_MAX >> dots) : word;
}

static enum pl_errc code_bits(struct pl_jpeg *j, const struct pl_bitmap *bits, struct pl_arena *scratch,
                              struct pl_error *err)
{
    struct memory *memory = PL_ARENA_ARRAY(scratch, struct memory, 1);
    if (!memory)
        return pl_fail_memory(err);
    memory->by_shades = false;
    memset(memory->keys, 0, sizeof memory->keys);
    transform_rows(j, memory);
    uint32_t across = (bits->width + 7) / 8, edge = bits->width % 64;
    for (uint32_t top = 0; top < bits->height && !j->out->failed; top += 8) {
        const uint64_t *rows[8];
        for (uint32_t y = 0; y < 8; y++)
            rows[y] = pl_bitmap_row(bits, PL_MIN(top + y, bits->height - 1));
        for (uint32_t i = 0; i < bits->stride; i++) {
            uint64_t words[8];
            for (unsigned y = 0; y < 8; y++)
                words[y] = rows[y][i];
            if (edge && i + 1 == bits->stride) {
                for (unsigned y = 0; y < 8; y++)
                    words[y] = continued(words[y], edge);
            }
            put_words(j, memory, words, PL_MIN(across - i * 8, 8u));
        }
        PL_TRY(check(j, across, err));
    }
    return PL_OK;
}

// ---- shades

// Blocks of shades that were coded before.
struct shade_memory {
    uint64_t keys[1u << MEMO_BITS]; // 0: none
    uint8_t shades[1u << MEMO_BITS][64];
    struct pl_jpeg_block blocks[1u << MEMO_BITS];
};

static void put_shades(struct pl_jpeg *j, struct shade_memory *memory, const uint8_t shades[64])
{
    uint64_t key = 0;
    for (unsigned i = 0; i < 64; i += 8) {
        uint64_t row;
        memcpy(&row, shades + i, 8);
        key = (key ^ row) * UINT64_C(0x9E3779B97F4A7C15);
        key ^= key >> 29;
    }
    key |= 1;
    size_t slot = (size_t)(key >> (64 - MEMO_BITS));
    struct pl_jpeg_block *block = &memory->blocks[slot];
    if (memory->keys[slot] != key || memcmp(memory->shades[slot], shades, 64) != 0) {
        code_shades(j, shades, block);
        memory->keys[slot] = key;
        memcpy(memory->shades[slot], shades, 64);
    }
    pl_jpeg_put_block(j, block);
}

static bool is_flat(const uint8_t shades[64])
{
    uint64_t first, all = 0, row;
    memcpy(&first, shades, 8);
    for (unsigned i = 8; i < 64; i += 8) {
        memcpy(&row, shades + i, 8);
        all |= row ^ first;
    }
    return (all | (first ^ (first << 8 | first >> 56))) == 0;
}

// Eight rows of a group, of which the first `dots` are on the page. `ys` are the rows, the last of the page again where
// it has no more.
static void put_group(struct pl_jpeg *j, struct shade_memory *memory, const struct pl_grey *grey, const uint32_t ys[8],
                      uint32_t group, uint32_t dots)
{
    uint8_t rows[8][PL_GREY_GROUP];
    for (unsigned y = 0; y < 8; y++) {
        pl_grey_get_group(grey, ys[y], group, rows[y]);
        if (dots < PL_GREY_GROUP)
            memset(rows[y] + dots, rows[y][dots - 1], PL_GREY_GROUP - dots);
    }
    for (unsigned left = 0; left < dots; left += 8) {
        uint8_t block[64];
        for (unsigned y = 0; y < 8; y++)
            memcpy(block + (size_t)y * 8, rows[y] + left, 8);
        if (is_flat(block))
            pl_jpeg_put_flat(j, pl_jpeg_flat_dc(j, block[0]), 1);
        else
            put_shades(j, memory, block);
    }
}

PL_BY_MACHINE static enum pl_errc code_grey(struct pl_jpeg *j, const struct pl_grey *grey, struct pl_arena *scratch,
                                            struct pl_error *err)
{
    struct memory *memory = PL_ARENA_ARRAY(scratch, struct memory, 1);
    struct shade_memory *shades = PL_ARENA_ARRAY(scratch, struct shade_memory, 1);
    if (!memory || !shades)
        return pl_fail_memory(err);
    memory->by_shades = true;
    memset(memory->keys, 0, sizeof memory->keys);
    memset(shades->keys, 0, sizeof shades->keys);
    for (uint32_t top = 0; top < grey->height && !j->out->failed; top += 8) {
        uint32_t ys[8];
        bool some = false;
        for (uint32_t y = 0; y < 8; y++) {
            ys[y] = PL_MIN(top + y, grey->height - 1);
            some |= grey->rows[ys[y]] != NULL;
        }
        for (uint32_t i = 0; i < grey->black.stride; i++) {
            uint32_t dots = PL_MIN(PL_GREY_GROUP, grey->width - i * PL_GREY_GROUP);
            bool here = false;
            uint64_t words[8];
            for (unsigned y = 0; y < 8; y++) {
                here |= some && pl_grey_shades(grey, ys[y], i);
                words[y] = pl_bitmap_row(&grey->black, ys[y])[i];
                if (dots < PL_GREY_GROUP)
                    words[y] = continued(words[y], dots);
            }
            if (here)
                put_group(j, shades, grey, ys, i, dots);
            else
                put_words(j, memory, words, (dots + 7) / 8);
        }
        PL_TRY(check(j, (grey->width + 7) / 8, err));
    }
    return PL_OK;
}

// ---- the file

static void put_be16(struct pl_buf *out, uint32_t value)
{
    pl_buf_append(out, (const uint8_t[]){(uint8_t)(value >> 8), (uint8_t)value}, 2);
}

static void put_codes(struct pl_buf *out, uint8_t id, const struct pl_jpeg_table *table)
{
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xC4}, 2);
    put_be16(out, 2 + 1 + 16 + table->symbol_count);
    pl_buf_append_byte(out, id);
    pl_buf_append(out, table->counts, 16);
    pl_buf_append(out, table->symbols, table->symbol_count);
}

static void put_head(const struct pl_jpeg *j, uint32_t dots_per_inch)
{
    struct pl_buf *out = j->out;
    // Start; JFIF 1.1 with the density in dots per inch and no small picture.
    static const uint8_t start[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 1};
    pl_buf_append(out, start, sizeof start);
    put_be16(out, dots_per_inch);
    put_be16(out, dots_per_inch);
    pl_buf_append(out, (const uint8_t[]){0, 0}, 2);
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xDB, 0, 67, 0}, 5);
    for (unsigned k = 0; k < 64; k++)
        pl_buf_append_byte(out, j->steps[j->zigzag[k]]);
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xC0, 0, 11, 8}, 5);
    put_be16(out, j->height);
    put_be16(out, j->width);
    pl_buf_append(out, (const uint8_t[]){1, 1, 0x11, 0}, 4); // one component
    put_codes(out, 0x00, &pl_jpeg_dc);
    put_codes(out, 0x10, &pl_jpeg_ac);
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0}, 10);
}

enum pl_errc pl_jpeg_encode(const struct pl_canvas *canvas, unsigned quality, struct pl_arena *scratch,
                            struct pl_buf *out, struct pl_error *err)
{
    uint32_t width = canvas->bits ? canvas->bits->width : canvas->grey->width;
    uint32_t height = canvas->bits ? canvas->bits->height : canvas->grey->height;
    if (width > MAX_SIDE || height > MAX_SIDE)
        return pl_fail(err, PL_E_INVALID, "JPEG pictures have at most %u dots a side; this label has %u x %u", MAX_SIDE,
                       width, height);
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    struct pl_jpeg *j = PL_ARENA_ARRAY(scratch, struct pl_jpeg, 1);
    if (!j)
        return pl_fail_memory(err);
    memset(j, 0, sizeof *j);
    j->out = out;
    j->job = canvas->job;
    j->width = width;
    j->height = height;
    pl_jpeg_make_tables(j, quality, canvas->grey != NULL);
    put_head(j, (uint32_t)(((uint64_t)canvas->density * 254 + 5000) / 10000));
    enum pl_errc code = pl_buf_check(out, err);
    if (code == PL_OK) {
        j->at = j->end = out->data + out->len;
        code = canvas->bits ? code_bits(j, canvas->bits, scratch, err) : code_grey(j, canvas->grey, scratch, err);
    }
    if (code == PL_OK) {
        pl_jpeg_finish_bits(j);
        pl_buf_append(out, (const uint8_t[]){0xFF, 0xD9}, 2);
        code = pl_buf_check(out, err);
    }
    pl_arena_release(scratch, mark);
    return code;
}
