// The simulated network behind the core's seam: connections with small buffers, pollers that tell changes, a listener,
// wake-ups and signals. It does what Linux does where the core relies on it, and goes wrong as often as the world says.
#include <errno.h>
#include <string.h>

#include "sim.h"

#define DESCRIPTORS 2048
#define FIRST_FD 3
#define SOURCES 4
#define LINKS 2048

enum descriptor_kind { FREE, LISTENER, LINK, POLLER, WAKER, SIGNALS };

struct descriptor {
    enum descriptor_kind kind;
    uint32_t count; // of wake-ups or signals that were not taken
    int poller;     // that watches it; of a poller: its place in `pollers`
    struct sim_link *link;
};

// What is told as long as it has input.
struct source {
    int fd;
    void *tag;
};

struct poller {
    struct source sources[SOURCES];
    int source_count;
    struct sim_link *listed[LINKS]; // whose readiness has changed
    int listed_count;
};

static struct descriptor descriptors[DESCRIPTORS];
static int descriptor_end; // all from here on are free
static struct poller pollers[SIM_LOOPS];
static int poller_count;
static struct sim_link *links[LINKS]; // all that were ever made; they are used again
static int link_count;
static struct sim_link *unused;
static uint32_t serial;
static struct sim_link *backlog_first, *backlog_last;
static int listener;
static uint32_t open_links, open_by_place[SIM_CLIENTS];

// ---- rings

static size_t ring_room(const struct sim_bytes *ring)
{
    return ring->cap - ring->len;
}

static void ring_put(struct sim_bytes *ring, const uint8_t *data, size_t len)
{
    size_t end = (ring->at + ring->len) % ring->cap;
    size_t first = len < ring->cap - end ? len : ring->cap - end;
    memcpy(ring->data + end, data, first);
    memcpy(ring->data, data + first, len - first);
    ring->len += len;
}

static void ring_take(struct sim_bytes *ring, uint8_t *out, size_t len)
{
    size_t first = len < ring->cap - ring->at ? len : ring->cap - ring->at;
    memcpy(out, ring->data + ring->at, first);
    memcpy(out + first, ring->data, len - first);
    ring->at = (ring->at + len) % ring->cap;
    ring->len -= len;
}

static void ring_reset(struct sim_bytes *ring, size_t cap)
{
    if (ring->cap < cap || !ring->data)
        ring->data = sim_realloc(ring->data, cap);
    ring->cap = cap;
    ring->at = ring->len = 0;
}

// ---- descriptors

static int descriptor_new(enum descriptor_kind kind)
{
    // The lowest number that is free, as the system does it: numbers come again at once.
    int fd = FIRST_FD;
    while (fd < descriptor_end && descriptors[fd].kind != FREE)
        fd++;
    if (fd == DESCRIPTORS)
        sim_fail("the simulator has no descriptor left");
    if (fd >= descriptor_end)
        descriptor_end = fd + 1;
    descriptors[fd] = (struct descriptor){.kind = kind, .poller = -1};
    return fd;
}

static struct descriptor *descriptor_of(int fd, enum descriptor_kind kind)
{
    if (fd < FIRST_FD || fd >= descriptor_end || descriptors[fd].kind != kind)
        sim_fail("descriptor %d is used, which is not open or of another kind", fd);
    return &descriptors[fd];
}

uint32_t sim_open_descriptors(void)
{
    return open_links;
}

uint32_t sim_open_of(uint32_t place)
{
    return open_by_place[place];
}

struct sim_link *sim_link_of(int fd)
{
    return descriptor_of(fd, LINK)->link;
}

// ---- pollers

static void tell(struct sim_link *link)
{
    link->changed = true;
    if (link->poller < 0 || link->listed)
        return;
    struct poller *poller = &pollers[link->poller];
    link->listed = true;
    poller->listed[poller->listed_count++] = link;
    sim_loop_notify(link->poller);
}

static void unlist(struct sim_link *link)
{
    if (!link->listed)
        return;
    struct poller *poller = &pollers[link->poller];
    for (int i = 0; i < poller->listed_count; i++) {
        if (poller->listed[i] == link) {
            poller->listed[i] = poller->listed[--poller->listed_count];
            break;
        }
    }
    link->listed = false;
}

