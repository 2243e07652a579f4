// Data Matrix: characters to codewords in the six encodations of ISO/IEC 16022, chosen by the look-ahead of annex P.
#include <string.h>

#include "bar/encode/datamatrix_parts.h"
#include "base/fmt.h"

enum {
    LATCH_C40 = 230,
    LATCH_BASE256 = 231,
    FNC1 = 232,
    UPPER_SHIFT = 235,
    LATCH_X12 = 238,
    LATCH_TEXT = 239,
    LATCH_EDIFACT = 240,
    ECI = 241,
    UNLATCH = 254,
    PAD = 129,
    EDIFACT_UNLATCH = 31,
};

struct encoder {
    struct pl_dm_stream *out;
    const uint16_t *chars;
    size_t count, at;
    bool overflow;
    bool forced_ascii; // the next character goes out in ASCII without a look-ahead: its encodation could not hold it
    uint32_t base256_start; // of the length codeword
    // Where the last whole group of C40, Text or X12 ended, to go back to when a group cannot be filled.
    uint32_t group_length;
    size_t group_at;
};

static void put(struct encoder *e, uint32_t word)
{
    if (e->out->length >= PL_DM_MAX_DATA) {
        e->overflow = true;
        return;
    }
    e->out->words[e->out->length++] = (uint8_t)word;
}

static bool is_byte(uint32_t c)
{
    return c < 256;
}

static void put_eci(struct encoder *e, uint32_t number)
{
    put(e, ECI);
    if (number <= 126) {
        put(e, number + 1);
    } else {
        put(e, (number - 127) / 254 + 128);
        put(e, (number - 127) % 254 + 1);
    }
}

static void put_ascii(struct encoder *e, uint32_t c)
{
    if (c >= PL_DM_ECI) {
        put_eci(e, c - PL_DM_ECI);
    } else if (c == PL_DM_FNC1) {
        put(e, FNC1);
    } else if (c >= 128) {
        put(e, UPPER_SHIFT);
        put(e, c - 127);
    } else {
        put(e, c + 1);
    }
}

static uint32_t ascii_length(uint32_t c)
{
    return is_byte(c) && c >= 128 ? 2 : 1;
}

static void latch(struct encoder *e, enum pl_dm_mode mode)
{
    static const uint8_t word[] = {0, LATCH_C40, LATCH_TEXT, LATCH_X12, LATCH_EDIFACT, LATCH_BASE256};
    put(e, word[mode]);
    e->out->mode = mode;
    e->out->value_count = 0;
    e->group_length = e->out->length;
    e->group_at = e->at;
    if (mode == PL_DM_BASE256) {
        e->base256_start = e->out->length;
        put(e, 0); // the length is known later
    }
}

static void step_ascii(struct encoder *e)
{
    uint32_t c = e->chars[e->at];
    bool pair = e->at + 1 < e->count && pl_is_digit(c) && pl_is_digit(e->chars[e->at + 1]);
    if (pair) {
        put(e, 130 + 10 * (c - '0') + e->chars[e->at + 1] - '0');
        e->at += 2;
        e->forced_ascii = false;
        return;
    }
    enum pl_dm_mode mode = PL_DM_ASCII;
    if (!e->forced_ascii && c < PL_DM_ECI)
        mode = pl_dm_look_ahead(e->chars, e->count, e->at, PL_DM_ASCII);
    if (mode != PL_DM_ASCII) {
        latch(e, mode);
        return;
    }
    put_ascii(e, c);
    e->at++;
    e->forced_ascii = false;
}

// C40 and Text: the values of a character below 128; Text is C40 with the cases of letters swapped.
static uint32_t c40_values(uint32_t c, bool text, uint8_t *out)
{
    if (c == ' ') {
        out[0] = 3;
        return 1;
    }
    if (pl_is_digit(c)) {
        out[0] = (uint8_t)(c - '0' + 4);
        return 1;
    }
    bool upper = pl_is_upper(c), lower = pl_is_lower(c);
    if (text ? lower : upper) {
        out[0] = (uint8_t)(c % 32 + 13);
        return 1;
    }
    if (c == PL_DM_FNC1) {
        out[0] = 1;
        out[1] = 27;
    } else if (c < 32) {
        out[0] = 0;
        out[1] = (uint8_t)c;
    } else if (c >= 33 && c <= 47) {
        out[0] = 1;
        out[1] = (uint8_t)(c - 33);
    } else if (c >= 58 && c <= 64) {
        out[0] = 1;
        out[1] = (uint8_t)(c - 58 + 15);
    } else if (c >= 91 && c <= 95) {
        out[0] = 1;
        out[1] = (uint8_t)(c - 91 + 22);
    } else {
        out[0] = 2;
        out[1] = (uint8_t)(upper ? c - 64 : c - 96);
    }
    return 2;
}

