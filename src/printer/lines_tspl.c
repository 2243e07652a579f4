// TSPL: PRINT ends a label. Quotes may span lines, BITMAP and DOWNLOAD count bytes, programs end with EOP.
#include <string.h>

#include "printer/lines_parts.h"

enum { ESC = 0x1B, QUOTE_LINES = 8192 };

enum state {
    START,
    MARK_SECOND, // of a byte order mark at the beginning
    MARK_THIRD,
    IMMEDIATE, // behind ESC or ~
    IMMEDIATE_LETTER,
    WORD,
    WORD_END, // blanks, and perhaps the sign that assigns
    ARGUMENTS,
    CURLY_SECOND, // of a typographic quote
    CURLY_THIRD,
    QUOTE,
    QUOTE_CURLY_SECOND,
    QUOTE_CURLY_THIRD,
    QUOTE_BACKSLASH,
    QUOTE_BRACKET, // behind \[
    QUOTE_INSIDE,  // behind \["
    QUOTE_PERHAPS, // behind \": does the text end here?
    QUOTE_LATER,   // behind a quote on a later line: does an argument end here?
    BITMAP_END,    // behind its bytes
    SKIP_LINE,     // without quotes
    FILE_BEGIN,    // DOWNLOAD
    FILE_MEMORY,   // behind a letter
    FILE_QUOTE,    // behind it and a comma
    FILE_NAME,
    FILE_NAMED,
    FILE_SIZE,
    FILE_DIGITS,
    FILE_SIZE_END,
    PROGRAM, // lines_program.c
};

// ---- the word that a line begins with

static bool is_of_word(const struct printer_lines *l, uint8_t c)
{
    bool first = l->length == 0, ended = !first && line_at(l, l->length - 1) == '$';
    if (first && (c == '@' || pl_is_digit(c)))
        return c == '@';
    return !ended && (pl_is_letter(c) || pl_is_digit(c) || c == '_' || (!first && c == '$'));
}

// Pictures are stored, and fonts may be.
static bool uses_stored(const struct printer_lines *l)
{
    return lines_tspl_word(l, "PUTBMP") || lines_tspl_word(l, "PUTPCX") || lines_tspl_word(l, "TEXT") ||
           lines_tspl_word(l, "BLOCK");
}

// What the bytes behind the word are.
static void begin_arguments(struct printer_lines *l)
{
    l->state = lines_tspl_word(l, "DOWNLOAD") && !l->assigns ? FILE_BEGIN : ARGUMENTS;
    lines_bitmap_begin(l);
    l->stores = l->state == FILE_BEGIN;
    l->names = (lines_tspl_word(l, "RUN") || lines_tspl_word(l, "KILL")) && !l->assigns;
    l->named = 0;
    l->draws = l->draws || (lines_tspl_draws(l) && !l->assigns);
    l->waits = l->waits || (uses_stored(l) && !l->assigns);
}

static bool is_bitmap(const struct printer_lines *l)
{
    return lines_tspl_word(l, "BITMAP") && !l->assigns;
}

// A program is run by RUN, or by its name alone. Of one that is not known here it is not known whether it prints.
static enum line_step run_program(struct printer_lines *l, struct pl_slice name)
{
    struct printer_form program = {0};
    char found[PRINTER_FORM_NAME + 1];
    bool full, known = lines_form_name(name, "BAS", found) && lines_find_form(l, found, &program, &full);
    bool clear = known && !program.unclear;
    if (!l->names && (!known || lines_tspl_known(l)))
        return LINE_GOES_ON; // a command of that name, or a line that is none
    l->waits = true;
    l->recalls = l->recalls || !clear;
    l->draws = clear && (l->draws || program.draws); // what is not clear may have printed it
    return clear && program.prints ? LINE_PRINTS : LINE_GOES_ON;
}

