// Unit tests of src/base: each promise of its headers.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/buf.h"
#include "base/ckd.h"
#include "base/diag.h"
#include "base/fmt.h"
#include "base/hash.h"
#include "base/job.h"
#include "base/units.h"
#include "base/utf8.h"
#include "c_locale.h"
#include "unit.h"

static void buffer_stops_at_its_maximum_and_stays_failed(void **state)
{
    (void)state;
    struct pl_buf buf;
    struct pl_error err;
    pl_buf_init(&buf, 10);
    pl_buf_append_cstr(&buf, "12345678");
    assert_int_equal(pl_buf_check(&buf, &err), PL_OK);
    pl_buf_append_cstr(&buf, "abc");
    pl_buf_append_cstr(&buf, "a");
    assert_int_equal(pl_buf_check(&buf, &err), PL_E_LIMIT);
    assert_int_equal(buf.len, 8);
    pl_buf_fini(&buf);
}

// Of the paper of SipHash: key 00 01 ... 0f, text 00 01 ... 0e; and no text.
static void a_keyed_hash_is_siphash(void **state)
{
    (void)state;
    const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    uint8_t text[15];
    for (uint8_t i = 0; i < sizeof text; i++)
        text[i] = i;
    assert_true(pl_hash_keyed(key, pl_slice_make(text, sizeof text)) == UINT64_C(0xa129ca6149be45e5));
    assert_true(pl_hash_keyed(key, pl_slice_make(text, 0)) == UINT64_C(0x726fdb47dd0e0e31));
}

static void json_strings_are_escaped_and_mended(void **state)
{
    (void)state;
    struct pl_buf buf;
    pl_buf_init(&buf, 1000);
    pl_buf_append_json_string(&buf, (struct pl_slice){NULL, 0});
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&buf), "\"\""));
    pl_buf_clear(&buf);
    pl_buf_append_json_string(&buf, pl_slice_make("a\"\\\n\x01\xC3\xA9\xFFz\x7F", 10));
    assert_int_equal(buf.failed, false);
    const char *want = "\"a\\\"\\\\\\n\\u0001\xC3\xA9\xEF\xBF\xBDz\\u007f\"";
    assert_int_equal(buf.len, strlen(want));
    assert_memory_equal(buf.data, want, buf.len);
    pl_buf_fini(&buf);
}

// Eight bytes are looked at in one go: each byte at each place of them is written as it is where it stands alone.
static void each_byte_of_a_json_string_is_escaped_at_each_place(void **state)
{
    (void)state;
    enum { LENGTH = 19 };
    for (int byte = 0; byte < 256; byte++) {
        struct pl_buf alone, want, got;
        const uint8_t one = (uint8_t)byte;
        pl_buf_init(&alone, 100);
        pl_buf_append_json_string(&alone, pl_slice_make(&one, 1));
        for (size_t at = 0; at < LENGTH; at++) {
            uint8_t text[LENGTH];
            memset(text, 'a', LENGTH);
            text[at] = one;
            pl_buf_init(&got, 100);
            pl_buf_init(&want, 100);
            pl_buf_printf(&want, "\"%.*s", (int)at, "aaaaaaaaaaaaaaaaaaa");
            pl_buf_append(&want, alone.data + 1, alone.len - 2);
            pl_buf_printf(&want, "%.*s\"", (int)(LENGTH - 1 - at), "aaaaaaaaaaaaaaaaaaa");
            pl_buf_append_json_string(&got, pl_slice_make(text, LENGTH));
            assert_int_equal(got.len, want.len);
            assert_memory_equal(got.data, want.data, want.len);
            pl_buf_fini(&got);
            pl_buf_fini(&want);
        }
        pl_buf_fini(&alone);
    }
}

static void whole_numbers_are_written_with_all_their_digits(void **state)
{
    (void)state;
    char got[PL_FMT_DOUBLE_MAX], want[PL_FMT_DOUBLE_MAX];
    uint64_t power = 1;
    for (unsigned digits = 1; digits <= 20; digits++, power *= 10) {
        const uint64_t VALUES[] = {power - 1, power, power + 1, power / 7, UINT64_MAX / power};
        for (size_t i = 0; i < PL_COUNTOF(VALUES); i++) {
            snprintf(want, sizeof want, "%" PRIu64, VALUES[i]);
            assert_int_equal(pl_format_u64(VALUES[i], got), strlen(want));
            assert_string_equal(got, want);
        }
    }
}

