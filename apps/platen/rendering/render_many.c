// Many documents on all cores: one thread reads them and writes their labels in order, others or processes draw.
#include "render_many.h"

#include <errno.h>
#include <stdatomic.h>
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
#include "renderer/render_problem.h"
#include "renderer/renderer_traps.h"
#include "row_labels.h"
#include "runner/confined.h"

#define WINDOW 256u // documents that are read and not written yet
#define FLUSH_BYTES ((size_t)1 << 20)
#define TOLD_MAX 20u
#define SPARE_BYTES ((size_t)64 << 10) // a larger buffer is not kept for the next document
#define AHEAD_BYTES ((size_t)64 << 20) // of label code and labels in the window, about

struct many {
    const struct render_many *asked;
    struct controls controls;
    struct row_source source;
    struct template template;
    struct pl_id_set ids;
    struct batch_answer answer;
    struct progress_bar bar;
    struct whole_file file; // of the output; its fd is -1: none
    atomic_bool failed;     // for good: a line was printed
    size_t done, skipped, warned, told, unknown_told;
    size_t most; // bytes of the labels of one document
    struct row_labels rows[WINDOW];
};

static struct row_labels *row_of(struct many *run, size_t task)
{
    return &run->rows[task % WINDOW];
}

// ---- drawing: on any thread or in a process

static void draw_in_process(struct many *run, struct row_labels *row, const struct runner_place *place)
{
    struct row_order order;
    struct row_document *d = &row->document;
    struct pl_slice zpl = pl_slice_sub(place->bytes, sizeof order, place->bytes.len);
    memcpy(&order, place->bytes.ptr, sizeof order);
    d->failed = false;
    d->controls.values = order.values;
    d->controls.unknown_count = order.unknown_count;
    d->spent_ns = order.spent_ns;
    d->notes = order.notes;
    renderer_trap(zpl.ptr, zpl.len);
    row_labels_draw(row, zpl, place->worker, &run->asked->request->common.limits, run->most);
    row_labels_say(row, place->sink);
    row_labels_clear(row);
}

static bool draw(void *user, size_t task, const struct runner_place *place)
{
    struct many *run = user;
    struct row_labels *row = row_of(run, task);
    struct pl_buf *zpl = &row->document.zpl;
    if (place->files)
        draw_in_process(run, row, place);
    else if (!row->document.failed && !run->failed)
        row_labels_draw(row, pl_buf_slice(zpl), place->worker, &run->asked->request->common.limits, run->most);
    if (zpl->cap > SPARE_BYTES)
        pl_buf_fini(zpl);
    return true;
}

// A document for a process.
static bool give_document(void *user, size_t task, struct confined_input *out)
{
    struct many *run = user;
    struct row_labels *row = row_of(run, task);
    if (row->document.failed || run->failed)
        return false;
    row->order.unknown_count = row->document.controls.unknown_count;
    row->order.spent_ns = row->document.spent_ns;
    row->order.notes = row->document.notes;
    control_values_copy(&row->order.values, &row->document.controls);
    out->head = pl_slice_make(&row->order, sizeof row->order);
    out->body = &row->document.zpl;
    out->spent_ns = row->document.spent_ns;
    return true;
}

static bool accept_labels(void *user, size_t task, struct pl_slice answer, const struct message_sink *sink)
{
    struct many *run = user;
    uint32_t copies = run->asked->request->common.limits.engine.copies;
    (void)sink;
    return row_labels_take(row_of(run, task), answer, copies ? copies : PL_LIMIT_LABELS);
}

// As the service says it of a renderer.
static void fail_document(void *user, size_t task, enum confined_end end, const char *why,
                          const struct message_sink *sink)
{
    struct row_document *d = &row_of(user, task)->document;
    (void)sink;
    d->failed = true;
    if (end == CONFINED_LATE)
        render_problem_of(&(struct platen_error){.status = PLATEN_E_DEADLINE}, &d->problem);
    else if (end == CONFINED_DIED)
        problem_set(&d->problem, 500, "render_failed", "%s", why);
    else
        problem_set(&d->problem, 400, "memory", "%s", why);
}

// What a document takes up: its label code, or its labels.
static size_t row_bytes(void *user, size_t task)
{
    const struct row_labels *row = row_of(user, task);
    return row->document.zpl.cap + row->bytes;
}

// ---- writing: one document at a time, in order

