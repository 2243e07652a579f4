// The table of diagnostics: PL_DIAG(ID, "code", SEVERITY, "what it means"). Codes are stable: never rename one.
// docs/diagnostics.md is generated from these rows.
PL_DIAG(UNKNOWN_COMMAND, "unknown_command", WARNING, "The label language has no such command; it was skipped.")
PL_DIAG(PARAMETER_RANGE, "parameter_range", WARNING, "A parameter is out of range; the nearest allowed value was used.")
PL_DIAG(PARAMETER_INVALID, "parameter_invalid", WARNING, "A parameter cannot be read; its default was used.")
PL_DIAG(PARAMETER_MISSING, "parameter_missing", WARNING, "A required parameter is missing; the command was ignored.")
PL_DIAG(DATA_DROPPED, "data_dropped", WARNING, "Part of the data cannot be used and was left out.")
PL_DIAG(OBJECT_NOT_FOUND, "object_not_found", WARNING, "A stored object was recalled that is not there.")
PL_DIAG(OBJECT_INVALID, "object_invalid", WARNING, "A stored object cannot be used as the command wants.")
PL_DIAG(STORE_FULL, "store_full", ERROR, "The object does not fit into the memory for stored objects.")
PL_DIAG(FORMAT_UNTERMINATED, "format_unterminated", ERROR,
        "The label format has no ^XZ; it was ended at the end of the input.")
PL_DIAG(FIELD_UNTERMINATED, "field_unterminated", INFO, "The field has no ^FS before the next one begins.")
PL_DIAG(OUTSIDE_FORMAT, "outside_format", INFO, "Text or a field command is outside ^XA and ^XZ and was ignored.")
PL_DIAG(NESTED_FORMAT, "nested_format", WARNING, "^XA is inside an open format.")
PL_DIAG(CRC_MISMATCH, "crc_mismatch", WARNING,
        "The checksum of the graphic data is wrong; the data was used all the same.")
PL_DIAG(GRAPHIC_DATA, "graphic_data", WARNING, "The graphic data is malformed or of another length than stated.")
PL_DIAG(NOTHING_PRINTABLE, "nothing_printable", ERROR, "The format draws nothing.")
PL_DIAG(LIMIT_REACHED, "limit_reached", ERROR, "A limit was reached; the rest was left out.")
PL_DIAG(RECALL_DEPTH, "recall_depth", ERROR, "Stored formats recall each other too deeply.")
PL_DIAG(COPIES_CUT, "copies_cut", WARNING, "More copies were asked for than the label limit allows.")
PL_DIAG(FONT_NOT_FOUND, "font_not_found", WARNING, "The font is not there; another one was used.")
PL_DIAG(GLYPH_MISSING, "glyph_missing", WARNING, "No font has this character; a box was drawn.")
PL_DIAG(TEXT_CLIPPED, "text_clipped", WARNING, "Text does not fit its block.")
PL_DIAG(CHARSET_INVALID, "charset_invalid", WARNING, "Bytes are not valid in the chosen character set.")
PL_DIAG(CHARSET_SUSPECT, "charset_suspect", WARNING,
        "The data looks like UTF-8, but another character set is chosen; ^CI28 chooses UTF-8.")
PL_DIAG(FIELD_EMPTY, "field_empty", ERROR, "A barcode field has no data; nothing was drawn.")
PL_DIAG(FIELD_UNBOUND, "field_unbound", INFO, "No field gives data to this field number; nothing was drawn.")
PL_DIAG(BARCODE_DATA, "barcode_data", ERROR, "The data was changed so that the barcode can hold it.")
PL_DIAG(BARCODE_UNENCODABLE, "barcode_unencodable", ERROR, "The barcode cannot hold the data; nothing was drawn.")
PL_DIAG(BARCODE_OPTION, "barcode_option", WARNING, "An option of the barcode is not supported; another was used.")
PL_DIAG(OUTSIDE_LABEL, "outside_label", WARNING, "The field is partly or wholly outside the label.")
PL_DIAG(CONTENT_IN_CORNER, "content_in_corner", INFO,
        "^PW says that the label is narrower, and the content takes less than a quarter of its width and height.")
PL_DIAG(HOST_COMMAND, "host_command", INFO,
        "The command answers a host or prints a report of the printer; it does nothing here.")
PL_DIAG(UNSUPPORTED, "unsupported", WARNING, "The command is known but cannot be carried out here.")
PL_DIAG(REWRITE, "rewrite", WARNING, "Label code was rewritten, and something in it could not be kept exactly.")
PL_DIAG(REWRITE_MOVED, "rewrite_moved", WARNING, "A field of rewritten label code is not where it should be.")
PL_DIAG(REWRITE_RESIZED, "rewrite_resized", WARNING, "A field of rewritten label code is not as large as it should be.")
PL_DIAG(REWRITE_OUTSIDE, "rewrite_outside", WARNING,
        "A field of rewritten label code was inside the label, and is no longer.")
PL_DIAG(REWRITE_UNREADABLE, "rewrite_unreadable", ERROR,
        "A barcode of rewritten label code could be read back, and no longer can, or reads as other data.")
PL_DIAG(UNKNOWN_FIELD, "unknown_field", WARNING,
        "The request has a field or control that does not exist; it was ignored.")
