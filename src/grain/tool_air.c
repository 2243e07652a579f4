// The air that the grain sees: humidity from dew point or wet bulb, at an altitude, after the heat of the fan.
#include <math.h>

#include "base/fmt.h"
#include "grain/air.h"

static struct grain_air state_of(double celsius, double vapour, double pressure, enum grain_over over)
{
    double saturation = grain_air_saturation_over(celsius, over);
    return (struct grain_air){
        .celsius = celsius,
        .ur = fmin(100, 100 * vapour / saturation),
        .dew_point = grain_air_dew_point(vapour, over),
        .wet_bulb = grain_air_wet_bulb(celsius, vapour, pressure),
        .ratio = grain_air_ratio(vapour, pressure),
        .vapour = vapour,
        .pressure = pressure,
    };
}

static bool read_vapour(struct grain_fields *fields, double celsius, double pressure, enum grain_over over,
                        double *vapour)
{
    const bool with_ur = grain_fields_has(fields, GRAIN_T_UR), with_dew = grain_fields_has(fields, GRAIN_T_DEW_POINT),
               with_wet = grain_fields_has(fields, GRAIN_T_WET_BULB);
    if (with_ur + with_dew + with_wet > 1)
        return grain_fields_refuse(fields, "conflicting_fields", with_wet ? GRAIN_T_WET_BULB : GRAIN_T_DEW_POINT);
    double value = NAN;
    if (with_dew) {
        if (!grain_fields_read_temperature(fields, GRAIN_T_DEW_POINT, true, -60, celsius, false, &value))
            return false;
        *vapour = grain_air_saturation_over(value, over);
    } else if (with_wet) {
        if (!grain_fields_read_temperature(fields, GRAIN_T_WET_BULB, true, -40, celsius, false, &value))
            return false;
        double ratio = grain_air_ratio_from_wet_bulb(celsius, value, pressure);
        *vapour = grain_air_vapour(ratio, pressure);
    } else {
        if (!grain_fields_read_number(fields, GRAIN_T_UR, true, 0.1, 100, &value))
            return false;
        *vapour = value / 100 * grain_air_saturation_over(celsius, over);
    }
    // A wet bulb so low that the air would hold less than no water.
    if (!(*vapour > grain_air_saturation(-90) && *vapour < pressure))
        return grain_fields_refuse(fields, "no_answer", with_wet ? GRAIN_T_WET_BULB : GRAIN_T_TA);
    return true;
}

// What grain comes to in this air, and the notes about it.
static double moisture_in(struct grain_fields *fields, const struct grain_air *air, struct grain_spread *spread)
{
    const struct grain_set *set = fields->chosen.set;
    double moisture = grain_wet_from_dry(grain_moisture_in(set, air->celsius, air->ur));
    *spread = grain_spread_at(fields->chosen.culture, set, air->celsius, air->ur, false, false);
    grain_fields_check_range(fields, air->celsius, air->ur, false, GRAIN_T_TA,
                             grain_fields_has(fields, GRAIN_T_DEW_POINT)  ? GRAIN_T_DEW_POINT
                             : grain_fields_has(fields, GRAIN_T_WET_BULB) ? GRAIN_T_WET_BULB
                                                                          : GRAIN_T_UR);
    if (isnan(moisture))
        fields->chosen.warnings |= GRAIN_W_NO_MOISTURE;
    else if (spread->sets < 2)
        fields->chosen.warnings |= GRAIN_W_ALONE;
    return moisture;
}

bool grain_air_answer(struct grain_fields *fields, struct grain_air_answer *answer)
{
    *answer = (struct grain_air_answer){.moisture = NAN, .moisture_after = NAN};
    double celsius = NAN, vapour = NAN;
    if (!grain_fields_read_common(fields) || !grain_fields_read_grain(fields, false) ||
        !grain_fields_read_temperature(fields, GRAIN_T_TA, true, GRAIN_TA_MIN, GRAIN_TA_MAX, false, &celsius) ||
        !grain_fields_read_number(fields, GRAIN_T_ALTITUDE, false, -500, 6000, &answer->altitude) ||
        !grain_fields_read_temperature(fields, GRAIN_T_FAN_HEAT, false, 0, 40, true, &answer->fan_heat) ||
        !grain_fields_read_over(fields, &answer->over))
        return false;
    if (!fields->chosen.set && (grain_fields_has(fields, GRAIN_T_MODEL) || grain_fields_has(fields, GRAIN_T_SET) ||
                                grain_fields_has(fields, GRAIN_T_CURVE)))
        return grain_fields_refuse(fields, "missing_field", GRAIN_T_GRAIN);
    double pressure = grain_air_pressure(answer->altitude);
    if (!read_vapour(fields, celsius, pressure, answer->over, &vapour))
        return false;
    answer->with_fan = answer->fan_heat > 0;
    answer->air = state_of(celsius, vapour, pressure, answer->over);
    // A humidity that was given stays as it is, to the last bit: so the grain comes to what the calculation says.
    if (!grain_fields_read_number(fields, GRAIN_T_UR, false, 0.1, 100, &answer->air.ur))
        return false;
    answer->after = state_of(celsius + answer->fan_heat, vapour, pressure, answer->over);
    if (fields->chosen.set != NULL) {
        answer->moisture = moisture_in(fields, &answer->air, &answer->spread);
        if (answer->with_fan)
            answer->moisture_after = moisture_in(fields, &answer->after, &answer->spread_after);
    }
    return true;
}

