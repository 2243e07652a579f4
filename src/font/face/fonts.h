// The fonts of an engine: those of the program, and those that are searched for characters which a label's own font
// lacks. Read-only after start, shared by all threads.
#ifndef PL_FONT_FACE_FONTS_H
#define PL_FONT_FACE_FONTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/slice.h"

struct pl_fonts;

// A font file to search. Sizes of 0 are those of the table in system_fonts.c if it has the name, otherwise 1000.
struct pl_given_font {
    const char *name; // without its folder
    struct pl_slice bytes;
    int32_t height_1000, width_1000; // of the em, in 1/1000 of the size that the label asks for
};

// Where the fonts to search come from, instead of the system's folder. Asked for 0, 1, … until it returns false.
// Names and bytes must outlive the fonts.
struct pl_font_provider {
    bool (*font_at)(void *context, uint32_t index, struct pl_given_font *out);
    void *context;
};

// `provider` may be NULL: the fonts of the system.
enum pl_errc pl_fonts_new(const struct pl_font_provider *provider, struct pl_fonts **out,
                          struct pl_error *err) PL_MUST_USE;
// PL_E_INVALID: the bytes are no whole TrueType or OpenType font.
enum pl_errc pl_font_check(struct pl_slice bytes, struct pl_error *err) PL_MUST_USE;
void pl_fonts_free(struct pl_fonts *fonts);

// Dots of a cell of a resident font (A to H, P to V, 0, and $ for symbols) where a label asks for this size; 0: it does
// not say.
void pl_font_cell(uint8_t resident, uint32_t dpmm, int32_t *height, int32_t *width);

// Appends the TrueType or OpenType file that a WOFF or WOFF2 file holds. PL_E_INVALID: it cannot be read.
struct pl_buf;
enum pl_errc pl_fonts_unpack(struct pl_slice woff, struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

#endif
