// GS1 DataBar in its six forms, UPC/EAN and GS1-128 in the same frame, each with or without a composite part.
#include "bar/encode/bar_zint.h"
#include "bar/encode/checkdigit.h"
#include "bar/encode/composite_a.h"
#include "bar/encode/gs1.h"
#include "bar/encode/upce.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

struct form {
    const char *name;
    enum pl_zint_id plain, composite;
    uint8_t height; // of a data row, in modules; 0: as the rows of libzint say (stacked), or the command
    uint8_t margin; // light modules before the symbol that count as part of it
    uint8_t digits; // of the linear part without check digit; 0: an element string
    uint8_t quiet_left, quiet_right; // in modules; DataBar itself needs none
};

static const struct form forms[] = {
    [PL_DATABAR_OMNI] = {"databar", PL_ZINT_DATABAR, PL_ZINT_DATABAR_CC, 33, 0, 13, 0, 0},
    [PL_DATABAR_TRUNCATED] = {"databarTruncated", PL_ZINT_DATABAR, PL_ZINT_DATABAR_CC, 13, 0, 13, 0, 0},
    [PL_DATABAR_STACKED] = {"databarStacked", PL_ZINT_DATABAR_STACKED, PL_ZINT_DATABAR_STACKED_CC, 0, 0, 13, 0, 0},
    [PL_DATABAR_STACKED_OMNI] = {"databarStackedOmni", PL_ZINT_DATABAR_STACKED_OMNI, PL_ZINT_DATABAR_STACKED_OMNI_CC,
                                 33, 0, 13, 0, 0},
    [PL_DATABAR_LIMITED] = {"databarLimited", PL_ZINT_DATABAR_LIMITED, PL_ZINT_DATABAR_LIMITED_CC, 10, 0, 13, 0, 0},
    [PL_DATABAR_EXPANDED] = {"databarExpanded", PL_ZINT_DATABAR_EXPANDED, PL_ZINT_DATABAR_EXPANDED_CC, 34, 0, 0, 0, 0},
    [PL_DATABAR_UPCA] = {"upca", PL_ZINT_UPCA, PL_ZINT_UPCA_CC, 74, 7, 11, 9, 9},
    [PL_DATABAR_UPCE] = {"upce", PL_ZINT_UPCE, PL_ZINT_UPCE_CC, 74, 7, 11, 9, 7},
    [PL_DATABAR_EAN13] = {"ean13", PL_ZINT_EAN, PL_ZINT_EAN_CC, 74, 7, 12, 11, 7},
    [PL_DATABAR_EAN8] = {"ean8", PL_ZINT_EAN, PL_ZINT_EAN_CC, 60, 7, 7, 7, 7},
    [PL_DATABAR_GS1_128_AB] = {"gs1-128", PL_ZINT_GS1_128, PL_ZINT_GS1_128_CC, 0, 10, 0, 10, 10},
    [PL_DATABAR_GS1_128_C] = {"gs1-128", PL_ZINT_GS1_128, PL_ZINT_GS1_128_CC, 0, 10, 0, 10, 10},
};

// libzint's buffers for element strings are of fixed size; the standard's longest is 48 (linear) and 2361 (CC-C).
#define LINEAR_MAX 74
#define COMPOSITE_MAX 338

// Characters that are no digits are reported. True: the symbol is not drawn because of them.
static bool report_strange(struct pl_bar_build *b, uint32_t count)
{
    if (count == 0)
        return false;
    if (pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "%s holds digits only.", b->out->symbology))
        return true;
    bool many = count > 1;
    pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%u character%s that %s no digit%s %s left out.", count, many ? "s" : "",
                many ? "are" : "is", many ? "s" : "", many ? "were" : "was");
    return false;
}

