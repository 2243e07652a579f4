// POST /api/check: what is wrong with labels, by the rules of `platen check`, with a fix where there is exactly one.
#include "api_call.h"
#include "api_convert.h"
#include "base/ckd.h"

static bool read_request(struct render_call *call)
{
    struct conversion_request request = {.conversion = CONVERT_CHECK};
    if (!api_read_request(call))
        return false;
    if (call->first_size > 0) {
        http_problem(
            call->res, 400, "invalid_parameter",
            "'data' is not filled in here: fill the label by /api/zpl, or check the rows by /api/render/json.");
        return false;
    }
    conversion_drop_useless(&request, NULL, &call->controls, false);
    call->controls.format = OUTPUT_JSON;
    // Barcodes are read back, unless that was asked not to be.
    call->controls.verify = call->controls.verify || !controls_has(&call->controls, CONTROL_VERIFY);
    return true;
}

// The renderer wrote an object; what concerns the request goes into it.
static int answer(struct render_call *call, const struct label_part *part)
{
    struct pl_buf text;
    pl_buf_init(&text, SIZE_MAX / 2);
    pl_buf_append_cstr(&text, "{\"ok\":true,");
    pl_buf_append(&text, part->members.data + 1, part->members.len - 2);
    return convert_answer_noted(call, &text, &call->controls);
}

int api_check(struct http_request *req, struct http_response *res)
{
    struct render_call call = {.req = req, .res = res};
    struct render_ask ask;
    if (!read_request(&call) || !api_begin(&call))
        return http_status(res);
    api_ask(&call, RENDER_CONVERSION, &ask);
    ask.conversion.conversion = CONVERT_CHECK;
    return convert_whole(&call, &ask, "check", answer);
}
