// Hashes and checksums.
#include "base/hash.h"

uint64_t pl_hash_fnv1a(struct pl_slice s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < s.len; i++) {
        h ^= s.ptr[i];
        h *= UINT64_C(0x100000001b3);
    }
    return h;
}

uint64_t pl_hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2));
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    return h;
}

// One byte without a table: polynomial x^16 + x^12 + x^5 + 1.
static inline uint16_t crc16_byte(uint16_t crc, uint8_t byte)
{
    uint16_t x = (uint16_t)((crc >> 8) ^ byte);
    x = (uint16_t)(x ^ (x >> 4));
    return (uint16_t)((crc << 8) ^ (x << 12) ^ (x << 5) ^ x);
}

// Eight bytes at a time, by tables that are made for it: worth it from some thousand bytes on.
static uint16_t crc16_long(uint16_t crc, const uint8_t *p, size_t eights)
{
    uint16_t after[8][256]; // what a byte has become when so many more have come
    for (unsigned byte = 0; byte < 256; byte++) {
        after[0][byte] = crc16_byte(0, (uint8_t)byte);
        for (unsigned k = 1; k < 8; k++)
            after[k][byte] = crc16_byte(after[k - 1][byte], 0);
    }
    for (; eights > 0; eights--, p += 8)
        crc = after[7][p[0] ^ crc >> 8] ^ after[6][p[1] ^ (crc & 0xFF)] ^ after[5][p[2]] ^ after[4][p[3]] ^
              after[3][p[4]] ^ after[2][p[5]] ^ after[1][p[6]] ^ after[0][p[7]];
    return crc;
}

uint16_t pl_crc16_xmodem(uint16_t crc, struct pl_slice s)
{
    const size_t least = 8192;
    size_t at = 0;
    if (s.len >= least) {
        at = s.len / 8 * 8;
        crc = crc16_long(crc, s.ptr, at / 8);
    }
    for (; at < s.len; at++)
        crc = crc16_byte(crc, s.ptr[at]);
    return crc;
}
