// Aztec (ISO/IEC 24778): headers, size, bit stuffing, check words, mode message, runes.
#include "bar/encode/aztec.h"

#include "bar/encode/aztec_parts.h"
#include "bar/encode/reed_solomon.h"
#include "base/ckd.h"

enum { DEFAULT_PERCENT = 23, MIN_CHECKS = 3, COMPACT_SIZES = 4, FULL_SIZES = 32 };

struct plan {
    struct pl_aztec_shape shape;
    uint32_t word_bits;
    uint32_t words;      // data and checks
    uint32_t data_words; // most that leave room for the checks asked for
};

static uint32_t word_bits(struct pl_aztec_shape shape)
{
    return shape.layers <= 2 ? 6 : shape.layers <= 8 ? 8 : shape.layers <= 22 ? 10 : 12;
}

static uint32_t total_bits(struct pl_aztec_shape shape)
{
    return ((shape.compact ? 88 : 112) + 16 * shape.layers) * shape.layers;
}

// How many words are for checks.
struct checks {
    uint32_t percent; // of all bits; 0: as few as can be
    uint32_t extra;   // words more
    bool up;          // rounded up to whole words; otherwise down, and MIN_CHECKS at least
};

static struct plan make_plan(struct pl_aztec_shape shape, struct checks wanted)
{
    struct plan p = {.shape = shape, .word_bits = word_bits(shape)};
    uint32_t bits = total_bits(shape), hundredths = 100 * p.word_bits;
    p.words = bits / p.word_bits;
    uint32_t checks = wanted.up ? (bits * wanted.percent + hundredths - 1) / hundredths
                                : PL_MAX(bits * wanted.percent / hundredths + wanted.extra, (uint32_t)MIN_CHECKS);
    p.data_words = p.words > checks ? p.words - checks : 0;
    if (shape.compact)
        p.data_words = PL_MIN(p.data_words, 64u); // the mode message counts no further
    return p;
}

// `width` bits (up to 12) from `at` on; behind the message are ones.
static uint32_t bits_at(const struct pl_aztec_bits *message, uint32_t at, uint32_t width)
{
    const uint8_t *bytes = message->bytes + at / 8;
    uint32_t window = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
    uint32_t value = window >> (24 - at % 8 - width) & ((1u << width) - 1);
    if (at + width > message->count) {
        uint32_t missing = PL_MIN(at + width - message->count, width);
        value |= (1u << missing) - 1;
    }
    return value;
}

// Cuts the message into words; a word whose first bits are all alike gets an opposite last bit (8.4 of the standard).
// Returns the number of words, or limit + 1 if there are more.
static uint32_t stuff(const struct pl_aztec_bits *message, uint32_t bits, uint32_t limit, uint16_t *words)
{
    uint32_t count = 0, ones = (1u << bits) - 1;
    for (uint32_t at = 0; at < message->count; count++) {
        if (count == limit)
            return limit + 1;
        uint32_t word = bits_at(message, at, bits);
        at += bits;
        if (word <= 1) {
            word = 1;
            at--;
        } else if (word >= ones - 1) {
            word = ones - 1;
            at--;
        }
        words[count] = (uint16_t)word;
    }
    return count;
}

