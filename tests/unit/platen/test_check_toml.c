// The settings file of `platen check`: what its reader takes, and where it says a mistake is.
#include "checking/check_toml.h"

#include <stdio.h>

#include "unit.h"

static struct toml_reader reader;

static void begin(const char *text)
{
    toml_init(&reader, pl_slice_cstr(text));
}

// "3:5 sentence" for a text that has a mistake, "" for one that has none.
static const char *mistake_in(const char *text, size_t len)
{
    static char place[256];
    enum toml_event event;
    toml_init(&reader, pl_slice_make(text, len));
    do
        event = toml_next(&reader);
    while (event != TOML_END && event != TOML_BAD);
    place[0] = '\0';
    if (event == TOML_BAD)
        snprintf(place, sizeof place, "%u:%u %s", reader.line, reader.column, reader.mistake);
    return place;
}

#define MISTAKE(text) mistake_in(text, sizeof(text) - 1)

static void values_of_all_kinds(void **state)
{
    (void)state;
    begin("\xEF\xBB\xBF# project\r\n[check] # section\r\nfail-on = \"warning\" # why\n\n  dpmm=12\nmin-module-mm = "
          "0.25\nverify = false\n"
          "objects = 'C:\\x'\n");
    assert_int_equal(toml_next(&reader), TOML_SECTION);
    assert_string_equal(reader.key, "check");
    assert_int_equal(reader.line, 2);
    assert_int_equal(toml_next(&reader), TOML_STRING);
    assert_string_equal(reader.key, "fail-on");
    assert_string_equal(reader.text, "warning");
    assert_int_equal(reader.line, 3);
    assert_int_equal(reader.column, 11);
    assert_int_equal(toml_next(&reader), TOML_NUMBER);
    assert_string_equal(reader.text, "12");
    assert_int_equal(toml_next(&reader), TOML_NUMBER);
    assert_string_equal(reader.text, "0.25");
    assert_int_equal(toml_next(&reader), TOML_BOOLEAN);
    assert_string_equal(reader.text, "false");
    assert_int_equal(toml_next(&reader), TOML_STRING);
    assert_string_equal(reader.text, "C:\\x"); // a literal string has no escapes
    assert_int_equal(toml_next(&reader), TOML_END);
    assert_int_equal(toml_next(&reader), TOML_END);
}

static void arrays_over_lines_with_comments_and_a_last_comma(void **state)
{
    (void)state;
    begin("ignore = [ # these\n  \"a\",\n  'b', # and\n]\nonly = []\nx = [\"c\"]");
    assert_int_equal(toml_next(&reader), TOML_ARRAY);
    assert_int_equal(toml_next(&reader), TOML_ITEM);
    assert_string_equal(reader.text, "a");
    assert_int_equal(toml_next(&reader), TOML_ITEM);
    assert_string_equal(reader.text, "b");
    assert_int_equal(reader.line, 3);
    assert_int_equal(toml_next(&reader), TOML_ARRAY);
    assert_string_equal(reader.key, "only");
    assert_int_equal(toml_next(&reader), TOML_ARRAY);
    assert_int_equal(toml_next(&reader), TOML_ITEM);
    assert_string_equal(reader.text, "c");
    assert_int_equal(toml_next(&reader), TOML_END);
}

static void escapes_are_resolved(void **state)
{
    (void)state;
    begin("a = \"\\\"\\\\\\t\\u00e9\\U0001F600\"");
    assert_int_equal(toml_next(&reader), TOML_STRING);
    assert_string_equal(reader.text, "\"\\\t\xC3\xA9\xF0\x9F\x98\x80");
}

static void a_mistake_has_its_line_and_column(void **state)
{
    (void)state;
    assert_string_equal(MISTAKE("a = 1\nb 2\n"), "2:3 a = must follow the key");
    assert_string_equal(MISTAKE("= 1"), "1:1 a line must be key = value or [section]");
    assert_string_equal(MISTAKE("a = \"x"), "1:7 the string has no end");
    assert_string_equal(MISTAKE("a = \"x\ny\""), "1:7 the string has no end");
    assert_string_equal(MISTAKE("a = \"x\" y"), "1:9 there is something behind the value");
    assert_string_equal(MISTAKE("a = [\"x\"\n\"y\"]"), "2:1 a comma or ] must follow");
    assert_string_equal(MISTAKE("a = [1]"), "1:6 an array holds strings in quotes");
    assert_string_equal(MISTAKE("a = [\"x\","), "1:10 the array has no end");
    assert_string_equal(MISTAKE("a = [\"x\"] y"), "1:11 there is something behind the array");
    assert_string_equal(MISTAKE("[check"), "1:7 the section has no ]");
    assert_string_equal(MISTAKE("[]"), "1:2 a section is a name in brackets, such as [check]");
    assert_string_equal(MISTAKE("[a] b"), "1:5 there is something behind the section");
    assert_string_equal(MISTAKE("a = \"\x01\""), "1:6 a control character cannot be in a string");
    assert_string_equal(MISTAKE("a = \"\xFF\""), "1:8 the string is not UTF-8");
    assert_non_null(strstr(MISTAKE("a = yes"), "1:5 a value must be a string"));
    assert_non_null(strstr(MISTAKE("a ="), "1:4 a value must be a string"));
    assert_non_null(strstr(MISTAKE("a = nan"), "1:5 a value must be"));
    assert_non_null(strstr(MISTAKE("a = \"\\x\""), "no such escape"));
    assert_non_null(strstr(MISTAKE("a = \"\\uD800\""), "no such escape"));
    assert_non_null(strstr(MISTAKE("a = \"\\u0000\""), "no such escape")); // it would end the text
    assert_string_equal(MISTAKE("a\0 = 1"), "1:2 a = must follow the key");
}

static void texts_and_names_that_are_too_long_are_mistakes(void **state)
{
    (void)state;
    char text[TOML_TEXT_MAX + 64];
    int head = snprintf(text, sizeof text, "a = \"");
    memset(text + head, 'x', TOML_TEXT_MAX - 1);
    text[head + TOML_TEXT_MAX - 1] = '"';
    assert_string_equal(mistake_in(text, (size_t)head + TOML_TEXT_MAX), ""); // the longest
    text[head + TOML_TEXT_MAX - 1] = 'x';
    text[head + TOML_TEXT_MAX] = '"';
    assert_non_null(strstr(mistake_in(text, (size_t)head + TOML_TEXT_MAX + 1), "the string is too long"));
    memset(text, 'k', TOML_KEY_MAX);
    assert_non_null(strstr(mistake_in(text, TOML_KEY_MAX), "a line must be"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds),
        cmocka_unit_test(arrays_over_lines_with_comments_and_a_last_comma),
        cmocka_unit_test(escapes_are_resolved),
        cmocka_unit_test(a_mistake_has_its_line_and_column),
        cmocka_unit_test(texts_and_names_that_are_too_long_are_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
