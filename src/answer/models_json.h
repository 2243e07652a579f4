// The printer models as JSON.
#ifndef PLATEN_MODELS_JSON_H
#define PLATEN_MODELS_JSON_H

#include "base/buf.h"

void models_json_all(struct pl_buf *out);

#endif
