// The routes beside the calculation: air, keeping, shrink and hours.
#include <string.h>

#include "base/ckd.h"
#include "grain/hours.h"
#include "grain/hours_out.h"
#include "grain/tools.h"
#include "service.h"

// Enough for the longest file with every hour.
#define HOURS_ANSWER_MAX ((size_t)64 << 20)

static void take_query(const struct http_request *req, struct grain_fields *fields, uint32_t takes,
                       struct hygro_choice *choices, size_t choice_count)
{
    grain_fields_init(fields, takes);
    for (size_t i = 0; i < req->query_count; i++) {
        if (!hygro_choice_take(choices, choice_count, req->query[i].name, req->query[i].value))
            grain_fields_put(fields, req->query[i].name, req->query[i].value);
    }
}

static int send_refusal(struct http_response *res, const struct grain_fields *fields)
{
    grain_fields_write_error(http_json_begin(res)->buf, fields);
    return http_json_send(res, 400);
}

int hygro_api_tool(struct http_request *req, struct http_response *res)
{
    const struct grain_tool *tool = grain_tool_by_id(req->route->pattern + strlen("/api/"));
    struct grain_fields fields;
    take_query(req, &fields, tool->takes, NULL, 0);
    if (!tool->run(&fields, NULL, http_json_begin(res)->buf))
        return send_refusal(res, &fields);
    return http_json_send(res, 200);
}

enum { FORMAT, DECIMAL, DETAIL, CHOICES };

static int send_hours_csv(struct http_response *res, struct pl_buf *body)
{
    http_set_header_cstr(res, "Content-Disposition", "attachment; filename=\"hours.csv\"");
    http_set_type(res, "text/csv; charset=utf-8; header=present");
    http_body_take_buf(res, body);
    return 200;
}

static void put_note(struct pl_buf *out, struct pl_slice text)
{
    // Bars divide the fields of the header.
    pl_buf_append_cstr(out, out->len > 0 ? "|0|0|||" : "0|0|||");
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < 0x80)
            pl_buf_append_byte(out, text.ptr[i] == '|' ? '/' : text.ptr[i]);
    }
}

void hygro_note_row(struct pl_buf *out, const char *label, const struct pl_buf *sentence)
{
    (void)label;
    put_note(out, pl_buf_slice(sentence));
    pl_buf_inherit(out, sentence);
}

static void note_hours(struct http_response *res, const struct grain_fields *fields, const struct grain_hours *hours)
{
    const struct grain_hours_note *note;
    struct grain_fields english = *fields;
    struct pl_buf text;
    english.lang = GRAIN_EN;
    pl_buf_init(&text, 8192);
    grain_fields_warning_rows(&english, hygro_note_row, &text);
    for (size_t next = 0; (note = grain_hours_next_note(hours, &next)) != NULL;)
        put_note(&text, pl_slice_cstr(note->text.in[GRAIN_EN]));
    if (text.len > 0 || text.failed)
        http_set_header_buf(res, "X-Warnings", &text);
    pl_buf_fini(&text);
}

// What the file and the request come to, as the format that was asked for.
static int send_hours(struct http_response *res, const struct hygro_choice *choices, struct grain_fields *fields,
                      const struct grain_hours *hours)
{
    struct pl_buf body;
    pl_buf_init(&body, HOURS_ANSWER_MAX);
    bool refused = grain_hours_refused(hours), csv = choices[FORMAT].is_second;
    // A decimal comma is one of CSV, and the details are members of JSON.
    const struct hygro_choice *idle = &choices[csv ? DETAIL : DECIMAL];
    if (idle->is_second)
        grain_fields_put(fields, pl_slice_cstr(idle->name), pl_slice_cstr(idle->second));
    if (refused)
        grain_hours_write_refusal(&body, fields, hours);
    else if (csv)
        grain_hours_write_csv(&body, fields, hours, choices[DECIMAL].is_second);
    else
        grain_hours_write(&body, fields, hours, !choices[DETAIL].is_second);
    if (body.failed) {
        pl_buf_fini(&body);
        return http_problem_overloaded(res);
    }
    if (!csv && choices[DECIMAL].is_second)
        http_note_ignored(res, pl_slice_cstr(choices[DECIMAL].name));
    else if (csv && !refused)
        note_hours(res, fields, hours);
    if (!refused && csv)
        return send_hours_csv(res, &body);
    http_set_type(res, "application/json");
    http_body_take_buf(res, &body);
    return refused ? 400 : 200;
}

