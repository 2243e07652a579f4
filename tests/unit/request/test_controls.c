// The table of controls: it is whole, it agrees with the library and with the documentation, and values are read alike.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "request/controls.h"
#include "unit.h"

static bool set(struct controls *c, const char *name, const char *text, struct problem *problem)
{
    return controls_set(c, pl_slice_cstr(name), control_text(pl_slice_cstr(text)), problem);
}

// widthMm is --width-mm.
static void options_are_named_like_controls(void **state)
{
    (void)state;
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        char made[64];
        size_t n = 0;
        for (const char *p = row->name; *p; p++) {
            if (*p >= 'A' && *p <= 'Z')
                made[n++] = '-';
            made[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p | 32 : *p);
        }
        made[n] = '\0';
        struct pl_buf text;
        pl_buf_init(&text, 4096);
        control_put_description(row, &text);
        assert_true(text.len > 0 && text.data[text.len - 1] == '.'); // also of what its scope adds
        pl_buf_fini(&text);
        if (row->option)
            assert_string_equal(row->option, made);
        assert_int_equal(row->option != NULL, row->group != GROUP_NONE);
        assert_int_equal(row->argument == NULL, !row->option || row->kind == KIND_FLAG);
    }
}

static void words_agree_with_the_library(void **state)
{
    (void)state;
    const char *name, *summary;
    uint32_t index, count = 0;
    for (; platen_rule_set_at(count, &name, &summary); count++) {
        assert_true(control_word(control_row(CONTROL_RULES)->words, pl_slice_cstr(name), &index));
        assert_int_equal(index, count);
    }
    for (const char *p = control_row(CONTROL_RULES)->words; p; p = strchr(p + 1, ' '))
        count--;
    assert_int_equal(count, 0);
    struct platen_printer_model model;
    for (count = 0; platen_printer_model_at(count, &model); count++) {
        assert_true(control_word(control_row(CONTROL_PRINTER_MODEL)->words, pl_slice_cstr(model.name), &index));
        assert_int_equal(index, count);
    }
    for (const char *p = control_row(CONTROL_PRINTER_MODEL)->words; p; p = strchr(p + 1, ' '))
        count--;
    assert_int_equal(count, 0);
    const char *title;
    for (int i = PLATEN_LANGUAGE_ZPL; platen_language_names((enum platen_language)i, &name, &title); i++) {
        assert_true(control_word(control_row(CONTROL_LANGUAGE)->words, pl_slice_cstr(name), &index));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < OUTPUT_COUNT; i++) {
        assert_true(control_word(OUTPUT_WORDS, pl_slice_cstr(output_name((enum output)i)), &index));
        assert_int_equal(index, i);
    }
}

static void a_value_reads_back_as_it_was_written(void **state)
{
    (void)state;
    static const char *const VALUES[][2] = {
        {"format", "webp"},  {"widthMm", "50.5"},      {"dpmm", "11.81"},      {"page", "9007199254740992"},
        {"rotation", "270"}, {"quality", "grayscale"}, {"strict", "true"},     {"rules", "usps"},
        {"size", "auto"},    {"pageStart", "7"},       {"pageAlign", "right"}, {"fit", "shrink"},
        {"time", "-5"},      {"filename", "a b.png"},  {"verify", "false"}};
    for (size_t i = 0; i < PL_COUNTOF(VALUES); i++) {
        struct controls c;
        struct problem problem;
        struct pl_buf text;
        pl_buf_init(&text, 256);
        controls_init(&c);
        assert_true(set(&c, VALUES[i][0], VALUES[i][1], &problem));
        for (int k = 0; k < CONTROL_COUNT; k++) {
            const struct control_row *row = control_row((enum control)k);
            if (controls_has(&c, (enum control)k))
                control_write(row, (const char *)&c + row->offset, &text);
        }
        assert_true(pl_slice_eq_cstr(pl_buf_slice(&text), VALUES[i][1]));
        pl_buf_fini(&text);
    }
}

static void spellings_and_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        bool taken;
    } CASES[] = {{"dpmm", "8DPMM", true},
                 {"dpmm", "48", true},
                 {"dpmm", "48.01", false},
                 {"dpmm", "dpmm", false},
                 {"quality", "GRAYSCALE", true},
                 {"format", "JPG", true},
                 {"format", "tiff", false},
                 {"widthMm", "0", false},
                 {"width_mm", "0.0001", true},
                 {"widthMm", "1e999", false},
                 {"rotation", "45", false},
                 {"rotation", "90.0", true},
                 {"rotation", "360", false},
                 {"page", "-1", false},
                 {"page", "1.5", false},
                 {"download", "", true},
                 {"strict", "maybe", false},
                 {"time", "2026-02-30", false},
                 {"time", "2026-02-28 10:11", true},
                 {"time", "0000-12-31", false}, // it was printed as the year 1
                 {"time", "0001-01-01", true},
                 {"time", "-62135596801", false},
                 {"pageSize", "a4", true},
                 {"pageSize", "210x0", false},
                 {"pageLayout", "2X3", true},
                 {"pageLayout", "0x3", false},
                 {"pageGapMm", "3x", false},
                 {"pageMarginMm", "10001", false},
                 {"pageStart", "0", false},
                 {"minModuleMm", "0", false}};
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        struct controls c;
        struct problem problem;
        controls_init(&c);
        if (set(&c, CASES[i].name, CASES[i].text, &problem) != CASES[i].taken)
            fail_msg("%s=%s", CASES[i].name, CASES[i].text);
        assert_int_equal(c.given != 0, CASES[i].taken);
    }
}

