// Many documents on all cores: one thread reads them and writes their labels in order, the others draw.
#include "render_many.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "batch/names.h"
#include "cli/progress.h"
#include "cli/whole_file.h"
#include "os/clock.h"
#include "os/write.h"
#include "row_labels.h"

#define SLOTS 256u
#define THREADS_MAX 256u
#define FLUSH_BYTES ((size_t)1 << 20)
#define TOLD_MAX 20u
#define CODE_BYTES ((size_t)32 << 20)  // label code that is read and not drawn yet, about
#define SPARE_BYTES ((size_t)64 << 10) // a larger buffer is not kept for the next document
#define AHEAD_BYTES ((size_t)64 << 20) // drawn labels that are not written yet, about

enum slot_state { SLOT_FREE, SLOT_READ, SLOT_DONE };

struct slot {
    enum slot_state state; // guarded by the lock
    struct row_labels row;
};

struct run {
    const struct render_many *many;
    struct controls controls;
    struct row_source source;
    struct cli_input template_text;
    struct template template;
    struct pl_id_set ids;
    struct batch_answer answer;
    struct progress_bar bar;
    struct whole_file file; // of the output; its fd is -1: none
    bool failed;            // for good: a line was printed
    size_t done, skipped, warned, told, unknown_told;
    // The ring.
    pthread_mutex_t lock;
    pthread_cond_t work, ready;
    struct slot slots[SLOTS];
    uint64_t first, taken, end; // written before, drawn before, read before
    size_t code, ahead;         // bytes of label code, of drawn labels
    size_t most;                // bytes of the labels of one document
    bool closing;
};

// ---- drawing: on any thread

struct drawer {
    struct platen_worker *worker; // NULL: there was no memory for one
    struct platen_error err;
};

static void drawer_init(struct drawer *drawer, const struct run *run)
{
    *drawer = (struct drawer){0};
    if (platen_worker_new(run->many->engine, &drawer->worker, &drawer->err) != PLATEN_OK)
        drawer->worker = NULL;
}

// Draws the next document that was read. With the lock held; it is given up while drawing.
static void draw_next(struct run *run, struct drawer *drawer)
{
    struct slot *slot = &run->slots[run->taken++ % SLOTS];
    pthread_mutex_unlock(&run->lock);
    if (drawer->worker)
        row_labels_draw(&slot->row, drawer->worker, &run->many->request->common.limits, run->most);
    else if (!slot->row.document.failed)
        row_refuse(&slot->row.document, "memory", drawer->err.message);
    pthread_mutex_lock(&run->lock);
    slot->state = SLOT_DONE;
    run->ahead += slot->row.bytes;
    run->code -= slot->row.document.zpl.len;
    if (slot->row.document.zpl.cap > SPARE_BYTES)
        pl_buf_fini(&slot->row.document.zpl);
    pthread_cond_signal(&run->ready);
}

static void *work(void *user)
{
    struct run *run = user;
    struct drawer drawer;
    drawer_init(&drawer, run);
    pthread_mutex_lock(&run->lock);
    for (;;) {
        // One that is waited for is drawn in any case.
        while (!run->closing && (run->taken == run->end || (run->ahead > AHEAD_BYTES && run->taken != run->first)))
            pthread_cond_wait(&run->work, &run->lock);
        if (run->taken == run->end)
            break;
        draw_next(run, &drawer);
    }
    pthread_mutex_unlock(&run->lock);
    platen_worker_free(drawer.worker);
    return NULL;
}

// ---- writing: on the first thread

static void complain(struct run *run, const char *path, const char *what)
{
    if (run->bar.any)
        fputc('\n', stderr);
    fprintf(stderr, "platen: %s: %s\n", path, what);
    run->failed = true;
}

static bool flush(struct run *run, bool all)
{
    struct pl_buf *out = &run->answer.out;
    if (out->failed) {
        complain(run, run->many->output, "not enough memory");
        return false;
    }
    if (run->file.fd < 0 || (!all && out->len < FLUSH_BYTES))
        return true;
    if (!pl_os_write(run->file.fd, out->data, out->len)) {
        complain(run, run->many->output, strerror(errno));
        return false;
    }
    pl_buf_clear(out);
    return true;
}

