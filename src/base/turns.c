// Turns of clients, by rounds: the next job of a client is one round after its last.
#include "base/turns.h"

#include <assert.h>

#include "base/ckd.h"

static struct turns_share *find(struct turns *t, uint64_t client)
{
    return &t->shares[client % TURNS_PLACES];
}

const struct turns_share *turns_share_of(const struct turns *t, uint64_t client)
{
    return &t->shares[client % TURNS_PLACES];
}

void turns_rejoin(struct turns *t, uint64_t client, size_t bytes)
{
    struct turns_share *share = find(t, client);
    share->jobs++;
    share->bytes += bytes;
}

uint64_t turns_join(struct turns *t, uint64_t client, size_t bytes, enum turn turn)
{
    struct turns_share *share = find(t, client);
    uint64_t round = PL_MAX(t->round, share->round + 1);
    if (turn == TURN_AFTER_ALL)
        round = t->round = PL_MAX(round, t->newest + 1);
    t->newest = PL_MAX(t->newest, round);
    share->round = round;
    turns_rejoin(t, client, bytes);
    return round;
}

void turns_leave(struct turns *t, uint64_t client, size_t bytes, uint64_t round)
{
    struct turns_share *share = find(t, client);
    assert(share->jobs > 0 && share->bytes >= bytes);
    share->jobs--;
    share->bytes -= bytes;
    t->round = PL_MAX(t->round, round);
}

void turns_withdraw(struct turns *t, uint64_t client, size_t bytes)
{
    struct turns_share *share = find(t, client);
    assert(share->jobs > 0 && share->bytes >= bytes && share->round > 0);
    share->jobs--;
    share->bytes -= bytes;
    share->round--;
}

void turns_reserve(struct turns *t, uint64_t client, size_t bytes)
{
    find(t, client)->reserved += bytes;
    t->reserved += bytes;
}

void turns_release(struct turns *t, uint64_t client, size_t bytes)
{
    struct turns_share *share = find(t, client);
    assert(share->reserved >= bytes && t->reserved >= bytes);
    share->reserved -= bytes;
    t->reserved -= bytes;
}
