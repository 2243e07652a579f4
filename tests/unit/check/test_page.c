// Checks of a page through the library: what is found, what is read back, and what the description says about places.
#include <stdio.h>
#include <string.h>

#include <platen/platen.h>

#include "check/read_zxing.h"
#include "os/clock.h"
#include "unit.h"

struct fixture {
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_document *document;
    const struct platen_page *page;
};

static int begin(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){0};
    *state = &fixture;
    return platen_engine_new(NULL, &fixture.engine, NULL) != PLATEN_OK ||
           platen_worker_new(fixture.engine, &fixture.worker, NULL) != PLATEN_OK;
}

static int end(void **state)
{
    struct fixture *f = *state;
    platen_document_free(f->document);
    platen_worker_free(f->worker);
    platen_engine_free(f->engine);
    return 0;
}

static void draw_with(struct fixture *f, const char *zpl, struct platen_options options)
{
    struct platen_error err = {0};
    options.want_elements = true;
    platen_document_free(f->document);
    f->document = NULL;
    if (platen_parse(f->worker, zpl, strlen(zpl), &options, &f->document, &err) != PLATEN_OK ||
        platen_draw(f->worker, f->document, 0, &f->page, &err) != PLATEN_OK)
        fail_msg("%s: %s", zpl, err.message);
}

static void draw(struct fixture *f, const char *zpl)
{
    draw_with(f, zpl, (struct platen_options)PLATEN_OPTIONS(.verify = true));
}

static bool found(const struct fixture *f, const char *code, struct platen_diagnostic *out)
{
    for (uint32_t i = 0; platen_page_diagnostic_at(f->page, i, out); i++)
        if (strcmp(out->code, code) == 0)
            return true;
    return false;
}

static struct platen_element element(const struct fixture *f, uint32_t index)
{
    struct platen_element e;
    assert_true(platen_page_element_at(f->page, index, &e));
    return e;
}

// The smallest box with ink on the page.
static void ink_of_page(const struct fixture *f, int32_t out[4])
{
    struct platen_bitmap b;
    platen_page_bitmap(f->page, &b);
    out[0] = out[1] = INT32_MAX;
    out[2] = out[3] = 0;
    for (int32_t y = 0; y < (int32_t)b.height; y++)
        for (int32_t x = 0; x < (int32_t)b.width; x++)
            if (b.words[(uint32_t)y * b.words_per_row + (uint32_t)x / 64] >> (63 - x % 64) & 1) {
                out[0] = x < out[0] ? x : out[0];
                out[1] = y < out[1] ? y : out[1];
                out[2] = x + 1 > out[2] ? x + 1 : out[2];
                out[3] = y + 1 > out[3] ? y + 1 : out[3];
            }
}

static void assert_box_is_ink(struct fixture *f, const char *zpl, double dpmm)
{
    int32_t ink[4];
    draw_with(f, zpl, (struct platen_options)PLATEN_OPTIONS(.dpmm = dpmm));
    struct platen_element e = element(f, 0);
    ink_of_page(f, ink);
    if (e.x != ink[0] || e.y != ink[1] || e.x + (int32_t)e.width != ink[2] || e.y + (int32_t)e.height != ink[3])
        fail_msg("%s: the box is %d,%d %ux%u, the ink %d,%d to %d,%d", zpl, e.x, e.y, e.width, e.height, ink[0], ink[1],
                 ink[2], ink[3]);
}

static void test_boxes_of_diagonals_were_wider_than_their_ink(void **state)
{
    assert_box_is_ink(*state, "^XA^FO50,60^GD200,100,1,B,L^FS^XZ", 8);
    assert_box_is_ink(*state, "^XA^FO50,60^GD200,100,9,B,R^FS^XZ", 8);
    assert_box_is_ink(*state, "^XA^FO50,60^GD7,100,3,B,R^FS^XZ", 8);
    assert_box_is_ink(*state, "^XA^FO50,60^GD100,100,1,B,R^FS^XZ", 8);
}

