// One input of `platen render`.
#include "render_file.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/label_part.h"
#include "base/ckd.h"
#include "cli/whole_file.h"
#include "describe/describe.h"
#include "os/write.h"
#include "renderer/summary.h"
#include "runner/runner.h"

#define PIECE_BYTES ((size_t)1 << 20) // of a file that is written while it is made
#define LABELS_PER_THREAD 8           // fewer are not worth another thread

struct job {
    struct platen_worker *worker;
    const struct render_request *request;
    const char *input, *output;
    const struct message_sink *sink;
    struct platen_document *document;
    struct platen_buffer bytes;
    uint32_t warnings;
    // An output that holds all labels is there as a whole or not at all. A plain file is written while it is made and
    // put in place at the end; all else is kept in memory until then.
    struct whole_file file; // its fd is -1: nothing is written yet
    bool kept;
    size_t kept_most; // bytes
};

static bool fail(const struct job *job, const char *message)
{
    message_print(job->sink, "platen: %s: %s\n", job->input, message);
    return false;
}

static bool fail_by(const struct job *job, const struct platen_error *err)
{
    return cli_print_failure(job->input, err, job->sink);
}

static void print_diagnostic(struct job *job, const struct platen_diagnostic *d)
{
    static const char *const SEVERITIES[] = {"note", "warning", "error"};
    if (d->severity != PLATEN_INFO)
        job->warnings++;
    if (!job->request->quiet)
        message_print(job->sink, "%s:%u:%u: %s: %s [%s]\n", job->input, d->line, d->column, SEVERITIES[d->severity],
                      d->message, d->code);
}

static void print_parse_diagnostics(struct job *job)
{
    struct platen_diagnostic d;
    for (uint32_t i = 0; platen_diagnostic_at(job->document, i, &d); i++)
        print_diagnostic(job, &d);
    uint32_t dropped = platen_diagnostics_dropped(job->document);
    if (dropped && !job->request->quiet)
        message_print(job->sink, "%s: %u more diagnostics\n", job->input, dropped);
    job->warnings += dropped;
}

static const struct platen_page *draw(struct job *job, uint32_t label, bool silent)
{
    struct platen_error err;
    const struct platen_page *page;
    if (platen_draw(job->worker, job->document, label, &page, &err) != PLATEN_OK) {
        fail_by(job, &err);
        return NULL;
    }
    struct platen_diagnostic d;
    for (uint32_t i = 0; !silent && platen_page_diagnostic_at(page, i, &d); i++)
        print_diagnostic(job, &d);
    return page;
}

static bool strict_failed(const struct job *job)
{
    return job->request->strict && job->warnings > 0 && !fail(job, "there are warnings, and --strict was given");
}

static bool fail_output(const struct job *job)
{
    message_print(job->sink, "platen: %s: %s\n", job->output, strerror(errno));
    return false;
}

static bool put(const struct job *job, const char *path, const void *data, size_t size)
{
    const struct cli_files *files = job->request->files;
    return files ? files->write(files->user, path, data, size, job->sink) : cli_write(path, data, size, job->sink);
}

static void open_whole(struct job *job)
{
    struct platen_limits limits;
    platen_engine_limits(job->request->engine, &limits);
    job->file.fd = -1;
    job->kept = job->request->files || cli_is_stream(job->output);
    job->kept_most = job->kept ? limits.arena_bytes : SIZE_MAX / 2;
}

static bool too_large(const struct job *job)
{
    char text[160];
    snprintf(text, sizeof text,
             "The output is over the limit of %zu bytes of what is not written to a file (-o). [limit_exceeded]",
             job->kept_most);
    return fail(job, text);
}

// Writes what there is so far; *taken: the caller can forget it.
static bool write_so_far(struct job *job, const void *data, size_t size, bool *taken)
{
    *taken = false;
    if (job->kept)
        return size <= job->kept_most || too_large(job);
    if (size < PIECE_BYTES)
        return true;
    *taken = (job->file.fd >= 0 || whole_file_open(&job->file, job->output)) && pl_os_write(job->file.fd, data, size);
    return *taken || fail_output(job);
}

