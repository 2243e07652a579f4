// The oracle at the client's end: what a connection brings must be the answers to its own requests, in order, byte for
// byte, or end where something excuses it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "http/conn/answer.h"
#include "sim.h"

#define BEHIND 30000 // bytes of events; their framing and what is in the buffers come on top

static struct sim_request *expected(struct sim_client *c)
{
    return c->answering < c->request_count ? &c->requests[c->answering] : NULL;
}

void sim_answer_begin(struct sim_client *c)
{
    struct sim_answer *a = &c->answer;
    a->state = SIM_A_HEAD;
    a->started = a->finished = a->refusal = false;
    a->head_len = a->text_len = a->line_len = 0;
    a->body_at = a->bytes = 0;
}

// ---- what may be

// Did it happen since then?
static bool happened(uint64_t when_ns, uint64_t since_ns)
{
    return when_ns != 0 && when_ns >= since_ns;
}

static bool deadline_passed(const struct sim_request *r)
{
    uint64_t ms = sim.world.deadline_ms;
    return ms > 0 && r->sent && sim.now_ns + SIM_MS >= r->sent_ns + ms * SIM_MS;
}

static bool leaving(void)
{
    return sim.leaving_ns != 0;
}

static bool drain_over(void)
{
    return sim.door_ns != 0 && sim.now_ns + SIM_MS >= sim.door_ns + sim.world.config.drain_timeout_ms * SIM_MS;
}

// Is a success what the request must get, if nothing is in the way?
static bool succeeds(const struct sim_request *r)
{
    if (r->damaged)
        return false;
    switch (r->kind) {
    case SIM_PROBLEM:
    case SIM_NOT_FOUND:
    case SIM_WRONG_METHOD:
    case SIM_OPTIONS:
    case SIM_TOO_LARGE:
    case SIM_BAD:
        return false;
    case SIM_STEPS:
        return r->end == SIM_END_WRITTEN || r->end == SIM_END_BODY || sim_steps_cut(r);
    default:
        return true;
    }
}

static bool status_allowed(const struct sim_client *c, const struct sim_request *r, int status, const char *code)
{
    // Without memory a problem has a body that says only that.
    bool starved = happened(sim.starved_ns, r->first_ns);
    bool bare = starved && strcmp(code, "overloaded") == 0;
    bool frozen = happened(sim.frozen_ns, r->first_ns);
    bool timed = bare || strcmp(code, "header_timeout") == 0 || strcmp(code, "body_timeout") == 0;
    bool short_of_memory = starved || happened(sim.budget_ns, r->first_ns);
    switch (status) {
    case 200:
        return succeeds(r) && r->sent && !(r->kind == SIM_HEALTH && leaving() && r->first_ns > sim.leaving_ns);
    case 401:
        return sim.world.has_keys && r->kind == SIM_BAD; // it has no key
    case 400:
        if (r->damaged)
            return r->sent && (bare || strcmp(code, "bad_gzip") == 0);
        return r->kind == SIM_BAD && sim_bads[r->bad].status == status;
    case 411:
    case 414:
    case 417:
    case 431:
    case 501:
    case 505:
        return r->kind == SIM_BAD && sim_bads[r->bad].status == status;
    case 204:
        return r->kind == SIM_OPTIONS;
    case 404:
        return r->kind == SIM_NOT_FOUND;
    case 405:
        return r->kind == SIM_WRONG_METHOD;
    case 408:
        return timed && (c->slow_send || sim_client_sends_slowly(c, r) || c->stopped || frozen ||
                         (c->slow_read && r->expects) || (leaving() && drain_over()));
    case 413:
        return r->kind == SIM_TOO_LARGE && (bare || strcmp(code, "body_too_large") == 0);
    case 422:
        return r->sent && ((r->kind == SIM_PROBLEM) || (r->kind == SIM_STEPS && !succeeds(r)));
    case 429:
        if (strcmp(code, "rate_limited") == 0)
            return sim.world.config.rate_limit > 0;
        if (bare && sim.world.config.rate_limit > 0)
            return true;
        return sim_on_worker(r) && happened(sim.queue_full_ns, r->first_ns) &&
               (bare || strcmp(code, "queue_full") == 0);
    case 503:
        if (strcmp(code, "overloaded") == 0 || strcmp(code, "no_memory") == 0)
            return short_of_memory;
        if (strcmp(code, "deadline") == 0)
            return sim_on_worker(r) && deadline_passed(r);
        return r->kind == SIM_HEALTH && leaving() && strcmp(code, "draining") == 0;
    default:
        return false;
    }
}

