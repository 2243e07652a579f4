// Content of barcodes: the types of B, and the codes in two dimensions of b.
#include "lang/epl/codes.h"

#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/epl/state.h"

static const struct epl_code CODES[] = {
    {"3", PL_SYM_CODE39, EPL_FULL_ASCII, 0, false, 0, 0},
    {"3C", PL_SYM_CODE39, EPL_FULL_ASCII, 0, true, 0, 0},
    {"9", PL_SYM_CODE93, EPL_FULL_ASCII, 0, false, 0, 0},
    {"0", PL_SYM_CODE128, EPL_SSCC, 0, false, 0, 0},
    {"1", PL_SYM_CODE128, EPL_AUTO_128, 0, false, 0, 0},
    {"1A", PL_SYM_CODE128, EPL_SUBSET_128, 'A', false, 0, 0},
    {"1B", PL_SYM_CODE128, EPL_SUBSET_128, 'B', false, 0, 0},
    {"1C", PL_SYM_CODE128, EPL_SUBSET_128, 'C', false, 0, 0},
    {"1D", PL_SYM_CODE128, EPL_POST_128, 0, false, 0, 0},
    {"1E", PL_SYM_CODE128, EPL_GS1_128, 0, false, 0, 0},
    {"K", PL_SYM_CODABAR, EPL_PLAIN, 0, false, 0, 0},
    {"E80", PL_SYM_EAN8, EPL_PLAIN, 0, false, 0, 7},
    {"E82", PL_SYM_EAN8, EPL_PLAIN, 0, false, 2, 7},
    {"E85", PL_SYM_EAN8, EPL_PLAIN, 0, false, 5, 7},
    {"E30", PL_SYM_EAN13, EPL_PLAIN, 0, false, 0, 12},
    {"E32", PL_SYM_EAN13, EPL_PLAIN, 0, false, 2, 12},
    {"E35", PL_SYM_EAN13, EPL_PLAIN, 0, false, 5, 12},
    {"A30", PL_SYM_EAN13, EPL_PLAIN, 0, false, 0, 12},
    {"UA0", PL_SYM_UPCA, EPL_PLAIN, 0, true, 0, 11},
    {"UA2", PL_SYM_UPCA, EPL_PLAIN, 0, true, 2, 11},
    {"UA5", PL_SYM_UPCA, EPL_PLAIN, 0, true, 5, 11},
    {"UE0", PL_SYM_UPCE, EPL_PLAIN, 0, true, 0, 6},
    {"UE2", PL_SYM_UPCE, EPL_PLAIN, 0, true, 2, 6},
    {"UE5", PL_SYM_UPCE, EPL_PLAIN, 0, true, 5, 6},
    {"2", PL_SYM_INTERLEAVED_2OF5, EPL_PLAIN, 0, false, 0, 0},
    {"2C", PL_SYM_INTERLEAVED_2OF5, EPL_PLAIN, 0, true, 0, 0},
    {"2D", PL_SYM_INTERLEAVED_2OF5, EPL_PLAIN, 0, true, 0, 0},
    {"2U", PL_SYM_INTERLEAVED_2OF5, EPL_CONTAINER, 0, false, 0, 0},
    {"2G", PL_SYM_INTERLEAVED_2OF5, EPL_POST_2OF5, 0, false, 0, 0},
    {"L", PL_SYM_MSI, EPL_PLAIN, 0, false, 0, 0},
    {"M", PL_SYM_MSI, EPL_PLAIN, 0, false, 0, 0},
    {"P", PL_SYM_POSTAL, EPL_NO_HYPHENS, 'P', false, 0, 0},
    {"PL", PL_SYM_POSTAL, EPL_NO_HYPHENS, 'L', false, 0, 0},
    {"J", PL_SYM_POSTAL, EPL_UNSUPPORTED, 0, false, 0, 0},
    {"R14", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_OMNI, false, 0, 0},
    {"RL", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_LIMITED, false, 0, 0},
    {"RS", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_STACKED, false, 0, 0},
    {"RT", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_TRUNCATED, false, 0, 0},
};

const struct epl_code *epl_code_find(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(CODES); i++)
        if (pl_slice_eq_cstr(name, CODES[i].name))
            return &CODES[i];
    return NULL;
}