// The last bytes. `ok` is false: something has failed, and nothing is left of the output.
static bool close_whole(struct job *job, bool ok, const void *data, size_t size)
{
    if (job->file.fd < 0)
        return ok && put(job, job->output, data, size);
    if (ok && !pl_os_write(job->file.fd, data, size))
        ok = fail_output(job);
    return whole_file_close(&job->file, ok) ? ok : fail_output(job);
}

static bool write_pdf(struct job *job)
{
    struct platen_error err;
    struct platen_pdf *pdf;
    struct platen_buffer part = {0};
    open_whole(job);
    if (platen_pdf_new("Labels", &job->bytes, &pdf, &err) != PLATEN_OK)
        return fail_by(job, &err);
    struct platen_pdf_layout layout;
    bool ok = !controls_layout(&job->request->common.controls.values, &layout) ||
              platen_pdf_set_layout(pdf, &layout, &err) == PLATEN_OK || fail_by(job, &err);
    for (uint32_t i = 0; ok && i < platen_label_count(job->document); i++) {
        struct platen_label label;
        platen_label_at(job->document, i, &label);
        const struct platen_page *page = draw(job, i, false);
        ok = page != NULL;
        if (ok && (platen_pdf_part(job->worker, page, &part, &err) != PLATEN_OK ||
                   platen_pdf_add(pdf, &part, label.copies, &err) != PLATEN_OK))
            ok = fail_by(job, &err);
        bool taken = false;
        ok = ok && write_so_far(job, job->bytes.data, job->bytes.size, &taken);
        if (taken)
            platen_pdf_take(pdf);
    }
    if (ok && platen_pdf_finish(pdf, &err) != PLATEN_OK)
        ok = fail_by(job, &err);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
    return close_whole(job, ok && !strict_failed(job), job->bytes.data, job->bytes.size);
}

struct controls render_controls(const struct render_request *request)
{
    struct controls c = controls_without_pdf(&request->common.controls);
    c.strict = request->strict;
    return c;
}

static bool check_text(const struct job *job, const struct pl_buf *text)
{
    return !text->failed || (text->short_of_memory ? fail(job, "not enough memory") : too_large(job));
}

// One label with its pages.
static bool add_label(struct job *job, const struct controls *controls, struct pl_description *result, uint32_t label,
                      uint32_t *page, struct pl_buf *text)
{
    struct platen_error err;
    struct platen_label info = {.copies = 1};
    struct label_part part;
    const struct platen_page *drawn = draw(job, label, false);
    if (!drawn)
        return false;
    label_part_init(&part);
    bool ok = platen_encode(job->worker, drawn, PLATEN_PNG, NULL, &part.file, &err) == PLATEN_OK || fail_by(job, &err);
    if (ok) {
        label_part_warnings(job->document, drawn, &part);
        label_part_members(job->document, drawn, &(struct label_part_options){.controls = &controls->values}, &part);
        platen_label_at(job->document, label, &info);
        ok = !label_part_failed(&part) || fail(job, "not enough memory");
        for (uint32_t copy = 0; ok && copy < info.copies; copy++) {
            bool taken;
            pl_description_page(*page, *page == 0, text);
            (*page)++;
            pl_buf_append_slice(text, pl_buf_slice(&part.members));
            ok = check_text(job, text) && write_so_far(job, text->data, text->len, &taken);
            if (ok && taken)
                pl_buf_clear(text);
        }
        pl_description_note(result, pl_buf_slice(&part.warnings), part.warning_count);
    }
    label_part_free(&part);
    return ok;
}

