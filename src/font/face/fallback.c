// The search for a face that has a character.
#include "font/face/fallback.h"

#include <string.h>

static void note_searched(struct pl_searched *searched, uint32_t codepoint)
{
    uint32_t slot = codepoint * 2654435761u >> (32 - PL_SEARCHED_BITS);
    while (searched->slots[slot] > 0) {
        if (searched->characters[searched->slots[slot] - 1] == codepoint)
            return;
        slot = (slot + 1) % (1u << PL_SEARCHED_BITS);
    }
    if (searched->count == PL_MAX_SEARCHED)
        return;
    searched->characters[searched->count++] = codepoint;
    searched->slots[slot] = (uint16_t)searched->count;
}

void pl_fallback_begin_document(struct pl_faces *faces)
{
    if (faces->searched.count > 0)
        memset(&faces->searched, 0, sizeof faces->searched);
}

bool pl_fallback_searched_at(const struct pl_faces *faces, uint32_t index, uint32_t *character)
{
    if (index >= faces->searched.count)
        return false;
    *character = faces->searched.characters[index];
    return true;
}

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
    note_searched(&faces->searched, codepoint);
    for (uint32_t i = 0; i < faces->fonts->fallback_count; i++)
        if (pl_face_glyph(faces, &faces->fallbacks[i], codepoint, glyph)) {
            sized.face = &faces->fallbacks[i];
            return sized;
        }
    sized.face = &faces->box;
    *glyph = 0;
    return sized;
}
