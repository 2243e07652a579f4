// Fuzz target: Data Matrix ECC 200 and the older kinds, with any options and data. ECC 200 reads back.
#include <string.h>

#include "bar/encode/datamatrix.h"
#include "bar/encode/datamatrix_legacy.h"
#include "fuzz_matrix.h"
#include "lang/zpl/barcode_field.h"

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
            .quality = qualities[kind / 2 % 6], .format = take(&in) % 8, .side = take(&in)};
        code = pl_datamatrix_legacy_encode(rest(&in), &options, &in.arena, &modules, &err);
    } else {
        struct pl_datamatrix_options options = {.columns = kind & 2 ? take(&in) : 0,
                                                .rows = kind & 4 ? take(&in) : 0,
                                                .rectangular = kind & 8,
                                                .tail_in_ascii = kind & 32};
        struct zpl_barcode field;
        zpl_barcode_init(&field, PL_SYM_DATAMATRIX);
        field.symbol.datamatrix.quality = 200;
        field.escape = (uint8_t)(kind & 16 ? take(&in) : 0);
        bool escapes = kind & 16 && memchr(in.bytes, field.escape ? field.escape : '~', in.size);
        struct pl_barcode read = field.symbol;
        read.content = pl_content_of(rest(&in));
        code = kind & 16 ? zpl_barcode_read(&field, rest(&in), &in.arena, &read, &err) : PL_OK;
        if (code == PL_OK)
            code = pl_datamatrix_encode(read.content, &options, &in.arena, &modules, &err);
        struct decoded out = new_decoded();
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
