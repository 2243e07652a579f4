// Computes the hours of a file one after another, and their sums.
#include "grain/hours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/utf8.h"
#include "grain/air.h"

// The mean of so many rows, a day in most files, or more is above this in deserts only.
#define DAY_ROWS 24
#define HOT_MEAN 35.0 // °C

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

// Plain spaces in place of the thin ones (U+2000 to U+200A, U+202F) and of those at which no line may break (U+00A0),
// as pages have between a number and its unit; without any around it.
static struct pl_slice with_plain_spaces(struct pl_slice cell, uint8_t copy[GRAIN_TEXT_MAX])
{
    size_t len = 0;
    if (cell.len > GRAIN_TEXT_MAX)
        return cell;
    for (size_t pos = 0; pos < cell.len;) {
        size_t start = pos;
        uint32_t letter = pl_utf8_next(cell, &pos);
        bool latin = letter == PL_UTF8_BAD && cell.ptr[start] == 0xA0;
        if (latin || letter == 0xA0 || (letter >= 0x2000 && letter <= 0x200A) || letter == 0x202F) {
            copy[len++] = ' ';
        } else {
            memcpy(copy + len, cell.ptr + start, pos - start);
            len += pos - start;
        }
    }
    return pl_slice_trim(pl_slice_make(copy, len));
}

// What services write where nothing was measured.
static bool is_missing(struct pl_slice cell)
{
    return pl_slice_is_one_of(cell, "|M|NA|N/A|null|-|--|---|*|-999|-999.0|-9999|-999,0|-9999.0|+9999,9|\u2013|\u2014");
}

// "+0153,1": tenths of a degree and a mark of quality, in the hourly files of NOAA.
static bool has_mark(struct pl_slice cell)
{
    return cell.len == 7 && (cell.ptr[0] == '+' || cell.ptr[0] == '-') && cell.ptr[5] == ',';
}

// A cell's number as loggers and services write it: point or comma, perhaps with a unit, which `unit` then has, or with
// the letter of a doubtful value; tenths of a degree with a mark of quality in the hourly files of NOAA.
static bool parse_cell(struct pl_slice cell, enum grain_column_kind kind, double *out, enum grain_column_unit *unit)
{
    *unit = GRAIN_UNIT_UNSAID;
    if (has_mark(cell)) {
        bool good = grain_parse_number(pl_slice_sub(cell, 1, 4), out);
        *out = (cell.ptr[0] == '-' ? -*out : *out) / 10;
        return good && *out < 999;
    }
    size_t len = cell.len;
    while (len > 1 && !pl_is_digit(cell.ptr[len - 1]) && !(cell.ptr[len - 1] == '.' && pl_is_digit(cell.ptr[len - 2])))
        len--;
    struct pl_slice tail = pl_slice_trim(pl_slice_sub(cell, len, cell.len));
    if (kind != GRAIN_COLUMN_UR)
        *unit = grain_unit_alone(tail);
    bool percent = kind == GRAIN_COLUMN_UR && grain_percent_alone(tail);
    if (*unit != GRAIN_UNIT_UNSAID || percent || pl_slice_eq_cstr(tail, "s"))
        cell = pl_slice_trim(pl_slice_sub(cell, 0, len));
    return grain_parse_number(cell, out);
}

enum cell { CELL_NUMBER, CELL_MISSING, CELL_BAD, CELL_SUSPECT };

static enum cell read_cell(const struct grain_csv_row *row, enum grain_column_kind kind, double *out,
                           enum grain_column_unit *unit)
{
    uint8_t copy[GRAIN_TEXT_MAX];
    struct pl_slice cell = with_plain_spaces(row->part[kind], copy);
    *unit = GRAIN_UNIT_UNSAID;
    if (is_missing(cell))
        return CELL_MISSING;
    if (!parse_cell(cell, kind, out, unit))
        return CELL_BAD;
    // The marks of what NOAA calls suspect or erroneous.
    return has_mark(cell) && cell.ptr[6] != '\0' && strchr("2367", cell.ptr[6]) != NULL ? CELL_SUSPECT : CELL_NUMBER;
}

// In the unit that a cell or its column says, else in that of the request. No request names kelvins, so a column does.
static double celsius_of(const struct grain_fields *fields, enum grain_column_unit unit, double value)
{
    bool fahrenheit = unit == GRAIN_UNIT_UNSAID ? fields->fahrenheit : unit == GRAIN_UNIT_FAHRENHEIT;
    return unit == GRAIN_UNIT_KELVIN ? value - 273.15 : fahrenheit ? grain_celsius(value) : value;
}

// Cells are read in the unit that they say themselves. Where the header or the request says another one, that is told.
static void compare_units(const struct grain_fields *fields, struct grain_hours *hours, enum grain_column_kind kind,
                          enum grain_column_unit said)
{
    enum grain_column_unit other =
        kind == GRAIN_COLUMN_TA ? hours->csv.taken_ta.what.unit : hours->csv.taken_ur.what.unit;
    if (kind == GRAIN_COLUMN_TA && other != GRAIN_UNIT_KELVIN && grain_fields_has(fields, GRAIN_T_TA_UNIT))
        other = fields->fahrenheit ? GRAIN_UNIT_FAHRENHEIT : GRAIN_UNIT_CELSIUS;
    if (said != GRAIN_UNIT_UNSAID && other != GRAIN_UNIT_UNSAID && said != other)
        hours->cells_differ = kind;
}

