// The symbol font of ^GS: composed once at start from the outlines of other faces, rings and arcs.
#ifndef PL_FONT_FACE_SYMBOLS_H
#define PL_FONT_FACE_SYMBOLS_H

#include <stdbool.h>

#include "font/face/font_ft.h"

#define PL_SYMBOL_UNITS 7200 // per cell; the baseline is the cell's bottom
#define PL_SYMBOL_CELL 24    // dots at magnification 1, both ways
#define PL_SYMBOL_GAP 2
#define PL_SYMBOL_POINTS 640
#define PL_SYMBOL_ENDS 40

struct pl_symbol {
    int16_t xy[PL_SYMBOL_POINTS * 2];
    uint8_t tags[PL_SYMBOL_POINTS];
    uint16_t ends[PL_SYMBOL_ENDS];
    uint32_t point_count, end_count;
};

struct pl_symbols {
    struct pl_symbol of[5]; // ^FD A to E: registered, copyright, trade mark, UL, CSA
};

// `face` supplies the first three and the small letter of the last two.
void pl_symbols_compose(struct pl_symbols *symbols, struct pl_ft_face *face);
// NULL for a character that the font leaves blank.
const struct pl_symbol *pl_symbols_lookup(const struct pl_symbols *symbols, uint32_t character);

#endif
