// PDF documents: parts made of pages on any thread, put together in order.
#include "enc/pdf.h"

#include "enc/pdf_sheet.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "render/cancel.h"
#include "render/options.h"
#include "render/render.h"

#define PDF_STATE_BYTES ((size_t)64 << 20)
#define PDF_PAGES_BYTES ((size_t)2 << 30) // places of objects: some 200 bytes a page, of millions of pages
// Indirect objects of a file: ISO 32000-1, Annex C. Readers may refuse more.
#define PDF_OBJECTS_MOST 8388607u
#define PDF_SCRATCH_KEEP ((size_t)64 << 10)

// A part travels in a buffer of bytes: this head, the texts, their characters, the compressed rows.
struct part_head {
    uint32_t width, height, bits, text_count;
    double width_mm, height_mm;
    size_t characters, zlib; // sizes in bytes
};

struct part_text {
    struct pl_box box;
    enum pl_rotation rotation;
    size_t length;
};

static bool has_text(const struct platen_element *e)
{
    return e->text_size > 0 && (e->type == PLATEN_TEXT || e->type == PLATEN_BARCODE) && e->width > 0 && e->height > 0;
}

static enum pl_errc write_part(struct platen_worker *worker, const struct platen_page *page, struct pl_buf *out,
                               struct pl_error *err)
{
    struct pl_canvas p = pl_page_canvas(page);
    struct part_head head = {.width = p.bits ? p.bits->width : p.grey->width,
                             .height = p.bits ? p.bits->height : p.grey->height,
                             .bits = p.bits ? 1 : 8,
                             .width_mm = page->width_mm,
                             .height_mm = page->height_mm};
    pl_buf_clear(out);
    pl_buf_append(out, &head, sizeof head);
    for (uint32_t i = 0; i < page->element_count; i++) {
        const struct platen_element *e = &page->elements[i];
        if (!has_text(e))
            continue;
        struct part_text text = {
            .box = {e->x, e->y, (int32_t)((int64_t)e->x + e->width), (int32_t)((int64_t)e->y + e->height)},
            .rotation = (enum pl_rotation)(e->rotation / 90),
            .length = e->text_size};
        pl_buf_append(out, &text, sizeof text);
        head.text_count++;
        head.characters += e->text_size;
    }
    for (uint32_t i = 0; i < page->element_count; i++) {
        const struct platen_element *e = &page->elements[i];
        if (has_text(e))
            pl_buf_append(out, e->text, e->text_size);
    }
    size_t before = out->len;
    PL_TRY(pl_png_zlib(&p, &worker->scratch, out, err));
    head.zlib = out->len - before;
    memcpy(out->data, &head, sizeof head);
    return PL_OK;
}

enum platen_status platen_pdf_part(struct platen_worker *worker, const struct platen_page *page,
                                   struct platen_buffer *part, struct platen_error *err)
{
    if (!worker || !page || !part)
        return pl_null_argument(err, __func__);
    if (!page->document)
        return pl_page_gone(err);
    struct pl_error inner = {0};
    struct pl_buf buf = {.data = part->data, .cap = part->capacity, .max = SIZE_MAX / 2};
    pl_memory_watch_begin(worker);
    enum pl_errc code = write_part(worker, page, &buf, &inner);
    if (pl_memory_watch_retry(worker, code))
        code = write_part(worker, page, &buf, &inner);
    code = pl_memory_watch_end(worker, code, &inner);
    *part = (struct platen_buffer){buf.data, code == PL_OK ? buf.len : 0, buf.cap};
    return pl_public_status(code, &inner, err);
}

struct part {
    struct part_head head;
    struct pl_slice rows;
    struct pl_pdf_text *texts; // in the scratch memory
};

