// Making the part of a label.
#include "answer/label_part.h"

#include <string.h>

#include "describe/describe.h"

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

static void add_to_header(void *context, const struct platen_diagnostic *d)
{
    warning_header_add(context, d);
}

void label_part_warnings(const struct platen_document *document, const struct platen_page *page,
                         struct label_part *part)
{
    part->warning_count += pl_describe_warnings(
        document, page, (struct pl_diagnostic_watch){add_to_header, &part->found}, &part->warnings);
}

void label_part_members(const struct platen_document *document, const struct platen_page *page,
                        const struct label_part_options *wanted, struct label_part *part)
{
    struct platen_describe_options options = controls_description(wanted->controls);
    options.no_png = wanted->apart;
    pl_describe_members(document, page, &options, pl_slice_make(part->file.data, part->file.size),
                        pl_buf_slice(&part->warnings), &part->members);
}

static void header_of_page(const struct platen_page *page, struct label_part *part)
{
    uint32_t count = platen_page_diagnostic_count(page);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_diagnostic d;
        if (platen_page_diagnostic_at(page, i, &d))
            warning_header_add(&part->found, &d);
    }
}

// The label as a picture or as a part of a PDF or JSON answer.
static enum platen_status make_picture(struct platen_worker *worker, const struct platen_document *document,
                                       const struct platen_page *page, const struct label_part_options *wanted,
                                       struct label_part *part)
{
    const struct control_values *controls = wanted->controls;
    enum platen_status status;
    if (controls->format == OUTPUT_PDF) {
        status = platen_pdf_part(worker, page, &part->file, &part->err);
    } else {
        struct platen_encode_options options = controls_encoding(controls);
        status = platen_encode(worker, page, output_format(controls->format), &options, &part->file, &part->err);
    }
    if (status == PLATEN_OK && (controls->format == OUTPUT_JSON || controls->format == OUTPUT_BASE64)) {
        label_part_members(document, page, wanted, part);
        if (!wanted->apart) { // the picture is in the members now
            memset(part->file.data, 0, part->file.size);
            part->file.size = 0;
        }
    }
    return status;
}

// Labelary's "data extraction": the fields of one label.
static void make_fields(const struct platen_page *page, struct label_part *part)
{
    struct pl_json_writer out;
    pl_json_writer_init(&out, &part->members);
    pl_json_array(&out);
    for (uint32_t i = 0; i < platen_page_element_count(page); i++) {
        struct platen_element e;
        int32_t x, y;
        if (!platen_page_element_at(page, i, &e) || !platen_page_place_at(page, i, &x, &y) || !e.data ||
            (e.type != PLATEN_TEXT && e.type != PLATEN_BARCODE))
            continue;
        pl_json_object(&out);
        pl_json_kv_i64(&out, "x", x);
        pl_json_kv_i64(&out, "y", y);
        pl_json_kv_slice(&out, "data", pl_slice_make(e.data, e.data_size));
        pl_json_end(&out);
    }
    pl_json_end(&out);
}

enum platen_status label_part_make(struct platen_worker *worker, const struct platen_document *document, uint32_t label,
                                   const struct label_part_options *wanted, struct label_part *part)
{
    const struct platen_page *page = NULL;
    enum platen_status status = platen_draw(worker, document, label, &page, &part->err);
    if (status != PLATEN_OK)
        return status;
    if (wanted->page_findings)
        header_of_page(page, part);
    else
        label_part_warnings(document, page, part);
    if (wanted->content == LABEL_FINDINGS)
        return PLATEN_OK;
    if (wanted->content == LABEL_FIELDS)
        make_fields(page, part);
    else
        status = make_picture(worker, document, page, wanted, part);
    if (status == PLATEN_OK && label_part_failed(part))
        status = part->err.status = PLATEN_E_MEMORY;
    return status;
}
