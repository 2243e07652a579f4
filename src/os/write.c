// Writing to a file, a pipe or a socket.
#include "os/write.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool pl_os_write(int fd, const void *data, size_t size)
{
    const unsigned char *from = data;
    while (size > 0) {
        ssize_t n = write(fd, from, size);
        if (n > 0) {
            from += n;
            size -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            (void)poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (n == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

int pl_os_finish_output(const char *program, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == 0)
        fprintf(stderr, "%s: standard output: %s\n", program, strerror(errno));
    return status ? status : 1;
}
