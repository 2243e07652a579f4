// Numbers in and out do not follow the process's locale: the same answers in a process that runs in German.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grain/batch.h"
#include "grain/catalog.h"
#include "unit.h"

static char folder[] = "/tmp/grain-locale-XXXXXX";

static void write_all(struct pl_buf *out)
{
    static const char body[] =
        "[{\"grain\":\"corn\",\"ta\":25.5,\"ur\":70.25},{\"grain\":\"corn\",\"ta\":\"25,5\",\"ur\":\"70.25\"},"
        "{\"grain\":\"soja\",\"ta\":2.55e1,\"moisture\":12.3456789012345678,\"lang\":\"pt\"},"
        "{\"grain\":\"ear-corn\",\"ta\":-22.15,\"ur\":50},{\"grain\":\"ear-corn\",\"ta\":1.5,\"ur\":50}]";
    struct grain_request request;
    struct grain_result chosen;
    struct grain_tally tally;
    struct pl_error err;
    pl_buf_init(out, 1 << 20);
    assert_int_equal(grain_answer_json(pl_slice_cstr(body), NULL, out, &tally, &err), PL_OK);
    grain_request_init(&request);
    grain_request_put(&request, pl_slice_cstr("grain"), pl_slice_cstr("wheat"));
    grain_choose(&request, &chosen);
    grain_write_table_csv(out, &chosen, false);
    grain_write_table_json(out, &request, &chosen);
    grain_write_catalog(out);
    assert_false(out->failed);
}

static int make_german(void **state)
{
    (void)state;
    char command[200];
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    // It warns and returns 1 on some systems, and the locale works; setlocale tells.
    if (system(command) == -1)
        return -1;
    setenv("LOCPATH", folder, 1);
    return 0;
}

static int remove_german(void **state)
{
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void answers_are_the_same_in_german(void **state)
{
    (void)state;
    struct pl_buf plain, german;
    write_all(&plain);
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        pl_buf_fini(&plain);
        print_message("skipped: the locale de_DE.UTF-8 cannot be made here\n");
        skip();
    }
    // The test would prove nothing if the locale had no comma.
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    write_all(&german);
    setlocale(LC_ALL, "C");
    assert_int_equal(plain.len, german.len);
    assert_memory_equal(plain.data, german.data, plain.len);
    assert_non_null(memmem(german.data, german.len, "\"ta\":25.5,", 10));
    pl_buf_fini(&plain);
    pl_buf_fini(&german);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_the_same_in_german)};
    return cmocka_run_group_tests(tests, make_german, remove_german);
}
