// What simulated clients ask of the JSON port and of the route print-to, and what must come of it; signals to the whole
// group of processes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "printer_sim.h"
#include "virtual_printer/printer_parts.h"

#define WIDTH_LEAST 100u // of a value that a client sets; each of them is set once
#define HOST "printer.example:9100"

static const char NAME[] = "ezpl.print_width";

static struct {
    uint32_t next;               // value
    bool set[PSIM_VALUES];       // values whose job was submitted
    uint32_t place[PSIM_VALUES]; // and whose turn it takes
    struct {
        uint32_t last; // what holds after all jobs that wait; 0: what the printer had at its start
        bool draws;    // one that sets or resets is being drawn
    } of[PSIM_PRINTERS];
    uint64_t sent[PSIM_SENT]; // hashes of what print-to has accepted, in its order
    uint32_t sent_count, done_count;
} asks;

void psim_asks_begin(void)
{
    memset(&asks, 0, sizeof asks);
}

// ---- settings

// A document for the JSON port: what it sets; 0: it asks.
uint32_t psim_write_document(char *out, size_t room)
{
    uint32_t value = sim_chance(&psim.net, 60) && asks.next < PSIM_VALUES ? WIDTH_LEAST + asks.next++ : 0;
    const char *before = sim_chance(&psim.net, 20) ? "{}" : "";
    if (value)
        snprintf(out, room, "%s{\"%s\":\"%u\"}", before, NAME, value);
    else
        snprintf(out, room, "%s{\"%s\":null}", before, NAME);
    return value;
}

// One whole answer, which may be followed by others. How long it is; 0: it is not whole.
static size_t read_answer(struct pl_slice text, uint32_t *shown)
{
    char whole[80], right[80];
    const uint8_t *end = memchr(text.ptr, '}', text.len);
    if (!end)
        return 0;
    size_t size = (size_t)(end - text.ptr) + 1;
    snprintf(whole, sizeof whole, "%.*s", (int)size, (const char *)text.ptr);
    const char *colon = strrchr(whole, ':');
    *shown = colon ? (uint32_t)strtoul(colon + 2, NULL, 10) : 0;
    snprintf(right, sizeof right, "{\"%s\":\"%u\"}", NAME, *shown);
    if (strcmp(whole, right) != 0)
        psim_fail("the JSON port answers %s", whole);
    return size;
}

size_t psim_check_answer(struct pl_slice text, uint32_t asked)
{
    uint32_t shown;
    size_t size = read_answer(text, &shown);
    if (size > 0 && asked >= WIDTH_LEAST && asks.set[asked - WIDTH_LEAST] && shown != asked)
        psim_fail("the JSON port has set %u and shows %u", asked, shown);
    return size;
}

static bool changes_settings(const struct printer_job *job)
{
    return job->sets || job->holds_input;
}

void psim_submits(const struct printer *p, const struct printer_job *job)
{
    if (!changes_settings(job))
        return;
    const uint8_t *at = memmem(job->code.data, job->code.len, "PW", 2);
    uint32_t value = job->sets && at ? (uint32_t)strtoul((const char *)at + 2, NULL, 10) : 0;
    if (job->sets && (value < WIDTH_LEAST || value >= WIDTH_LEAST + PSIM_VALUES))
        psim_fail("a setting that nobody has set: %u", value);
    if (job->sets) {
        asks.set[value - WIDTH_LEAST] = true;
        asks.place[value - WIDTH_LEAST] = (uint32_t)(job->source.client % TURNS_PLACES);
    }
    asks.of[p->index].last = value;
}

// What the renderer makes of the memory and the label code: the width that holds then.
uint32_t psim_draws_settings(uint32_t printer, struct pl_slice memory, struct pl_slice code)
{
    uint32_t width = 0;
    const uint8_t *at = memmem(code.ptr, code.len, "PW", 2);
    if (memory.len == sizeof width)
        memcpy(&width, memory.ptr, sizeof width);
    bool sets = at && code.len < 40, resets = !sets && code.len < 60 && memmem(code.ptr, code.len, "\x10JR", 3);
    asks.of[printer].draws = sets || resets;
    if (!sets)
        return resets ? 0 : width;
    width = (uint32_t)strtoul((const char *)at + 2, NULL, 10);
    psim_counts_draw(printer, asks.place[width - WIDTH_LEAST]);
    return width;
}

void psim_has_drawn(uint32_t printer)
{
    asks.of[printer].draws = false;
}