static bool source_ready(int fd)
{
    return descriptors[fd].kind == LISTENER ? backlog_first != NULL : descriptors[fd].count > 0;
}

static void tell_source(int fd)
{
    if (descriptors[fd].poller >= 0)
        sim_loop_notify(descriptors[fd].poller);
}

static bool writable(struct sim_link *link)
{
    // Linux tells room when a third of the buffer is free, and remembers that somebody wants to know.
    if (ring_room(&link->down) * 3 >= link->down.cap || link->client_closed)
        return true;
    link->wants_room = true;
    return false;
}

static unsigned readiness(struct sim_link *link)
{
    if (link->broken)
        return HTTP_READABLE | HTTP_WRITABLE | HTTP_PEER_ENDED | HTTP_BROKEN;
    unsigned ready = writable(link) ? HTTP_WRITABLE : 0u;
    if (link->up.len > 0 || link->client_ended)
        ready |= HTTP_READABLE;
    if (link->client_ended)
        ready |= HTTP_PEER_ENDED;
    if (link->client_ended && link->server_ended)
        ready |= HTTP_BROKEN;
    return ready;
}

bool sim_poller_ready(int index)
{
    const struct poller *poller = &pollers[index];
    if (poller->listed_count > 0)
        return true;
    for (int i = 0; i < poller->source_count; i++) {
        if (source_ready(poller->sources[i].fd))
            return true;
    }
    return false;
}

int sim_poller_take(int index, struct http_ready_event *events, int most)
{
    struct poller *poller = &pollers[index];
    struct source ready[SOURCES];
    int ready_count = 0, count = 0;
    for (int i = 0; i < poller->source_count; i++) {
        if (source_ready(poller->sources[i].fd))
            ready[ready_count++] = poller->sources[i];
    }
    // In any order: what comes first is chance.
    while (count < most && ready_count + poller->listed_count > 0) {
        uint32_t pick = sim_below(&sim.net, (uint32_t)(ready_count + poller->listed_count));
        if (pick < (uint32_t)ready_count) {
            events[count++] = (struct http_ready_event){ready[pick].tag, HTTP_READABLE};
            ready[pick] = ready[--ready_count];
            continue;
        }
        struct sim_link *link = poller->listed[pick - (uint32_t)ready_count];
        unlist(link);
        link->changed = false;
        events[count++] = (struct http_ready_event){link->tag, readiness(link)};
        sim_note("loop % is told of connection %: readiness %", index, link->serial, events[count - 1].readiness, 0);
    }
    return count;
}

// ---- links

static struct sim_link *link_new(void)
{
    struct sim_link *link = unused;
    if (link) {
        unused = link->next;
    } else {
        if (link_count == LINKS)
            sim_fail("the simulator has no connection left");
        link = sim_alloc(sizeof(*link));
        *link = (struct sim_link){.slot = (uint32_t)link_count};
        links[link_count++] = link;
    }
    struct sim_link kept = *link;
    *link = (struct sim_link){
        .slot = kept.slot, .serial = ++serial, .fd = -1, .poller = -1, .up = kept.up, .down = kept.down};
    ring_reset(&link->up, sim.world.up_room);
    ring_reset(&link->down, sim.world.down_room);
    link->used = true;
    return link;
}

// Both sides have closed it.
static void link_free_if_done(struct sim_link *link)
{
    if (!link->used || !link->client_closed || !link->server_closed)
        return;
    link->used = false;
    link->next = unused;
    unused = link;
}

static void lose(struct sim_link *link)
{
    // What had not arrived yet is lost, and nobody knows how much that was.
    size_t kept = sim_below(&sim.net, (uint32_t)link->down.len + 1);
    link->lost = link->lost || kept < link->down.len;
    link->down.len = kept;
}

static void break_link(struct sim_link *link)
{
    if (link->broken)
        return;
    link->broken = true;
    if (link->up.len > 0 && sim_chance(&sim.net, 50))
        link->up.len = 0;
    tell(link);
    if (!link->client_closed)
        sim_client_notify(link->client);
}

