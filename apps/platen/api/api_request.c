// From an HTTP request to a render call: body by content type, controls by precedence (query over body over default).
#include <string.h>

#include "api.h"
#include "api_body.h"
#include "base/ckd.h"
#include "http/message/url.h"

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

// ---- what a body has beside controls

// JSON's null gives nothing.
static bool take_rows(struct convert_call *c, struct control_value v, struct problem *problem)
{
    bool is_text = !v.json || v.type == PL_JSON_STRING;
    struct pl_slice rows = is_text ? v.text : v.raw;
    if (v.type == PL_JSON_NULL)
        return true;
    if (rows.len == 0)
        return problem_set(problem, 400, "invalid_parameter", "'%s' must be %s; it is %s.", c->rows_name,
                           strcmp(c->rows_name, "data") == 0
                               ? "an array of objects, an object, or CSV with a line of names"
                               : "a string",
                           is_text ? "empty" : pl_json_event_name(v.type));
    if (c->has_rows && !pl_slice_eq(rows, c->rows))
        return problem_twice(problem, c->rows_name);
    c->has_rows = true;
    c->rows = rows;
    return true;
}

static bool take_member(void *user, struct pl_slice name, struct control_value v, bool *taken, struct problem *problem)
{
    struct convert_call *c = user;
    *taken = true;
    if (pl_slice_eq_nocase(name, pl_slice_cstr(c->source))) {
        if (c->has_source)
            return problem_set(problem, 400, "conflicting_parameter", "'%s' is given twice.", c->source);
        c->has_source = true;
        return controls_text_member(name, v, &c->call.zpl, problem);
    }
    if (c->rows_name && pl_slice_eq_nocase(name, pl_slice_cstr(c->rows_name)))
        return take_rows(c, v, problem);
    return conversion_set(&c->request, c->fields, name, v, taken, problem);
}

// A name with its text from a query or a form. False: the problem is in res.
static bool take_text(struct convert_call *c, struct pl_slice name, struct pl_slice text, bool is_control)
{
    struct control_value v = control_text(text);
    struct problem problem;
    bool taken = false;
    return ((is_control || take_member(c, name, v, &taken, &problem)) &&
            (taken || controls_set(&c->call.controls, name, v, &problem))) ||
           problem_answer(&problem, c->call.res);
}

// The bytes are not in the query, nor are rows of labels that are drawn.
static bool read_query(struct convert_call *c)
{
    const struct http_request *req = c->call.req;
    for (size_t i = 0; i < req->query_count; i++) {
        struct pl_slice name = req->query[i].name;
        bool is_control = c->fields->count == 0 || pl_slice_eq_nocase(name, pl_slice_cstr(c->source));
        if (!take_text(c, name, req->query[i].value, is_control))
            return false;
    }
    return true;
}

