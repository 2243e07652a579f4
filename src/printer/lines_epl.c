// EPL2: a command a line. P ends a label; GW, GM and ES count bytes; lines behind `?` are values of the form.
#include <string.h>

#include "printer/lines_parts.h"

enum state {
    START, // blanks before a command
    LINE,
    BITMAP_NUMBERS, // of GW
    FILE_QUOTE,     // GM: before the name
    FILE_NAME,
    FILE_ESCAPE, // behind a backslash in it
    FILE_COUNT,
    FILE_RETURN, // behind a carriage return
    FILE_MAGIC,  // a line feed, which may be the first byte of the file
    FONT_NAME,   // ES
    FONT_HEAD,
    FONT_CHARACTER,
    MATRIX,        // b: outside of quotes
    MATRIX_QUOTE,  // in quotes
    MATRIX_ESCAPE, // behind a backslash in them
    MATRIX_LATER,  // behind a quote that ends on a later line
    VALUES,        // lines that answer `?`
};

#define EPL_NAME 16
enum { MATRIX_LONGEST = 4096, VARIABLES = 100, BYTES_A_ROW = 8192, ROWS = 65535 };

// ---- forms

// A form that is not known here is not stored, unless there was no room for what is known of it.
static void recall_form(struct printer_lines *l, const char *name)
{
    bool full, found = lines_find_form(l, name, &l->recalled, &full);
    l->unsure = l->unsure || (found ? l->recalled.unclear : full);
    l->recalls = l->waits = l->recalls || found;
}

// The name between the first two quotes behind the command's two letters. False: there is none.
static bool read_name(struct printer_lines *l, char out[EPL_NAME + 1])
{
    struct pl_slice text = pl_slice_sub(line_text(l), 2, LINE_HEAD);
    const uint8_t *open = text.len ? memchr(text.ptr, '"', text.len) : NULL;
    size_t rest = open ? text.len - (size_t)(open + 1 - text.ptr) : 0;
    const uint8_t *close = rest ? memchr(open + 1, '"', rest) : NULL;
    size_t length = close ? (size_t)(close - open - 1) : 0;
    if (!close && !line_is_whole(l))
        l->unsure = true;
    if (length == 0 || length > EPL_NAME || memchr(open + 1, 0, length))
        return false;
    memcpy(out, open + 1, length);
    out[length] = '\0';
    return true;
}

// V and C: the number of the variable, and how long it may be.
static void define(struct printer_lines *l, bool counter)
{
    struct line_number numbers[2];
    uint32_t item = 0, at = 1;
    line_number_begin(&numbers[0]);
    line_number_begin(&numbers[1]);
    for (; at < l->length && at < LINE_HEAD && item < 2; at++) {
        if (l->head[at] == ',')
            item++;
        else
            line_number_take(&numbers[item], (uint8_t)l->head[at]);
    }
    if (item < 2 && !line_is_whole(l))
        l->unsure = true;
    if (!line_number_is_good(&numbers[0]) || !line_number_is_good(&numbers[1]))
        return;
    uint32_t number = numbers[0].negative ? 0 : (uint32_t)PL_MIN(numbers[0].value, counter ? 9u : 99u);
    number += counter ? VARIABLES : 0;
    struct printer_form *form = l->recording ? &l->form : &l->recalled;
    form->fields[number / 64] |= (uint64_t)1 << number % 64;
}

static uint32_t field_count(const struct printer_form *form)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 128; i++)
        count += form->fields[i / 64] >> i % 64 & 1;
    return count;
}

// ---- lines

// Is this the command, by the rule that a letter more makes another name of it?
static bool is_command(const struct printer_lines *l, const char *name)
{
    uint32_t n = (uint32_t)strlen(name);
    return l->length >= n && memcmp(l->head, name, n) == 0 && !pl_is_letter(line_at(l, n));
}

static bool draws(const struct printer_lines *l)
{
    static const char *const NAMES[] = {"A", "B", "b", "X", "LO", "LE", "LW", "LS", "GG"};
    for (size_t i = 0; i < PL_COUNTOF(NAMES); i++)
        if (is_command(l, NAMES[i]))
            return true;
    return false;
}

// A stored graphic, or text in a font that may be stored: those of the printer are numbers.
static bool uses_stored(const struct printer_lines *l)
{
    uint32_t at = 1, commas = 0;
    if (!is_command(l, "A"))
        return is_command(l, "GG");
    for (; at < l->length && at < LINE_HEAD && commas < 3; at++)
        commas += l->head[at] == ',';
    return commas == 3 && !pl_is_digit(line_at(l, at));
}

static bool asks(const struct printer_lines *l)
{
    return is_command(l, "UQ") || is_command(l, "UF") || is_command(l, "UG");
}

static enum line_step recorded_line(struct printer_lines *l)
{
    if (is_command(l, "FE")) {
        l->recording = false;
        l->change = LINE_FORM_STORED;
        return LINE_STORES;
    } else if (is_command(l, "PA")) {
        l->form.prints = true;
    } else if (is_command(l, "FR")) {
        l->form.unclear = true;
    } else if (is_command(l, "V") || is_command(l, "C")) {
        define(l, l->head[0] == 'C');
    }
    return LINE_GOES_ON;
}

