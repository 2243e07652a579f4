// Code pages by their names.
#include "lang/tspl/codepages.h"

#include "base/ckd.h"
#include "base/utf8.h"
#include "lang/code_pages.h"
#include "lang/double_byte.h"
#include "lang/tspl/codepage_tables.h"

static const struct tspl_codepage PAGES[] = {
    {"437", TSPL_CODEPAGE_BYTES, 437, NULL, NULL, NULL},
    {"737", TSPL_CODEPAGE_BYTES, 737, NULL, NULL, NULL},
    {"850", TSPL_CODEPAGE_BYTES, 850, NULL, NULL, NULL},
    {"852", TSPL_CODEPAGE_BYTES, 852, NULL, NULL, NULL},
    {"855", TSPL_CODEPAGE_BYTES, 855, NULL, NULL, NULL},
    {"857", TSPL_CODEPAGE_BYTES, 857, NULL, NULL, NULL},
    {"858", TSPL_CODEPAGE_BYTES, 0, PAGE_858, NULL, NULL},
    {"860", TSPL_CODEPAGE_BYTES, 860, NULL, NULL, NULL},
    {"861", TSPL_CODEPAGE_BYTES, 861, NULL, NULL, NULL},
    {"862", TSPL_CODEPAGE_BYTES, 862, NULL, NULL, NULL},
    {"863", TSPL_CODEPAGE_BYTES, 863, NULL, NULL, NULL},
    {"864", TSPL_CODEPAGE_BYTES, 0, PAGE_864, NULL, NULL},
    {"865", TSPL_CODEPAGE_BYTES, 865, NULL, NULL, NULL},
    {"866", TSPL_CODEPAGE_BYTES, 866, NULL, NULL, NULL},
    {"869", TSPL_CODEPAGE_BYTES, 869, NULL, NULL, NULL},
    {"874", TSPL_CODEPAGE_BYTES, 874, NULL, NULL, NULL},
    {"1250", TSPL_CODEPAGE_BYTES, 1250, NULL, NULL, NULL},
    {"1251", TSPL_CODEPAGE_BYTES, 1251, NULL, NULL, NULL},
    {"1252", TSPL_CODEPAGE_BYTES, 1252, NULL, NULL, NULL},
    {"1253", TSPL_CODEPAGE_BYTES, 1253, NULL, NULL, NULL},
    {"1254", TSPL_CODEPAGE_BYTES, 1254, NULL, NULL, NULL},
    {"1255", TSPL_CODEPAGE_BYTES, 1255, NULL, NULL, NULL},
    {"1256", TSPL_CODEPAGE_BYTES, 0, PAGE_1256, NULL, NULL},
    {"1257", TSPL_CODEPAGE_BYTES, 0, PAGE_1257, NULL, NULL},
    {"1258", TSPL_CODEPAGE_BYTES, 0, PAGE_1258, NULL, NULL},
    {"8859-1", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_1, NULL, NULL},
    {"8859-2", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_2, NULL, NULL},
    {"8859-3", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_3, NULL, NULL},
    {"8859-4", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_4, NULL, NULL},
    {"8859-5", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_5, NULL, NULL},
    {"8859-6", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_6, NULL, NULL},
    {"8859-7", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_7, NULL, NULL},
    {"8859-8", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_8, NULL, NULL},
    {"8859-9", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_9, NULL, NULL},
    {"8859-10", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_10, NULL, NULL},
    {"8859-15", TSPL_CODEPAGE_BYTES, 28605, NULL, NULL, NULL},
    {"UTF-8", TSPL_CODEPAGE_UTF8, 0, NULL, NULL, NULL},
    {"932", TSPL_CODEPAGE_PAIRS, 0, NULL, NULL, &pl_cp932},
    {"936", TSPL_CODEPAGE_PAIRS, 0, NULL, NULL, &pl_gb18030},
    {"949", TSPL_CODEPAGE_PAIRS, 0, NULL, NULL, &pl_cp949},
    {"950", TSPL_CODEPAGE_PAIRS, 0, NULL, NULL, &pl_big5},
    {"USA", TSPL_CODEPAGE_BYTES, 437, NULL, NULL, NULL},
    {"BRI", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_british, NULL},
    {"GER", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_german, NULL},
    {"FRE", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_french, NULL},
    {"DAN", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_danish, NULL},
    {"ITA", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_italian, NULL},
    {"SPA", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_spanish, NULL},
    {"SWE", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_swedish, NULL},
    {"SWI", TSPL_CODEPAGE_BYTES, 437, NULL, pl_national_swiss, NULL},
};

const struct tspl_codepage *tspl_codepage_find(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(PAGES); i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(PAGES[i].name)))
            return &PAGES[i];
    return NULL;
}

uint32_t tspl_codepage_decode(const struct tspl_codepage *page, struct pl_slice bytes, uint32_t *out, uint32_t *bad)
{
    const uint16_t *high = page->number ? pl_code_page(page->number) : page->high;
    uint32_t n = 0;
    *bad = 0;
    if (page->kind == TSPL_CODEPAGE_PAIRS) {
        size_t wrong = 0, count = pl_double_byte_decode(page->pairs, bytes.ptr, bytes.len, out, &wrong);
        *bad = (uint32_t)wrong;
        return count == SIZE_MAX ? 0 : (uint32_t)count;
    }
    for (size_t at = 0; at < bytes.len;) {
        uint32_t c = page->kind == TSPL_CODEPAGE_UTF8 ? pl_utf8_next(bytes, &at)
                                                      : pl_code_page_char(high, page->national, bytes.ptr[at++]);
        if (c == PL_UTF8_BAD)
            c = 0xFFFD;
        *bad += c == 0xFFFD;
        out[n++] = c;
    }
    return n;
}
