// Labels with findings as HTML: one page that needs no other file and no script.
//
// A picture is in the page once: crops use it again.
#include "check_report.h"

#include "base/base64.h"
#include "base/ckd.h"
#include "check_escape.h"

#define PICTURES_MAX 20u     // of one input
#define CROP_MARGIN_MM 3.0   // around the place
#define CROP_LEAST_MM 10.0   // width and height
#define CROP_WIDTH_PX 320.0  // at most
#define CROP_HEIGHT_PX 180.0 // at most
#define OUTSIDE_MM 5.0       // how much beyond the label is shown

static const char STYLE[] =
    ":root{color-scheme:light dark;--fg:#1a1c1e;--bg:#f5f6f7;--card:#fff;--line:#d5d9dd;--soft:#555c63;"
    "--error:#b3261e;--warning:#8a5300;--info:#1e5fa8}"
    "@media(prefers-color-scheme:dark){:root{--fg:#e4e6e8;--bg:#141618;--card:#1f2225;--line:#3a3f44;--soft:#a5adb5;"
    "--error:#ff8a80;--warning:#ffb951;--info:#8ab8f5}}"
    "*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}"
    "main{max-width:72rem;margin:0 auto;padding:1rem;display:flex;flex-direction:column}"
    "h1{font-size:1.5rem;margin:.5rem 0;order:-2}.summary{order:-1;margin:0}"
    "h2{font-size:1.1rem;margin:2rem 0 .5rem;overflow-wrap:anywhere}h3{font-size:1rem;margin:0 0 .5rem}"
    "article{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:0 0 1rem}"
    ".label{display:grid;grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:1.5rem;align-items:start}"
    "@media(max-width:40rem){.label{grid-template-columns:minmax(0,1fr)}}"
    "svg{display:block;max-width:100%;height:auto;background:#fff;border:1px solid var(--line)}"
    "svg.crop{background:#9aa0a6;margin:.4rem 0 0}image{image-rendering:pixelated}"
    "rect{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}.e{stroke:#d3302f}.w{stroke:#d97706}.i{stroke:#"
    "1e6fd9}"
    "ol{margin:0;padding-left:1.6rem}ol.loose{padding-left:1.2rem}li{margin:0 0 .9rem;overflow-wrap:anywhere}"
    "b.e{color:var(--error)}b.w{color:var(--warning)}b.i{color:var(--info)}"
    ".where,.note{color:var(--soft);font-size:.875rem}code{font-size:.875em}";

static const char LETTERS[] = "iwe"; // of severities, for the style

void check_report_open(struct pl_buf *out)
{
    pl_buf_append_cstr(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                            "style-src 'unsafe-inline'\"><title>Label check</title><style>");
    pl_buf_append_cstr(out, STYLE);
    pl_buf_append_cstr(out, "</style></head><body><main><h1>Label check</h1>\n");
}

void check_report_close(const struct check_totals *totals, uint64_t left_out, struct pl_buf *out)
{
    struct pl_buf line;
    pl_buf_init(&line, 65536);
    check_format_summary(totals, &line);
    pl_buf_append_byte(&line, '\0');
    if (left_out) {
        pl_buf_append_cstr(out, "<p class=\"note\">");
        pl_buf_append_u64(out, left_out);
        pl_buf_append_cstr(out, " more files with findings are not shown.</p>\n");
    }
    // It is known last and shown first, by the style.
    pl_buf_append_cstr(out, "<p class=\"summary\"><b>Summary:</b> ");
    if (!line.failed)
        check_put_xml(out, (const char *)line.data);
    pl_buf_append_cstr(out, "</p></main></body></html>\n");
    pl_buf_fini(&line);
}

void check_report_init(struct check_report *report, const char *path, size_t item, size_t max)
{
    *report = (struct check_report){.path = path, .item = item};
    pl_buf_init(&report->out, max);
}

void check_report_fini(struct check_report *report)
{
    pl_buf_fini(&report->out);
}

static void put_heading(struct check_report *r, struct pl_buf *out)
{
    if (r->out.len > 0)
        return;
    pl_buf_append_cstr(out, "<section><h2>");
    check_put_xml(out, check_shown_path(r->path));
    pl_buf_append_cstr(out, "</h2>\n");
}

// Adds a section as a whole, or not at all: then the part is as it was.
static bool add_whole(struct check_report *r, const struct pl_buf *section)
{
    if (section->failed || section->len + 1024 > r->out.max - r->out.len)
        return false;
    pl_buf_append_slice(&r->out, pl_buf_slice(section));
    return !r->out.failed;
}

// ---- pictures

struct view {
    const struct check_report *report;
    uint32_t width, height; // of the page, in dots
    double dpmm;
};

static void put_rect(struct pl_buf *out, const struct check_finding *f)
{
    pl_buf_printf(out, "<rect class=\"%c\" x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\"/>", LETTERS[f->d.severity],
                  f->place.x, f->place.y, f->place.width, f->place.height);
}

static bool put_picture(struct pl_buf *out, const struct view *v, struct platen_worker *worker,
                        const struct platen_page *page)
{
    struct platen_buffer png = {0};
    bool ok = platen_encode(worker, page, PLATEN_PNG, NULL, &png, NULL) == PLATEN_OK;
    if (ok) {
        pl_buf_printf(out, "<image id=\"p%zu-%u\" width=\"%u\" height=\"%u\" href=\"data:image/png;base64,",
                      v->report->item, v->report->pictures, v->width, v->height);
        size_t size = pl_base64_encoded_size(png.size);
        uint8_t *at = pl_buf_reserve(out, size);
        if (at)
            out->len += pl_base64_encode(pl_slice_make(png.data, png.size), (char *)at);
        pl_buf_append_cstr(out, "\"/>");
    }
    platen_buffer_free(&png);
    return ok && !out->failed;
}