static void test_boxes_of_flat_ellipses_were_larger_than_their_ink(void **state)
{
    assert_box_is_ink(*state, "^XA^FO50,60^GE300,4,1^FS^XZ", 8);
    assert_box_is_ink(*state, "^XA^FO50,60^GE4,300,1^FS^XZ", 8);
    assert_box_is_ink(*state, "^XA^FO50,60^GE300,100,5^FS^XZ", 8);
    assert_box_is_ink(*state, "^XA^FO50,60^GE700,3,2^FS^XZ", 8);
}

static void test_boxes_of_cut_text_blocks_were_the_block(void **state)
{
    assert_box_is_ink(*state, "^XA^FO50,60^A0N,40^TBN,200,50^FDLabels iii iii iii iii iii iii iii^FS^XZ", 8);
    assert_box_is_ink(*state, "^XA^FO50,60^A0N,80^TBN,90,200^FDWWWWWWWW^FS^XZ", 8);
}

static void test_box_of_maxicode_at_24_dots_was_larger_than_its_ink(void **state)
{
    assert_box_is_ink(*state, "^XA^FO50,60^BD4^FDMAXICODE 1234^FS^XZ", 24);
    assert_box_is_ink(*state, "^XA^FO50,60^BD4^FDMAXICODE 1234^FS^XZ", 8);
}

static void test_text_block_that_cuts_sideways_was_not_clipped(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO50,60^A0N,80^TBN,90,200^FDWWWWWWWW^FS^XZ");
    assert_true(element(f, 0).clipped);
    assert_true(found(f, "text_clipped", &d));
    assert_int_equal(d.element, 0);
    draw(f, "^XA^FO300,60^A0R,80^TBR,90,200^FDWWWWWWWW^FS^XZ");
    assert_true(element(f, 0).clipped);
    draw(f, "^XA^FO50,60^A0N,40^TBN,400,200^FDwhat fits is not clipped^FS^XZ");
    assert_false(element(f, 0).clipped);
}

static void test_overlap_with_a_rounded_frame_was_missed(void **state)
{
    struct fixture *f = *state;
    draw(f, "^XA^FO100,100^GB400,400,10,B,8^FS^FO115,115^GB20,20,20^FS^XZ");
    assert_int_equal(element(f, 0).overlap_count, 1);
    draw(f, "^XA^FO100,100^GB400,400,10,B,8^FS^FO290,290^GB20,20,20^FS^XZ");
    assert_int_equal(element(f, 0).overlap_count, 0);
    draw(f, "^XA^FO100,100^GB400,400,10,B,0^FS^FO115,115^GB20,20,20^FS^XZ");
    assert_int_equal(element(f, 0).overlap_count, 0);
}

static void test_overlaps_were_cut_at_16_without_a_word(void **state)
{
    struct fixture *f = *state;
    char zpl[2048] = "^XA^FO10,10^GB700,700,700^FS";
    for (int i = 0; i < 20; i++)
        strcat(zpl, "^FO100,100^GB9,9,9^FS");
    draw(f, strcat(zpl, "^XZ"));
    assert_int_equal(element(f, 0).overlap_count, 16);
    assert_int_equal(element(f, 0).overlaps_left_out, 4);
}

#define SERIES "^XA^FM50,50,50,700^BY2^B7N,4,5,8,20,N^FD%s^FS%s^XZ"

static void test_symbols_of_a_series_shared_one_quiet_zone(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    char data[300];
    memset(data, 'x', sizeof data - 1);
    data[sizeof data - 1] = 0;
    char zpl[1200];
    snprintf(zpl, sizeof zpl, SERIES, data, "");
    draw(f, zpl);
    struct platen_element e = element(f, 0);
    assert_false(found(f, "quiet_zone_blocked", &d));
    // Beside the second symbol, but inside the box around both.
    char ink[80];
    snprintf(ink, sizeof ink, "^FO60,%d^GB40,1,1^FS", 698);
    snprintf(zpl, sizeof zpl, SERIES, data, ink);
    draw(f, zpl);
    assert_true(e.height > 600);
    assert_true(found(f, "quiet_zone_blocked", &d));
    assert_int_equal(d.element, 0);
}

