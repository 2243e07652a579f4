// Where commands and their parameters stand, line by line.
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/cpcl/cmd_table.h"
#include "lang/cpcl/cpcl.h"
#include "lang/cpcl/state.h"

static uint64_t number(struct pl_slice word)
{
    uint64_t value = 0;
    for (size_t i = 0; i < word.len && pl_is_digit(word.ptr[i]) && value < (1u << 20); i++)
        value = value * 10 + (uint64_t)(word.ptr[i] - '0');
    return value;
}

// The option that a word names.
static uint32_t option_of(const struct cpcl_row *row, uint32_t first, struct pl_slice word)
{
    uint32_t count = row->info.param_count;
    for (uint32_t i = first; i < count; i++)
        if (pl_slice_eq_cstr(word, row->info.params[i].name))
            return i;
    return UINT32_MAX;
}

// Words up to the first option are parameters; then a name and its value are one.
static void take_options(const struct cpcl_row *row, struct pl_slice input, struct pl_slice rest,
                         struct pl_lang_span *span)
{
    uint32_t first = cpcl_first_option(row), option = UINT32_MAX;
    while (span->item_count < PL_LANG_PARTS) {
        uint32_t at = span->item_count;
        struct pl_slice word = cpcl_next_word(&rest);
        if (word.len == 0)
            return;
        if (at >= first && (at - first) % 2 == 0)
            option = option_of(row, first, word);
        pl_lang_span_add(span, pl_lang_part_of(input, word), at < first ? at : option);
    }
}

// Words are parameters; the last parameter of a row has all that is left of the line, such as the text of a field.
static void take_items(const struct cpcl_row *row, struct pl_slice input, struct pl_slice rest,
                       struct pl_lang_span *span)
{
    if (row->end) {
        take_options(row, input, rest, span);
        return;
    }
    uint32_t most = PL_MIN(row->info.param_count, (uint32_t)PL_LANG_PARTS);
    while (span->item_count < most) {
        bool is_last = span->item_count + 1 == most;
        struct pl_slice item = is_last ? pl_slice_trim(rest) : cpcl_next_word(&rest);
        if (item.len == 0)
            return;
        span->items[span->item_count++] = pl_lang_part_of(input, item);
    }
}

static bool ends_lines(struct pl_slice line, const char *end)
{
    bool is_text = strcmp(end, "ENDMULTILINE") == 0;
    return cpcl_is_line(line, end) || (is_text && cpcl_is_line(line, "ENDML")) || cpcl_ends_block(line);
}

// The lines that follow, up to their end, which is a command of its own, or the label's.
static struct pl_slice take_lines(struct cpcl_lexer *lex, const char *end)
{
    size_t from = lex->pos, to = from, start = from;
    struct pl_slice line;
    for (; cpcl_lex_line(lex, &line); start = lex->pos) {
        if (ends_lines(line, end)) {
            lex->pos = start;
            break;
        }
        to = (size_t)(line.ptr - lex->text.ptr) + line.len;
    }
    return pl_slice_sub(lex->text, from, to - from);
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

// The command that a line begins with. *word and *rest: its name, and what is behind it.
static const struct cpcl_row *find_row(struct pl_slice text, struct pl_slice *word, struct pl_slice *rest)
{
    *rest = text;
    *word = cpcl_next_word(rest);
    struct pl_slice behind = *rest, second = cpcl_next_word(&behind);
    if (pl_slice_eq_cstr(*word, "!") && second.len > 0) { // "! U1", "! DF" …
        struct pl_slice both = pl_slice_make(word->ptr, (size_t)(second.ptr + second.len - word->ptr));
        const struct cpcl_row *named = cpcl_row_lookup(both);
        if (named) {
            *rest = behind;
            *word = both;
            return named;
        }
    }
    return cpcl_row_lookup(*word);
}

// The row that has the parameters: BARCODE has others for some types.
static const struct cpcl_row *row_of_type(const struct cpcl_row *row, struct pl_slice rest)
{
    const struct cpcl_row *code = row->run == cpcl_cmd_barcode ? cpcl_code_lookup(cpcl_next_word(&rest)) : NULL;
    return code ? code : row;
}

void pl_cpcl_outline(struct pl_slice input, pl_lang_visit *visit, void *user)
{
    struct cpcl_lexer lex;
    struct pl_slice line, word, rest;
    bool in_dots = true;
    const char *text_end = NULL; // MULTILINE: the line of TEXT comes first
    cpcl_lexer_init(&lex, input);
    for (bool more = true; more && cpcl_lex_line(&lex, &line);) {
        struct pl_slice text = pl_slice_trim(pl_slice_sub(line, pl_lang_skip_gaps(line, 0), line.len));
        const struct cpcl_row *row = find_row(text, &word, &rest);
        if (word.len == 0)
            continue;
        in_dots = counts_dots(row, rest, lex, in_dots);
        struct pl_lang_span span = {.start = (uint32_t)(text.ptr - input.ptr),
                                    .end = (uint32_t)(text.ptr - input.ptr + (ptrdiff_t)text.len),
                                    .is_text = true,
                                    .in_dots = in_dots};
        const char *end = text_end;
        text_end = NULL;
        if (row) {
            memcpy(span.name, row->info.title, sizeof span.name);
            span.name_length = (uint32_t)word.len;
            row = row_of_type(row, rest);
            span.command = &row->info;
            take_items(row, input, rest, &span);
            if (!end)
                *(row->run == cpcl_cmd_multiline ? &text_end : &end) = row->end;
        }
        if (end && !ends_lines(line, end))
            span.data = pl_lang_part_of(input, take_lines(&lex, end));
        size_t data_end = cpcl_counted_end(input, span.start);
        if (data_end > 0)
            lex.pos = PL_MIN(data_end, input.len);
        more = visit(user, &span);
    }
}
