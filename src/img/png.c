// PNG pictures: all colour types and depths, thresholded to one bit. Alpha is over white paper.
#include <string.h>

#include "base/ckd.h"
#include "base/deflate.h"
#include "img/rows.h"

static uint32_t be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

struct png {
    uint32_t width, height;
    uint8_t depth, colour;
    bool interlaced;
    uint32_t channels;
    struct pl_slice palette, transparency;
    size_t data_len; // of all IDAT chunks
};

// One pass over the chunks. `data` (may be NULL) receives the IDAT bytes. Returns what is wrong, or NULL.
static const char *read_chunks(struct pl_slice file, struct png *png, uint8_t *data)
{
    size_t at = 8;
    bool has_header = false;
    png->data_len = 0;
    while (file.len - at >= 12) {
        uint32_t len = be32(file.ptr + at);
        const uint8_t *type = file.ptr + at + 4;
        if (len > file.len - at - 12)
            return "it breaks off inside a chunk";
        struct pl_slice body = pl_slice_sub(file, at + 8, len);
        at += (size_t)len + 12;
        if (memcmp(type, "IHDR", 4) == 0) {
            if (len < 13 || has_header)
                return "its header is damaged";
            has_header = true;
            png->width = be32(body.ptr);
            png->height = be32(body.ptr + 4);
            png->depth = body.ptr[8];
            png->colour = body.ptr[9];
            if (body.ptr[12] > 1)
                return "it is interlaced in an unknown way";
            png->interlaced = body.ptr[12] == 1;
        } else if (memcmp(type, "PLTE", 4) == 0) {
            png->palette = body;
        } else if (memcmp(type, "tRNS", 4) == 0) {
            png->transparency = body;
        } else if (memcmp(type, "IDAT", 4) == 0) {
            if (data && len)
                memcpy(data + png->data_len, body.ptr, len);
            png->data_len += len;
        } else if (memcmp(type, "IEND", 4) == 0) {
            break;
        }
    }
    return has_header ? NULL : "it has no header";
}

static bool check_header(struct png *png)
{
    static const uint8_t CHANNELS[] = {1, 0, 3, 1, 2, 0, 4};
    if (png->colour >= sizeof(CHANNELS) || CHANNELS[png->colour] == 0)
        return false;
    png->channels = CHANNELS[png->colour];
    uint8_t d = png->depth;
    bool small = d == 1 || d == 2 || d == 4;
    bool depth_ok = d == 8 || (d == 16 && png->colour != 3) || (small && (png->colour == 0 || png->colour == 3));
    return depth_ok && png->width >= 1 && png->height >= 1 && png->width <= PL_IMG_MAX_SIDE &&
           png->height <= PL_IMG_MAX_SIDE;
}

static uint8_t paeth(int a, int b, int c)
{
    int p = a + b - c, pa = p > a ? p - a : a - p, pb = p > b ? p - b : b - p, pc = p > c ? p - c : c - p;
    return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

// Undoes the row filter in place; `above` is the row before, unfiltered, or NULL.
static bool unfilter(uint8_t filter, uint8_t *row, const uint8_t *above, size_t len, size_t step)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t left = i >= step ? row[i - step] : 0;
        uint8_t up = above ? above[i] : 0;
        uint8_t corner = above && i >= step ? above[i - step] : 0;
        switch (filter) {
        case 0:
            return true;
        case 1:
            row[i] = (uint8_t)(row[i] + left);
            break;
        case 2:
            row[i] = (uint8_t)(row[i] + up);
            break;
        case 3:
            row[i] = (uint8_t)(row[i] + (left + up) / 2);
            break;
        case 4:
            row[i] = (uint8_t)(row[i] + paeth(left, up, corner));
            break;
        default:
            return false;
        }
    }
    return true;
}

// Grey and RGB pictures may name one colour that is transparent, two bytes for each sample.
static bool is_clear(const struct png *png, const uint8_t *row, uint32_t x, uint32_t small)
{
    uint32_t bytes = png->depth / 8;
    if ((png->colour != 0 && png->colour != 2) || png->transparency.len < 2 * (size_t)png->channels)
        return false;
    for (uint32_t c = 0; c < png->channels; c++) {
        const uint8_t *key = png->transparency.ptr + 2 * (size_t)c;
        const uint8_t *p = row + ((size_t)x * png->channels + c) * bytes;
        uint32_t sample = bytes == 0 ? small : bytes == 1 ? p[0] : (uint32_t)p[0] << 8 | p[1];
        if (sample != ((uint32_t)key[0] << 8 | key[1]))
            return false;
    }
    return true;
}

