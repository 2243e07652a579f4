// librabbitmq: connections, queues, messages.
#include "broker.h"

#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "os/clock.h"

#define CHANNEL 1
#define FRAME_MAX 131072
#define CONNECT_S 5
#define ADDRESS_MAX 1024u
#define PAUSE_MS 200u
#define PAUSE_MOST_MS 15000u
#define DELIVERIES_MOST 60 // the broker's own limit, behind that of the workers
#define EXPIRES_MS 604800000
#define SYSTEM_CA "/etc/ssl/certs/ca-certificates.crt"

struct broker {
    amqp_connection_state_t connection;
    const char *prefix;
    uint64_t published;
    bool encrypted;
    char place[300];
    amqp_bytes_t consumer;
};

// ---- words

static enum pl_errc fail_text(struct pl_error *err, enum pl_errc code, const struct broker *broker, const char *what,
                              const char *why, int why_len)
{
    return pl_fail(err, code, "%s: %s: %.*s", broker->place, what, why_len, why);
}

// What a call of the library says.
static enum pl_errc check_reply(const struct broker *broker, amqp_rpc_reply_t reply, const char *what,
                                struct pl_error *err)
{
    if (reply.reply_type == AMQP_RESPONSE_NORMAL)
        return PL_OK;
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD) {
        const amqp_connection_close_t *m = reply.reply.decoded;
        bool hopeless = m->reply_code == 403 || m->reply_code == 530; // ACCESS_REFUSED, NOT_ALLOWED
        return fail_text(err, hopeless ? PL_E_INVALID : PL_E_IO, broker, what, m->reply_text.bytes,
                         (int)PL_MIN(m->reply_text.len, (size_t)150));
    }
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD) {
        const amqp_channel_close_t *m = reply.reply.decoded;
        bool hopeless = m->reply_code == 403 || m->reply_code == 406; // ACCESS_REFUSED, PRECONDITION_FAILED
        return fail_text(err, hopeless ? PL_E_INVALID : PL_E_IO, broker, what, m->reply_text.bytes,
                         (int)PL_MIN(m->reply_text.len, (size_t)150));
    }
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) {
        const char *why = amqp_error_string2(reply.library_error);
        return fail_text(err, PL_E_IO, broker, what, why, (int)strlen(why));
    }
    return fail_text(err, PL_E_IO, broker, what, "no answer", 9);
}

static enum pl_errc check_status(const struct broker *broker, int status, const char *what, struct pl_error *err)
{
    if (status == AMQP_STATUS_OK)
        return PL_OK;
    const char *why = amqp_error_string2(status);
    return fail_text(err, PL_E_IO, broker, what, why, (int)strlen(why));
}

uint32_t broker_pause_ms(uint32_t tries)
{
    uint32_t pause = PAUSE_MS << PL_MIN(tries, 8u);
    pause = PL_MIN(pause, PAUSE_MOST_MS);
    return pause / 2 + (uint32_t)(pl_now_ns() / 1000 % (pause / 2 + 1));
}

bool broker_batch_usable(const char *batch)
{
    size_t len = strspn(batch, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");
    return len > 0 && len <= BROKER_BATCH_MAX && batch[len] == '\0';
}

const char *broker_place(const struct broker *broker)
{
    return broker->place;
}

// ---- opening

static enum pl_errc read_password(const char *path, char *out, size_t size, struct pl_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, out, size - 1) : -1;
    int failure = errno;
    if (fd >= 0)
        close(fd);
    if (len < 0)
        return pl_fail(err, PL_E_INVALID, "%s: %s", path, strerror(failure));
    out[len] = '\0';
    out[strcspn(out, "\r\n")] = '\0';
    return PL_OK;
}

// The address of number `turn`, copied.
static bool pick_address(const char *urls, uint32_t turn, char *out)
{
    uint32_t count = 1;
    for (const char *c = urls; *c; c++)
        count += *c == ',';
    const char *at = urls;
    for (uint32_t i = 0; i < turn % count; i++)
        at = strchr(at, ',') + 1;
    size_t len = strcspn(at, ",");
    if (len == 0 || len >= ADDRESS_MAX)
        return false;
    memcpy(out, at, len);
    out[len] = '\0';
    return true;
}

