// Reading documents from files and rows.
#include "cli/row_source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/job.h"
#include "batch/names.h"
#include "cli/cli_io.h"
#include "request/document_line.h"

#define READ_BYTES ((size_t)256 << 10)
#define ARENA_MOST ((size_t)256 << 20)

enum row_kind row_kind_of(const char *path)
{
    static const struct {
        const char *ending;
        enum row_kind kind;
    } KINDS[] = {{".ndjson", ROW_LINES}, {".jsonl", ROW_LINES}, {".csv", ROW_CSV}, {".zip", ROW_ZIP}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < PL_COUNTOF(KINDS); i++) {
        if (strcasecmp(dot, KINDS[i].ending) == 0)
            return KINDS[i].kind;
    }
    return ROW_FILE;
}

bool row_kind_by_name(const char *name, enum row_kind *out)
{
    static const char *const NAMES[] = {[ROW_LINES] = "ndjson", [ROW_CSV] = "csv", [ROW_ZIP] = "zip"};
    for (size_t i = ROW_LINES; i < PL_COUNTOF(NAMES); i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            *out = (enum row_kind)i;
            return true;
        }
    }
    return false;
}

void row_document_init(struct row_document *document)
{
    *document = (struct row_document){0};
    pl_buf_init(&document->id, PL_ID_MAX + 1);
    pl_buf_init(&document->zpl, SIZE_MAX / 2);
    pl_buf_init(&document->unknown, SIZE_MAX / 2);
}

void row_document_free(struct row_document *document)
{
    pl_buf_fini(&document->id);
    pl_buf_fini(&document->zpl);
    pl_buf_fini(&document->unknown);
}

void row_source_init(struct row_source *source, const struct path_list *inputs, const struct controls *controls,
                     size_t limit)
{
    *source = (struct row_source){.inputs = inputs, .controls = *controls, .limit = limit, .fd = -1};
    pl_buf_init(&source->window, SIZE_MAX / 2);
    pl_zip_reader_init(&source->zip, limit);
    pl_csv_init(&source->csv);
    pl_arena_init(&source->column_arena, ARENA_MOST);
}

static void close_input(struct row_source *source)
{
    if (source->fd > STDIN_FILENO)
        close(source->fd);
    source->fd = -1;
}

void row_source_free(struct row_source *source)
{
    close_input(source);
    pl_buf_fini(&source->window);
    pl_zip_reader_fini(&source->zip);
    pl_csv_fini(&source->csv);
    pl_arena_fini(&source->column_arena);
}

double row_source_part(const struct row_source *source)
{
    size_t count = source->inputs->count;
    if (count == 0 || (source->fd >= 0 && source->size == 0))
        return -1;
    double inside = source->fd >= 0 ? (double)source->bytes / (double)source->size : 0;
    double before = (double)(source->next - (source->fd >= 0));
    return (before + inside) / (double)count;
}

static bool broken(struct row_source *source, const char *message)
{
    fprintf(stderr, "platen: %s: %s\n", source->path, message);
    source->broken = true;
    return false;
}

// ---- documents

static bool no_memory(struct row_source *source)
{
    return broken(source, "not enough memory");
}

// Fills the document's id and code. False: no memory.
static bool fill(struct row_source *source, struct row_document *d, struct pl_slice id, struct pl_slice zpl)
{
    char number[DOCUMENT_NUMBER_ROOM];
    pl_buf_append_slice(&d->id, document_id_or_number(id, source->row, number));
    if (!d->failed)
        pl_buf_append_slice(&d->zpl, zpl);
    // Texts of the row move on with it.
    struct controls *c = &d->controls;
    c->filename = pl_slice_make("", 0);
    for (uint32_t i = 0; i < c->unknown_count; i++)
        pl_buf_append_slice(&d->unknown, c->unknown[i]);
    size_t at = 0;
    for (uint32_t i = 0; i < c->unknown_count && !d->unknown.failed; i++) {
        c->unknown[i] = pl_slice_sub(pl_buf_slice(&d->unknown), at, c->unknown[i].len);
        at += c->unknown[i].len;
    }
    return !d->id.failed && !d->zpl.failed && !d->unknown.failed ? true : no_memory(source);
}

static void fill_in(struct row_source *source, struct pl_slice row, struct row_document *d, struct pl_buf *code)
{
    uint64_t start = pl_now_ns();
    d->failed = !template_fill(source->template, row, code, &d->notes, &d->problem);
    d->spent_ns = pl_now_ns() - start;
}

