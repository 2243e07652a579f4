// Programs of TSPL that a printer stores: whether running one prints.
#include <string.h>

#include "printer/lines_parts.h"

// Of a line. ALONE: behind a word that is no command; PARAMETERS: of BITMAP; BYTES_END: behind its bytes; LAST: the
// rest of the line of EOP.
enum state { REST, START, WORD, ALONE, PARAMETERS, BYTES_END, LAST };

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

static bool is_among(const struct printer_lines *l, const char *words)
{
    uint8_t word[LINE_HEAD];
    for (size_t i = 0; i < l->length && i < LINE_HEAD; i++)
        word[i] = pl_upper((uint8_t)l->head[i]);
    return l->length <= LINE_HEAD && pl_slice_is_one_of(pl_slice_make(word, l->length), words);
}

bool lines_tspl_draws(const struct printer_lines *l)
{
    static const char WORDS[] =
        "TEXT|BLOCK|BARCODE|QRCODE|DMATRIX|PDF417|MPDF417|AZTEC|RSS|MAXICODE|TLC39|CODABLOCK|BAR|BOX|CIRCLE|ELLIPSE|"
        "ERASE|DIAGONAL|REVERSE|PUTBMP|PUTPCX|BITMAP";
    return is_among(l, WORDS);
}

bool lines_tspl_known(const struct printer_lines *l)
{
    static const char OTHERS[] =
        "AUTODETECT|BACKFEED|BACKUP|BEEP|BLINE|BLINEDETECT|BT|CASHDRAWER|CLOSE|CLS|CODEPAGE|COPY|COUNTRY|CUT|DELAY|"
        "DENSITY|DIRECTION|DISPLAY|DO|DOWNLOAD|ELSE|ELSEIF|END|ENDIF|EOF|EOJ|EOP|EXITDO|EXITFOR|FEED|FILES|FOR|"
        "FORMFEED|FREAD$|FSEARCH|GAP|GAPDETECT|GET|GETKEY|GOSUB|GOTO|HOME|IF|INITIALPRINTER|INP$|INPUT|KILL|"
        "LIMITFEED|LOF|LOOP|MOVE|NET|NEXT|NFC|OFFSET|OPEN|OUT|OUTR|PREINPUT|PRINT|PUT|READ|RECORDSET$|REFERENCE|REM|"
        "RETURN|RUN|SEEK|SELFTEST|SET|SETC|SHIFT|SIZE|SOUND|SPEED|THEN|WEND|WHILE|WLAN|WRITE";
    return lines_tspl_draws(l) || is_among(l, OTHERS);
}

void lines_bitmap_begin(struct printer_lines *l)
{
    l->commas = 0;
    for (int i = 0; i < 4; i++)
        line_number_begin(&l->numbers[i]);
}

enum line_bitmap lines_bitmap(struct printer_lines *l, uint8_t c, uint64_t *bytes)
{
    const struct line_number *row = &l->numbers[1], *rows = &l->numbers[2], *mode = &l->numbers[3];
    if (c == '"' || c == 0xE2 || c == '(' || ((c == '+' || c == '-' || c == 0) && l->commas >= 2))
        return LINE_ODD;
    if (c != ',') {
        if (l->commas >= 1)
            line_number_take(&l->numbers[l->commas - 1], c);
        return LINE_PARAMETERS;
    }
    if (++l->commas < 5)
        return LINE_PARAMETERS;
    *bytes = row->value * rows->value;
    return line_number_is_within(row, 65535) && line_number_is_within(rows, 1 << 20) && line_number_is_within(mode, 2)
               ? LINE_BYTES
               : LINE_ODD;
}

// `counted`: it is as long as was said, otherwise the rest of a line is before it.
void lines_program_begin(struct printer_lines *l, bool counted)
{
    l->mode = counted ? START : REST;
    l->inner = 0;
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
    lines_bitmap_begin(l);
    l->mode = lines_tspl_word(l, "BITMAP") ? PARAMETERS : lines_tspl_known(l) ? REST : ALONE;
}

// A line with a name alone runs the program of that name.
static void alone_byte(struct printer_lines *l, uint8_t c)
{
    char name[PRINTER_FORM_NAME + 1];
    l->form.unclear = l->form.unclear || (line_ends(c) && lines_form_name(line_text(l), "", name));
    l->mode = line_ends(c) ? START : line_is_blank(c) ? ALONE : REST;
}

static bool program_over(struct printer_lines *l)
{
    l->mode = 0;
    l->form.prints = l->form.prints && !l->form.draws;
    return true;
}

static void parameter_byte(struct printer_lines *l, uint8_t c)
{
    uint64_t bytes = 0;
    enum line_bitmap is = line_ends(c) ? LINE_ODD : lines_bitmap(l, c, &bytes);
    if (is == LINE_BYTES) {
        l->inner = bytes;
        l->mode = BYTES_END;
    } else if (is == LINE_ODD) {
        l->mode = line_ends(c) ? START : REST;
    }
}

bool lines_program(struct printer_lines *l, uint8_t c)
{
    bool end = line_ends(c), blank = end || line_is_blank(c);
    if (l->inner > 0) {
        l->inner--;
        return false;
    }
    if (l->mode == BYTES_END)
        l->mode = end || pl_is_letter(c) ? START : REST;
    switch ((enum state)l->mode) {
    case REST:
        l->mode = end ? START : REST;
        return false;
    case PARAMETERS:
        parameter_byte(l, c);
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
        return end && lines_program(l, c); // once: it begins no word
    case ALONE:
        alone_byte(l, c);
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
