// Field data on its way to characters: line ends, ^FH, ^FE, ^FC on bytes; block escapes and the character set on text.
#include "base/fmt.h"
#include "base/utf8.h"
#include "zpl/charset.h"
#include "zpl/clock.h"
#include "zpl/interp.h"

// A growing run of bytes in the arena, cut at the limit of a field's data.
struct bytes {
    uint8_t *ptr;
    size_t len, capacity;
    bool cut;
};

static enum pl_errc append(struct zpl *z, struct bytes *b, struct pl_slice s)
{
    if (s.len > ZPL_MAX_DATA - b->len) {
        b->cut = true;
        s.len = ZPL_MAX_DATA - b->len;
    }
    if (s.len > b->capacity - b->len) {
        size_t capacity = PL_MAX(b->capacity * 2, b->len + s.len + 64);
        uint8_t *grown = pl_arena_alloc(z->arena, capacity, 1);
        if (!grown)
            return pl_fail_memory(z->err);
        if (b->len)
            memcpy(grown, b->ptr, b->len);
        b->ptr = grown;
        b->capacity = capacity;
    }
    if (s.len)
        memcpy(b->ptr + b->len, s.ptr, s.len);
    b->len += s.len;
    return PL_OK;
}

// CR and LF in the stream are no data; ^FH turns an indicator and two hex digits into a byte.
static enum pl_errc strip_and_unhex(struct zpl *z, struct pl_slice in, uint8_t hex, struct pl_slice *out)
{
    bool breaks = memchr(in.ptr, '\n', in.len) || memchr(in.ptr, '\r', in.len);
    bool coded = hex && memchr(in.ptr, hex, in.len);
    if (!breaks && !coded) {
        *out = in;
        return PL_OK;
    }
    uint8_t *to = pl_arena_alloc(z->arena, in.len, 1);
    if (!to)
        return pl_fail_memory(z->err);
    size_t n = 0;
    for (size_t i = 0; i < in.len; i++) {
        uint8_t c = in.ptr[i];
        if (c == '\n' || c == '\r')
            continue;
        if (coded && c == hex && in.len - i > 2) {
            int high = pl_hex_value(in.ptr[i + 1]), low = pl_hex_value(in.ptr[i + 2]);
            if (high >= 0 && low >= 0) {
                c = (uint8_t)(high << 4 | low);
                i += 2;
            }
        }
        to[n++] = c;
    }
    *out = pl_slice_make(to, n);
    return PL_OK;
}

// A whole number with sign at *at; false: there is none.
static bool read_int(struct pl_slice s, size_t *at, int32_t *out)
{
    size_t i = *at;
    bool negative = i < s.len && s.ptr[i] == '-';
    i += negative;
    int32_t v = 0;
    size_t from = i;
    for (; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++)
        v = v > 100000 ? v : v * 10 + (s.ptr[i] - '0');
    if (i == from)
        return false;
    *at = i;
    *out = negative ? -v : v;
    return true;
}

// ^FE: #n# is the data of ^FNn, #n,a,x,y# a part of it: a is F or B (counted from the front or the back), x the start
// from 1, y the length (negative or missing: to the end).
static enum pl_errc embed(struct zpl *z, struct pl_slice in, uint8_t mark, struct bytes *out)
{
    for (size_t i = 0; i < in.len; i++) {
        size_t at = i + 1;
        int32_t number = 0, start = 1, length = -1;
        bool from_back = false;
        bool ok = in.ptr[i] == mark && read_int(in, &at, &number) && number >= 0;
        if (ok && at + 1 < in.len && in.ptr[at] == ',' && (in.ptr[at + 1] | 32) >= 'a') {
            from_back = (in.ptr[at + 1] | 32) == 'b';
            at += 2;
        }
        if (ok && at < in.len && in.ptr[at] == ',') {
            at++;
            ok = read_int(in, &at, &start);
        }
        if (ok && at < in.len && in.ptr[at] == ',') {
            at++;
            ok = read_int(in, &at, &length);
        }
        if (!ok || at >= in.len || in.ptr[at] != mark) {
            PL_TRY(append(z, out, pl_slice_sub(in, i, 1)));
            continue;
        }
        i = at;
        const struct zpl_number *n = zpl_number_find(z, number);
        if (!n || !n->first)
            continue;
        struct pl_slice data;
        PL_TRY(strip_and_unhex(z, n->first->data, n->first->hex, &data));
        size_t skip = start > 0 ? (size_t)start - 1 : 0;
        if (from_back)
            skip = (size_t)PL_MAX(start, 1) <= data.len ? data.len - (size_t)PL_MAX(start, 1) : 0;
        PL_TRY(append(z, out, pl_slice_sub(data, skip, length < 0 ? data.len : (size_t)length)));
    }
    return PL_OK;
}

