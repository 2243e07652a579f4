// Rules of blocks: where lines break, what is justified, what is cut.
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

#include "font/draw/writer.h"
#include "font/line/block_lines.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
