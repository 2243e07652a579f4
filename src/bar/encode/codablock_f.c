// CODABLOCK E and F: rows of Code 128 with subset, row indicator and check of each row, and two checks of the block.
#include "bar/encode/codablock_parts.h"
#include "bar/encode/code128.h"
#include "base/ckd.h"
#include "base/fmt.h"

enum {
    MIN_COLUMNS = 4,
    MIN_ROWS = 2,
    MAX_ROWS = 44,
    CHECKS = 2,
    MAX_CHARS = 2 * PL_CODABLOCK_MAX_COLUMNS * MAX_ROWS, // pairs of digits
    FNC1 = 102,
    FNC2 = 97,
    FNC3 = 96,
    CODE_C = 99,
    CODE_B = 100, // FNC4 in subset B
    CODE_A = 101, // FNC4 in subset A
    SELECT_A = 98,
    START_A = 103,
    STOP = 106,
};

enum set { SET_A, SET_B, SET_C };

struct row {
    uint8_t values[PL_CODABLOCK_MAX_COLUMNS];
    uint32_t count;
    enum set first, set;
};

struct writer {
    const uint8_t *data; // as the checks see it: FNC1 to FNC4 are 128 to 131
    uint32_t length, at;
    uint32_t digits_end; // of the run of digits looked at last
    uint32_t columns;
    struct row rows[MAX_ROWS];
    uint32_t row_count;
};

// How many digits come next. The end of a run is remembered: looking for it anew at each digit would take too long.
static uint32_t digits_ahead(struct writer *w)
{
    if (w->at >= w->digits_end) {
        w->digits_end = w->at;
        while (w->digits_end < w->length && pl_is_digit(w->data[w->digits_end]))
            w->digits_end++;
    }
    return w->digits_end - w->at;
}

// Row indicators and checks in subsets A and B, where a value stands for a character of the data.
static uint32_t number_value(uint32_t number, enum set set)
{
    if (set == SET_C)
        return number;
    return number < 32 ? number + 64 : number < 48 ? number - 32 : number - 22;
}

static enum set set_for(uint32_t c, enum set set)
{
    if (c < 32)
        return SET_A;
    if (c >= 96 && c < 128)
        return SET_B;
    return set == SET_C ? SET_B : set;
}

static uint32_t char_value(uint32_t c, enum set set)
{
    switch (c) {
    case 128:
        return FNC1;
    case 129:
        return FNC2;
    case 130:
        return FNC3;
    case 131:
        return set == SET_A ? CODE_A : CODE_B;
    default:
        return c < 32 ? c + 64 : c - 32;
    }
}

static uint32_t latch_value(enum set set)
{
    return set == SET_A ? CODE_A : set == SET_B ? CODE_B : CODE_C;
}

// Puts what comes next into the row: a pair of digits, a character, or a change of subset with what it is for. False if
// there is no room for it.
static bool put_next(struct writer *w, struct row *row)
{
    uint32_t room = w->columns - row->count, c = w->data[w->at], digits = digits_ahead(w);
    if (row->set == SET_C && (digits >= 2 || c == 128)) {
        if (room < 1)
            return false;
        row->values[row->count++] = (uint8_t)(c == 128 ? FNC1 : 10 * (c - '0') + w->data[w->at + 1] - '0');
        w->at += c == 128 ? 1 : 2;
        return true;
    }
    // Four digits pay for the change to pairs; of an odd number the first stays as it is.
    if (row->set != SET_C && digits >= 4 && digits % 2 == 0 && room >= 3) {
        row->values[row->count++] = CODE_C;
        row->set = SET_C;
        return true;
    }
    enum set set = set_for(c, row->set);
    if (room < (set == row->set ? 1u : 2u))
        return false;
    if (set != row->set)
        row->values[row->count++] = (uint8_t)latch_value(set);
    row->set = set;
    row->values[row->count++] = (uint8_t)char_value(c, set);
    w->at++;
    return true;
}

static void fill(struct row *row, uint32_t until)
{
    while (row->count < until) { // changes of subset without characters in them
        row->set = row->set == SET_C ? SET_B : SET_C;
        row->values[row->count++] = (uint8_t)latch_value(row->set);
    }
}

// False if the rows do not hold the data.
static bool put_rows(struct writer *w, uint32_t most)
{
    w->at = w->row_count = w->digits_end = 0;
    for (;;) {
        if (w->row_count == most)
            return false;
        struct row *row = &w->rows[w->row_count++];
        row->count = 0;
        row->set = digits_ahead(w) >= 4 ? SET_C : set_for(w->at < w->length ? w->data[w->at] : 'A', SET_B);
        row->first = row->set;
        while (w->at < w->length && put_next(w, row))
            ;
        if (w->at == w->length && w->row_count >= MIN_ROWS && row->count + CHECKS <= w->columns) {
            fill(row, w->columns - CHECKS);
            return true;
        }
        fill(row, w->columns);
    }
}

