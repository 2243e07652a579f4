// Equilibrium moisture of stored grain: the cultures with their constants, and the isotherm equations as pure
// functions.
#ifndef GRAIN_GRAIN_H
#define GRAIN_GRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

// Where a value is given without a remark; outside of it, it carries a warning.
#define GRAIN_TA_LOW 0.0
#define GRAIN_TA_HIGH 50.0
#define GRAIN_UR_LOW 10.0
#define GRAIN_UR_HIGH 95.0
// Where a value is given at all. Humidity: above 0 and below 100.
#define GRAIN_TA_MIN (-30.0)
#define GRAIN_TA_MAX 80.0
// Isotherms run away near saturation: a humidity above this counts as this, wherever moisture is told.
#define GRAIN_SATURATED_UR 99.0
// Henderson and Chung-Pfost values are too high this close (in kelvins) above their pole.
#define GRAIN_POLE_MARGIN 25.0

// What one decimal shows as 0.0 or 100.0 is no humidity that could be told.
#define GRAIN_UR_TOLD_LOW 0.05
#define GRAIN_UR_TOLD_HIGH 99.95
// The highest that one decimal can show: where it is told, the grain has it or more.
#define GRAIN_UR_HIGHEST 99.9
// Degrees Fahrenheit are no whole multiples of a double's last bit in Celsius: what is so near to a bound is at it.
#define GRAIN_CONVERSION_ERROR 1e-9

#define GRAIN_BATCH_MAX 10000
#define GRAIN_CULTURES 17
#define GRAIN_TEXT_OF(number) #number
#define GRAIN_TEXT(number) GRAIN_TEXT_OF(number)
#define GRAIN_CULTURES_TEXT GRAIN_TEXT(GRAIN_CULTURES)
#define GRAIN_SETS_MAX 12 // of one culture

enum grain_lang { GRAIN_EN, GRAIN_PT, GRAIN_ES, GRAIN_LANGS };

enum grain_equation { GRAIN_HENDERSON, GRAIN_CHUNG_PFOST, GRAIN_HALSEY, GRAIN_OSWIN, GRAIN_EQUATIONS };

// How sure it is that the constants are those of their source: "constants traced".
enum grain_confidence {
    GRAIN_CONF_A,       // two sources, or a published table reproduced exactly
    GRAIN_CONF_A_MINUS, // reproduces a published table
    GRAIN_CONF_B,       // one source
    GRAIN_CONF_C,       // one source, unusual
    GRAIN_CONF_M,       // recalled, unconfirmed
    GRAIN_CONFIDENCES
};

// How near a set comes to what extension services and others publish: "agrees with published tables".
enum grain_agreement {
    GRAIN_AGREE_CLOSE,   // 0.3 points or less on average
    GRAIN_AGREE_FAIR,    // 0.6 or less
    GRAIN_AGREE_FAR,     // more
    GRAIN_AGREE_UNKNOWN, // no published point is known
    GRAIN_AGREEMENTS
};

// Grain that dries towards an air ends moister than grain that takes up water from it.
enum grain_curve {
    GRAIN_CURVE_MEAN, // of both, as the sets of the standard; also where a source does not say
    GRAIN_CURVE_DRYING,
    GRAIN_CURVE_WETTING, // no constants of it were found
    GRAIN_CURVES
};

struct grain_text {
    const char *in[GRAIN_LANGS];
};

// Where constants hold: °C and percent.
struct grain_range {
    double ta_low, ta_high, ur_low, ur_high;
};

// One set of constants of one equation.
struct grain_set {
    const char *id; // unique within the culture
    enum grain_equation equation;
    double a, b, c;
    struct grain_text variant; // which kind of the grain it was measured on; empty: not said
    const char *standard;      // publication it belongs to
    const struct grain_text *sources[2];
    enum grain_confidence confidence;
    // Another kind of grain than its culture ("durum"): used only when it is named, never by `model`, and never mixed
    // with the others. NULL: the culture's own.
    const char *kind;
    const struct grain_range *range; // that its source gives; NULL: it gives none
    // For a broader group than the culture ("rough rice of any kind"): never its default.
    bool broad;
    enum grain_curve curve;
};

struct grain_culture {
    const char *id;
    struct grain_text name;
    const char *const *aliases;   // other names, ends with NULL
    const struct grain_set *sets; // the default first; of sets with one equation, the one that `model` means first
    size_t set_count;
};

