// The outlines of font 0 as tools/font0 makes them.
#ifndef PL_FONT_FACE_FONT0_H
#define PL_FONT_FACE_FONT0_H

#include <stdint.h>

#define PL_FONT0_UNITS 16384 // x in 1/16384 of the width parameter, y of the height; the baseline is 0, y grows upwards

struct pl_font0_glyph {
    uint32_t codepoint;
    uint16_t advance_2048; // of the width parameter
    uint32_t first_point;
    uint16_t point_count;
    uint32_t first_end;
    uint16_t end_count;
};

extern const uint32_t pl_font0_glyph_count;
extern const struct pl_font0_glyph pl_font0_glyphs[]; // sorted by code point
extern const int16_t pl_font0_points[];               // x, y
extern const uint8_t pl_font0_tags[];                 // as in struct pl_outline
extern const uint16_t pl_font0_ends[];

#endif
