// Unit tests of the WebP and JPEG encoders: what they write is read back by the libraries' own decoders.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <webp/decode.h>

#include "enc/enc.h"
#include "enc/huffman.h"
#include "enc/jpeg_codes.h"
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
    struct pl_canvas page = {.bits = bm, .density = 7992};
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
    struct pl_canvas page = {.bits = &bm};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_webp_encode(&page, &arena, &out, &err), PL_E_INVALID);
    assert_non_null(strstr(err.message, "16383"));
}

static struct pl_grey grey_of(uint32_t width, uint32_t height, const uint8_t *dots)
{
    struct pl_grey grey;
    assert_int_equal(pl_grey_new(&arena, width, height, &grey, NULL), PL_OK);
    for (uint32_t y = 0; y < height; y++)
        assert_int_equal(pl_grey_put_row(&arena, &grey, y, dots + (size_t)y * width, NULL), PL_OK);
    return grey;
}

static void assert_grey_webp(uint32_t width, uint32_t height, const uint8_t *dots)
{
    struct pl_grey grey = grey_of(width, height, dots);
    struct pl_canvas page = {.grey = &grey};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_webp_encode(&page, &arena, &out, &err), PL_OK);
    int w, h;
    uint8_t *rgb = WebPDecodeRGB(out.data, out.len, &w, &h);
    assert_non_null(rgb);
    assert_int_equal(w, width);
    assert_int_equal(h, height);
    for (uint32_t i = 0; i < width * height; i++) {
        assert_int_equal(rgb[i * 3], dots[i]);
        assert_int_equal(rgb[i * 3 + 1], dots[i]);
        assert_int_equal(rgb[i * 3 + 2], dots[i]);
    }
    WebPFree(rgb);
}

static void webp_of_grey_is_lossless(void **state)
{
    (void)state;
    static uint8_t dots[300 * 100];
    srand(11);
    for (int round = 0; round < 200; round++) {
        struct pl_arena_mark mark = pl_arena_mark(&arena);
        // From one shade to all, few of them to many, rows that repeat.
        uint32_t width = 1 + (uint32_t)rand() % 300, height = 1 + (uint32_t)rand() % 100;
        int shades = round % 3 == 0 ? 1 + rand() % 3 : round % 3 == 1 ? 17 : 256, density = 1 + rand() % 20;
        for (uint32_t i = 0; i < width * height; i++) {
            bool repeat = i >= width && i / width % 3 != 0;
            dots[i] = repeat                  ? dots[i - width]
                      : rand() % density == 0 ? (uint8_t)(255 - rand() % shades * 255 / shades)
                      : i > 0                 ? dots[i - 1]
                                              : 255;
        }
        assert_grey_webp(width, height, dots);
        pl_arena_release(&arena, mark);
    }
}

// Reads `out` back with libjpeg; the dots are the caller's to free.
static uint8_t *read_jpeg(uint32_t width, uint32_t height, unsigned density)
{
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, out.data, out.len);
    assert_int_equal(jpeg_read_header(&info, TRUE), JPEG_HEADER_OK);
    assert_int_equal(info.density_unit, 1);
    assert_int_equal(info.X_density, density);
    assert_int_equal(info.Y_density, density);
    assert_int_equal(info.num_components, 1);
    jpeg_start_decompress(&info);
    assert_int_equal(info.output_width, width);
    assert_int_equal(info.output_height, height);
    uint8_t *dots = malloc((size_t)width * height);
    assert_non_null(dots);
    while (info.output_scanline < height) {
        JSAMPROW line = dots + (size_t)info.output_scanline * width;
        jpeg_read_scanlines(&info, &line, 1);
    }
    jpeg_finish_decompress(&info);
    assert_int_equal(errors.num_warnings, 0);
    jpeg_destroy_decompress(&info);
    return dots;
}

static uint8_t shade_at(const struct pl_canvas *page, uint32_t x, uint32_t y)
{
    return page->grey ? pl_grey_get(page->grey, x, y) : pl_bitmap_get(page->bits, x, y) ? 0 : 255;
}

// What libjpeg itself makes of the page, with the same quality: the yardstick.
static double libjpeg_error(const struct pl_canvas *page, uint32_t width, uint32_t height, int quality, size_t *size)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &length);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 1;
    info.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.density_unit = 1;
    info.X_density = info.Y_density = 203;
    jpeg_start_compress(&info, TRUE);
    uint8_t *row = malloc(width);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            row[x] = shade_at(page, x, y);
        JSAMPROW line = row;
        jpeg_write_scanlines(&info, &line, 1);
    }
    free(row);
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    struct pl_buf ours = out;
    out = (struct pl_buf){.data = bytes, .len = length};
    uint8_t *dots = read_jpeg(width, height, 203);
    out = ours;
    *size = length;
    free(bytes);
    double sum = 0;
    for (uint32_t i = 0; i < width * height; i++) {
        double e = (double)dots[i] - shade_at(page, i % width, i / width);
        sum += e * e;
    }
    free(dots);
    return sum;
}

