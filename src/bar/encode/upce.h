// UPC-E: its short form of a UPC-A number, and its modules.
#ifndef PL_BAR_ENCODE_UPCE_H
#define PL_BAR_ENCODE_UPCE_H

#include "base/arena.h"
#include "raster/bitmap.h"

// Digits of UPC-A behind the number system (manufacturer, product) to the six of UPC-E; false: they have no short form.
bool pl_upce_shorten(const uint8_t ten[10], uint8_t six[6]);
// Number system and six digits to the UPC-A number that they stand for, without check digit.
void pl_upce_expand(const uint8_t seven[7], uint8_t eleven[11]);
// Number system, six digits and check digit to one row of modules.
enum pl_errc pl_upce_modules(const uint8_t digits[8], struct pl_arena *arena, struct pl_bitmap *modules,
                             struct pl_error *err) PL_MUST_USE;

#endif
