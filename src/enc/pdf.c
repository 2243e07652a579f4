// The PDF writer: PDF 1.4 with a classic cross-reference table. Pictures take over a PNG's compressed rows as they are
// (Predictor 15), so nothing is compressed twice; contents are compressed here.
#include "enc/pdf.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/job.h"
#include "base/utf8.h"
#include "enc/pdf_archive.h"
#include "enc/pdf_objects.h"
#include "enc/pdf_sheet.h"
#include "enc/pdf_text.h"

#define EDGE_PT 0.0018
#define PAGE_MOST ((size_t)64 << 20) // operators of one page
#define PAGES_A_CHECK 256u           // of the job

struct content {
    uint32_t object;
    uint32_t image;
    double width_pt, height_pt;
};

struct image {
    uint32_t object, width, height;
};

// The first objects; the others come as they come.
enum { CATALOGUE = 1, PAGE_TREE, INFORMATION };

struct pl_pdf {
    struct pl_pdf_objects objects;
    struct pl_pdf_layer layer;
    const char *title;
    struct content *contents;
    uint32_t content_count, content_capacity;
    struct image *images;
    uint32_t image_count, image_capacity;
    uint32_t *pages; // content of each page; with a sheet: its object
    uint32_t page_count, page_capacity;
    struct pl_sheet *sheet; // NULL: one content a page
    struct sheet_page {
        struct pl_sheet_grid grid; // of its first content
        double width, height;      // of that
        struct pl_buf text;        // operators so far
        struct pl_buf forms;       // members of the resources so far
        uint32_t first, cell;      // the first cell that is taken, and the next one
        uint32_t last;             // content that was placed last
    } page;
    uint32_t fonts; // the dictionary of fonts; 0: not yet
    bool archive;
    const struct pl_job *job; // NULL: none
    // How the rows of pictures of one kind are to be read: most documents need one of these.
    struct parameters {
        uint32_t object, width, bits;
    } parameters;
};

#define GROW(pdf, field, count, capacity)                                                                              \
    pl_pdf_grow((pdf)->objects.arena, (void **)&(pdf)->field, (pdf)->count, &(pdf)->capacity, sizeof(pdf)->field[0])

enum pl_errc pl_pdf_new(struct pl_arena *arena, struct pl_buf *out, const char *title, struct pl_pdf **result,
                        struct pl_error *err)
{
    struct pl_pdf *pdf = PL_ARENA_NEW(arena, struct pl_pdf);
    *result = NULL;
    if (!pdf)
        return pl_fail_memory(err);
    pdf->title = title;
    *result = pdf;
    PL_TRY(pl_pdf_objects_init(&pdf->objects, arena, out, err));
    for (uint32_t number = 0; number < INFORMATION;) {
        if (!pl_pdf_object_new(&pdf->objects, &number))
            return pl_fail_memory(err);
    }
    if (!pl_pdf_layer_init(&pdf->layer, arena))
        return pl_fail_memory(err);
    // The comment of high bytes tells programs that transfer files that this one is binary.
    pl_buf_append_cstr(out, "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n");
    return PL_OK;
}

void pl_pdf_free(struct pl_pdf *pdf)
{
    if (!pdf)
        return;
    pl_pdf_objects_fini(&pdf->objects);
    pl_buf_fini(&pdf->page.text);
    pl_buf_fini(&pdf->page.forms);
}

enum pl_errc pl_pdf_set_sheet(struct pl_pdf *pdf, const struct pl_sheet *sheet, struct pl_error *err)
{
    struct pl_sheet *copy = pl_arena_copy(pdf->objects.arena, sheet, sizeof *sheet);
    if (!copy || !pl_pdf_object_new(&pdf->objects, &pdf->fonts))
        return pl_fail_memory(err);
    pdf->sheet = copy;
    pl_buf_init(&pdf->page.text, PAGE_MOST);
    pl_buf_init(&pdf->page.forms, PAGE_MOST);
    pdf->page.first = pdf->page.cell = sheet->first;
    pdf->page.last = UINT32_MAX;
    return PL_OK;
}

void pl_pdf_set_archive(struct pl_pdf *pdf)
{
    pdf->archive = true;
}

void pl_pdf_take(struct pl_pdf *pdf)
{
    pl_pdf_objects_take(&pdf->objects);
}