// Exactly the digits of the form: zeros before short data, a check digit behind is worked out again.
static enum pl_errc take_digits(struct pl_bar_build *b, struct pl_slice linear, uint32_t want, char *digits)
{
    char found[20];
    uint32_t n = 0, strange = 0;
    for (size_t i = 0; i < linear.len; i++) {
        if (linear.ptr[i] < '0' || linear.ptr[i] > '9')
            strange++;
        else if (n < sizeof found)
            found[n++] = (char)linear.ptr[i];
    }
    if (report_strange(b, strange))
        return PL_OK;
    if (n == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There are no digits to encode.");
    if (n > want + 1 && pl_bar_invalid(b, PL_BAR_TOO_LONG, "%s holds %u digits.", b->out->symbology, want))
        return PL_OK;
    uint32_t skip = n > want + 1 ? n - want : 0, zeros = n < want ? want - n : 0;
    memset(digits, '0', zeros);
    memcpy(digits + zeros, found + skip, want - zeros);
    digits[want] = 0;
    if (skip || zeros)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%s holds %u digits; %s was encoded.", b->out->symbology, want, digits);
    char right = pl_check_mod10(pl_slice_make(digits, want));
    if (n == want + 1 && found[want] != right &&
        !pl_bar_invalid(b, PL_BAR_BAD_CHECK, "The check digit of %s is wrong.", b->out->symbology))
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The check digit %c is wrong; %c was encoded.", found[want], right);
    return PL_OK;
}

// An element string in libzint's brackets, or false.
static enum pl_errc take_elements(struct pl_bar_build *b, struct pl_slice raw, uint32_t max, struct pl_bar_string *out)
{
    if (raw.len > max)
        return pl_bar_give_up(b, PL_BAR_TOO_LONG, "The element string is longer than %u characters.", max);
    PL_TRY(pl_bar_string_new(b, raw.len * 5 + 8, out));
    uint32_t dropped = 0;
    out->len = (uint32_t)pl_gs1_bracket(raw, out->ptr, &dropped);
    out->ptr[out->len] = 0;
    if (out->len == 0)
        return pl_bar_give_up(b, PL_BAR_BAD_CHARACTER, "The data is no GS1 element string (identifier and data).");
    if (dropped)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%u character%s that GS1 does not have %s left out.", dropped,
                    dropped > 1 ? "s" : "", dropped > 1 ? "were" : "was");
    return PL_OK;
}

// Digits of UPC-A to the short form that libzint wants for UPC-E: number system and six digits; false: there is none.
static bool shorten(const char digits[12], char out[8])
{
    uint8_t ten[10], six[6];
    memcpy(ten, digits + 1, 10);
    if (digits[0] > '1' || !pl_upce_shorten(ten, six))
        return false;
    out[0] = digits[0];
    memcpy(out + 1, six, 6);
    out[7] = 0;
    return true;
}

// A finder of DataBar Expanded, a space first, and the separator beside it that a printer draws where the bar next to
// the finder's wide bar has four modules. Otherwise the separator is the standard's: it alternates at spaces.
enum { FINDER = 15, WIDE_BAR = 4, GUARD = 2, CHARACTER = 17, PERIOD = 2 * CHARACTER + FINDER };
static const struct finder {
    char modules[FINDER + 1], separator[FINDER + 1];
    bool mirrored; // its wide bar is at its right side
} finders[] = {{".########....#.", "......#..####.#", false},
               {".#....########.", "#.####..#......", true},
               {"...######....#.", "#.#......####.#", false},
               {".#....######...", "#.####......#.#", true}};

static bool is_dark(const struct pl_bitmap *rows, int64_t x, uint32_t row)
{
    return x >= 0 && x < rows->width && pl_bitmap_get(rows, (uint32_t)x, row);
}

// Is the finder at `x` of the row, and beside its wide bar a bar of four modules?
static bool is_beside_wide_bar(const struct pl_bitmap *rows, uint32_t row, uint32_t x, const struct finder *finder)
{
    for (uint32_t i = 0; i < FINDER; i++)
        if (is_dark(rows, (int64_t)x + i, row) != (finder->modules[i] == '#'))
            return false;
    int64_t bar = finder->mirrored ? (int64_t)x + FINDER : (int64_t)x - WIDE_BAR;
    for (uint32_t i = 0; i < WIDE_BAR; i++)
        if (!is_dark(rows, bar + i, row))
            return false;
    return !is_dark(rows, finder->mirrored ? bar + WIDE_BAR : bar - 1, row);
}

static void change_separator(struct pl_bitmap *rows, uint32_t separator, uint32_t data, uint32_t left)
{
    for (uint32_t x = 0; x + FINDER + left <= rows->width; x++) {
        // A finder is behind one character of each pair; in a row that is read from the right it may be behind two, and
        // a last row can begin a module later.
        uint32_t place = x % PERIOD;
        bool behind_one = place == GUARD + CHARACTER || place == GUARD + CHARACTER + 1;
        bool behind_two = x >= PERIOD && (place == GUARD || place == GUARD + 1);
        if (!behind_one && !behind_two)
            continue;
        for (size_t k = 0; k < PL_COUNTOF(finders); k++) {
            if (!is_beside_wide_bar(rows, data, left + x, &finders[k]))
                continue;
            int32_t x0 = (int32_t)(left + x), y = (int32_t)separator;
            pl_bitmap_fill(rows, (struct pl_box){x0, y, x0 + FINDER, y + 1}, PL_INK_WHITE);
            for (uint32_t i = 0; i < FINDER; i++)
                if (finders[k].separator[i] == '#')
                    pl_bitmap_set(rows, left + x + i, separator);
        }
    }
}

