// The world that a seed chooses: how many clients, which limits, what goes wrong how often. Small limits find more than
// large loads.
#include <stdio.h>

#include "sim.h"

static void choose_sizes(struct sim_world *w, struct sim_random *random)
{
    uint32_t size = sim_below(random, 100);
    w->clients = size < 55   ? 1 + sim_below(random, 4)
                 : size < 90 ? 4 + sim_below(random, 12)
                             : 16 + sim_below(random, 48);
    if (size >= 99 && sim_chance(random, 30))
        w->clients = 100 + sim_below(random, SIM_CLIENTS - 100);
    uint64_t most = 1500 / w->clients;
    w->requests = (uint32_t)sim_scale(random, 1, most < 2 ? 2 : most > SIM_REQUESTS ? SIM_REQUESTS : most);
    w->loops = 1 + sim_below(random, SIM_LOOPS);
    w->workers = 1 + sim_below(random, SIM_WORKERS);
    w->up_room = sim_scale(random, 16, sim_chance(random, 95) ? 131072 : 4 << 20);
    w->down_room = sim_scale(random, 16, 262144);
    // No body should need thousands of calls, and a seed should not need millions of bytes.
    uint64_t bytes = 4000000 / ((uint64_t)w->clients * w->requests) + 100;
    uint64_t answer = w->down_room * 60, body = w->up_room * 40;
    w->answer_most = sim_scale(random, 16, answer < 200000 ? answer : 200000);
    w->body_most = sim_scale(random, 16, body < 120000 ? body : 120000);
    if (w->answer_most > bytes)
        w->answer_most = bytes;
    if (w->body_most > bytes)
        w->body_most = bytes;
    w->loop_latency = sim_scale(random, 1, sim_chance(random, 80) ? 100 * SIM_US : 4 * SIM_MS);
    w->client_latency = sim_scale(random, 1, sim_chance(random, 80) ? 100 * SIM_US : 2 * SIM_MS);
}

// Answers that are much larger than what a connection holds, and readers that take their time: what was made waits, and
// the time for that is the reader's.
static void choose_streaming(struct sim_world *w, struct sim_random *random)
{
    w->clients = 1 + sim_below(random, 4);
    w->requests = 1 + sim_below(random, 10);
    w->down_room = sim_chance(random, 50) ? sim_scale(random, 4096, 65536) : sim_range(random, 65536, 262144);
    w->answer_most = 200000;
    w->has_steps = true;
    w->deadline_ms = sim_chance(random, 60) ? sim_range(random, 700, 1500) : 0;
}

// Requests that wait are woken while the workers are busy: they are in a queue, where they are left and become overdue.
static void choose_waiting(struct sim_world *w, struct sim_random *random)
{
    w->clients = 2 + sim_below(random, 8);
    w->requests = 1 + sim_below(random, 10);
    w->workers = sim_chance(random, 75) ? 1 : 2;
    w->has_waits = w->has_slow = true;
    w->slow_ns = sim_range(random, 600, 2500) * SIM_MS;
    w->deadline_ms = sim_chance(random, 60) ? sim_range(random, 50, 900) : 0;
}

