// Many documents on all cores: each is read and drawn where there is time for it; labels are written in order.
#include "render_many.h"

#include <assert.h>
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
#define AHEAD_BYTES ((size_t)64 << 20) // drawn labels that are not written yet, about

struct many {
    const struct render_many *asked;
    struct controls controls;
    struct row_source source;
    struct cli_input template_text;
    struct template template;
    struct pl_id_set ids;
    struct batch_answer answer;
    struct progress_bar bar;
    struct whole_file file; // of the output; its fd is -1: none
    atomic_bool failed;     // for good: a line was printed
    bool ended;             // all documents were read
    atomic_size_t done, failures, skipped;
    _Atomic double part; // that was read, of 1
    size_t warned, told, unknown_told;
    struct row_bounds bounds;
    struct document {
        struct row_document row;
        struct row_order order;
    } documents[WINDOW];
};

static struct document *document_of(struct many *run, size_t task)
{
    return &run->documents[task % WINDOW];
}

// The document is failed, with a problem.
static void row_refuse(struct row_document *d, const char *code, const char *message)
{
    d->failed = !problem_set(&d->problem, 400, code, "%s", message);
}

// ---- drawing: on any thread or in a process

static bool draw(void *user, size_t task, const struct runner_place *place)
{
    struct many *run = user;
    struct document *d = document_of(run, task);
    struct row_order order = d->order;
    struct pl_slice zpl = pl_buf_slice(&d->row.zpl);
    if (place->files) { // in a process, which is given what the program has read
        memcpy(&order, place->bytes.ptr, sizeof order);
        zpl = pl_slice_sub(place->bytes, sizeof order, place->bytes.len);
        renderer_trap(zpl.ptr, zpl.len);
    } else if (d->row.failed) {
        row_labels_fail(&d->row.problem, place->sink);
        return true;
    }
    row_labels_draw(&order, zpl, &run->bounds, place->worker, place->sink);
    if (d->row.zpl.cap > SPARE_BYTES)
        pl_buf_fini(&d->row.zpl);
    return true;
}

// A document for a process.
static bool give_document(void *user, size_t task, const struct message_sink *sink, struct confined_input *out)
{
    struct many *run = user;
    struct document *d = document_of(run, task);
    if (d->row.failed) {
        row_labels_fail(&d->row.problem, sink);
        return false;
    }
    out->head = pl_slice_make(&d->order, sizeof d->order);
    out->body = &d->row.zpl;
    out->spent_ns = d->row.spent_ns;
    return true;
}

static bool accept_labels(void *user, size_t task, struct pl_slice answer)
{
    struct many *run = user;
    uint32_t copies = run->bounds.limits->engine.copies;
    return row_labels_sound(answer, &document_of(run, task)->order.values, copies ? copies : PL_LIMIT_LABELS);
}

