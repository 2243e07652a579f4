// Rules of TSPL that a dump does not show by itself: quotes, units, counters, sets and copies, programs, memory.
#include "../golden.h"
#include "tspl_fixture.h"

static void check_string(const char *tspl, uint32_t label, const char *expected)
{
    struct run r;
    run_text(&r, tspl);
    assert_string_equal(run_string_at(&r, label, 0), expected);
    run_end(&r);
}

#define TEXT "TEXT 10,10,\"3\",0,1,1,"

static void quotes_and_escapes(void **state)
{
    (void)state;
    check_string("CLS\n" TEXT "\"a \\[\"]b\\[\"] c\"\nPRINT 1\n", 0, "a \"b\" c");
    check_string("CLS\r" TEXT "\"C:\\\"\rPRINT 1\r", 0, "C:\\"); // a backslash at the end is data
    check_string("CLS\n" TEXT "\"say \\\"hi\\\" x\"\nPRINT 1\n", 0, "say \"hi\" x");
    check_string("CLS\n" TEXT "\"a, b\"\nPRINT 1\n", 0, "a, b"); // commas inside of quotes
    check_string("cls\n"
                 "text 10,10,\"3\",0,1,1,\"lower\"\nprint 1\n",
                 0, "lower");
    check_string("CLS\n" TEXT "\xE2\x80\x9Ctypographic\xE2\x80\x9D\nPRINT 1\n", 0, "typographic");
}

static void a_quote_without_an_end_ends_with_its_line(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "CLS\n" TEXT "\"first\n" TEXT "\"second\"\nPRINT 1\n");
    assert_string_equal(run_string_at(&r, 0, 0), "first");
    assert_string_equal(run_string_at(&r, 0, 1), "second");
    assert_int_equal(run_count(&r, PL_DIAG_PARAMETER_INVALID), 1);
    run_end(&r);
}

static void line_ends_inside_of_quotes_are_data(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "CLS\r\nQRCODE 1,1,H,4,A,0,\"ABC\r\nabc\"\r\nPRINT 1\r\n");
    assert_int_equal(run_element(&r, 0, 0)->barcode.data.len, 8);
    assert_int_equal(r.diags.count, 0);
    run_end(&r);
}

// BarTender's drivers write tags before commands.
static void tags_are_no_label_code(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "<xpml><page quantity='0' pitch='50.0 mm'></xpml>SIZE 74.1 mm, 50 mm\r\nCLS\r\n<xpml></page></xpml>"
                 "<xpml><page quantity='1'></xpml>TEXT 20,20,\"3\",0,1,1,\"x\"\r\nPRINT 1,1\r\n<xpml><end/></xpml>");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].length, 400);
    run_end(&r);
}

static void a_frame_ends_at_its_corners(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "CLS\nBOX 10,10,100,100,100\nBOX 10,10,100,10,5\nPRINT 1\n");
    assert_int_equal(run_element(&r, 0, 0)->shape.width, 90);
    assert_int_equal(run_element(&r, 0, 0)->shape.thickness, 90);
    assert_int_equal(run_element(&r, 0, 1)->shape.thickness, 5);
    run_end(&r);
}

static void units_of_size(void **state)
{
    (void)state;
    static const struct {
        const char *tspl;
        uint32_t width, length;
    } CASES[] = {{"SIZE 4,2.5", 812, 508},
                 {"SIZE 100 mm,50 mm", 799, 400},
                 {"SIZE 100mm, 50mm", 799, 400},
                 {"SIZE 400 dot,200 dot", 400, 200},
                 {"SIZE 2", 406, 0},
                 {"SIZE 50 mm,1", 400, 203}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char tspl[128];
        snprintf(tspl, sizeof tspl, "%s\nCLS\nBAR 1,1,9,9\nPRINT 1\n", CASES[i].tspl);
        struct run r;
        run_text(&r, tspl);
        assert_int_equal(r.scene.labels[0].print_width, CASES[i].width);
        assert_int_equal(r.scene.labels[0].length, CASES[i].length);
        run_end(&r);
    }
}

static void reference_and_shift_move_what_follows(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "CLS\nBAR 1,2,3,4\nREFERENCE 10,20\nSHIFT 5\nBAR 1,2,3,4\nSHIFT 7,-1\nBAR 1,2,3,4\nPRINT 1\n");
    assert_int_equal(run_element(&r, 0, 0)->at.x, 1);
    assert_int_equal(run_element(&r, 0, 1)->at.x, 11);
    assert_int_equal(run_element(&r, 0, 1)->at.y, 27);
    assert_int_equal(run_element(&r, 0, 2)->at.x, 18);
    assert_int_equal(run_element(&r, 0, 2)->at.y, 21);
    run_end(&r);
}

