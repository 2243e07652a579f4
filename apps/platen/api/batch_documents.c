// From the bytes of a batch to its documents: ids, label code, controls.
#include <stdlib.h>

#include "api_body.h"
#include "base/ckd.h"
#include "batch.h"
#include "request/document_line.h"

#define ARENA_MOST ((size_t)64 << 20)

static bool is_one_of(struct pl_slice type, const char *const *types)
{
    for (; *types; types++) {
        if (pl_slice_eq_cstr(type, *types))
            return true;
    }
    return false;
}

bool batch_input_init(struct batch *batch)
{
    static const char *const LINES[] = {"application/x-ndjson",   "application/ndjson",      "application/jsonl",
                                        "application/json-lines", "application/x-jsonlines", NULL};
    static const char *const PARTS[] = {"multipart/form-data", "multipart/mixed", NULL};
    static const char *const ZIPS[] = {"application/zip", "application/x-zip-compressed", NULL};
    struct pl_slice type = batch->req->content_type;
    controls_init(&batch->form);
    pl_zip_reader_init(&batch->zip, batch->limit);
    if (is_one_of(type, LINES)) {
        batch->input = BATCH_IN_LINES;
        return true;
    }
    if (is_one_of(type, ZIPS)) {
        batch->input = BATCH_IN_ZIP;
        return true;
    }
    if (!is_one_of(type, PARTS)) {
        http_problem(batch->res, 415, "unsupported_media_type",
                     "Content-Type must be application/x-ndjson, multipart/form-data, multipart/mixed or "
                     "application/zip.");
        return false;
    }
    batch->input = BATCH_IN_PARTS;
    if (pl_multipart_init(&batch->parts, batch->req->content_param))
        return true;
    http_problem(batch->res, 400, "invalid_multipart", "The multipart body has no usable boundary.");
    return false;
}

void batch_document_free(struct batch_document *document)
{
    label_part_free(&document->first);
    summary_free(&document->summary);
    free(document->memory);
    *document = (struct batch_document){0};
}

// Copies what the document keeps into memory of its own: the body moves on.
static bool keep(struct batch_document *d, struct pl_slice id, struct pl_slice zpl)
{
    const struct controls *c = &d->call.controls;
    size_t bytes = id.len + zpl.len + c->filename.len + 1;
    for (uint32_t i = 0; i < c->unknown_count; i++)
        bytes += c->unknown[i].len;
    d->memory = malloc(bytes);
    if (!d->memory)
        return false;
    d->bytes = bytes;
    uint8_t *at = d->memory;
    struct pl_slice *const slices[] = {&d->id, &d->call.zpl, &d->call.controls.filename};
    const struct pl_slice from[] = {id, zpl, c->filename};
    for (size_t i = 0; i < PL_COUNTOF(slices); i++) {
        if (from[i].len > 0)
            memcpy(at, from[i].ptr, from[i].len);
        *slices[i] = pl_slice_make(at, from[i].len);
        at += from[i].len;
    }
    for (uint32_t i = 0; i < c->unknown_count; i++) {
        struct pl_slice name = c->unknown[i];
        if (name.len > 0)
            memcpy(at, name.ptr, name.len);
        d->call.controls.unknown[i] = pl_slice_make(at, name.len);
        at += name.len;
    }
    return true;
}

// Puts the document into the ring. False: no memory.
static bool add(struct batch *batch, struct batch_document *d, struct pl_slice id, struct pl_slice zpl)
{
    char number[DOCUMENT_NUMBER_ROOM];
    id = document_id_or_number(id, batch->number, number);
    enum pl_id_added added = pl_id_set_add(&batch->ids, id);
    if (added == PL_ID_NO_MEMORY || !keep(d, id, d->failed ? pl_slice_make("", 0) : zpl))
        return false;
    if (added == PL_ID_KNOWN && !d->failed)
        d->failed = !problem_set(&d->problem, 400, "duplicate_id", "Another document before it has the same id.");
    if (!d->failed && zpl.len == 0)
        d->failed = !problem_set(&d->problem, 400, "missing_zpl", "There is no label code in the document.");
    if (!d->failed)
        d->failed = !api_code_check(zpl, &d->problem);
    const char *of_pdf = controls_of_pdf(&d->call.controls);
    if (!d->failed && of_pdf)
        d->failed = !problem_set(&d->problem, 400, "invalid_parameter",
                                 "'%s' is of the PDF that holds all documents: give it in the query.", of_pdf);
    // The query is merged last: it wins. Its unknown names are told once, in the summary.
    uint32_t unknown = d->call.controls.unknown_count;
    controls_override(&d->call.controls, batch->query);
    d->call.controls.unknown_count = unknown;
    label_part_init(&d->first);
    d->state = d->failed ? BATCH_DRAWN : BATCH_READ;
    *batch_at(batch, batch->count++) = *d;
    batch->code_bytes += d->bytes;
    return true;
}

