// Reed-Solomon in the readers of the tests.
#ifndef DECODE_RS_H
#define DECODE_RS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t rs_multiply(uint32_t a, uint32_t b, uint32_t bits, uint32_t polynomial)
{
    uint32_t product = 0;
    for (; b; b >>= 1) {
        product ^= b & 1 ? a : 0;
        a <<= 1;
        a ^= a >> bits ? polynomial : 0;
    }
    return product;
}

// Are the codewords, each `step`th of `words`, data and checks, a polynomial with the roots a^1 … a^checks?
#define DEFINE_RS_HOLDS(name, type)                                                                                    \
    static inline bool name(const type *words, uint32_t count, uint32_t step, uint32_t checks, uint32_t bits,          \
                            uint32_t polynomial)                                                                       \
    {                                                                                                                  \
        uint32_t root = 1;                                                                                             \
        for (uint32_t i = 0; i < checks; i++) {                                                                        \
            uint32_t value = 0;                                                                                        \
            root = rs_multiply(root, 2, bits, polynomial);                                                             \
            for (uint32_t k = 0; k < count; k++)                                                                       \
                value = rs_multiply(value, root, bits, polynomial) ^ words[k * step];                                  \
            if (value)                                                                                                 \
                return false;                                                                                          \
        }                                                                                                              \
        return true;                                                                                                   \
    }

DEFINE_RS_HOLDS(rs_holds, uint8_t)
DEFINE_RS_HOLDS(rs_holds_wide, uint16_t)

#endif
