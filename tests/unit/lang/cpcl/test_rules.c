// CPCL, rule by rule: sessions, units, justification, counters, formats, line ends, and the samples of others.
#include "../golden.h"
#include "base/ckd.h"
#include "cpcl_fixture.h"

#define HEAD "! 0 200 200 300 1\r\n"

static void all_line_ends_are_the_same(void **state)
{
    (void)state;
    static const char *const ENDS[] = {"\r\n", "\n", "\r", "\n\r"};
    for (size_t i = 0; i < 4; i++) {
        char text[200];
        struct run r;
        snprintf(text, sizeof text, "!0 200 200 300 1%sT  7 0   5 6 a  b%s%sB QR 1 1%sMA,x%sy%sENDQR%sPRINT%s", ENDS[i],
                 ENDS[i], ENDS[i], ENDS[i], ENDS[i], ENDS[i], ENDS[i], ENDS[i]);
        run_cpcl(&r, text);
        assert_int_equal(r.diags.count, 0);
        assert_string_equal(run_string_at(&r, 0, 0), "a  b");
        const struct pl_element *qr = run_element(&r, 0, 1);
        assert_int_equal(qr->barcode.qr.segments[0].data.len, 4);
        assert_memory_equal(qr->barcode.qr.segments[0].data.ptr, "x\r\ny", 4);
        run_end(&r);
    }
}

static void a_byte_order_mark_is_not_printed(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "\xEF\xBB\xBF" HEAD "T 7 0 5 6 x\r\nPRINT\r\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].length, 300);
    run_end(&r);
}

// Hosts ask printers before, inside of and behind labels; drivers write tags between them.
static void questions_and_tags_are_no_label_code(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {
        "\x1bh" HEAD "T 7 0 5 6 x\r\nPRINT\r\n",
        "\x1bv\r\n\x1bN\r\n" HEAD "\x1bhT 7 0 5 6 x\r\n\x1bhPRINT\r\n\x1bh",
        HEAD "T 7 0 5 6 x\r\nPRINT\r\n\x1bh\r\n\x1bi",
        "<xpml><page quantity='0' pitch='50.0 mm'></xpml>" HEAD
        "T 7 0 5 6 x\r\nPRINT\r\n<xpml></page></xpml><xpml><end/></xpml>",
        "   \r\n" HEAD "T 7 0 5 6 x\r\nPRINT\r\n  \r\n \t\r\n   ",
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        struct run r;
        run_cpcl(&r, INPUTS[i]);
        assert_int_equal(r.diags.count, 0);
        assert_int_equal(r.scene.label_count, 1);
        assert_int_equal(r.scene.labels[0].length, 300);
        assert_int_equal(r.scene.labels[0].element_count, 1);
        run_end(&r);
    }
    // Lines of a page: the question is none of their text, and a blank line is one of them.
    struct run r;
    run_cpcl(&r, "a\x1bhb\r\n   \r\nc\r\n");
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].element_count, 3);
    assert_int_equal(run_element(&r, 0, 2)->at.y, 2 * run_element(&r, 0, 0)->text.font.height);
    run_end(&r);
}

static void the_unit_behind_the_header_rules_the_header(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "! 10 200 200 20 1\r\nIN-MILLIMETERS\r\nT 7 0 5 1.25 x\r\nIN-DOTS\r\nT 7 0 5 7 y\r\nPRINT\r\n");
    assert_int_equal(r.scene.labels[0].length, 160);
    assert_int_equal(run_element(&r, 0, 0)->at.x, 80 + 40);
    assert_int_equal(run_element(&r, 0, 0)->at.y, 10);
    assert_int_equal(run_element(&r, 0, 1)->at.x, 85);
    run_end(&r);
    // Behind another command it rules what follows alone.
    run_cpcl(&r, "! 10 200 200 20 1\r\nT 7 0 1 1 x\r\nIN-INCHES\r\nL 0 0 1 0 0.1\r\nPRINT\r\n");
    assert_int_equal(r.scene.labels[0].length, 20);
    assert_int_equal(run_element(&r, 0, 1)->shape.width, 203);
    run_end(&r);
}

