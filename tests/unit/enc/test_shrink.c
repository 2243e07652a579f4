// Unit tests of smaller pictures: means of what each shade covers.
#include "base/arena.h"
#include "enc/enc.h"
#include "unit.h"

static void shrink(uint32_t width, uint32_t height, uint32_t to, struct pl_arena *arena, struct pl_grey *out)
{
    struct pl_bitmap bits;
    struct pl_error err;
    assert_int_equal(pl_bitmap_new(arena, width, height, &bits, &err), PL_OK);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width / 2; x++)
            pl_bitmap_set(&bits, x, y); // the left half
    const struct pl_canvas canvas = {.bits = &bits};
    assert_int_equal(pl_canvas_shrink(&canvas, to, arena, out, &err), PL_OK);
}

static void halves_stay_halves(void **state)
{
    (void)state;
    struct pl_arena arena;
    struct pl_grey out;
    pl_arena_init(&arena, (size_t)64 << 20);
    for (uint32_t to = 1; to <= 400; to += 3) {
        shrink(400, 200, to, &arena, &out);
        assert_int_equal(out.width, to);
        assert_int_equal(out.height, to / 2 > 0 ? to / 2 : 1);
        uint64_t sum = 0;
        for (uint32_t y = 0; y < out.height; y++)
            for (uint32_t x = 0; x < out.width; x++)
                sum += pl_grey_get(&out, x, y);
        double mean = (double)sum / ((double)out.width * out.height);
        assert_true(mean > 127 && mean < 129);
        if (to > 4) {
            assert_int_equal(pl_grey_get(&out, 0, 0), 0);
            assert_int_equal(pl_grey_get(&out, out.width - 1, out.height - 1), 255);
        }
    }
    pl_arena_fini(&arena);
}

static void one_dot_in_nine_is_a_light_grey(void **state)
{
    (void)state;
    struct pl_arena arena;
    struct pl_bitmap bits;
    struct pl_grey out;
    struct pl_error err;
    pl_arena_init(&arena, (size_t)1 << 20);
    assert_int_equal(pl_bitmap_new(&arena, 3, 3, &bits, &err), PL_OK);
    pl_bitmap_set(&bits, 1, 1);
    const struct pl_canvas canvas = {.bits = &bits};
    assert_int_equal(pl_canvas_shrink(&canvas, 1, &arena, &out, &err), PL_OK);
    assert_int_equal(pl_grey_get(&out, 0, 0), 227); // 255 * 8 / 9
    pl_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_stay_halves),
        cmocka_unit_test(one_dot_in_nine_is_a_light_grey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
