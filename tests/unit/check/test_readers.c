// Parts of the readers by themselves: compaction of PDF417, the grid of modules, the form of the data.
#include <string.h>

#include "arena_fixture.h"
#include "bar/encode/aztec.h"
#include "bar/encode/pdf417.h"
#include "bar/encode/pdf417_parts.h"
#include "check/readers.h"
#include "unit.h"

static uint8_t room[PL_READ_MAX_DATA];

static uint32_t next(uint32_t *seed)
{
    return *seed = *seed * 1664525u + 1013904223u;
}

static void words_of_pdf417_become_the_bytes_again(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        uint8_t data[80];
        uint32_t length = 1 + next(&seed) / 65536 % sizeof data, kind = 0;
        for (uint32_t k = 0; k < length; k++) {
            if (next(&seed) / 65536 % 8 == 0)
                kind = next(&seed) / 65536 % 4;
            uint32_t v = next(&seed) / 65536;
            data[k] = (uint8_t)(kind == 0 ? '0' + v % 10 : kind == 1 ? 'A' + v % 26 : kind == 2 ? ' ' + v % 95 : v);
        }
        struct pl_pdf_words words = {0};
        struct pl_error err = {0};
        struct pl_read_text text = {.data = room};
        bool micro = i % 2;
        words.capacity = 2000;
        words.words = PL_ARENA_ARRAY(&arena, uint16_t, words.capacity);
        assert_int_equal(pl_pdf_compact(pl_slice_make(data, length), micro, &arena, &words, &err), PL_OK);
        assert_true(pl_read_pdf_words(words.words, words.length, micro, &text));
        assert_int_equal(text.length, length);
        assert_memory_equal(text.data, data, length);
    }
}

static void words_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    static const uint16_t unknown[] = {901, 65, 905}, numeric[] = {902, 0, 0}, byte[] = {901, 300};
    struct pl_read_text text = {.data = room};
    assert_false(pl_read_pdf_words(unknown, 3, true, &text));
    assert_false(pl_read_pdf_words(numeric, 3, true, &text));
    assert_false(pl_read_pdf_words(byte, 2, true, &text));
    assert_true(pl_read_pdf_words(unknown, 0, true, &text));
}

// Any bytes in any size; one module that differs is an error that the reader does not correct.
static void aztec_is_read_and_refused_where_a_module_differs(void **state)
{
    (void)state;
    enum { MODULE = 3 };
    uint32_t seed = 24778, full = 0;
    for (int i = 0; i < 300; i++) {
        struct pl_arena_mark mark = pl_arena_mark(&arena);
        uint8_t data[120];
        uint32_t length = 1 + next(&seed) / 65536 % (i % 5 ? 12 : sizeof data), kind = 0;
        for (uint32_t k = 0; k < length; k++) {
            static const char some[] = " .,:[]{}@^~\r\n\t1aA";
            if (next(&seed) / 65536 % 4 == 0)
                kind = next(&seed) / 65536 % 5;
            uint32_t v = next(&seed) / 65536;
            data[k] = (uint8_t)(kind == 0   ? '0' + v % 10
                                : kind == 1 ? 'A' + v % 26
                                : kind == 2 ? 'a' + v % 26
                                : kind == 3 ? (uint32_t)some[v % (sizeof some - 1)]
                                            : v);
        }
        const uint32_t layers = next(&seed) / 65536 % 33;
        struct pl_aztec_options options = {.layers = i % 4 ? 0 : layers,
                                           .percent = i % 3 ? 1 + next(&seed) / 65536 % 99 : 0,
                                           .percent_rounds_up = i % 7 == 0,
                                           .reader_init = i % 11 == 0};
        struct pl_bitmap modules, dots;
        struct pl_error err = {0};
        struct pl_read_text text = {.data = room};
        if (pl_aztec_encode(pl_content_of(pl_slice_make(data, length)), &options, &arena, &modules, &err) == PL_OK) {
            const uint32_t side = modules.width * MODULE;
            assert_int_equal(pl_bitmap_new(&arena, side, side, &dots, &err), PL_OK);
            for (uint32_t k = 0; k < side * side; k++)
                if (pl_bitmap_get(&modules, k % side / MODULE, k / side / MODULE))
                    pl_bitmap_set(&dots, k % side, k / side);
            assert_true(pl_read_aztec(&dots, MODULE, &text));
            assert_int_equal(text.length, length);
            assert_memory_equal(text.data, data, length);
            full += options.layers > 22;
            // At the left edge, behind the bits that are left over; of two rows one may be a line of the grid.
            pl_bitmap_row(&dots, 10 * MODULE + 1)[0] ^= UINT64_C(7) << 61;
            pl_bitmap_row(&dots, 11 * MODULE + 1)[0] ^= UINT64_C(7) << 61;
            assert_false(pl_read_aztec(&dots, MODULE, &text));
        }
        pl_arena_release(&arena, mark);
    }
    assert_true(full > 10);
}

