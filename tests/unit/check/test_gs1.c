// GS1 data: the table against the GS1 Barcode Syntax Dictionary, and every check with data that holds and data that
// does not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena_fixture.h"
#include "check/gs1.h"
#include "unit.h"

static struct pl_gs1_result result;

static const struct pl_gs1_result *check(const char *text, size_t length, enum pl_gs1_form form)
{
    struct pl_error err = {0};
    assert_int_equal(pl_gs1_check(pl_slice_make(text, length), form, &arena, &result, &err), PL_OK);
    return &result;
}

// A finding of this code at this offset, and no other; offset -1: none at all.
static void expect(const char *text, enum pl_gs1_form form, int offset, enum pl_gs1_code code)
{
    const struct pl_gs1_result *r = check(text, strlen(text), form);
    if (offset < 0) {
        if (r->finding_count)
            fail_msg("%s: %s", text, r->findings[0].message);
        return;
    }
    if (r->finding_count != 1)
        fail_msg("%s: %u findings", text, r->finding_count);
    if (r->findings[0].code != code || (int)r->findings[0].offset != offset)
        fail_msg("%s: code %d at %u: %s", text, (int)r->findings[0].code, r->findings[0].offset,
                 r->findings[0].message);
}

static void good(const char *text)
{
    expect(text, PL_GS1_BRACKETS, -1, 0);
}

static void bad(const char *text, int offset, enum pl_gs1_code code)
{
    expect(text, PL_GS1_BRACKETS, offset, code);
}

static const char *lint_name(enum pl_gs1_lint lint)
{
    static const char *const names[PL_GS1_LINT_COUNT] = {"",
#define NAME(id, name) [PL_GS1_##id] = name,
                                                         PL_GS1_LINTS(NAME)
#undef NAME
    };
    return names[lint];
}

// Writes a row as the dictionary does, with single blanks.
static void write_row(const struct pl_gs1_identifier *row, char *out, size_t size)
{
    char *at = out, *end = out + size;
    at += snprintf(at, (size_t)(end - at), "%s", row->first);
    if (strcmp(row->first, row->last) != 0)
        at += snprintf(at, (size_t)(end - at), "-%s", row->last);
    if (row->flags)
        at += snprintf(at, (size_t)(end - at), " %s%s", row->flags & PL_GS1_PREDEFINED ? "*" : "",
                       row->flags & PL_GS1_ATTRIBUTE ? "?" : "");
    for (size_t i = 0; i < PL_GS1_PARTS && row->parts[i].set; i++) {
        const struct pl_gs1_part *part = &row->parts[i];
        at += snprintf(at, (size_t)(end - at), " %s%c%s%u%s", part->optional ? "[" : "", part->set,
                       part->min != part->max ? ".." : "", part->max, part->optional ? "]" : "");
        for (size_t k = 0; k < PL_GS1_PART_LINTS && part->lints[k]; k++)
            at += snprintf(at, (size_t)(end - at), ",%s", lint_name((enum pl_gs1_lint)part->lints[k]));
    }
    if (row->excludes)
        at += snprintf(at, (size_t)(end - at), " ex=%s", row->excludes);
    if (row->needs)
        at += snprintf(at, (size_t)(end - at), " req=%s", row->needs);
    if (row->qualifiers)
        snprintf(at, (size_t)(end - at), " dlpkey%s%s", row->qualifiers[0] ? "=" : "", row->qualifiers);
}

// The dictionary's line with single blanks, and the attributes in the order of write_row.
static void normalise(char *line, char *out, size_t size)
{
    char *words[16], *ex = NULL, *req = NULL, *key = NULL;
    size_t count = 0;
    line[strcspn(line, "#\n")] = '\0';
    for (char *word = strtok(line, " "); word && count < 16; word = strtok(NULL, " ")) {
        if (strncmp(word, "ex=", 3) == 0)
            ex = word;
        else if (strncmp(word, "req=", 4) == 0)
            req = word;
        else if (strncmp(word, "dlpkey", 6) == 0)
            key = word;
        else
            words[count++] = word;
    }
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(out + strlen(out), size - strlen(out), "%s%s", i ? " " : "", words[i]);
    char *attributes[] = {ex, req, key};
    for (size_t i = 0; i < 3; i++)
        if (attributes[i])
            snprintf(out + strlen(out), size - strlen(out), " %s", attributes[i]);
}

