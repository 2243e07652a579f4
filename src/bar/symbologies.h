// The table of symbologies.
#ifndef PL_BAR_SYMBOLOGIES_H
#define PL_BAR_SYMBOLOGIES_H

#include "scene/barcode.h"

struct pl_bar_build;

struct pl_bar_symbology {
    enum pl_errc (*build)(struct pl_bar_build *b);
    const char *alphabet; // bytes that the symbology has; NULL: the builder knows
    uint32_t max_length;  // with an alphabet: of the data; longer data cannot be encoded
    int zint;             // libzint's number where the builder asks for it; 0: none
    bool shifts;          // the content may have marks for shifts
    bool upper;           // lower case is printed as upper case
    bool own_findings;    // the builder reports the findings itself, behind what it has to say first
    uint8_t quiet_left, quiet_right, quiet_vertical; // in modules
};

// NULL: there is no such symbology.
const struct pl_bar_symbology *pl_bar_symbology(enum pl_symbology symbology);

#endif
