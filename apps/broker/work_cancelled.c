// Jobs of batches that were cancelled are not drawn.
#include "work_lane.h"

// The submitter's place in the lane's list; one that was not asked about for long makes room. NULL: there is none.
static struct cancelled *place_of(struct lane *lane, uint64_t submitter)
{
    struct cancelled *oldest = NULL;
    for (uint32_t i = 0; i < LANE_SUBMITTERS; i++) {
        struct cancelled *c = &lane->submitters[i];
        if (c->asked_ns > 0 && c->submitter == submitter)
            return c;
        if (c->number == 0 && (!oldest || c->asked_ns < oldest->asked_ns))
            oldest = c;
    }
    if (oldest)
        *oldest = (struct cancelled){.submitter = submitter};
    return oldest;
}

enum pl_errc lane_look_at_submitter(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    struct pl_slice text;
    struct account_mark mark;
    if (atomic_load(&lane->work->cannot_ask) || !broker_header_of(&slot->job, HEADER_ROW, &text) ||
        !account_proven_read(text, &mark))
        return PL_OK;
    struct cancelled *c = place_of(lane, mark.submitter);
    if (!c)
        return PL_OK;
    slot->cancelled = c->is_so;
    return cancelled_ask(c, lane->broker, err);
}

bool lane_question_returned(struct lane *lane, const struct broker_message *message)
{
    bool was_one = false;
    for (uint32_t i = 0; i < LANE_SUBMITTERS; i++)
        was_one = cancelled_returned(&lane->submitters[i], message);
    return was_one;
}

void lane_question_confirmed(struct lane *lane, const struct broker_told *told, bool accepted)
{
    for (uint32_t i = 0; i < LANE_SUBMITTERS; i++)
        cancelled_confirmed(&lane->submitters[i], told, accepted);
}
