// Fuzz target: Code 49 in all modes. What a symbol says is what was encoded.
#include "bar/encode/code49.h"
#include "fuzz_matrix.h"
#include "lang/zpl/barcode_field.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_code49 symbol;
    begin(&in, bytes, size);
    struct zpl_barcode field;
    zpl_barcode_init(&field, PL_SYM_CODE49);
    field.mode = "A012345"[take(&in) % 7];
    struct pl_barcode read = field.symbol;
    enum pl_errc code = zpl_barcode_read(&field, rest(&in), &in.arena, &read, &err);
    if (code == PL_OK)
        code = pl_code49_encode(read.content, read.code49.start_mode, &in.arena, &symbol, &err);
    if (code == PL_OK) {
        struct decoded out = new_decoded();
        check_decoded(decode_code49(&symbol.modules, &out), &out, symbol.text);
    }
    check(&in, code, &symbol.modules);
    return 0;
}
