// Small operations on the 64-bit words of a bitmap row.
#ifndef PL_RASTER_BITS_H
#define PL_RASTER_BITS_H

#include <stdint.h>
#include <string.h>

// The bits of a row's last word that lie inside a row of `width` dots (width > 0).
static inline uint64_t pl_tail_mask(uint32_t width)
{
    return ~UINT64_C(0) << ((64 - width % 64) % 64);
}

// 64 dots of a row from x on, which may lie left or right of it.
static inline uint64_t pl_word_at(const uint64_t *row, uint32_t stride, int64_t x)
{
    int64_t word = x >= 0 ? x / 64 : -((63 - x) / 64);
    unsigned shift = (unsigned)(x - word * 64);
    uint64_t a = word >= 0 && word < stride ? row[word] : 0;
    uint64_t b = shift && word + 1 >= 0 && word + 1 < stride ? row[word + 1] : 0;
    return shift ? a << shift | b >> (64 - shift) : a;
}

// Transposes a block of 64 x 64 bits: bit c (from the most significant) of word r goes to bit r of word c.
void pl_transpose64(uint64_t block[64]);

static inline uint64_t pl_load_be64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline void pl_store_be64(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof v);
}

// The operations below by steps, for machines without an instruction for them.
static inline uint64_t pl_reverse_bits64_by_steps(uint64_t v)
{
    v = ((v >> 1) & UINT64_C(0x5555555555555555)) | ((v & UINT64_C(0x5555555555555555)) << 1);
    v = ((v >> 2) & UINT64_C(0x3333333333333333)) | ((v & UINT64_C(0x3333333333333333)) << 2);
    v = ((v >> 4) & UINT64_C(0x0F0F0F0F0F0F0F0F)) | ((v & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4);
    return __builtin_bswap64(v);
}

static inline uint32_t pl_count_bits64_by_steps(uint64_t v)
{
    v = v - ((v >> 1) & UINT64_C(0x5555555555555555));
    v = (v & UINT64_C(0x3333333333333333)) + ((v >> 2) & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)((v * UINT64_C(0x0101010101010101)) >> 56);
}

static inline uint64_t pl_reverse_bits64(uint64_t v)
{
#if defined(__aarch64__)
    __asm__("rbit %0, %1" : "=r"(v) : "r"(v)); // no compiler makes it of the steps above
    return v;
#else
    return pl_reverse_bits64_by_steps(v);
#endif
}

static inline uint32_t pl_count_bits64(uint64_t v)
{
#if defined(__aarch64__) || defined(__POPCNT__)
    return (uint32_t)__builtin_popcountll(v);
#else
    return pl_count_bits64_by_steps(v); // gcc would call a function of its library
#endif
}

#endif
