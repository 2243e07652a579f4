// Moist air by the equations of the ASHRAE Handbook, Fundamentals: pure functions in °C, Pa and kg of water for each kg
// of dry air.
#ifndef GRAIN_AIR_H
#define GRAIN_AIR_H

#include "grain/fields.h"

// Saturation pressure of water vapour, over ice below 0 °C. NaN outside -100 to 200 °C.
double grain_air_saturation(double celsius);
// The same over supercooled water below 0 °C, as weather services report humidity and dew point.
double grain_air_saturation_over(double celsius, enum grain_over over);
// Pressure of the standard atmosphere at an altitude in metres.
double grain_air_pressure(double altitude);
// Humidity ratio from vapour pressure, and back.
double grain_air_ratio(double vapour, double pressure);
double grain_air_vapour(double ratio, double pressure);
// Humidity ratio from dry and wet bulb; NaN when the wet bulb is above the dry one.
double grain_air_ratio_from_wet_bulb(double celsius, double wet_bulb, double pressure);
// The temperature at which this vapour pressure is that of saturation.
double grain_air_dew_point(double vapour, enum grain_over over);
double grain_air_wet_bulb(double celsius, double vapour, double pressure);

struct grain_air {
    double celsius, ur, dew_point, wet_bulb, ratio, vapour, pressure;
};

struct grain_air_answer {
    struct grain_air air, after; // before and after the fan
    double altitude, fan_heat;
    bool with_fan;
    enum grain_over over;
    // In equilibrium with the air, wet basis; NaN: no grain was named, or there is none.
    double moisture, moisture_after;
    struct grain_spread spread, spread_after;
};

#define GRAIN_AIR_FIELDS                                                                                               \
    (GRAIN_BIT(GRAIN_T_TA) | GRAIN_BIT(GRAIN_T_UR) | GRAIN_BIT(GRAIN_T_DEW_POINT) | GRAIN_BIT(GRAIN_T_WET_BULB) |      \
     GRAIN_BIT(GRAIN_T_ALTITUDE) | GRAIN_BIT(GRAIN_T_FAN_HEAT) | GRAIN_BIT(GRAIN_T_GRAIN) | GRAIN_BIT(GRAIN_T_MODEL) | \
     GRAIN_BIT(GRAIN_T_SET) | GRAIN_BIT(GRAIN_T_CURVE) | GRAIN_BIT(GRAIN_T_TA_UNIT) | GRAIN_BIT(GRAIN_T_LANG) |        \
     GRAIN_BIT(GRAIN_T_OVER))

bool grain_air_answer(struct grain_fields *fields, struct grain_air_answer *answer);
void grain_air_write(struct pl_buf *out, const struct grain_fields *fields, const struct grain_air_answer *answer);
void grain_air_rows(const struct grain_fields *fields, const struct grain_air_answer *answer, grain_row *row,
                    struct pl_buf *out);

#endif
