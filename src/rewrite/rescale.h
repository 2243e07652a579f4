// The parts of rescaling: lengths, fonts, and what printers take where nothing is said.
#ifndef PL_REWRITE_RESCALE_H
#define PL_REWRITE_RESCALE_H

#include "rewrite/flow.h"
#include "rewrite/passes.h"
#include "rewrite/unit.h"

struct rescale {
    struct rw_document *doc;
    double from, to, ratio;
    struct rw_unit unit;
    uint32_t rounded; // lengths that are no whole number of dots at the new density
    double worst;     // and by how much at most
    uint32_t label;   // index of ^XA of the first label since the printer was reset; UINT32_MAX: none yet
    // What the printer remembers, in dots of the old density.
    struct {
        char letter;           // of ^CF
        int32_t height, width; // of ^CF; 0: not said
        int32_t last_height, last_width;
        bool said;       // ^CF was there, or was added
        bool named;      // ^A@ has named a font
        bool stored[36]; // letters that ^CW gave to stored fonts
    } font;
    struct {
        uint32_t module, height;
        bool module_said, height_said;
    } bars;
    struct {
        bool font, barcode;
    } field; // what it has so far
    struct pl_error *err;
};

// ---- rescale.c
// NULL: the command has no such parameter.
const struct pl_lang_param *rescale_param(const struct rw_command *c, uint32_t item);
static inline bool rescale_in_dots(const struct rescale *r)
{
    return r->unit.letter == 'D';
}
// A parameter in dots of the old density; `is_length`: it is in the unit of ^MU. False: it is not there, or no number.
bool rescale_read(const struct rescale *r, const struct rw_command *c, uint32_t item, bool is_length, double *dots);
// Sets a parameter to dots of the new density.
enum pl_errc rescale_write(struct rescale *r, struct rw_command *c, uint32_t item, double dots,
                           bool is_length) PL_MUST_USE;
// The nearest number of dots, and at least one where there was something.
double rescale_round(struct rescale *r, double exact);
enum pl_errc rescale_item(struct rescale *r, struct rw_command *c, uint32_t item) PL_MUST_USE;

// ---- rescale_font.c: ^A, ^A@, ^GS and ^CF
bool rescale_is_font(const struct rw_command *c);
// ^A048,40 and ^A0N48,40: the height stands where the orientation should be, or behind it; it gets its own place.
enum pl_errc rescale_part_height(struct rw_document *doc, struct rw_command *c, struct pl_error *err) PL_MUST_USE;
enum pl_errc rescale_font(struct rescale *r, struct rw_command *c) PL_MUST_USE;
void rescale_note_letter(struct rescale *r, const struct rw_command *c); // ^CW
// Text without a font of its own needs the size of the printer's font said.
enum pl_errc rescale_default_font(struct rescale *r, const struct rw_command *text) PL_MUST_USE;

// ---- rescale_defaults.c
// Writes what the command leaves to the printer; then it is scaled as any other.
enum pl_errc rescale_say_defaults(struct rescale *r, uint32_t index) PL_MUST_USE;
enum pl_errc rescale_default_bars(struct rescale *r, const struct rw_command *barcode) PL_MUST_USE;
void rescale_reset(struct rescale *r);

#endif
