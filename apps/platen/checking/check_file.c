// One input of `platen check`.
#include "check_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "answer/languages.h"
#include "base/ckd.h"
#include "base/diag.h"
#include "base/fmt.h"
#include "check_report.h"

#define MEMORY_MAX ((size_t)256 << 20) // for the findings of an input
#define REPORT_MAX ((size_t)48 << 20)  // bytes of its part of the page
#define LOOKS_MAX 50000000u            // elements looked at for places: bounds what a hostile label can cost

// ---- messages

enum {
    FIELD_LABELS = PLATEN_ERROR + 1,
    FIELD_IGNORED,
    FIELD_LEFT_OUT,
    FIELD_HIDDEN,
    FIELD_KNOWN,
    FIELD_OUTPUT,
    FIELD_REPORT,
    FIELD_COUNT
};
#define FIELD_DIGITS 8u

static void write_message(const struct check_counts *counts, struct pl_slice output, struct pl_slice report,
                          struct pl_buf *out)
{
    const uint32_t fields[FIELD_COUNT] = {counts->by_severity[0], counts->by_severity[1], counts->by_severity[2],
                                          counts->labels,         counts->ignored,        counts->left_out,
                                          counts->hidden,         counts->known,          (uint32_t)output.len,
                                          (uint32_t)report.len};
    for (size_t i = 0; i < FIELD_COUNT; i++)
        pl_buf_printf(out, "%08x", fields[i]);
    pl_buf_append_slice(out, output);
    pl_buf_append_slice(out, report);
}

static bool read_field(const uint8_t *digits, uint32_t *out)
{
    *out = 0;
    for (size_t i = 0; i < FIELD_DIGITS; i++) {
        int value = pl_hex_value(digits[i]);
        if (value < 0)
            return false;
        *out = *out << 4 | (uint32_t)value;
    }
    return true;
}

bool check_message_read(struct pl_slice text, struct check_message *out)
{
    uint32_t fields[FIELD_COUNT];
    const size_t head = (size_t)FIELD_COUNT * FIELD_DIGITS;
    if (text.len < head)
        return false;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (!read_field(text.ptr + i * FIELD_DIGITS, &fields[i]))
            return false;
    }
    if (text.len - head != (uint64_t)fields[FIELD_OUTPUT] + fields[FIELD_REPORT])
        return false;
    *out = (struct check_message){.counts = {.by_severity = {fields[0], fields[1], fields[2]},
                                             .labels = fields[FIELD_LABELS],
                                             .ignored = fields[FIELD_IGNORED],
                                             .left_out = fields[FIELD_LEFT_OUT],
                                             .hidden = fields[FIELD_HIDDEN],
                                             .known = fields[FIELD_KNOWN]},
                                  .output = pl_slice_sub(text, head, fields[FIELD_OUTPUT]),
                                  .report = pl_slice_sub(text, head + fields[FIELD_OUTPUT], text.len)};
    return true;
}

// ---- gathering

struct checking {
    struct platen_worker *worker;
    const struct check_request *request;
    const char *path;
    struct pl_slice zpl;
    struct platen_document *document;
    struct check_findings all;
    struct check_report report;
    uint64_t looks;
    // For findings of own rules: where the label begins in the input, the number of its line, and where that begins.
    struct pl_line_mark mark;
};

// A finding of the run itself.
static void add_own(struct checking *c, const char *code, int32_t label, const char *message)
{
    struct platen_diagnostic d = {.code = code, .message = message, .command = "", .label = label, .element = -1};
    struct check_code known;
    uint32_t index;
    if (check_code_find(pl_slice_cstr(code), &index) && check_code_at(index, &known))
        d.severity = known.severity;
    check_findings_add(&c->all, &d, NULL);
}

static void add_failure(struct checking *c, int32_t label, const struct platen_error *err)
{
    char text[CLI_FAILURE_SIZE];
    cli_failure(err, text, sizeof text);
    add_own(c, CHECK_NOT_CHECKED, label, text);
}

static void add_parse_findings(struct checking *c)
{
    struct platen_diagnostic d;
    struct platen_label label;
    for (uint32_t i = 0; platen_diagnostic_at(c->document, i, &d); i++) {
        bool inside = d.label >= 0 && platen_label_at(c->document, (uint32_t)d.label, &label);
        check_findings_add(&c->all, &d, inside ? &label : NULL);
    }
    // How grave they are is not known: they count as warnings.
    uint32_t dropped = platen_diagnostics_dropped(c->document);
    c->all.counts.by_severity[PLATEN_WARNING] += dropped;
    c->all.counts.left_out += dropped;
}

