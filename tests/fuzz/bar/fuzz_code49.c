// Fuzz target: Code 49 in all modes. What a symbol says is what was encoded.
#include "fuzz_matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_code49 symbol;
    begin(&in, bytes, size);
    char mode = "A012345"[take(&in) % 7];
    enum pl_errc code = pl_code49_encode(rest(&in), mode, &in.arena, &symbol, &err);
    if (code == PL_OK) {
        struct decoded out = new_decoded();
        check_decoded(decode_code49(&symbol.modules, &out), &out, symbol.text);
    }
    check(&in, code, &symbol.modules);
    return 0;
}
