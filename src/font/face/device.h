// The fonts A to H and P to V: cells, gaps, baselines and the faces that stand in for them.
#ifndef PL_FONT_FACE_DEVICE_H
#define PL_FONT_FACE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "font/face/outline.h"

enum pl_blob { PL_BLOB_MONO, PL_BLOB_MONO_BOLD, PL_BLOB_OCR_B, PL_BLOB_OCR_A, PL_BLOB_COUNT };

enum pl_device_place {
    PL_PLACE_CENTRED, // in the cell, never left of it; too wide ink is squeezed
    PL_PLACE_SHIFTED, // by a constant
    PL_PLACE_FLUSH    // centred, never left of the cell, never squeezed
};

struct pl_device_font {
    uint8_t resident; // enum pl_resident_font
    uint8_t dpmm;     // 0: any density that has no row of its own
    enum pl_blob blob;
    uint8_t cell_height, cell_width, gap,
        baseline;      // dots at magnification 1; the baseline is counted from the cell's top
    int32_t size_1000; // pixels per em at magnification 1, in 1/1000
    enum pl_device_place place;
    int32_t shift_1000;  // the constant, or what the centre is off by; 1/1000 dots
    int32_t widest_1000; // PL_PLACE_CENTRED: ink wider than this part of cell and gap is squeezed
    bool upper_case;     // small letters print as capitals
    bool no_lower_case;  // small letters print nothing
};

#define PL_DEVICE_FONTS 44 // rows of the table

// NULL: the number is no font of this kind.
const struct pl_device_font *pl_device_lookup(uint8_t resident, uint32_t dpmm);
// A glyph that is no character of Unicode: a zero without its stroke, drawn as the letter O.
#define PL_DEVICE_PLAIN_ZERO 0x110030u

// The character whose glyph is printed; 0: none, but it takes its room.
uint32_t pl_device_character(const struct pl_device_font *font, uint32_t codepoint);
// How the face's outline for a character is put into its cell, at a magnification of the caller's (in dots of the
// result).
struct pl_outline_map pl_device_map(const struct pl_device_font *font, uint32_t codepoint,
                                    const struct pl_outline *outline, int32_t units_per_em, int32_t magnify_x,
                                    int32_t magnify_y);
// Characters that are drawn as a plain bar: its box in 1/1000 dots at magnification 1, above the baseline.
bool pl_device_bar(const struct pl_device_font *font, uint32_t codepoint, int32_t box_1000[4]);

// P to V: font 0 at fixed sizes.
struct pl_preset_font {
    uint8_t resident; // enum pl_resident_font
    uint8_t height, width, baseline;
};
const struct pl_preset_font *pl_preset_lookup(uint8_t resident);

#endif
