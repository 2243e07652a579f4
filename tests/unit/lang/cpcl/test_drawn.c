// CPCL drawn: pivots of rotations, cells of the fonts, bold, underlined and fitted text, graphics dot for dot, every
// barcode read back, and modules that are those of ZPL.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine_fixture.h"
#include "../../unit.h"
#include "base/ckd.h"

struct drawn {
    struct platen_document *document;
    const struct platen_page *page;
};

static void draw_as(struct drawn *d, const void *code, size_t size, enum platen_language language)
{
    struct platen_error err = {0};
    struct platen_options options = PLATEN_OPTIONS(.dpmm = 8, .width_mm = 101.6, .height_mm = 152.4,
                                                   .want_elements = true, .verify = true, .language = language);
    if (platen_parse(worker, code, size, &options, &d->document, &err) != PLATEN_OK ||
        platen_draw(worker, d->document, 0, &d->page, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
}

static void draw(struct drawn *d, const void *code, size_t size)
{
    draw_as(d, code, size, PLATEN_LANGUAGE_DETECT);
}

// A label of these lines.
static void draw_lines(struct drawn *d, const char *lines)
{
    static char text[4096];
    int size = snprintf(text, sizeof text, "! 0 200 200 1219 1\r\n%s\r\nPRINT\r\n", lines);
    assert_true(size > 0 && (size_t)size < sizeof text);
    draw(d, text, (size_t)size);
    assert_int_equal(platen_document_language(d->document), PLATEN_LANGUAGE_CPCL);
}

static struct platen_element element_at(const struct drawn *d, uint32_t index)
{
    struct platen_element e = {0};
    assert_true(platen_page_element_at(d->page, index, &e));
    return e;
}

// The only element of a label.
static struct platen_element drawn_alone(const char *lines)
{
    struct drawn d;
    draw_lines(&d, lines);
    struct platen_element e = element_at(&d, 0);
    platen_document_free(d.document);
    return e;
}

static void is_box(struct platen_element e, int32_t x0, int32_t y0, int32_t x1, int32_t y1, int32_t tolerance)
{
    if (abs(e.x - x0) > tolerance || abs(e.y - y0) > tolerance || abs(e.x + (int32_t)e.width - x1) > tolerance ||
        abs(e.y + (int32_t)e.height - y1) > tolerance)
        fail_msg("%d,%d %dx%d is not %d,%d to %d,%d", e.x, e.y, e.width, e.height, x0, y0, x1, y1);
}

static void text_turns_about_its_corner(void **state)
{
    (void)state;
    struct drawn d;
    draw_lines(&d, "T 7 0 400 400 HHHH\r\nT90 7 0 400 400 HHHH\r\nT180 7 0 400 400 HHHH\r\nT270 7 0 400 400 HHHH\r\n"
                   "VT 7 0 400 400 HHHH");
    is_box(element_at(&d, 0), 401, 402, 447, 418, 1); // right of the point and below it
    is_box(element_at(&d, 1), 402, 353, 418, 399, 1); // right of it and upwards
    is_box(element_at(&d, 2), 353, 382, 399, 398, 1); // left of it and above
    is_box(element_at(&d, 3), 382, 401, 398, 447, 1); // left of it and downwards
    is_box(element_at(&d, 4), 402, 353, 418, 399, 1);
    platen_document_free(d.document);
    is_box(drawn_alone("VB 128 1 1 40 100 500 ABC"), 100, 500 - 68, 140, 500, 0);
}

// From the first character to the eleventh there are ten cells.
static void cells_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *font;
        int32_t width;
    } FONTS[] = {{"0 0", 8},  {"0 1", 16}, {"0 2", 8},  {"0 3", 16}, {"0 4", 32}, {"0 5", 16},
                 {"0 6", 32}, {"2 0", 20}, {"2 1", 20}, {"6 0", 28}, {"7 0", 12}, {"7 1", 12}};
    for (size_t i = 0; i < sizeof FONTS / sizeof *FONTS; i++) {
        char one[80], eleven[80];
        snprintf(one, sizeof one, "T %s 0 0 1", FONTS[i].font);
        snprintf(eleven, sizeof eleven, "T %s 0 0 1         1", FONTS[i].font);
        assert_int_equal(drawn_alone(eleven).width - drawn_alone(one).width, 10 * FONTS[i].width);
    }
    // SETMAG, up to 16.
    int32_t plain = (int32_t)drawn_alone("T 0 0 0 0 H").height;
    assert_in_range(drawn_alone("SETMAG 1 16\r\nT 0 0 0 0 H").height, plain * 16 - 8,
                    plain * 16 + 8); // of a height that is rounded
}

