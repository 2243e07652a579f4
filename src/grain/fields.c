// Reads the fields of the tools and says what is wrong with one.
#include "grain/fields.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

const char *const grain_tool_field_names[GRAIN_TOOL_FIELDS] = {
    [GRAIN_T_GRAIN] = "grain",
    [GRAIN_T_MODEL] = "model",
    [GRAIN_T_SET] = "set",
    [GRAIN_T_CURVE] = "curve",
    [GRAIN_T_TA] = "ta",
    [GRAIN_T_UR] = "ur",
    [GRAIN_T_DEW_POINT] = "dewPoint",
    [GRAIN_T_WET_BULB] = "wetBulb",
    [GRAIN_T_ALTITUDE] = "altitude",
    [GRAIN_T_FAN_HEAT] = "fanHeat",
    [GRAIN_T_MOISTURE] = "moisture",
    [GRAIN_T_DAMAGE] = "damage",
    [GRAIN_T_FROM] = "from",
    [GRAIN_T_TO] = "to",
    [GRAIN_T_MASS] = "mass",
    [GRAIN_T_BASIS] = "basis",
    [GRAIN_T_GRAIN_TA] = "grainTa",
    [GRAIN_T_HOLD] = "hold",
    [GRAIN_T_STRICT] = "strict",
    [GRAIN_T_TEMPERATURE_COLUMN] = "temperatureColumn",
    [GRAIN_T_HUMIDITY_COLUMN] = "humidityColumn",
    [GRAIN_T_OVER] = "over",
    [GRAIN_T_GOAL] = "goal",
    [GRAIN_T_AIRFLOW] = "airflow",
    [GRAIN_T_TARGET] = "target",
    [GRAIN_T_TA_UNIT] = "taUnit",
    [GRAIN_T_LANG] = "lang",
};

const struct grain_text grain_tool_field_meanings[GRAIN_TOOL_FIELDS] = {
    [GRAIN_T_GRAIN] = {{"the culture", "a cultura", "el cultivo"}},
    [GRAIN_T_MODEL] = {{"the equation", "a equação", "la ecuación"}},
    [GRAIN_T_SET] = {{"the set of constants", "o conjunto de constantes", "el conjunto de constantes"}},
    [GRAIN_T_CURVE] = {{"the curve", "a curva", "la curva"}},
    [GRAIN_T_TA] = {{"temperature", "temperatura", "temperatura"}},
    [GRAIN_T_UR] = {{"relative humidity in percent", "umidade relativa, em porcentagem",
                     "humedad relativa, en porcentaje"}},
    [GRAIN_T_DEW_POINT] = {{"dew point", "ponto de orvalho", "punto de rocío"}},
    [GRAIN_T_WET_BULB] = {{"wet bulb temperature", "temperatura de bulbo úmido", "temperatura de bulbo húmedo"}},
    [GRAIN_T_ALTITUDE] = {{"altitude in metres", "altitude em metros", "altitud en metros"}},
    [GRAIN_T_FAN_HEAT] = {{"degrees by which the fan heats the air", "graus que o ventilador aquece o ar",
                           "grados que el ventilador calienta el aire"}},
    [GRAIN_T_MOISTURE] = {{"moisture of the grain in percent, wet basis", "teor de água do grão, % base úmida",
                           "humedad del grano, % base húmeda"}},
    [GRAIN_T_DAMAGE] = {{"mechanical damage in percent", "dano mecânico, em porcentagem",
                         "daño mecánico, en porcentaje"}},
    [GRAIN_T_FROM] = {{"moisture before, in percent", "teor de água inicial, em porcentagem",
                       "humedad inicial, en porcentaje"}},
    [GRAIN_T_TO] = {{"moisture after, in percent", "teor de água final, em porcentagem",
                     "humedad final, en porcentaje"}},
    [GRAIN_T_MASS] = {{"mass in tonnes", "massa em toneladas", "masa en toneladas"}},
    [GRAIN_T_BASIS] = {{"basis of the moisture", "base do teor de água", "base de la humedad"}},
    [GRAIN_T_GRAIN_TA] = {{"temperature of the grain", "temperatura do grão", "temperatura del grano"}},
    [GRAIN_T_HOLD] = {{"points of moisture that count as no change",
                       "pontos de teor de água que contam como sem mudança",
                       "puntos de humedad que cuentan como sin cambio"}},
    [GRAIN_T_STRICT] = {{"refuse everything when a row is bad", "recusar tudo se uma linha for inválida",
                         "rechazar todo si una fila es inválida"}},
    [GRAIN_T_TEMPERATURE_COLUMN] = {{"column of the temperature", "coluna da temperatura",
                                     "columna de la temperatura"}},
    [GRAIN_T_HUMIDITY_COLUMN] = {{"column of the humidity or the dew point",
                                  "coluna da umidade relativa ou do ponto de orvalho",
                                  "columna de la humedad relativa o del punto de rocío"}},
    [GRAIN_T_OVER] = {{"what humidity and dew point below 0 °C refer to",
                       "a que se referem a umidade relativa e o ponto de orvalho abaixo de 0 °C",
                       "a qué se refieren la humedad relativa y el punto de rocío bajo 0 °C"}},
    [GRAIN_T_GOAL] = {{"what the fan is for", "para que serve o ventilador", "para qué es el ventilador"}},
    [GRAIN_T_AIRFLOW] = {{"airflow in m³ a minute for each tonne", "vazão de ar em m³ por minuto e tonelada",
                          "caudal de aire en m³ por minuto y tonelada"}},
    [GRAIN_T_TARGET] = {{"moisture that the grain shall reach, in percent", "teor de água a atingir, em porcentagem",
                         "humedad que se quiere alcanzar, en porcentaje"}},
    [GRAIN_T_TA_UNIT] = {{"unit of the temperatures", "unidade das temperaturas", "unidad de las temperaturas"}},
    [GRAIN_T_LANG] = {{"language", "idioma", "idioma"}},
};