enum pl_errc pl_pdf_add_image(struct pl_pdf *pdf, struct pl_slice zlib, uint32_t width, uint32_t height, unsigned bits,
                              uint32_t *image, struct pl_error *err)
{
    uint32_t object;
    struct parameters *p = &pdf->parameters;
    if (!pl_pdf_object_new(&pdf->objects, &object) || !GROW(pdf, images, image_count, image_capacity))
        return pl_fail_memory(err);
    if (p->object == 0 || p->width != width || p->bits != bits) {
        *p = (struct parameters){.width = width, .bits = bits};
        if (!pl_pdf_object_new(&pdf->objects, &p->object))
            return pl_fail_memory(err);
        pl_pdf_object_begin(&pdf->objects, p->object);
        pl_buf_printf(pdf->objects.out, "<</Predictor 15/Colors 1/BitsPerComponent %u/Columns %u>>", bits, width);
        pl_pdf_object_end(&pdf->objects);
    }
    pl_pdf_object_begin(&pdf->objects, object);
    pl_buf_printf(pdf->objects.out,
                  "<</Subtype/Image/Width %u/Height %u/ColorSpace/DeviceGray/BitsPerComponent %u/Filter/FlateDecode"
                  "/DecodeParms %u 0 R/Length %zu>>\nstream\n",
                  width, height, bits, p->object, zlib.len);
    pl_buf_append_slice(pdf->objects.out, zlib);
    pl_buf_append_cstr(pdf->objects.out, "\nendstream");
    pl_pdf_object_end(&pdf->objects);
    *image = pdf->image_count;
    pdf->images[pdf->image_count++] = (struct image){object, width, height};
    return pl_buf_check(pdf->objects.out, err);
}

enum pl_errc pl_pdf_add_content(struct pl_pdf *pdf, uint32_t image, double width_mm, double height_mm,
                                const struct pl_pdf_text *texts, uint32_t text_count, uint32_t *content,
                                struct pl_error *err)
{
    uint32_t object;
    if (!pl_pdf_object_new(&pdf->objects, &object) || !GROW(pdf, contents, content_count, content_capacity))
        return pl_fail_memory(err);
    struct content *c = &pdf->contents[pdf->content_count];
    *c = (struct content){object, image, width_mm / 25.4 * 72, height_mm / 25.4 * 72};
    pl_buf_append_cstr(&pdf->objects.text, "q ");
    // Some readers spread a picture that ends exactly between two of their dots over one dot more and blur it: it ends
    // a two-hundredth of a printer's dot before the page's edges. On all four sides: a reader that rounds both ends
    // outwards would otherwise draw 203 dots over 204 rows.
    pl_pdf_put_number(&pdf->objects.text, c->width_pt - 2 * EDGE_PT);
    pl_buf_append_cstr(&pdf->objects.text, " 0 0 ");
    pl_pdf_put_number(&pdf->objects.text, c->height_pt - 2 * EDGE_PT);
    pl_buf_append_byte(&pdf->objects.text, ' ');
    pl_pdf_put_number(&pdf->objects.text, EDGE_PT);
    pl_buf_append_byte(&pdf->objects.text, ' ');
    pl_pdf_put_number(&pdf->objects.text, EDGE_PT);
    pl_buf_printf(&pdf->objects.text, " cm/I%u Do Q\n", image);
    if (text_count > 0)
        pl_buf_append_cstr(&pdf->objects.text, "BT 3 Tr\n"); // rendering mode 3: neither filled nor stroked
    for (uint32_t i = 0; i < text_count; i++) {
        if (texts[i].text.len > 0 && !pl_box_is_empty(texts[i].box))
            pl_pdf_layer_put(&pdf->layer, &pdf->objects.text, &texts[i], c->width_pt / pdf->images[image].width,
                             c->height_pt / pdf->images[image].height, c->height_pt);
    }
    if (text_count > 0)
        pl_buf_append_cstr(&pdf->objects.text, "ET\n");
    struct pl_buf form;
    pl_buf_init(&form, 512);
    if (pdf->sheet) {
        pl_buf_append_cstr(&form, "/Type/XObject/Subtype/Form/BBox[0 0 ");
        pl_pdf_put_number(&form, c->width_pt);
        pl_buf_append_byte(&form, ' ');
        pl_pdf_put_number(&form, c->height_pt);
        pl_buf_printf(&form, "]/Resources<</XObject<</I%u %u 0 R>>/Font %u 0 R>>", image, pdf->images[image].object,
                      pdf->fonts);
    }
    pl_buf_append_byte(&form, 0);
    enum pl_errc code =
        form.failed ? pl_fail_memory(err) : pl_pdf_object_stream(&pdf->objects, object, (const char *)form.data, err);
    pl_buf_fini(&form);
    if (code == PL_OK)
        *content = pdf->content_count++;
    return code;
}

// ---- sheets

