// The commands of CPCL, one row each.
// ROW(ID, "name", "other names", handler, kind, flags, SUPPORT, "summary", "note", parameters...)
// BLOCK has behind the flags the line that ends those which follow it.

// ---- sessions
ROW(SESSION, "!", "", ignore, 0, 0, FULL, "Begins a label", "", D("offset", 0, 65535, "0"), N("hres", 0, 600, "200"),
    N("vres", 0, 600, "200"), D("height", 0, 65535, ""), N("quantity", 1, 1024, "1"))
ROW(PASSING, "! U1", "", ignore, 0, 0, FULL, "Carries out one command outside of labels", "", P("command"))
ROW(UTILITIES, "! UTILITIES", "", ignore, 0, 0, FULL, "Begins commands for the printer, up to PRINT; also ! U", "",
    NONE)
ROW(DEFINE, "! DF", "", ignore, 0, 0, FULL, "Stores a format or a PCX file; also ! DEFINE-FORMAT", "", O("name", ""))
ROW(USE, "! UF", "", ignore, 0, 0, FULL, "Prints a format, a line for each \\\\ in it; also ! USE-FORMAT", "",
    O("name", ""))
ROW(DOWNLOAD, "! CISDFCRC16", "", ignore, 0, 0, PARTIAL, "Stores a file by its length", "Checksums are not checked.",
    NONE)
ROW(PRINT, "PRINT", "", print, 0, 0, FULL, "Prints the label", "", NONE)
ROW(POPRINT, "POPRINT", "", print, 1, 0, FULL, "Prints the label upside down, of other makers", "", NONE)
ROW(FORM, "FORM", "", form, 0, 0, FULL, "Feeds to the next label; outside of labels it ends the page", "", NONE)
ROW(END, "END", "ABORT", end, 0, 0, FULL, "Ends the label without printing it", "", NONE)
ROW(COMMENT, ";", "", ignore, 0, CPCL_UNIT, NO_EFFECT, "Comment", "", T("text", ""))
ROW(PAGE_WIDTH, "PAGE-WIDTH", "PW", page_width, 0, CPCL_SETS | CPCL_UNIT, FULL, "Width of the label", "",
    D("width", 1, 65535, "of the head"))
ROW(PAGE_HEIGHT, "PAGE-HEIGHT", "PH", page_height, 0, CPCL_SETS, FULL, "Height of the label", "",
    D("height", 1, 65535, "of the header"))
ROW(CENTER, "CENTER", "", justify, PL_JUSTIFY_CENTER, 0, FULL, "Centers what follows between x and the edge", "",
    D("edge", 0, 65535, "of the page"))
ROW(LEFT, "LEFT", "", justify, PL_JUSTIFY_LEFT, 0, FULL, "What follows begins at x", "", NONE)
ROW(RIGHT, "RIGHT", "", justify, PL_JUSTIFY_RIGHT, 0, FULL, "What follows ends at the edge", "",
    D("edge", 0, 65535, "of the page"))
ROW(IN_DOTS, "IN-DOTS", "", unit, 0, CPCL_UNIT, FULL, "Numbers are dots", "", NONE)
ROW(IN_MILLIMETERS, "IN-MILLIMETERS", "", unit, 1, CPCL_UNIT, FULL, "Numbers are millimetres", "", NONE)
ROW(IN_CENTIMETERS, "IN-CENTIMETERS", "", unit, 2, CPCL_UNIT, FULL, "Numbers are centimetres", "", NONE)
ROW(IN_INCHES, "IN-INCHES", "", unit, 3, CPCL_UNIT, FULL, "Numbers are inches", "", NONE)

// ---- text
ROW(TEXT, "TEXT", "T", text, PL_ROT_N, CPCL_COUNTS, PARTIAL, "Text",
    "The fonts 1 and 5 are drawn without their script and serif shapes.", T("font", ""), N("size", 0, 255, ""),
    D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), P("data"))
