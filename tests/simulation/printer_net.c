// Sockets, readiness and memory of the simulated printers.
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printer_sim.h"

enum { FD_LISTENER = 1000, FD_LINK = 2000, FD_POLLER = 10, FD_WAKER = 11 };

// ---- memory

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *memory);

static long live;

static bool fails(void)
{
    if (!psim.memory_armed || !sim_rare(&psim.memory, psim.world.memory_fails))
        return false;
    psim.starved = true;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    void *memory = fails() ? NULL : __real_malloc(size);
    live += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *memory = fails() ? NULL : __real_calloc(count, size);
    live += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *old, size_t size)
{
    void *memory = fails() ? NULL : __real_realloc(old, size);
    live += memory && !old;
    return memory;
}

void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size)
{
    void *memory = fails() ? NULL : __real_aligned_alloc(align, size);
    live += memory != NULL;
    return memory;
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    char *copy = fails() ? NULL : __real_strdup(text);
    live += copy != NULL;
    return copy;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

void *psim_alloc(size_t size)
{
    void *memory = __real_calloc(1, size);
    if (!memory)
        abort();
    return memory;
}

void psim_free(void *memory)
{
    __real_free(memory);
}

long psim_live(void)
{
    return live;
}

// ---- the clients' side

void psim_net_begin(void)
{
    for (int i = 0; i < PSIM_LINKS; i++) {
        psim_free(psim.links[i].up);
        psim_free(psim.links[i].down);
        psim.links[i] = (struct psim_link){0};
    }
}

struct psim_link *psim_connect(uint32_t client, uint32_t listener, uint8_t network)
{
    struct printer_io *io = psim.hub->io;
    if (listener >= io->listener_count || io->listeners[listener].fd < 0 || !psim.listening[listener])
        return NULL;
    for (int i = 0; i < PSIM_LINKS; i++) {
        struct psim_link *l = &psim.links[i];
        if (l->used)
            continue;
        psim_free(l->up);
        psim_free(l->down);
        *l = (struct psim_link){.used = true, .client = client, .listener = &io->listeners[listener]};
        l->up = psim_alloc(psim.world.up_room);
        l->down = psim_alloc(psim.world.down_room);
        struct sockaddr_in *a = (struct sockaddr_in *)&l->address;
        a->sin_family = AF_INET;
        a->sin_port = htons((uint16_t)(10000 + client));
        a->sin_addr.s_addr = htonl(0x0A000000u | network);
        return l;
    }
    return NULL;
}

size_t psim_send(struct psim_link *l, const void *bytes, size_t size)
{
    if (l->muted || l->server_closed || l->client_ended)
        return 0;
    if (l->up_at > 0) {
        memmove(l->up, l->up + l->up_at, l->up_len - l->up_at);
        l->up_len -= l->up_at;
        l->up_at = 0;
    }
    size_t n = PL_MIN(size, psim.world.up_room - l->up_len);
    memcpy(l->up + l->up_len, bytes, n);
    l->up_len += n;
    l->edge = l->edge || n > 0;
    return n;
}

void psim_end(struct psim_link *l)
{
    l->client_ended = true;
    l->edge = true;
}

// What a client has closed still has its end in the stream.
void psim_leave(struct psim_link *l)
{
    l->client_ended = l->client_gone = true;
    l->edge = true;
    psim_forget(l);
}

size_t psim_read(struct psim_link *l, void *room, size_t most)
{
    size_t n = PL_MIN(l->down_len, most);
    memcpy(room, l->down, n);
    memmove(l->down, l->down + n, l->down_len - n);
    l->down_len -= n;
    l->edge = l->edge || n > 0;
    return n;
}

void psim_forget(struct psim_link *l)
{
    if (l->client_gone && l->server_closed)
        l->used = false;
}

// ---- the seam

static uint64_t now_ns(void)
{
    return psim.now_ns;
}

static uint64_t wall_ms(void)
{
    return psim.now_ns / SIM_MS;
}

static struct psim_link *link_of(int fd)
{
    struct psim_link *l = &psim.links[fd - FD_LINK];
    if (fd < FD_LINK || fd >= FD_LINK + PSIM_LINKS || !l->used || !l->accepted || l->server_closed)
        psim_fail("a descriptor that is not open is used: %d", fd);
    return l;
}

static int accept_link(int fd, struct sockaddr_storage *peer)
{
    uint32_t open = 0;
    struct psim_link *first = NULL;
    for (int i = 0; i < PSIM_LINKS; i++) {
        struct psim_link *l = &psim.links[i];
        open += l->used && l->accepted && !l->server_closed;
        if (l->used && !l->accepted && l->listener->fd == fd && !first)
            first = l;
    }
    errno = EAGAIN;
    if (!first)
        return -1;
    errno = EMFILE;
    if (open >= psim.world.descriptors)
        return -1;
    first->accepted = true;
    *peer = first->address;
    return FD_LINK + (int)(first - psim.links);
}

static ssize_t take(int fd, void *room, size_t size, bool stays)
{
    struct psim_link *l = link_of(fd);
    size_t n = PL_MIN(size, l->up_len - l->up_at);
    if (n > 1 && sim_chance(&psim.net, 30))
        n = 1 + sim_below(&psim.net, (uint32_t)n);
    if (n == 0 && l->client_ended && !l->muted)
        return 0;
    // The end of a stream that came before the filter was taken by the system as well.
    if (n == 0 && l->client_ended)
        return 0;
    errno = EAGAIN;
    if (n == 0)
        return -1;
    memcpy(room, l->up + l->up_at, n);
    l->up_at += stays ? 0 : n;
    return (ssize_t)n;
}

static ssize_t receive(int fd, void *room, size_t size)
{
    return take(fd, room, size, false);
}

static ssize_t peek(int fd, void *room, size_t size)
{
    return take(fd, room, size, true);
}

static ssize_t send_parts(int fd, const struct iovec *parts, size_t count)
{
    struct psim_link *l = link_of(fd);
    (void)count;
    errno = EPIPE;
    if (l->client_gone || l->server_ended)
        return -1;
    size_t n = PL_MIN(parts[0].iov_len, psim.world.down_room - l->down_len);
    errno = EAGAIN;
    if (n == 0)
        return -1;
    memcpy(l->down + l->down_len, parts[0].iov_base, n);
    l->down_len += n;
    return (ssize_t)n;
}

static int end_sending(int fd)
{
    link_of(fd)->server_ended = true;
    return 0;
}

static void stop_input(int fd)
{
    if (fd >= FD_LISTENER && fd < FD_LINK)
        psim.listening[fd - FD_LISTENER] = false;
    else
        link_of(fd)->muted = true;
}

static void close_fd(int fd, bool reset)
{
    if (fd == FD_POLLER || fd == FD_WAKER)
        return;
    if (fd < FD_LINK) {
        psim.listening[fd - FD_LISTENER] = false;
        for (int i = 0; i < PSIM_LINKS; i++) {
            struct psim_link *l = &psim.links[i];
            if (l->used && !l->accepted && l->listener->fd == fd) {
                l->accepted = l->server_closed = l->server_reset = true;
                psim_forget(l);
            }
        }
        return;
    }
    struct psim_link *l = link_of(fd);
    l->server_closed = true;
    l->server_reset = reset || l->up_len > l->up_at; // as the system does with bytes that were not read
    l->watched = false;
    psim_forget(l);
}

static int poller_new(void)
{
    return FD_POLLER;
}

static int waker_new(void)
{
    return FD_WAKER;
}

static bool watch_connection(int poller, int fd, void *tag)
{
    (void)poller;
    struct psim_link *l = link_of(fd);
    if (psim.world.memory_fails && sim_chance(&psim.net, 1)) {
        psim.starved = true;
        return false;
    }
    l->tag = tag;
    l->watched = l->edge = true;
    return true;
}

static bool paused[8];

static bool watch_input(int poller, int fd, void *tag)
{
    (void)poller;
    (void)tag;
    if (fd >= FD_LISTENER)
        paused[fd - FD_LISTENER] = false;
    return true;
}

static bool unwatch(int poller, int fd)
{
    (void)poller;
    if (fd >= FD_LISTENER && fd < FD_LINK)
        paused[fd - FD_LISTENER] = true;
    return true;
}

static void wake(int waker)
{
    (void)waker;
    psim.waker_set = true;
}

static void woken(int waker)
{
    (void)waker;
    psim.waker_set = false;
}

int psim_poll(struct http_ready_event *events, int most)
{
    struct printer_io *io = psim.hub->io;
    int n = 0;
    if (psim.waker_set && n < most)
        events[n++] = (struct http_ready_event){.tag = io, .readiness = HTTP_READABLE};
    uint32_t first = sim_below(&psim.order, PSIM_LINKS);
    for (uint32_t i = 0; i < PSIM_LINKS && n < most; i++) {
        struct psim_link *l = &psim.links[(first + i) % PSIM_LINKS];
        if (!l->used)
            continue;
        uint32_t k = (uint32_t)(l->listener - io->listeners);
        if (!l->accepted && !paused[k] && l->listener->fd >= 0 && !sim_chance(&psim.order, 20)) {
            events[n++] = (struct http_ready_event){.tag = l->listener, .readiness = HTTP_READABLE};
        } else if (l->accepted && l->watched && l->edge && !sim_chance(&psim.order, 20)) {
            unsigned ended = l->client_ended ? HTTP_PEER_ENDED : 0;
            l->edge = false;
            events[n++] = (struct http_ready_event){.tag = l->tag, .readiness = HTTP_READABLE | HTTP_WRITABLE | ended};
        }
    }
    return n;
}

enum pl_errc printer_open_socket(const char *address, int type, int *out, char *host, size_t size, uint16_t *port,
                                 struct pl_error *err)
{
    (void)address, (void)type, (void)err;
    static int next;
    if (psim.hub->io->listener_count == 0)
        next = 0;
    snprintf(host, size, "127.0.0.1");
    *port = (uint16_t)(9100 + next);
    psim.listening[next] = true;
    paused[next] = false;
    *out = FD_LISTENER + next++;
    return PL_OK;
}

const struct http_seam psim_seam = {
    .now_ns = now_ns,
    .wall_ms = wall_ms,
    .accept = accept_link,
    .receive = receive,
    .peek = peek,
    .stop_input = stop_input,
    .send = send_parts,
    .end_sending = end_sending,
    .close = close_fd,
    .poller_new = poller_new,
    .watch_connection = watch_connection,
    .watch_input = watch_input,
    .unwatch = unwatch,
    .waker_new = waker_new,
    .wake = wake,
    .woken = woken,
};

uint64_t __wrap_pl_now_ns(void);
uint64_t __wrap_pl_now_ns(void)
{
    return psim.now_ns;
}
