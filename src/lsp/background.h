// The thread that draws.
#ifndef LSP_BACKGROUND_H
#define LSP_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

#include "lsp/job.h"

struct lsp_results {
    pthread_mutex_t lock;
    struct lsp_result *first, **last;
    int wake[2]; // a byte for whoever waits for results
};

struct lsp_background {
    struct lsp_results results;
    pthread_cond_t changed;
    pthread_t thread;
    struct lsp_job *waiting, *running;
    bool ends, has_thread;
    void (*run)(void *user, struct lsp_job *job); // posts a final result
    void *user;
};

bool lsp_background_start(struct lsp_background *b, void (*run)(void *user, struct lsp_job *job), void *user);
// Cancels all and waits for the thread.
void lsp_background_stop(struct lsp_background *b);
// Takes the job over. One of LSP_CHECK takes the place of those of the same document, which are cancelled: a request
// that waited for them waits for it.
void lsp_background_submit(struct lsp_background *b, struct lsp_job *job);
// Cancels the job that a request waits for; false: there is none.
bool lsp_background_cancel(struct lsp_background *b, struct pl_slice id);
void lsp_background_forget(struct lsp_background *b, uint64_t document);
// The next result; NULL: there are no more. A descriptor that can be read says that there are some.
struct lsp_result *lsp_background_take(struct lsp_background *b);
int lsp_background_fd(const struct lsp_background *b);

struct lsp_job *lsp_job_new(enum lsp_job_kind kind, struct pl_slice text);
void lsp_job_free(struct lsp_job *job);

#endif
