// Moistures of trade: what buyers of a country take without a discount.
#ifndef GRAIN_TRADE_H
#define GRAIN_TRADE_H

#include "base/buf.h"
#include "grain/grain.h"

struct grain_trade_limit {
    const char *country; // ISO 3166-1
    const char *culture;
    double moisture; // percent, wet basis
    const char *source;
};

const struct grain_trade_limit *grain_trade_limits(size_t *count);
// Is grain whose moisture is between two values above the limit? As a meter shows it, with one decimal: 14.04 is not
// above 14.
enum grain_above { GRAIN_NOT_ABOVE, GRAIN_ABOVE, GRAIN_ABOVE_UNKNOWN };
enum grain_above grain_above_limit(double at_least, double at_most, double limit);
// Kilograms in a bushel of the culture, as American trade counts them; NaN: it is not sold by the bushel.
double grain_bushel(const struct grain_culture *culture);
// A JSON array of the limits of a culture; with a moisture (not NaN) whether it is above each, where that is known.
void grain_write_trade(struct pl_buf *out, const struct grain_culture *culture, double at_least, double at_most);

#endif
