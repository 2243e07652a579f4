// The coder of JPEG pictures: from blocks of 8 x 8 dots to bits.
#ifndef PL_ENC_JPEG_BLOCK_H
#define PL_ENC_JPEG_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/job.h"

#define PL_JPEG_MIDDLE 128
#define PL_JPEG_SCALE_BITS 15 // fraction of the cosines
#define PL_JPEG_ROW_BITS 5    // fraction of a coefficient between the two passes
#define PL_JPEG_CODE_WORDS 28 // 63 coefficients of at most 16 + 10 bits, and the end
#define PL_JPEG_SMALL 32      // levels from -32 to 31
#define PL_JPEG_ROOM 1024     // bytes that no block exceeds

struct pl_jpeg_code {
    uint32_t bits;
    uint32_t length;
};

// What a block was coded to: its DC coefficient, whose code depends on the block before, and the bits of all others.
struct pl_jpeg_block {
    int32_t dc;
    uint32_t length;                    // in bits
    uint64_t words[PL_JPEG_CODE_WORDS]; // the first bit is the most significant one
};

struct pl_jpeg {
    struct pl_buf *out;
    const struct pl_job *job;
    uint32_t width, height;
    uint32_t blocks; // coded since the job was asked last
    // The bits: written to `at`, before `end`; those that wait are the low `held` ones, less than 32.
    uint8_t *at, *end;
    uint64_t bits;
    unsigned held;
    uint8_t waste[PL_JPEG_ROOM * 2]; // where they go when `out` has failed
    int32_t dc;                      // of the block before
    struct pl_jpeg_code again;       // a block of one shade like the block before
    uint8_t zigzag[64];              // the place of the k-th coefficient, by rows
    uint8_t order[64];               // the same as the transform leaves them
    uint32_t halves[64];             // what is added to round, with PL_JPEG_SCALE_BITS + PL_JPEG_ROW_BITS of fraction
    uint32_t inverses[64];           // 2^20 by a step, rounded up
    uint8_t steps[64];               // by rows
    int32_t cosines[8][8];
    uint64_t places[8][256]; // of eight flags of a row, each in the lowest bit of a byte of memory: a bit at its k
    struct pl_jpeg_code dc_codes[12], ac_codes[256];
    struct pl_jpeg_code small[16][2 * PL_JPEG_SMALL]; // whole codes of small levels after so many zeros
};

// The tables for a quality from 1 to 100. `turned`: blocks come from the transform with rows for columns.
void pl_jpeg_make_tables(struct pl_jpeg *j, unsigned quality, bool turned);
// One pass of the transform, eight columns at once. What comes out has PL_JPEG_SCALE_BITS more of fraction.
void pl_jpeg_transform(const struct pl_jpeg *j, const int32_t *const rows[8], int32_t out[64]);
// Coefficients to the bits of a block.
void pl_jpeg_code_block(const struct pl_jpeg *j, const int32_t coefficients[64], struct pl_jpeg_block *block);
// The DC coefficient of a block of one shade.
int32_t pl_jpeg_flat_dc(const struct pl_jpeg *j, int32_t shade);
void pl_jpeg_put_block(struct pl_jpeg *j, const struct pl_jpeg_block *block);
// `count` blocks of one shade, whose DC coefficient is `dc`.
void pl_jpeg_put_flat(struct pl_jpeg *j, int32_t dc, uint32_t count);
// The last byte is filled up with ones.
void pl_jpeg_finish_bits(struct pl_jpeg *j);

#endif