// As the service says it of a renderer.
static void fail_document(void *user, size_t task, enum confined_end end, const char *why,
                          const struct message_sink *sink)
{
    struct problem problem;
    (void)user, (void)task;
    if (end == CONFINED_LATE)
        render_problem_of(&(struct platen_error){.status = PLATEN_E_DEADLINE}, &problem);
    else if (end == CONFINED_DIED)
        problem_set(&problem, 500, "render_failed", "%s", why);
    else
        problem_set(&problem, 400, "memory", "%s", why);
    row_labels_fail(&problem, sink);
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

static void write_file(struct many *run, const struct row_document *d, uint32_t index, uint32_t count,
                       const struct row_label *label)
{
    struct pl_buf text;
    struct pl_slice content = pl_slice_make(label->file.data, label->file.size);
    pl_buf_init(&text, SIZE_MAX / 2);
    if (d->controls.format == OUTPUT_JSON) {
        pl_buf_printf(&text, "{\"index\":%u,%.*s}\n", index, (int)label->members.len, (const char *)label->members.ptr);
        content = pl_buf_slice(&text);
    }
    char *path = path_of(run, d, index, count);
    if (!path || text.failed || !cli_write(path, content.ptr, content.len, NULL))
        run->failed = true;
    run->answer.counts.labels++;
    free(path);
    pl_buf_fini(&text);
}

static void write_problem(struct many *run, const struct row_document *d)
{
    run->failures++;
    tell_problem(run, d);
    batch_put_problem(&run->answer, pl_buf_slice(&d->id), &d->problem);
}

static bool put_label(struct many *run, struct row_document *d, uint32_t index, uint32_t count,
                      const struct row_label *label)
{
    struct platen_error err = {0};
    const struct batch_label put = {.id = pl_buf_slice(&d->id),
                                    .index = index,
                                    .count = count,
                                    .copies = label->copies,
                                    .pages = label->copies,
                                    .format = d->controls.format,
                                    .file = pl_slice_make(label->file.data, label->file.size),
                                    .members = label->members,
                                    .warnings = label->warnings,
                                    .part = &label->file,
                                    .unknown = d->controls.unknown,
                                    .unknown_count = d->controls.unknown_count};
    enum platen_status status = batch_put_label(&run->answer, &put, &err);
    if (status == PLATEN_E_INVALID && index == 0) { // too large for the page; all its labels are of one size
        render_problem_of(&err, &d->problem);
        write_problem(run, d);
        return false;
    }
    if (status != PLATEN_OK)
        complain(run, run->asked->output, err.message);
    else if (!flush(run, false))
        run->failed = true;
    return status == PLATEN_OK && !run->failed;
}

static void write_labels(struct many *run, struct row_document *d, struct pl_slice answer)
{
    struct row_labels labels;
    struct row_label label;
    bool whole = row_labels_read(answer, &labels);
    assert(whole);
    run->answer.counts.documents++;
    if (!whole || labels.head.status) {
        (void)problem_set(&d->problem, labels.head.status, labels.head.code, "%s", labels.head.message);
        write_problem(run, d);
        return;
    }
    tell_unknown(run, d);
    bool warned = false;
    for (struct row_labels look = labels; row_labels_next(&look, &label);)
        warned = warned || label.warned;
    run->warned += warned;
    struct row_label first = {0};
    for (uint32_t i = 0; i < labels.head.count && row_labels_next(&labels, &label); i++) {
        if (run->asked->out_dir && i == 0)
            first = label;
        else if (run->asked->out_dir)
            write_file(run, d, i, labels.head.count, &label);
        else if (!put_label(run, d, i, labels.head.count, &label))
            return;
    }
    if (run->asked->out_dir) // the first one last: where it is, all are
        write_file(run, d, 0, labels.head.count, &first);
}

static void tell_progress(struct many *run)
{
    progress_tell(&run->bar, run->part, run->done + run->skipped, run->failures);
}

// The `say` of the run's sink: the answer of the next document.
static void write_answer(void *user, const char *text, size_t len)
{
    struct many *run = user;
    if (run->failed)
        return;
    write_labels(run, &document_of(run, run->done)->row, pl_slice_make(text, len));
    run->done++;
    if (!flush(run, false))
        run->failed = true;
    tell_progress(run);
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

static struct row_order order_of(const struct row_document *d)
{
    struct row_order order = {.unknown_count = d->controls.unknown_count, .spent_ns = d->spent_ns};
    control_values_copy(&order.values, &d->controls);
    return order;
}

// The `next` of the run.
static bool read_document(void *user, size_t task)
{
    struct many *run = user;
    struct document *document = document_of(run, task);
    struct row_document *d = &document->row;
    while (!run->failed && row_source_next(&run->source, d)) {
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
        run->part = row_source_part(&run->source);
        document->order = order_of(d);
        if (!run->asked->skip_existing || d->failed || !exists(run, d))
            return added != PL_ID_NO_MEMORY;
        run->skipped++;
        tell_progress(run);
    }
    run->ended = true;
    return false;
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

static void render_documents(struct many *run)
{
    const struct render_many *asked = run->asked;
    const struct message_sink sink = {.say = write_answer, .user = run};
    const struct confined_work work = {.verb = "rendered",
                                       .timeout_ms = asked->timeout_ms,
                                       .memory = cli_process_memory(asked->engine),
                                       .input = give_document,
                                       .accept = accept_labels,
                                       .fail = fail_document};
    // Where several threads draw, one more fills in for the one that reads or writes.
    const struct run tasks = {.engine = asked->engine,
                              .places = asked->jobs + (asked->jobs > 1 && !asked->timeout_ms),
                              .count = SIZE_MAX,
                              .window = WINDOW,
                              .kept_most = AHEAD_BYTES,
                              .sink = &sink,
                              .next = read_document,
                              .task = draw,
                              .user = run};
    (void)(asked->timeout_ms ? confined_run(&tasks, &work) : runner_run(&tasks)); // what fails is in the answer
    if (!run->ended)
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
    run->bounds = (struct row_bounds){&many->request->common.limits, limits.arena_bytes};
    run->controls = render_controls(many->request);
    row_source_init(&run->source, many->inputs, &run->controls, many->request->input_limit);
    run->source.standard = many->standard;
    for (uint32_t i = 0; i < WINDOW; i++)
        row_document_init(&run->documents[i].row);
    progress_begin(&run->bar, !many->request->quiet);
    if (prepare(run))
        render_documents(run);
    else
        run->failed = true;
    run->failed = run->failed || run->source.broken;
    close_output(run);
    size_t failed = run->failures, done = run->done;
    bool shown = run->bar.shown;
    progress_end(&run->bar, done + run->skipped, failed);
    if (!many->request->quiet && !run->failed && (!shown || run->skipped > 0))
        fprintf(stderr, "%zu rendered, %zu failed%s\n", done - failed, failed,
                run->skipped > 0 ? ", others were there already" : "");
    if (!many->request->quiet && run->warned > 0)
        fprintf(stderr, "%zu of them with warnings: -o OUT.ndjson lists them, --strict refuses them\n", run->warned);
    for (uint32_t i = 0; i < WINDOW; i++)
        row_document_free(&run->documents[i].row);
    row_source_free(&run->source);
    template_free(&run->template);
    cli_input_free(&run->template_text);
    pl_id_set_free(&run->ids);
    batch_answer_free(&run->answer);
    int status = run->failed || failed > 0 ? 1 : 0;
    free(run);
    return status;
}