// Measured on a photograph of a print, within five per cent.
static void font_4_is_as_wide_as_on_a_printer(void **state)
{
    (void)state;
    assert_in_range(drawn_alone("T 4 0 30 40 Hello World").width, 245, 271);
}

static void effects_of_text(void **state)
{
    (void)state;
    struct platen_element plain = drawn_alone("T 7 0 100 100 HHH");
    assert_int_equal(drawn_alone("SETBOLD 3\r\nT 7 0 100 100 HHH").width, plain.width + 3);
    assert_int_equal(drawn_alone("SETSP 5\r\nT 7 0 100 100 HHH").width, plain.width + 10);
    struct platen_element underlined = drawn_alone("UNDERLINE ON\r\nT 7 0 100 100 HHH");
    is_box(underlined, 100, plain.y, 136, 100 + 18 + 2, 1);
    // Turned, the bar is at the text's right.
    is_box(drawn_alone("UNDERLINE ON\r\nT90 7 0 100 100 HHH"), 102, 64, 120, 100, 1);
}

static void text_that_fits(void **state)
{
    (void)state;
    struct platen_element fitted = drawn_alone("STF NONE.TTF 300 60 50 50 stretched");
    assert_in_range(fitted.width, 285, 301);
    fitted = drawn_alone("STF NONE.TTF 150 60 50 50 stretched");
    assert_in_range(fitted.width, 140, 151);
    // The largest member that has room: 4, 7 and then 0.
    struct platen_element large = drawn_alone("PW 400\r\nFG 1 0 0 7 0 4 0\r\nT FG 1 0 0 abc");
    assert_true(large.height > 30);
    struct platen_element middle = drawn_alone("PW 400\r\nFG 1 0 0 7 0 4 0\r\nT FG 1 0 0 abcdefghijklmnopqrstuvwxyz");
    assert_true(middle.height > 12 && middle.height < 25 && middle.width > 290);
    struct platen_element small =
        drawn_alone("PW 400\r\nFG 1 0 0 7 0 4 0\r\nT FG 1 0 0 abcdefghijklmnopqrstuvwxyzabcdefghijklmn");
    assert_true(small.height < 12 && small.width < 330);
}

