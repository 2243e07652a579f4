// The peers of the simulated printers: a renderer that takes its time, a folder, and the processes that write files and
// speak to other machines: fast, slow, hanging, or dying.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/files.h"
#include "printer_sim.h"

// ---- jobs

struct psim_job *psim_job_of(struct pl_slice code)
{
    const uint8_t *at = code.len >= 9 ? memmem(code.ptr, code.len, "^FXj", 4) : NULL;
    if (!at || (size_t)(code.ptr + code.len - at) < 9)
        return NULL;
    uint32_t index = (uint32_t)strtoul((const char *)at + 4, NULL, 10);
    return index < psim.job_count ? &psim.jobs[index] : NULL;
}

uint64_t __real_printer_submit(struct printer *p, struct printer_job *job);
uint64_t __wrap_printer_submit(struct printer *p, struct printer_job *job);
uint64_t __wrap_printer_submit(struct printer *p, struct printer_job *job)
{
    struct psim_job *mine = job->refused ? NULL : psim_job_of(pl_buf_slice(&job->code));
    const char *port = strrchr(job->source.text, ':');
    uint32_t client = job->refused && port ? (uint32_t)strtoul(port + 1, NULL, 10) - 10000 : 128;
    if (client < 128)
        psim.refused[client] = true;
    psim.scraps += !mine && !job->refused && !job->quiet && !job->forwarded;
    if (job->refused)
        psim.refused_place[job->source.client % TURNS_PLACES] = true;
    if (mine && mine->way == WAY_JSON)
        psim_fail("label code from the JSON port becomes a job");
    // A whole file is taken when its connection ends, too; jobs that were kept join the queue at once.
    if (mine && mine->way != WAY_LPD && !job->forwarded)
        psim_check_queue(p);
    psim_submits(p, job);
    // Behind a reset it waits for all that is before that.
    bool is_behind = false;
    for (const struct printer_job *other = p->first; other; other = other->next)
        is_behind = is_behind || other->is_barrier;
    uint64_t number = __real_printer_submit(p, job);
    if (mine) {
        mine->number = number;
        mine->place = (uint32_t)(job->source.client % TURNS_PLACES);
        mine->draws = is_behind ? UINT32_MAX : psim.draw_count;
    }
    psim_note("job %llu is submitted by %s: client %d, its job %d", (unsigned long long)number, job->source.text,
              mine ? (int)mine->client : -1, mine ? (int)mine->order : -1);
    return number;
}

static struct {
    uint32_t order, index;
} last_printed[128];

void __real_printer_hub_printed(struct printer_hub *hub, struct printer *p, struct printed_label *label);
void __wrap_printer_hub_printed(struct printer_hub *hub, struct printer *p, struct printed_label *label);
void __wrap_printer_hub_printed(struct printer_hub *hub, struct printer *p, struct printed_label *label)
{
    struct psim_job *job = psim_job_of(blob_slice(label->zpl));
    for (uint32_t i = 0; !label->zpl && label->refused[0] && !job && i < psim.job_count; i++)
        job = psim.jobs[i].number == label->job ? &psim.jobs[i] : NULL; // there was no memory for its code
    if (job && label->refused[0]) {
        job->refused++;
    } else if (job) {
        if (label->index >= job->labels || p->index != job->printer)
            psim_fail("a label of another job or printer is printed");
        if (last_printed[job->client].order > job->order ||
            (last_printed[job->client].order == job->order && last_printed[job->client].index > label->index))
            psim_fail("job %u of client %u is printed after job %u", job->order, job->client,
                      last_printed[job->client].order);
        last_printed[job->client].order = job->order;
        last_printed[job->client].index = label->index;
        if (job->printed[label->index]++ > 0)
            psim_fail("label %u of job %u of client %u is printed twice", label->index, job->order, job->client);
    }
    __real_printer_hub_printed(hub, p, label);
    const char *reason = atomic_load(&label->not_kept);
    if (reason && (!psim.starved || !strstr(reason, "memory")))
        psim_fail("the files of a label are not kept: %s", reason);
}

// ---- the renderer

void psim_counts_draw(uint32_t printer, uint32_t place)
{
    if (psim.draw_count == PL_COUNTOF(psim.draws))
        psim_fail("too many draws");
    psim.draws[psim.draw_count].printer = printer;
    psim.draws[psim.draw_count++].place = place;
}

