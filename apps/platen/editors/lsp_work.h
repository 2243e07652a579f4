// What `platen lsp` does beside answering of the text: labels are drawn and checked as `platen check` does it, shown,
// and laid out as `platen fmt` does it.
#ifndef PLATEN_LSP_WORK_H
#define PLATEN_LSP_WORK_H

#include "checking/check_settings.h"
#include "lsp/lsp.h"

struct lsp_work {
    struct check_settings settings; // those of `platen check`
    struct platen_worker *worker;
};

// A job of the server, on its thread. `user` is a struct lsp_work.
void lsp_work_run(void *user, struct lsp_job *job);
// initializationOptions: the render controls by their names, and docsUrl.
bool lsp_work_configure(struct lsp_host *host, struct pl_slice options, char *problem, size_t size);

#endif
