// Drawing the labels of a batch, by several renderers at once and some ahead of what is written.
#include "api_batch.h"
#include "base/ckd.h"
#include "batch.h"

void batch_keep(struct batch *batch, struct batch_part *part)
{
    part->state = BATCH_PART_DRAWN;
    atomic_fetch_add_explicit(&batch->ahead, label_part_bytes(&part->part), memory_order_relaxed);
}

void batch_drop(struct batch *batch, struct batch_part *part)
{
    if (part->state == BATCH_PART_DRAWN)
        atomic_fetch_sub_explicit(&batch->ahead, label_part_bytes(&part->part), memory_order_relaxed);
    label_part_free(&part->part);
    label_part_init(&part->part);
    part->state = BATCH_PART_NONE;
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
    const struct render_call *call = &batch->call;
    uint32_t label = batch->next + (uint32_t)index;
    struct batch_part *part = batch_part(batch, label);
    if (part->state == BATCH_PART_DRAWN || (batch->checking && part->state == BATCH_PART_CHECKED))
        return true;
    if (atomic_load_explicit(&batch->failed, memory_order_relaxed) || (index > 0 && enough_drawn(batch)))
        return false;
    struct render_ask ask;
    bool drawn = false;
    api_ask(call, &ask);
    ask.draws = true;
    ask.label = batch->result.first + label;
    ask.findings_only = findings_only(batch);
    enum platen_status status =
        renderer_ask(worker, &ask, call->zpl, &call->req->job, NULL, &part->part, &drawn, &part->part.err);
    if (status != PLATEN_OK) {
        atomic_store_explicit(&batch->failed, true, memory_order_relaxed);
        return false;
    }
    if (ask.findings_only)
        part->state = BATCH_PART_CHECKED;
    else
        batch_keep(batch, part);
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
