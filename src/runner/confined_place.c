// The program's side of a confined task: gives it to a process, watches its time, writes its outputs, and passes on
// what it says. Nothing of that is believed unchecked, and a process that says half of it is not waited for.
#include "runner/confined_place.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/job.h"
#include "process/channel.h"
#include "process/pass.h"

#define NS_PER_MS 1000000ull
#define LOOK_MS 1000
#define LATE_WAKE_NS (20 * NS_PER_MS)  // how late a wait may end without having been stopped
#define SPARE_BYTES ((size_t)64 << 10) // a larger buffer is not kept for the next task

enum outcome { GOES_ON, DONE, LATE, DIED, UNREADABLE, NO_MEMORY };

// A task at its place.
struct work {
    struct confined *c;
    struct confined_place *place;
    const struct message_sink *sink;
    size_t task;
    bool again; // its input can be read once more
    int error;  // of UNREADABLE: errno
};

// ---- the life of a process

// A process for a place that has none, or another one. Returns the status of the old one. place->channel is -1 where
// none can be had; a line was printed.
static int replace(struct confined *c, struct confined_place *place)
{
    struct pl_replaced replaced;
    struct pl_error err;
    pthread_rwlock_rdlock(&c->ending);
    if (place->channel >= 0)
        close(place->channel);
    place->done = 0;
    enum pl_errc code = pl_keeper_replace(&c->keeper, (uint32_t)(place - c->places), &replaced, &err);
    pthread_rwlock_unlock(&c->ending);
    place->channel = replaced.channel;
    if (code == PL_OK && !pl_channel_prepare(place->channel)) {
        close(place->channel);
        place->channel = -1;
        code = pl_fail(&err, PL_E_IO, "cannot set up a channel");
    }
    if (code != PL_OK)
        fprintf(stderr, "platen: %s\n", err.message);
    return replaced.old_status;
}

bool confined_place_ready(void *user, uint32_t index)
{
    struct confined *c = user;
    struct confined_place *place = &c->places[index];
    if (place->channel < 0)
        (void)replace(c, place);
    return place->channel >= 0;
}

// ---- what a process says

