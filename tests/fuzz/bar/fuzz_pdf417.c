// Fuzz target: PDF417 and MicroPDF417, alone and in series, with any options and data. A symbol alone reads back.
#include "bar/encode/pdf417.h"
#include "fuzz_matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_bitmap modules[60];
    uint32_t count = 0;
    enum pl_errc code;
    begin(&in, bytes, size);
    uint32_t kind = take(&in);
    bool series = kind & 2;
    if (kind & 1) {
        struct pl_micropdf417_options options = {
            .size = (int32_t)(take(&in) % 40) - 2, .columns = kind >> 2 & 7, .min_rows = kind >> 5, .linked = kind & 4};
        code = series
                   ? pl_micropdf417_encode_series(rest(&in), &options, kind >> 2 & 63, &in.arena, modules, &count, &err)
                   : pl_micropdf417_encode(rest(&in), &options, &in.arena, modules, &err);
    } else {
        struct pl_pdf417_options options = {.columns = kind & 4 ? take(&in) % 40 : 0,
                                            .rows = kind & 8 ? take(&in) % 100 : 0,
                                            .security = kind >> 4 & 15,
                                            .truncated = kind & 32};
        code = series ? pl_pdf417_encode_series(rest(&in), &options, 1 + (kind >> 2 & 31), &in.arena, modules, &count,
                                                &err)
                      : pl_pdf417_encode(rest(&in), &options, &in.arena, modules, &err);
    }
    if (code == PL_OK && !series) {
        struct decoded out = new_decoded();
        bool good = kind & 1 ? decode_micropdf417(modules, &out) : decode_pdf417(modules, kind & 32, &out);
        check_decoded(good, &out, rest(&in));
    }
    check(&in, code, series && count == 0 ? NULL : modules);
    return 0;
}
