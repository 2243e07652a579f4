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

uint16_t pl_crc16_xmodem(uint16_t crc, struct pl_slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        // One byte at a time without a table: polynomial x^16 + x^12 + x^5 + 1.
        uint16_t x = (uint16_t)((crc >> 8) ^ s.ptr[i]);
        x = (uint16_t)(x ^ (x >> 4));
        crc = (uint16_t)((crc << 8) ^ (x << 12) ^ (x << 5) ^ x);
    }
    return crc;
}
