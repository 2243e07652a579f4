// Reads the file of API keys anew at SIGHUP. The service itself may open no file after its start (sandbox.c), so a
// process that was forked before does it, and a thread waits for what it sends.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ckd.h"
#include "http/exchange/server.h"
#include "http/guard/guard.h"
#include "process/call_filter.h"
#include "process/channel.h"
#include "process/child.h"
#include "process/say.h"

// What is sent: this, then the text.
struct file_head {
    int error; // errno of opening or reading it; 0: none
    uint32_t length;
};

static struct file_head read_file(const char *path, char *text)
{
    struct file_head head = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0 && head.length < HTTP_KEY_FILE_MAX) {
        n = read(fd, text + head.length, HTTP_KEY_FILE_MAX - head.length);
        head.length += n > 0 ? (uint32_t)n : 0;
    }
    head.error = n < 0 ? errno : n > 0 ? EFBIG : 0;
    if (fd >= 0)
        close(fd);
    return head;
}

static _Noreturn void be_reader(const char *path, int channel, bool confined, pid_t parent)
{
    static const int allowed[] = {SYS_openat, SYS_read,         SYS_write, SYS_recvfrom,  SYS_sendmsg,
                                  SYS_sendto, SYS_recvmsg,      SYS_close, SYS_ppoll,     SYS_munmap,
                                  SYS_brk,    SYS_rt_sigreturn, SYS_exit,  SYS_exit_group};
    static const struct pl_call_filter filter = {.allowed = allowed, .allowed_count = PL_COUNTOF(allowed)};
    sigset_t all;
    struct pl_error err;
    bool active;
    const char *why_not;
    char asked;
    pl_child_end_with(parent);
    prctl(PR_SET_NAME, "key-reader", 0, 0, 0);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (channel != 3)
        dup2(channel, 3);
    pl_child_close_from(4);
    char *text = malloc(HTTP_KEY_FILE_MAX);
    if (!text || (confined && pl_call_filter_enter(&filter, &active, &why_not, &err) != PL_OK))
        _exit(1);
    while (pl_channel_read(3, &asked, sizeof(asked))) {
        struct file_head head = read_file(path, text);
        struct iovec parts[] = {{&head, sizeof(head)}, {text, head.error ? 0 : head.length}};
        if (!pl_channel_write(3, parts, head.error || head.length == 0 ? 1 : 2))
            break;
    }
    _exit(0);
}

// The keys that were sent take the place of those that hold now. What is wrong with them is said, and nothing changes.
static bool take_answer(struct http_server *s)
{
    struct file_head head;
    struct http_keys keys = {0};
    struct pl_error err = {0};
    const char *path = s->config.api_key_file;
    if (!pl_channel_read(s->guard->key_reader.channel, &head, sizeof(head)))
        return false;
    enum pl_errc code = PL_OK;
    if (head.error) {
        code = pl_fail(&err, PL_E_IO, "--api-key-file: cannot read '%s': %s", path, strerror(head.error));
    } else {
        keys.text = malloc(HTTP_KEY_FILE_MAX);
        if (!keys.text || head.length > HTTP_KEY_FILE_MAX ||
            !pl_channel_read(s->guard->key_reader.channel, keys.text, head.length)) {
            free(keys.text);
            return false;
        }
        code = http_keys_parse(&keys, head.length, path, &err);
    }
    size_t count = keys.count;
    if (code == PL_OK) {
        pthread_rwlock_wrlock(&s->guard->keys_lock);
        struct http_keys old = s->guard->keys;
        s->guard->keys = keys;
        pthread_rwlock_unlock(&s->guard->keys_lock);
        keys = old;
    }
    http_keys_free(&keys);
    if (code == PL_OK)
        pl_say("%s serve: SIGHUP: %zu API key%s read", s->app->name, count, count == 1 ? "" : "s");
    else
        pl_say("%s serve: SIGHUP: %s; the keys stay as they were", s->app->name, err.message);
    return true;
}

static void *wait_for_answers(void *server)
{
    struct http_server *s = server;
    while (take_answer(s))
        continue;
    if (!atomic_load_explicit(&s->guard->key_reader.ending, memory_order_acquire))
        pl_say("%s serve: the process that reads API keys has ended: SIGHUP does nothing any more", s->app->name);
    return NULL;
}

enum pl_errc http_key_reader_fork(struct http_server *s, struct pl_error *err)
{
    int pair[2];
    if (!s->config.api_key_file[0])
        return PL_OK;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return pl_fail(err, PL_E_IO, "no channel to a process that reads API keys: %s", strerror(errno));
    pid_t parent = getpid();
    s->guard->key_reader.pid = fork();
    if (s->guard->key_reader.pid == 0)
        be_reader(s->config.api_key_file, pair[1], s->config.sandbox, parent);
    close(pair[1]);
    s->guard->key_reader.channel = pair[0];
    s->guard->key_reader.forked = s->guard->key_reader.pid > 0;
    if (s->guard->key_reader.forked)
        return PL_OK;
    close(pair[0]);
    return pl_fail(err, PL_E_IO, "no process to read API keys: %s", strerror(errno));
}

enum pl_errc http_key_reader_start(struct http_server *s, struct pl_error *err)
{
    struct http_key_reader *r = &s->guard->key_reader;
    if (!r->forked)
        return PL_OK;
    r->started = pthread_create(&r->thread, NULL, wait_for_answers, s) == 0;
    return r->started ? PL_OK : pl_fail_memory(err);
}

void http_key_reader_ask(struct http_server *s)
{
    // With no room for one more byte there are questions enough on their way.
    if (s->guard->key_reader.started && send(s->guard->key_reader.channel, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        errno = 0;
}

void http_key_reader_stop(struct http_server *s)
{
    struct http_key_reader *r = &s->guard->key_reader;
    if (!r->forked)
        return;
    atomic_store_explicit(&r->ending, true, memory_order_release);
    shutdown(r->channel, SHUT_RDWR); // the process and the thread see the end
    if (r->started)
        pthread_join(r->thread, NULL);
    close(r->channel);
    while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    *r = (struct http_key_reader){0};
}