static void tell_problem(struct run *run, const struct row_document *d)
{
    run->told++;
    if (run->told > TOLD_MAX)
        return;
    if (run->bar.any)
        fprintf(stderr, "\r\033[K");
    fprintf(stderr, "platen: %.*s: %s\n", (int)d->id.len, (const char *)d->id.data, d->problem.message);
    if (run->told == TOLD_MAX)
        fprintf(stderr, "platen: further failures are counted but not listed\n");
}

// A misspelled control is ignored, so it is named.
static void tell_unknown(struct run *run, const struct row_document *d)
{
    const struct controls *c = &d->controls;
    struct unknown_controls unknown;
    if (run->many->request->quiet || c->unknown_count == 0 || ++run->unknown_told > TOLD_MAX)
        return;
    if (run->bar.any)
        fprintf(stderr, "\r\033[K");
    unknown_controls_make(&unknown, c);
    for (uint32_t i = 0; i < unknown.count; i++)
        fprintf(stderr, "platen: %.*s: %s\n", (int)d->id.len, (const char *)d->id.data, unknown.items[i].message);
    if (run->unknown_told == TOLD_MAX)
        fprintf(stderr, "platen: further names that are no controls are not listed\n");
}

// out/ID.png or out/ID+02.png; malloc'ed.
static char *path_of(const struct run *run, const struct row_document *d, uint32_t index, uint32_t count)
{
    struct pl_buf name;
    char *path = NULL;
    pl_buf_init(&name, 4096);
    pl_label_file_name(pl_buf_slice(&d->id), index, count, &name);
    if (name.failed || asprintf(&path, "%s/%.*s.%s", run->many->out_dir, (int)name.len, (const char *)name.data,
                                output_name(d->controls.format)) < 0)
        path = NULL;
    pl_buf_fini(&name);
    return path;
}

// The first label is written last: where it is, all are.
static void write_files(struct run *run, struct slot *slot)
{
    for (uint32_t i = slot->row.count; i-- > 0;) {
        const struct label_part *part = &slot->row.parts[i];
        bool json = slot->row.document.controls.format == OUTPUT_JSON;
        struct pl_buf text;
        pl_buf_init(&text, SIZE_MAX / 2);
        if (json)
            pl_buf_printf(&text, "{\"index\":%u,%.*s}\n", i, (int)part->members.len, (const char *)part->members.data);
        char *path = path_of(run, &slot->row.document, i, slot->row.count);
        if (!path || text.failed ||
            !cli_write(path, json ? text.data : part->file.data, json ? text.len : part->file.size, NULL))
            run->failed = true;
        free(path);
        pl_buf_fini(&text);
    }
    run->answer.counts.labels += slot->row.count;
}

static void write_problem(struct run *run, const struct row_document *d)
{
    tell_problem(run, d);
    batch_put_problem(&run->answer, pl_buf_slice(&d->id), &d->problem);
}

static void write_slot(struct run *run, struct slot *slot)
{
    struct row_document *d = &slot->row.document;
    struct platen_error err = {0};
    run->answer.counts.documents++;
    if (d->failed) {
        write_problem(run, d);
        return;
    }
    tell_unknown(run, d);
    bool warned = false;
    for (uint32_t i = 0; i < slot->row.count; i++)
        warned = warned || slot->row.parts[i].found.count > 0;
    run->warned += warned;
    if (run->many->out_dir) {
        write_files(run, slot);
        return;
    }
    for (uint32_t i = 0; i < slot->row.count && !run->failed; i++) {
        const struct label_part *part = &slot->row.parts[i];
        struct batch_label label = {.id = pl_buf_slice(&d->id),
                                    .index = i,
                                    .count = slot->row.count,
                                    .copies = slot->row.copies[i],
                                    .pages = slot->row.copies[i],
                                    .format = d->controls.format,
                                    .file = pl_slice_make(part->file.data, part->file.size),
                                    .members = pl_buf_slice(&part->members),
                                    .warnings = pl_buf_slice(&part->warnings),
                                    .part = &part->file,
                                    .unknown = d->controls.unknown,
                                    .unknown_count = d->controls.unknown_count};
        enum platen_status status = batch_put_label(&run->answer, &label, &err);
        if (status == PLATEN_E_INVALID && i == 0) { // too large for the page; all its labels are of one size
            row_fail(d, &err);
            write_problem(run, d);
            return;
        }
        if (status != PLATEN_OK)
            complain(run, run->many->output, err.message);
        else if (!flush(run, false))
            run->failed = true;
    }
}

