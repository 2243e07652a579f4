// Linear codes whose modules come from libzint: data rules, check digits, wide elements, captions.
#include "bar/encode/bar_zint.h"
#include "bar/encode/checkdigit.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
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

enum pl_errc pl_bar_zint_modules(struct pl_bar_build *b, struct pl_slice data, int option_2, struct pl_bitmap *modules)
{
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(b->context->arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(b->err);
    struct pl_zint_job job = {.symbology = (enum pl_zint_id)b->row->zint, .data = data, .option_2 = option_2};
    struct pl_error reason = {0};
    enum pl_errc code = pl_zint_encode(&job, b->context->arena, symbol, &reason);
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, PL_BAR_TOO_LONG, b->out->symbology);
    *modules = symbol->modules;
    return PL_OK;
}

// The elements of the symbol that `data` gives. What cannot be drawn ends the build.
static enum pl_errc encode(struct pl_bar_build *b, struct pl_slice data, int option_2, struct elements *out)
{
    struct pl_bitmap modules;
    PL_BAR_TRY(b, pl_bar_zint_modules(b, data, option_2, &modules));
    return to_elements(b, &modules, out);
}

static void set_two_widths(const struct elements *e, uint32_t narrow, uint32_t wide)
{
    for (uint32_t i = 0; i < e->count; i++)
        e->widths[i] = e->widths[i] > 1 ? wide : narrow;
}

// Narrow is a module, wide follows the ratio.
static enum pl_errc build_two_widths(struct pl_bar_build *b, struct pl_slice data)
{
    struct elements e;
    PL_BAR_TRY(b, encode(b, data, 0, &e));
    set_two_widths(&e, b->module, pl_bar_wide(b));
    return pl_bar_set_elements(b, e.widths, e.count);
}

static enum pl_errc finish(struct pl_bar_build *b, struct pl_slice caption)
{
    PL_TRY(pl_bar_set_text(b, caption));
    return pl_bar_add_caption(b, caption, 0, 0);
}

enum pl_errc pl_bar_build_code11(struct pl_bar_build *b)
{
    struct pl_bar_string data;
    PL_BAR_TRY(b, pl_bar_filter(b, 2, &data));
    struct elements e;
    // e=Y asks for one check digit, N for two; libzint counts the other way round.
    PL_BAR_TRY(b, encode(b, pl_bar_string_slice(&data), b->barcode->check ? 1 : 0, &e));
    // A character is five elements and a gap. Where only one of the five is wide (0, 9 and dash), it is wide by 5/3
    // more, so that all characters are about as wide; measured on a printer.
    uint32_t wide = pl_bar_wide(b), extra = b->module * b->barcode->ratio_tenths * 5 / 30;
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
    if (!b->barcode->check)
        pl_bar_string_put(&data, (uint8_t)pl_check_code11(pl_bar_string_slice(&data), 9));
    PL_TRY(pl_bar_set_text(b, pl_bar_string_slice(&data)));
    return pl_bar_add_caption(b, pl_bar_string_slice(&data), 0x25B3, 0x25B3); // triangles for start and stop
}

enum pl_errc pl_bar_build_2of5(struct pl_bar_build *b)
{
    struct pl_bar_string digits, data;
    PL_BAR_TRY(b, pl_bar_filter(b, 1, &digits));
    bool interleaved = b->barcode->symbology == PL_SYM_INTERLEAVED_2OF5;
    if (interleaved && b->barcode->check)
        pl_bar_string_put(&digits, (uint8_t)pl_check_mod10(pl_bar_string_slice(&digits)));
    PL_TRY(pl_bar_string_new(b, (size_t)digits.len + 1, &data));
    if (interleaved && digits.len % 2)
        pl_bar_string_put(&data, '0');
    pl_bar_string_append(&data, pl_bar_string_slice(&digits));
    PL_BAR_TRY(b, build_two_widths(b, pl_bar_string_slice(&data)));
    return finish(b, pl_bar_string_slice(&data));
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
    set_two_widths(&e, narrow, wide);
    *widths = e.widths;
    *count = e.count;
    return PL_OK;
}