// A fault of the network.
static bool breaks(struct sim_link *link)
{
    if (!sim_rare(&sim.net, sim.world.breaks))
        return false;
    sim_note("connection % breaks", link->serial, 0, 0, 0);
    sim.totals.faults++;
    link->faulty = true;
    lose(link);
    break_link(link);
    return true;
}

struct sim_link *sim_link_open(uint32_t client, uint32_t place, const struct sockaddr_storage *address)
{
    if (listener < 0)
        return NULL;
    struct sim_link *link = link_new();
    link->client = client;
    link->place = place;
    link->address = *address;
    link->opened_ns = sim.now_ns;
    if (backlog_last)
        backlog_last->next = link;
    else
        backlog_first = link;
    backlog_last = link;
    tell_source(listener);
    return link;
}

size_t sim_link_send(struct sim_link *link, const uint8_t *data, size_t len)
{
    if (link->broken || breaks(link))
        return 0;
    if (link->server_closed) {
        // The other side has gone and answers with a reset; what had to be sent again is lost (RFC 9112, 9.6).
        link->late = link->broken = true;
        if (sim_chance(&sim.net, 50))
            lose(link);
        return 0;
    }
    size_t n = len < ring_room(&link->up) ? len : ring_room(&link->up);
    if (n == 0)
        return 0;
    ring_put(&link->up, data, n);
    tell(link);
    return n;
}

size_t sim_link_receive(struct sim_link *link, uint8_t *room, size_t size)
{
    size_t n = size < link->down.len ? size : link->down.len;
    ring_take(&link->down, room, n);
    if (n > 0 && link->wants_room && !link->server_closed && ring_room(&link->down) * 3 >= link->down.cap) {
        link->wants_room = false;
        tell(link);
    }
    return n;
}

bool sim_link_over(const struct sim_link *link)
{
    return link->down.len == 0 && (link->broken || link->server_ended || link->server_closed);
}

void sim_link_end(struct sim_link *link)
{
    if (link->client_ended || link->broken)
        return;
    link->client_ended = true;
    tell(link);
}

void sim_link_close(struct sim_link *link, bool reset)
{
    link->client_closed = true;
    if (!link->server_closed) {
        if (reset || link->down.len > 0)
            break_link(link);
        else
            sim_link_end(link);
    }
    link->down.len = 0;
    link_free_if_done(link);
}

void sim_link_room(uint32_t slot, uint32_t of_serial)
{
    struct sim_link *link = links[slot];
    if (!link->used || link->serial != of_serial || !link->wants_room || link->server_closed)
        return;
    if (ring_room(&link->down) > 0) {
        link->wants_room = false;
        tell(link);
    }
}

// ---- the seam

static uint64_t now_ns(void)
{
    return sim.now_ns;
}

static uint64_t wall_ms(void)
{
    return 1700000000000u + sim.now_ns / SIM_MS;
}

static int accept_link(int fd, struct sockaddr_storage *peer)
{
    (void)descriptor_of(fd, LISTENER);
    struct sim_link *link = backlog_first;
    if (!link) {
        errno = EAGAIN;
        return -1;
    }
    bool full = open_links >= sim.world.descriptors;
    if (full || sim_rare(&sim.net, sim.world.accept_fails)) {
        static const int ERRORS[] = {EMFILE, ENFILE, ENOBUFS, ENOMEM, EPROTO};
        errno = full ? EMFILE : ERRORS[sim_below(&sim.net, 5)];
        sim_note("accept fails: error %", errno, 0, 0, 0);
        sim.evicting_ns = sim.now_ns;
        sim.totals.faults++;
        return -1;
    }
    uint32_t most = sim.world.config.max_client_connections;
    if (open_links + 1 > sim.world.config.max_connections || (most > 0 && open_by_place[link->place] + 1 > most))
        sim.evicting_ns = sim.now_ns;
    backlog_first = link->next;
    if (!backlog_first)
        backlog_last = NULL;
    link->next = NULL;
    link->fd = descriptor_new(LINK);
    descriptors[link->fd].link = link;
    link->accepted = true;
    link->accepted_ns = link->active_ns = sim.now_ns;
    open_links++;
    open_by_place[link->place]++;
    *peer = link->address;
    sim_note("connection % of client % is accepted as %", link->serial, link->client, link->fd, 0);
    return link->fd;
}

