// Drawing the labels of one document's answer, by several renderers at once and some ahead of what is written.
#include "api_call.h"
#include "base/ckd.h"
#include "document_answer.h"

void document_keep(struct document_answer *answer, struct document_part *part)
{
    part->state = DOCUMENT_PART_DRAWN;
    atomic_fetch_add_explicit(&answer->ahead, label_part_bytes(&part->part), memory_order_relaxed);
}

void document_drop(struct document_answer *answer, struct document_part *part)
{
    if (part->state == DOCUMENT_PART_DRAWN)
        atomic_fetch_sub_explicit(&answer->ahead, label_part_bytes(&part->part), memory_order_relaxed);
    label_part_free(&part->part);
    label_part_init(&part->part);
    part->state = DOCUMENT_PART_NONE;
}

// What a check makes of a label besides its findings is kept only if there is room for all of them.
static bool findings_only(const struct document_answer *answer)
{
    return answer->checking && (answer->window < answer->result.count ||
                                atomic_load_explicit(&answer->ahead, memory_order_relaxed) > DOCUMENT_AHEAD);
}

static bool enough_drawn(const struct document_answer *answer)
{
    return (!answer->checking && atomic_load_explicit(&answer->ahead, memory_order_relaxed) > DOCUMENT_AHEAD) ||
           document_step_over(answer);
}

// Draws one label; runs on any worker. False: no more are to be begun.
static bool draw_part(void *worker, size_t index, void *context)
{
    struct document_answer *answer = context;
    const struct render_call *call = &answer->call;
    uint32_t label = answer->next + (uint32_t)index;
    struct document_part *part = document_part(answer, label);
    if (part->state == DOCUMENT_PART_DRAWN || (answer->checking && part->state == DOCUMENT_PART_CHECKED))
        return true;
    if (atomic_load_explicit(&answer->failed, memory_order_relaxed) || (index > 0 && enough_drawn(answer)))
        return false;
    struct render_ask ask;
    bool only = findings_only(answer);
    api_ask(call, RENDER_LABELS, &ask);
    ask.labels.label = answer->result.first + label;
    if (only)
        ask.labels.content = LABEL_FINDINGS;
    enum platen_status status =
        renderer_ask(worker, &ask, call->zpl, &call->req->job, NULL, &part->part, &part->part.err);
    if (status != PLATEN_OK) {
        atomic_store_explicit(&answer->failed, true, memory_order_relaxed);
        return false;
    }
    if (only)
        part->state = DOCUMENT_PART_CHECKED;
    else
        document_keep(answer, part);
    return true;
}

bool document_draw(struct document_answer *answer, const struct platen_error **why)
{
    uint32_t count = PL_MIN(answer->window, answer->result.count - answer->next);
    http_fan_out(answer->call.req, count, draw_part, answer);
    for (uint32_t i = 0; i < count; i++) {
        const struct label_part *part = &document_part(answer, answer->next + i)->part;
        if (part->err.status != PLATEN_OK) {
            *why = &part->err;
            return false;
        }
    }
    return true;
}
