// Code pages of DOS, Windows and ISO 8859 by their numbers, national 7-bit sets, and character sets made of both.
#include "lang/code_pages.h"

#include "base/utf8.h"

const uint16_t *pl_code_page(uint32_t number)
{
    const struct pl_code_page *page = pl_code_pages;
    while (page->high && page->number != number)
        page++;
    return page->high;
}

// National 7-bit sets: pairs of a character of ASCII and what is printed in its place (ISO 646).
const uint16_t pl_national_british[] = {'#', 0xA3, 0};
const uint16_t pl_national_german[] = {'@',  0xA7, '[',  0xC4, '\\', 0xD6, ']',  0xDC, '{',
                                       0xE4, '|',  0xF6, '}',  0xFC, '~',  0xDF, 0};
const uint16_t pl_national_french[] = {'@',  0xE0, '[',  0xB0, '\\', 0xE7, ']',  0xA7, '{',
                                       0xE9, '|',  0xF9, '}',  0xE8, '~',  0xA8, 0};
const uint16_t pl_national_danish[] = {'[', 0xC6, '\\', 0xD8, ']', 0xC5, '{', 0xE6, '|', 0xF8, '}', 0xE5, 0};
const uint16_t pl_national_italian[] = {'@', 0xA7, '[', 0xB0, '\\', 0xE7, ']', 0xE9, '`', 0xF9,
                                        '{', 0xE0, '|', 0xF2, '}',  0xE8, '~', 0xEC, 0};
const uint16_t pl_national_spanish[] = {'@', 0xA7, '[', 0xA1, '\\', 0xD1, ']', 0xBF,
                                        '{', 0xB0, '|', 0xF1, '}',  0xE7, 0};
const uint16_t pl_national_swedish[] = {'@',  0xC9, '[',  0xC4, '\\', 0xD6, ']',  0xC5, '^',  0xDC, '`',
                                        0xE9, '{',  0xE4, '|',  0xF6, '}',  0xE5, '~',  0xFC, 0};
const uint16_t pl_national_swiss[] = {'#',  0xF9, '@',  0xE0, '[',  0xE9, '\\', 0xE7, ']',  0xEA, '^',  0xEE, '_',
                                      0xE8, '`',  0xF4, '{',  0xE4, '|',  0xF6, '}',  0xFC, '~',  0xFB, 0};

uint32_t pl_code_page_char(const uint16_t *high, const uint16_t *national, uint8_t byte)
{
    if (byte >= 0x80)
        return high && high[byte - 0x80] ? high[byte - 0x80] : 0xFFFD;
    for (const uint16_t *pair = national; pair && *pair; pair += 2)
        if (*pair == byte)
            return pair[1];
    return byte;
}

const struct pl_charset *pl_charset_find(const struct pl_charset *sets, size_t count, struct pl_slice name)
{
    for (size_t i = 0; i < count; i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(sets[i].name)))
            return &sets[i];
    return NULL;
}

uint32_t pl_charset_decode(const struct pl_charset *set, struct pl_slice bytes, uint32_t *out, uint32_t *bad)
{
    const uint16_t *high = pl_code_page(set->number);
    uint32_t n = 0;
    *bad = 0;
    if (set->pairs) {
        size_t wrong = 0, count = pl_double_byte_decode(set->pairs, bytes.ptr, bytes.len, out, &wrong);
        *bad = (uint32_t)wrong;
        return count == SIZE_MAX ? 0 : (uint32_t)count;
    }
    for (size_t at = 0; at < bytes.len;) {
        uint32_t c = set->utf8 ? pl_utf8_next(bytes, &at) : pl_code_page_char(high, set->national, bytes.ptr[at++]);
        if (c == PL_UTF8_BAD)
            c = 0xFFFD;
        *bad += c == 0xFFFD;
        out[n++] = c;
    }
    return n;
}
