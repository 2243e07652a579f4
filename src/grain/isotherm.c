// The four isotherm equations of ASAE D245 with temperature, each solved for moisture and for humidity.
#include <math.h>

#include "grain/grain.h"

static double positive_or_nan(double value)
{
    return isfinite(value) && value > 0 ? value : NAN;
}

double grain_pole(const struct grain_set *set)
{
    bool has_pole = set->equation == GRAIN_HENDERSON || set->equation == GRAIN_CHUNG_PFOST;
    return has_pole ? -set->c : -INFINITY;
}

double grain_moisture(const struct grain_set *set, double ta, double r)
{
    // Written so that a NaN fails as well.
    if (!(r > 0 && r < 1 && ta > grain_pole(set)))
        return NAN;
    const double a = set->a, b = set->b, c = set->c;
    switch (set->equation) {
    case GRAIN_HENDERSON:
        return positive_or_nan(pow(-log1p(-r) / (a * (ta + c)), 1 / b));
    case GRAIN_CHUNG_PFOST:
        return positive_or_nan(-log(-(ta + c) * log(r) / a) / b);
    case GRAIN_HALSEY:
        return positive_or_nan(pow(-exp(a + b * ta) / log(r), 1 / c));
    case GRAIN_OSWIN:
        return positive_or_nan((a + b * ta) * pow(r / (1 - r), 1 / c));
    case GRAIN_EQUATIONS:
        break;
    }
    return NAN;
}

double grain_moisture_in(const struct grain_set *set, double ta, double ur)
{
    return grain_moisture(set, ta, (ur > GRAIN_SATURATED_UR ? GRAIN_SATURATED_UR : ur) / 100);
}

double grain_humidity(const struct grain_set *set, double ta, double moisture)
{
    if (!(moisture > 0 && isfinite(moisture) && ta > grain_pole(set)))
        return NAN;
    const double a = set->a, b = set->b, c = set->c;
    double r = NAN;
    switch (set->equation) {
    case GRAIN_HENDERSON:
        r = -expm1(-a * (ta + c) * pow(moisture, b));
        break;
    case GRAIN_CHUNG_PFOST:
        r = exp(-a / (ta + c) * exp(-b * moisture));
        break;
    case GRAIN_HALSEY:
        r = exp(-exp(a + b * ta) * pow(moisture, -c));
        break;
    case GRAIN_OSWIN:
        if (a + b * ta > 0)
            r = 1 / (pow((a + b * ta) / moisture, c) + 1);
        break;
    case GRAIN_EQUATIONS:
        break;
    }
    return r > 0 && r < 1 ? r : NAN;
}
