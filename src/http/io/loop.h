// A loop: one thread of input and output with the connections that belong to it.
#ifndef HTTP_LOOP_H
#define HTTP_LOOP_H

#include <pthread.h>
#include <time.h>

#include "http/conn/conn.h"
#include "http/io/seam.h"

struct http_server;
struct http_event;

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

enum pl_errc http_loop_init(struct http_loop *l, struct http_server *s, uint32_t index,
                            struct pl_error *err) PL_MUST_USE;
void http_loop_run(struct http_loop *l);
void http_loop_kept(struct http_loop *l);         // something it no longer uses is kept for the next time
int http_loop_wait_ms(const struct http_loop *l); // how long it may wait for events; -1: for ever
// One turn: what the events say, what others have sent, what is due. With the lock held.
void http_loop_turn(struct http_loop *l, const struct http_ready_event *events, int count);
void http_loop_wake(struct http_loop *l);           // any thread
void http_loop_complete(struct http_exchange *ex);  // gives an exchange back to its loop; any thread
void http_loop_take_completed(struct http_loop *l); // what workers have given back
void http_loop_fini(struct http_loop *l);
enum pl_errc http_loops_init(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// The threads of all but the first, which runs on this one.
enum pl_errc http_loops_start(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_loops_join(struct http_server *s);
// Whether a loop that wakes up takes its core from who has it at once. With the pool's lock held.
void http_loops_eager(struct http_server *s, bool eager);

// timers.c
void http_timer_set(struct http_loop *l, struct http_conn *c, uint64_t deadline_ns); // 0: none
void http_timer_remove(struct http_loop *l, struct http_conn *c);
void http_timers_run(struct http_loop *l);

// events.c
void http_events_take(struct http_loop *l); // what was published, to its subscribers
void http_events_beat(struct http_loop *l); // signs of life, when they are due
void http_events_subscribe(struct http_loop *l, struct http_exchange *ex);
void http_events_leave(struct http_loop *l, struct http_exchange *ex); // neither listens nor waits any more, if it did
void http_events_drop(struct http_loop *l);                            // what nobody will take any more
// conn->current, whose handler has returned http_wait, waits for its topic.
void http_wait_begin(struct http_loop *l, struct http_conn *c);
// It waits no longer: its handler runs again. `over`: and must answer.
void http_wait_end(struct http_loop *l, struct http_conn *c, bool over);

#endif
