// Rules of the fonts one by one: the table of font 0, pens, baselines, sizes, cells, fonts that are looked in.
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "font/face/device.h"
#include "font/face/embedded.h"
#include "font/face/faces.h"
#include "font/face/font0.h"
#include "font/face/sfnt.h"

#define FONT0_SUM 0xC1367B752658D486u // see table_of_font_0_is_the_same_everywhere

static int32_t left_of(struct sheet *s, struct field f)
{
    return sheet_write(s, f).x0;
}

static void table_of_font_0_is_sorted_and_whole(void **state)
{
    (void)state;
    assert_true(pl_font0_glyph_count > 400);
    for (uint32_t i = 0; i < pl_font0_glyph_count; i++) {
        const struct pl_font0_glyph *g = &pl_font0_glyphs[i];
        assert_true(i == 0 || pl_font0_glyphs[i - 1].codepoint < g->codepoint);
        assert_true(g->advance_2048 > 0);
        for (uint32_t c = 0; c < g->end_count; c++)
            assert_true(pl_font0_ends[g->first_end + c] < g->point_count);
        assert_true(g->end_count == 0 || pl_font0_ends[g->first_end + g->end_count - 1] == g->point_count - 1);
    }
    // ASCII is found by index.
    for (uint32_t c = 0x20; c < 0x7F; c++)
        assert_int_equal(pl_font0_glyphs[c - 0x20].codepoint, c);
}

// The same on every machine and compiler: a sum over all figures of the table.
static void table_of_font_0_is_the_same_everywhere(void **state)
{
    (void)state;
    uint64_t sum = 14695981039346656037u;
    for (uint32_t i = 0; i < pl_font0_glyph_count; i++) {
        const struct pl_font0_glyph *g = &pl_font0_glyphs[i];
        sum = (sum ^ g->codepoint ^ (uint64_t)g->advance_2048 << 32) * 1099511628211u;
        for (uint32_t k = 0; k < g->point_count * 2u; k++)
            sum = (sum ^ (uint16_t)pl_font0_points[g->first_point * 2 + k]) * 1099511628211u;
    }
    if (sum != FONT0_SUM)
        fail_msg("the table of font 0 changed: its sum is now 0x%016llX", (unsigned long long)sum);
}

static const struct pl_font0_glyph *font0_glyph(uint32_t codepoint)
{
    for (uint32_t i = 0; i < pl_font0_glyph_count; i++)
        if (pl_font0_glyphs[i].codepoint == codepoint)
            return &pl_font0_glyphs[i];
    fail_msg("font 0 has no U+%04X", codepoint);
    return NULL;
}

// In the reference's pictures a letter with a mark is its letter, dot for dot, and the mark.
static void letters_with_marks_contain_their_letter(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {{0xC0, 'A'}, {0xC1, 'A'}, {0xC3, 'A'}, {0xC4, 'A'},   {0xC5, 'A'}, {0xD3, 'O'},
                                        {0xDB, 'U'}, {0xE0, 'a'}, {0xE1, 'a'}, {0xE5, 'a'},   {0xE7, 'c'}, {0xE8, 'e'},
                                        {0xF3, 'o'}, {0xF4, 'o'}, {0xF6, 'o'}, {0xEE, 0x131}, {0xFC, 'u'}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct pl_font0_glyph *marked = font0_glyph(pairs[i][0]), *letter = font0_glyph(pairs[i][1]);
        assert_int_equal(marked->advance_2048, letter->advance_2048);
        assert_true(marked->end_count > letter->end_count);
        assert_memory_equal(&pl_font0_points[marked->first_point * 2], &pl_font0_points[letter->first_point * 2],
                            letter->point_count * 2u * sizeof *pl_font0_points);
    }
}

// FreeType opens most of these, and draws nothing.
static void font_file_that_is_cut_off_is_not_whole(void **state)
{
    (void)state;
    for (size_t i = 0; pl_embedded_fonts[i].begin; i++) {
        struct pl_slice file =
            pl_slice_make(pl_embedded_fonts[i].begin, (size_t)(pl_embedded_fonts[i].end - pl_embedded_fonts[i].begin));
        assert_true(pl_sfnt_is_whole(file));
        for (size_t part = 0; part < 100; part++)
            assert_false(pl_sfnt_is_whole(pl_slice_sub(file, 0, file.len / 100 * part)));
    }
    static const uint8_t zeros[100];
    assert_false(pl_sfnt_is_whole(pl_slice_make(zeros, sizeof zeros)));
    assert_false(pl_sfnt_is_whole(pl_slice_cstr("<!doctype html><title>Not found</title>")));
}

