// CPCL: PRINT ends a session that begins with "!". Lines outside of sessions are printed as they are; such a page ends
// with the input. CG counts bytes.
#include <string.h>

#include "base/fmt.h"
#include "printer/lines_parts.h"

enum state {
    START,
    LINE,
    GRAPHIC_BLANK, // CG: before a parameter
    GRAPHIC_WORD,
    QUESTION, // behind an ESC that begins a line
};

enum mode {
    PAGE,     // outside of sessions
    LABEL,    // up to PRINT
    COMMANDS, // the same, of ! U
    FORMAT,   // ! DF: up to PRINT or END
    BLOCK,    // data of a code in two dimensions: up to its end, PRINT or a session
    TEXTS,    // of CONCAT and MULTILINE: the same
    DOWNLOAD, // ! CISDFCRC16: four lines, then bytes
    VALUES,   // lines that are filled in the format of ! UF
};

enum { ESC = 0x1B, GRAPHIC_LONGEST = 150, BYTES_A_ROW = 8192, ROWS = 65535 };

static bool is_blank(uint8_t c)
{
    return pl_is_gap(c) && !line_ends(c);
}

static struct pl_slice next_word(struct pl_slice *rest)
{
    size_t from = 0, to;
    while (from < rest->len && is_blank(rest->ptr[from]))
        from++;
    for (to = from; to < rest->len && !is_blank(rest->ptr[to]);)
        to++;
    struct pl_slice word = pl_slice_sub(*rest, from, to - from);
    *rest = pl_slice_sub(*rest, to, rest->len);
    return word;
}

static bool is_print(struct pl_slice word)
{
    return pl_slice_is_one_of(word, "PRINT|POPRINT");
}

static bool is_graphic(struct pl_slice word)
{
    return pl_slice_is_one_of(word, "CG|VCG|COMPRESSED-GRAPHICS|VCOMPRESSED-GRAPHICS");
}

// As numbers are read: digits, a point, a sign; the letter O for a zero.
static bool is_number(struct pl_slice word)
{
    size_t digits = 0;
    for (size_t i = 0; i < word.len; i++) {
        uint8_t c = word.ptr[i];
        digits += pl_is_digit(c) || c == 'O' || c == 'o';
        if (!pl_is_digit(c) && c != '.' && c != 'O' && c != 'o' && !(i == 0 && (c == '-' || c == '+')))
            return false;
    }
    return digits > 0;
}

// ---- sessions

// What is stored behind it is not deleted.
static void delete_file(struct printer_lines *l, struct pl_slice name)
{
    lines_name_deleted(l, name);
    lines_note_change(l);
    l->waits = true;
}

// One command in passing. Inside of a label it is a command as any other.
static enum line_step passing(struct printer_lines *l, struct pl_slice rest)
{
    struct pl_slice word = next_word(&rest);
    if (l->mode == PAGE && pl_slice_is_sgd_verb(word))
        return LINE_SGD;
    if (pl_slice_eq_cstr(word, "DEL")) {
        delete_file(l, next_word(&rest));
        return l->mode == PAGE && !l->recalls ? LINE_ASKS : LINE_GOES_ON;
    }
    bool ends = pl_slice_is_one_of(word, "PRINT|POPRINT|END|ABORT|CONCAT|VCONCAT|ML|MULTILINE");
    l->unsure = l->unsure || ends || is_graphic(word) || pl_slice_eq_cstr(word, "PCX") ||
                pl_slice_is_one_of(word, "B|BARCODE|VB|VBARCODE|QRCODE");
    l->recalls = l->recalls || ends || l->unsure; // a setting alone prints nothing
    return LINE_GOES_ON;
}

// The five numbers behind "!".
static bool is_header(struct pl_slice rest)
{
    bool header = true;
    for (int i = 0; i < 5; i++)
        header = is_number(next_word(&rest)) && header;
    return header;
}

static bool begins_session(struct pl_slice line)
{
    return line.len > 1 && line.ptr[0] == '!' && (line.ptr[1] == ' ' || is_header(pl_slice_sub(line, 1, line.len)));
}

// ! UF: a format that is known here prints when its lines have come.
static enum line_step use_format(struct printer_lines *l, struct pl_slice name)
{
    struct printer_form format = {0};
    char found[PRINTER_FORM_NAME + 1];
    bool full, known = lines_form_name(name, "", found) && lines_find_form(l, found, &format, &full);
    if (!known || format.unclear || !format.prints) {
        l->recalls = l->waits = true;
        return LINE_GOES_ON;
    }
    if (l->recalls) // a page of lines ends before it
        l->before = LINE_PRINTS_BEFORE;
    l->count = format.slots;
    l->mode = format.slots > 0 ? VALUES : PAGE;
    l->recalls = l->waits = true;
    return format.slots > 0 ? LINE_GOES_ON : LINE_PRINTS;
}