static void change_separators(const struct pl_bar_build *b, enum pl_databar_form which,
                              const struct pl_zint_symbol *symbol, struct pl_bitmap *rows, uint32_t left)
{
    if (which != PL_DATABAR_EXPANDED || !b->context->profile->databar_separator_by_wide_bar)
        return;
    const uint16_t *height = symbol->row_height;
    for (uint32_t i = 0; i < rows->height; i++) {
        if (height[i] != 1)
            continue;
        if (i > 0 && height[i - 1] == 0)
            change_separator(rows, i, i - 1, left);
        if (i + 1 < rows->height && height[i + 1] == 0)
            change_separator(rows, i, i + 1, left);
    }
}

// Rows of libzint to bands: data rows as high as the form says, separators as the command says.
static enum pl_errc set_rows(struct pl_bar_build *b, const struct form *form, enum pl_databar_form which,
                             const struct pl_zint_symbol *symbol, uint32_t separator)
{
    const struct pl_bitmap *modules = &symbol->modules;
    uint32_t left = form->margin, width = 0, m = b->module;
    struct pl_bitmap wide;
    PL_TRY(pl_bitmap_new(b->context->arena, modules->width + left, modules->height, &wide, b->err));
    pl_bitmap_blit(&wide, modules, (int32_t)left, 0, PL_INK_BLACK);
    change_separators(b, which, symbol, &wide, left);
    PL_TRY(pl_bar_reserve_bands(b, modules->height));
    int32_t y = 0;
    for (uint32_t i = 0; i < modules->height; i++) {
        uint32_t rows = symbol->row_height[i];
        if (rows == 0) // a row of bars
            rows = form->height ? form->height
                   : which == PL_DATABAR_GS1_128_AB || which == PL_DATABAR_GS1_128_C
                       ? (uint32_t)pl_clamp_i64(b->barcode->height > 0 ? b->barcode->height : 25, 1, 1000)
                       : 33;
        else if (rows == 1)
            rows = separator;
        PL_TRY(pl_bar_add_band(b, &wide, i, y, rows * m));
        y += (int32_t)(rows * m);
        const struct pl_bar_band *band = &b->out->bands[b->out->band_count - 1];
        if (band->run_count) {
            const struct pl_bar_run *last = &band->runs[band->run_count - 1];
            width = PL_MAX(width, last->x + last->width);
        }
    }
    b->out->width = width;
    b->out->height = (uint32_t)y;
    return PL_OK;
}

// Lays rows of a 2D part over those of a composite symbol with as many. False: its 2D part has another width.
static bool replace_rows(struct pl_bitmap *symbol, const struct pl_bitmap *rows)
{
    struct pl_bitmap first = {symbol->width, 1, symbol->stride, symbol->words};
    struct pl_box part = pl_bitmap_ink_box(&first); // a row begins and ends with a bar
    if ((uint32_t)(part.x1 - part.x0) != rows->width || rows->height >= symbol->height)
        return false;
    pl_bitmap_fill(symbol, (struct pl_box){part.x0, 0, part.x1, (int32_t)rows->height}, PL_INK_WHITE);
    pl_bitmap_blit(symbol, rows, part.x0, 0, PL_INK_BLACK);
    return true;
}

// libzint writes a batch number without a date by the method for dates and batch numbers. Here it is written by the
// general method: libzint makes the symbol with a serial number in its place, which is as long and has no method of its
// own, and the rows of the 2D part are replaced. `*done` stays false where the smallest form has no room.
static enum pl_errc encode_batch(struct pl_bar_build *b, struct pl_zint_job job, struct pl_zint_symbol *symbol,
                                 bool *done)
{
    struct pl_arena *arena = b->context->arena;
    struct pl_slice batch = job.data;
    uint8_t *serial = PL_ARENA_ARRAY(arena, uint8_t, batch.len), *joined = PL_ARENA_ARRAY(arena, uint8_t, batch.len);
    if (!serial || !joined)
        return pl_fail_memory(b->err);
    memcpy(serial, batch.ptr, batch.len);
    memcpy(serial, "[21]", 4);
    job.data.ptr = serial;
    struct pl_slice elements = {joined, pl_gs1_join(batch, joined)};
    struct pl_error reason = {0};
    enum pl_errc code = pl_zint_encode(&job, arena, symbol, &reason);
    for (uint32_t columns = 2; code == PL_OK && columns <= 4; columns++) {
        struct pl_bitmap rows;
        code = pl_composite_a_encode(elements, columns, arena, &rows, &reason);
        if (code == PL_OK && replace_rows(&symbol->modules, &rows)) {
            *done = true;
            return PL_OK;
        }
        if (code == PL_E_INVALID)
            code = PL_OK; // too few columns
    }
    if (code == PL_E_INVALID || code == PL_OK)
        return PL_OK; // libzint says why, with the data itself
    if (b->err)
        *b->err = reason;
    return code;
}

