// Inside of the HTTP core: the structures that its files share. Applications see http.h only.
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>

#include "http/chunked.h"
#include "http/config.h"
#include "http/docs.h"
#include "http/guard.h"
#include "http/http.h"
#include "http/parser.h"

#define HTTP_MAX_QUERY 64
#define HTTP_MAX_PARAMS 8
#define HTTP_MAX_LOG_FIELDS 4
#define HTTP_READ_SIZE 65536
#define HTTP_SCRATCH_SIZE 65536
#define HTTP_EXTRA_MAX 16384 // bytes of header lines that a handler may add
#define HTTP_TEXT_LEN 48     // an address as text
#define HTTP_LOG_LINES_MAX 131072u
#define HTTP_DRAIN_IDLE_NS 1000000000ull // what idle connections get when the server stops

// ---- request and response ----

struct http_response {
    int status;
    const char *type;
    const char *cache;
    struct pl_slice body;
    void *owned; // what to free when the body is written
    uint8_t *extra;
    size_t extra_len;
    size_t extra_cap;
    bool no_body; // 304: the body's length is told, the body is not sent
    bool is_problem;
    bool starved; // there was no memory for a part of it
    struct pl_buf json;
    struct http_json_out out;
    struct http_exchange *ex;
};

struct http_log_field {
    const char *key;
    const char *text; // NULL: a number
    uint64_t number;
};

struct http_conn;
struct http_loop;
struct http_slot;

// One request with its answer. Belongs to its loop, except between pool_push and the completion.
struct http_exchange {
    struct http_request req;
    struct http_response res;
    struct pl_arena arena;
    struct http_exchange *next; // free list, queue, completions
    struct http_exchange *prev; // queue
    struct http_loop *loop;
    struct http_conn *conn; // NULL when the client has gone
    struct http_slot *slot; // NULL when no route matched
    struct http_json *json; // parsed body
    uint8_t *inflated;      // malloc'ed body of a gzip-coded request
    uint8_t *body;
    size_t body_len;
    size_t body_cap;
    size_t body_limit;
    bool body_malloced;
    bool discard; // the body is read and thrown away
    bool gzip;    // the body is gzip-coded
    bool head_only;
    bool keep_alive;
    bool http10;
    bool queued;     // in the queue; guarded by the pool's lock
    bool refused;    // answered before a handler ran
    bool is_private; // pages of other origins may not read the answer, whatever --cors says
    atomic_bool cancelled;
    uint64_t start_ns;
    uint64_t queued_ns;
    uint64_t deadline_ms;
    struct pl_slice method_text;
    struct pl_slice origin;
    struct pl_slice accept_encoding;
    struct pl_slice if_none_match;
    struct http_log_field log[HTTP_MAX_LOG_FIELDS];
    unsigned log_count;
    char id_text[20];
    char client_text[HTTP_TEXT_LEN];
    struct http_pair params[HTTP_MAX_PARAMS];
    struct http_pair query[HTTP_MAX_QUERY];
    struct http_pair headers[HTTP_MAX_HEADERS];
};

// ---- connections ----

enum http_conn_state {
    HTTP_S_HEAD,   // waiting for or reading a request's head
    HTTP_S_BODY,   // reading its body
    HTTP_S_WAIT,   // a worker has it
    HTTP_S_WRITE,  // the answer does not fit into the socket
    HTTP_S_LINGER, // answered and shut; reading what the client still sends, so that it sees the answer
    HTTP_S_CLOSED
};

// Input that waits for more, with the state of its parsing.
struct http_stash {
    struct http_parser parser;
    size_t len;
    size_t cap;
    uint8_t data[];
};

