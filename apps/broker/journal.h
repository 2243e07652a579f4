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

// Opens the journal, or makes it with `title` as its first line. Each whole line behind the title is given to `line`;
// a last one that was cut off is dropped. PL_E_INVALID: it belongs to something else (`kind` is how titles begin).
enum pl_errc journal_open(struct journal *journal, const char *path, const char *kind, const char *title,
                          void (*title_read)(void *user, struct pl_slice title),
                          void (*line)(void *user, struct pl_slice line), void *user, struct pl_error *err) PL_MUST_USE;
void journal_add(struct journal *journal, const char *fmt, ...) PL_PRINTF(2, 3);
// All lines are on the disk. False: they are not.
bool journal_sync(struct journal *journal);
void journal_close(struct journal *journal);

#endif