// Code 39, and LOGMARS, which always has the check character.
enum pl_errc pl_bar_build_code39(struct pl_bar_build *b)
{
    struct pl_bar_string data;
    bool logmars = b->barcode->symbology == PL_SYM_LOGMARS;
    PL_BAR_TRY(b, pl_bar_filter(b, 1, &data));
    if (b->barcode->check || logmars)
        pl_bar_string_put(&data, (uint8_t)pl_check_mod43(pl_bar_string_slice(&data)));
    PL_BAR_TRY(b, build_two_widths(b, pl_bar_string_slice(&data)));
    if (logmars)
        return finish(b, pl_bar_string_slice(&data));
    PL_TRY(pl_bar_set_text(b, pl_bar_string_slice(&data)));
    if (b->barcode->caption.ptr)
        return pl_bar_add_caption(b, b->barcode->caption, 0, 0);
    return pl_bar_add_caption(b, pl_bar_string_slice(&data), '*', '*');
}

static bool is_start_stop(uint8_t c)
{
    return c >= 'A' && c <= 'D';
}

enum pl_errc pl_bar_build_codabar(struct pl_bar_build *b)
{
    struct pl_bar_string text, data;
    PL_BAR_TRY(b, pl_bar_filter(b, 0, &text));
    uint8_t start = is_start_stop((uint8_t)b->barcode->codabar.start) ? (uint8_t)b->barcode->codabar.start : 0;
    uint8_t stop = is_start_stop((uint8_t)b->barcode->codabar.stop) ? (uint8_t)b->barcode->codabar.stop : 0;
    // Data that brings its own start and stop characters gives no second pair.
    uint32_t from = 0, to = text.len;
    if (text.len >= 2 && is_start_stop(text.ptr[0]) && is_start_stop(text.ptr[text.len - 1])) {
        start = start ? start : text.ptr[0];
        stop = stop ? stop : text.ptr[text.len - 1];
        if (start != text.ptr[0] || stop != text.ptr[text.len - 1])
            pl_bar_note(b, PL_DIAG_BARCODE_DATA,
                        "The data begins with %c and ends with %c; those of the command, %c and %c, were encoded.",
                        text.ptr[0], text.ptr[text.len - 1], start, stop);
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
    PL_BAR_TRY(b, build_two_widths(b, pl_bar_string_slice(&data)));
    return finish(b, pl_bar_string_slice(&data));
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
    PL_BAR_TRY(b, pl_bar_filter(b, 4, &data));
    uint32_t shown = data.len;
    enum pl_msi_checks checks = b->barcode->msi.checks;
    if (checks == PL_MSI_MOD10_TWICE)
        put_number(&data, pl_check_msi_mod10(pl_bar_string_slice(&data)));
    if (checks == PL_MSI_MOD11_MOD10)
        put_number(&data, pl_check_msi_mod11(pl_bar_string_slice(&data)));
    if (checks != PL_MSI_NONE)
        put_number(&data, pl_check_msi_mod10(pl_bar_string_slice(&data)));
    PL_BAR_TRY(b, build_two_widths(b, pl_bar_string_slice(&data)));
    return finish(b, pl_slice_sub(pl_bar_string_slice(&data), 0, b->barcode->msi.check_in_text ? data.len : shown));
}

enum pl_errc pl_bar_build_plessey(struct pl_bar_build *b)
{
    struct pl_bar_string data;
    PL_BAR_TRY(b, pl_bar_filter(b, 2, &data));
    struct elements e;
    PL_BAR_TRY(b, encode(b, pl_bar_string_slice(&data), 0, &e));
    uint32_t wide = pl_bar_wide(b);
    set_two_widths(&e, b->module, wide);
    // The terminator is a wide and a narrow bar grown together; libzint draws the wide part only.
    if (e.count >= 9)
        e.widths[e.count - 9] = wide + b->module;
    PL_TRY(pl_bar_set_elements(b, e.widths, e.count));
    if (b->barcode->check) {
        char check[2];
        pl_check_plessey(pl_bar_string_slice(&data), check);
        pl_bar_string_append(&data, pl_slice_make(check, 2));
    }
    return finish(b, pl_bar_string_slice(&data));
}
