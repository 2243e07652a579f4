// What printers take at a density where a label does not say it.
#ifndef PL_BAR_LAYOUT_DENSITY_H
#define PL_BAR_LAYOUT_DENSITY_H

#include <stdint.h>

// Module of QR and Aztec codes, in dots.
static inline uint32_t pl_bar_matrix_default(uint32_t dpmm)
{
    return dpmm <= 6 ? 1 : dpmm <= 8 ? 2 : dpmm <= 12 ? 3 : 6;
}

static inline uint32_t pl_bar_databar_default(uint32_t dpmm)
{
    return dpmm >= 24 ? 6 : dpmm >= 12 ? 3 : 2;
}

// TLC39: narrow bars and modules of the part in two dimensions, the height of the bars, and that of a row.
static inline uint32_t pl_bar_tlc39_module(uint32_t dpmm)
{
    return dpmm >= 24 ? 4 : 2;
}

static inline uint32_t pl_bar_tlc39_height(uint32_t dpmm)
{
    return dpmm >= 24 ? 120 : dpmm >= 12 ? 60 : 40;
}

static inline uint32_t pl_bar_tlc39_row(uint32_t dpmm)
{
    return dpmm >= 24 ? 8 : 4;
}

#endif
