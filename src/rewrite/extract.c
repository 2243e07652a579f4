// The texts and barcodes of a document with their places, as a table.
#include "base/json_writer.h"
#include "render/render.h"

#define TABLE_MOST ((size_t)128 << 20)

// One row of the table.
struct row {
    uint32_t label;
    const struct platen_element *element;
    int32_t x, y;
};

static void put_json(struct pl_json_writer *out, const struct row *row)
{
    const struct platen_element *e = row->element;
    pl_json_object(out);
    pl_json_kv_u64(out, "label", row->label);
    pl_json_kv_cstr(out, "type", e->type_name);
    if (e->symbology)
        pl_json_kv_cstr(out, "symbology", e->symbology);
    pl_json_kv_cstr(out, "command", e->command);
    pl_json_kv_i64(out, "x", row->x);
    pl_json_kv_i64(out, "y", row->y);
    pl_json_kv_i64(out, "left", e->x);
    pl_json_kv_i64(out, "top", e->y);
    pl_json_kv_u64(out, "width", e->width);
    pl_json_kv_u64(out, "height", e->height);
    pl_json_kv_u64(out, "rotation", e->rotation);
    pl_json_kv_slice(out, "data", pl_slice_make(e->data, e->data_size));
    pl_json_end(out);
}

static void put_csv_text(struct pl_buf *out, struct pl_slice text)
{
    pl_buf_append_byte(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            pl_buf_append_byte(out, '"');
        pl_buf_append_byte(out, text.ptr[i]);
    }
    pl_buf_append_byte(out, '"');
}

static void put_csv(struct pl_buf *out, const struct row *row)
{
    const struct platen_element *e = row->element;
    pl_buf_printf(out, "%u,%s,%s,%s,%d,%d,%d,%d,%u,%u,%u,", row->label, e->type_name, e->symbology ? e->symbology : "",
                  e->command, row->x, row->y, e->x, e->y, e->width, e->height, e->rotation);
    put_csv_text(out, pl_slice_make(e->data, e->data_size));
    pl_buf_append_cstr(out, "\r\n");
}

enum platen_status platen_extract(struct platen_worker *worker, const struct platen_document *document,
                                  enum platen_table table, struct platen_buffer *out, struct platen_error *err)
{
    if (!worker || !document || !out)
        return pl_null_argument(err, __func__);
    struct pl_error inner = {0};
    struct pl_json_writer json;
    struct pl_buf text = {.data = out->data, .cap = out->capacity, .max = TABLE_MOST};
    enum platen_status status = PLATEN_OK;
    if (!document->options.want_elements)
        return pl_public_fail(err, PLATEN_E_INVALID, "the document was parsed without want_elements");
    if (table != PLATEN_TABLE_JSON && table != PLATEN_TABLE_CSV)
        return pl_public_fail(err, PLATEN_E_INVALID, "what is extracted is JSON or CSV");
    pl_json_writer_init(&json, &text);
    if (table == PLATEN_TABLE_JSON)
        pl_json_array(&json);
    else
        pl_buf_append_cstr(&text, "label,type,symbology,command,x,y,left,top,width,height,rotation,data\r\n");
    for (uint32_t label = 0; label < platen_label_count(document) && status == PLATEN_OK; label++) {
        const struct platen_page *page;
        status = platen_draw(worker, document, label, &page, err);
        for (uint32_t i = 0; status == PLATEN_OK && i < page->element_count && !text.failed; i++) {
            struct row row = {.label = label, .element = &page->elements[i]};
            if (row.element->type != PLATEN_TEXT && row.element->type != PLATEN_BARCODE)
                continue;
            platen_page_place_at(page, i, &row.x, &row.y);
            if (table == PLATEN_TABLE_JSON)
                put_json(&json, &row);
            else
                put_csv(&text, &row);
        }
    }
    if (table == PLATEN_TABLE_JSON && status == PLATEN_OK)
        pl_json_end(&json);
    enum pl_errc code = pl_buf_check(&text, &inner);
    *out = (struct platen_buffer){text.data, status == PLATEN_OK && code == PL_OK ? text.len : 0, text.cap};
    return status != PLATEN_OK ? status : pl_public_status(code, &inner, err);
}
