// The tables of code pages, which the build makes by its C library's iconv, have the characters that they must have, so
// that a program that another machine built prints the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lang/code_pages.h"

// Sums (FNV-1a, low byte first) of the tables of the Unicode consortium.
static const struct {
    uint32_t number, sum;
} PAGES[] = {{437, 0x11561F91},   {737, 0x29007F48},   {850, 0x34CEDB1D},   {852, 0xAD2B14CA},   {855, 0x8199B106},
             {857, 0x0AFCB2B8},   {858, 0x6BD7D31B},   {860, 0x52CC1A3C},   {861, 0x3E886CDA},   {862, 0xCA774498},
             {863, 0x9CDC4426},   {864, 0x6195AD54},   {865, 0x97624C05},   {866, 0x60296085},   {869, 0xD1579A30},
             {874, 0x45C5BECC},   {1250, 0xC2978A26},  {1251, 0x7A6E54A7},  {1252, 0x8A50BA2A},  {1253, 0xB3B86128},
             {1254, 0x67A42414},  {1255, 0x92E79BD7},  {1256, 0x2F110D68},  {1257, 0x0316ADE0},  {1258, 0xE341501C},
             {28591, 0x7646B9C5}, {28592, 0x6D3AF9F2}, {28593, 0x130BEF3B}, {28594, 0x30E1538C}, {28595, 0x3524756A},
             {28596, 0xB109E090}, {28597, 0x59E77880}, {28598, 0x62EB7445}, {28599, 0xC733E42C}, {28600, 0xFBAF3E2B},
             {28605, 0x30A72B80}};

static void pages_have_their_characters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PAGES / sizeof PAGES[0]; i++) {
        const uint16_t *high = pl_code_page(PAGES[i].number);
        uint32_t sum = 2166136261;
        assert_non_null(high);
        for (int k = 0; k < 256; k++)
            sum = (sum ^ (high[k / 2] >> (k % 2 * 8) & 0xFF)) * 16777619;
        if (sum != PAGES[i].sum)
            fail_msg("code page %u has other characters: 0x%08X", PAGES[i].number, sum);
    }
}

static void others_are_unknown(void **state)
{
    (void)state;
    assert_null(pl_code_page(0));
    assert_null(pl_code_page(851));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_have_their_characters),
        cmocka_unit_test(others_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
