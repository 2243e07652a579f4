// Bitmaps against a plain model of one byte a dot: fills, blits, turns, enlargement, ink boxes.
#include <stdlib.h>

#include "arena_fixture.h"
#include "raster/bitmap.h"
#include "raster/byte_sets.h"
#include "unit.h"

#define MODEL_MAX 400

struct model {
    int w, h;
    uint8_t dots[MODEL_MAX][MODEL_MAX];
};

static uint64_t seed = 1;
static uint32_t next_random(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static struct pl_bitmap random_bitmap(struct model *m, int w, int h, unsigned density)
{
    struct pl_bitmap bm;
    assert_int_equal(pl_bitmap_new(&arena, (uint32_t)w, (uint32_t)h, &bm, NULL), PL_OK);
    *m = (struct model){.w = w, .h = h};
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            if (next_random(8) < density) {
                m->dots[y][x] = 1;
                pl_bitmap_set(&bm, (uint32_t)x, (uint32_t)y);
            }
        }
    }
    return bm;
}

static void assert_same(const struct model *m, const struct pl_bitmap *bm)
{
    assert_int_equal(m->w, bm->width);
    assert_int_equal(m->h, bm->height);
    for (int y = 0; y < m->h; y++) {
        for (int x = 0; x < m->w; x++) {
            if (m->dots[y][x] != pl_bitmap_get(bm, (uint32_t)x, (uint32_t)y))
                fail_msg("dot %d,%d of %dx%d differs", x, y, m->w, m->h);
        }
        for (uint32_t x = bm->width; x < bm->stride * 64; x++) {
            if ((pl_bitmap_row(bm, (uint32_t)y)[x / 64] >> (63 - x % 64)) & 1)
                fail_msg("padding of row %d is not blank", y);
        }
    }
}

static uint8_t inked(uint8_t below, enum pl_ink ink)
{
    return ink == PL_INK_BLACK ? 1 : ink == PL_INK_WHITE ? 0 : below ^ 1;
}

static struct model a, b, c;

static void fill_is_clipped_and_follows_the_ink(void **state)
{
    (void)state;
    for (int round = 0; round < 600; round++) {
        struct pl_bitmap bm = random_bitmap(&a, 1 + (int)next_random(200), 1 + (int)next_random(20), 3);
        enum pl_ink ink = (enum pl_ink)next_random(3);
        struct pl_box box = {(int32_t)next_random(260) - 30, (int32_t)next_random(40) - 10,
                             (int32_t)next_random(260) - 30, (int32_t)next_random(40) - 10};
        pl_bitmap_fill(&bm, box, ink);
        for (int y = 0; y < a.h; y++) {
            for (int x = 0; x < a.w; x++) {
                if (x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1)
                    a.dots[y][x] = inked(a.dots[y][x], ink);
            }
        }
        assert_same(&a, &bm);
        pl_arena_reset(&arena, (size_t)1 << 20);
    }
    struct pl_bitmap bm = random_bitmap(&a, 70, 3, 3);
    pl_bitmap_fill(&bm, (struct pl_box){INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, PL_INK_BLACK);
    for (int i = 0; i < 210; i++)
        assert_true(pl_bitmap_get(&bm, (uint32_t)i % 70, (uint32_t)i / 70));
}

static void blit_is_clipped_and_follows_the_ink(void **state)
{
    (void)state;
    for (int round = 0; round < 1500; round++) {
        struct pl_bitmap dst = random_bitmap(&a, 1 + (int)next_random(200), 1 + (int)next_random(12), 3);
        struct pl_bitmap src = random_bitmap(&b, 1 + (int)next_random(200), 1 + (int)next_random(12), 4);
        enum pl_ink ink = (enum pl_ink)next_random(3);
        int x = (int)next_random(500) - 250, y = (int)next_random(30) - 15;
        pl_bitmap_blit(&dst, &src, x, y, ink);
        for (int sy = 0; sy < b.h; sy++) {
            for (int sx = 0; sx < b.w; sx++) {
                int dx = x + sx, dy = y + sy;
                if (b.dots[sy][sx] && dx >= 0 && dy >= 0 && dx < a.w && dy < a.h)
                    a.dots[dy][dx] = inked(a.dots[dy][dx], ink);
            }
        }
        assert_same(&a, &dst);
        pl_bitmap_blit(&dst, &src, INT32_MIN, INT32_MIN, ink);
        pl_bitmap_blit(&dst, &src, INT32_MAX, INT32_MAX, ink);
        assert_same(&a, &dst);
        pl_arena_reset(&arena, (size_t)1 << 20);
    }
}

static void enlarging_makes_each_dot_a_block(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct pl_bitmap src = random_bitmap(&a, 1 + (int)next_random(90), 1 + (int)next_random(9), 3), out;
        uint32_t mx = 1 + next_random(4), my = 1 + next_random(4);
        assert_int_equal(pl_bitmap_enlarge(&arena, &src, mx, my, &out, NULL), PL_OK);
        b = (struct model){.w = a.w * (int)mx, .h = a.h * (int)my};
        for (int y = 0; y < b.h; y++)
            for (int x = 0; x < b.w; x++)
                b.dots[y][x] = a.dots[y / (int)my][x / (int)mx];
        assert_same(&b, &out);
        struct pl_bitmap page = random_bitmap(&c, 150, 20, 3);
        int x = (int)next_random(200) - 100, y = (int)next_random(30) - 15;
        pl_bitmap_blit_enlarged(&page, &src, 0, src.height, x, y, mx, my, PL_INK_XOR);
        for (int sy = 0; sy < b.h; sy++) {
            for (int sx = 0; sx < b.w; sx++) {
                if (b.dots[sy][sx] && x + sx >= 0 && y + sy >= 0 && x + sx < c.w && y + sy < c.h)
                    c.dots[y + sy][x + sx] ^= 1;
            }
        }
        assert_same(&c, &page);
        pl_arena_reset(&arena, (size_t)1 << 20);
    }
    struct pl_bitmap wide, out;
    assert_int_equal(pl_bitmap_new(&arena, 100000, 1, &wide, NULL), PL_OK);
    assert_int_not_equal(pl_bitmap_enlarge(&arena, &wide, 100000, 1, &out, NULL), PL_OK);
}

