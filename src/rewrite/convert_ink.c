// One element or field drawn alone, and whether both have the same dots.
#include <string.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "rewrite/convert.h"

#define TRIAL_MOST ((size_t)32 << 20)

enum pl_errc rw_cut(struct rw_conversion *c, const struct pl_bitmap *page, struct rw_ink *ink, struct pl_error *err)
{
    struct pl_box box = pl_bitmap_ink_box(page);
    *ink = (struct rw_ink){.x = box.x0, .y = box.y0};
    if (pl_box_is_empty(box))
        return PL_OK;
    PL_TRY(pl_bitmap_new(c->scratch, (uint32_t)(box.x1 - box.x0), (uint32_t)(box.y1 - box.y0), &ink->bits, err));
    pl_bitmap_blit(&ink->bits, page, -box.x0, -box.y0, PL_INK_BLACK);
    return PL_OK;
}

// Elements on a page of their own, which is the worker's.
static enum pl_errc draw(struct rw_conversion *c, const struct pl_element *const *elements, uint32_t count,
                         bool want_report, struct pl_drawn_page *page, struct pl_error *err)
{
    const struct pl_label label = {.elements = elements, .element_count = count, .copies = 1, .dot_size = 1};
    const struct pl_page_options options = {.width = c->from->width,
                                            .height = c->from->height,
                                            .dpmm = pl_whole_dpmm(c->from->options.dpmm),
                                            .want_report = want_report};
    struct pl_diags unheard;
    pl_worker_turn_to(c->worker, c->from);
    pl_worker_drop_page(c->worker);
    pl_diags_init(&unheard, &c->worker->page_arena, 0);
    const struct pl_page_tools tools = {.writer = c->worker->writer,
                                        .arena = &c->worker->page_arena,
                                        .scratch = &c->worker->scratch,
                                        .diags = &unheard,
                                        .job = c->job};
    return pl_page_draw(&c->from->scene, &label, &options, &tools, page, err);
}

enum pl_errc rw_place_texts(struct rw_conversion *c, const struct pl_label *label, const struct pl_element *const **out,
                            struct pl_error *err)
{
    struct pl_drawn_page page;
    uint32_t count = label->element_count;
    struct pl_box *inks = PL_ARENA_ARRAY(c->arena, struct pl_box, count);
    const struct pl_element **list = pl_arena_copy(c->arena, label->elements, count * sizeof *list);
    if (!inks || !list)
        return pl_fail_memory(err);
    PL_TRY(draw(c, label->elements, count, true, &page, err));
    for (uint32_t i = 0; i < count; i++)
        inks[i] = page.reports[i].drawn.ink;
    for (uint32_t i = 0; i < count; i++) {
        if (!rw_goes_on(list[i]) || pl_box_is_empty(inks[i]))
            continue;
        struct pl_element *placed = pl_arena_copy(c->arena, list[i], sizeof *placed);
        if (!placed)
            return pl_fail_memory(err);
        placed->at.x_goes_on = placed->at.y_goes_on = false;
        list[i] = placed;
        PL_TRY(pl_job_check(c->job, err));
        PL_TRY(draw(c, &list[i], 1, true, &page, err));
        placed->at.x += inks[i].x0 - page.reports[0].drawn.ink.x0;
        placed->at.y += inks[i].y0 - page.reports[0].drawn.ink.y0;
    }
    *out = list;
    return PL_OK;
}

enum pl_errc rw_ink_of(struct rw_conversion *c, const struct pl_element *element, struct rw_ink *ink,
                       struct pl_drawn *drawn, struct pl_error *err)
{
    struct pl_element plain = *element;
    const struct pl_element *only = &plain;
    struct pl_drawn_page page;
    if (element->kind == PL_ELEMENT_BOX || element->kind == PL_ELEMENT_ELLIPSE || element->kind == PL_ELEMENT_DIAGONAL)
        plain.shape.white = false;
    PL_TRY(draw(c, &only, 1, drawn != NULL, &page, err));
    if (drawn) {
        *drawn = page.reports[0].drawn;
        // Its text lives in the page.
        drawn->text.ptr = pl_arena_copy(c->scratch, drawn->text.ptr, drawn->text.len);
        if (!drawn->text.ptr)
            return pl_fail_memory(err);
    }
    return rw_cut(c, &page.bits, ink, err);
}

static bool is_same(const struct pl_bitmap *a, const struct pl_bitmap *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->words, b->words, (size_t)a->stride * a->height * sizeof *a->words) == 0;
}

