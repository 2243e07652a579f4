// PNG of two bitmaps laid over each other, in four colours.
#include "base/ckd.h"
#include "base/deflate.h"
#include "enc/enc.h"
#include "enc/png_chunk.h"

// By the bits of a dot: 1 has ink in the first, 2 in the second. Orange and blue of Okabe and Ito's palette: they are
// told apart by people who do not see all colours, and in grey.
static const uint8_t PALETTE[4][3] = {{0xFF, 0xFF, 0xFF}, {0xD5, 0x5E, 0x00}, {0x00, 0x72, 0xB2}, {0x00, 0x00, 0x00}};

// Bits of the lower half of a word, each moved to an even place.
static uint64_t spread(uint64_t half)
{
    half &= UINT64_C(0xFFFFFFFF);
    half = (half | half << 16) & UINT64_C(0x0000FFFF0000FFFF);
    half = (half | half << 8) & UINT64_C(0x00FF00FF00FF00FF);
    half = (half | half << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    half = (half | half << 2) & UINT64_C(0x3333333333333333);
    return (half | half << 1) & UINT64_C(0x5555555555555555);
}

static uint64_t word_of(const struct pl_bitmap *bm, uint32_t y, uint32_t word)
{
    return y < bm->height && word < bm->stride ? pl_bitmap_row(bm, y)[word] : 0;
}

// 32 dots of a row; white above the first row.
static uint64_t dots_at(const struct pl_bitmap *first, const struct pl_bitmap *second, uint32_t y, uint32_t half)
{
    uint32_t word = half / 2, shift = half % 2 == 0 ? 32 : 0;
    return spread(word_of(first, y, word) >> shift) | spread(word_of(second, y, word) >> shift) << 1;
}

// Filter "up": most rows of a label are like the one above, and zeros are quickly compressed.
static void put_row(struct pl_buf *rows, const struct pl_bitmap *first, const struct pl_bitmap *second, uint32_t y,
                    uint32_t bytes)
{
    enum { UP = 2 };
    pl_buf_append_byte(rows, UP);
    for (uint32_t at = 0; at < bytes; at += 8) {
        uint64_t dots = dots_at(first, second, y, at / 8), above = y > 0 ? dots_at(first, second, y - 1, at / 8) : 0;
        uint8_t eight[8];
        for (int i = 0; i < 8; i++)
            eight[i] = (uint8_t)((dots >> (56 - 8 * i)) - (above >> (56 - 8 * i)));
        pl_buf_append(rows, eight, PL_MIN(bytes - at, 8u));
    }
}

static enum pl_errc put_data(const struct pl_bitmap *first, const struct pl_bitmap *second, uint32_t width,
                             uint32_t height, struct pl_buf *out, struct pl_error *err)
{
    struct pl_buf rows;
    struct pl_deflater *deflater = pl_deflater_new();
    if (!deflater)
        return pl_fail_memory(err);
    pl_buf_init(&rows, SIZE_MAX / 2);
    for (uint32_t y = 0; y < height && !rows.failed; y++)
        put_row(&rows, first, second, y, width / 4 + (width % 4 != 0));
    enum pl_errc code = pl_buf_check(&rows, err);
    if (code == PL_OK)
        pl_deflate_text(deflater, pl_buf_slice(&rows), out);
    pl_buf_fini(&rows);
    pl_deflater_free(deflater);
    return code;
}

enum pl_errc pl_png_encode_both(const struct pl_bitmap *first, const struct pl_bitmap *second, uint32_t density,
                                struct pl_buf *out, struct pl_error *err)
{
    enum { INDEXED = 3, DEPTH = 2 };
    uint32_t width = PL_MAX(first->width, second->width), height = PL_MAX(first->height, second->height);
    PL_TRY(pl_png_begin(out, width, height, DEPTH, INDEXED, err));
    size_t chunk = pl_png_begin_chunk(out, "PLTE");
    pl_buf_append(out, PALETTE, sizeof PALETTE);
    PL_TRY(pl_png_end_chunk(out, chunk, err));
    if (density > 0)
        PL_TRY(pl_png_density(out, density, err));
    chunk = pl_png_begin_chunk(out, "IDAT");
    PL_TRY(put_data(first, second, width, height, out, err));
    PL_TRY(pl_png_end_chunk(out, chunk, err));
    return pl_png_end(out, err);
}
