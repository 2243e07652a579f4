// The Labelary-compatible door: /v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/, so that Labelary's clients work by
// changing their base address. Sizes are in inches; the output follows Accept; X-Rotation, X-Quality and X-Linter steer
// as they do there.
#include <math.h>

#include "api.h"
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
    double *const sizes[2] = {&call->controls.width_mm, &call->controls.height_mm};
    static const char *const names[2] = {"w", "h"};
    for (int i = 0; i < 2; i++) {
        double inches;
        if (!http_param(call->req, names[i], &text) || !pl_parse_double(text, &inches) || inches <= 0) {
            http_problem(call->res, 400, "invalid_parameter",
                         "The label size must be WIDTHxHEIGHT in inches, such as 4x6.");
            return false;
        }
        *sizes[i] = inches * 25.4;
    }
    return true;
}

static bool read_headers(struct render_call *call)
{
    struct controls *c = &call->controls;
    struct pl_slice value;
    // Labelary's own default is smooth.
    c->grayscale = true;
    if (http_header(call->req, "x-quality", &value)) {
        c->grayscale = is(value, "grayscale");
        if (!c->grayscale && !is(value, "bitonal")) {
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
    call->warn = http_header(call->req, "x-linter", &value) && is(value, "on");
    static const enum output offered[] = {OUTPUT_PNG, OUTPUT_PDF, OUTPUT_JSON};
    c->format = api_accepted(call->req, offered, PL_COUNTOF(offered));
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
    uint64_t index;
    if (!http_param(call->req, "index", &text) || text.len == 0 || index_is_code(call, text)) {
        if (call->controls.format == OUTPUT_PNG) {
            http_problem(call->res, 400, "invalid_parameter",
                         "A picture needs the label's index in the path: .../4x6/0/. Only a PDF holds all labels.");
            return false;
        }
        return true;
    }
    if (!pl_parse_u64(text, &index)) {
        http_problem(call->res, 400, "invalid_parameter", "The label's index must be a whole number from 0.");
        return false;
    }
    call->controls.page = index;
    call->single_page = true;
    return true;
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

static bool read_zpl(struct render_call *call)
{
    if (call->req->method == HTTP_GET)
        return read_path_code(call);
    // Query, body and a form's other parts are not controls here.
    struct controls kept = call->controls;
    bool ok = api_read_request(call);
    call->controls = kept;
    return ok;
}

int api_labelary(struct http_request *req, struct http_response *res)
{
    struct render_call call = {.req = req, .res = res, .labelary = true};
    controls_init(&call.controls);
    if (!read_density(&call) || !read_size(&call) || !read_headers(&call) || !read_zpl(&call) || !read_index(&call))
        return http_status(res);
    return api_answer(&call);
}