// The smallest symbol, or the one asked for, that holds the message; false if there is none.
static bool choose(const struct pl_aztec_bits *message, const struct pl_aztec_options *options, struct plan *plan,
                   uint16_t *words, uint32_t *count)
{
    uint32_t first = 0, last = COMPACT_SIZES + FULL_SIZES - 1;
    struct checks checks = {0};
    if (options->layers > (options->compact ? COMPACT_SIZES : FULL_SIZES))
        return false;
    if (options->layers > 0) {
        first = last = options->layers - 1 + (options->compact ? 0 : COMPACT_SIZES);
    } else {
        bool given = options->percent >= 1 && options->percent <= 99;
        checks = given ? (struct checks){options->percent, 0, options->percent_rounds_up}
                       : (struct checks){DEFAULT_PERCENT, 3, false};
    }
    for (uint32_t i = first; i <= last; i++) {
        bool compact = i < COMPACT_SIZES;
        struct pl_aztec_shape shape = {.compact = compact, .layers = compact ? i + 1 : i - COMPACT_SIZES + 1};
        // A reader's set-up is told by a bit of the word count that these sizes do not need.
        if (options->reader_init && shape.layers > (shape.compact ? 1 : 22))
            continue;
        *plan = make_plan(shape, checks);
        if (message->count > plan->data_words * plan->word_bits)
            continue;
        *count = stuff(message, plan->word_bits, plan->data_words, words);
        if (*count <= plan->data_words)
            return true;
    }
    return false;
}

static enum pl_errc add_checks(uint32_t bits, uint16_t *words, uint32_t data, uint32_t total, struct pl_arena *arena,
                               struct pl_error *err)
{
    static const uint16_t polynomial[] = {[4] = 0x13, [6] = 0x43, [8] = 0x12D, [10] = 0x409, [12] = 0x1069};
    const struct pl_rs *rs = pl_rs_new(arena, bits, polynomial[bits], 1, total - data);
    if (rs == NULL)
        return pl_fail_memory(err);
    pl_rs_encode(rs, words, data);
    return PL_OK;
}

// Layers and number of data words, with their own checks, round the core.
static enum pl_errc put_mode(const struct plan *plan, uint32_t data_words, bool reader_init, struct pl_arena *arena,
                             struct pl_aztec_bits *bits, struct pl_error *err)
{
    bool compact = plan->shape.compact;
    uint32_t length_bits = compact ? 6 : 11;
    uint32_t value = (plan->shape.layers - 1) << length_bits | (data_words - 1);
    if (reader_init)
        value |= 1u << (length_bits - 1);
    uint16_t words[10];
    uint32_t data = compact ? 2 : 4, total = compact ? 7 : 10;
    for (uint32_t i = 0; i < data; i++)
        words[i] = value >> (4 * (data - 1 - i)) & 15;
    PL_TRY(add_checks(4, words, data, total, arena, err));
    for (uint32_t i = 0; i < total; i++)
        pl_aztec_put(bits, words[i], 4);
    return PL_OK;
}

static enum pl_errc encode_rune(const struct pl_content *content, struct pl_arena *arena, struct pl_bitmap *modules,
                                struct pl_error *err)
{
    uint32_t value = 0;
    for (size_t i = 0; i < pl_content_length(content); i++) {
        uint32_t digit = pl_content_at(content, i);
        if (digit < '0' || digit > '9' || value > 255)
            return pl_fail(err, PL_E_INVALID, "an Aztec rune holds a number from 0 to 255");
        value = 10 * value + digit - '0';
    }
    if (value > 255)
        return pl_fail(err, PL_E_INVALID, "an Aztec rune holds a number from 0 to 255");
    uint16_t words[7] = {(uint16_t)(value >> 4), value & 15};
    PL_TRY(add_checks(4, words, 2, 7, arena, err));
    uint8_t bytes[4 + 2] = {0};
    struct pl_aztec_bits mode = {.bytes = bytes, .capacity = 28};
    for (int i = 0; i < 7; i++)
        pl_aztec_put(&mode, words[i] ^ 10u, 4); // every other bit turned: what tells a rune from a symbol
    struct pl_aztec_shape shape = {.compact = true};
    PL_TRY(pl_bitmap_new(arena, 11, 11, modules, err));
    pl_aztec_draw(shape, &mode, NULL, modules);
    return PL_OK;
}