static enum pl_errc open_socket(struct broker *broker, const struct broker_options *o,
                                const struct amqp_connection_info *info, struct pl_error *err)
{
    amqp_socket_t *socket =
        info->ssl ? amqp_ssl_socket_new(broker->connection) : amqp_tcp_socket_new(broker->connection);
    if (!socket)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    broker->encrypted = info->ssl;
    if (info->ssl) {
        amqp_ssl_socket_set_verify_peer(socket, 1);
        amqp_ssl_socket_set_verify_hostname(socket, 1);
        const char *ca = o->ca && *o->ca ? o->ca : SYSTEM_CA;
        if (amqp_ssl_socket_set_cacert(socket, ca) != AMQP_STATUS_OK)
            return pl_fail(err, PL_E_INVALID, "%s: no certificates of authorities can be read from it", ca);
        if (o->cert && *o->cert &&
            amqp_ssl_socket_set_key(socket, o->cert, o->key && *o->key ? o->key : o->cert) != AMQP_STATUS_OK)
            return pl_fail(err, PL_E_INVALID, "%s: no certificate and key can be read from it", o->cert);
    }
    const struct timeval wait = {.tv_sec = CONNECT_S};
    int status = amqp_socket_open_noblock(socket, info->host, info->port, &wait);
    if (status == AMQP_STATUS_SSL_PEER_VERIFY_FAILED || status == AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED)
        return pl_fail(err, PL_E_INVALID, "%s: %s", broker->place,
                       status == AMQP_STATUS_SSL_PEER_VERIFY_FAILED
                           ? "its certificate has expired or is of an authority that is not trusted"
                           : "its certificate is for another name");
    return check_status(broker, status, "cannot connect", err);
}

static enum pl_errc log_in(struct broker *broker, const struct broker_options *o,
                           const struct amqp_connection_info *info, struct pl_error *err)
{
    char password[512];
    const char *secret = info->password;
    if (o->password_file && *o->password_file) {
        PL_TRY(read_password(o->password_file, password, sizeof password, err));
        secret = password;
    }
    // The broker tells when it takes no messages.
    amqp_table_entry_t blocked = {.key = amqp_cstring_bytes("connection.blocked"),
                                  .value = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1}};
    amqp_table_entry_t properties[] = {
        {.key = amqp_cstring_bytes("capabilities"),
         .value = {.kind = AMQP_FIELD_KIND_TABLE, .value.table = {.num_entries = 1, .entries = &blocked}}},
        {.key = amqp_cstring_bytes("connection_name"),
         .value = {.kind = AMQP_FIELD_KIND_UTF8, .value.bytes = amqp_cstring_bytes("platen")}}};
    const amqp_table_t table = {.num_entries = 2, .entries = properties};
    amqp_rpc_reply_t reply =
        amqp_login_with_properties(broker->connection, info->vhost, 0, FRAME_MAX, (int)o->heartbeat_s, &table,
                                   AMQP_SASL_METHOD_PLAIN, info->user, secret);
    explicit_bzero(password, sizeof password);
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION &&
        (reply.library_error == AMQP_STATUS_CONNECTION_CLOSED || reply.library_error == AMQP_STATUS_SOCKET_ERROR))
        // Brokers that do not say so close the connection.
        return pl_fail(err, PL_E_IO, "%s: the broker closed the connection while '%s' logged in", broker->place,
                       info->user);
    PL_TRY(check_reply(broker, reply, "cannot log in", err));
    amqp_channel_open(broker->connection, CHANNEL);
    PL_TRY(check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot open a channel", err));
    amqp_confirm_select(broker->connection, CHANNEL);
    return check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot ask for confirmations", err);
}

enum pl_errc broker_open(const struct broker_options *options, uint32_t *turn, struct broker **out,
                         struct pl_error *err)
{
    char address[ADDRESS_MAX];
    struct amqp_connection_info info;
    amqp_default_connection_info(&info);
    if (!pick_address(options->urls, (*turn)++, address) || amqp_parse_url(address, &info) != AMQP_STATUS_OK)
        return pl_fail(err, PL_E_INVALID,
                       "the broker's address must be amqp://USER:PASSWORD@HOST:PORT/VHOST or amqps://…");
    char root[] = "/";
    if (!info.vhost || info.vhost[0] == '\0')
        info.vhost = root; // "amqp://host/" means it, too
    struct broker *broker = calloc(1, sizeof *broker);
    if (!broker)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    snprintf(broker->place, sizeof broker->place, "%.250s:%d", info.host, info.port);
    broker->prefix = options->prefix;
    broker->connection = amqp_new_connection();
    enum pl_errc code = broker->connection ? PL_OK : pl_fail(err, PL_E_MEMORY, "not enough memory");
    if (code == PL_OK)
        code = open_socket(broker, options, &info, err);
    if (code == PL_OK)
        code = log_in(broker, options, &info, err);
    explicit_bzero(address, sizeof address);
    if (code == PL_OK)
        *out = broker;
    else
        broker_close(broker);
    return code;
}

void broker_close(struct broker *broker)
{
    if (!broker)
        return;
    if (broker->connection) {
        // An orderly end, but a broker that does not answer is not waited for.
        const struct timeval wait = {.tv_sec = 2};
        amqp_set_rpc_timeout(broker->connection, &wait);
        (void)amqp_connection_close(broker->connection, AMQP_REPLY_SUCCESS);
        (void)amqp_destroy_connection(broker->connection);
    }
    amqp_bytes_free(broker->consumer);
    free(broker);
}

