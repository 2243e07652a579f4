// Rules for data and the table of rule sets.
#include <stdio.h>
#include <string.h>

#include "check/rule_sets.h"
#include "unit.h"

#define RS "\x1e"
#define GS "\x1d"
#define EOT "\x04"

static void expect(enum pl_rule rule, enum pl_check_symbology symbology, const char *data, int offset)
{
    struct pl_rule_result r = pl_rules_check(rule, symbology, pl_slice_cstr(data));
    enum pl_rule_match want = offset == -2 ? PL_RULE_OTHER : offset == -1 ? PL_RULE_HOLDS : PL_RULE_BROKEN;
    if (r.match != want || (offset >= 0 && r.offset != (uint32_t)offset))
        fail_msg("%s: %d at %u: %s", data, (int)r.match, r.offset, r.message);
    if (want == PL_RULE_BROKEN)
        assert_true(r.message[0] != '\0' && r.rule == rule);
}

enum { HOLDS = -1, OTHER = -2 };

static void ups(void **state)
{
    (void)state;
    const enum pl_rule rule = PL_RULE_UPS_TRACKING;
    expect(rule, PL_CHECK_CODE128, "1Z999AA10123456784", HOLDS);
    expect(rule, PL_CHECK_CODE128, "1Z12345E6605272234", HOLDS);
    expect(rule, PL_CHECK_CODE128, "1Z999AA10123456785", 17);
    expect(rule, PL_CHECK_CODE128, "1Z999aA10123456784", 5);
    expect(rule, PL_CHECK_CODE128, "1Z999AA1012345678", 17);
    expect(rule, PL_CHECK_CODE128, "1Z999AA101234567840", 18);
    expect(rule, PL_CHECK_CODE128, "2Z999AA10123456784", OTHER);
    assert_int_equal(pl_rule_ups_check(pl_slice_cstr("999AA1012345678")), '4');
}

static void ups_maxicode(void **state)
{
    (void)state;
    const enum pl_rule rule = PL_RULE_UPS_MAXICODE;
    expect(rule, PL_CHECK_MAXICODE,
           "[)>" RS "01" GS "96841706672" GS "840" GS "001" GS "1Z12345675" GS "UPSN" GS "12345E" GS "089" GS GS
           "1/1" GS "10.1" GS "Y" GS GS GS "UT" RS EOT,
           HOLDS);
    // The rest in UPS's compressed form.
    expect(rule, PL_CHECK_MAXICODE,
           "[)>" RS "01" GS "96841706672" GS "840" GS "001" GS "1Z12345675" GS "UPSN" GS "12345E" RS "07Y+0*" RS EOT,
           HOLDS);
    expect(rule, PL_CHECK_MAXICODE, "841706672" GS "840", 0);
    expect(rule, PL_CHECK_MAXICODE, "[)>" RS "01" GS "XX84", 7);
    expect(rule, PL_CHECK_MAXICODE, "[)>" RS "01" GS "96841706672" GS "84" GS "001" GS, 19);
    expect(rule, PL_CHECK_MAXICODE,
           "[)>" RS "01" GS "96841706672" GS "840" GS "001" GS "2Z12345675" GS "UPSN" GS "12345E" EOT, 27);
    expect(rule, PL_CHECK_MAXICODE,
           "[)>" RS "01" GS "96841706672" GS "840" GS "001" GS "1Z12345675" GS "FDXE" GS "12345E" EOT, 38);
    expect(rule, PL_CHECK_MAXICODE,
           "[)>" RS "01" GS "96841706672" GS "840" GS "001" GS "1Z12345675" GS "UPSN" GS "12345E", 49);
    expect(rule, PL_CHECK_QR, "anything", OTHER);
}

static void usps(void **state)
{
    (void)state;
    const enum pl_rule rule = PL_RULE_USPS_IMPB;
    expect(rule, PL_CHECK_GS1_128, "42012345" GS "9200190100000000000008", HOLDS);
    expect(rule, PL_CHECK_GS1_128, "42012345" GS "9200190100000000000002", 30);
    expect(rule, PL_CHECK_GS1_128, "420123456789" GS "9200190100000000000008", HOLDS);
    expect(rule, PL_CHECK_GS1_128, "4201234567899200190100000000000008", HOLDS);
    expect(rule, PL_CHECK_GS1_128, "9200190100000000000008", HOLDS);
    expect(rule, PL_CHECK_GS1_128, "42012345", HOLDS);
    expect(rule, PL_CHECK_GS1_128, "420123" GS "9200190100000000000008", 6);
    expect(rule, PL_CHECK_GS1_128, "42012345" GS "9000190100000000000001", 9);
    expect(rule, PL_CHECK_GS1_128, "42012345" GS "92001901000000000A0001", 26);
    expect(rule, PL_CHECK_GS1_128, "0112345678901231", OTHER);
    expect(rule, PL_CHECK_QR, "9200190100000000000008", OTHER);
    expect(PL_RULE_USPS_IMB, PL_CHECK_INTELLIGENT_MAIL, "01234567094987654321", HOLDS);
    expect(PL_RULE_USPS_IMB, PL_CHECK_INTELLIGENT_MAIL, "0123456709498765432101234567891", HOLDS);
    expect(PL_RULE_USPS_IMB, PL_CHECK_INTELLIGENT_MAIL, "05234567094987654321", 1);
    expect(PL_RULE_USPS_IMB, PL_CHECK_INTELLIGENT_MAIL, "012345670949876543210", 21);
    expect(PL_RULE_USPS_IMB, PL_CHECK_INTELLIGENT_MAIL, "0123456709498765432A", 19);
    expect(PL_RULE_USPS_IMB, PL_CHECK_CODE128, "05234567094987654321", OTHER);
}

