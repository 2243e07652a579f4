// Rules of the fonts one by one: pens, baselines, sizes, lines, cache, order, downloaded fonts, hostile input.
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "font/draw/cache.h"
#include "font/draw/writer.h"
#include "font/face/bitmap_font.h"
#include "font/face/device.h"
#include "font/face/embedded.h"
#include "font/face/font0.h"
#include "font/face/sfnt.h"
#include "font/line/bidi.h"
#include "font/line/block_lines.h"

#define FONT0_SUM 0xA2002A2DAE966D53u // see table_of_font_0_is_the_same_everywhere

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

struct broken {
    struct sheet s;
    struct pl_text_font font;
    struct pl_layout layout;
    struct pl_lines lines;
};

static void break_text(struct broken *b, const char *text, struct pl_block block)
{
    sheet_open(&b->s, 10, 10);
    struct pl_font_ref ref = {.resident = 'A', .height = 9, .width = 5}; // 6 dots for each character
    uint32_t length;
    uint32_t *chars = sheet_chars(&b->s, text, &length);
    assert_int_equal(pl_text_font_resolve(&b->s.writer->faces, &ref, 8, &b->s.arena, &b->font, NULL), PL_OK);
    assert_int_equal(
        pl_layout_init(&b->layout, &b->s.writer->faces, &b->font, &b->s.arena, NULL, chars, length, true, NULL), PL_OK);
    assert_int_equal(pl_block_lines(&b->layout, &block, &b->lines, NULL), PL_OK);
}

static void expect_block(const char *text, struct pl_block block, const char *const *expected)
{
    struct broken b;
    break_text(&b, text, block);
    uint32_t n = 0;
    for (; expected[n]; n++) {
        assert_true(n < b.lines.count);
        const struct pl_line *line = &b.lines.at[n];
        uint32_t length;
        uint32_t *chars = sheet_chars(&b.s, expected[n], &length);
        if (line->end - line->start != length)
            fail_msg("%s: line %u has %u characters, not those of %s", text, n, line->end - line->start, expected[n]);
        assert_memory_equal(b.layout.chars + line->start, chars, length * sizeof *chars);
    }
    assert_int_equal(b.lines.count, n);
    sheet_close(&b.s);
}

static void expect_lines(const char *text, int32_t width, const char *const *expected)
{
    expect_block(text, fb(width, 99, 0, PL_ALIGN_LEFT, 0), expected);
}

static void lines_break_at_spaces(void **state)
{
    (void)state;
    expect_lines("one two three", 60, (const char *const[]){"one two", "three", NULL});
    expect_lines("one two", 42, (const char *const[]){"one two", NULL}); // as wide as the block
    expect_lines("one two", 41, (const char *const[]){"one", "two", NULL});
    expect_lines("one     two", 30, (const char *const[]){"one", "two", NULL});
    expect_lines("", 30, (const char *const[]){NULL});
}

static void lines_break_where_they_are_told_to(void **state)
{
    (void)state;
    expect_lines("one\ntwo", 600, (const char *const[]){"one", "two", NULL});
    expect_lines("one\n\ntwo", 600, (const char *const[]){"one", "", "two", NULL});
    expect_lines("one\n", 600, (const char *const[]){"one", NULL});
    expect_lines("long\u00ADword", 36, (const char *const[]){"long\u00AD", "word", NULL});
    expect_lines("long\u00ADword", 600, (const char *const[]){"long\u00ADword", NULL});
    expect_lines("long\u200Bword", 36, (const char *const[]){"long", "word", NULL});
    expect_lines("long\u200Bword", 600, (const char *const[]){"long\u200Bword", NULL});
    expect_lines("\u200Blongword", 24, (const char *const[]){"\u200Blong", "word", NULL});
}

