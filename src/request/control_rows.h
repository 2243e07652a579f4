// The render controls: one row each, and nothing else to be written for a new one but the code that obeys it.
//
// The file is included several times with other meanings of the macros. ROW(ID, type, member, ...) also declares the
// member that holds the value. ROW_AT(ID, member, ...) is for a member that exists, and PAIR_AT for one that is
// followed by a second of its type. What follows the member initializes struct control_row.
ROW(FORMAT, enum output, format, .name = "format", .option = "format", .argument = "FORMAT", .kind = KIND_WORD,
    .group = GROUP_DRAWING, .words = OUTPUT_WORDS, .allowed = "one of " OUTPUT_LIST, .sentence = "Output format.",
    .more = "Without it the Accept header decides, and without that it is png.")
ROW(WIDTH_MM, double, width_mm, .name = "widthMm", .aliases = "width width_mm", .option = "width-mm", .argument = "W",
    .kind = KIND_NUMBER, .group = GROUP_SIZING, .above = true, .most = INFINITY, DEFAULT(PL_DEFAULT_WIDTH_MM),
    .sentence = "Label width in millimetres.")
ROW(HEIGHT_MM, double, height_mm, .name = "heightMm", .aliases = "height height_mm", .option = "height-mm",
    .argument = "H", .kind = KIND_NUMBER, .group = GROUP_SIZING, .above = true, .most = INFINITY,
    DEFAULT(PL_DEFAULT_HEIGHT_MM), .sentence = "Label height in millimetres.")
ROW(DPMM, double, dpmm, .name = "dpmm", .option = "dpmm", .argument = "D", .kind = KIND_NUMBER, .group = GROUP_SIZING,
    .least = PL_DPMM_MIN, .most = PL_DPMM_MAX, .suffix = "dpmm", DEFAULT(PL_DEFAULT_DPMM),
    .sentence = "Print density in dots per millimetre.",
    .more = "6, 8, 12 and 24 are the print heads of 152, 203, 304 and 609 dpi.")
ROW(PAGE, uint64_t, page, .name = "page", .aliases = "index", .kind = KIND_WHOLE, .most = 9007199254740992.0,
    DEFAULT(0), .scope = SCOPE_PICTURES, .sentence = "Which label to show, from 0.")
ROW(DOWNLOAD, bool, download, .name = "download", .kind = KIND_FLAG, DEFAULT(false),
    .sentence = "Ask the browser to save the answer instead of showing it.")
ROW_AT(FILENAME, filename, .name = "filename", .kind = KIND_TEXT, .allowed = "a file name",
       .sentence = "Name of the file in Content-Disposition; folders and control characters are taken out.")
ROW(ROTATION, uint32_t, rotation, .name = "rotation", .option = "rotation", .argument = "R", .kind = KIND_WHOLE,
    .group = GROUP_SIZING, .most = 270, .step = 90, DEFAULT(0),
    .sentence = "Rotates the finished label clockwise, in degrees.")
ROW(QUALITY, enum platen_quality, quality, .name = "quality", .option = "quality", .argument = "Q", .kind = KIND_WORD,
    .group = GROUP_DRAWING, .words = "bitonal grayscale", DEFAULT(PLATEN_BITONAL),
    .sentence = "The printer's dots, or smooth edges for screens.")
ROW(PROFILE, enum platen_profile, profile, .name = "profile", .option = "profile", .argument = "P", .kind = KIND_WORD,
    .group = GROUP_DRAWING, .words = "reference printer", DEFAULT(PLATEN_REFERENCE),
    .sentence = "Draw like Labelary, or like a printer of 203 dpi.",
    .more = "The printer's profile is dot for dot where that is known (docs/fidelity.md).")
ROW(PRINTER_MODEL, uint32_t, printer_model, .name = "printerModel", .option = "printer-model", .argument = "NAME",
    .kind = KIND_WORD, .group = GROUP_CHECKING,
    .words = "none zd411-203 zd411-300 zd421-203 zd421-300 zd621-203 zd621-300 zt230-203 zt230-300 zt231-203 zt231-300 "
             "zt411-203 zt411-300 zt411-600 zt421-203 zt421-300 zq610plus-203 zq620plus-203 "
             "zq630plus-203", // as platen_printer_model_at has them
    DEFAULT(0), .sentence = "Report what a printer of this model would not print.",
    .more =
        "Ink beyond its head, too long a label, another density, commands that it cannot carry out (docs/fidelity.md).")
