// What the own encoders give: modules, one bit each. Every encoder has a file of its own and is a pure function of its
// input.
#ifndef PL_BAR_ENCODER_H
#define PL_BAR_ENCODER_H

#include "bar/bar.h"

// PL_E_INVALID with a sentence in `err`: the data cannot be encoded with these options (a diagnostic, not a failure of
// ours). PL_E_MEMORY: as everywhere.

// ^BX quality 200.
struct pl_datamatrix_options {
    uint32_t columns, rows; // 0: smallest that holds the data
    bool rectangular;       // when the size is free
    int escape;             // escape character (default '~'), or -1: no escape sequences
};
// Whether a symbol of ECC 200 has these rows and columns (0: any).
bool pl_datamatrix_has_size(uint32_t rows, uint32_t columns);
enum pl_errc pl_datamatrix_encode(struct pl_slice data, const struct pl_datamatrix_options *options,
                                  struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

// ^B7.
struct pl_pdf417_options {
    uint32_t columns, rows; // 0: automatic
    uint32_t security;      // 0 to 8
    bool truncated;
    bool literal; // backslashes are data; else \& is CR LF and \\ a backslash, as in ^B7's and ^BF's fields
};
// One row of modules per symbol row.
enum pl_errc pl_pdf417_encode(struct pl_slice data, const struct pl_pdf417_options *options, struct pl_arena *arena,
                              struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

// ^BF: mode 0 to 33 fixes columns and rows; -1: smallest. `linked`: the TLC39 flag; min_rows and columns for TLC39.
struct pl_micropdf417_options {
    int32_t mode;
    uint32_t columns;  // with mode -1: 0 any, else 1 to 4
    uint32_t min_rows; // with mode -1
    bool linked;
    bool literal; // as in pl_pdf417_options
};
enum pl_errc pl_micropdf417_encode(struct pl_slice data, const struct pl_micropdf417_options *options,
                                   struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

// ^FM: the data over several symbols of one size (structured append, Macro PDF417), each filled before the next begins.
// `modules` has room for `most` symbols, *count says how many were made; PL_E_INVALID if more would be needed.
enum pl_errc pl_pdf417_encode_series(struct pl_slice data, const struct pl_pdf417_options *options, uint32_t most,
                                     struct pl_arena *arena, struct pl_bitmap *modules, uint32_t *count,
                                     struct pl_error *err) PL_MUST_USE;
// The mode must be given (0 to 33).
enum pl_errc pl_micropdf417_encode_series(struct pl_slice data, const struct pl_micropdf417_options *options,
                                          uint32_t most, struct pl_arena *arena, struct pl_bitmap *modules,
                                          uint32_t *count, struct pl_error *err) PL_MUST_USE;

// ^BT: six digits in Code 39 (no check character), and over it, if the field says more than the digits, a MicroPDF417
// symbol of four columns. The layout: `micro` at the top, one Code 39 module right of the left edge; two of its rows
// left white below it; then the Code 39 bars; ten modules right of them, as high, the nine elements of a Code 39 T
// without start and stop: the flag that links the two.
struct pl_tlc39 {
    struct pl_slice number; // six digits, within the data
    bool has_micro;
    struct pl_bitmap micro; // one row of modules per symbol row
};
enum pl_errc pl_tlc39_encode(struct pl_slice data, struct pl_arena *arena, struct pl_tlc39 *out,
                             struct pl_error *err) PL_MUST_USE;

// ^BB: rows of Code 39 (A) or Code 128 (E, F). All rows have the same number of elements, bars and spaces in turn, a
// bar first. The layout: rows of equal height below each other; on each boundary between rows a bar one module high
// from the end of the start pattern to the beginning of the stop pattern; over the first and under the last row such a
// bar over the whole width (the height of the symbol is that of its rows and one module).
struct pl_codablock_options {
    char mode;              // 'A', 'E' or 'F'
    uint32_t columns, rows; // 0: automatic; A has 1 to 22 rows of 2 to 62 characters, E and F 2 to 44 rows of 4 to 62
    bool checks;            // A: two check characters for the whole block (E and F always have theirs)
};
struct pl_codablock {
    uint32_t rows, elements;
    uint32_t start_elements, stop_elements; // of each row, for the bars between the rows
    bool ratio;                             // A: widths are 1 narrow and 2 wide, as ^BY's ratio says; else modules
    const uint8_t *widths;                  // rows x elements
};
enum pl_errc pl_codablock_encode(struct pl_slice data, const struct pl_codablock_options *options,
                                 struct pl_arena *arena, struct pl_codablock *out, struct pl_error *err) PL_MUST_USE;

// ^B4: rows of 70 modules. mode '0' to '5': the data are characters of the code, with < > for Shift 1 and 2 and = for
// the numeric shift; else they are ASCII. `used`: how much of the data was a sequence that can be encoded; the rest is
// left out.
struct pl_code49 {
    struct pl_bitmap modules;
    struct pl_slice text; // what a reader says
    size_t used;
};
enum pl_errc pl_code49_encode(struct pl_slice data, char mode, struct pl_arena *arena, struct pl_code49 *out,
                              struct pl_error *err) PL_MUST_USE;

// ^BX quality 0 to 140: square symbols with convolutional codes.
struct pl_datamatrix_legacy_options {
    uint32_t quality; // 0, 50, 80, 100 or 140
    uint32_t format;  // 1 to 6
    uint32_t side;    // 9 to 49, odd; 0: smallest
    bool literal;     // as in pl_pdf417_options
};
enum pl_errc pl_datamatrix_legacy_encode(struct pl_slice data, const struct pl_datamatrix_legacy_options *options,
                                         struct pl_arena *arena, struct pl_bitmap *modules,
                                         struct pl_error *err) PL_MUST_USE;

// ^BO.
struct pl_aztec_options {
    uint32_t error_correction; // 0 default, 1-99 percent, 101-104 compact layers, 201-232 full layers, 300 rune
    bool eci;                  // data holds ECI escapes
    bool reader_init;
    uint32_t append_count; // 1: none
    uint32_t append_index;
    struct pl_slice append_id;
};
enum pl_errc pl_aztec_encode(struct pl_slice data, const struct pl_aztec_options *options, struct pl_arena *arena,
                             struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

#endif