static void choose_limits(struct sim_world *w, struct sim_random *random)
{
    struct http_config *config = &w->config;
    *config = (struct http_config){.listen = "",
                                   .workers = w->workers,
                                   .io_threads = w->loops,
                                   .max_connections = 1000,
                                   .max_client_connections = 0,
                                   .max_client_memory = 0,
                                   .max_queue = 1000,
                                   .max_body = 200000,
                                   .max_body_memory = (size_t)1 << 30,
                                   .max_uri = sim_scale(random, 128, 8192),
                                   .max_header = sim_scale(random, 512, 8192),
                                   .allow_host = "",
                                   .api_key_file = "",
                                   .cors = sim_chance(random, 50) ? "*" : "off",
                                   .log = "off",
                                   .log_to = "stdout"};
    config->header_timeout_ms = sim_scale(random, 400, 8000);
    config->idle_timeout_ms = sim_scale(random, 400, 8000);
    config->body_timeout_ms = sim_scale(random, 400, 8000);
    config->write_timeout_ms = sim_scale(random, 400, 8000);
    config->heartbeat_ms = sim_scale(random, 100, 4000);
    config->drain_delay_ms = sim_chance(random, 50) ? 0 : sim_scale(random, 1, 2000);
    config->drain_timeout_ms = sim_scale(random, 500, 8000);
    // A client that reads and sends as it can is never too slow: 16 bytes in some milliseconds are enough.
    uint64_t rate = (w->up_room < w->down_room ? w->up_room : w->down_room) * SIM_S /
                    (40 * (w->loop_latency + w->client_latency) + SIM_MS);
    rate = rate < 50 ? 50 : rate > 1000000 ? 1000000 : rate;
    config->min_rate = sim_scale(random, rate / 4 + 1, rate);
    if (!w->tight)
        return;
    if (sim_chance(random, 50))
        config->max_queue = (uint32_t)sim_scale(random, 1, 16);
    if (sim_chance(random, 40))
        config->max_connections = (uint32_t)sim_scale(random, 1, w->clients + 1);
    if (sim_chance(random, 40)) {
        config->max_client_connections = (uint32_t)sim_scale(random, 1, 8);
        w->shared_address = sim_chance(random, 70);
    }
    if (sim_chance(random, 50)) {
        config->max_body_memory = sim_scale(random, 4096, 1 << 20);
        w->tight_memory = true;
    }
    if (sim_chance(random, 30)) {
        config->max_client_memory = sim_scale(random, 4096, 1 << 20);
        w->tight_memory = true;
    }
    if (sim_chance(random, 5))
        config->rate_limit = (uint32_t)sim_scale(random, 1, 1000);
    config->max_body = w->body_most + sim_below(random, 100);
    w->descriptors = sim_chance(random, 30) ? (uint32_t)sim_scale(random, 1, w->clients + 1) : w->descriptors;
}

static void choose_faults(struct sim_world *w, struct sim_random *random)
{
    if (sim_chance(random, 60))
        w->short_read = (uint32_t)sim_scale(random, 1000, 500000);
    if (sim_chance(random, 60))
        w->short_write = (uint32_t)sim_scale(random, 1000, 500000);
    if (sim_chance(random, 40))
        w->breaks = (uint32_t)sim_scale(random, 100, 30000);
    if (sim_chance(random, 40))
        w->accept_fails = (uint32_t)sim_scale(random, 1000, 400000);
    if (sim_chance(random, 40))
        w->watch_fails = (uint32_t)sim_scale(random, 1000, 400000);
}

static void leave_out(struct sim_world *w, unsigned without)
{
    if (without & SIM_PART_SHORT)
        w->short_read = w->short_write = 0;
    if (without & SIM_PART_RESET)
        w->breaks = 0;
    if (without & SIM_PART_ACCEPT)
        w->accept_fails = w->watch_fails = 0;
    if (without & SIM_PART_MEMORY)
        w->memory_fails = 0;
    if (without & SIM_PART_SIGNAL)
        w->signal_ns = 0;
    if (without & SIM_PART_DEADLINE)
        w->deadline_ms = 0;
    if (without & SIM_PART_EVENTS)
        w->has_events = false;
    if (without & SIM_PART_RESET)
        w->freeze_ns = w->abrupt_ns = 0;
    if (without & SIM_PART_STEPS)
        w->has_steps = false;
    if (without & SIM_PART_WAITS)
        w->has_waits = false;
    if (without & SIM_PART_GZIP)
        w->has_gzip = false;
    if (without & SIM_PART_SIGNAL)
        w->reloads = 0;
}