// An answer without a length that is cut off (a step fails, or there is no time or memory for the next one) ends with a
// reset, which may take the ones before it along.
static bool cut_behind(const struct sim_client *c)
{
    for (uint32_t i = c->answering; i < c->sending; i++) {
        const struct sim_request *r = &c->requests[i];
        bool stopped = r->kind == SIM_STEPS && r->ran && (r->told_deadline || r->told_memory);
        if (r->http10 && (sim_steps_cut(r) || stopped))
            return true;
    }
    return false;
}

// A client that does not keep up with its events is disconnected, whatever else is on its way to it.
static bool behind_with_events(const struct sim_client *c)
{
    const struct sim_request *last = &c->requests[c->request_count - 1];
    if (!c->listens || !last->sent)
        return false;
    uint64_t read = c->answering == last->index && c->answer.started ? c->answer.body_at : 0;
    return sim.event_bytes[last->topic] - last->event_bytes > read + BEHIND;
}

// Had nothing happened on the connection for as long as the server waits?
static bool was_idle(const struct sim_link *link)
{
    const struct http_config *config = &sim.world.config;
    uint64_t least =
        config->idle_timeout_ms < config->header_timeout_ms ? config->idle_timeout_ms : config->header_timeout_ms;
    return link->accepted && link->ended_ns >= link->active_ns + least * SIM_MS;
}

// Did the client send something after the server had told its end and had waited two seconds for the client's?
static bool sent_on_for_long(const struct sim_link *link)
{
    return link->late && link->closed_ns >= link->ended_ns + 1900 * SIM_MS;
}

// May the connection end in the middle of the answer to `r`?
static const char *cut_excuse(const struct sim_client *c, const struct sim_request *r)
{
    if (c->link->faulty)
        return "a fault";
    if (happened(sim.starved_ns, c->link->opened_ns))
        return "no memory";
    if (happened(sim.frozen_ns, c->link->opened_ns))
        return "a frozen machine";
    if (r && r->kind == SIM_STEPS && sim_steps_cut(r) && r->ran)
        return "a step fails";
    if (c->link->lost && cut_behind(c))
        return "a later answer is cut";
    if (r && r->told_deadline && sim_on_worker(r))
        return "the deadline";
    if (r && happened(sim.budget_ns, r->first_ns) &&
        (r->told_memory || r->kind == SIM_EVENTS || r->kind == SIM_STEPS || r->kind == SIM_STREAM))
        return "the budget";
    // The answer has begun before the body is whole: that the rest comes too slowly can only be told by an end.
    if (r && r->kind == SIM_STREAM && (c->slow_send || c->stopped || sim_client_sends_slowly(c, r)))
        return "a slow sender";
    if (c->link->lost && sent_on_for_long(c->link))
        return "sending on for long";
    if (c->link->evicted && c->link->lost)
        return "evicted"; // its next request was on its way: closing is a reset
    if (c->listens && c->sending == c->request_count && happened(sim.budget_ns, c->link->opened_ns))
        return "the budget"; // a stream of events behind it could not be kept
    if (c->slow_read)
        return "a slow reader";
    if (r && r->kind == SIM_STREAM && !r->sent && (c->slow_send || c->stopped || sim_client_sends_slowly(c, r)))
        return "a slow sender";
    // Events end when the door closes; who has not read them a second later is cut off.
    bool streams = r && r->kind == SIM_EVENTS && c->answer.started;
    bool unread = c->link->lost || c->link->wants_room;
    bool cut_events =
        streams && unread && sim.door_ns != 0 && sim.now_ns + SLACK_NS >= sim.door_ns + HTTP_DRAIN_IDLE_NS;
    if (cut_events || drain_over())
        return "the end of the drain";
    if (r && r->kind == SIM_EVENTS && c->ended)
        return "nobody reads events";
    if (behind_with_events(c))
        return "behind with events";
    return NULL;
}

