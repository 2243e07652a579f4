// The whole description: its head, its labels, and all warnings at its end; in pieces, and of a document in one call.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "describe/describe.h"
#include "describe/fixes.h"
#include "render/options.h"
#include "render/render.h"

// ---- in pieces

void pl_description_open(const struct platen_engine *engine, const struct platen_options *label,
                         const struct platen_describe_options *options, uint32_t pages, struct pl_buf *out)
{
    uint32_t width = 0, height = 0;
    struct pl_json_writer json;
    platen_size_in_dots(engine, label, &width, &height, NULL); // parsing has checked the size
    bool sideways = label->rotation % 180 != 0;
    const char *language = "zpl", *title;
    platen_language_names(label->language, &language, &title);
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_json_kv_bool(&json, "ok", true);
    pl_json_kv_cstr(&json, "format", options->no_elements ? "base64" : "json");
    pl_json_kv_cstr(&json, "language", language);
    pl_json_kv_double(&json, "widthMm", label->width_mm);
    pl_json_kv_double(&json, "heightMm", label->height_mm);
    pl_json_kv_double(&json, "dpmm", label->dpmm);
    pl_json_kv_u64(&json, "widthPx", sideways ? height : width);
    pl_json_kv_u64(&json, "heightPx", sideways ? width : height);
    pl_json_kv_u64(&json, "rotation", label->rotation);
    pl_json_kv_cstr(&json, "quality", label->quality == PLATEN_GRAYSCALE ? "grayscale" : "bitonal");
    pl_json_kv_u64(&json, "count", pages);
    pl_buf_append_cstr(out, ",\"labels\":[");
}

void pl_description_page(uint32_t page, bool first, struct pl_buf *out)
{
    pl_buf_append_cstr(out, first ? "{\"index\":" : "},{\"index\":");
    pl_buf_append_u64(out, page);
    pl_buf_append_byte(out, ',');
}

void pl_description_note(struct pl_description *description, struct pl_slice warnings, uint32_t warning_count)
{
    if (warning_count == 0)
        return;
    struct pl_buf *all = &description->warnings;
    struct pl_slice list = pl_slice_sub(warnings, 1, warnings.len - 2); // without brackets
    // After one that was left out, all others are left out too.
    if (description->left_out > 0 || all->max - all->len <= list.len) {
        description->left_out += warning_count;
        return;
    }
    if (all->len > 0)
        pl_buf_append_byte(all, ',');
    pl_buf_append_slice(all, list);
}

void pl_description_forget(struct pl_description *description)
{
    pl_buf_clear(&description->warnings);
    description->left_out = 0;
}

bool pl_description_outside(const struct pl_description *description, const struct platen_diagnostic *d)
{
    return d->label < 0 || (uint32_t)d->label < description->first ||
           (uint32_t)d->label - description->first >= description->count;
}

void pl_description_warnings(const struct pl_description *description, const struct platen_diagnostic *own,
                             uint32_t own_count, struct pl_buf *out)
{
    struct pl_json_writer json;
    struct pl_buf fix;
    pl_buf_init(&fix, SIZE_MAX / 2);
    pl_buf_append_cstr(out, "\"warnings\":");
    pl_json_writer_init(&json, out);
    pl_json_array(&json);
    for (uint32_t i = 0; i < own_count; i++)
        pl_describe_diagnostic(&json, &own[i], PL_NO_FIX);
    for (uint32_t i = 0; i < description->finding_count; i++) {
        const struct platen_diagnostic *d = &description->findings[i];
        if (!pl_description_outside(description, d))
            continue;
        if (description->document)
            pl_fix_describe(description->document, NULL, d, &fix);
        pl_describe_diagnostic(&json, d,
                               description->fixes ? pl_slice_cstr(description->fixes[i]) : pl_buf_slice(&fix));
    }
    pl_buf_take_over(out, &fix);
    if (description->warnings.len > 0)
        pl_json_raw(&json, pl_buf_slice(&description->warnings));
    pl_json_end(&json);
    if (description->left_out > 0) {
        pl_buf_append_cstr(out, ",\"warningsLeftOut\":");
        pl_buf_append_u64(out, description->left_out);
    }
    pl_buf_inherit(out, &description->warnings);
}

void pl_description_close(const struct pl_description *description, const struct platen_diagnostic *own,
                          uint32_t own_count, struct pl_buf *out)
{
    pl_buf_append_cstr(out, description->count > 0 ? "}]," : "],");
    pl_description_warnings(description, own, own_count, out);
    pl_buf_append_byte(out, '}');
}

// ---- in one call

// State that the labels of one description share.
struct describer {
    struct platen_worker *worker;
    const struct platen_document *document;
    struct platen_describe_options options;
    struct platen_buffer png;
    struct pl_buf warnings, members; // of the label
    uint32_t warning_count;
};

static enum platen_status begin(struct describer *d, struct platen_worker *worker,
                                const struct platen_document *document, const struct platen_describe_options *options,
                                struct platen_error *err)
{
    *d = (struct describer){.worker = worker, .document = document};
    pl_buf_init(&d->warnings, SIZE_MAX / 2);
    pl_buf_init(&d->members, SIZE_MAX / 2);
    return pl_options_read(options, &d->options, sizeof d->options, "platen_describe_options", err);
}

static void end(struct describer *d)
{
    platen_buffer_free(&d->png);
    pl_buf_fini(&d->warnings);
    pl_buf_fini(&d->members);
}

// Gives the text to the caller's buffer, with a NUL behind it that does not count.
static enum platen_status give(struct pl_buf *text, struct platen_buffer *out, struct platen_error *err)
{
    struct pl_error inner = {0};
    enum pl_errc code = pl_buf_terminate(text, &inner);
    if (code != PL_OK) {
        pl_buf_fini(text);
        return pl_public_status(code, &inner, err);
    }
    platen_buffer_free(out);
    *out = (struct platen_buffer){.data = text->data, .size = text->len, .capacity = text->cap};
    return PLATEN_OK;
}