ROW(JPEG_QUALITY, uint32_t, jpeg_quality, .name = "jpegQuality", .option = "jpeg-quality", .argument = "N",
    .kind = KIND_WHOLE, .group = GROUP_DRAWING, .least = 1, .most = 100, DEFAULT(90), .scope = SCOPE_JPEGS,
    .sentence = "Quality of jpeg output.")
ROW(COPIES, uint32_t, copies, .name = "copies", .kind = KIND_WORD, .words = "expand collapse", DEFAULT(COPIES_EXPAND),
    .sentence = "expand: ^PQ gives as many pages as the printer would print; collapse: one page with its number.")
ROW(STRICT, bool, strict, .name = "strict", .kind = KIND_FLAG, DEFAULT(false),
    .sentence = "Refuse (400) labels that give warnings, and list these.")
ROW(TIME, int64_t, time, .name = "time", .option = "time", .argument = "T", .kind = KIND_TIME, .group = GROUP_SIZING,
    .allowed = "a time such as 2026-11-15T09:30:00, or seconds since 1970", .least = TIME_LEAST, .most = TIME_MOST,
    .pattern = "^(([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)-"
               "(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?Z?|"
               "[+-]?[0-9]{1,11})$",
    .examples = "[\"2026-11-15T09:30:00\",\"2026-11-15\",\"2026-11-15 09:30\",\"1794735000\"]",
    .sentence = "The printer's clock for ^FC fields, so that output can be reproduced.", .more = "Default: now.")
ROW(MIN_MODULE_MM, double, min_module_mm, .name = "minModuleMm", .option = "min-module-mm", .argument = "W",
    .kind = KIND_NUMBER, .group = GROUP_CHECKING, .above = true, .most = PL_MODULE_MM_MAX,
    .sentence = "Warn about barcodes whose module is narrower than this many millimetres.")
ROW(VERIFY, bool, verify, .name = "verify", .option = "verify", .kind = KIND_FLAG, .group = GROUP_CHECKING,
    DEFAULT(false), .sentence = "Read every barcode back from the finished label's dots.",
    .more = "Its element then has decoded, decodedData, matches and margin; what cannot be read is an error.")
ROW(RULES, uint32_t, rules, .name = "rules", .option = "rules", .argument = "NAME", .kind = KIND_WORD,
    .group = GROUP_CHECKING,
    .words =
        "none default gs1-retail gs1-logistics gs1-logistic-label healthcare ups usps fedex dhl amazon", // as
                                                                                                         // platen_rule_set_at
                                                                                                         // has them
    DEFAULT(1), .sentence = "Rule set for the sizes, symbologies and data of barcodes.",
    .more = "docs/checking.md has them.")
ROW(LANGUAGE, enum platen_language, language, .name = "language", .option = "language", .argument = "L",
    .kind = KIND_WORD, .group = GROUP_SIZING, .words = "auto zpl epl tspl cpcl", // as enum platen_language has them
    DEFAULT(PLATEN_LANGUAGE_DETECT), .sentence = "Which language the label code is in.",
    .more = "auto: the one that recognises it, or else ZPL (docs/languages.md).")
ROW(SIZE, bool, fit_size, .name = "size", .option = "size", .argument = "auto", .kind = KIND_WORD,
    .group = GROUP_SIZING, .words = "auto", .shift = 1,
    .sentence = "The size that the labels were made for, by ^PW, ^LL and their content.",
    .more = "widthMm and heightMm, where given, stay.")
PAIR_AT(PAGE_SIZE, layout.page_width_mm, .name = "pageSize", .option = "page-size", .argument = "S", .kind = KIND_OWN,
        .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .read = control_read_page_size, .takes = TAKES_STRING,
        .allowed = "A4, A5, A6, Letter, Legal or WIDTHxHEIGHT in millimetres",
        .pattern = "^(A4|A5|A6|Letter|Legal|" SHEET_LENGTH "[xX]" SHEET_LENGTH ")$",
        .examples = "[\"A4\",\"Letter\",\"210x297\",\"215.9x279.4\"]", .sentence = "Size of the PDF's pages.",
        .more = "Default: what the labels on a page need.")
