// Packing results.
#include "pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "batch/names.h"
#include "batch/reader.h"
#include "batch/zip_writer.h"
#include "cli/cli_io.h"
#include "os/clock.h"
#include "result_files.h"

#define RESULT_MAX ((size_t)256 << 20)
#define READ_BYTES ((size_t)64 << 10)   // of results that lie one behind the other
#define WRITE_BYTES ((size_t)256 << 10) // of the output, at a time

// "TYPE PLACE SIZE"
static void read_place(struct pack_row *row)
{
    struct pl_slice words = row->type;
    const uint8_t *size = words.len > 0 ? memrchr(words.ptr, ' ', words.len) : NULL;
    const uint8_t *place = size ? memrchr(words.ptr, ' ', (size_t)(size - words.ptr)) : NULL;
    if (!place)
        return;
    row->type = pl_slice_sub(words, 0, (size_t)(place - words.ptr));
    row->has_place = pl_parse_u64(pl_slice_make(place + 1, (size_t)(size - place - 1)), &row->place) &&
                     pl_parse_u64(pl_slice_make(size + 1, words.len - (size_t)(size + 1 - words.ptr)), &row->size);
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcasecmp(text + a - b, end) == 0;
}

bool pack_is_pdf(const char *output)
{
    return ends_with(output, ".pdf");
}

bool pack_is_file(const char *output)
{
    return pack_is_pdf(output) || ends_with(output, ".zip");
}

bool pack_is_taken(const char *output)
{
    char *journal = NULL;
    if (!pack_is_file(output) || access(output, F_OK) != 0 || asprintf(&journal, "%s.parts/" PACK_JOURNAL, output) < 0)
        return false;
    bool taken = access(journal, F_OK) != 0; // it goes last, but for the folder
    free(journal);
    return taken;
}

bool pack_row_read(struct pl_slice line, struct pack_row *out)
{
    struct pl_slice fields[5];
    for (int i = 0; i < 4; i++) {
        const uint8_t *tab = line.len > 0 ? memchr(line.ptr, '\t', line.len) : NULL;
        if (!tab)
            return false;
        size_t len = (size_t)(tab - line.ptr);
        fields[i] = pl_slice_sub(line, 0, len);
        line = pl_slice_sub(line, len + 1, line.len);
    }
    *out =
        (struct pack_row){.ok = pl_slice_eq_cstr(fields[1], "ok"), .type = fields[2], .ending = fields[3], .id = line};
    read_place(out);
    return pl_parse_u64(fields[0], &out->sequence) && line.len > 0;
}

struct packing {
    struct pack_row *rows;
    size_t count;
    struct cli_input text; // of the journal
    FILE *out;
    struct pl_zip_writer zip;
    struct pl_buf buf;
    struct pl_buf file;   // the result that is packed, if it is a file
    struct pl_buf result; // otherwise: what was read of PACK_DATA last
    uint64_t result_at;   // from here on
    uint64_t last_end;    // where the last result ended
    int data;             // PACK_DATA; -1: there is none
    struct platen_pdf *pdf;
    struct platen_buffer pdf_bytes;
    uint64_t pages;
};

static int by_sequence(const void *a, const void *b)
{
    const struct pack_row *x = a, *y = b;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return x->id.ptr < y->id.ptr ? -1 : 1; // as they came
}

static enum pl_errc read_rows(struct packing *p, const char *journal, struct pl_error *err)
{
    size_t capacity = 0;
    struct pl_id_set ids = {0};
    if (!cli_read(journal, (size_t)1 << 34, &p->text, NULL))
        return pl_fail(err, PL_E_IO, "%s cannot be read", journal);
    struct pl_slice rest = pl_slice_make(p->text.data, p->text.size);
    // From the end: the last result of a row counts, which may be a good one behind an error.
    while (rest.len > 0) {
        struct pack_row row;
        rest.len--; // its end
        const uint8_t *before = memrchr(rest.ptr, '\n', rest.len);
        size_t start = before ? (size_t)(before + 1 - rest.ptr) : 0;
        struct pl_slice line = pl_slice_sub(rest, start, rest.len); // as it is: an id may end with a blank
        rest.len = start;
        enum pl_id_added added = pack_row_read(line, &row) ? pl_id_set_add(&ids, row.id) : PL_ID_KNOWN;
        if (added == PL_ID_KNOWN)
            continue;
        if (p->count == capacity && added == PL_ID_NEW) {
            capacity = capacity ? capacity * 2 : 1024;
            struct pack_row *more = realloc(p->rows, capacity * sizeof *more);
            added = more ? added : PL_ID_NO_MEMORY;
            p->rows = more ? more : p->rows;
        }
        if (added == PL_ID_NO_MEMORY) {
            pl_id_set_free(&ids);
            return pl_fail(err, PL_E_MEMORY, "not enough memory");
        }
        p->rows[p->count++] = row;
    }
    pl_id_set_free(&ids);
    if (p->count > 0)
        qsort(p->rows, p->count, sizeof *p->rows, by_sequence);
    return PL_OK;
}

