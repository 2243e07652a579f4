// Reading settings, event by event; no memory is asked for.
#include "check_toml.h"

#include "base/fmt.h"
#include "base/utf8.h"

void toml_init(struct toml_reader *r, struct pl_slice input)
{
    *r = (struct toml_reader){.input = input, .now = 1, .line = 1, .column = 1};
    if (input.len >= 3 && memcmp(input.ptr, "\xEF\xBB\xBF", 3) == 0)
        r->at = r->line_start = 3; // a byte order mark
}

static int peek(const struct toml_reader *r)
{
    return r->at < r->input.len ? r->input.ptr[r->at] : -1;
}

static void mark(struct toml_reader *r)
{
    r->line = r->now;
    r->column = (uint32_t)(r->at - r->line_start) + 1;
}

// A mistake at the place of the reader.
static enum toml_event bad(struct toml_reader *r, const char *mistake)
{
    mark(r);
    r->mistake = mistake;
    return TOML_BAD;
}

static void skip_blanks(struct toml_reader *r)
{
    while (peek(r) == ' ' || peek(r) == '\t')
        r->at++;
}

static void skip_comment(struct toml_reader *r)
{
    skip_blanks(r);
    if (peek(r) == '#') {
        while (peek(r) >= 0 && peek(r) != '\n')
            r->at++;
    }
    if (peek(r) == '\r' && r->at + 1 < r->input.len && r->input.ptr[r->at + 1] == '\n')
        r->at++;
}

// Over blanks, comments and empty lines.
static void skip_lines(struct toml_reader *r)
{
    for (skip_comment(r); peek(r) == '\n'; skip_comment(r)) {
        r->at++;
        r->now++;
        r->line_start = r->at;
    }
}

static bool ends_line(struct toml_reader *r)
{
    skip_comment(r);
    return peek(r) < 0 || peek(r) == '\n';
}

static bool is_bare(int c)
{
    return pl_is_letter((uint32_t)c) || pl_is_digit((uint32_t)c) || c == '-' || c == '_';
}

// `dots`: names of sections have them.
static bool read_key(struct toml_reader *r, bool dots)
{
    size_t len = 0;
    for (; is_bare(peek(r)) || (dots && peek(r) == '.'); r->at++) {
        if (len + 1 == TOML_KEY_MAX)
            return false;
        r->key[len++] = (char)peek(r);
    }
    r->key[len] = '\0';
    return len > 0;
}

// \uXXXX and \UXXXXXXXX; `at` is behind the u.
static bool read_code_point(struct toml_reader *r, unsigned digits, uint32_t *out)
{
    *out = 0;
    for (unsigned i = 0; i < digits; i++, r->at++) {
        int value = peek(r) < 0 ? -1 : pl_hex_value((uint8_t)peek(r));
        if (value < 0)
            return false;
        *out = *out << 4 | (uint32_t)value;
    }
    return *out > 0 && *out <= 0x10FFFF && (*out < 0xD800 || *out > 0xDFFF);
}

// What stands behind a backslash. 0: it is no escape.
static size_t read_escape(struct toml_reader *r, uint8_t out[4])
{
    static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    int c = peek(r);
    const char *found = c > 0 ? strchr(names, c) : NULL;
    uint32_t code_point;
    if (found) {
        r->at++;
        out[0] = (uint8_t)values[found - names];
        return 1;
    }
    if (c != 'u' && c != 'U')
        return 0;
    r->at++;
    return read_code_point(r, c == 'u' ? 4 : 8, &code_point) ? pl_utf8_put(code_point, out) : 0;
}