// ---- what is there

struct named {
    char text[256];
};

static amqp_bytes_t name_of(const struct broker *broker, struct named *room, const char *what, const char *batch)
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
    amqp_queue_declare(broker->connection, CHANNEL, name, 0, 1, 0, 0, table);
    return check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot declare a queue", err);
}

static enum pl_errc declare_exchange(struct broker *broker, amqp_bytes_t name, const char *kind, amqp_table_t table,
                                     struct pl_error *err)
{
    amqp_exchange_declare(broker->connection, CHANNEL, name, amqp_cstring_bytes(kind), 0, 1, 0, 0, table);
    return check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot declare an exchange", err);
}

static enum pl_errc bind_queue(struct broker *broker, amqp_bytes_t queue, amqp_bytes_t exchange, const char *key,
                               struct pl_error *err)
{
    amqp_queue_bind(broker->connection, CHANNEL, queue, exchange, amqp_cstring_bytes(key), amqp_empty_table);
    return check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot bind a queue", err);
}

enum pl_errc broker_declare(struct broker *broker, struct pl_error *err)
{
    struct named jobs, results, dead, unrouted;
    amqp_bytes_t dead_name = name_of(broker, &dead, "dead", NULL);
    amqp_bytes_t unrouted_name = name_of(broker, &unrouted, "unrouted", NULL);
    // What no batch's queue takes is kept.
    PL_TRY(declare_exchange(broker, unrouted_name, "fanout", amqp_empty_table, err));
    PL_TRY(declare_queue(broker, unrouted_name, NULL, 0, err));
    PL_TRY(bind_queue(broker, unrouted_name, unrouted_name, "", err));
    amqp_table_entry_t alternate = text_entry("alternate-exchange", unrouted_name);
    PL_TRY(declare_exchange(broker, name_of(broker, &results, "results", NULL), "direct",
                            (amqp_table_t){.num_entries = 1, .entries = &alternate}, err));
    PL_TRY(declare_exchange(broker, dead_name, "fanout", amqp_empty_table, err));
    PL_TRY(declare_queue(broker, dead_name, NULL, 0, err));
    PL_TRY(bind_queue(broker, dead_name, dead_name, "", err));
    const amqp_table_entry_t more[] = {text_entry("x-dead-letter-exchange", dead_name),
                                       text_entry("x-dead-letter-strategy", amqp_cstring_bytes("at-least-once")),
                                       text_entry("x-overflow", amqp_cstring_bytes("reject-publish")),
                                       number_entry("x-delivery-limit", DELIVERIES_MOST)};
    return declare_queue(broker, name_of(broker, &jobs, "jobs", NULL), more, (int)PL_COUNTOF(more), err);
}

enum pl_errc broker_declare_batch(struct broker *broker, const char *batch, struct pl_error *err)
{
    struct named queue, results;
    const amqp_table_entry_t more[] = {number_entry("x-expires", EXPIRES_MS)};
    amqp_bytes_t name = name_of(broker, &queue, "results", batch);
    PL_TRY(declare_queue(broker, name, more, 1, err));
    return bind_queue(broker, name, name_of(broker, &results, "results", NULL), batch, err);
}

enum pl_errc broker_delete_batch(struct broker *broker, const char *batch, struct pl_error *err)
{
    struct named queue;
    amqp_queue_delete(broker->connection, CHANNEL, name_of(broker, &queue, "results", batch), 0, 0);
    return check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot delete a queue", err);
}

