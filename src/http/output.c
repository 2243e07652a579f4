// From answers to bytes: small answers are gathered in the scratch buffer and go out in one call.
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "http/server.h"

#define COPY_MAX 4096 // bodies up to this size are copied behind their head

static void finish_out(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->out;
    c->out = NULL;
    http_exchange_note(l, ex, c->head_len + c->body_len);
    http_exchange_put(l, ex);
}

static void keep(struct pl_arena *arena, struct pl_slice *slice)
{
    const void *copy = pl_arena_copy(arena, slice->ptr, slice->len);
    *slice = copy ? pl_slice_make(copy, slice->len) : pl_slice_make("", 0);
}

// The answer will be written after this turn, when the buffer that the request was read into holds something else.
static void keep_for_log(struct http_exchange *ex)
{
    keep(&ex->arena, &ex->method_text);
    keep(&ex->arena, &ex->req.path);
    keep(&ex->arena, &ex->req.id);
}

void http_conn_respond(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    const struct http_response *res = &ex->res;
    bool close = !ex->keep_alive || atomic_load_explicit(&l->server->draining, memory_order_relaxed);
    size_t body_len = ex->head_only || res->no_body || res->status == 204 || res->status == 304 ? 0 : res->body.len;
    size_t head_len = http_head_write(l, ex, close, l->scratch + l->scratch_len);
    l->scratch_len += head_len;
    c->state = HTTP_S_HEAD;
    c->close_after = close;
    if (body_len <= COPY_MAX) {
        if (body_len > 0)
            memcpy(l->scratch + l->scratch_len, res->body.ptr, body_len);
        l->scratch_len += body_len;
        http_exchange_note(l, ex, head_len + body_len);
        http_exchange_put(l, ex);
        return;
    }
    keep_for_log(ex);
    c->out = ex;
    c->body_at = 0;
    c->body_len = body_len;
    c->head_len = head_len;
    // A body this large is not gathered with others; what does not fit into the socket waits for it.
    (void)http_conn_flush(l, c);
}

// Keeps what is left of the scratch buffer until the socket takes it.
static bool keep_rest(struct http_loop *l, struct http_conn *c, size_t sent)
{
    size_t rest = l->scratch_len - sent;
    if (rest == 0)
        return true;
    c->pend = malloc(rest);
    if (!c->pend)
        return false;
    memcpy(c->pend, l->scratch + sent, rest);
    c->pend_len = rest;
    c->pend_at = 0;
    return true;
}

static void wait_for_room(struct http_loop *l, struct http_conn *c)
{
    if (c->state != HTTP_S_WRITE) {
        c->after = c->state;
        c->state = HTTP_S_WRITE;
        c->since_ns = l->now_ns;
        c->moved = 0;
    }
    http_timer_set(l, c,
                   c->since_ns + l->server->config.write_timeout_ms * 1000000u +
                       c->moved * 1000000000u / l->server->config.min_rate);
}

bool http_conn_flush(struct http_loop *l, struct http_conn *c)
{
    size_t sent = 0; // of the scratch buffer
    for (;;) {
        struct iovec parts[3];
        size_t count = 0, total = 0;
        if (c->pend)
            parts[count++] = (struct iovec){c->pend + c->pend_at, c->pend_len - c->pend_at};
        if (l->scratch_len > sent)
            parts[count++] = (struct iovec){l->scratch + sent, l->scratch_len - sent};
        if (c->out)
            parts[count++] =
                (struct iovec){(void *)(uintptr_t)(c->out->res.body.ptr + c->body_at), c->body_len - c->body_at};
        for (size_t i = 0; i < count; i++)
            total += parts[i].iov_len;
        if (total == 0)
            break;
        ssize_t n;
        if (count == 1) {
            n = send(c->fd, parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL);
        } else {
            struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
            n = sendmsg(c->fd, &message, MSG_NOSIGNAL);
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            bool full = errno == EAGAIN || errno == EWOULDBLOCK;
            if (!full || !keep_rest(l, c, sent)) {
                l->scratch_len = 0;
                http_conn_close(l, c);
                return false;
            }
            l->scratch_len = 0;
            wait_for_room(l, c);
            return false;
        }
        size_t done = (size_t)n;
        c->moved += done;
        if (c->pend) {
            size_t part = c->pend_len - c->pend_at;
            size_t take = done < part ? done : part;
            c->pend_at += take;
            done -= take;
            if (c->pend_at == c->pend_len) {
                free(c->pend);
                c->pend = NULL;
            }
        }
        if (done > 0) {
            size_t part = l->scratch_len - sent;
            size_t take = done < part ? done : part;
            sent += take;
            done -= take;
        }
        if (c->out)
            c->body_at += done;
    }
    l->scratch_len = 0;
    if (c->out)
        finish_out(l, c);
    if (c->state == HTTP_S_WRITE) {
        c->state = c->after;
        c->since_ns = l->now_ns;
        c->moved = 0;
    }
    return true;
}
