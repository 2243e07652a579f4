// All labels of a request, drawn in parallel on the workers that are idle, put together in their order.
#include "api_batch.h"

#include <stdatomic.h>
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
    uint32_t first, count; // labels: the one of the first part, and how many
    atomic_bool failed;    // a label could not be made: the others are not begun
};

static struct result_json result_of(const struct batch *batch)
{
    const struct service *service = batch->call->req->app;
    return (struct result_json){.controls = &batch->call->controls,
                                .engine = service->engine,
                                .document = batch->document,
                                .parts = batch->parts,
                                .first = batch->first,
                                .part_count = batch->count};
}

// One label as a picture or as a part of a PDF or JSON answer.
static enum platen_status make_picture(struct batch *batch, struct platen_worker *worker,
                                       const struct platen_page *page, uint32_t label, struct label_part *part)
{
    const struct controls *controls = &batch->call->controls;
    enum platen_status status;
    if (controls->format == OUTPUT_PDF) {
        status = platen_pdf_part(worker, page, &part->file, &part->err);
    } else {
        static const enum platen_format formats[OUTPUT_COUNT] = {
            [OUTPUT_JPEG] = PLATEN_JPEG, [OUTPUT_WEBP] = PLATEN_WEBP}; // all others hold PNGs, which is 0
        struct platen_encode_options options = {.jpeg_quality = controls->jpeg_quality};
        status = platen_encode(worker, page, formats[controls->format], &options, &part->file, &part->err);
    }
    if (status == PLATEN_OK && (controls->format == OUTPUT_JSON || controls->format == OUTPUT_BASE64)) {
        result_json_members(batch->document, page, label, controls, part);
        // The picture is in the members now.
        platen_buffer_free(&part->file);
    }
    return status;
}

// Labelary's "data extraction": the fields of one label.
static void make_fields(const struct platen_page *page, struct label_part *part)
{
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
}

// Draws one label; runs on any worker.
static bool draw_part(void *worker, size_t index, void *context)
{
    struct batch *batch = context;
    struct label_part *part = &batch->parts[index];
    uint32_t label = batch->first + (uint32_t)index;
    const struct platen_page *page = NULL;
    if (atomic_load_explicit(&batch->failed, memory_order_relaxed))
        return false;
    enum platen_status status = platen_draw(worker, batch->document, label, &page, &part->err);
    if (status == PLATEN_OK) {
        result_json_warnings(batch->document, page, label, &batch->call->controls, batch->call->zpl, part);
        if (batch->call->labelary && batch->call->controls.format == OUTPUT_JSON)
            make_fields(page, part);
        else
            status = make_picture(batch, worker, page, label, part);
    }
    if (status == PLATEN_OK && (part->members.failed || part->warnings.failed || part->found.text.failed))
        status = part->err.status = PLATEN_E_MEMORY;
    if (status != PLATEN_OK)
        atomic_store_explicit(&batch->failed, true, memory_order_relaxed);
    platen_worker_rest(worker);
    return status == PLATEN_OK;
}

static int answer_json(struct batch *batch, uint32_t pages)
{
    struct render_call *call = batch->call;
    struct result_json result = result_of(batch);
    struct http_json_out *out = http_json_begin(call->res);
    if (!result_json_write(out, &result, pages, ANSWER_BYTES))
        return http_problem(call->res, 413, "limit_exceeded", "The answer would be larger than %zu MiB.",
                            ANSWER_BYTES >> 20);
    int status = http_json_send(call->res, 200);
    http_set_type(call->res, output_mime(call->controls.format));
    return status;
}

