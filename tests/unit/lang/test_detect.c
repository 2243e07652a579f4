// Which language an input is in: ZPL is never mistaken for another, measured over all ZPL files that there are.
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "lang/lang.h"

static const char *detected(const char *text, size_t length)
{
    return pl_lang_detect(pl_slice_make(text, length))->name;
}

static const char *expected, *ending;
static uint32_t seen;

static int look(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)at;
    size_t length = strlen(path);
    if (kind != FTW_F || length < strlen(ending) || strcmp(path + length - strlen(ending), ending) != 0)
        return 0;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char bytes[1 << 16];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    seen++;
    if (strcmp(detected(bytes, size), expected) != 0)
        fail_msg("%s was taken for %s", path, detected(bytes, size));
    return 0;
}

// Files below a folder whose names end like that are all of a language; returns their number.
static uint32_t all_are(const char *folder, const char *name_ending, const char *language)
{
    seen = 0;
    expected = language;
    ending = name_ending;
    nftw(folder, look, 8, FTW_PHYS);
    return seen;
}

static const char *shared(const char *below)
{
    static char path[512];
    const char *folder = getenv("PLATEN_SHARED");
    snprintf(path, sizeof path, "%s%s", folder ? folder : "../shared", below);
    return path;
}

static void zpl_of_the_project(void **state)
{
    (void)state;
    assert_true(all_are("tests", ".zpl", "zpl") >= 240);
    assert_true(all_are("web", ".zpl", "zpl") >= 8);
    assert_true(all_are("tests/fuzz/corpus/render", "", "zpl") >= 10);
}

static void zpl_of_others(void **state)
{
    (void)state;
    if (all_are(shared(""), ".zpl", "zpl") == 0)
        skip();
    assert_true(seen >= 1300);
}

static void odd_inputs_are_zpl(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {
        "",       " \r\n",      "Hello",     "N",       "A",         "CT~~CD,~CC^~CT~\n^XA^XZ", "\xEF\xBB\xBF^XA",
        "text\n", "12,34\n",    "\x10^XA",   "//xa",    "{\"a\":1}", "% comment\n^XA^FO1,1^XZ", "^xa^fdN^fs^xz",
        "q\n^XA", "P1\n^XA^XZ", "~JC\nN\nq", "\n\n^XA",
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++)
        if (strcmp(detected(INPUTS[i], strlen(INPUTS[i])), "zpl") != 0)
            fail_msg("%s was taken for %s", INPUTS[i], detected(INPUTS[i], strlen(INPUTS[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zpl_of_the_project),
        cmocka_unit_test(zpl_of_others),
        cmocka_unit_test(odd_inputs_are_zpl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