static void pen_is_fractional_and_rounds_half_down(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 800, 100);
    // '1' has advance 982: after n of them the pen is at 982 n w / 2048, and the next stands at ceil(pen - 1/2).
    int32_t first = left_of(&s, (struct field){.height = 31, .text = "l"});
    char text[20] = "";
    for (int n = 1; n < 16; n++) {
        memset(text, '1', (size_t)n);
        text[n] = 0;
        uint32_t length;
        uint32_t *chars = sheet_chars(&s, text, &length);
        struct pl_text_metrics metrics;
        struct pl_text_target target = {
            .profile = &pl_profile_reference.font, .canvas = &s.canvas, .scale = 1, .dpmm = 8, .arena = &s.scratch};
        struct pl_font_ref font = {.resident = '0', .height = 31};
        assert_int_equal(pl_text_measure(s.writer, &target, &font, chars, length, &metrics, NULL), PL_OK);
        assert_int_equal(metrics.advance_2048, 982 * n * 31);
        int32_t expected = (982 * n * 31 + 1023) / 2048;
        WRITE(&s, .x = 0, .y = 0, .typeset = true, .height = 31, .text = text);
        assert_int_equal(s.pen.x_2048, 982 * n * 31);
        int32_t left = left_of(&s, (struct field){.goes_on = true, .typeset = true, .height = 31, .text = "l"});
        assert_int_equal(left - first, expected);
    }
    sheet_close(&s);
}

static void large_text_stands_between_dots(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 10, 10);
    for (int32_t h = 100; h <= 101; h++) {
        int32_t left[2];
        for (int half = 0; half < 2; half++) {
            sheet_blank(&s, 200, 200, 4);
            s.pen = (struct pl_pen){true, 50 * 2048 + half * 1000, 150 * 2048};
            WRITE(&s, .goes_on = true, .typeset = true, .height = h, .text = "l");
            left[half] = pl_bitmap_ink_box(&s.canvas).x0;
        }
        assert_int_equal(left[1] - left[0], h > 100 ? 2 : 0); // quarters of a dot
    }
    sheet_close(&s);
}

static void large_reversed_text_is_not_fattened(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 200);
    for (int32_t h = 100; h <= 101; h++) {
        uint32_t ink[2] = {0, 0};
        for (int any = 0; any < 2; any++) {
            sheet_blank(&s, 200, 200, 1);
            WRITE(&s, .height = h, .any_coverage = any, .text = "O");
            for (uint32_t i = 0; i < 200 * 200; i++)
                ink[any] += pl_bitmap_get(&s.canvas, i % 200, i / 200);
        }
        assert_true(h > 100 ? ink[0] == ink[1] : ink[0] < ink[1]);
    }
    sheet_close(&s);
}

static void baseline_is_three_quarters_of_the_height(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 300);
    for (int32_t h = 10; h < 90; h += 7) {
        struct pl_box fo = WRITE(&s, .x = 50, .y = 50, .height = h, .text = "H");
        struct pl_box ft = WRITE(&s, .x = 50, .y = 50 + h * 3 / 4, .height = h, .typeset = true, .text = "H");
        assert_memory_equal(&fo, &ft, sizeof fo);
        assert_int_equal(fo.y1, 50 + h * 3 / 4);
    }
    sheet_close(&s);
}

static void one_size_given_makes_both(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 100);
    struct pl_box both = WRITE(&s, .height = 40, .width = 40, .text = "Wq");
    struct pl_box height = WRITE(&s, .height = 40, .text = "Wq"), width = WRITE(&s, .width = 40, .text = "Wq");
    assert_memory_equal(&both, &height, sizeof both);
    assert_memory_equal(&both, &width, sizeof both);
    struct pl_box small = WRITE(&s, .height = 3, .width = 3, .text = "Wq");
    struct pl_box least = WRITE(&s, .height = 10, .width = 10, .text = "Wq");
    assert_memory_equal(&small, &least, sizeof small);
    sheet_close(&s);
}

