// How far a long command is, on a terminal: a bar, the rate and the time that is left.
#ifndef PLATEN_PROGRESS_H
#define PLATEN_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress_bar {
    bool shown; // standard error is a terminal, and there is more than one thing to do
    pthread_mutex_t lock;
    uint64_t began_ns, told_ns;
    bool any; // something was printed
};

void progress_begin(struct progress_bar *bar, bool wanted);
// `part` of 1 is done; below 0: not known. From any thread.
void progress_tell(struct progress_bar *bar, double part, size_t done, size_t failed);
// The last state, and the end of the line.
void progress_end(struct progress_bar *bar, size_t done, size_t failed);
// Writes the line, without CR and LF; for tests, too. Returns its length.
size_t progress_line(char *out, size_t size, double part, size_t done, size_t failed, uint64_t ns);

#endif
