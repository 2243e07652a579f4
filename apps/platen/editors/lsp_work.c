// Checking, drawing and laying out a document of an editor.
#include "lsp_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "checking/check_finding.h"
#include "describe/fixes.h"

#define FINDINGS_MEMORY ((size_t)64 << 20)
#define EARLY_LABELS 8u // from so many on what the parse found is shown before the labels are drawn

static double dpmm_of(const struct check_settings *s)
{
    return s->common.render.dpmm > 0 ? s->common.render.dpmm : PL_DEFAULT_DPMM;
}

// ---- settings of the client

struct own {
    struct pl_arena *memory;
    const char *docs_url;
};

static bool take_member(void *user, struct pl_slice name, struct control_value value, bool *taken,
                        struct problem *problem)
{
    struct own *own = user;
    if (!pl_slice_eq_cstr(name, "docsUrl"))
        return true;
    *taken = true;
    if (value.type != PL_JSON_STRING)
        return problem_set(problem, 400, "invalid", "docsUrl must be a string.");
    own->docs_url = pl_arena_printf(own->memory, "%.*s", (int)value.text.len, (const char *)value.text.ptr);
    return true;
}

// Render controls by their names. False: a sentence in `problem`.
static bool read_controls(struct pl_slice json, const char *what, struct own *own, struct controls *out, char *problem,
                          size_t size)
{
    struct problem why;
    controls_init(out);
    if (!controls_from_members(out, what, 64, json, own->memory, take_member, own, &why)) {
        snprintf(problem, size, "%.*s", (int)size - 1, why.message);
        return false;
    }
    if (out->unknown_count == 0)
        return true;
    snprintf(problem, size, "%s has no setting '%.*s'.", what, (int)PL_MIN(out->unknown[0].len, (size_t)60),
             (const char *)out->unknown[0].ptr);
    return false;
}

bool lsp_work_configure(struct lsp_host *host, struct pl_slice options, char *problem, size_t size)
{
    struct lsp_work *work = host->user;
    struct cli_options *common = &work->settings.common;
    struct own own = {.memory = work->settings.memory};
    struct controls given;
    if (!read_controls(options, "initializationOptions", &own, &given, problem, size))
        return false;
    if (control_values_have(&given.values, CONTROL_VERIFY))
        work->settings.no_verify = !given.values.verify;
    controls_merge(&common->controls, &given);
    common->render = controls_given_options(&common->controls.values);
    host->dpmm = dpmm_of(&work->settings);
    if (own.docs_url)
        host->docs_url = own.docs_url;
    return true;
}

// ---- findings

struct checking {
    struct lsp_work *work;
    struct lsp_job *job;
    struct pl_slice code;
    struct platen_document *document;
    const struct platen_page *page; // that is drawn; NULL: none is yet
    struct check_findings all;      // decides which ones count
    struct lsp_result *result, *early;
};

// What the settings and comments leave of it goes to the results.
static void add(struct checking *c, const struct platen_diagnostic *d, const struct platen_label *label)
{
    uint32_t before = c->all.count;
    struct pl_fix fix;
    check_findings_add(&c->all, d, label);
    if (c->all.count == before)
        return;
    const struct platen_diagnostic *kept = &c->all.items[before].d;
    struct lsp_finding f = {.code = kept->code,
                            .message = kept->message,
                            .severity = kept->severity,
                            .offset = PL_MIN(d->offset, (uint32_t)c->code.len),
                            .length = d->length,
                            .parameter = d->parameter};
    f.length = PL_MIN(f.length, (uint32_t)c->code.len - f.offset);
    while (f.length > 0 && c->code.ptr[f.offset + f.length - 1] <= ' ') // a line end is not underlined
        f.length--;
    if (c->document && pl_fix_find(c->document, c->page, d, &fix))
        f.fix = &fix;
    lsp_result_add(c->result, &f);
    if (c->early)
        lsp_result_add(c->early, &f);
}

static void add_label(struct checking *c, const struct platen_diagnostic *d)
{
    struct platen_label label;
    bool inside = d->label >= 0 && platen_label_at(c->document, (uint32_t)d->label, &label);
    add(c, d, inside ? &label : NULL);
}

