// Inside the Aztec encoder: bits of the message, sizes, drawing.
#ifndef PL_BAR_ENCODE_AZTEC_PARTS_H
#define PL_BAR_ENCODE_AZTEC_PARTS_H

#include "base/arena.h"
#include "base/content.h"
#include "raster/bitmap.h"

#define PL_AZTEC_MAX_BITS 19968 // of the largest symbol, 32 layers
#define PL_AZTEC_MAX_CHARS 4000 // no symbol holds more characters of any kind

// Bits in sending order, packed into bytes, the first in the most significant bit.
struct pl_aztec_bits {
    uint8_t *bytes; // zeroed, with two more than the capacity needs
    uint32_t count, capacity;
    bool overflow; // the capacity was met; the content is not whole
};

void pl_aztec_put(struct pl_aztec_bits *bits, uint32_t value, uint32_t width);
static inline uint32_t pl_aztec_bit(const struct pl_aztec_bits *bits, uint32_t at)
{
    return bits->bytes[at / 8] >> (7 - at % 8) & 1u;
}

// The message in the tables of ISO/IEC 24778: bytes, and marks for character sets.
enum pl_errc pl_aztec_put_message(const uint32_t *chars, size_t count, struct pl_arena *arena,
                                  struct pl_aztec_bits *bits, struct pl_error *err) PL_MUST_USE;

struct pl_aztec_shape {
    bool compact;
    uint32_t layers; // 0: the core alone, as in a rune
};

// Modules on each side.
uint32_t pl_aztec_side(struct pl_aztec_shape shape);
// mode: the 28 or 40 bits round the core. data: all bits of the layers.
void pl_aztec_draw(struct pl_aztec_shape shape, const struct pl_aztec_bits *mode, const struct pl_aztec_bits *data,
                   struct pl_bitmap *modules);

#endif
