// ^BQ: the header of the field data (level, input mode, structured append), its segments, and where the symbol stands.
#include "bar/build.h"
#include "bar/qr.h"
#include "base/ckd.h"
#include "base/fmt.h"

#define SEGMENTS_MAX 200 // mixed mode, as the manual has it

struct field {
    struct pl_qr_options options;
    struct pl_qr_segment segments[SEGMENTS_MAX];
    uint32_t count;
    uint32_t dropped; // characters that their mode does not have
    bool cut;         // there are more segments than the mixed mode has
    bool odd_header;
};

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

// The reference reads the letter in either case.
static bool level_of(uint8_t c, enum pl_qr_level *level)
{
    switch (c & 0xDF) {
    case 'H':
        *level = PL_QR_H;
        return true;
    case 'Q':
        *level = PL_QR_Q;
        return true;
    case 'M':
        *level = PL_QR_M;
        return true;
    case 'L':
        *level = PL_QR_L;
        return true;
    default:
        return false;
    }
}

// Structured append: D, number of this symbol, number of symbols (two digits each), parity (two hexadecimal digits), a
// comma.
static bool take_append(struct pl_slice *data, struct pl_qr_options *options)
{
    const uint8_t *p = data->ptr;
    if (data->len < 8 || p[0] != 'D' || p[7] != ',')
        return false;
    for (int i = 1; i < 5; i++)
        if (!is_digit(p[i]))
            return false;
    if (pl_hex_value(p[5]) < 0 || pl_hex_value(p[6]) < 0)
        return false;
    uint32_t index = (uint32_t)(p[1] - '0') * 10 + (uint32_t)(p[2] - '0');
    uint32_t count = (uint32_t)(p[3] - '0') * 10 + (uint32_t)(p[4] - '0');
    if (index < 1 || count < 1 || count > 16 || index > count)
        return false;
    options->append_index = index;
    options->append_count = count;
    options->append_parity = (uint8_t)(pl_hex_value(p[5]) * 16 + pl_hex_value(p[6]));
    *data = pl_slice_sub(*data, 8, data->len);
    return true;
}

// The data of a segment without what its mode does not have.
static enum pl_errc keep(struct pl_bar_build *b, struct pl_slice in, enum pl_qr_mode mode, uint32_t *dropped,
                         struct pl_slice *out)
{
    struct pl_bar_string kept;
    PL_TRY(pl_bar_string_new(b, in.len, &kept));
    for (size_t i = 0; i < in.len; i++) {
        bool good = mode == PL_QR_BYTE || (mode == PL_QR_NUMERIC ? is_digit(in.ptr[i]) : pl_qr_is_alnum(in.ptr[i]));
        if (good)
            pl_bar_string_put(&kept, in.ptr[i]);
        else
            ++*dropped;
    }
    *out = pl_bar_string_slice(&kept);
    return PL_OK;
}

static size_t find_comma(struct pl_slice data)
{
    const uint8_t *at = data.len ? memchr(data.ptr, ',', data.len) : NULL;
    return at ? (size_t)(at - data.ptr) : data.len;
}

// One segment with its letter, and the comma behind it in mixed mode.
static enum pl_errc take_segment(struct pl_bar_build *b, struct field *f, struct pl_slice *data, bool mixed)
{
    uint8_t letter = data->ptr[0];
    *data = pl_slice_sub(*data, 1, data->len);
    struct pl_qr_segment *segment = &f->segments[f->count];
    *segment = (struct pl_qr_segment){0};
    size_t used = mixed ? find_comma(*data) : data->len;
    if (letter == 'B') { // four digits say how many bytes follow
        uint32_t length = 0, digits = 0;
        while (digits < 4 && digits < data->len && is_digit(data->ptr[digits]))
            length = length * 10 + (uint32_t)(data->ptr[digits++] - '0');
        *data = pl_slice_sub(*data, digits, data->len);
        segment->mode = PL_QR_BYTE;
        used = digits == 4 ? PL_MIN((size_t)length, data->len) : data->len;
        segment->data = pl_slice_sub(*data, 0, used);
    } else if (letter == 'K') {
        segment->mode = PL_QR_KANJI;
        segment->data = pl_slice_sub(*data, 0, used);
    } else if (letter == 'N' || letter == 'A') {
        segment->mode = letter == 'N' ? PL_QR_NUMERIC : PL_QR_ALNUM;
        PL_TRY(keep(b, pl_slice_sub(*data, 0, used), segment->mode, &f->dropped, &segment->data));
    } else { // no letter: it belongs to the data
        *data = (struct pl_slice){data->ptr - 1, data->len + 1};
        used = mixed ? find_comma(*data) : data->len;
        segment->mode = PL_QR_BYTE;
        segment->data = pl_slice_sub(*data, 0, used);
    }
    // A single segment is segmented afresh, whatever its letter says, as the reference does; Kanji cannot be.
    segment->automatic = !mixed && segment->mode != PL_QR_KANJI;
    if (segment->data.len)
        f->count++;
    *data = pl_slice_sub(*data, used, data->len);
    if (mixed && data->len && data->ptr[0] == ',')
        *data = pl_slice_sub(*data, 1, data->len);
    return PL_OK;
}

