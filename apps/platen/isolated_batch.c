// The program's side of `platen render --timeout`: hands out the files, writes what comes back, watches the time.
// Nothing that a worker says is believed unchecked, and nothing that it does keeps the program from the other files.
#include "isolated_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/job.h"
#include "process/pass.h"

#define NS_PER_MS 1000000ull
#define READ_BYTES ((size_t)256 << 10)
#define SAID_MAX ((size_t)1 << 20) // kept of a file's messages before they are passed on
#define PATH_BYTES_MAX ((size_t)64 << 10)
#define BUSY_NS_MAX (20 * NS_PER_MS) // what handling messages takes, when nobody makes it wait

enum place_state {
    IDLE,
    BUSY,  // with a file
    HELD,  // with a file, and its messages have to wait for their turn
    ENDING // its file is done, and its messages have to wait for their turn
};

// A worker and its file.
struct place {
    enum place_state state;
    int channel;      // -1: no process can be had
    uint32_t index;   // of this place
    size_t files;     // that the process has done
    size_t item;      // the file at hand
    bool ok;          // it was rendered
    bool again;       // it can be read once more
    bool told;        // some of its messages have been passed on
    uint64_t left_ns; // of its time
    char *output;
    struct pl_buf in;   // what comes from the worker
    struct pl_buf said; // messages of the file
};

struct run {
    struct isolated_batch *batch;
    struct pl_keeper keeper;
    struct pl_kept_work kept;
    struct shared_work work;
    struct place *places;
    struct pollfd *ready; // one for each place, and one for signals
    uint32_t count;
    size_t done, failed;
    sigset_t mask; // before the run
    int signals;
};

// ---- messages

static void place_say(void *user, const char *text, size_t len)
{
    pl_buf_append(user, text, len);
}

static struct voice place_voice(struct place *place)
{
    return (struct voice){.say = place_say, .user = &place->said};
}

// What was said so far is passed on. False: it has to wait.
static bool pass_on(struct run *run, struct place *place)
{
    if (place->said.failed) {
        pl_buf_clear(&place->said);
        place->said.failed = false;
        voice_print(&(struct voice){.say = place_say, .user = &place->said}, "platen: %s: not enough memory\n",
                    run->batch->plan.inputs->paths[place->item]);
    }
    if (place->said.len > 0 &&
        !shared_work_offer(&run->work, place->item, (const char *)place->said.data, place->said.len))
        return false;
    place->told = place->told || place->said.len > 0;
    pl_buf_clear(&place->said);
    return true;
}

// ---- the life of a worker

static void replace(struct run *run, struct place *place, int *old_status)
{
    struct pl_replaced replaced;
    struct pl_error err;
    if (place->channel >= 0)
        close(place->channel);
    pl_buf_clear(&place->in);
    place->files = 0;
    enum pl_errc code = pl_keeper_replace(&run->keeper, place->index, &replaced, &err);
    place->channel = replaced.channel;
    *old_status = replaced.old_status;
    if (code == PL_OK && !pl_channel_prepare(place->channel)) {
        close(place->channel);
        place->channel = -1;
        code = pl_fail(&err, PL_E_IO, "cannot set up a channel");
    }
    if (code != PL_OK)
        fprintf(stderr, "platen: %s\n", err.message);
}

// The file is done, one way or the other.
static void finish(struct run *run, struct place *place)
{
    place->state = ENDING;
    if (!pass_on(run, place))
        return;
    place->state = IDLE;
    free(place->output);
    place->output = NULL;
    shared_work_done(&run->work, place->item);
    run->done++;
    run->failed += !place->ok;
    if (run->batch->progress)
        run->batch->progress(run->done, run->batch->plan.inputs->count, run->failed);
}

static void end_file(struct run *run, struct place *place, const struct isolated_word *word)
{
    int status;
    place->ok = word->ok;
    place->files++;
    if (word->retires)
        replace(run, place, &status);
    finish(run, place);
}

static void fail(struct run *run, struct place *place, const char *why)
{
    struct voice voice = place_voice(place);
    voice_print(&voice, "platen: %s: %s\n", run->batch->plan.inputs->paths[place->item], why);
    place->ok = false;
    finish(run, place);
}

