// The wheel of deadlines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "http/server.h"

#define MS 1000000ull

static struct http_server *server(void)
{
    struct http_server *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    s->now_ns = 5000 * MS;
    s->tick = s->now_ns / HTTP_TICK_NS;
    return s;
}

static struct http_conn *connection(struct http_server *s)
{
    struct http_conn *c = calloc(1, sizeof(*c));
    assert_non_null(c);
    c->fd = dup(0);
    c->state = HTTP_S_HEAD;
    c->fresh = true;
    c->all_next = s->all;
    if (s->all)
        s->all->all_prev = c;
    s->all = c;
    s->conn_count++;
    return c;
}

static void advance(struct http_server *s, uint64_t ms)
{
    s->now_ns += ms * MS;
    http_timers_run(s);
}

static void free_all(struct http_server *s)
{
    while (s->all)
        http_conn_close(s, s->all);
    while (s->dead) {
        struct http_conn *next = s->dead->all_next;
        free(s->dead);
        s->dead = next;
    }
    free(s);
}

static void deadlines_are_met_within_two_ticks(void **state)
{
    (void)state;
    struct http_server *s = server();
    static const uint64_t after_ms[] = {1, 50, 64, 500, 15000, 30000, 33000, 120000};
    for (size_t i = 0; i < sizeof(after_ms) / sizeof(after_ms[0]); i++) {
        struct http_conn *c = connection(s);
        uint64_t deadline = s->now_ns + after_ms[i] * MS;
        http_timer_set(s, c, deadline);
        while (s->now_ns + 10 * MS < deadline) {
            advance(s, 10);
            assert_int_equal(c->state, HTTP_S_HEAD);
        }
        for (int k = 0; k < 16 && c->state != HTTP_S_CLOSED; k++)
            advance(s, 10);
        assert_int_equal(c->state, HTTP_S_CLOSED);
    }
    free_all(s);
}

static void a_deadline_may_move_both_ways_and_go(void **state)
{
    (void)state;
    struct http_server *s = server();
    struct http_conn *later = connection(s), *sooner = connection(s), *never = connection(s);
    http_timer_set(s, later, s->now_ns + 200 * MS);
    http_timer_set(s, later, s->now_ns + 900 * MS);
    http_timer_set(s, sooner, s->now_ns + 20000 * MS);
    http_timer_set(s, sooner, s->now_ns + 300 * MS);
    http_timer_set(s, never, s->now_ns + 100 * MS);
    http_timer_set(s, never, 0);
    advance(s, 600);
    assert_int_equal(later->state, HTTP_S_HEAD);
    assert_int_equal(sooner->state, HTTP_S_CLOSED);
    advance(s, 600);
    assert_int_equal(later->state, HTTP_S_CLOSED);
    advance(s, 100000); // a long sleep passes over every slot
    assert_int_equal(never->state, HTTP_S_HEAD);
    http_timer_set(s, never, s->now_ns + 64 * MS);
    advance(s, 100000);
    assert_int_equal(never->state, HTTP_S_CLOSED);
    free_all(s);
}

static void many_in_one_slot(void **state)
{
    (void)state;
    struct http_server *s = server();
    for (int i = 0; i < 300; i++)
        http_timer_set(s, connection(s), s->now_ns + (uint64_t)(i % 3) * 64 * MS + MS);
    advance(s, 400);
    assert_int_equal(s->conn_count, 0);
    free_all(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(deadlines_are_met_within_two_ticks),
                                       cmocka_unit_test(a_deadline_may_move_both_ways_and_go),
                                       cmocka_unit_test(many_in_one_slot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