// A range around a place, on a page of this size; never far outside.
static void widen(double from, double size, double page, double dpmm, double *start, double *length)
{
    double margin = CROP_MARGIN_MM * dpmm, least = CROP_LEAST_MM * dpmm, outside = OUTSIDE_MM * dpmm;
    double low = from - margin, high = from + size + margin;
    if (high - low < least) {
        double more = (least - (high - low)) / 2;
        low -= more;
        high += more;
    }
    low = PL_MIN(PL_MAX(low, -outside), page + outside - least);
    high = PL_MIN(PL_MAX(high, low + least), page + outside);
    *start = low;
    *length = PL_MAX(high - low, least);
}

static void put_crop(struct pl_buf *out, const struct view *v, const struct check_finding *f)
{
    double x, y, width, height;
    widen(f->place.x, f->place.width, v->width, v->dpmm, &x, &width);
    widen(f->place.y, f->place.height, v->height, v->dpmm, &y, &height);
    double scale = PL_MIN(CROP_WIDTH_PX / width, CROP_HEIGHT_PX / height);
    pl_buf_append_cstr(out, "<svg class=\"crop\" role=\"img\" aria-label=\"The place on the label\" viewBox=\"");
    const double box[] = {x, y, width, height, width * scale, height * scale};
    static const char *const BEHIND[] = {" ", " ", " ", "\" width=\"", "\" height=\"", "\">"};
    for (size_t i = 0; i < PL_COUNTOF(box); i++) {
        check_put_number(out, box[i], 1);
        pl_buf_append_cstr(out, BEHIND[i]);
    }
    pl_buf_printf(out, "<use href=\"#p%zu-%u\"/>", v->report->item, v->report->pictures);
    put_rect(out, f);
    pl_buf_append_cstr(out, "</svg>");
}

// ---- findings

static void put_finding(struct pl_buf *out, const struct view *v, const struct check_findings *all,
                        const struct check_finding *f)
{
    pl_buf_printf(out, "<li><b class=\"%c\">%s</b> ", LETTERS[f->d.severity], platen_severity_name(f->d.severity));
    check_put_xml(out, f->d.message);
    pl_buf_printf(out, " <code>%s</code>", f->d.code);
    if (f->d.line > 0 || f->has_place) {
        pl_buf_append_cstr(out, "<br><span class=\"where\">");
        if (f->d.line > 0)
            pl_buf_printf(out, "line %u, column %u%s", f->d.line, f->d.column, f->has_place ? "; " : "");
        if (f->has_place)
            check_put_place(out, all, f);
        pl_buf_append_cstr(out, "</span>");
    }
    if (v && f->has_place)
        put_crop(out, v, f);
    pl_buf_append_cstr(out, "</li>\n");
}

static void put_findings(struct pl_buf *out, const struct view *v, const struct check_findings *all,
                         const struct check_report_list *list)
{
    pl_buf_append_cstr(out, v ? "<ol>" : "<ol class=\"loose\">");
    for (uint32_t n = 0; n < list->count; n++)
        put_finding(out, v, all, list->items[n]);
    pl_buf_append_cstr(out, "</ol>");
}

void check_report_findings(struct check_report *r, const struct check_findings *all,
                           const struct check_report_list *list)
{
    struct pl_buf section;
    pl_buf_init(&section, r->out.max);
    put_heading(r, &section);
    pl_buf_append_cstr(&section, "<article>");
    if (list->count && list->items[0]->d.label >= 0)
        pl_buf_printf(&section, "<h3>Label %d of %u</h3>", list->items[0]->d.label + 1, all->counts.labels);
    put_findings(&section, NULL, all, list);
    pl_buf_append_cstr(&section, "</article>\n");
    add_whole(r, &section);
    pl_buf_fini(&section);
}

void check_report_label(struct check_report *r, struct platen_worker *worker, const struct platen_page *page,
                        const struct check_findings *all, const struct check_report_list *list)
{
    struct platen_bitmap bitmap;
    platen_page_bitmap(page, &bitmap);
    const struct view view = {.report = r, .width = bitmap.width, .height = bitmap.height, .dpmm = all->dpmm};
    if (r->pictures >= PICTURES_MAX) {
        check_report_findings(r, all, list);
        return;
    }
    struct pl_buf section;
    pl_buf_init(&section, r->out.max);
    put_heading(r, &section);
    pl_buf_printf(&section,
                  "<article><h3>Label %d of %u</h3><div class=\"label\"><svg role=\"img\" aria-label=\"The label\" "
                  "viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\">",
                  list->items[0]->d.label + 1, all->counts.labels, view.width, view.height, view.width, view.height);
    bool pictured = put_picture(&section, &view, worker, page);
    for (uint32_t n = 0; n < list->count; n++) {
        if (list->items[n]->has_place)
            put_rect(&section, list->items[n]);
    }
    pl_buf_append_cstr(&section, "</svg><div>");
    put_findings(&section, &view, all, list);
    pl_buf_append_cstr(&section, "</div></div></article>\n");
    if (pictured && add_whole(r, &section))
        r->pictures++;
    else
        check_report_findings(r, all, list);
    pl_buf_fini(&section);
}

void check_report_end(struct check_report *r)
{
    if (r->out.len > 0)
        pl_buf_append_cstr(&r->out, "</section>\n");
}
