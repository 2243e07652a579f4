// The server's own books, checked between its turns: one owner per exchange, counts that add up, limits that hold.
#include <string.h>

#include "sim.h"

struct http_exchange *__real_http_exchange_get(struct http_loop *l);
void __real_http_exchange_put(struct http_loop *l, struct http_exchange *ex, enum http_owner from);
void __real_http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns);
bool __real_http_budget_take(struct http_budget *budget, size_t bytes);
bool __real_http_clients_take_bytes(struct http_clients *clients, uint64_t key, size_t bytes);
bool __real_http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns);
struct http_exchange *__wrap_http_exchange_get(struct http_loop *l);
void __wrap_http_exchange_put(struct http_loop *l, struct http_exchange *ex, enum http_owner from);
bool __wrap_http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns);
void __wrap_http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns);
bool __wrap_http_budget_take(struct http_budget *budget, size_t bytes);
bool __wrap_http_clients_take_bytes(struct http_clients *clients, uint64_t key, size_t bytes);

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

void __wrap_http_exchange_put(struct http_loop *l, struct http_exchange *ex, enum http_owner from)
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
    __real_http_exchange_put(l, ex, from);
}

bool __wrap_http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns)
{
    uint32_t waiting = atomic_load(&pool->waiting);
    bool taken = __real_http_pool_push(pool, ex, now_ns);
    if (!taken) {
        if (waiting < sim.world.config.max_queue || waiting < pool->idle)
            sim_fail("the queue refuses with %u waiting, %u idle and room for %u", waiting, pool->idle, pool->max);
        sim.queue_full_ns = sim.now_ns;
    }
    struct sim_request *r = sim_request_of(ex);
    if (taken && r) {
        r->pushed_ns = r->busy_since = sim.now_ns;
        r->offered = ex->body_len - ex->body_used;
    }
    return taken;
}

