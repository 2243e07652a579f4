// Label code of one language to another: texts and barcodes stay what they are, the picture is the same or each
// difference is named, and a graphic has the same dots in every language.
#include "unit.h"

#include <stdio.h>

#include "convert_fixture.h"

#define EPL(body) "N\nq800\nQ800,24\n" body "\nP1\n"
#define TSPL(body) "SIZE 800 dot,800 dot\nCLS\n" body "\nPRINT 1\n"

// ---- what stays what it is

static void stays(const char *name, const char *code, enum platen_language from, const char *command, uint32_t notes)
{
    struct converted z = convert(code, strlen(code), from, PLATEN_LANGUAGE_ZPL);
    if (!strstr(z.code, command))
        fail_msg("%s: there is no %s in\n%s", name, command, z.code);
    if (z.notes != notes)
        fail_msg("%s: %u notes, not %u: %s", name, z.notes, notes, z.first_note);
    if (notes == 0 && strstr(z.code, "^GF"))
        fail_msg("%s: a graphic that nobody named:\n%s", name, z.code);
    if (notes == 0 && !is_same(code, strlen(code), from, &z, PLATEN_LANGUAGE_ZPL))
        fail_msg("%s: other dots:\n%s", name, z.code);
    free(z.code);
}

static void linear_codes_stay(void **state)
{
    (void)state;
    static const struct {
        enum platen_language language;
        const char *type, *data, *command;
    } CODES[] = {{PLATEN_LANGUAGE_EPL, "3", "ABC-12", "^B3"},
                 {PLATEN_LANGUAGE_EPL, "3C", "ABC-12", "^B3"},
                 {PLATEN_LANGUAGE_EPL, "9", "abc12", "^BA"},
                 {PLATEN_LANGUAGE_EPL, "0", "0012345678901234567", "^BC"},
                 {PLATEN_LANGUAGE_EPL, "1", "Abc123456", "^BC"},
                 {PLATEN_LANGUAGE_EPL, "1A", "ABC12", "^BC"},
                 {PLATEN_LANGUAGE_EPL, "1B", "Abc>12", "^BC"},
                 {PLATEN_LANGUAGE_EPL, "1C", "129956", "^BC"},
                 {PLATEN_LANGUAGE_EPL, "1E", "0112345678901231", "^BC"},
                 {PLATEN_LANGUAGE_EPL, "K", "A123456B", "^BK"},
                 {PLATEN_LANGUAGE_EPL, "E80", "1234567", "^B8"},
                 {PLATEN_LANGUAGE_EPL, "E32", "12345678901212", "^BS"},
                 {PLATEN_LANGUAGE_EPL, "UA0", "12345678901", "^BU"},
                 {PLATEN_LANGUAGE_EPL, "UE0", "123456", "^B9"},
                 {PLATEN_LANGUAGE_EPL, "2C", "12345", "^B2"},
                 {PLATEN_LANGUAGE_EPL, "L", "123456", "^BM"},
                 {PLATEN_LANGUAGE_EPL, "P", "12345", "^BZ"},
                 {PLATEN_LANGUAGE_EPL, "R14", "1234567890123", "^BR"},
                 {PLATEN_LANGUAGE_TSPL, "128", "Abc123456", "^BC"},
                 {PLATEN_LANGUAGE_TSPL, "128M", "!105123456", "^BC"},
                 {PLATEN_LANGUAGE_TSPL, "EAN128", "(01)12345678901231", "^BC"},
                 {PLATEN_LANGUAGE_TSPL, "25", "123456", "^B2"},
                 {PLATEN_LANGUAGE_TSPL, "25S", "123456", "^BJ"},
                 {PLATEN_LANGUAGE_TSPL, "25I", "123456", "^BI"},
                 {PLATEN_LANGUAGE_TSPL, "39C", "ABC12", "^B3"},
                 {PLATEN_LANGUAGE_TSPL, "93", "ABC12", "^BA"},
                 {PLATEN_LANGUAGE_TSPL, "EAN13", "123456789012", "^BE"},
                 {PLATEN_LANGUAGE_TSPL, "CODA", "A1234B", "^BK"},
                 {PLATEN_LANGUAGE_TSPL, "MSI", "12345", "^BM"},
                 {PLATEN_LANGUAGE_TSPL, "PLESSEY", "12345", "^BP"},
                 {PLATEN_LANGUAGE_TSPL, "11", "12345", "^B1"},
                 {PLATEN_LANGUAGE_TSPL, "POST", "12345", "^BZ"}};
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        for (int turn = 0; turn < 4; turn++) {
            char code[300];
            if (CODES[i].language == PLATEN_LANGUAGE_EPL)
                snprintf(code, sizeof code, EPL("B400,400,%d,%s,2,5,80,%c,\"%s\""), turn, CODES[i].type,
                         turn % 2 ? 'N' : 'B', CODES[i].data);
            else
                snprintf(code, sizeof code, TSPL("BARCODE 400,400,\"%s\",80,%d,%d,2,4,\"%s\""), CODES[i].type,
                         turn % 2 ? 0 : 2, turn * 90, CODES[i].data);
            stays(CODES[i].type, code, CODES[i].language, CODES[i].command, 0);
        }
    }
}

