// The wheel of deadlines.
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "http/conn/conn.h"
#include "http/conn/drive.h"
#include "http/conn/timers.h"
#include "http/server/server.h"
#include "unit.h"

#define MS 1000000ull

static struct http_loop *loop(void)
{
    struct http_server *s = http_server_new(NULL);
    struct http_loop *l = calloc(1, sizeof(*l));
    assert_true(s && l);
    s->loops = l;
    s->loop_count = 1;
    l->server = s;
    l->seam = s->seam = &http_system_seam;
    l->now_ns = 5000 * MS;
    l->tick = l->now_ns / HTTP_TICK_NS;
    return l;
}

static struct http_conn *connection(struct http_loop *l)
{
    struct http_conn *c = calloc(1, sizeof(*c));
    assert_non_null(c);
    c->fd = dup(0);
    c->open = true;
    c->fresh = true;
    c->all_next = l->all;
    if (l->all)
        l->all->all_prev = c;
    l->all = c;
    l->conn_count++;
    return c;
}

// A connection without a request is closed at its deadline; 0: never.
static void expires(struct http_loop *l, struct http_conn *c, uint64_t deadline_ns)
{
    c->in.deadline_ns = deadline_ns;
    http_timer_set(l, c, deadline_ns);
}

static void advance(struct http_loop *l, uint64_t ms)
{
    l->now_ns += ms * MS;
    http_timers_run(l, http_conn_timeout);
}

static void free_all(struct http_loop *l)
{
    while (l->all)
        http_conn_close(l, l->all, false);
    while (l->dead) {
        struct http_conn *next = l->dead->all_next;
        free(l->dead);
        l->dead = next;
    }
    free(l->server);
    free(l);
}

static void deadlines_are_met_within_two_ticks(void **state)
{
    (void)state;
    struct http_loop *l = loop();
    static const uint64_t after_ms[] = {1, 50, 64, 500, 15000, 30000, 33000, 120000};
    for (size_t i = 0; i < sizeof(after_ms) / sizeof(after_ms[0]); i++) {
        struct http_conn *c = connection(l);
        uint64_t deadline = l->now_ns + after_ms[i] * MS;
        expires(l, c, deadline);
        while (l->now_ns + 10 * MS < deadline) {
            advance(l, 10);
            assert_int_equal(c->open, true);
        }
        for (int k = 0; k < 16 && c->open; k++)
            advance(l, 10);
        assert_int_equal(c->open, false);
    }
    free_all(l);
}

static void a_deadline_may_move_both_ways_and_go(void **state)
{
    (void)state;
    struct http_loop *l = loop();
    struct http_conn *later = connection(l), *sooner = connection(l), *never = connection(l);
    expires(l, later, l->now_ns + 200 * MS);
    expires(l, later, l->now_ns + 900 * MS);
    expires(l, sooner, l->now_ns + 20000 * MS);
    expires(l, sooner, l->now_ns + 300 * MS);
    expires(l, never, l->now_ns + 100 * MS);
    expires(l, never, 0);
    advance(l, 600);
    assert_int_equal(later->open, true);
    assert_int_equal(sooner->open, false);
    advance(l, 600);
    assert_int_equal(later->open, false);
    advance(l, 100000); // a long sleep passes over every slot
    assert_int_equal(never->open, true);
    expires(l, never, l->now_ns + 64 * MS);
    advance(l, 100000);
    assert_int_equal(never->open, false);
    free_all(l);
}

static void many_in_one_slot(void **state)
{
    (void)state;
    struct http_loop *l = loop();
    for (int i = 0; i < 300; i++)
        expires(l, connection(l), l->now_ns + (uint64_t)(i % 3) * 64 * MS + MS);
    advance(l, 400);
    assert_int_equal(l->conn_count, 0);
    free_all(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(deadlines_are_met_within_two_ticks),
                                       cmocka_unit_test(a_deadline_may_move_both_ways_and_go),
                                       cmocka_unit_test(many_in_one_slot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