ROW(TEXT90, "TEXT90", "T90|VTEXT|VT", text, PL_ROT_B, CPCL_COUNTS, FULL, "Text that reads upwards", "", T("font", ""),
    N("size", 0, 255, ""), D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), P("data"))
ROW(TEXT180, "TEXT180", "T180", text, PL_ROT_I, CPCL_COUNTS, FULL, "Text upside down", "", T("font", ""),
    N("size", 0, 255, ""), D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), P("data"))
ROW(TEXT270, "TEXT270", "T270", text, PL_ROT_R, CPCL_COUNTS, FULL, "Text that reads downwards", "", T("font", ""),
    N("size", 0, 255, ""), D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), P("data"))
ROW(FONT_GROUP, "FG", "FONT-GROUP", font_group, 0, 0, FULL, "Fonts of which TEXT FG takes the largest that has room",
    "", N("group", 0, 9, ""), T("fonts and sizes", ""))
BLOCK(CONCAT, "CONCAT", "VCONCAT", concat, 0, 0, "ENDCONCAT", PARTIAL,
      "Lines of font, size, offset and text, set as one line", "CENTER and RIGHT do not move it.",
      D("x", -65535, 65535, ""), D("y", -65535, 65535, ""))
ROW(ENDCONCAT, "ENDCONCAT", "", ignore, 0, 0, FULL, "Ends CONCAT", "", NONE)
BLOCK(MULTILINE, "MULTILINE", "ML", multiline, 0, 0, "ENDMULTILINE", FULL, "Several lines of the text that follows", "",
      D("height", -65535, 65535, ""))
ROW(ENDMULTILINE, "ENDMULTILINE", "ENDML", ignore, 0, 0, FULL, "Ends MULTILINE", "", NONE)
ROW(SCALE_TEXT, "SCALE-TEXT", "ST|VSCALE-TEXT|VST", scale_text, 0, CPCL_COUNTS, PARTIAL, "Text in an outline font",
    "Patterns and angles of ROTATE are not drawn.", O("font", ""), N("width in points", 1, 32000, ""),
    N("height in points", 1, 32000, ""), D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), P("data"))
ROW(SCALE_TO_FIT, "SCALE-TO-FIT", "STF|VSCALE-TO-FIT|VSTF", scale_text, 1, CPCL_COUNTS, PARTIAL,
    "Text in an outline font, as long as asked for", "Patterns and angles of ROTATE are not drawn.", O("font", ""),
    D("width", 1, 65535, ""), D("height", 1, 65535, ""), D("x", -65535, 65535, ""), D("y", -65535, 65535, ""),
    P("data"))
ROW(ROTATE, "ROTATE", "R", setting, 3, CPCL_SETS, PARTIAL, "Angle of outline text",
    "Text is not turned; a diagnostic says so.", N("angle", -360, 360, "0"))
ROW(SETMAG, "SETMAG", "", setmag, 0, CPCL_SETS, FULL, "Enlarges fonts; it outlasts the label", "",
    N("width", 0, 16, "0"), N("height", 0, 16, "0"))
ROW(SETSP, "SETSP", "", setting, 0, CPCL_SETS, FULL, "Space between characters", "", D("spacing", -1000, 1000, "0"))
ROW(SETBOLD, "SETBOLD", "", setting, 1, CPCL_SETS, FULL, "Bold text", "", D("boldness", 0, 5, "0"))
ROW(UNDERLINE, "UNDERLINE", "UT|UNDERLINE-TEXT", underline, 0, CPCL_SETS, FULL, "Underlined text", "",
    T("ON or OFF", "OFF"))
ROW(COUNT, "COUNT", "", count, 0, 0, FULL, "The number in the field before it counts, copy by copy", "",
    N("step", -65535, 65535, ""))
ROW(COUNTRY, "COUNTRY", "ENCODING", country, 0, CPCL_UNIT, FULL, "Character set", "", T("name", "USA"))
ROW(INVERSE_TEXT, "INVERSE-TEXT", "IT", underline, 1, CPCL_SETS, PARTIAL, "White text on black, of other makers",
    "Text whose letters have widths of their own stays black on white.", T("ON or OFF", "OFF"))
