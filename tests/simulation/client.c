// The clients: what each of them asks, how it sends and reads, and when it leaves.
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "sim.h"

#define BUFFER 65536
#define CHECK_NS (500 * SIM_MS)
#define READS_LAST_NS (90 * SIM_MS) // a server that waits to write has at least four times that

static struct sim_client *spare[SIM_CLIENTS]; // of former runs

// ---- making them

static void make_address(struct sim_client *c, const struct sim_world *world)
{
    c->place = world->shared_address ? 0 : world->crowd && c->index % 3 != 0 ? 1 : c->index;
    memset(&c->address, 0, sizeof(c->address));
    if (sim_mix(world->seed, c->place) % 4 == 0) {
        struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)&c->address;
        six->sin6_family = AF_INET6;
        six->sin6_addr.s6_addr[0] = 0x20;
        six->sin6_addr.s6_addr[1] = 0x01;
        six->sin6_addr.s6_addr[6] = (uint8_t)(c->place >> 8);
        six->sin6_addr.s6_addr[7] = (uint8_t)c->place;
        six->sin6_addr.s6_addr[15] = (uint8_t)(1 + c->index % 200); // the second half does not count
        inet_ntop(AF_INET6, &six->sin6_addr, c->address_text, sizeof(c->address_text));
    } else {
        struct sockaddr_in *four = (struct sockaddr_in *)(void *)&c->address;
        four->sin_family = AF_INET;
        four->sin_addr.s_addr = htonl(0x0A000001u + c->place);
        inet_ntop(AF_INET, &four->sin_addr, c->address_text, sizeof(c->address_text));
    }
}

static uint32_t largest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// A reader that is slow, but as fast as is asked for, may not be cut off.
static bool is_steady(const struct sim_client *c, const struct sim_world *world)
{
    uint64_t bytes = c->read_most < world->down_room ? c->read_most : world->down_room;
    if (world->short_write > 0)
        return false; // then it is not only the reader who is slow
    return c->reading == SIM_READ_SLOWLY && c->read_pause * 4 < world->config.write_timeout_ms * SIM_MS &&
           bytes * SIM_S / (c->read_pause + world->client_latency) > 8 * world->config.min_rate;
}

// Sends all at once, then its end: what follows an answer that is the last one is unread. Most of them read only then.
static void send_first(struct sim_client *c, struct sim_random *random)
{
    c->depth = SIM_REQUESTS;
    c->per_connection = 2 + sim_below(random, 8);
    c->think_most = 0;
    c->send_pause = 0;
    c->reading = SIM_READ_ALL;
    c->leaving = SIM_LEAVE_HALF;
    c->reads_last = sim_chance(random, 75);
}