static bool write_json(struct job *job)
{
    const struct controls controls = render_controls(job->request);
    struct summary summary;
    if (!summary_of_document(job->document, &summary))
        return fail(job, "not enough memory");
    struct platen_options label = controls_options(&controls.values);
    platen_document_size(job->document, &label.width_mm, &label.height_mm, NULL, NULL); // as --size auto found it
    label.language = summary.language;
    const struct platen_describe_options options = controls_description(&controls.values);
    struct pl_description result = {.findings = summary.findings.items,
                                    .finding_count = summary.findings.count,
                                    .document = job->document,
                                    .count = summary.labels};
    struct pl_buf text;
    uint32_t page = 0;
    bool ok = true;
    open_whole(job);
    pl_buf_init(&text, job->kept_most);
    pl_buf_init(&result.warnings, DOCUMENT_WARNINGS);
    pl_description_open(job->request->engine, &label, &options, summary.pages, &text);
    for (uint32_t i = 0; ok && i < result.count; i++)
        ok = add_label(job, &controls, &result, i, &page, &text);
    ok = ok && !strict_failed(job);
    if (ok) {
        pl_description_close(&result, NULL, 0, &text);
        pl_buf_append_byte(&text, '\n');
        ok = check_text(job, &text);
    }
    ok = close_whole(job, ok, text.data, text.len);
    pl_buf_fini(&text);
    pl_buf_fini(&result.warnings);
    summary_free(&summary);
    return ok;
}

static bool encode(struct job *job, const struct platen_page *page)
{
    struct platen_error err;
    const struct control_values *c = &job->request->common.controls.values;
    const struct platen_encode_options options = controls_encoding(c);
    return platen_encode(job->worker, page, output_format(c->format), &options, &job->bytes, &err) == PLATEN_OK ||
           fail_by(job, &err);
}

static bool write_page(struct job *job)
{
    uint32_t label;
    if (!platen_label_of_page(job->document, job->request->page, &label)) {
        char text[96];
        snprintf(text, sizeof text, "there is no page %u: the input has %u (counted from 0)", job->request->page,
                 platen_page_count(job->document));
        return fail(job, text);
    }
    const struct platen_page *page = draw(job, label, false);
    return page && encode(job, page) && !strict_failed(job) && put(job, job->output, job->bytes.data, job->bytes.size);
}

// What comes before the extension.
static size_t stem_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && (!slash || dot > slash + 1) && dot != path ? (size_t)(dot - path) : strlen(path);
}

bool render_writes(const struct render_request *request, const char *output, const char *path)
{
    if (!request->all_pages || output_holds_all(request->common.controls.format))
        return strcmp(path, output) == 0;
    size_t stem = stem_length(output);
    if (strncmp(path, output, stem) != 0 || path[stem] != '-')
        return false;
    const char *number = path + stem + 1;
    size_t digits = strspn(number, "0123456789");
    return digits > 0 && strcmp(number + digits, output + stem) == 0;
}

// "out/label.png" and page 3 of 12 make "out/label-04.png".
static char *numbered(const char *path, uint32_t page, uint32_t pages)
{
    size_t stem = stem_length(path);
    int digits = snprintf(NULL, 0, "%u", pages);
    char *out;
    return asprintf(&out, "%.*s-%0*u%s", (int)stem, path, digits, page + 1, path + stem) < 0 ? NULL : out;
}

// The labels of one document, shared out to threads. Each takes the next label, draws it, and writes its pages.
struct share {
    const struct job *job;
    uint32_t *first_page; // of each label
    uint32_t pages;
    atomic_uint warnings;
    bool check; // only draw, and count the warnings: --strict writes nothing where there are some
    bool again; // the second time: its messages have been printed
};

static bool write_copies(struct job *job, const struct share *share, uint32_t label)
{
    for (uint32_t page = share->first_page[label]; page < share->first_page[label + 1]; page++) {
        char *path = numbered(job->output, page, share->pages);
        bool ok = path ? put(job, path, job->bytes.data, job->bytes.size) : fail(job, "not enough memory");
        free(path);
        if (!ok)
            return false;
    }
    return true;
}

