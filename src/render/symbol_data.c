// What a barcode holds by its field, and whether that is what was read.
#include "base/ckd.h"
#include "check/gs1.h"
#include "check/read.h"
#include "render/checks.h"

#define GS 0x1D

struct text {
    uint8_t *ptr;
    size_t len, cap;
};

static void put(struct text *t, uint32_t byte)
{
    if (t->len < t->cap)
        t->ptr[t->len++] = (uint8_t)byte;
}

static void append(struct text *t, struct pl_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        put(t, s.ptr[i]);
}

static void put_fnc1(struct text *t, bool first, bool *gs1)
{
    if (first)
        *gs1 = true;
    else
        put(t, GS);
}

// A character of Code 128 in set A or B that is no data.
static void take_control(uint32_t v, char in, char *set, char *once, uint32_t *high)
{
    enum { SHIFT = 98, TO_C = 99, TO_B = 100, TO_A = 101 };
    bool is_fnc4 = (v == TO_A && in == 'A') || (v == TO_B && in == 'B');
    if (v == SHIFT)
        *once = in == 'A' ? 'B' : 'A';
    else if (v == TO_C)
        *set = 'C';
    else if (is_fnc4)
        *high = 128;
    else if (v == TO_A || v == TO_B)
        *set = v == TO_B ? 'B' : 'A';
}

// Code 128 by its symbol characters, the start character first.
static void take_values(const struct pl_content *content, struct text *t, bool *gs1)
{
    enum { START_A = 103, START_C = 105 };
    size_t n = pl_content_length(content);
    uint32_t start = n ? pl_content_at(content, 0) : START_A;
    char set = start == START_C ? 'C' : start == START_A ? 'A' : 'B', once = 0;
    uint32_t high = 0;
    for (size_t i = 1; i < n; i++) {
        uint32_t v = pl_content_at(content, i);
        char in = once ? once : set;
        once = 0;
        if (v == 102) {
            put_fnc1(t, i == 1, gs1);
        } else if (in == 'C' && v < 100) {
            put(t, '0' + v / 10);
            put(t, '0' + v % 10);
        } else if (in == 'C') {
            set = v == 100 ? 'B' : 'A';
        } else if (v < 96) {
            put(t, (in == 'A' && v >= 64 ? v - 64 : v + 32) + high);
            high = 0;
        } else {
            take_control(v, in, &set, &once, &high);
        }
    }
}

// FNC1 behind one letter or two digits of a Data Matrix says that these name an industry; readers do not send it.
static bool names_industry(const struct text *t, size_t at)
{
    return (at == 1 && pl_is_letter(t->ptr[0])) || (at == 2 && pl_is_digit(t->ptr[0]) && pl_is_digit(t->ptr[1]));
}

static void take_content(const struct pl_barcode *b, struct text *t, struct pl_symbol_data *out)
{
    const struct pl_content *content = &b->content;
    for (size_t i = 0; i < pl_content_length(content); i++) {
        uint32_t code = pl_content_at(content, i);
        if (code < 256)
            put(t, code);
        else if (code != PL_MARK_FNC1)
            out->sure = false;
        else if (b->symbology != PL_SYM_DATAMATRIX || t->len != i || !names_industry(t, i))
            put_fnc1(t, i == 0, &out->gs1);
    }
}

// A case code is a GS1-128 of 19 digits, with zeros behind few, and the check digit that a printer works out.
static void take_case_code(struct pl_slice content, struct text *t)
{
    enum { DIGITS = 19 };
    for (size_t i = 0; i < content.len && t->len < DIGITS; i++)
        if (pl_is_digit(content.ptr[i]))
            put(t, content.ptr[i]);
    while (t->len < DIGITS)
        put(t, '0');
    put(t, (uint8_t)pl_gs1_check_digit(pl_slice_make(t->ptr, t->len)));
}

// Digits of the number that a form of DataBar holds, without the check digit; 0: it holds an element string.
static uint32_t databar_digits(enum pl_databar_form form)
{
    switch (form) {
    case PL_DATABAR_EXPANDED:
    case PL_DATABAR_GS1_128_AB:
    case PL_DATABAR_GS1_128_C:
        return 0;
    case PL_DATABAR_UPCA:
    case PL_DATABAR_UPCE:
        return 11;
    case PL_DATABAR_EAN13:
        return 12;
    case PL_DATABAR_EAN8:
        return 7;
    default:
        return 13;
    }
}