static uint8_t x12_value(uint32_t c)
{
    if (c == '\r')
        return 0;
    if (c == '*')
        return 1;
    if (c == '>')
        return 2;
    if (c == ' ')
        return 3;
    return (uint8_t)(pl_is_digit(c) ? c - '0' + 4 : c - 'A' + 14);
}

static bool in_x12(uint32_t c)
{
    return c == '\r' || c == '*' || c == '>' || c == ' ' || pl_is_digit(c) || pl_is_upper(c);
}

static bool in_edifact(uint32_t c)
{
    return c >= 32 && c <= 94;
}

static void put_triplet(struct encoder *e, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t packed = 1600 * a + 40 * b + c + 1;
    put(e, packed >> 8);
    put(e, packed & 255);
}

static void flush_triplets(struct encoder *e)
{
    struct pl_dm_stream *s = e->out;
    while (s->value_count >= 3) {
        put_triplet(e, s->values[0], s->values[1], s->values[2]);
        s->value_count -= 3;
        memmove(s->values, s->values + 3, s->value_count);
    }
    if (s->value_count == 0) {
        e->group_length = s->length;
        e->group_at = e->at;
    }
}

// Back to ASCII in the middle of a group: what the group had begun goes out in ASCII.
static void abandon_group(struct encoder *e)
{
    e->out->length = e->group_length;
    e->out->value_count = 0;
    e->out->mode = PL_DM_ASCII;
    e->forced_ascii = true;
    put(e, UNLATCH);
    size_t end = e->at;
    for (e->at = e->group_at; e->at < end; e->at++)
        put_ascii(e, e->chars[e->at]);
}

// Between groups the look-ahead may find another encodation better: back to ASCII, which is where all begin.
static bool leaves_triplets(struct encoder *e)
{
    struct pl_dm_stream *s = e->out;
    if (s->value_count > 0 || pl_dm_look_ahead(e->chars, e->count, e->at, s->mode) == s->mode)
        return false;
    put(e, UNLATCH);
    s->mode = PL_DM_ASCII;
    return true;
}

static void step_c40(struct encoder *e)
{
    struct pl_dm_stream *s = e->out;
    uint32_t c = e->chars[e->at];
    if (c >= PL_DM_ECI) {
        abandon_group(e);
        return;
    }
    if (leaves_triplets(e))
        return;
    if (is_byte(c) && c >= 128) {
        s->values[s->value_count++] = 1;
        s->values[s->value_count++] = 30;
        c -= 128;
    }
    s->value_count += c40_values(c, s->mode == PL_DM_TEXT, s->values + s->value_count);
    e->at++;
    flush_triplets(e);
}

static void step_x12(struct encoder *e)
{
    struct pl_dm_stream *s = e->out;
    uint32_t c = e->chars[e->at];
    if (!in_x12(c)) {
        abandon_group(e);
        return;
    }
    if (leaves_triplets(e))
        return;
    s->values[s->value_count++] = x12_value(c);
    e->at++;
    flush_triplets(e);
}

// Writes up to four six-bit values into as many codewords as they touch.
static void put_edifact(struct encoder *e, const uint8_t *values, uint32_t count)
{
    uint32_t packed = 0;
    for (uint32_t i = 0; i < 4; i++)
        packed = packed << 6 | (i < count ? values[i] & 63u : 0);
    put(e, packed >> 16);
    if (count > 1)
        put(e, packed >> 8 & 255);
    if (count > 2)
        put(e, packed & 255);
}

static void step_edifact(struct encoder *e)
{
    struct pl_dm_stream *s = e->out;
    uint32_t c = e->chars[e->at];
    bool fits = in_edifact(c);
    // Before the fourth value, where the unlatch still has room in this group.
    if (!fits || (s->value_count == 3 && pl_dm_look_ahead(e->chars, e->count, e->at, s->mode) != s->mode)) {
        s->values[s->value_count++] = EDIFACT_UNLATCH;
        put_edifact(e, s->values, s->value_count);
        s->value_count = 0;
        s->mode = PL_DM_ASCII;
        e->forced_ascii = !fits;
        return;
    }
    s->values[s->value_count++] = (uint8_t)c;
    e->at++;
    if (s->value_count == 4) {
        put_edifact(e, s->values, 4);
        s->value_count = 0;
    }
}

// The length goes before the bytes, in one codeword or two, and all of it is scrambled by position.
static void close_base256(struct encoder *e)
{
    struct pl_dm_stream *s = e->out;
    uint8_t *start = s->words + e->base256_start;
    uint32_t bytes = s->length - e->base256_start - 1;
    if (bytes <= 249) {
        start[0] = (uint8_t)bytes;
    } else {
        memmove(start + 2, start + 1, bytes);
        s->length++;
        start[0] = (uint8_t)(bytes / 250 + 249);
        start[1] = (uint8_t)(bytes % 250);
        if (s->length > PL_DM_MAX_DATA)
            e->overflow = true;
    }
    for (uint32_t i = e->base256_start; i < s->length; i++)
        s->words[i] = (uint8_t)(s->words[i] + 149 * (i + 1) % 255 + 1);
    s->mode = PL_DM_ASCII;
}