static enum pl_errc end_sheet(struct pl_pdf *pdf, struct pl_error *err)
{
    struct sheet_page *p = &pdf->page;
    uint32_t content, page;
    if (p->cell == p->first)
        return PL_OK;
    if (!pl_pdf_object_new(&pdf->objects, &content) || !pl_pdf_object_new(&pdf->objects, &page) ||
        !GROW(pdf, pages, page_count, page_capacity))
        return pl_fail_memory(err);
    pl_sheet_frame(pdf->sheet, &p->grid, p->first, p->cell, &p->text);
    pl_buf_append_slice(&pdf->objects.text, pl_buf_slice(&p->text));
    pl_buf_inherit(&pdf->objects.text, &p->text);
    pl_buf_inherit(&pdf->objects.text, &p->forms);
    PL_TRY(pl_pdf_object_stream(&pdf->objects, content, "", err));
    pl_pdf_object_begin(&pdf->objects, page);
    pl_buf_append_cstr(pdf->objects.out, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 ");
    pl_pdf_put_number(pdf->objects.out, p->grid.width);
    pl_buf_append_byte(pdf->objects.out, ' ');
    pl_pdf_put_number(pdf->objects.out, p->grid.height);
    pl_buf_printf(pdf->objects.out, "]/Contents %u 0 R/Resources<</XObject<<", content);
    pl_buf_append_slice(pdf->objects.out, pl_buf_slice(&p->forms));
    pl_buf_append_cstr(pdf->objects.out, ">>>>>>");
    pl_pdf_object_end(&pdf->objects);
    pdf->pages[pdf->page_count++] = page;
    pl_buf_clear(&p->text);
    pl_buf_clear(&p->forms);
    p->first = p->cell = pdf->sheet->first = 0;
    p->last = UINT32_MAX;
    return pl_buf_check(pdf->objects.out, err);
}

enum pl_errc pl_pdf_fits(const struct pl_pdf *pdf, double width_mm, double height_mm, struct pl_error *err)
{
    if (!pdf->sheet)
        return PL_OK;
    struct pl_sheet sheet = *pdf->sheet;
    struct pl_sheet_grid grid;
    if (pdf->page.cell != pdf->page.first) // at worst on the next page
        sheet.first = 0;
    return pl_sheet_plan(&sheet, width_mm / 25.4 * 72, height_mm / 25.4 * 72, &grid, err);
}

static enum pl_errc add_to_sheet(struct pl_pdf *pdf, uint32_t content, struct pl_error *err)
{
    struct sheet_page *p = &pdf->page;
    const struct content *c = &pdf->contents[content];
    double x, y;
    // A label of another size begins a page of its own: the cells are of one size. One that fits on no page leaves this
    // page as it is.
    bool is_first = p->cell == p->first;
    if (!is_first && (p->width != c->width_pt || p->height != c->height_pt)) {
        struct pl_sheet next = *pdf->sheet;
        struct pl_sheet_grid grid;
        next.first = 0;
        PL_TRY(pl_sheet_plan(&next, c->width_pt, c->height_pt, &grid, err));
        PL_TRY(end_sheet(pdf, err));
        p->grid = grid;
    } else if (is_first) {
        PL_TRY(pl_sheet_plan(pdf->sheet, c->width_pt, c->height_pt, &p->grid, err));
    }
    p->width = c->width_pt;
    p->height = c->height_pt;
    pl_sheet_cell(pdf->sheet, &p->grid, p->cell, &x, &y);
    if (p->last != content)
        pl_buf_printf(&p->forms, "/L%u %u 0 R", content, c->object);
    p->last = content;
    const double matrix[] = {p->grid.scale, 0, 0, p->grid.scale, x, y};
    pl_buf_append_cstr(&p->text, "q ");
    for (int i = 0; i < 6; i++) {
        pl_pdf_put_number(&p->text, matrix[i]);
        pl_buf_append_byte(&p->text, ' ');
    }
    pl_buf_printf(&p->text, "cm/L%u Do Q\n", content);
    return ++p->cell == p->grid.columns * p->grid.rows ? end_sheet(pdf, err) : PL_OK;
}

void pl_pdf_set_job(struct pl_pdf *pdf, const struct pl_job *job)
{
    pdf->job = job;
}

enum pl_errc pl_pdf_add_page(struct pl_pdf *pdf, uint32_t content, struct pl_error *err)
{
    if (pdf->page_count % PAGES_A_CHECK == 0)
        PL_TRY(pl_job_check(pdf->job, err));
    if (pdf->sheet)
        return add_to_sheet(pdf, content, err);
    if (!GROW(pdf, pages, page_count, page_capacity))
        return pl_fail_memory(err);
    pdf->pages[pdf->page_count++] = content;
    return PL_OK;
}

// A text string in the document's information: UTF-16 with a byte order mark, in hexadecimal.
static void put_text_string(struct pl_buf *out, const char *text)
{
    struct pl_slice s = pl_slice_cstr(text);
    pl_buf_append_cstr(out, "<FEFF");
    for (size_t i = 0; i < s.len;) {
        uint32_t cp = pl_utf8_next(s, &i);
        if (cp == PL_UTF8_BAD)
            cp = 0xFFFD;
        if (cp >= 0x10000)
            pl_buf_printf(out, "%04X%04X", 0xD800 + ((cp - 0x10000) >> 10), 0xDC00 + (cp & 0x3FF));
        else
            pl_buf_printf(out, "%04X", cp);
    }
    pl_buf_append_byte(out, '>');
}

static enum pl_errc put_pages(struct pl_pdf *pdf, uint32_t fonts, struct pl_error *err)
{
    uint32_t first = pdf->objects.count + 1;
    for (uint32_t i = 0; i < pdf->page_count && !pdf->sheet; i++) {
        const struct content *c = &pdf->contents[pdf->pages[i]];
        uint32_t object;
        if (i % PAGES_A_CHECK == 0)
            PL_TRY(pl_job_check(pdf->job, err));
        if (!pl_pdf_object_new(&pdf->objects, &object))
            return pl_fail_memory(err);
        pl_pdf_object_begin(&pdf->objects, object);
        pl_buf_append_cstr(pdf->objects.out, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 ");
        pl_pdf_put_number(pdf->objects.out, c->width_pt);
        pl_buf_append_byte(pdf->objects.out, ' ');
        pl_pdf_put_number(pdf->objects.out, c->height_pt);
        pl_buf_printf(pdf->objects.out, "]/Contents %u 0 R/Resources<</XObject<</I%u %u 0 R>>/Font %u 0 R>>>>",
                      c->object, c->image, pdf->images[c->image].object, fonts);
        pl_pdf_object_end(&pdf->objects);
    }
    pl_pdf_object_begin(&pdf->objects, PAGE_TREE);
    pl_buf_append_cstr(pdf->objects.out, "<</Type/Pages/Kids[");
    for (uint32_t i = 0; i < pdf->page_count; i++)
        pl_buf_printf(pdf->objects.out, i % 16 == 15 ? "%u 0 R\n" : "%u 0 R ", pdf->sheet ? pdf->pages[i] : first + i);
    pl_buf_printf(pdf->objects.out, "]/Count %u>>", pdf->page_count);
    pl_pdf_object_end(&pdf->objects);
    return PL_OK;
}

enum pl_errc pl_pdf_finish(struct pl_pdf *pdf, struct pl_error *err)
{
    struct pl_buf members;
    char id[80] = "";
    if (pdf->sheet)
        PL_TRY(end_sheet(pdf, err));
    if (pdf->page_count == 0)
        return pl_fail(err, PL_E_BUG, "a PDF without pages");
    PL_TRY(pl_pdf_layer_fonts(&pdf->layer, &pdf->objects, &pdf->fonts, err));
    PL_TRY(put_pages(pdf, pdf->fonts, err));
    pl_buf_init(&members, 4096);
    enum pl_errc code = pdf->archive ? pl_pdf_archive(&pdf->objects, pdf->title, &members, err) : PL_OK;
    pl_pdf_object_begin(&pdf->objects, CATALOGUE);
    pl_buf_append_cstr(pdf->objects.out, "<</Type/Catalog/Pages 2 0 R/ViewerPreferences<</DisplayDocTitle true>>");
    pl_buf_append_slice(pdf->objects.out, pl_buf_slice(&members));
    pl_buf_append_cstr(pdf->objects.out, ">>");
    pl_pdf_object_end(&pdf->objects);
    pl_buf_take_over(pdf->objects.out, &members);
    PL_TRY(code);
    if (pdf->archive) {
        // Where every object stands: another document has other places.
        const struct pl_pdf_objects *o = &pdf->objects;
        uint64_t hash = pl_hash_fnv1a(pl_slice_make(o->offsets, o->count * sizeof o->offsets[0]));
        snprintf(id, sizeof id, "/ID[<%016llX%016llX><%016llX%016llX>]", (unsigned long long)hash,
                 (unsigned long long)~hash, (unsigned long long)hash, (unsigned long long)~hash);
    }
    pl_pdf_object_begin(&pdf->objects, INFORMATION);
    pl_buf_append_cstr(pdf->objects.out, "<</Title");
    put_text_string(pdf->objects.out, pdf->title);
    pl_buf_append_cstr(pdf->objects.out, "/Producer(Platen)/Creator(Platen)>>");
    pl_pdf_object_end(&pdf->objects);
    return pl_pdf_objects_finish(&pdf->objects, CATALOGUE, INFORMATION, id, err);
}
