// Rules of glyphs: the cache, what lies off the label, outlines, downloaded bitmap fonts.
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

#include "font/draw/cache.h"
#include "font/draw/writer.h"
#include "font/face/bitmap_font.h"

static void cache_keeps_its_bound(void **state)
{
    (void)state;
    struct pl_cache *cache;
    assert_int_equal(pl_cache_new(100000, &cache, NULL), PL_OK);
    uint64_t words[64];
    memset(words, 0xFF, sizeof words);
    const struct pl_cached_glyph made = {3, -4, {64, 64, 1, words}, {0, 0, 0, 0}};
    for (int32_t size = 1; size < 40; size++) {
        struct pl_strike_key key = {.face = 1, .width = size, .height = size, .scale = 1};
        struct pl_strike *strike = pl_cache_strike(cache, &key);
        assert_non_null(strike);
        for (uint32_t glyph = 0; glyph < 600; glyph += 7) {
            assert_null(pl_strike_get(cache, strike, glyph));
            const struct pl_cached_glyph *kept = pl_cache_put(cache, strike, glyph, &made);
            assert_non_null(kept);
            assert_memory_equal(kept->bits.words, words, sizeof words);
            assert_ptr_equal(pl_strike_get(cache, strike, glyph), kept);
            struct pl_cache_stats stats;
            pl_cache_stats(cache, &stats);
            assert_true(stats.bytes <= stats.limit);
        }
    }
    struct pl_cache_stats stats;
    pl_cache_stats(cache, &stats);
    assert_true(stats.evictions > 10);
    pl_cache_forget_face(cache, 1);
    pl_cache_stats(cache, &stats);
    assert_int_equal(stats.bytes, 0);
    // What is larger than a quarter of the bound is not kept.
    struct pl_strike_key key = {.face = 2, .width = 1, .height = 1, .scale = 1};
    struct pl_strike *strike = pl_cache_strike(cache, &key);
    uint64_t *large = calloc(4000, sizeof *large);
    const struct pl_cached_glyph big = {0, 0, {64, 4000, 1, large}, {0, 0, 0, 0}};
    assert_null(pl_cache_put(cache, strike, 1, &big));
    free(large);
    pl_cache_free(cache);
}

static void cached_text_is_the_same_text(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 400, 60);
    for (int i = 0; i < 4; i++) {
        sheet_blank(&s, 400, 200, 1);
        WRITE(&s, .x = 50, .y = 50, .height = 33, .rotation = (enum pl_rotation)i, .text = "Cache me, 100 times");
        struct pl_bitmap first = s.canvas;
        sheet_blank(&s, 400, 200, 1);
        WRITE(&s, .x = 50, .y = 50, .height = 33, .rotation = (enum pl_rotation)i, .text = "Cache me, 100 times");
        assert_memory_equal(first.words, s.canvas.words, (size_t)first.stride * first.height * 8);
    }
    struct pl_cache_stats stats;
    pl_cache_stats(s.writer->cache, &stats);
    assert_true(stats.hits >= stats.misses && stats.bytes <= stats.limit);
    sheet_close(&s);
}

static void text_off_the_label_is_clipped(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 100, 50);
    static const int32_t places[] = {-40, -20, 0, 60, 90, 1000000, -1000000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            for (int turn = 0; turn < 4; turn++) {
                WRITE(&s, .x = places[i], .y = places[k], .height = 40, .rotation = (enum pl_rotation)turn,
                      .text = "Clip");
                WRITE(&s, .x = places[i], .y = places[k], .height = 40, .rotation = (enum pl_rotation)turn,
                      .typeset = true, .block = tb(80, 30), .text = "Clip me");
            }
    sheet_close(&s);
}