// The element that a finding is about, by its number or by the place of its code.
static bool find_element(struct checking *c, const struct platen_page *page, const struct platen_diagnostic *d,
                         struct platen_element *element)
{
    if (d->element >= 0)
        return platen_page_element_at(page, (uint32_t)d->element, element);
    for (uint32_t i = 0; d->length > 0 && c->looks < LOOKS_MAX && platen_page_element_at(page, i, element); i++) {
        c->looks++;
        if (d->offset >= element->offset && d->offset - element->offset < element->length)
            return true;
    }
    return false;
}

static void find_place(struct checking *c, const struct platen_page *page, struct check_finding *f)
{
    struct platen_element e;
    if (!find_element(c, page, &f->d, &e) || e.width == 0 || e.height == 0)
        return;
    f->has_place = true;
    f->place = (struct check_box){e.x, e.y, e.width, e.height};
}

// Adds findings of one label to the page, by two ranges; without its page they have no picture.
static void report(struct checking *c, const struct platen_page *page, const uint32_t ranges[4])
{
    struct check_report_list list;
    if (!c->request->report)
        return;
    list.items = check_findings_ordered(&c->all, ranges, &list.count);
    if (list.count == 0)
        return;
    if (page)
        check_report_label(&c->report, c->worker, page, &c->all, &list);
    else
        check_report_findings(&c->report, &c->all, &list);
}

// The first findings are in no label: they have no picture.
static void add_loose(struct checking *c, uint32_t count)
{
    report(c, NULL, (const uint32_t[4]){0, count});
}

// The line of a byte behind the mark, which stays within its label.
static uint32_t line_of(const struct checking *c, size_t offset, uint32_t *column)
{
    struct pl_line_mark at = c->mark;
    pl_line_mark_move(&at, c->zpl, offset);
    *column = (uint32_t)(offset - at.start) + 1;
    return at.line;
}

static void add_broken(void *user, struct platen_diagnostic *d, const struct platen_label *label)
{
    struct checking *c = user;
    // Of a stored format the field is elsewhere.
    if (d->offset < label->offset || d->offset - label->offset > label->length) {
        d->offset = label->offset;
        d->length = 0;
    }
    d->line = line_of(c, d->offset, &d->column);
    check_findings_add(&c->all, d, label);
}

static void apply_own_rules(struct checking *c, const struct platen_page *page, const struct platen_label *label,
                            uint32_t index)
{
    const struct check_own_rules *rules = &c->request->settings->own_rules;
    const struct check_drawn drawn = {page, label, index, c->all.dpmm};
    if (rules->count == 0 || label->offset > c->zpl.len || label->offset < c->mark.read)
        return;
    pl_line_mark_move(&c->mark, c->zpl, label->offset);
    check_own_rules_apply(rules, check_policy_path(c->path), &drawn, add_broken, c);
}

// Draws a label and gathers what drawing finds. [from, to) are the findings of the parse that are in it.
static void check_label(struct checking *c, uint32_t index, uint32_t from, uint32_t to)
{
    struct platen_label label;
    struct platen_error err;
    const struct platen_page *page;
    struct platen_diagnostic d;
    uint32_t drawn = c->all.count;
    platen_label_at(c->document, index, &label);
    if (platen_draw(c->worker, c->document, index, &page, &err) != PLATEN_OK) {
        add_failure(c, (int32_t)index, &err);
        report(c, NULL, (const uint32_t[4]){from, to, drawn, c->all.count});
        return;
    }
    for (uint32_t i = 0; platen_page_diagnostic_at(page, i, &d); i++)
        check_findings_add(&c->all, &d, &label);
    apply_own_rules(c, page, &label, index);
    for (uint32_t i = from; i < to; i++)
        find_place(c, page, &c->all.items[i]);
    for (uint32_t i = drawn; i < c->all.count; i++)
        find_place(c, page, &c->all.items[i]);
    report(c, page, (const uint32_t[4]){from, to, drawn, c->all.count});
}

static void check_document(struct checking *c)
{
    uint32_t labels = platen_label_count(c->document), from = 0;
    c->all.counts.labels = labels;
    c->mark = PL_FIRST_LINE;
    check_findings_read_comments(&c->all, c->zpl, c->document);
    add_parse_findings(c);
    check_findings_sort(&c->all);
    uint32_t parsed = c->all.count;
    while (from < parsed && c->all.items[from].d.label < 0)
        from++;
    add_loose(c, from);
    for (uint32_t i = 0; i < labels; i++) {
        uint32_t to = from;
        while (to < parsed && c->all.items[to].d.label == (int32_t)i)
            to++;
        check_label(c, i, from, to);
        from = to;
    }
}

