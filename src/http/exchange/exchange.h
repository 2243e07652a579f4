// An exchange: one request with its answer.
//
// An exchange has exactly one owner at any time: its loop's free list, the input of a connection (the request arrives),
// the pool (it waits for a worker, runs, or is on its way back to its loop), or the output of a connection (the answer
// goes out). Only the owner touches it. Two exceptions: `cancelled` is atomic; and while the pool has it, the loop's
// thread reads and writes what no worker touches: `owner`, `conn`, `head_sent`, `answer_bytes`, `subscribed`. While the
// output has an exchange whose body is a stream, the input of the same connection adds to that body: both sides are of
// one thread. While the pool has it, the input reads nothing.
// http_exchange_pass moves an exchange, and ends the program when the giver is not the owner: stopping is better than
// answering the wrong client.
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "http/http.h"
#include "http/message/parser.h"

#define HTTP_MAX_QUERY 64
#define HTTP_MAX_PARAMS 8
#define HTTP_MAX_LOG_FIELDS 4
#define HTTP_EXTRA_MAX 16384 // bytes of header lines that a handler may add
#define HTTP_TEXT_LEN 48     // an address as text

struct http_conn;
struct http_loop;
struct http_slot;

enum http_owner { HTTP_OWNER_FREE_LIST, HTTP_OWNER_INPUT, HTTP_OWNER_POOL, HTTP_OWNER_OUTPUT };

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
    bool plain_problems; // http_problem_plain
    bool starved;        // there was no memory for a part of it
    struct pl_buf json;
    struct pl_json_writer out;
    struct http_exchange *ex;
    // Answers in steps and event streams.
    const struct http_steps *steps; // NULL: the answer is whole when the handler returns
    void *state;                    // of the steps; given back with steps->end
    bool started;                   // status and headers are settled: what is written goes out as it comes
    bool ended;                     // no more steps
    bool cut;                       // a step failed after the start: the answer ends in the middle
    bool is_events;                 // a subscriber of `topic`
    bool is_waiting;                // the handler is run again when something is sent to `topic`
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
    enum http_owner owner;
    struct http_exchange *next; // of the owner's list: free list, queue, completions, subscribers
    struct http_exchange *prev; // queue, subscribers
    struct http_loop *loop;
    struct http_conn *conn; // NULL when the client has gone
    struct http_slot *slot; // NULL when no route matched
    struct http_json *json; // parsed body
    uint8_t *inflated;      // malloc'ed body of a gzip-coded request
    uint8_t *body;
    size_t body_len;
    size_t body_cap;
    size_t body_limit;
    size_t body_used;     // of a streamed body: bytes at its front that are not needed any more
    size_t body_missed;   // and what was not used when its step said that it needs more
    size_t charged;       // bytes of the server's budget that it holds
    size_t arena_charged; // of that, for the arena
    uint64_t client_key;  // whose share of the budget that is; 0: nobody's
    bool body_malloced;
    bool discard;    // the body is read and thrown away
    bool gzip;       // the body is gzip-coded
    bool streams;    // the body is handed over as it arrives
    bool body_ended; // of a stream: all of it is here
    bool wants_body; // the next step needs more of it
    bool head_only;
    bool keep_alive;
    bool http10;
    bool queued;     // in the pool's queue and not taken by a worker; guarded by the pool's lock
    bool refused;    // answered before a handler ran
    bool is_private; // pages of other origins may not read the answer, whatever --cors says
    bool run_once;   // a worker has had it before
    bool head_sent;  // the answer's head is in the output
    bool subscribed; // in its loop's list of event streams
    bool closes;     // and says that the connection ends after it
    atomic_bool cancelled;
    uint64_t start_ns;     // when its head was here
    uint64_t queued_ns;    // when it was whole and went to the pool; 0: it did not
    uint64_t step_ns;      // when the worker that has it began
    uint64_t wait_end_ns;  // until when it waits at the most; 0: it has not begun to wait
    uint64_t paused_ns;    // since when its steps wait for the client to read; 0: they do not
    uint64_t answer_bytes; // put into the output so far
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

static inline struct http_exchange *http_exchange_of(struct http_request *req)
{
    return (struct http_exchange *)(void *)req; // first member
}

// exchange.c
struct http_exchange *http_exchange_get(struct http_loop *l); // owned by the input; NULL: no memory
void http_exchange_pass(struct http_exchange *ex, enum http_owner from, enum http_owner to);
// Back to the free list, with all that it holds.
void http_exchange_put(struct http_loop *l, struct http_exchange *ex, enum http_owner from);
void http_exchange_free(struct http_exchange *ex); // for good; of the free list
// More of the server's budget; false: there is no more.
bool http_exchange_charge(struct http_exchange *ex, size_t bytes);
void http_exchange_discharge(struct http_exchange *ex, size_t bytes);
// The request's head was moved: slices into the old place follow.
void http_exchange_rebase(struct http_exchange *ex, const uint8_t *from, size_t len, const uint8_t *to);
// Counts and logs a finished exchange.
void http_exchange_note(struct http_loop *l, struct http_exchange *ex, uint64_t bytes);
// run.c: the handler or the next step (any thread), with all that comes before and after it.
void http_exchange_run(struct http_exchange *ex, void *worker);
// admit.c
// Fills the request from a parsed head, finds its route and decides whether it is refused (ex->refused).
void http_exchange_fill(struct http_loop *l, struct http_exchange *ex, const struct http_parser *p, const uint8_t *data,
                        struct http_conn *c);
// An id and the client's address for a request whose head cannot be read.
void http_exchange_identify(struct http_loop *l, struct http_exchange *ex, struct http_conn *c);
// head.c
enum http_framing { HTTP_FRAMING_LENGTH, HTTP_FRAMING_CHUNKED, HTTP_FRAMING_CLOSE };
#define HTTP_HEAD_MAX (HTTP_EXTRA_MAX + 4096)
// Writes at most HTTP_HEAD_MAX bytes.
size_t http_head_write(const struct http_loop *l, const struct http_exchange *ex, enum http_framing framing, bool close,
                       uint8_t *out);
const char *http_reason(int status);
// response.c
void http_response_reset(struct http_response *res);
int http_problem_deadline(struct http_response *res); // the time of the request is over

#endif
