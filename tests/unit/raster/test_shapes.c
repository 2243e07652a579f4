// Shapes against their definition: a dot is ink where its centre lies inside.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raster/shapes.h"
#include "unit.h"

static struct pl_arena arena;
static struct pl_bitmap page;

static int setup(void **state)
{
    (void)state;
    pl_arena_init(&arena, (size_t)8 << 20);
    return pl_bitmap_new(&arena, 300, 300, &page, NULL);
}

static int teardown(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    return 0;
}

static void blank(void)
{
    pl_bitmap_fill(&page, (struct pl_box){0, 0, 300, 300}, PL_INK_WHITE);
}

static bool in_ellipse(double x, double y, double w, double h)
{
    double u = (2 * x - w) / w, v = (2 * y - h) / h;
    return w > 0 && h > 0 && u * u + v * v <= 1 + 1e-12;
}

static bool in_round_box(double x, double y, double w, double h, double r)
{
    if (x < 0 || y < 0 || x > w || y > h)
        return false;
    double dx = x < r ? r - x : x > w - r ? x - (w - r) : 0, dy = y < r ? r - y : y > h - r ? y - (h - r) : 0;
    return dx * dx + dy * dy <= r * r + 1e-9;
}

static void ellipses(void **state)
{
    (void)state;
    static const int CASES[][3] = {{200, 200, 8}, {3, 3, 1}, {1, 1, 1}, {40, 90, 5}, {91, 40, 300}, {7, 50, 2}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int w = CASES[i][0], h = CASES[i][1], t = CASES[i][2];
        blank();
        pl_shape_ellipse(&page, 20, 30, w, h, t, PL_INK_BLACK);
        for (int y = 0; y < 300; y++) {
            for (int x = 0; x < 300; x++) {
                double px = x - 20 + .5, py = y - 30 + .5;
                bool ink = in_ellipse(px, py, w, h) && !in_ellipse(px - t, py - t, w - 2 * t, h - 2 * t);
                if (ink != pl_bitmap_get(&page, (uint32_t)x, (uint32_t)y))
                    fail_msg("ellipse %dx%d,%d at %d,%d", w, h, t, x, y);
            }
        }
    }
}

static void boxes(void **state)
{
    (void)state;
    static const int CASES[][4] = {{200, 100, 8, 0}, {200, 100, 10, 5}, {60, 60, 1, 8},
                                   {33, 71, 40, 3},  {100, 60, 4, 4},   {5, 5, 1, 2}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int w = CASES[i][0], h = CASES[i][1], t = CASES[i][2], r = CASES[i][3];
        double outer = r / 16.0 * (w < h ? w : h), inner = r / 16.0 * ((w < h ? w : h) - 2 * t);
        blank();
        pl_shape_box(&page, 20, 30, w, h, t, (uint32_t)r, PL_INK_BLACK);
        for (int y = 0; y < 300; y++) {
            for (int x = 0; x < 300; x++) {
                double px = x - 20 + .5, py = y - 30 + .5;
                bool hole = w > 2 * t && h > 2 * t && in_round_box(px - t, py - t, w - 2 * t, h - 2 * t, inner);
                if ((in_round_box(px, py, w, h, outer) && !hole) != pl_bitmap_get(&page, (uint32_t)x, (uint32_t)y))
                    fail_msg("box %dx%d,%d,%d at %d,%d", w, h, t, r, x, y);
            }
        }
    }
}

