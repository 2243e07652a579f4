// One run: the events of a world in the order of their times, from the first connection to the server's end.
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct sim sim;

uint64_t __wrap_pl_now_ns(void);
enum pl_errc __wrap_pl_job_check(const struct pl_job *job, struct pl_error *err);

// ---- time

uint64_t __wrap_pl_now_ns(void)
{
    return sim.now_ns;
}

// As in base/job.c, with the time of the world.
enum pl_errc __wrap_pl_job_check(const struct pl_job *job, struct pl_error *err)
{
    if (job && job->cancelled && atomic_load(job->cancelled))
        return pl_fail(err, PL_E_CANCELLED, "the work was cancelled");
    if (job && job->deadline_ns != 0 && sim.now_ns > job->deadline_ns)
        return pl_fail(err, PL_E_DEADLINE, "the work took longer than its time limit");
    return PL_OK;
}

struct event {
    uint64_t time, order;
    uint32_t index, turn;
    enum sim_event_kind kind;
};

static struct event *heap;
static size_t heap_count, heap_cap;
static uint64_t order;

static bool earlier(const struct event *a, const struct event *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

void sim_at(uint64_t time, enum sim_event_kind kind, uint32_t index, uint32_t turn)
{
    if (heap_count == heap_cap) {
        heap_cap = heap_cap ? heap_cap * 2 : 256;
        heap = sim_realloc(heap, heap_cap * sizeof(*heap));
    }
    struct event event = {time, order++, index, turn, kind};
    size_t i = heap_count++;
    while (i > 0 && earlier(&event, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = event;
}

static struct event pop(void)
{
    struct event first = heap[0];
    struct event last = heap[--heap_count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= heap_count)
            break;
        if (child + 1 < heap_count && earlier(&heap[child + 1], &heap[child]))
            child++;
        if (!earlier(&heap[child], &last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

// ---- loops

static uint64_t latency(void)
{
    return sim_range(&sim.order, 0, sim.world.loop_latency);
}

static void poll_at(uint32_t index, uint64_t time)
{
    struct sim_loop *loop = &sim.loops[index];
    if (loop->polled || loop->ended || loop->poll_at <= time)
        return;
    loop->poll_at = time;
    sim_at(time, SIM_EV_POLL, index, ++loop->poll_turn);
}

void sim_loop_notify(int poller)
{
    poll_at((uint32_t)poller, sim.now_ns + latency());
}

static void plan_loop(uint32_t index)
{
    struct sim_loop *loop = &sim.loops[index];
    const struct http_loop *l = &sim.server->loops[index];
    if (l->finished) {
        sim_note("loop % ends", index, 0, 0, 0);
        loop->ended = true;
        return;
    }
    int ms = http_loop_wait_ms(l);
    if (ms == 0 || sim_poller_ready((int)index))
        poll_at(index, sim.now_ns + latency());
    else if (ms > 0)
        poll_at(index, sim.now_ns + (unsigned)ms * SIM_MS + latency());
}

static void watch_drain(void)
{
    const struct http_server *s = sim.server;
    if (sim.leaving_ns == 0 && atomic_load(&s->leaving))
        sim.leaving_ns = sim.now_ns;
    if (sim.door_ns == 0 && atomic_load(&s->draining)) {
        sim_note("the door is closed", 0, 0, 0, 0);
        sim.door_ns = sim.now_ns;
    }
}

// What is told now is looked at a moment later: meanwhile others act.
static void poll_loop(uint32_t index)
{
    struct sim_loop *loop = &sim.loops[index];
    int most = sim_chance(&sim.order, 20) ? 1 + (int)sim_below(&sim.order, 4) : SIM_TURN_EVENTS;
    loop->poll_at = SIM_NEVER;
    loop->event_count = sim_poller_take((int)index, loop->events, most);
    loop->polled = true;
    sim_at(sim.now_ns + (sim_chance(&sim.order, 50) ? 0 : latency()), SIM_EV_TURN, index, 0);
}

static void wake_workers(void);

static void turn_loop(uint32_t index)
{
    struct sim_loop *loop = &sim.loops[index];
    struct http_loop *l = &sim.server->loops[index];
    loop->polled = false;
    sim_note("loop % has a turn with % events", index, loop->event_count, 0, 0);
    sim.memory_armed = true;
    pthread_mutex_lock(&l->lock);
    http_loop_turn(l, loop->events, loop->event_count);
    pthread_mutex_unlock(&l->lock);
    sim.memory_armed = false;
    watch_drain();
    plan_loop(index);
    wake_workers();
    sim_log_read();
    sim_books_check(sim.world.clients < 8 || sim_chance(&sim.order, 10));
}

// ---- workers, as worker_main has it

static void sleep_worker(uint32_t index)
{
    struct http_pool *pool = sim.server->pool;
    sim.workers[index] = (struct sim_worker){.state = SIM_WORKER_SLEEPS};
    pool->idle++;
    pool->asleep++;
}

static void wake_workers(void)
{
    for (uint32_t i = 0; i < sim.world.workers; i++) {
        if (sim.workers[i].state != SIM_WORKER_SLEEPS)
            continue;
        if (sem_trywait(&sim.server->pool->work) != 0)
            return;
        sim.workers[i].state = SIM_WORKER_WAKES;
        sim_at(sim.now_ns + latency(), SIM_EV_WORKER, i, 0);
    }
}

// Another thread may send what a request waits for just before or after its handler looks.
static void publish_beside(const struct sim_request *r)
{
    if (r && r->kind == SIM_WAIT && sim_chance(&sim.order, 20))
        sim_publish(r->topic);
}

static void take_work(uint32_t index)
{
    struct http_pool *pool = sim.server->pool;
    const struct http_exchange *fresh = pool->fresh.first;
    bool others = pool->again.first;
    struct http_exchange *ex = http_pool_take(pool);
    sim.streak = others && fresh && ex == fresh ? sim.streak + 1 : 0;
    if (ex && ex == fresh && !sim.options.outside)
        sim_books_taken(ex);
    if (sim.streak > HTTP_POOL_STREAK && !sim.options.outside)
        sim_fail("%u requests in a row were taken before the next step of an answer", sim.streak);
    if (!ex && (pool->fresh.first || pool->again.first))
        sim_fail("a worker finds nothing to do although there is");
    if (!ex) {
        sleep_worker(index);
        return;
    }
    sim.workers[index].state = SIM_WORKER_RUNS;
    sim.workers[index].ex = ex;
    uint64_t time = sim_work_time(ex);
    struct sim_request *r = sim_request_of(ex);
    if (r && r->closed_ns != 0)
        sim_fail("a worker takes r%u-%u, whose connection was closed before", r->client, r->index);
    if (r) {
        r->taken = true;
        r->looked = http_topic_count(sim.server, r->topic);
    }
    publish_beside(r);
    sim_note("worker % takes work for % us", index, (int64_t)(time / SIM_US), 0, 0);
    sim_at(sim.now_ns + sim_range(&sim.order, time / 2, time), SIM_EV_WORKER, index, 0);
}

static void act_worker(uint32_t index)
{
    struct sim_worker *worker = &sim.workers[index];
    if (worker->state == SIM_WORKER_WAKES) {
        sim.server->pool->idle--;
        take_work(index);
        return;
    }
    struct http_exchange *ex = worker->ex;
    worker->ex = NULL;
    worker->state = SIM_WORKER_BETWEEN;
    int dummy = 0;
    struct sim_request *r = sim_request_of(ex);
    sim_note("worker % runs", index, 0, 0, 0);
    sim.queue_ns = r ? sim.now_ns - r->busy_since : SIM_NEVER;
    sim.memory_armed = true;
    publish_beside(r);
    http_pool_run(sim.server->pool, ex, &dummy);
    sim.memory_armed = false;
    sim.queue_ns = SIM_NEVER;
    if (r) {
        r->busy_ns += sim.now_ns - r->busy_since;
        r->busy_since = sim.now_ns;
    }
    take_work(index);
    wake_workers();
    sim_books_check(false);
}

// ---- the world's own events

static void publish(void)
{
    uint32_t most = sim.listeners > 0 ? 300 : sim.world.has_waits ? 60 : 10;
    if (sim.clients_done == sim.world.clients || sim.loops[0].ended || sim.published > most)
        return;
    // Many threads may publish; so may nobody for a while.
    for (uint32_t n = sim_below(&sim.order, 4); n > 0; n--) {
        sim.memory_armed = true;
        sim_publish(sim_below(&sim.order, SIM_TOPICS));
        sim.published++;
        sim.memory_armed = false;
    }
    sim_at(sim.now_ns + sim_range(&sim.order, 1, 2 * sim.world.publish_ns), SIM_EV_PUBLISH, 0, 0);
}

static void send_signal(void)
{
    if (sim.signalled)
        return;
    sim_note("a signal comes", 0, 0, 0, 0);
    sim.signalled = true;
    sim_signal(SIGTERM);
}

// SIGHUP has the keys read anew, and ends nothing.
static void reload(uint32_t times)
{
    if (sim.loops[0].ended || sim.clients_done == sim.world.clients)
        return;
    sim_note("SIGHUP comes", 0, 0, 0, 0);
    sim_signal(SIGHUP);
    if (times > 1)
        sim_at(sim.now_ns + sim_scale(&sim.order, SIM_US, SIM_S), SIM_EV_RELOAD, times - 1, 0);
}

static void handle(const struct event *event)
{
    if (sim.now_ns < event->time)
        sim.now_ns = event->time; // else the machine stood still, and this comes late
    sim.totals.events++;
    switch (event->kind) {
    case SIM_EV_CLIENT:
        if (sim.clients[event->index]->act_turn == event->turn)
            sim_client_act(sim.clients[event->index]);
        break;
    case SIM_EV_CHECK:
        sim_client_check(sim.clients[event->index]);
        break;
    case SIM_EV_POLL:
        if (sim.loops[event->index].poll_turn == event->turn && !sim.loops[event->index].polled)
            poll_loop(event->index);
        break;
    case SIM_EV_TURN:
        turn_loop(event->index);
        break;
    case SIM_EV_WORKER:
        act_worker(event->index);
        break;
    case SIM_EV_ROOM:
        sim_link_room(event->index, event->turn);
        break;
    case SIM_EV_SIGNAL:
        send_signal();
        break;
    case SIM_EV_RELOAD:
        reload(event->index);
        break;
    case SIM_EV_PUBLISH:
        publish();
        break;
    case SIM_EV_FREEZE:
        sim.now_ns += sim_scale(&sim.order, 100 * SIM_MS, 60 * SIM_S);
        sim.frozen_ns = sim.now_ns;
        sim_note("the machine stood still", 0, 0, 0, 0);
        break;
    }
}

// ---- from the beginning to the end

static bool start_server(void)
{
    const struct sim_world *world = &sim.world;
    struct pl_error err = {0};
    sim.memory_armed = false;
    struct http_server *s = http_server_new(&sim_app);
    if (!s)
        abort();
    sim.server = s;
    s->seam = &sim_seam;
    s->config = world->config;
    s->id_seed = sim_mix(world->seed, 99);
    memcpy(s->core_options, http_core_options, http_core_option_count * sizeof(s->core_options[0]));
    s->core_options[0].value = "";
    s->sets[0] = (struct http_option_set){s->core_options, http_core_option_count, &s->config, s->core_sources};
    sim.memory_armed = world->memory_at_start;
    enum pl_errc code = http_server_prepare(s, &err);
    sim.memory_armed = false;
    if (code != PL_OK) {
        if (!sim.starved)
            sim_fail("the server cannot be set up: %s", err.message);
        return false;
    }
    s->io->listen_fd = sim_net_listener();
    s->io->signal_fd = s->seam->signals_new();
    if (!s->seam->watch_input(s->loops[0].poller, s->io->signal_fd, &s->io->signal_fd) ||
        http_accept_start(&s->loops[0], &err) != PL_OK)
        sim_fail("the server cannot be started: %s", err.message);
    s->pool->threads = world->workers;
    for (uint32_t i = 0; i < world->workers; i++)
        sleep_worker(i);
    for (uint32_t i = 0; i < world->loops; i++) {
        sim.loops[i] = (struct sim_loop){.poll_at = SIM_NEVER};
        plan_loop(i);
    }
    if (world->logs)
        sim_log_begin();
    if (world->has_keys) {
        s->config.api_key_file = "keys";
        sim_keys_load();
    }
    sim.blocks = sim_memory_live();
    sim.running = true;
    return true;
}

static bool all_ended(void)
{
    for (uint32_t i = 0; i < sim.world.loops; i++) {
        if (!sim.loops[i].ended)
            return false;
    }
    return true;
}

static bool working(void)
{
    for (uint32_t i = 0; i < sim.world.workers; i++) {
        if (sim.workers[i].state == SIM_WORKER_RUNS)
            return true;
    }
    return false;
}

static bool run_until(uint64_t time)
{
    while (heap_count > 0 && heap[0].time <= time) {
        struct event event = pop();
        handle(&event);
    }
    if (sim.now_ns < time)
        sim.now_ns = time;
    return heap_count > 0;
}

static void run_clients(void)
{
    uint64_t first = sim.totals.events;
    while (sim.clients_done < sim.world.clients) {
        if (heap_count == 0)
            sim_fail("nothing happens any more, and %u clients wait", sim.world.clients - sim.clients_done);
        struct event event = pop();
        handle(&event);
        if (sim.options.events && sim.totals.events - first >= sim.options.events)
            return;
        if (sim.world.abrupt_ns && sim.now_ns >= SIM_S + sim.world.abrupt_ns)
            return;
    }
}

// The server is torn down in the middle, as when it cannot go on: connections are open and work is under way.
static void tear_down(void)
{
    struct http_server *s = sim.server;
    sim.running = false;
    sim_note("the server is torn down", 0, 0, 0, 0);
    for (uint32_t i = 0; i < s->loop_count; i++) {
        while (s->loops[i].all)
            http_conn_close(&s->loops[i], s->loops[i].all, true);
    }
    // Workers end what they have, and what is left for them.
    for (uint32_t i = 0; i < sim.world.workers; i++) {
        struct http_exchange *ex = sim.workers[i].state == SIM_WORKER_RUNS ? sim.workers[i].ex : NULL;
        sim.workers[i] = (struct sim_worker){.state = SIM_WORKER_BETWEEN};
        for (; ex; ex = http_pool_take(s->pool))
            http_pool_run(s->pool, ex, &i);
    }
}

// All clients have gone: everything must be given back without a signal, and then the server must end.
static void run_to_rest(void)
{
    const struct http_config *config = &sim.world.config;
    bool cut_short = sim.clients_done < sim.world.clients;
    for (uint32_t i = 0; i < sim.world.clients && cut_short; i++) {
        struct sim_client *c = sim.clients[i];
        c->connections = 0;
        if (c->link)
            sim_client_leave(c, true);
        c->done = true;
    }
    sim.clients_done = sim.world.clients;
    run_until(sim.now_ns + 4 * SIM_S);
    while (working())
        run_until(sim.now_ns + SIM_S);
    run_until(sim.now_ns + 5 * SIM_S); // the loops give back what they kept for the next request
    if (!all_ended())
        sim_books_check_rest();
    send_signal();
    uint64_t most = config->drain_delay_ms + config->drain_timeout_ms + 4000;
    run_until(sim.now_ns + most * SIM_MS);
    if (!all_ended())
        sim_fail("the server does not end");
    while (working())
        run_until(sim.now_ns + SIM_S);
}

void sim_run(uint64_t seed, const struct sim_options *options)
{
    struct sim_totals totals = sim.totals;
    struct http_exchange **live = sim.live;
    size_t live_cap = sim.live_cap;
    sim = (struct sim){.totals = totals,
                       .failure = sim.failure,
                       .options = *options,
                       .live = live,
                       .live_cap = live_cap,
                       .queue_ns = SIM_NEVER,
                       .now_ns = SIM_S};
    sim.totals.seeds++;
    heap_count = 0;
    order = 0;
    sim_trace_begin(options->trace);
    sim_world_make(&sim.world, seed, options);
    sim.net = sim_stream(seed, 2);
    sim.memory = sim_stream(seed, 3);
    sim.order = sim_stream(seed, 4);
    if (options->trace)
        sim_world_print(&sim.world);
    sim_net_begin();
    long before = sim_memory_live();
    if (start_server()) {
        sim_clients_begin();
        if (sim.world.signal_ns)
            sim_at(sim.now_ns + sim.world.signal_ns, SIM_EV_SIGNAL, 0, 0);
        if (sim.world.reloads > 0)
            sim_at(sim.now_ns + sim_scale(&sim.order, SIM_US, SIM_S), SIM_EV_RELOAD, sim.world.reloads, 0);
        if (sim.world.has_events || sim.world.has_waits)
            sim_at(sim.now_ns + sim.world.publish_ns, SIM_EV_PUBLISH, 0, 0);
        if (sim.world.freeze_ns)
            sim_at(sim.now_ns + sim.world.freeze_ns, SIM_EV_FREEZE, 0, 0);
        run_clients();
        if (sim.world.abrupt_ns && sim.clients_done < sim.world.clients && !sim.options.events) {
            tear_down();
        } else {
            run_to_rest();
            sim_log_check();
        }
    }
    sim_log_end();
    http_server_fini(sim.server);
    sim.server = NULL;
    sim.running = false;
    sim_net_check_closed();
    if (sim.live_count != 0)
        sim_fail("%zu exchanges were not given back", sim.live_count);
    if (sim_memory_live() != before)
        sim_fail("%ld blocks of memory were not given back", sim_memory_live() - before);
}

void sim_fini(void)
{
    sim_free(heap);
    heap = NULL;
    heap_cap = 0;
    sim_free(sim.live);
    sim.live = NULL;
    sim.live_cap = 0;
    sim_net_fini();
    sim_clients_fini();
}