static void add_broken(void *user, struct platen_diagnostic *d, const struct platen_label *label)
{
    add(user, d, label);
}

static void add_failure(struct checking *c, int32_t label, const struct platen_error *err)
{
    char text[CLI_FAILURE_SIZE];
    struct platen_diagnostic d = {.code = CHECK_NOT_CHECKED,
                                  .severity = PLATEN_ERROR,
                                  .message = text,
                                  .command = "",
                                  .label = label,
                                  .element = -1};
    struct platen_label place;
    if (label >= 0 && platen_label_at(c->document, (uint32_t)label, &place))
        d.offset = place.offset;
    cli_failure(err, text, sizeof text);
    add_label(c, &d);
}

// False: cancelled.
static bool check_label(struct checking *c, uint32_t index)
{
    struct lsp_work *work = c->work;
    struct platen_label label;
    struct platen_diagnostic d;
    struct platen_error err;
    platen_label_at(c->document, index, &label);
    enum platen_status status = platen_draw(work->worker, c->document, index, &c->page, &err);
    if (status == PLATEN_E_CANCELLED)
        return false;
    if (status != PLATEN_OK) {
        c->page = NULL;
        add_failure(c, (int32_t)index, &err);
        return true;
    }
    for (uint32_t i = 0; platen_page_diagnostic_at(c->page, i, &d); i++)
        add(c, &d, &label);
    const struct check_drawn drawn = {c->page, &label, index, c->all.dpmm};
    if (work->settings.own_rules.count > 0)
        check_own_rules_apply(&work->settings.own_rules, c->all.path, &drawn, add_broken, c);
    c->page = NULL;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct lsp_finding *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    int code = strcmp(x->code, y->code);
    return code ? code : strcmp(x->message, y->message);
}

static void post(struct lsp_job *job, struct lsp_result *result)
{
    if (result->count > 1)
        qsort(result->findings, result->count, sizeof *result->findings, by_place);
    lsp_job_post(job, result);
}

// False: cancelled.
static bool check_document(struct checking *c)
{
    struct platen_diagnostic d;
    uint32_t labels = platen_label_count(c->document);
    c->result->labels = labels;
    check_findings_read_comments(&c->all, c->code, c->document);
    // What is wrong with comments has been added already.
    uint32_t own = c->all.count;
    for (uint32_t i = 0; i < own; i++) {
        const struct platen_diagnostic *f = &c->all.items[i].d;
        lsp_result_add(c->result, &(struct lsp_finding){.code = f->code,
                                                        .message = f->message,
                                                        .severity = f->severity,
                                                        .offset = f->offset,
                                                        .length = f->length});
    }
    if (labels >= EARLY_LABELS)
        c->early = lsp_result_new(c->job);
    for (uint32_t i = 0; platen_diagnostic_at(c->document, i, &d); i++)
        add_label(c, &d);
    if (c->early)
        post(c->job, c->early);
    c->early = NULL;
    for (uint32_t i = 0; i < labels; i++) {
        if (!check_label(c, i))
            return false;
    }
    c->result->left_out += c->all.counts.left_out + platen_diagnostics_dropped(c->document);
    return true;
}

static struct platen_options options_of(const struct lsp_work *work, const struct lsp_job *job,
                                        struct platen_options render)
{
    const struct check_settings *s = &work->settings;
    struct platen_options options = render;
    options.want_elements = true;
    options.collapse_copies = true;
    options.verify = job->kind == LSP_CHECK && !s->no_verify;
    options.cancel = &job->cancel;
    options.deadline_ns = cli_deadline(&s->common.limits);
    if (job->language != PLATEN_LANGUAGE_DETECT)
        options.language = job->language;
    return options;
}

static void refuse(struct lsp_result *result, const char *why)
{
    snprintf(result->problem, sizeof result->problem, "%s", why);
}

