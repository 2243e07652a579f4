// The routes that render: one picture is answered here, all other formats as documents.

#include "api_call.h"
#include "base/ckd.h"
#include "base/hash.h"

// ---- one picture

// All diagnostics that concern this answer, for X-Warnings.
static void collect_warnings(const struct render_call *call, const struct findings *findings,
                             const struct label_part *part, struct warning_header *out)
{
    warning_header_add_unknown(out, &call->controls);
    if (!call->warn)
        return;
    out->count += findings->dropped;
    for (uint32_t i = 0; i < findings->count; i++)
        warning_header_add(out, &findings->items[i]);
    warning_header_join(out, &part->found);
}

static int answer_picture(struct render_call *call)
{
    uint64_t started = pl_now_ns();
    struct summary summary = {0};
    struct label_part part;
    struct render_ask ask;
    api_ask(call, RENDER_LABELS, &ask);
    ask.labels.by_page = ask.labels.page_findings = true;
    ask.labels.end = END_NOW;
    ask.labels.label = (uint32_t)PL_MIN(call->controls.page, (uint64_t)UINT32_MAX);
    label_part_init(&part);
    bool opened = api_open(call, &ask, &summary, &part);
    if (opened) {
        struct warning_header warnings = {0};
        pl_buf_init(&warnings.text, 16384);
        collect_warnings(call, &summary.findings, &part, &warnings);
        api_set_headers(call, summary.pages, &warnings);
        pl_buf_fini(&warnings.text);
        http_body_take(call->res, part.file.data, part.file.size);
        part.file = (struct platen_buffer){0};
        api_count(call, summary.pages, pl_now_ns() - started);
    }
    label_part_free(&part);
    summary_free(&summary);
    return opened ? 200 : http_status(call->res);
}

int api_answer(struct render_call *call)
{
    if (!api_begin(call))
        return http_status(call->res);
    // Strict answers need every finding as JSON, and so the way of the formats that hold all labels.
    return output_is_picture(call->controls.format) && !call->controls.strict ? answer_picture(call)
                                                                              : api_answer_document(call);
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
    struct pl_slice name = pl_slice_make("", 0);
    enum output format;
    if (!http_param(req, "format", &name) || !output_by_name(name, &format))
        return http_problem(res, 400, "unknown_format", "There is no format '%.*s'; the formats are " OUTPUT_LIST ".",
                            (int)PL_MIN(name.len, (size_t)32), (const char *)name.ptr);
    if (!api_read_request(&call))
        return http_status(res);
    controls_take_path_format(&call.controls, format);
    return api_answer(&call);
}
