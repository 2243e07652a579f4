// Where commands and their parameters stand, line by line.
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/cpcl/state.h"

static uint64_t number(struct pl_slice word)
{
    uint64_t value = 0;
    for (size_t i = 0; i < word.len && pl_is_digit(word.ptr[i]) && value < (1u << 20); i++)
        value = value * 10 + (uint64_t)(word.ptr[i] - '0');
    return value;
}

// Words are parameters; the last parameter of a row has all that is left of the line, such as the text of a field.
static void take_items(const struct cpcl_row *row, struct pl_slice input, struct pl_slice rest,
                       struct pl_lang_span *span)
{
    uint32_t most = PL_MIN(row->info.param_count, (uint32_t)PL_LANG_PARTS);
    while (span->item_count < most) {
        bool is_last = span->item_count + 1 == most;
        struct pl_slice item = is_last ? pl_slice_trim(rest) : cpcl_next_word(&rest);
        if (item.len == 0)
            return;
        span->items[span->item_count++] = pl_lang_part_of(input, item);
    }
}

static bool is_unit(const struct cpcl_row *row)
{
    return row && strncmp(row->info.title, "IN-", 3) == 0;
}

// Are lengths dots from this command on? A header begins anew: with 100 dots an inch a number stands for two. The unit
// of the line behind it rules its own lengths, too.
static bool counts_dots(const struct cpcl_row *row, struct pl_slice rest, struct cpcl_lexer ahead, bool before)
{
    struct pl_slice line;
    if (is_unit(row))
        return row->kind == 0; // IN-DOTS
    if (!row || strcmp(row->info.title, "!") != 0)
        return before;
    const struct cpcl_row *unit = cpcl_lex_line(&ahead, &line) ? cpcl_row_lookup(cpcl_next_word(&line)) : NULL;
    if (is_unit(unit))
        return unit->kind == 0;
    (void)cpcl_next_word(&rest);
    uint64_t across = number(cpcl_next_word(&rest));
    return across < 90 || across > 110;
}

void pl_cpcl_outline(struct pl_slice input, pl_lang_visit *visit, void *user)
{
    struct cpcl_lexer lex;
    struct pl_slice line;
    bool in_dots = true;
    cpcl_lexer_init(&lex, input);
    for (bool more = true; more && cpcl_lex_line(&lex, &line);) {
        struct pl_slice text = pl_slice_trim(line), rest = text, word = cpcl_next_word(&rest);
        if (word.len == 0)
            continue;
        const struct cpcl_row *row = cpcl_row_lookup(word);
        struct pl_slice behind = rest, second = cpcl_next_word(&behind);
        if (pl_slice_eq_cstr(word, "!") && second.len > 0) { // "! U1", "! DF" …
            struct pl_slice both = pl_slice_make(word.ptr, (size_t)(second.ptr + second.len - word.ptr));
            const struct cpcl_row *named = cpcl_row_lookup(both);
            row = named ? named : row;
            rest = named ? behind : rest;
            word = named ? both : word;
        }
        in_dots = counts_dots(row, rest, lex, in_dots);
        struct pl_lang_span span = {.command = row ? &row->info : NULL,
                                    .start = (uint32_t)(text.ptr - input.ptr),
                                    .end = (uint32_t)(text.ptr - input.ptr + (ptrdiff_t)text.len),
                                    .is_text = true,
                                    .in_dots = in_dots};
        if (row) {
            memcpy(span.name, row->info.title, sizeof span.name);
            span.name_length = (uint32_t)word.len;
            take_items(row, input, rest, &span);
        }
        size_t data_end = cpcl_counted_end(input, span.start);
        if (data_end > 0)
            lex.pos = PL_MIN(data_end, input.len);
        more = visit(user, &span);
    }
}