NOT_DRAWN(CODEPAGE, "CODEPAGE", "", "Character set of other makers", "their numbers are not known.", T("number", ""))

// ---- barcodes
ROW(BARCODE, "BARCODE", "B", barcode, 0, CPCL_COUNTS, FULL,
    "Barcode; QR, PDF-417, MAXICODE, AZTEC and DATAMATRIX have x, y and options behind the type, and lines of data", "",
    T("type", ""), D("narrow", 1, 100, ""), N("ratio", 0, 30, ""), D("height", 1, 32000, ""), D("x", -65535, 65535, ""),
    D("y", -65535, 65535, ""), P("data"))
ROW(VBARCODE, "VBARCODE", "VB", barcode, 0, CPCL_COUNTS, FULL, "Barcode that reads upwards", "", T("type", ""),
    D("narrow", 1, 100, ""), N("ratio", 0, 30, ""), D("height", 1, 32000, ""), D("x", -65535, 65535, ""),
    D("y", -65535, 65535, ""), P("data"))
ROW(BARCODE_TEXT, "BARCODE-TEXT", "BT", barcode_text, 0, 0, FULL, "Font of the text below barcodes, or OFF", "",
    T("font", "OFF"), N("size", 0, 255, ""), D("offset", 0, 255, "0"))
BLOCK(QRCODE, "QRCODE", "", matrix, PL_SYM_QR, 0, "ENDQR", FULL, "QR Code, of other makers", "",
      D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), N("M", 0, 40, "2"), N("U", 1, 32, "6"))
NOT_DRAWN(BARCODE128, "BARCODE128", "", "Code 128, of other makers", "its parameters are not known.", T("values", ""))
IGNORE(ENDQR, "ENDQR", "", "Ends the data of a QR Code", "", NONE)
IGNORE(ENDPDF, "ENDPDF", "", "Ends the data of a PDF417", "", NONE)
IGNORE(ENDMAXICODE, "ENDMAXICODE", "", "Ends the data of a MaxiCode", "", NONE)
IGNORE(ENDAZTEC, "ENDAZTEC", "", "Ends the data of an Aztec Code", "", NONE)
IGNORE(ENDDATAMATRIX, "ENDDATAMATRIX", "", "Ends the data of a Data Matrix", "", NONE)

// ---- lines and pictures
ROW(BOX, "BOX", "", box, 0, 0, FULL, "Frame between two corners", "", D("x", -65535, 65535, ""),
    D("y", -65535, 65535, ""), D("x of the end", -65535, 65535, ""), D("y of the end", -65535, 65535, ""),
    D("thickness", 0, 32000, ""))
ROW(LINE, "LINE", "L", line, 0, 0, FULL, "Line", "", D("x", -65535, 65535, ""), D("y", -65535, 65535, ""),
    D("x of the end", -65535, 65535, ""), D("y of the end", -65535, 65535, ""), D("thickness", 0, 32000, ""))
ROW(BROKEN_LINE, "LPLINE", "", line, 2, 0, PARTIAL, "Broken line, of other makers", "The line is drawn whole.",
    D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), D("x of the end", -65535, 65535, ""),
    D("y of the end", -65535, 65535, ""), D("thickness", 0, 32000, ""))
ROW(INVERSE_LINE, "INVERSE-LINE", "IL", line, 1, 0, FULL, "Line that inverts what is below it", "",
    D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), D("x of the end", -65535, 65535, ""),
    D("y of the end", -65535, 65535, ""), D("thickness", 0, 32000, ""))
ROW(PATTERN, "PATTERN", "", setting, 2, CPCL_SETS, PARTIAL, "Pattern that lines are filled with",
    "Diagonal lines and text stay black.", N("pattern", 100, 106, "100"))