static ssize_t receive(int fd, void *room, size_t size)
{
    struct sim_link *link = descriptor_of(fd, LINK)->link;
    if (size == 0)
        sim_fail("connection %u is read with no room", link->serial);
    if (!link->broken)
        (void)breaks(link);
    if (link->broken && link->up.len == 0) {
        errno = ECONNRESET;
        return -1;
    }
    size_t n = size < link->up.len ? size : link->up.len;
    if (n > 0 && !link->client_ended && sim_rare(&sim.net, sim.world.short_read)) {
        // The rest comes a moment later, and its coming is told; not after the end, which comes last.
        n = sim_below(&sim.net, (uint32_t)n);
        sim.totals.faults++;
        tell(link);
    } else if (n == 0 && link->client_ended) {
        sim_note("connection %: the server reads its end", link->serial, 0, 0, 0);
        return 0;
    }
    if (n == 0) {
        errno = EAGAIN;
        return -1;
    }
    ring_take(&link->up, room, n);
    sim_note("connection %: the server reads %", link->serial, (int64_t)n, 0, 0);
    if (!link->server_ended) // what is only read past does not count
        link->active_ns = sim.now_ns;
    if (!link->client_closed)
        sim_client_notify(link->client);
    return (ssize_t)n;
}

static ssize_t send_parts(int fd, const struct iovec *parts, size_t count)
{
    struct sim_link *link = descriptor_of(fd, LINK)->link;
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += parts[i].iov_len;
    if (total == 0)
        sim_fail("connection %u is sent nothing", link->serial);
    if (link->server_ended)
        sim_fail("connection %u is sent %zu bytes after its end", link->serial, total);
    if (!link->broken)
        (void)breaks(link);
    if (link->broken) {
        errno = sim_chance(&sim.net, 50) ? EPIPE : ECONNRESET;
        return -1;
    }
    if (link->client_closed) {
        // Nobody is there: that is told a moment later.
        break_link(link);
        sim_note("connection %: % bytes go to nobody", link->serial, (int64_t)total, 0, 0);
        return (ssize_t)total;
    }
    size_t room = ring_room(&link->down);
    size_t n = total < room ? total : room;
    if (n > 0 && sim_rare(&sim.net, sim.world.short_write)) {
        n = sim_below(&sim.net, (uint32_t)n);
        sim.totals.faults++;
        if (n < total)
            sim_at(sim.now_ns + sim_below(&sim.net, 200) * SIM_US, SIM_EV_ROOM, link->slot, link->serial);
    }
    link->wants_room = link->wants_room || n < total;
    if (n == 0) {
        errno = EAGAIN;
        return -1;
    }
    size_t left = n;
    for (size_t i = 0; left > 0; i++) {
        size_t part = left < parts[i].iov_len ? left : parts[i].iov_len;
        ring_put(&link->down, parts[i].iov_base, part);
        left -= part;
    }
    link->active_ns = sim.now_ns;
    sim_note("connection %: the server sends % of %", link->serial, (int64_t)n, (int64_t)total, 0);
    sim_client_notify(link->client);
    return (ssize_t)n;
}

static int end_sending(int fd)
{
    struct sim_link *link = descriptor_of(fd, LINK)->link;
    if (link->broken) {
        errno = ENOTCONN;
        return -1;
    }
    sim_note("connection %: the server ends sending", link->serial, 0, 0, 0);
    link->server_ended = true;
    link->ended_ns = sim.now_ns;
    if (link->client_ended)
        tell(link); // closed in both directions
    sim_client_notify(link->client);
    return 0;
}

static void reset_at_exit(int fd, bool on)
{
    struct sim_link *link = descriptor_of(fd, LINK)->link;
    sim_note("connection %: reset at exit %", link->serial, on, 0, 0);
    link->reset_at_exit = on;
}

