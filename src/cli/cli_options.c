// Reading the options that subcommands share.
#include "cli/cli_options.h"

#include <stdio.h>
#include <string.h>

#include "answer/languages.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "request/conversion.h"

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

// ---- help, made of the rows

static enum cli_result limit_option(int option, const char *value, struct cli_options *out)
{
    struct pl_error err = {0};
    if (cli_limit_option(option, value, &out->limits, &err))
        return CLI_TAKEN;
    fprintf(stderr, "platen: %s\n", err.message);
    return CLI_BAD;
}

static void put_rows(const struct conversion_fields *fields, enum control_group group, struct pl_buf *out)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct control_row *row = &fields->rows[i];
        // What --format takes depends on the subcommand.
        if (row->option && row->group == group && row != control_row(CONTROL_FORMAT))
            control_put_help(row, out);
    }
}

void cli_help(FILE *file, const char *text)
{
    const struct conversion_fields controls = {control_row(CONTROL_FORMAT), CONTROL_COUNT};
    const struct {
        const char *line;
        const struct conversion_fields *fields;
        enum control_group group; // of the rows
    } LINES[] = {{CLI_SIZES_HELP, &controls, GROUP_SIZING},      {CLI_DRAWING_HELP, &controls, GROUP_DRAWING},
                 {CLI_CHECKING_HELP, &controls, GROUP_CHECKING}, {"@sheets\n", &controls, GROUP_SHEETS},
                 {CLI_CODE_HELP, &CODE_FIELDS, GROUP_NONE},      {CLI_GRAPHIC_HELP, &GRAPHIC_FIELDS, GROUP_NONE},
                 {CLI_FONT_HELP, &FONT_FIELDS, GROUP_NONE}};
    char files[LANGUAGES_TEXT_MAX];
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    while (*text) {
        size_t length = strcspn(text, "\n") + 1, i = 0;
        const char *mark = memmem(text, length, CLI_LABEL_FILES, strlen(CLI_LABEL_FILES));
        while (i < PL_COUNTOF(LINES) && strncmp(text, LINES[i].line, length) != 0)
            i++;
        if (i < PL_COUNTOF(LINES))
            put_rows(LINES[i].fields, LINES[i].group, &out);
        else if (mark == text)
            pl_buf_append_cstr(&out, language_list(files, true));
        else
            pl_buf_append(&out, text, length = mark ? (size_t)(mark - text) : length);
        text += mark == text ? strlen(CLI_LABEL_FILES) : length;
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
    if (option >= OPT_LIMIT && option <= OPT_UNLIMITED)
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

struct platen_engine *cli_engine_new(const struct cli_options *options, struct platen_worker **worker,
                                     struct platen_limits *limits)
{
    const struct platen_engine_options engine_options = cli_limits_engine(&options->limits, options->objects_dir);
    struct platen_engine *engine;
    struct platen_error err;
    if (platen_engine_new(&engine_options, &engine, &err) == PLATEN_OK) {
        platen_engine_limits(engine, limits);
        if (!worker || platen_worker_new(engine, worker, &err) == PLATEN_OK)
            return engine;
        platen_engine_free(engine);
    }
    fprintf(stderr, "platen: %s\n", err.message);
    return NULL;
}
