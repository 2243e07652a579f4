// Comparing label by label: each is drawn on both sides, kept, compared and told.
#include "answer/compare_documents.h"

#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "describe/describe.h"

// A label of one side. *copies is 0 where there is none.
static enum platen_status take(const struct compare_plan *plan, const struct compare_side *side, uint32_t label,
                               struct platen_snapshot **out, uint32_t *copies, struct platen_error *err)
{
    struct platen_label info;
    const struct platen_page *page;
    *out = NULL;
    *copies = side->picture ? 1 : 0;
    if (side->picture || !platen_label_at(side->document, label, &info))
        return PLATEN_OK;
    *copies = info.copies;
    enum platen_status status = platen_draw(plan->worker, side->document, label, &page, err);
    return status == PLATEN_OK ? platen_snapshot_new(page, out, err) : status;
}

static enum platen_status tell(const struct compare_plan *plan, const struct compared_label *label,
                               struct platen_error *err)
{
    if (plan->each(plan->user, label))
        return PLATEN_OK;
    *err = (struct platen_error){PLATEN_E_MEMORY, "not enough memory"};
    return PLATEN_E_MEMORY;
}

static enum platen_status compare_kept(const struct compare_plan *plan, const struct platen_snapshot *a,
                                       const struct platen_snapshot *b, struct compared_label *label,
                                       struct platen_error *err)
{
    struct platen_comparison *comparison = NULL;
    struct platen_buffer picture = {0};
    enum platen_status status = platen_compare(a, b, &plan->options, &comparison, err);
    if (status == PLATEN_OK && plan->want_pictures)
        status = platen_comparison_picture(comparison, &picture, err);
    if (status == PLATEN_OK) {
        label->comparison = comparison;
        label->same = platen_comparison_is_same(comparison);
        if (plan->options.elements && label->copies_a != label->copies_b)
            label->same = false;
        label->picture = plan->want_pictures ? &picture : NULL;
        status = tell(plan, label, err);
    }
    platen_comparison_free(comparison);
    platen_buffer_free(&picture);
    return status;
}

static enum platen_status compare_label(const struct compare_plan *plan, uint32_t label_a, uint32_t label_b,
                                        uint32_t index, bool *same, struct platen_error *err)
{
    struct compared_label label = {.index = index, .dpmm = plan->dpmm};
    struct platen_snapshot *a = NULL, *b = NULL;
    enum platen_status status = take(plan, &plan->a, label_a, &a, &label.copies_a, err);
    if (status == PLATEN_OK)
        status = take(plan, &plan->b, label_b, &b, &label.copies_b, err);
    if (status == PLATEN_OK && label.copies_a && label.copies_b)
        status = compare_kept(plan, plan->a.picture ? plan->a.picture : a, plan->b.picture ? plan->b.picture : b,
                              &label, err);
    else if (status == PLATEN_OK)
        status = tell(plan, &label, err);
    platen_snapshot_free(a);
    platen_snapshot_free(b);
    *same = *same && label.same;
    return status;
}

// The label of the page that is wanted; beyond all labels where there is no such page.
static uint32_t label_of_page(const struct compare_side *side, uint32_t page)
{
    uint32_t label;
    return side->picture ? 0 : platen_label_of_page(side->document, page, &label) ? label : UINT32_MAX;
}

static enum platen_status compare_page(const struct compare_plan *plan, bool *same, struct platen_error *err)
{
    uint32_t a = label_of_page(&plan->a, plan->page), b = label_of_page(&plan->b, plan->page);
    if ((a == UINT32_MAX || plan->a.picture) && (b == UINT32_MAX || plan->b.picture) &&
        !(plan->a.picture && plan->b.picture)) {
        err->status = PLATEN_E_NOT_FOUND;
        snprintf(err->message, sizeof err->message, "there is no page %u (counted from 0)", plan->page);
        return PLATEN_E_NOT_FOUND;
    }
    return compare_label(plan, a, b, plan->page, same, err);
}

const char *compare_next_cut(const struct platen_document *document, uint32_t *from)
{
    struct platen_diagnostic d;
    while (platen_diagnostic_at(document, (*from)++, &d)) {
        if (strcmp(d.code, "copies_cut") == 0)
            return d.message;
    }
    return NULL;
}

// Labels beyond the limit are not there to be compared: both sides must have asked for as many.
static bool are_cut_alike(const struct platen_document *a, const struct platen_document *b)
{
    uint32_t from_a = 0, from_b = 0;
    for (;;) {
        const char *cut_a = compare_next_cut(a, &from_a), *cut_b = compare_next_cut(b, &from_b);
        if (!cut_a || !cut_b)
            return cut_a == cut_b;
        if (strcmp(cut_a, cut_b) != 0)
            return false;
    }
}

enum platen_status compare_documents(const struct compare_plan *plan, bool *same, struct platen_error *err)
{
    *same = true;
    if (plan->one_page || plan->a.picture || plan->b.picture)
        return compare_page(plan, same, err);
    uint32_t count = PL_MAX(platen_label_count(plan->a.document), platen_label_count(plan->b.document));
    enum platen_status status = PLATEN_OK;
    for (uint32_t i = 0; i < count && status == PLATEN_OK; i++)
        status = compare_label(plan, i, i, i, same, err);
    *same = *same && are_cut_alike(plan->a.document, plan->b.document);
    return status;
}

void compared_label_json(struct pl_json_writer *out, const struct compared_label *label)
{
    pl_json_object(out);
    pl_json_kv_u64(out, "index", label->index);
    pl_json_kv_bool(out, "same", label->same);
    pl_json_kv_u64(out, "copiesA", label->copies_a);
    pl_json_kv_u64(out, "copiesB", label->copies_b);
    if (label->comparison)
        pl_describe_comparison(out, label->comparison, label->dpmm, label->room);
    if (label->picture) {
        pl_json_key(out, "picture");
        pl_json_base64(out, pl_slice_make(label->picture->data, label->picture->size));
    }
    pl_json_end(out);
}
