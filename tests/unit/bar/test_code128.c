// Code 128: the rules of each mode, and random data read back.
#include <stdlib.h>
#include <string.h>

#include "../../barcodes/decode.h"
#include "arena_fixture.h"
#include "bar/encode/bar_zint.h"
#include "bar/encode/code128.h"
#include "unit.h"
#include "zpl_field.h"

static enum pl_errc try_encode(const struct pl_barcode *field, struct pl_code128 *code)
{
    switch (field->code128.rule) {
    case PL_CODE128_VALUES:
        return pl_code128_encode_values(field->content, &arena, code, NULL);
    case PL_CODE128_CASE:
        return pl_code128_encode_case(field->content.bytes, &arena, code, NULL);
    default:
        return pl_code128_encode(field->content, field->code128.rule == PL_CODE128_GS1, &arena, code, NULL);
    }
}

static struct pl_code128 encode(const char *data, char mode)
{
    struct pl_barcode field = field_of(PL_SYM_CODE128, data, mode, 0, &arena);
    struct pl_code128 code;
    assert_int_equal(try_encode(&field, &code), PL_OK);
    return code;
}

// Values with the start character are given, ended by -1.
static void check(const char *data, char mode, const int *values, const char *text)
{
    struct pl_barcode field = field_of(PL_SYM_CODE128, data, mode, 0, &arena);
    struct pl_code128 code = encode(data, mode);
    for (uint32_t i = 0; i < code.count || values[i] >= 0; i++) {
        if (i >= code.count || values[i] != code.values[i])
            fail_msg("%s: character %u is %d, not %d", data, i, i < code.count ? code.values[i] : -1, values[i]);
    }
    struct pl_slice said = mode == 'U'         ? pl_slice_make(code.digits, sizeof code.digits)
                           : field.caption.ptr ? field.caption
                                               : field.content.bytes;
    assert_true(pl_slice_eq_cstr(said, text));
}

static void mode_n_stays_in_b(void **state)
{
    (void)state;
    check("12ab", 'N', (int[]){104, 17, 18, 65, 66, -1}, "12ab");
}

static void mode_n_takes_invocations(void **state)
{
    (void)state;
    check(">;382436>6CODE128>752375152", 'N',
          (int[]){105, 38, 24, 36, 100, 35, 47, 36, 37, 17, 18, 24, 101, 52, 37, 51, 52, -1}, "382436CODE128TEST");
    check(">;>80012", 'N', (int[]){105, 102, 0, 12, -1}, "0012");
    check(">937>5", 'N', (int[]){103, 37, 99, -1}, "E");
    check("><>0>=", 'N', (int[]){104, 62, 30, 94, -1}, "^>~");
    check("a>2>3>4b", 'N', (int[]){104, 65, 96, 97, 98, 66, -1}, "ab");
}

static void mode_n_drops_what_a_subset_has_not(void **state)
{
    (void)state;
    check(">;12x34", 'N', (int[]){105, 12, 34, -1}, "1234");      // not a digit in first place
    check(">;1x34", 'N', (int[]){105, 34, -1}, "34");             // in second place: the pair goes
    check(">;123>6A", 'N', (int[]){105, 12, 100, 33, -1}, "12A"); // odd digit before a switch
    check("a>?b", 'N', (int[]){104, 65, 66, -1}, "ab");           // unknown invocation
    check("a\x05z", 'N', (int[]){104, 65, 90, -1}, "az");
    struct pl_barcode field = field_of(PL_SYM_CODE128, ">;1x34", 'N', 0, &arena);
    assert_int_equal(field.finding_count, 1);
    assert_int_equal(field.findings[0].fault, PL_BAR_BAD_CHARACTER);
    assert_string_equal(field.findings[0].remark, "2 characters cannot be encoded in the subset and were left out.");
}

static void mode_a_takes_invocations_for_data(void **state)
{
    (void)state;
    check(">;96", 'A', (int[]){104, 30, 27, 25, 22, -1}, ">;96");
}

static void mode_a_pairs_runs_of_four_digits(void **state)
{
    (void)state;
    check("123", 'A', (int[]){104, 17, 18, 19, -1}, "123");
    check("12", 'A', (int[]){105, 12, -1}, "12");
    check("12345", 'A', (int[]){105, 12, 34, 100, 21, -1}, "12345");
    check("a12345", 'A', (int[]){104, 65, 17, 99, 23, 45, -1}, "a12345");
}

static void mode_d_begins_with_fnc1_and_shows_parentheses(void **state)
{
    (void)state;
    check("(01)1234>8(10)AB", 'D', (int[]){105, 102, 1, 12, 34, 102, 10, 100, 33, 34, -1}, "(01)1234(10)AB");
}

static void mode_u_has_twenty_digits(void **state)
{
    (void)state;
    check("9632080400200044387502171053828143", 'U', (int[]){105, 102, 96, 32, 8, 4, 0, 20, 0, 44, 38, 74, -1},
          "96320804002000443874");
    struct pl_code128 code = encode("1", 'U');
    assert_int_equal(code.padded, 18);
}

