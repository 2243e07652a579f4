// Reading and writing the value of a control by its row.
#include "request/control.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "request/own_values.h"

// The next item of a list with spaces; false: there is none.
static bool next_item(const char **list, struct pl_slice *item)
{
    if (!*list || !**list)
        return false;
    size_t n = strcspn(*list, " ");
    *item = pl_slice_make(*list, n);
    *list += n + ((*list)[n] == ' ');
    return true;
}

bool control_is_named(const struct control_row *row, struct pl_slice name)
{
    const char *aliases = row->aliases;
    struct pl_slice alias;
    if (pl_slice_eq_nocase(name, pl_slice_cstr(row->name)))
        return true;
    while (next_item(&aliases, &alias)) {
        if (pl_slice_eq_nocase(name, alias))
            return true;
    }
    return false;
}

// One of the spellings "jpeg/jpg".
static bool is_spelling(struct pl_slice word, struct pl_slice text)
{
    bool is_one;
    do
        is_one = pl_slice_eq_nocase(text, pl_slice_until(&word, '/'));
    while (!is_one && word.len > 0);
    return is_one;
}

bool control_word(const char *words, struct pl_slice text, uint32_t *out)
{
    struct pl_slice word;
    for (*out = 0; next_item(&words, &word); ++*out) {
        if (is_spelling(word, text))
            return true;
    }
    return false;
}

// Numbers of words and whole numbers, in a bool, an enum or an integer.
static void store(void *at, size_t size, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    bool flag = value != 0;
    assert(size == sizeof flag || size == sizeof narrow || size == sizeof value);
    memcpy(at,
           size == sizeof flag     ? (const void *)&flag
           : size == sizeof narrow ? (const void *)&narrow
                                   : &value,
           size);
}

