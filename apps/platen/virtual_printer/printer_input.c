// What raw connections, JSON and LPD send, taken apart: jobs for the printer, and what it answers at once.
#include <string.h>

#include "printer_io_parts.h"

#define DISCARD_MOST ((size_t)1 << 20)

void io_note_partial(struct io_connection *c)
{
    bool partial = c->splitter.in_format && c->kind != IO_JSON;
    if (partial == c->partial)
        return;
    c->partial = partial;
    pthread_mutex_lock(&c->printer->lock);
    c->printer->partial += partial ? 1 : UINT32_MAX;
    pthread_mutex_unlock(&c->printer->lock);
}

bool io_is_between(const struct io_connection *c)
{
    return !c->begun && printer_splitter_is_idle(&c->splitter) && c->file.len == 0 &&
           (c->kind != IO_LPD || lpd_is_between(&c->lpd));
}

struct feed {
    struct printer_io *io;
    struct io_connection *c;
};

// After a unit: others have their turn, or there is no room for another one. At the end of the service all is taken.
static bool must_pause(const struct io_connection *c)
{
    return !c->leaves && (c->work >= WORK_OF_TURN || c->out.len - c->out_from > OUT_PAUSE ||
                          !printer_takes_input(c->printer, c->client));
}

static void on_unit(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    const struct feed *f = user;
    struct io_connection *c = f->c;
    if (c->kind == IO_JSON && unit != PRINTER_UNIT_JSON)
        return; // this port takes nothing else
    // LPD has room for its own answers only.
    struct pl_buf nowhere, *out = c->kind == IO_LPD ? &nowhere : &c->out;
    pl_buf_init(&nowhere, OUT_PAUSE);
    size_t size = bytes->len, answered = out->len;
    int jobs = printer_take_unit(c->printer, &c->splitter, unit, bytes, &c->source, out);
    c->work += WORK_OF_UNIT + WORK_OF_ANSWER * (out->len - answered);
    pl_buf_fini(&nowhere);
    c->jobs += jobs > 0;
    if (jobs < 0) {
        printer_name_lost(c->printer, 0, c->source.text, size, "", "there was no memory for it");
        c->starved = true;
    }
    c->splitter.pauses = must_pause(c);
}

// Prefixes are the printer's: what one connection changes counts for the next format of another.
static size_t feed(struct printer_io *io, struct io_connection *c, struct pl_slice bytes)
{
    struct feed f = {io, c};
    struct printer *p = c->printer;
    if (printer_splitter_is_idle(&c->splitter)) {
        pthread_mutex_lock(&p->lock);
        c->splitter.prefixes = p->prefixes;
        pthread_mutex_unlock(&p->lock);
    }
    struct printer_prefixes before = c->splitter.prefixes;
    size_t used = printer_splitter_feed(&c->splitter, bytes, on_unit, &f);
    c->starved = c->starved || c->splitter.starved;
    io_count_held(io, c);
    if (c->kind != IO_JSON && memcmp(&before, &c->splitter.prefixes, sizeof before) != 0) {
        pthread_mutex_lock(&p->lock);
        p->prefixes = c->splitter.prefixes;
        pthread_mutex_unlock(&p->lock);
    }
    io_note_partial(c);
    return used;
}

static void end_input(struct printer_io *io, struct io_connection *c)
{
    struct feed f = {io, c};
    printer_splitter_end(&c->splitter, on_unit, &f);
    io_count_held(io, c);
    io_note_partial(c);
}

void io_put_answer(struct printer_io *io, struct io_connection *c, struct pl_slice text)
{
    pl_buf_append_slice(&c->out, text);
    io_count_held(io, c);
}

// A file that is not large waits for the mark that says that it came whole; a larger one is printed as it comes.
static size_t lpd_data(void *user, struct pl_slice bytes)
{
    struct feed *f = user;
    struct io_connection *c = f->c;
    if (c->lpd.until_end || c->lpd.length > LPD_HELD) {
        size_t used = feed(f->io, c, bytes);
        c->lpd.pauses = used < bytes.len;
        return used;
    }
    pl_buf_append_slice(&c->file, bytes);
    c->starved = c->starved || c->file.failed;
    io_count_held(f->io, c);
    return bytes.len;
}

static void forget_file(struct printer_io *io, struct io_connection *c)
{
    pl_buf_fini(&c->file);
    pl_buf_init(&c->file, LPD_HELD);
    c->file_from = 0;
    c->file_whole = false;
    io_count_held(io, c);
}

void io_take_file(struct printer_io *io, struct io_connection *c)
{
    c->file_from += feed(io, c, pl_slice_sub(pl_buf_slice(&c->file), c->file_from, c->file.len));
    c->lpd.pauses = c->file_from < c->file.len;
    if (c->lpd.pauses)
        return;
    end_input(io, c);
    forget_file(io, c);
}

static void lpd_file_end(void *user, bool whole)
{
    struct feed *f = user;
    struct io_connection *c = f->c;
    c->file_whole = whole && !c->file.failed;
    if (c->file_whole) {
        io_take_file(f->io, c);
        return;
    }
    printer_splitter_cancel(&c->splitter);
    io_note_partial(c);
    forget_file(f->io, c);
}

static size_t take_all(struct pl_slice *bytes)
{
    size_t size = bytes->len;
    *bytes = pl_slice_sub(*bytes, size, size);
    return size;
}

// True: it may go on.
bool io_take_bytes(struct printer_io *io, struct io_connection *c, struct pl_slice *bytes)
{
    struct feed f = {io, c};
    const struct lpd_sink sink = {lpd_data, lpd_file_end, &f};
    c->last_ns = io->now_ns;
    if (c->refused)
        return (c->discarded += take_all(bytes)) < DISCARD_MOST;
    if (!io_share_bytes(io, c, bytes->len)) {
        c->starved = true; // it is reset: its client sees that not all was taken
        return false;
    }
    if (c->kind == IO_LPD) {
        struct pl_buf answer;
        pl_buf_init(&answer, READ_BYTES * 2); // at most one byte for each
        bool goes_on = lpd_feed(&c->lpd, bytes, &sink, &answer);
        c->starved = c->starved || answer.failed;
        io_put_answer(io, c, pl_buf_slice(&answer));
        pl_buf_fini(&answer);
        return goes_on;
    }
    *bytes = pl_slice_sub(*bytes, feed(io, c, *bytes), bytes->len);
    return true;
}

void io_end_input(struct printer_io *io, struct io_connection *c)
{
    struct feed f = {io, c};
    const struct lpd_sink sink = {lpd_data, lpd_file_end, &f};
    if (c->kind == IO_LPD)
        lpd_end(&c->lpd, &sink);
    if (!c->file_whole)
        end_input(io, c);
}
