// Requests of the simulated clients: what is asked, the bytes of it, and what the right answer is. All bytes of a body
// are a function of the request's id, so that a foreign, missing or doubled byte shows.
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "sim.h"

#define KEY_BODY 1u
#define KEY_ANSWER 2u
#define GZIP_MORE 64 // bytes around a short body

// ---- bytes

static uint64_t key_of(const struct sim_request *r, unsigned use)
{
    return sim_mix(sim_mix(sim.world.seed, use), (uint64_t)r->client << 32 | r->index);
}

static void pattern(uint64_t key, size_t at, uint8_t *out, size_t len)
{
    size_t i = 0;
    while (i < len) {
        uint64_t word = sim_mix(key, (at + i) / 8);
        size_t skip = (at + i) % 8;
        size_t n = 8 - skip < len - i ? 8 - skip : len - i;
        for (size_t k = 0; k < n; k++)
            out[i + k] = (uint8_t)(word >> (8 * (skip + k)));
        i += n;
    }
}

static void letters(uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)('a' + (bytes[i] & 15));
}

size_t sim_id(const struct sim_request *r, char *out)
{
    char digits[PL_FMT_DOUBLE_MAX];
    size_t len = 0, n;
    out[len++] = 'r';
    n = pl_format_u64(r->client, digits);
    memcpy(out + len, digits, n);
    len += n;
    out[len++] = '-';
    n = pl_format_u64(r->index, digits);
    memcpy(out + len, digits, n);
    len += n;
    out[len] = '\0';
    return len;
}

struct sim_request *sim_request_find(struct pl_slice id)
{
    uint64_t numbers[2] = {0, 0};
    unsigned part = 0;
    if (id.len < 4 || id.len > 12 || id.ptr[0] != 'r')
        return NULL;
    for (size_t i = 1; i < id.len; i++) {
        if (id.ptr[i] == '-' && part == 0)
            part = 1;
        else if (id.ptr[i] >= '0' && id.ptr[i] <= '9')
            numbers[part] = numbers[part] * 10 + (uint64_t)(id.ptr[i] - '0');
        else
            return NULL;
    }
    if (part != 1 || numbers[0] >= sim.world.clients || !sim.clients[numbers[0]] ||
        numbers[1] >= sim.clients[numbers[0]]->request_count)
        return NULL;
    return &sim.clients[numbers[0]]->requests[numbers[1]];
}

void sim_body(const struct sim_request *r, size_t at, uint8_t *out, size_t len)
{
    pattern(key_of(r, KEY_BODY), at, out, len);
}

static size_t json_prefix(const struct sim_request *r, char *out)
{
    char id[16];
    sim_id(r, id);
    return (size_t)snprintf(out, 48, "{\"id\":\"%s\",\"text\":\"", id);
}

size_t sim_answer_len(const struct sim_request *r)
{
    char prefix[48];
    switch (r->kind) {
    case SIM_ECHO_INLINE:
    case SIM_ECHO_SHORT:
    case SIM_ECHO_WORKER:
    case SIM_STREAM:
    case SIM_TOO_LARGE:
        return r->body_len;
    case SIM_WHOLE_JSON:
        return json_prefix(r, prefix) + r->answer_len + 2;
    default:
        return r->answer_len;
    }
}

void sim_answer_body(const struct sim_request *r, size_t at, uint8_t *out, size_t len)
{
    switch (r->kind) {
    case SIM_ECHO_INLINE:
    case SIM_ECHO_SHORT:
    case SIM_ECHO_WORKER:
    case SIM_STREAM:
    case SIM_TOO_LARGE:
        sim_body(r, at, out, len);
        return;
    case SIM_WHOLE_JSON: {
        char prefix[48];
        size_t before = json_prefix(r, prefix);
        for (size_t i = 0; i < len;) {
            size_t where = at + i;
            if (where < before) {
                out[i++] = (uint8_t)prefix[where];
            } else if (where < before + r->answer_len) {
                size_t n = before + r->answer_len - where < len - i ? before + r->answer_len - where : len - i;
                pattern(key_of(r, KEY_ANSWER), where - before, out + i, n);
                letters(out + i, n);
                i += n;
            } else {
                out[i++] = where == before + r->answer_len ? '"' : '}';
            }
        }
        return;
    }
    default:
        pattern(key_of(r, KEY_ANSWER), at, out, len);
    }
}

