// Finding messages in a stream.
#include "lsp/frame.h"

#include <stdint.h>

#include "base/ckd.h"

static const char NAME[] = "Content-Length:";
#define NAME_LENGTH (sizeof NAME - 1)

// Behind the empty line that ends the head; 0: it is not there.
static size_t head_end(struct pl_slice in)
{
    size_t most = PL_MIN(in.len, (size_t)LSP_HEAD_MAX);
    for (size_t i = 0; i + 1 < most; i++) {
        if (in.ptr[i] != '\n')
            continue;
        if (in.ptr[i + 1] == '\n')
            return i + 2;
        if (i + 2 < most && in.ptr[i + 1] == '\r' && in.ptr[i + 2] == '\n')
            return i + 3;
    }
    return 0;
}

static bool is_name(struct pl_slice in, size_t at)
{
    return pl_slice_eq_nocase(pl_slice_sub(in, at, NAME_LENGTH), pl_slice_cstr(NAME));
}

// Where a head could begin again, up to `end`.
static size_t next_head(struct pl_slice in, size_t end)
{
    for (size_t i = 1; i + NAME_LENGTH <= end; i++) {
        if (is_name(in, i))
            return i;
    }
    return end;
}

// Is a line of the head "Name: value"?
static bool is_field(struct pl_slice line)
{
    size_t i = 0;
    while (i < line.len && ((line.ptr[i] | 0x20) >= 'a' ? (line.ptr[i] | 0x20) <= 'z' : line.ptr[i] == '-'))
        i++;
    return i > 0 && i < line.len && line.ptr[i] == ':';
}

static bool read_number(struct pl_slice text, size_t *out)
{
    struct pl_slice digits = pl_slice_trim(text);
    *out = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9' || *out > SIZE_MAX / 16)
            return false;
        *out = *out * 10 + (size_t)(digits.ptr[i] - '0');
    }
    return digits.len > 0;
}

// NULL: the head is right.
static const char *read_head(struct pl_slice head, size_t *length)
{
    bool has_length = false;
    while (head.len > 0) {
        struct pl_slice line = pl_slice_trim(pl_slice_until(&head, '\n'));
        if (line.len == 0)
            continue;
        if (!is_field(line))
            return "A line of the message's head is no \"Name: value\".";
        if (!is_name(line, 0))
            continue;
        if (has_length)
            return "Content-Length is there twice.";
        has_length = true;
        if (!read_number(pl_slice_sub(line, NAME_LENGTH, line.len), length))
            return "Content-Length is no number of bytes.";
    }
    return has_length ? NULL : "The message's head has no Content-Length.";
}

struct lsp_frame lsp_frame_next(struct pl_slice in, size_t body_max)
{
    size_t head = head_end(in), length = 0;
    if (head == 0) {
        if (in.len < LSP_HEAD_MAX)
            return (struct lsp_frame){.kind = LSP_FRAME_MORE};
        return (struct lsp_frame){.kind = LSP_FRAME_BROKEN,
                                  .used = next_head(in, LSP_HEAD_MAX),
                                  .why = "A message's head has no end: an empty line is missing."};
    }
    const char *why = read_head(pl_slice_sub(in, 0, head), &length);
    if (why)
        return (struct lsp_frame){.kind = LSP_FRAME_BROKEN, .used = next_head(in, head), .why = why};
    if (length > body_max)
        return (struct lsp_frame){.kind = LSP_FRAME_BROKEN,
                                  .used = head,
                                  .skip = length,
                                  .why = "The message is longer than this program takes."};
    if (in.len - head < length)
        return (struct lsp_frame){.kind = LSP_FRAME_MORE};
    return (struct lsp_frame){.kind = LSP_FRAME_WHOLE, .body = pl_slice_sub(in, head, length), .used = head + length};
}