void grain_fields_init(struct grain_fields *fields, uint32_t takes)
{
    *fields = (struct grain_fields){.takes = takes};
    grain_request_init(&fields->request);
}

void grain_fields_put(struct grain_fields *fields, struct pl_slice name, struct pl_slice value)
{
    value = pl_slice_trim(value);
    for (int i = 0; i < GRAIN_TOOL_FIELDS; i++) {
        if ((fields->takes & GRAIN_BIT(i)) == 0 || !pl_slice_eq_nocase(name, pl_slice_cstr(grain_tool_field_names[i])))
            continue;
        if (value.len == 0 && (fields->for_people || fields->of_form))
            return;
        // The same value twice is one value.
        if ((fields->given & GRAIN_BIT(i)) != 0 && !pl_slice_eq(fields->value[i], value))
            fields->repeated |= GRAIN_BIT(i);
        fields->given |= GRAIN_BIT(i);
        fields->value[i] = value;
        return;
    }
    if (fields->unknown_count++ == 0)
        fields->unknown = name;
}

bool grain_fields_is(const struct grain_fields *fields, enum grain_tool_field field, const char *word)
{
    return pl_slice_eq_nocase(fields->value[field], pl_slice_cstr(word));
}

bool grain_fields_refuse(struct grain_fields *fields, const char *code, enum grain_tool_field field)
{
    fields->code = code;
    fields->field = field;
    return false;
}

static bool check_repeated(struct grain_fields *fields, enum grain_tool_field field)
{
    return (fields->repeated & GRAIN_BIT(field)) == 0 ? true : grain_fields_refuse(fields, "repeated_field", field);
}

bool grain_fields_read_common(struct grain_fields *fields)
{
    if (!check_repeated(fields, GRAIN_T_LANG) || !check_repeated(fields, GRAIN_T_TA_UNIT))
        return false;
    if (grain_fields_has(fields, GRAIN_T_LANG)) {
        int lang = 0;
        while (lang < GRAIN_LANGS && !grain_fields_is(fields, GRAIN_T_LANG, grain_lang_id((enum grain_lang)lang)))
            lang++;
        if (lang == GRAIN_LANGS)
            return grain_fields_refuse(fields, "unknown_value", GRAIN_T_LANG);
        fields->lang = (enum grain_lang)lang;
    }
    if (grain_fields_has(fields, GRAIN_T_TA_UNIT)) {
        fields->fahrenheit = grain_fields_is(fields, GRAIN_T_TA_UNIT, "F");
        if (!fields->fahrenheit && !grain_fields_is(fields, GRAIN_T_TA_UNIT, "C"))
            return grain_fields_refuse(fields, "unknown_value", GRAIN_T_TA_UNIT);
    }
    return true;
}

