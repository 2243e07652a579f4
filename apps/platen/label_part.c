// Making the part of a label.
#include "label_part.h"

#include <string.h>

#include "base/base64.h"

#define KEPT_BYTES ((size_t)1 << 20)   // of each buffer
#define PART_BYTES ((size_t)128 << 20) // what one label may add to a result

void label_part_init(struct label_part *part)
{
    *part = (struct label_part){0};
    pl_buf_init(&part->members, PART_BYTES);
    pl_buf_init(&part->warnings, PART_BYTES);
    pl_buf_init(&part->found.text, 16384);
}

void label_part_free(struct label_part *part)
{
    pl_buf_fini(&part->members);
    pl_buf_fini(&part->warnings);
    pl_buf_fini(&part->found.text);
    platen_buffer_free(&part->file);
}

static void wipe_buf(struct pl_buf *buf)
{
    if (buf->data)
        memset(buf->data, 0, buf->len);
    if (buf->failed || buf->cap > KEPT_BYTES)
        pl_buf_fini(buf);
    pl_buf_clear(buf);
}

void label_part_wipe(struct label_part *part)
{
    wipe_buf(&part->members);
    wipe_buf(&part->warnings);
    wipe_buf(&part->found.text);
    if (part->file.data)
        memset(part->file.data, 0, part->file.size);
    if (part->file.capacity > KEPT_BYTES)
        platen_buffer_free(&part->file);
    part->file.size = 0;
    part->warning_count = part->found.count = part->found.shown = 0;
    part->err = (struct platen_error){0};
}

bool label_part_failed(const struct label_part *part)
{
    return part->members.failed || part->warnings.failed || part->found.text.failed;
}

size_t label_part_bytes(const struct label_part *part)
{
    return part->members.cap + part->warnings.cap + part->found.text.cap + part->file.capacity;
}

// The warnings of a part while they are written.
struct warning_list {
    struct label_part *part;
    struct http_json_out out;
};

static void add_warning(void *context, const struct platen_diagnostic *d)
{
    struct warning_list *list = context;
    report_diagnostic(&list->out, d);
    list->part->warning_count++;
    warning_header_add(&list->part->found, d);
}

void label_part_warnings(const struct platen_document *document, const struct platen_page *page, uint32_t label,
                         const struct controls *controls, struct pl_slice zpl, struct label_part *part)
{
    struct warning_list list = {.part = part};
    struct platen_diagnostic d;
    http_json_out_init(&list.out, &part->warnings);
    http_json_array(&list.out);
    uint32_t count = platen_diagnostic_count(document);
    for (uint32_t i = 0; i < count; i++) {
        if (platen_diagnostic_at(document, i, &d) && d.label == (int32_t)label)
            add_warning(&list, &d);
    }
    count = platen_page_diagnostic_count(page);
    for (uint32_t i = 0; i < count; i++) {
        if (platen_page_diagnostic_at(page, i, &d))
            add_warning(&list, &d);
    }
    report_narrow_modules(page, (int32_t)label, controls, zpl, add_warning, &list);
    http_json_end(&list.out);
}

void label_part_members(const struct platen_document *document, const struct platen_page *page, uint32_t label,
                        const struct controls *controls, struct label_part *part)
{
    struct platen_label info = {.copies = 1};
    platen_label_at(document, label, &info);
    struct pl_buf *buf = &part->members;
    pl_buf_printf(buf, "\"copies\":%u,\"mimeType\":\"image/png\",\"encoding\":\"base64\",\"data\":\"",
                  controls->collapse ? info.copies : 1);
    struct pl_slice png = pl_slice_make(part->file.data, part->file.size);
    uint8_t *at = pl_buf_reserve(buf, pl_base64_encoded_size(png.len));
    if (at)
        buf->len += pl_base64_encode(png, (char *)at);
    pl_buf_printf(buf, "\",\"sizeBytes\":%zu", png.len);
    if (controls->format == OUTPUT_JSON) {
        struct http_json_out out;
        pl_buf_append_cstr(buf, ",\"elements\":");
        http_json_out_init(&out, buf);
        report_elements(&out, page, controls);
        pl_buf_append_cstr(buf, ",\"warnings\":");
        pl_buf_append_slice(buf, pl_buf_slice(&part->warnings));
    }
}

// ---- all of it

static void add_to_header(void *context, const struct platen_diagnostic *d)
{
    warning_header_add(context, d);
}

static void header_of_page(const struct platen_page *page, uint32_t label, const struct label_wish *wish,
                           struct label_part *part)
{
    uint32_t count = platen_page_diagnostic_count(page);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_diagnostic d;
        if (platen_page_diagnostic_at(page, i, &d))
            warning_header_add(&part->found, &d);
    }
    report_narrow_modules(page, (int32_t)label, wish->controls, wish->zpl, add_to_header, &part->found);
}

// The label as a picture or as a part of a PDF or JSON answer.
static enum platen_status make_picture(struct platen_worker *worker, const struct platen_document *document,
                                       const struct platen_page *page, uint32_t label, const struct controls *controls,
                                       struct label_part *part)
{
    enum platen_status status;
    if (controls->format == OUTPUT_PDF) {
        status = platen_pdf_part(worker, page, &part->file, &part->err);
    } else {
        static const enum platen_format formats[OUTPUT_COUNT] = {
            [OUTPUT_JPEG] = PLATEN_JPEG, [OUTPUT_WEBP] = PLATEN_WEBP}; // all others hold PNGs, which is 0
        struct platen_encode_options options = {.jpeg_quality = controls->jpeg_quality};
        status = platen_encode(worker, page, formats[controls->format], &options, &part->file, &part->err);
    }
    if (status == PLATEN_OK && (controls->format == OUTPUT_JSON || controls->format == OUTPUT_BASE64)) {
        label_part_members(document, page, label, controls, part);
        // The picture is in the members now.
        memset(part->file.data, 0, part->file.size);
        part->file.size = 0;
    }
    return status;
}

// Labelary's "data extraction": the fields of one label.
static void make_fields(const struct platen_page *page, struct label_part *part)
{
    struct http_json_out out;
    http_json_out_init(&out, &part->members);
    http_json_array(&out);
    for (uint32_t i = 0; i < platen_page_element_count(page); i++) {
        struct platen_element e;
        if (!platen_page_element_at(page, i, &e) || !e.data || (e.type != PLATEN_TEXT && e.type != PLATEN_BARCODE))
            continue;
        http_json_object(&out);
        http_json_kv_i64(&out, "x", e.x);
        http_json_kv_i64(&out, "y", e.y);
        http_json_kv_slice(&out, "data", pl_slice_make(e.data, e.data_size));
        http_json_end(&out);
    }
    http_json_end(&out);
}

enum platen_status label_part_make(struct platen_worker *worker, const struct platen_document *document, uint32_t label,
                                   const struct label_wish *wish, struct label_part *part)
{
    const struct platen_page *page = NULL;
    enum platen_status status = platen_draw(worker, document, label, &page, &part->err);
    if (status != PLATEN_OK)
        return status;
    if (wish->page_findings)
        header_of_page(page, label, wish, part);
    else
        label_part_warnings(document, page, label, wish->controls, wish->zpl, part);
    if (wish->findings_only)
        return PLATEN_OK;
    if (wish->fields)
        make_fields(page, part);
    else
        status = make_picture(worker, document, page, label, wish->controls, part);
    if (status == PLATEN_OK && label_part_failed(part))
        status = part->err.status = PLATEN_E_MEMORY;
    return status;
}
