// Reading the options that subcommands share.
#include "cli_options.h"

#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "sheet_controls.h"

bool cli_number(const char *text, double least, double most, double *out)
{
    return pl_parse_double(pl_slice_cstr(text), out) && *out >= least && *out <= most;
}

static enum cli_result bad(const struct cli_options *o, const char *option, const char *value, const char *wanted)
{
    if (o->complaints)
        pl_buf_printf(o->complaints, "'%s': must be %s", value, wanted);
    else
        fprintf(stderr, "platen: --%s '%s': must be %s\n", option, value, wanted);
    return CLI_BAD;
}

static enum cli_result number(const struct cli_options *o, const char *option, const char *value, double least,
                              double most, const char *wanted, double *out)
{
    return cli_number(value, least, most, out) ? CLI_TAKEN : bad(o, option, value, wanted);
}

static enum cli_result whole(const struct cli_options *o, const char *option, const char *value, uint32_t least,
                             uint32_t most, const char *wanted, uint32_t *out)
{
    uint64_t v;
    if (!pl_parse_u64(pl_slice_cstr(value), &v) || v < least || v > most)
        return bad(o, option, value, wanted);
    *out = (uint32_t)v;
    return CLI_TAKEN;
}

// The clock is the printer's own: no time zone enters.
static enum cli_result clock_time(const char *value, struct cli_options *out)
{
    out->render.has_time = true;
    if (controls_parse_time(pl_slice_cstr(value), &out->render.time))
        return CLI_TAKEN;
    return bad(out, "time", value, "like 2026-01-31T13:45:00, or seconds since 1970");
}

void cli_set_output(struct cli_options *options, enum output output)
{
    static const enum platen_format formats[OUTPUT_COUNT] = {
        [OUTPUT_JPEG] = PLATEN_JPEG, [OUTPUT_WEBP] = PLATEN_WEBP, [OUTPUT_PDF] = PLATEN_PDF}; // the rest: PNG, which is
                                                                                              // 0
    options->output = output;
    options->format = formats[output];
}

// The pages of a PDF, by the texts that the API takes too.
static enum cli_result sheet_option(int option, const char *value, struct cli_options *out)
{
    struct platen_pdf_layout *l = &out->layout;
    struct pl_slice text = pl_slice_cstr(value ? value : "");
    out->has_layout = true;
    switch (option) {
    case OPT_PAGE_SIZE:
        return sheet_page_size(text, l) ? CLI_TAKEN : bad(out, "page-size", value, SHEET_SIZES);
    case OPT_PAGE_ORIENTATION:
        out->has_orientation = true;
        out->landscape = strcmp(value, "landscape") == 0;
        return out->landscape || strcmp(value, "portrait") == 0
                   ? CLI_TAKEN
                   : bad(out, "page-orientation", value, "portrait or landscape");
    case OPT_PAGE_LAYOUT:
        return sheet_grid(text, l) ? CLI_TAKEN : bad(out, "page-layout", value, "COLUMNSxROWS such as 2x3, or auto");
    case OPT_PAGE_ALIGN:
        return sheet_across(text, &l->across) ? CLI_TAKEN
                                              : bad(out, "page-align", value, "left, center, right or justify");
    case OPT_PAGE_VERTICAL_ALIGN:
        return sheet_down(text, &l->down) ? CLI_TAKEN
                                          : bad(out, "page-vertical-align", value, "top, center, bottom or justify");
    case OPT_PAGE_MARGIN:
        return sheet_length(text, &l->margin_mm) ? CLI_TAKEN : bad(out, "page-margin-mm", value, "a number from 0");
    case OPT_PAGE_GAP:
        return sheet_gap(text, l) ? CLI_TAKEN : bad(out, "page-gap-mm", value, "a number from 0, or two: 3x2");
    case OPT_PAGE_ORDER:
        l->by_columns = strcmp(value, "columns") == 0;
        return l->by_columns || strcmp(value, "rows") == 0 ? CLI_TAKEN
                                                           : bad(out, "page-order", value, "rows or columns");
    case OPT_PAGE_START:
        return sheet_start(text, &l->first) ? CLI_TAKEN : bad(out, "page-start", value, "a whole number from 1");
    case OPT_LABEL_BORDER:
        return sheet_border(text, &l->border) ? CLI_TAKEN : bad(out, "label-border", value, "none, solid or dashed");
    case OPT_CUT_MARKS:
        l->cut_marks = true;
        return CLI_TAKEN;
    case OPT_FIT:
        l->shrink = strcmp(value, "shrink") == 0;
        return l->shrink || strcmp(value, "none") == 0 ? CLI_TAKEN : bad(out, "fit", value, "none or shrink");
    default:
        l->archive = true;
        return CLI_TAKEN;
    }
}

