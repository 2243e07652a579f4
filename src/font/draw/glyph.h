// Inside src/font/draw: drawing one glyph.
#ifndef PL_FONT_DRAW_GLYPH_H
#define PL_FONT_DRAW_GLYPH_H

#include "font/draw/writer.h"

#define PL_PHASES 16 // places between two dots

// Text higher than `largest` dots is filled as outlines, where the pen is; the glyphs of other text are bitmaps on
// whole dots.
static inline bool pl_is_large_text(const struct pl_sized_face *sized, int32_t largest)
{
    if (sized->face->kind == PL_FACE_DEVICE)
        return (int64_t)sized->height * sized->face->device->size_1000 > largest * INT64_C(1000);
    return sized->height > largest && (sized->face->kind == PL_FACE_FONT0 || sized->face->kind == PL_FACE_FILE);
}

// Where a glyph is drawn: its pen on the label, and how far beyond it, along the line, in 1/PL_PHASES dots.
struct pl_glyph_place {
    int32_t x, y;
    uint32_t phase;
    enum pl_rotation rotation;
};

// `ink` grows by the glyph's box.
enum pl_errc pl_glyph_draw(struct pl_writer *writer, const struct pl_text_target *target,
                           const struct pl_sized_face *sized, uint32_t glyph, struct pl_glyph_place place,
                           struct pl_box *ink, struct pl_error *err) PL_MUST_USE;

#endif
