// Drawing on samples.
#include "raster/samples.h"

#include "base/ckd.h"
#include "base/machine.h"
#include "raster/bits.h"

#define GROUP PL_GREY_GROUP
#define CHUNK 32u // groups that are asked for at once
#define DOT_BITS (PL_SAMPLE_SCALE * PL_SAMPLE_SCALE)

enum pl_errc pl_samples_new(struct pl_arena *arena, uint32_t height, struct pl_samples *out, struct pl_error *err)
{
    *out = (struct pl_samples){.arena = arena};
    out->rows = PL_ARENA_ARRAY(arena, uint16_t **, PL_MAX(height, 1u));
    if (!out->rows)
        return pl_fail_memory(err);
    memset(out->rows, 0, PL_MAX(height, 1u) * sizeof *out->rows);
    return PL_OK;
}

static uint16_t **make_row(struct pl_samples *canvas, uint32_t y)
{
    size_t size = canvas->black.stride * sizeof **canvas->rows;
    canvas->rows[y] = (uint16_t **)pl_arena_zalloc(canvas->arena, size, _Alignof(uint16_t *));
    canvas->failed |= !canvas->rows[y];
    return canvas->rows[y];
}

PL_BY_MACHINE uint16_t *pl_samples_new_group(struct pl_samples *canvas)
{
    void *group = canvas->free;
    if (group) {
        memcpy(&canvas->free, group, sizeof canvas->free);
    } else {
        if (canvas->fresh_count == 0) {
            canvas->fresh = (uint16_t *)pl_arena_alloc(canvas->arena, CHUNK * GROUP * sizeof(uint16_t), 64);
            canvas->fresh_count = canvas->fresh ? CHUNK : 0;
        }
        group = canvas->fresh;
        if (group) {
            canvas->fresh += GROUP;
            canvas->fresh_count--;
        }
    }
    if (group)
        memset(group, 0, GROUP * sizeof(uint16_t));
    canvas->failed |= !group;
    return (uint16_t *)group;
}

// The samples of a group, made where there are none; NULL: no memory.
static inline uint16_t *samples_at(struct pl_samples *canvas, uint32_t y, uint32_t group)
{
    uint16_t **row = canvas->rows[y];
    if (!row && !(row = make_row(canvas, y)))
        return NULL;
    if (!row[group])
        row[group] = pl_samples_new_group(canvas);
    return row[group];
}

// ---- dots of 16 samples

// Words of memory: four dots each, in whatever order.
static inline void or_words(uint8_t *to, const uint8_t *from, uint32_t dots)
{
    for (; dots >= 4; dots -= 4, to += 8, from += 8) {
        uint64_t a, b;
        memcpy(&a, to, 8);
        memcpy(&b, from, 8);
        a |= b;
        memcpy(to, &a, 8);
    }
    for (; dots > 0; dots--, to += 2, from += 2) {
        to[0] |= from[0];
        to[1] |= from[1];
    }
}

// Whatever the ink: a black dot has all samples. What is covered wholly is black or white again.
PL_BY_MACHINE static void combine(struct pl_samples *canvas, uint32_t y, uint32_t group, const uint8_t *from,
                                  uint32_t first, uint32_t count, enum pl_ink ink)
{
    uint64_t *black = &pl_bitmap_row(&canvas->black, y)[group];
    uint16_t **row = canvas->rows[y], *to = row ? row[group] : NULL;
    for (uint32_t i = first; i < first + count; i++, from += 2) {
        uint16_t new, old = to ? to[i] : 0;
        uint64_t bit = UINT64_C(1) << (63 - i);
        memcpy(&new, from, 2);
        if (new == 0)
            continue;
        if (*black & bit)
            old = PL_SAMPLE_FULL;
        uint16_t both = (uint16_t)(ink == PL_INK_BLACK ? old | new : ink == PL_INK_WHITE ? old & ~new : old ^ new);
        *black = both == PL_SAMPLE_FULL ? *black | bit : *black & ~bit;
        if (both == 0 || both == PL_SAMPLE_FULL) {
            if (to)
                to[i] = 0;
            continue;
        }
        if (!to && !(to = samples_at(canvas, y, group)))
            return;
        to[i] = both;
    }
}

