// Pausing a listener.
#include "http/system/backoff.h"

#include <errno.h>

#define PAUSE_NS 100000000ull

bool http_backoff_starved(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

void http_backoff_watch(struct http_backoff *b, const struct http_seam *seam, int poller, int fd, void *tag, bool on)
{
    if (b->watched == on || fd < 0)
        return;
    if (on ? seam->watch_input(poller, fd, tag) : seam->unwatch(poller, fd))
        b->watched = on;
}

void http_backoff_pause(struct http_backoff *b, const struct http_seam *seam, int poller, int fd, uint64_t now_ns)
{
    http_backoff_watch(b, seam, poller, fd, NULL, false);
    b->again_ns = now_ns + PAUSE_NS;
}

void http_backoff_resume(struct http_backoff *b, const struct http_seam *seam, int poller, int fd, void *tag,
                         uint64_t now_ns)
{
    if (b->again_ns == 0 || now_ns < b->again_ns)
        return;
    http_backoff_watch(b, seam, poller, fd, tag, true);
    b->again_ns = b->watched || fd < 0 ? 0 : now_ns + PAUSE_NS;
}
