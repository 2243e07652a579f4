// From characters to glyphs with places on a line.
#ifndef PL_FONT_LINE_LAYOUT_H
#define PL_FONT_LINE_LAYOUT_H

#include "base/job.h"
#include "font/face/text_font.h"

// Characters or glyphs that are handled between two looks at the clock, by loops that take about a microsecond for
// each.
#define PL_CHARS_PER_CHECK 256u

struct pl_item {
    struct pl_sized_face face;
    uint32_t glyph;
    uint32_t cluster; // index of the character it belongs to
    bool space;
    bool blank;      // takes room, and nothing is drawn
    int64_t advance; // all in 1/2048 dots
    int64_t x, y;    // moves the glyph; y downwards
};

struct pl_items {
    struct pl_item *at; // in visual order, from left to right
    uint32_t count, capacity;
    int64_t width;
    uint32_t missing; // a character that no font has; 0: none
};

struct pl_layout {
    struct pl_faces *faces;
    const struct pl_text_font *font;
    struct pl_arena *arena;
    const struct pl_job *job;
    const uint32_t *chars;
    uint32_t length;
    const uint8_t *levels, *bases; // of the characters and of their paragraphs; NULL: all from left to right
    int64_t gap;                   // ^FP, in 1/2048 dots
    bool simple;                   // one glyph for each character, in order
    bool ordered;                  // right-to-left text is in visual order already
    bool unshaped;                 // ^PA: no shaping: each letter in its isolated form
    bool symbols_apart;            // symbols of ^GS that follow each other each have a place
    bool tab_stops;                // tabs go to stops; otherwise they are blanks
    bool whole_advances;           // outlines advance by whole dots
    bool plain_zeros;              // zeros of font A have no stroke
    bool plain_spaces;             // spaces get nothing of the gap
    bool hyphenates;               // words that are too wide for a block of lines are cut with a hyphen
    bool wide_gaps_take_lines;     // spaces as wide as the next line of a block are a blank line
    bool blank_missing;            // characters that no font has take room, and nothing is drawn
    bool own_levels;               // lines are single letters, ordered without regard to their neighbours: ^FP V and R
    bool apart;                    // letters of neighbouring lines do not join: ^FP V
    bool base_rtl;                 // the field as a whole reads from right to left
};

// True for scripts whose letters change with their neighbours, stack, or run from right to left.
bool pl_layout_needs_shaping(uint32_t codepoint);
// Cleans the characters: composes marks, orders both directions, leaves out what never prints; finds out whether the
// text is simple.
enum pl_errc pl_layout_init(struct pl_layout *layout, struct pl_faces *faces, const struct pl_text_font *font,
                            struct pl_arena *arena, const struct pl_job *job, const uint32_t *chars, uint32_t length,
                            bool in_block, struct pl_error *err) PL_MUST_USE;
// The same of a character of the font itself with its gap; 0: the font lacks it.
int64_t pl_layout_width_of(const struct pl_layout *layout, uint32_t character);
// A hyphen at the end of a line. The OCR fonts have none, but make room for it.
enum pl_errc pl_layout_add_hyphen(const struct pl_layout *layout, struct pl_items *items,
                                  struct pl_error *err) PL_MUST_USE;
// The glyphs of chars[start, end).
enum pl_errc pl_layout_line(const struct pl_layout *layout, uint32_t start, uint32_t end, struct pl_items *out,
                            struct pl_error *err) PL_MUST_USE;

#endif