static void close_link(struct sim_link *link, bool reset)
{
    reset = reset || link->reset_at_exit; // as the system does
    sim_note("connection % of client %: the server closes, reset %, unread %", link->serial, link->client, reset,
             (int64_t)link->up.len);
    link->closed_ns = sim.now_ns;
    if (!link->server_ended)
        link->ended_ns = sim.now_ns;
    link->evicted = sim.evicting_ns == sim.now_ns;
    link->starved = sim.starved_ns == sim.now_ns;
    if (!link->watched && !link->faulty && sim.running) {
        link->refused = true;
        bool many = open_links > sim.world.config.max_connections;
        uint32_t most = sim.world.config.max_client_connections;
        if (!many && (most == 0 || open_by_place[link->place] <= most) && sim.starved_ns != sim.now_ns)
            sim_fail("connection %u is refused although only %u are open, %u of its client", link->serial, open_links,
                     open_by_place[link->place]);
    }
    struct sim_client *c = sim.clients[link->client];
    for (uint32_t i = 0; i < c->request_count; i++) {
        if (c->requests[i].serial == link->serial)
            c->requests[i].closed_ns = sim.now_ns;
    }
    unlist(link);
    link->poller = -1;
    descriptors[link->fd].kind = FREE;
    link->fd = -1;
    link->server_closed = true;
    open_links--;
    open_by_place[link->place]--;
    if (reset || link->up.len > 0) {
        lose(link);
        link->broken = true;
    } else {
        link->server_ended = true;
    }
    if (!link->client_closed)
        sim_client_notify(link->client);
    link_free_if_done(link);
}

static void close_any(int fd, bool reset)
{
    if (fd < FIRST_FD || fd >= descriptor_end || descriptors[fd].kind == FREE)
        sim_fail("descriptor %d is closed, which is not open", fd);
    struct descriptor *descriptor = &descriptors[fd];
    if (descriptor->kind == LINK) {
        close_link(descriptor->link, reset);
        return;
    }
    if (descriptor->kind == LISTENER) {
        sim_note("the listener closes", 0, 0, 0, 0);
        listener = -1;
        while (backlog_first) {
            struct sim_link *link = backlog_first;
            backlog_first = link->next;
            link->next = NULL;
            link->refused = link->broken = link->server_closed = true;
            if (!link->client_closed)
                sim_client_notify(link->client);
            link_free_if_done(link);
        }
        backlog_last = NULL;
    }
    if (descriptor->kind != POLLER && descriptor->poller >= 0) {
        struct poller *poller = &pollers[descriptor->poller];
        for (int i = 0; i < poller->source_count; i++) {
            if (poller->sources[i].fd == fd)
                poller->sources[i] = poller->sources[--poller->source_count];
        }
    }
    descriptor->kind = FREE;
}

static int poller_new(void)
{
    if (poller_count == SIM_LOOPS)
        sim_fail("more pollers than loops");
    int fd = descriptor_new(POLLER);
    descriptors[fd].poller = poller_count;
    pollers[poller_count].source_count = pollers[poller_count].listed_count = 0;
    poller_count++;
    return fd;
}

static bool watch_connection(int poller, int fd, void *tag)
{
    int index = descriptor_of(poller, POLLER)->poller;
    struct sim_link *link = descriptor_of(fd, LINK)->link;
    if (link->poller >= 0)
        sim_fail("connection %u is watched twice", link->serial);
    if (sim_rare(&sim.net, sim.world.watch_fails)) {
        sim_note("watching connection % fails", link->serial, 0, 0, 0);
        sim.totals.faults++;
        link->faulty = true;
        errno = ENOSPC;
        return false;
    }
    link->poller = index;
    link->tag = tag;
    link->watched = true;
    tell(link);
    return true;
}