static void test_own_caption_of_postal_codes_blocked_their_quiet_zone(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO100,100^BZN,40,Y,N^FD12345^FS^FO100,400^B5N,40,Y,N^FD12345678901^FS^XZ");
    assert_true(element(f, 0).quiet_zone_ok);
    assert_true(element(f, 1).quiet_zone_ok);
    draw(f, "^XA^FO100,100^BZN,40,Y,N^FD12345^FS^FO100,143^GB4,4,4^FS^XZ");
    assert_true(found(f, "quiet_zone_blocked", &d));
}

static void test_edge_alone_does_not_block_a_quiet_zone(void **state)
{
    struct fixture *f = *state;
    draw(f, "^XA^FO0,0^BY2^BCN,80,N^FD12345^FS^XZ");
    assert_true(element(f, 0).quiet_zone_ok);
}

static void test_text_across_bars_is_found_and_measured(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO100,100^BY2^BCN,80,N^FD12345^FS^FO90,100^GB4,80,4^FS^FO120,90^GB60,100,60^FS^XZ");
    if (!pl_zxing_present()) {
        assert_true(found(f, "bars_overprinted", &d));
        assert_true(found(f, "quiet_zone_blocked", &d));
    } else {
        assert_true(found(f, "symbol_unreadable", &d));
        assert_int_equal(d.severity, PLATEN_ERROR);
        assert_int_equal(element(f, 0).decoded, 0);
        assert_non_null(strstr(d.message, "are printed over: "));
        assert_non_null(strstr(d.message, "left of it are missing, from the box at 90,100."));
        struct platen_diagnostic other;
        assert_false(found(f, "bars_overprinted", &other));
        assert_false(found(f, "quiet_zone_blocked", &other));
    }
    // 20 dots are asked for, 6 are free: 14 dots at 203 dpi.
    assert_float_equal(d.missing_mm, 14 * 25.4 / 203, 0.001);
}

// One box over the bars and in their quiet zone was two findings.
static void test_one_field_over_bars_and_quiet_zone_is_one_finding(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO300,300^BQN,2,6^FDMA,HTTPS://EXAMPLE.COM/12345^FS^FO343,305^GB6,160,8^FS^XZ");
    assert_true(found(f, "bars_overprinted", &d));
    assert_non_null(strstr(d.message, "The same field takes 3.003 mm of the 3.003 mm of quiet zone above"));
    assert_int_equal(d.severity, PLATEN_WARNING);
    assert_false(found(f, "quiet_zone_blocked", &d));
}

// Of ITF zxing wants the whole quiet zone: a line that took a third of it made the symbol unreadable.
static void test_narrow_quiet_zone_is_a_warning(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    if (!pl_zxing_present())
        skip();
    draw(f, "^XA^FO200,200^BY3,3^B2N,120,N,N,N^FD38738447654335^FS^FO171,200^GB8,120,8,B^FS^XZ");
    assert_true(found(f, "quiet_zone_blocked", &d));
    assert_int_equal(d.severity, PLATEN_WARNING);
    assert_false(found(f, "symbol_unreadable", &d));
    assert_int_equal(element(f, 0).matches, 1);
    draw(f, "^XA^FO200,200^BY3,3^B2N,120,N,N,N^FD38738447654335^FS^FO188,200^GB8,120,8,B^FS^XZ");
    assert_true(found(f, "symbol_unreadable", &d));
}

// QR Code, Data Matrix and Aztec may be white on black; they were called printed over, without a quiet zone,
// unreadable.
static void test_matrix_symbol_white_on_black_is_read(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    static const char *const symbols[] = {"^BQN,2,6^FDMA,HELLO WORLD", "^BXN,6,200^FDHELLO WORLD",
                                          "^BON,6^FDHELLO WORLD"};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        char zpl[200];
        snprintf(zpl, sizeof zpl, "^XA^FO0,0^GB800,600,600^FS^FO200,200^FR%s^FS^XZ", symbols[i]);
        draw(f, zpl);
        assert_false(found(f, "bars_overprinted", &d));
        assert_false(found(f, "quiet_zone_blocked", &d));
        assert_true(element(f, 1).quiet_zone_ok);
        if (!pl_zxing_present())
            continue;
        assert_int_equal(element(f, 1).decoded, 1);
        assert_int_equal(element(f, 1).matches, 1);
    }
    // The box ends at the modules.
    draw(f, "^XA^FO200,200^GB126,126,126^FS^FO200,200^FR^BQN,2,6^FDMA,HELLO WORLD^FS^XZ");
    assert_true(found(f, "quiet_zone_blocked", &d));
}

