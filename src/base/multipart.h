// Parts of a multipart body (RFC 2046), read from bytes while they arrive, and parameters of header values.
//
// `window` is what has arrived and was not used. What the reader remembers between two calls are numbers, so the window
// may move. A body that is there as a whole is a window that has ended.
#ifndef PL_BASE_MULTIPART_H
#define PL_BASE_MULTIPART_H

#include "base/err.h"
#include "base/slice.h"

// Of "form-data; name=\"a\"; filename=b".
struct pl_parameter {
    struct pl_slice value; // as it is written: in quotes a backslash may stand before '"' and '\\'
    bool quoted;
    bool open; // the closing quote is missing
};
// The first one of that name, in any case. False: there is none.
bool pl_parameter_find(struct pl_slice text, const char *name, struct pl_parameter *out);

#define PL_BOUNDARY_MAX 70 // RFC 2046, section 5.1.1

struct pl_multipart {
    uint8_t delimiter[PL_BOUNDARY_MAX + 4]; // CR LF - - boundary
    size_t delimiter_len;
    size_t scanned;
    bool inside;  // the window begins behind a delimiter
    bool dropped; // what was in front of it is gone: this is not the start
};

// The slices lie in the window.
struct pl_part {
    struct pl_slice disposition;  // "form-data"
    struct pl_slice parameters;   // of the disposition
    struct pl_slice content_type; // as sent
    struct pl_slice data;
};

enum pl_multipart_found {
    PL_MULTIPART_PART,
    PL_MULTIPART_MORE, // it needs more bytes than there are
    PL_MULTIPART_END,
    PL_MULTIPART_BAD // `err` is a sentence for who sent it
};

// `parameters` is what followed the media type. False: there is no boundary that can be used.
bool pl_multipart_init(struct pl_multipart *reader, struct pl_slice parameters);
// *used: bytes that can be dropped from the window's front once the part is done with.
enum pl_multipart_found pl_multipart_next(struct pl_multipart *reader, struct pl_slice window, bool ended, size_t *used,
                                          struct pl_part *part, struct pl_error *err) PL_MUST_USE;

#endif
