// POST /api/compare: two versions of labels, drawn and compared by one renderer.
#include "api_call.h"
#include "api_convert.h"
#include "base/ckd.h"

// What the body has besides controls.
struct compare_body {
    struct pl_slice a, b;
    bool given[2]; // a, b
    struct conversion_request request;
};

static bool take_member(void *user, struct pl_slice name, struct control_value v, bool *taken, struct problem *problem)
{
    struct compare_body *body = user;
    for (int i = 0; i < 2; i++) {
        const char *side = i == 0 ? "a" : "b";
        *taken = pl_slice_eq_nocase(name, pl_slice_cstr(side));
        if (*taken && body->given[i])
            return problem_set(problem, 400, "conflicting_parameter", "'%s' is given twice.", side);
        body->given[i] = body->given[i] || *taken;
        if (*taken)
            return controls_text_member(name, v, i == 0 ? &body->a : &body->b, problem);
    }
    return conversion_set(&body->request, &COMPARE_FIELDS, name, v, taken, problem);
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
    if (body->given[0] && body->given[1])
        return true;
    http_problem(call->res, 400, "missing_zpl", "The body has no '%s': label code to compare, a string.",
                 body->given[0] ? "b" : "a");
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
    ask.first_size = body.a.len;
    ask.conversion = body.request;
    ask.conversion.page = (uint32_t)PL_MIN(call.controls.page, (uint64_t)UINT32_MAX - 1);
    return convert_whole(&call, &ask, "compare", answer);
}
