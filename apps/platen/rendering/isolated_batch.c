// The program's side of `platen render --timeout`: hands out the files, watches the time, obeys signals.
#include "isolated_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/job.h"
#include "isolated_place.h"

#define BUSY_NS_MAX (20 * NS_PER_MS) // what handling messages takes, when nobody makes it wait

static void give_all(struct run *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        struct place *place = &run->places[i];
        while (place->state == IDLE && place->channel >= 0 && shared_work_take(&run->work, &place->item))
            place_give(run, place);
    }
}

// Ends the program if a signal asks for it.
static void obey(struct run *run)
{
    struct signalfd_siginfo info;
    if (read(run->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return;
    pl_keeper_stop(&run->keeper);
    sigprocmask(SIG_SETMASK, &run->mask, NULL);
    raise((int)info.ssi_signo);
    _exit(1);
}

static void spend(struct run *run, uint64_t ns)
{
    for (uint32_t i = 0; i < run->count; i++) {
        struct place *place = &run->places[i];
        if (place->state == BUSY)
            place->left_ns -= PL_MIN(place->left_ns, ns);
    }
}

// Waits until there is something to do.
static void wait_for_words(struct run *run)
{
    uint64_t least = 1000 * NS_PER_MS;
    for (uint32_t i = 0; i < run->count; i++) {
        struct place *place = &run->places[i];
        bool listens = place->state == BUSY;
        run->ready[i] = (struct pollfd){.fd = listens ? place->channel : -1, .events = POLLIN};
        if (listens)
            least = PL_MIN(least, place->left_ns);
    }
    run->ready[run->count] = (struct pollfd){.fd = run->signals, .events = POLLIN};
    uint64_t began = pl_now_ns();
    if (poll(run->ready, run->count + 1, (int)((least + NS_PER_MS - 1) / NS_PER_MS)) < 0) {
        for (uint32_t i = 0; i <= run->count; i++)
            run->ready[i].revents = 0; // a signal
    }
    // When the program was stopped in between (Ctrl-Z), the workers were too.
    spend(run, PL_MIN(pl_now_ns() - began, least + NS_PER_MS));
}

static bool any_at_work(const struct run *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->places[i].state != IDLE)
            return true;
    }
    return false;
}

// Those whose messages had to wait go on as far as they can. True: some did.
static bool turn_moved(struct run *run)
{
    bool any = false;
    for (uint32_t i = 0; i < run->count; i++) {
        struct place *place = &run->places[i];
        if (place->state == HELD && place_pass_on(run, place)) {
            place->state = BUSY;
            place_listen(run, place);
            any = true;
        } else if (place->state == ENDING) {
            place_finish(run, place);
            any = any || place->state == IDLE;
        }
    }
    return any;
}

static void work(struct run *run)
{
    for (give_all(run); any_at_work(run); give_all(run)) {
        wait_for_words(run);
        uint64_t began = pl_now_ns();
        if (run->ready[run->count].revents != 0)
            obey(run);
        for (uint32_t i = 0; i < run->count; i++) {
            struct place *place = &run->places[i];
            if (place->state == BUSY && run->ready[i].revents != 0)
                place_listen(run, place);
            if (place->state == BUSY && place->left_ns == 0)
                place_end_overdue(run, place);
        }
        while (turn_moved(run))
            continue;
        // A slow reader of the program's messages or outputs is not the fault of the files.
        spend(run, PL_MIN(pl_now_ns() - began, BUSY_NS_MAX));
    }
}

static bool prepare(struct run *run, struct pl_error *err)
{
    struct isolated_batch *batch = run->batch;
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < PL_COUNTOF(asking); i++)
        sigaddset(&set, asking[i]);
    sigprocmask(SIG_BLOCK, &set, &run->mask);
    run->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    run->places = calloc(run->count, sizeof *run->places);
    run->ready = calloc(run->count + 1, sizeof *run->ready);
    run->kept = (struct pl_kept_work){.keeper_name = "platen-keeper",
                                      .name = "platen-render",
                                      .prepare = isolated_worker_prepare,
                                      .run = isolated_worker_run,
                                      .user = &batch->plan};
    if (run->signals < 0 || !run->places || !run->ready)
        return pl_fail(err, PL_E_MEMORY, "not enough memory") == PL_OK;
    if (pl_keeper_start(&run->keeper, &run->kept, run->count, err) != PL_OK)
        return false;
    for (uint32_t i = 0; i < run->count; i++) {
        int none;
        run->places[i] = (struct place){.index = i, .channel = -1};
        pl_buf_init(&run->places[i].in,
                    sizeof(struct isolated_word) + ISOLATED_PATH_MAX + batch->plan.memory + 2 * ISOLATED_READ_BYTES);
        pl_buf_init(&run->places[i].said, batch->plan.task ? batch->plan.memory : ISOLATED_SAID_MAX + ISOLATED_SAY_MAX);
        place_replace(run, &run->places[i], &none);
    }
    return true;
}

static void clean_up(struct run *run)
{
    for (uint32_t i = 0; i < run->count && run->keeper.pid > 0; i++) {
        struct place *place = &run->places[i];
        if (place->channel >= 0)
            close(place->channel);
        pl_buf_fini(&place->in);
        pl_buf_fini(&place->said);
    }
    if (run->keeper.pid > 0)
        pl_keeper_stop(&run->keeper);
    if (run->signals >= 0)
        close(run->signals);
    free(run->places);
    free(run->ready);
    sigprocmask(SIG_SETMASK, &run->mask, NULL);
}

size_t isolated_batch_run(struct isolated_batch *batch)
{
    size_t count = batch->plan.inputs->count;
    struct run run = {.batch = batch, .count = (uint32_t)PL_MIN((size_t)batch->jobs, count)};
    struct pl_error err;
    if (!shared_work_init(&run.work, count, batch->sink)) {
        fprintf(stderr, "platen: not enough memory\n");
        return count;
    }
    if (prepare(&run, &err))
        work(&run);
    else
        fprintf(stderr, "platen: %s\n", err.message);
    clean_up(&run);
    shared_work_fini(&run.work);
    return run.failed + count - run.done;
}
