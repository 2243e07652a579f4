// Making, filling and measuring bitmaps.
#include "raster/bitmap.h"

#include "base/ckd.h"
#include "base/machine.h"
#include "raster/bits.h"

enum pl_errc pl_bitmap_new(struct pl_arena *arena, uint32_t width, uint32_t height, struct pl_bitmap *out,
                           struct pl_error *err)
{
    uint32_t stride = width / 64 + (width % 64 != 0);
    size_t words, bytes;
    *out = (struct pl_bitmap){.width = width, .height = height, .stride = stride};
    if (!PL_CKD_MUL(&words, (size_t)stride, (size_t)height) || !PL_CKD_MUL(&bytes, words, sizeof(uint64_t)))
        return pl_fail(err, PL_E_LIMIT, "a bitmap of %u x %u dots is too large", width, height);
    out->words = (uint64_t *)pl_arena_zalloc(arena, bytes ? bytes : sizeof(uint64_t), 64);
    return out->words ? PL_OK : pl_fail_memory(err);
}

// Bits of one word in each of `rows` rows.
static void fill_column(uint64_t *word, size_t stride, int64_t rows, uint64_t bits, enum pl_ink ink)
{
    // What the ink does: it keeps some bits and turns some round.
    uint64_t keep = ink == PL_INK_XOR ? UINT64_MAX : ~bits, turn = ink == PL_INK_WHITE ? 0 : bits;
    for (; rows > 0; rows--, word += stride)
        *word = (*word & keep) ^ turn;
}

PL_BY_MACHINE void pl_bitmap_fill(struct pl_bitmap *dst, struct pl_box box, enum pl_ink ink)
{
    int64_t x0 = PL_MAX(box.x0, 0), y0 = PL_MAX(box.y0, 0);
    int64_t x1 = PL_MIN((int64_t)box.x1, (int64_t)dst->width), y1 = PL_MIN((int64_t)box.y1, (int64_t)dst->height);
    if (x0 >= x1 || y0 >= y1)
        return;
    size_t first = (size_t)x0 / 64, last = (size_t)(x1 - 1) / 64;
    uint64_t head = ~UINT64_C(0) >> (x0 % 64);
    uint64_t tail = pl_tail_mask((uint32_t)x1);
    if (first == last)
        head &= tail;
    uint64_t *row = pl_bitmap_row(dst, (uint32_t)y0);
    if (first == last) { // most bars
        fill_column(row + first, dst->stride, y1 - y0, head, ink);
        return;
    }
    for (int64_t y = y0; y < y1; y++, row += dst->stride) {
        switch (ink) {
        case PL_INK_BLACK:
            row[first] |= head;
            for (size_t i = first + 1; i < last; i++)
                row[i] = ~UINT64_C(0);
            row[last] |= tail;
            break;
        case PL_INK_WHITE:
            row[first] &= ~head;
            for (size_t i = first + 1; i < last; i++)
                row[i] = 0;
            row[last] &= ~tail;
            break;
        case PL_INK_XOR:
            row[first] ^= head;
            for (size_t i = first + 1; i < last; i++)
                row[i] = ~row[i];
            row[last] ^= tail;
            break;
        }
    }
}

struct pl_box pl_bitmap_ink_box(const struct pl_bitmap *bm)
{
    uint32_t top = 0, bottom = bm->height;
    while (top < bottom && pl_words_are_blank(pl_bitmap_row(bm, top), bm->stride))
        top++;
    while (bottom > top && pl_words_are_blank(pl_bitmap_row(bm, bottom - 1), bm->stride))
        bottom--;
    if (top == bottom)
        return (struct pl_box){0, 0, 0, 0};
    // Each row need only be looked at outside of what earlier rows have already covered.
    uint32_t left = bm->width, right = 0;
    for (uint32_t y = top; y < bottom; y++) {
        const uint64_t *row = pl_bitmap_row(bm, y);
        for (size_t i = 0; i * 64 < left; i++) {
            if (row[i]) {
                uint32_t x = (uint32_t)i * 64 + (uint32_t)__builtin_clzll(row[i]);
                left = PL_MIN(left, x);
                break;
            }
        }
        for (size_t i = bm->stride; i-- > right / 64;) {
            if (row[i]) {
                uint32_t x = (uint32_t)i * 64 + 64 - (uint32_t)__builtin_ctzll(row[i]);
                right = PL_MAX(right, x);
                break;
            }
        }
    }
    return (struct pl_box){(int32_t)left, (int32_t)top, (int32_t)right, (int32_t)bottom};
}

bool pl_bitmap_has_ink(const struct pl_bitmap *bm, struct pl_box box)
{
    uint32_t x0 = (uint32_t)PL_MAX(box.x0, 0), x1 = (uint32_t)pl_clamp_i64(box.x1, 0, bm->width);
    uint32_t y0 = (uint32_t)PL_MAX(box.y0, 0), y1 = (uint32_t)pl_clamp_i64(box.y1, 0, bm->height);
    for (uint32_t y = y0; x0 < x1 && y < y1; y++) {
        uint32_t start, end;
        if (pl_bitmap_next_run(bm, y, x0, &start, &end) && start < x1)
            return true;
    }
    return false;
}