// ---- reading

static bool exists(const struct run *run, const struct row_document *d)
{
    bool found = false;
    for (uint32_t count = 1; count < 10000000 && !found; count = count < 9 ? 9 : count * 10) { // one; 2 to 9; …
        char *path = path_of(run, d, 0, count);
        struct stat st;
        found = path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
        free(path);
    }
    return found;
}

// Reads the next document into a slot. False: there is none.
static bool read_slot(struct run *run, struct slot *slot)
{
    struct row_document *d = &slot->row.document;
    while (row_source_next(&run->source, d)) {
        enum pl_id_added added = pl_id_set_add(&run->ids, pl_buf_slice(&d->id));
        if (added == PL_ID_NO_MEMORY)
            complain(run, run->source.path, "not enough memory");
        // Files of one name in several folders are documents of their own; only where each gets a name do they collide.
        bool named = run->many->out_dir || run->many->kind != BATCH_PDF || run->source.kind != ROW_FILE;
        if (added == PL_ID_KNOWN && !d->failed && named)
            row_refuse(d, "duplicate_id", "another document before it has the same id");
        if (!run->many->out_dir && run->many->kind == BATCH_PDF)
            d->controls.format = OUTPUT_PDF;
        else if (!d->failed && (d->controls.format == OUTPUT_PDF || d->controls.format == OUTPUT_BASE64))
            row_refuse(d, "unknown_format", "many documents are drawn as png, jpeg, webp or json, or into one PDF");
        if (!run->many->skip_existing || d->failed || !exists(run, d))
            return added != PL_ID_NO_MEMORY;
        run->skipped++;
        progress_tell(&run->bar, row_source_part(&run->source), run->done + run->skipped,
                      (size_t)run->answer.counts.failed);
    }
    return false;
}

// `alone`: what draws here where there are no threads; NULL: they draw. With the lock held.
static void await_drawn(struct run *run, const struct slot *slot, struct drawer *alone)
{
    while (slot->state != SLOT_DONE) {
        if (alone)
            draw_next(run, alone);
        else
            pthread_cond_wait(&run->ready, &run->lock);
    }
}

static void run_all(struct run *run, struct drawer *alone)
{
    bool more = true;
    pthread_mutex_lock(&run->lock);
    while ((more || run->first < run->end) && !run->failed) {
        while (more && run->end - run->first < SLOTS && (run->code < CODE_BYTES || run->first == run->end)) {
            struct slot *slot = &run->slots[run->end % SLOTS];
            pthread_mutex_unlock(&run->lock);
            row_labels_clear(&slot->row);
            more = read_slot(run, slot);
            pthread_mutex_lock(&run->lock);
            if (more) {
                slot->state = SLOT_READ;
                run->code += slot->row.document.zpl.len;
                run->end++;
                pthread_cond_signal(&run->work);
            }
            if (run->slots[run->first % SLOTS].state == SLOT_DONE && run->end - run->first > SLOTS / 2)
                break;
        }
        if (run->first == run->end)
            continue;
        struct slot *slot = &run->slots[run->first % SLOTS];
        await_drawn(run, slot, alone);
        slot->state = SLOT_FREE;
        size_t bytes = slot->row.bytes;
        pthread_mutex_unlock(&run->lock);
        write_slot(run, slot);
        row_labels_clear(&slot->row);
        run->done++;
        if (!flush(run, false))
            run->failed = true;
        progress_tell(&run->bar, row_source_part(&run->source), run->done + run->skipped,
                      (size_t)run->answer.counts.failed);
        pthread_mutex_lock(&run->lock);
        run->first++;
        if (run->ahead > AHEAD_BYTES)
            pthread_cond_broadcast(&run->work); // they wait for room
        run->ahead -= bytes;
    }
    if (run->failed)
        run->end = run->taken;
    run->closing = true;
    pthread_cond_broadcast(&run->work);
    pthread_mutex_unlock(&run->lock);
}

