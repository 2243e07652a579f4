// Round shapes as the printer draws them: rows and amounts of ink that were read from its pictures.
#include <string.h>

#include "base/ckd.h"
#include "raster/curves.h"
#include "unit.h"

static struct pl_arena arena;
static struct pl_bitmap page;

static int setup(void **state)
{
    (void)state;
    pl_arena_init(&arena, (size_t)8 << 20);
    return pl_bitmap_new(&arena, 450, 450, &page, NULL);
}

static int teardown(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    return 0;
}

static struct pl_curve_target clean_page(void)
{
    pl_bitmap_fill(&page, (struct pl_box){0, 0, 450, 450}, PL_INK_WHITE);
    return (struct pl_curve_target){.canvas = &page, .x = 10, .y = 10, .ink = PL_INK_BLACK};
}

static uint32_t ink_in_row(uint32_t y, uint32_t *first)
{
    uint32_t n = 0;
    for (uint32_t x = page.width; x-- > 0;)
        if (pl_bitmap_get(&page, x, y)) {
            n++;
            *first = x;
        }
    return n;
}

static uint32_t all_ink(void)
{
    uint32_t n = 0, first;
    for (uint32_t y = 0; y < page.height; y++)
        n += ink_in_row(y, &first);
    return n;
}

static void a_circle_of_four_dots_begins_with_a_blank_row(void **state)
{
    (void)state;
    struct pl_curve_target to = clean_page();
    pl_curve_ellipse(&to, 4, 4, 2);
    static const uint32_t rows[] = {0, 4, 4, 4, 0};
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t first = 0;
        assert_int_equal(ink_in_row(10 + i, &first), rows[i]);
        assert_true(rows[i] == 0 || first == 10);
    }
}

static void circles_have_the_printers_ink(void **state)
{
    (void)state;
    static const struct {
        int32_t size, thickness;
        uint32_t ink;
        struct pl_box box; // of the ink, from the circle's corner
    } CASES[] = {
        {7, 2, 27, {0, 1, 7, 6}},         {15, 2, 112, {0, 1, 15, 14}},      {16, 2, 132, {0, 1, 17, 16}},
        {16, 100, 196, {0, 1, 16, 16}},   {60, 3, 742, {0, 1, 61, 60}},      {81, 3, 1030, {0, 1, 81, 80}},
        {200, 3, 2630, {0, 1, 201, 200}}, {257, 10, 8700, {0, 1, 257, 256}}, {401, 1000, 125728, {0, 1, 400, 400}}};
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        struct pl_curve_target to = clean_page();
        pl_curve_ellipse(&to, CASES[i].size, CASES[i].size, CASES[i].thickness);
        assert_int_equal(all_ink(), CASES[i].ink);
        struct pl_box box = pl_bitmap_ink_box(&page);
        assert_int_equal(box.x0 - 10, CASES[i].box.x0);
        assert_int_equal(box.y0 - 10, CASES[i].box.y0);
        assert_int_equal(box.x1 - 10, CASES[i].box.x1);
        assert_int_equal(box.y1 - 10, CASES[i].box.y1);
    }
}

static void ellipses_have_the_printers_ink(void **state)
{
    (void)state;
    static const struct {
        int32_t width, height, thickness;
        uint32_t ink;
        struct pl_box box; // of the ink, from the ellipse's corner
    } CASES[] = {{30, 20, 2, 224, {1, 1, 30, 20}},    {60, 40, 3, 602, {1, 1, 60, 40}},
                 {121, 61, 3, 1156, {1, 1, 120, 60}}, {19, 7, 1000, 46, {2, 1, 16, 6}},
                 {80, 120, 2, 972, {1, 1, 80, 120}},  {200, 199, 3, 2610, {1, 1, 200, 198}},
                 {8, 2, 3, 2, {3, 1, 5, 2}}};
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        struct pl_curve_target to = clean_page();
        pl_curve_ellipse(&to, CASES[i].width, CASES[i].height, CASES[i].thickness);
        assert_int_equal(all_ink(), CASES[i].ink);
        struct pl_box box = pl_bitmap_ink_box(&page);
        assert_int_equal(box.x0 - 10, CASES[i].box.x0);
        assert_int_equal(box.y0 - 10, CASES[i].box.y0);
        assert_int_equal(box.x1 - 10, CASES[i].box.x1);
        assert_int_equal(box.y1 - 10, CASES[i].box.y1);
    }
}

static void an_ellipse_widens_row_by_row(void **state)
{
    (void)state;
    static const uint32_t wide[] = {0, 5, 10, 14, 16, 18, 20, 21, 23, 24, 25, 26, 26, 26, 27, 27, 27, 27};
    static const uint32_t small[] = {0, 2, 3};
    struct pl_curve_target to = clean_page();
    pl_curve_ellipse(&to, 56, 36, 100);
    for (uint32_t i = 0; i < PL_COUNTOF(wide); i++) {
        uint32_t first = 0;
        assert_int_equal(ink_in_row(10 + i, &first), 2 * wide[i]);
        assert_int_equal(ink_in_row(46 - i, &first), 2 * wide[i]);
        assert_true(i == 0 || first == 10 + 28 - wide[i]);
    }
    to = clean_page();
    pl_curve_ellipse(&to, 8, 4, 100);
    for (uint32_t i = 0; i < PL_COUNTOF(small); i++) {
        uint32_t first = 0;
        assert_int_equal(ink_in_row(10 + i, &first), 2 * small[i]);
    }
}

