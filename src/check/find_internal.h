// What the searches for barcodes share.
#ifndef PL_CHECK_FIND_INTERNAL_H
#define PL_CHECK_FIND_INTERNAL_H

#include "check/find.h"
#include "check/read.h"
#include "check/read_zxing.h"

struct pl_find {
    const struct pl_bitmap *picture;
    struct pl_bitmap *inside; // of its dark blocks
    bool reversed;            // the picture is that inside, white on black
    const struct pl_job *job;
    struct pl_arena *arena;
    bool read_only; // what looks like bars and is not read is not told
    struct pl_find_result *out;
    struct pl_error *err;
};

// A part of a picture, in dots, upright or slanted: its first corner, and how far it goes across and down.
struct pl_find_part {
    double x, y;
    double across_x, across_y, down_x, down_y;
};

// Has no other one been found there?
bool pl_find_is_new(const struct pl_find *find, struct pl_box place);
struct pl_found_symbol *pl_find_add(struct pl_find *find, struct pl_found_symbol found); // NULL: there are too many
struct pl_box pl_find_part_box(struct pl_find_part part);
// The part upright, enlarged or reduced to so many dots.
enum pl_errc pl_find_resample(struct pl_find *find, const struct pl_bitmap *from, struct pl_find_part part,
                              uint32_t width, uint32_t height, struct pl_bitmap *out) PL_MUST_USE;
// Reads a bitmap that is nothing but the symbol, with modules of so many dots.
enum pl_errc pl_find_read(struct pl_find *find, const struct pl_bitmap *symbol, uint32_t module,
                          enum pl_rotation rotation, struct pl_found_symbol *found) PL_MUST_USE;

enum pl_errc pl_find_qr(struct pl_find *find) PL_MUST_USE;
// PDF417 that is upright in `turned`: the picture turned clockwise.
enum pl_errc pl_find_pdf417(struct pl_find *find, const struct pl_bitmap *turned,
                            enum pl_rotation rotation) PL_MUST_USE;
// Data Matrix, Aztec and MaxiCode in what stands alone; they and linear symbols white on black; DataBar, and linear
// symbols that are not read.
enum pl_errc pl_find_blocks(struct pl_find *find) PL_MUST_USE;
// DataBar is not among them: zxing tries all pairs of what looks like a finder pattern of it.
#define PL_FIND_LINEAR                                                                                                 \
    ((uint32_t)PL_ZXING_CODABAR | PL_ZXING_CODE39 | PL_ZXING_CODE93 | PL_ZXING_CODE128 | PL_ZXING_EAN8 |               \
     PL_ZXING_EAN13 | PL_ZXING_ITF | PL_ZXING_UPCA | PL_ZXING_UPCE)
// What zxing-cpp finds in a part of the picture.
enum pl_errc pl_find_by_zxing(struct pl_find *find, struct pl_box part, uint32_t formats, bool pure,
                              bool *read) PL_MUST_USE;

#endif