static void empty_and_hopeless_data_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        char mode;
    } CASES[] = {{"\x01\x02", 'N'}, {"() ", 'D'}};
    struct pl_code128 code;
    for (size_t i = 0; i < 2; i++) {
        struct pl_barcode field = field_of(PL_SYM_CODE128, CASES[i].data, CASES[i].mode, 0, &arena);
        assert_int_equal(try_encode(&field, &code), PL_E_INVALID);
        assert_int_equal(field.finding_count, 0); // the encoder says why
    }
    assert_int_equal(pl_code128_encode(pl_content_of(pl_slice_cstr("")), false, &arena, &code, NULL), PL_E_INVALID);
    char much[PL_CODE128_LENGTH_MAX + 2];
    memset(much, 'A', sizeof much - 1);
    much[sizeof much - 1] = 0;
    assert_int_equal(pl_code128_encode(pl_content_of(pl_slice_cstr(much)), false, &arena, &code, NULL), PL_E_INVALID);
    for (const char *mode = "NUAD"; *mode; mode++) {
        struct pl_barcode field = field_of(PL_SYM_CODE128, much, *mode, 0, &arena);
        assert_int_equal(field.finding_count, 1);
        assert_int_equal(field.findings[0].fault, PL_BAR_TOO_LONG);
        assert_null(field.findings[0].remark);
    }
    // Values that are none, a start character in the middle, and none at the beginning.
    static const uint32_t BAD[][3] = {{104, 106, 1}, {104, 1, 103}, {1, 2, 3}};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(
            pl_code128_encode_values((struct pl_content){.codes = BAD[i], .count = 3}, &arena, &code, NULL),
            PL_E_INVALID);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void random_data_reads_back(void **state)
{
    (void)state;
    static uint16_t chars[4096];
    uint32_t seed = 1;
    for (int round = 0; round < 4000; round++) {
        uint8_t data[60];
        uint32_t n = 1 + next(&seed) % sizeof data, kind = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (next(&seed) % 5 == 0)
                kind = next(&seed) % 5;
            uint32_t c = next(&seed);
            data[i] = (uint8_t)(kind < 2 ? '0' + c % 10 : kind == 2 ? c % 128 : kind == 3 ? c % 256 : c % 32);
        }
        struct pl_code128 code;
        struct pl_bitmap modules;
        struct decoded out = {.chars = chars, .cap = 4096};
        assert_int_equal(pl_code128_encode(pl_content_of(pl_slice_make(data, n)), false, &arena, &code, NULL), PL_OK);
        assert_int_equal(pl_code128_modules(&code, &arena, &modules, NULL), PL_OK);
        assert_true(decode_code128(&modules, &out));
        assert_int_equal(out.count, n);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(chars[i], data[i]);
        pl_arena_reset(&arena, 1u << 20);
    }
}

// Automatic subsets equal libzint's (whose rules the reference shares) as far as it goes: 60 characters, ASCII.
static void automatic_mode_equals_libzint(void **state)
{
    (void)state;
    uint32_t seed = 7, compared = 0;
    for (int round = 0; round < 3000; round++) {
        uint8_t data[30];
        uint32_t n = 1 + next(&seed) % sizeof data, kind = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (next(&seed) % 4 == 0)
                kind = next(&seed) % 4;
            uint32_t c = next(&seed);
            data[i] = (uint8_t)(kind < 2 ? '0' + c % 10 : kind == 2 ? 32 + c % 96 : 1 + c % 127);
        }
        struct pl_code128 code;
        struct pl_bitmap modules;
        struct pl_zint_symbol *symbol = pl_arena_alloc(&arena, sizeof *symbol, 8);
        struct pl_zint_job job = {.symbology = (enum pl_zint_id)20, .data = pl_slice_make(data, n)};
        if (pl_zint_encode(&job, &arena, symbol, NULL) == PL_OK) {
            assert_int_equal(pl_code128_encode(pl_content_of(job.data), false, &arena, &code, NULL), PL_OK);
            assert_int_equal(pl_code128_modules(&code, &arena, &modules, NULL), PL_OK);
            assert_int_equal(modules.width, symbol->modules.width);
            assert_memory_equal(modules.words, symbol->modules.words, modules.stride * 8);
            compared++;
        }
        pl_arena_reset(&arena, 1u << 20);
    }
    assert_true(compared > 2500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_n_stays_in_b),
        cmocka_unit_test(mode_n_takes_invocations),
        cmocka_unit_test(mode_n_drops_what_a_subset_has_not),
        cmocka_unit_test(mode_a_takes_invocations_for_data),
        cmocka_unit_test(mode_a_pairs_runs_of_four_digits),
        cmocka_unit_test(mode_d_begins_with_fnc1_and_shows_parentheses),
        cmocka_unit_test(mode_u_has_twenty_digits),
        cmocka_unit_test(empty_and_hopeless_data_are_refused),
        cmocka_unit_test(random_data_reads_back),
        cmocka_unit_test(automatic_mode_equals_libzint),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
