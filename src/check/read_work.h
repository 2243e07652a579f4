// What the steps of reading one symbol share.
#ifndef PL_CHECK_READ_WORK_H
#define PL_CHECK_READ_WORK_H

#include "check/read_zxing.h"
#include "check/readers.h"

// How many eighths of a module ink covers if it is dark: half; more; less. Symbols are read with the first three.
enum { PL_READ_THRESHOLDS = 3, PL_READ_ALL_THRESHOLDS = 5 };
static const uint32_t PL_READ_EIGHTHS[PL_READ_ALL_THRESHOLDS] = {4, 6, 2, 7, 1};

struct pl_read_work {
    const struct pl_read_request *request;
    struct pl_box from; // the part of the page that is read
    const struct pl_reader *reader;
    const struct pl_job *job;
    struct pl_arena *arena;
    struct pl_bitmap crop; // upright, with `margin` of paper around the area
    uint32_t margin;
    uint32_t module; // at least 1
    struct pl_read_text text;
    struct pl_read_result *out;
    struct pl_error *err;
};

// ---- read_crop.c

// Is it no more than the readers take?
bool pl_read_is_small(struct pl_box box, uint32_t margin);
// The part of the page, upright, into the crop; the bars alone.
enum pl_errc pl_read_take_crop(struct pl_read_work *w) PL_MUST_USE;
enum pl_errc pl_read_take_bars(struct pl_read_work *w) PL_MUST_USE;
// The symbol by its modules instead of its dots: few, whatever was printed over it, so that the time is short and
// bounded.
enum pl_errc pl_read_take_grid(struct pl_read_work *w, struct pl_read_sampling sampling) PL_MUST_USE;
// The text is the result; `place` is in the crop.
void pl_read_decoded(struct pl_read_work *w, struct pl_box place, bool gs1);
bool pl_read_is_read(const struct pl_read_work *w);
// Some rows of the crop. *read: there is a symbol in them.
enum pl_errc pl_read_ask_zxing(struct pl_read_work *w, uint32_t y, uint32_t height, bool pure,
                               struct pl_zxing_result *result, bool *read) PL_MUST_USE;
enum pl_errc pl_read_ask_whole(struct pl_read_work *w, bool pure) PL_MUST_USE;
enum pl_errc pl_read_ask_grid(struct pl_read_work *w, bool pure) PL_MUST_USE; // the crop is a grid
bool pl_reader_is_matrix(const struct pl_reader *reader); // QR Code, Data Matrix, Aztec: may be white on black

// ---- the ways to read

enum pl_errc pl_read_lines(struct pl_read_work *w) PL_MUST_USE;
enum pl_errc pl_read_whole(struct pl_read_work *w) PL_MUST_USE;
// The crop as a camera sees it.
enum pl_errc pl_read_see(struct pl_read_work *w, enum pl_zxing_status *status) PL_MUST_USE;

#endif