static void file_path(const char *folder, const struct pack_row *row, const char *suffix, struct pl_buf *out)
{
    pl_buf_clear(out);
    pl_buf_printf(out, "%s/", folder);
    pl_file_name(row->id, out);
    pl_buf_append_cstr(out, suffix);
    pl_buf_append_byte(out, '\0');
}

// ---- ZIP

static void put_file(struct packing *p, const struct pack_row *row, struct pl_slice number, const char *ending,
                     size_t ending_len, struct pl_slice data)
{
    struct pl_buf name;
    pl_buf_init(&name, 4096);
    pl_file_name(row->id, &name);
    if (number.len > 0) {
        pl_buf_append_byte(&name, '+');
        pl_buf_append_slice(&name, number);
    }
    pl_buf_append_byte(&name, '.');
    pl_buf_append(&name, ending, ending_len);
    pl_zip_begin(&p->zip, pl_buf_slice(&name), data, &p->buf);
    pl_buf_append_slice(&p->buf, data);
    pl_buf_fini(&name);
}

// ---- both

// "3-2": the third label, two copies. False: it is none.
static bool read_copies(struct pl_slice file, uint32_t *out)
{
    struct pl_slice name = pl_file_id(file);
    const uint8_t *dash = name.len > 0 ? memchr(name.ptr, '-', name.len) : NULL;
    uint64_t copies;
    if (!dash || !pl_parse_u64(pl_slice_make(dash + 1, name.len - (size_t)(dash + 1 - name.ptr)), &copies) ||
        copies == 0 || copies > 1000000)
        return false;
    *out = (uint32_t)copies;
    return true;
}

static struct platen_buffer buffer_of(struct pl_slice data)
{
    return (struct platen_buffer){.data = (void *)(uintptr_t)data.ptr, .size = data.len};
}

static enum pl_errc check_part(struct platen_pdf *pdf, const struct pl_batch_item *item, bool *ok, struct pl_error *err)
{
    struct platen_buffer part = buffer_of(item->data);
    uint32_t copies;
    enum platen_status status = platen_pdf_add(pdf, &part, 0, NULL);
    *ok = status == PLATEN_OK && read_copies(item->name, &copies);
    return status == PLATEN_E_MEMORY ? pl_fail(err, PL_E_MEMORY, "not enough memory") : PL_OK;
}

enum pl_errc pack_check_parts(struct pack_checker *checker, const struct result_file *file, bool *ok,
                              struct pl_error *err)
{
    struct pl_zip_reader zip;
    struct pl_slice rest = file->body;
    enum pl_batch_found found = PL_BATCH_DOCUMENT;
    enum pl_errc code = PL_OK;
    if (!checker->pdf && platen_pdf_new("", &checker->bytes, &checker->pdf, NULL) != PLATEN_OK)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    *ok = pl_slice_eq_cstr(file->ending, "part") && pl_slice_eq_cstr(file->type, "application/zip");
    pl_zip_reader_init(&zip, file->body.len + 1);
    while (*ok && code == PL_OK) {
        struct pl_batch_item item;
        struct pl_error why;
        size_t used = 0;
        found = pl_zip_next(&zip, rest, true, &used, &item, &why);
        if (found != PL_BATCH_DOCUMENT)
            break;
        code = check_part(checker->pdf, &item, ok, err);
        rest = pl_slice_sub(rest, used, rest.len);
    }
    pl_zip_reader_fini(&zip);
    *ok = *ok && found == PL_BATCH_END;
    return code;
}

void pack_checker_free(struct pack_checker *checker)
{
    platen_pdf_free(checker->pdf);
    platen_buffer_free(&checker->bytes);
}

