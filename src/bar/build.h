// What the files of bar/ share while they turn one spec into one layout. Private to bar/.
#ifndef PL_BAR_BUILD_H
#define PL_BAR_BUILD_H

#include "bar/bar.h"

struct pl_bar_build;

// One row of the table of symbologies (bar.c).
struct pl_bar_symbology {
    enum pl_errc (*build)(struct pl_bar_build *b);
    const char *alphabet;                            // characters that the symbology has; NULL: any byte
    uint32_t max_length;                             // of the data in bytes; longer data cannot be encoded
    int zint;                                        // libzint's number, 0: an encoder of our own
    bool upper;                                      // lower case is printed as upper case
    bool ratio;                                      // wide elements follow the ratio of ^BY
    uint8_t quiet_left, quiet_right, quiet_vertical; // in modules
};

struct pl_bar_build {
    const struct pl_barcode *spec;
    const struct pl_bar_context *context;
    const struct pl_bar_symbology *row;
    struct pl_bar_layout *out;
    struct pl_error *err;
    uint8_t quiet_left, quiet_right, quiet_vertical; // in modules: the row's, unless the builder knows better
    uint32_t module;                                 // in dots; 1 to PL_BAR_MODULE_MAX
    uint32_t height;                                 // of the bars, in dots
};

#define PL_BAR_MODULE_MAX 100
#define PL_BAR_HEIGHT_MAX 32000

// Why a symbol cannot be printed, with the letters that ^CVY prints.
enum pl_bar_fault {
    PL_BAR_BAD_CHARACTER = 'C',
    PL_BAR_BAD_CHECK = 'E',
    PL_BAR_TOO_LONG = 'L',
    PL_BAR_TOO_SHORT = 'S',
    PL_BAR_BAD_PARAMETER = 'P'
};

// Ends the build without a symbol: an error-level diagnostic, and under ^CVY the panel instead. Returns PL_OK (or
// PL_E_MEMORY).
enum pl_errc pl_bar_give_up(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...) PL_PRINTF(3, 4);
// An encoder's failure: data that it cannot hold is given up as that fault, anything else is an error. `name`: the
// symbology's in the diagnostic.
enum pl_errc pl_bar_refused(struct pl_bar_build *b, enum pl_errc code, const struct pl_error *reason,
                            enum pl_bar_fault fault, const char *name);
// Under ^CVY a fault replaces the symbol by the panel: true if so, and then the build is over.
bool pl_bar_invalid(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...) PL_PRINTF(3, 4);
void pl_bar_note(struct pl_bar_build *b, enum pl_diag_id id, const char *fmt, ...) PL_PRINTF(3, 4);

// A growing string of bytes in the arena with a fixed capacity; one NUL is always behind it.
struct pl_bar_string {
    uint8_t *ptr;
    uint32_t len, cap;
};
enum pl_errc pl_bar_string_new(struct pl_bar_build *b, size_t cap, struct pl_bar_string *out) PL_MUST_USE;
void pl_bar_string_put(struct pl_bar_string *s, uint8_t byte);
void pl_bar_string_append(struct pl_bar_string *s, struct pl_slice bytes);
static inline struct pl_slice pl_bar_string_slice(const struct pl_bar_string *s)
{
    return (struct pl_slice){s->ptr, s->len};
}

// The data with the characters outside of the row's alphabet left out (and said so). `room`: bytes that may be appended
// later. *ended is set when nothing can be drawn.
enum pl_errc pl_bar_filter(struct pl_bar_build *b, size_t room, struct pl_bar_string *out, bool *ended) PL_MUST_USE;

// Alternating elements in dots, a bar first: one band as high as the bars, and the width of the block.
enum pl_errc pl_bar_set_elements(struct pl_bar_build *b, const uint32_t *widths, uint32_t count) PL_MUST_USE;
// Modules of a linear symbol (one row), each `module` dots wide.
enum pl_errc pl_bar_set_modules(struct pl_bar_build *b, const struct pl_bitmap *modules) PL_MUST_USE;
// A matrix or stacked symbol: rows of modules `w` by `h` dots. Equal rows share a band.
enum pl_errc pl_bar_set_matrix(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t w,
                               uint32_t h) PL_MUST_USE;
// Appends one band that shows `modules` from column `from` (inclusive) to `to`, each `module` dots, at y. Room for
// bands is the caller's to make with pl_bar_reserve_bands.
enum pl_errc pl_bar_reserve_bands(struct pl_bar_build *b, uint32_t count) PL_MUST_USE;
enum pl_errc pl_bar_add_band(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t row, int32_t y,
                             uint32_t height) PL_MUST_USE;

// The human-readable text of the metadata.
enum pl_errc pl_bar_set_text(struct pl_bar_build *b, struct pl_slice bytes) PL_MUST_USE;
// The interpretation line, if the field wants one: centred under or over the bars. Bytes are ASCII, Latin-1 or UTF-8;
// the two marks stand for signs that only some symbologies print around their data.
enum pl_errc pl_bar_add_caption(struct pl_bar_build *b, struct pl_slice bytes, uint32_t mark_before,
                                uint32_t mark_after) PL_MUST_USE;
// One piece of text with its baseline starting at (u, v).
enum pl_errc pl_bar_add_text(struct pl_bar_build *b, const struct pl_font_ref *font, struct pl_slice bytes, int32_t u,
                             int32_t v) PL_MUST_USE;
// UTF-8 (or Latin-1, where it is not UTF-8) to characters; control bytes are left out.
enum pl_errc pl_bar_chars(struct pl_bar_build *b, struct pl_slice bytes, const uint32_t **chars,
                          uint32_t *length) PL_MUST_USE;
// Resident font A enlarged by the module: the font of interpretation lines.
struct pl_font_ref pl_bar_caption_font(const struct pl_bar_build *b);
// Width of a wide element: floor(module x ratio).
uint32_t pl_bar_wide(const struct pl_bar_build *b);

// Code 39 with start and stop, in dots, a bar first.
enum pl_errc pl_bar_code39_elements(struct pl_bar_build *b, struct pl_slice data, uint32_t narrow, uint32_t wide,
                                    uint32_t **widths, uint32_t *count) PL_MUST_USE;

// The builders, one per kind of symbology.
enum pl_errc pl_bar_build_code11(struct pl_bar_build *b);
enum pl_errc pl_bar_build_2of5(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code39(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code93(struct pl_bar_build *b);
enum pl_errc pl_bar_build_codabar(struct pl_bar_build *b);
enum pl_errc pl_bar_build_msi(struct pl_bar_build *b);
enum pl_errc pl_bar_build_plessey(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code49(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code128(struct pl_bar_build *b);
enum pl_errc pl_bar_build_upcean(struct pl_bar_build *b);
enum pl_errc pl_bar_build_extension(struct pl_bar_build *b);
enum pl_errc pl_bar_build_postal(struct pl_bar_build *b);
enum pl_errc pl_bar_build_qr(struct pl_bar_build *b);
enum pl_errc pl_bar_build_maxicode(struct pl_bar_build *b);
enum pl_errc pl_bar_build_databar(struct pl_bar_build *b);
enum pl_errc pl_bar_build_datamatrix(struct pl_bar_build *b);
enum pl_errc pl_bar_build_aztec(struct pl_bar_build *b);
enum pl_errc pl_bar_build_pdf417(struct pl_bar_build *b);
enum pl_errc pl_bar_build_micropdf417(struct pl_bar_build *b);
enum pl_errc pl_bar_build_codablock(struct pl_bar_build *b);
enum pl_errc pl_bar_build_tlc39(struct pl_bar_build *b);

#endif
