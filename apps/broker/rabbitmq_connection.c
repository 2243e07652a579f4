// Connections to RabbitMQ: addresses, TLS, credentials, and what the broker says when it does not want one.
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "rabbitmq.h"

#define FRAME_MAX 131072
#define CONNECT_S 5
#define ADDRESS_MAX 1024u
#define SYSTEM_CA "/etc/ssl/certs/ca-certificates.crt"

// ---- words

enum pl_errc rabbitmq_fail(struct pl_error *err, enum pl_errc code, const struct broker *broker, const char *what,
                           const char *why, int why_len)
{
    return pl_fail(err, code, "%s: %s: %.*s", broker->place, what, why_len, why);
}

// What a call of the library says.
enum pl_errc rabbitmq_check_reply(const struct broker *broker, amqp_rpc_reply_t reply, const char *what,
                                  struct pl_error *err)
{
    if (reply.reply_type == AMQP_RESPONSE_NORMAL)
        return PL_OK;
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD) {
        const amqp_connection_close_t *m = reply.reply.decoded;
        bool hopeless = m->reply_code == 403 || m->reply_code == 530; // ACCESS_REFUSED, NOT_ALLOWED
        return rabbitmq_fail(err, hopeless ? PL_E_INVALID : PL_E_IO, broker, what, m->reply_text.bytes,
                             (int)PL_MIN(m->reply_text.len, (size_t)150));
    }
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD) {
        const amqp_channel_close_t *m = reply.reply.decoded;
        bool hopeless = m->reply_code == 403 || m->reply_code == 406; // ACCESS_REFUSED, PRECONDITION_FAILED
        return rabbitmq_fail(err, hopeless ? PL_E_INVALID : PL_E_IO, broker, what, m->reply_text.bytes,
                             (int)PL_MIN(m->reply_text.len, (size_t)150));
    }
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) {
        const char *why = amqp_error_string2(reply.library_error);
        return rabbitmq_fail(err, PL_E_IO, broker, what, why, (int)strlen(why));
    }
    return rabbitmq_fail(err, PL_E_IO, broker, what, "no answer", 9);
}

enum pl_errc rabbitmq_check_status(const struct broker *broker, int status, const char *what, struct pl_error *err)
{
    if (status == AMQP_STATUS_OK)
        return PL_OK;
    const char *why = amqp_error_string2(status);
    return rabbitmq_fail(err, PL_E_IO, broker, what, why, (int)strlen(why));
}

// ---- opening

static uint32_t count_addresses(const char *urls)
{
    uint32_t count = 1;
    for (const char *c = urls; *c; c++)
        count += *c == ',';
    return count;
}

// The address of number `turn`, copied.
static bool pick_address(const char *urls, uint32_t turn, char *out)
{
    const char *at = urls;
    for (uint32_t i = turn % count_addresses(urls); i > 0; i--)
        at = strchr(at, ',') + 1;
    size_t len = strcspn(at, ",");
    if (len == 0 || len >= ADDRESS_MAX)
        return false;
    memcpy(out, at, len);
    out[len] = '\0';
    return true;
}

// Does a broker at the address answer to what only plain AMQP begins with?
static bool speaks_without_tls(const struct amqp_connection_info *info)
{
    static const char HELLO[] = "AMQP\0\0\11\1";
    char first = 0;
    int fd = amqp_open_socket(info->host, info->port);
    if (fd < 0)
        return false;
    struct pollfd answer = {.fd = fd, .events = POLLIN};
    bool is_plain = send(fd, HELLO, 8, MSG_NOSIGNAL) == 8 && poll(&answer, 1, CONNECT_S * 1000) == 1 &&
                    recv(fd, &first, 1, 0) == 1 && (first == AMQP_FRAME_METHOD || first == 'A');
    close(fd);
    return is_plain;
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
    if (info->ssl && status != AMQP_STATUS_OK && speaks_without_tls(info))
        return pl_fail(err, PL_E_INVALID, "%s: it speaks AMQP without TLS there: the address must be amqp://",
                       broker->place);
    return rabbitmq_check_status(broker, status, "cannot connect", err);
}

