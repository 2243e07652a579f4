// Drawing the labels of a batch, in parallel and some ahead of what is written.
#include "base/ckd.h"
#include "batch.h"

size_t batch_part_bytes(const struct batch_part *part)
{
    return part->part.members.cap + part->part.warnings.cap + part->part.found.text.cap + part->part.file.capacity;
}

void batch_drop(struct batch *batch, struct batch_part *part)
{
    if (part->state == BATCH_PART_DRAWN)
        atomic_fetch_sub_explicit(&batch->ahead, batch_part_bytes(part), memory_order_relaxed);
    label_part_free(&part->part);
    label_part_init(&part->part);
    part->state = BATCH_PART_NONE;
}

// One label as a picture or as a part of a PDF or JSON answer.
static enum platen_status make_picture(const struct batch *batch, struct platen_worker *worker,
                                       const struct platen_page *page, uint32_t label, struct label_part *part)
{
    const struct controls *controls = &batch->call.controls;
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

static enum platen_status make_part(const struct batch *batch, struct platen_worker *worker, uint32_t label,
                                    bool findings_only, struct label_part *part)
{
    const struct render_call *call = &batch->call;
    const struct platen_page *page = NULL;
    enum platen_status status = platen_draw(worker, batch->document, label, &page, &part->err);
    if (status != PLATEN_OK)
        return status;
    result_json_warnings(batch->document, page, label, &call->controls, call->zpl, part);
    if (findings_only)
        return PLATEN_OK;
    if (call->labelary && call->controls.format == OUTPUT_JSON)
        make_fields(page, part);
    else
        status = make_picture(batch, worker, page, label, part);
    return status;
}

// What a check makes of a label besides its findings is kept only if there is room for all of them.
static bool findings_only(const struct batch *batch)
{
    return batch->checking && (batch->window < batch->result.count ||
                               atomic_load_explicit(&batch->ahead, memory_order_relaxed) > BATCH_AHEAD);
}

static bool enough_drawn(const struct batch *batch)
{
    return (!batch->checking && atomic_load_explicit(&batch->ahead, memory_order_relaxed) > BATCH_AHEAD) ||
           batch_step_over(batch);
}

// Draws one label; runs on any worker. False: no more are to be begun.
static bool draw_part(void *worker, size_t index, void *context)
{
    struct batch *batch = context;
    uint32_t label = batch->next + (uint32_t)index;
    struct batch_part *part = batch_part(batch, label);
    if (part->state == BATCH_PART_DRAWN || (batch->checking && part->state == BATCH_PART_CHECKED))
        return true;
    if (atomic_load_explicit(&batch->failed, memory_order_relaxed) || (index > 0 && enough_drawn(batch)))
        return false;
    bool checked = findings_only(batch);
    enum platen_status status = make_part(batch, worker, batch->result.first + label, checked, &part->part);
    if (status == PLATEN_OK && label_part_failed(&part->part))
        status = part->part.err.status = PLATEN_E_MEMORY;
    platen_worker_rest(worker);
    if (status != PLATEN_OK) {
        atomic_store_explicit(&batch->failed, true, memory_order_relaxed);
        return false;
    }
    part->state = checked ? BATCH_PART_CHECKED : BATCH_PART_DRAWN;
    if (!checked)
        atomic_fetch_add_explicit(&batch->ahead, batch_part_bytes(part), memory_order_relaxed);
    return true;
}

bool batch_draw(struct batch *batch, const struct platen_error **why)
{
    uint32_t count = PL_MIN(batch->window, batch->result.count - batch->next);
    http_fan_out(batch->call.req, count, draw_part, batch);
    for (uint32_t i = 0; i < count; i++) {
        const struct label_part *part = &batch_part(batch, batch->next + i)->part;
        if (part->err.status != PLATEN_OK) {
            *why = &part->err;
            return false;
        }
    }
    return true;
}
