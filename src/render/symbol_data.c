// What a barcode holds by its field, and whether that is what was read.
#include "base/ckd.h"
#include "check/gs1.h"
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

// Code 128 by its symbol characters, the start character first.
static void take_values(const struct pl_content *content, struct text *t, bool *gs1)
{
    enum { FNC4_A = 101, FNC4_B = 100, START_A = 103, START_C = 105 };
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
        } else if (in == 'C') {
            if (v < 100) {
                put(t, '0' + v / 10);
                put(t, '0' + v % 10);
            } else {
                set = v == 100 ? 'B' : 'A';
            }
        } else if (v < 96) {
            put(t, (in == 'A' && v >= 64 ? v - 64 : v + 32) + high);
            high = 0;
        } else if (v == 98) {
            once = in == 'A' ? 'B' : 'A';
        } else if (v == 99) {
            set = 'C';
        } else if ((v == FNC4_A && in == 'A') || (v == FNC4_B && in == 'B')) {
            high = 128;
        } else if (v == 100 || v == 101) {
            set = v == 100 ? 'B' : 'A';
        }
    }
}

static void take_content(const struct pl_content *content, struct text *t, struct pl_symbol_data *out)
{
    for (size_t i = 0; i < pl_content_length(content); i++) {
        uint32_t code = pl_content_at(content, i);
        if (code < 256)
            put(t, code);
        else if (code == PL_MARK_FNC1)
            put_fnc1(t, i == 0, &out->gs1);
        else
            out->sure = false;
    }
}

// Digits of a form of DataBar with the check digit, and the identifier that DataBar itself has.
static void take_databar(const struct pl_barcode *b, struct text *t, struct pl_symbol_data *out)
{
    enum pl_databar_form form = (enum pl_databar_form)b->databar_form;
    if (form == PL_DATABAR_EXPANDED || form == PL_DATABAR_GS1_128_AB || form == PL_DATABAR_GS1_128_C) {
        append(t, b->content.bytes);
        out->gs1 = true;
        return;
    }
    if (form >= PL_DATABAR_UPCA) {
        append(t, b->content.bytes);
        return;
    }
    char digits[13];
    size_t n = 0;
    for (size_t i = 0; i < b->content.bytes.len && n < sizeof digits; i++)
        if (b->content.bytes.ptr[i] >= '0' && b->content.bytes.ptr[i] <= '9')
            digits[n++] = (char)b->content.bytes.ptr[i];
    append(t, pl_slice_cstr("01"));
    for (size_t i = n; i < sizeof digits; i++)
        put(t, '0');
    append(t, pl_slice_make(digits, n));
    put(t, (uint8_t)pl_gs1_check_digit(pl_slice_make(t->ptr + 2, t->len - 2)));
    out->gs1 = true;
}

enum pl_errc pl_symbol_data(const struct pl_barcode *b, struct pl_arena *arena, struct pl_symbol_data *out,
                            struct pl_error *err)
{
    *out = (struct pl_symbol_data){.sure = true};
    size_t room = 2 * pl_content_length(&b->content) + 32;
    for (uint32_t i = 0; i < b->segment_count; i++)
        room += b->segments[i].data.len;
    struct text t = {.ptr = (uint8_t *)pl_arena_alloc(arena, room, 1), .cap = room};
    if (!t.ptr)
        return pl_fail_memory(err);
    switch (b->symbology) {
    case PL_SYM_CODE128:
        out->exact = b->code128_rule != PL_CODE128_CASE;
        if (b->code128_rule == PL_CODE128_VALUES)
            take_values(&b->content, &t, &out->gs1);
        else
            take_content(&b->content, &t, out);
        out->gs1 = out->gs1 || b->code128_rule == PL_CODE128_GS1;
        break;
    case PL_SYM_QR:
        out->exact = true;
        for (uint32_t i = 0; i < b->segment_count; i++)
            append(&t, b->segments[i].data);
        break;
    case PL_SYM_DATABAR:
        take_databar(b, &t, out);
        break;
    case PL_SYM_DATAMATRIX:
    case PL_SYM_AZTEC:
    case PL_SYM_PDF417:
        out->exact = true;
        take_content(&b->content, &t, out);
        break;
    default:
        take_content(&b->content, &t, out);
        break;
    }
    out->data = pl_slice_make(t.ptr, t.len);
    return PL_OK;
}

// What a message of MaxiCode has behind the place where the address is put in: the header of carriers and its year.
static struct pl_slice behind_address(struct pl_slice message)
{
    static const char header[] = "[)>\x1e"
                                 "01\x1d";
    bool has = message.len >= 9 && memcmp(message.ptr, header, sizeof header - 1) == 0;
    return has ? pl_slice_sub(message, 9, message.len) : message;
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

// The longer holds the shorter, and little else: start and stop, check characters, a zero before.
static bool nearly(struct pl_slice a, struct pl_slice b)
{
    enum { MORE = 4 };
    struct pl_slice longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;
    return shorter.len > 0 && longer.len - shorter.len <= MORE &&
           memmem(longer.ptr, longer.len, shorter.ptr, shorter.len);
}

// Letters and digits alone, capitals: what filters, brackets and separators leave as it is.
static struct pl_slice core(struct pl_slice s, uint8_t *room, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < most; i++) {
        uint8_t c = s.ptr[i];
        if (c >= 'a' && c <= 'z')
            c = (uint8_t)(c - 32);
        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'))
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
    uint8_t rooms[3][MOST];
    struct pl_slice is = core(read, rooms[0], MOST), want = core(d->data, rooms[1], MOST);
    struct pl_slice said = core(text, rooms[2], MOST);
    return pl_slice_eq(is, want) || pl_slice_eq(is, said) || nearly(is, want) || nearly(is, said);
}
