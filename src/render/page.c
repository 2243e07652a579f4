// Drawing a label of a document, and what can be asked of the page.
#include <stdlib.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "base/utf8.h"
#include "render/checks.h"
#include "render/options.h"

static enum pl_errc draw(struct platen_worker *worker, const struct platen_document *doc, uint32_t index,
                         struct pl_error *err)
{
    struct platen_page *page = &worker->page;
    pl_worker_drop_page(worker);
    bool sideways = doc->options.rotation % 180 != 0;
    const struct pl_label *label = &doc->scene.labels[index];
    *page = (struct platen_page){.self = page,
                                 .document = doc,
                                 .document_number = doc->number,
                                 .label = index,
                                 .dot_size = PL_MAX(label->dot_size, 1u),
                                 .mirrored = label->mirrored,
                                 .upside_down = label->upside_down,
                                 .min_module_mm = doc->options.min_module_mm,
                                 .dpmm = doc->options.dpmm,
                                 .job = doc->job,
                                 .arena = &worker->page_arena,
                                 .has_elements = doc->options.want_elements,
                                 .width_mm = sideways ? doc->options.height_mm : doc->options.width_mm,
                                 .height_mm = sideways ? doc->options.width_mm : doc->options.height_mm};
    pl_diags_init(&page->diags, &worker->page_arena, worker->engine->limits.diagnostics);
    page->diags.label = (int32_t)index;
    struct pl_page_options options = {.width = doc->width,
                                      .height = doc->height,
                                      .dpmm = pl_whole_dpmm(doc->options.dpmm), // the print head nearest to it
                                      .grey = doc->options.quality == PLATEN_GRAYSCALE,
                                      .rotation = (enum pl_rotation)(doc->options.rotation / 90),
                                      .want_report = doc->options.want_elements,
                                      .want_checks = doc->checks_rules || doc->options.verify};
    struct pl_page_tools tools = {.writer = worker->writer,
                                  .arena = &worker->page_arena,
                                  .scratch = &worker->scratch,
                                  .diags = &page->diags,
                                  .job = &doc->job};
    PL_TRY(pl_page_draw(&doc->scene, label, &options, &tools, &page->drawn, err));
    if (options.want_report) {
        PL_TRY(pl_page_elements(page, &worker->page_arena, err));
        PL_TRY(pl_page_checks(worker, doc, page, err));
        pl_note_corner(page, doc, label);
    }
    if (worker->lines_of != doc->number)
        worker->lines = PL_FIRST_LINE;
    worker->lines_of = doc->number;
    pl_diags_locate(&page->diags, doc->input, &worker->lines);
    return PL_OK;
}

enum platen_status platen_draw(struct platen_worker *worker, const struct platen_document *document, uint32_t index,
                               const struct platen_page **out, struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!worker || !document || !out)
        return pl_null_argument(err, __func__);
    if (index >= document->scene.label_count)
        return pl_public_fail(err, PLATEN_E_NOT_FOUND, "there is no label %u: the input has %u", index,
                              document->scene.label_count);
    struct pl_error inner = {0};
    worker->budget.elsewhere = worker == document->worker ? 0 : document->bytes;
    pl_worker_turn_to(worker, document);
    pl_memory_watch_begin(worker);
    enum pl_errc code = draw(worker, document, index, &inner);
    if (pl_memory_watch_retry(worker, code))
        code = draw(worker, document, index, &inner);
    code = pl_memory_watch_end(worker, code, &inner);
    if (code != PL_OK)
        return pl_public_status(code, &inner, err);
    *out = &worker->page;
    return PLATEN_OK;
}

// A page of shades is kept in another form; few ask for the bytes. NULL: no memory.
static const uint8_t *grey_bytes(const struct platen_page *page)
{
    struct platen_page *p = page->self;
    const struct pl_grey *grey = &p->drawn.grey;
    size_t row = (size_t)grey->black.stride * PL_GREY_GROUP, size;
    if (p->shades || !PL_CKD_MUL(&size, (size_t)grey->width, (size_t)grey->height) || !PL_CKD_ADD(&size, size, row))
        return p->shades;
    p->shades = (uint8_t *)pl_arena_alloc(p->arena, size, 64);
    for (uint32_t y = 0; p->shades && y < grey->height; y++)
        pl_grey_get_row(grey, y, p->shades + (size_t)y * grey->width); // its end is overwritten by the next row
    return p->shades;
}