// Thin strokes of a face may lie between the middles of dots: '_', '|', '=' and '!' were blank in small fonts.
static void every_character_has_ink(void **state)
{
    (void)state;
    // A line is its begin, the font, its middle, the character and its end.
    static const struct {
        const char *head, *begin, *middle, *end, *print, *fonts;
    } LANGUAGES[] = {
        {"! 0 200 200 1219 1\r\n", "T ", " 0 10 20 ", "\r\n", "PRINT\r\n", "027"},
        {"SIZE 100 mm,100 mm\r\nCLS\r\n", "TEXT 10,20,\"", "\",0,1,1,\"", "\"\r\n", "PRINT 1\r\n", "12349"},
        {"N\n", "A10,20,0,", ",1,1,N,\"", "\"\n", "P1\n", "1234"},
    };
    for (size_t i = 0; i < PL_COUNTOF(LANGUAGES); i++)
        for (const char *font = LANGUAGES[i].fonts; *font; font++) {
            char text[8192];
            struct drawn d;
            uint32_t count = 0;
            int n = snprintf(text, sizeof text, "%s", LANGUAGES[i].head);
            for (char c = '!'; c <= '~'; c++) {
                if (c == '"' || c == '\\')
                    continue;
                n += snprintf(text + n, sizeof text - (size_t)n, "%s%c%s%c%s", LANGUAGES[i].begin, *font,
                              LANGUAGES[i].middle, c, LANGUAGES[i].end);
                count++;
            }
            n += snprintf(text + n, sizeof text - (size_t)n, "%s", LANGUAGES[i].print);
            draw(&d, text, (size_t)n);
            for (uint32_t k = 0; k < count; k++) {
                struct platen_element e = element_at(&d, k);
                if (e.width == 0 || e.height == 0)
                    fail_msg("'%s' of font %c has no ink: %s", e.text, *font, LANGUAGES[i].head);
            }
            platen_document_free(d.document);
        }
}

// The first line outside of labels begins at the page's edge: no letter reaches beyond it.
static void the_first_line_is_whole(void **state)
{
    (void)state;
    for (const char *font = "07"; *font; font++) {
        char text[256];
        struct drawn d;
        int n = snprintf(text, sizeof text, "! U1 SETLP %c 0 24\r\n", *font);
        for (char c = '"'; c <= '~'; c++)
            text[n++] = c;
        text[n++] = '\n';
        draw_as(&d, text, (size_t)n, PLATEN_LANGUAGE_CPCL);
        struct platen_element e = element_at(&d, 0);
        int32_t cell = *font == '7' ? 24 : 9;
        if (e.y < 0 || e.y + (int32_t)e.height > cell)
            fail_msg("font %c: %d to %d is outside of the cell", *font, e.y, e.y + (int32_t)e.height);
        platen_document_free(d.document);
    }
}

static void concatenated_text_goes_on(void **state)
{
    (void)state;
    struct drawn d;
    draw_lines(&d, "CONCAT 100 50\r\n7 0 0 HH\r\n7 0 10 HH\r\nENDCONCAT\r\n"
                   "VCONCAT 300 400\r\n7 0 0 HH\r\n7 0 10 HH\r\nENDCONCAT");
    struct platen_element first = element_at(&d, 0), second = element_at(&d, 1);
    assert_int_equal(second.x - first.x, 24);
    assert_int_equal(second.y - first.y, 10);
    first = element_at(&d, 2), second = element_at(&d, 3);
    assert_int_equal(first.y - second.y, 24);
    assert_int_equal(second.x - first.x, 10);
    platen_document_free(d.document);
}

static bool has_ink(const struct platen_bitmap *dots, uint32_t x, uint32_t y)
{
    return dots->words[(size_t)y * dots->words_per_row + x / 64] >> (63 - x % 64) & 1;
}

static void lines_lie_where_they_should(void **state)
{
    (void)state;
    is_box(drawn_alone("LINE 10 20 110 20 5"), 10, 20, 110, 25, 0);
    is_box(drawn_alone("L 10 20 10 120 5"), 10, 20, 15, 120, 0);
    is_box(drawn_alone("BOX 10 20 110 220 0"), 10, 20, 110, 220, 0);
    struct drawn d;
    struct platen_bitmap dots = {0};
    draw_lines(&d, "L 0 0 50 0 20\r\nIL 25 10 75 10 20\r\nL 60 12 70 12 4");
    platen_page_bitmap(d.page, &dots);
    assert_true(has_ink(&dots, 10, 15) && !has_ink(&dots, 30, 15) && has_ink(&dots, 30, 25));
    assert_true(has_ink(&dots, 65, 13) && has_ink(&dots, 30, 5)); // what is drawn later stays black
    platen_document_free(d.document);
    draw_lines(&d, "PATTERN 101\r\nL 0 0 64 0 64\r\nPATTERN 102\r\nL 100 0 164 0 64");
    platen_page_bitmap(d.page, &dots);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(has_ink(&dots, 5, i), i % 8 < 2);
        assert_int_equal(has_ink(&dots, 100 + i, 5), i % 8 < 2);
    }
    platen_document_free(d.document);
}

