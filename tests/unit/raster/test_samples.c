// The canvas of smooth output against a plain bitmap of four times the size; pages of shades laid on others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/ckd.h"
#include "raster/samples.h"

static struct pl_arena arena, scratch;

static uint32_t below(uint32_t n)
{
    return (uint32_t)rand() % n;
}

static struct pl_bitmap noise(uint32_t width, uint32_t height, uint32_t density)
{
    struct pl_bitmap bm;
    assert_int_equal(pl_bitmap_new(&arena, width, height, &bm, NULL), PL_OK);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            if (below(density) != 0)
                pl_bitmap_set(&bm, x, y);
    return bm;
}

static const uint8_t SHADES[17] = {255, 239, 223, 207, 191, 175, 159, 143, 128, 112, 96, 80, 64, 48, 32, 16, 0};

static uint8_t shade_of(const struct pl_bitmap *plain, uint32_t x, uint32_t y)
{
    unsigned ink = 0;
    for (uint32_t k = 0; k < 16; k++)
        ink += pl_bitmap_get(plain, x * 4 + k % 4, y * 4 + k / 4);
    return SHADES[ink];
}

// One random operation on both. `top` is the canvas's first row.
static void draw_something(struct pl_samples *canvas, struct pl_bitmap *plain, uint32_t top)
{
    int32_t w = (int32_t)plain->width / 4, h = (int32_t)plain->height / 4, y0 = (int32_t)top;
    int32_t x = (int32_t)below((uint32_t)w + 40) - 20, y = (int32_t)below((uint32_t)h + 40) - 20;
    enum pl_ink ink = (enum pl_ink)below(3);
    struct pl_bitmap bits, samples;
    switch (below(5)) {
    case 0: {
        struct pl_box box = {x, y, x + (int32_t)below(80), y + (int32_t)below(30)};
        pl_samples_fill(canvas, (struct pl_box){box.x0, box.y0 - y0, box.x1, box.y1 - y0}, ink);
        pl_bitmap_fill(plain, (struct pl_box){box.x0 * 4, box.y0 * 4, box.x1 * 4, box.y1 * 4}, ink);
        break;
    }
    case 1:
        bits = noise(1 + below(90), 1 + below(20), 2);
        pl_samples_dots(canvas, &bits, x, y - y0, ink);
        pl_bitmap_blit_enlarged(plain, &bits, 0, bits.height, x * 4, y * 4, 4, 4, ink);
        break;
    case 2: {
        bits = noise(1 + below(200), 1 + below(90), 1 + below(4));
        int32_t dx = (int32_t)below(4), dy = (int32_t)below(4);
        pl_samples_blit(canvas, &bits, x * 4 + dx, (y - y0) * 4 + dy, ink);
        pl_bitmap_blit(plain, &bits, x * 4 + dx, y * 4 + dy, ink);
        break;
    }
    case 3: {
        bits = noise(1 + below(280), 1 + below(90), 1 + below(4));
        uint32_t left = below(4), above = below(4);
        assert_int_equal(pl_samples_of_bits(&arena, &bits, left, above, &samples, NULL), PL_OK);
        pl_samples_put(canvas, &samples, x, y - y0, ink);
        pl_bitmap_blit(plain, &bits, x * 4 + (int32_t)left, y * 4 + (int32_t)above, ink);
        break;
    }
    default: {
        bits = noise((uint32_t)w, (uint32_t)h, 3);
        struct pl_bitmap here = {bits.width, canvas->black.height, bits.stride, pl_bitmap_row(&bits, top)};
        pl_samples_reverse(canvas, &here, 0, here.height);
        pl_bitmap_blit_enlarged(plain, &bits, 0, bits.height, 0, 0, 4, 4, PL_INK_XOR);
    }
    }
}

