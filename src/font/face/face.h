// A face: where glyphs come from. Characters to glyphs, their advances and outlines, whatever the face is made of.
#ifndef PL_FONT_FACE_FACE_H
#define PL_FONT_FACE_FACE_H

#include "base/slice.h"
#include "font/face/device.h"
#include "font/face/font_ft.h"
#include "font/face/outline.h"

struct pl_bitmap_font;
struct pl_faces;
struct pl_hb_font;

enum pl_face_kind {
    PL_FACE_FONT0,
    PL_FACE_DEVICE, // A to H
    PL_FACE_SYMBOL, // ^GS
    PL_FACE_FILE,   // TrueType or OpenType: downloaded, or one that is searched for missing characters
    PL_FACE_BITMAP, // ~DB
    PL_FACE_BOX     // what is drawn when nothing has the character
};

#define PL_FACE_ASCII 256

struct pl_face {
    enum pl_face_kind kind;
    uint64_t key; // unique in the process
    bool opened;  // the file was looked at; it may still be unusable
    struct pl_slice bytes;
    struct pl_ft_face *ft;
    struct pl_hb_font *hb;
    const struct pl_device_font *device;
    struct pl_bitmap_font *bitmap;
    uint64_t file_id;       // of a downloaded font
    int32_t height_1000;    // PL_FACE_FILE: em in 1/1000 of the height asked for
    int32_t width_1000;     // PL_FACE_FILE: x once more in 1/1000
    uint32_t *quick_glyphs; // PL_FACE_FILE: glyph + 1 of the characters below PL_FACE_ASCII; 0: not looked up
};

// A face at a size. For PL_FACE_DEVICE, PL_FACE_SYMBOL and PL_FACE_BITMAP the sizes are magnifications.
struct pl_sized_face {
    struct pl_face *face;
    int32_t width, height;
};

// Opens the file of a face on first use; false when it cannot be used.
bool pl_face_open(struct pl_faces *faces, struct pl_face *face);
// For HarfBuzz, too.
bool pl_face_open_shaping(struct pl_faces *faces, struct pl_face *face);
// Gives back what the face has opened. It can be opened again.
void pl_face_close(struct pl_face *face);

// The glyph of a character; false when the face lacks it. Glyphs of font 0, device and symbol faces are characters.
bool pl_face_glyph(struct pl_faces *faces, struct pl_face *face, uint32_t codepoint, uint32_t *glyph);
// The outline of a glyph, and the map that gives it its size times `scale`. False: the glyph has none.
bool pl_face_outline(struct pl_faces *faces, const struct pl_sized_face *sized, uint32_t glyph, uint32_t scale,
                     struct pl_outline *outline, struct pl_outline_map *map);
// In 1/2048 dots.
int64_t pl_face_advance(struct pl_faces *faces, const struct pl_sized_face *sized, uint32_t glyph);

#endif
