// JSON-RPC 2.0 messages, read without a tree. Pure.
#ifndef MCP_MESSAGE_H
#define MCP_MESSAGE_H

#include "base/arena.h"
#include "base/json_reader.h"
#include "base/slice.h"

// A value where it is in the text.
struct mcp_value {
    enum pl_json_event type; // PL_JSON_END: there is none
    struct pl_slice raw;     // as JSON
    struct pl_slice token;   // of a string what is between the quotes, of a number its text
    bool escaped;
};

enum mcp_kind {
    MCP_REQUEST,
    MCP_NOTIFICATION,
    MCP_RESPONSE,   // to a request that nobody here made
    MCP_NO_MESSAGE, // JSON, but no message: `why`
    MCP_NO_JSON     // `why`
};

struct mcp_message {
    enum mcp_kind kind;
    struct pl_slice id; // as JSON: a string or a whole number; "null" where it is not known
    struct pl_slice method;
    struct mcp_value params; // an object, or PL_JSON_END
    char why[160];
};

// The value that comes next, whole. False: there is none, or the text is no JSON.
bool mcp_value_next(struct pl_json_reader *reader, struct mcp_value *out);
void mcp_message_read(struct pl_slice text, struct mcp_message *out);
// A member of an object that is valid JSON; *out has the type PL_JSON_END where there is none.
void mcp_member(struct pl_slice object, const char *name, struct mcp_value *out);
// The text of a string value; escapes are replaced in the arena. False: it is no string, or there is no memory.
bool mcp_text(const struct mcp_value *value, struct pl_arena *arena, struct pl_slice *out);
// The next value of an array, from *at on, which is 0 at first. False: there are no more, or the text is no array.
bool mcp_item(struct pl_slice array, size_t *at, struct mcp_value *out);

#endif