// Ideographs are a little more than 8 dots wide.
static void lines_without_spaces_break_by_their_script(void **state)
{
    (void)state;
    expect_lines("a中b", 7, (const char *const[]){"a", "中", "b", NULL});
    // A full stop once began a line, and an opening bracket ended one.
    expect_lines("中文。a", 21, (const char *const[]){"中", "文。", "a", NULL});
    expect_lines("中（文", 21, (const char *const[]){"中", "（文", NULL});
    expect_lines("中文。a", 1, (const char *const[]){"中", "文", "。", "a", NULL}); // too narrow for anything better
    // A letter and its mark, once on two lines.
    expect_lines("x\u0302q\u0302", 1, (const char *const[]){"x\u0302", "q\u0302", NULL});
    expect_lines("เกแข", 1, (const char *const[]){"เก", "แข", NULL});
    expect_lines("👨\u200D👩🇩🇪🇫🇷", 1, (const char *const[]){"👨\u200D👩", "🇩🇪", "🇫🇷", NULL});
    // Behind an indent only the first character counts as a word that fits the block.
    expect_block("ab 中中", fb(20, 99, 0, PL_ALIGN_LEFT, 10), (const char *const[]){"ab", "中", "中", NULL});
}

static void spaces_at_the_start_of_a_line_print_in_tb_only(void **state)
{
    (void)state;
    expect_lines("  one two", 24, (const char *const[]){"one", "two", NULL});
    expect_lines("one\n  two", 600, (const char *const[]){"one", "two", NULL});
    expect_lines("   ", 600, (const char *const[]){"", NULL});
    expect_block("  one", tb(600, 600), (const char *const[]){"  one", NULL});
}

// Six dots for each character.
static void a_word_that_fits_the_block_is_not_cut_behind_an_indent(void **state)
{
    (void)state;
    expect_block("one seven", fb(30, 99, 0, PL_ALIGN_LEFT, 12), (const char *const[]){"one", "seven", NULL});
    expect_block("one seven x", fb(30, 99, 0, PL_ALIGN_LEFT, 12), (const char *const[]){"one", "seven", "x", NULL});
    expect_block("one sevenup", fb(30, 99, 0, PL_ALIGN_LEFT, 12),
                 (const char *const[]){"one", "sev", "enu", "p", NULL});
    // Behind an indent beyond the block lines do not end.
    expect_block("one two three four", fb(30, 99, 0, PL_ALIGN_LEFT, 31),
                 (const char *const[]){"one", "two three four", NULL});
}

static void symbols_are_not_justified(void **state)
{
    (void)state;
    for (int typeset = 0; typeset < 2; typeset++) {
        struct sheet s;
        sheet_open(&s, 200, 100);
        struct pl_box left =
            WRITE(&s, .letter = '$', .height = 40, .width = 40, .x = 100, .y = 50, .typeset = typeset, .text = "A");
        struct pl_box right = WRITE(&s, .letter = '$', .height = 40, .width = 40, .x = 100, .y = 50, .typeset = typeset,
                                    .justify = PL_JUSTIFY_RIGHT, .text = "A");
        assert_memory_equal(&left, &right, sizeof left);
        assert_true(left.x1 > left.x0);
        sheet_close(&s);
    }
}

static void a_last_line_is_justified_only_if_a_space_at_most_is_left(void **state)
{
    (void)state;
    for (int32_t width = 42; width <= 49; width++) {
        struct sheet s;
        sheet_open(&s, 100, 40);
        struct pl_box ink = WRITE(&s, .letter = 'A', .height = 9, .width = 5,
                                  .block = fb(width, 9, 0, PL_ALIGN_JUSTIFY, 0), .text = "HHH HHH");
        // Seven characters of six dots; the last dot of a cell is white.
        assert_int_equal(ink.x1 - ink.x0, width <= 48 ? width - 1 : 41);
        sheet_close(&s);
    }
}

static void long_words_are_cut(void **state)
{
    (void)state;
    expect_lines("abcdefgh", 18, (const char *const[]){"abc", "def", "gh", NULL});
    expect_lines("a bcdefgh", 18, (const char *const[]){"a", "bcd", "efg", "h", NULL});
    expect_lines("abc", 0, (const char *const[]){"a", "b", "c", NULL});
    expect_lines("中文字", 1, (const char *const[]){"中", "文", "字", NULL});
}

