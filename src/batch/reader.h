// Documents of a batch, read from bytes while they arrive: lines, parts of a form, files of a ZIP.
//
// All readers work in the same way. `window` is what has arrived and was not used. A reader finds the next document in
// it and says how many bytes can be dropped from the window's front once that document is done with. What it remembers
// between two calls are numbers, so the window may move.
#ifndef PL_BATCH_READER_H
#define PL_BATCH_READER_H

#include "base/buf.h"
#include "base/multipart.h"

enum pl_batch_found {
    PL_BATCH_DOCUMENT, // there is one
    PL_BATCH_MORE,     // it needs more bytes than there are; `used` of them are not needed any more
    PL_BATCH_PASSED,   // something was passed over: call again, at once or after other work
    PL_BATCH_END,      // there are no more documents
    PL_BATCH_BAD       // the bytes are not what they should be; `err` is a sentence for who sent them
};

// The slices lie in the window, or in memory of the reader until it is called again.
struct pl_batch_item {
    struct pl_slice name; // of the part or the file; empty for a line
    struct pl_slice file; // of a part: its file name
    struct pl_slice data;
};

// Lines that end with LF or CRLF; empty ones are passed over.
struct pl_lines {
    size_t scanned; // of the window, without an end of line
    bool begun;     // the mark that some programs write in front of the first line was looked for
};
enum pl_batch_found pl_lines_next(struct pl_lines *reader, struct pl_slice window, bool ended, size_t *used,
                                  struct pl_batch_item *item, struct pl_error *err) PL_MUST_USE;

// multipart/form-data and multipart/mixed.
enum pl_batch_found pl_parts_next(struct pl_multipart *reader, struct pl_slice window, bool ended, size_t *used,
                                  struct pl_batch_item *item, struct pl_error *err) PL_MUST_USE;

// A ZIP, by the headers that come before each file: its directory is at the end and is not read, but it has to begin: a
// ZIP that was cut between two files is not whole. Folders and hidden files are passed over, without being expanded
// where they tell their size.
struct pl_zip_reader {
    size_t limit;       // bytes of a file
    uint64_t skip;      // bytes of a file that is passed over, which are still to come
    size_t tried;       // bytes of the window that did not hold the whole of a file whose size is not told
    struct pl_buf data; // of a compressed file
};
void pl_zip_reader_init(struct pl_zip_reader *reader, size_t limit);
void pl_zip_reader_fini(struct pl_zip_reader *reader);
enum pl_batch_found pl_zip_next(struct pl_zip_reader *reader, struct pl_slice window, bool ended, size_t *used,
                                struct pl_batch_item *item, struct pl_error *err) PL_MUST_USE;

#endif
