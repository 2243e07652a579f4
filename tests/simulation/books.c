// The server's own books, checked between its turns: one owner per exchange, counts that add up, limits that hold.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "sim.h"

struct http_exchange *__real_http_exchange_get(struct http_loop *l);
void __real_http_exchange_put(struct http_loop *l, struct http_exchange *ex);
void __real_http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, enum http_place from,
                                 uint64_t now_ns);
bool __real_http_budget_take(struct http_budget *budget, size_t bytes);
bool __real_http_clients_take_bytes(struct http_clients *clients, uint64_t key, size_t bytes);
bool __real_http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns);
struct http_exchange *__wrap_http_exchange_get(struct http_loop *l);
void __wrap_http_exchange_put(struct http_loop *l, struct http_exchange *ex);
bool __wrap_http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns);
void __wrap_http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, enum http_place from,
                                 uint64_t now_ns);
bool __wrap_http_budget_take(struct http_budget *budget, size_t bytes);
bool __wrap_http_clients_take_bytes(struct http_clients *clients, uint64_t key, size_t bytes);

struct http_counter *__real_http_metric_counter_at(struct http_metrics *metrics, _Atomic(struct http_counter *) *place,
                                                   const char *name, const char *help, const char *labels);
struct http_counter *__wrap_http_metric_counter_at(struct http_metrics *metrics, _Atomic(struct http_counter *) *place,
                                                   const char *name, const char *help, const char *labels);
void __real_http_histogram_observe(struct http_histogram *histogram, uint64_t nanoseconds);
void __wrap_http_histogram_observe(struct http_histogram *histogram, uint64_t nanoseconds);
void __wrap_http_key_reader_ask(struct http_server *s);

// ---- which exchanges are in use

struct http_exchange *__wrap_http_exchange_get(struct http_loop *l)
{
    struct http_exchange *ex = __real_http_exchange_get(l);
    if (!ex)
        return NULL;
    for (size_t i = 0; i < sim.live_count; i++) {
        if (sim.live[i] == ex)
            sim_fail("an exchange that is in use is given out again");
    }
    if (sim.live_count == sim.live_cap) {
        sim.live_cap = sim.live_cap ? sim.live_cap * 2 : 64;
        sim.live = sim_realloc(sim.live, sim.live_cap * sizeof(struct http_exchange *));
    }
    sim.live[sim.live_count++] = ex;
    return ex;
}

void __wrap_http_exchange_put(struct http_loop *l, struct http_exchange *ex)
{
    size_t i = 0;
    while (i < sim.live_count && sim.live[i] != ex)
        i++;
    if (i == sim.live_count)
        sim_fail("an exchange is given back that is not in use");
    for (uint32_t k = 0; k < sim.world.workers && !sim.options.outside; k++) {
        if (sim.workers[k].ex == ex && sim.workers[k].state == SIM_WORKER_RUNS)
            sim_fail("an exchange is given back while worker %u has it", k);
    }
    sim.live[i] = sim.live[--sim.live_count];
    __real_http_exchange_put(l, ex);
}

// ---- whose turn it is

static uint32_t place_of(const struct http_exchange *ex)
{
    return (uint32_t)(ex->client_key % TURNS_PLACES);
}

static uint32_t waiting_of(const struct http_pool *pool, uint32_t place)
{
    uint32_t count = 0;
    for (const struct http_exchange *ex = pool->fresh.first; ex; ex = ex->next)
        count += place_of(ex) == place;
    return count;
}

// Turns that clients of that place have let pass, since they left the queue.
static uint32_t passed_of(uint32_t place)
{
    return sim.turns.pushed[place] - sim.turns.taken[place] - waiting_of(sim.server->pool, place);
}

