// The tables of double-byte character sets against the C library's own converters.
#include <errno.h>
#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/double_byte.h"

static const struct {
    const char *name;
    const struct pl_double_byte *set;
} SETS[] = {
    {"GB18030", &pl_gb18030}, {"CP932", &pl_cp932}, {"EUC-JP", &pl_euc_jp},         {"CP949", &pl_cp949},
    {"JOHAB", &pl_johab},     {"BIG5", &pl_big5},   {"BIG5-HKSCS", &pl_big5_hkscs},
};

#define LONGEST 64

// The same by iconv: a byte that begins nothing is marked, and decoding continues behind it.
static size_t decode_by_iconv(const char *name, const uint8_t *in, size_t size, uint32_t *out, size_t *bad)
{
    iconv_t converter = iconv_open("UTF-32LE", name);
    assert_true(converter != (iconv_t)-1);
    char *from = (char *)(uintptr_t)in, *to = (char *)out;
    size_t left = size, room = (LONGEST + 8) * sizeof(uint32_t);
    while (left > 0 && iconv(converter, &from, &left, &to, &room) == (size_t)-1) {
        assert_int_not_equal(errno, E2BIG);
        iconv(converter, NULL, NULL, &to, &room); // a character that waited
        memcpy(to, &(uint32_t){0xFFFD}, sizeof(uint32_t));
        to += sizeof(uint32_t);
        room -= sizeof(uint32_t);
        from++;
        left--;
        (*bad)++;
    }
    iconv(converter, NULL, NULL, &to, &room);
    iconv_close(converter);
    return (size_t)((uint32_t *)(void *)to - out);
}

// glibc 2.36 passes over A2 E8 of CP949, which means nothing, and then calls the byte behind it bad.
static bool is_known_fault(size_t set, const uint8_t *bytes, size_t size)
{
    return SETS[set].set == &pl_cp949 && memmem(bytes, size, "\xA2\xE8", 2);
}

static void assert_same(size_t set, const uint8_t *bytes, size_t size)
{
    if (is_known_fault(set, bytes, size))
        return;
    uint32_t ours[LONGEST + 8], theirs[LONGEST + 8];
    size_t our_bad = 0, their_bad = 0;
    size_t our_count = pl_double_byte_decode(SETS[set].set, bytes, size, ours, &our_bad);
    size_t their_count = decode_by_iconv(SETS[set].name, bytes, size, theirs, &their_bad);
    assert_true(our_count <= size);
    assert_int_equal(our_count, their_count);
    assert_int_equal(our_bad, their_bad);
    assert_memory_equal(ours, theirs, our_count * sizeof(uint32_t));
}

static void every_pair_is_what_iconv_says(void **state)
{
    (void)state;
    for (size_t set = 0; set < sizeof SETS / sizeof SETS[0]; set++)
        for (unsigned lead = 0; lead < 256; lead++) {
            // A row at a time: ASCII between the pairs ends each.
            uint8_t bytes[LONGEST];
            for (unsigned trail = 0; trail < 256; trail += 16) {
                for (unsigned i = 0; i < 16; i++)
                    memcpy(bytes + 4 * i, (uint8_t[4]){(uint8_t)lead, (uint8_t)(trail + i), ' ', ' '}, 4);
                assert_same(set, bytes, sizeof bytes);
            }
        }
}

static void random_bytes_are_what_iconv_says(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (size_t set = 0; set < sizeof SETS / sizeof SETS[0]; set++)
        for (int round = 0; round < 20000; round++) {
            uint8_t bytes[LONGEST];
            size_t size = 1 + (seed >> 9) % LONGEST;
            for (size_t i = 0; i < size; i++) {
                seed = seed * 1664525 + 1013904223;
                uint8_t byte = (uint8_t)(seed >> 24);
                // Digits between high bytes make sequences of four, 0x8F those of three.
                bytes[i] = (seed >> 16) % 4 == 0 ? (uint8_t)('0' + byte % 10) : (seed >> 16) % 16 == 1 ? 0x8F : byte;
            }
            assert_same(set, bytes, size);
        }
}

static void a_character_that_iconv_kept_for_later_is_written_at_the_end(void **state)
{
    (void)state;
    uint32_t out[4];
    size_t bad = 0;
    assert_int_equal(pl_double_byte_decode(&pl_big5_hkscs, (const uint8_t *)"\x88\x62", 2, out, &bad), 2);
    assert_true(out[0] == 0xCA && out[1] == 0x304 && bad == 0);
}

static void a_pair_that_means_nothing_does_not_take_the_next_byte_with_it(void **state)
{
    (void)state;
    uint32_t out[4];
    size_t bad = 0;
    assert_int_equal(pl_double_byte_decode(&pl_cp949, (const uint8_t *)"\xA2\xE8!", 3, out, &bad), 3);
    assert_true(out[2] == '!' && bad == 2);
}

static void a_set_without_a_table_is_told(void **state)
{
    (void)state;
    uint32_t out[4];
    size_t bad = 0;
    assert_int_equal(pl_double_byte_decode(&(struct pl_double_byte){0}, (const uint8_t *)"ab", 2, out, &bad), SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_is_what_iconv_says),
        cmocka_unit_test(random_bytes_are_what_iconv_says),
        cmocka_unit_test(a_character_that_iconv_kept_for_later_is_written_at_the_end),
        cmocka_unit_test(a_pair_that_means_nothing_does_not_take_the_next_byte_with_it),
        cmocka_unit_test(a_set_without_a_table_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
