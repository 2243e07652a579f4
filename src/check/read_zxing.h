// Reading a symbol by zxing-cpp, behind a C interface. Built with -Dreader; without it every call says ABSENT.
#ifndef PL_CHECK_READ_ZXING_H
#define PL_CHECK_READ_ZXING_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sets of formats; the values are this interface's own.
enum pl_zxing_format {
    PL_ZXING_NONE = 0,
    PL_ZXING_AZTEC = 1 << 0,
    PL_ZXING_CODABAR = 1 << 1,
    PL_ZXING_CODE39 = 1 << 2,
    PL_ZXING_CODE93 = 1 << 3,
    PL_ZXING_CODE128 = 1 << 4,
    PL_ZXING_DATABAR = 1 << 5,
    PL_ZXING_DATABAR_EXPANDED = 1 << 6,
    PL_ZXING_DATAMATRIX = 1 << 7,
    PL_ZXING_EAN8 = 1 << 8,
    PL_ZXING_EAN13 = 1 << 9,
    PL_ZXING_ITF = 1 << 10,
    PL_ZXING_MAXICODE = 1 << 11,
    PL_ZXING_PDF417 = 1 << 12,
    PL_ZXING_QR = 1 << 13,
    PL_ZXING_UPCA = 1 << 14,
    PL_ZXING_UPCE = 1 << 15
};

enum pl_zxing_status {
    PL_ZXING_READ,
    PL_ZXING_NOT_FOUND,
    PL_ZXING_TOO_LARGE, // more dots than PL_ZXING_MAX_DOTS, or more data than there is room for
    PL_ZXING_FAILED,    // no memory
    PL_ZXING_ABSENT     // built without it
};

// zxing takes two bytes a dot, and cannot be stopped: this bounds its memory (16 MiB) and its time.
#define PL_ZXING_MAX_DOTS (UINT32_C(8) << 20)
#define PL_ZXING_MAX_SIDE 16384

struct pl_zxing_job {
    // Rows of 64-bit words, the leftmost dot in the most significant bit, 1 = ink.
    const uint64_t *words;
    uint32_t stride; // words per row
    uint32_t width, height;
    uint32_t formats; // enum pl_zxing_format
    uint32_t module;  // pl_zxing_see: dots of a module
    bool pure;        // nothing but the symbol, upright: faster, and the only way for MaxiCode
};

struct pl_zxing_result {
    uint8_t *data; // room of the caller
    uint32_t capacity, length;
    uint32_t format;        // pl_zxing_find: enum pl_zxing_format
    bool gs1;               // FNC1 in first position; others are GS (0x1D) in the data
    int32_t x0, y0, x1, y1; // where it was found, in the job's dots
    // pl_zxing_find, of linear symbols: rows of dots across its bars, with what lies over them; those that have the
    // bars.
    uint32_t rows, rows_same;
};

bool pl_zxing_present(void);
const char *pl_zxing_version(void); // "" without it
enum pl_zxing_status pl_zxing_read(const struct pl_zxing_job *job, struct pl_zxing_result *result);
// The same as a camera sees it: blurred, at a few pixels a module, with a threshold of its own. ABSENT also where the
// picture is too large or too full of what looks like finder patterns, which would take too long.
enum pl_zxing_status pl_zxing_see(const struct pl_zxing_job *job, struct pl_zxing_result *result);
// All that it finds in a picture, upright or turned by quarters. Never QR Code (its detector ends the program by an
// assertion), PDF417 and DataBar (they take too long). `found` is called for each, until it says false: it wants no
// more; the data is the call's.
typedef bool pl_zxing_found(void *context, const struct pl_zxing_result *result);
enum pl_zxing_status pl_zxing_find(const struct pl_zxing_job *job, pl_zxing_found *found, void *context);

#ifdef __cplusplus
}
#endif
#endif
