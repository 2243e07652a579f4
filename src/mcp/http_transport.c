// Messages over HTTP: each POST is one message, and its answer is JSON.
#include "base/ckd.h"
#include "mcp/transport.h"

// Does the client take JSON? The protocol asks clients to name JSON and event streams; those who send nothing take all.
static bool takes_json(const struct http_request *req)
{
    struct pl_slice list, name;
    double weight;
    if (!http_header(req, "Accept", &list))
        return true;
    while (http_list_next(&list, &name, &weight)) {
        if (weight > 0 && (pl_slice_eq_nocase(name, pl_slice_cstr("application/json")) ||
                           pl_slice_eq_cstr(name, "*/*") || pl_slice_eq_cstr(name, "application/*")))
            return true;
    }
    return false;
}

static bool is_acceptable(const struct http_request *req, struct http_response *res)
{
    if (!pl_slice_eq_cstr(req->content_type, "application/json"))
        http_problem(res, 415, "unsupported_media_type", "Content-Type must be application/json.");
    else if (!takes_json(req))
        http_problem(res, 406, "not_acceptable", "Accept must name application/json.");
    else
        return true;
    return false;
}

int mcp_http(const struct mcp_offer *offer, void *host, struct http_request *req, struct http_response *res)
{
    if (!is_acceptable(req, res))
        return http_status(res);
    struct pl_buf out;
    struct mcp_headers headers = {0};
    (void)http_header(req, "Mcp-Protocol-Version", &headers.revision);
    (void)http_header(req, "Mcp-Method", &headers.method);
    (void)http_header(req, "Mcp-Name", &headers.name);
    const struct mcp_context context = {.arena = req->arena, .job = &req->job, .host = host, .headers = &headers};
    pl_buf_init(&out, MCP_ANSWER_MAX);
    enum mcp_outcome outcome = mcp_answer(offer, req->body, &context, &out);
    if (outcome == MCP_NOTHING) {
        pl_buf_fini(&out);
        http_body_borrow(res, pl_slice_make("", 0));
        return 202;
    }
    if (out.failed) {
        pl_buf_fini(&out);
        return http_problem_overloaded(res);
    }
    http_set_type(res, "application/json");
    http_body_take_buf(res, &out);
    return outcome == MCP_INVALID ? 400 : outcome == MCP_NO_METHOD ? 404 : 200;
}