// May it end between two answers, with requests that are not answered?
static const char *silence_excuse(const struct sim_client *c, const struct sim_request *r)
{
    if (c->link->refused)
        return "refused";
    if (c->closing)
        return "the last answer said so";
    if (was_idle(c->link))
        return "idle for long";
    if (c->link->evicted)
        return "evicted";
    if (c->slow_send || c->stopped || (r && sim_client_sends_slowly(c, r)))
        return "a slow sender";
    // A connection that asks nothing for a second ends when the door is closed.
    if (sim.door_ns != 0 && (!r || r->first_ns == 0 || r->first_ns + SLACK_NS >= sim.door_ns + HTTP_DRAIN_IDLE_NS))
        return "the drain";
    if (c->ended && r && (sim_on_worker(r) || !r->sent))
        return "its client ended";
    return cut_excuse(c, r);
}

// How often each excuse was taken, and each status given: a simulation that excuses everything finds nothing.
#define TALLIES 64
static struct {
    char text[40];
    uint64_t times;
} tallies[TALLIES];

static void count(const char *text)
{
    size_t i = 0;
    while (i < TALLIES - 1 && tallies[i].times > 0 && strcmp(tallies[i].text, text) != 0)
        i++;
    if (tallies[i].times++ == 0)
        snprintf(tallies[i].text, sizeof(tallies[i].text), "%s", text);
}

void sim_answer_print_tallies(void)
{
    for (size_t i = 0; i < TALLIES && tallies[i].times > 0; i++)
        printf("  %8llu %s\n", (unsigned long long)tallies[i].times, tallies[i].text);
}

// ---- the end of an answer

static void problem_code(const struct sim_answer *a, char *code, size_t size)
{
    static const char MARK[] = "\"code\":\"";
    code[0] = '\0';
    const char *at = a->text_len > 0 ? memmem(a->text, a->text_len, MARK, sizeof(MARK) - 1) : NULL;
    if (!at)
        return;
    at += sizeof(MARK) - 1;
    size_t n = 0;
    while (at + n < a->text + a->text_len && at[n] != '"' && n + 1 < size) {
        code[n] = at[n];
        n++;
    }
    code[n] = '\0';
}

static void answered(struct sim_client *c)
{
    struct sim_answer *a = &c->answer;
    struct sim_request *r = expected(c);
    char code[48];
    problem_code(a, code, sizeof(code));
    sim_note("client % has the answer to request %: status %, body %", c->index, r->index, a->status,
             (int64_t)a->body_at);
    // A HEAD request is told the status only.
    bool known = !r->head_only || a->status == 200;
    if (known ? !status_allowed(c, r, a->status, code) : a->status == 200)
        sim_fail("client %u: request %u of kind %u is answered with %d (%s)", c->index, r->index, r->kind, a->status,
                 code);
    if (r->head_only && a->status == 200 && !status_allowed(c, r, 200, ""))
        sim_fail("client %u: HEAD request %u is answered with %d", c->index, r->index, a->status);
    if (a->status == 200 && r->kind == SIM_STEPS && sim_steps_cut(r) && !r->head_only)
        sim_fail("client %u: the answer to %u, whose steps failed, is taken for whole", c->index, r->index);
    if (a->status == 200 && r->kind == SIM_EVENTS && !r->head_only && sim.door_ns == 0 && !c->ended)
        sim_fail("client %u: the events of request %u end by themselves", c->index, r->index);
    if (a->status == 422 && !r->head_only && strcmp(code, "as_asked") == 0) {
        char id[16];
        sim_id(r, id);
        if (!memmem(a->text, a->text_len, id, strlen(id)))
            sim_fail("client %u: the problem of request %u tells of another", c->index, r->index);
    }
    bool fatal = r->kind == SIM_BAD && sim_bads[r->bad].fatal;
    bool early = !r->sent;
    if (!r->keep_alive || fatal || early) {
        if (!a->close)
            sim_fail("client %u: the answer to request %u should be the last one", c->index, r->index);
    } else if (a->close && a->status < 300 && !leaving() && !a->to_end && r->kind != SIM_STREAM) {
        sim_fail("client %u: the connection is closed after request %u without a reason", c->index, r->index);
    }
    char status[24];
    snprintf(status, sizeof(status), "answer %d", a->status);
    count(status);
    sim.totals.answers++;
    r->answer_bytes = a->bytes;
    sim.totals.refusals += a->status == 429 || a->status == 503;
    r->answered = true;
    r->status = a->status;
    c->answering++;
    c->quiet_ns = sim.now_ns;
    if (a->close)
        c->closing = true;
    sim_answer_begin(c);
}