void sim_world_make(struct sim_world *w, uint64_t seed, const struct sim_options *options)
{
    struct sim_random random = sim_stream(seed, 1);
    *w = (struct sim_world){.seed = seed, .descriptors = 100000};
    choose_sizes(w, &random);
    // A third of the worlds is calm: there every request must succeed.
    uint32_t temper = sim_below(&random, 100);
    w->polite = temper < 35;
    w->tight = temper >= 50 && !(options->without & SIM_PART_LIMITS);
    w->has_steps = sim_chance(&random, 80);
    w->has_events = sim_chance(&random, 40);
    w->has_slow = sim_chance(&random, 25);
    w->slow_ns = sim_scale(&random, 10 * SIM_MS, 2 * SIM_S);
    w->deadline_ms = sim_chance(&random, 25) ? sim_scale(&random, 20, 2000) : 0;
    w->streaming = temper >= 30 && temper < 38;
    if (w->streaming)
        choose_streaming(w, &random);
    w->waiting = !w->streaming && sim_chance(&random, 10);
    w->has_waits = sim_chance(&random, 40);
    if (w->waiting)
        choose_waiting(w, &random);
    choose_limits(w, &random);
    if (w->streaming) {
        w->config.min_rate = sim_scale(&random, 100, 2000);
        w->config.write_timeout_ms = sim_scale(&random, 400, 1000);
    }
    if (temper >= 25 && sim_chance(&random, 50))
        choose_faults(w, &random);
    if (temper >= 85) {
        w->memory_fails = (uint32_t)sim_scale(&random, 100, 100000);
        w->memory_after = (uint32_t)sim_scale(&random, 1, 400);
        w->memory_at_start = sim_chance(&random, 10);
    }
    w->signal_ns = sim_chance(&random, 35) ? sim_scale(&random, SIM_MS, 2 * SIM_S) : 0;
    w->publish_ns = sim_scale(&random, w->waiting ? 20 * SIM_MS : SIM_MS, 300 * SIM_MS);
    w->event_most = sim_chance(&random, 80) ? 300 : 7000;
    w->logs = sim_chance(&random, 50);
    w->has_gzip = sim_chance(&random, 40);
    w->has_keys = sim_chance(&random, 20);
    w->reloads = sim_chance(&random, 30) ? 1 + sim_below(&random, 4) : 0;
    if (temper >= 35 && sim_chance(&random, 4))
        w->freeze_ns = sim_scale(&random, SIM_MS, SIM_S);
    if (sim_chance(&random, 5))
        w->abrupt_ns = sim_scale(&random, SIM_MS, SIM_S);
    w->crowd = sim_mix(seed, 2) % 3 == 0;
    leave_out(w, options->without);
    if (options->clients && w->clients > options->clients)
        w->clients = options->clients;
    const struct http_config *config = &w->config;
    uint64_t timeouts = config->header_timeout_ms + config->idle_timeout_ms + config->body_timeout_ms +
                        config->write_timeout_ms + config->drain_timeout_ms + config->drain_delay_ms;
    uint64_t work = (uint64_t)w->clients * w->requests * 40 * (w->has_slow ? w->slow_ns / 8 : SIM_MS);
    // What a client that stops has earned by the bytes before.
    uint64_t earned = 60000 * SIM_S / config->min_rate;
    w->patience_ns = 20 * SIM_S + 3 * timeouts * SIM_MS + work + earned;
}

void sim_world_print(const struct sim_world *w)
{
    const struct http_config *c = &w->config;
    printf("world: %u clients, up to %u requests each, %u loops, %u workers%s%s%s%s%s%s%s%s\n", w->clients, w->requests,
           w->loops, w->workers, w->polite ? ", polite" : "", w->tight ? ", tight limits" : "",
           w->has_steps ? ", steps" : "", w->has_events ? ", events" : "",
           w->shared_address ? ", one address"
           : w->crowd        ? ", a crowd"
                             : "",
           w->has_waits ? ", waits" : "", w->has_gzip ? ", gzip" : "", w->has_keys ? ", keys" : "");
    printf("  buffers %zu up, %zu down; bodies up to %zu, answers up to %zu; latency %.3f ms loops, %.3f ms clients\n",
           w->up_room, w->down_room, w->body_most, w->answer_most, (double)w->loop_latency / 1e6,
           (double)w->client_latency / 1e6);
    printf("  connections %u, of one client %u, descriptors %u, queue %u, body %zu, memory %zu, rate %zu/s\n",
           c->max_connections, c->max_client_connections, w->descriptors, c->max_queue, c->max_body, c->max_body_memory,
           c->min_rate);
    printf("  ms: header %llu, idle %llu, body %llu, write %llu, heartbeat %llu, drain %llu + %llu, deadline %llu\n",
           (unsigned long long)c->header_timeout_ms, (unsigned long long)c->idle_timeout_ms,
           (unsigned long long)c->body_timeout_ms, (unsigned long long)c->write_timeout_ms,
           (unsigned long long)c->heartbeat_ms, (unsigned long long)c->drain_delay_ms,
           (unsigned long long)c->drain_timeout_ms, (unsigned long long)w->deadline_ms);
    printf("  per million: short reads %u, short writes %u, breaks %u, accept %u, watch %u, memory %u after %u\n"
           "  signal at %.3f ms, freeze at %.3f ms, torn down at %.3f ms\n",
           w->short_read, w->short_write, w->breaks, w->accept_fails, w->watch_fails, w->memory_fails, w->memory_after,
           (double)w->signal_ns / 1e6, (double)w->freeze_ns / 1e6, (double)w->abrupt_ns / 1e6);
}