static void a_frame_touches_each_dot_once(void **state)
{
    (void)state;
    // Under XOR a dot drawn twice would be white again: XOR on white paper must give what black gives.
    size_t bytes = (size_t)page.stride * page.height * sizeof(uint64_t);
    uint64_t *black = malloc(bytes);
    assert_non_null(black);
    for (int thickness = 1; thickness < 60; thickness += 6) {
        for (int round = 0; round < 2; round++) {
            enum pl_ink ink = round == 0 ? PL_INK_BLACK : PL_INK_XOR;
            blank();
            pl_shape_box(&page, 10, 10, 100, 80, thickness, 0, ink);
            pl_shape_box(&page, 10, 110, 100, 80, thickness, 4, ink);
            pl_shape_ellipse(&page, 150, 10, 100, 80, thickness, ink);
            pl_shape_diagonal(&page, 150, 110, 60, 80, thickness, false, ink);
            if (round == 0)
                memcpy(black, page.words, bytes);
        }
        assert_memory_equal(page.words, black, bytes);
        struct pl_box box = pl_bitmap_ink_box(&page);
        assert_int_equal(box.x0, 10);
        assert_int_equal(box.y0, 10);
        assert_int_equal(box.y1, 190);
    }
    // White takes away exactly what black put down.
    blank();
    pl_shape_box(&page, 10, 10, 100, 80, 7, 4, PL_INK_BLACK);
    pl_shape_ellipse(&page, 150, 10, 100, 80, 7, PL_INK_BLACK);
    pl_shape_box(&page, 10, 10, 100, 80, 7, 4, PL_INK_WHITE);
    pl_shape_ellipse(&page, 150, 10, 100, 80, 7, PL_INK_WHITE);
    assert_true(pl_box_is_empty(pl_bitmap_ink_box(&page)));
    free(black);
}

static void a_diagonal_is_thickness_wide_in_every_row(void **state)
{
    (void)state;
    for (int left = 0; left < 2; left++) {
        blank();
        pl_shape_diagonal(&page, 10, 20, 50, 100, 6, left, PL_INK_BLACK);
        for (uint32_t y = 0; y < 100; y++) {
            uint32_t start, end, down = left ? y : 99 - y;
            assert_true(pl_bitmap_next_run(&page, 20 + y, 0, &start, &end));
            assert_int_equal(end - start, 6);
            assert_int_equal(start, 10 + (down + 1) / 2);
        }
        blank();
        pl_shape_diagonal(&page, 10, 20, 100, 100, 6, left, PL_INK_BLACK); // both edges halve a dot in every row
        for (uint32_t y = 0; y < 100; y++) {
            uint32_t start, end, down = left ? y : 99 - y;
            assert_true(pl_bitmap_next_run(&page, 20 + y, 0, &start, &end));
            assert_int_equal(end - start, 5);
            assert_int_equal(start, 10 + down + 1);
        }
        blank();
        pl_shape_diagonal(&page, 10, 20, 100, 100, 1, left, PL_INK_BLACK); // the thinnest line does not vanish
        for (uint32_t y = 0; y < 100; y++) {
            uint32_t start, end, down = left ? y : 99 - y;
            assert_true(pl_bitmap_next_run(&page, 20 + y, 0, &start, &end));
            assert_int_equal(end - start, 1);
            assert_int_equal(start, 10 + down);
        }
    }
}

static void shapes_far_away_or_without_size_draw_nothing(void **state)
{
    (void)state;
    blank();
    pl_shape_box(&page, INT32_MIN, INT32_MIN, 10, 10, 2, 3, PL_INK_BLACK);
    pl_shape_box(&page, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, 0, PL_INK_BLACK);
    pl_shape_ellipse(&page, INT32_MAX, 0, INT32_MAX, INT32_MAX, 5, PL_INK_BLACK);
    pl_shape_ellipse(&page, 0, 0, 0, 0, 5, PL_INK_BLACK);
    pl_shape_ellipse(&page, 0, 0, -5, -5, 5, PL_INK_BLACK);
    pl_shape_diagonal(&page, INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX, 5, true, PL_INK_BLACK);
    pl_shape_diagonal(&page, 0, 0, 0, 0, 5, true, PL_INK_BLACK);
    assert_true(pl_box_is_empty(pl_bitmap_ink_box(&page)));
}