static uint32_t luma_of(const struct png *png, const uint8_t *row, uint32_t x)
{
    uint32_t d = png->depth;
    uint32_t sample[4] = {0, 0, 0, 0};
    if (d < 8) {
        uint32_t bit = x * d;
        sample[0] = (uint32_t)(row[bit / 8] >> (8 - d - bit % 8)) & ((1u << d) - 1);
    } else {
        // Of 16-bit samples the upper byte decides.
        const uint8_t *p = row + (size_t)x * png->channels * (d / 8);
        for (uint32_t c = 0; c < png->channels; c++)
            sample[c] = p[c * (d / 8)];
    }
    if (is_clear(png, row, x, sample[0]))
        return 255;
    uint32_t r, g, b, alpha = 255;
    if (png->colour == 3) {
        if (sample[0] * 3 + 2 >= png->palette.len)
            return 255;
        const uint8_t *p = png->palette.ptr + sample[0] * 3;
        r = p[0];
        g = p[1];
        b = p[2];
        if (sample[0] < png->transparency.len)
            alpha = png->transparency.ptr[sample[0]];
    } else if (png->colour == 0 || png->colour == 4) {
        r = g = b = d < 8 ? sample[0] * 255 / ((1u << d) - 1) : sample[0];
        alpha = png->colour == 4 ? sample[1] : 255;
    } else {
        r = sample[0];
        g = sample[1];
        b = sample[2];
        alpha = png->colour == 6 ? sample[3] : 255;
    }
    uint32_t white = 255 * (255 - alpha);
    return pl_img_luma((r * alpha + white) / 255, (g * alpha + white) / 255, (b * alpha + white) / 255);
}

// A picture is one pass over all dots, or seven over parts of them (Adam7).
struct pass {
    uint32_t x, y, dx, dy;
};
static const struct pass WHOLE[] = {{0, 0, 1, 1}};
static const struct pass ADAM7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                    {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

static uint32_t pass_size(uint32_t size, uint32_t start, uint32_t step)
{
    return size > start ? (size - start + step - 1) / step : 0;
}

static size_t row_bytes(const struct png *png, uint32_t width)
{
    return ((size_t)width * png->channels * png->depth + 7) / 8;
}

// Draws one pass from `rows` on. *used: the bytes it took, or 0 when a row filter is unknown.
static enum pl_errc draw_pass(struct pl_img_env *env, const struct png *png, const struct pass *pass, uint8_t *rows,
                              struct pl_img_rows *out, size_t *used, struct pl_error *err)
{
    uint32_t width = pass_size(png->width, pass->x, pass->dx), height = pass_size(png->height, pass->y, pass->dy);
    size_t len = row_bytes(png, width), step = PL_MAX((size_t)png->channels * png->depth / 8, (size_t)1);
    const uint8_t *above = NULL;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *row = rows + (len + 1) * y;
        *used = 0;
        PL_TRY(pl_job_check(env->job, err));
        if (!unfilter(row[0], row + 1, above, len, step))
            return PL_OK;
        above = row + 1;
        for (uint32_t x = 0; x < width; x++)
            pl_img_rows_put(out, pass->x + x * pass->dx, pass->y + y * pass->dy, luma_of(png, row + 1, x));
    }
    *used = (len + 1) * height;
    return PL_OK;
}

static size_t pass_bytes(const struct png *png, const struct pass *pass)
{
    uint32_t width = pass_size(png->width, pass->x, pass->dx), height = pass_size(png->height, pass->y, pass->dy);
    return width ? (row_bytes(png, width) + 1) * height : 0;
}

enum pl_errc pl_img_png(struct pl_img_env *env, struct pl_slice file, struct pl_img_rows *out, const char **why,
                        struct pl_error *err)
{
    struct png png = {0};
    *why = read_chunks(file, &png, NULL);
    if (!*why && !check_header(&png))
        *why = "its size or colour type is not one a PNG can have";
    if (*why)
        return PL_OK;
    const struct pass *passes = png.interlaced ? ADAM7 : WHOLE;
    size_t pass_count = png.interlaced ? PL_COUNTOF(ADAM7) : PL_COUNTOF(WHOLE), plain_len = 0;
    for (size_t i = 0; i < pass_count; i++)
        plain_len += pass_bytes(&png, &passes[i]);
    PL_TRY(pl_img_rows_new(env, png.width, png.height, out, err));
    uint8_t *packed = pl_arena_alloc(env->arena, png.data_len + 1, 8), *plain;
    if (!packed)
        return pl_fail_memory(err);
    PL_TRY(pl_img_scratch(env, plain_len, &plain, err));
    *why = read_chunks(file, &png, packed);
    if (*why)
        return PL_OK;
    size_t written;
    enum pl_inflate_result result = pl_inflate(pl_slice_make(packed, png.data_len), plain, plain_len, &written);
    if (result == PL_INFLATE_NO_MEMORY)
        return pl_fail_memory(err);
    if (result != PL_INFLATE_OK || written != plain_len) {
        *why = "its image data is damaged";
        return PL_OK;
    }
    for (size_t i = 0, at = 0; i < pass_count; i++) {
        if (pass_bytes(&png, &passes[i]) == 0)
            continue;
        size_t used;
        PL_TRY(draw_pass(env, &png, &passes[i], plain + at, out, &used, err));
        if (used == 0) {
            *why = "it uses an unknown row filter";
            return PL_OK;
        }
        at += used;
    }
    return PL_OK;
}