// Structured append: latches that no message begins with, then the name between spaces, then place and count as
// letters.
static size_t put_append_header(const struct pl_aztec_options *options, struct pl_aztec_bits *bits, uint32_t *out)
{
    size_t count = 0;
    if (options->append_count < 2 || options->append_count > 26)
        return 0;
    pl_aztec_put(bits, 29, 5); // to mixed
    pl_aztec_put(bits, 29, 5); // and back to upper case
    struct pl_slice id = pl_slice_sub(options->append_id, 0, 24);
    if (id.len > 0) {
        out[count++] = ' ';
        for (size_t i = 0; i < id.len; i++)
            if (id.ptr[i] != ' ')
                out[count++] = id.ptr[i];
        out[count++] = ' ';
    }
    uint32_t index = PL_MIN(PL_MAX(options->append_index, 1u), options->append_count);
    out[count++] = 'A' + index - 1;
    out[count++] = 'A' + options->append_count - 1;
    return count;
}

// All words as one string of bits; what is left of the layers stands before them.
static enum pl_errc join(const struct plan *plan, const uint16_t *words, struct pl_arena *arena,
                         struct pl_aztec_bits *out, struct pl_error *err)
{
    uint32_t bits = total_bits(plan->shape);
    *out = (struct pl_aztec_bits){.bytes = pl_arena_zalloc(arena, bits / 8 + 3, 1), .capacity = bits};
    if (out->bytes == NULL)
        return pl_fail_memory(err);
    out->count = bits % plan->word_bits;
    for (uint32_t i = 0; i < plan->words; i++)
        pl_aztec_put(out, words[i], plan->word_bits);
    return PL_OK;
}

enum pl_errc pl_aztec_encode(struct pl_content content, const struct pl_aztec_options *options, struct pl_arena *arena,
                             struct pl_bitmap *modules, struct pl_error *err)
{
    size_t length = pl_content_length(&content);
    if (length == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for an Aztec symbol");
    if (length > PL_AZTEC_MAX_CHARS)
        return pl_fail(err, PL_E_INVALID, "the data is longer than the largest Aztec symbol holds");
    uint32_t *chars = PL_ARENA_ARRAY(arena, uint32_t, length + 32);
    uint16_t *words = PL_ARENA_ARRAY(arena, uint16_t, PL_RS_MAX_SYMBOLS);
    struct pl_aztec_bits message = {.bytes = pl_arena_zalloc(arena, PL_AZTEC_MAX_BITS / 8 + 4, 1),
                                    .capacity = PL_AZTEC_MAX_BITS};
    if (chars == NULL || words == NULL || message.bytes == NULL)
        return pl_fail_memory(err);
    if (options->rune)
        return encode_rune(&content, arena, modules, err);

    size_t count = put_append_header(options, &message, chars);
    for (size_t i = 0; i < length; i++) {
        uint32_t code = pl_content_at(&content, i);
        if (code > 0xFF && pl_mark_kind(code) != PL_MARK_ECI)
            return pl_fail(err, PL_E_INVALID, "an Aztec symbol has no marks but those for character sets");
        chars[count++] = code;
    }
    PL_TRY(pl_aztec_put_message(chars, count, arena, &message, err));
    struct plan plan;
    uint32_t data_words = 0;
    if (message.overflow || !choose(&message, options, &plan, words, &data_words))
        return pl_fail(err, PL_E_INVALID, "the data does not fit into an Aztec symbol of the size asked for");
    PL_TRY(add_checks(plan.word_bits, words, data_words, plan.words, arena, err));

    uint8_t mode_bytes[5 + 2] = {0};
    struct pl_aztec_bits mode = {.bytes = mode_bytes, .capacity = 40}, layers;
    PL_TRY(put_mode(&plan, data_words, options->reader_init, arena, &mode, err));
    PL_TRY(join(&plan, words, arena, &layers, err));
    uint32_t side = pl_aztec_side(plan.shape);
    PL_TRY(pl_bitmap_new(arena, side, side, modules, err));
    pl_aztec_draw(plan.shape, &mode, &layers, modules);
    return PL_OK;
}
