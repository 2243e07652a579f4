// A stream of bytes to the language server: frames, messages, edits and questions. Every answer is a frame around JSON.
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "lsp/frame.h"
#include "lsp/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Drawing has targets of its own.
static void run(void *user, struct lsp_job *job)
{
    struct lsp_result *result = lsp_result_new(job);
    (void)user;
    if (!result)
        return;
    result->is_final = true;
    result->mime = "image/png";
    lsp_result_add(
        result, &(struct lsp_finding){.code = "c", .message = "m", .offset = (uint32_t)job->size / 2, .parameter = 1});
    pl_buf_append(&result->bytes, job->text, job->size / 2);
    lsp_job_post(job, result);
}

static bool configure(struct lsp_host *host, struct pl_slice options, char *problem, size_t size)
{
    (void)host, (void)problem, (void)size;
    return options.len < 40;
}

static void message(struct lsp_server *server, struct pl_slice body)
{
    struct pl_rpc_message m;
    pl_rpc_message_read(body, &m);
    lsp_server_message(server, &m, false);
}

static void check_output(struct lsp_server *server)
{
    struct pl_slice out = pl_buf_slice(&server->out);
    while (out.len > 0) {
        struct lsp_frame f = lsp_frame_next(out, SIZE_MAX);
        struct pl_json_reader reader;
        enum pl_json_event event;
        if (f.kind != LSP_FRAME_WHOLE)
            abort();
        pl_json_reader_init(&reader, f.body);
        while ((event = pl_json_next(&reader)) != PL_JSON_END) {
            if (event == PL_JSON_BAD)
                abort();
        }
        out = pl_slice_sub(out, f.used, out.len);
    }
    pl_buf_clear(&server->out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct lsp_host host = {
        .version = "1", .dpmm = 8, .docs_url = "http://h", .configure = configure, .run = run};
    struct lsp_server server;
    struct pl_slice in = pl_slice_make(data, size);
    if (!lsp_server_init(&server, &host))
        abort();
    // Two documents and the first message, so that inputs need not find them.
    message(&server, pl_slice_cstr("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}"));
    message(&server, pl_slice_cstr(
                         "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":"
                         "{\"uri\":\"a\",\"languageId\":\"zpl\",\"version\":1,\"text\":\"^XA^DFA^FN1^FS^XZ\\r\\n^XA^XFA"
                         "^FN1^FD\xC3\xA9\xF0\x9F\x98\x80^FS^GFA,8,8,1,FF^XZ\"}}}"));
    message(&server,
            pl_slice_cstr(
                "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":"
                "{\"uri\":\"b\",\"languageId\":\"\",\"version\":1,\"text\":\"N\\nA1,2,0,1,1,1,N,\\\"x\\\"\\nP1\"}}}"));
    while (in.len > 0 && server.state != LSP_EXITED) {
        struct lsp_frame f = lsp_frame_next(in, 65536);
        if (f.kind == LSP_FRAME_MORE) {
            message(&server, in); // without its head
            break;
        }
        if (f.used == 0 || f.used > in.len)
            abort();
        if (f.kind == LSP_FRAME_WHOLE)
            message(&server, f.body);
        else
            lsp_server_broken(&server, pl_slice_cstr("null"), LSP_E_PARSE, f.why);
        in = pl_slice_sub(in, f.used + PL_MIN(f.skip, in.len - f.used), in.len);
        lsp_server_results(&server);
    }
    lsp_server_results(&server);
    check_output(&server);
    lsp_server_fini(&server);
    return 0;
}
