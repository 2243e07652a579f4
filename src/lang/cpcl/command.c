// A command: found in the table, carried out, and kept for COUNT.
#include "lang/cpcl/state.h"

static void report_unknown(struct cpcl *e, struct pl_slice word, struct pl_source source)
{
    for (size_t i = 0; i < word.len && i + 1 < sizeof source.command; i++) {
        source.command[i] = (char)(word.ptr[i] > 0x20 && word.ptr[i] < 0x7F ? word.ptr[i] : '?');
        source.command[i + 1] = '\0';
    }
    // Files have lines of data that no command takes.
    uint8_t first = word.len ? word.ptr[0] | 0x20 : 0;
    bool letter = first >= 'a' && first <= 'z';
    pl_diag_add(e->diags, letter ? PL_DIAG_UNKNOWN_COMMAND : PL_DIAG_DATA_DROPPED, source, 0, "%s",
                letter ? "This is not a CPCL command; the line was skipped."
                       : "The line does not begin with a command; it was skipped.");
}

static enum pl_errc carry_out(struct cpcl *e, struct cpcl_args *a)
{
    struct cpcl_args whole = *a;
    struct cpcl_settings settings = e->settings;
    uint32_t first = e->drawn.count;
    if (!(a->row->flags & CPCL_UNIT))
        e->header_fresh = false;
    e->data = (struct pl_slice){0};
    PL_TRY(a->row->run(e, a));
    if (a->row->flags & CPCL_COUNTS) {
        e->last = whole;
        e->last_settings = settings;
        e->last_data = e->data;
        e->last_first = first;
        e->last_count = e->drawn.count - first;
    }
    return PL_OK;
}

enum pl_errc cpcl_command(struct cpcl *e, size_t from)
{
    struct cpcl_lexer *lex = &e->lex;
    size_t start = lex->pos;
    struct pl_slice ahead = pl_slice_sub(lex->text, start, CPCL_LONGEST_WORD), word = cpcl_next_word(&ahead);
    if (word.len > 0 && word.ptr[0] == ';')
        word.len = 1;
    const struct cpcl_row *row = cpcl_row_lookup(word);
    size_t behind = start + (size_t)(word.ptr - (lex->text.ptr + start)) + word.len;
    struct cpcl_args a = {.row = row};
    if (row && row->flags & CPCL_RAW) {
        a.rest = pl_slice_sub(lex->text, behind, CPCL_LONGEST_RAW);
        a.source = cpcl_source(lex, from, behind, row->info.title);
        lex->pos = behind;
    } else {
        size_t end = cpcl_lex_line_end(lex);
        a.rest = pl_slice_sub(lex->text, behind, end - PL_MIN(behind, end));
        a.line = pl_slice_sub(lex->text, start, end - start);
        a.source = cpcl_source(lex, from, end, row ? row->info.title : "");
        lex->pos = end;
        cpcl_lex_skip_line_end(lex);
    }
    if (row) {
        a.vertical = word.ptr[0] == 'V';
        return carry_out(e, &a);
    }
    report_unknown(e, word, a.source);
    return PL_OK;
}
