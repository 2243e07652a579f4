// Writing the output and the page of `platen check`.
#include "check_print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_report.h"

#define REPORT_SIZE_MAX ((uint64_t)256 << 20) // a page that a browser still shows

static bool complain(const char *path)
{
    fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
    return false;
}

// Under another name first: a reader finds the old file or the new one.
static bool open_out(struct check_file_out *out)
{
    if (!out->path || cli_is_stream(out->path)) {
        out->stream = out->path && strcmp(out->path, "-") != 0 ? fopen(out->path, "we") : stdout;
        return out->stream || complain(out->path);
    }
    if (asprintf(&out->temporary, "%s.%ld.tmp", out->path, (long)getpid()) < 0) {
        out->temporary = NULL;
        errno = ENOMEM;
        return complain(out->path);
    }
    out->stream = fopen(out->temporary, "we");
    return out->stream || complain(out->path);
}

static bool close_out(struct check_file_out *out)
{
    bool ok = true;
    if (!out->stream)
        return false;
    if (fflush(out->stream) != 0 || ferror(out->stream))
        ok = complain(out->path ? out->path : "standard output");
    if (out->stream != stdout && fclose(out->stream) != 0 && ok)
        ok = complain(out->path);
    if (out->temporary) {
        if (ok && rename(out->temporary, out->path) != 0)
            ok = complain(out->path);
        if (!ok)
            unlink(out->temporary);
        free(out->temporary);
    }
    *out = (struct check_file_out){0};
    return ok;
}

// Marks become colours, or nothing; other control characters give a terminal no orders.
static void put_text(struct check_print *p, struct pl_slice text)
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
        fwrite(text.ptr + from, 1, i - from, p->output.stream);
        from = i + 1;
        if (c < CHECK_PLAIN || c > CHECK_DIM)
            fputc('?', p->output.stream);
        else if (p->colours)
            fputs(COLOURS[c], p->output.stream);
    }
    if (from < text.len)
        fwrite(text.ptr + from, 1, text.len - from, p->output.stream);
}

static void put_part(struct check_print *p, struct pl_slice part)
{
    if (part.len == 0)
        return;
    if (p->any)
        fputs(check_format_between(p->format), p->output.stream);
    p->any = true;
    put_text(p, part);
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
    fwrite(part.ptr, 1, part.len, p->report.stream);
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
    if (p->progress)
        fflush(p->output.stream); // before the next line of progress
}

// A part that the program itself makes.
static bool put_own(FILE *stream, struct pl_buf *text)
{
    bool ok = !text->failed && fwrite(text->data, 1, text->len, stream) == text->len;
    pl_buf_fini(text);
    return ok;
}

static bool open_report(struct check_print *p, const char *folder)
{
    struct pl_buf text;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return complain(folder);
    if (asprintf(&p->report_path, "%s/index.html", folder) < 0) {
        p->report_path = NULL;
        errno = ENOMEM;
        return complain(folder);
    }
    p->report.path = p->report_path;
    if (!open_out(&p->report))
        return false;
    pl_buf_init(&text, 65536);
    check_report_open(&text);
    return put_own(p->report.stream, &text) || complain(folder);
}

// What was begun and will not be ended.
static void abandon(struct check_file_out *out)
{
    if (out->stream && out->stream != stdout)
        fclose(out->stream);
    if (out->stream && out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    *out = (struct check_file_out){0};
}

static bool begin(struct check_print *p, const char *path, const char *folder)
{
    struct pl_buf text;
    if (!open_out(&p->output) || (folder && !open_report(p, folder)))
        return false;
    pl_buf_init(&text, (size_t)1 << 20);
    check_format_open(p->format, p->settings->docs_url, &text);
    return text.len == 0 || put_own(p->output.stream, &text) || complain(path ? path : "standard output");
}

bool check_print_open(struct check_print *p, const char *path, const char *folder)
{
    p->output.path = path;
    if (begin(p, path, folder))
        return true;
    abandon(&p->output);
    abandon(&p->report);
    free(p->report_path);
    return false;
}

bool check_print_close(struct check_print *p)
{
    struct pl_buf text;
    bool ok = !p->broken, apart = p->output.path || (p->format != CHECK_TEXT && p->format != CHECK_GITHUB);
    if (p->broken)
        fprintf(stderr, "platen: not enough memory\n");
    pl_buf_init(&text, (size_t)1 << 20);
    check_format_close(p->format, &p->totals, &text);
    ok = put_own(p->output.stream, &text) && ok;
    ok = close_out(&p->output) && ok;
    if (p->report_path) {
        pl_buf_init(&text, (size_t)1 << 20);
        check_report_close(&p->totals, p->report_left_out, &text);
        ok = put_own(p->report.stream, &text) && ok;
        ok = close_out(&p->report) && ok;
        free(p->report_path);
    }
    // What is written for programs, or to a file, is not what people see.
    if (apart) {
        pl_buf_init(&text, 65536);
        check_format_summary(&p->totals, &text);
        put_own(stderr, &text);
    }
    return ok;
}