const char *sim_event_name(uint64_t number)
{
    return number % 3 == 0 ? "third" : "tick";
}

size_t sim_event_data(uint32_t topic, uint64_t number, char *out)
{
    uint64_t key = sim_mix(sim_mix(sim.world.seed, 3), (uint64_t)topic << 48 | number);
    size_t len = (size_t)snprintf(out, 64, "%u/%llu", topic, (unsigned long long)number);
    size_t more = key % sim.world.event_most;
    pattern(key, 0, (uint8_t *)out + len, more);
    letters((uint8_t *)out + len, more);
    // Lines of an event are kept apart.
    for (size_t i = 16; i < more; i += 16 + key % 500)
        out[len + i] = '\n';
    return len + more;
}

// ---- what is asked

bool sim_on_worker(const struct sim_request *r)
{
    if (r->gzip)
        return true; // inflating takes time
    switch (r->kind) {
    case SIM_ECHO_SHORT:
        return r->body_len > HTTP_SHORT_BODY;
    case SIM_ECHO_WORKER:
    case SIM_TOO_LARGE:
    case SIM_WHOLE_ARENA:
    case SIM_WHOLE_TAKEN:
    case SIM_WHOLE_JSON:
    case SIM_PROBLEM:
    case SIM_SLOW:
    case SIM_PUBLISH:
    case SIM_STREAM:
    case SIM_WAIT:
        return true;
    case SIM_STEPS:
    case SIM_EVENTS:
        return !r->inlined;
    default:
        return false;
    }
}

bool sim_steps_cut(const struct sim_request *r)
{
    return r->kind == SIM_STEPS && r->end == SIM_END_FAILED && r->started;
}

static uint32_t some_length(struct sim_random *random, size_t most)
{
    uint32_t limit = (uint32_t)(most < 1 ? 1 : most);
    switch (sim_below(random, 8)) {
    case 0:
        return 0;
    case 1:
    case 2: { // around the sizes at which something changes
        static const uint32_t EDGES[] = {1, 2048, 4096, 16384, 32768, 65536};
        uint32_t edge = EDGES[sim_below(random, 6)];
        uint32_t len = edge + sim_below(random, 5) - (edge > 2 ? 2 : 0);
        return len <= limit ? len : limit;
    }
    default:
        return (uint32_t)sim_scale(random, 1, limit);
    }
}

static void make_steps(struct sim_request *r, struct sim_random *random, const struct sim_world *world)
{
    uint32_t len = r->answer_len;
    uint32_t least = len / 30 + 1;
    r->step_len = (uint32_t)sim_scale(random, least, least > len ? least : (uint64_t)len + 1);
    r->writes = 1 + sim_below(random, 4);
    uint32_t kind = sim_below(random, 10);
    r->start_at = kind < 4 ? 0 : kind < 7 ? (uint32_t)sim_range(random, 0, len) : SIM_NONE;
    uint32_t end = sim_below(random, 100);
    r->end = SIM_END_WRITTEN;
    r->fail_at = SIM_NONE;
    if (end < 10) {
        r->end = SIM_END_FAILED;
        r->fail_at = (uint32_t)sim_range(random, 0, len);
    } else if (end < 25 && r->start_at == SIM_NONE) {
        r->end = end < 18 ? SIM_END_BODY : SIM_END_PROBLEM;
    }
    r->hold = sim_chance(random, 20) ? (uint32_t)sim_scale(random, 1, 20000) : 0;
    if (sim_chance(random, 30))
        r->body_len = some_length(random, world->body_most);
    r->inlined = sim_chance(random, 10);
}

