// Fields that once came out wrong: places, data from elsewhere, blocks, fonts that are not there, encoding tables.
#include "base/ckd.h"
#include "lang/zpl/args.h"
#include "zpl_fixture.h"

static void assert_string(const struct run *r, uint32_t label, uint32_t index, const char *expected)
{
    char text[256];
    assert_string_equal(run_string(run_element(r, label, index), text, sizeof text), expected);
}

static void assert_chars(const struct run *r, uint32_t index, const uint32_t *expected, uint32_t count)
{
    const struct pl_element *e = run_element(r, 0, index);
    assert_int_equal(e->text.length, count);
    assert_memory_equal(e->text.chars, expected, count * sizeof *expected);
}

static void a_place_behind_the_data_moves_the_field(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FO10,20^FDone^FO30,40^FS^FO50,60^FDtwo^FT70,80^FS^XZ");
    assert_int_equal(r.scene.labels[0].element_count, 2);
    assert_string(&r, 0, 0, "one");
    assert_int_equal(run_element(&r, 0, 0)->at.x, 30);
    assert_int_equal(run_element(&r, 0, 0)->at.y, 40);
    assert_true(run_element(&r, 0, 1)->at.typeset);
    assert_int_equal(run_element(&r, 0, 1)->at.x, 70);
    assert_int_equal(run_count(&r, PL_DIAG_FIELD_UNTERMINATED), 2);
    run_end(&r);
    // A graphic without ^FS is drawn where it stands.
    run_text(&r, "^XA^FO10,20^GB5,5,5^FO30,40^FDone^FS^XZ");
    assert_int_equal(r.scene.labels[0].element_count, 2);
    assert_int_equal(run_element(&r, 0, 0)->at.x, 10);
    assert_int_equal(run_element(&r, 0, 1)->at.x, 30);
    run_end(&r);
}

static void a_graphic_behind_the_data_drops_the_text(void **state)
{
    (void)state;
    static const char *const FIELDS[] = {"^XA^FO10,20^FDone^GB5,5,5^FS^XZ", "^XA^FO10,20^FDone^GFA,1,1,1,FF^FS^XZ",
                                         "~DGR:A.GRF,1,1,FF^XA^FO10,20^FDone^XGR:A.GRF^FS^XZ",
                                         "^XA^FO10,20^BCN,50^FD12^GC9,1^FS^XZ"};
    for (size_t i = 0; i < PL_COUNTOF(FIELDS); i++) {
        struct run r;
        run_text(&r, FIELDS[i]);
        assert_int_equal(r.scene.labels[0].element_count, 1);
        assert_true(run_element(&r, 0, 0)->kind >= PL_ELEMENT_BOX);
        assert_int_equal(run_element(&r, 0, 0)->at.x, 10);
        assert_int_equal(run_count(&r, PL_DIAG_DATA_DROPPED), 1);
        run_end(&r);
    }
    struct run r;
    run_text(&r, "^XA^FO10,20^FD^GB5,5,5^FS^XZ");
    assert_int_equal(run_count(&r, PL_DIAG_DATA_DROPPED), 0);
    run_end(&r);
}

static void data_behind_a_serial_number_takes_its_place(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FO1,1^SN5,1,Y^FDtext^FS^FO1,1^SN5,1,Y^FD^FS^FO1,1^FDtext^SN6,1,Y^FS^XZ");
    assert_string(&r, 0, 0, "text");
    assert_string(&r, 0, 1, "5");
    assert_string(&r, 0, 2, "6");
    run_end(&r);
}

static void embedding_takes_the_last_data_of_a_number(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FN1^FDold^FS^FN1^FDnew^FS^FO1,1^FE^FD<#1#>^FS^XZ");
    assert_string(&r, 0, 0, "<new>");
    run_end(&r);
}

static void embedding_follows_serial_numbers_and_the_clock(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FN1^SN007,1,Y^FS^FN2^FC%^FD%Y-%m^FS^FO1,1^FE^FD#1#/#2#/#1,F,3,1#^FS^PQ3^XZ");
    assert_int_equal(r.scene.label_count, 3);
    assert_string(&r, 0, 0, "007/2026-03/7");
    assert_string(&r, 1, 0, "008/2026-03/8");
    assert_string(&r, 2, 0, "009/2026-03/9");
    run_end(&r);
    run_text(&r, "^XA^FN1^FDA9^SFAd^FS^FO1,1^FE^FD#1##1#^FS^PQ2^XZ");
    assert_string(&r, 0, 0, "A9A9");
    assert_string(&r, 1, 0, "B0B0");
    run_end(&r);
}

