// The one file that knows FreeType.
#include "font/face/font_ft.h"

#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_OUTLINE_H
#include FT_IMAGE_H
#include FT_MODULE_H
#include FT_SYSTEM_H
#include FT_TRUETYPE_TABLES_H
#include FT_TRUETYPE_TAGS_H

#include "base/buf.h"
#include "base/ckd.h"
#include "font/face/sfnt.h"

#define MAX_POINTS PL_FT_MOST_POINTS
#define RESERVE ((size_t)1 << 20)   // bytes for FreeType when malloc has none
#define OVERSAMPLED 4               // parts of a dot, each way, where contours overlap
#define OVERSAMPLED_BYTES 65536     // dots that are summed up at a time there
#define LARGEST_OVERLAPPING 262144  // 1/64 dots
#define FARTHEST (INT64_C(1) << 23) // 1/64 dots; FreeType refuses outlines that reach farther than twice this
// FreeType's rasteriser walks along the whole outline for every few hundred dots that it touches: limits of that cost.
#define LONGEST_WALK (1 << 24) // dots along an outline; longer ones are not drawn
#define CALM_WALK (1 << 17)    // dots; shorter ones need no clock
#define STEPS_PER_CALL (1 << 24)
#define DOTS_PER_WALK 250

// It is not touched before it is used.
struct scratch {
    FT_Vector vectors[MAX_POINTS]; // of the rasteriser
    char flags[MAX_POINTS];
    short contours[MAX_POINTS];
    int16_t xy[MAX_POINTS * 2]; // of pl_ft_outline
    uint8_t tags[MAX_POINTS];
    uint16_t ends[MAX_POINTS];
    unsigned char sums[OVERSAMPLED_BYTES]; // for overlapping contours
    _Alignas(16) unsigned char reserve[RESERVE];
};

struct pl_ft {
    FT_Library library;
    struct scratch *scratch;
    // FreeType's CFF reader crashes when it gets no memory in the middle of a glyph. It is given some from the reserve,
    // and what it made of it is thrown away with its faces.
    struct FT_MemoryRec_ memory;
    struct pl_budget *budget;
    size_t reserve_used;
    bool starved;
    uint64_t refused;
};

struct pl_ft_face {
    struct pl_ft *ft;
    FT_Face face;
    struct pl_glyf glyf;
};

// The size of a block of FreeType's is kept before it, since FreeType does not give it when it frees the block.
struct block {
    _Alignas(16) size_t size;
};

static void *from_reserve(struct pl_ft *ft, size_t size)
{
    ft->starved = true;
    size_t rounded = (size + 15) / 16 * 16;
    if (size > RESERVE || rounded > RESERVE - ft->reserve_used)
        return NULL;
    void *block = ft->scratch->reserve + ft->reserve_used;
    ft->reserve_used += rounded;
    return block;
}

static bool is_reserve(const struct pl_ft *ft, const void *block)
{
    uintptr_t at = (uintptr_t)block, begin = (uintptr_t)ft->scratch->reserve;
    return at >= begin && at < begin + RESERVE;
}

static void *ft_alloc(FT_Memory memory, long size)
{
    struct pl_ft *ft = memory->user;
    if (!pl_budget_take(ft->budget, (size_t)size))
        return from_reserve(ft, (size_t)size);
    struct block *block = malloc(sizeof *block + (size_t)size);
    if (!block) {
        pl_budget_give(ft->budget, (size_t)size);
        return from_reserve(ft, (size_t)size);
    }
    block->size = (size_t)size;
    return block + 1;
}

static void ft_free(FT_Memory memory, void *data)
{
    struct pl_ft *ft = memory->user;
    if (is_reserve(ft, data))
        return;
    struct block *block = (struct block *)data - 1;
    pl_budget_give(ft->budget, block->size);
    free(block);
}

static struct block *resize(struct pl_ft *ft, struct block *block, size_t size)
{
    if (!pl_budget_take(ft->budget, size))
        return NULL;
    size_t old_size = block->size;
    struct block *moved = realloc(block, sizeof *block + size);
    pl_budget_give(ft->budget, moved ? old_size : size);
    if (moved)
        moved->size = size;
    return moved;
}