// While it waited, nobody else had more turns than its own client, one that was first, and one in the round before.
void sim_books_taken(const struct http_exchange *ex)
{
    static uint32_t turns[TURNS_PLACES];
    const struct sim_request *r = sim_request_of(ex);
    uint32_t own = place_of(ex), from = r ? r->takes_before : sim.turns.count;
    memset(turns, 0, sizeof(turns));
    for (uint32_t i = from; i < sim.turns.count; i++)
        turns[sim.turns.places[i]]++;
    for (uint32_t i = from; i < sim.turns.count; i++) {
        uint32_t other = sim.turns.places[i];
        if (other != own && turns[other] > turns[own] + 2 &&
            turns[other] > turns[own] + 2 + passed_of(own) + passed_of(other))
            sim_fail("r%u-%u waits for %u requests of another client, and for %u of its own", r->client, r->index,
                     turns[other], turns[own]);
    }
    if (sim.turns.count == PL_COUNTOF(sim.turns.places))
        sim_fail("too many turns to be remembered");
    sim.turns.places[sim.turns.count++] = (uint16_t)own;
    sim.turns.taken[own]++;
}

bool __wrap_http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns)
{
    const uint32_t place = place_of(ex), waiting = http_list_count(&pool->fresh), own = waiting_of(pool, place);
    const uint32_t most = sim.world.config.max_queue * (own == 0 ? 2 : 1);
    bool taken = __real_http_pool_push(pool, ex, now_ns), room = waiting < most || waiting < pool->idle;
    if (taken != room)
        sim_fail("the queue %s with %u waiting, %u of the same client, %u idle and room for %u",
                 taken ? "takes a request" : "refuses", waiting, own, pool->idle, pool->max);
    if (!taken)
        sim.queue_full_ns = sim.now_ns;
    sim.turns.pushed[place] += taken;
    struct sim_request *r = sim_request_of(ex);
    if (taken && r) {
        r->takes_before = sim.turns.count;
        r->pushed_ns = r->busy_since = sim.now_ns;
        r->offered = ex->body_len - ex->body_used;
    }
    return taken;
}

// The time before, in which the client read, is not the answer's.
void __wrap_http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, enum http_place from,
                                 uint64_t now_ns)
{
    struct sim_request *r = sim_request_of(ex);
    if (r) {
        r->busy_since = sim.now_ns;
        r->offered = ex->body_len - ex->body_used;
        if (r->kind == SIM_WAIT)
            r->pushed_ns = sim.now_ns;
    }
    __real_http_pool_push_again(pool, ex, from, now_ns);
}

bool __wrap_http_budget_take(struct http_budget *budget, size_t bytes)
{
    size_t used = atomic_load(&budget->used);
    bool taken = __real_http_budget_take(budget, bytes);
    if (!taken) {
        if (used <= budget->limit && bytes <= budget->limit - used)
            sim_fail("the budget refuses %zu bytes with %zu of %zu used", bytes, used, budget->limit);
        sim.budget_ns = sim.now_ns;
    }
    return taken;
}

bool __wrap_http_clients_take_bytes(struct http_clients *clients, uint64_t key, size_t bytes)
{
    bool taken = __real_http_clients_take_bytes(clients, key, bytes);
    if (!taken) {
        size_t used = 0;
        for (size_t i = 0; i < clients->place_count; i++)
            used += clients->places[i].key == key ? clients->places[i].bytes : 0;
        if (used <= clients->most_bytes && bytes <= clients->most_bytes - used)
            sim_fail("a client is refused %zu bytes with %zu of %zu used", bytes, used, clients->most_bytes);
        sim.budget_ns = sim.now_ns;
    }
    return taken;
}

// Counters that are made when they are first needed stay.
struct http_counter *__wrap_http_metric_counter_at(struct http_metrics *metrics, _Atomic(struct http_counter *) *place,
                                                   const char *name, const char *help, const char *labels)
{
    long before = sim_memory_live();
    struct http_counter *counter = __real_http_metric_counter_at(metrics, place, name, help, labels);
    sim.lazy_blocks += sim_memory_live() - before;
    return counter;
}

