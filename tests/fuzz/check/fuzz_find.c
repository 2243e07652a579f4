// The search for barcodes in pictures with any dots: the first three bytes choose size and shape, the rest are the
// dots, repeated, and between them finder patterns, which noise has not.
#include <stdlib.h>
#include <string.h>

#include "check/find.h"

static void put_box(struct pl_bitmap *p, int32_t x, int32_t y, int32_t side, enum pl_ink ink)
{
    pl_bitmap_fill(p, (struct pl_box){x, y, x + side, y + side}, ink);
}

static void put_finder(struct pl_bitmap *p, int32_t x, int32_t y, int32_t module)
{
    put_box(p, x - module, y - module, 9 * module, PL_INK_WHITE);
    put_box(p, x, y, 7 * module, PL_INK_BLACK);
    put_box(p, x + module, y + module, 5 * module, PL_INK_WHITE);
    put_box(p, x + 2 * module, y + 2 * module, 3 * module, PL_INK_BLACK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8)
        return 0;
    struct pl_arena arena;
    struct pl_error err = {0};
    struct pl_bitmap page;
    struct pl_find_result result;
    pl_arena_init(&arena, 64 << 20);
    const uint32_t width = 1 + data[0] * 2u, height = 1 + data[1] * 2u, tall = 1 + data[2] % 16u,
                   module = 1 + data[3] % 6u;
    const uint8_t *dots = data + 6;
    const size_t count = size - 6, row_bytes = (width + 7) / 8;
    if (pl_bitmap_new(&arena, width, height, &page, &err) != PL_OK)
        abort();
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            if (dots[(y / tall * row_bytes + x / module / 8) % count] >> (7 - x / module % 8) & 1)
                pl_bitmap_set(&page, x, y);
    const int32_t side = (int32_t)(module * (17 + 4 * (1 + data[4] % 10u)));
    for (int32_t i = 0; i < data[5] % 5; i++) {
        const int32_t last = side - 7 * (int32_t)module;
        put_finder(&page, 10 + i % 2 * last, 10 + i / 2 * last, (int32_t)module);
    }
    if (data[2] & 0x80) // white on black
        put_box(&page, 0, 0, (int32_t)(width > height ? width : height), PL_INK_XOR);
    // There is memory enough, and no deadline: whatever the dots are, that is a result.
    if (pl_find_symbols(&page, NULL, &arena, &result, &err) != PL_OK)
        abort();
    for (uint32_t i = 0; i < result.count; i++)
        if (pl_box_is_empty(result.items[i].place))
            abort();
    pl_arena_fini(&arena);
    return 0;
}
