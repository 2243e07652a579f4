// A loop as all parts see it: one thread of input and output with the connections that belong to it.
#ifndef HTTP_LOOP_STATE_H
#define HTTP_LOOP_STATE_H

#include <pthread.h>

#include "http/exchange/exchange.h"
#include "http/system/seam.h"

struct http_arrival;
struct http_conn;
struct http_event;
struct http_piece;

#define HTTP_WHEEL 512
#define HTTP_TICK_NS 64000000ull
#define HTTP_LOG_LINES_MAX 131072u
#define HTTP_DRAIN_IDLE_NS 1000000000ull // what idle connections get when the server stops

// Its thread holds the lock, except while it waits for events. The first loop takes the lock of others to close an idle
// connection. What other threads touch without the lock is atomic.
struct http_loop {
    struct http_server *server;
    const struct http_seam *seam; // the server's
    uint32_t index;               // 0: the one on the main thread, which has the listener and the signals
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    int poller;
    int waker;                               // there is something in the three lists below, or the server stops
    _Atomic(struct http_exchange *) done;    // from the workers
    _Atomic(struct http_arrival *) arrivals; // connections from the first loop
    _Atomic(struct http_event *) published;  // for its subscribers
    atomic_uint conn_count;                  // open, or in `arrivals`
    uint64_t now_ns;
    uint64_t date_at; // the second of `date`
    char date[40];    // "Date: ...\r\n"
    size_t date_len;
    struct http_conn *all;
    struct http_conn *free_conns;
    struct http_conn *dead; // closed in this turn; freed at its end
    struct http_conn *ready;
    struct http_exchange *free_exchanges;
    uint32_t free_exchange_count;
    struct http_piece *free_blocks;
    uint32_t free_block_count;
    uint32_t kept; // how often something was kept for the next time, since kept_since_ns; 0: nothing is kept
    uint64_t kept_since_ns;
    struct http_list subscribers; // event streams: HTTP_AT_EVENTS
    struct http_list waiters;     // of http_wait: HTTP_AT_WAITING
    uint64_t beat_ns;             // when subscribers get the next sign of life
    uint64_t id_count;
    struct http_parser parser;
    uint8_t *read_buf; // holds nothing between two calls of http_input_run
    struct http_conn *wheel[HTTP_WHEEL];
    uint64_t tick;
    struct pl_buf log_lines; // not yet handed to the log
    uint64_t log_due_ns;     // when they are
    uint64_t calm_check_ns;  // when it looks for calm again
    bool drain_begun;
    bool drained;  // all its connections have ended
    bool finished; // and its thread may
    bool cut;      // the drain's deadline ended work
};

static inline void http_loop_wake(struct http_loop *l) // any thread
{
    l->seam->wake(l->waker);
}

// Something it no longer uses is kept for the next time.
static inline void http_loop_kept(struct http_loop *l)
{
    if (l->kept++ == 0)
        l->kept_since_ns = l->now_ns;
}

#endif
