// Symbologies as the checks tell them apart: by the name that elements carry.
#ifndef PL_CHECK_SYMBOLOGY_H
#define PL_CHECK_SYMBOLOGY_H

#include "base/slice.h"

// Id, the name in the metadata, and how its bars lie.
#define PL_CHECK_SYMBOLOGIES(X)                                                                                        \
    X(AZTEC, "aztec", MATRIX)                                                                                          \
    X(CODABAR, "codabar", LINEAR)                                                                                      \
    X(CODABLOCK_A, "codablockA", STACKED)                                                                              \
    X(CODABLOCK_E, "codablockE", STACKED)                                                                              \
    X(CODABLOCK_F, "codablockF", STACKED)                                                                              \
    X(CODE11, "code11", LINEAR)                                                                                        \
    X(CODE128, "code128", LINEAR)                                                                                      \
    X(CODE39, "code39", LINEAR)                                                                                        \
    X(CODE49, "code49", STACKED)                                                                                       \
    X(CODE93, "code93", LINEAR)                                                                                        \
    X(DATABAR, "databar", LINEAR)                                                                                      \
    X(DATABAR_EXPANDED, "databarExpanded", STACKED)                                                                    \
    X(DATABAR_LIMITED, "databarLimited", LINEAR)                                                                       \
    X(DATABAR_STACKED, "databarStacked", STACKED)                                                                      \
    X(DATABAR_STACKED_OMNI, "databarStackedOmni", STACKED)                                                             \
    X(DATABAR_TRUNCATED, "databarTruncated", LINEAR)                                                                   \
    X(DATAMATRIX, "datamatrix", MATRIX)                                                                                \
    X(DATAMATRIX_LEGACY, "datamatrixLegacy", MATRIX)                                                                   \
    X(EAN13, "ean13", LINEAR)                                                                                          \
    X(EAN8, "ean8", LINEAR)                                                                                            \
    X(GS1_128, "gs1-128", LINEAR)                                                                                      \
    X(GS1_DATAMATRIX, "gs1-datamatrix", MATRIX)                                                                        \
    X(GS1_QR, "gs1-qr", MATRIX)                                                                                        \
    X(INDUSTRIAL_2OF5, "industrial2of5", LINEAR)                                                                       \
    X(INTELLIGENT_MAIL, "intelligentMail", POSTAL)                                                                     \
    X(INTERLEAVED_2OF5, "interleaved2of5", LINEAR)                                                                     \
    X(LOGMARS, "logmars", LINEAR)                                                                                      \
    X(MAXICODE, "maxicode", MATRIX)                                                                                    \
    X(MICROPDF417, "micropdf417", STACKED)                                                                             \
    X(MSI, "msi", LINEAR)                                                                                              \
    X(PDF417, "pdf417", STACKED)                                                                                       \
    X(PLANET, "planet", POSTAL)                                                                                        \
    X(PLESSEY, "plessey", LINEAR)                                                                                      \
    X(POSTNET, "postnet", POSTAL)                                                                                      \
    X(QR, "qr", MATRIX)                                                                                                \
    X(STANDARD_2OF5, "standard2of5", LINEAR)                                                                           \
    X(TLC39, "tlc39", STACKED)                                                                                         \
    X(UPCA, "upca", LINEAR)                                                                                            \
    X(UPCE, "upce", LINEAR)                                                                                            \
    X(UPC_EAN_EXTENSION, "upcEanExtension", LINEAR)

enum pl_check_symbology {
#define PL_CHECK_SYMBOLOGY_ENUM(id, name, shape) PL_CHECK_##id,
    PL_CHECK_SYMBOLOGIES(PL_CHECK_SYMBOLOGY_ENUM)
#undef PL_CHECK_SYMBOLOGY_ENUM
        PL_CHECK_SYMBOLOGY_COUNT
};

enum pl_check_shape { PL_SHAPE_LINEAR, PL_SHAPE_STACKED, PL_SHAPE_MATRIX, PL_SHAPE_POSTAL };

// PL_CHECK_SYMBOLOGY_COUNT: no such name.
enum pl_check_symbology pl_check_symbology_of(const char *name);
const char *pl_check_symbology_name(enum pl_check_symbology symbology);
enum pl_check_shape pl_check_shape_of(enum pl_check_symbology symbology);

#endif
