// A text field: font, size, characters and block, as the language left them.
#ifndef PL_SCENE_TEXT_H
#define PL_SCENE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum pl_font_file_kind { PL_FONT_FILE_OUTLINE, PL_FONT_FILE_BITMAP }; // TrueType and OpenType; a printer's own bitmaps

// A downloaded or preloaded font. `id` is unique in the process, so that caches can use it as a key.
struct pl_font_file {
    enum pl_font_file_kind kind;
    uint64_t id;
    struct pl_slice name;  // "E:ARIAL.TTF"
    struct pl_slice bytes; // the font file; of bitmaps a text of cell sizes and hexadecimal rows
};

// The printer's own fonts. A language maps its names to them; further fonts get numbers of their own, and rows in
// font/face/device.c. Dumps show the number as a character.
enum pl_resident_font {
    PL_FONT_SYMBOLS = '$', // registered, copyright, trade mark, UL, CSA
    PL_FONT_SCALABLE = '0',
    PL_FONT_A = 'A', // A to H: bitmaps of fixed cells
    PL_FONT_B,
    PL_FONT_C,
    PL_FONT_D,
    PL_FONT_OCR_B,
    PL_FONT_F,
    PL_FONT_G,
    PL_FONT_OCR_A,
    PL_FONT_S = 'S',     // P to V: the scalable one in fixed sizes
    PL_FONT_EPL_1 = 'a', // a to g: fonts 1 to 7 of EPL2
    // TSPL: 1 to 10 by their numbers, and the square cells of 16 to 32 dots with half as wide Latin letters.
    PL_FONT_TSPL_1 = 'h',
    PL_FONT_TSPL_2,
    PL_FONT_TSPL_3,
    PL_FONT_TSPL_4,
    PL_FONT_TSPL_5,
    PL_FONT_TSPL_6,
    PL_FONT_TSPL_7,
    PL_FONT_TSPL_8,
    PL_FONT_TSPL_9,
    PL_FONT_TSPL_10,
    PL_FONT_TSPL_16,
    PL_FONT_TSPL_20,
    PL_FONT_TSPL_24,
    PL_FONT_TSPL_32,
    // CPCL: those of its fonts that have fixed cells.
    PL_FONT_CPCL_0,
    PL_FONT_CPCL_2,
    PL_FONT_CPCL_6,
    PL_FONT_CPCL_7
};

struct pl_font_ref {
    uint8_t resident;                         // one of the printer's own fonts: enum pl_resident_font
    const struct pl_font_file *file;          // a stored font, which then counts instead of the resident one
    const struct pl_font_file *const *linked; // fonts to look in for characters the first one lacks
    uint32_t linked_count;
    int32_t height, width; // as requested, in dots; 0: not given (one given: the other follows in proportion)
};

// LINES: broken into lines of a width, at most so many. BOX: cut where the box ends.
enum pl_block_kind { PL_BLOCK_NONE, PL_BLOCK_LINES, PL_BLOCK_BOX };
enum pl_block_align { PL_ALIGN_LEFT, PL_ALIGN_CENTER, PL_ALIGN_RIGHT, PL_ALIGN_JUSTIFY };

struct pl_block {
    enum pl_block_kind kind;
    int32_t width;
    int32_t height;    // of a box
    int32_t max_lines; // of lines
    int32_t spacing;   // of lines: extra dots between them, may be negative
    int32_t indent;    // of the second and later lines
    enum pl_block_align align;
    bool drops_rest; // of lines: those that have no room are left out; otherwise they are printed on the last one
};

enum pl_text_direction { PL_DIR_HORIZONTAL, PL_DIR_VERTICAL, PL_DIR_REVERSE };

// Characters of a field in Unicode. In a block of lines U+000A is a line break, U+00AD a soft hyphen and U+200B a place
// where the line may end; in a box U+000A is a line break too.
struct pl_text {
    struct pl_font_ref font;
    const uint32_t *chars;
    uint32_t length;
    struct pl_block block;
    enum pl_text_direction direction;
    int32_t gap;        // extra dots between characters
    bool default_glyph; // the label asks for a sign where no font has a character; drawing is the same either way
    bool no_bidi;       // right-to-left text stands in the order in which it was sent
    bool plain_zeros;   // zeros of font A have no stroke
    bool shows_cents;   // cent signs in place of backslashes
    bool no_shaping;    // letters stand alone, without the forms that their neighbours give them
    bool underline;
    uint8_t bold; // the line is drawn so many times more, each time a dot further in its reading direction
    // The line is so many dots long. It gets the first of `choices` that has room in them, or the last; without choices
    // its letters are made as wide as that takes. 0: it is as long as its font makes it.
    int32_t fit_width;
    const struct pl_font_ref *choices;
    uint32_t choice_count;
};

// How many of its characters are squares, which take two places in a row of cells.
static inline uint32_t pl_text_squares(const struct pl_text *text)
{
    enum { FIRST_SQUARE = 0x1100 };
    uint32_t squares = 0;
    for (uint32_t i = 0; i < text->length; i++)
        squares += text->chars[i] >= FIRST_SQUARE;
    return squares;
}

#endif