static enum pl_errc read_field(struct pl_bar_build *b, struct field *f)
{
    struct pl_slice data = b->spec->data;
    f->options.mask = -1;
    bool mixed = take_append(&data, &f->options);
    bool known = data.len >= 1 && level_of(data.ptr[0], &f->options.level);
    if (!known)
        f->options.level = PL_QR_M;
    bool manual = data.len >= 2 && data.ptr[1] == 'M' && known;
    f->odd_header = !known || data.len < 3 || (data.ptr[1] != 'A' && data.ptr[1] != 'M');
    if (!manual) {
        data = pl_slice_sub(data, 3, data.len);
        if (data.len)
            f->segments[f->count++] = (struct pl_qr_segment){.automatic = true, .mode = PL_QR_BYTE, .data = data};
        return PL_OK;
    }
    data = pl_slice_sub(data, 2, data.len);
    if (data.len && data.ptr[0] == ',')
        data = pl_slice_sub(data, 1, data.len);
    while (data.len && f->count < SEGMENTS_MAX)
        PL_TRY(take_segment(b, f, &data, mixed));
    f->cut = data.len > 0;
    return PL_OK;
}

enum pl_errc pl_bar_build_qr(struct pl_bar_build *b)
{
    struct field *f = PL_ARENA_NEW(b->context->arena, struct field);
    if (!f)
        return pl_fail_memory(b->err);
    PL_TRY(read_field(b, f));
    if (f->count == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data behind the header of the QR Code.");
    if (f->odd_header)
        pl_bar_note(
            b, PL_DIAG_BARCODE_DATA,
            "The field does not begin with level, input mode and comma (\"QA,\"); its first three characters were "
            "taken for them.");
    if (f->dropped)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%u character%s that the input mode does not have %s left out.",
                    f->dropped, f->dropped > 1 ? "s" : "", f->dropped > 1 ? "were" : "was");
    if (f->cut)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The mixed mode has %d segments; the data behind them was left out.",
                    SEGMENTS_MAX);
    f->options.model1 = b->spec->mode == '1';
    struct pl_qr_symbol symbol;
    struct pl_error reason = {0};
    enum pl_errc code = pl_qr_encode(f->segments, f->count, &f->options, b->context->arena, &symbol, &reason);
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, PL_BAR_TOO_LONG, "QR Code");
    if (f->options.model1 && symbol.version > 14)
        pl_bar_note(
            b, PL_DIAG_BARCODE_OPTION,
            "Model 1 ends with version 14 in the standard; version %u was drawn as printers do, and readers may "
            "refuse it.",
            symbol.version);
    // Default magnification by density: 1, 2, 3 and 6 at 6, 8, 12 and 24 dots per mm.
    uint32_t dpmm = b->context->dpmm;
    uint32_t times = b->spec->magnification > 0 ? (uint32_t)b->spec->magnification
                     : dpmm <= 6                ? 1
                     : dpmm <= 8                ? 2
                     : dpmm <= 12               ? 3
                                                : 6;
    times = PL_MIN(times, (uint32_t)PL_BAR_MODULE_MAX);
    PL_TRY(pl_bar_set_matrix(b, &symbol.modules, times, times));
    struct pl_bar_layout *out = b->out;
    out->ignores_rotation = true;
    out->fo_dy = (int32_t)PL_MIN(b->spec->by_height, (uint32_t)PL_BAR_HEIGHT_MAX);
    // Under ^FT the symbol stands three modules above the baseline, its size taken for the mode that the data declares
    // even where a denser one was drawn.
    uint32_t placed = pl_qr_version_for(f->segments, f->count, f->options.level);
    bool declared = f->count == 1 && f->segments[0].mode == PL_QR_BYTE && b->spec->data.len > 1 &&
                    b->spec->data.ptr[1] == 'M' && !f->options.model1;
    uint32_t modules = declared && placed > symbol.version ? placed * 4 + 17 : symbol.modules.width;
    out->ft_dy = -(int32_t)((modules + 3 - symbol.modules.width) * times);
    struct pl_bar_string text;
    size_t length = 0;
    for (uint32_t i = 0; i < f->count; i++)
        length += f->segments[i].data.len;
    PL_TRY(pl_bar_string_new(b, length, &text));
    for (uint32_t i = 0; i < f->count; i++)
        pl_bar_string_append(&text, f->segments[i].data);
    return pl_bar_set_text(b, pl_bar_string_slice(&text));
}
