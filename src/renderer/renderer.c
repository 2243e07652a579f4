// The work of a renderer: asked for the labels of a request, it understands, draws, encodes and answers.
#include "renderer/renderer.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "answer/label_part.h"
#include "base/ckd.h"
#include "base/job.h"
#include "describe/fixes.h"
#include "process/channel.h"
#include "process/limits.h"
#include "renderer/answer_extras.h"
#include "renderer/render_job.h"
#include "renderer/renderer_calls.h"
#include "renderer/renderer_compare.h"
#include "renderer/renderer_convert.h"
#include "renderer/renderer_memory.h"
#include "renderer/renderer_traps.h"

#define STACK_BYTES ((size_t)8 << 20)
#define CPU_SECONDS 3600u    // of its life; it retires long before
#define RETIRES_AFTER_S 1800 // seconds of processor time
#define FORGETS_MS 200       // without another question

struct renderer {
    int channel;
    struct pl_shared *shared;
    unsigned seen;       // questions so far
    size_t answer_bytes; // at most
    size_t shared_bytes; // bytes of the last answer that are still in shared->answer
    const struct platen_engine *engine;
    struct platen_worker *worker;
    struct label_part part; // of the last label; its memory is used again
    uint64_t client;        // whose requests have left something in its memory
    // The request that it is about.
    uint64_t request; // 0: none
    uint8_t *zpl;     // in shared->question, or malloc'ed; NULL: none
    size_t zpl_size;
    size_t left; // bytes of label code of the request before it that are still in shared->question
    struct platen_document *document;
    struct renderer_memory memory; // of the printer whose jobs it draws
};

// Ends what it knows of the request, but for its answer. Label code in the shared memory stays: the next question may
// be there already. overwrite_question takes it away when it is known where that ends.
static void forget(struct renderer *r)
{
    platen_document_free(r->document);
    r->document = NULL;
    renderer_memory_settle(&r->memory, r->worker);
    if (r->zpl == r->shared->question) {
        r->left = r->zpl_size;
    } else if (r->zpl) {
        memset(r->zpl, 0, r->zpl_size);
        free(r->zpl);
    }
    r->zpl = NULL;
    r->zpl_size = 0;
    r->request = 0;
}

// What is left of the last label code in the shared memory, behind the first `next` bytes, which are another question.
static void overwrite_question(struct renderer *r, size_t next)
{
    if (r->left > next)
        memset(r->shared->question + next, 0, r->left - next);
    r->left = 0;
}

// M_PERTURB overwrites what is freed, but for small blocks, which the C library keeps in lists of up to seven a size:
// each of them is taken and overwritten.
static void overwrite_small_blocks(void)
{
    enum { LARGEST = 1032, STEP = 16, KEPT = 7 };
    for (size_t size = STEP + 8; size <= LARGEST; size += STEP) {
        void *blocks[KEPT];
        for (int i = 0; i < KEPT; i++) {
            blocks[i] = malloc(size);
            if (blocks[i])
                explicit_bzero(blocks[i], size);
        }
        for (int i = 0; i < KEPT; i++)
            free(blocks[i]);
    }
}

// The next request is another client's, and may take this process over: nothing is left of those before it.
static void wipe(struct renderer *r)
{
    overwrite_small_blocks();
    platen_worker_wipe(r->worker);
    label_part_wipe(&r->part);
}

// ---- what it finds out about a request

_Static_assert(sizeof(struct platen_cancel) == sizeof(atomic_bool), "the front's flag is the one that libplaten reads");

static struct platen_options options_of(const struct renderer *r, const struct render_ask *ask)
{
    struct platen_options options = controls_options(&ask->controls);
    options.has_time = true;
    options.time = ask->controls.time;
    options.linter = !render_ask_is_whole(ask) && ask->labels.linter;
    options.cancel = (const struct platen_cancel *)(const void *)&r->shared->cancelled;
    options.deadline_ns = ask->deadline_ns;
    return options;
}

