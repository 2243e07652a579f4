// Comparing pages and fitting sizes, through libplaten.so as other programs have it.
#include <platen/platen.h>

#include <stdio.h>
#include <string.h>

#include "unit.h"

#include "engine_fixture.h"

static struct platen_snapshot *keep(const char *zpl, const struct platen_options *options)
{
    static const struct platen_options small =
        PLATEN_OPTIONS(.width_mm = 50, .height_mm = 30, .want_elements = true, .has_time = true);
    struct platen_document *document;
    struct platen_snapshot *snapshot;
    const struct platen_page *page;
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), options ? options : &small, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_snapshot_new(page, &snapshot, NULL), PLATEN_OK);
    platen_document_free(document);
    return snapshot;
}

// Two labels compared; `with` is called with the result.
static void compare(const char *a, const char *b, const struct platen_compare_options *options,
                    void (*with)(const struct platen_comparison *))
{
    struct platen_snapshot *first = keep(a, NULL), *second = keep(b, NULL);
    struct platen_comparison *comparison;
    assert_int_equal(platen_compare(first, second, options, &comparison, NULL), PLATEN_OK);
    with(comparison);
    platen_comparison_free(comparison);
    platen_snapshot_free(first);
    platen_snapshot_free(second);
}

static struct platen_element_change only_change(const struct platen_comparison *c)
{
    struct platen_element_change change;
    assert_int_equal(platen_comparison_change_count(c), 1);
    assert_true(platen_comparison_change_at(c, 0, &change));
    assert_false(platen_comparison_change_at(c, 1, &change));
    return change;
}

// ---- ink and areas

static void expect_same(const struct platen_comparison *c)
{
    struct platen_ink ink;
    platen_comparison_ink(c, &ink);
    assert_true(platen_comparison_is_same(c));
    assert_true(ink.a > 0 && ink.a == ink.b && ink.only_a == 0 && ink.only_b == 0 && ink.share == 0);
    assert_int_equal(platen_comparison_area_count(c), 0);
    assert_int_equal(platen_comparison_change_count(c), 0);
    assert_true(platen_comparison_has_elements(c));
}

static void a_label_is_the_same_as_itself(void **state)
{
    (void)state;
    static const char zpl[] = "^XA^FO10,10^A0N,30^FDHi^FS^FO10,60^GB90,20,3^FS^FO10,100^BCN,40^FD12^FS^XZ";
    compare(zpl, zpl, NULL, expect_same);
}

static void expect_box_ink(const struct platen_comparison *c)
{
    struct platen_ink ink;
    struct platen_area area;
    platen_comparison_ink(c, &ink);
    assert_false(platen_comparison_is_same(c));
    assert_int_equal(ink.a, 100 * 10);
    assert_int_equal(ink.b, 100 * 10 + 7 * 7);
    assert_int_equal(ink.only_a, 0);
    assert_int_equal(ink.only_b, 49);
    assert_true(ink.share > 0.0467 && ink.share < 0.0468);
    assert_int_equal(platen_comparison_area_count(c), 1);
    assert_true(platen_comparison_area_at(c, 0, &area));
    assert_int_equal(area.x, 201);
    assert_int_equal(area.y, 92);
    assert_int_equal(area.width, 7);
    assert_int_equal(area.height, 7);
    assert_int_equal(area.dots, 49);
    assert_false(platen_comparison_area_at(c, 1, &area));
}

static const char BAR[] = "^XA^FO10,10^GB100,10,10^FS^XZ";
static const char BAR_AND_DOT[] = "^XA^FO10,10^GB100,10,10^FS^FO201,92^GB7,7,7^FS^XZ";

static void ink_and_its_place_are_counted_exactly(void **state)
{
    (void)state;
    compare(BAR, BAR_AND_DOT, NULL, expect_box_ink);
}

static void is_same(const struct platen_comparison *c)
{
    assert_true(platen_comparison_is_same(c));
}

static void is_different(const struct platen_comparison *c)
{
    assert_false(platen_comparison_is_same(c));
}

