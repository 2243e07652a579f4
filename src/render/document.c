// From bytes to a document: options, size in dots, interpretation, pages and diagnostics.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "os/clock.h"
#include "render/cancel.h"
#include "render/options.h"
#include "render/render.h"

static enum platen_status read_options(const struct platen_options *options, struct platen_options *out,
                                       struct platen_error *err)
{
    enum platen_status status = pl_options_read(options, out, sizeof *out, "platen_options", err);
    if (out->width_mm == 0)
        out->width_mm = PL_DEFAULT_WIDTH_MM;
    if (out->height_mm == 0)
        out->height_mm = PL_DEFAULT_HEIGHT_MM;
    if (out->dpmm == 0)
        out->dpmm = PL_DEFAULT_DPMM;
    return status;
}

static enum platen_status check_side(const char *name, double mm, double in_dots, struct platen_error *err)
{
    if (!(mm > 0) || !isfinite(mm))
        return pl_public_fail(err, PLATEN_E_INVALID, "'%s' must be a number above 0", name);
    if (!(in_dots >= 1))
        return pl_public_fail(err, PLATEN_E_INVALID, "'%s' is less than one dot", name);
    return PLATEN_OK;
}

enum platen_status platen_size_in_dots(const struct platen_engine *engine, const struct platen_options *options,
                                       uint32_t *width, uint32_t *height, struct platen_error *err)
{
    if (!engine || !width || !height)
        return pl_null_argument(err, __func__);
    struct platen_options o;
    enum platen_status status = read_options(options, &o, err);
    if (status != PLATEN_OK)
        return status;
    if (!(o.dpmm >= PL_DPMM_MIN && o.dpmm <= PL_DPMM_MAX))
        return pl_public_fail(err, PLATEN_E_INVALID, "'dpmm' must be from 1 to %d", PL_DPMM_MAX);
    double w = pl_dots(o.width_mm, o.dpmm), h = pl_dots(o.height_mm, o.dpmm);
    status = check_side("width_mm", o.width_mm, w, err);
    if (status == PLATEN_OK)
        status = check_side("height_mm", o.height_mm, h, err);
    if (status != PLATEN_OK)
        return status;
    if (w * h > (double)engine->limits.dots_per_label || w > INT32_MAX / 8 || h > INT32_MAX / 8)
        return pl_public_fail(err, PLATEN_E_INVALID, "a label of %.0f x %.0f dots is over the limit of %llu dots", w, h,
                              (unsigned long long)engine->limits.dots_per_label);
    if (o.rotation % 90 != 0 || o.rotation > 270)
        return pl_public_fail(err, PLATEN_E_INVALID, "'rotation' must be 0, 90, 180 or 270");
    if (o.quality != PLATEN_BITONAL && o.quality != PLATEN_GRAYSCALE)
        return pl_public_fail(err, PLATEN_E_INVALID, "'quality' must be PLATEN_BITONAL or PLATEN_GRAYSCALE");
    if (o.profile != PLATEN_REFERENCE && o.profile != PLATEN_PRINTER)
        return pl_public_fail(err, PLATEN_E_INVALID, "'profile' must be PLATEN_REFERENCE or PLATEN_PRINTER");
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return PLATEN_OK;
}

// Counts the pages of all labels.
static enum pl_errc count_pages(struct platen_document *doc, struct pl_arena *arena, struct pl_error *err)
{
    uint32_t n = doc->scene.label_count, page = 0;
    doc->first_page = PL_ARENA_ARRAY(arena, uint32_t, (size_t)n + 1);
    if (!doc->first_page)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t copies = doc->options.collapse_copies ? 1 : PL_MAX(doc->scene.labels[i].copies, 1u);
        doc->first_page[i] = page;
        if (!PL_CKD_ADD(&page, page, copies))
            return pl_fail(err, PL_E_LIMIT, "too many copies");
    }
    doc->first_page[n] = page;
    return PL_OK;
}

// What the last input of the same language left: a printer that reads several keeps the settings of each.
static const void *state_before(const struct platen_document *doc)
{
    const struct platen_document *before = doc->options.after;
    while (before && before->language != doc->language)
        before = before->options.after;
    return before ? before->end : NULL;
}

