// Resources: pages and what a template gives.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "mcp/methods.h"

// A page begins with "# Title".
static struct pl_slice first_line(struct pl_slice text)
{
    size_t from = 0, end = 0;
    while (from < text.len && (text.ptr[from] == '#' || text.ptr[from] == ' '))
        from++;
    for (end = from; end < text.len && text.ptr[end] != '\n';)
        end++;
    return pl_slice_sub(text, from, end - from);
}

void mcp_list_resources(const struct mcp_exchange *x)
{
    struct mcp_resource resource;
    struct pl_slice text;
    mcp_open_lasting_result(x);
    pl_json_key(x->json, "resources");
    pl_json_array(x->json);
    for (size_t i = 0; x->offer->resource_at(i, &resource, &text); i++) {
        pl_json_object(x->json);
        pl_json_kv_cstr(x->json, "uri", resource.uri);
        pl_json_kv_cstr(x->json, "name", resource.name);
        pl_json_key(x->json, "title");
        if (resource.title)
            pl_json_cstr(x->json, resource.title);
        else
            pl_json_slice(x->json, first_line(text));
        mcp_put_optional(x->json, "description", resource.description);
        pl_json_kv_cstr(x->json, "mimeType", resource.type);
        if (text.len > 0)
            pl_json_kv_u64(x->json, "size", text.len);
        pl_json_end(x->json);
    }
    pl_json_end(x->json);
    pl_json_end(x->json);
}

void mcp_list_templates(const struct mcp_exchange *x)
{
    mcp_open_lasting_result(x);
    pl_json_key(x->json, "resourceTemplates");
    pl_json_array(x->json);
    for (size_t i = 0; i < x->offer->template_count; i++) {
        const struct mcp_template *t = &x->offer->templates[i];
        char uri[160];
        snprintf(uri, sizeof uri, "%s{%s}", t->prefix, t->parameter);
        pl_json_object(x->json);
        pl_json_kv_cstr(x->json, "uriTemplate", uri);
        pl_json_kv_cstr(x->json, "name", t->name);
        pl_json_kv_cstr(x->json, "description", t->description);
        pl_json_kv_cstr(x->json, "mimeType", t->type);
        pl_json_end(x->json);
    }
    pl_json_end(x->json);
    pl_json_end(x->json);
}

static void put_contents(const struct mcp_exchange *x, struct pl_slice uri, const char *type, struct pl_slice text)
{
    mcp_open_lasting_result(x);
    pl_json_key(x->json, "contents");
    pl_json_array(x->json);
    pl_json_object(x->json);
    pl_json_kv_slice(x->json, "uri", uri);
    pl_json_kv_cstr(x->json, "mimeType", type);
    pl_json_kv_slice(x->json, "text", text);
    pl_json_end(x->json);
    pl_json_end(x->json);
    pl_json_end(x->json);
}

static void refuse_uri(const struct mcp_exchange *x, struct pl_slice uri, const char *why)
{
    mcp_open_error(x->json, x->is_stateless ? RPC_INVALID_PARAMS : RPC_NO_RESOURCE, "%s", why);
    pl_json_key(x->json, "data");
    pl_json_object(x->json);
    pl_json_kv_slice(x->json, "uri", uri);
    pl_json_end(x->json);
    pl_json_end(x->json);
}

void mcp_read_resource(const struct mcp_exchange *x)
{
    struct pl_slice uri, text;
    struct mcp_resource resource;
    if (!mcp_text_parameter(x, "uri", &uri))
        return;
    for (size_t i = 0; x->offer->resource_at(i, &resource, &text); i++) {
        if (pl_slice_eq_cstr(uri, resource.uri)) {
            put_contents(x, uri, resource.type, text);
            return;
        }
    }
    for (size_t i = 0; i < x->offer->template_count; i++) {
        const struct mcp_template *t = &x->offer->templates[i];
        size_t prefix = strlen(t->prefix);
        if (uri.len <= prefix || memcmp(uri.ptr, t->prefix, prefix) != 0)
            continue;
        struct mcp_call call = mcp_call_of(x, pl_slice_sub(uri, prefix, uri.len));
        struct pl_buf out;
        pl_buf_init(&out, MCP_ANSWER_MAX);
        if (t->read(&call, &out))
            put_contents(x, uri, t->type, pl_buf_slice(&out));
        else
            refuse_uri(x, uri, call.problem);
        pl_buf_inherit(x->json->buf, &out);
        pl_buf_fini(&out);
        return;
    }
    refuse_uri(x, uri, "There is no resource of this address; resources/list has those that there are.");
}
