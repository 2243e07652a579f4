// Bytes between two processes over a socket pair. They take turns: one asks, the other one answers. The one that
// answers waits as long as it takes; the one that asks, whose time is bounded, waits with patience.
#ifndef PL_PROCESS_CHANNEL_H
#define PL_PROCESS_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

// For as long as it takes. False: the other side has gone.
bool pl_channel_read(int fd, void *room, size_t size);
bool pl_channel_write(int fd, struct iovec *parts, size_t count); // `parts` is changed

// How long to wait for the other process.
struct pl_patience {
    uint64_t until_ns;            // on the monotonic clock; 0: for ever
    const atomic_bool *cancelled; // looked at now and then: nobody wants the answer any more; may be NULL
    atomic_bool *tell;            // is set then, and the other process gets `grace_ns` to end its work; may be NULL
    uint64_t grace_ns;
};

#define PL_CHANNEL_LOOK_MS 20 // between two looks at whether somebody still waits
// Is there still time? To be asked when a wait has ended without success. `patience` may be NULL: always.
bool pl_patience_goes_on(struct pl_patience *patience);

enum pl_channel_result {
    PL_CHANNEL_DONE,
    PL_CHANNEL_GONE, // the other side has ended
    PL_CHANNEL_LATE  // the time is over
};

// Makes waiting on this side short, so that patience can be looked at in between. False: the system refuses.
bool pl_channel_prepare(int fd);
enum pl_channel_result pl_channel_send(int fd, struct iovec *parts, size_t count, struct pl_patience *patience);
enum pl_channel_result pl_channel_receive(int fd, void *room, size_t size, struct pl_patience *patience);

#endif
