// Fuzz target: the decoder of pictures of this kind ends on every file and stays within it.
#include "fuzz_decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_decode(pl_picture_gif, "GIF89a", 6, data, size);
    return 0;
}
