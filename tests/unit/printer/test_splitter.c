// The splitter: what is a unit, and that it does not matter how the input is cut.
#include <stdio.h>
#include <string.h>

#include "printer/splitter.h"
#include "unit.h"

static void note(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct pl_buf *out = user;
    static const char LETTERS[] = "CTSJLU"; // code, control, SGD, JSON, too large, unfinished
    pl_buf_printf(out, "%c[", LETTERS[unit]);
    pl_buf_append_slice(out, pl_buf_slice(bytes));
    pl_buf_append_cstr(out, "]");
}

// In pieces of `step` bytes; 0: all at once.
static void split(const char *input, size_t len, size_t step, size_t most, struct pl_buf *out)
{
    struct printer_splitter s;
    printer_splitter_init(&s, most);
    for (size_t i = 0; i < len; i += step ? step : len) {
        size_t n = step && step < len - i ? step : len - i;
        printer_splitter_feed(&s, pl_slice_make(input + i, n), note, out);
    }
    printer_splitter_end(&s, note, out);
    printer_splitter_fini(&s);
}

static void check(const char *input, size_t len, const char *wanted, size_t wanted_len)
{
    for (size_t step = 0; step < 9; step++) {
        struct pl_buf out;
        pl_buf_init(&out, 1 << 20);
        split(input, len, step, 1 << 16, &out);
        assert_int_equal(out.len, wanted_len);
        assert_memory_equal(out.data ? (const void *)out.data : "", wanted, wanted_len);
        pl_buf_fini(&out);
    }
}
#define CHECK(input, wanted) check(input, sizeof(input) - 1, wanted, sizeof(wanted) - 1)

static void formats_are_units(void **state)
{
    (void)state;
    CHECK("^XA^FDa^FS^XZ\r\n^XA^FDb^FS^XZ", "C[^XA^FDa^FS^XZ]C[^XA^FDb^FS^XZ]");
    CHECK("junk ^XA^XZ more", "C[^XA^XZ]");
    CHECK("^xa^fdlow^fs^xz", "C[^xa^fdlow^fs^xz]");
    CHECK("\x02\x1e"
          "FDa\x0f\x03",
          "C[\x02\x1e"
          "FDa\x0f\x03]");
    CHECK("^XA^FD~1 is data^FS^XZ", "C[^XA^FD~1 is data^FS^XZ]");
    CHECK("", "");
    CHECK("\r\n\r\n", "");
}

static void what_comes_before_a_format_belongs_to_it(void **state)
{
    (void)state;
    CHECK("~DGR:X.GRF,8,2,FFFF^XA^XGR:X.GRF^FS^XZ", "C[~DGR:X.GRF,8,2,FFFF^XA^XGR:X.GRF^FS^XZ]");
    CHECK("~SD20^XA^XZ", "C[~SD20^XA^XZ]");
    CHECK("~DGR:X.GRF,2,2,FFFF", "C[~DGR:X.GRF,2,2,FFFF]"); // at the end of the input
}

static void counted_bytes_hide_commands(void **state)
{
    (void)state;
    CHECK("^XA^GFB,5,5,1,^XZ~H^FS^XZ", "C[^XA^GFB,5,5,1,^XZ~H^FS^XZ]");
    CHECK("^XA^GFB,5,5,1,\r\n^XZ~H^FS^XZ", "C[^XA^GFB,5,5,1,\r\n^XZ~H^FS^XZ]");
    CHECK("~DYR:A,B,T,6,,^XZ~HS~HS", "C[~DYR:A,B,T,6,,^XZ~HS]T[HS]");
    CHECK("^XA^GFA,5,5,1,^XZ", "C[^XA^GFA,5,5,1,^XZ]");                           // hex is not counted
    CHECK("^XA^GFB,50,50,1,:B64:QQ==:0^XZ", "C[^XA^GFB,50,50,1,:B64:QQ==:0^XZ]"); // nor is base64
    CHECK("^XA^GFB,50,50,1,:z64:QQ==:0^XZ", "C[^XA^GFB,50,50,1,:z64:QQ==:0^XZ]");
    CHECK("^XA^GFB,0,5,1,^XZ", "C[^XA^GFB,0,5,1,^XZ]");
    CHECK("^XA^GFB,^XZ", "C[^XA^GFB,^XZ]");
}

