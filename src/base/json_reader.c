// The strict JSON reader: one pass, no recursion, no memory of its own.
#include "base/json_reader.h"

#include <string.h>

#include "base/fmt.h"
#include "base/json_plain.h"
#include "base/utf8.h"

void pl_json_reader_init(struct pl_json_reader *reader, struct pl_slice text)
{
    *reader = (struct pl_json_reader){.text = text};
    // Some editors write a mark at the start of UTF-8. RFC 8259, 8.1: a reader may pass over it.
    if (text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0)
        reader->pos = 3;
}

static enum pl_json_event bad(struct pl_json_reader *r, const char *what)
{
    pl_fail(&r->err, PL_E_INVALID, "%s at byte %zu", what, r->pos);
    return PL_JSON_BAD;
}

static int peek(const struct pl_json_reader *r)
{
    return r->pos < r->text.len ? r->text.ptr[r->pos] : -1;
}

static void skip_space(struct pl_json_reader *r)
{
    for (int c = peek(r); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = peek(r))
        r->pos++;
}

// Four hexadecimal digits at `at`, or -1.
static int32_t hex4(struct pl_slice s, size_t at)
{
    if (at + 4 > s.len)
        return -1;
    int32_t value = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = pl_hex_value(s.ptr[at + i]);
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

// Checks the escape whose backslash stands at pos and goes past it.
static bool check_escape(struct pl_json_reader *r)
{
    int c = r->pos + 1 < r->text.len ? r->text.ptr[r->pos + 1] : -1;
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        r->pos += 2;
        return true;
    case 'u':
        break;
    default:
        return false;
    }
    int32_t unit = hex4(r->text, r->pos + 2);
    if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF))
        return false;
    r->pos += 6;
    if (unit < 0xD800 || unit > 0xDBFF)
        return true;
    // A high surrogate wants its low one.
    if (r->pos + 2 > r->text.len || r->text.ptr[r->pos] != '\\' || r->text.ptr[r->pos + 1] != 'u')
        return false;
    int32_t low = hex4(r->text, r->pos + 2);
    if (low < 0xDC00 || low > 0xDFFF)
        return false;
    r->pos += 6;
    return true;
}

// The string whose opening quote stands at pos.
static bool read_string(struct pl_json_reader *r)
{
    size_t start = ++r->pos;
    r->escaped = false;
    for (;;) {
        while (r->pos + 8 <= r->text.len && pl_json_plain8(r->text.ptr + r->pos))
            r->pos += 8;
        int c = peek(r);
        if (c < 0) {
            bad(r, "a string without its closing quote");
            return false;
        }
        if (c == '"') {
            r->token = pl_slice_sub(r->text, start, r->pos - start);
            r->pos++;
            return true;
        }
        if (c < 0x20) {
            bad(r, "a control character in a string");
            return false;
        }
        if (c == '\\') {
            r->escaped = true;
            if (!check_escape(r)) {
                bad(r, "a bad escape in a string");
                return false;
            }
        } else if (c >= 0x80) {
            size_t pos = r->pos;
            if (pl_utf8_next(r->text, &pos) == PL_UTF8_BAD) {
                bad(r, "a string that is not UTF-8");
                return false;
            }
            r->pos = pos;
        } else {
            r->pos++;
        }
    }
}

static size_t digits(struct pl_json_reader *r)
{
    size_t start = r->pos;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->pos++;
    return r->pos - start;
}

static enum pl_json_event read_number(struct pl_json_reader *r)
{
    size_t start = r->pos;
    if (peek(r) == '-')
        r->pos++;
    bool zero = peek(r) == '0';
    size_t whole = digits(r);
    if (whole == 0 || (zero && whole > 1))
        return bad(r, "a malformed number");
    if (peek(r) == '.') {
        r->pos++;
        if (digits(r) == 0)
            return bad(r, "a malformed number");
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->pos++;
        if (peek(r) == '+' || peek(r) == '-')
            r->pos++;
        if (digits(r) == 0)
            return bad(r, "a malformed number");
    }
    r->token = pl_slice_sub(r->text, start, r->pos - start);
    return PL_JSON_NUMBER;
}

static enum pl_json_event read_word(struct pl_json_reader *r, const char *word, enum pl_json_event event)
{
    if (!pl_slice_eq_cstr(pl_slice_sub(r->text, r->pos, strlen(word)), word))
        return bad(r, "a character that cannot begin a value");
    r->pos += strlen(word);
    return event;
}

static enum pl_json_event enter(struct pl_json_reader *r, bool array)
{
    if (r->depth == PL_JSON_DEPTH_MAX)
        return bad(r, "too many levels");
    r->pos++;
    r->arrays = (r->arrays & ~(1u << r->depth)) | (uint32_t)array << r->depth;
    r->depth++;
    r->value_done = false;
    return array ? PL_JSON_ARRAY : PL_JSON_OBJECT;
}

