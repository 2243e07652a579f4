// QR Code: every version and level read back and compared with libzint, masks, modes, limits.
#include <string.h>

#include "../../barcodes/decode.h"
#include "arena_fixture.h"
#include "bar/encode/bar_zint.h"
#include "bar/encode/qr.h"
#include "bar/encode/qr_parts.h"
#include "unit.h"

static uint16_t chars[16000];

static struct pl_qr_symbol encode(struct pl_slice data, struct pl_qr_options options)
{
    struct pl_qr_segment segment = {.automatic = true, .data = data};
    struct pl_qr_symbol symbol;
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_OK);
    return symbol;
}

static void check_reads(const struct pl_qr_symbol *symbol, struct pl_slice data)
{
    struct decoded out = {.chars = chars, .cap = 16000};
    uint32_t mask;
    assert_true(decode_qr(&symbol->modules, &out, &mask));
    assert_int_equal(mask, symbol->mask);
    assert_int_equal(out.count, data.len);
    for (size_t i = 0; i < data.len; i++)
        assert_int_equal(chars[i], data.ptr[i]);
}

static void every_version_and_level_reads_back(void **state)
{
    (void)state;
    for (uint32_t version = 1; version <= 40; version++)
        for (uint32_t level = 0; level < 4; level++) {
            struct pl_slice data = pl_slice_cstr("abcDEF12");
            // Levels are raised to what fits: ask for the highest that holds the data.
            struct pl_qr_symbol symbol =
                encode(data, (struct pl_qr_options){.level = (enum pl_qr_level)level, .mask = -1, .version = version});
            assert_true(symbol.version >= version && symbol.level >= level);
            check_reads(&symbol, data);
            pl_arena_reset(&arena, 1u << 20);
        }
}

static void full_symbols_of_every_version_read_back(void **state)
{
    (void)state;
    static uint8_t data[3000];
    uint32_t last = 0;
    for (uint32_t n = 1; n <= 2953; n++) {
        data[n - 1] = (uint8_t)('a' + n % 26);
        struct pl_qr_segment segment = {.mode = PL_QR_BYTE, .data = pl_slice_make(data, n)};
        uint32_t version = pl_qr_version_for(&segment, 1, PL_QR_L);
        if (version == last)
            continue;
        last = version;
        for (uint32_t level = 0; level < 4; level++) {
            // The data of the version before just fills it; here it is the least that needs this one.
            struct pl_qr_symbol symbol;
            struct pl_qr_options options = {.level = (enum pl_qr_level)level, .mask = (int)(n % 8)};
            enum pl_errc code = pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL);
            if (code == PL_OK)
                check_reads(&symbol, segment.data);
            else
                assert_true(level > 0 && n > 1200);
            pl_arena_reset(&arena, 1u << 20);
        }
    }
    assert_int_equal(last, 40);
}

// Bytes only, so that nothing can be segmented differently: matrix and mask choice are libzint's.
static void matrix_and_mask_equal_libzint_in_every_version(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (uint32_t version = 1; version <= 40; version++)
        for (uint32_t round = 0; round < 3; round++) {
            uint8_t data[2000];
            uint32_t n = 1 + (version * version + version * 4) / 2; // between a tenth and half of level H
            for (uint32_t i = 0; i < n; i++) {
                seed = seed * 1664525u + 1013904223u;
                data[i] = (uint8_t)('a' + (seed >> 24) % 26);
            }
            struct pl_slice slice = pl_slice_make(data, n);
            struct pl_qr_symbol symbol = encode(slice, (struct pl_qr_options){.mask = -1, .version = version});
            struct pl_zint_job job = {.symbology = (enum pl_zint_id)58,
                                      .data = slice,
                                      .option_1 = (int)symbol.level + 1,
                                      .option_2 = (int)symbol.version};
            struct pl_zint_symbol *other = pl_arena_alloc(&arena, sizeof *other, 8);
            assert_int_equal(pl_zint_encode(&job, &arena, other, NULL), PL_OK);
            assert_int_equal(other->modules.width, symbol.modules.width);
            assert_memory_equal(other->modules.words, symbol.modules.words,
                                (size_t)symbol.modules.stride * symbol.modules.height * 8);
            pl_arena_reset(&arena, 1u << 20);
        }
}

