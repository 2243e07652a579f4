// The thread of the system.
#include "lsp/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct lsp_thread {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool runs;
    int pipe[2]; // a byte for whoever waits for results
    void (*work)(void *user);
    void *user;
};

struct lsp_thread *lsp_thread_new(void)
{
    struct lsp_thread *t = calloc(1, sizeof *t);
    if (!t || pipe2(t->pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
        free(t);
        return NULL;
    }
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    return t;
}

static void *run(void *user)
{
    struct lsp_thread *t = user;
    t->work(t->user);
    return NULL;
}

bool lsp_thread_start(struct lsp_thread *t, void (*work)(void *user), void *user)
{
    t->work = work;
    t->user = user;
    t->runs = pthread_create(&t->thread, NULL, run, t) == 0;
    return t->runs;
}

void lsp_thread_join(struct lsp_thread *t)
{
    if (t->runs)
        pthread_join(t->thread, NULL);
    t->runs = false;
}

void lsp_thread_free(struct lsp_thread *t)
{
    close(t->pipe[0]);
    close(t->pipe[1]);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

void lsp_thread_lock(struct lsp_thread *t)
{
    pthread_mutex_lock(&t->lock);
}

void lsp_thread_unlock(struct lsp_thread *t)
{
    pthread_mutex_unlock(&t->lock);
}

void lsp_thread_wait(struct lsp_thread *t, uint64_t until_ns)
{
    struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u), .tv_nsec = (long)(until_ns % 1000000000u)};
    if (until_ns == UINT64_MAX)
        pthread_cond_wait(&t->changed, &t->lock);
    else
        pthread_cond_clockwait(&t->changed, &t->lock, CLOCK_MONOTONIC, &until);
}

void lsp_thread_wake(struct lsp_thread *t)
{
    pthread_cond_signal(&t->changed);
}

int lsp_thread_fd(const struct lsp_thread *t)
{
    return t->pipe[0];
}

void lsp_thread_call(struct lsp_thread *t)
{
    ssize_t n;
    do // a full pipe wakes as well
        n = write(t->pipe[1], "x", 1);
    while (n < 0 && errno == EINTR);
}

void lsp_thread_called(struct lsp_thread *t)
{
    char bytes[64];
    while (read(t->pipe[0], bytes, sizeof bytes) > 0) {
    }
}