void sim_request_make(struct sim_request *r, uint32_t client, uint32_t index, struct sim_random *random,
                      const struct sim_world *world, uint32_t bad)
{
    static const uint8_t WEIGHTS[SIM_KINDS] = {
        [SIM_ECHO_INLINE] = 14, [SIM_ECHO_SHORT] = 8,  [SIM_ECHO_WORKER] = 14, [SIM_WHOLE_INLINE] = 14,
        [SIM_WHOLE_ARENA] = 8,  [SIM_WHOLE_TAKEN] = 8, [SIM_WHOLE_JSON] = 6,   [SIM_STEPS] = 20,
        [SIM_EVENTS] = 0,       [SIM_PROBLEM] = 2,     [SIM_SLOW] = 3,         [SIM_PUBLISH] = 2,
        [SIM_HEALTH] = 2,       [SIM_METRICS] = 1,     [SIM_NOT_FOUND] = 2,    [SIM_WRONG_METHOD] = 1,
        [SIM_OPTIONS] = 2,      [SIM_TOO_LARGE] = 0,   [SIM_BAD] = 0,          [SIM_STREAM] = 10,
        [SIM_WAIT] = 12,
    };
    uint32_t total = 0;
    *r = (struct sim_request){.client = client, .index = index, .with_id = true, .keep_alive = true};
    for (unsigned i = 0; i < SIM_KINDS; i++)
        total += WEIGHTS[i];
    uint32_t pick = sim_below(random, total);
    while (pick >= WEIGHTS[r->kind])
        pick -= WEIGHTS[r->kind++];
    if (world->streaming && sim_chance(random, 60))
        r->kind = SIM_STEPS;
    if (world->waiting && sim_chance(random, 60))
        r->kind = sim_chance(random, 60) ? SIM_WAIT : SIM_SLOW;
    bool only_whole = ((r->kind == SIM_STEPS || r->kind == SIM_STREAM) && !world->has_steps) ||
                      (r->kind == SIM_SLOW && !world->has_slow) ||
                      (r->kind == SIM_PUBLISH && !world->has_events && !world->has_waits) ||
                      (r->kind == SIM_WAIT && !world->has_waits);
    if (only_whole)
        r->kind = SIM_WHOLE_TAKEN;
    r->answer_len =
        world->streaming ? (uint32_t)sim_range(random, 0, world->answer_most) : some_length(random, world->answer_most);
    r->work_ns = sim_scale(random, SIM_US, 2 * SIM_MS);
    r->topic = sim_below(random, SIM_TOPICS);
    bool posts = r->kind == SIM_ECHO_INLINE || r->kind == SIM_ECHO_SHORT || r->kind == SIM_ECHO_WORKER ||
                 r->kind == SIM_PUBLISH || r->kind == SIM_STREAM ||
                 (r->kind == SIM_NOT_FOUND && sim_chance(random, 50));
    if (posts)
        r->body_len = some_length(random, world->body_most);
    uint32_t fate = sim_below(random, 100);
    if (fate < bad) {
        r->kind = SIM_BAD;
        r->bad = (uint8_t)sim_below(random, SIM_BAD_KINDS);
        r->body_len = 0;
        return;
    }
    if (fate >= 96 && world->tight) {
        r->kind = SIM_TOO_LARGE;
        r->body_len = (uint32_t)world->config.max_body + 1 + sim_below(random, 3000);
    }
    if (r->kind == SIM_STEPS)
        make_steps(r, random, world);
    if (r->kind == SIM_STREAM) {
        r->body_len *= 1 + sim_below(random, 3); // more than is kept of it at any time
        r->step_len = r->body_len / 30 + 1 + some_length(random, 4096);
        r->hold = sim_chance(random, 30) ? (uint32_t)sim_scale(random, 1, 1000) : 0;
    }
    if (r->kind == SIM_WAIT) {
        r->wakes = sim_below(random, 4);
        r->wait_ms = sim_scale(random, 1, 2000);
        r->hold = sim_chance(random, 30) ? (uint32_t)sim_scale(random, 1, 2000) : 0;
        if (sim_chance(random, 50))
            r->body_len = some_length(random, world->body_most);
    }
    if (r->kind == SIM_SLOW || (world->has_slow && sim_chance(random, 5)))
        r->work_ns = sim_range(random, world->slow_ns / 2, world->slow_ns);
    if (sim_chance(random, 5))
        r->filler = (uint32_t)sim_scale(random, 1, 15000);
    // How it is asked.
    bool has_body = r->body_len > 0 || posts || r->kind == SIM_TOO_LARGE;
    if (!has_body && r->kind != SIM_WRONG_METHOD && r->kind != SIM_OPTIONS)
        r->head_only = sim_chance(random, 8);
    if (sim_chance(random, 8)) {
        r->http10 = true;
        r->keep_alive = sim_chance(random, 50);
    } else {
        r->chunked = has_body && sim_chance(random, 30);
        r->expects = has_body && sim_chance(random, 15);
        r->says_close = sim_chance(random, 3);
        r->keep_alive = !r->says_close;
    }
    bool coded = has_body && r->kind != SIM_NOT_FOUND && r->kind != SIM_TOO_LARGE && r->body_len > 0;
    if (coded && world->has_gzip && r->body_len + GZIP_MORE + r->body_len / 1000 < world->config.max_body) {
        r->gzip = sim_chance(random, 40);
        r->damaged = r->gzip && bad > 0 && sim_chance(random, 10);
    }
    r->with_id = !sim_chance(random, 5);
    r->impatient = sim_chance(random, 20);
    r->empty_line = sim_chance(random, 3);
    r->whole_target = sim_chance(random, 5);
}

