// Checking one input: parse, draw, gather, and write what was found as a message that can cross processes.
#ifndef PLATEN_CHECK_FILE_H
#define PLATEN_CHECK_FILE_H

#include "check_format.h"
#include "cli/cli_io.h"

struct check_request {
    const struct check_settings *settings;
    enum check_format format;
    bool report; // also as a part of the page with pictures
    size_t input_limit;
    const struct cli_files *files; // NULL: those of the system
};

// What a message has: text without NUL. It is made where the input is read and taken apart where outputs are written.
struct check_message {
    struct check_counts counts;
    struct pl_slice output; // the part of the output
    struct pl_slice report; // the part of the page
};

#define CHECK_MESSAGE_MAX ((size_t)128 << 20)

// Appends the message of an input; `item` is its number.
void check_input(struct platen_worker *worker, const struct check_request *request, const char *path, size_t item,
                 struct pl_buf *out);
// Appends the message of an input that could not be checked.
void check_input_failed(const struct check_request *request, const char *path, size_t item, const char *code,
                        const char *why, struct pl_buf *out);
// False: it is none.
bool check_message_read(struct pl_slice text, struct check_message *out);

#endif
