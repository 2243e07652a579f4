// A barcode field: symbology, options as the command gave them, and data.
#ifndef PL_SCENE_BARCODE_H
#define PL_SCENE_BARCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "scene/text.h"

// X(ID, "json name", "^command")
#define PL_SYMBOLOGIES(X)                                                                                              \
    X(AZTEC, "aztec", "^BO")                                                                                           \
    X(CODE11, "code11", "^B1")                                                                                         \
    X(INTERLEAVED_2OF5, "interleaved2of5", "^B2")                                                                      \
    X(CODE39, "code39", "^B3")                                                                                         \
    X(CODE49, "code49", "^B4")                                                                                         \
    X(PLANET, "planet", "^B5")                                                                                         \
    X(PDF417, "pdf417", "^B7")                                                                                         \
    X(EAN8, "ean8", "^B8")                                                                                             \
    X(UPCE, "upce", "^B9")                                                                                             \
    X(CODE93, "code93", "^BA")                                                                                         \
    X(CODABLOCK, "codablock", "^BB")                                                                                   \
    X(CODE128, "code128", "^BC")                                                                                       \
    X(MAXICODE, "maxicode", "^BD")                                                                                     \
    X(EAN13, "ean13", "^BE")                                                                                           \
    X(MICROPDF417, "micropdf417", "^BF")                                                                               \
    X(INDUSTRIAL_2OF5, "industrial2of5", "^BI")                                                                        \
    X(STANDARD_2OF5, "standard2of5", "^BJ")                                                                            \
    X(CODABAR, "codabar", "^BK")                                                                                       \
    X(LOGMARS, "logmars", "^BL")                                                                                       \
    X(MSI, "msi", "^BM")                                                                                               \
    X(PLESSEY, "plessey", "^BP")                                                                                       \
    X(QR, "qr", "^BQ")                                                                                                 \
    X(DATABAR, "databar", "^BR")                                                                                       \
    X(UPC_EAN_EXTENSION, "upcEanExtension", "^BS")                                                                     \
    X(TLC39, "tlc39", "^BT")                                                                                           \
    X(UPCA, "upca", "^BU")                                                                                             \
    X(DATAMATRIX, "datamatrix", "^BX")                                                                                 \
    X(POSTAL, "postal", "^BZ")

enum pl_symbology {
#define PL_SYMBOLOGY_ENUM(id, name, command) PL_SYM_##id,
    PL_SYMBOLOGIES(PL_SYMBOLOGY_ENUM)
#undef PL_SYMBOLOGY_ENUM
        PL_SYM_COUNT
};

// Options under their own names; each symbology reads those that its command has (zpl-reference section c). Numbers
// that were not given are -1, letters that were not given are 0: defaults that depend on the symbology or density are
// bar/'s to know.
struct pl_barcode {
    enum pl_symbology symbology;
    struct pl_slice data; // after ^FH; bytes as sent

    // ^BY
    uint32_t module;       // narrow bar in dots
    uint32_t ratio_tenths; // 20 to 30
    uint32_t by_height;

    int32_t height; // bar height, row height (stacked) or module size (^BX) of the command
    bool text;      // interpretation line
    bool text_above;
    bool check;                // e of ^B1 ^B2 ^B3 ^B9 ^BA ^BC ^BP ^BU
    bool check_in_text;        // e2 of ^BM
    char mode;                 // ^BC N U A D; ^B4 0-5 A; ^BB A E F; ^BM A-D; ^BD 2-6; ^BQ model 1 2; ^BZ 0-3 as letters
    char start, stop;          // ^BK
    int32_t magnification;     // ^BO ^BQ ^BR
    int32_t error_correction;  // ^BO 0-300, ^B7 0-8
    char error_level;          // ^BQ H Q M L
    int32_t mask;              // ^BQ
    int32_t columns, rows;     // ^B7 ^BB ^BX
    bool truncated;            // ^B7
    bool security;             // ^BB
    int32_t size_mode;         // ^BF 0-33
    int32_t quality;           // ^BX 0 50 80 100 140 200
    int32_t format;            // ^BX 1-6
    char escape;               // ^BX
    int32_t aspect;            // ^BX 1 square, 2 rectangular
    bool eci, reader_init;     // ^BO
    int32_t append_count;      // ^BO structured append; ^BD total of symbols
    int32_t append_index;      // ^BD number of this symbol
    struct pl_slice append_id; // ^BO
    int32_t kind;              // ^BR 1-12
    int32_t separator;         // ^BR 1-2
    int32_t segments;          // ^BR 2-22
    int32_t narrow;            // ^BT w1
    int32_t narrow_ratio_tenths; // ^BT r1
    int32_t micro_module;        // ^BT w2
    int32_t micro_height;        // ^BT h2

    // An ^A before the barcode command sets the font of the interpretation line.
    bool has_text_font;
    struct pl_font_ref text_font;

    bool validate; // ^CVY
    // ^FM: origins of structured-append symbols (^B7, ^BF); x < 0 excludes one.
    const int32_t (*positions)[2];
    uint32_t position_count;
};

const char *pl_symbology_name(enum pl_symbology symbology);

#endif