// What a label's description says of a field that is off the label was another after the same letters had been drawn.
static void ink_off_the_label_does_not_depend_on_the_cache(void **state)
{
    (void)state;
    for (uint32_t scale = 1; scale <= 4; scale += 3) {
        for (int turn = 0; turn < 4; turn++) {
            uint32_t different = 0;
            for (int32_t height = 500; height < 600; height += 7) {
                struct sheet s;
                sheet_open(&s, 500, 500);
                sheet_blank(&s, 500, 500, scale);
                const struct field off = {
                    .x = 5000, .y = 3000, .height = height, .rotation = (enum pl_rotation)turn, .text = "084"};
                struct field on = off;
                on.x = on.y = 100;
                struct pl_box fresh = sheet_write(&s, off), shown = sheet_write(&s, on), again = sheet_write(&s, off);
                assert_memory_equal(&fresh, &again, sizeof fresh);
                different += shown.x1 - shown.x0 != fresh.x1 - fresh.x0 || shown.y1 - shown.y0 != fresh.y1 - fresh.y0;
                sheet_close(&s);
            }
            assert_true(different > 0 || scale > 1); // else the cache would have nothing to tell
        }
    }
}

static void huge_glyphs_are_drawn_where_they_show(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 200);
    for (int turn = 0; turn < 4; turn++) {
        sheet_blank(&s, 200, 200, 1);
        // A stem of H, 32000 dots high, covers the whole label.
        int32_t x = turn == 0 ? -4000 : turn == 1 ? -12000 : turn == 2 ? -11000 : -12000;
        int32_t y = turn == 0 ? -12000 : turn == 1 ? -4000 : turn == 2 ? -12000 : -11000;
        WRITE(&s, .x = x, .y = y, .height = 32000, .rotation = (enum pl_rotation)turn, .text = "H");
        uint32_t ink = 0;
        for (uint32_t i = 0; i < 200; i++)
            ink += pl_bitmap_get(&s.canvas, i, i);
        assert_true(ink == 200 || ink == 0);
        assert_true(turn != 0 || ink == 200);
    }
    WRITE(&s, .height = 32000, .width = 32000, .text = "A text far too large for any label at all");
    sheet_close(&s);
}

