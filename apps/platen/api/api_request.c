// From an HTTP request to a render call: body by content type, controls by precedence (query over body over default).
#include "api_convert.h"
#include "base/ckd.h"

// Types whose whole body is ZPL. curl --data sends the urlencoded one by default, and Labelary's users rely on it.
static const char *const RAW_TYPES[] = {"",
                                        "text/plain",
                                        "application/zpl",
                                        "application/x-zpl",
                                        "application/octet-stream",
                                        "application/x-www-form-urlencoded"};

#define PARTS_MAX 32

bool problem_answer(const struct problem *problem, struct http_response *res)
{
    http_problem(res, problem->status, problem->code, "%s", problem->message);
    return false;
}

bool api_read_query(struct controls *controls, const struct http_request *req, struct problem *problem)
{
    for (size_t i = 0; i < req->query_count; i++) {
        if (!controls_set(controls, req->query[i].name, control_text(req->query[i].value), problem))
            return false;
    }
    return true;
}

static bool read_multipart(struct render_call *call, struct controls *body, struct pl_slice *rows)
{
    struct http_part parts[PARTS_MAX];
    size_t count = 0;
    struct pl_error err;
    struct problem problem;
    enum pl_errc code = http_multipart(call->req, parts, PARTS_MAX, &count, &err);
    if (code != PL_OK) {
        http_problem(call->res, code == PL_E_LIMIT ? 413 : 400, "invalid_multipart", "%s", err.message);
        return false;
    }
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (pl_slice_eq_cstr(parts[i].name, "file") || pl_slice_eq_cstr(parts[i].name, "zpl")) {
            if (found) {
                http_problem(call->res, 400, "conflicting_parameter", "The form has more than one 'file' or 'zpl'.");
                return false;
            }
            call->zpl = parts[i].data;
            found = true;
        } else if (pl_slice_eq_cstr(parts[i].name, "data")) {
            *rows = parts[i].data;
        } else if (!controls_set(body, parts[i].name, control_text(parts[i].data), &problem)) {
            return problem_answer(&problem, call->res);
        }
    }
    if (!found)
        http_problem(call->res, 400, "missing_zpl", "The form has no part 'file' or 'zpl' with the label code.");
    return found;
}

static bool is_raw(struct pl_slice type)
{
    for (size_t i = 0; i < PL_COUNTOF(RAW_TYPES); i++) {
        if (pl_slice_eq_cstr(type, RAW_TYPES[i]))
            return true;
    }
    return false;
}

static bool read_body(struct render_call *call, struct controls *body, struct pl_slice *rows)
{
    struct pl_slice type = call->req->content_type;
    struct problem problem;
    if (pl_slice_eq_cstr(type, "application/json"))
        return controls_from_json(body, call->req->body, call->req->arena, &call->zpl, rows, &problem) ||
               problem_answer(&problem, call->res);
    if (pl_slice_eq_cstr(type, "multipart/form-data"))
        return read_multipart(call, body, rows);
    if (is_raw(type)) {
        call->zpl = call->req->body;
        return true;
    }
    http_problem(call->res, 415, "unsupported_media_type",
                 "Content-Type must be application/json, text/plain, application/zpl, application/x-zpl, "
                 "application/octet-stream, application/x-www-form-urlencoded or multipart/form-data.");
    return false;
}

enum output api_accepted(const struct http_request *req, const enum output *offered, size_t count)
{
    const char *types[OUTPUT_COUNT];
    for (size_t i = 0; i < count; i++)
        types[i] = output_mime(offered[i]);
    return offered[http_accept_choose(req, types, count)];
}

// Only exact types count: browsers send lists with wildcards, and mean png.
static enum output wished_output(const struct http_request *req)
{
    static const enum output offered[] = {OUTPUT_PNG, OUTPUT_JPEG, OUTPUT_WEBP, OUTPUT_PDF, OUTPUT_JSON};
    // A list that also takes anything is a browser's or a library's default, not a wish.
    return http_accept_anything(req) ? OUTPUT_PNG : api_accepted(req, offered, PL_COUNTOF(offered));
}

bool api_read_request(struct render_call *call)
{
    struct controls query;
    struct problem problem;
    struct pl_slice rows = {0};
    controls_init(&call->controls);
    controls_init(&query);
    // The query first: a bad control is told before a body is looked at, and a POST without a body still hears of it.
    if (!api_read_query(&query, call->req, &problem))
        return problem_answer(&problem, call->res);
    if (!read_body(call, &call->controls, &rows))
        return false;
    controls_merge(&call->controls, &query);
    if (!controls_has(&call->controls, CONTROL_FORMAT))
        call->controls.format = wished_output(call->req);
    if (call->zpl.len == 0) {
        http_problem(call->res, 400, "missing_zpl", "There is no label code in the request.");
        return false;
    }
    if (rows.len > 0 && !call->labelary) {
        call->first_size = call->zpl.len;
        return convert_join(call, call->zpl, rows);
    }
    return true;
}
