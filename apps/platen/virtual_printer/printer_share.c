// Fair shares: what one client, one printer and all connections together may hold. At a limit, what holds most goes, so
// that nobody is shut out by those who hoard.
#include <stdlib.h>

#include "base/ckd.h"
#include "printer_io_parts.h"
#include "process/say.h"

#define SECOND_NS 1000000000ull
#define SILENT_WEIGHT                                                                                                  \
    4u // who holds bytes and sends nothing for a second goes before one that holds up to four times as much
#define REFUSALS_MOST 512u              // jobs in the queue: then refusals are not listed
#define REFUSED_BYTES ((size_t)1 << 10) // of an unfinished format, for the list

enum scope { SCOPE_CLIENT, SCOPE_PRINTER, SCOPE_ALL, SCOPES };

struct party {
    enum scope scope;
    const struct printer *printer;
    uint64_t client;
};

static bool counts(const struct io_connection *c, const struct party *of)
{
    return c && (of->scope == SCOPE_ALL ||
                 (of->scope == SCOPE_PRINTER ? c->printer == of->printer : c->client == of->client));
}

void io_count_held(struct printer_io *io, struct io_connection *c)
{
    size_t held = c->splitter.unit.len + c->splitter.aside.len + c->splitter.other.len + c->file.len + c->out.len;
    io->held += held - c->held; // modulo 2^64
    atomic_fetch_add(&c->printer->input_bytes, held - c->held);
    c->held = held;
}

// Has it bytes that the system has acknowledged?
static bool has_unread(const struct printer_io *io, const struct io_connection *c)
{
    uint8_t byte;
    return !c->ended && io->seam->peek(c->fd, &byte, 1) > 0;
}

// ---- refusing

// One line at once and one of all others a second later: who floods the printer does not flood the log.
static void say(struct printer_io *io, const struct io_connection *c, const char *reason)
{
    if (io->now_ns < io->say_ns) {
        io->unsaid++;
        return;
    }
    pl_say("platen: printer %s: ended the connection of %s: %s", c->printer->spec.name, c->source.text, reason);
    io->say_ns = io->now_ns + SECOND_NS;
}

void io_say_rest(struct printer_io *io)
{
    if (io->unsaid == 0)
        return;
    pl_say("platen: printers: ended %u more connections in the same second", io->unsaid);
    io->unsaid = 0;
    io->say_ns = io->now_ns + SECOND_NS;
}

// Where many jobs wait, as for a stopped printer, a refusal is only counted.
static void list_refused(struct io_connection *c, const char *reason)
{
    struct printer *p = c->printer;
    pthread_mutex_lock(&p->lock);
    bool room = p->job_count < REFUSALS_MOST;
    p->refused += !room;
    pthread_mutex_unlock(&p->lock);
    if (!room) {
        http_counter_add(p->hub->refused, 1);
        return;
    }
    struct pl_slice begin = pl_slice_sub(pl_buf_slice(&c->splitter.unit), 0, REFUSED_BYTES);
    struct printer_job *job = printer_job_new(begin, &c->source);
    if (!job)
        return;
    job->refused = reason;
    c->jobs++;
    printer_submit(p, job);
}

// ~HS says for a moment that there is no room.
static void tell_refusal(struct printer_io *io, struct io_connection *c, const char *reason)
{
    struct printer *p = c->printer;
    pthread_mutex_lock(&p->lock);
    p->full_until_ns = io->now_ns + SECOND_NS;
    p->changed = true;
    pthread_mutex_unlock(&p->lock);
    say(io, c, reason);
    // A file that is whole is printed, though its connection ends.
    if ((!io_is_between(c) && !c->file_whole) || has_unread(io, c))
        list_refused(c, reason);
}

// Ends it; its unfinished job is listed as refused.
static void refuse(struct printer_io *io, struct io_connection *c, const char *reason)
{
    tell_refusal(io, c, reason);
    io_drop(io, c, true, true);
}