static void step_base256(struct encoder *e)
{
    uint32_t c = e->chars[e->at];
    bool fits = is_byte(c);
    if (!fits || pl_dm_look_ahead(e->chars, e->count, e->at, PL_DM_BASE256) != PL_DM_BASE256) {
        close_base256(e);
        e->forced_ascii = !fits;
        return;
    }
    put(e, c);
    e->at++;
}

enum pl_errc pl_dm_encode_chars(const uint16_t *chars, size_t count, struct pl_dm_stream *stream, struct pl_error *err)
{
    struct encoder e = {.out = stream, .chars = chars, .count = count};
    stream->mode = PL_DM_ASCII;
    stream->value_count = 0;
    while (e.at < count && !e.overflow) {
        switch (stream->mode) {
        case PL_DM_ASCII:
            step_ascii(&e);
            break;
        case PL_DM_C40:
        case PL_DM_TEXT:
            step_c40(&e);
            break;
        case PL_DM_X12:
            step_x12(&e);
            break;
        case PL_DM_EDIFACT:
            step_edifact(&e);
            break;
        case PL_DM_BASE256:
            step_base256(&e);
            break;
        }
    }
    if (stream->mode == PL_DM_BASE256)
        close_base256(&e);
    if (e.overflow)
        return pl_fail(err, PL_E_INVALID, "the data is longer than the largest Data Matrix symbol holds");
    stream->last[0] = count > 1 ? chars[count - 2] : 0;
    stream->last[1] = count > 0 ? chars[count - 1] : 0;
    return PL_OK;
}

uint32_t pl_dm_tail_need(const struct pl_dm_stream *s)
{
    if (s->value_count == 0)
        return 0;
    if (s->mode == PL_DM_EDIFACT)
        return s->value_count;
    // Only one codeword at the end is read as ASCII without being told: a character of two needs the unlatch too.
    if (s->value_count == 1)
        return ascii_length(s->last[1]) == 1 ? 1 : 3;
    return s->mode == PL_DM_X12 ? 3 : 2;
}

// Do the two values that wait belong to one character? C40 and Text alone.
static bool is_one_character(const struct pl_dm_stream *s)
{
    uint8_t values[2];
    return s->last[1] >= 128 || c40_values(s->last[1], s->mode == PL_DM_TEXT, values) == 2;
}

// Codewords of the characters that two waiting values belong to.
static uint32_t two_values_in_ascii(const struct pl_dm_stream *s)
{
    return ascii_length(s->last[1]) + (is_one_character(s) ? 0 : ascii_length(s->last[0]));
}

// C40, Text and X12 end with an unlatch and the characters that no triplet holds.
static void end_triplets(struct encoder *e, uint32_t left, bool tail_in_ascii)
{
    struct pl_dm_stream *s = e->out;
    if (s->value_count == 2 && s->mode != PL_DM_X12 && (!tail_in_ascii || left < 1 + two_values_in_ascii(s))) {
        put_triplet(e, s->values[0], s->values[1], 0);
        left -= 2;
        s->value_count = 0;
    }
    // The unlatch is left out where nothing follows, or just the one codeword of the last character.
    if (left > (s->value_count == 1 ? 1 : 0))
        put(e, UNLATCH);
    if (s->value_count == 2 && (s->mode == PL_DM_X12 || !is_one_character(s)))
        put_ascii(e, s->last[0]);
    if (s->value_count >= 1)
        put_ascii(e, s->last[1]);
}

static void end_edifact(struct encoder *e, uint32_t left)
{
    struct pl_dm_stream *s = e->out;
    if (left > 2) {
        s->values[s->value_count++] = EDIFACT_UNLATCH;
        put_edifact(e, s->values, s->value_count);
        return;
    }
    // One or two codewords at the end are ASCII without an unlatch.
    if (s->value_count == 2)
        put_ascii(e, s->last[0]);
    if (s->value_count >= 1)
        put_ascii(e, s->last[1]);
}

void pl_dm_finish(struct pl_dm_stream *s, uint32_t capacity, bool tail_in_ascii)
{
    struct encoder e = {.out = s};
    uint32_t left = capacity - s->length;
    switch (s->mode) {
    case PL_DM_ASCII:
    case PL_DM_BASE256:
        break;
    case PL_DM_C40:
    case PL_DM_TEXT:
    case PL_DM_X12:
        end_triplets(&e, left, tail_in_ascii);
        break;
    case PL_DM_EDIFACT:
        end_edifact(&e, left);
        break;
    }
    for (bool first = true; s->length < capacity; first = false) {
        uint32_t word = PAD;
        if (!first) {
            word += 149 * (s->length + 1) % 253 + 1;
            word -= word > 254 ? 254 : 0;
        }
        put(&e, word);
    }
}
