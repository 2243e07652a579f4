// Who may ask, and how often: API keys compared in constant time, and a bucket of tokens per client.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "base/hmac.h"
#include "http/exchange/server.h"
#include "http/guard/guard.h"
#include "http/message/host.h"

#define BUCKETS 16384u // a power of two
#define PROBES 8
#define TRIES ((struct pace){.per_second = 5, .burst = 20}) // wrong keys of a client
#define KNOWN_MS 3600000u                                   // how long a client is known to have a right key
// Buckets of one client beside that of its requests: its wrong keys, and one for each right key.
#define WRONG_KEYS 1u
#define KNOWN_KEY 2u

enum pl_errc http_keys_load(struct http_keys *keys, const char *path, struct pl_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return pl_fail(err, PL_E_IO, "--api-key-file: cannot read '%s'", path);
    keys->text = malloc(HTTP_KEY_FILE_MAX);
    size_t len = keys->text ? fread(keys->text, 1, HTTP_KEY_FILE_MAX, file) : 0;
    bool whole = feof(file) != 0 && !ferror(file);
    fclose(file);
    if (!keys->text)
        return pl_fail_memory(err);
    if (!whole)
        return pl_fail(err, PL_E_IO, "--api-key-file: '%s' is unreadable or larger than 1 MiB", path);
    return http_keys_parse(keys, len, path, err);
}

// "KEY # name", as comments of a configuration file: the name is what the log shows.
static struct http_key read_key(struct pl_slice line, size_t number)
{
    size_t end = 1;
    while (end < line.len && !(line.ptr[end] == '#' && (line.ptr[end - 1] == ' ' || line.ptr[end - 1] == '\t')))
        end++;
    return (struct http_key){.key = pl_slice_trim(pl_slice_sub(line, 0, end)),
                             .name = pl_slice_trim(pl_slice_sub(line, PL_MIN(end + 1, line.len), line.len)),
                             .line = number};
}

enum pl_errc http_keys_parse(struct http_keys *keys, size_t len, const char *path, struct pl_error *err)
{
    size_t lines = 1;
    for (size_t i = 0; i < len; i++)
        lines += keys->text[i] == '\n';
    keys->keys = calloc(lines, sizeof(*keys->keys));
    if (!keys->keys)
        return pl_fail_memory(err);
    size_t number = 0;
    for (struct pl_slice rest = pl_slice_make(keys->text, len); rest.len > 0;) {
        struct pl_slice line = pl_slice_trim(pl_slice_until(&rest, '\n'));
        number++;
        if (line.len > 0 && line.ptr[0] != '#')
            keys->keys[keys->count++] = read_key(line, number);
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

const struct http_key *http_keys_find(const struct http_keys *keys, struct pl_slice given)
{
    // Every key is compared, so that the time tells nothing about which one was right.
    size_t found = 0;
    for (size_t k = 0; k < keys->count && given.len > 0; k++) {
        size_t right = (size_t)!pl_secret_eq(keys->keys[k].key, given) - 1; // all bits or none
        found = (found & ~right) | ((k + 1) & right);
    }
    return found > 0 ? &keys->keys[found - 1] : NULL;
}

static void write_name(const struct http_key *key, char name[HTTP_KEY_NAME])
{
    struct pl_slice shown = pl_slice_sub(key->name, 0, HTTP_KEY_NAME - 1);
    if (shown.len == 0) {
        snprintf(name, HTTP_KEY_NAME, "line %zu", key->line);
        return;
    }
    for (size_t i = 0; i < shown.len; i++)
        name[i] = shown.ptr[i] >= 0x20 && shown.ptr[i] < 0x7F ? (char)shown.ptr[i] : '?';
    name[shown.len] = '\0';
}

// The address that a proxy has written: "1.2.3.4", "2001:db8::1", each with a port or without.
static bool read_address(struct pl_slice text, struct sockaddr_storage *out)
{
    struct sockaddr_in *four = (struct sockaddr_in *)(void *)out;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)out;
    char name[INET6_ADDRSTRLEN];
    struct pl_slice host = text;
    // Only an IPv6 address has two colons without brackets, and then no port.
    bool is_bare = text.ptr[0] != '[' && memchr(text.ptr, ':', text.len) != memrchr(text.ptr, ':', text.len);
    if (!is_bare && !http_host_split(text, &host))
        return false;
    if (host.len >= sizeof(name))
        return false;
    memcpy(name, host.ptr, host.len);
    name[host.len] = '\0';
    *out = (struct sockaddr_storage){.ss_family = AF_INET};
    if (inet_pton(AF_INET, name, &four->sin_addr) == 1)
        return true;
    out->ss_family = AF_INET6;
    return inet_pton(AF_INET6, name, &six->sin6_addr) == 1;
}

uint64_t http_client_key(const struct http_server *s, const struct sockaddr_storage *peer)
{
    uint64_t address;
    if (peer->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)peer;
        uint64_t half[2];
        memcpy(half, &six->sin6_addr, sizeof(half));
        // An IPv4 client in the form of IPv6 is the same client.
        uint32_t four;
        memcpy(&four, six->sin6_addr.s6_addr + 12, sizeof(four));
        address = IN6_IS_ADDR_V4MAPPED(&six->sin6_addr) ? four : half[0];
    } else {
        address = ((const struct sockaddr_in *)(const void *)peer)->sin_addr.s_addr;
    }
    uint64_t key = pl_hash_mix(s->id_seed, address);
    return key ? key : 1; // 0 is an empty place
}

