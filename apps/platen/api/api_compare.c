// POST /api/compare: two versions of labels, drawn and compared by one renderer.

#include "api_call.h"
#include "api_convert.h"
#include "base/ckd.h"
#include "base/fmt.h"

// What the body has besides controls.
struct compare_body {
    struct pl_slice a, b;
    bool has_a, has_b;
    bool picture, elements;
    uint64_t tolerance_dots;
    double tolerance_percent;
};

static bool refuse(struct problem *problem, const char *name, const char *wanted, struct control_value v)
{
    return problem_set(problem, 400, "invalid_parameter", "'%s' must be %s; it is %s.", name, wanted,
                       pl_json_event_name(v.type));
}

static bool take_flag(const char *name, struct control_value v, bool *out, struct problem *problem)
{
    *out = v.type == PL_JSON_TRUE;
    return v.type == PL_JSON_TRUE || v.type == PL_JSON_FALSE || refuse(problem, name, "true or false", v);
}

static bool take_member(void *user, struct pl_slice name, struct control_value v, bool *taken, struct problem *problem)
{
    struct compare_body *body = user;
    *taken = true;
    if (pl_slice_eq_cstr(name, "a")) {
        body->has_a = true;
        return controls_text_member(name, v, &body->a, problem);
    }
    if (pl_slice_eq_cstr(name, "b")) {
        body->has_b = true;
        return controls_text_member(name, v, &body->b, problem);
    }
    if (pl_slice_eq_cstr(name, "picture"))
        return take_flag("picture", v, &body->picture, problem);
    if (pl_slice_eq_cstr(name, "elements"))
        return take_flag("elements", v, &body->elements, problem);
    if (pl_slice_eq_cstr(name, "toleranceDots"))
        return (v.type == PL_JSON_NUMBER && pl_parse_u64(v.text, &body->tolerance_dots)) ||
               refuse(problem, "toleranceDots", "a whole number from 0", v);
    if (pl_slice_eq_cstr(name, "tolerancePercent"))
        return (v.type == PL_JSON_NUMBER && pl_parse_double(v.text, &body->tolerance_percent) &&
                body->tolerance_percent >= 0 && body->tolerance_percent <= 100) ||
               refuse(problem, "tolerancePercent", "a number from 0 to 100", v);
    *taken = false;
    return true;
}

static bool read_request(struct render_call *call, struct compare_body *body)
{
    struct controls query;
    struct problem problem;
    controls_init(&call->controls);
    controls_init(&query);
    if (!api_read_query(&query, call->req, &problem))
        return problem_answer(&problem, call->res);
    if (!pl_slice_eq_cstr(call->req->content_type, "application/json")) {
        http_problem(call->res, 415, "unsupported_media_type", "Content-Type must be application/json.");
        return false;
    }
    if (!controls_from_object(&call->controls, call->req->body, call->req->arena, take_member, body, &problem))
        return problem_answer(&problem, call->res);
    controls_override(&call->controls, &query);
    call->controls.format = OUTPUT_JSON;
    call->controls.quality = PLATEN_BITONAL; // the printer's dots are compared
    if (body->has_a && body->has_b)
        return true;
    http_problem(call->res, 400, "missing_zpl", "The body has no '%s': label code to compare, a string.",
                 body->has_a ? "b" : "a");
    return false;
}

static int answer(struct render_call *call, const struct label_part *part)
{
    struct pl_buf text;
    struct controls noted = call->controls;
    noted.page = 0; // it is obeyed here
    pl_buf_init(&text, SIZE_MAX / 2);
    pl_buf_append_cstr(&text, "{\"ok\":true,\"dpmm\":");
    pl_buf_append_double(&text, call->controls.dpmm);
    pl_buf_append_byte(&text, ',');
    pl_buf_append_slice(&text, pl_buf_slice(&part->members));
    return convert_answer_noted(call, &text, &noted);
}

int api_compare(struct http_request *req, struct http_response *res)
{
    struct render_call call = {.req = req, .res = res};
    struct compare_body body = {0};
    struct render_ask ask;
    if (!read_request(&call, &body) || !api_join(&call, body.a, body.b) || !api_begin(&call))
        return http_status(res);
    api_ask(&call, RENDER_COMPARISON, &ask);
    ask.comparison.page = (uint32_t)PL_MIN(call.controls.page, (uint64_t)UINT32_MAX - 1);
    ask.first_size = body.a.len;
    ask.comparison.pictures = body.picture;
    ask.comparison.elements = body.elements;
    ask.comparison.tolerance_dots = body.tolerance_dots;
    ask.comparison.tolerance_percent = body.tolerance_percent;
    return convert_whole(&call, &ask, "compare", answer);
}
