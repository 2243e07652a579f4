// The thread that works beside the server, its lock, and what wakes either of them. Where there are no threads
// (apps/wasm) nobody waits: the host calls lsp_background_step.
#ifndef LSP_THREAD_H
#define LSP_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct lsp_thread;

// NULL: there is no memory, or no thread.
struct lsp_thread *lsp_thread_new(void);
bool lsp_thread_start(struct lsp_thread *thread, void (*work)(void *user), void *user);
// Waits for its end.
void lsp_thread_join(struct lsp_thread *thread);
void lsp_thread_free(struct lsp_thread *thread);
void lsp_thread_lock(struct lsp_thread *thread);
void lsp_thread_unlock(struct lsp_thread *thread);
// The thread waits, with the lock, until it is woken or it is `until_ns`; UINT64_MAX: for as long as it takes.
void lsp_thread_wait(struct lsp_thread *thread, uint64_t until_ns);
void lsp_thread_wake(struct lsp_thread *thread);
// The server waits for a descriptor that can be read.
int lsp_thread_fd(const struct lsp_thread *thread);
void lsp_thread_call(struct lsp_thread *thread);
void lsp_thread_called(struct lsp_thread *thread);

#endif