static void every_mask_can_be_asked_for(void **state)
{
    (void)state;
    struct pl_slice data = pl_slice_cstr("MASKS 0 TO 7");
    for (int mask = 0; mask < 8; mask++) {
        struct pl_qr_symbol symbol = encode(data, (struct pl_qr_options){.mask = mask});
        assert_int_equal(symbol.mask, mask);
        check_reads(&symbol, data);
    }
}

static void level_is_raised_to_what_the_version_holds(void **state)
{
    (void)state;
    struct pl_qr_symbol symbol =
        encode(pl_slice_cstr("HELLO WORLD"), (struct pl_qr_options){.level = PL_QR_M, .mask = -1});
    assert_int_equal(symbol.version, 1);
    assert_int_equal(symbol.level, PL_QR_Q);
}

static void kanji_and_eci_and_append_read_back(void **state)
{
    (void)state;
    const uint8_t kanji[] = {0x93, 0x5F, 0xE4, 0xAA, 0x81, 0x40};
    struct pl_qr_segment segments[] = {{.mode = PL_QR_NUMERIC, .data = pl_slice_cstr("0123")},
                                       {.mode = PL_QR_KANJI, .data = pl_slice_make(kanji, sizeof kanji)}};
    struct pl_qr_options options = {.mask = -1, .eci = 26, .append_index = 3, .append_count = 4, .append_parity = 0x8F};
    struct pl_qr_symbol symbol;
    assert_int_equal(pl_qr_encode(segments, 2, &options, &arena, &symbol, NULL), PL_OK);
    check_reads(&symbol, pl_slice_cstr("0123\x93\x5F\xE4\xAA\x81\x40"));
}

// Error correction of model 1 by version and level L, M, Q, H: blocks and codewords of each (ISO/IEC 18004:2000, table
// M.4).
static const uint8_t model1_checks[14][4][2] = {
    {{1, 7}, {1, 10}, {1, 13}, {1, 17}},  {{1, 10}, {1, 16}, {1, 22}, {1, 30}}, {{1, 15}, {1, 28}, {1, 36}, {1, 48}},
    {{1, 20}, {1, 40}, {1, 50}, {1, 66}}, {{1, 26}, {1, 52}, {1, 66}, {2, 44}}, {{1, 34}, {2, 32}, {2, 42}, {2, 56}},
    {{1, 42}, {2, 40}, {2, 52}, {3, 46}}, {{2, 24}, {2, 48}, {2, 64}, {3, 56}}, {{2, 30}, {2, 60}, {3, 50}, {3, 68}},
    {{2, 34}, {2, 68}, {3, 58}, {4, 58}}, {{2, 40}, {4, 40}, {4, 52}, {5, 54}}, {{2, 46}, {4, 46}, {4, 58}, {5, 62}},
    {{3, 36}, {4, 52}, {4, 66}, {6, 58}}, {{3, 40}, {4, 60}, {5, 60}, {6, 66}}};

static void model_1_reads_back_in_every_version_and_level(void **state)
{
    (void)state;
    for (uint32_t version = 1; version <= 40; version++)
        for (uint32_t level = 0; level < 4; level++) {
            struct pl_slice data = pl_slice_cstr("aB12345");
            struct pl_qr_symbol symbol =
                encode(data, (struct pl_qr_options){
                                 .level = (enum pl_qr_level)level, .mask = -1, .version = version, .model1 = true});
            assert_int_equal(symbol.version, version);
            assert_int_equal(symbol.level, level); // it is not raised
            uint32_t checks, blocks = pl_qr_model1_blocks(version, (enum pl_qr_level)level, &checks);
            if (version <= 14) {
                assert_int_equal(blocks, model1_checks[version - 1][level][0]);
                assert_int_equal(checks, model1_checks[version - 1][level][1]);
            }
            struct decoded out = {.chars = chars, .cap = 16000};
            uint32_t mask;
            assert_true(decode_qr_model1(&symbol.modules, blocks, checks, &out, &mask));
            assert_int_equal(mask, symbol.mask);
            assert_int_equal(out.count, data.len);
            for (size_t i = 0; i < data.len; i++)
                assert_int_equal(chars[i], data.ptr[i]);
            pl_arena_reset(&arena, 1u << 20);
        }
}