static void the_tolerance_is_inclusive_in_dots_and_percent(void **state)
{
    (void)state;
    const struct platen_compare_options dots49 = PLATEN_COMPARE_OPTIONS(.tolerance_dots = 49),
                                        dots48 = PLATEN_COMPARE_OPTIONS(.tolerance_dots = 48),
                                        percent5 = PLATEN_COMPARE_OPTIONS(.tolerance_percent = 5),
                                        percent4 = PLATEN_COMPARE_OPTIONS(.tolerance_percent = 4),
                                        elements = PLATEN_COMPARE_OPTIONS(.tolerance_dots = 49, .elements = true),
                                        wrong = PLATEN_COMPARE_OPTIONS(.tolerance_percent = 101);
    compare(BAR, BAR_AND_DOT, &dots49, is_same);
    compare(BAR, BAR_AND_DOT, &dots48, is_different);
    compare(BAR, BAR_AND_DOT, &percent5, is_same);
    compare(BAR, BAR_AND_DOT, &percent4, is_different);
    compare(BAR, BAR_AND_DOT, &elements, is_different);
    struct platen_snapshot *page = keep(BAR, NULL);
    struct platen_comparison *none;
    assert_int_equal(platen_compare(page, page, &wrong, &none, NULL), PLATEN_E_INVALID);
    assert_null(none);
    platen_snapshot_free(page);
}

static void expect_one_area(const struct platen_comparison *c)
{
    assert_int_equal(platen_comparison_area_count(c), 1);
}

static void an_area_inside_of_another_is_not_reported_again(void **state)
{
    (void)state;
    // The frame's ink is far from the dot inside of it.
    compare("^XA^FO300,200^GB4,4,4^FS^XZ", "^XA^FO300,200^GB4,4,4^FS^FO10,10^GB200,150,2^FS^FO100,80^GB5,5,5^FS^XZ",
            NULL, expect_one_area);
}

static void expect_many_areas(const struct platen_comparison *c)
{
    struct platen_area area;
    assert_true(platen_comparison_area_count(c) > 64);
    assert_true(platen_comparison_area_at(c, 63, &area));
    assert_false(platen_comparison_area_at(c, 64, &area));
}

static void no_more_than_64_areas_are_kept_but_all_are_counted(void **state)
{
    (void)state;
    char zpl[8192] = "^XA";
    size_t n = 3;
    for (int i = 0; i < 84; i++)
        n += (size_t)snprintf(zpl + n, sizeof zpl - n, "^FO%d,%d^GB3,3,3^FS", i % 12 * 33, i / 12 * 33);
    snprintf(zpl + n, sizeof zpl - n, "^XZ");
    compare("^XA^FO0,0^GB3,3,3^FS^XZ", zpl, NULL, expect_many_areas);
}

static void pages_of_different_sizes_are_different_but_compared(void **state)
{
    (void)state;
    const struct platen_options large = PLATEN_OPTIONS(.width_mm = 60, .height_mm = 25, .want_elements = true);
    const struct platen_compare_options lenient = PLATEN_COMPARE_OPTIONS(.tolerance_percent = 100);
    struct platen_snapshot *a = keep(BAR, NULL), *b = keep(BAR, &large);
    struct platen_comparison *c;
    struct platen_ink ink;
    struct platen_buffer png = {0};
    assert_int_equal(platen_compare(a, b, &lenient, &c, NULL), PLATEN_OK);
    platen_comparison_ink(c, &ink);
    assert_true(ink.width_a == 399 && ink.width_b == 479 && ink.height_a == 239 && ink.height_b == 199);
    assert_int_equal(ink.only_a + ink.only_b, 0);
    assert_false(platen_comparison_is_same(c));
    assert_int_equal(platen_comparison_picture(c, &png, NULL), PLATEN_OK);
    const uint8_t size[8] = {0, 0, 479 >> 8, 479 & 255, 0, 0, 0, 239}; // both fit
    assert_memory_equal(png.data + 16, size, sizeof size);
    platen_buffer_free(&png);
    platen_comparison_free(c);
    platen_snapshot_free(a);
    platen_snapshot_free(b);
}

// ---- elements

static void expect_move(const struct platen_comparison *c)
{
    struct platen_element_change change = only_change(c);
    assert_int_equal(change.change, PLATEN_MOVED);
    assert_string_equal(change.change_name, "moved");
    assert_int_equal(change.differs, PLATEN_DIFFERS_PLACE);
    assert_int_equal(change.dx, 16);
    assert_int_equal(change.dy, -3);
}

static void a_field_that_moved_tells_by_how_much(void **state)
{
    (void)state;
    compare("^XA^FO10,40^A0N,30^FDone^FS^FO10,100^A0N,30^FDtwo^FS^XZ",
            "^XA^FO10,100^A0N,30^FDtwo^FS^FO26,37^A0N,30^FDone^FS^XZ", NULL, expect_move);
}

