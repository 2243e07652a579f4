// The layered bin by the equilibrium model of low-temperature drying (Thompson 1972): within an hour air and grain of a
// layer come to one temperature and to equilibrium; water and heat are balanced.
#include "grain/bin.h"

#include <math.h>

#include "grain/air.h"
#include "grain/keeping.h"

#define PRESSURE 101325.0
#define AIR_DENSITY 1.2    // kg of dry air in a m³
#define HEAT_AIR 1.006     // kJ/(kg K)
#define HEAT_VAPOUR 1.86   // kJ/(kg K)
#define HEAT_WATER 4.19    // kJ/(kg K)
#define HEAT_DRY_GRAIN 1.5 // kJ/(kg K), after Kazarian and Hall 1965 for corn
#define EVAPORATION 2501.0 // kJ/kg at 0 °C
#define DRY_MIN 0.001      // kg/kg: drier than this no grain becomes
#define SWING 60.0         // kelvins that a layer may end beyond air and grain
#define CELSIUS_MAX 99.0   // below the boiling point, so that there is a humidity ratio
#define STEPS_MAX 40
#define REFERENCE_DAMAGE 30.0

void grain_bin_init(struct grain_bin *bin, const struct grain_set *set, double moisture, double celsius)
{
    *bin = (struct grain_bin){.set = set, .finished = NAN, .filled = 1 + grain_dry_from_wet(moisture) / 100};
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++) {
        bin->layers[i].dry = grain_dry_from_wet(moisture) / 100;
        bin->layers[i].celsius = celsius;
    }
}

// Humidity ratio of air in equilibrium with grain.
static double ratio_at(const struct grain_set *set, double dry, double celsius)
{
    double r = grain_humidity(set, celsius, dry * 100);
    // Grain too moist for the equation is wet; too dry for it, dry.
    if (isnan(r))
        r = dry > 0.1 ? 0.999 : 0.001;
    return grain_air_ratio(r * grain_air_saturation_over(celsius, GRAIN_OVER_WATER), PRESSURE);
}

struct step {
    const struct grain_set *set;
    double air;                // kg of dry air for each kg of dry matter
    double air_celsius, ratio; // of the air that comes in
    double celsius, dry;       // of the grain before
    double trial_celsius, final_dry, final_ratio;
};

// The root of a rising function between two bounds, by false position with the Illinois change.
typedef double residual(struct step *step, double x);
static double solve(residual *f, struct step *step, double low, double high, double precision)
{
    double at_low = f(step, low), at_high = f(step, high);
    if (at_low >= 0)
        return low;
    if (at_high <= 0)
        return high;
    int side = 0;
    double x = low;
    for (int i = 0; i < STEPS_MAX && high - low > precision; i++) {
        x = (low * at_high - high * at_low) / (at_high - at_low);
        double y = f(step, x);
        if (fabs(y) < precision * 1e-3)
            break;
        if (y < 0) {
            low = x;
            at_low = y;
            at_high = side == -1 ? at_high / 2 : at_high;
            side = -1;
        } else {
            high = x;
            at_high = y;
            at_low = side == 1 ? at_low / 2 : at_low;
            side = 1;
        }
    }
    return x;
}

static double water_residual(struct step *step, double dry)
{
    double ratio = ratio_at(step->set, dry, step->trial_celsius);
    return dry - step->dry + step->air * (ratio - step->ratio);
}

static double heat_residual(struct step *step, double celsius)
{
    step->trial_celsius = celsius;
    // It cannot become moister than by all the water of the air.
    step->final_dry = solve(water_residual, step, DRY_MIN, step->dry + step->air * step->ratio, 1e-6);
    step->final_ratio = step->ratio + (step->dry - step->final_dry) / step->air;
    double before =
        step->air * (HEAT_AIR * step->air_celsius + step->ratio * (EVAPORATION + HEAT_VAPOUR * step->air_celsius)) +
        (HEAT_DRY_GRAIN + HEAT_WATER * step->dry) * step->celsius;
    double after = step->air * (HEAT_AIR * celsius + step->final_ratio * (EVAPORATION + HEAT_VAPOUR * celsius)) +
                   (HEAT_DRY_GRAIN + HEAT_WATER * step->final_dry) * celsius;
    return after - before;
}