static bool watch_input(int poller, int fd, void *tag)
{
    int index = descriptor_of(poller, POLLER)->poller;
    struct poller *p = &pollers[index];
    if (fd < FIRST_FD || descriptors[fd].kind == FREE || descriptors[fd].poller >= 0 || p->source_count == SOURCES)
        sim_fail("descriptor %d cannot be watched", fd);
    // Failing here ends the set-up; while the service runs it is the listener that is watched again.
    if (sim.running && sim_rare(&sim.net, sim.world.watch_fails)) {
        sim_note("watching descriptor % fails", fd, 0, 0, 0);
        sim.totals.faults++;
        errno = ENOSPC;
        return false;
    }
    p->sources[p->source_count++] = (struct source){fd, tag};
    descriptors[fd].poller = index;
    if (source_ready(fd))
        tell_source(fd);
    return true;
}

static bool unwatch(int poller, int fd)
{
    int index = descriptor_of(poller, POLLER)->poller;
    struct poller *p = &pollers[index];
    for (int i = 0; i < p->source_count; i++) {
        if (p->sources[i].fd != fd)
            continue;
        p->sources[i] = p->sources[--p->source_count];
        descriptors[fd].poller = -1;
        return true;
    }
    errno = ENOENT;
    return false;
}

static int wait_for_events(int poller, struct http_ready_event *events, int most, int timeout_ms)
{
    (void)poller, (void)events, (void)most, (void)timeout_ms;
    sim_fail("the core waits by itself");
}

static int waker_new(void)
{
    return descriptor_new(WAKER);
}

static void wake(int waker)
{
    descriptor_of(waker, WAKER)->count++;
    tell_source(waker);
}

static void woken(int waker)
{
    descriptor_of(waker, WAKER)->count = 0;
}

#define SIGNALS_MOST 8
static int signal_fd = -1;
static int signal_numbers[SIGNALS_MOST];

static int signals_new(void)
{
    signal_fd = descriptor_new(SIGNALS);
    return signal_fd;
}

static int next_signal(int signals)
{
    struct descriptor *descriptor = descriptor_of(signals, SIGNALS);
    if (descriptor->count == 0)
        return 0;
    return signal_numbers[--descriptor->count];
}

void sim_signal(int number)
{
    struct descriptor *descriptor = descriptor_of(signal_fd, SIGNALS);
    if (descriptor->count == SIGNALS_MOST)
        return;
    signal_numbers[descriptor->count++] = number;
    tell_source(signal_fd);
}

static void set_eager(pthread_t thread, bool eager)
{
    (void)thread, (void)eager;
}

static void trim_memory(void) {}

const struct http_seam sim_seam = {
    .now_ns = now_ns,
    .wall_ms = wall_ms,
    .accept = accept_link,
    .receive = receive,
    .send = send_parts,
    .end_sending = end_sending,
    .close = close_any,
    .reset_at_exit = reset_at_exit,
    .poller_new = poller_new,
    .watch_connection = watch_connection,
    .watch_input = watch_input,
    .unwatch = unwatch,
    .wait = wait_for_events,
    .waker_new = waker_new,
    .wake = wake,
    .woken = woken,
    .signals_new = signals_new,
    .next_signal = next_signal,
    .set_eager = set_eager,
    .trim_memory = trim_memory,
};

int sim_net_listener(void)
{
    listener = descriptor_new(LISTENER);
    return listener;
}

void sim_net_begin(void)
{
    memset(descriptors, 0, sizeof(descriptors[0]) * (size_t)descriptor_end);
    descriptor_end = FIRST_FD;
    poller_count = 0;
    serial = 0;
    listener = signal_fd = -1;
    backlog_first = backlog_last = NULL;
    open_links = 0;
    memset(open_by_place, 0, sizeof(open_by_place));
    unused = NULL;
    for (int i = link_count - 1; i >= 0; i--) {
        links[i]->used = false;
        links[i]->next = unused;
        unused = links[i];
    }
}

void sim_net_check_closed(void)
{
    for (int fd = FIRST_FD; fd < descriptor_end; fd++) {
        if (descriptors[fd].kind != FREE)
            sim_fail("descriptor %d of kind %d is still open at the end", fd, (int)descriptors[fd].kind);
    }
}

void sim_net_fini(void)
{
    for (int i = 0; i < link_count; i++) {
        sim_free(links[i]->up.data);
        sim_free(links[i]->down.data);
        sim_free(links[i]);
    }
    link_count = 0;
    unused = NULL;
}