struct http_conn {
    int fd;
    uint8_t state;
    bool can_read;    // the socket may hold bytes
    bool peer_closed; // the client has sent its FIN
    bool close_after; // close when the answers are written
    bool linger;      // and read on for a moment, since unread input would reset the connection
    bool fresh;       // no request yet
    bool in_ready;
    uint32_t slot; // of the timer wheel; 0: not queued
    struct http_stash *in;
    struct http_exchange *ex;  // whose body is read or that a worker has
    struct http_exchange *out; // whose body is being written
    uint8_t after;             // state to return to from HTTP_S_WRITE
    bool head_timing;          // the deadline of a head is running
    struct http_chunked chunked;
    bool is_chunked;
    uint64_t body_left;
    uint8_t *pend; // rest of the scratch buffer that did not go out
    size_t pend_len;
    size_t pend_at;
    size_t body_at;       // bytes of the answer's body that are out
    size_t body_len;      // bytes of it to send
    size_t head_len;      // bytes of the answer's head
    uint64_t since_ns;    // start of what the deadline is about
    uint64_t moved;       // bytes moved since then
    uint64_t deadline_ns; // 0: none
    uint64_t due_tick;
    struct http_conn *timer_next, *timer_prev;
    struct http_conn *all_next, *all_prev;
    struct http_conn *ready_next;
    struct sockaddr_storage peer;
    uint8_t client_len; // 0: not made yet
    char client[HTTP_TEXT_LEN];
};

// ---- routes ----

struct http_slot {
    struct http_route route;
    const struct http_asset *asset; // served as it is
    bool exact;                     // no parameters
    bool has_tail;                  // ends in {name*}: the path may hold data and is not logged
    size_t pattern_len;
    _Atomic(struct http_counter *) by_status[600 - 100];
    struct http_histogram *duration;
};

// A document made at start. Templates are filled when all routes are known.
struct http_document {
    struct http_asset *asset;
    struct pl_slice text;
    const struct http_doc_var *vars;
    size_t count;
    void *user;
};

// ---- pool ----

struct http_fan {
    struct http_fan *next;
    void (*fn)(void *worker, size_t index, void *context);
    void *context;
    size_t count;
    atomic_size_t taken;
    unsigned helpers; // guarded by the pool's lock
    bool linked;
    pthread_cond_t done;
};

struct http_pool {
    struct http_server *server;
    pthread_mutex_t lock;
    sem_t work;    // a token for each worker that is to wake up
    sem_t started; // a token from each worker whose init is over
    struct http_exchange *first, *last;
    struct http_fan *fans;
    uint32_t count; // in the queue
    uint32_t max;
    uint32_t idle;   // workers that have nothing to do, or have not yet noticed that they have
    uint32_t asleep; // of them, those that nobody has woken
    uint32_t threads;
    uint32_t failed; // workers whose init failed
    bool stop;
    bool calm;             // nothing to do for a while: the loops take turns with other programs (loop.c)
    uint64_t last_push_ns; // when there was something
    pthread_t *ids;
    struct pl_error init_error;
};

// ---- the access log ----

struct http_log {
    int fd; // -1: off
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct pl_buf filling; // guarded
    bool stop;
};

#define HTTP_WHEEL 512
#define HTTP_TICK_NS 64000000ull

// A thread of input and output with the connections that belong to it. Only this thread touches it, with the lock held
// but while it waits for events; what other threads may touch without the lock is atomic.
struct http_loop {
    struct http_server *server;
    uint32_t index; // 0: the one on the main thread, which has the listener and the signals
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    int epoll_fd;
    int wake_fd;                             // eventfd: there is something in `done` or `arrivals`, or the server stops
    _Atomic(struct http_exchange *) done;    // from the workers
    _Atomic(struct http_arrival *) arrivals; // connections from the first loop
    atomic_uint conn_count;                  // open, or in `arrivals`
    uint64_t now_ns;
    time_t date_at;
    char date[40]; // "Date: ...\r\n"
    size_t date_len;
    struct http_conn *all;
    struct http_conn *free_conns;
    struct http_conn *dead; // closed in this turn; freed at its end
    struct http_conn *ready;
    struct http_exchange *free_exchanges;
    uint32_t free_exchange_count;
    uint64_t id_count;
    struct http_parser parser;
    uint8_t *read_buf;
    uint8_t *scratch;
    size_t scratch_len;
    struct http_conn *wheel[HTTP_WHEEL];
    uint64_t tick;
    struct pl_buf log_lines; // not yet handed to the log
    uint64_t log_due_ns;     // when they are
    uint64_t rest_at_ns;     // when it looks for calm again
    bool drain_begun;
    bool drained;  // all its connections have ended
    bool finished; // and its thread may
    bool cut;      // the drain's deadline ended work
};

