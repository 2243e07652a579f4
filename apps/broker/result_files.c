// Writing results.
#include "result_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "batch/names.h"
#include "batch/reader.h"

static enum pl_errc write_file(const char *folder, struct pl_slice id, const char *suffix, struct pl_slice ending,
                               struct pl_slice data, bool durable, struct pl_error *err)
{
    struct pl_buf path, temporary;
    pl_buf_init(&path, 8192);
    pl_buf_init(&temporary, 8192);
    pl_buf_printf(&path, "%s/", folder);
    pl_file_name(id, &path);
    pl_buf_printf(&path, "%s.%.*s", suffix, (int)ending.len, (const char *)ending.ptr);
    pl_buf_append_byte(&path, '\0');
    pl_buf_printf(&temporary, "%s/" RESULT_TORN "%ld-%p.tmp", folder, (long)getpid(), (void *)&path);
    pl_buf_append_byte(&temporary, '\0');
    enum pl_errc code = path.failed || temporary.failed ? pl_fail(err, PL_E_MEMORY, "not enough memory") : PL_OK;
    if (code == PL_OK) {
        const char *from = (const char *)temporary.data, *to = (const char *)path.data;
        int fd = open(from, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        bool ok = fd >= 0;
        for (size_t at = 0; ok && at < data.len;) {
            ssize_t n = write(fd, data.ptr + at, data.len - at);
            ok = n >= 0 || errno == EINTR;
            at += n > 0 ? (size_t)n : 0;
        }
        ok = ok && (!durable || fsync(fd) == 0);
        int failure = errno;
        if (fd >= 0 && close(fd) != 0 && ok) {
            failure = errno;
            ok = false;
        }
        if (ok && rename(from, to) != 0) {
            failure = errno;
            ok = false;
        }
        if (!ok) {
            unlink(from);
            code = pl_fail(err, PL_E_IO, "%s: %s", to, strerror(failure));
        }
    }
    pl_buf_fini(&path);
    pl_buf_fini(&temporary);
    return code;
}

// The files of a ZIP of labels: the first one last. Their names in it are numbers.
static enum pl_errc write_several(const char *folder, const struct result_file *file, bool durable,
                                  struct pl_error *err)
{
    struct pl_zip_reader zip;
    struct pl_slice first = pl_slice_make("", 0), rest = file->body;
    char first_suffix[24] = "";
    enum pl_errc code = PL_OK;
    pl_zip_reader_init(&zip, file->body.len + 1);
    for (bool more = true; more && code == PL_OK;) {
        struct pl_batch_item item;
        size_t used = 0;
        enum pl_batch_found found = pl_zip_next(&zip, rest, true, &used, &item, err);
        char suffix[24];
        more = found == PL_BATCH_DOCUMENT;
        if (!more && found != PL_BATCH_END)
            code = PL_E_INVALID;
        if (!more)
            break;
        struct pl_slice number = pl_file_id(item.name);
        snprintf(suffix, sizeof suffix, "+%.*s", (int)(number.len < 12 ? number.len : 12), (const char *)number.ptr);
        if (first_suffix[0] == '\0') {
            first = item.data; // stored: it lies in the body
            memcpy(first_suffix, suffix, sizeof suffix);
        } else {
            code = write_file(folder, file->id, suffix, file->ending, item.data, durable, err);
        }
        rest = pl_slice_sub(rest, used, rest.len);
    }
    pl_zip_reader_fini(&zip);
    if (code != PL_OK || first_suffix[0] == '\0')
        return code != PL_OK ? code : pl_fail(err, PL_E_INVALID, "a result without files");
    return write_file(folder, file->id, first_suffix, file->ending, first, durable, err);
}

static bool is_word(struct pl_slice text, size_t most)
{
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
            return false;
    }
    return text.len > 0 && text.len <= most;
}

static bool is_stored_number(const struct pl_batch_item *item, struct pl_slice zip)
{
    struct pl_slice name = pl_file_id(item->name);
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] != '-' && (name.ptr[i] < '0' || name.ptr[i] > '9'))
            return false;
    }
    return name.len > 0 && name.len < 12 && item->data.ptr >= zip.ptr && item->data.ptr <= zip.ptr + zip.len;
}

bool result_usable(const struct result_file *file)
{
    struct pl_zip_reader zip;
    struct pl_slice rest = file->body;
    enum pl_batch_found found = PL_BATCH_DOCUMENT;
    uint32_t files = 0;
    if (!pl_id_usable(file->id) || !is_word(file->ending, 8))
        return false;
    if (!file->ok || !pl_slice_eq_cstr(file->type, "application/zip"))
        return true;
    pl_zip_reader_init(&zip, file->body.len + 1);
    while (found == PL_BATCH_DOCUMENT) {
        struct pl_batch_item item = {.name = pl_slice_make("", 0)};
        struct pl_error err;
        size_t used = 0;
        found = pl_zip_next(&zip, rest, true, &used, &item, &err);
        // A worker stores files and numbers them: "3", or "3-2" with copies.
        if (found == PL_BATCH_DOCUMENT && !is_stored_number(&item, rest))
            found = PL_BATCH_BAD;
        files++;
        rest = pl_slice_sub(rest, used, rest.len);
    }
    pl_zip_reader_fini(&zip);
    return found == PL_BATCH_END && files > 1;
}

enum pl_errc result_files_write(const char *folder, const struct result_file *file, bool durable, struct pl_error *err)
{
    if (!file->ok)
        return write_file(folder, file->id, ".error", pl_slice_cstr("json"), file->body, durable, err);
    if (pl_slice_eq_cstr(file->type, "application/zip"))
        return write_several(folder, file, durable, err);
    return write_file(folder, file->id, "", file->ending, file->body, durable, err);
}