struct grain_equation_info {
    const char *id;
    struct grain_text name;
    const char *forward; // moisture M (% dry basis) from r, in plain text
    const char *inverse; // r (0 to 1) from M
};

const struct grain_culture *grain_cultures(void);
const struct grain_equation_info *grain_equation_info(enum grain_equation equation);
const char *grain_confidence_id(enum grain_confidence confidence);
const struct grain_text *grain_confidence_text(enum grain_confidence confidence);
const char *grain_agreement_id(enum grain_agreement agreement);
const struct grain_text *grain_agreement_text(enum grain_agreement agreement);
// The range of a set: its source's, or the service's, less the humidities where measured grain does not support it, or
// where, without any, the sets contradict one another.
const struct grain_range *grain_set_range(const struct grain_set *set);
// The humidities where the set counts in the spread: measured grain does not contradict it there. 0 to 100: everywhere.
const struct grain_range *grain_set_spread_range(const struct grain_set *set);
enum grain_range_from { GRAIN_RANGE_SERVICE, GRAIN_RANGE_SOURCE, GRAIN_RANGE_MEASURED, GRAIN_RANGE_SETS };
enum grain_range_from grain_set_range_from(const struct grain_set *set);
static inline bool grain_in_range(const struct grain_range *range, double celsius, double ur)
{
    return celsius >= range->ta_low && celsius <= range->ta_high && ur >= range->ur_low && ur <= range->ur_high;
}
const char *grain_lang_id(enum grain_lang lang);
const char *grain_curve_id(enum grain_curve curve);
const struct grain_text *grain_curve_text(enum grain_curve curve);
bool grain_curve_by_id(struct pl_slice id, enum grain_curve *curve);

// What a name means that is broader or narrower than a culture: "rice" is taken as long-grain rice, "durum" as one of
// wheat's sets.
struct grain_meaning {
    const struct grain_culture *culture;
    const struct grain_set *set; // NULL: the default
    bool taken;                  // the name is not the culture's own, and the answer must say how it was taken
};
// False: the name means nothing here.
bool grain_find_meaning(struct pl_slice name, struct grain_meaning *meaning);
// Is it a crop that people ask for and that has no constants here ("beans"), or a name that could be two things
// ("trigo duro")? Then why it is refused; else NULL.
const struct grain_text *grain_no_constants(struct pl_slice name);
// A culture by its id or by any of its names, without regard to case, accents, hyphens and spaces; NULL: unknown.
const struct grain_culture *grain_find(struct pl_slice name);
// The culture whose name is nearest to an unknown one; NULL when nothing is near.
const struct grain_culture *grain_nearest(struct pl_slice name);
// The set that a model or a set id names. NULL: the culture has no such set.
const struct grain_set *grain_set_by_equation(const struct grain_culture *culture, enum grain_equation equation);
// The first set of a curve; of the mean that is the default.
const struct grain_set *grain_set_by_curve(const struct grain_culture *culture, enum grain_curve curve);
const struct grain_set *grain_set_by_id(const struct grain_culture *culture, struct pl_slice id);
bool grain_equation_by_id(struct pl_slice id, enum grain_equation *equation);

// Moisture in percent dry basis from temperature (°C) and relative humidity (0 to 1). NaN: no finite, positive answer.
double grain_moisture(const struct grain_set *set, double ta, double r);
// The same in air of a humidity in percent, which counts as at most GRAIN_SATURATED_UR: what every answer tells.
double grain_moisture_in(const struct grain_set *set, double ta, double ur);
// Relative humidity (0 to 1) from temperature (°C) and moisture in percent dry basis. NaN: no answer between 0 and 1.
double grain_humidity(const struct grain_set *set, double ta, double moisture);
// The temperature (°C) that must be exceeded; minus infinity: the equation has no pole.
double grain_pole(const struct grain_set *set);

// Is it the same kind of a culture's grain (struct grain_set, kind)?
bool grain_same_kind(const char *a, const char *b);

static inline double grain_wet_from_dry(double dry)
{
    return 100.0 * dry / (100.0 + dry);
}

static inline double grain_dry_from_wet(double wet)
{
    return 100.0 * wet / (100.0 - wet);
}

static inline double grain_celsius(double fahrenheit)
{
    return (fahrenheit - 32.0) * 5.0 / 9.0; // exact for whole degrees whose Celsius value is whole
}

static inline double grain_fahrenheit(double celsius)
{
    return celsius * 9.0 / 5.0 + 32.0;
}

#endif
