// Asking the broker whether a submitter was cancelled (`platen batch cancel`): a message by the submitter's name is
// returned as long as it was not. Nobody waits for the answer.
#ifndef BROKER_CANCELLED_H
#define BROKER_CANCELLED_H

#include "account.h"
#include "broker.h"

struct cancelled {
    uint64_t submitter;
    uint64_t asked_ns;
    uint64_t number; // of the question that is not answered; 0: none
    bool returned;   // that one
    bool is_so;
};

// Asks if it is time to.
enum pl_errc cancelled_ask(struct cancelled *c, struct broker *broker, struct pl_error *err) PL_MUST_USE;
// BROKER_RETURNED. True: the message was a question, of this submitter or of another one.
bool cancelled_returned(struct cancelled *c, const struct broker_message *message);
void cancelled_confirmed(struct cancelled *c, const struct broker_told *told, bool accepted);

#endif