static void the_table_is_the_dictionary(void **state)
{
    (void)state;
    const char *shared = getenv("PLATEN_SHARED");
    char path[512], line[1024], want[1024], have[1024];
    snprintf(path, sizeof path, "%s/gs1/gs1-syntax-dictionary.txt", shared ? shared : "../shared");
    FILE *file = fopen(path, "r");
    if (!file)
        skip();
    size_t count, i = 0;
    const struct pl_gs1_identifier *rows = pl_gs1_identifiers(&count);
    while (fgets(line, sizeof line, file)) {
        if (line[0] < '0' || line[0] > '9')
            continue;
        assert_true(i < count);
        normalise(line, want, sizeof want);
        write_row(&rows[i++], have, sizeof have);
        assert_string_equal(have, want);
    }
    fclose(file);
    assert_int_equal(i, count);
}

static void the_table_is_sound(void **state)
{
    (void)state;
    size_t count, length;
    const struct pl_gs1_identifier *rows = pl_gs1_identifiers(&count);
    assert_true(count > 200);
    for (size_t i = 0; i < count; i++) {
        // No identifier is the beginning of another: the reader relies on it.
        assert_ptr_equal(pl_gs1_find_prefix(pl_slice_cstr(rows[i].first), &length), &rows[i]);
        assert_int_equal(length, strlen(rows[i].first));
        assert_ptr_equal(pl_gs1_find(pl_slice_cstr(rows[i].last)), &rows[i]);
        assert_true(rows[i].parts[0].set != 0);
    }
    assert_null(pl_gs1_find(pl_slice_cstr("04")));
    assert_null(pl_gs1_find(pl_slice_cstr("")));
    assert_null(pl_gs1_find(pl_slice_cstr("3106")));
    assert_true(pl_gs1_matches(pl_slice_cstr("35nn"), "3512"));
    assert_false(pl_gs1_matches(pl_slice_cstr("35nn"), "35"));
}

static void element_strings_with_fnc1(void **state)
{
    (void)state;
    expect("01095211018415341726123110ABC\x1d"
           "21XYZ",
           PL_GS1_ELEMENTS, -1, 0);
    assert_int_equal(result.element_count, 4);
    assert_string_equal(result.elements[2].ai, "10");
    assert_int_equal(result.elements[2].offset, 26);
    assert_int_equal(result.elements[2].length, 3);
    expect("\x1d"
           "0109521101841534",
           PL_GS1_ELEMENTS, -1, 0);
    expect("0109521101841530", PL_GS1_ELEMENTS, 15, PL_GS1_E_CHECK_DIGIT);
    expect("0109521101841534171313", PL_GS1_ELEMENTS, 22, PL_GS1_E_TOO_SHORT);
    expect("010952110184153417131313", PL_GS1_ELEMENTS, 20, PL_GS1_E_DATE);
    expect("05123", PL_GS1_ELEMENTS, 0, PL_GS1_E_UNKNOWN_IDENTIFIER);
    expect("", PL_GS1_ELEMENTS, 0, PL_GS1_E_SYNTAX);
    expect("10ABC\x1d", PL_GS1_ELEMENTS, 5, PL_GS1_E_SEPARATOR);
    expect("10ABC\x1d\x1d"
           "21X",
           PL_GS1_ELEMENTS, 6, PL_GS1_E_SEPARATOR);
    // A separator behind an identifier of fixed length is allowed.
    expect("0109521101841534\x1d"
           "10A",
           PL_GS1_ELEMENTS, -1, 0);
    // Where one is missing, the data becomes too long.
    expect("10ABCDEFGHIJ0109521101841534", PL_GS1_ELEMENTS, 22, PL_GS1_E_TOO_LONG);
    // A byte of 0 is a wrong character, not an end.
    assert_int_equal(check("10A\0B", 5, PL_GS1_ELEMENTS)->finding_count, 1);
    assert_int_equal(result.findings[0].offset, 3);
}

