// Bytes of strangers to label code or tables.
#include "renderer/renderer_convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "describe/describe.h"
#include "renderer/renderer_tools.h"

#define FONT_NOTE 1024 // bytes of a sentence

static bool put_file(struct label_part *part, const void *bytes, size_t size)
{
    platen_buffer_free(&part->file);
    part->file.data = malloc(PL_MAX(size, (size_t)1));
    if (!part->file.data)
        return false;
    if (size)
        memcpy(part->file.data, bytes, size);
    part->file.size = size;
    part->file.capacity = PL_MAX(size, (size_t)1);
    return true;
}

static void put_note(struct label_part *part, struct pl_json_writer *json, const struct platen_diagnostic *note)
{
    pl_describe_diagnostic(json, note, PL_NO_FIX);
    warning_header_add(&part->found, note);
    part->warning_count++;
}

static void put_notes(struct label_part *part, const struct platen_rewritten *rewritten)
{
    struct pl_json_writer json;
    struct platen_diagnostic note;
    pl_json_writer_init(&json, &part->warnings);
    pl_json_array(&json);
    for (uint32_t i = 0; platen_rewritten_note_at(rewritten, i, &note); i++)
        put_note(part, &json, &note);
    pl_json_end(&json);
}

// The label code alone and the values that stand behind it.
static struct pl_slice code_of(const struct render_ask *ask, bool has_rows, struct pl_slice bytes,
                               struct pl_slice *rows)
{
    size_t first = has_rows ? (size_t)PL_MIN(ask->first_size, (uint64_t)bytes.len) : bytes.len;
    *rows = pl_slice_sub(bytes, first, bytes.len);
    return pl_slice_sub(bytes, 0, first);
}

