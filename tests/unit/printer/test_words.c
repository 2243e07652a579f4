// What the splitter knows of TSPL's words is what its interpreter has.
#include <string.h>

#include "lang/tspl/tspl.h"
#include "printer/lines_parts.h"
#include "unit.h"

// A line with the name of a stored program alone runs it, unless that is the name of a command.
static void every_command_is_known(void **state)
{
    (void)state;
    uint32_t rows = 0;
    for (const struct pl_lang_command *c; (c = pl_lang_tspl.commands.at(rows)); rows++) {
        struct printer_lines l = {.length = (uint32_t)strlen(c->title)};
        assert_true(l.length <= LINE_HEAD);
        memcpy(l.head, c->title, l.length);
        if (!lines_tspl_known(&l))
            fail_msg("%s is a command", c->title);
        l.head[l.length++] = 'X';
        assert_false(lines_tspl_known(&l));
    }
    assert_true(rows > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_command_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
