// The simulation of the virtual printers: worlds, clients, time, and what must hold. One seed is two lives of a
// service: the second one starts with what the first one has kept.
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "http/observe/metrics.h"
#include "http/server/server.h"
#include "printer_sim.h"
#include "virtual_printer/printer_api.h"

struct psim psim;
static bool tracing;

enum kind { POLITE, LEAVER, HOARDER, ASKER, CANCELLER };

struct client {
    enum kind kind;
    enum psim_way way;
    uint32_t printer, jobs, sent_jobs, network;
    struct psim_link *link;
    uint8_t *out;
    size_t len, at;
    uint32_t job; // whose bytes `out` are
    // Of the JSON port: what each document sets, how many were answered, and what there is of the next answer.
    uint32_t asked[40], answered;
    char answer[200];
    size_t answer_len;
    uint64_t act_ns, done_ns;
    bool done, ends;
    bool floods; // many small jobs at once
    uint32_t tries;
};

#define CLIENTS 60
static struct client clients[CLIENTS];
static uint32_t client_count;
static FILE *said;
static char *said_text;
static size_t said_size;

void psim_note(const char *format, ...)
{
    va_list list;
    if (!tracing)
        return;
    dprintf(1, "%8llu us  ", (unsigned long long)(psim.now_ns / 1000));
    va_start(list, format);
    vdprintf(1, format, list);
    va_end(list);
    dprintf(1, "\n");
}

void psim_fail(const char *format, ...)
{
    va_list list;
    const struct psim_world *w = &psim.world;
    dprintf(1, "seed %llu, life %d, %llu us: ", (unsigned long long)w->seed, psim.life,
            (unsigned long long)(psim.now_ns / 1000));
    va_start(list, format);
    vdprintf(1, format, list);
    va_end(list);
    dprintf(1,
            "\nworld: %u printers, %u clients, %u hoarders, state %d, keep %d, forward %d, webhook %d, memory %u, "
            "descriptors %u, cancels %d, paused %d, signal %llu ms, drain %llu ms\n",
            w->printers, w->clients, w->hoarders, w->has_state, w->has_keep, w->has_forward, w->has_webhook,
            w->memory_fails, w->descriptors, w->cancels, w->paused, (unsigned long long)(w->signal_ns / SIM_MS),
            (unsigned long long)(w->drain_ns / SIM_MS));
    _exit(3);
}

// ---- the world

static void make_world(uint64_t seed)
{
    struct sim_random r = sim_stream(seed, 1);
    struct psim_world *w = &psim.world;
    *w = (struct psim_world){.seed = seed};
    w->printers = 1 + sim_below(&r, PSIM_PRINTERS);
    w->clients = 1 + sim_below(&r, 12);
    w->hoarders = sim_chance(&r, 40) ? 1 + sim_below(&r, 30) : 0;
    w->has_state = sim_chance(&r, 50);
    w->has_keep = sim_chance(&r, 40);
    w->has_forward = sim_chance(&r, 40);
    w->has_webhook = sim_chance(&r, 30);
    for (int i = 0; i < PSIM_HELPERS; i++)
        w->peers[i] = (uint8_t)sim_below(&r, 4);
    if (sim_chance(&r, 70))
        w->peers[0] = PEER_FAST;
    w->folder_breaks = w->has_state && sim_chance(&r, 20);
    w->memory_fails = sim_chance(&r, 20) ? (uint32_t)sim_range(&r, 100, 20000) : 0;
    w->descriptors = sim_chance(&r, 25) ? 2 + sim_below(&r, 6) : PSIM_LINKS;
    w->patient = sim_chance(&r, 25);
    w->jobs_most = sim_chance(&r, 50) ? 1 + sim_below(&r, 4) : 0;
    w->client_connections = 1 + sim_below(&r, 8);
    w->shared = sim_chance(&r, 50);
    w->spread = sim_chance(&r, 50);
    w->hoarders += w->hoarders && w->spread ? 15 : 0;
    w->cancels = sim_chance(&r, 10);
    w->up_room = w->hoarders && sim_chance(&r, 70) ? 20000 : sim_range(&r, 1, 60) * 100;
    w->down_room = sim_range(&r, 50, 2000);
    w->render_ns = sim_range(&r, 0, 30) * SIM_MS;
    w->signal_ns = sim_range(&r, 0, 600) * SIM_MS;
    w->drain_ns = sim_chance(&r, 30) ? 0 : sim_range(&r, 1, 3000) * SIM_MS;
    w->paused = sim_chance(&r, 20);
    w->io_percent = sim_chance(&r, 60) ? 100 : 2 + sim_below(&r, 20);
    w->has_print_to = sim_chance(&r, 40);
    w->jobs_bytes = sim_chance(&r, 40) ? 20 + sim_below(&r, 400) : 0;
    w->hangups = sim_chance(&r, 40) ? 1 + sim_below(&r, 3) : 0;
    w->group = sim_chance(&r, 50);
}

