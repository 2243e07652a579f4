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
    pl_buf_printf(&temporary, "%s.%ld.%p.tmp", (const char *)path.data, (long)getpid(), (void *)&path);
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
        if (found == PL_BATCH_BAD)
            code = PL_E_INVALID;
        if (!more)
            break;
        struct pl_slice number = pl_file_id(item.name);
        snprintf(suffix, sizeof suffix, "-%.*s", (int)(number.len < 12 ? number.len : 12), (const char *)number.ptr);
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

enum pl_errc result_files_write(const char *folder, const struct result_file *file, bool durable, struct pl_error *err)
{
    if (!file->ok)
        return write_file(folder, file->id, ".error", pl_slice_cstr("json"), file->body, durable, err);
    if (pl_slice_eq_cstr(file->type, "application/zip"))
        return write_several(folder, file, durable, err);
    return write_file(folder, file->id, "", file->ending, file->body, durable, err);
}
