// What `platen diff` found, as text or JSON.
#ifndef PLATEN_DIFF_WRITE_H
#define PLATEN_DIFF_WRITE_H

#include "answer/compare_documents.h"
#include "base/buf.h"

// Appends lines about a label that is not the same, or whose elements are not; nothing where all is.
void diff_write_label(struct pl_buf *out, const char *name, const struct compared_label *label);

#endif
