// The EPC of a radio tag by the GS1 EPC Tag Data Standard: the schemes whose keys barcodes have, too.
#ifndef PL_CHECK_EPC_H
#define PL_CHECK_EPC_H

#include "base/slice.h"

#define PL_EPC_BYTES 32u // at most; the longest scheme has 202 bits

struct pl_epc {
    const char *scheme;  // "SGTIN-96"
    const char *ai;      // the application identifier of its key: "01"
    const char *problem; // a sentence; NULL: it can be read
    char key[32];        // as an element string has it, with its check digit: a GTIN of 14 digits, an SSCC of 18
    char serial[24];     // of SGTIN, SGLN, GRAI and GDTI; "" where there is none
};

// False: another scheme, or of another length than the scheme has.
bool pl_epc_read(const uint8_t *bytes, size_t size, struct pl_epc *out);

#endif
