// The strings of the unit tests of GS1's Barcode Syntax Engine (github.com/gs1/gs1-syntax-engine, ai.c and dl.c), and
// its verdict on each: ours is the same, or the row says why it is not.
#include <stdio.h>
#include <string.h>

#include "arena_fixture.h"
#include "check/gs1.h"
#include "unit.h"

// What is different here, and meant to be: nothing; allowed there, and told here; refused there.
enum meant { AS_THERE, TOLD, ALLOWED };

struct row {
    const char *data; // '^' is FNC1
    bool good;        // their verdict
    enum meant meant;
};

// How many of the rows are decided otherwise than they say; they are printed.
static uint32_t count_wrong(const struct row *rows, size_t count, enum pl_gs1_form form, bool partners)
{
    static struct pl_gs1_result result;
    struct pl_error err = {0};
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        char data[160];
        snprintf(data, sizeof data, "%s", rows[i].data);
        for (char *c = data; *c && form == PL_GS1_ELEMENTS; c++)
            *c = *c == '^' ? '\x1d' : *c;
        assert_int_equal(pl_gs1_check(pl_slice_cstr(data), form, &arena, &result, &err), PL_OK);
        if (partners)
            assert_int_equal(pl_gs1_check_partners(&result, NULL, 0, &arena, &err), PL_OK);
        const bool differs = (result.finding_count == 0) != rows[i].good;
        if (differs == (rows[i].meant != AS_THERE))
            continue;
        wrong++;
        print_message("%s: %s\n", rows[i].data, result.finding_count ? result.findings[0].message : "no finding");
    }
    return wrong;
}

static void brackets(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"(01)12345678901231", true, AS_THERE},
        {"(10)12345", true, AS_THERE},
        {"(01)12345678901231(10)12345", true, AS_THERE},
        {"(3100)123456(10)12345", true, AS_THERE},
        {"(10)12345(11)991225", true, AS_THERE},
        {"(3900)12345(11)991225", true, AS_THERE},
        {"(10)(11)98765", false, AS_THERE},
        {"(10)12345(11)", false, AS_THERE},
        {"(1A)12345", false, AS_THERE},
        {"1(12345", false, AS_THERE},
        {"12345", false, AS_THERE},
        {"()12345", false, AS_THERE},
        {"(1)12345", false, AS_THERE},
        {"(12345)12345", false, AS_THERE},
        {"(15", false, AS_THERE},
        {"(1", false, AS_THERE},
        {"(", false, AS_THERE},
        {"(01)123456789012312(10)12345", false, AS_THERE},
        {"(10)12345^", false, AS_THERE},
        {"(17)9(90)217", false, AS_THERE},
    };
    assert_int_equal(count_wrong(rows, sizeof rows / sizeof *rows, PL_GS1_BRACKETS, false), 0);
}