static void hanging_indent_starts_anew_after_a_break(void **state)
{
    (void)state;
    struct broken b;
    break_text(&b, "aaa bbb ccc\nddd eee", fb(24, 99, 0, PL_ALIGN_LEFT, 6));
    static const int32_t indents[] = {0, 6, 6, 0, 6};
    assert_int_equal(b.lines.count, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(b.lines.at[i].indent, indents[i]);
    assert_true(b.lines.at[2].hard);
    assert_false(b.lines.at[4].hard);
    assert_true(b.lines.at[4].last);
    sheet_close(&b.s);
}

static void surplus_lines_are_printed_over_the_last(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 200);
    struct pl_box two = WRITE(&s, .height = 30, .block = fb(200, 2, 0, PL_ALIGN_LEFT, 0), .text = "a\nb\nc\nd");
    assert_true(s.result.clipped);
    assert_true(two.y1 <= 60);
    sheet_close(&s);
}

static void a_typeset_block_ends_at_its_anchor_when_justified_right(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 400, 400);
    static const int32_t along[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}}; // against the direction of reading
    for (int i = 0; i < 4; i++) {
        for (int kind = 0; kind < 2; kind++) {
            struct pl_block block = kind ? tb(100, 60) : fb(100, 3, 0, PL_ALIGN_LEFT, 0);
            enum pl_rotation turn = (enum pl_rotation)i;
            struct pl_box left = WRITE(&s, .x = 200, .y = 200, .height = 20, .rotation = turn, .typeset = true,
                                       .block = block, .text = "ab cd ef gh ij kl");
            struct pl_box right = WRITE(&s, .x = 200, .y = 200, .height = 20, .rotation = turn, .typeset = true,
                                        .justify = PL_JUSTIFY_RIGHT, .block = block, .text = "ab cd ef gh ij kl");
            if (kind == 0) { // the lines keep their alignment
                assert_int_equal(right.x0, left.x0 + 100 * along[i][0]);
                assert_int_equal(right.y0, left.y0 + 100 * along[i][1]);
            } else { // and stand at the right edge
                assert_true(abs((i == 0 ? right.x1 : i == 1 ? right.y1 : i == 2 ? right.x0 : right.y0) - 200) <= 2);
            }
        }
    }
    sheet_close(&s);
}

static void a_text_block_says_when_it_cuts_text(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 300);
    for (int i = 0; i < 4; i++) {
        for (int32_t height = 10; height <= 40; height += 5) {
            WRITE(&s, .x = 100, .y = 100, .height = 30, .rotation = (enum pl_rotation)i, .block = tb(100, height),
                  .text = "Hj");
            assert_int_equal(s.result.clipped, height < 30); // the tail of the j reaches 28 dots down
        }
    }
    WRITE(&s, .x = 100, .y = 100, .height = 30, .block = tb(1, 60), .text = "H");
    assert_true(s.result.clipped);
    // The block's ink does not end with the label.
    struct pl_box ink = WRITE(&s, .x = 250, .y = 100, .height = 30, .block = tb(200, 60), .text = "HHHHH");
    assert_false(s.result.clipped);
    assert_true(ink.x1 > 300);
    sheet_close(&s);
}

static void pitch_is_never_negative(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 200);
    struct pl_box one = WRITE(&s, .height = 30, .block = fb(200, 9, -500, PL_ALIGN_LEFT, 0), .text = "H\nH\nH");
    struct pl_box plain = WRITE(&s, .height = 30, .text = "H");
    assert_int_equal(one.y0, plain.y0);
    assert_int_equal(one.y1, plain.y1);
    sheet_close(&s);
}

