// Which language an input is in: ZPL is never mistaken for another, measured over all ZPL files that there are, nor the
// others for ZPL, whatever comes before the label code. And which commands each finds.
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

// What comes before label code of any language: blank lines, a byte order mark, settings by SGD, a host's comment.
static const char *const BEFORE[] = {
    "",
    "\r\n \n\n",
    "\xEF\xBB\xBF",
    "\xEF\xBB\xBF\r\n",
    "! U1 setvar \"device.languages\" \"hybrid_xml_zpl\"\r\n! U1 getvar \"appl.name\"\r\n",
    "; a comment\r\n",
    "// a comment\n",
    "; a\n; b\n; c\n",
    "\x02",
    "\x18\r\n",
    "\x1b@",
    "\x1bh",
    "\x1bv\r\n\x1bN",
    "<xpml><page quantity='0' pitch='50.0 mm'></xpml>",
    "<xpml></page></xpml>\r\n<xpml><page quantity='1'></xpml>",
};

static int look(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    size_t length = strlen(path);
    // These are read with the language given: they begin with what no language has.
    if (strcmp(path + at->base, "errors.epl") == 0 || strcmp(path + at->base, "odd.tspl") == 0)
        return 0;
    if (kind != FTW_F || length < strlen(ending) || strcmp(path + length - strlen(ending), ending) != 0)
        return 0;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char bytes[1 << 16], with[(1 << 16) + 256];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    seen++;
    for (size_t i = 0; i < sizeof BEFORE / sizeof *BEFORE && size > 0; i++) {
        size_t before = strlen(BEFORE[i]);
        memcpy(with, BEFORE[i], before);
        memcpy(with + before, bytes, size);
        if (strcmp(detected(with, before + size), expected) != 0)
            fail_msg("%s behind \"%s\" was taken for %s", path, BEFORE[i], detected(with, before + size));
    }
    for (size_t i = 0; i < size; i++)
        with[i] = bytes[i] == '\n' ? '\r' : bytes[i];
    if (size > 0 && strcmp(detected(with, size), expected) != 0)
        fail_msg("%s with lines that end with CR was taken for %s", path, detected(with, size));
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

static void other_languages(void **state)
{
    (void)state;
    static const struct {
        const char *language, *ending;
        uint32_t golden, samples;
    } OTHERS[] = {{"epl", ".txt", 8, 5}, {"tspl", ".tspl", 9, 19}, {"cpcl", ".cpcl", 10, 20}};
    char folder[64], golden_ending[8];
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        snprintf(folder, sizeof folder, "tests/golden/%s", OTHERS[i].language);
        snprintf(golden_ending, sizeof golden_ending, ".%s", OTHERS[i].language);
        assert_true(all_are(folder, golden_ending, OTHERS[i].language) >= OTHERS[i].golden);
        snprintf(folder, sizeof folder, "/languages/%s/samples", OTHERS[i].language);
        all_are(shared(folder), OTHERS[i].ending, OTHERS[i].language);
        assert_true(seen == 0 || seen >= OTHERS[i].samples);
    }
}

// Lines that begin as ZPL does, but only EPL2 has; ZPL behind them is ZPL.
static void lines_with_a_caret(void **state)
{
    (void)state;
    static const char *const INPUTS[][2] = {
        {"^ee\n", "epl"},         {"^@", "epl"},         {"\r\n^@\r\nN\r\nA1,1,0,1,1,1,N,\"x\"\r\n", "epl"},
        {"^default\nN\n", "epl"}, {"^@\n^XA^XZ", "zpl"}, {"^EE\n", "zpl"},
        {"^eeX\n", "zpl"},
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++)
        assert_string_equal(detected(INPUTS[i][0], strlen(INPUTS[i][0])), INPUTS[i][1]);
}

// Code as programs write it, with lines and numbers that no manual has.
static void code_of_programs(void **state)
{
    (void)state;
    static const char *const INPUTS[][2] = {
        {"N\nLO10.5,10.5,100,2.0\nA10.7,20.2,0,3,1,1,N,\"x\"\nP1\n", "epl"},
        {"N\nA10,10,0,3,1,1,n,\"x\"\nP1\n", "epl"},
        {"CASHDRAWER 0,1,1\nSIZE 40 mm,20 mm\nPEEL ON\nTEAR ON\nRIBBON OFF\nFOO\nCLS\nTEXT 1,1,\"3\",0,1,1,\"x\"\n",
         "tspl"},
        {"A.5,1,0,3,1,1,N,\"x\"\n^XA^XZ", "zpl"},
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++)
        assert_string_equal(detected(INPUTS[i][0], strlen(INPUTS[i][0])), INPUTS[i][1]);
}

