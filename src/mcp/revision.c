// Which revision of the protocol a request is of, and what it must carry in that one. Until 2025-11-25 a client begins
// with initialize; from 2026-07-28 on each request says its revision in _meta, and over HTTP in headers, too.
#include "mcp/revision.h"

#include <string.h>

#include "base/base64.h"
#include "base/ckd.h"

#define META "io.modelcontextprotocol/"

static const char *const REVISIONS[] = {"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}; // the newest first
#define STATELESS REVISIONS[0]
#define NEWEST_WITH_INITIALIZE REVISIONS[1]
#define LAST_WITH_LISTS REVISIONS[3]

static bool is_known(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(REVISIONS); i++) {
        if (pl_slice_eq_cstr(name, REVISIONS[i]))
            return true;
    }
    return false;
}

const char *mcp_revision_for(struct pl_slice wanted)
{
    for (size_t i = 1; i < PL_COUNTOF(REVISIONS); i++) {
        if (pl_slice_eq_cstr(wanted, REVISIONS[i]))
            return REVISIONS[i];
    }
    return NEWEST_WITH_INITIALIZE;
}

void mcp_put_revisions(struct pl_json_writer *json, const char *name)
{
    pl_json_key(json, name);
    pl_json_array(json);
    for (size_t i = 0; i < PL_COUNTOF(REVISIONS); i++)
        pl_json_cstr(json, REVISIONS[i]);
    pl_json_end(json);
}

bool mcp_has_lists(const struct mcp_context *context)
{
    struct pl_slice revision = {0};
    if (context->headers)
        revision = context->headers->revision;
    else if (context->agreed && *context->agreed)
        revision = pl_slice_cstr(*context->agreed);
    return revision.len == 0 || pl_slice_eq_cstr(revision, LAST_WITH_LISTS);
}

static bool refuse_revision(const struct mcp_exchange *x, struct pl_slice wanted)
{
    mcp_open_error(x->json, RPC_UNSUPPORTED_REVISION,
                   "Revision '%.*s' of the protocol is not spoken here: 'supported' lists those that are.",
                   (int)PL_MIN(wanted.len, (size_t)40), (const char *)wanted.ptr);
    pl_json_key(x->json, "data");
    pl_json_object(x->json);
    mcp_put_revisions(x->json, "supported");
    pl_json_kv_slice(x->json, "requested", wanted);
    pl_json_end(x->json);
    pl_json_end(x->json);
    return false;
}

static bool refuse_header(const struct mcp_exchange *x, const char *header, struct pl_slice is, struct pl_slice must_be)
{
    mcp_put_error(x->json, RPC_HEADER_MISMATCH, "The header %s is '%.*s'; the message says '%.*s'.", header,
                  (int)PL_MIN(is.len, (size_t)80), (const char *)is.ptr, (int)PL_MIN(must_be.len, (size_t)80),
                  (const char *)must_be.ptr);
    return false;
}

static struct pl_rpc_value parameter(const struct mcp_exchange *x, const char *name)
{
    struct pl_rpc_value value = {.type = PL_JSON_END};
    if (x->message->params.type == PL_JSON_OBJECT)
        pl_rpc_member(x->message->params.raw, name, &value);
    return value;
}

static struct pl_rpc_value meta(const struct mcp_exchange *x, const char *name)
{
    struct pl_rpc_value all = parameter(x, "_meta"), value = {.type = PL_JSON_END};
    if (all.type == PL_JSON_OBJECT)
        pl_rpc_member(all.raw, name, &value);
    return value;
}

// A name that is no plain ASCII is sent as "=?base64?…?=". What is not Base64 to its end is taken as it is: others
// would decode it to something else.
static struct pl_slice decoded(const struct mcp_exchange *x, struct pl_slice header)
{
    static const char BEGIN[] = "=?base64?", END[] = "?=";
    const size_t begin = sizeof BEGIN - 1, end = sizeof END - 1;
    if (header.len < begin + end || memcmp(header.ptr, BEGIN, begin) != 0 ||
        memcmp(header.ptr + header.len - end, END, end) != 0)
        return header;
    struct pl_slice code = pl_slice_sub(header, begin, header.len - begin - end);
    uint8_t *bytes = PL_ARENA_ARRAY(x->context->arena, uint8_t, code.len / 4 * 3 + 3);
    size_t used = 0, size = bytes ? pl_base64_decode(code, bytes, &used) : 0;
    return bytes && used == code.len ? pl_slice_make(bytes, size) : header;
}