static void prefixes_change_on_the_way(void **state)
{
    (void)state;
    CHECK("~CC!!XA!FD^XZ!FS!XZ", "C[~CC!!XA!FD^XZ!FS!XZ]");
    CHECK("^XA^CC!!XZ~HS!CT+!CC^^XA^XZ+HI", "C[^XA^CC!!XZ]T[HS]C[!CT+!CC^^XA^XZ]T[HI]");
    CHECK("^XA^CD;^GFB;5;5;1;^XZ~H^FS^XZ", "C[^XA^CD;^GFB;5;5;1;^XZ~H^FS^XZ]");
    CHECK("CT~~CD,~CC^~CT~^XA^XZ", "C[~~CD,~CC^~CT~^XA^XZ]");
}

static void what_is_obeyed_at_once_is_no_part_of_a_label(void **state)
{
    (void)state;
    CHECK("~HS", "T[HS]");
    CHECK("~hs\r\n~HI", "T[HS]T[HI]");
    CHECK("^XA^FDa~HSb^FS^XZ", "T[HS]C[^XA^FDab^FS^XZ]");
    CHECK("~HQES~HQ^XA^XZ", "T[HQES]C[~HQ^XA^XZ]");
    CHECK("~~HS", "T[HS]C[~]");
    CHECK("~JA~PP~PS", "T[JA]T[PP]T[PS]");
}

static void sgd_and_json(void **state)
{
    (void)state;
    CHECK("! U1 getvar \"a\"\r\n! U1 setvar \"b\" \"^XA\"\r\n^XA^XZ",
          "S[! U1 getvar \"a\"]S[! U1 setvar \"b\" \"^XA\"]C[^XA^XZ]");
    CHECK("! U1 getvar \"a\"", "S[! U1 getvar \"a\"]");
    CHECK("! no\r\n!^XA!^XZ", "C[^XA!^XZ]");
    // Behind a command outside of formats too; '!' is also data of ~DG.
    CHECK("~SD10\r\n! U1 getvar \"a\"\r\n^XA^XZ", "C[~SD10\r\n]S[! U1 getvar \"a\"]C[^XA^XZ]");
    CHECK("~SD10\n{\"a\":null}", "C[~SD10\n]J[{\"a\":null}]");
    CHECK("~DGR:X,9,3,FF\r\n!\r\n! UP\n! U^XA^XZ", "C[~DGR:X,9,3,FF\r\n!\r\n! UP\n! U^XA^XZ]");
    CHECK("~DGR:X,9,3,FF!0\n!", "C[~DGR:X,9,3,FF!0\n!]");
    CHECK("{}{\"a\":\"}\\\"\",\"b\":[{}]}^XA{^XZ", "J[{}]J[{\"a\":\"}\\\"\",\"b\":[{}]}]C[^XA{^XZ]");
}

static void what_does_not_end_is_told(void **state)
{
    (void)state;
    CHECK("^XA^FDa", "U[^XA^FDa]");
    CHECK("^XA^GFB,9,9,1,ab", "U[^XA^GFB,9,9,1,ab]");
    CHECK("{\"a\"", "");
}

static void a_unit_over_the_limit_is_told_once_and_the_next_is_whole(void **state)
{
    (void)state;
    for (size_t step = 0; step < 7; step++) {
        static const char INPUT[] = "^XA^FD12345678901234567890^FS^XZ~HS^XA^FDok^FS^XZ";
        struct pl_buf out;
        pl_buf_init(&out, 1 << 16);
        split(INPUT, sizeof INPUT - 1, step, 20, &out);
        pl_buf_append_byte(&out, '\0');
        const char *text = (const char *)out.data;
        assert_int_equal(strncmp(text, "L[^XA^FD", 8), 0);
        assert_string_equal(strchr(text, ']'), "]T[HS]C[^XA^FDok^FS^XZ]");
        pl_buf_fini(&out);
    }
}