static void frames_turn(void **state)
{
    (void)state;
    struct pl_box content = {1, 2, 11, 5}, box;
    box = pl_frame_box((struct pl_frame){100, 200, PL_ROT_N}, content);
    assert_memory_equal(&box, (&(struct pl_box){101, 202, 111, 205}), sizeof box);
    box = pl_frame_box((struct pl_frame){100, 200, PL_ROT_R}, content);
    assert_memory_equal(&box, (&(struct pl_box){95, 201, 98, 211}), sizeof box);
    box = pl_frame_box((struct pl_frame){100, 200, PL_ROT_I}, content);
    assert_memory_equal(&box, (&(struct pl_box){89, 195, 99, 198}), sizeof box);
    box = pl_frame_box((struct pl_frame){100, 200, PL_ROT_B}, content);
    assert_memory_equal(&box, (&(struct pl_box){102, 189, 105, 199}), sizeof box);
}

static void boxes_with_a_radius(void **state)
{
    (void)state;
    static const int CASES[][4] = {
        {100, 60, 3, 12}, {100, 60, 20, 12}, {60, 60, 2, 500}, {41, 90, 1, 7}, {50, 30, 99, 9}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int w = CASES[i][0], h = CASES[i][1], t = CASES[i][2];
        double r = CASES[i][3], half = (w < h ? w : h) / 2.0;
        r = r > half ? half : r;
        blank();
        pl_shape_round_box(&page, 20, 30, w, h, t, CASES[i][3], PL_INK_BLACK);
        for (int y = 0; y < 300; y++) {
            for (int x = 0; x < 300; x++) {
                double px = x - 20 + .5, py = y - 30 + .5;
                bool hole = in_round_box(px - t, py - t, w - 2 * t, h - 2 * t, r > t ? r - t : 0);
                if ((in_round_box(px, py, w, h, r) && !hole) != pl_bitmap_get(&page, (uint32_t)x, (uint32_t)y))
                    fail_msg("box %dx%d,%d radius %d at %d,%d", w, h, t, CASES[i][3], x, y);
            }
        }
    }
}

// A dot is ink where its centre is no further than half of the thickness from the line, between its ends.
static void strokes(void **state)
{
    (void)state;
    static const int CASES[][3] = {{100, 60, 3}, {60, 100, 8}, {200, 5, 2}, {5, 200, 2},
                                   {9, 9, 9},    {100, 3, 3},  {4, 90, 4}};
    for (size_t i = 0; i < 2 * (sizeof CASES / sizeof CASES[0]); i++) {
        int w = CASES[i / 2][0], h = CASES[i / 2][1], t = CASES[i / 2][2];
        bool falls = i % 2;
        blank();
        pl_shape_stroke(&page, 20, 30, w, h, t, falls, PL_INK_BLACK);
        double dx = w - t, dy = h - t, length = sqrt(dx * dx + dy * dy);
        uint32_t ink = 0;
        for (int y = 0; y < 300; y++) {
            for (int x = 0; x < 300; x++) {
                double px = falls ? x - 20 + .5 : w - (x - 20 + .5), u = px - t / 2.0, v = y - 30 + .5 - t / 2.0;
                double across = length > 0 ? fabs(dx * v - dy * u) / length : 0;
                double along = length > 0 ? (dx * u + dy * v) / length : 0;
                bool inside = across < t / 2.0 - 1e-6 && along > 1e-6 && along < length - 1e-6;
                bool outside = across > t / 2.0 + 1e-6 || along < -1e-6 || along > length + 1e-6;
                bool set = pl_bitmap_get(&page, (uint32_t)x, (uint32_t)y);
                ink += set;
                if ((inside && !set) || (outside && set))
                    fail_msg("stroke %dx%d,%d at %d,%d", w, h, t, x, y);
            }
        }
        assert_true(ink > 0 || length == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipses),
        cmocka_unit_test(boxes),
        cmocka_unit_test(boxes_with_a_radius),
        cmocka_unit_test(strokes),
        cmocka_unit_test(a_frame_touches_each_dot_once),
        cmocka_unit_test(a_diagonal_is_thickness_wide_in_every_row),
        cmocka_unit_test(shapes_far_away_or_without_size_draw_nothing),
        cmocka_unit_test(frames_turn),
    };
    return cmocka_run_group_tests_name("shapes", tests, setup, teardown);
}