static void counters_step_once_a_set(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "SET COUNTER @1 1\nSET COUNTER @2 -1\n@1 = \"Az9\"\n@2=\"100\"\nCLS\n" TEXT "@1+\"/\"+@2\n"
                 "TEXT 1,1,\"1\",0,1,1,\"fixed\"\nPRINT 2,3\nPRINT 1\nPRINT -1,4\n");
    assert_int_equal(r.scene.label_count, 4);
    assert_string_equal(run_string_at(&r, 0, 0), "Az9/100");
    assert_string_equal(run_string_at(&r, 1, 0), "Ba0/099"); // each character stays in its own range
    assert_string_equal(run_string_at(&r, 2, 0), "Ba1/098"); // the next PRINT continues
    assert_string_equal(run_string_at(&r, 3, 0), "Ba1/098"); // and -1 repeats
    assert_int_equal(r.scene.labels[0].copies, 3);
    assert_int_equal(r.scene.labels[3].copies, 4);
    assert_ptr_equal(run_element(&r, 0, 1), run_element(&r, 2, 1)); // what has no counter is shared
    run_end(&r);
}

// Sets times copies had 32 bits and became 0: labels were made until the memory was used up.
static void sets_and_copies_of_more_than_32_bits_are_one_label_where_copies_collapse(void **state)
{
    (void)state;
    static const char TSPL[] = "CLS\nBAR 1,1,9,9\nPRINT 65536,65536\n";
    struct run r;
    run_init(&r);
    r.options.collapse_copies = true;
    run_bytes(&r, TSPL, sizeof TSPL - 1);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].copies, UINT32_MAX);
    run_end(&r);
}

static void counters_of_barcodes_and_steps(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "SET COUNTER @5 +250\n@5=\"AB000901\"\nCLS\nBARCODE 1,1,\"39\",40,1,0,2,4,@5\nPRINT 3\n");
    static const char *const VALUES[] = {"AB000901", "AB001151", "AB001401"};
    for (uint32_t i = 0; i < 3; i++)
        assert_true(pl_slice_eq_cstr(run_element(&r, i, 0)->barcode.data, VALUES[i]));
    run_end(&r);
}

static void expressions(void **state)
{
    (void)state;
    check_string("A$=\"x\"\nB=3\nCLS\nTEXT 10+30*(B-1),-5+2*3,\"3\",0,1,1,A$+STR$(B*2)+MID$(\"hello\",2,3)+CHR$(65)\n"
                 "PRINT 1\n",
                 0, "x6ellA");
    struct run r;
    run_text(&r, "B=3\nCLS\nTEXT 10+30*(B-1),-5+2*3,\"3\",0,1,1,\"x\"\nPRINT 1\n");
    assert_int_equal(run_element(&r, 0, 0)->at.x, 70);
    assert_int_equal(run_element(&r, 0, 0)->at.y, 1);
    run_end(&r);
    check_string("CLS\n" TEXT "@YEAR+@MONTH+@DATE+\" \"+@HOUR+\":\"+@MINUTE\nPRINT 1\n", 0, "260305 14:07");
    run_text(&r,
             "CLS\n" TEXT "((((((((((((((((((((((((((((((((((((((((1\nTEXT 1,1,\"1\",0,1,1,\"a\"+\nBAR 1/0,1,2,3\n");
    assert_true(run_count(&r, PL_DIAG_PARAMETER_INVALID) >= 3);
    run_end(&r);
}

static void a_label_without_print_is_shown_and_reported(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "CLS\n" TEXT "\"x\"\n");
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(run_count(&r, PL_DIAG_FORMAT_UNTERMINATED), 1);
    run_end(&r);
    run_text(&r, "CLS\n" TEXT "\"x\"\nPRINT 1\nBAR 1,1,5,5\nPRINT 1\n");
    assert_int_equal(r.scene.labels[1].element_count, 2); // without CLS the image stays
    assert_int_equal(r.diags.count, 0);
    run_end(&r);
}

