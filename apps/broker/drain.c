// Reading a queue to a mark at its end.
#include "drain.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "os/clock.h"
#include "os/random.h"
#include "work_job.h"

// How long a mark lives that its reader has left behind, beside what the reader waits for one message: it may have many
// to read before the mark.
#define MARK_MS UINT64_C(86400000)
#define EXPIRES_MOST_MS UINT64_C(4294967295) // RabbitMQ refuses more
#define LAST_ANSWERS_NS UINT64_C(10000000000)

enum pl_errc drain_take(struct drain *d, uint64_t tag, struct pl_error *err)
{
    d->held--;
    d->has_taken = true;
    return broker_acknowledge(d->broker, tag, false, err);
}

// *is_mark: it is a mark. *whole: that of this reader.
static enum pl_errc take_mark(struct drain *d, const struct broker_message *m, const char *own, bool *is_mark,
                              bool *whole, struct pl_error *err)
{
    struct pl_slice text;
    *is_mark = broker_header_of(m, HEADER_KIND, &text) && pl_slice_eq_cstr(text, KIND_FENCE);
    if (!*is_mark)
        return PL_OK;
    *whole = pl_slice_eq_cstr(m->id, own);
    if (!*whole && d->other_marks < DRAIN_MARKS)
        d->marks[d->other_marks++] = m->tag;
    return *whole ? drain_take(d, m->tag, err) : PL_OK;
}

// Other readers' marks are of no use here, and two readers that hold each other's would wait for ever. Now and then: a
// mark that nobody waits for comes back at once.
static enum pl_errc give_back_marks(struct drain *d, struct pl_error *err)
{
    if (d->other_marks == 0 || pl_now_ns() < d->give_back_ns)
        return PL_OK;
    d->give_back_ns = pl_now_ns() + (uint64_t)broker_pause_ms(d->tries++) * 1000000u;
    for (; d->other_marks > 0; d->held--)
        PL_TRY(broker_give_back(d->broker, d->marks[--d->other_marks], err));
    return PL_OK;
}

static enum pl_errc put_mark(const struct drain *d, char own[24], struct pl_error *err)
{
    uint64_t chance, number;
    if (!pl_random(&chance, sizeof chance))
        return pl_fail(err, PL_E_BUG, "no random numbers");
    snprintf(own, 24, "%016llx", (unsigned long long)chance);
    struct broker_message m = {.id = pl_slice_cstr(own),
                               .type = pl_slice_cstr("text/plain"),
                               .body = pl_slice_cstr(""),
                               .expires_ms = PL_MIN(d->wait_ms, EXPIRES_MOST_MS - MARK_MS) + MARK_MS};
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(KIND_FENCE));
    return broker_publish(d->broker, BROKER_QUEUE, d->what, &m, &number, err);
}

// With the connection go acknowledgements that have not arrived (work_hold.c), and messages that were taken would be
// there again.
static enum pl_errc end_reading(struct drain *d, uint32_t consumer, struct pl_error *err)
{
    uint64_t began = pl_now_ns();
    if (!d->has_taken)
        return PL_OK;
    PL_TRY(broker_cancel(d->broker, consumer, err));
    while (pl_now_ns() - began < LAST_ANSWERS_NS) {
        struct broker_told told;
        enum broker_event event = broker_next(d->broker, 200, &told, err);
        free(told.message.memory);
        if (event == BROKER_GONE)
            return err->code;
        if (event == BROKER_CANCELLED)
            return broker_check(d->broker, err);
    }
    fprintf(stderr, "platen batch: %s is silent: what was taken out of a queue may be there again\n",
            broker_place(d->broker));
    return PL_OK;
}

enum pl_errc drain_queue(struct drain *d, drain_visit *visit, void *user, enum drain_end *end, struct pl_error *err)
{
    char own[24];
    uint32_t consumer, most = d->most > 0 ? d->most : DRAIN_MOST;
    bool whole = false;
    d->held = d->other_marks = d->tries = 0;
    d->has_taken = false;
    d->give_back_ns = 0;
    PL_TRY(put_mark(d, own, err));
    PL_TRY(broker_consume(d->broker, d->what, NULL, most, &consumer, err));
    uint64_t heard_ns = pl_now_ns();
    // The broker delivers no more than it was asked for, so that nothing would ever come behind the last.
    while (!whole && d->held < most && !(d->wait_ms > 0 && (pl_now_ns() - heard_ns) / 1000000u > d->wait_ms)) {
        struct broker_told told;
        enum broker_event event = broker_next(d->broker, 200, &told, err);
        enum pl_errc code = event == BROKER_GONE ? err->code : PL_OK;
        if (event == BROKER_DELIVERY) {
            bool is_mark = false;
            d->held++;
            code = take_mark(d, &told.message, own, &is_mark, &whole, err);
            if (!is_mark)
                heard_ns = pl_now_ns();
            if (code == PL_OK && !is_mark)
                code = visit(user, d, &told.message, err);
        } else if (event == BROKER_NOTHING) {
            code = give_back_marks(d, err);
        }
        free(told.message.memory);
        PL_TRY(code);
    }
    *end = whole ? DRAIN_WHOLE : d->held == most ? DRAIN_FULL : DRAIN_SILENT;
    return end_reading(d, consumer, err);
}