static void constant_fields_are_made_once_for_all_serial_numbers(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^CI28^FO1,1^FN1^FS^FN1^FH^FD_FF^FS^FO1,50^FN2^FS^FN2^FDx^FS^FO1,90^SN1,1,Y^FS^PQ200^XZ");
    assert_int_equal(r.scene.label_count, 200);
    assert_ptr_equal(run_element(&r, 0, 1), run_element(&r, 199, 1));
    assert_ptr_not_equal(run_element(&r, 0, 2), run_element(&r, 199, 2));
    assert_int_equal(run_count(&r, PL_DIAG_CHARSET_INVALID), 1);
    run_end(&r);
    // Nor again for the picture that ^IS saves.
    run_text(&r, "^XA^FO1,1^FN1^FS^FO1,1^FDx^FS^ISR:A.GRF^XZ");
    assert_int_equal(run_count(&r, PL_DIAG_FIELD_UNBOUND), 1);
    run_end(&r);
}

static void block_escapes_count_under_every_character_set(void **state)
{
    (void)state;
    static const uint32_t LINES[] = {'a', '\n', 'b', '\\', 'c'};
    struct run r;
    run_text(&r, "^XA^CI0^FO1,1^FB99,9^FDa\\&b\\\\c^FS^CI28^FO1,1^FB99,9^FDa\\&b\\\\c^FS"
                 "^CI15^FO1,1^FB99,9^FDa\\&b\\\\c^FS^CI26^FO1,1^FB99,9^FDa\\&b\\\\c^FS"
                 "^CI29^FO1,1^FB99,9^FH^FD_00a_00\\_00&_00b_00\\_00\\_00c^FS"
                 "^CI30^FO1,1^FB99,9^FH^FDa_00\\_00&_00b_00\\_00\\_00c_00^FS^XZ");
    for (uint32_t i = 0; i < 6; i++)
        assert_chars(&r, i, LINES, 5);
    run_end(&r);
    // The second byte of a Shift-JIS character may look like a backslash: it is none.
    static const uint32_t HYO[] = {0x8868, '&'};
    run_text(&r, "^XA^CI15^FO1,1^FB99,9^FH^FD_95_5C&^FS^XZ");
    assert_chars(&r, 0, HYO, 2);
    run_end(&r);
    // ^TB in UTF-16.
    static const uint32_t LESS[] = {'a', '<'};
    run_text(&r, "^XA^CI29^FO1,1^TBN,99,99^FH^FD_00a_00<_00<_00>_00<_00x_00>^FS^XZ");
    assert_chars(&r, 0, LESS, 2);
    run_end(&r);
}

static void a_block_without_width_draws_nothing(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FO1,1^FB0,3^FDgone^FS^FO1,1^FB^FDgone^FS^FO1,1^FB1^FDhere^FS^XZ");
    assert_int_equal(r.scene.labels[0].element_count, 1);
    assert_string(&r, 0, 0, "here");
    assert_int_equal(run_count(&r, PL_DIAG_PARAMETER_MISSING), 2);
    run_end(&r);
    // It still gives its data to others.
    run_text(&r, "^XA^FO1,1^FN1^FS^FO1,1^FB0^FN1^FDgiven^FS^XZ");
    assert_string(&r, 0, 0, "given");
    run_end(&r);
}

static void a_font_letter_that_is_not_there_is_the_font_of_cf(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FO1,1^A1N,30,20^FDx^FS^CFD,18^FO1,1^AJN,40^FDx^FS^CF3,30^FO1,1^FDx^FS^FO1,1^A9^BCN,50^FD1^FS^XZ");
    assert_int_equal(run_element(&r, 0, 0)->text.font.resident, 'A');
    assert_int_equal(run_element(&r, 0, 0)->text.font.height, 30);
    assert_int_equal(run_element(&r, 0, 1)->text.font.resident, 'D');
    assert_int_equal(run_element(&r, 0, 2)->text.font.resident, 'A');
    assert_int_equal(run_element(&r, 0, 3)->barcode.text_font.resident, 'A');
    assert_int_equal(run_count(&r, PL_DIAG_FONT_NOT_FOUND), 4);
    run_end(&r);
    // A font that ^CW named and nobody sent is most likely an outline: font 0.
    run_text(&r, "^XA^CW1,E:NOBODY.TTF^FO1,1^A1N,30,20^FDx^FS^XZ");
    assert_int_equal(run_element(&r, 0, 0)->text.font.resident, '0');
    run_end(&r);
}

