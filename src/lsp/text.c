// Lines and positions of a text that is edited.
#include "lsp/text.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "base/utf8.h"

void lsp_text_init(struct lsp_text *text)
{
    *text = (struct lsp_text){.ascii = true};
    pl_buf_init(&text->bytes, LSP_TEXT_MAX);
}

void lsp_text_fini(struct lsp_text *text)
{
    pl_buf_fini(&text->bytes);
    free(text->lines);
}

bool lsp_grow(void **items, uint32_t *capacity, uint32_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    uint32_t wanted = PL_MAX(needed, *capacity * 2);
    void *grown = realloc(*items, wanted * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

static bool add_line(struct lsp_text *text, size_t start)
{
    if (!lsp_grow((void **)&text->lines, &text->line_capacity, PL_MAX(text->line_count + 1, 64u), sizeof *text->lines))
        return false;
    text->lines[text->line_count++] = (uint32_t)start;
    return true;
}

// LF, CR and CR LF end a line.
bool lsp_text_find_lines(struct lsp_text *text)
{
    struct pl_slice s = lsp_text_slice(text);
    bool has_cr = s.len > 0 && memchr(s.ptr, '\r', s.len);
    text->line_count = 0;
    text->ascii = pl_is_ascii(s);
    if (!add_line(text, 0))
        return false;
    for (size_t at = 0; at < s.len;) {
        const uint8_t *feed = memchr(s.ptr + at, '\n', s.len - at);
        const size_t end = feed ? (size_t)(feed - s.ptr) : s.len;
        while (has_cr && at < end) {
            const uint8_t *found = memchr(s.ptr + at, '\r', end - at);
            at = found ? (size_t)(found - s.ptr) + 1 : end;
            if (found && at < end + !feed && !add_line(text, at)) // before a line feed it is no end by itself
                return false;
        }
        at = end + 1;
        if (feed && !add_line(text, at))
            return false;
    }
    return true;
}

bool lsp_text_set(struct lsp_text *text, struct pl_slice with)
{
    if (with.len > LSP_TEXT_MAX)
        return false;
    pl_buf_clear(&text->bytes);
    text->same_head = text->same_tail = 0;
    pl_buf_append_slice(&text->bytes, with);
    return !text->bytes.failed && lsp_text_find_lines(text);
}

size_t lsp_text_line_end(const struct lsp_text *text, uint32_t line)
{
    struct pl_slice s = lsp_text_slice(text);
    size_t end = line + 1 < text->line_count ? text->lines[line + 1] : s.len, start = text->lines[line];
    if (line + 1 < text->line_count) {
        end--;
        if (end > start && s.ptr[end] == '\n' && s.ptr[end - 1] == '\r')
            end--;
    }
    return end;
}

uint32_t lsp_text_units(struct pl_slice s, enum lsp_encoding encoding, size_t *pos)
{
    size_t from = *pos;
    uint32_t c = pl_utf8_next(s, pos);
    if (encoding == LSP_UTF8)
        return (uint32_t)(*pos - from);
    return c != PL_UTF8_BAD && c > 0xFFFF ? 2 : 1;
}

size_t lsp_text_offset(const struct lsp_text *text, enum lsp_encoding encoding, struct lsp_position position)
{
    struct pl_slice s = lsp_text_slice(text);
    if (position.line >= text->line_count)
        return s.len;
    size_t at = text->lines[position.line], end = lsp_text_line_end(text, position.line);
    if (text->ascii)
        return PL_MIN(at + position.character, end);
    for (uint32_t left = position.character; left > 0 && at < end;) {
        size_t next = at;
        uint32_t width = lsp_text_units(s, encoding, &next);
        if (width > left)
            break;
        left -= width;
        at = next;
    }
    return at;
}

uint32_t lsp_text_line(const struct lsp_text *text, size_t offset)
{
    uint32_t low = 0, high = text->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (text->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t lsp_text_line_near(const struct lsp_text *text, size_t offset, uint32_t line)
{
    if (offset < text->lines[line])
        return lsp_text_line(text, offset);
    for (unsigned steps = 0; steps < 16; steps++, line++) {
        if (line + 1 == text->line_count || offset < text->lines[line + 1])
            return line;
    }
    return lsp_text_line(text, offset);
}

struct lsp_cursor lsp_cursor_make(const struct lsp_text *text, enum lsp_encoding encoding)
{
    return (struct lsp_cursor){.text = text, .encoding = encoding};
}

struct lsp_position lsp_cursor_at(struct lsp_cursor *c, size_t offset)
{
    const struct lsp_text *text = c->text;
    struct pl_slice s = lsp_text_slice(text);
    offset = PL_MIN(offset, s.len);
    bool same =
        offset >= c->offset && (c->position.line + 1 >= text->line_count || offset < text->lines[c->position.line + 1]);
    if (!same) {
        uint32_t line = lsp_text_line_near(text, offset, c->position.line);
        c->position = (struct lsp_position){line, 0};
        c->offset = text->lines[line];
    }
    if (text->ascii) {
        c->position.character += (uint32_t)(offset - c->offset);
        c->offset = offset;
    }
    while (c->offset < offset) {
        size_t next = c->offset;
        uint32_t width = lsp_text_units(s, c->encoding, &next);
        if (next > offset)
            break;
        c->position.character += width;
        c->offset = next;
    }
    return c->position;
}

struct lsp_range lsp_cursor_range(struct lsp_cursor *cursor, size_t from, size_t to)
{
    struct lsp_position start = lsp_cursor_at(cursor, from);
    return (struct lsp_range){start, lsp_cursor_at(cursor, to)};
}
