// Options of callers that may know fewer or more members than this version.
#ifndef PL_RENDER_OPTIONS_H
#define PL_RENDER_OPTIONS_H

#include <stddef.h>

#include "platen/platen.h"

// Copies a structure whose first member is its size into `to`, which has `known` bytes: what the caller does not have
// is zero, the default. `from` may be NULL. PLATEN_E_INVALID: the size is not set, or the caller has set a member that
// this version does not know.
enum platen_status pl_options_read(const void *from, void *to, size_t known, const char *name,
                                   struct platen_error *err);

// Fills a structure of the caller's, who may know fewer or more members than this version: what it does not know is
// zero. Always true.
bool pl_give(void *out, size_t size, const void *result, size_t known);

#endif
