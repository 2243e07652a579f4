// Escapes for terminals, XML, HTML, GitHub's commands and URIs.
#include "check_escape.h"

#include <string.h>

#include "base/fmt.h"
#include "base/utf8.h"

#define REPLACEMENT 0xFFFDu

// The next character that can be shown. C1 controls are orders to some terminals; U+FFFE and U+FFFF are not XML;
// characters that turn the direction of a line could disguise it.
static uint32_t next_shown(struct pl_slice text, size_t *at)
{
    uint32_t c = pl_utf8_next(text, at);
    if (c == '\n' || c == '\t' || c == '\r')
        return ' ';
    if (c == PL_UTF8_BAD || c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF ||
        (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069))
        return REPLACEMENT;
    return c;
}

static void put(struct pl_buf *out, uint32_t c)
{
    uint8_t bytes[4];
    pl_buf_append(out, bytes, pl_utf8_put(c, bytes));
}

void check_put_plain(struct pl_buf *out, const char *text)
{
    struct pl_slice s = pl_slice_cstr(text);
    for (size_t at = 0; at < s.len;)
        put(out, next_shown(s, &at));
}

void check_put_xml(struct pl_buf *out, const char *text)
{
    struct pl_slice s = pl_slice_cstr(text);
    for (size_t at = 0; at < s.len;) {
        uint32_t c = next_shown(s, &at);
        if (c == '&')
            pl_buf_append_cstr(out, "&amp;");
        else if (c == '<')
            pl_buf_append_cstr(out, "&lt;");
        else if (c == '>')
            pl_buf_append_cstr(out, "&gt;");
        else if (c == '"')
            pl_buf_append_cstr(out, "&quot;");
        else
            put(out, c);
    }
}

void check_put_github(struct pl_buf *out, const char *text, bool property)
{
    struct pl_slice s = pl_slice_cstr(text);
    for (size_t at = 0; at < s.len;) {
        uint32_t c = next_shown(s, &at);
        if (c == '%' || (property && (c == ':' || c == ',')))
            pl_buf_printf(out, "%%%02X", (unsigned)c);
        else
            put(out, c);
    }
}

void check_put_uri(struct pl_buf *out, const char *path)
{
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    if (path[0] == '/')
        pl_buf_append_cstr(out, "file://");
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    for (; *path; path++) {
        if (strchr(PLAIN, *path))
            pl_buf_append_byte(out, (uint8_t)*path);
        else
            pl_buf_printf(out, "%%%02X", (unsigned)(uint8_t)*path);
    }
}

void check_put_number(struct pl_buf *out, double value, unsigned decimals)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t len = pl_format_fixed(value, decimals, text);
    while (decimals > 0 && len > 1 && text[len - 1] == '0')
        len--;
    if (decimals > 0 && text[len - 1] == '.')
        len--;
    pl_buf_append(out, text, len);
}
