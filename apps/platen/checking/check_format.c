// Text, JSON and GitHub's commands; the other formats are in files of their own.
#include "check_format.h"

#include <string.h>

#include "base/json_writer.h"
#include "check_escape.h"
#include "describe/describe.h"

const char *check_shown_path(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static bool is_of_several(const struct check_findings *all, const struct check_finding *f)
{
    return f->d.label >= 0 && all->counts.labels > 1;
}

bool check_has_place(const struct check_findings *all, const struct check_finding *f)
{
    return f->has_place || is_of_several(all, f);
}

void check_put_place(struct pl_buf *out, const struct check_findings *all, const struct check_finding *f)
{
    bool several = is_of_several(all, f);
    if (several)
        pl_buf_printf(out, "label %d of %u", f->d.label + 1, all->counts.labels);
    if (f->has_place) {
        pl_buf_append_cstr(out, several ? " at " : "at ");
        check_put_number(out, f->place.x / all->dpmm, 1);
        pl_buf_append_cstr(out, ", ");
        check_put_number(out, f->place.y / all->dpmm, 1);
        pl_buf_append_cstr(out, " mm");
    }
}

// ---- text

static void text_input(const char *path, const struct check_findings *all, struct pl_buf *out)
{
    static const uint8_t COLOURS[] = {CHECK_BLUE, CHECK_YELLOW, CHECK_RED};
    if (check_counts_shown(&all->counts) == 0)
        return;
    pl_buf_append_byte(out, CHECK_BOLD);
    check_put_plain(out, check_shown_path(path));
    pl_buf_append_byte(out, CHECK_PLAIN);
    pl_buf_append_byte(out, '\n');
    for (uint32_t i = 0; i < all->count; i++) {
        const struct check_finding *f = &all->items[i];
        size_t before = out->len;
        if (f->d.line > 0)
            pl_buf_printf(out, "  %u:%u", f->d.line, f->d.column);
        else
            pl_buf_append_cstr(out, "  -");
        do
            pl_buf_append_byte(out, ' ');
        while (!out->failed && out->len < before + 10);
        pl_buf_append_byte(out, COLOURS[f->d.severity]);
        pl_buf_printf(out, "%-8s", platen_severity_name(f->d.severity));
        pl_buf_append_byte(out, CHECK_PLAIN);
        pl_buf_append_byte(out, ' ');
        check_put_plain(out, f->d.message);
        pl_buf_printf(out, " [%s]", f->d.code);
        if (check_has_place(all, f)) {
            pl_buf_append_byte(out, ' ');
            pl_buf_append_byte(out, CHECK_DIM);
            pl_buf_append_byte(out, '(');
            check_put_place(out, all, f);
            pl_buf_append_byte(out, ')');
            pl_buf_append_byte(out, CHECK_PLAIN);
        }
        pl_buf_append_byte(out, '\n');
    }
    if (all->counts.left_out)
        pl_buf_printf(out, "  %u more findings are not shown\n", all->counts.left_out);
    pl_buf_append_byte(out, '\n');
}

static void put_count(struct pl_buf *out, uint64_t count, const char *word, const char *before)
{
    pl_buf_append_cstr(out, before);
    pl_buf_append_u64(out, count);
    pl_buf_printf(out, " %s%s", word, count == 1 ? "" : "s");
}

void check_format_summary(const struct check_totals *t, struct pl_buf *out)
{
    put_count(out, t->files, "file", "");
    put_count(out, t->labels, "label", ", ");
    put_count(out, t->by_severity[PLATEN_ERROR], "error", ": ");
    put_count(out, t->by_severity[PLATEN_WARNING], "warning", ", ");
    put_count(out, t->by_severity[PLATEN_INFO], "note", ", ");
    if (t->ignored) {
        pl_buf_append_cstr(out, ", ");
        pl_buf_append_u64(out, t->ignored);
        pl_buf_append_cstr(out, " ignored");
    }
    if (t->known) {
        pl_buf_append_cstr(out, ", ");
        pl_buf_append_u64(out, t->known);
        pl_buf_append_cstr(out, " in the baseline");
    }
    // A run must not pass for a clean one because it did not look.
    if (t->hidden)
        put_count(out, t->hidden, "error", ", not shown because of --only: ");
    pl_buf_append_cstr(out, t->failed ? "; failed" : "; passed");
    if (t->settings_file) {
        pl_buf_append_cstr(out, " (settings: ");
        check_put_plain(out, t->settings_file);
        pl_buf_append_byte(out, ')');
    }
    pl_buf_append_byte(out, '\n');
}

// ---- GitHub

static void github_input(const char *path, const struct check_findings *all, struct pl_buf *out)
{
    static const char *const COMMANDS[] = {"notice", "warning", "error"};
    for (uint32_t i = 0; i < all->count; i++) {
        const struct check_finding *f = &all->items[i];
        pl_buf_printf(out, "::%s file=", COMMANDS[f->d.severity]);
        check_put_github(out, path, true);
        if (f->d.line > 0)
            pl_buf_printf(out, ",line=%u,col=%u", f->d.line, f->column_utf16);
        pl_buf_printf(out, ",title=%s::", f->d.code);
        check_put_github(out, f->d.message, false);
        if (check_has_place(all, f)) {
            pl_buf_append_cstr(out, " (");
            check_put_place(out, all, f);
            pl_buf_append_byte(out, ')');
        }
        pl_buf_append_byte(out, '\n');
    }
}

// ---- JSON

static void json_mm(struct pl_json_writer *json, const char *key, double dots, double dpmm)
{
    pl_json_key(json, key);
    pl_json_double(json, (double)(int64_t)(dots / dpmm * 1000 + (dots < 0 ? -0.5 : 0.5)) / 1000);
}

// As the service's json has it, and the place in millimetres.
static void json_finding(const struct check_findings *all, const struct check_finding *f, struct pl_buf *out)
{
    struct pl_json_writer json;
    pl_json_writer_init(&json, out);
    pl_describe_diagnostic(&json, &f->d, PL_NO_FIX);
    if (!f->has_place || out->failed)
        return;
    out->len--; // the brace
    pl_buf_append_cstr(out, ",\"place\":");
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    json_mm(&json, "xMm", f->place.x, all->dpmm);
    json_mm(&json, "yMm", f->place.y, all->dpmm);
    json_mm(&json, "widthMm", f->place.width, all->dpmm);
    json_mm(&json, "heightMm", f->place.height, all->dpmm);
    pl_json_end(&json);
    pl_buf_append_byte(out, '}');
}

static void json_input(const char *path, const struct check_findings *all, struct pl_buf *out)
{
    pl_buf_append_cstr(out, "{\"file\":");
    pl_buf_append_json_string(out, pl_slice_cstr(path));
    pl_buf_printf(out, ",\"labels\":%u,\"ignored\":%u", all->counts.labels, all->counts.ignored);
    if (all->counts.left_out)
        pl_buf_printf(out, ",\"warningsLeftOut\":%u", all->counts.left_out);
    pl_buf_append_cstr(out, ",\"warnings\":[");
    for (uint32_t i = 0; i < all->count; i++) {
        if (i > 0)
            pl_buf_append_byte(out, ',');
        json_finding(all, &all->items[i], out);
    }
    pl_buf_append_cstr(out, "]}");
}

static void json_close(const struct check_totals *t, struct pl_buf *out)
{
    struct pl_json_writer json;
    pl_buf_append_cstr(out, "\n],\"summary\":");
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_json_kv_bool(&json, "passed", !t->failed);
    pl_json_kv_u64(&json, "files", t->files);
    pl_json_kv_u64(&json, "filesWithWarnings", t->files_with_findings);
    pl_json_kv_u64(&json, "labels", t->labels);
    for (int s = PLATEN_ERROR; s >= PLATEN_INFO; s--)
        pl_json_kv_u64(&json, platen_severity_name((enum platen_severity)s), t->by_severity[s]);
    pl_json_kv_u64(&json, "ignored", t->ignored);
    pl_json_kv_u64(&json, "inBaseline", t->known);
    pl_json_kv_u64(&json, "errorsNotAskedFor", t->hidden);
    if (t->settings_file)
        pl_json_kv_cstr(&json, "settingsFile", t->settings_file);
    pl_json_end(&json);
    pl_buf_append_cstr(out, "}\n");
}

// ---- the baseline

static void baseline_input(const char *path, const struct check_findings *all, struct pl_buf *out)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const struct platen_diagnostic *d = &all->items[i].d;
        uint32_t count = 0;
        bool first = d->severity != PLATEN_INFO;
        for (uint32_t k = 0; k < all->count && first; k++) {
            bool same = strcmp(all->items[k].d.code, d->code) == 0 && strcmp(all->items[k].d.command, d->command) == 0;
            first = !same || k >= i;
            count += same;
        }
        if (first)
            pl_buf_printf(out, "%s\t%s\t%s\t%u\n", check_policy_path(path), d->code, d->command, count);
    }
}

