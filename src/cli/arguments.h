// The arguments of a command, by one table: a row for each option, which says where its value goes or who reads it.
#ifndef PLATEN_CLI_ARGUMENTS_H
#define PLATEN_CLI_ARGUMENTS_H

#include <getopt.h> // optind

#include "base/ckd.h"
#include "cli/cli_options.h"
#include "request/conversion.h"

enum cli_kind {
    CLI_GROUPS,    // no option: the controls of these groups
    CLI_CONTROL,   // no option: this one control
    CLI_LIMITS,    // no option: the limits
    CLI_FIELDS,    // no option: those of a table of conversions', for a struct conversion_request
    CLI_IGNORED,   // it may be given
    CLI_FLAG,      // bool: it was given
    CLI_CHOICE,    // an enum, which gets the value of the row
    CLI_TEXT,      // const char *: points into argv
    CLI_COUNT,     // uint32_t: a whole number within the bounds
    CLI_VALUE,     // a value that `read` takes
    CLI_MAY_VALUE, // the same, or none: NULL
    CLI_REASON     // a value that `judge` takes
};

struct cli_row {
    const char *name; // "out-dir": --out-dir; "" where it is no option
    char letter;      // '\0': it has none
    enum cli_kind kind;
    const char *must; // "must be ..."; NULL where no value is wrong, or `judge` says why
    size_t offset;    // in the command's struct, from CLI_FLAG to CLI_COUNT
    union {
        unsigned groups;                        // CLI_GROUPS
        enum control control;                   // CLI_CONTROL
        const struct conversion_fields *fields; // CLI_FIELDS
        uint32_t choice;                        // CLI_CHOICE
        struct {
            uint32_t least, most;
        } count;                                                             // CLI_COUNT
        bool (*read)(void *command, const char *value);                      // CLI_VALUE, CLI_MAY_VALUE
        bool (*judge)(void *command, const char *value, struct pl_buf *why); // CLI_REASON; false: `why` says it
    } of;
};

#define CLI_ROW_GROUPS(which)                                                                                          \
    {                                                                                                                  \
        "", .kind = CLI_GROUPS, .of.groups = (which)                                                                   \
    }
#define CLI_ROW_CONTROL(which)                                                                                         \
    {                                                                                                                  \
        "", .kind = CLI_CONTROL, .of.control = (which)                                                                 \
    }
#define CLI_ROW_LIMITS                                                                                                 \
    {                                                                                                                  \
        "", .kind = CLI_LIMITS                                                                                         \
    }
#define CLI_ROW_FIELDS(table, type, member)                                                                            \
    {                                                                                                                  \
        "", .kind = CLI_FIELDS, .offset = PL_OFFSET(struct conversion_request, type, member), .of.fields = &(table)    \
    }
// What follows name and letter in a row. `value_type` is an enum.
#define CLI_NO_EFFECT .kind = CLI_IGNORED
#define CLI_TO_FLAG(type, member) .kind = CLI_FLAG, .offset = PL_OFFSET(bool, type, member)
#define CLI_TO_CHOICE(type, value_type, member, value)                                                                 \
    .kind = CLI_CHOICE, .offset = PL_OFFSET(value_type, type, member), .of.choice = (value)
#define CLI_TO_TEXT(type, member) .kind = CLI_TEXT, .offset = PL_OFFSET(const char *, type, member)
#define CLI_TO_COUNT(type, member, first, last, sentence)                                                              \
    .kind = CLI_COUNT, .must = (sentence), .offset = PL_OFFSET(uint32_t, type, member), .of.count = {(first), (last)}
#define CLI_READ(reader, sentence) .kind = CLI_VALUE, .must = (sentence), .of.read = (reader)
#define CLI_MAY_READ(reader, sentence) .kind = CLI_MAY_VALUE, .must = (sentence), .of.read = (reader)
#define CLI_JUDGE(reader) .kind = CLI_REASON, .of.judge = (reader)

#define CLI_ROWS(table) .rows = (table), .row_count = PL_COUNTOF(table)
struct cli_command {
    const char *name, *usage;
    const struct cli_row *rows; // --help is not among them
    size_t row_count;           // CLI_ROWS has both
    const char *letters;        // of controls: "f:"; NULL: none
    bool shows_usage;           // for a wrong option, too
    bool shows_limits;          // with --help
    bool quotes;                // "platen: --to 'x': must be ...", else "platen render: --page: must be ..."
    // Is asked first for options that are not in the table; NULL: none is the command's.
    enum cli_result (*other)(void *command, int option, const char *value);
};

// Reads the options into the command's struct and, where `common` is not NULL, into that. 0: go on, what follows the
// options is at optind; otherwise the exit status plus one, and all is said.
int cli_arguments(const struct cli_command *command, int argc, char **argv, void *into, struct cli_options *common);
// The value of one option before the others are read, in *value if it is there. Returns as cli_arguments.
int cli_look_ahead(const struct cli_command *command, int argc, char **argv, const char *name, const char **value);
#define CLI_WRONG_USAGE 3 // the exit status plus one
// Options of which a conversion was told that they have no effect: a line for each. `with` is an option, or NULL.
void cli_tell_useless(const struct controls *controls, const char *with);
// Prints a line, and returns this.
int cli_usage_error(const struct cli_command *command, const char *message);

#endif