static void expect_new_data(const struct platen_comparison *c)
{
    struct platen_element_change change = only_change(c);
    assert_int_equal(change.change, PLATEN_CHANGED);
    assert_true(change.differs & PLATEN_DIFFERS_DATA);
    assert_false(change.differs & (PLATEN_DIFFERS_TYPE | PLATEN_DIFFERS_PLACE));
    assert_string_equal(change.a->data, "12345");
    assert_string_equal(change.b->data, "jgj");
}

// Their ink does not begin at the same dot; their fields do.
static void data_that_changes_in_its_place_is_one_change(void **state)
{
    (void)state;
    compare("^XA^FO10,40^A0N,30^FD12345^FS^XZ", "^XA^FO10,40^A0N,30^FDjgj^FS^XZ", NULL, expect_new_data);
}

static void expect_other_type(const struct platen_comparison *c)
{
    struct platen_element_change change = only_change(c);
    assert_int_equal(change.change, PLATEN_CHANGED);
    assert_true(change.differs & PLATEN_DIFFERS_TYPE);
}

static void another_symbology_in_the_same_place_is_one_change(void **state)
{
    (void)state;
    compare("^XA^FO10,40^BCN,40^FD123^FS^XZ", "^XA^FO10,40^B3N,N,40^FD123^FS^XZ", NULL, expect_other_type);
}

static void expect_addition_and_removal(const struct platen_comparison *c)
{
    struct platen_element_change first, second;
    assert_int_equal(platen_comparison_change_count(c), 2);
    platen_comparison_change_at(c, 0, &first);
    platen_comparison_change_at(c, 1, &second);
    assert_int_equal(first.change, PLATEN_REMOVED);
    assert_null(first.b);
    assert_int_equal(second.change, PLATEN_ADDED);
    assert_null(second.a);
}

static void lines_elsewhere_are_two_lines_and_not_one_that_changed(void **state)
{
    (void)state;
    compare("^XA^FO10,40^GB90,3,3^FS^XZ", "^XA^FO20,50^GB80,4,4^FS^XZ", NULL, expect_addition_and_removal);
}

static void expect_one_addition(const struct platen_comparison *c)
{
    struct platen_element_change change = only_change(c);
    assert_int_equal(change.change, PLATEN_ADDED);
    assert_int_equal(change.b->y, 60);
}

static void of_many_alike_those_in_their_place_are_the_same(void **state)
{
    (void)state;
    compare("^XA^FO10,20^GB90,3,3^FS^FO10,40^GB90,3,3^FS^FO10,80^GB90,3,3^FS^XZ",
            "^XA^FO10,80^GB90,3,3^FS^FO10,60^GB90,3,3^FS^FO10,40^GB90,3,3^FS^FO10,20^GB90,3,3^FS^XZ", NULL,
            expect_one_addition);
}

static void expect_look(const struct platen_comparison *c)
{
    struct platen_element_change change = only_change(c);
    assert_int_equal(change.differs, PLATEN_DIFFERS_LOOK);
    assert_true(platen_comparison_change_count(c) == 1);
}

static void dots_of_an_image_are_its_look(void **state)
{
    (void)state;
    compare("^XA^FO10,10^GFA,2,2,1,81FF^FS^XZ", "^XA^FO10,10^GFA,2,2,1,FF81^FS^XZ", NULL, expect_look);
}

static void elements_are_compared_only_if_both_have_them(void **state)
{
    (void)state;
    const struct platen_options plain = PLATEN_OPTIONS(.width_mm = 50, .height_mm = 30);
    struct platen_snapshot *a = keep(BAR, NULL), *b = keep(BAR_AND_DOT, &plain);
    struct platen_comparison *c;
    assert_int_equal(platen_compare(a, b, NULL, &c, NULL), PLATEN_OK);
    assert_false(platen_comparison_has_elements(c));
    assert_int_equal(platen_comparison_change_count(c), 0);
    platen_comparison_free(c);
    platen_snapshot_free(a);
    platen_snapshot_free(b);
}

// ---- pictures

