// UTF-8 after the Unicode Standard's table 3-7 (well-formed byte sequences).
#include "base/utf8.h"

#include <string.h>

uint32_t pl_utf8_next(struct pl_slice s, size_t *pos)
{
    size_t i = *pos;
    uint8_t first = s.ptr[i];
    *pos = i + 1;
    if (first < 0x80)
        return first;
    unsigned more;
    uint32_t cp;
    uint8_t low = 0x80, high = 0xBF; // what the second byte may be
    if (first >= 0xC2 && first <= 0xDF) {
        more = 1;
        cp = first & 0x1Fu;
    } else if (first >= 0xE0 && first <= 0xEF) {
        more = 2;
        cp = first & 0x0Fu;
        if (first == 0xE0)
            low = 0xA0;
        if (first == 0xED)
            high = 0x9F;
    } else if (first >= 0xF0 && first <= 0xF4) {
        more = 3;
        cp = first & 0x07u;
        if (first == 0xF0)
            low = 0x90;
        if (first == 0xF4)
            high = 0x8F;
    } else {
        return PL_UTF8_BAD;
    }
    if (s.len - i <= more)
        return PL_UTF8_BAD;
    for (unsigned k = 1; k <= more; k++) {
        uint8_t c = s.ptr[i + k];
        if (c < low || c > high)
            return PL_UTF8_BAD;
        cp = cp << 6 | (c & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    *pos = i + 1 + more;
    return cp;
}

size_t pl_utf8_put(uint32_t cp, uint8_t out[4])
{
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = 0xFFFD;
    if (cp < 0x80) {
        out[0] = (uint8_t)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (uint8_t)(0xC0 | cp >> 6);
        out[1] = (uint8_t)(0x80 | (cp & 0x3F));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (uint8_t)(0xE0 | cp >> 12);
        out[1] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (cp & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | cp >> 18);
    out[1] = (uint8_t)(0x80 | (cp >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (cp & 0x3F));
    return 4;
}

bool pl_utf8_valid(struct pl_slice s)
{
    size_t i = 0;
    while (i < s.len) {
        // Eight ASCII bytes at a time: most input is.
        if (s.len - i >= 8) {
            uint64_t word;
            memcpy(&word, s.ptr + i, sizeof word);
            if ((word & UINT64_C(0x8080808080808080)) == 0) {
                i += 8;
                continue;
            }
        }
        if (pl_utf8_next(s, &i) == PL_UTF8_BAD)
            return false;
    }
    return true;
}

bool pl_is_ascii(struct pl_slice s)
{
    size_t i = 0;
    uint64_t all = 0, word;
    for (; i + sizeof word <= s.len; i += sizeof word) {
        memcpy(&word, s.ptr + i, sizeof word);
        all |= word;
    }
    for (; i < s.len; i++)
        all |= s.ptr[i];
    return (all & UINT64_C(0x8080808080808080)) == 0;
}

// A mark of four bytes, or one ASCII character in four.
static bool is_utf32(struct pl_slice text)
{
    const uint8_t *b = text.ptr;
    return text.len >= 4 &&
           (memcmp(b, "\xFF\xFE\0\0", 4) == 0 || memcmp(b, "\0\0\xFE\xFF", 4) == 0 ||
            (b[0] != 0 && memcmp(b + 1, "\0\0\0", 3) == 0) || (memcmp(b, "\0\0\0", 3) == 0 && b[3] != 0));
}

const char *pl_utf8_otherwise(struct pl_slice text)
{
    const uint8_t *b = text.ptr;
    if (is_utf32(text))
        return "UTF-32";
    if (pl_slice_has_at(text, 0, "\xFF\xFE") || pl_slice_has_at(text, 0, "\xFE\xFF"))
        return "UTF-16";
    bool halves =
        text.len >= 4 && ((b[0] == 0) != (b[1] == 0)) && ((b[2] == 0) != (b[3] == 0)) && (b[0] == 0) == (b[2] == 0);
    return halves ? "UTF-16" : NULL;
}