// Changes nothing of the PDF.
static enum pl_errc read_part(const struct pl_pdf *pdf, struct pl_arena *scratch, struct pl_slice bytes,
                              struct part *part, struct pl_error *err)
{
    struct part_head head;
    if (bytes.len < sizeof head)
        return pl_fail(err, PL_E_INVALID, "this is no part of a PDF");
    memcpy(&head, bytes.ptr, sizeof head);
    // The bytes were in the caller's hands: nothing that they say of themselves is believed.
    size_t left = bytes.len - sizeof head, texts_size;
    if (!PL_CKD_MUL(&texts_size, (size_t)head.text_count, sizeof(struct part_text)) || texts_size > left ||
        head.characters > left - texts_size || head.zlib != left - texts_size - head.characters || head.width == 0 ||
        head.height == 0 || (head.bits != 1 && head.bits != 8) || !(head.width_mm > 0 && head.width_mm < 1e6) ||
        !(head.height_mm > 0 && head.height_mm < 1e6))
        return pl_fail(err, PL_E_INVALID, "this is no part of a PDF");
    const uint8_t *characters = bytes.ptr + sizeof head + texts_size;
    *part = (struct part){.head = head, .rows = pl_slice_make(characters + head.characters, head.zlib)};
    left = head.characters;
    part->texts = PL_ARENA_ARRAY(scratch, struct pl_pdf_text, (size_t)head.text_count + 1);
    if (!part->texts)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < head.text_count; i++) {
        struct part_text text;
        memcpy(&text, bytes.ptr + sizeof head + i * sizeof text, sizeof text);
        if (text.length > left || (unsigned)text.rotation > PL_ROT_B)
            return pl_fail(err, PL_E_INVALID, "a text in this part of a PDF is not whole");
        part->texts[i] = (struct pl_pdf_text){pl_slice_make(characters, text.length), text.box, text.rotation};
        characters += text.length;
        left -= text.length;
    }
    return pl_pdf_fits(pdf, head.width_mm, head.height_mm, err);
}

static enum pl_errc add_part(struct pl_pdf *pdf, const struct part *part, uint32_t copies, struct pl_error *err)
{
    const struct part_head *head = &part->head;
    uint32_t image, content;
    PL_TRY(pl_pdf_add_image(pdf, part->rows, head->width, head->height, head->bits, &image, err));
    PL_TRY(
        pl_pdf_add_content(pdf, image, head->width_mm, head->height_mm, part->texts, head->text_count, &content, err));
    for (uint32_t i = 0; i < copies; i++)
        PL_TRY(pl_pdf_add_page(pdf, content, err));
    return PL_OK;
}

struct platen_pdf {
    struct pl_arena arena;
    struct pl_arena scratch; // for one part
    struct pl_buf buf;
    struct platen_buffer *out;
    struct pl_pdf *writer;
    struct pl_job job;
    uint32_t labels; // with copies
    enum { PDF_EMPTY, PDF_LAID_OUT, PDF_HAS_PAGES, PDF_FINISHED, PDF_BROKEN } state;
};

// Before a call that writes. The buffer is the caller's: he may have freed it after platen_pdf_take.
static enum platen_status take_up(struct platen_pdf *pdf, struct platen_error *err)
{
    if (pdf->state == PDF_FINISHED)
        return pl_public_fail(err, PLATEN_E_INVALID, "the PDF is finished already");
    if (pdf->state == PDF_BROKEN)
        return pl_public_fail(err, PLATEN_E_INVALID, "a call for the PDF has failed: it can only be freed");
    if (pdf->out->size != pdf->buf.len)
        return pl_public_fail(err, PLATEN_E_INVALID, "the buffer of the PDF was changed: platen_pdf_take empties it");
    pdf->buf.data = pdf->out->data;
    pdf->buf.cap = pdf->out->capacity;
    return PLATEN_OK;
}

// The caller's buffer and the writer's are the same memory.
static enum platen_status hand_over(struct platen_pdf *pdf, enum pl_errc code, const struct pl_error *inner,
                                    struct platen_error *err)
{
    *pdf->out = (struct platen_buffer){pdf->buf.data, pdf->buf.len, pdf->buf.cap};
    return pl_public_status(code, inner, err);
}

