// The Labelary-compatible API: /v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/, so that Labelary's clients work by
// changing their base address. Sizes are in inches; the output follows Accept; X-Rotation, X-Quality and X-Linter steer
// as they do there.

#include "api_convert.h"
#include "base/ckd.h"
#include "base/fmt.h"

static bool is(struct pl_slice value, const char *word)
{
    return pl_slice_eq_nocase(pl_slice_trim(value), pl_slice_cstr(word));
}

static bool read_density(struct render_call *call)
{
    struct pl_slice text;
    uint64_t dpmm;
    if (!http_param(call->req, "dpmm", &text) || !pl_parse_u64(text, &dpmm) ||
        (dpmm != 6 && dpmm != 8 && dpmm != 12 && dpmm != 24)) {
        http_problem(call->res, 400, "invalid_parameter", "The print density must be 6dpmm, 8dpmm, 12dpmm or 24dpmm.");
        return false;
    }
    call->controls.dpmm = (double)dpmm;
    return true;
}

static bool read_size(struct render_call *call)
{
    struct pl_slice text;
    double sizes[2];
    static const char *const names[2] = {"w", "h"};
    for (int i = 0; i < 2; i++) {
        double inches;
        if (!http_param(call->req, names[i], &text) || !pl_parse_double(text, &inches) || inches <= 0) {
            http_problem(call->res, 400, "invalid_parameter",
                         "The label size must be WIDTHxHEIGHT in inches, such as 4x6.");
            return false;
        }
        sizes[i] = inches * 25.4;
    }
    controls_set_size(&call->controls.values, sizes[0], sizes[1]);
    return true;
}

static bool read_switch(const struct render_call *call, const char *header, const char *shown, bool *on)
{
    struct pl_slice value;
    *on = false;
    if (!http_header(call->req, header, &value))
        return true;
    *on = is(value, "on");
    if (!*on && !is(value, "off"))
        http_problem(call->res, 400, "invalid_parameter", "%s must be On or Off.", shown);
    return *on || is(value, "off");
}

static bool read_headers(struct render_call *call)
{
    struct controls *c = &call->controls;
    struct pl_slice value;
    // Labelary's own default is smooth.
    c->quality = PLATEN_GRAYSCALE;
    if (http_header(call->req, "x-quality", &value)) {
        c->quality = is(value, "grayscale") ? PLATEN_GRAYSCALE : PLATEN_BITONAL;
        if (c->quality == PLATEN_BITONAL && !is(value, "bitonal")) {
            http_problem(call->res, 400, "invalid_parameter", "X-Quality must be grayscale or bitonal.");
            return false;
        }
    }
    uint64_t degrees = 0;
    if (http_header(call->req, "x-rotation", &value) &&
        (!pl_parse_u64(pl_slice_trim(value), &degrees) || degrees > 270 || degrees % 90 != 0)) {
        http_problem(call->res, 400, "invalid_parameter", "X-Rotation must be 0, 90, 180 or 270.");
        return false;
    }
    c->rotation = (uint32_t)degrees;
    if (!read_switch(call, "x-linter", "X-Linter", &call->warn))
        return false;
    static const enum output offered[] = {OUTPUT_PNG, OUTPUT_PDF, OUTPUT_JSON};
    c->format = api_accepted(call->req, offered, PL_COUNTOF(offered));
    return true;
}

static bool wants_code(const struct http_request *req)
{
    static const char *const types[] = {"image/png", "application/pdf", "application/json", "application/zpl"};
    return http_accept_choose(req, types, PL_COUNTOF(types)) == 3;
}

// Headers that this output has no use for are named in X-Warnings.
static void note_useless_headers(struct render_call *call)
{
    bool code = wants_code(call->req), json = !code && call->controls.format == OUTPUT_JSON;
    const struct {
        const char *header, *shown;
        bool counts;
    } HEADERS[] = {{"x-quality", "X-Quality", !code && !json},
                   {"x-linter", "X-Linter", !code},
                   {"x-formatter", "X-Formatter", code},
                   {"x-target-dpmm", "X-Target-Dpmm", code}};
    for (size_t i = 0; i < PL_COUNTOF(HEADERS); i++) {
        struct pl_slice value;
        if (!HEADERS[i].counts && http_header(call->req, HEADERS[i].header, &value))
            controls_note_useless(&call->controls, HEADERS[i].shown);
    }
}

