// Code 128: whatever is encoded reads back; the first byte chooses the mode.
#include <stdlib.h>
#include <string.h>

#include "../../barcodes/decode.h"
#include "bar/encode/code128.h"
#include "lang/zpl/barcode_field.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint16_t chars[8192];
    if (size < 1)
        return 0;
    char mode = "NUAD"[data[0] % 4];
    struct pl_slice text = pl_slice_make(data + 1, size - 1);
    struct pl_arena arena;
    pl_arena_init(&arena, 16u << 20);
    struct zpl_barcode field;
    zpl_barcode_init(&field, PL_SYM_CODE128);
    field.mode = mode;
    struct pl_barcode read = field.symbol;
    if (zpl_barcode_read(&field, text, &arena, &read, NULL) != PL_OK)
        abort(); // memory is ample
    struct pl_code128 code;
    enum pl_errc result = mode == 'N'   ? pl_code128_encode_values(read.content, &arena, &code, NULL)
                          : mode == 'U' ? pl_code128_encode_case(read.content.bytes, &arena, &code, NULL)
                                        : pl_code128_encode(read.content, mode == 'D', &arena, &code, NULL);
    if (result == PL_OK && text.len <= PL_CODE128_LENGTH_MAX) {
        struct pl_bitmap modules;
        struct decoded out = {.chars = chars, .cap = 8192};
        if (pl_code128_modules(&code, &arena, &modules, NULL) != PL_OK || !decode_code128(&modules, &out))
            abort();
        if (mode == 'A') {
            if (out.count != text.len)
                abort();
            for (size_t i = 0; i < text.len; i++)
                if (chars[i] != text.ptr[i])
                    abort();
        } else if (mode == 'U') {
            if (out.count != 21 || chars[0] != DECODE_FNC1)
                abort();
        } else if (mode == 'D') {
            // FNC1 first, then the data without parentheses, blanks and with >8 as FNC1 (but none before the data).
            size_t at = 1;
            if (out.count < 1 || chars[0] != DECODE_FNC1)
                abort();
            for (size_t i = 0; i < text.len; i++) {
                uint16_t c = text.ptr[i];
                if (c == '>' && i + 1 < text.len && text.ptr[i + 1] == '8') {
                    i++;
                    if (at == 1)
                        continue;
                    c = DECODE_FNC1;
                } else if (c == '(' || c == ')' || c == ' ') {
                    continue;
                }
                if (at >= out.count || chars[at++] != c)
                    abort();
            }
            if (at != out.count)
                abort();
        }
    }
    pl_arena_fini(&arena);
    return 0;
}