// ---- as bytes

struct writer {
    uint8_t **out;
    size_t *cap;
    size_t len;
};

static uint8_t *room(struct writer *w, size_t more)
{
    if (w->len + more > *w->cap) {
        *w->cap = (w->len + more) * 2;
        *w->out = sim_realloc(*w->out, *w->cap);
    }
    w->len += more;
    return *w->out + w->len - more;
}

static void put(struct writer *w, const char *text)
{
    size_t len = strlen(text);
    memcpy(room(w, len), text, len);
}

static void put_number(struct writer *w, uint64_t number)
{
    char digits[PL_FMT_DOUBLE_MAX];
    size_t len = pl_format_u64(number, digits);
    memcpy(room(w, len), digits, len);
}

static void put_id(struct writer *w, const struct sim_request *r)
{
    char id[16];
    sim_id(r, id);
    put(w, id);
}

static void put_target(struct writer *w, const struct sim_request *r)
{
    static const char *const PATHS[SIM_KINDS] = {
        [SIM_ECHO_INLINE] = "/echo/inline/",
        [SIM_ECHO_SHORT] = "/echo/short/",
        [SIM_ECHO_WORKER] = "/echo/worker/",
        [SIM_WHOLE_INLINE] = "/inline/",
        [SIM_WHOLE_ARENA] = "/arena/",
        [SIM_WHOLE_TAKEN] = "/taken/",
        [SIM_WHOLE_JSON] = "/json/",
        [SIM_STEPS] = "/steps/",
        [SIM_STREAM] = "/stream/",
        [SIM_EVENTS] = "/events/",
        [SIM_WAIT] = "/wait/",
        [SIM_PROBLEM] = "/problem/",
        [SIM_SLOW] = "/slow/",
        [SIM_PUBLISH] = "/publish/",
        [SIM_HEALTH] = "/api/health",
        [SIM_METRICS] = "/metrics",
        [SIM_NOT_FOUND] = "/nowhere/",
        [SIM_WRONG_METHOD] = "/arena/",
        [SIM_OPTIONS] = "/steps/",
        [SIM_TOO_LARGE] = "/echo/worker/",
        [SIM_BAD] = "/arena/",
    };
    if (r->whole_target)
        put(w, "http://sim.test");
    if (r->inlined)
        put(w, r->kind == SIM_EVENTS ? "/inline" : "/loop");
    put(w, PATHS[r->kind]);
    if (r->kind != SIM_HEALTH && r->kind != SIM_METRICS)
        put_id(w, r);
    put(w, "?topic=");
    put_number(w, r->topic);
    put(w, "&of=");
    put_id(w, r);
}