static void other_elements_stay(void **state)
{
    (void)state;
    static const struct {
        const char *code, *command;
        uint32_t notes;
    } EPLS[] = {{EPL("b100,100,A,\"Hello 123\""), "^BO", 0},
                {EPL("b100,100,D,\"Hello |_^~ 123\""), "^BX", 0},
                {EPL("b300,300,P,400,300,s3,\"Hello PDF \\\\ 123\""), "^B7", 0},
                {EPL("b100,100,Q,\"Hello 123\""), "^BQN,2,3^FDMA,Hello 123", 1}, // ZPL raises the level
                {EPL("b100,100,M,m2,\"001,840,123456789,UPS\""), "^BD2", 1},
                {EPL("LO10,10,100,4"), "^FO10,10^GB100,4,4,B,0", 0},
                {EPL("LO0,0,99,99\nLW10,10,50,4"), "^GB50,4,4,W,0", 0},
                {EPL("LO0,0,99,99\nLE10,10,200,40"), "^FR^GB200,40,40,B,0", 0},
                {EPL("X10,10,3,300,200"), "^GB", 0},
                {EPL("LS10,10,5,200,200"), "^GFA", 1},
                {EPL("A50,50,0,3,2,2,R,\"Rev\""), "^FDRev^FS", 0},
                {EPL("A300,300,2,4,1,2,N,\"^~_ \\\"2\\\"\""), "^FH_^FD_5E_7E_5F \"2\"^FS", 0},
                {EPL("A300,300,3,1,1,1,N,\"\x82 \x81\""), "^FD\xC3\xA9 \xC3\xBC^FS", 0},
                {EPL("A740,770,0,4,2,2,N,\"CUT\""), "^FDCUT^FS", 0}},
      TSPLS[] = {{TSPL("DMATRIX 100,100,400,400,\"DM\""), "^BX", 0},
                 {TSPL("PDF417 100,100,400,200,0,E3,W3,H10,\"Hello\""), "^B7", 0},
                 {TSPL("MPDF417 100,100,0,\"Hello\""), "^BF", 0},
                 {TSPL("RSS 100,100,\"RSSEXP\",0,2,25,22,\"(01)12345678901231\""), "^BR", 0},
                 {TSPL("CODABLOCK 100,100,0,\"Hello CODABLOCK\""), "^BB", 0},
                 {TSPL("TLC39 100,100,0,\"123456,ABC123\""), "^BT", 0},
                 {TSPL("BOX 10,10,200,100,4"), "^GB", 0},
                 {TSPL("CIRCLE 100,100,80,5"), "^GC80,5", 0},
                 {TSPL("ELLIPSE 100,100,160,80,5"), "^GE160,80,5", 0},
                 {TSPL("BAR 5,5,99,99\nERASE 10,10,20,20"), "^GB20,20,20,W", 0},
                 {TSPL("BAR 5,5,99,99\nREVERSE 2,2,200,200"), "^FR^GB", 0},
                 {TSPL("TEXT 100,100,\"3\",90,2,2,\"Hello\""), "^FDHello^FS", 0},
                 {TSPL("TEXT 100,100,\"ROMAN.TTF\",0,12,12,\"Hello Type\""), "^FDHello Type^FS", 0},
                 {TSPL("BLOCK 50,50,300,200,\"3\",0,1,1,\"a text that breaks into lines\""), "^FB300,", 0},
                 {TSPL("DIAGONAL 10,10,200,150,4"), "^GFA", 1}};
    for (size_t i = 0; i < sizeof EPLS / sizeof *EPLS; i++)
        stays(EPLS[i].code, EPLS[i].code, PLATEN_LANGUAGE_EPL, EPLS[i].command, EPLS[i].notes);
    for (size_t i = 0; i < sizeof TSPLS / sizeof *TSPLS; i++)
        stays(TSPLS[i].code, TSPLS[i].code, PLATEN_LANGUAGE_TSPL, TSPLS[i].command, TSPLS[i].notes);
}

