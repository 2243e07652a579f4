// A text with a gap that goes from change to change.
#include "lsp/changes.h"

#include "base/ckd.h"

#define GAP_BYTES 65536u

void lsp_changes_begin(struct lsp_changes *c, struct lsp_text *text, enum lsp_encoding encoding)
{
    *c = (struct lsp_changes){.text = text, .encoding = encoding, .end = text->bytes.len, .is_first = true};
}

static struct pl_slice behind(const struct lsp_changes *c)
{
    return pl_slice_make(c->text->bytes.data + c->right, c->end - c->right);
}

static bool is_before(struct lsp_position a, struct lsp_position b)
{
    return a.line != b.line ? a.line < b.line : a.character < b.character;
}

static bool ends_line(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

// How many bytes of `s` lie between *at, where it begins, and a position; *at goes there. A position beyond a line's
// end is that end.
static size_t walk(struct pl_slice s, enum lsp_encoding encoding, struct lsp_position to, struct lsp_position *at)
{
    size_t pos = 0;
    while (pos < s.len && is_before(*at, to)) {
        size_t next = pos;
        if (ends_line(s.ptr[pos])) {
            if (at->line == to.line)
                break;
            pos += s.ptr[pos] == '\r' && pos + 1 < s.len && s.ptr[pos + 1] == '\n' ? 2 : 1;
            *at = (struct lsp_position){at->line + 1, 0};
            continue;
        }
        uint32_t width = lsp_text_units(s, encoding, &next);
        if (at->line == to.line && at->character + width > to.character)
            break;
        at->character += width;
        pos = next;
    }
    return pos;
}

static void go_forward(struct lsp_changes *c, size_t bytes)
{
    uint8_t *data = c->text->bytes.data;
    if (bytes > 0)
        memmove(data + c->left, data + c->right, bytes);
    c->left += bytes;
    c->right += bytes;
}

static void go_back(struct lsp_changes *c, size_t bytes)
{
    uint8_t *data = c->text->bytes.data;
    c->left -= bytes;
    c->right -= bytes;
    if (bytes > 0)
        memmove(data + c->right, data + c->left, bytes);
}

// The character that ends at `end`: its bytes, and its units.
static size_t last_character(struct pl_slice s, enum lsp_encoding encoding, size_t end, uint32_t *width)
{
    for (size_t bytes = 2; s.ptr[end - 1] >= 0x80 && bytes <= 4 && bytes <= end; bytes++) {
        size_t pos = end - bytes;
        *width = lsp_text_units(pl_slice_sub(s, 0, end), encoding, &pos);
        if (pos == end)
            return bytes;
    }
    *width = 1;
    return 1;
}

// Where the line that `end` is in begins.
static size_t line_start(struct pl_slice s, size_t end)
{
    while (end > 0 && !ends_line(s.ptr[end - 1]))
        end--;
    return end;
}

// From the gap back to a position before it, or to the end of its line.
static void back_to(struct lsp_changes *c, struct lsp_position to)
{
    struct pl_slice s = pl_slice_make(c->text->bytes.data, c->left);
    size_t at = c->left;
    if (c->at.line > to.line) {
        for (; c->at.line > to.line && at > 0; c->at.line--) {
            at = line_start(s, at);
            if (at > 0)
                at -= at > 1 && s.ptr[at - 1] == '\n' && s.ptr[at - 2] == '\r' ? 2 : 1;
        }
        size_t start = line_start(s, at);
        struct lsp_position from = {c->at.line, 0};
        walk(pl_slice_sub(s, start, at - start), c->encoding, (struct lsp_position){c->at.line, UINT32_MAX}, &from);
        c->at = from;
    }
    while (c->at.character > to.character && at > 0) {
        uint32_t width;
        at -= last_character(s, c->encoding, at, &width);
        c->at.character -= PL_MIN(width, c->at.character);
    }
    go_back(c, c->left - at);
}

static bool make_room(struct lsp_changes *c, size_t bytes)
{
    struct pl_buf *b = &c->text->bytes;
    size_t rest = c->end - c->right;
    if (c->left + rest + bytes > LSP_TEXT_MAX)
        return false;
    if (c->right - c->left >= bytes)
        return true;
    size_t wanted = bytes + GAP_BYTES + (c->left + rest) / 8;
    size_t more = PL_MIN(wanted, LSP_TEXT_MAX - c->left - rest) - (c->right - c->left);
    b->len = c->end;
    if (!pl_buf_reserve(b, more))
        return false;
    if (rest > 0)
        memmove(b->data + c->right + more, b->data + c->right, rest);
    c->right += more;
    c->end += more;
    return true;
}

// CR and LF that met are one end of a line: the gap goes before it.
static void mend(struct lsp_changes *c)
{
    const uint8_t *data = c->text->bytes.data;
    if (c->left == 0 || c->right == c->end || data[c->left - 1] != '\r' || data[c->right] != '\n')
        return;
    back_to(c, (struct lsp_position){c->at.line - 1, UINT32_MAX});
}

// The lines are known before the first change.
static void go_to_first(struct lsp_changes *c, struct lsp_position to)
{
    struct lsp_cursor cursor = lsp_cursor_make(c->text, c->encoding);
    c->left = c->right = lsp_text_offset(c->text, c->encoding, to);
    c->at = lsp_cursor_at(&cursor, c->left);
    c->is_first = false;
}

enum lsp_change lsp_changes_replace(struct lsp_changes *c, struct lsp_range range, struct pl_slice with)
{
    if (c->is_first)
        go_to_first(c, range.start);
    else if (is_before(range.start, c->at))
        back_to(c, range.start);
    else
        go_forward(c, walk(behind(c), c->encoding, range.start, &c->at));
    struct lsp_position end = c->at;
    if (is_before(range.end, end))
        return LSP_BACKWARDS;
    size_t removed = walk(behind(c), c->encoding, range.end, &end);
    if (with.len > removed && !make_room(c, with.len - removed))
        return LSP_TOO_LONG;
    c->right += removed;
    c->text->same_head = PL_MIN(c->text->same_head, c->left);
    c->text->same_tail = PL_MIN(c->text->same_tail, c->end - c->right);
    uint8_t *to = c->text->bytes.data + c->left;
    if (with.len > 0)
        memcpy(to, with.ptr, with.len);
    // An LF behind a CR ends no other line.
    size_t counted = c->left > 0 && with.len > 0 && to[-1] == '\r' && with.ptr[0] == '\n';
    c->left += with.len;
    walk(pl_slice_sub(with, counted, with.len), c->encoding, (struct lsp_position){UINT32_MAX, UINT32_MAX}, &c->at);
    mend(c);
    return LSP_CHANGED;
}

bool lsp_changes_end(struct lsp_changes *c)
{
    go_forward(c, c->end - c->right);
    c->text->bytes.len = c->left;
    return lsp_text_find_lines(c->text);
}
