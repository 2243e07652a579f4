// POST /api/batch: any number of documents in, their labels out, while they come.
#include <stdio.h>
#include <stdlib.h>

#include "api_batch.h"
#include "base/ckd.h"
#include "many.h"

#define PIECE_BYTES ((size_t)32 << 10)
#define PROGRESS_NS 1000000000u

// ---- the request

struct wishes {
    enum many_kind kind;
    bool stops;
    struct controls query;
};

static bool read_query(struct http_request *req, struct wishes *wishes, struct problem *problem)
{
    bool named = false, stop_named = false;
    controls_init(&wishes->query);
    for (size_t i = 0; i < req->query_count; i++) {
        struct pl_slice name = req->query[i].name, value = req->query[i].value;
        if (pl_slice_eq_cstr(name, "answer")) {
            named = true;
            if (!many_kind_by_name(value, &wishes->kind))
                return problem_set(problem, 400, "invalid_parameter", "'answer' must be " MANY_KIND_LIST ".");
        } else if (pl_slice_eq_cstr(name, "errors")) {
            stop_named = true;
            wishes->stops = pl_slice_eq_cstr(value, "stop");
            if (!wishes->stops && !pl_slice_eq_cstr(value, "skip"))
                return problem_set(problem, 400, "invalid_parameter", "'errors' must be skip or stop.");
        } else {
            struct control_value v = {.text = value, .type = PL_JSON_STRING};
            if (!controls_set(&wishes->query, name, v, problem))
                return false;
        }
    }
    if (!named) {
        const char *types[MANY_KINDS];
        for (int i = 0; i < MANY_KINDS; i++)
            types[i] = many_kind_mime((enum many_kind)i);
        wishes->kind =
            http_accept_anything(req) ? MANY_NDJSON : (enum many_kind)http_accept_choose(req, types, MANY_KINDS);
    }
    const char *of_pdf = controls_of_pdf(&wishes->query);
    if (of_pdf && wishes->kind != MANY_PDF)
        return problem_set(problem, 400, "invalid_parameter", "'%s' is of a PDF's pages: it needs 'answer=pdf'.",
                           of_pdf);
    // A PDF has no place for what went wrong.
    if (!stop_named)
        wishes->stops = wishes->kind == MANY_PDF;
    return true;
}

// ---- writing

enum progress { GOES_ON, STEP_OVER, STARVED, CUT };

static void set_head(struct many *many)
{
    static const char *const NAMES[MANY_KINDS] = {
        [MANY_NDJSON] = "inline; filename=\"labels.ndjson\"",
        [MANY_MULTIPART] = "inline",
        [MANY_ZIP] = "attachment; filename=\"labels.zip\"",
        [MANY_PDF] = "inline; filename=\"labels.pdf\"",
    };
    struct http_response *res = many->res;
    const char *type = many_kind_mime(many->answer.kind);
    if (many->answer.kind == MANY_MULTIPART) {
        char text[96];
        int len = snprintf(text, sizeof text, "multipart/mixed; boundary=%s", many->answer.boundary);
        char *copy = pl_arena_copy(many->req->arena, text, (size_t)len + 1);
        type = copy ? copy : type;
    }
    http_set_type(res, type);
    http_set_header_cstr(res, "Content-Disposition", NAMES[many->answer.kind]);
    http_set_header_cstr(res, "X-Accel-Buffering", "no"); // nginx passes it on as it comes
    http_start(res, 200);
}

// Sends what is written.
static enum progress flush(struct many *many)
{
    struct pl_buf *out = &many->answer.out;
    if (out->failed)
        return STARVED;
    while (many->sent < out->len) {
        size_t n = PL_MIN(out->len - many->sent, PIECE_BYTES);
        if (!http_started(many->res))
            set_head(many);
        if (http_step_over(many->req, 0) && http_written(many->res) > 0)
            return STEP_OVER;
        if (!http_write(many->res, out->data + many->sent, n))
            return STARVED;
        many->sent += n;
    }
    many->sent = 0;
    // The room of one large label is not kept for small ones.
    if (out->cap > (size_t)1 << 20)
        pl_buf_fini(out);
    pl_buf_clear(out);
    return GOES_ON;
}

