// Reading requests for conversions, asking a renderer, answering.
#include "api_convert.h"

#include <string.h>

#include "api_body.h"
#include "api_call.h"
#include "base/ckd.h"
#include "describe/describe.h"
#include "http/message/url.h"

// ---- reading

static bool take_rows(struct convert_call *c, struct control_value v, struct problem *problem)
{
    struct pl_slice rows = !v.json || v.type == PL_JSON_STRING ? v.text : v.raw;
    if (c->has_rows && !pl_slice_eq(rows, c->rows))
        return problem_twice(problem, c->rows_name);
    c->has_rows = true;
    c->rows = rows;
    if (rows.len > 0)
        return true;
    return problem_set(
        problem, 400, "invalid_parameter",
        "'%s' must not be empty; rows of values are an array of objects, an object, or CSV with a line of names.",
        c->rows_name);
}

static bool take_member(void *user, struct pl_slice name, struct control_value v, bool *taken, struct problem *problem)
{
    struct convert_call *c = user;
    *taken = false;
    if (pl_slice_eq_nocase(name, pl_slice_cstr(c->source))) {
        *taken = true;
        if (c->has_source)
            return problem_set(problem, 400, "conflicting_parameter", "'%s' is given twice.", c->source);
        c->has_source = true;
        return controls_text_member(name, v, &c->call.zpl, problem);
    }
    if (c->rows_name && pl_slice_eq_nocase(name, pl_slice_cstr(c->rows_name))) {
        *taken = true;
        return take_rows(c, v, problem);
    }
    return conversion_set(&c->request, c->fields, name, v, taken, problem);
}

// The bytes to convert are not in the query.
static bool read_query(struct convert_call *c)
{
    const struct http_request *req = c->call.req;
    for (size_t i = 0; i < req->query_count; i++) {
        struct pl_slice name = req->query[i].name;
        struct control_value v = control_text(req->query[i].value);
        bool taken = false;
        struct problem problem;
        if ((!pl_slice_eq_nocase(name, pl_slice_cstr(c->source)) && !take_member(c, name, v, &taken, &problem)) ||
            (!taken && !controls_set(&c->call.controls, name, v, &problem)))
            return problem_answer(&problem, c->call.res);
    }
    return true;
}