// What comes before the label code.
static size_t memory_bytes(const struct render_ask *ask)
{
    size_t bytes = 0;
    for (int i = 0; ask->kind == RENDER_PRINTER_JOB && ask->job.brings_memory && i < RENDER_MEMORY_PARTS; i++)
        bytes += (size_t)ask->job.memory_sizes[i];
    return bytes;
}

// The label code becomes the one that has the values in it.
static enum platen_status fill(struct renderer *r, const struct render_ask *ask, const struct platen_options *options,
                               struct platen_rewritten **filled, struct platen_error *err)
{
    enum platen_status status =
        renderer_rewrite(r->worker, ask, options, pl_slice_make(r->zpl, r->zpl_size), filled, err);
    if (status != PLATEN_OK)
        return status;
    size_t size;
    const char *text = platen_rewritten_code(*filled, &size);
    uint8_t *code = malloc(PL_MAX(size, (size_t)1));
    if (!code)
        return err->status = PLATEN_E_MEMORY;
    memcpy(code, text, size);
    uint64_t request = r->request;
    forget(r);
    r->request = request;
    r->zpl = code;
    r->zpl_size = size;
    return PLATEN_OK;
}

static void take_notes(struct platen_document *document, const struct platen_rewritten *filled)
{
    struct platen_diagnostic note;
    pl_fix_give_none(document);
    for (uint32_t i = 0; platen_rewritten_note_at(filled, i, &note); i++)
        pl_fix_add_note(document, &note);
}

static enum platen_status open_document(struct renderer *r, const struct render_ask *ask, struct render_answer *answer)
{
    uint64_t began = pl_now_ns();
    struct platen_options options = options_of(r, ask);
    size_t before = memory_bytes(ask);
    renderer_trap(r->zpl + before, r->zpl_size - before);
    struct platen_rewritten *filled = NULL;
    enum platen_status status = ask->labels.fills ? fill(r, ask, &options, &filled, &answer->err) : PLATEN_OK;
    if (status == PLATEN_OK)
        status = renderer_memory_take(&r->memory, r->worker, ask, r->zpl, &options.after, &answer->err);
    if (status == PLATEN_OK && ask->kind == RENDER_PRINTER_JOB && ask->job.recognises)
        answer->looks_like =
            (uint32_t)renderer_recognise(r->worker, ask, pl_slice_make(r->zpl + before, r->zpl_size - before));
    if (status == PLATEN_OK)
        status = platen_parse(r->worker, r->zpl + before, r->zpl_size - before, &options, &r->document, &answer->err);
    if (status == PLATEN_OK && filled)
        take_notes(r->document, filled);
    platen_rewritten_free(filled);
    answer->opening_ns = pl_now_ns() - began;
    return status;
}

static enum platen_status draw_label(struct renderer *r, const struct render_ask *ask, struct render_answer *answer,
                                     struct label_part *part)
{
    const struct render_labels *labels = &ask->labels;
    answer->label = labels->label;
    if (labels->by_page ? !platen_label_of_page(r->document, labels->label, &answer->label)
                        : labels->label >= platen_label_count(r->document))
        return PLATEN_OK; // there is no such one
    platen_document_set_deadline(r->document, ask->deadline_ns);
    const struct label_part_options wanted = {.controls = &ask->controls,
                                              .content = labels->content,
                                              .page_findings = labels->page_findings,
                                              .apart = labels->apart};
    enum platen_status status = label_part_make(r->worker, r->document, answer->label, &wanted, part);
    if (status != PLATEN_OK)
        answer->err = part->err;
    answer->drawn = status == PLATEN_OK;
    return status;
}

// A comparison or a conversion.
static enum platen_status answer_whole(struct renderer *r, const struct render_ask *ask, struct render_answer *answer)
{
    const struct platen_options options = options_of(r, ask);
    const struct pl_slice code = pl_slice_make(r->zpl, r->zpl_size);
    renderer_trap(r->zpl, r->zpl_size);
    enum platen_status status =
        ask->kind == RENDER_COMPARISON
            ? renderer_compare(r->worker, ask, &options, code, &r->part.members, &answer->err)
            : renderer_convert(r->engine, r->worker, ask, &options, code, &r->part, &answer->err);
    answer->drawn = status == PLATEN_OK;
    return status;
}