// ---- event streams

static void event_done(struct sim_client *c, const struct sim_request *r)
{
    struct sim_answer *a = &c->answer;
    char right[SIM_EVENT_MAX];
    if (a->event_id == 0 && a->event_len == 0 && !a->event_name[0])
        return; // after a comment
    size_t len = sim_event_data(r->topic, a->event_id, right);
    if (a->event_id == 0 || a->event_id > sim.event_numbers[r->topic] || a->event_len != len ||
        memcmp(right, a->event_data, len) != 0 || strcmp(a->event_name, sim_event_name(a->event_id)) != 0)
        sim_fail("client %u: event %llu of topic %u is not what was sent", c->index, (unsigned long long)a->event_id,
                 r->topic);
    // Those of the moment before it asked may come too; while the machine stood still, nothing was sent on.
    uint64_t published_ns = PL_MAX(sim.event_times[r->topic][a->event_id % 64], sim.frozen_ns);
    bool recent = a->event_id > r->event_base || published_ns + SLACK_NS >= r->first_ns;
    bool follows = a->event_last == 0 ? a->event_id <= a->event_base + 1 && recent : a->event_id == a->event_last + 1;
    if (!follows && (!sim.starved || a->event_id <= a->event_last))
        sim_fail("client %u: event %llu of topic %u follows %llu", c->index, (unsigned long long)a->event_id, r->topic,
                 (unsigned long long)a->event_last);
    a->event_last = a->event_id;
    a->event_id = 0;
    a->event_len = 0;
    a->event_name[0] = '\0';
    a->event_lines = 0;
    sim.totals.told++;
}

static void event_line(struct sim_client *c, const struct sim_request *r, const char *line, size_t len)
{
    struct sim_answer *a = &c->answer;
    if (len == 0) {
        event_done(c, r);
    } else if (line[0] == ':') {
        if (len != 1 || a->event_id != 0)
            sim_fail("client %u: a comment in the middle of an event", c->index);
    } else if (len > 4 && memcmp(line, "id: ", 4) == 0) {
        a->event_id = strtoull(line + 4, NULL, 10);
    } else if (len > 7 && len < 20 && memcmp(line, "event: ", 7) == 0) {
        memcpy(a->event_name, line + 7, len - 7);
        a->event_name[len - 7] = '\0';
    } else if (len >= 6 && memcmp(line, "data: ", 6) == 0 && a->event_len + len < sizeof(a->event_data)) {
        if (a->event_lines++ > 0)
            a->event_data[a->event_len++] = '\n';
        memcpy(a->event_data + a->event_len, line + 6, len - 6);
        a->event_len += len - 6;
    } else {
        sim_fail("client %u: the event stream has a line '%.*s'", c->index, (int)len, line);
    }
}

static void event_feed(struct sim_client *c, const struct sim_request *r, const uint8_t *data, size_t len)
{
    struct sim_answer *a = &c->answer;
    for (size_t i = 0; i < len; i++) {
        if (data[i] != '\n') {
            if (a->text_len + 1 >= sizeof(a->text))
                sim_fail("client %u: a line of the event stream is too long", c->index);
            a->text[a->text_len++] = (char)data[i];
            continue;
        }
        a->text[a->text_len] = '\0';
        size_t n = a->text_len;
        a->text_len = 0;
        event_line(c, r, a->text, n);
    }
}

