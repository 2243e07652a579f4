// The splitter: what is a unit, and that it does not matter how the input is cut.
#include <stdio.h>
#include <string.h>

#include "printer/splitter.h"
#include "unit.h"

static void note(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct pl_buf *out = user;
    static const char LETTERS[] = "CTSJLUPMO"; // code, control, SGD, JSON, too large, unfinished, label, stored, other
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
        if (out.len != wanted_len || memcmp(out.data ? (const void *)out.data : "", wanted, wanted_len) != 0)
            fail_msg("pieces of %zu: %.*s", step, (int)out.len, out.data ? (const char *)out.data : "");
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
    CHECK("! no\r\n!^XA!^XZ", "O[! no\r\n!]C[^XA!^XZ]");
    // Behind a command outside of formats too; '!' is also data of ~DG.
    CHECK("~SD10\r\n! U1 getvar \"a\"\r\n^XA^XZ", "C[~SD10\r\n]S[! U1 getvar \"a\"]C[^XA^XZ]");
    CHECK("~SD10\n{\"a\":null}", "C[~SD10\n]J[{\"a\":null}]");
    CHECK("~DGR:X,9,3,FF\r\n!\r\n! UP\n! U^XA^XZ", "C[~DGR:X,9,3,FF\r\n!\r\n! UP\n! U^XA^XZ]");
    CHECK("~DGR:X,9,3,FF!0\n!", "C[~DGR:X,9,3,FF!0\n!]");
    CHECK("{}{\"a\":\"}\\\"\",\"b\":[{}]}^XA{^XZ", "J[{}]J[{\"a\":\"}\\\"\",\"b\":[{}]}]C[^XA{^XZ]");
    // A brace that is no JSON hides no format.
    CHECK("${^XA^FDa^XZ}$\n{note\n^XA^FDb^XZ{\"x\ny\"^XA^FDc^XZ",
          "C[^XA^FDa^XZ]O[}$\n{note\n]C[^XA^FDb^XZ]O[{\"x\ny\"]C[^XA^FDc^XZ]");
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

// ---- other languages

static void split_lines(enum platen_language language, const char *input, size_t len, size_t step, struct pl_buf *out)
{
    struct printer_splitter s;
    struct printer_forms forms = {.count = 0};
    printer_splitter_init(&s, 1 << 16);
    printer_splitter_read(&s, language, &forms);
    for (size_t i = 0; i < len; i += step ? step : len)
        printer_splitter_feed(&s, pl_slice_make(input + i, step && step < len - i ? step : len - i), note, out);
    printer_splitter_end(&s, note, out);
    assert_true(printer_splitter_is_idle(&s));
    printer_splitter_fini(&s);
}

static void check_lines(enum platen_language language, const char *input, size_t len, const char *wanted,
                        size_t wanted_len)
{
    for (size_t step = 0; step < 9; step++) {
        struct pl_buf out;
        pl_buf_init(&out, 1 << 20);
        split_lines(language, input, len, step, &out);
        if (!pl_slice_eq(pl_buf_slice(&out), pl_slice_make(wanted, wanted_len)))
            fail_msg("pieces of %zu: %.*s", step, (int)out.len, (const char *)out.data);
        pl_buf_fini(&out);
    }
}
#define LINES(language, input, wanted)                                                                                 \
    check_lines(PLATEN_LANGUAGE_##language, input, sizeof(input) - 1, wanted, sizeof(wanted) - 1)

static void labels_of_epl(void **state)
{
    (void)state;
    LINES(EPL, "N\nA1,1,0,1,1,1,N,\"P1\"\nP1\n\nN\nP2", "P[N\nA1,1,0,1,1,1,N,\"P1\"\nP1\n]P[N\nP2]");
    LINES(EPL, "q400\nPRINT 1\nPX\n", "C[q400\nPRINT 1\nPX\n]");
    LINES(EPL, "A1,1,0,1,1,1,N,\"x\"\n", "U[A1,1,0,1,1,1,N,\"x\"\n]");
    LINES(EPL, "UQ\nA1\nUQ\nP1\n", "C[UQ\n]P[A1\nUQ\nP1\n]");
    // Bytes that are counted: by two numbers, by the length of a file, by a font's own.
    LINES(EPL, "GW1,2,2,2,\nP1\nP1\n", "P[GW1,2,2,2,\nP1\nP1\n]");
    LINES(EPL, "GW1,2,2,2\n\nP1\nP1\n", "P[GW1,2,2,2\n\nP1\nP1\n]");
    LINES(EPL, "GW1,2,x,2,\nP1\n", "P[GW1,2,x,2,\nP1\n]");
    LINES(EPL, "GM\"A\"4\r\nP1\n\nP1\n", "M[GM\"A\"4\r\nP1\n\n]P[P1\n]");
    LINES(EPL, "GM\"A\"4\n\n\x05\nPP1\n", "M[GM\"A\"4\n\n\x05\nP]P[P1\n]");
    LINES(EPL, "ES\"a\"\x01\x01\x02P\x08\x08\nP\nP1\n", "M[ES\"a\"\x01\x01\x02P\x08\x08\nP]P[P1\n]");
    // They are stored before what was drawn already.
    LINES(EPL, "N\nA1\nGM\"A\"4\r\nP1\n\nGG1,1,\"A\"\nP1\n", "M[GM\"A\"4\r\nP1\n\n]P[N\nA1\nGG1,1,\"A\"\nP1\n]");
    LINES(EPL, "A1,1,0,3\nGK\"A\"\nEK\"a\"\nP1\n", "M[GK\"A\"\n]M[EK\"a\"\n]P[A1,1,0,3\nP1\n]");
    // A label has what was stored when it was drawn.
    LINES(EPL, "N\nGG1,1,\"L\"\nGK\"L\"\nP1\n", "P[N\nGG1,1,\"L\"\nGK\"L\"\nP1\n]");
    LINES(EPL, "A1,1,0,a,1,1,N,\"x\"\nEK\"a\"\nP1\n", "P[A1,1,0,a,1,1,N,\"x\"\nEK\"a\"\nP1\n]");
    LINES(EPL, "GM\"A\"9\nP1\n", "U[GM\"A\"9\nP1\n]");
    LINES(EPL, "GM\"A\"0\nP1\nN\n", "P[GM\"A\"0\nP1\n]C[N\n]");
    // Text of a code in two dimensions holds lines; a quote without an end ends with its line.
    LINES(EPL, "b1,1,Q,\"a\nP1\n\"\nP1\n", "P[b1,1,Q,\"a\nP1\n\"\nP1\n]");
    LINES(EPL, "b1,1,Q,\"a\"\nP1\nN\n", "P[b1,1,Q,\"a\"\nP1\n]C[N\n]");
    LINES(EPL, "b1,1,Q,\"a\n\"x\nP1\nP2\n", "P[b1,1,Q,\"a\n\"x\nP1\n]P[P2\n]");
    LINES(EPL, "b1,1,Q,\"a\nP1\nb1,1,Q,\"b\nP2\nP3\n", "P[b1,1,Q,\"a\nP1\n]P[b1,1,Q,\"b\nP2\n]P[P3\n]");
}

static void forms_of_epl(void **state)
{
    (void)state;
#define FORM "FS\"F\"\nV00,9,N,\"\"\nC0,3,N,+1\nP1\nFE\n"
    LINES(EPL, FORM, "M[" FORM "]");
    LINES(EPL, FORM "FR\"F\"\n?\nP1\nP2\nP3\n", "M[" FORM "]P[FR\"F\"\n?\nP1\nP2\nP3\n]");
    LINES(EPL, FORM "FK\"F\"\nFR\"F\"\n?\nP1\nP2\n", "M[" FORM "]M[FK\"F\"\n]P[FR\"F\"\n?\nP1\n]P[P2\n]");
    LINES(EPL, "FS\"F\"\nV00,9,N,\"\"\nPA1\nFE\nFR\"F\"\n?\nx\nN\n",
          "M[FS\"F\"\nV00,9,N,\"\"\nPA1\nFE\n]P[FR\"F\"\n?\nx\n]C[N\n]");
    LINES(EPL, "FS\"F\"\nGW1,1,1,4,\nFE\nP1\nFE\nP1\n", "M[FS\"F\"\nGW1,1,1,4,\nFE\nP1\nFE\n]P[P1\n]");
    LINES(EPL, "FS\"F\"\nP1\n", "U[FS\"F\"\nP1\n]");
    LINES(EPL, "FS\"F\"\nP1\nFE", "M[FS\"F\"\nP1\nFE]");
    // In the middle of a label; but not where something was recalled that it changes.
    LINES(EPL, "q400\nA1\n" FORM "A2\nP1\n", "M[" FORM "]P[q400\nA1\nA2\nP1\n]");
    LINES(EPL, "GG1,1,\"L\"\n" FORM "P1\nFR\"F\"\n?\nP1\nP2\nP3\n",
          "P[GG1,1,\"L\"\n" FORM "P1\n]P[FR\"F\"\n?\nP1\nP2\nP3\n]");
    LINES(EPL, FORM "FK\"F*\"\nFR\"F\"\n?\nP1\nP2\n", "M[" FORM "]M[FK\"F*\"\n]P[FR\"F\"\n?\nP1\n]P[P2\n]");
    LINES(EPL, FORM "FK\"G*\"\nFR\"F\"\n?\n1\n2\nP3\n", "M[" FORM "]M[FK\"G*\"\n]P[FR\"F\"\n?\n1\n2\nP3\n]");
    LINES(EPL, FORM "FR\"F\"\nFK\"F\"\n?\n1\n2\nP1\n", "M[" FORM "]P[FR\"F\"\nFK\"F\"\n?\n1\n2\nP1\n]");
    // A change does not overtake one that waits, though the label no longer uses what is stored.
    LINES(EPL, "GG1,1,\"L\"\nFK\"F\"\nN\n" FORM "P1\n", "P[GG1,1,\"L\"\nFK\"F\"\nN\n" FORM "P1\n]");
    // What a form that recalls others asks for is not known.
    LINES(EPL, "FS\"F\"\nFR\"G\"\nFE\nFR\"F\"\nP1\nP2\n", "M[FS\"F\"\nFR\"G\"\nFE\n]P[FR\"F\"\nP1\nP2\n]");
#undef FORM
}

static void labels_of_tspl(void **state)
{
    (void)state;
    LINES(TSPL,
          "TEXT 1,1,\"3\",0,1,1,\"old\"\nKILL \"A.BAS\"\nCLS\nDOWNLOAD \"A.BAS\"\nBAR 1\nPRINT 1\nEOP\nRUN \"A.BAS\"\n",
          "P[TEXT 1,1,\"3\",0,1,1,\"old\"\nKILL \"A.BAS\"\nCLS\nDOWNLOAD \"A.BAS\"\nBAR 1\nPRINT 1\nEOP\nRUN "
          "\"A.BAS\"\n]");
    LINES(TSPL, "CLS\r\nTEXT 1,1,\"PRINT 1\"\r\nPRINT 1\r\n\r\nCLS\nprint 2",
          "P[CLS\r\nTEXT 1,1,\"PRINT 1\"\r\nPRINT 1\r]P[CLS\nprint 2]");
    LINES(TSPL, "SIZE 1,2\nPRINT=1\nPRINTER\n", "C[SIZE 1,2\nPRINT=1\nPRINTER\n]");
    LINES(TSPL, "TEXT 1,1,\"x\"\n", "U[TEXT 1,1,\"x\"\n]");
    LINES(TSPL, "TEXT 1,\"a\nPRINT 1\n\",2\nPRINT 1\n", "P[TEXT 1,\"a\nPRINT 1\n\",2\nPRINT 1\n]");
    LINES(TSPL, "TEXT 1,\"a\\[\"]\nPRINT 1\n\"\nPRINT 1\n", "P[TEXT 1,\"a\\[\"]\nPRINT 1\n\"\nPRINT 1\n]");
    LINES(TSPL, "TEXT 1,\"a\\\"\nPRINT 1\n", "P[TEXT 1,\"a\\\"\nPRINT 1\n]");
    LINES(TSPL, "TEXT 1,\"a\\\" b\nPRINT 1\n\"\nPRINT 2\n", "P[TEXT 1,\"a\\\" b\nPRINT 1\n\"\nPRINT 2\n]");
    LINES(TSPL, "BITMAP 1,2,3,3,0,\nPRINT 1\nPRINT 1\n", "P[BITMAP 1,2,3,3,0,\nPRINT 1\nPRINT 1\n]");
    LINES(TSPL, "BITMAP 1,2,1+1,5,0,\nPRINT 1\nPRINT 1\n", "P[BITMAP 1,2,1+1,5,0,\nPRINT 1\nPRINT 1\n]");
    LINES(TSPL, "DOWNLOAD F,\"A\",10,\nPRINT 1\n\nPRINT 2\n", "M[DOWNLOAD F,\"A\",10,\nPRINT 1\n\n]P[PRINT 2\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nPRINT 1\nEOPX\n eop \nPRINT 2\n",
          "M[DOWNLOAD \"A.BAS\"\nPRINT 1\nEOPX\n eop \n]P[PRINT 2\n]");
    LINES(TSPL, "A$=\"x\"\nBAR 1\nDOWNLOAD \"A.BAS\"\nEOP\nKILL \"B\"\nPRINT 1\n",
          "M[DOWNLOAD \"A.BAS\"\nEOP\n]M[KILL \"B\"\n]P[A$=\"x\"\nBAR 1\nPRINT 1\n]");
    LINES(TSPL, "PUTBMP 0,0,\"A.BMP\"\nKILL \"A.BMP\"\nPRINT 1\n",
          "P[PUTBMP 0,0,\"A.BMP\"\nKILL \"A.BMP\"\nPRINT 1\n]");
    LINES(TSPL, "A$=\"B\"\nKILL A$\nPRINT 1\n", "P[A$=\"B\"\nKILL A$\nPRINT 1\n]");
    // What was deleted is not run.
#define PROGRAM "DOWNLOAD \"A.BAS\"\nPRINT 1\nEOP\n"
    LINES(TSPL, PROGRAM "KILL \"a.bas\"\nRUN \"A.BAS\"\nBAR 2\nPRINT 1\n",
          "M[" PROGRAM "]M[KILL \"a.bas\"\n]P[RUN \"A.BAS\"\nBAR 2\nPRINT 1\n]");
    LINES(TSPL, PROGRAM "KILL \"*.BAS\"\nRUN \"A.BAS\"\nBAR 2\nPRINT 1\n",
          "M[" PROGRAM "]M[KILL \"*.BAS\"\n]P[RUN \"A.BAS\"\nBAR 2\nPRINT 1\n]");
#undef PROGRAM
    // A program that prints is run at once; one that only draws belongs to the label around it.
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nBAR 1\nPRINT 1\nEOP\nCLS\nRUN \"a\"\nCLS\n",
          "M[DOWNLOAD \"A.BAS\"\nBAR 1\nPRINT 1\nEOP\n]P[CLS\nRUN \"a\"\n]C[CLS\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\",15,BAR 1\nPRINT 1\n\nRUN \"A.BAS\"\nCLS\n",
          "M[DOWNLOAD \"A.BAS\",15,BAR 1\nPRINT 1\n\n]P[RUN \"A.BAS\"\n]C[CLS\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nPRINT 1\nBAR 1\nEOP\nRUN \"A.BAS\"\nPRINT 1\nCLS\n",
          "M[DOWNLOAD \"A.BAS\"\nPRINT 1\nBAR 1\nEOP\n]P[RUN \"A.BAS\"\nPRINT 1\n]C[CLS\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nRUN \"B\"\nPRINT 1\nEOP\nRUN \"A.BAS\"\nSET 1\n",
          "M[DOWNLOAD \"A.BAS\"\nRUN \"B\"\nPRINT 1\nEOP\n]P[RUN \"A.BAS\"\nSET 1\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nPRINT 1\n", "U[DOWNLOAD \"A.BAS\"\nPRINT 1\n]");
    // Its name alone runs it, unless that is a command's.
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nBAR 1\nPRINT 1\nEOP\nBAR 2\na \nCLS\n",
          "M[DOWNLOAD \"A.BAS\"\nBAR 1\nPRINT 1\nEOP\n]P[BAR 2\na \n]C[CLS\n]");
    LINES(TSPL, "DOWNLOAD \"HOME.BAS\"\nPRINT 1\nEOP\nBAR 2\nHOME\nBAR 3\nPRINT 1\n",
          "M[DOWNLOAD \"HOME.BAS\"\nPRINT 1\nEOP\n]P[BAR 2\nHOME\nBAR 3\nPRINT 1\n]");
    // One that runs others may have printed: what is unfinished behind it does not take that along.
#define RUNS "DOWNLOAD \"A.BAS\"\nA = 1\nB \nEOP\n"
    LINES(TSPL, RUNS "BAR 1\nA\nCLS\nBAR 2\n", "M[" RUNS "]P[BAR 1\nA\nCLS\n]U[BAR 2\n]");
    LINES(TSPL, RUNS "RUN \"A\"\nBAR 2\nBITMAP 0,0,9,9,0,xy", "M[" RUNS "]P[RUN \"A\"\n]U[BAR 2\nBITMAP 0,0,9,9,0,xy]");
    LINES(TSPL, RUNS "A\nCLS\nDOWNLOAD \"C\"\nEOP\nBAR 2\nPRINT 1\n",
          "M[" RUNS "]P[A\nCLS\nDOWNLOAD \"C\"\nEOP\nBAR 2\nPRINT 1\n]");
#undef RUNS
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nA = 1\nA=1\nBAR 1\nPRINT 1\nEOP\nA\nCLS\n",
          "M[DOWNLOAD \"A.BAS\"\nA = 1\nA=1\nBAR 1\nPRINT 1\nEOP\n]P[A\n]C[CLS\n]");
    // Bytes of a BITMAP in a program are counted, too.