enum line_step lines_tspl_line_over(struct printer_lines *l)
{
    l->state = START;
    if (l->assigns)
        return LINE_GOES_ON;
    if (lines_tspl_word(l, "PRINT"))
        return LINE_PRINTS;
    if (lines_tspl_word(l, "CLS")) {
        l->draws = false;
        l->waits = l->recalls; // what was run before may have printed
    }
    struct pl_slice name = pl_slice_make(l->program, PL_MIN(l->named, (uint32_t)sizeof l->program));
    if (lines_tspl_word(l, "KILL")) {
        l->waits = l->waits || l->named == 0; // a variable is one of the unit
        lines_name_deleted(l, name);
        return LINE_STORES;
    }
    if (l->names)
        return run_program(l, name);
    if (l->alone)
        return run_program(l, line_text(l));
    // Five parameters without a comma behind them: which bytes follow is not clear.
    l->unsure = l->unsure || (is_bitmap(l) && l->commas == 4);
    return LINE_GOES_ON;
}

// ---- parameters

static enum line_step argument_byte(struct printer_lines *l, uint8_t c)
{
    if (line_ends(c))
        return lines_tspl_line_over(l);
    l->alone = l->alone && line_is_blank(c);
    if (is_bitmap(l)) {
        enum line_bitmap is = lines_bitmap(l, c, &l->left);
        l->unsure = l->unsure || is == LINE_ODD;
        l->state = is == LINE_BYTES ? BITMAP_END : ARGUMENTS;
    } else if (c == '"' || c == 0xE2) {
        l->state = c == '"' ? QUOTE : CURLY_SECOND;
        l->tall = c != '"';
        l->behind = 0;
    }
    return LINE_GOES_ON;
}

// ---- quotes

static bool ends_argument(uint8_t c)
{
    return line_ends(c) || c == ',' || c == '+' || c == ')' || c == '=' || c == '<' || c == '>';
}

static void quote_closes(struct printer_lines *l)
{
    l->state = l->behind > 0 ? QUOTE_LATER : ARGUMENTS;
}

static enum line_step quote_plain(struct printer_lines *l, uint8_t c)
{
    l->state = QUOTE;
    if (l->names && c != '"') {
        if (l->named < sizeof l->program)
            l->program[l->named] = (char)c;
        l->named++;
    }
    if (c == '\\')
        l->state = QUOTE_BACKSLASH;
    else if (c == '"')
        quote_closes(l);
    else if (c == 0xE2 && l->tall)
        l->state = QUOTE_CURLY_SECOND;
    else if (line_ends(c) && l->behind == 0)
        l->behind = 1;
    return LINE_GOES_ON;
}

// Longer than any text: the quote has no end, and the command ended with its line.
static void count_behind(struct printer_lines *l)
{
    l->behind += l->behind > 0;
    l->rewinds = l->behind > QUOTE_LINES && l->state == QUOTE;
    l->unsure = l->unsure || (l->behind > QUOTE_LINES && !l->rewinds);
}

static enum line_step quote_byte(struct printer_lines *l, uint8_t c)
{
    count_behind(l);
    switch ((enum state)l->state) {
    case QUOTE_CURLY_SECOND:
        l->state = QUOTE_CURLY_THIRD;
        return c == 0x80 ? LINE_GOES_ON : quote_plain(l, c);
    case QUOTE_CURLY_THIRD:
        if (c != 0x9C && c != 0x9D)
            return quote_plain(l, c);
        quote_closes(l);
        return LINE_GOES_ON;
    case QUOTE_BACKSLASH:
        if (c != '[' && c != '"')
            return quote_plain(l, c);
        l->state = c == '[' ? QUOTE_BRACKET : QUOTE_PERHAPS;
        return LINE_GOES_ON;
    case QUOTE_BRACKET:
        if (c != '"')
            return quote_plain(l, c);
        l->state = QUOTE_INSIDE;
        return LINE_GOES_ON;
    case QUOTE_INSIDE:
        if (c == ']') {
            l->state = QUOTE;
            return LINE_GOES_ON;
        }
        quote_closes(l);
        return lines_tspl(l, c, false);
    case QUOTE_PERHAPS:
        if (line_is_blank(c))
            return LINE_GOES_ON;
        if (!ends_argument(c))
            return quote_plain(l, c);
        l->state = ARGUMENTS;
        return lines_tspl(l, c, false);
    case QUOTE_LATER:
        if (line_is_blank(c))
            return LINE_GOES_ON;
        l->rewinds = !ends_argument(c);
        l->state = ARGUMENTS;
        return l->rewinds ? LINE_GOES_ON : lines_tspl(l, c, false);
    default:
        return quote_plain(l, c);
    }
}

