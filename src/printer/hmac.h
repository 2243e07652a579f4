// HMAC-SHA-256 (FIPS 180-4, RFC 2104): what signs webhooks.
#ifndef PRINTER_HMAC_H
#define PRINTER_HMAC_H

#include "base/slice.h"

#define HMAC_BYTES 32

void hmac_sha256(struct pl_slice key, struct pl_slice text, uint8_t out[HMAC_BYTES]);

#endif
