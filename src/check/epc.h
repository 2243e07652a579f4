// The EPC of a radio tag by the GS1 EPC Tag Data Standard: the schemes whose keys barcodes have, too.
#ifndef PL_CHECK_EPC_H
#define PL_CHECK_EPC_H

#include "base/slice.h"

#define PL_EPC_BYTES 32u // at most; the longest scheme has 202 bits

enum pl_epc_state {
    PL_EPC_OTHER,       // of no scheme that is known here
    PL_EPC_READ,        // `problem` says whether it is right
    PL_EPC_KEY_READ,    // its serial number has a form that is not read
    PL_EPC_LENGTH,      // of another length than the scheme has
    PL_EPC_NOT_DECODED, // only its name is known
};

struct pl_epc {
    const char *scheme;  // "SGTIN-96"
    const char *ai;      // the application identifier of its key: "01"
    const char *problem; // a sentence; NULL: it can be read
    char key[32];        // as an element string has it, with its check digit: a GTIN of 14 digits, an SSCC of 18
    char serial[24];     // of SGTIN, SGLN, GRAI and GDTI; "" where there is none
    uint32_t bits;       // that the scheme has; 0: as many as it needs
};

// `bytes` has the first PL_EPC_BYTES of the bits at least.
enum pl_epc_state pl_epc_read(const uint8_t *bytes, size_t bits, struct pl_epc *out);

#endif