// Time in the queue is what passed since the request was last put there, and nothing else.
void __wrap_http_histogram_observe(struct http_histogram *histogram, uint64_t nanoseconds)
{
    if (histogram && histogram == sim.server->m.queue_wait && sim.queue_ns != SIM_NEVER && nanoseconds != sim.queue_ns)
        sim_fail("%llu ns in the queue are counted instead of %llu", (unsigned long long)nanoseconds,
                 (unsigned long long)sim.queue_ns);
    __real_http_histogram_observe(histogram, nanoseconds);
}

// ---- keys

void sim_keys_load(void)
{
    char text[256];
    struct pl_error err = {0};
    struct http_keys keys = {0};
    int len = snprintf(text, sizeof(text), "key-%u-of-this-time\n" SIM_KEY "\nanother-%u\n", sim.reloads, sim.reloads);
    bool armed = sim.memory_armed;
    sim.memory_armed = false;
    keys.text = malloc((size_t)len);
    if (!keys.text)
        abort();
    memcpy(keys.text, text, (size_t)len);
    if (http_keys_parse(&keys, (size_t)len, "keys", &err) != PL_OK)
        sim_fail("the keys cannot be read: %s", err.message);
    http_keys_free(&sim.server->guard->keys);
    sim.server->guard->keys = keys;
    sim.memory_armed = armed;
}

// The process that reads keys is not here: what it sends is taken at once.
void __wrap_http_key_reader_ask(struct http_server *s)
{
    (void)s;
    sim.reloads++;
    if (sim.world.has_keys)
        sim_keys_load();
}

// ---- checks

// How often each exchange that is in use was found in a list, or in somebody's hands.
static uint8_t *found;
static size_t found_cap;

// Somebody holds the exchange as one that is at `place`. It is looked at only if it is in use: it may be freed.
static void find(const struct http_exchange *ex, enum http_place place, const char *holder)
{
    size_t i = 0;
    while (i < sim.live_count && sim.live[i] != ex)
        i++;
    if (i == sim.live_count)
        sim_fail("%s holds an exchange that is free", holder);
    if (http_exchange_place(ex) != place)
        sim_fail("%s holds an exchange that is at %u", holder, http_exchange_place(ex));
    if (found[i]++ > 0)
        sim_fail("%s holds an exchange that is elsewhere too", holder);
}

static void check_list(const struct http_list *list, enum http_place place, const char *name)
{
    size_t count = 0;
    const struct http_exchange *before = NULL;
    for (const struct http_exchange *ex = list->first; ex; ex = ex->next) {
        find(ex, place, name);
        if (ex->prev != before)
            sim_fail("%s is linked wrongly", name);
        before = ex;
        count++;
    }
    if (list->last != before || count != http_list_count(list))
        sim_fail("%s has a wrong end or count", name);
}

// One that waits for a worker is answered when its time is over, not when a worker comes to it.
static void check_overdue(const struct http_list *queue)
{
    for (const struct http_exchange *ex = queue->first; ex; ex = ex->next) {
        uint64_t deadline = ex->req.job.deadline_ns;
        if (ex->res.result != HTTP_RESULT_STEPS && deadline != 0 && ex->conn &&
            sim.now_ns > PL_MAX(deadline, sim.frozen_ns) + SLACK_NS)
            sim_fail("an exchange waits in a queue although its time is over");
    }
}

// One that waits for its topic holds its request and no more, is woken when something was sent, and ends in time.
static void check_waiters(const struct http_loop *l)
{
    for (const struct http_exchange *ex = l->waiters.first; ex; ex = ex->next) {
        const struct sim_request *r = sim_request_of(ex);
        if (ex->charged > (ex->body_malloced ? ex->body_cap : 0) || ex->res.owned || ex->res.extra || ex->res.steps)
            sim_fail("r%u-%u waits and holds more than its request", r->client, r->index);
        if (l->drain_begun)
            sim_fail("r%u-%u waits although the door is closed", r->client, r->index);
        if (sim.now_ns <= sim.frozen_ns + 2 * SLACK_NS)
            continue;
        if (sim.now_ns > ex->wait_end_ns + SLACK_NS)
            sim_fail("r%u-%u waits although its time is over", r->client, r->index);
        uint64_t last = sim.event_numbers[r->topic];
        if (!sim.starved && last != ex->res.seen && sim.event_times[r->topic][last % 64] + SLACK_NS < sim.now_ns)
            sim_fail("r%u-%u waits although event %llu was sent", r->client, r->index, (unsigned long long)last);
    }
}

