// API keys and the bucket of tokens.
#include <stdlib.h>
#include <string.h>

#include <stdio.h>
#include <unistd.h>

#include "http/server.h"
#include "unit.h"

static void keys(void **state)
{
    (void)state;
    struct http_keys keys = {0};
    char name[] = "/tmp/keysXXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    const char *text = "# comment\r\n alpha \r\n\nbeta";
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    assert_int_equal(http_keys_load(&keys, name, NULL), PL_OK);
    assert_int_equal(keys.count, 2);
    assert_true(http_keys_accept(&keys, pl_slice_cstr("alpha")));
    assert_true(http_keys_accept(&keys, pl_slice_cstr("beta")));
    assert_false(http_keys_accept(&keys, pl_slice_cstr("")));
    assert_false(http_keys_accept(&keys, pl_slice_cstr("alph")));
    assert_false(http_keys_accept(&keys, pl_slice_cstr("alphaa")));
    assert_false(http_keys_accept(&keys, pl_slice_cstr("betabeta")));
    assert_false(http_keys_accept(&keys, pl_slice_cstr("# comment")));
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
    struct http_server *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    s->config.rate_limit = 10;
    s->config.rate_burst = 3;
    uint64_t now_ns = 1000000000;
    pthread_mutex_init(&s->rates.lock, NULL);
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
    free(s->rates.buckets);
    pthread_mutex_destroy(&s->rates.lock);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys), cmocka_unit_test(rate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
