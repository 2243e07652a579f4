// A channel: sending and receiving whole pieces, with patience or without.
#include "process/channel.h"

#include <assert.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/ckd.h"
#include "base/job.h"

// Takes what has moved from the front of `parts`.
static void advance(struct iovec **parts, size_t *count, size_t moved)
{
    while (*count > 0 && moved >= (*parts)->iov_len) {
        moved -= (*parts)->iov_len;
        (*parts)++;
        (*count)--;
    }
    assert(moved == 0 || *count > 0); // the system moves no more than it was given
    if (*count > 0) {
        (*parts)->iov_base = (uint8_t *)(*parts)->iov_base + moved;
        (*parts)->iov_len -= moved;
    }
}

bool pl_patience_goes_on(struct pl_patience *patience)
{
    if (!patience)
        return true;
    uint64_t now = pl_now_ns();
    if (patience->cancelled && atomic_load_explicit(patience->cancelled, memory_order_relaxed)) {
        uint64_t soon = now + patience->grace_ns;
        if (patience->until_ns == 0 || soon < patience->until_ns)
            patience->until_ns = soon;
        if (patience->tell)
            atomic_store_explicit(patience->tell, true, memory_order_relaxed);
        patience->cancelled = NULL; // known
    }
    return patience->until_ns == 0 || now < patience->until_ns;
}

typedef ssize_t move_call(int fd, struct msghdr *message);

static ssize_t send_call(int fd, struct msghdr *message)
{
    return sendmsg(fd, message, MSG_NOSIGNAL);
}

static ssize_t receive_call(int fd, struct msghdr *message)
{
    return recvmsg(fd, message, 0);
}

// Moves all bytes of `parts`.
static enum pl_channel_result move(int fd, move_call *call, struct iovec *parts, size_t count,
                                   struct pl_patience *patience)
{
    advance(&parts, &count, 0);
    while (count > 0) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
        ssize_t n = call(fd, &message);
        if (n > 0)
            advance(&parts, &count, (size_t)n);
        else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return PL_CHANNEL_GONE;
        // After some bytes, too: one at a time they would never end.
        if (count > 0 && !pl_patience_goes_on(patience))
            return PL_CHANNEL_LATE;
    }
    return PL_CHANNEL_DONE;
}

bool pl_channel_prepare(int fd)
{
    const struct timeval look = {.tv_usec = PL_CHANNEL_LOOK_MS * 1000};
    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof(look)) == 0 &&
           setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &look, sizeof(look)) == 0;
}

enum pl_channel_result pl_channel_send(int fd, struct iovec *parts, size_t count, struct pl_patience *patience)
{
    return move(fd, send_call, parts, count, patience);
}

enum pl_channel_result pl_channel_receive(int fd, void *room, size_t size, struct pl_patience *patience)
{
    struct iovec part = {room, size};
    return move(fd, receive_call, &part, 1, patience);
}

bool pl_channel_read(int fd, void *room, size_t size)
{
    return pl_channel_receive(fd, room, size, NULL) == PL_CHANNEL_DONE;
}

bool pl_channel_write(int fd, struct iovec *parts, size_t count)
{
    return pl_channel_send(fd, parts, count, NULL) == PL_CHANNEL_DONE;
}