static void bitmap_has_black_zeros_and_three_modes(void **state)
{
    (void)state;
    struct run r;
    static const char JOB[] =
        "CLS\nBAR 0,0,99,99\nBITMAP 1,1,1,2,0,\x0F\xF0\nBITMAP 1,1,1,1,1,\x00\nBITMAP 1,1,1,1,2,\r"
        "PRINT 1\n";
    run_init(&r);
    run_bytes(&r, JOB, sizeof JOB - 1);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.labels[0].element_count, 5);
    assert_true(run_element(&r, 0, 1)->shape.white);
    const struct pl_bitmap *bits = run_element(&r, 0, 2)->image.bits;
    assert_true(pl_bitmap_get(bits, 0, 0) && !pl_bitmap_get(bits, 7, 0) && pl_bitmap_get(bits, 7, 1));
    assert_false(run_element(&r, 0, 3)->reverse);
    assert_true(run_element(&r, 0, 4)->reverse);
    run_end(&r);
}

static void programs_run_or_are_reported(void **state)
{
    (void)state;
    check_string("DOWNLOAD \"LABEL.BAS\"\nCLS\n" TEXT "\"stored\"\nPRINT 1\nEOP\nRUN \"LABEL.BAS\"\n", 0, "stored");
    check_string("DOWNLOAD F,\"LABEL.BAS\"\nCLS\n" TEXT "\"stored\"\nPRINT 1\nEOP\nLABEL\n", 0, "stored");
    struct run r;
    run_text(&r, "DOWNLOAD \"A.BAS\"\nCLS\nIF A=1 THEN\n" TEXT "\"no\"\nENDIF\nPRINT 1\nEOP\nA\nA\n");
    assert_int_equal(r.scene.label_count, 0);
    assert_int_equal(run_count(&r, PL_DIAG_UNSUPPORTED), 1); // once
    run_end(&r);
    // Bytes of a BITMAP in a program are counted: they may look like its end.
    run_text(&r, "DOWNLOAD \"A.BAS\"\nBITMAP 0,0,1, 5,0,\nEOP\n" TEXT "\"behind\"\nPRINT 1\nEOP\nA\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(run_element(&r, 0, 0)->image.bits->height, 5);
    assert_string_equal(run_string_at(&r, 0, 1), "behind");
    run_end(&r);
    // Nor are they words of BASIC.
    static const char *const WORDS[] = {"END", "FOR", "OUT", ":A "};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        char code[200];
        snprintf(code, sizeof code, "DOWNLOAD \"A.BAS\"\nBITMAP 0,0,1,6,0,\n%s\r\n\r\n%s\"behind\"\nPRINT 1\nEOP\nA\n",
                 WORDS[i], TEXT);
        run_text(&r, code);
        assert_int_equal(r.diags.count, 0);
        assert_int_equal(r.scene.label_count, 1);
        assert_string_equal(run_string_at(&r, 0, 1), "behind");
        run_end(&r);
    }
    run_text(&r, "DOWNLOAD \"A.BAS\"\nBITMAP 0,0,1,1,0,x\nEND\n" TEXT "\"no\"\nPRINT 1\nEOP\nA\n"); // behind them
    assert_int_equal(r.scene.label_count, 0);
    assert_int_equal(run_count(&r, PL_DIAG_UNSUPPORTED), 1);
    run_end(&r);
    run_text(&r, "DOWNLOAD \"A.BAS\"\nBITMAP 0,0,1,1,0,xEOP\n" TEXT "\"label\"\nPRINT 1\n"); // no line end behind them
    assert_int_equal(r.diags.count, 0);
    assert_string_equal(run_string_at(&r, 0, 0), "label");
    run_end(&r);
    // The place may be an expression. Sizes that are none cannot be counted.
    run_text(&r, "DOWNLOAD \"A.BAS\"\nBITMAP (1+1)*2,0,1,5,0,\nEOP\n" TEXT "\"behind\"\nPRINT 1\nEOP\nA\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(run_element(&r, 0, 0)->at.x, 4);
    assert_string_equal(run_string_at(&r, 0, 1), "behind");
    run_end(&r);
    run_text(&r, "DOWNLOAD \"A.BAS\"\nW=2\nBITMAP 0,0,W,1,0,xy\n" TEXT "\"behind\"\nPRINT 1\nEOP\nA\n");
    assert_int_equal(run_count(&r, PL_DIAG_UNSUPPORTED), 1);
    assert_int_equal(run_element(&r, 0, 0)->image.bits->width, 16); // when it is run they are known
    assert_string_equal(run_string_at(&r, 0, 1), "behind");
    run_end(&r);
    run_text(&r, "DOWNLOAD \"A.BAS\"\nBITMAP 0,0,9,99,0,x\nEOP\nA\n"); // they are missing
    assert_int_equal(run_count(&r, PL_DIAG_FORMAT_UNTERMINATED), 1);
    run_end(&r);
    run_text(&r, "DOWNLOAD \"A.BAS\"\nA\nEOP\nA\n"); // itself
    assert_int_equal(run_count(&r, PL_DIAG_RECALL_DEPTH), 1);
    run_end(&r);
}

static void replies_to_the_host(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "\x1B!?~!T\r\nCLS\r\nBAR 1,1,2,2\r\nPRINT 1\r\n");
    const struct pl_lang_answer *answer = pl_lang_tspl.memory.answers(r.end)->first;
    assert_true(pl_slice_eq(answer->text, pl_slice_make("\0", 1)));
    assert_true(pl_slice_eq_cstr(answer->next->text, "Platen\r\n"));
    assert_null(answer->next->next);
    assert_int_equal(r.scene.label_count, 1);
    run_end(&r);
}

