// EPL2: rules that a dump of the scene does not show well: raw bytes and their counts, places in the input, memory.
#include "epl_fixture.h"
#include "lang/epl/cmd_table.h"
#include "lang/epl/lex.h"

static const struct pl_diag *find(const struct run *r, enum pl_diag_id id)
{
    for (uint32_t i = 0; i < r->diags.count; i++)
        if (r->diags.items[i].id == id)
            return &r->diags.items[i];
    fail_msg("there is no %s", pl_diag_info(id)->code);
    return NULL;
}

// The bits of an image as rows of bytes in hexadecimal.
static const char *bits_of(const struct pl_element *e, char out[256])
{
    assert_int_equal(e->kind, PL_ELEMENT_IMAGE);
    const struct pl_bitmap *b = e->image.bits;
    size_t n = 0;
    for (uint32_t y = 0; y < b->height; y++)
        for (uint32_t x = 0; x < b->width; x += 8)
            n += (size_t)snprintf(out + n, 256 - n, "%02X",
                                  (unsigned)(pl_bitmap_row(b, y)[x / 64] >> (56 - x % 64) & 0xFF));
    return out;
}

static void a_bitmap_is_read_by_count(void **state)
{
    (void)state;
    struct run r;
    char hex[256];
    // Bytes may look like lines and commands; 0 is black.
    static const char INPUT[] = "N\nGW10,20,2,3,\n\nN\nP1\nA1,1,0,1,1,1,N,\"x\"\nP1\n";
    run_init(&r);
    run_epl_bytes(&r, INPUT, sizeof INPUT - 1);
    assert_int_equal(r.code, PL_OK);
    const struct pl_element *e = run_element(&r, 0, 0);
    assert_int_equal(e->at.x, 10);
    assert_int_equal(e->at.y, 20);
    assert_int_equal(e->image.bits->width, 16);
    assert_string_equal(bits_of(e, hex), "F5F5B1F5AFCE");
    assert_int_equal(r.scene.label_count, 1);
    run_end(&r);
    // The byte behind the numbers may be a line feed.
    run_epl(&r, "N\nGW0,0,1,2\nabP1\n");
    assert_string_equal(bits_of(run_element(&r, 0, 0), hex), "9E9D");
    assert_int_equal(r.diags.count, 0);
    run_end(&r);
}

// Font 8 has simplified Chinese, font 9 traditional: squares of 24 dots, and 12 dots for other characters.
static void asian_fonts(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r,
            "N\nI8,A,001\nA9,9,0,8,1,1,N,\"a\xC4\xE3\"\nA9,49,0,9,2,1,N,\"\xA7\x41\"\nA9,99,0,2,1,1,N,\"\xE4\"\nP1\n");
    const struct pl_text *text = &run_element(&r, 0, 0)->text;
    assert_int_equal(text->length, 2);
    assert_int_equal(text->chars[0], 'a');
    assert_int_equal(text->chars[1], 0x4F60);
    assert_int_equal(text->font.width, 12);
    assert_int_equal(text->font.height, 24);
    assert_int_equal(run_element(&r, 0, 1)->text.chars[0], 0x4F60);
    assert_int_equal(run_element(&r, 0, 1)->text.font.width, 24);
    assert_int_equal(run_element(&r, 0, 2)->text.chars[0], 0xE4); // the page of I is as it was
    run_end(&r);
}

// The second byte of a Chinese character may be a backslash, which escapes nothing then.
static void the_second_byte_of_a_character_escapes_nothing(void **state)
{
    (void)state;
    static const uint32_t MENU[] = {0x529F, 0x80FD, 0x8868};
    struct run r;
    run_epl(&r, "N\nA50,50,0,9,1,1,N,\"\xA5\x5C\xAF\xE0\xAA\xED\"\nA50,90,0,9,1,1,N,\"\xA5\x5C\"\n"
                "A50,130,0,8,1,1,N,\"\x81\x5C\\\"a\"\nA50,170,0,1,1,1,N,\"\xA5\\\\\"\nP1\n");
    const struct pl_text *text = &run_element(&r, 0, 0)->text;
    assert_int_equal(text->length, 3);
    assert_memory_equal(text->chars, MENU, sizeof MENU);
    assert_int_equal(run_element(&r, 0, 1)->text.length, 1);
    assert_int_equal(run_element(&r, 0, 2)->text.length, 3);
    assert_int_equal(run_element(&r, 0, 2)->text.chars[1], '"');
    assert_int_equal(run_element(&r, 0, 3)->text.length, 2); // other fonts have single bytes
    assert_int_equal(r.diags.count, 0);
    run_end(&r);
}

