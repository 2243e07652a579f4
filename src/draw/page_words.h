// Boxes of a finished page as words of its rows, 64 dots each.
#ifndef PL_DRAW_PAGE_WORDS_H
#define PL_DRAW_PAGE_WORDS_H

#include "draw/page.h"
#include "raster/bits.h"

// The words of the page's rows that hold the dots of a box.
struct pl_page_words {
    uint32_t first, last, y0, y1;
    uint64_t left, right; // the bits of the first and the last that are in it
};

// False: nothing of the box is on the page.
static inline bool pl_page_words_of(const struct pl_drawn_page *page, struct pl_box box, struct pl_page_words *out)
{
    uint32_t width = page->is_grey ? page->grey.width : page->bits.width;
    uint32_t height = page->is_grey ? page->grey.height : page->bits.height;
    box = pl_box_intersect(box, (struct pl_box){0, 0, (int32_t)width, (int32_t)height});
    if (pl_box_is_empty(box))
        return false;
    *out = (struct pl_page_words){.first = (uint32_t)box.x0 / 64,
                                  .last = (uint32_t)(box.x1 - 1) / 64,
                                  .y0 = (uint32_t)box.y0,
                                  .y1 = (uint32_t)box.y1,
                                  .left = ~UINT64_C(0) >> box.x0 % 64,
                                  .right = pl_tail_mask((uint32_t)box.x1)};
    return true;
}

static inline uint64_t pl_page_mask(const struct pl_page_words *w, uint32_t i)
{
    return (i == w->first ? w->left : ~UINT64_C(0)) & (i == w->last ? w->right : ~UINT64_C(0));
}

static inline uint64_t pl_page_word(const struct pl_drawn_page *page, uint32_t y, uint32_t i)
{
    return page->is_grey ? pl_grey_word(&page->grey, y, i) : pl_bitmap_row(&page->bits, y)[i];
}

#endif
