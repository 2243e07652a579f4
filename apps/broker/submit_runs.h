// The runs of `platen submit` for one batch: those with other inputs than the ones before add documents behind them.
#ifndef BROKER_SUBMIT_RUNS_H
#define BROKER_SUBMIT_RUNS_H

#include "journal.h"

#define SUBMIT_JOURNAL "platen-submit-2 " // how the title of the journal begins; the batch follows

struct submit_runs {
    uint64_t inputs; // hash of this run's inputs
    uint64_t count;  // in the journal
    uint64_t own;    // number of this run, and of those before it with the same inputs
    bool is_known;
    char *command; // submit_command_write
};

void submit_runs_add_input(struct submit_runs *runs, const char *name);
// Is the line of a journal about a run? Then it is noted.
bool submit_runs_read(struct submit_runs *runs, struct pl_slice line);
// After the journal was read: notes this run in it, if it is a new one.
void submit_runs_begin(struct submit_runs *runs, struct journal *journal);
// A line of the journal for each row that was sent: hash, tab, id.
#define ROW_LINE "%016llx\t%.*s"
#define ROW_LINE_VALUES(hash, id) (unsigned long long)(hash), (int)(id).len, (const char *)(id).ptr
bool row_line_read(struct pl_slice line, uint64_t *hash, struct pl_slice *id);
// The place in the batch of a run's document `number`.
uint64_t submit_runs_place(const struct submit_runs *runs, uint64_t number);

// How the submitter was called: folder and arguments, for `platen batch retry`. A line of the journal, which has no
// address of the broker: that may hold a password. The caller frees it; NULL: no memory.
char *submit_command_write(int argc, char **argv);
// The folder and the arguments, each with its NUL, and a NUL behind the last. NULL: it is another line.
char *submit_command_read(struct pl_slice line);

#endif
