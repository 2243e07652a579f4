// Deadlines of connections: a wheel of 64 ms ticks. A deadline that moves back costs one store; the wheel looks again
// when the old one is due.
#include "http/conn/timers.h"

#define LEAVE_NS 1000000000ull

static void enqueue(struct http_loop *l, struct http_conn *c, uint64_t tick)
{
    if (tick <= l->tick)
        tick = l->tick + 1;
    if (tick >= l->tick + HTTP_WHEEL)
        tick = l->tick + HTTP_WHEEL - 1;
    uint32_t slot = (uint32_t)(tick % HTTP_WHEEL);
    c->due_tick = tick;
    c->slot = slot + 1;
    c->timer_prev = NULL;
    c->timer_next = l->wheel[slot];
    if (c->timer_next)
        c->timer_next->timer_prev = c;
    l->wheel[slot] = c;
}

void http_timer_remove(struct http_loop *l, struct http_conn *c)
{
    if (c->slot == 0)
        return;
    if (c->timer_prev)
        c->timer_prev->timer_next = c->timer_next;
    else
        l->wheel[c->slot - 1] = c->timer_next;
    if (c->timer_next)
        c->timer_next->timer_prev = c->timer_prev;
    c->slot = 0;
}

static uint64_t tick_of(uint64_t deadline_ns)
{
    return deadline_ns / HTTP_TICK_NS + 1;
}

void http_timer_set(struct http_loop *l, struct http_conn *c, uint64_t deadline_ns)
{
    c->deadline_ns = deadline_ns;
    if (deadline_ns == 0)
        return;
    uint64_t tick = tick_of(deadline_ns);
    if (c->slot != 0 && c->due_tick <= tick)
        return;
    http_timer_remove(l, c);
    enqueue(l, c, tick);
}

void http_timers_run(struct http_loop *l, void (*timeout)(struct http_loop *l, struct http_conn *c))
{
    uint64_t now = l->now_ns / HTTP_TICK_NS;
    // After a long sleep every slot is looked at once.
    if (now > l->tick + HTTP_WHEEL)
        l->tick = now - HTTP_WHEEL;
    while (l->tick < now) {
        l->tick++;
        struct http_conn *c = l->wheel[l->tick % HTTP_WHEEL];
        l->wheel[l->tick % HTTP_WHEEL] = NULL;
        // Taken off the wheel first: handling one connection may close others, which leaves this list as it is.
        for (struct http_conn *each = c; each; each = each->timer_next)
            each->slot = 0;
        while (c) {
            struct http_conn *next = c->timer_next;
            c->timer_next = c->timer_prev = NULL;
            if (c->open && c->deadline_ns != 0 && c->slot == 0) {
                if (c->deadline_ns <= l->now_ns)
                    timeout(l, c);
                else
                    enqueue(l, c, tick_of(c->deadline_ns));
            }
            c = next;
        }
    }
}

// One timer for the deadlines of both sides.
void http_conn_set_timer(struct http_loop *l, struct http_conn *c)
{
    uint64_t deadline = c->in.deadline_ns;
    if (c->out.deadline_ns != 0 && (deadline == 0 || c->out.deadline_ns < deadline))
        deadline = c->out.deadline_ns;
    http_timer_set(l, c, deadline);
}

void http_conn_grant_moment(struct http_loop *l, struct http_conn *c)
{
    if (c->leave_ns != 0)
        return;
    c->leave_ns = l->now_ns + LEAVE_NS;
    if (c->in.deadline_ns == 0 || c->in.deadline_ns > c->leave_ns)
        c->in.deadline_ns = c->leave_ns;
}
