// UPC-A, UPC-E, EAN-8, EAN-13 and their two- and five-digit extensions: data made to fit as printers do it, guards,
// groups of digits.
#include "bar/encode/bar_zint.h"
#include "bar/encode/checkdigit.h"
#include "bar/encode/upce.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"
#include "base/fmt.h"

// Guard bars reach below the others by this many dots whatever the module (measured at 8 and 12 dots per mm).
#define GUARD_TAIL 13
// Digits are OCR-B (font E) from a module on that depends on the density; its cell does too. Below that they are font
// A.
struct digits {
    uint32_t dpmm, module;
    int32_t height, width, advance, baseline;
};
static const struct digits ocrb[] = {
    {6, 2, 21, 10, 13, 17}, {8, 3, 28, 15, 20, 23}, {12, 5, 42, 20, 26, 34}, {0, 9, 42, 20, 26, 34}};
// Both stand in a cell that begins this far below the bars.
#define DIGIT_GAP 4

struct span {
    uint8_t from, to;
};

// Columns whose bars have tails.
static const struct span guards_ean13[] = {{0, 3}, {45, 50}, {92, 95}};
static const struct span guards_ean8[] = {{0, 3}, {31, 36}, {64, 67}};
static const struct span guards_upca[] = {{0, 10}, {45, 50}, {85, 95}};
static const struct span guards_upce[] = {{0, 3}, {45, 51}, {51, 51}};

// The digits that are encoded, of data that is longer than `want`, by the rules measured on a printer.
static struct pl_slice digits_of_long(const struct pl_barcode *barcode, uint32_t want, uint8_t kept[12])
{
    struct pl_slice data = barcode->content.bytes;
    if (data.len == want + 1)
        return pl_slice_sub(data, 0, want);   // the check digit is worked out again
    if (barcode->symbology == PL_SYM_EAN13) { // the first digit and the last eleven
        kept[0] = data.ptr[0];
        memcpy(kept + 1, data.ptr + data.len - 11, 11);
        return pl_slice_make(kept, 12);
    }
    if (barcode->symbology == PL_SYM_EAN8 && data.len <= 13)
        return pl_slice_sub(data, 5, PL_MIN(data.len, (size_t)12) - 5);
    return pl_slice_sub(data, data.len - want, want);
}

// A check digit that is wrong is reported, or ends the build.
static void report_check(struct pl_bar_build *b, uint8_t given, uint8_t right)
{
    if (given != right && !pl_bar_invalid(b, PL_BAR_BAD_CHECK, "The check digit of %s is wrong.", b->out->symbology))
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The check digit %c is wrong; %c was encoded.", given, right);
}

// The digits without a check digit: exactly `want` of them.
static void take_digits(struct pl_bar_build *b, uint32_t want, uint8_t *digits)
{
    struct pl_slice data = b->barcode->content.bytes;
    const char *name = b->out->symbology;
    for (size_t i = 0; i < data.len && !b->ended; i++)
        if (!pl_is_digit(data.ptr[i]))
            (void)pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "%s holds digits only.", name);
    if (b->ended)
        return;
    if (data.len < want && pl_bar_invalid(b, PL_BAR_TOO_SHORT, "%s needs %u digits.", name, want))
        return;
    if (data.len > want + 1) {
        enum pl_bar_fault fault = b->barcode->symbology == PL_SYM_UPCA ? PL_BAR_TOO_LONG : PL_BAR_TOO_SHORT;
        if (pl_bar_invalid(b, fault, "%s holds %u digits.", name, want))
            return;
    }
    uint8_t kept[12];
    struct pl_slice used = data.len > want ? digits_of_long(b->barcode, want, kept) : data;
    uint32_t zeros = used.len < want ? want - (uint32_t)used.len : 0, strange = 0;
    memset(digits, '0', zeros);
    for (uint32_t i = 0; i < want - zeros; i++) {
        strange += !pl_is_digit(used.ptr[i]);
        digits[zeros + i] = pl_is_digit(used.ptr[i]) ? used.ptr[i] : '0';
    }
    if (strange)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "Characters that are not digits were encoded as 0: %.*s.", (int)want,
                    (const char *)digits);
    else if (zeros)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The data is short; zeros were put before it: %.*s.", (int)want,
                    (const char *)digits);
    else if (data.len > want + 1)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The data is long; %.*s was encoded.", (int)want, (const char *)digits);
    if (data.len == want + 1 && pl_is_digit(data.ptr[want]))
        report_check(b, data.ptr[want], (uint8_t)pl_check_mod10(pl_slice_make(digits, want)));
}

// Data that is refused, where such data is not to be encoded in another way.
static bool refuse_upce(struct pl_bar_build *b, size_t length, bool strange)
{
    const char *name = b->out->symbology;
    if (strange && pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "%s holds digits only.", name))
        return true;
    if ((length < 6 || length == 9) && pl_bar_invalid(b, PL_BAR_TOO_SHORT, "%s needs 6 to 8 or 10 to 12 digits.", name))
        return true;
    return length > 12 && pl_bar_invalid(b, PL_BAR_TOO_LONG, "%s holds 12 digits.", name);
}

