// Fuzzes the lexer alone: tokens lie inside the text, one behind the other, and it always comes to an end.
#include "lang/zpl/lex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct zpl_lexer lex;
    zpl_lexer_init(&lex, pl_slice_make(data, size));
    struct zpl_token token;
    size_t last = 0;
    while (zpl_lex_next(&lex, &token)) {
        if (token.start < last || lex.pos <= token.start || lex.pos > size || token.item_count > ZPL_MAX_ARGS)
            __builtin_trap();
        const uint8_t *end = data + size;
        if (token.args.ptr < data || token.args.ptr + token.args.len > end)
            __builtin_trap();
        for (unsigned i = 0; i < token.item_count; i++) {
            if (token.item[i].ptr < token.args.ptr ||
                token.item[i].ptr + token.item[i].len > token.args.ptr + token.args.len)
                __builtin_trap();
        }
        last = token.start;
        // Now and then the prefixes change, as ^CC would do it.
        if (token.args.len == 1 && token.args.ptr[0] > ' ' && token.args.ptr[0] < 0x7F &&
            token.args.ptr[0] != lex.tilde && token.args.ptr[0] != lex.comma)
            zpl_lexer_prefixes(&lex, token.args.ptr[0], 0, 0);
    }
    return 0;
}