// ---- asked and answered

static bool worked_for_long(void)
{
    struct timespec used;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 && used.tv_sec >= RETIRES_AFTER_S;
}

// False: nobody listens any more.
static bool send_answer(struct renderer *r, struct render_answer *answer, const struct answer_extras *extras,
                        const struct label_part *part)
{
    struct pl_slice sections[RENDER_SECTIONS] = {
        [RENDER_COPIES] = pl_buf_slice(&extras->copies),
        [RENDER_FINDINGS] = pl_buf_slice(&extras->findings),
        [RENDER_MEMBERS] = pl_buf_slice(&part->members),
        [RENDER_WARNINGS] = pl_buf_slice(&part->warnings),
        [RENDER_HEADER] = pl_buf_slice(&part->found.text),
        [RENDER_FILE] = pl_slice_make(part->file.data, part->file.size),
        [RENDER_REPLIES] = pl_buf_slice(&extras->replies),
        [RENDER_STORED] = pl_buf_slice(&extras->stored),
    };
    for (int i = 0; answer->changed && i < RENDER_MEMORY_PARTS; i++)
        sections[RENDER_MEMORY + i] = pl_slice_make(extras->memory[i].data, extras->memory[i].size);
    if (answer->err.status == PLATEN_OK && (answer_extras_failed(extras) || label_part_failed(part)))
        answer->err.status = PLATEN_E_MEMORY;
    size_t total = 0;
    for (int i = 0; i < RENDER_SECTIONS; i++)
        total += sections[i].len;
    if (answer->err.status == PLATEN_OK && total > r->answer_bytes) {
        answer->err.status = PLATEN_E_LIMIT;
        snprintf(answer->err.message, sizeof answer->err.message,
                 "the answer for one label is over the limit of %zu bytes", r->answer_bytes);
    }
    // What took the memory may still have it.
    answer->retires = worked_for_long() || answer->err.status == PLATEN_E_MEMORY;
    if (answer->err.status == PLATEN_OK) {
        answer->warning_count = part->warning_count;
        answer->header_count = part->found.count;
        answer->header_shown = part->found.shown;
        for (int i = 0; i < RENDER_SECTIONS; i++)
            answer->sizes[i] = sections[i].len;
    } else {
        total = 0; // an error comes alone: counts without what they count would not be believed
    }
    answer->shared = total <= PL_SHARED_BODY;
    for (int i = 0; answer->shared && i < RENDER_SECTIONS; i++) {
        if (answer->sizes[i] > 0)
            memcpy(r->shared->answer + r->shared_bytes, sections[i].ptr, (size_t)answer->sizes[i]);
        r->shared_bytes += (size_t)answer->sizes[i];
    }
    memcpy(r->shared->answer_head, answer, sizeof *answer);
    renderer_trap_answer((struct render_answer *)(void *)r->shared->answer_head);
    pl_turn_answer(r->shared, r->seen);
    if (answer->shared)
        return true;
    struct iovec parts[RENDER_SECTIONS];
    for (int i = 0; i < RENDER_SECTIONS; i++)
        parts[i] = (struct iovec){(void *)(uintptr_t)sections[i].ptr, (size_t)answer->sizes[i]};
    return pl_channel_write(r->channel, parts, RENDER_SECTIONS);
}

