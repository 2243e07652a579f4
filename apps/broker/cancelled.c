// Questions by messages that nobody reads.
#include "cancelled.h"

#include <stdio.h>

#include "os/clock.h"

#define ASK_NS 1000000000u
#define QUESTION "application/x-platen-question"

enum pl_errc cancelled_ask(struct cancelled *c, struct broker *broker, struct pl_error *err)
{
    char name[20];
    uint64_t now = pl_now_ns();
    if (c->is_so || c->number > 0 || (c->asked_ns > 0 && now - c->asked_ns < ASK_NS))
        return PL_OK;
    c->asked_ns = now;
    c->returned = false;
    snprintf(name, sizeof name, "%016llx", (unsigned long long)c->submitter);
    const struct broker_message m = {
        .id = pl_slice_cstr(name), .type = pl_slice_cstr(QUESTION), .body = pl_slice_cstr("")};
    return broker_publish(broker, BROKER_QUESTIONS, name, &m, &c->number, err);
}

bool cancelled_returned(struct cancelled *c, const struct broker_message *message)
{
    uint64_t submitter;
    if (!pl_slice_eq_cstr(message->type, QUESTION))
        return false;
    if (account_token_read(message->id, &submitter) && submitter == c->submitter)
        c->returned = true;
    return true;
}

void cancelled_confirmed(struct cancelled *c, const struct broker_told *told, bool accepted)
{
    if (!broker_tells_of(told, c->number))
        return;
    c->number = 0;
    c->is_so = accepted && !c->returned;
}
