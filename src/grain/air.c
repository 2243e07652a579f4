// The equations of moist air (ASHRAE Handbook, Fundamentals, chapter 1).
#include "grain/air.h"

#include <math.h>

// Ratio of the molar masses of water and dry air.
#define MOLAR_RATIO 0.621945
#define LOWEST (-100.0)
#define HIGHEST 200.0

double grain_air_saturation(double celsius)
{
    return grain_air_saturation_over(celsius, GRAIN_OVER_ICE);
}

double grain_air_saturation_over(double celsius, enum grain_over over)
{
    if (!(celsius >= LOWEST && celsius <= HIGHEST))
        return NAN;
    double t = celsius + 273.15;
    // Hyland and Wexler, over ice and over liquid water.
    double logarithm = celsius < 0 && over == GRAIN_OVER_ICE
                           ? -5.6745359e3 / t + 6.3925247 - 9.6778430e-3 * t + 6.2215701e-7 * t * t +
                                 2.0747825e-9 * t * t * t - 9.4840240e-13 * t * t * t * t + 4.1635019 * log(t)
                           : -5.8002206e3 / t + 1.3914993 - 4.8640239e-2 * t + 4.1764768e-5 * t * t -
                                 1.4452093e-8 * t * t * t + 6.5459673 * log(t);
    return exp(logarithm);
}

double grain_air_pressure(double altitude)
{
    return 101325 * pow(1 - 2.25577e-5 * altitude, 5.2559);
}

double grain_air_ratio(double vapour, double pressure)
{
    return vapour < pressure ? MOLAR_RATIO * vapour / (pressure - vapour) : NAN;
}

double grain_air_vapour(double ratio, double pressure)
{
    return ratio * pressure / (MOLAR_RATIO + ratio);
}

double grain_air_ratio_from_wet_bulb(double celsius, double wet_bulb, double pressure)
{
    if (!(wet_bulb <= celsius))
        return NAN;
    double saturated = grain_air_ratio(grain_air_saturation(wet_bulb), pressure);
    if (wet_bulb >= 0)
        return ((2501 - 2.326 * wet_bulb) * saturated - 1.006 * (celsius - wet_bulb)) /
               (2501 + 1.86 * celsius - 4.186 * wet_bulb);
    return ((2830 - 0.24 * wet_bulb) * saturated - 1.006 * (celsius - wet_bulb)) /
           (2830 + 1.86 * celsius - 2.1 * wet_bulb);
}

double grain_air_dew_point(double vapour, enum grain_over over)
{
    double low = LOWEST, high = HIGHEST;
    if (!(vapour > grain_air_saturation_over(low, over) && vapour < grain_air_saturation_over(high, over)))
        return NAN;
    // Saturation pressure rises throughout: halving finds it to the last bit that matters.
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (grain_air_saturation_over(middle, over) < vapour)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double grain_air_wet_bulb(double celsius, double vapour, double pressure)
{
    double ratio = grain_air_ratio(vapour, pressure), low = grain_air_dew_point(vapour, GRAIN_OVER_ICE), high = celsius;
    if (isnan(ratio) || isnan(low))
        return NAN;
    for (int i = 0; i < 60 && low < high; i++) {
        double middle = (low + high) / 2;
        if (grain_air_ratio_from_wet_bulb(celsius, middle, pressure) < ratio)
            low = middle;
        else
            high = middle;
    }
    return fmin((low + high) / 2, celsius);
}