static void a_label_states_its_size(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "PW 400\r\nT 7 0 1 1 x\r\nPRINT\r\n" HEAD "T 7 0 1 1 x\r\nPRINT\r\n"
                      "! U1 PW 500\r\n" HEAD "T 7 0 1 1 x\r\nPRINT\r\n");
    assert_int_equal(r.scene.labels[0].print_width, 400);
    assert_int_equal(r.scene.labels[0].length, 300);
    assert_int_equal(r.scene.labels[1].print_width, 0); // a page's width is the page's own
    assert_int_equal(r.scene.labels[2].print_width, 500);
    run_end(&r);
}

static void fields_are_justified(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "PW 400\r\nCENTER\r\nT 7 0 0 1 x\r\nT 7 0 50 1 x\r\nVT 7 0 9 200 x\r\nT270 7 0 9 100 x\r\n"
                      "CENTER 100\r\nT 7 0 0 1 x\r\nRIGHT\r\nT 7 0 50 1 x\r\nT180 7 0 50 1 x\r\n"
                      "IL 0 0 100 0 9\r\nLEFT\r\nT 7 0 7 1 x\r\nPRINT\r\n");
    static const struct {
        int32_t x, y;
        enum pl_justify justify;
    } EXPECTED[] = {{200, 1, PL_JUSTIFY_CENTER}, {225, 1, PL_JUSTIFY_CENTER}, {9, 100, PL_JUSTIFY_CENTER},
                    {9, 200, PL_JUSTIFY_CENTER}, {50, 1, PL_JUSTIFY_CENTER},  {400, 1, PL_JUSTIFY_RIGHT},
                    {400, 1, PL_JUSTIFY_LEFT},   {300, 0, PL_JUSTIFY_LEFT},   {7, 1, PL_JUSTIFY_LEFT}};
    for (uint32_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        const struct pl_element *e = run_element(&r, 0, i);
        if (e->at.x != EXPECTED[i].x || e->at.y != EXPECTED[i].y || e->at.justify != EXPECTED[i].justify)
            fail_msg("element %u is at %d,%d", i, e->at.x, e->at.y);
    }
    run_end(&r);
}

static void numbers_count_copy_by_copy(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "! 0 200 200 99 3\r\nT 7 0 1 1 N098\r\nCOUNT 1\r\nT 7 0 1 30 same\r\nB 128 1 1 9 1 60 A10\r\n"
                 "COUNT -10\r\nPRINT\r\n");
    assert_int_equal(r.scene.label_count, 3);
    static const char *const TEXTS[] = {"N098", "N099", "N100"};
    static const char *const CODES[] = {"A10", "A00", "A90"};
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(run_string_at(&r, i, 0), TEXTS[i]);
        assert_string_equal(run_string_at(&r, i, 1), "same");
        assert_memory_equal(run_element(&r, i, 2)->barcode.data.ptr, CODES[i], 3);
        assert_int_equal(r.scene.labels[i].copies, 1);
    }
    run_end(&r);
    run_cpcl(&r, "! 0 200 200 99 7\r\nT 7 0 1 1 x\r\nPRINT\r\n");
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].copies, 7);
    run_end(&r);
}