static struct many_label describe(const struct many_document *d, const struct label_part *part, uint32_t index)
{
    const struct controls *c = &d->call.controls;
    bool one = controls_has(c, CONTROL_PAGE);
    uint32_t label = one ? summary_label_of_page(&d->summary, (uint32_t)c->page, c->collapse) : index;
    uint32_t copies = one ? 1 : d->summary.copies[label];
    return (struct many_label){.id = d->id,
                               .index = one ? (uint32_t)c->page : index,
                               .count = one ? d->summary.pages : d->summary.labels,
                               .copies = copies,
                               .pages = c->collapse ? 1 : copies,
                               .format = c->format,
                               .file = pl_slice_make(part->file.data, part->file.size),
                               .members = pl_buf_slice(&part->members),
                               .warnings = pl_buf_slice(&part->warnings),
                               .part = &part->file,
                               .unknown = c->unknown,
                               .unknown_count = c->unknown_count};
}

static void next_document(struct many *many)
{
    struct many_document *d = many_at(many, 0);
    size_t drawn = d->state == MANY_DRAWN ? label_part_bytes(&d->first) + d->summary.bytes : 0;
    size_t ahead = atomic_load_explicit(&many->ahead, memory_order_relaxed);
    atomic_store_explicit(&many->ahead, ahead - PL_MIN(ahead, drawn), memory_order_relaxed);
    many->code_bytes -= d->bytes;
    many_document_free(d);
    many->first = (many->first + 1) % MANY_WINDOW;
    many->count--;
    many->label = many->labels_from = many->label_count = 0;
    many->answer.counts.documents++;
}

// Do the labels of this document fit on the pages of the PDF? If not, its problem says why.
static void check_layout(const struct many *many, struct many_document *d)
{
    struct platen_pdf_layout layout = many->layout;
    struct platen_error err;
    if (many->answer.counts.labels > 0)
        layout.first = 0; // of the first page alone
    d->failed = !api_layout_fits(&d->call.controls, &layout, &err);
    if (d->failed)
        api_problem_of(&err, many->req->id, &d->problem);
}

// The next piece of the first document, which is drawn.
static enum progress write_document(struct many *many)
{
    struct many_document *d = many_at(many, 0);
    const struct controls *c = &d->call.controls;
    struct platen_error err = {0};
    if (many->has_layout && !d->failed && many->label == 0)
        check_layout(many, d);
    uint32_t count = d->failed ? 0 : controls_has(c, CONTROL_PAGE) ? 1 : d->summary.labels;
    if (!d->failed && many->label == count) {
        next_document(many);
        return GOES_ON;
    }
    const struct label_part *part = &d->first;
    if (!d->failed && many->label > 0) {
        if (many->label >= many->labels_from + many->label_count)
            (void)many_draw_labels(many);
        part = &many->labels[many->label - many->labels_from];
    }
    if (!d->failed) {
        struct many_label label = describe(d, part, many->label);
        enum platen_status status = many_put_label(&many->answer, &label, &err);
        if (status == PLATEN_E_MEMORY)
            return STARVED;
        if (status == PLATEN_OK) {
            many->label++;
            return GOES_ON;
        }
        // No renderer that is well makes such a part.
        d->failed = true;
        problem_set(&d->problem, 500, "render_failed", "A label of this document could not be put into the answer.");
    }
    if (many->stops) {
        if (http_started(many->res))
            return CUT;
        http_problem(many->res, d->problem.status, d->problem.code, "Document '%.*s': %s",
                     (int)PL_MIN(d->id.len, (size_t)100), (const char *)d->id.ptr, d->problem.message);
        return CUT;
    }
    many_put_problem(&many->answer, d->id, &d->problem);
    next_document(many);
    return GOES_ON;
}

// ---- steps

static bool hold(struct many *many)
{
    size_t kept = sizeof *many + many->code_bytes + atomic_load_explicit(&many->ahead, memory_order_relaxed) +
                  pl_id_set_bytes(&many->ids) + many->zip.data.cap + many_answer_held(&many->answer);
    if (kept <= many->held)
        return true;
    if (!http_hold(many->req, kept - many->held))
        return false;
    many->held = kept;
    return true;
}

static enum http_step overloaded(struct many *many)
{
    if (!http_started(many->res))
        http_problem_overloaded(many->res);
    return HTTP_STEP_FAILED;
}