static void numbers_are_read_whole_or_not_at_all(void **state)
{
    (void)state;
    double d;
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"101.6", 101.6},    {"8", 8},  {"-3.25", -3.25}, {"1e3", 1000}, {".5", .5},
        {"5.", 5},           {"+2", 2}, {"0.1", 0.1},     {"1E-2", .01}, {"123456789012345678", 123456789012345678.0},
        {"1.7e308", 1.7e308}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(pl_parse_double(pl_slice_cstr(good[i].text), &d));
        assert_true(d == good[i].value);
    }
    static const char *const bad[] = {"",   " 1", "1 ", "nan", "inf",   "0x10",  "1,5",
                                      "1e", "e5", ".",  "-",   "1e999", "1.2.3", "12a"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(pl_parse_double(pl_slice_cstr(bad[i]), &d));
    int64_t n;
    assert_true(pl_parse_i64(pl_slice_cstr("-9223372036854775808"), &n));
    assert_true(n == INT64_MIN);
    assert_false(pl_parse_i64(pl_slice_cstr("9223372036854775808"), &n));
    assert_false(pl_parse_i64(pl_slice_cstr("1.0"), &n));
}

static void assert_formats(double value, const char *want)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t n = pl_format_double(value, text);
    assert_int_equal(n, strlen(want));
    assert_memory_equal(text, want, n);
}

static void doubles_are_written_as_short_as_they_read_back(void **state)
{
    (void)state;
    assert_formats(101.6, "101.6");
    assert_formats(8, "8");
    assert_formats(-0.25, "-0.25");
    assert_formats(0.1 + 0.2, "0.30000000000000004");
    assert_formats(1e21, "1e+21");
    assert_formats(NAN, "null");
    for (int i = 0; i < 10000; i++) {
        double value = (double)(rand() - RAND_MAX / 2) / (1 + rand() % 100000);
        char text[PL_FMT_DOUBLE_MAX];
        double back;
        size_t n = pl_format_double(value, text);
        assert_true(pl_parse_double(pl_slice_make(text, n), &back));
        assert_true(back == value);
    }
}

static void assert_fixed(double value, unsigned decimals, const char *want)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t n = pl_format_fixed(value, decimals, text);
    assert_int_equal(n, strlen(want));
    assert_string_equal(text, want);
}

static void fixed_decimals_round_half_away_from_zero(void **state)
{
    (void)state;
    assert_fixed(14.65, 1, "14.7");
    assert_fixed(14.649, 1, "14.6");
    assert_fixed(-14.65, 1, "-14.7");
    assert_fixed(0.05, 1, "0.1");
    assert_fixed(-0.04, 1, "0.0");
    assert_fixed(2.5, 0, "3");
    assert_fixed(9.999, 2, "10.00");
    assert_fixed(1.005, 2, "1.01");
}

static void other_encodings_are_called_by_their_names(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len;
        const char *name; // NULL: none of them
    } rows[] = {
        {"\xFF\xFE^\0", 4, "UTF-16"},
        {"\xFE\xFF\0^", 4, "UTF-16"},
        {"^\0X\0", 4, "UTF-16"},
        {"\0^\0X", 4, "UTF-16"},
        {"\xFF\xFE\0\0", 4, "UTF-32"},
        {"\0\0\xFE\xFF", 4, "UTF-32"},
        {"^\0\0\0X\0\0\0", 8, "UTF-32"},
        {"\0\0\0^", 4, "UTF-32"},
        {"^XA^XZ", 6, NULL},
        {"\0\0^XA", 5, NULL},
        {"\0^XA", 4, NULL},
        {"^\0", 2, NULL},
        {"\xEF\xBB\xBF{}", 5, NULL},
        {"", 0, NULL},
        {"\xFF", 1, NULL},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        const char *name = pl_utf8_otherwise(pl_slice_make(rows[i].text, rows[i].len));
        assert_string_equal(name ? name : "none", rows[i].name ? rows[i].name : "none");
    }
}

