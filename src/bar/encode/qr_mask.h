// QR Code: the masks and the format that tells which one was taken.
#ifndef PL_BAR_ENCODE_QR_MASK_H
#define PL_BAR_ENCODE_QR_MASK_H

#include "bar/encode/qr.h"

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

#endif