static void make_habits(struct sim_client *c, const struct sim_world *world)
{
    struct sim_random *random = &c->random;
    c->depth = sim_chance(random, 50) ? 1 : (uint32_t)sim_scale(random, 1, 32);
    if (sim.options.without & SIM_PART_PIPELINE)
        c->depth = 1;
    c->per_connection = sim_chance(random, 60) ? SIM_REQUESTS : (uint32_t)sim_scale(random, 1, 16);
    c->connections = sim_chance(random, 30) ? 1 + sim_below(random, 6) : SIM_REQUESTS;
    c->send_most = sim_chance(random, 50) ? BUFFER : (uint32_t)sim_scale(random, 1, 4096);
    c->read_most = sim_chance(random, 50) ? BUFFER : (uint32_t)sim_scale(random, 1, 8192);
    // Bytes one by one are worth having, but not for 100 KB, and not if that is too slow for the server.
    uint32_t least = (uint32_t)(8 * world->config.min_rate * world->client_latency / SIM_S) + 1;
    c->send_most = largest(c->send_most, largest(least, (uint32_t)(world->body_most / 300)));
    c->read_most = largest(c->read_most, largest(least, (uint32_t)(world->answer_most / 300)));
    c->think_most = sim_chance(random, 70) ? world->client_latency : sim_scale(random, SIM_US, 100 * SIM_MS);
    c->reading = SIM_READ_ALL;
    c->leaving = SIM_LEAVE_AFTER;
    c->stay_ns = sim_chance(random, 70) ? 0 : sim_scale(random, SIM_MS, 2 * SIM_S);
    c->listens = world->has_events && sim_chance(random, 25);
    c->waits_for_end = sim_chance(random, 30);
    c->gives_up = world->has_waits && c->abuses && sim_chance(random, 50) ? 1 + sim_below(random, 150) : 0;
    if (world->streaming) {
        c->reading = SIM_READ_SLOWLY;
        c->read_most = (uint32_t)sim_range(random, 500, 8000);
        c->read_pause = sim_range(random, 2, 60) * SIM_MS;
        c->steady = is_steady(c, world);
        return;
    }
    if (!c->abuses)
        return;
    if (sim_chance(random, 40)) {
        static const uint8_t READINGS[] = {SIM_READ_SLOWLY, SIM_READ_SLOWLY, SIM_READ_LATE, SIM_READ_NEVER,
                                           SIM_READ_UP_TO};
        c->reading = READINGS[sim_below(random, 5)];
        c->read_pause = sim_scale(random, SIM_MS, 500 * SIM_MS);
        c->read_stop = sim_scale(random, 1, 20000);
        c->steady = is_steady(c, world);
    }
    if (sim_chance(random, 15)) {
        c->send_pause = sim_scale(random, SIM_MS, 500 * SIM_MS);
        c->send_most = (uint32_t)sim_scale(random, 1, 4096);
    }
    if (sim_chance(random, 60)) {
        c->leaving = (uint8_t)(SIM_LEAVE_HALF + sim_below(random, 5));
        c->leave_at = sim_chance(random, 10) ? 0 : sim_scale(random, 1, sim_chance(random, 50) ? 300 : 30000);
    }
    if (sim_chance(random, 15))
        c->think_most = world->config.idle_timeout_ms * SIM_MS * 2;
    if (sim_chance(random, 20))
        send_first(c, random);
}

static void make_client(struct sim_client *c, uint32_t index, const struct sim_world *world)
{
    uint8_t *out = c->out;
    size_t out_cap = c->out_cap;
    memset(c, 0, offsetof(struct sim_client, answer)); // the answer's buffers are large
    c->out = out;
    c->out_cap = out_cap;
    c->index = index;
    c->random = sim_stream(world->seed, 1000 + index);
    c->act_at = SIM_NEVER;
    c->abuses = !world->polite && sim_chance(&c->random, 50);
    if (sim.options.without & SIM_PART_ABUSE)
        c->abuses = false;
    make_address(c, world);
    make_habits(c, world);
    c->request_count = 1 + sim_below(&c->random, world->requests);
    if (sim.options.requests && c->request_count > sim.options.requests)
        c->request_count = sim.options.requests;
    for (uint32_t i = 0; i < c->request_count; i++)
        sim_request_make(&c->requests[i], index, i, &c->random, world, c->reads_last ? 25 : c->abuses ? 10 : 0);
    if (c->listens) {
        // Its last request opens a stream of events.
        sim.listeners++;
        struct sim_request *r = &c->requests[c->request_count - 1];
        uint32_t topic = r->topic;
        bool http10 = r->http10;
        *r = (struct sim_request){.client = index,
                                  .index = c->request_count - 1,
                                  .kind = SIM_EVENTS,
                                  .topic = topic,
                                  .http10 = http10,
                                  .keep_alive = !http10,
                                  .with_id = true,
                                  .inlined = c->index % 2 == 0,
                                  .fail_at = SIM_NONE,
                                  .work_ns = SIM_US};
        c->stay_ns = sim_scale(&c->random, SIM_MS, 3 * SIM_S);
    }
}

void sim_clients_begin(void)
{
    const struct sim_world *world = &sim.world;
    sim.clients_done = 0;
    for (uint32_t i = 0; i < world->clients; i++) {
        if (!spare[i]) {
            spare[i] = sim_alloc(sizeof(*spare[i]));
            *spare[i] = (struct sim_client){0};
        }
        sim.clients[i] = spare[i];
        make_client(spare[i], i, world);
    }
    for (uint32_t i = 0; i < world->clients; i++) {
        struct sim_client *c = sim.clients[i];
        if (sim.options.only != SIM_NONE && i != sim.options.only) {
            c->done = true;
            sim.clients_done++;
            continue;
        }
        sim_client_wake(c, sim.now_ns + sim_scale(&c->random, SIM_US, sim_chance(&c->random, 70) ? SIM_MS : SIM_S));
    }
}

