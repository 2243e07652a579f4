// Base64 (RFC 4648): fast encoding, strict and lenient decoding.
#ifndef PL_BASE_BASE64_H
#define PL_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

static inline size_t pl_base64_encoded_size(size_t len)
{
    return (len + 2) / 3 * 4;
}

// Writes pl_base64_encoded_size(in.len) characters, no terminator. Returns that count.
size_t pl_base64_encode(struct pl_slice in, char *out);
// Decodes with white space skipped and padding optional; `out` holds at least in.len / 4 * 3 + 3 bytes. Stops at the
// first character that does not belong. Returns the bytes written; *used (may be NULL) is the number of input bytes
// consumed.
size_t pl_base64_decode(struct pl_slice in, uint8_t *out, size_t *used);

#endif
