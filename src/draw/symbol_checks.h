// The report on a barcode: its bars and quiet zone on the finished page, what is cut off, what is in its way.
#ifndef PL_DRAW_SYMBOL_CHECKS_H
#define PL_DRAW_SYMBOL_CHECKS_H

#include "draw/page.h"

// `area`: the print area on the page. All but the overprint, for which see draw/loop.h.
enum pl_errc pl_symbol_check(const struct pl_page_map *map, const struct pl_drawn_page *page, struct pl_box area,
                             const struct pl_page_tools *tools, struct pl_element_report *r,
                             struct pl_error *err) PL_MUST_USE;

// The quiet zone once more, of a symbol that is white on black.
void pl_symbol_check_inverted(const struct pl_drawn_page *page, struct pl_element_report *r);
// The bars without the ends that bearer bars of the zone `all` may touch.
struct pl_box pl_bars_without_ends(struct pl_box bars, struct pl_box all);

#endif