static void cache_keeps_its_bound(void **state)
{
    (void)state;
    struct pl_cache *cache;
    assert_int_equal(pl_cache_new(100000, &cache, NULL), PL_OK);
    uint64_t words[64];
    memset(words, 0xFF, sizeof words);
    struct pl_bitmap bits = {64, 64, 1, words};
    for (int32_t size = 1; size < 40; size++) {
        struct pl_strike_key key = {.face = 1, .width = size, .height = size, .scale = 1};
        struct pl_strike *strike = pl_cache_strike(cache, &key);
        assert_non_null(strike);
        for (uint32_t glyph = 0; glyph < 600; glyph += 7) {
            assert_null(pl_strike_get(cache, strike, glyph));
            const struct pl_cached_glyph *kept = pl_cache_put(cache, strike, glyph, 3, -4, &bits);
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
    struct pl_bitmap big = {64, 4000, 1, large};
    assert_null(pl_cache_put(cache, strike, 1, 0, 0, &big));
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
    struct pl_writer_stats stats;
    pl_writer_stats(s.writer, &stats);
    assert_true(stats.hits >= stats.misses && stats.cache_bytes <= stats.cache_limit);
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

static void expect_levels(struct sheet *s, const char *text, bool right_to_left, const char *expected)
{
    uint32_t length;
    uint32_t *chars = sheet_chars(s, text, &length);
    uint8_t levels[64], bases[64];
    assert_true(length <= 64);
    assert_int_equal(length, strlen(expected));
    enum pl_bidi_base base = right_to_left ? PL_BIDI_BASE_RIGHT : PL_BIDI_BASE_LEFT;
    assert_int_equal(pl_bidi_levels(chars, length, base, &s->arena, NULL, levels, bases, NULL), PL_OK);
    for (uint32_t i = 0; i < length; i++)
        if (levels[i] != expected[i] - '0')
            fail_msg("%s: character %u has level %u, not %c", text, i, levels[i], expected[i]);
}

static void right_to_left_text_is_ordered(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 10, 10);
    expect_levels(&s, "abc אבג", false, "0000111");
    expect_levels(&s, "אבג abc", true, "1111222");
    expect_levels(&s, "אב 123 גד", true, "111222111");
    expect_levels(&s, "אב 1,2 גד", true, "111222111");
    expect_levels(&s, "a (אב) b", false, "00011000");
    expect_levels(&s, "(אב)", true, "1111");
    expect_levels(&s, "سعر 50% فقط", true, "11112211111");
    expect_levels(&s, "اب ١٢ جد", true, "11122111");
    expect_levels(&s, "אב  ", false, "1100");
    expect_levels(&s, "-5 אב", false, "00011");
    uint32_t length;
    uint32_t *chars = sheet_chars(&s, "12 אב", &length);
    assert_true(pl_bidi_reads_from_right(chars, length));
    sheet_close(&s);
}

// The clusters of one line, as they stand from left to right.
static void expect_order(struct sheet *s, const char *text, uint32_t start, uint32_t end, const char *expected)
{
    struct pl_text_font font;
    struct pl_layout layout;
    struct pl_items items;
    struct pl_font_ref ref = {.resident = '0', .height = 30};
    uint32_t length;
    uint32_t *chars = sheet_chars(s, text, &length);
    assert_int_equal(pl_text_font_resolve(&s->writer->faces, &ref, 8, &s->arena, &font, NULL), PL_OK);
    assert_int_equal(pl_layout_init(&layout, &s->writer->faces, &font, &s->arena, NULL, chars, length, true, NULL),
                     PL_OK);
    assert_int_equal(pl_layout_line(&layout, start, end, &items, NULL), PL_OK);
    char got[64] = "";
    for (uint32_t i = 0; i < items.count && i < 63; i++)
        got[i] = (char)('0' + items.at[i].cluster), got[i + 1] = 0;
    if (strcmp(got, expected) != 0)
        fail_msg("%s stands as %s, not %s", text, got, expected);
}

static void lines_are_ordered_by_their_paragraph(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 10, 10);
    expect_order(&s, "a(אב)ג", 0, 6, "013245"); // both brackets take one direction; the second once took the other
    expect_order(&s, "אב (cd) ג", 0, 9, "876453210");
    // Controls order and are not drawn; they once were dropped unread.
    expect_order(&s, "\u202Eabc", 0, 3, "210");
    expect_order(&s, "a\u2067bc\u2069", 0, 3, "012");
    expect_order(&s, "a\u2067b!\u2069", 0, 3, "021");
    expect_order(&s, "\u200Fa.", 0, 2, "10");
    // Each paragraph by its own first letter; once the first one ruled all.
    expect_order(&s, "אב\nc!", 3, 5, "34");
    expect_order(&s, "c!\nאב!", 3, 6, "543");
    // A line inside an embedding that began on the line before.
    expect_order(&s, "\u202Eab cd", 3, 5, "43");
    // A blank at the end of a line is behind what is read last, though the text goes on beyond it from the right.
    expect_order(&s, "a אב\u2003גד", 2, 5, "324");
    sheet_close(&s);
}

static bool same_picture(struct sheet *s, struct field a, struct field b)
{
    uint32_t width = s->canvas.width, height = s->canvas.height;
    sheet_blank(s, width, height, 1);
    assert_false(pl_box_is_empty(sheet_write(s, a)));
    struct pl_bitmap first = s->canvas;
    sheet_blank(s, width, height, 1);
    sheet_write(s, b);
    return memcmp(first.words, s->canvas.words, (size_t)first.stride * height * sizeof *first.words) == 0;
}

// ^FP R turns the order round; Hebrew and Arabic come in that order without it.
static void text_from_the_right_is_not_turned_twice(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 100);
    struct field plain = {.x = 20, .y = 20, .height = 40, .text = "שלום 12"}, reversed = plain;
    reversed.direction = PL_DIR_REVERSE;
    assert_true(same_picture(&s, plain, reversed));
    plain.block = reversed.block = fb(250, 1, 0, PL_ALIGN_LEFT, 0);
    assert_true(same_picture(&s, plain, reversed));
    plain = (struct field){.x = 20, .y = 20, .height = 40, .text = "CBA"};
    reversed = (struct field){.x = 20, .y = 20, .height = 40, .direction = PL_DIR_REVERSE, .text = "ABC"};
    assert_true(same_picture(&s, plain, reversed));
    // Marks stay over their letters.
    plain.text = "อที่", reversed.text = "ที่อ";
    assert_true(same_picture(&s, plain, reversed));
    plain.block = reversed.block = fb(250, 1, 0, PL_ALIGN_LEFT, 0);
    assert_true(same_picture(&s, plain, reversed));
    sheet_close(&s);
}