void sim_answer_check_events(const struct sim_client *c)
{
    const struct sim_answer *a = &c->answer;
    const struct sim_request *r = &c->requests[c->answering];
    const struct sim_link *link = c->link;
    if (a->state == SIM_A_HEAD || c->slow_read || link->faulty || sim.starved || sim.world.tight_memory ||
        happened(sim.frozen_ns, link->opened_ns))
        return;
    // Is more on its way than it could read so far?
    if (link->down.len > 0 || link->poller < 0 || ((const struct http_conn *)link->tag)->out.first)
        return;
    // Those of the last moment may be on their way.
    uint64_t settled = sim.event_numbers[r->topic];
    uint64_t known = settled > 60 ? settled - 60 : 0;
    while (settled > known && sim.event_times[r->topic][settled % 64] + SLACK_NS > sim.now_ns)
        settled--;
    if (settled > known && settled > a->event_base && a->event_last < settled)
        sim_fail("client %u: event %llu of topic %u does not come, the last one was %llu", c->index,
                 (unsigned long long)settled, r->topic, (unsigned long long)a->event_last);
}

// ---- heads

struct fields {
    const char *length, *coding, *id, *connection, *of, *filler, *retry, *date;
    size_t id_len, filler_len;
};

static bool is_field(const char *line, size_t len, const char *name, const char **value, struct sim_client *c)
{
    size_t n = strlen(name);
    if (len < n + 2 || memcmp(line, name, n) != 0 || line[n] != ':' || line[n + 1] != ' ')
        return false;
    if (*value)
        sim_fail("client %u: an answer has %s twice", c->index, name);
    *value = line + n + 2;
    return true;
}

// The head ends lines with NUL from here on.
static void split_head(struct sim_client *c, struct fields *f)
{
    struct sim_answer *a = &c->answer;
    *f = (struct fields){0};
    if (a->head_len < 17 || memcmp(a->head, "HTTP/1.1 ", 9) != 0 || a->head[12] != ' ')
        sim_fail("client %u: an answer does not begin with a status line: %.40s", c->index, a->head);
    a->status = (a->head[9] - '0') * 100 + (a->head[10] - '0') * 10 + a->head[11] - '0';
    char *line = a->head;
    for (;;) {
        char *end = strstr(line, "\r\n");
        if (!end)
            sim_fail("client %u: a head holds a NUL", c->index);
        *end = '\0';
        size_t len = (size_t)(end - line);
        if (len == 0)
            return;
        if (line != a->head) {
            const char *colon = strchr(line, ':');
            if (!colon || colon[1] != ' ')
                sim_fail("client %u: an answer has the line '%s'", c->index, line);
            if (is_field(line, len, "X-Request-Id", &f->id, c))
                f->id_len = strlen(f->id);
            else if (is_field(line, len, "X-Filler", &f->filler, c))
                f->filler_len = strlen(f->filler);
            else if (!is_field(line, len, "Content-Length", &f->length, c) &&
                     !is_field(line, len, "Transfer-Encoding", &f->coding, c) &&
                     !is_field(line, len, "Connection", &f->connection, c) &&
                     !is_field(line, len, "Retry-After", &f->retry, c) && !is_field(line, len, "Date", &f->date, c))
                (void)is_field(line, len, "X-Of", &f->of, c);
        }
        line = end + 2;
    }
}