bool epl_code_has_escapes(const struct epl_code *code)
{
    return code && code->rule == EPL_SUBSET_128;
}

static enum pl_errc finding(struct epl *e, struct pl_barcode *barcode, enum pl_bar_fault fault, const char *remark,
                            const char *refusal)
{
    struct pl_barcode_finding found = {remark ? PL_DIAG_BARCODE_DATA : PL_DIAG_BARCODE_UNENCODABLE, fault, remark,
                                       refusal};
    barcode->findings = pl_arena_copy(e->arena, &found, sizeof found);
    barcode->finding_count = barcode->findings ? 1 : 0;
    return barcode->findings ? PL_OK : pl_fail_memory(e->err);
}

// Characters that Code 39 and 93 lack are pairs of others.
static enum pl_errc extend(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    for (size_t i = 0; i < data.len; i++)
        if (data.ptr[i] > 127)
            return finding(e, b, PL_BAR_BAD_CHARACTER, NULL, "The data has characters above 127.");
    bool done = b->symbology == PL_SYM_CODE93 ? pl_full_ascii_93(e->arena, data, &b->content)
                                              : pl_full_ascii_39(e->arena, data, &b->content);
    if (done && b->symbology == PL_SYM_CODE39 && b->content.bytes.len != data.len)
        b->caption = data; // not its pairs
    return done ? PL_OK : pl_fail_memory(e->err);
}

// 06h ends a field of a GS1 symbol: it is FNC1.
static enum pl_errc with_fnc1(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    enum { FIELD_END = 6 };
    b->code128.rule = PL_CODE128_AUTOMATIC;
    if (!memchr(data.ptr, FIELD_END, data.len))
        return PL_OK;
    uint32_t *codes = PL_ARENA_ARRAY(e->arena, uint32_t, data.len);
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, data.len);
    if (!codes || !text)
        return pl_fail_memory(e->err);
    for (size_t i = 0; i < data.len; i++) {
        codes[i] = data.ptr[i] == FIELD_END ? (uint32_t)PL_MARK_FNC1 : data.ptr[i];
        text[i] = data.ptr[i] == FIELD_END ? ' ' : data.ptr[i];
    }
    b->content = (struct pl_content){.codes = codes, .count = data.len};
    b->caption = pl_slice_make(text, data.len);
    return PL_OK;
}

// Symbol characters of a subset that was asked for.
struct values {
    uint32_t *codes;
    uint8_t *text;
    uint32_t count, shown, dropped;
    char set;
};

static void switch_to(struct values *v, char set)
{
    static const uint32_t STARTS[] = {103, 104, 105}, SWITCHES[] = {101, 100, 99};
    if (v->count <= 1)
        v->codes[0] = STARTS[set - 'A'];
    else if (v->set != set)
        v->codes[v->count++] = SWITCHES[set - 'A'];
    v->count = PL_MAX(v->count, 1u);
    v->set = set;
}

// One character of A or B, or a pair of digits of C. Returns the bytes that it took.
static size_t take_value(struct values *v, struct pl_slice data, size_t i)
{
    enum { FNC1 = 102, FIELD_END = 6 };
    uint8_t c = data.ptr[i];
    if (c == FIELD_END && v->set != 'A') {
        v->codes[v->count++] = FNC1;
        v->text[v->shown++] = ' ';
        return 1;
    }
    if (v->set == 'C') {
        if (!pl_is_digit(c) || i + 1 == data.len || !pl_is_digit(data.ptr[i + 1])) {
            v->dropped++;
            return 1;
        }
        v->codes[v->count++] = (uint32_t)(c - '0') * 10 + (uint32_t)(data.ptr[i + 1] - '0');
        v->text[v->shown++] = c;
        v->text[v->shown++] = data.ptr[i + 1];
        return 2;
    }
    bool control = c < 32, small = c >= 96;
    if (c > 127 || (v->set == 'A' ? small : control)) {
        v->dropped++;
        return 1;
    }
    v->codes[v->count++] = control ? c + 64u : c - 32u;
    v->text[v->shown++] = control ? ' ' : c;
    return 1;
}