// ---- beginning and end

static bool open_output(struct run *run)
{
    if (run->many->out_dir) {
        if (mkdir(run->many->out_dir, 0777) != 0 && errno != EEXIST)
            complain(run, run->many->out_dir, strerror(errno));
    } else if (!whole_file_open(&run->file, run->many->output)) {
        complain(run, run->many->output, strerror(errno));
    }
    return !run->failed;
}

static void close_output(struct run *run)
{
    struct platen_error err = {0};
    if (run->file.fd < 0)
        return;
    if (!run->failed && batch_put_summary(&run->answer, pl_now_ns(), NULL, 0, &err) != PLATEN_OK)
        complain(run, run->many->output, err.message);
    if (!run->failed)
        (void)flush(run, true);
    if (!whole_file_close(&run->file, !run->failed) && !run->failed)
        complain(run, run->many->output, strerror(errno));
}

static bool prepare(struct run *run)
{
    const struct render_many *many = run->many;
    struct platen_error err = {0};
    if (many->template_path) {
        if (!cli_read(many->template_path, many->request->input_limit, &run->template_text, NULL))
            return false;
        if (!template_read(&run->template, pl_slice_make(run->template_text.data, run->template_text.size),
                           &many->request->common.limits))
            complain(run, many->template_path, "not enough memory");
        run->source.template = &run->template;
    }
    struct platen_pdf_layout layout;
    bool has_layout = controls_layout(&many->request->common.controls.values, &layout);
    // An answer of lines where there is none: it counts.
    if (batch_answer_init(&run->answer, many->out_dir ? BATCH_ZIP : many->kind, has_layout ? &layout : NULL, &err) !=
        PLATEN_OK)
        complain(run, many->output, err.message);
    run->answer.counts.began_ns = pl_now_ns();
    return !run->failed && open_output(run);
}

static void start_threads(struct run *run)
{
    pthread_t threads[THREADS_MAX];
    uint32_t started = 0, wanted = PL_MIN(run->many->jobs, THREADS_MAX);
    for (uint32_t i = 0; i < wanted; i++)
        started += pthread_create(&threads[started], NULL, work, run) == 0;
    struct drawer alone = {0};
    if (started == 0)
        drawer_init(&alone, run);
    run_all(run, started == 0 ? &alone : NULL);
    platen_worker_free(alone.worker);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

int render_many_run(struct render_many *many)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        fprintf(stderr, "platen: not enough memory\n");
        return 1;
    }
    run->many = many;
    run->file.fd = -1;
    struct platen_limits limits;
    platen_engine_limits(many->engine, &limits);
    run->most = limits.arena_bytes;
    run->controls = render_controls(many->request);
    row_source_init(&run->source, many->inputs, &run->controls, many->request->input_limit);
    run->source.standard = many->standard;
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->work, NULL);
    pthread_cond_init(&run->ready, NULL);
    for (uint32_t i = 0; i < SLOTS; i++)
        row_document_init(&run->slots[i].row.document);
    progress_begin(&run->bar, !many->request->quiet);
    if (prepare(run))
        start_threads(run);
    else
        run->failed = true;
    run->failed = run->failed || run->source.broken;
    close_output(run);
    size_t failed = (size_t)run->answer.counts.failed;
    bool shown = run->bar.shown;
    progress_end(&run->bar, run->done + run->skipped, failed);
    if (!many->request->quiet && !run->failed && (!shown || run->skipped > 0))
        fprintf(stderr, "%zu rendered, %zu failed%s\n", run->done - failed, failed,
                run->skipped > 0 ? ", others were there already" : "");
    if (!many->request->quiet && run->warned > 0)
        fprintf(stderr, "%zu of them with warnings: -o OUT.ndjson lists them, --strict refuses them\n", run->warned);
    for (uint32_t i = 0; i < SLOTS; i++) {
        row_labels_clear(&run->slots[i].row);
        row_document_free(&run->slots[i].row.document);
    }
    row_source_free(&run->source);
    template_free(&run->template);
    cli_input_free(&run->template_text);
    pl_id_set_free(&run->ids);
    batch_answer_free(&run->answer);
    int status = run->failed || failed > 0 ? 1 : 0;
    free(run);
    return status;
}
