// Drawing: from a label of the scene to a finished bitmap. This file is the contract between the drawing loop and the
// files that draw one kind of element each.
#ifndef PL_DRAW_DRAW_H
#define PL_DRAW_DRAW_H

#include "base/diag.h"
#include "base/job.h"
#include "font/draw/text.h"
#include "profile/profile.h"
#include "raster/samples.h"
#include "scene/scene.h"

// What an element is drawn on, and with what. The loop prepares it: under ^FR and ^LR `canvas` is a mask that the loop
// combines with the page afterwards, so a drawing function never deals with reverse printing itself, only with `ink`
// (colour W is the shapes' own affair).
struct pl_draw {
    const struct pl_profile *profile;
    int32_t top; // row of the canvas where the label begins: not 0 where the canvas shows a lower part of it
    struct pl_bitmap *captions; // of barcodes, bitonal: where they are drawn, if not on `canvas`
    struct pl_bitmap *canvas;   // whole dots. With `samples` it is their black ones: other inks go to the samples
    struct pl_samples *samples; // smooth output: what does not lie on whole dots; NULL: none
    enum pl_ink ink;
    bool any_coverage; // text: a dot that the outline touches at all is ink
    uint32_t dpmm;
    struct pl_arena *arena; // scratch memory of this element: given back when it is drawn
    struct pl_diags *diags;
    const struct pl_job *job;
    struct pl_writer *writer; // fonts
    struct pl_pen *pen;       // where the last text or shape ended
    bool want_report;         // someone will read the strings of pl_drawn; they may be left out otherwise
};

// What became of an element. All boxes are in dots of the label (scale 1), not clipped to it. Strings may live
// in draw->arena: the loop copies them.
struct pl_drawn {
    struct pl_box ink;         // all ink, in its final place on the label; empty if nothing was drawn
    struct pl_box paper;       // what was erased before it was drawn
    struct pl_box text_paper;  // the same, for the text of a barcode
    struct pl_box symbol;      // barcodes: the ink without the interpretation line
    struct pl_box bars;        // barcodes: the symbol without guard bars that reach into the interpretation line
    bool clipped;              // text was cut off or overprinted for want of room in its block
    enum pl_rotation rotation; // as drawn (a QR code ignores the field's)
    // barcodes only
    const char *symbology;
    struct pl_slice text;  // what it says to a human
    struct pl_box caption; // the interpretation line
    // The symbols of a series that the field draws (^FM): the bars of each; none: `bars` is the one symbol.
    const struct pl_box *parts;
    uint32_t part_count;
    uint32_t module;          // dots
    int32_t moved_x, moved_y; // dots by which the bars were moved onto the label
    // Quiet zone that the symbology asks for, in dots, on the sides of the symbol as it lies on the label.
    uint32_t quiet_left, quiet_right, quiet_top, quiet_bottom;
};

// Where the fonts draw texts of an element.
struct pl_text_target pl_draw_text_target(const struct pl_draw *draw, struct pl_bitmap *canvas, enum pl_ink ink);

// Draws one element of its kind. PL_OK also where nothing could be drawn (with a diagnostic); errors are memory, time,
// bugs. Placement may lie anywhere, also far outside the canvas: never move it back inside, clipping is the bitmap's
// work.
enum pl_errc pl_draw_text(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn,
                          struct pl_error *err) PL_MUST_USE;
enum pl_errc pl_draw_barcode(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn,
                             struct pl_error *err) PL_MUST_USE;
enum pl_errc pl_draw_shape(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn,
                           struct pl_error *err) PL_MUST_USE;
// `bits`: the image's own, or the drawn picture of ^IS.
enum pl_errc pl_draw_image(const struct pl_draw *draw, const struct pl_element *element, const struct pl_bitmap *bits,
                           struct pl_drawn *drawn, struct pl_error *err) PL_MUST_USE;

#endif
