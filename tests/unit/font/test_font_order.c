// Rules of a line: order of both directions, marks, controls, characters that no font has, hostile input.
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "font/draw/writer.h"
#include "font/line/bidi.h"
#include "font/line/layout.h"

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