// Aging by the factors of Steele: hours at 60 °F, 25 % and 30 % damage that do as much.
static void age(struct grain_bin *bin, double hours)
{
    if (!bin->corn)
        return;
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++) {
        struct grain_bin_layer *layer = &bin->layers[i];
        double wet = fmin(fmax(grain_wet_from_dry(layer->dry * 100), 14), 30);
        double slower = grain_steele_moisture(wet) * grain_steele_temperature(fmax(layer->celsius, -7), wet) *
                        grain_steele_damage(REFERENCE_DAMAGE);
        layer->aged += hours / slower;
    }
}

void grain_bin_rest(struct grain_bin *bin, double hours)
{
    age(bin, hours);
}

static bool has_reached_target(const struct grain_bin *bin)
{
    double top = grain_bin_moisture(bin, GRAIN_BIN_LAYERS - 1);
    return bin->rewets ? top >= bin->target : top <= bin->target;
}

void grain_bin_blow(struct grain_bin *bin, double celsius, double vapour, double hours)
{
    // All the air passes each layer, which has its share of the dry matter.
    double air = bin->airflow * 60 * hours * AIR_DENSITY / 1000 * bin->filled * GRAIN_BIN_LAYERS;
    struct step step = {
        .set = bin->set, .air = air, .air_celsius = celsius, .ratio = grain_air_ratio(vapour, PRESSURE)};
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++) {
        struct grain_bin_layer *layer = &bin->layers[i];
        step.celsius = layer->celsius;
        step.dry = layer->dry;
        double low = fmin(step.air_celsius, layer->celsius) - SWING,
               high = fmax(step.air_celsius, layer->celsius) + SWING;
        low = fmax(low, grain_pole(bin->set) + 0.5);
        high = fmin(high, CELSIUS_MAX);
        double end = solve(heat_residual, &step, low, high, 1e-3);
        (void)heat_residual(&step, end);
        layer->celsius = end;
        layer->dry = step.final_dry;
        step.air_celsius = end;
        step.ratio = fmax(step.final_ratio, 1e-6);
    }
    age(bin, hours);
    bin->fan_hours += hours;
    if (isnan(bin->finished) && has_reached_target(bin))
        bin->finished = bin->fan_hours;
}

double grain_bin_moisture(const struct grain_bin *bin, size_t layer)
{
    return grain_wet_from_dry(bin->layers[layer].dry * 100);
}

double grain_bin_mean(const struct grain_bin *bin)
{
    double dry = 0;
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++)
        dry += bin->layers[i].dry;
    return grain_wet_from_dry(dry * 100 / GRAIN_BIN_LAYERS);
}

double grain_bin_front(const struct grain_bin *bin, double start)
{
    double sign = bin->rewets ? -1 : 1, way = sign * (start - grain_bin_moisture(bin, 0));
    // Where the bottom has not changed by what one decimal shows, there is no front.
    if (!(way >= 0.05))
        return 0;
    size_t passed = 0;
    while (passed < GRAIN_BIN_LAYERS && sign * (start - grain_bin_moisture(bin, passed)) >= way / 2)
        passed++;
    return (double)passed / GRAIN_BIN_LAYERS;
}

double grain_bin_loss(const struct grain_bin *bin)
{
    if (!bin->corn)
        return NAN;
    double worst = 0;
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++)
        worst = fmax(worst, bin->layers[i].aged);
    // Steele et al. 1969: 0.5 % at 230 hours.
    return 0.0883 * (exp(0.006 * worst) - 1) + 0.00102 * worst;
}
