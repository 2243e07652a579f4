// Picture decoders by themselves: kinds, damage, limits, time.
#include "unit.h"

#include <string.h>

#include "img/img.h"
#include "img/inflate.h"

static void inflating_stops_at_the_buffer(void **state)
{
    (void)state;
    // 200 bytes 'a', compressed by zlib.
    static const uint8_t PACKED[] = {0x78, 0x9c, 0x4b, 0x4c, 0x1c, 0x1e, 0x00, 0x00, 0xc2, 0x7f, 0x4b, 0xc9};
    uint8_t out[300];
    size_t written;
    memset(out, 0, sizeof(out));
    enum pl_inflate_result r = pl_inflate(pl_slice_make(PACKED, sizeof(PACKED)), out, 50, &written);
    assert_int_equal(r, PL_INFLATE_TOO_LONG);
    assert_int_equal(written, 50);
    // What fits is there: short buffers keep the start of the data.
    assert_int_equal(out[0], 'a');
    assert_int_equal(out[50], 0);
    r = pl_inflate(pl_slice_make(PACKED, sizeof(PACKED)), out, sizeof(out), &written);
    assert_int_equal(r, PL_INFLATE_OK);
    assert_int_equal(written, 200);
    for (size_t i = 0; i < sizeof(out); i++)
        assert_int_equal(out[i], i < 200 ? 'a' : 0);
    uint8_t damaged[sizeof(PACKED)];
    memcpy(damaged, PACKED, sizeof(PACKED));
    damaged[sizeof(PACKED) - 1] ^= 1; // the checksum
    assert_int_equal(pl_inflate(pl_slice_make(damaged, sizeof(damaged)), out, sizeof(out), &written), PL_INFLATE_BAD);
    assert_int_equal(pl_inflate(pl_slice_make("junk", 4), out, sizeof(out), &written), PL_INFLATE_BAD);
}

// 3 x 2 dots of one bit, bottom row first: black, white, black above three white ones.
static const uint8_t BMP[] = {'B', 'M', 70, 0, 0, 0, 0, 0, 0, 0, 62,  0,   0,   0, 40,   0, 0, 0, 3,    0, 0, 0, 2, 0,
                              0,   0,   1,  0, 1, 0, 0, 0, 0, 0, 8,   0,   0,   0, 0,    0, 0, 0, 0,    0, 0, 0, 2, 0,
                              0,   0,   0,  0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 0, 0xE0, 0, 0, 0, 0x40, 0, 0, 0};

// They were called damaged.
static void bmp_of_os2_is_read(void **state)
{
    (void)state;
    // The dots of BMP above, with both headers of OS/2.
    static const uint8_t OLD[] = {'B', 'M', 40, 0, 0, 0, 0, 0, 0, 0,   32,  0,   0,    0, 12, 0, 0,    0, 3, 0,
                                  2,   0,   1,  0, 1, 0, 0, 0, 0, 255, 255, 255, 0xE0, 0, 0,  0, 0x40, 0, 0, 0};
    static const uint8_t SHORT[] = {'B', 'M', 46,  0,   0,   0, 0,    0, 0, 0, 38,   0, 0, 0, 16, 0,
                                    0,   0,   3,   0,   0,   0, 2,    0, 0, 0, 1,    0, 1, 0, 0,  0,
                                    0,   0,   255, 255, 255, 0, 0xE0, 0, 0, 0, 0x40, 0, 0, 0};
    const struct pl_slice files[] = {pl_slice_make(OLD, sizeof OLD), pl_slice_make(SHORT, sizeof SHORT)};
    for (size_t i = 0; i < 2; i++) {
        struct pl_arena arena;
        pl_arena_init(&arena, 1 << 20);
        struct pl_img_env env = {.arena = &arena, .limit = 1000};
        struct pl_error err;
        const struct pl_bitmap *bits;
        const char *why = NULL;
        assert_int_equal(pl_img_decode(&env, files[i], &bits, &why, &err), PL_OK);
        assert_null(why);
        assert_true(bits->width == 3 && bits->height == 2);
        assert_true(pl_bitmap_row(bits, 0)[0] == UINT64_C(5) << 61 && pl_bitmap_row(bits, 1)[0] == 0);
        for (size_t len = 2; len < files[i].len; len++) { // what breaks off is refused
            assert_int_equal(pl_img_decode(&env, pl_slice_make(files[i].ptr, len), &bits, &why, &err), PL_OK);
            assert_non_null(why);
        }
        pl_arena_fini(&arena);
    }
}

static void a_picture_becomes_dots_and_counts(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    struct pl_img_env env = {.arena = &arena, .limit = 1000};
    struct pl_error err;
    const struct pl_bitmap *bits;
    const char *why = NULL;
    struct pl_slice file = pl_slice_make(BMP, sizeof BMP);
    assert_true(pl_img_is_known(file));
    assert_int_equal(pl_img_decode(&env, file, &bits, &why, &err), PL_OK);
    assert_null(why);
    assert_true(bits->width == 3 && bits->height == 2);
    assert_true(pl_bitmap_row(bits, 0)[0] == UINT64_C(5) << 61 && pl_bitmap_row(bits, 1)[0] == 0);
    assert_int_equal(env.used, 2 + 16); // rows of a byte, then words
    // The next one is over the limit of all pictures together.
    env.limit = env.used + 10;
    assert_int_equal(pl_img_decode(&env, file, &bits, &why, &err), PL_E_LIMIT);
    pl_arena_fini(&arena);
}

static void a_damaged_file_is_no_error_and_says_why(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    struct pl_img_env env = {.arena = &arena, .limit = 1 << 20};
    struct pl_error err;
    for (size_t len = 0; len < sizeof BMP; len++) {
        const struct pl_bitmap *bits = NULL;
        const char *why = NULL;
        assert_int_equal(pl_img_is_known(pl_slice_make(BMP, len)), len >= 2);
        assert_int_equal(pl_img_decode(&env, pl_slice_make(BMP, len), &bits, &why, &err), PL_OK);
        assert_null(bits);
        assert_non_null(why);
    }
    pl_arena_fini(&arena);
}

static void no_memory_is_said(void **state)
{
    (void)state;
    for (uint64_t fail_at = 1; fail_at <= 3; fail_at++) {
        struct pl_arena arena;
        pl_arena_init(&arena, 1 << 20);
        arena.fail_at = fail_at;
        struct pl_img_env env = {.arena = &arena, .limit = 1000};
        struct pl_error err;
        const struct pl_bitmap *bits;
        const char *why = NULL;
        assert_int_equal(pl_img_decode(&env, pl_slice_make(BMP, sizeof BMP), &bits, &why, &err), PL_E_MEMORY);
        pl_arena_fini(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inflating_stops_at_the_buffer),
        cmocka_unit_test(bmp_of_os2_is_read),
        cmocka_unit_test(a_picture_becomes_dots_and_counts),
        cmocka_unit_test(a_damaged_file_is_no_error_and_says_why),
        cmocka_unit_test(no_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
