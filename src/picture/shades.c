// Inverting, trimming, turning and scaling shades.
#include <string.h>

#include "base/ckd.h"
#include "picture/dots.h"

void pl_picture_invert(struct pl_img_shades *s)
{
    size_t size = (size_t)s->width * s->height;
    for (size_t i = 0; i < size; i++)
        s->bytes[i] = (uint8_t)(255 - s->bytes[i]);
}

void pl_picture_mirror(struct pl_img_shades *s)
{
    for (uint32_t y = 0; y < s->height; y++) {
        uint8_t *left = s->bytes + (size_t)y * s->width, *right = left + s->width - 1;
        for (; left < right; left++, right--) {
            uint8_t kept = *left;
            *left = *right;
            *right = kept;
        }
    }
}

void pl_picture_trim(struct pl_img_shades *s, uint32_t threshold)
{
    uint32_t x0 = s->width, x1 = 0, y0 = s->height, y1 = 0;
    for (uint32_t y = 0; y < s->height; y++) {
        const uint8_t *row = s->bytes + (size_t)y * s->width;
        for (uint32_t x = 0; x < s->width; x++) {
            if (row[x] >= threshold)
                continue;
            x0 = PL_MIN(x0, x);
            x1 = PL_MAX(x1, x + 1);
            y0 = PL_MIN(y0, y);
            y1 = y + 1;
        }
    }
    if (x1 == 0)
        x0 = y0 = 0, x1 = y1 = 1;
    for (uint32_t y = y0; y < y1; y++)
        memmove(s->bytes + (size_t)(y - y0) * (x1 - x0), s->bytes + (size_t)y * s->width + x0, x1 - x0);
    s->width = x1 - x0;
    s->height = y1 - y0;
}

enum pl_errc pl_picture_turn(struct pl_img_env *env, struct pl_img_shades *s, uint32_t quarters, struct pl_error *err)
{
    struct pl_img_shades out;
    bool sideways = quarters % 2;
    if (quarters % 4 == 0)
        return PL_OK;
    PL_TRY(pl_img_shades_new(env, sideways ? s->height : s->width, sideways ? s->width : s->height, &out, err));
    for (uint32_t y = 0; y < s->height; y++) {
        if (y % 64 == 0)
            PL_TRY(pl_job_check(env->job, err));
        for (uint32_t x = 0; x < s->width; x++) {
            uint32_t tx = quarters == 1 ? s->height - 1 - y : quarters == 2 ? s->width - 1 - x : y;
            uint32_t ty = quarters == 1 ? x : quarters == 2 ? s->height - 1 - y : s->width - 1 - x;
            out.bytes[(size_t)ty * out.width + tx] = s->bytes[(size_t)y * s->width + x];
        }
    }
    *s = out;
    return PL_OK;
}

// The mean of the dots [x0, x1) x [y0, y1), which are parts of dots at their ends; in 1/256 of a dot.
static uint8_t mean(const struct pl_img_shades *s, uint64_t x0, uint64_t x1, uint64_t y0, uint64_t y1)
{
    uint64_t sum = 0, weight = 0;
    for (uint64_t y = y0 >> 8; y < s->height && y << 8 < y1; y++) {
        uint64_t wy = PL_MIN(y1, (y + 1) << 8) - PL_MAX(y0, y << 8);
        for (uint64_t x = x0 >> 8; x < s->width && x << 8 < x1; x++) {
            uint64_t w = wy * (PL_MIN(x1, (x + 1) << 8) - PL_MAX(x0, x << 8));
            sum += w * s->bytes[y * s->width + x];
            weight += w;
        }
    }
    return weight ? (uint8_t)((sum + weight / 2) / weight) : 255;
}

enum pl_errc pl_picture_scale(struct pl_img_env *env, struct pl_img_shades *s, uint32_t width, uint32_t height,
                              struct pl_error *err)
{
    struct pl_img_shades out;
    if (width == s->width && height == s->height)
        return PL_OK;
    PL_TRY(pl_img_shades_new(env, width, height, &out, err));
    bool shrinks = width < s->width || height < s->height;
    for (uint32_t y = 0; y < height; y++) {
        PL_TRY(pl_job_check(env->job, err));
        uint64_t y0 = ((uint64_t)y << 8) * s->height / height, y1 = ((uint64_t)(y + 1) << 8) * s->height / height;
        for (uint32_t x = 0; x < width; x++) {
            uint64_t x0 = ((uint64_t)x << 8) * s->width / width, x1 = ((uint64_t)(x + 1) << 8) * s->width / width;
            out.bytes[(size_t)y * width + x] =
                shrinks ? mean(s, x0, PL_MAX(x1, x0 + 1), y0, PL_MAX(y1, y0 + 1))
                        : s->bytes[(size_t)((y0 + y1) / 2 >> 8) * s->width + (size_t)((x0 + x1) / 2 >> 8)];
        }
    }
    *s = out;
    return PL_OK;
}