// Every exchange is in exactly the place that it names.
static void check_places(void)
{
    const struct http_server *s = sim.server;
    if (found_cap < sim.live_cap) {
        found_cap = sim.live_cap;
        found = sim_realloc(found, found_cap);
    }
    if (sim.live_count > 0)
        memset(found, 0, sim.live_count);
    check_list(&s->pool->fresh, HTTP_AT_FRESH, "the queue of fresh requests");
    check_list(&s->pool->again, HTTP_AT_AGAIN, "the queue of those that run again");
    check_overdue(&s->pool->fresh);
    check_overdue(&s->pool->again);
    for (uint32_t k = 0; k < sim.world.workers; k++) {
        if (sim.workers[k].state == SIM_WORKER_RUNS)
            find(sim.workers[k].ex, HTTP_AT_WORKER, "a worker");
    }
    for (uint32_t i = 0; i < s->loop_count; i++) {
        const struct http_loop *l = &s->loops[i];
        check_list(&l->subscribers, HTTP_AT_EVENTS, "a loop's list of event streams");
        check_list(&l->waiters, HTTP_AT_WAITING, "a loop's list of requests that wait");
        check_waiters(l);
        for (const struct http_exchange *ex = atomic_load(&l->done); ex; ex = ex->next)
            find(ex, HTTP_AT_DONE, "a loop's list of finished work");
        for (const struct http_conn *c = l->all; c; c = c->all_next) {
            for (const struct http_piece *piece = c->out.first; piece; piece = piece->next) {
                if (piece->answer)
                    find(piece->answer, HTTP_AT_PIECE, "a piece of an answer");
            }
            enum http_place place = c->current ? http_exchange_place(c->current) : HTTP_AT_FREE;
            if (place == HTTP_AT_INPUT || place == HTTP_AT_OUTPUT)
                find(c->current, place, "a connection");
        }
        for (const struct http_exchange *ex = l->free_exchanges; ex; ex = ex->next) {
            if (http_exchange_place(ex) != HTTP_AT_FREE || ex->charged != 0)
                sim_fail("the free list holds an exchange that is in use");
        }
    }
    for (size_t i = 0; i < sim.live_count; i++) {
        if (found[i] != 1)
            sim_fail("an exchange at %u is in no list", http_exchange_place(sim.live[i]));
    }
}

static void check_output(const struct http_conn *c, size_t *charged)
{
    size_t queued = 0;
    for (const struct http_piece *piece = c->out.first; piece; piece = piece->next) {
        if (piece->at > piece->len)
            sim_fail("a piece of the output of descriptor %d is wrong", c->fd);
        if (!piece->next && piece != c->out.last)
            sim_fail("the output of descriptor %d has a wrong end", c->fd);
        queued += piece->len - piece->at;
        *charged += piece->charged;
    }
    if (queued != c->out.queued)
        sim_fail("descriptor %d has %zu bytes queued and says %zu", c->fd, queued, c->out.queued);
    // What is queued when no more may be added, and one answer or step on top.
    size_t most = HTTP_OUTPUT_HIGH + sim.world.answer_most + sim.world.body_most + HTTP_HEAD_MAX + 70000;
    if (queued > most)
        sim_fail("descriptor %d has %zu bytes queued", c->fd, queued);
}

// The client has ended its side, all that it sent was read, and nothing is on its way to it: that is the end, and no
// deadline is waited for.
static void check_end(const struct http_conn *c)
{
    struct sim_link *link = sim_link_of(c->fd);
    bool idle = !c->current || http_exchange_place(c->current) == HTTP_AT_INPUT;
    if (!idle || !link->client_ended || link->up.len > 0 || c->out.first)
        link->over_ns = 0;
    else if (link->over_ns == 0)
        link->over_ns = sim.now_ns;
    else if (sim.now_ns > PL_MAX(link->over_ns, sim.frozen_ns) + SLACK_NS)
        sim_fail("connection %u stays open although its client has ended", link->serial);
}

