// Fuzz target: the decoder of pictures of this kind ends on every file and stays within it.
#include "fuzz_decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || data[0] < 0x31 || data[0] > 0x36)
        return 0;
    fuzz_decode(pl_picture_pnm, "P", 1, data, size);
    return 0;
}