static void test_linear_symbol_white_on_black_is_an_error(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    if (!pl_zxing_present())
        skip();
    draw(f, "^XA^FO0,0^GB800,600,600^FS^FO200,200^FR^BCN,100,N^FD12345678^FS^XZ");
    assert_true(found(f, "symbol_unreadable", &d));
    assert_non_null(strstr(d.message, "white on black"));
    assert_int_equal(element(f, 1).decoded, 0);
}

// Text across a QR Code covers half of some modules; a camera reads it.
static void test_qr_code_with_thin_text_across_is_read(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO100,100^BQN,2,4^FDQA,70232100001234567898M5B2H4SARAH^FS^FO100,144^A0N,22,22^FDCorporation / "
            "Societe^FS^XZ");
    assert_true(found(f, "bars_overprinted", &d));
    if (pl_zxing_present())
        assert_int_equal(element(f, 0).decoded, 1);
}

static void test_white_box_behind_bars_is_no_overprint(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO80,80^GB400,150,75,W^FS^FO100,100^BY2^BCN,80,N^FD12345^FS^XZ");
    assert_false(found(f, "bars_overprinted", &d));
}

static void test_symbol_is_read_in_every_rotation_quality_and_page(void **state)
{
    struct fixture *f = *state;
    static const char *const rotations[] = {"N", "R", "I", "B"};
    if (!pl_zxing_present())
        skip();
    for (uint32_t i = 0; i < 16; i++) {
        char zpl[160];
        snprintf(zpl, sizeof zpl, "^XA%s^FO300,300^BY3^BC%s,100,Y,N^FDAB-123^FS^XZ", i % 2 ? "^POI" : "",
                 rotations[i / 4]);
        draw_with(f, zpl,
                  (struct platen_options)PLATEN_OPTIONS(.verify = true, .rotation = i % 4 * 90,
                                                        .quality = i % 3 ? PLATEN_BITONAL : PLATEN_GRAYSCALE));
        struct platen_element e = element(f, 0);
        if (e.decoded != 1 || e.matches != 1 || e.decoded_size != 6)
            fail_msg("%s, turned by %u: %d %d", zpl, i % 4 * 90, e.decoded, e.matches);
        assert_non_null(e.margin);
    }
}

static void test_another_symbol_on_top_differs(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    if (!pl_zxing_present())
        skip();
    draw(f, "^XA^FO100,100^BY2^BCN,80,N^FD12345^FS^FO80,90^GB400,100,50,W^FS^FO100,100^BY2^BCN,80,N^FD54321^FS^XZ");
    assert_int_equal(element(f, 0).decoded, 1);
    assert_int_equal(element(f, 0).matches, 0);
    assert_int_equal(element(f, 2).matches, 1);
    assert_true(found(f, "symbol_data_differs", &d));
    assert_int_equal(d.element, 0);
}

static void test_symbols_without_reader_say_why(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO100,100^BQN,1,6^FDMA,ABC^FS^XZ");
    assert_int_equal(element(f, 0).decoded, -1);
    assert_non_null(element(f, 0).no_reader_reason);
    assert_true(found(f, "symbol_not_read", &d));
    assert_int_equal(d.severity, PLATEN_INFO);
}

// Labels in mirror image were not read, so that a destroyed symbol on them was no finding.
static void test_mirrored_label_is_read(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    if (!pl_zxing_present())
        skip();
    for (const char *turn = "NRIB"; *turn; turn++) {
        char text[200];
        snprintf(text, sizeof text, "^XA^PMY^FO200,200^BY3^BC%c,80,N^FD12345678^FS^FO500,500^BX%c,6,200^FDABC^FS^XZ",
                 *turn, *turn);
        draw(f, text);
        assert_int_equal(element(f, 0).decoded, 1);
        assert_int_equal(element(f, 0).matches, 1);
        assert_int_equal(element(f, 1).matches, 1);
    }
    draw(f, "^XA^PMY^FO200,200^BY3^BCN,80,N^FD12345678^FS^FO250,190^GB200,100,100^FS^XZ");
    assert_true(found(f, "symbol_unreadable", &d));
}

