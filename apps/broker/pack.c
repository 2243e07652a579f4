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
#include "base/hash.h"
#include "base/job.h"
#include "batch/names.h"
#include "batch/reader.h"
#include "batch/zip_writer.h"
#include "pack_ahead.h"
#include "result_files.h"

#define RESULT_MAX ((size_t)256 << 20)
#define READ_BYTES ((size_t)64 << 10)   // of results that lie one behind the other
#define WRITE_BYTES ((size_t)256 << 10) // of the output, at a time
#define AHEAD_NS 1000000000ull          // of packing ahead at once: the connection must be served meanwhile

struct packer {
    const char *folder, *output;
    const struct platen_pdf_layout *layout;
    char path[4200]; // of what is written
    FILE *out;
    struct pl_zip_writer zip;
    struct pl_buf buf, name;
    struct pl_buf file;   // the result that is packed, if it is a file
    struct pl_buf result; // otherwise: what was read of PACK_DATA last
    uint64_t result_at;   // from here on
    uint64_t last_end;    // where the last result ended
    int data;             // PACK_DATA; -1: there is none
    struct platen_pdf *pdf;
    struct platen_buffer pdf_bytes;
    uint64_t pages;
    size_t done;   // rows in it
    uint64_t sum;  // of them
    bool is_ahead; // it packs what comes before all has come
    bool is_torn;  // that has failed, and it begins again at the end
    struct pack_ahead ahead;
};

// ---- ZIP

static void put_file(struct packer *p, const struct pack_row *row, struct pl_slice number, const char *ending,
                     size_t ending_len, struct pl_slice data)
{
    pl_buf_clear(&p->name);
    pl_file_name(row->id, &p->name);
    if (number.len > 0) {
        pl_buf_append_byte(&p->name, '+');
        pl_buf_append_slice(&p->name, number);
    }
    pl_buf_append_byte(&p->name, '.');
    pl_buf_append(&p->name, ending, ending_len);
    pl_zip_begin(&p->zip, pl_buf_slice(&p->name), data, &p->buf);
    pl_buf_append_slice(&p->buf, data);
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

static enum pl_errc put_part(struct packer *p, const struct pack_row *row, const struct pl_batch_item *item,
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

static enum pl_errc put_result(struct packer *p, const struct pack_row *row, struct pl_slice data, struct pl_error *err)
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

static enum pl_errc flush(struct packer *p, struct pl_error *err)
{
    bool failed = p->buf.failed || p->name.failed;
    if (failed || (p->buf.len > 0 && fwrite(p->buf.data, 1, p->buf.len, p->out) != p->buf.len))
        return pl_fail(err, PL_E_IO, "%s: %s", p->path, failed ? "not enough memory" : strerror(errno));
    pl_buf_clear(&p->buf);
    return PL_OK;
}

// Reads PACK_DATA from the row's place on: its result, and where rows lie in their order, those behind it, too.
static bool read_data(struct packer *p, const struct pack_row *row)
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
static bool read_result(struct packer *p, const struct pack_row *row, struct pl_slice *out)
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
    pl_buf_clear(&p->name);
    pl_buf_printf(&p->name, "%s/", p->folder);
    pl_file_name(row->id, &p->name);
    pl_buf_append_cstr(&p->name, row->ok ? ".result" : ".error.json");
    pl_buf_append_byte(&p->name, '\0');
    if (p->name.failed || !cli_read((const char *)p->name.data, RESULT_MAX, &file, NULL))
        return false;
    pl_buf_append(&p->file, file.data, file.size);
    cli_input_free(&file);
    *out = pl_buf_slice(&p->file);
    return !p->file.failed;
}

// What tells two rows of rows apart.
static uint64_t sum_of(uint64_t before, const struct pack_row *row)
{
    uint64_t sum = pl_hash_mix(pl_hash_mix(before, row->sequence), pl_hash_fnv1a(row->id));
    return pl_hash_mix(pl_hash_mix(sum, row->place), (uint64_t)row->has_place << 1 | row->ok);
}

static enum pl_errc put_row(struct packer *p, const struct pack_row *row, struct pl_error *err)
{
    struct pl_slice data;
    p->done++;
    p->sum = sum_of(p->sum, row);
    if (!row->ok && p->pdf)
        return PL_OK;
    if (!read_result(p, row, &data))
        return pl_fail(err, PL_E_IO, "a result that was gathered is not there");
    if (row->ok)
        PL_TRY(put_result(p, row, data, err));
    else
        put_file(p, row, pl_slice_make("", 0), "error.json", 10, data);
    return p->buf.len >= WRITE_BYTES ? flush(p, err) : PL_OK;
}

// ---- the whole

static bool sync_folder_of(const char *path)
{
    char folder[4200];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder ? 1 : 0] = '\0';
    return result_folder_sync(slash ? folder : ".");
}