static void cells_magnify_by_whole_numbers(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 800, 300);
    struct pl_font_ref font = {.resident = 'A'};
    struct pl_text_target target = {
        .profile = &pl_profile_reference.font, .canvas = &s.canvas, .scale = 1, .dpmm = 8, .arena = &s.scratch};
    static const int32_t cases[][4] = {{9, 5, 1, 1}, {13, 0, 1, 1}, {14, 0, 2, 2},    {20, 0, 2, 2},  {0, 15, 3, 3},
                                       {1, 1, 1, 1}, {27, 5, 3, 1}, {500, 0, 10, 10}, {9, 500, 1, 10}};
    uint32_t letter = 'M';
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        font.height = cases[i][0];
        font.width = cases[i][1];
        struct pl_text_metrics m;
        assert_int_equal(pl_text_measure(s.writer, &target, &font, &letter, 1, &m, NULL), PL_OK);
        assert_int_equal(m.cell_height, 9 * cases[i][2]);
        assert_int_equal(m.baseline, 7 * cases[i][2]);
        assert_int_equal(m.advance_2048, 6 * cases[i][3] * 2048);
    }
    // E has another cell at 12 dots per mm.
    font = (struct pl_font_ref){.resident = 'E'};
    target.dpmm = 12;
    struct pl_text_metrics m;
    assert_int_equal(pl_text_measure(s.writer, &target, &font, &letter, 1, &m, NULL), PL_OK);
    assert_int_equal(m.cell_height, 42);
    sheet_close(&s);
}

// A thread had room for 16 of them: what it drew after labels of other languages was in another font.
static void a_thread_that_has_drawn_every_font_still_has_each(void **state)
{
    (void)state;
    static const uint32_t densities[] = {6, 8, 12, 24};
    struct sheet s;
    sheet_open(&s, 100, 100);
    struct pl_text_target target = {
        .profile = &pl_profile_reference.font, .canvas = &s.canvas, .scale = 1, .arena = &s.scratch};
    uint32_t letter = 'M', measured = 0;
    for (unsigned i = 0; i < 4 * 256; i++) {
        target.dpmm = densities[i / 256];
        const struct pl_device_font *device = pl_device_lookup((uint8_t)(i % 256), target.dpmm);
        if (!device)
            continue;
        struct pl_font_ref font = {
            .resident = device->resident, .height = device->cell_height, .width = device->cell_width};
        struct pl_text_metrics m;
        assert_int_equal(pl_text_measure(s.writer, &target, &font, &letter, 1, &m, NULL), PL_OK);
        assert_int_equal(m.cell_height, device->cell_height);
        assert_int_equal(m.advance_2048, (device->cell_width + device->gap) * 2048);
        measured++;
    }
    assert_true(measured >= PL_DEVICE_FONTS);
    sheet_close(&s);
}

// Small letters with ascenders were a dot or two above the cell, and capitals with accents up to twelve.
static void fonts_of_epl_and_tspl_have_no_dot_outside_of_their_cells(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 400);
    for (uint8_t letter = PL_FONT_EPL_1; letter <= PL_FONT_TSPL_32; letter++) {
        const struct pl_device_font *device = pl_device_lookup(letter, 8);
        assert_non_null(device);
        bool accents = device->blob == PL_BLOB_MONO || device->blob == PL_BLOB_MONO_BOLD;
        for (uint32_t c = 0x21; c < (accents ? 0x180u : 0x7Fu); c++) {
            const char text[] = {(char)(c < 0x80 ? c : 0xC0 | c >> 6), (char)(c < 0x80 ? 0 : 0x80 | (c & 0x3F)), 0};
            for (int32_t times = 1; times <= 3; times += 2) {
                int32_t height = device->cell_height * times;
                struct pl_box ink = WRITE(&s, .x = 20, .y = 50, .letter = (char)letter, .height = height,
                                          .width = device->cell_width * times, .text = text);
                if (!pl_box_is_empty(ink) && (ink.y0 < 50 || ink.y1 > 50 + height))
                    fail_msg("font %c, %s x %d: rows %d to %d of %d", letter, text, times, ink.y0 - 50, ink.y1 - 50,
                             height);
            }
        }
        pl_arena_reset(&s.scratch, 0);
    }
    sheet_close(&s);
}