// A PDF417 symbol in dots, `module` wide, rows three modules high.
static struct pl_bitmap pdf417_dots(struct pl_slice data, const struct pl_pdf417_options *options, uint32_t module)
{
    struct pl_bitmap modules, dots;
    struct pl_error err = {0};
    const int32_t m = (int32_t)module;
    assert_int_equal(pl_pdf417_encode(data, options, &arena, &modules, &err), PL_OK);
    assert_int_equal(pl_bitmap_new(&arena, modules.width * module, modules.height * 3 * module, &dots, &err), PL_OK);
    for (int32_t y = 0; y < (int32_t)modules.height; y++)
        for (int32_t x = 0; x < (int32_t)modules.width; x++)
            if (pl_bitmap_get(&modules, (uint32_t)x, (uint32_t)y))
                pl_bitmap_fill(&dots, (struct pl_box){x * m, y * 3 * m, (x + 1) * m, (y + 1) * 3 * m}, PL_INK_BLACK);
    return dots;
}

static void pdf417_of_all_sizes_and_levels_is_read(void **state)
{
    (void)state;
    static const char text[] = "The quick brown fox 0123456789012345678 jumps";
    for (uint32_t columns = 1; columns <= 12; columns += 3)
        for (uint32_t level = 0; level < 5; level++)
            for (uint32_t kind = 0; kind < 4; kind++) {
                struct pl_pdf417_options options = {.columns = columns, .security = level, .truncated = kind & 1};
                uint32_t module = kind & 2 ? 3 : 1;
                struct pl_bitmap dots = pdf417_dots(pl_slice_cstr(text), &options, module);
                struct pl_read_text out = {.data = room};
                assert_true(pl_read_pdf417(&dots, module, &out));
                assert_int_equal(out.length, strlen(text));
                assert_memory_equal(room, text, strlen(text));
            }
}

// A word that was misread must not pass: here one row's words are those of another row of its cluster.
static void pdf417_with_a_wrong_codeword_is_not_read_without_correction(void **state)
{
    (void)state;
    struct pl_pdf417_options options = {.columns = 2, .security = 2};
    struct pl_bitmap dots = pdf417_dots(pl_slice_cstr("0123456789ABCDEF"), &options, 2), row;
    struct pl_error err = {0};
    struct pl_read_text out = {.data = room};
    assert_true(pl_read_pdf417(&dots, 2, &out));
    assert_int_equal(pl_bitmap_new(&arena, 2 * 17, 6, &row, &err), PL_OK);
    pl_bitmap_blit(&row, &dots, -2 * 34, 0, PL_INK_BLACK);
    struct pl_box place = {2 * 34, 3 * 6, 2 * 51, 4 * 6};
    pl_bitmap_fill(&dots, place, PL_INK_WHITE);
    pl_bitmap_blit(&dots, &row, place.x0, place.y0, PL_INK_BLACK);
    assert_false(pl_read_pdf417(&dots, 2, &out));
}

static struct pl_bitmap finders(uint32_t module)
{
    struct pl_bitmap bm;
    struct pl_error err = {0};
    int32_t m = (int32_t)module;
    const int32_t at[3][2] = {{0, 0}, {14, 0}, {0, 14}};
    assert_int_equal(pl_bitmap_new(&arena, 21 * module, 21 * module, &bm, &err), PL_OK);
    for (int i = 0; i < 3; i++)
        for (int32_t ring = 0; ring < 3; ring++)
            pl_bitmap_fill(&bm,
                           (struct pl_box){(at[i][0] + ring) * m, (at[i][1] + ring) * m, (at[i][0] + 7 - ring) * m,
                                           (at[i][1] + 7 - ring) * m},
                           PL_INK_XOR);
    return bm;
}

static void finder_patterns_are_found_unless_they_are_broken(void **state)
{
    (void)state;
    for (uint32_t module = 1; module < 6; module++) {
        struct pl_bitmap dots = finders(module), grid;
        struct pl_error err = {0};
        assert_int_equal(pl_read_grid(&arena, &dots, module, (struct pl_read_sampling){true, 2}, &grid, &err), PL_OK);
        assert_int_equal(grid.width, (21 + 8) * PL_READ_GRID);
        assert_true(pl_read_has_finders(&grid));
        // A line through one of them, across its middle.
        pl_bitmap_fill(&dots, (struct pl_box){0, 2 * (int32_t)module, 7 * (int32_t)module, 5 * (int32_t)module},
                       PL_INK_BLACK);
        assert_int_equal(pl_read_grid(&arena, &dots, module, (struct pl_read_sampling){true, 2}, &grid, &err), PL_OK);
        assert_false(pl_read_has_finders(&grid));
    }
}

