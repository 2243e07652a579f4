// A whole connection behind the core's seam: bytes that come in pieces, a client that reads as slowly as it likes,
// workers that finish when they like, time, half-closes and resets. The input's first byte says how long the script is,
// the script follows, and the rest is what the client sends. The answers that come back must be whole, one after the
// other.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/conn/answer.h"
#include "http/conn/conn.h"
#include "http/io/loop.h"
#include "http/server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FD 5
#define ANSWERS_MAX ((size_t)4 << 20)

// ---- the world: one connection

static struct {
    uint64_t now_ns;
    const uint8_t *in; // what the client has sent and the server has not read
    size_t in_len;
    bool ended, reset, closed, reset_at_exit;
    size_t room; // what the server may send before the client reads
    uint8_t *answers;
    size_t got;
} world;

static uint64_t now_ns(void)
{
    return world.now_ns;
}

static uint64_t wall_ms(void)
{
    return world.now_ns / 1000000;
}

static ssize_t receive(int fd, void *room, size_t size)
{
    if (fd != FD || world.closed)
        abort();
    if (world.reset) {
        errno = ECONNRESET;
        return -1;
    }
    if (world.in_len == 0) {
        errno = EAGAIN;
        return world.ended ? 0 : -1;
    }
    size_t n = size < world.in_len ? size : world.in_len;
    memcpy(room, world.in, n);
    world.in += n;
    world.in_len -= n;
    return (ssize_t)n;
}

static ssize_t send_parts(int fd, const struct iovec *parts, size_t count)
{
    if (fd != FD || world.closed)
        abort();
    if (world.reset) {
        errno = EPIPE;
        return -1;
    }
    size_t sent = 0;
    for (size_t i = 0; i < count && world.room > 0; i++) {
        size_t n = parts[i].iov_len < world.room ? parts[i].iov_len : world.room;
        if (world.got + n > ANSWERS_MAX)
            abort();
        memcpy(world.answers + world.got, parts[i].iov_base, n);
        world.got += n;
        world.room -= n;
        sent += n;
    }
    if (sent > 0)
        return (ssize_t)sent;
    errno = EAGAIN;
    return -1;
}

static int end_sending(int fd)
{
    return fd == FD && !world.reset ? 0 : -1;
}

static void close_fd(int fd, bool reset)
{
    if (fd == FD) {
        // The last answer would be lost.
        if (world.closed || (world.reset_at_exit && !reset && !world.reset))
            abort();
        world.closed = true;
    }
}

static void reset_at_exit(int fd, bool on)
{
    if (fd != FD || world.closed || world.reset_at_exit == on)
        abort();
    world.reset_at_exit = on;
}

static int descriptor(void)
{
    return 3;
}

static bool watch(int poller, int fd, void *tag)
{
    (void)poller;
    (void)fd;
    (void)tag;
    return true;
}

static void nothing(int waker)
{
    (void)waker;
}

static void no_priority(pthread_t thread, bool eager)
{
    (void)thread;
    (void)eager;
}

static void keep_memory(void) {}

static const struct http_seam SEAM = {
    .now_ns = now_ns,
    .wall_ms = wall_ms,
    .receive = receive,
    .send = send_parts,
    .end_sending = end_sending,
    .close = close_fd,
    .reset_at_exit = reset_at_exit,
    .poller_new = descriptor,
    .watch_connection = watch,
    .watch_input = watch,
    .waker_new = descriptor,
    .wake = nothing,
    .woken = nothing,
    .set_eager = no_priority,
    .trim_memory = keep_memory,
};

// ---- the application

static int echo(struct http_request *req, struct http_response *res)
{
    http_set_type(res, "application/octet-stream");
    http_body_borrow(res, req->body);
    return 200;
}

static int large(struct http_request *req, struct http_response *res)
{
    size_t size = 5000 + 40 * req->target.len;
    char *body = malloc(size);
    if (!body)
        return 0;
    memset(body, 'x', size);
    http_body_take(res, body, size);
    return 200;
}

