// PDF: one page per label, each a picture that fills the page under an invisible layer of text, so that texts and
// barcode data can be searched, selected and copied where they stand.
#ifndef PL_ENC_PDF_H
#define PL_ENC_PDF_H

#include "base/arena.h"
#include "base/buf.h"
#include "raster/geom.h"

// A string of the invisible layer: UTF-8, lines separated by '\n', in a box of the page's dots.
struct pl_pdf_text {
    struct pl_slice text;
    struct pl_box box;
    enum pl_rotation rotation;
};

struct pl_pdf;

// The document is written to `out` as it grows. `arena` holds the writer's state and must outlive it. Ends with
// pl_pdf_free, whatever happened; *pdf is NULL when it could not be made.
enum pl_errc pl_pdf_new(struct pl_arena *arena, struct pl_buf *out, const char *title, struct pl_pdf **pdf,
                        struct pl_error *err) PL_MUST_USE;
// Several contents on a page, from now on; before the first content. pl_pdf_add_page then fills the next cell.
struct pl_sheet;
enum pl_errc pl_pdf_set_sheet(struct pl_pdf *pdf, const struct pl_sheet *sheet, struct pl_error *err) PL_MUST_USE;
// Checked while pages are written; it must outlive the writer. NULL: none.
struct pl_job;
void pl_pdf_set_job(struct pl_pdf *pdf, const struct pl_job *job);
// Makes it a PDF/A-2b.
void pl_pdf_set_archive(struct pl_pdf *pdf);
// A picture from the zlib stream of a PNG of that size (grey, `bits` per dot 1 or 8, filtered rows). *image is its
// number.
enum pl_errc pl_pdf_add_image(struct pl_pdf *pdf, struct pl_slice zlib, uint32_t width, uint32_t height, unsigned bits,
                              uint32_t *image, struct pl_error *err) PL_MUST_USE;
// A page's content: the picture over the whole page and the texts over it. *content is its number; pages may share it.
enum pl_errc pl_pdf_add_content(struct pl_pdf *pdf, uint32_t image, double width_mm, double height_mm,
                                const struct pl_pdf_text *texts, uint32_t text_count, uint32_t *content,
                                struct pl_error *err) PL_MUST_USE;
// PL_E_INVALID: contents of this size have no place on the sheet, so that pl_pdf_add_page would fail.
enum pl_errc pl_pdf_fits(const struct pl_pdf *pdf, double width_mm, double height_mm, struct pl_error *err) PL_MUST_USE;
enum pl_errc pl_pdf_add_page(struct pl_pdf *pdf, uint32_t content, struct pl_error *err) PL_MUST_USE;
// Empties `out`, whose bytes were put elsewhere; the document goes on behind them.
void pl_pdf_take(struct pl_pdf *pdf);
// Fonts, page tree, cross-reference table. The document needs at least one page.
enum pl_errc pl_pdf_finish(struct pl_pdf *pdf, struct pl_error *err) PL_MUST_USE;
void pl_pdf_free(struct pl_pdf *pdf); // NULL is fine

#endif