static enum pl_errc put_clock(struct zpl *z, struct pl_slice in, const uint8_t marks[3], struct bytes *out)
{
    size_t from = 0;
    for (size_t i = 0; i + 1 < in.len; i++) {
        uint8_t c = in.ptr[i];
        int which = !c ? -1 : c == marks[0] ? 0 : c == marks[1] ? 1 : c == marks[2] ? 2 : -1;
        if (which < 0)
            continue;
        char text[32];
        size_t len = zpl_clock_code(z, (unsigned)which, (char)in.ptr[i + 1], text, sizeof(text));
        if (len == 0)
            continue;
        PL_TRY(append(z, out, pl_slice_sub(in, from, i - from)));
        PL_TRY(append(z, out, pl_slice_make(text, len)));
        i++;
        from = i + 1;
    }
    return append(z, out, pl_slice_sub(in, from, in.len));
}

enum pl_errc zpl_data_bytes(struct zpl *z, const struct zpl_pending *p, struct pl_slice *out)
{
    struct pl_slice data = p->data;
    bool cut = data.len > ZPL_MAX_DATA;
    if (cut)
        data.len = ZPL_MAX_DATA;
    PL_TRY(strip_and_unhex(z, data, p->hex, &data));
    if (p->embed && memchr(data.ptr, p->embed, data.len)) {
        struct bytes b = {0};
        PL_TRY(embed(z, data, p->embed, &b));
        data = pl_slice_make(b.ptr, b.len);
        cut = cut || b.cut;
    }
    if (p->clock[0]) {
        struct bytes b = {0};
        PL_TRY(put_clock(z, data, p->clock, &b));
        data = pl_slice_make(b.ptr, b.len);
        cut = cut || b.cut;
    }
    if (cut)
        pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, pl_element_data_source(p->element), 0,
                    "The field has more than %u bytes of data; the rest was left out.", ZPL_MAX_DATA);
    *out = data;
    return PL_OK;
}

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
    bool fb = block == PL_BLOCK_FB, tb = block == PL_BLOCK_TB;
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
    case ZPL_CHARSET_ICONV: {
        if (charset->map) {
            size_t i = 0;
            for (; i + 1 < s.len; i += 2) {
                uint16_t cp = charset->map[s.ptr[i] << 8 | s.ptr[i + 1]];
                out->bad += cp == 0;
                *to++ = cp ? cp : 0xFFFD;
            }
            out->bad += i < s.len;
            out->len = (uint32_t)(to - out->chars);
            break;
        }
        size_t n = zpl_iconv_decode(info->iconv_name, s, to, &out->bad);
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
        else if (block == PL_BLOCK_FB)
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

enum pl_errc zpl_text_chars(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset,
                            enum pl_block_kind block, struct pl_source source, struct pl_text *text)
{
    const struct zpl_charset_info *info = zpl_charset_info(charset->set);
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
    if (block == PL_BLOCK_FB && !wide && memchr(bytes.ptr, '\\', bytes.len)) {
        // Escapes are found on bytes, before the character set turns a backslash into something else.
        size_t from = 0, i = 0;
        while (i < bytes.len) {
            if (bytes.ptr[i] != '\\' || i + 1 == bytes.len) {
                i++;
                continue;
            }
            decode_block(pl_slice_sub(bytes, from, i - from), charset, info, table, block, &out);
            uint8_t c = bytes.ptr[i + 1];
            out.chars[out.len++] = c == '&' ? 0x0A : c == '\\' ? '\\' : c == '(' ? SILENT_BREAK : SOFT_HYPHEN;
            i++;
            // The character behind the backslash is gone, all bytes of it.
            if (info->kind == ZPL_CHARSET_UTF8)
                (void)pl_utf8_next(bytes, &i);
            else
                i++;
            from = i;
        }
        decode_block(pl_slice_sub(bytes, from, bytes.len), charset, info, table, block, &out);
    } else if (block == PL_BLOCK_TB && !wide && memchr(bytes.ptr, '<', bytes.len)) {
        // In a text block <<> is a < and any other <…> is left out; one without an end takes all the rest with it.
        size_t at = 0;
        while (at < bytes.len) {
            const uint8_t *open = memchr(bytes.ptr + at, '<', bytes.len - at);
            size_t end = open ? (size_t)(open - bytes.ptr) : bytes.len;
            decode_block(pl_slice_sub(bytes, at, end - at), charset, info, table, block, &out);
            const uint8_t *close = open ? memchr(open, '>', bytes.len - end) : NULL;
            if (close && close - open == 2 && open[1] == '<')
                out.chars[out.len++] = '<';
            at = close ? (size_t)(close - bytes.ptr) + 1 : bytes.len;
        }
    } else if (block != PL_BLOCK_NONE) {
        decode_block(bytes, charset, info, table, block, &out);
    } else {
        decode(bytes, charset, info, table, &out);
    }
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