// ---- clients

static void make_clients(void)
{
    struct sim_random r = sim_stream(psim.world.seed, 2);
    client_count = 0;
    for (uint32_t i = 0; i < psim.world.clients + psim.world.hoarders; i++) {
        struct client *c = &clients[client_count++];
        psim_free(c->out);
        bool hoards = i >= psim.world.clients;
        *c = (struct client){.kind = hoards ? HOARDER : (enum kind)sim_below(&r, 2),
                             .network = hoards ? (psim.world.spread ? 100 + i : 1) : 2 + i};
        if (psim.world.shared && sim_chance(&r, 50))
            c->network = 1;
        c->way = hoards ? (enum psim_way)sim_below(&r, WAY_HTTP) : (enum psim_way)sim_below(&r, WAY_PRINT_TO + 1);
        if (!hoards && sim_chance(&r, 15))
            c->kind = ASKER;
        if (!hoards && psim.world.cancels && sim_chance(&r, 30))
            c->kind = CANCELLER;
        if (c->kind >= ASKER)
            c->way = WAY_RAW;
        c->printer = sim_below(&r, psim.world.printers);
        c->floods = !hoards && sim_chance(&r, 10);
        c->jobs = hoards ? 1 : 1 + sim_below(&r, c->floods ? 40 : 6);
        c->act_ns = psim.now_ns + sim_range(&r, 0, hoards ? 50 : 400) * SIM_MS;
    }
}

// The next job as bytes.
static void write_job(struct client *c, uint32_t index)
{
    static char code[24000];
    struct sim_random *r = &psim.net;
    size_t fill = c->kind == HOARDER ? 17000 : sim_below(r, c->floods ? 2 : 600);
    uint32_t labels = sim_chance(r, 70) ? 1 : sim_below(r, PSIM_LABELS + 1);
    if (c->way == WAY_JSON && c->kind == HOARDER) {
        memset(code, 'x', fill);
        memcpy(code, "{\"a\":\"", 6);
        code[fill] = '\0';
    } else if (c->way == WAY_JSON) {
        // What is not JSON is nothing to this port.
        psim.jobs[psim.job_count] = (struct psim_job){.client = index, .labels = 1, .way = WAY_JSON};
        int n = sim_chance(r, 20) ? snprintf(code, sizeof code, "^XA^FXj%05u^FS^XZ", psim.job_count++) : 0;
        c->asked[c->sent_jobs] = psim_write_document(code + n, sizeof code - (size_t)n);
    } else if (c->kind == ASKER) {
        snprintf(code, sizeof code, "%s", sim_chance(r, 50) ? "~HS" : "~HI");
    } else if (c->kind == CANCELLER) {
        snprintf(code, sizeof code, sim_chance(r, 50) ? "~JA" : "~JR");
    } else {
        if (psim.job_count == PSIM_JOBS)
            psim_fail("too many jobs");
        c->job = psim.job_count++;
        psim.jobs[c->job] = (struct psim_job){
            .client = index, .printer = c->printer, .labels = labels, .way = c->way, .order = c->sent_jobs + 1};
        int n = snprintf(code, sizeof code, "^XA^FXj%05u", c->job);
        memset(code + n, 'x', fill);
        snprintf(code + n + fill, sizeof code - (size_t)n - fill, "%s", c->kind == HOARDER ? "" : "^FS^XZ");
    }
    psim_free(c->out);
    c->out = psim_alloc(sizeof code + 64);
    c->at = 0;
    c->len = 0;
    if (c->way == WAY_LPD)
        c->len = (size_t)sprintf((char *)c->out, "%s\x03%zu dfA1\n", c->sent_jobs == 0 ? "\x02lp\n" : "",
                                 strlen(code) + (c->kind == HOARDER ? 100 : 0));
    memcpy(c->out + c->len, code, strlen(code));
    c->len += strlen(code);
    if (c->way == WAY_LPD && c->kind != HOARDER)
        c->out[c->len++] = 0;
}

