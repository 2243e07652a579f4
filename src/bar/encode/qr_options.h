// What is asked of the QR encoder, and the symbol that it makes.
#ifndef PL_BAR_ENCODE_QR_OPTIONS_H
#define PL_BAR_ENCODE_QR_OPTIONS_H

#include "base/arena.h"
#include "base/content.h"
#include "raster/bitmap.h"

enum pl_qr_level { PL_QR_L, PL_QR_M, PL_QR_Q, PL_QR_H };

#define PL_QR_DATA_MAX 7089 // digits of 40-L, more than any other mode holds
#define PL_QR_SIZE_MAX 177
#define PL_QR_VERSIONS 40

struct pl_qr_options {
    enum pl_qr_level level;              // the least; model 2 raises it as far as the version allows
    int mask;                            // 0 to 7, or -1: the one with the lowest penalty
    uint32_t version;                    // the least version; 0: any
    uint32_t eci;                        // assignment number put before the data; 0: none (model 1 has none)
    uint32_t append_index, append_count; // structured append, from 1; count 0: none
    uint8_t append_parity;
    bool model1;
    bool mask_as_printed; // mask -1 is a printer's choice (pl_qr_choose_mask); otherwise the standard's
    bool keep_level;      // not raised
    bool keep_modes;      // segments whose mode the data names are not split
    bool split_by_bits;   // automatic segments change their mode only where that saves bits, seen from left to right
};

struct pl_qr_symbol {
    uint32_t version, mask;
    enum pl_qr_level level;
    struct pl_bitmap modules;
};

#endif