static void cancelling_keeps_the_place_in_counted_bytes(void **state)
{
    (void)state;
    struct pl_buf out;
    struct printer_splitter s;
    pl_buf_init(&out, 4096);
    printer_splitter_init(&s, 4096);
    printer_splitter_feed(&s, pl_slice_cstr("^XA^GFB,8,8,1,ab"), note, &out);
    printer_splitter_cancel(&s);
    assert_false(printer_splitter_is_idle(&s));
    printer_splitter_feed(&s, pl_slice_cstr("^XZ^XA^XA^XZ"), note, &out);
    pl_buf_append_byte(&out, '\0');
    assert_string_equal((const char *)out.data, "C[^XA^XZ]");
    printer_splitter_fini(&s);
    pl_buf_fini(&out);
}

static void pause_at_each(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct printer_splitter *s = user;
    (void)unit;
    (void)bytes;
    s->pauses = true;
}

static void a_sink_that_has_enough_leaves_the_rest(void **state)
{
    (void)state;
    struct printer_splitter s;
    static const char INPUT[] = "^XA^XZ~HS! U1 getvar \"a\"\n{}^XA";
    const size_t wanted[] = {6, 3, 16, 2, 3, 0};
    printer_splitter_init(&s, 1 << 16);
    struct pl_slice rest = pl_slice_make(INPUT, sizeof INPUT - 1);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t used = printer_splitter_feed(&s, rest, pause_at_each, &s);
        assert_int_equal(used, wanted[i]);
        rest = pl_slice_sub(rest, used, rest.len);
    }
    printer_splitter_fini(&s);
}

// Silence in any of them is silence in something unfinished.
static void what_was_thrown_away_and_has_not_ended_is_not_idle(void **state)
{
    (void)state;
    const struct {
        const char *begin, *end;
    } rows[] = {{"{\"a\":\"", "\"}"}, {"^XA^FX", "^XZ"}, {"~DGR:A.GRF,9000,10,", "^XA^XZ"}};
    static char fill[70000];
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    memset(fill, 'x', sizeof fill);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct printer_splitter s;
        printer_splitter_init(&s, 1 << 16);
        assert_true(printer_splitter_is_idle(&s));
        printer_splitter_feed(&s, pl_slice_cstr(rows[i].begin), note, &out);
        printer_splitter_feed(&s, pl_slice_make(fill, sizeof fill), note, &out);
        assert_false(printer_splitter_is_idle(&s));
        printer_splitter_feed(&s, pl_slice_cstr(rows[i].end), note, &out);
        printer_splitter_feed(&s, pl_slice_cstr("{}"), note, &out);
        assert_true(printer_splitter_is_idle(&s));
        printer_splitter_fini(&s);
    }
    pl_buf_fini(&out);
}

// ---- EPL2 and TSPL

static void jobs_in_lines_are_units(void **state)
{
    (void)state;
    CHECK("N\nA1,1,0,1,1,1,N,\"a\"\nP1\nN\nLO1,1,2,2\nP2\n", "C[N\nA1,1,0,1,1,1,N,\"a\"\nP1\n]C[N\nLO1,1,2,2\nP2\n]");
    CHECK("CLS\r\nBAR 1,1,2,2\r\nPRINT 1\r\nCLS\r\nBAR 3,3,2,2\r\nPRINT 1,2",
          "C[CLS\r\nBAR 1,1,2,2\r\nPRINT 1\r]C[CLS\r\nBAR 3,3,2,2\r\nPRINT 1,2]");
    CHECK("\r\nN\nA1,1,0,1,1,1,N,\"^XA ~HS {\"\nP1\n", "C[N\nA1,1,0,1,1,1,N,\"^XA ~HS {\"\nP1\n]");
    CHECK("Text about a size\nnothing here\n^XA^XZ", "C[^XA^XZ]"); // none of them
}