static void utf8_follows_the_table_of_well_formed_sequences(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        uint8_t bytes[4];
        size_t n = pl_utf8_put(cp, bytes), pos = 0;
        uint32_t back = pl_utf8_next(pl_slice_make(bytes, n), &pos);
        assert_int_equal(back, cp >= 0xD800 && cp <= 0xDFFF ? 0xFFFD : cp);
        assert_int_equal(pos, n);
    }
    static const char *const bad[] = {"\x80",         "\xC0\x80",         "\xC1\xBF",         "\xE0\x9F\xBF",
                                      "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                                      "\xC3",         "\xE2\x82",         "\xF0\x9F\x98"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(pl_utf8_valid(pl_slice_cstr(bad[i])));
    assert_true(pl_utf8_valid(pl_slice_cstr("plain text of more than eight bytes \xE2\x82\xAC")));
}

static void base64_round_trip(void **state)
{
    (void)state;
    uint8_t data[200], back[256];
    char text[300];
    for (size_t len = 0; len < sizeof data; len++) {
        for (size_t i = 0; i < len; i++)
            data[i] = (uint8_t)rand();
        size_t n = pl_base64_encode(pl_slice_make(data, len), text);
        assert_int_equal(n, pl_base64_encoded_size(len));
        size_t used;
        assert_int_equal(pl_base64_decode(pl_slice_make(text, n), back, &used), len);
        assert_int_equal(used, n);
        assert_memory_equal(back, data, len);
    }
    size_t used;
    assert_int_equal(pl_base64_decode(pl_slice_cstr("Zm9v\r\nYmFy:beef"), back, &used), 6);
    assert_memory_equal(back, "foobar", 6);
    assert_int_equal(used, 10);
}

static void crc16_is_xmodem(void **state)
{
    (void)state;
    assert_int_equal(pl_crc16_xmodem(0, pl_slice_cstr("123456789")), 0x31C3);
    // Long ones go eight bytes at a time: the same as piece by piece.
    static uint8_t many[20011];
    for (size_t i = 0; i < sizeof many; i++)
        many[i] = (uint8_t)(i * 7 + i / 251);
    uint16_t pieces = 0x1234;
    for (size_t at = 0; at < sizeof many; at += 97)
        pieces = pl_crc16_xmodem(pieces, pl_slice_sub(pl_slice_make(many, sizeof many), at, 97));
    assert_int_equal(pl_crc16_xmodem(0x1234, pl_slice_make(many, sizeof many)), pieces);
}

static void diagnostics_know_line_and_column(void **state)
{
    (void)state;
    struct pl_arena arena;
    struct pl_diags diags;
    pl_arena_init(&arena, 1 << 20);
    pl_diags_init(&diags, &arena, 3);
    pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){7, 3, "^ZZ"}, 0, "second");
    pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){1, 3, "^YY"}, 2, "first %d", 1);
    pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){900, 3, ""}, 0, "beyond the end");
    pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){2, 3, ""}, 0, "one too many");
    pl_diags_locate(&diags, pl_slice_cstr("ab\ncd\nefgh"), NULL);
    assert_int_equal(diags.count, 3);
    assert_int_equal(diags.dropped, 1);
    assert_int_equal(diags.items[0].line, 3);
    assert_int_equal(diags.items[0].column, 2);
    assert_int_equal(diags.items[1].line, 1);
    assert_int_equal(diags.items[1].column, 2);
    assert_string_equal(diags.items[1].message, "first 1");
    assert_int_equal(diags.items[2].line, 3);
    pl_arena_fini(&arena);
}

// Programs of three kinds write CR LF, LF and CR alone.
static void lines_end_with_lf_cr_or_both(void **state)
{
    (void)state;
    static const char TEXT[] = "a\nb\rc\r\nd\n\re\r";
    static const uint32_t LINES[] = {1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 6, 7};
    static const uint32_t COLUMNS[] = {1, 2, 1, 2, 1, 2, 3, 1, 2, 1, 1, 2, 1};
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    for (int paged = 0; paged < 2; paged++) {
        struct pl_line_mark mark = PL_FIRST_LINE;
        for (uint32_t at = 0; at < sizeof LINES / sizeof *LINES; at++) {
            struct pl_diags diags;
            pl_diags_init(&diags, &arena, 1);
            pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){at, 1, ""}, 0, "x");
            pl_diags_locate(&diags, pl_slice_cstr(TEXT), paged ? &mark : NULL);
            assert_int_equal(diags.items[0].line, LINES[at]);
            assert_int_equal(diags.items[0].column, COLUMNS[at]);
        }
    }
    pl_arena_fini(&arena);
}

