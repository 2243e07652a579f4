// Faces: opening them, characters to glyphs, advances, outlines.
#include "font/face/face.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "base/search.h"
#include "font/face/bitmap_font.h"
#include "font/face/faces.h"
#include "font/face/font0.h"
#include "font/face/font_hb.h"

#define BOX_ADVANCE 1100 // of a character that nothing has, in 1/2048 of the width

bool pl_face_open(struct pl_faces *faces, struct pl_face *face)
{
    if (!face->opened) {
        face->opened = true;
        if (face->bytes.len > 0)
            face->ft = pl_ft_open(faces->ft, face->bytes);
    }
    return face->ft != NULL;
}

bool pl_face_open_shaping(struct pl_faces *faces, struct pl_face *face)
{
    if (face->kind != PL_FACE_FILE || !pl_face_open(faces, face))
        return false;
    if (!face->hb)
        face->hb = pl_hb_open(face->bytes, face->file_id != 0);
    return face->hb != NULL;
}

void pl_face_close(struct pl_face *face)
{
    pl_hb_close(face->hb);
    pl_ft_close(face->ft);
    pl_bitmap_font_free(face->bitmap);
    free(face->quick_glyphs);
    face->opened = false;
    face->hb = NULL;
    face->ft = NULL;
    face->bitmap = NULL;
    face->quick_glyphs = NULL;
}

static const struct pl_font0_glyph *find_font0(uint32_t codepoint)
{
    uint32_t first;
    // ASCII from the space on is complete and comes first.
    if (codepoint >= 0x20 && codepoint < 0x7F)
        return &pl_font0_glyphs[codepoint - 0x20];
    PL_FIND_FIRST(first, pl_font0_glyph_count, pl_font0_glyphs[first].codepoint < codepoint);
    if (first < pl_font0_glyph_count && pl_font0_glyphs[first].codepoint == codepoint)
        return &pl_font0_glyphs[first];
    return NULL;
}

static bool file_glyph(struct pl_faces *faces, struct pl_face *face, uint32_t codepoint, uint32_t *glyph)
{
    if (!pl_face_open(faces, face))
        return false;
    if (codepoint >= PL_FACE_ASCII) {
        *glyph = pl_ft_glyph_index(face->ft, codepoint);
        return *glyph != 0;
    }
    if (!face->quick_glyphs)
        face->quick_glyphs = calloc(PL_FACE_ASCII, sizeof *face->quick_glyphs);
    if (!face->quick_glyphs)
        return false;
    if (face->quick_glyphs[codepoint] == 0)
        face->quick_glyphs[codepoint] = pl_ft_glyph_index(face->ft, codepoint) + 1;
    *glyph = face->quick_glyphs[codepoint] - 1;
    return *glyph != 0;
}

bool pl_face_glyph(struct pl_faces *faces, struct pl_face *face, uint32_t codepoint, uint32_t *glyph)
{
    *glyph = codepoint;
    switch (face->kind) {
    case PL_FACE_FONT0:
        return find_font0(codepoint) != NULL;
    case PL_FACE_DEVICE: {
        uint32_t drawn = pl_device_character(face->device, codepoint), index;
        return drawn == 0 || file_glyph(faces, face, drawn, &index);
    }
    case PL_FACE_SYMBOL:
    case PL_FACE_BOX:
        return true;
    case PL_FACE_FILE:
        return file_glyph(faces, face, codepoint, glyph);
    case PL_FACE_BITMAP:
        return pl_bitmap_font_lookup(face->bitmap, codepoint) != NULL;
    }
    return false;
}

int64_t pl_face_advance(struct pl_faces *faces, const struct pl_sized_face *sized, uint32_t glyph)
{
    struct pl_face *face = sized->face;
    switch (face->kind) {
    case PL_FACE_FONT0: {
        const struct pl_font0_glyph *g = find_font0(glyph);
        return g ? (int64_t)g->advance_2048 * sized->width : 0;
    }
    case PL_FACE_DEVICE:
        return (int64_t)(face->device->cell_width + face->device->gap) * sized->width * 2048;
    case PL_FACE_SYMBOL:
        return (int64_t)(pl_symbols_lookup(&faces->fonts->symbols, glyph) ? PL_SYMBOL_CELL
                                                                          : PL_SYMBOL_CELL + PL_SYMBOL_GAP) *
               sized->width * 2048;
    case PL_FACE_BOX:
        return (int64_t)BOX_ADVANCE * sized->width;
    case PL_FACE_FILE: {
        if (!pl_face_open(faces, face))
            return 0;
        int64_t units = pl_ft_advance(face->ft, glyph);
        return units * sized->width * 2048 * face->height_1000 / 1000 * face->width_1000 /
               ((int64_t)pl_ft_units_per_em(face->ft) * 1000);
    }
    case PL_FACE_BITMAP: {
        const struct pl_bitmap_glyph *g = pl_bitmap_font_lookup(face->bitmap, glyph);
        return (int64_t)(g ? g->advance : pl_bitmap_font_space(face->bitmap)) * sized->width * 2048;
    }
    }
    return 0;
}

