// The labels of one document of `platen render` with rows, or with one output for many documents.
#include "row_labels.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "renderer/render_problem.h"
#include "renderer/summary.h"

void row_labels_clear(struct row_labels *row)
{
    for (uint32_t i = 0; i < row->count; i++)
        label_part_free(&row->parts[i]);
    free(row->parts);
    free(row->copies);
    row->parts = NULL;
    row->copies = NULL;
    row->count = 0;
    row->bytes = 0;
}

bool row_refuse(struct row_document *d, const char *code, const char *message)
{
    d->failed = true;
    return problem_set(&d->problem, 400, code, "%s", message);
}

bool row_fail(struct row_document *d, const struct platen_error *err)
{
    d->failed = true;
    render_problem_of(err, &d->problem);
    return false;
}

static bool draw_labels(struct row_labels *row, struct platen_worker *worker, const struct platen_document *document,
                        size_t most)
{
    struct row_document *d = &row->document;
    const struct controls *c = &d->controls;
    uint32_t count = platen_label_count(document), warnings = 0, first = 0;
    if (count == 0)
        return row_refuse(d, "no_labels", "there is no label in it");
    if (controls_has(c, CONTROL_PAGE)) {
        if (c->page > UINT32_MAX || !platen_label_of_page(document, (uint32_t)c->page, &first))
            return row_refuse(d, "page_out_of_range", "there is no such page");
        count = 1;
    }
    row->parts = calloc(count, sizeof *row->parts);
    row->copies = calloc(count, sizeof *row->copies);
    if (!row->parts || !row->copies)
        return row_refuse(d, "memory", "not enough memory");
    const struct label_part_options wanted = {.controls = &c->values};
    for (uint32_t i = 0; i < count; i++) {
        struct platen_label info = {.copies = 1};
        struct label_part *part = &row->parts[row->count++];
        label_part_init(part);
        if (label_part_make(worker, document, first + i, &wanted, part) != PLATEN_OK)
            return row_fail(d, &part->err);
        row->bytes += label_part_bytes(part);
        if (row->bytes > most) {
            d->failed = true;
            return problem_set(&d->problem, 413, "limit_exceeded",
                               "The labels of this document are over the limit of %zu bytes in all.", most);
        }
        platen_label_at(document, first + i, &info);
        row->copies[i] = controls_has(c, CONTROL_PAGE) ? 1 : info.copies;
        warnings += part->found.count;
    }
    if (!c->strict)
        return true;
    struct summary summary;
    if (!summary_of_document(document, &summary))
        return row_refuse(d, "memory", "not enough memory");
    warnings += c->unknown_count + summary_warnings_outside(&summary, first, count);
    summary_free(&summary);
    return warnings == 0 || row_refuse(d, "warnings", "there are warnings, and strict was asked for");
}

void row_labels_draw(struct row_labels *row, struct platen_worker *worker, const struct cli_limits *limits, size_t most)
{
    struct row_document *d = &row->document;
    struct platen_options options = controls_options(&d->controls.values);
    struct platen_document *document;
    struct platen_error err;
    if (d->failed)
        return;
    options.deadline_ns = cli_deadline(limits);
    if (options.deadline_ns)
        options.deadline_ns -= PL_MIN(d->spent_ns, options.deadline_ns - 1);
    options.has_time = controls_has(&d->controls, CONTROL_TIME);
    options.time = d->controls.time;
    if (platen_parse(worker, d->zpl.data, d->zpl.len, &options, &document, &err) != PLATEN_OK) {
        row_fail(d, &err);
        return;
    }
    cli_more_time(limits, options.deadline_ns, document);
    (void)draw_labels(row, worker, document, most);
    platen_document_free(document);
}
