// Jobs that wait for the thread that draws, and their results.
#ifndef LSP_BACKGROUND_H
#define LSP_BACKGROUND_H

#include <stdbool.h>

#include "lsp/job.h"
#include "lsp/thread.h"

struct lsp_results {
    struct lsp_thread *thread; // its lock guards all of this
    struct lsp_result *first, **last;
};

struct lsp_background {
    struct lsp_results results;
    struct lsp_job *waiting, *running;
    bool ends;
    void (*run)(void *user, struct lsp_job *job); // posts a final result
    void *user;
};

bool lsp_background_start(struct lsp_background *b, void (*run)(void *user, struct lsp_job *job), void *user);
// Does the next job. `waits`: for one that may begin; otherwise all may. False: there is none, or it is the end.
bool lsp_background_step(struct lsp_background *b, bool waits);
// Cancels all and waits for the thread.
void lsp_background_stop(struct lsp_background *b);
// Takes the job over. One of LSP_CHECK takes the place of those of the same document, which are cancelled: a request
// that waited for them waits for it.
void lsp_background_submit(struct lsp_background *b, struct lsp_job *job);
// Cancels the job that a request waits for; false: there is none.
bool lsp_background_cancel(struct lsp_background *b, struct pl_slice id);
// No more jobs come: those that no request waits for are cancelled. False: no request waits any more.
bool lsp_background_finish(struct lsp_background *b);
// The server ends now: requests that wait have no answer but `why`.
void lsp_background_refuse(struct lsp_background *b, const char *why);
void lsp_background_forget(struct lsp_background *b, uint64_t document);
// The next result; NULL: there are no more. A descriptor that can be read says that there are some.
struct lsp_result *lsp_background_take(struct lsp_background *b);
int lsp_background_fd(const struct lsp_background *b);

struct lsp_job *lsp_job_new(enum lsp_job_kind kind, struct pl_slice text);
void lsp_job_free(struct lsp_job *job);

#endif
