// The 2D part of composite symbols: our CC-A against libzint's where both write the general method.
#include <stdio.h>
#include <string.h>

#include "bar/encode/bar_zint.h"
#include "bar/encode/composite_a.h"
#include "bar/encode/gs1.h"
#include "base/ckd.h"
#include "unit.h"

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

// One to three elements with bracketed identifiers. None begins with one that has a method of its own (10, 11, 17, 90).
static size_t random_elements(uint32_t *seed, char *out)
{
    static const char *const FREE[] = {"21", "22", "240", "250", "400", "8020", "91", "98", "37"};
    static const char *const FIXED[] = {"0103212345678906", "3103001234", "2042", "00012345678901234567", "17250115"};
    static const char *const SETS[] = {
        "0123456789", "ABCXYZ*,-./", "0123456789AB-", "abcxyz0123456789ABC", "!\"%&'()*+,-./:;<=>?_ ", "abcdefxyz"};
    size_t n = 0;
    uint32_t count = 1 + next(seed, 3);
    for (uint32_t i = 0; i < count; i++) {
        if (next(seed, 4) == 0) {
            const char *element = FIXED[next(seed, i == 0 ? 4 : 5)];
            uint32_t identifier = pl_gs1_identifier_length(pl_slice_cstr(element));
            n += (size_t)sprintf(out + n, "[%.*s]%s", (int)identifier, element, element + identifier);
            continue;
        }
        n += (size_t)sprintf(out + n, "[%s]", FREE[next(seed, i == 0 ? 6 : PL_COUNTOF(FREE))]);
        uint32_t length = 1 + next(seed, 20), run = 0;
        const char *set = SETS[0];
        while (length-- > 0) {
            if (run-- == 0) {
                set = SETS[next(seed, PL_COUNTOF(SETS))];
                run = next(seed, 8);
            }
            out[n++] = set[next(seed, (uint32_t)strlen(set))];
        }
    }
    out[n] = 0;
    return n;
}

static void the_general_method_is_libzints(void **state)
{
    (void)state;
    static const struct {
        enum pl_zint_id id;
        const char *primary;
    } SYMBOLS[] = {{PL_ZINT_DATABAR_STACKED_CC, "0321234567890"},
                   {PL_ZINT_DATABAR_LIMITED_CC, "0321234567890"},
                   {PL_ZINT_GS1_128_CC, "[01]03212345678906"}};
    uint32_t seed = 22, compared = 0, rows_seen[5][13] = {{0}};
    for (uint32_t i = 0; i < 10000; i++) {
        struct pl_arena arena;
        struct pl_error err;
        char bracketed[128];
        uint8_t joined[128];
        pl_arena_init(&arena, 1u << 20);
        size_t length = random_elements(&seed, bracketed);
        struct pl_slice elements = {joined, pl_gs1_join(pl_slice_make(bracketed, length), joined)};
        uint32_t which = next(&seed, PL_COUNTOF(SYMBOLS)), columns = which + 2;
        struct pl_bitmap rows;
        enum pl_errc code = pl_composite_a_encode(elements, columns, &arena, &rows, &err);
        struct pl_zint_job job = {.symbology = SYMBOLS[which].id,
                                  .data = pl_slice_make(bracketed, length),
                                  .primary = SYMBOLS[which].primary,
                                  .option_1 = 1,
                                  .gs1 = true};
        struct pl_zint_symbol *symbol = PL_ARENA_NEW(&arena, struct pl_zint_symbol);
        if (code == PL_OK) {
            assert_int_equal(pl_zint_encode(&job, &arena, symbol, &err), PL_OK);
            struct pl_bitmap first = symbol->modules;
            first.height = 1;
            struct pl_box ink = pl_bitmap_ink_box(&first);
            assert_int_equal(ink.x1 - ink.x0, rows.width);
            assert_int_equal(rows.width, pl_composite_a_width(columns));
            for (uint32_t y = 0; y < rows.height; y++)
                for (uint32_t x = 0; x < rows.width; x++)
                    if (pl_bitmap_get(&rows, x, y) != pl_bitmap_get(&symbol->modules, x + (uint32_t)ink.x0, y))
                        fail_msg("%s in %u columns: row %u differs", bracketed, columns, y);
            compared++;
            rows_seen[columns][rows.height]++;
        } else {
            assert_int_equal(code, PL_E_INVALID);
        }
        pl_arena_fini(&arena);
    }
    assert_true(compared > 5000);
    static const uint8_t SIZES[][2] = {{2, 5}, {2, 6}, {2, 7}, {2, 8}, {2, 9}, {2, 10}, {2, 12}, {3, 4}, {3, 5},
                                       {3, 6}, {3, 7}, {3, 8}, {4, 3}, {4, 4}, {4, 5},  {4, 6},  {4, 7}};
    for (size_t i = 0; i < PL_COUNTOF(SIZES); i++)
        assert_true(rows_seen[SIZES[i][0]][SIZES[i][1]] > 0);
}

static void what_cc_a_does_not_hold_is_refused(void **state)
{
    (void)state;
    struct pl_arena arena;
    struct pl_error err;
    struct pl_bitmap rows;
    pl_arena_init(&arena, 1u << 20);
    char text[400];
    memset(text, '_', sizeof text);
    memcpy(text, "21", 2);
    assert_int_equal(pl_composite_a_encode(pl_slice_make(text, sizeof text), 4, &arena, &rows, &err), PL_E_INVALID);
    // 197 bits: the method, 27 pairs of digits, a digit alone in four bits.
    memset(text, '5', 55);
    assert_int_equal(pl_composite_a_encode(pl_slice_make(text, 55), 4, &arena, &rows, &err), PL_OK);
    assert_int_equal(rows.height, 7);
    assert_int_equal(pl_composite_a_encode(pl_slice_make(text, 57), 4, &arena, &rows, &err), PL_E_INVALID);
    assert_int_equal(pl_composite_a_encode(pl_slice_make(text, 4), 5, &arena, &rows, &err), PL_E_INVALID);
    for (int c = 0; c < 256; c++) {
        char element[] = {'2', '1', (char)c};
        bool known = c == 0x1D || (c >= ' ' && c < 0x7F && !strchr("#$@[\\]^`{|}~", c));
        assert_int_equal(pl_composite_a_encode(pl_slice_make(element, 3), 4, &arena, &rows, &err),
                         known ? PL_OK : PL_E_INVALID);
    }
    pl_arena_fini(&arena);
}

static void elements_are_joined_by_separators(void **state)
{
    (void)state;
    uint8_t out[64];
    struct pl_slice all = pl_slice_cstr("[10]A[0]B[17]250115[21]C[3103]001234[400]D");
    size_t n = pl_gs1_join(all, out);
    static const char wanted[] = "10A\x1D"
                                 "0B\x1D"
                                 "1725011521C\x1D"
                                 "3103001234400D";
    assert_int_equal(n, sizeof wanted - 1);
    assert_memory_equal(out, wanted, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_general_method_is_libzints),
                                       cmocka_unit_test(what_cc_a_does_not_hold_is_refused),
                                       cmocka_unit_test(elements_are_joined_by_separators)};
    return cmocka_run_group_tests_name("composite", tests, NULL, NULL);
}