bool lines_tspl_quoted(const struct printer_lines *l)
{
    return l->state >= QUOTE && l->state <= QUOTE_BRACKET;
}

// ---- DOWNLOAD

static void file_name_byte(struct printer_lines *l, uint8_t c)
{
    if (l->state == FILE_NAME && c == '"') {
        struct pl_slice name = pl_slice_make(l->program, PL_MIN(l->named, (uint32_t)sizeof l->program));
        l->state = FILE_NAMED;
        line_number_begin(&l->numbers[0]);
        (void)lines_form_name(l->named <= sizeof l->program ? name : pl_slice_make("", 0), "", l->form.name);
        l->change = LINE_FORM_STORED;
        return;
    }
    if (l->state == FILE_NAME) {
        l->unsure = l->unsure || line_ends(c) || c == '\\';
        if (l->named < sizeof l->program)
            l->program[l->named] = (char)c;
        l->named++;
        return;
    }
    l->unsure = l->unsure || c == 0xE2; // a typographic quote, perhaps
    if (line_is_blank(c))
        return;
    if (l->state == FILE_BEGIN)
        l->form = (struct printer_form){.memory = pl_is_letter(c) ? 'E' : 'R'};
    if (l->state == FILE_MEMORY)
        l->state = c == ',' ? FILE_QUOTE : SKIP_LINE;
    else if (c == '"')
        l->state = FILE_NAME;
    else
        l->state = l->state == FILE_BEGIN && pl_is_letter(c) ? FILE_MEMORY : SKIP_LINE;
}

// Of files with a size, those whose names end with BAS are programs.
static void begin_counted(struct printer_lines *l)
{
    const char *dot = strchr(l->form.name, '.');
    l->left = l->numbers[0].value;
    l->unsure = l->unsure || l->left >= LINE_COUNT_MOST;
    l->scans = dot && strcmp(dot, ".BAS") == 0 && l->left > 0;
    l->state = START;
    if (l->scans)
        lines_program_begin(l, true);
    else
        l->change = LINE_FORM_DELETED; // a file of its name is no program
}

// A comma, digits and a comma: so many bytes follow. Otherwise a program does.
static void file_size_byte(struct printer_lines *l, uint8_t c)
{
    bool digit = pl_is_digit(c) && (l->state == FILE_SIZE || l->state == FILE_DIGITS);
    if (digit) {
        line_number_take(&l->numbers[0], c);
        l->state = FILE_DIGITS;
    } else if (line_is_blank(c)) {
        l->state = l->state == FILE_DIGITS ? FILE_SIZE_END : l->state;
    } else if (c == ',' && l->state == FILE_NAMED) {
        l->state = FILE_SIZE;
    } else if (c == ',' && l->state != FILE_SIZE) {
        begin_counted(l);
    } else {
        l->state = PROGRAM;
        lines_program_begin(l, false);
    }
}

static enum line_step download_byte(struct printer_lines *l, uint8_t c)
{
    if (l->state == FILE_BEGIN || l->state == FILE_MEMORY || l->state == FILE_QUOTE || l->state == FILE_NAME)
        file_name_byte(l, c);
    else
        file_size_byte(l, c);
    bool line = l->state == SKIP_LINE || l->state == PROGRAM;
    return line && line_ends(c) ? lines_tspl(l, c, false) : LINE_GOES_ON;
}

static enum line_step program_byte(struct printer_lines *l, uint8_t c)
{
    l->state = lines_program(l, c) ? START : PROGRAM;
    return LINE_GOES_ON;
}

