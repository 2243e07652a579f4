// The command table: one row per ZPL II command. Included by cmd_table.c with ROW and the macros of parameters defined.
//   ROW(id, prefix, first, second, handler, lexing, where, support, summary, note, parameters…)
// `where` is FIELD for commands that make or change a field and so need an open format, ANY otherwise.
// Rows are in the order of `platen commands`: '^' before '~', names in order of their characters.
// clang-format off

// Text fonts
ROW(A0, '^', 'A', '0', font, ARGS, FIELD, FULL, "Font, turn and size of the field's text", "The font's letter or digit is the second character of the command: ^A0, ^AD.",
    C("orientation", "NRIB", "^FW"), D("height", 0, 32000, "^CF"), D("width", 0, 32000, "^CF"))
ROW(A_AT, '^', 'A', '@', font_by_name, ARGS, FIELD, FULL, "Font of the field by the name of a stored font", "",
    C("orientation", "NRIB", "^FW"), D("height", 0, 32000, "^CF"), D("width", 0, 32000, "^CF"), O("font", "last named"))

// Barcodes
ROW(B0, '^', 'B', '0', aztec, ARGS, FIELD, FULL, "Aztec code (same as ^BO)", "", AZTEC_PARAMS)
ROW(B1, '^', 'B', '1', code11, ARGS, FIELD, FULL, "Code 11", "",
    ORI, C("one check digit", "YN", "N"), BARH, TEXT, ABOVE)
ROW(B2, '^', 'B', '2', interleaved, ARGS, FIELD, FULL, "Interleaved 2 of 5", "",
    ORI, BARH, TEXT, ABOVE, C("check digit", "YN", "N"))
ROW(B3, '^', 'B', '3', code39, ARGS, FIELD, FULL, "Code 39", "",
    ORI, C("check digit", "YN", "N"), BARH, TEXT, ABOVE)
ROW(B4, '^', 'B', '4', code49, ARGS, FIELD, FULL, "Code 49", "",
    ORI, D("row height", 1, 32000, "^BY height"), C("interpretation line", "NAB", "N"), C("mode", "012345A", "A"))
ROW(B5, '^', 'B', '5', planet, ARGS, FIELD, FULL, "Planet code", "",
    ORI, D("height", 1, 9999, "^BY height"), TEXTN, ABOVE)
ROW(B7, '^', 'B', '7', pdf417, ARGS, FIELD, FULL, "PDF417", "",
    ORI, D("row height", 1, 32000, "^BY height / rows"), N("security level", 0, 8, "0"), N("columns", 1, 30, "automatic"), N("rows", 3, 90, "automatic"), C("truncated", "YN", "N"))
ROW(B8, '^', 'B', '8', ean8, ARGS, FIELD, FULL, "EAN-8", "",
    ORI, BARH, TEXT, ABOVE)
ROW(B9, '^', 'B', '9', upce, ARGS, FIELD, FULL, "UPC-E", "",
    ORI, BARH, TEXT, ABOVE, C("check digit in the text", "YN", "Y"))
ROW(BA, '^', 'B', 'A', code93, ARGS, FIELD, FULL, "Code 93", "",
    ORI, BARH, TEXT, ABOVE, C("check digits in the text", "YN", "N"))
ROW(BB, '^', 'B', 'B', codablock, ARGS, FIELD, FULL, "CODABLOCK A, E and F", "",
    C("orientation", "NRIB", "N"), D("row height", 2, 32000, "8"), C("security", "YN", "Y"), N("characters per row", 2, 62, "automatic"), N("rows", 1, 22, "automatic"), C("mode", "AEF", "F"))
ROW(BC, '^', 'B', 'C', code128, ARGS, FIELD, FULL, "Code 128 and GS1-128", "",
    ORI, BARH, TEXT, ABOVE, C("UCC check digit", "YN", "N"), C("mode", "NUAD", "N"))
ROW(BD, '^', 'B', 'D', maxicode, ARGS, FIELD, FULL, "MaxiCode", "",
    C("mode", "23456", "2"), N("symbol number", 1, 8, "1"), N("number of symbols", 1, 8, "1"))
ROW(BE, '^', 'B', 'E', ean13, ARGS, FIELD, FULL, "EAN-13", "",
    ORI, BARH, TEXT, ABOVE)
