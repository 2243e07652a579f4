// Options that `platen render` and `platen bench` share: format, size, quality, time.
#ifndef PLATEN_CLI_OPTIONS_H
#define PLATEN_CLI_OPTIONS_H

#include <getopt.h>

#include "base/buf.h"
#include "controls.h"
#include "platen/platen.h"

enum {
    OPT_FORMAT = 'f',
    OPT_SIZE = 256,
    OPT_WIDTH,
    OPT_HEIGHT,
    OPT_DPMM,
    OPT_QUALITY,
    OPT_PROFILE,
    OPT_ROTATION,
    OPT_TIME,
    OPT_OBJECTS,
    OPT_JPEG_QUALITY,
    OPT_VERIFY,
    OPT_RULES,
    OPT_MIN_MODULE,
    OPT_OWN // the first number that a subcommand may use for itself
};

#define CLI_COMMON_OPTIONS                                                                                             \
    {"format", required_argument, NULL, OPT_FORMAT}, {"size", required_argument, NULL, OPT_SIZE},                      \
        {"width-mm", required_argument, NULL, OPT_WIDTH}, {"height-mm", required_argument, NULL, OPT_HEIGHT},          \
        {"dpmm", required_argument, NULL, OPT_DPMM}, {"quality", required_argument, NULL, OPT_QUALITY},                \
        {"rotation", required_argument, NULL, OPT_ROTATION}, {"time", required_argument, NULL, OPT_TIME},              \
        {"objects", required_argument, NULL, OPT_OBJECTS}, {"profile", required_argument, NULL, OPT_PROFILE},          \
        {"verify", no_argument, NULL, OPT_VERIFY}, {"rules", required_argument, NULL, OPT_RULES},                      \
        {"min-module-mm", required_argument, NULL, OPT_MIN_MODULE},                                                    \
    {                                                                                                                  \
        "jpeg-quality", required_argument, NULL, OPT_JPEG_QUALITY                                                      \
    }

#define CLI_CHECK_HELP                                                                                                 \
    "  --verify              read every barcode back from the label's dots\n"                                          \
    "  --rules NAME          check barcodes by none, default, gs1-retail, gs1-logistics, healthcare, ups, usps,\n"     \
    "                        fedex or dhl\n"                                                                           \
    "  --min-module-mm W     warn about barcodes with narrower modules\n"

#define CLI_COMMON_HELP                                                                                                \
    "  --size auto           the size that the labels were made for: by ^PW, ^LL and what they hold\n"                 \
    "  --width-mm W          label width in millimetres (101.6)\n"                                                     \
    "  --height-mm H         label height in millimetres (152.4)\n"                                                    \
    "  --dpmm D              dots per millimetre, 1 to 48 (8)\n"                                                       \
    "  --quality Q           bitonal (the printer's dots, default) or grayscale (smooth edges)\n"                      \
    "  --profile P           reference (default) or printer: whose way of drawing\n"                                   \
    "  --rotation R          turn the finished label clockwise: 0, 90, 180 or 270\n"                                   \
    "  --time T              the printer's clock for ^FC: 2026-01-31T13:45:00 or seconds since 1970\n"                 \
    "  --objects DIR         graphics, formats and fonts to find on drive E:\n"                                        \
    "  --jpeg-quality N      1 to 100 (90)\n" CLI_CHECK_HELP

struct cli_options {
    enum output output;        // what was asked for
    enum platen_format format; // of the pictures in it: json and base64 hold PNGs
    struct platen_options render;
    struct platen_encode_options encode;
    const char *objects_dir;
    struct pl_buf *complaints; // where mistakes are told, without the option's name; NULL: standard error, a line each
};

// Everything at its default.
#define CLI_OPTIONS_INIT                                                                                               \
    {                                                                                                                  \
        .render = PLATEN_OPTIONS(), .encode = PLATEN_ENCODE_OPTIONS()                                                  \
    }

enum cli_result { CLI_TAKEN, CLI_NOT_MINE, CLI_BAD }; // CLI_BAD: a line was printed
enum cli_result cli_option(int option, const char *value, struct cli_options *out);

void cli_set_output(struct cli_options *options, enum output output);

// Limits of the command line: the caller is at home, so they only keep accidents away.
struct platen_engine_options cli_engine_options(const struct cli_options *options);

// The whole text must be a number within the bounds.
bool cli_number(const char *text, double least, double most, double *out);

#endif