static void *ft_realloc(FT_Memory memory, long old_size, long size, void *data)
{
    struct pl_ft *ft = memory->user;
    struct block *block = is_reserve(ft, data) ? NULL : resize(ft, (struct block *)data - 1, (size_t)size);
    if (block)
        return block + 1;
    void *moved = from_reserve(ft, (size_t)size);
    if (moved) {
        memcpy(moved, data, (size_t)PL_MIN(old_size, size));
        ft_free(memory, data);
    }
    return moved;
}

// Labels bring TrueType and OpenType files only. The readers of other formats are removed, so that hostile files cannot
// reach them.
static void remove_modules(FT_Library library)
{
    static const char *const UNUSED[] = {"type1", "t1cid", "type42", "winfonts", "pcf",        "bdf",     "pfr",
                                         "sdf",   "bsdf",  "ot-svg", "raster1",  "autofitter", "pshinter"};
    for (size_t i = 0; i < PL_COUNTOF(UNUSED); i++) {
        FT_Module module = FT_Get_Module(library, UNUSED[i]);
        if (module)
            FT_Remove_Module(library, module);
    }
}

enum pl_errc pl_ft_new(struct pl_budget *budget, struct pl_ft **out, struct pl_error *err)
{
    struct pl_ft *ft = calloc(1, sizeof *ft);
    *out = ft;
    if (!ft)
        return pl_fail_memory(err);
    ft->budget = budget;
    ft->scratch = malloc(sizeof *ft->scratch);
    ft->memory = (struct FT_MemoryRec_){ft, ft_alloc, ft_free, ft_realloc};
    bool made = ft->scratch && FT_New_Library(&ft->memory, &ft->library) == 0;
    if (made) {
        FT_Add_Default_Modules(ft->library);
        remove_modules(ft->library);
    }
    if (!made || ft->starved) {
        pl_ft_free(ft);
        *out = NULL;
        return pl_fail_memory(err);
    }
    return PL_OK;
}

void pl_ft_free(struct pl_ft *ft)
{
    if (!ft)
        return;
    if (ft->library)
        FT_Done_Library(ft->library);
    free(ft->scratch);
    free(ft);
}

// FreeType must see the glyf table that we validated.
static bool is_same_glyf(const struct pl_ft_face *face)
{
    FT_ULong length = 0;
    return FT_Load_Sfnt_Table(face->face, TTAG_glyf, 0, NULL, &length) != 0 || length == face->glyf.glyf.len;
}

enum pl_errc pl_ft_unwrap(struct pl_ft *ft, struct pl_slice woff, struct pl_buf *out, struct pl_error *err)
{
    FT_Face face;
    FT_ULong length = 0;
    FT_Error failed = FT_New_Memory_Face(ft->library, woff.ptr, (FT_Long)woff.len, 0, &face);
    if (!failed) {
        // Without a table's name it is the whole file, which FreeType has unpacked.
        failed = FT_Load_Sfnt_Table(face, 0, 0, NULL, &length);
        uint8_t *to = failed ? NULL : pl_buf_reserve(out, length);
        if (to)
            failed = FT_Load_Sfnt_Table(face, 0, 0, to, &length);
        out->len += to && !failed ? length : 0;
        FT_Done_Face(face);
    }
    if (ft->starved)
        return pl_fail_memory(err);
    if (failed)
        return pl_fail(err, PL_E_INVALID,
                       "the font cannot be read: its WOFF data is damaged or cannot be unpacked here");
    return pl_buf_check(out, err);
}

struct pl_ft_face *pl_ft_open(struct pl_ft *ft, struct pl_slice bytes)
{
    if (bytes.len > LONG_MAX || !pl_sfnt_can_open(bytes))
        return NULL;
    struct pl_ft_face *face = malloc(sizeof *face);
    if (!face)
        return NULL;
    face->ft = ft;
    face->glyf = pl_glyf_find(bytes);
    if (ft->starved || FT_New_Memory_Face(ft->library, bytes.ptr, (FT_Long)bytes.len, 0, &face->face)) {
        free(face);
        return NULL;
    }
    FT_Face f = face->face;
    if (ft->starved || !FT_IS_SCALABLE(f) || f->units_per_EM < 16 || !is_same_glyf(face)) {
        pl_ft_close(face);
        return NULL;
    }
    // Old symbol fonts have no Unicode map; theirs is as good as any.
    if (!f->charmap && f->num_charmaps > 0)
        FT_Set_Charmap(f, f->charmaps[0]);
    return face;
}