struct http_server {
    const struct http_app *app;
    struct http_config config;
    struct http_option core_options[HTTP_CORE_OPTIONS_MAX]; // --listen's default is the application's
    struct http_option_set sets[2];
    struct http_parse_limits parse_limits;
    struct http_loop *loops;
    uint32_t loop_count;
    // The first loop's own.
    int listen_fd, signal_fd;
    bool accepting;
    uint64_t accept_again_ns; // after EMFILE; 0: not waiting
    unsigned signals;
    // For all loops.
    bool on_loopback;      // the address that is listened on can be reached from this machine only
    uint64_t drain_end_ns; // set before `draining`
    atomic_bool draining;
    atomic_bool door_closed; // no loop gets another connection
    atomic_bool abandoned;   // loops end without more ado
    atomic_uint loops_running;
    atomic_size_t body_memory;
    uint64_t boot_ns;
    size_t arena_limit;
    uint64_t id_seed;
    struct http_slot *slots;
    size_t slot_count, slot_cap;
    struct http_document owned_assets[16];
    size_t owned_asset_count;
    struct http_pool pool;
    struct http_log log;
    struct http_keys keys;
    struct http_rates rates;
    struct pl_buf cors;   // header lines for answers that pages of other origins may read
    struct pl_buf fixed;  // header lines of every answer
    struct pl_buf limits; // members of health's "limits"
    struct http_metrics *metrics;
    struct {
        struct http_counter *accepted, *connections, *queue, *busy, *bytes_in, *bytes_out, *rejected_queue,
            *rejected_rate, *rejected_key, *timeouts, *cancelled, *log_dropped, *bad_requests;
        struct http_histogram *queue_wait;
    } m;
    struct http_slot unrouted; // counts requests that matched no route
};

