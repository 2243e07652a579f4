// Reading and writing journals.
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

// Is it the title of such a journal: `kind` alone, or with more words behind it?
static bool is_title(struct pl_slice line, const char *kind)
{
    size_t len = strlen(kind);
    return line.len >= len && memcmp(line.ptr, kind, len) == 0 && (line.len == len || line.ptr[len] == ' ');
}

// Reads all whole lines. *whole is how many bytes they have.
static enum pl_errc read_lines(FILE *file, const char *path, const char *kind, const struct journal_reader *reader,
                               long *whole, struct pl_error *err)
{
    char *text = NULL;
    size_t capacity = 0;
    *whole = 0;
    for (ssize_t len; (len = getline(&text, &capacity, file)) > 0 && text[len - 1] == '\n'; *whole += len) {
        struct pl_slice line = pl_slice_make(text, (size_t)len - 1);
        if (*whole == 0 && !is_title(line, kind)) {
            free(text);
            return pl_fail(err, PL_E_INVALID, "%s: this is the journal of something else", path);
        }
        if (*whole > 0)
            reader->line(reader->user, line);
        else if (reader->title)
            reader->title(reader->user, line);
    }
    // An error is no end: lines that were not read would be taken for lines that were never written.
    enum pl_errc code = ferror(file) ? pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno)) : PL_OK;
    free(text);
    return code;
}

enum pl_errc journal_open(struct journal *journal, const char *path, const char *kind, const char *title,
                          const struct journal_reader *reader, struct pl_error *err)
{
    long whole;
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR); // it holds the submitter's secret
    *journal = (struct journal){.file = fd >= 0 ? fdopen(fd, "a+") : NULL, .path = path};
    if (!journal->file) {
        if (fd >= 0)
            close(fd);
        return pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    }
    if (flock(fileno(journal->file), LOCK_EX | LOCK_NB) != 0)
        return pl_fail(err, PL_E_IO, "%s: another program is at work on it", path);
    rewind(journal->file);
    PL_TRY(read_lines(journal->file, path, kind, reader, &whole, err));
    if (ftruncate(fileno(journal->file), whole) != 0)
        return pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    if (whole == 0) {
        fprintf(journal->file, "%s\n", title);
        if (reader->title)
            reader->title(reader->user, pl_slice_cstr(title));
    }
    return journal_sync(journal) ? PL_OK : pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
}

enum pl_errc journal_read(const char *path, const char *kind, const struct journal_reader *reader, struct pl_error *err)
{
    long whole;
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? PL_OK : pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    enum pl_errc code = read_lines(file, path, kind, reader, &whole, err);
    fclose(file);
    return code;
}

void journal_add(struct journal *journal, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vfprintf(journal->file, fmt, args);
    va_end(args);
}

bool journal_sync(struct journal *journal)
{
    return fflush(journal->file) == 0 && fdatasync(fileno(journal->file)) == 0;
}

void journal_close(struct journal *journal)
{
    if (journal->file)
        fclose(journal->file);
    journal->file = NULL;
}
