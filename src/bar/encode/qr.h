// QR Code (ISO/IEC 18004), models 1 and 2: from segments to modules.
#ifndef PL_BAR_ENCODE_QR_H
#define PL_BAR_ENCODE_QR_H

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
    bool mask_as_printed; // mask -1 is a printer's choice (qr_mask.h); otherwise the standard's
    bool keep_level;      // not raised
    bool keep_modes;      // segments whose mode the data names are not split
    bool split_by_bits;   // automatic segments change their mode only where that saves bits, seen from left to right
};

struct pl_qr_symbol {
    uint32_t version, mask;
    enum pl_qr_level level;
    struct pl_bitmap modules;
};

// PL_E_INVALID: the data does not fit, or is not of its segment's mode.
enum pl_errc pl_qr_encode(const struct pl_qr_segment *segments, uint32_t count, const struct pl_qr_options *options,
                          struct pl_arena *arena, struct pl_qr_symbol *out, struct pl_error *err) PL_MUST_USE;
// The smallest version of model 2 that holds the segments in just these modes, or 0.
uint32_t pl_qr_version_for(const struct pl_qr_segment *segments, uint32_t count, enum pl_qr_level level);
// Blocks of a version at a level, and the error correction codewords of each.
uint32_t pl_qr_blocks(uint32_t version, enum pl_qr_level level, uint32_t *ecc_words);
uint32_t pl_qr_model1_blocks(uint32_t version, enum pl_qr_level level, uint32_t *ecc_words);

// ---- Between qr.c, qr_model1.c and qr_matrix.c (whose mask is qr_mask.h) ----

// A part of an automatic segment that has one mode.
struct pl_qr_run {
    enum pl_qr_mode mode;
    uint32_t start, length;
};

// Bits of a segment with its header, in a range of versions (0: 1 to 9, 1: 10 to 26, 2: the others).
uint32_t pl_qr_segment_bits(enum pl_qr_mode mode, size_t length, uint32_t range);
// Joins the shortest runs, in place, where that saves bits. Returns how many are left.
uint32_t pl_qr_join_by_bits(struct pl_qr_run *runs, uint32_t count, uint32_t range);

// All codewords of the symbol in their order to modules. options: the model and the mask, -1 chooses; version and level
// come in and the mask in use goes out with `symbol`.
enum pl_errc pl_qr_draw(const uint8_t *codewords, uint32_t count, const struct pl_qr_options *options,
                        struct pl_arena *arena, struct pl_qr_symbol *symbol, struct pl_error *err) PL_MUST_USE;
// Of both models' error correction: bits, polynomial and first root, as pl_rs_new takes them.
#define PL_QR_FIELD 8, 0x11D, 0
// Modules for data and error correction, remainder bits included.
uint32_t pl_qr_data_modules(uint32_t version);
// Model 1: bits for data, and the codewords of a symbol whose first data codeword has its upper four bits clear.
uint32_t pl_qr_model1_data_bits(uint32_t version, enum pl_qr_level level);
enum pl_errc pl_qr_model1_codewords(const uint8_t *data, uint32_t version, enum pl_qr_level level,
                                    struct pl_arena *arena, uint8_t **out, uint32_t *out_count,
                                    struct pl_error *err) PL_MUST_USE;

#endif