// The file: the body itself, or the part `file` (or `csv`) of a form.
enum pl_errc hygro_hours_file(struct http_request *req, struct grain_fields *fields, struct hygro_choice *choices,
                              size_t choice_count, struct pl_slice *text, struct pl_error *err)
{
    *text = req->body;
    if (!pl_slice_eq_cstr(req->content_type, "multipart/form-data"))
        return PL_OK;
    struct http_part parts[GRAIN_TOOL_FIELDS + 8];
    size_t count = 0;
    PL_TRY(http_multipart(req, parts, PL_COUNTOF(parts), &count, err));
    *text = pl_slice_make("", 0);
    fields->of_form = true;
    for (size_t i = 0; i < count; i++) {
        bool file = pl_slice_eq_cstr(parts[i].name, "file"), csv = pl_slice_eq_cstr(parts[i].name, "csv");
        if ((file || csv) && parts[i].data.len > 0 && text->len > 0)
            return pl_fail(err, PL_E_INVALID, "The form has more than one 'file' or 'csv'.");
        if (file || csv)
            *text = parts[i].data.len > 0 ? parts[i].data : *text;
        else if (!hygro_choice_take(choices, choice_count, parts[i].name, pl_slice_trim(parts[i].data)))
            grain_fields_put(fields, parts[i].name, parts[i].data);
    }
    return PL_OK;
}

int hygro_problem(struct http_response *res, const struct pl_error *err)
{
    return err->code == PL_E_MEMORY ? http_problem_overloaded(res) : http_problem_error(res, err);
}

int hygro_api_hours(struct http_request *req, struct http_response *res)
{
    static const char *const types[] = {"",
                                        "text/csv",
                                        "text/plain",
                                        "application/csv",
                                        "application/octet-stream",
                                        "application/vnd.ms-excel",
                                        "multipart/form-data",
                                        "application/x-www-form-urlencoded"};
    static const char *const answers[] = {"application/json", "text/csv"};
    struct hygro_choice choices[CHOICES] = {
        [FORMAT] = {.name = "format", .first = "json", .second = "csv"},
        [DECIMAL] = {.name = "decimal", .first = "point", .second = "comma"},
        [DETAIL] = {.name = "detail", .first = "hours", .second = "none"},
    };
    bool known = false;
    for (size_t i = 0; i < PL_COUNTOF(types); i++)
        known = known || pl_slice_eq_cstr(req->content_type, types[i]);
    if (!known)
        return http_problem(res, 415, "unsupported_media_type", "The body must be text/csv or multipart/form-data.");
    struct grain_fields fields;
    struct grain_hours hours = {.list = NULL};
    struct pl_slice text;
    struct pl_error err = {.code = PL_OK};
    choices[FORMAT].is_second = http_accept_choose(req, answers, PL_COUNTOF(answers)) == 1;
    take_query(req, &fields, GRAIN_HOURS_FIELDS, choices, CHOICES);
    enum pl_errc code = hygro_hours_file(req, &fields, choices, CHOICES, &text, &err);
    if (code != PL_OK)
        return http_problem(res, code == PL_E_LIMIT ? 413 : 400, "invalid_multipart", "%s", err.message);
    // What the answer shall be is known before anything is computed.
    if (!grain_fields_read_common(&fields))
        return send_refusal(res, &fields);
    if (!hygro_choices_check(choices, CHOICES, fields.lang, res))
        return 400;
    code = grain_hours_answer(&fields, text, &req->job, &hours, &err);
    int status;
    if (code == PL_OK)
        status = send_hours(res, choices, &fields, &hours);
    else if (code == PL_E_INVALID && fields.code != NULL)
        status = send_refusal(res, &fields);
    else if (code == PL_E_INVALID && hours.problem != GRAIN_HOURS_NO_PROBLEM) {
        grain_hours_write_problem(http_json_begin(res)->buf, &fields, &hours);
        status = http_json_send(res, 400);
    } else if (code == PL_E_INVALID)
        status = http_problem(res, 400, "bad_csv", "%s", err.message);
    else if (code == PL_E_LIMIT)
        status = http_problem(res, 413, "too_many_rows", "%s", err.message);
    else
        status = hygro_problem(res, &err);
    http_log_number(req, "rows", hours.count);
    grain_hours_free(&hours);
    return status;
}
