// Parameters of commands: words, numbers in units, names of files, and the data behind them, also on lines of its own.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/fmt.h"
#include "lang/cpcl/state.h"

struct pl_diag *cpcl_note(struct cpcl *e, const struct cpcl_args *a, enum pl_diag_id id, const char *fmt, ...)
{
    char text[256];
    if (e->quiet)
        return NULL;
    va_list list;
    va_start(list, fmt);
    vsnprintf(text, sizeof text, fmt, list);
    va_end(list);
    return pl_diag_add(e->diags, id, a->source, a->index, "%s: %s", a->source.command, text);
}

struct pl_slice cpcl_word(struct cpcl_args *a)
{
    a->index++;
    return cpcl_next_word(&a->rest);
}

bool cpcl_more(const struct cpcl_args *a)
{
    struct pl_slice rest = a->rest;
    return cpcl_next_word(&rest).len > 0;
}

bool cpcl_read_number(struct pl_slice text, double *out)
{
    char digits[32];
    if (text.len > 1 && text.ptr[0] == '+')
        text = pl_slice_sub(text, 1, text.len);
    if (text.len == 0 || text.len >= sizeof digits)
        return false;
    memcpy(digits, text.ptr, text.len);
    for (size_t i = 0; i < text.len; i++) // written by hand
        digits[i] = digits[i] == 'O' || digits[i] == 'o' ? '0' : digits[i];
    return pl_parse_double(pl_slice_make(digits, text.len), out) && isfinite(*out);
}

static const char *name_of(const struct cpcl_args *a)
{
    uint32_t i = a->index - 1;
    return i < a->row->info.param_count && a->row->info.params[i].name ? a->row->info.params[i].name : "a number";
}

static bool next_number(struct cpcl *e, struct cpcl_args *a, double *out)
{
    struct pl_slice word = cpcl_word(a);
    if (word.len == 0)
        cpcl_note(e, a, PL_DIAG_PARAMETER_MISSING, "%s is missing; the command was ignored.", name_of(a));
    else if (cpcl_read_number(word, out))
        return true;
    else
        cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "%s is no number: %.*s.", name_of(a),
                  (int)PL_MIN(word.len, (size_t)24), (const char *)word.ptr);
    return false;
}

static int32_t rounded(double value)
{
    return value < -CPCL_FAR ? -CPCL_FAR : value > CPCL_FAR ? CPCL_FAR : (int32_t)floor(value + 0.5);
}

bool cpcl_dots(struct cpcl *e, struct cpcl_args *a, int32_t *out)
{
    double value;
    if (!next_number(e, a, &value))
        return false;
    *out = rounded(value * e->settings.unit);
    return true;
}

bool cpcl_all_dots(struct cpcl *e, struct cpcl_args *a, uint32_t count, int32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (!cpcl_dots(e, a, &out[i]))
            return false;
    return true;
}

bool cpcl_whole(struct cpcl *e, struct cpcl_args *a, int32_t *out)
{
    double value;
    if (!next_number(e, a, &value))
        return false;
    int32_t found = rounded(value);
    uint32_t i = a->index - 1;
    const struct pl_lang_param *p = i < a->row->info.param_count ? &a->row->info.params[i] : NULL;
    *out = p && p->min < p->max ? pl_clamp_i32(found, p->min, p->max) : found;
    if (*out != found)
        cpcl_note(e, a, PL_DIAG_PARAMETER_RANGE, "%s is %d, but must be from %d to %d; %d was used.", name_of(a), found,
                  p->min, p->max, *out);
    return true;
}

struct pl_slice cpcl_data(struct cpcl *e, struct cpcl_args *a)
{
    bool blank = a->rest.len > 0 && cpcl_is_blank(a->rest.ptr[0]);
    e->data = e->replacement ? *e->replacement : pl_slice_sub(a->rest, blank, a->rest.len);
    return e->data;
}

const struct pl_object *cpcl_object(struct cpcl *e, struct pl_slice text)
{
    struct pl_object_name name;
    (void)pl_object_name_parse(text, "", "", &name);
    return pl_store_lookup(e->store, &name);
}

bool cpcl_read_header(struct pl_slice rest, double out[5])
{
    for (int i = 0; i < 5; i++)
        if (!cpcl_read_number(cpcl_next_word(&rest), &out[i]))
            return false;
    return true;
}

bool cpcl_is_line(struct pl_slice line, const char *word)
{
    return pl_slice_eq_cstr(pl_slice_trim(line), word);
}

bool cpcl_is_print(struct pl_slice line)
{
    return cpcl_is_line(line, "PRINT") || cpcl_is_line(line, "POPRINT");
}

bool cpcl_begins_session(struct pl_slice line)
{
    double header[5];
    return line.len > 1 && line.ptr[0] == '!' &&
           (line.ptr[1] == ' ' || cpcl_read_header(pl_slice_sub(line, 1, line.len), header));
}

bool cpcl_ends_block(struct pl_slice line)
{
    return cpcl_is_print(line) || cpcl_begins_session(line);
}

// Lines end with CR LF, however the input ends them.
static enum pl_errc join_lines(struct cpcl *e, struct pl_slice lines, struct pl_slice *out)
{
    struct cpcl_lexer lex = cpcl_lexer_of(lines);
    struct pl_slice line;
    *out = lines;
    if (cpcl_lex_line_end(&lex) == lines.len)
        return PL_OK;
    uint8_t *text = pl_arena_alloc(e->arena, lines.len * 2, 1);
    if (!text)
        return pl_fail_memory(e->err);
    size_t n = 0;
    while (cpcl_lex_line(&lex, &line)) {
        if (n > 0) {
            text[n++] = '\r';
            text[n++] = '\n';
        }
        memcpy(text + n, line.ptr, line.len);
        n += line.len;
    }
    *out = pl_slice_make(text, n);
    return PL_OK;
}

bool cpcl_block_line(struct cpcl *e, const struct cpcl_args *a, const char *end, const char *other,
                     struct pl_slice *line)
{
    size_t start = e->lex.pos;
    bool more = cpcl_lex_line(&e->lex, line);
    if (more && (cpcl_is_line(*line, end) || (other && cpcl_is_line(*line, other))))
        return false;
    if (more && !cpcl_ends_block(*line))
        return true;
    e->lex.pos = start;
    cpcl_note(e, a, PL_DIAG_FIELD_UNTERMINATED, "%s is missing behind the data.", end);
    return false;
}

enum pl_errc cpcl_block(struct cpcl *e, const struct cpcl_args *a, const char *end, struct pl_slice *out)
{
    struct pl_slice line;
    size_t from = e->lex.pos, to = from;
    while (cpcl_block_line(e, a, end, NULL, &line)) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        to = (size_t)(line.ptr - e->lex.text.ptr) + line.len;
    }
    return join_lines(e, pl_slice_sub(e->lex.text, from, to - from), out);
}
