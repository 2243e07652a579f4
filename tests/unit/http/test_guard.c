// API keys and the bucket of tokens.
#include <stdlib.h>
#include <string.h>

#include <stdio.h>
#include <unistd.h>

#include "http/server/server.h"
#include "unit.h"

static void keys(void **state)
{
    (void)state;
    struct http_keys keys = {0};
    char name[] = "/tmp/keysXXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    const char *text = "# comment\r\n alpha \r\n\nbeta\ngam#ma\t # shop in Porto";
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    assert_int_equal(http_keys_load(&keys, name, NULL), PL_OK);
    assert_int_equal(keys.count, 3);
    assert_non_null(http_keys_find(&keys, pl_slice_cstr("alpha")));
    assert_non_null(http_keys_find(&keys, pl_slice_cstr("beta")));
    assert_null(http_keys_find(&keys, pl_slice_cstr("")));
    assert_null(http_keys_find(&keys, pl_slice_cstr("alph")));
    assert_null(http_keys_find(&keys, pl_slice_cstr("alphaa")));
    assert_null(http_keys_find(&keys, pl_slice_cstr("betabeta")));
    assert_null(http_keys_find(&keys, pl_slice_cstr("# comment")));
    assert_int_equal(http_keys_find(&keys, pl_slice_cstr("beta"))->line, 4);
    assert_int_equal(http_keys_find(&keys, pl_slice_cstr("beta"))->name.len, 0);
    assert_true(pl_slice_eq(http_keys_find(&keys, pl_slice_cstr("gam#ma"))->name, pl_slice_cstr("shop in Porto")));
    http_keys_free(&keys);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("# nothing\n", file);
    fclose(file);
    assert_int_equal(http_keys_load(&keys, name, NULL), PL_E_INVALID);
    http_keys_free(&keys);
    unlink(name);
    assert_int_equal(http_keys_load(&keys, name, NULL), PL_E_IO);
    http_keys_free(&keys);
}

static struct sockaddr_storage four(uint32_t address)
{
    struct sockaddr_storage peer = {0};
    struct sockaddr_in *in = (struct sockaddr_in *)&peer;
    in->sin_family = AF_INET;
    in->sin_addr.s_addr = address;
    return peer;
}

static void rate(void **state)
{
    (void)state;
    struct http_server *s = http_server_new(NULL);
    assert_non_null(s);
    s->config.rate_limit = 10;
    s->config.rate_burst = 3;
    uint64_t now_ns = 1000000000;
    pthread_mutex_init(&s->guard->rates.lock, NULL);
    struct sockaddr_storage a = four(1), b = four(2);
    struct pl_slice none = pl_slice_make("", 0);
    uint64_t retry;
    for (int i = 0; i < 3; i++)
        assert_true(http_rate_take(s, now_ns, &a, none, &retry));
    assert_false(http_rate_take(s, now_ns, &a, none, &retry));
    assert_int_equal(retry, 1);
    assert_true(http_rate_take(s, now_ns, &b, none, &retry));
    now_ns += 100000000; // a tenth of a second: one token
    assert_true(http_rate_take(s, now_ns, &a, none, &retry));
    assert_false(http_rate_take(s, now_ns, &a, none, &retry));
    now_ns += 3600000000000; // never more than the burst
    for (int i = 0; i < 3; i++)
        assert_true(http_rate_take(s, now_ns, &a, none, &retry));
    assert_false(http_rate_take(s, now_ns, &a, none, &retry));
    assert_true(http_rate_take(s, now_ns, &a, pl_slice_cstr("10.0.0.1"), &retry));
    // A loop whose clock is behind takes nothing away and gains nothing.
    assert_false(http_rate_take(s, now_ns - 50000000, &a, none, &retry));
    assert_false(http_rate_take(s, now_ns + 90000000, &a, none, &retry));
    assert_true(http_rate_take(s, now_ns + 100000000, &a, none, &retry));
    // Many clients push out the stalest, and never write outside the table.
    for (uint32_t i = 0; i < 100000; i++) {
        struct sockaddr_storage c = four(i * 7919u);
        now_ns += 1000000;
        assert_true(http_rate_take(s, now_ns, &c, none, &retry));
    }
    free(s->guard->rates.buckets);
    pthread_mutex_destroy(&s->guard->rates.lock);
    free(s);
}

static struct http_server *server_with_keys(void)
{
    struct http_server *s = http_server_new(NULL);
    static struct http_key keys[2];
    assert_non_null(s);
    keys[0] = (struct http_key){.key = pl_slice_cstr("alpha"), .line = 1};
    keys[1] = (struct http_key){.key = pl_slice_cstr("beta"), .line = 2};
    s->guard->keys.keys = keys;
    s->guard->keys.count = 2;
    pthread_mutex_init(&s->guard->rates.lock, NULL);
    return s;
}