enum platen_status renderer_rewrite(struct platen_worker *worker, const struct render_ask *ask,
                                    const struct platen_options *options, struct pl_slice bytes,
                                    struct platen_rewritten **out, struct platen_error *err)
{
    const struct conversion_request *request = ask->kind == RENDER_CONVERSION ? &ask->conversion : NULL;
    bool has_rows = request ? request->has_rows : ask->labels.fills;
    struct pl_slice rows, code = code_of(ask, has_rows, bytes, &rows);
    struct platen_rewrite_options o =
        request
            ? conversion_rewrite(request, options)
            : (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(.dpmm = options->dpmm, .cancel = options->cancel,
                                                                    .deadline_ns = options->deadline_ns);
    o.unverified = !request; // code that is drawn anyway
    if (has_rows) {
        o.rows = rows.len ? rows.ptr : (const uint8_t *)"";
        o.rows_size = rows.len;
    }
    return platen_rewrite(worker, code.ptr, code.len, &o, out, err);
}

static enum platen_status convert_code(struct platen_worker *worker, const struct render_ask *ask,
                                       const struct platen_options *options, struct pl_slice bytes,
                                       struct label_part *part, struct platen_error *err)
{
    struct platen_rewritten *rewritten;
    enum platen_status status = renderer_rewrite(worker, ask, options, bytes, &rewritten, err);
    if (status != PLATEN_OK)
        return status;
    size_t size;
    const char *code = platen_rewritten_code(rewritten, &size);
    if (!put_file(part, code, size))
        status = err->status = PLATEN_E_MEMORY;
    put_notes(part, rewritten);
    struct platen_document *document;
    if (status == PLATEN_OK && ask->conversion.counts) {
        status = platen_parse(worker, code, size, options, &document, err);
        if (status == PLATEN_OK) {
            pl_buf_append_u64(&part->members, platen_page_count(document));
            platen_document_free(document);
        }
    }
    platen_rewritten_free(rewritten);
    return status;
}

static enum platen_status extract(struct platen_worker *worker, const struct render_ask *ask,
                                  const struct platen_options *options, struct pl_slice code, struct label_part *part,
                                  struct platen_error *err)
{
    struct platen_options all = *options;
    struct platen_document *document;
    all.want_elements = true;
    all.collapse_copies = true;
    enum platen_status status = platen_parse(worker, code.ptr, code.len, &all, &document, err);
    if (status != PLATEN_OK)
        return status;
    status = platen_extract(worker, document, (enum platen_table)ask->conversion.table, &part->file, err);
    platen_document_free(document);
    return status;
}

// ---- pictures

// Of the dots, as a PNG: label code of them, drawn on a label of their size.
static enum platen_status draw_preview(struct platen_worker *worker, const struct platen_graphic *graphic,
                                       const struct platen_options *options, struct platen_buffer *png,
                                       struct platen_error *err)
{
    struct platen_graphic_info info;
    struct pl_buf code;
    struct platen_document *document;
    const struct platen_page *page;
    platen_graphic_info(graphic, &info);
    // One dot a millimetre: sizes in dots are then exact.
    struct platen_options own =
        PLATEN_OPTIONS(.width_mm = info.width, .height_mm = info.height, .dpmm = 1, .rules = "none",
                       .cancel = options->cancel, .deadline_ns = options->deadline_ns);
    size_t size;
    const char *data = platen_graphic_data(graphic, &size);
    pl_buf_init(&code, SIZE_MAX / 2);
    pl_buf_printf(&code, "^XA^FO0,0^GFA,%zu,%zu,%u,", info.total_bytes, info.total_bytes, info.row_bytes);
    pl_buf_append(&code, data, size);
    pl_buf_append_cstr(&code, "^FS^XZ");
    enum platen_status status =
        code.failed ? (err->status = PLATEN_E_MEMORY) : platen_parse(worker, code.data, code.len, &own, &document, err);
    if (status == PLATEN_OK) {
        // A picture without ink prints no label.
        if (platen_label_count(document) > 0)
            status = platen_draw(worker, document, 0, &page, err);
        if (status == PLATEN_OK && platen_label_count(document) > 0)
            status = platen_encode(worker, page, PLATEN_PNG, NULL, png, err);
        platen_document_free(document);
    }
    pl_buf_fini(&code);
    return status;
}

static void put_graphic_members(const struct platen_graphic *graphic, struct pl_slice png, struct pl_buf *out)
{
    static const enum platen_graphic_coding CODINGS[] = {PLATEN_GRAPHIC_HEX, PLATEN_GRAPHIC_ACS, PLATEN_GRAPHIC_Z64};
    struct platen_graphic_info info;
    struct pl_json_writer json;
    size_t size;
    platen_graphic_info(graphic, &info);
    const char *data = platen_graphic_data(graphic, &size);
    // Members only: the caller writes the braces.
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_buf_clear(out);
    pl_json_kv_u64(&json, "totalBytes", info.total_bytes);
    pl_json_kv_u64(&json, "rowBytes", info.row_bytes);
    pl_json_kv_slice(&json, "data", pl_slice_make(data, size));
    pl_json_kv_u64(&json, "widthPx", info.width);
    pl_json_kv_u64(&json, "heightPx", info.height);
    pl_json_kv_cstr(&json, "coding", platen_graphic_coding_name(info.coding));
    pl_json_key(&json, "sizes");
    pl_json_object(&json);
    for (size_t i = 0; i < PL_COUNTOF(CODINGS); i++)
        pl_json_kv_u64(&json, platen_graphic_coding_name(CODINGS[i]), platen_graphic_coded_size(graphic, CODINGS[i]));
    pl_json_end(&json);
    pl_json_key(&json, "preview");
    pl_json_base64(&json, png);
}

static enum platen_status convert_graphic(const struct platen_engine *engine, struct platen_worker *worker,
                                          const struct render_ask *ask, const struct platen_options *options,
                                          struct pl_slice bytes, struct label_part *part, struct platen_error *err)
{
    const struct conversion_request *w = &ask->conversion;
    const struct platen_graphic_options o = conversion_graphic(w, options);
    struct platen_graphic *graphic;
    enum platen_status status = platen_graphic_new(engine, bytes.ptr, bytes.len, &o, &graphic, err);
    if (status != PLATEN_OK)
        return status;
    size_t size;
    const char *code = platen_graphic_code(graphic, &size);
    struct platen_buffer png = {0};
    if (!put_file(part, code, size))
        status = err->status = PLATEN_E_MEMORY;
    if (status == PLATEN_OK && w->preview)
        status = draw_preview(worker, graphic, options, &png, err);
    if (status == PLATEN_OK && w->preview)
        put_graphic_members(graphic, pl_slice_make(png.data, png.size), &part->members);
    platen_buffer_free(&png);
    platen_graphic_free(graphic);
    return status;
}

// ---- fonts

// Each line of `notes` as a warning.
static void put_font_notes(struct label_part *part, struct pl_slice notes)
{
    struct pl_json_writer json;
    pl_json_writer_init(&json, &part->warnings);
    pl_json_array(&json);
    while (notes.len > 0) {
        struct pl_slice note = pl_slice_until(&notes, '\n');
        char text[FONT_NOTE];
        snprintf(text, sizeof text, "%.*s.", (int)PL_MIN(note.len, sizeof text - 2), (const char *)note.ptr);
        text[0] = (char)pl_upper((uint8_t)text[0]);
        put_note(part, &json,
                 &(struct platen_diagnostic){.code = "font_file",
                                             .severity = PLATEN_WARNING,
                                             .message = text,
                                             .command = "",
                                             .label = -1,
                                             .element = -1});
    }
    pl_json_end(&json);
}

static enum platen_status convert_font(const struct platen_engine *engine, const struct render_ask *ask,
                                       struct pl_slice bytes, struct label_part *part, struct platen_error *err)
{
    const struct conversion_request *w = &ask->conversion;
    struct pl_slice chars, font = code_of(ask, w->has_rows, bytes, &chars);
    char *text = malloc(chars.len + 1);
    if (!text)
        return err->status = PLATEN_E_MEMORY;
    if (chars.len)
        memcpy(text, chars.ptr, chars.len);
    text[chars.len] = '\0';
    struct platen_buffer notes = {0};
    struct platen_font_options o = conversion_font(w, text);
    o.notes = &notes;
    enum platen_status status = platen_font_code(engine, font.ptr, font.len, &o, &part->file, err);
    if (status == PLATEN_OK)
        put_font_notes(part, pl_slice_make(notes.data, notes.size));
    platen_buffer_free(&notes);
    free(text);
    return status;
}

enum platen_status renderer_convert(const struct platen_engine *engine, struct platen_worker *worker,
                                    const struct render_ask *ask, const struct platen_options *options,
                                    struct pl_slice bytes, struct label_part *part, struct platen_error *err)
{
    switch ((enum conversion)ask->conversion.conversion) {
    case CONVERT_CODE:
        return convert_code(worker, ask, options, bytes, part, err);
    case CONVERT_EXPLAIN:
        return platen_explain(worker, bytes.ptr, bytes.len, options->dpmm, (enum platen_table)ask->conversion.table,
                              &part->file, err);
    case CONVERT_EXTRACT:
        return extract(worker, ask, options, bytes, part, err);
    case CONVERT_GRAPHIC:
        return convert_graphic(engine, worker, ask, options, bytes, part, err);
    case CONVERT_FONT:
        return convert_font(engine, ask, bytes, part, err);
    case CONVERT_PICTURE:
    case CONVERT_DOCUMENT:
    case CONVERT_CHECK:
    case CONVERT_BARCODES:
    case CONVERT_GS1:
        return renderer_tool(worker, ask, options, bytes, part, err);
    case CONVERT_NONE:
    case CONVERSION_COUNT:
        break;
    }
    return err->status = PLATEN_E_BUG;
}