// Each page of thousands counted the lines of the whole input: 22,000 labels took a minute.
static void lines_before_a_mark_are_not_counted_again(void **state)
{
    (void)state;
    struct pl_arena arena;
    struct pl_line_mark mark = PL_FIRST_LINE;
    const char text[] = "ab\ncd\nefgh\nij\nkl";
    // Places of three pages; the second one also has something of a format at the beginning.
    static const uint32_t places[3][2] = {{7, 4}, {13, 1}, {16, 7}}, lines[3][2] = {{3, 2}, {4, 1}, {5, 3}};
    static const uint32_t marks[3] = {6, 11, 14};
    pl_arena_init(&arena, 1 << 20);
    for (int page = 0; page < 3; page++) {
        struct pl_diags diags;
        pl_diags_init(&diags, &arena, 3);
        for (int i = 0; i < 2; i++)
            pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){places[page][i], 1, ""}, 0, "x");
        pl_diags_locate(&diags, pl_slice_cstr(text), &mark);
        for (int i = 0; i < 2; i++)
            assert_int_equal(diags.items[i].line, lines[page][i]);
        assert_int_equal(mark.start, marks[page]);
    }
    // What is before the mark is not looked at: another text there changes nothing.
    struct pl_diags diags;
    pl_diags_init(&diags, &arena, 3);
    pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){15, 1, ""}, 0, "x");
    pl_diags_locate(&diags, pl_slice_cstr("\n\n\n\n\n\n\n\n\n\n\n\n\n\nkl"), &mark);
    assert_int_equal(diags.items[0].line, 5);
    assert_int_equal(diags.items[0].column, 2);
    pl_arena_fini(&arena);
}

// 19,500 labels on one line of 30 MB took 23 s: each looked for a line's end from the beginning.
static void a_long_line_is_not_read_again(void **state)
{
    (void)state;
    struct pl_arena arena;
    struct pl_line_mark mark = PL_FIRST_LINE;
    static const char *const texts[] = {"abcdefghij", "\n\n\n\n\nfgh\nj"}; // the second: other bytes where it was read
    static const uint32_t places[] = {5, 9}, lines[] = {1, 2}, columns[] = {6, 1};
    pl_arena_init(&arena, 1 << 20);
    for (int page = 0; page < 2; page++) {
        struct pl_diags diags;
        pl_diags_init(&diags, &arena, 3);
        pl_diag_add(&diags, PL_DIAG_UNKNOWN_COMMAND, (struct pl_source){places[page], 1, ""}, 0, "x");
        pl_diags_locate(&diags, pl_slice_cstr(texts[page]), &mark);
        assert_int_equal(diags.items[0].line, lines[page]);
        assert_int_equal(diags.items[0].column, columns[page]);
    }
    pl_arena_fini(&arena);
}

// Long numbers go to strtod without their point: what it makes of them must be what it makes of the number itself.
static void long_numbers_are_read_as_strtod_reads_them(void **state)
{
    (void)state;
    static const char *const texts[] = {"3.14159265358979323846264338327950288",
                                        "-0.000000000000000000000000000001234567890123456789",
                                        "1.7976931348623157e308",
                                        "4.9406564584124654e-324",
                                        "2.2250738585072011e-308",
                                        "123456789012345678901234567890",
                                        ".5e-5",
                                        "5.e+0005",
                                        "1e-400",
                                        "+12.5E3",
                                        "9007199254740993.0000",
                                        "-0.0000000000000000",
                                        "1e00000000000000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double got = 99;
        assert_true(pl_parse_double(pl_slice_cstr(texts[i]), &got));
        locale_t before = unit_c_locale();
        double wanted = strtod(texts[i], NULL);
        uselocale(before);
        assert_memory_equal(&got, &wanted, sizeof got);
    }
    double left = 7;
    assert_false(pl_parse_double(pl_slice_cstr("1e99999999999999999999"), &left));
    assert_true(left == 7);
}

