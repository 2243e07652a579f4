// How far sets lie apart at a point.
#ifndef GRAIN_SPREAD_H
#define GRAIN_SPREAD_H

#include "grain/grain.h"

// What the trustworthy sets of the same kind of grain answer, the set of the answer among them.
struct grain_spread {
    double low, high; // in the unit of the answer
    unsigned sets;    // that answered; 1: there is no other to compare with
};

// Sets that agree to within this much, in the unit of the answer, do not tell its doubt.
#define GRAIN_SPREAD_NARROW 0.2
static inline bool grain_spread_is_narrow(const struct grain_spread *spread)
{
    return spread->high - spread->low <= GRAIN_SPREAD_NARROW;
}

// The spread at one point, in percent humidity or in percent moisture in the basis of the result.
struct grain_spread grain_spread_at(const struct grain_culture *culture, const struct grain_set *set, double ta_c,
                                    double given, bool inverse, bool dry);

// Humidity in percent in equilibrium with a moisture in percent dry basis, where it can be told: of grain that is too
// moist the highest that can; NaN: of grain that is too dry, or at the pole.
double grain_humidity_told(const struct grain_set *set, double ta_c, double moisture);

#endif
