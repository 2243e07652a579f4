// Options that `platen render` and `platen bench` share: format, size, quality, time.
#ifndef PLATEN_CLI_OPTIONS_H
#define PLATEN_CLI_OPTIONS_H

#include "base/buf.h"
#include "cli_limits.h"
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
    OPT_PAGE_SIZE,
    OPT_PAGE_ORIENTATION,
    OPT_PAGE_LAYOUT,
    OPT_PAGE_ALIGN,
    OPT_PAGE_VERTICAL_ALIGN,
    OPT_PAGE_MARGIN,
    OPT_PAGE_GAP,
    OPT_PAGE_ORDER,
    OPT_PAGE_START,
    OPT_LABEL_BORDER,
    OPT_CUT_MARKS,
    OPT_FIT,
    OPT_PDFA,
    OPT_OWN // the first number that a subcommand may use for itself
};

#define CLI_COMMON_OPTIONS                                                                                             \
    {"format", required_argument, NULL, OPT_FORMAT}, {"size", required_argument, NULL, OPT_SIZE},                      \
        {"width-mm", required_argument, NULL, OPT_WIDTH}, {"height-mm", required_argument, NULL, OPT_HEIGHT},          \
        {"dpmm", required_argument, NULL, OPT_DPMM}, {"quality", required_argument, NULL, OPT_QUALITY},                \
        {"rotation", required_argument, NULL, OPT_ROTATION}, {"time", required_argument, NULL, OPT_TIME},              \
        {"objects", required_argument, NULL, OPT_OBJECTS}, {"profile", required_argument, NULL, OPT_PROFILE},          \
        {"verify", no_argument, NULL, OPT_VERIFY}, {"rules", required_argument, NULL, OPT_RULES},                      \
        {"min-module-mm", required_argument, NULL, OPT_MIN_MODULE}, CLI_LIMIT_OPTIONS,                                 \
    {                                                                                                                  \
        "jpeg-quality", required_argument, NULL, OPT_JPEG_QUALITY                                                      \
    }

// The pages of a PDF.
#define CLI_SHEET_OPTIONS                                                                                              \
    {"page-size", required_argument, NULL, OPT_PAGE_SIZE},                                                             \
        {"page-orientation", required_argument, NULL, OPT_PAGE_ORIENTATION},                                           \
        {"page-layout", required_argument, NULL, OPT_PAGE_LAYOUT},                                                     \
        {"page-align", required_argument, NULL, OPT_PAGE_ALIGN},                                                       \
        {"page-vertical-align", required_argument, NULL, OPT_PAGE_VERTICAL_ALIGN},                                     \
        {"page-margin-mm", required_argument, NULL, OPT_PAGE_MARGIN},                                                  \
        {"page-gap-mm", required_argument, NULL, OPT_PAGE_GAP},                                                        \
        {"page-order", required_argument, NULL, OPT_PAGE_ORDER},                                                       \
        {"page-start", required_argument, NULL, OPT_PAGE_START},                                                       \
        {"label-border", required_argument, NULL, OPT_LABEL_BORDER}, {"cut-marks", no_argument, NULL, OPT_CUT_MARKS},  \
        {"fit", required_argument, NULL, OPT_FIT},                                                                     \
    {                                                                                                                  \
        "pdfa", no_argument, NULL, OPT_PDFA                                                                            \
    }

#define CLI_SHEET_HELP                                                                                                 \
    "Pages of a PDF:\n"                                                                                                \
    "  --page-size S         A4, A5, A6, Letter, Legal or WIDTHxHEIGHT in mm (as large as the labels on it need)\n"    \
    "  --page-orientation O  portrait or landscape\n"                                                                  \
    "  --page-layout CxR     columns and rows of labels, or auto: as many as fit (default)\n"                          \
    "  --page-align A        left, center, right or justify (default)\n"                                               \
    "  --page-vertical-align A   top, center, bottom or justify (default)\n"                                           \
    "  --page-margin-mm M    margin on all sides (0)\n"                                                                \
    "  --page-gap-mm G       least gap between labels (0), or two: 3x2\n"                                              \
    "  --page-order O        rows (default) or columns\n"                                                              \
    "  --page-start N        position of the first label, for a sheet that is half used (1)\n"                         \
    "  --label-border B      none (default), solid or dashed\n"                                                        \
    "  --cut-marks           marks to cut along\n"                                                                     \
    "  --fit F               labels that do not fit: none (an error, default) or shrink\n"                             \
    "  --pdfa                a PDF for archives: PDF/A-2b\n"

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
    "  --profile P           reference (default) or printer: draw like which\n"                                        \
    "  --rotation R          turn the finished label clockwise: 0, 90, 180 or 270\n"                                   \
    "  --time T              the printer's clock for ^FC: 2026-01-31T13:45:00 or seconds since 1970\n"                 \
    "  --objects DIR         graphics, formats and fonts to find on drive E:\n"                                        \
    "  --jpeg-quality N      1 to 100 (90)\n" CLI_CHECK_HELP

struct cli_options {
    enum output output;        // what was asked for
    enum platen_format format; // of the pictures in it: json and base64 hold PNGs
    struct platen_options render;
    struct platen_encode_options encode;
    struct platen_pdf_layout layout; // of a PDF's pages
    bool has_layout, landscape, has_orientation;
    const char *objects_dir;
    struct cli_limits limits;
    struct pl_buf *complaints; // where mistakes are told, without the option's name; NULL: standard error, a line each
};

// Everything at its default.
#define CLI_OPTIONS_INIT                                                                                               \
    {                                                                                                                  \
        .render = PLATEN_OPTIONS(), .encode = PLATEN_ENCODE_OPTIONS(), .layout = PLATEN_PDF_LAYOUT(),                  \
        .limits = CLI_LIMITS_INIT                                                                                      \
    }

enum cli_result { CLI_TAKEN, CLI_NOT_MINE, CLI_BAD }; // CLI_BAD: a line was printed
enum cli_result cli_option(int option, const char *value, struct cli_options *out);

// The pages of a PDF; false: one label a page.
bool cli_layout(const struct cli_options *options, struct platen_pdf_layout *out);
void cli_set_output(struct cli_options *options, enum output output);

// The whole text must be a number within the bounds.
bool cli_number(const char *text, double least, double most, double *out);

#endif
