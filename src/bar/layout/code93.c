// Code 93: shifts and letters to ASCII, check characters in the caption.
#include "bar/encode/checkdigit.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"

// The pairs of Code 93: one of four shifts and a letter stand for one character of ASCII. Returns -1 for pairs that are
// none.
static int code93_pair(uint32_t shift, uint8_t letter)
{
    if (letter < 'A' || letter > 'Z')
        return -1;
    int n = letter - 'A';
    switch (shift) {
    case 0: // ($)
        return n + 1;
    case 1: // (%)
        if (n < 5)
            return 27 + n;
        if (n < 10)
            return ';' + n - 5;
        if (n < 15)
            return '[' + n - 10;
        if (n < 20)
            return '{' + n - 15;
        return n == 20 ? 0 : n == 21 ? '@' : n == 22 ? '`' : 127;
    case 2: // (/)
        return n == 25 ? ':' : n < 15 ? '!' + n : -1;
    default: // (+)
        return 'a' + n;
    }
}

enum pl_errc pl_bar_build_code93(struct pl_bar_build *b)
{
    struct pl_bar_string text, data, symbols;
    PL_BAR_TRY(b, pl_bar_filter(b, 0, &text));
    PL_TRY(pl_bar_string_new(b, text.len, &data));
    PL_TRY(pl_bar_string_new(b, text.len, &symbols));
    uint32_t bad = 0;
    for (uint32_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        if (c < PL_BAR_SHIFT) {
            pl_bar_string_put(&data, c);
            pl_bar_string_put(&symbols, c);
            continue;
        }
        int code = i + 1 < text.len ? code93_pair(c - PL_BAR_SHIFT, text.ptr[i + 1]) : -1;
        if (code < 0) {
            bad++;
            continue;
        }
        pl_bar_string_put(&data, (uint8_t)code);
        pl_bar_string_put(&symbols, (uint8_t)('a' + (c - PL_BAR_SHIFT)));
        pl_bar_string_put(&symbols, text.ptr[++i]);
    }
    if (bad)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA,
                    "A shift character of Code 93 is not followed by a letter and was left out.");
    if (data.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_bitmap modules;
    PL_BAR_TRY(b, pl_bar_zint_modules(b, pl_bar_string_slice(&data), 0, &modules));
    PL_TRY(pl_bar_set_modules(b, &modules));
    PL_TRY(pl_bar_set_text(b, pl_bar_string_slice(&data)));
    if (b->barcode->check) {
        PL_TRY(pl_bar_string_new(b, (size_t)data.len + 2, &text));
        pl_bar_string_append(&text, pl_bar_string_slice(&data));
        char checks[2];
        pl_check_code93(pl_bar_string_slice(&symbols), checks);
        pl_bar_string_append(&text, pl_slice_make(checks, 2));
        data = text;
    }
    return pl_bar_add_caption(b, pl_bar_string_slice(&data), 0x25A1, 0x25A1); // hollow boxes for start and stop
}
