// Standard error without waiting for it.
#include "process/say.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"

#define LINE_BYTES 2048 // a pipe that has room has room for as much
#define PATIENCE_MS 2000

// One standard error for the whole process.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own = -1; // the same pipe, never waited for; -1: there is none
static unsigned long long dropped;

void pl_say_begin(void)
{
    struct stat kind;
    own = fstat(STDERR_FILENO, &kind) == 0 && S_ISFIFO(kind.st_mode)
              ? open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
              : -1;
    errno = 0;
}

static bool write_line(const char *text, size_t size, int wait_ms)
{
    struct pollfd room = {.fd = fileno(stderr), .events = POLLOUT};
    if (room.fd < 0) // it is memory
        return fwrite(text, 1, size, stderr) == size;
    if (poll(&room, 1, wait_ms) <= 0 || !(room.revents & POLLOUT))
        return false;
    ssize_t n = own >= 0 ? write(own, text, size) : send(room.fd, text, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno == ENOTSOCK)
        n = write(room.fd, text, size);
    return n == (ssize_t)size;
}

static void PL_PRINTF(2, 0) say(int wait_ms, const char *format, va_list list)
{
    char text[LINE_BYTES + 128];
    int before = 0;
    pthread_mutex_lock(&lock);
    if (dropped > 0)
        before = snprintf(text, sizeof text, "%llu lines are missing here: standard error was not read\n", dropped);
    int n = vsnprintf(text + before, LINE_BYTES, format, list);
    size_t size = (size_t)before + (size_t)PL_MIN(PL_MAX(n, 0), LINE_BYTES - 1);
    text[size++] = '\n';
    // Who has not read for so long is not waited for again.
    dropped = write_line(text, size, dropped > 0 ? 0 : wait_ms) ? 0 : dropped + 1;
    pthread_mutex_unlock(&lock);
}

void pl_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(0, format, list);
    va_end(list);
}

void pl_say_patiently(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(PATIENCE_MS, format, list);
    va_end(list);
}
