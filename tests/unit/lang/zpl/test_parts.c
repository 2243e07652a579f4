// The parts of the language that have rules of their own: lexer, numbers, graphic data, character sets, clock.
#include "base/ckd.h"
#include "lang/zpl/args.h"
#include "lang/zpl/charset.h"
#include "lang/zpl/gfdata.h"
#include "zpl_fixture.h"

static struct zpl_lexer lexer_on(const char *text)
{
    struct zpl_lexer lex;
    zpl_lexer_init(&lex, pl_slice_cstr(text));
    return lex;
}

static void assert_slice(struct pl_slice s, const char *expected)
{
    if (!pl_slice_eq_cstr(s, expected))
        fail_msg("'%.*s' instead of '%s'", (int)s.len, (const char *)s.ptr, expected);
}

static void lexer_gives_offsets_names_and_parameters(void **state)
{
    (void)state;
    struct zpl_lexer lex = lexer_on(" ^FO10,,20\n~ds x,y");
    struct zpl_token t;
    assert_true(zpl_lex_next(&lex, &t));
    assert_int_equal(t.start, 1);
    assert_int_equal(t.prefix, '^');
    assert_int_equal(t.item_count, 3);
    assert_slice(t.item[0], "10");
    assert_slice(t.item[1], "");
    assert_slice(t.item[2], "20");
    assert_true(zpl_lex_next(&lex, &t));
    assert_int_equal(t.prefix, '~');
    assert_int_equal(t.first, 'D');
    assert_int_equal(t.second, 'S');
    assert_false(zpl_lex_next(&lex, &t));
}

static void lexer_tells_what_it_skipped(void **state)
{
    (void)state;
    struct zpl_lexer lex = lexer_on("  junk here  ^XA tail");
    struct zpl_token t;
    assert_true(zpl_lex_next(&lex, &t));
    assert_int_equal(t.skipped_to, 11);
    assert_slice(t.args, " tail");
}

static void lexer_keeps_more_parameters_than_it_can_hold_in_the_raw_text(void **state)
{
    (void)state;
    struct zpl_lexer lex = lexer_on("^FM1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22^FS");
    struct zpl_token t;
    assert_true(zpl_lex_next(&lex, &t));
    assert_int_equal(t.item_count, ZPL_MAX_ARGS);
    assert_int_equal(t.args.len, 56);
}

static void suggestions_for_typing_errors(void **state)
{
    (void)state;
    char near[5];
    assert_true(zpl_row_suggest('^', 'O', 'F', near));
    assert_string_equal(near, "^FO");
    assert_true(zpl_row_suggest('^', 'F', '0', near));
    assert_string_equal(near, "^FO");
    assert_true(zpl_row_suggest('^', 'D', 'G', near));
    assert_string_equal(near, "~DG");
    assert_false(zpl_row_suggest('^', 'Q', 'Q', near));
}

static void table_is_in_order_and_complete(void **state)
{
    (void)state;
    char last[4] = "";
    uint32_t i = 0;
    for (const struct pl_lang_command *c; (c = pl_zpl_command_at(i)); i++) {
        bool is_font = strcmp(c->title, "^A") == 0; // its second character is the font
        char key[4] = {c->title[0] == '^' ? '1' : '2', c->title[1], is_font ? '0' : c->title[2], '\0'};
        assert_true(strcmp(last, key) < 0);
        memcpy(last, key, sizeof(last));
        assert_true(strlen(c->summary) >= 3);
        if (c->support != PL_LANG_FULL && strlen(c->note) < 10)
            fail_msg("%s: says neither what is missing nor why there is no effect", c->title);
        const struct zpl_row *row = zpl_row_lookup(c->title[0], (uint8_t)key[1], (uint8_t)key[2]);
        assert_non_null(row);
        assert_ptr_equal(&row->info, c);
    }
    assert_true(i > 200);
}