static void check_ids(const struct sim_client *c, const struct sim_request *r, const struct fields *f)
{
    const struct sim_answer *a = &c->answer;
    char id[16];
    sim_id(r, id);
    if (!f->id) {
        // The refusal that does not look at the request.
        if (!c->link->refused || a->status != 503)
            sim_fail("client %u: an answer without X-Request-Id", c->index);
        return;
    }
    bool own = strcmp(f->id, id) == 0;
    if (f->id_len == 0 && !happened(sim.starved_ns, r->first_ns))
        sim_fail("client %u: the id of the answer to %s is empty", c->index, id);
    if (!own && (sim_request_find(pl_slice_make(f->id, f->id_len)) || (a->status == 200 && r->with_id)))
        sim_fail("client %u: request %s is answered as %s", c->index, id, f->id);
    if (f->of && strcmp(f->of, id) != 0)
        sim_fail("client %u: request %s gets the answer of %s", c->index, id, f->of);
    if (f->filler && f->filler_len != r->filler)
        sim_fail("client %u: the long header of %s has %zu bytes instead of %u", c->index, id, f->filler_len,
                 r->filler);
    if (a->status == 200 && r->kind <= SIM_EVENTS && (!f->of || (r->filler > 0 && !f->filler)))
        sim_fail("client %u: the answer to %s lacks a header", c->index, id);
}

static void head_done(struct sim_client *c)
{
    struct sim_answer *a = &c->answer;
    struct sim_request *r = expected(c);
    struct fields f;
    split_head(c, &f);
    if (c->closing)
        sim_fail("client %u: something follows the last answer", c->index);
    if (a->status == 100) {
        if (!r || !r->expects || !r->head_out || r->got_continue || f.length || f.coding)
            sim_fail("client %u: 100 Continue without being asked for", c->index);
        sim_note("client % may continue with request %", c->index, r->index, 0, 0);
        r->got_continue = true;
        sim_answer_begin(c);
        return;
    }
    if (!f.id && c->link->refused) {
        // Refused before it was read.
        if (a->status != 503 || !f.connection || strcmp(f.connection, "close") != 0 || c->answering != c->first)
            sim_fail("client %u: a strange refusal", c->index);
        c->closing = true;
        a->refusal = true;
    } else if (!r || (r->first_ns == 0 && !a->refusal)) {
        sim_fail("client %u: an answer without a request, status %d", c->index, a->status);
    } else {
        check_ids(c, r, &f);
        bool bare = happened(sim.starved_ns, r->first_ns); // without memory there are no further headers
        if (!f.date || ((a->status == 429 || a->status == 503) && !f.retry && !bare))
            sim_fail("client %u: the answer %d to request %u lacks a header", c->index, a->status, r->index);
    }
    a->close = f.connection && strcmp(f.connection, "close") == 0;
    if (f.length && f.coding)
        sim_fail("client %u: an answer has two lengths", c->index);
    a->chunked = f.coding != NULL;
    a->has_length = f.length != NULL;
    a->length = f.length ? strtoull(f.length, NULL, 10) : 0;
    a->to_end = !a->chunked && !a->has_length && a->status != 204;
    if (a->status == 204 && (a->chunked || a->has_length))
        sim_fail("client %u: an answer without a body tells its length", c->index);
    if (f.coding && (strcmp(f.coding, "chunked") != 0 || (r && r->http10)))
        sim_fail("client %u: the coding %s", c->index, f.coding);
    if (a->to_end && (!a->close || !r || !r->http10))
        sim_fail("client %u: an answer without a length", c->index);
    a->text_len = 0;
    a->body_at = 0;
    if (a->refusal) {
        a->state = SIM_A_BODY;
        a->left = a->length;
        return;
    }
    bool checked = a->status == 200 && r->kind != SIM_HEALTH && r->kind != SIM_METRICS && r->kind != SIM_EVENTS;
    if (checked && a->has_length && a->length != sim_answer_len(r))
        sim_fail("client %u: request %u is answered with %llu bytes instead of %zu", c->index, r->index,
                 (unsigned long long)a->length, sim_answer_len(r));
    if (a->status == 200 && r->kind == SIM_EVENTS) {
        a->event_last = a->event_id = 0;
        a->event_len = a->event_lines = 0;
        a->event_name[0] = '\0';
        a->event_base = sim.event_numbers[r->topic];
        sim_note("client % listens to topic % from % on", c->index, r->topic, (int64_t)a->event_base, 0);
    }
    if (r->head_only || a->status == 204 || (a->has_length && a->length == 0)) {
        answered(c);
        return;
    }
    a->state = a->chunked ? SIM_A_CHUNK : a->to_end ? SIM_A_CLOSE : SIM_A_BODY;
    a->left = a->length;
    a->line_len = 0;
}