// While a job waited, nobody else had more turns than its own client; one more was being drawn, and one was first.
static void check_turns(const struct psim_job *job)
{
    static uint32_t turns[TURNS_PLACES]; // too large for the stacks of simulated threads
    memset(turns, 0, sizeof turns);
    for (uint32_t i = job->draws; i < psim.draw_count; i++)
        turns[psim.draws[i].place] += psim.draws[i].printer == job->printer;
    for (uint32_t i = 0; i < TURNS_PLACES; i++) {
        if (i != job->place && !psim.refused_place[job->place] && turns[i] > turns[job->place] + 2)
            psim_fail("job %u of client %u waits for %u jobs of another client, and for %u of its own", job->order,
                      job->client, turns[i], turns[job->place]);
    }
    psim_counts_draw(job->printer, job->place);
}

void job_result_init(struct job_result *result)
{
    *result = (struct job_result){0};
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        pl_buf_init(&result->parts[i], SIZE_MAX / 2);
    pl_buf_init(&result->replies, SIZE_MAX / 2);
    pl_buf_init(&result->stored, SIZE_MAX / 2);
}

void job_result_free(struct job_result *result)
{
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        pl_buf_fini(&result->parts[i]);
    pl_buf_fini(&result->replies);
    pl_buf_fini(&result->stored);
}

void label_part_init(struct label_part *part)
{
    memset(part, 0, sizeof *part);
    pl_buf_init(&part->members, 1000);
    pl_buf_init(&part->warnings, 1000);
}

void label_part_free(struct label_part *part)
{
    pl_buf_fini(&part->members);
    pl_buf_fini(&part->warnings);
}

void summary_free(struct summary *summary)
{
    free(summary->memory);
    summary->memory = NULL;
}

enum platen_status renderer_ask_job(struct renderer_link *link, const struct render_ask *ask,
                                    const struct memory_image *memory, struct pl_slice zpl, const struct pl_job *limits,
                                    struct summary *summary, struct label_part *part, struct job_result *result,
                                    struct platen_error *err)
{
    static uint8_t picture[64];
    const struct psim_job *job = psim_job_of(zpl);
    bool armed = psim.memory_armed;
    (void)link;
    const uint32_t printer = (uint32_t)(ask->client - ((uint64_t)1 << 62));
    uint32_t width = psim_draws_settings(printer, memory->parts[PLATEN_MEMORY_SETTINGS], zpl);
    if (job && ask->opens)
        check_turns(job);
    psim.memory_armed = false;
    uint64_t until = psim.now_ns + sim_range(&psim.order, 0, psim.world.render_ns);
    while (psim.now_ns < until && !atomic_load(limits->cancelled) && !psim.ended)
        psim_run_until(PL_MIN(until, psim.now_ns + SIM_MS));
    psim.memory_armed = armed;
    psim_has_drawn(printer);
    if (atomic_load(limits->cancelled)) {
        err->status = RENDER_E_KILLED;
        return RENDER_E_KILLED;
    }
    if (result) {
        result->number = ask->job.memory_after;
        result->settings.print_width = width;
        result->changed = PLATEN_CHANGED_SETTINGS;
        pl_buf_append(&result->parts[PLATEN_MEMORY_SETTINGS], &width, sizeof width);
        pl_buf_append_cstr(&result->stored, "[]");
    }
    if (ask->opens) {
        uint32_t labels = job ? job->labels : 0;
        uint32_t *copies = summary->memory = malloc(sizeof *copies * PSIM_LABELS);
        if (!copies) {
            err->status = RENDER_E_NONE;
            return RENDER_E_NONE;
        }
        for (int i = 0; i < PSIM_LABELS; i++)
            copies[i] = 1;
        summary->labels = labels;
        summary->copies = copies;
    }
    part->drawn = ask->labels.label < summary->labels;
    pl_buf_clear(&part->members);
    pl_buf_clear(&part->warnings);
    pl_buf_append_cstr(&part->members, "\"x\":1");
    pl_buf_append_cstr(&part->warnings, "[]");
    part->file.data = picture;
    part->file.size = sizeof picture;
    return PLATEN_OK;
}

enum pl_errc renderer_link_open(struct renderers *renderers, struct renderer_link *link, struct pl_error *err)
{
    (void)renderers, (void)link, (void)err;
    return PL_OK;
}

void renderer_link_close(struct renderer_link *link)
{
    (void)link;
}

void __wrap_http_events_send(struct http_server *server, uint32_t topic, uint64_t id, const char *name,
                             struct pl_slice data);
