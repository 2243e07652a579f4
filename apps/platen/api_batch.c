// Answers that hold all labels, in steps: what is drawn is sent while the next labels are drawn.
#include "api_batch.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "batch.h"

static enum http_step fail(struct batch *batch, const struct platen_error *err)
{
    api_note_failure(&batch->call, err);
    if (!http_started(batch->call.res))
        api_problem(&batch->call, err);
    return HTTP_STEP_FAILED;
}

static enum http_step overloaded(struct batch *batch)
{
    if (!http_started(batch->call.res))
        http_problem_overloaded(batch->call.res);
    return HTTP_STEP_FAILED;
}

// ---- findings

// What is known by now: of the request, of the input as a whole or of labels that are not in the answer, of each label
// written, and what parsing found in the others.
static void collect_warnings(const struct batch *batch, struct warning_header *header)
{
    const struct findings *findings = &batch->summary.findings;
    pl_buf_init(&header->text, 16384);
    warning_header_add_unknown(header, &batch->call.controls);
    if (!batch->call.warn)
        return;
    header->count += findings->dropped;
    for (uint32_t i = 0; i < findings->count; i++) {
        if (pl_description_outside(&batch->result, &findings->items[i]))
            warning_header_add(header, &findings->items[i]);
    }
    warning_header_join(header, &batch->found);
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct platen_diagnostic *d = &findings->items[i];
        if (!pl_description_outside(&batch->result, d) && (uint32_t)d->label - batch->result.first >= batch->noted)
            warning_header_add(header, d);
    }
}

static void set_headers(struct batch *batch)
{
    struct warning_header warnings = {0};
    collect_warnings(batch, &warnings);
    api_set_headers(&batch->call, batch->summary.pages, &warnings);
    pl_buf_fini(&warnings.text);
}

// Strict: findings are a 400 that lists them.
static void refuse_warnings(struct batch *batch, uint32_t warnings)
{
    struct http_response *res = batch->call.res;
    pl_buf_clear(&batch->text);
    pl_buf_append_byte(&batch->text, ',');
    struct unknown_controls unknown;
    unknown_controls_make(&unknown, &batch->call.controls);
    pl_description_warnings(&batch->result, unknown.items, unknown.count, &batch->text);
    http_problem(res, 400, "warnings", "'strict' is set and there %s %u warning%s.", warnings == 1 ? "is" : "are",
                 warnings, warnings == 1 ? "" : "s");
    if (!batch->text.failed)
        http_problem_members(res, pl_buf_slice(&batch->text));
}

// Strict: looks at all labels before the first is written. HTTP_STEP_MORE: there are more of them, or all are well.
static enum http_step check(struct batch *batch)
{
    const struct platen_error *why;
    for (; batch->next < batch->result.count; batch->next++) {
        struct batch_part *part = batch_part(batch, batch->next);
        if (part->state == BATCH_PART_NONE) {
            if (batch->next > 0 && batch_step_over(batch))
                return HTTP_STEP_MORE;
            if (!batch_draw(batch, &why))
                return fail(batch, why);
        }
        batch_note(batch);
        if (part->state == BATCH_PART_CHECKED)
            batch_drop(batch, part);
    }
    struct warning_header warnings = {0};
    collect_warnings(batch, &warnings);
    pl_buf_fini(&warnings.text);
    if (warnings.count > 0) {
        refuse_warnings(batch, warnings.count);
        return HTTP_STEP_END;
    }
    batch->checking = false;
    batch->next = batch->noted = 0;
    pl_description_forget(&batch->result); // those of severity "info", which come again
    return HTTP_STEP_MORE;
}

// ---- steps

// Has the label code understood, with the first label drawn, and finds out which labels are wanted.
static enum http_step begin(struct batch *batch)
{
    struct render_call *call = &batch->call;
    bool one = call->single_page || output_is_picture(call->controls.format);
    struct label_part first;
    struct render_ask ask;
    api_ask(call, &ask);
    ask.draws = !call->controls.strict; // a check may want no more than the findings
    ask.by_page = one;
    ask.label = one ? (uint32_t)PL_MIN(call->controls.page, (uint64_t)UINT32_MAX) : 0;
    label_part_init(&first);
    if (!api_open(call, &ask, &batch->summary, &first)) {
        label_part_free(&first);
        return HTTP_STEP_END;
    }
    batch->opening_ns = PL_MIN(batch->summary.opening_ns, pl_now_ns() - batch->step_ns);
    batch->checking = call->controls.strict;
    batch->result.findings = batch->summary.findings.items;
    batch->result.finding_count = batch->summary.findings.count;
    batch->result.count = batch->summary.labels;
    if (one) {
        batch->result.first =
            summary_label_of_page(&batch->summary, (uint32_t)call->controls.page, call->controls.collapse);
        batch->result.count = 1;
    }
    batch->window = PL_MIN(batch->result.count, BATCH_WINDOW);
    batch->parts = calloc(batch->window, sizeof batch->parts[0]);
    if (!batch->parts) {
        label_part_free(&first);
        return overloaded(batch);
    }
    for (uint32_t i = 0; i < batch->window; i++)
        label_part_init(&batch->parts[i].part);
    batch->parts[0].part = first; // an empty one so far
    if (ask.draws)
        batch_keep(batch, &batch->parts[0]);
    return HTTP_STEP_MORE;
}

