// The beginning and the end of a confined run: the keeper of its processes, and signals.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/ckd.h"
#include "runner/confined_place.h"

#define WATCH_ENDS SIGURG // one that nobody means a program to end with
#define SILENCE_MS 60000  // of the keeper: no request of anybody waits for it, but all tasks do

bool confined_can(void)
{
    return true;
}

// Waits for a signal that asks the program to end, and ends it: all processes are killed, and no file is half. The
// keeper is asked for nothing, since it may stand still. A signal of its own ends the watch.
static void *watch(void *user)
{
    struct confined *c = user;
    int signal;
    do {
        if (sigwait(&c->asking, &signal) != 0 || (signal == WATCH_ENDS && atomic_load(&c->over)))
            return NULL;
    } while (signal == WATCH_ENDS);
    atomic_store(&c->ends, true);
    pthread_rwlock_wrlock(&c->writing);
    pl_keeper_kill(&c->keeper);
    pthread_sigmask(SIG_SETMASK, &c->mask, NULL);
    raise(signal);
    _exit(1);
}

// What is ignored (nohup) asks for nothing.
static void block_signals(struct confined *c)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;
    sigemptyset(&c->asking);
    for (size_t i = 0; i < PL_COUNTOF(asking); i++) {
        if (sigaction(asking[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&c->asking, asking[i]);
    }
    sigaddset(&c->asking, WATCH_ENDS);
    pthread_sigmask(SIG_BLOCK, &c->asking, &c->mask);
}

static struct confined_place *make_places(size_t count, const struct confined_work *work)
{
    struct confined_place *places = calloc(count, sizeof *places);
    for (size_t i = 0; places && i < count; i++) {
        places[i].channel = -1;
        pl_buf_init(&places[i].in, CONFINED_PATH_MAX + work->memory);
        pl_buf_init(&places[i].said, work->memory);
    }
    return places;
}

static void free_places(struct confined_place *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (places[i].channel >= 0)
            close(places[i].channel);
        pl_buf_fini(&places[i].in);
        pl_buf_fini(&places[i].said);
    }
    free(places);
}

size_t confined_run(const struct run *run, const struct confined_work *work)
{
    struct confined c = {.run = run, .work = work, .writing = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP};
    const struct pl_kept_work kept = {.keeper_name = "platen-keeper",
                                      .name = "platen-render",
                                      .prepare = confined_process_prepare,
                                      .run = confined_process_run,
                                      .user = &c};
    const struct runner_elsewhere elsewhere = {.ready = confined_place_ready, .task = confined_place_do, .user = &c};
    struct run here = *run;
    here.engine = NULL;
    here.elsewhere = &elsewhere;
    here.places = (uint32_t)PL_MIN((size_t)PL_MIN(run->places, RUNNER_PLACES_MAX), run->count);
    size_t failed = run->count;
    struct pl_error err;
    pthread_t watcher;
    c.places = make_places(here.places, work);
    if (!c.places) {
        fprintf(stderr, "platen: not enough memory\n");
    } else if (pl_keeper_start(&c.keeper, &kept, here.places, &err) != PL_OK) {
        fprintf(stderr, "platen: %s\n", err.message);
    } else {
        c.keeper.silence_ms = SILENCE_MS;
        block_signals(&c);
        bool watched = pthread_create(&watcher, NULL, watch, &c) == 0;
        if (!watched)
            pthread_sigmask(SIG_SETMASK, &c.mask, NULL);
        failed = runner_run(&here);
        if (watched) {
            atomic_store(&c.over, true);
            pthread_kill(watcher, WATCH_ENDS);
            pthread_join(watcher, NULL);
        }
        pthread_sigmask(SIG_SETMASK, &c.mask, NULL); // the end of the keeper may take seconds
    }
    if (c.places)
        free_places(c.places, here.places);
    if (c.keeper.pid > 0)
        pl_keeper_stop(&c.keeper);
    return failed;
}