#define BITS "BITMAP 0,0, 1 ,5,0,\nEOP\n"
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\n" BITS "PRINT 1\nEOP\nA\nCLS\n",
          "M[DOWNLOAD \"A.BAS\"\n" BITS "PRINT 1\nEOP\n]P[A\n]C[CLS\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\n" BITS "\n EOP\nA\nPRINT 2\nCLS\n",
          "M[DOWNLOAD \"A.BAS\"\n" BITS "\n EOP\n]P[A\nPRINT 2\n]C[CLS\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\",32," BITS "PRINT 1\nA\nCLS\n",
          "M[DOWNLOAD \"A.BAS\",32," BITS "PRINT 1\n]P[A\n]C[CLS\n]");
    LINES(TSPL, "DOWNLOAD \"A.BAS\"\nBITMAP 0,0,1+0,5,0,\nEOP\nPRINT 1\n",
          "M[DOWNLOAD \"A.BAS\"\nBITMAP 0,0,1+0,5,0,\nEOP\n]P[PRINT 1\n]");
#undef BITS
    LINES(TSPL, "RUN \"A.BAS\"\n", "P[RUN \"A.BAS\"\n]");
    LINES(TSPL, "CLS\n\x1b!?BAR 1,1,1,1\n~!TPRINT 1\n", "T[\x1b!?]T[~!T]P[CLS\nBAR 1,1,1,1\nPRINT 1\n]");
    LINES(TSPL, "\xEF\xBB\xBFPRINT 1\n", "P[\xEF\xBB\xBFPRINT 1\n]");
    // A quote without an end ends with its line, as the quotes behind it show, or the end of the input.
    LINES(TSPL, "TEXT \"a\nPRINT 1\nTEXT \"b\"\nPRINT 1\n", "P[TEXT \"a\nPRINT 1\n]P[TEXT \"b\"\nPRINT 1\n]");
    LINES(TSPL, "TEXT \"a\nPRINT 1\nTEXT \"b\nPRINT 2\nTEXT \"c\nPRINT 3\n",
          "P[TEXT \"a\nPRINT 1\n]P[TEXT \"b\nPRINT 2\n]P[TEXT \"c\nPRINT 3\n]");
    LINES(TSPL, "TEXT \"a\nBITMAP 1,2,1,9,0,\nPRINT 9\nPRINT 1\nTEXT \"b\"\n",
          "P[TEXT \"a\nBITMAP 1,2,1,9,0,\nPRINT 9\nPRINT 1\n]U[TEXT \"b\"\n]");
    LINES(TSPL, "PRINT 1,\"a", "P[PRINT 1,\"a]");
}

