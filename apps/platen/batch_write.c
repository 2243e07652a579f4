// Writing a batch in order, piece by piece, as far as a step goes.
#include "base/ckd.h"
#include "batch.h"
#include "controls_options.h"

#define PIECE_BYTES ((size_t)32 << 10) // after so many the step asks whether it is over

void batch_note(struct batch *batch)
{
    const struct label_part *part = &batch_part(batch, batch->next)->part;
    if (batch->noted > batch->next)
        return;
    pl_description_note(&batch->result, pl_buf_slice(&part->warnings), part->warning_count);
    warning_header_join(&batch->found, &part->found);
    batch->noted = batch->next + 1;
}

static uint32_t pages_of(const struct batch *batch, uint32_t label)
{
    return batch->call.controls.collapse || batch->call.single_page
               ? 1
               : batch->summary.copies[batch->result.first + label];
}

static void next_label(struct batch *batch)
{
    batch_drop(batch, batch_part(batch, batch->next));
    batch->next++;
    batch->copy = 0;
}

// ---- JSON: of the API, and of Labelary's door

static void put_open(struct batch *batch)
{
    if (batch->call.labelary) {
        pl_buf_append_cstr(&batch->text, "{\"labels\":[");
        return;
    }
    const struct controls *controls = &batch->call.controls;
    const struct service *service = batch->call.req->app;
    const struct platen_options label = controls_options(controls);
    const struct platen_describe_options options = controls_description(controls);
    pl_description_open(service->engine, &label, &options, batch->summary.pages, &batch->text);
}

static void put_page(struct batch *batch)
{
    if (batch->call.labelary)
        pl_buf_append_cstr(&batch->text, batch->page > 0 ? "},{\"fields\":" : "{\"fields\":");
    else
        pl_description_page(batch->page, batch->page == 0, &batch->text);
}

static void put_close(struct batch *batch)
{
    struct unknown_controls unknown;
    unknown_controls_make(&unknown, &batch->call.controls);
    if (batch->call.labelary)
        pl_buf_append_cstr(&batch->text, "}]}");
    else
        pl_description_close(&batch->result, unknown.items, unknown.count, &batch->text);
    pl_buf_fini(&batch->result.warnings);
}

// A page of label `next`, whose pages differ only in their heads.
static enum batch_progress json_page(struct batch *batch)
{
    batch_note(batch);
    put_page(batch);
    batch->page++;
    batch->copy++;
    batch->rest = pl_buf_slice(&batch_part(batch, batch->next)->part.members);
    return !batch->text.failed && http_write(batch->call.res, batch->text.data, batch->text.len) ? BATCH_GOES_ON
                                                                                                 : BATCH_STARVED;
}

static enum batch_progress next_json(struct batch *batch)
{
    pl_buf_clear(&batch->text);
    if (!batch->opened) {
        batch->opened = true;
        put_open(batch);
    } else if (batch->next == batch->result.count) {
        batch->closed = true;
        put_close(batch);
    } else if (batch_part(batch, batch->next)->state != BATCH_PART_DRAWN) {
        return BATCH_NEEDS_LABEL;
    } else if (batch->copy == pages_of(batch, batch->next)) {
        next_label(batch);
    } else {
        return json_page(batch);
    }
    batch->rest = pl_buf_slice(&batch->text);
    return batch->text.failed ? BATCH_STARVED : BATCH_GOES_ON;
}

// ---- PDF

static enum batch_progress next_pdf(struct batch *batch, struct platen_error *err)
{
    enum platen_status status;
    if (batch->pdf) {
        if (batch->pdf_bytes.capacity > BATCH_SPARE_BUFFER)
            platen_buffer_free(&batch->pdf_bytes);
        platen_pdf_take(batch->pdf);
    }
    if (!batch->pdf) {
        struct platen_pdf_layout layout;
        status = platen_pdf_new("Labels", &batch->pdf_bytes, &batch->pdf, err);
        if (status == PLATEN_OK && controls_layout(&batch->call.controls, &layout))
            status = platen_pdf_set_layout(batch->pdf, &layout, err);
    } else if (batch->next == batch->result.count) {
        batch->closed = true;
        status = platen_pdf_finish(batch->pdf, err);
    } else if (batch_part(batch, batch->next)->state != BATCH_PART_DRAWN) {
        return BATCH_NEEDS_LABEL;
    } else {
        batch_note(batch);
        const struct label_part *part = &batch_part(batch, batch->next)->part;
        status = platen_pdf_add(batch->pdf, &part->file, pages_of(batch, batch->next), err);
        if (status == PLATEN_E_INVALID)
            status = err->status = RENDER_E_DIED; // no renderer that is well makes such a part
        next_label(batch);
    }
    batch->rest = pl_slice_make(batch->pdf_bytes.data, batch->pdf_bytes.size);
    return status == PLATEN_OK ? BATCH_GOES_ON : BATCH_FAILED;
}

// ---- one picture, strictly

static enum batch_progress next_picture(struct batch *batch)
{
    struct batch_part *part = batch_part(batch, 0);
    if (part->state != BATCH_PART_DRAWN)
        return BATCH_NEEDS_LABEL;
    batch_note(batch);
    http_body_take(batch->call.res, part->part.file.data, part->part.file.size);
    part->part.file = (struct platen_buffer){0};
    batch->closed = true;
    return BATCH_GOES_ON;
}

// The next piece of the answer becomes `rest`.
static enum batch_progress next_piece(struct batch *batch, struct platen_error *err)
{
    switch (batch->call.controls.format) {
    case OUTPUT_PDF:
        return next_pdf(batch, err);
    case OUTPUT_JSON:
    case OUTPUT_BASE64:
        return next_json(batch);
    default:
        return next_picture(batch);
    }
}

// Before the start nothing leaves, and what is drawn is soon written.
static bool step_over(const struct batch *batch)
{
    const struct http_response *res = batch->call.res;
    return http_started(res) ? batch_step_over(batch) : http_written(res) > BATCH_WHOLE;
}

enum batch_progress batch_write(struct batch *batch, struct platen_error *err)
{
    for (;;) {
        while (batch->rest.len > 0) {
            size_t n = PL_MIN(batch->rest.len, PIECE_BYTES);
            if (step_over(batch))
                return BATCH_STEP_OVER;
            if (!http_write(batch->call.res, batch->rest.ptr, n))
                return BATCH_STARVED;
            batch->rest = pl_slice_sub(batch->rest, n, batch->rest.len);
        }
        if (batch->closed)
            return BATCH_DONE;
        enum batch_progress progress = next_piece(batch, err);
        if (progress != BATCH_GOES_ON)
            return progress;
    }
}
