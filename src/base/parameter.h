// Parameters of header values: "form-data; name=\"a\"; filename=b".
#ifndef PL_BASE_PARAMETER_H
#define PL_BASE_PARAMETER_H

#include <stdbool.h>

#include "base/slice.h"

struct pl_parameter {
    struct pl_slice value; // as it is written: in quotes a backslash may stand before '"' and '\\'
    bool quoted;
    bool open; // the closing quote is missing
};

// The first one of that name, in any case. False: there is none.
bool pl_parameter_find(struct pl_slice text, const char *name, struct pl_parameter *out);

#endif
