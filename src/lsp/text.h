// The text of a document as editors count it: lines, and characters of a line in units of UTF-16 or UTF-8.
#ifndef LSP_TEXT_H
#define LSP_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define LSP_TEXT_MAX ((size_t)64 << 20)

enum lsp_encoding { LSP_UTF16, LSP_UTF8 };

struct lsp_position {
    uint32_t line, character; // from 0
};

struct lsp_range {
    struct lsp_position start, end;
};

struct lsp_text {
    struct pl_buf bytes;
    uint32_t *lines; // where each begins; at least one
    uint32_t line_count, line_capacity;
    bool ascii; // all units are bytes
    // So many bytes at the beginning and at the end are the same as when lsp_document_read looked at them.
    size_t same_head, same_tail;
};

// Room for `needed` items of an array that at least doubles when it grows. False: no memory, and it is as it was.
bool lsp_grow(void **items, uint32_t *capacity, uint32_t needed, size_t size) PL_MUST_USE;

void lsp_text_init(struct lsp_text *text);
void lsp_text_fini(struct lsp_text *text);
// The text becomes `with`. False: it is too long, or there is no memory.
bool lsp_text_set(struct lsp_text *text, struct pl_slice with) PL_MUST_USE;
// After the bytes were changed: lsp/changes.h.
bool lsp_text_find_lines(struct lsp_text *text) PL_MUST_USE;
// How many units a character takes; *pos moves behind it. A byte that is no UTF-8 is one.
uint32_t lsp_text_units(struct pl_slice s, enum lsp_encoding encoding, size_t *pos);

static inline struct pl_slice lsp_text_slice(const struct lsp_text *text)
{
    return pl_buf_slice(&text->bytes);
}

// A position beyond its line is the line's end, one beyond the text its end; inside of a character it is its beginning.
size_t lsp_text_offset(const struct lsp_text *text, enum lsp_encoding encoding, struct lsp_position position);
uint32_t lsp_text_line(const struct lsp_text *text, size_t offset);
// The same, quicker where it is a few lines behind `line`.
uint32_t lsp_text_line_near(const struct lsp_text *text, size_t offset, uint32_t line);
// Where the line ends, without its end.
size_t lsp_text_line_end(const struct lsp_text *text, uint32_t line);

// From offsets to positions. Offsets that do not go back cost what lies between them, however long the lines are.
struct lsp_cursor {
    const struct lsp_text *text;
    enum lsp_encoding encoding;
    size_t offset;
    struct lsp_position position;
};
struct lsp_cursor lsp_cursor_make(const struct lsp_text *text, enum lsp_encoding encoding);
struct lsp_position lsp_cursor_at(struct lsp_cursor *cursor, size_t offset);
struct lsp_range lsp_cursor_range(struct lsp_cursor *cursor, size_t from, size_t to);

#endif