static enum pl_json_event leave(struct pl_json_reader *r, bool array)
{
    r->pos++;
    r->depth--;
    r->value_done = true;
    return array ? PL_JSON_ARRAY_END : PL_JSON_OBJECT_END;
}

static enum pl_json_event read_value(struct pl_json_reader *r)
{
    int c = peek(r);
    r->after_key = false;
    if (c == '{' || c == '[')
        return enter(r, c == '[');
    r->value_done = true;
    switch (c) {
    case '"':
        return read_string(r) ? PL_JSON_STRING : PL_JSON_BAD;
    case 't':
        return read_word(r, "true", PL_JSON_TRUE);
    case 'f':
        return read_word(r, "false", PL_JSON_FALSE);
    case 'n':
        return read_word(r, "null", PL_JSON_NULL);
    default:
        if (c == '-' || (c >= '0' && c <= '9'))
            return read_number(r);
        return bad(r, c < 0 ? "the end where a value should be" : "a character that cannot begin a value");
    }
}

static enum pl_json_event read_key(struct pl_json_reader *r)
{
    if (peek(r) != '"')
        return bad(r, "no key in quotes");
    if (!read_string(r))
        return PL_JSON_BAD;
    skip_space(r);
    if (peek(r) != ':')
        return bad(r, "no colon after a key");
    r->pos++;
    r->after_key = true;
    return PL_JSON_KEY;
}

enum pl_json_event pl_json_next(struct pl_json_reader *r)
{
    if (r->err.code != PL_OK)
        return PL_JSON_BAD;
    skip_space(r);
    int c = peek(r);
    if (r->depth == 0) {
        if (!r->value_done)
            return read_value(r);
        return c < 0 ? PL_JSON_END : bad(r, "text after the end of the value");
    }
    if (r->after_key)
        return read_value(r);
    bool array = r->arrays >> (r->depth - 1) & 1;
    if (c == (array ? ']' : '}'))
        return leave(r, array);
    if (r->value_done) {
        if (c != ',')
            return bad(r, c < 0 ? "the end of the text inside a value" : "no comma between two values");
        r->pos++;
        r->value_done = false;
        skip_space(r);
    }
    return array ? read_value(r) : read_key(r);
}

bool pl_json_skip(struct pl_json_reader *r)
{
    unsigned outside = r->depth - 1;
    while (r->depth > outside) {
        if (pl_json_next(r) == PL_JSON_BAD)
            return false;
    }
    return true;
}

size_t pl_json_unescape(struct pl_slice s, uint8_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len;) {
        const uint8_t *slash = memchr(s.ptr + i, '\\', s.len - i);
        size_t run = slash ? (size_t)(slash - s.ptr) - i : s.len - i;
        memcpy(out + n, s.ptr + i, run);
        n += run;
        i += run;
        if (i + 1 >= s.len)
            break;
        static const char from[] = "bfnrt";
        static const char to[] = "\b\f\n\r\t";
        uint8_t c = s.ptr[i + 1];
        const char *known = strchr(from, c);
        if (c == 'u') {
            uint32_t cp = (uint32_t)hex4(s, i + 2);
            i += 6;
            if (cp >= 0xD800 && cp <= 0xDBFF) {
                cp = 0x10000 + ((cp - 0xD800) << 10) + ((uint32_t)hex4(s, i + 2) - 0xDC00);
                i += 6;
            }
            uint8_t bytes[4];
            size_t len = pl_utf8_put(cp, bytes);
            memcpy(out + n, bytes, len);
            n += len;
        } else {
            out[n++] = known && c != '\0' ? (uint8_t)to[known - from] : c;
            i += 2;
        }
    }
    return n;
}

bool pl_json_text(struct pl_slice token, bool escaped, struct pl_arena *arena, struct pl_slice *out)
{
    *out = token;
    if (!escaped)
        return true;
    uint8_t *text = PL_ARENA_ARRAY(arena, uint8_t, token.len);
    if (text)
        *out = pl_slice_make(text, pl_json_unescape(token, text));
    return text != NULL;
}

const char *pl_json_event_name(enum pl_json_event event)
{
    switch (event) {
    case PL_JSON_OBJECT:
    case PL_JSON_OBJECT_END:
        return "an object";
    case PL_JSON_ARRAY:
    case PL_JSON_ARRAY_END:
        return "an array";
    case PL_JSON_KEY:
    case PL_JSON_STRING:
        return "a string";
    case PL_JSON_NUMBER:
        return "a number";
    case PL_JSON_TRUE:
    case PL_JSON_FALSE:
        return "a boolean";
    case PL_JSON_NULL:
        return "null";
    default:
        return "nothing";
    }
}
