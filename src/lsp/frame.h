// Messages in a stream of bytes: a head with Content-Length, an empty line, and so many bytes. Pure.
#ifndef LSP_FRAME_H
#define LSP_FRAME_H

#include "base/slice.h"

#define LSP_HEAD_MAX 4096u

enum lsp_frame_kind {
    LSP_FRAME_MORE, // bytes are missing
    LSP_FRAME_WHOLE,
    LSP_FRAME_BROKEN // `why`; what follows may be a message again
};

struct lsp_frame {
    enum lsp_frame_kind kind;
    struct pl_slice body;
    size_t used; // bytes that are done with
    size_t skip; // bytes behind them that belong to a message which is too long, and may not have come yet
    const char *why;
};

struct lsp_frame lsp_frame_next(struct pl_slice in, size_t body_max);

#endif
