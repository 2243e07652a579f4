// Messages of RabbitMQ: those that come, with what the broker tells between them, and those that go.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "rabbitmq.h"

// ---- messages that come

static bool value_text(const amqp_field_value_t *v, char *number, size_t size, struct pl_slice *out)
{
    long long value;
    switch (v->kind) {
    case AMQP_FIELD_KIND_UTF8:
    case AMQP_FIELD_KIND_BYTES:
        *out = pl_slice_make(v->value.bytes.bytes, v->value.bytes.len);
        return true;
    case AMQP_FIELD_KIND_BOOLEAN:
        *out = pl_slice_cstr(v->value.boolean ? "true" : "false");
        return true;
    case AMQP_FIELD_KIND_F64: {
        size_t len = pl_format_double(v->value.f64, number);
        *out = pl_slice_make(number, len);
        return true;
    }
    case AMQP_FIELD_KIND_I8:
        value = v->value.i8;
        break;
    case AMQP_FIELD_KIND_U8:
        value = v->value.u8;
        break;
    case AMQP_FIELD_KIND_I16:
        value = v->value.i16;
        break;
    case AMQP_FIELD_KIND_U16:
        value = v->value.u16;
        break;
    case AMQP_FIELD_KIND_I32:
        value = v->value.i32;
        break;
    case AMQP_FIELD_KIND_U32:
        value = v->value.u32;
        break;
    case AMQP_FIELD_KIND_I64:
    case AMQP_FIELD_KIND_TIMESTAMP:
        value = v->value.i64;
        break;
    default:
        return false;
    }
    *out = pl_slice_make(number, (size_t)snprintf(number, size, "%lld", value));
    return true;
}

// Copies a message into memory of its own.
static bool copy_message(const amqp_message_t *from, struct broker_message *out)
{
    static const struct pl_slice none = {(const uint8_t *)"", 0};
    const amqp_basic_properties_t *p = &from->properties;
    char numbers[BROKER_HEADERS_MAX][PL_FMT_DOUBLE_MAX];
    out->id = p->_flags & AMQP_BASIC_MESSAGE_ID_FLAG ? pl_slice_make(p->message_id.bytes, p->message_id.len) : none;
    out->type =
        p->_flags & AMQP_BASIC_CONTENT_TYPE_FLAG ? pl_slice_make(p->content_type.bytes, p->content_type.len) : none;
    out->body = pl_slice_make(from->body.bytes, from->body.len);
    int count = p->_flags & AMQP_BASIC_HEADERS_FLAG ? p->headers.num_entries : 0;
    for (int i = 0; i < count && out->header_count < BROKER_HEADERS_MAX; i++) {
        const amqp_table_entry_t *e = &p->headers.entries[i];
        struct pl_slice value;
        if (!value_text(&e->value, numbers[out->header_count], sizeof numbers[0], &value))
            continue;
        out->headers[out->header_count++] = (struct broker_header){pl_slice_make(e->key.bytes, e->key.len), value};
    }
    return broker_copy(out);
}

static enum broker_event gone(struct pl_error *err, const struct broker *broker, const char *why, size_t len)
{
    (void)!rabbitmq_fail(err, PL_E_IO, broker, "the connection ended", why, (int)PL_MIN(len, (size_t)150));
    return BROKER_GONE;
}

static enum broker_event read_message(struct broker *broker, struct broker_message *out, struct pl_error *err)
{
    amqp_message_t message;
    if (rabbitmq_check_reply(broker, amqp_read_message(broker->connection, RABBITMQ_CHANNEL, &message, 0),
                             "cannot read", err) != PL_OK)
        return BROKER_GONE;
    bool ok = !out || copy_message(&message, out);
    amqp_destroy_message(&message);
    return ok ? BROKER_DELIVERY : gone(err, broker, "not enough memory", 17);
}

