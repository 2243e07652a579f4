// libdeflate: CRC-32 by whatever the processor offers for it.
#include "enc/enc_deflate.h"

#include <libdeflate.h>

uint32_t pl_crc32(struct pl_slice bytes)
{
    return libdeflate_crc32(0, bytes.ptr, bytes.len);
}
