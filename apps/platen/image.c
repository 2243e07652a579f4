// `platen image` and `platen font`: pictures and fonts to label code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "cli/cli_io.h"
#include "cli/cli_options.h"
#include "commands.h"
#include "request/conversion.h"

enum {
    OPT_DITHER = OPT_OWN,
    OPT_THRESHOLD,
    OPT_CODING,
    OPT_INVERT,
    OPT_TRIM,
    OPT_EXACT,
    OPT_STORED,
    OPT_NAME,
    OPT_AT,
    OPT_BARE,
    OPT_PATH,
    OPT_CHARS,
    OPT_UNICODES,
    OPT_LETTER,
    OPT_FORM,
    OPT_FACE,
    OPT_INSTANCE,
    OPT_HELP
};

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
    bool help;
};

static bool read_place(const char *text, struct platen_graphic_options *out)
{
    int length = 0;
    return text[0] >= '0' && text[0] <= '9' && sscanf(text, "%5u,%n", &out->x, &length) == 1 && length > 0 &&
           text[length] >= '0' && text[length] <= '9' && sscanf(text += length, "%5u%n", &out->y, &length) == 1 &&
           text[length] == '\0';
}

static bool choose(const char *option, const char *value, const char *const *words, size_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *out = i;
            return true;
        }
    }
    fprintf(stderr, "platen: --%s '%s': must be one of", option, value);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", words[i]);
    fprintf(stderr, "\n");
    return false;
}

static bool read_option(struct making *m, int option, const char *value)
{
    static const char *const DITHERS[] = {"threshold", "auto", "floyd-steinberg", "atkinson", "ordered"};
    static const char *const FORMS[] = {"du", "dy"};
    uint32_t index;
    switch (option) {
    case 'o':
        m->output = value;
        return true;
    case OPT_DITHER:
        if (!choose("dither", value, DITHERS, PL_COUNTOF(DITHERS), &index))
            return false;
        m->graphic.dither = (enum platen_dither)index;
        return true;
    case OPT_CODING:
        if (coding_by_name(pl_slice_cstr(value), "default", &index)) {
            m->graphic.coding = (enum platen_graphic_coding)index;
            return true;
        }
        fprintf(stderr, "platen: --coding '%s': must be " CODING_LIST "\n", value);
        return false;
    case OPT_THRESHOLD:
        if (cli_number(value, 1, 99, &m->graphic.threshold))
            return true;
        fprintf(stderr, "platen: --threshold '%s': must be a number from 1 to 99\n", value);
        return false;
    case OPT_AT:
        if (read_place(value, &m->graphic))
            return true;
        fprintf(stderr, "platen: --at '%s': must be two numbers: X,Y\n", value);
        return false;
    case OPT_LETTER:
        m->font.letter = value[0];
        if (value[0] && !value[1])
            return true;
        fprintf(stderr, "platen: --letter '%s': must be one letter or digit\n", value);
        return false;
    case OPT_FACE: {
        double face;
        if (!cli_number(value, 0, 65535, &face) || face != (uint32_t)face) {
            fprintf(stderr, "platen: --face '%s': must be a number from 0 on\n", value);
            return false;
        }
        m->font.face = (uint32_t)face;
        return true;
    }
    case OPT_INSTANCE:
        m->font.instance = value;
        return true;
    case OPT_FORM:
        if (!choose("form", value, FORMS, PL_COUNTOF(FORMS), &index))
            return false;
        m->font.as_file = index == 1;
        return true;
    case OPT_INVERT:
        return m->graphic.invert = true;
    case OPT_TRIM:
        return m->graphic.trim = true;
    case OPT_EXACT:
        return m->graphic.exact_fit = true;
    case OPT_STORED:
        return m->graphic.stored = true;
    case OPT_BARE:
        return m->graphic.bare = m->font.bare = true;
    case OPT_NAME:
        m->graphic.name = value;
        return true;
    case OPT_PATH:
        m->font.path = value;
        return true;
    case OPT_CHARS:
        m->font.chars = value;
        return true;
    case OPT_UNICODES:
        m->font.unicodes = value;
        return true;
    case OPT_HELP:
    case 'h':
        return m->help = true;
    default:
        return false;
    }
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
    struct platen_engine_options engine_options = cli_limits_engine(&m->common.limits, m->common.objects_dir);
    struct platen_engine *engine;
    struct platen_error err = {0};
    struct platen_limits limits;
    struct cli_input in;
    if (platen_engine_new(&engine_options, &engine, &err) != PLATEN_OK) {
        fprintf(stderr, "platen: %s\n", err.message);
        return 1;
    }
    platen_engine_limits(engine, &limits);
    bool ok = cli_read(path, limits.input_bytes, &in, NULL);
    if (ok) {
        ok = is_font ? write_font(engine, m, &in, &err) : write_graphic(engine, m, &in, &err);
        if (!ok && err.message[0])
            cli_print_failure(path, &err);
        cli_input_free(&in);
    }
    platen_engine_free(engine);
    return ok ? 0 : 1;
}