static void label_top_moves_a_saved_picture_once(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^LT50^FO10,20^FDa^FS^FO10,30^FN1^FS^FN1^FDb^FS^ISR:A.GRF,N^XZ^XA^ILR:A.GRF^FO10,40^FDc^FS^XZ");
    assert_int_equal(r.scene.picture_count, 1);
    assert_int_equal(r.scene.pictures[0]->elements[0]->at.y, 20);
    assert_int_equal(r.scene.pictures[0]->elements[1]->at.y, 30);
    assert_int_equal(run_element(&r, 0, 0)->at.y, 50);
    assert_int_equal(run_element(&r, 0, 1)->at.y, 90);
    run_end(&r);
    run_text(&r, "^XA^LT-5^FO10,20^FDa^FS^ISR:A.GRF^XZ");
    assert_int_equal(run_element(&r, 0, 0)->at.y, 15);
    assert_int_equal(r.scene.pictures[0]->elements[0]->at.y, 20);
    run_end(&r);
}

static void label_top_moves_the_places_of_fm(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FM10,20,e,30,40^B7N,4,0,2,3^FDx^FS^LT7^XZ");
    const struct pl_barcode *b = &run_element(&r, 0, 0)->barcode;
    assert_int_equal(b->position_count, 3);
    assert_int_equal(b->positions[0][1], 27);
    assert_true(b->positions[1][0] < 0);
    assert_int_equal(b->positions[2][1], 47);
    run_end(&r);
}

static void two_letters_leave_out_one_place_of_fm(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FM10,20,e,e,30,40,e,50,60^B7N,4,0,2,3^FDx^FS^XZ");
    const struct pl_barcode *b = &run_element(&r, 0, 0)->barcode;
    static const int32_t places[][2] = {{10, 20}, {-1, -1}, {30, 40}, {-1, -1}, {50, 60}};
    assert_int_equal(b->position_count, 5);
    assert_memory_equal(b->positions, places, sizeof places);
    run_end(&r);
}

// Once 0 was taken for 1, and most data does not fit into one row.
static void no_rows_of_codablock_are_as_many_as_the_data_needs(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^BBN,10,Y,10,0,A^FDABC^FS^XZ");
    assert_int_equal(run_element(&r, 0, 0)->barcode.codablock.rows, 0);
    run_end(&r);
}

static void encoding_tables_of_the_printer_choose_the_character_set(void **state)
{
    (void)state;
    static const uint32_t HANGUL[] = {0xD55C, 'a'}, BIG5[] = {0x4E2D, 'a'}, CYRILLIC[] = {0x416};
    struct run r;
    // The table may come before or behind the set.
    run_text(&r, "^XA^SEE:UHANGUL.DAT^CI26^FO1,1^FH^FD_C7_D1a^FS^CI24^FO1,1^FH^FD_C7_D1a^FS^SEE:BIG5.DAT"
                 "^FO1,1^FH^FD_A4_A4a^FS^CI26^FO1,1^FH^FD_A4_A4a^FS^CI14^FO1,1^FH^FD_A4_A4a^FS"
                 "^CI33^FO1,1^FH^FD_C6^FS^XZ");
    for (uint32_t i = 0; i < 5; i++)
        assert_chars(&r, i, i < 2 ? HANGUL : BIG5, 2);
    assert_chars(&r, 5, CYRILLIC, 1);
    assert_false(run_has(&r, PL_DIAG_OBJECT_NOT_FOUND));
    run_end(&r);
    // EUC is Japanese, unless the table is of another country.
    static const uint32_t NICHI[] = {0x65E5}, GE[] = {0x6208};
    run_text(&r, "^XA^CI16^SEE:JIS.DAT^FO1,1^FH^FD_C6_FC^FS^SEE:GB18030.DAT^FO1,1^FH^FD_B8_EA^FS"
                 "^SEE:NONE.DAT^FO1,1^FH^FD_B8_EA^FS^XZ");
    assert_chars(&r, 0, NICHI, 1);
    assert_chars(&r, 1, GE, 1);
    assert_chars(&r, 2, GE, 1);
    assert_true(run_has(&r, PL_DIAG_OBJECT_NOT_FOUND));
    run_end(&r);
    // A downloaded table of the same name comes first; ^CI26 leaves ASCII alone.
    static const uint32_t OWN[] = {'a', 0x1234};
    run_text(&r, "~DER:UHANGUL.DAT,4,1234C7D1^XA^CI26^SER:UHANGUL.DAT^FO1,1^FH^FDa_C7_D1^FS^XZ");
    assert_chars(&r, 0, OWN, 2);
    run_end(&r);
}