static void a_format_is_filled_in(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "! DF A.FMT\r\n" HEAD "T 7 0 1 1 <\\\\>\r\nB 128 1 1 9 1 30 \\\\\r\nPRINT\r\n"
                 "! UF A.FMT\r\none\r\nTWO\r\n! UF A.FMT\r\nthree\r\nFOUR\r\n" HEAD "T 7 0 1 1 after\r\nPRINT\r\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 3);
    assert_string_equal(run_string_at(&r, 0, 0), "<one>");
    assert_memory_equal(run_element(&r, 1, 1)->barcode.data.ptr, "FOUR", 4);
    assert_string_equal(run_string_at(&r, 2, 0), "after");
    run_end(&r);
    // Bytes of CG are counted: they hold neither its end nor places for lines.
    run_cpcl(&r, "! DF A.FMT\r\n" HEAD "CG 1 9 1 1 \r\nPRINT\r\n\r\nCG 1 4 1 1 \\\\\\\\T 7 0 1 1 \\\\\r\nPRINT\r\n"
                 "! UF A.FMT\r\none\r\n" HEAD "T 7 0 1 1 after\r\nPRINT\r\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 2);
    assert_int_equal(run_element(&r, 0, 0)->image.bits->height, 9);
    assert_int_equal(run_element(&r, 0, 1)->image.bits->words[0] >> 56, '\\');
    assert_string_equal(run_string_at(&r, 0, 2), "one");
    assert_string_equal(run_string_at(&r, 1, 0), "after");
    run_end(&r);
    run_cpcl(&r, "! DF A.FMT\r\n" HEAD "CG 9 99 1 1 x\r\nPRINT\r\n"); // they are missing
    assert_int_equal(run_count(&r, PL_DIAG_FORMAT_UNTERMINATED), 1);
    run_end(&r);
    run_cpcl(&r, "! DF A.FMT\r\n! UF A.FMT\r\nPRINT\r\n! UF A.FMT\r\n");
    assert_int_equal(run_count(&r, PL_DIAG_RECALL_DEPTH), 1);
    run_end(&r);
}

static void setmag_outlasts_the_label_and_nothing_else_does(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "SETMAG 2 3\r\nSETSP 4\r\nSETBOLD 2\r\nCENTER\r\nUNDERLINE ON\r\nT 7 0 1 1 x\r\nPRINT\r\n" HEAD
                      "T 7 0 1 1 x\r\nSETMAG 0 0\r\nT 7 0 1 1 x\r\nPRINT\r\n");
    const struct pl_element *e = run_element(&r, 0, 0);
    assert_true(e->text.underline && e->text.bold == 2 && e->text.gap == 4);
    e = run_element(&r, 1, 0);
    assert_int_equal(e->text.font.height, 72);
    assert_int_equal(e->text.font.width, 24);
    assert_true(!e->text.underline && e->text.bold == 0 && e->text.gap == 0 && e->at.justify == PL_JUSTIFY_LEFT);
    assert_int_equal(run_element(&r, 1, 1)->text.font.height, 24);
    run_end(&r);
}

static void ends_of_sessions(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "T 7 0 1 1 dropped\r\nEND\r\n" HEAD "T 7 0 1 1 kept\r\n" HEAD "T 7 0 1 1 last\r\n");
    assert_int_equal(r.scene.label_count, 2);
    assert_string_equal(run_string_at(&r, 0, 0), "kept");
    assert_string_equal(run_string_at(&r, 1, 0), "last");
    assert_int_equal(run_count(&r, PL_DIAG_FORMAT_UNTERMINATED), 2);
    assert_int_equal(run_count(&r, PL_DIAG_DATA_DROPPED), 1);
    run_end(&r);
}

static void lines_outside_of_labels_are_a_page(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "one\r\n! U1 SETLP 7 1 50\r\ntwo\r\nthree! U1 SETBOLD 1 four\r\n\x0cnext\r\n");
    assert_int_equal(r.scene.label_count, 2);
    assert_int_equal(r.scene.labels[0].element_count, 4);
    assert_int_equal(r.scene.labels[0].length, 24 + 50 + 50);
    assert_int_equal(run_element(&r, 0, 2)->at.y, 74);
    assert_string_equal(run_string_at(&r, 0, 3), "four");
    assert_true(run_element(&r, 0, 3)->at.x_goes_on && run_element(&r, 0, 3)->text.bold == 1);
    assert_string_equal(run_string_at(&r, 1, 0), "next");
    run_end(&r);
}

// It drew nothing where no line was printed before it.
static void a_utilities_session_draws(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "! U\r\nT 7 0 10 5 one\r\nX 50\r\nT 7 0 0 0 two\r\nPRINT\r\n");
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].element_count, 2);
    assert_int_equal(r.scene.labels[0].source.offset, 5);
    assert_string_equal(run_string_at(&r, 0, 0), "one");
    assert_int_equal(run_element(&r, 0, 0)->at.x, 10);
    assert_int_equal(run_element(&r, 0, 1)->at.x, 50);
    run_end(&r);
    run_cpcl(&r, "! UTILITIES\r\nBOX 0 0 9 9 1\r\nPRINT\r\n" HEAD "T 7 0 1 1 label\r\nPRINT\r\n");
    assert_int_equal(r.scene.label_count, 2);
    assert_int_equal(r.scene.labels[0].length, 9);
    assert_string_equal(run_string_at(&r, 1, 0), "label");
    run_end(&r);
}