static int answer_pdf(struct batch *batch)
{
    struct render_call *call = batch->call;
    struct platen_error err = {0};
    struct platen_pdf *pdf = NULL;
    struct platen_buffer bytes = {0};
    enum platen_status status = platen_pdf_new("Labels", &bytes, &pdf, &err);
    for (uint32_t i = 0; i < batch->count && status == PLATEN_OK; i++) {
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

static int answer_fields(struct batch *batch)
{
    struct http_json_out *out = http_json_begin(batch->call->res);
    http_json_object(out);
    http_json_key(out, "labels");
    http_json_array(out);
    for (uint32_t i = 0; i < batch->count; i++) {
        struct platen_label info = {.copies = 1};
        platen_label_at(batch->document, batch->first + i, &info);
        // As many as X-Total-Count says, and as a PDF has pages.
        for (uint32_t copy = 0; copy < (batch->call->single_page ? 1 : info.copies); copy++) {
            http_json_object(out);
            http_json_key(out, "fields");
            http_json_raw(out, pl_buf_slice(&batch->parts[i].members));
            http_json_end(out);
            if (out->buf->len > ANSWER_BYTES)
                return http_problem(batch->call->res, 413, "limit_exceeded", "The answer would be larger than %zu MiB.",
                                    ANSWER_BYTES >> 20);
        }
    }
    http_json_end(out);
    http_json_end(out);
    return http_json_send(batch->call->res, 200);
}

// Strict: findings are a 400 that lists them.
static int refuse_warnings(struct batch *batch, uint32_t warnings)
{
    struct pl_buf list;
    struct http_json_out out;
    pl_buf_init(&list, PART_BYTES);
    pl_buf_append_cstr(&list, ",\"warnings\":");
    http_json_out_init(&out, &list);
    http_json_array(&out);
    struct result_json result = result_of(batch);
    result_json_all_warnings(&out, &result);
    http_json_end(&out);
    int status = http_problem(batch->call->res, 400, "warnings", "'strict' is set and there %s %u warning%s.",
                              warnings == 1 ? "is" : "are", warnings, warnings == 1 ? "" : "s");
    if (!list.failed)
        http_problem_members(batch->call->res, pl_buf_slice(&list));
    pl_buf_fini(&list);
    return status;
}

// What was found in the request, in the input as a whole or in labels that were not drawn, and in each label drawn.
static void collect_warnings(const struct batch *batch, struct warning_header *header)
{
    struct result_json result = result_of(batch);
    struct platen_diagnostic d;
    warning_header_add_unknown(header, &batch->call->controls);
    header->count += platen_diagnostics_dropped(batch->document);
    for (uint32_t i = 0; i < platen_diagnostic_count(batch->document); i++) {
        if (platen_diagnostic_at(batch->document, i, &d) && result_json_outside(&result, &d))
            warning_header_add(header, &d);
    }
    for (uint32_t i = 0; i < batch->count; i++)
        warning_header_join(header, &batch->parts[i].found);
}

static int make_answer(struct batch *batch, uint32_t pages)
{
    struct render_call *call = batch->call;
    switch (call->controls.format) {
    case OUTPUT_PDF:
        return answer_pdf(batch);
    case OUTPUT_JSON:
    case OUTPUT_BASE64:
        return call->labelary ? answer_fields(batch) : answer_json(batch, pages);
    default: // one picture, strictly
        http_body_take(call->res, batch->parts[0].file.data, batch->parts[0].file.size);
        batch->parts[0].file = (struct platen_buffer){0};
        return 200;
    }
}

static int put_together(struct batch *batch, uint32_t pages)
{
    struct render_call *call = batch->call;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->parts[i].err.status != PLATEN_OK)
            return api_problem(call->res, &batch->parts[i].err);
    }
    struct warning_header warnings = {0};
    pl_buf_init(&warnings.text, 16384);
    collect_warnings(batch, &warnings);
    int status;
    if (call->controls.strict && warnings.count > 0) {
        status = refuse_warnings(batch, warnings.count);
    } else {
        status = make_answer(batch, pages);
        if (status == 200)
            api_set_headers(call, pages, &warnings);
    }
    pl_buf_fini(&warnings.text);
    return status;
}

int api_answer_batch(struct render_call *call, const struct platen_document *document, uint32_t pages)
{
    struct batch batch = {.call = call, .document = document, .count = platen_label_count(document)};
    enum output format = call->controls.format;
    if (call->single_page || (format != OUTPUT_PDF && format != OUTPUT_JSON && format != OUTPUT_BASE64)) {
        platen_label_of_page(document, (uint32_t)call->controls.page, &batch.first);
        batch.count = 1;
    }
    batch.parts = calloc(batch.count, sizeof batch.parts[0]);
    if (!batch.parts)
        return http_problem(call->res, 413, "limit_exceeded", "The labels need more memory than there is.");
    for (uint32_t i = 0; i < batch.count; i++) {
        label_part_init(&batch.parts[i]);
    }
    http_fan_out(call->req, batch.count, draw_part, &batch);
    int status = put_together(&batch, pages);
    for (uint32_t i = 0; i < batch.count; i++) {
        label_part_free(&batch.parts[i]);
    }
    free(batch.parts);
    return status;
}
