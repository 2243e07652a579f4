// Taking connections: the first loop accepts them all and gives each to the loop that has the fewest. At the cap, and
// when the system has no descriptors left, the connection that has been idle longest makes room, whoever has it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/server.h"

#define ACCEPTS_PER_TURN 64
#define ACCEPT_PAUSE_NS 100000000ull
#define EVICT_AGE_NS 1000000000ull

// A connection on its way to another loop.
struct http_arrival {
    struct http_arrival *next;
    int fd;
    struct sockaddr_storage peer;
};

static uint32_t load_of(const struct http_loop *l)
{
    return atomic_load_explicit(&l->conn_count, memory_order_relaxed);
}

uint32_t http_connection_count(const struct http_server *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->loop_count; i++)
        count += load_of(&s->loops[i]);
    return count;
}

static void listen_again(struct http_loop *first, bool on)
{
    struct http_server *s = first->server;
    if (s->accepting == on || s->listen_fd < 0)
        return;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &s->listen_fd};
    if (epoll_ctl(first->epoll_fd, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, s->listen_fd, &event) == 0)
        s->accepting = on;
}

enum pl_errc http_accept_start(struct http_loop *first, struct pl_error *err)
{
    listen_again(first, true);
    return first->server->accepting ? PL_OK
                                    : pl_fail(err, PL_E_IO, "cannot watch for connections: %s", strerror(errno));
}

// The loop's connection that has been idle longest; with its lock held.
static struct http_conn *longest_idle(const struct http_loop *l, uint64_t now_ns)
{
    struct http_conn *oldest = NULL;
    uint64_t young = now_ns + l->server->config.header_timeout_ms * 1000000u - EVICT_AGE_NS;
    for (struct http_conn *c = l->all; c; c = c->all_next) {
        // The first bytes of a new connection may be here without having been seen yet.
        if (c->fresh && c->deadline_ns > young)
            continue;
        if (c->state == HTTP_S_HEAD && !c->in && !c->can_read && (!oldest || c->deadline_ns < oldest->deadline_ns))
            oldest = c;
    }
    return oldest;
}

// The first loop alone takes the locks of others, while it has its own: no two can wait for each other.
static bool evict_idle(struct http_loop *first)
{
    struct http_server *s = first->server;
    struct http_loop *owner = NULL;
    struct http_conn *oldest = NULL;
    for (uint32_t i = 0; i < s->loop_count; i++) {
        struct http_loop *l = &s->loops[i];
        if (l != first)
            pthread_mutex_lock(&l->lock);
        struct http_conn *c = longest_idle(l, first->now_ns);
        if (c && (!oldest || c->deadline_ns < oldest->deadline_ns)) {
            oldest = c;
            owner = l;
        }
    }
    if (oldest)
        http_conn_close(owner, oldest);
    for (uint32_t i = 0; i < s->loop_count; i++) {
        if (&s->loops[i] != first)
            pthread_mutex_unlock(&s->loops[i].lock);
    }
    return oldest != NULL;
}

static void refuse_connection(int fd)
{
    static const char BODY[] =
        "{\"ok\":false,\"error\":\"Too many connections are open.\",\"code\":\"too_many_connections\"}";
    char answer[512];
    int n = snprintf(answer, sizeof(answer),
                     "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
                     "Retry-After: 1\r\nConnection: close\r\n\r\n%s",
                     sizeof(BODY) - 1, BODY);
    if (n > 0 && send(fd, answer, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        errno = 0;
    close(fd);
}

static struct http_loop *least_loaded(struct http_loop *first)
{
    struct http_server *s = first->server;
    struct http_loop *best = first;
    uint32_t least = load_of(first);
    for (uint32_t i = 0; i < s->loop_count && least > 0; i++) {
        uint32_t load = load_of(&s->loops[i]);
        if (load < least) {
            least = load;
            best = &s->loops[i];
        }
    }
    return best;
}

// The connection counts for its new loop at once, so that the loop does not end before it has taken it.
static void give(struct http_loop *first, int fd, const struct sockaddr_storage *peer)
{
    struct http_loop *l = least_loaded(first);
    struct http_arrival *arrival = l == first ? NULL : malloc(sizeof(*arrival));
    if (!arrival)
        l = first;
    atomic_fetch_add_explicit(&l->conn_count, 1, memory_order_relaxed);
    if (!arrival) {
        http_conn_open(l, fd, peer);
        return;
    }
    struct http_arrival *before = atomic_load_explicit(&l->arrivals, memory_order_relaxed);
    *arrival = (struct http_arrival){NULL, fd, *peer};
    do {
        arrival->next = before;
    } while (!atomic_compare_exchange_weak_explicit(&l->arrivals, &before, arrival, memory_order_release,
                                                    memory_order_relaxed));
    // From here on it is the other loop's, which may have freed it already.
    if (!before)
        http_loop_wake(l);
}

void http_arrivals_take(struct http_loop *l)
{
    struct http_arrival *arrival = atomic_exchange_explicit(&l->arrivals, NULL, memory_order_acquire);
    while (arrival) {
        struct http_arrival *next = arrival->next;
        http_conn_open(l, arrival->fd, &arrival->peer);
        free(arrival);
        arrival = next;
    }
}

static void accept_some(struct http_loop *first, int most)
{
    struct http_server *s = first->server;
    for (int i = 0; i < most; i++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof(peer);
        int fd = accept4(s->listen_fd, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                // No descriptors or memory: an idle connection gives up its own, else try again in a moment.
                if (evict_idle(first))
                    continue;
                listen_again(first, false);
                s->accept_again_ns = first->now_ns + ACCEPT_PAUSE_NS;
            }
            return;
        }
        if (http_connection_count(s) >= s->config.max_connections && !evict_idle(first)) {
            refuse_connection(fd);
            continue;
        }
        give(first, fd, &peer);
    }
}

void http_accept(struct http_loop *first)
{
    accept_some(first, ACCEPTS_PER_TURN);
}

void http_accept_resume(struct http_loop *first)
{
    struct http_server *s = first->server;
    if (s->accept_again_ns == 0 || first->now_ns < s->accept_again_ns)
        return;
    listen_again(first, true);
    s->accept_again_ns = s->accepting || s->listen_fd < 0 ? 0 : first->now_ns + ACCEPT_PAUSE_NS;
}

void http_accept_end(struct http_loop *first)
{
    struct http_server *s = first->server;
    // Whoever the kernel has already connected is served; nobody after that.
    accept_some(first, 65536);
    listen_again(first, false);
    if (s->listen_fd >= 0)
        close(s->listen_fd);
    s->listen_fd = -1;
    s->accept_again_ns = 0;
}