enum pl_errc broker_consume(struct broker *broker, const char *batch, uint32_t prefetch, struct pl_error *err)
{
    struct named queue;
    amqp_basic_qos(broker->connection, CHANNEL, 0, (uint16_t)prefetch, 0);
    PL_TRY(check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot set the prefetch", err));
    const amqp_basic_consume_ok_t *ok =
        amqp_basic_consume(broker->connection, CHANNEL, name_of(broker, &queue, batch ? "results" : "jobs", batch),
                           amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
    PL_TRY(check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot consume", err));
    broker->consumer = amqp_bytes_malloc_dup(ok->consumer_tag);
    return PL_OK;
}

enum pl_errc broker_cancel(struct broker *broker, struct pl_error *err)
{
    // Without waiting for the answer: deliveries may come before it.
    amqp_basic_cancel_t cancel = {.consumer_tag = broker->consumer, .nowait = 1};
    int status = amqp_send_method(broker->connection, CHANNEL, AMQP_BASIC_CANCEL_METHOD, &cancel);
    return check_status(broker, status, "cannot cancel", err);
}

// ---- messages that come

int broker_descriptor(const struct broker *broker)
{
    return amqp_get_sockfd(broker->connection);
}

bool broker_has_input(const struct broker *broker)
{
    return amqp_frames_enqueued(broker->connection) || amqp_data_in_buffer(broker->connection);
}

bool broker_is_encrypted(const struct broker *broker)
{
    return broker->encrypted;
}

bool broker_header_of(const struct broker_message *message, const char *name, struct pl_slice *value)
{
    for (uint32_t i = 0; i < message->header_count; i++) {
        if (pl_slice_eq_cstr(message->headers[i].name, name)) {
            *value = message->headers[i].value;
            return true;
        }
    }
    return false;
}

void broker_add_header(struct broker_message *message, const char *name, struct pl_slice value)
{
    if (message->header_count < BROKER_HEADERS_MAX)
        message->headers[message->header_count++] = (struct broker_header){pl_slice_cstr(name), value};
}

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

static struct pl_slice keep(uint8_t **at, struct pl_slice s)
{
    uint8_t *to = *at;
    if (s.len > 0)
        memcpy(to, s.ptr, s.len);
    *at += s.len;
    return pl_slice_make(to, s.len);
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
    size_t bytes = out->id.len + out->type.len + out->body.len + 1;
    for (int i = 0; i < count && out->header_count < BROKER_HEADERS_MAX; i++) {
        const amqp_table_entry_t *e = &p->headers.entries[i];
        struct pl_slice value;
        if (!value_text(&e->value, numbers[out->header_count], sizeof numbers[0], &value))
            continue;
        out->headers[out->header_count++] = (struct broker_header){pl_slice_make(e->key.bytes, e->key.len), value};
        bytes += e->key.len + value.len;
    }
    uint8_t *at = out->memory = malloc(bytes);
    if (!at)
        return false;
    out->id = keep(&at, out->id);
    out->type = keep(&at, out->type);
    out->body = keep(&at, out->body);
    for (uint32_t i = 0; i < out->header_count; i++) {
        out->headers[i].name = keep(&at, out->headers[i].name);
        out->headers[i].value = keep(&at, out->headers[i].value);
    }
    return true;
}

static enum broker_event gone(struct pl_error *err, const struct broker *broker, const char *why, size_t len)
{
    (void)!fail_text(err, PL_E_IO, broker, "the connection ended", why, (int)PL_MIN(len, (size_t)150));
    return BROKER_GONE;
}

static enum broker_event read_message(struct broker *broker, struct broker_message *out, struct pl_error *err)
{
    amqp_message_t message;
    if (check_reply(broker, amqp_read_message(broker->connection, CHANNEL, &message, 0), "cannot read", err) != PL_OK)
        return BROKER_GONE;
    bool ok = !out || copy_message(&message, out);
    amqp_destroy_message(&message);
    return ok ? BROKER_DELIVERY : gone(err, broker, "not enough memory", 17);
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
    case AMQP_CHANNEL_CLOSE_METHOD: {
        const amqp_channel_close_t *m = decoded;
        return gone(err, broker, m->reply_text.bytes, m->reply_text.len);
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

enum broker_event broker_next(struct broker *broker, uint32_t wait_ms, struct broker_told *told, struct pl_error *err)
{
    amqp_frame_t frame;
    const struct timeval wait = {.tv_sec = wait_ms / 1000, .tv_usec = (int)(wait_ms % 1000) * 1000};
    *told = (struct broker_told){0};
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
    struct named exchange, key;
    amqp_bytes_t to = target == BROKER_JOBS      ? amqp_empty_bytes
                      : target == BROKER_RESULTS ? name_of(broker, &exchange, "results", NULL)
                                                 : name_of(broker, &exchange, "dead", NULL);
    amqp_bytes_t routing = target == BROKER_JOBS ? name_of(broker, &key, "jobs", NULL) : amqp_cstring_bytes(batch);
    amqp_bytes_t body = {.len = message->body.len, .bytes = (void *)(uintptr_t)message->body.ptr};
    PL_TRY(check_status(broker, amqp_basic_publish(broker->connection, CHANNEL, to, routing, 1, 0, &properties, body),
                        "cannot publish", err));
    *number = ++broker->published;
    return PL_OK;
}

enum pl_errc broker_acknowledge(struct broker *broker, uint64_t tag, bool all_before, struct pl_error *err)
{
    return check_status(broker, amqp_basic_ack(broker->connection, CHANNEL, tag, all_before), "cannot acknowledge",
                        err);
}

enum pl_errc broker_give_back(struct broker *broker, uint64_t tag, struct pl_error *err)
{
    return check_status(broker, amqp_basic_nack(broker->connection, CHANNEL, tag, 0, 1), "cannot give back", err);
}
