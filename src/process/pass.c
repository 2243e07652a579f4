// Descriptors over a socket pair (SCM_RIGHTS).
#include "process/pass.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

union extra {
    struct cmsghdr align;
    char room[CMSG_SPACE(sizeof(int))];
};

bool pl_pass_send(int fd, const void *message, size_t size, int passed)
{
    union extra extra = {0};
    struct iovec part = {(void *)(uintptr_t)message, size};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed >= 0) {
        m.msg_control = extra.room;
        m.msg_controllen = sizeof(extra.room);
        struct cmsghdr *head = CMSG_FIRSTHDR(&m);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &passed, sizeof(int));
    }
    return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)size;
}

bool pl_pass_receive(int fd, void *message, size_t size, int *passed)
{
    union extra extra = {0};
    struct iovec part = {message, size};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = extra.room, .msg_controllen = sizeof(extra.room)};
    ssize_t n;
    *passed = -1;
    do
        n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)size)
        return false;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
        memcpy(passed, CMSG_DATA(head), sizeof(int));
    return true;
}
