// BMP pictures: 1, 4, 8, 24 and 32 bits per dot, uncompressed, thresholded to one bit.
#include "img/kinds.h"

static uint32_t le16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t le32(const uint8_t *p)
{
    return le16(p) | le16(p + 2) << 16;
}

enum pl_errc pl_img_bmp(struct pl_img_env *env, struct pl_slice file, struct pl_img_rows *out, const char **why,
                        struct pl_error *err)
{
    *why = "its header is damaged";
    if (file.len < 54)
        return PL_OK;
    uint32_t data_at = le32(file.ptr + 10), header = le32(file.ptr + 14);
    uint32_t width = le32(file.ptr + 18), height = le32(file.ptr + 22);
    uint32_t bits = le16(file.ptr + 28), compression = le32(file.ptr + 30), used = le32(file.ptr + 46);
    bool top_down = height >= 0x80000000u;
    if (top_down)
        height = 0u - height;
    if (header < 40 || header > 256 || width == 0 || height == 0 || width > PL_IMG_MAX_SIDE || height > PL_IMG_MAX_SIDE)
        return PL_OK;
    if (!(bits == 1 || bits == 4 || bits == 8 || bits == 24 || bits == 32) || (compression != 0 && compression != 3)) {
        *why = "only uncompressed BMP of 1, 4, 8, 24 or 32 bits is supported";
        return PL_OK;
    }
    size_t row_len = ((size_t)width * bits + 31) / 32 * 4;
    if (data_at > file.len || row_len * height > file.len - data_at) {
        *why = "it breaks off";
        return PL_OK;
    }
    uint32_t colours = bits <= 8 ? (used && used <= (1u << bits) ? used : 1u << bits) : 0;
    size_t palette_at = 14 + (size_t)header;
    if (palette_at + (size_t)colours * 4 > file.len)
        return PL_OK;
    *why = NULL;
    uint8_t shade[256] = {0};
    for (uint32_t i = 0; i < colours; i++) {
        const uint8_t *p = file.ptr + palette_at + (size_t)i * 4;
        shade[i] = (uint8_t)pl_img_luma(p[2], p[1], p[0]);
    }
    PL_TRY(pl_img_rows_new(env, width, height, out, err));
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = file.ptr + data_at + row_len * (top_down ? y : height - 1 - y);
        for (uint32_t x = 0; x < width; x++) {
            uint32_t luma;
            if (bits <= 8) {
                uint32_t bit = x * bits;
                luma = shade[(uint32_t)(row[bit / 8] >> (8 - bits - bit % 8)) & ((1u << bits) - 1)];
            } else {
                const uint8_t *p = row + (size_t)x * (bits / 8);
                luma = pl_img_luma(p[2], p[1], p[0]);
            }
            pl_img_rows_put(out, x, y, luma);
        }
        if (y % 32 == 31)
            PL_TRY(pl_job_check(env->job, err));
    }
    return PL_OK;
}
