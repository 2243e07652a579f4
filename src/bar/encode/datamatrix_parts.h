// Inside the Data Matrix encoder: sizes, symbol codewords and the placing of bits.
#ifndef PL_BAR_ENCODE_DATAMATRIX_PARTS_H
#define PL_BAR_ENCODE_DATAMATRIX_PARTS_H

#include "base/arena.h"
#include "raster/bitmap.h"

#define PL_DM_MAX_DATA 1558 // codewords of the largest symbol

struct pl_dm_size {
    uint8_t rows, columns;               // with finder pattern
    uint8_t region_rows, region_columns; // modules of data in one region
    uint16_t data;                       // codewords
    uint8_t blocks;                      // interleaved Reed-Solomon blocks
    uint8_t checks;                      // check codewords of each block
};

// Characters: bytes, and these.
enum {
    PL_DM_FNC1 = 0x100,
    PL_DM_ECI = 0x1000, // plus the number, 0 to 999
};

enum pl_dm_mode {
    PL_DM_ASCII,
    PL_DM_C40,
    PL_DM_TEXT,
    PL_DM_X12,
    PL_DM_EDIFACT,
    PL_DM_BASE256,
};

// The encodation of all data before the size is known; the last characters of an unfinished group wait in `pending`.
struct pl_dm_stream {
    uint8_t words[PL_DM_MAX_DATA + 16];
    uint32_t length;
    enum pl_dm_mode mode;
    uint8_t values[8]; // C40, Text, X12 and EDIFACT values not yet in a codeword
    uint32_t value_count;
    uint16_t last[2]; // the last two characters (last[1] is the very last)
};

// The encodation that Annex P's look-ahead finds for the characters from `at`, coming from `mode`.
enum pl_dm_mode pl_dm_look_ahead(const uint16_t *chars, size_t count, size_t at, enum pl_dm_mode mode);
// PL_E_INVALID: more than the largest symbol holds.
enum pl_errc pl_dm_encode_chars(const uint16_t *chars, size_t count, struct pl_dm_stream *stream,
                                struct pl_error *err) PL_MUST_USE;
// Codewords that `pending` takes at least.
uint32_t pl_dm_tail_need(const struct pl_dm_stream *stream);
// Writes the pending characters, the return to ASCII and the padding of a symbol of `capacity` codewords.
// tail_in_ascii: as in the options.
void pl_dm_finish(struct pl_dm_stream *stream, uint32_t capacity, bool tail_in_ascii);

// Draws finder pattern and codewords (data, then checks, in sending order).
void pl_dm_draw(const struct pl_dm_size *size, const uint8_t *words, struct pl_bitmap *modules);

#endif
