// Unit tests of the Model Context Protocol: reading messages, members, and schemas out of OpenAPI.
#include <string.h>

#include "base/json_rpc.h"
#include "mcp/schema.h"
#include "unit.h"

static enum pl_rpc_kind kind_of(const char *text)
{
    struct pl_rpc_message message;
    pl_rpc_message_read(pl_slice_cstr(text), &message);
    return message.kind;
}

static void messages_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(kind_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), PL_RPC_REQUEST);
    assert_int_equal(kind_of("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\",\"params\":{}}"), PL_RPC_REQUEST);
    assert_int_equal(kind_of("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"), PL_RPC_NOTIFICATION);
    assert_int_equal(kind_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"), PL_RPC_RESPONSE);
    static const char *const none[] = {"7",
                                       "[]",
                                       "{}",
                                       "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
                                       "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                                       "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
                                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}",
                                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(kind_of(none[i]), PL_RPC_NO_MESSAGE);
    static const char *const bad[] = {"", "{", "{\"jsonrpc\":\"2.0\"}x", "nonsense", "{\"a\":\"\xFF\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(kind_of(bad[i]), PL_RPC_NO_JSON);
}

static void methods_may_have_escapes(void **state)
{
    (void)state;
    struct pl_rpc_message message;
    pl_rpc_message_read(pl_slice_cstr("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools\\/list\",\"params\":null}"),
                        &message);
    assert_int_equal(message.kind, PL_RPC_REQUEST);
    assert_true(pl_slice_eq_cstr(message.method, "tools/list"));
    assert_int_equal(message.params.type, PL_JSON_END);
}

static void ids_are_kept_as_written(void **state)
{
    (void)state;
    struct pl_rpc_message message;
    pl_rpc_message_read(pl_slice_cstr("{\"id\":\"a\\u0041\",\"jsonrpc\":\"2.0\",\"method\":\"ping\"}"), &message);
    assert_true(pl_slice_eq_cstr(message.id, "\"a\\u0041\""));
    pl_rpc_message_read(pl_slice_cstr("{\"id\":-7,\"jsonrpc\":\"1\"}"), &message);
    assert_true(pl_slice_eq_cstr(message.id, "-7")); // an error answers it, too
}

static void members_are_found(void **state)
{
    (void)state;
    struct pl_slice object = pl_slice_cstr("{\"a\":{\"b\":1},\"b\":[1,2],\"\\u0063\":\"x\"}");
    struct pl_rpc_value value;
    pl_rpc_member(object, "b", &value);
    assert_true(pl_slice_eq_cstr(value.raw, "[1,2]"));
    pl_rpc_member(object, "c", &value); // its name is written with an escape
    assert_true(pl_slice_eq_cstr(value.raw, "\"x\""));
    pl_rpc_member(object, "d", &value);
    assert_int_equal(value.type, PL_JSON_END);
}

static void schemas_have_what_they_refer_to(void **state)
{
    (void)state;
    static const char openapi[] =
        "{ \"components\": { \"schemas\": { \"A\": { \"properties\": { \"x\": { \"$ref\": \"#/components/schemas/B\", "
        "\"description\": \"own \\\"words\\\"\" } } }, \"B\": { \"description\": \"others\", \"oneOf\": [ { \"$ref\": "
        "\"#/components/schemas/C\" }, { \"type\": \"number\" } ] }, \"C\": { \"type\": \"string\" } } } }";
    struct pl_slice schemas = mcp_schemas_of(pl_slice_cstr(openapi));
    struct pl_buf out;
    pl_buf_init(&out, 4096);
    assert_true(mcp_schema_put_all(schemas, "A", &out));
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&out), "\"x\":{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"number\"}],"
                                                     "\"description\":\"own \\\"words\\\"\"}"));
    assert_false(mcp_schema_put_all(schemas, "D", &out));
    pl_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_told_apart),         cmocka_unit_test(methods_may_have_escapes),
        cmocka_unit_test(ids_are_kept_as_written),         cmocka_unit_test(members_are_found),
        cmocka_unit_test(schemas_have_what_they_refer_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
