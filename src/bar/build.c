// What all symbologies share: filtering of data, bands from modules, interpretation lines, what is said about bad data.
#include "bar/build.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/ckd.h"
#include "base/utf8.h"

void pl_bar_note(struct pl_bar_build *b, enum pl_diag_id id, const char *fmt, ...)
{
    char message[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    // An option is put right in the barcode's command, all else in the data.
    struct pl_source source = id == PL_DIAG_BARCODE_OPTION ? b->context->source : b->context->data_source;
    pl_diag_add(b->context->diags, id, source, 0, "%s", message);
}

// ^CVY: "INVALID - X" in reverse where the symbol would stand.
static enum pl_errc set_panel(struct pl_bar_build *b, enum pl_bar_fault fault)
{
    struct pl_bar_layout *out = b->out;
    char words[] = "INVALID - X";
    words[sizeof words - 2] = (char)fault;
    struct pl_font_ref font = pl_bar_caption_font(b);
    uint32_t m = PL_MIN(b->module, 10u);
    out->bands = NULL;
    out->band_count = 0;
    out->text_count = 0;
    out->width = (uint32_t)(sizeof words - 1) * 6 * m;
    out->height = 9 * m;
    out->reversed_panel = true;
    return pl_bar_add_text(b, &font, pl_slice_cstr(words), 0, (int32_t)(7 * m));
}

enum pl_errc pl_bar_give_up(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...)
{
    char message[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    pl_bar_note(b, PL_DIAG_BARCODE_UNENCODABLE, "%s %s", message,
                b->spec->validate ? "An INVALID panel was printed instead." : "Nothing was drawn.");
    b->out->bands = NULL;
    b->out->band_count = 0;
    b->out->picture = NULL;
    b->out->text_count = 0;
    b->out->width = b->out->height = 0;
    return b->spec->validate ? set_panel(b, fault) : PL_OK;
}

enum pl_errc pl_bar_refused(struct pl_bar_build *b, enum pl_errc code, const struct pl_error *reason,
                            enum pl_bar_fault fault, const char *name)
{
    if (code == PL_E_INVALID)
        return pl_bar_give_up(b, fault, "%s cannot hold the data: %s.", name, reason->message);
    return pl_fail(b->err, code, "%s", reason->message);
}

bool pl_bar_invalid(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...)
{
    if (!b->spec->validate)
        return false;
    char message[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    // The panel's text is a handful of bytes: if even they are refused, the caller's next allocation reports it.
    return pl_bar_give_up(b, fault, "%s", message) == PL_OK;
}

enum pl_errc pl_bar_string_new(struct pl_bar_build *b, size_t cap, struct pl_bar_string *out)
{
    if (cap > UINT32_MAX / 2)
        return pl_fail_memory(b->err);
    out->ptr = pl_arena_alloc(b->context->arena, cap + 1, 1);
    if (!out->ptr)
        return pl_fail_memory(b->err);
    out->ptr[0] = 0;
    out->len = 0;
    out->cap = (uint32_t)cap;
    return PL_OK;
}

void pl_bar_string_put(struct pl_bar_string *s, uint8_t byte)
{
    if (s->len < s->cap) {
        s->ptr[s->len++] = byte;
        s->ptr[s->len] = 0;
    }
}

void pl_bar_string_append(struct pl_bar_string *s, struct pl_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        pl_bar_string_put(s, bytes.ptr[i]);
}

// A byte as a human reads it in a message.
static void quote(uint8_t c, char out[8])
{
    if (c > 0x20 && c < 0x7F)
        snprintf(out, 8, "'%c'", c);
    else if (c == ' ')
        snprintf(out, 8, "a space");
    else
        snprintf(out, 8, "0x%02X", c);
}

enum pl_errc pl_bar_filter(struct pl_bar_build *b, size_t room, struct pl_bar_string *out, bool *ended)
{
    const struct pl_bar_symbology *row = b->row;
    struct pl_slice data = b->spec->data;
    *ended = false;
    uint8_t allowed[256] = {0};
    if (row->alphabet)
        for (const char *p = row->alphabet; *p; p++)
            allowed[(uint8_t)*p] = 1;
    PL_TRY(pl_bar_string_new(b, PL_MIN(data.len, (size_t)row->max_length) + room, out));
    uint32_t dropped = 0, upper = 0;
    bool full = false;
    uint8_t first = 0;
    for (size_t i = 0; i < data.len; i++) {
        uint8_t c = data.ptr[i];
        if (row->upper && c >= 'a' && c <= 'z') {
            c = (uint8_t)(c - 'a' + 'A');
            upper++;
        }
        if (row->alphabet && !allowed[c]) {
            first = dropped++ ? first : c;
        } else if (out->len < row->max_length) {
            pl_bar_string_put(out, c);
        } else {
            full = true;
            break;
        }
    }
    if (full) {
        *ended = true;
        return pl_bar_give_up(b, PL_BAR_TOO_LONG, "The data is longer than the %u characters that %s can hold.",
                              row->max_length, b->out->symbology);
    }
    if (dropped) {
        char shown[8];
        quote(first, shown);
        if (pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "%s has no %s.", b->out->symbology, shown)) {
            *ended = true;
            return PL_OK;
        }
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%u character%s that %s does not have (the first is %s) %s left out.",
                    dropped, dropped > 1 ? "s" : "", b->out->symbology, shown, dropped > 1 ? "were" : "was");
    }
    if (upper)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%s has no lower case; upper case was encoded.", b->out->symbology);
    if (out->len == 0) {
        *ended = true;
        return pl_bar_give_up(b, data.len ? PL_BAR_BAD_CHARACTER : PL_BAR_TOO_SHORT, "There is no data to encode.");
    }
    return PL_OK;
}

uint32_t pl_bar_wide(const struct pl_bar_build *b)
{
    uint32_t tenths = b->spec->ratio_tenths;
    tenths = tenths < 20 ? 20 : tenths > 30 ? 30 : tenths;
    return b->module * tenths / 10;
}

enum pl_errc pl_bar_set_elements(struct pl_bar_build *b, const uint32_t *widths, uint32_t count)
{
    struct pl_bar_run *runs = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_run, count / 2 + 1);
    struct pl_bar_band *band = PL_ARENA_NEW(b->context->arena, struct pl_bar_band);
    if (!runs || !band)
        return pl_fail_memory(b->err);
    uint32_t x = 0, n = 0, end = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i % 2 == 0) {
            runs[n++] = (struct pl_bar_run){x, widths[i]};
            end = x + widths[i];
        }
        x += widths[i];
    }
    *band = (struct pl_bar_band){0, b->height, runs, n};
    b->out->bands = band;
    b->out->band_count = 1;
    b->out->width = end;
    b->out->height = b->height;
    return PL_OK;
}

