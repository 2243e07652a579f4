// What all methods share: the server with its documents, frames, and answers with errors.
#include "lsp/server.h"

#include <stdarg.h>
#include <stdio.h>

enum lsp_outcome lsp_refuse(struct lsp_call *call, int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(call->problem, sizeof call->problem, fmt, args);
    va_end(args);
    call->code = code;
    return LSP_REFUSED;
}

bool lsp_server_init(struct lsp_server *server, struct lsp_host *host)
{
    *server = (struct lsp_server){.host = host};
    pl_buf_init(&server->out, LSP_OUTPUT_MAX);
    pl_buf_init(&server->body, LSP_OUTPUT_MAX);
    return lsp_background_start(&server->background, host->run, host->user);
}

void lsp_server_fini(struct lsp_server *server)
{
    lsp_background_stop(&server->background);
    while (server->documents) {
        struct lsp_document *next = server->documents->next;
        lsp_document_free(server->documents);
        server->documents = next;
    }
    pl_buf_fini(&server->out);
    pl_buf_fini(&server->body);
}

void lsp_server_clear(struct pl_buf *buf)
{
    pl_buf_clear(buf);
    if (buf->cap > LSP_OUTPUT_KEPT)
        pl_buf_fini(buf);
}

struct lsp_document *lsp_server_find(struct lsp_server *server, struct pl_slice uri)
{
    for (struct lsp_document *d = server->documents; d; d = d->next) {
        if (pl_slice_eq_cstr(uri, d->uri))
            return d;
    }
    return NULL;
}

void lsp_server_frame(struct lsp_server *server, const struct pl_buf *body)
{
    pl_buf_printf(&server->out, "Content-Length: %zu\r\n\r\n", body->len);
    pl_buf_append_slice(&server->out, pl_buf_slice(body));
}

static void put_error(struct pl_buf *body, struct pl_slice id, int code, const char *why)
{
    pl_buf_printf(body, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%d,\"message\":", (int)id.len,
                  (const char *)id.ptr, code);
    pl_buf_append_json_string(body, pl_slice_cstr(why));
    pl_buf_append_cstr(body, "}}");
}

void lsp_server_broken(struct lsp_server *server, struct pl_slice id, int code, const char *why)
{
    struct pl_buf body;
    pl_buf_init(&body, LSP_OUTPUT_MAX);
    put_error(&body, id, code, why);
    lsp_server_frame(server, &body);
    pl_buf_fini(&body);
}
