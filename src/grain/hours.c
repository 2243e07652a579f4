// Computes the hours of a file one after another, and their sums.
#include "grain/hours.h"

#include <math.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "grain/air.h"

void grain_hours_free(struct grain_hours *hours)
{
    free(hours->list);
    hours->list = NULL;
}

static struct grain_hour *add_hour(struct grain_hours *hours)
{
    if (hours->count == hours->room) {
        size_t room = hours->room == 0 ? 1024 : hours->room * 2;
        struct grain_hour *list = realloc(hours->list, room * sizeof *list);
        if (list == NULL)
            return NULL;
        hours->list = list;
        hours->room = room;
    }
    return &hours->list[hours->count++];
}

// A number as loggers write it: point or comma, perhaps with a percent sign.
static bool parse_cell(struct pl_slice cell, double *out)
{
    if (cell.len > 1 && cell.ptr[cell.len - 1] == '%')
        cell = pl_slice_trim(pl_slice_sub(cell, 0, cell.len - 1));
    return grain_parse_number(cell, out);
}

static enum grain_hour_error read_air(const struct grain_fields *fields, const struct grain_csv *csv,
                                      const struct grain_csv_row *row, struct grain_hour *hour)
{
    double ta, value;
    if (row->too_many)
        return GRAIN_HOUR_CELLS;
    if (row->ta.len == 0)
        return GRAIN_HOUR_NO_TA;
    if (!parse_cell(row->ta, &ta))
        return GRAIN_HOUR_BAD_TA;
    hour->celsius = fields->fahrenheit ? grain_celsius(ta) : ta;
    if (!(hour->celsius >= GRAIN_TA_MIN && hour->celsius <= GRAIN_TA_MAX))
        return GRAIN_HOUR_TA_RANGE;
    struct pl_slice cell = csv->ur >= 0 ? row->ur : row->dew_point;
    if (cell.len == 0)
        return GRAIN_HOUR_NO_UR;
    if (!parse_cell(cell, &value))
        return GRAIN_HOUR_BAD_UR;
    if (csv->ur < 0) {
        // The dew point may be in another unit than the temperature.
        bool fahrenheit =
            csv->dew_unit == GRAIN_UNIT_UNSAID ? fields->fahrenheit : csv->dew_unit == GRAIN_UNIT_FAHRENHEIT;
        double dew = fahrenheit ? grain_celsius(value) : value;
        // Sensors that read the same may differ by a little.
        if (!(dew >= -80 && dew <= hour->celsius + 0.5))
            return GRAIN_HOUR_DEW_RANGE;
        value = fmin(100, 100 * grain_air_saturation(dew) / grain_air_saturation(hour->celsius));
    }
    hour->ur = value;
    // Sensors read a little over 100 in fog; much more is no humidity.
    return value > 0 && value <= 105 ? GRAIN_HOUR_OK : GRAIN_HOUR_UR_RANGE;
}

// Equilibrium moisture at a temperature and a humidity that may be that of fog; NaN: none.
static double moisture_at(const struct grain_set *set, double celsius, double ur)
{
    return grain_wet_from_dry(grain_moisture(set, celsius, fmin(ur, GRAIN_SATURATED_UR) / 100));
}

static void compute_hour(const struct grain_result *chosen, const struct grain_hours *hours, struct grain_hour *hour,
                         struct grain_spread *spread)
{
    const struct grain_set *set = chosen->set;
    double heat = isnan(hours->fan_heat) ? 0 : hours->fan_heat;
    double vapour = fmin(hour->ur, 100) / 100 * grain_air_saturation(hour->celsius);
    double ta = hour->celsius + heat, ur = 100 * vapour / grain_air_saturation(ta);
    hour->saturated = ur > GRAIN_SATURATED_UR;
    const struct grain_range *range = grain_set_range(set);
    hour->out_of_range = !(ta >= range->ta_low && ta <= range->ta_high && ur >= range->ur_low && ur <= range->ur_high);
    hour->moisture = moisture_at(set, ta, ur);
    if (isnan(hour->moisture)) {
        hour->error = GRAIN_HOUR_NO_ANSWER;
        return;
    }
    *spread = grain_spread_at(chosen->culture, set, ta, fmin(ur, GRAIN_SATURATED_UR), false, false);
    // What the air does to grain of a known temperature, it does at that temperature.
    double towards = hour->moisture;
    if (!isnan(hours->grain_celsius)) {
        double at_grain = 100 * vapour / grain_air_saturation(hours->grain_celsius);
        hour->condensation = at_grain > 100;
        towards = moisture_at(set, hours->grain_celsius, at_grain);
        if (isnan(towards) && !hour->condensation) {
            // Air so dry at the grain's temperature that the equation has no moisture for it dries any grain.
            bool dry = hours->grain_celsius > grain_pole(set) && at_grain < range->ur_low;
            hour->error = dry ? GRAIN_HOUR_OK : GRAIN_HOUR_NO_ANSWER;
            hour->effect = GRAIN_DRIES;
            return;
        }
    }
    double difference = towards - hours->grain_moisture;
    hour->effect = hour->condensation          ? GRAIN_WETS
                   : difference < -hours->hold ? GRAIN_DRIES
                   : difference > hours->hold  ? GRAIN_WETS
                                               : GRAIN_HOLDS;
}