// ---- all of them

void check_format_open(enum check_format format, const char *docs_url, struct pl_buf *out)
{
    if (format == CHECK_JSON)
        pl_buf_append_cstr(out, "{\"files\":[\n");
    else if (format == CHECK_JUNIT)
        pl_buf_append_cstr(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"platen check\">\n");
    else if (format == CHECK_SARIF)
        check_sarif_open(docs_url, out);
    else if (format == CHECK_BASELINE)
        pl_buf_append_cstr(out, "# Findings of platen check that are known: path, code, command, count.\n");
}

void check_format_input(enum check_format format, const char *path, const struct check_findings *all,
                        struct pl_buf *out)
{
    switch (format) {
    case CHECK_TEXT:
        text_input(path, all, out);
        break;
    case CHECK_JSON:
        json_input(path, all, out);
        break;
    case CHECK_JUNIT:
        check_junit_input(path, all, out);
        break;
    case CHECK_SARIF:
        check_sarif_input(path, all, out);
        break;
    case CHECK_GITHUB:
        github_input(path, all, out);
        break;
    case CHECK_BASELINE:
        baseline_input(path, all, out);
        break;
    }
}

const char *check_format_between(enum check_format format)
{
    return format == CHECK_JSON || format == CHECK_SARIF ? ",\n" : "";
}

void check_format_close(enum check_format format, const struct check_totals *totals, struct pl_buf *out)
{
    if (format == CHECK_TEXT || format == CHECK_GITHUB)
        check_format_summary(totals, out);
    else if (format == CHECK_JSON)
        json_close(totals, out);
    else if (format == CHECK_JUNIT)
        pl_buf_append_cstr(out, "</testsuites>\n");
    else if (format == CHECK_SARIF)
        check_sarif_close(totals, out);
}