static void other_carriers(void **state)
{
    (void)state;
    expect(PL_RULE_S10, PL_CHECK_CODE128, "RA473124829US", HOLDS);
    expect(PL_RULE_S10, PL_CHECK_CODE128, "RR287043775IN", HOLDS);
    expect(PL_RULE_S10, PL_CHECK_CODE128, "RA473124828US", 10);
    expect(PL_RULE_S10, PL_CHECK_CODE128, "RA47312482US", OTHER);
    expect(PL_RULE_FEDEX, PL_CHECK_CODE128, "012345678983", HOLDS);
    expect(PL_RULE_FEDEX, PL_CHECK_CODE128, "012345678982", 11);
    expect(PL_RULE_FEDEX, PL_CHECK_CODE128, "1001921334250001000300012345678983", HOLDS);
    expect(PL_RULE_FEDEX, PL_CHECK_CODE128, "1001921334250001000300012345678984", 33);
    expect(PL_RULE_FEDEX, PL_CHECK_CODE128, "9611020987654312345672", HOLDS);
    expect(PL_RULE_FEDEX, PL_CHECK_CODE128, "9611020987654312345671", 21);
    expect(PL_RULE_FEDEX, PL_CHECK_CODE128, "ABC", OTHER);
    expect(PL_RULE_FEDEX, PL_CHECK_QR, "012345678982", OTHER);
    expect(PL_RULE_KEY, PL_CHECK_EAN13, "4006381333931", HOLDS);
    expect(PL_RULE_KEY, PL_CHECK_EAN13, "4006381333930", 12);
    expect(PL_RULE_KEY, PL_CHECK_EAN8, "73513537", HOLDS);
    expect(PL_RULE_KEY, PL_CHECK_UPCA, "036000291452", HOLDS);
    expect(PL_RULE_KEY, PL_CHECK_UPCE, "01234565", HOLDS);
    expect(PL_RULE_KEY, PL_CHECK_UPCE, "01234567", 7);
    expect(PL_RULE_KEY, PL_CHECK_UPCE, "91234565", OTHER); // drawing says what it made of it
    expect(PL_RULE_KEY, PL_CHECK_INTERLEAVED_2OF5, "15400141288763", HOLDS);
    expect(PL_RULE_KEY, PL_CHECK_INTERLEAVED_2OF5, "123456", OTHER);
    expect(PL_RULE_KEY, PL_CHECK_CODE128, "4006381333930", OTHER);
    // Empty and short data is of no kind, and reads nothing behind its end.
    for (uint32_t rule = 1; rule <= PL_RULE_KEY; rule <<= 1)
        if (rule != PL_RULE_UPS_MAXICODE)
            expect(rule, PL_CHECK_CODE128, "", OTHER);
    expect(PL_RULE_UPS_MAXICODE, PL_CHECK_MAXICODE, "", 0);
}

static void amazon(void **state)
{
    (void)state;
    const enum pl_rule rule = PL_RULE_AMAZON;
    expect(rule, PL_CHECK_CODE128, "X001ABC2D3", HOLDS);
    expect(rule, PL_CHECK_CODE128, "X001ABC2D", 9);
    expect(rule, PL_CHECK_CODE128, "X001ABC2D34", 10);
    expect(rule, PL_CHECK_CODE128, "X001abc2d3", 4);
    expect(rule, PL_CHECK_CODE128, "x001abcdef", 0); // capital letters are asked for
    expect(rule, PL_CHECK_CODE128, "x00", OTHER);
    expect(rule, PL_CHECK_CODE128, "fba15abcdefgu000001", 0);
    expect(rule, PL_CHECK_CODE128, "Fba15ABCDEFGU000001", 1);
    expect(rule, PL_CHECK_CODE128, "fbad", OTHER);
    expect(rule, PL_CHECK_CODE128, "FBA1MMD8D0U000001", HOLDS);
    expect(rule, PL_CHECK_CODE128, "FBA1MMD8D0U001", HOLDS);
    expect(rule, PL_CHECK_CODE128, "FBA1MMD8D0U00001", 11);
    expect(rule, PL_CHECK_CODE128, "FBA1MMD8D0", 9);
    expect(rule, PL_CHECK_CODE128, "FBA1MMD8D0-000001", 10);
    expect(rule, PL_CHECK_CODE128, "FBAU000001", 4);
    expect(rule, PL_CHECK_CODE128, "FBA", 3);
    expect(rule, PL_CHECK_CODE128, "B0ABCDEFGH", OTHER);
    expect(rule, PL_CHECK_CODE128, "FB", OTHER);
    expect(rule, PL_CHECK_QR, "X001ABC2D", OTHER);
    assert_true(pl_rules_check(rule, PL_CHECK_CODE128, pl_slice_cstr("X00")).unread); // never an error
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(pl_check_symbology_of("gs1-128"), PL_CHECK_GS1_128);
    assert_int_equal(pl_check_symbology_of("no such"), PL_CHECK_SYMBOLOGY_COUNT);
    for (int i = 0; i < PL_CHECK_SYMBOLOGY_COUNT; i++)
        assert_int_equal(pl_check_symbology_of(pl_check_symbology_name((enum pl_check_symbology)i)), i);
    assert_string_equal(pl_check_symbology_name(PL_CHECK_SYMBOLOGY_COUNT), "");
}

