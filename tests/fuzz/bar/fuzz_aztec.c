// Fuzz target: Aztec symbols and runes with any options and data. What has no ECI and is not part of a row reads back.
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
    enum pl_errc code = pl_aztec_encode(rest(&in), &options, &in.arena, &modules, &err);
    if (code == PL_OK && options.error_correction != 300) {
        struct decoded out = new_decoded();
        bool good = decode_aztec(&modules, &out);
        if (!good)
            abort();
        if (!options.eci && (options.append_count < 2 || options.append_count > 26))
            check_decoded(good, &out, rest(&in));
    }
    check(&in, code, &modules);
    return 0;
}
