// Reading the options that subcommands share.
#include "cli/cli_options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

bool cli_number(const char *text, double least, double most, double *out)
{
    return pl_parse_double(pl_slice_cstr(text), out) && *out >= least && *out <= most;
}

struct cli_options cli_options_init(void)
{
    struct cli_options options = {.limits = CLI_LIMITS_INIT};
    controls_init(&options.controls);
    options.render = controls_given_options(&options.controls.values);
    return options;
}

// ---- tables of options and help, made of the rows

static size_t add_group(unsigned groups, struct option *out, size_t count)
{
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        if (row->option && row->group & groups)
            out[count++] = (struct option){row->option, row->kind == KIND_FLAG ? no_argument : required_argument, NULL,
                                           i == CONTROL_FORMAT ? OPT_FORMAT : OPT_OF(i)};
    }
    if (groups & GROUP_SIZING) {
        out[count++] = (struct option){"objects", required_argument, NULL, OPT_OBJECTS};
        out[count++] = (struct option){"dpi", required_argument, NULL, OPT_DPI};
    }
    return count;
}

int cli_getopt(int argc, char **argv, const char *letters, const struct option *options)
{
    struct option all[CLI_OPTIONS_MAX];
    size_t count = 0;
    for (; options->name; options++) {
        if (options->name[0])
            all[count++] = *options;
        else
            count = add_group((unsigned)options->val, all, count);
    }
    assert(count < CLI_OPTIONS_MAX);
    all[count] = (struct option){NULL, 0, NULL, 0};
    return getopt_long(argc, argv, letters, all, NULL);
}

static enum cli_result limit_option(int option, const char *value, struct cli_options *out)
{
    struct pl_error err = {0};
    if (cli_limit_option(option, value, &out->limits, &err))
        return CLI_TAKEN;
    fprintf(stderr, "platen: %s\n", err.message);
    return CLI_BAD;
}

static void put_group(enum control_group group, struct pl_buf *out)
{
    for (int i = CONTROL_FORMAT + 1; i < CONTROL_COUNT; i++) { // what --format takes depends on the subcommand
        if (control_row((enum control)i)->option && control_row((enum control)i)->group == group)
            control_put_help(control_row((enum control)i), out);
    }
}

void cli_help(FILE *file, const char *text)
{
    static const struct {
        const char *line;
        enum control_group group;
    } GROUPS[] = {{CLI_SIZES_HELP, GROUP_SIZING},
                  {CLI_DRAWING_HELP, GROUP_DRAWING},
                  {CLI_CHECKING_HELP, GROUP_CHECKING},
                  {"@sheets\n", GROUP_SHEETS}};
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    while (*text) {
        size_t length = strcspn(text, "\n") + 1, i = 0;
        while (i < PL_COUNTOF(GROUPS) && strncmp(text, GROUPS[i].line, length) != 0)
            i++;
        if (i < PL_COUNTOF(GROUPS))
            put_group(GROUPS[i].group, &out);
        else
            pl_buf_append(&out, text, length);
        text += length;
    }
    if (out.len)
        fwrite(out.data, 1, out.len, file);
    pl_buf_fini(&out);
}

// ---- values

enum cli_result cli_option(int option, const char *value, struct cli_options *out)
{
    if (option == OPT_OBJECTS) {
        out->objects_dir = value;
        return CLI_TAKEN;
    }
    if (option == OPT_DPI) {
        fprintf(stderr, "platen: there is no --dpi: the density is --dpmm, in dots per millimetre. %s\n",
                control_row(CONTROL_DPMM)->more);
        return CLI_BAD;
    }
    if (option >= OPT_MAX_COPIES && option <= OPT_UNLIMITED)
        return limit_option(option, value, out);
    if (option != OPT_FORMAT && (option < OPT_CONTROL || option >= OPT_OBJECTS))
        return CLI_NOT_MINE;
    enum control control = option == OPT_FORMAT ? CONTROL_FORMAT : (enum control)(option - OPT_CONTROL);
    const struct control_row *row = control_row(control);
    struct problem problem;
    char room[CONTROL_ALLOWED_MAX];
    out->controls.given &= ~(UINT64_C(1) << control); // the last one of several counts
    if (!controls_set_one(&out->controls, control, pl_slice_cstr(row->name),
                          control_text(pl_slice_cstr(value ? value : "true")), &problem)) {
        if (out->complaints)
            pl_buf_printf(out->complaints, "'%s': must be %s", value, control_allowed(row, room));
        else
            fprintf(stderr, "platen: --%s '%s': must be %s%s%s\n", row->option, value, control_allowed(row, room),
                    control == CONTROL_DPMM ? ". " : "", control == CONTROL_DPMM ? row->more : "");
        return CLI_BAD;
    }
    out->render = controls_given_options(&out->controls.values);
    return CLI_TAKEN;
}