static void settings_and_numbers_go_along(void **state)
{
    (void)state;
    const char *code = "S4\nD12\nN\nq400\nQ200,24\nA20,20,0,4,1,1,N,\"One\"\nP3\nN\nA20,20,0,4,1,1,N,\"Two\"\nP1,2\n";
    struct converted z = convert(code, strlen(code), PLATEN_LANGUAGE_DETECT, PLATEN_LANGUAGE_ZPL);
    static const char *const WANTED[] = {"~SD24", "^PR4", "^PW400^LL200", "^PQ3", "^PQ2"};
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++)
        if (!strstr(z.code, WANTED[i]))
            fail_msg("there is no %s in\n%s", WANTED[i], z.code);
    assert_int_equal(z.notes, 0);
    assert_true(is_same(code, strlen(code), PLATEN_LANGUAGE_EPL, &z, PLATEN_LANGUAGE_ZPL));
    free(z.code);
    // What the job does not set is the printer's.
    z = convert(EPL("LO1,1,9,9"), strlen(EPL("LO1,1,9,9")), PLATEN_LANGUAGE_DETECT, PLATEN_LANGUAGE_ZPL);
    assert_null(strstr(z.code, "~SD"));
    assert_null(strstr(z.code, "^PR"));
    free(z.code);
}

// All labels had the darkness and the speed of the job's end.
static void settings_are_those_of_each_label(void **state)
{
    (void)state;
    static const char *const CODES[] = {
        "N\nq400\nQ200,24\nD5\nA20,20,0,4,1,1,N,\"One\"\nP1\nN\nD12\nS4\nA20,20,0,4,1,1,N,\"Two\"\nP1\nD7\n",
        "SIZE 400 dot,200 dot\nDENSITY 5\nCLS\nTEXT 20,20,\"3\",0,1,1,\"One\"\nPRINT 1\nDENSITY 12\nSPEED 6\nCLS\n"
        "TEXT 20,20,\"3\",0,1,1,\"Two\"\nPRINT 1\nDENSITY 7\n"};
    static const char *const ORDER[][6] = {{"~SD10", "^FDOne", "~SD24", "^PR4", "^FDTwo", "~SD14"},
                                           {"~SD10", "^FDOne", "~SD24", "^PR6", "^FDTwo", "~SD14"}};
    for (size_t i = 0; i < 2; i++) {
        struct converted z = convert(CODES[i], strlen(CODES[i]), PLATEN_LANGUAGE_DETECT, PLATEN_LANGUAGE_ZPL);
        const char *at = z.code;
        for (size_t k = 0; k < 6; k++) {
            at = strstr(at, ORDER[i][k]);
            if (!at)
                fail_msg("there is no %s in its place in\n%s", ORDER[i][k], z.code);
        }
        assert_int_equal(z.notes, 0);
        free(z.code);
    }
}

