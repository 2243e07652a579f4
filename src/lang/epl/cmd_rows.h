// The commands of EPL2 page mode, one row each: names are looked up by the longest one that a line begins with.
// ROW(ID, "name", handler, lexing, parameters before data, SUPPORT, "summary", "note", parameters...)
// KIND has behind the handler what it needs to know of the row.
ROW(ANSWERS, "?", answers, ITEMS, 0, FULL, "Values of variables and counters, a line each", "", NONE)
ROW(TEXT, "A", text, DATA, 7, FULL, "Text", "", D("x", -32768, 65535, ""), D("y", -32768, 65535, ""),
    N("rotation", 0, 7, ""), H("font", ""), N("horizontal multiplier", 1, 9, "1"), N("vertical multiplier", 1, 9, "1"),
    C("reverse", "NR", "N"), P("data"))
IGNORE(AUTOFR, "AUTOFR", "Form that is printed when the printer is switched on", "A preview has no such moment.", NONE)
ROW(BARCODE, "B", barcode, DATA, 8, PARTIAL, "Linear barcode", "Japanese postal codes (J) are not drawn.",
    D("x", -32768, 65535, ""), D("y", -32768, 65535, ""), N("rotation", 0, 3, ""), T("type", ""),
    D("narrow bar", 1, 10, "2"), D("wide bar", 0, 30, "4"), D("height", 1, 32000, "50"), C("text", "BN", "N"),
    P("data"))
ROW(MATRIX, "b", matrix, 2D, 0, PARTIAL, "Code in two dimensions: Aztec, Data Matrix, MaxiCode, PDF417, QR",
    "Aztec Mesa, composite, inverse symbols and symbols in a row are not drawn.", D("x", -32768, 65535, ""),
    D("y", -32768, 65535, ""), T("type", ""), T("options", ""), P("data"))
ROW(COUNTER, "C", counter, ITEMS, 0, FULL, "Defines a counter of a form", "", N("number", 0, 9, ""),
    N("most characters", 1, 29, ""), C("justification", "LRCN", "N"), T("step", "+1"), T("prompt", ""))
KIND(DENSITY, "D", level, offsetof(struct epl_settings, density), ITEMS, 0, NO_EFFECT, "Darkness",
     "A picture is black and white.", N("density", 0, 15, "10"))
IGNORE(DUMP, "dump", "Prints what arrives as hexadecimal numbers", "It concerns the printer itself.", NONE)
IGNORE(USER_ERROR, "eR", "Character that answers errors", "It concerns the host.", T("character", ""))
IGNORE(FONTS_PRINT, "EI", "Prints the names of soft fonts", "A report of the printer.", NONE)
KIND(FONT_DELETE, "EK", delete, EPL_FONTS, ITEMS, 0, FULL, "Deletes a soft font", "", O("name", ""))
ROW(FONT_STORE, "ES", store_font, RAW, 0, FULL, "Stores a soft font",
    "Characters for rotated text are those of upright text, rotated.", O("name", ""))
IGNORE(CUT_POSITION, "f", "Position of the cut", "It concerns the printer itself.", N("position", 0, 255, ""))
IGNORE(BACKUP_POSITION, "fB", "Position of the paper after printing", "It concerns the printer itself.",
       N("position", 0, 65535, ""))
ROW(FORM_END, "FE", form_end, ITEMS, 0, FULL, "Ends a stored form", "", NONE)
IGNORE(FORMS_PRINT, "FI", "Prints the names of forms", "A report of the printer.", NONE)
KIND(FORM_DELETE, "FK", delete, EPL_FORMS, ITEMS, 0, FULL, "Deletes a form", "", O("name", ""))
ROW(FORM_RECALL, "FR", form_recall, ITEMS, 0, FULL, "Recalls a form", "", O("name", ""))
ROW(FORM_STORE, "FS", form_store, ITEMS, 0, FULL, "Stores a form", "", O("name", ""))
ROW(GRAPHIC_SHOW, "GG", show_graphic, DATA, 2, FULL, "Draws a stored graphic", "", D("x", -32768, 65535, ""),
    D("y", -32768, 65535, ""), P("name"))
