// JSON-RPC 2.0 messages, read without a tree. Pure.
#ifndef PL_BASE_JSON_RPC_H
#define PL_BASE_JSON_RPC_H

#include "base/arena.h"
#include "base/json_reader.h"
#include "base/slice.h"

// A value where it is in the text.
struct pl_rpc_value {
    enum pl_json_event type; // PL_JSON_END: there is none
    struct pl_slice raw;     // as JSON
    struct pl_slice token;   // of a string what is between the quotes, of a number its text
    bool escaped;
};

#define PL_RPC_METHOD_MAX 96 // bytes of a method's name that is written with escapes

enum pl_rpc_kind {
    PL_RPC_REQUEST,
    PL_RPC_NOTIFICATION,
    PL_RPC_RESPONSE,   // to a request that nobody here made
    PL_RPC_NO_MESSAGE, // JSON, but no message: `why`
    PL_RPC_NO_JSON     // `why`
};

struct pl_rpc_message {
    enum pl_rpc_kind kind;
    struct pl_slice id;         // as JSON: a string or a whole number; "null" where it is not known
    struct pl_slice method;     // may point to `room`: a message is not copied
    struct pl_rpc_value params; // an object, or PL_JSON_END
    char why[160];
    uint8_t room[PL_RPC_METHOD_MAX];
};

// The value that comes next, whole. False: there is none, or the text is no JSON.
bool pl_rpc_value_next(struct pl_json_reader *reader, struct pl_rpc_value *out);
void pl_rpc_message_read(struct pl_slice text, struct pl_rpc_message *out);
// A member of an object that is valid JSON; *out has the type PL_JSON_END where there is none.
void pl_rpc_member(struct pl_slice object, const char *name, struct pl_rpc_value *out);
// The text of a string value; escapes are replaced in the arena. False: it is no string, or there is no memory.
bool pl_rpc_text(const struct pl_rpc_value *value, struct pl_arena *arena, struct pl_slice *out);
// The next value of an array, from *at on, which is 0 at first. False: there are no more, or the text is no array.
bool pl_rpc_item(struct pl_slice array, size_t *at, struct pl_rpc_value *out);

#endif