bool grain_fields_read_grain(struct grain_fields *fields, bool required)
{
    static const struct {
        enum grain_tool_field field;
        enum grain_field as;
    } passed[] = {{GRAIN_T_GRAIN, GRAIN_F_GRAIN},
                  {GRAIN_T_MODEL, GRAIN_F_MODEL},
                  {GRAIN_T_SET, GRAIN_F_SET},
                  {GRAIN_T_CURVE, GRAIN_F_CURVE}};
    if (!check_repeated(fields, GRAIN_T_GRAIN) || !check_repeated(fields, GRAIN_T_MODEL) ||
        !check_repeated(fields, GRAIN_T_SET) || !check_repeated(fields, GRAIN_T_CURVE))
        return false;
    if (!grain_fields_has(fields, GRAIN_T_GRAIN))
        return required ? grain_fields_refuse(fields, "missing_field", GRAIN_T_GRAIN) : true;
    struct grain_request *request = &fields->request;
    grain_value_set_text(&request->field[GRAIN_F_LANG], pl_slice_cstr(grain_lang_id(fields->lang)));
    for (size_t i = 0; i < PL_COUNTOF(passed); i++) {
        if (grain_fields_has(fields, passed[i].field))
            grain_value_set_text(&request->field[passed[i].as], fields->value[passed[i].field]);
    }
    grain_choose(request, &fields->chosen);
    if (fields->chosen.error == GRAIN_OK)
        return true;
    fields->chosen.fahrenheit = fields->fahrenheit;
    enum grain_tool_field field = GRAIN_T_GRAIN;
    for (size_t i = 0; i < PL_COUNTOF(passed); i++)
        field = passed[i].as == fields->chosen.field ? passed[i].field : field;
    return grain_fields_refuse(fields, grain_error_code(fields->chosen.error), field);
}

// Leaves *out as it is when the field is not given.
static bool read_value(struct grain_fields *fields, enum grain_tool_field field, bool required, double *out)
{
    if (!check_repeated(fields, field))
        return false;
    if (!grain_fields_has(fields, field))
        return required ? grain_fields_refuse(fields, "missing_field", field) : true;
    return grain_parse_number(fields->value[field], out) ? true : grain_fields_refuse(fields, "not_a_number", field);
}

static bool refuse_bounds(struct grain_fields *fields, enum grain_tool_field field, double low, double high)
{
    fields->low = low;
    fields->high = high;
    fields->has_bounds = true;
    return grain_fields_refuse(fields, "out_of_range", field);
}

bool grain_fields_read_number(struct grain_fields *fields, enum grain_tool_field field, bool required, double low,
                              double high, double *out)
{
    double value = NAN;
    if (!read_value(fields, field, required, &value))
        return false;
    if (!grain_fields_has(fields, field))
        return true;
    if (!(value >= low && value <= high))
        return refuse_bounds(fields, field, low, high);
    *out = value;
    return true;
}

bool grain_fields_read_temperature(struct grain_fields *fields, enum grain_tool_field field, bool required, double low,
                                   double high, bool difference, double *out)
{
    double scale = fields->fahrenheit ? 1.8 : 1, zero = fields->fahrenheit && !difference ? 32 : 0, value = NAN;
    if (!read_value(fields, field, required, &value))
        return false;
    if (!grain_fields_has(fields, field))
        return true;
    // A bound may itself be a temperature that was given in °F: compared in °C, it is met to the last bit but one.
    value = !fields->fahrenheit ? value : difference ? value / 1.8 : grain_celsius(value);
    if (!(value >= low - GRAIN_CONVERSION_ERROR && value <= high + GRAIN_CONVERSION_ERROR))
        return refuse_bounds(fields, field, low * scale + zero, high * scale + zero);
    *out = fmin(fmax(value, low), high);
    return true;
}

