// Whether fields have the size that they should have at another density: the label is drawn before and after. Some
// parts of a field follow no parameter: the distance of a barcode's text, the tails of EAN's guard bars.
#include <math.h>

#include "base/ckd.h"
#include "rewrite/drawing.h"
#include "rewrite/passes.h"
#include "rewrite/rewrite.h"

#define NOTES_MOST 50u
#define LOOKED_AT_MOST 1000u
#define EDGE_SLACK 1.5 // a place and a size are each rounded to a dot
#define TEXT_SLACK 2.0 // letters are other dots at another size; dots of the coarser density
#define CODE_MOST ((size_t)128 << 20)

// A drawing that is not possible, by its limits or for want of memory, is no reason to refuse the code.
static enum pl_errc draw_if_possible(struct platen_worker *worker, struct rw_document *doc, struct pl_slice code,
                                     double dpmm, const struct platen_rewrite_options *options, struct rw_drawing *out,
                                     struct pl_error *err)
{
    enum pl_errc result = rw_draw(worker, doc, code, dpmm, options, out, err);
    if (result == PL_OK || result == PL_E_DEADLINE || result == PL_E_CANCELLED)
        return result;
    out->count = 0;
    return PL_OK;
}

static bool is_noted(const struct rw_document *doc, uint32_t from_note, uint32_t first, uint32_t end)
{
    for (uint32_t i = from_note; i < doc->diags->count; i++) {
        const struct pl_source *s = &doc->diags->items[i].source;
        if (s->length > 0 && s->offset >= first && s->offset < end)
            return true;
    }
    return false;
}

static void compare(struct rw_document *doc, const struct rw_drawing *before, const struct rw_drawing *after,
                    uint32_t from_note, double ratio)
{
    uint32_t told = 0, looked_at = 0;
    for (uint32_t i = 0; i < before->count && told < NOTES_MOST && looked_at < LOOKED_AT_MOST; i++) {
        const struct rw_inked *a = &before->items[i], *b = &after->items[i];
        double x = a->x * ratio, y = a->y * ratio, width = a->width * ratio, height = a->height * ratio;
        double error = PL_MAX(fabs(x - b->x), fabs(y - b->y));
        error = PL_MAX(error, PL_MAX(fabs(width - b->width), fabs(height - b->height)));
        uint32_t first = rw_first_command(doc, a);
        while (first < doc->count && doc->commands[first].added) // of a command that is in the caller's code
            first++;
        uint32_t last = first;
        if (a->width == 0 || error <= (a->is_text ? TEXT_SLACK * PL_MAX(ratio, 1) + 1 : EDGE_SLACK) ||
            first >= doc->count)
            continue;
        while (last + 1 < doc->count && doc->commands[last + 1].start < a->end)
            last++;
        if (doc->torn && last + 1 == doc->count)
            continue; // it was left as it is, which was told
        looked_at++;
        const struct rw_command *c = &doc->commands[first];
        if (is_noted(doc, from_note, c->origin, PL_MAX(doc->commands[last].origin_end, c->origin + 1)))
            continue;
        told++;
        RW_NOTE(doc, c, "The field should be %.1f x %.1f dots at %.1f,%.1f; it became %u x %u at %d,%d.", width, height,
                x, y, b->width, b->height, b->x, b->y);
    }
    if (told == NOTES_MOST || looked_at == LOOKED_AT_MOST)
        pl_diag_add(doc->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0, "Further fields were not compared.");
}

enum pl_errc rw_rescale_checked(struct platen_worker *worker, struct rw_document *doc,
                                const struct platen_rewrite_options *options, struct pl_error *err)
{
    struct rw_drawing before = {0}, after = {0};
    double ratio = options->target_dpmm / options->dpmm;
    uint32_t notes = doc->diags->count;
    struct pl_buf text;
    if (ratio == 1)
        return PL_OK;
    PL_TRY(draw_if_possible(worker, doc, doc->input, options->dpmm, options, &before, err));
    PL_TRY(rw_rescale(doc, options->dpmm, options->target_dpmm, err));
    if (before.count == 0)
        return PL_OK;
    pl_buf_init(&text, CODE_MOST);
    rw_write(doc, RW_LINES, &text, NULL);
    enum pl_errc code = pl_buf_check(&text, err);
    if (code == PL_OK)
        code = draw_if_possible(worker, doc, pl_buf_slice(&text), options->target_dpmm, options, &after, err);
    pl_buf_fini(&text);
    if (code == PL_OK && before.count == after.count)
        compare(doc, &before, &after, notes, ratio);
    return code;
}