// Whoever asks is told what will be.
static uint32_t expected_of(const struct printer *p)
{
    bool waits = asks.of[p->index].draws;
    for (const struct printer_job *job = p->first; job && !waits; job = job->next)
        waits = changes_settings(job);
    uint32_t width = waits ? asks.of[p->index].last : p->settings.print_width;
    return width ? width : p->width;
}

void __real_printer_json(struct printer *p, struct pl_slice json, const struct printer_source *source,
                         struct pl_buf *out);
void __wrap_printer_json(struct printer *p, struct pl_slice json, const struct printer_source *source,
                         struct pl_buf *out);
void __wrap_printer_json(struct printer *p, struct pl_slice json, const struct printer_source *source,
                         struct pl_buf *out)
{
    size_t before = out->len;
    uint32_t shown;
    __real_printer_json(p, json, source, out);
    struct pl_slice text = pl_slice_sub(pl_buf_slice(out), before, out->len);
    // At the end all that is there is taken, also before a reset is over.
    bool ends = atomic_load(&psim.hub->drain_end_ns) != 0;
    if (text.len == 0 || out->failed || ends || read_answer(text, &shown) == 0)
        return;
    if (shown != expected_of(p))
        psim_fail("the JSON port of printer %u shows %u instead of %u", p->index, shown, expected_of(p));
}

// ---- the queue

// Before the end of the service nobody gets a job into a queue that is full so many times. What only tells of a refusal
// has its own limit.
void psim_check_queue(const struct printer *p)
{
    size_t most = psim.world.jobs_bytes * PRINTER_QUEUES_MOST, bytes = 0;
    for (const struct printer_job *job = p->first; job; job = job->next)
        bytes += job->refused ? 0 : job->code.len;
    if (most > 0 && atomic_load(&psim.hub->drain_end_ns) == 0 && bytes >= most)
        psim_fail("a job joins a queue of %zu bytes, of at most %zu", bytes, most);
}

// And who has nothing in it is not refused before.
void psim_check_refusal(const struct printer *p, uint64_t client)
{
    const struct turns_share *share = turns_share_of(&p->turns, client);
    size_t most = psim.world.jobs_bytes * PRINTER_QUEUES_MOST, bytes = p->job_bytes + p->turns.reserved;
    if (share->jobs == 0 && share->bytes + share->reserved == 0 && bytes < most)
        psim_fail("a client with nothing in the queue is refused at %zu bytes of %zu", bytes, most);
}

// ---- print-to

void psim_print_to(struct printer *p)
{
    char code[64];
    bool strange = sim_chance(&psim.net, 20);
    snprintf(code, sizeof code, "^XA^FXt%05u^FS^XZ", asks.sent_count);
    struct pl_slice bytes = pl_slice_cstr(code);
    const struct printed_label *label = sim_chance(&psim.net, 50) ? print_ring_last(&p->ring) : NULL;
    if (label && label->zpl)
        bytes = blob_slice(label->zpl);
    uint64_t hash = pl_hash_fnv1a(bytes);
    psim.memory_armed = true;
    enum printer_sent sent =
        printer_outside_print_to(psim.hub->outside, pl_slice_cstr(strange ? "stranger.example:9100" : HOST), bytes);
    psim.memory_armed = false;
    if ((sent == PRINTER_SENT_NOWHERE) != (strange || !psim.world.has_print_to))
        psim_fail("print-to says %d of a %s host", sent, strange ? "strange" : "known");
    if (sent == PRINTER_NOT_SENT && !psim.starved)
        psim_fail("print-to refuses a job although few wait");
    if (sent == PRINTER_SENT && asks.sent_count == PSIM_SENT)
        psim_fail("too many jobs for print-to");
    if (sent == PRINTER_SENT)
        asks.sent[asks.sent_count++] = hash;
}

void psim_printed_to(const char *host, struct pl_slice code)
{
    if (strcmp(host, HOST) != 0)
        psim_fail("print-to sends to %s", host);
    if (asks.done_count >= asks.sent_count || pl_hash_fnv1a(code) != asks.sent[asks.done_count])
        psim_fail("print-to sends what was not accepted, or in another order");
    asks.done_count++;
}

const char *psim_print_to_hosts(void)
{
    return HOST;
}

void psim_check_sent(uint64_t named)
{
    if (!psim.starved && asks.sent_count != asks.done_count + named)
        psim_fail("%u jobs for print-to were accepted, %u were sent, %llu were named", asks.sent_count, asks.done_count,
                  (unsigned long long)named);
}
