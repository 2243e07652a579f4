// The canvas of smooth output: a dot is white, black, or has 4 x 4 samples of its own.
//
// Most of a label is white, bars and boxes on whole dots. Those lie on a bitmap of one bit a dot; only where the edge
// of a letter or a curve cuts dots do 64 dots of a row ("a group") get samples.
#ifndef PL_RASTER_SAMPLES_H
#define PL_RASTER_SAMPLES_H

#include "raster/grey.h"

#define PL_SAMPLE_SCALE 4u   // samples of a dot along each side
#define PL_SAMPLE_FULL 65535 // all samples of a dot: four rows of four bits, the top left one most significant

struct pl_samples {
    struct pl_bitmap black; // dots that are ink whatever their samples are. Part of a page: not its own memory
    uint16_t ***rows;       // groups of each row; a row or a group without samples is NULL
    struct pl_arena *arena; // for rows and groups
    uint16_t *fresh;        // groups that were not used yet
    uint32_t fresh_count;
    void *free;     // groups that were used before
    uint8_t *spare; // half a group, for shades
    bool failed;    // there was no memory for a group
};

// A canvas for at most `height` rows of a page.
enum pl_errc pl_samples_new(struct pl_arena *arena, uint32_t height, struct pl_samples *out,
                            struct pl_error *err) PL_MUST_USE;

// Samples `bits`, whose rows hold 16 samples a dot (pl_samples_of_bits), with the left top dot at (x, y).
void pl_samples_put(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y, enum pl_ink ink);
// A bitmap of four times the size with its corner at sample (x, y).
void pl_samples_blit(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y, enum pl_ink ink);
// Whole dots. The first two may be drawn on `black` straight away if the ink is black.
void pl_samples_fill(struct pl_samples *canvas, struct pl_box box, enum pl_ink ink);
void pl_samples_dots(struct pl_samples *canvas, const struct pl_bitmap *bits, int64_t x, int64_t y, enum pl_ink ink);
// Rows [y0, y1) of a bitmap as large as the canvas, exclusively.
void pl_samples_reverse(struct pl_samples *canvas, const struct pl_bitmap *mask, uint32_t y0, uint32_t y1);

// From a bitmap of four times the size whose corner lies `left` and `top` samples (0 to 3) inside its first dot, to
// rows of 16 samples a dot, for pl_samples_put. `bits` of the result are in the order of memory, not of words.
enum pl_errc pl_samples_of_bits(struct pl_arena *arena, const struct pl_bitmap *bits, uint32_t left, uint32_t top,
                                struct pl_bitmap *out, struct pl_error *err) PL_MUST_USE;

// Memory for a group, without ink; NULL: there is none, and the canvas has failed.
uint16_t *pl_samples_new_group(struct pl_samples *canvas);
// Counts the samples down to shades of `page` and takes them from the canvas, which shows rows from `top` on. `map`:
// where they lie on the page, with dots of the same size and without its rotation; NULL: `black` is the page's own.
void pl_samples_count(struct pl_samples *canvas, struct pl_grey *page, uint32_t top, const struct pl_grey_map *map);

#endif