static void is_over(struct client *c)
{
    c->done = true;
    c->done_ns = psim.now_ns;
    if (c->link) {
        psim_leave(c->link);
        c->link = NULL;
    }
}

// By HTTP: accepted when it is answered with 202.
static void act_http(struct client *c, uint32_t index)
{
    const struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0A000000u | c->network)};
    struct sockaddr_storage peer = {0};
    memcpy(&peer, &from, sizeof from);
    const struct printer_source source = {.client = http_client_key(psim.hub->server, &peer), .text = "http"};
    uint32_t jobs = 0;
    write_job(c, index);
    psim.memory_armed = true;
    enum printer_taken taken =
        printer_take(&psim.hub->printers[c->printer], pl_slice_make(c->out, c->len), &source, &jobs);
    psim.memory_armed = false;
    struct psim_job *job = &psim.jobs[c->job];
    if (taken == PRINTER_TAKEN_BUSY) {
        psim_check_refusal(&psim.hub->printers[c->printer], source.client);
        psim.job_count--; // it comes again
        c->act_ns = psim.now_ns + 5 * SIM_MS;
        return;
    }
    job->accepted = taken == PRINTER_TAKEN;
    job->excused = taken != PRINTER_TAKEN;
    if (++c->sent_jobs == c->jobs)
        is_over(c);
}

// Answers come in the order of the documents, and to all of them.
static void read_answers(struct client *c, uint32_t index, size_t most)
{
    size_t size;
    c->answer_len += psim_read(c->link, c->answer + c->answer_len, PL_MIN(most, sizeof c->answer - c->answer_len));
    if (c->way != WAY_JSON) {
        c->answer_len = 0;
        return;
    }
    while (c->answer_len > 0 &&
           (size = psim_check_answer(pl_slice_make(c->answer, c->answer_len), c->asked[c->answered])) > 0) {
        if (c->answered++ == c->sent_jobs && c->at < c->len)
            psim_fail("client %u gets an answer to a document that it has not sent", index);
        memmove(c->answer, c->answer + size, c->answer_len - size);
        c->answer_len -= size;
    }
    bool ends = atomic_load(&psim.hub->drain_end_ns) != 0 || psim.starved;
    if (c->ends && c->link->server_closed && c->link->down_len == 0 && !ends && c->network != 1 &&
        psim.world.descriptors == PSIM_LINKS && c->answered != c->sent_jobs)
        psim_fail("%u of %u documents of client %u were answered", c->answered, c->sent_jobs, index);
}

