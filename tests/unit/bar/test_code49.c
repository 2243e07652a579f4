// Code 49: automatic symbols equal libzint's, and the starting modes take the code's own characters.
#include <string.h>

#include "arena_fixture.h"
#include "bar/encode/bar_zint.h"
#include "bar/encode/code49.h"
#include "unit.h"
#include "zpl_field.h"

// `data` is in ZPL's letters for the controls.
static enum pl_errc try_encode(const char *data, char mode, struct pl_code49 *out)
{
    struct pl_barcode field = field_of(PL_SYM_CODE49, data, mode, 0, &arena);
    return pl_code49_encode(field.content, field.code49.start_mode, &arena, out, NULL);
}

static struct pl_code49 encode(const char *data, char mode)
{
    struct pl_code49 out;
    assert_int_equal(try_encode(data, mode, &out), PL_OK);
    return out;
}

static void assert_text(const struct pl_code49 *symbol, const char *text)
{
    assert_int_equal(symbol->text.len, strlen(text));
    assert_memory_equal(symbol->text.ptr, text, symbol->text.len);
}

static bool is_same(const struct pl_bitmap *a, const struct pl_bitmap *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->words, b->words, (size_t)a->stride * a->height * 8) == 0;
}

static uint32_t seed = 49;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

static void automatic_symbols_equal_libzint(void **state)
{
    (void)state;
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
    uint32_t encoded = 0, refused = 0;
    for (uint32_t round = 0; round < 4000; round++) {
        uint8_t data[81];
        uint32_t n = 0, most = 1 + below(81), kind = below(4);
        while (n < most) {
            // Runs of digits among other characters, or one kind only.
            uint32_t run = 1 + below(12), which = kind < 3 ? kind : below(3);
            // Not those that are a digit behind a shift: libzint 2.11 takes it for one of the data's.
            for (uint32_t i = 0; i < run && n < most; i++)
                data[n++] = (uint8_t)(which == 0   ? '0' + below(10)
                                      : which == 1 ? (uint8_t)alphabet[below(43)]
                                      : below(4)   ? 'a' + below(26)
                                                   : 1 + below(26));
        }
        struct pl_code49 own;
        struct pl_zint_symbol *other = pl_arena_alloc(&arena, sizeof *other, 8);
        struct pl_zint_job job = {.symbology = (enum pl_zint_id)24, .data = pl_slice_make(data, n)};
        enum pl_errc code = pl_code49_encode(pl_content_of(job.data), -1, &arena, &own, NULL);
        assert_int_equal(pl_zint_encode(&job, &arena, other, NULL), code);
        if (code == PL_OK) {
            encoded++;
            assert_true(is_same(&own.modules, &other->modules));
            assert_int_equal(own.text.len, n);
            assert_memory_equal(own.text.ptr, data, n);
        } else {
            assert_int_equal(code, PL_E_INVALID);
            refused++;
        }
        pl_arena_reset(&arena, 1u << 20);
    }
    assert_true(encoded > 1000 && refused > 100);
}

// A digit that is the shifted form of a mark is no digit of the data.
static void marks_before_digits_do_not_join_them(void **state)
{
    (void)state;
    struct pl_code49 one = encode("A<6304", 'A'), two = encode("A>26304", '0');
    assert_true(is_same(&one.modules, &two.modules));
    assert_text(&two, "A<6304");
}

// What the automatic mode makes of ASCII, written by hand.
static void modes_by_hand_make_the_same_symbols(void **state)
{
    (void)state;
    static const struct {
        const char *ascii, *by_hand;
        char mode;
    } same[] = {{"CODE 49", "CODE 49", '0'},
                {"Code", "C>O>D>E", '0'},
                {"a", "A", '5'},
                {"abc", "A>B>C", '5'},
                {"!x", "6>X", '4'},
                {"12345", "12345", '2'},
                {"1234567", "1234567", '2'},
                {"AB1234567CD", "AB=1234567=CD", '0'},
                {"123456789X", "123456789=X", '2'},
                {"A:B,C~", "A<+B</C>%", '0'},
                {"12345A54321", "12345=A=54321", '2'}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct pl_code49 one = encode(same[i].ascii, 'A'), two = encode(same[i].by_hand, same[i].mode);
        assert_true(is_same(&one.modules, &two.modules));
        assert_text(&two, same[i].ascii);
        assert_int_equal(two.used, strlen(same[i].by_hand));
    }
}

// The mode stands in the last row only: modes of the same characters differ there and nowhere else.
static void the_mode_is_in_the_last_row(void **state)
{
    (void)state;
    struct pl_code49 regular = encode("ABC 123", '0');
    for (const char *mode = "13"; *mode; mode++) {
        struct pl_code49 other = encode("ABC 123", *mode);
        assert_text(&other, "ABC 123");
        assert_int_equal(other.modules.height, 2);
        assert_memory_equal(other.modules.words, regular.modules.words, regular.modules.stride * 8);
        assert_false(is_same(&other.modules, &regular.modules));
    }
    // Digits stay characters in mode 0.
    struct pl_code49 digits = encode("12345", '0'), numeric = encode("12345", 'A');
    assert_false(is_same(&digits.modules, &numeric.modules));
    assert_text(&digits, "12345");
}

static void a_symbol_ends_before_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *data, *text;
        char mode;
        size_t used;
    } bad[] = {{"ABCd", "ABC", '0', 3},
               {"AB<<C", "AB", '0', 2},
               {"AB<%C", "AB", '0', 2},
               {"AB>", "AB", '0', 2},
               {"A<>B", "A", '0', 1},
               {"12345A", "", '2', 0},
               {"12345=12=", "1234512", '2', 8},
               {"A=B", "A", '0', 1},
               {"A=12", "A", '0', 2},
               {"%A", "", '4', 0},
               {"\x01", "", '0', 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct pl_code49 out;
        enum pl_errc code = try_encode(bad[i].data, bad[i].mode, &out);
        if (!bad[i].text[0]) {
            assert_int_equal(code, PL_E_INVALID);
            continue;
        }
        assert_int_equal(code, PL_OK);
        assert_int_equal(out.used, bad[i].used);
        assert_text(&out, bad[i].text);
    }
    // The reserved characters are written and say nothing.
    struct pl_code49 reserved = encode("A:B;C?", '0');
    assert_int_equal(reserved.used, 6);
    assert_text(&reserved, "ABC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(automatic_symbols_equal_libzint),     cmocka_unit_test(marks_before_digits_do_not_join_them),
        cmocka_unit_test(modes_by_hand_make_the_same_symbols), cmocka_unit_test(the_mode_is_in_the_last_row),
        cmocka_unit_test(a_symbol_ends_before_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
