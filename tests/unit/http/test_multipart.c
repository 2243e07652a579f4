// Parts of multipart/form-data bodies.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/http.h"
#include "unit.h"

static enum pl_errc split(struct pl_arena *arena, const char *param, const char *body, struct http_part *parts,
                          size_t max, size_t *count)
{
    struct http_request req = {.arena = arena,
                               .content_type = pl_slice_cstr("multipart/form-data"),
                               .content_param = pl_slice_cstr(param),
                               .body = pl_slice_cstr(body)};
    struct pl_error err = {0};
    return http_multipart(&req, parts, max, count, &err);
}

static void parts_of_a_form(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    struct http_part parts[4];
    size_t count;
    assert_int_equal(
        split(&arena, "boundary=\"a b\"; charset=x",
              "--a b\r\ncontent-disposition: FORM-DATA; name=\"zpl\"; filename=\"x;y.zpl\"\r\n"
              "Content-Type: text/plain\r\n\r\none\r\n--a\r\n--a b \r\nContent-Disposition: form-data; name=n\r\n\r\n"
              "\r\n--a b--",
              parts, 4, &count),
        PL_OK);
    assert_int_equal(count, 2);
    assert_true(pl_slice_eq_cstr(parts[0].name, "zpl"));
    assert_true(pl_slice_eq_cstr(parts[0].filename, "x;y.zpl"));
    assert_true(pl_slice_eq_cstr(parts[0].content_type, "text/plain"));
    assert_true(pl_slice_eq_cstr(parts[0].data, "one\r\n--a"));
    assert_true(pl_slice_eq_cstr(parts[1].name, "n"));
    assert_int_equal(parts[1].data.len, 0);
    pl_arena_fini(&arena);
}

static void parameters_that_nobody_asks_for_take_no_memory(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    char body[8192];
    size_t at = (size_t)sprintf(body, "--B\r\nContent-Disposition: form-data");
    for (int i = 0; i < 600; i++)
        at += (size_t)sprintf(body + at, ";a=\"x\"");
    sprintf(body + at, "; name=\"zpl\"\r\n\r\none\r\n--B--\r\n");
    struct http_part parts[4];
    size_t count;
    assert_int_equal(split(&arena, "boundary=B", body, parts, 4, &count), PL_OK);
    assert_int_equal(count, 1);
    assert_true(pl_slice_eq_cstr(parts[0].name, "zpl"));
    assert_true(arena.reserved <= 65536);
    pl_arena_fini(&arena);
}

static void faults(void **state)
{
    (void)state;
    static const struct {
        const char *param;
        const char *body;
        enum pl_errc code;
    } rows[] = {
        {"", "--x\r\n", PL_E_INVALID},
        {"boundary=", "--x\r\n", PL_E_INVALID},
        {"boundary=x", "", PL_E_INVALID},
        {"boundary=x", "--y--", PL_E_INVALID},
        {"boundary=x", "--x--", PL_OK},
        {"boundary=x", "--x", PL_E_INVALID},
        {"boundary=x", "--x\r\n", PL_E_INVALID},
        {"boundary=x", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\ndata", PL_E_INVALID},
        {"boundary=x", "--x\r\nContent-Disposition: form-data\r\n\r\ndata\r\n--x--", PL_E_INVALID},
        {"boundary=x", "--x\r\nContent-Disposition: attachment; name=a\r\n\r\ndata\r\n--x--", PL_E_INVALID},
        {"boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\r\n\r\ndata\r\n--x--", PL_E_INVALID},
        {"boundary=x",
         "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--x\r\nContent-Disposition: form-data; "
         "name=a\r\n\r\n\r\n--x--",
         PL_E_LIMIT},
    };
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct http_part parts[1];
        size_t count;
        assert_int_equal(split(&arena, rows[i].param, rows[i].body, parts, 1, &count), rows[i].code);
    }
    char param[128] = "boundary=";
    memset(param + 9, 'x', 71);
    struct http_part parts[1];
    size_t count;
    assert_int_equal(split(&arena, param, "--x--", parts, 1, &count), PL_E_INVALID);
    pl_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_a_form),
                                       cmocka_unit_test(parameters_that_nobody_asks_for_take_no_memory),
                                       cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