static void act(struct client *c, uint32_t index)
{
    struct sim_random *r = &psim.net;
    if (c->way == WAY_PRINT_TO) {
        psim_print_to(&psim.hub->printers[c->printer]);
        if (++c->sent_jobs == c->jobs)
            is_over(c);
        return;
    }
    if (c->way == WAY_HTTP) {
        act_http(c, index);
        return;
    }
    if (!c->link) {
        c->link = psim_connect(index, c->printer * 3 + (uint32_t)c->way, (uint8_t)c->network);
        if (!c->link)
            is_over(c); // nobody listens
        return;
    }
    read_answers(c, index, c->kind == ASKER && sim_chance(r, 50) ? 0 : 100);
    if (c->link->server_closed && !c->ends && atomic_load(&psim.hub->drain_end_ns) == 0 && c->kind <= LEAVER &&
        c->network != 1 && !psim.starved && psim.world.descriptors == PSIM_LINKS)
        psim_fail("client %u, who behaves, is cut off", index);
    if ((c->link->server_closed && c->link->down_len == 0) || c->link->muted) {
        // What was not acknowledged is not accepted, and the client knows.
        is_over(c);
        return;
    }
    if (!c->out || c->at == c->len) {
        if (c->kind == HOARDER && c->out)
            return; // holds what it has
        if (c->sent_jobs >= c->jobs && c->kind != POLITE) {
            is_over(c);
            return;
        }
        if (c->sent_jobs >= c->jobs) {
            if (!c->ends)
                psim_end(c->link);
            c->ends = true;
            return; // until the printer closes
        }
        write_job(c, index);
    }
    size_t most = sim_chance(r, 50) ? c->len : 1 + sim_below(r, 200);
    c->at += psim_send(c->link, c->out + c->at, PL_MIN(most, c->len - c->at));
    if (c->at < c->len)
        return;
    c->sent_jobs++;
    psim_note("client %u has sent its job %u", index, c->sent_jobs);
    if (c->kind <= LEAVER && c->way != WAY_JSON)
        psim.jobs[c->job].accepted = true; // all of it was acknowledged
    if (c->kind == LEAVER && c->sent_jobs == c->jobs && sim_chance(r, 50))
        is_over(c);
}

// ---- time

static void check_books(void)
{
    const struct printer_io *io = psim.hub->io;
    uint64_t held = 0, answers = 0, by_printer = 0;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        held += io->slots[i] ? io->slots[i]->held : 0;
        answers += io->slots[i] ? io->slots[i]->out.len : 0;
    }
    for (uint32_t i = 0; i < psim.hub->count; i++)
        by_printer += atomic_load(&psim.hub->printers[i].input_bytes);
    if (held != io->held || held != by_printer)
        psim_fail("the books of held bytes differ: %llu, %llu, %llu", (unsigned long long)held,
                  (unsigned long long)io->held, (unsigned long long)by_printer);
    uint64_t most = psim.hub->options.input_bytes + psim.hub->unit_bytes + READ_BYTES;
    if (held - answers > most)
        psim_fail("%llu bytes are held, of %llu", (unsigned long long)held, (unsigned long long)most);
}

static void turn_io(void)
{
    struct http_ready_event events[16];
    int most = sim_chance(&psim.order, 30) ? 1 : 16;
    int n = psim_poll(events, most), wait_ms = printer_io_wait_ms(psim.hub->io);
    // Without an event the thread sleeps as long as it said.
    if (n == 0 && (wait_ms < 0 || psim.now_ns < psim.turned_ns + (unsigned)wait_ms * SIM_MS))
        return;
    psim.turned_ns = psim.now_ns;
    psim.memory_armed = true;
    printer_io_turn(psim.hub->io, events, n);
    psim.memory_armed = false;
    check_books();
}

static void turn_printer(uint32_t i)
{
    struct printer *p = &psim.hub->printers[i];
    struct renderer_link link = {0};
    if (psim.busy[i] || psim.ended)
        return;
    if (psim.world.paused && sim_chance(&psim.order, 2)) {
        pthread_mutex_lock(&p->lock);
        p->faults.paused = !p->faults.paused && psim.life == 1;
        pthread_mutex_unlock(&p->lock);
    }
    psim.busy[i] = true;
    psim.memory_armed = true;
    pthread_mutex_lock(&p->lock);
    printer_turn(p, &link);
    pthread_mutex_unlock(&p->lock);
    psim.memory_armed = false;
    psim.busy[i] = false;
}

// Stopping, as printer_hub_stop does it: once everything is drained, or the time is over.
static void look_at_end(void)
{
    uint64_t end = atomic_load(&psim.hub->drain_end_ns);
    if (psim.ended || end == 0)
        return;
    if (psim.now_ns < end && !printer_hub_is_drained(psim.hub))
        return;
    psim_note("stop: drained %d", printer_hub_is_drained(psim.hub));
    psim.ended = true;
    psim.memory_armed = true;
    printer_io_finish(psim.hub->io);
    psim.memory_armed = false;
    for (uint32_t i = 0; i < psim.hub->count; i++)
        printer_ask_to_stop(&psim.hub->printers[i]);
}