static void drawing_on_samples_is_drawing_at_four_times_the_size(void **state)
{
    (void)state;
    srand(5);
    for (int round = 0; round < 600; round++) {
        uint32_t w = 1 + below(300), h = 1 + below(60), left = below(100), bands = 1 + below(3);
        uint32_t band = (h + bands - 1) / bands, more = below(70);
        struct pl_grey page;
        struct pl_bitmap plain, black;
        struct pl_samples canvas;
        bool move = round % 2;
        struct pl_grey_map map = {w + left + more, h, 1, left, below(2), below(2), PL_ROT_N};
        assert_int_equal(pl_grey_new(&arena, move ? map.width : w, h, &page, NULL), PL_OK);
        assert_int_equal(pl_bitmap_new(&arena, w * 4, h * 4, &plain, NULL), PL_OK);
        assert_int_equal(pl_bitmap_new(&arena, w, h, &black, NULL), PL_OK);
        if (!move)
            black = page.black;
        assert_int_equal(pl_samples_new(&arena, band, &canvas, NULL), PL_OK);
        int operations = (int)below(12);
        for (uint32_t top = 0; top < h; top += band) {
            // The same operations on each band.
            srand((unsigned)round);
            memset(plain.words, 0, (size_t)plain.stride * plain.height * 8);
            canvas.black = (struct pl_bitmap){w, PL_MIN(band, h - top), black.stride, pl_bitmap_row(&black, top)};
            for (int i = 0; i < operations; i++)
                draw_something(&canvas, &plain, top);
            pl_samples_count(&canvas, &page, top, move ? &map : NULL);
            assert_false(canvas.failed);
        }
        for (uint32_t y = 0; y < h; y++) {
            for (uint32_t x = 0; x < w; x++) {
                uint32_t to_x = move ? left + x : x, to_y = y;
                if (move && map.mirrored != map.upside_down)
                    to_x = map.width - 1 - to_x;
                if (move && map.upside_down)
                    to_y = h - 1 - y;
                assert_int_equal(pl_grey_get(&page, to_x, to_y), shade_of(&plain, x, y));
            }
        }
        // Nothing beside it.
        for (uint32_t y = 0; move && y < h; y++) {
            for (uint32_t x = 0; x < map.width; x++) {
                uint32_t from = map.mirrored != map.upside_down ? map.width - 1 - x : x;
                if (from < left || from >= left + w)
                    assert_int_equal(pl_grey_get(&page, x, y), 255);
            }
        }
        pl_arena_reset(&arena, (size_t)8 << 20);
        srand((unsigned)round * 7 + 1);
    }
}

static void a_canvas_without_memory_says_so(void **state)
{
    (void)state;
    struct pl_arena small;
    struct pl_samples canvas;
    struct pl_bitmap bits = noise(400, 400, 2), black;
    pl_arena_init(&small, 1 << 13);
    assert_int_equal(pl_bitmap_new(&arena, 640, 100, &black, NULL), PL_OK);
    assert_int_equal(pl_samples_new(&small, 100, &canvas, NULL), PL_OK);
    canvas.black = black;
    pl_samples_blit(&canvas, &bits, 3, 3, PL_INK_BLACK);
    assert_true(canvas.failed);
    pl_arena_fini(&small);
    pl_arena_reset(&arena, (size_t)8 << 20);
}

static void pages_of_shades_are_enlarged_and_turned(void **state)
{
    (void)state;
    srand(9);
    for (int round = 0; round < 400; round++) {
        uint32_t w = 1 + below(150), h = 1 + below(150), dot = 1 + below(2), left = below(70);
        uint32_t greys = below(2 * w), inked = 1 + below(2 * h); // parts have two colours or are white
        struct pl_grey page, turned;
        static uint8_t row[150];
        assert_int_equal(pl_grey_new(&arena, w, h, &page, NULL), PL_OK);
        for (uint32_t y = 0; y < h; y++) {
            for (uint32_t x = 0; x < w; x++)
                row[x] = x < greys && (round % 2 || below(3) == 0) ? SHADES[below(17)] : below(2) ? 0 : 255;
            if (below(3) != 0 && y < inked)
                assert_int_equal(pl_grey_put_row(&arena, &page, y, row, NULL), PL_OK);
        }
        struct pl_grey_map map = {left + w * dot - below(2), h * dot, dot, left, below(2), below(2),
                                  (enum pl_rotation)below(4)};
        map.width = PL_MAX(map.width, 1u);
        assert_int_equal(pl_grey_turn(&arena, &scratch, &page, &map, NULL, &turned, NULL), PL_OK);
        for (uint32_t y = 0; y < map.height; y++) {
            for (uint32_t x = 0; x < map.width; x++) {
                uint8_t wanted = x < left ? 255 : pl_grey_get(&page, (x - left) / dot, y / dot);
                uint32_t tx = map.mirrored ? map.width - 1 - x : x, ty = y, t;
                if (map.upside_down)
                    tx = map.width - 1 - tx, ty = map.height - 1 - ty;
                if (map.rotation == PL_ROT_I)
                    tx = map.width - 1 - tx, ty = map.height - 1 - ty;
                if (map.rotation == PL_ROT_R)
                    t = tx, tx = map.height - 1 - ty, ty = t;
                if (map.rotation == PL_ROT_B)
                    t = tx, tx = ty, ty = map.width - 1 - t;
                assert_int_equal(pl_grey_get(&turned, tx, ty), wanted);
            }
        }
        pl_arena_reset(&arena, (size_t)8 << 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawing_on_samples_is_drawing_at_four_times_the_size),
        cmocka_unit_test(a_canvas_without_memory_says_so),
        cmocka_unit_test(pages_of_shades_are_enlarged_and_turned),
    };
    pl_arena_init(&arena, (size_t)256 << 20);
    pl_arena_init(&scratch, (size_t)64 << 20);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pl_arena_fini(&arena);
    pl_arena_fini(&scratch);
    return failed;
}