// The line end of the first line counts: a bitmap may hold the other one.
static void lines_end_as_the_first_one_does(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {"N\rA10,10,0,4,1,1,N,\"HELLO\"\rGW50,50,1,2,\n\xff\rP1\r",
                                         "\rN\rA10,10,0,4,1,1,N,\"HELLO\"\rGW50,50,1,2,\n\xff\rP1\r",
                                         "\r\nN\r\nA10,10,0,4,1,1,N,\"HELLO\"\r\nGW50,50,1,2,\r\xff\r\nP1\r\n",
                                         "\r\r\nN\nA10,10,0,4,1,1,N,\"HELLO\"\nGW50,50,1,2,\r\xff\nP1\n"};
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        struct run r;
        run_epl(&r, INPUTS[i]);
        assert_int_equal(r.diags.count, 0);
        assert_int_equal(r.scene.label_count, 1);
        assert_int_equal(run_element(&r, 0, 0)->text.length, 5);
        assert_int_equal(run_element(&r, 0, 2)->kind, PL_ELEMENT_IMAGE);
        run_end(&r);
    }
}

static void what_printers_do_not_have_is_told(void **state)
{
    (void)state;
    struct run r;
    // Wide bars that are not wider; a code of modules has none.
    run_epl(&r, "N\nB10,10,0,3,3,2,50,N,\"A\"\nB10,80,0,1,3,2,50,N,\"A\"\nB10,150,0,3,3,7,50,N,\"A\"\nP1\n");
    assert_int_equal(r.diags.count, 1);
    assert_int_equal(find(&r, PL_DIAG_PARAMETER_RANGE)->parameter, 6);
    run_end(&r);
    run_epl(&r, "N\nA10,10,0,1,7,7,N,\"A\"\nA10,80,0,1,8,9,N,\"A\"\nP1\n");
    assert_int_equal(r.diags.count, 1);
    assert_int_equal(find(&r, PL_DIAG_PARAMETER_RANGE)->parameter, 5);
    run_end(&r);
    // A frame that is thicker than itself ends at its corners.
    run_epl(&r, "N\nX10,10,100,100,80\nP1\n");
    assert_int_equal(run_element(&r, 0, 0)->shape.thickness, 70);
    run_end(&r);
}

static void a_byte_order_mark_is_no_command(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "\xEF\xBB\xBF"
                "A1,2,0,1,1,1,N,\"x\"\nP1\n");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(run_element(&r, 0, 0)->source.offset, 3);
    run_end(&r);
}

static void wrong_counts_are_reported(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "N\nGW0,0,10,10,abc");
    assert_int_equal(run_count(&r, PL_DIAG_GRAPHIC_DATA), 1);
    run_end(&r);
    run_epl(&r, "N\nGW0,0,1,2,abcdefgh\nA1,1,0,1,1,1,N,\"x\"\nP1\n");
    assert_int_equal(find(&r, PL_DIAG_GRAPHIC_DATA)->source.offset, 2);
    assert_int_equal(r.scene.labels[0].element_count, 2);
    run_end(&r);
    run_epl(&r, "N\nGM\"LOGO\"500\nabc");
    assert_true(run_has(&r, PL_DIAG_GRAPHIC_DATA));
    assert_true(run_has(&r, PL_DIAG_OBJECT_INVALID));
    run_end(&r);
    run_epl(&r, "N\nES\"a\"\x05");
    assert_true(run_has(&r, PL_DIAG_GRAPHIC_DATA));
    run_end(&r);
}

static void hostile_counts_draw_nothing(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {"GW0,0,8192,65535,x",
                                         "GW0,0,99999999999,99999999999,x",
                                         "GW-9999999,0,1,1,x",
                                         "GM\"A\"99999999999999999999\nx",
                                         "P65535,65535\n",
                                         "A1,1,0,1,1,1,N,C0\nP65535,65535\n",
                                         "LO99999999999,1,1,1\nP1\n",
                                         "X-1,-1,32000,65535,65535\nP1\n"};
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        struct run r;
        run_init(&r);
        run_epl_bytes(&r, INPUTS[i], strlen(INPUTS[i]));
        assert_true(r.code == PL_OK || r.code == PL_E_LIMIT || r.code == PL_E_MEMORY);
        run_end(&r);
    }
}

// A PCX file of 16 x 2 dots, without compression of its bytes: those above C0 are counted.
static size_t make_pcx(uint8_t out[256])
{
    static const uint8_t ROWS[] = {0x0F, 0x33, 0x55, 0xC1, 0xF0};
    memset(out, 0, 256);
    out[0] = 10;
    out[1] = 5;
    out[2] = out[3] = 1;
    out[8] = 15;
    out[10] = 1;
    out[65] = 1;
    out[66] = 2;
    memcpy(out + 128, ROWS, sizeof ROWS);
    return 128 + sizeof ROWS;
}

