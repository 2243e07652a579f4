// JPEG of arbitrary pictures, bitonal and grey, in every quality, read back by libjpeg without a complaint; at quality
// 100 the dots come back nearly as they went in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "enc/enc.h"
#include "fuzz_enc.h"

#define SIDE 200u

static void complain(j_common_ptr info)
{
    (void)info;
    abort();
}

static void hear_warning(j_common_ptr info, int level)
{
    (void)info;
    if (level < 0)
        abort();
}

static void read_back(const struct pl_canvas *page, uint32_t width, uint32_t height, unsigned quality)
{
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    errors.error_exit = complain;
    errors.emit_message = hear_warning;
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, out.data, out.len);
    jpeg_read_header(&info, TRUE);
    jpeg_start_decompress(&info);
    if (info.output_width != width || info.output_height != height)
        abort();
    uint8_t row[SIDE];
    JSAMPROW line = row;
    while (info.output_scanline < height) {
        uint32_t y = info.output_scanline;
        jpeg_read_scanlines(&info, &line, 1);
        for (uint32_t x = 0; x < width && quality == 100; x++) {
            int wanted = page->bits ? (pl_bitmap_get(page->bits, x, y) ? 0 : 255) : pl_grey_get(page->grey, x, y);
            if (abs(row[x] - wanted) > 8)
                abort();
        }
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    uint32_t width = 1 + data[0] % SIDE, height = 1 + data[1] % SIDE;
    unsigned quality = data[2] > 150 ? 100 : 1 + data[2] % 100;
    bool smooth = data[3] & 1;
    data += 4;
    size -= 4;
    struct pl_bitmap bits;
    struct pl_grey grey;
    uint8_t row[SIDE];
    forget_the_last();
    if (pl_bitmap_new(&arena, width, height, &bits, NULL) != PL_OK ||
        pl_grey_new(&arena, width, height, &grey, NULL) != PL_OK)
        abort();
    for (size_t i = 0; i < (size_t)width * height && size > 0; i++) {
        row[i % width] = data[i % size];
        if (smooth && i % width == width - 1 &&
            pl_grey_put_row(&arena, &grey, (uint32_t)(i / width), row, NULL) != PL_OK)
            abort();
        if (!smooth && data[i / 8 % size] >> i % 8 & 1)
            pl_bitmap_set(&bits, (uint32_t)(i % width), (uint32_t)(i / width));
    }
    struct pl_canvas page = {.bits = smooth ? NULL : &bits, .grey = smooth ? &grey : NULL, .density = 7992};
    if (pl_jpeg_encode(&page, quality, &scratch, &out, NULL) != PL_OK)
        abort();
    read_back(&page, width, height, quality);
    return 0;
}
