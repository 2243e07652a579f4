// ^BQ: the field begins with a header (structured append, error correction level, input mode), segments follow it.
#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/zpl/barcode_field.h"

#define SEGMENTS_MAX 200 // mixed mode, as the manual has it

struct segments {
    struct pl_qr_segment *list;
    uint32_t count;
    uint32_t dropped; // characters that their mode does not have
    bool miscounted;  // a count of bytes is not that of the data behind it
};

static bool is_alnum(uint8_t c)
{
    return pl_is_digit(c) || pl_is_upper(c) || (c && strchr(" $%*+-./:", c));
}

// The level's letter, which the reference reads in either case, or 0.
static char level_of(uint8_t c)
{
    char upper = (char)(c & 0xDF);
    return upper && strchr("HQML", upper) ? upper : 0;
}

// Structured append: D, number of this symbol, number of symbols (two digits each), parity (two hexadecimal digits), a
// comma.
static bool take_append(struct pl_slice *data, struct pl_barcode *out)
{
    const uint8_t *p = data->ptr;
    if (data->len < 8 || p[0] != 'D' || p[7] != ',')
        return false;
    for (int i = 1; i < 5; i++)
        if (!pl_is_digit(p[i]))
            return false;
    if (pl_hex_value(p[5]) < 0 || pl_hex_value(p[6]) < 0)
        return false;
    int32_t index = (p[1] - '0') * 10 + (p[2] - '0'), count = (p[3] - '0') * 10 + (p[4] - '0');
    if (index < 1 || count < 1 || count > 16 || index > count)
        return false;
    out->qr.append_index = index;
    out->qr.append_count = count;
    out->qr.append_parity = (uint8_t)(pl_hex_value(p[5]) * 16 + pl_hex_value(p[6]));
    *data = pl_slice_sub(*data, 8, data->len);
    return true;
}

// The data of a segment without what its mode does not have.
static enum pl_errc keep(struct zpl_reader *r, struct pl_slice in, enum pl_qr_mode mode, struct segments *s,
                         struct pl_slice *out)
{
    uint8_t *kept = PL_ARENA_ARRAY(r->arena, uint8_t, in.len + 1);
    if (!kept)
        return pl_fail_memory(r->err);
    size_t n = 0;
    for (size_t i = 0; i < in.len; i++) {
        if (mode == PL_QR_NUMERIC ? pl_is_digit(in.ptr[i]) : is_alnum(in.ptr[i]))
            kept[n++] = in.ptr[i];
        else
            s->dropped++;
    }
    *out = pl_slice_make(kept, n);
    return PL_OK;
}

static size_t find_comma(struct pl_slice data)
{
    const uint8_t *at = data.len ? memchr(data.ptr, ',', data.len) : NULL;
    return at ? (size_t)(at - data.ptr) : data.len;
}

static bool is_mode(uint8_t letter)
{
    return letter && strchr("ABKN", letter);
}

// One segment with its letter, and the comma behind it in mixed mode.
static enum pl_errc take_segment(struct zpl_reader *r, struct segments *s, struct pl_slice *data, bool mixed)
{
    uint8_t letter = data->ptr[0];
    *data = pl_slice_sub(*data, 1, data->len);
    struct pl_qr_segment *segment = &s->list[s->count];
    *segment = (struct pl_qr_segment){0};
    size_t used = mixed ? find_comma(*data) : data->len;
    if (letter == 'B') { // four digits say how many bytes follow
        uint32_t length = 0, digits = 0;
        while (digits < 4 && digits < data->len && pl_is_digit(data->ptr[digits]))
            length = length * 10 + (uint32_t)(data->ptr[digits++] - '0');
        *data = pl_slice_sub(*data, digits, data->len);
        segment->mode = PL_QR_BYTE;
        used = digits == 4 ? PL_MIN((size_t)length, data->len) : data->len;
        segment->data = pl_slice_sub(*data, 0, used);
        s->miscounted =
            s->miscounted || (digits == 4 && length != data->len && (used == data->len || data->ptr[used] != ','));
    } else if (letter == 'K') {
        segment->mode = PL_QR_KANJI;
        segment->data = pl_slice_sub(*data, 0, used);
    } else if (letter == 'N' || letter == 'A') {
        segment->mode = letter == 'N' ? PL_QR_NUMERIC : PL_QR_ALNUM;
        PL_TRY(keep(r, pl_slice_sub(*data, 0, used), segment->mode, s, &segment->data));
    } else { // no letter: it belongs to the data
        *data = (struct pl_slice){data->ptr - 1, data->len + 1};
        used = mixed ? find_comma(*data) : data->len;
        segment->mode = PL_QR_BYTE;
        segment->data = pl_slice_sub(*data, 0, used);
    }
    // The reference segments a single segment afresh, whatever its letter says; Kanji cannot be.
    segment->declared = is_mode(letter);
    segment->automatic = !mixed && segment->mode != PL_QR_KANJI;
    if (segment->data.len)
        s->count++;
    *data = pl_slice_sub(*data, used, data->len);
    if (mixed && data->len && data->ptr[0] == ',')
        *data = pl_slice_sub(*data, 1, data->len);
    return PL_OK;
}

