// Writing results.
#include "result_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ckd.h"
#include "batch/names.h"
#include "batch/reader.h"
#include "os/random.h"
#include "os/write.h"

#define PART_COPIES 1000u // of a label, up to which its part is found
#define TORN_S 3600       // a file that was begun so long ago and is not whole has no writer any more

static void put_path(struct pl_buf *out, const char *folder, struct pl_slice id, const char *suffix,
                     struct pl_slice ending)
{
    pl_buf_clear(out);
    pl_buf_printf(out, "%s/", folder);
    pl_file_name(id, out);
    pl_buf_printf(out, "%s.%.*s", suffix, (int)ending.len, (const char *)ending.ptr);
    pl_buf_append_byte(out, '\0');
}

// A new file under a name that no writer has, here or on another machine. -1: errno says why.
static int open_torn(const char *folder, struct pl_buf *path)
{
    int fd;
    do {
        uint64_t chance[2];
        if (!pl_random(chance, sizeof chance))
            return -1;
        pl_buf_clear(path);
        pl_buf_printf(path, "%s/" RESULT_TORN "%016llx%016llx.tmp", folder, (unsigned long long)chance[0],
                      (unsigned long long)chance[1]);
        pl_buf_append_byte(path, '\0');
        if (path->failed) {
            errno = ENOMEM;
            return -1;
        }
        fd = open((const char *)path->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

static enum pl_errc write_file(const char *folder, struct pl_slice id, const char *suffix, struct pl_slice ending,
                               struct pl_slice data, bool durable, struct pl_error *err)
{
    struct pl_buf path, torn;
    pl_buf_init(&path, 8192);
    pl_buf_init(&torn, 8192);
    put_path(&path, folder, id, suffix, ending);
    enum pl_errc code = path.failed ? pl_fail_memory(err) : PL_OK;
    int fd = code == PL_OK ? open_torn(folder, &torn) : -1;
    if (code == PL_OK) {
        bool ok = fd >= 0 && pl_os_write(fd, data.ptr, data.len) && (!durable || fsync(fd) == 0);
        int failure = errno;
        if (fd >= 0 && close(fd) != 0 && ok) {
            failure = errno;
            ok = false;
        }
        if (ok && rename((const char *)torn.data, (const char *)path.data) != 0) {
            failure = errno;
            ok = false;
        }
        if (!ok && fd >= 0)
            unlink((const char *)torn.data);
        if (!ok)
            code = pl_fail(err, PL_E_IO, "%s: %s", (const char *)path.data, strerror(failure));
    }
    pl_buf_fini(&path);
    pl_buf_fini(&torn);
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

// ---- folders of batches

bool result_folder_sync(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool is_there(const char *folder, struct pl_slice id, const char *suffix, const char *ending)
{
    struct pl_buf path;
    pl_buf_init(&path, 8192);
    put_path(&path, folder, id, suffix, pl_slice_cstr(ending));
    bool there = !path.failed && access((const char *)path.data, F_OK) == 0;
    pl_buf_fini(&path);
    return there;
}

// Has the document pictures, a PDF or parts already?
static bool has_good_result(const char *folder, const struct result_file *file)
{
    static const char *const ENDINGS[] = {"png", "jpeg", "webp", "pdf"};
    // Labels are numbered with as many digits as their count has.
    static const char *const SUFFIXES[] = {"", "+1", "+01", "+001", "+0001", "+00001", "+000001", "+0000001"};
    bool found = false;
    for (size_t i = 0; i < PL_COUNTOF(ENDINGS) * PL_COUNTOF(SUFFIXES) && !found; i++)
        found = is_there(folder, file->id, SUFFIXES[i / PL_COUNTOF(ENDINGS)], ENDINGS[i % PL_COUNTOF(ENDINGS)]);
    // ID+1-COPIES.part. The sandbox of a worker lists no folders, so likely numbers are tried.
    for (uint32_t copies = 1; file->of_parts && copies <= PART_COPIES && !found; copies++) {
        char suffix[24];
        snprintf(suffix, sizeof suffix, "+1-%u", copies);
        found = is_there(folder, file->id, suffix, "part");
    }
    return found;
}

void result_files_remove_error(const char *folder, struct pl_slice id)
{
    struct pl_buf path;
    pl_buf_init(&path, 8192);
    put_path(&path, folder, id, ".error", pl_slice_cstr("json"));
    if (!path.failed)
        unlink((const char *)path.data);
    pl_buf_fini(&path);
}

enum pl_errc result_files_write_batch(const char *root, const char *batch, const struct result_file *file,
                                      struct pl_error *err)
{
    struct pl_buf folder;
    pl_buf_init(&folder, 8192);
    pl_buf_printf(&folder, "%s/%s", root, batch);
    pl_buf_append_byte(&folder, '\0');
    const char *path = (const char *)folder.data;
    enum pl_errc code = folder.failed ? pl_fail_memory(err) : PL_OK;
    bool made = code == PL_OK && mkdir(path, 0777) == 0;
    if (code == PL_OK && ((!made && errno != EEXIST) || (made && !result_folder_sync(root))))
        code = pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    // Of two deliveries of a job one may have failed: that takes no result away.
    bool known = code == PL_OK && !file->ok && has_good_result(path, file);
    if (code == PL_OK && !known)
        code = result_files_write(path, file, true, err);
    // The good one may have come while the problem was written.
    if (code == PL_OK && (file->ok || (!known && has_good_result(path, file))))
        result_files_remove_error(path, file->id);
    if (code == PL_OK && !result_folder_sync(path))
        code = pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    pl_buf_fini(&folder);
    return code;
}

void result_files_remove(const char *folder, const char *begin, time_t older_than)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        struct stat st;
        if (strncmp(entry->d_name, begin, strlen(begin)) == 0 &&
            fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_mtime <= older_than)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
}

void result_files_clean(const char *root)
{
    time_t old = time(NULL) - TORN_S;
    DIR *dir = opendir(root);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[4200];
        if (entry->d_name[0] != '.' && snprintf(path, sizeof path, "%s/%s", root, entry->d_name) < (int)sizeof path)
            result_files_remove(path, RESULT_TORN, old);
    }
    if (dir)
        closedir(dir);
}
