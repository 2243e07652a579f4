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

// A task at its place.
struct work {
    struct confined *c;
    struct confined_place *place;
    const struct message_sink *sink;
    size_t task;
    bool again; // its input can be read once more
    int error;  // of CONFINED_UNREADABLE: errno
};

// ---- the life of a process

// A process for a place that has none, or another one. Returns the status of the old one. place->channel is -1 where
// none can be had; a line was printed.
static int replace(struct confined *c, struct confined_place *place)
{
    struct pl_replaced replaced;
    struct pl_error err;
    if (place->channel >= 0)
        close(place->channel);
    place->done = 0;
    enum pl_errc code = pl_keeper_replace(&c->keeper, (uint32_t)(place - c->places), &replaced, &err);
    while (atomic_load(&c->ends))
        pause();
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
static enum confined_end move(struct confined_place *place, short direction, void *data, size_t size)
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
            return CONFINED_DIED;
        uint64_t spent = PL_MIN(pl_now_ns() - began, wait + LATE_WAKE_NS);
        place->left_ns -= PL_MIN(place->left_ns, spent);
        if (place->left_ns == 0)
            return CONFINED_LATE;
        if (!later) {
            at += n;
            size -= (size_t)n;
        }
    }
    return CONFINED_GOES_ON;
}

static void pass_on(struct work *w)
{
    struct confined_place *place = w->place;
    place->told = place->told || place->said.len > 0;
    message_say(w->sink, place->said.data, place->said.len);
    pl_buf_clear(&place->said);
}

// Writes an output, if the process may. A reader may be slow, and must not keep the program from ending; a plain file
// is whole or absent. False: it may not.
static bool take_output(struct work *w, const char *path, const void *data, size_t size)
{
    struct confined *c = w->c;
    struct confined_order answer = {.task = w->task};
    const struct message_sink sink = message_into(&w->place->said);
    if (!c->work->writes || !c->work->writes(c->run->user, w->task, path))
        return false;
    bool stream = cli_is_stream(path);
    if (!stream)
        pthread_rwlock_rdlock(&c->writing);
    answer.ok = cli_write(path, data, size, &sink);
    if (!stream)
        pthread_rwlock_unlock(&c->writing);
    return pl_pass_send(w->place->channel, &answer, sizeof answer, -1);
}

// Is the head of a word possible at all? A path ends with its NUL.
static bool plausible(const struct confined *c, const struct confined_word *word)
{
    bool writes = word->kind == CONFINED_WRITES;
    return word->kind <= CONFINED_ENDS && word->size <= (word->kind == CONFINED_ENDS ? 0 : c->work->memory) &&
           (writes ? word->path_size > 0 && word->path_size <= CONFINED_PATH_MAX : word->path_size == 0);
}

// Lines go to terminals: a process that was taken over gives them no orders.
static void make_plain(uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((text[i] < ' ' && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7F)
            text[i] = '?';
    }
}

// The next word of the process. CONFINED_DONE: it is done with the task.
static enum confined_end listen_once(struct work *w)
{
    struct confined_place *place = w->place;
    struct confined_word word;
    bool answers = w->c->work->accept != NULL;
    enum confined_end end = move(place, POLLIN, &word, sizeof word);
    if (end != CONFINED_GOES_ON)
        return end;
    if (!plausible(w->c, &word))
        return CONFINED_DIED;
    if (!answers && place->said.len + word.size > CONFINED_SAID_MAX)
        pass_on(w);
    struct pl_buf *room = word.kind == CONFINED_SAYS ? &place->said : &place->in;
    size_t path_size = (size_t)word.path_size, size = (size_t)word.size;
    uint8_t *rest = pl_buf_reserve(room, path_size + size);
    if (!rest)
        return CONFINED_NO_MEMORY;
    end = move(place, POLLIN, rest, path_size + size);
    if (end != CONFINED_GOES_ON)
        return end;
    if (word.kind == CONFINED_SAYS) {
        if (!answers)
            make_plain(rest, size);
        room->len += size;
    } else if (word.kind == CONFINED_WRITES) {
        bool allowed = rest[path_size - 1] == '\0' && take_output(w, (char *)rest, rest + path_size, size);
        return allowed ? CONFINED_GOES_ON : CONFINED_DIED;
    } else {
        place->ok = word.ok == 1;
        place->done++;
        if (word.retires)
            (void)replace(w->c, place);
        return CONFINED_DONE;
    }
    return CONFINED_GOES_ON;
}

// ---- a task

// A pipe without a writer yet is waited for in the task's time. False: nobody came.
static bool wait_for_writer(struct confined_place *place, int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    uint64_t began = pl_now_ns();
    bool came = poll(&ready, 1, (int)PL_MIN(place->left_ns / NS_PER_MS, (uint64_t)INT32_MAX)) > 0;
    place->left_ns -= PL_MIN(place->left_ns, pl_now_ns() - began);
    return came && place->left_ns > 0;
}

