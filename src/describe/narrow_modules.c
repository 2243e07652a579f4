// Findings about barcodes whose modules are narrower than the caller wants.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "describe/describe.h"
#include "render/render.h"

// Lines counted up to places at equal distances, so that any place is found from the one before it.
#define LINE_MARKS 512
struct line_marks {
    struct pl_slice zpl;
    size_t step; // 0: not yet counted
    struct {
        uint32_t lines, line_start; // line ends before the mark, and where its line begins
    } at[LINE_MARKS];
};

// Counts on from `from` to `to`.
static void count_lines(struct pl_slice zpl, size_t from, size_t to, uint32_t *lines, uint32_t *line_start)
{
    uint32_t found = 0;
    for (size_t i = from; i < to; i++)
        found += zpl.ptr[i] == '\n';
    if (found > 0)
        *line_start = (uint32_t)((const uint8_t *)memrchr(zpl.ptr + from, '\n', to - from) - zpl.ptr) + 1;
    *lines += found;
}

static void locate(struct line_marks *marks, struct platen_diagnostic *d)
{
    struct pl_slice zpl = marks->zpl;
    if (marks->step == 0) {
        marks->step = zpl.len / LINE_MARKS + 1;
        uint32_t lines = 0, line_start = 0;
        for (size_t i = 0; i < LINE_MARKS; i++) {
            marks->at[i].lines = lines;
            marks->at[i].line_start = line_start;
            size_t from = PL_MIN(i * marks->step, zpl.len);
            count_lines(zpl, from, PL_MIN(from + marks->step, zpl.len), &lines, &line_start);
        }
    }
    size_t end = PL_MIN((size_t)d->offset, zpl.len), mark = PL_MIN(end / marks->step, (size_t)LINE_MARKS - 1);
    uint32_t lines = marks->at[mark].lines, line_start = marks->at[mark].line_start;
    count_lines(zpl, mark * marks->step, end, &lines, &line_start);
    d->line = lines + 1;
    d->column = d->offset - line_start + 1;
}

void pl_describe_narrow_modules(const struct platen_document *document, const struct platen_page *page,
                                double min_module_mm, struct pl_diagnostic_watch found)
{
    if (!(min_module_mm > 0) || document->options.min_module_mm > 0) // then they are findings of the page
        return;
    struct line_marks marks;
    marks.zpl = document->input;
    marks.step = 0;
    uint32_t count = platen_page_element_count(page);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_element e;
        if (!platen_page_element_at(page, i, &e) || e.type != PLATEN_BARCODE || e.module_dots == 0 ||
            pl_describe_module_mm(&e, page->dpmm) + 1e-9 >= min_module_mm)
            continue;
        char narrow[PL_FMT_DOUBLE_MAX], wanted[PL_FMT_DOUBLE_MAX], text[160];
        pl_format_fixed(pl_describe_module_mm(&e, page->dpmm), 3, narrow);
        pl_format_double(min_module_mm, wanted);
        snprintf(text, sizeof text, "The barcode's module is %s mm wide; at least %s mm was asked for.", narrow,
                 wanted);
        struct platen_diagnostic d = {.code = "module_below_minimum",
                                      .severity = PLATEN_WARNING,
                                      .message = text,
                                      .command = e.command,
                                      .offset = e.offset,
                                      .length = e.length,
                                      .label = page->diags.label,
                                      .element = (int32_t)i,
                                      .missing_mm = min_module_mm - pl_describe_module_mm(&e, page->dpmm)};
        locate(&marks, &d);
        found.seen(found.context, &d);
    }
}
