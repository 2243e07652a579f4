// Quarter turns, mirroring and integer enlargement of bitmaps.
#include "base/ckd.h"

#include "raster/bitmap.h"
#include "raster/bits.h"
#include <assert.h>

void pl_transpose64(uint64_t block[64])
{
    uint64_t mask = UINT64_C(0x00000000FFFFFFFF);
    for (unsigned j = 32; j != 0; j >>= 1, mask ^= mask << j) {
        for (unsigned k = 0; k < 64; k = (k + j + 1) & ~j) {
            uint64_t swap = (block[k] ^ (block[k + j] >> j)) & mask;
            block[k] ^= swap;
            block[k + j] ^= swap << j;
        }
    }
}

// out(x, y) = src(y, x): rows become columns.
static void transpose(const struct pl_bitmap *src, struct pl_bitmap *out)
{
    uint64_t block[64];
    for (uint32_t by = 0; by < src->height; by += 64) {
        uint32_t rows = PL_MIN(64u, src->height - by);
        for (uint32_t bx = 0; bx < src->stride; bx++) {
            uint64_t any = 0;
            for (uint32_t r = 0; r < 64; r++) {
                block[r] = r < rows ? pl_bitmap_row(src, by + r)[bx] : 0;
                any |= block[r];
            }
            if (!any)
                continue;
            pl_transpose64(block);
            uint32_t columns = PL_MIN(64u, src->width - bx * 64);
            for (uint32_t c = 0; c < columns; c++)
                pl_bitmap_row(out, bx * 64 + c)[by / 64] = block[c];
        }
    }
}

static void flip_rows(struct pl_bitmap *bm)
{
    for (uint32_t top = 0, bottom = bm->height; top + 1 < bottom;) {
        bottom--;
        uint64_t *a = pl_bitmap_row(bm, top), *b = pl_bitmap_row(bm, bottom);
        for (uint32_t i = 0; i < bm->stride; i++) {
            uint64_t t = a[i];
            a[i] = b[i];
            b[i] = t;
        }
        top++;
    }
}

// Writes `from` mirrored to `to`, which is another row. The reversed words have the padding in front; it is shifted
// out.
static void mirror_row(uint64_t *restrict to, const uint64_t *restrict from, uint32_t n, unsigned pad)
{
    uint64_t next = pl_reverse_bits64(from[n - 1]);
    if (pad == 0) {
        for (uint32_t i = 0; i < n; i++)
            to[i] = pl_reverse_bits64(from[n - 1 - i]);
        return;
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint64_t word = next;
        next = pl_reverse_bits64(from[n - 2 - i]);
        to[i] = word << pad | next >> (64 - pad);
    }
    to[n - 1] = next << pad;
}

// One row of scratch is enough to work in place; wider bitmaps than this do it in the row itself.
#define LINE_WORDS 512u

static void mirror_in_place(uint64_t *row, uint32_t n, unsigned pad)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        uint64_t t = pl_reverse_bits64(row[i]);
        row[i] = pl_reverse_bits64(row[n - 1 - i]);
        row[n - 1 - i] = t;
    }
    if (n % 2)
        row[n / 2] = pl_reverse_bits64(row[n / 2]);
    if (pad) {
        for (uint32_t i = 0; i + 1 < n; i++)
            row[i] = row[i] << pad | row[i + 1] >> (64 - pad);
        row[n - 1] <<= pad;
    }
}

void pl_bitmap_mirror(struct pl_bitmap *bm)
{
    unsigned pad = (64 - bm->width % 64) % 64;
    for (uint32_t y = 0; y < bm->height && bm->stride > 0; y++) {
        uint64_t *row = pl_bitmap_row(bm, y);
        if (!pl_words_are_blank(row, bm->stride))
            mirror_in_place(row, bm->stride, pad);
    }
}

void pl_bitmap_turn_over(struct pl_bitmap *bm)
{
    uint32_t n = bm->stride;
    unsigned pad = (64 - bm->width % 64) % 64;
    if (n == 0 || n > LINE_WORDS) {
        flip_rows(bm);
        pl_bitmap_mirror(bm);
        return;
    }
    uint64_t line[LINE_WORDS];
    uint32_t top = 0, bottom = bm->height;
    for (; top + 1 < bottom; top++) {
        bottom--;
        uint64_t *a = pl_bitmap_row(bm, top), *b = pl_bitmap_row(bm, bottom);
        bool blank_a = pl_words_are_blank(a, n), blank_b = pl_words_are_blank(b, n);
        if (blank_a && blank_b)
            continue;
        memcpy(line, a, n * sizeof *line);
        mirror_row(a, b, n, pad);
        mirror_row(b, line, n, pad);
    }
    if (top < bottom)
        mirror_in_place(pl_bitmap_row(bm, top), n, pad);
}