static void write_state(struct pl_buf *out, const struct grain_fields *fields, const struct grain_air *air)
{
    grain_put_member(out, "ta", grain_fields_shown(fields, air->celsius), 1);
    grain_put_member(out, "ur", air->ur, 1);
    grain_put_member(out, "dewPoint", grain_fields_shown(fields, air->dew_point), 1);
    grain_put_member(out, "wetBulb", grain_fields_shown(fields, air->wet_bulb), 1);
    grain_put_member(out, "humidityRatio", air->ratio * 1000, 2);
    grain_put_member(out, "vapourPressure", air->vapour / 1000, 3);
}

void grain_air_write(struct pl_buf *out, const struct grain_fields *fields, const struct grain_air_answer *answer)
{
    pl_buf_printf(out, "{\"ok\":true,\"taUnit\":\"%s\",\"over\":\"%s\"", fields->fahrenheit ? "F" : "C",
                  answer->over == GRAIN_OVER_ICE ? "ice" : "water");
    grain_put_member(out, "altitude", answer->altitude, 0);
    grain_put_member(out, "pressure", answer->air.pressure / 1000, 2);
    write_state(out, fields, &answer->air);
    if (answer->with_fan) {
        pl_buf_append_cstr(out, ",\"afterFan\":{\"heat\":");
        grain_put_number(out, round(answer->fan_heat * (fields->fahrenheit ? 1.8 : 1) * 100) / 100);
        write_state(out, fields, &answer->after);
        if (fields->chosen.set != NULL) {
            grain_put_member(out, "moisture", answer->moisture_after, 1);
            grain_write_spread(out, &answer->spread_after);
        }
        pl_buf_append_byte(out, '}');
    }
    if (fields->chosen.set != NULL) {
        pl_buf_printf(out, ",\"grain\":\"%s\",\"set\":\"%s\"", fields->chosen.culture->id, fields->chosen.set->id);
        grain_put_member(out, "moisture", answer->moisture, 1);
        grain_write_spread(out, &answer->spread);
    }
    grain_fields_end_answer(out, fields);
}

static void state_rows(const struct grain_fields *fields, const struct grain_air *air, double moisture, grain_row *row,
                       struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    const char *degrees = fields->fahrenheit ? "°F" : "°C";
    grain_put_row(row, out, lang, grain_words(lang, "Relative humidity", "Umidade relativa", "Humedad relativa"),
                  air->ur, 1, "%");
    grain_put_row(row, out, lang, grain_words(lang, "Dew point", "Ponto de orvalho", "Punto de rocío"),
                  grain_fields_shown(fields, air->dew_point), 1, degrees);
    grain_put_row(row, out, lang, grain_words(lang, "Wet bulb", "Bulbo úmido", "Bulbo húmedo"),
                  grain_fields_shown(fields, air->wet_bulb), 1, degrees);
    grain_put_row(row, out, lang, grain_words(lang, "Water in the air", "Água no ar", "Agua en el aire"),
                  air->ratio * 1000, 1, "g/kg");
    if (fields->chosen.set != NULL)
        grain_put_row(row, out, lang,
                      grain_words(lang, "Equilibrium moisture", "Teor de água de equilíbrio", "Humedad de equilibrio"),
                      moisture, 1, grain_unit(lang, false));
}

static void fan_rows(const struct grain_fields *fields, const struct grain_air_answer *answer, grain_row *row,
                     struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    grain_put_row(row, out, lang,
                  grain_words(lang, "Behind the fan, where the grain is", "Depois do ventilador, onde está o grão",
                              "Después del ventilador, donde está el grano"),
                  grain_fields_shown(fields, answer->after.celsius), 1, fields->fahrenheit ? "°F" : "°C");
    // Dew point and water are what they were.
    grain_put_row(row, out, lang,
                  grain_words(lang, "Relative humidity there", "Umidade relativa ali", "Humedad relativa allí"),
                  answer->after.ur, 1, "%");
    if (fields->chosen.set != NULL)
        grain_put_row(row, out, lang,
                      grain_words(lang, "Equilibrium moisture there", "Teor de água de equilíbrio ali",
                                  "Humedad de equilibrio allí"),
                      answer->moisture_after, 1, grain_unit(lang, false));
}

// Below 0 °C a dew point means one of two things.
static void over_row(const struct grain_fields *fields, const struct grain_air_answer *answer, grain_row *row,
                     struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    struct pl_buf text;
    pl_buf_init(&text, 256);
    pl_buf_append_cstr(
        &text, answer->over == GRAIN_OVER_ICE
                   ? grain_words(lang, "ice (frost point)", "gelo (ponto de geada)", "hielo (punto de escarcha)")
                   : grain_words(lang, "supercooled water, as weather services report",
                                 "água super-resfriada, como nos serviços meteorológicos",
                                 "agua sobreenfriada, como en los servicios meteorológicos"));
    grain_end_row(row, out,
                  grain_words(lang, "Humidity and dew point below 0 °C refer to",
                              "Umidade relativa e ponto de orvalho abaixo de 0 °C referem-se a",
                              "Humedad relativa y punto de rocío bajo 0 °C se refieren a"),
                  &text);
}

void grain_air_rows(const struct grain_fields *fields, const struct grain_air_answer *answer, grain_row *row,
                    struct pl_buf *out)
{
    state_rows(fields, &answer->air, answer->moisture, row, out);
    if (answer->air.celsius < 0 || answer->air.dew_point < 0)
        over_row(fields, answer, row, out);
    if (answer->with_fan)
        fan_rows(fields, answer, row, out);
    grain_fields_warning_rows(fields, row, out);
}
