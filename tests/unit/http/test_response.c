// Answers that are problems.
#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_without_memory_is_503),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
