// The checks of a drawn page: what is wrong with the place, size and data of its barcodes, and whether they can be
// read.
#ifndef PL_RENDER_CHECKS_H
#define PL_RENDER_CHECKS_H

#include "check/gs1.h"
#include "check/symbology.h"
#include "render/render.h"

// What the checks of one page share.
struct pl_check_run {
    struct platen_worker *worker;
    const struct platen_document *document;
    struct platen_page *page;
    struct pl_error *err;
};

// Runs those that the document's options ask for; findings become diagnostics of the page. The elements are there.
enum pl_errc pl_page_checks(struct platen_worker *worker, const struct platen_document *document,
                            struct platen_page *page, struct pl_error *err) PL_MUST_USE;

// Adds a diagnostic about element `index`. `missing_mm`: 0 where it is no length. NULL: it was dropped.
struct pl_diag *pl_check_find(const struct pl_check_run *run, uint32_t index, enum pl_diag_id id,
                              struct pl_source source, double missing_mm, const char *fmt, ...) PL_PRINTF(6, 7);
// Takes diagnostics of this kind about an element out: another finding says the same.
void pl_check_drop(const struct pl_check_run *run, uint32_t index, enum pl_diag_id id);
// Dots as millimetres of the document's print head.
double pl_check_mm(const struct pl_check_run *run, double dots);
// The symbology of a barcode that was drawn; PL_CHECK_SYMBOLOGY_COUNT: none that is known here.
enum pl_check_symbology pl_check_symbology(const struct pl_element_report *report);
// Can a symbol of it be a GS1 Digital Link?
bool pl_check_may_hold_link(enum pl_check_symbology symbology);

// What a symbol holds by its field, in the form in which pl_read_symbol gives it.
struct pl_symbol_data {
    struct pl_slice data;
    struct pl_slice written; // the same with the check digit that the field has, or the address of a MaxiCode
    size_t hidden;           // bytes before it that the symbology adds and no field has
    bool gs1;                // FNC1 stands before the data
    bool exact; // what is read must be the same; otherwise there are check characters, fillers or other forms
    bool sure;  // false: there are character sets or shifts in it, so that another reading says nothing
};
enum pl_errc pl_symbol_data(const struct pl_barcode *barcode, struct pl_arena *arena, struct pl_symbol_data *out,
                            struct pl_error *err) PL_MUST_USE;
// 1: `read` is what the symbol shall hold; 0: it is not; -1: cannot be said. `text`: what it says to a human.
int32_t pl_symbol_matches(const struct pl_barcode *barcode, const struct pl_symbol_data *data, struct pl_slice text,
                          struct pl_slice read);

enum pl_diag_id pl_check_gs1_diag(enum pl_gs1_code code); // that tells what is wrong with GS1 data
// Is the finding a warning: a form that only older versions of the standard had, or was the link perhaps not meant as
// GS1 data, since its GTIN is short?
bool pl_check_gs1_doubtful(const struct pl_gs1_result *result, const struct pl_gs1_finding *finding);
// Where byte `at` of a barcode's data stands in the input; otherwise the field as a whole.
struct pl_source pl_check_place(const struct pl_check_run *run, const struct pl_element *e, struct pl_slice data,
                                size_t at);
// Data without FNC1 before it that is meant as GS1: that is told, and *out is the element string, with GS between its
// elements. It stays empty for other data.
enum pl_errc pl_check_meant_as_gs1(const struct pl_check_run *run, uint32_t index, enum pl_check_symbology symbology,
                                   struct pl_slice data, struct pl_slice *out) PL_MUST_USE;
// Marks and words that programs leave where a value should be, blanks alone, and separators that are written out.
void pl_check_filled(const struct pl_check_run *run, uint32_t index, const struct pl_symbol_data *data);
enum pl_errc pl_check_filled_texts(const struct pl_check_run *run) PL_MUST_USE;
enum pl_errc pl_check_lost_scheme(const struct pl_check_run *run, uint32_t index, struct pl_slice data) PL_MUST_USE;
// Brackets in the bars of a GS1 symbol.
enum pl_errc pl_check_encoded_brackets(const struct pl_check_run *run, uint32_t index,
                                       struct pl_slice data) PL_MUST_USE;

// The parts of pl_page_checks.
void pl_check_placement(const struct pl_check_run *run);
// Of the rules "none": only what the caller asked for by itself.
void pl_check_modules_alone(const struct pl_check_run *run);
void pl_check_label(const struct pl_check_run *run);
void pl_check_printer(const struct pl_check_run *run); // the document has a model
enum pl_errc pl_check_text(const struct pl_check_run *run) PL_MUST_USE;
// Dates and keys of texts that GS1 symbols beside them have otherwise.
enum pl_errc pl_check_shown(const struct pl_check_run *run) PL_MUST_USE;
// Texts, and text lines of barcodes, that other elements make unreadable.
void pl_check_garbled(const struct pl_check_run *run);
// Does something that is drawn later hide digits of a text of this element, which has this box in dots of the format: a
// filled box or ellipse, or what erases the ground below it?
bool pl_check_is_covered(const struct pl_check_run *run, uint32_t index, struct pl_box text);
// Has the page ink all over digits of this text? `looked_at`: dots of texts that were asked before.
bool pl_check_is_blackened(const struct pl_check_run *run, uint32_t index, uint64_t *looked_at);
enum pl_errc pl_check_data(const struct pl_check_run *run) PL_MUST_USE;
enum pl_errc pl_check_read_back(const struct pl_check_run *run) PL_MUST_USE;

#endif
