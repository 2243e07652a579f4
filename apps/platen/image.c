// `platen image` and `platen font`: pictures and fonts to label code.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "cli/arguments.h"
#include "cli/cli_io.h"
#include "commands.h"
#include "request/conversion.h"

static const char IMAGE_USAGE[] =
    "usage: platen image FILE|- [options]\n"
    "\n"
    "Writes a picture (PNG, JPEG, GIF, WebP, BMP, PCX, PBM, PGM or PPM) as label code.\n"
    "\n"
    "  -o, --output FILE     where to (standard output)\n" CLI_GRAPHIC_HELP
    "  --width-mm W, --height-mm H   fit into this size at --dpmm; larger only by whole numbers. Default: a dot for a "
    "dot\n"
    "  --dpmm D              dots per millimetre (8)\n"
    "  --rotation R          rotates clockwise: 0, 90, 180 or 270\n"
    "  --at X,Y              place of the field, in dots (0,0)\n"
    "  --stored              ~DG and ^XG instead of ^GF; --name says under which name\n"
    "\n"
    "Exit status: 0 fine, 1 the picture could not be read or the code not be written, 2 wrong usage.\n";

static const char FONT_USAGE[] =
    "usage: platen font FILE|- [options]\n"
    "\n"
    "Writes a font (TrueType, OpenType, WOFF, WOFF2 or a collection) as label code (~DU or ~DY).\n"
    "\n"
    "  -o, --output FILE     where to (standard output)\n" CLI_FONT_HELP
    "  --chars TEXT          only these characters\n"
    "\n"
    "Exit status: 0 fine, 1 the font could not be read or the code not be written, 2 wrong usage.\n";

struct making {
    struct cli_options common;
    struct conversion_request request;
    const char *chars, *output;
};

// As the members x and y are read.
static bool read_place(void *command, const char *text)
{
    struct making *m = command;
    struct pl_slice y = pl_slice_cstr(text), x = pl_slice_until(&y, ',');
    return conversion_take(&m->request, &GRAPHIC_FIELDS, conversion_field(&GRAPHIC_FIELDS, "x"), x) &&
           conversion_take(&m->request, &GRAPHIC_FIELDS, conversion_field(&GRAPHIC_FIELDS, "y"), y);
}

static bool write_graphic(const struct platen_engine *engine, struct making *m, const struct cli_input *in,
                          struct platen_error *err)
{
    struct platen_graphic *graphic;
    m->request.conversion = CONVERT_GRAPHIC;
    conversion_drop_useless(&m->request, &GRAPHIC_FIELDS, &m->common.controls, true);
    cli_tell_useless(&m->common.controls, NULL);
    struct platen_options render = controls_given_options(&m->common.controls.values);
    render.deadline_ns = cli_deadline(&m->common.limits);
    const struct platen_graphic_options options = conversion_graphic(&m->request, &render);
    if (platen_graphic_new(engine, in->data, in->size, &options, &graphic, err) != PLATEN_OK)
        return false;
    size_t size;
    const char *code = platen_graphic_code(graphic, &size);
    err->message[0] = '\0';
    bool ok = cli_write(m->output, code, size, NULL);
    platen_graphic_free(graphic);
    return ok;
}

static bool write_font(const struct platen_engine *engine, struct making *m, const struct cli_input *in,
                       struct platen_error *err)
{
    struct platen_buffer code = {0}, notes = {0};
    struct platen_font_options options = conversion_font(&m->request, m->chars);
    options.notes = &notes;
    bool ok = platen_font_code(engine, in->data, in->size, &options, &code, err) == PLATEN_OK;
    if (ok) {
        fwrite(notes.data, 1, notes.size, stderr);
        err->message[0] = '\0';
        ok = cli_write(m->output, code.data, code.size, NULL);
    }
    platen_buffer_free(&code);
    platen_buffer_free(&notes);
    return ok;
}

static int convert(struct making *m, const char *path, bool is_font)
{
    struct platen_error err = {0};
    struct platen_limits limits;
    struct cli_input in;
    struct platen_engine *engine = cli_engine_new(&m->common, NULL, &limits);
    if (!engine)
        return 1;
    bool ok = cli_read(path, limits.input_bytes, &in, NULL);
    if (ok) {
        ok = is_font ? write_font(engine, m, &in, &err) : write_graphic(engine, m, &in, &err);
        if (!ok && err.message[0])
            cli_print_failure(path, &err, NULL);
        cli_input_free(&in);
    }
    platen_engine_free(engine);
    return ok ? 0 : 1;
}

static int run(int argc, char **argv, const struct cli_command *command, bool is_font)
{
    struct making m = {.common = cli_options_init(), .output = "-"};
    int status = cli_arguments(command, argc, argv, &m, &m.common);
    if (status)
        return status - 1;
    if (optind + 1 != argc) {
        cli_help(stderr, command->usage);
        return 2;
    }
    return convert(&m, argv[optind], is_font);
}

int command_image(int argc, char **argv)
{
    static const struct cli_row ROWS[] = {
        CLI_ROW_GROUPS(GROUP_LABELS),
        CLI_ROW_LIMITS,
        {"output", 'o', CLI_TO_TEXT(struct making, output)},
        CLI_ROW_FIELDS(GRAPHIC_FIELDS, struct making, request),
        {"stored", '\0', CLI_TO_CHOICE(struct making, uint32_t, request.form, 1)},
        {"at", '\0', CLI_READ(read_place, "must be two whole numbers from 0 to 32000: X,Y")},
    };
    static const struct cli_command COMMAND = {
        "image", IMAGE_USAGE, CLI_ROWS(ROWS), .shows_usage = true, .shows_limits = true, .quotes = true};
    return run(argc, argv, &COMMAND, false);
}

int command_font(int argc, char **argv)
{
    static const struct cli_row ROWS[] = {
        {"output", 'o', CLI_TO_TEXT(struct making, output)},
        CLI_ROW_FIELDS(FONT_FIELDS, struct making, request),
        {"chars", '\0', CLI_TO_TEXT(struct making, chars)},
        CLI_ROW_LIMITS,
    };
    static const struct cli_command COMMAND = {
        "font", FONT_USAGE, CLI_ROWS(ROWS), .shows_usage = true, .shows_limits = true, .quotes = true};
    return run(argc, argv, &COMMAND, true);
}