static enum pl_errc log_in(struct broker *broker, const struct broker_options *o,
                           const struct amqp_connection_info *info, struct pl_error *err)
{
    char password[513];
    const char *secret = info->password;
    if (o->password_file && *o->password_file) {
        PL_TRY(broker_read_secret(o->password_file, password, sizeof password, err));
        secret = password;
    }
    // The broker tells when it takes no messages, and when a queue is deleted that is read.
    amqp_table_entry_t able[] = {{.key = amqp_cstring_bytes("connection.blocked"),
                                  .value = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1}},
                                 {.key = amqp_cstring_bytes("consumer_cancel_notify"),
                                  .value = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1}}};
    amqp_table_entry_t properties[] = {
        {.key = amqp_cstring_bytes("capabilities"),
         .value = {.kind = AMQP_FIELD_KIND_TABLE, .value.table = {.num_entries = 2, .entries = able}}},
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
    PL_TRY(rabbitmq_check_reply(broker, reply, "cannot log in", err));
    amqp_channel_open(broker->connection, RABBITMQ_CHANNEL);
    PL_TRY(rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot open a channel", err));
    amqp_confirm_select(broker->connection, RABBITMQ_CHANNEL);
    return rabbitmq_check_reply(broker, amqp_get_rpc_reply(broker->connection), "cannot ask for confirmations", err);
}

static enum pl_errc read_address(const char *urls, uint32_t turn, char *room, struct amqp_connection_info *info,
                                 struct pl_error *err)
{
    amqp_default_connection_info(info);
    if (pick_address(urls, turn, room) && amqp_parse_url(room, info) == AMQP_STATUS_OK)
        return PL_OK;
    return pl_fail(err, PL_E_INVALID,
                   "the broker's address must be amqp://USER:PASSWORD@HOST:PORT/VHOST or amqps://…; several are "
                   "separated by commas");
}

uint32_t broker_addresses(const struct broker_options *options, struct pl_error *err)
{
    char address[ADDRESS_MAX];
    struct amqp_connection_info info;
    uint32_t count = count_addresses(options->urls);
    enum pl_errc code = PL_OK;
    for (uint32_t i = 0; i < count && code == PL_OK; i++)
        code = read_address(options->urls, i, address, &info, err);
    explicit_bzero(address, sizeof address);
    return code == PL_OK ? count : 0;
}

enum pl_errc broker_open(const struct broker_options *options, uint32_t *turn, struct broker **out,
                         struct pl_error *err)
{
    char address[ADDRESS_MAX];
    struct amqp_connection_info info;
    PL_TRY(read_address(options->urls, (*turn)++, address, &info, err));
    char root[] = "/";
    if (!info.vhost || info.vhost[0] == '\0')
        info.vhost = root; // "amqp://host/" means it, too
    struct broker *broker = calloc(1, sizeof *broker);
    if (!broker)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    snprintf(broker->place, sizeof broker->place, "%.250s:%d", info.host, info.port);
    broker->prefix = options->prefix;
    broker->beside = options->beside;
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
        broker_close(&broker);
    return code;
}

void broker_close(struct broker **broker)
{
    if (*broker && (*broker)->connection) {
        // An orderly end, but a broker that does not answer is not waited for.
        const struct timeval wait = {.tv_sec = 2};
        amqp_set_rpc_timeout((*broker)->connection, &wait);
        (void)amqp_connection_close((*broker)->connection, AMQP_REPLY_SUCCESS);
        (void)amqp_destroy_connection((*broker)->connection);
    }
    free(*broker);
    *broker = NULL;
}

const char *broker_place(const struct broker *broker)
{
    return broker->place;
}

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
