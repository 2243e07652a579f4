// From an HTTP request to a render call: body by content type, controls by precedence (query over body over default).
#include <string.h>

#include "api.h"
#include "api_body.h"
#include "base/ckd.h"
#include "http/message/url.h"

#define FIELDS_MAX 32

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

bool api_parts(struct render_call *call, struct http_part parts[API_PARTS_MAX], size_t *count)
{
    struct pl_error err;
    enum pl_errc code = http_multipart(call->req, parts, API_PARTS_MAX, count, &err);
    if (code == PL_OK)
        return true;
    http_problem(call->res, code == PL_E_LIMIT ? 413 : 400, "invalid_multipart", "%s", err.message);
    return false;
}

static bool read_multipart(struct render_call *call, struct controls *body, struct pl_slice *rows)
{
    struct http_part parts[API_PARTS_MAX];
    size_t count = 0;
    struct problem problem;
    if (!api_parts(call, parts, &count))
        return false;
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

static bool refuse_form(struct render_call *call, int status, const char *why)
{
    http_problem(call->res, status, "invalid_form", "The form cannot be read: %s", why);
    return false;
}

// Label code that nobody has encoded: what '+', '%' and '&' in it mean cannot be known.
static bool is_ambiguous(struct pl_slice body, const struct http_pair *fields, size_t count)
{
    bool names = false;
    for (size_t i = 0; i < count; i++)
        names = names || memchr(fields[i].name.ptr, '^', fields[i].name.len);
    return names ||
           (memchr(body.ptr, '^', body.len) && (memchr(body.ptr, '+', body.len) || memchr(body.ptr, '%', body.len)));
}

// A form's fields: label code in `zpl`, rows in `data`, and controls.
static bool read_fields(struct render_call *call, struct controls *body, struct pl_slice *rows)
{
    struct http_pair fields[FIELDS_MAX];
    size_t count = 0;
    struct pl_error err;
    struct problem problem;
    enum pl_errc code =
        http_query_split(call->req->arena, api_body_text(call->req->body), fields, FIELDS_MAX, &count, &err);
    if (code != PL_OK)
        return refuse_form(call, code == PL_E_INVALID ? 400 : 413, err.message);
    if (is_ambiguous(call->req->body, fields, count))
        return refuse_form(call, 400, "its label code holds '+', '%' or '&' and is not percent-encoded.");
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (pl_slice_eq_nocase(fields[i].name, pl_slice_cstr("zpl"))) {
            if (found) {
                http_problem(call->res, 400, "conflicting_parameter", "The form has more than one 'zpl'.");
                return false;
            }
            found = true;
            call->zpl = fields[i].value;
        } else if (pl_slice_eq_cstr(fields[i].name, "data"))
            *rows = fields[i].value;
        else if (!controls_set(body, fields[i].name, control_text(fields[i].value), &problem))
            return problem_answer(&problem, call->res);
    }
    return true;
}

static bool decode_code(struct render_call *call)
{
    struct pl_error err;
    enum pl_errc code = http_url_decode(call->req->arena, call->req->body, true, &call->zpl, &err);
    return code == PL_OK || refuse_form(call, code == PL_E_INVALID ? 400 : 413, err.message);
}

static bool read_body(struct render_call *call, struct controls *body, struct pl_slice *rows)
{
    struct problem problem;
    bool guessed;
    switch (api_body_kind(call->req->content_type, call->req->body, &guessed)) {
    case BODY_CODE:
        call->zpl = call->req->body;
        return true;
    case BODY_ENCODED_CODE:
        body->body_note = "encoded label code";
        return decode_code(call);
    case BODY_JSON:
        body->body_note = guessed ? "JSON" : NULL;
        return controls_from_json(body, call->req->body, call->req->arena, &call->zpl, rows, &problem) ||
               problem_answer(&problem, call->res);
    case BODY_FIELDS:
        body->body_note = guessed ? "a form" : NULL;
        return read_fields(call, body, rows);
    case BODY_PARTS:
        return read_multipart(call, body, rows);
    case BODY_WIDE:
        api_code_check(call->req->body, &problem);
        return problem_answer(&problem, call->res);
    case BODY_OTHER:
        break;
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

static enum output accepted_output(const struct http_request *req)
{
    static const enum output offered[] = {OUTPUT_PNG, OUTPUT_JPEG, OUTPUT_WEBP, OUTPUT_PDF, OUTPUT_JSON};
    return api_accepted(req, offered, PL_COUNTOF(offered));
}

// Headers of Labelary's address are controls only there.
static void note_headers(struct render_call *call)
{
    static const char *const HEADERS[] = {
        "X-Rotation",         "X-Quality",     "X-Linter",     "X-Page-Size",
        "X-Page-Orientation", "X-Page-Layout", "X-Page-Align", "X-Page-Vertical-Align",
        "X-Label-Border",     "X-Formatter",   "X-Target-Dpmm"};
    struct pl_slice value;
    for (size_t i = 0; i < PL_COUNTOF(HEADERS); i++) {
        if (http_header(call->req, HEADERS[i], &value))
            controls_note_useless(&call->controls, HEADERS[i]);
    }
}

bool api_join(struct render_call *call, struct pl_slice a, struct pl_slice b)
{
    size_t size;
    uint8_t *both = PL_CKD_ADD(&size, a.len, b.len) ? PL_ARENA_ARRAY(call->req->arena, uint8_t, size + 1) : NULL;
    if (!both) {
        http_problem(call->res, 413, "body_too_large", "The request needs more memory than one request may have.");
        return false;
    }
    if (a.len > 0)
        memcpy(both, a.ptr, a.len);
    if (b.len > 0)
        memcpy(both + a.len, b.ptr, b.len);
    call->zpl = pl_slice_make(both, size);
    return true;
}

bool api_read_request(struct render_call *call)
{
    struct controls query;
    struct problem problem;
    struct pl_slice rows = {0};
    controls_init(&call->controls);
    controls_init(&query);
    // The query first: a bad control is told before a body is looked at, and a POST without a body still hears of it.
    if (!call->labelary && !api_read_query(&query, call->req, &problem))
        return problem_answer(&problem, call->res);
    if (!read_body(call, &call->controls, &rows))
        return false;
    controls_override(&call->controls, &query);
    if (!call->labelary)
        note_headers(call);
    if (!controls_has(&call->controls, CONTROL_FORMAT))
        call->controls.format = accepted_output(call->req);
    if (call->zpl.len == 0) {
        http_problem(call->res, 400, "missing_zpl", "There is no label code in the request.");
        return false;
    }
    if (!api_code_check(call->zpl, &problem))
        return problem_answer(&problem, call->res);
    if (rows.len > 0 && call->labelary)
        controls_note_name(&call->controls, pl_slice_cstr("data"));
    if (rows.len > 0 && !call->labelary) {
        call->first_size = call->zpl.len;
        return api_join(call, call->zpl, rows);
    }
    return true;
}