static void labels_of_cpcl(void **state)
{
    (void)state;
#define HEAD "! 0 200 200 99 1\r\n"
    LINES(CPCL, HEAD "T 1 1 1 1 PRINT\r\nPRINT\r\n" HEAD "PRINT",
          "P[" HEAD "T 1 1 1 1 PRINT\r\nPRINT\r]P[" HEAD "PRINT]");
    LINES(CPCL, "\x1bh\x1bv" HEAD "\x1bhT 1 1 1 1 x\r\nPRINT\r\n\x1bN",
          "T[\x1bh]T[\x1bv]T[\x1bh]P[" HEAD "T 1 1 1 1 x\r\nPRINT\r]T[\x1bN]");
    LINES(CPCL, HEAD "CG 1 2 0 0 \x1bhPRINT\r\n", "P[" HEAD "CG 1 2 0 0 \x1bhPRINT\r]");
    LINES(CPCL, HEAD "T 1 1 1 1 x\r\nPOPRINT\r\n" HEAD "B QR 1 1\r\nMA,x\r\nPOPRINT\r\n",
          "P[" HEAD "T 1 1 1 1 x\r\nPOPRINT\r]P[" HEAD "B QR 1 1\r\nMA,x\r\nPOPRINT\r]");
    LINES(CPCL, "\x1bx\r\n", "P[\x1bx\r\n]");
    LINES(CPCL, HEAD "T 1 1 1 1 x\r\n", "U[" HEAD "T 1 1 1 1 x\r\n]");
    LINES(CPCL, "one\r\nPRINT\r\n", "P[one\r\nPRINT\r\n]");
    LINES(CPCL, HEAD "CG 1 8 0 0 \r\nPRINT\r\r\nPRINT\r\n", "P[" HEAD "CG 1 8 0 0 \r\nPRINT\r\r\nPRINT\r]");
    LINES(CPCL, HEAD "ML 20\r\nT 1 1 1 1\r\nPRINTED\r\nENDML\r\nPRINT\r\n",
          "P[" HEAD "ML 20\r\nT 1 1 1 1\r\nPRINTED\r\nENDML\r\nPRINT\r]");
    // Left open, it ends as the interpreter ends it.
    LINES(CPCL, HEAD "ML 20\r\nT 1 1 1 1\r\nx\r\nPRINT\r\n" HEAD "T 1 1 1 1 y\r\nPRINT\r\n",
          "P[" HEAD "ML 20\r\nT 1 1 1 1\r\nx\r\nPRINT\r]P[" HEAD "T 1 1 1 1 y\r\nPRINT\r]");
    LINES(CPCL, HEAD "B QR 1 1\r\nCG 1 99 0 0 x\r\nENDQR\r\nPRINT\r\n",
          "P[" HEAD "B QR 1 1\r\nCG 1 99 0 0 x\r\nENDQR\r\nPRINT\r]");
    LINES(CPCL, "! DF A.FMT\r\n" HEAD "PRINT\r\n! UF A.FMT\r\nx\r\n",
          "M[! DF A.FMT\r\n" HEAD "PRINT\r]P[! UF A.FMT\r]P[x\r\n]");
    // A format prints when its lines have come, or a session begins in their place.
#define SLOTS HEAD "T 1 1 1 1 \\\\ \\\\\\\r\nPRINT\r\n"
    LINES(CPCL, "! DF A\r\n" SLOTS "! UF a\r\nPRINT\r\n\r\n" HEAD "PRINT\r\n",
          "M[! DF A\r\n" HEAD "T 1 1 1 1 \\\\ \\\\\\\r\nPRINT\r]P[! UF a\r\nPRINT\r\n\r]P[" HEAD "PRINT\r]");
    LINES(CPCL, "! DF A\r\n" SLOTS "! UF A\r\nx\r\n" HEAD "PRINT\r\n",
          "M[! DF A\r\n" HEAD "T 1 1 1 1 \\\\ \\\\\\\r\nPRINT\r]P[! UF A\r\nx\r\n]P[" HEAD "PRINT\r]");
    LINES(CPCL, "! DF A\r\n" HEAD "PRINT\r\n! UTILITIES\r\nDEL A\r\nPRINT\r\n! UF A\r\none\r\n",
          "M[! DF A\r\n" HEAD "PRINT\r]C[! UTILITIES\r\nDEL A\r\nPRINT\r]P[! UF A\r\none\r\n]");
    LINES(CPCL, "! U1 DEL A\r\n! DF A\r\n" HEAD "PRINT\r\n! UF A\r\n",
          "C[! U1 DEL A\r]M[! DF A\r\n" HEAD "PRINT\r]P[! UF A\r]");
    LINES(CPCL, "one\r\n! U1 DEL A\r\n! DF A\r\n" HEAD "PRINT\r\n",
          "P[one\r\n! U1 DEL A\r\n! DF A\r\n" HEAD "PRINT\r\n]");
    LINES(CPCL,
          "! DF A\r\n" HEAD "CG 1 3 1 1 a\x1f"
          "b\r\nPRINT\r\n! UF A\r\n",
          "M[! DF A\r\n" HEAD "CG 1 3 1 1 a\x1f"
          "b\r\nPRINT\r]P[! UF A\r]");
    LINES(CPCL,
          "! CISDFCRC16\r\n0\r\nA.FMT\r\n2A\r\n0\r\n" HEAD
          "T 1 1 1 1 \\\\ \\\\\r\nPRINT\r\n\r\n! UF A.FMT\r\nx\r\ny\r\nz",
          "M[! CISDFCRC16\r\n0\r\nA.FMT\r\n2A\r\n0\r\n" HEAD
          "T 1 1 1 1 \\\\ \\\\\r\nPRINT\r\n]P[! UF A.FMT\r\nx\r\ny\r]P[z]");
#undef SLOTS
    // Bytes of CG are counted in formats, too: they hold neither PRINT nor lines to come.
#define BITS "CG 1 9 1 1 \r\nPRINT\r\n"
    LINES(CPCL, "! DF A\r\n" HEAD BITS "\r\n CG 1 2 1 1 \\\\PRINT\r\n! UF A\r\none\r\n",
          "M[! DF A\r\n" HEAD BITS "\r\n CG 1 2 1 1 \\\\PRINT\r]P[! UF A\r]P[one\r\n]");
    LINES(CPCL, "! CISDFCRC16\r\n0\r\nA.FMT\r\n28\r\n0\r\n" HEAD "CG 1 2 1 1 \\\\\r\nPRINT\r\n! UF A.FMT\r\nx\r\n",
          "M[! CISDFCRC16\r\n0\r\nA.FMT\r\n28\r\n0\r\n" HEAD "CG 1 2 1 1 \\\\\r\nPRINT\r\n]P[! UF A.FMT\r]P[x\r\n]");
#undef BITS
    // What is unfinished does not take the page before it along.
    LINES(CPCL, "one\r\n! DF A\r\n" HEAD, "P[one\r\n]U[! DF A\r\n" HEAD "]");
    // A session without PRINT is shown, and lines before a session are a page of their own.
    LINES(CPCL, HEAD "T 1 1 1 1 x\r\n" HEAD "PRINT\r\n", "U[" HEAD "T 1 1 1 1 x\r\n]P[" HEAD "PRINT\r]");
    LINES(CPCL, "^XA^XZ\r\n" HEAD "PRINT\r\n", "P[^XA^XZ\r\n]P[" HEAD "PRINT\r]");
    LINES(CPCL, "! DF A.FMT\r\n" HEAD, "U[! DF A.FMT\r\n" HEAD "]");
    LINES(CPCL, "! CISDFCRC16\r\n0\r\nA\r\n7\r\n0\r\nPRINT\r\n" HEAD "PRINT\r\n",
          "M[! CISDFCRC16\r\n0\r\nA\r\n7\r\n0\r\nPRINT\r\n]P[" HEAD "PRINT\r]");
    LINES(CPCL, "! U1 getvar \"a\"\r\n" HEAD "PRINT\r\n", "S[! U1 getvar \"a\"]P[" HEAD "PRINT\r]");
    LINES(CPCL, HEAD "PCX 0 0 \r\n\x0a\nPRINT\n\nPRINT\r\n", "P[" HEAD "PCX 0 0 \r\n\x0a\nPRINT\n\nPRINT\r\n]");
#undef HEAD
}

