// Reading and writing journals.
#include "journal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum pl_errc journal_open(struct journal *journal, const char *path, const char *kind, const char *title,
                          void (*title_read)(void *user, struct pl_slice title),
                          void (*line)(void *user, struct pl_slice line), void *user, struct pl_error *err)
{
    char *text = NULL;
    size_t capacity = 0;
    long whole = 0;
    bool first = true;
    *journal = (struct journal){.file = fopen(path, "a+"), .path = path};
    if (!journal->file)
        return pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    rewind(journal->file);
    for (ssize_t len; (len = getline(&text, &capacity, journal->file)) > 0 && text[len - 1] == '\n';) {
        struct pl_slice s = pl_slice_make(text, (size_t)len - 1);
        if (first && (s.len < strlen(kind) || memcmp(s.ptr, kind, strlen(kind)) != 0)) {
            free(text);
            return pl_fail(err, PL_E_INVALID, "%s: this is the journal of something else", path);
        }
        if (first)
            title_read(user, s);
        else
            line(user, s);
        first = false;
        whole += len;
    }
    free(text);
    if (ftruncate(fileno(journal->file), whole) != 0)
        return pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    if (first) {
        fprintf(journal->file, "%s\n", title);
        title_read(user, pl_slice_cstr(title));
    }
    return journal_sync(journal) ? PL_OK : pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
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