static void brackets(void **state)
{
    (void)state;
    good("(01)09521101841534(10)ABC>8(21)1(2)");
    assert_int_equal(result.element_count, 3);
    good("(01)09521101841534\x1d(10)ABC");
    bad("(01)0952110184153", 17, PL_GS1_E_TOO_SHORT);
    bad("(01)095211018415340", 18, PL_GS1_E_TOO_LONG);
    bad("(04)12", 1, PL_GS1_E_UNKNOWN_IDENTIFIER);
    bad("01)12", 0, PL_GS1_E_SYNTAX);
    bad("(10)A B", 5, PL_GS1_E_CHARACTER);
    bad("(10)ABC(10)ABD", 8, PL_GS1_E_REPEATED);
    good("(10)ABC(10)ABC");
    bad("(10)", 4, PL_GS1_E_TOO_SHORT);
}

static void keys_and_check_digits(void **state)
{
    (void)state;
    char pair[2];
    assert_int_equal(pl_gs1_check_digit(pl_slice_cstr("0952110184153")), '4');
    assert_int_equal(pl_gs1_check_digit(pl_slice_cstr("37610425002123456")), '9');
    good("(00)106141412345678908");
    bad("(00)106141412345678907", 21, PL_GS1_E_CHECK_DIGIT);
    good("(414)9521101530001");
    // GS1 General Specifications, the example of a GMN.
    assert_true(pl_gs1_check_pair(pl_slice_cstr("1987654Ad4X4bL5ttr2310c"), pair));
    assert_memory_equal(pair, "2K", 2);
    good("(8013)1987654Ad4X4bL5ttr2310c2K");
    bad("(8013)1987654Ad4X4bL5ttr2310c2L", 30, PL_GS1_E_CHECK_DIGIT);
    bad("(8013)2K", 8, PL_GS1_E_TOO_SHORT);
    bad("(8004)9A21ABC", 7, PL_GS1_E_VALUE);
    good("(8007)GB82WEST12345698765432");
    bad("(8007)GB83WEST12345698765432", 8, PL_GS1_E_CHECK_DIGIT);
    bad("(8007)QQ82WEST12345698765432", 6, PL_GS1_E_VALUE);
    good("(253)9521101530001ABC");
    bad("(253)9521101530001ABC DEF", 21, PL_GS1_E_CHARACTER);
    good("(8003)09521101530001");
    bad("(8003)19521101530001", 6, PL_GS1_E_VALUE);
}

static void dates_and_times(void **state)
{
    (void)state;
    good("(11)240229");
    bad("(11)230229", 8, PL_GS1_E_DATE);
    good("(11)240200");
    bad("(7006)240200", 10, PL_GS1_E_DATE);
    bad("(17)261301", 6, PL_GS1_E_DATE);
    bad("(17)260431", 8, PL_GS1_E_DATE);
    bad("(17)2604AB", 8, PL_GS1_E_CHARACTER);
    good("(7003)2604302359");
    bad("(7003)2604302400", 12, PL_GS1_E_DATE);
    bad("(7003)2604302360", 14, PL_GS1_E_DATE);
    good("(8008)26043023");
    good("(8008)260430235959");
    bad("(8008)260430235960", 16, PL_GS1_E_DATE);
    bad("(8008)2604302", 13, PL_GS1_E_TOO_SHORT);
    good("(7250)20000229");
    bad("(7250)19000229", 12, PL_GS1_E_DATE);
    good("(7007)260430260501");
    bad("(7007)26043026050", 17, PL_GS1_E_TOO_SHORT);
}