// ^FO ends at 32,000 dots: fields behind that were put there.
static void places_beyond_zpl_are_named(void **state)
{
    (void)state;
    const char *code = "SIZE 200 dot,40000 dot\nCLS\nTEXT 10,20,\"3\",0,1,1,\"near\"\nBAR 10,31990,50,100\n"
                       "TEXT 10,33000,\"3\",0,1,1,\"far\"\nBAR 10,34000,50,50\n"
                       "BARCODE 10,35000,\"128\",50,1,0,2,2,\"12\"\nPRINT 1\n";
    struct converted z = convert(code, strlen(code), PLATEN_LANGUAGE_DETECT, PLATEN_LANGUAGE_ZPL);
    assert_int_equal(z.notes, 1 + 3); // the label and the fields
    assert_non_null(strstr(z.code, "^LL32000"));
    assert_non_null(strstr(z.code, "^FO10,31990^GB"));
    assert_non_null(strstr(z.code, "^FDnear"));
    for (const char *at = z.code; (at = strstr(at, "^FO")); at++)
        assert_true(atoi(strchr(at, ',') + 1) <= 32000);
    free(z.code);
}

// Each text in a stored font took one of 64 places, and all texts behind them became graphics.
static void texts_of_a_font_share_its_place(void **state)
{
    (void)state;
    char code[8192];
    int n = snprintf(code, sizeof code, "! CISDFCRC16\r\n0\r\nX.TTF\r\n10\r\n0\r\n");
    memcpy(code + n, "\0\1\0\0............\r\n", 18);
    n += 18;
    n += snprintf(code + n, sizeof code - (size_t)n, "! 0 200 200 2400 1\r\nPW 200\r\n");
    for (int i = 0; i < 70; i++)
        n += snprintf(code + n, sizeof code - (size_t)n, "T X.TTF 0 10 %d x\r\n", i * 30);
    n += snprintf(code + n, sizeof code - (size_t)n, "T 7 0 10 2200 native\r\nPRINT\r\n");
    struct converted z = convert(code, (size_t)n, PLATEN_LANGUAGE_CPCL, PLATEN_LANGUAGE_ZPL);
    if (!strstr(z.code, "^FDnative"))
        fail_msg("the text became a graphic:\n%s", z.first_note);
    free(z.code);
}

// Each was drawn alone, at the place of the first.
static void texts_that_go_on_stay_in_their_places(void **state)
{
    (void)state;
    static const char *const CODES[] = {
        "! 0 200 200 300 1\r\nPW 600\r\nCONCAT 75 75\r\n7 0 5 $\r\n7 1 0 12\r\n7 0 5 34\r\n"
        "ENDCONCAT\r\nVCONCAT 300 280\r\n4 0 0 up\r\n7 0 9 wards\r\nENDCONCAT\r\nPRINT\r\n",
        "Lines ! U1 SETBOLD 1 outside\r\n! U1 SETMAG 2 2 of ! U1 SETSP 4 labels\r\n"};
    static const char *const WORDS[] = {"^FDwards", "^FDLines"};
    for (size_t i = 0; i < 2; i++) {
        struct converted z = convert(CODES[i], strlen(CODES[i]), PLATEN_LANGUAGE_CPCL, PLATEN_LANGUAGE_ZPL);
        if (strstr(z.first_note, "differ"))
            fail_msg("%s", z.first_note);
        assert_true(is_same(CODES[i], strlen(CODES[i]), PLATEN_LANGUAGE_CPCL, &z, PLATEN_LANGUAGE_ZPL));
        assert_non_null(strstr(z.code, WORDS[i]));
        free(z.code);
    }
}

// Fields of ZPL add ink.
// In UTF-8 a printer draws a backslash as the cent sign; in code page 1252 it does not.
static void backslashes_stay_backslashes(void **state)
{
    (void)state;
    stays("backslash", "N\nA20,20,0,3,1,1,N,\"C:\\\\dir\"\nA20,60,0,3,1,1,N,\"x\"\nP1\n", PLATEN_LANGUAGE_EPL,
          "^FDC:\\dir^FS^CI28\n^FO", 0);
    stays("backslash", "N\nA20,20,0,3,1,1,N,\"C:\\\\dir\"\nP1\n", PLATEN_LANGUAGE_EPL, "^CI27^FO", 0);
    stays("backslash beside others", "N\nI8,A,001\nA20,20,0,3,1,1,N,\"C:\\\\\xE4\"\nP1\n", PLATEN_LANGUAGE_EPL, "^FO",
          1);
}

