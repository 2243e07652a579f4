// Field data on its way from bytes to characters: control codes, character sets, the escapes of blocks.
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

// The first byte that is a control code other than a tab.
static size_t find_control(struct pl_slice bytes)
{
    size_t i = 0;
    while (i < bytes.len && ((bytes.ptr[i] >= 0x20 && bytes.ptr[i] != 0x7F) || bytes.ptr[i] == '\t'))
        i++;
    return i;
}

static void note_ended_by(struct zpl *z, struct pl_source source, uint8_t c, size_t behind, bool in_block)
{
    if (behind > 0)
        pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, source, 0,
                    "A %s in the data ends the text, as on a printer; %zu byte%s behind it %s left out.%s",
                    c ? "line end" : "NUL", behind, behind > 1 ? "s" : "", behind > 1 ? "were" : "was",
                    in_block ? " \\& begins a new line." : "");
}

// What a control code becomes.
static uint8_t settled(uint8_t c, bool in_block, const struct zpl_charset *charset)
{
    if (c == '\r')
        return '\n';
    if (c == 0x01 && in_block)
        return ' ';
    // As wide as a space, and no place to break the line.
    return (c == 0x1B || c == 0x7F) && in_block && charset->set >= 27 ? '\t' : c;
}

// Control codes that ^FH brought into text (measured on a printer): line ends and NUL end it, but break the lines of
// ^TB, and ^FB leaves NUL out; ^FB makes a blank of SOH, and of ESC and DEL in the newer sets.
static enum pl_errc settle_controls(struct zpl *z, const struct zpl_charset *charset, enum pl_block_kind block,
                                    struct pl_source source, struct pl_slice *bytes)
{
    size_t i = find_control(*bytes);
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
            note_ended_by(z, source, c, bytes->len - i - 1, fb);
            break;
        }
        if (c == '\r' && i + 1 < bytes->len && bytes->ptr[i + 1] == '\n')
            continue; // one line end
        to[n++] = settled(c, fb, charset);
    }
    *bytes = pl_slice_make(to, n);
    return PL_OK;
}

static void decode_utf8(struct pl_slice s, struct char_out *out)
{
    uint32_t *to = out->chars + out->len;
    for (size_t at = 0; at < s.len;) {
        if (s.ptr[at] < 0x80) {
            *to++ = s.ptr[at++];
            continue;
        }
        uint32_t cp = pl_utf8_next(s, &at);
        out->bad += cp == PL_UTF8_BAD;
        *to++ = cp == PL_UTF8_BAD ? 0xFFFD : cp;
    }
    out->len = (uint32_t)(to - out->chars);
}

static uint32_t utf16_unit(const uint8_t *at, bool big)
{
    return big ? (uint32_t)(at[0] << 8 | at[1]) : (uint32_t)(at[1] << 8 | at[0]);
}

static void decode_utf16(struct pl_slice s, bool big, struct char_out *out)
{
    uint32_t *to = out->chars + out->len;
    size_t i = 0;
    for (; i + 1 < s.len; i += 2) {
        uint32_t u = utf16_unit(s.ptr + i, big);
        uint32_t v = u >= 0xD800 && u < 0xDC00 && i + 3 < s.len ? utf16_unit(s.ptr + i + 2, big) : 0;
        if (v >= 0xDC00 && v < 0xE000) {
            u = 0x10000 + ((u - 0xD800) << 10) + (v - 0xDC00);
            i += 2;
        }
        bool lone = u >= 0xD800 && u < 0xE000;
        out->bad += lone;
        *to++ = lone ? 0xFFFD : u;
    }
    out->bad += i < s.len;
    out->len = (uint32_t)(to - out->chars);
}

// By a table of ^SE. ^CI14 has pairs of bytes only; the others leave ASCII as it is.
static void decode_by_map(struct pl_slice s, const struct zpl_charset *charset, struct char_out *out)
{
    uint32_t *to = out->chars + out->len;
    bool ascii = charset->set != 14;
    for (size_t i = 0; i < s.len;) {
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
    case ZPL_CHARSET_UTF8:
        decode_utf8(s, out);
        break;
    case ZPL_CHARSET_UTF16BE:
    case ZPL_CHARSET_UTF16LE:
        decode_utf16(s, info->kind == ZPL_CHARSET_UTF16BE, out);
        break;
    case ZPL_CHARSET_DOUBLE_BYTE: {
        if (charset->map) {
            decode_by_map(s, charset, out);
            break;
        }
        size_t n = pl_double_byte_decode(info->double_byte, s.ptr, s.len, to, &out->bad);
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

void zpl_hint_at_utf8(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset, struct pl_source source)
{
    if (pl_is_ascii(bytes) || z->label.told_utf8 || zpl_charset_info(charset)->kind != ZPL_CHARSET_BYTES ||
        !pl_utf8_valid(bytes))
        return;
    z->label.told_utf8 = true;
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
    zpl_hint_at_utf8(z, bytes, charset, source);
    if (out.bad)
        pl_diag_add(z->diags, PL_DIAG_CHARSET_INVALID, source, 0,
                    "The data has %zu byte%s that mean%s nothing in the character set of ^CI%u.%s", out.bad,
                    out.bad == 1 ? "" : "s", out.bad == 1 ? "s" : "", charset->set,
                    info->kind == ZPL_CHARSET_UTF8 ? " Is the text really UTF-8?" : "");
    text->chars = out.chars;
    text->length = out.len;
    return PL_OK;
}
