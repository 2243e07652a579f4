// Rendering for the HTTP API: from a render call to its answer.
#include <stdio.h>
#include <stdlib.h>

#include "api.h"
#include "api_batch.h"
#include "base/ckd.h"
#include "disposition.h"

// The library's messages go on after a colon; here they stand alone.
static int problem_sentence(struct http_response *res, int status, const char *code, const char *message)
{
    char first = message[0] >= 'a' && message[0] <= 'z' ? (char)(message[0] - 'a' + 'A') : message[0];
    return http_problem(res, status, code, "%c%s.", first, message[0] ? message + 1 : "");
}

int api_problem(struct http_response *res, const struct platen_error *err)
{
    switch (err->status) {
    case PLATEN_E_INVALID:
        return problem_sentence(res, 400, "invalid_parameter", err->message);
    case PLATEN_E_LIMIT:
        return problem_sentence(res, 413, "limit_exceeded", err->message);
    case PLATEN_E_MEMORY:
        return http_problem(res, 413, "limit_exceeded", "The labels need more memory than one request may have.");
    case PLATEN_E_DEADLINE:
        return http_problem(res, 503, "render_timeout", "Rendering took longer than the time limit.");
    case PLATEN_E_CANCELLED:
        return http_problem(res, 503, "cancelled", "The render was cancelled.");
    default:
        return http_problem(res, 500, "internal_error", "Something went wrong inside the service.");
    }
}

void api_set_headers(struct render_call *call, uint32_t pages, struct warning_header *warnings)
{
    http_set_type(call->res, output_mime(call->controls.format));
    disposition_set(call);
    http_set_header_u64(call->res, "X-Total-Count", pages);
    if (call->warn && warnings->count > 0) {
        http_set_header_buf(call->res, "X-Warnings", &warnings->text);
        http_set_header_u64(call->res, "X-Warning-Count", warnings->count);
    }
}

// ---- one picture

static void add_to_header(void *context, const struct platen_diagnostic *d)
{
    warning_header_add(context, d);
}

// All diagnostics that concern this answer, for X-Warnings.
static void collect_warnings(const struct render_call *call, const struct platen_document *document,
                             const struct platen_page *page, uint32_t label, struct warning_header *out)
{
    struct platen_diagnostic d;
    warning_header_add_unknown(out, &call->controls);
    out->count += platen_diagnostics_dropped(document);
    uint32_t count = platen_diagnostic_count(document);
    for (uint32_t i = 0; i < count; i++) {
        if (platen_diagnostic_at(document, i, &d))
            warning_header_add(out, &d);
    }
    count = platen_page_diagnostic_count(page);
    for (uint32_t i = 0; i < count; i++) {
        if (platen_page_diagnostic_at(page, i, &d))
            warning_header_add(out, &d);
    }
    report_narrow_modules(page, (int32_t)label, &call->controls, call->zpl, add_to_header, out);
}

// Draws and encodes one label. Returns the status.
static int make_picture(struct render_call *call, const struct platen_document *document, uint32_t pages)
{
    static const enum platen_format formats[] = {
        [OUTPUT_PNG] = PLATEN_PNG, [OUTPUT_JPEG] = PLATEN_JPEG, [OUTPUT_WEBP] = PLATEN_WEBP};
    struct platen_error err;
    const struct platen_page *page = NULL;
    uint32_t label = 0;
    if (!platen_label_of_page(document, (uint32_t)call->controls.page, &label))
        return http_problem(call->res, 500, "internal_error", "Something went wrong inside the service.");
    if (platen_draw(call->req->worker, document, label, &page, &err) != PLATEN_OK)
        return api_problem(call->res, &err);
    struct platen_buffer bytes = {0};
    struct platen_encode_options options = {.jpeg_quality = call->controls.jpeg_quality};
    if (platen_encode(call->req->worker, page, formats[call->controls.format], &options, &bytes, &err) != PLATEN_OK) {
        platen_buffer_free(&bytes);
        return api_problem(call->res, &err);
    }
    struct warning_header warnings = {0};
    pl_buf_init(&warnings.text, 16384);
    collect_warnings(call, document, page, label, &warnings);
    api_set_headers(call, pages, &warnings);
    pl_buf_fini(&warnings.text);
    platen_worker_rest(call->req->worker);
    http_body_take(call->res, bytes.data, bytes.size);
    return 200;
}

static int answer_picture(struct render_call *call)
{
    uint64_t started = pl_now_ns();
    struct platen_document *document;
    if (!api_parse(call, &document))
        return http_status(call->res);
    uint32_t pages = platen_page_count(document);
    int status = make_picture(call, document, pages);
    platen_document_free(document);
    if (status == 200)
        api_count(call, pages, pl_now_ns() - started);
    return status;
}

