// JSON as a tree, built from the events of base/json_reader.h, which refuses everything that is no strict JSON. What a
// tree adds: no key twice in an object, no number that overflows, a bound for the number of values.
#include "http/message/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "base/json_reader.h"

#define DEFAULT_MAX_VALUES 200000
#define FEW_KEYS 8 // of an object, are sorted without memory of their own

struct http_json {
    enum http_json_type type;
    uint32_t count;         // of an object or array
    struct pl_slice key;    // of a member
    struct http_json *next; // of the same object or array
    struct http_json *first, *last;
    struct pl_slice text;
    double real;
    int64_t integer; // also 0 and 1 of a boolean
};

// The first value of a document, with the memory of all.
struct document {
    struct http_json root; // first: http_json_free finds the document by it
    struct pl_arena arena;
};

struct building {
    struct document *document;
    struct pl_json_reader reader;
    struct http_json *open[PL_JSON_DEPTH_MAX];
    unsigned depth;
    size_t values, max_values;
    struct pl_error *err;
};

static enum pl_errc refuse(struct building *b, const char *what)
{
    return pl_fail(b->err, PL_E_INVALID, "The body is not valid JSON: %s at byte %zu.", what, b->reader.pos);
}

// The string just read, without escapes.
static enum pl_errc string_value(struct building *b, struct pl_slice *out)
{
    return pl_json_text(b->reader.token, b->reader.escaped, &b->document->arena, out) ? PL_OK : pl_fail_memory(b->err);
}

static enum pl_errc number_value(struct building *b, struct http_json *value)
{
    struct pl_slice text = b->reader.token;
    bool whole = true;
    for (size_t i = 0; i < text.len; i++)
        whole = whole && (text.ptr[i] == '-' || pl_is_digit(text.ptr[i]));
    value->type = whole ? HTTP_JSON_INTEGER : HTTP_JSON_REAL;
    return (whole ? pl_parse_i64(text, &value->integer) : pl_parse_double(text, &value->real))
               ? PL_OK
               : refuse(b, "a number that is too large");
}

static int compare_keys(const void *a, const void *b)
{
    const struct pl_slice x = (*(const struct http_json *const *)a)->key,
                          y = (*(const struct http_json *const *)b)->key;
    if (x.len != y.len)
        return x.len < y.len ? -1 : 1;
    return x.len ? memcmp(x.ptr, y.ptr, x.len) : 0;
}

static enum pl_errc check_keys(struct building *b, const struct http_json *object)
{
    const struct http_json *few[FEW_KEYS], **keys = few;
    if (object->count > FEW_KEYS)
        keys = PL_ARENA_ARRAY(&b->document->arena, const struct http_json *, object->count);
    if (!keys)
        return pl_fail_memory(b->err);
    size_t count = 0;
    for (const struct http_json *member = object->first; member; member = member->next)
        keys[count++] = member;
    qsort(keys, count, sizeof(const struct http_json *), compare_keys);
    for (size_t i = 1; i < count; i++) {
        if (compare_keys(&keys[i - 1], &keys[i]) == 0)
            return refuse(b, "a duplicate key in the object that ends");
    }
    return PL_OK;
}

// The value of an event that begins one.
static enum pl_errc take_value(struct building *b, enum pl_json_event event, struct pl_slice key)
{
    struct http_json *value = b->values == 0 ? &b->document->root : PL_ARENA_NEW(&b->document->arena, struct http_json);
    if (!value)
        return pl_fail_memory(b->err);
    if (++b->values > b->max_values)
        return pl_fail(b->err, PL_E_LIMIT, "The JSON has more than %zu values.", b->max_values);
    value->key = key;
    if (b->depth > 0) {
        struct http_json *in = b->open[b->depth - 1];
        *(in->last ? &in->last->next : &in->first) = value;
        in->last = value;
        in->count++;
    }
    switch (event) {
    case PL_JSON_OBJECT:
    case PL_JSON_ARRAY:
        value->type = event == PL_JSON_OBJECT ? HTTP_JSON_OBJECT : HTTP_JSON_ARRAY;
        b->open[b->depth++] = value;
        return PL_OK;
    case PL_JSON_STRING:
        value->type = HTTP_JSON_STRING;
        return string_value(b, &value->text);
    case PL_JSON_NUMBER:
        return number_value(b, value);
    case PL_JSON_TRUE:
    case PL_JSON_FALSE:
        value->type = HTTP_JSON_BOOL;
        value->integer = event == PL_JSON_TRUE;
        return PL_OK;
    default:
        value->type = HTTP_JSON_NULL;
        return PL_OK;
    }
}

