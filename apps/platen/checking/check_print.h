// Where the messages of `platen check` arrive, in the order of the inputs: the output, the page, and the counts.
#ifndef PLATEN_CHECK_PRINT_H
#define PLATEN_CHECK_PRINT_H

#include "check_file.h"
#include "cli/whole_file.h"

struct check_file_out {
    struct whole_file file;
    const char *path;   // NULL: standard output
    struct pl_buf text; // that is to be written
    bool is_open;
    bool has_failed; // a line was printed
};

struct check_print {
    const struct check_settings *settings;
    enum check_format format;
    struct check_file_out output, report;
    char *report_path; // NULL: no page
    bool colours, progress;
    bool any;             // a part has been written
    bool broken;          // a message was none
    uint64_t report_size; // bytes so far
    uint64_t report_left_out;
    struct check_totals totals;
};

// Opens what is to be written and begins it. `path`: of the output, NULL for standard output; `folder`: of the page,
// NULL for none. False: a line was printed.
bool check_print_open(struct check_print *print, const char *path, const char *folder);
// The `say` of a sink: one message.
void check_print_message(void *print, const char *text, size_t len);
// Ends all of it. False: something could not be written; a line was printed.
bool check_print_close(struct check_print *print);

#endif
