// Pages of shades: rows in and out, and laying a page's dots on another page.
#include "raster/grey.h"

#include "base/ckd.h"
#include "raster/bits.h"

#define ONES UINT64_C(0x0101010101010101)

enum pl_errc pl_grey_new(struct pl_arena *arena, uint32_t width, uint32_t height, struct pl_grey *out,
                         struct pl_error *err)
{
    *out = (struct pl_grey){.width = width, .height = height};
    size_t size;
    if (!PL_CKD_MUL(&size, (size_t)PL_MAX(height, 1u), sizeof *out->rows))
        return pl_fail(err, PL_E_LIMIT, "an image of %u x %u dots is too large", width, height);
    PL_TRY(pl_bitmap_new(arena, width, height, &out->black, err));
    out->rows = (uint8_t ***)pl_arena_zalloc(arena, size, _Alignof(uint8_t **));
    return out->rows ? PL_OK : pl_fail_memory(err);
}

// The word of a group of two colours; false where it has others.
static bool as_word(const uint8_t dots[PL_GREY_GROUP], uint64_t *word)
{
    *word = 0;
    for (unsigned i = 0; i < PL_GREY_GROUP; i += 8) {
        uint64_t v = pl_load_be64(dots + i), ink = ~v & ONES;
        if ((ink ^ ONES) * 255 != v)
            return false;
        *word = *word << 8 | (ink * UINT64_C(0x0102040810204080) >> 56); // the lowest bits of the bytes, side by side
    }
    return true;
}

static enum pl_errc put_group(struct pl_arena *arena, struct pl_grey *page, uint32_t y, uint32_t group,
                              const uint8_t dots[PL_GREY_GROUP], struct pl_error *err)
{
    if (as_word(dots, &pl_bitmap_row(&page->black, y)[group]))
        return PL_OK;
    if (!page->rows[y]) {
        size_t size = page->black.stride * sizeof **page->rows;
        page->rows[y] = (uint8_t **)pl_arena_zalloc(arena, size, _Alignof(uint8_t *));
        if (!page->rows[y])
            return pl_fail_memory(err);
    }
    page->rows[y][group] = (uint8_t *)pl_arena_copy(arena, dots, PL_GREY_GROUP);
    return page->rows[y][group] ? PL_OK : pl_fail_memory(err);
}

enum pl_errc pl_grey_put_row(struct pl_arena *arena, struct pl_grey *page, uint32_t y, const uint8_t *dots,
                             struct pl_error *err)
{
    for (uint32_t i = 0; i < page->black.stride; i++) {
        uint8_t group[PL_GREY_GROUP];
        uint32_t here = PL_MIN(PL_GREY_GROUP, page->width - i * PL_GREY_GROUP);
        memset(group, 255, sizeof group);
        memcpy(group, dots + (size_t)i * PL_GREY_GROUP, here);
        PL_TRY(put_group(arena, page, y, i, group, err));
    }
    return PL_OK;
}

void pl_grey_get_group(const struct pl_grey *page, uint32_t y, uint32_t group, uint8_t dots[PL_GREY_GROUP])
{
    const uint8_t *shades = pl_grey_shades(page, y, group);
    if (shades) {
        memcpy(dots, shades, PL_GREY_GROUP);
        return;
    }
    uint64_t word = pl_bitmap_row(&page->black, y)[group];
    for (unsigned i = 0; i < 8; i++)
        pl_store_be64(dots + (size_t)8 * i, pl_grey_eight((uint8_t)(word >> (56 - 8 * i))));
}

void pl_grey_get_row(const struct pl_grey *page, uint32_t y, uint8_t *dots)
{
    for (uint32_t i = 0; i < page->black.stride; i++)
        pl_grey_get_group(page, y, i, dots + (size_t)i * PL_GREY_GROUP);
}

static bool is_white(const struct pl_grey *page, uint32_t y)
{
    return !page->rows[y] && pl_words_are_blank(pl_bitmap_row(&page->black, y), page->black.stride);
}

uint64_t pl_grey_word(const struct pl_grey *page, uint32_t y, uint32_t group)
{
    const uint8_t *shades = pl_grey_shades(page, y, group);
    uint64_t word = shades ? 0 : pl_bitmap_row(&page->black, y)[group];
    for (uint32_t i = 0; shades && i < PL_GREY_GROUP; i++)
        word = word << 1 | (shades[i] < 128);
    return word;
}

