// Code pages by their names.
#include "lang/tspl/codepages.h"

#include "base/ckd.h"
#include "base/utf8.h"
#include "lang/code_pages.h"
#include "lang/tspl/codepage_tables.h"

// National 7-bit sets: pairs of a character of ASCII and what is printed in its place (ISO 646).
static const uint16_t BRITISH[] = {'#', 0xA3, 0};
static const uint16_t GERMAN[] = {'@',  0xA7, '[',  0xC4, '\\', 0xD6, ']',  0xDC, '{',
                                  0xE4, '|',  0xF6, '}',  0xFC, '~',  0xDF, 0};
static const uint16_t FRENCH[] = {'@',  0xE0, '[',  0xB0, '\\', 0xE7, ']',  0xA7, '{',
                                  0xE9, '|',  0xF9, '}',  0xE8, '~',  0xA8, 0};
static const uint16_t DANISH[] = {'[', 0xC6, '\\', 0xD8, ']', 0xC5, '{', 0xE6, '|', 0xF8, '}', 0xE5, 0};
static const uint16_t ITALIAN[] = {'@', 0xA7, '[', 0xB0, '\\', 0xE7, ']', 0xE9, '`', 0xF9,
                                   '{', 0xE0, '|', 0xF2, '}',  0xE8, '~', 0xEC, 0};
static const uint16_t SPANISH[] = {'@', 0xA7, '[', 0xA1, '\\', 0xD1, ']', 0xBF, '{', 0xB0, '|', 0xF1, '}', 0xE7, 0};
static const uint16_t SWEDISH[] = {'@',  0xC9, '[',  0xC4, '\\', 0xD6, ']',  0xC5, '^',  0xDC, '`',
                                   0xE9, '{',  0xE4, '|',  0xF6, '}',  0xE5, '~',  0xFC, 0};
static const uint16_t SWISS[] = {'#',  0xF9, '@',  0xE0, '[',  0xE9, '\\', 0xE7, ']',  0xEA, '^',  0xEE, '_',
                                 0xE8, '`',  0xF4, '{',  0xE4, '|',  0xF6, '}',  0xFC, '~',  0xFB, 0};

static const struct tspl_codepage PAGES[] = {
    {"437", TSPL_CODEPAGE_BYTES, 437, NULL, NULL},
    {"737", TSPL_CODEPAGE_BYTES, 737, NULL, NULL},
    {"850", TSPL_CODEPAGE_BYTES, 850, NULL, NULL},
    {"852", TSPL_CODEPAGE_BYTES, 852, NULL, NULL},
    {"855", TSPL_CODEPAGE_BYTES, 855, NULL, NULL},
    {"857", TSPL_CODEPAGE_BYTES, 857, NULL, NULL},
    {"858", TSPL_CODEPAGE_BYTES, 0, PAGE_858, NULL},
    {"860", TSPL_CODEPAGE_BYTES, 860, NULL, NULL},
    {"861", TSPL_CODEPAGE_BYTES, 861, NULL, NULL},
    {"862", TSPL_CODEPAGE_BYTES, 862, NULL, NULL},
    {"863", TSPL_CODEPAGE_BYTES, 863, NULL, NULL},
    {"864", TSPL_CODEPAGE_BYTES, 0, PAGE_864, NULL},
    {"865", TSPL_CODEPAGE_BYTES, 865, NULL, NULL},
    {"866", TSPL_CODEPAGE_BYTES, 866, NULL, NULL},
    {"869", TSPL_CODEPAGE_BYTES, 869, NULL, NULL},
    {"874", TSPL_CODEPAGE_BYTES, 0, PAGE_874, NULL},
    {"1250", TSPL_CODEPAGE_BYTES, 1250, NULL, NULL},
    {"1251", TSPL_CODEPAGE_BYTES, 1251, NULL, NULL},
    {"1252", TSPL_CODEPAGE_BYTES, 1252, NULL, NULL},
    {"1253", TSPL_CODEPAGE_BYTES, 1253, NULL, NULL},
    {"1254", TSPL_CODEPAGE_BYTES, 1254, NULL, NULL},
    {"1255", TSPL_CODEPAGE_BYTES, 1255, NULL, NULL},
    {"1256", TSPL_CODEPAGE_BYTES, 0, PAGE_1256, NULL},
    {"1257", TSPL_CODEPAGE_BYTES, 0, PAGE_1257, NULL},
    {"1258", TSPL_CODEPAGE_BYTES, 0, PAGE_1258, NULL},
    {"8859-1", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_1, NULL},
    {"8859-2", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_2, NULL},
    {"8859-3", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_3, NULL},
    {"8859-4", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_4, NULL},
    {"8859-5", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_5, NULL},
    {"8859-6", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_6, NULL},
    {"8859-7", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_7, NULL},
    {"8859-8", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_8, NULL},
    {"8859-9", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_9, NULL},
    {"8859-10", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_10, NULL},
    {"8859-15", TSPL_CODEPAGE_BYTES, 0, PAGE_8859_15, NULL},
    {"UTF-8", TSPL_CODEPAGE_UTF8, 0, NULL, NULL},
    {"USA", TSPL_CODEPAGE_BYTES, 437, NULL, NULL},
    {"BRI", TSPL_CODEPAGE_BYTES, 437, NULL, BRITISH},
    {"GER", TSPL_CODEPAGE_BYTES, 437, NULL, GERMAN},
    {"FRE", TSPL_CODEPAGE_BYTES, 437, NULL, FRENCH},
    {"DAN", TSPL_CODEPAGE_BYTES, 437, NULL, DANISH},
    {"ITA", TSPL_CODEPAGE_BYTES, 437, NULL, ITALIAN},
    {"SPA", TSPL_CODEPAGE_BYTES, 437, NULL, SPANISH},
    {"SWE", TSPL_CODEPAGE_BYTES, 437, NULL, SWEDISH},
    {"SWI", TSPL_CODEPAGE_BYTES, 437, NULL, SWISS},
};

const struct tspl_codepage *tspl_codepage_find(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(PAGES); i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(PAGES[i].name)))
            return &PAGES[i];
    return NULL;
}

static uint32_t one_byte(const struct tspl_codepage *page, const uint16_t *high, uint8_t byte)
{
    if (byte >= 0x80)
        return high && high[byte - 0x80] ? high[byte - 0x80] : 0xFFFD;
    for (const uint16_t *pair = page->national; pair && *pair; pair += 2)
        if (*pair == byte)
            return pair[1];
    return byte;
}

uint32_t tspl_codepage_decode(const struct tspl_codepage *page, struct pl_slice bytes, uint32_t *out, uint32_t *bad)
{
    const uint16_t *high = page->number ? pl_code_page(page->number) : page->high;
    uint32_t n = 0;
    *bad = 0;
    for (size_t at = 0; at < bytes.len;) {
        uint32_t c =
            page->kind == TSPL_CODEPAGE_UTF8 ? pl_utf8_next(bytes, &at) : one_byte(page, high, bytes.ptr[at++]);
        if (c == PL_UTF8_BAD)
            c = 0xFFFD;
        *bad += c == 0xFFFD;
        out[n++] = c;
    }
    return n;
}