// An empty output.
static enum pl_errc begin(struct packer *p, struct pl_error *err)
{
    struct platen_error failure = {0};
    char path[4200];
    snprintf(path, sizeof path, "%s/" PACK_DATA, p->folder);
    if (p->data < 0)
        p->data = open(path, O_RDONLY | O_CLOEXEC);
    p->out = p->out ? freopen(p->path, "we", p->out) : fopen(p->path, "we");
    if (!p->out)
        return pl_fail(err, PL_E_IO, "%s: %s", p->path, strerror(errno));
    platen_pdf_free(p->pdf);
    p->pdf = NULL;
    pl_zip_writer_fini(&p->zip);
    pl_zip_writer_init(&p->zip);
    pl_buf_clear(&p->buf);
    p->pages = p->sum = p->done = 0;
    if (!pack_is_pdf(p->output))
        return PL_OK;
    p->pdf_bytes.size = 0;
    if (platen_pdf_new("Labels", &p->pdf_bytes, &p->pdf, &failure) != PLATEN_OK)
        return pl_fail(err, PL_E_MEMORY, "%s", failure.message);
    return p->layout && platen_pdf_set_layout(p->pdf, p->layout, &failure) != PLATEN_OK
               ? pl_fail(err, PL_E_INVALID, "%s", failure.message)
               : PL_OK;
}

static enum pl_errc end(struct packer *p, struct pl_error *err)
{
    struct platen_error failure = {0};
    if (p->pdf && p->pages == 0)
        return pl_fail(err, PL_E_INVALID, "there is no label for the PDF");
    if (p->pdf && platen_pdf_finish(p->pdf, &failure) != PLATEN_OK)
        return pl_fail(err, PL_E_MEMORY, "%s", failure.message);
    if (p->pdf)
        pl_buf_append(&p->buf, p->pdf_bytes.data, p->pdf_bytes.size);
    else
        pl_zip_end(&p->zip, &p->buf);
    PL_TRY(flush(p, err));
    return fflush(p->out) == 0 && fdatasync(fileno(p->out)) == 0
               ? PL_OK
               : pl_fail(err, PL_E_IO, "%s: %s", p->path, strerror(errno));
}

struct packer *packer_new(const char *folder, const char *output, const struct platen_pdf_layout *layout, bool has_rows)
{
    struct packer *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct packer){.folder = folder, .output = output, .layout = layout, .data = -1, .is_ahead = !has_rows};
    pl_buf_init(&p->buf, SIZE_MAX / 2);
    pl_buf_init(&p->name, 8192);
    pl_buf_init(&p->result, RESULT_MAX);
    pl_buf_init(&p->file, RESULT_MAX);
    pl_zip_writer_init(&p->zip);
    // In the collector's own folder: one that was killed over it is cleared away by the next.
    snprintf(p->path, sizeof p->path, "%s/" RESULT_TORN "packed.tmp", folder);
    return p;
}

void packer_note(struct packer *p, const struct pack_row *row)
{
    p->is_ahead = p->is_ahead && !p->is_torn && pack_ahead_add(&p->ahead, row);
}

void packer_go_on(struct packer *p)
{
    struct pl_error err;
    struct pack_row row;
    uint64_t began = pl_now_ns();
    while (p->is_ahead && !p->is_torn && pl_now_ns() - began < AHEAD_NS && pack_ahead_next(&p->ahead, &row))
        p->is_torn = !((p->out || begin(p, &err) == PL_OK) && put_row(p, &row, &err) == PL_OK);
    if (p->is_torn && p->out) { // what is gathered needs the room on the disk more
        fclose(p->out);
        p->out = NULL;
        (void)unlink(p->path);
    }
    if (!p->is_ahead || p->is_torn)
        pack_ahead_free(&p->ahead);
}

// Are the rows that were packed the first ones of all, each with its last result?
static bool has_first_of(const struct packer *p, const struct pack_rows *rows)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->done && i < rows->count; i++)
        sum = sum_of(sum, &rows->rows[i]);
    return p->out && !p->is_torn && p->done <= rows->count && sum == p->sum;
}

static enum pl_errc put_rest(struct packer *p, const struct pack_rows *rows, struct pl_error *err)
{
    if (!has_first_of(p, rows))
        PL_TRY(begin(p, err));
    while (p->done < rows->count)
        PL_TRY(put_row(p, &rows->rows[p->done], err));
    return end(p, err);
}

enum pl_errc packer_finish(struct packer *p, const char *journal, struct pl_error *err)
{
    struct pack_rows rows = {0};
    enum pl_errc code = pack_rows_read(&rows, journal, err);
    if (code == PL_OK)
        code = put_rest(p, &rows, err);
    pack_rows_free(&rows);
    if (code == PL_OK && (rename(p->path, p->output) != 0 || !sync_folder_of(p->output)))
        code = pl_fail(err, PL_E_IO, "%s: %s", p->output, strerror(errno));
    return code;
}

void packer_free(struct packer *p)
{
    if (!p)
        return;
    if (p->out) {
        fclose(p->out);
        (void)unlink(p->path); // one that was finished has another name
    }
    if (p->data >= 0)
        close(p->data);
    platen_pdf_free(p->pdf);
    platen_buffer_free(&p->pdf_bytes);
    pl_zip_writer_fini(&p->zip);
    pl_buf_fini(&p->buf);
    pl_buf_fini(&p->name);
    pl_buf_fini(&p->result);
    pl_buf_fini(&p->file);
    pack_ahead_free(&p->ahead);
    free(p);
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
