// Tells a service manager (systemd's Type=notify) when the service is ready and when it begins to stop.
#include "http/io/io.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Nobody who listens is no error: the manager notices by itself.
void http_notify_open(struct http_io *io)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t len = path ? strlen(path) : 0;
    if (len < 2 || len >= sizeof(address.sun_path) || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(address.sun_path, path, len);
    if (path[0] == '@')
        address.sun_path[0] = '\0'; // a name that is no file
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    if (connect(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) != 0) {
        close(fd);
        return;
    }
    io->notify_fd = fd;
    io->notifies = true;
}

void http_notify(const struct http_io *io, const char *state)
{
    if (io->notifies && send(io->notify_fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        errno = 0;
}

void http_notify_close(struct http_io *io)
{
    if (io->notifies)
        close(io->notify_fd);
    io->notifies = false;
}
