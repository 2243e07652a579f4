// Marks of batches at RabbitMQ, and who may make one: what a queue of a name alone does not tell.
#include "rabbitmq.h"

#define RESOURCE_LOCKED 405
#define PRECONDITION_FAILED 406

enum pl_errc rabbitmq_open_probe(const struct broker *broker, struct pl_error *err)
{
    amqp_channel_open(broker->connection, RABBITMQ_PROBE);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot open a channel", err);
}

enum pl_errc rabbitmq_end_probe(const struct broker *broker, amqp_rpc_reply_t reply, int code, bool *no,
                                const char *what, struct pl_error *err)
{
    *no = reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD &&
          ((const amqp_channel_close_t *)reply.reply.decoded)->reply_code == code;
    if (*no) {
        amqp_channel_close_ok_t closed = {0};
        int status = amqp_send_method(broker->connection, RABBITMQ_PROBE, AMQP_CHANNEL_CLOSE_OK_METHOD, &closed);
        return rabbitmq_check_status(broker, status, "cannot close a channel", err);
    }
    PL_TRY(rabbitmq_check_reply(broker, reply, what, err));
    return rabbitmq_check_reply(broker, amqp_channel_close(broker->connection, RABBITMQ_PROBE, AMQP_REPLY_SUCCESS),
                                "cannot close a channel", err);
}

// An exclusive queue is of one connection, and goes with it.
enum pl_errc broker_lock_batch(struct broker *broker, const char *batch, bool *locked, struct pl_error *err)
{
    struct rabbitmq_name room;
    bool is_taken;
    PL_TRY(rabbitmq_open_probe(broker, err));
    amqp_queue_declare(broker->connection, RABBITMQ_PROBE, rabbitmq_name_of(broker, &room, "entering", batch), 0, 0, 1,
                       0, amqp_empty_table);
    PL_TRY(rabbitmq_end_probe(broker, amqp_get_rpc_reply(broker->connection), RESOURCE_LOCKED, &is_taken,
                              "cannot declare a queue", err));
    *locked = !is_taken;
    return PL_OK;
}

enum pl_errc broker_unlock_batch(struct broker *broker, const char *batch, struct pl_error *err)
{
    struct rabbitmq_name room;
    amqp_queue_delete(broker->connection, RABBITMQ_CHANNEL, rabbitmq_name_of(broker, &room, "entering", batch), 0, 0);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot delete a queue", err);
}

// A mark is an exchange that is bound to the batch's queue: when the queue goes, RabbitMQ removes the binding, and the
// exchange with its last one.
enum pl_errc broker_mark_batch(struct broker *broker, const char *batch, const char *what, const char *name,
                               struct pl_error *err)
{
    struct rabbitmq_name exchange, queue;
    amqp_bytes_t mark = rabbitmq_name_of(broker, &exchange, what, name);
    amqp_exchange_declare(broker->connection, RABBITMQ_CHANNEL, mark, amqp_cstring_bytes("fanout"), 0, 1, 1, 0,
                          amqp_empty_table); // durable, and deleted by itself
    PL_TRY(rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot declare an exchange", err));
    amqp_queue_bind(broker->connection, RABBITMQ_CHANNEL, rabbitmq_name_of(broker, &queue, "results", batch), mark,
                    amqp_empty_bytes, amqp_empty_table);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot bind a queue", err);
}

// Deletes it if it is bound to nothing: so one that a submitter could not bind before it ended is no mark.
enum pl_errc broker_find_mark(struct broker *broker, const char *what, const char *name, bool *is_there,
                              struct pl_error *err)
{
    struct rabbitmq_name exchange;
    PL_TRY(rabbitmq_open_probe(broker, err));
    amqp_exchange_delete(broker->connection, RABBITMQ_PROBE, rabbitmq_name_of(broker, &exchange, what, name), 1);
    return rabbitmq_end_probe(broker, amqp_get_rpc_reply(broker->connection), PRECONDITION_FAILED, is_there,
                              "cannot ask for an exchange", err);
}
