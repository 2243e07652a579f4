// Finding schemas in an OpenAPI document.
#include "mcp/schema.h"

#include <string.h>

#include "base/json_rpc.h"

#define REFERENCE "#/components/schemas/"
#define NAME_MAX 64
#define DEPTH_MAX 8

void mcp_put_no_value(struct pl_buf *out, void *user)
{
    (void)user;
    pl_buf_append_cstr(out, "0");
}

void mcp_put_no_member(struct pl_buf *out, void *user)
{
    (void)user;
    pl_buf_append_cstr(out, "\"-\":0");
}

struct pl_slice mcp_schemas_of(struct pl_slice openapi)
{
    struct pl_rpc_value components, schemas;
    pl_rpc_member(openapi, "components", &components);
    pl_rpc_member(components.raw, "schemas", &schemas);
    return schemas.raw;
}

// The schema that a "$ref" names; empty: none.
static struct pl_slice referred(struct pl_slice schemas, struct pl_slice reference)
{
    char name[NAME_MAX];
    struct pl_rpc_value found;
    size_t prefix = strlen(REFERENCE);
    if (reference.len <= prefix || memcmp(reference.ptr, REFERENCE, prefix) != 0 || reference.len - prefix >= NAME_MAX)
        return pl_slice_make("", 0);
    memcpy(name, reference.ptr + prefix, reference.len - prefix);
    name[reference.len - prefix] = '\0';
    pl_rpc_member(schemas, name, &found);
    return found.raw;
}

static void put_object(struct pl_slice schemas, struct pl_slice object, unsigned depth, struct pl_buf *out);

// A value without blanks between its parts (messages on standard output are one line each), and with what it refers to
// in it. OpenAPI documents of ours are DEPTH_MAX deep at most.
static void put_value(struct pl_slice schemas, const struct pl_rpc_value *value, unsigned depth, struct pl_buf *out)
{
    struct pl_rpc_value item;
    if (value->type == PL_JSON_OBJECT && depth > 0) {
        put_object(schemas, value->raw, depth - 1, out);
    } else if (value->type == PL_JSON_ARRAY && depth > 0) {
        pl_buf_append_byte(out, '[');
        for (size_t at = 0; pl_rpc_item(value->raw, &at, &item);) {
            if (at > 1)
                pl_buf_append_byte(out, ',');
            put_value(schemas, &item, depth - 1, out);
        }
        pl_buf_append_byte(out, ']');
    } else if (value->type != PL_JSON_OBJECT && value->type != PL_JSON_ARRAY) {
        pl_buf_append_slice(out, value->raw);
    } else {
        pl_buf_append_cstr(out, "{}");
    }
}

// The members of an object, without its braces and without "$ref" and those that `instead` has, too.
static void put_members(struct pl_slice schemas, struct pl_slice object, struct pl_slice instead, unsigned depth,
                        bool *first, struct pl_buf *out)
{
    struct pl_json_reader reader;
    pl_json_reader_init(&reader, object);
    if (pl_json_next(&reader) != PL_JSON_OBJECT)
        return;
    while (pl_json_next(&reader) == PL_JSON_KEY) {
        char name[NAME_MAX] = "";
        struct pl_rpc_value value, other;
        struct pl_slice key = reader.token;
        if (key.len < NAME_MAX)
            memcpy(name, key.ptr, key.len);
        if (!pl_rpc_value_next(&reader, &value))
            return;
        pl_rpc_member(instead, name, &other);
        if (strcmp(name, "$ref") == 0 || other.type != PL_JSON_END)
            continue;
        if (!*first)
            pl_buf_append_byte(out, ',');
        *first = false;
        pl_buf_append_json_string(out, key);
        pl_buf_append_byte(out, ':');
        put_value(schemas, &value, depth, out);
    }
}

static void put_object(struct pl_slice schemas, struct pl_slice object, unsigned depth, struct pl_buf *out)
{
    struct pl_rpc_value reference;
    bool first = true;
    pl_rpc_member(object, "$ref", &reference);
    pl_buf_append_byte(out, '{');
    if (reference.type == PL_JSON_STRING)
        put_members(schemas, referred(schemas, reference.token), object, depth, &first, out);
    put_members(schemas, object, pl_slice_make("", 0), depth, &first, out);
    pl_buf_append_byte(out, '}');
}

static struct pl_slice properties_of(struct pl_slice schemas, const char *schema)
{
    struct pl_rpc_value found, properties;
    pl_rpc_member(schemas, schema, &found);
    pl_rpc_member(found.raw, "properties", &properties);
    return properties.raw;
}

bool mcp_schema_put_all(struct pl_slice schemas, const char *schema, struct pl_buf *out)
{
    struct pl_json_reader reader;
    bool any = false;
    pl_json_reader_init(&reader, properties_of(schemas, schema));
    if (pl_json_next(&reader) != PL_JSON_OBJECT)
        return false;
    while (pl_json_next(&reader) == PL_JSON_KEY) {
        struct pl_slice key = reader.token;
        struct pl_rpc_value value;
        if (!pl_rpc_value_next(&reader, &value))
            return false;
        if (any)
            pl_buf_append_byte(out, ',');
        any = true;
        pl_buf_append_json_string(out, key);
        pl_buf_append_byte(out, ':');
        put_value(schemas, &value, DEPTH_MAX, out);
    }
    return any;
}
