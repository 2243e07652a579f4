// Computes the hours of a file one after another, and their sums.
#include "grain/hours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// Without space around it, also without a space at which no line may break (U+00A0, U+202F), as pages have between a
// number and its unit.
static struct pl_slice trim_unit(struct pl_slice tail)
{
    tail = pl_slice_trim(tail);
    size_t blank = tail.len >= 2 && memcmp(tail.ptr, "\xC2\xA0", 2) == 0       ? 2
                   : tail.len >= 3 && memcmp(tail.ptr, "\xE2\x80\xAF", 3) == 0 ? 3
                   : tail.len >= 1 && tail.ptr[0] == 0xA0                      ? 1
                                                                               : 0;
    return pl_slice_trim(pl_slice_sub(tail, blank, tail.len));
}

// A cell's number as loggers and services write it: point or comma, perhaps with a unit, which `unit` then has, or with
// the letter of a doubtful value; tenths of a degree with a mark of quality in the hourly files of NOAA.
static bool parse_cell(struct pl_slice cell, double *out, enum grain_column_unit *unit)
{
    if (cell.len == 7 && (cell.ptr[0] == '+' || cell.ptr[0] == '-') && cell.ptr[5] == ',') {
        bool good = grain_parse_number(pl_slice_sub(cell, 1, 4), out);
        *out = (cell.ptr[0] == '-' ? -*out : *out) / 10;
        return good && *out < 999;
    }
    size_t len = cell.len;
    while (len > 1 && !(cell.ptr[len - 1] >= '0' && cell.ptr[len - 1] <= '9') && cell.ptr[len - 1] != '.')
        len--;
    struct pl_slice tail = trim_unit(pl_slice_sub(cell, len, cell.len));
    uint8_t last = tail.len > 0 ? tail.ptr[tail.len - 1] : '\0';
    bool degrees = tail.len > 0 && tail.len <= 4 && (last == 'F' || last == 'C' || last == 'K');
    if (degrees)
        *unit = last == 'F' ? GRAIN_UNIT_FAHRENHEIT : last == 'C' ? GRAIN_UNIT_CELSIUS : GRAIN_UNIT_KELVIN;
    if (degrees || pl_slice_eq_cstr(tail, "%") || pl_slice_eq_cstr(tail, "s"))
        cell = pl_slice_trim(pl_slice_sub(cell, 0, len));
    return grain_parse_number(cell, out);
}

// What services write where nothing was measured.
static bool is_missing(struct pl_slice cell)
{
    static const char *const marks[] = {"",  "M",    "NA",     "N/A",   "null",   "-",       "--",     "---",
                                        "*", "-999", "-999.0", "-9999", "-999,0", "-9999.0", "+9999,9"};
    for (size_t i = 0; i < PL_COUNTOF(marks); i++) {
        if (pl_slice_eq_cstr(cell, marks[i]))
            return true;
    }
    return false;
}

// In the unit that a cell or its column says, else in that of the request. No request names kelvins, so a column does.
static double celsius_of(const struct grain_fields *fields, enum grain_column_unit unit, double value)
{
    bool fahrenheit = unit == GRAIN_UNIT_UNSAID ? fields->fahrenheit : unit == GRAIN_UNIT_FAHRENHEIT;
    return unit == GRAIN_UNIT_KELVIN ? value - 273.15 : fahrenheit ? grain_celsius(value) : value;
}