enum platen_status platen_page_detach(struct platen_worker *worker, const struct platen_page **page,
                                      struct platen_error *err)
{
    if (!worker || !page || !*page)
        return pl_null_argument(err, __func__);
    if (!(*page)->document)
        return pl_page_gone(err);
    if ((*page)->is_detached)
        return PLATEN_OK;
    if (*page != &worker->page || worker->page.document->worker)
        return pl_public_fail(err, PLATEN_E_INVALID,
                              *page != &worker->page ? "the page is not the worker's last one"
                                                     : "the page's document is not detached");
    // Several threads may use the page from now on, so nothing is made at the first question.
    struct platen_page *own = malloc(sizeof *own);
    if (!own || (worker->page.drawn.is_grey && !grey_bytes(&worker->page))) {
        free(own);
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for a page of its own");
    }
    *own = worker->page;
    own->self = own;
    own->is_detached = true;
    pl_arena_move(&own->own, &worker->page_arena);
    own->arena = own->diags.arena = &own->own;
    pl_document_hold(own->document);
    worker->page = (struct platen_page){0};
    *page = own;
    return PLATEN_OK;
}

void platen_page_free(const struct platen_page *page)
{
    if (!page || !page->is_detached)
        return;
    struct platen_page *own = page->self;
    pl_document_drop(own->document);
    pl_arena_fini(&own->own);
    free(own);
}

void(platen_page_bitmap)(const struct platen_page *page, struct platen_bitmap *out, size_t size)
{
    if (!page || !out)
        return;
    const struct pl_drawn_page *p = &page->drawn;
    struct platen_bitmap result = p->is_grey ? (struct platen_bitmap){.width = p->grey.width,
                                                                      .height = p->grey.height,
                                                                      .dpmm = page->dpmm,
                                                                      .grey = true,
                                                                      .bytes = grey_bytes(page)}
                                             : (struct platen_bitmap){.width = p->bits.width,
                                                                      .height = p->bits.height,
                                                                      .dpmm = page->dpmm,
                                                                      .words = p->bits.words,
                                                                      .words_per_row = p->bits.stride};
    pl_give(out, size, &result, sizeof result);
}

static const char *type_name(const struct pl_element *element)
{
    switch (element->kind) {
    case PL_ELEMENT_TEXT:
        return "text";
    case PL_ELEMENT_BARCODE:
        return "barcode";
    case PL_ELEMENT_BOX:
        return "box";
    case PL_ELEMENT_ELLIPSE:
        return element->shape.circle ? "circle" : "ellipse";
    case PL_ELEMENT_DIAGONAL:
        return "line";
    case PL_ELEMENT_IMAGE:
    default:
        return "image";
    }
}

static enum pl_errc text_as_utf8(const struct pl_text *text, struct pl_arena *arena, struct platen_element *out,
                                 struct pl_error *err)
{
    // Most characters take one byte: room for four each would be four times what a long field needs.
    size_t room = 1;
    for (uint32_t i = 0; i < text->length; i++)
        room += text->chars[i] < 0x80 ? 1 : 4;
    uint8_t *bytes = (uint8_t *)pl_arena_alloc(arena, room, 1);
    if (!bytes)
        return pl_fail_memory(err);
    size_t size = 0;
    for (uint32_t i = 0; i < text->length; i++)
        size += pl_utf8_put(text->chars[i], bytes + size);
    out->data = out->text = (const char *)bytes;
    out->data_size = out->text_size = size;
    return PL_OK;
}

_Static_assert((int)PLATEN_TEXT == PL_ELEMENT_TEXT && (int)PLATEN_BARCODE == PL_ELEMENT_BARCODE &&
                   (int)PLATEN_BOX == PL_ELEMENT_BOX && (int)PLATEN_ELLIPSE == PL_ELEMENT_ELLIPSE &&
                   (int)PLATEN_DIAGONAL == PL_ELEMENT_DIAGONAL && (int)PLATEN_IMAGE == PL_ELEMENT_IMAGE,
               "element types differ");

