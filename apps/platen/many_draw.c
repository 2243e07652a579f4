// Drawing the documents of a batch: the first label of each, several documents at once, and then the other labels of
// the one that is written, several at once. So the memory is bounded whatever a document holds.
#include <stdlib.h>
#include <time.h>

#include "api_batch.h"
#include "base/ckd.h"
#include "many.h"

// The time that one document has, counted from the moment at which it is asked for.
static struct pl_job job_of(const struct many *many)
{
    const struct service *service = many->req->app;
    return (struct pl_job){.cancelled = many->req->job.cancelled,
                           .deadline_ns = pl_now_ns() + service->render_ms * 1000000u};
}

static void fail(struct many *many, struct many_document *d, const struct platen_error *err)
{
    struct service *service = many->req->app;
    d->failed = true;
    api_problem_of(err, many->req->id, &d->problem);
    if (err->status == RENDER_E_KILLED || err->status == RENDER_E_DIED)
        repeat_guard_note(&service->repeats, many->req->client, d->call.zpl, pl_now_ns());
}

static enum platen_status ask_for(struct many *many, const struct many_document *d, void *worker,
                                  struct render_ask *ask, struct summary *summary, struct label_part *part, bool *drawn,
                                  struct platen_error *err)
{
    struct pl_job job = job_of(many);
    ask->deadline_ns = job.deadline_ns;
    return renderer_ask(worker, ask, d->call.zpl, &job, summary, part, drawn, err);
}

static bool begin(struct many *many, struct many_document *d)
{
    struct service *service = many->req->app;
    d->call.req = many->req;
    uint32_t wait_s = repeat_guard_wait_s(&service->repeats, many->req->client, d->call.zpl, pl_now_ns());
    if (wait_s > 0)
        return problem_set(&d->problem, 429, "render_failed_before",
                           "No renderer survived this label code from you before; it may be tried again in %u s.",
                           wait_s);
    d->call.number = atomic_fetch_add_explicit(&service->requests, 1, memory_order_relaxed) + 1;
    if (!controls_has(&d->call.controls, CONTROL_TIME))
        d->call.controls.time = (int64_t)time(NULL);
    if (many->answer.kind == MANY_PDF) {
        d->call.controls.format = OUTPUT_PDF;
        return true;
    }
    if (d->call.controls.format == OUTPUT_PDF || d->call.controls.format == OUTPUT_BASE64)
        return problem_set(&d->problem, 400, "unknown_format",
                           "The formats of a batch are png, jpeg, webp and json; 'answer=pdf' makes one PDF of it.");
    return true;
}

// Strict: what is found in any label is a problem before the first is written.
static bool is_clean(struct many *many, struct many_document *d, void *worker, struct platen_error *err)
{
    uint32_t warnings = d->first.found.count + d->summary.findings.dropped;
    for (uint32_t i = 0; i < d->summary.findings.count; i++)
        warnings += d->summary.findings.items[i].severity != PLATEN_INFO && d->summary.findings.items[i].label < 0;
    bool one = controls_has(&d->call.controls, CONTROL_PAGE);
    for (uint32_t i = 1; i < d->summary.labels && !one; i++) {
        struct label_part part;
        struct render_ask ask;
        bool drawn;
        api_ask(&d->call, &ask);
        ask.draws = ask.findings_only = true;
        ask.label = i;
        label_part_init(&part);
        enum platen_status status = ask_for(many, d, worker, &ask, NULL, &part, &drawn, err);
        warnings += part.found.count;
        label_part_free(&part);
        if (status != PLATEN_OK)
            return false;
    }
    *err = (struct platen_error){0};
    return warnings == 0 || problem_set(&d->problem, 400, "warnings", "'strict' is set and there %s %u warning%s.",
                                        warnings == 1 ? "is" : "are", warnings, warnings == 1 ? "" : "s");
}