static void check(struct checking *c)
{
    struct platen_options options = options_of(c->work, c->job, c->work->settings.common.render);
    struct platen_error err;
    enum platen_status status = platen_parse(c->work->worker, c->code.ptr, c->code.len, &options, &c->document, &err);
    if (status == PLATEN_E_CANCELLED) {
        refuse(c->result, "The document was changed.");
        return;
    }
    if (status != PLATEN_OK) {
        add_failure(c, -1, &err);
        return;
    }
    cli_more_time(&c->work->settings.common.limits, options.deadline_ns, c->document);
    if (!check_document(c))
        refuse(c->result, "The document was changed.");
    platen_document_free(c->document);
}

// ---- pictures

// The label that is asked for; the number of labels: there is none.
static uint32_t find_label(const struct checking *c, uint32_t labels)
{
    struct platen_label label;
    if (c->job->place == UINT32_MAX)
        return PL_MIN(c->job->label, labels);
    for (uint32_t i = 0; platen_label_at(c->document, i, &label); i++) {
        if (c->job->place >= label.offset && c->job->place - label.offset <= label.length)
            return i;
    }
    return labels;
}

// A PDF has all labels.
static enum platen_status make_pdf(struct checking *c, const struct control_values *wanted, struct platen_buffer *out,
                                   struct platen_error *err)
{
    struct platen_buffer part = {0};
    struct platen_pdf *pdf;
    struct platen_pdf_layout layout;
    struct platen_label label;
    enum platen_status status = platen_pdf_new("Labels", out, &pdf, err);
    if (status != PLATEN_OK)
        return status;
    platen_pdf_set_cancel(pdf, &c->job->cancel, cli_deadline(&c->work->settings.common.limits)); // of many copies
    if (controls_layout(wanted, &layout))
        status = platen_pdf_set_layout(pdf, &layout, err);
    for (uint32_t i = 0; !status && platen_label_at(c->document, i, &label); i++) {
        status = platen_draw(c->work->worker, c->document, i, &c->page, err);
        status = status ? status : platen_pdf_part(c->work->worker, c->page, &part, err);
        status =
            status ? status : platen_pdf_add(pdf, &part, wanted->copies == COPIES_COLLAPSE ? 1 : label.copies, err);
    }
    status = status ? status : platen_pdf_finish(pdf, err);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
    return status;
}

static enum platen_status make_picture(struct checking *c, const struct control_values *wanted,
                                       struct platen_buffer *out, struct platen_error *err)
{
    const struct platen_encode_options options = controls_encoding(wanted);
    struct platen_bitmap dots;
    enum platen_status status = platen_draw(c->work->worker, c->document, c->result->label, &c->page, err);
    if (status != PLATEN_OK)
        return status;
    platen_page_bitmap(c->page, &dots);
    c->result->width = dots.width;
    c->result->height = dots.height;
    return platen_encode(c->work->worker, c->page, output_format(wanted->format), &options, out, err);
}

static void draw_parsed(struct checking *c, const struct control_values *wanted)
{
    const bool is_pdf = wanted->format == OUTPUT_PDF;
    struct platen_buffer bytes = {0};
    struct platen_error err;
    uint32_t labels = platen_label_count(c->document);
    c->result->labels = labels;
    c->result->mime = output_mime(wanted->format);
    c->result->label = find_label(c, labels);
    if (c->result->label == labels)
        snprintf(c->result->problem, sizeof c->result->problem, "There is no such label: the document has %u.", labels);
    else if ((is_pdf ? make_pdf(c, wanted, &bytes, &err) : make_picture(c, wanted, &bytes, &err)) != PLATEN_OK)
        refuse(c->result, err.message);
    else
        pl_buf_append(&c->result->bytes, bytes.data, bytes.size);
    platen_buffer_free(&bytes);
}

// What the service does with these has no meaning here: it is refused, since nobody would see that it was not done.
static bool can_be_drawn(const struct control_values *given, char *problem, size_t size)
{
    static const struct {
        enum control control;
        const char *instead;
    } NONE[] = {{CONTROL_PAGE, "'label' says which one is drawn"},
                {CONTROL_STRICT, "findings are published as diagnostics"},
                {CONTROL_DOWNLOAD, "the client saves the picture"},
                {CONTROL_FILENAME, "the client saves the picture"}};
    if (!output_is_picture(given->format) && given->format != OUTPUT_PDF) {
        snprintf(problem, size, "A preview is a picture: its 'format' must be png, jpeg, webp or pdf.");
        return false;
    }
    for (size_t i = 0; i < PL_COUNTOF(NONE); i++) {
        if (control_values_have(given, NONE[i].control)) {
            snprintf(problem, size, "A preview has no setting '%s': %s.", control_row(NONE[i].control)->name,
                     NONE[i].instead);
            return false;
        }
    }
    return true;
}

