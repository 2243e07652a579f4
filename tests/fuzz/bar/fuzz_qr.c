// QR Code: whatever is encoded reads back. The first bytes choose level, mask, model and how the data is cut into
// segments.
#include <stdlib.h>
#include <string.h>

#include "../../barcodes/decode.h"
#include "bar/encode/qr.h"
#include "bar/encode/qr_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint16_t chars[16384];
    if (size < 4)
        return 0;
    struct pl_qr_options options = {.level = (enum pl_qr_level)(data[0] % 4),
                                    .mask = data[0] & 0x80 ? -1 : data[0] >> 4 & 7,
                                    .version = data[1] % 41,
                                    .append_index = data[2] & 1 ? 2 : 0,
                                    .append_count = data[2] & 1 ? 3 : 0,
                                    .eci = data[2] & 10 ? 0 : 26,
                                    .model1 = data[2] & 8};
    size_t cut = data[3], length = size - 4;
    const uint8_t *text = data + 4;
    cut = cut < length ? cut : length;
    struct pl_qr_segment segments[2] = {{.automatic = (data[2] & 4) == 0,
                                         .mode = (enum pl_qr_mode)(data[2] >> 4 & 3),
                                         .data = pl_slice_make(text, cut)},
                                        {.automatic = true, .data = pl_slice_make(text + cut, length - cut)}};
    struct pl_arena arena;
    pl_arena_init(&arena, 64u << 20);
    struct pl_qr_symbol symbol;
    if (pl_qr_encode(segments, 2, &options, &arena, &symbol, NULL) == PL_OK) {
        struct decoded out = {.chars = chars, .cap = 16384};
        uint32_t mask, checks, blocks = pl_qr_model1_blocks(symbol.version, symbol.level, &checks);
        bool good = options.model1 ? decode_qr_model1(&symbol.modules, blocks, checks, &out, &mask)
                                   : decode_qr(&symbol.modules, &out, &mask);
        if (!good || mask != symbol.mask || out.count != length)
            abort();
        for (size_t i = 0; i < length; i++)
            if (chars[i] != text[i])
                abort();
        if (symbol.version < options.version || symbol.level < options.level)
            abort();
    }
    pl_arena_fini(&arena);
    return 0;
}