// One scan line in nine was enough: most of the height may be black.
static void test_few_scan_lines_are_an_error(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    if (!pl_zxing_present())
        skip();
    draw(f, "^XA^FO200,200^BY3^BCN,120,N^FD12345678^FS^FO190,200^GB400,85,85^FS^XZ");
    assert_int_equal(element(f, 0).decoded, 1);
    assert_int_equal(element(f, 0).lines_tried, 9);
    assert_in_range(element(f, 0).lines_read, 1, 4);
    assert_true(found(f, "bars_overprinted", &d));
    assert_int_equal(d.severity, PLATEN_ERROR);
    draw(f, "^XA^FO200,200^BY3^BCN,120,N^FD12345678^FS^FO190,200^GB400,30,30^FS^XZ");
    assert_true(found(f, "bars_overprinted", &d));
    assert_int_equal(d.severity, PLATEN_WARNING);
}

// The reader of 2D symbols knows where the modules are; a scanner does not.
static void test_damaged_matrix_is_read_as_a_scanner_sees_it(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    if (!pl_zxing_present())
        skip();
    draw(f, "^XA^FO300,300^BXN,6,200^FDDATAMATRIX 12345^FS^FO324,324^A0N,64,48^FDVOID^FS^XZ");
    assert_true(found(f, "bars_overprinted", &d));
    assert_true(d.severity == PLATEN_ERROR || found(f, "symbol_unreadable", &d));
}

// One dot less of ink moved a corner out of the picture, zxing threw, and the whole label failed for want of memory.
static void test_exception_in_the_reader_failed_the_label(void **state)
{
    struct fixture *f = *state;
    draw(f, "^XA^FO60,60^BXI,2,200^FDrLSCMdzymDhJqth8^FS^XZ");
    if (pl_zxing_present())
        assert_int_equal(element(f, 0).decoded, 1);
}

// zxing takes it for an accident; its start and stop were counted as data.
static void test_codabar_of_one_character_was_called_unreadable(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO100,100^BY2^BKN,N,100,N,Y,B,D^FD1^FS^XZ");
    assert_false(found(f, "symbol_unreadable", &d));
    assert_int_equal(element(f, 0).decoded, -1);
    assert_non_null(element(f, 0).no_reader_reason);
    draw(f, "^XA^FO100,100^BY2^BKN,N,100,N,N,B,D^FD12^FS^XZ");
    if (pl_zxing_present())
        assert_int_equal(element(f, 0).decoded, 1);
}

// Of a composite only the linear part is read: that was called decoded, whatever the second part held.
static void test_composite_is_not_decoded_by_its_linear_part_alone(void **state)
{
    struct fixture *f = *state;
    draw(f, "^XA^FO100,100^BRN,5,2,1^FD0950110153000|10ABC^FS^XZ");
    struct platen_element e = element(f, 0);
    assert_int_equal(e.decoded, -1);
    assert_int_equal(e.matches, -1);
    assert_non_null(e.no_reader_reason);
    assert_int_equal(e.decoded_size, 16);
    assert_memory_equal(e.decoded_data, "0109501101530003", 16);
    draw(f, "^XA^FO100,100^BRN,5,2,1^FD0950110153000^FS^XZ");
    assert_int_equal(element(f, 0).decoded, 1);
    assert_int_equal(element(f, 0).matches, 1);
}

static void test_offset_of_a_wrong_character_is_that_of_the_input(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    const char *zpl = "^XA\n^FO50,50^BCN,80,N,N,N,D^FD(414)9501101530004(17)261315^FS^XZ";
    draw(f, zpl);
    assert_true(found(f, "gs1_check_digit", &d));
    assert_int_equal(d.offset, strstr(zpl, "4(17)") - zpl);
    assert_true(found(f, "gs1_value", &d));
    assert_in_range(d.offset, strstr(zpl, "261315") - zpl, strstr(zpl, "261315") - zpl + 5);
    assert_int_equal(d.line, 2);
}