enum pl_errc pl_bar_reserve_bands(struct pl_bar_build *b, uint32_t count)
{
    struct pl_bar_band *bands = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_band, count);
    if (!bands)
        return pl_fail_memory(b->err);
    b->out->bands = bands;
    b->out->band_count = 0;
    return PL_OK;
}

// Runs of one row of modules, each `w` dots wide.
static enum pl_errc row_runs(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t row, uint32_t w,
                             struct pl_bar_band *band)
{
    uint32_t runs = 0;
    bool before = false;
    for (uint32_t x = 0; x < modules->width; x++) {
        bool dark = pl_bitmap_get(modules, x, row);
        runs += dark && !before;
        before = dark;
    }
    struct pl_bar_run *list = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_run, runs ? runs : 1);
    if (!list)
        return pl_fail_memory(b->err);
    uint32_t n = 0;
    before = false;
    for (uint32_t x = 0; x < modules->width; x++) {
        bool dark = pl_bitmap_get(modules, x, row);
        if (dark && !before)
            list[n++] = (struct pl_bar_run){x * w, w};
        else if (dark)
            list[n - 1].width += w;
        before = dark;
    }
    band->runs = list;
    band->run_count = n;
    return PL_OK;
}

enum pl_errc pl_bar_add_band(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t row, int32_t y,
                             uint32_t height)
{
    // The array behind `bands` is ours (pl_bar_reserve_bands); it is const only for those who read the layout.
    struct pl_bar_band *band = (struct pl_bar_band *)&b->out->bands[b->out->band_count];
    band->y = y;
    band->height = height;
    PL_TRY(row_runs(b, modules, row, b->module, band));
    b->out->band_count++;
    return PL_OK;
}

enum pl_errc pl_bar_set_modules(struct pl_bar_build *b, const struct pl_bitmap *modules)
{
    PL_TRY(pl_bar_reserve_bands(b, 1));
    PL_TRY(pl_bar_add_band(b, modules, 0, 0, b->height));
    const struct pl_bar_band *band = &b->out->bands[0];
    const struct pl_bar_run *last = band->run_count ? &band->runs[band->run_count - 1] : NULL;
    b->out->width = last ? last->x + last->width : 0;
    b->out->height = b->height;
    return PL_OK;
}

enum pl_errc pl_bar_set_matrix(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t w, uint32_t h)
{
    PL_TRY(pl_bar_reserve_bands(b, modules->height));
    struct pl_bar_band *bands = (struct pl_bar_band *)b->out->bands;
    uint32_t n = 0;
    for (uint32_t y = 0; y < modules->height; y++) {
        const uint64_t *row = pl_bitmap_row(modules, y);
        if (y && memcmp(row, row - modules->stride, modules->stride * sizeof *row) == 0) {
            bands[n - 1].height += h;
            continue;
        }
        bands[n] = (struct pl_bar_band){.y = (int32_t)(y * h), .height = h};
        PL_TRY(row_runs(b, modules, y, w, &bands[n]));
        n++;
    }
    b->out->band_count = n;
    b->out->width = modules->width * w;
    b->out->height = modules->height * h;
    b->out->module = w;
    return PL_OK;
}