// Large pictures are enlarged word by word: the same dots, with every ink and whatever lies outside. 523 kB of ^FR^XG
// took 13 s dot run by dot run.
static void large_pictures_are_enlarged_to_the_same_dots(void **state)
{
    (void)state;
    for (int round = 0; round < 150; round++) {
        struct pl_bitmap src = random_bitmap(&a, 70 + (int)next_random(130), 60 + (int)next_random(60), 3);
        struct pl_bitmap page = random_bitmap(&c, 1 + (int)next_random(200), 1 + (int)next_random(200), 3);
        int mx = 1 + (int)next_random(17), my = 1 + (int)next_random(17);
        int x = (int)next_random(2000) - 1500, y = (int)next_random(700) - 500;
        uint32_t from = next_random(3), to = src.height - next_random(3);
        enum pl_ink ink = (enum pl_ink)(round % 3);
        pl_bitmap_blit_enlarged(&page, &src, from, to, x, y, (uint32_t)mx, (uint32_t)my, ink);
        for (int dy = 0; dy < c.h; dy++) {
            for (int dx = 0; dx < c.w; dx++) {
                int sx = dx < x ? -1 : (dx - x) / mx, sy = dy < y ? -1 : (dy - y) / my;
                if (sx >= 0 && sx < a.w && sy >= (int)from && sy < (int)to && a.dots[sy][sx])
                    c.dots[dy][dx] = inked(c.dots[dy][dx], ink);
            }
        }
        assert_same(&c, &page);
        pl_arena_reset(&arena, (size_t)1 << 20);
    }
}

static void turning_goes_clockwise(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct pl_bitmap src = random_bitmap(&a, 1 + (int)next_random(200), 1 + (int)next_random(200), 3), out;
        for (int r = 0; r < 4; r++) {
            assert_int_equal(pl_bitmap_turn(&arena, &src, (enum pl_rotation)r, &out, NULL), PL_OK);
            b = (struct model){.w = r % 2 ? a.h : a.w, .h = r % 2 ? a.w : a.h};
            for (int y = 0; y < a.h; y++) {
                for (int x = 0; x < a.w; x++) {
                    int tx = r == 0 ? x : r == 1 ? a.h - 1 - y : r == 2 ? a.w - 1 - x : y;
                    int ty = r == 0 ? y : r == 1 ? x : r == 2 ? a.h - 1 - y : a.w - 1 - x;
                    b.dots[ty][tx] = a.dots[y][x];
                }
            }
            assert_same(&b, &out);
        }
        pl_bitmap_mirror(&src);
        for (int y = 0; y < a.h; y++)
            for (int x = 0; x < a.w; x++)
                assert_int_equal(pl_bitmap_get(&src, (uint32_t)(a.w - 1 - x), (uint32_t)y), a.dots[y][x]);
        pl_arena_reset(&arena, (size_t)1 << 20);
    }
}