IGNORE(GRAPHICS_PRINT, "GI", "Prints the names of graphics", "A report of the printer.", NONE)
KIND(GRAPHIC_DELETE, "GK", delete, EPL_GRAPHICS, ITEMS, 0, FULL, "Deletes a graphic", "", O("name", ""))
ROW(GRAPHIC_STORE, "GM", store_graphic, RAW, 1, FULL, "Stores a graphic, a PCX file", "", O("name", ""))
ROW(BITMAP, "GW", bitmap, RAW, 4, FULL, "Draws a graphic that follows as bytes", "", D("x", -32768, 65535, ""),
    D("y", -32768, 65535, ""), N("bytes a row", 1, 8192, ""), N("rows", 1, 65535, ""))
IGNORE(ASIAN_SPACING, "i", "Spacing of Asian characters", "Characters are as wide as their cells.", T("values", ""))
ROW(CHARSET, "I", charset, ITEMS, 0, PARTIAL, "Character set", "Code page 851 is not known.", N("bits", 7, 8, "8"),
    T("page", "0"), T("country", "001"))
IGNORE(BACKUP_OFF, "JB", "No feeding back", "It concerns the printer itself.", NONE)
IGNORE(BACKUP_FOR_CUT, "JC", "No feeding back at all", "It concerns the printer itself.", NONE)
IGNORE(BACKUP_ON, "JF", "Feeding back", "It concerns the printer itself.", NONE)
KIND(LINE_XOR, "LE", area, EPL_INVERTED, ITEMS, 0, FULL, "Box that inverts what is below it", "",
     D("x", -32768, 65535, ""), D("y", -32768, 65535, ""), D("width", 0, 65535, ""), D("height", 0, 65535, ""))
KIND(LINE_BLACK, "LO", area, EPL_BLACK, ITEMS, 0, FULL, "Black box or line", "", D("x", -32768, 65535, ""),
     D("y", -32768, 65535, ""), D("width", 0, 65535, ""), D("height", 0, 65535, ""))
ROW(DIAGONAL, "LS", diagonal, ITEMS, 0, FULL, "Diagonal line", "", D("x", -32768, 65535, ""), D("y", -32768, 65535, ""),
    D("thickness", 0, 32000, ""), D("x of the end", -32768, 65535, ""), D("y of the end", -32768, 65535, ""))
KIND(LINE_WHITE, "LW", area, EPL_WHITE, ITEMS, 0, FULL, "White box or line", "", D("x", -32768, 65535, ""),
     D("y", -32768, 65535, ""), D("width", 0, 65535, ""), D("height", 0, 65535, ""))
IGNORE(MEMORY, "M", "Shares of the memory", "It concerns the printer itself.", T("values", ""))
ROW(CLEAR, "N", clear, ITEMS, 0, FULL, "Clears the image buffer", "", NONE)
IGNORE(OPTIONS, "O", "Hardware options", "They concern the printer itself.", T("options", ""))
IGNORE(OPTION_BARCODE, "oB", "Cancels a customized barcode", "It concerns the printer itself.", T("values", ""))
IGNORE(OPTION_LINE, "oE", "Line mode font substitution", "It concerns line mode.", T("values", ""))
IGNORE(OPTION_MACRO_PDF, "oH", "Places of further Macro PDF417 symbols", "Symbols in a row are not drawn.",
       T("values", ""))
IGNORE(OPTION_ESCAPE, "oM", "No feeding at the first escape sequence", "It concerns the printer itself.", NONE)
IGNORE(OPTION_EURO, "oR", "Character that is the euro sign", "Code pages stay as they are.", T("values", ""))
IGNORE(OPTION_WINDOWS, "oW", "Sizes of a customized barcode", "It concerns the printer itself.", T("values", ""))
ROW(PRINT, "P", print, ITEMS, 0, FULL, "Prints the image buffer", "", N("sets", 1, 65535, "1"),
    N("copies of each", 1, 65535, "1"))
ROW(PRINT_AUTO, "PA", print_auto, ITEMS, 0, FULL, "Prints a form as soon as its variables have values", "",
    N("sets", 1, 65535, "1"), N("copies of each", 1, 65535, "1"))
KIND(WIDTH, "q", size, offsetof(struct epl_settings, width), ITEMS, 0, FULL, "Width of the label", "",
     D("width", 1, 32000, "of the head"))