void sim_clients_fini(void)
{
    for (uint32_t i = 0; i < SIM_CLIENTS; i++) {
        if (spare[i])
            sim_free(spare[i]->out);
        sim_free(spare[i]);
        spare[i] = NULL;
    }
}

// ---- when they act

void sim_client_wake(struct sim_client *c, uint64_t time)
{
    if (c->done || time == SIM_NEVER || c->act_at <= time)
        return;
    c->act_at = time;
    sim_at(time, SIM_EV_CLIENT, c->index, ++c->act_turn);
}

static uint64_t soon(struct sim_client *c)
{
    return sim.now_ns + sim_range(&c->random, 0, sim.world.client_latency);
}

void sim_client_notify(uint32_t client)
{
    struct sim_client *c = sim.clients[client];
    if (!c->link)
        return;
    sim_client_wake(c, soon(c));
}

// ---- connections

static void next_connection(struct sim_client *c)
{
    c->link = NULL;
    c->connection++;
    // What was not answered is not asked again: its answer may be the one that was lost.
    uint32_t next = c->sending + (c->written ? 1 : 0);
    if (next < c->answering)
        next = c->answering;
    c->first = c->sending = c->answering = next;
    c->written = false;
    if (c->connection >= c->connections || next >= c->request_count) {
        c->done = true;
        sim.clients_done++;
        sim_note("client % is done", c->index, 0, 0, 0);
        return;
    }
    sim_client_wake(c, sim.now_ns + sim_range(&c->random, 0, sim_chance(&c->random, 80) ? SIM_MS : 500 * SIM_MS));
}

void sim_client_leave(struct sim_client *c, bool reset)
{
    sim_note("client % leaves connection %, reset %, unread %", c->index, c->link->serial, reset,
             (int64_t)c->link->down.len);
    sim_link_close(c->link, reset);
    next_connection(c);
}

static void connect_client(struct sim_client *c)
{
    c->link = sim_link_open(c->index, c->place, &c->address);
    if (!c->link) {
        if (sim.door_ns == 0)
            sim_fail("client %u: nobody listens", c->index);
        c->connections = 0; // the service has gone
        next_connection(c);
        return;
    }
    sim.totals.connections++;
    c->end = c->request_count - c->first > c->per_connection ? c->first + c->per_connection : c->request_count;
    c->sent = c->received = 0;
    c->quiet_ns = c->progress_ns = sim.now_ns;
    c->send_at = c->think_until = c->close_at = c->continue_at = c->half_at = 0;
    c->read_at = c->reading == SIM_READ_LATE ? sim.now_ns + sim_scale(&c->random, SIM_MS, 2 * SIM_S)
                 : c->reads_last             ? sim.now_ns + READS_LAST_NS
                                             : 0;
    c->ended = c->closing = c->slow_send = c->stopped = false;
    c->slow_read = c->reading != SIM_READ_ALL && !c->steady;
    sim_answer_begin(c);
    sim_note("client % connects: connection %, requests % to %", c->index, c->link->serial, c->first, c->end);
    if (!c->checking) {
        c->checking = true;
        sim_at(sim.now_ns + CHECK_NS, SIM_EV_CHECK, c->index, 0);
    }
    sim_client_wake(c, soon(c));
}

// A request that was sent whole is worked on, or its answer is on its way: nothing else takes half a second.
static void check_stall(const struct sim_client *c)
{
    const struct sim_link *link = c->link;
    if (sim.now_ns - c->progress_ns < CHECK_NS || sim.now_ns - link->accepted_ns < CHECK_NS ||
        c->answering >= c->sending || c->slow_read || link->down.len > 0 || link->poller < 0 ||
        c->requests[c->answering].kind == SIM_EVENTS || sim.loops[link->poller].ended)
        return;
    const struct http_conn *conn = link->tag;
    bool waits = conn->current && http_exchange_place(conn->current) == HTTP_AT_WAITING;
    if (!conn->current || (!waits && !http_exchange_with_pool(conn->current)))
        sim_fail("client %u: request %u was sent and nobody works on it", c->index, c->answering);
}