// The dots of a page; the caller frees them.
static uint64_t *dots_of(const void *code, size_t size, size_t *bytes)
{
    struct drawn d;
    struct platen_bitmap dots = {0};
    draw(&d, code, size);
    platen_page_bitmap(d.page, &dots);
    *bytes = (size_t)dots.words_per_row * dots.height * 8;
    uint64_t *kept = malloc(*bytes);
    assert_non_null(kept);
    memcpy(kept, dots.words, *bytes);
    platen_document_free(d.document);
    return kept;
}

static void same_picture(const void *a, size_t a_size, const void *b, size_t b_size, const char *what)
{
    size_t a_bytes, b_bytes;
    uint64_t *one = dots_of(a, a_size, &a_bytes), *other = dots_of(b, b_size, &b_bytes);
    if (a_bytes != b_bytes || memcmp(one, other, a_bytes) != 0)
        fail_msg("%s: the pictures differ", what);
    free(one);
    free(other);
}

// Every dot by CG, by EG and by ^GF.
static void a_graphic_is_the_same_in_both_languages(void **state)
{
    (void)state;
    static const char HEAD[] = "! 0 200 200 1219 1\r\nPW 813\r\n";
    char cg[500], eg[900], zpl[900];
    size_t c = (size_t)snprintf(cg, sizeof cg, "%sCG 8 32 8 16 ", HEAD);
    size_t e = (size_t)snprintf(eg, sizeof eg, "%sEG 8 32 8 16 ", HEAD);
    size_t z = (size_t)snprintf(zpl, sizeof zpl, "^XA^FO8,16^GFA,256,256,8,");
    uint32_t seed = 7;
    for (int i = 0; i < 256; i++) {
        seed = seed * 1103515245u + 12345u;
        uint8_t byte = (uint8_t)(seed >> 16);
        cg[c++] = (char)byte;
        e += (size_t)snprintf(eg + e, sizeof eg - e, "%02X%s", byte, i % 64 == 63 ? "\r\n" : "");
        z += (size_t)snprintf(zpl + z, sizeof zpl - z, "%02X", byte);
    }
    c += (size_t)snprintf(cg + c, sizeof cg - c, "\r\nPRINT\r\n");
    e += (size_t)snprintf(eg + e, sizeof eg - e, "PRINT\r\n");
    z += (size_t)snprintf(zpl + z, sizeof zpl - z, "^FS^XZ");
    same_picture(cg, c, zpl, z, "CG");
    same_picture(eg, e, zpl, z, "EG");
}

