// Who may ask, how often, and with how many connections.
#ifndef HTTP_GUARD_H
#define HTTP_GUARD_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "http/http.h"

struct http_bucket {
    uint64_t key;
    uint64_t milli; // tokens in thousandths
    uint64_t at_ms;
};

// All loops take from the same buckets.
struct http_rates {
    pthread_mutex_t lock;
    struct http_bucket *buckets; // made when first needed
};

struct http_key {
    struct pl_slice key;
    struct pl_slice name; // for the log: what follows the key behind " #"; may be empty
    size_t line;          // of the file, from 1
};

struct http_keys {
    char *text; // the file
    struct http_key *keys;
    size_t count;
};

#define HTTP_KEY_FILE_MAX ((size_t)1 << 20)
#define HTTP_KEY_NAME 48 // bytes of a key's name in the log, with a NUL behind it
// The keys in keys->text, which has so many bytes and becomes part of the result. `path` is for messages.
enum pl_errc http_keys_parse(struct http_keys *keys, size_t len, const char *path, struct pl_error *err) PL_MUST_USE;
enum pl_errc http_keys_load(struct http_keys *keys, const char *path, struct pl_error *err) PL_MUST_USE;
void http_keys_free(struct http_keys *keys);
// NULL: it is none of them.
const struct http_key *http_keys_find(const struct http_keys *keys, struct pl_slice given);

// The process and the thread that read the keys anew (key_reader.c).
struct http_key_reader {
    bool forked, started;
    atomic_bool ending;
    pid_t pid;
    int channel;
    pthread_t thread;
};

struct http_key_try {
    uint64_t retry_s;
    char name[HTTP_KEY_NAME]; // the right key's name, or "line N" of the file
};

// A client that has sent too many wrong keys waits (retry_s) before its next key is looked at, right or wrong: else it
// could go on guessing. Keys that were right from this client within the last hour are taken all the same, so that who
// shares an address with a guesser can go on working.
enum http_key_verdict { HTTP_KEY_RIGHT, HTTP_KEY_WRONG, HTTP_KEY_LATER };
enum http_key_verdict http_key_try(struct http_server *s, uint64_t now_ns, const struct sockaddr_storage *peer,
                                   struct pl_slice forwarded, struct pl_slice given, struct http_key_try *result);
bool http_rate_take(struct http_server *s, uint64_t now_ns, const struct sockaddr_storage *peer,
                    struct pl_slice forwarded, uint64_t *retry_s);
// What connections of one client have in common: an IPv4 address, or the first half of an IPv6 address.
uint64_t http_client_key(const struct http_server *s, const struct sockaddr_storage *peer);

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
