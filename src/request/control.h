// A control: a named value that a request may carry, as one row of a table. From the row come reading it from every
// entrance, the sentence for what is allowed, help, OpenAPI and the tables of the documentation.
#ifndef REQUEST_CONTROL_H
#define REQUEST_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json_reader.h"
#include "request/problem.h"

enum control_kind {
    KIND_NUMBER, // double
    KIND_WHOLE,  // uint32_t or uint64_t
    KIND_FLAG,   // bool
    KIND_WORD,   // bool, uint32_t or an enum: the number of the word
    KIND_TEXT,   // struct pl_slice
    KIND_CHARS,  // an array of char with its NUL
    KIND_TIME,   // int64_t: seconds since 1970
    KIND_OWN     // what `read` writes
};

// Options of the command line that come together.
enum control_group { GROUP_NONE = 0, GROUP_SIZING = 1, GROUP_DRAWING = 2, GROUP_CHECKING = 4, GROUP_SHEETS = 8 };
#define GROUP_LABELS (GROUP_SIZING | GROUP_DRAWING | GROUP_CHECKING)

// The outputs that it has an effect on.
enum control_scope { SCOPE_ANY, SCOPE_PDFS, SCOPE_PICTURES, SCOPE_JPEGS, SCOPE_COUNT };

// The types that KIND_OWN takes in JSON.
enum { TAKES_STRING = 1, TAKES_NUMBER = 2 };

struct control_row {
    const char *name;              // in queries, JSON, forms and jobs
    const char *aliases;           // with spaces between them; NULL: none
    const char *option, *argument; // on the command line, without the dashes; NULL: it has none
    enum control_kind kind;
    enum control_group group;
    enum control_scope scope;
    size_t offset, size; // of the value in the struct of its table
    const char *words;   // KIND_WORD: "png jpeg/jpg webp"; a slash is before another spelling
    int shift;           // is added to the number of a word, or to a whole number, before it is stored
    double least, most, step;
    bool above;         // `least` itself is not allowed
    const char *suffix; // that a number may carry
    double initial;     // the default
    bool has_default;   // false: the documentation shows none
    bool (*read)(struct pl_slice text, void *at);
    unsigned takes;
    const char *fallback; // KIND_OWN: the default, as JSON
    const char *allowed;  // NULL: made of kind, words and bounds
    const char *pattern;  // KIND_TIME, KIND_OWN: what a string must match, for OpenAPI
    const char *examples; // strings that match it, as a JSON array
    const char *sentence; // for help, OpenAPI and the documentation
    const char *more;     // for OpenAPI and the documentation
};

// A value as it came: from JSON with its type, from elsewhere as text.
struct control_value {
    struct pl_slice text;
    enum pl_json_event type; // PL_JSON_STRING for text from queries, forms, jobs and the command line
    bool json;
    struct pl_slice raw; // of an object or array: its JSON
};

static inline struct control_value control_text(struct pl_slice text)
{
    return (struct control_value){.text = text, .type = PL_JSON_STRING};
}

bool control_is_named(const struct control_row *row, struct pl_slice name);
// Reads the value to `at`, which has row->size bytes. False: it is not allowed, and `at` may hold anything.
bool control_read(const struct control_row *row, struct control_value value, void *at);
bool control_same(const struct control_row *row, const void *a, const void *b); // values, as they are stored
// Reads the value to `at`, which may have been given before only with the same value; JSON's null gives nothing. False:
// a problem (400).
bool control_take(const struct control_row *row, struct pl_slice name, struct control_value value, void *at,
                  bool *given, struct problem *problem);
#define CONTROL_VALUE_MAX 1024 // bytes of such a value
// The problem (400) of such a value. Returns false.
bool control_refuse(const struct control_row *row, struct pl_slice name, struct control_value value,
                    struct problem *problem);
// Writes the default to `at`.
void control_reset(const struct control_row *row, void *at);
// Appends the value at `at` as text that reads back as the same value. Not for KIND_OWN.
void control_write(const struct control_row *row, const void *at, struct pl_buf *out);
// The number of a word in a list like control_row.words.
bool control_word(const char *words, struct pl_slice text, uint32_t *out);

#define CONTROL_ALLOWED_MAX 256
// "a number from 1 to 48", for messages and documents. It is in the row or in `room`.
const char *control_allowed(const struct control_row *row, char room[CONTROL_ALLOWED_MAX]);
void control_put_default(const struct control_row *row, struct pl_buf *out); // as JSON; nothing: none
// As JSON Schema, an object. Without the default for a query: a client that sends defaults would override the body.
void control_put_schema(const struct control_row *row, bool with_default, struct pl_buf *out);
void control_put_description(const struct control_row *row, struct pl_buf *out); // both sentences
// A line of help, or several: "  --dpmm D              print density ...\n".
void control_put_help(const struct control_row *row, struct pl_buf *out);

#endif