enum platen_status platen_pdf_new(const char *title, struct platen_buffer *out, struct platen_pdf **pdf,
                                  struct platen_error *err)
{
    if (pdf)
        *pdf = NULL;
    if (!out || !pdf)
        return pl_null_argument(err, __func__);
    struct pl_error inner = {0};
    struct platen_pdf *p = calloc(1, sizeof *p);
    if (!p)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for a PDF");
    pl_arena_init(&p->arena, PDF_PAGES_BYTES);
    pl_arena_init(&p->scratch, PDF_STATE_BYTES);
    p->buf = (struct pl_buf){.data = out->data, .cap = out->capacity, .max = SIZE_MAX / 2};
    p->out = out;
    if (!title)
        title = "";
    char *own_title = pl_arena_copy(&p->arena, title, strlen(title) + 1);
    enum pl_errc code =
        own_title ? pl_pdf_new(&p->arena, &p->buf, own_title, &p->writer, &inner) : pl_fail_memory(&inner);
    enum platen_status status = hand_over(p, code, &inner, err);
    if (status != PLATEN_OK) {
        platen_pdf_free(p);
        return status;
    }
    pl_pdf_set_job(p->writer, &p->job);
    *pdf = p;
    return PLATEN_OK;
}

void platen_pdf_set_cancel(struct platen_pdf *pdf, const struct platen_cancel *cancel, uint64_t deadline_ns)
{
    if (pdf)
        pdf->job = (struct pl_job){pl_cancel_flag(cancel), deadline_ns};
}

#define PT_PER_MM (72 / 25.4)
#define PAGE_MM_MOST 1e5

static bool is_length(double mm)
{
    return mm >= 0 && mm <= PAGE_MM_MOST;
}

static enum platen_status read_layout(const struct platen_pdf_layout *from, struct platen_pdf_layout *l,
                                      struct pl_sheet *sheet, struct platen_error *err)
{
    enum platen_status status = pl_options_read(from, l, sizeof *l, "platen_pdf_layout", err);
    if (status != PLATEN_OK)
        return status;
    if (!is_length(l->page_width_mm) || !is_length(l->page_height_mm) || !is_length(l->margin_mm) ||
        !is_length(l->gap_x_mm) || !is_length(l->gap_y_mm) || (unsigned)l->across > PLATEN_END ||
        (unsigned)l->down > PLATEN_END || (unsigned)l->border > PLATEN_DASHED)
        return pl_public_fail(err, PLATEN_E_INVALID, "a length or choice of the PDF's layout is out of its bounds");
    *sheet = (struct pl_sheet){.width = l->page_width_mm * PT_PER_MM,
                               .height = l->page_height_mm * PT_PER_MM,
                               .columns = l->columns,
                               .rows = l->rows,
                               .across = (enum pl_sheet_align)l->across,
                               .down = (enum pl_sheet_align)l->down,
                               .margin = l->margin_mm * PT_PER_MM,
                               .gap_x = l->gap_x_mm * PT_PER_MM,
                               .gap_y = l->gap_y_mm * PT_PER_MM,
                               .border = (enum pl_sheet_border)l->border,
                               .cut_marks = l->cut_marks,
                               .by_columns = l->by_columns,
                               .shrink = l->shrink,
                               .first = l->first};
    return PLATEN_OK;
}

// Does it ask for anything but one label a page?
static bool is_sheet(const struct platen_pdf_layout *l)
{
    return l->page_width_mm > 0 || l->page_height_mm > 0 || l->columns > 1 || l->rows > 1 || l->margin_mm > 0 ||
           l->border != PLATEN_NO_BORDER || l->cut_marks || l->first > 0;
}

enum platen_status platen_pdf_layout_check(const struct platen_pdf_layout *layout, double label_width_mm,
                                           double label_height_mm, struct platen_error *err)
{
    struct platen_pdf_layout l;
    struct pl_sheet sheet;
    struct pl_sheet_grid grid;
    struct pl_error inner = {0};
    enum platen_status status = read_layout(layout, &l, &sheet, err);
    if (status == PLATEN_OK && !(is_length(label_width_mm) && is_length(label_height_mm)))
        return pl_public_fail(err, PLATEN_E_INVALID, "the size of the label is out of its bounds");
    if (status != PLATEN_OK || !is_sheet(&l))
        return status;
    return pl_public_status(
        pl_sheet_plan(&sheet, label_width_mm * PT_PER_MM, label_height_mm * PT_PER_MM, &grid, &inner), &inner, err);
}

