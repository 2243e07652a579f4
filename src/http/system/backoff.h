// A listener that is not watched for a moment when the system has no descriptors or memory for another connection: what
// cannot be accepted stays readable, and a loop that looked at it again and again would do nothing else.
#ifndef HTTP_BACKOFF_H
#define HTTP_BACKOFF_H

#include "http/system/seam.h"

struct http_backoff {
    bool watched;
    uint64_t again_ns; // when it is watched again; 0: it does not wait
};

// Is this errno of accept one that passes when others give up what they have?
bool http_backoff_starved(int error);
void http_backoff_watch(struct http_backoff *backoff, const struct http_seam *seam, int poller, int fd, void *tag,
                        bool on);
void http_backoff_pause(struct http_backoff *backoff, const struct http_seam *seam, int poller, int fd,
                        uint64_t now_ns);
// Watches it again when the moment is over.
void http_backoff_resume(struct http_backoff *backoff, const struct http_seam *seam, int poller, int fd, void *tag,
                         uint64_t now_ns);

#endif
