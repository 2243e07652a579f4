// The processes that write files and speak to other machines for the virtual printers. What they do comes by a pipe: a
// head, then its bytes.
#ifndef PLATEN_PRINTER_HELPER_H
#define PLATEN_PRINTER_HELPER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "printer_spec.h"

struct printer_options;

// TASK_END: other processes hold the pipe too, so that its end would not be seen.
enum printer_task { TASK_SAVE, TASK_SAVE_JOBS, TASK_KEEP, TASK_FORWARD, TASK_WEBHOOK, TASK_PRINT_TO, TASK_END };
#define PRINTER_KEPT_FILES 3
struct printer_task_head {
    uint32_t task;
    uint32_t printer;
    char name[128];  // of a file, without what comes after the dot for TASK_KEEP; of a host; of a printer
    char ext[8];     // of the file of TASK_KEEP that has the label code
    uint64_t number; // of the label or job
    uint64_t size;
    uint64_t parts[PRINTER_KEPT_FILES]; // of TASK_KEEP: sizes of zpl, png and json; no json: it is too large
};

// A file of kept jobs: it takes its name only if the service has not given it up, and named the jobs, before.
enum printer_saving { SAVING_OPEN, SAVING_COMMITS, SAVING_DONE, SAVING_FAILED, SAVING_GIVEN_UP };

// In memory that both processes have: what is not done when the service ends is told by the service.
#define NOT_KEPT_KNOWN 4096u
struct printer_progress {
    atomic_uint_fast64_t done;   // tasks that were carried out, well or not
    atomic_uint_fast64_t failed; // of these: not well
    atomic_uint_fast64_t failed_of[PRINTERS_MAX];
    atomic_uint_fast64_t not_kept[NOT_KEPT_KNOWN]; // numbers of the last labels whose files could not be written
    atomic_uchar jobs[PRINTERS_MAX];
};

static inline bool printer_saving_moves(atomic_uchar *saving, enum printer_saving to)
{
    unsigned char open = SAVING_OPEN;
    return atomic_compare_exchange_strong(saving, &open, (unsigned char)to);
}

// Signals that it ignores, up to a 0: the service handles them, and closes the pipe when it ends.
extern const int printer_helper_ignores[];
// Carries out what comes by the pipe; does not return.
void printer_helper_main(const struct printer_options *options, int pipe, struct printer_progress *progress);
// Gives a file another name. False: it cannot; with EEXIST: a file has that name, and stays.
bool printer_rename_apart(const char *from, const char *to);
// "http://host:port/path" taken apart. False: it is none.
bool printer_split_url(const char *url, char *address, size_t room, const char **path);

#endif