static enum pl_errc build(struct building *b)
{
    struct pl_slice key = pl_slice_make("", 0);
    for (;;) {
        enum pl_json_event event = pl_json_next(&b->reader);
        switch (event) {
        case PL_JSON_END:
            return PL_OK;
        case PL_JSON_BAD:
            return pl_fail(b->err, PL_E_INVALID, "The body is not valid JSON: %s.", b->reader.err.message);
        case PL_JSON_KEY:
            PL_TRY(string_value(b, &key));
            continue;
        case PL_JSON_OBJECT_END:
            PL_TRY(check_keys(b, b->open[b->depth - 1]));
            b->depth--;
            break;
        case PL_JSON_ARRAY_END:
            b->depth--;
            break;
        default:
            PL_TRY(take_value(b, event, key));
        }
        key = pl_slice_make("", 0);
    }
}

enum pl_errc http_json_parse(struct pl_slice text, size_t max_values, struct http_json **out, struct pl_error *err)
{
    *out = NULL;
    if (pl_slice_trim(text).len == 0)
        return pl_fail(err, PL_E_INVALID, "The body is empty; JSON was expected.");
    struct document *document = calloc(1, sizeof *document);
    if (!document)
        return pl_fail_memory(err);
    struct building b = {.document = document, .max_values = max_values ? max_values : DEFAULT_MAX_VALUES, .err = err};
    // Keys that are sorted take a pointer each, and a string without its escapes no more than with them.
    pl_arena_init(&document->arena, (b.max_values + 1) * (sizeof(struct http_json) + 64) + text.len * 2 + 65536);
    // Texts lie in it, so that the tree does not depend on the caller's memory.
    uint8_t *own = pl_arena_copy(&document->arena, text.ptr, text.len);
    enum pl_errc code = PL_E_MEMORY;
    if (own) {
        pl_json_reader_init(&b.reader, pl_slice_make(own, text.len));
        code = build(&b);
    } else {
        pl_fail_memory(err);
    }
    if (code != PL_OK)
        http_json_free(&document->root);
    else
        *out = &document->root;
    return code;
}

void http_json_free(struct http_json *root)
{
    if (!root)
        return;
    struct document *document = (struct document *)(void *)root;
    pl_arena_fini(&document->arena);
    free(document);
}

enum http_json_type http_json_type(const struct http_json *value)
{
    return value->type;
}

const struct http_json *http_json_get(const struct http_json *object, const char *key)
{
    const struct http_json *member = object && object->type == HTTP_JSON_OBJECT ? object->first : NULL;
    while (member && !pl_slice_eq_cstr(member->key, key))
        member = member->next;
    return member;
}

bool http_json_next(const struct http_json *in, void **iter, struct pl_slice *key, const struct http_json **value)
{
    const struct http_json *before = *iter;
    struct http_json *now = before ? before->next : in ? in->first : NULL;
    *iter = now;
    if (!now)
        return false;
    *key = now->key;
    *value = now;
    return true;
}

bool http_json_string(const struct http_json *value, struct pl_slice *out)
{
    if (!value || value->type != HTTP_JSON_STRING)
        return false;
    *out = value->text;
    return true;
}

bool http_json_integer(const struct http_json *value, int64_t *out)
{
    if (!value || (value->type != HTTP_JSON_INTEGER && value->type != HTTP_JSON_REAL))
        return false;
    if (value->type == HTTP_JSON_REAL &&
        (!(fabs(value->real) <= 9007199254740992.0) || value->real != trunc(value->real)))
        return false;
    *out = value->type == HTTP_JSON_INTEGER ? value->integer : (int64_t)value->real;
    return true;
}

bool http_json_boolean(const struct http_json *value, bool *out)
{
    if (!value || value->type != HTTP_JSON_BOOL)
        return false;
    *out = value->integer != 0;
    return true;
}