ROW(BF, '^', 'B', 'F', micropdf417, ARGS, FIELD, FULL, "MicroPDF417", "",
    ORI, D("row height", 1, 9999, "^BY height"), N("size", 0, 33, "0"))
ROW(BI, '^', 'B', 'I', industrial, ARGS, FIELD, FULL, "Industrial 2 of 5", "",
    ORI, BARH, TEXT, ABOVE)
ROW(BJ, '^', 'B', 'J', standard, ARGS, FIELD, FULL, "Standard 2 of 5", "",
    ORI, BARH, TEXT, ABOVE)
ROW(BK, '^', 'B', 'K', codabar, ARGS, FIELD, FULL, "ANSI Codabar", "",
    ORI, C("check digit", "N", "N"), BARH, TEXT, ABOVE, C("start", "ABCD*NTE", "A"), C("stop", "ABCD*NTE", "A"))
ROW(BL, '^', 'B', 'L', logmars, ARGS, FIELD, FULL, "LOGMARS (Code 39 with a check digit)", "",
    ORI, BARH, ABOVE)
ROW(BM, '^', 'B', 'M', msi, ARGS, FIELD, FULL, "MSI", "",
    ORI, C("check digits", "ABCD", "B"), BARH, TEXT, ABOVE, C("check digits in the text", "YN", "N"))
ROW(BO, '^', 'B', 'O', aztec, ARGS, FIELD, FULL, "Aztec code", "", AZTEC_PARAMS)
ROW(BP, '^', 'B', 'P', plessey, ARGS, FIELD, FULL, "Plessey", "",
    ORI, C("check digit in the text", "YN", "N"), BARH, TEXT, ABOVE)
ROW(BQ, '^', 'B', 'Q', qr, ARGS, FIELD, FULL, "QR code", "The orientation has no effect, as on a printer. The magnification also becomes the ^BY module width.",
    C("orientation", "NRIB", "N"), C("model", "12", "2"), N("magnification", 1, 100, "by density"), C("error correction", "HQML", "Q"), N("mask", 0, 7, "7"))
ROW(BR, '^', 'B', 'R', databar, ARGS, FIELD, FULL, "GS1 DataBar and composite codes", "",
    ORI, N("symbology", 1, 12, "1"), N("magnification", 1, 10, "by density"), N("separator height", 1, 2, "1"), D("height", 1, 32000, "25"), N("segments", 2, 22, "22"))
ROW(BS, '^', 'B', 'S', upc_extension, ARGS, FIELD, FULL, "UPC/EAN extension of 2 or 5 digits", "",
    ORI, BARH, TEXT, C("text above", "YN", "Y"))
ROW(BT, '^', 'B', 'T', tlc39, ARGS, FIELD, FULL, "TLC39", "",
    ORI, D("Code 39 narrow bar", 1, 10, "by density"), N("Code 39 ratio", 2, 3, "2.0"), D("Code 39 height", 1, 9999, "by density"), D("MicroPDF417 module", 1, 10, "by density"), D("MicroPDF417 row height", 1, 255, "by density"))
ROW(BU, '^', 'B', 'U', upca, ARGS, FIELD, FULL, "UPC-A", "",
    ORI, D("height", 1, 9999, "^BY height"), TEXT, ABOVE, C("check digit in the text", "YN", "Y"))
ROW(BX, '^', 'B', 'X', datamatrix, ARGS, FIELD, FULL, "Data Matrix", "",
    ORI, D("module size", 0, 32000, "^BY height / rows"), N("quality", 0, 200, "0"), N("columns", 0, 144, "automatic"), N("rows", 0, 144, "automatic"), N("format", 1, 6, "6"), H("escape", "~"), C("aspect", "12", "1"))
ROW(BY, '^', 'B', 'Y', barcode_default, ARGS, ANY, FULL, "Module width, ratio and height of later barcodes", "",
    D("module width", 1, 100, "2"), N("ratio", 2, 3, "3.0"), D("height", 1, 32000, "10"))
ROW(BZ, '^', 'B', 'Z', postal, ARGS, FIELD, FULL, "POSTNET, PLANET and USPS Intelligent Mail", "",
    ORI, D("height", 1, 32000, "^BY height"), TEXTN, ABOVE, C("kind", "0123", "0"))

