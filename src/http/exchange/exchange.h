// An exchange: one request with its answer.
//
// An exchange is in exactly one place at any time (enum http_place), and only who has it there touches it. Two
// exceptions: `cancelled` is atomic; and while the pool has it, the loop's thread reads and writes what no worker
// touches: `conn`, `head_sent`, `answer_bytes`. While the output has an exchange whose body is a stream, the input of
// the same connection adds to that body: both sides are of one thread. While the pool has it, the input reads nothing.
// http_exchange_move and the functions of lists are all that changes the place. They end the program when an exchange
// is not where it is taken from, or may not go where it is to go: stopping is better than answering the wrong client.
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "http/http.h"
#include "http/message/parser.h"

#define HTTP_MAX_QUERY 64
#define HTTP_MAX_PARAMS 8
#define HTTP_MAX_LOG_FIELDS 4
#define HTTP_EXTRA_MAX 16384 // bytes of header lines that a handler may add
#define HTTP_TEXT_LEN 48     // an address as text
#define HTTP_KEY_NAME 48     // an API key's name in the log
#define HTTP_CODE_MAX 40     // a problem's code
#define HTTP_TRACE_LEN 55    // a traceparent of version 00 of W3C's Trace Context: "00-TRACE-PARENT-FLAGS"

struct http_conn;
struct http_loop;

// A route with what is counted of it.
struct http_slot {
    struct http_route route;
    const struct http_asset *asset; // what the route sends; NULL: its handler says
    bool exact;                     // no parameters
    bool has_tail;                  // ends in {name*}: the path may hold data and is not logged
    size_t pattern_len;
    _Atomic(struct http_counter *) by_status[600 - 100];
    struct http_histogram *duration;
};

// Where an exchange is. The moves between places are in places.c.
enum http_place {
    HTTP_AT_FREE,    // its loop's list of free ones
    HTTP_AT_INPUT,   // conn->current: the request arrives, or its handler runs on the loop
    HTTP_AT_FRESH,   // the pool's queue: no worker has had it
    HTTP_AT_AGAIN,   // the pool's other queue: its next step, or its handler after a wait
    HTTP_AT_WORKER,  // a worker runs it
    HTTP_AT_DONE,    // its loop's list of what workers have finished
    HTTP_AT_OUTPUT,  // conn->current: its answer, or what there is of it, goes out
    HTTP_AT_EVENTS,  // conn->current, in its loop's list of event streams
    HTTP_AT_WAITING, // conn->current, in its loop's list of those that wait for a topic
    HTTP_AT_PIECE,   // the output of a connection: it ends with a piece that is queued
    HTTP_PLACES
};

// What the handler has returned.
enum http_result {
    HTTP_RESULT_WHOLE,
    HTTP_RESULT_STEPS, // its answer is made in steps
    HTTP_RESULT_EVENTS,
    HTTP_RESULT_WAIT // it is to run again when something is sent to `topic`
};

struct http_response {
    int status;
    const char *type;
    const char *cache;
    struct pl_slice body;
    void *owned; // what to free when the body is written
    uint8_t *extra;
    size_t extra_len;
    size_t extra_cap;
    char code[HTTP_CODE_MAX]; // of the problem, for the log; empty: none
    bool no_body;             // 304: the body's length is told, the body is not sent
    bool is_problem;
    bool plain_problems; // http_problem_plain
    bool starved;        // there was no memory for a part of it
    struct pl_buf json;
    struct pl_json_writer out;
    struct http_exchange *ex;
    // Answers in steps and event streams.
    enum http_result result;
    const struct http_steps *steps; // NULL: none
    void *state;                    // of the steps; given back with steps->end
    bool started;                   // status and headers are settled: what is written goes out as it comes
    bool ended;                     // no more steps
    bool cut;                       // a step failed after the start: the answer ends in the middle
    int cut_status;                 // http_cut_as
    uint64_t seen;                  // of http_wait
    uint64_t wait_ms;
    uint32_t topic;
    struct pl_buf written; // by the steps, not yet taken over by the output
};

struct http_log_field {
    const char *key;
    const char *text; // NULL: a number
    uint64_t number;
};

