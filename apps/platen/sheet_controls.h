// Controls of a PDF's pages, as texts: for queries, bodies, Labelary's headers and the command line.
#ifndef PLATEN_SHEET_CONTROLS_H
#define PLATEN_SHEET_CONTROLS_H

#include <platen/platen.h>

#include "base/slice.h"

// False: the text cannot be read.
bool sheet_page_size(struct pl_slice text, struct platen_pdf_layout *out); // A4, Letter, 210x297
bool sheet_grid(struct pl_slice text, struct platen_pdf_layout *out);      // 2x3, auto
bool sheet_gap(struct pl_slice text, struct platen_pdf_layout *out);       // 3, 3x2
bool sheet_across(struct pl_slice text, enum platen_align *out);           // left, center, right, justify
bool sheet_down(struct pl_slice text, enum platen_align *out);             // top, center, bottom, justify
bool sheet_border(struct pl_slice text, enum platen_border *out);          // none, solid, dashed
bool sheet_length(struct pl_slice text, double *mm);
bool sheet_start(struct pl_slice text, uint32_t *first); // a position from 1
// Turns the page where it should lie.
void sheet_turn(struct platen_pdf_layout *layout, bool landscape);

#define SHEET_SIZES "A4, A5, A6, Letter, Legal or WIDTHxHEIGHT in millimetres"

#endif
