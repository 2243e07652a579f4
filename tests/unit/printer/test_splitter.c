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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