static enum grain_hour_error read_air(const struct grain_fields *fields, const struct grain_csv *csv,
                                      const struct grain_csv_row *row, struct grain_hour *hour)
{
    double ta, value;
    bool kelvin = csv->taken_ta.what.unit == GRAIN_UNIT_KELVIN;
    enum grain_column_unit unit = kelvin ? GRAIN_UNIT_KELVIN : GRAIN_UNIT_UNSAID;
    if (row->too_many)
        return GRAIN_HOUR_CELLS;
    if (is_missing(row->part[GRAIN_COLUMN_TA]))
        return GRAIN_HOUR_NO_TA;
    if (!parse_cell(row->part[GRAIN_COLUMN_TA], &ta, &unit))
        return GRAIN_HOUR_BAD_TA;
    hour->said_unit = unit != GRAIN_UNIT_UNSAID;
    // Where only cells say the unit, one that does not is as of a file that says none.
    if (!hour->said_unit && csv->cell_unit != GRAIN_UNIT_UNSAID)
        unit = GRAIN_UNIT_CELSIUS;
    hour->celsius = celsius_of(fields, unit, ta);
    if (!(hour->celsius >= GRAIN_TA_MIN && hour->celsius <= GRAIN_TA_MAX))
        return GRAIN_HOUR_TA_RANGE;
    struct pl_slice cell = row->part[csv->by_dew_point ? GRAIN_COLUMN_DEW : GRAIN_COLUMN_UR];
    if (is_missing(cell))
        return GRAIN_HOUR_NO_UR;
    enum grain_column_unit dew_unit = csv->taken_ur.what.unit;
    if (!parse_cell(cell, &value, &dew_unit))
        return GRAIN_HOUR_BAD_UR;
    double saturation = grain_air_saturation_over(hour->celsius, GRAIN_OVER_WATER);
    if (csv->by_dew_point) {
        // The dew point may be in another unit than the temperature.
        double dew = celsius_of(fields, dew_unit == GRAIN_UNIT_UNSAID && kelvin ? GRAIN_UNIT_KELVIN : dew_unit, value);
        // Sensors that read the same may differ by a little.
        if (!(dew >= -80 && dew <= hour->celsius + 0.5))
            return GRAIN_HOUR_DEW_RANGE;
        value = fmin(100, 100 * grain_air_saturation_over(dew, GRAIN_OVER_WATER) / saturation);
    }
    hour->ur = value;
    hour->vapour = fmin(value, 100) / 100 * saturation;
    // Sensors read a little over 100 in fog; much more is no humidity.
    return value > 0 && value <= 105 ? GRAIN_HOUR_OK : GRAIN_HOUR_UR_RANGE;
}

// Equilibrium moisture at a temperature and a humidity that may be that of fog; NaN: none.
static double moisture_at(const struct grain_set *set, double celsius, double ur)
{
    return grain_wet_from_dry(grain_moisture_in(set, celsius, ur));
}

double grain_hours_heat(const struct grain_hours *hours)
{
    return isnan(hours->fan_heat) ? 0 : hours->fan_heat;
}

bool grain_hours_stay_as_warm(const struct grain_hours *hours)
{
    return !isnan(hours->grain_celsius) && isnan(hours->airflow);
}

