// Fuzzes graphic data and picture files. The first byte chooses the decoder, the second the bytes per row.
#include "lang/zpl/imagefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    struct pl_arena arena;
    pl_arena_init(&arena, (size_t)32 << 20);
    struct pl_diags diags;
    pl_diags_init(&diags, &arena, 50);
    struct pl_img_env img = {.arena = &arena, .limit = (size_t)4 << 20};
    struct zpl_gf gf = {.img = &img, .diags = &diags};
    struct pl_error err;
    struct pl_slice body = pl_slice_make(data + 3, size - 3);
    const struct pl_bitmap *bits = NULL;
    struct pl_slice bytes;
    uint64_t per_row = data[1] % 64u, total = per_row * (data[2] + 1u);
    enum pl_errc code;
    switch (data[0] % 4) {
    case 0:
        code = zpl_gf_bitmap(&gf, body, false, total, per_row, &bits, &err);
        break;
    case 1:
        code = zpl_gf_bitmap(&gf, body, true, total, per_row, &bits, &err);
        break;
    case 2:
        code = zpl_gf_file(&gf, body, total, (size_t)4 << 20, &bytes, &err);
        break;
    default:
        code = zpl_image_decode(&gf, body, &bits, &err);
        break;
    }
    (void)code;
    // Bits right of the width must be blank: everything that draws relies on it.
    if (bits && bits->width % 64) {
        uint64_t beyond = UINT64_MAX >> (bits->width % 64);
        for (uint32_t y = 0; y < bits->height; y++) {
            if (pl_bitmap_row(bits, y)[bits->stride - 1] & beyond)
                __builtin_trap();
        }
    }
    pl_arena_fini(&arena);
    return 0;
}
