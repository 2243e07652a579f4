// The labels of one document of `platen render` with rows, or with one output for many documents.
#include "row_labels.h"

#include <stdio.h>
#include <string.h>

#include "answer/label_part.h"
#include "base/ckd.h"
#include "base/json_reader.h"
#include "renderer/render_problem.h"
#include "renderer/summary.h"

// Each label of an answer begins with this.
struct label_head {
    uint64_t sizes[3]; // of picture, members, warnings, which follow
    uint32_t copies, warned;
};

// ---- writing

void row_labels_fail(const struct problem *problem, const struct message_sink *sink)
{
    struct row_head answer = {.status = problem->status};
    snprintf(answer.code, sizeof answer.code, "%s", problem->code);
    snprintf(answer.message, sizeof answer.message, "%s", problem->message);
    message_say(sink, &answer, sizeof answer);
}

static void put_label(const struct label_part *part, uint32_t copies, struct pl_buf *out)
{
    const struct label_head head = {.sizes = {part->file.size, part->members.len, part->warnings.len},
                                    .copies = copies,
                                    .warned = part->found.count > 0};
    pl_buf_append(out, &head, sizeof head);
    pl_buf_append(out, part->file.data, part->file.size);
    pl_buf_append_slice(out, pl_buf_slice(&part->members));
    pl_buf_append_slice(out, pl_buf_slice(&part->warnings));
}

// A document that is drawn.
struct drawing {
    struct platen_worker *worker;
    const struct platen_document *document;
    const struct row_order *order;
    size_t most, bytes; // of its labels
    uint32_t warnings;
    struct pl_buf answer;
    struct problem problem;
};

// Both return false.
static bool refuse(struct drawing *d, const char *code, const char *message)
{
    return problem_set(&d->problem, 400, code, "%s", message);
}

static bool fail(struct drawing *d, const struct platen_error *err)
{
    render_problem_of(err, &d->problem);
    return false;
}

static bool draw_label(struct drawing *d, uint32_t label)
{
    const struct label_part_options wanted = {.controls = &d->order->values};
    struct platen_label info = {.copies = 1};
    struct label_part part;
    label_part_init(&part);
    bool ok = label_part_make(d->worker, d->document, label, &wanted, &part) == PLATEN_OK || fail(d, &part.err);
    d->bytes += label_part_bytes(&part);
    if (ok && d->bytes > d->most)
        ok = problem_set(&d->problem, 413, "limit_exceeded",
                         "The labels of this document are over the limit of %zu bytes in all.", d->most);
    if (ok) {
        platen_label_at(d->document, label, &info);
        put_label(&part, control_values_have(&d->order->values, CONTROL_PAGE) ? 1 : info.copies, &d->answer);
        d->warnings += part.found.count;
    }
    label_part_free(&part);
    return ok;
}

static bool draw_labels(struct drawing *d)
{
    const struct control_values *c = &d->order->values;
    struct row_head head = {.count = platen_label_count(d->document)};
    uint32_t first = 0;
    if (head.count == 0)
        return refuse(d, "no_labels", "there is no label in it");
    if (control_values_have(c, CONTROL_PAGE)) {
        if (c->page > UINT32_MAX || !platen_label_of_page(d->document, (uint32_t)c->page, &first))
            return refuse(d, "page_out_of_range", "there is no such page");
        head.count = 1;
    }
    pl_buf_append(&d->answer, &head, sizeof head);
    for (uint32_t i = 0; i < head.count; i++) {
        if (!draw_label(d, first + i))
            return false;
    }
    if (d->answer.failed)
        return refuse(d, "memory", "not enough memory");
    if (!c->strict)
        return true;
    struct summary summary;
    if (!summary_of_document(d->document, &summary))
        return refuse(d, "memory", "not enough memory");
    uint32_t warnings = d->warnings + d->order->unknown_count + summary_warnings_outside(&summary, first, head.count);
    summary_free(&summary);
    return warnings == 0 || refuse(d, "warnings", "there are warnings, and strict was asked for");
}

