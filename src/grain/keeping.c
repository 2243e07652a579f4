// How long and how safely grain keeps: the mould band, NDSU's tables, and the model of Steele and Bern for corn.
#include "grain/keeping.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"

enum grain_band grain_band_of(double ur)
{
    double told = round(ur * 10) / 10;
    return told < GRAIN_SAFE_UR     ? GRAIN_BAND_SAFE
           : told <= GRAIN_MOULD_UR ? GRAIN_BAND_WATCH
           : told < GRAIN_DANGER_UR ? GRAIN_BAND_MOULD
                                    : GRAIN_BAND_DANGER;
}

bool grain_known_at(const struct grain_set *set, double celsius)
{
    return (grain_range_warnings(set, celsius, GRAIN_SAFE_UR, true) & (GRAIN_W_TA_RANGE | GRAIN_W_POLE)) == 0;
}

enum grain_band grain_band_by(const struct grain_set *set, double celsius, double ur)
{
    const struct grain_range *range = grain_set_range(set);
    if (!grain_known_at(set, celsius))
        return GRAIN_BAND_UNKNOWN;
    enum grain_band band = grain_band_of(fmin(fmax(ur, range->ur_low), range->ur_high));
    bool beyond = (grain_range_warnings(set, celsius, ur, true) & GRAIN_W_UR_RANGE) != 0 && ur > range->ur_low;
    // That the end of the range is no mould's humidity says nothing about what is beyond it.
    return beyond && band < GRAIN_BAND_MOULD ? GRAIN_BAND_UNKNOWN : band;
}

void grain_say_kernel_humidity(struct pl_buf *out, enum grain_lang lang, const struct grain_set *set, double ur)
{
    const struct grain_range *range = grain_set_range(set);
    double told = round(ur * 10) / 10;
    if (told > range->ur_high)
        grain_say(out, lang, "more than ", "mais de ", "más de ");
    else if (told < range->ur_low)
        grain_say(out, lang, "less than ", "menos de ", "menos de ");
    grain_say_number(out, lang, fmin(fmax(told, range->ur_low), range->ur_high));
}

const char *grain_band_id(enum grain_band band)
{
    static const char *const ids[GRAIN_BANDS] = {"safe", "watch", "mould", "danger", "unknown"};
    return ids[band];
}

const char grain_band_source[] = "Meronuk, in Plants 2022, 11, 3167, table 1";

const struct grain_days *grain_days_told(const struct grain_days *a, const struct grain_days *b)
{
    if (a->relation == GRAIN_NO_DAYS || b->relation == GRAIN_NO_DAYS)
        return a->relation != GRAIN_NO_DAYS ? a : b->relation != GRAIN_NO_DAYS ? b : NULL;
    if (a->relation == GRAIN_AT_LEAST && b->relation == GRAIN_AT_LEAST)
        return a->days >= b->days ? a : b;
    if (a->relation == GRAIN_AT_LEAST || b->relation == GRAIN_AT_LEAST)
        return a->relation == GRAIN_AT_LEAST ? b : a;
    return a->days <= b->days ? a : b;
}

double grain_days_shown(const struct grain_days *days)
{
    // What an interpolation leaves behind the last decimal is no day less.
    const double days_left = days->days + 1e-6;
    return days_left >= 10 ? floor(days_left) : floor(days_left * 10) / 10;
}

// ---- NDSU ----

#define ROWS 12
#define COLUMNS 6
#define OVER 300 // the tables say no more than that it is over 300 days; the model of Steele and Bern likewise

// Days at 30, 40, ... 80 °F. Soybean has the same days at 3 points less moisture.
static const uint16_t ndsu_days[ROWS][COLUMNS] = {
    {OVER, OVER, OVER, OVER, 200, 140},
    {OVER, OVER, OVER, 240, 125, 70},
    {OVER, OVER, 230, 120, 70, 40},
    {OVER, 280, 130, 75, 45, 20},
    {OVER, 200, 90, 50, 30, 15},
    {OVER, 140, 70, 35, 20, 10},
    {OVER, 90, 50, 25, 14, 7},
    {190, 60, 30, 15, 8, 3},
    {130, 40, 15, 10, 6, 2},
    {90, 35, 12, 8, 5, 2},
    {70, 30, 10, 7, 4, 2},
    {60, 25, 5, 5, 3, 1},
};
static const double ndsu_moisture[ROWS] = {14, 15, 16, 17, 18, 19, 20, 22, 24, 26, 28, 30};

