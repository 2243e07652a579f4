// The HTTP server behind `platen serve` and `hygro serve`: what an application gives it and what its handlers may call.
//
// Some I/O threads read, parse, route and write; workers (one per core) run the handlers that compute. A handler gets
// a request that has arrived whole, fills a response and returns its status:
//
//     static int hello(struct http_request *req, struct http_response *res)
//     {
//         struct pl_slice name;
//         if (!http_query(req, "name", &name))
//             return http_problem(res, 400, "missing_name", "The query needs 'name'.");
//         struct pl_json_writer *out = http_json_begin(res);
//         pl_json_object(out);
//         pl_json_key(out, "name");
//         pl_json_slice(out, name);
//         pl_json_end(out);
//         return http_json_send(res, 200);
//     }
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/job.h"
#include "base/slice.h"
#include "http/asset.h"
#include "http/message/json.h"
#include "http/observe/metrics.h"
#include "http/options/options.h"

struct http_server;
struct http_request;
struct http_response;
struct http_seam;
struct sockaddr_storage;

enum http_method {
    HTTP_GET = 1,
    HTTP_HEAD = 2,
    HTTP_POST = 4,
    HTTP_PUT = 8,
    HTTP_PATCH = 16,
    HTTP_DELETE = 32,
    HTTP_OPTIONS = 64,
    HTTP_OTHER = 128
};

// A name with its value: a header (not decoded), a query parameter or a path parameter (both decoded).
struct http_pair {
    struct pl_slice name;
    struct pl_slice value;
};

struct http_request {
    enum http_method method;       // HEAD requests reach the GET handler as HTTP_GET; the core leaves out the body
    struct pl_slice path;          // decoded, starts with '/'
    struct pl_slice target;        // as sent
    struct pl_slice body;          // whole and already inflated when it came gzip-coded; see HTTP_STREAM_BODY
    struct pl_slice content_type;  // media type without parameters, lower case; empty when there was none
    struct pl_slice content_param; // what followed the media type's first ';', as sent
    struct pl_slice id;            // request id: the client's X-Request-Id or one of ours; printable ASCII
    struct pl_slice client;        // address of the client as text
    const struct http_pair *headers;
    size_t header_count;
    const struct http_pair *query; // in the order sent
    size_t query_count;
    const struct http_pair *params; // {names} of the route's pattern
    size_t param_count;
    struct pl_arena *arena; // this request's memory; hard limit; freed when the answer is written
    struct pl_job job;      // cancelled when the client leaves; deadline when the route's time is over
    void *worker;           // what the application's worker_init made for this thread; NULL in an inline handler
    void *app;              // http_app.user
    struct http_server *server;
    const struct http_route *route;
    uint32_t door;   // of http_adopt; 0: the service's own listener
    bool waited;     // of http_wait: this is not the handler's first time
    bool wait_ended; // there is no more time to wait
    uint64_t note;   // of http_wait: what the handler leaves for its next time; 0 at first
};

// Fills the response and returns the status (200 to 599). Anything else is answered as 500.
typedef int http_handler(struct http_request *req, struct http_response *res);

#define HTTP_SHORT_BODY 2048

enum http_route_flags {
    HTTP_INLINE = 1,        // runs on an I/O thread: only for what takes microseconds and never waits
    HTTP_NO_KEY = 2,        // open even when API keys are configured
    HTTP_NO_RATE = 4,       // not counted against the client's rate
    HTTP_NO_DOCS = 8,       // left out of the lists of routes in the discovery documents
    HTTP_SHORT_INLINE = 16, // runs on an I/O thread when the body has at most HTTP_SHORT_BODY bytes, else on a worker
    HTTP_PRIVATE = 32,      // never readable by pages of other origins, whatever --cors says
    HTTP_AT_DOOR = 64,      // also answered on connections that came by another door (http_adopt)
    HTTP_ONLY_DOOR = 128,   // only there
    HTTP_STREAM_BODY = 256, // runs when the body begins to arrive: see "bodies as streams"
    // Also answered to pages of other origins that --cors does not allow. Only for an inline GET: it reads, and neither
    // waits nor takes long.
    HTTP_ANY_PAGE = 512,
    HTTP_CACHEABLE = 1024, // 200 depends on the URL, the version and Accept alone: caches may keep it for an hour
    // Names in the query that the route does not know are not refused but named in X-Warnings: for what only reads,
    // since pages and machines add names of their own.
    HTTP_NOTE_QUERY = 2048
};