// Moves all bytes to the process (POLLOUT) or from it (POLLIN), as long as the task has time. When the program was
// stopped in between (Ctrl-Z), so was the process: that does not count.
static enum outcome move(struct confined_place *place, short direction, void *data, size_t size)
{
    for (uint8_t *at = data; size > 0;) {
        uint64_t began = pl_now_ns(), wait = PL_MIN(LOOK_MS * NS_PER_MS, place->left_ns);
        struct pollfd ready = {.fd = place->channel, .events = direction};
        ssize_t n = direction == POLLIN ? recv(place->channel, at, size, MSG_DONTWAIT)
                                        : send(place->channel, at, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        bool later = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
        if (later)
            poll(&ready, 1, (int)((wait + NS_PER_MS - 1) / NS_PER_MS));
        else if (n <= 0)
            return DIED;
        uint64_t spent = PL_MIN(pl_now_ns() - began, wait + LATE_WAKE_NS);
        place->left_ns -= PL_MIN(place->left_ns, spent);
        if (place->left_ns == 0)
            return LATE;
        if (!later) {
            at += n;
            size -= (size_t)n;
        }
    }
    return GOES_ON;
}

static void pass_on(struct work *w)
{
    struct confined_place *place = w->place;
    place->told = place->told || place->said.len > 0;
    message_say(w->sink, place->said.data, place->said.len);
    pl_buf_clear(&place->said);
}

static void say_into(void *user, const char *text, size_t len)
{
    pl_buf_append(user, text, len);
}

// Writes an output. A reader may be slow, and must not keep the program from ending; a plain file is whole or absent.
static bool put(struct work *w, const char *path, const void *data, size_t size)
{
    const struct message_sink sink = {.say = say_into, .user = &w->place->said};
    bool stream = cli_is_stream(path);
    if (!stream)
        pthread_rwlock_rdlock(&w->c->ending);
    bool ok = cli_write(path, data, size, &sink);
    if (!stream)
        pthread_rwlock_unlock(&w->c->ending);
    return ok;
}

// False: that is nothing that this process may write.
static bool take_output(struct work *w, const uint8_t *path, size_t path_size, const uint8_t *data, size_t size)
{
    struct confined *c = w->c;
    char *name = strndup((const char *)path, path_size);
    struct confined_order answer = {.task = w->task};
    bool allowed = name && c->work->writes && c->work->writes(c->run->user, w->task, name);
    answer.ok = allowed && put(w, name, data, size);
    free(name);
    return allowed && pl_pass_send(w->place->channel, &answer, sizeof answer, -1);
}

// Is the head of a word possible at all?
static bool plausible(const struct confined *c, const struct confined_word *word)
{
    bool output = word->kind == CONFINED_OUTPUT;
    size_t most = output ? c->work->memory : word->kind == CONFINED_SAY ? CONFINED_SAY_MAX : 0;
    return word->kind <= CONFINED_DONE && word->size <= most && word->path_size <= (output ? CONFINED_PATH_MAX : 0);
}

// Lines go to terminals: a process that was taken over gives them no orders.
static void make_plain(uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((text[i] < ' ' && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7F)
            text[i] = '?';
    }
}

// The next word of the process. DONE: it is done with the task.
static enum outcome listen_once(struct work *w)
{
    struct confined_place *place = w->place;
    struct confined_word word;
    bool answers = w->c->work->accept != NULL;
    enum outcome outcome = move(place, POLLIN, &word, sizeof word);
    if (outcome != GOES_ON)
        return outcome;
    if (!plausible(w->c, &word))
        return DIED;
    if (!answers && place->said.len + word.size > CONFINED_SAID_MAX)
        pass_on(w);
    struct pl_buf *room = word.kind == CONFINED_SAY ? &place->said : &place->in;
    size_t path_size = (size_t)word.path_size, size = (size_t)word.size;
    uint8_t *rest = pl_buf_reserve(room, path_size + size);
    if (!rest)
        return NO_MEMORY;
    outcome = move(place, POLLIN, rest, path_size + size);
    if (outcome != GOES_ON)
        return outcome;
    if (word.kind == CONFINED_SAY) {
        if (!answers)
            make_plain(rest, size);
        room->len += size;
    } else if (word.kind == CONFINED_OUTPUT) {
        return take_output(w, rest, path_size, rest + path_size, size) ? GOES_ON : DIED;
    } else {
        place->ok = word.ok == 1;
        place->done++;
        if (word.retires)
            (void)replace(w->c, place);
        return DONE;
    }
    return GOES_ON;
}

// ---- a task

// A pipe without a writer yet is waited for, as long as the time of a task. False: nobody came.
static bool wait_for_writer(const struct confined_place *place, int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    return poll(&ready, 1, (int)PL_MIN(place->left_ns / NS_PER_MS, (uint64_t)INT32_MAX)) > 0;
}

static enum outcome open_input(struct work *w, const char *path, int *fd)
{
    struct stat st;
    bool standard = strcmp(path, "-") == 0;
    *fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    w->error = errno;
    if (*fd < 0)
        return UNREADABLE;
    w->again = !standard && fstat(*fd, &st) == 0 && S_ISREG(st.st_mode);
    if (standard || w->again)
        return GOES_ON;
    fcntl(*fd, F_SETFL, O_RDONLY);
    return fstat(*fd, &st) == 0 && S_ISFIFO(st.st_mode) && !wait_for_writer(w->place, *fd) ? LATE : GOES_ON;
}

// Has the task done by the process.
static enum outcome ask(struct work *w, const struct confined_input *input)
{
    int fd = -1;
    enum outcome outcome = input->path ? open_input(w, input->path, &fd) : GOES_ON;
    const struct pl_slice parts[] = {input->head, input->body ? pl_buf_slice(input->body) : pl_slice_make(NULL, 0)};
    const struct confined_order order = {.task = w->task, .size = parts[0].len + parts[1].len};
    if (outcome == GOES_ON && !pl_pass_send(w->place->channel, &order, sizeof order, fd))
        outcome = DIED;
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; outcome == GOES_ON && i < PL_COUNTOF(parts); i++)
        outcome = move(w->place, POLLOUT, (void *)(uintptr_t)parts[i].ptr, parts[i].len);
    while (outcome == GOES_ON)
        outcome = listen_once(w);
    return outcome;
}

