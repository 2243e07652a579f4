// HMAC-SHA-256 (FIPS 180-4, RFC 2104): what signs webhooks, and proves where rows of batches come from.
#ifndef PL_BASE_HMAC_H
#define PL_BASE_HMAC_H

#include "base/slice.h"

#define PL_HMAC_BYTES 32

void pl_hmac_sha256(struct pl_slice key, struct pl_slice text, uint8_t out[PL_HMAC_BYTES]);
// The same for several texts: what is hashed of the key is hashed once.
struct pl_hmac_key {
    uint32_t inner[8], outer[8];
};
void pl_hmac_prepare(struct pl_hmac_key *out, struct pl_slice key);
void pl_hmac_by(const struct pl_hmac_key *key, struct pl_slice text, uint8_t out[PL_HMAC_BYTES]);

// Is it the secret? All of it is compared, so that the time tells nothing about how much was right.
bool pl_secret_eq(struct pl_slice secret, struct pl_slice given);

#endif