#define HTTP_ANY_QUERY "*" // of http_route.query: names are the handler's own affair

struct http_route {
    unsigned method; // HTTP_GET (which serves HEAD too), HTTP_POST, ...
    // Literal text and {name} parameters, several in a segment if need be ("/labels/{w}x{h}/{index}/"). A parameter
    // takes at least one byte up to the next literal and never a '/', except {name*} at the very end, which takes all
    // the rest.
    const char *pattern;
    http_handler *handler;
    unsigned flags;
    size_t body_limit;   // bytes; 0: the server's --max-body (POST, PUT, PATCH), no body for the others
    const char *summary; // one line for the discovery documents
    // Names of the query, parted by spaces; NULL: it has none. Any other name is refused, and so are two values of one.
    const char *query;
};

// What paths begin with that people try, in any case, and what a route has instead.
struct http_alias {
    const char *tried, *instead;
};

// ---- what an application gives ----

struct http_app {
    const struct http_seam *seam; // the world that it runs in; NULL: the system's
    const char *name;             // "platen": service name, metrics prefix, program name in messages
    const char *version;          // "1.2.0"
    const char *commit;           // that it was built from; NULL or empty: not known
    const char *command;          // of the program, in messages; NULL: "serve"
    const char *about;            // what it does until it is ended, for its help; NULL: "Serves over HTTP"
    const int *system_calls;      // that it makes after the start, beside those of serving
    size_t system_call_count;
    const char *env_prefix; // "PLATEN": --max-body is PLATEN_MAX_BODY in the environment
    // Options whose variables are somebody else's: nobody is warned of them. One that ends with '-' or is empty is the
    // beginning of many, of which those are named that are nearly options. The last one is NULL; NULL: there are none.
    const char *const *other_variables;
    const char *default_listen; // "127.0.0.1:8080"
    const struct http_route *routes;
    size_t route_count;
    const struct http_alias *aliases;  // the last one has no text; NULL: none
    const struct http_option *options; // the application's own rows; their offsets count from option_base
    size_t option_count;
    void *option_base;
    const struct http_asset *assets; // embedded files of the page
    size_t asset_count;
    const char *health_members;  // JSON members for the health document: "\"formats\":[\"png\"]"; may be NULL
    const char *exposed_headers; // for CORS, beside the core's own: "X-Total-Count, X-Warnings"; may be NULL
    const char *request_headers; // the same of requests: "X-Rotation"; may be NULL
    const char *page_policy;     // Content-Security-Policy of HTML pages; NULL: a strict default
    // Time for one request from its arrival to its answer, in ms, read after the options are parsed; NULL: no deadline.
    // Time in which an answer in steps waits for its reader does not count.
    const uint64_t *deadline_ms;
    const char *deadline_code; // of the problem when it has passed; NULL: "deadline"
    // The application's devices that take connections of their own, parted by ';': half of all are for them; NULL:
    // none.
    const char *const *own_connections;
    // Memory of one request's arena (not counting its body); NULL: 16 MiB.
    const size_t *arena_bytes;
    void *user; // http_request.app
    // Are the values of its options right, as far as that is known before anything is opened? `config` asks, too; may
    // be NULL.
    enum pl_errc (*check)(void *user, struct pl_error *err);
    // Called once, after the options are parsed and before the first connection: register metrics, publish documents.
    enum pl_errc (*start)(struct http_server *server, void *user, struct pl_error *err);
    // Called once, on the first loop, when the service has taken its last connection: what it has begun ends by then.
    void (*drain)(void *user, uint64_t end_ns);
    // A second signal: `drain` is over now. From any thread and in a signal's handler. False, or NULL: there is nothing
    // to be kept, and the program may end at once.
    bool (*hurry)(void *user);
    void (*stop)(void *user);
    // Called before metrics are written, on any worker or loop: counts what is not counted as it happens; may be NULL.
    void (*observe)(void *user);
    // Called on each worker thread; *worker goes into http_request.worker.
    enum pl_errc (*worker_init)(void *user, void **worker, struct pl_error *err);
    void (*worker_fini)(void *user, void *worker);
};

