// ^BX, ^BO, ^BD, ^B7 and ^BF: escape sequences, and the address before a MaxiCode's message.
#include <string.h>

#include "lang/code_text.h"
#include "lang/zpl/barcode_field.h"

static bool read_digits(struct pl_slice data, size_t at, uint32_t digits, uint32_t *out)
{
    if (data.len - at < digits)
        return false;
    uint32_t value = 0;
    for (size_t i = at; i < at + digits; i++) {
        if (data.ptr[i] < '0' || data.ptr[i] > '9')
            return false;
        value = 10 * value + (uint32_t)(data.ptr[i] - '0');
    }
    *out = value;
    return true;
}

// The sequence of ^BX whose second character is at `at`. Returns the characters used, 0 if it is none.
static size_t read_escape(struct pl_slice data, size_t at, uint8_t escape, uint32_t *code)
{
    if (at >= data.len)
        return 0;
    uint32_t c = data.ptr[at], number = 0, id = 0;
    if (c == escape) {
        *code = escape;
        return 1;
    }
    if (c >= '@' && c <= '_') {
        *code = c - '@';
        return 1;
    }
    switch (c) {
    case '1':
        *code = PL_MARK_FNC1;
        return 1;
    case '2':
        if (!read_digits(data, at + 1, 3, &number) || !read_digits(data, at + 4, 6, &id) || number < 1 ||
            number > 254 || id / 1000 > 254 || id % 1000 > 254)
            return 0;
        *code = PL_MARK_APPEND + (number << 16 | (id / 1000) << 8 | id % 1000);
        return 10;
    case '3':
        *code = PL_MARK_READER;
        return 1;
    case '5':
        if (!read_digits(data, at + 1, 3, &number))
            return 0;
        *code = PL_MARK_ECI + number;
        return 4;
    case 'd':
        if (!read_digits(data, at + 1, 3, &number) || number > 255)
            return 0;
        *code = number;
        return 4;
    default:
        return 0;
    }
}

enum pl_errc zpl_read_datamatrix(struct zpl_reader *r)
{
    struct pl_slice data = r->data;
    int32_t quality = r->field->symbol.datamatrix.quality;
    if (quality < 200) {
        if (quality < 0) {
            r->out->datamatrix.quality = 0;
            PL_TRY(zpl_reader_remark(
                r, PL_DIAG_BARCODE_OPTION,
                "^BX without a quality prints ECC 000, which few readers know; ^BXN,5,200 is today's Data Matrix."));
        }
        return zpl_read_lines(r);
    }
    uint8_t escape = r->field->escape ? r->field->escape : '~';
    if (!memchr(data.ptr, escape, data.len))
        return PL_OK;
    uint32_t *codes = PL_ARENA_ARRAY(r->arena, uint32_t, data.len);
    if (!codes)
        return pl_fail_memory(r->err);
    size_t count = 0;
    for (size_t i = 0; i < data.len;) {
        size_t used = data.ptr[i] == escape ? read_escape(data, i + 1, escape, &codes[count]) : 0;
        if (used == 0)
            codes[count] = data.ptr[i];
        count++;
        i += 1 + used;
    }
    r->out->content = (struct pl_content){.codes = codes, .count = count};
    return PL_OK;
}

// With ECI escapes a backslash and six digits name a character set, two backslashes are one.
enum pl_errc zpl_read_aztec(struct zpl_reader *r)
{
    const int32_t size = r->field->size;
    if (!pl_aztec_set_size(r->out, size) && size > 0)
        PL_TRY(zpl_reader_remark(
            r, PL_DIAG_BARCODE_OPTION,
            "Aztec has no size %d (1 to 99 percent, 101 to 104, 201 to 232 or 300); it was chosen by the data.", size));
    struct pl_slice data = r->data;
    if (!r->field->eci || !memchr(data.ptr, '\\', data.len))
        return PL_OK;
    uint32_t *codes = PL_ARENA_ARRAY(r->arena, uint32_t, data.len);
    if (!codes)
        return pl_fail_memory(r->err);
    size_t count = 0;
    for (size_t i = 0; i < data.len; i++) {
        uint32_t number;
        codes[count] = data.ptr[i];
        if (data.ptr[i] == '\\' && i + 1 < data.len) {
            if (data.ptr[i + 1] == '\\') {
                i++;
            } else if (read_digits(data, i + 1, 6, &number)) {
                codes[count] = PL_MARK_ECI + number;
                i += 6;
            }
        }
        count++;
    }
    r->out->content = (struct pl_content){.codes = codes, .count = count};
    return PL_OK;
}

// Modes 2 and 3: class of service, country and postcode before the message.
enum pl_errc zpl_read_maxicode(struct zpl_reader *r)
{
    struct pl_slice data = r->data;
    char letter = r->field->mode;
    int32_t mode = letter >= '2' && letter <= '6' ? letter - '0' : 2;
    r->out->maxicode.mode = mode;
    if (mode > 3)
        return PL_OK;
    size_t postcode = mode == 2 ? 9 : 6;
    if (data.len < 6 + postcode)
        return zpl_reader_refuse(r, PL_BAR_TOO_SHORT,
                                 "MaxiCode mode %d begins with class, country and postcode: %zu characters.", mode,
                                 6 + postcode);
    for (size_t i = 0; i < 6 + (mode == 2 ? postcode : 0); i++)
        if (data.ptr[i] < '0' || data.ptr[i] > '9')
            return zpl_reader_refuse(r, PL_BAR_BAD_CHARACTER,
                                     "Class, country and postcode of MaxiCode mode %d are digits.", mode);
    struct pl_maxicode_address *address = PL_ARENA_NEW(r->arena, struct pl_maxicode_address);
    if (!address)
        return pl_fail_memory(r->err);
    memcpy(address->service, data.ptr, 3);
    memcpy(address->country, data.ptr + 3, 3);
    size_t n = 0, replaced = 0;
    for (size_t i = 0; i < postcode; i++) {
        uint8_t c = data.ptr[6 + i];
        c = pl_upper(c);
        bool is_known = c >= 32 && c <= 95;
        replaced += !is_known;
        address->postcode[n++] = is_known ? (char)c : ' ';
    }
    if (replaced)
        PL_TRY(
            zpl_reader_remark(r, PL_DIAG_BARCODE_DATA,
                              "%zu character%s of the postcode cannot be in a MaxiCode; blanks were encoded instead.",
                              replaced, replaced > 1 ? "s" : ""));
    while (n && address->postcode[n - 1] == ' ')
        address->postcode[--n] = 0;
    r->out->maxicode.address = address;
    r->out->content = pl_content_of(pl_slice_sub(data, 6 + postcode, data.len));
    return PL_OK;
}

enum pl_errc zpl_read_lines(struct zpl_reader *r)
{
    struct pl_slice data = r->data;
    if (!memchr(data.ptr, '\\', data.len))
        return PL_OK;
    uint8_t *text = PL_ARENA_ARRAY(r->arena, uint8_t, data.len);
    if (!text)
        return pl_fail_memory(r->err);
    size_t count = 0;
    for (size_t i = 0; i < data.len; i++) {
        uint8_t next = data.ptr[i] == '\\' && i + 1 < data.len ? data.ptr[i + 1] : 0;
        if (next == '&') { // two bytes for two
            text[count++] = '\r';
            text[count++] = '\n';
            i++;
        } else {
            text[count++] = data.ptr[i];
            i += next == '\\';
        }
    }
    r->out->content = pl_content_of(pl_slice_make(text, count));
    return PL_OK;
}
