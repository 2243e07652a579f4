// From a label of the scene to the finished page: the drawing loop, page transformations, and the report on elements.
#ifndef PL_DRAW_PAGE_H
#define PL_DRAW_PAGE_H

#include "draw/draw.h"
#include "raster/grey.h"

struct pl_page_options {
    uint32_t width, height; // of the page in dots, before `rotation`
    uint32_t dpmm;
    bool grey;
    enum pl_rotation rotation; // of the finished page
    bool want_report;
    bool want_checks; // with the report: overprinted bars
};

// What drawing uses; all of it belongs to the calling thread for the time of the call.
struct pl_page_tools {
    struct pl_writer *writer;
    struct pl_arena *arena;   // the page and its report live here
    struct pl_arena *scratch; // a second arena, for what one element needs
    struct pl_diags *diags;
    const struct pl_job *job;
};

// What is known of an element of a finished page. All boxes are in dots of the page as it came out.
struct pl_element_report {
    const struct pl_element *element;
    struct pl_drawn drawn;     // boxes in dots of the label format, before page transformations
    struct pl_box box;         // ink, on the page; empty: nothing was drawn
    int32_t head_end;          // the dot of the print head after the last one that prints ink of it
    struct pl_box symbol;      // barcodes: without the interpretation line
    enum pl_rotation rotation; // on the page
    bool inside_label;
    struct pl_box quiet_zone; // barcodes: the bars with the white around them that the symbology asks for
    bool quiet_zone_ok;       // barcodes: there is a symbol, and no other ink in its quiet zone
    const uint32_t *overlaps; // indexes of other elements that ink of this one meets, at most PL_REPORT_OVERLAPS
    uint32_t overlap_count;
    uint32_t overlaps_left_out; // how many more there are; all of them are not counted on very full labels
    // barcodes
    struct pl_box bars;         // on the page, without captions and guard bars that reach into them
    const struct pl_box *parts; // of a series: the bars of each symbol on the page; otherwise `bars` alone
    uint32_t part_count;        // 0: there is no symbol
    uint32_t module;            // in dots of the page
    uint32_t quiet_missing;     // dots that other ink takes from the quiet zone, at the worst side
    uint32_t quiet_depth;       // dots of the zone at that side
    uint32_t quiet_span;        // how far along that side there is ink in the inner half of the zone,
    uint32_t quiet_length;      // and how long the side is
    uint8_t quiet_side;         // 0 left, 1 right, 2 above, 3 below, on the page
    uint32_t cut_length;        // dots of the bars that lie outside of the print area: along the reading direction,
    uint32_t cut_height;        // and across it
    uint32_t overprinted;       // dots of the bars that something else changes; with want_checks
    uint32_t overprinter;       // index of an element that meets the bars, where some are changed
    bool inverted;              // ^FR on black: bars are white, and what is around them is ink; with want_checks
    // texts, and barcodes with a text line; with want_checks
    bool garbled;     // other ink makes letters of it unreadable, or has taken them away
    uint32_t garbler; // index of the element that meets most of it
};

// More than half of the quiet zone is gone, along more than a third of the side.
static inline bool pl_quiet_side_is_lost(const struct pl_element_report *r)
{
    return r->quiet_missing * 2 > r->quiet_depth && r->quiet_span * 3 > r->quiet_length;
}

#define PL_REPORT_OVERLAPS 16u

struct pl_drawn_page {
    bool is_grey;
    struct pl_bitmap bits; // when not grey
    struct pl_grey grey;
    struct pl_element_report *reports; // one for each element, if asked for
    uint32_t report_count;
    struct pl_box area; // where the label prints, which a narrow print width makes less than the page; with reports
};

// Has the page ink in a box that is on it? Shades count.
static inline bool pl_page_has_ink(const struct pl_drawn_page *page, struct pl_box box)
{
    return !pl_box_is_empty(box) &&
           (page->is_grey ? pl_grey_has_ink(&page->grey, box) : pl_bitmap_has_ink(&page->bits, box));
}

enum pl_errc pl_page_draw(const struct pl_scene *scene, const struct pl_label *label,
                          const struct pl_page_options *options, const struct pl_page_tools *tools,
                          struct pl_drawn_page *page, struct pl_error *err) PL_MUST_USE;

// One symbol of a series with the white around it, on the page.
struct pl_box pl_part_quiet_zone(const struct pl_element_report *report, uint32_t part);

// Where the format's dots lie on the finished page.
struct pl_page_map {
    uint32_t width, height; // page before the caller's rotation
    uint32_t dot_size;
    int32_t offset_x;    // of the print area, in page dots
    uint32_t area_width; // of the print area, in page dots
    bool mirrored, upside_down;
    enum pl_rotation rotation;
};
struct pl_box pl_page_map_box(const struct pl_page_map *map, struct pl_box box);
// The canvas of a bitonal page, with the transformations that make it the page. `page` may share its dots.
enum pl_errc pl_page_finish_bits(const struct pl_page_map *map, const struct pl_page_tools *tools,
                                 const struct pl_bitmap *canvas, struct pl_drawn_page *page,
                                 struct pl_error *err) PL_MUST_USE;

// Fills the checks of all reports; `page` is finished.
enum pl_errc pl_page_check(const struct pl_page_map *map, struct pl_drawn_page *page, const struct pl_page_tools *tools,
                           struct pl_error *err) PL_MUST_USE;

#endif