enum pl_errc pl_page_elements(struct platen_page *page, struct pl_arena *arena, struct pl_error *err)
{
    uint32_t n = page->drawn.report_count;
    if (n == 0)
        return PL_OK;
    page->elements = PL_ARENA_ARRAY(arena, struct platen_element, n);
    if (!page->elements)
        return pl_fail_memory(err);
    page->element_count = n;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_element_report *r = &page->drawn.reports[i];
        const struct pl_element *e = r->element;
        struct platen_element *out = &page->elements[i];
        *out = (struct platen_element){.type = (enum platen_element_type)e->kind,
                                       .type_name = type_name(e),
                                       .command = e->source.command,
                                       .x = r->box.x0,
                                       .y = r->box.y0,
                                       .width = (uint32_t)PL_MAX((int64_t)r->box.x1 - r->box.x0, 0),
                                       .height = (uint32_t)PL_MAX((int64_t)r->box.y1 - r->box.y0, 0),
                                       .rotation = (uint32_t)r->rotation * 90,
                                       .reverse = e->reverse,
                                       .clipped = r->drawn.clipped,
                                       .inside_label = r->inside_label,
                                       .overlaps = r->overlaps,
                                       .overlap_count = r->overlap_count,
                                       .overlaps_left_out = r->overlaps_left_out,
                                       .offset = e->source.offset,
                                       .length = e->source.length,
                                       .data_offset = e->data_offset,
                                       .data_length = e->data_length,
                                       .data = "",
                                       .text = "",
                                       .quiet_zone_ok = r->quiet_zone_ok};
        if (e->kind == PL_ELEMENT_TEXT) {
            PL_TRY(text_as_utf8(&e->text, arena, out, err));
        } else if (e->kind == PL_ELEMENT_BARCODE) {
            out->data = (const char *)e->barcode.data.ptr;
            out->data_size = e->barcode.data.len;
            out->text = (const char *)r->drawn.text.ptr;
            out->text_size = r->drawn.text.len;
            out->symbology = r->drawn.symbology ? r->drawn.symbology : pl_symbology_name(e->barcode.symbology);
            out->module_dots = r->module;
            out->bars_x = r->bars.x0;
            out->bars_y = r->bars.y0;
            out->bars_width = (uint32_t)PL_MAX((int64_t)r->bars.x1 - r->bars.x0, 0);
            out->bars_height = (uint32_t)PL_MAX((int64_t)r->bars.y1 - r->bars.y0, 0);
            out->decoded = out->matches = out->read_as_seen = -1;
            out->decoded_data = "";
            out->quiet_x = r->quiet_zone.x0;
            out->quiet_y = r->quiet_zone.y0;
            out->quiet_width = (uint32_t)PL_MAX((int64_t)r->quiet_zone.x1 - r->quiet_zone.x0, 0);
            out->quiet_height = (uint32_t)PL_MAX((int64_t)r->quiet_zone.y1 - r->quiet_zone.y0, 0);
        } else if (e->kind == PL_ELEMENT_IMAGE && e->image.name.len) {
            out->data = (const char *)e->image.name.ptr;
            out->data_size = e->image.name.len;
        }
    }
    return PL_OK;
}

uint32_t platen_page_element_count(const struct platen_page *page)
{
    if (!page)
        return 0;
    return page->element_count;
}

bool(platen_page_element_at)(const struct platen_page *page, uint32_t index, struct platen_element *out, size_t size)
{
    if (!page || !out)
        return false;
    if (index >= page->element_count)
        return false;
    return pl_give(out, size, &page->elements[index], sizeof page->elements[index]);
}

bool platen_page_place_at(const struct platen_page *page, uint32_t index, int32_t *x, int32_t *y)
{
    if (!page || !x || !y)
        return false;
    if (index >= page->element_count)
        return false;
    const struct pl_placement *at = &page->drawn.reports[index].element->at;
    bool goes_on = at->x_goes_on || at->y_goes_on;
    *x = goes_on ? page->elements[index].x : at->x;
    *y = goes_on ? page->elements[index].y : at->y;
    return true;
}

bool(platen_page_place_source_at)(const struct platen_page *page, uint32_t index, struct platen_place_source *out,
                                  size_t size)
{
    if (!page || !out)
        return false;
    if (index >= page->element_count)
        return false;
    const struct pl_element *e = page->drawn.reports[index].element;
    const struct pl_place_source *p = &e->placed_by;
    if (p->source.length == 0)
        return false;
    double step = (double)p->unit_dots * page->dot_size;
    struct platen_place_source result =
        (struct platen_place_source){.command = p->source.command,
                                     .offset = p->source.offset,
                                     .length = p->source.length,
                                     .x_offset = p->x_offset,
                                     .x_length = p->x_length,
                                     .y_offset = p->y_offset,
                                     .y_length = p->y_length,
                                     .x = p->x,
                                     .y = p->y,
                                     .unit_dots = (double)p->unit_dots,
                                     .step_x = page->mirrored != page->upside_down ? -step : step,
                                     .step_y = page->upside_down ? -step : step,
                                     .moved_x = page->drawn.reports[index].drawn.moved_x,
                                     .moved_y = page->drawn.reports[index].drawn.moved_y};
    if (e->at.x_goes_on)
        result.step_x = 0;
    if (e->at.y_goes_on)
        result.step_y = 0;
    return pl_give(out, size, &result, sizeof result);
}