// In a patient world: is somebody who behaves not done yet? Nobody waits for ever.
static bool must_wait(void)
{
    if (!psim.world.patient || psim.life == 2 || psim.starved || psim.world.paused ||
        psim.world.descriptors < PSIM_LINKS)
        return false;
    for (uint32_t i = 0; i < client_count; i++) {
        const struct client *c = &clients[i];
        if (c->kind > LEAVER || c->done)
            continue;
        if (psim.now_ns > c->act_ns + 60 * SIM_S)
            psim_fail("client %u, who behaves, is not served", i);
        return true;
    }
    return false;
}

void psim_run_until(uint64_t time)
{
    psim.depth++;
    while (psim.now_ns < time && !psim.ended) {
        psim.steps++;
        switch (sim_below(&psim.order, 8)) {
        case 0:
        case 1:
        case 2:
            if (sim_chance(&psim.order, psim.world.io_percent))
                turn_io();
            break;
        case 3:
        case 4:
            if (psim.depth < 4)
                turn_printer(sim_below(&psim.order, psim.hub->count));
            break;
        case 5:
            psim_peers_turn();
            break;
        default: {
            if (client_count == 0)
                break;
            uint32_t i = sim_below(&psim.order, client_count);
            struct client *c = &clients[i];
            // Requests end before the printers do.
            bool late = c->way >= WAY_HTTP && atomic_load(&psim.hub->drain_end_ns) != 0;
            if (!c->done && psim.now_ns >= c->act_ns && !late)
                act(c, i);
            break;
        }
        }
        psim.now_ns += sim_range(&psim.order, 1000, 200000);
        if (psim.world.hangups > 0 && sim_rare(&psim.order, 500)) {
            psim.world.hangups--;
            psim_signal_group(SIGHUP);
        }
        if (atomic_load(&psim.hub->drain_end_ns) == 0 && psim.now_ns >= psim.world.signal_ns && !must_wait()) {
            psim_note("signal");
            if (psim.world.group)
                psim_signal_group(sim_chance(&psim.order, 50) ? SIGINT : SIGTERM);
            printer_hub_drain(psim.hub, psim.now_ns + psim.world.drain_ns);
        }
        look_at_end();
    }
    psim.depth--;
}

// ---- a life

static const struct platen_engine *engine;

static void open_hub(struct printer_hub *hub, struct http_server *server)
{
    static char specs[256];
    const struct psim_world *w = &psim.world;
    size_t n = 0;
    for (uint32_t i = 0; i < w->printers; i++)
        n += (size_t)snprintf(specs + n, sizeof specs - n,
                              "%sname=p%u,listen=127.0.0.1:%u,json=127.0.0.1:%u,lpd=127.0.0.1:%u", i ? ";" : "", i,
                              9100 + i, 9200 + i, 515 + i);
    hub->options = (struct printer_options){
        .printers = specs,
        .state_dir = w->has_state ? "folder" : NULL,
        .keep_dir = w->has_keep ? "folder" : NULL,
        .forward = w->has_forward ? "127.0.0.1:1" : NULL,
        .print_to = w->has_print_to ? psim_print_to_hosts() : NULL,
        .webhook = w->has_webhook ? "http://127.0.0.1:2/" : NULL,
        .ring_labels = 50,
        .ring_bytes = 1 << 20,
        .input_bytes = 6000,
        .client_bytes = 4000,
        .client_connections = w->client_connections,
        .format_ms = 100000,
    };
    hub->seam = &psim_seam;
    hub->engine = engine;
    hub->render_ms = 10000;
    hub->unit_bytes = 20000;
    hub->jobs_most = w->jobs_most;
    hub->jobs_bytes = w->jobs_bytes;
    struct pl_error err = {0};
    psim.hub = hub;
    if (printer_hub_check(hub, &err) != PL_OK || printer_hub_open(hub, server, &err) != PL_OK)
        psim_fail("the printers cannot be set up: %s", err.message);
}

