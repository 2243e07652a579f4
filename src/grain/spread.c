// How far the trustworthy sets of one kind of grain lie apart at a point: the doubt that an answer carries.
#include "grain/spread.h"

#include <math.h>

#include "grain/published.h"

double grain_humidity_told(const struct grain_set *set, double ta_c, double moisture)
{
    double ur = 100 * grain_humidity(set, ta_c, moisture);
    if (ur >= GRAIN_UR_TOLD_LOW && ur < GRAIN_UR_TOLD_HIGH)
        return ur;
    // Grain too moist for any humidity that could be told is still the case to be warned of.
    return moisture >= grain_moisture_in(set, ta_c, GRAIN_SATURATED_UR) ? GRAIN_UR_HIGHEST : NAN;
}

// What a set answers; NaN: nothing that could be told.
static double value_of(const struct grain_set *set, double ta_c, double given, bool inverse, bool dry)
{
    if (!inverse) {
        double moisture = grain_moisture_in(set, ta_c, given);
        return dry ? moisture : grain_wet_from_dry(moisture);
    }
    return grain_humidity_told(set, ta_c, dry ? given : grain_dry_from_wet(given));
}

// Where measured grain contradicts a set, it says nothing about the others. Grain that is too moist for any humidity
// still counts: that is the case to be warned of.
static bool is_supported(const struct grain_set *set, double ur)
{
    const struct grain_range *range = grain_set_spread_range(set);
    return ur >= GRAIN_UR_HIGHEST || (ur >= range->ur_low && ur <= range->ur_high);
}

struct grain_spread grain_spread_at(const struct grain_culture *culture, const struct grain_set *set, double ta_c,
                                    double given, bool inverse, bool dry)
{
    double own = value_of(set, ta_c, given, inverse, dry);
    struct grain_spread spread = {own, own, 1};
    // Around a value that there is not, nothing is to be expected.
    if (isnan(own))
        return spread;
    for (size_t i = 0; i < culture->set_count; i++) {
        const struct grain_set *other = &culture->sets[i];
        if (other == set || !grain_same_kind(other->kind, set->kind) || other->curve != set->curve ||
            !grain_trustworthy(culture, other))
            continue;
        // Near its pole a set says nothing about the others.
        if (ta_c - grain_pole(other) < GRAIN_POLE_MARGIN)
            continue;
        double value = value_of(other, ta_c, given, inverse, dry);
        if (isnan(value) || !is_supported(other, inverse ? value : given))
            continue;
        spread.low = fmin(spread.low, value);
        spread.high = fmax(spread.high, value);
        spread.sets++;
    }
    return spread;
}