enum pl_errc pl_bitmap_turn(struct pl_arena *arena, const struct pl_bitmap *src, enum pl_rotation rotation,
                            struct pl_bitmap *out, struct pl_error *err)
{
    bool quarter = rotation == PL_ROT_R || rotation == PL_ROT_B;
    PL_TRY(pl_bitmap_new(arena, quarter ? src->height : src->width, quarter ? src->width : src->height, out, err));
    if (quarter) {
        transpose(src, out);
        if (rotation == PL_ROT_R)
            pl_bitmap_mirror(out);
        else
            flip_rows(out);
        return PL_OK;
    }
    memcpy(out->words, src->words, (size_t)src->stride * src->height * sizeof(uint64_t));
    if (rotation == PL_ROT_I)
        pl_bitmap_turn_over(out);
    return PL_OK;
}

// The next run of ink of a row from column x on; false when there is none.
bool pl_bitmap_next_run(const struct pl_bitmap *bm, uint32_t y, uint32_t x, uint32_t *start, uint32_t *end)
{
    assert(y < bm->height);
    if (x >= bm->width)
        return false;
    const uint64_t *row = pl_bitmap_row(bm, y);
    uint32_t i = x / 64;
    uint64_t word = row[i] & (~UINT64_C(0) >> (x % 64));
    while (!word) {
        if (++i >= bm->stride)
            return false;
        word = row[i];
    }
    unsigned bit = (unsigned)__builtin_clzll(word);
    *start = i * 64 + bit;
    word = ~row[i] & (~UINT64_C(0) >> bit);
    while (!word) {
        if (++i >= bm->stride) {
            *end = bm->width;
            return true;
        }
        word = ~row[i];
    }
    *end = PL_MIN(i * 64 + (uint32_t)__builtin_clzll(word), bm->width);
    return true;
}

enum pl_errc pl_bitmap_enlarge(struct pl_arena *arena, const struct pl_bitmap *src, uint32_t mx, uint32_t my,
                               struct pl_bitmap *out, struct pl_error *err)
{
    uint32_t width, height;
    assert(mx > 0 && my > 0);
    if (!PL_CKD_MUL(&width, src->width, mx) || !PL_CKD_MUL(&height, src->height, my) || width > INT32_MAX ||
        height > INT32_MAX)
        return pl_fail(err, PL_E_LIMIT, "an image of %u x %u dots cannot be enlarged %u x %u times", src->width,
                       src->height, mx, my);
    PL_TRY(pl_bitmap_new(arena, width, height, out, err));
    if (my == 0 || mx == 0)
        return PL_OK;
    for (uint32_t y = 0; y < src->height; y++) {
        uint64_t *row = pl_bitmap_row(out, y * my);
        uint32_t start, end, x = 0;
        while (pl_bitmap_next_run(src, y, x, &start, &end)) {
            pl_bitmap_fill(
                out,
                (struct pl_box){(int32_t)(start * mx), (int32_t)(y * my), (int32_t)(end * mx), (int32_t)(y * my + 1)},
                PL_INK_BLACK);
            x = end;
        }
        if (x == 0)
            continue; // a blank row stays blank
        for (uint32_t k = 1; k < my; k++)
            memcpy(row + (size_t)k * out->stride, row, (size_t)out->stride * sizeof(uint64_t));
    }
    return PL_OK;
}

// Large pictures with many short runs are enlarged word by word, by a table of four dots.
#define WORDS_MX_MOST 16u
#define WORDS_LEAST_DOTS 4096u

static void put_bits(uint64_t *row, const struct pl_bitmap *dst, int64_t index, uint64_t bits, enum pl_ink ink)
{
    if (index < 0 || index >= (int64_t)dst->stride)
        return;
    if (index == (int64_t)dst->stride - 1)
        bits &= pl_tail_mask(dst->width);
    row[index] = ink == PL_INK_BLACK ? row[index] | bits : ink == PL_INK_WHITE ? row[index] & ~bits : row[index] ^ bits;
}