// ---- bodies

static void body_feed(struct sim_client *c, const uint8_t *data, size_t len)
{
    struct sim_answer *a = &c->answer;
    a->bytes += len;
    const struct sim_request *r = expected(c);
    if (a->refusal) {
        a->body_at += len;
        return;
    }
    if (a->status == 200 && r->kind == SIM_EVENTS) {
        event_feed(c, r, data, len);
    } else if (a->status != 200) {
        size_t n = len < sizeof(a->text) - a->text_len ? len : sizeof(a->text) - a->text_len;
        memcpy(a->text + a->text_len, data, n);
        a->text_len += n;
    } else if (r->kind != SIM_HEALTH && r->kind != SIM_METRICS) {
        uint8_t right[512];
        if (a->body_at + len > sim_answer_len(r))
            sim_fail("client %u: the answer to request %u is longer than %zu bytes", c->index, r->index,
                     sim_answer_len(r));
        for (size_t at = 0; at < len; at += sizeof(right)) {
            size_t n = len - at < sizeof(right) ? len - at : sizeof(right);
            sim_answer_body(r, (size_t)a->body_at + at, right, n);
            if (memcmp(right, data + at, n) != 0)
                sim_fail("client %u: the answer to request %u is wrong near byte %llu", c->index, r->index,
                         (unsigned long long)a->body_at + at);
        }
    }
    a->body_at += len;
}

static void body_done(struct sim_client *c)
{
    struct sim_answer *a = &c->answer;
    if (a->refusal) {
        a->finished = true;
        return;
    }
    const struct sim_request *r = expected(c);
    bool checked = a->status == 200 && r->kind != SIM_HEALTH && r->kind != SIM_METRICS && r->kind != SIM_EVENTS;
    if (checked && a->body_at != sim_answer_len(r) && !sim_steps_cut(r))
        sim_fail("client %u: the answer to request %u ends after %llu bytes instead of %zu", c->index, r->index,
                 (unsigned long long)a->body_at, sim_answer_len(r));
    answered(c);
}

static void chunk_line(struct sim_client *c)
{
    struct sim_answer *a = &c->answer;
    char *end;
    a->line[a->line_len] = '\0';
    if (strcmp(a->line, HTTP_CUT_OFF) == 0) {
        a->state = SIM_A_CUT;
        return;
    }
    a->left = strtoull(a->line, &end, 16);
    if (end == a->line || strcmp(end, "\r\n") != 0)
        sim_fail("client %u: a chunk begins with '%s'", c->index, a->line);
    a->state = a->left > 0 ? SIM_A_DATA : SIM_A_LAST;
    a->line_len = 0;
}

// A byte of the lines between chunks.
static void framing_byte(struct sim_client *c, uint8_t byte)
{
    struct sim_answer *a = &c->answer;
    if (a->line_len + 1 >= sizeof(a->line))
        sim_fail("client %u: a line between chunks is too long", c->index);
    a->line[a->line_len++] = (char)byte;
    if (a->state == SIM_A_CHUNK) {
        if (byte == '\n')
            chunk_line(c);
        return;
    }
    if (a->line_len < 2)
        return;
    if (memcmp(a->line, "\r\n", 2) != 0)
        sim_fail("client %u: a chunk does not end with a line end", c->index);
    a->line_len = 0;
    if (a->state == SIM_A_LAST)
        body_done(c);
    else
        a->state = SIM_A_CHUNK;
}

static size_t feed_head(struct sim_client *c, const uint8_t *data, size_t len)
{
    struct sim_answer *a = &c->answer;
    for (size_t i = 0; i < len; i++) {
        if (a->head_len + 1 >= sizeof(a->head))
            sim_fail("client %u: a head is too long", c->index);
        a->head[a->head_len++] = (char)data[i];
        a->bytes++;
        if (data[i] == '\n' && a->head_len >= 4 && memcmp(a->head + a->head_len - 4, "\r\n\r\n", 4) == 0) {
            a->head[a->head_len] = '\0';
            head_done(c);
            return i + 1;
        }
    }
    return len;
}