// ^FP V: read from the top, letters by themselves, each with its marks.
static void text_from_the_top_keeps_its_order(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 100, 200);
    struct field down = {.x = 20, .y = 20, .height = 40, .direction = PL_DIR_VERTICAL, .text = "שם"};
    struct pl_box first = WRITE(&s, .x = 20, .y = 20, .height = 40, .text = "ש");
    sheet_blank(&s, 100, 200, 1);
    struct pl_box both = sheet_write(&s, down);
    assert_int_equal(both.y0, first.y0);
    assert_true(both.y1 > first.y1 + 30 && both.y1 < first.y1 + 50);
    // Letters that would join stand alone: the same picture in both rows.
    sheet_blank(&s, 100, 200, 1);
    WRITE(&s, .x = 20, .y = 20, .height = 60, .direction = PL_DIR_VERTICAL, .text = "بب");
    for (uint32_t y = 20; y < 80; y++)
        for (uint32_t x = 0; x < 100; x++)
            assert_int_equal(pl_bitmap_get(&s.canvas, x, y), pl_bitmap_get(&s.canvas, x, y + 60));
    // One row for a letter with two marks.
    sheet_blank(&s, 100, 200, 1);
    struct pl_box one = WRITE(&s, .x = 20, .y = 60, .height = 40, .text = "ที่");
    sheet_blank(&s, 100, 200, 1);
    struct pl_box two = WRITE(&s, .x = 20, .y = 60, .height = 40, .direction = PL_DIR_VERTICAL, .text = "ที่");
    assert_memory_equal(&one, &two, sizeof one);
    sheet_close(&s);
}

