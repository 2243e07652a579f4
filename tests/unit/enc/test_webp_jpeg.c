// Unit tests of the WebP and JPEG encoders: what they write is read back by the libraries' own decoders.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <webp/decode.h>

#include "enc/enc.h"
#include "enc/huffman.h"
#include "unit.h"

static struct pl_arena arena;
static struct pl_buf out;

static int setup(void **state)
{
    (void)state;
    pl_arena_init(&arena, (size_t)256 << 20);
    pl_buf_init(&out, (size_t)64 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    pl_buf_fini(&out);
    return 0;
}

static struct pl_bitmap blank(uint32_t width, uint32_t height)
{
    struct pl_bitmap bm = {width, height, (width + 63) / 64, NULL};
    bm.words = pl_arena_zalloc(&arena, (size_t)bm.stride * height * 8, 8);
    assert_non_null(bm.words);
    return bm;
}

static void assert_webp_shows(const struct pl_bitmap *bm)
{
    struct pl_page page = {.bits = bm, .density = 7992};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_webp_encode(&page, &arena, &out, &err), PL_OK);
    int width, height;
    uint8_t *rgb = WebPDecodeRGB(out.data, out.len, &width, &height);
    assert_non_null(rgb);
    assert_int_equal(width, bm->width);
    assert_int_equal(height, bm->height);
    for (uint32_t y = 0; y < bm->height; y++) {
        for (uint32_t x = 0; x < bm->width; x++) {
            const uint8_t *p = rgb + ((size_t)y * bm->width + x) * 3;
            uint8_t want = pl_bitmap_get(bm, x, y) ? 0 : 255;
            if (p[0] != want || p[1] != want || p[2] != want)
                fail_msg("dot %u,%u is %d, not %d", x, y, p[0], want);
        }
    }
    WebPFree(rgb);
}

static void webp_of_blank_black_and_odd_sizes(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1},  {7, 3},      {8, 8},   {9, 1},    {64, 2},
                                        {65, 5}, {812, 1218}, {1, 500}, {16383, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct pl_bitmap bm = blank(sizes[i][0], sizes[i][1]);
        assert_webp_shows(&bm);
        for (uint32_t y = 0; y < bm.height; y++) {
            for (uint32_t x = 0; x < bm.width; x++)
                pl_bitmap_set(&bm, x, y);
        }
        assert_webp_shows(&bm);
    }
}

static void webp_of_random_pictures(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 200; round++) {
        struct pl_bitmap bm = blank(1 + (uint32_t)rand() % 300, 1 + (uint32_t)rand() % 60);
        int density = 1 + rand() % 40;
        for (uint32_t y = 0; y < bm.height; y++) {
            for (uint32_t x = 0; x < bm.width; x++) {
                bool repeat = y > 0 && rand() % 8 != 0;
                if (repeat ? pl_bitmap_get(&bm, x, y - 1) : rand() % density == 0)
                    pl_bitmap_set(&bm, x, y);
            }
        }
        assert_webp_shows(&bm);
    }
}

static void webp_refuses_more_than_its_largest_side(void **state)
{
    (void)state;
    struct pl_bitmap bm = blank(16384, 1);
    struct pl_page page = {.bits = &bm};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_webp_encode(&page, &arena, &out, &err), PL_E_INVALID);
    assert_non_null(strstr(err.message, "16383"));
}

static void webp_of_grey_is_lossless(void **state)
{
    (void)state;
    struct pl_grey grey = {200, 100, NULL};
    grey.dots = pl_arena_alloc(&arena, 200 * 100, 1);
    for (uint32_t i = 0; i < 200 * 100; i++)
        grey.dots[i] = (uint8_t)((i * 7 + i / 200) % 17 * 255 / 16);
    struct pl_page page = {.grey = &grey};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_webp_encode(&page, &arena, &out, &err), PL_OK);
    int width, height;
    uint8_t *rgb = WebPDecodeRGB(out.data, out.len, &width, &height);
    assert_non_null(rgb);
    for (uint32_t i = 0; i < 200 * 100; i++)
        assert_int_equal(rgb[i * 3], grey.dots[i]);
    WebPFree(rgb);
}

static void jpeg_has_size_density_and_picture(void **state)
{
    (void)state;
    struct pl_bitmap bm = blank(200, 120);
    for (uint32_t y = 20; y < 100; y++) {
        for (uint32_t x = 43; x < 165; x++)
            pl_bitmap_set(&bm, x, y);
    }
    struct pl_page page = {.bits = &bm, .density = 7992};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_jpeg_encode(&page, 90, &arena, &out, &err), PL_OK);
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, out.data, out.len);
    jpeg_read_header(&info, TRUE);
    assert_int_equal(info.X_density, 203);
    assert_int_equal(info.num_components, 1);
    jpeg_start_decompress(&info);
    assert_int_equal(info.output_width, 200);
    assert_int_equal(info.output_height, 120);
    uint8_t row[200];
    JSAMPROW line = row;
    while (info.output_scanline < info.output_height) {
        uint32_t y = info.output_scanline;
        jpeg_read_scanlines(&info, &line, 1);
        for (uint32_t x = 0; x < 200; x++)
            assert_int_equal(row[x] < 128, pl_bitmap_get(&bm, x, y));
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
}

static void huffman_lengths_fill_the_code_space_and_hold_the_limit(void **state)
{
    (void)state;
    srand(3);
    for (int round = 0; round < 500; round++) {
        uint32_t counts[PL_HUFFMAN_MAX_SYMBOLS] = {0};
        uint8_t lengths[PL_HUFFMAN_MAX_SYMBOLS];
        unsigned n = 2 + (unsigned)rand() % (PL_HUFFMAN_MAX_SYMBOLS - 1), max_bits = n > 100 ? 15 : 7;
        uint32_t fib = 1, before = 1;
        for (unsigned i = 0; i < n; i++) {
            counts[i] = round % 2 ? (uint32_t)rand() % 1000 : fib;
            uint32_t next = fib > 1u << 28 ? 1 : fib + before;
            before = fib;
            fib = next;
        }
        counts[0] = counts[1] = 1;
        pl_huffman_lengths(counts, n, max_bits, lengths);
        uint32_t kraft = 0;
        for (unsigned i = 0; i < n; i++) {
            assert_true(lengths[i] <= max_bits);
            assert_int_equal(lengths[i] != 0, counts[i] != 0);
            if (lengths[i])
                kraft += 1u << (15 - lengths[i]);
        }
        assert_int_equal(kraft, 1u << 15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(webp_of_blank_black_and_odd_sizes),
        cmocka_unit_test(webp_of_random_pictures),
        cmocka_unit_test(webp_refuses_more_than_its_largest_side),
        cmocka_unit_test(webp_of_grey_is_lossless),
        cmocka_unit_test(jpeg_has_size_density_and_picture),
        cmocka_unit_test(huffman_lengths_fill_the_code_space_and_hold_the_limit),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