// All documents are written. HTTP_STEP_MORE: the end is written and must be sent.
static enum http_step finish(struct many *many)
{
    struct platen_error err = {0};
    const struct controls *query = many->query;
    if (many->input_bad) {
        if (!http_started(many->res)) {
            problem_answer(&many->input_problem, many->res);
            return HTTP_STEP_END;
        }
        if (many->stops || many->answer.kind == MANY_PDF)
            return HTTP_STEP_FAILED;
        many_put_problem(&many->answer, pl_slice_make("", 0), &many->input_problem);
    } else if (many->number == 0) {
        http_problem(many->res, 400, "no_documents", "There is no document in the body.");
        return HTTP_STEP_END;
    }
    http_log_number(many->req, "documents", many->answer.counts.documents);
    http_log_number(many->req, "labels", many->answer.counts.pages);
    enum platen_status status =
        many_put_summary(&many->answer, pl_now_ns(), query->unknown, query->unknown_count, &err);
    if (status == PLATEN_E_INVALID && !http_started(many->res)) {
        http_problem(many->res, 400, "no_labels", "None of the documents gave a label.");
        return HTTP_STEP_END;
    }
    many->closed = true;
    return status == PLATEN_OK ? HTTP_STEP_MORE : overloaded(many);
}

static void tell_progress(struct many *many)
{
    uint64_t now = pl_now_ns();
    if (now - many->told_ns < PROGRESS_NS)
        return;
    many->told_ns = now;
    many_put_progress(&many->answer, now);
}

static enum http_step step(struct http_request *req, struct http_response *res, void *state)
{
    struct many *many = state;
    many->req = req;
    many->res = res;
    for (bool worked = false;;) {
        switch (flush(many)) {
        case GOES_ON:
            break;
        case STEP_OVER:
            return hold(many) ? HTTP_STEP_MORE : overloaded(many);
        case STARVED:
        case CUT:
            return overloaded(many);
        }
        if (many->closed)
            return HTTP_STEP_END;
        // What gives no bytes, such as documents that fail in a ZIP, gives way to others as well.
        if (worked && http_step_over(req, 0))
            return hold(many) ? HTTP_STEP_MORE : overloaded(many);
        worked = true;
        if (many->count > 0 && many_at(many, 0)->state == MANY_CHECKING) {
            many_check_labels(many);
            continue;
        }
        if (many->count > 0 && many_at(many, 0)->state == MANY_DRAWN) {
            enum progress progress = write_document(many);
            if (progress == CUT)
                return HTTP_STEP_FAILED;
            if (progress == STARVED)
                return overloaded(many);
            tell_progress(many);
            continue;
        }
        if (!many_read(many) || !hold(many))
            return overloaded(many);
        if (many->count > 0) {
            many_draw(many);
            continue;
        }
        if (many->input_ended) {
            enum http_step result = finish(many);
            if (result != HTTP_STEP_MORE)
                return result;
            continue;
        }
        if (many->reading_paused)
            return HTTP_STEP_MORE;
        if (http_body_wait(req))
            return HTTP_STEP_MORE;
        many->input_ended = many->input_bad = true;
        problem_set(&many->input_problem, 413, "document_too_large",
                    "A document is larger than the %zu bytes that one may have.", many->limit);
    }
}

static void end(void *state)
{
    struct many *many = state;
    for (uint32_t i = 0; i < many->count; i++)
        many_document_free(many_at(many, i));
    for (uint32_t i = 0; i < MANY_LABELS; i++)
        label_part_free(&many->labels[i]);
    pl_zip_reader_fini(&many->zip);
    pl_id_set_free(&many->ids);
    many_answer_free(&many->answer);
    free(many);
}

int api_many(struct http_request *req, struct http_response *res)
{
    static const struct http_steps steps = {step, end};
    struct wishes wishes = {0};
    struct problem problem;
    struct platen_error err = {0};
    if (!read_query(req, &wishes, &problem)) {
        problem_answer(&problem, res);
        return http_status(res);
    }
    struct many *many = calloc(1, sizeof *many);
    struct controls *query = pl_arena_copy(req->arena, &wishes.query, sizeof wishes.query);
    if (!many || !query) {
        free(many);
        return http_problem_overloaded(res);
    }
    many->req = req;
    many->res = res;
    many->query = query;
    many->stops = wishes.stops;
    many->has_layout = controls_layout(query, &many->layout);
    many->limit = http_server_max_body(req->server);
    many->told_ns = pl_now_ns();
    for (uint32_t i = 0; i < MANY_LABELS; i++)
        label_part_init(&many->labels[i]);
    uint64_t seed = pl_now_ns() ^ (uint64_t)(uintptr_t)many * 0x9E3779B97F4A7C15u;
    if (many_answer_init(&many->answer, wishes.kind, seed, many->has_layout ? &many->layout : NULL, &err) !=
        PLATEN_OK) {
        end(many);
        return http_problem_overloaded(res);
    }
    many->answer.counts.began_ns = many->told_ns;
    if (!many_input_init(many)) {
        end(many);
        return http_status(res);
    }
    return http_steps(res, &steps, many);
}
