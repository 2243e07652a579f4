// Who may ask, and how often: API keys compared in constant time, and a bucket of tokens per client.
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "http/server.h"

#define KEY_FILE_MAX (1 << 20)
#define BUCKETS 16384u // a power of two
#define PROBES 8

enum pl_errc http_keys_load(struct http_keys *keys, const char *path, struct pl_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return pl_fail(err, PL_E_IO, "--api-key-file: cannot read '%s'", path);
    keys->text = malloc(KEY_FILE_MAX);
    size_t len = keys->text ? fread(keys->text, 1, KEY_FILE_MAX, file) : 0;
    bool whole = feof(file) != 0 && !ferror(file);
    fclose(file);
    if (!keys->text)
        return pl_fail_memory(err);
    if (!whole)
        return pl_fail(err, PL_E_IO, "--api-key-file: '%s' is unreadable or larger than 1 MiB", path);
    size_t lines = 1;
    for (size_t i = 0; i < len; i++)
        lines += keys->text[i] == '\n';
    keys->keys = calloc(lines, sizeof(*keys->keys));
    if (!keys->keys)
        return pl_fail_memory(err);
    for (size_t at = 0; at < len;) {
        const char *newline = memchr(keys->text + at, '\n', len - at);
        size_t end = newline ? (size_t)(newline - keys->text) : len;
        struct pl_slice line = pl_slice_trim(pl_slice_make(keys->text + at, end - at));
        if (line.len > 0 && line.ptr[0] != '#')
            keys->keys[keys->count++] = line;
        at = end + 1;
    }
    if (keys->count == 0)
        return pl_fail(err, PL_E_INVALID, "--api-key-file: '%s' holds no key", path);
    return PL_OK;
}

void http_keys_free(struct http_keys *keys)
{
    free(keys->keys);
    free(keys->text);
    *keys = (struct http_keys){0};
}

bool http_keys_accept(const struct http_keys *keys, struct pl_slice given)
{
    // Every key is compared over its whole length, so that the time tells nothing about how much was right.
    unsigned accepted = 0;
    for (size_t k = 0; k < keys->count; k++) {
        struct pl_slice key = keys->keys[k];
        unsigned wrong = key.len != given.len;
        for (size_t i = 0; i < key.len; i++)
            wrong |= (unsigned)(key.ptr[i] ^ (given.len > 0 ? given.ptr[i % given.len] : 0));
        accepted |= wrong == 0;
    }
    return accepted != 0 && given.len > 0;
}

static uint64_t client_key(const struct http_server *s, const struct sockaddr_storage *peer, struct pl_slice forwarded)
{
    return forwarded.len > 0 ? pl_hash_mix(s->id_seed, pl_hash_fnv1a(forwarded)) : http_client_key(s, peer);
}

// With the lock held.
static bool take_token(struct http_server *s, uint64_t key, uint64_t now_ms, uint64_t *retry_s)
{
    struct http_rates *rates = &s->rates;
    if (!rates->buckets) {
        rates->buckets = calloc(BUCKETS, sizeof(*rates->buckets));
        if (!rates->buckets)
            return true;
    }
    uint64_t burst = (s->config.rate_burst ? s->config.rate_burst : 2 * (uint64_t)s->config.rate_limit) * 1000u;
    struct http_bucket *bucket = NULL, *stalest = NULL;
    for (unsigned i = 0; i < PROBES && !bucket; i++) {
        struct http_bucket *b = &rates->buckets[(key + i) & (BUCKETS - 1)];
        if (b->key == key)
            bucket = b;
        else if (!stalest || b->at_ms < stalest->at_ms)
            stalest = b;
    }
    if (!bucket) {
        bucket = stalest;
        *bucket = (struct http_bucket){.key = key, .milli = burst, .at_ms = now_ms};
    }
    // The clock of another loop may be a moment ahead.
    uint64_t gained = now_ms > bucket->at_ms ? (now_ms - bucket->at_ms) * s->config.rate_limit : 0;
    bucket->at_ms = PL_MAX(now_ms, bucket->at_ms);
    bucket->milli = bucket->milli + gained > burst ? burst : bucket->milli + gained;
    if (bucket->milli < 1000) {
        *retry_s = (1000 - bucket->milli) / s->config.rate_limit / 1000 + 1;
        return false;
    }
    bucket->milli -= 1000;
    return true;
}

bool http_rate_take(struct http_server *s, uint64_t now_ns, const struct sockaddr_storage *peer,
                    struct pl_slice forwarded, uint64_t *retry_s)
{
    *retry_s = 1;
    uint64_t key = client_key(s, peer, forwarded) | 1;
    pthread_mutex_lock(&s->rates.lock);
    bool granted = take_token(s, key, now_ns / 1000000u, retry_s);
    pthread_mutex_unlock(&s->rates.lock);
    return granted;
}
