// Writing a ZIP piece by piece. Files are stored as they are: pictures are compressed already. What is kept until the
// end is the directory: some 50 bytes and the name for each file.
#ifndef PL_BATCH_ZIP_WRITER_H
#define PL_BATCH_ZIP_WRITER_H

#include "base/buf.h"

struct pl_zip_writer {
    uint64_t written; // bytes of the ZIP so far
    uint64_t files;
    struct pl_buf directory;
};

void pl_zip_writer_init(struct pl_zip_writer *writer);
void pl_zip_writer_fini(struct pl_zip_writer *writer);
// Appends to `out` what comes before the bytes of a file (less than 4 GiB), which the caller appends then.
void pl_zip_begin(struct pl_zip_writer *writer, struct pl_slice name, struct pl_slice data, struct pl_buf *out);
// Appends the directory and the end.
void pl_zip_end(struct pl_zip_writer *writer, struct pl_buf *out);

#endif
