// Types of BARCODE with parameters of their own: behind x and y stand options, a word and a number each, and lines of
// data follow up to the one that ends them.
// BLOCK(ID, "command", "types", handler, kind, flags, "end", SUPPORT, "summary", "note", parameters...)
BLOCK(QR, "BARCODE", "QR", matrix, PL_SYM_QR, CPCL_COUNTS, "ENDQR", FULL,
      "QR Code; its data follows in lines, up to ENDQR", "", T("type", ""), D("x", -65535, 65535, ""),
      D("y", -65535, 65535, ""), N("M", 0, 40, "2"), N("U", 1, 32, "6"))
BLOCK(PDF417, "BARCODE", "PDF-417|PDF417", matrix, PL_SYM_PDF417, CPCL_COUNTS, "ENDPDF", FULL,
      "PDF417; its data follows in lines, up to ENDPDF", "", T("type", ""), D("x", -65535, 65535, ""),
      D("y", -65535, 65535, ""), N("XD", 1, 32, "2"), N("YD", 1, 255, "6"), N("C", 1, 30, "3"), N("S", 0, 8, "1"))
BLOCK(MAXICODE, "BARCODE", "MAXICODE", maxicode, 0, CPCL_COUNTS, "ENDMAXICODE", FULL,
      "MaxiCode; lines of a tag and its value follow, up to ENDMAXICODE", "", T("type", ""), D("x", -65535, 65535, ""),
      D("y", -65535, 65535, ""))
BLOCK(AZTEC, "BARCODE", "AZTEC", matrix, PL_SYM_AZTEC, CPCL_COUNTS, "ENDAZTEC", FULL,
      "Aztec code; its data follows in lines, up to ENDAZTEC", "", T("type", ""), D("x", -65535, 65535, ""),
      D("y", -65535, 65535, ""), N("XD", 1, 100, "6"), N("EC", 0, 300, "0"))
BLOCK(DATAMATRIX, "BARCODE", "DATAMATRIX|DATA-MATRIX", matrix, PL_SYM_DATAMATRIX, CPCL_COUNTS, "ENDDATAMATRIX", FULL,
      "Data Matrix; its data follows in lines, up to ENDDATAMATRIX", "", T("type", ""), D("x", -65535, 65535, ""),
      D("y", -65535, 65535, ""), N("H", 1, 100, "6"), N("S", 0, 200, "200"), N("C", 0, 144, "0"), N("R", 0, 144, "0"))
ROW(RSS, "BARCODE", "RSS", databar, 0, CPCL_COUNTS, FULL, "GS1 DataBar or composite symbol", "", T("type", ""),
    D("x", -65535, 65535, ""), D("y", -65535, 65535, ""), N("module", 0, 0, ""), N("height", 0, 0, ""),
    N("separator", 0, 0, ""), N("segments", 0, 0, ""), N("form", 0, 0, ""), P("data"))