void __wrap_http_events_send(struct http_server *server, uint32_t topic, uint64_t id, const char *name,
                             struct pl_slice data)
{
    (void)server, (void)topic, (void)id, (void)name, (void)data;
}

// ---- the folder

static struct {
    char name[128];
    uint8_t *bytes;
    size_t size;
} files[PSIM_FILES];

static int find_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    for (int i = 0; i < PSIM_FILES; i++) {
        if (files[i].bytes && strcmp(files[i].name, slash ? slash + 1 : path) == 0)
            return i;
    }
    return -1;
}

bool psim_has_kept(uint32_t printer)
{
    char name[64];
    snprintf(name, sizeof name, "p%u.jobs", printer);
    return find_file(name) >= 0;
}

static void save_file(const char *name, const uint8_t *bytes, size_t size)
{
    int i = find_file(name);
    for (int k = 0; i < 0 && k < PSIM_FILES; k++)
        i = files[k].bytes ? -1 : k;
    if (i < 0)
        psim_fail("too many files");
    psim_free(files[i].bytes);
    snprintf(files[i].name, sizeof files[i].name, "%s", name);
    files[i].bytes = psim_alloc(size + 1);
    files[i].size = size;
    memcpy(files[i].bytes, bytes, size);
}

bool __wrap_pl_os_map(const char *path, uint64_t most, const void **bytes, size_t *size);
bool __wrap_pl_os_map(const char *path, uint64_t most, const void **bytes, size_t *size)
{
    int i = find_file(path);
    (void)most;
    errno = ENOENT;
    if (i < 0)
        return false;
    *bytes = files[i].bytes;
    *size = files[i].size;
    return true;
}

void __wrap_pl_os_unmap(const void *bytes, size_t size);
void __wrap_pl_os_unmap(const void *bytes, size_t size)
{
    (void)bytes, (void)size;
}

int __wrap_unlink(const char *path);
int __wrap_unlink(const char *path)
{
    int i = find_file(path);
    errno = ENOENT;
    if (i < 0)
        return -1;
    psim_free(files[i].bytes);
    files[i].bytes = NULL;
    return 0;
}

// One process has the folder.
enum pl_errc __wrap_printer_state_lock(struct printer_hub *hub, struct pl_error *err);
enum pl_errc __wrap_printer_state_lock(struct printer_hub *hub, struct pl_error *err)
{
    (void)hub, (void)err;
    return PL_OK;
}

int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode)
{
    (void)mode;
    return strstr(path, ".jobs") && find_file(path) < 0 ? -1 : 0;
}

// ---- the processes

static struct helper_process {
    bool used, dead;
    enum psim_peer peer;
    struct printer_progress progress;
    uint8_t *pipe, *task;
    size_t len, cap, task_len, task_cap;
    uint64_t ready_ns;
    uint32_t lives; // tasks until it dies
} procs[PSIM_HELPERS];

static const char *const NAMES[PSIM_HELPERS] = {"platen-files", "platen-forward", "platen-print-to", "platen-webhook"};

void psim_peers_begin(void)
{
    memset(last_printed, 0, sizeof last_printed);
    for (int i = 0; i < PSIM_HELPERS; i++) {
        psim_free(procs[i].pipe);
        psim_free(procs[i].task);
        procs[i] = (struct helper_process){0};
    }
    for (int i = 0; psim.life == 1 && i < PSIM_FILES; i++) {
        psim_free(files[i].bytes);
        files[i].bytes = NULL;
    }
}

enum pl_errc printer_process_start(struct printer_process *process, const char *name,
                                   const struct printer_options *options, struct pl_error *err)
{
    (void)options, (void)err;
    for (int i = 0; i < PSIM_HELPERS; i++) {
        if (strcmp(name, NAMES[i]) != 0)
            continue;
        struct helper_process *proc = &procs[i];
        *proc = (struct helper_process){.used = true, .peer = (enum psim_peer)psim.world.peers[i]};
        if (psim.life == 2)
            proc->peer = PEER_FAST; // what was kept is to be seen
        proc->cap = sim_range(&psim.order, 200, 8000);
        proc->pipe = psim_alloc(proc->cap);
        proc->task_cap = (size_t)1 << 20;
        proc->task = psim_alloc(proc->task_cap);
        proc->lives = 1 + sim_below(&psim.order, 10);
        process->pipe = i;
        process->progress = &proc->progress;
    }
    return PL_OK;
}