// ~! and a letter is TSPL: a printer obeys it at once, and label code follows.
static void immediate_commands_of_tspl(void **state)
{
    (void)state;
    for (const char *letter = "TI@ACDF"; *letter; letter++) {
        char input[80];
        int length = snprintf(input, sizeof input, "~!%c\r\nSIZE 50 mm,25 mm\r\nCLS\r\nPRINT 1\r\n", *letter);
        assert_string_equal(detected(input, (size_t)length), "tspl");
        length = snprintf(input, sizeof input, "~!%c\r\n^XA^FO1,1^FDx^FS^XZ", *letter);
        assert_string_equal(detected(input, (size_t)length), "zpl");
    }
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

static bool append_name(void *user, const struct pl_lang_span *span)
{
    char *names = user;
    snprintf(names + strlen(names), 200 - strlen(names), "%s ", span->command ? span->name : "?");
    return true;
}

// Bytes that are counted hold no commands; the command behind them needs no line of its own, and a graphic without all
// parameters has no bytes.
static void outlines_skip_what_is_no_command(void **state)
{
    (void)state;
    static const struct {
        const char *language, *code, *names;
    } CASES[] = {
        {"tspl",
         "\xEF\xBB\xBF"
         "CLS\nBITMAP 0,0,1,6,0,\nBAR 1BAR 1,1,2,2\nBITMAP 1,2\nCLS\n",
         "CLS BITMAP BAR BITMAP CLS "},
        {"tspl", "BITMAP 0,0,W,1,0,xy\nPRINT 1\n", "BITMAP PRINT "},
        {"cpcl", "\xEF\xBB\xBF! 0 200 200 99 1\nCG 1 6 0 0 \nBOX 1\nLINE 0 0 1 1 1\nCG 1 2\nPRINT\n",
         "! CG LINE CG PRINT "},
        {"epl", "\xEF\xBB\xBFN\nGW0,0,1,4,\nLO1\nLW1,1,1,1\nP1\n", "N GW LW P "},
        // Control characters before the first command are no part of it; EPL2 without any line feed has lines, too.
        {"tspl", "\x02SIZE 9,9\r\nCLS\r\n", "SIZE CLS "},
        {"cpcl", "\r\n\x1b@\x18! 0 200 200 99 1\r\nPRINT\r\n", "! PRINT "},
        {"cpcl", "\x1bh<xpml><page></xpml>! 0 200 200 99 1\r\n\x1bvLINE 0 0 1 1 1\r\n<xpml></page></xpml>PRINT\r\n",
         "! LINE PRINT "},
        {"tspl", "<xpml><page></xpml>SIZE 9,9\r\n<xpml></page></xpml><xpml><page></xpml>CLS\r\n", "SIZE CLS "},
        {"epl", "N\n<xpml><page></xpml>LO1,1,2,2\nP1\n", "N LO P "},
        {"epl", "\x02N\rLO1,1,2,2\rGW0,0,1,2,a\rLW1,1,1,1\rP1\r", "N LO GW LW P "},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char names[200] = "";
        const struct pl_lang *language = NULL;
        for (uint32_t k = 0; pl_lang_at(k); k++)
            if (strcmp(pl_lang_at(k)->name, CASES[i].language) == 0)
                language = pl_lang_at(k);
        assert_non_null(language);
        language->outline(pl_slice_cstr(CASES[i].code), append_name, names);
        assert_string_equal(names, CASES[i].names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zpl_of_the_project),
        cmocka_unit_test(zpl_of_others),
        cmocka_unit_test(other_languages),
        cmocka_unit_test(lines_with_a_caret),
        cmocka_unit_test(immediate_commands_of_tspl),
        cmocka_unit_test(odd_inputs_are_zpl),
        cmocka_unit_test(code_of_programs),
        cmocka_unit_test(outlines_skip_what_is_no_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
