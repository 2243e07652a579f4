// What a font file begins with: TrueType, OpenType, a collection of them.
#ifndef PL_STORE_FONT_FILE_H
#define PL_STORE_FONT_FILE_H

#include "base/slice.h"

static inline bool pl_is_font_file(struct pl_slice s)
{
    static const char HEADS[4][5] = {{0, 1, 0, 0}, "true", "OTTO", "ttcf"};
    for (size_t i = 0; i < 4; i++)
        if (s.len > 12 && memcmp(s.ptr, HEADS[i], 4) == 0)
            return true;
    return false;
}

#endif