static void prepared_arabic_is_left_in_its_order(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 10, 10);
    struct pl_text_font font;
    struct pl_layout layout;
    struct pl_items items;
    struct pl_font_ref ref = {.resident = '0', .height = 30};
    uint32_t length;
    uint32_t *chars = sheet_chars(&s, "\uFEEE\uFEB3\uFEAD", &length); // presentation forms, already turned round
    assert_int_equal(pl_text_font_resolve(&s.writer->faces, &ref, 8, &s.arena, &font, NULL), PL_OK);
    assert_int_equal(pl_layout_init(&layout, &s.writer->faces, &font, &s.arena, NULL, chars, length, false, NULL),
                     PL_OK);
    assert_int_equal(pl_layout_line(&layout, 0, layout.length, &items, NULL), PL_OK);
    assert_int_equal(items.count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(items.at[i].cluster, i);
    // A ligature among ordinary letters does not make the text a prepared one.
    chars = sheet_chars(&s, "\u0645\u062D \uFDFA", &length);
    assert_int_equal(pl_layout_init(&layout, &s.writer->faces, &font, &s.arena, NULL, chars, length, false, NULL),
                     PL_OK);
    assert_false(layout.ordered);
    assert_true(layout.base_rtl);
    sheet_close(&s);
}

static void marks_are_composed(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 60);
    struct pl_box one = WRITE(&s, .height = 40, .text = "é"), two = WRITE(&s, .height = 40, .text = "e\u0301");
    assert_memory_equal(&one, &two, sizeof one);
    sheet_close(&s);
}

// A mark that no letter is made with stands over its letter, not beside it.
static void marks_without_a_letter_of_their_own_are_placed(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 100);
    struct pl_box letter = WRITE(&s, .x = 20, .y = 20, .height = 40, .text = "x");
    struct pl_box marked = WRITE(&s, .x = 20, .y = 20, .height = 40, .text = "x\u0304"); // a macron
    assert_true(marked.y0 < letter.y0);
    assert_true(marked.x1 <= letter.x1 + 3);
    sheet_blank(&s, 200, 100, 1);
    assert_false(pl_box_is_empty(WRITE(&s, .x = 20, .y = 20, .height = 40, .text = " \u0301"))); // nor is it lost
    sheet_close(&s);
}

static void controls_take_no_room(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 60);
    WRITE(&s, .height = 40, .typeset = true, .text = "ab");
    int64_t end = s.pen.x_2048;
    WRITE(&s, .height = 40, .typeset = true,
          .text = "a\x01\u00AD\u200B\uFEFF\uFFFD\x7F"
                  "b");
    assert_int_equal(s.pen.x_2048, end);
    assert_int_equal(s.diags.count, 0);
    sheet_close(&s);
}

static void tabs_go_to_stops_of_80_dots(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 400, 60);
    WRITE(&s, .letter = 'D', .typeset = true, .text = "ab\t");
    assert_int_equal(s.pen.x_2048, 80 * 2048);
    WRITE(&s, .letter = 'D', .typeset = true, .text = "abcdefg\t");
    assert_int_equal(s.pen.x_2048, 160 * 2048);
    WRITE(&s, .letter = 'D', .typeset = true, .block = fb(300, 1, 0, PL_ALIGN_LEFT, 0), .text = "a\tb");
    assert_int_equal(s.pen.x_2048, 36 * 2048); // a blank in a block
    sheet_close(&s);
}

static void missing_characters_show_as_boxes(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 60);
    struct pl_box box = WRITE(&s, .height = 40, .text = "\U000F0000");
    assert_false(pl_box_is_empty(box));
    assert_int_equal(s.diags.count, 1);
    assert_int_equal(s.diags.items[0].id, PL_DIAG_GLYPH_MISSING);
    assert_non_null(strstr(s.diags.items[0].message, "U+F0000"));
    sheet_close(&s);
}

static void very_long_text_is_cut_and_reported(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 100, 100);
    char *text = malloc(100001);
    memset(text, 'x', 100000);
    text[100000] = 0;
    WRITE(&s, .height = 10, .block = fb(50, 9999, 0, PL_ALIGN_JUSTIFY, 0), .text = text);
    assert_int_equal(s.diags.items[0].id, PL_DIAG_DATA_DROPPED);
    free(text);
    sheet_close(&s);
}