// An input that begins with the written settings continues where the one before ended.
static void settings_as_label_code(void **state)
{
    (void)state;
    struct run r, again;
    run_text(&r,
             "SIZE 60 mm,40 mm\nGAP 2 mm,0\nREFERENCE 5,6\nSHIFT 7\nDIRECTION 1,1\nCODEPAGE 1252\nSET COUNTER @3 2\n"
             "@3=\"a\\[\"]7\"\nDENSITY 9\nSPEED 3.5\n");
    struct pl_buf first, second;
    pl_buf_init(&first, 4096);
    pl_buf_init(&second, 4096);
    pl_lang_tspl.memory.write_settings(r.end, &first);
    assert_true(first.len > 100);
    run_init(&again);
    run_bytes(&again, first.data, first.len);
    assert_int_equal(again.code, PL_OK);
    pl_lang_tspl.memory.write_settings(again.end, &second);
    assert_true(pl_slice_eq(pl_buf_slice(&first), pl_buf_slice(&second)));
    pl_buf_fini(&first);
    pl_buf_fini(&second);
    run_end(&r);
    run_end(&again);
}

static void code_pages(void **state)
{
    (void)state;
    static const struct {
        const char *page;
        char byte;
        uint32_t expected;
    } CASES[] = {{"437", '\x84', 0xE4}, {"1252", '\x80', 0x20AC}, {"8859-5", '\xB0', 0x410},
                 {"GER", '[', 0xC4},    {"866", '\x80', 0x410},   {"1257", '\xE0', 0x105}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char tspl[128];
        snprintf(tspl, sizeof tspl, "CODEPAGE %s\nCLS\n" TEXT "\"%c\"\nPRINT 1\n", CASES[i].page, CASES[i].byte);
        struct run r;
        run_text(&r, tspl);
        assert_int_equal(run_element(&r, 0, 0)->text.chars[0], CASES[i].expected);
        run_end(&r);
    }
    struct run r;
    run_text(&r, "CLS\n" TEXT "\"\xC3\xA4\"\nPRINT 1\n"); // UTF-8 without a page
    assert_int_equal(run_element(&r, 0, 0)->text.chars[0], 0xE4);
    assert_int_equal(run_count(&r, PL_DIAG_CHARSET_SUSPECT), 1);
    run_end(&r);
}

// Fonts with Chinese and Korean characters have a set of their own; code pages of two bytes, and UTF-8, rule above it.
static void double_byte_text(void **state)
{
    (void)state;
    static const struct {
        const char *page, *font, *bytes;
        uint32_t first, second;
    } CASES[] = {
        {"", "TSS24.BF2", "\xC4\xE3\xBA\xC3", 0x4F60, 0x597D},
        {"CODEPAGE 437\n", "TSS16.BF2", "\xC4\xE3\xBA\xC3", 0x4F60, 0x597D},
        {"", "TST24.BF2", "\xA7\x41\xA6\x6E", 0x4F60, 0x597D},
        {"", "K", "\xB0\xA1\xB3\xAA", 0xAC00, 0xB098},
        {"CODEPAGE 936\n", "3", "\xC4\xE3\xBA\xC3", 0x4F60, 0x597D},
        {"CODEPAGE 932\n", "TSS24.BF2", "\x93\xFA\x96\x7B", 0x65E5, 0x672C},
        {"CODEPAGE UTF-8\n", "TSS24.BF2", "\xE4\xBD\xA0\xE5\xA5\xBD", 0x4F60, 0x597D},
        {"", "TSS24.BF2", "\xE4\xBD\xA0\xE5\xA5\xBD", 0x4F60, 0x597D},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char tspl[128];
        snprintf(tspl, sizeof tspl, "%sCLS\nTEXT 9,9,\"%s\",0,1,1,\"%s\"\nPRINT 1\n", CASES[i].page, CASES[i].font,
                 CASES[i].bytes);
        struct run r;
        run_text(&r, tspl);
        const struct pl_text *text = &run_element(&r, 0, 0)->text;
        assert_int_equal(text->length, 2);
        assert_int_equal(text->chars[0], CASES[i].first);
        assert_int_equal(text->chars[1], CASES[i].second);
        run_end(&r);
    }
}