static void test_rules_by_name(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    struct platen_document *document;
    struct platen_error err;
    const char *zpl = "^XA^FO50,50^BY2^BEN,80^FD590123412345^FS^XZ";
    draw(f, zpl);
    assert_false(found(f, "module_below_minimum", &d));
    draw_with(f, zpl, (struct platen_options)PLATEN_OPTIONS(.rules = "gs1-retail"));
    assert_false(found(f, "module_below_minimum", &d)); // 0.25 mm, printed on demand
    assert_true(found(f, "bars_too_low", &d));
    assert_true(d.missing_mm > 8 && d.missing_mm < 9);
    draw_with(f, zpl, (struct platen_options)PLATEN_OPTIONS(.rules = "none", .min_module_mm = 0.3));
    assert_true(found(f, "module_below_minimum", &d));
    assert_int_equal(platen_page_diagnostic_count(f->page), 1);
    platen_document_free(f->document);
    f->document = NULL;
    const struct platen_options bad = PLATEN_OPTIONS(.rules = "nobody");
    assert_int_equal(platen_parse(f->worker, zpl, strlen(zpl), &bad, &document, &err), PLATEN_E_INVALID);
}

static void test_symbology_that_is_not_allowed_was_told_twice(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    uint32_t count = 0;
    draw_with(f, "^XA^FO50,50^BY4^BCN,300,N^FD12345678^FS^XZ",
              (struct platen_options)PLATEN_OPTIONS(.rules = "gs1-logistics"));
    for (uint32_t i = 0; platen_page_diagnostic_at(f->page, i, &d); i++)
        count += strcmp(d.code, "symbology_not_allowed") == 0;
    assert_int_equal(count, 1);
    assert_true(found(f, "symbology_not_allowed", &d));
    assert_non_null(strstr(d.message, "FNC1"));
}

// The middle of the EAN is at 26 + 285 / 2 dots: 50 mm, 400 dots, from it ends the quiet zone of a QR Code of 116 dots.
static void test_2d_symbol_far_from_its_ean(void **state)
{
    static const struct {
        const char *rest; // of a label that begins with an EAN at 60,100
        const char *rules;
        bool apart;
    } labels[] = {
        {"^FO420,100^BQN,2,4^FDMA,https://id.example.com/01/05901234123457^FS", "gs1-retail", false},
        {"^FO600,100^BQN,2,4^FDMA,https://id.example.com/01/05901234123457^FS", "gs1-retail", true},
        {"^FO600,100^BQN,2,4^FDMA,https://id.example.com/01/05901234123457^FS", "default", false},
        {"^FO200,560^BXN,5,200,,,,_^FD_10105901234123457^FS", "gs1-retail", true},
        {"^FO200,400^BXN,5,200,,,,_^FD_10105901234123457^FS", "gs1-retail", false},
        // another one for consumers, and the copy of the whole item
        {"^FO600,100^BQN,2,4^FDMA,https://id.example.com/01/05901234123457^FS"
         "^FO200,320^BXN,5,200,,,,_^FD_10105901234123457^FS",
         "gs1-retail", false},
        {"^FO60,600^BY3^BEN,160,Y,N^FD5901234123457^FS"
         "^FO420,600^BQN,2,4^FDMA,https://id.example.com/01/05901234123457^FS",
         "gs1-retail", false},
        // an address, and another item
        {"^FO600,100^BQN,2,4^FDMA,https://example.com/5901234123457^FS", "gs1-retail", false},
        {"^FO600,100^BQN,2,4^FDMA,https://id.example.com/01/09501101530003^FS", "gs1-retail", false},
    };
    struct fixture *f = *state;
    struct platen_diagnostic d;
    char zpl[500];
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        snprintf(zpl, sizeof zpl, "^XA^FO60,100^BY3^BEN,160,Y,N^FD5901234123457^FS%s^XZ", labels[i].rest);
        draw_with(f, zpl, (struct platen_options)PLATEN_OPTIONS(.rules = labels[i].rules));
        if (found(f, "symbols_apart", &d) != labels[i].apart)
            fail_msg("%s, %s", labels[i].rules, zpl);
        if (labels[i].apart)
            assert_int_equal(d.severity, PLATEN_WARNING);
    }
}

static void test_ean_of_an_eighth_of_a_millimetre_passed(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO50,50^BY1^BEN,80^FD590123412345^FS^XZ");
    assert_true(found(f, "module_below_minimum", &d));
    assert_true(d.missing_mm > 0.12 && d.missing_mm < 0.13);
}

