// Structured append of PDF417 and MicroPDF417 (ISO/IEC 15438, annex on Macro PDF417): one text over several symbols.
#include "bar/encode/pdf417.h"
#include "bar/encode/pdf417_parts.h"

#include "base/ckd.h"

enum {
    CONTROL_BLOCK = 928,
    OPTIONAL_FIELD = 923,
    SEGMENT_COUNT = 1, // which optional field
    TERMINATOR = 922,
    CONTROL_WORDS = 11, // of the last symbol, which has one more than the others
    MAX_SYMBOLS = 60,   // of a series
    LEAST_DIGITS = 8,   // of a numeric block in a series, where the rules name a number (measured on a printer)
};

// The file's name, the same in all symbols of a series; this one is what printers use.
static const uint16_t file_id[3] = {0, 0, 36};

static enum pl_errc compact(struct pl_slice data, bool micro, struct pl_arena *arena, struct pl_pdf_words *out,
                            struct pl_error *err)
{
    out->length = 0;
    out->overflow = false;
    return pl_pdf_compact(data, micro, arena, out, err);
}

// The longest beginning of the data whose codewords do not pass the capacity of `out`, which then holds them.
static enum pl_errc take_part(struct pl_slice data, bool micro, struct pl_arena *arena, struct pl_pdf_words *out,
                              size_t *taken, struct pl_error *err)
{
    enum { BEYOND = 8 }; // a few more characters can need fewer codewords
    size_t fits = 0, too_many = PL_MIN(data.len, 3u * PL_PDF_MAX_WORDS) + 1;
    while (too_many - fits > 1) {
        size_t middle = fits + (too_many - fits) / 2;
        PL_TRY(compact(pl_slice_sub(data, 0, middle), micro, arena, out, err));
        if (out->overflow)
            too_many = middle;
        else
            fits = middle;
    }
    for (size_t length = fits + 1; length <= fits + BEYOND && length <= data.len; length++) {
        PL_TRY(compact(pl_slice_sub(data, 0, length), micro, arena, out, err));
        if (!out->overflow)
            fits = length;
    }
    *taken = fits;
    return compact(pl_slice_sub(data, 0, fits), micro, arena, out, err);
}

// A number below 100000 in numeric compaction: '1' and its five digits in base 900.
static uint16_t *put_number(uint16_t *at, uint32_t number)
{
    *at++ = (uint16_t)((100000 + number) / 900);
    *at++ = (uint16_t)((100000 + number) % 900);
    return at;
}

static void put_control(uint16_t *at, uint32_t index, uint32_t count)
{
    *at++ = CONTROL_BLOCK;
    at = put_number(at, index);
    for (int i = 0; i < 3; i++)
        *at++ = file_id[i];
    *at++ = OPTIONAL_FIELD;
    *at++ = SEGMENT_COUNT;
    at = put_number(at, count);
    if (index + 1 == count)
        *at = TERMINATOR;
}

struct part {
    uint16_t *words;
    uint32_t length;
};

// Cuts the text into the symbols' parts.
static enum pl_errc split(struct pl_slice data, bool micro, struct pl_pdf_rules rules, uint32_t capacity, uint32_t most,
                          struct pl_arena *arena, struct part *parts, uint32_t *count, struct pl_error *err)
{
    *count = 0;
    while (data.len > 0) {
        struct pl_pdf_words out = {
            .words = PL_ARENA_ARRAY(arena, uint16_t, PL_PDF_MAX_WORDS + 1), .capacity = capacity, .rules = rules};
        if (out.words == NULL)
            return pl_fail_memory(err);
        size_t taken = 0;
        PL_TRY(take_part(data, micro, arena, &out, &taken, err));
        if (taken == 0 || *count == most)
            return pl_fail(err, PL_E_INVALID, "the data needs more symbols than there are places for");
        parts[(*count)++] = (struct part){out.words, out.length};
        data = pl_slice_sub(data, taken, data.len);
    }
    return PL_OK;
}

