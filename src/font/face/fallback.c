// The search for a face that has a character.
#include "font/face/fallback.h"

struct pl_sized_face pl_fallback_find(struct pl_faces *faces, const struct pl_text_font *font, uint32_t codepoint,
                                      uint32_t *glyph)
{
    struct pl_sized_face sized = font->fallback;
    for (uint32_t i = 0; i < font->linked_count; i++) {
        struct pl_face *face = pl_faces_of_file(faces, font->linked[i]);
        if (face && face->kind == PL_FACE_FILE && pl_face_glyph(faces, face, codepoint, glyph)) {
            sized.face = face;
            return sized;
        }
    }
    for (uint32_t i = 0; i < faces->fonts->fallback_count; i++)
        if (pl_face_glyph(faces, &faces->fallbacks[i], codepoint, glyph)) {
            sized.face = &faces->fallbacks[i];
            return sized;
        }
    sized.face = &faces->box;
    *glyph = 0;
    return sized;
}
