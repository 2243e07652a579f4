// The work of a process of `platen render --timeout`.
#include "isolated_worker.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "process/channel.h"
#include "process/limits.h"
#include "process/pass.h"
#include "renderer/renderer_calls.h"
#include "renderer/renderer_traps.h"

#define STACK_BYTES ((size_t)8 << 20)

struct isolated {
    int channel;
    int input; // of the file at hand
};

char *isolated_output(const struct isolated_plan *plan, size_t item)
{
    if (plan->task)
        return strdup("");
    return plan->out_dir
               ? render_output_path(plan->out_dir, plan->inputs->paths[item], plan->request->common.controls.format)
               : strdup(plan->output);
}

// Without the program there is nobody to work for.
static void tell(const struct isolated *worker, const struct isolated_word *word, const char *path, const void *data)
{
    struct iovec parts[] = {{(void *)(uintptr_t)word, sizeof *word},
                            {(void *)(uintptr_t)path, (size_t)word->path_size},
                            {(void *)(uintptr_t)data, (size_t)word->size}};
    if (!pl_channel_write(worker->channel, parts, PL_COUNTOF(parts)))
        _exit(1);
}

static void say(void *user, const char *text, size_t len)
{
    while (len > 0) {
        size_t n = PL_MIN(len, ISOLATED_SAY_MAX);
        tell(user, &(struct isolated_word){.kind = ISOLATED_SAY, .size = n}, NULL, text);
        text += n;
        len -= n;
    }
}

static bool read_input(void *user, const char *path, size_t limit, struct cli_input *out,
                       const struct message_sink *sink)
{
    const struct isolated *worker = user;
    bool ok = cli_read_from(worker->input, path, limit, out, sink);
    if (ok)
        renderer_trap(out->data, out->size);
    return ok;
}

// What fails is told by the program, which writes the file.
static bool write_output(void *user, const char *path, const void *data, size_t size, const struct message_sink *sink)
{
    const struct isolated *worker = user;
    struct isolated_order answer;
    int none;
    (void)sink;
    tell(worker, &(struct isolated_word){.kind = ISOLATED_OUTPUT, .path_size = strlen(path), .size = size}, path, data);
    if (!pl_pass_receive(worker->channel, &answer, sizeof answer, &none))
        _exit(1);
    return answer.ok;
}

static void run_task(const struct isolated_plan *plan, const struct render_files *files, size_t item)
{
    struct pl_buf answer;
    pl_buf_init(&answer, plan->memory / 2);
    plan->task->run(plan->task, plan->worker, files, item, &answer);
    if (!answer.failed)
        write_output(files->user, "", answer.data, answer.len, NULL);
    pl_buf_fini(&answer);
}

// Does it hold so much memory that the next file might not have enough?
static bool has_grown(const struct isolated_plan *plan)
{
    struct mallinfo2 heap = mallinfo2();
    return heap.arena + heap.hblkhd > plan->memory / 4;
}

bool isolated_worker_prepare(void *user)
{
    struct isolated_plan *plan = user;
    return platen_worker_new(plan->request->engine, &plan->worker, NULL) == PLATEN_OK;
}

int isolated_worker_run(void *user, int channel, struct pl_shared *shared)
{
    struct isolated_plan *plan = user;
    (void)shared;
    const struct pl_process_limits limits = {.memory = plan->memory, .stack = STACK_BYTES};
    if (!pl_process_limit(&limits) || !renderer_confine())
        return 1;
    struct isolated worker = {.channel = channel};
    const struct render_files files = {.read = read_input, .write = write_output, .user = &worker};
    const struct message_sink sink = {.say = say, .user = &worker};
    struct render_request request = *plan->request;
    request.files = &files;
    request.jobs = 1; // it may start no threads
    struct isolated_order order;
    while (pl_pass_receive(channel, &order, sizeof order, &worker.input)) {
        if (plan->task) {
            run_task(plan, &files, order.item);
            close(worker.input);
            tell(&worker, &(struct isolated_word){.kind = ISOLATED_DONE, .ok = true, .retires = has_grown(plan)}, NULL,
                 NULL);
            continue;
        }
        char *output = isolated_output(plan, order.item);
        if (!output)
            message_print(&sink, "platen: %s: not enough memory\n", plan->inputs->paths[order.item]);
        bool ok = output && render_file(plan->worker, &request, plan->inputs->paths[order.item], output, &sink);
        free(output);
        close(worker.input);
        tell(&worker, &(struct isolated_word){.kind = ISOLATED_DONE, .ok = ok, .retires = !ok || has_grown(plan)}, NULL,
             NULL);
    }
    platen_worker_free(plan->worker);
    return 0;
}
