// The row of TSPL in the table of languages, and how an input is recognised.
#include "lang/tspl/state.h"
#include "lang/tspl/tspl.h"

// How much a statement speaks for TSPL: 2: no other language has it, 1: it could be.
static unsigned weight(const struct tspl_statement *st, const struct tspl_row *row)
{
    if (pl_slice_is_one_of(pl_slice_cstr(row->about.title),
                           "SIZE|DIRECTION|GAP|BLINE|CODEPAGE|REFERENCE|CLS|QRCODE|DMATRIX|DENSITY|PUTBMP|DOWNLOAD"))
        return st->count > 0 || strcmp(row->about.title, "CLS") == 0 ? 2 : 1;
    if (row->draws || row->raw) // other languages with the same word have no commas between arguments
        return st->count >= 4 ? 2 : 0;
    return row->basic ? 0 : 1;
}

// Lines of ZPL begin with ^ or ~, those of CPCL with ! and blanks between arguments, commands of EPL are one letter.
static enum pl_lang_confidence detect(struct pl_slice input)
{
    struct tspl_lexer lex;
    struct tspl_statement st;
    tspl_lexer_init(&lex, pl_slice_sub(input, 0, PL_LANG_LOOK));
    enum { SURE_LINES = 3 };
    unsigned sure = 0, possible = 0, other = 0;
    while (sure < SURE_LINES && other < 8 && tspl_lex_next(&lex, &st)) {
        const struct tspl_row *row = st.kind == TSPL_COMMAND ? tspl_row_lookup(st.word) : NULL;
        unsigned raw = row && row->raw ? row->raw : 0;
        if (st.kind == TSPL_IMMEDIATE)
            continue;
        tspl_lex_args(&lex, &st, raw == TSPL_RAW_FILE ? 0 : raw);
        if (raw) // data follows, in which nothing is a command
            tspl_lex_skip_line(&lex);
        unsigned speaks = row ? weight(&st, row) : 0;
        sure += speaks == 2;
        possible += speaks == 1;
        other += speaks == 0 && st.kind != TSPL_ASSIGN && st.kind != TSPL_COMMENT;
    }
    if (sure > other)
        return sure >= 2 ? PL_LANG_CERTAIN : PL_LANG_LIKELY;
    if (sure >= SURE_LINES)
        return PL_LANG_LIKELY; // programs write lines that few printers know
    return sure + possible > other ? PL_LANG_POSSIBLE : PL_LANG_NONE;
}

const struct pl_lang pl_lang_tspl = {
    .name = "tspl",
    .title = "TSPL",
    .detect = detect,
    .interpret = pl_tspl_interpret,
    .outline = pl_tspl_outline,
    .before_params = " ",
    .between_params = ",",
    .memory = {.write_settings = pl_tspl_write_settings,
               .write_object = pl_tspl_write_object,
               .settings = pl_tspl_settings,
               .answers = pl_tspl_answers},
    .commands = {.at = pl_tspl_command_at},
    .size_commands = "SIZE",
    .states_label = true,
    .has_leitcode = true,
    .label_begins = "CLS",
    .label_ends = "PRINT",
    .label_content = "a command that draws",
};
