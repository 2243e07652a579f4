// A character of Code 39 in a row of bars, for CODABLOCK A and TLC39: rows of Code 39 alone are read by zxing-cpp.
#include "bar/encode/codablock_parts.h"
#include "check/readers.h"

uint32_t pl_read_code39(const struct pl_read_runs *runs, uint32_t index, uint32_t module)
{
    const uint32_t at = index * PL_READ_CODE39_STEP;
    uint32_t wide = 0, value = 0;
    if (at + PL_CODE39_ELEMENTS > runs->count)
        return PL_READ_NO_CODE39;
    for (uint32_t i = 0; i < PL_CODE39_ELEMENTS; i++)
        wide = wide << 1 | pl_read_is_wide(runs->widths[at + i], module);
    while (value < PL_READ_NO_CODE39 && pl_code39_elements[value] != wide)
        value++;
    return value;
}
