// Files and other machines, in a process of its own.
#include "printer_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "http/server/server.h"
#include "printer/hmac.h"
#include "printer_hub.h"

#define PATIENCE_S 5 // of other machines
#define TRIES 4      // of a webhook, with pauses that double
#define IDLE_MS 1000 // then the printer that jobs are passed to is free for others

static bool read_all(int fd, void *room, size_t size)
{
    uint8_t *to = room;
    while (size > 0) {
        ssize_t n = read(fd, to, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        ssize_t n = write(fd, from, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

// Written under another name, then renamed: a file is whole or the one before. `saving`: who has the say; NULL: nobody.
static bool write_file(const char *dir, const char *name, const void *bytes, size_t size, atomic_uchar *saving)
{
    char path[4096], temporary[4200];
    int n = snprintf(path, sizeof path, "%s/%s", dir, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return false;
    snprintf(temporary, sizeof temporary, "%s.new", path);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
    bool good = fd >= 0 && write_all(fd, bytes, size) && fsync(fd) == 0;
    if (fd >= 0)
        good = close(fd) == 0 && good;
    if (good && saving && !printer_saving_moves(saving, SAVING_COMMITS)) {
        unlink(temporary);
        return false;
    }
    good = good && rename(temporary, path) == 0;
    if (saving)
        atomic_store(saving, good ? SAVING_DONE : SAVING_FAILED);
    if (!good) {
        fprintf(stderr, "platen: cannot write %s: %s\n", path, strerror(errno));
        unlink(temporary);
    }
    return good;
}

static int connect_to(const char *address)
{
    char host[256];
    const char *port;
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *list;
    if (!http_address_split(address, host, sizeof host, &port) || getaddrinfo(host, port, &hints, &list) != 0)
        return -1;
    int fd = -1;
    for (const struct addrinfo *at = list; at && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const struct timeval patience = {.tv_sec = PATIENCE_S};
        if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0 ||
                        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
                        connect(fd, at->ai_addr, at->ai_addrlen) != 0)) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(list);
    return fd;
}

static void send_to(const char *address, const void *bytes, size_t size)
{
    int fd = connect_to(address);
    if (fd < 0 || !write_all(fd, bytes, size))
        fprintf(stderr, "platen: cannot print to %s: %s\n", address, strerror(errno));
    if (fd >= 0)
        close(fd);
}

// What the printer answered is thrown away. False: it has closed the connection, and bytes for it would be lost.
static bool still_open(int fd)
{
    uint8_t answers[4096];
    ssize_t n;
    do
        n = recv(fd, answers, sizeof answers, MSG_DONTWAIT);
    while (n > 0 || (n < 0 && errno == EINTR));
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

// The connection to the printer that jobs are passed to stays open for the next; one that broke is made anew once.
static void forward(const char *address, int *fd, const void *bytes, size_t size)
{
    for (int tries = 0; tries < 2; tries++) {
        if (*fd >= 0 && !still_open(*fd)) {
            close(*fd);
            *fd = -1;
        }
        if (*fd < 0)
            *fd = connect_to(address);
        if (*fd >= 0 && write_all(*fd, bytes, size))
            return;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
    }
    fprintf(stderr, "platen: cannot forward to %s: %s\n", address, strerror(errno));
}

bool printer_split_url(const char *url, char *address, size_t room, const char **path)
{
    static const char SCHEME[] = "http://";
    if (strncmp(url, SCHEME, sizeof SCHEME - 1) != 0)
        return false;
    const char *host = url + sizeof SCHEME - 1, *slash = strchr(host, '/');
    size_t len = slash ? (size_t)(slash - host) : strlen(host);
    bool has_port = memchr(host, ':', len) && host[len - 1] != ']';
    int n = snprintf(address, room, "%.*s%s", (int)len, host, has_port ? "" : ":80");
    *path = slash ? slash : "/";
    return len > 0 && n > 0 && (size_t)n < room;
}

static bool post(const char *url, const char *secret, const uint8_t *body, size_t size)
{
    char address[300], head[1200], answer[32] = "", signature[HMAC_BYTES * 2 + 1] = "";
    const char *path;
    if (!printer_split_url(url, address, sizeof address, &path))
        return true; // it was checked at the start
    uint8_t mac[HMAC_BYTES];
    hmac_sha256(pl_slice_cstr(secret), pl_slice_make(body, size), mac);
    for (int i = 0; i < HMAC_BYTES; i++)
        snprintf(signature + (size_t)i * 2, 3, "%02x", mac[i]);
    int n = snprintf(head, sizeof head,
                     "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s%s%s"
                     "Connection: close\r\n\r\n",
                     path, address, size, *secret ? "X-Platen-Signature: sha256=" : "", *secret ? signature : "",
                     *secret ? "\r\n" : "");
    int fd = n > 0 && (size_t)n < sizeof head ? connect_to(address) : -1;
    bool good = fd >= 0 && write_all(fd, head, (size_t)n) && write_all(fd, body, size) &&
                read_all(fd, answer, sizeof "HTTP/1.1 2" - 1) && memcmp(answer + 9, "2", 1) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

static void webhook(const struct printer_options *o, const uint8_t *body, size_t size)
{
    unsigned pause_s = 1;
    for (int i = 0; i < TRIES; i++, pause_s *= 2) {
        if (post(o->webhook, o->webhook_secret ? o->webhook_secret : "", body, size))
            return;
        if (i + 1 < TRIES)
            sleep(pause_s);
    }
    fprintf(stderr, "platen: the webhook %s did not answer with 2xx after %d tries\n", o->webhook, TRIES);
}

// Waits for the next letter; meanwhile a connection that has nothing to do ends.
static bool next_letter(int pipe, int *forwarding, struct printer_task_head *head)
{
    struct pollfd letter = {.fd = pipe, .events = POLLIN};
    if (*forwarding >= 0 && poll(&letter, 1, IDLE_MS) == 0) {
        close(*forwarding);
        *forwarding = -1;
    }
    return read_all(pipe, head, sizeof *head);
}

void printer_helper_main(const struct printer_options *o, int pipe, struct printer_progress *progress)
{
    struct printer_task_head head;
    int forwarding = -1;
    while (next_letter(pipe, &forwarding, &head)) {
        uint8_t *data = malloc(head.size > 0 ? (size_t)head.size : 1);
        if (!data || !read_all(pipe, data, (size_t)head.size))
            break;
        head.name[sizeof head.name - 1] = '\0';
        switch ((enum printer_task)head.task) {
        case TASK_SAVE:
            write_file(o->state_dir, head.name, data, (size_t)head.size, NULL);
            break;
        case TASK_SAVE_JOBS:
            write_file(o->state_dir, head.name, data, (size_t)head.size, &progress->jobs[head.printer % PRINTERS_MAX]);
            break;
        case TASK_KEEP:
            write_file(o->keep_dir, head.name, data, (size_t)head.size, NULL);
            break;
        case TASK_FORWARD:
            forward(o->forward, &forwarding, data, (size_t)head.size);
            break;
        case TASK_WEBHOOK:
            webhook(o, data, (size_t)head.size);
            break;
        case TASK_PRINT_TO:
            send_to(head.name, data, (size_t)head.size);
            break;
        case TASK_END:
            _exit(0);
        }
        atomic_fetch_add(&progress->done, 1);
        free(data);
    }
    _exit(0);
}