static void advanced_text_can_be_switched_off(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FO1,1^FDx^FS^PA0,0^FO1,1^FDx^FS^PA,,0^FO1,1^FDx^FS^PA,1,1^FO1,1^FDx^FS^XZ");
    static const bool EXPECTED[][2] = {{false, false}, {true, false}, {true, true}, {false, false}};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(run_element(&r, 0, i)->text.no_bidi, EXPECTED[i][0]);
        assert_int_equal(run_element(&r, 0, i)->text.no_shaping, EXPECTED[i][1]);
    }
    run_end(&r);
}

static void delayed_cut_is_a_command(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "^XA^FO1,1^FDx~JK^FS^XZ~JK");
    assert_string(&r, 0, 0, "x");
    assert_false(run_has(&r, PL_DIAG_UNKNOWN_COMMAND));
    run_end(&r);
}

// Vertical tabs and form feeds are blanks to whoever trims: a parameter of them is not given.
static void a_parameter_of_odd_blanks_is_not_given(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {"^XA^A0\x0b", "^XA^A0\x0c\x0b", "^XA^CF\x0b", "^XA^CW\x0c", "^XA^A0\x0b^BCN"};
    for (size_t i = 0; i < PL_COUNTOF(INPUTS); i++) {
        struct run r;
        // The bytes end where the memory ends: a sanitizer sees whoever reads on.
        size_t len = strlen(INPUTS[i]);
        char *copy = malloc(len);
        assert_non_null(copy);
        memcpy(copy, INPUTS[i], len);
        run_init(&r);
        run_zpl(&r, copy, len);
        assert_int_equal(r.code, PL_OK);
        run_end(&r);
        free(copy);
    }
    struct zpl_args a = {.count = 1, .item = &(struct pl_slice){(const uint8_t *)"\x0b\x0c", 2}};
    assert_false(zpl_arg_given(&a, 0));
}

static void a_stored_png_is_decoded_once(void **state)
{
    (void)state;
    // 16 x 1 dots, one bit grey: eight black, eight white.
    static const char PNG[] = "89504E470D0A1A0A0000000D4948445200000010000000010100000000FF0213F20000000B494441"
                              "54789C6360F80F000102010042BEBC680000000049454E44AE426082";
    char *zpl = malloc(40000);
    assert_non_null(zpl);
    size_t n = (size_t)sprintf(zpl, "~DYR:LOGO.PNG,A,P,%zu,,%s", (sizeof PNG - 1) / 2, PNG);
    for (int i = 0; i < 400; i++)
        n += (size_t)sprintf(zpl + n, "^XA^FO1,1^XGR:LOGO.PNG^FS^XZ");
    struct run r;
    run_init(&r);
    r.options.limits.decoded_graphics = 2000;
    run_zpl(&r, zpl, n);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.label_count, 400);
    assert_ptr_equal(run_element(&r, 0, 0)->image.bits, run_element(&r, 399, 0)->image.bits);
    run_end(&r);
    free(zpl);
}

