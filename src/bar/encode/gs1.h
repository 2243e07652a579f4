// GS1 element strings: where an application identifier ends and its data begins.
#ifndef PL_BAR_ENCODE_GS1_H
#define PL_BAR_ENCODE_GS1_H

#include "base/slice.h"

// Writes `raw` ("0112345678901231" with GS after elements of free length, or with identifiers in parentheses or
// brackets) as bracketed elements "[01]12345678901231". `out` has room for 5 bytes per byte of `raw`. Characters that
// GS1 does not have are left out and counted. Returns the length, or 0 where there is no identifier.
size_t pl_gs1_bracket(struct pl_slice raw, uint8_t *out, uint32_t *dropped);
// The other way round: bracketed elements as one string, with GS behind those of free length but the last. `out` has
// room for as many bytes. Returns the length.
size_t pl_gs1_join(struct pl_slice bracketed, uint8_t *out);
// Digits of the identifier that `digits` begins with: 2 to 4, or 0 if there is none of that kind.
uint32_t pl_gs1_identifier_length(struct pl_slice digits);

#endif