static enum pl_errc put_part(struct packing *p, const struct pack_row *row, const struct pl_batch_item *item,
                             struct pl_error *err)
{
    struct platen_error failure = {0};
    uint32_t copies;
    struct platen_buffer part = buffer_of(item->data);
    if (!read_copies(item->name, &copies))
        return pl_fail(err, PL_E_INVALID, "a part of the PDF is damaged");
    if (platen_pdf_add(p->pdf, &part, copies, &failure) != PLATEN_OK) // the page may be too small for it
        return pl_fail(err, PL_E_INVALID, "%.*s: %s", (int)row->id.len, (const char *)row->id.ptr, failure.message);
    p->pages += copies;
    pl_buf_append(&p->buf, p->pdf_bytes.data, p->pdf_bytes.size);
    platen_pdf_take(p->pdf);
    return PL_OK;
}

static enum pl_errc put_result(struct packing *p, const struct pack_row *row, struct pl_slice data,
                               struct pl_error *err)
{
    bool several = pl_slice_eq_cstr(row->type, "application/zip");
    bool part = pl_slice_eq_cstr(row->ending, "part");
    if ((p->pdf != NULL) != part)
        return pl_fail(err, PL_E_INVALID,
                       p->pdf ? "a PDF is made of a batch that `platen submit --for-pdf` has sent"
                              : "the batch was sent for a PDF: collect it as one");
    if (!several) {
        put_file(p, row, pl_slice_make("", 0), (const char *)row->ending.ptr, row->ending.len, data);
        return PL_OK;
    }
    struct pl_zip_reader zip;
    enum pl_errc code = PL_OK;
    enum pl_batch_found found = PL_BATCH_DOCUMENT;
    pl_zip_reader_init(&zip, data.len + 1);
    while (code == PL_OK) {
        struct pl_batch_item item;
        size_t used = 0;
        found = pl_zip_next(&zip, data, true, &used, &item, err);
        if (found != PL_BATCH_DOCUMENT)
            break;
        if (p->pdf)
            code = put_part(p, row, &item, err);
        else
            put_file(p, row, pl_file_id(item.name), (const char *)row->ending.ptr, row->ending.len, item.data);
        data = pl_slice_sub(data, used, data.len);
    }
    pl_zip_reader_fini(&zip);
    return code == PL_OK && found != PL_BATCH_END ? PL_E_INVALID : code;
}

static enum pl_errc flush(struct packing *p, const char *path, struct pl_error *err)
{
    if (p->buf.failed || (p->buf.len > 0 && fwrite(p->buf.data, 1, p->buf.len, p->out) != p->buf.len))
        return pl_fail(err, PL_E_IO, "%s: %s", path, p->buf.failed ? "not enough memory" : strerror(errno));
    pl_buf_clear(&p->buf);
    return PL_OK;
}

// Reads PACK_DATA from the row's place on: its result, and where rows lie in their order, those behind it, too.
static bool read_data(struct packing *p, const struct pack_row *row)
{
    size_t most = (size_t)row->size;
    if (row->place == p->last_end)
        most = PL_MAX(most, READ_BYTES);
    pl_buf_clear(&p->result);
    if (!pl_buf_reserve(&p->result, most))
        return false;
    p->result_at = row->place;
    while (p->result.len < row->size) {
        ssize_t n =
            pread(p->data, p->result.data + p->result.len, most - p->result.len, (off_t)(row->place + p->result.len));
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        p->result.len += n > 0 ? (size_t)n : 0;
    }
    return true;
}

// A result as it came.
static bool read_result(struct packing *p, const char *folder, const struct pack_row *row, struct pl_buf *name,
                        struct pl_slice *out)
{
    struct cli_input file;
    if (row->has_place) {
        uint64_t at = row->place - p->result_at; // wraps around where it is before it
        bool is_read = at <= p->result.len && row->size <= p->result.len - at;
        if (row->size > RESULT_MAX || (!is_read && !read_data(p, row)))
            return false;
        p->last_end = row->place + row->size;
        *out = pl_slice_sub(pl_buf_slice(&p->result), (size_t)(row->place - p->result_at), (size_t)row->size);
        return true;
    }
    pl_buf_clear(&p->file);
    file_path(folder, row, row->ok ? ".result" : ".error.json", name);
    if (!cli_read((const char *)name->data, RESULT_MAX, &file, NULL))
        return false;
    pl_buf_append(&p->file, file.data, file.size);
    cli_input_free(&file);
    *out = pl_buf_slice(&p->file);
    return !p->file.failed;
}

