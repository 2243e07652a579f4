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

// ---- SipHash-2-4 (Aumasson and Bernstein, 2012)

static inline uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static inline void sip_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    sip_round(v);
    v[0] ^= word;
}

uint64_t pl_hash_keyed(const uint64_t key[2], struct pl_slice s)
{
    uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                     key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    uint64_t word = 0;
    for (size_t i = 0; i < s.len; i++) {
        word |= (uint64_t)s.ptr[i] << 8 * (i % 8);
        if (i % 8 == 7) {
            sip_word(v, word);
            word = 0;
        }
    }
    sip_word(v, word | (uint64_t)s.len << 56); // the bytes that are left, and the length
    v[2] ^= 0xFF;
    for (int i = 0; i < 4; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
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