static void settings_hold_for_later_jobs(void **state)
{
    (void)state;
    CHECK("q400\nQ200,24\nN\nLO1,1,2,2\nP1\nN\nLO3,3,2,2\nP1\nq300\nN\nLO1,1,1,1\nP1\n",
          "C[q400\r\nQ200,24\r\nN\nLO1,1,2,2\nP1\n]C[q400\r\nQ200,24\r\nN\nLO3,3,2,2\nP1\n]"
          "C[Q200,24\r\nq300\r\nN\nLO1,1,1,1\nP1\n]");
    CHECK("SIZE 60 mm,40 mm\nSET PEEL ON\nCLS\nBAR 1,1,2,2\nPRINT 1\nCLS\nBAR 2,2,2,2\nPRINT 1\n",
          "C[SIZE 60 mm,40 mm\r\nSET PEEL ON\r\nCLS\nBAR 1,1,2,2\nPRINT 1\n]"
          "C[SIZE 60 mm,40 mm\r\nSET PEEL ON\r\nCLS\nBAR 2,2,2,2\nPRINT 1\n]");
    CHECK("FK\"F\"\nFS\"F\"\nA1,1,0,1,1,1,N,V00\nP1\nFE\nFR\"F\"\n?\nx\nP1\nFR\"F\"\n?\ny\nP1\n",
          "C[FK\"F\"\nFS\"F\"\nA1,1,0,1,1,1,N,V00\nP1\nFE\nFR\"F\"\n?\nx\nP1\n]"
          "C[FK\"F\"\nFS\"F\"\nA1,1,0,1,1,1,N,V00\nP1\nFE\nFR\"F\"\n?\ny\nP1\n]");
}

static void counted_bytes_of_lines_hide_lines(void **state)
{
    (void)state;
    CHECK("N\nGW1,1,2,3,\nP1\n^X\nP1\n", "C[N\nGW1,1,2,3,\nP1\n^X\nP1\n]");
    CHECK("N\nGW1,1,1,4\n\nP1\n\nP1\n", "C[N\nGW1,1,1,4\n\nP1\n\nP1\n]"); // a line end before the bytes
    CHECK("CLS\nBITMAP 0,0,1,8,0,PRINT 1\n\nPRINT 1\n", "C[CLS\nBITMAP 0,0,1,8,0,PRINT 1\n\nPRINT 1\n]");
    CHECK("GM\"G\"4\nP1\nPN\nGG1,1,\"G\"\nP1\n", "C[GM\"G\"4\nP1\nPN\nGG1,1,\"G\"\nP1\n]");
    CHECK("DOWNLOAD \"A.BMP\",8,PRINT 1\n\nCLS\nPUTBMP 1,1,\"A.BMP\"\nPRINT 1\n",
          "C[DOWNLOAD \"A.BMP\",8,PRINT 1\nCLS\nPUTBMP 1,1,\"A.BMP\"\nPRINT 1\n]");
}

static void languages_follow_each_other(void **state)
{
    (void)state;
    CHECK("^XA^FDa^FS^XZN\nLO1,1,2,2\nP1\n^XA^FDb^FS^XZ\r\nCLS\nBAR 1,1,2,2\nPRINT 1\n~HS",
          "C[^XA^FDa^FS^XZ]C[N\nLO1,1,2,2\nP1\n]C[^XA^FDb^FS^XZ]C[CLS\nBAR 1,1,2,2\nPRINT 1\n]T[HS]");
    CHECK("N\nLO1,1,2,2\n^XA^FDb^FS^XZ", "U[N\nLO1,1,2,2\n]C[^XA^FDb^FS^XZ]"); // a job that does not print
    CHECK("N\nLO1,1,2,2\n", "U[N\nLO1,1,2,2\n]");
    CHECK("q400\nN\n", ""); // settings alone are no job
    CHECK("P1\n", "");
}