KIND(LENGTH, "Q", size, offsetof(struct epl_settings, length), ITEMS, 0, FULL, "Length of the label and of the gap",
     "The gap has no effect.", D("length", 0, 65535, ""), T("gap", ""), T("offset", ""))
IGNORE(DOUBLE_BUFFER, "r", "Double buffer", "It concerns the printer itself.", C("on", "YN", ""))
ROW(REFERENCE, "R", reference, ITEMS, 0, FULL, "Reference point: what all coordinates are counted from", "",
    D("x", -32768, 32767, "0"), D("y", -32768, 32767, "0"))
KIND(SPEED, "S", level, offsetof(struct epl_settings, speed), ITEMS, 0, NO_EFFECT, "Speed",
     "It concerns the printer itself.", N("speed", 0, 9, ""))
KIND(DATE, "TD", layout, offsetof(struct epl_settings, date), ITEMS, 0, FULL, "Layout of dates", "",
     T("layout", "mn-dd-y4"))
IGNORE(CLOCK_SET, "TS", "Sets the clock", "The clock is that of the request.", T("values", ""))
KIND(TIME, "TT", layout, offsetof(struct epl_settings, time), ITEMS, 0, FULL, "Layout of times", "",
     T("layout", "h:m:s"))
IGNORE(CONFIGURATION_PRINT, "U", "Prints the configuration", "A report of the printer.", NONE)
IGNORE(ENABLE_STATUS, "UA", "Clears the error flags", "It concerns the host.", NONE)
IGNORE(RESET_STATUS, "UB", "Resets the counter of labels", "It concerns the printer itself.", NONE)
HOST(FONTS_LIST, "UE", "Names of soft fonts to the host", "the printer answers its host", NONE)
KIND(FORMS_LIST, "UF", list, EPL_FORMS, ITEMS, 0, NO_EFFECT, "Names of forms to the host",
     "the printer answers its host.", NONE)
KIND(GRAPHICS_LIST, "UG", list, EPL_GRAPHICS, ITEMS, 0, NO_EFFECT, "Names of graphics to the host",
     "the printer answers its host.", NONE)
HOST(HOST_STATUS, "UI", "Prompts and code page to the host", "the printer answers its host.", NONE)
HOST(HOST_MEMORY, "UM", "Codes and memory to the host", "the printer answers its host.", NONE)
IGNORE(STATUS_OFF, "UN", "No reports of errors", "It concerns the host.", NONE)
HOST(HOST_CODES, "UP", "Codes and memory to the host, and printed", "the printer answers its host.", NONE)
ROW(CONFIGURATION, "UQ", configuration, ITEMS, 0, NO_EFFECT, "Configuration to the host",
    "the printer answers its host.", NONE)
IGNORE(STATUS_ON, "US", "Reports of errors", "It concerns the host.", NONE)
ROW(VARIABLE, "V", variable, ITEMS, 0, FULL, "Defines a variable of a form", "", N("number", 0, 99, ""),
    N("most characters", 1, 99, ""), C("justification", "LRCN", "N"), T("prompt", ""))
IGNORE(WINDOWS_MODE, "W", "Windows mode", "It concerns the printer itself.", C("on", "YN", ""))
IGNORE(AUTOSENSE, "xa", "Measures labels and gaps", "It concerns the printer itself.", NONE)
ROW(BOX, "X", box, ITEMS, 0, FULL, "Frame between two corners", "", D("x", -32768, 65535, ""),
    D("y", -32768, 65535, ""), D("thickness", 0, 32000, ""), D("x of the end", -32768, 65535, ""),
    D("y of the end", -32768, 65535, ""))
IGNORE(SERIAL, "Y", "Serial port", "It concerns the printer itself.", T("values", ""))
IGNORE(DIRECTION, "Z", "Which edge of the label leaves the printer first", "A preview is not turned.",
       C("edge", "TB", "T"))
IGNORE(COMMENT, ";", "Comment", "", T("text", ""))
ROW(RESET, "^@", reset, ITEMS, 0, FULL, "Resets the printer", "", NONE)
ROW(DEFAULTS, "^default", reset, ITEMS, 0, FULL, "Settings of the factory", "", NONE)
IGNORE(LAST_ERROR, "^ee", "Last error to the host", "It concerns the host.", NONE)