// A page over the limit hid the sessions behind it, up to the first PRINT.
static void what_is_over_the_limit_hides_nothing_behind_it(void **state)
{
    (void)state;
    static const char HEAD[] = "! 0 200 200 99 1\r\n";
    for (size_t step = 0; step < 9; step++) {
        char input[300];
        struct pl_buf out;
        struct printer_splitter s;
        struct printer_forms forms = {.count = 0};
        int len = snprintf(input, sizeof input, "%080d\r\n%sPRINT\r\n%s%080d\r\n%sEND\r\n", 1, HEAD, HEAD, 2, HEAD);
        pl_buf_init(&out, 4096);
        printer_splitter_init(&s, 64);
        printer_splitter_read(&s, PLATEN_LANGUAGE_CPCL, &forms);
        for (size_t i = 0; i < (size_t)len; i += step ? step : (size_t)len)
            printer_splitter_feed(&s, pl_slice_sub(pl_slice_make(input, (size_t)len), i, step ? step : (size_t)len),
                                  note, &out);
        printer_splitter_end(&s, note, &out);
        printer_splitter_fini(&s);
        pl_buf_append_byte(&out, '\0');
        const char *text = (const char *)out.data, *behind = strchr(text, ']');
        assert_int_equal(text[0], 'L');
        assert_non_null(behind);
        assert_int_equal(strncmp(behind, "]P[! 0 200 200 99 1\n\nPRINT\r]L[! 0 200", 37), 0);
        assert_string_equal(strrchr(text, '['), "[! 0 200 200 99 1\n\nEND\r\n]");
        pl_buf_fini(&out);
    }
}