static void fail_overdue(struct run *run, struct place *place)
{
    char text[96];
    uint64_t ms = run->batch->timeout_ms;
    snprintf(text, sizeof text, "not rendered within %llu %s (--timeout)",
             (unsigned long long)(ms % 1000 == 0 ? ms / 1000 : ms), ms % 1000 == 0 ? "s" : "ms");
    fail(run, place, text);
}

static void end_overdue(struct run *run, struct place *place)
{
    int status;
    replace(run, place, &status);
    fail_overdue(run, place);
}

// ---- giving a file to a worker

// A pipe without a writer yet is waited for, as long as the time of a file. False: nobody came.
static bool wait_for_writer(const struct run *run, int fd)
{
    struct pollfd ready[] = {{.fd = fd, .events = POLLIN}, {.fd = run->signals, .events = POLLIN}};
    uint64_t ms = PL_MIN(run->batch->timeout_ms, (uint64_t)INT32_MAX);
    return poll(ready, 2, (int)ms) > 0 && ready[0].revents != 0;
}

// A descriptor, or minus errno.
static int open_input(const struct run *run, struct place *place, const char *path)
{
    struct stat st;
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    place->again = !standard && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (standard || place->again)
        return fd;
    fcntl(fd, F_SETFL, O_RDONLY);
    if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && !wait_for_writer(run, fd)) {
        close(fd);
        return -ETIMEDOUT;
    }
    return fd;
}

// To a fresh worker or one that is idle.
static void give(struct run *run, struct place *place)
{
    const struct isolated_plan *plan = &run->batch->plan;
    place->state = BUSY;
    place->told = false;
    place->left_ns = run->batch->timeout_ms * NS_PER_MS;
    free(place->output);
    place->output = isolated_output(plan, place->item);
    if (!place->output) {
        fail(run, place, "not enough memory");
        return;
    }
    int input = open_input(run, place, plan->inputs->paths[place->item]);
    if (input == -ETIMEDOUT) {
        fail_overdue(run, place);
        return;
    }
    if (input < 0) {
        fail(run, place, strerror(-input));
        return;
    }
    const struct isolated_order order = {.item = place->item};
    // One that cannot be reached has ended: the wait for its words notices.
    if (!pl_pass_send(place->channel, &order, sizeof order, input))
        shutdown(place->channel, SHUT_RDWR);
    close(input);
}

static void give_all(struct run *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        struct place *place = &run->places[i];
        while (place->state == IDLE && place->channel >= 0 && shared_work_take(&run->work, &place->item))
            give(run, place);
    }
}

// The worker has ended by itself, or breaks its word.
static void end_died(struct run *run, struct place *place)
{
    char text[128];
    int status;
    bool used = place->files > 0;
    replace(run, place, &status);
    // An earlier file may have spoilt the process: this one gets another, unless that would be noticed.
    if (used && place->again && !place->told && place->channel >= 0) {
        pl_buf_clear(&place->said);
        give(run, place);
        return;
    }
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "not rendered: the process crashed (%s)", strsignal(WTERMSIG(status)));
    else
        snprintf(text, sizeof text, "not rendered: the process ended (exit status %d)", WEXITSTATUS(status));
    fail(run, place, text);
}

// ---- what a worker says

// Writes an output. A reader may be slow, and then signals end the program as always; a plain file is whole or absent.
static bool put(struct run *run, struct place *place, const char *path, const void *data, size_t size)
{
    sigset_t blocked;
    bool stream = cli_is_stream(path);
    struct voice voice = place_voice(place);
    if (stream)
        sigprocmask(SIG_SETMASK, &run->mask, &blocked);
    bool ok = cli_write(path, data, size, &voice);
    if (stream)
        sigprocmask(SIG_SETMASK, &blocked, NULL);
    return ok;
}

// False: that is nothing that this worker may write.
static bool handle_output(struct run *run, struct place *place, const uint8_t *path, size_t path_size,
                          const uint8_t *data, size_t size)
{
    char *name = strndup((const char *)path, path_size);
    struct isolated_order answer = {.item = place->item};
    bool allowed = name && render_writes(run->batch->plan.request, place->output, name);
    answer.ok = allowed && put(run, place, name, data, size);
    free(name);
    return allowed && pl_pass_send(place->channel, &answer, sizeof answer, -1);
}