// PRINT and all labels behind it were lines of the block.
static void a_block_without_its_end_ends_with_the_label(void **state)
{
    (void)state;
    static const char *const BLOCKS[] = {"ML 30\r\nT 7 0 1 1\r\nx\r\n", "CONCAT 1 1\r\n7 0 0 x\r\n"};
    static const char *const NEXT[] = {"PRINT\r\n! 0 200 200 99 1\r\n", "! 0 200 200 99 1\r\n", "!0 200 200 99 1\r\n"};
    for (size_t i = 0; i < PL_COUNTOF(BLOCKS) * PL_COUNTOF(NEXT); i++) {
        char text[200];
        struct run r;
        snprintf(text, sizeof text, HEAD "%s%sT 7 0 1 1 next\r\nPRINT\r\n", BLOCKS[i % 2], NEXT[i / 2]);
        run_cpcl(&r, text);
        assert_int_equal(r.scene.label_count, 2);
        assert_int_equal(r.scene.labels[0].element_count, 1);
        assert_string_equal(run_string_at(&r, 0, 0), "x");
        assert_string_equal(run_string_at(&r, 1, 0), "next");
        assert_int_equal(run_count(&r, PL_DIAG_FIELD_UNTERMINATED), 1);
        run_end(&r);
    }
}

// Copies took their fonts from the group as it was at PRINT.
static void counted_text_keeps_its_fonts(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "! 0 200 200 99 3\r\nFG 1 4 0 7 0\r\nT FG 1 1 1 N1\r\nCOUNT 1\r\nFG 1 0 0\r\nFG 2\r\nPRINT\r\n"
                 "! 0 200 200 99 2\r\nFG 1 7 0\r\nT FG 1 1 1 N1\r\nCOUNT 1\r\nFG 1\r\nPRINT\r\n");
    assert_int_equal(r.scene.label_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        char number[] = {'N', (char)('1' + (i < 3 ? i : i - 3)), '\0'};
        assert_string_equal(run_string_at(&r, i, 0), number);
        assert_int_equal(run_element(&r, i, 0)->text.choice_count, i < 3 ? 2 : 1);
        assert_int_equal(run_element(&r, i, 0)->text.font.height, i < 3 ? 47 : 24);
    }
    run_end(&r);
}

static void bounds_of_settings(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "SETBOLD 5\r\nT 7 0 1 1 a\r\nSETBOLD 6\r\nT 7 0 1 1 b\r\nSETBOLD -1\r\nT 7 0 1 1 c\r\n"
                      "SETSP -1001\r\nT 7 0 1 1 d\r\nIN-INCHES\r\nSETBOLD 0.01\r\nT 7 0 0 0 e\r\nPRINT\r\n");
    static const uint8_t BOLD[] = {5, 5, 0, 0, 2};
    for (uint32_t i = 0; i < PL_COUNTOF(BOLD); i++)
        assert_int_equal(run_element(&r, 0, i)->text.bold, BOLD[i]);
    assert_int_equal(run_element(&r, 0, 3)->text.gap, -1000);
    assert_int_equal(run_count(&r, PL_DIAG_PARAMETER_RANGE), 3);
    run_end(&r);
}

// Areas far beyond the page took 50 MB each, and the next one was left out.
static void patterns_are_cut_to_the_page(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "PW 100\r\nPATTERN 106\r\nL -13 -11 20000 -11 20000\r\nL 0 5 20000 5 20000\r\n"
                      "L 300 0 400 0 9\r\nPRINT\r\n");
    assert_int_equal(r.scene.labels[0].element_count, 2);
    assert_int_equal(r.diags.count, 0);
    const struct pl_element *e = run_element(&r, 0, 0);
    assert_true(e->at.x == 0 && e->at.y == 0);
    assert_int_equal(e->image.bits->width, 100);
    assert_int_equal(e->image.bits->height, 300);
    // The pattern begins at the area's corner, which is outside.
    for (uint32_t y = 0; y < 300; y++)
        for (uint32_t x = 0; x < 100; x++) {
            bool ink = (x + 13 + y + 11) % 8 < 2 || (x + 13 + 8 - (y + 11) % 8) % 8 < 2;
            assert_int_equal(pl_bitmap_get(e->image.bits, x, y), ink);
        }
    assert_int_equal(run_element(&r, 0, 1)->image.bits->height, 295);
    run_end(&r);
}

