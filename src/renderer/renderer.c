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
#define FINDINGS_BYTES ((size_t)64 << 20)
#define REPLIES_BYTES ((size_t)64 << 20)

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

// `fix` is its JSON, or empty.
static void put_finding(struct pl_buf *out, const struct platen_diagnostic *d, struct pl_slice fix)
{
    const char *command = d->command ? d->command : "";
    struct render_finding finding = {.code = (uint32_t)strlen(d->code) + 1,
                                     .message = (uint32_t)strlen(d->message) + 1,
                                     .command = (uint32_t)strlen(command) + 1,
                                     .fix = (uint32_t)fix.len + 1,
                                     .severity = d->severity,
                                     .offset = d->offset,
                                     .length = d->length,
                                     .line = d->line,
                                     .column = d->column,
                                     .parameter = d->parameter,
                                     .label = d->label};
    pl_buf_append(out, &finding, sizeof finding);
    pl_buf_append(out, d->code, finding.code);
    pl_buf_append(out, d->message, finding.message);
    pl_buf_append(out, command, finding.command);
    pl_buf_append_slice(out, fix);
    pl_buf_append_byte(out, '\0');
}

// The document's labels and what was found in it.
static void describe(const struct renderer *r, const struct render_ask *ask, struct render_answer *answer,
                     struct pl_buf *copies, struct pl_buf *findings)
{
    answer->pages = platen_page_count(r->document);
    answer->labels = platen_label_count(r->document);
    answer->findings_dropped = platen_diagnostics_dropped(r->document);
    platen_document_size(r->document, &answer->width_mm, &answer->height_mm, NULL, NULL);
    answer->language = platen_document_language(r->document);
    for (uint32_t i = 0; i < answer->labels; i++) {
        struct platen_label info = {.copies = 1};
        platen_label_at(r->document, i, &info);
        pl_buf_append(copies, &info.copies, sizeof info.copies);
    }
    const bool in_json = ask->controls.format == OUTPUT_JSON || ask->controls.format == OUTPUT_BASE64;
    uint32_t count = platen_diagnostic_count(r->document);
    struct pl_buf fix;
    pl_buf_init(&fix, SIZE_MAX / 2);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_diagnostic d;
        if (platen_diagnostic_at(r->document, i, &d)) {
            if (in_json)
                pl_fix_describe(r->document, NULL, &d, &fix);
            put_finding(findings, &d, pl_buf_slice(&fix));
            answer->finding_count++;
        }
    }
    pl_buf_take_over(findings, &fix);
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
                               struct render_answer *answer)
{
    uint8_t *code;
    size_t size;
    enum platen_status status =
        renderer_fill(r->worker, ask, options, pl_slice_make(r->zpl, r->zpl_size), &code, &size, &answer->err);
    if (status != PLATEN_OK)
        return status;
    uint64_t request = r->request;
    forget(r);
    r->request = request;
    r->zpl = code;
    r->zpl_size = size;
    return PLATEN_OK;
}

