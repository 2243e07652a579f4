// All labels of a request, drawn in parallel on the workers that are idle, put together in their order.
#include "api_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"

#define PART_BYTES ((size_t)128 << 20)   // what one label may add to the answer
#define ANSWER_BYTES ((size_t)256 << 20) // and all of them together

struct batch {
    struct render_call *call;
    const struct platen_document *document;
    struct label_part *parts;
    uint32_t first; // label of the first part
};

// Draws one label; runs on any worker.
static void draw_part(void *worker, size_t index, void *context)
{
    const struct batch *batch = context;
    struct label_part *part = &batch->parts[index];
    uint32_t label = batch->first + (uint32_t)index;
    const struct platen_page *page = NULL;
    if (platen_draw(worker, batch->document, label, &page, &part->err) != PLATEN_OK)
        return;
    enum output format = batch->call->controls.format;
    enum platen_status status;
    if (format == OUTPUT_PDF) {
        status = platen_pdf_part(worker, page, &part->file, &part->err);
    } else {
        static const enum platen_format formats[OUTPUT_COUNT] = {
            [OUTPUT_JPEG] = PLATEN_JPEG, [OUTPUT_WEBP] = PLATEN_WEBP}; // all others hold PNGs, which is 0
        struct platen_encode_options options = {.jpeg_quality = batch->call->controls.jpeg_quality};
        status = platen_encode(worker, page, formats[format], &options, &part->file, &part->err);
    }
    if (status != PLATEN_OK)
        return;
    result_json_warnings(batch->document, page, label, &batch->call->controls, batch->call->zpl, part);
    if (format == OUTPUT_JSON || format == OUTPUT_BASE64) {
        result_json_members(batch->document, page, label, &batch->call->controls, part);
        // The picture is in the members now.
        platen_buffer_free(&part->file);
    }
    if (part->members.failed || part->warnings.failed)
        part->err.status = PLATEN_E_MEMORY;
}

static int answer_json(struct batch *batch, uint32_t pages, uint32_t count)
{
    struct render_call *call = batch->call;
    const struct service *service = call->req->app;
    struct result_json result = {.controls = &call->controls,
                                 .engine = service->engine,
                                 .document = batch->document,
                                 .parts = batch->parts,
                                 .part_count = count};
    struct http_json_out *out = http_json_begin(call->res);
    if (!result_json_write(out, &result, pages, ANSWER_BYTES))
        return http_problem(call->res, 413, "limit_exceeded", "The answer would be larger than %zu MiB.",
                            ANSWER_BYTES >> 20);
    int status = http_json_send(call->res, 200);
    http_set_type(call->res, output_mime(call->controls.format));
    return status;
}

static int answer_pdf(struct batch *batch, uint32_t count)
{
    struct render_call *call = batch->call;
    struct platen_error err = {0};
    struct platen_pdf *pdf = NULL;
    struct platen_buffer bytes = {0};
    enum platen_status status = platen_pdf_new("Labels", &bytes, &pdf, &err);
    for (uint32_t i = 0; i < count && status == PLATEN_OK; i++) {
        struct platen_label info = {.copies = 1};
        platen_label_at(batch->document, batch->first + i, &info);
        bool once = call->controls.collapse || call->single_page;
        status = platen_pdf_add(pdf, &batch->parts[i].file, once ? 1 : info.copies, &err);
        platen_buffer_free(&batch->parts[i].file);
    }
    if (status == PLATEN_OK)
        status = platen_pdf_finish(pdf, &err);
    platen_pdf_free(pdf);
    if (status != PLATEN_OK) {
        platen_buffer_free(&bytes);
        return api_problem(call->res, &err);
    }
    http_body_take(call->res, bytes.data, bytes.size);
    return 200;
}

// Labelary's "data extraction": the fields of each label.
static int answer_fields(struct batch *batch, uint32_t count)
{
    struct http_json_out *out = http_json_begin(batch->call->res);
    http_json_object(out);
    http_json_key(out, "labels");
    http_json_array(out);
    for (uint32_t i = 0; i < count; i++) {
        http_json_object(out);
        http_json_key(out, "fields");
        http_json_raw(out, pl_buf_slice(&batch->parts[i].members));
        http_json_end(out);
    }
    http_json_end(out);
    http_json_end(out);
    return http_json_send(batch->call->res, 200);
}

// Draws one label for its fields only.
static void draw_fields(void *worker, size_t index, void *context)
{
    const struct batch *batch = context;
    struct label_part *part = &batch->parts[index];
    const struct platen_page *page = NULL;
    if (platen_draw(worker, batch->document, batch->first + (uint32_t)index, &page, &part->err) != PLATEN_OK)
        return;
    struct http_json_out out;
    http_json_out_init(&out, &part->members);
    http_json_array(&out);
    for (uint32_t i = 0; i < platen_page_element_count(page); i++) {
        struct platen_element e;
        if (!platen_page_element_at(page, i, &e) || !e.data || (e.type != PLATEN_TEXT && e.type != PLATEN_BARCODE))
            continue;
        http_json_object(&out);
        http_json_kv_i64(&out, "x", e.x);
        http_json_kv_i64(&out, "y", e.y);
        http_json_kv_slice(&out, "data", pl_slice_make(e.data, e.data_size));
        http_json_end(&out);
    }
    http_json_end(&out);
    result_json_warnings(batch->document, page, batch->first + (uint32_t)index, &batch->call->controls,
                         batch->call->zpl, part);
    if (part->members.failed || part->warnings.failed)
        part->err.status = PLATEN_E_MEMORY;
}

