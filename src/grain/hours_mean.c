// What grain tends to in the air of some hours. Grain takes the temperature of the air within a day, but its moisture
// only within weeks: at one moisture it gives off on each day what it must at the temperature of that day, and where
// that is as much water as the air brings, it stays.
#include <math.h>

#include "base/ckd.h"
#include "grain/air.h"
#include "grain/hours.h"

#define STEPS 26 // each halves the doubt
#define DAY 1440

static bool counts(const struct grain_hour *hour, bool run_only)
{
    return hour->error == GRAIN_HOUR_OK && hour->weight > 0 && (hour->run || !run_only);
}

// The vapour pressure of air in equilibrium with grain of a moisture (percent dry basis), or at saturation.
static double vapour_at(const struct grain_set *set, double celsius, double dry)
{
    double r = isinf(dry) ? 1 : grain_humidity(set, celsius, dry);
    // Too dry for the equation is no humidity at all, too moist is as moist as any.
    if (isnan(r))
        r = dry > grain_moisture_in(set, celsius, 50) ? 1 : 0;
    return r * grain_air_saturation_over(celsius, GRAIN_OVER_WATER);
}

// Hours are parted into days from the first of them, wherever its clock stands: a part of a day would be only warm or
// only cold. Each has 24 hours or, because there is no rest, more: less than 48.
struct days {
    int64_t begin, length, count; // minutes on the axis, and days
};

static struct days part_into_days(const struct grain_hours *hours, size_t first, size_t end, bool run_only)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = first; i < end; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (!counts(hour, run_only))
            continue;
        low = PL_MIN(low, hour->minutes);
        high = PL_MAX(high, hour->minutes);
    }
    if (low > high)
        return (struct days){.length = DAY, .count = 1};
    int64_t length = high - low + (int64_t)hours->clock.interval;
    return (struct days){.begin = low, .length = length, .count = PL_MAX(length / DAY, INT64_C(1))};
}

// The sum of these pressures over the days, each at its mean temperature, by the hours that it has.
static double sum_of_days(const struct grain_hours *hours, size_t first, size_t end, bool run_only, double dry)
{
    const struct days days = part_into_days(hours, first, end, run_only);
    double sum = 0, celsius = 0, weight = 0;
    int64_t day = 0;
    for (size_t i = first; i < end; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (!counts(hour, run_only))
            continue;
        int64_t of_hour = (hour->minutes - days.begin) * days.count / days.length;
        if (weight > 0 && of_hour != day) {
            sum += weight * vapour_at(hours->set, celsius / weight, dry);
            celsius = weight = 0;
        }
        day = of_hour;
        celsius += (hour->celsius + grain_hours_heat(hours)) * hour->weight;
        weight += hour->weight;
    }
    return weight > 0 ? sum + weight * vapour_at(hours->set, celsius / weight, dry) : sum;
}

struct grain_mean_air grain_hours_mean_air(const struct grain_hours *hours, size_t first, size_t end, bool run_only)
{
    struct grain_mean_air air = {0};
    double weight = 0, low = INFINITY, high = 0, ur_low = INFINITY, ur_high = 0;
    for (size_t i = first; i < end; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (!counts(hour, run_only))
            continue;
        double celsius = hour->celsius + grain_hours_heat(hours);
        double ur = 100 * hour->vapour / grain_air_saturation_over(celsius, GRAIN_OVER_WATER);
        air.celsius += celsius * hour->weight;
        air.vapour += hour->vapour * hour->weight;
        weight += hour->weight;
        low = fmin(low, hour->moisture);
        high = fmax(high, hour->moisture);
        ur_low = fmin(ur_low, ur);
        ur_high = fmax(ur_high, ur);
    }
    if (!(weight > 0))
        return (struct grain_mean_air){NAN, NAN, NAN, NAN};
    // Whatever the swing of a day does to its mean, none of its hours is moister or drier than these.
    air.ur = fmin(fmax(100 * air.vapour / sum_of_days(hours, first, end, run_only, INFINITY), ur_low), ur_high);
    double dry_low = grain_dry_from_wet(low), dry_high = grain_dry_from_wet(high);
    for (int i = 0; i < STEPS && dry_high > dry_low; i++) {
        double middle = (dry_low + dry_high) / 2;
        if (sum_of_days(hours, first, end, run_only, middle) < air.vapour)
            dry_low = middle;
        else
            dry_high = middle;
    }
    air.moisture = grain_wet_from_dry((dry_low + dry_high) / 2);
    air.celsius /= weight;
    air.vapour /= weight;
    return air;
}
