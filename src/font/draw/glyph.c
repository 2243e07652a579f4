// Drawing one glyph: from the cache if it is there, otherwise outline, bits, quarter turn, cache.
#include "font/draw/glyph.h"

#include "base/ckd.h"
#include "base/machine.h"
#include "font/face/bitmap_font.h"

// Glyphs with more dots than this are drawn straight onto the canvas, a tile at a time, and not kept.
#define LARGE_GLYPH ((int64_t)1 << 20)
#define TILE 8192
// Glyphs with more dots of the label than this that lie off it are measured by their outline alone.
#define SMALL_GLYPH ((int64_t)1 << 16)

static int32_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return (int32_t)(a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q);
}

// A box of the canvas in dots of the label.
static struct pl_box label_box(int64_t x, int64_t y, int64_t width, int64_t height, uint32_t scale)
{
    if (width <= 0 || height <= 0)
        return (struct pl_box){0, 0, 0, 0};
    if (scale == 1)
        return (struct pl_box){(int32_t)x, (int32_t)y, (int32_t)(x + width), (int32_t)(y + height)};
    return (struct pl_box){floor_div(x, scale), floor_div(y, scale), floor_div(x + width - 1, scale) + 1,
                           floor_div(y + height - 1, scale) + 1};
}

// Ink that begins at (x, y), in dots `scale` times as small as the label's, and must not begin left of the label or
// above it.
static void keep_on_label(const struct pl_text_target *target, uint32_t scale, int64_t *x, int64_t *y)
{
    if (!target->profile->glyphs_stay_on_label)
        return;
    *x = PL_MAX(*x, (int64_t)target->left * scale);
    *y = PL_MAX(*y, (int64_t)target->top * scale);
}

// A glyph of at most 64 columns that lies wholly on the canvas is one or two words per row.
PL_BY_MACHINE static void blit(struct pl_bitmap *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y,
                               enum pl_ink ink)
{
    if (bits->stride == 1 && ink == PL_INK_BLACK && x >= 0 && y >= 0 && x + bits->width <= canvas->width &&
        y + bits->height <= canvas->height) {
        uint32_t shift = (uint32_t)x % 64, stride = canvas->stride;
        uint64_t *row = canvas->words + (size_t)y * stride + (uint64_t)x / 64;
        const uint64_t *in = bits->words, *end = in + bits->height;
        if (shift + bits->width <= 64) {
            for (; in < end; in++, row += stride)
                *row |= *in >> shift;
        } else {
            for (; in < end; in++, row += stride) {
                row[0] |= *in >> shift;
                row[1] |= *in << (64 - shift);
            }
        }
        return;
    }
    if (x >= INT32_MIN && x <= INT32_MAX && y >= INT32_MIN && y <= INT32_MAX)
        pl_bitmap_blit(canvas, bits, (int32_t)x, (int32_t)y, ink);
}

// Onto the target, whose canvas is not enlarged where it has samples; (x, y) counts enlarged dots.
static void put_bits(const struct pl_text_target *target, const struct pl_bitmap *bits, int64_t x, int64_t y)
{
    if (target->samples)
        pl_samples_blit(target->samples, bits, x, y, target->ink);
    else
        blit(target->canvas, bits, x, y, target->ink);
}

static enum pl_errc crop(struct pl_arena *arena, struct pl_bitmap *bits, struct pl_box *box, struct pl_error *err)
{
    struct pl_box ink = pl_bitmap_ink_box(bits);
    struct pl_bitmap out = {0, 0, 0, NULL};
    if (!pl_box_is_empty(ink)) {
        PL_TRY(pl_bitmap_new(arena, (uint32_t)(ink.x1 - ink.x0), (uint32_t)(ink.y1 - ink.y0), &out, err));
        pl_bitmap_blit(&out, bits, -ink.x0, -ink.y0, PL_INK_BLACK);
    }
    *bits = out;
    *box = (struct pl_box){box->x0 + ink.x0, box->y0 + ink.y0, box->x0 + ink.x1, box->y0 + ink.y1};
    return PL_OK;
}