static void ink_box_is_the_smallest(void **state)
{
    (void)state;
    for (int round = 0; round < 600; round++) {
        struct pl_bitmap bm = random_bitmap(&a, 1 + (int)next_random(200), 1 + (int)next_random(30), 0);
        for (uint32_t n = next_random(4); n > 0; n--) {
            int x = (int)next_random((uint32_t)a.w), y = (int)next_random((uint32_t)a.h);
            a.dots[y][x] = 1;
            pl_bitmap_set(&bm, (uint32_t)x, (uint32_t)y);
        }
        struct pl_box box = {a.w, a.h, 0, 0}, found = pl_bitmap_ink_box(&bm);
        for (int y = 0; y < a.h; y++) {
            for (int x = 0; x < a.w; x++) {
                if (a.dots[y][x])
                    box = (struct pl_box){x < box.x0 ? x : box.x0, y < box.y0 ? y : box.y0,
                                          x + 1 > box.x1 ? x + 1 : box.x1, y + 1 > box.y1 ? y + 1 : box.y1};
            }
        }
        if (pl_box_is_empty(box)) {
            assert_true(pl_box_is_empty(found));
        } else {
            assert_memory_equal(&box, &found, sizeof box);
            assert_true(pl_bitmap_has_ink(&bm, box));
            assert_false(pl_bitmap_has_ink(&bm, (struct pl_box){-5, -5, box.x0, 1000}));
            assert_false(pl_bitmap_has_ink(&bm, (struct pl_box){box.x1, -5, 1000, 1000}));
        }
        pl_arena_reset(&arena, (size_t)1 << 20);
    }
}

static void bits_are_turned_and_counted_alike_with_and_without_an_instruction(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint64_t v = i < 64 ? UINT64_C(1) << i : i == 64 ? 0 : i == 65 ? UINT64_MAX : 0;
        for (int k = 0; i > 65 && k < 4; k++)
            v = v << 16 ^ next_random(1 << 16);
        uint64_t turned = 0;
        uint32_t count = 0;
        for (int bit = 0; bit < 64; bit++) {
            turned |= (v >> bit & 1) << (63 - bit);
            count += v >> bit & 1;
        }
        assert_true(pl_reverse_bits64(v) == turned && pl_reverse_bits64_by_steps(v) == turned);
        assert_int_equal(pl_count_bits64(v), count);
        assert_int_equal(pl_count_bits64_by_steps(v), count);
    }
}

static void byte_sets_are_alike_with_and_without_an_instruction(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint8_t one[65], other[64], limit = (uint8_t)next_random(128); // one[0] stands before the bytes
        uint32_t shades = i % 2 ? 256 : 3;                             // few: many are the same
        uint64_t differ = 0, repeat = 0, above = 0;
        one[0] = (uint8_t)next_random(shades);
        for (int k = 0; k < 64; k++) {
            one[k + 1] = (uint8_t)next_random(shades);
            other[k] = i < 10 || next_random(4) ? one[k + 1] : (uint8_t)next_random(shades);
            differ = differ << 1 | (one[k + 1] != other[k]);
            repeat = repeat << 1 | (one[k + 1] == one[k]);
            above = above << 1 | (one[k + 1] > limit);
        }
        assert_true(pl_bytes_differ(one + 1, other) == differ && pl_bytes_differ_by_words(one + 1, other) == differ);
        assert_true(pl_bytes_repeat(one + 1, one[0]) == repeat && pl_bytes_repeat_by_words(one + 1, one[0]) == repeat);
        assert_true(pl_bytes_above(one + 1, limit) == above && pl_bytes_above_by_words(one + 1, limit) == above);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(byte_sets_are_alike_with_and_without_an_instruction),
        cmocka_unit_test(bits_are_turned_and_counted_alike_with_and_without_an_instruction),
        cmocka_unit_test(fill_is_clipped_and_follows_the_ink),
        cmocka_unit_test(blit_is_clipped_and_follows_the_ink),
        cmocka_unit_test(enlarging_makes_each_dot_a_block),
        cmocka_unit_test(large_pictures_are_enlarged_to_the_same_dots),
        cmocka_unit_test(turning_goes_clockwise),
        cmocka_unit_test(ink_box_is_the_smallest),
    };
    return cmocka_run_group_tests_name("bitmap", tests, arena_set_up, arena_tear_down);
}