static enum line_step recall_line(struct printer_lines *l)
{
    char name[EPL_NAME + 1];
    if (!read_name(l, name))
        return LINE_GOES_ON;
    recall_form(l, name);
    return l->recalled.prints && field_count(&l->recalled) == 0 && strcmp(l->recalled.name, name) == 0 ? LINE_PRINTS
                                                                                                       : LINE_GOES_ON;
}

static enum line_step delete_line(struct printer_lines *l)
{
    l->form = (struct printer_form){0};
    if (is_command(l, "FK") && read_name(l, l->form.name))
        l->change = LINE_FORM_DELETED;
    return LINE_STORES;
}

static enum line_step whole_line(struct printer_lines *l)
{
    l->state = START;
    while (l->length > 0 && l->length <= LINE_HEAD &&
           (l->head[l->length - 1] == '\r' || l->head[l->length - 1] == '\0'))
        l->length--;
    if (l->recording)
        return recorded_line(l);
    if (is_command(l, "P") || is_command(l, "PA"))
        return LINE_PRINTS;
    if (draws(l)) {
        l->draws = true;
        l->waits = l->waits || uses_stored(l);
    } else if (is_command(l, "N")) {
        l->draws = l->recalls = l->waits = false;
    } else if (is_command(l, "FS")) {
        l->form = (struct printer_form){0};
        l->recording = read_name(l, l->form.name);
    } else if (is_command(l, "FK") || is_command(l, "GK") || is_command(l, "EK")) {
        return delete_line(l);
    } else if (is_command(l, "FR")) {
        return recall_line(l);
    } else if (is_command(l, "V") || is_command(l, "C")) {
        define(l, l->head[0] == 'C');
    } else if (is_command(l, "?")) {
        l->count = field_count(&l->recalled);
        l->state = l->count > 0 ? VALUES : START;
    } else if (asks(l) && !l->draws && !l->recalls) {
        return LINE_ASKS;
    }
    return LINE_GOES_ON;
}

// ---- bytes that are counted

static uint64_t clamped(const struct line_number *n, uint64_t most)
{
    return n->negative ? 1 : PL_MAX(PL_MIN(n->value, most), (uint64_t)1);
}

static enum line_step bitmap_byte(struct printer_lines *l, uint8_t c)
{
    if (c != ',' && c != '\n') {
        line_number_take(&l->numbers[l->commas], c);
        return LINE_GOES_ON;
    }
    if (c == ',' && l->commas < 3) {
        line_number_begin(&l->numbers[++l->commas]);
        return LINE_GOES_ON;
    }
    bool good = l->commas == 3;
    for (int i = 0; good && i < 4; i++)
        good = line_number_is_good(&l->numbers[i]);
    const struct line_number *row = &l->numbers[2], *rows = &l->numbers[3];
    l->state = START;
    if (good && l->recording) // where sizes are not corrected
        l->left = row->negative || rows->negative
                      ? 0
                      : PL_MIN(row->value, (uint64_t)ROWS) * PL_MIN(rows->value, (uint64_t)ROWS);
    else if (good)
        l->left = clamped(row, BYTES_A_ROW) * clamped(rows, ROWS);
    l->draws = l->draws || (good && !l->recording);
    return LINE_GOES_ON;
}

// The file of GM begins here; `taken` of its bytes were taken already. False: the last of them is none of it.
static bool begin_file(struct printer_lines *l, uint64_t taken)
{
    uint64_t bytes = l->recording || !line_number_is_good(&l->numbers[0]) ? 0 : l->numbers[0].value;
    l->state = START;
    l->left = bytes > taken ? bytes - taken : 0;
    return bytes >= taken;
}

// Behind the name: the number of bytes, and the end of the line.
static void file_count_byte(struct printer_lines *l, uint8_t c)
{
    bool counts = l->state != FILE_RETURN && (pl_is_digit(c) || c == ',');
    if (c == '\n') {
        l->state = FILE_MAGIC;
    } else if (counts) {
        l->state = FILE_COUNT;
        if (c == ',')
            line_number_begin(&l->numbers[0]);
        else
            line_number_take(&l->numbers[0], c);
    } else if (c == '\r' && l->state != FILE_RETURN) {
        l->state = FILE_RETURN;
    } else {
        (void)begin_file(l, 0); // one byte is between
    }
}

static enum line_step file_byte(struct printer_lines *l, uint8_t c)
{
    if (l->state == FILE_NAME || l->state == FILE_ESCAPE) {
        bool plain = l->state == FILE_NAME;
        l->state = plain && c == '"' ? FILE_COUNT : plain && c == '\\' ? FILE_ESCAPE : FILE_NAME;
        l->unsure = l->unsure || c == '\n';
    } else if (l->state == FILE_QUOTE && c == '"') {
        l->state = FILE_NAME;
    } else if (l->state != FILE_MAGIC) {
        file_count_byte(l, c);
    } else if (c > 5) { // the line feed was the end of the line
        l->stores = begin_file(l, 1);
        return l->stores ? LINE_GOES_ON : lines_epl(l, c);
    } else { // it is the first byte of the file, and this is the second
        l->unsure = !begin_file(l, 2) || l->unsure;
    }
    return LINE_GOES_ON;
}

