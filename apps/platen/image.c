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
    "  -o, --output FILE     where to (standard output)\n"
    "  --dither D            threshold (default), auto (bars and text stay crisp), floyd-steinberg, atkinson or "
    "ordered\n"
    "  --threshold P         percent of white below which shades are ink, 1 to 99 (50)\n"
    "  --coding C            acs (default, for every printer), hex, z64 or smallest\n"
    "  --width-mm W, --height-mm H   fit into this size at --dpmm; larger only by whole numbers. Default: a dot for a "
    "dot\n"
    "  --exact-fit           larger by any factor\n"
    "  --dpmm D              dots per millimetre (8)\n"
    "  --rotation R          rotates clockwise: 0, 90, 180 or 270\n"
    "  --invert, --trim      black and white swapped; edges without ink cut off\n"
    "  --at X,Y              place of the field, in dots (0,0)\n"
    "  --stored              ~DG and ^XG instead of ^GF; --name R:LOGO.GRF says under which name\n"
    "  --bare                without ^XA and ^XZ\n"
    "\n"
    "Exit status: 0 fine, 1 the picture could not be read or the code not be written, 2 wrong usage.\n";

static const char FONT_USAGE[] =
    "usage: platen font FILE|- [options]\n"
    "\n"
    "Writes a font (TrueType, OpenType, WOFF, WOFF2 or a collection) as label code (~DU or ~DY).\n"
    "\n"
    "  -o, --output FILE     where to (standard output)\n"
    "  --path P              name on the printer (R:FONT.TTF)\n"
    "  --letter L            ^CW gives it this letter\n"
    "  --form F              du (default: ~DU) or dy (~DY, a file of hex digits)\n"
    "  --chars TEXT          only these characters\n"
    "  --unicodes R          and these ranges: 0030-0039,0041-005A\n"
    "  --face N              which font of a collection (0)\n"
    "  --instance NAME       of a variable font: Bold, SemiBold, ...\n"
    "  --bare                without ^XA and ^XZ\n"
    "\n"
    "Exit status: 0 fine, 1 the font could not be read or the code not be written, 2 wrong usage.\n";

struct making {
    struct cli_options common;
    struct platen_graphic_options graphic;
    struct platen_font_options font;
    const char *output;
};

static bool read_place(void *command, const char *text)
{
    struct making *m = command;
    int length = 0;
    return text[0] >= '0' && text[0] <= '9' && sscanf(text, "%5u,%n", &m->graphic.x, &length) == 1 && length > 0 &&
           text[length] >= '0' && text[length] <= '9' && sscanf(text += length, "%5u%n", &m->graphic.y, &length) == 1 &&
           text[length] == '\0';
}

static bool find_dither(struct pl_slice name, uint32_t *out)
{
    static const char *const DITHERS[] = {"threshold", "auto", "floyd-steinberg", "atkinson", "ordered"};
    for (*out = 0; *out < PL_COUNTOF(DITHERS) && !pl_slice_eq_cstr(name, DITHERS[*out]); ++*out)
        continue;
    return *out < PL_COUNTOF(DITHERS);
}

static bool find_coding(struct pl_slice name, uint32_t *out)
{
    return coding_by_name(name, "default", out);
}

static bool read_threshold(void *command, const char *value)
{
    struct making *m = command;
    return cli_number(value, 1, 99, &m->graphic.threshold);
}

static bool read_letter(void *command, const char *value)
{
    struct making *m = command;
    m->font.letter = value[0];
    return value[0] && !value[1];
}

static bool read_face(void *command, const char *value)
{
    struct making *m = command;
    double face;
    if (!cli_number(value, 0, 65535, &face) || face != (uint32_t)face)
        return false;
    m->font.face = (uint32_t)face;
    return true;
}

static bool read_form(void *command, const char *value)
{
    struct making *m = command;
    m->font.as_file = strcmp(value, "dy") == 0;
    return m->font.as_file || strcmp(value, "du") == 0;
}

static bool write_graphic(const struct platen_engine *engine, struct making *m, const struct cli_input *in,
                          struct platen_error *err)
{
    struct platen_graphic *graphic;
    const struct platen_options *r = &m->common.render;
    m->graphic.width_mm = r->width_mm;
    m->graphic.height_mm = r->height_mm;
    m->graphic.dpmm = r->dpmm;
    m->graphic.rotation = r->rotation;
    m->graphic.deadline_ns = cli_deadline(&m->common.limits);
    if (platen_graphic_new(engine, in->data, in->size, &m->graphic, &graphic, err) != PLATEN_OK)
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
    m->font.notes = &notes;
    bool ok = platen_font_code(engine, in->data, in->size, &m->font, &code, err) == PLATEN_OK;
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
    struct making m = {.common = cli_options_init(),
                       .graphic = PLATEN_GRAPHIC_OPTIONS(),
                       .font = PLATEN_FONT_OPTIONS(),
                       .output = "-"};
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
        {"dither", '\0',
         CLI_TO_NAME(struct making, enum platen_dither, graphic.dither, find_dither,
                     "must be one of threshold auto floyd-steinberg atkinson ordered")},
        {"threshold", '\0', CLI_READ(read_threshold, "must be a number from 1 to 99")},
        {"coding", '\0',
         CLI_TO_NAME(struct making, enum platen_graphic_coding, graphic.coding, find_coding, "must be " CODING_LIST)},
        {"invert", '\0', CLI_TO_FLAG(struct making, graphic.invert)},
        {"trim", '\0', CLI_TO_FLAG(struct making, graphic.trim)},
        {"exact-fit", '\0', CLI_TO_FLAG(struct making, graphic.exact_fit)},
        {"stored", '\0', CLI_TO_FLAG(struct making, graphic.stored)},
        {"name", '\0', CLI_TO_TEXT(struct making, graphic.name)},
        {"at", '\0', CLI_READ(read_place, "must be two numbers: X,Y")},
        {"bare", '\0', CLI_TO_FLAG(struct making, graphic.bare)},
    };
    static const struct cli_command COMMAND = {
        "image", IMAGE_USAGE, CLI_ROWS(ROWS), .shows_usage = true, .shows_limits = true, .quotes = true};
    return run(argc, argv, &COMMAND, false);
}

int command_font(int argc, char **argv)
{
    static const struct cli_row ROWS[] = {
        {"output", 'o', CLI_TO_TEXT(struct making, output)},
        {"path", '\0', CLI_TO_TEXT(struct making, font.path)},
        {"letter", '\0', CLI_READ(read_letter, "must be one letter or digit")},
        {"form", '\0', CLI_READ(read_form, "must be one of du dy")},
        {"chars", '\0', CLI_TO_TEXT(struct making, font.chars)},
        {"unicodes", '\0', CLI_TO_TEXT(struct making, font.unicodes)},
        {"face", '\0', CLI_READ(read_face, "must be a number from 0 on")},
        {"instance", '\0', CLI_TO_TEXT(struct making, font.instance)},
        {"bare", '\0', CLI_TO_FLAG(struct making, font.bare)},
        CLI_ROW_LIMITS,
    };
    static const struct cli_command COMMAND = {
        "font", FONT_USAGE, CLI_ROWS(ROWS), .shows_usage = true, .shows_limits = true, .quotes = true};
    return run(argc, argv, &COMMAND, true);
}