// Printer settings that concern characters
ROW(CC, '^', 'C', 'C', change_caret, CHAR, ANY, FULL, "Changes the format prefix", "", H("character", "^"))
ROW(CD, '^', 'C', 'D', change_comma, CHAR, ANY, FULL, "Changes the delimiter of parameters", "", H("character", ","))
ROW(CF, '^', 'C', 'F', default_font, ARGS, ANY, FULL, "Default font of later fields", "",
    H("font", "A"), D("height", 0, 32000, "9"), D("width", 0, 32000, "5"))
ROW(CI, '^', 'C', 'I', charset, ARGS, ANY, FULL, "Character set of later fields, and re-mapping of characters", "",
    N("set", 0, 36, "0"), N("glyph 1", 0, 255, ""), N("for byte 1", 0, 255, ""))
ROW(CM, '^', 'C', 'M', drive_letters, ARGS, ANY, FULL, "Letters of the memory devices", "",
    C("B:", "BERAN", "B"), C("E:", "BERAN", "E"), C("R:", "BERAN", "R"), C("A:", "BERAN", "A"), C("multiple", "M", ""))
IGNORE(CN, '^', 'C', 'N', "Cuts the media now", "The cutter leaves no mark on the picture.", C("mode", "01", "0"))
IGNORE(CO, '^', 'C', 'O', "Cache of font characters", "Text is drawn without a cache the format could feel.", C("cache on", "YN", "Y"), N("kilobytes", 1, 9999, "40"), C("type", "01", "0"))
IGNORE(CP, '^', 'C', 'P', "Removes the label from the presenter", "It concerns the mechanics of kiosk printers.", N("mode", 0, 2, ""))
ROW(CT, '^', 'C', 'T', change_tilde, CHAR, ANY, FULL, "Changes the control prefix", "", H("character", "~"))
ROW(CV, '^', 'C', 'V', validation, ARGS, ANY, FULL, "Validation of barcode data", "", C("validate", "YN", "N"))
ROW(CW, '^', 'C', 'W', font_letter, ARGS, ANY, FULL, "Gives a stored font a letter", "", H("letter", ""), O("font", "UNKNOWN"))

ROW(DF, '^', 'D', 'F', store_format, ARGS, ANY, FULL, "Stores the rest of the format as a template", "", O("format", "R:UNKNOWN.ZPL"))
IGNORE(DN, '^', 'D', 'N', "Ends a download (outdated form of ~DN)", "Downloads end at the next command anyway.", NONE)
ROW(EF, '^', 'E', 'F', erase_formats, ARGS, ANY, FULL, "Erases all stored formats", "", NONE)
ROW(EG, '^', 'E', 'G', erase_graphics, ARGS, ANY, FULL, "Erases all downloaded graphics", "", NONE)

// Fields
IGNORE(FA, '^', 'F', 'A', "Allocates characters for a stored field", "Room for data needs no allocation here.", N("characters", 1, 99999, ""))
ROW(FB, '^', 'F', 'B', field_block, ARGS, FIELD, FULL, "Text block: lines, alignment, indent", "",
    D("width", 0, 32000, "0"), N("lines", 1, 9999, "1"), D("line spacing", -9999, 9999, "0"), C("alignment", "LCRJ", "L"), D("indent", 0, 9999, "0"))
ROW(FC, '^', 'F', 'C', field_clock, ARGS, FIELD, FULL, "Characters that call for the clock in the data", "", H("primary", "%"), H("second", ""), H("third", ""))
ROW(FD, '^', 'F', 'D', field_data, DATA, FIELD, FULL, "Data of the field", "", P("data"))
ROW(FE, '^', 'F', 'E', field_embed, ARGS, FIELD, FULL, "Character around numbers of fields to insert into the data", "", H("character", "#"))
ROW(FH, '^', 'F', 'H', field_hex, ARGS, FIELD, FULL, "Character before two hex digits in the data", "", H("character", "_"))
ROW(FL, '^', 'F', 'L', font_link, ARGS, ANY, FULL, "Links a font for characters that another one lacks", "", O("extension font", ""), O("base font", ""), C("link", "01", "1"))
ROW(FM, '^', 'F', 'M', field_origins, ARGS, FIELD, FULL, "Origins of several structured-append symbols", "", D("x1", 0, 32000, ""), D("y1", 0, 32000, ""))
ROW(FN, '^', 'F', 'N', field_number, ARGS, FIELD, FULL, "Number of a field whose data comes from elsewhere", "", N("number", 0, 9999, "0"))
ROW(FO, '^', 'F', 'O', field_origin, ARGS, FIELD, FULL, "Top left corner of the field", "",
    D("x", 0, 32000, "0"), D("y", 0, 32000, "0"), C("justification", "012", "^FW"))
