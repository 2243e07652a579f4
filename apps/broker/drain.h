// Reading a queue once, to where its end was: `platen batch` looks at messages and takes some of them.
#ifndef BROKER_DRAIN_H
#define BROKER_DRAIN_H

#include "broker.h"

// Looks at a message. What it does not acknowledge is in the queue again, in its place, when the connection is closed.
typedef enum pl_errc drain_visit(void *user, struct broker *broker, const struct broker_message *message,
                                 struct pl_error *err);
// *whole: the end was reached. False: the broker had nothing more to deliver for `wait_ms` (0: for ever), and the queue
// has more.
enum pl_errc drain(struct broker *broker, const char *what, uint64_t wait_ms, drain_visit *visit, void *user,
                   bool *whole, struct pl_error *err) PL_MUST_USE;

#endif