static void counts_of_bytes_are_checked(void **state)
{
    (void)state;
    struct run r;
    static const char EXACT[] = HEAD "CG 2 2 8 9 abc\r\r\nT 7 0 1 1 x\r\nPRINT\r\n";
    run_cpcl(&r, EXACT);
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.labels[0].element_count, 2);
    const struct pl_bitmap *bits = run_element(&r, 0, 0)->image.bits;
    assert_int_equal(bits->words[0] >> 48, 'a' << 8 | 'b');
    run_end(&r);
    run_cpcl(&r, HEAD "CG 2 2 8 9 abcdefgh\r\nT 7 0 1 1 x\r\nPRINT\r\n");
    assert_int_equal(run_count(&r, PL_DIAG_GRAPHIC_DATA), 1);
    assert_int_equal(r.scene.labels[0].element_count, 2);
    run_end(&r);
    run_cpcl(&r, HEAD "EG 1 2 8 9 FF\r\n00AB\r\nT 7 0 1 1 x\r\nPRINT\r\n");
    assert_int_equal(run_count(&r, PL_DIAG_GRAPHIC_DATA), 1);
    assert_int_equal(r.scene.labels[0].element_count, 2);
    run_end(&r);
    run_cpcl(&r, HEAD "EG 1 2 8 9 FF00\r\nT 7 0 1 1 x\r\nPRINT\r\n");
    assert_int_equal(r.diags.count, 0);
    run_end(&r);
    run_cpcl(&r, HEAD "EG 2 2 8 9 FF\r\nT 7 0 1 1 x\r\nPRINT\r\n");
    assert_int_equal(run_count(&r, PL_DIAG_GRAPHIC_DATA), 1);
    run_end(&r);
}

// A PCX file of 16 x 2 dots, behind its command and stored.
static void pictures_behind_their_command_and_stored(void **state)
{
    (void)state;
    uint8_t pcx[128 + 4] = {10, 5, 1, 1, 0, 0, 0, 0, 15, 0, 1, 0};
    pcx[65] = 1;
    pcx[66] = 2;
    memcpy(pcx + 128, "\xC2\x0F\x00\x7F", 4);
    char text[600];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text, HEAD "PCX 10 20\r\n");
    memcpy(text + n, pcx, sizeof pcx);
    n += sizeof pcx;
    n += (size_t)snprintf(text + n, sizeof text - n, "\r\nPRINT\r\n! DF A.PCX\r\n");
    memcpy(text + n, pcx, sizeof pcx);
    n += sizeof pcx;
    n += (size_t)snprintf(text + n, sizeof text - n, "\r\n" HEAD "PCX 10 20 !<A.PCX\r\nPRINT\r\n");
    struct run r;
    run_init(&r);
    run_cpcl_bytes(&r, text, n);
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct pl_element *e = run_element(&r, i, 0);
        assert_int_equal(e->kind, PL_ELEMENT_IMAGE);
        assert_int_equal(e->image.bits->width, 16);
        assert_int_equal(e->image.bits->height, 2);
    }
    run_end(&r);
}

static void settings_are_told_by_their_verb(void **state)
{
    (void)state;
    static const char *const VERBS[][2] = {{"getvar", "GETVAR"}, {"setvar", "SETVAR"}, {"do", "DO"}};
    for (size_t i = 0; i < PL_COUNTOF(VERBS); i++) {
        char text[80];
        struct run r;
        snprintf(text, sizeof text, "! U1 %s \"device.reset\" \"\"\r\n", VERBS[i][0]);
        run_cpcl(&r, text);
        assert_string_equal(r.diags.items[0].source.command, VERBS[i][1]);
        run_end(&r);
    }
}

// The ink of a frame that is thicker than itself ends at its corners; one without a height is a line.
static void a_frame_ends_at_its_corners(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "BOX 10 10 100 80 100\r\nBOX 10 10 100 10 5\r\nPRINT\r\n");
    assert_int_equal(run_element(&r, 0, 0)->shape.thickness, 70);
    assert_int_equal(run_element(&r, 0, 1)->shape.thickness, 5);
    run_end(&r);
}