static enum platen_status open_document(struct renderer *r, const struct render_ask *ask, struct render_answer *answer)
{
    uint64_t began = pl_now_ns();
    struct platen_options options = options_of(r, ask);
    size_t before = memory_bytes(ask);
    renderer_trap(r->zpl + before, r->zpl_size - before);
    if (ask->labels.fills) {
        enum platen_status filled = fill(r, ask, &options, answer);
        if (filled != PLATEN_OK)
            return filled;
    }
    enum platen_status status = renderer_memory_take(&r->memory, r->worker, ask, r->zpl, &options.after, &answer->err);
    if (status == PLATEN_OK && ask->kind == RENDER_PRINTER_JOB && ask->job.recognises)
        answer->looks_like =
            (uint32_t)renderer_recognise(r->worker, ask, pl_slice_make(r->zpl + before, r->zpl_size - before));
    if (status == PLATEN_OK)
        status = platen_parse(r->worker, r->zpl + before, r->zpl_size - before, &options, &r->document, &answer->err);
    if (status == PLATEN_OK && ask->labels.fills)
        pl_fix_give_none(r->document);
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

static enum platen_status convert(struct renderer *r, const struct render_ask *ask, struct render_answer *answer)
{
    const struct platen_options options = options_of(r, ask);
    renderer_trap(r->zpl, r->zpl_size);
    enum platen_status status = renderer_convert(r->engine, r->worker, ask, &options,
                                                 pl_slice_make(r->zpl, r->zpl_size), &r->part, &answer->err);
    answer->drawn = status == PLATEN_OK;
    return status;
}

static enum platen_status compare_codes(struct renderer *r, const struct render_ask *ask, struct render_answer *answer)
{
    const struct platen_options options = options_of(r, ask);
    renderer_trap(r->zpl, r->zpl_size);
    enum platen_status status =
        renderer_compare(r->worker, ask, &options, pl_slice_make(r->zpl, r->zpl_size), &r->part.members, &answer->err);
    answer->drawn = status == PLATEN_OK;
    return status;
}

// ---- asked and answered

static bool worked_for_long(void)
{
    struct timespec used;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 && used.tv_sec >= RETIRES_AFTER_S;
}

// Parts of an answer beside those of the label.
struct answer_extras {
    struct pl_buf copies, findings, replies, stored;
    struct platen_buffer memory[RENDER_MEMORY_PARTS]; // of renderer_memory.next; not its own
};

static void extras_init(struct answer_extras *extras)
{
    *extras = (struct answer_extras){0};
    pl_buf_init(&extras->copies, FINDINGS_BYTES);
    pl_buf_init(&extras->findings, FINDINGS_BYTES);
    pl_buf_init(&extras->replies, REPLIES_BYTES);
    pl_buf_init(&extras->stored, FINDINGS_BYTES);
}

static bool extras_failed(const struct answer_extras *extras)
{
    return extras->copies.failed || extras->findings.failed || extras->replies.failed || extras->stored.failed;
}

static void extras_wipe(struct answer_extras *extras)
{
    struct pl_buf *all[] = {&extras->copies, &extras->findings, &extras->replies, &extras->stored};
    for (size_t i = 0; i < PL_COUNTOF(all); i++) {
        if (all[i]->data)
            memset(all[i]->data, 0, all[i]->len);
        pl_buf_fini(all[i]);
    }
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
    if (answer->err.status == PLATEN_OK && (extras_failed(extras) || label_part_failed(part)))
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
    extras_init(&extras);
    label_part_wipe(&r->part);
    if (ask->opens && !r->zpl)
        answer.err.status = PLATEN_E_MEMORY; // for the label code itself
    else if (ask->kind == RENDER_COMPARISON)
        answer.err.status = compare_codes(r, ask, &answer);
    else if (ask->kind == RENDER_CONVERSION)
        answer.err.status = convert(r, ask, &answer);
    else if (ask->opens)
        answer.err.status = open_document(r, ask, &answer);
    answer.forgot = !ask->opens && (!r->document || ask->request != r->request);
    bool whole = render_ask_is_whole(ask);
    if (answer.err.status == PLATEN_OK && ask->opens && !whole)
        describe(r, ask, &answer, &extras.copies, &extras.findings);
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
    extras_wipe(&extras);
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

// Libraries look at the processor and the system when they are first used (libdeflate reads a file for that, and is
// slow where it cannot): one label in every format is drawn before renderers are forked and confined. That the label is
// over a limit, which PLATEN_E_INVALID says of dots, is no lack of memory.
static bool is_warm(enum platen_status status)
{
    return status == PLATEN_OK || status == PLATEN_E_LIMIT || status == PLATEN_E_INVALID;
}

static bool warm_up(struct platen_worker *worker)
{
    static const char LABEL[] = "^XA^FO20,20^A0N,30^FDPlaten^FS^FO20,60^BY1^BCN,60^FD12345678^FS^XZ";
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = 25, .height_mm = 25, .has_time = true, .want_elements = true, .verify = true);
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer out = {0};
    enum platen_status status = platen_parse(worker, LABEL, sizeof LABEL - 1, &options, &document, NULL);
    if (status != PLATEN_OK)
        return is_warm(status);
    status = platen_draw(worker, document, 0, &page, NULL);
    for (int format = PLATEN_PNG; format <= PLATEN_PDF && status == PLATEN_OK; format++)
        status = platen_encode(worker, page, (enum platen_format)format, NULL, &out, NULL);
    platen_buffer_free(&out);
    platen_document_free(document);
    platen_worker_trim(worker);
    return is_warm(status);
}

bool renderer_prepare(void *user)
{
    struct renderer_plan *plan = user;
    struct platen_worker *first;
    // By a worker of its own: one that was short of memory for a moment may remember a font as missing.
    bool warm = platen_worker_new(plan->engine, &first, NULL) == PLATEN_OK && warm_up(first);
    platen_worker_free(first);
    return warm && platen_worker_new(plan->engine, &plan->worker, NULL) == PLATEN_OK;
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