// `head`, `count` times `line`, `tail`: what is over the limit, and what is behind it.
static void check_oversized(enum platen_language language, const char *head, const char *line, size_t count,
                            const char *tail, const char *wanted)
{
    for (size_t step = 0; step < 9; step++) {
        struct pl_buf in, out;
        struct printer_splitter s;
        struct printer_forms forms = {.count = 0};
        pl_buf_init(&in, 4096);
        pl_buf_init(&out, 4096);
        pl_buf_append_cstr(&in, head);
        for (size_t i = 0; i < count; i++)
            pl_buf_append_cstr(&in, line);
        pl_buf_append_cstr(&in, tail);
        printer_splitter_init(&s, 64);
        printer_splitter_read(&s, language, &forms);
        for (size_t i = 0; i < in.len; i += step ? step : in.len)
            printer_splitter_feed(&s, pl_slice_sub(pl_buf_slice(&in), i, step ? step : in.len), note, &out);
        printer_splitter_end(&s, note, &out);
        printer_splitter_fini(&s);
        pl_buf_append_byte(&out, '\0');
        assert_int_equal(out.data[0], 'L');
        assert_string_equal(strchr((const char *)out.data, ']'), wanted);
        pl_buf_fini(&out);
        pl_buf_fini(&in);
    }
}

