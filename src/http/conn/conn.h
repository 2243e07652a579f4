// A connection: its two sides (input.h, output.h), the request that it is about, and its end.
#ifndef HTTP_CONN_H
#define HTTP_CONN_H

#include <netinet/in.h>

#include "http/conn/input.h"
#include "http/conn/output.h"
#include "http/exchange/exchange.h"

struct http_conn {
    int fd;
    bool open;
    bool can_read;   // the socket may hold bytes
    bool peer_ended; // the client sends no more
    bool fresh;      // no request yet
    bool in_ready;
    struct http_input in;
    struct http_output out;
    // The request that arrives (owned by the input), is worked on (the pool) or is answered in steps (the output); NULL
    // between requests. No other request is read meanwhile, so answers are in order.
    struct http_exchange *current;
    uint64_t leave_ns; // when work for a client that has ended its side is given up; 0: it has not
    // Timer wheel.
    uint32_t slot; // 0: not queued
    uint64_t deadline_ns;
    uint64_t due_tick;
    struct http_conn *timer_next, *timer_prev;
    struct http_conn *all_next, *all_prev;
    struct http_conn *ready_next;
    struct sockaddr_storage peer;
    uint64_t client_key; // what connections of one client have in common
    uint32_t door;       // of http_adopt; 0: none
    uint8_t host_len;    // the Host that was last allowed; 0: none was
    char host[HTTP_TEXT_LEN];
    uint8_t client_len; // 0: not made yet
    char client[HTTP_TEXT_LEN];
};

// The caller has counted it in conn_count and in the server's clients.
void http_conn_open(struct http_loop *l, int fd, const struct sockaddr_storage *peer, uint64_t client_key,
                    uint32_t door);
void http_conn_event(struct http_loop *l, struct http_conn *c, unsigned readiness);
void http_conn_run(struct http_loop *l, struct http_conn *c);
void http_conn_completed(struct http_loop *l, struct http_exchange *ex); // comes back from the pool
void http_conn_timeout(struct http_loop *l, struct http_conn *c);
void http_conn_close(struct http_loop *l, struct http_conn *c, bool reset);
void http_conn_ready(struct http_loop *l, struct http_conn *c); // has more to do in the next turn
void http_conn_hurry(struct http_loop *l, struct http_conn *c); // the server stops: idle ones end soon, events at once
void http_conn_free_dead(struct http_loop *l);
void http_conn_set_timer(struct http_loop *l, struct http_conn *c); // for the deadlines of both its sides
// The client has ended its side while conn->current is the pool's: it gets a moment to be answered.
void http_conn_grant_moment(struct http_loop *l, struct http_conn *c);
void http_conn_drop_request(struct http_loop *l, struct http_conn *c); // nobody waits for conn->current any more
void http_conn_overdue(struct http_loop *l, struct http_conn *c);      // the time of conn->current is over
// answer.c
// conn->current is whole and the input's: to its handler or to the pool.
void http_conn_dispatch(struct http_loop *l, struct http_conn *c);
// conn->current is the output's: puts its answer there, or what there is of it.
void http_conn_answer(struct http_loop *l, struct http_conn *c);
// conn->current is the input's: answers it and takes no more requests.
void http_conn_answer_last(struct http_loop *l, struct http_conn *c);
// The same with a problem: the framing is in doubt or the rest is not wanted. An answer that has begun is cut off.
void http_conn_fail(struct http_loop *l, struct http_conn *c, int status, const char *code, const char *message);
void http_conn_fail_memory(struct http_loop *l, struct http_conn *c); // 503: there is no room for the request
// conn->current is the output's: its next step, if there is room for what it writes.
void http_conn_continue(struct http_loop *l, struct http_conn *c);

#endif
