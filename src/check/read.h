// Reading a symbol back from the dots of a finished page: at its place, with whatever was printed over it.
#ifndef PL_CHECK_READ_H
#define PL_CHECK_READ_H

#include "base/job.h"
#include "check/symbology.h"
#include "raster/bitmap.h"

struct pl_read_request {
    const struct pl_bitmap *page;
    struct pl_box bars;        // the bars or modules, without captions; what lies outside the page is paper
    struct pl_box area;        // the same with the quiet zone
    enum pl_rotation rotation; // of the symbol on the finished page
    uint32_t module;           // the narrowest element, in dots
    bool mirrored;             // the page is printed as its mirror image: what is read is the image behind it
    bool as_seen;              // what is not read by its modules is looked at as a camera sees it
    bool inverted;             // white on black: QR Code, Data Matrix and Aztec allow it, the others are not read
    enum pl_check_symbology symbology;
};

enum pl_read_outcome {
    PL_READ_DECODED,
    PL_READ_UNREADABLE,
    PL_READ_NO_READER, // `reason` says why
    PL_READ_TOO_LARGE  // more dots than the reader may take
};

// As a scanner sees it, which does not know where the modules are: the symbol with its quiet zone, blurred and scaled.
// *out: 1 it is found and read, 0 it is not, -1 there is no such reader for it, or it is not tried for want of time.
enum pl_errc pl_read_as_seen(const struct pl_read_request *request, const struct pl_job *job, struct pl_arena *arena,
                             int32_t *out, struct pl_error *err) PL_MUST_USE;

// As much as the largest symbol holds (QR: 7,089 digits; MaxiCode, PDF417 and the rest less).
#define PL_READ_MAX_DATA 8192

// The data in the form of its symbology: EAN and UPC-A with their check digit; UPC-E as 8 digits; Codabar with start
// and stop; Code 39, Interleaved 2 of 5, Code 11 and MSI with check characters, since they cannot be told from data;
// GS1 with GS for FNC1 but the first; POSTNET and PLANET without the check digit; Intelligent Mail as its 20 to 31
// digits.
struct pl_read_result {
    enum pl_read_outcome outcome;
    const char *reason;   // a sentence; NULL where the symbol was decoded
    struct pl_slice data; // in the arena
    bool gs1;             // FNC1 in first position
    // Linear symbols: how many scan lines were tried, over the height of the bars, and how many gave this data. A
    // symbol that few of its lines can read is damaged.
    uint32_t lines_tried, lines_read;
    struct pl_box place; // on the page
};

// Bad symbols are an outcome; errors are memory, the deadline and cancellation. The arena gets the data alone.
enum pl_errc pl_read_symbol(const struct pl_read_request *request, const struct pl_job *job, struct pl_arena *arena,
                            struct pl_read_result *out, struct pl_error *err) PL_MUST_USE;
// Is there a reader in this build? Otherwise *reason is a sentence.
bool pl_read_has_reader(enum pl_check_symbology symbology, const char **reason);

// A UPC-A number with its check digit to the eight digits as which its UPC-E is read, the first of `digits`; false: it
// has no short form.
bool pl_read_upce_form(uint8_t digits[12]);
// The way back: the UPC-A number that the eight digits stand for.
void pl_read_upca_form(const uint8_t eight[8], uint8_t digits[12]);
// Is this what was read of a CODABLOCK with the data? Variant A fills its last row with blanks; where it has more than
// one, two check characters may follow.
bool pl_read_is_block(struct pl_slice data, struct pl_slice read, bool has_checks);

#endif
