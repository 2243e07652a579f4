// Smooth pages, read back: the rows of PNG by libdeflate, WebP by libwebp. The shades must come back as they went in.
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>

#include "enc/enc.h"
#include "fuzz_enc.h"

#define WIDEST 300u
#define HIGHEST 100u

static struct libdeflate_decompressor *inflater;
static uint8_t dots[WIDEST * HIGHEST];

static void read_rows(uint32_t width, uint32_t height)
{
    static uint8_t rows[(WIDEST + 1) * HIGHEST];
    size_t expected = (size_t)(width + 1) * height, got;
    if (!inflater)
        inflater = libdeflate_alloc_decompressor();
    if (!inflater || libdeflate_zlib_decompress(inflater, out.data, out.len, rows, expected, &got) != 0 ||
        got != expected)
        abort();
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = rows + (size_t)y * (width + 1);
        if (row[0] != 0 || memcmp(row + 1, dots + (size_t)y * width, width) != 0)
            abort();
    }
}

static void read_webp(uint32_t width, uint32_t height)
{
    int w, h;
    uint8_t *rgb = WebPDecodeRGB(out.data, out.len, &w, &h);
    if (!rgb || w != (int)width || h != (int)height)
        abort();
    for (uint32_t i = 0; i < width * height; i++)
        if (rgb[i * 3] != dots[i] || rgb[i * 3 + 1] != dots[i] || rgb[i * 3 + 2] != dots[i])
            abort();
    WebPFree(rgb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    uint32_t width = 1 + (data[0] | (uint32_t)(data[1] & 1) << 8) % WIDEST, height = 0;
    struct pl_grey grey;
    forget_the_last();
    memset(dots, 255, sizeof dots);
    // Each row begins as the row above or white; then bytes of the input, as they are or as two colours.
    for (size_t at = 2; at < size && height < HIGHEST; height++) {
        uint8_t how = data[at++], *row = dots + (size_t)height * width;
        if (height > 0 && how & 1)
            memcpy(row, row - width, width);
        for (uint32_t x = how >> 3; how & 2 && x < width && at < size; x++, at++)
            row[x] = how & 4 ? (data[at] & 1 ? 0 : 255) : data[at];
    }
    if (height == 0 || pl_grey_new(&arena, width, height, &grey, NULL) != PL_OK)
        return 0;
    for (uint32_t y = 0; y < height; y++)
        if (pl_grey_put_row(&arena, &grey, y, dots + (size_t)y * width, NULL) != PL_OK)
            abort();
    struct pl_canvas page = {.grey = &grey, .density = 7992};
    if (pl_png_zlib(&page, &scratch, &out, NULL) != PL_OK)
        abort();
    read_rows(width, height);
    pl_buf_clear(&out);
    if (pl_webp_encode(&page, &scratch, &out, NULL) != PL_OK)
        abort();
    read_webp(width, height);
    return 0;
}
