// ^BC: in mode N the field names subsets and symbol characters by '>' and a character, in mode D it writes FNC1 as >8.
#include <string.h>

#include "base/fmt.h"
#include "lang/zpl/barcode_field.h"

#define LENGTH_MAX 2048 // bytes of a field that are read

// Values of symbol characters.
enum { FNC3 = 96, CODE_C = 99, CODE_B = 100, CODE_A = 101, FNC1 = 102, START_A = 103, START_B = 104, START_C = 105 };

struct values {
    uint32_t *codes;
    uint8_t *text; // what the symbol says to a human
    uint32_t count, text_length, dropped;
    char set; // the subset that the next character is in
};

static void put(struct values *v, uint32_t value)
{
    v->codes[v->count++] = value;
}

static void say(struct values *v, uint32_t c)
{
    v->text[v->text_length++] = (uint8_t)c;
}

static void switch_to(struct values *v, char set)
{
    if (v->count == 1) // nothing is encoded yet: the start character is still free
        v->codes[0] = set == 'A' ? START_A : set == 'B' ? START_B : START_C;
    else if (v->set != set)
        put(v, set == 'A' ? CODE_A : set == 'B' ? CODE_B : CODE_C);
    v->set = set;
}

// The character behind '>'. Returns false if it means nothing in this subset.
static bool invoke(struct values *v, uint8_t code)
{
    static const char data_codes[] = "<0=1"; // characters that cannot be written otherwise
    static const uint8_t data_values[] = {62, 30, 94, 95};
    const char *at = code ? strchr(data_codes, code) : NULL;
    if (at) {
        uint8_t value = data_values[at - data_codes];
        if (v->set == 'C')
            return false;
        put(v, value);
        if (value < 64 || (v->set == 'B' && value < 95))
            say(v, value + 32u);
        return true;
    }
    switch (code) {
    case '9':
    case ':':
    case ';':
        switch_to(v, code == '9' ? 'A' : code == ':' ? 'B' : 'C');
        return true;
    case '2':
    case '3':
    case '4':
        if (v->set == 'C')
            return false;
        put(v, FNC3 + (uint32_t)(code - '2'));
        return true;
    case '5':
        if (v->set == 'C')
            return false;
        put(v, CODE_C);
        v->set = 'C';
        return true;
    case '6': // in B this is FNC4
        put(v, CODE_B);
        v->set = 'B';
        return true;
    case '7': // in A this is FNC4
        put(v, CODE_A);
        v->set = 'A';
        return true;
    case '8':
        put(v, FNC1);
        return true;
    default:
        return false;
    }
}

// Subsets A and C: the data gives values as pairs of digits (manual, ^BC). Returns how many bytes were used.
static size_t take_pair(struct values *v, struct pl_slice data, size_t i)
{
    if (!pl_is_digit(data.ptr[i]) || i + 1 == data.len || data.ptr[i + 1] == '>') {
        v->dropped++;
        return 1;
    }
    if (!pl_is_digit(data.ptr[i + 1])) {
        v->dropped += 2;
        return 2;
    }
    uint32_t value = (uint32_t)(data.ptr[i] - '0') * 10 + (uint32_t)(data.ptr[i + 1] - '0');
    put(v, value);
    if (v->set == 'C') {
        say(v, data.ptr[i]);
        say(v, data.ptr[i + 1]);
    } else if (value < 64) {
        say(v, value + 32);
    } else if (value == CODE_C) {
        v->set = 'C';
    }
    return 2;
}

static void take_byte_of_b(struct values *v, uint8_t byte)
{
    if (byte >= 32 && byte < 128) {
        put(v, byte - 32u);
    } else if (byte >= 160) {
        put(v, CODE_B); // FNC4: the next character is from the upper half of Latin-1
        put(v, byte - 160u);
    } else {
        v->dropped++;
        return;
    }
    say(v, byte);
}

// Modulo 10, with weights 3, 1, 3, … from the right; other characters do not count.
static uint8_t check_digit(struct pl_slice data)
{
    uint32_t sum = 0, weight = 3;
    for (size_t i = data.len; i-- > 0;) {
        if (!pl_is_digit(data.ptr[i]))
            continue;
        sum += (uint32_t)(data.ptr[i] - '0') * weight;
        weight = 4 - weight;
    }
    return (uint8_t)('0' + (10 - sum % 10) % 10);
}

// Mode N with a check digit: the manual has it for an SSCC, >;>8 with 19 digits, whose last pair lacks a digit.
static enum pl_errc complete_sscc(struct zpl_reader *r, struct pl_slice *data)
{
    enum { BEFORE = 4, DIGITS = 19 };
    if (!r->field->symbol.check || data->len != BEFORE + DIGITS || memcmp(data->ptr, ">;>8", BEFORE) != 0)
        return PL_OK;
    for (size_t i = BEFORE; i < data->len; i++) {
        if (!pl_is_digit(data->ptr[i]))
            return PL_OK;
    }
    uint8_t *whole = PL_ARENA_ARRAY(r->arena, uint8_t, data->len + 1);
    if (!whole)
        return pl_fail_memory(r->err);
    memcpy(whole, data->ptr, data->len);
    whole[data->len] = check_digit(pl_slice_sub(*data, BEFORE, DIGITS));
    *data = pl_slice_make(whole, data->len + 1);
    return PL_OK;
}

