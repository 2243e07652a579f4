// A strict JSON reader (RFC 8259) that goes through a text value by value, without building a tree: for requests of a
// few known fields, where a tree would cost more than the work itself.
#ifndef PL_BASE_JSON_READER_H
#define PL_BASE_JSON_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/slice.h"

#define PL_JSON_DEPTH_MAX 32

enum pl_json_event {
    PL_JSON_OBJECT, // an object begins
    PL_JSON_OBJECT_END,
    PL_JSON_ARRAY,
    PL_JSON_ARRAY_END,
    PL_JSON_KEY,
    PL_JSON_STRING,
    PL_JSON_NUMBER,
    PL_JSON_TRUE,
    PL_JSON_FALSE,
    PL_JSON_NULL,
    PL_JSON_END, // the text is over, and there was exactly one value
    PL_JSON_BAD  // the text is no JSON: the reader's error says why and where
};

struct pl_json_reader {
    struct pl_slice text;
    size_t pos;
    uint32_t arrays; // bit per level: that level is an array
    unsigned depth;
    bool value_done; // the value at this place has been read: a comma, an end or nothing may follow
    bool after_key;
    struct pl_slice token; // KEY and STRING: what stands between the quotes; NUMBER: its text
    bool escaped;          // the string holds escapes: read it with pl_json_unescape
    struct pl_error err;
};

void pl_json_reader_init(struct pl_json_reader *reader, struct pl_slice text);
enum pl_json_event pl_json_next(struct pl_json_reader *reader);
// Goes past the rest of the object or array that has just begun. False: bad JSON.
bool pl_json_skip(struct pl_json_reader *reader);
// The string of the last event, escapes replaced. `out` holds at least token.len bytes. Returns the length.
size_t pl_json_unescape(struct pl_slice token, uint8_t *out);
// The same, in the arena where there are escapes and in the text itself where there are none. False: no memory.
bool pl_json_text(struct pl_slice token, bool escaped, struct pl_arena *arena, struct pl_slice *out) PL_MUST_USE;
// "a string", "a number", ... for messages.
const char *pl_json_event_name(enum pl_json_event event);

#endif
