// Whether rewritten code prints what it should: every label is drawn before and after, element by element, and barcodes
// are read back from both. A rotated label must have the same dots.
#include <math.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "render/render.h"
#include "rewrite/drawing.h"
#include "rewrite/passes.h"
#include "rewrite/verify.h"

#define EDGE_SLACK 1.5 // a place and a size are each rounded to a dot
#define TEXT_SLACK 2.0 // letters are other dots at another size; dots of the coarser density

struct verification {
    struct platen_worker *worker;
    struct rw_document *doc;
    const struct rw_places *places; // of the code before
    const struct platen_rewrite_options *options;
    struct platen_document *before, *after;
    double ratio;
    struct rw_findings findings;
    struct platen_error err;
};

// Is there a note of this field: of a kind, or with PL_DIAG_REWRITE any?
static bool is_noted(const struct rw_findings *f, struct pl_source s, enum pl_diag_id kind)
{
    for (uint32_t i = 0; i < f->diags->count; i++) {
        const struct pl_diag *d = &f->diags->items[i];
        if (d->source.offset < s.offset + PL_MAX(s.length, 1) && s.offset < d->source.offset + d->source.length &&
            (kind == PL_DIAG_REWRITE || d->id == kind))
            return true;
    }
    return false;
}

bool rw_finding_fits(struct rw_findings *f, enum pl_diag_id id)
{
    bool useless = id == PL_DIAG_REWRITE_UNREADABLE || id == PL_DIAG_REWRITE_OUTSIDE;
    return f->count[useless]++ < RW_FINDINGS_MOST;
}

enum pl_errc rw_findings_end(const struct rw_findings *f, enum platen_status status, const struct platen_error *why,
                             struct pl_error *err)
{
    if (status == PLATEN_E_DEADLINE || status == PLATEN_E_CANCELLED)
        return rw_fail_as(err, status, why);
    uint32_t left_out = 0;
    for (size_t i = 0; i < PL_COUNTOF(f->count); i++)
        left_out += f->count[i] - PL_MIN(f->count[i], RW_FINDINGS_MOST);
    if (left_out > 0)
        pl_diag_add(f->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0, "%u more differences are not listed.",
                    left_out);
    // A label that cannot be drawn, by its limits or for want of memory, is no reason to refuse the code.
    if (status != PLATEN_OK)
        pl_diag_add(f->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0,
                    "The labels were not compared with those before: %s.", why->message);
    return PL_OK;
}

struct spot {
    double x, y;
};

// What makes a field useless is reported whatever else was.
static void check_use(struct verification *v, const struct platen_element *a, const struct platen_element *b,
                      struct pl_source s)
{
    if (rw_reads(a) && !rw_reads(b) && !is_noted(&v->findings, s, PL_DIAG_REWRITE_UNREADABLE))
        RW_FINDING(&v->findings, PL_DIAG_REWRITE_UNREADABLE, s,
                   "The barcode could be read before; now %s. It is %u x %u dots at %d,%d with modules of %u dots.",
                   b->decoded == 1 ? "it reads as other data" : "it cannot be read", b->width, b->height, b->x, b->y,
                   b->module_dots);
    if (a->inside_label && !b->inside_label && !is_noted(&v->findings, s, PL_DIAG_REWRITE_OUTSIDE))
        RW_FINDING(&v->findings, PL_DIAG_REWRITE_OUTSIDE, s,
                   "The field is no longer inside the label: it is %u x %u dots at %d,%d; the label is %u x %u.",
                   b->width, b->height, b->x, b->y, v->after->width, v->after->height);
}

static double slack_of(const struct verification *v, const struct platen_element *e)
{
    if (v->ratio == 1)
        return 0;
    return e->type == PLATEN_TEXT ? TEXT_SLACK * PL_MAX(v->ratio, 1) + 1 : EDGE_SLACK;
}

