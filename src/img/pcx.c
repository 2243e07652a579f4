// PCX pictures: 1 bit in 1 plane, 8 bits with the palette at the end, or 8 bits in 3 planes; thresholded to one bit.
#include <string.h>

#include "base/ckd.h"
#include "img/rows.h"

// One scan line, run by run. False: the file ends before it does.
static bool read_scan(struct pl_slice file, size_t *at, uint8_t *scan, size_t length)
{
    for (size_t n = 0; n < length;) {
        if (*at >= file.len)
            return false;
        uint8_t c = file.ptr[(*at)++];
        size_t run = 1;
        if (c >= 0xC0) {
            if (*at >= file.len)
                return false;
            run = c & 0x3F;
            c = file.ptr[(*at)++];
        }
        run = PL_MIN(run, length - n);
        memset(scan + n, c, run);
        n += run;
    }
    return true;
}

// Palette at the end of a file with 256 colours; NULL: the indexes are grey levels.
static const uint8_t *find_palette(struct pl_slice file)
{
    return file.len >= 128 + 769 && file.ptr[file.len - 769] == 0x0C ? file.ptr + file.len - 768 : NULL;
}

static bool is_bit_set(const uint8_t *scan, uint32_t x)
{
    return scan[x / 8] >> (7 - x % 8) & 1;
}

// `line`: bytes of a plane's scan line.
static uint32_t colour_at(const uint8_t *scan, uint32_t line, uint32_t x, bool indexed, const uint8_t *palette)
{
    if (palette)
        return pl_img_luma(palette[scan[x] * 3], palette[scan[x] * 3 + 1], palette[scan[x] * 3 + 2]);
    return indexed ? scan[x] : pl_img_luma(scan[x], scan[line + x], scan[2 * (size_t)line + x]);
}

enum pl_errc pl_img_pcx(struct pl_img_env *env, struct pl_slice file, struct pl_img_rows *out, const char **why,
                        struct pl_error *err)
{
    const uint8_t *h = file.ptr;
    uint32_t bits = h[3], planes = h[65], line = pl_img_le16(h + 66);
    uint32_t x0 = pl_img_le16(h + 4), y0 = pl_img_le16(h + 6), x1 = pl_img_le16(h + 8), y1 = pl_img_le16(h + 10);
    *why = "its header is damaged";
    if (x1 < x0 || y1 < y0 || line == 0)
        return PL_OK;
    uint32_t width = x1 - x0 + 1, height = y1 - y0 + 1;
    bool mono = bits == 1 && planes == 1, indexed = bits == 8 && planes == 1;
    if (!mono && !indexed && !(bits == 8 && planes == 3)) {
        *why = "only PCX of 1 bit, 256 colours or 24 bits is supported";
        return PL_OK;
    }
    if (line < (width * bits + 7) / 8)
        return PL_OK;
    *why = NULL;
    const uint8_t *palette = indexed ? find_palette(file) : NULL;
    PL_TRY(pl_img_rows_new(env, width, height, out, err));
    size_t scan_len = (size_t)line * planes;
    uint8_t *scan;
    PL_TRY(pl_img_scratch(env, scan_len, &scan, err));
    size_t at = 128;
    // In one-bit files the first palette entry says what 0 looks like; nearly always black.
    bool zero_is_dark = pl_img_luma(h[16], h[17], h[18]) < 128;
    for (uint32_t y = 0; y < height; y++) {
        if (!read_scan(file, &at, scan, scan_len)) {
            *why = env->shades ? "it breaks off" : NULL; // in label code what is missing stays white
            return PL_OK;
        }
        for (uint32_t x = 0; x < width; x++) {
            uint32_t luma = is_bit_set(scan, x) == zero_is_dark ? 255 : 0;
            if (!mono)
                luma = colour_at(scan, line, x, indexed, palette);
            pl_img_rows_put(out, x, y, luma);
        }
        if (y % 32 == 31)
            PL_TRY(pl_job_check(env->job, err));
    }
    return PL_OK;
}