static enum pl_errc draw_trial(struct rw_conversion *c, struct pl_slice code, struct rw_ink *got, struct pl_error *err)
{
    const struct platen_options *as = &c->from->options;
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = as->width_mm, .height_mm = as->height_mm, .dpmm = as->dpmm, .rules = "none",
                       .has_time = true, .time = as->time, .collapse_copies = true, .language = PLATEN_LANGUAGE_ZPL,
                       .cancel = as->cancel, .deadline_ns = as->deadline_ns);
    struct platen_document *document;
    struct platen_error outer = {0};
    const struct platen_page *page;
    *got = (struct rw_ink){0};
    enum platen_status status = platen_parse(c->worker, code.ptr, code.len, &options, &document, &outer);
    if (status != PLATEN_OK)
        return rw_fail_as(err, status, &outer);
    enum pl_errc result = PL_OK;
    if (platen_label_count(document) > 0) { // a field without ink makes none
        status = platen_draw(c->worker, document, 0, &page, &outer);
        result = status == PLATEN_OK ? rw_cut(c, &page->drawn.bits, got, err) : rw_fail_as(err, status, &outer);
    }
    platen_document_free(document);
    return result;
}

static enum pl_errc try_at(struct rw_conversion *c, int32_t x, int32_t y, struct rw_trial *trial, struct pl_error *err)
{
    struct pl_buf code;
    pl_buf_init(&code, TRIAL_MOST);
    pl_buf_append_slice(&code, trial->downloads);
    pl_buf_printf(&code, "^XA^CI%d^FO%d,%d%s", trial->code_page ? 27 : 28, x, y, trial->reverse ? "^FR" : "");
    pl_buf_append_slice(&code, trial->body);
    pl_buf_append_cstr(&code, "^FS^XZ");
    enum pl_errc result = pl_buf_check(&code, err);
    if (result == PL_OK)
        result = draw_trial(c, pl_buf_slice(&code), &trial->got, err);
    pl_buf_fini(&code);
    return result;
}

enum pl_errc rw_try(struct rw_conversion *c, const struct rw_ink *want, struct rw_trial *trial, struct pl_error *err)
{
    if (want->x > RW_FARTHEST || want->y > RW_FARTHEST)
        return PL_OK;
    PL_TRY(try_at(c, want->x, want->y, trial, err));
    trial->x = want->x + want->x - trial->got.x;
    trial->y = want->y + want->y - trial->got.y;
    if (trial->got.bits.width == 0 || trial->x < 0 || trial->y < 0 || trial->x > RW_FARTHEST || trial->y > RW_FARTHEST)
        return PL_OK;
    trial->same = is_same(&want->bits, &trial->got.bits);
    if (trial->same || (trial->got.x == want->x && trial->got.y == want->y))
        return PL_OK;
    // What reaches beyond the edge of the label is cut off elsewhere: at its own place it may be the same.
    PL_TRY(try_at(c, trial->x, trial->y, trial, err));
    trial->same = trial->got.bits.width > 0 && trial->got.x == want->x && trial->got.y == want->y &&
                  is_same(&want->bits, &trial->got.bits);
    return PL_OK;
}

void rw_put_field(struct rw_conversion *c, const struct rw_trial *trial)
{
    pl_buf_printf(c->out, "%s^FO%d,%d%s", trial->code_page ? "^CI27" : "", PL_MAX(trial->x, 0), PL_MAX(trial->y, 0),
                  trial->reverse ? "^FR" : "");
    pl_buf_append_slice(c->out, trial->body);
    pl_buf_printf(c->out, "^FS%s%s", trial->code_page ? "^CI28" : "", c->line_end);
}

enum pl_errc rw_put_graphic(struct rw_conversion *c, const struct rw_ink *ink, const struct pl_element *element,
                            struct pl_error *err)
{
    struct pl_graphic_rows rows;
    if (ink->x > RW_FARTHEST || ink->y > RW_FARTHEST) {
        pl_diag_add(c->diags, PL_DIAG_REWRITE, element->source, 0,
                    "Fields of ZPL begin within %d dots; this one is at %d,%d and was left out.", RW_FARTHEST, ink->x,
                    ink->y);
        return rw_looks_otherwise(c, ink, err);
    }
    PL_TRY(rw_pack(c->scratch, &ink->bits, &rows, err));
    pl_buf_printf(c->out, "^FO%d,%d%s^GFA,%zu,%zu,%u,", ink->x, ink->y, element->reverse ? "^FR" : "",
                  pl_graphic_size(&rows), pl_graphic_size(&rows), rows.row_bytes);
    PL_TRY(pl_graphic_write(&rows, c->options->graphics, c->out, NULL, err));
    pl_buf_printf(c->out, "^FS%s", c->line_end);
    return PL_OK;
}

enum pl_errc rw_looks_otherwise(struct rw_conversion *c, const struct rw_ink *ink, struct pl_error *err)
{
    if (!PL_ARENA_GROW(c->arena, c->other, c->other_count, c->other_capacity, 8))
        return pl_fail_memory(err);
    c->other[c->other_count++] = (struct rw_other){
        c->label,
        {ink->x, ink->y, ink->x + (int32_t)ink->bits.width, ink->y + (int32_t)ink->bits.height},
    };
    return PL_OK;
}
