// POST /api/batch: any number of documents in, their labels out, while they come.
#include <stdio.h>
#include <stdlib.h>

#include "api_call.h"
#include "base/ckd.h"
#include "batch.h"

#define PIECE_BYTES ((size_t)32 << 10)
#define PROGRESS_NS 1000000000u

// ---- the request

struct batch_query {
    enum batch_kind kind;
    bool stops;
    bool named, stop_named; // they were given
    struct controls query;
};

static bool take_answer(struct batch_query *asked, struct pl_slice value, struct problem *problem)
{
    enum batch_kind kind;
    if (!batch_kind_by_name(value, &kind))
        return problem_set(problem, 400, "invalid_parameter", "'answer' must be " BATCH_KIND_LIST ".");
    if (asked->named && kind != asked->kind)
        return problem_twice(problem, "answer");
    asked->named = true;
    asked->kind = kind;
    return true;
}

static bool take_errors(struct batch_query *asked, struct pl_slice value, struct problem *problem)
{
    bool stops = pl_slice_eq_nocase(value, pl_slice_cstr("stop"));
    if (!stops && !pl_slice_eq_nocase(value, pl_slice_cstr("skip")))
        return problem_set(problem, 400, "invalid_parameter", "'errors' must be skip or stop.");
    if (asked->stop_named && stops != asked->stops)
        return problem_twice(problem, "errors");
    asked->stop_named = true;
    asked->stops = stops;
    return true;
}

static bool read_query(struct http_request *req, struct batch_query *asked, struct problem *problem)
{
    controls_init(&asked->query);
    for (size_t i = 0; i < req->query_count; i++) {
        struct pl_slice name = req->query[i].name, value = req->query[i].value;
        bool ok = pl_slice_eq_nocase(name, pl_slice_cstr("answer")) ? take_answer(asked, value, problem)
                  : pl_slice_eq_nocase(name, pl_slice_cstr("errors"))
                      ? take_errors(asked, value, problem)
                      : controls_set(&asked->query, name, control_text(value), problem);
        if (!ok)
            return false;
    }
    if (!asked->named) {
        const char *types[BATCH_KINDS];
        for (int i = 0; i < BATCH_KINDS; i++)
            types[i] = batch_kind_mime((enum batch_kind)i);
        asked->kind = (enum batch_kind)http_accept_choose(req, types, BATCH_KINDS);
    }
    const char *of_pdf = controls_of_pdf(&asked->query);
    if (of_pdf && asked->kind != BATCH_PDF)
        return problem_set(problem, 400, "conflicting_parameter", "'%s' is of a PDF's pages: it needs 'answer=pdf'.",
                           of_pdf);
    if (asked->kind != BATCH_PDF && controls_has(&asked->query, CONTROL_FORMAT) &&
        !batch_takes_format(asked->query.format, problem))
        return false;
    // A PDF has no place for what went wrong.
    if (!asked->stop_named)
        asked->stops = asked->kind == BATCH_PDF;
    return true;
}

// ---- writing

enum progress { GOES_ON, STEP_OVER, STARVED, CUT };

static void set_head(struct batch *batch)
{
    static const char *const NAMES[BATCH_KINDS] = {
        [BATCH_NDJSON] = "inline; filename=\"labels.ndjson\"",
        [BATCH_MULTIPART] = "inline",
        [BATCH_ZIP] = "attachment; filename=\"labels.zip\"",
        [BATCH_PDF] = "inline; filename=\"labels.pdf\"",
    };
    struct http_response *res = batch->res;
    const char *type = batch_kind_mime(batch->answer.kind);
    if (batch->answer.kind == BATCH_MULTIPART) {
        char text[96];
        int len = snprintf(text, sizeof text, "multipart/mixed; boundary=%s", batch->answer.boundary);
        char *copy = pl_arena_copy(batch->req->arena, text, (size_t)len + 1);
        type = copy ? copy : type;
    }
    http_set_type(res, type);
    http_set_header_cstr(res, "Content-Disposition", NAMES[batch->answer.kind]);
    http_set_header_cstr(res, "X-Accel-Buffering", "no"); // nginx passes it on as it comes
    http_start(res, 200);
}