enum pl_errc pl_grey_to_bits(struct pl_arena *arena, const struct pl_grey *page, struct pl_bitmap *out,
                             struct pl_error *err)
{
    PL_TRY(pl_bitmap_new(arena, page->width, page->height, out, err));
    for (uint32_t y = 0; y < page->height; y++)
        for (uint32_t i = 0; i < out->stride; i++)
            pl_bitmap_row(out, y)[i] = pl_grey_word(page, y, i);
    return PL_OK;
}

bool pl_grey_has_ink(const struct pl_grey *page, struct pl_box box)
{
    uint32_t x0 = (uint32_t)PL_MAX(box.x0, 0), x1 = (uint32_t)pl_clamp_i64(box.x1, 0, page->width);
    uint32_t y0 = (uint32_t)PL_MAX(box.y0, 0), y1 = (uint32_t)pl_clamp_i64(box.y1, 0, page->height);
    for (uint32_t y = y0; x0 < x1 && y < y1; y++) {
        for (uint32_t i = x0 / PL_GREY_GROUP; i <= (x1 - 1) / PL_GREY_GROUP; i++) {
            uint32_t left = i * PL_GREY_GROUP, from = PL_MAX(x0, left) - left;
            uint32_t to = PL_MIN(x1 - left, PL_GREY_GROUP);
            if (pl_grey_word(page, y, i) & pl_tail_mask(to) & ~UINT64_C(0) >> from)
                return true;
        }
    }
    return false;
}

// ---- on another page

struct turner {
    struct pl_arena *arena;
    const struct pl_grey *src;
    const struct pl_grey_map *map;
    const struct pl_job *job;
    bool flip_x, flip_y;
    uint8_t *row; // of `src`
};

static void copy_backwards(const uint8_t *from, uint32_t n, uint8_t *to)
{
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        pl_store_be64(to + n - 8 - i, __builtin_bswap64(pl_load_be64(from + i)));
    for (; i < n; i++)
        to[n - 1 - i] = from[i];
}

// Row y of the page before it is turned by a quarter; false: it is white, and `dots` is as it was.
static bool get_mapped(const struct turner *t, uint32_t y, uint8_t *dots)
{
    const struct pl_grey_map *map = t->map;
    uint32_t sy = (t->flip_y ? map->height - 1 - y : y) / map->dot_size;
    if (sy >= t->src->height || is_white(t->src, sy))
        return false;
    memset(dots, 255, map->width);
    pl_grey_get_row(t->src, sy, t->row);
    uint64_t x = map->left;
    if (map->dot_size == 1 && x < map->width) {
        uint32_t n = PL_MIN(t->src->width, map->width - map->left);
        if (t->flip_x)
            copy_backwards(t->row, n, dots + map->width - map->left - n);
        else
            memcpy(dots + x, t->row, n);
        return true;
    }
    for (uint32_t sx = 0; sx < t->src->width && x < map->width; sx++)
        for (uint32_t p = 0; p < map->dot_size && x < map->width; p++, x++)
            dots[t->flip_x ? map->width - 1 - x : x] = t->row[sx];
    return true;
}

// Columns [left, left + 64) of a page that is turned by a quarter: they are rows of the other.
static enum pl_errc turn_columns(const struct turner *t, uint32_t left, uint8_t *rows, struct pl_grey *out,
                                 struct pl_error *err)
{
    const struct pl_grey_map *map = t->map;
    size_t width = map->width;
    bool any = false;
    memset(rows, 255, width * PL_GREY_GROUP);
    for (uint32_t k = 0; k < PL_GREY_GROUP && left + k < map->height; k++)
        any |= get_mapped(t, map->rotation == PL_ROT_R ? map->height - 1 - left - k : left + k, rows + k * width);
    for (uint32_t y = 0; any && y < map->width; y++) {
        uint8_t dots[PL_GREY_GROUP];
        const uint8_t *from = rows + (map->rotation == PL_ROT_R ? y : map->width - 1 - y);
        for (uint32_t k = 0; k < PL_GREY_GROUP; k++)
            dots[k] = from[k * width];
        PL_TRY(put_group(t->arena, out, y, left / PL_GREY_GROUP, dots, err));
    }
    return pl_job_check(t->job, err);
}

