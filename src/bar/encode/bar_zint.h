// libzint as a source of modules: which symbol, which data, and back comes one bit per module.
#ifndef PL_BAR_ENCODE_BAR_ZINT_H
#define PL_BAR_ENCODE_BAR_ZINT_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

// libzint's numbers of the symbologies that are taken from it.
enum pl_zint_id {
    PL_ZINT_CODE11 = 1,
    PL_ZINT_INTERLEAVED = 3,
    PL_ZINT_IATA = 4,
    PL_ZINT_INDUSTRIAL = 7,
    PL_ZINT_CODE39 = 8,
    PL_ZINT_EAN = 13,
    PL_ZINT_GS1_128 = 16,
    PL_ZINT_CODABAR = 18,
    PL_ZINT_CODE93 = 25,
    PL_ZINT_DATABAR = 29,
    PL_ZINT_DATABAR_LIMITED = 30,
    PL_ZINT_DATABAR_EXPANDED = 31,
    PL_ZINT_UPCA = 34,
    PL_ZINT_UPCE = 37,
    PL_ZINT_POSTNET = 40,
    PL_ZINT_MSI = 47,
    PL_ZINT_MAXICODE = 57,
    PL_ZINT_DATABAR_STACKED = 79,
    PL_ZINT_DATABAR_STACKED_OMNI = 80,
    PL_ZINT_DATABAR_EXPANDED_STACKED = 81,
    PL_ZINT_PLANET = 82,
    PL_ZINT_IMAIL = 85,
    PL_ZINT_PLESSEY = 86,
    PL_ZINT_EAN_CC = 130,
    PL_ZINT_GS1_128_CC = 131,
    PL_ZINT_DATABAR_CC = 132,
    PL_ZINT_DATABAR_LIMITED_CC = 133,
    PL_ZINT_DATABAR_EXPANDED_CC = 134,
    PL_ZINT_UPCA_CC = 135,
    PL_ZINT_UPCE_CC = 136,
    PL_ZINT_DATABAR_STACKED_CC = 137,
    PL_ZINT_DATABAR_STACKED_OMNI_CC = 138,
    PL_ZINT_DATABAR_EXPANDED_STACKED_CC = 139
};

struct pl_zint_job {
    enum pl_zint_id symbology;
    struct pl_slice data;
    const char *primary;                 // MaxiCode and composites; NULL: none. At most 127 bytes.
    int option_1, option_2, option_3;    // 0 is libzint's own default for all but option_1, whose default is -1
    bool gs1;                            // data is in element strings with bracketed identifiers
    uint32_t append_index, append_count; // structured append; count 0 or 1: none
};

#define PL_ZINT_ROWS 200

struct pl_zint_symbol {
    struct pl_bitmap modules;          // a row of bits per row of the symbol
    uint16_t row_height[PL_ZINT_ROWS]; // in modules as libzint says; 0: as high as the bars are
};

// PL_E_INVALID with libzint's reason in `err`: it does not take the data.
enum pl_errc pl_zint_encode(const struct pl_zint_job *job, struct pl_arena *arena, struct pl_zint_symbol *out,
                            struct pl_error *err) PL_MUST_USE;

#endif
