// What a printer remembers from one input to the next, as label code: an input that begins with it continues where the
// input before ended. It is written with the control codes that stand for prefixes and delimiters (STX, ETX, RS, DLE,
// US), so it means the same whatever ^CC, ^CT and ^CD say.
#ifndef PL_ZPL_MEMORY_H
#define PL_ZPL_MEMORY_H

#include "base/buf.h"
#include "raster/bitmap.h"
#include "store/store.h"
#include "zpl/zpl.h"

// The settings that hold at the end of the input, and its prefixes.
void pl_zpl_write_settings(const struct zpl *z, struct pl_buf *out);
// Those that ^JUS saved; nothing where none were.
void pl_zpl_write_saved(const struct zpl *z, struct pl_buf *out);
// A stored object as its download. `picture` is what ^IS saved, drawn. An object that cannot be written so (a ~DB font
// sent under other prefixes that holds the usual ones) is left out.
void pl_zpl_write_object(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out);

// The rows of a bitmap as bytes, the leftmost dot in the highest bit.
void zpl_put_bitmap_rows(struct pl_buf *out, const struct pl_bitmap *bits);

// Settings that others ask for.
struct pl_zpl_settings {
    uint32_t print_width, label_length; // in dots; 0: not set
    int32_t darkness_tenths, tear_off;
    char mode, tracking, media; // letters of ^MM, ^MN and ^MT
    uint8_t speed, slew, backfeed;
    uint8_t prefixes[3]; // format, control, delimiter
};
void pl_zpl_settings(const struct zpl *z, struct pl_zpl_settings *out);

// The index-th answer to the host; false: there are no more.
bool pl_zpl_reply_at(const struct zpl *z, uint32_t index, enum pl_zpl_reply *kind, struct pl_slice *text);

#endif
