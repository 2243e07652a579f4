// What the loops share beside their connections: the listener, signals, stopping, the service manager.
#ifndef HTTP_IO_H
#define HTTP_IO_H

#include "http/exchange/loop.h"
#include "http/system/backoff.h"

struct http_io {
    // The first loop's own.
    int listen_fd, signal_fd;
    struct http_backoff accepting;
    unsigned signals;
    uint64_t door_closes_ns; // when the listener closes, once a signal has come; 0: not set
    // For all loops.
    atomic_uint_fast64_t drain_end_ns; // set before `door_closed`
    atomic_bool door_closed;           // no loop gets another connection
    atomic_bool abandoned;             // loops end at once
    atomic_uint loops_running;
    bool notifies; // a service manager listens at notify_fd
    int notify_fd;
};

// notify.c: `state` as of sd_notify(3)
void http_notify_open(struct http_io *io);
void http_notify(const struct http_io *io, const char *state);
void http_notify_close(struct http_io *io);
// listen.c
#define HTTP_LISTEN_HOST 256
// Are --listen and --allow-host what they should be? Takes the first apart.
enum pl_errc http_listen_check(const struct http_server *s, char host[HTTP_LISTEN_HOST], const char **port,
                               struct pl_error *err) PL_MUST_USE;
enum pl_errc http_listen(struct http_server *s, char *address, size_t address_size, struct pl_error *err) PL_MUST_USE;
// accept.c: the first loop's part
enum pl_errc http_accept_start(struct http_loop *first, struct pl_error *err) PL_MUST_USE;
void http_accept(struct http_loop *first);
void http_accept_resume(struct http_loop *first); // after a pause, when its time has come
void http_accept_end(struct http_loop *first);
// and what the other loops do
void http_arrivals_take(struct http_loop *l);
void http_arrivals_drop(struct http_loop *l);
uint32_t http_connection_count(const struct http_server *s);
// drain.c
void http_on_signal(struct http_loop *first);
void http_drain_step(struct http_loop *l); // at the end of every turn

#endif