// ---- memory

static uint64_t most_bytes(const struct printer_io *io, enum scope scope)
{
    const struct printer_hub *hub = io->hub;
    const uint64_t one = hub->unit_bytes + READ_BYTES; // a single unit always has room
    uint64_t all = hub->options.input_bytes + one;
    switch (scope) {
    case SCOPE_CLIENT:
        return hub->options.client_bytes ? PL_MAX((uint64_t)hub->options.client_bytes, one) : all;
    case SCOPE_PRINTER:
        return hub->count > 1 ? PL_MAX(all / 2, one) : all;
    default:
        return all;
    }
}

static uint64_t weight(const struct printer_io *io, const struct io_connection *c)
{
    bool silent = !c->can_read && io->now_ns >= c->last_ns + SECOND_NS;
    return (uint64_t)c->held * (silent ? SILENT_WEIGHT : 1);
}

// The heaviest but `c`, if it weighs more than `c` with what it wants. Files that are whole go last: they are printed
// all the same, so that what they hold only moves to the queue, over its limit.
static struct io_connection *heavier(const struct printer_io *io, const struct io_connection *c, const struct party *of,
                                     size_t more)
{
    struct io_connection *goes[2] = {NULL, NULL}; // by file_whole
    uint64_t most[2] = {c->held + more, c->held + more};
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        struct io_connection *other = io->slots[i];
        if (other == c || !counts(other, of) || weight(io, other) <= most[other->file_whole])
            continue;
        goes[other->file_whole] = other;
        most[other->file_whole] = weight(io, other);
    }
    return goes[false] ? goes[false] : goes[true];
}

static uint64_t held_by(const struct printer_io *io, const struct party *of)
{
    uint64_t held = 0;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++)
        held += counts(io->slots[i], of) ? io->slots[i]->held : 0;
    return held;
}

bool io_share_bytes(struct printer_io *io, struct io_connection *c, size_t more)
{
    static const char *const REASONS[SCOPES] = {"too much was on its way from one client at once",
                                                "too much was on its way to this printer at once",
                                                "too much was on its way to the printers at once"};
    for (int scope = 0; scope < SCOPES; scope++) {
        const struct party of = {(enum scope)scope, c->printer, c->client};
        uint64_t most = most_bytes(io, of.scope);
        while (io->held + more > most && held_by(io, &of) + more > most) {
            struct io_connection *goes = heavier(io, c, &of, more);
            if (!goes) {
                tell_refusal(io, c, REASONS[scope]);
                return false;
            }
            refuse(io, goes, REASONS[scope]);
        }
    }
    return true;
}

// ---- connections

static uint32_t most_connections(const struct printer_io *io, enum scope scope)
{
    const struct printer_hub *hub = io->hub;
    uint32_t client = hub->options.client_connections;
    switch (scope) {
    case SCOPE_CLIENT:
        return client ? PL_MIN(client, io->most) : io->most;
    case SCOPE_PRINTER:
        return hub->count > 1 ? io->most / 2 : io->most;
    default:
        return io->most;
    }
}

// How much is lost with a connection, from most to least. Jobs that are whole are printed without their connection;
// bytes that the system has acknowledged and nobody has read are not.
enum spare {
    SPARE_FILE,       // whole, for which the queue has no room: it would join it over its limit
    SPARE_UNFINISHED, // or not read
    SPARE_JOBS,
    SPARE_NOTHING,
};

static enum spare spare(const struct printer_io *io, const struct io_connection *c)
{
    if (c->file_whole)
        return SPARE_FILE;
    if (!io_is_between(c) || has_unread(io, c))
        return SPARE_UNFINISHED;
    return c->jobs > 0 ? SPARE_JOBS : SPARE_NOTHING;
}

static uint32_t count_of(const struct printer_io *io, const struct party *of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++)
        count += counts(io->slots[i], of);
    return count;
}

