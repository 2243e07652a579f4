// Queues and exchanges of RabbitMQ: their names, declaring and consuming.
#include <stdio.h>

#include "base/ckd.h"
#include "rabbitmq.h"

#define DELIVERIES_MOST 60          // the broker's own limit, behind that of the workers
#define BATCH_EXPIRES_MS 2592000000 // 30 days without a collector or a submitter
// What nobody fetches must not fill the disk: the oldest go.
#define KEPT_BYTES ((int64_t)1 << 30)
#define UNROUTED_MS 604800000 // 7 days
#define RECORDS_MOST 50000    // of batches: fewer than a reader may hold
#define RETRY_MS 2000         // until a job that is tried again comes behind those that wait
#define NOT_FOUND 404
#define CANCELLED RABBITMQ_CANCELLED
#define SINGLE_CONSUMER                                                                                                \
    {                                                                                                                  \
        .key = amqp_cstring_bytes("x-single-active-consumer"), .value = {                                              \
            .kind = AMQP_FIELD_KIND_BOOLEAN,                                                                           \
            .value.boolean = 1                                                                                         \
        }                                                                                                              \
    }

amqp_bytes_t rabbitmq_name_of(const struct broker *broker, struct rabbitmq_name *room, const char *what,
                              const char *batch)
{
    int len = snprintf(room->text, sizeof room->text, "%.100s.%s%s%s", broker->prefix, what, batch ? "." : "",
                       batch ? batch : "");
    return (amqp_bytes_t){.len = (size_t)len, .bytes = room->text};
}

static amqp_table_entry_t text_entry(const char *key, amqp_bytes_t value)
{
    return (amqp_table_entry_t){.key = amqp_cstring_bytes(key),
                                .value = {.kind = AMQP_FIELD_KIND_UTF8, .value.bytes = value}};
}

static amqp_table_entry_t number_entry(const char *key, int64_t value)
{
    return (amqp_table_entry_t){.key = amqp_cstring_bytes(key),
                                .value = {.kind = AMQP_FIELD_KIND_I64, .value.i64 = value}};
}

static enum pl_errc declare_queue(struct broker *broker, amqp_bytes_t name, const amqp_table_entry_t *more,
                                  int more_count, struct pl_error *err)
{
    amqp_table_entry_t entries[8] = {text_entry("x-queue-type", amqp_cstring_bytes("quorum"))};
    for (int i = 0; i < more_count; i++)
        entries[i + 1] = more[i];
    amqp_table_t table = {.num_entries = more_count + 1, .entries = entries};
    amqp_queue_declare(broker->connection, RABBITMQ_CHANNEL, name, 0, 1, 0, 0, table);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot declare a queue", err);
}

static enum pl_errc declare_exchange(struct broker *broker, amqp_bytes_t name, const char *kind, amqp_table_t table,
                                     struct pl_error *err)
{
    amqp_exchange_declare(broker->connection, RABBITMQ_CHANNEL, name, amqp_cstring_bytes(kind), 0, 1, 0, 0, table);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot declare an exchange", err);
}

static enum pl_errc bind_queue(struct broker *broker, amqp_bytes_t queue, amqp_bytes_t exchange, const char *key,
                               struct pl_error *err)
{
    amqp_queue_bind(broker->connection, RABBITMQ_CHANNEL, queue, exchange, amqp_cstring_bytes(key), amqp_empty_table);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot bind a queue", err);
}

// A queue, and an exchange of the same name that sends all to it.
static enum pl_errc declare_pair(struct broker *broker, amqp_bytes_t name, const amqp_table_entry_t *more,
                                 int more_count, struct pl_error *err)
{
    PL_TRY(declare_exchange(broker, name, "fanout", amqp_empty_table, err));
    PL_TRY(declare_queue(broker, name, more, more_count, err));
    return bind_queue(broker, name, name, "", err);
}

