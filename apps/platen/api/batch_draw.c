// Drawing the documents of a batch: the first label of each, several documents at once, and then the other labels of
// the one that is written, several at once. So the memory is bounded whatever a document holds.
#include "api_call.h"
#include "base/ckd.h"
#include "batch.h"

// When the time that a document has is over. Only the time in which it is drawn counts: it may have to wait for the
// client, who reads slowly, and for the documents before it.
static uint64_t until(const struct batch *batch, const struct batch_document *d)
{
    const struct service *service = batch->req->app;
    uint64_t all_ns = service->render_ms * 1000000u;
    return pl_now_ns() + all_ns - PL_MIN(all_ns, d->used_ns);
}

static void fail(struct batch *batch, struct batch_document *d, const struct platen_error *err)
{
    struct service *service = batch->req->app;
    d->failed = true;
    api_problem_of(err, batch->req->id, &d->problem);
    if (err->status == RENDER_E_KILLED || err->status == RENDER_E_DIED)
        repeat_guard_note(&service->repeats, batch->req->client, d->call.zpl, pl_now_ns());
}

static enum platen_status ask_for(struct batch *batch, const struct batch_document *d, void *worker, uint64_t until_ns,
                                  const struct render_ask *ask, struct summary *summary, struct label_part *part,
                                  struct platen_error *err)
{
    struct pl_job job = {.cancelled = batch->req->job.cancelled, .deadline_ns = until_ns};
    return renderer_ask(worker, ask, d->call.zpl, &job, summary, part, err);
}

bool batch_takes_format(enum output format, struct problem *problem)
{
    if (format != OUTPUT_PDF && format != OUTPUT_BASE64)
        return true;
    return problem_set(problem, 400, "unknown_format",
                       "The formats of a batch are png, jpeg, webp and json; 'answer=pdf' makes one PDF of it.");
}

static bool begin(struct batch *batch, struct batch_document *d)
{
    d->call.req = batch->req;
    if (api_start(&d->call, &d->problem) > 0)
        return false;
    if (batch->answer.kind == BATCH_PDF) {
        d->call.controls.format = OUTPUT_PDF;
        return true;
    }
    return batch_takes_format(d->call.controls.format, &d->problem);
}

// Strict: what is found in any label is a problem before the first is written.
static void refuse_warnings(struct batch_document *d)
{
    d->state = BATCH_DRAWN;
    if (d->warnings > 0)
        d->failed = !problem_set(&d->problem, 400, "warnings", "'strict' is set and there %s %u warning%s.",
                                 d->warnings == 1 ? "is" : "are", d->warnings, d->warnings == 1 ? "" : "s");
}

static void begin_check(struct batch_document *d)
{
    const struct controls *c = &d->call.controls;
    bool one = controls_has(c, CONTROL_PAGE);
    uint32_t first = one ? summary_label_of_page(&d->summary, (uint32_t)c->page, c->copies == COPIES_COLLAPSE) : 0;
    d->warnings = d->first.found.count + c->unknown_count +
                  summary_warnings_outside(&d->summary, first, one ? 1 : d->summary.labels);
    d->checked = one ? d->summary.labels : 1;
    d->state = BATCH_CHECKING;
    if (d->checked == d->summary.labels)
        refuse_warnings(d);
}

// On any worker.
static void draw_document(struct batch *batch, struct batch_document *d, void *worker)
{
    struct platen_error err = {0};
    struct render_ask ask;
    bool one = controls_has(&d->call.controls, CONTROL_PAGE);
    uint64_t began = pl_now_ns();
    d->state = BATCH_DRAWN;
    d->failed = !begin(batch, d);
    if (d->failed)
        return;
    api_ask(&d->call, RENDER_LABELS, &ask);
    ask.opens = true;
    ask.labels.by_page = one;
    ask.labels.label = one ? (uint32_t)PL_MIN(d->call.controls.page, (uint64_t)UINT32_MAX) : 0;
    enum platen_status status = ask_for(batch, d, worker, until(batch, d), &ask, &d->summary, &d->first, &err);
    d->used_ns = pl_now_ns() - began;
    if (status != PLATEN_OK) {
        fail(batch, d, &err);
        return;
    }
    if (d->summary.pages == 0 || (one && d->call.controls.page >= d->summary.pages)) {
        api_no_page(d->call.controls.page, &d->summary, &d->problem);
        d->failed = true;
    } else if (!api_take_size(&d->call, &d->summary)) {
        err = (struct platen_error){.status = PLATEN_E_BUG};
        fail(batch, d, &err);
    } else if (d->call.controls.strict) {
        begin_check(d);
    }
    if (!d->failed)
        api_count(&d->call, d->summary.pages, d->used_ns);
    atomic_fetch_add_explicit(&batch->ahead, label_part_bytes(&d->first) + d->summary.bytes, memory_order_relaxed);
}