static void what_epl_replaces_is_erased(void **state)
{
    (void)state;
    static const char EPL[] = "N\nq400\nQ300,24\nA20,20,0,3,1,1,N,\"Lower text\"\nLO10,100,200,90\n"
                              "B30,30,0,1B,1,2,60,N,\"W1A/1000260\"\nA20,110,0,2,1,1,N,\"  \"\nb40,150,D,h3,\"DM\"\n"
                              "LO230,100,150,90\nB250,110,0,1B,1,2,40,B,\"AB\"\nA300,20,0,2,1,1,N,\"alone\"\nP1\n";
    struct converted z = convert(EPL, strlen(EPL), PLATEN_LANGUAGE_EPL, PLATEN_LANGUAGE_ZPL);
    if (z.notes != 0)
        fail_msg("%s", z.first_note);
    assert_true(is_same(EPL, strlen(EPL), PLATEN_LANGUAGE_EPL, &z, PLATEN_LANGUAGE_ZPL));
    assert_non_null(strstr(z.code, "^FO20,110^GB24,16,16,W^FS")); // blanks alone erase, too
    assert_null(strstr(z.code, "^FO300,20^GB"));
    free(z.code);
}

// Fields were tried with a font that had no blank yet, which moved lines of blocks; and a label that is narrower than
// another one of its job lies elsewhere on the page.
static void labels_of_a_job_do_not_change_each_other(void **state)
{
    (void)state;
    static const char *const CODES[] = {
        "CLS\nBLOCK 9,9,200,99,\"2\",0,1,1,5,2,\"to\\[R]\\[L]you\"\nPRINT 1\nTEXT 3,3,\"2\",0,1,1,\"a b\"\nPRINT 1\n",
        "SIZE 50 mm,30 mm\nCLS\nBAR 10,10,100,5\nPRINT 1\nSIZE 100 mm,50 mm\nBAR 10,30,100,5\nPRINT 1\n",
        "SIZE 50 mm,30 mm\nDIRECTION 1,1\nCLS\nBAR 9,9,99,5\nPRINT 1\nSIZE 90 mm,50 mm\nBAR 9,30,99,5\nPRINT 1\n",
    };
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        struct converted z = convert(CODES[i], strlen(CODES[i]), PLATEN_LANGUAGE_TSPL, PLATEN_LANGUAGE_ZPL);
        if (i > 0 && z.notes != 0)
            fail_msg("%zu: %s", i, z.first_note);
        assert_true(i > 0 || is_same(CODES[i], strlen(CODES[i]), PLATEN_LANGUAGE_TSPL, &z, PLATEN_LANGUAGE_ZPL));
        free(z.code);
    }
}

// A label without ink was lost, and with it the comparison of all labels.
static void blank_labels_stay(void **state)
{
    (void)state;
    const char *code = EPL("LO1,1,9,9") EPL("A900,900,0,4,1,1,N,\"outside\"") EPL("LO5,5,9,9");
    struct converted z = convert(code, strlen(code), PLATEN_LANGUAGE_DETECT, PLATEN_LANGUAGE_ZPL);
    assert_int_equal(z.notes, 0);
    assert_true(is_same(code, strlen(code), PLATEN_LANGUAGE_EPL, &z, PLATEN_LANGUAGE_ZPL));
    free(z.code);
}

// ---- graphics

// CPCL has a number of four digits: 3,000 copies became 1,024.
static void copies_beyond_the_language_are_several_labels(void **state)
{
    (void)state;
    static const char ZPL[] = "^XA^PW203^LL101^FO3,5^GB30,30,9^FS^PQ3000^XZ^XA^PW203^LL101^FO0,0^GB203,101,2^FS^XZ";
    struct converted c = convert(ZPL, sizeof ZPL - 1, PLATEN_LANGUAGE_ZPL, PLATEN_LANGUAGE_CPCL);
    assert_int_equal(c.notes, 0);
    struct pictures after = draw(c.code, c.size, PLATEN_LANGUAGE_CPCL, 0, 0);
    assert_int_equal(after.labels, 4);
    assert_int_equal(after.copies, 3001);
    free(c.code);
    static const char MANY[] = "^XA^PW203^LL101^FO3,5^GB30,30,9^FS^PQ70000^XZ";
    c = convert(MANY, sizeof MANY - 1, PLATEN_LANGUAGE_ZPL, PLATEN_LANGUAGE_EPL);
    assert_int_equal(c.notes, 0);
    assert_int_equal(draw(c.code, c.size, PLATEN_LANGUAGE_EPL, 0, 0).copies, 70000);
    free(c.code);
}