static enum pl_errc interpret(struct platen_document *doc, const struct platen_options *asked, struct pl_error *err)
{
    struct platen_worker *worker = doc->worker;
    const struct platen_engine *engine = worker->engine;
    struct pl_arena *arena = &worker->document_arena;
    if (doc->input.len > engine->limits.input_bytes || doc->input.len > UINT32_MAX / 2)
        return pl_fail(err, PL_E_LIMIT, "the input of %zu bytes is over the limit of %zu", doc->input.len,
                       engine->limits.input_bytes);
    if (doc->options.copy_input) {
        doc->input.ptr = pl_arena_copy(arena, doc->input.ptr, doc->input.len);
        if (!doc->input.ptr)
            return pl_fail_memory(err);
    }
    const struct platen_document *after = doc->options.after;
    size_t stored = 0; // by those before it
    for (const struct pl_store *s = after ? &after->store : NULL; s && s != &engine->objects; s = s->base)
        stored += s->used;
    pl_store_init(&doc->store, arena, after ? &after->store : &engine->objects,
                  engine->limits.stored_bytes - PL_MIN(stored, engine->limits.stored_bytes));
    pl_diags_init(&doc->diags, arena, engine->limits.diagnostics);
    struct pl_lang_options options = {.profile = doc->options.profile == PLATEN_PRINTER ? &pl_profile_printer
                                                                                        : &pl_profile_reference,
                                      .model = doc->model,
                                      .dpmm = doc->options.dpmm,
                                      .width = doc->width,
                                      .height = doc->height,
                                      .limits = engine->limits,
                                      .time = doc->options.has_time ? doc->options.time : pl_os_seconds(),
                                      .collapse_copies = doc->options.collapse_copies,
                                      .after = state_before(doc),
                                      .end = &doc->end,
                                      .linter = doc->options.linter};
    PL_TRY(
        doc->language->interpret(doc->input, &options, &doc->store, arena, &doc->diags, &doc->job, &doc->scene, err));
    pl_diags_locate(&doc->diags, doc->input, NULL);
    PL_TRY(count_pages(doc, arena, err));
    bool fits_width = asked->width_mm == 0, fits_height = asked->height_mm == 0;
    if (asked->fit_size)
        return pl_fit_size(doc, fits_width, fits_height, err);
    if (doc->language->states_label)
        pl_take_stated_size(doc, fits_width, fits_height);
    return PL_OK;
}

static enum platen_status find_language(struct platen_document *doc, struct platen_error *err)
{
    enum platen_language asked = doc->options.language;
    doc->language = asked == PLATEN_LANGUAGE_DETECT ? pl_lang_detect(doc->input) : pl_language(asked);
    if (!doc->language)
        return pl_public_fail(err, PLATEN_E_INVALID, "'language' is none of enum platen_language");
    doc->options.language = platen_document_language(doc);
    return PLATEN_OK;
}

// The rules by their name, which need not outlive the call.
static enum platen_status find_rules(struct platen_document *doc, struct platen_error *err)
{
    const char *name = doc->options.rules ? doc->options.rules : "default";
    doc->options.rules = NULL;
    doc->rules = pl_rule_set_find(name);
    if (!doc->rules)
        return pl_public_fail(err, PLATEN_E_INVALID, "there are no rules '%.32s'", name);
    doc->checks_rules = strcmp(name, "none") != 0;
    if (doc->options.verify && !doc->options.want_elements)
        return pl_public_fail(err, PLATEN_E_INVALID, "'verify' needs 'want_elements'");
    if (!(doc->options.min_module_mm >= 0) || !isfinite(doc->options.min_module_mm))
        return pl_public_fail(err, PLATEN_E_INVALID, "'min_module_mm' must be a number above 0");
    if (doc->options.min_module_mm > PL_MODULE_MM_MAX)
        return pl_public_fail(err, PLATEN_E_INVALID, "'min_module_mm' must be at most %d", PL_MODULE_MM_MAX);
    return PLATEN_OK;
}

// The printer model by its name, which need not outlive the call.
static enum platen_status find_model(struct platen_document *doc, struct platen_error *err)
{
    const char *name = doc->options.printer_model ? doc->options.printer_model : "none";
    doc->options.printer_model = NULL;
    const struct pl_model *model = pl_model_find(name);
    if (!model)
        return pl_public_fail(err, PLATEN_E_INVALID, "there is no printer model '%.32s'", name);
    doc->model = model->head > 0 ? model : NULL;
    return PLATEN_OK;
}