// How far the moisture is above the cereals' rows; NaN: the tables are not for this culture.
static double ndsu_offset(const struct grain_culture *culture)
{
    if (strcmp(culture->id, "soybean") == 0)
        return 3;
    return pl_slice_is_one_of(pl_slice_cstr(culture->id), "corn|popcorn|sorghum|wheat|barley|oats|rye") ? 0 : NAN;
}

struct grain_days grain_days_ndsu(const struct grain_culture *culture, double celsius, double moisture)
{
    double row_value = moisture + ndsu_offset(culture), column_value = (grain_fahrenheit(celsius) - 30) / 10;
    if (isnan(row_value) || !(row_value <= ndsu_moisture[ROWS - 1]))
        return (struct grain_days){GRAIN_NO_DAYS, NAN};
    // Drier or colder than the tables it keeps at least as long as at their edge, warmer at most.
    bool least = row_value < ndsu_moisture[0] || column_value<0, most = column_value> COLUMNS - 1;
    row_value = fmax(row_value, ndsu_moisture[0]);
    column_value = fmin(fmax(column_value, 0), COLUMNS - 1);
    size_t row = 0, column = PL_MIN((size_t)column_value, (size_t)COLUMNS - 2);
    while (row < ROWS - 2 && row_value > ndsu_moisture[row + 1])
        row++;
    double down = (row_value - ndsu_moisture[row]) / (ndsu_moisture[row + 1] - ndsu_moisture[row]);
    double right = column_value - (double)column, logarithm = 0;
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 2; k++) {
            double weight = (i == 0 ? 1 - down : down) * (k == 0 ? 1 - right : right);
            uint16_t days = ndsu_days[row + i][column + k];
            logarithm += weight * log(days);
            least = least || (weight > 0 && days == OVER);
        }
    }
    // Drier and warmer than the tables at once: nothing can be said.
    if (least && most)
        return (struct grain_days){GRAIN_NO_DAYS, NAN};
    return (struct grain_days){least ? GRAIN_AT_LEAST : most ? GRAIN_AT_MOST : GRAIN_ABOUT, exp(logarithm)};
}

// ---- Steele and Bern ----

#define REFERENCE_HOURS 230 // 60 °F, 25 % wet basis, 30 % damage: 0.5 % of the dry matter is gone
// Where published cells confirm it: 16 to 28 %, 20 to 80 °F.
#define STEELE_MOISTURE_LOW 16.0
#define STEELE_MOISTURE_HIGH 28.0
#define STEELE_F_LOW 20.0
#define STEELE_F_HIGH 80.0

double grain_steele_moisture(double moisture)
{
    double dry = grain_dry_from_wet(moisture);
    return 0.103 * (exp(455 / pow(dry, 1.53)) - 0.00845 * dry + 1.558);
}

double grain_steele_temperature(double celsius, double moisture)
{
    double f = grain_fahrenheit(celsius);
    if (f < 60)
        return 128.389 * exp(-4.86 * f / 60);
    double dry_corn = 32.3 * exp(-3.48 * f / 60);
    if (moisture < 19)
        return dry_corn;
    double wet = fmin(moisture, 28);
    if (f >= 80)
        return dry_corn + (wet - 19) / 100 * exp(0.61 * (f - 60) / 60);
    // Between 60 and 80 °F, so that both ends are met.
    return exp(-0.00493277 + (0.05 * f - 3) * log(0.0795012 + 0.012315 * wet));
}

double grain_steele_damage(double damage)
{
    return 2.08 * exp(-0.0239 * damage);
}

struct grain_days grain_days_steele(const struct grain_culture *culture, double celsius, double moisture, double damage)
{
    double coldest = grain_celsius(STEELE_F_LOW), warmest = grain_celsius(STEELE_F_HIGH) + GRAIN_CONVERSION_ERROR;
    if (strcmp(culture->id, "corn") != 0 || !(moisture <= STEELE_MOISTURE_HIGH) || !(celsius <= warmest))
        return (struct grain_days){GRAIN_NO_DAYS, NAN};
    // Drier or colder it keeps at least as long as at the edge; and nobody has watched corn for longer than the tables.
    bool least = moisture < STEELE_MOISTURE_LOW || celsius < coldest - GRAIN_CONVERSION_ERROR;
    moisture = fmax(moisture, STEELE_MOISTURE_LOW);
    celsius = fmax(celsius, coldest);
    double days = REFERENCE_HOURS / 24.0 * grain_steele_moisture(moisture) *
                  grain_steele_temperature(celsius, moisture) * grain_steele_damage(damage);
    return (struct grain_days){least || days > OVER ? GRAIN_AT_LEAST : GRAIN_ABOUT, fmin(days, OVER)};
}