void psim_signal_group(int number)
{
    const int *ignored = printer_helper_ignores;
    while (*ignored != 0 && *ignored != number)
        ignored++;
    psim_note("signal %d comes to all processes", number);
    for (int i = 0; i < PSIM_HELPERS; i++)
        procs[i].dead = procs[i].dead || (procs[i].used && *ignored != number);
}

ssize_t printer_process_write(struct printer_process *process, const void *bytes, size_t size)
{
    struct helper_process *proc = &procs[process->pipe];
    if (proc->dead)
        return -1;
    size_t n = PL_MIN(size, proc->cap - proc->len);
    memcpy(proc->pipe + proc->len, bytes, n);
    proc->len += n;
    return (ssize_t)n;
}

void printer_process_wait_for_room(struct printer_process *process)
{
    (void)process;
}

static void carry_out(struct helper_process *proc, const struct printer_task_head *head, const uint8_t *data)
{
    struct psim_job *job = psim_job_of(pl_slice_make(data, (size_t)head->size));
    switch ((enum printer_task)head->task) {
    case TASK_SAVE_JOBS:
        if (printer_saving_moves(&proc->progress.jobs[head->printer],
                                 psim.world.folder_breaks ? SAVING_FAILED : SAVING_DONE) &&
            !psim.world.folder_breaks)
            save_file(head->name, data, (size_t)head->size);
        break;
    case TASK_SAVE:
        save_file(head->name, data, (size_t)head->size);
        break;
    case TASK_FORWARD:
        psim.scraps -= !job;
        if (job && job->forwarded++ > 0)
            psim_fail("a job is forwarded twice");
        break;
    case TASK_PRINT_TO:
        psim_printed_to(head->name, pl_slice_make(data, (size_t)head->size));
        break;
    default:
        break;
    }
    atomic_fetch_add(&proc->progress.done, 1);
}

// It reads its pipe when it is not busy with a task.
static void run_process(struct helper_process *proc)
{
    struct printer_task_head head;
    if (proc->dead || proc->peer == PEER_HANGS || psim.now_ns < proc->ready_ns || proc->len == 0)
        return;
    size_t n = PL_MIN(proc->len, proc->task_cap - proc->task_len);
    if (proc->task_len < sizeof head)
        n = PL_MIN(n, sizeof head - proc->task_len);
    memcpy(&head, proc->task, sizeof head);
    if (proc->task_len >= sizeof head)
        n = PL_MIN(n, sizeof head + (size_t)head.size - proc->task_len);
    memcpy(proc->task + proc->task_len, proc->pipe, n);
    memmove(proc->pipe, proc->pipe + n, proc->len - n);
    proc->len -= n;
    proc->task_len += n;
    memcpy(&head, proc->task, sizeof head);
    if (proc->task_len < sizeof head || proc->task_len < sizeof head + (size_t)head.size)
        return;
    if (proc->peer == PEER_DIES && --proc->lives == 0) {
        proc->dead = true;
        return;
    }
    carry_out(proc, &head, proc->task + sizeof head);
    proc->task_len = 0;
    proc->ready_ns = psim.now_ns + (proc->peer == PEER_SLOW ? sim_range(&psim.order, SIM_MS, 200 * SIM_MS) : 0);
}

static enum helper_turn turn(int i)
{
    enum helper_turn said = printer_outside_turn(psim.hub->outside, (uint32_t)i);
    run_process(&procs[i]);
    return said;
}

void psim_peers_turn(void)
{
    for (int i = 0; psim.hub->outside && i < PSIM_HELPERS; i++) {
        if (procs[i].used && sim_chance(&psim.order, 50))
            turn(i);
    }
}

// As its thread does until the end. The threads of those that end later run on meanwhile.
void printer_process_end(struct printer_process *process, uint64_t until_ns, const atomic_bool *given_up)
{
    (void)given_up;
    struct helper_process *proc = &procs[process->pipe];
    int over = 0;
    while (psim.now_ns < until_ns && over < 3) {
        enum helper_turn said = turn(process->pipe);
        for (int i = process->pipe + 1; i < PSIM_HELPERS; i++) {
            if (procs[i].used)
                turn(i);
        }
        bool empty = proc->dead || (proc->len == 0 && proc->task_len == 0);
        over = said == HELPER_OVER && empty ? over + 1 : 0;
        psim.now_ns += said == HELPER_MORE ? 1000 : SIM_MS;
    }
    process->pipe = -1;
}

void printer_process_free(struct printer_process *process)
{
    process->progress = NULL;
}