static void check_zpl(struct checking *c)
{
    struct platen_error err;
    const struct check_settings *s = c->request->settings;
    struct platen_options options = s->common.render;
    options.want_elements = true;
    options.collapse_copies = true;
    options.verify = !s->no_verify;
    // With --timeout the process is ended from outside.
    options.deadline_ns = s->timeout_ms ? 0 : cli_deadline(&s->common.limits);
    if (platen_parse(c->worker, c->zpl.ptr, c->zpl.len, &options, &c->document, &err) != PLATEN_OK) {
        add_failure(c, -1, &err);
        add_loose(c, c->all.count);
        return;
    }
    cli_more_time(&s->common.limits, options.deadline_ns, c->document);
    check_document(c);
    check_findings_count_columns(&c->all, c->zpl);
    platen_document_free(c->document);
}

// ---- one input

// Reports what cli_read wrote, without the name of the file.
static void add_unread(struct checking *c, struct pl_buf *said)
{
    size_t skip = strlen("platen: ") + strlen(check_shown_path(c->path)) + strlen(": ");
    if (said->len > 0 && said->data[said->len - 1] == '\n')
        said->len--;
    pl_buf_append_byte(said, '\0');
    const char *why = said->failed || said->len <= skip + 1 ? NULL : (char *)said->data + skip;
    // A folder is an input only where there is nothing else to add (path_list_add_tree).
    char none[32 + LANGUAGES_TEXT_MAX], files[LANGUAGES_TEXT_MAX];
    if (why && strcmp(why, strerror(EISDIR)) == 0) {
        snprintf(none, sizeof none, "no label files (%s) in this folder", language_list(files, true));
        why = none;
    }
    add_own(c, CHECK_FILE_UNREADABLE, -1, why ? why : "it cannot be read");
}

static void read_and_check(struct checking *c)
{
    const struct cli_files *files = c->request->files;
    struct pl_buf said;
    struct cli_input zpl;
    size_t limit = c->request->input_limit;
    pl_buf_init(&said, 65536);
    const struct message_sink sink = message_into(&said);
    bool ok = files ? files->read(files->user, c->path, limit, &zpl, &sink) : cli_read(c->path, limit, &zpl, &sink);
    if (ok) {
        c->zpl = pl_slice_make(zpl.data, zpl.size);
        check_zpl(c);
        cli_input_free(&zpl);
    } else {
        add_unread(c, &said);
        add_loose(c, c->all.count);
    }
    pl_buf_fini(&said);
}

static void begin(struct checking *c, struct pl_arena *memory, size_t item)
{
    double dpmm = c->request->settings->common.render.dpmm;
    pl_arena_init(memory, MEMORY_MAX);
    c->all = (struct check_findings){.settings = c->request->settings,
                                     .path = check_policy_path(c->path),
                                     .memory = memory,
                                     .dpmm = dpmm > 0 ? dpmm : 8};
    check_report_init(&c->report, c->path, item, REPORT_MAX);
}

// False: there was no room for the message, and nothing was appended.
static bool end(struct checking *c, struct pl_arena *memory, struct pl_buf *out)
{
    struct pl_buf output;
    pl_buf_init(&output, CHECK_MESSAGE_MAX - REPORT_MAX - 4096);
    check_findings_sort(&c->all);
    check_format_input(c->request->format, c->path, &c->all, &output);
    check_report_end(&c->report);
    bool whole = !output.failed && !c->all.short_of_memory;
    if (whole)
        write_message(&c->all.counts, pl_buf_slice(&output), pl_buf_slice(&c->report.out), out);
    pl_buf_fini(&output);
    check_report_fini(&c->report);
    pl_arena_fini(memory);
    return whole;
}

void check_input(struct platen_worker *worker, const struct check_request *request, const char *path, size_t item,
                 struct pl_buf *out)
{
    struct checking c = {.worker = worker, .request = request, .path = path};
    struct pl_arena memory;
    begin(&c, &memory, item);
    read_and_check(&c);
    if (!end(&c, &memory, out))
        check_input_failed(request, path, item, CHECK_NOT_CHECKED, "not enough memory", out);
}

void check_input_failed(const struct check_request *request, const char *path, size_t item, const char *code,
                        const char *why, struct pl_buf *out)
{
    struct checking c = {.request = request, .path = path};
    struct pl_arena memory;
    begin(&c, &memory, item);
    add_own(&c, code, -1, why);
    add_loose(&c, c.all.count);
    if (!end(&c, &memory, out))
        out->failed = true;
}
