// The simulated application: routes that echo, answer whole, answer in steps, publish events, take too long. Handlers
// check that the request they get is the one that its client sent.
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "sim.h"

static int no_memory(struct http_response *res)
{
    return http_problem(res, 503, "no_memory", "There is no memory for this.");
}

static void check_body(const struct sim_request *r, struct pl_slice body)
{
    uint8_t right[512];
    if (body.len != r->body_len)
        sim_fail("request r%u-%u reaches its handler with %zu bytes instead of %u", r->client, r->index, body.len,
                 r->body_len);
    for (size_t at = 0; at < body.len; at += sizeof(right)) {
        size_t n = body.len - at < sizeof(right) ? body.len - at : sizeof(right);
        sim_body(r, at, right, n);
        if (memcmp(right, body.ptr + at, n) != 0)
            sim_fail("request r%u-%u reaches its handler with a wrong body", r->client, r->index);
    }
}

// The request as its client knows it. Each is run once and as it was sent; whole, unless its body is a stream.
static struct sim_request *begin_any(struct http_request *req, bool streams)
{
    struct pl_slice id, of, topic;
    uint64_t number;
    if (!http_param(req, "id", &id) || !http_query(req, "of", &of) || !http_query(req, "topic", &topic) ||
        !pl_parse_u64(topic, &number))
        sim_fail("a handler gets a request without its parameters");
    struct sim_request *r = sim_request_find(id);
    if (!r || !pl_slice_eq(id, of) || number != r->topic || (r->with_id && !pl_slice_eq(id, req->id)))
        sim_fail("a handler gets a mixed request: path %.*s, query %.*s, header %.*s", (int)id.len,
                 (const char *)id.ptr, (int)of.len, (const char *)of.ptr, (int)req->id.len, (const char *)req->id.ptr);
    if (!r->sent && !streams)
        sim_fail("request r%u-%u is run before it was sent", r->client, r->index);
    if (r->damaged)
        sim_fail("request r%u-%u, whose body is damaged, reaches its handler", r->client, r->index);
    if (req->waited != (r->kind == SIM_WAIT && r->ran))
        sim_fail("request r%u-%u is run twice", r->client, r->index);
    if (!pl_slice_eq_cstr(req->client, sim.clients[r->client]->address_text))
        sim_fail("request r%u-%u has the address %.*s instead of %s", r->client, r->index, (int)req->client.len,
                 (const char *)req->client.ptr, sim.clients[r->client]->address_text);
    if (http_exchange_of(req)->http10 != r->http10 || http_exchange_of(req)->head_only != r->head_only)
        sim_fail("request r%u-%u has the method or version of another", r->client, r->index);
    if (sim.world.deadline_ms > 0 && r->pushed_ns != 0 && !streams &&
        sim.now_ns > r->pushed_ns + sim.world.deadline_ms * SIM_MS + SLACK_NS)
        sim_fail("request r%u-%u is run although its time is over", r->client, r->index);
    if (!streams)
        check_body(r, req->body);
    if ((req->worker != NULL) != sim_on_worker(r))
        sim_fail("request r%u-%u is run in the wrong place", r->client, r->index);
    r->ran = true;
    sim_note("request % of client % is run", r->index, r->client, 0, 0);
    return r;
}

static struct sim_request *begin(struct http_request *req)
{
    return begin_any(req, false);
}

static void head(const struct sim_request *r, struct http_response *res)
{
    static char filler[16384];
    if (filler[0] == '\0')
        memset(filler, 'f', sizeof(filler));
    char id[16];
    sim_id(r, id);
    http_set_type(res, "application/octet-stream");
    http_set_header_cstr(res, "X-Of", id);
    if (r->filler > 0)
        http_set_header(res, "X-Filler", pl_slice_make(filler, r->filler));
}

// Whether it may go on, as a handler that works for long asks now and then.
static bool may_go_on(struct http_request *req, struct sim_request *r, struct pl_error *err)
{
    enum pl_errc code = pl_job_check(&req->job, err);
    r->told_deadline = r->told_deadline || code == PL_E_DEADLINE;
    if (code == PL_E_DEADLINE && sim.frozen_ns < r->pushed_ns &&
        r->busy_ns + (sim.now_ns - r->busy_since) + 2 * SLACK_NS < sim.world.deadline_ms * SIM_MS)
        sim_fail("the time of r%u-%u is over, which was worked on for %llu us only", r->client, r->index,
                 (unsigned long long)(r->busy_ns + (sim.now_ns - r->busy_since)) / 1000);
    r->told_cancelled = r->told_cancelled || code == PL_E_CANCELLED;
    if (code == PL_E_CANCELLED && sim.clients[r->client]->link && sim.clients[r->client]->answering == r->index &&
        sim.clients[r->client]->link->poller >= 0)
        sim_fail("request r%u-%u is cancelled although its connection is open", r->client, r->index);
    return code == PL_OK;
}