// What standard error says was not printed.
static void read_named(void)
{
    fflush(said);
    for (char *line = said_text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        unsigned long long number, first = 0;
        unsigned bytes, port = 0;
        char name[32], source[64];
        psim_note("%.*s", (int)strcspn(line, "\n"), line);
        if (sscanf(line, "platen: printer %31[^:]: job %llu of %63s (%u bytes)", name, &number, source, &bytes) != 4)
            continue;
        const char *one = strstr(line, ", label "), *rest = strstr(line, ", from label "), *end = strchr(line, '\n');
        one = one && one < end ? one : NULL;
        rest = rest && rest < end ? rest : NULL;
        if (one || rest)
            first = strtoull(one ? one + 8 : rest + 13, NULL, 10) - 1;
        if (strrchr(source, ':'))
            port = (unsigned)strtoul(strrchr(source, ':') + 1, NULL, 10);
        struct psim_job *job = NULL;
        for (uint32_t i = 0; i < psim.job_count && !job; i++) {
            struct psim_job *each = &psim.jobs[i];
            bool dropped = number == 0 && each->number == 0 && each->client + 10000 == port && !each->named[0];
            if ((number != 0 && each->number == number) || dropped)
                job = each;
        }
        for (unsigned long long k = first; job && k < (one ? first + 1 : PSIM_LABELS); k++)
            job->named[k]++;
    }
}

static uint64_t undelivered(const char *what)
{
    const char *at = said_text ? strstr(said_text, what) : NULL;
    while (at && at > said_text && at[-1] != '\n')
        at--;
    return at ? strtoull(at + strlen("platen: "), NULL, 10) : 0;
}

// Processes that are fast and do not die deliver all: whatever signals come, the end waits for them.
static void check_delivered(void)
{
    static const char *const WHAT[PSIM_HELPERS] = {"files of --state and --keep", "jobs for --forward",
                                                   "jobs for --print-to", "messages to --webhook"};
    for (int i = 0; i < PSIM_HELPERS && !psim.starved; i++) {
        bool fast = psim.world.peers[i] == PEER_FAST || psim.life == 2;
        if (fast && undelivered(WHAT[i]) > 0)
            psim_fail("%llu %s were not delivered", (unsigned long long)undelivered(WHAT[i]), WHAT[i]);
    }
}

static void live_once(struct http_server *server)
{
    struct printer_hub *hub = psim_alloc(sizeof *hub);
    struct pl_error err = {0};
    long before = psim_live();
    server->metrics = http_metrics_new("platen");
    psim_peers_begin();
    psim_net_begin();
    psim_asks_begin();
    psim.ended = false;
    psim.waker_set = false;
    memset(psim.busy, 0, sizeof psim.busy);
    said = open_memstream(&said_text, &said_size);
    stderr = said;
    open_hub(hub, server);
    // As printer_hub_start, without threads.
    atomic_store(&hub->started, true);
    for (uint32_t i = 0; i < hub->count; i++) {
        char path[64];
        snprintf(path, sizeof path, "folder/p%u.jobs", i);
        if (unlink(path) == 0)
            psim_note("printer %u has kept jobs", i);
    }
    (void)err;
    psim_run_until(SIM_NEVER);
    atomic_store(&hub->stopped, true);
    printer_hub_close(hub);
    // A signal after the printers were closed ended the program with status 1.
    if (!printer_hub_hurry(hub))
        psim_fail("a signal at the end is one too many");
    uint64_t forwards = psim.scraps, all_forwarded = 0;
    read_named();
    for (uint32_t i = 0; i < psim.job_count; i++) {
        forwards += psim.jobs[i].number != 0;
        all_forwarded += psim.jobs[i].forwarded;
    }
    if (psim.life == 1 && psim.world.has_forward && !psim.starved && !psim.world.cancels &&
        forwards != all_forwarded + undelivered("jobs for --forward"))
        psim_fail("%llu jobs were to be forwarded, %llu were, %llu were named", (unsigned long long)forwards,
                  (unsigned long long)all_forwarded, (unsigned long long)undelivered("jobs for --forward"));
    psim_check_sent(undelivered("jobs for --print-to"));
    check_delivered();
    fclose(said);
    psim_free(said_text); // not of the code under test
    said_text = NULL;
    psim_free(hub);
    http_metrics_free(server->metrics);
    if (psim_live() != before)
        psim_fail("%ld blocks of memory were not given back", psim_live() - before);
}

