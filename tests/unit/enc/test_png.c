// PNG read back by libpng: what went in comes out, whatever the picture.
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "base/deflate.h"
#include "enc/enc.h"
#include "unit.h"

static uint64_t seed = 7;
static uint32_t next_random(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static struct pl_arena arena, scratch;
static struct pl_buf out;

static int setup(void **state)
{
    (void)state;
    pl_arena_init(&arena, (size_t)256 << 20);
    pl_arena_init(&scratch, (size_t)256 << 20);
    pl_buf_init(&out, (size_t)256 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    pl_arena_fini(&scratch);
    pl_buf_fini(&out);
    return 0;
}

static uint8_t *decode(uint32_t *width, uint32_t *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, out.data, out.len))
        fail_msg("libpng: %s", image.message);
    image.format = PNG_FORMAT_GRAY;
    uint8_t *dots = malloc(PNG_IMAGE_SIZE(image) + 1);
    assert_non_null(dots);
    if (!png_image_finish_read(&image, NULL, dots, 0, NULL))
        fail_msg("libpng: %s", image.message);
    *width = image.width;
    *height = image.height;
    return dots;
}

static void round_trip(const struct pl_bitmap *bits)
{
    struct pl_canvas page = {.bits = bits, .density = 8000};
    struct pl_error err;
    pl_buf_clear(&out);
    if (pl_png_encode(&page, &scratch, &out, &err) != PL_OK)
        fail_msg("%s", err.message);
    uint32_t w, h;
    uint8_t *dots = decode(&w, &h);
    assert_int_equal(w, bits->width);
    assert_int_equal(h, bits->height);
    for (uint32_t y = 0; y < h; y++) {
        for (uint32_t x = 0; x < w; x++) {
            if ((dots[(size_t)y * w + x] == 0) != pl_bitmap_get(bits, x, y))
                fail_msg("dot %u,%u of %u x %u differs", x, y, w, h);
        }
    }
    free(dots);
}

// Rows that repeat, differ in a few dots, are runs, or noise: every way through the tokeniser.
static void pictures_of_all_kinds_come_back(void **state)
{
    (void)state;
    for (int round = 0; round < 1500; round++) {
        uint32_t w = 1 + next_random(round % 10 == 0 ? 3000 : 120), h = 1 + next_random(60);
        struct pl_bitmap bm;
        assert_int_equal(pl_bitmap_new(&arena, w, h, &bm, NULL), PL_OK);
        for (uint32_t y = 0; y < h; y++) {
            switch (next_random(6)) {
            case 0:
                for (uint32_t x = 0; x < w; x++)
                    if (next_random(2))
                        pl_bitmap_set(&bm, x, y);
                break;
            case 1:
                pl_bitmap_fill(&bm, (struct pl_box){(int32_t)next_random(w), (int32_t)y, (int32_t)w, (int32_t)y + 1},
                               PL_INK_BLACK);
                break;
            case 2:
                break;
            default:
                if (y > 0)
                    memcpy(pl_bitmap_row(&bm, y), pl_bitmap_row(&bm, y - 1), bm.stride * 8);
                if (next_random(3) == 0)
                    pl_bitmap_set(&bm, next_random(w), y);
            }
        }
        round_trip(&bm);
        pl_arena_reset(&arena, (size_t)8 << 20);
    }
}

static void a_blank_label_is_tiny(void **state)
{
    (void)state;
    struct pl_bitmap bm;
    assert_int_equal(pl_bitmap_new(&arena, 812, 1218, &bm, NULL), PL_OK);
    round_trip(&bm);
    assert_in_range(out.len, 60, 600);
    pl_bitmap_fill(&bm, (struct pl_box){0, 0, 812, 1218}, PL_INK_BLACK);
    round_trip(&bm);
}

static void noise_takes_many_blocks(void **state)
{
    (void)state;
    struct pl_bitmap bm;
    assert_int_equal(pl_bitmap_new(&arena, 1000, 1000, &bm, NULL), PL_OK);
    for (uint32_t y = 0; y < 1000; y++)
        for (uint32_t x = 0; x < 1000; x++)
            if (next_random(2))
                pl_bitmap_set(&bm, x, y);
    round_trip(&bm);
    assert_in_range(out.len, 100000, 140000);
}

static void rows_wider_than_the_window_come_back(void **state)
{
    (void)state;
    struct pl_bitmap bm;
    assert_int_equal(pl_bitmap_new(&arena, 270000, 4, &bm, NULL), PL_OK);
    pl_bitmap_fill(&bm, (struct pl_box){10, 1, 260001, 3}, PL_INK_BLACK);
    round_trip(&bm);
}

