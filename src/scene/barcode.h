// A barcode of the scene: symbology, what it holds, and options under the names that the symbologies give them.
// Whatever a label language writes into its data (escapes, headers, separators) is resolved before.
#ifndef PL_SCENE_BARCODE_H
#define PL_SCENE_BARCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/content.h"
#include "base/diag.h"
#include "base/slice.h"
#include "scene/text.h"

// X(ID, "json name")
#define PL_SYMBOLOGIES(X)                                                                                              \
    X(AZTEC, "aztec")                                                                                                  \
    X(CODE11, "code11")                                                                                                \
    X(INTERLEAVED_2OF5, "interleaved2of5")                                                                             \
    X(CODE39, "code39")                                                                                                \
    X(CODE49, "code49")                                                                                                \
    X(PLANET, "planet")                                                                                                \
    X(PDF417, "pdf417")                                                                                                \
    X(EAN8, "ean8")                                                                                                    \
    X(UPCE, "upce")                                                                                                    \
    X(CODE93, "code93")                                                                                                \
    X(CODABLOCK, "codablock")                                                                                          \
    X(CODE128, "code128")                                                                                              \
    X(MAXICODE, "maxicode")                                                                                            \
    X(EAN13, "ean13")                                                                                                  \
    X(MICROPDF417, "micropdf417")                                                                                      \
    X(INDUSTRIAL_2OF5, "industrial2of5")                                                                               \
    X(STANDARD_2OF5, "standard2of5")                                                                                   \
    X(CODABAR, "codabar")                                                                                              \
    X(LOGMARS, "logmars")                                                                                              \
    X(MSI, "msi")                                                                                                      \
    X(PLESSEY, "plessey")                                                                                              \
    X(QR, "qr")                                                                                                        \
    X(DATABAR, "databar")                                                                                              \
    X(UPC_EAN_EXTENSION, "upcEanExtension")                                                                            \
    X(TLC39, "tlc39")                                                                                                  \
    X(UPCA, "upca")                                                                                                    \
    X(DATAMATRIX, "datamatrix")                                                                                        \
    X(POSTAL, "postal")

enum pl_symbology {
#define PL_SYMBOLOGY_ENUM(id, name) PL_SYM_##id,
    PL_SYMBOLOGIES(PL_SYMBOLOGY_ENUM)
#undef PL_SYMBOLOGY_ENUM
        PL_SYM_COUNT
};

enum pl_caption_place { PL_CAPTION_CENTRED, PL_CAPTION_LEFT, PL_CAPTION_RIGHT };

// Why a symbol cannot be printed, with the letter that the panel in its place shows.
enum pl_bar_fault {
    PL_BAR_BAD_CHARACTER = 'C',
    PL_BAR_BAD_CHECK = 'E',
    PL_BAR_TOO_LONG = 'L',
    PL_BAR_TOO_SHORT = 'S',
    PL_BAR_BAD_PARAMETER = 'P'
};

// What was found while the data was resolved; reported when the symbol is drawn. With a refusal there is no symbol
// where bad data is not tolerated (`validate`), and none at all if there is no remark.
struct pl_barcode_finding {
    enum pl_diag_id id; // of the remark
    enum pl_bar_fault fault;
    const char *remark, *refusal; // NULL: none
};

enum pl_code128_rule {
    PL_CODE128_AUTOMATIC, // subsets are chosen; FNC1 may be among the content
    PL_CODE128_GS1,       // the same, with FNC1 before the content
    PL_CODE128_CASE,      // a case code: 19 digits and their check digit
    PL_CODE128_VALUES     // the content is the symbol characters by value, start character first
};
enum pl_msi_checks { PL_MSI_MOD10, PL_MSI_NONE, PL_MSI_MOD10_TWICE, PL_MSI_MOD11_MOD10 };
enum pl_postal_kind { PL_POSTAL_POSTNET, PL_POSTAL_PLANET, PL_POSTAL_INTELLIGENT_MAIL };
// GS1 DataBar, and the other symbols that can carry a composite part.
enum pl_databar_form {
    PL_DATABAR_OMNI = 1,
    PL_DATABAR_TRUNCATED,
    PL_DATABAR_STACKED,
    PL_DATABAR_STACKED_OMNI,
    PL_DATABAR_LIMITED,
    PL_DATABAR_EXPANDED,
    PL_DATABAR_UPCA,
    PL_DATABAR_UPCE,
    PL_DATABAR_EAN13,
    PL_DATABAR_EAN8,
    PL_DATABAR_GS1_128_AB, // the composite part is CC-A or CC-B
    PL_DATABAR_GS1_128_C   // CC-C
};

// MaxiCode, modes 2 and 3.
struct pl_maxicode_address {
    char postcode[10], country[4], service[4]; // country and class of service are three digits each
};