static uint64_t next_number(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

// With little memory, what an earlier label has left would decide whether this one finds room.
static void forget_earlier_work(struct platen_worker *worker)
{
    pl_worker_drop_page(worker);
    pl_writer_forget(worker->writer);
    pl_arena_reset(&worker->document_arena, 0);
    pl_arena_reset(&worker->page_arena, 0);
    pl_arena_reset(&worker->scratch, 0);
}

enum platen_status platen_parse(struct platen_worker *worker, const void *zpl, size_t size,
                                const struct platen_options *options, struct platen_document **out,
                                struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!worker || !out || (!zpl && size > 0))
        return pl_null_argument(err, __func__);
    if (worker->has_document)
        return pl_public_fail(err, PLATEN_E_INVALID, "the worker has a document already");
    struct platen_document *doc = &worker->document;
    *doc = (struct platen_document){.worker = worker, .number = next_number(), .input = pl_slice_make(zpl, size)};
    struct platen_options asked;
    enum platen_status status = pl_options_read(options, &asked, sizeof asked, "platen_options", err);
    if (status == PLATEN_OK)
        status = read_options(&asked, &doc->options, err);
    if (status == PLATEN_OK && asked.after && asked.after->worker)
        status = pl_public_fail(err, PLATEN_E_INVALID, "the document in 'after' is not detached");
    if (status == PLATEN_OK)
        status = find_language(doc, err);
    if (status == PLATEN_OK)
        status = find_rules(doc, err);
    if (status == PLATEN_OK)
        status = find_model(doc, err);
    if (status == PLATEN_OK)
        status = platen_size_in_dots(worker->engine, &doc->options, &doc->width, &doc->height, err);
    if (status != PLATEN_OK)
        return status;
    doc->job = (struct pl_job){pl_cancel_flag(doc->options.cancel), doc->options.deadline_ns};
    struct pl_error inner = {0};
    const struct platen_document fresh = *doc;
    worker->budget.elsewhere = 0;
    pl_worker_turn_to(worker, doc);
    pl_writer_forget_searched(worker->writer);
    if (worker->budget.limit < PL_WORKER_COLD_BELOW)
        forget_earlier_work(worker);
    pl_memory_watch_begin(worker);
    enum pl_errc code = interpret(doc, &asked, &inner);
    if (pl_memory_watch_retry(worker, code)) {
        pl_arena_reset(&worker->document_arena, PL_WORKER_KEEP);
        *doc = fresh;
        code = interpret(doc, &asked, &inner);
    }
    code = pl_memory_watch_end(worker, code, &inner);
    if (code != PL_OK) {
        pl_worker_close_fonts(worker);
        pl_arena_end_job(&worker->document_arena, PL_WORKER_KEEP);
        return pl_public_status(code, &inner, err);
    }
    doc->stored_place = PL_ARENA_NEW(&worker->document_arena, atomic_uint_fast64_t);
    doc->bytes = worker->document_arena.reserved;
    pl_document_hold(doc->options.after);
    worker->has_document = true;
    *out = doc;
    return PLATEN_OK;
}

void pl_document_hold(const struct platen_document *document)
{
    if (document)
        atomic_fetch_add_explicit(&document->self->holders, 1, memory_order_relaxed);
}

void pl_document_drop(const struct platen_document *document)
{
    // A chain of documents may be long, so there is no recursion.
    while (document && atomic_fetch_sub_explicit(&document->self->holders, 1, memory_order_acq_rel) == 1) {
        struct platen_document *last = document->self;
        document = last->options.after;
        pl_arena_fini(&last->own);
        pl_engine_drop(last->engine);
        free(last);
    }
}

void platen_document_free(struct platen_document *document)
{
    if (!document)
        return;
    struct platen_worker *worker = document->worker;
    if (!worker) {
        pl_document_drop(document);
        return;
    }
    pl_document_drop(document->options.after);
    pl_worker_close_fonts(worker);
    if (worker->page.document == document)
        pl_worker_drop_page(worker); // its memory is the next document's
    pl_arena_end_job(&worker->document_arena, PL_WORKER_KEEP);
    worker->has_document = false;
}