// The part of the content's plane that the canvas shows, when the pen is at (x, y) of the canvas.
static struct pl_box content_window(const struct pl_text_target *target, enum pl_rotation rotation, int64_t x,
                                    int64_t y)
{
    int64_t times = target->samples ? target->scale : 1;
    int64_t left = -x, top = -y, right = target->canvas->width * times - x, bottom = target->canvas->height * times - y;
    int64_t b[4] = {left, top, right, bottom};
    if (rotation == PL_ROT_R) {
        b[0] = top, b[1] = -right, b[2] = bottom, b[3] = -left;
    } else if (rotation == PL_ROT_I) {
        b[0] = -right, b[1] = -bottom, b[2] = -left, b[3] = -top;
    } else if (rotation == PL_ROT_B) {
        b[0] = -bottom, b[1] = left, b[2] = -top, b[3] = right;
    }
    int32_t out[4];
    for (int i = 0; i < 4; i++)
        out[i] = pl_clamp_i32(b[i], INT32_MIN / 4, INT32_MAX / 4);
    return (struct pl_box){out[0], out[1], out[2], out[3]};
}

static bool touches(const struct pl_text_target *target, enum pl_rotation rotation, int64_t x, int64_t y,
                    struct pl_box box)
{
    return !pl_box_is_empty(pl_box_intersect(content_window(target, rotation, x, y), box));
}

static int64_t area(struct pl_box box)
{
    return (int64_t)(box.x1 - box.x0) * (box.y1 - box.y0);
}

// The size of a glyph's outline in dots of the label; under `any_coverage` its bitmap has these, whatever the scale.
static uint32_t outline_scale(const struct pl_text_target *target)
{
    return target->any_coverage ? 1 : target->scale;
}

static bool is_large(uint32_t scale, struct pl_box box)
{
    return area(box) > SMALL_GLYPH * scale * scale;
}

// A large glyph off the label is measured by its outline, also where the cache has its bits: its ink must not depend on
// what was drawn before. `outline` is empty for a small one.
static bool is_measured(const struct pl_text_target *target, struct pl_glyph_place place, struct pl_box outline)
{
    int64_t size = outline_scale(target);
    return !pl_box_is_empty(outline) && !touches(target, place.rotation, place.x * size, place.y * size, outline);
}

// Rotated content to the canvas: (x, y) is the pen in content dots; each content dot is `enlarge` canvas dots.
static enum pl_errc put_turned(const struct pl_text_target *target, const struct pl_bitmap *bits, struct pl_box box,
                               enum pl_rotation rotation, int64_t x, int64_t y, uint32_t enlarge, struct pl_error *err)
{
    struct pl_bitmap turned;
    PL_TRY(pl_bitmap_turn(target->arena, bits, rotation, &turned, err));
    struct pl_box at = pl_frame_box((struct pl_frame){0, 0, rotation}, box);
    if (enlarge == 1)
        put_bits(target, &turned, x + at.x0, y + at.y0);
    else
        pl_bitmap_blit_enlarged(target->canvas, &turned, 0, turned.height, (x + at.x0) * enlarge, (y + at.y0) * enlarge,
                                enlarge, enlarge, target->ink);
    return PL_OK;
}

static enum pl_errc draw_large(struct pl_writer *writer, const struct pl_text_target *target,
                               const struct pl_outline *outline, const struct pl_outline_map *map, struct pl_box box,
                               enum pl_rotation rotation, int64_t x, int64_t y, uint32_t enlarge, struct pl_error *err)
{
    struct pl_box window = content_window(target, rotation, x, y);
    window = pl_box_intersect(window, box);
    for (int32_t top = window.y0; top < window.y1; top += TILE)
        for (int32_t left = window.x0; left < window.x1; left += TILE) {
            PL_TRY(pl_job_check(target->job, err));
            struct pl_arena_mark mark = pl_arena_mark(target->arena);
            struct pl_box tile = {left, top, PL_MIN(left + TILE, window.x1), PL_MIN(top + TILE, window.y1)};
            struct pl_bitmap bits;
            PL_TRY(
                pl_bitmap_new(target->arena, (uint32_t)(tile.x1 - tile.x0), (uint32_t)(tile.y1 - tile.y0), &bits, err));
            bool drawn;
            PL_TRY(pl_ft_rasterise(writer->faces.ft, target->job, outline, map, tile, target->any_coverage, &bits,
                                   &drawn, err));
            if (drawn)
                PL_TRY(put_turned(target, &bits, tile, rotation, x, y, enlarge, err));
            pl_arena_release(target->arena, mark);
        }
    return PL_OK;
}