static void a_stored_graphic_is_drawn(void **state)
{
    (void)state;
    static const char *const ENDS[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 3; i++) {
        uint8_t pcx[256], input[600];
        size_t size = make_pcx(pcx);
        int n = snprintf((char *)input, sizeof input, "GK\"Logo\"\nGM\"Logo\"%zu%s", size, ENDS[i]);
        memcpy(input + n, pcx, size);
        size_t length = (size_t)n + size;
        length += (size_t)snprintf((char *)input + length, sizeof input - length,
                                   "\nN\nGG5,6,\"Logo\"\nGG7,8,\"LOGO\"\nP1\nUG\n");
        struct run r;
        const void *end = NULL;
        run_init(&r);
        r.options.end = &end;
        run_epl_bytes(&r, input, length);
        assert_int_equal(r.code, PL_OK);
        const struct pl_element *e = run_element(&r, 0, 0);
        assert_int_equal(e->image.bits->width, 16);
        assert_int_equal(e->image.bits->height, 2);
        assert_int_equal(r.scene.labels[0].element_count, 1);
        assert_int_equal(run_count(&r, PL_DIAG_OBJECT_NOT_FOUND), 1); // names keep their case
        assert_false(run_has(&r, PL_DIAG_GRAPHIC_DATA));
        assert_true(pl_slice_eq_cstr(pl_lang_epl.memory.answers(end)->first->text, "001\r\nLogo\r\n"));
        run_end(&r);
    }
}

static void a_soft_font_is_used(void **state)
{
    (void)state;
    // Two characters of 8 x 2 dots, 9 apart.
    static const char INPUT[] = "ES\"a\"\x02\x00\x02"
                                "A\x09\x08\xFF\x81"
                                "B\x09\x08\x01\x02"
                                "N\nA10,10,0,a,2,3,N,\"AB\"\nA10,10,0,a,1,1,R,\"A\"\nP1\n";
    struct run r;
    run_init(&r);
    run_epl_bytes(&r, INPUT, sizeof INPUT - 1);
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.diags.count, 0);
    const struct pl_element *e = run_element(&r, 0, 0);
    assert_non_null(e->text.font.file);
    assert_int_equal(e->text.font.height, 6);
    assert_int_equal(e->text.font.width, 18);
    assert_int_equal(e->text.chars[1], 'B');
    assert_true(pl_slice_eq_cstr(e->text.font.file->bytes, "N,2,1,2,1,2,(c),#41.2.8.0.2.9.FF81#42.2.8.0.2.9.0102"));
    run_end(&r);
}

static void a_form_counts_its_raw_bytes(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "FS\"F\"\nGW0,0,1,3,\nFEA1,1,0,1,1,1,N,\"x\"\nFE\nN\nFR\"F\"\nP1\n");
    assert_int_equal(r.scene.labels[0].element_count, 2);
    // Places are those in the form.
    assert_int_equal(run_element(&r, 0, 1)->source.offset, 19);
    run_end(&r);
}

static void forms_that_recall_each_other_end(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "FS\"A\"\nFR\"A\"\nFE\nFR\"A\"\nP1\n");
    assert_true(run_has(&r, PL_DIAG_RECALL_DEPTH));
    run_end(&r);
}

static void copies_and_sets(void **state)
{
    (void)state;
    struct run r;
    char text[32];
    run_epl(&r, "N\nA1,1,0,1,1,1,N,\"x\"\nP3,2\n");
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].copies, 6);
    run_end(&r);
    run_epl(&r, "FS\"F\"\nC0,3,N,-2,\"n\"\nA1,1,0,1,1,1,N,C0\nFE\nFR\"F\"\n?\n012\nP3,2\n");
    assert_int_equal(r.scene.label_count, 3);
    assert_int_equal(r.scene.labels[2].copies, 2);
    assert_string_equal(run_string(run_element(&r, 2, 0), text, sizeof text), "008");
    run_end(&r);
    run_init(&r);
    r.options.limits.labels = 5;
    static const char MANY[] = "N\nA1,1,0,1,1,1,N,\"x\"\nP9\n";
    run_epl_bytes(&r, MANY, sizeof MANY - 1);
    assert_int_equal(r.scene.labels[0].copies, 5);
    assert_true(run_has(&r, PL_DIAG_COPIES_CUT));
    run_end(&r);
}

static void the_place_of_a_number_is_known(void **state)
{
    (void)state;
    static const char INPUT[] = "R5,7\r\nN\r\nA022,8,0,2,1,1,N,\"x\"\r\nP1\r\n";
    struct run r;
    run_epl(&r, INPUT);
    const struct pl_element *e = run_element(&r, 0, 0);
    assert_memory_equal(INPUT + e->source.offset, "A022,8,0,2,1,1,N,\"x\"", e->source.length);
    assert_int_equal(e->source.length, 20);
    assert_memory_equal(INPUT + e->placed_by.x_offset, "022,8", 5);
    assert_int_equal(e->placed_by.x_length, 3);
    assert_int_equal(e->placed_by.y_offset, e->placed_by.x_offset + 4);
    assert_int_equal(e->at.x, 27);
    assert_int_equal(e->at.y, 15);
    run_end(&r);
}