// The data once more behind itself, with the field's own check digit, the last of its digits.
static void write_check(struct pl_slice content, struct text *t, struct pl_symbol_data *out)
{
    size_t last = content.len;
    while (content.ptr[last - 1] < '0' || content.ptr[last - 1] > '9')
        last--;
    if (t->len * 2 > t->cap)
        return;
    memcpy(t->ptr + t->len, t->ptr, t->len - 1);
    t->ptr[2 * t->len - 1] = content.ptr[last - 1];
    out->written = pl_slice_make(t->ptr + t->len, t->len);
}

// The digits as bar/ takes them, zeros before few and the last of many, with the check digit, and the identifier that
// DataBar itself has.
static void take_databar(const struct pl_barcode *b, struct text *t, struct pl_symbol_data *out)
{
    const enum pl_databar_form form = (enum pl_databar_form)b->databar.form;
    const struct pl_slice content = b->content.bytes;
    const uint32_t want = databar_digits(form);
    size_t n = 0;
    out->gs1 = form < PL_DATABAR_UPCA || form > PL_DATABAR_EAN8;
    if (want == 0) {
        append(t, content);
        return;
    }
    for (size_t i = 0; i < content.len; i++)
        n += pl_is_digit(content.ptr[i]);
    size_t skip = n > want + 1 ? n - want : 0, taken = n < want ? n : want;
    if (form < PL_DATABAR_UPCA)
        append(t, pl_slice_cstr("01"));
    const size_t start = t->len;
    for (size_t i = taken; i < want; i++)
        put(t, '0');
    for (size_t i = 0; i < content.len && t->len < start + want; i++) {
        if (content.ptr[i] < '0' || content.ptr[i] > '9')
            continue;
        if (skip > 0)
            skip--;
        else
            put(t, content.ptr[i]);
    }
    put(t, (uint8_t)pl_gs1_check_digit(pl_slice_make(t->ptr + start, t->len - start)));
    out->hidden = start;
    if (n == want + 1)
        write_check(content, t, out);
    if (form == PL_DATABAR_UPCE && pl_read_upce_form(t->ptr))
        t->len = 8;
}

// What a message of MaxiCode has behind the place where the address is put in: the header of carriers and its year.
static struct pl_slice behind_address(struct pl_slice message)
{
    static const char header[] = "[)>\x1e"
                                 "01\x1d";
    bool has = message.len >= 9 && memcmp(message.ptr, header, sizeof header - 1) == 0;
    return has ? pl_slice_sub(message, 9, message.len) : message;
}

// A scanner sends the address of modes 2 and 3 behind the header of the message, whose first nine bytes are it.
static enum pl_errc take_address(const struct pl_barcode *b, const struct text *t, struct pl_arena *arena,
                                 struct pl_symbol_data *out, struct pl_error *err)
{
    const struct pl_maxicode_address *a = b->maxicode.address;
    const struct pl_slice message = pl_slice_make(t->ptr, t->len), rest = behind_address(message);
    out->data = out->written = message;
    if (rest.len == message.len) // without the header nothing is put in
        return PL_OK;
    struct text whole = {.cap = message.len + sizeof *a + 4};
    whole.ptr = (uint8_t *)pl_arena_alloc(arena, whole.cap, 1);
    if (!whole.ptr)
        return pl_fail_memory(err);
    append(&whole, pl_slice_sub(message, 0, message.len - rest.len));
    const char *const parts[] = {a->postcode, a->country, a->service};
    for (int i = 0; i < 3; i++) {
        append(&whole, pl_slice_cstr(parts[i]));
        put(&whole, GS);
    }
    append(&whole, rest);
    out->written = pl_slice_make(whole.ptr, whole.len);
    return PL_OK;
}