// Byte data that fills each version: one more byte needs the next.
static void model_1_holds_what_the_standard_says(void **state)
{
    (void)state;
    static const uint16_t bytes_of_l[] = {17, 34, 55, 78, 106, 134, 168, 206, 244, 287, 333, 381, 429, 486};
    static uint8_t data[3800];
    memset(data, 'x', sizeof data);
    struct pl_qr_symbol symbol;
    struct pl_qr_options options = {.mask = 0, .model1 = true};
    for (uint32_t version = 1; version <= 14; version++)
        for (uint32_t more = 0; more < 2; more++) {
            struct pl_qr_segment segment = {.mode = PL_QR_BYTE,
                                            .data = pl_slice_make(data, bytes_of_l[version - 1] + more)};
            assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_OK);
            assert_int_equal(symbol.version, version + more);
            pl_arena_reset(&arena, 1u << 20);
        }
    // Printers go on to version 40, which holds 16 blocks of 192 codewords.
    struct pl_qr_segment segment = {.mode = PL_QR_BYTE, .data = pl_slice_make(data, 16 * 192 - 3)};
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_OK);
    assert_int_equal(symbol.version, 40);
    struct decoded out = {.chars = chars, .cap = 16000};
    uint32_t mask;
    assert_true(decode_qr_model1(&symbol.modules, 16, 46, &out, &mask));
    assert_int_equal(out.count, segment.data.len);
    segment.data.len++;
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_E_INVALID);
}

// Mask 4 has the lowest penalty, but mask 2 the fewest blocks, and both have more than 10000 points.
static void a_printer_does_not_compare_high_penalties(void **state)
{
    (void)state;
    static uint8_t data[733];
    memset(data, 'a', sizeof data);
    struct pl_qr_segment segment = {.mode = PL_QR_BYTE, .data = pl_slice_make(data, sizeof data)};
    struct pl_qr_options options = {.level = PL_QR_H, .mask = -1, .model1 = true, .mask_as_printed = true};
    struct pl_qr_symbol symbol;
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_OK);
    assert_int_equal(symbol.version, 30);
    assert_int_equal(symbol.mask, 2);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static uint8_t digits[7100];
    memset(digits, '7', sizeof digits);
    struct pl_qr_segment segment = {.mode = PL_QR_NUMERIC, .data = pl_slice_make(digits, 7089)};
    struct pl_qr_options options = {.mask = 2};
    struct pl_qr_symbol symbol;
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_OK);
    assert_int_equal(symbol.version, 40);
    check_reads(&symbol, segment.data);
    segment.data.len = 7090;
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_E_INVALID);
    segment.data.len = 5597;
    options.level = PL_QR_M;
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_E_INVALID);
    segment = (struct pl_qr_segment){.mode = PL_QR_KANJI, .data = pl_slice_cstr("ab")};
    assert_int_equal(pl_qr_encode(&segment, 1, &options, &arena, &symbol, NULL), PL_E_INVALID);
}

// ---- The mask of a printer, by plain loops (docs/fidelity.md, "QR: mask") ----

static bool dark_at(const struct pl_bitmap *m, int64_t x, int64_t y, bool turned)
{
    if (x < 0 || y < 0 || x >= m->width || y >= m->height)
        return false;
    return turned ? pl_bitmap_get(m, (uint32_t)y, (uint32_t)x) : pl_bitmap_get(m, (uint32_t)x, (uint32_t)y);
}

static bool all_light(const struct pl_bitmap *m, int64_t from, int64_t count, int64_t y, bool turned)
{
    for (int64_t x = from; x < from + count; x++)
        if (dark_at(m, x, y, turned))
            return false;
    return true;
}

static uint32_t points_of_row(const struct pl_bitmap *m, int64_t y, bool turned)
{
    uint32_t points = 0, run = 1;
    for (int64_t x = 1; x <= m->width; x++) {
        if (x < m->width && dark_at(m, x, y, turned) == dark_at(m, x - 1, y, turned)) {
            run++;
            continue;
        }
        points += run >= 5 ? run - 2 : 0;
        run = 1;
    }
    for (int64_t x = 0; x + 7 <= m->width; x++) {
        bool finder = all_light(m, x - 1, 1, y, turned) && all_light(m, x + 7, 1, y, turned);
        for (int64_t i = 0; finder && i < 7; i++)
            finder = dark_at(m, x + i, y, turned) == (0x5D >> i & 1);
        if (finder && (all_light(m, x - 4, 4, y, turned) || all_light(m, x + 7, 4, y, turned)))
            points += 40;
    }
    return points;
}