// A queue of jobs, and one from which the broker moves those that are tried again to its end.
static enum pl_errc declare_jobs(struct broker *broker, const char *turn, amqp_bytes_t dead_name, struct pl_error *err)
{
    struct rabbitmq_name jobs, retry;
    amqp_bytes_t jobs_name = rabbitmq_name_of(broker, &jobs, BROKER_OF_JOBS, turn);
    const amqp_table_entry_t later[] = {
        text_entry("x-dead-letter-exchange", amqp_empty_bytes), text_entry("x-dead-letter-routing-key", jobs_name),
        text_entry("x-dead-letter-strategy", amqp_cstring_bytes("at-least-once")),
        text_entry("x-overflow", amqp_cstring_bytes("reject-publish")), number_entry("x-message-ttl", RETRY_MS)};
    PL_TRY(declare_pair(broker, rabbitmq_name_of(broker, &retry, "retry", turn), later, (int)PL_COUNTOF(later), err));
    const amqp_table_entry_t more[] = {text_entry("x-dead-letter-exchange", dead_name),
                                       text_entry("x-dead-letter-strategy", amqp_cstring_bytes("at-least-once")),
                                       text_entry("x-overflow", amqp_cstring_bytes("reject-publish")),
                                       number_entry("x-delivery-limit", DELIVERIES_MOST)};
    return declare_queue(broker, jobs_name, more, (int)PL_COUNTOF(more), err);
}

enum pl_errc broker_declare(struct broker *broker, struct pl_error *err)
{
    struct rabbitmq_name results, dead, unrouted, registry, cancelled;
    amqp_bytes_t dead_name = rabbitmq_name_of(broker, &dead, "dead", NULL);
    amqp_bytes_t unrouted_name = rabbitmq_name_of(broker, &unrouted, "unrouted", NULL);
    // What no batch's queue takes is kept.
    const amqp_table_entry_t limits[] = {number_entry("x-max-length-bytes", KEPT_BYTES),
                                         number_entry("x-message-ttl", UNROUTED_MS)};
    PL_TRY(declare_pair(broker, unrouted_name, limits, 2, err));
    amqp_table_entry_t alternate = text_entry("alternate-exchange", unrouted_name);
    PL_TRY(declare_exchange(broker, rabbitmq_name_of(broker, &results, "results", NULL), "direct",
                            (amqp_table_t){.num_entries = 1, .entries = &alternate}, err));
    PL_TRY(declare_pair(broker, dead_name, limits, 1, err)); // without the time
    for (uint32_t turn = 0; turn < BROKER_TURNS; turn++)
        PL_TRY(declare_jobs(broker, broker_turn(turn), dead_name, err));
    PL_TRY(declare_exchange(broker, rabbitmq_name_of(broker, &cancelled, CANCELLED, NULL), "direct", amqp_empty_table,
                            err));
    // One reader at a time, which puts back what it does not replace. The limit of deliveries is beyond any number of
    // readers: RabbitMQ 4 drops what was put back 20 times if none is set.
    const amqp_table_entry_t kept[] = {number_entry("x-max-length", RECORDS_MOST), SINGLE_CONSUMER,
                                       number_entry("x-message-ttl", BATCH_EXPIRES_MS),
                                       number_entry("x-delivery-limit", INT32_MAX)};
    return declare_queue(broker, rabbitmq_name_of(broker, &registry, BROKER_OF_REGISTRY, NULL), kept,
                         (int)PL_COUNTOF(kept), err);
}

static enum pl_errc check_exchange(struct broker *broker, const char *what, const char *turn, struct pl_error *err)
{
    struct rabbitmq_name name;
    amqp_exchange_declare(broker->connection, RABBITMQ_CHANNEL, rabbitmq_name_of(broker, &name, what, turn),
                          amqp_empty_bytes, 1, 0, 0, 0, amqp_empty_table); // passive
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection),
                                "the queues are not declared, which `platen work --declare only` does", err);
}

enum pl_errc broker_check(struct broker *broker, struct pl_error *err)
{
    PL_TRY(check_exchange(broker, "results", NULL, err));
    for (uint32_t turn = 0; turn < BROKER_TURNS; turn++)
        PL_TRY(check_exchange(broker, "retry", broker_turn(turn), err));
    return check_exchange(broker, "dead", NULL, err);
}

