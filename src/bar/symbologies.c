// The table of symbologies: who lays one out, and what its data may be. Only odd ones have a file of their own.
#include "bar/encode/bar_zint.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { SHIFTS = 1, UPPER = 2, OWN_FINDINGS = 4 };

// Builder, alphabet, length, libzint's number; quiet zone at the left, at the right, above and below; what else holds.
// Lengths: what a label can hold at all, or less where the symbology (or libzint's table) ends earlier.
// clang-format off
#define ROW(builder, characters, length, number, left, right, vertical, flags)                                         \
    {.build = builder, .alphabet = characters, .max_length = length, .zint = number,                                   \
     .quiet_left = left, .quiet_right = right, .quiet_vertical = vertical,                                             \
     .shifts = ((flags) & SHIFTS) != 0, .upper = ((flags) & UPPER) != 0, .own_findings = ((flags) & OWN_FINDINGS) != 0}
// clang-format on
static const struct pl_bar_symbology symbologies[PL_SYM_COUNT] = {
    [PL_SYM_AZTEC] = ROW(pl_bar_build_aztec, NULL, 0, 0, 0, 0, 0, 0),
    [PL_SYM_CODE11] = ROW(pl_bar_build_code11, DIGITS "-", 119, PL_ZINT_CODE11, 10, 10, 0, 0),
    [PL_SYM_INTERLEAVED_2OF5] = ROW(pl_bar_build_2of5, DIGITS, 88, PL_ZINT_INTERLEAVED, 10, 10, 0, 0),
    [PL_SYM_CODE39] = ROW(pl_bar_build_code39, DIGITS LETTERS "-. $/+%", 84, PL_ZINT_CODE39, 10, 10, 0, UPPER),
    [PL_SYM_CODE49] = ROW(pl_bar_build_code49, NULL, 0, 0, 10, 1, 0, 0),
    [PL_SYM_PLANET] = ROW(pl_bar_build_postal, DIGITS, 37, 0, 0, 0, 0, 0),
    [PL_SYM_PDF417] = ROW(pl_bar_build_pdf417, NULL, 0, 0, 2, 2, 2, 0),
    [PL_SYM_EAN8] = ROW(pl_bar_build_upcean, NULL, 0, PL_ZINT_EAN, 7, 7, 0, 0),
    [PL_SYM_UPCE] = ROW(pl_bar_build_upcean, NULL, 0, 0, 9, 7, 0, 0),
    [PL_SYM_CODE93] =
        ROW(pl_bar_build_code93, DIGITS LETTERS "-. $/+%", 106, PL_ZINT_CODE93, 10, 10, 0, SHIFTS | UPPER),
    [PL_SYM_CODABLOCK] = ROW(pl_bar_build_codablock, NULL, 0, 0, 10, 10, 0, 0),
    [PL_SYM_CODE128] = ROW(pl_bar_build_code128, NULL, 0, 0, 10, 10, 0, 0),
    [PL_SYM_MAXICODE] = ROW(pl_bar_build_maxicode, NULL, 0, 0, 1, 1, 1, 0),
    [PL_SYM_EAN13] = ROW(pl_bar_build_upcean, NULL, 0, PL_ZINT_EAN, 11, 7, 0, 0),
    [PL_SYM_MICROPDF417] = ROW(pl_bar_build_micropdf417, NULL, 0, 0, 1, 1, 1, 0),
    [PL_SYM_INDUSTRIAL_2OF5] = ROW(pl_bar_build_2of5, DIGITS, 45, PL_ZINT_INDUSTRIAL, 10, 10, 0, 0),
    [PL_SYM_STANDARD_2OF5] = ROW(pl_bar_build_2of5, DIGITS, 45, PL_ZINT_IATA, 10, 10, 0, 0),
    [PL_SYM_CODABAR] = ROW(pl_bar_build_codabar, DIGITS "-$:/.+ABCD", 58, PL_ZINT_CODABAR, 10, 10, 0, UPPER),
    [PL_SYM_LOGMARS] = ROW(pl_bar_build_code39, DIGITS LETTERS "-. $/+%", 84, PL_ZINT_CODE39, 10, 10, 0, UPPER),
    [PL_SYM_MSI] = ROW(pl_bar_build_msi, DIGITS, 61, PL_ZINT_MSI, 12, 12, 0, 0),
    [PL_SYM_PLESSEY] = ROW(pl_bar_build_plessey, DIGITS "ABCDEF", 65, PL_ZINT_PLESSEY, 12, 12, 0, UPPER),
    [PL_SYM_QR] = ROW(pl_bar_build_qr, NULL, 0, 0, 4, 4, 4, 0),
    [PL_SYM_DATABAR] = ROW(pl_bar_build_databar, NULL, 0, 0, 0, 0, 0, 0),
    // So close EAN may have it; UPC has nine modules at its own right.
    [PL_SYM_UPC_EAN_EXTENSION] = ROW(pl_bar_build_extension, NULL, 0, 0, 7, 5, 0, 0),
    [PL_SYM_TLC39] = ROW(pl_bar_build_tlc39, NULL, 0, 0, 10, 10, 0, 0),
    [PL_SYM_UPCA] = ROW(pl_bar_build_upcean, NULL, 0, PL_ZINT_UPCA, 9, 9, 0, 0),
    [PL_SYM_DATAMATRIX] = ROW(pl_bar_build_datamatrix, NULL, 0, 0, 1, 1, 1, OWN_FINDINGS),
    [PL_SYM_POSTAL] = ROW(pl_bar_build_postal, DIGITS, 37, 0, 0, 0, 0, 0),
};

const struct pl_bar_symbology *pl_bar_symbology(enum pl_symbology symbology)
{
    return (unsigned)symbology < PL_SYM_COUNT ? &symbologies[symbology] : NULL;
}