enum platen_status platen_document_detach(struct platen_document **document, size_t *bytes, struct platen_error *err)
{
    if (!document || !*document)
        return pl_null_argument(err, __func__);
    struct platen_document *doc = *document;
    struct platen_worker *worker = doc->worker;
    if (worker) {
        doc = malloc(sizeof *doc);
        if (!doc)
            return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for a document of its own");
        *doc = **document;
        doc->worker = NULL;
        doc->self = doc;
        atomic_init(&doc->holders, 1);
        doc->engine = worker->engine;
        pl_engine_hold(doc->engine);
        pl_arena_move(&doc->own, &worker->document_arena);
        doc->store.arena = doc->diags.arena = &doc->own;
        doc->bytes = doc->own.reserved;
        // Fonts that came with the document must not outlive it in the worker.
        pl_worker_close_fonts(worker);
        worker->has_document = false;
        if (worker->page.document == *document)
            worker->page.document = doc; // so that it can be detached, too
        *document = doc;
    }
    if (bytes)
        *bytes = sizeof *doc + doc->own.reserved;
    return PLATEN_OK;
}

void platen_document_size(const struct platen_document *document, double *width_mm, double *height_mm, uint32_t *width,
                          uint32_t *height)
{
    if (!document)
        return;
    if (width_mm)
        *width_mm = document->options.width_mm;
    if (height_mm)
        *height_mm = document->options.height_mm;
    if (width)
        *width = document->width;
    if (height)
        *height = document->height;
}

void platen_document_set_deadline(struct platen_document *document, uint64_t deadline_ns)
{
    if (!document)
        return;
    document->options.deadline_ns = document->job.deadline_ns = deadline_ns;
}

uint32_t platen_label_count(const struct platen_document *document)
{
    if (!document)
        return 0;
    return document->scene.label_count;
}

bool(platen_label_at)(const struct platen_document *document, uint32_t index, struct platen_label *out, size_t size)
{
    if (!document || !out)
        return false;
    if (index >= document->scene.label_count)
        return false;
    const struct pl_label *label = &document->scene.labels[index];
    struct platen_label result =
        (struct platen_label){PL_MAX(label->copies, 1u), label->source.offset, label->source.length};
    return pl_give(out, size, &result, sizeof result);
}

uint32_t platen_page_count(const struct platen_document *document)
{
    if (!document)
        return 0;
    return document->first_page[document->scene.label_count];
}

bool platen_label_of_page(const struct platen_document *document, uint32_t page, uint32_t *label)
{
    if (!document || !label)
        return false;
    if (page >= platen_page_count(document))
        return false;
    uint32_t low = 0, high = document->scene.label_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (document->first_page[middle] <= page)
            low = middle;
        else
            high = middle;
    }
    *label = low;
    return true;
}

bool pl_public_diagnostic_at(const struct pl_diags *diags, uint32_t index, struct platen_diagnostic *out, size_t size)
{
    if (index >= diags->count)
        return false;
    const struct pl_diag *d = &diags->items[index];
    const struct pl_diag_info *info = pl_diag_info(d->id);
    struct platen_diagnostic result = {.code = info->code,
                                       .severity = (enum platen_severity)d->severity,
                                       .message = d->message,
                                       .command = d->source.command,
                                       .offset = d->source.offset,
                                       .length = d->source.length,
                                       .line = d->line,
                                       .column = d->column,
                                       .label = d->label,
                                       .parameter = d->parameter,
                                       .element = d->element,
                                       .missing_mm = d->missing_mm};
    return pl_give(out, size, &result, sizeof result);
}

uint32_t platen_diagnostic_count(const struct platen_document *document)
{
    if (!document)
        return 0;
    return document->diags.count;
}

bool(platen_diagnostic_at)(const struct platen_document *document, uint32_t index, struct platen_diagnostic *out,
                           size_t size)
{
    if (!document || !out)
        return false;
    return pl_public_diagnostic_at(&document->diags, index, out, size);
}

uint32_t platen_diagnostics_dropped(const struct platen_document *document)
{
    if (!document)
        return 0;
    return document->diags.dropped;
}

uint32_t platen_page_diagnostic_count(const struct platen_page *page)
{
    if (!page)
        return 0;
    return page->diags.count;
}

bool(platen_page_diagnostic_at)(const struct platen_page *page, uint32_t index, struct platen_diagnostic *out,
                                size_t size)
{
    if (!page || !out)
        return false;
    return pl_public_diagnostic_at(&page->diags, index, out, size);
}
