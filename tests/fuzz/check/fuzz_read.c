// Every reader with any dots: the first five bytes choose symbology, rotation, module and size, the rest are the dots,
// repeated. Half of the inputs repeat rows, since noise looks like no symbol.
#include <stdlib.h>
#include <string.h>

#include "check/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 6)
        return 0;
    struct pl_arena arena;
    struct pl_error err = {0};
    struct pl_bitmap page;
    struct pl_read_result result;
    pl_arena_init(&arena, 32 << 20);
    uint32_t width = 1 + data[3] * 2u, height = 1 + data[4] % 128u, tall = 1 + data[2] % 16u;
    const uint8_t *dots = data + 5;
    size_t count = size - 5;
    if (pl_bitmap_new(&arena, width, height, &page, &err) != PL_OK)
        abort();
    size_t row_bytes = (width + 7) / 8;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            size_t at = (data[1] & 4 ? y / tall : y) * row_bytes + x / 8;
            if (dots[at % count] >> (7 - x % 8) & 1)
                pl_bitmap_set(&page, x, y);
        }
    uint32_t quiet = data[1] & 8 ? 4 : 0;
    struct pl_read_request request = {
        .page = &page,
        .bars = {(int32_t)quiet, (int32_t)quiet, (int32_t)(width - quiet), (int32_t)(height - quiet)},
        .area = {0, 0, (int32_t)width, (int32_t)height},
        .rotation = (enum pl_rotation)(data[1] & 3),
        .module = data[1] >> 4,
        .inverted = data[2] >> 7,
        .symbology = (enum pl_check_symbology)(data[0] % PL_CHECK_SYMBOLOGY_COUNT)};
    // There is memory enough, and no deadline: whatever the dots are, that is an outcome.
    if (pl_read_symbol(&request, NULL, &arena, &result, &err) != PL_OK)
        abort();
    if (result.outcome == PL_READ_DECODED &&
        (result.data.len > PL_READ_MAX_DATA || result.lines_read > result.lines_tried))
        abort();
    pl_arena_fini(&arena);
    return 0;
}
