// How far a long command is: a bar, the rate and the time that is left. On a terminal, or as lines where a command
// asks.
#ifndef PLATEN_PROGRESS_H
#define PLATEN_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress_bar {
    bool shown; // standard error is a terminal, and there is more than one thing to do
    bool lines; // it is no terminal: a line each PROGRESS_LINE_S
    pthread_mutex_t lock;
    uint64_t began_ns, shown_ns;
    bool any; // something was printed
};

#define PROGRESS_LINE_S 10u
void progress_begin(struct progress_bar *bar, bool wanted);
// As lines where standard error is no terminal.
void progress_begin_lines(struct progress_bar *bar, bool wanted);
// `part` of 1 is done; below 0: not known. From any thread.
void progress_tell(struct progress_bar *bar, double part, size_t done, size_t failed);
// The last state, and the end of the line.
void progress_end(struct progress_bar *bar, size_t done, size_t failed);

#endif