static void what_is_stored_and_over_the_limit_hides_no_label(void **state)
{
    (void)state;
    static const char EPL[] = "N\nLO1,1,1,1\nP1\n", TSPL[] = "CLS\nBAR 1\nPRINT 1\n";
    check_oversized(PLATEN_LANGUAGE_EPL, "FS\"Z\"\n", "LO1,1,1,1\n", 20, "FE\nN\nLO1,1,1,1\nP1\n",
                    "]P[N\nLO1,1,1,1\nP1\n]");
    check_oversized(PLATEN_LANGUAGE_EPL, "GM\"Z\"100\n", "\nP1\n ", 20, EPL, "]P[N\nLO1,1,1,1\nP1\n]");
    check_oversized(PLATEN_LANGUAGE_TSPL, "DOWNLOAD \"Z.BAS\"\n", "BAR 1,1,9,9\n", 20, "EOP\nCLS\nBAR 1\nPRINT 1\n",
                    "]P[CLS\nBAR 1\nPRINT 1\n]");
    check_oversized(PLATEN_LANGUAGE_TSPL, "DOWNLOAD \"Z.BMP\",100,", "\nEOP\n", 20, TSPL, "]P[CLS\nBAR 1\nPRINT 1\n]");
    check_oversized(PLATEN_LANGUAGE_CPCL, "! DF Z.FMT\n! 0 200 200 99 1\n", "T 7 0 5 5 x\n", 20,
                    "PRINT\n! 0 200 200 99 1\nPRINT\n", "]P[! 0 200 200 99 1\nPRINT\n]");
    check_oversized(PLATEN_LANGUAGE_ZPL, "~DGR:X.GRF,100,10,", "FFFFFFFFFF", 20, "\n^XA^FDb^XZ", "]C[^XA^FDb^XZ]");
    check_oversized(PLATEN_LANGUAGE_ZPL, "~DGR:X.GRF,100,10,", "FFFFFFFFFF", 20, "\n\x02^FDb\x03", "]C[\x02^FDb\x03]");
    check_oversized(PLATEN_LANGUAGE_ZPL, "^CC+~DGR:X.GRF,100,10,", "FFFFFFFFFF", 20, "\n+XA+FDb+XZ", "]C[+XA+FDb+XZ]");
    check_oversized(PLATEN_LANGUAGE_ZPL, "~DGR:X.GRF,100,10,", "FFFFFFFFFF", 20, "\n~DGR:Y,2,2,FFFF^XA^FDb^XZ",
                    "]C[~DGR:Y,2,2,FFFF^XA^FDb^XZ]");
    // A label that had begun is over the limit with it.
    check_oversized(PLATEN_LANGUAGE_TSPL, "CLS\nBAR 2\nDOWNLOAD \"Z.BMP\",100,", "\nEOP\n", 20,
                    "PRINT 1\nCLS\nBAR 1\nPRINT 1\n", "]P[CLS\nBAR 1\nPRINT 1\n]");
}

