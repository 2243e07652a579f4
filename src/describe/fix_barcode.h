// Barcodes that a fix makes larger: does the label have room for them, and which ^BY do the barcodes behind them have?
#ifndef PL_DESCRIBE_FIX_BARCODE_H
#define PL_DESCRIBE_FIX_BARCODE_H

#include "describe/fixes.h"
#include "raster/geom.h"

bool pl_fix_is_linear(const char *command);
// Whole dots that a finding's length is, one at least.
uint32_t pl_fix_dots(const struct platen_page *page, double mm);
// How far a box has to go to be within `low` and `high`; 0 where it is, or cannot be.
int64_t pl_fix_way_inside(int64_t at, int64_t size, int32_t low, int32_t high);
// Has the label room for all of the barcode when its modules have this width, and its bars are `raise` dots higher, and
// is nothing else printed there? It must then be moved by `way` (x, y) dots.
bool pl_fix_has_room(const struct platen_page *page, uint32_t index, uint32_t module, uint32_t raise, int64_t way[2]);
// The module that a ^BY must set again behind the field, since a later barcode has it of the same ^BY as the field,
// whose own command is at `at`; 0: none has. False: which one it is cannot be said.
bool pl_fix_module_after(struct pl_slice code, size_t at, const struct platen_element *e, uint32_t *module);

// Is nothing printed where the barcode with its quiet zones is to be and is not yet?
bool pl_fix_is_free(const struct platen_page *page, struct pl_box now, struct pl_box then);

#endif