static void put_checks(struct writer *w)
{
    uint32_t first = 0, second = 0;
    for (uint32_t i = 0; i < w->length; i++) {
        first = (first + (i + 1) * w->data[i]) % 86;
        second = (second + i * w->data[i]) % 86;
    }
    struct row *row = &w->rows[w->row_count - 1];
    row->values[row->count++] = (uint8_t)number_value(first, row->set);
    row->values[row->count++] = (uint8_t)number_value(second, row->set);
}

// Widths of the elements from the modules of a pattern.
static uint8_t *put_widths(uint8_t *at, uint32_t value)
{
    uint32_t modules = value == STOP ? 13 : 11, pattern = pl_code128_pattern(value), width = 0;
    for (uint32_t i = modules; i-- > 0;) {
        width++;
        if (i == 0 || (pattern >> i & 1) != (pattern >> (i - 1) & 1)) {
            *at++ = (uint8_t)width;
            width = 0;
        }
    }
    return at;
}

static enum pl_errc draw(const struct writer *w, struct pl_arena *arena, struct pl_codablock *out, struct pl_error *err)
{
    uint32_t count = 6 * (w->columns + 4) + 7;
    uint8_t *widths = PL_ARENA_ARRAY(arena, uint8_t, (size_t)w->row_count * count);
    if (widths == NULL)
        return pl_fail_memory(err);
    *out = (struct pl_codablock){
        .rows = w->row_count, .elements = count, .start_elements = 6, .stop_elements = 7, .widths = widths};
    for (uint32_t r = 0; r < w->row_count; r++) {
        static const uint8_t selector[] = {SELECT_A, CODE_B, CODE_C};
        const struct row *row = &w->rows[r];
        uint32_t indicator = number_value(r == 0 ? w->row_count - 2 : r + 42, row->first);
        uint32_t sum = START_A + selector[row->first] + 2 * indicator;
        widths = put_widths(widths, START_A);
        widths = put_widths(widths, selector[row->first]);
        widths = put_widths(widths, indicator);
        for (uint32_t i = 0; i < row->count; i++) {
            sum += (i + 3) * row->values[i];
            widths = put_widths(widths, row->values[i]);
        }
        widths = put_widths(widths, sum % 103);
        widths = put_widths(widths, STOP);
    }
    return PL_OK;
}

// Bytes 80 to 83 hexadecimal are FNC1 to FNC4, 84 is NUL.
static enum pl_errc read_content(const struct pl_content *content, bool leading_fnc1, struct pl_arena *arena,
                                 struct writer *w, struct pl_error *err)
{
    size_t length = pl_content_length(content);
    uint8_t *bytes = PL_ARENA_ARRAY(arena, uint8_t, length + 1);
    if (bytes == NULL)
        return pl_fail_memory(err);
    w->data = bytes;
    w->length = 0;
    if (leading_fnc1)
        bytes[w->length++] = 128;
    for (size_t i = 0; i < length; i++) {
        uint32_t code = pl_content_at(content, i), number = pl_mark_number(code);
        bool function = pl_mark_kind(code) == PL_MARK_FNC1 && number < 4;
        if (code > 127 && !function)
            return pl_fail(err, PL_E_INVALID, "CODABLOCK holds ASCII characters and the function characters only");
        bytes[w->length++] = (uint8_t)(function ? 128 + number : code);
    }
    return PL_OK;
}

enum pl_errc pl_codablock_f(const struct pl_content *content, const struct pl_codablock_options *options,
                            struct pl_arena *arena, struct pl_codablock *out, struct pl_error *err)
{
    struct writer *w = PL_ARENA_ARRAY(arena, struct writer, 1);
    if (w == NULL)
        return pl_fail_memory(err);
    if (pl_content_length(content) <= MAX_CHARS) {
        PL_TRY(read_content(content, options->variant == 'E', arena, w, err));
        uint32_t rows = options->rows != 0 ? PL_MAX(options->rows, (uint32_t)MIN_ROWS) : 0;
        uint32_t most = options->columns != 0 && rows == 0 ? (uint32_t)MAX_ROWS : PL_MIN(PL_MAX(rows, 2u), 44u);
        uint32_t first = options->columns != 0 ? options->columns : (uint32_t)MIN_COLUMNS;
        first = PL_MIN(PL_MAX(first, (uint32_t)MIN_COLUMNS), (uint32_t)PL_CODABLOCK_MAX_COLUMNS);
        uint32_t last = options->columns != 0 ? first : (uint32_t)PL_CODABLOCK_MAX_COLUMNS;
        // With free columns the narrowest rows that hold the data in the rows asked for (two, if none are).
        for (w->columns = first; w->columns <= last; w->columns++)
            if (put_rows(w, most)) {
                put_checks(w);
                return draw(w, arena, out, err);
            }
        if (options->columns == 0 && rows == 0) {
            w->columns = PL_CODABLOCK_MAX_COLUMNS;
            if (put_rows(w, MAX_ROWS)) {
                put_checks(w);
                return draw(w, arena, out, err);
            }
        }
    }
    return pl_fail(err, PL_E_INVALID, "the data does not fit into the rows and columns asked for");
}