// Has it been silent for longer, or was it here before?
static bool is_older(const struct io_connection *c, const struct io_connection *than)
{
    return c->last_ns != than->last_ns ? c->last_ns < than->last_ns : c->id < than->id;
}

static int by_client(const void *a, const void *b)
{
    const struct io_connection *x = *(struct io_connection *const *)a, *y = *(struct io_connection *const *)b;
    return (x->client > y->client) - (x->client < y->client);
}

// Counts for each connection those of its client; returns the largest count.
static uint32_t count_siblings(struct printer_io *io, const struct party *of)
{
    struct io_connection *all[CONNECTIONS_MOST];
    uint32_t count = 0, most = 0;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        if (counts(io->slots[i], of))
            all[count++] = io->slots[i];
    }
    qsort(all, count, sizeof *all, by_client);
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && all[to]->client == all[from]->client;)
            to++;
        for (uint32_t i = from; i < to; i++)
            all[i]->siblings = to - from;
        most = PL_MAX(most, to - from);
    }
    return most;
}

// Of the connections of clients that have at least so many: of those with which least is lost the one that has been
// silent longest.
static struct io_connection *most_spare(const struct printer_io *io, const struct party *of, uint32_t siblings,
                                        enum spare *rank)
{
    struct io_connection *goes = NULL;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        struct io_connection *c = io->slots[i];
        if (!counts(c, of) || c->siblings < siblings)
            continue;
        enum spare one = spare(io, c);
        if (goes && (one < *rank || (one == *rank && !is_older(c, goes))))
            continue;
        goes = c;
        *rank = one;
    }
    return goes;
}

void io_share_connections(struct printer_io *io, const struct printer *printer, uint64_t client)
{
    for (int scope = 0; scope < SCOPES; scope++) {
        const struct party of = {(enum scope)scope, printer, client};
        if (count_of(io, &of) < most_connections(io, of.scope))
            continue;
        // The client that has the most loses one.
        enum spare rank = SPARE_FILE;
        struct io_connection *goes = most_spare(io, &of, count_siblings(io, &of), &rank);
        if (rank <= SPARE_UNFINISHED)
            refuse(io, goes, "too many connections are open");
        else
            io_part(io, goes);
    }
}

bool io_give_up_silent(struct printer_io *io)
{
    const struct party all = {.scope = SCOPE_ALL};
    enum spare rank = SPARE_FILE;
    struct io_connection *goes = most_spare(io, &all, 0, &rank);
    if (!goes || rank < SPARE_NOTHING || io->now_ns < goes->last_ns + SECOND_NS)
        return false;
    io_part(io, goes);
    return true;
}

// ---- silence

// Has it begun something, or not read an answer?
static bool is_unfinished(const struct io_connection *c)
{
    // Who is not read, since the printer has no room, is not to blame.
    bool waits_for_us = (c->can_read || c->file_whole) && c->out.len - c->out_from <= OUT_PAUSE;
    // Text outside of formats is held for its language only.
    return (c->held > c->splitter.other.len || !io_is_between(c)) && !waits_for_us;
}

void io_end_silent(struct printer_io *io)
{
    uint64_t most_ns = io->hub->options.format_ms * 1000000u;
    io->silent_ns = UINT64_MAX;
    for (uint32_t i = 0; most_ns > 0 && i < CONNECTIONS_MOST; i++) {
        struct io_connection *c = io->slots[i];
        if (!c || !is_unfinished(c))
            continue;
        if (io->now_ns >= c->last_ns + most_ns && c->splitter.lines.language != PLATEN_LANGUAGE_ZPL)
            io_part(io, c); // forms and settings may be whole: as if its client had ended it
        else if (io->now_ns >= c->last_ns + most_ns)
            refuse(io, c, "its client was silent for longer than --printer-format-timeout");
        else
            io->silent_ns = PL_MIN(io->silent_ns, c->last_ns + most_ns);
    }
}