static bool read_line(struct row_source *source, struct pl_slice text, struct row_document *d)
{
    struct document_line line;
    struct pl_arena arena;
    struct pl_buf code;
    pl_arena_init(&arena, ARENA_MOST);
    pl_buf_init(&code, source->limit);
    struct controls own;
    controls_init(&own);
    d->failed = !document_line_read(&line, source->template != NULL, text, &arena, &own, &d->problem);
    if (!d->failed && source->template) {
        fill_in(source, text, d, &code);
        line.zpl = pl_buf_slice(&code);
    } else if (!d->failed && controls_of_pdf(&own)) {
        d->failed =
            !problem_set(&d->problem, 400, "invalid_parameter",
                         "'%s' is of the PDF that holds all documents: a row cannot have it.", controls_of_pdf(&own));
    }
    controls_merge(&d->controls, &own);
    bool ok = fill(source, d, line.id, line.zpl);
    pl_buf_fini(&code);
    pl_arena_fini(&arena);
    return ok;
}

// The first row names the columns.
static bool read_columns(struct row_source *source)
{
    struct pl_error err;
    pl_arena_reset(&source->column_arena, 0);
    if (pl_csv_keep(&source->csv, &source->column_arena, &source->columns, &err) != PL_OK ||
        pl_csv_name_columns(source->columns, source->csv.count, &err) != PL_OK)
        return broken(source, err.message);
    source->column_count = source->csv.count;
    // A name that is no column is found here, not at each row.
    struct pl_buf row, code;
    struct template_notes notes;
    struct problem problem;
    pl_buf_init(&row, SIZE_MAX / 2);
    pl_buf_init(&code, source->limit);
    template_put_row(source->columns, source->columns, source->column_count, &row);
    bool fits = template_fill(source->template, pl_buf_slice(&row), &code, &notes, &problem) ||
                strcmp(problem.code, "missing_value") != 0;
    pl_buf_fini(&row);
    pl_buf_fini(&code);
    return fits || broken(source, problem.message);
}

static bool read_row(struct row_source *source, struct row_document *d)
{
    const struct pl_csv *csv = &source->csv;
    // Columns that the row does not reach have no value.
    const uint32_t count = PL_MIN(source->column_count, csv->count);
    struct pl_slice id = pl_slice_make("", 0);
    struct pl_buf row, code;
    pl_buf_init(&row, SIZE_MAX / 2);
    pl_buf_init(&code, source->limit);
    // A comma that was not quoted moves all values behind it: no label is better than a wrong one.
    if (csv->count > source->column_count) {
        d->failed = !problem_set(&d->problem, 400, "too_many_fields",
                                 "The row has %u fields and the first row %u; a value with the separator needs quotes.",
                                 csv->count, source->column_count);
    } else {
        template_put_row(source->columns, csv->fields, count, &row);
        fill_in(source, pl_buf_slice(&row), d, &code);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (pl_slice_eq_cstr(source->columns[i], "id"))
            id = csv->fields[i];
    }
    // A field of a row cannot be absent: an empty one tells no id.
    if (!d->failed && id.len > 0)
        d->failed = !document_id_check(id, &d->problem);
    bool ok = !row.failed ? fill(source, d, id, pl_buf_slice(&code)) : no_memory(source);
    pl_buf_fini(&row);
    pl_buf_fini(&code);
    return ok;
}

// A document that is named by its file.
static bool fill_from_file(struct row_source *source, struct row_document *d, struct pl_slice path, struct pl_slice zpl)
{
    struct pl_buf room;
    pl_buf_init(&room, SIZE_MAX / 2);
    bool ok = fill(source, d, pl_file_id(pl_file_text(path, &room)), zpl);
    pl_buf_fini(&room);
    return ok;
}

static bool read_file(struct row_source *source, struct row_document *d)
{
    struct cli_input input;
    if (!cli_read(source->path, source->limit, &input, NULL)) {
        d->failed = !problem_set(&d->problem, 400, "unreadable", "The file could not be read.");
        return fill_from_file(source, d, pl_slice_cstr(source->path), pl_slice_make("", 0));
    }
    struct pl_slice name = pl_slice_cstr(strcmp(source->path, "-") == 0 ? "stdin" : source->path);
    bool ok = fill_from_file(source, d, name, pl_slice_make(input.data, input.size));
    cli_input_free(&input);
    return ok;
}

// ---- inputs