bool grain_fields_read_bool(struct grain_fields *fields, enum grain_tool_field field, bool *out)
{
    if (!check_repeated(fields, field))
        return false;
    if (!grain_fields_has(fields, field))
        return true;
    return pl_parse_bool(fields->value[field], out) ? true : grain_fields_refuse(fields, "unknown_value", field);
}

bool grain_fields_read_goal(struct grain_fields *fields, enum grain_goal *goal)
{
    if (!check_repeated(fields, GRAIN_T_GOAL))
        return false;
    *goal = GRAIN_NO_GOAL;
    if (!grain_fields_has(fields, GRAIN_T_GOAL))
        return true;
    const char *const *words = grain_choices("goal");
    for (int i = 0; words[i] != NULL; i++) {
        if (grain_fields_is(fields, GRAIN_T_GOAL, words[i]))
            *goal = (enum grain_goal)(i + 1);
    }
    return *goal != GRAIN_NO_GOAL ? true : grain_fields_refuse(fields, "unknown_value", GRAIN_T_GOAL);
}

bool grain_fields_read_over(struct grain_fields *fields, enum grain_over *over)
{
    if (!check_repeated(fields, GRAIN_T_OVER))
        return false;
    if (!grain_fields_has(fields, GRAIN_T_OVER))
        return true;
    *over = grain_fields_is(fields, GRAIN_T_OVER, "ice") ? GRAIN_OVER_ICE : GRAIN_OVER_WATER;
    return *over == GRAIN_OVER_ICE || grain_fields_is(fields, GRAIN_T_OVER, "water")
               ? true
               : grain_fields_refuse(fields, "unknown_value", GRAIN_T_OVER);
}

bool grain_fields_check_pole(struct grain_fields *fields, enum grain_tool_field field, double celsius)
{
    double error = fields->fahrenheit ? GRAIN_CONVERSION_ERROR : 0;
    if (celsius > grain_pole(fields->chosen.set) + error)
        return true;
    fields->at_pole = true;
    return grain_fields_refuse(fields, "out_of_range", field);
}

// What was chosen, as the sentences of the calculation need it.
struct grain_result grain_fields_result(const struct grain_fields *fields)
{
    struct grain_result result = fields->chosen;
    result.lang = fields->lang;
    result.fahrenheit = fields->fahrenheit;
    return result;
}

// Which field a sentence is about: by its name in the interface, or on the page by what it means.
static void say_field(struct pl_buf *out, const struct grain_fields *fields)
{
    const char *meaning = grain_tool_field_meanings[fields->field].in[fields->lang];
    if (!fields->for_people) {
        pl_buf_printf(out, "%s '%s' (%s)", grain_words(fields->lang, "The field", "O campo", "El campo"),
                      grain_tool_field_names[fields->field], meaning);
        return;
    }
    grain_say(out, fields->lang, "The value for “", "O valor de “", "El valor de “");
    pl_buf_append_cstr(out, meaning);
    pl_buf_append_cstr(out, "”");
}

static void say_refusal(struct pl_buf *out, const struct grain_fields *fields)
{
    enum grain_lang lang = fields->lang;
    const char *code = fields->code;
    say_field(out, fields);
    if (strcmp(code, "missing_field") == 0) {
        grain_say(out, lang, " is missing.", " está faltando.", " falta.");
    } else if (strcmp(code, "not_a_number") == 0) {
        grain_say(out, lang, " must be a number such as 25.5 or 25,5.", " deve ser um número como 25,5 ou 25.5.",
                  " debe ser un número como 25,5 o 25.5.");
    } else if (strcmp(code, "out_of_range") == 0 && fields->has_bounds) {
        grain_say(out, lang, " must lie between ", " deve ficar entre ", " debe estar entre ");
        grain_say_number(out, lang, round(fields->low * 1000) / 1000);
        grain_say(out, lang, " and ", " e ", " y ");
        grain_say_number(out, lang, round(fields->high * 1000) / 1000);
        pl_buf_append_byte(out, '.');
    } else {
        grain_say(out, lang, " has no answer together with the others.", " não tem resposta junto com os demais.",
                  " no tiene respuesta junto con los demás.");
    }
}