enum pl_errc pl_symbol_data(const struct pl_barcode *b, struct pl_arena *arena, struct pl_symbol_data *out,
                            struct pl_error *err)
{
    *out = (struct pl_symbol_data){.sure = true};
    size_t room = 2 * pl_content_length(&b->content) + b->data.len + 32;
    struct text t = {.ptr = (uint8_t *)pl_arena_alloc(arena, room, 1), .cap = room};
    if (!t.ptr)
        return pl_fail_memory(err);
    switch (b->symbology) {
    case PL_SYM_CODE128:
        out->exact = b->code128.rule != PL_CODE128_CASE;
        if (b->code128.rule == PL_CODE128_VALUES)
            take_values(&b->content, &t, &out->gs1);
        else if (b->code128.rule == PL_CODE128_CASE)
            take_case_code(b->content.bytes, &t);
        else
            take_content(b, &t, out);
        out->gs1 = out->gs1 || b->code128.rule == PL_CODE128_GS1 || b->code128.rule == PL_CODE128_CASE;
        break;
    case PL_SYM_QR:
        out->exact = true;
        for (uint32_t i = 0; i < b->qr.segment_count; i++)
            append(&t, b->qr.segments[i].data);
        break;
    case PL_SYM_DATABAR:
        take_databar(b, &t, out);
        break;
    case PL_SYM_TLC39:
        out->exact = true;
        append(&t, b->content.bytes);
        if (b->tlc39.second.len)
            put(&t, ',');
        append(&t, b->tlc39.second);
        break;
    case PL_SYM_MAXICODE:
        take_content(b, &t, out);
        if (b->maxicode.address)
            return take_address(b, &t, arena, out, err);
        break;
    case PL_SYM_DATAMATRIX:
    case PL_SYM_AZTEC:
    case PL_SYM_PDF417:
        out->exact = true;
        take_content(b, &t, out);
        break;
    default:
        take_content(b, &t, out);
        break;
    }
    out->data = pl_slice_make(t.ptr, t.len);
    if (!out->written.ptr)
        out->written = out->data;
    return PL_OK;
}

// zxing gives LF for the CR of MaxiCode.
static bool ends_with(struct pl_slice s, struct pl_slice end)
{
    bool same = s.len >= end.len;
    for (size_t i = 0; same && i < end.len; i++) {
        uint8_t a = s.ptr[s.len - end.len + i], b = end.ptr[i];
        same = a == b || (a == '\n' && b == '\r');
    }
    return same;
}

// Is the longer the shorter with a few check digits behind it?
static bool has_checks(struct pl_slice longer, struct pl_slice shorter, size_t most)
{
    return shorter.len > 0 && longer.len > shorter.len && longer.len - shorter.len <= most &&
           pl_slice_eq(pl_slice_sub(longer, 0, shorter.len), shorter);
}

// Letters and digits alone, capitals: what brackets and separators of element strings leave as it is.
static struct pl_slice core(struct pl_slice s, uint8_t *room, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < most; i++) {
        uint8_t c = s.ptr[i];
        if (pl_is_lower(c))
            c = (uint8_t)(c - 32);
        if (pl_is_digit(c) || pl_is_upper(c))
            room[n++] = c;
    }
    return pl_slice_make(room, n);
}

int32_t pl_symbol_matches(const struct pl_barcode *b, const struct pl_symbol_data *d, struct pl_slice text,
                          struct pl_slice read)
{
    enum { MOST = 4096 };
    if (pl_slice_eq(d->data, read))
        return 1;
    if (b->symbology == PL_SYM_MAXICODE)
        return ends_with(read, behind_address(d->data));
    for (size_t i = 0; i < d->data.len; i++)
        if (d->data.ptr[i] >= 0x80)
            return -1; // in which character set, only the reader of the label knows
    if (!d->sure)
        return -1;
    if (d->exact)
        return 0;
    if (pl_slice_eq(text, read)) // with check characters, fillers, start and stop
        return 1;
    switch (b->symbology) {
    case PL_SYM_MSI: // they are read, but not always said; modulo 11 may give 10
        return b->msi.checks != PL_MSI_NONE && has_checks(read, text, 3);
    case PL_SYM_PLANET:
    case PL_SYM_POSTAL:
    case PL_SYM_PLESSEY: // they are said, but not read
        return has_checks(text, read, 2);
    case PL_SYM_CODABLOCK:
        return pl_read_is_block(d->data, read, b->codablock.variant == 'A' && b->codablock.checks);
    default:
        break;
    }
    if (b->symbology != PL_SYM_DATABAR || databar_digits((enum pl_databar_form)b->databar.form) != 0)
        return 0;
    uint8_t rooms[2][MOST];
    return pl_slice_eq(core(read, rooms[0], MOST), core(d->data, rooms[1], MOST));
}