static void points_of_symbol(const struct pl_bitmap *m, uint32_t *blocks, uint32_t *points)
{
    uint32_t dark = 0, all = m->width * m->height;
    *blocks = *points = 0;
    for (uint32_t y = 0; y < m->height; y++) {
        *points += points_of_row(m, y, false) + points_of_row(m, y, true);
        for (uint32_t x = 0; x < m->width; x++) {
            dark += pl_bitmap_get(m, x, y);
            uint32_t sum = x && y ? pl_bitmap_get(m, x, y) + pl_bitmap_get(m, x - 1, y) + pl_bitmap_get(m, x, y - 1) +
                                        pl_bitmap_get(m, x - 1, y - 1)
                                  : 2;
            *blocks += sum == 0 || sum == 4;
        }
    }
    uint32_t away = dark * 2 > all ? dark * 2 - all : all - dark * 2;
    *points += 3 * *blocks + away * 10 / all * 10;
}

static uint32_t mask_of_a_printer(struct pl_slice data, struct pl_qr_options options)
{
    uint32_t blocks[8], points[8], best = 8;
    for (uint32_t mask = 0; mask < 8; mask++) {
        options.mask = (int)mask;
        struct pl_qr_symbol symbol = encode(data, options);
        points_of_symbol(&symbol.modules, &blocks[mask], &points[mask]);
    }
    for (uint32_t mask = 0; mask < 8; mask++) {
        uint32_t before = 0;
        for (uint32_t m = 0; m < 8; m++)
            before += blocks[m] < blocks[mask] || (blocks[m] == blocks[mask] && m < mask);
        if (before >= 3)
            continue;
        if (best == 8 || points[mask] < points[best] || (points[mask] == points[best] && blocks[mask] < blocks[best]))
            best = mask;
    }
    return best;
}

static void the_mask_of_a_printer_is_one_of_few_blocks(void **state)
{
    (void)state;
    uint32_t other = 0, seed = 1;
    for (uint32_t n = 0; n < 400; n++) {
        uint8_t data[24];
        for (uint32_t i = 0; i < sizeof data; i++) {
            seed = seed * 1103515245 + 12345;
            data[i] = (uint8_t)(' ' + (seed >> 16) % 90);
        }
        struct pl_slice slice = pl_slice_make(data, n % 24 + 1);
        struct pl_qr_options options = {.level = (enum pl_qr_level)(n % 4),
                                        .mask = -1,
                                        .version = n % 16 ? 1 : n / 16 % 14 + 1,
                                        .model1 = n % 5 == 0,
                                        .keep_level = true};
        uint32_t standard = encode(slice, options).mask;
        options.mask_as_printed = true;
        uint32_t mask = encode(slice, options).mask;
        assert_int_equal(mask, mask_of_a_printer(slice, options));
        other += mask != standard;
        pl_arena_reset(&arena, 1u << 20);
    }
    assert_true(other > 100);
    // Measured on a printer: ../shared/zpl/printer-truth.md, 1.12.
    struct pl_qr_options options = {
        .level = PL_QR_Q, .mask = -1, .mask_as_printed = true, .keep_level = true, .split_by_bits = true};
    struct pl_qr_symbol symbol = encode(pl_slice_cstr("https://example.com/product/48213"), options);
    assert_int_equal(symbol.version, 4);
    assert_int_equal(symbol.mask, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_and_level_reads_back),
        cmocka_unit_test(full_symbols_of_every_version_read_back),
        cmocka_unit_test(matrix_and_mask_equal_libzint_in_every_version),
        cmocka_unit_test(every_mask_can_be_asked_for),
        cmocka_unit_test(level_is_raised_to_what_the_version_holds),
        cmocka_unit_test(kanji_and_eci_and_append_read_back),
        cmocka_unit_test(model_1_reads_back_in_every_version_and_level),
        cmocka_unit_test(model_1_holds_what_the_standard_says),
        cmocka_unit_test(a_printer_does_not_compare_high_penalties),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_mask_of_a_printer_is_one_of_few_blocks),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
