// Reading the arguments of a command by its table.
#include "cli/arguments.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"

#define OPTIONS_MAX 80
#define LETTERS_MAX 32
#define OPT_FIELD (OPT_UNLIMITED + 1) // the first of CLI_FIELDS, of which a command has one row

// The table for getopt. An option's number is its letter, or OPT_OWN and its place.
struct table {
    struct option options[OPTIONS_MAX];
    size_t count;
    char letters[LETTERS_MAX];
};

static void add(struct table *t, const char *name, int has_argument, int number)
{
    assert(t->count < OPTIONS_MAX);
    t->options[t->count++] = (struct option){name, has_argument, NULL, number};
}

static void add_control(struct table *t, enum control control)
{
    const struct control_row *row = control_row(control);
    add(t, row->option, row->kind == KIND_FLAG ? no_argument : required_argument,
        control == CONTROL_FORMAT ? OPT_FORMAT : OPT_OF(control));
}

static void add_groups(struct table *t, unsigned groups)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        if (row->option && row->group & groups)
            add_control(t, (enum control)i);
    }
    if (groups & GROUP_SIZING) {
        add(t, "objects", required_argument, OPT_OBJECTS);
        add(t, "dpi", required_argument, OPT_DPI);
    }
}

static void add_fields(struct table *t, const struct conversion_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct control_row *row = &fields->rows[i];
        if (row->option)
            add(t, row->option, row->kind == KIND_FLAG ? no_argument : required_argument, OPT_FIELD + (int)i);
    }
}

static void add_limits(struct table *t)
{
    const char *name;
    for (int option = OPT_LIMIT; (name = cli_limit_name(option)) != NULL; option++)
        add(t, name, option == OPT_UNLIMITED ? no_argument : required_argument, option);
}

static void make_table(const struct cli_command *command, struct table *t)
{
    size_t n = (size_t)snprintf(t->letters, sizeof t->letters, "h%s", command->letters ? command->letters : "");
    t->count = 0;
    for (size_t i = 0; i < command->row_count; i++) {
        const struct cli_row *row = &command->rows[i];
        int argument = row->kind == CLI_IGNORED || row->kind == CLI_FLAG || row->kind == CLI_CHOICE ? no_argument
                       : row->kind == CLI_MAY_VALUE                                                 ? optional_argument
                                                                                                    : required_argument;
        if (row->kind == CLI_GROUPS)
            add_groups(t, row->of.groups);
        else if (row->kind == CLI_CONTROL)
            add_control(t, row->of.control);
        else if (row->kind == CLI_LIMITS)
            add_limits(t);
        else if (row->kind == CLI_FIELDS)
            add_fields(t, row->of.fields);
        else
            add(t, row->name, argument, row->letter ? row->letter : OPT_OWN + (int)i);
        assert(n + 2 < LETTERS_MAX);
        if (row->letter)
            n += (size_t)snprintf(t->letters + n, sizeof t->letters - n, "%c%s", row->letter,
                                  argument == required_argument ? ":" : "");
    }
    add(t, "help", no_argument, 'h');
    add(t, NULL, 0, 0);
}

static const struct cli_row *row_of(const struct cli_command *command, int option)
{
    for (size_t i = 0; i < command->row_count; i++) {
        const struct cli_row *row = &command->rows[i];
        if (row->name[0] ? option == (row->letter ? row->letter : OPT_OWN + (int)i)
                         : row->kind == CLI_FIELDS && option >= OPT_FIELD)
            return row;
    }
    return NULL;
}

// A 32-bit number to where an enum or a uint32_t is; the type of it was checked where the row was written.
static bool put_number(void *at, uint64_t number)
{
    const uint32_t narrow = (uint32_t)number;
    memcpy(at, &narrow, sizeof narrow);
    return true;
}

