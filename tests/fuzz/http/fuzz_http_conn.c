// A whole connection: bytes in pieces through a socket, inline and worker routes, and the answers that come back. The
// first two bytes choose the size of the pieces and when the client leaves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int echo(struct http_request *req, struct http_response *res)
{
    http_set_type(res, "application/octet-stream");
    http_body_borrow(res, req->body);
    return 200;
}

static struct http_server *server(void)
{
    static const struct http_route routes[] = {
        {HTTP_POST, "/e", echo, 0, 0, ""},
        {HTTP_POST, "/i", echo, HTTP_INLINE, 300, ""},
        {HTTP_GET, "/e", echo, 0, 0, ""},
        {HTTP_GET, "/{a}/{b*}", echo, HTTP_INLINE, 0, ""},
    };
    static const struct http_app app = {.name = "fuzz", .version = "1", .routes = routes, .route_count = 4};
    static struct http_server *s;
    if (s)
        return s;
    struct pl_error err = {0};
    s = calloc(1, sizeof(*s));
    if (!s)
        abort();
    s->app = &app;
    s->log.fd = -1;
    s->config = (struct http_config){.max_connections = 10,
                                     .max_queue = 2,
                                     .max_body = 600,
                                     .max_body_memory = 1 << 20,
                                     .max_uri = 128,
                                     .max_header = 512,
                                     .header_timeout_ms = 1000,
                                     .idle_timeout_ms = 1000,
                                     .body_timeout_ms = 1000,
                                     .write_timeout_ms = 1000,
                                     .min_rate = 1024,
                                     .allow_host = "",
                                     .cors = "off"};
    s->parse_limits = (struct http_parse_limits){s->config.max_uri, s->config.max_header};
    s->arena_limit = 1 << 20;
    s->loops = calloc(1, sizeof(*s->loops));
    s->loop_count = 1;
    s->slots = calloc(16, sizeof(*s->slots));
    s->slot_cap = 16;
    s->pool.max = s->config.max_queue;
    pthread_mutex_init(&s->pool.lock, NULL);
    sem_init(&s->pool.work, 0, 0);
    pl_buf_init(&s->fixed, 64);
    pl_buf_append_cstr(&s->fixed, "X-Content-Type-Options: nosniff\r\n");
    pl_buf_init(&s->limits, 64);
    pl_buf_append_cstr(&s->limits, "\"a\":1");
    if (!s->loops || !s->slots || http_core_routes(s, &err) != PL_OK || http_loop_init(s->loops, s, 0, &err) != PL_OK)
        abort();
    s->loops->now_ns = 1000000000;
    return s;
}

// What a worker would do, here and now.
static void run_queue(struct http_loop *l)
{
    struct http_pool *pool = &l->server->pool;
    while (pool->first) {
        struct http_exchange *ex = pool->first;
        if (!http_pool_remove(pool, ex))
            abort();
        int worker = 0;
        http_exchange_run(ex, &worker);
        http_conn_completed(l, ex);
    }
}

// The answers must be whole HTTP answers, one after the other.
static void check_answers(const uint8_t *data, size_t len, bool whole)
{
    size_t at = 0;
    while (at < len) {
        const uint8_t *end = memmem(data + at, len - at, "\r\n\r\n", 4);
        if (!end) {
            if (whole)
                abort();
            return;
        }
        if (len - at < 12 || memcmp(data + at, "HTTP/1.1 ", 9) != 0)
            abort();
        size_t head = (size_t)(end - data) + 4;
        const uint8_t *field = memmem(data + at, head - at, "Content-Length: ", 16);
        size_t body = field ? strtoul((const char *)field + 16, NULL, 10) : 0;
        at = head;
        // A HEAD request's answer has no body: the next answer follows at once.
        if (len - at >= 9 && memcmp(data + at, "HTTP/1.1 ", 9) == 0)
            continue;
        if (body > len - at) {
            if (len == at)
                return; // the last one was for HEAD
            if (whole)
                abort();
            return;
        }
        at += body;
    }
}

static void free_dead(struct http_loop *l)
{
    l->ready = NULL;
    while (l->dead) {
        struct http_conn *c = l->dead;
        l->dead = c->all_next;
        free(c->in);
        free(c->pend);
        free(c);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    struct http_server *s = server();
    struct http_loop *l = s->loops;
    size_t step = 1 + (size_t)data[0] * 4;
    unsigned leave = data[1];
    data += 2;
    size -= 2;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0)
        abort();
    struct sockaddr_storage peer = {.ss_family = AF_INET};
    atomic_fetch_add(&l->conn_count, 1);
    http_conn_open(l, pair[0], &peer);
    struct http_conn *c = l->all;
    static uint8_t answers[1 << 20];
    size_t got = 0;
    unsigned turn = 0;
    for (size_t at = 0; at < size && c->state != HTTP_S_CLOSED; turn++) {
        size_t n = size - at < step ? size - at : step;
        ssize_t sent = send(pair[1], data + at, n, MSG_NOSIGNAL);
        if (sent > 0)
            at += (size_t)sent;
        else if (c->state == HTTP_S_LINGER || sent < 0)
            break;
        http_conn_event(l, c, EPOLLIN | EPOLLOUT);
        if (turn == leave && c->state != HTTP_S_CLOSED)
            http_conn_event(l, c, EPOLLRDHUP);
        if (turn + 20 == leave) {
            l->now_ns += 3000000000;
            http_timers_run(l);
        }
        run_queue(l);
        ssize_t r = recv(pair[1], answers + got, sizeof(answers) - got, 0);
        if (r > 0)
            got += (size_t)r;
        // Connections with input left are on the ready list.
        while (l->ready) {
            struct http_conn *again = l->ready;
            l->ready = again->ready_next;
            again->in_ready = false;
            if (again->state != HTTP_S_CLOSED)
                http_conn_run(l, again);
            run_queue(l);
        }
    }
    run_queue(l);
    if (c->state != HTTP_S_CLOSED)
        http_conn_close(l, c);
    for (ssize_t r = 1; r > 0;) {
        r = recv(pair[1], answers + got, sizeof(answers) - got, 0);
        if (r > 0)
            got += (size_t)r;
    }
    check_answers(answers, got, leave > 100);
    close(pair[1]);
    free_dead(l);
    if (l->conn_count != 0 || s->body_memory != 0 || l->scratch_len != 0 || s->pool.count != 0)
        abort();
    return 0;
}