static void a_cancelled_job_stops(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 100, 100);
    atomic_bool cancelled = true;
    struct pl_job job = {&cancelled, 0};
    uint32_t length;
    struct pl_element element = {.kind = PL_ELEMENT_TEXT};
    element.text.font = (struct pl_font_ref){.resident = '0', .height = 20};
    element.text.chars = sheet_chars(&s, "many words in a block", &length);
    element.text.length = length;
    element.text.block = fb(50, 9, 0, PL_ALIGN_LEFT, 0);
    struct pl_text_target target = {.profile = &pl_profile_reference.font,
                                    .canvas = &s.canvas,
                                    .scale = 1,
                                    .dpmm = 8,
                                    .arena = &s.scratch,
                                    .job = &job};
    assert_int_equal(pl_text_draw(s.writer, &target, &element, &s.pen, &s.result, NULL), PL_E_CANCELLED);
    sheet_close(&s);
}

static void no_memory_is_an_error_and_nothing_worse(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 100);
    for (uint64_t fail_at = 1; fail_at < 60; fail_at++) {
        struct pl_arena small;
        pl_arena_init(&small, (size_t)8 << 20);
        small.fail_at = fail_at;
        struct pl_element element = {.kind = PL_ELEMENT_TEXT};
        uint32_t length;
        element.text.font = (struct pl_font_ref){.resident = '0', .height = 20 + (int32_t)fail_at};
        element.text.chars = sheet_chars(&s, "أسطر abc ที่ wrap", &length);
        element.text.length = length;
        element.text.block = fb(60, 9, 0, PL_ALIGN_CENTER, 0);
        struct pl_text_target target = {
            .profile = &pl_profile_reference.font, .canvas = &s.canvas, .scale = 1, .dpmm = 8, .arena = &small};
        enum pl_errc code = pl_text_draw(s.writer, &target, &element, &s.pen, &s.result, NULL);
        assert_true(code == PL_OK || code == PL_E_MEMORY);
        pl_arena_fini(&small);
    }
    sheet_close(&s);
}

// Every character is a run of its own: room for items must not be asked for anew at each.
static void text_that_alternates_between_scripts_takes_memory_in_proportion(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 800, 100);
    enum { PAIRS = 10000 };
    char *text = malloc(PAIRS * 3 + 1);
    assert_non_null(text);
    for (int i = 0; i < PAIRS; i++)
        memcpy(text + i * 3, "x\xd7\x90", 3);
    text[PAIRS * 3] = 0;
    pl_arena_fini(&s.scratch);
    pl_arena_init(&s.scratch, (size_t)64 << 20);
    WRITE(&s, .x = 10, .y = 10, .height = 20, .text = text);
    assert_false(pl_box_is_empty(s.result.ink));
    free(text);
    sheet_close(&s);
}

static uint64_t words_hash(const struct sheet *s)
{
    return pl_hash_fnv1a(pl_slice_make(s->canvas.words, (size_t)s->canvas.stride * s->canvas.height * 8));
}

static void order_and_shaping_can_be_switched_off(void **state)
{
    (void)state;
    static const char HEBREW[] = "\xd7\x90\xd7\x91\xd7\x92", BACKWARDS[] = "\xd7\x92\xd7\x91\xd7\x90";
    static const char ARABIC[] = "\xd8\xa8\xd8\xa8\xd8\xa8";
    struct sheet s;
    sheet_open(&s, 400, 100);
    WRITE(&s, .x = 10, .y = 10, .height = 60, .text = HEBREW);
    uint64_t ordered = words_hash(&s);
    sheet_blank(&s, 400, 100, 1);
    WRITE(&s, .x = 10, .y = 10, .height = 60, .text = BACKWARDS, .no_bidi = true);
    assert_true(words_hash(&s) == ordered);
    sheet_blank(&s, 400, 100, 1);
    WRITE(&s, .x = 10, .y = 10, .height = 60, .text = HEBREW, .no_bidi = true);
    assert_false(words_hash(&s) == ordered);
    sheet_blank(&s, 400, 100, 1);
    WRITE(&s, .x = 10, .y = 10, .height = 60, .text = ARABIC);
    struct pl_box joined = s.result.ink;
    sheet_blank(&s, 400, 100, 1);
    WRITE(&s, .x = 10, .y = 10, .height = 60, .text = ARABIC, .no_shaping = true);
    assert_true(s.result.ink.x1 - s.result.ink.x0 > joined.x1 - joined.x0); // letters that stand alone are wider
    sheet_close(&s);
}

