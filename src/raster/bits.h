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

static inline uint64_t pl_reverse_bits64(uint64_t v)
{
#if defined(__aarch64__)
    __asm__("rbit %0, %1" : "=r"(v) : "r"(v)); // no compiler makes it of the steps below
    return v;
#else
    v = ((v >> 1) & UINT64_C(0x5555555555555555)) | ((v & UINT64_C(0x5555555555555555)) << 1);
    v = ((v >> 2) & UINT64_C(0x3333333333333333)) | ((v & UINT64_C(0x3333333333333333)) << 2);
    v = ((v >> 4) & UINT64_C(0x0F0F0F0F0F0F0F0F)) | ((v & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4);
    return __builtin_bswap64(v);
#endif
}

#endif