static void a_module_is_dark_from_half_of_its_dots_on(void **state)
{
    (void)state;
    struct pl_bitmap dots, grid;
    struct pl_error err = {0};
    const uint32_t left = PL_READ_GRID_QUIET * PL_READ_GRID;
    // Modules of 70 dots lie over words.
    assert_int_equal(pl_bitmap_new(&arena, 210, 1, &dots, &err), PL_OK);
    pl_bitmap_fill(&dots, (struct pl_box){0, 0, 35, 1}, PL_INK_BLACK);
    pl_bitmap_fill(&dots, (struct pl_box){100, 0, 134, 1}, PL_INK_BLACK);
    pl_bitmap_fill(&dots, (struct pl_box){140, 0, 210, 1}, PL_INK_BLACK);
    assert_int_equal(pl_read_grid(&arena, &dots, 70, (struct pl_read_sampling){false, 4}, &grid, &err), PL_OK);
    assert_true(pl_bitmap_get(&grid, left, PL_READ_GRID_QUIET));
    assert_false(pl_bitmap_get(&grid, left + PL_READ_GRID, PL_READ_GRID_QUIET));
    assert_true(pl_bitmap_get(&grid, left + 2 * PL_READ_GRID, PL_READ_GRID_QUIET));
}

static void expect_form(enum pl_check_symbology symbology, const char *from, const char *to)
{
    struct pl_read_text text = {.data = room, .length = (uint32_t)strlen(from)};
    bool gs1 = false;
    memcpy(room, from, strlen(from));
    pl_read_normalise(symbology, &text, &gs1);
    assert_int_equal(text.length, strlen(to));
    assert_memory_equal(room, to, strlen(to));
}

static void data_has_the_form_of_its_symbology(void **state)
{
    (void)state;
    expect_form(PL_CHECK_UPCA, "0036000291452", "036000291452");
    expect_form(PL_CHECK_UPCA, "036000291452", "036000291452");
    expect_form(PL_CHECK_DATABAR, "09521101841534", "0109521101841534");
    expect_form(PL_CHECK_DATABAR_EXPANDED, "(01)09521101841534(10)A(B)(21)1",
                "010952110184153410A(B)\x1d"
                "211");
    expect_form(PL_CHECK_DATABAR_EXPANDED, "(", "(");
    expect_form(PL_CHECK_CODE128, "(01)1", "(01)1");
}

static void rows_with_more_bars_than_there_is_room_for_are_no_rows(void **state)
{
    (void)state;
    struct pl_bitmap dots;
    struct pl_error err = {0};
    struct pl_read_runs runs;
    assert_int_equal(pl_bitmap_new(&arena, 2 * PL_READ_MAX_RUNS, 1, &dots, &err), PL_OK);
    pl_read_row(&dots, 0, &runs);
    assert_int_equal(runs.count, 0);
    for (uint32_t x = 1; x < dots.width; x += 2)
        pl_bitmap_set(&dots, x, 0);
    pl_read_row(&dots, 0, &runs);
    assert_int_equal(runs.count, 0);
    uint8_t widths[4];
    runs = (struct pl_read_runs){.widths = {3, 4, 7}, .count = 3};
    assert_int_equal(pl_read_modules(&runs, 3, widths, 4), 3);
    assert_int_equal(widths[2], 2);
    assert_int_equal(pl_read_modules(&runs, 3, widths, 2), 0);
    runs.widths[1] = 1;
    assert_int_equal(pl_read_modules(&runs, 3, widths, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_pdf417_become_the_bytes_again),
        cmocka_unit_test(words_that_mean_nothing_are_refused),
        cmocka_unit_test(aztec_is_read_and_refused_where_a_module_differs),
        cmocka_unit_test(pdf417_of_all_sizes_and_levels_is_read),
        cmocka_unit_test(pdf417_with_a_wrong_codeword_is_not_read_without_correction),
        cmocka_unit_test(finder_patterns_are_found_unless_they_are_broken),
        cmocka_unit_test(a_module_is_dark_from_half_of_its_dots_on),
        cmocka_unit_test(data_has_the_form_of_its_symbology),
        cmocka_unit_test(rows_with_more_bars_than_there_is_room_for_are_no_rows),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
