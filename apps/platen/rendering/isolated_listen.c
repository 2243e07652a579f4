// What a worker of `platen render --timeout` says. Nothing of it is believed unchecked, and a worker that says half of
// it is not waited for.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/ckd.h"
#include "isolated_place.h"
#include "process/pass.h"

// Writes an output. A reader may be slow, and then signals end the program as always; a plain file is whole or absent.
static bool put(struct run *run, struct place *place, const char *path, const void *data, size_t size)
{
    sigset_t blocked;
    bool stream = cli_is_stream(path);
    struct message_sink sink = place_sink(place);
    if (stream)
        sigprocmask(SIG_SETMASK, &run->mask, &blocked);
    bool ok = cli_write(path, data, size, &sink);
    if (stream)
        sigprocmask(SIG_SETMASK, &blocked, NULL);
    return ok;
}

// The answer of a task: one, and nothing that ends a text.
static bool handle_answer(const struct isolated_task *task, struct place *place, size_t path_size, const uint8_t *data,
                          size_t size)
{
    const struct isolated_order received = {.item = place->item, .ok = true};
    if (path_size != 0 || size == 0 || place->said.len > 0 || memchr(data, '\0', size) ||
        !task->accept(pl_slice_make(data, size)))
        return false;
    pl_buf_append(&place->said, data, size);
    return pl_pass_send(place->channel, &received, sizeof received, -1);
}

// False: that is nothing that this worker may write.
static bool handle_output(struct run *run, struct place *place, const uint8_t *path, size_t path_size,
                          const uint8_t *data, size_t size)
{
    if (run->batch->plan.task)
        return handle_answer(run->batch->plan.task, place, path_size, data, size);
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
        if (run->batch->plan.task)
            return false;
        say_plainly(place, rest, (size_t)word->size);
        return true;
    case ISOLATED_OUTPUT:
        return handle_output(run, place, rest, (size_t)word->path_size, rest + word->path_size, (size_t)word->size);
    case ISOLATED_DONE:
        place_end_file(run, place, word);
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
    return word->size <= most && word->path_size <= (word->kind == ISOLATED_OUTPUT ? ISOLATED_PATH_MAX : 0);
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
        } else if (word.kind == ISOLATED_SAY && place->said.len + word.size > ISOLATED_SAID_MAX &&
                   !place_pass_on(run, place)) {
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

void place_listen(struct run *run, struct place *place)
{
    size_t missing = 0;
    bool ok = handle_all(run, place, &missing); // of one that was held
    if (ok && place->state == BUSY) {
        uint8_t *room =
            pl_buf_reserve(&place->in, PL_MAX(PL_MIN(missing, ISOLATED_READ_BYTES * 4), ISOLATED_READ_BYTES));
        ssize_t n = room ? recv(place->channel, room, place->in.cap - place->in.len, MSG_DONTWAIT) : 0;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return;
        ok = n > 0;
        place->in.len += (size_t)PL_MAX(n, 0);
        ok = ok && handle_all(run, place, &missing);
    }
    if (!ok && place->state == BUSY)
        place_end_died(run, place);
}
