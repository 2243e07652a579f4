// The I/O thread: one epoll set with the listener, the signals, the workers' completions and all connections.
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "http/server.h"

#define EVENTS 512
#define ACCEPTS_PER_TURN 64
#define ACCEPT_PAUSE_NS 100000000ull
#define EVICT_AGE_NS 1000000000ull
#define DRAIN_IDLE_NS 1000000000ull

// Splits "host:port", "[v6]:port" or ":port".
static bool split_address(const char *text, char *host, size_t host_size, const char **port)
{
    const char *colon = strrchr(text, ':');
    if (!colon || colon[1] == '\0')
        return false;
    for (const char *digit = colon + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
    }
    size_t len = (size_t)(colon - text);
    if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
    } else if (memchr(text, ':', len)) {
        return false;
    }
    if (len >= host_size)
        return false;
    memcpy(host, text, len);
    host[len] = '\0';
    *port = colon + 1;
    return true;
}

enum pl_errc http_listen(struct http_server *s, char *address, size_t address_size, struct pl_error *err)
{
    char host[256];
    const char *port;
    if (!split_address(s->config.listen, host, sizeof(host), &port) || strlen(port) > 5 || atoi(port) > 65535)
        return pl_fail(err, PL_E_INVALID, "--listen: '%s' is not HOST:PORT", s->config.listen);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *list;
    int failed = getaddrinfo(host[0] ? host : NULL, port, &hints, &list);
    if (failed) {
        bool ours = failed == EAI_MEMORY || failed == EAI_SYSTEM || failed == EAI_AGAIN; // not the address's fault
        return pl_fail(err, ours ? PL_E_IO : PL_E_INVALID, "--listen: '%s': %s", s->config.listen,
                       gai_strerror(failed));
    }
    int fd = socket(list->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;
    bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
              bind(fd, list->ai_addr, list->ai_addrlen) == 0 && listen(fd, 4096) == 0;
    int reason = errno;
    freeaddrinfo(list);
    struct sockaddr_storage bound;
    socklen_t size = sizeof(bound);
    char name[128], number[16];
    if (!ok || getsockname(fd, (struct sockaddr *)&bound, &size) != 0 ||
        getnameinfo((struct sockaddr *)&bound, size, name, sizeof(name), number, sizeof(number),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        if (fd >= 0)
            close(fd);
        return pl_fail(err, PL_E_IO, "cannot listen on %s: %s", s->config.listen, strerror(reason));
    }
    s->listen_fd = fd;
    const char *form = bound.ss_family == AF_INET6 ? "http://[%s]:%s" : "http://%s:%s";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int n = snprintf(address, address_size, form, name, number);
#pragma GCC diagnostic pop
    return n > 0 && (size_t)n < address_size ? PL_OK : pl_fail(err, PL_E_BUG, "the address is too long");
}

static bool watch(struct http_server *s, int fd, void *tag)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = tag};
    return epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

enum pl_errc http_loop_init(struct http_server *s, struct pl_error *err)
{
    // As many descriptors as the system grants: connections are bounded by --max-connections.
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &files) != 0)
            errno = 0;
    }
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return pl_fail(err, PL_E_IO, "cannot block signals");
    signal(SIGPIPE, SIG_IGN);
    s->signal_fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    s->read_buf = malloc(HTTP_READ_SIZE);
    s->scratch = malloc(HTTP_SCRATCH_SIZE);
    if (s->signal_fd < 0 || s->epoll_fd < 0 || !s->read_buf || !s->scratch)
        return pl_fail(err, PL_E_IO, "cannot set up the event loop");
    return PL_OK;
}