static void font_byte(struct printer_lines *l, uint8_t c)
{
    l->bytes[l->count++] = c;
    if (l->count < 3)
        return;
    l->count = 0;
    if (l->state == FONT_NAME) {
        bool named = l->bytes[0] == '"' && l->bytes[2] == '"' && l->bytes[1] != '"' && l->bytes[1] != 0;
        l->state = l->recording ? START : FONT_HEAD;
        l->rows = named;
    } else if (l->state == FONT_HEAD) {
        l->sets = l->rows ? (l->bytes[0] ? l->bytes[0] : 256u) * (l->bytes[1] == 2 ? 2u : 1u) : 0;
        l->rows = l->bytes[2];
        l->state = l->sets > 0 ? FONT_CHARACTER : START;
    } else {
        l->left = (uint64_t)((l->bytes[2] + 7u) / 8) * l->rows;
        l->state = --l->sets > 0 ? FONT_CHARACTER : START;
    }
}

// Text of a code in two dimensions may hold line feeds. A quote that is not closed, or has more behind it on a later
// line, ends the command where its first line ends: that was before.
static enum line_step matrix_byte(struct printer_lines *l, uint8_t c)
{
    l->length++;
    l->behind += l->behind > 0;
    l->unsure = l->unsure || (l->state != MATRIX && l->behind > 0 && l->length > MATRIX_LONGEST);
    switch ((enum state)l->state) {
    case MATRIX_QUOTE:
        if (c == '\\')
            l->state = MATRIX_ESCAPE;
        else if (c == '"')
            l->state = l->behind > 0 ? MATRIX_LATER : MATRIX;
        l->behind = c == '\n' && l->behind == 0 ? 1 : l->behind;
        return LINE_GOES_ON;
    case MATRIX_ESCAPE:
        l->state = MATRIX_QUOTE;
        l->behind = c == '\n' && l->behind == 0 ? 1 : l->behind;
        return LINE_GOES_ON;
    case MATRIX_LATER:
        l->rewinds = c != '\n' && c != '\r' && c != 0;
        break;
    default:
        if (c == '"')
            l->state = MATRIX_QUOTE;
        break;
    }
    if (c == '\n')
        l->state = START;
    return LINE_GOES_ON;
}

bool lines_epl_quoted(const struct printer_lines *l)
{
    return l->state == MATRIX_QUOTE || l->state == MATRIX_ESCAPE;
}

// The letter behind a name that has bytes of its own, or quotes over several lines, tells whether it is that one.
static bool begin_special(struct printer_lines *l, uint8_t c)
{
    bool two = l->length == 2 && !pl_is_letter(c);
    if (l->length == 1 && l->head[0] == 'b' && !pl_is_letter(c)) {
        l->state = MATRIX;
        l->behind = 0;
        l->draws = l->draws || !l->recording;
    } else if (two && memcmp(l->head, "GW", 2) == 0) {
        l->state = BITMAP_NUMBERS;
        l->commas = 0;
        line_number_begin(&l->numbers[0]);
    } else if (two && memcmp(l->head, "GM", 2) == 0) {
        l->state = FILE_QUOTE;
        l->stores = !l->recording;
        line_number_begin(&l->numbers[0]);
    } else if (two && memcmp(l->head, "ES", 2) == 0) {
        l->state = FONT_NAME;
        l->stores = !l->recording;
        l->count = 0;
    }
    return l->state != LINE;
}

enum line_step lines_epl(struct printer_lines *l, uint8_t c)
{
    switch ((enum state)l->state) {
    case START:
        if (pl_is_gap(c))
            return LINE_GOES_ON;
        line_begin(l);
        line_put(l, c);
        l->state = LINE;
        return LINE_GOES_ON;
    case LINE:
        if (l->length <= 2 && begin_special(l, c))
            return lines_epl(l, c); // once: no other state begins one
        if (c == '\n')
            return whole_line(l);
        line_put(l, c);
        return LINE_GOES_ON;
    case BITMAP_NUMBERS:
        return bitmap_byte(l, c);
    case FONT_NAME:
    case FONT_HEAD:
    case FONT_CHARACTER:
        font_byte(l, c);
        return LINE_GOES_ON;
    case MATRIX:
    case MATRIX_QUOTE:
    case MATRIX_ESCAPE:
    case MATRIX_LATER:
        return matrix_byte(l, c);
    case VALUES:
        if (c != '\n' || --l->count > 0)
            return LINE_GOES_ON;
        l->state = START;
        return l->recalled.prints ? LINE_PRINTS : LINE_GOES_ON;
    default:
        return file_byte(l, c);
    }
}
