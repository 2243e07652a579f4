// What people read of a control: allowed values, help, JSON Schema and descriptions, all made of its row.
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "request/control.h"

// The words, or all their spellings, with what comes between two of them and before the last.
static void put_words(const struct control_row *row, bool all_spellings, const char *separator, const char *last,
                      const char *quote, struct pl_buf *out)
{
    for (const char *p = row->words; *p;) {
        size_t n = strcspn(p, all_spellings ? " /" : " "), shown = strcspn(p, " /");
        const char *next = p + n + (p[n] != '\0');
        if (p != row->words)
            pl_buf_append_cstr(out, *next ? separator : last);
        pl_buf_printf(out, "%s%.*s%s", quote, (int)shown, p, quote);
        p = next;
    }
}

static void put_steps(const struct control_row *row, const char *last, struct pl_buf *out)
{
    for (double value = row->least; value <= row->most; value += row->step) {
        if (value > row->least)
            pl_buf_append_cstr(out, value + row->step > row->most ? last : ", ");
        pl_buf_append_double(out, value);
    }
}

// Bounds that no value meets are not told.
static bool has_end(const struct control_row *row)
{
    return row->most < 9007199254740992.0; // 2^53
}

static unsigned count_words(const char *words)
{
    unsigned count = 1;
    for (; *words; words++)
        count += *words == ' ';
    return count;
}

static void put_bounds(const struct control_row *row, const char *before_least, const char *before_most,
                       struct pl_buf *out)
{
    pl_buf_append_cstr(out, before_least);
    pl_buf_append_double(out, row->least);
    if (has_end(row)) {
        pl_buf_append_cstr(out, before_most);
        pl_buf_append_double(out, row->most);
    }
}

static void put_allowed(const struct control_row *row, struct pl_buf *out)
{
    switch (row->kind) {
    case KIND_FLAG:
        pl_buf_append_cstr(out, "true or false");
        return;
    case KIND_WORD:
        pl_buf_append_cstr(out, count_words(row->words) > 3 ? "one of " : "");
        put_words(row, false, ", ", " or ", "", out);
        return;
    case KIND_TEXT:
        pl_buf_append_cstr(out, "a string");
        return;
    default:
        break;
    }
    if (row->step > 0) {
        put_steps(row, " or ", out);
        return;
    }
    pl_buf_append_cstr(out, row->kind == KIND_WHOLE ? "a whole number " : "a number ");
    put_bounds(row, row->above ? "above " : "from ", " to ", out);
    if (row->suffix)
        pl_buf_printf(out, ", with or without the suffix \"%s\"", row->suffix);
}

const char *control_allowed(const struct control_row *row, char room[CONTROL_ALLOWED_MAX])
{
    if (row->allowed)
        return row->allowed;
    struct pl_buf text;
    pl_buf_init(&text, CONTROL_ALLOWED_MAX - 1);
    put_allowed(row, &text);
    if (text.len)
        memcpy(room, text.data, text.len);
    room[text.len] = '\0';
    pl_buf_fini(&text);
    return room;
}

void control_put_default(const struct control_row *row, struct pl_buf *out)
{
    if (row->fallback)
        pl_buf_append_cstr(out, row->fallback);
    else if (!row->has_default)
        return;
    else if (row->kind == KIND_FLAG)
        pl_buf_append_cstr(out, row->initial != 0 ? "true" : "false");
    else if (row->kind != KIND_WORD)
        pl_buf_append_double(out, row->initial);
    else {
        uint32_t word = (uint32_t)(row->initial + row->shift); // as it is stored
        pl_buf_append_byte(out, '"');
        control_write(row, &word, out);
        pl_buf_append_byte(out, '"');
    }
}