enum pl_errc pl_bar_chars(struct pl_bar_build *b, struct pl_slice bytes, const uint32_t **chars, uint32_t *length)
{
    uint32_t *list = PL_ARENA_ARRAY(b->context->arena, uint32_t, bytes.len + 1);
    if (!list)
        return pl_fail_memory(b->err);
    bool utf8 = pl_utf8_valid(bytes);
    uint32_t n = 0;
    for (size_t i = 0; i < bytes.len;) {
        uint32_t c = utf8 ? pl_utf8_next(bytes, &i) : bytes.ptr[i++];
        if (c >= 0x20 && (c < 0x7F || c > 0x9F))
            list[n++] = c;
    }
    *chars = list;
    *length = n;
    return PL_OK;
}

enum pl_errc pl_bar_set_text(struct pl_bar_build *b, struct pl_slice bytes)
{
    const uint32_t *chars;
    uint32_t length;
    PL_TRY(pl_bar_chars(b, bytes, &chars, &length));
    uint8_t *text = pl_arena_alloc(b->context->arena, (size_t)length * 4 + 1, 1);
    if (!text)
        return pl_fail_memory(b->err);
    size_t n = 0;
    for (uint32_t i = 0; i < length; i++)
        n += pl_utf8_put(chars[i], text + n);
    b->out->text = pl_slice_make(text, n);
    return PL_OK;
}

struct pl_font_ref pl_bar_caption_font(const struct pl_bar_build *b)
{
    // The enlargement of font A ends at 10, as on the printer.
    int32_t m = (int32_t)PL_MIN(b->module, 10u);
    return (struct pl_font_ref){.letter = 'A', .height = 9 * m, .width = 5 * m};
}

enum pl_errc pl_bar_add_text(struct pl_bar_build *b, const struct pl_font_ref *font, struct pl_slice bytes, int32_t u,
                             int32_t v)
{
    struct pl_bar_layout *out = b->out;
    if (out->text_count == PL_COUNTOF(out->texts))
        return pl_fail(b->err, PL_E_BUG, "too many texts in one barcode");
    struct pl_bar_text *text = &out->texts[out->text_count];
    *text = (struct pl_bar_text){.font = *font, .u = u, .v = v};
    PL_TRY(pl_bar_chars(b, bytes, &text->chars, &text->length));
    if (text->length)
        out->text_count++;
    return PL_OK;
}

static int32_t tame(int64_t value)
{
    return pl_clamp_i32(value, INT32_MIN / 2, INT32_MAX / 2);
}

enum pl_errc pl_bar_add_caption(struct pl_bar_build *b, struct pl_slice bytes, uint32_t mark_before,
                                uint32_t mark_after)
{
    struct pl_bar_layout *out = b->out;
    if (!b->spec->text)
        return PL_OK;
    const uint32_t *chars;
    uint32_t length;
    PL_TRY(pl_bar_chars(b, bytes, &chars, &length));
    uint32_t *line = PL_ARENA_ARRAY(b->context->arena, uint32_t, (size_t)length + 2);
    if (!line)
        return pl_fail_memory(b->err);
    uint32_t n = 0;
    if (mark_before)
        line[n++] = mark_before;
    for (uint32_t i = 0; i < length; i++)
        line[n++] = chars[i];
    if (mark_after)
        line[n++] = mark_after;
    if (n == 0)
        return PL_OK;
    struct pl_bar_text *text = &out->texts[out->text_count++];
    *text = (struct pl_bar_text){.chars = line, .length = n};
    if (b->spec->has_text_font) {
        text->font = b->spec->text_font;
        text->centred = true;
        text->u = (int32_t)(out->width / 2);
        text->v = b->spec->text_above ? -8 : (int32_t)out->height + 6;
        text->anchor = b->spec->text_above ? PL_BAR_TEXT_CELL_BOTTOM : PL_BAR_TEXT_CELL_TOP;
        return PL_OK;
    }
    // Font A: cells of 9 x 5 dots, 6 apart, the baseline below the seventh row, all enlarged by the module.
    int64_t m = b->module, step = 6 * m, room = (int64_t)out->width - (int64_t)n * step;
    if (b->row->build == pl_bar_build_upcean)
        room -= m; // measured: the middle is taken without the last module
    int64_t left = room >= 0 ? room / 2 : -((1 - room) / 2);
    text->font = pl_bar_caption_font(b);
    text->u = tame(left);
    text->v = tame(b->spec->text_above ? -8 - 2 * m : (int64_t)out->height + 6 + 7 * m);
    // Half a dot is left over: the reference rounds the first half of the line up, the rest down.
    uint32_t first = n / 2 + 1;
    if (room % 2 == 0)
        return PL_OK;
    text->u++;
    if (first >= n)
        return PL_OK;
    text->length = first;
    struct pl_bar_text *rest = &out->texts[out->text_count++];
    *rest = *text;
    rest->chars = line + first;
    rest->length = n - first;
    rest->u = tame(left + (int64_t)first * step);
    return PL_OK;
}
