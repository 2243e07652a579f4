// Compressing, expanding and checksums: all that libdeflate is used for.
#ifndef PL_DEFLATE_H
#define PL_DEFLATE_H

#include "base/buf.h"

uint32_t pl_crc32(struct pl_slice bytes);

struct pl_deflater; // its memory, used again from text to text

struct pl_deflater *pl_deflater_new(void);      // NULL: no memory
struct pl_deflater *pl_deflater_new_best(void); // as small as it gets, and slower
void pl_deflater_free(struct pl_deflater *deflater);
// Appends a zlib stream of the text. The buffer fails where there is no room.
void pl_deflate_text(struct pl_deflater *deflater, struct pl_slice text, struct pl_buf *out);
// *out is malloc'ed gzip data. False: no memory.
bool pl_gzip(struct pl_slice in, uint8_t **out, size_t *out_len);

enum pl_inflate_result {
    PL_INFLATE_OK,
    PL_INFLATE_TOO_LONG, // there is more than fits; the buffer is full
    PL_INFLATE_BAD,      // the stream is damaged; the buffer holds what came before (fill it with zeros first)
    PL_INFLATE_NO_MEMORY
};

// A zlib stream. The caller's buffer is the bound: a bomb stops there.
enum pl_inflate_result pl_inflate(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written);
// The same for a raw deflate stream at the front of `in`; *used is its length.
enum pl_inflate_result pl_inflate_raw(struct pl_slice in, uint8_t *out, size_t capacity, size_t *used, size_t *written);
// The same for gzip data: any number of members, and nothing else.
enum pl_inflate_result pl_gunzip(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written);

#endif