static void numbers_are_read_leniently(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        bool clean;
    } CASES[] = {
        {"12", 120000, true},   {" 12 ", 120000, true}, {"-7", -70000, true},     {"1.5", 15000, true},
        {".25", 2500, true},    {"-.5", -5000, true},   {"+3", 30000, true},      {"B50", 500000, false},
        {"12x", 120000, false}, {"1\n2", 120000, true}, {"1.23456", 12345, true}, {"007", 70000, true},
        {"1.", 10000, true},    {"x-4", -40000, false},
    };
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        int64_t v;
        bool clean;
        if (!zpl_parse_number(pl_slice_cstr(CASES[i].text), &v, &clean) || v != CASES[i].value ||
            clean != CASES[i].clean)
            fail_msg("'%s' was read as %lld", CASES[i].text, (long long)v);
    }
    int64_t v;
    bool clean;
    assert_false(zpl_parse_number(pl_slice_cstr(""), &v, &clean));
    assert_false(zpl_parse_number(pl_slice_cstr("--"), &v, &clean));
    // Longer than any number: no overflow.
    assert_true(zpl_parse_number(pl_slice_cstr("99999999999999999999999999999"), &v, &clean));
    assert_true(v > 0);
}

static void hex_with_run_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *rows; // hex of 4 rows of 3 bytes
    } CASES[] = {
        {"FFFFFF000000F0F0F0123456", "FFFFFF000000F0F0F0123456"},
        {"LFL0lF", "FFFFFF000000FFFFFFFFFFFF"},
        {"F,:0!,", "F00000F000000FFFFF000000"},
        {"IA,JB!:", "AAA000BBBBFFBBBBFF000000"},
        {"1,1,1", "100000100000100000000000"},
        {"GHF", "FFF000000000000000000000"},
        {"zF", "FFFFFFFFFFFFFFFFFFFFFFFF"},
        {"abcdef", "ABCDEF000000000000000000"},
        {"A:B", "A00000B00000000000000000"},
    };
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        uint8_t rows[4 * 5 + 1] = {0};
        rows[20] = 0x5A;
        bool odd;
        uint64_t behind;
        zpl_gf_hex(pl_slice_cstr(CASES[i].text), rows, 4, 3, 5, &odd, &behind);
        assert_int_equal(rows[20], 0x5A);
        char got[25] = "";
        for (int y = 0; y < 4; y++) {
            for (int x = 0; x < 3; x++)
                snprintf(got + (y * 3 + x) * 2, 3, "%02X", rows[y * 5 + x]);
            assert_int_equal(rows[y * 5 + 3] | rows[y * 5 + 4], 0);
        }
        assert_string_equal(got, CASES[i].rows);
        assert_false(odd);
    }
}

static void charset_tables_agree_with_single_bytes(void **state)
{
    (void)state;
    uint8_t remap[256];
    for (int i = 0; i < 256; i++)
        remap[i] = (uint8_t)(255 - i);
    for (uint8_t set = 0; set <= 36; set++) {
        if (zpl_charset_info(&(struct zpl_charset){.set = (uint8_t)set})->kind != ZPL_CHARSET_BYTES)
            continue;
        for (int with_remap = 0; with_remap < 2; with_remap++) {
            struct zpl_charset charset = {.set = set, .remap = with_remap ? remap : NULL};
            uint32_t table[256];
            zpl_charset_table(&charset, table);
            for (int b = 0; b < 256; b++)
                assert_int_equal(table[b], zpl_charset_byte(&charset, (uint8_t)b));
        }
    }
}

// The clock may be anything the caller says.
static void clock_at_the_ends_of_time(void **state)
{
    (void)state;
    static const int64_t TIMES[] = {INT64_MIN, INT64_MAX, -1, 253402300799};
    const char zpl[] = "^XA^ST1,1,2000^SO2,32000,32000,32000,32000,32000,32000^SO3,-32000,-32000,-32000^FC%,{,#"
                       "^FD%Y {Y #Y %A^FS^XZ";
    for (size_t i = 0; i < PL_COUNTOF(TIMES); i++) {
        struct run r;
        run_init(&r);
        r.options.time = TIMES[i];
        run_zpl(&r, zpl, sizeof(zpl) - 1);
        assert_int_equal(r.code, PL_OK);
        run_element(&r, 0, 0);
        run_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lexer_gives_offsets_names_and_parameters),
        cmocka_unit_test(lexer_tells_what_it_skipped),
        cmocka_unit_test(lexer_keeps_more_parameters_than_it_can_hold_in_the_raw_text),
        cmocka_unit_test(suggestions_for_typing_errors),
        cmocka_unit_test(table_is_in_order_and_complete),
        cmocka_unit_test(numbers_are_read_leniently),
        cmocka_unit_test(hex_with_run_lengths),
        cmocka_unit_test(charset_tables_agree_with_single_bytes),
        cmocka_unit_test(clock_at_the_ends_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