static uint64_t load(const void *at, size_t size)
{
    uint64_t value = 0;
    uint32_t narrow;
    bool flag;
    if (size == sizeof flag) {
        memcpy(&flag, at, sizeof flag);
        return flag;
    }
    if (size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    assert(size == sizeof value);
    memcpy(&value, at, sizeof value);
    return value;
}

// A string of JSON is no number, but where a number may have a suffix: "8dpmm", and then also "8".
static bool read_number(const struct control_row *row, struct control_value v, double *out)
{
    size_t n = row->suffix ? strlen(row->suffix) : 0;
    if (n && v.type == PL_JSON_STRING) {
        v.json = false;
        if (v.text.len > n && pl_slice_eq_nocase(pl_slice_sub(v.text, v.text.len - n, n), pl_slice_cstr(row->suffix)))
            v.text.len -= n;
    }
    return !(v.json && v.type != PL_JSON_NUMBER) && pl_parse_double(v.text, out) && *out >= row->least &&
           *out <= row->most && !(row->above && *out == row->least);
}

static bool read_whole(const struct control_row *row, struct control_value v, void *at)
{
    double number;
    if (!read_number(row, v, &number) || number != floor(number) || (row->step > 0 && fmod(number, row->step) != 0))
        return false;
    store(at, row->size, (uint64_t)(number + row->shift));
    return true;
}

static bool read_flag(struct control_value v, void *at)
{
    bool flag = v.type == PL_JSON_TRUE;
    if (v.json ? !flag && v.type != PL_JSON_FALSE : !pl_parse_bool(v.text, &flag))
        return false;
    memcpy(at, &flag, sizeof flag);
    return true;
}

static bool read_chars(const struct control_row *row, struct pl_slice text, void *at)
{
    assert(row->size > 0);
    if (text.len >= row->size || (text.len && memchr(text.ptr, 0, text.len)))
        return false;
    memset(at, 0, row->size);
    if (text.len)
        memcpy(at, text.ptr, text.len);
    return true;
}

bool control_read(const struct control_row *row, struct control_value v, void *at)
{
    bool is_text = !v.json || v.type == PL_JSON_STRING, is_number = !v.json || v.type == PL_JSON_NUMBER;
    double number;
    uint32_t word;
    int64_t seconds;
    switch (row->kind) {
    case KIND_NUMBER:
        assert(row->size == sizeof number);
        if (!read_number(row, v, &number))
            return false;
        memcpy(at, &number, sizeof number);
        return true;
    case KIND_WHOLE:
        return read_whole(row, v, at);
    case KIND_FLAG:
        return read_flag(v, at);
    case KIND_WORD:
        assert(row->words);
        if (!is_text || !control_word(row->words, v.text, &word))
            return false;
        store(at, row->size, (uint64_t)((int64_t)word + row->shift));
        return true;
    case KIND_TEXT:
        assert(row->size == sizeof v.text);
        memcpy(at, &v.text, sizeof v.text);
        return is_text;
    case KIND_CHARS:
        return is_text && read_chars(row, v.text, at);
    case KIND_TIME:
        if ((!is_text && !is_number) || !control_read_time(v.text, &seconds))
            return false;
        assert(row->size == sizeof seconds);
        memcpy(at, &seconds, sizeof seconds);
        return true;
    case KIND_OWN:
        assert(row->read);
        return ((is_text && row->takes & TAKES_STRING) || (is_number && row->takes & TAKES_NUMBER)) &&
               row->read(v.text, at);
    }
    return false;
}

bool control_refuse(const struct control_row *row, struct pl_slice name, struct control_value value,
                    struct problem *problem)
{
    struct pl_slice got = value.text;
    // A string where a number or a boolean should be looks right otherwise.
    bool is_string = value.json && value.type == PL_JSON_STRING &&
                     (row->kind == KIND_NUMBER || row->kind == KIND_WHOLE || row->kind == KIND_FLAG);
    // What came is shown short and without bytes that could break a log or a terminal.
    char shown[40], room[CONTROL_ALLOWED_MAX];
    size_t n = 0;
    for (size_t i = 0; i < got.len && n < sizeof shown - 4; i++)
        shown[n++] = got.ptr[i] >= 0x20 && got.ptr[i] < 0x7F ? (char)got.ptr[i] : '?';
    if (n < got.len)
        n += (size_t)snprintf(shown + n, sizeof shown - n, "...");
    shown[n] = '\0';
    const char *quote = value.json && value.type != PL_JSON_STRING ? "" : "\"";
    return problem_set(problem, 400, "invalid_parameter", "'%.*s' must be %s; it is %s%s%s%s.",
                       (int)PL_MIN(name.len, (size_t)32), (const char *)name.ptr, control_allowed(row, room),
                       is_string ? "the string " : "", quote, shown, quote);
}

bool control_same(const struct control_row *row, const void *a, const void *b)
{
    struct pl_slice x, y;
    if (row->kind != KIND_TEXT)
        return memcmp(a, b, row->size) == 0;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return pl_slice_eq(x, y);
}

bool control_take(const struct control_row *row, struct pl_slice name, struct control_value value, void *at,
                  bool *given, struct problem *problem)
{
    _Alignas(8) uint8_t read[CONTROL_VALUE_MAX];
    if (row->size > sizeof read)
        abort(); // no row has such a value
    if (value.json && value.type == PL_JSON_NULL)
        return true;
    if (!control_read(row, value, read))
        return control_refuse(row, name, value, problem);
    if (*given && !control_same(row, read, at))
        return problem_twice(problem, row->name);
    memcpy(at, read, row->size);
    *given = true;
    return true;
}

void control_reset(const struct control_row *row, void *at)
{
    memset(at, 0, row->size);
    if (row->kind == KIND_NUMBER)
        memcpy(at, &row->initial, sizeof row->initial);
    else if (row->kind == KIND_WHOLE && row->has_default)
        store(at, row->size, (uint64_t)(row->initial + row->shift));
    else if (row->kind == KIND_WORD)
        store(at, row->size, (uint64_t)row->initial);
}

// The first spelling of a word by its number.
static struct pl_slice word_at(const char *words, uint64_t number)
{
    struct pl_slice word = pl_slice_make("", 0);
    for (uint64_t i = 0; i <= number && next_item(&words, &word); i++)
        continue;
    return pl_slice_until(&word, '/');
}

void control_write(const struct control_row *row, const void *at, struct pl_buf *out)
{
    double number;
    int64_t seconds;
    struct pl_slice text;
    switch (row->kind) {
    case KIND_NUMBER:
        memcpy(&number, at, sizeof number);
        pl_buf_append_double(out, number);
        break;
    case KIND_WHOLE:
        pl_buf_append_u64(out, (uint64_t)((int64_t)load(at, row->size) - row->shift));
        break;
    case KIND_FLAG:
        pl_buf_append_cstr(out, load(at, row->size) ? "true" : "false");
        break;
    case KIND_WORD:
        pl_buf_append_slice(out, word_at(row->words, (uint64_t)((int64_t)load(at, row->size) - row->shift)));
        break;
    case KIND_TEXT:
        memcpy(&text, at, sizeof text);
        pl_buf_append_slice(out, text);
        break;
    case KIND_CHARS:
        pl_buf_append_cstr(out, at);
        break;
    case KIND_TIME:
        memcpy(&seconds, at, sizeof seconds);
        pl_buf_append_i64(out, seconds);
        break;
    case KIND_OWN:
        break;
    }
}