static void grey_round_trip(const struct pl_grey *grey)
{
    struct pl_canvas page = {.grey = grey, .density = 8000};
    pl_buf_clear(&out);
    assert_int_equal(pl_png_encode(&page, &scratch, &out, NULL), PL_OK);
    uint32_t w, h;
    uint8_t *dots = decode(&w, &h);
    assert_int_equal(w, grey->width);
    assert_int_equal(h, grey->height);
    for (uint32_t i = 0; i < w * h; i++)
        assert_int_equal(dots[i], pl_grey_get(grey, i % w, i / w));
    free(dots);
}

static void grey_comes_back(void **state)
{
    (void)state;
    for (int round = 0; round < 400; round++) {
        struct pl_grey grey;
        uint32_t w = 1 + next_random(round % 10 == 0 ? 2000 : 60), h = 1 + next_random(60);
        assert_int_equal(pl_grey_new(&arena, w, h, &grey, NULL), PL_OK);
        static uint8_t row[2000]; // begins as the one above
        memset(row, 255, sizeof row);
        for (uint32_t y = 0; y < h; y++) {
            uint32_t kind = next_random(6);
            if (kind == 1)
                memset(row, 255, w);
            for (uint32_t x = 0; x < w && kind == 5; x++)
                row[x] = next_random(9) == 0 ? (uint8_t)~row[x] : row[x] > 127 ? 255 : 0;
            for (uint32_t x = 0; x < w && kind == 0; x++)
                row[x] = (uint8_t)next_random(256);
            if (kind == 2)
                row[next_random(w)] = (uint8_t)next_random(256);
            if (kind == 3)
                memset(row, (int)next_random(256), 1 + next_random(w));
            assert_int_equal(pl_grey_put_row(&arena, &grey, y, row, NULL), PL_OK);
        }
        grey_round_trip(&grey);
        pl_arena_reset(&arena, (size_t)8 << 20);
    }
    struct pl_grey wide;
    assert_int_equal(pl_grey_new(&arena, 40000, 3, &wide, NULL), PL_OK);
    static uint8_t row[40000];
    memset(row, 7, 30000);
    assert_int_equal(pl_grey_put_row(&arena, &wide, 1, row, NULL), PL_OK);
    grey_round_trip(&wide);
}

static void the_head_says_depth_and_density(void **state)
{
    (void)state;
    struct pl_bitmap bm;
    assert_int_equal(pl_bitmap_new(&arena, 812, 10, &bm, NULL), PL_OK);
    round_trip(&bm);
    static const uint8_t HEAD[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0,  0, 0, 13, 'I', 'H', 'D',
                                   'R',  0,   0,   3,   0x2C, 0,    0,    0,    10, 1, 0, 0,  0,   0};
    assert_memory_equal(out.data, HEAD, sizeof HEAD);
    static const uint8_t PHYS[] = {0, 0, 0, 9, 'p', 'H', 'Y', 's', 0, 0, 0x1F, 0x40, 0, 0, 0x1F, 0x40, 1};
    assert_memory_equal(out.data + 33, PHYS, sizeof PHYS);
}

static void no_dots_is_refused(void **state)
{
    (void)state;
    struct pl_bitmap bm = {0};
    struct pl_canvas page = {.bits = &bm, .density = 8000};
    assert_int_equal(pl_png_encode(&page, &scratch, &out, NULL), PL_E_INVALID);
}

static void a_full_buffer_is_an_error_not_a_torn_file(void **state)
{
    (void)state;
    struct pl_bitmap bm;
    assert_int_equal(pl_bitmap_new(&arena, 500, 500, &bm, NULL), PL_OK);
    for (uint32_t i = 0; i < 500 * 500; i += 3)
        pl_bitmap_set(&bm, i % 500, i / 500);
    struct pl_canvas page = {.bits = &bm, .density = 8000};
    for (size_t max = 0; max < 2000; max += 37) {
        struct pl_buf small;
        pl_buf_init(&small, max);
        assert_int_not_equal(pl_png_encode(&page, &scratch, &small, NULL), PL_OK);
        pl_buf_fini(&small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_all_kinds_come_back),
        cmocka_unit_test(a_blank_label_is_tiny),
        cmocka_unit_test(noise_takes_many_blocks),
        cmocka_unit_test(rows_wider_than_the_window_come_back),
        cmocka_unit_test(grey_comes_back),
        cmocka_unit_test(the_head_says_depth_and_density),
        cmocka_unit_test(no_dots_is_refused),
        cmocka_unit_test(a_full_buffer_is_an_error_not_a_torn_file),
    };
    return cmocka_run_group_tests_name("png", tests, setup, teardown);
}