static enum pl_errc draw_bitmap_glyph(const struct pl_text_target *target, const struct pl_sized_face *sized,
                                      uint32_t glyph, struct pl_glyph_place place, struct pl_box *ink,
                                      struct pl_error *err)
{
    enum pl_rotation rotation = place.rotation;
    const struct pl_bitmap_glyph *g = pl_bitmap_font_lookup(sized->face->bitmap, glyph);
    if (!g || g->bits.width == 0 || g->bits.height == 0)
        return PL_OK;
    PL_TRY(pl_job_check(target->job, err));
    struct pl_box box = {g->x * sized->width, -g->y * sized->height, (g->x + (int32_t)g->bits.width) * sized->width,
                         ((int32_t)g->bits.height - g->y) * sized->height};
    struct pl_box at = pl_frame_box((struct pl_frame){0, 0, rotation}, box);
    bool sideways = rotation == PL_ROT_R || rotation == PL_ROT_B;
    uint32_t scale = target->samples ? 1 : target->scale; // its dots are whole dots
    uint32_t mx = (uint32_t)(sideways ? sized->height : sized->width) * scale;
    uint32_t my = (uint32_t)(sideways ? sized->width : sized->height) * scale;
    int64_t left = ((int64_t)place.x + at.x0) * scale, top = ((int64_t)place.y + at.y0) * scale;
    keep_on_label(target, scale, &left, &top);
    int64_t width = (int64_t)(sideways ? g->bits.height : g->bits.width) * mx;
    int64_t height = (int64_t)(sideways ? g->bits.width : g->bits.height) * my;
    *ink = pl_box_union(*ink, label_box(left, top, width, height, scale));
    if (left >= target->canvas->width || top >= target->canvas->height || left + width <= 0 || top + height <= 0)
        return PL_OK;
    struct pl_arena_mark mark = pl_arena_mark(target->arena);
    struct pl_bitmap turned;
    PL_TRY(pl_bitmap_turn(target->arena, &g->bits, rotation, &turned, err));
    if (target->samples && target->ink != PL_INK_BLACK) {
        struct pl_bitmap enlarged;
        PL_TRY(pl_bitmap_enlarge(target->arena, &turned, mx, my, &enlarged, err));
        pl_samples_dots(target->samples, &enlarged, left, top, target->ink);
    } else {
        pl_bitmap_blit_enlarged(target->canvas, &turned, 0, turned.height, left, top, mx, my, target->ink);
    }
    pl_arena_release(target->arena, mark);
    return PL_OK;
}

// A finished glyph at the pen (x, y). Where the target has samples, so has the glyph, and it counts whole dots.
static void put_glyph(const struct pl_text_target *target, const struct pl_cached_glyph *glyph, int32_t x, int32_t y,
                      struct pl_box *ink)
{
    const struct pl_bitmap *bits = &glyph->bits;
    if (bits->height == 0)
        return;
    uint32_t scale = target->samples ? 1 : target->scale;
    uint32_t width = target->samples ? bits->width / (PL_SAMPLE_SCALE * PL_SAMPLE_SCALE) : bits->width;
    int64_t left = (int64_t)x * scale + glyph->x, top = (int64_t)y * scale + glyph->y;
    keep_on_label(target, scale, &left, &top);
    if (target->samples)
        pl_samples_put(target->samples, bits, left, top, target->ink);
    else
        blit(target->canvas, bits, left, top, target->ink);
    *ink = pl_box_union(*ink, label_box(left, top, width, bits->height, scale));
}

