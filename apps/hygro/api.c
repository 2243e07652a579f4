// The routes under /api: calculations, one or many, and tables.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/utf8.h"
#include "grain/batch.h"
#include "grain/catalog.h"
#include "http/message/url.h"
#include "service.h"

#define FIELDS_MAX 32

static void count(struct http_request *req, const struct grain_tally *tally)
{
    const struct hygro_service *service = req->app;
    http_counter_add(service->calculations, tally->items);
    http_counter_add(service->refusals, tally->errors);
    http_log_number(req, "items", tally->items);
}

// One calculation whose fields are pairs: of a query, or of a form.
static int calculate_pairs(struct http_request *req, const struct http_pair *pairs, size_t pair_count,
                           struct http_response *res)
{
    struct grain_request request;
    struct grain_result result;
    grain_request_init(&request);
    for (size_t i = 0; i < pair_count; i++)
        grain_request_put(&request, pairs[i].name, pairs[i].value);
    grain_calculate(&request, &result);
    grain_write_answer(http_json_begin(res)->buf, &request, &result);
    bool refused = result.error != GRAIN_OK;
    count(req, &(struct grain_tally){.items = 1, .errors = refused});
    return http_json_send(res, refused ? 400 : 200);
}

int hygro_api_calculate_get(struct http_request *req, struct http_response *res)
{
    return calculate_pairs(req, req->query, req->query_count, res);
}

static int calculate_form(struct http_request *req, struct http_response *res)
{
    struct http_pair fields[FIELDS_MAX];
    size_t count = 0;
    struct pl_error err;
    enum pl_errc code = http_query_split(req->arena, req->body, fields, FIELDS_MAX, &count, &err);
    if (code != PL_OK)
        return http_problem(res, code == PL_E_INVALID ? 400 : 413, "invalid_form", "The form cannot be read: %s",
                            err.message);
    return calculate_pairs(req, fields, count, res);
}

// curl's --data says of JSON that it is a form, and other programs of a form that it is text: a body that begins with a
// letter and has '=' is one.
static bool is_form(const struct http_request *req)
{
    struct pl_slice body = req->body;
    return body.len > 0 && (body.ptr[0] | 0x20) >= 'a' && (body.ptr[0] | 0x20) <= 'z' &&
           memchr(body.ptr, '=', body.len);
}

static bool is_json(const struct http_request *req)
{
    static const char *const types[] = {"", "application/json", "text/json", "text/plain",
                                        "application/x-www-form-urlencoded"};
    for (size_t i = 0; i < PL_COUNTOF(types); i++) {
        if (pl_slice_eq_cstr(req->content_type, types[i]))
            return true;
    }
    const size_t suffix = strlen("+json"), len = req->content_type.len;
    return len > suffix && memcmp(req->content_type.ptr + len - suffix, "+json", suffix) == 0;
}

int hygro_api_calculate_post(struct http_request *req, struct http_response *res)
{
    if (!is_json(req))
        return http_problem(res, 415, "unsupported_media_type", "The body must be application/json.");
    if (req->query_count > 0)
        return http_problem(res, 400, "unexpected_query",
                            "A POST takes its values from the body; use GET for a calculation in the query.");
    const char *encoding = pl_utf8_otherwise(req->body);
    if (encoding)
        return http_problem(res, 400, "invalid_utf8", "The body is %s; it must be UTF-8.", encoding);
    if (is_form(req))
        return calculate_form(req, res);
    struct grain_tally tally;
    struct pl_error err;
    enum pl_errc code = grain_answer_json(req->body, &req->job, http_json_begin(res)->buf, &tally, &err);
    count(req, &tally);
    if (code == PL_OK)
        return http_json_send(res, !tally.batch && tally.errors > 0 ? 400 : 200);
    if (code == PL_E_INVALID)
        return http_problem(res, 400, "invalid_json", "%s", err.message);
    if (code == PL_E_LIMIT)
        return http_problem(res, 413, "too_many_calculations", "%s", err.message);
    return hygro_problem(res, &err);
}

bool hygro_choice_take(struct hygro_choice *choices, size_t count, struct pl_slice name, struct pl_slice value)
{
    for (size_t i = 0; i < count; i++) {
        if (!pl_slice_eq_nocase(name, pl_slice_cstr(choices[i].name)))
            continue;
        const bool second = pl_slice_eq_nocase(value, pl_slice_cstr(choices[i].second));
        choices[i].repeated = choices[i].repeated || (choices[i].given && second != choices[i].is_second);
        choices[i].given = true;
        choices[i].is_second = second;
        choices[i].unknown =
            choices[i].unknown || !(second || pl_slice_eq_nocase(value, pl_slice_cstr(choices[i].first)));
        return true;
    }
    return false;
}

