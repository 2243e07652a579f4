// From a barcode of the scene to bars in dots. No drawing here: draw/draw_barcode.c puts the layout on the canvas.
#ifndef PL_BAR_BAR_H
#define PL_BAR_BAR_H

#include "base/diag.h"
#include "profile/profile.h"
#include "raster/bitmap.h"
#include "scene/barcode.h"

// Bars of one height: runs of ink in dots from the left of the bar block, in rising order, never touching.
struct pl_bar_run {
    uint32_t x, width;
};

struct pl_bar_band {
    int32_t y; // from the top of the bar block
    uint32_t height;
    const struct pl_bar_run *runs;
    uint32_t run_count;
};

// What `v` of a text is the height of.
enum pl_bar_text_anchor { PL_BAR_TEXT_BASELINE, PL_BAR_TEXT_CELL_TOP, PL_BAR_TEXT_CELL_BOTTOM };

// A piece of the interpretation line; u, v: start of the baseline, from the top left of the bar block.
struct pl_bar_text {
    struct pl_font_ref font;
    const uint32_t *chars;
    uint32_t length;
    int32_t u, v;
    bool centred; // u is the middle of the line, whose width the font decides
    bool ends;    // u is its end
    enum pl_bar_text_anchor anchor;
    uint32_t fit_width; // not 0: the font's height is what makes the line this wide
};

struct pl_bar_layout {
    uint32_t width, height; // the bar block, which is what gets placed (no text, no guard tails)
    const struct pl_bar_band *bands;
    uint32_t band_count;
    const struct pl_bitmap *picture; // instead of bands: MaxiCode
    uint32_t picture_scale;          // the context's, or 1 where the picture has whole dots at any scale
    struct pl_bar_text texts[16];
    uint32_t text_count;
    int32_t corner_dy;     // how much lower a block placed by its corner is (QR Code: by the default height)
    int32_t baseline_dy;   // and one placed by its baseline
    bool linear;           // one row of bars
    bool ignores_rotation; // QR, MaxiCode
    bool reversed_panel;   // texts hold "INVALID - X", printed white on black
    uint32_t module;       // width of the narrowest element, in dots
    uint32_t quiet_left, quiet_right, quiet_top, quiet_bottom; // what the symbology asks for, in dots
    const char *symbology; // the name for the metadata; more exact than the barcode's where it can be ("gs1-128")
    struct pl_slice text;  // what the symbol says to a human, UTF-8
    bool has_place;        // the block's own top left corner, instead of the field's
    int32_t place_x, place_y;
    const struct pl_bar_layout *next; // the next symbol of the series
};

struct pl_bar_context {
    const struct pl_profile_bar *profile;
    uint32_t dpmm;
    uint32_t scale; // as in pl_text_target; bands are in dots whatever the scale, only `picture` may be enlarged by it
    struct pl_arena *arena;
    struct pl_diags *diags;
    struct pl_source source, data_source; // of the field, and of its data
};

// Data that cannot be encoded gives a layout without bands and an error-level diagnostic, and PL_OK.
enum pl_errc pl_bar_layout(const struct pl_barcode *barcode, const struct pl_bar_context *context,
                           struct pl_bar_layout *out, struct pl_error *err) PL_MUST_USE;

// ---- what printers take at a density where a label does not say it

// Module of QR and Aztec codes, in dots.
static inline uint32_t pl_bar_matrix_default(uint32_t dpmm)
{
    return dpmm <= 6 ? 1 : dpmm <= 8 ? 2 : dpmm <= 12 ? 3 : 6;
}

static inline uint32_t pl_bar_databar_default(uint32_t dpmm)
{
    return dpmm >= 24 ? 6 : dpmm >= 12 ? 3 : 2;
}

// TLC39: narrow bars and modules of the part in two dimensions, the height of the bars, and that of a row.
static inline uint32_t pl_bar_tlc39_module(uint32_t dpmm)
{
    return dpmm >= 24 ? 4 : 2;
}

static inline uint32_t pl_bar_tlc39_height(uint32_t dpmm)
{
    return dpmm >= 24 ? 120 : dpmm >= 12 ? 60 : 40;
}

static inline uint32_t pl_bar_tlc39_row(uint32_t dpmm)
{
    return dpmm >= 24 ? 8 : 4;
}

#endif
