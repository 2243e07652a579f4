// Fuzz target: CODABLOCK A, E and F, and TLC39, with any options and data. They read back.
#include "bar/encode/codablock.h"
#include "bar/encode/tlc39.h"
#include "fuzz_matrix.h"
#include "lang/zpl/barcode_field.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    begin(&in, bytes, size);
    uint32_t kind = take(&in);
    if (kind & 1) {
        struct pl_tlc39 out;
        enum pl_errc code = pl_tlc39_encode(pl_slice_sub(rest(&in), 0, 6), pl_slice_sub(rest(&in), 6, in.size),
                                            (struct pl_pdf_rules){0}, &in.arena, &out, &err);
        struct decoded read = new_decoded();
        if (code == PL_OK && out.has_micro && !decode_micropdf417(&out.micro, &read))
            abort();
        check(&in, code, code == PL_OK && out.has_micro ? &out.micro : NULL);
        return 0;
    }
    struct pl_codablock_options options = {.variant = "AEF"[kind / 2 % 3],
                                           .columns = kind & 64 ? take(&in) : 0,
                                           .rows = kind & 128 ? take(&in) : 0,
                                           .checks = kind & 32};
    struct pl_codablock symbol;
    struct zpl_barcode field;
    zpl_barcode_init(&field, PL_SYM_CODABLOCK);
    field.symbol.codablock.variant = options.variant;
    struct pl_barcode read = field.symbol;
    enum pl_errc code = zpl_barcode_read(&field, rest(&in), &in.arena, &read, &err);
    if (code == PL_OK)
        code = pl_codablock_encode(read.content, &options, &in.arena, &symbol, &err);
    if (code == PL_OK) {
        uint64_t width = 0;
        if (symbol.rows == 0 || symbol.rows > 44 || symbol.elements % 2 == 0)
            abort();
        for (uint32_t row = 0; row < symbol.rows; row++) {
            uint64_t sum = 0;
            for (uint32_t i = 0; i < symbol.elements; i++) {
                uint8_t w = symbol.widths[(size_t)row * symbol.elements + i];
                if (w < 1 || w > 4)
                    abort();
                sum += w;
            }
            if (row > 0 && sum != width) // rows of the same width
                abort();
            width = sum;
        }
        struct decoded out = new_decoded();
        if (!decode_codablock(&symbol, options.variant, options.checks, &out))
            abort();
        size_t head = options.variant == 'E', length = in.size; // FNC1 goes before E
        if (out.count < length + head || (options.variant != 'A' && out.count != length + head))
            abort();
        for (size_t i = 0; i < length; i++)
            if (out.chars[head + i] != (in.bytes[i] == 0x84 ? 0 : in.bytes[i]))
                abort();
    }
    check(&in, code, NULL);
    return 0;
}
