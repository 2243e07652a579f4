// The strict JSON reader: bounds first, then jansson (this is the only file that includes it).
#include "http/message/json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>

#include "base/arena.h"

#define MAX_DEPTH 32
#define DEFAULT_MAX_VALUES 200000

// Values of `text` are json_t of jansson; the name keeps it out of the header.
static const json_t *of(const struct http_json *value)
{
    return (const json_t *)(const void *)value;
}

static const struct http_json *as(const json_t *value)
{
    return (const struct http_json *)(const void *)value;
}

// Depth and number of values, before any memory is spent: a few bytes of text can cost a hundred of memory, and jansson
// recurses.
static enum pl_errc check_bounds(struct pl_slice text, size_t max_values, struct pl_error *err)
{
    size_t values = 1;
    unsigned depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
            continue;
        }
        switch (c) {
        case '"':
            in_string = true;
            break;
        case '[':
        case '{':
            if (++depth > MAX_DEPTH)
                return pl_fail(err, PL_E_INVALID, "The JSON is nested more than %d levels deep.", MAX_DEPTH);
            values++;
            break;
        case ']':
        case '}':
            if (depth > 0)
                depth--;
            break;
        case ',':
            values++;
            break;
        default:
            break;
        }
    }
    if (values > max_values)
        return pl_fail(err, PL_E_LIMIT, "The JSON has more than %zu values.", max_values);
    return PL_OK;
}

enum pl_errc http_json_parse(struct pl_slice text, size_t max_values, struct http_json **out, struct pl_error *err)
{
    *out = NULL;
    if (pl_slice_trim(text).len == 0)
        return pl_fail(err, PL_E_INVALID, "The body is empty; JSON was expected.");
    PL_TRY(check_bounds(text, max_values ? max_values : DEFAULT_MAX_VALUES, err));
    json_error_t problem;
    errno = 0;
    json_t *value = json_loadb((const char *)text.ptr, text.len,
                               JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &problem);
    if (!value) {
        // jansson itself takes a string that it has no memory for as a wrong one.
        if (json_error_code(&problem) == json_error_out_of_memory || errno == ENOMEM)
            return pl_fail_memory(err);
        // jansson quotes the text near the fault; labels and the like do not belong into messages.
        char *near = strstr(problem.text, " near ");
        if (near)
            *near = '\0';
        return pl_fail(err, PL_E_INVALID, "The body is not valid JSON: %s (line %d, column %d).", problem.text,
                       problem.line, problem.column);
    }
    *out = (struct http_json *)(void *)value;
    return PL_OK;
}

void http_json_free(struct http_json *document)
{
    json_decref((json_t *)(void *)document);
}

enum http_json_type http_json_type(const struct http_json *value)
{
    switch (json_typeof(of(value))) {
    case JSON_OBJECT:
        return HTTP_JSON_OBJECT;
    case JSON_ARRAY:
        return HTTP_JSON_ARRAY;
    case JSON_STRING:
        return HTTP_JSON_STRING;
    case JSON_INTEGER:
        return HTTP_JSON_INTEGER;
    case JSON_REAL:
        return HTTP_JSON_REAL;
    case JSON_TRUE:
    case JSON_FALSE:
        return HTTP_JSON_BOOL;
    case JSON_NULL:
        break;
    }
    return HTTP_JSON_NULL;
}

const char *http_json_type_name(const struct http_json *value)
{
    static const char *const NAMES[] = {
        [HTTP_JSON_NULL] = "null",        [HTTP_JSON_BOOL] = "a boolean",  [HTTP_JSON_INTEGER] = "a number",
        [HTTP_JSON_REAL] = "a number",    [HTTP_JSON_STRING] = "a string", [HTTP_JSON_ARRAY] = "an array",
        [HTTP_JSON_OBJECT] = "an object",
    };
    return NAMES[http_json_type(value)];
}

const struct http_json *http_json_get(const struct http_json *object, const char *key)
{
    return as(json_object_get(of(object), key));
}

bool http_json_next(const struct http_json *object, void **iter, struct pl_slice *key, const struct http_json **value)
{
    // jansson's iterators want a value they may change; nothing here does.
    json_t *o = (json_t *)(uintptr_t)(const void *)object;
    *iter = *iter ? json_object_iter_next(o, *iter) : json_object_iter(o);
    if (!*iter)
        return false;
    *key = pl_slice_make(json_object_iter_key(*iter), json_object_iter_key_len(*iter));
    *value = as(json_object_iter_value(*iter));
    return true;
}

size_t http_json_count(const struct http_json *array)
{
    return json_array_size(of(array));
}

const struct http_json *http_json_at(const struct http_json *array, size_t index)
{
    return as(json_array_get(of(array), index));
}

bool http_json_string(const struct http_json *value, struct pl_slice *out)
{
    if (!json_is_string(of(value)))
        return false;
    *out = pl_slice_make(json_string_value(of(value)), json_string_length(of(value)));
    return true;
}

bool http_json_number(const struct http_json *value, double *out)
{
    if (!json_is_number(of(value)))
        return false;
    *out = json_number_value(of(value));
    return true;
}

bool http_json_integer(const struct http_json *value, int64_t *out)
{
    if (json_is_integer(of(value))) {
        *out = json_integer_value(of(value));
        return true;
    }
    if (!json_is_real(of(value)))
        return false;
    double real = json_real_value(of(value));
    if (!(fabs(real) <= 9007199254740992.0) || real != trunc(real))
        return false;
    *out = (int64_t)real;
    return true;
}

bool http_json_boolean(const struct http_json *value, bool *out)
{
    if (!json_is_boolean(of(value)))
        return false;
    *out = json_is_true(of(value));
    return true;
}
