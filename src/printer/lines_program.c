// Programs of TSPL that a printer stores: whether running one prints.
#include <string.h>

#include "printer/lines_parts.h"

enum state { REST, START, WORD, LAST }; // of a line; LAST: the rest of that of EOP

static bool is_line_end(uint8_t c)
{
    return c == '\r' || c == '\n';
}

bool lines_tspl_word(const struct printer_lines *l, const char *word)
{
    size_t n = strlen(word);
    if (l->length != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (pl_upper((uint8_t)l->head[i]) != (uint8_t)word[i])
            return false;
    return true;
}

bool lines_tspl_draws(const struct printer_lines *l)
{
    static const char *const WORDS[] = {"TEXT",    "BLOCK",  "BARCODE", "QRCODE",   "DMATRIX", "PDF417",
                                        "MPDF417", "AZTEC",  "RSS",     "MAXICODE", "TLC39",   "CODABLOCK",
                                        "BAR",     "BOX",    "CIRCLE",  "ELLIPSE",  "ERASE",   "DIAGONAL",
                                        "REVERSE", "PUTBMP", "PUTPCX",  "BITMAP"};
    for (size_t i = 0; i < PL_COUNTOF(WORDS); i++)
        if (lines_tspl_word(l, WORDS[i]))
            return true;
    return false;
}

// `counted`: it is as long as was said, otherwise the rest of a line is before it.
void lines_program_begin(struct printer_lines *l, bool counted)
{
    l->mode = counted ? START : REST;
    line_begin(l);
}

// The word that a line begins with is whole.
static void word_over(struct printer_lines *l)
{
    struct printer_form *program = &l->form;
    if (lines_tspl_word(l, "PRINT")) {
        program->prints = true;
        program->draws = false;
    } else if (lines_tspl_word(l, "CLS")) {
        program->draws = false;
    } else if (lines_tspl_draws(l)) {
        program->draws = true;
    }
    program->unclear = program->unclear || lines_tspl_word(l, "RUN");
}

static bool program_over(struct printer_lines *l)
{
    l->mode = 0;
    l->form.prints = l->form.prints && !l->form.draws;
    return true;
}

bool lines_program(struct printer_lines *l, uint8_t c)
{
    bool end = is_line_end(c), blank = end || c == ' ' || c == '\t';
    switch ((enum state)l->mode) {
    case REST:
        l->mode = end ? START : REST;
        return false;
    case START:
        if (blank)
            return false;
        line_begin(l);
        line_put(l, c);
        l->mode = WORD;
        return false;
    case WORD:
        if (!blank) {
            line_put(l, c);
            return false;
        }
        if (lines_tspl_word(l, "EOP") && !l->scans) {
            l->mode = LAST;
            return end && program_over(l);
        }
        word_over(l);
        l->mode = end ? START : REST;
        return false;
    default:
        return end && program_over(l);
    }
}

void lines_program_end(struct printer_lines *l)
{
    (void)lines_program(l, '\n');
    (void)program_over(l);
}
