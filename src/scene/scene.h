// The scene: what a label shows, as elements in dots, before anything is drawn. Written by the languages, read by
// draw/.
#ifndef PL_SCENE_SCENE_H
#define PL_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/slice.h"
#include "raster/bitmap.h"
#include "raster/geom.h"
#include "scene/barcode.h"
#include "scene/text.h"

enum pl_element_kind {
    PL_ELEMENT_TEXT,
    PL_ELEMENT_BARCODE,
    PL_ELEMENT_BOX,
    PL_ELEMENT_ELLIPSE, // circles too
    PL_ELEMENT_DIAGONAL,
    PL_ELEMENT_IMAGE
};

// CENTER: the middle of the element is at x; for elements with a pivot only.
enum pl_justify { PL_JUSTIFY_LEFT, PL_JUSTIFY_RIGHT, PL_JUSTIFY_AUTO, PL_JUSTIFY_CENTER };

// Where a field stands. Label home, shift and top are already added in.
struct pl_placement {
    int32_t x, y;
    bool
        typeset; // the anchor is the left end of the baseline, or the bottom left corner; otherwise the top left corner
    bool x_goes_on; // text, instead of at x or y: where the last text ended
    bool y_goes_on;
    bool pivot; // text and barcodes: the anchor is the top left corner of the unrotated element, which rotates about it
    bool middle; // barcodes with a pivot: the anchor is the middle of the bars
    enum pl_justify justify;
};

// Where the numbers of that place stand in the input, for those who change them; the picture does not depend on it.
struct pl_place_source {
    struct pl_source source;                         // the command with its parameters; length 0: not in the input
    uint32_t x_offset, x_length, y_offset, y_length; // length 0: the number is not written
    int32_t x, y;                                    // in dots, before label home, shift and top
    float unit_dots;                                 // dots that a unit of the numbers stands for
};

struct pl_shape {
    int32_t width, height, thickness;
    bool white;       // drawn in the colour of the paper
    uint8_t rounding; // of a box: 0 to 8 eighths of half its shorter side
    int32_t radius;   // of a box, instead of `rounding`: of its corners, in dots; 0: not given
    bool stroke;      // a diagonal: a line from corner to corner, `thickness` across, whose ink is all in its box
    bool leans_left;  // a diagonal: from top left to bottom right; otherwise from bottom left to top right
    bool circle;      // it was asked for as a circle
};

// Black all over.
static inline struct pl_shape pl_solid_shape(int32_t width, int32_t height)
{
    return (struct pl_shape){.width = width, .height = height, .thickness = width < height ? width : height};
}

// A diagonal whose middle goes from one end to the other, in any order: it begins half its thickness before them.
static inline struct pl_shape pl_line_shape(struct pl_box ends, int32_t thickness)
{
    return (struct pl_shape){.width = abs(ends.x1 - ends.x0) + thickness,
                             .height = abs(ends.y1 - ends.y0) + thickness,
                             .thickness = thickness,
                             .stroke = true,
                             .leans_left = (ends.x0 <= ends.x1) == (ends.y0 <= ends.y1)};
}

// Of a frame between two corners: its ink ends at them. Where they are on a line, that is as thick as was asked for.
static inline int32_t pl_frame_thickness(int32_t width, int32_t height, int32_t thickness)
{
    int32_t most = width < height ? width : height;
    return most > 0 && thickness > most ? most : thickness;
}

struct pl_label;

// Either bits or a picture: a label that was saved when it was drawn, without its page transformations.
struct pl_image {
    const struct pl_bitmap *bits;
    const struct pl_label *picture;
    uint32_t mx, my;      // magnification
    struct pl_slice name; // under which it was stored, "R:LOGO.GRF"; empty: it came with the field
};

struct pl_element {
    enum pl_element_kind kind;
    enum pl_rotation rotation; // text and barcodes
    bool reverse;              // exclusive or with what is below
    bool replaces;             // text and barcodes: what is below their cells and bars is erased first
    bool variable;             // gone where the next label goes on with the elements of this one
    struct pl_placement at;
    struct pl_source
        source; // the whole field, from its first command to its end; `command` is the one that makes it what it is
    struct pl_place_source placed_by;
    uint32_t data_offset, data_length; // another field that gave its data to this one; length 0: it has its own
    union {
        struct pl_text text;
        struct pl_barcode barcode;
        struct pl_shape shape;
        struct pl_image image;
    };
};

// Where the element's data stands: that is where data which cannot be printed is put right.
static inline struct pl_source pl_element_data_source(const struct pl_element *e)
{
    struct pl_source source = e->source;
    if (e->data_length) {
        source.offset = e->data_offset;
        source.length = e->data_length;
    }
    return source;
}

// What a radio tag in the label gets. It is not drawn.
struct pl_tag {
    const struct pl_tag *next;
    struct pl_source source;
    struct pl_slice hex; // digits of its EPC
    bool empty;          // nothing gives data to it; otherwise no digits: they are not known
};

// How a printer prints a label; no dot depends on it.
struct pl_printing {
    int32_t darkness_tenths;
    uint8_t speed;
    char mode, tracking; // letters, as settings of languages have them
};

struct pl_label {
    const struct pl_element *const *elements; // in drawing order
    uint32_t element_count;
    uint32_t index;            // number of the label in the input, from 0, before copies
    uint32_t copies;           // identical labels to print, at least 1
    bool upside_down;          // turned by 180 degrees
    bool mirrored;             // left and right change places
    uint32_t print_width;      // in dots; 0: not given
    uint32_t length;           // in dots; 0: not given. Drawing does not use it
    uint32_t dot_size;         // 1, or 2: each dot of the label is 2 x 2 dots of the head
    struct pl_source source;   // from its first command to its last
    const struct pl_tag *tags; // last first
    struct pl_printing printing;
};

struct pl_profile;

struct pl_scene {
    const struct pl_profile *profile; // by which it was read, and is to be drawn
    struct pl_label *labels;
    uint32_t label_count;
    // Labels that were saved as pictures, in the order of saving: a picture refers only to earlier ones.
    const struct pl_label *const *pictures;
    uint32_t picture_count;
};

// Text dump for golden tests and `platen inspect --scene`: one line per label and element, stable across versions.
struct pl_buf;
void pl_scene_dump(const struct pl_scene *scene, struct pl_buf *out);

#endif
