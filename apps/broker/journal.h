// A journal of a batch: a line for each document that is done, so that a command that was killed goes on where it was.
#ifndef BROKER_JOURNAL_H
#define BROKER_JOURNAL_H

#include <stdio.h>

#include "base/err.h"
#include "base/slice.h"

struct journal {
    FILE *file;
    const char *path;
};

// Who is told what a journal holds.
struct journal_reader {
    void (*title)(void *user, struct pl_slice title); // NULL: nobody
    void (*line)(void *user, struct pl_slice line);   // each whole line behind the title
    void *user;
};

// Opens the journal, or makes it with `title` as its first line, and keeps others from it until it is closed. A last
// line that was cut off is dropped. PL_E_INVALID: it belongs to something else (`kind` is how titles begin).
enum pl_errc journal_open(struct journal *journal, const char *path, const char *kind, const char *title,
                          const struct journal_reader *reader, struct pl_error *err) PL_MUST_USE;
// Reads a journal that may be at work elsewhere, and changes nothing. One that is not there has no lines.
enum pl_errc journal_read(const char *path, const char *kind, const struct journal_reader *reader,
                          struct pl_error *err) PL_MUST_USE;
void journal_add(struct journal *journal, const char *fmt, ...) PL_PRINTF(2, 3);
// All lines are on the disk. False: they are not.
bool journal_sync(struct journal *journal);
void journal_close(struct journal *journal);

#endif
