// Taking connections: the first loop accepts them all and gives each to the loop that has the fewest. At the cap, and
// when the system has no descriptors left, the connection that has been idle longest, for a second at least, makes
// room, whoever has it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "http/conn/conn.h"
#include "http/conn/input.h"
#include "http/exchange/server.h"
#include "http/guard/guard.h"
#include "http/io/io.h"

#define ACCEPTS_PER_TURN 64
#define EVICT_AGE_NS 1000000000ull

// A connection on its way to another loop.
struct http_arrival {
    struct http_arrival *next;
    int fd;
    uint64_t client_key;
    uint32_t door;
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
    http_backoff_watch(&s->io->accepting, s->seam, first->poller, s->io->listen_fd, &s->io->listen_fd, on);
}

enum pl_errc http_accept_start(struct http_loop *first, struct pl_error *err)
{
    listen_again(first, true);
    return first->server->io->accepting.watched
               ? PL_OK
               : pl_fail(err, PL_E_IO, "cannot watch for connections: %s", strerror(errno));
}

#define ANYBODY 0

// The connection of a client, or of anybody, that has been idle longest; with the loop's lock held.
static struct http_conn *longest_idle(const struct http_loop *l, uint64_t now_ns, uint64_t client_key)
{
    struct http_conn *oldest = NULL;
    for (struct http_conn *c = l->all; c; c = c->all_next) {
        // A request may be on its way: what was answered a moment ago is not idle yet.
        if (!http_input_idle(c) || (client_key != ANYBODY && c->client_key != client_key) ||
            now_ns < c->in.idle_since_ns + EVICT_AGE_NS)
            continue;
        if (!oldest || c->in.idle_since_ns < oldest->in.idle_since_ns)
            oldest = c;
    }
    return oldest;
}

// The first loop alone takes the locks of others, while it has its own: no two can wait for each other.
static bool evict_idle(struct http_loop *first, uint64_t client_key)
{
    struct http_server *s = first->server;
    struct http_loop *owner = NULL;
    struct http_conn *oldest = NULL;
    for (uint32_t i = 0; i < s->loop_count; i++) {
        struct http_loop *l = &s->loops[i];
        if (l != first)
            pthread_mutex_lock(&l->lock);
        struct http_conn *c = longest_idle(l, first->now_ns, client_key);
        if (c && (!oldest || c->in.idle_since_ns < oldest->in.idle_since_ns)) {
            oldest = c;
            owner = l;
        }
    }
    if (oldest)
        http_conn_close(owner, oldest, false);
    for (uint32_t i = 0; i < s->loop_count; i++) {
        if (&s->loops[i] != first)
            pthread_mutex_unlock(&s->loops[i].lock);
    }
    return oldest != NULL;
}