void row_labels_draw(const struct row_order *order, struct pl_slice zpl, const struct row_bounds *bounds,
                     struct platen_worker *worker, const struct message_sink *sink)
{
    const struct control_values *c = &order->values;
    struct platen_options options = controls_options(c);
    struct platen_document *document;
    struct platen_error err;
    struct drawing d = {.worker = worker, .order = order, .most = bounds->most};
    bool ok = false;
    pl_buf_init(&d.answer, SIZE_MAX / 2);
    options.deadline_ns = cli_deadline(bounds->limits);
    if (options.deadline_ns)
        options.deadline_ns -= PL_MIN(order->spent_ns, options.deadline_ns - 1);
    options.has_time = control_values_have(c, CONTROL_TIME);
    options.time = c->time;
    if (platen_parse(worker, zpl.ptr, zpl.len, &options, &document, &err) == PLATEN_OK) {
        cli_more_time(bounds->limits, options.deadline_ns, document);
        d.document = document;
        ok = draw_labels(&d);
        platen_document_free(document);
    } else {
        fail(&d, &err);
    }
    if (ok)
        message_say(sink, d.answer.data, d.answer.len);
    else
        row_labels_fail(&d.problem, sink);
    pl_buf_fini(&d.answer);
}

// ---- reading

// The next `size` bytes. False: there are fewer.
static bool take(struct pl_slice *rest, uint64_t size, struct pl_slice *out)
{
    if (size > rest->len)
        return false;
    *out = pl_slice_make(rest->ptr, (size_t)size);
    *rest = pl_slice_sub(*rest, (size_t)size, rest->len);
    return true;
}

static bool take_head(struct pl_slice *rest, void *head, size_t size)
{
    struct pl_slice bytes;
    if (!take(rest, size, &bytes))
        return false;
    memcpy(head, bytes.ptr, size);
    return true;
}

bool row_labels_read(struct pl_slice answer, struct row_labels *out)
{
    out->rest = answer;
    if (!take_head(&out->rest, &out->head, sizeof out->head))
        return false;
    out->head.code[sizeof out->head.code - 1] = out->head.message[sizeof out->head.message - 1] = '\0';
    return true;
}

bool row_labels_next(struct row_labels *labels, struct row_label *out)
{
    struct label_head head;
    struct pl_slice file;
    if (!take_head(&labels->rest, &head, sizeof head) || !take(&labels->rest, head.sizes[0], &file) ||
        !take(&labels->rest, head.sizes[1], &out->members) || !take(&labels->rest, head.sizes[2], &out->warnings))
        return false;
    out->file = (struct platen_buffer){.data = (uint8_t *)(uintptr_t)file.ptr, .size = file.len, .capacity = file.len};
    out->copies = head.copies;
    out->warned = head.warned != 0;
    return true;
}

// Is `open` TEXT `close` one JSON value of one line?
static bool is_json(const char *open, struct pl_slice text, const char *close)
{
    struct pl_json_reader reader;
    struct pl_buf whole;
    pl_buf_init(&whole, SIZE_MAX / 2);
    pl_buf_append_cstr(&whole, open);
    pl_buf_append_slice(&whole, text);
    pl_buf_append_cstr(&whole, close);
    bool ok = !whole.failed && !memchr(whole.data, '\n', whole.len);
    pl_json_reader_init(&reader, pl_buf_slice(&whole));
    enum pl_json_event first = ok ? pl_json_next(&reader) : PL_JSON_BAD;
    ok = (first == PL_JSON_OBJECT || first == PL_JSON_ARRAY) && pl_json_skip(&reader) &&
         pl_json_next(&reader) == PL_JSON_END;
    pl_buf_fini(&whole);
    return ok;
}

static bool is_plain(const char *text)
{
    for (; *text; text++) {
        if ((uint8_t)*text < ' ' || *text == 0x7F)
            return false;
    }
    return true;
}

bool row_labels_sound(struct pl_slice answer, const struct control_values *values, uint32_t copies)
{
    struct row_labels labels;
    struct row_label label;
    bool json = values->format == OUTPUT_JSON, collapsed = values->copies == COPIES_COLLAPSE;
    if (!row_labels_read(answer, &labels))
        return false;
    bool ok = labels.head.status ? is_plain(labels.head.code) && is_plain(labels.head.message) : labels.head.count > 0;
    for (uint32_t i = 0; ok && i < labels.head.count; i++) {
        ok = row_labels_next(&labels, &label) && label.copies > 0 && (collapsed || label.copies <= copies) &&
             (label.warnings.len == 0 || is_json("", label.warnings, "")) &&
             (json ? is_json("{", label.members, "}") : label.members.len == 0);
    }
    return ok && labels.rest.len == 0;
}