static void update_clock(struct http_server *s)
{
    s->now_ns = pl_now_ns();
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME_COARSE, &wall);
    if (wall.tv_sec == s->date_at && s->date_len > 0)
        return;
    static const char DAYS[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char MONTHS[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm utc;
    s->date_at = wall.tv_sec;
    if (!gmtime_r(&wall.tv_sec, &utc))
        return;
    int n = snprintf(s->date, sizeof(s->date), "Date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n", DAYS[utc.tm_wday % 7],
                     utc.tm_mday, MONTHS[utc.tm_mon % 12], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
    s->date_len = n > 0 && (size_t)n < sizeof(s->date) ? (size_t)n : 0;
}

static void listen_again(struct http_server *s, bool on)
{
    if (s->accepting == on || s->listen_fd < 0)
        return;
    if (on ? watch(s, s->listen_fd, &s->listen_fd) : epoll_ctl(s->epoll_fd, EPOLL_CTL_DEL, s->listen_fd, NULL) == 0)
        s->accepting = on;
}

// At the cap, the connection that has been idle longest makes room.
static bool evict_idle(struct http_server *s)
{
    struct http_conn *oldest = NULL;
    uint64_t young = s->now_ns + s->config.header_timeout_ms * 1000000u - EVICT_AGE_NS;
    for (struct http_conn *c = s->all; c; c = c->all_next) {
        // The first bytes of a new connection may be here without having been seen yet.
        if (c->fresh && c->deadline_ns > young)
            continue;
        if (c->state == HTTP_S_HEAD && !c->in && !c->can_read && (!oldest || c->deadline_ns < oldest->deadline_ns))
            oldest = c;
    }
    if (!oldest)
        return false;
    http_conn_close(s, oldest);
    return true;
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

static void accept_some(struct http_server *s, int most)
{
    for (int i = 0; i < most; i++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof(peer);
        int fd = accept4(s->listen_fd, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                // No descriptors or memory: an idle connection gives up its own, else try again in a moment.
                if (evict_idle(s))
                    continue;
                listen_again(s, false);
                s->accept_again_ns = s->now_ns + ACCEPT_PAUSE_NS;
            }
            return;
        }
        if (s->conn_count >= s->config.max_connections && !evict_idle(s)) {
            refuse_connection(fd);
            continue;
        }
        http_conn_open(s, fd, &peer);
    }
}

static void begin_drain(struct http_server *s)
{
    atomic_store(&s->draining, true);
    s->drain_end_ns = s->now_ns + s->config.drain_timeout_ms * 1000000u;
    // Whoever the kernel has already connected is served; nobody after that.
    accept_some(s, 65536);
    listen_again(s, false);
    if (s->listen_fd >= 0)
        close(s->listen_fd);
    s->listen_fd = -1;
    s->accept_again_ns = 0;
    // A request may be on its way on an idle connection: it gets a moment, then the connection is closed.
    for (struct http_conn *c = s->all; c; c = c->all_next) {
        if (c->state == HTTP_S_HEAD && !c->in)
            http_timer_set(s, c, s->now_ns + DRAIN_IDLE_NS);
    }
}

static void on_signal(struct http_server *s)
{
    struct signalfd_siginfo info;
    while (read(s->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (s->signals++ > 0) {
            http_log_flush(s);
            _exit(1); // the second signal ends at once
        }
        begin_drain(s);
    }
}

static void on_completions(struct http_server *s)
{
    uint64_t count;
    while (read(s->pool.event_fd, &count, sizeof(count)) < 0 && errno == EINTR)
        continue;
    struct http_exchange *ex = http_pool_completed(&s->pool);
    while (ex) {
        struct http_exchange *next = ex->next;
        ex->next = NULL;
        http_conn_completed(s, ex);
        ex = next;
    }
}

static void run_ready(struct http_server *s)
{
    struct http_conn *c = s->ready;
    s->ready = NULL;
    while (c) {
        struct http_conn *next = c->ready_next;
        c->in_ready = false;
        if (c->state == HTTP_S_HEAD || c->state == HTTP_S_BODY || c->state == HTTP_S_LINGER)
            http_conn_run(s, c);
        c = next;
    }
}

static void free_dead(struct http_server *s)
{
    struct http_conn *c = s->dead;
    s->dead = NULL;
    while (c) {
        struct http_conn *next = c->all_next;
        if (c->in_ready) {
            c->all_next = s->dead;
            s->dead = c;
        } else {
            free(c->in);
            free(c->pend);
            c->in = NULL;
            c->pend = NULL;
            c->all_next = s->free_conns;
            s->free_conns = c;
        }
        c = next;
    }
}

static int wait_ms(const struct http_server *s)
{
    if (s->ready)
        return 0;
    if (s->conn_count > 0 || s->accept_again_ns != 0 || atomic_load_explicit(&s->draining, memory_order_relaxed))
        return (int)(HTTP_TICK_NS / 1000000u);
    return -1;
}

static void check_drain(struct http_server *s)
{
    if (s->conn_count == 0) {
        s->finished = true;
    } else if (s->now_ns >= s->drain_end_ns) {
        s->cut = true;
        while (s->all)
            http_conn_close(s, s->all);
        s->finished = true;
    }
}

enum pl_errc http_loop_watch(struct http_server *s, struct pl_error *err)
{
    bool watched = watch(s, s->signal_fd, &s->signal_fd) && watch(s, s->pool.event_fd, &s->pool);
    if (watched)
        listen_again(s, true);
    return s->accepting ? PL_OK : pl_fail(err, PL_E_IO, "cannot watch for connections: %s", strerror(errno));
}

void http_loop_run(struct http_server *s)
{
    update_clock(s);
    s->boot_ns = s->now_ns;
    s->tick = s->now_ns / HTTP_TICK_NS;
    struct epoll_event events[EVENTS];
    while (!s->finished) {
        int n = epoll_wait(s->epoll_fd, events, EVENTS, wait_ms(s));
        update_clock(s);
        for (int i = 0; i < n; i++) {
            void *tag = events[i].data.ptr;
            if (tag == &s->listen_fd)
                accept_some(s, ACCEPTS_PER_TURN);
            else if (tag == &s->signal_fd)
                on_signal(s);
            else if (tag == &s->pool)
                on_completions(s);
            else
                http_conn_event(s, tag, events[i].events);
        }
        run_ready(s);
        http_timers_run(s);
        if (s->accept_again_ns != 0 && s->now_ns >= s->accept_again_ns) {
            listen_again(s, true);
            s->accept_again_ns = s->accepting || s->listen_fd < 0 ? 0 : s->now_ns + ACCEPT_PAUSE_NS;
        }
        http_log_flush(s);
        if (atomic_load_explicit(&s->draining, memory_order_relaxed))
            check_drain(s);
        free_dead(s);
    }
}

void http_loop_fini(struct http_server *s)
{
    free_dead(s);
    for (struct http_conn *c = s->free_conns; c;) {
        struct http_conn *next = c->all_next;
        free(c);
        c = next;
    }
    free(s->read_buf);
    free(s->scratch);
    if (s->listen_fd >= 0)
        close(s->listen_fd);
    if (s->signal_fd >= 0)
        close(s->signal_fd);
    if (s->epoll_fd >= 0)
        close(s->epoll_fd);
}
