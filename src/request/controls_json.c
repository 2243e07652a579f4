// Reading JSON objects of controls and other members, as RenderRequest is one.
#include "base/ckd.h"
#include "base/json_rpc.h"
#include "request/controls.h"

static bool bad_json(const char *what, const struct pl_json_reader *reader, struct problem *problem)
{
    return problem_set(problem, 400, "invalid_json", "The %s is not valid JSON: %s.", what, reader->err.message);
}

static bool no_room(struct problem *problem)
{
    return problem_set(problem, 413, "body_too_large", "The request needs more memory than one request may have.");
}

#define BODY_KEYS_MAX 64

// Is this key in the object already? Objects of requests have few keys.
static bool seen_before(struct pl_slice *keys, size_t count, struct pl_slice key)
{
    for (size_t i = 0; i < count; i++) {
        if (pl_slice_eq(keys[i], key))
            return true;
    }
    return false;
}

bool controls_from_object(struct controls *controls, struct pl_slice text, struct pl_arena *arena, controls_member *own,
                          void *user, struct problem *problem)
{
    return controls_from_members(controls, "body", BODY_KEYS_MAX, text, arena, own, user, problem);
}

// The value of a member. Objects and arrays are taken as they are written.
static bool member_value(struct pl_json_reader *reader, const char *what, struct pl_arena *arena,
                         struct control_value *out, struct problem *problem)
{
    struct pl_rpc_value value;
    if (!pl_rpc_value_next(reader, &value))
        return bad_json(what, reader, problem);
    *out =
        (struct control_value){.type = value.type, .json = true, .text = pl_slice_cstr(pl_json_event_name(value.type))};
    if (value.type == PL_JSON_STRING)
        return pl_rpc_text(&value, arena, &out->text) || no_room(problem);
    const bool holds_others = value.type == PL_JSON_OBJECT || value.type == PL_JSON_ARRAY;
    if (value.type != PL_JSON_NULL)
        *(holds_others ? &out->raw : &out->text) = value.raw;
    return true;
}

bool controls_from_members(struct controls *controls, const char *what, uint32_t most, struct pl_slice text,
                           struct pl_arena *arena, controls_member *own, void *user, struct problem *problem)
{
    struct pl_json_reader reader;
    pl_json_reader_init(&reader, text);
    enum pl_json_event event = pl_json_next(&reader);
    if (event == PL_JSON_BAD)
        return bad_json(what, &reader, problem);
    if (event != PL_JSON_OBJECT) {
        return problem_set(problem, 400, "invalid_json", "The %s must be one JSON object; it is %s.", what,
                           pl_json_event_name(event));
    }
    struct pl_slice *keys = PL_ARENA_ARRAY(arena, struct pl_slice, most);
    if (!keys)
        return no_room(problem);
    size_t key_count = 0;
    while ((event = pl_json_next(&reader)) == PL_JSON_KEY) {
        struct pl_slice key;
        if (!pl_json_text(reader.token, reader.escaped, arena, &key))
            return no_room(problem);
        if (seen_before(keys, key_count, key)) {
            return problem_set(problem, 400, "invalid_json", "The %s has the key \"%.*s\" twice.", what,
                               (int)PL_MIN(key.len, (size_t)32), (const char *)key.ptr);
        }
        if (key_count == most) {
            return problem_set(problem, 400, "invalid_json", "The %s has more than %u fields.", what, most);
        }
        keys[key_count++] = key;
        struct control_value v;
        if (!member_value(&reader, what, arena, &v, problem))
            return false;
        bool taken = false;
        if (!own(user, key, v, &taken, problem) || (!taken && !controls_set(controls, key, v, problem)))
            return false;
    }
    if (event == PL_JSON_BAD || pl_json_next(&reader) != PL_JSON_END)
        return bad_json(what, &reader, problem);
    return true;
}

bool controls_text_member(struct pl_slice name, struct control_value value, struct pl_slice *out,
                          struct problem *problem)
{
    if (value.type != PL_JSON_STRING) {
        return problem_set(problem, 400, "invalid_parameter", "'%.*s' must be a string; it is %s.", (int)name.len,
                           (const char *)name.ptr, pl_json_event_name(value.type));
    }
    *out = value.text;
    return true;
}
