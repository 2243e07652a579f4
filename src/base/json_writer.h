// Writing JSON into a buffer. Commas come by themselves.
#ifndef PL_BASE_JSON_WRITER_H
#define PL_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

struct pl_json_writer {
    struct pl_buf *buf;
    uint64_t filled; // bit per level: something was written there already
    uint64_t arrays; // bit per level: an array
    unsigned depth;
    bool after_key;
};

void pl_json_writer_init(struct pl_json_writer *out, struct pl_buf *buf);
void pl_json_object(struct pl_json_writer *out);
void pl_json_array(struct pl_json_writer *out);
void pl_json_end(struct pl_json_writer *out);                  // of the innermost object or array
void pl_json_ends(struct pl_json_writer *out, unsigned count); // of so many, from the innermost on
void pl_json_key(struct pl_json_writer *out, const char *key);
void pl_json_cstr(struct pl_json_writer *out, const char *text);
void pl_json_slice(struct pl_json_writer *out, struct pl_slice text);
void pl_json_u64(struct pl_json_writer *out, uint64_t value);
void pl_json_i64(struct pl_json_writer *out, int64_t value);
void pl_json_double(struct pl_json_writer *out, double value); // shortest form; null when not finite
void pl_json_fixed(struct pl_json_writer *out, double value, unsigned decimals);
void pl_json_bool(struct pl_json_writer *out, bool value);
void pl_json_null(struct pl_json_writer *out);
void pl_json_raw(struct pl_json_writer *out, struct pl_slice json); // already JSON
void pl_json_base64(struct pl_json_writer *out, struct pl_slice bytes);
// Key and value in one line; the first two open the value.
void pl_json_kv_object(struct pl_json_writer *out, const char *key);
void pl_json_kv_array(struct pl_json_writer *out, const char *key);
void pl_json_kv_cstr(struct pl_json_writer *out, const char *key, const char *text);
void pl_json_kv_slice(struct pl_json_writer *out, const char *key, struct pl_slice text);
void pl_json_kv_u64(struct pl_json_writer *out, const char *key, uint64_t value);
void pl_json_kv_i64(struct pl_json_writer *out, const char *key, int64_t value);
void pl_json_kv_double(struct pl_json_writer *out, const char *key, double value);
void pl_json_kv_bool(struct pl_json_writer *out, const char *key, bool value);

#endif
