// Answers that hold all labels, in steps: what is drawn is sent while the next labels are drawn.
#include <stdlib.h>

#include "api_call.h"
#include "base/ckd.h"
#include "document_answer.h"

static enum http_step fail(struct document_answer *answer, const struct platen_error *err)
{
    api_note_failure(&answer->call, err);
    if (!http_started(answer->call.res))
        api_problem(&answer->call, err);
    return HTTP_STEP_FAILED;
}

static enum http_step overloaded(struct document_answer *answer)
{
    if (!http_started(answer->call.res))
        http_problem_overloaded(answer->call.res);
    return HTTP_STEP_FAILED;
}

// ---- findings

// What is known by now: of the request, of the input as a whole or of labels that are not in the answer, of each label
// written, and what parsing found in the others.
static void collect_warnings(const struct document_answer *answer, struct warning_header *header)
{
    const struct findings *findings = &answer->summary.findings;
    pl_buf_init(&header->text, 16384);
    warning_header_add_unknown(header, &answer->call.controls);
    if (!answer->call.warn)
        return;
    header->count += findings->dropped;
    for (uint32_t i = 0; i < findings->count; i++) {
        if (pl_description_outside(&answer->result, &findings->items[i]))
            warning_header_add(header, &findings->items[i]);
    }
    warning_header_join(header, &answer->found);
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct platen_diagnostic *d = &findings->items[i];
        if (!pl_description_outside(&answer->result, d) && (uint32_t)d->label - answer->result.first >= answer->noted)
            warning_header_add(header, d);
    }
}

static void set_headers(struct document_answer *answer)
{
    struct warning_header warnings = {0};
    collect_warnings(answer, &warnings);
    api_set_headers(&answer->call, answer->summary.pages, &warnings);
    pl_buf_fini(&warnings.text);
}

// Strict: findings are a 400 that lists them.
static void refuse_warnings(struct document_answer *answer, uint32_t warnings)
{
    struct http_response *res = answer->call.res;
    pl_buf_clear(&answer->text);
    pl_buf_append_byte(&answer->text, ',');
    struct unknown_controls unknown;
    unknown_controls_make(&unknown, &answer->call.controls);
    pl_description_warnings(&answer->result, unknown.items, unknown.count, &answer->text);
    http_problem(res, 400, "warnings", "'strict' is set and there %s %u warning%s.", warnings == 1 ? "is" : "are",
                 warnings, warnings == 1 ? "" : "s");
    if (!answer->text.failed)
        http_problem_members(res, pl_buf_slice(&answer->text));
}

// Strict: looks at all labels before the first is written. HTTP_STEP_MORE: there are more of them, or all are well.
static enum http_step check(struct document_answer *answer)
{
    const struct platen_error *why;
    for (; answer->next < answer->result.count; answer->next++) {
        struct document_part *part = document_part(answer, answer->next);
        if (part->state == DOCUMENT_PART_NONE) {
            if (answer->next > 0 && document_step_over(answer))
                return HTTP_STEP_MORE;
            if (!document_draw(answer, &why))
                return fail(answer, why);
        }
        document_note(answer);
        if (part->state == DOCUMENT_PART_CHECKED)
            document_drop(answer, part);
    }
    struct warning_header warnings = {0};
    collect_warnings(answer, &warnings);
    pl_buf_fini(&warnings.text);
    if (warnings.count > warnings.obeyed) {
        refuse_warnings(answer, warnings.count);
        return HTTP_STEP_END;
    }
    answer->checking = false;
    answer->next = answer->noted = 0;
    pl_description_forget(&answer->result); // those of severity "info", which come again
    return HTTP_STEP_MORE;
}

// ---- steps

// Has the label code understood, with the first label drawn, and finds out which labels are wanted.
static enum http_step begin(struct document_answer *answer)
{
    struct render_call *call = &answer->call;
    bool one = call->single_page || output_is_picture(call->controls.format);
    struct label_part first;
    struct render_ask ask;
    api_ask(call, RENDER_LABELS, &ask);
    if (call->controls.strict)
        ask.labels.content = LABEL_NOTHING; // a check may want no more than the findings
    ask.labels.by_page = one;
    ask.labels.label = one ? (uint32_t)PL_MIN(call->controls.page, (uint64_t)UINT32_MAX) : 0;
    label_part_init(&first);
    if (!api_open(call, &ask, &answer->summary, &first)) {
        label_part_free(&first);
        return HTTP_STEP_END;
    }
    answer->opening_ns = PL_MIN(answer->summary.opening_ns, pl_now_ns() - answer->step_ns);
    answer->checking = call->controls.strict;
    answer->result.findings = answer->summary.findings.items;
    answer->result.fixes = answer->summary.findings.fixes;
    answer->result.finding_count = answer->summary.findings.count;
    answer->result.count = answer->summary.labels;
    if (one) {
        answer->result.first = summary_label_of_page(&answer->summary, (uint32_t)call->controls.page,
                                                     call->controls.copies == COPIES_COLLAPSE);
        answer->result.count = 1;
    }
    answer->window = PL_MIN(answer->result.count, DOCUMENT_WINDOW);
    answer->parts = calloc(answer->window, sizeof answer->parts[0]);
    if (!answer->parts) {
        label_part_free(&first);
        return overloaded(answer);
    }
    for (uint32_t i = 0; i < answer->window; i++)
        label_part_init(&answer->parts[i].part);
    answer->parts[0].part = first; // an empty one so far
    if (!call->controls.strict)
        document_keep(answer, &answer->parts[0]);
    return HTTP_STEP_MORE;
}

