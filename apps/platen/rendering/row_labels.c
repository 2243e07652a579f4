// The labels of one document of `platen render` with rows, or with one output for many documents.
#include "row_labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/json_reader.h"
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

// ---- drawing

static bool make_room(struct row_labels *row, uint32_t count)
{
    row->parts = calloc(count, sizeof *row->parts);
    row->copies = calloc(count, sizeof *row->copies);
    return (row->parts && row->copies) || row_refuse(&row->document, "memory", "not enough memory");
}

static bool draw_labels(struct row_labels *row, struct platen_worker *worker, const struct platen_document *document,
                        size_t most)
{
    struct row_document *d = &row->document;
    const struct control_values *c = &d->controls.values;
    uint32_t count = platen_label_count(document), warnings = 0, first = 0;
    if (count == 0)
        return row_refuse(d, "no_labels", "there is no label in it");
    if (control_values_have(c, CONTROL_PAGE)) {
        if (c->page > UINT32_MAX || !platen_label_of_page(document, (uint32_t)c->page, &first))
            return row_refuse(d, "page_out_of_range", "there is no such page");
        count = 1;
    }
    if (!make_room(row, count))
        return false;
    const struct label_part_options wanted = {.controls = c};
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
        row->copies[i] = control_values_have(c, CONTROL_PAGE) ? 1 : info.copies;
        warnings += part->found.count;
    }
    if (!c->strict)
        return true;
    struct summary summary;
    if (!summary_of_document(document, &summary))
        return row_refuse(d, "memory", "not enough memory");
    warnings += d->controls.unknown_count + summary_warnings_outside(&summary, first, count);
    summary_free(&summary);
    return warnings == 0 || row_refuse(d, "warnings", "there are warnings, and strict was asked for");
}

void row_labels_draw(struct row_labels *row, struct pl_slice zpl, struct platen_worker *worker,
                     const struct cli_limits *limits, size_t most)
{
    struct row_document *d = &row->document;
    struct platen_options options = controls_options(&d->controls.values);
    struct platen_document *document;
    struct platen_error err;
    options.deadline_ns = cli_deadline(limits);
    if (options.deadline_ns)
        options.deadline_ns -= PL_MIN(d->spent_ns, options.deadline_ns - 1);
    options.has_time = controls_has(&d->controls, CONTROL_TIME);
    options.time = d->controls.time;
    if (platen_parse(worker, zpl.ptr, zpl.len, &options, &document, &err) != PLATEN_OK) {
        row_fail(d, &err);
        return;
    }
    template_put_notes(&d->notes, document);
    cli_more_time(limits, options.deadline_ns, document);
    (void)draw_labels(row, worker, document, most);
    platen_document_free(document);
}

// ---- the answer of a process

// It begins with this, and each label with the other.
struct row_head {
    uint32_t count; // of labels
    int32_t status; // not 0: there is a problem instead
    char code[sizeof(((struct row_labels *)NULL)->code)], message[480];
};
struct label_head {
    uint64_t sizes[3]; // of picture, members, warnings, which follow
    uint32_t copies, warnings;
};

void row_labels_say(const struct row_labels *row, const struct message_sink *sink)
{
    const struct row_document *d = &row->document;
    struct row_head head = {.count = d->failed ? 0 : row->count, .status = d->failed ? d->problem.status : 0};
    struct pl_buf answer;
    if (d->failed) {
        snprintf(head.code, sizeof head.code, "%s", d->problem.code);
        snprintf(head.message, sizeof head.message, "%s", d->problem.message);
    }
    pl_buf_init(&answer, SIZE_MAX / 2);
    pl_buf_append(&answer, &head, sizeof head);
    for (uint32_t i = 0; i < head.count; i++) {
        const struct label_part *part = &row->parts[i];
        const struct label_head label = {.sizes = {part->file.size, part->members.len, part->warnings.len},
                                         .copies = row->copies[i],
                                         .warnings = part->found.count};
        pl_buf_append(&answer, &label, sizeof label);
        pl_buf_append(&answer, part->file.data, part->file.size);
        pl_buf_append_slice(&answer, pl_buf_slice(&part->members));
        pl_buf_append_slice(&answer, pl_buf_slice(&part->warnings));
    }
    if (!answer.failed) // one that is not said found no memory
        message_say(sink, answer.data, answer.len);
    pl_buf_fini(&answer);
}

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

// False: there is no memory for it.
static bool take_label(struct row_labels *row, const struct label_head *head, const struct pl_slice texts[3])
{
    struct label_part *part = &row->parts[row->count];
    label_part_init(part);
    row->copies[row->count++] = head->copies;
    part->found.count = head->warnings;
    part->file.data = malloc(PL_MAX(texts[0].len, (size_t)1));
    if (!part->file.data)
        return false;
    part->file.size = part->file.capacity = texts[0].len;
    memcpy(part->file.data, texts[0].ptr, texts[0].len);
    pl_buf_append_slice(&part->members, texts[1]);
    pl_buf_append_slice(&part->warnings, texts[2]);
    row->bytes += label_part_bytes(part);
    return !label_part_failed(part);
}

static bool take_labels(struct row_labels *row, struct pl_slice rest, uint32_t count, uint32_t copies)
{
    const struct control_values *c = &row->document.controls.values;
    bool json = c->format == OUTPUT_JSON, collapsed = c->copies == COPIES_COLLAPSE;
    struct label_head head;
    struct pl_slice texts[3];
    if (count == 0 || count > rest.len / sizeof head || !make_room(row, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!take_head(&rest, &head, sizeof head) || !take(&rest, head.sizes[0], &texts[0]) ||
            !take(&rest, head.sizes[1], &texts[1]) || !take(&rest, head.sizes[2], &texts[2]))
            return false;
        bool sound = head.copies > 0 && (collapsed || head.copies <= copies) &&
                     (texts[2].len == 0 || is_json("", texts[2], "")) &&
                     (json ? is_json("{", texts[1], "}") : texts[1].len == 0);
        if (!sound || !take_label(row, &head, texts))
            return false;
    }
    return rest.len == 0;
}

bool row_labels_take(struct row_labels *row, struct pl_slice answer, uint32_t copies)
{
    struct row_document *d = &row->document;
    struct row_head head;
    if (!take_head(&answer, &head, sizeof head))
        return false;
    head.code[sizeof head.code - 1] = head.message[sizeof head.message - 1] = '\0';
    if (!head.status && take_labels(row, answer, head.count, copies))
        return true;
    row_labels_clear(row);
    if (!head.status || answer.len > 0 || !is_plain(head.code) || !is_plain(head.message))
        return false;
    d->failed = true;
    memcpy(row->code, head.code, sizeof row->code);
    (void)problem_set(&d->problem, head.status, row->code, "%s", head.message);
    return true;
}
