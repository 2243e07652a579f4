// BMP pictures of Windows and OS/2: 1, 4, 8, 24 and 32 bits per dot, uncompressed, thresholded to one bit.
#include "img/rows.h"

#define FILE_HEADER 14u
#define OS2_HEADER 12u // sizes of 16 bits, palettes of 3 bytes a colour
#define OS2_SHORT 16u  // the shortest one of OS/2 2: what is behind it is 0
#define WINDOWS_HEADER 40u
#define OS2_LONG 64u

static uint32_t le32(const uint8_t *p)
{
    return pl_img_le16(p) | pl_img_le16(p + 2) << 16;
}

struct bmp {
    uint32_t data_at, header, width, height, bits, compression, used, palette_bytes;
    bool top_down;
};

// False: the header cannot be one.
static bool read_header(struct pl_slice file, struct bmp *out)
{
    if (file.len < FILE_HEADER + OS2_HEADER)
        return false;
    const uint8_t *p = file.ptr;
    *out = (struct bmp){.data_at = le32(p + 10), .header = le32(p + 14), .palette_bytes = 4};
    if (out->header == OS2_HEADER) {
        out->width = pl_img_le16(p + 18);
        out->height = pl_img_le16(p + 20);
        out->bits = pl_img_le16(p + 24);
        out->palette_bytes = 3;
        return true;
    }
    bool is_short = out->header == OS2_SHORT;
    if ((!is_short && out->header < WINDOWS_HEADER) || out->header > 256 ||
        file.len < FILE_HEADER + (is_short ? OS2_SHORT : WINDOWS_HEADER))
        return false;
    out->width = le32(p + 18);
    out->height = le32(p + 22);
    out->bits = pl_img_le16(p + 28);
    out->top_down = out->height >= 0x80000000u;
    if (out->top_down)
        out->height = 0u - out->height;
    if (!is_short) {
        out->compression = le32(p + 30);
        out->used = le32(p + 46);
    }
    return true;
}

// Masks of Windows (3) are taken to be the usual ones; in the header of OS/2 the number is a fax coding.
static bool is_supported(const struct bmp *b)
{
    bool masks = b->compression == 3 && b->header != OS2_LONG;
    return (b->bits == 1 || b->bits == 4 || b->bits == 8 || b->bits == 24 || b->bits == 32) &&
           (b->compression == 0 || masks);
}

enum pl_errc pl_img_bmp(struct pl_img_env *env, struct pl_slice file, struct pl_img_rows *out, const char **why,
                        struct pl_error *err)
{
    struct bmp b;
    *why = "its header is damaged";
    if (!read_header(file, &b))
        return PL_OK;
    const uint32_t width = b.width, height = b.height, bits = b.bits;
    if (width == 0 || height == 0 || width > PL_IMG_MAX_SIDE || height > PL_IMG_MAX_SIDE)
        return PL_OK;
    if (!is_supported(&b)) {
        *why = "only uncompressed BMP of 1, 4, 8, 24 or 32 bits is supported";
        return PL_OK;
    }
    size_t row_len = ((size_t)width * bits + 31) / 32 * 4;
    if (b.data_at > file.len || row_len * height > file.len - b.data_at) {
        *why = "it breaks off";
        return PL_OK;
    }
    uint32_t colours = bits <= 8 ? (b.used && b.used <= (1u << bits) ? b.used : 1u << bits) : 0;
    size_t palette_at = FILE_HEADER + (size_t)b.header;
    if (palette_at + (size_t)colours * b.palette_bytes > file.len)
        return PL_OK;
    *why = NULL;
    uint8_t shade[256] = {0};
    for (uint32_t i = 0; i < colours; i++) {
        const uint8_t *p = file.ptr + palette_at + (size_t)i * b.palette_bytes;
        shade[i] = (uint8_t)pl_img_luma(p[2], p[1], p[0]);
    }
    PL_TRY(pl_img_rows_new(env, width, height, out, err));
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = file.ptr + b.data_at + row_len * (b.top_down ? y : height - 1 - y);
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
