// Generator polynomials of the PDF417 and MicroPDF417 check codewords.
#ifndef PL_BAR_ENCODE_PDF417_GENERATORS_H
#define PL_BAR_ENCODE_PDF417_GENERATORS_H

#include <stdint.h>

struct pl_pdf_generator {
    uint16_t checks;
    uint16_t offset; // into pl_pdf_generators
};

// Coefficients from x^(checks-1) down to x^0, negated mod 929 so that division adds; the leading 1 is left out.
extern const uint16_t pl_pdf_generators[];
extern const struct pl_pdf_generator pl_pdf_generator_index[];
extern const uint32_t pl_pdf_generator_count;

#endif