// `rows` rows of the bitmap from `top` on get 64 dots that begin at column x.
static void put_word(struct pl_bitmap *dst, int64_t x, uint32_t top, uint32_t rows, uint64_t bits, enum pl_ink ink)
{
    unsigned shift = (unsigned)x & 63;
    int64_t index = (x - shift) / 64;
    for (uint32_t y = top; bits && y < top + rows; y++) {
        uint64_t *row = pl_bitmap_row(dst, y);
        put_bits(row, dst, index, bits >> shift, ink);
        if (shift)
            put_bits(row, dst, index + 1, bits << (64 - shift), ink);
    }
}

// 64 dots, each mx wide: 16 times 4 * mx dots are mx words.
static void put_wide(struct pl_bitmap *dst, uint64_t word, const uint64_t wide[16], uint32_t mx, int64_t left,
                     uint32_t top, uint32_t rows, enum pl_ink ink)
{
    uint64_t made = 0;
    for (unsigned k = 0, used = 0, width = 4 * mx; k < 16; k++) {
        uint64_t dots = wide[word >> (60 - 4 * k) & 15];
        used += width;
        if (used < 64) {
            made |= dots << (64 - used);
            continue;
        }
        used -= 64;
        put_word(dst, left, top, rows, made | dots >> used, ink);
        left += 64;
        made = used ? dots << (64 - used) : 0;
    }
}

static void blit_words(struct pl_bitmap *dst, const struct pl_bitmap *src, uint32_t y0, uint32_t y1, int64_t x,
                       int64_t y, uint32_t mx, uint32_t my, enum pl_ink ink)
{
    uint64_t wide[16] = {0}; // 4 * mx dots
    for (uint32_t four = 0; four < 16; four++) {
        for (uint32_t bit = 0; bit < 4; bit++)
            wide[four] = wide[four] << mx | (four >> (3 - bit) & 1 ? (UINT64_C(1) << mx) - 1 : 0);
    }
    for (uint32_t row = y0; row < y1 && row < src->height; row++) {
        int64_t top = PL_MAX(y + (int64_t)row * my, 0);
        int64_t bottom = PL_MIN(y + ((int64_t)row + 1) * my, (int64_t)dst->height);
        for (uint32_t i = 0; top < bottom && i < src->stride; i++) {
            int64_t left = x + (int64_t)i * 64 * mx;
            uint64_t word = pl_bitmap_row(src, row)[i];
            if (i == src->stride - 1)
                word &= pl_tail_mask(src->width);
            if (left >= (int64_t)dst->width)
                break;
            if (!word || left + 64 * (int64_t)mx <= 0)
                continue;
            put_wide(dst, word, wide, mx, left, (uint32_t)top, (uint32_t)(bottom - top), ink);
        }
    }
}

void pl_bitmap_blit_enlarged(struct pl_bitmap *dst, const struct pl_bitmap *src, uint32_t y0, uint32_t y1, int64_t x,
                             int64_t y, uint32_t mx, uint32_t my, enum pl_ink ink)
{
    if (mx >= 1 && mx <= WORDS_MX_MOST && my <= WORDS_MX_MOST && dst->width > 0 &&
        (uint64_t)src->width * src->height >= WORDS_LEAST_DOTS) {
        blit_words(dst, src, y0, y1, x, y, mx, my, ink);
        return;
    }
    for (uint32_t row = y0; row < y1 && row < src->height; row++) {
        int64_t top = y + (int64_t)row * my;
        if (top >= (int64_t)dst->height)
            break;
        if (top + my <= 0)
            continue;
        // Columns left of the bitmap are skipped, and nothing right of it is looked for.
        uint32_t start, end = x < 0 && mx > 0 ? (uint32_t)PL_MIN(-x / mx, (int64_t)src->width) : 0;
        while (pl_bitmap_next_run(src, row, end, &start, &end) && x + (int64_t)start * mx < (int64_t)dst->width) {
            struct pl_box box = {pl_clamp_i32(x + (int64_t)start * mx, INT32_MIN, INT32_MAX), (int32_t)top,
                                 pl_clamp_i32(x + (int64_t)end * mx, INT32_MIN, INT32_MAX),
                                 pl_clamp_i32(top + my, INT32_MIN, INT32_MAX)};
            pl_bitmap_fill(dst, box, ink);
        }
    }
}