static void begin_format(struct printer_lines *l, struct pl_slice name)
{
    l->form = (struct printer_form){0};
    (void)lines_form_name(name, "", l->form.name);
    l->change = LINE_FORM_STORED;
    l->half = false;
    l->inner = 0;
    line_begin(l);
}

static enum line_step session(struct printer_lines *l, struct pl_slice line)
{
    struct pl_slice rest = pl_slice_sub(line, 1, line.len), numbers = rest, word = next_word(&rest);
    if (pl_slice_eq_cstr(word, "U1"))
        return passing(l, rest);
    bool header = is_header(numbers);
    if (l->draws) { // of the session before, which has no PRINT
        l->before = LINE_UNFINISHED_BEFORE;
        l->draws = l->recalls = l->waits = false;
    }
    l->mode = PAGE;
    l->unsure = l->unsure || !line_is_whole(l);
    if (header) {
        if (l->recalls) // a page of lines ends before it
            l->before = LINE_PRINTS_BEFORE;
        l->mode = LABEL;
        l->draws = true;
        l->recalls = l->waits = false;
    } else if (pl_slice_is_one_of(word, "U|UTILITIES")) {
        l->mode = COMMANDS;
    } else if (pl_slice_is_one_of(word, "DF|DEFINE-FORMAT")) {
        l->mode = FORMAT;
        l->recording = l->stores = true;
        begin_format(l, next_word(&rest));
    } else if (pl_slice_is_one_of(word, "UF|USE-FORMAT")) {
        return use_format(l, next_word(&rest));
    } else if (pl_slice_is_one_of(word, "CISDFCRC16|CISDFRCRC16")) {
        l->mode = DOWNLOAD;
        l->stores = true;
        l->count = 4;
    }
    return LINE_GOES_ON;
}

// ---- lines

static bool has_matrix(struct pl_slice word, struct pl_slice rest)
{
    if (!pl_slice_is_one_of(word, "B|BARCODE|VB|VBARCODE"))
        return pl_slice_eq_cstr(word, "QRCODE");
    return pl_slice_is_one_of(next_word(&rest), "QR|PDF-417|PDF417|MAXICODE|AZTEC|DATAMATRIX|DATA-MATRIX");
}

static enum line_step label_line(struct printer_lines *l, struct pl_slice line)
{
    struct pl_slice rest = line, word = next_word(&rest);
    bool prints = l->mode == LABEL;
    if (is_print(word) || pl_slice_is_one_of(word, "END|ABORT")) {
        l->mode = PAGE;
        l->draws = false;
        if (is_print(word))
            return prints ? LINE_PRINTS : l->waits && !l->recalls ? LINE_ASKS : LINE_GOES_ON;
    } else if (pl_slice_eq_cstr(word, "DEL")) {
        delete_file(l, next_word(&rest));
    } else if (pl_slice_is_one_of(word, "CONCAT|VCONCAT")) {
        l->resumes = l->mode;
        l->mode = TEXTS;
        l->block_end[0] = l->block_end[1] = "ENDCONCAT";
    } else if (pl_slice_is_one_of(word, "ML|MULTILINE")) {
        if (!is_number(next_word(&rest)))
            return LINE_GOES_ON;
        l->resumes = l->mode;
        l->mode = TEXTS;
        l->block_end[0] = "ENDML";
        l->block_end[1] = "ENDMULTILINE";
    } else if (has_matrix(word, rest)) {
        l->resumes = l->mode;
        l->mode = BLOCK;
    }
    return LINE_GOES_ON;
}

static enum line_step download_line(struct printer_lines *l, struct pl_slice line)
{
    l->count--;
    if (l->count == 2)
        begin_format(l, pl_slice_trim(line));
    if (l->count == 1) {
        struct pl_slice digits = pl_slice_trim(line);
        l->size = 0;
        l->unsure = l->unsure || digits.len == 0 || digits.len > 8;
        for (size_t i = 0; i < digits.len; i++) {
            int value = pl_hex_value(digits.ptr[i]);
            l->size = l->size * 16 + (uint64_t)PL_MAX(value, 0);
            l->unsure = l->unsure || value < 0;
        }
    }
    if (l->count > 0)
        return LINE_GOES_ON;
    const char *dot = strchr(l->form.name, '.');
    l->mode = PAGE;
    l->counts = l->size > 0; // from behind the line end on, which is one byte or two
    l->scans = l->counts && dot && strcmp(dot, ".FMT") == 0;
    if (!l->scans)
        l->change = LINE_FORM_DELETED; // a file of its name is no format
    return LINE_GOES_ON;
}

