// PNG of arbitrary pictures, read back by libdeflate: the rows must come back as they went in.
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "enc/rows_deflate.h"
#include "fuzz_enc.h"

static struct libdeflate_decompressor *inflater;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    if (!inflater)
        inflater = libdeflate_alloc_decompressor();
    // Width from two bytes; each row is a copy of the row above or comes from the input.
    uint32_t width = 1 + (data[0] | (uint32_t)(data[1] & 3) << 8), row_bytes = (width + 7) / 8, height = 0;
    struct pl_bitmap bits;
    forget_the_last();
    if (pl_bitmap_new(&arena, width, 200, &bits, NULL) != PL_OK)
        abort();
    for (size_t at = 2; at < size && height < 200; height++) {
        uint8_t how = data[at++];
        if (height > 0 && how & 1)
            memcpy(pl_bitmap_row(&bits, height), pl_bitmap_row(&bits, height - 1), bits.stride * sizeof(uint64_t));
        if (how & 2) {
            for (uint32_t i = 0; i < row_bytes && at < size; i++, at++)
                for (uint32_t k = 0; k < 8 && i * 8 + k < width; k++)
                    if (data[at] & (0x80 >> k))
                        pl_bitmap_set(&bits, i * 8 + k, height);
        }
        if (how & 4)
            pl_bitmap_fill(&bits, (struct pl_box){how >> 3, (int32_t)height, (int32_t)width, (int32_t)height + 1},
                           PL_INK_XOR);
    }
    bits.height = height;
    if (height == 0 || pl_rows_deflate(&bits, NULL, &scratch, &out, NULL) != PL_OK)
        return 0;
    size_t expected = (size_t)(row_bytes + 1) * height, got;
    uint8_t *rows = malloc(expected);
    if (!inflater || !rows || libdeflate_zlib_decompress(inflater, out.data, out.len, rows, expected, &got) != 0 ||
        got != expected)
        abort();
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = rows + (size_t)y * (row_bytes + 1);
        if (row[0] != 0)
            abort();
        for (uint32_t x = 0; x < width; x++)
            if (!((row[1 + x / 8] >> (7 - x % 8)) & 1) != pl_bitmap_get(&bits, x, y))
                abort();
    }
    free(rows);
    return 0;
}