static void draw(struct checking *c, struct pl_arena *memory)
{
    struct lsp_result *result = c->result;
    struct controls all = c->work->settings.common.controls, given;
    struct own own = {.memory = memory};
    struct platen_error err;
    controls_init(&given);
    if (c->job->options && (!read_controls(pl_slice_cstr(c->job->options), "options", &own, &given, result->problem,
                                           sizeof result->problem) ||
                            !can_be_drawn(&given.values, result->problem, sizeof result->problem)))
        return;
    controls_merge(&all, &given);
    all.values.format = given.values.format; // who asks knows what it can show
    struct platen_options options = options_of(c->work, c->job, controls_given_options(&all.values));
    if (platen_parse(c->work->worker, c->code.ptr, c->code.len, &options, &c->document, &err) != PLATEN_OK) {
        refuse(result, err.message);
        return;
    }
    draw_parsed(c, &all.values);
    platen_document_free(c->document);
}

// ---- layout

static void lay_out(struct checking *c)
{
    struct platen_rewrite_options options =
        PLATEN_REWRITE_OPTIONS(.layout = PLATEN_LAYOUT_LINES, .language = c->job->language, .cancel = &c->job->cancel,
                               .deadline_ns = cli_deadline(&c->work->settings.common.limits));
    struct platen_rewritten *rewritten;
    struct platen_error err;
    size_t size;
    if (platen_rewrite(c->work->worker, c->code.ptr, c->code.len, &options, &rewritten, &err) != PLATEN_OK) {
        refuse(c->result, err.message);
        return;
    }
    const char *code = platen_rewritten_code(rewritten, &size);
    pl_buf_append(&c->result->bytes, code, size);
    platen_rewritten_free(rewritten);
}

// ---- jobs

// The path of a document as patterns of the settings have it: below the working folder without that.
static char *path_of(const char *uri, struct pl_arena *memory)
{
    static const char SCHEME[] = "file://";
    char folder[4096], *path = PL_ARENA_ARRAY(memory, char, strlen(uri) + 1);
    size_t n = 0;
    if (!path)
        return NULL;
    if (strncmp(uri, SCHEME, sizeof SCHEME - 1) == 0)
        uri += sizeof SCHEME - 1;
    while (*uri) {
        int high = *uri == '%' ? pl_hex_value((uint8_t)uri[1]) : -1;
        int low = high >= 0 ? pl_hex_value((uint8_t)uri[2]) : -1;
        path[n++] = low >= 0 ? (char)(high << 4 | low) : *uri;
        uri += low >= 0 ? 3 : 1;
    }
    path[n] = '\0';
    if (!getcwd(folder, sizeof folder))
        return path;
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

void lsp_work_run(void *user, struct lsp_job *job)
{
    struct lsp_work *work = user;
    struct pl_arena memory;
    struct checking c = {.work = work, .job = job, .code = pl_slice_make(job->text, job->size)};
    c.result = lsp_result_new(job);
    if (!c.result)
        return; // without memory there is no answer
    pl_arena_init(&memory, FINDINGS_MEMORY);
    const char *path = path_of(job->path, &memory);
    c.all = (struct check_findings){.settings = &work->settings,
                                    .path = path ? check_policy_path(path) : "",
                                    .memory = &memory,
                                    .dpmm = dpmm_of(&work->settings)};
    if (job->kind == LSP_CHECK)
        check(&c);
    else if (job->kind == LSP_PREVIEW)
        draw(&c, &memory);
    else
        lay_out(&c);
    c.result->is_final = true;
    post(job, c.result);
    platen_worker_trim(work->worker);
    pl_arena_fini(&memory);
}
