// Fuzz target: Data Matrix ECC 200 and the older kinds, with any options and data. ECC 200 reads back.
#include <string.h>

#include "fuzz_matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_bitmap modules;
    enum pl_errc code;
    begin(&in, bytes, size);
    uint32_t kind = take(&in);
    if (kind & 1) {
        static const uint8_t qualities[] = {0, 50, 80, 100, 140, 7};
        struct pl_datamatrix_legacy_options options = {
            .quality = qualities[kind / 2 % 6], .format = take(&in) % 8, .side = take(&in), .literal = kind >> 7};
        code = pl_datamatrix_legacy_encode(rest(&in), &options, &in.arena, &modules, &err);
    } else {
        struct pl_datamatrix_options options = {.columns = kind & 2 ? take(&in) : 0,
                                                .rows = kind & 4 ? take(&in) : 0,
                                                .rectangular = kind & 8,
                                                .escape = kind & 16 ? (int)take(&in) : -1};
        code = pl_datamatrix_encode(rest(&in), &options, &in.arena, &modules, &err);
        struct decoded out = new_decoded();
        bool escapes = options.escape >= 0 && memchr(in.bytes, options.escape, in.size);
        if (code == PL_OK) {
            bool good = decode_datamatrix(&modules, &out);
            if (!good)
                abort();
            if (!escapes)
                check_decoded(good, &out, rest(&in));
        }
    }
    check(&in, code, &modules);
    return 0;
}
