// Reading a queue to a mark at its end.
#include "drain.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "base/fmt.h"
#include "os/clock.h"
#include "work_job.h"

#define LEFT_BEHIND_S UINT64_C(60) // a mark that is older is of a reader that was killed

enum pl_errc drain_take(struct drain *d, uint64_t tag, struct pl_error *err)
{
    d->held--;
    return broker_acknowledge(d->broker, tag, false, err);
}

// A mark of this reader has come, or one that nobody waits for is removed. *is_mark: it was one.
static enum pl_errc take_mark(struct drain *d, const struct broker_message *m, const char *own, bool *is_mark,
                              bool *whole, struct pl_error *err)
{
    struct pl_slice text;
    uint64_t made = 0;
    *is_mark = broker_header_of(m, HEADER_KIND, &text) && pl_slice_eq_cstr(text, KIND_FENCE);
    if (!*is_mark)
        return PL_OK;
    *whole = pl_slice_eq_cstr(m->id, own);
    bool has_time = broker_header_of(m, HEADER_TIME, &text) && pl_parse_u64(text, &made);
    bool is_left = !has_time || (uint64_t)time(NULL) > made + LEFT_BEHIND_S;
    return *whole || is_left ? drain_take(d, m->tag, err) : PL_OK;
}

static enum pl_errc put_mark(struct broker *broker, const char *what, char own[24], struct pl_error *err)
{
    uint64_t chance, number;
    char now[24];
    if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        return pl_fail(err, PL_E_BUG, "no random numbers");
    snprintf(own, 24, "%016llx", (unsigned long long)chance);
    snprintf(now, sizeof now, "%lld", (long long)time(NULL));
    struct broker_message m = {
        .id = pl_slice_cstr(own), .type = pl_slice_cstr("text/plain"), .body = pl_slice_cstr("")};
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(KIND_FENCE));
    broker_add_header(&m, HEADER_TIME, pl_slice_cstr(now));
    return broker_publish(broker, BROKER_QUEUE, what, &m, &number, err);
}

enum pl_errc drain(struct drain *d, drain_visit *visit, void *user, enum drain_end *end, struct pl_error *err)
{
    char own[24];
    uint32_t consumer, most = d->most > 0 ? d->most : DRAIN_MOST;
    bool whole = false;
    d->held = 0;
    PL_TRY(put_mark(d->broker, d->what, own, err));
    PL_TRY(broker_consume(d->broker, d->what, NULL, most, &consumer, err));
    uint64_t heard_ns = pl_now_ns();
    // The broker delivers no more than it was asked for, so that nothing would ever come behind the last.
    while (!whole && d->held < most && !(d->wait_ms > 0 && pl_now_ns() - heard_ns > d->wait_ms * 1000000u)) {
        struct broker_told told;
        enum broker_event event = broker_next(d->broker, 200, &told, err);
        enum pl_errc code = event == BROKER_GONE ? err->code : PL_OK;
        if (event == BROKER_DELIVERY) {
            bool is_mark = false;
            heard_ns = pl_now_ns();
            d->held++;
            code = take_mark(d, &told.message, own, &is_mark, &whole, err);
            if (code == PL_OK && !is_mark)
                code = visit(user, d, &told.message, err);
        }
        free(told.message.memory);
        PL_TRY(code);
    }
    *end = whole ? DRAIN_WHOLE : d->held == most ? DRAIN_FULL : DRAIN_SILENT;
    return PL_OK;
}
