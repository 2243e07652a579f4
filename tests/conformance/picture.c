// Reading, scoring and writing pictures, through libpng's simple interface.
#include "picture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool picture_read(const char *path, struct picture *out, char *why, size_t why_size)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    *out = (struct picture){0};
    if (!png_image_begin_read_from_file(&image, path)) {
        snprintf(why, why_size, "%s: %s", path, image.message);
        return false;
    }
    image.format = PNG_FORMAT_GRAY;
    out->width = image.width;
    out->height = image.height;
    out->dots = malloc(PNG_IMAGE_SIZE(image));
    // A transparent picture is laid on white paper.
    png_color white = {255, 255, 255};
    if (!out->dots || !png_image_finish_read(&image, &white, out->dots, 0, NULL)) {
        snprintf(why, why_size, "%s: %s", path, image.message);
        png_image_free(&image);
        picture_free(out);
        return false;
    }
    return true;
}

void picture_free(struct picture *p)
{
    free(p->dots);
    *p = (struct picture){0};
}

void picture_blank(struct picture *p, int64_t x, int64_t y, int64_t width, int64_t height)
{
    for (int64_t row = y < 0 ? 0 : y; row < y + height && row < p->height; row++)
        for (int64_t column = x < 0 ? 0 : x; column < x + width && column < p->width; column++)
            p->dots[row * p->width + column] = 255;
}

struct score picture_score(const struct picture *reference, const struct picture *ours)
{
    size_t n = (size_t)reference->width * reference->height;
    size_t both = 0, missing = 0, extra = 0, different = 0;
    for (size_t i = 0; i < n; i++) {
        int r = reference->dots[i], o = ours->dots[i], d = r - o;
        both += r < 128 && o < 128;
        missing += r < 128 && o >= 128;
        extra += r >= 128 && o < 128;
        different += d > 32 || d < -32;
    }
    size_t all = both + missing + extra;
    return (struct score){.ink_overlap = all ? (double)both / (double)all : 1,
                          .diff32 = n ? (double)different / (double)n : 0,
                          .missing = (uint32_t)missing,
                          .extra = (uint32_t)extra};
}

static bool write_image(const char *path, uint32_t width, uint32_t height, uint32_t format, const uint8_t *dots)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = format};
    image.flags = PNG_IMAGE_FLAG_FAST;
    return png_image_write_to_file(&image, path, 0, dots, 0, NULL);
}

bool picture_write(const char *path, const struct picture *p)
{
    return write_image(path, p->width, p->height, PNG_FORMAT_GRAY, p->dots);
}

bool picture_write_difference(const char *path, const struct picture *reference, const struct picture *ours)
{
    size_t n = (size_t)reference->width * reference->height;
    uint8_t *rgb = malloc(n * 3);
    if (!rgb)
        return false;
    for (size_t i = 0; i < n; i++) {
        bool r = reference->dots[i] < 128, o = ours->dots[i] < 128;
        uint8_t *p = rgb + i * 3;
        p[0] = r && !o ? 230 : r || o ? 0 : 255;
        p[1] = r || o ? 0 : 255;
        p[2] = o && !r ? 255 : r || o ? 0 : 255;
    }
    bool ok = write_image(path, reference->width, reference->height, PNG_FORMAT_RGB, rgb);
    free(rgb);
    return ok;
}