// Number system, six digits and the check digit, out of 6, 7, 8 (with check), 10, 11 or 12 (UPC-A) digits.
static enum pl_errc read_upce(struct pl_bar_build *b, uint8_t seven[8])
{
    struct pl_slice data = b->barcode->content.bytes;
    uint8_t digits[12];
    uint32_t n = 0, strange = 0;
    for (size_t i = 0; i < data.len && n < 12; i++) {
        strange += !pl_is_digit(data.ptr[i]);
        digits[n++] = pl_is_digit(data.ptr[i]) ? data.ptr[i] : '0';
    }
    if (refuse_upce(b, data.len, strange > 0))
        return PL_OK;
    if (strange)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "Characters that are not digits were encoded as 0.");
    if (data.len > 12)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The data is long; its first 12 digits were used.");
    while (n < 6 || n == 9) { // too short for either form: zeros before it
        memmove(digits + 1, digits, n);
        digits[0] = '0';
        n++;
    }
    if (data.len != n && data.len < 12)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The data is short; zeros were put before it.");
    seven[0] = '0';
    if (n == 6) {
        memcpy(seven + 1, digits, 6);
    } else if (n <= 8) {
        memcpy(seven, digits, 7);
    } else {
        const uint8_t *ten = n == 10 ? digits : digits + 1;
        seven[0] = n == 10 ? '0' : digits[0];
        if (!pl_upce_shorten(ten, seven + 1))
            return pl_bar_give_up(b, PL_BAR_BAD_CHARACTER, "%.10s has no short form in UPC-E.", (const char *)ten);
    }
    if (seven[0] > '1') {
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "UPC-E has the number systems 0 and 1 only; 0 was encoded.");
        seven[0] = '0';
    }
    uint8_t eleven[11];
    pl_upce_expand(seven, eleven);
    seven[7] = (uint8_t)pl_check_mod10(pl_slice_make(eleven, 11));
    if (data.len == 8 || data.len == 12)
        report_check(b, digits[n - 1], seven[7]);
    return PL_OK;
}

// Font of the digits; *advance and *baseline (from the cell's top) go with it.
static struct pl_font_ref digit_font(const struct pl_bar_build *b, int32_t *advance, int32_t *baseline)
{
    const struct digits *d = ocrb;
    while (d->dpmm && b->context->dpmm > d->dpmm)
        d++;
    if (b->module < d->module) {
        *advance = 6 * (int32_t)b->module;
        *baseline = 7 * (int32_t)b->module;
        return pl_bar_caption_font(b);
    }
    // Twice the size from module 8 on, at 8 dots per mm (reference); or with each third module (printer).
    int32_t times = b->module * 3 >= d->module * 8 ? 2 : 1;
    if (b->context->profile->upc_digits_by_thirds)
        times = (int32_t)PL_MIN(b->module / d->module, 10u);
    *advance = d->advance * times;
    *baseline = d->baseline * times;
    return (struct pl_font_ref){.resident = PL_FONT_OCR_B, .height = d->height * times, .width = d->width * times};
}

// Digits between columns and single digits outside of the bars, as measured for modules of 2 and 3 dots.
static enum pl_errc add_groups(struct pl_bar_build *b, const uint8_t *digits)
{
    if (!b->barcode->text || b->barcode->text_above)
        return PL_OK;
    int32_t advance, baseline, m = (int32_t)b->module;
    struct pl_font_ref font = digit_font(b, &advance, &baseline);
    int32_t v = (int32_t)b->out->height + DIGIT_GAP + baseline;
    struct group {
        uint8_t first, count, from, to; // digits and the columns they stand under
    };
    static const struct group ean13[] = {{1, 6, 3, 45}, {7, 6, 50, 92}}, ean8[] = {{0, 4, 3, 31}, {4, 4, 36, 64}},
                              upca[] = {{1, 5, 10, 45}, {6, 5, 50, 85}}, upce[] = {{1, 6, 3, 45}};
    const struct group *groups;
    uint32_t count = 2, columns;
    bool lead = true, trail = false;
    switch (b->barcode->symbology) {
    case PL_SYM_EAN13:
        groups = ean13;
        columns = 95;
        break;
    case PL_SYM_EAN8:
        groups = ean8;
        columns = 67;
        lead = false;
        break;
    case PL_SYM_UPCA:
        groups = upca;
        columns = 95;
        trail = b->barcode->check;
        break;
    default:
        groups = upce;
        count = 1;
        columns = 51;
        trail = b->barcode->check;
        break;
    }
    if (lead)
        PL_TRY(pl_bar_add_text(b, &font, pl_slice_make(digits, 1), -advance - 5 * m, v));
    // A group fills its columns: two modules are left free outside, one towards the middle, and the digits stand
    // evenly.
    for (uint32_t i = 0; i < count; i++) {
        int32_t room = (groups[i].to - groups[i].from - 3) * m - advance; // for the starts of the digits
        int32_t start = (groups[i].from + (i == 0 ? 2 : 1)) * m, gaps = groups[i].count - 1;
        for (int32_t k = 0; k <= gaps; k++)
            PL_TRY(pl_bar_add_text(b, &font, pl_slice_make(digits + groups[i].first + k, 1),
                                   start + (2 * room * k + gaps) / (2 * gaps), v));
    }
    if (trail) {
        uint32_t last = b->barcode->symbology == PL_SYM_UPCA ? 11 : 7;
        // Two modules behind the bars, as five before them (measured at modules of 2 and 3 dots).
        PL_TRY(pl_bar_add_text(b, &font, pl_slice_make(digits + last, 1), (int32_t)(columns + 2) * m, v));
    }
    return PL_OK;
}