static void codes_and_numbers(void **state)
{
    (void)state;
    good("(421)276ABC");
    bad("(421)275000", -1, 0);
    bad("(421)000ABC", 5, PL_GS1_E_VALUE);
    good("(423)276840");
    bad("(423)276000", 8, PL_GS1_E_VALUE);
    good("(7030)999ABC");
    good("(4307)DE");
    bad("(4307)ZZ", 6, PL_GS1_E_VALUE);
    good("(3912)97812345");
    bad("(3912)00012345", 6, PL_GS1_E_VALUE);
    good("(4300)A%20B");
    bad("(4300)A%2GB", 7, PL_GS1_E_VALUE);
    good("(4309)18000000003600000000");
    bad("(4309)18000000013600000000", 6, PL_GS1_E_VALUE);
    bad("(4309)18000000003600000001", 16, PL_GS1_E_VALUE);
    good("(4321)1");
    bad("(4321)2", 6, PL_GS1_E_VALUE);
    good("(4330)001234-");
    bad("(4330)001234+", 12, PL_GS1_E_VALUE);
    good("(8006)095211018415340102");
    bad("(8006)095211018415340302", 20, PL_GS1_E_VALUE);
    bad("(8006)095211018415340002", 20, PL_GS1_E_VALUE);
    bad("(8006)095211018415340100", 22, PL_GS1_E_VALUE);
    good("(7258)1/2");
    bad("(7258)3/2", 6, PL_GS1_E_VALUE);
    bad("(7258)1-2", 7, PL_GS1_E_VALUE);
    bad("(7258)0/2", 6, PL_GS1_E_VALUE);
    bad("(7258)1/0", 8, PL_GS1_E_VALUE);
    good("(8001)12340012300190");
    bad("(8001)00000012300190", 6, PL_GS1_E_VALUE);
    bad("(8001)12340012300120", 18, PL_GS1_E_VALUE);
    good("(8010)9521ABC");
    bad("(8010)9521abc", 10, PL_GS1_E_CHARACTER);
    good("(8011)12");
    bad("(8011)012", 6, PL_GS1_E_VALUE);
    bad("(7252)3", 6, PL_GS1_E_VALUE);
    good("(7241)80");
    bad("(7241)11", 6, PL_GS1_E_VALUE);
    good("(7040)1ABC");
    bad("(7040)1AB+", 9, PL_GS1_E_VALUE);
    good("(7041)AB1");
    bad("(7041)aB", 6, PL_GS1_E_VALUE);
    good("(8030)AB-_");
    bad("(8030)AB+", 8, PL_GS1_E_CHARACTER);
}

static void coupons(void **state)
{
    (void)state;
    good("(8110)106141416543213150110120");
    good("(8110)106141416543213150110120"
         "3261231");
    bad("(8110)106141416543213150110120"
        "3261331",
        33, PL_GS1_E_DATE);
    bad("(8110)706141416543213150110120", 6, PL_GS1_E_VALUE);
    bad("(8110)10614141654321", 20, PL_GS1_E_VALUE);
    bad("(8110)1061414165432131501101207", 30, PL_GS1_E_VALUE);
    good("(8112)001234561234560123456");
    bad("(8112)201234561234560123456", 6, PL_GS1_E_VALUE);
    bad("(8112)0012345612345601234567", 27, PL_GS1_E_VALUE);
}

static void partners(const char *text, const char *other, int offset, enum pl_gs1_code code)
{
    static struct pl_gs1_result second;
    struct pl_error err = {0};
    const struct pl_gs1_result *others[] = {&second};
    check(other, strlen(other), PL_GS1_BRACKETS);
    second = result;
    check(text, strlen(text), PL_GS1_BRACKETS);
    assert_int_equal(pl_gs1_check_partners(&result, others, other[0] ? 1 : 0, &arena, &err), PL_OK);
    assert_int_equal(result.finding_count, offset < 0 ? 0 : 1);
    if (offset >= 0) {
        assert_int_equal(result.findings[0].code, code);
        assert_int_equal(result.findings[0].offset, offset);
    }
}