static uint32_t consumer_of(amqp_bytes_t tag)
{
    uint64_t number = 0;
    size_t skipped = strlen(RABBITMQ_CONSUMER);
    if (tag.len > skipped)
        (void)pl_parse_u64(pl_slice_make((const char *)tag.bytes + skipped, tag.len - skipped), &number);
    return (uint32_t)number;
}

static enum broker_event take_method(struct broker *broker, const amqp_frame_t *frame, struct broker_told *told,
                                     struct pl_error *err)
{
    const void *decoded = frame->payload.method.decoded;
    switch (frame->payload.method.id) {
    case AMQP_BASIC_DELIVER_METHOD: {
        const amqp_basic_deliver_t *m = decoded;
        told->message.tag = m->delivery_tag;
        told->message.redelivered = m->redelivered;
        told->message.is_direct = m->exchange.len == 0;
        told->message.consumer = consumer_of(m->consumer_tag);
        return read_message(broker, &told->message, err);
    }
    case AMQP_BASIC_ACK_METHOD: {
        const amqp_basic_ack_t *m = decoded;
        told->number = m->delivery_tag;
        told->all_before = m->multiple;
        return BROKER_CONFIRMED;
    }
    case AMQP_BASIC_NACK_METHOD: {
        const amqp_basic_nack_t *m = decoded;
        told->number = m->delivery_tag;
        told->all_before = m->multiple;
        return BROKER_REJECTED;
    }
    case AMQP_BASIC_RETURN_METHOD:
        return read_message(broker, &told->message, err) == BROKER_DELIVERY ? BROKER_RETURNED : BROKER_GONE;
    case AMQP_CONNECTION_BLOCKED_METHOD: {
        const amqp_connection_blocked_t *m = decoded;
        snprintf(told->text, sizeof told->text, "%.*s", (int)PL_MIN(m->reason.len, (size_t)100),
                 (const char *)m->reason.bytes);
        return BROKER_BLOCKED;
    }
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        return BROKER_UNBLOCKED;
    case AMQP_BASIC_CANCEL_OK_METHOD:
        return BROKER_CANCELLED;
    case AMQP_CHANNEL_CLOSE_METHOD: {
        const amqp_channel_close_t *m = decoded;
        (void)gone(err, broker, m->reply_text.bytes, m->reply_text.len);
        if (m->reply_code == 403) // ACCESS_REFUSED: of a message that was published
            err->code = PL_E_INVALID;
        if (m->reply_code == 406 && broker_message_limit(err) > 0) // PRECONDITION_FAILED
            err->code = PL_E_LIMIT;
        return BROKER_GONE;
    }
    case AMQP_CONNECTION_CLOSE_METHOD: {
        const amqp_connection_close_t *m = decoded;
        return gone(err, broker, m->reply_text.bytes, m->reply_text.len);
    }
    case AMQP_BASIC_CANCEL_METHOD:
        return gone(err, broker, "the queue was deleted or has moved", 34);
    default:
        return BROKER_NOTHING;
    }
}

// Whoever holds the lock alone goes on: without a sign of life the broker would end the connection, and the lock with
// it.
static bool serve_beside(struct broker *broker, struct pl_error *err)
{
    struct broker_told told;
    enum broker_event event = BROKER_NOTHING;
    while (broker->beside && (event = broker_next(broker->beside, 0, &told, err)) != BROKER_NOTHING &&
           event != BROKER_GONE)
        free(told.message.memory);
    return event != BROKER_GONE;
}

enum broker_event broker_next(struct broker *broker, uint32_t wait_ms, struct broker_told *told, struct pl_error *err)
{
    amqp_frame_t frame;
    const struct timeval wait = {.tv_sec = wait_ms / 1000, .tv_usec = (int)(wait_ms % 1000) * 1000};
    *told = (struct broker_told){0};
    if (!serve_beside(broker, err)) {
        (void)pl_fail(err, PL_E_DEADLINE, "the connection with the lock of the batch was lost: run it again");
        return BROKER_GONE;
    }
    amqp_maybe_release_buffers(broker->connection);
    int status = amqp_simple_wait_frame_noblock(broker->connection, &frame, &wait);
    if (status == AMQP_STATUS_TIMEOUT)
        return BROKER_NOTHING;
    if (status != AMQP_STATUS_OK) {
        const char *why = amqp_error_string2(status);
        return gone(err, broker, why, strlen(why));
    }
    return frame.frame_type == AMQP_FRAME_METHOD ? take_method(broker, &frame, told, err) : BROKER_NOTHING;
}

