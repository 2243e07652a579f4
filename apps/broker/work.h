// `platen work`: what its files share.
#ifndef BROKER_WORK_H
#define BROKER_WORK_H

#include <pthread.h>
#include <stdatomic.h>

#include "http/http.h"
#include "job_key.h"
#include "work_job.h"

struct work {
    struct http_server *server;
    struct platen_engine *engine;
    struct platen_engine_options engine_options;
    struct broker_options broker;
    uint64_t job_ms, heartbeat_ms, hold_ms;
    uint32_t connections, prefetch, deliveries, deliveries_most;
    const char *results; // folder; empty: to the exchange
    const char *declare;
    const char *key_file;
    struct job_key key; // of the submitters whose jobs it draws
    struct renderers renderers;
    struct lane *lanes;
    uint32_t lane_count, lanes_started;
    atomic_uint_fast64_t jobs;
    atomic_uint connected;
    char name[80];          // HOST:PROCESS
    atomic_uint turns;      // queues of jobs that it may read
    atomic_bool cannot_ask; // whether a batch was cancelled: the exchange or the right is missing
    atomic_size_t piece;    // bytes of a result that go into one message at most
    atomic_bool stopping;   // it ends before it has served
    // Metrics.
    struct http_counter *ok, *failed, *cancelled, *dead, *returned, *held, *labels, *bytes, *reconnects, *connected_now,
        *in_flight;
    struct http_histogram *job_time;
};

enum pl_errc lanes_start(struct work *work, struct pl_error *err) PL_MUST_USE;
void lanes_stop(struct work *work); // all are told to end already

static inline bool work_is_leaving(const struct work *work)
{
    return atomic_load(&work->stopping) || http_server_leaving(work->server);
}

#endif