void grain_fields_say(struct pl_buf *out, const struct grain_fields *fields)
{
    enum grain_lang lang = fields->lang;
    const char *name = grain_tool_field_names[fields->field],
               *meaning = grain_tool_field_meanings[fields->field].in[lang];
    if (fields->chosen.error != GRAIN_OK) {
        grain_say_error(out, &fields->request, &fields->chosen);
    } else if (fields->at_pole) {
        struct grain_result result = grain_fields_result(fields);
        grain_say_pole(out, &result, fields->for_people ? meaning : name);
    } else if (strcmp(fields->code, "missing_field") == 0 && !fields->for_people) {
        grain_say_missing(out, lang, name, meaning);
    } else if (strcmp(fields->code, "repeated_field") == 0) {
        grain_say_repeated(out, lang, fields->for_people ? meaning : name);
    } else if (strcmp(fields->code, "unknown_value") == 0) {
        grain_say_choices(out, lang, fields->for_people ? meaning : name, grain_choices(name));
    } else if (strcmp(fields->code, "conflicting_fields") == 0 && fields->field == GRAIN_T_GRAIN_TA) {
        grain_say(out, lang, "Give one of 'grainTa' and 'ta', not both.",
                  "Informe um destes: 'grainTa' ou 'ta', não ambos.",
                  "Indique uno de estos: 'grainTa' o 'ta', no ambos.");
    } else if (strcmp(fields->code, "conflicting_fields") == 0) {
        pl_buf_append_cstr(out,
                           fields->for_people
                               ? grain_words(lang, "Give one of humidity, dew point and wet bulb, not several.",
                                             "Informe um destes: umidade relativa, ponto de orvalho ou bulbo úmido.",
                                             "Indique uno de estos: humedad relativa, punto de rocío o bulbo húmedo.")
                               : grain_words(lang, "Give one of 'ur', 'dewPoint' and 'wetBulb', not several.",
                                             "Informe um destes: 'ur', 'dewPoint' ou 'wetBulb', não vários.",
                                             "Indique uno de estos: 'ur', 'dewPoint' o 'wetBulb', no varios."));
    } else {
        say_refusal(out, fields);
    }
}

void grain_fields_write_error(struct pl_buf *out, const struct grain_fields *fields)
{
    if (fields->chosen.error != GRAIN_OK) {
        grain_write_answer(out, &fields->request, &fields->chosen);
        return;
    }
    struct pl_buf sentence;
    pl_buf_init(&sentence, 4096);
    grain_fields_say(&sentence, fields);
    pl_buf_append_cstr(out, "{\"ok\":false,\"error\":");
    pl_buf_append_json_string(out, pl_buf_slice(&sentence));
    pl_buf_take_over(out, &sentence);
    pl_buf_printf(out, ",\"code\":\"%s\",\"field\":\"%s\"", fields->code, grain_tool_field_names[fields->field]);
    if (strcmp(fields->code, "unknown_value") == 0)
        grain_write_choices(out, grain_choices(grain_tool_field_names[fields->field]));
    if (fields->at_pole) {
        struct grain_result result = grain_fields_result(fields);
        grain_write_above_pole(out, &result);
    } else if (fields->has_bounds && strcmp(fields->code, "out_of_range") == 0) {
        pl_buf_append_cstr(out, ",\"allowed\":{\"min\":");
        grain_put_number(out, round(fields->low * 1000) / 1000);
        pl_buf_append_cstr(out, ",\"max\":");
        grain_put_number(out, round(fields->high * 1000) / 1000);
        pl_buf_append_byte(out, '}');
    }
    pl_buf_append_byte(out, '}');
}

void grain_end_row(grain_row *row, struct pl_buf *out, const char *label, struct pl_buf *value)
{
    row(out, label, value);
    pl_buf_fini(value);
}

void grain_put_row(grain_row *row, struct pl_buf *out, enum grain_lang lang, const char *label, double value,
                   unsigned decimals, const char *unit)
{
    struct pl_buf text;
    pl_buf_init(&text, 128);
    if (isfinite(value)) {
        grain_say_decimals(&text, lang, value, decimals);
        pl_buf_printf(&text, " %s", unit);
    } else {
        pl_buf_append_cstr(&text, "–");
    }
    grain_end_row(row, out, label, &text);
}