// Messages go to terminals: a worker that was taken over gives them no orders.
static void say_plainly(struct place *place, uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((text[i] < ' ' && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7F)
            text[i] = '?';
    }
    pl_buf_append(&place->said, text, size);
}

// One message that is there as a whole. False: the worker is not to be trusted any more.
static bool handle(struct run *run, struct place *place, const struct isolated_word *word, uint8_t *rest)
{
    switch (word->kind) {
    case ISOLATED_SAY:
        say_plainly(place, rest, (size_t)word->size);
        return true;
    case ISOLATED_OUTPUT:
        return handle_output(run, place, rest, (size_t)word->path_size, rest + word->path_size, (size_t)word->size);
    case ISOLATED_DONE:
        end_file(run, place, word);
        return true;
    default:
        return false;
    }
}

// Is the head of a message possible at all?
static bool plausible(const struct run *run, const struct isolated_word *word)
{
    size_t most = word->kind == ISOLATED_OUTPUT ? run->batch->plan.memory
                  : word->kind == ISOLATED_SAY  ? ISOLATED_SAY_MAX
                                                : 0;
    return word->size <= most && word->path_size <= (word->kind == ISOLATED_OUTPUT ? PATH_BYTES_MAX : 0);
}

// Handles the messages that are there as a whole. *missing is what the next one lacks. False: as handle.
static bool handle_all(struct run *run, struct place *place, size_t *missing)
{
    struct pl_buf *in = &place->in;
    size_t at = 0;
    bool ok = true;
    *missing = 0;
    while (ok && place->state == BUSY && *missing == 0) {
        struct isolated_word word;
        size_t whole = sizeof word, have = in->len - at;
        if (have >= sizeof word) {
            memcpy(&word, in->data + at, sizeof word);
            ok = plausible(run, &word);
            whole += (size_t)word.path_size + (size_t)word.size;
        }
        if (!ok)
            break;
        if (have < whole) {
            *missing = whole - have;
        } else if (word.kind == ISOLATED_SAY && place->said.len + word.size > SAID_MAX && !pass_on(run, place)) {
            place->state = HELD;
        } else {
            at += whole;
            ok = handle(run, place, &word, in->data + at - whole + sizeof word);
        }
    }
    at = PL_MIN(at, in->len); // a worker that was replaced leaves nothing
    if (at > 0)
        memmove(in->data, in->data + at, in->len - at);
    in->len -= at;
    return ok;
}

// Something has come from a worker, or it has gone.
static void listen_to(struct run *run, struct place *place)
{
    size_t missing = 0;
    bool ok = handle_all(run, place, &missing); // of one that was held
    if (ok && place->state == BUSY) {
        uint8_t *room = pl_buf_reserve(&place->in, PL_MAX(PL_MIN(missing, READ_BYTES * 4), READ_BYTES));
        ssize_t n = room ? recv(place->channel, room, place->in.cap - place->in.len, MSG_DONTWAIT) : 0;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return;
        ok = n > 0;
        place->in.len += (size_t)PL_MAX(n, 0);
        ok = ok && handle_all(run, place, &missing);
    }
    if (!ok && place->state == BUSY)
        end_died(run, place);
}

// ---- the run

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
        if (place->state == HELD && pass_on(run, place)) {
            place->state = BUSY;
            listen_to(run, place);
            any = true;
        } else if (place->state == ENDING) {
            finish(run, place);
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
                listen_to(run, place);
            if (place->state == BUSY && place->left_ns == 0)
                end_overdue(run, place);
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
                    sizeof(struct isolated_word) + PATH_BYTES_MAX + batch->plan.memory + 2 * READ_BYTES);
        pl_buf_init(&run->places[i].said, SAID_MAX + ISOLATED_SAY_MAX);
        replace(run, &run->places[i], &none);
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
    if (!shared_work_init(&run.work, count, NULL)) {
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