static bool read_form(struct convert_call *c)
{
    struct http_part parts[API_PARTS_MAX];
    struct render_call *call = &c->call;
    size_t count = 0;
    if (!api_parts(call, parts, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct control_value v = {.text = parts[i].data, .type = PL_JSON_STRING};
        struct pl_slice name = pl_slice_eq_cstr(parts[i].name, "file") ? pl_slice_cstr(c->source) : parts[i].name;
        bool taken;
        struct problem problem;
        if (!take_member(c, name, v, &taken, &problem) ||
            (!taken && !controls_set(&call->controls, parts[i].name, v, &problem)))
            return problem_answer(&problem, call->res);
    }
    return true;
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

// A form, or code that is encoded, whose content type does not say so.
static bool read_fields(struct convert_call *c, enum body_kind kind)
{
    struct render_call *call = &c->call;
    struct http_pair fields[API_PARTS_MAX];
    size_t count = 0;
    struct pl_error err;
    struct problem problem;
    bool taken;
    enum pl_errc code =
        kind == BODY_FIELDS
            ? http_query_split(call->req->arena, api_body_text(call->req->body), fields, API_PARTS_MAX, &count, &err)
            : http_url_decode(call->req->arena, call->req->body, true, &call->zpl, &err);
    if (code != PL_OK) {
        http_problem(call->res, code == PL_E_INVALID ? 400 : 413, "invalid_form", "The form cannot be read: %s",
                     err.message);
        return false;
    }
    c->has_source = c->has_source || kind != BODY_FIELDS;
    for (size_t i = 0; i < count; i++) {
        struct control_value v = control_text(fields[i].value);
        if (!take_member(c, fields[i].name, v, &taken, &problem) ||
            (!taken && !controls_set(&call->controls, fields[i].name, v, &problem)))
            return problem_answer(&problem, call->res);
    }
    return true;
}

static bool refuse_type(const struct convert_call *c, bool code)
{
    http_problem(c->call.res, 415, "unsupported_media_type",
                 code ? "Content-Type must be application/json, text/plain, application/zpl, application/x-zpl, "
                        "application/octet-stream, application/x-www-form-urlencoded or multipart/form-data."
                      : "Content-Type must be that of a picture of dots or of a font, application/octet-stream or "
                        "multipart/form-data.");
    return false;
}

static bool read_body(struct convert_call *c)
{
    struct render_call *call = &c->call;
    struct problem problem;
    struct pl_slice type = call->req->content_type;
    bool guessed = false, code = strcmp(c->source, "zpl") == 0; // all else than label code is bytes of any kind
    enum body_kind kind = code ? api_body_kind(type, call->req->body, &guessed) : BODY_OTHER;
    if (kind == BODY_WIDE) {
        api_code_check(call->req->body, &problem);
        return problem_answer(&problem, call->res);
    }
    if (guessed)
        call->controls.body_note = kind == BODY_JSON ? "JSON" : kind == BODY_FIELDS ? "a form" : "encoded label code";
    if (kind == BODY_FIELDS || kind == BODY_ENCODED_CODE)
        return read_fields(c, kind);
    if (kind == BODY_JSON || pl_slice_eq_cstr(type, "application/json"))
        return controls_from_object(&call->controls, call->req->body, call->req->arena, take_member, c, &problem) ||
               problem_answer(&problem, call->res);
    if (pl_slice_eq_cstr(type, "multipart/form-data"))
        return read_form(c);
    if (code ? kind == BODY_OTHER : !is_file_type(type))
        return refuse_type(c, code);
    call->zpl = call->req->body;
    c->has_source = true;
    return true;
}

bool convert_read(struct convert_call *c)
{
    struct render_call *call = &c->call;
    struct convert_call query;
    controls_init(&call->controls);
    query = *c;
    // The query's mistakes are told before a body is looked at.
    if (!read_query(&query) || !read_body(c))
        return false;
    controls_override(&call->controls, &query.call.controls);
    conversion_override(&c->request, &query.request, c->fields, &call->controls);
    if (query.has_rows && c->has_rows && !pl_slice_eq(query.rows, c->rows))
        controls_note_overridden(&call->controls, c->rows_name);
    if (query.has_rows)
        c->rows = query.rows;
    c->has_rows = c->has_rows || query.has_rows;
    c->request.has_rows = c->has_rows;
    bool code = strcmp(c->source, "zpl") == 0;
    struct problem problem;
    if (c->has_source && call->zpl.len > 0)
        return !code || api_code_check(call->zpl, &problem) || problem_answer(&problem, call->res);
    http_problem(call->res, 400, code ? "missing_zpl" : "missing_file", "There is no '%s' in the request.", c->source);
    return false;
}

// ---- asking

// Another language, and something else that is only done to code in its own: each is good without the other.
static bool rewrites_and_converts(const struct convert_call *c)
{
    const struct conversion_request *request = &c->request;
    return request->to_language != 0 &&
           (request->has_rows || request->utf8 || request->target_dpmm != 0 || c->call.controls.rotation != 0 ||
            request->unit != 0 || request->action == ACTION_MINIFY || request->graphics != 0);
}

bool convert_ask(struct convert_call *c, struct label_part *part)
{
    struct render_call *call = &c->call;
    struct summary summary = {0};
    struct platen_error err;
    struct render_ask ask;
    size_t first = call->zpl.len;
    conversion_drop_useless(&c->request, c->fields, &call->controls);
    if ((c->has_rows && !api_join(call, call->zpl, c->rows)) || !api_begin(call))
        return false;
    api_ask(call, RENDER_CONVERSION, &ask);
    ask.first_size = first;
    ask.conversion = c->request;
    enum platen_status status = renderer_ask(call->req->worker, &ask, call->zpl, &call->req->job, &summary, part, &err);
    summary_free(&summary);
    http_log_text(call->req, "format", "convert");
    if (status == PLATEN_OK)
        return true;
    api_note_failure(call, &err);
    if (status == PLATEN_E_INVALID && rewrites_and_converts(c)) {
        struct problem problem;
        api_problem_of(&err, call->req->id, &problem);
        problem.code = "conflicting_parameter";
        return problem_answer(&problem, call->res);
    }
    api_problem(call, &err);
    return false;
}

// ---- answering

// Moves the text into the answer.
static int send_json(struct http_response *res, struct pl_buf *text)
{
    if (text->failed) {
        pl_buf_fini(text);
        return http_problem_overloaded(res);
    }
    http_set_type(res, "application/json");
    http_body_take_buf(res, text);
    return 200;
}

static struct warning_header collect_warnings(const struct convert_call *c, const struct label_part *part)
{
    struct warning_header warnings = {0};
    pl_buf_init(&warnings.text, 16384);
    warning_header_add_unknown(&warnings, &c->call.controls);
    warning_header_join(&warnings, &part->found);
    return warnings;
}

// Headers of warnings, and of unknown controls.
static void set_headers(struct convert_call *c, const struct label_part *part)
{
    struct warning_header warnings = collect_warnings(c, part);
    if (warnings.count > 0) {
        http_set_header_buf(c->call.res, "X-Warnings", &warnings.text);
        http_set_header_u64(c->call.res, "X-Warning-Count", warnings.count);
    }
    pl_buf_fini(&warnings.text);
}

int convert_answer_text(struct convert_call *c, struct label_part *part, const char *type)
{
    set_headers(c, part);
    http_set_type(c->call.res, type);
    http_body_take(c->call.res, part->file.data, part->file.size);
    part->file = (struct platen_buffer){0};
    return 200;
}

// The member `warnings`.
static void put_warnings(struct pl_json_writer *json, const struct convert_call *c, const struct label_part *part)
{
    struct unknown_controls unknown;
    struct pl_slice notes = pl_buf_slice(&part->warnings);
    unknown_controls_make(&unknown, &c->call.controls);
    pl_json_key(json, "warnings");
    pl_json_array(json);
    for (uint32_t i = 0; i < unknown.count; i++)
        pl_describe_diagnostic(json, &unknown.items[i], PL_NO_FIX);
    if (notes.len > 2) // more than the brackets
        pl_json_raw(json, pl_slice_sub(notes, 1, notes.len - 2));
    pl_json_end(json);
}

int convert_answer_json(struct convert_call *c, struct label_part *part, const char *key, enum convert_form form)
{
    struct pl_json_writer json;
    struct pl_buf text;
    struct pl_slice result = pl_slice_make(part->file.data, part->file.size);
    pl_buf_init(&text, SIZE_MAX / 2);
    pl_json_writer_init(&json, &text);
    pl_json_object(&json);
    pl_json_kv_bool(&json, "ok", true);
    if (part->members.len > 0) {
        pl_buf_append_byte(&text, ',');
        pl_buf_append_slice(&text, pl_buf_slice(&part->members));
    }
    pl_json_key(&json, key);
    if (form == FORM_JSON)
        pl_json_raw(&json, result);
    else if (form == FORM_BYTES)
        pl_json_base64(&json, result);
    else
        pl_json_slice(&json, result);
    put_warnings(&json, c, part);
    pl_json_end(&json);
    return send_json(c->call.res, &text);
}

bool convert_is_refused(struct convert_call *c, const struct label_part *part)
{
    struct warning_header warnings = collect_warnings(c, part);
    pl_buf_fini(&warnings.text);
    if (!c->call.controls.strict || warnings.count <= warnings.obeyed)
        return false;
    struct pl_json_writer json;
    struct pl_buf text;
    pl_buf_init(&text, SIZE_MAX / 2);
    pl_json_writer_init(&json, &text);
    pl_json_object(&json);
    put_warnings(&json, c, part);
    http_problem(c->call.res, 400, "warnings", "'strict' is set and there %s %u warning%s.",
                 warnings.count == 1 ? "is" : "are", warnings.count, warnings.count == 1 ? "" : "s");
    if (!text.failed) {
        text.data[0] = ','; // members of the problem's object
        http_problem_members(c->call.res, pl_buf_slice(&text));
    }
    pl_buf_fini(&text);
    return true;
}

int convert_answer_members(struct convert_call *c, struct label_part *part)
{
    struct pl_buf text;
    pl_buf_init(&text, SIZE_MAX / 2);
    pl_buf_append_byte(&text, '{');
    pl_buf_append_slice(&text, pl_buf_slice(&part->members));
    pl_buf_append_byte(&text, '}');
    if (!text.failed)
        set_headers(c, part);
    return send_json(c->call.res, &text);
}

int convert_answer_noted(struct render_call *call, struct pl_buf *text, const struct controls *controls)
{
    struct unknown_controls unknown;
    struct pl_json_writer json;
    unknown_controls_make(&unknown, controls);
    pl_buf_append_cstr(text, ",\"warnings\":");
    pl_json_writer_init(&json, text);
    pl_json_array(&json);
    for (uint32_t i = 0; i < unknown.count; i++)
        pl_describe_diagnostic(&json, &unknown.items[i], PL_NO_FIX);
    pl_json_end(&json);
    pl_buf_append_byte(text, '}');
    return send_json(call->res, text);
}

int convert_whole(struct render_call *call, const struct render_ask *ask, const char *name,
                  int (*answer)(struct render_call *call, const struct label_part *part))
{
    struct http_request *req = call->req;
    struct summary summary = {0};
    struct label_part part;
    struct platen_error err;
    uint64_t started = pl_now_ns();
    int code;
    label_part_init(&part);
    enum platen_status status = renderer_ask(req->worker, ask, call->zpl, &req->job, &summary, &part, &err);
    if (status == PLATEN_OK && part.members.len >= 2) {
        code = answer(call, &part);
        api_count(call, 0, pl_now_ns() - started);
    } else if (status == PLATEN_E_NOT_FOUND && ask->kind == RENDER_COMPARISON) {
        code = http_problem(call->res, 400, "no_labels", "%s", err.message);
    } else {
        api_note_failure(call, &err);
        code = api_problem(call, &err);
    }
    http_log_text(req, "format", name);
    label_part_free(&part);
    summary_free(&summary);
    return code;
}