static bool read_parts(struct convert_call *c)
{
    struct http_part parts[API_PARTS_MAX];
    size_t count = 0;
    if (!api_parts(&c->call, parts, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool is_file = pl_slice_eq_nocase(parts[i].name, pl_slice_cstr("file"));
        if (!take_text(c, is_file ? pl_slice_cstr(c->source) : parts[i].name, parts[i].data, false))
            return false;
    }
    return true;
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

// A form, whatever its content type says.
static bool read_fields(struct convert_call *c)
{
    struct render_call *call = &c->call;
    struct http_pair fields[API_PARTS_MAX];
    size_t count = 0;
    struct pl_error err;
    enum pl_errc code =
        http_query_split(call->req->arena, api_body_text(call->req->body), fields, API_PARTS_MAX, &count, &err);
    if (code != PL_OK)
        return refuse_form(call, code == PL_E_INVALID ? 400 : 413, err.message);
    if (is_ambiguous(call->req->body, fields, count))
        return refuse_form(call, 400, "its label code holds '+', '%' or '&' and is not percent-encoded.");
    for (size_t i = 0; i < count; i++) {
        if (!take_text(c, fields[i].name, fields[i].value, false))
            return false;
    }
    return true;
}

static bool decode_code(struct render_call *call)
{
    struct pl_error err;
    enum pl_errc code = http_url_decode(call->req->arena, call->req->body, true, &call->zpl, &err);
    return code == PL_OK || refuse_form(call, code == PL_E_INVALID ? 400 : 413, err.message);
}

// Types of pictures and fonts, and what programs send where nobody names one. Not SVG, which is no picture of dots.
static bool is_file_type(struct pl_slice type)
{
    static const char *const STARTS[] = {"image/", "font/", "application/font-", "application/x-font-",
                                         "application/vnd.ms-opentype"};
    if (api_body_is_code(type))
        return true;
    for (size_t i = 0; i < PL_COUNTOF(STARTS); i++) {
        size_t n = strlen(STARTS[i]);
        if (type.len >= n && memcmp(type.ptr, STARTS[i], n) == 0)
            return !pl_slice_eq_cstr(type, "image/svg+xml");
    }
    return false;
}

static bool wants_code(const struct convert_call *c)
{
    return strcmp(c->source, "zpl") == 0;
}

// Pictures and fonts are bytes of any kind: their content type alone says what the body is.
static enum body_kind kind_of(const struct convert_call *c, bool *guessed)
{
    struct pl_slice type = c->call.req->content_type;
    *guessed = false;
    return wants_code(c)                                   ? api_body_kind(type, c->call.req->body, guessed)
           : pl_slice_eq_cstr(type, "application/json")    ? BODY_JSON
           : pl_slice_eq_cstr(type, "multipart/form-data") ? BODY_PARTS
           : is_file_type(type)                            ? BODY_CODE
                                                           : BODY_OTHER;
}

static bool read_body(struct convert_call *c)
{
    struct render_call *call = &c->call;
    struct problem problem;
    bool guessed;
    switch (kind_of(c, &guessed)) {
    case BODY_CODE:
        c->has_source = true;
        call->zpl = call->req->body;
        return true;
    case BODY_ENCODED_CODE:
        call->controls.body_note = "encoded label code";
        c->has_source = true;
        return decode_code(call);
    case BODY_JSON:
        call->controls.body_note = guessed ? "JSON" : NULL;
        return controls_from_object(&call->controls, call->req->body, call->req->arena, take_member, c, &problem) ||
               problem_answer(&problem, call->res);
    case BODY_FIELDS:
        call->controls.body_note = guessed ? "a form" : NULL;
        return read_fields(c);
    case BODY_PARTS:
        return read_parts(c);
    case BODY_WIDE:
        api_code_check(call->req->body, &problem);
        return problem_answer(&problem, call->res);
    case BODY_OTHER:
        break;
    }
    http_problem(call->res, 415, "unsupported_media_type",
                 wants_code(c)
                     ? "Content-Type must be application/json, text/plain, application/zpl, application/x-zpl, "
                       "application/octet-stream, application/x-www-form-urlencoded or multipart/form-data."
                     : "Content-Type must be that of a picture of dots or of a font, application/octet-stream or "
                       "multipart/form-data.");
    return false;
}

bool convert_read(struct convert_call *c)
{
    struct render_call *call = &c->call;
    struct convert_call query;
    struct problem problem;
    controls_init(&call->controls);
    query = *c;
    // The query first: a bad control is told before a body is looked at, and a POST without a body still hears of it.
    if ((!call->labelary && !read_query(&query)) || !read_body(c))
        return false;
    controls_override(&call->controls, &query.call.controls);
    conversion_override(&c->request, &query.request, c->fields, &call->controls);
    if (query.has_rows && c->has_rows && !pl_slice_eq(query.rows, c->rows))
        controls_note_overridden(&call->controls, c->rows_name);
    if (query.has_rows)
        c->rows = query.rows;
    c->request.has_rows = c->has_rows = c->has_rows || query.has_rows;
    bool code = wants_code(c);
    if (c->has_source && call->zpl.len > 0)
        return !code || api_code_check(call->zpl, &problem) || problem_answer(&problem, call->res);
    const char *problem_code = code ? "missing_zpl" : "missing_file", *input = code ? "label code" : "file";
    if (c->has_source)
        http_problem(call->res, 400, problem_code, "There is no %s in the request: it is empty.", input);
    else
        http_problem(call->res, 400, problem_code, "There is no %s in the request, no '%s'.", input, c->source);
    return false;
}

// ---- labels that are drawn

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
    static const struct conversion_fields NONE = {0};
    struct convert_call c = {
        .call = *call, .fields = &NONE, .source = "zpl", .rows_name = call->labelary ? NULL : "data"};
    bool ok = convert_read(&c);
    *call = c.call;
    if (!ok)
        return false;
    if (!call->labelary)
        note_headers(call);
    if (!controls_has(&call->controls, CONTROL_FORMAT))
        call->controls.format = accepted_output(call->req);
    call->first_size = c.has_rows ? call->zpl.len : 0;
    return !c.has_rows || api_join(call, call->zpl, c.rows);
}
