// Answers for assistants: small, and about what can be changed.
#include "renderer/renderer_tools.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "describe/describe.h"
#include "describe/fixes.h"
#include "describe/gs1_forms.h"

#define GS1_ARENA ((size_t)4 << 20)

struct tool {
    struct platen_worker *worker;
    const struct render_ask *ask;
    struct pl_slice code;
    struct platen_document *document;
    struct label_part *part;
    struct platen_error *err;
    struct pl_json_writer json; // of part->members; the object is open
    uint32_t findings, left_out;
    bool has_errors;
    struct pl_fix *fixes; // of the findings, one behind the other; NULL: they are not asked for
    uint32_t fix_count;
    struct pl_buf fix; // of one finding, as JSON
};

static enum platen_status refuse(struct tool *t, enum platen_status status, const char *message)
{
    *t->err = (struct platen_error){.status = status};
    snprintf(t->err->message, sizeof t->err->message, "%s", message);
    return status;
}

static enum platen_status refuse_empty(struct tool *t)
{
    refuse(t, PLATEN_E_NOT_FOUND, "");
    pl_describe_no_label(platen_document_language(t->document), "", t->err->message, sizeof t->err->message);
    return t->err->status;
}

// ---- findings

static void put_finding(struct tool *t, const struct platen_page *page, const struct platen_diagnostic *d)
{
    t->has_errors = t->has_errors || d->severity == PLATEN_ERROR;
    if (t->findings == TOOL_FINDINGS_MAX) {
        t->left_out++;
        return;
    }
    t->findings++;
    struct pl_json_writer json;
    pl_buf_rewind(&t->fix);
    if (t->fixes && pl_fix_find(t->document, page, d, &t->fixes[t->fix_count])) {
        pl_json_writer_init(&json, &t->fix);
        pl_fix_write(&json, &t->fixes[t->fix_count++]);
    }
    pl_describe_diagnostic(&t->json, d, pl_buf_slice(&t->fix));
}

static void put_parsed(struct tool *t)
{
    struct platen_diagnostic d;
    for (uint32_t i = 0; platen_diagnostic_at(t->document, i, &d); i++)
        put_finding(t, NULL, &d);
}

static void put_drawn(struct tool *t, const struct platen_page *page)
{
    struct platen_diagnostic d;
    for (uint32_t i = 0; platen_page_diagnostic_at(page, i, &d); i++)
        put_finding(t, page, &d);
}

static void put_size(struct tool *t)
{
    double width, height;
    uint32_t columns, rows;
    platen_document_size(t->document, &width, &height, &columns, &rows);
    pl_json_kv_u64(&t->json, "labels", platen_page_count(t->document));
    pl_json_kv_double(&t->json, "widthMm", width);
    pl_json_kv_double(&t->json, "heightMm", height);
    pl_json_kv_double(&t->json, "dpmm", t->ask->controls.dpmm);
    pl_json_kv_u64(&t->json, "widthDots", columns);
    pl_json_kv_u64(&t->json, "heightDots", rows);
}

// ---- one label as a picture

static enum platen_status picture(struct tool *t)
{
    const struct conversion_request *request = &t->ask->conversion;
    const struct platen_page *page;
    struct platen_bitmap dots;
    uint32_t label, pages = platen_page_count(t->document);
    if (pages == 0)
        return refuse_empty(t);
    if (!platen_label_of_page(t->document, request->page, &label)) {
        refuse(t, PLATEN_E_NOT_FOUND, "");
        snprintf(t->err->message, sizeof t->err->message, "There is no page %u: give 'page' from 0 to %u.",
                 request->page, pages - 1);
        return t->err->status;
    }
    enum platen_status status = platen_draw(t->worker, t->document, label, &page, t->err);
    if (status != PLATEN_OK)
        return status;
    struct platen_encode_options options = controls_encoding(&t->ask->controls);
    options.max_width = request->max_width;
    status = platen_encode(t->worker, page, output_format(t->ask->controls.format), &options, &t->part->file, t->err);
    platen_page_bitmap(page, &dots);
    pl_json_kv_u64(&t->json, "page", request->page);
    put_size(t);
    if (request->max_width > 0 && dots.width > request->max_width)
        pl_json_kv_u64(&t->json, "pictureWidth", request->max_width);
    pl_json_kv_array(&t->json, "problems");
    put_parsed(t);
    put_drawn(t, page);
    pl_json_end(&t->json);
    return status;
}