static int echo(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    head(r, res);
    http_body_borrow(res, req->body);
    return 200;
}

static int in_arena(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    uint8_t *body = pl_arena_alloc(req->arena, r->answer_len + 1, 1);
    if (!body)
        return no_memory(res);
    sim_answer_body(r, 0, body, r->answer_len);
    head(r, res);
    http_body_borrow(res, pl_slice_make(body, r->answer_len));
    return 200;
}

static int taken(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    uint8_t *body = malloc((size_t)r->answer_len + 1);
    if (!body)
        return no_memory(res);
    sim_answer_body(r, 0, body, r->answer_len);
    head(r, res);
    http_body_take(res, body, r->answer_len);
    return 200;
}

static int json(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    char id[16];
    sim_id(r, id);
    uint8_t *whole = malloc(sim_answer_len(r));
    if (!whole)
        return no_memory(res);
    sim_answer_body(r, 0, whole, sim_answer_len(r));
    size_t before = sim_answer_len(r) - r->answer_len - 2;
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_cstr(out, "id", id);
    pl_json_kv_slice(out, "text", pl_slice_make(whole + before, r->answer_len));
    pl_json_end(out);
    free(whole);
    head(r, res);
    return http_json_send(res, 200);
}

static int problem(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    return http_problem(res, 422, "as_asked", "r%u-%u", r->client, r->index);
}

static int slow(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    struct pl_error err = {0};
    if (!may_go_on(req, r, &err))
        return http_problem_error(res, &err);
    r->ran = false; // for taken()
    return taken(req, res);
}

void sim_publish(uint32_t topic)
{
    char data[SIM_EVENT_MAX], sent[2 * SIM_EVENT_MAX];
    uint64_t number = ++sim.event_numbers[topic];
    size_t plain = sim_event_data(topic, number, data), len = 0;
    // Line ends of each kind are the same to who gets them.
    for (size_t i = 0; i < plain; i++) {
        if (data[i] == '\n' && number % 3 > 0)
            sent[len++] = '\r';
        if (data[i] != '\n' || number % 3 < 2)
            sent[len++] = data[i];
    }
    sim_note("event % of topic % is published", (int64_t)number, topic, 0, 0);
    sim.totals.published++;
    sim.event_bytes[topic] += len;
    sim.event_times[topic][number % 64] = sim.now_ns;
    http_events_send(sim.server, topic, number, sim_event_name(number), pl_slice_make(sent, len));
}

static int publish(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    sim_publish(r->topic);
    r->ran = false;
    return taken(req, res);
}

static int events(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    head(r, res);
    return http_events_open(res, r->topic);
}

// ---- requests that wait

// It makes something each time, and must find nothing of it when it runs again.
static int wait_for_events(struct http_request *req, struct http_response *res)
{
    struct sim_request *r = begin(req);
    const struct sim_client *c = sim.clients[r->client];
    // Some look at their beginning and return later.
    uint64_t count = r->index % 4 > 0 ? r->looked : http_topic_count(req->server, r->topic);
    if (!req->waited) {
        r->wait_from = sim.now_ns;
        r->wait_base = count;
    } else if (!req->wait_ended && count == r->wait_seen) {
        sim_fail("request r%u-%u is woken although nothing was sent", r->client, r->index);
    } else if (req->wait_ended && sim.now_ns + SIM_MS < r->wait_from + r->wait_ms * SIM_MS && sim.door_ns == 0 &&
               !c->ended && c->link && c->link->serial == r->serial) {
        sim_fail("request r%u-%u is to answer although it may wait", r->client, r->index);
    }
    if (http_exchange_of(req)->log_count != 0)
        sim_fail("request r%u-%u has log fields of its former run", r->client, r->index);
    http_log_number(req, "runs", 1);
    head(r, res);
    if (!pl_arena_alloc(req->arena, (size_t)r->hold * 40 + 1, 1) || !http_hold(req, r->hold)) {
        r->told_memory = true;
        return http_problem_overloaded(res);
    }
    uint8_t *body = malloc((size_t)r->answer_len + 1);
    if (!body)
        return no_memory(res);
    sim_answer_body(r, 0, body, r->answer_len);
    http_body_take(res, body, r->answer_len);
    r->wait_seen = count;
    if (count - r->wait_base >= r->wakes || req->wait_ended)
        return 200;
    return http_wait(res, r->topic, count, r->wait_ms);
}

