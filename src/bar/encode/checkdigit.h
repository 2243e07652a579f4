// Check digits that several symbologies share. Strings hold only characters of the symbology.
#ifndef PL_BAR_ENCODE_CHECKDIGIT_H
#define PL_BAR_ENCODE_CHECKDIGIT_H

#include "base/slice.h"

// Weights 3, 1, 3, ... from the right (UPC, EAN, Interleaved 2 of 5, UCC).
char pl_check_mod10(struct pl_slice digits);
// Sum of the Code 39 values modulo 43.
char pl_check_mod43(struct pl_slice text);
// Code 11: weights 1 to `top` from the right, over and over, modulo 11; ten is '-'.
char pl_check_code11(struct pl_slice text, uint32_t top);
// MSI: doubling of every second digit (Luhn), and weights 2 to 7 modulo 11 (10 where the sum asks for ten).
uint32_t pl_check_msi_mod10(struct pl_slice digits);
uint32_t pl_check_msi_mod11(struct pl_slice digits);
// Code 93: the two check characters over symbol characters; a to d are the four shifts.
void pl_check_code93(struct pl_slice symbols, char out[2]);
// Plessey: remainder of the bits (lowest first in each digit) by x^8+x^7+x^6+x^5+x^3+1, as two hexadecimal digits.
void pl_check_plessey(struct pl_slice text, char out[2]);

#endif