// The time before, in which the client read, is not the answer's.
void __wrap_http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns)
{
    struct sim_request *r = sim_request_of(ex);
    if (r) {
        r->busy_since = sim.now_ns;
        r->offered = ex->body_len - ex->body_used;
    }
    __real_http_pool_push_again(pool, ex, now_ns);
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

// ---- checks

static size_t check_queue(const struct http_queue *queue, bool fresh)
{
    size_t count = 0;
    const struct http_exchange *before = NULL;
    for (const struct http_exchange *ex = queue->first; ex; ex = ex->next) {
        if (ex->owner != HTTP_OWNER_POOL || !ex->queued || ex->prev != before || ex->run_once == fresh)
            sim_fail("the queue holds an exchange that does not belong there");
        // One that waits is answered when its time is over, not when a worker comes to it.
        uint64_t deadline = ex->req.job.deadline_ns;
        if (fresh && deadline != 0 && ex->conn && sim.now_ns > deadline + 2 * SLACK_NS &&
            sim.now_ns > sim.frozen_ns + 2 * SLACK_NS)
            sim_fail("an exchange waits although its time is over");
        before = ex;
        if (++count > sim.live_count)
            sim_fail("the queue is a ring");
    }
    if (queue->last != before)
        sim_fail("the queue's end is wrong");
    return count;
}

static void check_output(const struct http_conn *c, size_t *charged)
{
    size_t queued = 0;
    for (const struct http_piece *piece = c->out.first; piece; piece = piece->next) {
        if (piece->at > piece->len || (piece->answer && piece->answer->owner != HTTP_OWNER_OUTPUT))
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

static void check_connection(const struct http_loop *l, const struct http_conn *c)
{
    if (!c->open || c->fd < 0)
        sim_fail("a closed connection is in the list");
    const struct http_exchange *ex = c->current;
    if (ex && ex->owner == HTTP_OWNER_FREE_LIST)
        sim_fail("descriptor %d is about an exchange that is free", c->fd);
    if (ex && ex->loop != l)
        sim_fail("descriptor %d is about an exchange of another loop", c->fd);
    if (ex && ex->owner == HTTP_OWNER_POOL && ex->conn != c)
        sim_fail("descriptor %d is about an exchange that does not know it", c->fd);
    if (!ex && c->in.state == HTTP_IN_HELD)
        sim_fail("descriptor %d waits for nothing", c->fd);
    // Whatever waits for the client has a deadline, and the deadline is watched.
    bool waits = c->out.first || (!ex && c->in.state != HTTP_IN_HELD) || c->in.state == HTTP_IN_BODY ||
                 (c->in.state == HTTP_IN_STREAM && ex->owner != HTTP_OWNER_POOL);
    if (waits && !c->in_ready && c->deadline_ns == 0)
        sim_fail("descriptor %d waits for its client without a deadline", c->fd);
    if (c->deadline_ns != 0 && c->slot == 0)
        sim_fail("the deadline of descriptor %d is not watched", c->fd);
    uint64_t tick = c->deadline_ns / HTTP_TICK_NS + 1;
    if (c->deadline_ns != 0 && c->due_tick > tick && c->due_tick > l->tick + 1)
        sim_fail("the deadline of descriptor %d is watched too late", c->fd);
}

static void check_owners(void)
{
    for (size_t i = 0; i < sim.live_count; i++) {
        const struct http_exchange *ex = sim.live[i];
        if (ex->owner == HTTP_OWNER_FREE_LIST)
            sim_fail("an exchange that is in use is the free list's");
        if (ex->owner == HTTP_OWNER_INPUT && ex->loop->server != sim.server)
            sim_fail("an exchange has lost its server");
    }
    for (uint32_t k = 0; k < sim.world.workers; k++) {
        if (sim.workers[k].state == SIM_WORKER_RUNS && sim.workers[k].ex->owner != HTTP_OWNER_POOL)
            sim_fail("worker %u has an exchange that is not the pool's", k);
    }
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
    uint32_t waiting = atomic_load(&s->pool.waiting);
    if (waiting > sim.world.config.max_queue && waiting > sim.world.workers)
        sim_fail("%u requests wait", waiting);
    if (!all)
        return;
    if (check_queue(&s->pool.fresh, true) != waiting)
        sim_fail("the queue's count is wrong");
    (void)check_queue(&s->pool.again, false);
    size_t charged = 0;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < s->loop_count; i++) {
        const struct http_loop *l = &s->loops[i];
        for (const struct http_conn *c = l->all; c; c = c->all_next) {
            check_connection(l, c);
            check_output(c, &charged);
            listed++;
        }
        if (l->drain_begun && l->subscribers)
            sim_fail("loop %u has event streams although the door is closed", i);
        for (const struct http_exchange *ex = l->free_exchanges; ex; ex = ex->next) {
            if (ex->owner != HTTP_OWNER_FREE_LIST || ex->charged != 0)
                sim_fail("the free list holds an exchange that is in use");
        }
    }
    if (listed > connections)
        sim_fail("%u connections are listed and %u are counted", listed, connections);
    for (size_t i = 0; i < sim.live_count; i++)
        charged += sim.live[i]->charged;
    if (charged != used)
        sim_fail("%zu bytes of the budget are used and %zu are held", used, charged);
    check_owners();
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
    if (s->pool.fresh.first || s->pool.again.first || atomic_load(&s->pool.waiting) != 0)
        sim_fail("requests wait at rest");
    if (sim.states != 0)
        sim_fail("%u answers in steps were not ended", sim.states);
    for (uint32_t i = 0; i < s->loop_count; i++) {
        if (s->loops[i].subscribers || s->loops[i].all || s->loops[i].ready)
            sim_fail("loop %u has connections at rest", i);
    }
    for (size_t i = 0; i < s->clients.place_count; i++) {
        if (s->clients.places[i].key != 0)
            sim_fail("a client is counted at rest");
    }
}
