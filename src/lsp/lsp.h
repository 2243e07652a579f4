// A language server for label code (Language Server Protocol 3.17): what a program gives it, and how it is run.
//
//   loop.c (bytes) -> frame.c (messages) -> methods.c (which one) -> hover.c, complete.c, ... (answers of the text)
//                                                  background.c (thread) -> the host's function draws, checks, lays out
#ifndef LSP_LSP_H
#define LSP_LSP_H

#include "lsp/job.h"

struct lsp_host {
    const char *version;
    double dpmm;          // dots of a millimetre, for lengths beside dots
    const char *docs_url; // where the documentation is served, without a slash at its end; NULL: not known
    void *user;
    // The client's initializationOptions: a JSON object. Called once, before all jobs. False: a sentence in `problem`.
    bool (*configure)(struct lsp_host *host, struct pl_slice options, char *problem, size_t size);
    // What is wrong with a notification, which has no answer; may be NULL.
    void (*log)(const char *method, const char *problem);
    // On a thread of its own, one after the other. Posts a final result.
    void (*run)(void *user, struct lsp_job *job);
};

// Until the client says exit, or the input ends. Returns the exit status.
int lsp_run(struct lsp_host *host, int input, int output);

#endif