static enum pl_errc force_subset(struct epl *e, char set, struct pl_slice data, struct pl_barcode *b)
{
    struct values v = {.codes = PL_ARENA_ARRAY(e->arena, uint32_t, data.len + 2),
                       .text = PL_ARENA_ARRAY(e->arena, uint8_t, data.len + 2)};
    if (!v.codes || !v.text)
        return pl_fail_memory(e->err);
    switch_to(&v, set);
    for (size_t i = 0; i < data.len;) {
        bool escape = data.ptr[i] == '\\' && i + 1 < data.len;
        if (escape && data.ptr[i + 1] >= 'A' && data.ptr[i + 1] <= 'C') {
            switch_to(&v, (char)data.ptr[i + 1]);
            i += 2;
        } else {
            i += take_value(&v, data, i + escape) + escape;
        }
    }
    b->code128.rule = PL_CODE128_VALUES;
    b->content = (struct pl_content){.codes = v.codes, .count = v.count};
    b->caption = pl_slice_make(v.text, v.shown);
    if (v.dropped == 0 || v.count < 2)
        return PL_OK;
    return finding(e, b, PL_BAR_BAD_CHARACTER, "Characters that the subset does not have were left out.",
                   "The data has characters that the subset does not have.");
}

// Digits of the data with something before them and a digit behind.
static enum pl_errc set_digits(struct epl *e, const char *before, struct pl_slice data, char check,
                               struct pl_barcode *b)
{
    size_t lead = strlen(before), n = lead;
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, lead + data.len + 1);
    if (!text)
        return pl_fail_memory(e->err);
    memcpy(text, before, lead);
    memcpy(text + n, data.ptr, data.len);
    n += data.len;
    if (check)
        text[n++] = (uint8_t)check;
    b->content = pl_content_of(pl_slice_make(text, n));
    return PL_OK;
}

// Two letters, eight digits, the check digit of UPU S10, and the country.
static enum pl_errc post_128(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    static const uint8_t WEIGHTS[] = {8, 6, 4, 2, 3, 5, 9, 7};
    b->code128.rule = PL_CODE128_AUTOMATIC;
    bool sound = data.len == 12;
    uint32_t sum = 0;
    for (size_t i = 0; sound && i < 8; i++) {
        sound = pl_is_digit(data.ptr[2 + i]);
        sum += (uint32_t)(data.ptr[2 + i] - '0') * WEIGHTS[i];
    }
    if (!sound)
        return finding(e, b, PL_BAR_BAD_CHARACTER, NULL,
                       "The data is two letters, eight digits and the letters of the country.");
    uint32_t check = 11 - sum % 11;
    check = check == 10 ? 0 : check == 11 ? 5 : check;
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, 13);
    if (!text)
        return pl_fail_memory(e->err);
    memcpy(text, data.ptr, 10);
    text[10] = (uint8_t)('0' + check);
    memcpy(text + 11, data.ptr + 10, 2);
    b->content = pl_content_of(pl_slice_make(text, 13));
    return PL_OK;
}

static enum pl_errc sscc(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    b->code128.rule = PL_CODE128_CASE;
    if (data.len == 18 || data.len == 20) // the check digit is worked out again
        data.len--;
    return set_digits(e, data.len == 17 ? "00" : "", data, 0, b);
}

static enum pl_errc without_hyphens(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, data.len);
    if (!text)
        return pl_fail_memory(e->err);
    size_t n = 0;
    for (size_t i = 0; i < data.len; i++)
        if (data.ptr[i] != '-')
            text[n++] = data.ptr[i];
    b->content = pl_content_of(pl_slice_make(text, n));
    return PL_OK;
}

enum pl_errc epl_code_content(struct epl *e, const struct epl_code *code, struct pl_slice data,
                              struct pl_element *element)
{
    struct pl_barcode *b = &element->barcode;
    b->data = data;
    b->content = pl_content_of(data);
    if (code->extension) {
        bool extends = b->symbology == PL_SYM_UPC_EAN_EXTENSION;
        size_t main = data.len > code->extension ? data.len - code->extension : 0;
        b->content = pl_content_of(extends ? pl_slice_sub(data, main, code->extension) : pl_slice_sub(data, 0, main));
    }
    switch (code->rule) {
    case EPL_FULL_ASCII:
        return extend(e, data, b);
    case EPL_GS1_128:
        PL_TRY(with_fnc1(e, data, b));
        b->code128.rule = PL_CODE128_GS1;
        b->caption = b->caption.ptr ? b->caption : data;
        return PL_OK;
    case EPL_AUTO_128:
        return with_fnc1(e, data, b);
    case EPL_SSCC:
        return sscc(e, data, b);
    case EPL_SUBSET_128:
        return force_subset(e, code->variant, data, b);
    case EPL_POST_128:
        return post_128(e, data, b);
    case EPL_POST_2OF5:
        return data.len % 2 ? set_digits(e, "", data, pl_check_digit(data, 4, 9), b) : PL_OK;
    case EPL_CONTAINER:
        return data.len % 2 ? set_digits(e, "", data, pl_check_digit(data, 3, 1), b) : PL_OK;
    case EPL_NO_HYPHENS:
        return without_hyphens(e, data, b);
    default:
        return PL_OK;
    }
}