static bool read_line(struct batch *batch, const struct pl_batch_item *item)
{
    struct batch_document d = {0};
    struct document_line line;
    struct pl_arena arena;
    pl_arena_init(&arena, ARENA_MOST);
    controls_init(&d.call.controls);
    batch->number++;
    d.failed = !document_line_read(&line, false, item->data, &arena, &d.call.controls, &d.problem);
    bool ok = add(batch, &d, line.id, line.zpl);
    pl_arena_fini(&arena);
    return ok;
}

static bool read_file(struct batch *batch, struct pl_slice name, struct pl_slice data, const struct controls *controls)
{
    struct batch_document d = {0};
    struct pl_buf room;
    pl_buf_init(&room, SIZE_MAX / 2);
    batch->number++;
    d.call.controls = *controls;
    bool ok = add(batch, &d, pl_file_id(pl_file_text(name, &room)), data);
    pl_buf_fini(&room);
    return ok;
}

// A file, or a control for all that follow.
static bool read_part(struct batch *batch, const struct pl_batch_item *item)
{
    bool is_code = item->file.len > 0 || item->name.len == 0 || pl_slice_eq_nocase(item->name, pl_slice_cstr("file")) ||
                   pl_slice_eq_nocase(item->name, pl_slice_cstr("zpl"));
    if (is_code)
        return read_file(batch, item->file, item->data, &batch->form);
    struct control_value value = {.text = item->data, .type = PL_JSON_STRING};
    if (!controls_set(&batch->form, item->name, value, &batch->input_problem))
        batch->input_bad = batch->input_ended = true;
    // Texts of the form would move on with the body.
    batch->form.filename = pl_slice_make("", 0);
    batch->form.unknown_count = 0;
    return true;
}

static enum pl_batch_found next(struct batch *batch, struct pl_batch_item *item, size_t *used, struct pl_error *err)
{
    struct pl_slice window = batch->req->body;
    bool ended = http_body_ended(batch->req);
    switch (batch->input) {
    case BATCH_IN_LINES:
        return pl_lines_next(&batch->lines, window, ended, used, item, err);
    case BATCH_IN_PARTS:
        return pl_parts_next(&batch->parts, window, ended, used, item, err);
    case BATCH_IN_ZIP:
        break;
    }
    return pl_zip_next(&batch->zip, window, ended, used, item, err);
}

bool batch_read(struct batch *batch)
{
    batch->reading_paused = false;
    while (!batch->input_ended && batch->count < BATCH_WINDOW &&
           (batch->count == 0 || batch->code_bytes < BATCH_CODE)) {
        struct pl_batch_item item;
        struct pl_error err = {0};
        size_t used = 0;
        enum pl_batch_found found = next(batch, &item, &used, &err);
        bool ok = true;
        if (found == PL_BATCH_DOCUMENT && batch->input == BATCH_IN_LINES)
            ok = read_line(batch, &item);
        else if (found == PL_BATCH_DOCUMENT && batch->input == BATCH_IN_PARTS)
            ok = read_part(batch, &item);
        else if (found == PL_BATCH_DOCUMENT)
            ok = read_file(batch, item.name, item.data, &batch->form);
        http_body_use(batch->req, used);
        if (!ok)
            return false;
        if (found == PL_BATCH_MORE)
            return true;
        if (found == PL_BATCH_PASSED) {
            // Expanding what is of no use takes time, too.
            batch->reading_paused =
                http_step_should_end(batch->req, 0) || pl_job_check(&batch->req->job, &err) != PL_OK;
            if (batch->reading_paused)
                return true;
            continue;
        }
        if (found == PL_BATCH_BAD) {
            batch->input_bad = true;
            problem_set(&batch->input_problem, 400, batch->input == BATCH_IN_ZIP ? "invalid_zip" : "invalid_multipart",
                        "%s", err.message);
        }
        batch->input_ended = found != PL_BATCH_DOCUMENT || batch->input_ended;
    }
    return true;
}
