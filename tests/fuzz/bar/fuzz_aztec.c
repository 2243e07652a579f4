// Fuzz target: Aztec symbols and runes with any options and data.
#include "fuzz_matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_bitmap modules;
    begin(&in, bytes, size);
    uint32_t kind = take(&in);
    struct pl_aztec_options options = {.error_correction = kind & 1 ? take(&in) + 50 : take(&in) % 110,
                                       .eci = kind & 2,
                                       .reader_init = kind & 4,
                                       .append_count = kind & 8 ? take(&in) : 1,
                                       .append_index = kind >> 4};
    if (kind & 8)
        options.append_id = pl_slice_sub(rest(&in), 0, kind >> 3);
    check(&in, pl_aztec_encode(rest(&in), &options, &in.arena, &modules, &err), &modules);
    return 0;
}