static enum http_step go_on(struct document_answer *answer)
{
    struct platen_error err = {0};
    const struct platen_error *why;
    for (;;) {
        switch (document_write(answer, &err)) {
        case DOCUMENT_DONE:
            if (!http_started(answer->call.res))
                set_headers(answer);
            return HTTP_STEP_END;
        case DOCUMENT_STEP_OVER:
            return HTTP_STEP_MORE;
        case DOCUMENT_STARVED:
            return overloaded(answer);
        case DOCUMENT_FAILED:
            return fail(answer, &err);
        case DOCUMENT_GOES_ON:
        case DOCUMENT_NEEDS_LABEL:
            break;
        }
        // One label is drawn in the first step whatever time it was: most answers have no more.
        if (answer->next > 0 && document_step_over(answer))
            return HTTP_STEP_MORE;
        if (!document_draw(answer, &why))
            return fail(answer, why);
    }
}

// What the answer keeps until its next step counts in the server's budget.
static bool hold(struct document_answer *answer)
{
    size_t kept = sizeof *answer + answer->window * sizeof answer->parts[0] + answer->summary.bytes +
                  atomic_load(&answer->ahead) + answer->text.cap + answer->result.warnings.cap +
                  answer->pdf_bytes.capacity;
    if (kept <= answer->held)
        return true;
    if (!http_hold(answer->call.req, kept - answer->held))
        return false;
    answer->held = kept;
    return true;
}

// A step is over. HTTP_STEP_MORE: the next one may come, or must follow at once (answer->stays).
static enum http_step pause(struct document_answer *answer)
{
    struct http_response *res = answer->call.res;
    bool starts = !http_started(res) && http_written(res) > DOCUMENT_WHOLE;
    // Waiting before the start is a courtesy to others.
    bool courtesy = !starts && !http_started(res);
    answer->stays = courtesy && !hold(answer);
    if (!courtesy && !hold(answer))
        return overloaded(answer);
    if (starts) {
        set_headers(answer);
        http_start(res, 200);
    }
    return HTTP_STEP_MORE;
}

static enum http_step work(struct document_answer *answer)
{
    enum http_step result = HTTP_STEP_MORE;
    if (answer->checking)
        result = check(answer);
    if (result == HTTP_STEP_MORE && !answer->checking)
        result = go_on(answer);
    return result == HTTP_STEP_MORE ? pause(answer) : result;
}

static enum http_step step(struct http_request *req, struct http_response *res, void *state)
{
    struct document_answer *answer = state;
    uint64_t began = pl_now_ns();
    enum http_step result = HTTP_STEP_MORE;
    answer->call.req = req;
    answer->call.res = res;
    answer->step_ns = began;
    if (!answer->summary.memory)
        result = begin(answer);
    if (result == HTTP_STEP_MORE)
        result = work(answer);
    while (result == HTTP_STEP_MORE && answer->stays)
        result = work(answer);
    answer->worked_ns += pl_now_ns() - began;
    if (result == HTTP_STEP_END && answer->closed)
        api_count(&answer->call, answer->summary.pages, answer->worked_ns);
    return result;
}

static void end(void *state)
{
    struct document_answer *answer = state;
    platen_pdf_free(answer->pdf);
    platen_buffer_free(&answer->pdf_bytes);
    for (uint32_t i = 0; answer->parts && i < answer->window; i++)
        label_part_free(&answer->parts[i].part);
    free(answer->parts);
    pl_buf_fini(&answer->result.warnings);
    pl_buf_fini(&answer->found.text);
    pl_buf_fini(&answer->text);
    summary_free(&answer->summary);
    free(answer);
}

int api_answer_document(const struct render_call *call)
{
    static const struct http_steps steps = {step, end};
    struct document_answer *answer = calloc(1, sizeof *answer);
    if (!answer)
        return http_problem_overloaded(call->res);
    answer->call = *call;
    pl_buf_init(&answer->text, SIZE_MAX / 2);
    pl_buf_init(&answer->result.warnings, DOCUMENT_WARNINGS);
    pl_buf_init(&answer->found.text, 16384);
    return http_steps(call->res, &steps, answer);
}
