// Downloaded bitmap fonts (~DB): the text form of the command's payload and its glyphs.
#ifndef PL_FONT_FACE_BITMAP_FONT_H
#define PL_FONT_FACE_BITMAP_FONT_H

#include "base/slice.h"
#include "raster/bitmap.h"

struct pl_bitmap_glyph {
    uint32_t code;
    int32_t x, y; // of the bitmap's left edge from the pen; of its top edge above the baseline
    int32_t advance;
    struct pl_bitmap bits;
};

struct pl_bitmap_font;

// Reads `h,w,base,space,#char,(c),data...` with or without the orientation `a` in front. NULL when it is not that, or
// when there is no memory. Its bitmaps count in `budget`, which may be NULL; what has no room there ends the font, too.
// What is malformed inside ends the font there.
struct pl_bitmap_font *pl_bitmap_font_parse(struct pl_slice payload, struct pl_budget *budget);
void pl_bitmap_font_free(struct pl_bitmap_font *font);
const struct pl_bitmap_glyph *pl_bitmap_font_lookup(const struct pl_bitmap_font *font, uint32_t code);
int32_t pl_bitmap_font_height(const struct pl_bitmap_font *font);
int32_t pl_bitmap_font_width(const struct pl_bitmap_font *font);
int32_t pl_bitmap_font_baseline(const struct pl_bitmap_font *font);
int32_t pl_bitmap_font_space(const struct pl_bitmap_font *font);

#endif
