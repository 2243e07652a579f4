// The life of a connection: opened, read, waiting, closed; and its deadlines.
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/ckd.h"
#include "http/server.h"

#define READS_PER_TURN 8
#define LINGER_NS 2000000000ull
#define LEAVE_NS 1000000000ull
#define FIRST_STASH 2048

static void uncount(struct http_loop *l)
{
    atomic_fetch_sub_explicit(&l->conn_count, 1, memory_order_release);
}

void http_conn_open(struct http_loop *l, int fd, const struct sockaddr_storage *peer)
{
    struct http_conn *c = l->free_conns;
    if (c)
        l->free_conns = c->all_next;
    else
        c = malloc(sizeof(*c));
    if (!c) {
        close(fd);
        uncount(l);
        return;
    }
    *c = (struct http_conn){.fd = fd, .state = HTTP_S_HEAD, .fresh = true, .head_timing = true, .peer = *peer};
    int on = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0)
        errno = 0; // slower, not wrong
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
    if (epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        close(fd);
        uncount(l);
        c->all_next = l->free_conns;
        l->free_conns = c;
        return;
    }
    c->all_next = l->all;
    if (l->all)
        l->all->all_prev = c;
    l->all = c;
    // While the server stops, only a request that is on its way already is waited for.
    http_timer_set(l, c,
                   l->now_ns + (l->drain_begun ? HTTP_DRAIN_IDLE_NS : l->server->config.header_timeout_ms * 1000000u));
    http_counter_add(l->server->m.accepted, 1);
}

// What becomes of a request whose client has gone.
static void abandon(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->ex;
    c->ex = NULL;
    if (!ex)
        return;
    if (c->state == HTTP_S_WAIT && !http_pool_remove(&l->server->pool, ex)) {
        // A worker has it: the flag ends it soon, and its completion cleans up.
        ex->conn = NULL;
        atomic_store_explicit(&ex->cancelled, true, memory_order_relaxed);
        return;
    }
    if (c->state == HTTP_S_WAIT)
        http_counter_add(l->server->m.cancelled, 1);
    ex->res.status = 499;
    http_exchange_note(l, ex, 0);
    http_exchange_put(l, ex);
}

void http_conn_close(struct http_loop *l, struct http_conn *c)
{
    if (c->state == HTTP_S_CLOSED)
        return;
    abandon(l, c);
    if (c->out) {
        http_exchange_note(l, c->out, c->body_at);
        http_exchange_put(l, c->out);
        c->out = NULL;
    }
    c->state = HTTP_S_CLOSED;
    http_timer_remove(l, c);
    close(c->fd);
    c->fd = -1;
    if (c->all_prev)
        c->all_prev->all_next = c->all_next;
    else
        l->all = c->all_next;
    if (c->all_next)
        c->all_next->all_prev = c->all_prev;
    uncount(l);
    // Others may still hold the pointer in this turn; its memory goes back at the turn's end.
    c->all_prev = NULL;
    c->all_next = l->dead;
    l->dead = c;
}

// All answers are out and no more are to come.
static void finish(struct http_loop *l, struct http_conn *c)
{
    // Closing with unread input resets the connection, and the client might not see the answer.
    if (!c->linger || c->peer_closed || shutdown(c->fd, SHUT_WR) != 0) {
        http_conn_close(l, c);
        return;
    }
    c->state = HTTP_S_LINGER;
    http_timer_set(l, c, l->now_ns + LINGER_NS);
}

// Puts the unused input from `data` into the connection's own buffer; `p` is the state of its parsing.
static bool stash(struct http_conn *c, const struct http_parser *p, const uint8_t *data, size_t len)
{
    size_t cap = len * 2 > FIRST_STASH ? len * 2 : FIRST_STASH;
    struct http_stash *in = malloc(sizeof(*in) + cap);
    if (!in)
        return false;
    in->parser = *p;
    in->len = len;
    in->cap = cap;
    memcpy(in->data, data, len);
    c->in = in;
    return true;
}

static void use_stash(struct http_loop *l, struct http_conn *c)
{
    struct http_stash *in = c->in;
    size_t used = http_conn_input(l, c, &in->parser, in->data, in->len);
    if (c->state == HTTP_S_CLOSED)
        return; // freed with the connection
    in->len -= used;
    if (in->len == 0) {
        c->in = NULL;
        free(in);
    } else if (used > 0) {
        memmove(in->data, in->data + used, in->len);
    }
}

static bool grow_stash(struct http_conn *c)
{
    struct http_stash *in = c->in;
    if (in->cap - in->len >= 1024)
        return true;
    size_t cap = in->cap * 2;
    in = realloc(in, sizeof(*in) + cap);
    if (!in)
        return false;
    in->cap = cap;
    c->in = in;
    return true;
}

// One recv. Returns the bytes read, 0 when there is nothing more now or the connection was closed.
static size_t receive(struct http_loop *l, struct http_conn *c, void *room, size_t size)
{
    ssize_t n;
    do {
        n = recv(c->fd, room, size, 0);
    } while (n < 0 && errno == EINTR);
    if (n > 0) {
        // A short read has emptied the socket; the next bytes bring a new event.
        if ((size_t)n < size && !c->peer_closed)
            c->can_read = false;
        return (size_t)n;
    }
    c->can_read = false;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return 0;
    if (n == 0 && l->scratch_len > 0 && !http_conn_flush(l, c))
        return 0;
    http_conn_close(l, c);
    return 0;
}

