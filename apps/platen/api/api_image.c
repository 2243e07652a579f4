// POST /api/image and /v1/graphics: pictures to label code. POST /api/font and /v1/fonts: fonts.
#include "api_convert.h"
#include "base/ckd.h"

static int answer(struct convert_call *c, enum conversion conversion, bool labelary)
{
    static const char *const types[] = {"application/zpl", "application/json"};
    struct label_part part;
    int status = 0;
    if (!convert_read(c))
        return http_status(c->call.res);
    bool font = conversion == CONVERT_FONT;
    bool json = !(font && labelary) && http_accept_choose(c->call.req, types, PL_COUNTOF(types)) == 1;
    c->request.conversion = conversion;
    c->request.preview = json && !font;
    label_part_init(&part);
    if (convert_ask(c, &part))
        status = !json      ? convert_answer_text(c, &part, "application/zpl")
                 : labelary ? convert_answer_members(c, &part)
                            : convert_answer_json(c, &part, "zpl", FORM_TEXT);
    label_part_free(&part);
    return status ? status : http_status(c->call.res);
}

int api_image(struct http_request *req, struct http_response *res)
{
    struct convert_call c = {.call = {.req = req, .res = res}, .fields = &GRAPHIC_FIELDS, .source = "file"};
    return answer(&c, CONVERT_GRAPHIC, false);
}

int api_graphics(struct http_request *req, struct http_response *res)
{
    struct convert_call c = {.call = {.req = req, .res = res}, .fields = &GRAPHIC_FIELDS, .source = "file"};
    http_problem_plain(res);
    if (api_refuses_language(req, res, "application/zpl and application/json"))
        return http_status(res);
    return answer(&c, CONVERT_GRAPHIC, true);
}

static int convert_font(struct http_request *req, struct http_response *res, bool labelary)
{
    struct convert_call c = {
        .call = {.req = req, .res = res}, .fields = &FONT_FIELDS, .source = "file", .rows_name = "chars"};
    return answer(&c, CONVERT_FONT, labelary);
}

int api_font(struct http_request *req, struct http_response *res)
{
    return convert_font(req, res, false);
}

int api_fonts(struct http_request *req, struct http_response *res)
{
    http_problem_plain(res);
    return convert_font(req, res, true);
}
