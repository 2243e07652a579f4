// Copying bitmaps onto bitmaps: shifted by words, never dot by dot.
#include "base/ckd.h"
#include "raster/bitmap.h"
#include "raster/bits.h"

static inline uint64_t apply(uint64_t below, uint64_t bits, enum pl_ink ink)
{
    return ink == PL_INK_BLACK ? below | bits : ink == PL_INK_WHITE ? below & ~bits : below ^ bits;
}

// `ink` is a constant at each call, so that the compiler makes one tight loop for each.
static inline __attribute__((always_inline)) void blit_rows(struct pl_bitmap *dst, const struct pl_bitmap *src,
                                                            int64_t first_word, unsigned shift, int64_t y, uint32_t sy0,
                                                            uint32_t sy1, enum pl_ink ink)
{
    // Source words [i0, i1) fall into words of the row; bits beyond the row's width are masked off in its last word.
    // The last source word may spill into one word more than the range says, and the first may lie left of the row.
    int64_t row_words = dst->stride;
    int64_t i0 = first_word < 0 ? -first_word : 0;
    int64_t i1 = PL_MIN((int64_t)src->stride, row_words - first_word);
    uint64_t tail = pl_tail_mask(dst->width);
    for (uint32_t sy = sy0; sy < sy1; sy++) {
        const uint64_t *s = pl_bitmap_row(src, sy);
        uint64_t *d = pl_bitmap_row(dst, (uint32_t)(y + sy));
        if (shift == 0) {
            for (int64_t i = i0; i < i1; i++)
                d[first_word + i] = apply(d[first_word + i], s[i], ink);
        } else {
            uint64_t carry = i0 > 0 && i0 <= (int64_t)src->stride ? s[i0 - 1] << (64 - shift) : 0;
            for (int64_t i = i0; i < i1; i++) {
                d[first_word + i] = apply(d[first_word + i], carry | s[i] >> shift, ink);
                carry = s[i] << (64 - shift);
            }
            if (carry && i1 == (int64_t)src->stride && first_word + i1 < row_words && first_word + i1 >= 0)
                d[first_word + i1] = apply(d[first_word + i1], carry, ink);
        }
        d[row_words - 1] &= tail;
    }
}

void pl_bitmap_blit(struct pl_bitmap *dst, const struct pl_bitmap *src, int32_t x, int32_t y, enum pl_ink ink)
{
    if (x >= (int64_t)dst->width || y >= (int64_t)dst->height || (int64_t)x + src->width <= 0 ||
        (int64_t)y + src->height <= 0 || src->width == 0 || dst->width == 0)
        return;
    uint32_t sy0 = y < 0 ? (uint32_t) - (int64_t)y : 0;
    uint32_t sy1 = (uint32_t)PL_MIN((int64_t)src->height, (int64_t)dst->height - y);
    unsigned shift = (unsigned)x & 63;
    int64_t first_word = ((int64_t)x - shift) / 64;
    switch (ink) {
    case PL_INK_BLACK:
        blit_rows(dst, src, first_word, shift, y, sy0, sy1, PL_INK_BLACK);
        break;
    case PL_INK_WHITE:
        blit_rows(dst, src, first_word, shift, y, sy0, sy1, PL_INK_WHITE);
        break;
    case PL_INK_XOR:
        blit_rows(dst, src, first_word, shift, y, sy0, sy1, PL_INK_XOR);
        break;
    }
}