ROW(FP, '^', 'F', 'P', field_direction, ARGS, FIELD, FULL, "Direction of the text and gap between characters", "", C("direction", "HVR", "H"), D("gap", 0, 9999, "0"))
ROW(FR, '^', 'F', 'R', field_reverse, ARGS, FIELD, FULL, "Prints the field in reverse over what is below", "", NONE)
ROW(FS, '^', 'F', 'S', field_separator, ARGS, ANY, FULL, "Ends the field", "", NONE)
ROW(FT, '^', 'F', 'T', field_typeset, ARGS, FIELD, FULL, "Baseline start of the field", "",
    D("x", 0, 32000, "after the last text"), D("y", 0, 32000, "after the last text"), C("justification", "012", "^FW"))
ROW(FV, '^', 'F', 'V', field_variable, DATA, FIELD, FULL, "Data of the field, cleared from the next label under ^MCN", "", P("data"))
ROW(FW, '^', 'F', 'W', field_orientation, ARGS, ANY, FULL, "Default orientation and justification of later fields", "", C("orientation", "NRIB", ""), C("justification", "012", "0"))
ROW(FX, '^', 'F', 'X', comment, DATA, ANY, FULL, "Comment", "", P("text"))

// Graphics
ROW(GB, '^', 'G', 'B', graphic_box, ARGS, FIELD, FULL, "Box or line", "",
    D("width", 0, 32000, "thickness"), D("height", 0, 32000, "thickness"), D("thickness", 0, 32000, "1"), C("colour", "BW", "B"), N("rounding", 0, 8, "0"))
ROW(GC, '^', 'G', 'C', graphic_circle, ARGS, FIELD, FULL, "Circle", "", D("diameter", 3, 4095, "3"), D("thickness", 1, 4095, "1"), C("colour", "BW", "B"))
ROW(GD, '^', 'G', 'D', graphic_diagonal, ARGS, FIELD, FULL, "Diagonal line", "",
    D("width", 0, 32000, "thickness"), D("height", 0, 32000, "thickness"), D("thickness", 1, 32000, "1"), C("colour", "BW", "B"), C("direction", "RL/\\", "R"))
ROW(GE, '^', 'G', 'E', graphic_ellipse, ARGS, FIELD, FULL, "Ellipse", "",
    D("width", 3, 4095, "thickness"), D("height", 3, 4095, "thickness"), D("thickness", 1, 4095, "1"), C("colour", "BW", "B"))
ROW(GF, '^', 'G', 'F', graphic_field, PAYLOAD, FIELD, PARTIAL, "Picture in the format itself", "Raw data of kind C is undocumented and is not drawn; C with a :Z64: body is.",
    C("kind", "ABC", "A"), N("bytes sent", 0, 2147483647, ""), N("bytes of the picture", 1, 2147483647, ""), N("bytes per row", 1, 99999, ""), P("data"))
ROW(GS, '^', 'G', 'S', graphic_symbol, ARGS, FIELD, FULL, "Symbols: registered, copyright, trademark, UL, CSA", "", C("orientation", "NRIB", "^FW"), D("height", 0, 32000, "^CF"), D("width", 0, 32000, "^CF"))

