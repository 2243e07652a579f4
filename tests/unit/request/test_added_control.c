// A control that was added as one row: every entrance takes it, and help and documents show it.
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "request/conversion.h"
#include "unit.h"

static bool take_none(void *user, struct pl_slice name, struct control_value value, bool *taken,
                      struct problem *problem)
{
    (void)user, (void)name, (void)value, (void)problem;
    *taken = false;
    return true;
}

static void one_row_is_enough_for_queries_bodies_and_jobs(void **state)
{
    (void)state;
    struct controls query, body;
    struct problem problem;
    struct pl_arena arena;
    controls_init(&query);
    controls_init(&body);
    assert_true(query.ink_share == 100);
    assert_true(controls_set(&query, pl_slice_cstr("ink"), control_text(pl_slice_cstr("40")), &problem));
    assert_true(controls_has(&query, CONTROL_INK_SHARE) && query.ink_share == 40);
    assert_false(controls_set(&query, pl_slice_cstr("inkShare"), control_text(pl_slice_cstr("5")), &problem));
    assert_string_equal(problem.message, "'inkShare' must be a number from 10 to 100; it is \"5\".");
    pl_arena_init(&arena, 1 << 20);
    assert_true(controls_from_object(&body, pl_slice_cstr("{\"inkShare\":70}"), &arena, take_none, NULL, &problem));
    pl_arena_fini(&arena);
    assert_true(body.ink_share == 70);
    controls_merge(&body, &query);
    assert_true(body.ink_share == 40);
    struct control_values crossed;
    control_values_copy(&crossed, &body);
    assert_true(crossed.ink_share == 40 && control_values_have(&crossed, CONTROL_INK_SHARE));
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    const struct control_row *row = control_row(CONTROL_INK_SHARE);
    control_write(row, (const char *)&body + row->offset, &text);
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&text), "40"));
    pl_buf_clear(&text);
    control_put_schema(row, true, &text);
    assert_true(pl_slice_eq_cstr(
        pl_buf_slice(&text), "{\"type\":\"number\",\"minimum\":10,\"maximum\":100,\"description\":\"Share of the dots "
                             "that are printed, in percent. Also called `ink`.\",\"default\":100}"));
    pl_buf_fini(&text);
}

static void scopes_are_those_of_the_rows(void **state)
{
    (void)state;
    struct controls query, body;
    struct problem problem;
    struct platen_pdf_layout layout;
    controls_init(&query);
    controls_init(&body);
    assert_null(controls_of_pdf(&query));
    assert_true(controls_set(&query, pl_slice_cstr("foldAfter"), control_text(pl_slice_cstr("3")), &problem));
    assert_true(controls_set(&query, pl_slice_cstr("inkShare"), control_text(pl_slice_cstr("40")), &problem));
    assert_true(controls_set(&body, pl_slice_cstr("inkShare"), control_text(pl_slice_cstr("50")), &problem));
    assert_string_equal(controls_of_pdf(&query), "foldAfter");
    assert_true(controls_layout(&query.values, &layout));
    struct controls alone = controls_without_pdf(&query);
    assert_false(controls_has(&alone, CONTROL_FOLD_AFTER) || controls_layout(&alone.values, &layout));
    assert_true(controls_has(&alone, CONTROL_INK_SHARE));
    controls_override(&body, &query);
    assert_int_equal(body.overridden_count, 1);
    assert_true(pl_slice_eq_cstr(body.overridden[0], "inkShare"));
    struct conversion_request request = {.conversion = CONVERT_CODE};
    struct controls checked = query;
    conversion_drop_useless(&request, NULL, &query, false);
    assert_int_equal(query.useless_count, 1);
    assert_string_equal(query.useless[0], "inkShare");
    assert_false(controls_has(&query, CONTROL_INK_SHARE));
    assert_true(query.ink_share == 100); // what is said to be ignored is
    request.conversion = CONVERT_CHECK;  // draws labels: a control of drawing counts without being listed
    conversion_drop_useless(&request, NULL, &checked, false);
    assert_int_equal(checked.useless_count, 0);
    assert_true(checked.ink_share == 40);
}

// Whatever is named as useless has its default: the sentence cannot be wrong, of no control and of no conversion.
static void what_is_named_useless_has_its_default(void **state)
{
    (void)state;
    for (uint32_t conversion = CONVERT_CODE; conversion <= CONVERT_CHECK; conversion++) {
        for (int i = 0; i < CONTROL_COUNT; i++) {
            const struct control_row *row = control_row((enum control)i);
            struct conversion_request request = {.conversion = conversion};
            struct controls c, initial;
            controls_init(&c);
            controls_init(&initial);
            memset((char *)&c + row->offset, 1, row->size);
            c.given = UINT64_C(1) << i;
            conversion_drop_useless(&request, NULL, &c, false);
            assert_int_equal(c.useless_count + controls_has(&c, (enum control)i), 1);
            if (c.useless_count)
                assert_memory_equal(&c.values, &initial.values, sizeof c.values);
        }
    }
}

static void one_row_is_enough_for_the_command_line(void **state)
{
    (void)state;
    static const struct cli_row ROWS[] = {CLI_ROW_GROUPS(GROUP_LABELS)};
    static const struct cli_command COMMAND = {"test", "", CLI_ROWS(ROWS)};
    char *argv[] = {"platen", "--ink-share", "55", NULL};
    struct cli_options options = cli_options_init();
    assert_int_equal(cli_arguments(&COMMAND, 3, argv, NULL, &options), 0);
    assert_true(options.controls.ink_share == 55);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    cli_help(file, "usage\n" CLI_LABELS_HELP "end\n");
    fclose(file);
    assert_non_null(strstr(
        text,
        "\n  --ink-share P         share of the dots that are printed, in percent: a number from 10 to 100 (100)\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_is_enough_for_queries_bodies_and_jobs),
        cmocka_unit_test(scopes_are_those_of_the_rows),
        cmocka_unit_test(what_is_named_useless_has_its_default),
        cmocka_unit_test(one_row_is_enough_for_the_command_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