static void partners_over_all_symbols(void **state)
{
    (void)state;
    partners("(01)09521101841534(10)A", "", -1, 0);
    partners("(10)A", "", 1, PL_GS1_E_PARTNER_MISSING);
    partners("(10)A", "(01)09521101841534", -1, 0);
    partners("(02)09521101841534(37)5", "", 19, PL_GS1_E_PARTNER_MISSING); // 37 wants 00 as well
    partners("(02)09521101841534(37)5", "(00)106141412345678908", -1, 0);
    partners("(3102)000001(01)09521101841534", "", -1, 0);
}

static void excluded_partners(void **state)
{
    (void)state;
    struct pl_error err = {0};
    const char *text = "(01)09521101841534(3102)000001(3103)000001";
    check(text, strlen(text), PL_GS1_BRACKETS);
    assert_int_equal(pl_gs1_check_partners(&result, NULL, 0, &arena, &err), PL_OK);
    assert_int_equal(result.finding_count, 2); // each says it
    assert_int_equal(result.findings[0].code, PL_GS1_E_PARTNER_EXCLUDED);
    assert_int_equal(result.findings[0].offset, 19);
    assert_string_equal(result.findings[0].message, "(3102): (3103) may not go with it.");
}

static void links(void **state)
{
    (void)state;
    const enum pl_gs1_form form = PL_GS1_LINK;
    expect("https://id.gs1.org/01/09521101841534/10/AB%2FC?17=261231&linkType=all", form, -1, 0);
    assert_int_equal(result.element_count, 3);
    assert_true(pl_slice_eq_cstr(result.elements[1].value, "AB/C"));
    assert_int_equal(result.elements[1].offset, 40);
    expect("HTTP://example.com/some/stem/01/09521101841534/22/A/10/B/21/C#x", form, -1, 0);
    expect("https://example.com/01/09521101841534/235/A", form, -1, 0);
    expect("https://example.com/01/09521101841534/", form, -1, 0);
    expect("https://example.com/8004/9521ABC?8008=26043023;3103=000123", form, -1, 0);
    expect("https://example.com/01/09521101841534/10/B/22/A", form, 43, PL_GS1_E_LINK);
    expect("https://example.com/01/09521101841534/10/B/235/A", form, 43, PL_GS1_E_LINK);
    expect("https://example.com/00/106141412345678908/10/B", form, 42, PL_GS1_E_LINK);
    expect("https://example.com/01/09521101841530", form, 36, PL_GS1_E_CHECK_DIGIT);
    expect("https://example.com/01/9521101841534", form, 23, PL_GS1_E_LINK_SHORT);
    assert_true(pl_slice_eq_cstr(result.elements[0].value, "09521101841534"));
    expect("https://example.com/gtin/09521101841534", form, 20, PL_GS1_E_LINK_WORD);
    assert_string_equal(result.elements[0].ai, "01");
    expect("https://example.com/01/09521101841534?17=261331", form, 43, PL_GS1_E_DATE);
    expect("https://example.com/01/09521101841534?21=A", form, 38, PL_GS1_E_LINK);
    expect("https://example.com/01/09521101841534?05=A", form, 38, PL_GS1_E_UNKNOWN_IDENTIFIER);
    expect("https://example.com/01/09521101841534/10/A%2", form, 42, PL_GS1_E_LINK);
    expect("https://example.com/01/09521101841534/10/A%20B", form, 42, PL_GS1_E_CHARACTER);
    expect("https://example.com/01/09521101841534/10/%41%20B", form, 44, PL_GS1_E_CHARACTER);
    expect("https://example.com/01/09521101841534/05/A", form, 38, PL_GS1_E_UNKNOWN_IDENTIFIER);
    expect("https://example.com/about", form, 25, PL_GS1_E_LINK);
    expect("https://example.com", form, 19, PL_GS1_E_LINK);
    expect("https:///01/1", form, 8, PL_GS1_E_LINK);
    expect("ftp://example.com/01/1", form, 0, PL_GS1_E_LINK);
    assert_true(pl_gs1_is_link(pl_slice_cstr("https://example.com/01/09521101841534/10/A?17=1")));
    assert_true(pl_gs1_is_link(pl_slice_cstr("https://example.com/01/09521101841530")));
    assert_false(pl_gs1_is_link(pl_slice_cstr("https://example.com/00/12")));
    assert_false(pl_gs1_is_link(pl_slice_cstr("https://example.com/about/us")));
    assert_false(pl_gs1_is_link(pl_slice_cstr("09521101841534")));
}