static enum platen_status describe_page(struct describer *d, const struct platen_page *page, struct platen_error *err)
{
    pl_buf_clear(&d->warnings);
    pl_buf_clear(&d->members);
    if (!d->options.no_png) {
        enum platen_status status = platen_encode(d->worker, page, PLATEN_PNG, NULL, &d->png, err);
        if (status != PLATEN_OK)
            return status;
    }
    d->warning_count = pl_describe_warnings(d->document, page, (struct pl_diagnostic_watch){0}, &d->warnings);
    pl_describe_members(d->document, page, &d->options, pl_slice_make(d->png.data, d->png.size),
                        pl_buf_slice(&d->warnings), &d->members);
    return d->warnings.failed || d->members.failed
               ? pl_public_fail(err, PLATEN_E_MEMORY, "no memory for the description")
               : PLATEN_OK;
}

enum platen_status platen_describe_page(struct platen_worker *worker, const struct platen_document *document,
                                        const struct platen_page *page, const struct platen_describe_options *options,
                                        struct platen_buffer *out, struct platen_error *err)
{
    if (!worker || !document || !page || !out)
        return pl_null_argument(err, __func__);
    if (!page->document)
        return pl_page_gone(err);
    if (page->document_number != document->number)
        return pl_public_fail(err, PLATEN_E_INVALID, "the page is of another document");
    struct describer d;
    struct pl_buf text;
    out->size = 0;
    enum platen_status status = begin(&d, worker, document, options, err);
    if (status == PLATEN_OK)
        status = describe_page(&d, page, err);
    pl_buf_init(&text, SIZE_MAX / 2);
    if (status == PLATEN_OK) {
        pl_description_page(document->first_page[page->label], true, &text);
        pl_buf_append_slice(&text, pl_buf_slice(&d.members));
        pl_buf_append_byte(&text, '}');
        status = give(&text, out, err);
    }
    end(&d);
    return status;
}

static enum platen_status describe_labels(struct describer *d, struct pl_description *description, struct pl_buf *text,
                                          struct platen_error *err)
{
    uint32_t number = 0;
    for (uint32_t label = 0; label < description->count; label++) {
        const struct platen_page *page;
        enum platen_status status = platen_draw(d->worker, d->document, label, &page, err);
        if (status == PLATEN_OK)
            status = describe_page(d, page, err);
        if (status != PLATEN_OK)
            return status;
        uint32_t pages = d->document->first_page[label + 1] - d->document->first_page[label];
        for (uint32_t i = 0; i < pages && !text->failed; i++) {
            struct pl_error inner = {0};
            enum pl_errc code = pl_job_check(&d->document->job, &inner);
            if (code != PL_OK)
                return pl_public_status(code, &inner, err);
            pl_description_page(number, number == 0, text);
            number++;
            pl_buf_append_slice(text, pl_buf_slice(&d->members));
        }
        pl_description_note(description, pl_buf_slice(&d->warnings), d->warning_count);
    }
    return PLATEN_OK;
}

// The findings of the parse, all of them, in the worker's scratch memory.
static enum platen_status list_findings(const struct platen_document *document, struct pl_arena *arena,
                                        struct pl_description *out, struct platen_error *err)
{
    uint32_t count = platen_diagnostic_count(document);
    struct platen_diagnostic *items = PL_ARENA_ARRAY(arena, struct platen_diagnostic, (size_t)count + 1);
    if (!items)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for the description");
    for (uint32_t i = 0; i < count; i++)
        platen_diagnostic_at(document, i, &items[i]);
    out->findings = items;
    out->finding_count = count;
    out->document = document;
    return PLATEN_OK;
}

enum platen_status platen_describe(struct platen_worker *worker, const struct platen_document *document,
                                   const struct platen_describe_options *options, struct platen_buffer *out,
                                   struct platen_error *err)
{
    if (!worker || !document || !out)
        return pl_null_argument(err, __func__);
    struct describer d;
    struct pl_description description = {.count = platen_label_count(document)};
    struct pl_buf text;
    out->size = 0;
    pl_buf_init(&text, worker->engine->limits.arena_bytes);
    pl_buf_init(&description.warnings, SIZE_MAX / 2);
    enum platen_status status = begin(&d, worker, document, options, err);
    if (status == PLATEN_OK) {
        pl_description_open(worker->engine, &document->options, &d.options, platen_page_count(document), &text);
        status = describe_labels(&d, &description, &text, err);
    }
    // After the last label: drawing empties the scratch memory.
    if (status == PLATEN_OK)
        status = list_findings(document, &worker->scratch, &description, err);
    if (status == PLATEN_OK) {
        pl_description_close(&description, NULL, 0, &text);
        status = give(&text, out, err);
    } else {
        pl_buf_fini(&text);
    }
    pl_buf_fini(&description.warnings);
    end(&d);
    return status;
}

const char *pl_describe_separator(enum platen_language language, bool is_first)
{
    const struct pl_lang *l = pl_language(language);
    return !l ? "" : is_first ? l->before_params : l->between_params;
}

void pl_describe_no_label(enum platen_language language, const char *of, char *out, size_t room)
{
    const struct pl_lang *l = pl_language(language), *zpl = pl_language(PLATEN_LANGUAGE_ZPL);
    l = l ? l : zpl;
    snprintf(out, room, "The %.*s%s prints no label: it needs %s, %s, and %s.", (int)strcspn(l->title, " "), l->title,
             of, l->label_begins, l->label_content, l->label_ends);
}
