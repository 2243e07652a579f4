// POST /api/zpl: label code written anew, explained, or its fields as a table.
#include "api_convert.h"
#include "base/ckd.h"

// Index of the type that Accept prefers.
static size_t accepted_type(const struct convert_call *c, const char *const *types, size_t count)
{
    return http_accept_choose(c->call.req, types, count);
}

static int answer_code(struct convert_call *c, struct label_part *part)
{
    static const char *const types[] = {"application/zpl", "application/json"};
    if (convert_is_refused(c, part))
        return http_status(c->call.res);
    if (c->request.to_language > PLATEN_LANGUAGE_ZPL) // a graphic is bytes, not text
        return accepted_type(c, types, PL_COUNTOF(types)) == 1
                   ? convert_answer_json(c, part, "data", FORM_BYTES)
                   : convert_answer_text(c, part, "application/octet-stream");
    return accepted_type(c, types, PL_COUNTOF(types)) == 1 ? convert_answer_json(c, part, "zpl", FORM_TEXT)
                                                           : convert_answer_text(c, part, "application/zpl");
}

static int answer_table(struct convert_call *c, struct label_part *part)
{
    bool explains = c->request.conversion == CONVERT_EXPLAIN;
    if (c->request.table == PLATEN_TABLE_JSON)
        return convert_answer_json(c, part, explains ? "commands" : "fields", FORM_JSON);
    return convert_answer_text(c, part, explains ? "text/plain; charset=utf-8" : "text/csv; charset=utf-8");
}

// The table where none was named, and whether it can be had.
static bool choose_table(struct convert_call *c, bool given)
{
    static const char *const words[] = {"text/plain", "application/json"};
    static const char *const fields[] = {"application/json", "text/csv"};
    bool explains = c->request.conversion == CONVERT_EXPLAIN;
    if (!given)
        c->request.table = explains ? (accepted_type(c, words, 2) == 1 ? PLATEN_TABLE_JSON : PLATEN_TABLE_TEXT)
                                    : (accepted_type(c, fields, 2) == 1 ? PLATEN_TABLE_CSV : PLATEN_TABLE_JSON);
    if (conversion_has_table(&c->request))
        return true;
    http_problem(c->call.res, 400, "conflicting_parameter", "'table' must be %s for this action.",
                 explains ? "text or json" : "json or csv");
    return false;
}

int api_zpl(struct http_request *req, struct http_response *res)
{
    enum { NOT_GIVEN = 9 };
    struct convert_call c = {.call = {.req = req, .res = res},
                             .request = {.table = NOT_GIVEN},
                             .fields = &CODE_FIELDS,
                             .source = "zpl",
                             .rows_name = "data"};
    struct label_part part;
    if (!convert_read(&c))
        return http_status(res);
    c.request.conversion = c.request.action == ACTION_EXPLAIN   ? CONVERT_EXPLAIN
                           : c.request.action == ACTION_EXTRACT ? CONVERT_EXTRACT
                                                                : CONVERT_CODE;
    bool is_code = c.request.conversion == CONVERT_CODE;
    if (!is_code && !choose_table(&c, c.request.table != NOT_GIVEN))
        return http_status(res);
    if (!is_code && c.has_rows) {
        c.has_rows = c.request.has_rows = false;
        controls_note_useless(&c.call.controls, c.rows_name);
    }
    int status = 0;
    label_part_init(&part);
    if (convert_ask(&c, &part))
        status = is_code ? answer_code(&c, &part) : answer_table(&c, &part);
    label_part_free(&part);
    return status ? status : http_status(res);
}