// The outline of a glyph and its map at `scale`. False: the glyph has none.
bool pl_face_outline(struct pl_faces *faces, const struct pl_sized_face *sized, uint32_t glyph, uint32_t scale,
                     struct pl_outline *outline, struct pl_outline_map *map)
{
    struct pl_face *face = sized->face;
    int64_t width = (int64_t)sized->width * scale, height = (int64_t)sized->height * scale;
    *map = (struct pl_outline_map){0, 0, 0, 0};
    switch (face->kind) {
    case PL_FACE_FONT0: {
        const struct pl_font0_glyph *g = find_font0(glyph);
        if (!g)
            return false;
        *outline = (struct pl_outline){pl_font0_points + (size_t)g->first_point * 2,
                                       pl_font0_tags + g->first_point,
                                       pl_font0_ends + g->first_end,
                                       g->point_count,
                                       g->end_count,
                                       false};
        map->sx = pl_outline_scale(width, PL_FONT0_UNITS);
        map->sy = pl_outline_scale(height, PL_FONT0_UNITS);
        return true;
    }
    case PL_FACE_DEVICE: {
        uint32_t drawn = pl_device_character(face->device, glyph);
        if (drawn == 0 || !pl_face_open(faces, face) ||
            !pl_ft_outline(face->ft, pl_ft_glyph_index(face->ft, drawn), outline))
            return false;
        int32_t box[4];
        if (pl_device_bar(face->device, drawn, box)) {
            static const int16_t unit[8] = {0, 0, 0, 1, 1, 1, 1, 0};
            static const uint8_t on[4] = {PL_POINT_ON, PL_POINT_ON, PL_POINT_ON, PL_POINT_ON};
            static const uint16_t end[1] = {3};
            *outline = (struct pl_outline){unit, on, end, 4, 1, false};
            map->sx = pl_outline_scale((box[2] - box[0]) * width, 1000);
            map->sy = pl_outline_scale((box[3] - box[1]) * height, 1000);
            map->dx = pl_outline_shift(box[0] * width, 1000);
            map->dy = pl_outline_shift(box[1] * height, 1000);
            return true;
        }
        *map =
            pl_device_map(face->device, drawn, outline, pl_ft_units_per_em(face->ft), (int32_t)width, (int32_t)height);
        return true;
    }
    case PL_FACE_SYMBOL: {
        const struct pl_symbol *symbol = pl_symbols_lookup(&faces->fonts->symbols, glyph);
        if (!symbol)
            return false;
        *outline =
            (struct pl_outline){symbol->xy, symbol->tags, symbol->ends, symbol->point_count, symbol->end_count, false};
        map->sx = pl_outline_scale(width * PL_SYMBOL_CELL, PL_SYMBOL_UNITS);
        map->sy = pl_outline_scale(height * PL_SYMBOL_CELL, PL_SYMBOL_UNITS);
        return true;
    }
    case PL_FACE_BOX: {
        // A frame of .40 x .62 with walls of .05; the inner contour runs the other way round.
        static const int16_t frame[16] = {60, 0, 60, 620, 460, 620, 460, 0, 110, 50, 410, 50, 410, 570, 110, 570};
        static const uint8_t on[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        static const uint16_t ends[2] = {3, 7};
        *outline = (struct pl_outline){frame, on, ends, 8, 2, false};
        map->sx = pl_outline_scale(width, 1000);
        map->sy = pl_outline_scale(height, 1000);
        return true;
    }
    case PL_FACE_FILE: {
        if (!pl_face_open(faces, face) || !pl_ft_outline(face->ft, glyph, outline))
            return false;
        outline->overlaps = outline->overlaps && scale == 1; // smooth output counts dots of an enlarged bitmap anyway
        int64_t em = (int64_t)pl_ft_units_per_em(face->ft) * 1000;
        map->sx = pl_outline_scale(width * face->height_1000 / 1000 * face->width_1000, em);
        map->sy = pl_outline_scale(height * face->height_1000, em);
        return true;
    }
    case PL_FACE_BITMAP:
        return false;
    }
    return false;
}
