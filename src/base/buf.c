// The growing buffer.
#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/json_plain.h"
#include "base/utf8.h"
#include "os/locale.h"

void pl_buf_init(struct pl_buf *buf, size_t max)
{
    *buf = (struct pl_buf){.max = max};
}

void pl_buf_fini(struct pl_buf *buf)
{
    free(buf->data);
    *buf = (struct pl_buf){.max = buf->max};
}

void pl_buf_clear(struct pl_buf *buf)
{
    buf->len = 0;
    buf->failed = buf->short_of_memory = false;
}

uint8_t *pl_buf_reserve(struct pl_buf *buf, size_t more)
{
    assert(buf->len <= buf->cap && (buf->data || buf->cap == 0));
    if (buf->failed)
        return NULL;
    if (buf->cap - buf->len >= more && buf->data)
        return buf->data + buf->len;
    size_t need;
    if (!PL_CKD_ADD(&need, buf->len, more) || need > buf->max) {
        buf->failed = true;
        return NULL;
    }
    size_t cap = buf->cap < 256 ? 256 : buf->cap;
    while (cap < need)
        cap = cap > buf->max / 2 ? buf->max : cap * 2;
    if (cap > buf->max)
        cap = buf->max;
    if (cap < need)
        cap = need;
    uint8_t *data = realloc(buf->data, cap ? cap : 1);
    if (!data) {
        buf->failed = buf->short_of_memory = true;
        return NULL;
    }
    buf->data = data;
    buf->cap = cap;
    return buf->data + buf->len;
}

void pl_buf_append(struct pl_buf *buf, const void *data, size_t len)
{
    if (len == 0)
        return;
    uint8_t *at = pl_buf_reserve(buf, len);
    if (!at)
        return;
    memcpy(at, data, len);
    buf->len += len;
}

void pl_buf_append_slice(struct pl_buf *buf, struct pl_slice s)
{
    pl_buf_append(buf, s.ptr, s.len);
}

void pl_buf_append_cstr(struct pl_buf *buf, const char *text)
{
    pl_buf_append(buf, text, strlen(text));
}

void pl_buf_append_byte(struct pl_buf *buf, uint8_t byte)
{
    pl_buf_append(buf, &byte, 1);
}

void pl_buf_append_be32(struct pl_buf *buf, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    pl_buf_append(buf, bytes, sizeof bytes);
}

void pl_buf_append_u64(struct pl_buf *buf, uint64_t value)
{
    char text[PL_FMT_DOUBLE_MAX];
    pl_buf_append(buf, text, pl_format_u64(value, text));
}

void pl_buf_append_i64(struct pl_buf *buf, int64_t value)
{
    if (value < 0) {
        pl_buf_append_byte(buf, '-');
        pl_buf_append_u64(buf, -(uint64_t)value);
    } else {
        pl_buf_append_u64(buf, (uint64_t)value);
    }
}

void pl_buf_append_double(struct pl_buf *buf, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    pl_buf_append(buf, text, pl_format_double(value, text));
}

void pl_buf_append_fixed(struct pl_buf *buf, double value, unsigned decimals)
{
    char text[PL_FMT_DOUBLE_MAX];
    pl_buf_append(buf, text, pl_format_fixed(value, decimals, text));
}

void pl_buf_printf(struct pl_buf *buf, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    va_list again;
    va_copy(again, args);
    // Into the room that is there; most texts fit.
    size_t room = buf->failed || !buf->data ? 0 : buf->cap - buf->len;
    int length = pl_os_vsnprintf(room > 0 ? (char *)buf->data + buf->len : NULL, room, fmt, args);
    if (length < 0) {
        buf->failed = true;
    } else if ((size_t)length < room) {
        buf->len += (size_t)length;
    } else {
        char *at = (char *)pl_buf_reserve(buf, (size_t)length + 1);
        if (at && pl_os_vsnprintf(at, (size_t)length + 1, fmt, again) == length)
            buf->len += (size_t)length;
    }
    va_end(again);
    va_end(args);
}

static void append_escape(struct pl_buf *buf, uint32_t cp)
{
    static const char hex[] = "0123456789abcdef";
    char text[6] = {'\\', 'u', hex[cp >> 12 & 15], hex[cp >> 8 & 15], hex[cp >> 4 & 15], hex[cp & 15]};
    pl_buf_append(buf, text, sizeof text);
}

// The end of the run of bytes that need no change.
static size_t plain_end(struct pl_slice s, size_t from)
{
    while (from + 8 <= s.len && pl_json_plain8(s.ptr + from))
        from += 8;
    while (from < s.len && pl_json_plain(s.ptr[from]))
        from++;
    return from;
}

static void append_quoted(struct pl_buf *buf, struct pl_slice plain)
{
    uint8_t *at = pl_buf_reserve(buf, plain.len + 2);
    if (!at)
        return;
    at[0] = '"';
    if (plain.len > 0)
        memcpy(at + 1, plain.ptr, plain.len);
    at[plain.len + 1] = '"';
    buf->len += plain.len + 2;
}

void pl_buf_append_json_string(struct pl_buf *buf, struct pl_slice s)
{
    size_t i = plain_end(s, 0);
    if (i == s.len) {
        append_quoted(buf, s);
        return;
    }
    size_t plain = 0; // start of the run that needs no change
    pl_buf_append_byte(buf, '"');
    while (i < s.len) {
        if (pl_json_plain(s.ptr[i])) {
            i = plain_end(s, i);
            continue;
        }
        size_t at = i;
        uint32_t cp = pl_utf8_next(s, &i);
        if (cp >= 0x80 && cp != PL_UTF8_BAD)
            continue;
        pl_buf_append(buf, s.ptr + plain, at - plain);
        plain = i;
        switch (cp) {
        case '"':
            pl_buf_append_cstr(buf, "\\\"");
            break;
        case '\\':
            pl_buf_append_cstr(buf, "\\\\");
            break;
        case '\n':
            pl_buf_append_cstr(buf, "\\n");
            break;
        case '\r':
            pl_buf_append_cstr(buf, "\\r");
            break;
        case '\t':
            pl_buf_append_cstr(buf, "\\t");
            break;
        case PL_UTF8_BAD:
            pl_buf_append_cstr(buf, "\xEF\xBF\xBD");
            break;
        default:
            append_escape(buf, cp);
        }
    }
    if (plain < s.len) // an empty slice may have no pointer
        pl_buf_append(buf, s.ptr + plain, s.len - plain);
    pl_buf_append_byte(buf, '"');
}

enum pl_errc pl_buf_check(const struct pl_buf *buf, struct pl_error *err)
{
    if (!buf->failed)
        return PL_OK;
    if (buf->short_of_memory)
        return pl_fail(err, PL_E_MEMORY, "no memory for more than %zu bytes of output", buf->len);
    return pl_fail(err, PL_E_LIMIT, "the output would be larger than %zu bytes", buf->max);
}

enum pl_errc pl_buf_terminate(struct pl_buf *buf, struct pl_error *err)
{
    uint8_t *end = pl_buf_reserve(buf, 1);
    if (end)
        *end = 0;
    return pl_buf_check(buf, err);
}