static enum http_step step(struct http_request *req, struct http_response *res, void *state)
{
    unsigned *at = state;
    char piece[300];
    memset(piece, 's', sizeof piece);
    if (++*at == 3 && req->query_count > 0)
        http_start(res, 200);
    if (*at == 6 && req->query_count > 1)
        return HTTP_STEP_FAILED;
    for (unsigned i = 0; i < *at * 8; i++) {
        if (!http_write(res, piece, sizeof piece))
            return HTTP_STEP_FAILED;
    }
    return *at >= 8 ? HTTP_STEP_END : HTTP_STEP_MORE;
}

static int in_steps(struct http_request *req, struct http_response *res)
{
    (void)req;
    static const struct http_steps STEPS = {step, free};
    unsigned *at = calloc(1, sizeof *at);
    return at ? http_steps(res, &STEPS, at) : 0;
}

static int events(struct http_request *req, struct http_response *res)
{
    (void)req;
    return http_events_open(res, 1);
}

static struct http_server *server(void)
{
    static const struct http_route ROUTES[] = {
        {HTTP_POST, "/e", echo, 0, 0, "", HTTP_ANY_QUERY},
        {HTTP_POST, "/i", echo, HTTP_INLINE, 300, "", HTTP_ANY_QUERY},
        {HTTP_GET, "/e", echo, 0, 0, "", HTTP_ANY_QUERY},
        {HTTP_GET, "/l", large, 0, 0, "", HTTP_ANY_QUERY},
        {HTTP_GET, "/li", large, HTTP_INLINE, 0, "", HTTP_ANY_QUERY},
        {HTTP_GET, "/s", in_steps, 0, 0, "", HTTP_ANY_QUERY},
        {HTTP_GET, "/v", events, 0, 0, "", HTTP_ANY_QUERY},
        {HTTP_GET, "/{a}/{b*}", echo, HTTP_INLINE, 0, "", HTTP_ANY_QUERY},
    };
    static const uint64_t deadline_ms = 5000;
    static const struct http_app APP = {
        .name = "fuzz", .version = "1", .routes = ROUTES, .route_count = 8, .deadline_ms = &deadline_ms};
    static struct http_server *s;
    if (s)
        return s;
    struct pl_error err = {0};
    s = http_server_new(&APP);
    if (!s)
        abort();
    s->seam = &SEAM;
    s->config = (struct http_config){.io_threads = 1,
                                     .max_connections = 10,
                                     .max_queue = 2,
                                     .max_body = 600,
                                     .max_body_memory = 100000,
                                     .max_uri = 128,
                                     .max_header = 512,
                                     .header_timeout_ms = 1000,
                                     .idle_timeout_ms = 1000,
                                     .body_timeout_ms = 1000,
                                     .write_timeout_ms = 3000,
                                     .heartbeat_ms = 700,
                                     .min_rate = 1024,
                                     .allow_host = "*",
                                     .api_key_file = "",
                                     .cors = "off"};
    world.now_ns = 1000000000;
    world.answers = malloc(ANSWERS_MAX);
    if (!world.answers || http_server_prepare(s, &err) != PL_OK)
        abort();
    return s;
}

// ---- the client

// With the line that cuts an answer off, or as much of it as came.
static bool ends_cut_off(const uint8_t *data, size_t len)
{
    const uint8_t *line = memrchr(data, HTTP_CUT_OFF[0], len);
    size_t rest = line ? (size_t)(data + len - line) : 0;
    return rest > 0 && rest < sizeof HTTP_CUT_OFF && memcmp(line, HTTP_CUT_OFF, rest) == 0;
}

// Answers one after the other; `whole`: the last one too.
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
        bool chunked = memmem(data + at, head - at, "Transfer-Encoding: chunked", 26) != NULL;
        bool closes = memmem(data + at, head - at, "Connection: close", 17) != NULL;
        at = head;
        // A HEAD request's answer has no body: the next answer follows at once.
        if (len - at >= 9 && memcmp(data + at, "HTTP/1.1 ", 9) == 0)
            continue;
        if (chunked) {
            struct http_chunked c;
            http_chunked_init(&c);
            size_t used = 0;
            const uint8_t *bytes;
            size_t count;
            enum http_chunk result;
            do {
                result = http_chunked_feed(&c, data + at, len - at, &used, &bytes, &count);
            } while (result == HTTP_CHUNK_DATA);
            if (result == HTTP_CHUNK_BAD && !ends_cut_off(data + at, len - at))
                abort();
            if (result == HTTP_CHUNK_BAD || result == HTTP_CHUNK_MORE)
                return; // cut off: a step failed, or an event stream
            at += used;
            continue;
        }
        if (!field && closes)
            return; // HTTP/1.0: all the rest
        size_t body = field ? strtoul((const char *)field + 16, NULL, 10) : 0;
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

