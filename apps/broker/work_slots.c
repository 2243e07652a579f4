// The jobs that a lane holds.
#include <stdlib.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/limits.h"
#include "work_lane.h"

// Deliveries after which a job may be what ends its workers. It is rendered while the lane holds no ordinary ones, so
// that those do not share its fate. Of several, the one that was delivered least is rendered first: to give back the
// others would cost each a delivery for certain, and what ends its workers has the most.
#define SUSPECT_DELIVERIES 3u
#define TRIES_MOST ((uint64_t)1000) // of what a publisher may have written

static uint32_t turn_of(const struct lane *lane, uint32_t consumer)
{
    uint32_t turn = 0;
    if (consumer == lane->more.number)
        return lane->more_turn;
    while (turn < BROKER_TURNS - 1 && lane->first[turn].number != consumer)
        turn++;
    return turn;
}

static uint64_t deliveries_of(const struct broker_message *job)
{
    struct pl_slice text;
    uint64_t count = 0;
    // Of the first delivery it would be what the publisher has written.
    return job->redelivered && broker_header_of(job, DELIVERY_COUNT, &text) && pl_parse_u64(text, &count)
               ? count
               : job->redelivered;
}

static uint64_t tries_of(const struct broker_message *job)
{
    struct pl_slice text;
    uint64_t count = 0;
    return broker_header_of(job, HEADER_TRIES, &text) && pl_parse_u64(text, &count) ? PL_MIN(count, TRIES_MOST) : 0;
}

static bool is_known(const struct work *work, const struct broker_message *job)
{
    struct pl_slice text;
    struct account_mark mark = {0};
    if (broker_header_of(job, HEADER_ROW, &text) && !account_proven_read(text, &mark))
        mark = (struct account_mark){0};
    return job_key_proves(&work->key, &mark, job->id);
}

void slot_take(struct lane *lane, struct slot *slot, const struct broker_message *job)
{
    *slot = (struct slot){.state = SLOT_WAITING,
                          .job = *job,
                          .order = ++lane->arrivals,
                          .turn = turn_of(lane, job->consumer),
                          .deliveries = deliveries_of(job),
                          .tries = tries_of(job),
                          .came_ns = pl_now_ns(),
                          .is_group = job_is_group(job),
                          .row_count = 1};
    // One of its rows may be what ends its workers.
    slot->splits =
        slot->is_group && slot->deliveries >= PL_MIN(SUSPECT_DELIVERIES, (uint64_t)lane->work->deliveries_most);
    slot->malformed = slot->is_group && !group_usable(job->body, &slot->row_count);
    slot->is_strange = !slot->is_group && !is_known(lane->work, job); // of a group each row is looked at
    // Its memory goes at once.
    slot->oversized = job->body.len > PL_MIB(PL_LIMIT_INPUT_MIB) && broker_drop_body(&slot->job);
}

void slot_free(struct lane *lane, struct slot *slot)
{
    if (lane->pieces == slot)
        lane->pieces = NULL;
    if (slot->rest.type)
        work_result_free(&slot->rest);
    free(slot->job.memory);
    *slot = (struct slot){0};
}

struct slot *lane_free_slot(struct lane *lane)
{
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        if (lane->slots[i].state == SLOT_FREE)
            return &lane->slots[i];
    }
    return NULL;
}

static bool comes_before(const struct lane *lane, const struct slot *a, const struct slot *b)
{
    if ((slot_is_suspect(a) || slot_is_suspect(b)) && a->deliveries != b->deliveries)
        return a->deliveries < b->deliveries;
    if (a->turn != b->turn) // the queue from which none was begun for longer
        return lane->begun[a->turn] < lane->begun[b->turn];
    return a->order < b->order;
}

struct slot *lane_waiting_slot(struct lane *lane)
{
    struct slot *best = NULL;
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state == SLOT_WAITING && (!best || comes_before(lane, slot, best)))
            best = slot;
    }
    return best;
}

struct slot *lane_newest_waiting_slot(struct lane *lane)
{
    struct slot *newest = NULL;
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state == SLOT_WAITING && (!newest || slot->order > newest->order))
            newest = slot;
    }
    return newest;
}

uint32_t lane_waiting(const struct lane *lane)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lane->slot_count; i++)
        count += lane->slots[i].state == SLOT_WAITING;
    return count;
}

bool lane_is_open(const struct lane *lane)
{
    bool open = lane->more.open;
    for (uint32_t turn = 0; turn < BROKER_TURNS; turn++)
        open = open || lane->first[turn].open;
    return open;
}

bool lane_is_clear_for(const struct lane *lane, const struct slot *suspect)
{
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        const struct slot *slot = &lane->slots[i];
        if (slot != suspect && slot->state != SLOT_FREE && !(slot->state == SLOT_WAITING && slot_is_suspect(slot)))
            return false;
    }
    return !lane_is_open(lane) && !lane->cancelled;
}

uint32_t lane_held(const struct lane *lane)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lane->slot_count; i++)
        count += lane->slots[i].state != SLOT_FREE && !lane->slots[i].stale;
    return count;
}

uint64_t lane_first_tag(const struct lane *lane)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        const struct slot *slot = &lane->slots[i];
        if (slot->state != SLOT_FREE && !slot->stale)
            first = PL_MIN(first, slot->job.tag);
    }
    return first;
}

bool slot_is_suspect(const struct slot *slot)
{
    return slot->deliveries >= SUSPECT_DELIVERIES && !slot->is_group; // a group is split instead
}
