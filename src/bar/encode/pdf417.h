// PDF417 and MicroPDF417, alone and in series: one row of modules per symbol row.
#ifndef PL_BAR_ENCODE_PDF417_H
#define PL_BAR_ENCODE_PDF417_H

#include "bar/encode/pdf417_parts.h"

// PL_E_INVALID with a sentence in `err`, from all of these: the data cannot be encoded with these options.

struct pl_pdf417_options {
    uint32_t columns, rows; // 0: automatic
    uint32_t security;      // 0 to 8
    bool truncated;
    struct pl_pdf_rules rules;
};
enum pl_errc pl_pdf417_encode(struct pl_slice data, const struct pl_pdf417_options *options, struct pl_arena *arena,
                              struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

struct pl_micropdf417_options {
    int32_t size;      // place in the standard's list of columns and rows, from 0 to 33; -1: smallest
    uint32_t columns;  // with size -1: 0 any, else 1 to 4
    uint32_t min_rows; // with size -1
    bool linked;       // to a linear symbol, as in TLC39
    struct pl_pdf_rules rules;
};
enum pl_errc pl_micropdf417_encode(struct pl_slice data, const struct pl_micropdf417_options *options,
                                   struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

// The data over several symbols of one size (structured append, Macro PDF417), each filled before the next begins.
// `modules` has room for `most` symbols, *count says how many were made; PL_E_INVALID if more would be needed.
enum pl_errc pl_pdf417_encode_series(struct pl_slice data, const struct pl_pdf417_options *options, uint32_t most,
                                     struct pl_arena *arena, struct pl_bitmap *modules, uint32_t *count,
                                     struct pl_error *err) PL_MUST_USE;
// The size must be given (0 to 33).
enum pl_errc pl_micropdf417_encode_series(struct pl_slice data, const struct pl_micropdf417_options *options,
                                          uint32_t most, struct pl_arena *arena, struct pl_bitmap *modules,
                                          uint32_t *count, struct pl_error *err) PL_MUST_USE;

// ---- Between pdf417.c, micropdf417.c and pdf417_series.c ----

// A symbol of fixed size, for the parts of a structured append.
struct pl_pdf_shape {
    bool micro;
    uint32_t columns, rows, checks;
    uint32_t detail; // PDF417: security level; MicroPDF417: size
    bool truncated;
};
// False if there is no such symbol.
bool pl_pdf417_shape(const struct pl_pdf417_options *options, uint32_t words, struct pl_pdf_shape *out);
bool pl_micropdf417_shape(const struct pl_micropdf417_options *options, uint32_t words, struct pl_pdf_shape *out);
// Adds the check codewords to words, which fill the shape but for them and have room for them, and draws the symbol.
enum pl_errc pl_pdf417_draw(const struct pl_pdf_shape *shape, uint16_t *words, struct pl_arena *arena,
                            struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;
// Fills free codewords; in_turn: with the series of eight, otherwise with 900.
void pl_micropdf417_pad(const struct pl_pdf_shape *shape, bool in_turn, uint16_t *words, uint32_t count);
enum pl_errc pl_micropdf417_draw(const struct pl_pdf_shape *shape, uint16_t *words, struct pl_arena *arena,
                                 struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

#endif