// Makes the glyph's bitmap, keeps it and draws it.
static enum pl_errc draw_new(struct pl_writer *writer, const struct pl_text_target *target,
                             const struct pl_sized_face *sized, struct pl_strike *strike, uint32_t glyph,
                             struct pl_glyph_place place, struct pl_box *ink, struct pl_error *err)
{
    enum pl_rotation rotation = place.rotation;
    int32_t x = place.x, y = place.y;
    uint32_t size = outline_scale(target), enlarge = target->any_coverage ? target->scale : 1;
    struct pl_outline outline = {NULL, NULL, NULL, 0, 0, false};
    struct pl_outline_map map;
    struct pl_box box = {0, 0, 0, 0}, whole = box;
    struct pl_bitmap bits = {0, 0, 0, NULL};
    uint64_t refused = pl_ft_refused(writer->faces.ft);
    PL_TRY(pl_job_check(target->job, err));
    if (pl_face_outline(&writer->faces, sized, glyph, size, &outline, &map)) {
        map.dx += pl_outline_shift((int64_t)place.phase * size, PL_PHASES);
        box = pl_ft_dots(&outline, &map);
    }
    int64_t px = (int64_t)x * size, py = (int64_t)y * size;
    if (!pl_box_is_empty(box)) {
        if (is_large(size, box))
            whole = box;
        if (area(box) > LARGE_GLYPH || is_measured(target, place, whole)) {
            struct pl_box at = pl_frame_box((struct pl_frame){0, 0, rotation}, box);
            int64_t left = px + at.x0, top = py + at.y0;
            keep_on_label(target, size, &left, &top);
            px = left - at.x0, py = top - at.y0;
            *ink = pl_box_union(*ink, label_box(px + at.x0, py + at.y0, at.x1 - at.x0, at.y1 - at.y0, size));
            return draw_large(writer, target, &outline, &map, box, rotation, px, py, enlarge, err);
        }
        PL_TRY(pl_bitmap_new(target->arena, (uint32_t)(box.x1 - box.x0), (uint32_t)(box.y1 - box.y0), &bits, err));
        bool drawn;
        PL_TRY(pl_ft_rasterise(writer->faces.ft, target->job, &outline, &map, box, target->any_coverage, &bits, &drawn,
                               err));
        if (!drawn)
            bits = (struct pl_bitmap){0, 0, 0, NULL};
        else
            PL_TRY(crop(target->arena, &bits, &box, err));
    }
    struct pl_box at = {0, 0, 0, 0};
    if (bits.height > 0) {
        struct pl_bitmap turned, enlarged;
        PL_TRY(pl_bitmap_turn(target->arena, &bits, rotation, &turned, err));
        PL_TRY(pl_bitmap_enlarge(target->arena, &turned, enlarge, enlarge, &enlarged, err));
        bits = enlarged;
        at = pl_frame_box((struct pl_frame){0, 0, rotation}, box);
    }
    int32_t left = at.x0 * (int32_t)enlarge, top = at.y0 * (int32_t)enlarge;
    if (target->samples && bits.height > 0) {
        struct pl_bitmap samples;
        int32_t scale = (int32_t)target->scale, column = floor_div(left, scale), row = floor_div(top, scale);
        PL_TRY(pl_samples_of_bits(target->arena, &bits, (uint32_t)(left - column * scale),
                                  (uint32_t)(top - row * scale), &samples, err));
        bits = samples;
        left = column;
        top = row;
    }
    struct pl_cached_glyph made = {left, top, bits, whole};
    // What was refused is refused, and reported, on every label.
    if (strike && pl_ft_refused(writer->faces.ft) == refused)
        pl_cache_put(writer->cache, strike, glyph, &made);
    put_glyph(target, &made, x, y, ink);
    return PL_OK;
}

enum pl_errc pl_glyph_draw(struct pl_writer *writer, const struct pl_text_target *target,
                           const struct pl_sized_face *sized, uint32_t glyph, struct pl_glyph_place place,
                           struct pl_box *ink, struct pl_error *err)
{
    if (sized->face->kind == PL_FACE_BITMAP)
        return draw_bitmap_glyph(target, sized, glyph, place, ink, err);
    struct pl_strike_key key = {.face = sized->face->key,
                                .width = sized->width,
                                .height = sized->height,
                                .rotation = (uint8_t)place.rotation,
                                .scale = (uint8_t)target->scale,
                                .phase = (uint8_t)place.phase,
                                .any_coverage = target->any_coverage,
                                .samples = target->samples != NULL};
    struct pl_strike *strike = pl_cache_strike(writer->cache, &key);
    const struct pl_cached_glyph *cached = strike ? pl_strike_get(writer->cache, strike, glyph) : NULL;
    if (!cached || is_measured(target, place, cached->outline)) {
        struct pl_arena_mark mark = pl_arena_mark(target->arena);
        enum pl_errc code = draw_new(writer, target, sized, strike, glyph, place, ink, err);
        pl_arena_release(target->arena, mark);
        return code;
    }
    put_glyph(target, cached, place.x, place.y, ink);
    return PL_OK;
}