// X-Page-… and X-Label-Border, with Labelary's defaults: one label a page, a dashed border where the page has a size,
// and labels that do not fit become smaller, since it refuses none.
static bool read_page_headers(struct render_call *call)
{
    static const struct {
        const char *header, *shown;
        enum control control;
    } HEADERS[] = {{"x-page-size", "X-Page-Size", CONTROL_PAGE_SIZE},
                   {"x-page-orientation", "X-Page-Orientation", CONTROL_PAGE_ORIENTATION},
                   {"x-page-layout", "X-Page-Layout", CONTROL_PAGE_LAYOUT},
                   {"x-page-align", "X-Page-Align", CONTROL_PAGE_ALIGN},
                   {"x-page-vertical-align", "X-Page-Vertical-Align", CONTROL_PAGE_VERTICAL_ALIGN},
                   {"x-label-border", "X-Label-Border", CONTROL_LABEL_BORDER}};
    struct controls *c = &call->controls;
    c->layout.columns = c->layout.rows = 1;
    c->layout.shrink = true;
    for (size_t i = 0; i < PL_COUNTOF(HEADERS); i++) {
        struct pl_slice value;
        const char *name = control_row(HEADERS[i].control)->name;
        if (!http_header(call->req, HEADERS[i].header, &value))
            continue;
        struct control_value v = {.text = pl_slice_trim(value), .type = PL_JSON_STRING};
        struct problem problem;
        struct controls unused = *c;
        bool counts = c->format == OUTPUT_PDF && !wants_code(call->req);
        if (!controls_set(counts ? c : &unused, pl_slice_cstr(name), v, &problem))
            return problem_answer(&problem, call->res);
        if (!counts)
            controls_note_useless(c, HEADERS[i].shown);
    }
    if (controls_has(c, CONTROL_PAGE_SIZE) && !controls_has(c, CONTROL_LABEL_BORDER))
        c->layout.border = PLATEN_DASHED;
    if (!controls_has(c, CONTROL_PAGE_SIZE) && !controls_has(c, CONTROL_PAGE_LAYOUT))
        c->layout.border = PLATEN_NO_BORDER; // drawn only on a page of its own size
    return true;
}

// Label code in the path may stand where the index does, and has slashes of its own: the path's end is then all code.
static bool index_is_code(const struct render_call *call, struct pl_slice index)
{
    uint64_t number;
    return call->req->method == HTTP_GET && !pl_parse_u64(index, &number);
}

// The index may be left out of a PDF, which then holds all labels.
static bool read_index(struct render_call *call)
{
    struct pl_slice text;
    if (!http_param(call->req, "index", &text) || text.len == 0 || index_is_code(call, text))
        return true;
    call->single_page = true;
    if (pl_parse_u64(text, &call->controls.page))
        return true;
    http_problem(call->res, 400, "invalid_parameter", "The label's index must be a whole number from 0.");
    return false;
}

static bool has_index(struct render_call *call)
{
    if (call->single_page || call->controls.format != OUTPUT_PNG)
        return true;
    http_problem(call->res, 400, "invalid_parameter",
                 "A picture needs the label's index in the path: .../4x6/0/. PDF and JSON hold all labels.");
    return false;
}

static bool read_path_code(struct render_call *call)
{
    struct pl_slice index, code;
    bool found = http_param(call->req, "zpl", &code);
    if (found && http_param(call->req, "index", &index)) {
        if (index_is_code(call, index)) // both lie in the request's path, with the slash between them
            code = pl_slice_make(index.ptr, (size_t)(code.ptr + code.len - index.ptr));
    } else if (found) {
        // A number alone is an index without code.
        bool slash = code.len > 0 && code.ptr[code.len - 1] == '/';
        found = index_is_code(call, pl_slice_sub(code, 0, code.len - slash));
    }
    if (!found || code.len == 0) {
        http_problem(call->res, 400, "missing_zpl", "The path ends without label code.");
        return false;
    }
    call->zpl = code;
    return true;
}