enum pl_errc broker_find_queue(struct broker *broker, const char *what, const char *name, struct broker_queue *out,
                               struct pl_error *err)
{
    struct rabbitmq_name queue;
    bool is_absent;
    PL_TRY(rabbitmq_open_probe(broker, err));
    const amqp_queue_declare_ok_t *ok =
        amqp_queue_declare(broker->connection, RABBITMQ_PROBE, rabbitmq_name_of(broker, &queue, what, name), 1, 1, 0, 0,
                           amqp_empty_table); // passive
    *out = ok ? (struct broker_queue){true, ok->message_count, ok->consumer_count} : (struct broker_queue){0};
    return rabbitmq_end_probe(broker, amqp_get_rpc_reply(broker->connection), NOT_FOUND, &is_absent,
                              "cannot ask for a queue", err);
}

enum pl_errc broker_bind_batch(struct broker *broker, const char *batch, struct pl_error *err)
{
    struct rabbitmq_name queue, results;
    return bind_queue(broker, rabbitmq_name_of(broker, &queue, "results", batch),
                      rabbitmq_name_of(broker, &results, "results", NULL), batch, err);
}

enum pl_errc broker_declare_batch(struct broker *broker, const char *batch, struct pl_error *err)
{
    struct rabbitmq_name queue;
    // Two collectors would divide the results, and none would ever have all.
    const amqp_table_entry_t more[] = {number_entry("x-expires", BATCH_EXPIRES_MS), SINGLE_CONSUMER};
    PL_TRY(declare_queue(broker, rabbitmq_name_of(broker, &queue, "results", batch), more, (int)PL_COUNTOF(more), err));
    return broker_bind_batch(broker, batch, err);
}

enum pl_errc broker_delete_batch(struct broker *broker, const char *batch, struct pl_error *err)
{
    struct rabbitmq_name queue;
    amqp_queue_delete(broker->connection, RABBITMQ_CHANNEL, rabbitmq_name_of(broker, &queue, "results", batch), 0, 0);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot delete a queue", err);
}

enum pl_errc broker_cancel_submitter(struct broker *broker, const char *submitter, struct pl_error *err)
{
    struct rabbitmq_name queue, exchange;
    // It is there, and that is all: of what is sent to it one is kept.
    const amqp_table_entry_t more[] = {number_entry("x-expires", BATCH_EXPIRES_MS), number_entry("x-max-length", 1)};
    amqp_bytes_t name = rabbitmq_name_of(broker, &queue, CANCELLED, submitter);
    PL_TRY(declare_queue(broker, name, more, (int)PL_COUNTOF(more), err));
    return bind_queue(broker, name, rabbitmq_name_of(broker, &exchange, CANCELLED, NULL), submitter, err);
}

static amqp_bytes_t consumer_tag(char *room, size_t size, uint32_t consumer)
{
    return (amqp_bytes_t){.len = (size_t)snprintf(room, size, RABBITMQ_CONSUMER "%u", consumer), .bytes = room};
}

enum pl_errc broker_consume(struct broker *broker, const char *what, const char *name, uint32_t prefetch,
                            uint32_t *consumer, struct pl_error *err)
{
    struct rabbitmq_name queue;
    char tag[24];
    amqp_basic_qos(broker->connection, RABBITMQ_CHANNEL, 0, (uint16_t)prefetch, 0);
    PL_TRY(rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot set the prefetch", err));
    *consumer = ++broker->consumers;
    amqp_basic_consume(broker->connection, RABBITMQ_CHANNEL, rabbitmq_name_of(broker, &queue, what, name),
                       consumer_tag(tag, sizeof tag, *consumer), 0, 0, 0, amqp_empty_table);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot consume", err);
}

enum pl_errc broker_cancel(struct broker *broker, uint32_t consumer, struct pl_error *err)
{
    char tag[24];
    // The answer comes as an event: deliveries may come before it.
    amqp_basic_cancel_t cancel = {.consumer_tag = consumer_tag(tag, sizeof tag, consumer)};
    int status = amqp_send_method(broker->connection, RABBITMQ_CHANNEL, AMQP_BASIC_CANCEL_METHOD, &cancel);
    return rabbitmq_check_status(broker, status, "cannot cancel", err);
}
