// POST /api/compare: two versions of labels, drawn and compared by one renderer.
#include "api_call.h"
#include "api_convert.h"
#include "base/ckd.h"

// What the body has besides controls.
struct compare_body {
    bool given[6];
    struct pl_slice a, b;
    bool picture, elements;
    uint64_t tolerance_dots;
    double tolerance_percent;
};

#define AT(member) .offset = offsetof(struct compare_body, member), .size = sizeof((struct compare_body *)NULL)->member
static const struct control_row MEMBERS[] = {
    {.name = "a", .kind = KIND_TEXT, AT(a)},
    {.name = "b", .kind = KIND_TEXT, AT(b)},
    {.name = "picture", .kind = KIND_FLAG, AT(picture)},
    {.name = "elements", .kind = KIND_FLAG, AT(elements)},
    {.name = "toleranceDots", .kind = KIND_WHOLE, AT(tolerance_dots), .most = 1e15},
    {.name = "tolerancePercent", .kind = KIND_NUMBER, AT(tolerance_percent), .most = 100},
};

static bool take_member(void *user, struct pl_slice name, struct control_value v, bool *taken, struct problem *problem)
{
    struct compare_body *body = user;
    for (size_t i = 0; i < PL_COUNTOF(MEMBERS); i++) {
        *taken = control_is_named(&MEMBERS[i], name);
        if (*taken)
            return control_take(&MEMBERS[i], name, v, (char *)body + MEMBERS[i].offset, &body->given[i], problem);
    }
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
    ask.comparison.page = (uint32_t)PL_MIN(call.controls.page, (uint64_t)UINT32_MAX - 1);
    ask.first_size = body.a.len;
    ask.comparison.pictures = body.picture;
    ask.comparison.elements = body.elements;
    ask.comparison.tolerance_dots = body.tolerance_dots;
    ask.comparison.tolerance_percent = body.tolerance_percent;
    return convert_whole(&call, &ask, "compare", answer);
}