void control_put_schema(const struct control_row *row, bool with_default, struct pl_buf *out)
{
    pl_buf_append_cstr(out, "{\"type\":");
    switch (row->kind) {
    case KIND_NUMBER:
    case KIND_WHOLE:
        pl_buf_append_cstr(out, row->kind == KIND_WHOLE ? "\"integer\"" : "\"number\"");
        if (row->step > 0) {
            pl_buf_append_cstr(out, ",\"enum\":[");
            put_steps(row, ", ", out);
            pl_buf_append_byte(out, ']');
            break;
        }
        put_bounds(row, row->above ? ",\"exclusiveMinimum\":" : ",\"minimum\":", ",\"maximum\":", out);
        break;
    case KIND_FLAG:
        pl_buf_append_cstr(out, "\"boolean\"");
        break;
    case KIND_WORD:
        pl_buf_append_cstr(out, "\"string\",\"enum\":[");
        put_words(row, true, ",", ",", "\"", out);
        pl_buf_append_byte(out, ']');
        break;
    case KIND_TEXT:
        pl_buf_append_cstr(out, "\"string\"");
        break;
    case KIND_CHARS:
        pl_buf_printf(out, "\"string\",\"maxLength\":%zu", row->size - 1);
        break;
    case KIND_TIME:
        pl_buf_append_cstr(out, "[\"string\",\"integer\"]");
        put_bounds(row, row->above ? ",\"exclusiveMinimum\":" : ",\"minimum\":", ",\"maximum\":", out);
        break;
    case KIND_OWN:
        pl_buf_append_cstr(out, row->takes & TAKES_NUMBER ? "[\"number\",\"string\"]" : "\"string\"");
        if (row->takes & TAKES_NUMBER)
            put_bounds(row, row->above ? ",\"exclusiveMinimum\":" : ",\"minimum\":", ",\"maximum\":", out);
        break;
    }
    if (row->pattern) {
        pl_buf_append_cstr(out, ",\"pattern\":");
        pl_buf_append_json_string(out, pl_slice_cstr(row->pattern));
        pl_buf_printf(out, ",\"examples\":%s", row->examples);
    }
    pl_buf_append_cstr(out, ",\"description\":");
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    control_put_description(row, &text);
    const char *before = " Also called ";
    for (const char *p = row->aliases ? row->aliases : ""; *p; before = ", ") {
        size_t n = strcspn(p, " ");
        pl_buf_printf(&text, "%s`%.*s`", before, (int)n, p);
        p += n + (p[n] == ' ');
    }
    pl_buf_append_cstr(&text, row->aliases ? "." : "");
    pl_buf_append_json_string(out, pl_buf_slice(&text));
    pl_buf_inherit(out, &text);
    pl_buf_clear(&text);
    if (with_default)
        control_put_default(row, &text);
    if (text.len) {
        pl_buf_append_cstr(out, ",\"default\":");
        pl_buf_append_slice(out, pl_buf_slice(&text));
    }
    pl_buf_fini(&text);
    pl_buf_append_byte(out, '}');
}

void control_put_description(const struct control_row *row, struct pl_buf *out)
{
    static const char *const SCOPES[] = {[SCOPE_ANY] = "",
                                         [SCOPE_PDFS] = " For PDFs.",
                                         [SCOPE_PICTURES] =
                                             " For png, jpeg and webp; the other formats hold all labels.",
                                         [SCOPE_JPEGS] = " For jpeg."};
    _Static_assert(PL_COUNTOF(SCOPES) == SCOPE_COUNT, "each scope has its words");
    pl_buf_append_cstr(out, row->sentence);
    if (row->more)
        pl_buf_printf(out, " %s", row->more);
    pl_buf_append_cstr(out, SCOPES[row->scope]);
}

// ---- help

#define HELP_COLUMN 24u // where sentences begin
#define HELP_WIDTH 118u

// "Label width." becomes "label width".
static void put_clause(const char *sentence, struct pl_buf *out)
{
    size_t n = strlen(sentence);
    bool lower = n > 1 && sentence[0] >= 'A' && sentence[0] <= 'Z' && sentence[1] >= 'a' && sentence[1] <= 'z';
    pl_buf_append_byte(out, (uint8_t)(lower ? sentence[0] | 32 : sentence[0]));
    pl_buf_append(out, sentence + 1, n - 1 - (sentence[n - 1] == '.'));
}

static void put_wrapped(struct pl_slice text, size_t column, struct pl_buf *out)
{
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != ' ')
            end++;
        if (column > HELP_COLUMN && column + 1 + (end - at) > HELP_WIDTH) {
            pl_buf_printf(out, "\n%*s", (int)HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (at > 0) {
            pl_buf_append_byte(out, ' ');
            column++;
        }
        pl_buf_append_slice(out, pl_slice_sub(text, at, end - at));
        column += end - at;
        at = end + 1;
    }
    pl_buf_append_byte(out, '\n');
}

void control_put_help(const struct control_row *row, struct pl_buf *out)
{
    char room[CONTROL_ALLOWED_MAX];
    struct pl_buf text, fallback;
    size_t start = out->len;
    pl_buf_init(&text, 4096);
    pl_buf_init(&fallback, 256);
    pl_buf_printf(out, "  --%s%s%s", row->option, row->argument ? " " : "", row->argument ? row->argument : "");
    size_t column = out->len - start;
    size_t gap = column + 2 > HELP_COLUMN ? 2 : HELP_COLUMN - column;
    pl_buf_printf(out, "%*s", (int)gap, "");
    put_clause(row->sentence, &text);
    if (row->kind != KIND_FLAG && !(row->argument && strcmp(row->argument, control_allowed(row, room)) == 0))
        pl_buf_printf(&text, ": %s", control_allowed(row, room));
    control_put_default(row, &fallback);
    if (row->kind != KIND_FLAG && fallback.len) {
        bool quoted = fallback.data[0] == '"';
        pl_buf_append_cstr(&text, " (");
        pl_buf_append(&text, fallback.data + quoted, fallback.len - 2 * (size_t)quoted);
        pl_buf_append_byte(&text, ')');
    }
    put_wrapped(pl_buf_slice(&text), column + gap, out);
    pl_buf_take_over(out, &text);
    pl_buf_fini(&fallback);
}