struct http_exchange {
    struct http_request req;
    struct http_response res;
    struct pl_arena arena;
    _Atomic(uint8_t) place;     // enum http_place
    struct http_exchange *next; // of the list that it is in
    struct http_exchange *prev; // of a struct http_list
    struct http_loop *loop;
    struct http_conn *conn; // NULL when the client has gone
    struct http_slot *slot; // NULL when no route matched
    struct http_json *json; // parsed body
    uint8_t *body;
    size_t body_len;
    size_t body_cap;
    size_t body_limit;
    size_t body_used;     // of a streamed body: bytes at its front that are not needed any more
    size_t body_missed;   // and what was not used when its step said that it needs more
    size_t charged;       // bytes of the server's budget that it holds
    size_t arena_charged; // of that, for the arena
    uint64_t client_key;  // whose share of the budget that is; 0: nobody's
    uint64_t turn_key;    // whose turn it takes in the pool's queue
    uint64_t round;       // of that turn
    bool body_malloced;
    bool discard;    // the body is read and thrown away
    bool gzip;       // the body is gzip-coded, until its handler runs
    bool streams;    // the body is handed over as it arrives
    bool body_ended; // of a stream: all of it is here
    bool wants_body; // the next step needs more of it
    bool head_only;
    bool keep_alive;
    bool http10;
    bool refused;    // answered before a handler ran
    bool is_private; // pages of other origins may not read the answer, whatever --cors says
    bool head_sent;  // the answer's head is in the output
    bool closes;     // and says that the connection ends after it
    atomic_bool cancelled;
    uint64_t start_ns;     // when its head was here
    uint64_t queued_ns;    // when it last went to the pool for its handler
    uint64_t step_ns;      // when the worker that has it began
    uint64_t wait_end_ns;  // until when it waits at the most; 0: it has not begun to wait
    uint64_t paused_ns;    // since when its steps wait for the client to read; 0: they do not
    uint64_t answer_bytes; // put into the output so far
    // What the request itself holds, without what its handler has made: there http_exchange_rewind goes back to.
    struct pl_arena_mark request_end;
    size_t request_charged;
    struct pl_slice method_text;
    struct pl_slice origin;
    struct pl_slice accept_encoding;
    struct pl_slice if_none_match;
    struct http_log_field log[HTTP_MAX_LOG_FIELDS];
    unsigned log_count;
    char id_text[20];
    char client_text[HTTP_TEXT_LEN];
    char key_name[HTTP_KEY_NAME]; // of the API key that it came with; empty: none
    char trace[HTTP_TRACE_LEN];   // its traceparent; trace[0] is 0 where it has no valid one
    struct http_pair params[HTTP_MAX_PARAMS];
    struct http_pair query[HTTP_MAX_QUERY];
    struct http_pair headers[HTTP_MAX_HEADERS];
};

static inline struct http_exchange *http_exchange_of(struct http_request *req)
{
    return (struct http_exchange *)(void *)req; // first member
}

static inline enum http_place http_exchange_place(const struct http_exchange *ex)
{
    return (enum http_place)atomic_load_explicit(&ex->place, memory_order_relaxed);
}

// A worker has it, or it is on its way there or back.
static inline bool http_exchange_with_pool(const struct http_exchange *ex)
{
    enum http_place place = http_exchange_place(ex);
    return place >= HTTP_AT_FRESH && place <= HTTP_AT_DONE;
}

// A list that an exchange can leave at any time. The count is written by who may change the list, and read by anybody.
struct http_list {
    struct http_exchange *first, *last;
    atomic_uint count;
};

static inline unsigned http_list_count(const struct http_list *list)
{
    return atomic_load_explicit(&list->count, memory_order_relaxed);
}

// places.c
struct http_exchange *http_exchange_get(struct http_loop *l); // for the input; NULL: no memory
void http_exchange_move(struct http_exchange *ex, enum http_place from, enum http_place to);
// The same into a list, at its end, and out of one.
void http_list_add(struct http_list *list, struct http_exchange *ex, enum http_place from, enum http_place to);
// After that one, NULL: as the first.
void http_list_insert(struct http_list *list, struct http_exchange *after, struct http_exchange *ex,
                      enum http_place from, enum http_place to);
void http_list_remove(struct http_list *list, struct http_exchange *ex, enum http_place from, enum http_place to);
// Back to the free list, with all that it holds.
void http_exchange_put(struct http_loop *l, struct http_exchange *ex);
void http_exchange_free(struct http_exchange *ex); // for good; of the free list
// Its handler will run again from its beginning: what it has made is given back, the request stays.
void http_exchange_rewind(struct http_exchange *ex);
// More of the server's budget; false: there is no more.
bool http_exchange_charge(struct http_exchange *ex, size_t bytes);
void http_exchange_discharge(struct http_exchange *ex, size_t bytes);
// The request's head was moved: slices into the old place follow.
void http_exchange_rebase(struct http_exchange *ex, const uint8_t *from, size_t len, const uint8_t *to);
// run.c: the handler or the next step (any thread), with all that comes before and after it.
void http_exchange_run(struct http_exchange *ex, void *worker);
// response.c
void http_response_reset(struct http_response *res);
int http_problem_deadline(struct http_response *res); // the time of the request is over

#endif