// ---- the end

static void check_jobs(void)
{
    for (uint32_t i = 0; i < psim.job_count; i++) {
        const struct psim_job *job = &psim.jobs[i];
        if (clients[job->client].kind == HOARDER)
            continue;
        for (uint32_t k = 0; k < job->labels; k++) {
            uint32_t ends = job->printed[k] + job->named[k];
            if (ends > 1)
                psim_fail("label %u of job %u of client %u (way %d): printed %u times, named %u times", k, job->order,
                          job->client, job->way, job->printed[k], job->named[k]);
            if (job->named[k] && psim.world.has_state && !psim.world.folder_breaks && !psim.starved &&
                psim.world.peers[0] == PEER_FAST)
                psim_fail("label %u of job %u of client %u was named although it could be kept", k, job->order,
                          job->client);
            bool lost = ends == 0 && job->accepted && job->refused == 0 && !psim.world.cancels;
            bool told = job->number == 0 && (psim.starved || psim.refused[job->client]);
            if (lost && !told)
                psim_fail("label %u of job %u of client %u (way %d, number %llu) was accepted and is lost", k,
                          job->order, job->client, job->way, (unsigned long long)job->number);
            // A small job is never refused while others hoard.
            if (job->refused > 0 && job->accepted && !psim.starved && clients[job->client].network != 1)
                psim_fail("job %u of client %u was refused although it is small", job->order, job->client);
        }
    }
}

static uint64_t run_seed(uint64_t seed, struct http_server *server)
{
    psim_net_begin(); // frees what the last one had
    psim = (struct psim){.now_ns = SIM_S, .life = 1};
    make_world(seed);
    psim.world.signal_ns += psim.now_ns;
    psim.order = sim_stream(seed, 3);
    psim.net = sim_stream(seed, 4);
    psim.memory = sim_stream(seed, 5);
    make_clients();
    live_once(server);
    if (psim.world.has_state) {
        // The next start: nobody prints, all that was kept is printed.
        psim.life = 2;
        for (uint32_t i = 0; i < psim.job_count; i++)
            psim.jobs[i].number = 0;
        psim.world.memory_fails = 0;
        psim.world.signal_ns = psim.now_ns + 10 * SIM_MS;
        psim.world.drain_ns = 60 * SIM_S;
        client_count = 0;
        live_once(server);
        for (uint32_t i = 0; i < psim.world.printers; i++) {
            if (psim_has_kept(i))
                psim_fail("jobs are kept again although there was time");
        }
    }
    check_jobs();
    return psim.steps;
}

static void on_signal(int signal)
{
    psim_fail("signal %d", signal);
}

int main(int argc, char **argv)
{
    const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
    for (size_t i = 0; i < PL_COUNTOF(signals); i++)
        signal(signals[i], on_signal);
    // printer_sim COUNT [FIRST], or printer_sim --seed SEED
    bool one = argc > 2 && strcmp(argv[1], "--seed") == 0;
    uint64_t first = one ? strtoull(argv[2], NULL, 10) : argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t count = one ? 1 : argc > 1 ? strtoull(argv[1], NULL, 10) : 1000, steps = 0, jobs = 0;
    if (count == 0)
        return 2;
    tracing = one;
    struct platen_engine_options options = {.size = sizeof options};
    struct platen_engine *made = NULL;
    struct platen_error failure;
    if (platen_engine_new(&options, &made, &failure) != PLATEN_OK)
        return 1;
    engine = made;
    static const struct http_app app;
    static struct http_server server = {.app = &app};
    FILE *own = stderr;
    for (uint64_t i = 0; i < count; i++) {
        steps += run_seed(first + i, &server);
        jobs += psim.job_count;
    }
    stderr = own;
    psim.life = 1;
    psim_net_begin();
    psim_peers_begin();
    for (uint32_t i = 0; i < CLIENTS; i++)
        psim_free(clients[i].out);
    printf("%llu seeds, %llu steps, %llu jobs\n1 passed, 0 failed\n", (unsigned long long)count,
           (unsigned long long)steps, (unsigned long long)jobs);
    platen_engine_free(made);
    return 0;
}