static void compare_with_libjpeg(const struct pl_canvas *page, uint32_t width, uint32_t height, int quality)
{
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_jpeg_encode(page, (unsigned)quality, &arena, &out, &err), PL_OK);
    uint8_t *dots = read_jpeg(width, height, 203);
    double sum = 0;
    for (uint32_t i = 0; i < width * height; i++) {
        double e = (double)dots[i] - shade_at(page, i % width, i / width);
        sum += e * e;
    }
    free(dots);
    size_t size;
    double theirs = libjpeg_error(page, width, height, quality, &size);
    // No worse than libjpeg's own, but for what chance does to a small picture.
    if (sum > theirs * 1.05 + 0.05 * width * height + 40)
        fail_msg("%u x %u, quality %d: error %.0f, libjpeg's %.0f", width, height, quality, sum, theirs);
    if (quality >= 50 && width * height > 10000 && out.len > size * 1.1 + 200)
        fail_msg("%u x %u, quality %d: %zu bytes, libjpeg's %zu", width, height, quality, out.len, size);
}

static void jpeg_has_size_density_and_picture(void **state)
{
    (void)state;
    struct pl_bitmap bm = blank(200, 120);
    for (uint32_t y = 20; y < 100; y++) {
        for (uint32_t x = 43; x < 165; x++)
            pl_bitmap_set(&bm, x, y);
    }
    struct pl_canvas page = {.bits = &bm, .density = 7992};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_jpeg_encode(&page, 90, &arena, &out, &err), PL_OK);
    uint8_t *dots = read_jpeg(200, 120, 203);
    for (uint32_t i = 0; i < 200 * 120; i++)
        assert_int_equal(dots[i] < 128, pl_bitmap_get(&bm, i % 200, i / 200));
    free(dots);
}

// Frames, bars, noise and solid parts, also at edges that are no whole blocks.
static void draw_something(struct pl_bitmap *bm, unsigned kind)
{
    for (uint32_t y = 0; y < bm->height; y++) {
        for (uint32_t x = 0; x < bm->width; x++) {
            bool ink = kind == 0   ? false
                       : kind == 1 ? true
                       : kind == 2 ? x < 3 || y < 3 || x + 3 >= bm->width || y + 3 >= bm->height
                       : kind == 3 ? x / 3 % 2 == 0 && y % 40 < 30
                       : kind == 4 ? rand() % 2 == 0
                                   : (x * x + y * y) % 8192 < 4096;
            if (ink)
                pl_bitmap_set(bm, x, y);
        }
    }
}

static void jpeg_of_all_sizes_and_qualities_is_as_good_as_libjpegs(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1},   {7, 3},    {8, 8},     {9, 17},   {63, 10},
                                        {64, 64}, {65, 100}, {300, 200}, {777, 50}, {128, 800}};
    static const int qualities[] = {1, 25, 50, 75, 90, 95, 100};
    srand(7);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned kind = 0; kind < 6; kind++) {
            struct pl_arena_mark mark = pl_arena_mark(&arena);
            struct pl_bitmap bm = blank(sizes[i][0], sizes[i][1]);
            draw_something(&bm, kind);
            struct pl_canvas page = {.bits = &bm, .density = 7992};
            int quality = qualities[(i + kind) % 7];
            compare_with_libjpeg(&page, bm.width, bm.height, quality);
            // The same in shades.
            uint8_t *dots = pl_arena_alloc(&arena, (size_t)bm.width * bm.height, 1);
            assert_non_null(dots);
            for (uint32_t k = 0; k < bm.width * bm.height; k++)
                dots[k] =
                    kind == 4
                        ? (uint8_t)rand()
                        : (uint8_t)(shade_at(&page, k % bm.width, k / bm.width) / 255 * 200 + k / bm.width % 5 * 13);
            struct pl_grey grey = grey_of(bm.width, bm.height, dots);
            struct pl_canvas shades = {.grey = &grey, .density = 7992};
            compare_with_libjpeg(&shades, bm.width, bm.height, quality);
            pl_arena_release(&arena, mark);
        }
    }
}