bool cli_layout(const struct cli_options *options, struct platen_pdf_layout *out)
{
    *out = options->layout;
    if (options->has_orientation)
        sheet_turn(out, options->landscape);
    return options->has_layout;
}

static enum cli_result limit_option(int option, const char *value, struct cli_options *out)
{
    struct pl_error err = {0};
    if (cli_limit_option(option, value, &out->limits, &err))
        return CLI_TAKEN;
    fprintf(stderr, "platen: %s\n", err.message);
    return CLI_BAD;
}

enum cli_result cli_option(int option, const char *value, struct cli_options *out)
{
    struct platen_options *r = &out->render;
    enum output output;
    switch (option) {
    case OPT_FORMAT:
        if (!output_by_name(pl_slice_cstr(value), &output))
            return bad(out, "format", value, OUTPUT_LIST);
        cli_set_output(out, output);
        return CLI_TAKEN;
    case OPT_SIZE:
        if (strcmp(value, "auto") != 0)
            return bad(out, "size", value, "auto");
        r->fit_size = true;
        return CLI_TAKEN;
    case OPT_WIDTH:
        return number(out, "width-mm", value, 0.001, 1e6, "a number above 0", &r->width_mm);
    case OPT_HEIGHT:
        return number(out, "height-mm", value, 0.001, 1e6, "a number above 0", &r->height_mm);
    case OPT_DPMM: {
        char digits[16];
        size_t length = strlen(value); // "8dpmm" as well
        if (length > 4 && length < sizeof digits && strcmp(value + length - 4, "dpmm") == 0) {
            memcpy(digits, value, length - 4);
            digits[length - 4] = 0;
            value = digits;
        }
        return number(out, "dpmm", value, 1, 48, "a number from 1 to 48", &r->dpmm);
    }
    case OPT_QUALITY:
        if (strcmp(value, "bitonal") != 0 && strcmp(value, "grayscale") != 0)
            return bad(out, "quality", value, "bitonal or grayscale");
        r->quality = value[0] == 'b' ? PLATEN_BITONAL : PLATEN_GRAYSCALE;
        return CLI_TAKEN;
    case OPT_PROFILE:
        if (strcmp(value, "reference") != 0 && strcmp(value, "printer") != 0)
            return bad(out, "profile", value, "reference or printer");
        r->profile = value[0] == 'r' ? PLATEN_REFERENCE : PLATEN_PRINTER;
        return CLI_TAKEN;
    case OPT_ROTATION:
        if (whole(out, "rotation", value, 0, 270, "0, 90, 180 or 270", &r->rotation) == CLI_BAD)
            return CLI_BAD;
        return r->rotation % 90 == 0 ? CLI_TAKEN : bad(out, "rotation", value, "0, 90, 180 or 270");
    case OPT_TIME:
        return clock_time(value, out);
    case OPT_OBJECTS:
        out->objects_dir = value;
        return CLI_TAKEN;
    case OPT_JPEG_QUALITY:
        return whole(out, "jpeg-quality", value, 1, 100, "a whole number from 1 to 100", &out->encode.jpeg_quality);
    case OPT_VERIFY:
        r->verify = true;
        return CLI_TAKEN;
    case OPT_RULES: {
        uint32_t index;
        const char *summary;
        if (!controls_parse_rules(pl_slice_cstr(value), &index))
            return bad(out, "rules", value, "one of " RULES_LIST);
        platen_rule_set_at(index, &r->rules, &summary);
        return CLI_TAKEN;
    }
    case OPT_MIN_MODULE:
        return number(out, "min-module-mm", value, 0.001, 1000, "a number above 0", &r->min_module_mm);
    default:
        if (option >= OPT_MAX_COPIES && option <= OPT_UNLIMITED)
            return limit_option(option, value, out);
        return option >= OPT_PAGE_SIZE && option <= OPT_PDFA ? sheet_option(option, value, out) : CLI_NOT_MINE;
    }
}
