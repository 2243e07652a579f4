// The system's tables of double-byte character sets, which do not depend on the locale.
#ifndef PL_OS_ICONV_H
#define PL_OS_ICONV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_OS_ICONV_SETS 16

// Opens the table of a set and keeps it for the life of the process, so that none is looked for in the file system
// later, when a sandbox may forbid it. False: no memory; a later call tries again. At most PL_OS_ICONV_SETS are kept.
bool pl_os_iconv_hold(const char *name);
// Decodes a text. Returns the characters written (at most `size`); *bad grows by the bytes that mean nothing.
// SIZE_MAX: this system cannot convert the set.
size_t pl_os_iconv_decode(const char *name, const uint8_t *in, size_t size, uint32_t *out, size_t *bad);

#endif