static void words_of_the_table_are_told_apart(void **state)
{
    (void)state;
    uint32_t rows = 0;
    for (const struct pl_lang_command *c; (c = pl_cpcl_command_at(rows)); rows++) {
        assert_true(c->title[0] && c->summary[0]);
        for (uint32_t i = 0; i < rows; i++)
            assert_string_not_equal(pl_cpcl_command_at(i)->title, c->title);
    }
    assert_true(rows > 80);
}

static void detection(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum pl_lang_confidence expected;
    } INPUTS[] = {
        {"! 0 200 200 210 1\r\n", PL_LANG_CERTAIN},
        {"\r\n !0 203 203 210.5 1\nT", PL_LANG_CERTAIN},
        {"! U1 setvar \"a\" \"b\"\r\n", PL_LANG_POSSIBLE},
        {"! U1 setvar \"a\" \"b\"\r\n! 0 200 200 210 1\r\n", PL_LANG_CERTAIN},
        {"! UTILITIES\r\n", PL_LANG_CERTAIN},
        {"! DF A.FMT\r\n", PL_LANG_CERTAIN},
        {"receipt\r\n! U1 SETBOLD 1\r\n", PL_LANG_LIKELY},
        {"! hello\r\n", PL_LANG_NONE},
        {"! 0 200 200 210\r\n", PL_LANG_NONE},
        {"TEXT 4 0 1 1 x\r\n", PL_LANG_NONE},
        {"", PL_LANG_NONE},
        {"!", PL_LANG_NONE},
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++)
        if (pl_lang_cpcl.detect(pl_slice_cstr(INPUTS[i].text)) != INPUTS[i].expected)
            fail_msg("%s", INPUTS[i].text);
}

// One sample ends without PRINT on purpose, and one is of a maker whose TEXT has no font; all print but the first.
static void look_at_sample(const char *name, const struct run *r)
{
    bool dropped = strcmp(name, "man-end") == 0;
    assert_int_equal(r->scene.label_count == 0, dropped);
    if (strcmp(name, "preview-input") != 0 && run_has(r, PL_DIAG_PARAMETER_INVALID))
        fail_msg("%s has a parameter that is not understood", name);
}

// Words of other makers: POPRINT turns the label, and ends what PRINT ends.
static void poprint_turns_the_label(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r,
             HEAD "T 7 0 5 6 x\r\nPOPRINT\r\n" HEAD "T 7 0 5 6 y\r\nPRINT\r\n" HEAD "B QR 1 1\r\nMA,x\r\nPOPRINT\r\n"
                  "! DF A.FMT\r\n" HEAD "T 7 0 5 6 \\\\\r\nPOPRINT\r\n! UF A.FMT\r\nz\r\n");
    assert_int_equal(r.diags.count, 1);
    assert_true(run_has(&r, PL_DIAG_FIELD_UNTERMINATED));
    assert_int_equal(r.scene.label_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(r.scene.labels[i].upside_down, i != 1);
    assert_string_equal(run_string_at(&r, 3, 0), "z");
    run_end(&r);
}

// The cells are inverted in each direction and justification; off is silent.
static void inverse_text_inverts_cells(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        int32_t x, y, width, height;
    } CASES[] = {
        {"IT ON\r\nT 7 0 20 30 AB", 20, 30, 24, 24},
        {"INVERSE-TEXT 1\r\nT90 7 0 20 90 AB", 20, 66, 24, 24},
        {"IT 1\r\nT180 7 0 90 80 ABC", 54, 56, 36, 24},
        {"IT 1\r\nT270 7 0 90 80 ABC", 66, 80, 24, 36},
        {"IT 1\r\nSETSP 2\r\nSETMAG 2 1\r\nT 7 0 20 30 AB", 20, 30, 52, 24},
        {"IT 1\r\nCENTER 100\r\nT 7 0 0 30 AB", 38, 30, 24, 24},
        {"IT 1\r\nRIGHT 100\r\nT 7 0 0 30 AB", 76, 30, 24, 24},
        {"IT 1\r\nENCODING UTF-8\r\nT 7 0 0 30 A\xE4\xB8\x8A", 0, 30, 36, 24},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[200];
        struct run r;
        snprintf(text, sizeof text, HEAD "%s\r\nPRINT\r\n", CASES[i].lines);
        run_cpcl(&r, text);
        assert_int_equal(r.diags.count, 0);
        const struct pl_element *box = run_element(&r, 0, 1);
        assert_int_equal(box->kind, PL_ELEMENT_BOX);
        assert_true(box->reverse);
        assert_int_equal(box->at.x, CASES[i].x);
        assert_int_equal(box->at.y, CASES[i].y);
        assert_int_equal(box->shape.width, CASES[i].width);
        assert_int_equal(box->shape.height, CASES[i].height);
        assert_true(box->shape.thickness * 2 >= PL_MIN(box->shape.width, box->shape.height));
        run_end(&r);
    }
    struct run r;
    run_cpcl(&r, HEAD "UT 0\r\nIT 0\r\nT 7 0 5 6 x\r\nIT 1\r\nT 4 0 5 60 x\r\nPRINT\r\n");
    assert_int_equal(r.scene.labels[0].element_count, 2);
    assert_int_equal(run_count(&r, PL_DIAG_UNSUPPORTED), 1); // letters of font 4 have no cells
    run_end(&r);
}

