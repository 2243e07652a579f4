// Field data on its way from bytes to characters: control codes, character sets, the escapes of blocks.
#include "lang/zpl/fieldtext.h"

#include <string.h>

#include "base/utf8.h"
#include "lang/zpl/state.h"

#define SOFT_HYPHEN 0xAD    // in a block: a hyphen if the line ends there
#define SILENT_BREAK 0x200B // in a block: the line may end there

struct char_out {
    uint32_t *chars;
    uint32_t len;
    size_t bad;
};

// Control codes that ^FH brought into text (measured on a printer): line ends and NUL end it, but break the lines of
// ^TB, and ^FB leaves NUL out; ^FB makes a blank of SOH, and of ESC and DEL in the newer sets.
static enum pl_errc settle_controls(struct zpl *z, const struct zpl_charset *charset, enum pl_block_kind block,
                                    struct pl_source source, struct pl_slice *bytes)
{
    size_t i = 0;
    while (i < bytes->len && ((bytes->ptr[i] >= 0x20 && bytes->ptr[i] != 0x7F) || bytes->ptr[i] == '\t'))
        i++;
    if (i == bytes->len)
        return PL_OK;
    uint8_t *to = pl_arena_copy(z->arena, bytes->ptr, bytes->len);
    if (!to)
        return pl_fail_memory(z->err);
    bool fb = block == PL_BLOCK_LINES, tb = block == PL_BLOCK_BOX;
    size_t n = i;
    for (; i < bytes->len; i++) {
        uint8_t c = bytes->ptr[i];
        if (c == 0 && fb)
            continue;
        if (c == 0 || ((c == '\r' || c == '\n') && !tb)) {
            if (i + 1 < bytes->len)
                pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, source, 0,
                            "A %s in the data ends the text, as on a printer; %zu byte%s behind it %s left out.%s",
                            c ? "line end" : "NUL", bytes->len - i - 1, i + 2 < bytes->len ? "s" : "",
                            i + 2 < bytes->len ? "were" : "was", fb ? " \\& begins a new line." : "");
            break;
        }
        if (c == '\r' && i + 1 < bytes->len && bytes->ptr[i + 1] == '\n')
            continue; // one line end
        if (c == '\r')
            c = '\n';
        else if (c == 0x01 && fb)
            c = ' ';
        else if ((c == 0x1B || c == 0x7F) && fb && charset->set >= 27)
            c = '\t'; // as wide as a space, and no place to break the line
        to[n++] = c;
    }
    *bytes = pl_slice_make(to, n);
    return PL_OK;
}

// One piece of text between block escapes, by the character set.
static void decode(struct pl_slice s, const struct zpl_charset *charset, const struct zpl_charset_info *info,
                   const uint32_t *table, struct char_out *out)
{
    uint32_t *to = out->chars + out->len;
    switch (info->kind) {
    case ZPL_CHARSET_BYTES:
        for (size_t i = 0; i < s.len; i++) {
            to[i] = table[s.ptr[i]];
            out->bad += to[i] == 0xFFFD;
        }
        out->len += (uint32_t)s.len;
        break;
    case ZPL_CHARSET_UTF8: {
        size_t at = 0;
        while (at < s.len) {
            if (s.ptr[at] < 0x80) {
                *to++ = s.ptr[at++];
                continue;
            }
            uint32_t cp = pl_utf8_next(s, &at);
            if (cp == PL_UTF8_BAD) {
                out->bad++;
                cp = 0xFFFD;
            }
            *to++ = cp;
        }
        out->len = (uint32_t)(to - out->chars);
        break;
    }
    case ZPL_CHARSET_UTF16BE:
    case ZPL_CHARSET_UTF16LE: {
        bool big = info->kind == ZPL_CHARSET_UTF16BE;
        size_t i = 0;
        for (; i + 1 < s.len; i += 2) {
            uint32_t u = big ? (uint32_t)(s.ptr[i] << 8 | s.ptr[i + 1]) : (uint32_t)(s.ptr[i + 1] << 8 | s.ptr[i]);
            if (u >= 0xD800 && u < 0xDC00 && i + 3 < s.len) {
                uint32_t v =
                    big ? (uint32_t)(s.ptr[i + 2] << 8 | s.ptr[i + 3]) : (uint32_t)(s.ptr[i + 3] << 8 | s.ptr[i + 2]);
                if (v >= 0xDC00 && v < 0xE000) {
                    u = 0x10000 + ((u - 0xD800) << 10) + (v - 0xDC00);
                    i += 2;
                }
            }
            if (u >= 0xD800 && u < 0xE000) {
                u = 0xFFFD;
                out->bad++;
            }
            *to++ = u;
        }
        out->bad += i < s.len;
        out->len = (uint32_t)(to - out->chars);
        break;
    }
    case ZPL_CHARSET_DOUBLE_BYTE: {
        if (charset->map) {
            // ^CI14 has pairs of bytes only; the others leave ASCII as it is.
            bool ascii = charset->set != 14;
            size_t i = 0;
            while (i < s.len) {
                if (ascii && s.ptr[i] < 0x80) {
                    *to++ = s.ptr[i++];
                    continue;
                }
                if (i + 1 == s.len) {
                    out->bad++;
                    break;
                }
                uint16_t cp = charset->map[s.ptr[i] << 8 | s.ptr[i + 1]];
                out->bad += cp == 0;
                *to++ = cp ? cp : 0xFFFD;
                i += 2;
            }
            out->len = (uint32_t)(to - out->chars);
            break;
        }
        size_t n = zpl_double_byte_decode(info->double_byte, s.ptr, s.len, to, &out->bad);
        if (n == SIZE_MAX) {
            for (n = 0; n < s.len; n++)
                to[n] = s.ptr[n] < 0x80 ? s.ptr[n] : 0xFFFD;
            out->bad++;
        }
        out->len += (uint32_t)n;
        break;
    }
    }
}