static void questions_are_units_of_their_own(void **state)
{
    (void)state;
    CHECK("UQ\r\n", "C[UQ\r\n]");
    CHECK("q400\nN\nUQ\nLO1,1,2,2\nP1\n", "C[q400\r\nUQ\r\n]C[q400\r\nN\nLO1,1,2,2\nP1\n]");
    CHECK("\x1b!?", "C[\x1b!?\r\n]");
    CHECK("~!T", "C[~!T\r\n]");
    CHECK("CLS\n\x1b!?BAR 1,1,2,2\n~!IPRINT 1\n", "C[\x1b!?\r\n]C[~!I\r\n]C[CLS\nBAR 1,1,2,2\nPRINT 1\n]");
}

static void check_asked(enum printer_language language, const char *input, const char *wanted)
{
    struct printer_splitter s;
    struct pl_buf out;
    pl_buf_init(&out, 1 << 16);
    printer_splitter_init(&s, 1 << 16);
    printer_splitter_read(&s, language);
    printer_splitter_feed(&s, pl_slice_cstr(input), note, &out);
    printer_splitter_end(&s, note, &out);
    printer_splitter_fini(&s);
    pl_buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data, wanted);
    pl_buf_fini(&out);
}

static void a_port_may_have_one_language(void **state)
{
    (void)state;
    check_asked(PRINTER_ZPL, "N\nLO1,1,2,2\nP1\n^XA^XZ", "C[^XA^XZ]");
    check_asked(PRINTER_EPL, "N\nA1,1,0,1,1,1,N,\"a\"\n^XA^XZ\nP1\n~HS\n",
                "C[N\nA1,1,0,1,1,1,N,\"a\"\n^XA^XZ\nP1\n]U[~HS\n]");
    check_asked(PRINTER_TSPL, "CLS\nAPPLE 1\nPRINT 1\n", "C[CLS\nAPPLE 1\nPRINT 1\n]");
}

static void a_job_in_lines_over_the_limit_is_told_once(void **state)
{
    (void)state;
    struct pl_buf out, input;
    pl_buf_init(&out, 1 << 16);
    pl_buf_init(&input, 1 << 16);
    pl_buf_append_cstr(&input, "N\n");
    for (int i = 0; i < 100; i++)
        pl_buf_append_cstr(&input, "LO1,1,2,2\n");
    pl_buf_append_cstr(&input, "P1\nN\nLO1,1,2,2\nP1\n");
    split((const char *)input.data, input.len, 7, 100, &out);
    pl_buf_append_byte(&out, 0);
    assert_int_equal(strncmp((const char *)out.data, "L[N\nLO1", 7), 0);
    assert_non_null(strstr((const char *)out.data, "]C[N\nLO1,1,2,2\nP1\n]"));
    pl_buf_fini(&out);
    pl_buf_fini(&input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_in_lines_are_units),
        cmocka_unit_test(settings_hold_for_later_jobs),
        cmocka_unit_test(counted_bytes_of_lines_hide_lines),
        cmocka_unit_test(languages_follow_each_other),
        cmocka_unit_test(questions_are_units_of_their_own),
        cmocka_unit_test(a_port_may_have_one_language),
        cmocka_unit_test(a_job_in_lines_over_the_limit_is_told_once),
        cmocka_unit_test(formats_are_units),
        cmocka_unit_test(what_comes_before_a_format_belongs_to_it),
        cmocka_unit_test(counted_bytes_hide_commands),
        cmocka_unit_test(prefixes_change_on_the_way),
        cmocka_unit_test(what_is_obeyed_at_once_is_no_part_of_a_label),
        cmocka_unit_test(sgd_and_json),
        cmocka_unit_test(what_does_not_end_is_told),
        cmocka_unit_test(a_unit_over_the_limit_is_told_once_and_the_next_is_whole),
        cmocka_unit_test(a_sink_that_has_enough_leaves_the_rest),
        cmocka_unit_test(what_was_thrown_away_and_has_not_ended_is_not_idle),
        cmocka_unit_test(cancelling_keeps_the_place_in_counted_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
