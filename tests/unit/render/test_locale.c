// A host with a comma in its numbers: the label code that is written and the messages are the same.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "engine_fixture.h"

static char folder[] = "/tmp/platen-locale-XXXXXX";

static int set_up(void **state)
{
    char command[200];
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    // It warns and returns 1 on some systems, and the locale works; setlocale tells.
    if (system(command) == -1)
        return -1;
    setenv("LOCPATH", folder, 1);
    return engine_set_up(state);
}

static int tear_down(void **state)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return engine_tear_down(state) | system(command);
}

static void rewrite(struct platen_rewrite_options options, struct platen_rewritten **out)
{
    static const char ZPL[] = "^XA^MUM^FO10.5,20.25^A0N,3,3^FDturned^FS^FO3,3^BY0.25^BCN,10^FD12^FS^XZ";
    assert_int_equal(platen_rewrite(worker, ZPL, sizeof ZPL - 1, &options, out, NULL), PLATEN_OK);
}

static void a_comma_locale_corrupted_label_code(void **state)
{
    (void)state;
    const struct platen_rewrite_options cases[] = {PLATEN_REWRITE_OPTIONS(.rotation = 90),
                                                   PLATEN_REWRITE_OPTIONS(.dpmm = 8, .target_dpmm = 11.8)};
    for (size_t i = 0; i < 2; i++) {
        struct platen_rewritten *plain, *german;
        rewrite(cases[i], &plain);
        if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
            platen_rewritten_free(plain);
            print_message("skipped: the locale de_DE.UTF-8 cannot be made here\n");
            skip();
        }
        // The test would prove nothing if the locale had no comma.
        char text[16];
        snprintf(text, sizeof text, "%.1f", 1.5);
        assert_string_equal(text, "1,5");
        rewrite(cases[i], &german);
        setlocale(LC_ALL, "C");
        size_t size, other;
        const char *code = platen_rewritten_code(plain, &size), *same = platen_rewritten_code(german, &other);
        assert_int_equal(size, other);
        assert_memory_equal(code, same, size);
        uint32_t notes = platen_rewritten_note_count(plain);
        assert_int_equal(platen_rewritten_note_count(german), notes);
        for (uint32_t n = 0; n < notes; n++) {
            struct platen_diagnostic a, b;
            assert_true(platen_rewritten_note_at(plain, n, &a) && platen_rewritten_note_at(german, n, &b));
            assert_string_equal(a.message, b.message);
        }
        platen_rewritten_free(plain);
        platen_rewritten_free(german);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_comma_locale_corrupted_label_code)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
