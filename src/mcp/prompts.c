// Prompts: texts with arguments.
#include <string.h>

#include "base/ckd.h"
#include "mcp/methods.h"

void mcp_list_prompts(const struct mcp_exchange *x)
{
    mcp_open_lasting_result(x);
    pl_json_key(x->json, "prompts");
    pl_json_array(x->json);
    for (size_t i = 0; i < x->offer->prompt_count; i++) {
        const struct mcp_prompt *prompt = &x->offer->prompts[i];
        pl_json_object(x->json);
        pl_json_kv_cstr(x->json, "name", prompt->name);
        pl_json_kv_cstr(x->json, "title", prompt->title);
        pl_json_kv_cstr(x->json, "description", prompt->description);
        pl_json_key(x->json, "arguments");
        pl_json_array(x->json);
        for (size_t a = 0; a < MCP_PROMPT_ARGUMENTS && prompt->arguments[a].name; a++) {
            pl_json_object(x->json);
            pl_json_kv_cstr(x->json, "name", prompt->arguments[a].name);
            pl_json_kv_cstr(x->json, "description", prompt->arguments[a].description);
            pl_json_kv_bool(x->json, "required", prompt->arguments[a].required);
            pl_json_end(x->json);
        }
        pl_json_end(x->json);
        pl_json_end(x->json);
    }
    pl_json_end(x->json);
    pl_json_end(x->json);
}

// At a brace of the text: appends the value that it names, or the brace. Returns how many bytes of the text that was.
static size_t put_argument(const struct mcp_prompt *prompt, const char *at, const struct pl_slice *values,
                           struct pl_buf *out)
{
    if (!*at)
        return 0;
    for (size_t a = 0; a < MCP_PROMPT_ARGUMENTS && prompt->arguments[a].name; a++) {
        size_t len = strlen(prompt->arguments[a].name);
        if (strncmp(at + 1, prompt->arguments[a].name, len) == 0 && at[len + 1] == '}') {
            pl_buf_append_slice(out, values[a]);
            return len + 2;
        }
    }
    pl_buf_append_byte(out, (uint8_t)*at);
    return 1;
}

// Appends the prompt's text with its arguments in it. False: one is missing or no string, and the error is written.
static bool fill_prompt(const struct mcp_exchange *x, const struct mcp_prompt *prompt, struct pl_slice arguments,
                        struct pl_buf *out)
{
    struct pl_slice values[MCP_PROMPT_ARGUMENTS] = {0};
    for (size_t a = 0; a < MCP_PROMPT_ARGUMENTS && prompt->arguments[a].name; a++) {
        struct pl_rpc_value value;
        pl_rpc_member(arguments, prompt->arguments[a].name, &value);
        bool absent = value.type == PL_JSON_END && !prompt->arguments[a].required;
        if (!absent && !pl_rpc_text(&value, x->context->arena, &values[a])) {
            mcp_put_error(x->json, RPC_INVALID_PARAMS, "'arguments' must have '%s', a string: %s",
                          prompt->arguments[a].name, prompt->arguments[a].description);
            return false;
        }
    }
    for (const char *p = prompt->text; *p;) {
        size_t n = strcspn(p, "{");
        pl_buf_append(out, p, n);
        p += n;
        p += put_argument(prompt, p, values, out);
    }
    return true;
}

void mcp_get_prompt(const struct mcp_exchange *x)
{
    struct pl_slice name;
    if (!mcp_text_parameter(x, "name", &name))
        return;
    struct pl_rpc_value arguments;
    pl_rpc_member(x->message->params.raw, "arguments", &arguments);
    struct pl_slice object = arguments.type == PL_JSON_OBJECT ? arguments.raw : pl_slice_cstr("{}");
    for (size_t i = 0; i < x->offer->prompt_count; i++) {
        const struct mcp_prompt *prompt = &x->offer->prompts[i];
        if (!pl_slice_eq_cstr(name, prompt->name))
            continue;
        struct pl_buf text;
        pl_buf_init(&text, MCP_ANSWER_MAX);
        if (fill_prompt(x, prompt, object, &text)) {
            mcp_open_result(x);
            pl_json_kv_cstr(x->json, "description", prompt->description);
            pl_json_key(x->json, "messages");
            pl_json_array(x->json);
            pl_json_object(x->json);
            pl_json_kv_cstr(x->json, "role", "user");
            pl_json_key(x->json, "content");
            pl_json_object(x->json);
            pl_json_kv_cstr(x->json, "type", "text");
            pl_json_kv_slice(x->json, "text", pl_buf_slice(&text));
            pl_json_end(x->json);
            pl_json_end(x->json);
            pl_json_end(x->json);
            pl_json_end(x->json);
        }
        pl_buf_inherit(x->json->buf, &text);
        pl_buf_fini(&text);
        return;
    }
    mcp_put_error(x->json, RPC_INVALID_PARAMS, "There is no prompt '%.*s'; prompts/list has those that there are.",
                  (int)PL_MIN(name.len, (size_t)100), (const char *)name.ptr);
}