// Sends what is written.
static enum progress flush(struct batch *batch)
{
    struct pl_buf *out = &batch->answer.out;
    if (out->failed)
        return STARVED;
    while (batch->sent < out->len) {
        size_t n = PL_MIN(out->len - batch->sent, PIECE_BYTES);
        if (!http_started(batch->res))
            set_head(batch);
        if (http_step_should_end(batch->req, 0) && http_written(batch->res) > 0)
            return STEP_OVER;
        if (!http_write(batch->res, out->data + batch->sent, n))
            return STARVED;
        batch->sent += n;
    }
    batch->sent = 0;
    // The room of one large label is not kept for small ones.
    if (out->cap > (size_t)1 << 20)
        pl_buf_fini(out);
    pl_buf_clear(out);
    return GOES_ON;
}

static struct batch_label describe(const struct batch_document *d, const struct label_part *part, uint32_t index)
{
    const struct controls *c = &d->call.controls;
    bool one = controls_has(c, CONTROL_PAGE);
    uint32_t label = one ? summary_label_of_page(&d->summary, (uint32_t)c->page, c->copies == COPIES_COLLAPSE) : index;
    uint32_t copies = one ? 1 : d->summary.copies[label];
    return (struct batch_label){.id = d->id,
                                .index = one ? (uint32_t)c->page : index,
                                .count = one ? d->summary.pages : d->summary.labels,
                                .copies = copies,
                                .pages = c->copies == COPIES_COLLAPSE ? 1 : copies,
                                .format = c->format,
                                .file = pl_slice_make(part->file.data, part->file.size),
                                .members = pl_buf_slice(&part->members),
                                .warnings = pl_buf_slice(&part->warnings),
                                .part = &part->file,
                                .unknown = c->unknown,
                                .unknown_count = c->unknown_count,
                                .overridden = c->overridden,
                                .overridden_count = c->overridden_count};
}

static void next_document(struct batch *batch)
{
    struct batch_document *d = batch_at(batch, 0);
    size_t drawn = d->state == BATCH_DRAWN ? label_part_bytes(&d->first) + d->summary.bytes : 0;
    size_t ahead = atomic_load_explicit(&batch->ahead, memory_order_relaxed);
    atomic_store_explicit(&batch->ahead, ahead - PL_MIN(ahead, drawn), memory_order_relaxed);
    batch->code_bytes -= d->bytes;
    batch_document_free(d);
    batch->first = (batch->first + 1) % BATCH_WINDOW;
    batch->count--;
    batch->label = batch->labels_from = batch->label_count = 0;
    batch->answer.counts.documents++;
}

// Do the labels of this document fit on the pages of the PDF? If not, its problem says why.
static void check_layout(const struct batch *batch, struct batch_document *d)
{
    struct platen_pdf_layout layout = batch->layout;
    struct platen_error err;
    if (batch->answer.counts.labels > 0)
        layout.first = 0; // of the first page alone
    d->failed = !api_layout_fits(&d->call.controls, &layout, &err);
    if (d->failed)
        api_problem_of(&err, batch->req->id, &d->problem);
}

// A PDF has no place for what went wrong, and must not be taken for whole: the log names the document.
static void cut_off(struct batch *batch, const struct problem *problem)
{
    http_log_number(batch->req, "failedDocument", batch->answer.counts.documents + 1);
    http_cut_as(batch->res, problem->status, problem->code);
}

