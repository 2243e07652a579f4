// UTF-8: strict decoding (no surrogates, no overlong forms) and encoding.
#ifndef PL_BASE_UTF8_H
#define PL_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

#define PL_UTF8_BAD 0xFFFFFFFFu

// Decodes one code point at *pos and moves *pos behind it. On a malformed sequence returns PL_UTF8_BAD and moves one
// byte.
uint32_t pl_utf8_next(struct pl_slice s, size_t *pos);
// Writes 1 to 4 bytes; a surrogate or a value above 10FFFF is written as U+FFFD.
size_t pl_utf8_put(uint32_t cp, uint8_t out[4]);
bool pl_utf8_valid(struct pl_slice s);
bool pl_is_ascii(struct pl_slice s);
// How long the byte order mark is that the text begins with: 3 or 0.
static inline size_t pl_utf8_mark(struct pl_slice s)
{
    return s.len >= 3 && memcmp(s.ptr, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}
// "UTF-16" or "UTF-32" where the text is in one of these, with a mark or without one; NULL: it is in none. The text
// that is meant begins in ASCII, so a NUL beside its first character is another part of that character.
const char *pl_utf8_otherwise(struct pl_slice text);

#endif