static void count_spread(struct grain_hours *hours, const struct grain_spread *spread)
{
    hours->spread.low += spread->low; // the sums, until the end
    hours->spread.high += spread->high;
    if (hours->answered == 0 || spread->sets < hours->spread.sets)
        hours->spread.sets = spread->sets;
}

static void count_hour(struct grain_hours *hours, const struct grain_hour *hour, const struct grain_spread *spread)
{
    count_spread(hours, spread);
    hours->low = hours->answered == 0 ? hour->moisture : fmin(hours->low, hour->moisture);
    hours->high = hours->answered == 0 ? hour->moisture : fmax(hours->high, hour->moisture);
    hours->mean += hour->moisture; // the sum, until the end
    hours->answered++;
    hours->effects[hour->effect]++;
    hours->condensation += hour->condensation;
    hours->saturated += hour->saturated;
    hours->out_of_range += hour->out_of_range;
    hours->fractions = hours->fractions && hour->ur <= 1;
}

static bool read_options(struct grain_fields *fields, struct grain_hours *hours)
{
    return grain_fields_read_grain(fields, true) &&
           grain_fields_read_number(fields, GRAIN_T_MOISTURE, false, 1, 60, &hours->grain_moisture) &&
           grain_fields_read_temperature(fields, GRAIN_T_GRAIN_TA, false, GRAIN_TA_MIN, GRAIN_TA_MAX, false,
                                         &hours->grain_celsius) &&
           grain_fields_read_temperature(fields, GRAIN_T_FAN_HEAT, false, 0, 40, true, &hours->fan_heat) &&
           grain_fields_read_number(fields, GRAIN_T_HOLD, false, 0, 5, &hours->hold) &&
           grain_fields_read_bool(fields, GRAIN_T_STRICT, &hours->strict);
}

// The grain's temperature is where the equation is asked what the air does to it.
static bool check_grain(struct grain_fields *fields, const struct grain_hours *hours)
{
    const struct grain_set *set = fields->chosen.set;
    const struct grain_range *range = grain_set_range(set);
    if (isnan(hours->grain_celsius) || isnan(hours->grain_moisture))
        return true;
    if (!(hours->grain_celsius >= range->ta_low && hours->grain_celsius <= range->ta_high))
        fields->chosen.warnings |= GRAIN_W_TA_RANGE;
    if (hours->grain_celsius - grain_pole(set) < GRAIN_POLE_MARGIN)
        fields->chosen.warnings |= GRAIN_W_POLE;
    return grain_fields_check_pole(fields, GRAIN_T_GRAIN_TA, hours->grain_celsius);
}

