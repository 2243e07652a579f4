// Label code drawn: where the ink of each field is. Only drawing knows how large a text or a barcode is.
#ifndef PL_REWRITE_DRAWING_H
#define PL_REWRITE_DRAWING_H

#include "render/render.h"
#include "rewrite/commands.h"

struct rw_inked {
    uint32_t offset, end; // the field in the code
    int32_t x, y;
    uint32_t width, height;
    uint32_t label_width, label_height;
};

struct rw_drawing {
    struct pl_arena *arena; // of the items
    struct rw_inked *items;
    uint32_t count, capacity;
    bool overlong;                    // a label has ink beyond its ^LL
    uint32_t page_width, page_height; // as asked for; it is drawn on a larger one, so that nothing is cut off
};

// All labels of doc->input at options->target_dpmm, one after another, upright and not mirrored; values that it leaves
// open have a sample.
enum pl_errc rw_draw(struct platen_worker *worker, struct rw_document *doc,
                     const struct platen_rewrite_options *options, struct rw_drawing *out,
                     struct pl_error *err) PL_MUST_USE;
// The size of a label on a page, in dots, by ^PW and ^LL.
void rw_label_size(const struct rw_document *doc, const struct pl_label *label, uint32_t page_width,
                   uint32_t page_height, uint32_t *width, uint32_t *height);
// Index of the first command of a field whose code the document was read from; doc->count: there is none.
uint32_t rw_first_command(const struct rw_document *doc, const struct rw_inked *ink);

#endif