static enum confined_end open_input(struct work *w, const char *path, int *fd)
{
    struct stat st;
    bool standard = strcmp(path, "-") == 0;
    *fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    w->error = errno;
    if (*fd < 0)
        return CONFINED_UNREADABLE;
    w->again = !standard && fstat(*fd, &st) == 0 && S_ISREG(st.st_mode);
    if (standard || w->again)
        return CONFINED_GOES_ON;
    fcntl(*fd, F_SETFL, O_RDONLY);
    return fstat(*fd, &st) == 0 && S_ISFIFO(st.st_mode) && !wait_for_writer(w->place, *fd) ? CONFINED_LATE
                                                                                           : CONFINED_GOES_ON;
}

// Has the task done by the process.
static enum confined_end ask(struct work *w, const struct confined_input *input)
{
    int fd = -1;
    char *const *paths = w->c->work->paths;
    enum confined_end end = paths ? open_input(w, paths[w->task], &fd) : CONFINED_GOES_ON;
    const struct pl_slice parts[] = {input->head, input->body ? pl_buf_slice(input->body) : pl_slice_make(NULL, 0)};
    const struct confined_order order = {.task = w->task, .size = parts[0].len + parts[1].len};
    if (end == CONFINED_GOES_ON && !pl_pass_send(w->place->channel, &order, sizeof order, fd))
        end = CONFINED_DIED;
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; end == CONFINED_GOES_ON && i < PL_COUNTOF(parts); i++)
        end = move(w->place, POLLOUT, (void *)(uintptr_t)parts[i].ptr, parts[i].len);
    while (end == CONFINED_GOES_ON)
        end = listen_once(w);
    return end;
}

static void tell_failure(const struct work *w, enum confined_end end, int status)
{
    const struct confined_work *work = w->c->work;
    char text[128];
    const char *why = text;
    unsigned long long ms = work->timeout_ms;
    if (end == CONFINED_UNREADABLE)
        why = strerror(w->error);
    else if (end == CONFINED_NO_MEMORY)
        why = "not enough memory";
    else if (end == CONFINED_LATE)
        snprintf(text, sizeof text, "not %s within %llu %s (--timeout)", work->verb, ms % 1000 == 0 ? ms / 1000 : ms,
                 ms % 1000 == 0 ? "s" : "ms");
    else if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "not %s: the process crashed (%s)", work->verb, strsignal(WTERMSIG(status)));
    else
        snprintf(text, sizeof text, "not %s: the process ended", work->verb);
    work->fail(w->c->run->user, w->task, end, why, w->sink);
}

// Once, in the process that the place has now. *status is that of a process that did not survive it.
static enum confined_end try_task(struct work *w, const struct confined_input *input, int *status)
{
    struct confined_place *place = w->place;
    const struct confined_work *work = w->c->work;
    uint64_t whole_ns = work->timeout_ms * NS_PER_MS;
    place->left_ns = whole_ns - PL_MIN(input->spent_ns, whole_ns - 1);
    place->ok = false;
    pl_buf_clear(&place->said);
    enum confined_end end = ask(w, input);
    if (end == CONFINED_DONE && work->accept && (!place->ok || place->said.len == 0))
        return CONFINED_NO_MEMORY;
    if (end == CONFINED_DONE && work->accept &&
        !work->accept(w->c->run->user, w->task, pl_buf_slice(&place->said), w->sink))
        end = CONFINED_DIED;
    if (end != CONFINED_DONE && end != CONFINED_UNREADABLE)
        *status = replace(w->c, place);
    return end;
}

static void forget(struct pl_buf *buf)
{
    if (buf->cap > SPARE_BYTES)
        pl_buf_fini(buf);
    pl_buf_clear(buf);
}

bool confined_place_do(void *user, size_t task, const struct runner_place *at)
{
    struct confined *c = user;
    struct confined_place *place = &c->places[at->index];
    struct work w = {.c = c, .place = place, .sink = at->sink, .task = task, .again = true};
    struct confined_input input = {0};
    if (!c->work->paths && !c->work->input(c->run->user, task, &input))
        return true;
    int status = 0;
    bool used = place->done > 0;
    place->told = false;
    enum confined_end end = try_task(&w, &input, &status);
    // An earlier task may have spoilt the process: this one gets another, unless that would be noticed.
    if (end == CONFINED_DIED && used && w.again && !place->told && place->channel >= 0)
        end = try_task(&w, &input, &status);
    if (!c->work->accept)
        pass_on(&w);
    if (end != CONFINED_DONE)
        tell_failure(&w, end, status);
    forget(&place->in);
    forget(&place->said);
    if (input.body)
        forget(input.body);
    return end == CONFINED_DONE && place->ok;
}