static void a_picture_of_a_page_is_the_same_as_the_page(void **state)
{
    (void)state;
    const struct platen_options grey =
        PLATEN_OPTIONS(.width_mm = 50, .height_mm = 30, .quality = PLATEN_GRAYSCALE, .want_elements = true);
    const struct platen_options *const options[] = {NULL, &grey};
    for (int i = 0; i < 2; i++) {
        static const char zpl[] = "^XA^FO10,10^A0N,30^FDHi^FS^FO10,60^GC90,3^FS^XZ";
        struct platen_snapshot *page = keep(zpl, options[i]), *picture;
        struct platen_comparison *c, *again;
        struct platen_buffer png = {0};
        assert_int_equal(platen_compare(page, page, NULL, &c, NULL), PLATEN_OK);
        // White and black only: both sides are the same.
        assert_int_equal(platen_comparison_picture(c, &png, NULL), PLATEN_OK);
        assert_int_equal(platen_snapshot_of_picture(engine, png.data, png.size, &picture, NULL), PLATEN_OK);
        assert_int_equal(platen_compare(page, picture, NULL, &again, NULL), PLATEN_OK);
        assert_true(platen_comparison_is_same(again));
        platen_comparison_free(again);
        platen_comparison_free(c);
        platen_snapshot_free(picture);
        platen_snapshot_free(page);
        platen_buffer_free(&png);
    }
}

static void damaged_pictures_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "^XA", "\x89PNG\r\n\x1A\n", "\x89PNG\r\n\x1A\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct platen_snapshot *none;
        struct platen_error err = {0};
        assert_int_equal(platen_snapshot_of_picture(engine, bad[i], strlen(bad[i]), &none, &err), PLATEN_E_INVALID);
        assert_null(none);
        assert_true(strlen(err.message) > 10);
    }
}

// ---- sizes

static void expect_size(const char *zpl, double dpmm, double width_mm, double height_mm)
{
    const struct platen_options options = PLATEN_OPTIONS(.dpmm = dpmm, .fit_size = true);
    struct platen_document *document;
    double width, height;
    uint32_t dots;
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    platen_document_size(document, &width, &height, &dots, NULL);
    if (width != width_mm || height != height_mm)
        fail_msg("%s: %g x %g mm instead of %g x %g", zpl, width, height, width_mm, height_mm);
    const struct platen_page *page;
    struct platen_bitmap bitmap;
    if (platen_label_count(document) > 0) {
        assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
        platen_page_bitmap(page, &bitmap);
        assert_int_equal(bitmap.width, dots);
    }
    platen_document_free(document);
}

static void the_size_is_what_the_label_says(void **state)
{
    (void)state;
    expect_size("^XA^PW812^LL1218^FO9,9^GB9,9,9^FS^XZ", 8, 101.6, 152.4);
    expect_size("^XA^PW406^LL203^FO9,9^GB9,9,9^FS^XZ", 8, 50.8, 25.4);
    expect_size("^XA^PW1218^LL1828^FO9,9^GB9,9,9^FS^XZ", 12, 101.768, 152.735);
    expect_size("^XA^PW333^LL222^FO9,9^GB9,9,9^FS^XZ", 10, 33.3, 22.2);
}

static void without_them_it_is_the_next_common_size_that_holds_the_content(void **state)
{
    (void)state;
    expect_size("^XA^FO0,0^GB380,180,9^FS^XZ", 8, 50, 25);
    expect_size("^XA^FO0,0^GB392,180,9^FS^XZ", 8, 50.8, 25.4); // with its margin it is over 50 mm
    expect_size("^XA^FO20,20^GB770,1170,3^FS^XZ", 8, 100, 150);
    expect_size("^XA^FO20,20^GB785,1180,3^FS^XZ", 8, 101.6, 152.4);
    expect_size("^XA^FO0,0^GB812,1218,3^FS^XZ", 8, 101.6, 152.4); // up to the edge
    expect_size("^XA^FO2000,100^GB30,2800,3^FS^XZ", 8, 255, 365); // no common size: whole 5 mm
}

static void one_side_that_is_known_chooses_among_labels_of_it(void **state)
{
    (void)state;
    expect_size("^XA^PW812^FO20,20^GB300,500,3^FS^XZ", 8, 101.6, 76.2);
    expect_size("^XA^LL203^FO20,20^GB300,100,3^FS^XZ", 8, 50, 25.4);
}

static void sizes_that_no_label_has_are_not_believed(void **state)
{
    (void)state;
    expect_size("^XA^PW2^LL1^FO0,0^GB380,180,9^FS^XZ", 8, 50, 25);
}

static void a_document_gets_the_size_of_its_largest_labels(void **state)
{
    (void)state;
    expect_size("^XA^PW406^LL1218^FO0,0^GB9,9,9^FS^XZ^XA^PW812^LL203^FO0,0^GB9,9,9^FS^XZ", 8, 101.6, 152.4);
}