ROW(ID, '^', 'I', 'D', delete_object, ARGS, ANY, FULL, "Deletes stored objects", "", O("object", "R:UNKNOWN.GRF"))
ROW(IL, '^', 'I', 'L', image_load, ARGS, FIELD, FULL, "Draws a saved label at the label's corner", "", O("image", "R:UNKNOWN.GRF"))
ROW(IM, '^', 'I', 'M', image_move, ARGS, FIELD, FULL, "Draws a stored picture at the field's place", "", O("image", "R:UNKNOWN.GRF"))
ROW(IS, '^', 'I', 'S', image_save, ARGS, ANY, FULL, "Saves the label as a picture", "", O("image", "R:UNKNOWN.GRF"), C("print", "YN", "Y"))
ROW(JB, '^', 'J', 'B', format_drive, ARGS, ANY, FULL, "Erases a memory device", "", C("device", "ABE", ""))
ROW(JM, '^', 'J', 'M', half_density, ARGS, ANY, FULL, "Halves the density: every dot becomes 2 x 2", "", C("density", "AB", "A"))
ROW(LH, '^', 'L', 'H', label_home, ARGS, ANY, FULL, "Origin of later fields", "", D("x", 0, 32000, "0"), D("y", 0, 32000, "0"))
ROW(LL, '^', 'L', 'L', label_length, ARGS, ANY, PARTIAL, "Length of the label", "The picture's height is the caller's, as with a printer's media; the value is kept for `platen inspect`.", D("length", 1, 32000, ""), C("all media", "YN", "N"))
ROW(LR, '^', 'L', 'R', label_reverse, ARGS, ANY, FULL, "Prints later fields in reverse", "", C("reverse", "YN", "N"))
ROW(LS, '^', 'L', 'S', label_shift, ARGS, ANY, FULL, "Shifts later fields to the left", "", D("dots", -9999, 9999, "0"))
ROW(LT, '^', 'L', 'T', label_top, ARGS, ANY, FULL, "Moves the whole format down or up", "", D("rows", -240, 240, ""))
ROW(MC, '^', 'M', 'C', map_clear, ARGS, ANY, FULL, "Keeps the label's picture as background of the next", "", C("clear", "YN", "Y"))
ROW(MU, '^', 'M', 'U', units, ARGS, ANY, FULL, "Units of measurement and conversion of densities", "", C("unit", "DIM", "D"), N("format dpi", 1, 9999, ""), N("printer dpi", 1, 9999, ""))
ROW(PA, '^', 'P', 'A', advanced_text, ARGS, ANY, FULL, "Default glyph, bidirectional text, shaping, OpenType", "", C("default glyph", "01", "0"), C("bidirectional", "01", "0"), C("shaping", "01", "0"), C("OpenType", "01", "0"))
ROW(PM, '^', 'P', 'M', mirror, ARGS, ANY, FULL, "Mirrors the label", "", C("mirror", "YN", "N"))
ROW(PO, '^', 'P', 'O', orientation, ARGS, ANY, FULL, "Turns the label upside down", "", C("orientation", "NI", "N"))
ROW(PQ, '^', 'P', 'Q', quantity, ARGS, ANY, FULL, "Number of labels and replicates of serial numbers", "", N("quantity", 1, 99999999, "1"), N("pause after", 0, 99999999, "0"), N("replicates", 0, 99999999, "0"), C("no pause", "YN", "N"), C("cut on error", "YN", "Y"))
ROW(PW, '^', 'P', 'W', print_width, ARGS, ANY, FULL, "Width of the label; a narrower one is centred on the picture", "", D("width", 2, 32000, ""))
ROW(RF, '^', 'R', 'F', rfid_data, ARGS, ANY, NO_EFFECT, "Reads or writes an RFID tag", "Its data is not printed.", T("operation", "W"), T("format", "H"), T("block", "0"), T("bytes", "1"), T("bank", "1"))
ROW(SE, '^', 'S', 'E', encoding_table, ARGS, ANY, PARTIAL, "Selects an encoding table", "Tables that ~DE loads are used by ^CI14.", O("table", ""))
ROW(SF, '^', 'S', 'F', serial_field, ARGS, FIELD, FULL, "Serialises the field by a mask", "", T("mask", ""), T("step", "1"))
ROW(SL, '^', 'S', 'L', clock_mode, ARGS, ANY, PARTIAL, "Mode and language of the clock", "The time does not go on while labels are drawn, so the mode makes no difference.", T("mode", "S"), N("language", 1, 18, "1"))
ROW(SN, '^', 'S', 'N', serial_number, ARGS, FIELD, FULL, "Serial number instead of data", "", T("start", "1"), N("step", -2147483647, 2147483647, "1"), C("leading zeros", "YN", "N"))
ROW(SO, '^', 'S', 'O', clock_offset, ARGS, ANY, FULL, "Offset of the second and third clock", "", N("clock", 2, 3, ""), N("months", -32000, 32000, "0"), N("days", -32000, 32000, "0"), N("years", -32000, 32000, "0"), N("hours", -32000, 32000, "0"), N("minutes", -32000, 32000, "0"), N("seconds", -32000, 32000, "0"))
ROW(ST, '^', 'S', 'T', clock_set, ARGS, ANY, FULL, "Sets the clock", "", N("month", 1, 12, ""), N("day", 1, 31, ""), N("year", 1998, 2097, ""), N("hour", 0, 23, "0"), N("minute", 0, 59, "0"), N("second", 0, 59, "0"), C("format", "APM", "M"))
ROW(TB, '^', 'T', 'B', text_block, ARGS, FIELD, FULL, "Text block of a fixed size", "", C("orientation", "NRIB", "^A"), D("width", 1, 32000, "1"), D("height", 1, 32000, "1"))
ROW(TO, '^', 'T', 'O', copy_object, ARGS, ANY, FULL, "Copies stored objects", "", O("source", ""), O("destination", ""))
ROW(XA, '^', 'X', 'A', format_start, ARGS, ANY, FULL, "Starts a label format", "", NONE)
ROW(XF, '^', 'X', 'F', recall_format, ARGS, FIELD, FULL, "Recalls a stored format", "", O("format", "UNKNOWN.ZPL"))
ROW(XG, '^', 'X', 'G', recall_graphic, ARGS, FIELD, FULL, "Draws a stored picture, magnified", "", O("image", "UNKNOWN.GRF"), N("x magnification", 1, 10, "1"), N("y magnification", 1, 10, "1"))
ROW(XZ, '^', 'X', 'Z', format_end, ARGS, ANY, FULL, "Ends the label format and prints it", "", NONE)