static void check_connection(const struct http_loop *l, const struct http_conn *c)
{
    if (!c->open || c->fd < 0)
        sim_fail("a closed connection is in the list");
    const struct http_exchange *ex = c->current;
    if (ex && (http_exchange_place(ex) == HTTP_AT_FREE || http_exchange_place(ex) == HTTP_AT_PIECE))
        sim_fail("descriptor %d is about an exchange that is free", c->fd);
    if (ex && ex->loop != l)
        sim_fail("descriptor %d is about an exchange of another loop", c->fd);
    if (ex && http_exchange_place(ex) != HTTP_AT_INPUT && ex->conn && ex->conn != c)
        sim_fail("descriptor %d is about an exchange that does not know it", c->fd);
    if (!ex && c->in.state == HTTP_IN_HELD)
        sim_fail("descriptor %d waits for nothing", c->fd);
    // Whatever waits for the client has a deadline, and the deadline is watched.
    bool waits = c->out.first || (!ex && c->in.state != HTTP_IN_HELD) || c->in.state == HTTP_IN_BODY ||
                 (c->in.state == HTTP_IN_STREAM && !http_exchange_with_pool(ex));
    if (waits && !c->in_ready && c->deadline_ns == 0)
        sim_fail("descriptor %d waits for its client without a deadline", c->fd);
    uint64_t first = c->in.deadline_ns;
    if (c->out.deadline_ns != 0 && (first == 0 || c->out.deadline_ns < first))
        first = c->out.deadline_ns;
    if (first != 0 && !c->in_ready && (c->deadline_ns == 0 || c->deadline_ns > first))
        sim_fail("the timer of descriptor %d is later than its deadline", c->fd);
    if (c->deadline_ns != 0 && c->slot == 0)
        sim_fail("the deadline of descriptor %d is not watched", c->fd);
    uint64_t tick = c->deadline_ns / HTTP_TICK_NS + 1;
    if (c->deadline_ns != 0 && c->due_tick > tick && c->due_tick > l->tick + 1)
        sim_fail("the deadline of descriptor %d is watched too late", c->fd);
    check_end(c);
}

// What the key's place in the table says; nothing when it has none.
static struct http_client_share share_of(uint64_t key)
{
    const struct http_clients *clients = &sim.server->clients;
    size_t mask = clients->place_count - 1;
    for (size_t i = 0; i <= mask && clients->places[(key + i) & mask].key != 0; i++) {
        if (clients->places[(key + i) & mask].key == key)
            return clients->places[(key + i) & mask];
    }
    return (struct http_client_share){0};
}

static size_t bytes_of(uint64_t key)
{
    size_t bytes = 0;
    for (size_t i = 0; i < sim.live_count; i++)
        bytes += sim.live[i]->client_key == key ? sim.live[i]->charged : 0;
    for (uint32_t i = 0; i < sim.server->loop_count; i++) {
        for (const struct http_conn *c = sim.server->loops[i].all; c; c = c->all_next) {
            for (const struct http_piece *piece = c->out.first; piece; piece = piece->next)
                bytes += piece->client_key == key ? piece->charged : 0;
        }
    }
    return bytes;
}

static void check_clients(void)
{
    const struct http_config *config = &sim.world.config;
    if (!sim.server->clients.places)
        return;
    for (uint32_t i = 0; i < sim.world.clients; i++) {
        const struct sim_client *c = sim.clients[i];
        if (c->place != i)
            continue; // the first one of an address stands for all
        uint64_t key = http_client_key(sim.server, &c->address);
        struct http_client_share share = share_of(key);
        uint32_t open = sim_open_of(i);
        if (config->max_client_connections > 0 && (open > config->max_client_connections || open != share.connections))
            sim_fail("address %u has %u connections and %u are counted", i, open, share.connections);
        if (config->max_client_memory > 0 && (share.bytes > config->max_client_memory || share.bytes != bytes_of(key)))
            sim_fail("address %u has %zu bytes and %zu are counted", i, bytes_of(key), share.bytes);
    }
}