static void with_nothing_to_go_by_it_is_the_default(void **state)
{
    (void)state;
    expect_size("", 8, 101.6, 152.4);
    expect_size("^XA^XZ", 8, 101.6, 152.4);
    expect_size("^XA^FO10,10^A0N,30^FD ^FS^XZ", 8, 101.6, 152.4);
}

static void no_size_is_over_the_limit(void **state)
{
    (void)state;
    static const char zpl[] = "^XA^PW32000^LL32000^FO9,9^GB9,9,9^FS^XZ";
    const struct platen_options options = PLATEN_OPTIONS(.fit_size = true);
    struct platen_document *document;
    uint32_t width, height;
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    platen_document_size(document, NULL, NULL, &width, &height);
    assert_int_equal(width, 32000);
    assert_int_equal(height, 100000000 / 32000);
    platen_document_free(document);
}

static void a_side_that_the_caller_gives_stays(void **state)
{
    (void)state;
    static const char zpl[] = "^XA^PW406^LL203^FO9,9^GB9,9,9^FS^XZ";
    const struct platen_options options = PLATEN_OPTIONS(.width_mm = 33, .fit_size = true);
    struct platen_document *document;
    double width, height;
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    platen_document_size(document, &width, &height, NULL, NULL);
    assert_true(width == 33 && height == 25.4);
    platen_document_free(document);
}

static bool finds_corner(const char *zpl, bool fit)
{
    const struct platen_options options = PLATEN_OPTIONS(.want_elements = true, .fit_size = fit);
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_diagnostic d;
    bool found = false;
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    for (uint32_t i = 0; platen_page_diagnostic_at(page, i, &d); i++)
        found = found || (strcmp(d.code, "content_in_corner") == 0 && d.severity == PLATEN_INFO);
    platen_document_free(document);
    return found;
}

static void content_in_a_corner_is_reported(void **state)
{
    (void)state;
    assert_true(finds_corner("^XA^PW300^FO9,9^GB200,300,9^FS^XZ", false));
    assert_false(finds_corner("^XA^PW300^FO9,9^GB200,305,9^FS^XZ", false)); // a quarter of the height
    assert_false(finds_corner("^XA^PW300^FO9,9^GB203,300,9^FS^XZ", false)); // of the width
    assert_true(finds_corner("^XA^PW300^POI^FO9,9^GB200,300,9^FS^XZ", false));
    assert_false(finds_corner("^XA^PW812^FO9,9^GB200,300,9^FS^XZ", false)); // it says that it is so large
    assert_false(finds_corner("^XA^FO9,9^GB200,300,9^FS^XZ", false));       // it says nothing
    assert_false(finds_corner("^XA^PW300^FO9,9^GB9,9,9^FS^XZ", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_label_is_the_same_as_itself),
        cmocka_unit_test(ink_and_its_place_are_counted_exactly),
        cmocka_unit_test(the_tolerance_is_inclusive_in_dots_and_percent),
        cmocka_unit_test(an_area_inside_of_another_is_not_reported_again),
        cmocka_unit_test(no_more_than_64_areas_are_kept_but_all_are_counted),
        cmocka_unit_test(pages_of_different_sizes_are_different_but_compared),
        cmocka_unit_test(a_field_that_moved_tells_by_how_much),
        cmocka_unit_test(data_that_changes_in_its_place_is_one_change),
        cmocka_unit_test(another_symbology_in_the_same_place_is_one_change),
        cmocka_unit_test(lines_elsewhere_are_two_lines_and_not_one_that_changed),
        cmocka_unit_test(of_many_alike_those_in_their_place_are_the_same),
        cmocka_unit_test(dots_of_an_image_are_its_look),
        cmocka_unit_test(elements_are_compared_only_if_both_have_them),
        cmocka_unit_test(a_picture_of_a_page_is_the_same_as_the_page),
        cmocka_unit_test(damaged_pictures_are_refused_with_a_reason),
        cmocka_unit_test(the_size_is_what_the_label_says),
        cmocka_unit_test(without_them_it_is_the_next_common_size_that_holds_the_content),
        cmocka_unit_test(one_side_that_is_known_chooses_among_labels_of_it),
        cmocka_unit_test(sizes_that_no_label_has_are_not_believed),
        cmocka_unit_test(a_document_gets_the_size_of_its_largest_labels),
        cmocka_unit_test(with_nothing_to_go_by_it_is_the_default),
        cmocka_unit_test(no_size_is_over_the_limit),
        cmocka_unit_test(a_side_that_the_caller_gives_stays),
        cmocka_unit_test(content_in_a_corner_is_reported),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