// listen.c
enum pl_errc http_listen(struct http_server *s, char *address, size_t address_size, struct pl_error *err) PL_MUST_USE;
// accept.c: the first loop's part
enum pl_errc http_accept_start(struct http_loop *first, struct pl_error *err) PL_MUST_USE;
void http_accept(struct http_loop *first);
void http_accept_resume(struct http_loop *first); // after a pause, when its time has come
void http_accept_end(struct http_loop *first);
// and what the other loops do
void http_arrivals_take(struct http_loop *l);
uint32_t http_connection_count(const struct http_server *s);
// drain.c
enum pl_errc http_signals_block(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_on_signal(struct http_loop *first);
void http_drain_step(struct http_loop *l); // at the end of every turn
// loop.c
enum pl_errc http_loop_init(struct http_loop *l, struct http_server *s, uint32_t index,
                            struct pl_error *err) PL_MUST_USE;
void http_loop_run(struct http_loop *l);
void http_loop_wake(struct http_loop *l);          // any thread
void http_loop_complete(struct http_exchange *ex); // gives an exchange back to its loop; any thread
void http_loop_fini(struct http_loop *l);
// All loops, and the threads of all but the first.
enum pl_errc http_loops_start(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_loops_join(struct http_server *s);
// Whether a loop that wakes up takes its core from who has it at once. With the pool's lock held.
void http_loops_eager(struct http_server *s, bool eager);
// conn.c: the life of a connection
// The caller has counted it in conn_count.
void http_conn_open(struct http_loop *l, int fd, const struct sockaddr_storage *peer);
void http_conn_event(struct http_loop *l, struct http_conn *c, uint32_t events);
void http_conn_run(struct http_loop *l, struct http_conn *c);
void http_conn_completed(struct http_loop *l, struct http_exchange *ex);
void http_conn_timeout(struct http_loop *l, struct http_conn *c);
void http_conn_close(struct http_loop *l, struct http_conn *c);
// input.c: from bytes to requests
size_t http_conn_input(struct http_loop *l, struct http_conn *c, struct http_parser *p, const uint8_t *data,
                       size_t len);
void http_conn_fail(struct http_loop *l, struct http_conn *c, int status, const char *code, const char *message);
// Room for more of the body in ex->body; false when the answer to that is already given.
bool http_body_reserve(struct http_loop *l, struct http_conn *c, size_t more);
void http_body_memory_release(struct http_server *s, size_t bytes);
void http_body_arrived(struct http_loop *l, struct http_conn *c, size_t len);
// output.c: from answers to bytes
void http_conn_respond(struct http_loop *l, struct http_conn *c, struct http_exchange *ex);
// False when the socket takes no more (state HTTP_S_WRITE) or the connection is gone.
bool http_conn_flush(struct http_loop *l, struct http_conn *c);
// timers.c
void http_timer_set(struct http_loop *l, struct http_conn *c, uint64_t deadline_ns);
void http_timer_remove(struct http_loop *l, struct http_conn *c);
void http_timers_run(struct http_loop *l);
// exchange.c
struct http_exchange *http_exchange_get(struct http_loop *l);
void http_exchange_put(struct http_loop *l, struct http_exchange *ex);
// The request's head was moved: slices into the old place follow.
void http_exchange_rebase(struct http_exchange *ex, const uint8_t *from, size_t len, const uint8_t *to);
// Runs the handler (any thread) with all that comes before and after it.
void http_exchange_run(struct http_exchange *ex, void *worker);
// Counts and logs a finished exchange.
void http_exchange_note(struct http_loop *l, struct http_exchange *ex, uint64_t bytes);
// admit.c
// Fills the request from a parsed head, finds its route and decides whether it is refused (ex->refused).
void http_exchange_fill(struct http_loop *l, struct http_exchange *ex, const struct http_parser *p, const uint8_t *data,
                        struct http_conn *c);
// head.c
size_t http_head_write(const struct http_loop *l, struct http_exchange *ex, bool close, uint8_t *out);
const char *http_reason(int status);
void http_response_reset(struct http_response *res);
// router.c
enum pl_errc http_router_add(struct http_server *s, const struct http_route *route, const struct http_asset *asset,
                             struct pl_error *err) PL_MUST_USE;
bool http_pattern_match(const char *pattern, struct pl_slice path, struct http_pair *params, size_t max, size_t *count);
// The slot for method and path, or NULL with *allow telling the methods that the path has (0: no such path).
struct http_slot *http_router_find(struct http_server *s, unsigned method, struct pl_slice path,
                                   struct http_pair *params, size_t *count, unsigned *allow);
// pool.c
enum pl_errc http_pool_start(struct http_server *s, struct pl_error *err) PL_MUST_USE;
bool http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns); // false: the queue is full
bool http_pool_remove(struct http_pool *pool, struct http_exchange *ex);                // true: it had not begun
bool http_pool_queued(struct http_pool *pool, struct http_exchange *ex);
void http_pool_rest(struct http_pool *pool, uint64_t now_ns); // now and then: whether all is calm
void http_pool_stop(struct http_pool *pool);
// log.c
enum pl_errc http_log_start(struct http_log *log, const char *kind, const char *to, struct pl_error *err) PL_MUST_USE;
void http_log_request(struct http_loop *l, const struct http_exchange *ex, uint64_t bytes, uint64_t micros);
void http_log_hand_over(struct http_loop *l); // when it is time
void http_log_flush(struct http_loop *l);
void http_log_stop(struct http_log *log);
// core_routes.c
enum pl_errc http_core_routes(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// assets.c
enum pl_errc http_document_add(struct http_server *s, const char *path, const char *content_type, const char *summary,
                               struct http_document **out, struct pl_error *err) PL_MUST_USE;
enum pl_errc http_document_fill(struct http_document *document, struct pl_slice body, struct pl_error *err) PL_MUST_USE;
// docs.c
enum pl_errc http_docs_finish(struct http_server *s, struct pl_error *err) PL_MUST_USE;

static inline struct http_exchange *http_exchange_of(struct http_request *req)
{
    return (struct http_exchange *)(void *)req; // first member
}

#endif