// ---- bytes

static enum line_step start_byte(struct printer_lines *l, uint8_t c, bool at_start)
{
    if (pl_is_gap(c))
        return LINE_GOES_ON;
    line_begin(l);
    l->assigns = l->names = false;
    l->alone = true;
    if (c == 0xEF && at_start) {
        l->state = MARK_SECOND;
        return LINE_GOES_ON;
    }
    if (c == ESC || c == '~') {
        l->bytes[0] = c;
        l->state = IMMEDIATE;
        return LINE_GOES_ON;
    }
    bool word = is_of_word(l, c);
    line_put(l, c);
    l->state = word ? WORD : ARGUMENTS;
    l->commas = 0;
    return LINE_GOES_ON;
}

// ESC ! and a letter, or ~ ! and a letter.
static enum line_step immediate_byte(struct printer_lines *l, uint8_t c)
{
    if (l->state == IMMEDIATE) {
        if (c == '!') {
            l->state = IMMEDIATE_LETTER;
            return LINE_GOES_ON;
        }
        line_put(l, l->bytes[0]); // a line that is no command
        l->state = ARGUMENTS;
        return argument_byte(l, c);
    }
    l->bytes[1] = c;
    l->state = START;
    if (l->bytes[0] == ESC)
        return c == '?' || c == 'R' ? LINE_CONTROL : LINE_GOES_ON;
    if (c == 'T' || c == 'I')
        return LINE_CONTROL;
    l->state = SKIP_LINE; // from the next byte on
    return LINE_GOES_ON;
}

static enum line_step word_byte(struct printer_lines *l, uint8_t c)
{
    if (l->state == WORD && is_of_word(l, c)) {
        line_put(l, c);
        return LINE_GOES_ON;
    }
    l->state = WORD_END;
    if (line_is_blank(c))
        return LINE_GOES_ON;
    l->assigns = c == '=';
    begin_arguments(l);
    return l->assigns ? LINE_GOES_ON : lines_tspl(l, c, false);
}

enum line_step lines_tspl(struct printer_lines *l, uint8_t c, bool at_start)
{
    switch ((enum state)l->state) {
    case START:
        return start_byte(l, c, at_start);
    case MARK_SECOND:
    case MARK_THIRD: {
        bool second = l->state == MARK_SECOND, mark = c == (second ? 0xBB : 0xBF);
        l->state = !mark ? ARGUMENTS : second ? MARK_THIRD : START;
        return mark ? LINE_GOES_ON : argument_byte(l, c);
    }
    case IMMEDIATE:
    case IMMEDIATE_LETTER:
        return immediate_byte(l, c);
    case WORD:
    case WORD_END:
        return word_byte(l, c);
    case ARGUMENTS:
        return argument_byte(l, c);
    case CURLY_SECOND:
        l->state = c == 0x80 ? CURLY_THIRD : ARGUMENTS;
        return c == 0x80 ? LINE_GOES_ON : argument_byte(l, c);
    case CURLY_THIRD:
        l->state = c == 0x9C || c == 0x9D ? QUOTE : ARGUMENTS;
        return l->state == QUOTE ? LINE_GOES_ON : argument_byte(l, c);
    case BITMAP_END:
        l->state = pl_is_letter(c) || line_ends(c) ? START : SKIP_LINE;
        return l->state == START ? start_byte(l, c, false) : LINE_GOES_ON;
    case SKIP_LINE:
        l->state = line_ends(c) ? START : SKIP_LINE;
        return LINE_GOES_ON;
    case PROGRAM:
        return program_byte(l, c);
    case FILE_BEGIN:
    case FILE_MEMORY:
    case FILE_QUOTE:
    case FILE_NAME:
    case FILE_NAMED:
    case FILE_SIZE:
    case FILE_DIGITS:
    case FILE_SIZE_END:
        return download_byte(l, c);
    default:
        return quote_byte(l, c);
    }
}
