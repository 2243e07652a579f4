// How many jobs a lane asks for and of which queues, and what it gives back.
#include "base/ckd.h"
#include "work_lane.h"

#define CLOSE_NS 2000000000u // for the broker's last answers
#define GROUPS_HELD 7u       // beside one: enough to be busy, and others have a part of a batch, too

static enum pl_errc consume(struct lane *lane, uint32_t turn, uint32_t count, struct consumer *out,
                            struct pl_error *err)
{
    PL_TRY(broker_consume(lane->broker, BROKER_OF_JOBS, broker_turn(turn), count, &out->number, err));
    out->open = true;
    return PL_OK;
}

enum pl_errc lane_open(struct lane *lane, struct pl_error *err)
{
    for (uint32_t turn = 0; turn < atomic_load(&lane->work->turns); turn++) {
        if (!lane->first[turn].open)
            PL_TRY(consume(lane, turn, 1, &lane->first[turn], err));
    }
    return PL_OK;
}

static enum pl_errc cancel(struct lane *lane, struct consumer *consumer, struct pl_error *err)
{
    if (!consumer->open)
        return PL_OK;
    consumer->open = false;
    lane->cancelled++;
    return broker_cancel(lane->broker, consumer->number, err);
}

// Jobs of the queue that the lane holds.
static uint32_t held_of(const struct lane *lane, uint32_t turn)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        const struct slot *slot = &lane->slots[i];
        count += slot->state != SLOT_FREE && !slot->stale && slot->turn == turn;
    }
    return count;
}

// Of the queues of which the lane holds nothing, or of all.
static enum pl_errc cancel_firsts(struct lane *lane, bool all, struct pl_error *err)
{
    for (uint32_t turn = 0; turn < BROKER_TURNS; turn++) {
        if (all || held_of(lane, turn) == 0)
            PL_TRY(cancel(lane, &lane->first[turn], err));
    }
    return PL_OK;
}

// Jobs that were not begun go back, the newest first, until `keep` are left.
static enum pl_errc give_back_waiting(struct lane *lane, uint32_t keep, struct pl_error *err)
{
    while (lane_waiting(lane) > keep)
        PL_TRY(lane_give_back(lane, lane_newest_waiting_slot(lane), err));
    return PL_OK;
}

// Does a job wait here for longer than --hold?
static bool waits_too_long(const struct lane *lane)
{
    uint64_t now = pl_now_ns();
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        const struct slot *slot = &lane->slots[i];
        if (slot->state == SLOT_WAITING && now - slot->came_ns > lane->work->hold_ms * 1000000u)
            return true;
    }
    return false;
}

static bool has_suspects(const struct lane *lane)
{
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        const struct slot *slot = &lane->slots[i];
        bool unfinished = slot->state == SLOT_WAITING || slot->state == SLOT_RENDERING;
        if (unfinished && !slot->stale && slot_is_suspect(slot))
            return true;
    }
    return false;
}

// Is `more` of a queue that has nothing now, while another one has? Or do jobs of one row come, of which more are
// needed than of groups?
static bool more_is_wrong(const struct lane *lane)
{
    return (lane->holds_groups && !lane->grouped) ||
           (lane->last_turn != lane->more_turn && held_of(lane, lane->more_turn) == 0);
}

// Jobs are quick: the lane asks for more of them.
static enum pl_errc ask_for_more(struct lane *lane, struct pl_error *err)
{
    PL_TRY(lane_open(lane, err));
    if (lane->more.open)
        return more_is_wrong(lane) ? cancel(lane, &lane->more, err) : PL_OK;
    uint32_t rest = lane->work->prefetch - 1;
    if (rest == 0 || lane_held(lane) > BROKER_TURNS)
        return PL_OK;
    lane->holds_groups = lane->grouped && rest > GROUPS_HELD;
    lane->more_turn = lane->last_turn;
    return consume(lane, lane->more_turn, lane->holds_groups ? GROUPS_HELD : rest, &lane->more, err);
}

enum pl_errc lane_adjust(struct lane *lane, struct pl_error *err)
{
    bool suspects = has_suspects(lane), late = waits_too_long(lane);
    if (lane->blocked) // it would not answer
        return PL_OK;
    if (late || suspects) {
        PL_TRY(cancel(lane, &lane->more, err));
        PL_TRY(cancel_firsts(lane, true, err));
    }
    if (late) // others may have time for what waits behind a long job, or behind a result that cannot be stored
        return give_back_waiting(lane, lane->busy ? 0 : 1, err);
    if (suspects || lane->cancelled > 0) // what is on the way has to come first
        return PL_OK;
    if (lane_held(lane) == 0 && !lane->busy)
        PL_TRY(lane_open(lane, err));
    if (lane->quick && lane_is_open(lane))
        return ask_for_more(lane, err);
    // Others may have time for the jobs of other queues.
    return lane_held(lane) > 0 ? cancel_firsts(lane, false, err) : PL_OK;
}

// A quorum queue keeps acknowledgements in the channel while 32 are on the way to it, and drops those with the channel.
// The end of a consumer takes the same way: when a question behind it is answered, the acknowledgements have arrived.
// So those of `first`, which get one job more at most, end last.
bool lane_leave(struct lane *lane, uint64_t *close_ns, struct pl_error *err)
{
    bool is_done = lane_held(lane) == lane_waiting(lane);
    err->code = cancel(lane, &lane->more, err);
    bool late = !is_done && waits_too_long(lane);
    if (err->code == PL_OK && (is_done || late)) // what goes back must not come again
        err->code = cancel_firsts(lane, true, err);
    if (err->code == PL_OK && late)
        err->code = give_back_waiting(lane, 0, err);
    if (err->code != PL_OK || !is_done)
        return err->code != PL_OK;
    if (*close_ns == 0)
        *close_ns = pl_now_ns() + CLOSE_NS;
    if (lane->blocked || pl_now_ns() > *close_ns) // it does not answer
        return true;
    if (lane->cancelled > 0)
        return false;
    err->code = broker_check(lane->broker, err);
    return true;
}