static bool draw_one(void *worker, size_t index, void *context)
{
    struct batch *batch = context;
    struct batch_document *d = batch_at(batch, (uint32_t)index);
    if (d->state != BATCH_READ)
        return true;
    if (index > 0 && atomic_load_explicit(&batch->ahead, memory_order_relaxed) > BATCH_AHEAD)
        return false;
    if (index > 0 && http_step_should_end(batch->req, 0))
        return false;
    draw_document(batch, d, worker);
    return true;
}

void batch_draw(struct batch *batch)
{
    if (batch->count > 0)
        http_fan_out(batch->req, batch->count, draw_one, batch);
}

// Labels of the first document, from `labels_from` on. A check wants only what is found in them.
static bool draw_label(void *worker, size_t index, void *context)
{
    struct batch *batch = context;
    const struct batch_document *d = batch_at(batch, 0);
    struct label_part *part = &batch->labels[index];
    struct render_ask ask;
    if (index > 0 && atomic_load_explicit(&batch->ahead, memory_order_relaxed) > BATCH_AHEAD)
        return false;
    if (index > 0 && http_step_should_end(batch->req, 0))
        return false;
    api_ask(&d->call, RENDER_LABELS, &ask);
    if (d->state == BATCH_CHECKING)
        ask.labels.content = LABEL_FINDINGS;
    ask.labels.label = batch->labels_from + (uint32_t)index;
    if (ask_for(batch, d, worker, batch->until_ns, &ask, NULL, part, &part->err) != PLATEN_OK)
        return false;
    part->err.status = PLATEN_OK;
    if (d->state != BATCH_CHECKING)
        atomic_fetch_add_explicit(&batch->ahead, label_part_bytes(part), memory_order_relaxed);
    return true;
}

#define NOT_DRAWN ((enum platen_status) - 1)

// Draws the labels from `from` on, some of them. False: the first of them could not be drawn.
static bool draw_from(struct batch *batch, uint32_t from)
{
    struct batch_document *d = batch_at(batch, 0);
    uint32_t count = PL_MIN(BATCH_LABELS, d->summary.labels - from);
    // Did the last call meet this label, and why could it not be drawn?
    struct platen_error known = {.status = NOT_DRAWN};
    if (batch->label_count > 0 && batch->label_count < BATCH_LABELS && batch->labels_from + batch->label_count == from)
        known = batch->labels[batch->label_count].err;
    for (uint32_t i = 0; i < BATCH_LABELS; i++) {
        label_part_free(&batch->labels[i]);
        label_part_init(&batch->labels[i]);
        batch->labels[i].err.status = NOT_DRAWN;
    }
    batch->labels_from = from;
    batch->label_count = 0;
    if (known.status == NOT_DRAWN) {
        uint64_t began = pl_now_ns();
        batch->until_ns = until(batch, d);
        http_fan_out(batch->req, count, draw_label, batch);
        d->used_ns += pl_now_ns() - began;
        known = batch->labels[0].err;
    }
    while (batch->label_count < count && batch->labels[batch->label_count].err.status == PLATEN_OK)
        batch->label_count++;
    if (batch->label_count > 0)
        return true;
    fail(batch, d, &known);
    return false;
}

void batch_check_labels(struct batch *batch)
{
    struct batch_document *d = batch_at(batch, 0);
    if (!draw_from(batch, d->checked)) {
        d->state = BATCH_DRAWN;
        return;
    }
    for (uint32_t i = 0; i < batch->label_count; i++)
        d->warnings += batch->labels[i].found.count;
    d->checked += batch->label_count;
    if (d->checked == d->summary.labels) {
        batch->labels_from = batch->label_count = 0; // only findings of them are there
        refuse_warnings(d);
    }
}

bool batch_draw_labels(struct batch *batch)
{
    atomic_store_explicit(&batch->ahead, 0, memory_order_relaxed); // of the others some; they are bounded as well
    return draw_from(batch, batch->label);
}