void pl_ft_close(struct pl_ft_face *face)
{
    if (!face)
        return;
    FT_Done_Face(face->face);
    free(face);
}

int32_t pl_ft_units_per_em(const struct pl_ft_face *face)
{
    return face->face->units_per_EM;
}

uint32_t pl_ft_glyph_index(struct pl_ft_face *face, uint32_t codepoint)
{
    FT_UInt index = FT_Get_Char_Index(face->face, codepoint);
    if (!index && codepoint < 0x100 && face->face->charmap && face->face->charmap->encoding == FT_ENCODING_MS_SYMBOL)
        index = FT_Get_Char_Index(face->face, 0xF000 + codepoint);
    return index;
}

#define LOAD_FLAGS (FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP | FT_LOAD_IGNORE_GLOBAL_ADVANCE_WIDTH)

static bool load(struct pl_ft_face *face, uint32_t glyph)
{
    if (pl_glyf_judge(&face->glyf, glyph) == PL_GLYF_TOO_COMPLEX) {
        face->ft->refused++;
        return false;
    }
    return !face->ft->starved && FT_Load_Glyph(face->face, glyph, LOAD_FLAGS) == 0 && !face->ft->starved;
}

uint64_t pl_ft_refused(const struct pl_ft *ft)
{
    return ft->refused;
}

bool pl_ft_starved(const struct pl_ft *ft)
{
    return ft->starved;
}

void pl_ft_refresh(struct pl_ft *ft)
{
    ft->starved = false;
    ft->reserve_used = 0;
}

int32_t pl_ft_advance(struct pl_ft_face *face, uint32_t glyph)
{
    FT_Fixed advance;
    // Reading the outline for it would take long for some, and only parts can have another advance than the table.
    if (pl_glyf_judge(&face->glyf, glyph) == PL_GLYF_PLAIN)
        return face->ft->starved || FT_Get_Advance(face->face, glyph, LOAD_FLAGS, &advance)
                   ? 0
                   : pl_clamp_i32(advance, -32768, 32767);
    if (!load(face, glyph))
        return 0;
    return pl_clamp_i32(face->face->glyph->metrics.horiAdvance, -32768, 32767);
}