static void the_table_is_in_order(void **state)
{
    (void)state;
    const struct pl_lang_command *before = pl_tspl_command_at(0), *next;
    uint32_t count = 1;
    for (; (next = pl_tspl_command_at(count)); count++) {
        assert_true(strcmp(before->title, next->title) < 0);
        assert_true(next->summary[0] != '\0');
        before = next;
    }
    assert_true(count >= 90);
}

static void detection(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum pl_lang_confidence least, most;
    } CASES[] = {{"SIZE 3,3\r\nCLS\r\nPRINT 1\r\n", PL_LANG_CERTAIN, PL_LANG_CERTAIN},
                 {"CLS\nTEXT 1,2,\"3\",0,1,1,\"x\"\nPRINT 1\n", PL_LANG_CERTAIN, PL_LANG_CERTAIN},
                 {"^XA^FO1,1^FDSIZE^FS^XZ", PL_LANG_NONE, PL_LANG_NONE},
                 {"! 0 200 200 210 1\r\nTEXT 4 0 30 40 Hello\r\nFORM\r\nPRINT\r\n", PL_LANG_NONE, PL_LANG_POSSIBLE},
                 {"\r\nN\r\nq812\r\nA50,50,0,3,1,1,N,\"x\"\r\nP1\r\n", PL_LANG_NONE, PL_LANG_NONE},
                 {"", PL_LANG_NONE, PL_LANG_NONE}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        enum pl_lang_confidence sure = pl_lang_tspl.detect(pl_slice_cstr(CASES[i].text));
        assert_in_range(sure, CASES[i].least, CASES[i].most);
    }
}

// What drivers of Rollo, Munbyn and Xprinter printers write changes no picture.
static void options_of_drivers_are_known(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "SIZE 40 mm ,20 mm\r\nSETC AUTODOTTED OFF\r\nSETC PAUSEKEY ON\r\nSETC WATERMARK OFF\r\n"
                 "CASHDRAWER 0,100,100\r\nNFC TIMEOUT 5\r\nCLS\r\nBAR 1,1,9,9\r\nPRINT 1,1\r\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 1);
    run_end(&r);
}

// The one program with a loop is reported; all other samples print.
static void look_at_sample(const char *name, const struct run *r)
{
    bool program = strcmp(name, "man-for-next") == 0;
    assert_int_equal(r->scene.label_count == 0, program);
    assert_int_equal(run_count(r, PL_DIAG_UNSUPPORTED) > 0, program || strcmp(name, "man-aztec") == 0);
}

static void samples(void **state)
{
    (void)state;
    golden_samples("tspl", pl_tspl_interpret, 18, look_at_sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),
        cmocka_unit_test(sets_and_copies_of_more_than_32_bits_are_one_label_where_copies_collapse),
        cmocka_unit_test(quotes_and_escapes),
        cmocka_unit_test(a_quote_without_an_end_ends_with_its_line),
        cmocka_unit_test(line_ends_inside_of_quotes_are_data),
        cmocka_unit_test(units_of_size),
        cmocka_unit_test(tags_are_no_label_code),
        cmocka_unit_test(a_frame_ends_at_its_corners),
        cmocka_unit_test(reference_and_shift_move_what_follows),
        cmocka_unit_test(counters_step_once_a_set),
        cmocka_unit_test(counters_of_barcodes_and_steps),
        cmocka_unit_test(expressions),
        cmocka_unit_test(a_label_without_print_is_shown_and_reported),
        cmocka_unit_test(bitmap_has_black_zeros_and_three_modes),
        cmocka_unit_test(programs_run_or_are_reported),
        cmocka_unit_test(replies_to_the_host),
        cmocka_unit_test(settings_as_label_code),
        cmocka_unit_test(code_pages),
        cmocka_unit_test(double_byte_text),
        cmocka_unit_test(options_of_drivers_are_known),
        cmocka_unit_test(the_table_is_in_order),
        cmocka_unit_test(detection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