static void compute_hour(const struct grain_hours *hours, struct grain_hour *hour)
{
    const struct grain_set *set = hours->set;
    double ta = hour->celsius + grain_hours_heat(hours);
    double ur = 100 * hour->vapour / grain_air_saturation_over(ta, GRAIN_OVER_WATER);
    hour->saturated = ur > GRAIN_SATURATED_UR;
    hour->out_of_range = !grain_in_range(grain_set_range(set), ta, ur);
    hour->moisture = moisture_at(set, ta, ur);
    if (isnan(hour->moisture)) {
        hour->error = GRAIN_HOUR_NO_ANSWER;
        return;
    }
    // What the air does to grain of a known temperature, it does at that temperature.
    double towards = hour->moisture;
    if (grain_hours_stay_as_warm(hours)) {
        double at_grain = 100 * hour->vapour / grain_air_saturation_over(hours->grain_celsius, GRAIN_OVER_WATER);
        hour->condensation = at_grain > 100;
        towards = moisture_at(set, hours->grain_celsius, at_grain);
        if (isnan(towards) && !hour->condensation) {
            // Air so dry at the grain's temperature that the equation has no moisture for it dries any grain.
            bool dry = hours->grain_celsius > grain_pole(set) && at_grain < grain_set_range(set)->ur_low;
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

void grain_mean_air_add(struct grain_mean_air *air, const struct grain_hours *hours, const struct grain_hour *hour)
{
    air->celsius += (hour->celsius + grain_hours_heat(hours)) * hour->weight;
    air->vapour += hour->vapour * hour->weight;
}

double grain_mean_air_moisture(struct grain_mean_air *air, const struct grain_set *set, double hours)
{
    air->celsius /= hours;
    air->vapour /= hours;
    air->ur = 100 * air->vapour / grain_air_saturation_over(air->celsius, GRAIN_OVER_WATER);
    return moisture_at(set, air->celsius, air->ur);
}

static void count_hour(struct grain_hours *hours, const struct grain_hour *hour)
{
    hours->low = hours->answered == 0 ? hour->moisture : fmin(hours->low, hour->moisture);
    hours->high = hours->answered == 0 ? hour->moisture : fmax(hours->high, hour->moisture);
    hours->answered++;
    hours->effects[hour->effect] += hour->weight;
    hours->condensation += hour->condensation ? hour->weight : 0;
    hours->saturated += hour->saturated ? hour->weight : 0;
    hours->out_of_range += hour->out_of_range ? hour->weight : 0;
    hours->fractions = hours->fractions && hour->ur <= 1;
    grain_mean_air_add(&hours->air, hours, hour);
}

// Advice needs the grain's moisture, to cool it also its temperature; the bin both, and where it shall end.
static bool read_fan(struct grain_fields *fields, struct grain_hours *hours)
{
    if (!grain_fields_read_goal(fields, &hours->goal) ||
        !grain_fields_read_number(fields, GRAIN_T_AIRFLOW, false, 0.01, 20, &hours->airflow) ||
        !grain_fields_read_number(fields, GRAIN_T_TARGET, false, 1, 60, &hours->target))
        return false;
    bool bin = !isnan(hours->airflow);
    if ((bin || hours->goal != GRAIN_NO_GOAL) && isnan(hours->grain_moisture))
        return grain_fields_refuse(fields, "missing_field", GRAIN_T_MOISTURE);
    if ((bin || hours->goal == GRAIN_GOAL_COOL) && isnan(hours->grain_celsius))
        return grain_fields_refuse(fields, "missing_field", GRAIN_T_GRAIN_TA);
    if (!bin)
        grain_fields_note_idle(fields, GRAIN_T_TARGET);
    if (isnan(hours->grain_moisture))
        grain_fields_note_idle(fields, GRAIN_T_HOLD);
    return true;
}

static bool read_options(struct grain_fields *fields, struct grain_hours *hours)
{
    return grain_fields_read_grain(fields, true) &&
           grain_fields_read_number(fields, GRAIN_T_MOISTURE, false, 1, 60, &hours->grain_moisture) &&
           grain_fields_read_temperature(fields, GRAIN_T_GRAIN_TA, false, GRAIN_TA_MIN, GRAIN_TA_MAX, false,
                                         &hours->grain_celsius) &&
           grain_fields_read_temperature(fields, GRAIN_T_FAN_HEAT, false, 0, 40, true, &hours->fan_heat) &&
           grain_fields_read_number(fields, GRAIN_T_HOLD, false, 0, 5, &hours->hold) &&
           grain_fields_read_bool(fields, GRAIN_T_STRICT, &hours->strict) && read_fan(fields, hours);
}

// The grain's temperature is where the equation is asked what the air does to it.
static bool check_grain(struct grain_fields *fields, const struct grain_hours *hours)
{
    const struct grain_set *set = fields->chosen.set;
    const struct grain_range *range = grain_set_range(set);
    if (isnan(hours->grain_celsius) || isnan(hours->grain_moisture))
        return true;
    if (!(hours->grain_celsius >= range->ta_low && hours->grain_celsius <= range->ta_high))
        grain_fields_warn(fields, GRAIN_W_TA_RANGE, GRAIN_T_GRAIN_TA);
    if (hours->grain_celsius - grain_pole(set) < GRAIN_POLE_MARGIN)
        grain_fields_warn(fields, GRAIN_W_POLE, GRAIN_T_GRAIN_TA);
    return grain_fields_check_pole(fields, GRAIN_T_GRAIN_TA, hours->grain_celsius);
}

static enum pl_errc refuse_file(struct grain_hours *hours, enum grain_hours_problem problem, struct pl_error *err)
{
    hours->problem = problem;
    return pl_fail(err, PL_E_INVALID, "%s", "the columns or the unit of the file are not clear");
}

// The unit that the first temperature of those with one says in its cell: "45.2 °F".
static enum grain_column_unit unit_in_cells(const struct grain_csv *csv)
{
    struct grain_csv ahead = *csv;
    struct grain_csv_row row;
    enum grain_column_unit unit = GRAIN_UNIT_UNSAID;
    for (int i = 0; i < GRAIN_HOURS_MAX && unit == GRAIN_UNIT_UNSAID && grain_csv_next(&ahead, &row); i++) {
        double ta;
        struct pl_slice cell = row.part[GRAIN_COLUMN_TA];
        if (row.too_many || is_missing(cell) || !parse_cell(cell, &ta, &unit))
            unit = GRAIN_UNIT_UNSAID;
    }
    return unit;
}

static enum pl_errc open_file(struct grain_fields *fields, struct pl_slice text, struct grain_hours *hours,
                              struct pl_error *err)
{
    enum grain_lang lang = fields->lang;
    struct grain_csv_asked asked = {fields->value[GRAIN_T_TEMPERATURE_COLUMN], fields->value[GRAIN_T_HUMIDITY_COLUMN]};
    if (text.len == 0)
        return pl_fail(err, PL_E_INVALID, "%s",
                       grain_words(lang, "The file is empty, or none was chosen.",
                                   "O arquivo está vazio, ou nenhum foi escolhido.",
                                   "El archivo está vacío, o no se eligió ninguno."));
    switch (grain_csv_open(&hours->csv, text, &asked)) {
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
    case GRAIN_CSV_AMBIGUOUS:
        return refuse_file(hours, GRAIN_HOURS_AMBIGUOUS_COLUMNS, err);
    case GRAIN_CSV_NO_COLUMN:
        return refuse_file(hours, GRAIN_HOURS_UNKNOWN_COLUMN, err);
    case GRAIN_CSV_FOUND:
        break;
    }
    const struct grain_column *ta = &hours->csv.taken_ta.what, *ur = &hours->csv.taken_ur.what;
    // The unit of the file counts for the other temperatures too, unless the request names one.
    if (grain_fields_has(fields, GRAIN_T_TA_UNIT)) {
        if (ta->unit == (fields->fahrenheit ? GRAIN_UNIT_CELSIUS : GRAIN_UNIT_FAHRENHEIT))
            hours->overruled = ta->unit;
        return PL_OK;
    }
    hours->csv.cell_unit = ta->unit == GRAIN_UNIT_UNSAID ? unit_in_cells(&hours->csv) : GRAIN_UNIT_UNSAID;
    if (ta->asks_unit && hours->csv.cell_unit == GRAIN_UNIT_UNSAID)
        return refuse_file(hours, GRAIN_HOURS_AMBIGUOUS_UNIT, err);
    // A dew point with a unit beside a temperature without one tells that one's.
    if (ta->unit == GRAIN_UNIT_UNSAID && hours->csv.cell_unit == GRAIN_UNIT_UNSAID)
        hours->csv.taken_ta.what.unit = hours->csv.by_dew_point    ? ur->unit
                                        : hours->csv.dew.count > 0 ? hours->csv.dew.list[0].what.unit
                                                                   : GRAIN_UNIT_UNSAID;
    const enum grain_column_unit unit = ta->unit == GRAIN_UNIT_UNSAID ? hours->csv.cell_unit : ta->unit;
    fields->fahrenheit = unit == GRAIN_UNIT_FAHRENHEIT;
    return PL_OK;
}

// No header, no cell and no request says the unit: °C is taken, which is told, unless most temperatures are none that
// air has in °C.
static bool looks_like_fahrenheit(const struct grain_fields *fields, struct grain_hours *hours)
{
    size_t hot = 0, seen = 0;
    if (grain_fields_has(fields, GRAIN_T_TA_UNIT) || hours->csv.taken_ta.what.unit != GRAIN_UNIT_UNSAID)
        return false;
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        bool has = !hour->said_unit && (hour->error == GRAIN_HOUR_OK || hour->error == GRAIN_HOUR_TA_RANGE);
        seen += has;
        hot += has && hour->celsius > GRAIN_TA_HIGH;
    }
    hours->unit_assumed = seen > 0;
    return hot * 2 > seen;
}

static enum pl_errc read_rows(struct grain_fields *fields, const struct pl_job *job, struct grain_hours *hours,
                              struct pl_error *err)
{
    struct grain_csv_row row;
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
        struct pl_slice day = row.part[GRAIN_COLUMN_TIME];
        *hour = (struct grain_hour){.row = row.line,
                                    .time = day.len > 0 ? day : row.part[GRAIN_COLUMN_DAY],
                                    .hour = row.part[GRAIN_COLUMN_HOUR],
                                    .stamp = grain_stamp_of(&hours->csv, &row),
                                    .celsius = NAN,
                                    .moisture = NAN};
        hour->error = read_air(fields, &hours->csv, &row, hour);
        if (hour->error == GRAIN_HOUR_OK)
            compute_hour(hours, hour);
        if (hour->error == GRAIN_HOUR_OK &&
            hour->celsius + grain_hours_heat(hours) - grain_pole(hours->set) < GRAIN_POLE_MARGIN)
            fields->chosen.warnings |= GRAIN_W_POLE;
    }
    return PL_OK;
}

// The sums over the hours, and what the bin tends to.
static void finish(struct grain_fields *fields, struct grain_hours *hours)
{
    for (size_t i = 0; i < hours->count; i++) {
        if (hours->list[i].error == GRAIN_HOUR_OK)
            count_hour(hours, &hours->list[i]);
    }
    hours->fractions = hours->fractions && hours->answered > 0;
    if (hours->answered == 0) {
        hours->mean = hours->spread.low = hours->spread.high = NAN;
        return;
    }
    hours->mean = grain_mean_air_moisture(&hours->air, hours->set, hours->clock.covered);
    hours->spread =
        grain_spread_at(fields->chosen.culture, hours->set, hours->air.celsius, hours->air.ur, false, false);
    if (hours->spread.sets < 2)
        fields->chosen.warnings |= GRAIN_W_ALONE;
    if (hours->saturated > 0)
        fields->chosen.warnings |= GRAIN_W_SATURATED;
    hours->mean_out_of_range = !grain_in_range(grain_set_range(hours->set), hours->air.celsius, hours->air.ur);
}

enum pl_errc grain_hours_answer(struct grain_fields *fields, struct pl_slice text, const struct pl_job *job,
                                struct grain_hours *hours, struct pl_error *err)
{
    *hours = (struct grain_hours){.grain_moisture = NAN,
                                  .grain_celsius = NAN,
                                  .fan_heat = NAN,
                                  .hold = 0.3,
                                  .fractions = true,
                                  .airflow = NAN,
                                  .target = NAN};
    if (!grain_fields_read_common(fields))
        return PL_E_INVALID;
    PL_TRY(open_file(fields, text, hours, err));
    if (!read_options(fields, hours) || !check_grain(fields, hours))
        return PL_E_INVALID;
    hours->set = fields->chosen.set;
    PL_TRY(read_rows(fields, job, hours, err));
    if (looks_like_fahrenheit(fields, hours))
        return refuse_file(hours, GRAIN_HOURS_AMBIGUOUS_UNIT, err);
    if (!grain_hours_set_clock(hours))
        return pl_fail(err, PL_E_MEMORY, "no memory for the hours");
    finish(fields, hours);
    return grain_hours_run_fan(hours, fields->chosen.culture, job, err);
}
