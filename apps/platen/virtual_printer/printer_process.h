// The process behind one kind of helper of the virtual printers, seen from the service: a pipe to it, and how far it
// is.
#ifndef PLATEN_PRINTER_PROCESS_H
#define PLATEN_PRINTER_PROCESS_H

#include <sys/types.h>

#include "base/err.h"
#include "printer_helper.h"

struct printer_process {
    int pipe;                          // -1: there is none
    pid_t pid;                         // 0: none
    struct printer_progress *progress; // shared with it
};

// While there are no threads.
enum pl_errc printer_process_start(struct printer_process *process, const char *name,
                                   const struct printer_options *options, struct pl_error *err) PL_MUST_USE;
// As many bytes as the pipe has room for: 0 when it is full, -1 when nobody reads it any more.
ssize_t printer_process_write(struct printer_process *process, const void *bytes, size_t size);
void printer_process_wait_for_room(struct printer_process *process);
// Closes the pipe, and waits until then for its end. It is not killed: it ends with the service.
void printer_process_end(struct printer_process *process, uint64_t until_ns, const atomic_bool *given_up);
void printer_process_free(struct printer_process *process);

#endif