static void a_refused_value_changes_nothing(void **state)
{
    (void)state;
    struct controls c, before;
    struct problem problem;
    controls_init(&c);
    assert_true(set(&c, "pageLayout", "2x3", &problem));
    memcpy(&before, &c, sizeof c);
    assert_false(set(&c, "pageLayout", "4xfour", &problem));
    assert_false(set(&c, "pageLayout", "4x4", &problem)); // given twice
    assert_string_equal(problem.code, "conflicting_parameter");
    assert_memory_equal(&before, &c, sizeof c);
}

static void crossing_values_have_zeroed_padding(void **state)
{
    (void)state;
    struct controls c;
    struct control_values a, b;
    struct problem problem;
    memset(&c, 0xA5, sizeof c);
    struct controls clean;
    controls_init(&clean);
    assert_true(set(&clean, "dpmm", "12", &problem));
    // The same values between other bytes.
    memset(&a, 0xFF, sizeof a);
    memset(&b, 0x00, sizeof b);
    for (int i = 0; i < CONTROL_COUNT; i++)
        memcpy((char *)&c + control_row((enum control)i)->offset, (char *)&clean + control_row((enum control)i)->offset,
               control_row((enum control)i)->size);
    c.given = clean.given;
    c.layout.size = clean.layout.size;
    control_values_copy(&a, &c);
    control_values_copy(&b, &clean);
    assert_memory_equal(&a, &b, sizeof a);
}

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

// No row has both today: the default of a word is its number before the shift.
static void the_default_of_a_shifted_word_is_that_word(void **state)
{
    (void)state;
    for (int shift = -1; shift <= 2; shift++) {
        const struct control_row row = {.name = "x",
                                        .kind = KIND_WORD,
                                        .words = "zero one two",
                                        .shift = shift,
                                        .size = sizeof(uint32_t),
                                        .initial = 1,
                                        .has_default = true};
        struct pl_buf value;
        pl_buf_init(&value, 256);
        control_put_default(&row, &value);
        assert_true(pl_slice_eq_cstr(pl_buf_slice(&value), "\"one\""));
        pl_buf_fini(&value);
    }
}

// A row "| `name`" or "| `name` (also ...)" with the default in the second column.
static void docs_have_every_control_with_its_default(void **state)
{
    (void)state;
    char *api = file_text("docs/api.md"), *cli = file_text("docs/command-line.md");
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        char wanted[128];
        struct pl_buf value;
        snprintf(wanted, sizeof wanted, "\n| `%s`", row->name);
        const char *line = strstr(api, wanted);
        if (!line)
            fail_msg("docs/api.md has no row of %s", row->name);
        pl_buf_init(&value, 256);
        control_put_default(row, &value);
        if (value.len) {
            bool quoted = value.data[0] == '"';
            snprintf(wanted, sizeof wanted, " | %s%.*s%s | ", quoted ? "`" : "", (int)(value.len - 2u * quoted),
                     (const char *)value.data + quoted, quoted ? "`" : "");
            const char *found = strstr(line, wanted);
            if (!found || found > strchr(line + 1, '\n'))
                fail_msg("docs/api.md, %s: its default is %s", row->name, wanted);
        }
        pl_buf_fini(&value);
        snprintf(wanted, sizeof wanted, "--%s", row->option ? row->option : "");
        if (row->option && !strstr(cli, wanted))
            fail_msg("docs/command-line.md has no --%s", row->option);
    }
    free(api);
    free(cli);
}

static void schemas_are_json(void **state)
{
    (void)state;
    for (int i = 0; i < CONTROL_COUNT; i++) {
        struct pl_buf text;
        struct pl_json_reader reader;
        pl_buf_init(&text, 8192);
        control_put_schema(control_row((enum control)i), true, &text);
        pl_json_reader_init(&reader, pl_buf_slice(&text));
        assert_int_equal(pl_json_next(&reader), PL_JSON_OBJECT);
        assert_true(pl_json_skip(&reader));
        assert_int_equal(pl_json_next(&reader), PL_JSON_END);
        pl_buf_fini(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_named_like_controls),
        cmocka_unit_test(words_agree_with_the_library),
        cmocka_unit_test(a_value_reads_back_as_it_was_written),
        cmocka_unit_test(spellings_and_bounds),
        cmocka_unit_test(a_refused_value_changes_nothing),
        cmocka_unit_test(crossing_values_have_zeroed_padding),
        cmocka_unit_test(the_default_of_a_shifted_word_is_that_word),
        cmocka_unit_test(docs_have_every_control_with_its_default),
        cmocka_unit_test(schemas_are_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