// Three digits with zeros before them.
static void three_digits(struct pl_slice in, char out[4])
{
    memcpy(out, "000", 4);
    for (size_t i = 0; i < PL_MIN(in.len, (size_t)3); i++)
        out[3 - PL_MIN(in.len, (size_t)3) + i] = (char)in.ptr[i];
}

// class,country,postcode,message; some write the postcode as zip5,zip4.
static enum pl_errc read_maxicode(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    struct pl_slice rest = data, service = pl_slice_until(&rest, ','), country = pl_slice_until(&rest, ','),
                    code = pl_slice_until(&rest, ',');
    bool numeric = pl_all_digits(code);
    if (b->maxicode.mode < 0)
        b->maxicode.mode = numeric ? 2 : 3;
    if (b->maxicode.mode > 3)
        return PL_OK;
    if (!pl_all_digits(service) || !pl_all_digits(country) || service.len > 3 || country.len > 3 || code.len == 0 ||
        (b->maxicode.mode == 2 && !numeric))
        return finding(e, b, PL_BAR_BAD_CHARACTER, NULL,
                       "MaxiCode begins with class of service, country and postcode between commas.");
    struct pl_maxicode_address *address = PL_ARENA_NEW(e->arena, struct pl_maxicode_address);
    if (!address)
        return pl_fail_memory(e->err);
    three_digits(service, address->service);
    three_digits(country, address->country);
    size_t most = b->maxicode.mode == 2 ? 9 : 6, n = PL_MIN(code.len, most);
    memcpy(address->postcode, code.ptr, n);
    struct pl_slice behind = rest, zip4 = pl_slice_until(&behind, ',');
    if (b->maxicode.mode == 2 && code.len == 5 && zip4.len == 4 && pl_all_digits(zip4)) {
        memcpy(address->postcode + n, zip4.ptr, 4);
        n += 4;
        rest = behind;
    }
    for (size_t i = 0; i < n; i++)
        if (address->postcode[i] >= 'a' && address->postcode[i] <= 'z')
            address->postcode[i] = (char)(address->postcode[i] - 32);
    for (; b->maxicode.mode == 2 && n < most; n++)
        address->postcode[n] = '0';
    b->maxicode.address = address;
    b->content = pl_content_of(rest);
    return PL_OK;
}

static enum pl_errc read_qr(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    struct pl_qr_segment *segment = PL_ARENA_NEW(e->arena, struct pl_qr_segment);
    if (!segment)
        return pl_fail_memory(e->err);
    // iM: the first letter names the mode of all that follows it; B has four digits for the number of bytes.
    if (b->qr.mode_declared && data.len > 1 && strchr("NABK", data.ptr[0])) {
        bool bytes = data.ptr[0] == 'B' && data.len > 5 && pl_all_digits(pl_slice_sub(data, 1, 4));
        data = pl_slice_sub(data, bytes ? 5 : 1, data.len);
    }
    b->qr.mode_declared = false;
    *segment = (struct pl_qr_segment){.mode = PL_QR_BYTE, .automatic = true, .data = data};
    b->qr.segments = segment;
    b->qr.segment_count = 1;
    return PL_OK;
}

enum pl_errc epl_matrix_content(struct epl *e, char letter, struct pl_slice data, struct pl_element *element)
{
    struct pl_barcode *b = &element->barcode;
    b->data = data;
    b->content = pl_content_of(data);
    if (letter == 'M')
        return read_maxicode(e, data, b);
    return letter == 'Q' ? read_qr(e, data, b) : PL_OK;
}
