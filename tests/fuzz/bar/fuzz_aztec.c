// Fuzz target: Aztec symbols and runes with any options and data. What has no ECI and is not part of a row reads back.
#include "bar/encode/aztec.h"
#include "fuzz_matrix.h"
#include "lang/zpl/barcode_field.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_bitmap modules;
    begin(&in, bytes, size);
    uint32_t kind = take(&in);
    struct zpl_barcode field;
    zpl_barcode_init(&field, PL_SYM_AZTEC);
    field.size = (int32_t)(kind & 1 ? take(&in) + 50 : take(&in) % 110);
    field.eci = kind & 2;
    uint32_t append_count = kind & 8 ? take(&in) : 1;
    struct pl_barcode read = field.symbol;
    enum pl_errc code = zpl_barcode_read(&field, rest(&in), &in.arena, &read, &err);
    struct pl_aztec_options options = {.percent = read.aztec.percent,
                                       .layers = read.aztec.layers,
                                       .compact = read.aztec.compact,
                                       .rune = read.aztec.rune,
                                       .reader_init = kind & 4,
                                       .append_count = append_count,
                                       .append_index = kind >> 4};
    if (kind & 8)
        options.append_id = pl_slice_sub(rest(&in), 0, kind >> 3);
    if (code == PL_OK)
        code = pl_aztec_encode(read.content, &options, &in.arena, &modules, &err);
    if (code == PL_OK && !options.rune) {
        struct decoded out = new_decoded();
        bool good = decode_aztec(&modules, &out);
        if (!good)
            abort();
        if (!field.eci && (options.append_count < 2 || options.append_count > 26))
            check_decoded(good, &out, rest(&in));
    }
    check(&in, code, &modules);
    return 0;
}
