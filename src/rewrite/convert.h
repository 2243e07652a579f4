// Label code of one language to label code of another, by way of the scene: every element is said in ZPL's own commands
// where these give the same dots, and is a graphic otherwise.
#ifndef PL_REWRITE_CONVERT_H
#define PL_REWRITE_CONVERT_H

#include "base/buf.h"
#include "rewrite/passes.h"

// The ink of something, cut to its box, and where that is on the page.
struct rw_ink {
    struct pl_bitmap bits; // width 0: there is none
    int32_t x, y;
};

// A font of the other language as a ZPL download: the characters that the job uses, at one size.
struct rw_font {
    struct pl_font_ref ref;
    bool plain_zeros;
    struct pl_buf glyphs; // the download behind its head
    uint32_t *chars;      // in the order of their first use
    uint32_t count, capacity;
    int32_t cell_width, cell_height, baseline, space;
    bool unusable; // it cannot be downloaded: a character does not advance by whole dots
    bool used;     // by a field that was written
};

#define RW_FONTS_MOST 64u
#define RW_FARTHEST 32000 // place of a field, width and length of a label

struct rw_conversion {
    struct platen_worker *worker;
    struct platen_document *from; // detached
    const struct platen_rewrite_options *options;
    struct pl_arena *arena;   // of fonts and boxes
    struct pl_arena *scratch; // of what one element needs
    struct pl_diags *diags;
    const struct pl_job *job;
    struct pl_buf *out;
    const char *line_end; // between fields
    int64_t time;         // of the clock, the same before and after
    struct rw_font fonts[RW_FONTS_MOST];
    uint32_t font_count;
    uint32_t label;       // at hand
    struct pl_box *inked; // the ink of its elements so far
    uint32_t inked_count;
    uint32_t *parts; // of each label: as how many it was written, where a number of copies is beyond the language
    struct pl_printing printing; // what was written of it so far
    // Elements that look otherwise and were named.
    struct rw_other {
        uint32_t label;
        struct pl_box box;
    } * other;
    uint32_t other_count, other_capacity;
};

static inline bool rw_goes_on(const struct pl_element *element)
{
    return element->at.x_goes_on || element->at.y_goes_on;
}
// The elements of a label whose texts go on where others end, each with a place of its own.
enum pl_errc rw_place_texts(struct rw_conversion *c, const struct pl_label *label, const struct pl_element *const **out,
                            struct pl_error *err) PL_MUST_USE;
// The part of a page that has ink.
enum pl_errc rw_cut(struct rw_conversion *c, const struct pl_bitmap *page, struct rw_ink *ink,
                    struct pl_error *err) PL_MUST_USE;
// Draws an element of the job alone, black on an empty page. `drawn` (may be NULL) gets what became of it.
enum pl_errc rw_ink_of(struct rw_conversion *c, const struct pl_element *element, struct rw_ink *ink,
                       struct pl_drawn *drawn, struct pl_error *err) PL_MUST_USE;
// Draws a field of ZPL alone, whose place is near that of `want`. Where its ink is that of `want`, *same is true, and
// x, y the place that puts it there; otherwise `got` (may be NULL) has what it is.
struct rw_trial {
    struct pl_slice downloads; // before the format
    struct pl_slice body;      // of the field, without its place
    bool reverse;
    bool code_page; // in ^CI27: in UTF-8 a printer draws a backslash as the cent sign
    bool same;
    int32_t x, y;
    struct rw_ink got;
};
enum pl_errc rw_try(struct rw_conversion *c, const struct rw_ink *want, struct rw_trial *trial,
                    struct pl_error *err) PL_MUST_USE;
// Writes a field at its place.
void rw_put_field(struct rw_conversion *c, const struct rw_trial *trial);
// Writes the ink as ^GF. Where ^FO cannot place it, it is left out and named.
enum pl_errc rw_put_graphic(struct rw_conversion *c, const struct rw_ink *ink, const struct pl_element *element,
                            struct pl_error *err) PL_MUST_USE;
// The dots of `box` differ, and the caller has named it.
enum pl_errc rw_looks_otherwise(struct rw_conversion *c, const struct rw_ink *ink, struct pl_error *err) PL_MUST_USE;

// Each writes an element: *done is false where ZPL has no commands that give its dots.
enum pl_errc rw_put_text(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                         bool *done, struct pl_error *err) PL_MUST_USE;
enum pl_errc rw_put_barcode(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                            const struct pl_drawn *drawn, bool *done, struct pl_error *err) PL_MUST_USE;
enum pl_errc rw_put_shape(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                          bool *done, struct pl_error *err) PL_MUST_USE;

// The command of a barcode with its data, as a field has them. False: there is none.
bool rw_barcode_code(struct pl_buf *out, const struct pl_element *element, const struct pl_drawn *drawn);
// The download of a font.
void rw_put_font(const struct rw_conversion *c, const struct rw_font *font, struct pl_buf *out);
// ^FH and ^FD with bytes, escaped where needed.
void rw_put_data(struct pl_buf *out, struct pl_slice bytes);

// Labels of any language as one graphic each, in a language that is not ZPL.
enum pl_errc rw_convert_to_graphics(struct rw_conversion *c, enum platen_language to, struct pl_error *err) PL_MUST_USE;

// Draws all labels of the job and of what was written, and notes what differs and was not named.
enum pl_errc rw_verify_conversion(struct rw_conversion *c, struct pl_error *err) PL_MUST_USE;

// All of it: `out` gets the code, doc->diags what could not be kept. doc->input is the caller's code.
enum pl_errc rw_convert(struct platen_worker *worker, struct rw_document *doc,
                        const struct platen_rewrite_options *options, struct pl_buf *out,
                        struct pl_error *err) PL_MUST_USE;

#endif
