// A bin in layers: air rises through the grain, each layer comes to equilibrium with it, hour by hour.
#ifndef GRAIN_BIN_H
#define GRAIN_BIN_H

#include "grain/grain.h"

#define GRAIN_BIN_LAYERS 16
// One cubic foot a minute for each bushel of 56 lb, in cubic metres a minute for each tonne.
#define GRAIN_CFM_PER_BUSHEL 1.1148

struct grain_bin {
    const struct grain_set *set;
    bool corn;        // dry-matter loss is known for shelled corn
    double filled;    // kg of grain for each kg of dry matter when it was filled
    double airflow;   // m³ of air a minute for each tonne of grain as it was filled
    double target;    // moisture that the top layer shall reach, percent wet basis
    bool rewets;      // it is reached from below
    double fan_hours; // so far
    double finished;  // fan hours when the top layer had reached the target; NaN: not yet
    // From the bottom to the top.
    struct grain_bin_layer {
        double dry; // moisture, kg of water for each kg of dry matter
        double celsius;
        double aged; // hours at the reference of Steele that it has aged
    } layers[GRAIN_BIN_LAYERS];
};

void grain_bin_init(struct grain_bin *bin, const struct grain_set *set, double moisture, double celsius);
// Blows air of a temperature (°C, behind the fan) and a vapour pressure (Pa) through it for so many hours.
void grain_bin_blow(struct grain_bin *bin, double celsius, double vapour, double hours);
// The fan is off: the grain ages.
void grain_bin_rest(struct grain_bin *bin, double hours);

double grain_bin_moisture(const struct grain_bin *bin, size_t layer); // percent wet basis
double grain_bin_mean(const struct grain_bin *bin);
// Share of the depth, from the bottom, that has come half way from the moisture at the start to that of the bottom: 0
// to 1. Grain that is wetted again has a front of wetting.
double grain_bin_front(const struct grain_bin *bin, double start);
// Dry matter that the worst layer has lost, percent; NaN: not known for this grain.
double grain_bin_loss(const struct grain_bin *bin);

#endif