static bool is_block_end(const struct printer_lines *l, struct pl_slice alone)
{
    if (l->mode == TEXTS)
        return pl_slice_eq_cstr(alone, l->block_end[0]) || pl_slice_eq_cstr(alone, l->block_end[1]);
    return pl_slice_is_one_of(alone, "ENDQR|ENDPDF|ENDMAXICODE|ENDAZTEC|ENDDATAMATRIX");
}

// ---- CG: width in bytes, height, x, y, one blank, and the bytes

static bool is_stored(const struct printer_lines *l)
{
    return l->mode == FORMAT || l->scans;
}

// How many bytes follow is not known. A file is as long as was said.
static void odd_graphic(struct printer_lines *l)
{
    l->form.unclear = l->form.unclear || l->scans;
    l->unsure = l->unsure || !l->scans;
}

static bool begins_graphic(const struct printer_lines *l, uint8_t c)
{
    if (!is_blank(c))
        return false;
    struct pl_slice rest = line_text(l), word = next_word(&rest);
    return rest.len == 0 && is_graphic(word);
}

static void begin_graphic(struct printer_lines *l)
{
    l->form.unclear = l->form.unclear || (is_stored(l) && !l->form.draws);
    l->state = GRAPHIC_BLANK;
    l->commas = 0;
    line_begin(l);
}

static void graphic_word_over(struct printer_lines *l)
{
    const struct line_number *n = l->numbers;
    l->state = GRAPHIC_BLANK;
    if (++l->commas < 4)
        return;
    l->state = START;
    line_begin(l);
    const uint64_t bytes = n[0].value * n[1].value;
    if (!line_number_is_within(&n[0], BYTES_A_ROW) || !line_number_is_within(&n[1], ROWS) || bytes == 0 ||
        !line_number_is_good(&n[2]) || !line_number_is_good(&n[3]))
        odd_graphic(l);
    else
        *(is_stored(l) ? &l->inner : &l->left) = bytes;
}

static void graphic_byte(struct printer_lines *l, uint8_t c)
{
    bool ends = pl_is_gap(c), missing = l->state == GRAPHIC_BLANK && line_ends(c);
    if (++l->length > GRAPHIC_LONGEST || (missing && is_stored(l)))
        odd_graphic(l);
    if (missing) {
        l->state = START;
        line_begin(l);
    } else if (l->state == GRAPHIC_BLANK && !ends) {
        l->state = GRAPHIC_WORD;
        line_number_begin(&l->numbers[l->commas]);
        line_number_take(&l->numbers[l->commas], c);
    } else if (l->state == GRAPHIC_WORD && ends) {
        graphic_word_over(l);
    } else if (l->state == GRAPHIC_WORD) {
        line_number_take(&l->numbers[l->commas], c);
    }
}

// ---- formats

// A line of a format. It prints if it begins a label and ends with PRINT.
static void format_line(struct printer_lines *l, struct pl_slice line, bool whole)
{
    struct pl_slice alone = pl_slice_trim(line);
    l->half = false;
    if (line.len > 0 && line.ptr[0] == '!') {
        l->form.unclear = l->form.unclear || l->form.draws || !is_header(pl_slice_sub(line, 1, line.len));
        l->form.draws = true;
    } else if (alone.len > 0) {
        l->form.unclear = l->form.unclear || !l->form.draws; // lines of a page
        l->form.prints = whole && is_print(alone);
    }
}

// Two backslashes are one line to come.
static void format_slot(struct printer_lines *l, uint8_t c)
{
    bool both = c == '\\' && l->half;
    l->form.slots += both;
    l->half = c == '\\' && !both;
}

bool lines_format(struct printer_lines *l, uint8_t c)
{
    if (l->inner > 0) {
        l->inner--;
        return false;
    }
    if (l->state != START) {
        graphic_byte(l, c);
        return false;
    }
    format_slot(l, c);
    if (line_ends(c)) {
        struct pl_slice line = line_text(l);
        bool whole = line_is_whole(l);
        format_line(l, line, whole);
        line_begin(l);
        return whole && pl_slice_is_one_of(pl_slice_trim(line), "PRINT|POPRINT|END");
    }
    if (begins_graphic(l, c))
        begin_graphic(l);
    else
        line_put(l, c);
    return false;
}

