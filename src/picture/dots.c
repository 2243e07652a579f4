// Thresholds and dithering. Dithering adds up light, so it works on linear light; a threshold works on shades as they
// are, as everybody expects of a middle of 128.
#include "picture/dots.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"

#define LIGHT_MOST 4095
#define NEAR_BLACK 24 // what counts as black or white in pictures that were compressed with loss
#define NEAR_WHITE 231

static void make_light(int32_t light[256])
{
    for (int i = 0; i < 256; i++) {
        double v = i / 255.0;
        light[i] = (int32_t)((v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)) * LIGHT_MOST + 0.5);
    }
}

static void put_ink(const struct pl_graphic_rows *rows, uint32_t x, uint32_t y)
{
    ((uint8_t *)(uintptr_t)rows->bytes)[(size_t)y * rows->row_bytes + x / 8] |= (uint8_t)(0x80 >> (x % 8));
}

// Where ordered dots come first: Bayer's matrix of 8 x 8.
static uint32_t bayer(uint32_t x, uint32_t y)
{
    uint32_t v = 0;
    for (uint32_t bit = 0; bit < 3; bit++)
        v = v << 2 | ((((x ^ y) >> bit) & 1) << 1) | (y >> bit & 1);
    return v;
}

static bool is_ordered_ink(const int32_t *light, uint8_t shade, uint32_t x, uint32_t y)
{
    return light[shade] * 64 < (int32_t)(bayer(x & 7, y & 7) * 2 + 1) * LIGHT_MOST / 2;
}

// Is there black or white at or beside the dot?
static bool is_at_edge(const struct pl_img_shades *s, uint32_t x, uint32_t y)
{
    for (uint32_t ny = y ? y - 1 : 0; ny <= y + 1 && ny < s->height; ny++) {
        for (uint32_t nx = x ? x - 1 : 0; nx <= x + 1 && nx < s->width; nx++) {
            uint8_t shade = s->bytes[(size_t)ny * s->width + nx];
            if (shade <= NEAR_BLACK || shade >= NEAR_WHITE)
                return true;
        }
    }
    return false;
}

// Floyd-Steinberg and Atkinson: what a dot is too dark or too light goes to those that follow.
struct share {
    int8_t dx;
    uint8_t dy, parts;
};
static const struct share FLOYD_STEINBERG[] = {{1, 0, 7}, {-1, 1, 3}, {0, 1, 5}, {1, 1, 1}};
static const struct share ATKINSON[] = {{1, 0, 2}, {2, 0, 2}, {-1, 1, 2}, {0, 1, 2}, {1, 1, 2}, {0, 2, 2}};

static enum pl_errc diffuse(struct pl_img_env *env, const struct pl_img_shades *s, const int32_t *light,
                            const struct share *shares, size_t count, const struct pl_graphic_rows *rows,
                            struct pl_error *err)
{
    enum { EDGE = 2, ROWS = 3 };
    size_t pitch = (size_t)s->width + 2 * EDGE;
    int32_t *errors = pl_arena_zalloc(env->arena, ROWS * pitch * sizeof *errors, _Alignof(int32_t));
    if (!errors)
        return pl_fail_memory(err);
    for (uint32_t y = 0; y < s->height; y++) {
        PL_TRY(pl_job_check(env->job, err));
        int32_t *own = errors + y % ROWS * pitch;
        for (uint32_t x = 0; x < s->width; x++) {
            int32_t value = light[s->bytes[(size_t)y * s->width + x]] + own[x + EDGE] / 16;
            bool ink = value < (LIGHT_MOST + 1) / 2;
            if (ink)
                put_ink(rows, x, y);
            int32_t rest = value - (ink ? 0 : LIGHT_MOST);
            for (size_t i = 0; i < count; i++)
                errors[(y + shares[i].dy) % ROWS * pitch + x + EDGE + (size_t)(ptrdiff_t)shares[i].dx] +=
                    rest * shares[i].parts;
        }
        memset(own, 0, pitch * sizeof *own);
    }
    return PL_OK;
}

enum pl_errc pl_picture_dots(struct pl_img_env *env, const struct pl_img_shades *s, enum pl_dither dither,
                             uint32_t threshold, struct pl_graphic_rows *out, struct pl_error *err)
{
    int32_t light[256];
    out->row_bytes = (s->width + 7) / 8;
    out->height = s->height;
    out->bytes = pl_arena_zalloc(env->arena, pl_graphic_size(out), 8);
    if (!out->bytes)
        return pl_fail_memory(err);
    make_light(light);
    if (dither == PL_DITHER_FLOYD_STEINBERG)
        return diffuse(env, s, light, FLOYD_STEINBERG, PL_COUNTOF(FLOYD_STEINBERG), out, err);
    if (dither == PL_DITHER_ATKINSON)
        return diffuse(env, s, light, ATKINSON, PL_COUNTOF(ATKINSON), out, err);
    for (uint32_t y = 0; y < s->height; y++) {
        if (y % 64 == 0)
            PL_TRY(pl_job_check(env->job, err));
        for (uint32_t x = 0; x < s->width; x++) {
            uint8_t shade = s->bytes[(size_t)y * s->width + x];
            bool by_threshold = dither == PL_DITHER_THRESHOLD || (dither == PL_DITHER_AUTO && is_at_edge(s, x, y));
            if (by_threshold ? shade < threshold : is_ordered_ink(light, shade, x, y))
                put_ink(out, x, y);
        }
    }
    return PL_OK;
}
