// Standard input and output: messages as they come, cancelled ones among them, and results of the thread between them.
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "lsp/frame.h"
#include "lsp/server.h"
#include "os/write.h"

#define READ_BYTES 65536u
#define MESSAGE_MAX ((size_t)384 << 20) // a byte of text may take six as JSON
#define QUEUE_BYTES ((size_t)64 << 20)  // read ahead, to see what is cancelled

// A message that waits for its turn.
struct queued {
    struct queued *next;
    struct pl_rpc_message message;
    size_t size;
    bool is_cancelled;
    uint8_t bytes[];
};

struct loop {
    struct lsp_server server;
    int input, output;
    struct pl_buf in;
    size_t start, skip;
    struct queued *first, **last;
    size_t queued_bytes;
    bool ended; // the input
};

// False: the output has ended.
static bool flush(struct loop *l)
{
    struct pl_buf *out = &l->server.out;
    bool ok = !out->failed && (out->len == 0 || pl_os_write(l->output, out->data, out->len));
    lsp_server_clear(out);
    return ok;
}

// $/cancelRequest: a request that waits is answered as cancelled, one that draws is stopped.
static void cancel(struct loop *l, const struct pl_rpc_message *message)
{
    struct pl_rpc_value id;
    if (message->params.type != PL_JSON_OBJECT)
        return;
    pl_rpc_member(message->params.raw, "id", &id);
    for (struct queued *q = l->first; q; q = q->next) {
        if (q->message.kind == PL_RPC_REQUEST && pl_slice_eq(q->message.id, id.raw)) {
            q->is_cancelled = true;
            return;
        }
    }
    (void)lsp_background_cancel(&l->server.background, id.raw);
}

static bool enqueue(struct loop *l, struct pl_slice body)
{
    struct queued *q = malloc(sizeof *q + body.len);
    if (!q)
        return false;
    *q = (struct queued){.size = body.len};
    if (body.len > 0)
        memcpy(q->bytes, body.ptr, body.len);
    pl_rpc_message_read(pl_slice_make(q->bytes, body.len), &q->message);
    if (q->message.kind == PL_RPC_NOTIFICATION && pl_slice_eq_cstr(q->message.method, "$/cancelRequest")) {
        cancel(l, &q->message);
        free(q);
        return true;
    }
    *l->last = q;
    l->last = &q->next;
    l->queued_bytes += q->size + sizeof *q;
    return true;
}

// Messages out of the bytes that have come.
static bool take_frames(struct loop *l)
{
    for (;;) {
        size_t have = l->in.len - l->start, skipped = PL_MIN(have, l->skip);
        l->start += skipped;
        l->skip -= skipped;
        struct lsp_frame f = lsp_frame_next(pl_slice_make(l->in.data + l->start, have - skipped), MESSAGE_MAX);
        if (have - skipped == 0 || f.kind == LSP_FRAME_MORE)
            break;
        if (f.kind == LSP_FRAME_BROKEN)
            lsp_server_broken(&l->server, pl_slice_cstr("null"), LSP_E_PARSE, f.why);
        else if (!enqueue(l, f.body))
            return false;
        l->start += f.used;
        l->skip = f.skip;
    }
    if (l->start == l->in.len) {
        l->start = l->in.len = 0;
    } else if (l->start > l->in.len / 2) { // otherwise each message would move all that follows it
        l->in.len -= l->start;
        memmove(l->in.data, l->in.data + l->start, l->in.len);
        l->start = 0;
    }
    return true;
}

static void read_input(struct loop *l)
{
    uint8_t *room = pl_buf_reserve(&l->in, READ_BYTES);
    ssize_t n = room ? read(l->input, room, READ_BYTES) : 0;
    if (n > 0)
        l->in.len += (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        l->ended = true;
}

// Waits while there is nothing to do, and takes what has come. False: the end.
static bool take_events(struct loop *l)
{
    bool reads = !l->ended && l->queued_bytes < QUEUE_BYTES;
    struct pollfd fds[] = {{.fd = lsp_background_fd(&l->server.background), .events = POLLIN},
                           {.fd = reads ? l->input : -1, .events = POLLIN},
                           {.fd = l->ended ? l->output : -1}}; // nobody may be left who reads an answer
    int ready = poll(fds, PL_COUNTOF(fds), l->first ? 0 : -1);
    if (ready < 0)
        return errno == EINTR;
    if (fds[2].revents)
        return false;
    if (fds[1].revents) {
        read_input(l);
        if (!take_frames(l))
            return false;
    }
    if (fds[0].revents)
        lsp_server_results(&l->server);
    return true;
}

static const struct lsp_method_row *row_of(const struct queued *q)
{
    return q && q->message.kind == PL_RPC_REQUEST ? lsp_method_find(q->message.method) : NULL;
}

// The one that is answered next. Lists wait while short questions about the same text are behind them: until the text
// changes.
static struct queued **next_of(struct loop *l)
{
    struct queued **at = &l->first;
    const struct lsp_method_row *row;
    while ((row = row_of(*at)) && row->is_list && !(*at)->is_cancelled)
        at = &(*at)->next;
    return row && row->takes != LSP_ANY ? at : &l->first;
}

static void answer_next(struct loop *l)
{
    struct queued **at = next_of(l), *q = *at;
    if (!q)
        return;
    *at = q->next;
    if (!*at)
        l->last = at;
    l->queued_bytes -= q->size + sizeof *q;
    lsp_server_message(&l->server, &q->message, q->is_cancelled);
    free(q);
}

int lsp_run(struct lsp_host *host, int input, int output)
{
    static struct loop l;
    l = (struct loop){.input = input, .output = output};
    l.last = &l.first;
    if (!lsp_server_init(&l.server, host))
        return 1;
    pl_buf_init(&l.in, MESSAGE_MAX + LSP_HEAD_MAX + 2 * (size_t)READ_BYTES);
    bool ok = true;
    // The input may end before exit: what was asked by then is answered.
    while (ok && l.server.state != LSP_EXITED && (l.first || !l.ended || lsp_background_finish(&l.server.background))) {
        ok = take_events(&l);
        answer_next(&l);
        ok = flush(&l) && ok;
    }
    if (ok) { // at exit nothing is waited for
        lsp_background_refuse(&l.server.background, "The server ended before the answer was made.");
        lsp_server_results(&l.server);
        (void)flush(&l); // the client may be gone
    }
    int status = l.server.state == LSP_EXITED ? l.server.status : l.server.state == LSP_SHUT ? 0 : 1;
    while (l.first) {
        struct queued *next = l.first->next;
        free(l.first);
        l.first = next;
    }
    lsp_server_fini(&l.server);
    pl_buf_fini(&l.in);
    return ok ? status : 1;
}