// 64 rows of one group of `src` as 64 columns of the page that is turned by a quarter, where dots keep their size. A
// row of `src` that is beyond it is white.
static enum pl_errc turn_tile(const struct turner *t, const uint32_t rows[PL_GREY_GROUP], uint32_t group, uint32_t to,
                              struct pl_grey *out, struct pl_error *err)
{
    const struct pl_grey *src = t->src;
    const struct pl_grey_map *map = t->map;
    uint64_t words[PL_GREY_GROUP] = {0}, any = 0;
    bool grey = false;
    for (uint32_t k = 0; k < PL_GREY_GROUP; k++) {
        if (rows[k] >= src->height)
            continue;
        grey |= pl_grey_shades(src, rows[k], group) != NULL;
        words[k] = pl_bitmap_row(&src->black, rows[k])[group];
        any |= words[k];
    }
    if (!grey && any == 0)
        return PL_OK;
    uint8_t dots[PL_GREY_GROUP][PL_GREY_GROUP];
    if (grey) {
        memset(dots, 255, sizeof dots);
        for (uint32_t k = 0; k < PL_GREY_GROUP; k++)
            if (rows[k] < src->height)
                pl_grey_get_group(src, rows[k], group, dots[k]);
    } else {
        pl_transpose64(words);
    }
    for (uint32_t c = 0; c < PL_GREY_GROUP && group * PL_GREY_GROUP + c < src->width; c++) {
        uint64_t x = (uint64_t)map->left + group * PL_GREY_GROUP + c;
        if (x >= map->width)
            break;
        bool backwards = t->flip_x != (map->rotation == PL_ROT_B);
        uint32_t y = (uint32_t)(backwards ? map->width - 1 - x : x);
        if (!grey) {
            pl_bitmap_row(&out->black, y)[to] = words[c];
            continue;
        }
        uint8_t column[PL_GREY_GROUP];
        for (uint32_t k = 0; k < PL_GREY_GROUP; k++)
            column[k] = dots[k][c];
        PL_TRY(put_group(t->arena, out, y, to, column, err));
    }
    return PL_OK;
}

// The same as turn_columns where dots keep their size: most tiles of a label are white or have two colours.
static enum pl_errc turn_tiles(const struct turner *t, uint32_t left, struct pl_grey *out, struct pl_error *err)
{
    const struct pl_grey_map *map = t->map;
    uint32_t rows[PL_GREY_GROUP];
    for (uint32_t k = 0; k < PL_GREY_GROUP; k++) {
        bool backwards = t->flip_y != (map->rotation == PL_ROT_R);
        uint32_t y = left + k;
        rows[k] = y >= map->height ? UINT32_MAX : backwards ? map->height - 1 - y : y;
    }
    for (uint32_t group = 0; group < t->src->black.stride; group++)
        PL_TRY(turn_tile(t, rows, group, left / PL_GREY_GROUP, out, err));
    return pl_job_check(t->job, err);
}

enum pl_errc pl_grey_turn(struct pl_arena *arena, struct pl_arena *scratch, const struct pl_grey *src,
                          const struct pl_grey_map *map, const struct pl_job *job, struct pl_grey *out,
                          struct pl_error *err)
{
    bool quarter = map->rotation == PL_ROT_R || map->rotation == PL_ROT_B, over = map->rotation == PL_ROT_I;
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    size_t room;
    if (!PL_CKD_MUL(&room, (size_t)PL_MAX(map->width, 1u), quarter ? (size_t)PL_GREY_GROUP : 1))
        return pl_fail_memory(err);
    uint8_t *dots = (uint8_t *)pl_arena_alloc(scratch, room, 1);
    struct turner t = {arena,
                       src,
                       map,
                       job,
                       (map->mirrored != map->upside_down) != over,
                       map->upside_down != over,
                       PL_ARENA_ARRAY(scratch, uint8_t, (size_t)src->black.stride * PL_GREY_GROUP + 1)};
    if (!dots || !t.row)
        return pl_fail_memory(err);
    PL_TRY(pl_grey_new(arena, quarter ? map->height : map->width, quarter ? map->width : map->height, out, err));
    for (uint32_t left = 0; quarter && left < map->height; left += PL_GREY_GROUP)
        PL_TRY(map->dot_size == 1 ? turn_tiles(&t, left, out, err) : turn_columns(&t, left, dots, out, err));
    for (uint32_t y = 0; !quarter && y < map->height; y++) {
        if (y % 64 == 0)
            PL_TRY(pl_job_check(job, err));
        if (get_mapped(&t, y, dots))
            PL_TRY(pl_grey_put_row(arena, out, y, dots, err));
    }
    pl_arena_release(scratch, mark);
    return PL_OK;
}