// The figures of GS1 and the postal service, which all rule sets share: left and right, in modules.
static void test_quiet_zones_are_those_of_the_guides(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *field;
        int32_t left, right;
    } symbols[] = {
        {"^BEN,80,N^FD590123412345", 11, 7}, {"^B8N,80,N^FD1234567", 7, 7},    {"^BUN,80,N^FD03600029145", 9, 9},
        {"^B9N,80,N^FD0123456", 9, 7},       {"^BCN,80,N^FD12345678", 10, 10}, {"^B2N,80,N^FD12345678901231", 10, 10},
        {"^BQN,2,2^FDQA,1234", 4, 4},        {"^BXN,2,200^FD12345678", 1, 1},  {"^BZN,80,N^FD12345", 13, 13}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        char zpl[200];
        snprintf(zpl, sizeof zpl, "^XA^BY2^FO200,200%s^FS^XZ", symbols[i].field);
        draw(f, zpl);
        struct platen_element e = element(f, 0);
        assert_int_equal(e.x - e.quiet_x, 2 * symbols[i].left);
        assert_int_equal(e.quiet_x + e.quiet_width - e.x - e.width, 2 * symbols[i].right);
    }
}

static void test_qr_code_that_is_meant_as_gs1_has_no_fnc1(void **state)
{
    struct fixture *f = *state;
    struct platen_diagnostic d;
    draw(f, "^XA^FO50,50^BQN,2,4^FDQA,>80109521101841534>810ABC^FS^XZ");
    assert_true(found(f, "gs1_syntax", &d));
    assert_non_null(strstr(d.message, "FNC1"));
    assert_false(found(f, "gs1_check_digit", &d));
    draw(f, "^XA^FO50,50^BQN,2,4^FDQA,0109521101841535>810ABC^FS^XZ");
    assert_true(found(f, "gs1_syntax", &d));
    assert_true(found(f, "gs1_check_digit", &d));
    draw(f, "^XA^FO50,50^BQN,2,4^FDQA,12345678^FS^XZ");
    assert_false(found(f, "gs1_syntax", &d));
}

static void test_pdf417_with_more_ink_ended_the_process(void **state)
{
    struct fixture *f = *state;
    for (int columns = 3; columns <= 12; columns++) {
        char zpl[400];
        snprintf(
            zpl, sizeof zpl,
            "^XA^FO50,50^BY2^B7N,4,5,%d^FDUNH+2876965+IFTMIN:D:96B:UN+5.6.0'BGM+787+999994760001+9'DTM+186:20240312:"
            "102'TSR+++10'TOD+Z02++CPT'NAD+OS+0464651'NAD+CN+++SOME PERSONE+STREET 17 E+PLACE++0+DE'^FS^XZ",
            columns);
        draw(f, zpl);
        if (pl_zxing_present())
            assert_int_equal(element(f, 0).matches, 1);
    }
}