static void numbers(void **state)
{
    (void)state;
    const enum pl_rule rule = PL_RULE_NUMBER;
    expect(rule, PL_CHECK_CODE39, "-27580899", HOLDS); // IFA's example
    expect(rule, PL_CHECK_CODE39, "-27580898", 8);
    expect(rule, PL_CHECK_CODE39, "-4877800", HOLDS);
    expect(rule, PL_CHECK_CODE39, "-00000030", 8); // the rest of the sum is 10: no number
    expect(rule, PL_CHECK_CODE128, "-27580898", OTHER);
    expect(rule, PL_CHECK_CODE39, "-2758089A", OTHER);
    expect(rule, PL_CHECK_CODE39, "-275808", OTHER);
    expect(rule, PL_CHECK_CODE39, "+A123BJC5D6E71G", HOLDS); // the example of scanner guides
    expect(rule, PL_CHECK_DATAMATRIX, "+A123BJC5D6E71H", 14);
    expect(rule, PL_CHECK_CODE128, "+1234567890", OTHER);
    expect(rule, PL_CHECK_CODE128, "+A12bBJC5D6E71G", OTHER);
    expect(rule, PL_CHECK_QR, "+A123BJC5D6E71H", OTHER);
    expect(rule, PL_CHECK_CODE128, "490154203237518", HOLDS);
    expect(rule, PL_CHECK_CODE128, "490154203237517", 14);
    expect(rule, PL_CHECK_CODE128, "", OTHER);
    expect(PL_RULE_KEY, PL_CHECK_EAN13, "590123412345X", 12);
    expect(PL_RULE_KEY, PL_CHECK_EAN13, "59012341234X7", OTHER);
}

static void rule_sets(void **state)
{
    (void)state;
    static const char *const wanted[] = {"none",       "default", "gs1-retail", "gs1-logistics", "gs1-logistic-label",
                                         "healthcare", "ups",     "usps",       "fedex",         "dhl",
                                         "amazon"};
    uint32_t count;
    const struct pl_rule_set *sets = pl_rule_sets(&count);
    assert_int_equal(count, sizeof wanted / sizeof *wanted);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(sets[i].name, wanted[i]);
        assert_ptr_equal(pl_rule_set_find(wanted[i]), &sets[i]);
        for (uint32_t k = 0; k < sets[i].size_count; k++) {
            const struct pl_size_rule *rule = &sets[i].sizes[k];
            assert_true(rule->max_module_um == 0 || rule->min_module_um < rule->max_module_um);
            assert_ptr_equal(pl_rule_set_size(&sets[i], rule->symbology), rule); // none is there twice
        }
    }
    assert_null(pl_rule_set_find("gs1"));
    const struct pl_rule_set *retail = pl_rule_set_find("gs1-retail");
    assert_true(pl_rule_set_allows(retail, PL_CHECK_EAN13));
    assert_false(pl_rule_set_allows(retail, PL_CHECK_CODE39));
    assert_true(pl_rule_set_allows(pl_rule_set_find("none"), PL_CHECK_CODE39));
    assert_int_equal(pl_rule_set_size(retail, PL_CHECK_CODE39)->min_height_um, 5000); // as every label
    assert_null(pl_rule_set_size(retail, PL_CHECK_AZTEC));
    assert_int_equal(pl_rule_set_size(retail, PL_CHECK_EAN13)->min_module_um, 249);
    assert_int_equal(pl_size_rule_height_um(pl_rule_set_size(retail, PL_CHECK_EAN13), 660), 18280);
    assert_int_equal(pl_size_rule_height_um(pl_rule_set_size(retail, PL_CHECK_DATABAR), 500), 16500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ups),    cmocka_unit_test(ups_maxicode),
        cmocka_unit_test(usps),   cmocka_unit_test(other_carriers),
        cmocka_unit_test(names),  cmocka_unit_test(rule_sets),
        cmocka_unit_test(amazon), cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