PL_DIAG(OVERRIDDEN_FIELD, "overridden_field", WARNING,
        "A control has one value in the query and another in the body; the query's was used.")
PL_DIAG(BODY_TYPE, "body_type", WARNING, "The body was read as what it is, which its content type does not say.")
PL_DIAG(FONT_FILE, "font_file", WARNING,
        "A font that was converted lacks characters that were asked for, or its embedding right is restricted.")
PL_DIAG(MODULE_BELOW_MINIMUM, "module_below_minimum", WARNING, "The barcode's module is narrower than it must be.")
PL_DIAG(MODULE_ABOVE_MAXIMUM, "module_above_maximum", WARNING,
        "The barcode's module is wider than the rule set allows.")
PL_DIAG(QUIET_ZONE_BLOCKED, "quiet_zone_blocked", WARNING, "There is other ink in the quiet zone of the barcode.")
PL_DIAG(BARS_OVERPRINTED, "bars_overprinted", WARNING, "Another field prints over the bars of the barcode.")
PL_DIAG(BARS_CUT, "bars_cut", ERROR, "The edge of the label cuts the barcode so that it cannot be read.")
PL_DIAG(BARS_TOO_LOW, "bars_too_low", WARNING, "The bars are lower than the rule set asks for.")
PL_DIAG(SYMBOL_UNREADABLE, "symbol_unreadable", ERROR, "The barcode cannot be read back from the label.")
PL_DIAG(SYMBOL_DATA_DIFFERS, "symbol_data_differs", ERROR, "The barcode reads as other data than the field has.")
PL_DIAG(SYMBOLOGY_NOT_ALLOWED, "symbology_not_allowed", WARNING, "The rule set does not allow this symbology.")
PL_DIAG(CHECK_DIGIT_WRONG, "check_digit_wrong", ERROR,
        "A number in the barcode has a wrong check digit or a wrong structure.")
PL_DIAG(GS1_SYNTAX, "gs1_syntax", ERROR, "GS1 data is not put together as GS1 asks: separators, brackets, links.")
PL_DIAG(GS1_IDENTIFIER, "gs1_identifier", ERROR,
        "GS1 data has an application identifier that does not exist, or one twice with different data.")
PL_DIAG(GS1_VALUE, "gs1_value", ERROR, "The data of an application identifier has a wrong length, character or value.")
PL_DIAG(GS1_CHECK_DIGIT, "gs1_check_digit", ERROR, "The data of an application identifier has a wrong check digit.")
PL_DIAG(
    GS1_PARTNER, "gs1_partner", WARNING,
    "An application identifier lacks another that it needs on the label, or is on the label with one that it excludes.")
PL_DIAG(QUIET_ZONE_AT_EDGE, "quiet_zone_at_edge", WARNING,
        "The quiet zone of the barcode reaches beyond the edge of the label.")
PL_DIAG(LENGTH_EXCEEDED, "length_exceeded", WARNING, "A barcode is beyond the label length that ^LL gives.")
PL_DIAG(SIZE_GUESSED, "size_guessed", INFO, "The label does not give its size: what its edges cut off cannot be known.")
PL_DIAG(INK_MARGIN, "ink_margin", INFO,
        "The barcode cannot be read if the printer prints one dot more or one dot less of ink.")
PL_DIAG(SYMBOLOGY_OBSOLETE, "symbology_obsolete", WARNING, "Most scanners no longer read this kind of symbol.")
PL_DIAG(SYMBOL_NOT_READ, "symbol_not_read", INFO, "The barcode was not read back; the message says why.")
PL_DIAG(SYMBOL_MISSING, "symbol_missing", WARNING, "The label lacks a symbol that the rule set asks for.")
PL_DIAG(GRAPHIC_NOT_CHECKED, "graphic_not_checked", INFO,
        "A large graphic may contain a barcode; none was found in it, or it was not searched.")
PL_DIAG(GRAPHIC_BARCODE, "graphic_barcode", INFO, "A graphic contains a barcode, which was read from its dots.")
PL_DIAG(KEYS_DIFFER, "keys_differ", WARNING, "Two barcodes of the label have different numbers where they must agree.")
PL_DIAG(NOT_COMPARED, "not_compared", INFO,
        "Numbers of the label that must agree were not all compared; the message says why.")
PL_DIAG(TEXT_DIFFERS, "text_differs", WARNING, "The text beside the barcode shows another number than the barcode has.")
PL_DIAG(TEXT_OVERPRINTED, "text_overprinted", WARNING, "The text is printed over so that it cannot be read.")
PL_DIAG(LABEL_LAYOUT, "label_layout", WARNING, "The label is not laid out as the rule set asks.")
PL_DIAG(SYMBOLS_APART, "symbols_apart", WARNING,
        "The 2D symbol of an item is too far from its EAN or UPC for a scanner at the checkout.")
PL_DIAG(PRINTER_WIDTH, "printer_width", WARNING, "The head of the chosen printer model is too narrow for the field.")
PL_DIAG(PRINTER_LENGTH, "printer_length", WARNING, "The label is longer than the chosen printer model prints.")
PL_DIAG(PRINTER_DENSITY, "printer_density", WARNING, "The chosen printer model has another density than the label.")
PL_DIAG(PRINTER_COMMAND, "printer_command", WARNING, "The chosen printer model cannot carry out the command.")
