// Safe keeping: the mould band of grain at its own temperature, the highest safe moisture, allowable storage times; and
// shrink with its bases.
#ifndef GRAIN_KEEPING_H
#define GRAIN_KEEPING_H

#include "grain/fields.h"

// By the humidity between the kernels. Fungi of the store need at least 65 to 70 % (Aspergillus halophilicus), 70 to 75
// % (A. glaucus), 80 to 85 % (A. flavus, Penicillium): Meronuk, in Plants 2022, 11, 3167, table 1.
enum grain_band {
    GRAIN_BAND_SAFE,
    GRAIN_BAND_WATCH,
    GRAIN_BAND_MOULD,
    GRAIN_BAND_DANGER,
    GRAIN_BAND_UNKNOWN, // the equation does not hold there
    GRAIN_BANDS
};
extern const char grain_band_source[];
#define GRAIN_SAFE_UR 65.0
#define GRAIN_MOULD_UR 70.0
#define GRAIN_DANGER_UR 80.0

// The humidity is judged as it is told, with one decimal. 70 % itself is the limit that one may reach: at the upper end
// of the first fungi's range it is to be watched, and only above it the next ones grow for sure.
enum grain_band grain_band_of(double ur);
// Is a set known at a temperature: inside its range and not near its pole?
bool grain_known_at(const struct grain_set *set, double celsius);
// The band of grain whose humidity a set gave, without resting on an extrapolation. Grain beyond the range of the set
// is moister or drier than grain at its end, and no more than that is known: its band is that of the end if mould grows
// there, or if it is drier. Else, and where the set is not known at the temperature, nothing is said.
enum grain_band grain_band_by(const struct grain_set *set, double celsius, double ur);
// That humidity in words, without the unit: "73.2", or beyond the range "more than 73".
void grain_say_kernel_humidity(struct pl_buf *out, enum grain_lang lang, const struct grain_set *set, double ur);
const char *grain_band_id(enum grain_band band);

// A number of days, or a bound where the table ends.
enum grain_relation { GRAIN_NO_DAYS, GRAIN_ABOUT, GRAIN_AT_LEAST, GRAIN_AT_MOST };
struct grain_days {
    enum grain_relation relation;
    double days;
};

// Of two lower bounds the longer; of others the shorter. NULL: neither says anything.
const struct grain_days *grain_days_told(const struct grain_days *a, const struct grain_days *b);
// As page, API and command line tell them: never more than there are.
double grain_days_shown(const struct grain_days *days);

// NDSU's tables (Hellevang), interpolated; only for the cereals and soybean that they are for.
struct grain_days grain_days_ndsu(const struct grain_culture *culture, double celsius, double moisture);
// Shelled corn until 0.5 % of its dry matter is lost (Steele et al. 1969; Bern et al., ASABE D535); `damage` in
// percent.
struct grain_days grain_days_steele(const struct grain_culture *culture, double celsius, double moisture,
                                    double damage);
// Its three factors, for tests.
double grain_steele_moisture(double moisture);
double grain_steele_temperature(double celsius, double moisture);
double grain_steele_damage(double damage);

struct grain_keeping_answer {
    double celsius, moisture, damage;
    double ur; // in equilibrium with the grain
    bool in_range;
    struct grain_spread spread;
    enum grain_band band, cautious_band;
    double safe_moisture,
        cautious_moisture; // that 65 % holds, by the set and the driest trustworthy one; NaN: not known
    struct grain_days ndsu, steele;
};

#define GRAIN_KEEPING_FIELDS                                                                                           \
    (GRAIN_BIT(GRAIN_T_GRAIN) | GRAIN_BIT(GRAIN_T_MODEL) | GRAIN_BIT(GRAIN_T_SET) | GRAIN_BIT(GRAIN_T_CURVE) |         \
     GRAIN_BIT(GRAIN_T_TA) | GRAIN_BIT(GRAIN_T_GRAIN_TA) | GRAIN_BIT(GRAIN_T_MOISTURE) | GRAIN_BIT(GRAIN_T_DAMAGE) |   \
     GRAIN_BIT(GRAIN_T_TA_UNIT) | GRAIN_BIT(GRAIN_T_LANG))

bool grain_keeping_answer(struct grain_fields *fields, struct grain_keeping_answer *answer);
void grain_keeping_write(struct pl_buf *out, const struct grain_fields *fields,
                         const struct grain_keeping_answer *answer);
void grain_keeping_rows(const struct grain_fields *fields, const struct grain_keeping_answer *answer, grain_row *row,
                        struct pl_buf *out);

struct grain_shrink_answer {
    double from, to;         // wet basis
    double from_dry, to_dry; // dry basis
    double shrink;           // percent of the mass before
    double water;            // kg to remove from each tonne; negative: to be added
    double mass, mass_after; // tonnes
    double bushel;           // kg; NaN: no grain was named, or it is not sold by the bushel
};

#define GRAIN_SHRINK_FIELDS                                                                                            \
    (GRAIN_BIT(GRAIN_T_FROM) | GRAIN_BIT(GRAIN_T_TO) | GRAIN_BIT(GRAIN_T_MASS) | GRAIN_BIT(GRAIN_T_BASIS) |            \
     GRAIN_BIT(GRAIN_T_GRAIN) | GRAIN_BIT(GRAIN_T_SET) | GRAIN_BIT(GRAIN_T_LANG))

bool grain_shrink_answer(struct grain_fields *fields, struct grain_shrink_answer *answer);
void grain_shrink_write(struct pl_buf *out, const struct grain_fields *fields,
                        const struct grain_shrink_answer *answer);
void grain_shrink_rows(const struct grain_fields *fields, const struct grain_shrink_answer *answer, grain_row *row,
                       struct pl_buf *out);

#endif
