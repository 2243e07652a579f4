// Samples counted down to shades, in place or where they come to lie on a page.
#include "base/ckd.h"
#include "base/machine.h"
#include "raster/bits.h"
#include "raster/samples.h"

#define GROUP PL_GREY_GROUP

// Sixteen dots at once, by whatever the machine has for that.
#define AT_ONCE 16u
typedef uint16_t some_dots __attribute__((vector_size(2 * AT_ONCE)));
typedef uint8_t some_shades __attribute__((vector_size(AT_ONCE)));

// 16 samples of ink are black, none is white, the rest in even steps. Dots that `black` has are black. The shades may
// take the place of the samples' first half: what is written was read before.
PL_BY_MACHINE static void count_group(const uint16_t *samples, uint64_t black, uint8_t shades[GROUP])
{
    for (unsigned i = 0; i < GROUP; i += AT_ONCE, black <<= AT_ONCE) {
        uint64_t words[4];
        memcpy(words, samples + i, sizeof words);
        uint64_t any = words[0] | words[1] | words[2] | words[3];
        if (any == 0 && black >> (64 - AT_ONCE) == 0) {
            memset(shades + i, 255, AT_ONCE);
            continue;
        }
        some_dots v;
        memcpy(&v, words, sizeof v);
        v = v - (v >> 1 & 0x5555);
        v = (v & 0x3333) + (v >> 2 & 0x3333);
        v = (v + (v >> 4)) & 0x0F0F;
        v = (v + (v >> 8)) & 0x1F;
        v = 255 - 16 * v + ((v + 8) >> 4);
        some_shades counted = __builtin_convertvector(v, some_shades);
        memcpy(shades + i, &counted, sizeof counted);
        if (black >> (64 - AT_ONCE)) {
            for (unsigned k = 0; k < AT_ONCE; k += 8) {
                uint64_t dots = pl_grey_eight((uint8_t)(black >> (56 - k)));
                pl_store_be64(shades + i + k, pl_load_be64(shades + i + k) & dots);
            }
        }
    }
}

static void free_group(struct pl_samples *canvas, uint16_t *samples)
{
    memcpy(samples, &canvas->free, sizeof canvas->free);
    canvas->free = samples;
}

// The shades of a group, whose memory is given back or becomes theirs: they take half of it, and the other half serves
// the next ones.
static uint8_t *count_and_free(struct pl_samples *canvas, uint16_t *samples, uint64_t black)
{
    uint8_t *spare = canvas->spare, *place = spare ? spare : (uint8_t *)samples;
    count_group(samples, black, place);
    canvas->spare = spare ? NULL : place + GROUP;
    if (spare)
        free_group(canvas, samples);
    return place;
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
            uint8_t *shades = row[i] ? count_and_free(canvas, row[i], black[i]) : NULL;
            memcpy(&groups[i], &shades, sizeof shades);
        }
        page->rows[top + y] = groups;
        canvas->rows[y] = NULL;
    }
}

// Memory for the shades of a group; NULL: there is none.
static uint8_t *new_shades(struct pl_samples *canvas)
{
    uint8_t *place = canvas->spare;
    if (place) {
        canvas->spare = NULL;
        return place;
    }
    uint16_t *group = pl_samples_new_group(canvas);
    if (!group)
        return NULL;
    canvas->spare = (uint8_t *)group + GROUP;
    return (uint8_t *)group;
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

// Fewer than eight dots count as not white.
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
    uint64_t *to = pl_bitmap_row(&page->black, to_y);
    const bool blank = pl_words_are_blank(black, canvas->black.stride);
    for (uint32_t i = 0; !blank && i < page->black.stride; i++) {
        int64_t x = (int64_t)i * GROUP;
        if (mirrored)
            x = (int64_t)page->width - x - GROUP;
        uint64_t word = pl_word_at(black, canvas->black.stride, x - left);
        if (word)
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