// Files of other makers ask for sizes such as 11: no label has letters of 450 dots for that.
static void sizes_of_two_digits_enlarge_the_first(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, HEAD "T 4 11 5 6 x\r\nT 7 23 5 6 x\r\nT A.TTF 20 5 6 x\r\nLPLINE 0 0 9 0 1\r\nPRINT\r\n");
    assert_int_equal(run_count(&r, PL_DIAG_FONT_NOT_FOUND), 3);
    assert_int_equal(run_element(&r, 0, 0)->text.font.height, 47);
    assert_int_equal(run_element(&r, 0, 1)->text.font.width, 24);
    assert_int_equal(run_element(&r, 0, 1)->text.font.height, 72);
    assert_int_equal(run_element(&r, 0, 2)->text.font.height, 47);
    assert_int_equal(run_element(&r, 0, 3)->kind, PL_ELEMENT_BOX);
    assert_int_equal(run_count(&r, PL_DIAG_UNSUPPORTED), 1); // the broken line is drawn whole
    run_end(&r);
}

// Programs feed paper by a label without anything on it.
static void an_empty_label_among_others_is_no_error(void **state)
{
    (void)state;
    struct run r;
    run_cpcl(&r, "! 0 200 200 0 1\r\nPAGE-WIDTH 576\r\nGAP-SENSE\r\nFORM\r\nPRINT\r\n" HEAD "T 7 0 5 6 x\r\nPRINT\r\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 1);
    run_end(&r);
}

static void samples(void **state)
{
    (void)state;
    golden_samples("cpcl", pl_cpcl_interpret, 18, look_at_sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_line_ends_are_the_same),
        cmocka_unit_test(a_byte_order_mark_is_not_printed),
        cmocka_unit_test(questions_and_tags_are_no_label_code),
        cmocka_unit_test(the_unit_behind_the_header_rules_the_header),
        cmocka_unit_test(a_label_states_its_size),
        cmocka_unit_test(fields_are_justified),
        cmocka_unit_test(numbers_count_copy_by_copy),
        cmocka_unit_test(a_format_is_filled_in),
        cmocka_unit_test(setmag_outlasts_the_label_and_nothing_else_does),
        cmocka_unit_test(ends_of_sessions),
        cmocka_unit_test(lines_outside_of_labels_are_a_page),
        cmocka_unit_test(a_utilities_session_draws),
        cmocka_unit_test(a_block_without_its_end_ends_with_the_label),
        cmocka_unit_test(counted_text_keeps_its_fonts),
        cmocka_unit_test(bounds_of_settings),
        cmocka_unit_test(patterns_are_cut_to_the_page),
        cmocka_unit_test(counts_of_bytes_are_checked),
        cmocka_unit_test(pictures_behind_their_command_and_stored),
        cmocka_unit_test(settings_are_told_by_their_verb),
        cmocka_unit_test(a_frame_ends_at_its_corners),
        cmocka_unit_test(words_of_the_table_are_told_apart),
        cmocka_unit_test(poprint_turns_the_label),
        cmocka_unit_test(inverse_text_inverts_cells),
        cmocka_unit_test(sizes_of_two_digits_enlarge_the_first),
        cmocka_unit_test(an_empty_label_among_others_is_no_error),
        cmocka_unit_test(detection),
        cmocka_unit_test(samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