static void settings_stay_for_the_next_input(void **state)
{
    (void)state;
    static const char NEXT[] = "N\nA1,1,0,1,1,1,N,\"x\"\nP1\n";
    struct run first, second;
    const void *end = NULL;
    run_init(&first);
    first.options.end = &end;
    run_epl_bytes(&first, "q300\nQ200,24\nI8,A\n", 18);
    run_init(&second);
    second.options.after = end;
    run_epl_bytes(&second, NEXT, sizeof NEXT - 1);
    assert_int_equal(second.scene.labels[0].print_width, 300);
    assert_int_equal(second.scene.labels[0].length, 200);
    run_end(&second);
    run_end(&first);
}

static void data_in_two_dimensions_may_hold_lines(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "N\nb10,10,Q,\"one\ntwo\"\nb10,10,Q,\"open\nb10,10,Q,\"x\"\nP1\n");
    assert_true(pl_slice_eq_cstr(run_element(&r, 0, 0)->barcode.data, "one\ntwo"));
    assert_int_equal(r.scene.labels[0].element_count, 3);
    run_end(&r);
}

// Programs calculate places: the whole dots count.
static void fractions_are_left_out(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "N\nLO10.7,20,100.5,3\nP1\n");
    assert_int_equal(r.diags.count, 2);
    assert_int_equal(run_count(&r, PL_DIAG_PARAMETER_INVALID), 2);
    assert_int_equal(run_element(&r, 0, 0)->at.x, 10);
    assert_int_equal(run_element(&r, 0, 0)->shape.width, 100);
    run_end(&r);
    run_epl(&r, "N\nLO1.x,20,100,3\nP1\n");
    assert_int_equal(r.scene.label_count, 0);
    run_end(&r);
}

// STX and ETX around label code are no commands.
static void control_characters_around_code_are_skipped(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "\x02N\nLO10,20,100,3\nP1\n\x03");
    assert_int_equal(r.diags.count, 0);
    assert_int_equal(r.scene.label_count, 1);
    run_end(&r);
}

// The option p of PDF417 has three numbers. It is told, and two of them are no size.
static void the_text_of_pdf417_is_no_size(void **state)
{
    (void)state;
    struct run r;
    run_epl(&r, "N\nb10,10,P,p10,100,20,s3,\"abc\"\nb10,10,P,700,300,p10,100,20,s3,\"abc\"\nP1\n");
    assert_int_equal(run_count(&r, PL_DIAG_UNSUPPORTED), 2);
    assert_int_equal(r.diags.count, 2);
    assert_int_equal(run_element(&r, 0, 0)->barcode.pdf417.fit.width, 0);
    assert_int_equal(run_element(&r, 0, 0)->barcode.pdf417.security, 3);
    assert_int_equal(run_element(&r, 0, 1)->barcode.pdf417.fit.width, 700);
    run_end(&r);
}

static void every_command_is_found_by_its_name(void **state)
{
    (void)state;
    const struct pl_lang_command *c;
    uint32_t count = 0;
    for (; (c = pl_epl_command_at(count)); count++) {
        const struct epl_row *row = epl_row_lookup(pl_slice_cstr(c->title));
        assert_non_null(row);
        assert_string_equal(row->info.title, c->title);
        assert_true(c->summary[0] != '\0');
    }
    assert_true(count >= 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bitmap_is_read_by_count),
        cmocka_unit_test(a_byte_order_mark_is_no_command),
        cmocka_unit_test(asian_fonts),
        cmocka_unit_test(the_second_byte_of_a_character_escapes_nothing),
        cmocka_unit_test(lines_end_as_the_first_one_does),
        cmocka_unit_test(what_printers_do_not_have_is_told),
        cmocka_unit_test(wrong_counts_are_reported),
        cmocka_unit_test(hostile_counts_draw_nothing),
        cmocka_unit_test(a_stored_graphic_is_drawn),
        cmocka_unit_test(a_soft_font_is_used),
        cmocka_unit_test(a_form_counts_its_raw_bytes),
        cmocka_unit_test(forms_that_recall_each_other_end),
        cmocka_unit_test(copies_and_sets),
        cmocka_unit_test(the_place_of_a_number_is_known),
        cmocka_unit_test(settings_stay_for_the_next_input),
        cmocka_unit_test(data_in_two_dimensions_may_hold_lines),
        cmocka_unit_test(fractions_are_left_out),
        cmocka_unit_test(control_characters_around_code_are_skipped),
        cmocka_unit_test(the_text_of_pdf417_is_no_size),
        cmocka_unit_test(every_command_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