// Mode N.
static enum pl_errc read_values(struct zpl_reader *r)
{
    struct pl_slice data = r->data;
    PL_TRY(complete_sscc(r, &data));
    struct values v = {.codes = PL_ARENA_ARRAY(r->arena, uint32_t, 2 * data.len + 1),
                       .text = PL_ARENA_ARRAY(r->arena, uint8_t, data.len + 1),
                       .set = 'B'};
    if (!v.codes || !v.text)
        return pl_fail_memory(r->err);
    put(&v, START_B);
    for (size_t i = 0; i < data.len;) {
        if (data.ptr[i] == '>') {
            if (i + 1 == data.len || !invoke(&v, data.ptr[i + 1]))
                v.dropped++;
            i += 2;
        } else if (v.set == 'B') {
            take_byte_of_b(&v, data.ptr[i++]);
        } else {
            i += take_pair(&v, data, i);
        }
    }
    r->out->code128.rule = PL_CODE128_VALUES;
    r->out->content = (struct pl_content){.codes = v.codes, .count = v.count};
    r->out->caption = pl_slice_make(v.text, v.text_length);
    if (v.dropped == 0 || v.count < 2)
        return PL_OK;
    return zpl_reader_fault(r, PL_BAR_BAD_CHARACTER, "The data has characters that the subset does not have.",
                            "%u character%s cannot be encoded in the subset and %s left out.", v.dropped,
                            v.dropped > 1 ? "s" : "", v.dropped > 1 ? "were" : "was");
}

// An element (00) has 17 digits, (01) and (02) have 13, and a check digit: the printer computes it, and a digit in its
// place only holds the place (manual, ^BC). *length is of the element with its data, in `out`.
static enum pl_errc put_check_digit(struct zpl_reader *r, struct pl_slice element, uint8_t *out, size_t *length)
{
    size_t digits = 0, wanted = element.ptr[2] == '0' ? 17 : 13, end = element.len, last = 0;
    memcpy(out, element.ptr, element.len);
    *length = element.len;
    for (size_t i = 4; i < element.len; i++) {
        if (element.ptr[i] == ' ')
            continue;
        if (!pl_is_digit(element.ptr[i]))
            return PL_OK;
        digits++;
        last = i;
    }
    if (digits != wanted && digits != wanted + 1)
        return PL_OK;
    bool given = digits > wanted;
    uint8_t digit = check_digit(pl_slice_sub(element, 4, (given ? last : end) - 4));
    out[given ? last : end] = digit;
    *length = given ? end : end + 1;
    if (!given || element.ptr[last] == digit)
        return PL_OK;
    return zpl_reader_remark(r, PL_DIAG_GS1_CHECK_DIGIT,
                             "%.4s: the check digit %c was replaced by %c, as a printer does.",
                             (const char *)element.ptr, element.ptr[last], digit);
}

// The data with the check digits of (00), (01) and (02).
static enum pl_errc complete_gs1(struct zpl_reader *r, struct pl_slice *data)
{
    uint8_t *out = PL_ARENA_ARRAY(r->arena, uint8_t, 2 * data->len + 1);
    size_t length = 0;
    if (!out)
        return pl_fail_memory(r->err);
    for (size_t i = 0; i < data->len;) {
        size_t end = i + 1, used;
        while (end < data->len && data->ptr[end] != '(' && data->ptr[end] != '>')
            end++;
        struct pl_slice element = pl_slice_sub(*data, i, end - i);
        bool keyed = element.len > 4 && element.ptr[0] == '(' && element.ptr[1] == '0' && element.ptr[2] >= '0' &&
                     element.ptr[2] <= '2' && element.ptr[3] == ')';
        used = element.len;
        if (keyed)
            PL_TRY(put_check_digit(r, element, out + length, &used));
        else
            memcpy(out + length, element.ptr, element.len);
        length += used;
        i = end;
    }
    *data = pl_slice_make(out, length);
    return PL_OK;
}

// Mode D: parentheses and blanks are printed under the bars, and are not in them.
static enum pl_errc read_gs1(struct zpl_reader *r)
{
    struct pl_slice data = r->data;
    PL_TRY(complete_gs1(r, &data));
    uint32_t *codes = PL_ARENA_ARRAY(r->arena, uint32_t, data.len + 1);
    uint8_t *text = PL_ARENA_ARRAY(r->arena, uint8_t, data.len + 1);
    if (!codes || !text)
        return pl_fail_memory(r->err);
    size_t count = 0, text_length = 0;
    for (size_t i = 0; i < data.len; i++) {
        uint8_t byte = data.ptr[i];
        if (byte == '>' && i + 1 < data.len && data.ptr[i + 1] == '8') {
            if (count) // the one before the data is there anyway
                codes[count++] = PL_MARK_FNC1;
            i++;
            continue;
        }
        text[text_length++] = byte;
        if (byte != '(' && byte != ')' && byte != ' ')
            codes[count++] = byte;
    }
    r->out->code128.rule = PL_CODE128_GS1;
    r->out->content = (struct pl_content){.codes = codes, .count = count};
    r->out->caption = pl_slice_make(text, text_length);
    return PL_OK;
}

enum pl_errc zpl_read_code128(struct zpl_reader *r)
{
    if (r->data.len > LENGTH_MAX)
        return zpl_reader_refuse(r, PL_BAR_TOO_LONG,
                                 "Code 128 cannot hold the data: %zu characters are more than the %d that are encoded.",
                                 r->data.len, LENGTH_MAX);
    switch (r->field->mode) {
    case 'A':
        r->out->code128.rule = PL_CODE128_AUTOMATIC;
        return PL_OK;
    case 'U':
        r->out->code128.rule = PL_CODE128_CASE;
        return PL_OK;
    case 'D':
        return read_gs1(r);
    default:
        return read_values(r);
    }
}