// The temperature of a row in °C, in the unit that its cell says. Where only cells say the unit, a dew point tells that
// of the temperature beside it, and a temperature without either is as of a file that says none.
static double temperature_of(const struct grain_fields *fields, const struct grain_csv *csv, struct grain_hour *hour,
                             double ta, enum grain_column_unit unit, enum grain_column_unit dew_unit)
{
    bool by_cells = csv->cell_unit != GRAIN_UNIT_UNSAID;
    if (unit == GRAIN_UNIT_UNSAID)
        unit = by_cells ? dew_unit : csv->taken_ta.what.unit == GRAIN_UNIT_KELVIN ? GRAIN_UNIT_KELVIN : unit;
    hour->said_unit = unit != GRAIN_UNIT_UNSAID;
    return celsius_of(fields, by_cells && !hour->said_unit ? GRAIN_UNIT_CELSIUS : unit, ta);
}

// The humidity by a dew point, which may be in another unit than the temperature; NaN: none that this air can have.
static double humidity_by(const struct grain_fields *fields, const struct grain_csv *csv, double celsius, double dew,
                          enum grain_column_unit unit)
{
    if (unit == GRAIN_UNIT_UNSAID)
        unit = csv->taken_ur.what.unit;
    if (unit == GRAIN_UNIT_UNSAID && csv->taken_ta.what.unit == GRAIN_UNIT_KELVIN)
        unit = GRAIN_UNIT_KELVIN;
    dew = celsius_of(fields, unit, dew);
    // Sensors that read the same may differ by a little.
    if (!(dew >= -80 && dew <= celsius + 0.5))
        return NAN;
    return fmin(100, 100 * grain_air_saturation_over(dew, GRAIN_OVER_WATER) /
                         grain_air_saturation_over(celsius, GRAIN_OVER_WATER));
}

static enum grain_hour_error read_air(const struct grain_fields *fields, struct grain_hours *hours,
                                      const struct grain_csv_row *row, struct grain_hour *hour)
{
    const struct grain_csv *csv = &hours->csv;
    double ta = 0, value = 0;
    enum grain_column_unit unit, dew_unit, none;
    if (row->too_many)
        return GRAIN_HOUR_CELLS;
    enum cell cell = read_cell(row, GRAIN_COLUMN_TA, &ta, &unit);
    if (cell != CELL_NUMBER)
        return cell == CELL_SUSPECT ? GRAIN_HOUR_SUSPECT : cell == CELL_MISSING ? GRAIN_HOUR_NO_TA : GRAIN_HOUR_BAD_TA;
    compare_units(fields, hours, GRAIN_COLUMN_TA, unit);
    cell = read_cell(row, GRAIN_COLUMN_DEW, &value, &dew_unit);
    hour->celsius = temperature_of(fields, csv, hour, ta, unit, dew_unit);
    if (!(hour->celsius >= GRAIN_TA_MIN && hour->celsius <= GRAIN_TA_MAX))
        return GRAIN_HOUR_TA_RANGE;
    if (csv->by_dew_point)
        compare_units(fields, hours, GRAIN_COLUMN_DEW, dew_unit);
    else
        cell = read_cell(row, GRAIN_COLUMN_UR, &value, &none);
    if (cell != CELL_NUMBER)
        return cell == CELL_SUSPECT ? GRAIN_HOUR_SUSPECT : cell == CELL_MISSING ? GRAIN_HOUR_NO_UR : GRAIN_HOUR_BAD_UR;
    if (csv->by_dew_point && isnan(value = humidity_by(fields, csv, hour->celsius, value, dew_unit)))
        return GRAIN_HOUR_DEW_RANGE;
    hour->ur = value;
    hour->vapour = fmin(value, 100) / 100 * grain_air_saturation_over(hour->celsius, GRAIN_OVER_WATER);
    // Sensors read a little over 100 in fog; much more is no humidity.
    return value > 0 && value <= 105 ? GRAIN_HOUR_OK : GRAIN_HOUR_UR_RANGE;
}

