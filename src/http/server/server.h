// The server: what all loops and workers share.
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "http/exchange/pool.h"
#include "http/guard/budget.h"
#include "http/guard/guard.h"
#include "http/io/backoff.h"
#include "http/io/loop.h"
#include "http/io/seam.h"
#include "http/observe/log.h"
#include "http/route/docs.h"
#include "http/route/router.h"
#include "http/server/config.h"

// A document made at start. Templates are filled when all routes are known.
struct http_document {
    struct http_asset *asset;
    struct pl_slice text;
    const struct http_doc_var *vars;
    size_t count;
    void *user;
};

#define HTTP_TOPICS 64u    // counters: topics may share one
#define HTTP_OPTION_SETS 2 // the core's and the application's

struct http_server {
    const struct http_app *app;
    const struct http_seam *seam;
    struct http_config config;
    struct http_option core_options[HTTP_CORE_OPTIONS_MAX]; // --listen's default is the application's
    struct http_option_set sets[HTTP_OPTION_SETS];
    struct http_option_source core_sources[HTTP_CORE_OPTIONS_MAX], app_sources[HTTP_APP_OPTIONS_MAX];
    struct http_options_found found;
    struct http_parse_limits parse_limits;
    struct http_loop *loops;
    uint32_t loop_count;
    // The first loop's own.
    int listen_fd, signal_fd;
    struct http_backoff accepting;
    unsigned signals;
    uint64_t door_closes_ns; // when the listener closes, once a signal has come; 0: not set
    // For all loops.
    bool on_loopback;                  // the address that is listened on can be reached from this machine only
    atomic_uint_fast64_t drain_end_ns; // set before `door_closed`
    atomic_bool leaving;               // a signal has come: health says so, and answers ask clients to go elsewhere
    atomic_bool draining;              // the listener closes: connections end as soon as they can
    atomic_bool door_closed;           // no loop gets another connection
    atomic_bool abandoned;             // loops end at once
    atomic_uint loops_running;
    atomic_uint_fast64_t topic_counts[HTTP_TOPICS]; // events sent so far, by topic
    struct http_budget budget;
    uint64_t boot_ns;
    size_t arena_limit;
    uint64_t id_seed;
    struct http_slot *slots;
    size_t slot_count, slot_cap;
    struct http_document owned_assets[16];
    size_t owned_asset_count;
    struct http_pool pool;
    struct http_log log;
    pthread_rwlock_t keys_lock;
    struct http_keys keys; // replaced at SIGHUP; never from some to none
    struct http_key_reader key_reader;
    bool notifies; // a service manager listens at notify_fd
    int notify_fd;
    struct http_rates rates;
    struct http_clients clients;
    struct pl_buf cors;     // header lines for answers that pages of other origins may read
    struct pl_buf fixed;    // header lines of every answer
    struct pl_buf limits;   // members of health's "limits"
    char build_labels[128]; // of the metric build_info
    struct http_metrics *metrics;
    struct {
        struct http_counter *accepted, *connections, *queue, *busy, *bytes_in, *bytes_out, *rejected_queue,
            *rejected_rate, *rejected_key, *rejected_memory, *timeouts, *cancelled, *log_dropped, *bad_requests,
            *memory, *cut, *subscribers, *events_dropped;
        struct http_histogram *queue_wait;
    } m;
    struct http_slot unrouted; // counts requests that matched no route
};

// config.c: the rows of core and application with the structures that they fill
enum pl_errc http_server_options(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// config_command.c: a server with its options only, for the subcommands that do not serve. NULL: a line was printed,
// and *status is the program's.
struct http_server *http_command_server(const struct http_app *app, const char *command, int argc, char **argv,
                                        int *status);
void http_command_server_free(struct http_server *s);
int http_print(struct pl_buf *out); // to standard output; frees it and returns the program's status
// notify.c: `state` as of sd_notify(3)
void http_notify_open(struct http_server *s);
void http_notify(const struct http_server *s, const char *state);
void http_notify_close(struct http_server *s);
// key_reader.c
enum pl_errc http_key_reader_fork(struct http_server *s,
                                  struct pl_error *err) PL_MUST_USE; // while there are no threads
enum pl_errc http_key_reader_start(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_key_reader_ask(struct http_server *s); // does not wait
void http_key_reader_stop(struct http_server *s);
// listen.c: "host:port", "[v6]:port" or ":port"
bool http_address_split(const char *text, char *host, size_t host_size, const char **port);
enum pl_errc http_listen(struct http_server *s, char *address, size_t address_size, struct pl_error *err) PL_MUST_USE;
// accept.c: the first loop's part
enum pl_errc http_accept_start(struct http_loop *first, struct pl_error *err) PL_MUST_USE;
void http_accept(struct http_loop *first);
void http_accept_resume(struct http_loop *first); // after a pause, when its time has come
void http_accept_end(struct http_loop *first);
// and what the other loops do
void http_arrivals_take(struct http_loop *l);
void http_arrivals_drop(struct http_loop *l);
uint32_t http_connection_count(const struct http_server *s);
// drain.c
void http_on_signal(struct http_loop *first);
void http_drain_step(struct http_loop *l); // at the end of every turn
// assets.c
enum pl_errc http_document_add(struct http_server *s, const char *path, const char *content_type, const char *summary,
                               struct http_document **out, struct pl_error *err) PL_MUST_USE;
enum pl_errc http_document_fill(struct http_document *document, struct pl_slice body, struct pl_error *err) PL_MUST_USE;
// docs.c
enum pl_errc http_docs_finish(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// serve.c: what a server needs before its loops, apart from the world (listener, threads, signals).
enum pl_errc http_server_prepare(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_server_fini(struct http_server *s);

#endif