// The `serve` subcommand: options, server, until SIGTERM. Returns the exit status (0 stopped, 1 failed, 2 usage).
int http_serve(const struct http_app *app, int argc, char **argv);
// With the same arguments: prints the options that hold, and asks the running service how it is.
int http_config_command(const struct http_app *app, int argc, char **argv);
int http_health_command(const struct http_app *app, int argc, char **argv);
typedef int http_command(const struct http_app *app, int argc, char **argv);

// ---- request ----

// What requests of one client have in common, whatever connection they come by. It is never 0.
uint64_t http_client_of(const struct http_request *req);
bool http_header(const struct http_request *req, const char *name, struct pl_slice *value); // first of that name
bool http_query(const struct http_request *req, const char *name, struct pl_slice *value);  // names have no case
// Does a pair before this one have the same name, and another value?
bool http_query_differs(const struct http_request *req, size_t index);
bool http_param(const struct http_request *req, const char *name, struct pl_slice *value);
// Of `offered`, the index of the media type that Accept weighs highest, each by the entry that names it closest: a
// range such as application/* takes the types that no entry names. Of equal ones offered[0] where a range takes it,
// otherwise the first named, otherwise the first that is offered. 0 when it takes none, and for the lists that browsers
// send by themselves.
size_t http_accept_choose(const struct http_request *req, const char *const *offered, size_t count);
// The next entry of a header's list such as "pt-BR, en;q=0.5"; `*list` goes behind it. A weight that is no number from
// 0 to 1 is 0. False at the end.
bool http_list_next(struct pl_slice *list, struct pl_slice *name, double *weight);
// The weight that a list gives to a name, which has no case; -1 when it does not name it.
double http_list_weight(struct pl_slice list, const char *wanted);
// Parses a JSON body; on failure the problem is in `res` and NULL comes back: `return res` status by http_status(res).
const struct http_json *http_request_json(struct http_request *req, struct http_response *res);
// A number or word for this request's line in the access log (at most 4); `key` and `text` must live as long as the
// server.
void http_log_number(struct http_request *req, const char *key, uint64_t value);
void http_log_text(struct http_request *req, const char *key, const char *text);

struct http_part {
    struct pl_slice name;
    struct pl_slice filename;     // empty when none
    struct pl_slice content_type; // as sent; empty when none
    struct pl_slice data;
};
// multipart/form-data: fills up to `max` parts. Returns PL_E_INVALID with a sentence for the client, PL_E_LIMIT for too
// many.
enum pl_errc http_multipart(const struct http_request *req, struct http_part *parts, size_t max, size_t *count,
                            struct pl_error *err) PL_MUST_USE;

// Runs fn(worker, index, context) for 0 <= index < count on this worker and on others that are idle, and returns when
// all that have begun are done. `worker` is that of the thread that runs it. Items are begun in their order; when fn
// returns false, no more are. Never waits for work that has not begun, so it cannot deadlock.
void http_fan_out(struct http_request *req, size_t count, bool (*fn)(void *worker, size_t index, void *context),
                  void *context);