// ---- answers in steps

struct steps_state {
    struct sim_request *r;
    size_t at;
    bool held, inside;
};

static enum http_step fail_step(struct http_response *res, const char *code)
{
    if (!http_started(res))
        http_problem(res, 422, code, "This was to be.");
    return HTTP_STEP_FAILED;
}

static bool write_some(struct http_response *res, struct steps_state *s, size_t len)
{
    uint8_t bytes[4096] = {0};
    if (!http_write(res, bytes, 0))
        return false;
    while (len > 0) {
        size_t n = len < sizeof(bytes) ? len : sizeof(bytes);
        sim_answer_body(s->r, s->at, bytes, n);
        if (!http_write(res, bytes, n))
            return false;
        s->at += n;
        len -= n;
    }
    return true;
}

static enum http_step finish_steps(struct http_request *req, struct http_response *res, struct steps_state *s)
{
    const struct sim_request *r = s->r;
    if (r->end == SIM_END_PROBLEM) {
        http_problem(res, 422, "as_asked", "r%u-%u", r->client, r->index);
    } else if (r->end == SIM_END_BODY) {
        uint8_t *body = pl_arena_alloc(req->arena, (size_t)r->answer_len + 1, 1);
        if (!body) {
            no_memory(res);
            return HTTP_STEP_FAILED;
        }
        sim_answer_body(r, 0, body, r->answer_len);
        http_body_borrow(res, pl_slice_make(body, r->answer_len));
    }
    return HTTP_STEP_END;
}

static enum http_step one_step(struct http_request *req, struct http_response *res, struct steps_state *s)
{
    struct sim_request *r = s->r;
    struct pl_error err = {0};
    if (!may_go_on(req, r, &err)) {
        if (!http_started(res))
            http_problem_error(res, &err);
        return HTTP_STEP_FAILED;
    }
    if (r->hold > 0 && !s->held) {
        if (!http_hold(req, r->hold)) {
            r->told_memory = true;
            if (!http_started(res))
                no_memory(res);
            return HTTP_STEP_FAILED;
        }
        s->held = true;
    }
    // The last step sets its body or its problem instead of what was written.
    size_t len = r->end == SIM_END_BODY || r->end == SIM_END_PROBLEM ? 0 : r->answer_len;
    for (uint32_t i = 0; i < r->writes; i++) {
        if (r->end == SIM_END_FAILED && s->at >= r->fail_at)
            return fail_step(res, "step_failed");
        if (s->at >= r->start_at && !http_started(res)) {
            http_start(res, 200);
            r->started = true;
        }
        size_t stop = len;
        if (r->end == SIM_END_FAILED && r->fail_at < stop)
            stop = r->fail_at;
        size_t n = stop - s->at < r->step_len ? stop - s->at : r->step_len;
        size_t before = http_written(res);
        if (!write_some(res, s, n)) {
            r->told_memory = true;
            if (!http_started(res))
                no_memory(res);
            return HTTP_STEP_FAILED;
        }
        if (http_written(res) != before + n)
            sim_fail("http_written does not say what was written");
        if (s->at == len && r->end != SIM_END_FAILED)
            return finish_steps(req, res, s);
        if (!r->inlined && sim_chance(&sim.order, 5))
            sim.now_ns += sim_below(&sim.order, 3000) * SIM_US; // a step takes its time
        if (http_step_should_end(req, 0))
            break;
    }
    return HTTP_STEP_MORE;
}

static enum http_step step(struct http_request *req, struct http_response *res, void *state)
{
    struct steps_state *s = state;
    if (s->inside || s->r->states != 1 || (req->worker != NULL) != sim_on_worker(s->r))
        sim_fail("a step of r%u-%u runs twice at once or after its end", s->r->client, s->r->index);
    s->inside = true;
    enum http_step result = one_step(req, res, s);
    s->inside = false;
    sim_note("step of r%-%: at %, result %", s->r->client, s->r->index, (int64_t)s->at, (int64_t)result);
    return result;
}

static void end_steps(void *state)
{
    struct steps_state *s = state;
    if (s->inside || s->r->states != 1)
        sim_fail("the steps of r%u-%u are ended twice, or in the middle of one", s->r->client, s->r->index);
    s->r->states = 0;
    sim.states--;
    free(s);
}

static int steps(struct http_request *req, struct http_response *res)
{
    static const struct http_steps STEPS = {step, end_steps};
    struct sim_request *r = begin(req);
    struct steps_state *s = malloc(sizeof(*s));
    if (!s)
        return no_memory(res);
    *s = (struct steps_state){.r = r};
    r->states = 1;
    sim.states++;
    head(r, res);
    return http_steps(res, &STEPS, s);
}

