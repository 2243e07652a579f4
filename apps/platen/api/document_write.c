// Writing the answer to one document in order, piece by piece, as far as a step goes.
#include "base/ckd.h"
#include "document_answer.h"

#define PIECE_BYTES ((size_t)32 << 10) // after so many the step asks whether it is over

void document_note(struct document_answer *answer)
{
    const struct label_part *part = &document_part(answer, answer->next)->part;
    if (answer->noted > answer->next)
        return;
    pl_description_note(&answer->result, pl_buf_slice(&part->warnings), part->warning_count);
    warning_header_join(&answer->found, &part->found);
    answer->noted = answer->next + 1;
}

static uint32_t pages_of(const struct document_answer *answer, uint32_t label)
{
    return answer->call.controls.copies == COPIES_COLLAPSE || answer->call.single_page
               ? 1
               : answer->summary.copies[answer->result.first + label];
}

static void next_label(struct document_answer *answer)
{
    document_drop(answer, document_part(answer, answer->next));
    answer->next++;
    answer->copy = 0;
}

// ---- JSON: of the API, and of the Labelary-compatible API

static void put_open(struct document_answer *answer)
{
    if (answer->call.labelary) {
        pl_buf_append_cstr(&answer->text, "{\"labels\":[");
        return;
    }
    const struct control_values *controls = &answer->call.controls.values;
    const struct service *service = answer->call.req->app;
    struct platen_options label = controls_options(controls);
    label.width_mm = controls->width_mm; // the default, too
    label.height_mm = controls->height_mm;
    label.language = answer->summary.language;
    const struct platen_describe_options options = controls_description(controls);
    pl_description_open(service->engine, &label, &options, answer->summary.pages, &answer->text);
}

static void put_page(struct document_answer *answer)
{
    if (answer->call.labelary)
        pl_buf_append_cstr(&answer->text, answer->page > 0 ? "},{\"fields\":" : "{\"fields\":");
    else
        pl_description_page(answer->page, answer->page == 0, &answer->text);
}

static void put_close(struct document_answer *answer)
{
    struct unknown_controls unknown;
    unknown_controls_make(&unknown, &answer->call.controls);
    if (answer->call.labelary)
        pl_buf_append_cstr(&answer->text, "}]}");
    else
        pl_description_close(&answer->result, unknown.items, unknown.count, &answer->text);
    pl_buf_fini(&answer->result.warnings);
}

// A page of label `next`, whose pages differ only in their heads.
static enum document_progress json_page(struct document_answer *answer)
{
    document_note(answer);
    put_page(answer);
    answer->page++;
    answer->copy++;
    answer->rest = pl_buf_slice(&document_part(answer, answer->next)->part.members);
    return !answer->text.failed && http_write(answer->call.res, answer->text.data, answer->text.len) ? DOCUMENT_GOES_ON
                                                                                                     : DOCUMENT_STARVED;
}

static enum document_progress next_json(struct document_answer *answer)
{
    pl_buf_clear(&answer->text);
    if (!answer->opened) {
        answer->opened = true;
        put_open(answer);
    } else if (answer->next == answer->result.count) {
        answer->closed = true;
        put_close(answer);
    } else if (document_part(answer, answer->next)->state != DOCUMENT_PART_DRAWN) {
        return DOCUMENT_NEEDS_LABEL;
    } else if (answer->copy == pages_of(answer, answer->next)) {
        next_label(answer);
    } else {
        return json_page(answer);
    }
    answer->rest = pl_buf_slice(&answer->text);
    return answer->text.failed ? DOCUMENT_STARVED : DOCUMENT_GOES_ON;
}

// ---- PDF

static enum document_progress next_pdf(struct document_answer *answer, struct platen_error *err)
{
    enum platen_status status;
    if (answer->pdf) {
        if (answer->pdf_bytes.capacity > DOCUMENT_SPARE_BUFFER)
            platen_buffer_free(&answer->pdf_bytes);
        platen_pdf_take(answer->pdf);
    }
    if (!answer->pdf) {
        struct platen_pdf_layout layout;
        status = platen_pdf_new("Labels", &answer->pdf_bytes, &answer->pdf, err);
        if (status == PLATEN_OK && controls_layout(&answer->call.controls.values, &layout))
            status = platen_pdf_set_layout(answer->pdf, &layout, err);
    } else if (answer->next == answer->result.count) {
        answer->closed = true;
        status = platen_pdf_finish(answer->pdf, err);
    } else if (document_part(answer, answer->next)->state != DOCUMENT_PART_DRAWN) {
        return DOCUMENT_NEEDS_LABEL;
    } else {
        document_note(answer);
        const struct label_part *part = &document_part(answer, answer->next)->part;
        status = platen_pdf_add(answer->pdf, &part->file, pages_of(answer, answer->next), err);
        if (status == PLATEN_E_INVALID)
            status = err->status = RENDER_E_DIED; // no renderer that is well makes such a part
        next_label(answer);
    }
    answer->rest = pl_slice_make(answer->pdf_bytes.data, answer->pdf_bytes.size);
    return status == PLATEN_OK ? DOCUMENT_GOES_ON : DOCUMENT_FAILED;
}

// ---- one picture, strictly

static enum document_progress next_picture(struct document_answer *answer)
{
    struct document_part *part = document_part(answer, 0);
    if (part->state != DOCUMENT_PART_DRAWN)
        return DOCUMENT_NEEDS_LABEL;
    document_note(answer);
    http_body_take(answer->call.res, part->part.file.data, part->part.file.size);
    part->part.file = (struct platen_buffer){0};
    answer->closed = true;
    return DOCUMENT_GOES_ON;
}

// The next piece of the answer becomes `rest`.
static enum document_progress next_piece(struct document_answer *answer, struct platen_error *err)
{
    switch (answer->call.controls.format) {
    case OUTPUT_PDF:
        return next_pdf(answer, err);
    case OUTPUT_JSON:
    case OUTPUT_BASE64:
        return next_json(answer);
    default:
        return next_picture(answer);
    }
}

// Before the start nothing leaves, and what is drawn is soon written.
static bool step_over(const struct document_answer *answer)
{
    const struct http_response *res = answer->call.res;
    return http_started(res) ? document_step_over(answer) : http_written(res) > DOCUMENT_WHOLE;
}

enum document_progress document_write(struct document_answer *answer, struct platen_error *err)
{
    for (;;) {
        while (answer->rest.len > 0) {
            size_t n = PL_MIN(answer->rest.len, PIECE_BYTES);
            if (step_over(answer))
                return DOCUMENT_STEP_OVER;
            if (!http_write(answer->call.res, answer->rest.ptr, n))
                return DOCUMENT_STARVED;
            answer->rest = pl_slice_sub(answer->rest, n, answer->rest.len);
        }
        if (answer->closed)
            return DOCUMENT_DONE;
        enum document_progress progress = next_piece(answer, err);
        if (progress != DOCUMENT_GOES_ON)
            return progress;
    }
}