static void refuse_connection(const struct http_seam *seam, int fd)
{
    static const char BODY[] =
        "{\"ok\":false,\"error\":\"Too many connections are open.\",\"code\":\"too_many_connections\"}";
    char answer[512];
    int n = snprintf(answer, sizeof(answer),
                     "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
                     "Retry-After: 1\r\nConnection: close\r\n\r\n%s",
                     sizeof(BODY) - 1, BODY);
    if (n > 0 && seam->send(fd, &(struct iovec){answer, (size_t)n}, 1) < 0)
        errno = 0;
    seam->close(fd, false);
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

static void send_arrival(struct http_loop *l, struct http_arrival *arrival)
{
    struct http_arrival *before = atomic_load_explicit(&l->arrivals, memory_order_relaxed);
    do {
        arrival->next = before;
    } while (!atomic_compare_exchange_weak_explicit(&l->arrivals, &before, arrival, memory_order_release,
                                                    memory_order_relaxed));
    // From here on it is the other loop's, which may have freed it already.
    if (!before)
        http_loop_wake(l);
}

// The connection counts for its new loop at once, so that the loop does not end before it has taken it.
static void give(struct http_loop *first, int fd, const struct sockaddr_storage *peer, uint64_t client_key)
{
    struct http_loop *l = least_loaded(first);
    struct http_arrival *arrival = l == first ? NULL : malloc(sizeof(*arrival));
    if (!arrival)
        l = first;
    atomic_fetch_add_explicit(&l->conn_count, 1, memory_order_relaxed);
    if (!arrival) {
        http_conn_open(l, fd, peer, client_key, 0);
        return;
    }
    *arrival = (struct http_arrival){NULL, fd, client_key, 0, *peer};
    send_arrival(l, arrival);
}

// After SIGTERM the listeners of others still accept for a moment, as the service's own does; then nobody is taken.
bool http_adopt(struct http_server *server, int fd, const struct sockaddr_storage *peer, uint32_t door)
{
    uint64_t client_key = http_client_key(server, peer);
    if (atomic_load(&server->draining) || http_connection_count(server) >= server->config.max_connections ||
        !http_clients_take(&server->clients, client_key))
        return false;
    struct http_arrival *arrival = malloc(sizeof(*arrival));
    if (!arrival) {
        http_clients_give(&server->clients, client_key);
        return false;
    }
    struct http_loop *l = least_loaded(&server->loops[0]);
    *arrival = (struct http_arrival){NULL, fd, client_key, door, *peer};
    atomic_fetch_add_explicit(&l->conn_count, 1, memory_order_relaxed);
    send_arrival(l, arrival);
    return true;
}

void http_arrivals_take(struct http_loop *l)
{
    struct http_arrival *arrival = atomic_exchange_explicit(&l->arrivals, NULL, memory_order_acquire);
    while (arrival) {
        struct http_arrival *next = arrival->next;
        http_conn_open(l, arrival->fd, &arrival->peer, arrival->client_key, arrival->door);
        free(arrival);
        arrival = next;
    }
}

// Connections that nobody will take any more.
void http_arrivals_drop(struct http_loop *l)
{
    struct http_arrival *arrival = atomic_exchange_explicit(&l->arrivals, NULL, memory_order_acquire);
    while (arrival) {
        struct http_arrival *next = arrival->next;
        l->seam->close(arrival->fd, true);
        http_clients_give(&l->server->clients, arrival->client_key);
        free(arrival);
        arrival = next;
    }
}

// Counts the connection for its client. At the client's cap, its own idle connections make room.
static bool admit(struct http_loop *first, const struct sockaddr_storage *peer, uint64_t *client_key)
{
    struct http_server *s = first->server;
    *client_key = http_client_key(s, peer);
    while (!http_clients_take(&s->clients, *client_key)) {
        if (!evict_idle(first, *client_key))
            return false;
    }
    return true;
}

static void accept_some(struct http_loop *first, int most)
{
    struct http_server *s = first->server;
    for (int i = 0; i < most && s->io->listen_fd >= 0; i++) {
        struct sockaddr_storage peer;
        uint64_t client_key;
        int fd = s->seam->accept(s->io->listen_fd, &peer);
        if (fd < 0) {
            // No descriptors or memory: an idle connection gives up its own, else try again in a moment.
            if (!http_backoff_starved(errno))
                return;
            if (evict_idle(first, ANYBODY))
                continue;
            http_backoff_pause(&s->io->accepting, s->seam, first->poller, s->io->listen_fd, first->now_ns);
            return;
        }
        // First the client's own share: one that has too much does not make others give way.
        if (!admit(first, &peer, &client_key)) {
            refuse_connection(s->seam, fd);
            continue;
        }
        if (http_connection_count(s) >= s->config.max_connections && !evict_idle(first, ANYBODY)) {
            http_clients_give(&s->clients, client_key);
            refuse_connection(s->seam, fd);
            continue;
        }
        give(first, fd, &peer, client_key);
    }
}

void http_accept(struct http_loop *first)
{
    accept_some(first, ACCEPTS_PER_TURN);
}

void http_accept_resume(struct http_loop *first)
{
    struct http_server *s = first->server;
    http_backoff_resume(&s->io->accepting, s->seam, first->poller, s->io->listen_fd, &s->io->listen_fd, first->now_ns);
}

void http_accept_end(struct http_loop *first)
{
    struct http_server *s = first->server;
    // Whoever the kernel has already connected is served; nobody after that.
    accept_some(first, 65536);
    listen_again(first, false);
    if (s->io->listen_fd >= 0)
        s->seam->close(s->io->listen_fd, false);
    s->io->listen_fd = -1;
    s->io->accepting.again_ns = 0;
}
