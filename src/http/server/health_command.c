// The `health` subcommand: asks the service that runs with the same options, for containers and scripts.
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "http/message/host.h"
#include "http/server/server.h"

#define PATIENCE_S 3
#define ANSWER_MAX 16384

// The bytes of the answer that came, or -1 with errno.
static ssize_t ask(const struct addrinfo *where, const char *question, char *answer)
{
    int fd = socket(where->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    size_t length = 0;
    ssize_t n = -1;
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) == 0 &&
        connect(fd, where->ai_addr, where->ai_addrlen) == 0 &&
        send(fd, question, strlen(question), MSG_NOSIGNAL) == (ssize_t)strlen(question)) {
        do {
            n = recv(fd, answer + length, ANSWER_MAX - length, 0);
            length += n > 0 ? (size_t)n : 0;
        } while (n > 0 && length < ANSWER_MAX);
    }
    int reason = errno;
    close(fd);
    errno = reason;
    return n < 0 ? -1 : (ssize_t)length;
}

// The answer's body goes to standard output. 0: it is well.
static int check(const struct http_server *s)
{
    static const char form[] = "GET /api/health HTTP/1.0\r\nHost: localhost\r\n\r\n";
    char host[256], answer[ANSWER_MAX + 1];
    const char *port, *name = s->app->name, *listen = s->config.listen;
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *list;
    if (!http_address_split(listen, host, sizeof(host), &port)) {
        fprintf(stderr, "%s health: --listen: '%s' is not HOST:PORT\n", name, listen);
        return 2;
    }
    int failed = getaddrinfo(host[0] ? host : NULL, port, &hints, &list);
    if (failed) {
        fprintf(stderr, "%s health: '%s': %s\n", name, listen, gai_strerror(failed));
        return 1;
    }
    ssize_t length = ask(list, form, answer);
    freeaddrinfo(list);
    if (length < 0) {
        fprintf(stderr, "%s health: %s: %s\n", name, listen, errno == EAGAIN ? "no answer in time" : strerror(errno));
        return 1;
    }
    answer[length] = '\0';
    const char *body = strstr(answer, "\r\n\r\n");
    char service[64];
    snprintf(service, sizeof(service), "\"service\":\"%s\"", name);
    if (strncmp(answer, "HTTP/1.", 7) != 0 || !body || !strstr(body, service)) {
        fprintf(stderr, "%s health: %s: what answers here is not %s\n", name, listen, name);
        return 1;
    }
    printf("%s\n", body + 4);
    return strncmp(answer + 8, " 200 ", 5) == 0 ? 0 : 1;
}

int http_health_command(const struct http_app *app, int argc, char **argv)
{
    int status;
    struct http_server *s = http_command_server(app, "health", argc, argv, &status);
    if (!s)
        return status;
    if (s->found.help) {
        struct pl_buf out;
        pl_buf_init(&out, 65536);
        pl_buf_printf(&out,
                      "usage: %s health [options of %s serve]\n\n"
                      "Asks the service at --listen how it is, and prints what it says.\n\n"
                      "  --listen HOST:PORT\n      where the service is [default: %s] [%s_LISTEN]\n"
                      "  --config FILE\n      the file of options that the service has\n"
                      "  --help\n      this text\n\n"
                      "Exit status: 0 healthy, 1 stopping, broken or not reachable, 2 wrong usage.\n",
                      app->name, app->name, app->default_listen, app->env_prefix);
        status = http_print(&out);
    } else {
        status = check(s);
    }
    http_command_server_free(s);
    return status;
}
