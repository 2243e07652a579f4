// Lengths in dots and in millimetres, as print heads have them.
#include "base/lengths.h"

#include <math.h>

uint32_t pl_nominal_dpi(double dpmm)
{
    return dpmm == 6 || dpmm == 8 || dpmm == 12 || dpmm == 24 ? (uint32_t)(dpmm * 25.4) : 0;
}

uint32_t pl_whole_dpmm(double dpmm)
{
    return (uint32_t)(dpmm + 0.5);
}

uint32_t pl_density_per_metre(double dpmm)
{
    uint32_t dpi = pl_nominal_dpi(dpmm);
    return dpi ? (dpi * 10000 + 127) / 254 : (uint32_t)(dpmm * 1000 + 0.5);
}

double pl_dots(double mm, double dpmm)
{
    uint32_t dpi = pl_nominal_dpi(dpmm);
    return dpi ? floor(mm / 25.4 * dpi + 0.001) : floor(mm * dpmm + 0.5);
}

double pl_dots_mm(double dots, double dpmm)
{
    // The nominal densities are print heads of whole dpi; a module is as wide as they print it.
    uint32_t dpi = pl_nominal_dpi(dpmm);
    return dpi ? dots * 25.4 / dpi : dots / dpmm;
}