// ---- messages that go

enum pl_errc broker_publish(struct broker *broker, enum broker_target target, const char *batch,
                            const struct broker_message *message, uint64_t *number, struct pl_error *err)
{
    amqp_table_entry_t entries[BROKER_HEADERS_MAX];
    for (uint32_t i = 0; i < message->header_count; i++) {
        const struct broker_header *h = &message->headers[i];
        entries[i] = (amqp_table_entry_t){
            .key = {.len = h->name.len, .bytes = (void *)(uintptr_t)h->name.ptr},
            .value = {.kind = AMQP_FIELD_KIND_UTF8,
                      .value.bytes = {.len = h->value.len, .bytes = (void *)(uintptr_t)h->value.ptr}}};
    }
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_MESSAGE_ID_FLAG | AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_HEADERS_FLAG |
                  AMQP_BASIC_DELIVERY_MODE_FLAG,
        .message_id = {.len = message->id.len, .bytes = (void *)(uintptr_t)message->id.ptr},
        .content_type = {.len = message->type.len, .bytes = (void *)(uintptr_t)message->type.ptr},
        .headers = {.num_entries = (int)message->header_count, .entries = entries},
        .delivery_mode = AMQP_DELIVERY_PERSISTENT};
    char expires[24];
    if (message->expires_ms > 0) {
        snprintf(expires, sizeof expires, "%llu", (unsigned long long)message->expires_ms);
        properties._flags |= AMQP_BASIC_EXPIRATION_FLAG;
        properties.expiration = amqp_cstring_bytes(expires);
    }
    struct rabbitmq_name exchange, key;
    amqp_bytes_t to = target == BROKER_RESULTS     ? rabbitmq_name_of(broker, &exchange, "results", NULL)
                      : target == BROKER_DEAD      ? rabbitmq_name_of(broker, &exchange, "dead", NULL)
                      : target == BROKER_RETRY     ? rabbitmq_name_of(broker, &exchange, "retry", batch)
                      : target == BROKER_QUESTIONS ? rabbitmq_name_of(broker, &exchange, RABBITMQ_CANCELLED, NULL)
                                                   : amqp_empty_bytes; // by the name of a queue
    amqp_bytes_t routing = target == BROKER_JOBS    ? rabbitmq_name_of(broker, &key, "jobs", batch)
                           : target == BROKER_RETRY ? amqp_empty_bytes
                           : target == BROKER_QUEUE ? rabbitmq_name_of(broker, &key, batch, NULL)
                           : target == BROKER_BATCH ? rabbitmq_name_of(broker, &key, "results", batch)
                                                    : amqp_cstring_bytes(batch);
    amqp_bytes_t body = {.len = message->body.len, .bytes = (void *)(uintptr_t)message->body.ptr};
    PL_TRY(rabbitmq_check_status(
        broker, amqp_basic_publish(broker->connection, RABBITMQ_CHANNEL, to, routing, 1, 0, &properties, body),
        "cannot publish", err));
    *number = ++broker->published;
    return PL_OK;
}

enum pl_errc broker_acknowledge(struct broker *broker, uint64_t tag, bool all_before, struct pl_error *err)
{
    return rabbitmq_check_status(broker, amqp_basic_ack(broker->connection, RABBITMQ_CHANNEL, tag, all_before),
                                 "cannot acknowledge", err);
}

enum pl_errc broker_give_back(struct broker *broker, uint64_t tag, struct pl_error *err)
{
    return rabbitmq_check_status(broker, amqp_basic_nack(broker->connection, RABBITMQ_CHANNEL, tag, 0, 1),
                                 "cannot give back", err);
}
