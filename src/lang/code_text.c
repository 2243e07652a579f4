// Full ASCII of Code 39 and Code 93, element strings of GS1, check digits.
#include "lang/code_text.h"

#include "base/ckd.h"
#include "base/fmt.h"

// Characters beyond the 43 are a shift ($ % / +) and a letter.
static bool ascii_pair(uint8_t c, char *shift, char *letter)
{
    static const struct {
        uint8_t from, to;
        char shift, first;
    } RANGES[] = {{0, 0, '%', 'U'},     {1, 26, '$', 'A'},    {27, 31, '%', 'A'},   {'!', ',', '/', 'A'},
                  {'/', '/', '/', 'O'}, {':', ':', '/', 'Z'}, {';', '?', '%', 'F'}, {'@', '@', '%', 'V'},
                  {'[', '_', '%', 'K'}, {'`', '`', '%', 'W'}, {'a', 'z', '+', 'A'}, {'{', '~', '%', 'P'},
                  {127, 127, '%', 'T'}};
    for (size_t i = 0; i < PL_COUNTOF(RANGES); i++)
        if (c >= RANGES[i].from && c <= RANGES[i].to) {
            *shift = RANGES[i].shift;
            *letter = (char)(RANGES[i].first + (c - RANGES[i].from));
            return true;
        }
    return false;
}

static bool is_plain39(uint8_t c)
{
    return pl_is_digit(c) || pl_is_upper(c) || (c && strchr("-. $/+%", c));
}

static bool all_plain39(struct pl_slice data)
{
    for (size_t i = 0; i < data.len; i++)
        if (!is_plain39(data.ptr[i]))
            return false;
    return true;
}

bool pl_full_ascii_39(struct pl_arena *arena, struct pl_slice data, struct pl_content *out)
{
    *out = pl_content_of(data);
    if (all_plain39(data))
        return true;
    uint8_t *text = PL_ARENA_ARRAY(arena, uint8_t, data.len * 2);
    if (!text)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < data.len; i++) {
        char shift, letter;
        if (ascii_pair(data.ptr[i], &shift, &letter)) {
            text[n++] = (uint8_t)shift;
            text[n++] = (uint8_t)letter;
        } else {
            text[n++] = data.ptr[i];
        }
    }
    *out = pl_content_of(pl_slice_make(text, n));
    return true;
}

bool pl_full_ascii_93(struct pl_arena *arena, struct pl_slice data, struct pl_content *out)
{
    static const char SHIFTS[] = "$%/+";
    *out = pl_content_of(data);
    if (all_plain39(data))
        return true;
    uint32_t *codes = PL_ARENA_ARRAY(arena, uint32_t, data.len * 2);
    if (!codes)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < data.len; i++) {
        char shift, letter;
        if (!is_plain39(data.ptr[i]) && ascii_pair(data.ptr[i], &shift, &letter)) {
            codes[n++] = PL_MARK_SHIFT + (uint32_t)(strchr(SHIFTS, shift) - SHIFTS);
            codes[n++] = (uint32_t)letter;
        } else {
            codes[n++] = data.ptr[i];
        }
    }
    *out = (struct pl_content){.codes = codes, .count = n};
    return true;
}

// Identifiers whose data has a fixed length need no separator behind it.
static bool has_fixed_length(struct pl_slice identifier)
{
    static const char FIXED[] = "00010203041112131415161718192031323334353641";
    for (size_t i = 0; identifier.len >= 2 && i + 1 < sizeof FIXED; i += 2)
        if (memcmp(FIXED + i, identifier.ptr, 2) == 0)
            return true;
    return false;
}

bool pl_gs1_elements(struct pl_arena *arena, struct pl_slice data, struct pl_content *out)
{
    *out = pl_content_of(data);
    if (data.len == 0 || data.ptr[0] != '(')
        return true;
    uint32_t *codes = PL_ARENA_ARRAY(arena, uint32_t, data.len);
    if (!codes)
        return false;
    size_t n = 0;
    bool fixed = true;
    for (size_t i = 0; i < data.len; i++) {
        uint8_t c = data.ptr[i];
        if (c == '(') {
            if (!fixed)
                codes[n++] = PL_MARK_FNC1;
            fixed = has_fixed_length(pl_slice_sub(data, i + 1, 2));
        } else if (c != ')') {
            codes[n++] = c;
        }
    }
    *out = (struct pl_content){.codes = codes, .count = n};
    return true;
}