static enum http_step go_on(struct batch *batch)
{
    struct platen_error err = {0};
    const struct platen_error *why;
    for (;;) {
        switch (batch_write(batch, &err)) {
        case BATCH_DONE:
            if (!http_started(batch->call.res))
                set_headers(batch);
            return HTTP_STEP_END;
        case BATCH_STEP_OVER:
            return HTTP_STEP_MORE;
        case BATCH_STARVED:
            return overloaded(batch);
        case BATCH_FAILED:
            return fail(batch, &err);
        case BATCH_GOES_ON:
        case BATCH_NEEDS_LABEL:
            break;
        }
        // One label is drawn in the first step whatever time it was: most answers have no more.
        if (batch->next > 0 && batch_step_over(batch))
            return HTTP_STEP_MORE;
        if (!batch_draw(batch, &why))
            return fail(batch, why);
    }
}

// What the batch keeps until its next step counts in the server's budget.
static bool hold(struct batch *batch)
{
    size_t kept = sizeof *batch + batch->window * sizeof batch->parts[0] + batch->summary.bytes +
                  atomic_load(&batch->ahead) + batch->text.cap + batch->result.warnings.cap + batch->pdf_bytes.capacity;
    if (kept <= batch->held)
        return true;
    if (!http_hold(batch->call.req, kept - batch->held))
        return false;
    batch->held = kept;
    return true;
}

// A step is over. HTTP_STEP_MORE: the next one may come, or must follow at once (batch->stays).
static enum http_step pause(struct batch *batch)
{
    struct http_response *res = batch->call.res;
    bool starts = !http_started(res) && http_written(res) > BATCH_WHOLE;
    // Waiting before the start is a courtesy to others.
    bool courtesy = !starts && !http_started(res);
    batch->stays = courtesy && !hold(batch);
    if (!courtesy && !hold(batch))
        return overloaded(batch);
    if (starts) {
        set_headers(batch);
        http_start(res, 200);
    }
    return HTTP_STEP_MORE;
}

static enum http_step work(struct batch *batch)
{
    enum http_step result = HTTP_STEP_MORE;
    if (batch->checking)
        result = check(batch);
    if (result == HTTP_STEP_MORE && !batch->checking)
        result = go_on(batch);
    return result == HTTP_STEP_MORE ? pause(batch) : result;
}

static enum http_step step(struct http_request *req, struct http_response *res, void *state)
{
    struct batch *batch = state;
    uint64_t began = pl_now_ns();
    enum http_step result = HTTP_STEP_MORE;
    batch->call.req = req;
    batch->call.res = res;
    batch->step_ns = began;
    if (!batch->summary.memory)
        result = begin(batch);
    if (result == HTTP_STEP_MORE)
        result = work(batch);
    while (result == HTTP_STEP_MORE && batch->stays)
        result = work(batch);
    batch->worked_ns += pl_now_ns() - began;
    if (result == HTTP_STEP_END && batch->closed)
        api_count(&batch->call, batch->summary.pages, batch->worked_ns);
    return result;
}

static void end(void *state)
{
    struct batch *batch = state;
    platen_pdf_free(batch->pdf);
    platen_buffer_free(&batch->pdf_bytes);
    for (uint32_t i = 0; batch->parts && i < batch->window; i++)
        label_part_free(&batch->parts[i].part);
    free(batch->parts);
    pl_buf_fini(&batch->result.warnings);
    pl_buf_fini(&batch->found.text);
    pl_buf_fini(&batch->text);
    summary_free(&batch->summary);
    free(batch);
}

int api_answer_batch(const struct render_call *call)
{
    static const struct http_steps steps = {step, end};
    struct batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return http_problem_overloaded(call->res);
    batch->call = *call;
    pl_buf_init(&batch->text, SIZE_MAX / 2);
    pl_buf_init(&batch->result.warnings, BATCH_WARNINGS);
    pl_buf_init(&batch->found.text, 16384);
    return http_steps(call->res, &steps, batch);
}
