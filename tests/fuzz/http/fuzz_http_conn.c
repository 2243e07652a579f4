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
                                     .cors_origins = "*"};
    s->parse_limits = (struct http_parse_limits){s->config.max_uri, s->config.max_header};
    s->arena_limit = 1 << 20;
    s->epoll_fd = epoll_create1(0);
    s->read_buf = malloc(HTTP_READ_SIZE);
    s->scratch = malloc(HTTP_SCRATCH_SIZE);
    s->slots = calloc(16, sizeof(*s->slots));
    s->slot_cap = 16;
    s->now_ns = 1000000000;
    s->pool.max = s->config.max_queue;
    pthread_mutex_init(&s->pool.lock, NULL);
    pthread_cond_init(&s->pool.work, NULL);
    pl_buf_init(&s->fixed, 64);
    pl_buf_append_cstr(&s->fixed, "X-Content-Type-Options: nosniff\r\n");
    pl_buf_init(&s->limits, 64);
    pl_buf_append_cstr(&s->limits, "\"a\":1");
    if (s->epoll_fd < 0 || !s->read_buf || !s->scratch || !s->slots || http_core_routes(s, &err) != PL_OK)
        abort();
    return s;
}

// What a worker would do, here and now.
static void run_queue(struct http_server *s)
{
    while (s->pool.first) {
        struct http_exchange *ex = s->pool.first;
        if (!http_pool_remove(&s->pool, ex))
            abort();
        int worker = 0;
        http_exchange_run(ex, &worker);
        http_conn_completed(s, ex);
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

static void free_dead(struct http_server *s)
{
    s->ready = NULL;
    while (s->dead) {
        struct http_conn *c = s->dead;
        s->dead = c->all_next;
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
    size_t step = 1 + (size_t)data[0] * 4;
    unsigned leave = data[1];
    data += 2;
    size -= 2;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0)
        abort();
    struct sockaddr_storage peer = {.ss_family = AF_INET};
    http_conn_open(s, pair[0], &peer);
    struct http_conn *c = s->all;
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
        http_conn_event(s, c, EPOLLIN | EPOLLOUT);
        if (turn == leave && c->state != HTTP_S_CLOSED)
            http_conn_event(s, c, EPOLLRDHUP);
        if (turn + 20 == leave) {
            s->now_ns += 3000000000;
            http_timers_run(s);
        }
        run_queue(s);
        ssize_t r = recv(pair[1], answers + got, sizeof(answers) - got, 0);
        if (r > 0)
            got += (size_t)r;
        // Connections with input left are on the ready list.
        while (s->ready) {
            struct http_conn *again = s->ready;
            s->ready = again->ready_next;
            again->in_ready = false;
            if (again->state != HTTP_S_CLOSED)
                http_conn_run(s, again);
            run_queue(s);
        }
    }
    run_queue(s);
    if (c->state != HTTP_S_CLOSED)
        http_conn_close(s, c);
    for (ssize_t r = 1; r > 0;) {
        r = recv(pair[1], answers + got, sizeof(answers) - got, 0);
        if (r > 0)
            got += (size_t)r;
    }
    check_answers(answers, got, leave > 100);
    close(pair[1]);
    free_dead(s);
    if (s->conn_count != 0 || s->body_memory != 0 || s->scratch_len != 0 || s->pool.count != 0)
        abort();
    return 0;
}
