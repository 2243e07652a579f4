// Options: defaults, environment, flags, help and limits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/options/options.h"
#include "unit.h"

struct values {
    size_t body;
    uint32_t count;
    uint64_t wait;
    bool trust;
    const char *name;
    const char *kind;
};

static const struct http_option ROWS[] = {
    {"max-body", HTTP_OPT_SIZE, offsetof(struct values, body), 1, 1u << 30, "8MiB", "bodyBytes", "bytes", NULL},
    {"count", HTTP_OPT_U32, offsetof(struct values, count), 0, 10, "3", "count", "how many", NULL},
    {"wait", HTTP_OPT_MS, offsetof(struct values, wait), 0, 100000, "15s", NULL, "time", NULL},
    {"trust", HTTP_OPT_BOOL, offsetof(struct values, trust), 0, 0, "off", "trust", "trust", NULL},
    {"name", HTTP_OPT_TEXT, offsetof(struct values, name), 0, 0, "", NULL, "name", NULL},
    {"kind", HTTP_OPT_CHOICE, offsetof(struct values, kind), 0, 0, "json", NULL, "kind", "json|off"},
};

static enum pl_errc parse(struct values *values, char **argv, struct pl_error *err)
{
    int argc = 0;
    while (argv[argc])
        argc++;
    struct http_option_source sources[sizeof(ROWS) / sizeof(ROWS[0])];
    struct http_options_found found;
    struct http_option_set set = {ROWS, sizeof(ROWS) / sizeof(ROWS[0]), values, sources};
    enum pl_errc code = http_options_parse(&set, 1, "UNITTEST", argc, argv, &found, err);
    http_options_found_free(&found);
    return code;
}

// The lines of a file as "number:name=value;", with "number:?;" for those that are none.
static void lines_of_a_file(void **state)
{
    (void)state;
    char text[] = "# comment\n\n  listen =  127.0.0.1:80 \r\ncors=https://a.example/#x # why\nempty =\n = 3\nword\n"
                  "a=b=c\n\t# last\nend = here";
    char seen[256] = "", *at = text, *name, *value;
    for (unsigned line = 0; http_options_file_next(&at, &line, &name, &value);) {
        size_t used = strlen(seen);
        snprintf(seen + used, sizeof(seen) - used, "%u:%s%s%s;", line, name ? name : "?", name ? "=" : "",
                 name ? value : "");
    }
    assert_string_equal(seen,
                        "3:listen=127.0.0.1:80;4:cors=https://a.example/#x;5:empty=;6:?;7:?;8:a=b=c;10:end=here;");
}

static void order_of_precedence(void **state)
{
    (void)state;
    struct values v = {0};
    struct pl_error err = {0};
    char *none[] = {"serve", NULL};
    assert_int_equal(parse(&v, none, &err), PL_OK);
    assert_int_equal(v.body, 8u << 20);
    assert_int_equal(v.wait, 15000);
    assert_string_equal(v.kind, "json");
    setenv("UNITTEST_MAX_BODY", "64KiB", 1);
    setenv("UNITTEST_WAIT", "1m", 1);
    setenv("UNITTEST_COUNT", "", 1);
    char *flags[] = {"serve", "--wait=500ms", "--trust", "yes", "--kind", "off", "--name", "--odd", NULL};
    assert_int_equal(parse(&v, flags, &err), PL_OK);
    assert_int_equal(v.body, 65536);
    assert_int_equal(v.wait, 500);
    assert_int_equal(v.count, 3);
    assert_true(v.trust);
    assert_string_equal(v.kind, "off");
    assert_string_equal(v.name, "--odd");
    setenv("UNITTEST_COUNT", "eleven", 1);
    assert_int_equal(parse(&v, none, &err), PL_E_INVALID);
    assert_non_null(strstr(err.message, "UNITTEST_COUNT"));
    unsetenv("UNITTEST_MAX_BODY");
    unsetenv("UNITTEST_WAIT");
    unsetenv("UNITTEST_COUNT");
}

static void faults(void **state)
{
    (void)state;
    static char *rows[][3] = {
        {"serve", "--no", NULL},         {"serve", "--count=11", NULL},
        {"serve", "--count=-1", NULL},   {"serve", "--count=1k", NULL},
        {"serve", "--wait=1.5s", NULL},  {"serve", "--wait=", NULL},
        {"serve", "--max-body=0", NULL}, {"serve", "--max-body=9999999999GiB", NULL},
        {"serve", "--trust=2", NULL},    {"serve", "--kind=xml", NULL},
        {"serve", "--kind=js", NULL},    {"serve", "--count", NULL},
        {"serve", "-x", NULL},           {"serve", "word", NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct values v;
        struct pl_error err = {0};
        assert_int_equal(parse(&v, rows[i], &err), PL_E_INVALID);
        assert_null(strchr(err.message, '\n'));
    }
}

static void help_and_limits(void **state)
{
    (void)state;
    struct values v = {0};
    char *none[] = {"serve", NULL};
    assert_int_equal(parse(&v, none, NULL), PL_OK);
    struct http_option_set set = {.rows = ROWS, .count = sizeof(ROWS) / sizeof(ROWS[0]), .base = &v};
    struct pl_buf out;
    pl_buf_init(&out, 65536);
    http_options_limits(&set, 1, &out);
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&out), "\"bodyBytes\":8388608,\"count\":3,\"trust\":false"));
    pl_buf_clear(&out);
    http_options_help(&set, 1, "UNITTEST", &out);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, "--max-body BYTES\n      bytes [default: 8MiB] [UNITTEST_MAX_BODY]\n"));
    assert_non_null(strstr((char *)out.data, "--kind json|off"));
    pl_buf_clear(&out);
    http_options_markdown(&set, 1, "UNITTEST", &out);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, "| `--wait` | `UNITTEST_WAIT` | 15s | time |\n"));
    pl_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_of_precedence), cmocka_unit_test(lines_of_a_file),
                                       cmocka_unit_test(faults), cmocka_unit_test(help_and_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