static enum pl_databar_form form_of(const struct pl_barcode *barcode)
{
    int32_t form = barcode->databar.form;
    return form >= PL_DATABAR_OMNI && form <= PL_DATABAR_GS1_128_C ? (enum pl_databar_form)form : PL_DATABAR_OMNI;
}

// The symbol of data `first`, with the composite part `second` above it where there is one.
static struct pl_zint_job make_job(const struct pl_barcode *barcode, enum pl_databar_form which, const char *first,
                                   const struct pl_bar_string *second)
{
    const struct form *form = &forms[which];
    bool composite = barcode->databar.composite.len > 0;
    struct pl_zint_job job = {.symbology = composite ? form->composite : form->plain,
                              .data = composite ? pl_bar_string_slice(second) : pl_slice_cstr(first),
                              .primary = composite ? first : NULL,
                              .option_1 = composite && which == PL_DATABAR_GS1_128_C ? 3 : 0,
                              .gs1 = composite || !form->digits};
    if (which == PL_DATABAR_EXPANDED && barcode->databar.segments_per_row > 0) { // two segments to a column
        job.symbology = composite ? PL_ZINT_DATABAR_EXPANDED_STACKED_CC : PL_ZINT_DATABAR_EXPANDED_STACKED;
        job.option_2 = (int)pl_clamp_i64((barcode->databar.segments_per_row + 1) / 2, 1, 11);
    }
    return job;
}

enum pl_errc pl_bar_build_databar(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    enum pl_databar_form which = form_of(barcode);
    const struct form *form = &forms[which];
    b->out->symbology = form->name;
    b->quiet_left = form->quiet_left;
    b->quiet_right = form->quiet_right;
    b->module = barcode->databar.magnification > 0
                    ? PL_MIN((uint32_t)barcode->databar.magnification, (uint32_t)PL_BAR_MODULE_MAX)
                    : pl_bar_databar_default(b->context->dpmm);
    b->out->module = b->module;
    struct pl_slice linear = barcode->content.bytes, second = barcode->databar.composite;

    char digits[20], short_form[8];
    struct pl_bar_string elements = {0}, extra = {0};
    if (form->digits)
        PL_BAR_TRY(b, take_digits(b, linear, form->digits, digits));
    else
        PL_BAR_TRY(b, take_elements(b, linear, LINEAR_MAX, &elements));
    if (which == PL_DATABAR_LIMITED && digits[0] > '1') {
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "DataBar Limited begins with 0 or 1; 1 was encoded.");
        digits[0] = '1';
    }
    if (which == PL_DATABAR_UPCE && !shorten(digits, short_form))
        return pl_bar_give_up(b, PL_BAR_BAD_CHARACTER, "%s has no short form in UPC-E.", digits);
    if (second.len)
        PL_BAR_TRY(b, take_elements(b, second, COMPOSITE_MAX, &extra));
    const char *first = !form->digits ? (const char *)elements.ptr : which == PL_DATABAR_UPCE ? short_form : digits;
    struct pl_zint_job job = make_job(barcode, which, first, &extra);
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(b->context->arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(b->err);
    struct pl_error reason = {0};
    bool general = b->context->profile->composite_batch_is_general && which != PL_DATABAR_GS1_128_C && extra.len >= 4 &&
                   memcmp(extra.ptr, "[10]", 4) == 0,
         done = false;
    if (general)
        PL_TRY(encode_batch(b, job, symbol, &done));
    enum pl_errc code = done ? PL_OK : pl_zint_encode(&job, b->context->arena, symbol, &reason);
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, PL_BAR_TOO_LONG, form->name);
    uint32_t separator = barcode->databar.separator == 2 ? 2 : 1;
    PL_TRY(set_rows(b, form, which, symbol, separator));
    return pl_bar_set_text(b, barcode->data);
}