static void complain(struct many *run, const char *path, const char *what)
{
    if (run->bar.any)
        fputc('\n', stderr);
    fprintf(stderr, "platen: %s: %s\n", path, what);
    run->failed = true;
}

static bool flush(struct many *run, bool all)
{
    struct pl_buf *out = &run->answer.out;
    if (out->failed) {
        complain(run, run->asked->output, "not enough memory");
        return false;
    }
    if (run->file.fd < 0 || (!all && out->len < FLUSH_BYTES))
        return true;
    if (!pl_os_write(run->file.fd, out->data, out->len)) {
        complain(run, run->asked->output, strerror(errno));
        return false;
    }
    pl_buf_clear(out);
    return true;
}

static void tell_problem(struct many *run, const struct row_document *d)
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
static void tell_unknown(struct many *run, const struct row_document *d)
{
    const struct controls *c = &d->controls;
    struct unknown_controls unknown;
    if (run->asked->request->quiet || c->unknown_count == 0 || ++run->unknown_told > TOLD_MAX)
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
static char *path_of(const struct many *run, const struct row_document *d, uint32_t index, uint32_t count)
{
    struct pl_buf name;
    char *path = NULL;
    pl_buf_init(&name, 4096);
    pl_label_file_name(pl_buf_slice(&d->id), index, count, &name);
    if (name.failed || asprintf(&path, "%s/%.*s.%s", run->asked->out_dir, (int)name.len, (const char *)name.data,
                                output_name(d->controls.format)) < 0)
        path = NULL;
    pl_buf_fini(&name);
    return path;
}

// The first label is written last: where it is, all are.
static void write_files(struct many *run, const struct row_labels *row)
{
    for (uint32_t i = row->count; i-- > 0;) {
        const struct label_part *part = &row->parts[i];
        bool json = row->document.controls.format == OUTPUT_JSON;
        struct pl_buf text;
        pl_buf_init(&text, SIZE_MAX / 2);
        if (json)
            pl_buf_printf(&text, "{\"index\":%u,%.*s}\n", i, (int)part->members.len, (const char *)part->members.data);
        char *path = path_of(run, &row->document, i, row->count);
        if (!path || text.failed ||
            !cli_write(path, json ? text.data : part->file.data, json ? text.len : part->file.size, NULL))
            run->failed = true;
        free(path);
        pl_buf_fini(&text);
    }
    run->answer.counts.labels += row->count;
}

static void write_problem(struct many *run, const struct row_document *d)
{
    tell_problem(run, d);
    batch_put_problem(&run->answer, pl_buf_slice(&d->id), &d->problem);
}

static void write_row(struct many *run, struct row_labels *row)
{
    struct row_document *d = &row->document;
    struct platen_error err = {0};
    run->answer.counts.documents++;
    if (d->failed) {
        write_problem(run, d);
        return;
    }
    tell_unknown(run, d);
    bool warned = false;
    for (uint32_t i = 0; i < row->count; i++)
        warned = warned || row->parts[i].found.count > 0;
    run->warned += warned;
    if (run->asked->out_dir) {
        write_files(run, row);
        return;
    }
    for (uint32_t i = 0; i < row->count && !run->failed; i++) {
        const struct label_part *part = &row->parts[i];
        struct batch_label label = {.id = pl_buf_slice(&d->id),
                                    .index = i,
                                    .count = row->count,
                                    .copies = row->copies[i],
                                    .pages = row->copies[i],
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
            complain(run, run->asked->output, err.message);
        else if (!flush(run, false))
            run->failed = true;
    }
}

static void tell_progress(struct many *run)
{
    progress_tell(&run->bar, row_source_part(&run->source), run->done + run->skipped,
                  (size_t)run->answer.counts.failed);
}

static void pass_row(void *user, size_t task)
{
    struct many *run = user;
    struct row_labels *row = row_of(run, task);
    if (!run->failed) {
        write_row(run, row);
        run->done++;
        if (!flush(run, false))
            run->failed = true;
        tell_progress(run);
    }
    row_labels_clear(row);
}

// ---- reading

static bool exists(const struct many *run, const struct row_document *d)
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

// What is done goes out before anything is waited for.
static bool next_row(struct many *run, struct row_document *d, bool waits)
{
    bool any = row_source_next(&run->source, d, false);
    return any || (run->source.later && flush(run, true) && waits && row_source_next(&run->source, d, true));
}

static enum runner_read read_row(void *user, size_t task, bool waits)
{
    struct many *run = user;
    struct row_document *d = &row_of(run, task)->document;
    while (!run->failed && next_row(run, d, waits)) {
        enum pl_id_added added = pl_id_set_add(&run->ids, pl_buf_slice(&d->id));
        if (added == PL_ID_NO_MEMORY)
            complain(run, run->source.path, "not enough memory");
        // Files of one name in several folders are documents of their own; only where each gets a name do they collide.
        bool named = run->asked->out_dir || run->asked->kind != BATCH_PDF || run->source.kind != ROW_FILE;
        if (added == PL_ID_KNOWN && !d->failed && named)
            row_refuse(d, "duplicate_id", "another document before it has the same id");
        if (!run->asked->out_dir && run->asked->kind == BATCH_PDF)
            d->controls.format = OUTPUT_PDF;
        else if (!d->failed && (d->controls.format == OUTPUT_PDF || d->controls.format == OUTPUT_BASE64))
            row_refuse(d, "unknown_format", "many documents are drawn as png, jpeg, webp or json, or into one PDF");
        if (!run->asked->skip_existing || d->failed || !exists(run, d))
            return added != PL_ID_NO_MEMORY ? RUNNER_READ : RUNNER_NO_MORE;
        run->skipped++;
        tell_progress(run);
    }
    return run->source.later && !run->failed ? RUNNER_LATER : RUNNER_NO_MORE;
}

// ---- beginning and end

static bool open_output(struct many *run)
{
    if (run->asked->out_dir) {
        if (mkdir(run->asked->out_dir, 0777) != 0 && errno != EEXIST)
            complain(run, run->asked->out_dir, strerror(errno));
    } else if (!whole_file_open(&run->file, run->asked->output)) {
        complain(run, run->asked->output, strerror(errno));
    }
    return !run->failed;
}

static void close_output(struct many *run)
{
    struct platen_error err = {0};
    if (run->file.fd < 0)
        return;
    if (!run->failed && batch_put_summary(&run->answer, pl_now_ns(), NULL, 0, &err) != PLATEN_OK)
        complain(run, run->asked->output, err.message);
    if (!run->failed)
        (void)flush(run, true);
    if (!whole_file_close(&run->file, !run->failed) && !run->failed)
        complain(run, run->asked->output, strerror(errno));
}

static bool prepare(struct many *run)
{
    const struct render_many *many = run->asked;
    struct platen_error err = {0};
    if (many->template_path) {
        if (!template_load(&run->template, many->template_path, many->request->input_limit,
                           &many->request->common.limits))
            return false;
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

static void render_documents(struct many *run)
{
    const struct render_many *asked = run->asked;
    const struct confined_work work = {.verb = "rendered",
                                       .timeout_ms = asked->timeout_ms,
                                       .memory = cli_process_memory(asked->engine),
                                       .input = give_document,
                                       .accept = accept_labels,
                                       .fail = fail_document};
    const struct runner_stream stream = {.window = WINDOW, .next = read_row, .holds = row_bytes, .pass = pass_row};
    const struct run tasks = {.engine = asked->engine,
                              .places = asked->jobs,
                              .count = SIZE_MAX,
                              .kept_most = AHEAD_BYTES,
                              .task = draw,
                              .user = run,
                              .stream = &stream};
    if ((asked->timeout_ms ? confined_run(&tasks, &work) : runner_run(&tasks)) > 0)
        run->failed = true;
}

int render_many_run(struct render_many *many)
{
    struct many *run = calloc(1, sizeof *run);
    if (!run) {
        fprintf(stderr, "platen: not enough memory\n");
        return 1;
    }
    run->asked = many;
    run->file.fd = -1;
    struct platen_limits limits;
    platen_engine_limits(many->engine, &limits);
    run->most = limits.arena_bytes;
    run->controls = render_controls(many->request);
    row_source_init(&run->source, many->inputs, &run->controls, many->request->input_limit);
    run->source.standard = many->standard;
    for (uint32_t i = 0; i < WINDOW; i++)
        row_document_init(&run->rows[i].document);
    progress_begin(&run->bar, !many->request->quiet);
    if (prepare(run))
        render_documents(run);
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
    for (uint32_t i = 0; i < WINDOW; i++)
        row_document_free(&run->rows[i].document);
    row_source_free(&run->source);
    template_free(&run->template);
    pl_id_set_free(&run->ids);
    batch_answer_free(&run->answer);
    int status = run->failed || failed > 0 ? 1 : 0;
    free(run);
    return status;
}
