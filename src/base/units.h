// Times and sizes as people write them in options.
#ifndef PL_BASE_UNITS_H
#define PL_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

// "500ms", "15s", "2m", "1h"; a bare number is milliseconds. The whole text must be the time.
bool pl_parse_ms(const char *text, uint64_t *out);
// "65536", "64KiB", "8MiB", "1GiB", also "64k", "8M", "1g". The whole text must be the size.
bool pl_parse_bytes(const char *text, uint64_t *out);

#endif
