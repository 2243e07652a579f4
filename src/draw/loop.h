// The drawing loop: elements of a label on a canvas, in order.
#ifndef PL_DRAW_LOOP_H
#define PL_DRAW_LOOP_H

#include "draw/page.h"

// What ^IS saved, and its dots once it is drawn.
struct pl_picture {
    const struct pl_label *label;
    uint32_t index; // in the order of saving
    bool needed;
    struct pl_bitmap bits;
};

// The canvas of a format, or a band of it, and what goes on from element to element.
struct pl_draw_loop {
    const struct pl_scene *scene;
    const struct pl_page_tools *tools;
    const struct pl_page_options *options;
    struct pl_bitmap *canvas;
    struct pl_samples *samples;        // smooth output; its black dots are the canvas
    int32_t band_top;                  // first row of the band, in dots of the format
    struct pl_bitmap mask;             // blank between two uses; made when first needed
    struct pl_bitmap caption_mask;     // the same, for captions that are reversed after their bars
    const struct pl_picture *pictures; // those of ^IS by the address of their label; NULL: the label shows none
    struct pl_pen pen;
    struct pl_diags mute;             // keeps nothing
    uint32_t area_width, area_height; // of the format in its dots; 0: do not look what lies outside
};

// Draws the pictures of ^IS that the label shows, before the label itself; canvas and area are set.
enum pl_errc pl_loop_draw_pictures(struct pl_draw_loop *loop, const struct pl_label *label,
                                   struct pl_error *err) PL_MUST_USE;
// One pass over the elements; in bands after the first, only over those whose ink reaches the band. `drawn` gets what
// became of each and `pens` where the pen stood after each; both may be NULL where there is one band only.
enum pl_errc pl_loop_draw(struct pl_draw_loop *loop, const struct pl_label *label, struct pl_drawn *drawn,
                          struct pl_pen *pens, struct pl_error *err) PL_MUST_USE;

// One element as if nothing else were there, without ^FR. Not for pictures.
enum pl_errc pl_loop_draw_alone(struct pl_draw_loop *loop, const struct pl_element *element,
                                struct pl_error *err) PL_MUST_USE;

// Which barcodes have other ink in their bars: fills `overprinted` of the reports. `page` is finished and checked.
enum pl_errc pl_page_check_overprints(const struct pl_draw_loop *loop, const struct pl_page_map *map,
                                      struct pl_drawn_page *page, struct pl_error *err) PL_MUST_USE;

#endif