// Draws contours of 1/100 dots into one dot of a bitmap of `size` dots each way; true when the dot at the origin is
// ink.
static bool is_ink(const int16_t *xy, uint32_t contours, bool overlaps, uint32_t size)
{
    static const uint8_t on[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const uint16_t ends[2] = {3, 7};
    struct pl_ft *ft;
    struct pl_arena arena;
    struct pl_bitmap bits;
    pl_arena_init(&arena, (size_t)64 << 20);
    assert_int_equal(pl_ft_new(NULL, &ft, NULL), PL_OK);
    assert_int_equal(pl_bitmap_new(&arena, size, size, &bits, NULL), PL_OK);
    const struct pl_outline outline = {xy, on, ends, contours * 4, contours, overlaps};
    const struct pl_outline_map map = {pl_outline_scale(1, 100), pl_outline_scale(1, 100), 0, 0};
    const struct pl_box window = {0, -(int32_t)size, (int32_t)size, 0};
    bool drawn;
    assert_int_equal(pl_ft_rasterise(ft, NULL, &outline, &map, window, false, &bits, &drawn, NULL), PL_OK);
    assert_true(drawn);
    bool ink = pl_bitmap_get(&bits, 0, size - 1);
    pl_ft_free(ft);
    pl_arena_fini(&arena);
    return ink;
}

// Two contours that cover the same 30 of 100 parts of a dot do not cover 60.
static void overlapping_contours_are_not_counted_twice(void **state)
{
    (void)state;
    static const int16_t twice[16] = {0, 0, 0, 100, 30, 100, 30, 0, 0, 0, 0, 100, 30, 100, 30, 0};
    static const int16_t apart[16] = {0, 0, 0, 100, 30, 100, 30, 0, 50, 0, 50, 100, 80, 100, 80, 0};
    assert_true(is_ink(twice, 2, false, 8)); // FreeType adds areas up
    assert_false(is_ink(twice, 2, true, 8));
    assert_false(is_ink(twice, 2, true, 1));
    assert_false(is_ink(twice, 2, true, 1000)); // in strips
    assert_true(is_ink(apart, 2, true, 8));
    assert_true(is_ink(apart, 2, true, 1000));
    assert_true(is_ink(apart, 2, true, 8000)); // too large to be enlarged
}

// Halves of 1/64 dots are rounded away from 0 on both sides, and shifts are added before.
static void outlines_are_rounded_as_freetype_does(void **state)
{
    (void)state;
    static const int16_t half[8] = {-1, -1, -1, 1, 1, 1, 1, -1};
    static const uint8_t on[4] = {1, 1, 1, 1};
    static const uint16_t ends[1] = {3};
    const struct pl_outline outline = {half, on, ends, 4, 1, false};
    struct pl_outline_map map = {pl_outline_scale(129, 128), pl_outline_scale(129, 128), 0, 0}; // 64 1/2 of 1/64
    struct pl_box box = pl_ft_dots(&outline, &map);
    assert_int_equal(box.x0, -2);
    assert_int_equal(box.x1, 2);
    map.dx = pl_outline_shift(1, 128);
    box = pl_ft_dots(&outline, &map);
    assert_int_equal(box.x0, -1);
    assert_int_equal(box.x1, 2);
    assert_int_equal(pl_outline_shift(-3, 4), -pl_outline_shift(3, 4));
}

static void bitmap_fonts_are_read(void **state)
{
    (void)state;
    struct pl_bitmap_font *font = pl_bitmap_font_parse(
        pl_slice_cstr("N,36,20,36,18,2,A "
                      "COMPANY,\r\n#0025.5.16.2.5.18.\r\n00FF\r\n00FF\r\nFF00\r\nFF00\r\nFFFF\r\n#41.2.3.-1.4.5.A0E0"),
        NULL);
    assert_non_null(font);
    assert_int_equal(pl_bitmap_font_height(font), 36);
    assert_int_equal(pl_bitmap_font_width(font), 20);
    assert_int_equal(pl_bitmap_font_baseline(font), 36);
    assert_int_equal(pl_bitmap_font_space(font), 18);
    const struct pl_bitmap_glyph *percent = pl_bitmap_font_lookup(font, 0x25), *a = pl_bitmap_font_lookup(font, 'A');
    assert_non_null(percent);
    assert_non_null(a);
    assert_null(pl_bitmap_font_lookup(font, 'B'));
    assert_int_equal(percent->advance, 18);
    assert_int_equal(percent->bits.words[0] >> 48, 0x00FF);
    assert_int_equal(percent->bits.words[4] >> 48, 0xFFFF);
    assert_int_equal(a->x, -1);
    assert_int_equal(a->y, 4);
    assert_int_equal(a->bits.words[0] >> 61, 5);
    assert_int_equal(a->bits.words[1] >> 61, 7);
    pl_bitmap_font_free(font);
}

static void malformed_bitmap_fonts_are_refused_or_cut(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "", "N", "N,,,", "N,0,5,1,1,1,x", "N,99999,5,1,1,1,", "x,y", "N,5,5,1,99999,1,"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_null(pl_bitmap_font_parse(pl_slice_cstr(refused[i]), NULL));
    static const char *const cut[] = {"5,5,1,1,1,c,#0041.2000.2000.0.0.5.FF", "5,5,1,1,1,c,#", "5,5,1,1,1,c,#41.1",
                                      "5,5,1,1,1,c,#41.1.1.1.1.999999999999.FF", "5,5,1,1,1,c,#41.-1.1.1.1.1.FF"};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        struct pl_bitmap_font *font = pl_bitmap_font_parse(pl_slice_cstr(cut[i]), NULL);
        assert_non_null(font);
        pl_bitmap_font_free(font);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_keeps_its_bound),
        cmocka_unit_test(cached_text_is_the_same_text),
        cmocka_unit_test(text_off_the_label_is_clipped),
        cmocka_unit_test(ink_off_the_label_does_not_depend_on_the_cache),
        cmocka_unit_test(huge_glyphs_are_drawn_where_they_show),
        cmocka_unit_test(overlapping_contours_are_not_counted_twice),
        cmocka_unit_test(outlines_are_rounded_as_freetype_does),
        cmocka_unit_test(bitmap_fonts_are_read),
        cmocka_unit_test(malformed_bitmap_fonts_are_refused_or_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
