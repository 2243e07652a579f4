// Pages that are kept to be compared: what the files of the comparison share.
#ifndef PL_RENDER_COMPARE_H
#define PL_RENDER_COMPARE_H

#include "render/render.h"

// An element with what tells it from others.
struct pl_kept_element {
    struct platen_element element;
    int32_t origin_x, origin_y; // the field's own position, before page transformations
    uint64_t data_hash;
    uint64_t look; // of everything else that shapes it: rotation, font, thickness, dots of an image
    uint32_t index;
};

struct platen_snapshot {
    struct pl_arena arena;
    struct pl_bitmap bits;
    uint32_t density; // dots per metre; 0: not known
    struct pl_kept_element *elements;
    uint32_t element_count;
    bool has_elements;
};

// Which element of one page is which of the other: `partners` has an entry for each element of `a`, the index in `b` or
// PL_NO_PARTNER; `taken` one for each element of `b`. `scratch` gives working memory.
#define PL_NO_PARTNER UINT32_MAX
enum pl_errc pl_match_elements(const struct platen_snapshot *a, const struct platen_snapshot *b,
                               struct pl_arena *scratch, uint32_t *partners, bool *taken,
                               struct pl_error *err) PL_MUST_USE;
// What differs between two elements: a sum of PLATEN_DIFFERS_….
uint32_t pl_element_differences(const struct pl_kept_element *a, const struct pl_kept_element *b);

// Boxes around the dots in which two bitmaps differ, in *areas (in `arena`), the largest `most` of them first.
enum pl_errc pl_find_areas(const struct pl_bitmap *a, const struct pl_bitmap *b, uint32_t most, struct pl_arena *arena,
                           struct platen_area **areas, uint32_t *kept, uint32_t *all, struct pl_error *err) PL_MUST_USE;

// 64 dots of a row; white beyond the bitmap.
static inline uint64_t pl_compare_word(const struct pl_bitmap *bm, uint32_t y, uint32_t word)
{
    return y < bm->height && word < bm->stride ? pl_bitmap_row(bm, y)[word] : 0;
}

#endif
