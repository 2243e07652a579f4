// What each client has of connections and memory: a table with open addressing, in which a key is at its own place or
// behind it, with no empty place in between.
#include "http/exchange/clients.h"

#include <stdlib.h>

#include "base/arena.h"

enum pl_errc http_clients_init(struct http_clients *clients, uint32_t connections, uint32_t most, size_t most_bytes,
                               struct pl_error *err)
{
    *clients = (struct http_clients){.most = most, .most_bytes = most_bytes};
    pthread_mutex_init(&clients->lock, NULL);
    if (most == 0 && most_bytes == 0)
        return PL_OK;
    clients->place_count = 2;
    // A client's memory may outlive its connections for a moment: there is room for twice as many.
    while (clients->place_count < 4 * (size_t)connections)
        clients->place_count *= 2;
    clients->places = calloc(clients->place_count, sizeof(*clients->places));
    return clients->places ? PL_OK : pl_fail_memory(err);
}

void http_clients_fini(struct http_clients *clients)
{
    free(clients->places);
    clients->places = NULL;
    pthread_mutex_destroy(&clients->lock);
}

// The key's place, or the empty one where it belongs; NULL when the table is full.
static struct http_client_share *find(const struct http_clients *clients, uint64_t key)
{
    size_t mask = clients->place_count - 1;
    for (size_t i = 0; i <= mask; i++) {
        struct http_client_share *place = &clients->places[(key + i) & mask];
        if (place->key == key || place->key == 0)
            return place;
    }
    return NULL;
}

bool http_clients_take(struct http_clients *clients, uint64_t key)
{
    if (clients->most == 0)
        return true;
    pthread_mutex_lock(&clients->lock);
    struct http_client_share *place = find(clients, key);
    bool granted = place && place->connections < clients->most;
    if (granted) {
        place->key = key;
        place->connections++;
    }
    pthread_mutex_unlock(&clients->lock);
    return granted;
}

bool http_clients_take_bytes(struct http_clients *clients, uint64_t key, size_t bytes)
{
    if (clients->most_bytes == 0 || key == 0 || bytes == 0)
        return true;
    pthread_mutex_lock(&clients->lock);
    struct http_client_share *place = find(clients, key);
    bool granted = place && place->bytes <= clients->most_bytes && bytes <= clients->most_bytes - place->bytes;
    if (granted) {
        place->key = key;
        place->bytes += bytes;
    }
    pthread_mutex_unlock(&clients->lock);
    return granted;
}

// Empties a place: keys behind it that could stand there move up, so that no search ends too early.
static void empty(struct http_clients *clients, size_t hole)
{
    size_t mask = clients->place_count - 1;
    for (size_t at = (hole + 1) & mask; at != hole && clients->places[at].key != 0; at = (at + 1) & mask) {
        size_t from_home = (at - clients->places[at].key) & mask;
        size_t from_hole = (at - hole) & mask;
        if (from_home < from_hole)
            continue; // its own place lies behind the hole
        clients->places[hole] = clients->places[at];
        hole = at;
    }
    clients->places[hole] = (struct http_client_share){0};
}

// With the lock held. A client that has nothing any more needs no place.
static void drop_if_empty(struct http_clients *clients, struct http_client_share *place)
{
    if (place->connections == 0 && place->bytes == 0)
        empty(clients, (size_t)(place - clients->places));
}

void http_clients_give(struct http_clients *clients, uint64_t key)
{
    if (clients->most == 0)
        return;
    pthread_mutex_lock(&clients->lock);
    struct http_client_share *place = find(clients, key);
    if (place && place->connections > 0) {
        place->connections--;
        drop_if_empty(clients, place);
    }
    pthread_mutex_unlock(&clients->lock);
}

void http_clients_give_bytes(struct http_clients *clients, uint64_t key, size_t bytes)
{
    if (clients->most_bytes == 0 || key == 0 || bytes == 0)
        return;
    pthread_mutex_lock(&clients->lock);
    struct http_client_share *place = find(clients, key);
    if (place && place->bytes >= bytes) {
        place->bytes -= bytes;
        drop_if_empty(clients, place);
    }
    pthread_mutex_unlock(&clients->lock);
}
