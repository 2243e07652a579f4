// Fuzzes graphic data and picture files. The first byte chooses the decoder, the second the bytes per row.
#include "zpl/gfdata.h"
#include "zpl/imagefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    struct pl_arena arena;
    pl_arena_init(&arena, (size_t)32 << 20);
    struct pl_diags diags;
    pl_diags_init(&diags, &arena, 50);
    struct pl_zpl_options options = {.dpmm = 8, .limits = PL_LIMITS_DEFAULT};
    options.limits.decoded_graphics = (size_t)4 << 20;
    struct pl_error err;
    struct zpl *z = PL_ARENA_NEW(&arena, struct zpl);
    z->options = &options;
    z->arena = &arena;
    z->diags = &diags;
    z->err = &err;
    struct pl_slice body = pl_slice_make(data + 3, size - 3);
    const struct pl_bitmap *bits = NULL;
    struct pl_slice bytes;
    uint64_t per_row = data[1] % 64u, total = per_row * (data[2] + 1u);
    enum pl_errc code;
    switch (data[0] % 4) {
    case 0:
        code = zpl_gf_bitmap(z, (struct pl_source){0}, body, false, total, per_row, &bits);
        break;
    case 1:
        code = zpl_gf_bitmap(z, (struct pl_source){0}, body, true, total, per_row, &bits);
        break;
    case 2:
        code = zpl_gf_file(z, (struct pl_source){0}, body, total, &bytes);
        break;
    default:
        code = zpl_image_decode(z, (struct pl_source){0}, body, &bits);
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
