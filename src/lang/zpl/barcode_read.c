// What the data of a barcode field becomes: which reader a command has, and the short ones.
#include <string.h>

#include "base/ckd.h"
#include "lang/zpl/barcode_field.h"

// Characters of a list become marks for shifts, numbered as in the list.
static enum pl_errc read_shifts(struct zpl_reader *r, const char *shifts)
{
    struct pl_slice data = r->data;
    uint32_t *codes = PL_ARENA_ARRAY(r->arena, uint32_t, data.len);
    if (!codes)
        return pl_fail_memory(r->err);
    bool any = false;
    for (size_t i = 0; i < data.len; i++) {
        const char *shift = data.ptr[i] ? strchr(shifts, data.ptr[i]) : NULL;
        codes[i] = shift ? PL_MARK_SHIFT + (uint32_t)(shift - shifts) : data.ptr[i];
        any = any || shift;
    }
    if (any)
        r->out->content = (struct pl_content){.codes = codes, .count = data.len};
    return PL_OK;
}

// ^B4, modes 0 to 5: characters of the code, among them its controls from 43 on.
static enum pl_errc read_code49(struct zpl_reader *r)
{
    char mode = r->field->mode;
    if (mode < '0' || mode > '5')
        return PL_OK;
    r->out->code49.start_mode = mode - '0';
    return read_shifts(r, "<>:;?=");
}

// ^BB, E and F: the bytes 80 to 83 are FNC1 to FNC4, and 84 is NUL (manual).
static enum pl_errc read_codablock(struct zpl_reader *r)
{
    struct pl_slice data = r->data;
    bool any = false;
    for (size_t i = 0; i < data.len && !any; i++)
        any = data.ptr[i] >= 0x80 && data.ptr[i] <= 0x84;
    if (!any || r->out->codablock.variant == 'A')
        return PL_OK;
    uint32_t *codes = PL_ARENA_ARRAY(r->arena, uint32_t, data.len);
    if (!codes)
        return pl_fail_memory(r->err);
    for (size_t i = 0; i < data.len; i++) {
        uint32_t c = data.ptr[i];
        codes[i] = c >= 0x80 && c < 0x84 ? PL_MARK_FNC1 + (c - 0x80) : c == 0x84 ? 0 : c;
    }
    r->out->content = (struct pl_content){.codes = codes, .count = data.len};
    return PL_OK;
}

// ^BR: FNC1 is >8 in element strings, which in the scene have GS between them.
static enum pl_errc read_elements(struct zpl_reader *r, struct pl_slice in, struct pl_slice *out)
{
    *out = in;
    if (in.len < 2 || !memchr(in.ptr, '>', in.len))
        return PL_OK;
    uint8_t *text = PL_ARENA_ARRAY(r->arena, uint8_t, in.len);
    if (!text)
        return pl_fail_memory(r->err);
    size_t n = 0;
    for (size_t i = 0; i < in.len; i++) {
        bool fnc1 = in.ptr[i] == '>' && i + 1 < in.len && in.ptr[i + 1] == '8';
        text[n++] = fnc1 ? 0x1D : in.ptr[i];
        i += fnc1;
    }
    *out = pl_slice_make(text, n);
    return PL_OK;
}

// The composite part is behind '|'.
static enum pl_errc read_databar(struct zpl_reader *r)
{
    struct pl_barcode *out = r->out;
    out->databar.composite = r->data;
    out->content.bytes = pl_slice_until(&out->databar.composite, '|');
    bool elements = out->databar.form == PL_DATABAR_EXPANDED || out->databar.form == PL_DATABAR_GS1_128_AB ||
                    out->databar.form == PL_DATABAR_GS1_128_C;
    if (elements)
        PL_TRY(read_elements(r, out->content.bytes, &out->content.bytes));
    return read_elements(r, out->databar.composite, &out->databar.composite);
}

// ^BT: six digits and, behind a comma, what the second symbol holds. There serial number and further data are told
// apart by asterisks.
static enum pl_errc read_tlc39(struct zpl_reader *r)
{
    enum { NUMBER = 6 };
    struct pl_slice data = r->data, number = pl_slice_sub(data, 0, NUMBER);
    r->out->content.bytes = number;
    if (number.len < NUMBER || !pl_all_digits(number) || data.len == NUMBER)
        return PL_OK;
    if (data.len < NUMBER + 2 || data.ptr[NUMBER] != ',')
        return zpl_reader_remark(r, PL_DIAG_BARCODE_DATA,
                                 "TLC39 wants a comma and more behind the six digits; %.*s alone was encoded.",
                                 (int)number.len, (const char *)number.ptr);
    size_t length = data.len - NUMBER - 1;
    uint8_t *text = pl_arena_copy(r->arena, data.ptr + NUMBER + 1, length);
    if (!text)
        return pl_fail_memory(r->err);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == ',' ? '*' : text[i];
    r->out->tlc39.second = pl_slice_make(text, length);
    return PL_OK;
}

static enum pl_errc read_postal(struct zpl_reader *r)
{
    char mode = r->field->mode;
    r->out->postal.kind = mode == '1' ? PL_POSTAL_PLANET : mode == '3' ? PL_POSTAL_INTELLIGENT_MAIL : PL_POSTAL_POSTNET;
    return mode == '2' ? zpl_reader_remark(r, PL_DIAG_BARCODE_OPTION, "Type 2 of ^BZ is reserved; POSTNET was used.")
                       : PL_OK;
}

static enum pl_errc read_data(struct zpl_reader *r)
{
    switch (r->out->symbology) {
    case PL_SYM_AZTEC:
        return zpl_read_aztec(r);
    case PL_SYM_CODABLOCK:
        return read_codablock(r);
    case PL_SYM_CODE49:
        return read_code49(r);
    case PL_SYM_CODE93:
        return read_shifts(r, "&'()"); // ($) (%) (/) (+)
    case PL_SYM_CODE128:
        return zpl_read_code128(r);
    case PL_SYM_DATABAR:
        return read_databar(r);
    case PL_SYM_DATAMATRIX:
        return zpl_read_datamatrix(r);
    case PL_SYM_MAXICODE:
        return zpl_read_maxicode(r);
    case PL_SYM_MICROPDF417:
    case PL_SYM_PDF417:
        return zpl_read_lines(r);
    case PL_SYM_POSTAL:
        return read_postal(r);
    case PL_SYM_QR:
        return zpl_read_qr(r);
    case PL_SYM_TLC39:
        return read_tlc39(r);
    default: // the data is the content
        return PL_OK;
    }
}

enum pl_errc zpl_barcode_read(const struct zpl_barcode *field, struct pl_slice data, struct pl_arena *arena,
                              struct pl_barcode *out, struct pl_error *err)
{
    struct zpl_reader r = {.field = field, .data = data, .arena = arena, .out = out, .err = err};
    out->data = data;
    out->content = pl_content_of(data);
    out->finding_count = 0;
    if (data.len == 0)
        return PL_OK;
    PL_TRY(read_data(&r));
    if (out->finding_count) {
        out->findings = pl_arena_copy(arena, r.findings, out->finding_count * sizeof *r.findings);
        if (!out->findings)
            return pl_fail_memory(err);
    }
    return PL_OK;
}
