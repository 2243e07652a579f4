// The options that subcommands share: the render controls by their table, and --objects.
#ifndef PLATEN_CLI_OPTIONS_H
#define PLATEN_CLI_OPTIONS_H

#include <stdio.h>

#include "base/buf.h"
#include "cli/cli_limits.h"
#include "platen/platen.h"
#include "request/controls.h"

enum {
    OPT_FORMAT = 'f',
    OPT_CONTROL = 256, // OPT_OF
    OPT_OBJECTS = OPT_CONTROL + CONTROL_COUNT,
    OPT_DPI, // refused with a pointer to --dpmm
    OPT_OWN  // the first number that a subcommand may use for itself
};
#define OPT_OF(control) (OPT_CONTROL + (int)(control)) // but for CONTROL_FORMAT, which is OPT_FORMAT

// In a text for --help, a line of its own: the help of a group. cli_help replaces it.
#define CLI_SIZES_HELP "@sizing\n"
#define CLI_SIZING_HELP CLI_SIZES_HELP "  --objects DIR         graphics, formats and fonts to find on drive E:\n"
#define CLI_DRAWING_HELP "@drawing\n"
#define CLI_CHECKING_HELP "@checking\n"
#define CLI_LABELS_HELP CLI_SIZING_HELP CLI_DRAWING_HELP CLI_CHECKING_HELP
#define CLI_CODE_HELP "@code\n" // the options of CODE_FIELDS, and so on
#define CLI_GRAPHIC_HELP "@graphic\n"
#define CLI_FONT_HELP "@font\n"
#define CLI_SHEETS_HELP "Pages of a PDF:\n@sheets\n"
#define CLI_LABEL_FILES "@files" // anywhere in a line: language_list of files
void cli_help(FILE *file, const char *text);

struct cli_options {
    struct controls controls;
    struct platen_options render; // the same for libplaten: 0 where an option is not given
    const char *objects_dir;
    struct cli_limits limits;
    struct pl_buf *complaints; // where mistakes are reported, without the option's name; NULL: standard error
};

struct cli_options cli_options_init(void); // everything at its default

enum cli_result { CLI_TAKEN, CLI_NOT_MINE, CLI_BAD }; // CLI_BAD: a line was printed
enum cli_result cli_option(int option, const char *value, struct cli_options *out);

// The engine that they ask for, its limits and, where `worker` is not NULL, a worker. NULL: a line was printed.
struct platen_engine *cli_engine_new(const struct cli_options *options, struct platen_worker **worker,
                                     struct platen_limits *limits);

// The whole text must be a number within the bounds.
bool cli_number(const char *text, double least, double most, double *out);

#endif
