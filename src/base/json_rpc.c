// Reading JSON-RPC 2.0 messages.
#include "base/json_rpc.h"

#include <stdio.h>

#include "base/ckd.h"

bool pl_rpc_value_next(struct pl_json_reader *reader, struct pl_rpc_value *out)
{
    size_t from;
    enum pl_json_event event = pl_json_next(reader);
    *out = (struct pl_rpc_value){.type = event, .token = reader->token, .escaped = reader->escaped};
    switch (event) {
    case PL_JSON_OBJECT:
    case PL_JSON_ARRAY:
        from = reader->pos - 1; // at its bracket
        if (!pl_json_skip(reader))
            return false;
        out->raw = pl_slice_sub(reader->text, from, reader->pos - from);
        return true;
    case PL_JSON_STRING:
        out->raw = pl_slice_make(reader->token.ptr - 1, reader->token.len + 2); // with its quotes
        return true;
    case PL_JSON_NUMBER:
        out->raw = reader->token;
        return true;
    case PL_JSON_TRUE:
    case PL_JSON_FALSE:
    case PL_JSON_NULL:
        out->raw = pl_slice_cstr(event == PL_JSON_TRUE ? "true" : event == PL_JSON_FALSE ? "false" : "null");
        return true;
    default:
        return false;
    }
}

#define KEY_MAX 64

// Is the key that was just read this name?
static bool key_is(const struct pl_json_reader *reader, const char *name)
{
    uint8_t room[KEY_MAX];
    if (!reader->escaped)
        return pl_slice_eq_cstr(reader->token, name);
    return reader->token.len <= sizeof room &&
           pl_slice_eq_cstr(pl_slice_make(room, pl_json_unescape(reader->token, room)), name);
}

void pl_rpc_member(struct pl_slice object, const char *name, struct pl_rpc_value *out)
{
    struct pl_json_reader reader;
    struct pl_rpc_value value;
    *out = (struct pl_rpc_value){.type = PL_JSON_END};
    pl_json_reader_init(&reader, object);
    if (pl_json_next(&reader) != PL_JSON_OBJECT)
        return;
    while (pl_json_next(&reader) == PL_JSON_KEY) {
        bool wanted = key_is(&reader, name);
        if (!pl_rpc_value_next(&reader, &value))
            return;
        if (wanted)
            *out = value;
    }
}

bool pl_rpc_text(const struct pl_rpc_value *value, struct pl_arena *arena, struct pl_slice *out)
{
    return value->type == PL_JSON_STRING && pl_json_text(value->token, value->escaped, arena, out);
}

bool pl_rpc_item(struct pl_slice array, size_t *at, struct pl_rpc_value *out)
{
    struct pl_json_reader reader;
    struct pl_rpc_value value;
    pl_json_reader_init(&reader, array);
    if (pl_json_next(&reader) != PL_JSON_ARRAY)
        return false;
    for (size_t i = 0;; i++) {
        if (!pl_rpc_value_next(&reader, &value))
            return false;
        if (i == *at) {
            *at += 1;
            *out = value;
            return true;
        }
    }
}

// ---- messages

static void refuse(struct pl_rpc_message *out, const char *why)
{
    out->kind = PL_RPC_NO_MESSAGE;
    snprintf(out->why, sizeof out->why, "%s", why);
}

static bool is_whole(struct pl_slice number)
{
    for (size_t i = 0; i < number.len; i++) {
        if (number.ptr[i] != '-' && (number.ptr[i] < '0' || number.ptr[i] > '9'))
            return false;
    }
    return true;
}

struct members {
    struct pl_rpc_value version, id, method, params, result, error;
};

// False: bad JSON; the reader's error says why. *twice: a member that counts is there twice.
static bool read_members(struct pl_json_reader *reader, struct members *m, bool *twice)
{
    const struct {
        const char *name;
        struct pl_rpc_value *value;
    } known[] = {{"jsonrpc", &m->version}, {"id", &m->id},         {"method", &m->method},
                 {"params", &m->params},   {"result", &m->result}, {"error", &m->error}};
    enum pl_json_event event;
    struct pl_rpc_value other;
    for (size_t i = 0; i < PL_COUNTOF(known); i++)
        known[i].value->type = PL_JSON_END;
    while ((event = pl_json_next(reader)) == PL_JSON_KEY) {
        struct pl_rpc_value *at = &other;
        for (size_t i = 0; i < PL_COUNTOF(known); i++) {
            if (key_is(reader, known[i].name))
                at = known[i].value;
        }
        *twice = *twice || (at != &other && at->type != PL_JSON_END);
        if (!pl_rpc_value_next(reader, at))
            return false;
    }
    return event == PL_JSON_OBJECT_END && pl_json_next(reader) == PL_JSON_END;
}

// What the members make of it.
static void judge(const struct members *m, struct pl_rpc_message *out)
{
    bool has_id = m->id.type == PL_JSON_STRING || (m->id.type == PL_JSON_NUMBER && is_whole(m->id.token));
    if (has_id)
        out->id = m->id.raw;
    if (m->version.type != PL_JSON_STRING || !pl_slice_eq_cstr(m->version.token, "2.0")) {
        refuse(out, "'jsonrpc' must be \"2.0\".");
    } else if (m->id.type != PL_JSON_END && !has_id) {
        refuse(out, "'id' must be a string or a whole number.");
    } else if (m->method.type == PL_JSON_END && (m->result.type != PL_JSON_END || m->error.type != PL_JSON_END)) {
        out->kind = PL_RPC_RESPONSE;
    } else if (m->method.type != PL_JSON_STRING) {
        refuse(out, "'method' must be a string.");
    } else if (m->params.type != PL_JSON_END && m->params.type != PL_JSON_NULL && m->params.type != PL_JSON_OBJECT) {
        refuse(out, "'params' must be an object.");
    } else {
        out->kind = has_id ? PL_RPC_REQUEST : PL_RPC_NOTIFICATION;
        out->method = m->method.token;
        // Some clients write "textDocument\/hover".
        if (m->method.escaped && m->method.token.len <= sizeof out->room)
            out->method = pl_slice_make(out->room, pl_json_unescape(m->method.token, out->room));
        if (m->params.type == PL_JSON_OBJECT) // null, as some clients write it, is none
            out->params = m->params;
    }
}

void pl_rpc_message_read(struct pl_slice text, struct pl_rpc_message *out)
{
    struct pl_json_reader reader;
    struct members m;
    bool twice = false;
    *out = (struct pl_rpc_message){.kind = PL_RPC_NO_JSON, .id = pl_slice_cstr("null"), .params.type = PL_JSON_END};
    pl_json_reader_init(&reader, text);
    enum pl_json_event event = pl_json_next(&reader);
    if (event != PL_JSON_BAD && event != PL_JSON_OBJECT) {
        refuse(out, "A message is a JSON object with 'jsonrpc', 'id' and 'method'.");
        return;
    }
    if (event == PL_JSON_BAD || !read_members(&reader, &m, &twice)) {
        snprintf(out->why, sizeof out->why, "The message is not valid JSON: %.120s.", reader.err.message);
        return;
    }
    if (twice)
        refuse(out, "A member of the message is there twice.");
    else
        judge(&m, out);
}