enum platen_status platen_pdf_set_layout(struct platen_pdf *pdf, const struct platen_pdf_layout *layout,
                                         struct platen_error *err)
{
    if (!pdf)
        return pl_null_argument(err, __func__);
    struct platen_pdf_layout l;
    struct pl_sheet sheet;
    struct pl_error inner = {0};
    enum platen_status status = read_layout(layout, &l, &sheet, err);
    if (status != PLATEN_OK)
        return status;
    status = take_up(pdf, err);
    if (status != PLATEN_OK)
        return status;
    if (pdf->state != PDF_EMPTY)
        return pl_public_fail(err, PLATEN_E_INVALID,
                              pdf->state == PDF_LAID_OUT ? "the PDF has a layout already"
                                                         : "the PDF has pages already: its layout comes before them");
    enum pl_errc code = is_sheet(&l) ? pl_pdf_set_sheet(pdf->writer, &sheet, &inner) : PL_OK;
    if (code == PL_OK) {
        pdf->state = PDF_LAID_OUT;
        if (l.archive)
            pl_pdf_set_archive(pdf->writer);
    }
    return hand_over(pdf, code, &inner, err);
}

enum platen_status platen_pdf_add(struct platen_pdf *pdf, const struct platen_buffer *part, uint32_t copies,
                                  struct platen_error *err)
{
    if (!pdf || !part || (!part->data && part->size > 0))
        return pl_null_argument(err, __func__);
    enum platen_status status = take_up(pdf, err);
    if (status != PLATEN_OK)
        return status;
    if (copies > PDF_OBJECTS_MOST - pdf->labels)
        return pl_public_fail(err, PLATEN_E_LIMIT, "a PDF has at most %u pages", PDF_OBJECTS_MOST);
    struct pl_error inner = {0};
    struct part read;
    enum pl_errc code = read_part(pdf->writer, &pdf->scratch, pl_slice_make(part->data, part->size), &read, &inner);
    if (code == PL_OK && copies > 0) {
        code = add_part(pdf->writer, &read, copies, &inner);
        pdf->labels += copies;
        pdf->state = code == PL_OK ? PDF_HAS_PAGES : PDF_BROKEN; // half of a part may be written
    }
    pl_arena_reset(&pdf->scratch, PDF_SCRATCH_KEEP);
    return hand_over(pdf, code, &inner, err);
}

void platen_pdf_take(struct platen_pdf *pdf)
{
    if (!pdf)
        return;
    pl_pdf_take(pdf->writer);
    pdf->out->size = 0;
    pdf->buf.data = pdf->out->data;
    pdf->buf.cap = pdf->out->capacity;
}

enum platen_status platen_pdf_finish(struct platen_pdf *pdf, struct platen_error *err)
{
    if (!pdf)
        return pl_null_argument(err, __func__);
    enum platen_status status = take_up(pdf, err);
    if (status != PLATEN_OK)
        return status;
    if (pdf->state != PDF_HAS_PAGES)
        return pl_public_fail(err, PLATEN_E_INVALID, "the PDF has no page");
    struct pl_error inner = {0};
    enum pl_errc code = pl_pdf_finish(pdf->writer, &inner);
    pdf->state = code == PL_OK ? PDF_FINISHED : PDF_BROKEN;
    return hand_over(pdf, code, &inner, err);
}

void platen_pdf_free(struct platen_pdf *pdf)
{
    if (!pdf)
        return;
    pl_pdf_free(pdf->writer);
    pl_arena_fini(&pdf->arena);
    pl_arena_fini(&pdf->scratch);
    free(pdf);
}

enum pl_errc pl_encode_pdf(struct platen_worker *worker, const struct platen_page *page,
                           const struct platen_encode_options *options, struct pl_buf *out, struct pl_error *err)
{
    (void)options;
    struct pl_buf part = {.max = SIZE_MAX / 2};
    struct part read;
    struct pl_pdf *pdf = NULL;
    enum pl_errc code = write_part(worker, page, &part, err);
    if (code == PL_OK)
        code = pl_pdf_new(&worker->scratch, out, "label", &pdf, err);
    if (code == PL_OK)
        code = read_part(pdf, &worker->scratch, pl_buf_slice(&part), &read, err);
    if (code == PL_OK)
        code = add_part(pdf, &read, 1, err);
    if (code == PL_OK)
        code = pl_pdf_finish(pdf, err);
    pl_pdf_free(pdf);
    pl_buf_fini(&part);
    return code;
}
