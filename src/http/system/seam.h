// What the HTTP core asks of the world, in one table: clock, sockets, readiness, wake-ups. The services use
// http_system_seam; tests/simulation puts a world of its own behind the same table. (Memory needs no row: the simulator
// replaces malloc when it is linked.)
#ifndef HTTP_SEAM_H
#define HTTP_SEAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

enum http_readiness {
    HTTP_READABLE = 1, // bytes, or the end of the stream
    HTTP_WRITABLE = 2,
    HTTP_PEER_ENDED = 4, // the peer sends no more; it may still read
    HTTP_BROKEN = 8      // reset, or closed in both directions
};

struct http_ready_event {
    void *tag;
    unsigned readiness; // of enum http_readiness
};

struct http_seam {
    uint64_t (*now_ns)(void);  // monotonic
    uint64_t (*wall_ms)(void); // since 1970
    // Connections. Results as of the system calls: -1 with errno; nothing blocks. EINTR does not come through.
    int (*accept)(int listener, struct sockaddr_storage *peer);
    ssize_t (*receive)(int fd, void *room, size_t size);
    ssize_t (*peek)(int fd, void *room, size_t size); // the same bytes come again
    // From now on the system acknowledges nothing that comes: a listener gets no more connections, a connection no more
    // bytes. What was acknowledged before can still be taken, so that a close after it loses nothing.
    void (*stop_input)(int fd);
    ssize_t (*send)(int fd, const struct iovec *parts, size_t count);
    int (*end_sending)(int fd);
    void (*close)(int fd, bool reset); // reset: what the peer has not read yet is dropped
    // Whether a connection that the end of the program closes, or close(), ends with a reset.
    void (*reset_at_exit)(int fd, bool on);
    // A set of descriptors whose readiness is waited for.
    int (*poller_new)(void);
    bool (*watch_connection)(int poller, int fd, void *tag); // tells changes of readiness, in both directions
    bool (*watch_input)(int poller, int fd, void *tag);      // tells as long as there is input
    bool (*unwatch)(int poller, int fd);
    int (*wait)(int poller, struct http_ready_event *events, int most, int timeout_ms); // -1 ms: for ever
    // How other threads end a loop's wait: a descriptor that has input once `wake` was called.
    int (*waker_new)(void);
    void (*wake)(int waker);
    void (*woken)(int waker); // forgets the calls so far
    // SIGTERM and SIGINT, which ask the program to end, and SIGHUP, which asks for other keys: the next one that has
    // come, or 0.
    int (*signals_new)(void);
    int (*next_signal)(int signals);
    // Whether a loop's thread that wakes up takes its core from who has it at once.
    void (*set_eager)(pthread_t thread, bool eager);
    // Gives memory that was freed back to the system.
    void (*trim_memory)(void);
};

extern const struct http_seam http_system_seam;

#endif