// The headers repeat what the message says, for what stands between a client and us; nobody may be told another thing.
static bool check_headers(const struct mcp_exchange *x)
{
    static const struct {
        const char *method, *parameter;
    } NAMED[] = {{"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}};
    const struct mcp_headers *h = x->context->headers;
    if (!pl_slice_eq(h->method, x->message->method))
        return refuse_header(x, "Mcp-Method", h->method, x->message->method);
    for (size_t i = 0; i < PL_COUNTOF(NAMED); i++) {
        struct pl_rpc_value value = parameter(x, NAMED[i].parameter);
        struct pl_slice name, given = decoded(x, h->name);
        if (pl_slice_eq_cstr(x->message->method, NAMED[i].method) && pl_rpc_text(&value, x->context->arena, &name) &&
            !pl_slice_eq(given, name))
            return refuse_header(x, "Mcp-Name", given, name);
    }
    return true;
}

bool mcp_read_revision(struct mcp_exchange *x)
{
    const struct mcp_headers *h = x->context->headers;
    struct pl_rpc_value value = meta(x, META "protocolVersion");
    const bool is_request = x->message->kind == PL_RPC_REQUEST, is_said = value.type != PL_JSON_END;
    struct pl_slice said = {0};
    if (is_said && !pl_rpc_text(&value, x->context->arena, &said)) {
        mcp_put_error(x->json, RPC_INVALID_PARAMS, "'" META "protocolVersion' of '_meta' must be a string.");
        return false;
    }
    if (is_said && is_request && h && !pl_slice_eq(h->revision, said))
        return refuse_header(x, "MCP-Protocol-Version", h->revision, said);
    const struct pl_slice wanted = is_said || !h ? said : h->revision;
    if ((is_said || wanted.len > 0) && !is_known(wanted))
        return refuse_revision(x, wanted);
    if (!is_request)
        return true;
    x->is_stateless =
        pl_slice_eq_cstr(wanted, STATELESS) || (wanted.len == 0 && pl_slice_eq_cstr(x->message->method, MCP_DISCOVER));
    if (!x->is_stateless)
        return true;
    if (!is_said || meta(x, META "clientCapabilities").type != PL_JSON_OBJECT) {
        mcp_put_error(x->json, RPC_INVALID_PARAMS,
                      "'params' must have '_meta' with '" META "protocolVersion', a string, and '" META
                      "clientCapabilities', an object.");
        return false;
    }
    return !h || check_headers(x);
}

// ---- results

void mcp_put_server(const struct mcp_exchange *x, const char *name)
{
    pl_json_key(x->json, name);
    pl_json_object(x->json);
    pl_json_kv_cstr(x->json, "name", x->offer->name);
    pl_json_kv_cstr(x->json, "title", x->offer->title);
    pl_json_kv_cstr(x->json, "version", x->offer->version);
    pl_json_end(x->json);
}

void mcp_open_result(const struct mcp_exchange *x)
{
    pl_json_key(x->json, "result");
    pl_json_object(x->json);
    if (!x->is_stateless)
        return;
    pl_json_kv_cstr(x->json, "resultType", "complete");
    pl_json_key(x->json, "_meta");
    pl_json_object(x->json);
    mcp_put_server(x, META "serverInfo");
    pl_json_end(x->json);
}

void mcp_open_lasting_result(const struct mcp_exchange *x)
{
    mcp_open_result(x);
    if (!x->is_stateless)
        return;
    pl_json_kv_u64(x->json, "ttlMs", 3600000);
    pl_json_kv_cstr(x->json, "cacheScope", "public");
}
