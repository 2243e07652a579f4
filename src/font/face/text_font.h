// A label's font reference resolved: the face, its size, and the height and baseline of a line.
#ifndef PL_FONT_FACE_TEXT_FONT_H
#define PL_FONT_FACE_TEXT_FONT_H

#include "base/arena.h"
#include "font/face/faces.h"

struct pl_text_font {
    struct pl_sized_face main;
    struct pl_sized_face fallback;            // size at which fallbacks join in (its face is not set)
    const struct pl_font_file *const *linked; // ^FL
    uint32_t linked_count;
    int32_t cell_height, baseline, pitch; // dots; the pitch is that of ^FB
    int32_t tb_pitch;                     // of ^TB
    int32_t short_pitch, short_baseline;  // of ^FB where lines of font S are shorter than its cells; 0: as others
    const char *asked_missing;            // set when another font than the one asked for is used: its name
};

enum pl_errc pl_text_font_resolve(struct pl_faces *faces, const struct pl_font_ref *ref, uint32_t dpmm,
                                  struct pl_arena *arena, struct pl_text_font *out, struct pl_error *err) PL_MUST_USE;

#endif
