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
enum pl_errc pl_datamatrix_encode(struct pl_slice data, const struct pl_datamatrix_options *options,
                                  struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

// ^B7.
struct pl_pdf417_options {
    uint32_t columns, rows; // 0: automatic
    uint32_t security;      // 0 to 8
    bool truncated;
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
};
enum pl_errc pl_micropdf417_encode(struct pl_slice data, const struct pl_micropdf417_options *options,
                                   struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

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