static enum pl_errc open_file(struct grain_fields *fields, struct pl_slice text, struct grain_hours *hours,
                              struct pl_error *err)
{
    enum grain_lang lang = fields->lang;
    if (text.len == 0)
        return pl_fail(err, PL_E_INVALID, "%s",
                       grain_words(lang, "The file is empty, or none was chosen.",
                                   "O arquivo está vazio, ou nenhum foi escolhido.",
                                   "El archivo está vacío, o no se eligió ninguno."));
    switch (grain_csv_open(&hours->csv, text)) {
    case GRAIN_CSV_UTF16:
        return pl_fail(err, PL_E_INVALID, "%s",
                       grain_words(lang, "The file is not text in UTF-8 (or it is UTF-16): save it as CSV in UTF-8.",
                                   "O arquivo não é texto em UTF-8 (ou é UTF-16): salve-o como CSV em UTF-8.",
                                   "El archivo no es texto en UTF-8 (o es UTF-16): guárdelo como CSV en UTF-8."));
    case GRAIN_CSV_NO_HEADER:
        return pl_fail(
            err, PL_E_INVALID, "%s",
            grain_words(lang,
                        "The file has no header with a temperature and a humidity (or dew point), such as: "
                        "time,temperature,humidity.",
                        "O arquivo não tem cabeçalho com temperatura e umidade relativa (ou ponto de orvalho), como: "
                        "data;temperatura;umidade.",
                        "El archivo no tiene encabezado con temperatura y humedad relativa (o punto de rocío), como: "
                        "fecha;temperatura;humedad."));
    case GRAIN_CSV_FOUND:
        break;
    }
    // The unit of the file counts for the other temperatures too, unless the request names one.
    if (!grain_fields_has(fields, GRAIN_T_TA_UNIT))
        fields->fahrenheit = hours->csv.ta_unit == GRAIN_UNIT_FAHRENHEIT;
    return PL_OK;
}

enum pl_errc grain_hours_answer(struct grain_fields *fields, struct pl_slice text, const struct pl_job *job,
                                struct grain_hours *hours, struct pl_error *err)
{
    *hours = (struct grain_hours){
        .grain_moisture = NAN, .grain_celsius = NAN, .fan_heat = NAN, .hold = 0.3, .fractions = true};
    if (!grain_fields_read_common(fields))
        return PL_E_INVALID;
    PL_TRY(open_file(fields, text, hours, err));
    if (!read_options(fields, hours) || !check_grain(fields, hours))
        return PL_E_INVALID;
    struct grain_csv_row row;
    struct grain_spread spread;
    while (grain_csv_next(&hours->csv, &row)) {
        if (hours->count == GRAIN_HOURS_MAX)
            return pl_fail(err, PL_E_LIMIT, "%s: %d.",
                           grain_words(fields->lang, "The file has more rows than a request may have",
                                       "O arquivo tem mais linhas do que uma requisição pode ter",
                                       "El archivo tiene más filas de las que una solicitud puede tener"),
                           GRAIN_HOURS_MAX);
        if (hours->count % 4096 == 0)
            PL_TRY(pl_job_check(job, err));
        struct grain_hour *hour = add_hour(hours);
        if (hour == NULL)
            return pl_fail(err, PL_E_MEMORY, "no memory for the hours");
        *hour = (struct grain_hour){.row = row.line, .time = row.time, .hour = row.hour, .moisture = NAN};
        hour->error = read_air(fields, &hours->csv, &row, hour);
        if (hour->error == GRAIN_HOUR_OK)
            compute_hour(&fields->chosen, hours, hour, &spread);
        if (hour->error == GRAIN_HOUR_OK)
            count_hour(hours, hour, &spread);
        double heat = isnan(hours->fan_heat) ? 0 : hours->fan_heat;
        if (hour->error == GRAIN_HOUR_OK && hour->celsius + heat - grain_pole(fields->chosen.set) < GRAIN_POLE_MARGIN)
            fields->chosen.warnings |= GRAIN_W_POLE;
    }
    hours->fractions = hours->fractions && hours->answered > 0;
    double answered = hours->answered > 0 ? (double)hours->answered : NAN;
    hours->mean /= answered;
    hours->spread.low /= answered;
    hours->spread.high /= answered;
    return PL_OK;
}

size_t grain_hours_periods(const struct grain_hours *hours, struct grain_period *periods, size_t max)
{
    size_t size = PL_MAX((size_t)24, (hours->answered + max - 1) / max), count = 0;
    struct grain_period *period = NULL;
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (hour->error != GRAIN_HOUR_OK)
            continue;
        if (period == NULL || period->hours == size) {
            if (count == max)
                break;
            period = &periods[count++];
            *period = (struct grain_period){.first = i, .low = hour->moisture, .high = hour->moisture};
        }
        period->mean = (period->mean * (double)period->hours + hour->moisture) / (double)(period->hours + 1);
        period->low = fmin(period->low, hour->moisture);
        period->high = fmax(period->high, hour->moisture);
        period->hours++;
        period->effects[hour->effect]++;
    }
    return count;
}