// The same for a block, whose own marks are characters too: ^FB shows a soft hyphen that is data and takes a zero-width
// space for a space, ^TB leaves both out (measured on a printer).
static void decode_block(struct pl_slice s, const struct zpl_charset *charset, const struct zpl_charset_info *info,
                         const uint32_t *table, enum pl_block_kind block, struct char_out *out)
{
    uint32_t from = out->len, n = from;
    decode(s, charset, info, table, out);
    for (uint32_t i = from; i < out->len; i++) {
        uint32_t c = out->chars[i];
        if (c != SOFT_HYPHEN && c != SILENT_BREAK)
            out->chars[n++] = c;
        else if (block == PL_BLOCK_LINES)
            out->chars[n++] = c == SOFT_HYPHEN ? '-' : ' ';
    }
    out->len = n;
}

// The commonest mistake with character sets: UTF-8 text under the default set prints as two or three wrong letters
// each.
static void hint_at_utf8(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset,
                         struct pl_source source)
{
    bool high = false;
    for (size_t i = 0; i < bytes.len; i++)
        high |= bytes.ptr[i] >= 0x80;
    if (high && pl_utf8_valid(bytes))
        pl_diag_add(z->diags, PL_DIAG_CHARSET_SUSPECT, source, 0,
                    "The data looks like UTF-8, but the character set is ^CI%u. Is ^CI28 missing?", charset->set);
}

// ^FB: \& ends the line, \\ is a backslash, and a backslash with any other character is a place to break at.
static uint32_t block_escape(uint32_t behind)
{
    return behind == '&' ? 0x0A : behind == '\\' ? '\\' : behind == '(' ? SILENT_BREAK : SOFT_HYPHEN;
}

// Escapes of ^FB in a one-byte set are found on bytes, before the set turns a backslash into something else.
static void decode_escaped_bytes(struct pl_slice bytes, const struct zpl_charset *charset,
                                 const struct zpl_charset_info *info, const uint32_t *table, struct char_out *out)
{
    size_t from = 0;
    for (const uint8_t *at; from < bytes.len && (at = memchr(bytes.ptr + from, '\\', bytes.len - from));) {
        size_t i = (size_t)(at - bytes.ptr);
        if (i + 1 == bytes.len)
            break;
        decode_block(pl_slice_sub(bytes, from, i - from), charset, info, table, PL_BLOCK_LINES, out);
        out->chars[out->len++] = block_escape(bytes.ptr[i + 1]);
        from = i + 2;
    }
    decode_block(pl_slice_sub(bytes, from, bytes.len), charset, info, table, PL_BLOCK_LINES, out);
}

// In the other sets on characters: the second byte of one may look like a backslash.
static void unescape_fb(struct char_out *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->len; i++) {
        if (out->chars[i] == '\\' && i + 1 < out->len)
            out->chars[n++] = block_escape(out->chars[++i]);
        else
            out->chars[n++] = out->chars[i];
    }
    out->len = n;
}

// In ^TB <<> is a < and any other <…> is left out; one without an end takes all the rest with it.
static void unescape_tb(struct char_out *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->len; i++) {
        if (out->chars[i] != '<') {
            out->chars[n++] = out->chars[i];
            continue;
        }
        uint32_t close = i + 1;
        while (close < out->len && out->chars[close] != '>')
            close++;
        if (close == i + 2 && close < out->len && out->chars[i + 1] == '<')
            out->chars[n++] = '<';
        i = close;
    }
    out->len = n;
}

enum pl_errc zpl_text_chars(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset,
                            enum pl_block_kind block, struct pl_source source, struct pl_text *text)
{
    const struct zpl_charset_info *info = zpl_charset_info(charset);
    struct char_out out = {0};
    out.chars = PL_ARENA_ARRAY(z->arena, uint32_t, bytes.len + 1);
    if (!out.chars)
        return pl_fail_memory(z->err);
    const uint32_t *table = z->char_table;
    if (info->kind == ZPL_CHARSET_BYTES &&
        (!z->has_char_table || z->char_table_of.set != charset->set || z->char_table_of.remap != charset->remap)) {
        zpl_charset_table(charset, z->char_table);
        z->char_table_of = *charset;
        z->has_char_table = true;
    }
    bool wide = info->kind == ZPL_CHARSET_UTF16BE || info->kind == ZPL_CHARSET_UTF16LE;
    if (!wide && !charset->map)
        PL_TRY(settle_controls(z, charset, block, source, &bytes));
    if (block == PL_BLOCK_NONE) {
        decode(bytes, charset, info, table, &out);
    } else if (block == PL_BLOCK_LINES && info->kind == ZPL_CHARSET_BYTES) {
        decode_escaped_bytes(bytes, charset, info, table, &out);
    } else {
        decode_block(bytes, charset, info, table, block, &out);
        if (block == PL_BLOCK_LINES)
            unescape_fb(&out);
        else
            unescape_tb(&out);
    }
    text->shows_cents = z->profile->backslash_is_cent && charset->set == 28;
    if (info->kind == ZPL_CHARSET_BYTES)
        hint_at_utf8(z, bytes, charset, source);
    if (out.bad)
        pl_diag_add(z->diags, PL_DIAG_CHARSET_INVALID, source, 0,
                    "The data has %zu byte%s that mean%s nothing in the character set of ^CI%u.%s", out.bad,
                    out.bad == 1 ? "" : "s", out.bad == 1 ? "s" : "", charset->set,
                    info->kind == ZPL_CHARSET_UTF8 ? " Is the text really UTF-8?" : "");
    text->chars = out.chars;
    text->length = out.len;
    return PL_OK;
}
