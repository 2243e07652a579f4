// What each client has of connections and memory.
#ifndef HTTP_CLIENTS_H
#define HTTP_CLIENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

// How many connections each client has open and how much memory it makes the service hold. Taken and given back by any
// thread.
struct http_client_share {
    uint64_t key; // 0: an empty place
    size_t bytes;
    uint32_t connections;
};

struct http_clients {
    pthread_mutex_t lock;
    struct http_client_share *places;
    size_t place_count; // a power of two, at least four times the number of connections
    uint32_t most;      // connections of one client; 0: no limit
    size_t most_bytes;  // memory of one client; 0: no limit
};

// For as many connections in all.
enum pl_errc http_clients_init(struct http_clients *clients, uint32_t connections, uint32_t most, size_t most_bytes,
                               struct pl_error *err) PL_MUST_USE;
void http_clients_fini(struct http_clients *clients);
bool http_clients_take(struct http_clients *clients, uint64_t key); // false: it has as many as it may
void http_clients_give(struct http_clients *clients, uint64_t key);
bool http_clients_take_bytes(struct http_clients *clients, uint64_t key, size_t bytes); // the same for memory
void http_clients_give_bytes(struct http_clients *clients, uint64_t key, size_t bytes);

#endif
