// JUnit's XML, as Jenkins and GitLab read it: a suite for each file, a case for each label.
//
// What fails a run is the case's failure, in one element, since some readers take only the first; what does not is
// written to its output.

#include "check_escape.h"
#include "check_format.h"

#define CASES_MAX 1000u // labels without findings that have a case each

struct part {
    const char *path;
    const struct check_findings *all;
    struct pl_buf *out;
};

static void open_case(const struct part *p, const char *name, uint32_t number, uint32_t line)
{
    pl_buf_append_cstr(p->out, "  <testcase classname=\"");
    check_put_xml(p->out, check_shown_path(p->path));
    pl_buf_printf(p->out, "\" name=\"%s", name);
    if (number)
        pl_buf_printf(p->out, " %u", number);
    pl_buf_append_cstr(p->out, "\" file=\"");
    check_put_xml(p->out, p->path);
    pl_buf_append_byte(p->out, '"');
    if (line)
        pl_buf_printf(p->out, " line=\"%u\"", line);
    pl_buf_append_cstr(p->out, " time=\"0\"");
}

static void put_lines(const struct part *p, uint32_t from, uint32_t to, bool failing)
{
    for (uint32_t i = from; i < to; i++) {
        const struct check_finding *f = &p->all->items[i];
        if (check_fails(p->all->settings, f->d.severity) != failing)
            continue;
        check_put_xml(p->out, p->path);
        if (f->d.line > 0)
            pl_buf_printf(p->out, ":%u:%u", f->d.line, f->d.column);
        pl_buf_printf(p->out, ": %s: ", platen_severity_name(f->d.severity));
        check_put_xml(p->out, f->d.message);
        pl_buf_printf(p->out, " [%s]", f->d.code);
        if (f->has_place) {
            pl_buf_append_cstr(p->out, " (");
            check_put_place(p->out, p->all, f);
            pl_buf_append_byte(p->out, ')');
        }
        pl_buf_append_byte(p->out, '\n');
    }
}

// The findings of one case: from, to.
static void put_case(const struct part *p, const char *name, uint32_t number, uint32_t from, uint32_t to)
{
    const struct check_finding *first = NULL;
    uint32_t failing = 0;
    for (uint32_t i = from; i < to; i++) {
        if (check_fails(p->all->settings, p->all->items[i].d.severity)) {
            first = first ? first : &p->all->items[i];
            failing++;
        }
    }
    open_case(p, name, number, first ? first->d.line : 0);
    if (from == to) {
        pl_buf_append_cstr(p->out, "/>\n");
        return;
    }
    pl_buf_append_cstr(p->out, ">\n");
    if (first) {
        pl_buf_printf(p->out, "    <failure type=\"%s\" message=\"", first->d.code);
        check_put_xml(p->out, first->d.message);
        if (failing > 1)
            pl_buf_printf(p->out, " (and %u more)", failing - 1);
        pl_buf_append_cstr(p->out, "\">");
        put_lines(p, from, to, true);
        pl_buf_append_cstr(p->out, "</failure>\n");
    }
    if (failing < to - from) {
        pl_buf_append_cstr(p->out, "    <system-out>");
        put_lines(p, from, to, false);
        pl_buf_append_cstr(p->out, "</system-out>\n");
    }
    pl_buf_append_cstr(p->out, "  </testcase>\n");
}

// The first finding behind those of the label.
static uint32_t end_of_label(const struct check_findings *all, uint32_t from, int32_t label)
{
    while (from < all->count && all->items[from].d.label <= label)
        from++;
    return from;
}

// Writes the cases, or only counts them and the failing ones.
static uint32_t cases(const struct part *p, bool write, uint32_t *failing)
{
    const struct check_findings *all = p->all;
    uint32_t count = 0, without = 0, from = 0;
    *failing = 0;
    for (int64_t label = -1; label < (int64_t)all->counts.labels; label++) {
        uint32_t to = end_of_label(all, from, (int32_t)label);
        bool fails = false;
        for (uint32_t i = from; i < to; i++)
            fails = fails || check_fails(all->settings, all->items[i].d.severity);
        bool shown = to > from || (label < 0 ? all->counts.labels == 0 : without++ < CASES_MAX);
        count += shown;
        *failing += fails;
        if (shown && write)
            put_case(p, label < 0 ? "file" : "label", (uint32_t)(label + 1), from, to);
        from = to;
    }
    return count;
}

void check_junit_input(const char *path, const struct check_findings *all, struct pl_buf *out)
{
    const struct part part = {path, all, out};
    uint32_t failing, count = cases(&part, false, &failing);
    pl_buf_append_cstr(out, " <testsuite name=\"");
    check_put_xml(out, check_shown_path(path));
    pl_buf_printf(out, "\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"0\" time=\"0\">\n", count, failing);
    cases(&part, true, &failing);
    pl_buf_append_cstr(out, " </testsuite>\n");
}