// ---- answers in steps ----
//
// A handler whose answer is large, or takes more than some milliseconds to make, returns http_steps(res, &steps,
// state). The core then calls steps.step until it ends the answer: on any worker (req->worker), never on two at once,
// and not while the client has more than some 32 KiB to read. So a slow reader holds no worker, and other requests come
// in between two steps.
//
// Until http_start is called, nothing is sent: what was written is kept, a step may still return a problem, and an
// answer that ends before the start goes out whole, with its length. After it status and headers stay as they are, and
// what steps write goes out in chunks. Memory that `state` keeps between two steps is told to the core by http_hold.

enum http_step {
    HTTP_STEP_MORE,  // call again
    HTTP_STEP_END,   // this was the last one: the answer is what was written, or what `res` holds (a problem, a body)
    HTTP_STEP_FAILED // there is no rest: before the start res is the answer, after it the connection is cut off
};

struct http_steps {
    enum http_step (*step)(struct http_request *req, struct http_response *res, void *state);
    void (*end)(void *state); // once, whatever happened, on any thread
};

// The handler returns what this returns. The first step follows at once, on the same worker.
int http_steps(struct http_response *res, const struct http_steps *steps, void *state);
void http_start(struct http_response *res, int status);
bool http_started(const struct http_response *res);
// Before a step fails after the start: the status and code that the log and the counters say, instead of 500.
void http_cut_as(struct http_response *res, int status, const char *code);
// More of the answer. False: there is no memory for it, and the step should fail.
bool http_write(struct http_response *res, const void *data, size_t len);
size_t http_written(const struct http_response *res); // bytes that wait to be taken over by the connection
// Should this step return soon? When enough was written; and when others wait for a worker, after a while, which is at
// least `least_ns`.
bool http_step_should_end(struct http_request *req, uint64_t least_ns);
// Counts memory in the server's budget for as long as the request lives. False: there is no more.
bool http_hold(struct http_request *req, size_t bytes);

// ---- bodies as streams ----
//
// The handler of a route with HTTP_STREAM_BODY runs as soon as some of the body is here, and answers in steps. In the
// handler and in each step, req->body is what has arrived and was not used; it moves between two steps. A step that
// cannot go on without more of it calls http_body_wait and returns HTTP_STEP_MORE. The body may be of any size; what
// is not used is at most the route's body limit. There is no deadline for the request as a whole. A gzip-coded body is
// taken whole; with --trust-proxy so is one whose length is known and within the limit.

void http_body_use(struct http_request *req, size_t len); // the first bytes of req->body are not needed any more
bool http_body_ended(struct http_request *req);           // nothing comes behind req->body
// False: there is no room for more, or no more comes.
bool http_body_wait(struct http_request *req);

// ---- event streams ----
//
// A handler that returns http_events_open answers with text/event-stream: the client gets what is sent to the topic
// from then on, and a comment every --heartbeat. A client that does not keep up is disconnected; its browser comes
// again. When the service stops, streams end.

int http_events_open(struct http_response *res, uint32_t topic);
// From any thread. `name` and `data` become fields of the event; lines of `data` are kept apart. `id` 0: none.
void http_events_send(struct http_server *server, uint32_t topic, uint64_t id, const char *name, struct pl_slice data);

// ---- waiting ----
//
// A handler that returns http_wait is run again, from its beginning, when something is sent to the topic (whoever gets
// it), at the latest after `most_ms` from the first time. Then req->wait_ended is set, and it must answer; so it is
// when the service stops. No worker waits. A handler that looks for something asks for the count first, so that nothing
// that comes between its look and its wait is missed:
//
//     uint64_t seen = http_topic_count(req->server, topic);
//     if (found(...) || req->wait_ended)
//         return answer(...);
//     return http_wait(res, topic, seen, most_ms);
//
// The route runs on workers.

uint64_t http_topic_count(const struct http_server *server, uint32_t topic);
int http_wait(struct http_response *res, uint32_t topic, uint64_t seen, uint64_t most_ms);

