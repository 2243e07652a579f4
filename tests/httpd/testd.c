// A server for the tests of the HTTP core: routes that sleep, echo, fan out, stream, fail. `testd serve [options]`.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fmt.h"
#include "http/http.h"
#include "http/system/seam.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#define HAS_SANITIZER 1
#endif
#endif

struct settings {
    uint64_t deadline_ms;
    uint32_t send_buffer;
    uint32_t reset_reads;
};

static struct settings settings;

static uint64_t number(const struct http_request *req, const char *name, uint64_t fallback)
{
    struct pl_slice text;
    uint64_t value;
    return http_query(req, name, &text) && pl_parse_u64(text, &value) ? value : fallback;
}

static atomic_bool let_go;

// Sleeps in small steps and asks between them whether it may go on, as a render does. With held=1 until /let-go, too.
static int work(struct http_request *req, struct http_response *res)
{
    uint64_t end = pl_now_ns() + number(req, "ms", 10) * 1000000u;
    bool held = number(req, "held", 0) > 0;
    struct pl_error err = {0};
    http_log_number(req, "labels", 1);
    while (pl_now_ns() < end || (held && !atomic_load(&let_go))) {
        if (pl_job_check(&req->job, &err) != PL_OK)
            return http_problem_error(res, &err);
        struct timespec step = {.tv_nsec = 1000000};
        nanosleep(&step, NULL);
    }
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_bool(out, "ok", true);
    pl_json_kv_u64(out, "worker", *(const uint32_t *)req->worker);
    uint64_t now = pl_now_ns();
    pl_json_kv_u64(out, "leftMs", req->job.deadline_ns > now ? (req->job.deadline_ns - now) / 1000000u : 0);
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int let_work_go(struct http_request *req, struct http_response *res)
{
    (void)req;
    atomic_store(&let_go, true);
    http_body_borrow(res, pl_slice_cstr("gone on\n"));
    http_set_type(res, "text/plain");
    return 200;
}

// Keeps a core busy, to see what the others notice.
static int spin(struct http_request *req, struct http_response *res)
{
    uint64_t end = pl_now_ns() + number(req, "ms", 10) * 1000000u;
    while (pl_now_ns() < end)
        continue;
    http_body_borrow(res, pl_slice_cstr("done\n"));
    http_set_type(res, "text/plain");
    return 200;
}

// Does not look whether it may go on.
static int sleeps(struct http_request *req, struct http_response *res)
{
    uint64_t ms = number(req, "ms", 10);
    struct timespec pause = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
    http_body_borrow(res, pl_slice_cstr("done\n"));
    http_set_type(res, "text/plain");
    return 200;
}

static int echo(struct http_request *req, struct http_response *res)
{
    http_set_type(res, "application/octet-stream");
    http_set_header(res, "X-Content-Type", req->content_type);
    http_body_borrow(res, req->body);
    return 200;
}

static int big(struct http_request *req, struct http_response *res)
{
    size_t size = (size_t)number(req, "bytes", 1000);
    size_t beside = (size_t)number(req, "arena", 0); // what the request keeps beside its answer
    if (beside > 0 && !pl_arena_zalloc(req->arena, beside, 1))
        return http_problem(res, 413, "memory_limit", "Too much.");
    char *data = malloc(size + 1);
    if (!data)
        return 0;
    memset(data, 'x', size);
    http_set_type(res, "text/plain");
    http_body_take(res, data, size);
    return 200;
}

static bool add_square(void *worker, size_t index, void *context)
{
    (void)worker;
    uint64_t *squares = context;
    struct timespec step = {.tv_nsec = 1000000};
    nanosleep(&step, NULL);
    squares[index] = (uint64_t)index * index;
    return true;
}

static int fan(struct http_request *req, struct http_response *res)
{
    size_t count = (size_t)number(req, "n", 16);
    uint64_t *squares = PL_ARENA_ARRAY(req->arena, uint64_t, count + 1);
    if (!squares)
        return http_problem(res, 413, "memory_limit", "Too many.");
    http_fan_out(req, count, add_square, squares);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += squares[i];
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_u64(out, "sum", sum);
    pl_json_end(out);
    return http_json_send(res, 200);
}

// An answer in steps: /stream?id=ID&n=STEPS&bytes=EACH[&ms=SLEEP][&start=STEP][&fail=STEP]. Step i writes the line
// "ID i" again and again. It starts with the first step unless told otherwise, and fails at step `fail`.
struct stream {
    char id[64];
    uint64_t steps, bytes, ms, start, fail;
    uint64_t at;
};

static atomic_uint streams_open;

static enum http_step stream_step(struct http_request *req, struct http_response *res, void *state)
{
    struct stream *s = state;
    struct pl_error err = {0};
    if (s->ms > 0) {
        struct timespec pause = {(time_t)(s->ms / 1000), (long)(s->ms % 1000) * 1000000};
        nanosleep(&pause, NULL);
    }
    if (pl_job_check(&req->job, &err) != PL_OK) {
        http_problem_error(res, &err);
        return HTTP_STEP_FAILED;
    }
    if (s->fail == ++s->at) {
        http_problem(res, 422, "failed", "Step %u failed.", (unsigned)s->at);
        return HTTP_STEP_FAILED;
    }
    if (s->start == s->at) {
        http_set_type(res, "text/plain");
        http_start(res, 200);
    }
    char line[96];
    int n = snprintf(line, sizeof line, "%s %u\n", s->id, (unsigned)s->at);
    for (uint64_t left = s->bytes; left > 0;) {
        size_t take = left < (uint64_t)n ? (size_t)left : (size_t)n;
        if (!http_write(res, line, take)) {
            if (!http_started(res))
                http_problem(res, 503, "overloaded", "No memory.");
            return HTTP_STEP_FAILED;
        }
        left -= take;
    }
    return s->at >= s->steps ? HTTP_STEP_END : HTTP_STEP_MORE;
}

static void stream_end(void *state)
{
    atomic_fetch_sub(&streams_open, 1);
    free(state);
}

static int stream(struct http_request *req, struct http_response *res)
{
    static const struct http_steps STEPS = {stream_step, stream_end};
    struct stream *s = calloc(1, sizeof(*s));
    struct pl_slice id;
    if (!s)
        return 0;
    if (http_query(req, "id", &id) && id.len < sizeof s->id)
        memcpy(s->id, id.ptr, id.len);
    s->steps = number(req, "n", 10);
    s->bytes = number(req, "bytes", 1000);
    s->ms = number(req, "ms", 0);
    s->start = number(req, "start", 1);
    s->fail = number(req, "fail", 0);
    atomic_fetch_add(&streams_open, 1);
    return http_steps(res, &STEPS, s);
}

// How many states of answers in steps have not been given back.
static int streams(struct http_request *req, struct http_response *res)
{
    (void)req;
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_u64(out, "open", atomic_load(&streams_open));
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int events(struct http_request *req, struct http_response *res)
{
    return http_events_open(res, (uint32_t)number(req, "topic", 1));
}

static int publish(struct http_request *req, struct http_response *res)
{
    struct pl_slice text;
    char name[32] = {0};
    if (http_query(req, "name", &text) && text.len < sizeof name)
        memcpy(name, text.ptr, text.len);
    http_events_send(req->server, (uint32_t)number(req, "topic", 1), number(req, "id", 0), name, req->body);
    http_body_borrow(res, pl_slice_cstr("sent"));
    http_set_type(res, "text/plain");
    return 200;
}

// Waits for so many events of the topic; answers with the length of its body.
static atomic_uint wait_runs;

static int wait_for(struct http_request *req, struct http_response *res)
{
    uint32_t topic = (uint32_t)number(req, "topic", 1);
    uint64_t seen = http_topic_count(req->server, topic);
    atomic_fetch_add(&wait_runs, 1);
    http_set_header_cstr(res, "X-Run", req->waited ? "again" : "first");
    // What a run makes is given back before the next.
    if (!http_hold(req, 1000))
        return http_problem_overloaded(res);
    bool enough = req->note >= number(req, "events", 1);
    req->note++;
    if (!enough && !req->wait_ended)
        return http_wait(res, topic, seen, number(req, "ms", 60000));
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_bool(out, "ended", req->wait_ended);
    pl_json_kv_u64(out, "bytes", req->body.len);
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int waits(struct http_request *req, struct http_response *res)
{
    (void)req;
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_u64(out, "runs", atomic_load(&wait_runs));
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int json(struct http_request *req, struct http_response *res)
{
    const struct http_json *value = http_request_json(req, res);
    if (!value)
        return http_status(res);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_cstr(out, "type", http_json_type(value) == HTTP_JSON_OBJECT ? "an object" : "another");
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int parts(struct http_request *req, struct http_response *res)
{
    struct http_part list[8];
    size_t count;
    struct pl_error err = {0};
    if (http_multipart(req, list, 8, &count, &err) != PL_OK)
        return http_problem_error(res, &err);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_array(out);
    for (size_t i = 0; i < count; i++) {
        pl_json_object(out);
        pl_json_kv_slice(out, "name", list[i].name);
        pl_json_kv_slice(out, "filename", list[i].filename);
        pl_json_kv_slice(out, "data", list[i].data);
        pl_json_end(out);
    }
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int params(struct http_request *req, struct http_response *res)
{
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    for (size_t i = 0; i < req->param_count; i++) {
        char name[32] = {0};
        memcpy(name, req->params[i].name.ptr, req->params[i].name.len);
        pl_json_kv_slice(out, name, req->params[i].value);
    }
    for (size_t i = 0; i < req->query_count; i++) {
        pl_json_key(out, "query");
        pl_json_array(out);
        pl_json_slice(out, req->query[i].name);
        pl_json_slice(out, req->query[i].value);
        pl_json_end(out);
    }
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int bug(struct http_request *req, struct http_response *res)
{
    (void)req;
    (void)res;
    return 0;
}

static int header(struct http_request *req, struct http_response *res)
{
    struct pl_slice value = pl_slice_make("", 0);
    if (!http_query(req, "value", &value))
        value = pl_slice_make("", 0);
    http_set_header(res, "X-Value", value);
    http_body_borrow(res, pl_slice_cstr("ok"));
    http_set_type(res, "text/plain");
    return 200;
}

static enum pl_errc worker_init(void *user, void **worker, struct pl_error *err)
{
    (void)user;
    static atomic_uint next = 1;
    uint32_t *id = malloc(sizeof(*id));
    if (!id)
        return pl_fail_memory(err);
    *id = atomic_fetch_add(&next, 1);
    *worker = id;
    return PL_OK;
}

static void worker_fini(void *user, void *worker)
{
    (void)user;
    free(worker);
}

// So that a client that reads slowly is noticed soon.
static int accept_with_small_buffer(int listener, struct sockaddr_storage *peer)
{
    int fd = http_system_seam.accept(listener, peer);
    int bytes = (int)settings.send_buffer;
    if (fd >= 0 && bytes > 0)
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    return fd;
}

static ssize_t receive_or_reset(int fd, void *room, size_t size)
{
    static atomic_uint reads;
    // Scattered, or the same read of every request would be hit.
    uint32_t chance = atomic_fetch_add(&reads, 1) * 2654435761u >> 16;
    if (settings.reset_reads > 0 && chance % settings.reset_reads == 0) {
        errno = ECONNRESET;
        return -1;
    }
    return http_system_seam.receive(fd, room, size);
}

// Leaks are looked for by counting, exactly and at once; LeakSanitizer takes seconds at the end of each program on some
// machines. 0: this build cannot tell.
static size_t bytes_in_use(void)
{
#ifdef HAS_SANITIZER
    return __sanitizer_get_current_allocated_bytes();
#else
    return 0;
#endif
}

static void *nothing(void *argument)
{
    return argument;
}

// What libc keeps of a thread that has ended, for the next one.
static size_t bytes_kept_for_a_thread(void)
{
    pthread_t id;
    size_t before = bytes_in_use();
    if (pthread_create(&id, NULL, nothing, NULL) != 0 || pthread_join(id, NULL) != 0)
        return 0;
    return bytes_in_use() - before;
}

int main(int argc, char **argv)
{
    static const struct http_route ROUTES[] = {
        {HTTP_GET, "/work", work, 0, 0, "Sleeps.", HTTP_ANY_QUERY},
        {HTTP_POST, "/work", work, 0, 0, "Sleeps after a body.", HTTP_ANY_QUERY},
        {HTTP_GET, "/let-go", let_work_go, HTTP_INLINE, 0, "Ends work that is held.", HTTP_ANY_QUERY},
        {HTTP_GET, "/spin", spin, 0, 0, "Keeps a core busy.", HTTP_ANY_QUERY},
        {HTTP_GET, "/sleep", sleeps, 0, 0, "Sleeps, whatever happens.", HTTP_ANY_QUERY},
        {HTTP_POST, "/echo", echo, 0, 0, "The body again.", HTTP_ANY_QUERY},
        {HTTP_POST, "/echo-inline", echo, HTTP_INLINE, 65536, "The body again, from an I/O thread.", HTTP_ANY_QUERY},
        {HTTP_GET, "/big", big, 0, 0, "Many bytes.", HTTP_ANY_QUERY},
        {HTTP_GET, "/fan", fan, 0, 0, "Sum of squares by all workers.", HTTP_ANY_QUERY},
        {HTTP_GET, "/stream", stream, 0, 0, "An answer in steps.", HTTP_ANY_QUERY},
        {HTTP_GET, "/streams", streams, HTTP_INLINE, 0, "How many of those are open.", HTTP_ANY_QUERY},
        {HTTP_GET, "/events", events, 0, 0, "A stream of events.", HTTP_ANY_QUERY},
        {HTTP_GET, "/events-inline", events, HTTP_INLINE, 0, "The same from an I/O thread.", HTTP_ANY_QUERY},
        {HTTP_POST, "/publish", publish, 0, 0, "Sends an event.", HTTP_ANY_QUERY},
        {HTTP_POST, "/publish-inline", publish, HTTP_INLINE, 65536, "The same from an I/O thread.", HTTP_ANY_QUERY},
        {HTTP_GET, "/wait", wait_for, 0, 0, "Waits for events.", HTTP_ANY_QUERY},
        {HTTP_POST, "/wait", wait_for, 0, 0, "The same with a body.", HTTP_ANY_QUERY},
        {HTTP_GET, "/waits", waits, HTTP_INLINE, 0, "How often handlers of those ran.", HTTP_ANY_QUERY},
        {HTTP_POST, "/json", json, 0, 0, "Type of the JSON.", HTTP_ANY_QUERY},
        {HTTP_POST, "/parts", parts, 0, 0, "Parts of a multipart body.", HTTP_ANY_QUERY},
        {HTTP_GET, "/params/{a}x{b}/{rest*}", params, HTTP_INLINE, 0, "Parameters of path and query.", HTTP_ANY_QUERY},
        {HTTP_GET, "/bug", bug, 0, 0, "A handler that fails.", HTTP_ANY_QUERY},
        {HTTP_GET, "/header", header, HTTP_INLINE, 0, "Sets a header from the query.", HTTP_ANY_QUERY},
    };
    static const struct http_option OPTIONS[] = {
        {"deadline", HTTP_OPT_MS, offsetof(struct settings, deadline_ms), 0, 100000000, "10s", "workMs",
         "time for one request", NULL},
        {"send-buffer", HTTP_OPT_U32, offsetof(struct settings, send_buffer), 0, 1 << 24, "0", NULL,
         "bytes that the system takes of what a client does not read; 0: as many as it likes", NULL},
        {"reset-reads", HTTP_OPT_U32, offsetof(struct settings, reset_reads), 0, 1 << 24, "0", NULL,
         "one of so many reads finds the connection reset; 0: none does", NULL},
    };
    static struct http_seam seam;
    seam = http_system_seam;
    seam.accept = accept_with_small_buffer;
    seam.receive = receive_or_reset;
    const struct http_app app = {
        .seam = &seam,
        .name = "testd",
        .version = PROJECT_VERSION,
        .env_prefix = "TESTD",
        .default_listen = "127.0.0.1:0",
        .routes = ROUTES,
        .route_count = sizeof(ROUTES) / sizeof(ROUTES[0]),
        .options = OPTIONS,
        .option_count = sizeof(OPTIONS) / sizeof(OPTIONS[0]),
        .option_base = &settings,
        .deadline_ms = &settings.deadline_ms,
        .worker_init = worker_init,
        .worker_fini = worker_fini,
    };
    static char line[4096]; // else the stream's own buffer would be counted
    setvbuf(stdout, line, _IOLBF, sizeof line);
    const size_t thread = bytes_kept_for_a_thread();
    const size_t before = bytes_in_use();
    int status = http_serve(&app, argc - 1, argv + 1);
    const size_t after = bytes_in_use();
    bool threads_only =
        thread > 0 && after > before && (after - before) % thread == 0 && (after - before) / thread < 64;
    if (after <= before || threads_only)
        return status;
    fprintf(stderr, "testd: %zu bytes were not given back\n", after - before);
    return 70;
}