static enum pl_errc put_rows(struct packing *p, const char *folder, const char *path, struct pl_error *err)
{
    struct pl_buf name;
    enum pl_errc code = PL_OK;
    pl_buf_init(&name, 8192);
    for (size_t i = 0; i < p->count && code == PL_OK; i++) {
        const struct pack_row *row = &p->rows[i];
        if (!row->ok && p->pdf)
            continue;
        struct pl_slice data;
        if (!read_result(p, folder, row, &name, &data)) {
            code = pl_fail(err, PL_E_IO, "a result that was gathered is not there");
            break;
        }
        if (row->ok)
            code = put_result(p, row, data, err);
        else
            put_file(p, row, pl_slice_make("", 0), "error.json", 10, data);
        if (code == PL_OK && p->buf.len >= WRITE_BYTES)
            code = flush(p, path, err);
    }
    pl_buf_fini(&name);
    return code;
}

static enum pl_errc write_packed(struct packing *p, const char *folder, const char *path, bool pdf,
                                 const struct platen_pdf_layout *layout, struct pl_error *err)
{
    struct platen_error failure = {0};
    if (pdf && platen_pdf_new("Labels", &p->pdf_bytes, &p->pdf, &failure) != PLATEN_OK)
        return pl_fail(err, PL_E_MEMORY, "%s", failure.message);
    if (pdf && layout && platen_pdf_set_layout(p->pdf, layout, &failure) != PLATEN_OK)
        return pl_fail(err, PL_E_INVALID, "%s", failure.message);
    PL_TRY(put_rows(p, folder, path, err));
    if (pdf && p->pages == 0)
        return pl_fail(err, PL_E_INVALID, "there is no label for the PDF");
    if (pdf && platen_pdf_finish(p->pdf, &failure) != PLATEN_OK)
        return pl_fail(err, PL_E_MEMORY, "%s", failure.message);
    if (pdf)
        pl_buf_append(&p->buf, p->pdf_bytes.data, p->pdf_bytes.size);
    else
        pl_zip_end(&p->zip, &p->buf);
    return flush(p, path, err);
}

void pack_remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, PACK_JOURNAL) != 0)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    (void)unlinkat(dirfd(dir), PACK_JOURNAL, 0); // it says that all is packed, so it goes last
    closedir(dir);
    (void)rmdir(folder);
}

static bool sync_folder_of(const char *path)
{
    char folder[4200];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder ? 1 : 0] = '\0';
    return result_folder_sync(slash ? folder : ".");
}

enum pl_errc pack(const char *folder, const char *journal, const char *output, const struct platen_pdf_layout *layout,
                  struct pl_error *err)
{
    struct packing p = {0};
    char path[4200];
    pl_buf_init(&p.buf, SIZE_MAX / 2);
    pl_buf_init(&p.result, RESULT_MAX);
    pl_buf_init(&p.file, RESULT_MAX);
    snprintf(path, sizeof path, "%s/" PACK_DATA, folder);
    p.data = open(path, O_RDONLY | O_CLOEXEC);
    pl_zip_writer_init(&p.zip);
    // In the collector's own folder: one that was killed over it is cleared away by the next.
    snprintf(path, sizeof path, "%s/" RESULT_TORN "packed.tmp", folder);
    p.out = fopen(path, "we");
    enum pl_errc code = p.out ? PL_OK : pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    if (code == PL_OK)
        code = read_rows(&p, journal, err);
    if (code == PL_OK)
        code = write_packed(&p, folder, path, pack_is_pdf(output), layout, err);
    if (p.out && (fflush(p.out) != 0 || fdatasync(fileno(p.out)) != 0) && code == PL_OK)
        code = pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    if (p.out)
        fclose(p.out);
    if (code == PL_OK && (rename(path, output) != 0 || !sync_folder_of(output)))
        code = pl_fail(err, PL_E_IO, "%s: %s", output, strerror(errno));
    if (code != PL_OK && p.out)
        unlink(path);
    platen_pdf_free(p.pdf);
    platen_buffer_free(&p.pdf_bytes);
    pl_zip_writer_fini(&p.zip);
    pl_buf_fini(&p.buf);
    pl_buf_fini(&p.result);
    pl_buf_fini(&p.file);
    if (p.data >= 0)
        close(p.data);
    cli_input_free(&p.text);
    free(p.rows);
    return code;
}
