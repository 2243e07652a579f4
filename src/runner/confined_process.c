// A process of a confined run: does one task after the other. It opens no file: inputs are handed to it, and outputs go
// back to the program.
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "process/channel.h"
#include "process/limits.h"
#include "process/pass.h"
#include "renderer/renderer_calls.h"
#include "renderer/renderer_traps.h"
#include "runner/confined_place.h"

#define STACK_BYTES ((size_t)8 << 20)

struct process {
    int channel;
    int input; // of the task at hand; -1: its input are bytes
};

// Without the program there is nobody to work for.
static void tell(const struct process *process, const struct confined_word *word, const char *path, const void *data)
{
    struct iovec parts[] = {{(void *)(uintptr_t)word, sizeof *word},
                            {(void *)(uintptr_t)path, (size_t)word->path_size},
                            {(void *)(uintptr_t)data, (size_t)word->size}};
    if (!pl_channel_write(process->channel, parts, PL_COUNTOF(parts)))
        _exit(1);
}

static void say(void *user, const char *text, size_t len)
{
    tell(user, &(struct confined_word){.kind = CONFINED_SAYS, .size = len}, NULL, text);
}

static bool read_input(void *user, const char *path, size_t limit, struct cli_input *out,
                       const struct message_sink *sink)
{
    const struct process *process = user;
    bool ok = cli_read_from(process->input, path, limit, out, sink);
    if (ok)
        renderer_trap(out->data, out->size);
    return ok;
}

// What fails is told by the program, which writes the file.
static bool write_output(void *user, const char *path, const void *data, size_t size, const struct message_sink *sink)
{
    const struct process *process = user;
    struct confined_order answer;
    int none;
    (void)sink;
    tell(process, &(struct confined_word){.kind = CONFINED_WRITES, .path_size = strlen(path) + 1, .size = size}, path,
         data);
    if (!pl_pass_receive(process->channel, &answer, sizeof answer, &none))
        _exit(1);
    return answer.ok;
}

// Does it hold so much memory that the next task might not have enough?
static bool has_grown(const struct confined_work *work)
{
    struct mallinfo2 heap = mallinfo2();
    return heap.arena + heap.hblkhd > work->memory / 4;
}

bool confined_process_prepare(void *user)
{
    struct confined *c = user;
    return platen_worker_new(c->run->engine, &c->worker, NULL) == PLATEN_OK;
}

int confined_process_run(void *user, int channel, struct pl_shared *shared)
{
    const struct confined *c = user;
    (void)shared;
    const struct pl_process_limits limits = {.memory = c->work->memory, .stack = STACK_BYTES};
    if (!pl_process_limit(&limits) || !renderer_confine())
        return 1;
    struct process process = {.channel = channel};
    struct pl_buf bytes;
    struct confined_order order;
    const struct cli_files files = {.read = read_input, .write = write_output, .user = &process};
    const struct message_sink sink = {.say = say, .user = &process};
    struct runner_place place = {.worker = c->worker, .files = &files, .sink = &sink};
    pl_buf_init(&bytes, c->work->memory);
    while (pl_pass_receive(channel, &order, sizeof order, &process.input)) {
        pl_buf_clear(&bytes);
        uint8_t *room = pl_buf_reserve(&bytes, (size_t)order.size);
        if (!room || !pl_channel_read(channel, room, (size_t)order.size))
            _exit(1);
        place.bytes = pl_slice_make(room, (size_t)order.size);
        bool ok = c->run->task(c->run->user, (size_t)order.task, &place);
        if (process.input >= 0)
            close(process.input);
        tell(&process, &(struct confined_word){.kind = CONFINED_ENDS, .ok = ok, .retires = !ok || has_grown(c->work)},
             NULL, NULL);
    }
    platen_worker_free(c->worker);
    pl_buf_fini(&bytes);
    return 0;
}