// The same symbol by a command of ZPL: dot for dot.
static void modules_are_those_of_zpl(void **state)
{
    (void)state;
    static const struct {
        const char *cpcl, *zpl;
    } CODES[] = {
        {"B 128 2 1 60 100 100 12345678", "^FO100,100^BY2^BCN,60,N,N,N,A^FD12345678^FS"},
        {"B 39 2 2 60 100 100 CODE 39", "^FO100,100^BY2,2.5^B3N,N,60,N,N^FDCODE 39^FS"},
        {"B 39C 2 3 60 100 100 CHECK", "^FO100,100^BY2,3^B3N,Y,60,N,N^FDCHECK^FS"},
        {"B 93 2 1 60 100 100 CODE93", "^FO100,100^BY2^BAN,60,N,N^FDCODE93^FS"},
        {"B I2OF5 2 25 60 100 100 12345678", "^FO100,100^BY2,2.5^B2N,60,N,N,N^FD12345678^FS"},
        {"B CODABAR 2 1 60 100 100 A1234B", "^FO100,100^BY2,2^BKN,N,60,N,N,A,B^FD1234^FS"},
        {"B MSI10 2 1 60 100 100 12345", "^FO100,100^BY2,2^BMN,B,60,N,N^FD12345^FS"},
        {"B EAN13 2 1 60 100 100 123456789012", "^FO100,100^BY2^BEN,60,N,N^FD123456789012^FS"},
        {"B EAN8 2 1 60 100 100 1234567", "^FO100,100^BY2^B8N,60,N,N^FD1234567^FS"},
        {"B UPCA 2 1 60 100 100 12345678901", "^FO100,100^BY2^BUN,60,N,N,Y^FD12345678901^FS"},
        {"B UCCEAN128 2 1 60 100 100 (01)09501101530003", "^FO100,100^BY2^BCN,60,N,N,N,D^FD(01)09501101530003^FS"},
        {"B AZTEC 100 100 XD 5\r\nAztec\r\nENDAZTEC", "^FO100,100^B0N,5,N,0^FDAztec^FS"},
        {"B DATAMATRIX 100 100 H 6\r\nData Matrix\r\nENDDATAMATRIX", "^FO100,100^BXN,6,200^FDData Matrix^FS"},
        {"B PDF-417 100 100 XD 3 YD 9 C 4 S 2\r\nPDF417 data\r\nENDPDF", "^FO100,100^BY3^B7N,9,2,4^FDPDF417 data^FS"},
    };
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        char cpcl[300], zpl[300];
        int c = snprintf(cpcl, sizeof cpcl, "! 0 200 200 1219 1\r\nPW 813\r\n%s\r\nPRINT\r\n", CODES[i].cpcl);
        int z = snprintf(zpl, sizeof zpl, "^XA%s^XZ", CODES[i].zpl);
        same_picture(cpcl, (size_t)c, zpl, (size_t)z, CODES[i].cpcl);
    }
}

static bool may_lack_a_reader(const char *code)
{
    return strstr(code, " M 1 ") != NULL;
}