// ---- all labels as a PDF

static enum platen_status add_page(struct tool *t, struct platen_pdf *pdf, uint32_t label)
{
    const struct platen_page *page;
    struct platen_label info = {.copies = 1};
    struct platen_buffer one = {0};
    enum platen_status status = platen_draw(t->worker, t->document, label, &page, t->err);
    if (status == PLATEN_OK)
        status = platen_pdf_part(t->worker, page, &one, t->err);
    platen_label_at(t->document, label, &info);
    if (status == PLATEN_OK)
        status = platen_pdf_add(pdf, &one, t->ask->controls.copies == COPIES_COLLAPSE ? 1 : info.copies, t->err);
    platen_buffer_free(&one);
    return status;
}

static enum platen_status pdf_of(struct tool *t)
{
    struct platen_pdf *pdf;
    struct platen_pdf_layout layout;
    if (platen_label_count(t->document) == 0)
        return refuse_empty(t);
    enum platen_status status = platen_pdf_new(NULL, &t->part->file, &pdf, t->err);
    if (status != PLATEN_OK)
        return status;
    platen_pdf_set_cancel(pdf, NULL, t->ask->deadline_ns);
    if (controls_layout(&t->ask->controls, &layout))
        status = platen_pdf_set_layout(pdf, &layout, t->err);
    for (uint32_t i = 0; status == PLATEN_OK && i < platen_label_count(t->document); i++)
        status = add_page(t, pdf, i);
    if (status == PLATEN_OK)
        status = platen_pdf_finish(pdf, t->err);
    platen_pdf_free(pdf);
    put_size(t);
    return status;
}

// ---- findings with fixes

static int by_place(const void *a, const void *b)
{
    const struct pl_edit *x = a, *y = b;
    return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : 0;
}

// part->file is the code with all fixes that do not touch the same place as one before it.
static bool write_fixed(struct tool *t)
{
    struct pl_edit *edits = calloc((size_t)t->fix_count * PL_FIX_EDITS + 1, sizeof *edits);
    struct pl_buf out;
    uint32_t count = 0;
    size_t at = 0;
    if (!edits)
        return false;
    for (uint32_t i = 0; i < t->fix_count; i++) {
        for (uint32_t e = 0; e < t->fixes[i].count; e++)
            edits[count++] = t->fixes[i].edits[e];
    }
    qsort(edits, count, sizeof *edits, by_place);
    pl_buf_init(&out, SIZE_MAX / 2);
    for (uint32_t i = 0; i < count; i++) {
        bool again = i > 0 && edits[i].offset == edits[i - 1].offset; // the next check finds what is left
        if (edits[i].offset < at || again)
            continue;
        pl_buf_append(&out, t->code.ptr + at, edits[i].offset - at);
        pl_buf_append_cstr(&out, edits[i].text);
        at = (size_t)edits[i].offset + edits[i].length;
    }
    pl_buf_append(&out, t->code.ptr + at, t->code.len - at);
    free(edits);
    platen_buffer_free(&t->part->file);
    t->part->file = (struct platen_buffer){.data = out.data, .size = out.len, .capacity = out.cap};
    return !out.failed;
}

static enum platen_status check(struct tool *t)
{
    const struct platen_page *page;
    enum platen_status status = PLATEN_OK;
    t->fixes = calloc(TOOL_FINDINGS_MAX, sizeof *t->fixes);
    if (!t->fixes)
        return refuse(t, PLATEN_E_MEMORY, "there is no memory");
    put_size(t);
    pl_json_kv_array(&t->json, "findings");
    put_parsed(t);
    for (uint32_t i = 0; status == PLATEN_OK && i < platen_label_count(t->document); i++) {
        status = platen_draw(t->worker, t->document, i, &page, t->err);
        if (status == PLATEN_OK)
            put_drawn(t, page);
    }
    pl_json_end(&t->json);
    if (t->left_out > 0)
        pl_json_kv_u64(&t->json, "findingsLeftOut", t->left_out);
    pl_json_kv_u64(&t->json, "fixes", t->fix_count);
    pl_json_kv_bool(&t->json, "passed", !t->has_errors);
    if (status == PLATEN_OK && t->ask->conversion.fix && !write_fixed(t))
        status = refuse(t, PLATEN_E_MEMORY, "there is no memory");
    free(t->fixes);
    return status;
}