// The next piece of the first document, which is drawn.
static enum progress write_document(struct batch *batch)
{
    struct batch_document *d = batch_at(batch, 0);
    const struct controls *c = &d->call.controls;
    struct platen_error err = {0};
    if (batch->has_layout && !d->failed && batch->label == 0)
        check_layout(batch, d);
    uint32_t count = d->failed ? 0 : controls_has(c, CONTROL_PAGE) ? 1 : d->summary.labels;
    if (!d->failed && batch->label == count) {
        next_document(batch);
        return GOES_ON;
    }
    const struct label_part *part = &d->first;
    if (!d->failed && batch->label > 0) {
        if (batch->label >= batch->labels_from + batch->label_count)
            (void)batch_draw_labels(batch);
        part = &batch->labels[batch->label - batch->labels_from];
    }
    if (!d->failed) {
        struct batch_label label = describe(d, part, batch->label);
        enum platen_status status = batch_put_label(&batch->answer, &label, &err);
        if (status == PLATEN_E_MEMORY)
            return STARVED;
        if (status == PLATEN_OK) {
            batch->label++;
            return GOES_ON;
        }
        // No renderer that is well makes such a part.
        d->failed = true;
        problem_set(&d->problem, 500, "render_failed", "A label of this document could not be put into the answer.");
    }
    if (batch->stops && !http_started(batch->res)) {
        http_problem(batch->res, d->problem.status, d->problem.code, "Document '%.*s': %s",
                     (int)PL_MIN(d->id.len, (size_t)100), (const char *)d->id.ptr, d->problem.message);
        return CUT;
    }
    if (batch->stops && batch->answer.kind == BATCH_PDF) {
        cut_off(batch, &d->problem);
        return CUT;
    }
    batch->stopped = batch->stops;
    batch_put_problem(&batch->answer, d->id, &d->problem);
    next_document(batch);
    return GOES_ON;
}

// ---- steps

static bool hold(struct batch *batch)
{
    size_t kept = sizeof *batch + batch->code_bytes + atomic_load_explicit(&batch->ahead, memory_order_relaxed) +
                  pl_id_set_bytes(&batch->ids) + batch->zip.data.cap + batch_answer_held(&batch->answer);
    if (kept <= batch->held)
        return true;
    if (!http_hold(batch->req, kept - batch->held))
        return false;
    batch->held = kept;
    return true;
}

static enum http_step overloaded(struct batch *batch)
{
    if (http_started(batch->res))
        http_cut_as(batch->res, 503, "overloaded");
    else
        http_problem_overloaded(batch->res);
    return HTTP_STEP_FAILED;
}

// All documents are written that will be. HTTP_STEP_MORE: the end is written and must be sent.
static enum http_step finish(struct batch *batch)
{
    struct platen_error err = {0};
    const struct controls *query = batch->query;
    if (batch->input_bad && !batch->stopped) {
        if (!http_started(batch->res)) {
            problem_answer(&batch->input_problem, batch->res);
            return HTTP_STEP_END;
        }
        if (batch->answer.kind == BATCH_PDF) {
            cut_off(batch, &batch->input_problem);
            return HTTP_STEP_FAILED;
        }
        batch_put_problem(&batch->answer, pl_slice_make("", 0), &batch->input_problem);
    } else if (batch->number == 0) {
        http_problem(batch->res, 400, "no_documents", "There is no document in the body.");
        return HTTP_STEP_END;
    }
    http_log_number(batch->req, "documents", batch->answer.counts.documents);
    http_log_number(batch->req, "labels", batch->answer.counts.pages);
    enum platen_status status =
        batch_put_summary(&batch->answer, pl_now_ns(), query->unknown, query->unknown_count, &err);
    if (status == PLATEN_E_INVALID && !http_started(batch->res)) {
        http_problem(batch->res, 400, "no_labels", "None of the documents gave a label.");
        return HTTP_STEP_END;
    }
    batch->closed = true;
    return status == PLATEN_OK ? HTTP_STEP_MORE : overloaded(batch);
}

static void tell_progress(struct batch *batch)
{
    uint64_t now = pl_now_ns();
    if (now - batch->told_ns < PROGRESS_NS)
        return;
    batch->told_ns = now;
    batch_put_progress(&batch->answer, now);
}

// Others go on; this request is called again.
static enum http_step give_way(struct batch *batch)
{
    return hold(batch) ? HTTP_STEP_MORE : overloaded(batch);
}

