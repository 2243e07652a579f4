// Names in Host: how they are read, which of them mean this machine, and which are answered.
#include <stdlib.h>
#include <string.h>

#include "http/guard/host_list.h"
#include "http/message/host.h"
#include "http/server/server.h"
#include "unit.h"

static void authorities(void **state)
{
    (void)state;
    static const struct {
        const char *authority;
        const char *name; // NULL: refused
    } rows[] = {
        {"a", "a"},
        {"a.example", "a.example"},
        {"A.Example:8080", "A.Example"},
        {"a.example.", "a.example"},
        {"a.example.:80", "a.example"},
        {"my_host-1:0", "my_host-1"},
        {"a:", "a"},
        {"a:65535", "a"},
        {"127.0.0.1:8080", "127.0.0.1"},
        {"[::1]", "::1"},
        {"[::1]:8080", "::1"},
        {"[2001:DB8::1]:", "2001:DB8::1"},
        {"[::ffff:127.0.0.1]", "::ffff:127.0.0.1"},
        {"", NULL},
        {".", NULL},
        {":", NULL},
        {":80", NULL},
        {".a", NULL},
        {"a..b", NULL},
        {"a..", NULL},
        {"a b", NULL},
        {"a\tb", NULL},
        {"a,b", NULL},
        {"a/b", NULL},
        {"a?b", NULL},
        {"a#b", NULL},
        {"a\\b", NULL},
        {"user@a", NULL},
        {"user:80@a", NULL},
        {"a@127.0.0.1", NULL},
        {"127.0.0.1@a", NULL},
        {"a%2eb", NULL},
        {"a;b", NULL},
        {"a:b", NULL},
        {"a:80x", NULL},
        {"a:-1", NULL},
        {"a:+1", NULL},
        {"a: 1", NULL},
        {"a:65536", NULL},
        {"a:000080", NULL},
        {"a:80:80", NULL},
        {"::1", NULL},
        {"[]", NULL},
        {"[::1", NULL},
        {"::1]", NULL},
        {"[::1]80", NULL},
        {"[::1]a:80", NULL},
        {"[a]", NULL},
        {"[127.0.0.1]", NULL},
        {"[::1%25eth0]", NULL},
        {"[v1.a]", NULL},
        {"[::1]]", NULL},
        {"[[::1]]", NULL},
        {"\xc3\xa9.example", NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pl_slice name;
        bool split = http_host_split(pl_slice_cstr(rows[i].authority), &name);
        if (split != (rows[i].name != NULL) || (split && !pl_slice_eq_cstr(name, rows[i].name)))
            fail_msg("'%s'", rows[i].authority);
    }
    struct pl_slice name;
    assert_false(http_host_split(pl_slice_make("a\0b", 3), &name));
    assert_false(http_host_split(pl_slice_make("[::1\0]", 6), &name));
    char longest[260];
    memset(longest, 'a', sizeof(longest));
    assert_true(http_host_split(pl_slice_make(longest, 253), &name));
    assert_false(http_host_split(pl_slice_make(longest, 254), &name));
}

static void loopback_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool loopback;
    } rows[] = {
        {"localhost", true},
        {"LocalHost", true},
        {"a.localhost", true},
        {"a.b.LOCALHOST", true},
        {"127.0.0.1", true},
        {"127.255.255.254", true},
        {"::1", true},
        {"0:0:0:0:0:0:0:1", true},
        {"::ffff:127.0.0.1", true},
        {"::ffff:7f00:1", true},
        {"localhos", false},
        {"localhostx", false},
        {"alocalhost", false},
        {"localhost.evil.example", false},
        {"127.0.0.1.evil.example", false},
        {"127.0.0.1.nip.io", false},
        {"127.1", false},
        {"127.0.0", false},
        {"127.0.0.01", false},
        {"0x7f.0.0.1", false},
        {"2130706433", false},
        {"128.0.0.1", false},
        {"0.0.0.0", false},
        {"10.0.0.127", false},
        {"::", false},
        {"::2", false},
        {"::ffff:10.0.0.1", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (http_host_is_loopback(pl_slice_cstr(rows[i].name)) != rows[i].loopback)
            fail_msg("'%s'", rows[i].name);
    }
}

static bool allowed(const char *list, const char *authority)
{
    return http_host_allowed(list, pl_slice_cstr(authority));
}

static void allowed_names(void **state)
{
    (void)state;
    assert_true(allowed("", "localhost:8080"));
    assert_false(allowed("", "a.example"));
    assert_true(allowed("a.example", "a.example"));
    assert_true(allowed("a.example", "A.EXAMPLE.:8080"));
    assert_true(allowed("a.example", "127.0.0.1"));
    assert_true(allowed("b.example, a.example ,10.0.0.1", "a.example:1"));
    assert_true(allowed("A.Example.", "a.example"));
    assert_true(allowed("b.example,10.0.0.1", "10.0.0.1:80"));
    assert_true(allowed("[2001:db8::1]", "[2001:db8::1]:80"));
    assert_true(allowed("2001:db8::1", "[2001:DB8::1]"));
    assert_false(allowed("a.example", "b.a.example"));
    assert_false(allowed("a.example", "example"));
    assert_false(allowed("a.example", "a.example.evil"));
    assert_false(allowed("a.example", "user@a.example"));
    assert_true(allowed("*", "anything.example"));
    assert_true(allowed("a.example,*", "anything.example"));
    assert_false(allowed("*", "not a name"));
}

static void lists(void **state)
{
    (void)state;
    static const char *const good[] = {"", "*", "a", "a.example, b.example", "10.0.0.1", "::2", "[::2]", "a.", "a,"};
    static const char *const bad[] = {"a:80", "[::1]:80",  "http://a", "a b", "a,,b", " ",
                                      ",a",   "*.example", "a/",       "@",   "[a]",  "[::1]:"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_int_equal(http_host_check_list(good[i], NULL), PL_OK);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct pl_error err = {0};
        if (http_host_check_list(bad[i], &err) != PL_E_INVALID || !strstr(err.message, "--allow-host"))
            fail_msg("'%s'", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(authorities), cmocka_unit_test(loopback_names),
                                       cmocka_unit_test(allowed_names), cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