// ---- barcodes

static void put_barcode(struct tool *t, uint32_t label, const struct platen_element *e)
{
    struct pl_json_writer *json = &t->json;
    pl_json_object(json);
    pl_json_kv_u64(json, "label", label);
    pl_json_kv_cstr(json, "command", e->command);
    pl_json_kv_cstr(json, "symbology", e->symbology);
    pl_describe_box(json, e->bars_x, e->bars_y, e->bars_width, e->bars_height);
    pl_json_kv_u64(json, "moduleDots", e->module_dots);
    pl_json_kv_bool(json, "quietZoneOk", e->quiet_zone_ok);
    pl_json_kv_slice(json, "fieldData", pl_slice_make(e->data, e->data_size));
    if (e->decoded >= 0)
        pl_json_kv_bool(json, "readable", e->decoded == 1);
    if (e->decoded == 1)
        pl_json_kv_slice(json, "data", pl_slice_make(e->decoded_data, e->decoded_size));
    if (e->matches >= 0)
        pl_json_kv_bool(json, "matchesField", e->matches == 1);
    if (e->decoded < 0 && e->no_reader_reason)
        pl_json_kv_cstr(json, "notRead", e->no_reader_reason);
    if (e->margin)
        pl_json_kv_cstr(json, "margin", e->margin);
    pl_json_end(json);
}

static enum platen_status barcodes(struct tool *t)
{
    const struct platen_page *page;
    struct platen_element e;
    enum platen_status status = PLATEN_OK;
    pl_json_kv_u64(&t->json, "labels", platen_page_count(t->document));
    pl_json_kv_array(&t->json, "barcodes");
    for (uint32_t i = 0; status == PLATEN_OK && i < platen_label_count(t->document); i++) {
        status = platen_draw(t->worker, t->document, i, &page, t->err);
        for (uint32_t k = 0; status == PLATEN_OK && platen_page_element_at(page, k, &e); k++) {
            if (e.type != PLATEN_BARCODE)
                continue;
            if (t->findings++ < TOOL_FINDINGS_MAX)
                put_barcode(t, i, &e);
            else
                t->left_out++;
        }
    }
    pl_json_end(&t->json);
    if (t->left_out > 0)
        pl_json_kv_u64(&t->json, "barcodesLeftOut", t->left_out);
    return status;
}

// ----

static enum platen_status gs1(struct pl_slice text, struct pl_buf *out, struct platen_error *err)
{
    struct pl_arena arena;
    struct pl_error inner = {0};
    pl_arena_init(&arena, GS1_ARENA);
    enum pl_errc code = pl_describe_gs1(text, &arena, out, &inner);
    pl_arena_fini(&arena);
    if (code == PL_OK)
        return PLATEN_OK;
    snprintf(err->message, sizeof err->message, "%s", inner.message);
    return err->status = (enum platen_status)code;
}

enum platen_status renderer_tool(struct platen_worker *worker, const struct render_ask *ask,
                                 const struct platen_options *options, struct pl_slice bytes, struct label_part *part,
                                 struct platen_error *err)
{
    enum conversion kind = (enum conversion)ask->conversion.conversion;
    if (kind == CONVERT_GS1)
        return gs1(bytes, &part->members, err);
    struct tool t = {.worker = worker, .ask = ask, .code = bytes, .part = part, .err = err};
    enum platen_status status = platen_parse(worker, bytes.ptr, bytes.len, options, &t.document, err);
    if (status != PLATEN_OK)
        return status;
    pl_buf_init(&t.fix, SIZE_MAX / 2);
    pl_json_writer_init(&t.json, &part->members);
    pl_json_object(&t.json);
    status = kind == CONVERT_PICTURE    ? picture(&t)
             : kind == CONVERT_DOCUMENT ? pdf_of(&t)
             : kind == CONVERT_CHECK    ? check(&t)
                                        : barcodes(&t);
    pl_json_end(&t.json);
    pl_buf_take_over(&part->members, &t.fix);
    platen_document_free(t.document);
    return status;
}