PL_BY_MACHINE void pl_samples_put(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y,
                                  enum pl_ink ink)
{
    int64_t x0 = PL_MAX(x, 0), x1 = PL_MIN(x + bits->width / DOT_BITS, (int64_t)canvas->black.width);
    int64_t y0 = PL_MAX(y, 0), y1 = PL_MIN(y + bits->height, (int64_t)canvas->black.height);
    if (x0 >= x1 || y0 >= y1)
        return;
    uint32_t first = (uint32_t)(x0 / GROUP), last = (uint32_t)((x1 - 1) / GROUP), at = (uint32_t)(x0 % GROUP);
    size_t stride = bits->stride * sizeof(uint64_t);
    const uint8_t *from = (const uint8_t *)bits->words + (size_t)(y0 - y) * stride + (size_t)(x0 - x) * 2;
    // Glyphs mostly: in one group or two, and padded to four dots.
    uint32_t dots = (uint32_t)(x1 - x0), padded = (dots + 3) / 4 * 4;
    if (ink == PL_INK_BLACK && at + padded <= GROUP && x1 - x == bits->width / DOT_BITS && x0 == x) {
        for (uint32_t row = (uint32_t)y0; row < (uint32_t)y1; row++, from += stride) {
            uint16_t *to = samples_at(canvas, row, first);
            if (!to)
                return;
            or_words((uint8_t *)(to + at), from, padded);
        }
        return;
    }
    for (uint32_t row = (uint32_t)y0; row < (uint32_t)y1; row++, from += stride) {
        const uint8_t *p = from;
        uint32_t begin = at, left = dots;
        for (uint32_t group = first; group <= last; group++, begin = 0) {
            uint32_t here = PL_MIN(left, GROUP - begin);
            uint16_t *to = ink == PL_INK_BLACK ? samples_at(canvas, row, group) : NULL;
            if (to)
                or_words((uint8_t *)(to + begin), p, here);
            else if (ink != PL_INK_BLACK)
                combine(canvas, row, group, p, begin, here, ink);
            p += (size_t)here * 2;
            left -= here;
        }
    }
}

// Whole dots of a group, a bit for each.
static void combine_dots(struct pl_samples *canvas, uint32_t y, uint32_t group, uint64_t dots, enum pl_ink ink)
{
    uint64_t *black = &pl_bitmap_row(&canvas->black, y)[group];
    uint16_t *samples = canvas->rows[y] ? canvas->rows[y][group] : NULL;
    if (ink == PL_INK_BLACK) {
        *black |= dots;
    } else if (!samples) {
        *black = ink == PL_INK_WHITE ? *black & ~dots : *black ^ dots;
    } else {
        for (uint64_t left = dots; left; left &= left - 1) {
            uint64_t bit = left & -left;
            uint16_t *at = &samples[63 - __builtin_ctzll(left)];
            if (ink == PL_INK_WHITE || *black & bit) {
                *at = 0;
                *black &= ~bit;
            } else if (*at == 0) {
                *black |= bit;
            } else {
                *at = (uint16_t) ~*at;
            }
        }
    }
}

// ---- bitmaps of four times the size

enum coverage { NONE, SOME, ALL };

// 16 dots from four rows of 64 samples.
static void weave(const uint64_t rows[4], uint16_t dots[16])
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned shift = 60 - 4 * i;
        dots[i] = (uint16_t)((rows[0] >> shift & 15) << 12 | (rows[1] >> shift & 15) << 8 |
                             (rows[2] >> shift & 15) << 4 | (rows[3] >> shift & 15));
    }
}

// Dots [16 n, 16 n + 16) of row y of a bitmap that begins `left` and `top` samples inside its first dot.
PL_BY_MACHINE static enum coverage sixteen_dots(const struct pl_bitmap *bits, uint32_t left, uint32_t top, uint32_t n,
                                                uint32_t y, uint16_t dots[16])
{
    uint64_t rows[4] = {0}, any = 0, all = UINT64_MAX;
    for (unsigned k = 0; k < 4; k++) {
        int64_t sy = (int64_t)y * 4 + k - top;
        if (sy >= 0 && sy < bits->height)
            any |= rows[k] = pl_word_at(pl_bitmap_row(bits, (uint32_t)sy), bits->stride, (int64_t)n * 64 - left);
    }
    for (unsigned k = 0; k < 4; k++)
        all &= rows[k];
    if (any)
        weave(rows, dots);
    return any == 0 ? NONE : all == UINT64_MAX ? ALL : SOME;
}

enum pl_errc pl_samples_of_bits(struct pl_arena *arena, const struct pl_bitmap *bits, uint32_t left, uint32_t top,
                                struct pl_bitmap *out, struct pl_error *err)
{
    uint32_t columns = (left + bits->width + 3) / 4, rows = (top + bits->height + 3) / 4;
    PL_TRY(pl_bitmap_new(arena, columns * DOT_BITS, rows, out, err));
    for (uint32_t y = 0; y < rows; y++) {
        uint8_t *to = (uint8_t *)pl_bitmap_row(out, y);
        for (uint32_t n = 0; n * 16 < columns; n++) {
            uint16_t dots[16];
            if (sixteen_dots(bits, left, top, n, y, dots) != NONE)
                memcpy(to + (size_t)n * 32, dots, PL_MIN(16u, columns - n * 16) * sizeof dots[0]);
        }
    }
    return PL_OK;
}

