// Answers that are problems.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/exchange/exchange.h"
#include "unit.h"

// The body says that there is no memory: so does the status, whatever the problem was.
static void a_problem_without_memory_is_503(void **state)
{
    (void)state;
    static const int STATUSES[][2] = {{500, 503}, {413, 503}, {400, 503}, {503, 503}, {429, 429}};
    for (size_t i = 0; i < sizeof STATUSES / sizeof *STATUSES; i++) {
        struct http_exchange *ex = calloc(1, sizeof *ex);
        assert_non_null(ex);
        pl_arena_init(&ex->arena, 1 << 16);
        ex->res.ex = ex;
        pl_buf_init(&ex->res.json, 8);
        assert_int_equal(http_problem(&ex->res, STATUSES[i][0], "code", "a sentence"), STATUSES[i][1]);
        assert_int_equal(http_status(&ex->res), STATUSES[i][1]);
        assert_string_equal(ex->res.body.ptr,
                            "{\"ok\":false,\"error\":\"There is no memory for this answer.\",\"code\":\"overloaded\"}");
        pl_arena_fini(&ex->arena);
        pl_buf_fini(&ex->res.json);
        free(ex);
    }
}

static void expect(struct http_exchange *ex, int got, int status, const char *code)
{
    char member[64];
    snprintf(member, sizeof member, "\"code\":\"%s\"}", code);
    assert_int_equal(got, status);
    assert_int_equal(http_status(&ex->res), status);
    assert_true(ex->res.body.len > strlen(member));
    assert_memory_equal(ex->res.body.ptr + ex->res.body.len - strlen(member), member, strlen(member));
}

static void each_kind_of_failure_has_its_status_and_code(void **state)
{
    (void)state;
    static const struct {
        enum pl_errc kind;
        int status;
        const char *code;
    } ROWS[] = {
        {PL_E_INVALID, 400, "invalid"},     {PL_E_NOT_FOUND, 404, "not_found"}, {PL_E_LIMIT, 413, "limit"},
        {PL_E_MEMORY, 413, "memory_limit"}, {PL_E_CANCELLED, 503, "cancelled"}, {PL_E_IO, 500, "internal"},
        {PL_E_BUG, 500, "internal"},
    };
    struct http_exchange *ex = calloc(1, sizeof *ex);
    assert_non_null(ex);
    pl_arena_init(&ex->arena, 1 << 16);
    ex->res.ex = ex;
    pl_buf_init(&ex->res.json, 1 << 16);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct pl_error err = {.code = ROWS[i].kind, .message = "why"};
        expect(ex, http_problem_error(&ex->res, &err), ROWS[i].status, ROWS[i].code);
    }
    struct pl_json_writer *out = http_json_begin(&ex->res);
    pl_json_object(out);
    for (int i = 0; i < 1 << 14; i++)
        pl_json_kv_u64(out, "number", 1);
    pl_json_end(out);
    expect(ex, http_json_send(&ex->res, 200), 413, "answer_too_large");
    pl_arena_fini(&ex->arena);
    pl_buf_fini(&ex->res.json);
    free(ex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_without_memory_is_503),
        cmocka_unit_test(each_kind_of_failure_has_its_status_and_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
