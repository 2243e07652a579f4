// The sets by their names.
#include "lang/cpcl/charset.h"

#include "base/ckd.h"
#include "base/utf8.h"
#include "lang/code_pages.h"

static const struct cpcl_charset SETS[] = {
    {"USA", 850, NULL, NULL, false},
    {"GERMANY", 850, pl_national_german, NULL, false},
    {"FRANCE", 850, pl_national_french, NULL, false},
    {"SWEDEN", 850, pl_national_swedish, NULL, false},
    {"SPAIN", 850, pl_national_spanish, NULL, false},
    {"NORWAY", 850, pl_national_danish, NULL, false},
    {"ITALY", 850, pl_national_italian, NULL, false},
    {"UK", 850, pl_national_british, NULL, false},
    {"CP850", 850, NULL, NULL, false},
    {"CP437", 437, NULL, NULL, false},
    {"CP852", 852, NULL, NULL, false},
    {"CP866", 866, NULL, NULL, false},
    {"CP1250", 1250, NULL, NULL, false},
    {"CP1251", 1251, NULL, NULL, false},
    {"CP1252", 1252, NULL, NULL, false},
    {"CP1253", 1253, NULL, NULL, false},
    {"CP1254", 1254, NULL, NULL, false},
    {"CP1255", 1255, NULL, NULL, false},
    {"LATIN9", 28605, NULL, NULL, false},
    {"CP874", 874, NULL, NULL, false},
    {"THAI", 874, NULL, NULL, false},
    {"CHINA", 0, NULL, &pl_gb18030, false},
    {"GB18030", 0, NULL, &pl_gb18030, false},
    {"GBK", 0, NULL, &pl_gb18030, false},
    {"BIG5", 0, NULL, &pl_big5, false},
    {"KOREA", 0, NULL, &pl_cp949, false},
    {"JAPAN-S", 0, NULL, &pl_cp932, false},
    {"UTF-8", 0, NULL, NULL, true},
    {"ASCII", 850, NULL, NULL, false},
};

const struct cpcl_charset *cpcl_charset_find(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(SETS); i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(SETS[i].name)))
            return &SETS[i];
    return NULL;
}

uint32_t cpcl_charset_decode(const struct cpcl_charset *set, struct pl_slice bytes, uint32_t *out, uint32_t *bad)
{
    uint32_t n = 0;
    *bad = 0;
    if (set->pairs) {
        size_t wrong = 0, count = pl_double_byte_decode(set->pairs, bytes.ptr, bytes.len, out, &wrong);
        *bad = (uint32_t)wrong;
        return count == SIZE_MAX ? 0 : (uint32_t)count;
    }
    const uint16_t *high = pl_code_page(set->code_page);
    for (size_t at = 0; at < bytes.len;) {
        uint32_t c = set->utf8 ? pl_utf8_next(bytes, &at) : pl_code_page_char(high, set->national, bytes.ptr[at++]);
        if (c == PL_UTF8_BAD)
            c = 0xFFFD;
        *bad += c == 0xFFFD;
        out[n++] = c;
    }
    return n;
}