// Controls of the query, of JSON or of a form are not read here; each is named in X-Warnings.
static void note_ignored(struct controls *kept, const struct http_request *req, const struct controls *body)
{
    for (size_t i = 0; i < req->query_count; i++)
        controls_note_name(kept, req->query[i].name);
    for (int i = 0; i < CONTROL_COUNT; i++) {
        if (controls_has(body, (enum control)i))
            controls_note_useless(kept, control_row((enum control)i)->name);
    }
    for (uint32_t i = 0; i < body->unknown_count; i++)
        controls_note_name(kept, body->unknown[i]);
    kept->body_note = body->body_note;
}

static bool read_zpl(struct render_call *call)
{
    struct controls kept = call->controls, none;
    controls_init(&none);
    bool posted = call->req->method != HTTP_GET;
    bool ok = posted ? api_read_request(call) : read_path_code(call);
    note_ignored(&kept, call->req, posted ? &call->controls : &none);
    call->controls = kept;
    return ok;
}

// ---- Accept: application/zpl: the code itself, laid out, rotated or for another density

struct code_options {
    bool formats;
    double target_dpmm; // 0: as it is
};

static bool read_code_headers(const struct render_call *call, struct code_options *options)
{
    struct pl_slice value;
    uint64_t target = 0;
    if (!read_switch(call, "x-formatter", "X-Formatter", &options->formats))
        return false;
    if (http_header(call->req, "x-target-dpmm", &value) &&
        (!pl_parse_u64(pl_slice_trim(value), &target) ||
         (target != 6 && target != 8 && target != 12 && target != 24))) {
        http_problem(call->res, 400, "invalid_parameter", "X-Target-Dpmm must be 6, 8, 12 or 24.");
        return false;
    }
    options->target_dpmm = (double)target;
    return true;
}

static int answer_code(const struct render_call *call, struct code_options options)
{
    struct convert_call c = {
        .call = *call, .request = {.conversion = CONVERT_CODE, .counts = true, .target_dpmm = options.target_dpmm}};
    struct label_part part;
    bool unchanged = !options.formats && c.request.target_dpmm == 0 && call->controls.rotation == 0;
    label_part_init(&part);
    bool done = convert_ask(&c, &part);
    if (done) {
        http_set_header_buf(call->res, "X-Total-Count", &part.members);
        convert_answer_text(&c, &part, "application/zpl");
    }
    if (done && unchanged)
        http_body_borrow(call->res, call->zpl); // without the formatter it stays as it was laid out
    label_part_free(&part);
    return done ? 200 : http_status(call->res);
}

// A printer fed with a picture instead of its language prints rubbish: that is told, not sent.
bool api_refuses_language(const struct http_request *req, struct http_response *res, const char *written)
{
    static const char *const types[] = {"image/png",        "application/pdf", "application/json", "application/zpl",
                                        "application/epl",  "application/ipl", "application/dpl",  "application/sbpl",
                                        "application/pcl5", "application/pcl6"};
    size_t index = http_accept_choose(req, types, PL_COUNTOF(types));
    if (index < 4)
        return false;
    http_problem(res, 406, "not_acceptable", "%s is not written here; %s are.", types[index], written);
    return true;
}

int api_labelary(struct http_request *req, struct http_response *res)
{
    struct render_call call = {.req = req, .res = res, .labelary = true};
    controls_init(&call.controls);
    http_problem_plain(res);
    if (api_refuses_language(req, res, "image/png, application/pdf, application/json and application/zpl"))
        return http_status(res);
    struct code_options options;
    if (!read_density(&call) || !read_size(&call) || !read_headers(&call) || !read_code_headers(&call, &options) ||
        !read_page_headers(&call) || !read_zpl(&call) || !read_index(&call))
        return http_status(res);
    note_useless_headers(&call);
    if (wants_code(req)) {
        call.single_page = false; // all of the code
        return answer_code(&call, options);
    }
    return has_index(&call) ? api_answer(&call) : http_status(res);
}
