// The server as all its parts see it: what was asked for at the start, what they share, and the parts of the layers
// above, which only those layers look into.
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "http/exchange/budget.h"
#include "http/exchange/clients.h"
#include "http/exchange/exchange.h"
#include "http/observe/log.h"
#include "http/options/config.h"
#include "http/system/seam.h"

#define HTTP_TOPICS 64u    // counters: topics may share one
#define HTTP_OPTION_SETS 2 // the core's and the application's

struct http_guard;
struct http_io;
struct http_pool;
struct http_routes;

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
    bool on_loopback;     // the address that is listened on can be reached from this machine only
    atomic_bool leaving;  // a signal has come: health says so, and answers ask clients to go elsewhere
    atomic_bool draining; // the listener closes: connections end as soon as they can
    atomic_uint_fast64_t topic_counts[HTTP_TOPICS]; // events sent so far, by topic
    uint64_t boot_ns;
    size_t arena_limit;
    uint64_t id_seed;
    struct http_budget budget;
    struct http_clients clients;
    struct http_pool *pool;     // exchange/pool.h
    struct http_guard *guard;   // guard/guard.h
    struct http_routes *routes; // route/router.h
    struct http_io *io;         // io/io.h
    struct pl_buf fixed;        // header lines of every answer
    struct pl_buf limits;       // members of health's "limits"
    char build_labels[128];     // of the metric build_info
    struct http_log log;
    struct http_metrics *metrics;
    struct {
        struct http_counter *accepted, *connections, *queue, *busy, *bytes_in, *bytes_out, *rejected_queue,
            *rejected_rate, *rejected_key, *rejected_memory, *timeouts, *cancelled, *log_dropped, *bad_requests,
            *memory, *cut, *subscribers, *events_dropped;
        struct http_histogram *queue_wait;
    } m;
    struct http_slot unrouted; // counts requests that matched no route
};

#endif