static int run(int argc, char **argv, const struct option *options, const char *usage, bool is_font)
{
    struct making m = {.common = cli_options_init(),
                       .graphic = PLATEN_GRAPHIC_OPTIONS(),
                       .font = PLATEN_FONT_OPTIONS(),
                       .output = "-"};
    for (int option; (option = cli_getopt(argc, argv, "ho:", options)) != -1;) {
        enum cli_result result = cli_option(option, optarg, &m.common);
        if (result == CLI_BAD)
            return 2;
        if (result == CLI_NOT_MINE && !read_option(&m, option, optarg)) {
            if (option == '?')
                cli_help(stderr, usage);
            return 2;
        }
    }
    if (m.help) {
        cli_help(stdout, usage);
        cli_limits_help(stdout);
        return 0;
    }
    if (optind + 1 != argc) {
        cli_help(stderr, usage);
        return 2;
    }
    return convert(&m, argv[optind], is_font);
}

int command_image(int argc, char **argv)
{
    static const struct option OPTIONS[] = {
        CLI_CONTROLS(GROUP_LABELS),
        CLI_LIMIT_OPTIONS,
        {"output", required_argument, NULL, 'o'},
        {"dither", required_argument, NULL, OPT_DITHER},
        {"threshold", required_argument, NULL, OPT_THRESHOLD},
        {"coding", required_argument, NULL, OPT_CODING},
        {"invert", no_argument, NULL, OPT_INVERT},
        {"trim", no_argument, NULL, OPT_TRIM},
        {"exact-fit", no_argument, NULL, OPT_EXACT},
        {"stored", no_argument, NULL, OPT_STORED},
        {"name", required_argument, NULL, OPT_NAME},
        {"at", required_argument, NULL, OPT_AT},
        {"bare", no_argument, NULL, OPT_BARE},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    return run(argc, argv, OPTIONS, IMAGE_USAGE, false);
}

int command_font(int argc, char **argv)
{
    static const struct option OPTIONS[] = {
        {"output", required_argument, NULL, 'o'},        {"path", required_argument, NULL, OPT_PATH},
        {"letter", required_argument, NULL, OPT_LETTER}, {"form", required_argument, NULL, OPT_FORM},
        {"chars", required_argument, NULL, OPT_CHARS},   {"unicodes", required_argument, NULL, OPT_UNICODES},
        {"face", required_argument, NULL, OPT_FACE},     {"instance", required_argument, NULL, OPT_INSTANCE},
        {"bare", no_argument, NULL, OPT_BARE},           CLI_LIMIT_OPTIONS,
        {"help", no_argument, NULL, OPT_HELP},           {NULL, 0, NULL, 0},
    };
    return run(argc, argv, OPTIONS, FONT_USAGE, true);
}
