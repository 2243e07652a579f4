// POSTNET, PLANET and Intelligent Mail: bars of equal width at a fixed pitch that differ in height.
#include "bar/encode/bar_zint.h"
#include "bar/encode/checkdigit.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

// A band with a bar wherever one of the two rows of modules has one; libzint draws a bar every second module.
static enum pl_errc add_bars(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t row, int32_t y,
                             uint32_t height)
{
    uint32_t count = (modules->width + 1) / 2, pitch = b->module * 5 / 2, n = 0;
    struct pl_bar_run *runs = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_run, count);
    if (!runs)
        return pl_fail_memory(b->err);
    for (uint32_t i = 0; i < count; i++)
        if (pl_bitmap_get(modules, 2 * i, row))
            runs[n++] = (struct pl_bar_run){i * pitch, b->module};
    struct pl_bar_band *band = (struct pl_bar_band *)&b->out->bands[b->out->band_count++];
    *band = (struct pl_bar_band){y, height, runs, n};
    return PL_OK;
}

// The sum of the digits goes up to a multiple of ten.
static uint8_t postal_check(struct pl_slice digits)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < digits.len; i++)
        sum += (uint32_t)(digits.ptr[i] - '0');
    return (uint8_t)('0' + (10 - sum % 10) % 10);
}

static bool length_is_usual(enum pl_postal_kind kind, uint32_t n)
{
    if (kind == PL_POSTAL_POSTNET)
        return n == 5 || n == 9 || n == 11;
    return n == 11 || n == 13;
}

static void note_length(struct pl_bar_build *b, uint32_t digits)
{
    struct pl_diag *d = pl_bar_note(b, PL_DIAG_BARCODE_DATA,
                                    "%u digits are not a usual length for this code; they were encoded.", digits);
    if (d)
        d->severity = PL_SEV_WARNING; // nothing was lost
}

enum pl_errc pl_bar_build_postal(struct pl_bar_build *b)
{
    enum pl_postal_kind kind = b->barcode->symbology == PL_SYM_PLANET ? PL_POSTAL_PLANET : b->barcode->postal.kind;
    static const char *const names[] = {"postnet", "planet", "intelligentMail"};
    static const enum pl_zint_id ids[] = {PL_ZINT_POSTNET, PL_ZINT_PLANET, PL_ZINT_IMAIL};
    b->out->symbology = names[kind];
    struct pl_bar_string data, mail;
    PL_BAR_TRY(b, pl_bar_filter(b, 1, &data));
    if (kind != PL_POSTAL_INTELLIGENT_MAIL && !length_is_usual(kind, data.len))
        note_length(b, data.len);
    if (kind == PL_POSTAL_INTELLIGENT_MAIL) { // libzint wants a dash between tracking and routing code
        PL_TRY(pl_bar_string_new(b, (size_t)data.len + 1, &mail));
        pl_bar_string_append(&mail, pl_slice_sub(pl_bar_string_slice(&data), 0, 20));
        if (data.len > 20) {
            pl_bar_string_put(&mail, '-');
            pl_bar_string_append(&mail, pl_slice_sub(pl_bar_string_slice(&data), 20, data.len));
        }
    }
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(b->context->arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(b->err);
    struct pl_zint_job job = {.symbology = ids[kind],
                              .data = pl_bar_string_slice(kind == PL_POSTAL_INTELLIGENT_MAIL ? &mail : &data)};
    struct pl_error reason = {0};
    enum pl_errc code = pl_zint_encode(&job, b->context->arena, symbol, &reason);
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, PL_BAR_BAD_CHARACTER, names[kind]);
    const struct pl_bitmap *modules = &symbol->modules;
    if (modules->height < (kind == PL_POSTAL_INTELLIGENT_MAIL ? 3u : 2u))
        return pl_fail(b->err, PL_E_BUG, "libzint gave %u rows for %s", modules->height, names[kind]);

    PL_TRY(pl_bar_reserve_bands(b, 3));
    b->out->linear = true;
    uint32_t h = b->height;
    if (kind == PL_POSTAL_INTELLIGENT_MAIL) { // thirds, the middle one rounded outwards
        uint32_t upper = h / 3, lower = h - h / 3;
        PL_TRY(add_bars(b, modules, 0, 0, upper));
        PL_TRY(add_bars(b, modules, 1, (int32_t)upper, lower - upper));
        PL_TRY(add_bars(b, modules, 2, (int32_t)lower, h - lower));
    } else { // a short bar is the lower two fifths
        uint32_t small = h * 2 / 5;
        PL_TRY(add_bars(b, modules, 0, 0, h - small));
        PL_TRY(add_bars(b, modules, 1, (int32_t)(h - small), small));
    }
    uint32_t bars = (modules->width + 1) / 2, pitch = b->module * 5 / 2;
    b->out->width = (bars - 1) * pitch + b->module;
    b->out->height = h;
    if (kind != PL_POSTAL_INTELLIGENT_MAIL)
        pl_bar_string_put(&data, postal_check(pl_bar_string_slice(&data)));
    PL_TRY(pl_bar_set_text(b, pl_bar_string_slice(&data)));
    // The line is centred over whole pitches, the gap behind the last bar included.
    uint32_t width = b->out->width;
    b->out->width = bars * pitch;
    enum pl_errc added = pl_bar_add_caption(b, pl_bar_string_slice(&data), 0, 0);
    b->out->width = width;
    return added;
}
