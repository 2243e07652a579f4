// The table of render controls and output formats.
#include "controls.h"

#include "sheet_controls.h"

static const struct control_info CONTROLS[CONTROL_COUNT] = {
    [CONTROL_FORMAT] = {"format",
                        {NULL},
                        CONTROL_IS_WORD,
                        NULL,
                        "one of " OUTPUT_LIST,
                        "Output format. Without it the Accept header decides, and without that it is png.",
                        "\"type\":\"string\",\"enum\":[\"png\",\"jpeg\",\"jpg\",\"webp\",\"pdf\",\"json\",\"base64\"]"},
    [CONTROL_WIDTH_MM] = {"widthMm",
                          {"width", "width_mm", NULL},
                          CONTROL_IS_NUMBER,
                          "101.6",
                          "a number above 0",
                          "Label width in millimetres.",
                          "\"type\":\"number\",\"exclusiveMinimum\":0"},
    [CONTROL_HEIGHT_MM] = {"heightMm",
                           {"height", "height_mm", NULL},
                           CONTROL_IS_NUMBER,
                           "152.4",
                           "a number above 0",
                           "Label height in millimetres.",
                           "\"type\":\"number\",\"exclusiveMinimum\":0"},
    [CONTROL_DPMM] =
        {"dpmm",
         {NULL},
         CONTROL_IS_NUMBER,
         "8",
         "a number from 1 to 48, with or without the suffix \"dpmm\"",
         "Print density in dots per millimetre. 6, 8, 12 and 24 are the print heads of 152, 203, 304 and 609 dpi.",
         "\"type\":\"number\",\"minimum\":1,\"maximum\":48"},
    [CONTROL_PAGE] = {"page",
                      {"index", NULL},
                      CONTROL_IS_INTEGER,
                      "0",
                      "a whole number from 0",
                      "Which label to show, from 0: for png, jpeg and webp. The other formats hold all labels.",
                      "\"type\":\"integer\",\"minimum\":0"},
    [CONTROL_DOWNLOAD] = {"download",
                          {NULL},
                          CONTROL_IS_BOOLEAN,
                          "false",
                          "true or false",
                          "Ask the browser to save the answer instead of showing it.",
                          "\"type\":\"boolean\""},
    [CONTROL_FILENAME] = {"filename",
                          {NULL},
                          CONTROL_IS_TEXT,
                          NULL,
                          "a file name",
                          "Name of the file in Content-Disposition; folders and control characters are taken out.",
                          "\"type\":\"string\""},
    [CONTROL_ROTATION] = {"rotation",
                          {NULL},
                          CONTROL_IS_INTEGER,
                          "0",
                          "0, 90, 180 or 270",
                          "Rotates the finished label clockwise, in degrees.",
                          "\"type\":\"integer\",\"enum\":[0,90,180,270]"},
    [CONTROL_QUALITY] = {"quality",
                         {NULL},
                         CONTROL_IS_WORD,
                         "\"bitonal\"",
                         "bitonal or grayscale",
                         "bitonal: the printer's dots; grayscale: smooth edges for screens.",
                         "\"type\":\"string\",\"enum\":[\"bitonal\",\"grayscale\"]"},
    [CONTROL_PROFILE] =
        {"profile",
         {NULL},
         CONTROL_IS_WORD,
         "\"reference\"",
         "reference or printer",
         "Draw like which: reference is Labelary; printer is a printer of 203 dpi, dot for dot where that "
         "is known (docs/fidelity.md).",
         "\"type\":\"string\",\"enum\":[\"reference\",\"printer\"]"},
    [CONTROL_JPEG_QUALITY] = {"jpegQuality",
                              {NULL},
                              CONTROL_IS_INTEGER,
                              "90",
                              "a whole number from 1 to 100",
                              "Quality of jpeg output.",
                              "\"type\":\"integer\",\"minimum\":1,\"maximum\":100"},
    [CONTROL_COPIES] =
        {"copies",
         {NULL},
         CONTROL_IS_WORD,
         "\"expand\"",
         "expand or collapse",
         "expand: ^PQ gives as many pages as the printer would print; collapse: one page with its number.",
         "\"type\":\"string\",\"enum\":[\"expand\",\"collapse\"]"},
    [CONTROL_STRICT] = {"strict",
                        {NULL},
                        CONTROL_IS_BOOLEAN,
                        "false",
                        "true or false",
                        "Refuse (400) labels that give warnings, and list these.",
                        "\"type\":\"boolean\""},
    [CONTROL_TIME] = {"time",
                      {NULL},
                      CONTROL_IS_TEXT,
                      NULL,
                      "a time such as 2026-11-15T09:30:00, or seconds since 1970",
                      "The printer's clock for ^FC fields, so that output can be reproduced. Default: now.",
                      "\"type\":[\"string\",\"integer\"]"},
    [CONTROL_MIN_MODULE_MM] = {"minModuleMm",
                               {NULL},
                               CONTROL_IS_NUMBER,
                               NULL,
                               "a number above 0",
                               "Warn about barcodes whose module is narrower than this many millimetres.",
                               "\"type\":\"number\",\"exclusiveMinimum\":0"},
    [CONTROL_VERIFY] =
        {"verify",
         {NULL},
         CONTROL_IS_BOOLEAN,
         "false",
         "true or false",
         "Read every barcode back from the finished label's dots: decoded, decodedData, matches and margin of "
         "its element, and errors for what cannot be read.",
         "\"type\":\"boolean\""},
    [CONTROL_RULES] = {"rules",
                       {NULL},
                       CONTROL_IS_WORD,
                       "\"default\"",
                       "one of " RULES_LIST,
                       "Rule set for the sizes, symbologies and data of barcodes (docs/checking.md).",
                       "\"type\":\"string\",\"enum\":[\"none\",\"default\",\"gs1-retail\",\"gs1-logistics\","
                       "\"healthcare\",\"ups\",\"usps\",\"fedex\",\"dhl\"]"},
    [CONTROL_SIZE] = {"size",
                      {NULL},
                      CONTROL_IS_WORD,
                      NULL,
                      "auto",
                      "auto: the size that the labels were made for, by ^PW, ^LL and their content. widthMm and "
                      "heightMm, where given, stay.",
                      "\"type\":\"string\",\"enum\":[\"auto\"]"},
    [CONTROL_PAGE_SIZE] =
        {"pageSize",
         {NULL},
         CONTROL_IS_TEXT,
         NULL,
         SHEET_SIZES,
         "Size of the PDF's pages: A4, A5, A6, Letter, Legal or 210x297 (mm). Default: what the labels on a page need.",
         "\"type\":\"string\""},
    [CONTROL_PAGE_ORIENTATION] = {"pageOrientation",
                                  {NULL},
                                  CONTROL_IS_WORD,
                                  NULL,
                                  "portrait or landscape",
                                  "Orientation of the page; without it as pageSize is written.",
                                  "\"type\":\"string\",\"enum\":[\"portrait\",\"landscape\"]"},
    [CONTROL_PAGE_LAYOUT] = {"pageLayout",
                             {NULL},
                             CONTROL_IS_TEXT,
                             "\"auto\"",
                             "COLUMNSxROWS such as 2x3, or auto",
                             "Labels on a page: columns times rows. auto: as many as there is room for.",
                             "\"type\":\"string\""},
    [CONTROL_PAGE_ALIGN] = {"pageAlign",
                            {NULL},
                            CONTROL_IS_WORD,
                            "\"justify\"",
                            "left, center, right or justify",
                            "Where the labels are across the page. justify spreads what is left over evenly.",
                            "\"type\":\"string\",\"enum\":[\"left\",\"center\",\"right\",\"justify\"]"},
    [CONTROL_PAGE_VERTICAL_ALIGN] = {"pageVerticalAlign",
                                     {NULL},
                                     CONTROL_IS_WORD,
                                     "\"justify\"",
                                     "top, center, bottom or justify",
                                     "The same down the page.",
                                     "\"type\":\"string\",\"enum\":[\"top\",\"center\",\"bottom\",\"justify\"]"},
    [CONTROL_PAGE_MARGIN_MM] = {"pageMarginMm",
                                {NULL},
                                CONTROL_IS_NUMBER,
                                "0",
                                "a number from 0",
                                "Margin on all sides of the page, in millimetres.",
                                "\"type\":\"number\",\"minimum\":0"},
    [CONTROL_PAGE_GAP_MM] = {"pageGapMm",
                             {NULL},
                             CONTROL_IS_TEXT,
                             "0",
                             "a number from 0, or two: 3x2",
                             "Least gap between labels in millimetres, across and down.",
                             "\"type\":[\"number\",\"string\"]"},
    [CONTROL_PAGE_ORDER] = {"pageOrder",
                            {NULL},
                            CONTROL_IS_WORD,
                            "\"rows\"",
                            "rows or columns",
                            "Whether a page is filled row by row or column by column.",
                            "\"type\":\"string\",\"enum\":[\"rows\",\"columns\"]"},
    [CONTROL_PAGE_START] = {"pageStart",
                            {NULL},
                            CONTROL_IS_INTEGER,
                            "1",
                            "a whole number from 1",
                            "Position of the first label on the first page, for a sheet that is half used.",
                            "\"type\":\"integer\",\"minimum\":1"},
    [CONTROL_LABEL_BORDER] = {"labelBorder",
                              {NULL},
                              CONTROL_IS_WORD,
                              "\"none\"",
                              "none, solid or dashed",
                              "Line around each label on a page.",
                              "\"type\":\"string\",\"enum\":[\"none\",\"solid\",\"dashed\"]"},
    [CONTROL_CUT_MARKS] = {"cutMarks",
                           {NULL},
                           CONTROL_IS_BOOLEAN,
                           "false",
                           "true or false",
                           "Marks at the edges of all labels, to cut along.",
                           "\"type\":\"boolean\""},
    [CONTROL_FIT] = {"fit",
                     {NULL},
                     CONTROL_IS_WORD,
                     "\"none\"",
                     "none or shrink",
                     "Labels that do not fit the page: none refuses them (400), shrink makes them smaller.",
                     "\"type\":\"string\",\"enum\":[\"none\",\"shrink\"]"},
    [CONTROL_PDFA] = {"pdfa",
                      {NULL},
                      CONTROL_IS_BOOLEAN,
                      "false",
                      "true or false",
                      "A PDF for archives: PDF/A-2b.",
                      "\"type\":\"boolean\""},
};

