// Linear codes whose modules come from libzint: data rules, check digits, wide elements by the ratio of ^BY, captions.
#include "bar/bar_zint.h"
#include "bar/build.h"
#include "bar/checkdigit.h"
#include "base/ckd.h"

// Elements in modules, a bar first, without a space behind the last bar.
struct elements {
    uint32_t *widths;
    uint32_t count;
};

static enum pl_errc to_elements(struct pl_bar_build *b, const struct pl_bitmap *modules, struct elements *out)
{
    uint32_t *widths = PL_ARENA_ARRAY(b->context->arena, uint32_t, (size_t)modules->width + 1);
    if (!widths)
        return pl_fail_memory(b->err);
    uint32_t n = 0;
    bool before = false;
    for (uint32_t x = 0; x < modules->width; x++) {
        bool dark = pl_bitmap_get(modules, x, 0);
        if (x && dark == before)
            widths[n - 1]++;
        else
            widths[n++] = 1;
        before = dark;
    }
    if (n % 2 == 0 && n)
        n--;
    *out = (struct elements){widths, n};
    return PL_OK;
}

// Calls libzint; what it refuses ends the build.
static enum pl_errc encode(struct pl_bar_build *b, struct pl_slice data, int option_2, struct pl_bitmap *modules,
                           bool *ended)
{
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(b->context->arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(b->err);
    struct pl_zint_job job = {.symbology = (enum pl_zint_id)b->row->zint, .data = data, .option_2 = option_2};
    struct pl_error reason = {0};
    enum pl_errc code = pl_zint_encode(&job, b->context->arena, symbol, &reason);
    *ended = code != PL_OK;
    if (*ended)
        return pl_bar_refused(b, code, &reason, PL_BAR_TOO_LONG, b->out->symbology);
    *modules = symbol->modules;
    return PL_OK;
}

// Two widths: narrow is a module, wide follows ^BY.
static enum pl_errc set_two_widths(struct pl_bar_build *b, const struct elements *e)
{
    uint32_t wide = pl_bar_wide(b);
    for (uint32_t i = 0; i < e->count; i++)
        e->widths[i] = e->widths[i] > 1 ? wide : b->module;
    return pl_bar_set_elements(b, e->widths, e->count);
}

static enum pl_errc build_two_widths(struct pl_bar_build *b, struct pl_slice data, int option_2, bool *ended)
{
    struct pl_bitmap modules;
    PL_TRY(encode(b, data, option_2, &modules, ended));
    if (*ended)
        return PL_OK;
    struct elements e;
    PL_TRY(to_elements(b, &modules, &e));
    return set_two_widths(b, &e);
}

static enum pl_errc finish(struct pl_bar_build *b, struct pl_slice caption)
{
    PL_TRY(pl_bar_set_text(b, caption));
    return pl_bar_add_caption(b, caption, 0, 0);
}

enum pl_errc pl_bar_build_code11(struct pl_bar_build *b)
{
    struct pl_bar_string data;
    bool ended;
    PL_TRY(pl_bar_filter(b, 2, &data, &ended));
    if (ended)
        return PL_OK;
    struct pl_bitmap modules;
    // e=Y asks for one check digit, N for two; libzint counts the other way round.
    PL_TRY(encode(b, pl_bar_string_slice(&data), b->spec->check ? 1 : 0, &modules, &ended));
    if (ended)
        return PL_OK;
    struct elements e;
    PL_TRY(to_elements(b, &modules, &e));
    // A character is five elements and a gap. Where only one of the five is wide (0, 9 and dash), it is wide by 5/3
    // more, so that all characters are about as wide; measured on a printer.
    uint32_t wide = pl_bar_wide(b), extra = b->module * b->spec->ratio_tenths * 5 / 30;
    for (uint32_t at = 0; at < e.count; at += 6) {
        uint32_t end = PL_MIN(at + 5, e.count), wides = 0;
        for (uint32_t i = at; i < end; i++)
            wides += e.widths[i] > 1;
        for (uint32_t i = at; i < end; i++)
            e.widths[i] = e.widths[i] <= 1 ? b->module : wides == 1 ? PL_MAX(extra, wide) : wide;
        if (end < e.count)
            e.widths[end] = b->module;
    }
    PL_TRY(pl_bar_set_elements(b, e.widths, e.count));
    pl_bar_string_put(&data, (uint8_t)pl_check_code11(pl_bar_string_slice(&data), 10));
    if (!b->spec->check)
        pl_bar_string_put(&data, (uint8_t)pl_check_code11(pl_bar_string_slice(&data), 9));
    PL_TRY(pl_bar_set_text(b, pl_bar_string_slice(&data)));
    return pl_bar_add_caption(b, pl_bar_string_slice(&data), 0x25B3, 0x25B3); // triangles for start and stop
}

enum pl_errc pl_bar_build_2of5(struct pl_bar_build *b)
{
    struct pl_bar_string digits, data;
    bool ended;
    PL_TRY(pl_bar_filter(b, 1, &digits, &ended));
    if (ended)
        return PL_OK;
    bool interleaved = b->spec->symbology == PL_SYM_INTERLEAVED_2OF5;
    if (interleaved && b->spec->check)
        pl_bar_string_put(&digits, (uint8_t)pl_check_mod10(pl_bar_string_slice(&digits)));
    PL_TRY(pl_bar_string_new(b, (size_t)digits.len + 1, &data));
    if (interleaved && digits.len % 2)
        pl_bar_string_put(&data, '0');
    pl_bar_string_append(&data, pl_bar_string_slice(&digits));
    PL_TRY(build_two_widths(b, pl_bar_string_slice(&data), 0, &ended));
    return ended ? PL_OK : finish(b, pl_bar_string_slice(&data));
}

enum pl_errc pl_bar_code39_elements(struct pl_bar_build *b, struct pl_slice data, uint32_t narrow, uint32_t wide,
                                    uint32_t **widths, uint32_t *count)
{
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(b->context->arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(b->err);
    struct pl_zint_job job = {.symbology = PL_ZINT_CODE39, .data = data};
    enum pl_errc code = pl_zint_encode(&job, b->context->arena, symbol, b->err);
    if (code != PL_OK) // the caller has checked length and characters
        return code == PL_E_INVALID ? pl_fail(b->err, PL_E_BUG, "libzint refused Code 39 data") : code;
    struct elements e;
    PL_TRY(to_elements(b, &symbol->modules, &e));
    for (uint32_t i = 0; i < e.count; i++)
        e.widths[i] = e.widths[i] > 1 ? wide : narrow;
    *widths = e.widths;
    *count = e.count;
    return PL_OK;
}

// ^B3 and ^BL.
enum pl_errc pl_bar_build_code39(struct pl_bar_build *b)
{
    struct pl_bar_string data, caption;
    bool ended, logmars = b->spec->symbology == PL_SYM_LOGMARS;
    PL_TRY(pl_bar_filter(b, 1, &data, &ended));
    if (ended)
        return PL_OK;
    if (b->spec->check || logmars)
        pl_bar_string_put(&data, (uint8_t)pl_check_mod43(pl_bar_string_slice(&data)));
    PL_TRY(build_two_widths(b, pl_bar_string_slice(&data), 0, &ended));
    if (ended)
        return PL_OK;
    if (logmars)
        return finish(b, pl_bar_string_slice(&data));
    PL_TRY(pl_bar_set_text(b, pl_bar_string_slice(&data)));
    PL_TRY(pl_bar_string_new(b, (size_t)data.len + 2, &caption));
    pl_bar_string_put(&caption, '*');
    pl_bar_string_append(&caption, pl_bar_string_slice(&data));
    pl_bar_string_put(&caption, '*');
    return pl_bar_add_caption(b, pl_bar_string_slice(&caption), 0, 0);
}

static bool is_start_stop(uint8_t c)
{
    return c >= 'A' && c <= 'D';
}

// A to D, also under their older names T N * E; 0 if it is none of them.
static uint8_t start_stop_of(char c)
{
    static const char older[] = "TN*E";
    if (c >= 'a' && c <= 'z')
        c = (char)(c - 'a' + 'A');
    const char *at = c ? strchr(older, c) : NULL;
    return at ? (uint8_t)('A' + (at - older)) : is_start_stop((uint8_t)c) ? (uint8_t)c : 0;
}

enum pl_errc pl_bar_build_codabar(struct pl_bar_build *b)
{
    struct pl_bar_string text, data;
    bool ended;
    PL_TRY(pl_bar_filter(b, 0, &text, &ended));
    if (ended)
        return PL_OK;
    uint8_t start = start_stop_of(b->spec->start), stop = start_stop_of(b->spec->stop);
    // Data that brings its own start and stop characters gives no second pair.
    uint32_t from = 0, to = text.len;
    if (text.len >= 2 && is_start_stop(text.ptr[0]) && is_start_stop(text.ptr[text.len - 1])) {
        start = start ? start : text.ptr[0];
        stop = stop ? stop : text.ptr[text.len - 1];
        from++;
        to--;
    }
    PL_TRY(pl_bar_string_new(b, (size_t)text.len + 2, &data));
    pl_bar_string_put(&data, start ? start : 'A');
    uint32_t dropped = 0;
    for (uint32_t i = from; i < to; i++) {
        if (is_start_stop(text.ptr[i]))
            dropped++;
        else
            pl_bar_string_put(&data, text.ptr[i]);
    }
    pl_bar_string_put(&data, stop ? stop : 'A');
    if (dropped)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "A start or stop character inside of the data was left out.");
    if (data.len == 2)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    PL_TRY(build_two_widths(b, pl_bar_string_slice(&data), 0, &ended));
    return ended ? PL_OK : finish(b, pl_bar_string_slice(&data));
}

static void put_number(struct pl_bar_string *s, uint32_t value)
{
    if (value >= 10)
        pl_bar_string_put(s, (uint8_t)('0' + value / 10));
    pl_bar_string_put(s, (uint8_t)('0' + value % 10));
}

enum pl_errc pl_bar_build_msi(struct pl_bar_build *b)
{
    struct pl_bar_string data;
    bool ended;
    PL_TRY(pl_bar_filter(b, 4, &data, &ended));
    if (ended)
        return PL_OK;
    uint32_t shown = data.len;
    char mode = b->spec->mode;
    if (mode == 'C')
        put_number(&data, pl_check_msi_mod10(pl_bar_string_slice(&data)));
    if (mode == 'D')
        put_number(&data, pl_check_msi_mod11(pl_bar_string_slice(&data)));
    if (mode != 'A')
        put_number(&data, pl_check_msi_mod10(pl_bar_string_slice(&data)));
    PL_TRY(build_two_widths(b, pl_bar_string_slice(&data), 0, &ended));
    if (ended)
        return PL_OK;
    return finish(b, pl_slice_sub(pl_bar_string_slice(&data), 0, b->spec->check_in_text ? data.len : shown));
}

enum pl_errc pl_bar_build_plessey(struct pl_bar_build *b)
{
    struct pl_bar_string data;
    bool ended;
    PL_TRY(pl_bar_filter(b, 2, &data, &ended));
    if (ended)
        return PL_OK;
    struct pl_bitmap modules;
    PL_TRY(encode(b, pl_bar_string_slice(&data), 0, &modules, &ended));
    if (ended)
        return PL_OK;
    struct elements e;
    PL_TRY(to_elements(b, &modules, &e));
    uint32_t wide = pl_bar_wide(b);
    for (uint32_t i = 0; i < e.count; i++)
        e.widths[i] = e.widths[i] > 1 ? wide : b->module;
    // The terminator is a wide and a narrow bar grown together; libzint draws the wide part only.
    if (e.count >= 9)
        e.widths[e.count - 9] = wide + b->module;
    PL_TRY(pl_bar_set_elements(b, e.widths, e.count));
    if (b->spec->check) {
        char check[2];
        pl_check_plessey(pl_bar_string_slice(&data), check);
        pl_bar_string_append(&data, pl_slice_make(check, 2));
    }
    return finish(b, pl_bar_string_slice(&data));
}

// The pairs of Code 93: & ' ( ) and a letter stand for one character of ASCII (manual, ^BA). Returns -1 for pairs that
// are none.
static int code93_pair(uint8_t shift, uint8_t letter)
{
    if (letter < 'A' || letter > 'Z')
        return -1;
    int n = letter - 'A';
    switch (shift) {
    case '&': // ($)
        return n + 1;
    case '\'': // (%)
        if (n < 5)
            return 27 + n;
        if (n < 10)
            return ';' + n - 5;
        if (n < 15)
            return '[' + n - 10;
        if (n < 20)
            return '{' + n - 15;
        return n == 20 ? 0 : n == 21 ? '@' : n == 22 ? '`' : 127;
    case '(': // (/)
        return n == 25 ? ':' : n < 15 ? '!' + n : -1;
    default: // (+)
        return 'a' + n;
    }
}

static const char code93_order[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%abcd";

static uint32_t code93_value(uint8_t c)
{
    const char *at = c ? strchr(code93_order, c) : NULL;
    return at ? (uint32_t)(at - code93_order) : 0;
}

// The two check characters, over symbol characters; a to d stand for the four shifts.
static void code93_checks(struct pl_bar_string *symbols)
{
    for (uint32_t top = 20; top >= 15; top -= 5) {
        uint32_t sum = 0, weight = 1;
        for (uint32_t i = symbols->len; i-- > 0;) {
            sum = (sum + code93_value(symbols->ptr[i]) * weight) % 47;
            weight = weight == top ? 1 : weight + 1;
        }
        pl_bar_string_put(symbols, (uint8_t)code93_order[sum]);
    }
}

enum pl_errc pl_bar_build_code93(struct pl_bar_build *b)
{
    struct pl_bar_string text, data, symbols;
    bool ended;
    PL_TRY(pl_bar_filter(b, 0, &text, &ended));
    if (ended)
        return PL_OK;
    PL_TRY(pl_bar_string_new(b, text.len, &data));
    PL_TRY(pl_bar_string_new(b, (size_t)text.len + 2, &symbols));
    uint32_t bad = 0;
    for (uint32_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        if (c < '&' || c > ')') {
            pl_bar_string_put(&data, c);
            pl_bar_string_put(&symbols, c);
            continue;
        }
        int code = i + 1 < text.len ? code93_pair(c, text.ptr[i + 1]) : -1;
        if (code < 0) {
            bad++;
            continue;
        }
        pl_bar_string_put(&data, (uint8_t)code);
        pl_bar_string_put(&symbols, (uint8_t)('a' + (c - '&')));
        pl_bar_string_put(&symbols, text.ptr[++i]);
    }
    if (bad)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "A shift character of Code 93 stands before no letter and was left out.");
    if (data.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_bitmap modules;
    PL_TRY(encode(b, pl_bar_string_slice(&data), 0, &modules, &ended));
    if (ended)
        return PL_OK;
    PL_TRY(pl_bar_set_modules(b, &modules));
    PL_TRY(pl_bar_set_text(b, pl_bar_string_slice(&data)));
    if (b->spec->check) {
        PL_TRY(pl_bar_string_new(b, (size_t)data.len + 2, &text));
        pl_bar_string_append(&text, pl_bar_string_slice(&data));
        code93_checks(&symbols);
        pl_bar_string_append(&text, pl_slice_make(symbols.ptr + symbols.len - 2, 2));
        data = text;
    }
    return pl_bar_add_caption(b, pl_bar_string_slice(&data), 0x25A1, 0x25A1); // hollow boxes for start and stop
}