static void graphics_have_the_same_dots(void **state)
{
    (void)state;
    static const char ZPL[] = "^XA^PW203^LL101^FO3,5^A0N,30,30^FDgraphic^FS^FO20,50^BCN,40^FD12^FS^PQ4^XZ"
                              "^XA^PW203^LL101^FO0,0^GB203,101,2^FS^XZ";
    double w = 25.4, h = 12.7;
    struct pictures before = draw(ZPL, strlen(ZPL), PLATEN_LANGUAGE_ZPL, w, h);
    assert_int_equal(before.labels, 2);
    for (enum platen_language to = PLATEN_LANGUAGE_EPL; to <= PLATEN_LANGUAGE_CPCL; to++) {
        const char *name, *title;
        if (!platen_language_names(to, &name, &title))
            continue;
        const struct platen_rewrite_options options =
            PLATEN_REWRITE_OPTIONS(.width_mm = w, .height_mm = h, .to_language = to);
        struct platen_rewritten *r;
        struct platen_error err;
        if (platen_rewrite(worker, ZPL, strlen(ZPL), &options, &r, &err) != PLATEN_OK)
            fail_msg("%s: %s", name, err.message);
        assert_int_equal(platen_rewritten_note_count(r), 0);
        size_t size;
        const char *code = platen_rewritten_code(r, &size);
        struct pictures after = draw(code, size, PLATEN_LANGUAGE_DETECT, w, h);
        if (after.hash != before.hash || after.copies != before.copies)
            fail_msg("%s: other labels", name);
        // And back: ^GF of GW and BITMAP.
        struct converted back = convert(code, size, to, PLATEN_LANGUAGE_ZPL);
        assert_int_equal(back.notes, 0);
        assert_non_null(strstr(back.code, "^GFA,"));
        assert_true(draw(back.code, back.size, PLATEN_LANGUAGE_ZPL, w, h).hash == before.hash);
        free(back.code);
        platen_rewritten_free(r);
    }
}

// ---- refusals

static void zpl_has_the_size_that_it_prints(void **state)
{
    (void)state;
    static const char CODE[] = "^XA^PW400^LL200^FO0,0^GB40,20,20^FS^XZ", NARROW[] = "^XA^PW400^FO0,0^GB40,20,20^FS^XZ";
    struct converted t = convert(CODE, strlen(CODE), PLATEN_LANGUAGE_ZPL, PLATEN_LANGUAGE_TSPL);
    assert_int_equal(strncmp(t.code, "SIZE 400 dot,200 dot\r\n", 22), 0);
    double w, h;
    size_of(t.code, t.size, PLATEN_LANGUAGE_TSPL, &w, &h);
    struct pictures before = draw(CODE, strlen(CODE), PLATEN_LANGUAGE_ZPL, w, h);
    struct pictures after = draw(t.code, t.size, PLATEN_LANGUAGE_TSPL, 0, 0);
    assert_true(before.width == after.width && before.height == after.height && before.hash == after.hash);
    free(t.code);
    t = convert(NARROW, strlen(NARROW), PLATEN_LANGUAGE_ZPL, PLATEN_LANGUAGE_TSPL); // no length: the default
    assert_int_equal(strncmp(t.code, "SIZE 812 dot,1218 dot\r\n", 23), 0);
    free(t.code);
    // A size that is found is obeyed.
    struct platen_rewritten *r;
    size_t size;
    const struct platen_rewrite_options options =
        PLATEN_REWRITE_OPTIONS(.to_language = PLATEN_LANGUAGE_TSPL, .fit_size = true);
    assert_int_equal(platen_rewrite(worker, NARROW, strlen(NARROW), &options, &r, NULL), PLATEN_OK);
    assert_int_equal(strncmp(platen_rewritten_code(r, &size), "SIZE 400 dot,", 13), 0);
    platen_rewritten_free(r);
}

