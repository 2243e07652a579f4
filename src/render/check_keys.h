// Numbers of a label that must agree: those of its barcodes, and of its radio tag.
#ifndef PL_RENDER_CHECK_KEYS_H
#define PL_RENDER_CHECK_KEYS_H

#include "render/checks.h"

// Others are compared with tags only.
enum pl_key_kind { PL_KEY_ITEM, PL_KEY_UNIT, PL_KEY_PARCEL, PL_KEY_OTHER };

struct pl_check_key {
    struct pl_slice digits;
    uint32_t index; // of its element
    enum pl_check_symbology symbology;
    enum pl_key_kind kind;
    bool marked;            // an identifier says what it is
    const char *ai;         // NULL without one
    struct pl_slice serial; // that stands behind it in the same symbol
};

enum { PL_CHECK_KEYS_MOST = 512 };
struct pl_check_keys {
    struct pl_check_key items[PL_CHECK_KEYS_MOST];
    uint32_t count;
    bool left_out; // there are more, or symbols whose keys are not among them
    bool measured; // a symbol has a weight, a length or another measure
};

void pl_check_keys_add(struct pl_check_keys *keys, struct pl_check_key key);
// An element of GS1 data, if it is a key or the serial number of one, which may stand in another symbol.
void pl_check_keys_add_element(struct pl_check_keys *keys, uint32_t index, enum pl_check_symbology symbology,
                               const char *ai, struct pl_slice value);
// The number of an EAN, UPC or ITF-14 as it is encoded: a printer works out the check digit that its field has not.
enum pl_errc pl_check_keys_add_item(const struct pl_check_run *run, struct pl_check_keys *keys, uint32_t index,
                                    struct pl_slice written) PL_MUST_USE;
// Barcodes inside graphics, where barcodes are read back: what they hold, and those that cannot be read. Their keys are
// added.
enum pl_errc pl_check_graphics(const struct pl_check_run *run, struct pl_check_keys *keys) PL_MUST_USE;
void pl_check_keys_compare(const struct pl_check_run *run, const struct pl_check_keys *keys);
// A symbol with GS1 data.
struct pl_check_symbol {
    uint32_t index; // of its element
    enum pl_check_symbology symbology;
    const struct pl_gs1_result *result;
};
// What symbols say of the same key: lot, dates, weights, counts, places.
enum pl_errc pl_check_attributes(const struct pl_check_run *run, const struct pl_check_symbol *symbols,
                                 uint32_t count) PL_MUST_USE;
// What ^RF writes: an EPC that the standard allows, with the number of a barcode of the label.
void pl_check_tags(const struct pl_check_run *run, const struct pl_check_keys *keys);
// With a rule set for logistic labels: is the SSCC there, is it the lowest barcode, does text show what barcodes have?
enum pl_errc pl_check_logistic_label(const struct pl_check_run *run, const struct pl_check_keys *keys) PL_MUST_USE;

#endif