static void free_server(struct http_server *s)
{
    free(s->guard->rates.buckets);
    pthread_mutex_destroy(&s->guard->rates.lock);
    free(s);
}

// A client behind a proxy is one however the proxy writes it, and all of an IPv6 /64 are one.
static void forwarded_clients(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        bool same;
    } rows[] = {
        {"10.0.0.1", "10.0.0.1", true},
        {"10.0.0.1", "10.0.0.2", false},
        {"10.0.0.1:1000", "10.0.0.1:2000", true},
        {"10.0.0.1", "10.0.0.1:2000", true},
        {"2001:db8::1", "2001:db8::2", true},
        {"2001:db8::1", "[2001:db8::2]:80", true},
        {"2001:db8::1", "2001:db8:0:1::1", false},
        {"_hidden", "_hidden", true},
        {"_hidden", "_other", false},
        {"unknown", "10.0.0.1", false},
        {"a:b:c", "a:b:d", false},
        {"[::1", "[::2", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct http_server *s = server_with_keys();
        struct sockaddr_storage proxy = four(1);
        uint64_t retry;
        s->config.rate_limit = s->config.rate_burst = 1;
        assert_true(http_rate_take(s, 1000000000, &proxy, pl_slice_cstr(rows[i].first), &retry));
        if (http_rate_take(s, 1000000000, &proxy, pl_slice_cstr(rows[i].second), &retry) == rows[i].same)
            fail_msg("%s and %s", rows[i].first, rows[i].second);
        free_server(s);
    }
}

static void wrong_keys(void **state)
{
    (void)state;
    struct http_server *s = server_with_keys();
    struct sockaddr_storage a = four(1), b = four(2);
    struct pl_slice none = pl_slice_make("", 0), wrong = pl_slice_cstr("gamma");
    struct pl_slice alpha = pl_slice_cstr("alpha"), beta = pl_slice_cstr("beta");
    uint64_t now = 1000000000, retry;
    struct http_key_try tried;
    // Right keys cost nothing.
    for (int i = 0; i < 100; i++)
        assert_int_equal(http_key_try(s, now, &a, none, alpha, &tried), HTTP_KEY_RIGHT);
    for (int i = 0; i < 20; i++)
        assert_int_equal(http_key_try(s, now, &a, none, wrong, &tried), HTTP_KEY_WRONG);
    assert_int_equal(http_key_try(s, now, &a, none, wrong, &tried), HTTP_KEY_LATER);
    assert_int_equal(tried.retry_s, 1);
    assert_string_equal(tried.name, "");
    // A right key that was guessed looks as a wrong one does; one that this client is known by is taken.
    assert_int_equal(http_key_try(s, now, &a, none, beta, &tried), HTTP_KEY_LATER);
    assert_int_equal(http_key_try(s, now, &a, none, alpha, &tried), HTTP_KEY_RIGHT);
    // Others are not concerned.
    assert_int_equal(http_key_try(s, now, &b, none, beta, &tried), HTTP_KEY_RIGHT);
    assert_string_equal(tried.name, "line 2");
    assert_int_equal(http_key_try(s, now, &b, none, wrong, &tried), HTTP_KEY_WRONG);
    // Five tries a second; a right one takes none of them.
    now += 200000000;
    assert_int_equal(http_key_try(s, now, &a, none, beta, &tried), HTTP_KEY_RIGHT);
    assert_int_equal(http_key_try(s, now, &a, none, wrong, &tried), HTTP_KEY_WRONG);
    assert_int_equal(http_key_try(s, now, &a, none, wrong, &tried), HTTP_KEY_LATER);
    // What a client is known by is forgotten after an hour without it.
    now += 3599000000000;
    assert_int_equal(http_key_try(s, now, &a, none, alpha, &tried), HTTP_KEY_RIGHT);
    now += 3600000000000;
    for (int i = 0; i < 20; i++)
        assert_int_equal(http_key_try(s, now, &a, none, wrong, &tried), HTTP_KEY_WRONG);
    assert_int_equal(http_key_try(s, now, &a, none, alpha, &tried), HTTP_KEY_LATER);
    // The requests' own bucket is another one.
    s->config.rate_limit = s->config.rate_burst = 1;
    assert_true(http_rate_take(s, now, &a, none, &retry));
    assert_false(http_rate_take(s, now, &a, none, &retry));
    free_server(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys), cmocka_unit_test(rate),
                                       cmocka_unit_test(forwarded_clients), cmocka_unit_test(wrong_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