ROW(EG, "EG", "EXPANDED-GRAPHICS|VEG|VEXPANDED-GRAPHICS", hex_graphic, 0, 0, FULL, "Graphic as hexadecimal digits", "",
    N("bytes a row", 1, 8192, ""), N("rows", 1, 65535, ""), D("x", -65535, 65535, ""), D("y", -65535, 65535, ""),
    P("data"))
ROW(CG, "CG", "COMPRESSED-GRAPHICS|VCG|VCOMPRESSED-GRAPHICS", raw_graphic, 0, CPCL_RAW, FULL, "Graphic as bytes", "",
    N("bytes a row", 1, 8192, ""), N("rows", 1, 65535, ""), D("x", -65535, 65535, ""), D("y", -65535, 65535, ""),
    P("data"))
ROW(PCX, "PCX", "", pcx, 0, CPCL_RAW, FULL, "PCX file, behind the line or stored as !<NAME", "",
    D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), P("file"))
NOT_DRAWN(GG, "GG", "", "Compressed graphic, of other makers", "its compression is not known.", T("values", ""))
NOT_DRAWN(BACKGROUND, "BACKGROUND", "BKTEXT", "Grey text in the background, of other makers", "it is not drawn.",
          T("values", ""))
NOT_DRAWN(PAGE_ROTATE, "PAGE-ROTATE", "PR", "Turns the page, of other makers", "the page is not turned.",
          T("values", ""))
NOT_DRAWN(USER_DEFINE, "USER-DEFINE-HZ", "BA", "Characters of one's own, of other makers", "they are not drawn.",
          T("values", ""))

// ---- outside of labels
ROW(SETLP, "SETLP", "", setlp, 0, CPCL_SETS, FULL, "Font and height of lines outside of labels", "", T("font", "7"),
    N("size", 0, 255, "0"), D("height", 1, 32000, "24"))
ROW(SETLF, "SETLF", "", cursor, 6, CPCL_SETS, FULL, "Height of lines outside of labels", "", D("height", 1, 32000, ""))
ROW(X, "X", "", cursor, 0, CPCL_SETS, FULL, "Moves the cursor to the right", "", D("x", 0, 65535, ""))
ROW(Y, "Y", "", cursor, 1, CPCL_SETS, FULL, "Moves the cursor down", "", D("y", 0, 65535, ""))
ROW(XY, "XY", "", cursor, 2, CPCL_SETS, FULL, "Moves the cursor", "", D("x", 0, 65535, ""), D("y", 0, 65535, ""))
ROW(RX, "RX", "", cursor, 3, CPCL_SETS, FULL, "Moves the cursor from where it is", "", D("x", -65535, 65535, ""))
ROW(RY, "RY", "", cursor, 4, CPCL_SETS, FULL, "Moves the cursor from where it is", "", D("y", -65535, 65535, ""))
ROW(LMARGIN, "LMARGIN", "", cursor, 5, CPCL_SETS, FULL, "Left margin outside of labels", "", D("margin", 0, 65535, "0"))
ROW(DEL, "DEL", "", delete, 0, 0, FULL, "Deletes a file", "", O("name", ""))
NOT_DRAWN(LP_ORIENT, "LP-ORIENT", "", "Turns lines outside of labels", "lines are not turned.", N("angle", 0, 270, "0"))

// ---- the printer itself
IGNORE(JOURNAL, "JOURNAL", "", "Continuous paper", "It concerns the printer itself.", NONE)
IGNORE(LABEL, "LABEL", "", "Paper with labels", "It concerns the printer itself.", NONE)
IGNORE(BAR_SENSE, "BAR-SENSE", "", "Finds labels by black marks", "It concerns the printer itself.", T("side", ""))
IGNORE(GAP_SENSE, "GAP-SENSE", "AUTOCAL", "Finds labels by gaps", "It concerns the printer itself.", T("values", ""))
IGNORE(SETFF, "SETFF", "SET-TOF", "Feeding to the next label", "It concerns the printer itself.", T("values", ""))
IGNORE(PREFEED, "PREFEED", "POSTFEED|FEED|REVERSE|BACKFEED", "Feeds paper", "It concerns the printer itself.",
       T("length", ""))