// Is more of the body to come? Where the room is full of one document, the input ends with a problem.
static bool waits_for_input(struct batch *batch)
{
    if (batch->reading_paused || http_body_wait(batch->req))
        return true;
    batch->input_ended = batch->input_bad = true;
    problem_set(&batch->input_problem, 413, "document_too_large",
                "A document is larger than the %zu bytes that one may have.", batch->limit);
    return false;
}

// The first document is checked, or written where it is drawn; where none is left, the end is written. *worked: there
// was something to do. HTTP_STEP_MORE: go on.
static enum http_step go_on_with_first(struct batch *batch, bool *worked)
{
    *worked = batch->stopped || (batch->input_ended && batch->count == 0);
    if (*worked)
        return finish(batch);
    enum batch_state first = batch->count > 0 ? batch_at(batch, 0)->state : BATCH_READ;
    *worked = first == BATCH_CHECKING || first == BATCH_DRAWN;
    if (first == BATCH_CHECKING)
        batch_check_labels(batch);
    if (first != BATCH_DRAWN)
        return HTTP_STEP_MORE;
    enum progress progress = write_document(batch);
    if (progress == CUT)
        return HTTP_STEP_FAILED;
    if (progress == STARVED)
        return overloaded(batch);
    tell_progress(batch);
    return HTTP_STEP_MORE;
}

static enum http_step step(struct http_request *req, struct http_response *res, void *state)
{
    struct batch *batch = state;
    batch->req = req;
    batch->res = res;
    for (bool worked = false;;) {
        switch (flush(batch)) {
        case GOES_ON:
            break;
        case STEP_OVER:
            return give_way(batch);
        case STARVED:
        case CUT:
            return overloaded(batch);
        }
        if (batch->closed)
            return HTTP_STEP_END;
        // What gives no bytes, such as documents that fail in a ZIP, gives way to others as well.
        if (worked && http_step_should_end(req, 0))
            return give_way(batch);
        worked = true;
        bool done;
        enum http_step first = go_on_with_first(batch, &done);
        if (first != HTTP_STEP_MORE)
            return first;
        if (done)
            continue;
        if (!batch_read(batch) || !hold(batch))
            return overloaded(batch);
        if (batch->count > 0)
            batch_draw(batch);
        else if (!batch->input_ended && waits_for_input(batch))
            return HTTP_STEP_MORE;
    }
}

static void end(void *state)
{
    struct batch *batch = state;
    for (uint32_t i = 0; i < batch->count; i++)
        batch_document_free(batch_at(batch, i));
    for (uint32_t i = 0; i < BATCH_LABELS; i++)
        label_part_free(&batch->labels[i]);
    pl_zip_reader_fini(&batch->zip);
    pl_id_set_free(&batch->ids);
    batch_answer_free(&batch->answer);
    free(batch);
}

int api_batch(struct http_request *req, struct http_response *res)
{
    static const struct http_steps steps = {step, end};
    struct batch_query asked = {0};
    struct problem problem;
    struct platen_error err = {0};
    if (!read_query(req, &asked, &problem)) {
        problem_answer(&problem, res);
        return http_status(res);
    }
    struct batch *batch = calloc(1, sizeof *batch);
    struct controls *query = pl_arena_copy(req->arena, &asked.query, sizeof asked.query);
    if (!batch || !query) {
        free(batch);
        return http_problem_overloaded(res);
    }
    batch->req = req;
    batch->res = res;
    batch->query = query;
    batch->stops = asked.stops;
    batch->has_layout = controls_layout(&query->values, &batch->layout);
    batch->limit = http_server_max_body(req->server);
    batch->told_ns = pl_now_ns();
    for (uint32_t i = 0; i < BATCH_LABELS; i++)
        label_part_init(&batch->labels[i]);
    if (batch_answer_init(&batch->answer, asked.kind, batch->has_layout ? &batch->layout : NULL, &err) != PLATEN_OK) {
        end(batch);
        return http_problem_overloaded(res);
    }
    batch->answer.counts.began_ns = batch->told_ns;
    if (!batch_input_init(batch)) {
        end(batch);
        return http_status(res);
    }
    return http_steps(res, &steps, batch);
}