void sim_answer_feed(struct sim_client *c, const uint8_t *data, size_t len)
{
    struct sim_answer *a = &c->answer;
    size_t at = 0;
    while (at < len) {
        if (a->finished)
            sim_fail("client %u: something follows a refusal", c->index);
        size_t n = len - at;
        switch (a->state) {
        case SIM_A_HEAD:
            a->started = true;
            at += feed_head(c, data + at, n);
            break;
        case SIM_A_BODY:
        case SIM_A_DATA:
            if (n > a->left)
                n = (size_t)a->left;
            body_feed(c, data + at, n);
            a->left -= n;
            at += n;
            if (a->left == 0 && a->state == SIM_A_DATA)
                a->state = SIM_A_DATA_END;
            else if (a->left == 0)
                body_done(c);
            break;
        case SIM_A_CLOSE:
            body_feed(c, data + at, n);
            at += n;
            break;
        case SIM_A_CUT:
            sim_fail("client %u: something follows an answer that was cut off", c->index);
        default:
            a->bytes++;
            framing_byte(c, data[at++]);
        }
    }
}

void sim_answer_end(struct sim_client *c, bool broken)
{
    struct sim_answer *a = &c->answer;
    struct sim_request *r = expected(c);
    if (a->finished)
        return;
    const struct sim_link *link = c->link;
    if (link->refused && link->accepted && !link->lost && c->received == 0 && sim.world.short_write == 0 &&
        !link->starved)
        sim_fail("client %u: connection %u is refused without a word", c->index, link->serial);
    // Only the end mark was lost: the server had told its end, the client sent on for long and was told a reset.
    bool end_mark_lost = broken && !link->faulty && !link->lost && sent_on_for_long(link);
    if (a->started && a->state == SIM_A_CLOSE && (!broken || (end_mark_lost && !sim_steps_cut(r)))) {
        if (r->kind == SIM_STEPS && sim_steps_cut(r))
            sim_fail("client %u: the answer to request %u, which was cut off, ends as if it were whole", c->index,
                     r->index);
        body_done(c);
        return;
    }
    bool in_chunks = a->state == SIM_A_CHUNK || a->state == SIM_A_DATA || a->state == SIM_A_DATA_END;
    if (a->started && in_chunks && !broken && !link->faulty)
        sim_fail("client %u: the end of the connection could be taken for the end of the answer to request %u",
                 c->index, r->index);
    if (a->started) {
        const char *excuse = a->refusal ? "refused" : cut_excuse(c, r);
        if (!excuse && a->state == SIM_A_HEAD)
            excuse = silence_excuse(c, r);
        if (!excuse)
            sim_fail("client %u: the answer to request %u is cut off after %llu bytes (broken %d, lost %d)", c->index,
                     r ? r->index : 0, (unsigned long long)a->body_at, broken, c->link->lost);
        sim_note("client %: request % is cut off", c->index, r ? r->index : 0, 0, 0);
        count(excuse);
        sim.totals.cuts++;
        return;
    }
    if (c->answering < c->sending || (r && c->answering < c->end && r->first_ns != 0)) {
        const char *excuse = silence_excuse(c, r);
        if (!excuse)
            sim_fail("client %u: request %u is not answered (broken %d, lost %d)", c->index, r->index, broken,
                     c->link->lost);
        sim_note("client %: request % is not answered", c->index, r->index, 0, 0);
        count(excuse);
        sim.totals.cuts++;
        return;
    }
    // Nothing was asked. When the door closes, an idle connection has one more second.
    if (sim.door_ns != 0 && c->quiet_ns < sim.door_ns && !c->slow_read && !c->closing &&
        !happened(sim.frozen_ns, c->link->opened_ns) && c->link->ended_ns > sim.door_ns + HTTP_DRAIN_IDLE_NS + SLACK_NS)
        sim_fail("client %u: its idle connection outlives the door", c->index);
    // Otherwise only one that is idle for long is closed.
    if (!silence_excuse(c, NULL) && !leaving() && !c->ended)
        sim_fail("client %u: its connection is closed although it is not idle", c->index);
}