static void ordinary_addresses_are_no_links(void **state)
{
    (void)state;
    static const char *const ordinary[] = {"https://example.com/401/login",
                                           "https://example.com/2026/01/12345678",
                                           "https://example.com/01/20261118",
                                           "https://example.com/2026/01/20261118120000",
                                           "https://example.com/2026/01/1700000000000",
                                           "https://example.com/00/1234567890",
                                           "https://example.com/01/123456789012345",
                                           "https://example.com/414/12345678",
                                           "https://example.com/8004/assets",
                                           "https://example.com/8003/12345678",
                                           "https://example.com/party/1234567890123",
                                           "https://example.com/gtin/12345678",
                                           "https://id.gs1.org/about/us"};
    static const char *const links[] = {
        "https://id.gs1.org/01/0952110184153",         "HTTPS://ID.GS1.ORG/01/12345678",
        "https://example.com/2026/01/09521101841534",  "https://example.com/01/9521101841535",
        "https://example.com/00/106141412345678900",   "https://example.com/414/9521101530001",
        "https://example.com/401/9521101ABC",          "https://example.com/8003/09521101530001A1",
        "https://example.com/8006/095211018415340102", "https://example.com/gtin/09521101841530"};
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        if (pl_gs1_is_link(pl_slice_cstr(ordinary[i])))
            fail_msg("%s", ordinary[i]);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (!pl_gs1_is_link(pl_slice_cstr(links[i])))
            fail_msg("%s", links[i]);
}

static void no_memory_is_an_error_and_not_a_finding(void **state)
{
    (void)state;
    struct pl_arena small;
    struct pl_error err = {0};
    pl_arena_init(&small, 1 << 20);
    small.fail_at = 1;
    assert_int_equal(pl_gs1_check(pl_slice_cstr("(10)A B"), PL_GS1_BRACKETS, &small, &result, &err), PL_E_MEMORY);
    assert_int_equal(pl_gs1_check(pl_slice_cstr("https://e.x/01/9521101841534"), PL_GS1_LINK, &small, &result, &err),
                     PL_E_MEMORY);
    pl_arena_fini(&small);
}

static void what_finds_no_room_is_counted(void **state)
{
    (void)state;
    char text[1024] = "";
    for (int i = 0; i < 100; i++)
        strcat(text, "(10)~");
    check(text, strlen(text), PL_GS1_BRACKETS);
    assert_int_equal(result.element_count, PL_GS1_MAX_ELEMENTS);
    assert_int_equal(result.finding_count, PL_GS1_MAX_FINDINGS);
    assert_true(result.dropped > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_the_dictionary),
        cmocka_unit_test(the_table_is_sound),
        cmocka_unit_test(element_strings_with_fnc1),
        cmocka_unit_test(brackets),
        cmocka_unit_test(keys_and_check_digits),
        cmocka_unit_test(dates_and_times),
        cmocka_unit_test(codes_and_numbers),
        cmocka_unit_test(coupons),
        cmocka_unit_test(partners_over_all_symbols),
        cmocka_unit_test(excluded_partners),
        cmocka_unit_test(links),
        cmocka_unit_test(ordinary_addresses_are_no_links),
        cmocka_unit_test(no_memory_is_an_error_and_not_a_finding),
        cmocka_unit_test(what_finds_no_room_is_counted),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