static void read_once(struct http_loop *l, struct http_conn *c)
{
    if (c->state == HTTP_S_BODY && !c->in && !c->is_chunked && !c->ex->discard) {
        size_t want = c->body_left < HTTP_READ_SIZE ? (size_t)c->body_left : HTTP_READ_SIZE;
        if (!http_body_reserve(l, c, want))
            return;
        // As much as fits: the buffer has room up to its capacity.
        size_t room = c->ex->body_cap - c->ex->body_len;
        size_t n = receive(l, c, c->ex->body + c->ex->body_len, room < c->body_left ? room : (size_t)c->body_left);
        if (n > 0)
            http_body_arrived(l, c, n);
        return;
    }
    if (c->in) {
        if (!grow_stash(c)) {
            http_conn_close(l, c);
            return;
        }
        size_t n = receive(l, c, c->in->data + c->in->len, c->in->cap - c->in->len);
        if (n > 0) {
            c->in->len += n;
            use_stash(l, c);
        }
        return;
    }
    size_t n = receive(l, c, l->read_buf, HTTP_READ_SIZE);
    if (n == 0)
        return;
    http_parser_reset(&l->parser);
    size_t used = http_conn_input(l, c, &l->parser, l->read_buf, n);
    if (used < n && c->state != HTTP_S_CLOSED && !stash(c, &l->parser, l->read_buf + used, n - used))
        http_conn_close(l, c);
}

static void enter_ready(struct http_loop *l, struct http_conn *c)
{
    if (c->in_ready)
        return;
    c->in_ready = true;
    c->ready_next = l->ready;
    l->ready = c;
}

static void discard_input(struct http_loop *l, struct http_conn *c)
{
    for (int i = 0; i < READS_PER_TURN && c->can_read && c->state == HTTP_S_LINGER; i++)
        (void)receive(l, c, l->read_buf, HTTP_READ_SIZE);
    if (c->can_read && c->state == HTTP_S_LINGER)
        enter_ready(l, c);
}

// The deadline that fits what the connection is waiting for now.
static void rest(struct http_loop *l, struct http_conn *c)
{
    if (c->state != HTTP_S_HEAD)
        return;
    if (c->in) {
        if (!c->head_timing) {
            c->head_timing = true;
            http_timer_set(l, c, l->now_ns + l->server->config.header_timeout_ms * 1000000u);
        }
    } else if (!c->fresh) {
        c->head_timing = false;
        http_timer_set(l, c, l->now_ns + l->server->config.idle_timeout_ms * 1000000u);
    }
}

void http_conn_run(struct http_loop *l, struct http_conn *c)
{
    if (c->state == HTTP_S_WRITE && !http_conn_flush(l, c))
        return;
    if (c->in && (c->state == HTTP_S_HEAD || c->state == HTTP_S_BODY))
        use_stash(l, c);
    for (int reads = 0; (c->state == HTTP_S_HEAD || c->state == HTTP_S_BODY) && c->can_read && !c->close_after;) {
        if (reads++ == READS_PER_TURN) {
            enter_ready(l, c);
            break;
        }
        read_once(l, c);
    }
    if (c->state == HTTP_S_CLOSED || c->state == HTTP_S_WRITE)
        return;
    if (l->scratch_len > 0 && !http_conn_flush(l, c))
        return;
    if (c->state == HTTP_S_HEAD && c->close_after)
        finish(l, c);
    if (c->state == HTTP_S_LINGER)
        discard_input(l, c);
    else
        rest(l, c);
}

void http_conn_event(struct http_loop *l, struct http_conn *c, uint32_t events)
{
    if (c->state == HTTP_S_CLOSED)
        return;
    if (events & (EPOLLHUP | EPOLLERR)) {
        http_conn_close(l, c);
        return;
    }
    if (events & EPOLLIN)
        c->can_read = true;
    if (events & EPOLLRDHUP) {
        c->peer_closed = true;
        c->can_read = true;
        if (c->state == HTTP_S_WAIT) {
            // Gone, or only done with sending: both look alike. What waits in the queue is dropped; what has begun gets
            // a moment to be answered.
            if (http_pool_queued(&l->server->pool, c->ex))
                http_conn_close(l, c);
            else
                http_timer_set(l, c, l->now_ns + LEAVE_NS);
            return;
        }
    }
    if (c->state == HTTP_S_WAIT || (c->state == HTTP_S_WRITE && !(events & EPOLLOUT)))
        return;
    if (c->state == HTTP_S_HEAD && !c->can_read)
        return; // the writable event that comes with every new connection
    http_conn_run(l, c);
}

void http_conn_completed(struct http_loop *l, struct http_exchange *ex)
{
    struct http_conn *c = ex->conn;
    if (!c) {
        http_counter_add(l->server->m.cancelled, 1);
        ex->res.status = 499;
        http_exchange_note(l, ex, 0);
        http_exchange_put(l, ex);
        return;
    }
    c->ex = NULL;
    ex->conn = NULL;
    http_conn_respond(l, c, ex);
    if (c->state != HTTP_S_CLOSED)
        http_conn_run(l, c);
}

void http_conn_timeout(struct http_loop *l, struct http_conn *c)
{
    c->deadline_ns = 0;
    http_counter_add(l->server->m.timeouts, c->state != HTTP_S_WAIT);
    if (c->state == HTTP_S_BODY)
        http_conn_fail(l, c, 408, "body_timeout", "The request body did not arrive in time.");
    else if (c->state == HTTP_S_HEAD && c->in)
        http_conn_fail(l, c, 408, "header_timeout", "The request did not arrive in time.");
    else {
        if (c->state == HTTP_S_WRITE) {
            // Nobody reads this answer: what the kernel holds of it is dropped too.
            struct linger now = {.l_onoff = 1};
            if (setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now)) != 0)
                errno = 0;
        }
        http_conn_close(l, c);
        return;
    }
    if (c->state != HTTP_S_CLOSED) {
        c->can_read = false;
        http_conn_run(l, c);
    }
}