char pl_check_digit(struct pl_slice data, uint32_t last, uint32_t before)
{
    uint32_t sum = 0, weight = last;
    for (size_t i = data.len; i-- > 0;) {
        if (!pl_is_digit(data.ptr[i]))
            continue;
        sum += (uint32_t)(data.ptr[i] - '0') * weight;
        weight = last + before - weight;
    }
    return (char)('0' + (10 - sum % 10) % 10);
}

static bool mode_holds(enum pl_qr_mode mode, struct pl_slice data)
{
    for (size_t i = 0; i < data.len; i++) {
        uint8_t c = data.ptr[i];
        bool digit = pl_is_digit(c), sign = pl_is_upper(c) || (c && strchr(" $%*+-./:", c));
        if ((mode == PL_QR_NUMERIC && !digit) || (mode == PL_QR_ALNUM && !digit && !sign))
            return false;
    }
    return mode != PL_QR_KANJI || data.len % 2 == 0;
}

bool pl_qr_whole(struct pl_arena *arena, struct pl_slice data, struct pl_barcode *b)
{
    struct pl_qr_segment *one = PL_ARENA_NEW(arena, struct pl_qr_segment);
    if (!one)
        return false;
    *one = (struct pl_qr_segment){.mode = PL_QR_BYTE, .automatic = true, .data = data};
    b->qr.segments = one;
    b->qr.segment_count = 1;
    return true;
}

bool pl_qr_segments(struct pl_arena *arena, struct pl_slice data, uint8_t between, struct pl_barcode *b, pl_qr_odd *odd,
                    void *user, const void *command)
{
    enum { SEGMENTS = 200 };
    static const char LETTERS[] = "NABK"; // as enum pl_qr_mode
    struct pl_qr_segment *list = PL_ARENA_ARRAY(arena, struct pl_qr_segment, SEGMENTS);
    if (!list)
        return false;
    uint32_t n = 0;
    for (size_t at = 0; at < data.len && n < SEGMENTS;) {
        const char *letter = data.ptr[at] ? strchr(LETTERS, data.ptr[at]) : NULL;
        struct pl_slice rest = pl_slice_sub(data, at + (letter != NULL), data.len);
        const uint8_t *mark = rest.len ? memchr(rest.ptr, between, rest.len) : NULL;
        size_t used = mark ? (size_t)(mark - rest.ptr) : rest.len, head = 0;
        struct pl_qr_segment *s = &list[n];
        *s =
            (struct pl_qr_segment){.mode = letter ? (enum pl_qr_mode)(letter - LETTERS) : PL_QR_BYTE, .declared = true};
        uint64_t count;
        if (letter && *letter == 'B' && rest.len >= 4 && pl_parse_u64(pl_slice_sub(rest, 0, 4), &count)) {
            head = 4;
            used = 4 + (size_t)PL_MIN(count, rest.len - 4);
        }
        s->data = pl_slice_sub(rest, head, used - head);
        if (!letter || !mode_holds(s->mode, s->data)) {
            odd(user, command, letter ? *letter : 0);
            s->mode = PL_QR_BYTE; // programs write A before any data, and printers print it
        }
        n += s->data.len > 0;
        at += (letter != NULL) + used + 1;
    }
    b->qr.segments = list;
    b->qr.segment_count = n;
    return true;
}

bool pl_aztec_set_size(struct pl_barcode *b, int32_t size)
{
    if (size >= 1 && size <= 99)
        b->aztec.percent = (uint32_t)size;
    else if (size >= 101 && size <= 104) {
        b->aztec.layers = (uint32_t)size - 100;
        b->aztec.compact = true;
    } else if (size >= 201 && size <= 232)
        b->aztec.layers = (uint32_t)size - 200;
    b->aztec.rune = size == 300;
    return size == 0 || b->aztec.percent || b->aztec.layers || b->aztec.rune;
}

int32_t pl_supplement_place(enum pl_symbology symbology)
{
    enum { GAP = 9 };
    return GAP + (symbology == PL_SYM_EAN8 ? 67 : symbology == PL_SYM_UPCE ? 51 : 95);
}
