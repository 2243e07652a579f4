// The settings of `platen check`: from the command line and from the project's file, one table for both.
#ifndef PLATEN_CHECK_SETTINGS_H
#define PLATEN_CHECK_SETTINGS_H

#include "check_own_rules.h"
#include "check_policy.h"
#include "cli/arguments.h"

enum check_format { CHECK_TEXT, CHECK_JSON, CHECK_JUNIT, CHECK_SARIF, CHECK_GITHUB, CHECK_BASELINE };

struct check_settings {
    struct cli_options common; // size, time, objects, rules
    struct check_codes ignore, only;
    struct check_severities severities;
    struct check_baseline baseline;
    struct check_own_rules own_rules;
    enum platen_severity fail_on;
    bool no_verify;
    uint64_t timeout_ms;     // for each input, in processes; 0: in threads, for as long as it takes
    const char *docs_url;    // where this documentation is served, without a slash at its end; NULL: not known
    struct pl_arena *memory; // for texts, for as long as the program runs
    const char *file;        // where settings came from beside the command line; NULL: from nowhere
};

#define CHECK_SETTINGS_INIT                                                                                            \
    {                                                                                                                  \
        .common = cli_options_init(), .fail_on = PLATEN_ERROR                                                          \
    }

// Rows of the options that `platen check` and `platen lsp` share; the settings begin their structs.
#define CHECK_ROWS                                                                                                     \
    {"docs-url", '\0', CLI_TO_TEXT(struct check_settings, docs_url)},                                                  \
        {"no-verify", '\0', CLI_TO_FLAG(struct check_settings, no_verify)},                                            \
        {"config-file", '\0', CLI_TO_TEXT(struct check_settings, file)}, CLI_ROW_CONTROL(CONTROL_PROFILE),             \
        CLI_ROW_GROUPS(GROUP_SIZING | GROUP_CHECKING), CLI_ROW_LIMITS
// The arguments of a command with these rows, behind the settings of the project's file: the command line has the last
// word. Without --config-file that is the .platen.toml of the working folder or of the nearest one above it, up to the
// one that has .git. `settings` begin the command's struct. Returns as cli_arguments.
int check_read_arguments(const struct cli_command *command, int argc, char **argv, struct check_settings *settings);
// cli_command.other: --verify, which takes --no-verify back.
enum cli_result check_other_option(void *settings, int option, const char *value);

// cli_row.judge, for the settings that begin a command's struct.
bool check_set_fail_on(void *settings, const char *value, struct pl_buf *why);
bool check_set_timeout(void *settings, const char *value, struct pl_buf *why);
bool check_set_baseline(void *settings, const char *file, struct pl_buf *why);
bool check_add_ignored(void *settings, const char *list, struct pl_buf *why);
bool check_add_severity(void *settings, const char *rule, struct pl_buf *why);
// Adds codes: one, or several with commas between them. False, with a sentence in `why`.
bool check_add_codes(struct check_codes *set, const char *list, struct pl_buf *why);

#endif