// 256 colours: black, blue and green by the palette at the end; 24 bits in three planes.
static void pictures_of_pcx_by_their_colours(void **state)
{
    (void)state;
    uint8_t file[128 + 64 + 769] = {0x0A, 5, 1, 8};
    file[8] = 3; // 4 x 2 dots
    file[10] = 1;
    file[65] = 1;
    file[66] = 4;
    static const uint8_t ROWS[] = {1, 0, 2, 0xC1, 200, 0, 1, 1, 0};
    memcpy(file + 128, ROWS, sizeof ROWS);
    uint8_t *palette = file + 128 + sizeof ROWS;
    memset(palette, 255, 769);
    palette[0] = 0x0C;
    memset(palette + 1 + 3 * 1, 0, 3);               // black
    memset(palette + 1 + 3 * 2, 0, 2);               // blue
    palette[1 + 3 * 200] = palette[3 + 3 * 200] = 0; // green, as light as can be
    size_t size = 128 + sizeof ROWS + 769;
    static const uint8_t COLOURS[] = {0,    0xC1, 255, 0, 0xC1, 255, 0, 0xC1, 255,
                                      0xC1, 255,  0,   0, 0xC1, 255, 0, 0}; // R G B
    for (int planes = 1; planes <= 3; planes += 2) {
        if (planes == 3) {
            file[10] = 0;
            file[65] = 3;
            memcpy(file + 128, COLOURS, sizeof COLOURS);
            size = 128 + sizeof COLOURS;
        }
        char zpl[3000];
        int n = snprintf(zpl, sizeof zpl, "~DYR:A.PCX,A,X,%zu,,", size);
        for (size_t i = 0; i < size; i++)
            n += snprintf(zpl + n, sizeof zpl - (size_t)n, "%02X", file[i]);
        snprintf(zpl + n, sizeof zpl - (size_t)n, "^XA^FO1,1^XGR:A.PCX^FS^XZ");
        struct run r;
        run_text(&r, zpl);
        const struct pl_bitmap *bits = run_element(&r, 0, 0)->image.bits;
        assert_int_equal(bits->width, 4);
        assert_int_equal(bits->words[0] >> 60, planes == 1 ? 0xA : 0x9);
        if (planes == 1)
            assert_int_equal(bits->words[bits->stride] >> 60, 0x6);
        run_end(&r);
    }
}

// It was a list of unknown commands.
static void label_code_in_utf16_is_named(void **state)
{
    (void)state;
    static const char CODES[][16] = {"\xFF\xFE^\0X\0A\0^\0X\0Z", "^\0X\0A\0^\0X\0Z\0", "\0^\0X\0A\0^\0X\0Z"};
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++) {
        struct run r;
        run_init(&r);
        run_zpl(&r, CODES[i], 14);
        assert_true(r.diags.count > 0);
        const struct pl_diag *last = &r.diags.items[r.diags.count - 1];
        assert_int_equal(last->id, PL_DIAG_NOTHING_PRINTABLE);
        assert_non_null(strstr(last->message, "UTF-16"));
        run_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(label_code_in_utf16_is_named),
        cmocka_unit_test(a_place_behind_the_data_moves_the_field),
        cmocka_unit_test(a_graphic_behind_the_data_drops_the_text),
        cmocka_unit_test(data_behind_a_serial_number_takes_its_place),
        cmocka_unit_test(embedding_takes_the_last_data_of_a_number),
        cmocka_unit_test(embedding_follows_serial_numbers_and_the_clock),
        cmocka_unit_test(constant_fields_are_made_once_for_all_serial_numbers),
        cmocka_unit_test(block_escapes_count_under_every_character_set),
        cmocka_unit_test(a_block_without_width_draws_nothing),
        cmocka_unit_test(a_font_letter_that_is_not_there_is_the_font_of_cf),
        cmocka_unit_test(label_top_moves_a_saved_picture_once),
        cmocka_unit_test(label_top_moves_the_places_of_fm),
        cmocka_unit_test(two_letters_leave_out_one_place_of_fm),
        cmocka_unit_test(no_rows_of_codablock_are_as_many_as_the_data_needs),
        cmocka_unit_test(encoding_tables_of_the_printer_choose_the_character_set),
        cmocka_unit_test(advanced_text_can_be_switched_off),
        cmocka_unit_test(delayed_cut_is_a_command),
        cmocka_unit_test(a_parameter_of_odd_blanks_is_not_given),
        cmocka_unit_test(a_stored_png_is_decoded_once),
        cmocka_unit_test(pictures_of_pcx_by_their_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
