// Matrix and stacked encoders, read back: many short strings of mixed kinds of characters in all options. What once was
// not read back is named.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../barcodes/decode.h"
#include "bar/encode/aztec.h"
#include "bar/encode/codablock.h"
#include "bar/encode/code49.h"
#include "bar/encode/datamatrix.h"
#include "bar/encode/pdf417.h"
#include "unit.h"
#include "zpl_field.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SHARE = 10 }; // of the rounds: everything takes many times as long
#else
enum { SHARE = 1 };
#endif

static struct pl_arena arena;
static uint16_t chars[16384];
static struct decoded out = {.chars = chars, .cap = 16384};

static int setup(void **state)
{
    (void)state;
    pl_arena_init(&arena, 64u << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    return 0;
}

static uint32_t seed = 1;

static uint32_t next(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

// Runs of characters of one kind each: that is where encodations change.
static size_t make(uint8_t *data, size_t max)
{
    size_t length = 1 + next(next(4) ? 24 : (uint32_t)max - 1), n = 0;
    while (n < length) {
        uint32_t kind = next(9), run = 1 + next(7);
        for (uint32_t i = 0; i < run && n < length; i++) {
            static const char MARKS[] = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", X12[] = "\r*> ";
            data[n++] = kind == 0   ? (uint8_t)('0' + next(10))
                        : kind == 1 ? (uint8_t)('A' + next(26))
                        : kind == 2 ? (uint8_t)('a' + next(26))
                        : kind == 3 ? (uint8_t)MARKS[next(sizeof MARKS - 1)]
                        : kind == 4 ? (uint8_t)X12[next(4)]
                        : kind == 5 ? (uint8_t)(128 + next(128))
                        : kind == 6 ? (uint8_t)next(32)
                        : kind == 7 ? (uint8_t)(192 + next(64))
                                    : (uint8_t)next(256);
        }
    }
    return n;
}

static void expect(const char *what, bool good, const uint8_t *data, size_t length)
{
    bool same = good && out.count == length;
    for (size_t i = 0; same && i < length; i++)
        same = chars[i] == data[i];
    if (same)
        return;
    fprintf(stderr, "%s: %zu bytes came back as %zu:", what, length, good ? out.count : 0);
    for (size_t i = 0; i < length; i++)
        fprintf(stderr, " %02X", data[i]);
    fprintf(stderr, "\n");
    fail();
}

static bool encode_dm(const uint8_t *data, size_t length, const struct pl_datamatrix_options *options)
{
    struct pl_bitmap modules;
    if (pl_datamatrix_encode(pl_content_of(pl_slice_make(data, length)), options, &arena, &modules, NULL) != PL_OK)
        return false;
    expect("Data Matrix", decode_datamatrix(&modules, &out), data, length);
    return true;
}

static void datamatrix_ends_an_upper_shift_before_two_codewords(void **state)
{
    (void)state;
    static const uint8_t DATA[] = "12!gfee/fdeeff. $\xE1";
    struct pl_datamatrix_options options = {0};
    assert_true(encode_dm(DATA, sizeof DATA - 1, &options));
}

static void datamatrix_reads_back(void **state)
{
    (void)state;
    uint8_t data[400];
    uint32_t made = 0;
    for (int i = 0; i < 30000 / SHARE; i++) {
        size_t length = make(data, sizeof data);
        struct pl_datamatrix_options options = {.rectangular = next(4) == 0, .tail_in_ascii = next(2)};
        struct pl_arena_mark mark = pl_arena_mark(&arena);
        made += encode_dm(data, length, &options);
        pl_arena_release(&arena, mark);
    }
    assert_int_equal(made, 30000 / SHARE);
}

static void pdf417_reads_back(void **state)
{
    (void)state;
    uint8_t data[400];
    uint32_t made = 0, micro = 0;
    for (int i = 0; i < 6000 / SHARE; i++) {
        size_t length = make(data, sizeof data);
        struct pl_slice text = pl_slice_make(data, length);
        struct pl_pdf417_options options = {
            .columns = next(2) ? next(20) : 0, .security = next(6), .truncated = next(2)};
        struct pl_micropdf417_options small = {.size = -1, .linked = next(3) == 0};
        struct pl_bitmap modules;
        struct pl_arena_mark mark = pl_arena_mark(&arena);
        if (pl_pdf417_encode(text, &options, &arena, &modules, NULL) == PL_OK) {
            expect("PDF417", decode_pdf417(&modules, options.truncated, &out), data, length);
            made++;
        }
        if (pl_micropdf417_encode(text, &small, &arena, &modules, NULL) == PL_OK) {
            expect("MicroPDF417", decode_micropdf417(&modules, &out), data, length);
            micro++;
        }
        pl_arena_release(&arena, mark);
    }
    assert_true(made > 5000 / SHARE && micro > 3000 / SHARE);
}

static void aztec_reads_back(void **state)
{
    (void)state;
    uint8_t data[400];
    uint32_t made = 0;
    for (int i = 0; i < 6000 / SHARE; i++) {
        size_t length = make(data, sizeof data);
        struct pl_aztec_options options = {.percent = next(2) ? next(90) : 0};
        struct pl_bitmap modules;
        struct pl_arena_mark mark = pl_arena_mark(&arena);
        if (pl_aztec_encode(pl_content_of(pl_slice_make(data, length)), &options, &arena, &modules, NULL) == PL_OK) {
            expect("Aztec", decode_aztec(&modules, &out), data, length);
            made++;
        }
        pl_arena_release(&arena, mark);
    }
    assert_true(made > 5500 / SHARE);
}

static void code49_reads_back(void **state)
{
    (void)state;
    uint8_t data[90];
    uint32_t made = 0;
    for (int i = 0; i < 20000 / SHARE; i++) {
        size_t length = make(data, next(2) ? 12 : 60);
        for (size_t k = 0; k < length; k++)
            data[k] &= 127;
        struct pl_code49 symbol;
        struct pl_arena_mark mark = pl_arena_mark(&arena);
        if (pl_code49_encode(pl_content_of(pl_slice_make(data, length)), -1, &arena, &symbol, NULL) == PL_OK) {
            expect("Code 49", decode_code49(&symbol.modules, &out), data, length);
            made++;
        }
        pl_arena_release(&arena, mark);
    }
    assert_true(made > 10000 / SHARE);
}

static void aztec_names_interpretations_by_six_digits(void **state)
{
    (void)state;
    static const struct {
        const char *data, *read;
    } CASES[] = {{"A\\000026B", "AB"}, {"A\\00026B", "A\\00026B"}, {"A\\\\000026", "A\\000026"}, {"A\\0000267", "A7"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct pl_aztec_options options = {0};
        struct pl_bitmap modules;
        assert_int_equal(pl_aztec_encode(field_of(PL_SYM_AZTEC, CASES[i].data, 0, 0, &arena).content, &options, &arena,
                                         &modules, NULL),
                         PL_OK);
        expect(CASES[i].data, decode_aztec(&modules, &out), (const uint8_t *)CASES[i].read, strlen(CASES[i].read));
    }
}

static void datamatrix_reads_numbers_behind_its_escape(void **state)
{
    (void)state;
    static const struct {
        const char *data, *read;
    } CASES[] = {{"x~d065y", "xAy"},     {"x~d0:5y", "x~d0:5y"}, {"x~d06/y", "x~d06/y"},
                 {"x~d256y", "x~d256y"}, {"x~~y", "x~y"},        {"x~d06", "x~d06"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct pl_datamatrix_options options = {0};
        struct pl_bitmap modules;
        assert_int_equal(pl_datamatrix_encode(field_of(PL_SYM_DATAMATRIX, CASES[i].data, 0, 0, &arena).content,
                                              &options, &arena, &modules, NULL),
                         PL_OK);
        expect(CASES[i].data, decode_datamatrix(&modules, &out), (const uint8_t *)CASES[i].read, strlen(CASES[i].read));
    }
}

// The first and the last letter of a case are as good as those between them.
static void datamatrix_knows_the_ends_of_the_alphabet(void **state)
{
    (void)state;
    static const char *const LETTERS[] = {"mazAZM09", "aazz", "AAZZ"};
    for (size_t i = 0; i < sizeof LETTERS / sizeof *LETTERS; i++) {
        uint32_t width[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            uint8_t data[30];
            for (size_t n = 0; n < sizeof data; n++)
                data[n] = (uint8_t)(k ? (LETTERS[i][0] == 'A' ? 'M' : 'm') : LETTERS[i][i ? n % 4 : 0]);
            struct pl_datamatrix_options options = {0};
            struct pl_bitmap modules;
            assert_int_equal(
                pl_datamatrix_encode(pl_content_of(pl_slice_make(data, sizeof data)), &options, &arena, &modules, NULL),
                PL_OK);
            width[k] = modules.width;
        }
        assert_int_equal(width[0], width[1]);
    }
}

static void codablock_reads_back(void **state)
{
    (void)state;
    uint8_t data[1300];
    uint32_t made[3] = {0};
    for (int i = 0; i < 6000 / SHARE; i++) {
        struct pl_codablock_options options = {
            .variant = "AEF"[next(3)], .columns = next(2) ? next(60) : 0, .checks = next(4) != 0};
        static const char CODE39[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
        size_t length = options.variant == 'A' ? 1 + next(next(8) ? 40 : sizeof data - 1) : make(data, 400);
        for (size_t k = 0; k < length; k++)
            data[k] = options.variant == 'A' ? (uint8_t)CODE39[next(43)] : data[k] & 127;
        struct pl_codablock symbol;
        struct pl_arena_mark mark = pl_arena_mark(&arena);
        if (pl_codablock_encode(pl_content_of(pl_slice_make(data, length)), &options, &arena, &symbol, NULL) == PL_OK) {
            bool good = decode_codablock(&symbol, options.variant, options.checks, &out);
            if (options.variant == 'E') { // begins with FNC1
                good = good && out.count > 0 && chars[0] == 128;
                memmove(chars, chars + 1, (out.count - good) * sizeof *chars);
                out.count -= good;
            }
            if (options.variant == 'A' && good && symbol.rows > 1) // filled up with spaces
                while (out.count > length && chars[out.count - 1] == ' ')
                    out.count--;
            expect("CODABLOCK", good, data, length);
            made[options.variant == 'A' ? 0 : options.variant == 'E' ? 1 : 2]++;
        }
        pl_arena_release(&arena, mark);
    }
    assert_true(made[0] > 1000 / SHARE && made[1] > 1000 / SHARE && made[2] > 1000 / SHARE);
}

// A long block of A: the sums behind its check characters pass 16 bits.
static void codablock_a_checks_wrap_at_16_bits(void **state)
{
    (void)state;
    uint8_t data[800];
    memset(data, '%', sizeof data);
    struct pl_codablock_options options = {.variant = 'A', .columns = 60, .checks = true};
    struct pl_codablock symbol;
    assert_int_equal(
        pl_codablock_encode(pl_content_of(pl_slice_make(data, sizeof data)), &options, &arena, &symbol, NULL), PL_OK);
    assert_true(decode_codablock(&symbol, 'A', true, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(datamatrix_ends_an_upper_shift_before_two_codewords),
        cmocka_unit_test(datamatrix_reads_back),
        cmocka_unit_test(pdf417_reads_back),
        cmocka_unit_test(aztec_reads_back),
        cmocka_unit_test(code49_reads_back),
        cmocka_unit_test(aztec_names_interpretations_by_six_digits),
        cmocka_unit_test(datamatrix_reads_numbers_behind_its_escape),
        cmocka_unit_test(datamatrix_knows_the_ends_of_the_alphabet),
        cmocka_unit_test(codablock_reads_back),
        cmocka_unit_test(codablock_a_checks_wrap_at_16_bits),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