static enum pl_errc get_modules(struct pl_bar_build *b, enum pl_zint_id id, struct pl_slice data,
                                struct pl_bitmap *modules)
{
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(b->context->arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(b->err);
    struct pl_zint_job job = {.symbology = id, .data = data};
    enum pl_errc code = pl_zint_encode(&job, b->context->arena, symbol, b->err);
    if (code == PL_E_INVALID) // digits were counted before: this is no fault of the data
        return pl_fail(b->err, PL_E_BUG, "libzint refused the digits of a %s", b->out->symbology);
    *modules = symbol->modules;
    return code;
}

enum pl_errc pl_bar_build_upcean(struct pl_bar_build *b)
{
    uint8_t digits[14] = {0};
    uint32_t length;
    const struct span *guards;
    switch (b->barcode->symbology) {
    case PL_SYM_EAN13:
        length = 12;
        guards = guards_ean13;
        break;
    case PL_SYM_EAN8:
        length = 7;
        guards = guards_ean8;
        break;
    case PL_SYM_UPCA:
        length = 11;
        guards = guards_upca;
        break;
    default:
        length = 7;
        guards = guards_upce;
        break;
    }
    if (b->barcode->symbology == PL_SYM_UPCE) {
        PL_BAR_TRY(b, read_upce(b, digits));
    } else {
        take_digits(b, length, digits);
        if (b->ended)
            return PL_OK;
        digits[length] = (uint8_t)pl_check_mod10(pl_slice_make(digits, length));
    }
    struct pl_bitmap modules, tails;
    if (b->barcode->symbology == PL_SYM_UPCE)
        PL_TRY(pl_upce_modules(digits, b->context->arena, &modules, b->err));
    else
        PL_TRY(get_modules(b, (enum pl_zint_id)b->row->zint, pl_slice_make(digits, length), &modules));
    PL_TRY(pl_bitmap_new(b->context->arena, modules.width, 1, &tails, b->err));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t x = guards[i].from; x < guards[i].to && x < modules.width; x++)
            if (pl_bitmap_get(&modules, x, 0))
                pl_bitmap_set(&tails, x, 0);
    PL_TRY(pl_bar_reserve_bands(b, 2));
    PL_TRY(pl_bar_add_band(b, &modules, 0, 0, b->height));
    PL_TRY(pl_bar_add_band(b, &tails, 0, (int32_t)b->height, GUARD_TAIL));
    b->out->width = modules.width * b->module;
    b->out->height = b->height;
    b->out->linear = true;
    // The check digit of the two UPC codes is printed only if the command says so.
    bool upc = b->barcode->symbology == PL_SYM_UPCA || b->barcode->symbology == PL_SYM_UPCE;
    struct pl_slice all = pl_slice_make(digits, length + 1);
    PL_TRY(pl_bar_set_text(b, all));
    if (b->barcode->text_above)
        return pl_bar_add_caption(b, pl_slice_sub(all, 0, upc && !b->barcode->check ? length : length + 1), 0, 0);
    return add_groups(b, digits);
}

enum pl_errc pl_bar_build_extension(struct pl_bar_build *b)
{
    struct pl_slice data = b->barcode->content.bytes;
    uint32_t want = data.len <= 2 ? 2 : 5;
    uint8_t digits[5];
    uint32_t skip = data.len > want ? (uint32_t)data.len - want : 0, strange = 0;
    uint32_t zeros = data.len < want ? want - (uint32_t)data.len : 0;
    if (data.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    memset(digits, '0', zeros);
    for (uint32_t i = zeros; i < want; i++) {
        uint8_t c = data.ptr[skip + i - zeros];
        strange += !pl_is_digit(c);
        digits[i] = pl_is_digit(c) ? c : '0';
    }
    if (strange && pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "%s holds digits only.", b->out->symbology))
        return PL_OK;
    if (skip && pl_bar_invalid(b, PL_BAR_TOO_LONG, "%s holds 2 or 5 digits.", b->out->symbology))
        return PL_OK;
    if (strange || skip || zeros)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "An extension holds 2 or 5 digits; %.*s was encoded.", (int)want,
                    (const char *)digits);
    struct pl_bitmap modules;
    PL_TRY(get_modules(b, PL_ZINT_EAN, pl_slice_make(digits, want), &modules));
    PL_TRY(pl_bar_set_modules(b, &modules));
    PL_TRY(pl_bar_set_text(b, pl_slice_make(digits, want)));
    return pl_bar_add_caption(b, pl_slice_make(digits, want), 0, 0);
}