// Verification ends before the label's time does: what was not read says so, and the page is there.
static void test_symbols_that_there_is_no_time_for_say_so(void **state)
{
    struct fixture *f = *state;
    static char zpl[64 * 1024] = "^XA";
    if (!pl_zxing_present())
        skip();
    for (int i = 0; i < 600; i++)
        snprintf(zpl + strlen(zpl), 64, "^FO%d,%d^BQN,2,1^FDQA,%d^FS", 10 + i % 25 * 30, 10 + i / 25 * 45, i);
    strcat(zpl, "^XZ");
    bool seen = false;
    for (uint64_t ms = 1; ms < 20000 && !seen; ms += ms / 2 + 1) {
        struct platen_options options = PLATEN_OPTIONS(.verify = true, .want_elements = true);
        platen_document_free(f->document);
        assert_int_equal(platen_parse(f->worker, zpl, strlen(zpl), &options, &f->document, NULL), PLATEN_OK);
        platen_document_set_deadline(f->document, pl_now_ns() + ms * 1000000);
        if (platen_draw(f->worker, f->document, 0, &f->page, NULL) != PLATEN_OK)
            continue;
        struct platen_element e = element(f, 599);
        seen = e.no_reader_reason && strcmp(e.no_reader_reason, "time") == 0;
        assert_int_equal(e.decoded, seen ? -1 : 1);
    }
    assert_true(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_boxes_of_diagonals_were_wider_than_their_ink, begin, end),
        cmocka_unit_test_setup_teardown(test_boxes_of_flat_ellipses_were_larger_than_their_ink, begin, end),
        cmocka_unit_test_setup_teardown(test_boxes_of_cut_text_blocks_were_the_block, begin, end),
        cmocka_unit_test_setup_teardown(test_box_of_maxicode_at_24_dots_was_larger_than_its_ink, begin, end),
        cmocka_unit_test_setup_teardown(test_text_block_that_cuts_sideways_was_not_clipped, begin, end),
        cmocka_unit_test_setup_teardown(test_overlap_with_a_rounded_frame_was_missed, begin, end),
        cmocka_unit_test_setup_teardown(test_overlaps_were_cut_at_16_without_a_word, begin, end),
        cmocka_unit_test_setup_teardown(test_symbols_of_a_series_shared_one_quiet_zone, begin, end),
        cmocka_unit_test_setup_teardown(test_own_caption_of_postal_codes_blocked_their_quiet_zone, begin, end),
        cmocka_unit_test_setup_teardown(test_edge_alone_does_not_block_a_quiet_zone, begin, end),
        cmocka_unit_test_setup_teardown(test_text_across_bars_is_found_and_measured, begin, end),
        cmocka_unit_test_setup_teardown(test_one_field_over_bars_and_quiet_zone_is_one_finding, begin, end),
        cmocka_unit_test_setup_teardown(test_narrow_quiet_zone_is_a_warning, begin, end),
        cmocka_unit_test_setup_teardown(test_matrix_symbol_white_on_black_is_read, begin, end),
        cmocka_unit_test_setup_teardown(test_linear_symbol_white_on_black_is_an_error, begin, end),
        cmocka_unit_test_setup_teardown(test_qr_code_with_thin_text_across_is_read, begin, end),
        cmocka_unit_test_setup_teardown(test_white_box_behind_bars_is_no_overprint, begin, end),
        cmocka_unit_test_setup_teardown(test_symbol_is_read_in_every_rotation_quality_and_page, begin, end),
        cmocka_unit_test_setup_teardown(test_another_symbol_on_top_differs, begin, end),
        cmocka_unit_test_setup_teardown(test_symbols_without_reader_say_why, begin, end),
        cmocka_unit_test_setup_teardown(test_mirrored_label_is_read, begin, end),
        cmocka_unit_test_setup_teardown(test_few_scan_lines_are_an_error, begin, end),
        cmocka_unit_test_setup_teardown(test_damaged_matrix_is_read_as_a_scanner_sees_it, begin, end),
        cmocka_unit_test_setup_teardown(test_exception_in_the_reader_failed_the_label, begin, end),
        cmocka_unit_test_setup_teardown(test_codabar_of_one_character_was_called_unreadable, begin, end),
        cmocka_unit_test_setup_teardown(test_composite_is_not_decoded_by_its_linear_part_alone, begin, end),
        cmocka_unit_test_setup_teardown(test_offset_of_a_wrong_character_is_that_of_the_input, begin, end),
        cmocka_unit_test_setup_teardown(test_rules_by_name, begin, end),
        cmocka_unit_test_setup_teardown(test_symbols_that_there_is_no_time_for_say_so, begin, end),
        cmocka_unit_test_setup_teardown(test_symbology_that_is_not_allowed_was_told_twice, begin, end),
        cmocka_unit_test_setup_teardown(test_2d_symbol_far_from_its_ean, begin, end),
        cmocka_unit_test_setup_teardown(test_ean_of_an_eighth_of_a_millimetre_passed, begin, end),
        cmocka_unit_test_setup_teardown(test_quiet_zones_are_those_of_the_guides, begin, end),
        cmocka_unit_test_setup_teardown(test_qr_code_that_is_meant_as_gs1_has_no_fnc1, begin, end),
        cmocka_unit_test_setup_teardown(test_pdf417_with_more_ink_ended_the_process, begin, end),
    };
    return cmocka_run_group_tests_name("check_page", tests, NULL, NULL);
}