static void every_barcode_is_read_back(void **state)
{
    (void)state;
    static const char *const CODES[] = {
        "B UPCA 2 1 60 100 100 01234567890",
        "B UPCA2 2 1 60 100 100 0123456789012",
        "B UPCA5 2 1 60 100 100 0123456789012345",
        "B UPCE 2 1 60 100 100 123456",
        "B UPCE2 2 1 60 100 100 12345612",
        "B UPCE5 2 1 60 100 100 12345612345",
        "B EAN13 2 1 60 100 100 123456789012",
        "B EAN132 2 1 60 100 100 12345678901212",
        "B EAN135 2 1 60 100 100 12345678901212345",
        "B EAN8 2 1 60 100 100 1234567",
        "B EAN82 2 1 60 100 100 123456712",
        "B EAN85 2 1 60 100 100 123456712345",
        "B 39 2 2 60 100 100 CODE 39",
        "B 39C 2 2 60 100 100 CHECK",
        "B F39 2 2 60 100 100 full ascii",
        "B F39C 2 3 60 100 100 both+",
        "B 93 2 1 60 100 100 Code 93",
        "B I2OF5 2 2 60 100 100 12345678",
        "B I2OF5C 2 2 60 100 100 1234567",
        "B I2OF5G 2 2 60 100 100 1234567890123",
        "B 128 2 1 60 100 100 Code 128",
        "B UCCEAN128 2 1 60 100 100 (01)09501101530003(10)AB12(21)X",
        "B CODABAR 2 2 60 100 100 A1234B",
        "B CODABAR16 2 2 60 100 100 A37859B",
        "B MSI 2 1 60 100 100 12345",
        "B MSI10 2 1 60 100 100 12345",
        "B MSI1010 2 1 60 100 100 12345",
        "B MSI1110 2 1 60 100 100 12345",
        "B POSTNET 4 1 25 100 100 12345",
        "BT 7 0 5\r\nVB 128 2 1 60 300 600 turned",
        "VB I2OF5 2 2 60 300 600 123456",
        "CENTER\r\nB EAN132 2 1 60 0 100 12345678901212",
        "B RSS 100 100 2 66 1 22 1 1234567890123",
        "B RSS 100 100 2 66 1 22 2 1234567890123",
        "B RSS 100 100 2 66 1 22 4 1234567890123",
        "B RSS 100 100 2 66 1 22 5 1234567890123",
        "B RSS 100 100 2 66 1 22 6 010950110153000310AB12",
        "B QR 100 100 M 2 U 5\r\nMA,https://example.com\r\nENDQR",
        "B QR 100 100 M 1 U 5\r\nHA,MODEL 1\r\nENDQR",
        "B QR 100 100 U 5\r\nL3M,N0123456789,AABC,B0004a,bc\r\nENDQR",
        "VB QR 100 600 U 4\r\nQA,turned\r\nENDQR",
        "B PDF-417 100 100 XD 2 YD 6 C 3 S 1\r\none line\r\nanother\r\nENDPDF",
        "B AZTEC 100 100 XD 5 EC 23\r\nAztec\r\nENDAZTEC",
        "B DATAMATRIX 100 100 H 6\r\none line\r\nanother\r\nENDDATAMATRIX",
        "B MAXICODE 100 100\r\nCC 840\r\nSC 1\r\nPOST 331225555\r\nMSG MESSAGE\r\nENDMAXICODE",
    };
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        struct drawn d;
        draw_lines(&d, CODES[i]);
        struct platen_element e;
        uint32_t symbols = 0;
        for (uint32_t k = 0; platen_page_element_at(d.page, k, &e); k++, symbols++)
            if (e.decoded == 0 || e.matches == 0 || (e.decoded < 0 && !may_lack_a_reader(CODES[i])))
                fail_msg("%s is not read back: element %u: %s", CODES[i], k, e.no_reader_reason);
        assert_true(symbols > 0);
        struct platen_diagnostic f;
        for (uint32_t k = 0; platen_page_diagnostic_at(d.page, k, &f); k++)
            if (f.severity == PLATEN_ERROR)
                fail_msg("%s: %s", CODES[i], f.message);
        platen_document_free(d.document);
    }
}

static void the_page_is_as_large_as_the_label_says(void **state)
{
    (void)state;
    static const char LABEL[] = "! 0 200 200 210 1\r\nPW 400\r\nT 7 0 1 1 x\r\nPRINT\r\n";
    struct drawn d;
    struct platen_options options = PLATEN_OPTIONS(.dpmm = 8);
    struct platen_bitmap dots = {0};
    struct platen_error err = {0};
    if (platen_parse(worker, LABEL, strlen(LABEL), &options, &d.document, &err) != PLATEN_OK ||
        platen_draw(worker, d.document, 0, &d.page, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    platen_page_bitmap(d.page, &dots);
    assert_int_equal(dots.width, 400);
    assert_int_equal(dots.height, 210);
    platen_document_free(d.document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_turns_about_its_corner),
        cmocka_unit_test(cells_are_exact),
        cmocka_unit_test(font_4_is_as_wide_as_on_a_printer),
        cmocka_unit_test(effects_of_text),
        cmocka_unit_test(text_that_fits),
        cmocka_unit_test(every_character_has_ink),
        cmocka_unit_test(the_first_line_is_whole),
        cmocka_unit_test(concatenated_text_goes_on),
        cmocka_unit_test(lines_lie_where_they_should),
        cmocka_unit_test(a_graphic_is_the_same_in_both_languages),
        cmocka_unit_test(modules_are_those_of_zpl),
        cmocka_unit_test(every_barcode_is_read_back),
        cmocka_unit_test(the_page_is_as_large_as_the_label_says),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