static bool open_input(struct row_source *source)
{
    struct stat st;
    bool standard = strcmp(source->path, "-") == 0;
    source->fd = standard ? STDIN_FILENO : open(source->path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0)
        return broken(source, strerror(errno));
    if (source->kind == ROW_CSV && !source->template)
        return broken(source, "rows of a CSV file need --template");
    source->size = fstat(source->fd, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    source->bytes = source->begin = source->column_count = 0;
    source->ended = false;
    source->lines = (struct pl_lines){0};
    pl_csv_fini(&source->csv);
    pl_csv_init(&source->csv);
    source->zip.tried = 0;
    source->zip.skip = 0;
    pl_buf_clear(&source->window);
    return true;
}

// Can a file that is not open be read at once? What is missing fails at once.
static bool is_ready(const char *path)
{
    struct stat st;
    return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st)) != 0 || S_ISREG(st.st_mode);
}

// Where it cannot be known, there is nothing.
static bool has_more(const struct row_source *source)
{
    struct pollfd input = {.fd = source->fd, .events = POLLIN};
    return source->size > 0 || source->ended || poll(&input, 1, 0) > 0;
}

// More of the input. False: a line was printed.
static bool read_more(struct row_source *source)
{
    struct pl_buf *window = &source->window;
    if (source->begin > 0) {
        window->len -= source->begin;
        memmove(window->data, window->data + source->begin, window->len);
        source->begin = 0;
    }
    if (window->len > source->limit)
        return broken(source, "a document is larger than the limit");
    uint8_t *room = pl_buf_reserve(window, READ_BYTES);
    if (!room)
        return no_memory(source);
    ssize_t got;
    do
        got = read(source->fd, room, READ_BYTES);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return broken(source, strerror(errno));
    window->len += (size_t)got;
    source->bytes += (size_t)got;
    source->ended = got == 0;
    return true;
}

static enum pl_batch_found find(struct row_source *source, struct pl_batch_item *item, size_t *used,
                                struct pl_error *err)
{
    struct pl_slice window = pl_slice_sub(pl_buf_slice(&source->window), source->begin, source->window.len);
    if (source->kind == ROW_LINES)
        return pl_lines_next(&source->lines, window, source->ended, used, item, err);
    if (source->kind == ROW_CSV) {
        static const enum pl_batch_found FOUND[] = {[PL_CSV_ROW] = PL_BATCH_DOCUMENT,
                                                    [PL_CSV_MORE] = PL_BATCH_MORE,
                                                    [PL_CSV_END] = PL_BATCH_END,
                                                    [PL_CSV_BAD] = PL_BATCH_BAD};
        return FOUND[pl_csv_next(&source->csv, window, source->ended, used, err)];
    }
    return pl_zip_next(&source->zip, window, source->ended, used, item, err);
}

// The next document of the open input. False: there is none in it, or source->later.
static bool next_row(struct row_source *source, struct row_document *d, bool waits)
{
    for (;;) {
        struct pl_batch_item item;
        struct pl_error err = {0};
        size_t used = 0;
        enum pl_batch_found found = find(source, &item, &used, &err);
        bool ok = true, columns = false;
        if (found == PL_BATCH_BAD)
            return broken(source, err.message);
        if (found == PL_BATCH_DOCUMENT) {
            columns = source->kind == ROW_CSV && source->column_count == 0;
            source->row += !columns;
            if (columns)
                ok = read_columns(source);
            else if (source->kind == ROW_CSV)
                ok = read_row(source, d);
            else if (source->kind == ROW_LINES)
                ok = read_line(source, item.data, d);
            else
                ok = fill_from_file(source, d, item.name, item.data);
        }
        source->begin += used;
        if (!ok || found == PL_BATCH_END)
            return false;
        if (found == PL_BATCH_DOCUMENT && !columns)
            return true;
        source->later = found == PL_BATCH_MORE && !waits && !has_more(source);
        if (found == PL_BATCH_MORE && (source->later || !read_more(source)))
            return false;
    }
}

bool row_source_next(struct row_source *source, struct row_document *d, bool waits)
{
    pl_buf_clear(&d->id);
    pl_buf_clear(&d->zpl);
    pl_buf_clear(&d->unknown);
    d->failed = false;
    d->notes.count = 0;
    d->controls = source->controls;
    source->later = false;
    while (!source->broken) {
        if (source->fd >= 0) {
            if (next_row(source, d, waits))
                return true;
            if (source->later)
                return false;
            close_input(source);
            continue;
        }
        // A table that came without rows is no order for no labels.
        if (source->next == source->inputs->count)
            return source->template && source->row == 0 && broken(source, "there are no rows of values");
        source->later = !waits && !is_ready(source->inputs->paths[source->next]);
        if (source->later)
            return false;
        source->path = source->inputs->paths[source->next++];
        source->kind = strcmp(source->path, "-") == 0 ? source->standard : row_kind_of(source->path);
        if (source->kind == ROW_FILE) {
            source->row++;
            return read_file(source, d);
        }
        if (!open_input(source))
            return false;
    }
    return false;
}