ROW(T_CC, '~', 'C', 'C', change_caret, CHAR, ANY, FULL, "Changes the format prefix", "", H("character", "^"))
ROW(T_CD, '~', 'C', 'D', change_comma, CHAR, ANY, FULL, "Changes the delimiter of parameters", "", H("character", ","))
ROW(T_CT, '~', 'C', 'T', change_tilde, CHAR, ANY, FULL, "Changes the control prefix", "", H("character", "~"))
ROW(T_DB, '~', 'D', 'B', download_bitmap_font, PAYLOAD, ANY, FULL, "Downloads a bitmap font", "", O("font", "R:UNKNOWN.FNT"), C("orientation", "N", "N"), N("cell height", 1, 32000, ""), N("cell width", 1, 32000, ""), N("baseline", 0, 32000, ""), N("space width", 0, 32000, ""), N("characters", 1, 65535, ""), T("copyright", ""), P("data"))
ROW(T_DG, '~', 'D', 'G', download_graphic, PAYLOAD, ANY, FULL, "Downloads a picture", "", O("image", "R:UNKNOWN.GRF"), N("bytes", 1, 2147483647, ""), N("bytes per row", 1, 99999, ""), P("data"))
ROW(T_DT, '~', 'D', 'T', download_truetype, PAYLOAD, ANY, FULL, "Downloads a TrueType font", "", O("font", "R:UNKNOWN.DAT"), N("bytes", 0, 2147483647, ""), P("data"))
ROW(T_DU, '~', 'D', 'U', download_truetype, PAYLOAD, ANY, FULL, "Downloads an unbounded TrueType font", "", O("font", "R:UNKNOWN.FNT"), N("bytes", 0, 2147483647, ""), P("data"))
ROW(T_DY, '~', 'D', 'Y', download_object, PAYLOAD, ANY, PARTIAL, "Downloads a graphic, font or other file", "Kind C (Zebra's BAR-ONE) is undocumented and is not stored.", O("object", "R:UNKNOWN"), C("kind", "ABCP", ""), T("extension", "G"), N("bytes", 0, 2147483647, ""), N("bytes per row", 0, 99999, "0"), P("data"))
ROW(T_EF, '~', 'E', 'F', erase_formats, ARGS, ANY, FULL, "Erases all stored formats", "", NONE)
ROW(T_EG, '~', 'E', 'G', erase_graphics, ARGS, ANY, FULL, "Erases all downloaded graphics", "", NONE)
ROW(T_JA, '~', 'J', 'A', cancel_all, ARGS, ANY, FULL, "Cancels the formats received so far", "", NONE)
ROW(T_JR, '~', 'J', 'R', power_on_reset, ARGS, ANY, FULL, "Resets the printer to its start-up state", "", NONE)
ROW(T_JX, '~', 'J', 'X', cancel_format, ARGS, ANY, FULL, "Cancels the open format", "", NONE)
// clang-format on