static void a_symbol_turned_over_ends_at_its_advance(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 300);
    // 72 dots: three times the cell of 24 dots and the gap of 2.
    struct pl_box upright = WRITE(&s, .x = 100, .y = 100, .letter = '$', .height = 72, .text = "D");
    struct pl_box over = WRITE(&s, .x = 100, .y = 100, .letter = '$', .height = 72, .rotation = PL_ROT_I, .text = "D");
    assert_int_equal(upright.x0, 100);
    assert_int_equal(over.x1, 100 + 3 * 26 - 1);
    sheet_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_font_0_is_sorted_and_whole),
        cmocka_unit_test(table_of_font_0_is_the_same_everywhere),
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
        cmocka_unit_test(lines_break_at_spaces),
        cmocka_unit_test(lines_without_spaces_break_by_their_script),
        cmocka_unit_test(spaces_at_the_start_of_a_line_print_in_tb_only),
        cmocka_unit_test(a_typeset_block_ends_at_its_anchor_when_justified_right),
        cmocka_unit_test(a_text_block_says_when_it_cuts_text),
        cmocka_unit_test(a_word_that_fits_the_block_is_not_cut_behind_an_indent),
        cmocka_unit_test(symbols_are_not_justified),
        cmocka_unit_test(a_last_line_is_justified_only_if_a_space_at_most_is_left),
        cmocka_unit_test(lines_break_where_they_are_told_to),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(hanging_indent_starts_anew_after_a_break),
        cmocka_unit_test(surplus_lines_are_printed_over_the_last),
        cmocka_unit_test(pitch_is_never_negative),
        cmocka_unit_test(cache_keeps_its_bound),
        cmocka_unit_test(cached_text_is_the_same_text),
        cmocka_unit_test(text_off_the_label_is_clipped),
        cmocka_unit_test(huge_glyphs_are_drawn_where_they_show),
        cmocka_unit_test(overlapping_contours_are_not_counted_twice),
        cmocka_unit_test(outlines_are_rounded_as_freetype_does),
        cmocka_unit_test(bitmap_fonts_are_read),
        cmocka_unit_test(malformed_bitmap_fonts_are_refused_or_cut),
        cmocka_unit_test(right_to_left_text_is_ordered),
        cmocka_unit_test(lines_are_ordered_by_their_paragraph),
        cmocka_unit_test(text_from_the_right_is_not_turned_twice),
        cmocka_unit_test(text_from_the_top_keeps_its_order),
        cmocka_unit_test(prepared_arabic_is_left_in_its_order),
        cmocka_unit_test(marks_are_composed),
        cmocka_unit_test(marks_without_a_letter_of_their_own_are_placed),
        cmocka_unit_test(controls_take_no_room),
        cmocka_unit_test(tabs_go_to_stops_of_80_dots),
        cmocka_unit_test(missing_characters_show_as_boxes),
        cmocka_unit_test(very_long_text_is_cut_and_reported),
        cmocka_unit_test(a_cancelled_job_stops),
        cmocka_unit_test(no_memory_is_an_error_and_nothing_worse),
        cmocka_unit_test(text_that_alternates_between_scripts_takes_memory_in_proportion),
        cmocka_unit_test(order_and_shaping_can_be_switched_off),
        cmocka_unit_test(a_symbol_turned_over_ends_at_its_advance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
