// Drawing on samples, and counting them down to shades.
#include "raster/samples.h"

#include "base/ckd.h"
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

static uint16_t *make_group(struct pl_samples *canvas, uint16_t **place)
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
    *place = (uint16_t *)group;
    if (group)
        memset(group, 0, GROUP * sizeof(uint16_t));
    canvas->failed |= !group;
    return *place;
}

// The samples of a group, made where there are none; NULL: no memory.
static inline uint16_t *samples_at(struct pl_samples *canvas, uint32_t y, uint32_t group)
{
    uint16_t **row = canvas->rows[y];
    if (!row && !(row = make_row(canvas, y)))
        return NULL;
    return row[group] ? row[group] : make_group(canvas, &row[group]);
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
static void combine(struct pl_samples *canvas, uint32_t y, uint32_t group, const uint8_t *from, uint32_t first,
                    uint32_t count, enum pl_ink ink)
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

void pl_samples_put(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y, enum pl_ink ink)
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

// 64 samples of a row from sample x on, which may lie left or right of it.
static uint64_t word_at(const uint64_t *row, uint32_t stride, int64_t x)
{
    int64_t word = x >= 0 ? x / 64 : -((63 - x) / 64);
    unsigned shift = (unsigned)(x - word * 64);
    uint64_t a = word >= 0 && word < stride ? row[word] : 0;
    uint64_t b = shift && word + 1 >= 0 && word + 1 < stride ? row[word + 1] : 0;
    return shift ? a << shift | b >> (64 - shift) : a;
}

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
static enum coverage sixteen_dots(const struct pl_bitmap *bits, uint32_t left, uint32_t top, uint32_t n, uint32_t y,
                                  uint16_t dots[16])
{
    uint64_t rows[4] = {0}, any = 0, all = UINT64_MAX;
    for (unsigned k = 0; k < 4; k++) {
        int64_t sy = (int64_t)y * 4 + k - top;
        if (sy >= 0 && sy < bits->height)
            any |= rows[k] = word_at(pl_bitmap_row(bits, (uint32_t)sy), bits->stride, (int64_t)n * 64 - left);
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

void pl_samples_blit(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y, enum pl_ink ink)
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
                if (coverage == ALL)
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
            uint64_t dots = word_at(from, bits->stride, (int64_t)group * GROUP - x);
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

// ---- shades

// Eight dots at once, by whatever the machine has for that.
typedef uint16_t eight_dots __attribute__((vector_size(16)));
typedef uint8_t eight_shades __attribute__((vector_size(8)));

// 16 samples of ink are black, none is white, the rest in even steps. Dots that `black` has are black.
static void count_group(const uint16_t *samples, uint64_t black, uint8_t shades[GROUP])
{
    for (unsigned i = 0; i < GROUP; i += 8, black <<= 8) {
        uint64_t words[2];
        memcpy(words, samples + i, sizeof words);
        if ((words[0] | words[1]) == 0) {
            pl_store_be64(shades + i, pl_grey_eight((uint8_t)(black >> 56)));
            continue;
        }
        eight_dots v;
        memcpy(&v, words, sizeof v);
        v = v - (v >> 1 & 0x5555);
        v = (v & 0x3333) + (v >> 2 & 0x3333);
        v = (v + (v >> 4)) & 0x0F0F;
        v = (v + (v >> 8)) & 0x1F;
        v = 255 - 16 * v + ((v + 8) >> 4);
        eight_shades counted = __builtin_convertvector(v, eight_shades);
        memcpy(shades + i, &counted, sizeof counted);
        if (black >> 56)
            pl_store_be64(shades + i, pl_load_be64(shades + i) & pl_grey_eight((uint8_t)(black >> 56)));
    }
}

// Memory for shades is half a group of samples; the other half serves the next ones. NULL: there is none.
static uint8_t *new_shades(struct pl_samples *canvas)
{
    uint8_t *place = canvas->spare;
    if (place) {
        canvas->spare = NULL;
        return place;
    }
    uint16_t *group;
    if (!make_group(canvas, &group))
        return NULL;
    canvas->spare = (uint8_t *)group + GROUP;
    return (uint8_t *)group;
}

static void free_group(struct pl_samples *canvas, uint16_t *samples)
{
    memcpy(samples, &canvas->free, sizeof canvas->free);
    canvas->free = samples;
}

// Where the page's rows are those of the canvas: shades take the place of the samples.
static void count_in_place(struct pl_samples *canvas, struct pl_grey *page, uint32_t top)
{
    for (uint32_t y = 0; y < canvas->black.height; y++) {
        uint16_t **row = canvas->rows[y];
        if (!row)
            continue;
        const uint64_t *black = pl_bitmap_row(&canvas->black, y);
        uint8_t **groups = (uint8_t **)row; // the same memory, entry by entry
        for (uint32_t i = 0; i < canvas->black.stride; i++) {
            uint16_t *samples = row[i];
            uint8_t shades[GROUP], *place = NULL;
            if (samples) {
                count_group(samples, black[i], shades);
                free_group(canvas, samples);
                place = new_shades(canvas); // there is memory: it was given back just now
                memcpy(place, shades, GROUP);
            }
            memcpy(&groups[i], &place, sizeof place);
        }
        page->rows[top + y] = groups;
        canvas->rows[y] = NULL;
    }
}

// The shades of a group of the page, made of its two colours where it has none.
static uint8_t *shades_at(struct pl_samples *canvas, struct pl_grey *page, uint32_t y, uint32_t group)
{
    if (!page->rows[y]) {
        size_t size = page->black.stride * sizeof **page->rows;
        page->rows[y] = (uint8_t **)pl_arena_zalloc(canvas->arena, size, _Alignof(uint8_t *));
        if (!page->rows[y]) {
            canvas->failed = true;
            return NULL;
        }
    }
    uint8_t **place = &page->rows[y][group];
    if (!*place) {
        uint8_t *shades = new_shades(canvas);
        if (shades && pl_bitmap_row(&page->black, y)[group])
            pl_grey_get_group(page, y, group, shades);
        else if (shades)
            memset(shades, 255, GROUP);
        *place = shades;
    }
    return *place;
}

// Few dots are not looked at.
static bool is_white(const uint8_t *dots, uint32_t count)
{
    uint64_t word, all = UINT64_MAX;
    for (uint32_t i = 0; i + 8 <= count; i += 8) {
        memcpy(&word, dots + i, 8);
        all &= word;
    }
    if (count >= 8)
        memcpy(&word, dots + count - 8, 8);
    return count >= 8 && (all & word) == UINT64_MAX;
}

// 64 shades from dot x of the page on: parts of two groups.
static void put_moved(struct pl_samples *canvas, struct pl_grey *page, uint32_t y, int64_t x, const uint8_t *shades)
{
    int64_t group = x >= 0 ? x / GROUP : -((63 - x) / GROUP);
    uint32_t first = (uint32_t)(x - group * GROUP), count = GROUP - first;
    for (; count > 0; group++, shades += count, count = GROUP - count, first = 0) {
        uint8_t *to = NULL;
        if (group >= 0 && group < page->black.stride && !is_white(shades, count))
            to = shades_at(canvas, page, y, (uint32_t)group);
        if (to)
            memcpy(to + first, shades, count);
        if (first == 0)
            break;
    }
}

static void count_row_moved(struct pl_samples *canvas, uint32_t y, struct pl_grey *page, uint32_t to_y, uint32_t left,
                            bool mirrored)
{
    const uint64_t *black = pl_bitmap_row(&canvas->black, y);
    uint64_t *to = pl_bitmap_row(&page->black, to_y), any = 0;
    for (uint32_t i = 0; i < canvas->black.stride; i++)
        any |= black[i];
    for (uint32_t i = 0; any && i < page->black.stride; i++) {
        int64_t x = (int64_t)i * GROUP;
        if (mirrored)
            x = (int64_t)page->width - x - GROUP;
        uint64_t word = word_at(black, canvas->black.stride, x - left);
        to[i] = mirrored ? pl_reverse_bits64(word) : word;
    }
    for (uint32_t i = 0; canvas->rows[y] && i < canvas->black.stride; i++) {
        uint16_t *samples = canvas->rows[y][i];
        uint8_t shades[GROUP], turned[GROUP];
        if (!samples)
            continue;
        int64_t x = (int64_t)left + i * (int64_t)GROUP;
        count_group(samples, black[i], shades);
        free_group(canvas, samples);
        canvas->rows[y][i] = NULL;
        for (unsigned k = 0; mirrored && k < GROUP; k += 8)
            pl_store_be64(turned + k, __builtin_bswap64(pl_load_be64(shades + 56 - k)));
        put_moved(canvas, page, to_y, mirrored ? page->width - x - GROUP : x, mirrored ? turned : shades);
    }
}

void pl_samples_count(struct pl_samples *canvas, struct pl_grey *page, uint32_t top, const struct pl_grey_map *map)
{
    if (!map) {
        count_in_place(canvas, page, top);
        return;
    }
    for (uint32_t y = 0; y < canvas->black.height && !canvas->failed; y++) {
        uint32_t to_y = map->upside_down ? page->height - 1 - top - y : top + y;
        count_row_moved(canvas, y, page, to_y, map->left, map->mirrored != map->upside_down);
    }
}
