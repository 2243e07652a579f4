// JSON as a tree, for bodies whose members are not known before. base/json_reader.h reads, base/json_writer.h writes.
#ifndef HTTP_JSON_H
#define HTTP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json_writer.h"
#include "base/slice.h"

struct http_json; // a value; lives until its document is freed

enum http_json_type {
    HTTP_JSON_NULL,
    HTTP_JSON_BOOL,
    HTTP_JSON_INTEGER,
    HTTP_JSON_REAL,
    HTTP_JSON_STRING,
    HTTP_JSON_ARRAY,
    HTTP_JSON_OBJECT
};

// One value, valid UTF-8, no duplicate keys, no trailing bytes, at most 32 levels and `max_values` values (0: 200,000).
// PL_E_INVALID with a sentence for the client, PL_E_LIMIT for too many values. Free with http_json_free.
enum pl_errc http_json_parse(struct pl_slice text, size_t max_values, struct http_json **out,
                             struct pl_error *err) PL_MUST_USE;
void http_json_free(struct http_json *document);

enum http_json_type http_json_type(const struct http_json *value);
// Member of an object, or NULL (also when `object` is no object).
const struct http_json *http_json_get(const struct http_json *object, const char *key);
// Members of an object or values of an array, in the order of the text: start with *iter = NULL; false at the end.
bool http_json_next(const struct http_json *object, void **iter, struct pl_slice *key, const struct http_json **value);
// Each false, with *out untouched, when the value has another type.
bool http_json_string(const struct http_json *value, struct pl_slice *out);
bool http_json_integer(const struct http_json *value, int64_t *out); // also a real without a fraction (4.0)
bool http_json_boolean(const struct http_json *value, bool *out);

#endif