// PDF417: the largest symbol that fits, its module as wide as possible. 0: no limit.
struct pl_pdf417_fit {
    int32_t width, height; // in dots
    int32_t columns, rows;
    int32_t least_module; // the barcode's module is the widest; 0: there is nothing to fit
};

// `symbology` is the tag: a member of the union belongs to the symbology of its name, and to no other. Numbers that
// were not given are -1, letters 0: defaults that depend on symbology or density are bar/'s to know.
struct pl_barcode {
    enum pl_symbology symbology;
    struct pl_slice data;                      // as the label has it, for those who describe the label
    struct pl_content content;                 // what the symbol holds (QR Code: see its segments)
    struct pl_slice caption;                   // the text line where that is not the content; ptr NULL: it is
    const struct pl_barcode_finding *findings; // in the order in which they are reported
    uint32_t finding_count;

    uint32_t module;         // narrowest element in dots
    uint32_t ratio_tenths;   // wide to narrow, 20 to 30
    uint32_t wide;           // dots of wide elements, instead of the ratio; 0: by that
    uint32_t default_height; // of the symbol, where `height` is not given
    int32_t height;          // of the bars, of a row (stacked symbols) or of a module (Data Matrix), in dots
    bool text;               // print the interpretation line
    bool text_above;
    enum pl_caption_place text_place; // with a font: across
    uint8_t text_gap;                 // with a font: dots between bars and line; 0: the usual
    bool plain_caption;               // without signs for start and stop characters
    bool has_text_font;               // else the symbology's own
    struct pl_font_ref text_font;
    bool check;    // the optional check digit; Code 11: one instead of two; UPC: print it
    bool validate; // bad data is replaced by a panel that says so

    // Origins of the symbols of a row (PDF417, MicroPDF417); x < 0 leaves one out.
    const int32_t (*positions)[2];
    uint32_t position_count;

    union {
        struct {
            int32_t magnification; // of a module, in dots
            int32_t append_count;  // symbols of the row that this one belongs to
            struct pl_slice append_id;
            uint32_t percent; // of error correction; 0: the standard's
            uint32_t layers;  // 0: as the data needs
            bool compact;     // with layers: of the compact kind
            bool rune;        // a number from 0 to 255 in the smallest symbol
            bool reader_init;
        } aztec;
        struct {
            char variant; // A, E or F
            bool checks;  // variant A
            int32_t columns, rows;
        } codablock;
        struct {
            char start, stop; // A to D
        } codabar;
        struct {
            int32_t start_mode; // 0 to 5; the shifts of the content are then marks
        } code49;
        struct {
            enum pl_code128_rule rule;
        } code128;
        struct {
            int32_t form; // enum pl_databar_form
            int32_t magnification;
            int32_t separator;         // height of the rows that part others, 1 or 2 modules
            int32_t segments_per_row;  // Expanded: 2 to 22
            struct pl_slice composite; // content of the two-dimensional part
        } databar;
        struct {
            int32_t quality; // ECC 0, 50, 80, 100, 140 or 200
            int32_t columns, rows;
            int32_t format; // below 200: 1 to 6
            bool rectangular;
        } datamatrix;
        struct {
            int32_t mode;                              // 2 to 6
            int32_t append_index, append_count;        // place in a row of symbols, from 1, and their number
            const struct pl_maxicode_address *address; // modes 2 and 3
        } maxicode;
        struct {
            int32_t size_number; // place in the standard's list of sizes, from 0 to 33
            int32_t columns;     // instead: the smallest symbol with so many columns of data, 0: any
        } micropdf417;
        struct {
            enum pl_msi_checks checks;
            bool check_in_text;
        } msi;
        struct {
            int32_t security; // level 0 to 8
            int32_t columns, rows;
            bool truncated;
            struct pl_pdf417_fit fit;
        } pdf417;
        struct {
            enum pl_postal_kind kind;
        } postal;
        struct {
            const struct pl_qr_segment *segments; // the content
            uint32_t segment_count;
            int32_t magnification;
            char error_level; // L, M, Q or H
            bool model1;
            int32_t mask;       // 0 to 7
            bool mode_declared; // the segment's mode was declared, and the size that it asks for places the symbol
            uint8_t append_parity;
            int32_t append_index, append_count; // place in a row of symbols, from 1, and their number
        } qr;
        struct {
            int32_t narrow, ratio_tenths;       // of its Code 39
            int32_t micro_module, micro_height; // of its MicroPDF417
            struct pl_slice second;             // content of the MicroPDF417
        } tlc39;
    };
};

// A symbol of this kind with nothing given.
void pl_barcode_init(struct pl_barcode *barcode, enum pl_symbology symbology);
// Dots of its wide elements where the narrow ones have `module`.
uint32_t pl_barcode_wide(const struct pl_barcode *barcode, uint32_t module);

const char *pl_symbology_name(enum pl_symbology symbology);

#endif