// Strict: findings are a 400 that lists them.
static int refuse_warnings(struct batch *batch, uint32_t count, uint32_t warnings)
{
    struct pl_buf list;
    struct http_json_out out;
    pl_buf_init(&list, PART_BYTES);
    pl_buf_append_cstr(&list, ",\"warnings\":");
    http_json_out_init(&out, &list);
    http_json_array(&out);
    struct result_json result = {
        .controls = &batch->call->controls, .document = batch->document, .parts = batch->parts, .part_count = count};
    result_json_all_warnings(&out, &result);
    http_json_end(&out);
    int status = http_problem(batch->call->res, 400, "warnings", "'strict' is set and there %s %u warning%s.",
                              warnings == 1 ? "is" : "are", warnings, warnings == 1 ? "" : "s");
    if (!list.failed)
        http_problem_members(batch->call->res, pl_buf_slice(&list));
    pl_buf_fini(&list);
    return status;
}

// The header's warnings come from the parse here; what drawing found is in the parts' JSON and only counted.
static void set_headers(struct batch *batch, uint32_t pages, uint32_t warnings)
{
    struct warning_header header = {0};
    pl_buf_init(&header.text, 16384);
    warning_header_add_unknown(&header, &batch->call->controls);
    struct platen_diagnostic d;
    for (uint32_t i = 0; i < platen_diagnostic_count(batch->document); i++) {
        if (platen_diagnostic_at(batch->document, i, &d))
            warning_header_add(&header, &d);
    }
    header.count = PL_MAX(header.count, warnings);
    api_set_headers(batch->call, pages, &header);
    pl_buf_fini(&header.text);
}

static uint32_t count_warnings(const struct batch *batch, uint32_t count)
{
    struct platen_diagnostic d;
    uint32_t warnings = batch->call->controls.unknown_count;
    for (uint32_t i = 0; i < platen_diagnostic_count(batch->document); i++)
        warnings += platen_diagnostic_at(batch->document, i, &d) && d.label < 0 && d.severity != PLATEN_INFO;
    for (uint32_t i = 0; i < count; i++)
        warnings += batch->parts[i].warning_count;
    return warnings;
}

static int put_together(struct batch *batch, uint32_t pages, uint32_t count)
{
    struct render_call *call = batch->call;
    for (uint32_t i = 0; i < count; i++) {
        if (batch->parts[i].err.status != PLATEN_OK)
            return api_problem(call->res, &batch->parts[i].err);
    }
    uint32_t warnings = count_warnings(batch, count);
    if (call->controls.strict && warnings > 0)
        return refuse_warnings(batch, count, warnings);
    int status;
    switch (call->controls.format) {
    case OUTPUT_PDF:
        status = answer_pdf(batch, count);
        break;
    case OUTPUT_JSON:
    case OUTPUT_BASE64:
        status = call->labelary ? answer_fields(batch, count) : answer_json(batch, pages, count);
        break;
    default: // one picture, strictly
        http_body_take(call->res, batch->parts[0].file.data, batch->parts[0].file.size);
        batch->parts[0].file = (struct platen_buffer){0};
        status = 200;
    }
    if (status == 200)
        set_headers(batch, pages, warnings);
    return status;
}

int api_answer_batch(struct render_call *call, const struct platen_document *document, uint32_t pages)
{
    uint32_t first = 0, count = platen_label_count(document);
    enum output format = call->controls.format;
    if (call->single_page || (format != OUTPUT_PDF && format != OUTPUT_JSON && format != OUTPUT_BASE64)) {
        platen_label_of_page(document, (uint32_t)call->controls.page, &first);
        count = 1;
    }
    struct batch batch = {.call = call, .document = document, .first = first};
    batch.parts = calloc(count, sizeof batch.parts[0]);
    if (!batch.parts)
        return http_problem(call->res, 413, "limit_exceeded", "The labels need more memory than there is.");
    for (uint32_t i = 0; i < count; i++) {
        label_part_init(&batch.parts[i]);
    }
    bool fields = call->labelary && format == OUTPUT_JSON;
    http_fan_out(call->req, count, fields ? draw_fields : draw_part, &batch);
    int status = put_together(&batch, pages, count);
    for (uint32_t i = 0; i < count; i++) {
        label_part_free(&batch.parts[i]);
    }
    free(batch.parts);
    return status;
}