static void font_b_has_capitals_only(void **state)
{
    (void)state;
    static const struct {
        uint32_t small, capital;
    } pairs[] = {{'a', 'A'},     {'z', 'Z'},     {'[', '['},     {0xE4, 0xC4},   {0xF7, 0xF7},   {0xDF, 0xDF},
                 {0xFF, 0x178},  {0x10D, 0x10C}, {0x10C, 0x10C}, {0x13A, 0x139}, {0x148, 0x147}, {0x165, 0x164},
                 {0x17E, 0x17D}, {0x131, 'I'},   {0x3B1, 0x391}, {0x3C2, 0x3A3}, {0x3AD, 0x388}, {0x3CE, 0x38F},
                 {0x3CC, 0x38C}, {0x436, 0x416}, {0x451, 0x401}, {0x45F, 0x40F}, {0x416, 0x416}, {0x4E2D, 0x4E2D}};
    const struct pl_device_font *b = pl_device_lookup('B', 8), *a = pl_device_lookup('A', 8);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(pl_device_character(b, pairs[i].small), pairs[i].capital);
        assert_int_equal(pl_device_character(a, pairs[i].small), pairs[i].small);
    }
}

static void letters_that_fonts_b_and_h_lack(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 100);
    struct pl_box lower = WRITE(&s, .letter = 'B', .text = "abc"), upper = WRITE(&s, .letter = 'B', .text = "ABC");
    assert_memory_equal(&lower, &upper, sizeof lower);
    struct pl_box nothing = WRITE(&s, .letter = 'H', .text = "abc");
    assert_true(pl_box_is_empty(nothing));
    WRITE(&s, .letter = 'H', .typeset = true, .text = "abc");
    assert_int_equal(s.pen.x_2048, 3 * 19 * 2048); // blank, but they take their room
    sheet_close(&s);
}

static void unknown_fonts_fall_back(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 100);
    struct pl_box a = WRITE(&s, .letter = 'A', .height = 18, .text = "Abc");
    struct pl_box x = WRITE(&s, .letter = 'X', .height = 18, .text = "Abc");
    assert_memory_equal(&a, &x, sizeof a);
    assert_int_equal(s.diags.count, 1);
    assert_int_equal(s.diags.items[0].id, PL_DIAG_FONT_NOT_FOUND);
    struct pl_box zero = WRITE(&s, .height = 18, .text = "Abc"),
                  seven = WRITE(&s, .letter = '7', .height = 18, .text = "Abc");
    assert_memory_equal(&zero, &seven, sizeof zero);
    sheet_close(&s);
}

static void linked_fonts_are_looked_in_first(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 100);
    struct pl_font_file file = {PL_FONT_FILE_OUTLINE, 70, pl_slice_cstr("E:LINK.TTF"), s.fonts->blobs[PL_BLOB_MONO]};
    const struct pl_font_file *const list[] = {&file};
    WRITE(&s, .height = 40, .typeset = true, .text = "Ж");
    int64_t without = s.pen.x_2048;
    WRITE(&s, .height = 40, .typeset = true, .linked = list, .linked_count = 1, .text = "Ж");
    assert_int_equal(s.pen.x_2048, INT64_C(1233) * 40 * 2048 / 2048); // the advance of DejaVu Sans Mono
    assert_true(without != s.pen.x_2048);
    sheet_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_font_0_is_sorted_and_whole),
        cmocka_unit_test(table_of_font_0_is_the_same_everywhere),
        cmocka_unit_test(letters_with_marks_contain_their_letter),
        cmocka_unit_test(font_file_that_is_cut_off_is_not_whole),
        cmocka_unit_test(pen_is_fractional_and_rounds_half_down),
        cmocka_unit_test(large_text_stands_between_dots),
        cmocka_unit_test(large_reversed_text_is_not_fattened),
        cmocka_unit_test(baseline_is_three_quarters_of_the_height),
        cmocka_unit_test(one_size_given_makes_both),
        cmocka_unit_test(cells_magnify_by_whole_numbers),
        cmocka_unit_test(a_thread_that_has_drawn_every_font_still_has_each),
        cmocka_unit_test(fonts_of_epl_and_tspl_have_no_dot_outside_of_their_cells),
        cmocka_unit_test(font_b_has_capitals_only),
        cmocka_unit_test(letters_that_fonts_b_and_h_lack),
        cmocka_unit_test(unknown_fonts_fall_back),
        cmocka_unit_test(linked_fonts_are_looked_in_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
