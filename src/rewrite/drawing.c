// Drawing label code to know where its ink is.
#include "rewrite/drawing.h"

#include "base/ckd.h"
#include "base/search.h"
#include "rewrite/fill.h"
#include "rewrite/passes.h"

#define CODE_MOST ((size_t)128 << 20)

void rw_label_size(const struct rw_document *doc, const struct pl_label *label, uint32_t page_width,
                   uint32_t page_height, uint32_t *width, uint32_t *height)
{
    *width = label->print_width > 0 ? PL_MIN(label->print_width, page_width) : page_width;
    *height = label->length > 0 && !doc->overlong ? PL_MIN(label->length, page_height) : page_height;
}

static enum pl_errc keep_page(struct rw_document *doc, struct rw_drawing *d, const struct platen_page *page,
                              const struct pl_label *label, struct pl_error *err)
{
    uint32_t width, height;
    rw_label_size(doc, label, d->page_width, d->page_height, &width, &height);
    for (uint32_t i = 0; i < page->element_count; i++) {
        const struct platen_element *e = &page->elements[i];
        if (!PL_ARENA_GROW(d->arena, d->items, d->count, d->capacity, 64))
            return pl_fail_memory(err);
        d->items[d->count++] =
            (struct rw_inked){e->offset, e->offset + e->length, e->x, e->y, e->width, e->height, width, height};
        if (label->length > 0 && e->width > 0 && (int64_t)e->y + e->height > label->length)
            d->overlong = true;
    }
    return PL_OK;
}

static enum pl_errc draw_all(struct platen_worker *worker, struct rw_document *doc, struct pl_slice code,
                             const struct platen_options *options, struct rw_drawing *out, struct pl_error *err)
{
    struct platen_document *document;
    struct platen_error outer = {0};
    enum pl_errc result = PL_OK;
    enum platen_status status = platen_parse(worker, code.ptr, code.len, options, &document, &outer);
    if (status != PLATEN_OK)
        return rw_fail_as(err, status, &outer);
    for (uint32_t i = 0; i < platen_label_count(document) && result == PL_OK; i++) {
        const struct platen_page *page;
        struct pl_label *label = &document->scene.labels[i];
        struct pl_label asked = *label;
        // What happens to the page as a whole is none of the fields' business.
        label->print_width = 0;
        label->mirrored = label->upside_down = false;
        status = platen_draw(worker, document, i, &page, &outer);
        result = status == PLATEN_OK ? keep_page(doc, out, page, &asked, err) : rw_fail_as(err, status, &outer);
    }
    platen_document_free(document);
    return result;
}

// The page is as large as a label and its turned version together, where the limits allow it: a field that is turned
// but not yet moved may lie anywhere.
static enum pl_errc draw_code(struct platen_worker *worker, struct rw_document *doc, struct pl_slice code,
                              const struct platen_rewrite_options *o, struct rw_drawing *out, struct pl_error *err)
{
    double side = o->width_mm + o->height_mm, dpmm = o->target_dpmm, dots = side * dpmm;
    bool fits = dots * dots <= (double)worker->engine->limits.dots_per_label;
    const struct platen_options page =
        PLATEN_OPTIONS(.width_mm = fits ? side : o->width_mm, .height_mm = fits ? side : o->height_mm, .dpmm = dpmm,
                       .want_elements = true, .rules = "none", .has_time = true, .collapse_copies = true,
                       .cancel = o->cancel, .deadline_ns = o->deadline_ns);
    const struct platen_options asked =
        PLATEN_OPTIONS(.width_mm = o->width_mm, .height_mm = o->height_mm, .dpmm = dpmm);
    struct platen_error outer = {0};
    enum platen_status status =
        platen_size_in_dots(worker->engine, &asked, &out->page_width, &out->page_height, &outer);
    return status == PLATEN_OK ? draw_all(worker, doc, code, &page, out, err) : rw_fail_as(err, status, &outer);
}

enum pl_errc rw_draw(struct platen_worker *worker, struct rw_document *doc,
                     const struct platen_rewrite_options *options, struct rw_drawing *out, struct pl_error *err)
{
    if (!rw_lacks_values(doc))
        return draw_code(worker, doc, doc->input, options, out, err);
    // Read as if it were the caller's: places are then those of doc->input.
    struct rw_row row = {.sample = pl_slice_cstr("123456789012")};
    const struct rw_rows rows = {.rows = &row, .count = 1};
    struct rw_document own = {.arena = doc->arena, .diags = doc->diags, .job = doc->job, .input = doc->input};
    struct rw_places places = {.arena = out->arena}; // filling gives the arena of the document back
    struct pl_buf filled;
    PL_TRY(rw_read(&own, err));
    pl_buf_init(&filled, CODE_MOST);
    enum pl_errc code = rw_fill(&own, &rows, false, &filled, &places, err);
    if (code == PL_OK)
        code = draw_code(worker, doc, pl_buf_slice(&filled), options, out, err);
    pl_buf_fini(&filled);
    for (uint32_t i = 0; i < out->count; i++) {
        struct pl_source s = rw_origin(&places, out->items[i].offset, out->items[i].end - out->items[i].offset);
        out->items[i].offset = s.offset;
        out->items[i].end = s.offset + s.length;
    }
    return code;
}

uint32_t rw_first_command(const struct rw_document *doc, const struct rw_inked *ink)
{
    uint32_t first;
    PL_FIND_FIRST(first, doc->count, doc->commands[first].start < ink->offset);
    return first;
}