static void turn(struct http_loop *l, unsigned readiness)
{
    struct http_conn *c = l->all;
    struct http_ready_event some[2] = {{.tag = l}, {.tag = c, .readiness = readiness}};
    http_loop_turn(l, some, c && readiness ? 2 : 1);
}

static bool work(struct http_loop *l)
{
    struct http_exchange *ex = http_pool_take(l->server->pool);
    if (!ex)
        return false;
    int worker = 0;
    http_pool_run(l->server->pool, ex, &worker);
    return true;
}

static void play(struct http_loop *l, uint8_t code, const uint8_t **payload, size_t *left)
{
    unsigned arg = code >> 4;
    switch (code & 15) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: {
        // Only what has been read makes way for more: the pieces lie behind one another.
        size_t more = (size_t)arg * arg * arg + 1;
        more = more < *left ? more : *left;
        if (world.in_len == 0)
            world.in = *payload;
        world.in_len += more;
        *payload += more;
        *left -= more;
        turn(l, HTTP_READABLE | (arg & 1 ? HTTP_WRITABLE : 0));
        break;
    }
    case 5:
    case 6:
    case 7:
        world.room += (size_t)arg * arg * 32 + 1;
        turn(l, HTTP_WRITABLE);
        break;
    case 8:
    case 9:
        work(l);
        break;
    case 10:
        work(l);
        turn(l, 0);
        break;
    case 11:
        world.now_ns += (uint64_t)(arg + 1) * 200000000;
        turn(l, 0);
        break;
    case 12:
        world.ended = arg > 8;
        turn(l, world.ended ? HTTP_READABLE | HTTP_PEER_ENDED : 0);
        break;
    case 13:
        world.reset = arg == 15;
        turn(l, world.reset ? HTTP_BROKEN | HTTP_READABLE : 0);
        break;
    case 14:
        http_events_send(l->server, 1, arg, "e", pl_slice_make("one\ntwo", 7));
        turn(l, 0);
        break;
    default:
        turn(l, 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    struct http_server *s = server();
    struct http_loop *l = s->loops;
    size_t script = (size_t)data[0] < size - 1 ? data[0] : size - 1;
    const uint8_t *codes = data + 1, *payload = data + 1 + script;
    size_t left = size - 1 - script;
    world.in = payload;
    world.in_len = world.got = 0;
    world.ended = world.reset = world.closed = world.reset_at_exit = false;
    world.room = script > 0 ? (size_t)codes[0] * 16 : 65536;
    struct sockaddr_storage peer = {.ss_family = AF_INET};
    uint64_t key = http_client_key(s, &peer);
    if (!http_clients_take(&s->clients, key))
        abort();
    atomic_fetch_add(&l->conn_count, 1);
    http_conn_open(l, FD, &peer, key, 0);
    turn(l, HTTP_WRITABLE);
    for (size_t i = 0; i < script && l->all; i++)
        play(l, codes[i], &payload, &left);
    // The rest arrives, and a client that reads gets all that is due to it.
    bool behaved = !world.reset && !world.ended;
    if (world.in_len == 0)
        world.in = payload;
    world.in_len += left;
    for (int i = 0; i < 4000 && l->all; i++) {
        world.room = 65536;
        bool worked = work(l);
        turn(l, HTTP_READABLE | HTTP_WRITABLE);
        if (!worked && !l->ready && world.in_len == 0 && !l->all)
            break;
        if (!worked && i > 200)
            break;
    }
    check_answers(world.answers, world.got, behaved && l->all && !l->all->out.first && !l->all->current);
    if (l->all)
        http_conn_close(l, l->all, true);
    while (work(l))
        continue;
    turn(l, 0);
    turn(l, 0);
    if (l->conn_count != 0 || s->budget.used != 0 || s->pool->fresh.first || s->pool->again.first ||
        l->subscribers.first || l->waiters.first || !world.closed)
        abort();
    return 0;
}