static void tell_failure(const struct work *w, enum outcome outcome, int status)
{
    static const enum confined_failure FAILURES[] = {[LATE] = CONFINED_LATE,
                                                     [DIED] = CONFINED_DIED,
                                                     [UNREADABLE] = CONFINED_UNREADABLE,
                                                     [NO_MEMORY] = CONFINED_MEMORY};
    const struct confined_work *work = w->c->work;
    char text[128];
    const char *why = text;
    unsigned long long ms = work->timeout_ms;
    if (outcome == UNREADABLE)
        why = strerror(w->error);
    else if (outcome == NO_MEMORY)
        why = "not enough memory";
    else if (outcome == LATE)
        snprintf(text, sizeof text, "not %s within %llu %s (--timeout)", work->done, ms % 1000 == 0 ? ms / 1000 : ms,
                 ms % 1000 == 0 ? "s" : "ms");
    else if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "not %s: the process crashed (%s)", work->done, strsignal(WTERMSIG(status)));
    else
        snprintf(text, sizeof text, "not %s: the process ended", work->done);
    work->fail(w->c->run->user, w->task, FAILURES[outcome], why, w->sink);
}

// Once, in the process that the place has now. *status is that of a process that did not survive it.
static enum outcome try_task(struct work *w, const struct confined_input *input, int *status)
{
    struct confined_place *place = w->place;
    const struct confined_work *work = w->c->work;
    uint64_t whole_ns = work->timeout_ms * NS_PER_MS;
    place->left_ns = whole_ns - PL_MIN(input->spent_ns, whole_ns - 1);
    place->ok = false;
    pl_buf_clear(&place->said);
    enum outcome outcome = ask(w, input);
    if (outcome == DONE && work->accept && (!place->ok || place->said.len == 0))
        return NO_MEMORY;
    if (outcome == DONE && work->accept && !work->accept(w->c->run->user, w->task, pl_buf_slice(&place->said)))
        outcome = DIED;
    if (outcome != DONE && outcome != UNREADABLE)
        *status = replace(w->c, place);
    return outcome;
}

bool confined_place_do(void *user, size_t task, const struct runner_place *at)
{
    struct confined *c = user;
    struct confined_place *place = &c->places[at->index];
    struct work w = {.c = c, .place = place, .sink = at->sink, .task = task, .again = true};
    struct confined_input input = {0};
    if (!c->work->input(c->run->user, task, at->sink, &input))
        return true;
    int status = 0;
    bool used = place->done > 0;
    place->told = false;
    enum outcome outcome = try_task(&w, &input, &status);
    // An earlier task may have spoilt the process: this one gets another, unless that would be noticed.
    if (outcome == DIED && used && w.again && !place->told && place->channel >= 0)
        outcome = try_task(&w, &input, &status);
    if (outcome == DONE || !c->work->accept)
        pass_on(&w);
    if (outcome != DONE)
        tell_failure(&w, outcome, status);
    struct pl_buf *rooms[] = {&place->in, &place->said, input.body};
    for (size_t i = 0; i < PL_COUNTOF(rooms); i++) {
        if (rooms[i] && (rooms[i]->cap > SPARE_BYTES || rooms[i]->failed))
            pl_buf_fini(rooms[i]);
        if (rooms[i])
            pl_buf_clear(rooms[i]);
    }
    return outcome == DONE && place->ok;
}
