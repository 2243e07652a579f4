// The limits of the command line: those of the service, options that change them, and the service's sentences.
#ifndef PLATEN_CLI_LIMITS_H
#define PLATEN_CLI_LIMITS_H

#include <stdio.h>

#include "base/buf.h"
#include "cli/limit_options.h"
#include "cli/message.h"

enum {
    OPT_LIMIT = 512, // the first; beyond the numbers that subcommands use for themselves
    OPT_UNLIMITED = OPT_LIMIT + 7
};

struct cli_limits {
    struct platen_engine_options engine; // 0: the default
    uint64_t render_ms;                  // 0: no limit
};

#define CLI_LIMITS_INIT                                                                                                \
    {                                                                                                                  \
        .render_ms = PL_LIMIT_SECONDS * UINT64_C(1000)                                                                 \
    }

// Lines for --help.
void cli_limits_help(FILE *out);
// The name of such an option, from OPT_LIMIT on; NULL: there are no more.
const char *cli_limit_name(int option);
// Takes one of them. False: its value is wrong, and `err` says why; its message begins with the option.
bool cli_limit_option(int option, const char *value, struct cli_limits *limits, struct pl_error *err);
// The engine's options: the input may be as large as the memory, and of the labels only copies are limited. What a file
// writes out is drawn, however many labels that are.
struct platen_engine_options cli_limits_engine(const struct cli_limits *limits, const char *objects_dir);

// Memory of a process that renders files: what the engine may use, as much for the input and what is made of it, and
// what libraries take.
size_t cli_process_memory(const struct platen_engine *engine);

// When a render that begins now is late; 0: never.
uint64_t cli_deadline(const struct cli_limits *limits);
// That of a file that began with such a deadline and has so many labels, which are drawn within the call.
uint64_t cli_deadline_of(const struct cli_limits *limits, uint64_t deadline, uint64_t labels);
// The same for drawing, once it is known how many labels there are.
void cli_more_time(const struct cli_limits *limits, uint64_t deadline_ns, struct platen_document *document);

// What is said of a failure: beyond a limit the service's sentence and its code, else the library's message.
#define CLI_FAILURE_SIZE 512
void cli_failure(const struct platen_error *err, char *out, size_t size);
// Prints it as a line about a file, by `sink`. False, for the caller to return.
bool cli_print_failure(const char *path, const struct platen_error *err, const struct message_sink *sink);

// False, and a line is printed: there was no room for all of an output that is kept in memory until it is whole.
bool cli_output_fits(const char *path, const struct pl_buf *output);

#endif
