// Reading a queue to a mark at its end.
#include "drain.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "base/fmt.h"
#include "os/clock.h"
#include "work_job.h"

#define HELD_MOST 65535u           // as many as AMQP allows
#define LEFT_BEHIND_S UINT64_C(60) // a mark that is older is of a reader that was killed

// A mark of this reader has come, or one that nobody waits for is removed. *is_mark: it was one.
static enum pl_errc take_mark(struct broker *broker, const struct broker_message *m, const char *own, bool *is_mark,
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
    return *whole || is_left ? broker_acknowledge(broker, m->tag, false, err) : PL_OK;
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

enum pl_errc drain(struct broker *broker, const char *what, uint64_t wait_ms, drain_visit *visit, void *user,
                   bool *whole, struct pl_error *err)
{
    char own[24];
    uint32_t consumer;
    *whole = false;
    PL_TRY(put_mark(broker, what, own, err));
    PL_TRY(broker_consume(broker, what, NULL, HELD_MOST, &consumer, err));
    for (uint64_t heard_ns = pl_now_ns(); !*whole && !(wait_ms > 0 && pl_now_ns() - heard_ns > wait_ms * 1000000u);) {
        struct broker_told told;
        enum broker_event event = broker_next(broker, 200, &told, err);
        enum pl_errc code = event == BROKER_GONE ? err->code : PL_OK;
        if (event == BROKER_DELIVERY) {
            bool is_mark = false;
            heard_ns = pl_now_ns();
            code = take_mark(broker, &told.message, own, &is_mark, whole, err);
            if (code == PL_OK && !is_mark)
                code = visit(user, broker, &told.message, err);
        }
        free(told.message.memory);
        PL_TRY(code);
    }
    return PL_OK;
}