// Returns whether something is reported of the element, here or by those that rewrote it.
static bool check_element(struct verification *v, const struct platen_element *a, const struct platen_element *b,
                          struct spot from, struct spot to)
{
    double x = (a->x - from.x) * v->ratio + to.x, y = (a->y - from.y) * v->ratio + to.y;
    double width = a->width * v->ratio, height = a->height * v->ratio, slack = slack_of(v, a);
    double moved = PL_MAX(fabs(x - b->x), fabs(y - b->y));
    double resized = PL_MAX(fabs(width - b->width), fabs(height - b->height));
    struct pl_source s = rw_origin(v->places, a->offset, a->length);
    if (a->width > 0)
        check_use(v, a, b, s);
    if (is_noted(&v->findings, s, PL_DIAG_REWRITE))
        return true;
    if (a->width == 0 || PL_MAX(moved, resized) <= slack)
        return false;
    RW_FINDING(&v->findings, resized > slack ? PL_DIAG_REWRITE_RESIZED : PL_DIAG_REWRITE_MOVED, s,
               "The field should be %.1f x %.1f dots at %.1f,%.1f; it became %u x %u at %d,%d%s.", width, height, x, y,
               b->width, b->height, b->x, b->y, b->overlap_count > a->overlap_count ? ", and meets another field" : "");
    return true;
}

// ---- dots

// 64 dots of a row from x on; outside of the page there is no ink.
static uint64_t dots_at(const struct platen_bitmap *bits, int64_t x, int64_t y)
{
    uint64_t out = 0;
    if (y < 0 || y >= bits->height)
        return 0;
    const uint64_t *row = bits->words + (size_t)y * bits->words_per_row;
    int64_t word = x >= 0 ? x / 64 : -((63 - x) / 64), shift = x - word * 64;
    if (word >= 0 && word < bits->words_per_row)
        out = row[word] << shift;
    if (shift && word + 1 >= 0 && word + 1 < bits->words_per_row)
        out |= row[word + 1] >> (64 - shift);
    return out;
}

static uint64_t different_dots(const struct platen_page *before, const struct platen_page *after, int64_t shift_x,
                               int64_t shift_y)
{
    struct platen_bitmap a, b;
    uint64_t count = 0;
    platen_page_bitmap(before, &a);
    platen_page_bitmap(after, &b);
    int64_t top = PL_MIN(-shift_y, (int64_t)0), bottom = PL_MAX((int64_t)a.height - shift_y, (int64_t)b.height);
    int64_t left = PL_MIN(-shift_x, (int64_t)0), right = PL_MAX((int64_t)a.width - shift_x, (int64_t)b.width);
    for (int64_t y = top; y < bottom; y++) {
        for (int64_t x = left; x < right; x += 64)
            count += (uint64_t)__builtin_popcountll(dots_at(&a, x + shift_x, y + shift_y) ^ dots_at(&b, x, y));
    }
    return count;
}

// ---- labels

// Where a label begins on its page: a narrow one is in the middle, ^PO and ^PM turn the page over.
static struct spot origin_of(const struct platen_document *d, uint32_t index, double height)
{
    const struct pl_label *label = &d->scene.labels[index];
    bool narrow = label->print_width > 0 && label->print_width < d->width;
    double left = narrow && d->scene.profile->draw.narrow_print_is_centred ? (d->width - label->print_width) / 2 : 0;
    double right = narrow ? d->width - label->print_width - left : 0;
    return (struct spot){label->mirrored != label->upside_down ? right : left,
                         label->upside_down ? PL_MAX(d->height - height, 0) : 0};
}

// From the page before, rotated as the label shall be, to the page after: both origins of the label.
static void find_origins(const struct verification *v, uint32_t index, struct spot *before, struct spot *after)
{
    uint32_t width, height;
    const struct platen_document *d = v->before;
    rw_label_size(v->doc, &d->scene.labels[index], d->width, d->height, &width, &height);
    struct spot from = origin_of(d, index, height);
    struct spot beyond = {(double)d->width - width - from.x, (double)d->height - height - from.y};
    *before = v->options->rotation == 90    ? (struct spot){beyond.y, from.x}
              : v->options->rotation == 180 ? beyond
              : v->options->rotation == 270 ? (struct spot){from.y, beyond.x}
                                            : from;
    *after = origin_of(v->after, index, (v->options->rotation % 180 ? width : height) * v->ratio);
}