IGNORE(PRESENT_AT, "PRESENT-AT", "", "Presents the label", "It concerns the printer itself.", T("values", ""))
IGNORE(CUT, "CUT", "PARTIAL-CUT|CUT-AT|CUT-PAPER", "Cuts", "It concerns the printer itself.", T("values", ""))
IGNORE(PACE, "PACE", "AUTO-PACE|NO-PACE", "Waits between labels", "It concerns the printer itself.", NONE)
IGNORE(WAIT, "WAIT", "", "Waits", "It concerns the printer itself.", N("time", 0, 65535, ""))
IGNORE(REWIND, "REWIND-ON", "REWIND-OFF|REWIND", "Rewinds the backing", "It concerns the printer itself.", NONE)
IGNORE(TENSION, "PRE-TENSION", "POST-TENSION", "Tension of the backing", "It concerns the printer itself.",
       T("length", ""))
IGNORE(CONTRAST, "CONTRAST", "", "Darkness", "A picture is black and white.", N("darkness", 0, 3, "0"))
IGNORE(TONE, "TONE", "", "Darkness", "A picture is black and white.", N("darkness", -99, 200, "0"))
IGNORE(SPEED, "SPEED", "", "Speed", "It concerns the printer itself.", N("speed", 0, 5, ""))
IGNORE(BEEP, "BEEP", "", "Sounds", "It concerns the printer itself.", N("time", 0, 65535, ""))
IGNORE(ON_FEED, "ON-FEED", "", "What the feed button does", "It concerns the printer itself.", T("action", ""))
IGNORE(ON_OUT_OF_PAPER, "ON-OUT-OF-PAPER", "OOP|PAPER-JAM", "What happens without paper",
       "It concerns the printer itself.", T("values", ""))
IGNORE(ON_LOW_BATTERY, "ON-LOW-BATTERY", "OLB", "What happens when the battery is low",
       "It concerns the printer itself.", T("values", ""))
IGNORE(RE_RUN, "RE-RUN", "", "Prints again by the feed button", "It concerns the printer itself.", NONE)
IGNORE(TURN, "TURN", "", "Turns the printer off", "It concerns the printer itself.", T("OFF", ""))
IGNORE(TIMEOUT, "TIMEOUT", "LT|LP-TIMEOUT|SETLP-TIMEOUT", "When the printer turns off, or prints what came",
       "It concerns the printer itself.", T("time", ""))
IGNORE(BAUD, "BAUD", "", "Speed of the serial port", "It concerns the printer itself.", T("values", ""))
IGNORE(SET_CLOCK, "SET-TIME", "SET-DATE", "Sets the clock", "Labels do not show it.", T("value", ""))
IGNORE(DISPLAY, "DISPLAY", "", "Text on the printer's display", "It concerns the printer itself.", T("text", ""))
IGNORE(DUMP, "DUMP", "DUMP-IMAGE", "Prints what arrives as it is", "It concerns the printer itself.", NONE)
HOST(ANSWERS, "GET-TIME", "GET-DATE|CHECKSUM|DIR|TYPE|VERSION|ANNOUNCE|CHAR-COUNT|CC|MAX-LABEL-HEIGHT|CAPTURE",
     "Tells the host something", "the printer answers its host.", T("values", ""))
HOST(SETTING, "SETVAR", "setvar", "Sets a setting by its name", "the printer answers its host.", T("name", ""),
     T("value", ""))
HOST(GET_SETTING, "GETVAR", "getvar", "Asks for a setting by its name", "the printer answers its host.", T("name", ""))
HOST(DO_SETTING, "DO", "do", "Carries out an action by its name", "the printer answers its host.", T("name", ""),
     T("value", ""))
HOST(CARDS, "MCR", "MCR-QUERY|MCR-CAN|SCR", "Reads magnetic and chip cards", "the printer answers its host.",
     T("values", ""))