static bool draw_shared_label(void *user, size_t task, const struct runner_place *place)
{
    struct share *share = user;
    struct job own = *share->job;
    own.worker = place->worker;
    own.sink = place->sink;
    own.bytes = (struct platen_buffer){0};
    own.warnings = 0;
    uint32_t label = (uint32_t)task;
    const struct platen_page *page = draw(&own, label, share->again);
    bool ok = page && (share->check || (encode(&own, page) && write_copies(&own, share, label)));
    atomic_fetch_add(&share->warnings, own.warnings);
    platen_buffer_free(&own.bytes);
    return ok;
}

// All labels, on as many threads as are worth it.
static bool run_shares(struct share *share)
{
    uint32_t labels = platen_label_count(share->job->document);
    const struct run run = {.engine = share->job->request->engine,
                            .worker = share->job->worker,
                            .places = PL_MIN(share->job->request->jobs, labels / LABELS_PER_THREAD + 1),
                            .count = labels,
                            .stops_at_failure = true,
                            .sink = share->job->sink,
                            .task = draw_shared_label,
                            .user = share};
    return runner_run(&run) == 0;
}

static bool write_all_pages(struct job *job)
{
    struct share share = {.job = job, .pages = platen_page_count(job->document)};
    uint32_t labels = platen_label_count(job->document);
    share.first_page = malloc(((size_t)labels + 1) * sizeof *share.first_page);
    if (!share.first_page)
        return fail(job, "not enough memory");
    share.first_page[0] = 0;
    for (uint32_t i = 0; i < labels; i++) {
        struct platen_label label;
        platen_label_at(job->document, i, &label);
        share.first_page[i + 1] = share.first_page[i] + label.copies;
    }
    bool ok = true;
    if (job->request->strict) {
        share.check = true;
        ok = run_shares(&share);
        job->warnings += atomic_load(&share.warnings);
        ok = ok && !strict_failed(job);
        share.check = false;
        share.again = true;
    }
    ok = ok && run_shares(&share);
    free(share.first_page);
    return ok;
}

static bool render_input(struct job *job, const struct cli_input *zpl)
{
    struct platen_error err;
    const struct controls controls = render_controls(job->request);
    struct platen_options options = controls_options(&controls.values);
    enum output output = controls.format;
    options.deadline_ns = cli_deadline(&job->request->common.limits);
    options.has_time = controls_has(&controls, CONTROL_TIME);
    options.time = controls.time;
    if (platen_parse(job->worker, zpl->data, zpl->size, &options, &job->document, &err) != PLATEN_OK)
        return fail_by(job, &err);
    cli_more_time(&job->request->common.limits, options.deadline_ns, job->document);
    print_parse_diagnostics(job);
    bool ok;
    if (platen_label_count(job->document) == 0)
        ok = fail(job, "there is no label in it");
    else if (output == OUTPUT_PDF)
        ok = write_pdf(job);
    else if (output == OUTPUT_JSON || output == OUTPUT_BASE64)
        ok = write_json(job);
    else
        ok = job->request->all_pages ? write_all_pages(job) : write_page(job);
    platen_document_free(job->document);
    return ok;
}

bool render_file(struct platen_worker *worker, const struct render_request *request, const char *input,
                 const char *output, const struct message_sink *sink)
{
    struct job job = {.worker = worker, .request = request, .input = input, .output = output, .sink = sink};
    struct cli_input zpl;
    const struct cli_files *files = request->files;
    if (!(files ? files->read(files->user, input, request->input_limit, &zpl, sink)
                : cli_read(input, request->input_limit, &zpl, sink)))
        return false;
    bool ok = render_input(&job, &zpl);
    cli_input_free(&zpl);
    platen_buffer_free(&job.bytes);
    return ok;
}
