// What libdeflate is used for: checksums, and compressing texts.
#ifndef PL_ENC_DEFLATE_H
#define PL_ENC_DEFLATE_H

#include "base/buf.h"

uint32_t pl_crc32(struct pl_slice bytes);

struct pl_deflater; // its memory, used again from text to text

struct pl_deflater *pl_deflater_new(void);      // NULL: no memory
struct pl_deflater *pl_deflater_new_best(void); // as small as it gets, and slower
void pl_deflater_free(struct pl_deflater *deflater);
// Appends a zlib stream of the text. The buffer fails where there is no room.
void pl_deflate_text(struct pl_deflater *deflater, struct pl_slice text, struct pl_buf *out);

#endif
