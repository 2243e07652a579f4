// Where commands and their parameters stand, by the lexer.
#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/tspl/state.h"
#include "lang/tspl/tspl.h"

// Moves behind the statement, and behind the bytes that follow it.
static void take_arguments(struct tspl_lexer *lex, struct tspl_statement *st, const struct tspl_row *row)
{
    unsigned raw = row ? row->raw : 0;
    tspl_lex_args(lex, st, raw == TSPL_RAW_FILE ? 0 : raw);
    bool data = raw && raw != TSPL_RAW_FILE && st->count == raw && lex->pos == st->end;
    if (data && tspl_skip_bitmap(lex, st->start) == 0) // of a size that nobody knows before it is drawn
        tspl_lex_skip_line(lex);
}

// What a statement is that is no command.
static const char *otherwise(enum tspl_kind kind)
{
    switch (kind) {
    case TSPL_ASSIGN:
        return "Sets a variable";
    case TSPL_MARK:
        return "Mark of a program";
    case TSPL_IMMEDIATE:
        return "For the printer: obeyed at once";
    case TSPL_COMMENT:
        return "Comment";
    default:
        return NULL;
    }
}

void pl_tspl_outline(struct pl_slice input, pl_lang_visit *visit, void *user)
{
    struct tspl_lexer lex;
    struct tspl_statement st;
    tspl_lexer_init(&lex, input);
    for (bool more = true; more && tspl_lex_next(&lex, &st);) {
        const struct tspl_row *row = st.kind == TSPL_COMMAND ? tspl_row_lookup(st.word) : NULL;
        if (st.kind != TSPL_IMMEDIATE)
            take_arguments(&lex, &st, row);
        struct pl_lang_span span = {.command = row ? &row->about : NULL,
                                    .otherwise = otherwise(st.kind),
                                    .start = (uint32_t)st.start,
                                    .end = (uint32_t)st.end,
                                    .in_dots = true};
        if (row) {
            memcpy(span.name, row->about.title, sizeof span.name);
            span.name_length = (uint32_t)st.word.len;
        }
        if (st.kind == TSPL_COMMENT) {
            span.is_text = true;
            span.data = pl_lang_part_of(input, pl_slice_sub(input, st.start, st.end - st.start));
        }
        for (unsigned i = 0; row && i < st.count; i++)
            pl_lang_span_add(&span, pl_lang_part_of(input, st.item[i]), tspl_param_of(row, &st, i));
        more = visit(user, &span);
    }
}