// `why` is filled in where the row has no sentence of its own.
static bool take(const struct cli_row *row, void *into, const char *value, struct pl_buf *why)
{
    void *at = (char *)into + row->offset;
    const bool given = true;
    uint64_t number;
    switch (row->kind) {
    case CLI_IGNORED:
        return true;
    case CLI_FLAG:
        memcpy(at, &given, sizeof given);
        return true;
    case CLI_CHOICE:
        return put_number(at, row->of.choice);
    case CLI_TEXT:
        memcpy(at, &value, sizeof value);
        return true;
    case CLI_COUNT:
        return pl_parse_u64(pl_slice_cstr(value), &number) && number >= row->of.count.least &&
               number <= row->of.count.most && put_number(at, number);
    case CLI_REASON:
        return row->of.judge(into, value, why);
    default:
        return row->of.read(into, value);
    }
}

static bool read_field(const struct cli_row *row, size_t index, void *into, const char *value)
{
    const struct control_row *field = &row->of.fields->rows[index];
    struct conversion_request *request = (void *)((char *)into + row->offset);
    char room[CONTROL_ALLOWED_MAX];
    if (conversion_take(request, row->of.fields, field, pl_slice_cstr(value ? value : "true")))
        return true;
    fprintf(stderr, "platen: --%s '%s': must be %s\n", field->option, value, control_allowed(field, room));
    return false;
}

static bool read_row(const struct cli_command *command, const struct cli_row *row, void *into, const char *value)
{
    struct pl_buf why;
    pl_buf_init(&why, 4096);
    bool ok = take(row, into, value, &why);
    if (!ok && command->quotes)
        fprintf(stderr, "platen: --%s '%s': %s\n", row->name, value, row->must);
    else if (!ok && row->must)
        fprintf(stderr, "platen %s: --%s: %s\n", command->name, row->name, row->must);
    else if (!ok)
        fprintf(stderr, "platen %s: --%s: %.*s\n", command->name, row->name, (int)why.len,
                why.data ? (const char *)why.data : "");
    pl_buf_fini(&why);
    return ok;
}

static enum cli_result read_other(const struct cli_command *command, int option, void *into, struct cli_options *common)
{
    enum cli_result result = command->other ? command->other(into, option, optarg) : CLI_NOT_MINE;
    if (result == CLI_NOT_MINE && common)
        result = cli_option(option, optarg, common);
    if (result == CLI_NOT_MINE && command->shows_usage)
        cli_help(stderr, command->usage);
    return result;
}

static int show_help(const struct cli_command *command)
{
    cli_help(stdout, command->usage);
    if (command->shows_limits)
        cli_limits_help(stdout);
    return 1;
}

int cli_arguments(const struct cli_command *command, int argc, char **argv, void *into, struct cli_options *common)
{
    struct table t;
    make_table(command, &t);
    for (int option; (option = getopt_long(argc, argv, t.letters, t.options, NULL)) != -1;) {
        const struct cli_row *row = row_of(command, option);
        if (option == 'h')
            return show_help(command);
        bool ok = !row                      ? read_other(command, option, into, common) == CLI_TAKEN
                  : row->kind == CLI_FIELDS ? read_field(row, (size_t)(option - OPT_FIELD), into, optarg)
                                            : read_row(command, row, into, optarg);
        if (!ok)
            return CLI_WRONG_USAGE;
    }
    return 0;
}

int cli_look_ahead(const struct cli_command *command, int argc, char **argv, const char *name, const char **value)
{
    struct table t;
    int errors = opterr;
    bool help = false;
    make_table(command, &t);
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, t.letters, t.options, NULL)) != -1;) {
        const struct cli_row *row = row_of(command, option);
        if (row && strcmp(row->name, name) == 0)
            *value = optarg;
        help = help || option == 'h';
    }
    opterr = errors;
    optind = 0; // GNU's getopt begins anew
    return help ? show_help(command) : 0;
}

void cli_tell_useless(const struct controls *controls, const char *with)
{
    for (uint32_t i = 0; i < controls->useless_count; i++)
        fprintf(stderr, "platen: --%s has no effect %s%s; it was ignored\n", controls->useless[i],
                with ? "with " : "on this output", with ? with : "");
}

int cli_usage_error(const struct cli_command *command, const char *message)
{
    fprintf(stderr, "platen %s: %s\n", command->name, message);
    return CLI_WRONG_USAGE;
}