static void check_turns(void)
{
    for (uint32_t i = 0; i < sim.world.clients; i++) {
        uint64_t key = http_client_key(sim.server, &sim.clients[i]->address);
        uint32_t waiting = waiting_of(sim.server->pool, (uint32_t)(key % TURNS_PLACES));
        uint32_t counted = turns_share_of(&sim.server->pool->turns, key)->jobs;
        if (waiting != counted)
            sim_fail("%u requests of client %u are in the queue and %u are counted", waiting, i, counted);
    }
}

void sim_books_check(bool all)
{
    struct http_server *s = sim.server;
    if (sim.options.outside)
        return;
    size_t used = atomic_load(&s->budget.used);
    if (used > s->budget.limit)
        sim_fail("%zu bytes of the budget of %zu are used", used, s->budget.limit);
    uint32_t connections = http_connection_count(s);
    if (connections != sim_open_descriptors())
        sim_fail("%u connections are open and %u are counted", sim_open_descriptors(), connections);
    if (connections > s->config.max_connections)
        sim_fail("%u connections are open", connections);
    uint32_t waiting = http_list_count(&s->pool->fresh);
    if (waiting > 2 * sim.world.config.max_queue && waiting > sim.world.workers)
        sim_fail("%u requests wait", waiting);
    if (!all)
        return;
    check_places();
    check_turns();
    size_t charged = 0;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < s->loop_count; i++) {
        const struct http_loop *l = &s->loops[i];
        for (const struct http_conn *c = l->all; c; c = c->all_next) {
            check_connection(l, c);
            check_output(c, &charged);
            listed++;
        }
        if (l->drain_begun && l->subscribers.first)
            sim_fail("loop %u has event streams although the door is closed", i);
    }
    if (listed > connections)
        sim_fail("%u connections are listed and %u are counted", listed, connections);
    for (size_t i = 0; i < sim.live_count; i++)
        charged += sim.live[i]->charged;
    if (charged != used)
        sim_fail("%zu bytes of the budget are used and %zu are held", used, charged);
    check_clients();
}

void sim_books_check_rest(void)
{
    struct http_server *s = sim.server;
    sim_books_check(true);
    if (http_connection_count(s) != 0)
        sim_fail("%u connections are open at rest", http_connection_count(s));
    if (atomic_load(&s->budget.used) != 0)
        sim_fail("%zu bytes of the budget are used at rest", atomic_load(&s->budget.used));
    if (sim.live_count != 0)
        sim_fail("%zu exchanges are in use at rest", sim.live_count);
    if (s->pool->fresh.first || s->pool->again.first)
        sim_fail("requests wait at rest");
    if (sim.states != 0)
        sim_fail("%u answers in steps were not ended", sim.states);
    for (uint32_t i = 0; i < s->loop_count; i++) {
        if (s->loops[i].subscribers.first || s->loops[i].waiters.first || s->loops[i].all || s->loops[i].ready)
            sim_fail("loop %u has connections at rest", i);
    }
    for (size_t i = 0; i < s->clients.place_count; i++) {
        if (s->clients.places[i].key != 0)
            sim_fail("a client is counted at rest");
    }
    // Counters, the buffers of the log and the buckets of rates stay.
    long kept = sim.blocks + sim.lazy_blocks + (s->log.filling.data != NULL) + (s->guard->rates.buckets != NULL);
    for (uint32_t i = 0; i < s->loop_count; i++)
        kept += s->loops[i].log_lines.data != NULL;
    if (sim_memory_live() != kept)
        sim_fail("%ld more blocks of memory are in use at rest than at the start", sim_memory_live() - kept);
}