void lines_format_end(struct printer_lines *l)
{
    (void)lines_format(l, '\n');
    l->half = false;
    l->inner = 0;
    l->state = START;
}

static enum line_step value_line(struct printer_lines *l, struct pl_slice line)
{
    if (begins_session(line)) { // values are missing
        l->mode = PAGE;
        l->recalls = l->waits = false;
        enum line_step step = session(l, line);
        l->before = LINE_PRINTS_BEFORE;
        return step;
    }
    if (--l->count > 0)
        return LINE_GOES_ON;
    l->mode = PAGE;
    return LINE_PRINTS;
}

static enum line_step whole_line(struct printer_lines *l)
{
    struct pl_slice line = line_text(l), alone = pl_slice_trim(line);
    bool begins = line.len > 0 && line.ptr[0] == '!', whole = line_is_whole(l);
    switch ((enum mode)l->mode) {
    case PAGE:
        if (begins)
            return session(l, line);
        l->recalls = l->recalls || alone.len > 0;
        return LINE_GOES_ON;
    case VALUES:
        return value_line(l, line);
    case BLOCK:
    case TEXTS:
        if (whole && is_block_end(l, alone))
            l->mode = l->resumes;
        if (!is_print(alone) && !begins_session(line))
            return LINE_GOES_ON;
        l->mode = l->resumes; // it was left open
        break;
    case DOWNLOAD:
        return download_line(l, line);
    default:
        break;
    }
    return begins ? session(l, line) : label_line(l, line);
}

// ---- bytes

// A picture file may be a format.
static enum line_step format_byte(struct printer_lines *l, uint8_t c)
{
    bool begins = !l->form.draws && !l->form.unclear;
    l->unsure = l->unsure || (begins && c < ' ' && c != '\t' && !line_ends(c));
    if (lines_format(l, c)) {
        l->mode = PAGE;
        l->recording = false;
        l->last_end = c;
    }
    return LINE_GOES_ON;
}

// ESC and a letter: a question of the host, which needs no line of its own.
static bool takes_question(struct printer_lines *l, uint8_t c)
{
    bool asks = c == 'h' || c == 'i' || c == 'v' || c == 'N';
    l->state = asks ? START : LINE;
    if (!asks)
        line_put(l, ESC);
    l->bytes[0] = ESC;
    l->bytes[1] = c;
    return asks;
}

// The bytes of a download begin behind the line end.
static void begin_download(struct printer_lines *l, uint8_t c, bool second)
{
    l->counts = false;
    l->left = l->size - !second;
    line_begin(l);
    if (l->scans && !second)
        (void)lines_format(l, c);
    if (l->scans && l->left == 0)
        lines_format_end(l);
    l->scans = l->scans && l->left > 0;
}

enum line_step lines_cpcl(struct printer_lines *l, uint8_t c)
{
    const bool second = l->last_end && line_ends(c) && c != l->last_end; // of a line end of two bytes
    const bool counts = l->counts;
    l->last_end = 0;
    if (counts)
        begin_download(l, c, second);
    if (counts || second)
        return LINE_GOES_ON;
    if (l->mode == FORMAT)
        return format_byte(l, c);
    if (l->state == GRAPHIC_BLANK || l->state == GRAPHIC_WORD) {
        graphic_byte(l, c);
        return LINE_GOES_ON;
    }
    if (l->state == QUESTION && takes_question(l, c))
        return LINE_CONTROL;
    bool skips = l->mode == LABEL || l->mode == COMMANDS;
    if (l->state == START && skips && pl_is_gap(c))
        return LINE_GOES_ON;
    if (l->state == START)
        line_begin(l);
    if (l->state == START && c == ESC && (skips || l->mode == PAGE)) {
        l->state = QUESTION;
        return LINE_GOES_ON;
    }
    l->state = LINE;
    if (line_ends(c)) {
        l->state = START;
        l->last_end = c;
        return whole_line(l);
    }
    if (skips && begins_graphic(l, c)) {
        begin_graphic(l);
        return LINE_GOES_ON;
    }
    // A session, or a command in passing, may begin inside of a line.
    uint8_t before = l->length > 0 && l->length <= LINE_HEAD ? (uint8_t)l->head[l->length - 1] : l->last;
    bool inside = l->mode == PAGE && l->length > 0 &&
                  ((before == '!' && l->length > 1 && (c == ' ' || c == 'U' || pl_is_digit(c))) || before == '\f');
    bool file = l->mode == LABEL && is_blank(c) && pl_slice_eq_cstr(line_text(l), "PCX");
    l->unsure = l->unsure || inside || file;
    l->last = c;
    line_put(l, c);
    return LINE_GOES_ON;
}
