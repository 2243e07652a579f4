// Files and other machines, in a process of its own.
#include "printer_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/hmac.h"
#include "http/message/host.h"
#include "os/files.h"
#include "printer_hub.h"
#include "process/say.h"

#define PATIENCE_S 5    // of other machines
#define FINISH_S 2      // for their side to end after ours
#define TRIES 4         // of a webhook or a connection for --forward, with pauses that double
#define IDLE_MS 1000    // then the printer that jobs are passed to is free for others
#define UNSURE_MOST 64u // jobs on one connection for --forward
#define ANSWERS_MOST 4096

const int printer_helper_ignores[] = {SIGTERM, SIGINT, SIGHUP, 0};

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

bool printer_rename_apart(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    // A file system that cannot do it in one step.
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0;
}

// Written under another name, then renamed: a file is whole or the one before. `saving`: who has the say; NULL: nobody.
static bool write_file(const char *dir, const char *name, struct pl_slice bytes, bool replaces, atomic_uchar *saving)
{
    char path[4096], temporary[4200];
    int n = snprintf(path, sizeof path, "%s/%s", dir, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return false;
    snprintf(temporary, sizeof temporary, "%s.%d.new", path, (int)getpid());
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
    bool good = fd >= 0 && write_all(fd, bytes.ptr, bytes.len) && fsync(fd) == 0;
    if (fd >= 0)
        good = close(fd) == 0 && good;
    if (good && saving && !printer_saving_moves(saving, SAVING_COMMITS)) {
        unlink(temporary);
        return false;
    }
    good = good && (replaces ? rename(temporary, path) == 0 : printer_rename_apart(temporary, path));
    if (saving)
        atomic_store(saving, good ? SAVING_DONE : SAVING_FAILED);
    if (!good) {
        pl_say("platen: cannot write %s: %s", path, strerror(errno));
        unlink(temporary);
    }
    return good;
}

static const char *kept_ext(const struct printer_task_head *head, int i)
{
    static const char *const EXT[PRINTER_KEPT_FILES] = {NULL, "png", "json"};
    return i == 0 ? head->ext : EXT[i];
}

static bool is_free(const char *dir, const char *stem, const struct printer_task_head *head)
{
    char path[4096];
    for (int i = 0; i < PRINTER_KEPT_FILES; i++) {
        snprintf(path, sizeof path, "%s/%s.%s", dir, stem, kept_ext(head, i));
        if (access(path, F_OK) == 0)
            return false;
    }
    return true;
}

// The files of a label. Those of a service that ran before may have the same names: they stay.
static bool keep(const char *dir, const struct printer_task_head *head, const uint8_t *data)
{
    char stem[160], name[176];
    snprintf(stem, sizeof stem, "%s", head->name);
    for (unsigned n = 2; n < 1000 && !is_free(dir, stem, head); n++)
        snprintf(stem, sizeof stem, "%s-%u", head->name, n);
    for (int i = 0; i < PRINTER_KEPT_FILES; i++) {
        size_t size = (size_t)head->parts[i];
        snprintf(name, sizeof name, "%s.%s", stem, kept_ext(head, i));
        if (size > 0 && !write_file(dir, name, pl_slice_make(data, size), false, NULL))
            return false;
        data += size;
    }
    bool whole = head->parts[PRINTER_KEPT_FILES - 1] > 0;
    if (!whole)
        pl_say("platen: %s/%s is not written: it would have more than 16 MiB", dir, name);
    return whole;
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

static bool is_late(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

// What the other printer answers within so many milliseconds is thrown away. 0: it has ended its side, in order; -1: it
// has not, or the connection is broken (errno).
static ssize_t discard(int fd, uint32_t wait_ms)
{
    uint8_t answers[4096];
    uint64_t end_ns = pl_now_ns() + wait_ms * (uint64_t)1000000;
    for (int i = 0; i < ANSWERS_MOST; i++) {
        ssize_t n = recv(fd, answers, sizeof answers, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EINTR && !is_late()))
            return n;
        uint64_t now_ns = pl_now_ns();
        if (n < 0 && now_ns >= end_ns)
            break;
        struct pollfd more = {.fd = fd, .events = POLLIN};
        if (n < 0)
            (void)!poll(&more, 1, (int)((end_ns - now_ns) / 1000000) + 1);
    }
    errno = EAGAIN; // or it says more than anybody wants to know
    return -1;
}

// Has the other system acknowledged every byte, also of the end? An error that came after its end is not told by recv.
static bool is_acknowledged(int fd)
{
    int unsent = 0, error = 0;
    socklen_t size = sizeof error;
    for (int ms = 0; ms < FINISH_S * 1000; ms += 10) {
        if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || ioctl(fd, SIOCOUTQ, &unsent) != 0)
            return false;
        errno = error ? error : ETIMEDOUT;
        if (error || unsent == 0)
            return !error;
        poll(NULL, 0, 10);
    }
    return false;
}

// Ends the connection. True: the other side has all of it. It has ended its side as well, or does not in time.
static bool finish(int fd)
{
    shutdown(fd, SHUT_WR); // what fails here fails below, with the reason
    bool good = (discard(fd, FINISH_S * 1000) == 0 || is_late()) && is_acknowledged(fd);
    int error = errno;
    close(fd);
    errno = error;
    return good;
}

static bool send_to(const char *address, const void *bytes, size_t size)
{
    int fd = connect_to(address);
    bool written = fd >= 0 && write_all(fd, bytes, size);
    if (fd >= 0)
        written = finish(fd) && written;
    if (!written)
        pl_say("platen: a job (%zu bytes) was not printed by %s: %s", size, address, strerror(errno));
    return written;
}

// ---- forwarding

// The connection stays open for the next job. Whether the printer has got what was written is known when it ends.
struct forwarding {
    const char *address;
    struct printer_progress *progress;
    int fd; // -1: none
    uint32_t count;
    struct printer_task_head jobs[UNSURE_MOST]; // written, and not known to have arrived
};

static void name_unforwarded(const struct forwarding *f, const struct printer_task_head *job, int error)
{
    pl_say("platen: printer %s: job %llu (%llu bytes) was not forwarded to %s: %s", job->name,
           (unsigned long long)job->number, (unsigned long long)job->size, f->address, strerror(error));
    atomic_fetch_add(&f->progress->failed_of[job->printer % PRINTERS_MAX], 1);
    atomic_fetch_add(&f->progress->failed, 1);
    atomic_fetch_add(&f->progress->done, 1);
}

// The connection is over: its jobs have arrived or not.
static void settle(struct forwarding *f, bool arrived, int error)
{
    for (uint32_t i = 0; !arrived && i < f->count; i++)
        name_unforwarded(f, &f->jobs[i], error);
    if (arrived)
        atomic_fetch_add(&f->progress->done, f->count);
    f->count = 0;
    f->fd = -1;
}

static void end_forwarding(struct forwarding *f)
{
    if (f->fd < 0)
        return;
    bool arrived = finish(f->fd);
    settle(f, arrived, errno);
}

static void break_forwarding(struct forwarding *f)
{
    int error = is_late() ? ETIMEDOUT : errno;
    close(f->fd);
    settle(f, false, error);
}

// An open connection. One that the printer has ended meanwhile is replaced.
static bool open_forwarding(struct forwarding *f)
{
    ssize_t said = f->fd >= 0 ? discard(f->fd, 0) : -1;
    if (f->fd >= 0 && said < 0 && !is_late())
        break_forwarding(f);
    else if (said == 0 || f->count == UNSURE_MOST)
        end_forwarding(f);
    unsigned pause_s = 1;
    for (int i = 0; f->fd < 0 && i < TRIES; i++, pause_s *= 2) {
        f->fd = connect_to(f->address);
        if (f->fd < 0 && i + 1 < TRIES) {
            int error = errno;
            sleep(pause_s);
            errno = error;
        }
    }
    return f->fd >= 0;
}

// A job of which a byte was written is not sent again: it could be printed twice.
static void forward(struct forwarding *f, const struct printer_task_head *head, const void *bytes)
{
    if (!open_forwarding(f)) {
        name_unforwarded(f, head, errno);
        return;
    }
    f->jobs[f->count++] = *head;
    if (!write_all(f->fd, bytes, (size_t)head->size))
        break_forwarding(f);
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
    char address[300], head[1200], answer[32] = "", signature[PL_HMAC_BYTES * 2 + 1] = "";
    const char *path;
    if (!printer_split_url(url, address, sizeof address, &path))
        return true; // it was checked at the start
    uint8_t mac[PL_HMAC_BYTES];
    pl_hmac_sha256(pl_slice_cstr(secret), pl_slice_make(body, size), mac);
    for (int i = 0; i < PL_HMAC_BYTES; i++)
        snprintf(signature + (size_t)i * 2, 3, "%02x", mac[i]);
    int n = snprintf(head, sizeof head,
                     "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s%s%s"
                     "Connection: close\r\n\r\n",
                     path, address, size, *secret ? "X-Platen-Signature: sha256=" : "", *secret ? signature : "",
                     *secret ? "\r\n" : "");
    int fd = n > 0 && (size_t)n < sizeof head ? connect_to(address) : -1;
    bool good = fd >= 0 && write_all(fd, head, (size_t)n) && write_all(fd, body, size) &&
                pl_os_file_read(fd, answer, sizeof "HTTP/1.1 2" - 1) && memcmp(answer + 9, "2", 1) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

static bool webhook(const struct printer_options *o, const uint8_t *body, size_t size)
{
    unsigned pause_s = 1;
    for (int i = 0; i < TRIES; i++, pause_s *= 2) {
        if (post(o->webhook, o->webhook_secret ? o->webhook_secret : "", body, size))
            return true;
        if (i + 1 < TRIES)
            sleep(pause_s);
    }
    pl_say("platen: the webhook %s did not answer with 2xx after %d tries", o->webhook, TRIES);
    return false;
}

// Waits for the next task; meanwhile a connection that has nothing to do ends.
static bool next_task(int pipe, struct forwarding *f, struct printer_task_head *head)
{
    struct pollfd task = {.fd = pipe, .events = POLLIN};
    if (f->fd >= 0 && poll(&task, 1, IDLE_MS) == 0)
        end_forwarding(f);
    return pl_os_file_read(pipe, head, sizeof *head);
}

// False: it has failed, and nobody else says so.
static bool carry_out(const struct printer_options *o, const struct printer_task_head *head, const uint8_t *data,
                      struct printer_progress *progress)
{
    struct pl_slice bytes = pl_slice_make(data, (size_t)head->size);
    switch ((enum printer_task)head->task) {
    case TASK_SAVE:
        write_file(o->state_dir, head->name, bytes, true, NULL); // the next one may be better
        return true;
    case TASK_SAVE_JOBS: // the service sees whether it did
        write_file(o->state_dir, head->name, bytes, true, &progress->jobs[head->printer % PRINTERS_MAX]);
        return true;
    case TASK_KEEP:
        if (keep(o->keep_dir, head, data))
            return true;
        atomic_store(&progress->not_kept[head->number % NOT_KEPT_KNOWN], head->number);
        return false;
    case TASK_WEBHOOK:
        return webhook(o, data, bytes.len);
    case TASK_PRINT_TO:
        return send_to(head->name, data, bytes.len);
    case TASK_FORWARD:
    case TASK_END:
        break;
    }
    return true;
}

void printer_helper_main(const struct printer_options *o, int pipe, struct printer_progress *progress)
{
    static struct forwarding forwarding; // this process does nothing else
    struct printer_task_head head;
    forwarding = (struct forwarding){.address = o->forward, .progress = progress, .fd = -1};
    while (next_task(pipe, &forwarding, &head) && head.task != TASK_END) {
        uint8_t *data = malloc(head.size > 0 ? (size_t)head.size : 1);
        if (!data || !pl_os_file_read(pipe, data, (size_t)head.size))
            break;
        head.name[sizeof head.name - 1] = '\0';
        if (head.task == TASK_FORWARD) {
            forward(&forwarding, &head, data);
        } else {
            if (!carry_out(o, &head, data, progress)) {
                atomic_fetch_add(&progress->failed_of[head.printer % PRINTERS_MAX], 1);
                atomic_fetch_add(&progress->failed, 1);
            }
            atomic_fetch_add(&progress->done, 1);
        }
        free(data);
    }
    end_forwarding(&forwarding);
    _exit(0);
}