static enum pl_errc encode_series(struct pl_slice data, const struct pl_pdf_shape *shape, struct pl_pdf_rules rules,
                                  uint32_t most, struct pl_arena *arena, struct pl_bitmap *modules, uint32_t *count,
                                  struct pl_error *err)
{
    uint32_t capacity = shape->rows * shape->columns - shape->checks, lead = shape->micro ? 0 : 1;
    if (capacity <= CONTROL_WORDS + lead)
        return pl_fail(err, PL_E_INVALID, "symbols of this size have no room for structured append");
    struct part parts[MAX_SYMBOLS];
    PL_TRY(split(data, shape->micro, rules, capacity - CONTROL_WORDS - lead, PL_MIN(most, (uint32_t)MAX_SYMBOLS), arena,
                 parts, count, err));
    for (uint32_t i = 0; i < *count; i++) {
        uint16_t words[PL_PDF_MAX_WORDS + 1];
        uint32_t control = i + 1 == *count ? CONTROL_WORDS : CONTROL_WORDS - 1, length = lead;
        words[0] = (uint16_t)capacity;
        for (uint32_t k = 0; k < parts[i].length; k++)
            words[length++] = parts[i].words[k];
        pl_micropdf417_pad(shape, shape->micro && rules.pads_in_turn, words + length, capacity - control - length);
        put_control(words + capacity - control, i, *count);
        if (shape->micro)
            PL_TRY(pl_micropdf417_draw(shape, words, arena, &modules[i], err));
        else
            PL_TRY(pl_pdf417_draw(shape, words, arena, &modules[i], err));
    }
    return PL_OK;
}

static struct pl_pdf_rules rules_of_series(struct pl_pdf_rules rules)
{
    rules.least_digits = (uint8_t)PL_MIN(rules.least_digits, LEAST_DIGITS);
    return rules;
}

enum pl_errc pl_pdf417_encode_series(struct pl_slice data, const struct pl_pdf417_options *options, uint32_t most,
                                     struct pl_arena *arena, struct pl_bitmap *modules, uint32_t *count,
                                     struct pl_error *err)
{
    if (data.len == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for a PDF417 symbol");
    // With a free size all goes into one symbol if that is possible, else the largest are filled.
    uint16_t words[PL_PDF_MAX_WORDS];
    uint32_t room = PL_PDF_MAX_WORDS - (2u << PL_MIN(options->security, 8u)) - CONTROL_WORDS;
    struct pl_pdf_rules rules = rules_of_series(options->rules);
    struct pl_pdf_words out = {.words = words, .length = 1, .capacity = room, .rules = rules};
    PL_TRY(pl_pdf_compact(data, false, arena, &out, err));
    bool fixed = options->columns != 0 && options->rows != 0;
    struct pl_pdf_shape shape;
    uint32_t need = fixed ? 0 : (out.overflow ? room : out.length) + CONTROL_WORDS;
    if (!pl_pdf417_shape(options, need, &shape)) {
        // The columns asked for and as many rows as there can be.
        struct pl_pdf417_options largest = *options;
        if (largest.columns == 0)
            largest.columns = largest.rows != 0 ? PL_MIN(30u, PL_PDF_MAX_WORDS / largest.rows) : 16;
        if (largest.rows == 0)
            largest.rows = PL_MIN(90u, PL_PDF_MAX_WORDS / PL_MAX(largest.columns, 1u));
        if (!pl_pdf417_shape(&largest, 0, &shape))
            return pl_fail(err, PL_E_INVALID, "there is no PDF417 symbol of the size asked for");
    }
    return encode_series(data, &shape, rules, most, arena, modules, count, err);
}

enum pl_errc pl_micropdf417_encode_series(struct pl_slice data, const struct pl_micropdf417_options *options,
                                          uint32_t most, struct pl_arena *arena, struct pl_bitmap *modules,
                                          uint32_t *count, struct pl_error *err)
{
    if (data.len == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for a MicroPDF417 symbol");
    struct pl_pdf_shape shape;
    if (options->size < 0 || !pl_micropdf417_shape(options, 0, &shape))
        return pl_fail(err, PL_E_INVALID, "there is no MicroPDF417 symbol of the size asked for");
    return encode_series(data, &shape, options->rules, most, arena, modules, count, err);
}
