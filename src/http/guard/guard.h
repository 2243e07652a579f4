// Who may ask, and how often.
#ifndef HTTP_GUARD_H
#define HTTP_GUARD_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "http/exchange/exchange.h"
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

struct http_guard {
    pthread_rwlock_t keys_lock;
    struct http_keys keys; // replaced at SIGHUP; never from some to none
    struct http_key_reader key_reader;
    struct http_rates rates;
    struct pl_buf cors; // header lines for answers that pages of other origins may read
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
// key_reader.c
enum pl_errc http_key_reader_fork(struct http_server *s,
                                  struct pl_error *err) PL_MUST_USE; // while there are no threads
enum pl_errc http_key_reader_start(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_key_reader_ask(struct http_server *s); // does not wait
void http_key_reader_stop(struct http_server *s);

#endif