static void jobs_end_by_cancellation_and_deadline(void **state)
{
    (void)state;
    atomic_bool cancelled = false;
    struct pl_job job = {.cancelled = &cancelled};
    assert_int_equal(pl_job_check(NULL, NULL), PL_OK);
    assert_int_equal(pl_job_check(&job, NULL), PL_OK);
    job.deadline_ns = 1;
    assert_int_equal(pl_job_check(&job, NULL), PL_E_DEADLINE);
    cancelled = true;
    assert_int_equal(pl_job_check(&job, NULL), PL_E_CANCELLED);
}

static void booleans_in_all_spellings(void **state)
{
    (void)state;
    bool value = false;
    assert_true(pl_parse_bool(pl_slice_cstr(""), &value) && value);
    assert_true(pl_parse_bool(pl_slice_cstr("Yes"), &value) && value);
    assert_true(pl_parse_bool(pl_slice_cstr("OFF"), &value) && !value);
    assert_false(pl_parse_bool(pl_slice_cstr("2"), &value));
}

static void hex_digits_have_their_value_in_either_case(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 256; c++) {
        const char *digits = "0123456789abcdef", *capitals = "0123456789ABCDEF";
        const char *at = c ? strchr(digits, (int)c) : NULL, *capital = c ? strchr(capitals, (int)c) : NULL;
        assert_int_equal(pl_hex_value((uint8_t)c), at ? at - digits : capital ? capital - capitals : -1);
    }
}

static void times_and_sizes_have_units(void **state)
{
    (void)state;
    uint64_t value;
    static const struct {
        const char *text;
        uint64_t value;
    } times[] = {{"500ms", 500}, {"2s", 2000}, {"3m", 180000}, {"1h", 3600000}, {"7", 7}, {"0s", 0}},
      sizes[] = {{"65536", 65536}, {"64KiB", 65536}, {"8MiB", 8u << 20}, {"2GiB", (uint64_t)2 << 30},
                 {"64k", 65536},   {"8M", 8u << 20}, {"12B", 12}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        assert_true(pl_parse_ms(times[i].text, &value) && value == times[i].value);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_true(pl_parse_bytes(sizes[i].text, &value) && value == sizes[i].value);
    static const char *const neither[] = {"",    "s",  "ms",  "-1s",   "1.5s",
                                          "2 s", "s2", "1ss", "0x10s", "99999999999999999999s"};
    for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++) {
        assert_false(pl_parse_ms(neither[i], &value));
        assert_false(pl_parse_bytes(neither[i], &value));
    }
    assert_false(pl_parse_ms("5124095576030432h", &value)); // more than 64 bits
    assert_false(pl_parse_bytes("18446744073709551615KiB", &value));
    assert_false(pl_parse_ms("1KiB", &value));
    assert_false(pl_parse_bytes("1h", &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffer_stops_at_its_maximum_and_stays_failed),
        cmocka_unit_test(json_strings_are_escaped_and_mended),
        cmocka_unit_test(each_byte_of_a_json_string_is_escaped_at_each_place),
        cmocka_unit_test(whole_numbers_are_written_with_all_their_digits),
        cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
        cmocka_unit_test(hex_digits_have_their_value_in_either_case),
        cmocka_unit_test(doubles_are_written_as_short_as_they_read_back),
        cmocka_unit_test(fixed_decimals_round_half_away_from_zero),
        cmocka_unit_test(utf8_follows_the_table_of_well_formed_sequences),
        cmocka_unit_test(other_encodings_are_called_by_their_names),
        cmocka_unit_test(base64_round_trip),
        cmocka_unit_test(crc16_is_xmodem),
        cmocka_unit_test(diagnostics_know_line_and_column),
        cmocka_unit_test(a_long_line_is_not_read_again),
        cmocka_unit_test(lines_end_with_lf_cr_or_both),
        cmocka_unit_test(lines_before_a_mark_are_not_counted_again),
        cmocka_unit_test(long_numbers_are_read_as_strtod_reads_them),
        cmocka_unit_test(a_keyed_hash_is_siphash),
        cmocka_unit_test(jobs_end_by_cancellation_and_deadline),
        cmocka_unit_test(booleans_in_all_spellings),
        cmocka_unit_test(times_and_sizes_have_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