// The body as it is sent.
static struct pl_slice payload(const struct sim_request *r)
{
    static uint8_t *bytes;
    static size_t cap;
    size_t most = r->body_len + GZIP_MORE + r->body_len / 1000;
    struct writer w = {&bytes, &cap, 0};
    uint8_t *at = room(&w, most);
    if (!r->gzip) {
        sim_body(r, 0, at, r->body_len);
        return pl_slice_make(bytes, r->body_len);
    }
    // Blocks that are stored: the same on every machine.
    static const uint8_t HEAD[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    memcpy(at, HEAD, sizeof(HEAD));
    at += sizeof(HEAD);
    uint32_t sum = 0;
    for (size_t from = 0; from < r->body_len;) {
        size_t n = r->body_len - from < 65535 ? r->body_len - from : 65535;
        *at++ = from + n == r->body_len;
        *at++ = (uint8_t)n;
        *at++ = (uint8_t)(n >> 8);
        *at++ = (uint8_t)~n;
        *at++ = (uint8_t)(~n >> 8);
        sim_body(r, from, at, n);
        sum = libdeflate_crc32(sum, at, n);
        at += n;
        from += n;
    }
    for (unsigned i = 0; i < 4; i++)
        *at++ = (uint8_t)(sum >> (8 * i) ^ (r->damaged ? 1u : 0u));
    for (unsigned i = 0; i < 4; i++)
        *at++ = (uint8_t)(r->body_len >> (8 * i));
    return pl_slice_make(bytes, (size_t)(at - bytes));
}

// A body in chunks of any size, with extensions and trailers now and then.
static void put_chunks(struct writer *w, struct pl_slice body, struct sim_random *random)
{
    char line[32];
    size_t at = 0;
    size_t most = body.len / 20 + 64;
    while (at < body.len) {
        size_t n = sim_range(random, 1, most);
        if (n > body.len - at)
            n = body.len - at;
        snprintf(line, sizeof(line), sim_chance(random, 50) ? "%zx" : "%zX", n);
        put(w, line);
        put(w, sim_chance(random, 10) ? ";part=1\r\n" : "\r\n");
        memcpy(room(w, n), body.ptr + at, n);
        put(w, "\r\n");
        at += n;
    }
    put(w, sim_chance(random, 10) ? "0\r\nX-Trailer: yes\r\n\r\n" : "0\r\n\r\n");
}

static void fill(struct writer *w, char byte, size_t count)
{
    memset(room(w, count), byte, count);
}

const struct sim_bad sim_bads[SIM_BAD_KINDS] = {
    {400, true, "GET /arena/x HTTP/1.1\nHost: s\n\n"},
    {400, true, "GET /arena/x HTTP/1.1\r\nHost : s\r\n\r\n"},
    {400, true, "GET /arena/x HTTP/1.1\r\nHost: s\r\nX-A: 1\r\n 2\r\n\r\n"},
    {400, true, "POST /echo/worker/x HTTP/1.1\r\nHost: s\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"},
    {400, true,
     "POST /echo/worker/x HTTP/1.1\r\nHost: s\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc"},
    {501, true, "POST /echo/worker/x HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: gzip\r\n\r\nabc"},
    {400, true, "GET /arena/x HTTP/1.1\r\nX-A: 1\r\n\r\n"},
    {505, true, "GET /arena/x HTTP/2.0\r\nHost: s\r\n\r\n"},
    {400, true, "GET /arena/x HTTP/1.1\r\nHost: s\r\nX-A: \001\r\n\r\n"},
    {400, true, "GET /arena/x HTTP/1.1\r\nHost: s\r\nHost: s\r\n\r\n"},
    {417, true, "POST /echo/worker/x HTTP/1.1\r\nHost: s\r\nExpect: much\r\nContent-Length: 3\r\n\r\nabc"},
    {400, true, "GET nowhere HTTP/1.1\r\nHost: s\r\n\r\n"},
    {400, true, "\177\200garbage\001\002\003\r\n\r\n"},
    {400, false, "GET /%zz HTTP/1.1\r\nHost: s\r\n\r\n"},
    {411, false, "POST /echo/worker/x HTTP/1.1\r\nHost: s\r\n\r\n"},
    {414, true, NULL},
    {431, true, NULL},
    {431, true, NULL},
    {400, true, NULL},
    {400, true, NULL},
};

static void put_bad(struct writer *w, const struct sim_request *r)
{
    const struct http_config *config = &sim.world.config;
    if (sim_bads[r->bad].text) {
        put(w, sim_bads[r->bad].text);
        return;
    }
    switch (r->bad) {
    case 15:
        put(w, "GET /");
        fill(w, 'x', config->max_uri + 70);
        put(w, " HTTP/1.1\r\nHost: s\r\n\r\n");
        return;
    case 16:
        put(w, "GET /arena/x HTTP/1.1\r\nHost: s\r\nX-A: ");
        fill(w, 'x', config->max_header + 10);
        put(w, "\r\n\r\n");
        return;
    case 17:
        put(w, "GET /arena/x HTTP/1.1\r\nHost: s\r\n");
        for (int i = 0; i < 101; i++)
            put(w, "A: 1\r\n");
        put(w, "\r\n");
        return;
    case 18:
        put(w, "POST /echo/worker/x HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n");
        return;
    default:
        put(w, "POST /echo/worker/x HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n");
    }
}

static const char *method_of(const struct sim_request *r)
{
    if (r->head_only)
        return "HEAD ";
    switch (r->kind) {
    case SIM_ECHO_INLINE:
    case SIM_ECHO_SHORT:
    case SIM_ECHO_WORKER:
    case SIM_TOO_LARGE:
    case SIM_PUBLISH:
    case SIM_STREAM:
        return "POST ";
    case SIM_WRONG_METHOD:
        return "DELETE ";
    case SIM_OPTIONS:
        return "OPTIONS ";
    default:
        return r->body_len > 0 ? "POST " : "GET ";
    }
}

size_t sim_request_write(const struct sim_request *r, struct sim_random *random, uint8_t **out, size_t *cap,
                         size_t *head)
{
    struct writer w = {out, cap, 0};
    if (r->kind == SIM_BAD) {
        put_bad(&w, r);
        *head = w.len;
        return w.len;
    }
    const char *method = method_of(r);
    bool posts = strcmp(method, "POST ") == 0;
    struct pl_slice body = posts ? payload(r) : pl_slice_make("", 0);
    if (r->empty_line)
        put(&w, "\r\n");
    put(&w, method);
    put_target(&w, r);
    put(&w, r->http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\nHost: sim.test\r\n");
    if (r->with_id) {
        put(&w, "X-Request-Id: ");
        put_id(&w, r);
        put(&w, "\r\n");
    }
    if (r->says_close)
        put(&w, "Connection: close\r\n");
    else if (r->http10 && r->keep_alive)
        put(&w, "Connection: keep-alive\r\n");
    if (sim.world.has_keys)
        put(&w, "X-API-Key: " SIM_KEY "\r\n");
    if (r->gzip)
        put(&w, "Content-Encoding: gzip\r\n");
    if (r->expects)
        put(&w, "Expect: 100-continue\r\n");
    if (posts && r->chunked)
        put(&w, "Transfer-Encoding: chunked\r\n");
    if (posts && !r->chunked) {
        put(&w, "Content-Length: ");
        put_number(&w, body.len);
        put(&w, "\r\n");
    }
    put(&w, "\r\n");
    *head = w.len;
    if (posts && r->chunked)
        put_chunks(&w, body, random);
    else if (posts && body.len > 0)
        memcpy(room(&w, body.len), body.ptr, body.len);
    return w.len;
}
