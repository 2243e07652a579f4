// Both label codes are understood and kept at the same time; their labels are compared one by one.
#include "renderer/renderer_compare.h"

#include <stdio.h>

#include "answer/compare_documents.h"
#include "base/ckd.h"
#include "describe/describe.h"

static enum platen_status open_side(struct platen_worker *worker, struct pl_slice zpl,
                                    const struct platen_options *options, const char *name, struct compare_side *side,
                                    struct platen_error *err)
{
    enum platen_status status = platen_parse(worker, zpl.ptr, zpl.len, options, &side->document, err);
    if (status == PLATEN_OK)
        status = platen_document_detach(&side->document, NULL, err);
    if (status != PLATEN_OK || platen_label_count(side->document) > 0)
        return status;
    char of[16];
    snprintf(of, sizeof of, " of '%s'", name);
    err->status = PLATEN_E_NOT_FOUND;
    pl_describe_no_label(platen_document_language(side->document), of, err->message, sizeof err->message);
    return PLATEN_E_NOT_FOUND;
}

struct labels {
    struct pl_json_writer *json;
    uint32_t *room; // for changes of all labels; NULL: all are told
};

static bool put_label(void *user, const struct compared_label *label)
{
    const struct labels *labels = user;
    struct compared_label told = *label;
    told.room = labels->room;
    compared_label_json(labels->json, &told);
    return !labels->json->buf->failed;
}

static void put_side(struct pl_json_writer *json, const char *key, const struct compare_side *side)
{
    double width_mm, height_mm;
    platen_document_size(side->document, &width_mm, &height_mm, NULL, NULL);
    pl_json_kv_object(json, key);
    pl_json_kv_double(json, "widthMm", width_mm);
    pl_json_kv_double(json, "heightMm", height_mm);
    pl_json_kv_u64(json, "labels", platen_label_count(side->document));
    uint32_t from = 0;
    const char *cut = compare_next_cut(side->document, &from);
    if (cut)
        pl_json_kv_cstr(json, "cut", cut);
    pl_json_end(json);
}

enum platen_status renderer_compare(struct platen_worker *worker, const struct render_ask *ask,
                                    const struct platen_options *options, struct pl_slice zpl, struct pl_buf *members,
                                    struct platen_error *err)
{
    size_t first = (size_t)PL_MIN(ask->first_size, (uint64_t)zpl.len);
    const struct conversion_request *asked = &ask->conversion;
    struct pl_json_writer json;
    uint32_t room = COMPARE_CHANGES_MAX;
    struct labels labels = {&json, asked->brief ? &room : NULL};
    struct compare_plan plan = {.worker = worker,
                                .options = PLATEN_COMPARE_OPTIONS(.tolerance_dots = asked->tolerance_dots,
                                                                  .tolerance_percent = asked->tolerance_percent,
                                                                  .elements = asked->elements),
                                .dpmm = options->dpmm,
                                .one_page = control_values_have(&ask->controls, CONTROL_PAGE),
                                .page = asked->page,
                                .want_pictures = asked->pictures,
                                .each = put_label,
                                .user = &labels};
    struct platen_options both = *options;
    both.want_elements = true;
    both.collapse_copies = !plan.one_page;
    bool same = false;
    enum platen_status status = open_side(worker, pl_slice_sub(zpl, 0, first), &both, "a", &plan.a, err);
    if (status == PLATEN_OK)
        status = open_side(worker, pl_slice_sub(zpl, first, zpl.len), &both, "b", &plan.b, err);
    if (status == PLATEN_OK) {
        // Members only: the caller writes the braces.
        pl_json_writer_init(&json, members);
        pl_json_object(&json);
        pl_buf_clear(members);
        put_side(&json, "a", &plan.a);
        put_side(&json, "b", &plan.b);
        pl_json_kv_array(&json, "labels");
        status = compare_documents(&plan, &same, err);
        if (status == PLATEN_E_NOT_FOUND)
            status = err->status = PLATEN_E_INVALID;
        pl_json_end(&json);
        pl_json_kv_bool(&json, "same", same);
    }
    platen_document_free(plan.a.document);
    platen_document_free(plan.b.document);
    return status;
}
