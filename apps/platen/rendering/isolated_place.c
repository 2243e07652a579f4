// The life of a worker of `platen render --timeout`, and of the file that it has.
#include "isolated_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ckd.h"
#include "process/pass.h"

// ---- messages

static void place_say(void *user, const char *text, size_t len)
{
    pl_buf_append(user, text, len);
}

struct message_sink place_sink(struct place *place)
{
    return (struct message_sink){.say = place_say, .user = &place->said};
}

// Why the file failed, in its messages or as the answer of its task.
static void say_failure(struct run *run, struct place *place, bool unread, const char *why)
{
    const struct isolated_plan *plan = &run->batch->plan;
    if (plan->task) {
        pl_buf_clear(&place->said);
        plan->task->fail(plan->task, place->item, unread, why, &place->said);
    } else {
        struct message_sink sink = place_sink(place);
        message_print(&sink, "platen: %s: %s\n", plan->inputs->paths[place->item], why);
    }
}

bool place_pass_on(struct run *run, struct place *place)
{
    if (place->said.failed) {
        pl_buf_clear(&place->said);
        place->said.failed = false;
        say_failure(run, place, false, "not enough memory");
    }
    if (place->said.len > 0 &&
        !shared_work_offer(&run->work, place->item, (const char *)place->said.data, place->said.len))
        return false;
    place->told = place->told || place->said.len > 0;
    pl_buf_clear(&place->said);
    return true;
}

// ---- the life of a worker

void place_replace(struct run *run, struct place *place, int *old_status)
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

void place_finish(struct run *run, struct place *place)
{
    place->state = ENDING;
    if (!place_pass_on(run, place))
        return;
    place->state = IDLE;
    free(place->output);
    place->output = NULL;
    shared_work_done(&run->work, place->item);
    run->done++;
    run->failed += !place->ok;
    if (run->batch->progress)
        run->batch->progress(run->batch->progress_user, run->done, run->batch->plan.inputs->count, run->failed);
}

void place_end_file(struct run *run, struct place *place, const struct isolated_word *word)
{
    int status;
    place->ok = word->ok;
    place->files++;
    if (run->batch->plan.task && place->said.len == 0)
        say_failure(run, place, false, "not enough memory");
    if (word->retires)
        place_replace(run, place, &status);
    place_finish(run, place);
}

static void end_failed(struct run *run, struct place *place, bool unread, const char *why)
{
    say_failure(run, place, unread, why);
    place->ok = false;
    place_finish(run, place);
}

static void fail(struct run *run, struct place *place, const char *why)
{
    end_failed(run, place, false, why);
}

static const char *deed(const struct run *run)
{
    return run->batch->plan.task ? run->batch->plan.task->done : "rendered";
}

static void fail_overdue(struct run *run, struct place *place)
{
    char text[96];
    uint64_t ms = run->batch->timeout_ms;
    snprintf(text, sizeof text, "not %s within %llu %s (--timeout)", deed(run),
             (unsigned long long)(ms % 1000 == 0 ? ms / 1000 : ms), ms % 1000 == 0 ? "s" : "ms");
    fail(run, place, text);
}

void place_end_overdue(struct run *run, struct place *place)
{
    int status;
    place_replace(run, place, &status);
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

void place_give(struct run *run, struct place *place)
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
        end_failed(run, place, true, strerror(-input));
        return;
    }
    const struct isolated_order order = {.item = place->item};
    // One that cannot be reached has ended: the wait for its words notices.
    if (!pl_pass_send(place->channel, &order, sizeof order, input))
        shutdown(place->channel, SHUT_RDWR);
    close(input);
}

void place_end_died(struct run *run, struct place *place)
{
    char text[128];
    int status;
    bool used = place->files > 0;
    place_replace(run, place, &status);
    // An earlier file may have spoilt the process: this one gets another, unless that would be noticed.
    if (used && place->again && !place->told && place->channel >= 0) {
        pl_buf_clear(&place->said);
        place_give(run, place);
        return;
    }
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "not %s: the process crashed (%s)", deed(run), strsignal(WTERMSIG(status)));
    else
        snprintf(text, sizeof text, "not %s: the process ended", deed(run));
    fail(run, place, text);
}