void sim_client_check(struct sim_client *c)
{
    c->checking = false;
    if (c->done || !c->link)
        return;
    uint64_t limit = sim.world.patience_ns;
    if (c->progress_ns < sim.frozen_ns)
        c->progress_ns = sim.frozen_ns;
    if (c->progress_ns < c->link->accepted_ns)
        c->progress_ns = c->link->accepted_ns;
    if (!c->link->accepted)
        limit *= sim.world.clients + 1; // until all others have gone
    if (sim.now_ns - c->progress_ns >= limit)
        sim_fail("client %u: nothing happens on connection %u (request %u of %u, answered %u, server closed %d)",
                 c->index, c->link->serial, c->sending, c->end, c->answering, c->link->server_closed);
    check_stall(c);
    uint64_t half_at =
        c->half_at < sim.frozen_ns ? sim.frozen_ns : c->half_at; // while it stood still nobody did anything
    if (c->ended && c->answer.started && c->requests[c->answering].kind == SIM_EVENTS && !c->slow_read && !c->steady &&
        c->link->poller >= 0 && sim.now_ns - half_at > 2 * CHECK_NS && c->link->down.len == 0)
        sim_fail("client %u: events go on although it has ended its side", c->index);
    c->checking = true;
    sim_at(sim.now_ns + CHECK_NS, SIM_EV_CHECK, c->index, 0);
}

// ---- reading

// False: the connection is over.
static bool connection_over(struct sim_client *c)
{
    struct sim_link *link = c->link;
    bool blind = c->reading == SIM_READ_NEVER || (c->reading == SIM_READ_UP_TO && c->received >= c->read_stop);
    if (blind && link->server_closed && !sim_link_over(link)) {
        // It does not read, but its system tells it that the other side has gone.
        sim_client_leave(c, true);
        return true;
    }
    if (!sim_link_over(link))
        return false;
    sim_answer_end(c, link->broken);
    sim_client_leave(c, false);
    return true;
}

static void receive(struct sim_client *c)
{
    static uint8_t buffer[BUFFER];
    struct sim_link *link = c->link;
    size_t most = c->read_most;
    if (c->reading == SIM_READ_NEVER || sim.now_ns < c->read_at)
        return;
    if (c->reading == SIM_READ_UP_TO) {
        if (c->received >= c->read_stop)
            return;
        if (most > c->read_stop - c->received)
            most = c->read_stop - c->received;
    }
    if (most > 1 && sim_chance(&c->random, 30))
        most = sim_range(&c->random, 1, most);
    size_t n = sim_link_receive(link, buffer, most);
    if (n == 0)
        return;
    c->received += n;
    c->progress_ns = sim.now_ns;
    if (c->reading == SIM_READ_SLOWLY)
        c->read_at = sim.now_ns + c->read_pause;
    sim_answer_feed(c, buffer, n);
    if (c->leaving == SIM_LEAVE_RESET_RECEIVED && c->received >= c->leave_at)
        sim_client_leave(c, true);
}

// ---- sending

// Does it send so slowly that the server may lose patience? A head has its time, a body its rate.
bool sim_client_sends_slowly(const struct sim_client *c, const struct sim_request *r)
{
    const struct http_config *config = &sim.world.config;
    if (r->first_ns == 0)
        return false;
    uint64_t head = (r->head_out ? r->head_ns : sim.now_ns) - r->first_ns;
    uint64_t most = config->header_timeout_ms * SIM_MS;
    if (r->kind == SIM_BAD && config->body_timeout_ms * SIM_MS < most)
        most = config->body_timeout_ms * SIM_MS; // where its body begins is not known
    if (sim.door_ns != 0 && most > HTTP_DRAIN_IDLE_NS)
        most = HTTP_DRAIN_IDLE_NS; // what a new connection has while the server stops
    if (head > most / 2)
        return true;
    if (!r->head_out || r->sent)
        return false;
    uint64_t granted = config->body_timeout_ms * SIM_MS + (c->out_at - c->out_head) * SIM_S / config->min_rate;
    return sim.now_ns - r->head_ns > granted / 2;
}

