// A connection by librabbitmq: what the files that speak with it share.
#ifndef BROKER_RABBITMQ_H
#define BROKER_RABBITMQ_H

#include <amqp.h>
#include <amqp_framing.h>

#include "broker.h"

#define RABBITMQ_CHANNEL 1
#define RABBITMQ_CONSUMER "platen-"    // the tag of a consumer, before its number
#define RABBITMQ_CANCELLED "cancelled" // an exchange, and queues of submitters

struct broker {
    amqp_connection_state_t connection;
    const char *prefix;
    struct broker *beside;
    uint64_t published;
    bool encrypted;
    char place[300];
    uint32_t consumers; // that were made
};

// "PLACE: WHAT: WHY", as an error.
enum pl_errc rabbitmq_fail(struct pl_error *err, enum pl_errc code, const struct broker *broker, const char *what,
                           const char *why, int why_len);
// What a call of the library says.
enum pl_errc rabbitmq_check_reply(const struct broker *broker, amqp_rpc_reply_t reply, const char *what,
                                  struct pl_error *err) PL_MUST_USE;
enum pl_errc rabbitmq_check_status(const struct broker *broker, int status, const char *what,
                                   struct pl_error *err) PL_MUST_USE;

// A channel for a question that the broker may answer by closing it: opening it, and what the answer was. *no: the
// broker has closed it with this code.
#define RABBITMQ_PROBE 2
enum pl_errc rabbitmq_open_probe(const struct broker *broker, struct pl_error *err) PL_MUST_USE;
enum pl_errc rabbitmq_end_probe(const struct broker *broker, amqp_rpc_reply_t reply, int code, bool *no,
                                const char *what, struct pl_error *err) PL_MUST_USE;

struct rabbitmq_name {
    char text[256];
};
// "PREFIX.WHAT" or "PREFIX.WHAT.BATCH", in `room`.
amqp_bytes_t rabbitmq_name_of(const struct broker *broker, struct rabbitmq_name *room, const char *what,
                              const char *batch);

#endif
