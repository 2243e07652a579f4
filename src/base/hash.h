// Hashes: FNV-1a for tables, SipHash for those whose keys others choose, a mix for caches, CRC-16/XMODEM for ZB64
// graphics. CRC-32 is libdeflate's (base/deflate.h).
#ifndef PL_BASE_HASH_H
#define PL_BASE_HASH_H

#include <stdint.h>

#include "base/slice.h"

uint64_t pl_hash_fnv1a(struct pl_slice s);
// SipHash-2-4: who does not know the key cannot choose texts of the same hash.
uint64_t pl_hash_keyed(const uint64_t key[2], struct pl_slice s);
// A fast 64-bit hash for caches and ETags; not for security.
uint64_t pl_hash_mix(uint64_t a, uint64_t b);
uint16_t pl_crc16_xmodem(uint16_t crc, struct pl_slice s);

#endif