// Has it a request to send now?
static bool prepare(struct sim_client *c)
{
    if (c->closing || c->ended || c->stopped || c->answering > c->sending)
        return false;
    if (c->written)
        return true;
    if (c->sending >= c->end || sim.now_ns < c->think_until || c->sending - c->answering >= c->depth)
        return false;
    struct sim_request *r = &c->requests[c->sending];
    // Whoever waits for 100 Continue, or says that this is the last one, sends nothing behind it that counts.
    c->out_len = sim_request_write(r, &c->random, &c->out, &c->out_cap, &c->out_head);
    c->out_at = 0;
    c->written = true;
    c->continue_at = 0;
    return true;
}

static void request_sent(struct sim_client *c, struct sim_request *r)
{
    r->sent = true;
    sim.totals.requests++;
    r->sent_ns = sim.now_ns;
    sim_note("client % has sent request % of kind %, % bytes", c->index, r->index, r->kind, (int64_t)c->out_len);
    c->written = false;
    c->sending++;
    if (!r->keep_alive)
        c->end = c->sending; // it has said that this is the last one
    c->think_until = sim.now_ns + sim_range(&c->random, 0, c->think_most);
    if (c->leaving == SIM_LEAVE_HALF && c->sending == c->end)
        c->half_at = sim.now_ns + (sim_chance(&c->random, 50) ? 0 : sim_scale(&c->random, SIM_US, 100 * SIM_MS));
}

// It has said all that it wanted to, and its system says so.
static void end_side(struct sim_client *c)
{
    if (c->half_at == 0 || sim.now_ns < c->half_at || c->ended)
        return;
    sim_note("client % ends its side", c->index, 0, 0, 0);
    c->ended = true;
    if (c->reads_last)
        c->read_at = 0;
    sim_link_end(c->link);
}

// True: the connection was left.
static bool transmit(struct sim_client *c)
{
    if (sim.now_ns < c->send_at || !prepare(c))
        return false;
    struct sim_request *r = &c->requests[c->sending];
    size_t stop = c->out_len;
    bool waits = r->expects && !r->got_continue && !r->impatient;
    if (waits && sim.now_ns < c->continue_at)
        return false;
    if (waits && c->continue_at == 0)
        stop = c->out_head;
    size_t n = stop - c->out_at < c->send_most ? stop - c->out_at : c->send_most;
    bool by_sent =
        c->leaving == SIM_LEAVE_RESET_SENT || c->leaving == SIM_LEAVE_CLOSE_SENT || c->leaving == SIM_LEAVE_STOP;
    if (by_sent && n > c->leave_at - c->sent)
        n = (size_t)(c->leave_at - c->sent);
    if (n > 1 && sim_chance(&c->random, 30))
        n = sim_range(&c->random, 1, n);
    if (n > 0 && c->out_at == 0 && r->first_ns == 0) {
        r->event_base = sim.event_numbers[r->topic];
        r->event_bytes = sim.event_bytes[r->topic];
    }
    // Told before it is sent: the server may act on it within this call.
    size_t done = sim_link_send(c->link, c->out + c->out_at, n);
    if (done > 0 && r->first_ns == 0) {
        r->first_ns = sim.now_ns;
        r->serial = c->link->serial;
    }
    c->slow_send = c->slow_send || sim_client_sends_slowly(c, r);
    c->out_at += done;
    c->sent += done;
    if (done > 0)
        c->progress_ns = sim.now_ns;
    c->send_at = sim.now_ns + c->send_pause;
    if (c->out_at >= c->out_head && !r->head_out) {
        r->head_out = true;
        r->head_ns = sim.now_ns;
        // Some send the body anyway after a while.
        c->continue_at = sim_chance(&c->random, 30) ? sim.now_ns + 300 * SIM_MS : SIM_NEVER;
    }
    if (c->out_at == c->out_len) {
        request_sent(c, r);
        end_side(c);
    }
    if (by_sent && c->sent >= c->leave_at) {
        if (c->leaving != SIM_LEAVE_STOP) {
            sim_client_leave(c, c->leaving == SIM_LEAVE_RESET_SENT);
            return true;
        }
        if (!c->stopped)
            sim_note("client % sends no more", c->index, 0, 0, 0);
        c->stopped = true;
    }
    return false;
}

