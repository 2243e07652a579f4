// QR Code (ISO/IEC 18004), model 2: from segments to modules.
#ifndef PL_BAR_QR_H
#define PL_BAR_QR_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

enum pl_qr_mode { PL_QR_NUMERIC, PL_QR_ALNUM, PL_QR_BYTE, PL_QR_KANJI };
enum pl_qr_level { PL_QR_L, PL_QR_M, PL_QR_Q, PL_QR_H };

#define PL_QR_DATA_MAX 7089 // digits of 40-L, more than any other mode holds
#define PL_QR_SIZE_MAX 177

struct pl_qr_segment {
    enum pl_qr_mode mode;
    bool automatic;       // may be split and merged: `mode` is not binding
    struct pl_slice data; // Kanji: pairs of Shift JIS bytes
};

struct pl_qr_options {
    enum pl_qr_level level;              // the least; it is raised as far as the version allows
    int mask;                            // 0 to 7, or -1: the one with the lowest penalty
    uint32_t version;                    // the least version; 0: any
    uint32_t eci;                        // assignment number put before the data; 0: none
    uint32_t append_index, append_count; // structured append, from 1; count 0: none
    uint8_t append_parity;
};

struct pl_qr_symbol {
    uint32_t version, mask;
    enum pl_qr_level level;
    struct pl_bitmap modules;
};

// PL_E_INVALID: the data does not fit, or is not of its segment's mode.
enum pl_errc pl_qr_encode(const struct pl_qr_segment *segments, uint32_t count, const struct pl_qr_options *options,
                          struct pl_arena *arena, struct pl_qr_symbol *out, struct pl_error *err) PL_MUST_USE;
// The smallest version that holds the segments in just these modes, or 0.
uint32_t pl_qr_version_for(const struct pl_qr_segment *segments, uint32_t count, enum pl_qr_level level);
bool pl_qr_is_alnum(uint8_t c);
// Blocks of a version at a level, and the error correction codewords of each.
uint32_t pl_qr_blocks(uint32_t version, enum pl_qr_level level, uint32_t *ecc_words);

// ---- Between qr.c and qr_matrix.c ----

// All codewords of the symbol, interleaved, to modules; `mask` -1 chooses. Returns the mask in use.
enum pl_errc pl_qr_draw(const uint8_t *codewords, uint32_t count, uint32_t version, enum pl_qr_level level, int mask,
                        struct pl_arena *arena, struct pl_bitmap *modules, uint32_t *mask_used,
                        struct pl_error *err) PL_MUST_USE;
// Modules for data and error correction, remainder bits included.
uint32_t pl_qr_data_modules(uint32_t version);

#endif