bool hygro_choices_check(const struct hygro_choice *choices, size_t count, enum grain_lang lang,
                         struct http_response *res)
{
    for (size_t i = 0; i < count; i++) {
        const struct hygro_choice *choice = &choices[i];
        bool repeated = choice->repeated && !choice->unknown;
        if (!choice->repeated && !choice->unknown)
            continue;
        const char *const words[] = {choice->first, choice->second, NULL};
        struct pl_buf *out = http_json_begin(res)->buf;
        pl_buf_append_cstr(out, "{\"ok\":false,\"error\":\"");
        if (repeated)
            grain_say_repeated(out, lang, choice->name);
        else
            grain_say_choices(out, lang, choice->name, words);
        pl_buf_printf(out, "\",\"code\":\"%s\",\"field\":\"%s\"", repeated ? "repeated_field" : "unknown_value",
                      choice->name);
        if (!repeated)
            grain_write_choices(out, words);
        pl_buf_append_byte(out, '}');
        http_json_send(res, 400);
        return false;
    }
    return true;
}

// The fields that choose a set; those of a single calculation mean nothing to a table and are told as ignored.
static void choose_for_table(const struct http_request *req, struct hygro_choice *choices, size_t choice_count,
                             struct grain_request *request, struct grain_result *chosen)
{
    grain_request_init(request);
    for (size_t i = 0; i < req->query_count; i++) {
        struct pl_slice name = req->query[i].name;
        enum grain_field field;
        if (hygro_choice_take(choices, choice_count, name, req->query[i].value))
            continue;
        if (grain_field_by_name(name, &field) &&
            (field == GRAIN_F_TA || field == GRAIN_F_UR || field == GRAIN_F_MOISTURE))
            grain_request_put_unknown(request, name);
        else
            grain_request_put(request, name, req->query[i].value);
    }
    // A decimal comma is one of CSV.
    if (!choices[0].is_second && choices[1].is_second)
        grain_request_put_unknown(request, pl_slice_cstr(choices[1].name));
    grain_choose(request, chosen);
}

static int send_csv(struct http_response *res, const struct grain_request *request, const struct grain_result *chosen,
                    bool comma)
{
    struct grain_result english = *chosen;
    struct pl_buf body, notes;
    english.lang = GRAIN_EN;
    pl_buf_init(&notes, 8192);
    grain_warning_rows(request, &english, hygro_note_row, &notes);
    if (notes.len > 0 || notes.failed)
        http_set_header_buf(res, "X-Warnings", &notes);
    pl_buf_fini(&notes);
    pl_buf_init(&body, 1 << 16);
    grain_write_table_csv(&body, chosen, comma);
    if (body.failed) {
        pl_buf_fini(&body);
        return http_problem(res, 413, "too_large", "The answer would be too large.");
    }
    char disposition[128];
    snprintf(disposition, sizeof disposition, "attachment; filename=\"%s-equilibrium-moisture.csv\"",
             chosen->culture->id);
    http_set_header_cstr(res, "Content-Disposition", disposition);
    http_set_type(res, "text/csv; charset=utf-8; header=present");
    http_body_take_buf(res, &body);
    return 200;
}

int hygro_api_table(struct http_request *req, struct http_response *res)
{
    static const char *const types[] = {"application/json", "text/csv"};
    struct hygro_choice choices[] = {{.name = "format", .first = "json", .second = "csv"},
                                     {.name = "decimal", .first = "point", .second = "comma"}};
    struct grain_request request;
    struct grain_result chosen;
    http_set_header_cstr(res, "Vary", "Accept");
    choices[0].is_second = http_accept_choose(req, types, PL_COUNTOF(types)) == 1;
    choose_for_table(req, choices, PL_COUNTOF(choices), &request, &chosen);
    if (!hygro_choices_check(choices, PL_COUNTOF(choices), chosen.lang, res))
        return 400;
    const bool csv = choices[0].is_second;
    if (!csv && choices[1].is_second)
        http_note_ignored(res, pl_slice_cstr(choices[1].name));
    if (chosen.error == GRAIN_OK && csv)
        return send_csv(res, &request, &chosen, choices[1].is_second);
    struct pl_buf *body = http_json_begin(res)->buf;
    if (chosen.error == GRAIN_OK)
        grain_write_table_json(body, &request, &chosen);
    else
        grain_write_answer(body, &request, &chosen);
    return http_json_send(res, chosen.error == GRAIN_OK ? 200 : 400);
}