// ---- what comes next

static bool all_answered(const struct sim_client *c)
{
    return c->answering >= c->end && !c->answer.started;
}

// Does it listen to events, or would it if it read?
static bool listens_now(const struct sim_client *c)
{
    if (c->slow_read)
        return c->listens && c->sending == c->request_count;
    return c->answer.started && c->answering < c->end && c->requests[c->answering].kind == SIM_EVENTS;
}

// When it loses patience with a request that waits.
static uint64_t gives_up_at(const struct sim_client *c)
{
    const struct sim_request *r = c->answering < c->sending ? &c->requests[c->answering] : NULL;
    return c->gives_up > 0 && r && r->kind == SIM_WAIT ? r->sent_ns + r->wait_ms * SIM_MS * c->gives_up / 100
                                                       : SIM_NEVER;
}

static void plan(struct sim_client *c)
{
    struct sim_link *link = c->link;
    uint64_t next = SIM_NEVER;
    bool reads = c->reading != SIM_READ_NEVER && !(c->reading == SIM_READ_UP_TO && c->received >= c->read_stop);
    if (link->down.len > 0 && reads)
        next = sim.now_ns < c->read_at ? c->read_at : soon(c);
    bool may_send = !c->closing && !c->ended && !c->stopped && c->answering <= c->sending && !link->broken;
    if (may_send && c->written && link->up.len < link->up.cap) {
        const struct sim_request *r = &c->requests[c->sending];
        bool waits = r->expects && !r->got_continue && !r->impatient && c->out_at >= c->out_head;
        uint64_t time = waits && sim.now_ns < c->continue_at ? c->continue_at : soon(c);
        if (time < c->send_at)
            time = c->send_at;
        if (time < next)
            next = time;
    } else if (may_send && !c->written && c->sending < c->end && c->sending - c->answering < c->depth) {
        uint64_t time = sim.now_ns < c->think_until ? c->think_until : soon(c);
        if (time < c->send_at)
            time = c->send_at;
        if (time < next)
            next = time;
    }
    bool streams = listens_now(c);
    if (streams || ((all_answered(c) || c->closing) && !c->stopped)) {
        // Stays a while, then leaves; or waits for the server to end it.
        if (c->close_at == 0)
            c->close_at = sim.now_ns + c->stay_ns + 1;
        if (c->close_at < next)
            next = c->close_at;
    } else {
        c->close_at = 0;
    }
    if (c->half_at != 0 && !c->ended && c->half_at < next)
        next = c->half_at;
    if (gives_up_at(c) < next)
        next = gives_up_at(c);
    sim_client_wake(c, next);
}

// Its time is over. True: the connection was left.
static bool leaves(struct sim_client *c)
{
    if (sim.now_ns >= gives_up_at(c)) {
        sim_client_leave(c, sim_chance(&c->random, 50));
        return true;
    }
    if (c->close_at == 0 || sim.now_ns < c->close_at || (c->stopped && !listens_now(c)))
        return false;
    if (c->closing && c->waits_for_end) {
        c->close_at = SIM_NEVER;
        return false;
    }
    bool streams = listens_now(c);
    if (!all_answered(c) && !streams && !c->closing)
        return false;
    if (streams && !c->slow_read)
        sim_answer_check_events(c);
    sim_client_leave(c, sim_chance(&c->random, 20));
    return true;
}

void sim_client_act(struct sim_client *c)
{
    c->act_at = SIM_NEVER;
    if (c->done)
        return;
    if (!c->link) {
        connect_client(c);
        return;
    }
    uint32_t serial = c->link->serial;
    receive(c);
    if (c->link && c->link->serial == serial)
        end_side(c);
    if (!c->link || c->link->serial != serial || connection_over(c) || transmit(c) || leaves(c))
        return;
    if (connection_over(c)) // its own sending may have ended it
        return;
    plan(c);
}