// What a connection has noted of forms and not sent yet must not be taken for a mistake.
static void what_goes_before_a_session_is_sent(void **state)
{
    (void)state;
    struct pl_buf out;
    struct printer_splitter s;
    struct printer_forms forms = {.count = 0};
    pl_buf_init(&out, 4096);
    printer_splitter_init(&s, 100);
    printer_splitter_read(&s, PLATEN_LANGUAGE_CPCL, &forms);
    printer_splitter_feed(&s, pl_slice_cstr("! UF X\r\n! UTILITIES\r\nDEL A.FMT\r\nEND\r\n"), note, &out);
    assert_int_equal(forms.unsent, 1);
    printer_splitter_feed(&s, pl_slice_cstr("! 0 200 200 99 1\r\n"), note, &out);
    assert_int_equal(forms.unsent, 0);
    printer_splitter_fini(&s);
    pl_buf_fini(&out);
}

static void what_was_noted_and_not_sent_is_counted(void **state)
{
    (void)state;
    struct pl_buf out;
    struct printer_splitter s[2];
    struct printer_forms forms = {.count = 0};
    static const char HELD[] = "GG1,1,\"L\"\nFS\"F\"\nV00,9,N,\"\"\nFE\nFK\"G\"\n";
    pl_buf_init(&out, 4096);
    for (int i = 0; i < 2; i++) {
        printer_splitter_init(&s[i], 100);
        printer_splitter_read(&s[i], PLATEN_LANGUAGE_EPL, &forms);
    }
    printer_splitter_feed(&s[0], pl_slice_cstr("FS\"A\"\nFE\n"), note, &out);
    assert_int_equal(forms.unsent, 0); // it was sent at once
    assert_int_equal(forms.count, 1);
    for (int i = 0; i < 4; i++) {
        static char much[101];
        memset(much, 'x', 100);
        printer_splitter_feed(&s[0], pl_slice_cstr(HELD), note, &out);
        assert_int_equal(forms.unsent, 1);
        printer_splitter_feed(&s[1], pl_slice_cstr(HELD), note, &out);
        assert_int_equal(forms.unsent, 2);
        printer_splitter_feed(&s[1], pl_slice_cstr("P1\n"), note, &out);
        assert_int_equal(forms.unsent, 1);
        if (i == 0)
            printer_splitter_feed(&s[0], pl_slice_cstr("P1\n"), note, &out);
        else if (i == 1)
            printer_splitter_cancel(&s[0]);
        else if (i == 2)
            printer_splitter_end(&s[0], note, &out);
        else
            printer_splitter_feed(&s[0], pl_slice_cstr(much), note, &out); // over the limit
        assert_int_equal(forms.unsent, 0);
    }
    printer_splitter_feed(&s[1], pl_slice_cstr(HELD), note, &out);
    assert_int_equal(forms.unsent, 1);
    for (int i = 0; i < 2; i++)
        printer_splitter_fini(&s[i]);
    assert_int_equal(forms.unsent, 0);
    pl_buf_fini(&out);
}

static void lines_that_are_no_zpl_are_shown(void **state)
{
    (void)state;
    CHECK("N\nA1\nP1\nN\nB\n^XA^XZ", "O[N\nA1\nP1\n]O[N\nB\n]C[^XA^XZ]");
    CHECK("! 0 200 200 1 1\r\nT 1\r\nPRINT\r\n", "O[! 0 200 200 1 1\r\nT 1\r\nPRINT\r]");
    CHECK("^XA\nP1\n^XZ", "C[^XA\nP1\n^XZ]");
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
        cmocka_unit_test(labels_of_epl),
        cmocka_unit_test(forms_of_epl),
        cmocka_unit_test(labels_of_tspl),
        cmocka_unit_test(labels_of_cpcl),
        cmocka_unit_test(what_is_over_the_limit_hides_nothing_behind_it),
        cmocka_unit_test(what_is_stored_and_over_the_limit_hides_no_label),
        cmocka_unit_test(what_goes_before_a_session_is_sent),
        cmocka_unit_test(what_was_noted_and_not_sent_is_counted),
        cmocka_unit_test(lines_that_are_no_zpl_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
