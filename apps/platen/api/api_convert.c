// Asking a renderer for conversions, answering.
#include "api_convert.h"

#include "api_call.h"
#include "base/ckd.h"
#include "describe/describe.h"

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
    conversion_drop_useless(&c->request, c->fields, &call->controls, false);
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