bool pl_ft_outline(struct pl_ft_face *face, uint32_t glyph, struct pl_outline *out)
{
    if (!load(face, glyph) || face->face->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
        return false;
    const FT_Outline *o = &face->face->glyph->outline;
    if (o->n_points < 0 || o->n_points > MAX_POINTS || o->n_contours < 0 || o->n_contours > MAX_POINTS)
        return false;
    struct scratch *scratch = face->ft->scratch;
    for (int i = 0; i < o->n_points; i++) {
        scratch->xy[i * 2] = (int16_t)pl_clamp_i32(o->points[i].x, INT16_MIN, INT16_MAX);
        scratch->xy[i * 2 + 1] = (int16_t)pl_clamp_i32(o->points[i].y, INT16_MIN, INT16_MAX);
        scratch->tags[i] = (uint8_t)(o->tags[i] & 3);
    }
    for (int i = 0; i < o->n_contours; i++)
        scratch->ends[i] = (uint16_t)o->contours[i];
    *out = (struct pl_outline){scratch->xy,           scratch->tags,           scratch->ends,
                               (uint32_t)o->n_points, (uint32_t)o->n_contours, (o->flags & FT_OUTLINE_OVERLAP) != 0};
    return true;
}

// Rounds halves away from 0, as FreeType does when it scales.
static int64_t map_coordinate(int32_t value, int64_t scale, int64_t shift)
{
    int64_t exact = (int64_t)value * scale + shift;
    int64_t mapped = (exact + (INT64_C(1) << 31) - (exact < 0)) >> 32;
    return pl_clamp_i64(mapped, -FARTHEST, FARTHEST);
}

struct pl_box pl_ft_dots(const struct pl_outline *outline, const struct pl_outline_map *map)
{
    if (outline->point_count == 0)
        return (struct pl_box){0, 0, 0, 0};
    struct pl_outline_box box = pl_outline_control_box(outline);
    int64_t x0 = map_coordinate(box.x0, map->sx, map->dx), x1 = map_coordinate(box.x1, map->sx, map->dx);
    int64_t y0 = map_coordinate(box.y0, map->sy, map->dy), y1 = map_coordinate(box.y1, map->sy, map->dy);
    return (struct pl_box){(int32_t)(x0 >> 6), (int32_t)(-((y1 + 63) >> 6)), (int32_t)((x1 + 63) >> 6),
                           (int32_t)(-(y0 >> 6))};
}

struct sink {
    struct pl_bitmap *bits;
    unsigned char least; // coverage that makes ink
};

static void set_run(uint64_t *row, uint32_t x, uint32_t length)
{
    uint32_t first = x / 64, last = (x + length - 1) / 64;
    uint64_t head = UINT64_MAX >> (x % 64), tail = UINT64_MAX << (63 - (x + length - 1) % 64);
    if (first == last) {
        row[first] |= head & tail;
        return;
    }
    row[first] |= head;
    for (uint32_t i = first + 1; i < last; i++)
        row[i] = UINT64_MAX;
    row[last] |= tail;
}

static void take_spans(int y, int count, const FT_Span *spans, void *user)
{
    struct sink *sink = user;
    uint32_t row = sink->bits->height - 1 - (uint32_t)y;
    if (y < 0 || (uint32_t)y >= sink->bits->height)
        return;
    uint64_t *words = pl_bitmap_row(sink->bits, row);
    for (int i = 0; i < count; i++) {
        uint32_t x = (uint32_t)spans[i].x;
        if (spans[i].coverage >= sink->least && spans[i].x >= 0 && spans[i].len > 0 &&
            x + spans[i].len <= sink->bits->width)
            set_run(words, x, spans[i].len);
    }
}

// Coverage of the dots of some rows, summed up from parts of dots.
struct sum_sink {
    unsigned char *sums;
    uint32_t width, first_row, rows; // rows are counted upwards
};

// As FreeType does it for bitmaps of glyphs: each part counts for 16, and 256 becomes 255.
static void sum_spans(int y, int count, const FT_Span *spans, void *user)
{
    struct sum_sink *sink = user;
    uint32_t row = (uint32_t)y / OVERSAMPLED - sink->first_row;
    if (y < 0 || row >= sink->rows)
        return;
    unsigned char *sums = sink->sums + (size_t)row * sink->width;
    for (int i = 0; i < count; i++) {
        unsigned part = (spans[i].coverage + OVERSAMPLED * OVERSAMPLED / 2u) / (OVERSAMPLED * OVERSAMPLED);
        for (int32_t x = spans[i].x; x < spans[i].x + spans[i].len; x++) {
            if (x < 0 || (uint32_t)x / OVERSAMPLED >= sink->width)
                continue;
            unsigned sum = sums[x / OVERSAMPLED] + part;
            sums[x / OVERSAMPLED] = (unsigned char)(sum - (sum >> 8));
        }
    }
}

// Dots along the outline, each way.
static int64_t walk_along(const FT_Outline *o)
{
    int64_t length = 0;
    for (int i = 0; i < o->n_points; i++) {
        const FT_Vector *a = &o->points[i], *b = &o->points[i > 0 ? i - 1 : o->n_points - 1];
        length += labs(a->x - b->x) + labs(a->y - b->y);
    }
    return length / 64 + o->n_points;
}

// Rows of a bitmap that are filled between two looks at the clock.
static uint32_t rows_per_call(int64_t walk, uint32_t width, uint32_t height)
{
    if (walk <= CALM_WALK)
        return height;
    int64_t touched = PL_MIN((int64_t)width, walk / height + 1); // dots of a row
    return (uint32_t)pl_clamp_i64(STEPS_PER_CALL / walk / (1 + touched / DOTS_PER_WALK), 1, height);
}

// Where contours overlap, the areas that they cover of a dot are not their sum. FreeType draws such glyphs enlarged and
// counts, and so does the reference; `o` is already mapped.
static enum pl_errc rasterise_overlapping(struct pl_ft *ft, const struct pl_job *job, FT_Outline *o, int64_t walk,
                                          unsigned char least, struct pl_bitmap *out, bool *drawn, struct pl_error *err)
{
    for (int i = 0; i < o->n_points; i++) {
        o->points[i].x *= OVERSAMPLED;
        o->points[i].y *= OVERSAMPLED;
    }
    uint32_t enlarged_rows = rows_per_call(walk * OVERSAMPLED, out->width * OVERSAMPLED, out->height * OVERSAMPLED);
    uint32_t rows_at_once = PL_MIN(OVERSAMPLED_BYTES / out->width, PL_MAX(1, enlarged_rows / OVERSAMPLED));
    for (uint32_t first = 0; first < out->height; first += rows_at_once) {
        PL_TRY(pl_job_check(job, err));
        struct sum_sink sink = {ft->scratch->sums, out->width, first, PL_MIN(rows_at_once, out->height - first)};
        FT_Raster_Params params = {.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP,
                                   .gray_spans = sum_spans,
                                   .user = &sink,
                                   .clip_box = {0, (FT_Pos)first * OVERSAMPLED, (FT_Pos)out->width * OVERSAMPLED,
                                                (FT_Pos)(first + sink.rows) * OVERSAMPLED}};
        memset(ft->scratch->sums, 0, (size_t)sink.width * sink.rows);
        if (FT_Outline_Render(ft->library, o, &params) != 0)
            return PL_OK;
        for (uint32_t row = 0; row < sink.rows; row++) {
            uint64_t *words = pl_bitmap_row(out, out->height - 1 - first - row);
            for (uint32_t x = 0; x < out->width; x++)
                if (ft->scratch->sums[(size_t)row * out->width + x] >= least)
                    words[x / 64] |= UINT64_C(1) << (63 - x % 64);
        }
    }
    *drawn = true;
    return PL_OK;
}

enum pl_errc pl_ft_rasterise(struct pl_ft *ft, const struct pl_job *job, const struct pl_outline *outline,
                             const struct pl_outline_map *map, struct pl_box window, bool any_coverage,
                             struct pl_bitmap *out, bool *drawn, struct pl_error *err)
{
    struct scratch *scratch = ft->scratch;
    *drawn = false;
    if (outline->point_count > MAX_POINTS || outline->end_count > MAX_POINTS || out->height > PL_FT_LARGEST ||
        out->width > PL_FT_LARGEST || out->height == 0 || out->width == 0)
        return PL_OK;
    FT_Outline o = {.n_contours = (short)outline->end_count,
                    .n_points = (short)outline->point_count,
                    .points = scratch->vectors,
                    .tags = scratch->flags,
                    .contours = scratch->contours,
                    .flags = FT_OUTLINE_HIGH_PRECISION};
    int64_t shift_x = -(int64_t)window.x0 * 64, shift_y = (int64_t)window.y1 * 64;
    int64_t farthest = 0;
    for (uint32_t i = 0; i < outline->point_count; i++) {
        scratch->vectors[i].x = (FT_Pos)(map_coordinate(outline->xy[i * 2], map->sx, map->dx) + shift_x);
        scratch->vectors[i].y = (FT_Pos)(map_coordinate(outline->xy[i * 2 + 1], map->sy, map->dy) + shift_y);
        scratch->flags[i] = (char)outline->tags[i];
        farthest = PL_MAX(farthest, PL_MAX(labs(scratch->vectors[i].x), labs(scratch->vectors[i].y)));
    }
    for (uint32_t i = 0; i < outline->end_count; i++)
        scratch->contours[i] = (short)outline->ends[i];
    // An upper bound: two neighbours are at most twice as far apart as the farthest point is from the origin. The exact
    // length is computed only above CALM_WALK.
    int64_t walk = (farthest / 64 + 1) * 4 * o.n_points;
    if (walk > CALM_WALK)
        walk = walk_along(&o);
    if (walk > LONGEST_WALK) {
        ft->refused++;
        return PL_OK;
    }
    struct sink sink = {out, any_coverage ? 1 : 128};
    // Glyphs so large that they cannot be enlarged further need it least.
    if (outline->overlaps && farthest <= LARGEST_OVERLAPPING && out->width <= LARGEST_OVERLAPPING / 64)
        return rasterise_overlapping(ft, job, &o, walk, sink.least, out, drawn, err);
    uint32_t rows = rows_per_call(walk, out->width, out->height);
    for (uint32_t first = 0; first < out->height; first += rows) {
        if (rows < out->height)
            PL_TRY(pl_job_check(job, err));
        FT_Raster_Params params = {
            .flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP,
            .gray_spans = take_spans,
            .user = &sink,
            .clip_box = {0, (FT_Pos)first, (FT_Pos)out->width, (FT_Pos)PL_MIN(first + rows, out->height)}};
        if (FT_Outline_Render(ft->library, &o, &params) != 0)
            return PL_OK;
    }
    *drawn = true;
    return PL_OK;
}