// NULL, or the mistake.
static const char *read_string(struct toml_reader *r)
{
    int quote = peek(r);
    size_t len = 0;
    for (r->at++; peek(r) != quote;) {
        int c = peek(r);
        uint8_t bytes[4] = {(uint8_t)c};
        size_t count = 1;
        if (c < 0 || c == '\n')
            return "the string has no end";
        if ((c < ' ' && c != '\t') || c == 0x7F)
            return "a control character cannot be in a string";
        r->at++;
        if (c == '\\' && quote == '"' && (count = read_escape(r, bytes)) == 0)
            return "there is no such escape: \\\" \\\\ \\b \\t \\n \\f \\r \\uXXXX and \\UXXXXXXXX are known";
        if (len + count >= TOML_TEXT_MAX)
            return "the string is too long";
        memcpy(r->text + len, bytes, count);
        len += count;
    }
    r->at++;
    r->text[len] = '\0';
    return pl_utf8_valid(pl_slice_make(r->text, len)) ? NULL : "the string is not UTF-8";
}

static enum toml_event string(struct toml_reader *r, enum toml_event event)
{
    mark(r);
    uint32_t column = r->column;
    const char *mistake = read_string(r);
    if (mistake)
        return bad(r, mistake);
    r->column = column;
    return event;
}

static enum toml_event bare_value(struct toml_reader *r)
{
    size_t len = 0, from = r->at;
    double number;
    mark(r);
    for (; is_bare(peek(r)) || peek(r) == '+' || peek(r) == '.'; r->at++) {
        if (len + 1 == TOML_TEXT_MAX)
            return bad(r, "the value is too long");
        r->text[len++] = (char)peek(r);
    }
    r->text[len] = '\0';
    if (strcmp(r->text, "true") == 0 || strcmp(r->text, "false") == 0)
        return TOML_BOOLEAN;
    if (pl_parse_double(pl_slice_cstr(r->text), &number))
        return TOML_NUMBER;
    r->at = from;
    return bad(r, "a value must be a string in quotes, a number, true, false or an array of strings");
}

static enum toml_event value(struct toml_reader *r)
{
    if (peek(r) == '[') {
        mark(r);
        r->at++;
        r->in_array = true;
        return TOML_ARRAY;
    }
    enum toml_event event = peek(r) == '"' || peek(r) == '\'' ? string(r, TOML_STRING) : bare_value(r);
    if (event != TOML_BAD && !ends_line(r))
        return bad(r, "there is something behind the value");
    return event;
}

// The next string of an array, or what comes behind it.
static enum toml_event item(struct toml_reader *r)
{
    skip_lines(r);
    if (peek(r) == ']') {
        r->at++;
        r->in_array = false;
        return ends_line(r) ? toml_next(r) : bad(r, "there is something behind the array");
    }
    if (peek(r) != '"' && peek(r) != '\'')
        return bad(r, peek(r) < 0 ? "the array has no end" : "an array holds strings in quotes");
    enum toml_event event = string(r, TOML_ITEM);
    if (event == TOML_BAD)
        return event;
    skip_lines(r);
    if (peek(r) == ',')
        r->at++;
    else if (peek(r) != ']')
        return bad(r, "a comma or ] must follow");
    return event;
}

static enum toml_event section(struct toml_reader *r)
{
    mark(r);
    r->at++;
    skip_blanks(r);
    if (!read_key(r, true))
        return bad(r, "a section is a name in brackets, such as [check]");
    skip_blanks(r);
    if (peek(r) != ']')
        return bad(r, "the section has no ]");
    r->at++;
    return ends_line(r) ? TOML_SECTION : bad(r, "there is something behind the section");
}

enum toml_event toml_next(struct toml_reader *r)
{
    if (r->mistake)
        return TOML_BAD;
    if (r->in_array)
        return item(r);
    skip_lines(r);
    if (peek(r) < 0)
        return TOML_END;
    if (peek(r) == '[')
        return section(r);
    if (!read_key(r, false))
        return bad(r, "a line must be key = value or [section]");
    skip_blanks(r);
    if (peek(r) != '=')
        return bad(r, "a = must follow the key");
    r->at++;
    skip_blanks(r);
    return value(r);
}