PL_BY_MACHINE void pl_samples_blit(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y,
                                   enum pl_ink ink)
{
    // The first dot of the canvas that the bitmap touches, and where in it the bitmap begins.
    int64_t dx = x >= 0 ? x / 4 : -((3 - x) / 4), dy = y >= 0 ? y / 4 : -((3 - y) / 4);
    uint32_t left = (uint32_t)(x - dx * 4), top = (uint32_t)(y - dy * 4);
    int64_t columns = ((int64_t)left + bits->width + 3) / 4, rows = ((int64_t)top + bits->height + 3) / 4;
    int64_t y1 = PL_MIN(dy + rows, (int64_t)canvas->black.height), n0 = dx < 0 ? -dx / 16 : 0;
    int64_t n1 = (PL_MIN(columns, (int64_t)canvas->black.width - dx) + 15) / 16;
    for (int64_t row = PL_MAX(dy, 0); row < y1; row++) {
        for (int64_t n = n0; n < n1; n++) {
            uint16_t dots[16];
            enum coverage coverage = sixteen_dots(bits, left, top, (uint32_t)n, (uint32_t)(row - dy), dots);
            if (coverage == NONE)
                continue;
            // Dots of the canvas [a, b), which lie in one group or in two.
            int64_t from = dx + n * 16, a = PL_MAX(from, 0), b = PL_MIN(from + 16, (int64_t)canvas->black.width);
            while (a < b) {
                uint32_t group = (uint32_t)a / GROUP, first = (uint32_t)a % GROUP;
                uint32_t here = (uint32_t)PL_MIN(b - a, (int64_t)(GROUP - first));
                uint16_t *to =
                    ink == PL_INK_BLACK && coverage == SOME ? samples_at(canvas, (uint32_t)row, group) : NULL;
                if (to)
                    or_words((uint8_t *)(to + first), (const uint8_t *)(dots + (a - from)), here);
                else if (coverage == ALL)
                    combine_dots(canvas, (uint32_t)row, group, UINT64_MAX << (64 - here) >> first, ink);
                else
                    combine(canvas, (uint32_t)row, group, (const uint8_t *)(dots + (a - from)), first, here, ink);
                a += here;
            }
        }
    }
}

// ---- whole dots

void pl_samples_fill(struct pl_samples *canvas, struct pl_box box, enum pl_ink ink)
{
    if (ink == PL_INK_BLACK) {
        pl_bitmap_fill(&canvas->black, box, ink);
        return;
    }
    uint32_t x0 = (uint32_t)PL_MAX(box.x0, 0), x1 = (uint32_t)pl_clamp_i64(box.x1, 0, canvas->black.width);
    uint32_t y0 = (uint32_t)PL_MAX(box.y0, 0), y1 = (uint32_t)pl_clamp_i64(box.y1, 0, canvas->black.height);
    for (uint32_t y = y0; x0 < x1 && y < y1; y++) {
        for (uint32_t group = x0 / GROUP; group <= (x1 - 1) / GROUP; group++) {
            uint64_t dots = ~UINT64_C(0);
            if (group == x0 / GROUP)
                dots >>= x0 % GROUP;
            if (group == (x1 - 1) / GROUP)
                dots &= pl_tail_mask(x1);
            combine_dots(canvas, y, group, dots, ink);
        }
    }
}

void pl_samples_dots(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y, enum pl_ink ink)
{
    if (x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX)
        return;
    if (ink == PL_INK_BLACK) {
        pl_bitmap_blit(&canvas->black, bits, (int32_t)x, (int32_t)y, ink);
        return;
    }
    uint32_t y0 = (uint32_t)PL_MAX(y, 0), y1 = (uint32_t)pl_clamp_i64(y + bits->height, 0, canvas->black.height);
    for (uint32_t row = y0; row < y1; row++) {
        const uint64_t *from = pl_bitmap_row(bits, (uint32_t)(row - y));
        for (uint32_t group = 0; group < canvas->black.stride; group++) {
            uint64_t dots = pl_word_at(from, bits->stride, (int64_t)group * GROUP - x);
            if (group + 1 == canvas->black.stride)
                dots &= pl_tail_mask(canvas->black.width);
            if (dots)
                combine_dots(canvas, row, group, dots, ink);
        }
    }
}

void pl_samples_reverse(struct pl_samples *canvas, const struct pl_bitmap *mask, uint32_t y0, uint32_t y1)
{
    for (uint32_t y = y0; y < y1; y++) {
        const uint64_t *row = pl_bitmap_row(mask, y);
        for (uint32_t group = 0; group < canvas->black.stride; group++) {
            if (row[group])
                combine_dots(canvas, y, group, row[group], PL_INK_XOR);
        }
    }
}
