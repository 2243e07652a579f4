// Linear barcodes of B: types and what they mean.
#ifndef PL_EPL_CODES_H
#define PL_EPL_CODES_H

#include "scene/barcode.h"

// What is done with the data before it is content of the symbology.
enum epl_rule {
    EPL_PLAIN,
    EPL_FULL_ASCII, // Code 39 and 93: pairs of characters for all others
    EPL_AUTO_128,   // 06h is FNC1
    EPL_GS1_128,    // the same, FNC1 first
    EPL_SSCC,       // 00 before 17 digits, a check digit behind them
    EPL_SUBSET_128, // the subset is given; \A, \B and \C switch
    EPL_POST_128,   // a check digit before the country's letters
    EPL_POST_2OF5,  // 11 or 13 digits and a check digit
    EPL_CONTAINER,  // 13 digits and a check digit
    EPL_NO_HYPHENS,
    EPL_UNSUPPORTED
};

struct epl_code {
    const char *name;
    enum pl_symbology symbology;
    enum epl_rule rule;
    char variant;      // subset, or kind of postal code
    bool check;        // a check digit is added
    uint8_t extension; // digits of the symbol behind it: 2 or 5
    uint8_t digits;    // EAN and UPC: of the main symbol, without its check digit
};

#endif
