// Bytes of text to characters: code pages, national signs, Chinese sets.
#include "base/utf8.h"
#include "lang/code_pages.h"
#include "lang/double_byte.h"
#include "lang/epl/state.h"

// I7: what the signs #$@[\]^`{|}~ are in other countries; 0: themselves.
static const char SIGNS[] = "#$@[\\]^`{|}~";

static const uint16_t NATIONAL[9][sizeof SIGNS - 1] = {
    {0},
    {0xA3},
    {0, 0, 0xA7, 0xC4, 0xD6, 0xDC, 0, 0, 0xE4, 0xF6, 0xFC, 0xDF},
    {0xA3, 0, 0xE0, 0xB0, 0xE7, 0xA7, 0, 0xB5, 0xE9, 0xF9, 0xE8, 0xA8},
    {0, 0, 0, 0xC6, 0xD8, 0xC5, 0, 0, 0xE6, 0xF8, 0xE5, 0},
    {0xA3, 0, 0xA7, 0xB0, 0xE7, 0xE9, 0, 0xF9, 0xE0, 0xF2, 0xE8, 0xEC},
    {0xA3, 0, 0xA7, 0xA1, 0xD1, 0xBF, 0, 0, 0xB0, 0xF1, 0xE7, 0},
    {0, 0xA4, 0xC9, 0xC4, 0xD6, 0xC5, 0xDC, 0xE9, 0xE4, 0xF6, 0xE5, 0xFC},
    {0xF9, 0, 0xE0, 0xE9, 0xE7, 0xEA, 0xEE, 0xF4, 0xE4, 0xF6, 0xFC, 0xFB},
};

static uint32_t character(const struct epl_settings *s, const uint16_t *high, uint8_t byte)
{
    if (byte >= 0x80)
        return high && !s->seven_bits && high[byte - 0x80] ? high[byte - 0x80] : 0xFFFD;
    if (s->seven_bits && s->country > 0 && byte) {
        const char *at = strchr(SIGNS, byte);
        uint16_t other = at ? NATIONAL[s->country][at - SIGNS] : 0;
        return other ? other : byte;
    }
    return byte;
}

// Bytes are never UTF-8 on these printers; who sends it is told so once.
static void note_utf8(struct epl *e, struct pl_slice bytes, struct pl_source source)
{
    if (pl_is_ascii(bytes) || e->told_utf8 || !pl_utf8_valid(bytes))
        return;
    e->told_utf8 = true;
    pl_diag_add(e->diags, PL_DIAG_CHARSET_SUSPECT, source, 0,
                "%s: the data looks like UTF-8, which EPL2 does not have; it was read as code page %u.", source.command,
                e->settings.code_page);
}

enum pl_errc epl_text_chars(struct epl *e, const struct epl_settings *settings, struct pl_slice bytes,
                            struct pl_source source, struct pl_text *text)
{
    uint32_t *chars = PL_ARENA_ARRAY(e->arena, uint32_t, bytes.len ? bytes.len : 1);
    if (!chars)
        return pl_fail_memory(e->err);
    const uint16_t *high = pl_code_page(settings->code_page);
    uint32_t n = 0;
    if (epl_has_pairs(settings)) {
        size_t wrong = 0, count = pl_double_byte_decode(settings->code_page == EPL_BIG5 ? &pl_big5 : &pl_gb18030,
                                                        bytes.ptr, bytes.len, chars, &wrong);
        if (wrong)
            pl_diag_add(e->diags, PL_DIAG_CHARSET_INVALID, source, 0,
                        "A: bytes that mean nothing in the Chinese set of the font: %zu.", wrong);
        for (size_t i = 0; count != SIZE_MAX && i < count; i++)
            if (chars[i] >= 0x20)
                chars[n++] = chars[i];
        text->chars = chars;
        text->length = n;
        return PL_OK;
    }
    for (size_t i = 0; i < bytes.len; i++) {
        if (text->font.file) // a soft font has its own places
            chars[n++] = bytes.ptr[i];
        else if (bytes.ptr[i] >= 0x20)
            chars[n++] = character(settings, high, bytes.ptr[i]);
    }
    if (!text->font.file)
        note_utf8(e, bytes, source);
    text->chars = chars;
    text->length = n;
    return PL_OK;
}
