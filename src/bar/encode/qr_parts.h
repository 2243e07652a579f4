// Inside the QR encoder: segments, model 1, masks, drawing.
#ifndef PL_BAR_ENCODE_QR_PARTS_H
#define PL_BAR_ENCODE_QR_PARTS_H

#include "bar/encode/qr_options.h"

#define PL_QR_WORDS 3 // PL_QR_SIZE_MAX modules

// Rows of modules, the leftmost in the highest bit.
struct pl_qr_grid {
    uint64_t rows[PL_QR_SIZE_MAX][PL_QR_WORDS];
};

struct pl_qr_canvas {
    struct pl_qr_grid dark, fixed; // `fixed`: not for data
    uint32_t size;
    bool model1;
};

// The fifteen bits of level and mask. By what they are turned over readers know the model.
uint32_t pl_qr_format_bits(enum pl_qr_level level, uint32_t mask, bool model1);
// Draws them; `turned`: into a grid with rows and columns changed over.
void pl_qr_draw_format(struct pl_qr_grid *g, uint32_t size, uint32_t bits, bool turned);
// The mask with the lowest penalty. `as_printed`: of the three with the fewest blocks of one colour; patterns like a
// finder count only between light modules, and of equal or very high penalties fewer blocks decide.
enum pl_errc pl_qr_choose_mask(const struct pl_qr_canvas *c, enum pl_qr_level level, bool as_printed,
                               struct pl_arena *arena, uint32_t *mask, struct pl_error *err) PL_MUST_USE;
void pl_qr_apply_mask(struct pl_qr_canvas *c, uint32_t mask);

// A part of an automatic segment that has one mode.
struct pl_qr_run {
    enum pl_qr_mode mode;
    uint32_t start, length;
};

// Splits data into runs for a range of versions (0: 1 to 9, 1: 10 to 26, 2: the others); `runs` has room for one per
// byte. by_bits: as the options' split_by_bits. Returns how many there are.
uint32_t pl_qr_split(struct pl_slice data, uint32_t range, bool by_bits, struct pl_qr_run *runs);
// Bits of a segment with its header.
uint32_t pl_qr_segment_bits(enum pl_qr_mode mode, size_t length, uint32_t range);
bool pl_qr_mode_holds(enum pl_qr_mode mode, struct pl_slice data);

struct pl_qr_bits {
    uint8_t *bytes;
    uint32_t count, cap; // in bits
};

static inline void pl_qr_put(struct pl_qr_bits *b, uint32_t value, uint32_t count)
{
    for (uint32_t i = count; i-- > 0 && b->count < b->cap; b->count++)
        if (value >> i & 1)
            b->bytes[b->count / 8] |= (uint8_t)(0x80 >> b->count % 8);
}

void pl_qr_put_segment(struct pl_qr_bits *b, enum pl_qr_mode mode, struct pl_slice data, uint32_t range);

// All codewords of the symbol in their order to modules. options: the model and the mask, -1 chooses; version and level
// come in and the mask in use goes out with `symbol`.
enum pl_errc pl_qr_draw(const uint8_t *codewords, uint32_t count, const struct pl_qr_options *options,
                        struct pl_arena *arena, struct pl_qr_symbol *symbol, struct pl_error *err) PL_MUST_USE;
// Of both models' error correction: bits, polynomial and first root, as pl_rs_new takes them.
#define PL_QR_FIELD 8, 0x11D, 0
// Modules for data and error correction, remainder bits included.
uint32_t pl_qr_data_modules(uint32_t version);
// Model 1: blocks and the error correction codewords of each, bits for data, and the codewords of a symbol whose first
// data codeword has its upper four bits clear.
uint32_t pl_qr_model1_blocks(uint32_t version, enum pl_qr_level level, uint32_t *ecc_words);
uint32_t pl_qr_model1_data_bits(uint32_t version, enum pl_qr_level level);
enum pl_errc pl_qr_model1_codewords(const uint8_t *data, uint32_t version, enum pl_qr_level level,
                                    struct pl_arena *arena, uint8_t **out, uint32_t *out_count,
                                    struct pl_error *err) PL_MUST_USE;

#endif