static const struct {
    const char *name, *mime;
} OUTPUTS[OUTPUT_COUNT] = {
    [OUTPUT_PNG] = {"png", "image/png"},          [OUTPUT_JPEG] = {"jpeg", "image/jpeg"},
    [OUTPUT_WEBP] = {"webp", "image/webp"},       [OUTPUT_PDF] = {"pdf", "application/pdf"},
    [OUTPUT_JSON] = {"json", "application/json"}, [OUTPUT_BASE64] = {"base64", "application/json"},
};

const struct control_info *control_info(enum control control)
{
    return &CONTROLS[control];
}

bool output_by_name(struct pl_slice name, enum output *out)
{
    for (int i = 0; i < OUTPUT_COUNT; i++) {
        if (pl_slice_eq_nocase(name, pl_slice_cstr(OUTPUTS[i].name))) {
            *out = (enum output)i;
            return true;
        }
    }
    if (!pl_slice_eq_nocase(name, pl_slice_cstr("jpg")))
        return false;
    *out = OUTPUT_JPEG;
    return true;
}

const char *output_name(enum output output)
{
    return OUTPUTS[output].name;
}

bool output_is_picture(enum output output)
{
    return output == OUTPUT_PNG || output == OUTPUT_JPEG || output == OUTPUT_WEBP;
}

const char *output_mime(enum output output)
{
    return OUTPUTS[output].mime;
}