// What the proxy says counts, if it says anything.
static uint64_t client_of(const struct http_server *s, const struct sockaddr_storage *peer, struct pl_slice forwarded)
{
    struct sockaddr_storage address;
    if (forwarded.len == 0)
        return http_client_key(s, peer);
    if (read_address(forwarded, &address))
        return http_client_key(s, &address);
    return pl_hash_mix(s->id_seed, pl_hash_fnv1a(forwarded)) | 1;
}

uint64_t http_client_of(const struct http_request *req)
{
    return req->client.len > 0 ? client_of(req->server, NULL, req->client) : 1;
}

// The bucket of that key, or NULL with the one that may best be given up for it. With the lock held.
static struct http_bucket *find_bucket(struct http_rates *rates, uint64_t key, struct http_bucket **stalest)
{
    *stalest = NULL;
    for (unsigned i = 0; i < PROBES; i++) {
        struct http_bucket *b = &rates->buckets[(key + i) & (BUCKETS - 1)];
        if (b->key == key)
            return b;
        if (!*stalest || b->at_ms < (*stalest)->at_ms)
            *stalest = b;
    }
    return NULL;
}

static bool have_buckets(struct http_rates *rates)
{
    if (!rates->buckets)
        rates->buckets = calloc(BUCKETS, sizeof(*rates->buckets));
    return rates->buckets != NULL;
}

struct pace {
    uint64_t per_second;
    uint64_t burst;
};

// What has come in since the last time.
static void fill(struct http_bucket *bucket, struct pace pace, uint64_t now_ms)
{
    // The clock of another loop may be a moment ahead.
    uint64_t gained = now_ms > bucket->at_ms ? (now_ms - bucket->at_ms) * pace.per_second : 0;
    bucket->at_ms = PL_MAX(now_ms, bucket->at_ms);
    bucket->milli = PL_MIN(bucket->milli + gained, pace.burst * 1000u);
}

static bool has_token(const struct http_bucket *bucket, struct pace pace, uint64_t *retry_s)
{
    if (bucket->milli >= 1000)
        return true;
    *retry_s = (1000 - bucket->milli) / pace.per_second / 1000 + 1;
    return false;
}

// With the lock held.
static bool take_token(struct http_rates *rates, uint64_t key, struct pace pace, uint64_t now_ms, uint64_t *retry_s)
{
    struct http_bucket *stalest;
    struct http_bucket *bucket = find_bucket(rates, key, &stalest);
    if (!bucket) {
        bucket = stalest;
        *bucket = (struct http_bucket){.key = key, .milli = pace.burst * 1000u, .at_ms = now_ms};
    }
    fill(bucket, pace, now_ms);
    if (!has_token(bucket, pace, retry_s))
        return false;
    bucket->milli -= 1000;
    return true;
}

bool http_rate_take(struct http_server *s, uint64_t now_ns, const struct sockaddr_storage *peer,
                    struct pl_slice forwarded, uint64_t *retry_s)
{
    *retry_s = 1;
    uint64_t rate = s->config.rate_limit;
    struct pace pace = {rate, s->config.rate_burst ? s->config.rate_burst : 2 * rate};
    uint64_t key = client_of(s, peer, forwarded);
    pthread_mutex_lock(&s->guard->rates.lock);
    bool granted =
        !have_buckets(&s->guard->rates) || take_token(&s->guard->rates, key, pace, now_ns / 1000000u, retry_s);
    pthread_mutex_unlock(&s->guard->rates.lock);
    return granted;
}

// A right key: is it taken now? With the lock held.
static bool take_right_key(struct http_rates *rates, uint64_t client, struct pl_slice key, uint64_t now_ms,
                           uint64_t *retry_s)
{
    struct http_bucket *stalest, *unused;
    // By the key itself, not by its number: the file may have other keys by now.
    uint64_t mark = pl_hash_mix(pl_hash_mix(client, KNOWN_KEY), pl_hash_fnv1a(key)) | 1;
    struct http_bucket *known = find_bucket(rates, mark, &stalest);
    struct http_bucket *tries = find_bucket(rates, pl_hash_mix(client, WRONG_KEYS) | 1, &unused);
    if (tries && !(known && now_ms < known->at_ms + KNOWN_MS)) {
        fill(tries, TRIES, now_ms);
        if (!has_token(tries, TRIES, retry_s))
            return false;
    }
    *(known ? known : stalest) = (struct http_bucket){.key = mark, .at_ms = now_ms};
    return true;
}

enum http_key_verdict http_key_try(struct http_server *s, uint64_t now_ns, const struct sockaddr_storage *peer,
                                   struct pl_slice forwarded, struct pl_slice given, struct http_key_try *result)
{
    *result = (struct http_key_try){.retry_s = 1};
    struct http_rates *rates = &s->guard->rates;
    uint64_t now_ms = now_ns / 1000000u;
    uint64_t client = client_of(s, peer, forwarded);
    pthread_rwlock_rdlock(&s->guard->keys_lock);
    const struct http_key *key = http_keys_find(&s->guard->keys, given);
    bool right = key != NULL;
    if (key)
        write_name(key, result->name); // the keys may be others as soon as the lock is free
    pthread_rwlock_unlock(&s->guard->keys_lock);
    bool taken = true;
    pthread_mutex_lock(&rates->lock);
    if (have_buckets(rates))
        taken = right ? take_right_key(rates, client, given, now_ms, &result->retry_s)
                      : take_token(rates, pl_hash_mix(client, WRONG_KEYS) | 1, TRIES, now_ms, &result->retry_s);
    pthread_mutex_unlock(&rates->lock);
    if (!taken)
        return HTTP_KEY_LATER;
    return right ? HTTP_KEY_RIGHT : HTTP_KEY_WRONG;
}
