// What the files of layout/ share while they turn one barcode into one layout.
#ifndef PL_BAR_LAYOUT_BUILD_H
#define PL_BAR_LAYOUT_BUILD_H

#include "bar/bar.h"

struct pl_bar_build;

// A row of the table of symbologies.
struct pl_bar_symbology {
    enum pl_errc (*build)(struct pl_bar_build *b);
    const char *alphabet;                            // bytes that the symbology has; NULL: the builder knows
    uint32_t max_length;                             // with an alphabet: of the data; longer data cannot be encoded
    int zint;                                        // libzint's number where the builder asks for it; 0: none
    uint8_t quiet_left, quiet_right, quiet_vertical; // in modules
    bool shifts;                                     // the content may have marks for shifts
    bool upper;                                      // lower case is printed as upper case
    bool own_findings; // the builder reports the findings itself, behind what it has to say first
};

// NULL: there is no such symbology. In bar/symbologies.c.
const struct pl_bar_symbology *pl_bar_symbology(enum pl_symbology symbology);

struct pl_bar_build {
    const struct pl_barcode *barcode;
    const struct pl_bar_context *context;
    const struct pl_bar_symbology *row;
    struct pl_bar_layout *out;
    struct pl_error *err;
    uint8_t quiet_left, quiet_right, quiet_vertical; // in modules: the row's, unless the builder knows better
    uint32_t module;                                 // in dots; 1 to PL_BAR_MODULE_MAX
    uint32_t height;                                 // of the bars, in dots
    bool ended;                                      // without a symbol: by pl_bar_give_up
};

// Carries out a step; if that ends the build, there is nothing more to do.
#define PL_BAR_TRY(b, expression)                                                                                      \
    do {                                                                                                               \
        PL_TRY(expression);                                                                                            \
        if ((b)->ended)                                                                                                \
            return PL_OK;                                                                                              \
    } while (0)

#define PL_BAR_MODULE_MAX 100
#define PL_BAR_HEIGHT_MAX 32000

// Reports what was found while the data was resolved; it may end the build.
enum pl_errc pl_bar_report_findings(struct pl_bar_build *b) PL_MUST_USE;
// Ends the build without a symbol: an error-level diagnostic, and where bad data is not tolerated the panel instead.
// Returns PL_OK (or PL_E_MEMORY).
enum pl_errc pl_bar_give_up(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...) PL_PRINTF(3, 4);
// An encoder's failure: data that it cannot hold is given up as that fault, anything else is an error. `name`: the
// symbology's in the diagnostic.
enum pl_errc pl_bar_refused(struct pl_bar_build *b, enum pl_errc code, const struct pl_error *reason,
                            enum pl_bar_fault fault, const char *name);
// Where bad data is not tolerated, a fault replaces the symbol by the panel: true if so, and then the build is over.
bool pl_bar_invalid(struct pl_bar_build *b, enum pl_bar_fault fault, const char *fmt, ...) PL_PRINTF(3, 4);
struct pl_diag *pl_bar_note(struct pl_bar_build *b, enum pl_diag_id id, const char *fmt, ...) PL_PRINTF(3, 4);

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

// The content with the characters outside of the row's alphabet left out (and said so). Marks for shifts are bytes from
// PL_BAR_SHIFT on, which no alphabet has. `room`: bytes that may be appended later. Data of which nothing is left
// ends the build.
#define PL_BAR_SHIFT 0x80
enum pl_errc pl_bar_filter(struct pl_bar_build *b, size_t room, struct pl_bar_string *out) PL_MUST_USE;

// Alternating elements in dots, a bar first: one band as high as the bars, and the width of the block.
enum pl_errc pl_bar_set_elements(struct pl_bar_build *b, const uint32_t *widths, uint32_t count) PL_MUST_USE;
// Modules of a linear symbol (one row), each `module` dots wide.
enum pl_errc pl_bar_set_modules(struct pl_bar_build *b, const struct pl_bitmap *modules) PL_MUST_USE;
// A matrix or stacked symbol: rows of modules `w` by `h` dots. Equal rows share a band.
enum pl_errc pl_bar_set_matrix(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t w,
                               uint32_t h) PL_MUST_USE;
// Appends one band that shows a row of `modules`, each `module` dots wide, at y. Room for bands is the caller's to make
// with pl_bar_reserve_bands.
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
// Resident font A enlarged by the module: the font of interpretation lines.
struct pl_font_ref pl_bar_caption_font(const struct pl_bar_build *b);
// Width of a wide element: floor(module x ratio).
uint32_t pl_bar_wide(const struct pl_bar_build *b);

// One row of modules from libzint, by the row's number; what it refuses ends the build.
enum pl_errc pl_bar_zint_modules(struct pl_bar_build *b, struct pl_slice data, int option_2,
                                 struct pl_bitmap *modules) PL_MUST_USE;
// Bars of elements (widths in dots, a bar first) that begin at `from`; NULL: no memory. *end: behind the last element.
struct pl_bar_run *pl_bar_new_runs(struct pl_bar_build *b, const uint32_t *widths, uint32_t count, uint32_t from,
                                   uint32_t *run_count, uint32_t *end);
// Appends a band, for which there is room.
void pl_bar_put_band(struct pl_bar_build *b, int64_t y, uint32_t height, const struct pl_bar_run *runs, uint32_t count);
// Code 39 with start and stop, in dots, a bar first.
enum pl_errc pl_bar_code39_elements(struct pl_bar_build *b, struct pl_slice data, uint32_t narrow, uint32_t wide,
                                    uint32_t **widths, uint32_t *count) PL_MUST_USE;

// An option that was not given is 0 for the encoders.
static inline uint32_t pl_bar_or_zero(int32_t value)
{
    return value > 0 ? (uint32_t)value : 0;
}
// The choices of PDF417 encoders (bar/encode/pdf417.h) by the profile.
struct pl_pdf_rules;
struct pl_pdf_rules pl_bar_pdf_rules(const struct pl_bar_build *b);
// Size of a module of the matrix codes: the one given, or one that depends on the density.
uint32_t pl_bar_matrix_module(const struct pl_bar_build *b, int32_t magnification);

#endif