ROW(PAGE_ORIENTATION, bool, landscape, .name = "pageOrientation", .option = "page-orientation", .argument = "O",
    .kind = KIND_WORD, .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .words = "portrait landscape",
    .sentence = "Orientation of the page.", .more = "Without it as pageSize is written.")
PAIR_AT(PAGE_LAYOUT, layout.columns, .name = "pageLayout", .option = "page-layout", .argument = "CxR", .kind = KIND_OWN,
        .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .read = control_read_grid, .takes = TAKES_STRING,
        .fallback = "\"auto\"", .allowed = "COLUMNSxROWS such as 2x3, or auto: as many as there is room for",
        .pattern = "^(auto|" SHEET_CELLS "[xX]" SHEET_CELLS ")$", .examples = "[\"auto\",\"2x3\",\"3x6\"]",
        .sentence = "Columns and rows of labels on a page.")
ROW_AT(PAGE_ALIGN, layout.across, .name = "pageAlign", .option = "page-align", .argument = "A", .kind = KIND_WORD,
       .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .words = "justify left center right", DEFAULT(PLATEN_JUSTIFY),
       .sentence = "Where the labels are across the page.", .more = "justify spreads what is left over evenly.")
ROW_AT(PAGE_VERTICAL_ALIGN, layout.down, .name = "pageVerticalAlign", .option = "page-vertical-align", .argument = "A",
       .kind = KIND_WORD, .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .words = "justify top center bottom",
       DEFAULT(PLATEN_JUSTIFY), .sentence = "Where the labels are down the page.")
ROW_AT(PAGE_MARGIN_MM, layout.margin_mm, .name = "pageMarginMm", .option = "page-margin-mm", .argument = "M",
       .kind = KIND_NUMBER, .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .most = SHEET_LENGTH_MOST, DEFAULT(0),
       .sentence = "Margin on all sides of the page, in millimetres.")
PAIR_AT(PAGE_GAP_MM, layout.gap_x_mm, .name = "pageGapMm", .option = "page-gap-mm", .argument = "G", .kind = KIND_OWN,
        .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .read = control_read_gap, .takes = TAKES_NUMBER | TAKES_STRING,
        .fallback = "0", .allowed = "a number from 0, or two: 3x2", .most = SHEET_LENGTH_MOST,
        .pattern = "^" SHEET_LENGTH "([xX]" SHEET_LENGTH ")?$", .examples = "[\"3x2\",\"2.5\"]",
        .sentence = "Least gap between labels in millimetres, across and down.")
ROW_AT(PAGE_ORDER, layout.by_columns, .name = "pageOrder", .option = "page-order", .argument = "O", .kind = KIND_WORD,
       .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .words = "rows columns", DEFAULT(false),
       .sentence = "Whether a page is filled row by row or column by column.")
ROW_AT(PAGE_START, layout.first, .name = "pageStart", .option = "page-start", .argument = "N", .kind = KIND_WHOLE,
       .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .least = 1, .most = 1e6, .shift = -1, DEFAULT(1),
       .sentence = "Position of the first label on the first page, for a sheet that is half used.")
ROW_AT(LABEL_BORDER, layout.border, .name = "labelBorder", .option = "label-border", .argument = "B", .kind = KIND_WORD,
       .group = GROUP_SHEETS, .scope = SCOPE_PDFS, .words = "none solid dashed", DEFAULT(PLATEN_NO_BORDER),
       .sentence = "Line around each label on a page.")
ROW_AT(CUT_MARKS, layout.cut_marks, .name = "cutMarks", .option = "cut-marks", .kind = KIND_FLAG, .group = GROUP_SHEETS,
       .scope = SCOPE_PDFS, DEFAULT(false), .sentence = "Marks at the edges of all labels, to cut along.")
ROW_AT(FIT, layout.shrink, .name = "fit", .option = "fit", .argument = "F", .kind = KIND_WORD, .group = GROUP_SHEETS,
       .scope = SCOPE_PDFS, .words = "none shrink", DEFAULT(false),
       .sentence = "Labels that do not fit the page are an error, or are made smaller.")
ROW_AT(PDFA, layout.archive, .name = "pdfa", .option = "pdfa", .kind = KIND_FLAG, .group = GROUP_SHEETS,
       .scope = SCOPE_PDFS, DEFAULT(false), .sentence = "PDF for archives: PDF/A-2b.")
