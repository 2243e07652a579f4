// Lengths in dots and in millimetres, as print heads have them.
#ifndef PL_LENGTHS_H
#define PL_LENGTHS_H

#include <stdint.h>

// Dots per inch of a print head, a whole number as the reference has it: 152, 203, 304 and 609. 0: the density is none
// of the usual ones.
uint32_t pl_nominal_dpi(double dpmm);
uint32_t pl_whole_dpmm(double dpmm); // of the print head nearest to it
// Dots per metre of the nominal print head, so that a file's stated size is the label's.
uint32_t pl_density_per_metre(double dpmm);
// Dots of a length, as the reference rounds them.
double pl_dots(double mm, double dpmm);
// As the print head of this density prints them.
double pl_dots_mm(double dots, double dpmm);

#endif