// Values for a placeholder are printed in the font of the text, whatever letters they have.
static void fonts_of_placeholders_are_whole(void **state)
{
    (void)state;
    struct converted z = convert(EPL("A20,20,0,2,1,1,N,\"{{name}}\""), strlen(EPL("A20,20,0,2,1,1,N,\"{{name}}\"")),
                                 PLATEN_LANGUAGE_EPL, PLATEN_LANGUAGE_ZPL);
    assert_non_null(strstr(z.code, "^FD{{name}}"));
    for (unsigned c = ' '; c < 0x7F; c++) {
        char glyph[8];
        snprintf(glyph, sizeof glyph, "#%04X.", c);
        if (!strstr(z.code, glyph))
            fail_msg("no %s in\n%s", glyph, z.code);
    }
    free(z.code);
    z = convert(EPL("A20,20,0,2,1,1,N,\"{{name\""), strlen(EPL("A20,20,0,2,1,1,N,\"{{name\"")), PLATEN_LANGUAGE_EPL,
                PLATEN_LANGUAGE_ZPL);
    assert_null(strstr(z.code, "#005A.")); // others have what they use
    free(z.code);
}

static void combinations_are_refused(void **state)
{
    (void)state;
    struct platen_rewritten *r;
    struct platen_error err;
    const char *code = EPL("LO1,1,9,9");
    struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.to_language = PLATEN_LANGUAGE_ZPL, .rotation = 90);
    assert_int_equal(platen_rewrite(worker, code, strlen(code), &options, &r, &err), PLATEN_E_INVALID);
    options = (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(.to_language = (enum platen_language)9);
    assert_int_equal(platen_rewrite(worker, code, strlen(code), &options, &r, &err), PLATEN_E_INVALID);
    // Only ZPL can be minified, and has codings of graphics.
    for (int i = 0; i < 2; i++) {
        options = (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(.to_language = PLATEN_LANGUAGE_CPCL,
                                                                        .layout = i ? PLATEN_LAYOUT_COMPACT
                                                                                    : PLATEN_LAYOUT_LINES,
                                                                        .graphics = i ? PLATEN_GRAPHIC_KEEP
                                                                                      : PLATEN_GRAPHIC_HEX);
        assert_int_equal(platen_rewrite(worker, code, strlen(code), &options, &r, &err), PLATEN_E_INVALID);
        assert_non_null(
            strstr(err.message, "minified code and codings of graphics are of ZPL II; CPCL has its graphics as bytes"));
    }
    // Its own language: nothing is done.
    struct converted same = convert(code, strlen(code), PLATEN_LANGUAGE_DETECT, PLATEN_LANGUAGE_EPL);
    assert_string_equal(same.code, code);
    free(same.code);
    options =
        (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(.to_language = PLATEN_LANGUAGE_ZPL, .deadline_ns = 1);
    assert_int_equal(platen_rewrite(worker, code, strlen(code), &options, &r, &err), PLATEN_E_DEADLINE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_codes_stay),
        cmocka_unit_test(other_elements_stay),
        cmocka_unit_test(settings_and_numbers_go_along),
        cmocka_unit_test(settings_are_those_of_each_label),
        cmocka_unit_test(places_beyond_zpl_are_named),
        cmocka_unit_test(texts_of_a_font_share_its_place),
        cmocka_unit_test(texts_that_go_on_stay_in_their_places),
        cmocka_unit_test(backslashes_stay_backslashes),
        cmocka_unit_test(what_epl_replaces_is_erased),
        cmocka_unit_test(labels_of_a_job_do_not_change_each_other),
        cmocka_unit_test(blank_labels_stay),
        cmocka_unit_test(copies_beyond_the_language_are_several_labels),
        cmocka_unit_test(graphics_have_the_same_dots),
        cmocka_unit_test(zpl_has_the_size_that_it_prints),
        cmocka_unit_test(fonts_of_placeholders_are_whole),
        cmocka_unit_test(combinations_are_refused),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
