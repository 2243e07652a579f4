// Writing the output and the page of `platen check`.
#include "check_print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check_report.h"
#include "os/write.h"

#define PIECE_BYTES ((size_t)64 << 10)
#define REPORT_SIZE_MAX ((uint64_t)256 << 20) // a page that a browser still shows

static bool complain(const char *path)
{
    fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
    return false;
}

static bool open_out(struct check_file_out *out, const char *path)
{
    out->path = path;
    out->is_open = whole_file_open(&out->file, path ? path : "-");
    pl_buf_init(&out->text, SIZE_MAX / 2);
    return out->is_open || complain(path);
}

// Writes what is there.
static void write_out(struct check_file_out *out)
{
    if (out->text.failed)
        errno = ENOMEM;
    if (!out->has_failed && (out->text.failed || !pl_os_write(out->file.fd, out->text.data, out->text.len)))
        out->has_failed = !complain(out->path ? out->path : "standard output");
    pl_buf_clear(&out->text);
}

// Ends it, or takes it back without `keep`. False: it is not there; a line was printed.
static bool close_out(struct check_file_out *out, bool keep)
{
    if (!out->is_open)
        return true;
    if (keep)
        write_out(out);
    bool ok = !out->has_failed;
    if (!whole_file_close(&out->file, keep && ok) && ok)
        ok = complain(out->path ? out->path : "standard output");
    pl_buf_fini(&out->text);
    *out = (struct check_file_out){0};
    return ok;
}

// Marks become colours, or nothing; other control characters give a terminal no orders.
static void put_text(const struct check_print *p, struct pl_slice text, struct pl_buf *out)
{
    static const char *const COLOURS[] = {
        [CHECK_PLAIN] = "\033[0m",   [CHECK_BOLD] = "\033[1m",  [CHECK_RED] = "\033[31m",
        [CHECK_YELLOW] = "\033[33m", [CHECK_BLUE] = "\033[34m", [CHECK_DIM] = "\033[2m"};
    size_t from = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        if (c >= ' ' && c != 0x7F)
            continue;
        if (c == '\n' || c == '\t')
            continue;
        pl_buf_append(out, text.ptr + from, i - from);
        from = i + 1;
        if (c < CHECK_PLAIN || c > CHECK_DIM)
            pl_buf_append_byte(out, '?');
        else if (p->colours)
            pl_buf_append_cstr(out, COLOURS[c]);
    }
    pl_buf_append_slice(out, pl_slice_sub(text, from, text.len));
}

static void put_part(struct check_print *p, struct pl_slice part)
{
    if (part.len == 0)
        return;
    if (p->any)
        pl_buf_append_cstr(&p->output.text, check_format_between(p->format));
    p->any = true;
    put_text(p, part, &p->output.text);
    // A file is written in larger pieces; people, and programs behind a pipe, read what is there.
    if (p->output.file.stream || p->output.text.len >= PIECE_BYTES)
        write_out(&p->output);
}

static void put_report(struct check_print *p, struct pl_slice part)
{
    if (!p->report_path || part.len == 0)
        return;
    if (p->report_size + part.len > REPORT_SIZE_MAX) {
        p->report_left_out++;
        return;
    }
    p->report_size += part.len;
    pl_buf_append_slice(&p->report.text, part);
    if (p->report.text.len >= PIECE_BYTES)
        write_out(&p->report);
}

void check_print_message(void *user, const char *text, size_t len)
{
    struct check_print *p = user;
    struct check_message message;
    struct check_totals *t = &p->totals;
    if (!check_message_read(pl_slice_make(text, len), &message)) {
        p->broken = true;
        return;
    }
    if (p->progress)
        fputs("\r\033[K", stderr);
    t->files++;
    t->files_with_findings += check_counts_shown(&message.counts) > 0;
    t->ignored += message.counts.ignored;
    t->hidden += message.counts.hidden;
    t->known += message.counts.known;
    t->left_out += message.counts.left_out;
    t->labels += message.counts.labels;
    for (int s = PLATEN_INFO; s <= PLATEN_ERROR; s++) {
        t->by_severity[s] += message.counts.by_severity[s];
        // A baseline is written to accept what is found.
        if (p->format != CHECK_BASELINE && message.counts.by_severity[s] > 0)
            t->failed = t->failed || check_fails(p->settings, (enum platen_severity)s);
    }
    put_part(p, message.output);
    put_report(p, message.report);
}

static bool open_report(struct check_print *p, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return complain(folder);
    if (asprintf(&p->report_path, "%s/index.html", folder) < 0) {
        p->report_path = NULL;
        errno = ENOMEM;
        return complain(folder);
    }
    if (!open_out(&p->report, p->report_path))
        return false;
    check_report_open(&p->report.text);
    return true;
}

bool check_print_open(struct check_print *p, const char *path, const char *folder)
{
    if (open_out(&p->output, path) && (!folder || open_report(p, folder))) {
        check_format_open(p->format, p->settings->docs_url, &p->output.text);
        return true;
    }
    (void)close_out(&p->output, false);
    (void)close_out(&p->report, false);
    free(p->report_path);
    return false;
}

bool check_print_close(struct check_print *p)
{
    struct pl_buf text;
    bool ok = !p->broken, apart = p->output.path || (p->format != CHECK_TEXT && p->format != CHECK_GITHUB);
    if (p->broken)
        fprintf(stderr, "platen: not enough memory\n");
    check_format_close(p->format, &p->totals, &p->output.text);
    ok = close_out(&p->output, true) && ok;
    if (p->report_path) {
        check_report_close(&p->totals, p->report_left_out, &p->report.text);
        ok = close_out(&p->report, true) && ok;
        free(p->report_path);
    }
    // What is written for programs, or to a file, is not what people see.
    if (apart) {
        pl_buf_init(&text, 65536);
        check_format_summary(&p->totals, &text);
        if (!text.failed)
            fwrite(text.data, 1, text.len, stderr);
        pl_buf_fini(&text);
    }
    return ok;
}