// Equilibrium moisture at a temperature and a humidity that may be that of fog; NaN: none.
static double moisture_at(const struct grain_set *set, double celsius, double ur)
{
    return grain_wet_from_dry(grain_moisture_in(set, celsius, ur));
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

static void count_hour(struct grain_hours *hours, const struct grain_hour *hour)
{
    hours->low = hours->answered == 0 ? hour->moisture : fmin(hours->low, hour->moisture);
    hours->high = hours->answered == 0 ? hour->moisture : fmax(hours->high, hour->moisture);
    hours->answered++;
    hours->effects[hour->effect] += hour->weight;
    hours->condensation += hour->condensation ? hour->weight : 0;
    hours->saturated += hour->saturated ? hour->weight : 0;
    hours->out_of_range += hour->out_of_range ? hour->weight : 0;
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

// The unit that the first temperature of those with one says in its cell: "45.2 °F"; if none does, the first dew point.
static enum grain_column_unit unit_in_cells(const struct grain_csv *csv)
{
    static const enum grain_column_kind kinds[] = {GRAIN_COLUMN_TA, GRAIN_COLUMN_DEW};
    for (size_t k = 0; k < PL_COUNTOF(kinds); k++) {
        struct grain_csv ahead = *csv;
        struct grain_csv_row row;
        for (int i = 0; csv->part[kinds[k]] >= 0 && i < GRAIN_HOURS_MAX && grain_csv_next(&ahead, &row); i++) {
            double value;
            enum grain_column_unit unit;
            if (!row.too_many && read_cell(&row, kinds[k], &value, &unit) == CELL_NUMBER && unit != GRAIN_UNIT_UNSAID)
                return unit;
        }
    }
    return GRAIN_UNIT_UNSAID;
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

// No header, no cell and no request says the unit: °C is taken, which is told, unless more than one in twenty is none
// that air has in °C, or a day of rows or more is hotter on average than weather is but in deserts: 45 °F looks like
// that.
static bool looks_like_fahrenheit(const struct grain_fields *fields, struct grain_hours *hours)
{
    size_t hot = 0, seen = 0;
    double sum = 0;
    if (grain_fields_has(fields, GRAIN_T_TA_UNIT) || hours->csv.taken_ta.what.unit != GRAIN_UNIT_UNSAID)
        return false;
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        bool has = !hour->said_unit && (hour->error == GRAIN_HOUR_OK || hour->error == GRAIN_HOUR_TA_RANGE);
        seen += has;
        hot += has && hour->celsius > GRAIN_TA_HIGH;
        sum += has ? hour->celsius : 0;
    }
    hours->unit_assumed = seen > 0;
    // One row may be an error of a sensor.
    return hot * 2 > seen || (hot > 1 && hot * 20 > seen) || (seen >= DAY_ROWS && sum > HOT_MEAN * (double)seen);
}

// Air of 1 % or less there is nearly nowhere: where most humidities are that, or what 105 % is as a fraction, the file
// has fractions. A few may be errors of a sensor, which is told.
static bool looks_like_fractions(struct grain_hours *hours)
{
    size_t small = 0, seen = 0;
    for (size_t i = 0; i < hours->count && !hours->csv.by_dew_point; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (hour->error != GRAIN_HOUR_OK && hour->error != GRAIN_HOUR_NO_ANSWER)
            continue;
        seen++;
        small += hour->ur <= 1.05;
    }
    hours->fractions = small;
    return small * 2 > seen;
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
        hour->error = read_air(fields, hours, &row, hour);
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
    if (hours->answered == 0) {
        hours->air.moisture = hours->spread.low = hours->spread.high = NAN;
        return;
    }
    hours->air = grain_hours_mean_air(hours, 0, hours->count, false);
    // Other sets are compared in the air that holds the grain at this moisture.
    double ur = 100 * grain_humidity(hours->set, hours->air.celsius, grain_dry_from_wet(hours->air.moisture));
    hours->spread = grain_spread_at(fields->chosen.culture, hours->set, hours->air.celsius,
                                    isnan(ur) ? hours->air.ur : ur, false, false);
    if (hours->spread.sets < 2)
        fields->chosen.warnings |= GRAIN_W_ALONE;
    if (hours->saturated > 0)
        fields->chosen.warnings |= GRAIN_W_SATURATED;
    hours->mean_out_of_range = !grain_in_range(grain_set_range(hours->set), hours->air.celsius, hours->air.ur);
}

enum pl_errc grain_hours_answer(struct grain_fields *fields, struct pl_slice text, const struct pl_job *job,
                                struct grain_hours *hours, struct pl_error *err)
{
    *hours = (struct grain_hours){
        .grain_moisture = NAN, .grain_celsius = NAN, .fan_heat = NAN, .hold = 0.3, .airflow = NAN, .target = NAN};
    if (!grain_fields_read_common(fields))
        return PL_E_INVALID;
    PL_TRY(open_file(fields, text, hours, err));
    if (!read_options(fields, hours) || !check_grain(fields, hours))
        return PL_E_INVALID;
    hours->set = fields->chosen.set;
    PL_TRY(read_rows(fields, job, hours, err));
    bool asked = grain_fields_has(fields, GRAIN_T_TA_UNIT);
    if ((hours->cells_differ != GRAIN_COLUMN_OTHER && !asked) || looks_like_fahrenheit(fields, hours))
        return refuse_file(hours, GRAIN_HOURS_AMBIGUOUS_UNIT, err);
    if (looks_like_fractions(hours))
        return refuse_file(hours, GRAIN_HOURS_FRACTIONS, err);
    if (!grain_hours_set_clock(hours))
        return pl_fail(err, PL_E_MEMORY, "no memory for the hours");
    finish(fields, hours);
    return grain_hours_run_fan(hours, fields->chosen.culture, job, err);
}