// ---- connections from elsewhere ----

// Makes a connection that somebody else accepted one of the service's, from any thread. `door` (not 0) is
// http_request.door of its requests, which find only routes with HTTP_AT_DOOR. The descriptor does not block. False: it
// is refused (limits, or the service stops) and still the caller's.
bool http_adopt(struct http_server *server, int fd, const struct sockaddr_storage *peer, uint32_t door);

// ---- response ----

// {"ok":false,"error":"<sentence>","code":"<code>"}; replaces any body. Returns `status`.
int http_problem(struct http_response *res, int status, const char *code, const char *fmt, ...) PL_PRINTF(4, 5);
// The problem that fits an error: 400 invalid, 404 not found, 413 limit or memory, 503 deadline, 500 the rest (no
// internals).
int http_problem_error(struct http_response *res, const struct pl_error *err);
// 503: there is no memory for the answer at the moment.
int http_problem_overloaded(struct http_response *res);
// More members for the body of a problem, as JSON text: ",\"warnings\":[...]" goes before the closing brace.
void http_problem_members(struct http_response *res, struct pl_slice json);
// From now on problems of this answer are text: "ERROR: <sentence>", as the clients of another service expect them.
void http_problem_plain(struct http_response *res);
int http_status(const struct http_response *res);

// Adds a header. Bytes that may not stand in a header are replaced by '?'. Content-Length, Date and the like are the
// core's.
void http_set_header(struct http_response *res, const char *name, struct pl_slice value);
// The same from a buffer; one that ran out of memory makes the answer a 503.
void http_set_header_buf(struct http_response *res, const char *name, const struct pl_buf *value);
void http_set_header_cstr(struct http_response *res, const char *name, const char *value);
void http_set_header_u64(struct http_response *res, const char *name, uint64_t value);
// X-Warnings, in Labelary's form: a name of the query that was not used, where the answer itself has no place for it.
void http_note_ignored(struct http_response *res, struct pl_slice name);
void http_set_type(struct http_response *res,
                   const char *content_type); // must live as long as the answer; core default none
// "no-store" is the default; must live as long as the server.
void http_set_cache(struct http_response *res, const char *cache_control);
// The body, in one of these ways; the last call counts. `Content-Length` follows from it.
void http_body_borrow(struct http_response *res, struct pl_slice body); // static or in the request's arena
void http_body_take(struct http_response *res, void *data, size_t len); // malloc'ed; freed by the core
void http_body_take_buf(struct http_response *res, struct pl_buf *buf); // moved; `buf` is empty afterwards
int http_send_asset(struct http_request *req, struct http_response *res,
                    const struct http_asset *asset); // ETag, 304, gzip

// A JSON body written with the functions of json.h; the buffer belongs to the response and has a hard maximum.
struct pl_json_writer *http_json_begin(struct http_response *res);
int http_json_send(struct http_response *res, int status);

// ---- during http_app.start ----

// Publishes a document made at start (openapi.json, llms.txt): copied, compressed, with ETag; served at `path` inline
// and without an API key. `content_type` and `path` must live as long as the server.
enum pl_errc http_publish(struct http_server *server, const char *path, const char *content_type, struct pl_slice body,
                          const char *summary, struct pl_error *err) PL_MUST_USE;
struct http_metrics *http_server_metrics(struct http_server *server);
uint32_t http_server_workers(const struct http_server *server); // that will run, as the options say
// Connections that the limit of descriptors allows, for HTTP and the application together.
uint32_t http_server_most_connections(const struct http_server *server);
size_t http_server_max_body(const struct http_server *server); // bytes
bool http_server_confined(const struct http_server *server);   // --sandbox
bool http_server_leaving(const struct http_server *server);    // a signal has asked it to stop
// May the pages of all origins read its answers (--cors '*')?
bool http_server_open_to_all_pages(const struct http_server *server);

#endif