static enum pl_errc new_segments(struct zpl_reader *r, uint32_t most, struct segments *s)
{
    s->list = PL_ARENA_ARRAY(r->arena, struct pl_qr_segment, most);
    return s->list ? PL_OK : pl_fail_memory(r->err);
}

enum pl_errc zpl_read_qr(struct zpl_reader *r)
{
    struct pl_slice data = r->data;
    struct pl_barcode *out = r->out;
    struct segments s = {0};
    bool cut = false, mixed = take_append(&data, out);
    const struct pl_slice head = data;
    char level = data.len ? level_of(data.ptr[0]) : 0;
    out->qr.error_level = level ? level : 'M';
    // Of a row of symbols every segment is drawn in its declared mode, so none is placed by another size.
    out->qr.mode_declared = !mixed && data.len > 1 && data.ptr[1] == 'M';
    bool manual = data.len >= 2 && data.ptr[1] == 'M' && level;
    bool odd_header = !level || data.len < 3 || (data.ptr[1] != 'A' && data.ptr[1] != 'M');
    if (manual) {
        data = pl_slice_sub(data, 2, data.len);
        if (data.len && data.ptr[0] == ',')
            data = pl_slice_sub(data, 1, data.len);
        PL_TRY(new_segments(r, (uint32_t)PL_MIN(data.len + 1, (size_t)SEGMENTS_MAX), &s));
        while (data.len && s.count < SEGMENTS_MAX)
            PL_TRY(take_segment(r, &s, &data, mixed));
        cut = data.len > 0;
    } else {
        data = pl_slice_sub(data, 3, data.len);
        PL_TRY(new_segments(r, 1, &s));
        if (data.len)
            s.list[s.count++] = (struct pl_qr_segment){.automatic = true, .mode = PL_QR_BYTE, .data = data};
    }
    out->qr.segments = s.list;
    out->qr.segment_count = s.count;
    if (s.count == 0)
        return zpl_reader_refuse(r, PL_BAR_TOO_SHORT, "There is no data behind the header of the QR Code.");
    if (odd_header)
        PL_TRY(zpl_reader_remark(
            r, PL_DIAG_BARCODE_DATA,
            "The field does not begin with level, input mode and comma (\"QA,\"); its first three characters were "
            "taken for them."));
    else if (!manual && (pl_is_letter(head.ptr[2]) || pl_is_digit(head.ptr[2])))
        PL_TRY(zpl_reader_remark(r, PL_DIAG_BARCODE_DATA,
                                 "'%c' stands where the comma behind \"%c%c\" should be, and was left out.",
                                 head.ptr[2], head.ptr[0], head.ptr[1]));
    if (s.miscounted)
        PL_TRY(zpl_reader_remark(
            r, PL_DIAG_BARCODE_DATA,
            "The count of bytes behind B is not that of its data; printers encode as many as it says."));
    if (s.dropped)
        PL_TRY(zpl_reader_remark(r, PL_DIAG_BARCODE_DATA,
                                 "%u character%s that the input mode does not have %s left out.", s.dropped,
                                 s.dropped > 1 ? "s" : "", s.dropped > 1 ? "were" : "was"));
    if (cut)
        PL_TRY(zpl_reader_remark(r, PL_DIAG_BARCODE_DATA,
                                 "The mixed mode has %d segments; the data behind them was left out.", SEGMENTS_MAX));
    return PL_OK;
}