// The tall one is filled by rows, though its edge is known by columns. XOR shows dots that are filled twice.
static void a_tall_ellipse_is_a_wide_one_turned_over(void **state)
{
    (void)state;
    static bool wide[82][82];
    for (int32_t size = 0; size < 80 * 80 * 4; size++) {
        int32_t w = 1 + size % 80, h = 1 + size / 80 % 80, t = (int32_t[]){1, 3, 10, 100}[size / 6400];
        if (w <= h || (w + h) % 3 != 0)
            continue;
        struct pl_curve_target to = clean_page();
        to.ink = PL_INK_XOR;
        struct pl_box flat = pl_curve_ellipse(&to, w, h, t);
        for (uint32_t x = 0; x < 82; x++)
            for (uint32_t y = 0; y < 82; y++)
                wide[x][y] = pl_bitmap_get(&page, 10 + x, 10 + y);
        clean_page();
        struct pl_box tall = pl_curve_ellipse(&to, h, w, t);
        for (uint32_t x = 0; x < 82; x++)
            for (uint32_t y = 0; y < 82; y++)
                assert_int_equal(pl_bitmap_get(&page, 10 + y, 10 + x), wide[x][y]);
        if (!pl_box_is_empty(flat)) {
            assert_int_equal(tall.x0, flat.y0);
            assert_int_equal(tall.x1, flat.y1);
            assert_int_equal(tall.y0, flat.x0);
            assert_int_equal(tall.y1, flat.x1);
        }
    }
}

static void a_round_corner_stands_back_row_by_row(void **state)
{
    (void)state;
    static const uint32_t insets[] = {10, 6, 4, 3, 2, 1, 1, 0, 0, 0, 0};
    struct pl_curve_target to = clean_page();
    pl_curve_box(&to, 60, 40, 20, 4); // a radius of 10, and no hole
    for (uint32_t i = 0; i < PL_COUNTOF(insets); i++) {
        uint32_t first = 0;
        assert_int_equal(ink_in_row(10 + i, &first), 60 - 2 * insets[i]);
        assert_int_equal(first, 10 + insets[i]);
        assert_int_equal(ink_in_row(49 - i, &first), 60 - 2 * insets[i]);
    }
}

static void round_frames_have_the_printers_ink(void **state)
{
    (void)state;
    static const struct {
        int32_t width, height, thickness;
        uint32_t rounding, ink;
    } CASES[] = {{60, 40, 2, 4, 368}, {100, 60, 4, 4, 1164}, {100, 60, 3, 8, 764}, {61, 41, 3, 4, 544}};
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        struct pl_curve_target to = clean_page();
        pl_curve_box(&to, CASES[i].width, CASES[i].height, CASES[i].thickness, CASES[i].rounding);
        assert_int_equal(all_ink(), CASES[i].ink);
    }
}

static void a_diagonal_is_a_row_ahead(void **state)
{
    (void)state;
    for (int leans_left = 0; leans_left < 2; leans_left++) {
        struct pl_curve_target to = clean_page();
        pl_curve_diagonal(&to, 101, 61, 3, leans_left);
        for (uint32_t row = 0; row < 61; row++) {
            uint32_t first = 0, along = (row + 1) * 108510 / 65536; // 101 / 61, cut to 16 bits behind the point
            assert_int_equal(ink_in_row(10 + row, &first), 3);
            assert_int_equal(first, 10 + (leans_left ? along : 101 - along));
        }
    }
}

static void shapes_far_away_or_without_size_end(void **state)
{
    (void)state;
    static const int32_t SIZES[] = {INT32_MIN, -5, 0, INT32_MAX};
    for (size_t i = 0; i < PL_COUNTOF(SIZES); i++) {
        struct pl_curve_target to = clean_page();
        to.x = SIZES[i];
        to.y = SIZES[i] == 0 ? 1000 : SIZES[i];
        pl_curve_ellipse(&to, SIZES[i], SIZES[i], 5);
        pl_curve_ellipse(&to, SIZES[i], 1, SIZES[i]);
        pl_curve_ellipse(&to, 1, SIZES[i], SIZES[i]);
        pl_curve_box(&to, SIZES[i], SIZES[i], 5, 8);
        pl_curve_diagonal(&to, SIZES[i], SIZES[i], 5, true);
        assert_int_equal(all_ink(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_of_four_dots_begins_with_a_blank_row),
        cmocka_unit_test(circles_have_the_printers_ink),
        cmocka_unit_test(ellipses_have_the_printers_ink),
        cmocka_unit_test(an_ellipse_widens_row_by_row),
        cmocka_unit_test(a_tall_ellipse_is_a_wide_one_turned_over),
        cmocka_unit_test(a_round_corner_stands_back_row_by_row),
        cmocka_unit_test(round_frames_have_the_printers_ink),
        cmocka_unit_test(a_diagonal_is_a_row_ahead),
        cmocka_unit_test(shapes_far_away_or_without_size_end),
    };
    return cmocka_run_group_tests_name("curves", tests, setup, teardown);
}
