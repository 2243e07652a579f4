// Messages on standard input and output, one a line.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "mcp/transport.h"
#include "os/write.h"

#define READ_BYTES 65536u

struct line_reader {
    int fd;
    struct pl_buf buf;
    size_t start;  // of what is not yet used
    size_t seen;   // from there to here is no line's end
    bool skipping; // the line is longer than a message may be
    bool ended;
};

// Reads until something comes. False: nothing more comes.
static bool read_more(struct line_reader *in)
{
    if (in->start > 0) {
        in->buf.len -= in->start;
        memmove(in->buf.data, in->buf.data + in->start, in->buf.len);
        in->seen -= in->start;
        in->start = 0;
    }
    for (;;) {
        uint8_t *room = pl_buf_reserve(&in->buf, READ_BYTES);
        if (!room)
            return false;
        ssize_t n = read(in->fd, room, READ_BYTES);
        if (n > 0) {
            in->buf.len += (size_t)n;
            return true;
        }
        if (n < 0 && errno == EAGAIN) { // whoever started us left it so
            (void)poll(&(struct pollfd){.fd = in->fd, .events = POLLIN}, 1, -1);
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        return false;
    }
}

static void drop(struct line_reader *in, size_t bytes)
{
    in->start += bytes;
    in->seen = in->start;
}

enum line { LINE_WHOLE, LINE_TOO_LONG, LINE_NONE };

// The next line, without its end, at the reader's start; *used is what drop takes then.
static enum line next_line(struct line_reader *in, size_t most, size_t *length, size_t *used)
{
    for (;;) {
        size_t rest = in->buf.len - in->seen;
        const uint8_t *end = rest > 0 ? memchr(in->buf.data + in->seen, '\n', rest) : NULL;
        size_t unused = in->buf.len - in->start;
        if (end || (in->ended && unused > 0)) {
            *length = end ? (size_t)(end - in->buf.data) - in->start : unused;
            *used = *length + (end != NULL);
            bool late = in->skipping || *length > most;
            in->skipping = false;
            return late ? LINE_TOO_LONG : LINE_WHOLE;
        }
        in->seen = in->buf.len;
        if (unused > most) {
            in->skipping = true;
            drop(in, unused);
        }
        if (in->ended)
            return LINE_NONE;
        in->ended = !read_more(in);
    }
}

static bool is_blank(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!memchr(" \t\r", data[i], 3))
            return false;
    }
    return true;
}

// Answers one line. False: the output has ended.
static bool answer_line(const struct mcp_stdio *stdio, struct pl_slice line, bool too_long, const char **agreed,
                        int output)
{
    static const char TOO_LONG[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":"
                                   "\"The message is longer than this program takes.\"}}";
    struct pl_arena arena;
    struct pl_buf out;
    const struct pl_job job = {.deadline_ns = stdio->time_ms ? pl_now_ns() + stdio->time_ms * 1000000u : 0};
    const struct mcp_context context = {.arena = &arena, .job = &job, .host = stdio->host, .agreed = agreed};
    pl_arena_init(&arena, stdio->arena_bytes);
    pl_buf_init(&out, MCP_ANSWER_MAX);
    enum mcp_outcome outcome = MCP_INVALID;
    if (too_long)
        pl_buf_append_cstr(&out, TOO_LONG);
    else
        outcome = mcp_answer(stdio->offer, line, &context, &out);
    pl_buf_append_byte(&out, '\n');
    bool ok = outcome == MCP_NOTHING || (!out.failed && pl_os_write(output, out.data, out.len));
    pl_buf_fini(&out);
    pl_arena_fini(&arena);
    return ok;
}

int mcp_stdio_run(const struct mcp_stdio *stdio, int input, int output)
{
    struct line_reader in = {.fd = input};
    size_t length, used, most = 0;
    int status = 0;
    const char *agreed = NULL;
    if (!PL_CKD_ADD(&most, stdio->message_max, 2 * READ_BYTES))
        return 1;
    pl_buf_init(&in.buf, most);
    for (enum line line; status == 0 && (line = next_line(&in, stdio->message_max, &length, &used)) != LINE_NONE;) {
        bool too_long = line == LINE_TOO_LONG;
        struct pl_slice text = pl_slice_make(in.buf.data + in.start, length);
        if ((too_long || !is_blank(text.ptr, length)) && !answer_line(stdio, text, too_long, &agreed, output))
            status = 1;
        drop(&in, used);
    }
    pl_buf_fini(&in.buf);
    return status;
}