static void jpeg_refuses_more_than_its_largest_side(void **state)
{
    (void)state;
    struct pl_bitmap bm = blank(65501, 1);
    struct pl_canvas page = {.bits = &bm};
    struct pl_error err;
    pl_buf_clear(&out);
    assert_int_equal(pl_jpeg_encode(&page, 90, &arena, &out, &err), PL_E_INVALID);
    assert_non_null(strstr(err.message, "65500"));
}

static void jpeg_with_too_little_room_fails(void **state)
{
    (void)state;
    struct pl_bitmap bm = blank(800, 800);
    draw_something(&bm, 4);
    struct pl_canvas page = {.bits = &bm, .density = 7992};
    struct pl_error err;
    for (size_t max = 1; max < 100000; max += max / 3 + 1) {
        struct pl_buf small;
        pl_buf_init(&small, max);
        assert_int_not_equal(pl_jpeg_encode(&page, 90, &arena, &small, &err), PL_OK);
        pl_buf_fini(&small);
    }
}

static void every_jpeg_symbol_has_a_code_and_none_is_all_ones(void **state)
{
    (void)state;
    const struct pl_jpeg_table *tables[2] = {&pl_jpeg_dc, &pl_jpeg_ac};
    for (int t = 0; t < 2; t++) {
        uint32_t space = 0, count = 0;
        bool seen[256] = {false};
        for (unsigned length = 1; length <= 16; length++) {
            space += (uint32_t)tables[t]->counts[length - 1] << (16 - length);
            count += tables[t]->counts[length - 1];
        }
        assert_true(space < 1u << 16);
        assert_int_equal(count, tables[t]->symbol_count);
        for (unsigned i = 0; i < count; i++) {
            assert_false(seen[tables[t]->symbols[i]]);
            seen[tables[t]->symbols[i]] = true;
        }
        for (unsigned run = 0; run < (t ? 16 : 1); run++) {
            for (unsigned size = t; size <= (t ? 10 : 11); size++)
                assert_true(seen[run * 16 + size]);
        }
        assert_true(!t || (seen[PL_JPEG_END_OF_BLOCK] && seen[PL_JPEG_SIXTEEN_ZEROS]));
    }
}

static enum pl_errc encode_jpeg_90(const struct pl_canvas *page, struct pl_arena *scratch, struct pl_buf *to,
                                   struct pl_error *err)
{
    return pl_jpeg_encode(page, 90, scratch, to, err);
}

// A page that is too late or not wanted any more ends on the way, in every format.
static void encoders_heed_the_job(void **state)
{
    (void)state;
    typedef enum pl_errc encode_fn(const struct pl_canvas *, struct pl_arena *, struct pl_buf *, struct pl_error *);
    static encode_fn *const encoders[] = {pl_png_encode, pl_png_zlib, pl_webp_encode, encode_jpeg_90};
    struct pl_bitmap bm = blank(4096, 4096);
    uint8_t *dots = pl_arena_alloc(&arena, (size_t)2048 * 2048, 1);
    assert_non_null(dots);
    memset(dots, 200, (size_t)2048 * 2048);
    struct pl_grey grey = grey_of(2048, 2048, dots);
    atomic_bool cancelled = true;
    const struct pl_job late = {.deadline_ns = 1}, unwanted = {.cancelled = &cancelled};
    for (size_t i = 0; i < sizeof encoders / sizeof encoders[0]; i++) {
        for (int kind = 0; kind < 4; kind++) {
            struct pl_canvas page = {.bits = kind & 1 ? NULL : &bm,
                                     .grey = kind & 1 ? &grey : NULL,
                                     .density = 7992,
                                     .job = kind & 2 ? &late : &unwanted};
            struct pl_error err;
            struct pl_arena_mark mark = pl_arena_mark(&arena);
            pl_buf_clear(&out);
            assert_int_equal(encoders[i](&page, &arena, &out, &err), kind & 2 ? PL_E_DEADLINE : PL_E_CANCELLED);
            pl_arena_release(&arena, mark);
        }
    }
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
        cmocka_unit_test(jpeg_of_all_sizes_and_qualities_is_as_good_as_libjpegs),
        cmocka_unit_test(jpeg_refuses_more_than_its_largest_side),
        cmocka_unit_test(jpeg_with_too_little_room_fails),
        cmocka_unit_test(every_jpeg_symbol_has_a_code_and_none_is_all_ones),
        cmocka_unit_test(encoders_heed_the_job),
        cmocka_unit_test(huffman_lengths_fill_the_code_space_and_hold_the_limit),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