static void values(void **state)
{
    (void)state;
    static const char *const good[] = {"(00)123456789012345675", "(01)95012345678903(3103)000123"};
    static const char *const bad[] = {"(00)A23456789012345675",
                                      "(10) ",
                                      "(8010)123456_",
                                      "(8013)123456ABOO",
                                      "(8030)ABC:123",
                                      "(8030)123=",
                                      "(00)123456789012345670",
                                      "(8013)123456ABXX",
                                      "(8013)A",
                                      "(401)123",
                                      "(7023)12A4",
                                      "(7040)1AB=",
                                      "(8001)12340000012311",
                                      "(8003)112345678901281234567890123456",
                                      "(8011)023456789012",
                                      "(4321)2",
                                      "(8001)12341234512321",
                                      "(426)987",
                                      "(7030)987ABC",
                                      "(4307)AA",
                                      "(3910)9870",
                                      "(8007)AB1234",
                                      "(8007)FR12_45678901234",
                                      "(8007)AB12345678901234",
                                      "(8007)FR12345678901234",
                                      "(8008)20122515300",
                                      "(4326)201300",
                                      "(4326)201200",
                                      "(4324)2012252400",
                                      "(4324)2012252360",
                                      "(8008)201225230060",
                                      "(8026)123456789012310099",
                                      "(8026)123456789012310100",
                                      "(8026)123456789012310302",
                                      "(4300)ABC%0g",
                                      "(8112)201234561234560123456",
                                      "(8112)0",
                                      "(8112)07",
                                      "(8112)01123456",
                                      "(8112)00123456",
                                      "(8112)00123456123456",
                                      "(8112)001234561234560",
                                      "(8110)71234567890123",
                                      "(8110)012345",
                                      "(8110)0123456123456",
                                      "(8110)01234561234560",
                                      "(8110)01234561234561",
                                      "(8110)012345612345611",
                                      "(8110)0123456123456116123456",
                                      "(8110)0123456123456111",
                                      "(8110)01234561234561111",
                                      "(8110)012345612345611115",
                                      "(8110)012345612345611119",
                                      "(8110)0123456123456111101231",
                                      "(8110)01234561234561111012314",
                                      "(8110)01234561234561111012310",
                                      "(8110)012345612345611110123106123456",
                                      "(8110)012345612345611110123101",
                                      "(8110)0123456123456111101231011",
                                      "(8110)01234561234561111012310115",
                                      "(8110)01234561234561111012310119",
                                      "(8110)01234561234561111012310110123",
                                      "(8110)0123456123456111101231011012371234567890123",
                                      "(8110)012345612345611110123101101230",
                                      "(8110)0123456123456111101232",
                                      "(8110)01234561234561111012320",
                                      "(8110)01234561234561111012321",
                                      "(8110)012345612345611110123211",
                                      "(8110)0123456123456111101232115",
                                      "(8110)0123456123456111101232110",
                                      "(8110)0123456123456111101232110123",
                                      "(8110)012345612345611110123211012371234567890123",
                                      "(8110)01234561234561111012321101230",
                                      "(8110)0123456123456111101233",
                                      "(8110)0123456123456111101233200010",
                                      "(8110)0123456123456111101234",
                                      "(8110)0123456123456111101234200010",
                                      "(8110)01234561234561111012335006064500607",
                                      "(8110)0123456123456111101236",
                                      "(8110)01234561234561111012360",
                                      "(8110)01234561234561111012361",
                                      "(8110)0123456123456111101239",
                                      "(8110)01234561234561111012393",
                                      "(8110)01234561234561111012390",
                                      "(8110)012345612345611110123903",
                                      "(8110)012345612345611110123900",
                                      "(8110)0123456123456111101239000",
                                      "(8110)01234561234561111012390002",
                                      "(8110)012345612345611110123900000",
                                      "(4309)18000000010000000000",
                                      "(4309)00000000003600000001",
                                      "(4330)000000X",
                                      "(01)95012345678902(3103)000123",
                                      "(01)95012345678903(11)131313"};
    uint32_t wrong = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        wrong += count_wrong(&(struct row){good[i], true, AS_THERE}, 1, PL_GS1_BRACKETS, false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        wrong += count_wrong(&(struct row){bad[i], false, AS_THERE}, 1, PL_GS1_BRACKETS, false);
    assert_int_equal(wrong, 0);
}

static void element_strings(void **state)
{
    (void)state;
    // A separator behind the last element is a note here.
    static const struct row rows[] = {
        {"", false, AS_THERE},
        {"^", false, AS_THERE},
        {"^891234", false, AS_THERE},
        {"^991234", true, AS_THERE},
        {"^99~ABC", false, AS_THERE},
        {"^99ABC~", false, AS_THERE},
        {"^0112345678901231", true, AS_THERE},
        {"^01A2345678901231", false, AS_THERE},
        {"^011234567890123A", false, AS_THERE},
        {"^0112345678901234", false, AS_THERE},
        {"^011234567890123", false, AS_THERE},
        {"^01123456789012312", false, AS_THERE},
        {"^0112345678901231^", true, TOLD},
        {"^011234567890123^", false, AS_THERE},
        {"^01123456789012345^", false, AS_THERE},
        {"^01123456789012345^991234", false, AS_THERE},
        {"^0112345678901231991234", true, AS_THERE},
        {"^0112345678901231^991234", true, AS_THERE},
        {"^2421", true, AS_THERE},
        {"^242123456", true, AS_THERE},
        {"^242123456^10ABC123", true, AS_THERE},
        {"^242123456^", true, TOLD},
        {"^2421234567", false, AS_THERE},
        {"^81111234", true, AS_THERE},
        {"^8111123", false, AS_THERE},
        {"^811112345", false, AS_THERE},
        {"^81111234^10ABC123", true, AS_THERE},
        {"^800112341234512398", true, AS_THERE},
        {"^80011234123451239", false, AS_THERE},
        {"^8001123412345123981", false, AS_THERE},
        {"^800112341234512398^0112345678901231", true, AS_THERE},
        {"^80011234123451239^0112345678901231", false, AS_THERE},
        {"^8001123412345123981^01123456789012312", false, AS_THERE},
        {"^7007211225211231", true, AS_THERE},
        {"^7007211225", true, AS_THERE},
        {"^70072112252", false, AS_THERE},
        {"^700721122521", false, AS_THERE},
        {"^7007211225211", false, AS_THERE},
        {"^70072112252112", false, AS_THERE},
        {"^700721122521123", false, AS_THERE},
        {"^70072112252212311", false, AS_THERE},
        {"^800302112345678900ABC", true, AS_THERE},
        {"^800302112345678901ABC", false, AS_THERE},
        {"^800302112345678900", true, AS_THERE},
        {"^800302112345678900^10ABC123", true, AS_THERE},
        {"^800302112345678900ABCDEFGHIJKLMNOP", true, AS_THERE},
        {"^800302112345678900ABCDEFGHIJKLMNOPQ", false, AS_THERE},
        {"^7230121234567890123456789012345678", true, AS_THERE},
        {"^72301212345678901234567890123456789", false, AS_THERE},
        {"^7230123", true, AS_THERE},
        {"^723012", false, AS_THERE},
    };
    assert_int_equal(count_wrong(rows, sizeof rows / sizeof *rows, PL_GS1_ELEMENTS, false), 0);
}

static void partners(void **state)
{
    (void)state;
    // Without (89), which is no identifier.
    static const struct row rows[] = {
        {"(01)12345678901231(400)ABC", true, AS_THERE},
        {"(400)ABC(400)ABC", true, AS_THERE},
        {"(400)ABC(99)DEF(400)ABC", true, AS_THERE},
        {"(99)ABC(400)XYZ(400)XYZ", true, AS_THERE},
        {"(400)ABC(400)AB", false, AS_THERE},
        {"(400)ABC(400)ABCD", false, AS_THERE},
        {"(400)ABC(400)ABC(400)XYZ", false, AS_THERE},
        {"(400)ABC(400)XYZ(400)ABC", false, AS_THERE},
        {"(400)ABC(400)XYZ(400)XYZ", false, AS_THERE},
        {"(400)ABC(99)DEF(400)XYZ", false, AS_THERE},
        {"(99)ABC(400)ABC(400)XYZ", false, AS_THERE},
        {"(01)12345678901231(02)12345678901231", false, AS_THERE},
        {"(99)ABC123(01)12345678901231(02)12345678901231", false, AS_THERE},
        {"(01)12345678901231(99)ABC123(02)12345678901231", false, AS_THERE},
        {"(01)12345678901231(02)12345678901231(99)ABC123", false, AS_THERE},
        {"(01)12345678901231(255)5412345000150", false, AS_THERE},
        {"(01)12345678901231(37)123", false, AS_THERE},
        {"(21)ABC123(235)XYZ", false, AS_THERE},
        {"(3940)1234(8111)9999", false, AS_THERE},
        {"(3940)1234(3941)9999", false, AS_THERE},
        {"(3955)123456(3929)123", false, AS_THERE},
        {"(02)12345678901231", false, AS_THERE},
        {"(02)12345678901231(37)123", false, AS_THERE},
        {"(99)AAA(02)12345678901231(37)123", false, AS_THERE},
        {"(02)12345678901231(99)AAA(37)123", false, AS_THERE},
        {"(02)12345678901231(37)123(00)123456789012345675", true, AS_THERE},
        {"(91)XXX(02)12345678901231(92)YYY(37)123(93)ZZZ(00)123456789012345675", true, AS_THERE},
        {"(21)ABC123", false, AS_THERE},
        {"(21)ABC123(01)12345678901231", true, AS_THERE},
        {"(21)ABC123(8006)123456789012310510", true, AS_THERE},
        {"(01)12345678901231(250)ABC123", false, AS_THERE},
        {"(01)12345678901231(21)XYZ999(250)ABC123", true, AS_THERE},
        {"(01)12345678901231(3925)12599", false, AS_THERE},
        {"(01)12345678901231(3925)12599(30)123", true, AS_THERE},
        {"(01)12345678901231(3925)12599(3100)654321", true, AS_THERE},
        {"(01)12345678901231(3925)12599(3295)654321", true, AS_THERE},
        {"(01)12345678901231(3925)12599(3575)654321", true, AS_THERE},
        {"(01)12345678901231(3925)12599(3695)654321", true, AS_THERE},
    };
    assert_int_equal(count_wrong(rows, sizeof rows / sizeof *rows, PL_GS1_BRACKETS, true), 0);
}

static void links(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"ftp://", false, AS_THERE},
        {"http://", false, AS_THERE},
        {"http:///", false, AS_THERE},
        {"http://a", false, AS_THERE},
        {"http://a/", false, AS_THERE},
        {"http://a/b", false, AS_THERE},
        {"http://a/00/006141411234567890", true, AS_THERE},
        {"https://a/00/006141411234567890", true, AS_THERE},
        {"https://00/006141411234567890", false, AS_THERE},
        {"https://a/stem/00/006141411234567890", true, AS_THERE},
        {"https://a/more/stem/00/006141411234567890", true, AS_THERE},
        {"https://a/00/faux/00/006141411234567890", true, AS_THERE},
        {"https://a/253/1231231231232TEST5678901234567", true, AS_THERE},
        {"https://a/253/1231231231232TEST56789012345678", false, AS_THERE},
        {"https://a/8018/123456789012345675/8019/123", true, AS_THERE},
        {"https://a/stem/00/006141411234567890/", false, ALLOWED}, // resolvers take it
        {"https://a/stem/00/006141411234567890?", true, AS_THERE},
        {"https://a/stem/00/006141411234567890?99=ABC", true, AS_THERE},
        {"https://a/stem/401/12345678?99=ABC", true, AS_THERE},
        {"https://a/01/12312312312333?99=ABC&98=XYZ", true, AS_THERE},
        {"https://a/01/12312312312333?99=ABC&999=faux", false, AS_THERE},
        {"https://a/01/12312312312333?&&&99=ABC&&&&&&98=XYZ&&&", true, AS_THERE},
        {"https://a/01/12312312312333?99=ABC&unknown=666&98=XYZ", true, AS_THERE},
        {"https://a/01/12312312312333?99=ABC&singleton&98=XYZ", true, AS_THERE},
        {"https://a/01/12312312312333/22/ABC%2d123?99=ABC&98=XYZ%2f987", true, AS_THERE},
        {"https://a/01/12312312312333/22/ABC+123?99=ABC&98=XYZ%2f987", true, AS_THERE},
        {"https://a/01/12312312312333/22/ABC%2d123?99=ABC&98=XYZ+987", false, AS_THERE},
        {"https://a/01/12312312312333/22/test/10/abc/21/xyz#", true, AS_THERE},
        {"https://a/01/12312312312333/22/test/10/abc/21/xyz#fragment", true, AS_THERE},
        {"https://a/stem/00/006141411234567890?99=ABC#fragment", true, AS_THERE},
        {"https://id.gs1.org/01/09520123456788", true, AS_THERE},
        {"https://brand.example.com/01/9520123456788", false, AS_THERE},
        {"https://id.gs1.org/01/09520123456788/22/2A", true, AS_THERE},
        {"https://id.gs1.org/01/09520123456788/10/ABC1/21/12345?17=180426", true, AS_THERE},
        {"https://id.gs1.org/01/09520123456788?17=201225&3103=000195&3922=0299", true, AS_THERE},
        {"https://id.gs1.org/00/952012345678912345?02=09520123456788&37=25&10=ABC123", true, AS_THERE},
        {"https://id.gs1.org/414/9520123456788", true, AS_THERE},
        {"https://id.gs1.org/414/9520123456788/254/32a%2Fb", true, AS_THERE},
        {"https://example.com/8004/9520614141234567?01=9520123456788", true, TOLD}, // a GTIN of 13 digits
        {"https://example.com/01/09520123456788?10=ABC123", false, AS_THERE},
        {"https://id.gs1.org/01/09520123456788/235/XYZ?10=ABC123", true, AS_THERE},
        {"https://id.gs1.org/01/09520123456788/10/ABC123?99=XYZ789&01=09520123456788", false, AS_THERE},
        {"https://id.gs1.org/01/09520123456788/10/ABC123?99=XYZ789&10=ABC123", false, AS_THERE},
        {"https://id.gs1.org/01/09520123456788/10/ABC123?99=XYZ789&99=XYZ789", false, AS_THERE},
        {"https://example.com/01/09520123456788/89/ABC123?99=XYZ", false, AS_THERE},
        {"https://example.com/01/09520123456788?99=XYZ&89=ABC123", false, AS_THERE},
    };
    assert_int_equal(count_wrong(rows, sizeof rows / sizeof *rows, PL_GS1_LINK, false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets), cmocka_unit_test(values), cmocka_unit_test(element_strings),
        cmocka_unit_test(partners), cmocka_unit_test(links),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