// On any worker.
static void draw_document(struct many *many, struct many_document *d, void *worker)
{
    struct platen_error err = {0};
    struct render_ask ask;
    bool drawn = false, one = controls_has(&d->call.controls, CONTROL_PAGE);
    uint64_t began = pl_now_ns();
    d->failed = !begin(many, d);
    if (d->failed)
        return;
    api_ask(&d->call, &ask);
    ask.opens = ask.draws = true;
    ask.by_page = one;
    ask.label = one ? (uint32_t)PL_MIN(d->call.controls.page, (uint64_t)UINT32_MAX) : 0;
    if (ask_for(many, d, worker, &ask, &d->summary, &d->first, &drawn, &err) != PLATEN_OK) {
        fail(many, d, &err);
        return;
    }
    if (d->summary.pages == 0) {
        api_no_labels(&d->summary.findings, &d->problem);
        d->failed = true;
    } else if (one && d->call.controls.page >= d->summary.pages) {
        api_no_page(d->call.controls.page, d->summary.pages, &d->problem);
        d->failed = true;
    } else if (d->call.controls.fit_size && !api_take_size(&d->call, &d->summary)) {
        err = (struct platen_error){.status = PLATEN_E_BUG};
        fail(many, d, &err);
    } else if (d->call.controls.strict && !is_clean(many, d, worker, &err)) {
        if (err.status != PLATEN_OK)
            fail(many, d, &err);
        d->failed = true;
    }
    if (!d->failed)
        api_count(&d->call, d->summary.pages, pl_now_ns() - began);
    atomic_fetch_add_explicit(&many->ahead, label_part_bytes(&d->first) + d->summary.bytes, memory_order_relaxed);
}

static bool draw_one(void *worker, size_t index, void *context)
{
    struct many *many = context;
    struct many_document *d = many_at(many, (uint32_t)index);
    if (d->state == MANY_DRAWN)
        return true;
    if (index > 0 && atomic_load_explicit(&many->ahead, memory_order_relaxed) > MANY_AHEAD)
        return false;
    if (index > 0 && http_step_over(many->req, 0))
        return false;
    draw_document(many, d, worker);
    d->state = MANY_DRAWN;
    return true;
}

void many_draw(struct many *many)
{
    if (many->count > 0)
        http_fan_out(many->req, many->count, draw_one, many);
}

static bool draw_label(void *worker, size_t index, void *context)
{
    struct many *many = context;
    const struct many_document *d = many_at(many, 0);
    struct label_part *part = &many->labels[index];
    struct render_ask ask;
    bool drawn;
    if (index > 0 && atomic_load_explicit(&many->ahead, memory_order_relaxed) > MANY_AHEAD)
        return false;
    api_ask(&d->call, &ask);
    ask.draws = true;
    ask.label = many->labels_from + (uint32_t)index;
    if (ask_for(many, d, worker, &ask, NULL, part, &drawn, &part->err) != PLATEN_OK)
        return false;
    part->err.status = PLATEN_OK;
    atomic_fetch_add_explicit(&many->ahead, label_part_bytes(part), memory_order_relaxed);
    return true;
}

bool many_draw_labels(struct many *many)
{
    struct many_document *d = many_at(many, 0);
    uint32_t count = PL_MIN(MANY_LABELS, d->summary.labels - many->label);
    for (uint32_t i = 0; i < MANY_LABELS; i++) {
        label_part_free(&many->labels[i]);
        label_part_init(&many->labels[i]);
        many->labels[i].err.status = (enum platen_status) - 1; // not drawn
    }
    atomic_store_explicit(&many->ahead, 0, memory_order_relaxed); // of the others some; they are bounded as well
    many->labels_from = many->label;
    many->label_count = 0;
    http_fan_out(many->req, count, draw_label, many);
    while (many->label_count < count && many->labels[many->label_count].err.status == PLATEN_OK)
        many->label_count++;
    if (many->label_count > 0)
        return true;
    fail(many, d, &many->labels[0].err);
    return false;
}