// ---- all formats

static bool is_picture(enum output format)
{
    return format == OUTPUT_PNG || format == OUTPUT_JPEG || format == OUTPUT_WEBP;
}

static void no_labels(struct render_call *call, const struct platen_document *document)
{
    struct platen_diagnostic d;
    for (uint32_t i = 0; i < platen_diagnostic_count(document); i++) {
        if (platen_diagnostic_at(document, i, &d) && d.severity != PLATEN_INFO) {
            http_problem(call->res, 400, "no_labels", "The ZPL prints no label. First finding, line %u: %s", d.line,
                         d.message);
            return;
        }
    }
    http_problem(call->res, 400, "no_labels", "The ZPL prints no label: it needs ^XA, a field that prints, and ^XZ.");
}

static void no_page(struct render_call *call, uint32_t pages)
{
    if (!call->labelary) {
        http_problem(call->res, 400, "page_out_of_range",
                     "'page' is %llu, but the ZPL has %u label%s: the last page is %u.",
                     (unsigned long long)call->controls.page, pages, pages == 1 ? "" : "s", pages - 1);
        return;
    }
    char text[120];
    int n = snprintf(text, sizeof text, "ERROR: Requested page %llu not found; the label count is %u.\n",
                     (unsigned long long)call->controls.page, pages);
    char *copy = pl_arena_copy(call->req->arena, text, (size_t)n);
    http_problem(call->res, 404, "page_not_found", "%s", ""); // with a text of Labelary's instead of ours
    http_set_type(call->res, "text/plain; charset=utf-8");
    http_body_borrow(call->res, pl_slice_make(copy, copy ? (size_t)n : 0));
}

bool api_parse(struct render_call *call, struct platen_document **document)
{
    const struct controls *c = &call->controls;
    struct platen_error err;
    struct platen_options options = {
        .width_mm = c->width_mm,
        .height_mm = c->height_mm,
        .dpmm = c->dpmm,
        .quality = c->grayscale ? PLATEN_GRAYSCALE : PLATEN_BITONAL,
        .rotation = c->rotation,
        .collapse_copies = c->collapse,
        .has_time = controls_has(c, CONTROL_TIME),
        .time = c->time,
        .want_elements = c->format == OUTPUT_JSON || c->format == OUTPUT_PDF || controls_has(c, CONTROL_MIN_MODULE_MM),
        .cancel = call->req->job.cancelled,
        .deadline_ns = call->req->job.deadline_ns,
    };
    if (platen_parse(call->req->worker, call->zpl.ptr, call->zpl.len, &options, document, &err) != PLATEN_OK) {
        api_problem(call->res, &err);
        return false;
    }
    uint32_t pages = platen_page_count(*document);
    bool page_missing = (is_picture(c->format) || call->single_page) && c->page >= pages;
    if (pages == 0)
        no_labels(call, *document);
    else if (page_missing)
        no_page(call, pages);
    else
        http_log_number(call->req, "labels", pages);
    http_log_text(call->req, "format", output_name(c->format));
    if (pages > 0 && !page_missing)
        return true;
    platen_document_free(*document);
    *document = NULL;
    return false;
}

void api_count(const struct render_call *call, uint32_t pages, uint64_t ns)
{
    const struct service *service = call->req->app;
    http_counter_add(service->renders[call->controls.format], 1);
    http_counter_add(service->labels, pages);
    http_histogram_observe(service->render_time, ns);
}

int api_answer(struct render_call *call)
{
    // Strict answers need every finding as JSON, and so the way of the formats that hold all labels.
    return is_picture(call->controls.format) && !call->controls.strict ? answer_picture(call) : api_answer_batch(call);
}

int api_render(struct http_request *req, struct http_response *res)
{
    struct render_call call = {.req = req, .res = res, .warn = true};
    if (!api_read_request(&call))
        return http_status(res);
    return api_answer(&call);
}

int api_render_format(struct http_request *req, struct http_response *res)
{
    struct render_call call = {.req = req, .res = res, .warn = true};
    struct pl_slice name;
    enum output format;
    if (!http_param(req, "format", &name) || !output_by_name(name, &format))
        return http_problem(res, 400, "unknown_format", "There is no format '%.*s'; the formats are " OUTPUT_LIST ".",
                            (int)PL_MIN(name.len, (size_t)32), (const char *)name.ptr);
    if (!api_read_request(&call))
        return http_status(res);
    call.controls.format = format;
    return api_answer(&call);
}
