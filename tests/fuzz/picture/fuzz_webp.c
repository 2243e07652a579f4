// Fuzz target: the decoder of WebP ends on every file and stays within it.
#include "fuzz_decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t head[12] = "RIFF    WEBP";
    uint32_t rest = (uint32_t)size + 4;
    memcpy(head + 4, &rest, 4);
    fuzz_decode(pl_picture_webp, (const char *)head, sizeof head, data, size);
    return 0;
}