// ---- bodies as streams

static enum http_step stream_step(struct http_request *req, struct http_response *res, void *state)
{
    struct steps_state *s = state;
    struct sim_request *r = s->r;
    struct pl_error err = {0};
    uint8_t right[512];
    if (s->inside || r->states != 1 || !req->worker)
        sim_fail("a step of r%u-%u runs twice at once or after its end", r->client, r->index);
    if (req->body.len != r->offered && !r->gzip)
        sim_fail("the body of r%u-%u changes while a worker has it", r->client, r->index);
    if (!may_go_on(req, r, &err))
        return HTTP_STEP_FAILED;
    if (!http_started(res)) {
        http_start(res, 200);
        r->started = true;
    }
    for (;;) {
        size_t n = req->body.len < r->step_len ? req->body.len : r->step_len;
        n = n < sizeof(right) ? n : sizeof(right);
        if (n == 0)
            break;
        sim_body(r, s->at, right, n);
        if (s->at + n > r->body_len || memcmp(right, req->body.ptr, n) != 0)
            sim_fail("request r%u-%u reaches its step with a wrong body at %zu", r->client, r->index, s->at);
        // Sometimes a part has to wait for its rest.
        if (n < r->step_len && n < sizeof(right) && r->hold > n && http_body_wait(req))
            return HTTP_STEP_MORE;
        if (!http_write(res, right, n)) {
            r->told_memory = true;
            return HTTP_STEP_FAILED;
        }
        http_body_use(req, n);
        s->at += n;
        if (http_step_should_end(req, 0))
            return HTTP_STEP_MORE;
    }
    if (!http_body_ended(req)) {
        if (!http_body_wait(req))
            sim_fail("request r%u-%u cannot have more of its body", r->client, r->index);
        return HTTP_STEP_MORE;
    }
    if (s->at != r->body_len)
        sim_fail("the body of r%u-%u ends after %zu bytes", r->client, r->index, s->at);
    return HTTP_STEP_END;
}

static int stream(struct http_request *req, struct http_response *res)
{
    static const struct http_steps STEPS = {stream_step, end_steps};
    struct sim_request *r = begin_any(req, true);
    struct steps_state *s = malloc(sizeof(*s));
    if (!s)
        return no_memory(res);
    *s = (struct steps_state){.r = r};
    r->states = 1;
    sim.states++;
    head(r, res);
    return http_steps(res, &STEPS, s);
}

struct sim_request *sim_request_of(const struct http_exchange *ex)
{
    return ex->req.param_count > 0 ? sim_request_find(ex->params[0].value) : NULL;
}

uint64_t sim_work_time(const struct http_exchange *ex)
{
    const struct sim_request *r = sim_request_of(ex);
    return r ? r->work_ns : SIM_US;
}

static const struct http_route ROUTES[] = {
    {HTTP_POST, "/echo/inline/{id}", echo, HTTP_INLINE, 0, "", HTTP_ANY_QUERY},
    {HTTP_POST, "/echo/short/{id}", echo, HTTP_SHORT_INLINE, 0, "", HTTP_ANY_QUERY},
    {HTTP_POST, "/echo/worker/{id}", echo, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/inline/{id}", taken, HTTP_INLINE, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/arena/{id}", in_arena, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/taken/{id}", taken, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/json/{id}", json, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/steps/{id}", steps, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_POST, "/steps/{id}", steps, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_POST, "/stream/{id}", stream, HTTP_STREAM_BODY, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/loop/steps/{id}", steps, HTTP_INLINE, 0, "", HTTP_ANY_QUERY},
    {HTTP_POST, "/loop/steps/{id}", steps, HTTP_INLINE, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/inline/events/{id}", events, HTTP_INLINE, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/events/{id}", events, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/wait/{id}", wait_for_events, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_POST, "/wait/{id}", wait_for_events, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/problem/{id}", problem, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_GET, "/slow/{id}", slow, 0, 0, "", HTTP_ANY_QUERY},
    {HTTP_POST, "/publish/{id}", publish, 0, 0, "", HTTP_ANY_QUERY},
};

const struct http_app sim_app = {.name = "sim",
                                 .version = "1",
                                 .env_prefix = "SIM",
                                 .default_listen = "",
                                 .routes = ROUTES,
                                 .route_count = sizeof(ROUTES) / sizeof(ROUTES[0]),
                                 .deadline_ms = &sim.world.deadline_ms};
