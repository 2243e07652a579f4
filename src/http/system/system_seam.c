// The world as Linux has it: sockets, epoll, eventfd, signalfd.
#include <errno.h>
#include <linux/filter.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/job.h"
#include "http/system/seam.h"
#include "process/sanitized.h"

#define EVENTS 512

static uint64_t wall_ms(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

static int accept_connection(int listener, struct sockaddr_storage *peer)
{
    int fd;
    do {
        socklen_t size = sizeof(*peer);
        fd = accept4(listener, (struct sockaddr *)peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    int on = 1;
    if (fd >= 0 && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0)
        errno = 0; // slower, not wrong
    return fd;
}

static ssize_t receive(int fd, void *room, size_t size)
{
    ssize_t n;
    do {
        n = recv(fd, room, size, 0);
    } while (n < 0 && errno == EINTR);
    return n;
}

static ssize_t peek(int fd, void *room, size_t size)
{
    ssize_t n;
    do {
        n = recv(fd, room, size, MSG_PEEK | MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    return n;
}

// A filter that takes no packet: who sent one gets no acknowledgement, and learns of the close when it sends it again.
static void stop_input(int fd)
{
    struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
    const struct sock_fprog filter = {.len = 1, .filter = &nothing};
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) != 0)
        errno = 0; // what comes in the moment before the close may be lost
}

static ssize_t send_parts(int fd, const struct iovec *parts, size_t count)
{
    ssize_t n;
    do {
        if (count == 1) {
            n = send(fd, parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL);
        } else {
            struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)parts, .msg_iovlen = count};
            n = sendmsg(fd, &message, MSG_NOSIGNAL);
        }
    } while (n < 0 && errno == EINTR);
    return n;
}

static int end_sending(int fd)
{
    return shutdown(fd, SHUT_WR);
}

static void reset_at_exit(int fd, bool on)
{
    struct linger linger = {.l_onoff = on}; // for no time
    if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)) != 0)
        errno = 0;
}

static void close_socket(int fd, bool reset)
{
    if (reset)
        reset_at_exit(fd, true);
    close(fd);
}

static int poller_new(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

static bool watch(int poller, int fd, void *tag, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = tag};
    return epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool watch_connection(int poller, int fd, void *tag)
{
    return watch(poller, fd, tag, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

static bool watch_input(int poller, int fd, void *tag)
{
    return watch(poller, fd, tag, EPOLLIN);
}

static bool unwatch(int poller, int fd)
{
    return epoll_ctl(poller, EPOLL_CTL_DEL, fd, NULL) == 0;
}

static int wait_for_events(int poller, struct http_ready_event *out, int most, int timeout_ms)
{
    struct epoll_event events[EVENTS];
    int n = epoll_wait(poller, events, most < EVENTS ? most : EVENTS, timeout_ms);
    for (int i = 0; i < n; i++) {
        uint32_t e = events[i].events;
        out[i] = (struct http_ready_event){
            .tag = events[i].data.ptr,
            .readiness = (e & EPOLLIN ? HTTP_READABLE : 0u) | (e & EPOLLOUT ? HTTP_WRITABLE : 0u) |
                         (e & EPOLLRDHUP ? HTTP_PEER_ENDED : 0u) | (e & (EPOLLHUP | EPOLLERR) ? HTTP_BROKEN : 0u)};
    }
    return n < 0 ? 0 : n;
}

static int waker_new(void)
{
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static void wake(int waker)
{
    uint64_t one = 1;
    while (write(waker, &one, sizeof(one)) < 0 && errno == EINTR)
        continue;
}

static void woken(int waker)
{
    uint64_t count;
    while (read(waker, &count, sizeof(count)) < 0 && errno == EINTR)
        continue;
}

static int signals_new(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    // Who ignores it (nohup) is asked by no terminal.
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGHUP);
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return -1;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // so is writing beyond the largest file that the system allows
    return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

static int next_signal(int signals)
{
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return 0;
    // Sent by the kernel and not by a process, SIGHUP says that the terminal has gone.
    bool terminal_gone = info.ssi_signo == SIGHUP && info.ssi_code == SI_KERNEL;
    return terminal_gone ? SIGINT : (int)info.ssi_signo;
}

static void set_eager(pthread_t thread, bool eager)
{
    const struct sched_param none = {0};
    if (pthread_setschedparam(thread, eager ? SCHED_OTHER : SCHED_BATCH, &none) != 0)
        errno = 0; // slower, not wrong
}

static void trim_memory(void)
{
    if (!PL_SANITIZED) // its heap is not the C library's, whose own may have nothing yet
        malloc_trim(0);
}

const struct http_seam http_system_seam = {
    .now_ns = pl_now_ns,
    .wall_ms = wall_ms,
    .accept = accept_connection,
    .receive = receive,
    .peek = peek,
    .stop_input = stop_input,
    .send = send_parts,
    .end_sending = end_sending,
    .close = close_socket,
    .reset_at_exit = reset_at_exit,
    .poller_new = poller_new,
    .watch_connection = watch_connection,
    .watch_input = watch_input,
    .unwatch = unwatch,
    .wait = wait_for_events,
    .waker_new = waker_new,
    .wake = wake,
    .woken = woken,
    .signals_new = signals_new,
    .next_signal = next_signal,
    .set_eager = set_eager,
    .trim_memory = trim_memory,
};