static bool serve_ask(struct renderer *r, const struct render_ask *ask)
{
    struct render_answer answer = {.err.status = PLATEN_OK};
    struct answer_extras extras;
    const bool whole = render_ask_is_whole(ask);
    answer_extras_init(&extras);
    label_part_wipe(&r->part);
    if (ask->opens && !r->zpl)
        answer.err.status = PLATEN_E_MEMORY; // for the label code itself
    else if (whole)
        answer.err.status = answer_whole(r, ask, &answer);
    else if (ask->opens)
        answer.err.status = open_document(r, ask, &answer);
    answer.forgot = !ask->opens && (!r->document || ask->request != r->request);
    if (answer.err.status == PLATEN_OK && ask->opens && !whole)
        answer_extras_describe(r->document, ask, &extras, &answer);
    if (answer.err.status == PLATEN_OK && ask->opens && ask->kind == RENDER_PRINTER_JOB)
        answer.err.status =
            renderer_memory_note(&r->memory, r->worker, ask, r->document, &answer, &extras.replies, &extras.stored);
    if (answer.err.status == PLATEN_OK && render_ask_draws(ask) && !whole && !answer.forgot)
        answer.err.status = draw_label(r, ask, &answer, &r->part);
    memcpy(extras.memory, r->memory.next, sizeof extras.memory);
    bool last =
        r->document && ask->labels.end == END_WITH_LAST && ask->labels.label + 1 >= platen_label_count(r->document);
    bool over = render_ask_ends(ask) || last || !r->document;
    if (over) {
        forget(r);                // what it leaves in the printer's memory stays
        overwrite_question(r, 0); // before the answer: a moment after it the next question may be there
    }
    bool heard = send_answer(r, &answer, &extras, &r->part);
    answer_extras_wipe(&extras);
    platen_worker_trim(r->worker);
    return heard;
}

// Label code that there is no memory for: read past.
static bool skip(int channel, uint64_t size)
{
    uint8_t room[4096];
    while (size > 0) {
        size_t n = (size_t)PL_MIN(size, (uint64_t)sizeof room);
        if (!pl_channel_read(channel, room, n))
            return false;
        size -= n;
    }
    return true;
}

// The label code. False: the channel has ended.
static bool take_code(struct renderer *r, const struct render_ask *ask)
{
    r->zpl = ask->shared ? r->shared->question : malloc(PL_MAX((size_t)ask->zpl_size, (size_t)1));
    if (!r->zpl)
        return skip(r->channel, ask->zpl_size);
    r->zpl_size = (size_t)ask->zpl_size;
    return ask->shared || pl_channel_read(r->channel, r->zpl, r->zpl_size);
}

static bool take_ask(struct renderer *r, struct render_ask *ask)
{
    // Nothing of a label stays for long.
    enum pl_channel_result result = pl_turn_wait_question(r->shared, &r->seen, r->request != 0 ? FORGETS_MS : 0);
    if (result == PL_CHANNEL_LATE) {
        forget(r);
        wipe(r);
        result = pl_turn_wait_question(r->shared, &r->seen, 0);
    }
    if (result != PL_CHANNEL_DONE)
        return false;
    memcpy(ask, r->shared->question_head, sizeof *ask);
    memset(r->shared->answer, 0, r->shared_bytes); // the front has it
    r->shared_bytes = 0;
    if (!ask->opens)
        return true;
    if (r->request != 0)
        forget(r);
    overwrite_question(r, ask->shared ? (size_t)ask->zpl_size : 0);
    if (ask->client != r->client)
        wipe(r);
    r->client = ask->client;
    r->request = ask->request;
    return take_code(r, ask);
}

int renderer_run(void *user, int channel, struct pl_shared *shared)
{
    struct renderer_plan *plan = user;
    struct renderer r = {.channel = channel,
                         .shared = shared,
                         .engine = plan->engine,
                         .worker = plan->worker,
                         .answer_bytes = plan->answer_bytes};
    const struct pl_process_limits limits = {.memory = plan->memory, .stack = STACK_BYTES, .cpu_seconds = CPU_SECONDS};
    const struct sched_param none = {0};
    if (!pl_process_limit(&limits))
        errno = 0; // the front has said so
    // It computes: when it wakes up, it does not push the front off its core.
    if (sched_setscheduler(0, SCHED_BATCH, &none) != 0)
        errno = 0;
    mallopt(M_PERTURB, 0xA5); // memory that is given back is overwritten: the next request is somebody else's
    if (plan->confined && !renderer_confine())
        return 1;
    struct render_ask ask;
    label_part_init(&r.part);
    while (take_ask(&r, &ask) && serve_ask(&r, &ask))
        continue;
    forget(&r);
    renderer_memory_drop(&r.memory);
    label_part_free(&r.part);
    platen_worker_free(plan->worker);
    return 0;
}