static void check_label(struct verification *v, uint32_t index, const struct platen_page *before,
                        const struct platen_page *after)
{
    struct spot from, to;
    struct pl_source label = v->before->scene.labels[index].source;
    label = rw_origin(v->places, label.offset, label.length);
    find_origins(v, index, &from, &to);
    if (before->element_count != after->element_count) {
        RW_FINDING(&v->findings, PL_DIAG_REWRITE, label, "The label has %u elements now; it had %u.",
                   after->element_count, before->element_count);
        return;
    }
    bool reported = false;
    for (uint32_t i = 0; i < before->element_count; i++)
        reported = check_element(v, &before->elements[i], &after->elements[i], from, to) || reported;
    if (v->ratio != 1 || reported || is_noted(&v->findings, label, PL_DIAG_REWRITE))
        return;
    uint64_t dots = different_dots(before, after, (int64_t)(from.x - to.x), (int64_t)(from.y - to.y));
    if (dots > 0)
        RW_FINDING(&v->findings, PL_DIAG_REWRITE, label, "%llu dots of the label differ.", (unsigned long long)dots);
}

static enum platen_status check_labels(struct verification *v)
{
    uint32_t count = platen_label_count(v->before);
    if (count != platen_label_count(v->after)) {
        pl_diag_add(v->doc->diags, PL_DIAG_REWRITE, (struct pl_source){0}, 0,
                    "The code prints %u labels now; it printed %u.", platen_label_count(v->after), count);
        return PLATEN_OK;
    }
    enum platen_status status = PLATEN_OK;
    for (uint32_t i = 0; i < count && status == PLATEN_OK; i++) {
        const struct platen_page *before, *after;
        status = platen_draw(v->worker, v->before, i, &before, &v->err);
        if (status != PLATEN_OK)
            break;
        status = platen_page_detach(v->worker, &before, &v->err);
        if (status != PLATEN_OK)
            break;
        status = platen_draw(v->worker, v->after, i, &after, &v->err);
        if (status == PLATEN_OK)
            check_label(v, i, before, after);
        platen_page_free(before);
    }
    return status;
}

static enum platen_status draw_and_compare(struct verification *v, struct pl_slice before, struct pl_slice after)
{
    const struct platen_rewrite_options *o = v->options;
    bool sideways = o->rotation % 180 != 0;
    const struct platen_options as_it_was =
        PLATEN_OPTIONS(.width_mm = o->width_mm, .height_mm = o->height_mm, .dpmm = o->dpmm, .rotation = o->rotation,
                       .want_elements = true, .verify = true, .rules = "none", .has_time = true,
                       .collapse_copies = true, .cancel = o->cancel, .deadline_ns = o->deadline_ns);
    struct platen_options as_it_is = as_it_was;
    as_it_is.rotation = 0;
    as_it_is.dpmm = o->target_dpmm;
    as_it_is.width_mm = sideways ? o->height_mm : o->width_mm;
    as_it_is.height_mm = sideways ? o->width_mm : o->height_mm;
    enum platen_status status = platen_parse(v->worker, before.ptr, before.len, &as_it_was, &v->before, &v->err);
    if (status == PLATEN_OK)
        status = platen_document_detach(&v->before, NULL, &v->err);
    if (status == PLATEN_OK)
        status = platen_parse(v->worker, after.ptr, after.len, &as_it_is, &v->after, &v->err);
    return status == PLATEN_OK ? check_labels(v) : status;
}

enum pl_errc rw_verify(struct platen_worker *worker, struct rw_document *doc, struct pl_slice before,
                       const struct rw_places *places, struct pl_slice after,
                       const struct platen_rewrite_options *options, struct pl_error *err)
{
    struct verification v = {.worker = worker,
                             .doc = doc,
                             .places = places,
                             .options = options,
                             .findings = {.diags = doc->diags},
                             .ratio = options->target_dpmm / options->dpmm};
    if (v.ratio == 1 && options->rotation == 0 && options->unit == PLATEN_UNIT_KEEP)
        return PL_OK;
    enum platen_status status = draw_and_compare(&v, before, after);
    platen_document_free(v.after);
    platen_document_free(v.before);
    return rw_findings_end(&v.findings, status, &v.err, err);
}
