// The sentences of errors and warnings in English, Portuguese and Spanish.
#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/calc.h"
#include "grain/published.h"

// One of three literal formats, so that the compiler checks all.
#define SAY(out, lang, en, pt, es, ...)                                                                                \
    ((lang) == GRAIN_PT   ? pl_buf_printf(out, pt, __VA_ARGS__)                                                        \
     : (lang) == GRAIN_ES ? pl_buf_printf(out, es, __VA_ARGS__)                                                        \
                          : pl_buf_printf(out, en, __VA_ARGS__))

static const struct {
    enum grain_error error;
    const char *code;
} codes[] = {
    {GRAIN_E_NOT_OBJECT, "not_an_object"}, {GRAIN_E_MISSING, "missing_field"}, {GRAIN_E_REPEATED, "repeated_field"},
    {GRAIN_E_TYPE, "wrong_type"},          {GRAIN_E_NUMBER, "not_a_number"},   {GRAIN_E_RANGE, "out_of_range"},
    {GRAIN_E_POLE, "out_of_range"},        {GRAIN_E_CHOICE, "unknown_value"},  {GRAIN_E_GRAIN, "unknown_grain"},
    {GRAIN_E_MODEL, "unknown_model"},      {GRAIN_E_SET, "unknown_set"},       {GRAIN_E_CONFLICT, "conflicting_fields"},
    {GRAIN_E_NO_ANSWER, "no_answer"},      {GRAIN_E_CURVE, "unknown_curve"},
};

const char *grain_error_code(enum grain_error error)
{
    for (size_t i = 0; i < PL_COUNTOF(codes); i++) {
        if (codes[i].error == error)
            return codes[i].code;
    }
    return "ok";
}

const char *grain_warning_code(enum grain_warning warning)
{
    switch (warning) {
    case GRAIN_W_TA_RANGE:
        return "temperature_out_of_range";
    case GRAIN_W_UR_RANGE:
        return "humidity_out_of_range";
    case GRAIN_W_POLE:
        return "near_pole";
    case GRAIN_W_UNCONFIRMED:
        return "unconfirmed_constants";
    case GRAIN_W_NAME:
        return "name_taken_as";
    case GRAIN_W_FRACTION:
        return "humidity_looks_like_fraction";
    case GRAIN_W_NO_MOISTURE:
        return "no_moisture";
    case GRAIN_W_ALONE:
        return "nothing_to_compare";
    case GRAIN_W_SATURATED:
        return "humidity_counted_as_99";
    case GRAIN_W_UNKNOWN_FIELD:
        break;
    }
    return "unknown_field";
}

static const struct grain_text meanings[GRAIN_FIELDS] = {
    [GRAIN_F_GRAIN] = {{"the culture", "a cultura", "el cultivo"}},
    [GRAIN_F_TA] = {{"air temperature", "temperatura do ar", "temperatura del aire"}},
    [GRAIN_F_UR] = {{"relative humidity of the air in percent", "umidade relativa do ar, em porcentagem",
                     "humedad relativa del aire, en porcentaje"}},
    [GRAIN_F_MOISTURE] = {{"moisture of the grain in percent", "teor de água do grão, em porcentagem",
                           "humedad del grano, en porcentaje"}},
    [GRAIN_F_MODEL] = {{"the equation", "a equação", "la ecuación"}},
    [GRAIN_F_SET] = {{"the set of constants", "o conjunto de constantes", "el conjunto de constantes"}},
    [GRAIN_F_CURVE] = {{"the curve", "a curva", "la curva"}},
    [GRAIN_F_BASIS] = {{"basis of the moisture", "base do teor de água", "base de la humedad"}},
    [GRAIN_F_TA_UNIT] = {{"unit of the temperature", "unidade da temperatura", "unidad de la temperatura"}},
    [GRAIN_F_LANG] = {{"language", "idioma", "idioma"}},
};

static const struct grain_text kinds[] = {
    [GRAIN_ABSENT] = {{"null", "null", "null"}},
    [GRAIN_NUMBER] = {{"a number", "um número", "un número"}},
    [GRAIN_STRING] = {{"a string", "um texto", "un texto"}},
    [GRAIN_BOOL] = {{"a boolean", "um booleano", "un booleano"}},
    [GRAIN_ARRAY] = {{"an array", "uma lista", "una lista"}},
    [GRAIN_OBJECT] = {{"an object", "um objeto", "un objeto"}},
};

// A text from outside in quotes, cut to what a sentence can bear.
static void say_quoted(struct pl_buf *out, const struct grain_value *value)
{
    size_t len = PL_MIN(value->len, (size_t)40);
    while (len < value->len && len > 0 && ((uint8_t)value->text[len] & 0xC0) == 0x80)
        len--;
    pl_buf_append_byte(out, '\'');
    pl_buf_append(out, value->text, len);
    pl_buf_append_cstr(out, len < value->len || value->cut ? "…'" : "'");
}

static void say_list_item(struct pl_buf *out, bool first, const char *item)
{
    pl_buf_append_cstr(out, first ? "" : ", ");
    pl_buf_append_cstr(out, item);
}

// What one writes to name a culture: its id in English, which the interface uses, else its name.
static const char *name_in(enum grain_lang lang, const struct grain_culture *culture)
{
    return lang == GRAIN_PT ? culture->name.in[GRAIN_PT] : lang == GRAIN_ES ? culture->name.in[GRAIN_ES] : culture->id;
}

static void say_unknown_grain(struct pl_buf *out, const struct grain_value *value, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    grain_say(out, lang, "The grain ", "A cultura ", "El cultivo ");
    say_quoted(out, value);
    grain_say(out, lang, " is not known", " não é conhecida", " no es conocido");
    if (result->nearest != NULL)
        SAY(out, lang, "; did you mean '%s'?", "; seria '%s'?", "; ¿sería '%s'?", name_in(lang, result->nearest));
    else
        pl_buf_append_cstr(out, ".");
    if (result->why != NULL)
        pl_buf_printf(out, " %s", result->why->in[lang]);
    grain_say(out, lang, " Known are: ", " São conhecidas: ", " Se conocen: ");
    for (size_t i = 0; i < GRAIN_CULTURES; i++)
        say_list_item(out, i == 0, name_in(lang, &grain_cultures()[i]));
    pl_buf_append_cstr(out, ".");
}

static void say_unknown_set(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    const struct grain_culture *culture = result->culture;
    SAY(out, result->lang, "%s has no constants for ", "Não há constantes de %s para ", "No hay constantes de %s para ",
        culture->name.in[result->lang]);
    say_quoted(out, &request->field[result->field]);
    SAY(out, result->lang,
        "; '%s' may be: ", "; '%s' pode ser: ", "; '%s' puede ser: ", grain_field_names[result->field]);
    bool first = true;
    for (size_t i = 0; i < culture->set_count; i++) {
        const struct grain_set *set = &culture->sets[i];
        if (result->error == GRAIN_E_SET)
            say_list_item(out, first, set->id);
        else if (grain_set_by_equation(culture, set->equation) == set)
            say_list_item(out, first, grain_equation_info(set->equation)->id);
        else
            continue;
        first = false;
    }
    pl_buf_append_cstr(out, ".");
}

static void say_range(struct pl_buf *out, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    if (result->field == GRAIN_F_TA) {
        bool f = result->fahrenheit;
        SAY(out, lang, "The field 'ta' must lie between %s and %s.", "O campo 'ta' deve ficar entre %s e %s.",
            "El campo 'ta' debe estar entre %s y %s.", f ? "-22" : "-30", f ? "176 °F" : "80 °C");
    } else if (result->field == GRAIN_F_MOISTURE && result->dry) {
        grain_say(out, lang, "The field 'moisture' must be above 0 and below 1000 %.",
                  "O campo 'moisture' deve ser maior que 0 e menor que 1000 %.",
                  "El campo 'moisture' debe ser mayor que 0 y menor que 1000 %.");
    } else {
        SAY(out, lang, "The field '%s' must be above 0 and below 100 %%.",
            "O campo '%s' deve ser maior que 0 e menor que 100 %%.",
            "El campo '%s' debe ser mayor que 0 y menor que 100 %%.", grain_field_names[result->field]);
    }
}

void grain_say_pole(struct pl_buf *out, const struct grain_result *result, const char *name)
{
    SAY(out, result->lang, "The field '%s' must be above ", "O campo '%s' deve ser maior que ",
        "El campo '%s' debe ser mayor que ", name);
    grain_say_number(out, result->lang, grain_pole_shown(result));
    SAY(out, result->lang, " %s, where the %s equation of %s has its pole.",
        " %s, onde fica o polo da equação de %s (%s).", " %s, donde está el polo de la ecuación de %s (%s).",
        result->fahrenheit ? "°F" : "°C", grain_equation_info(result->set->equation)->name.in[result->lang],
        result->culture->name.in[result->lang]);
}

const char *const *grain_choices(const char *name)
{
    static const char *const langs[] = {"en", "pt", "es", NULL}, *const bases[] = {"wet", "dry", NULL},
                             *const units[] = {"C", "F", NULL}, *const yes_or_no[] = {"true", "false", NULL},
                             *const overs[] = {"water", "ice", NULL},
                             *const curves[] = {"mean", "drying", "wetting", NULL},
                             *const goals[] = {"dry", "cool", "hold", "rewet", NULL};
    return strcmp(name, "lang") == 0     ? langs
           : strcmp(name, "basis") == 0  ? bases
           : strcmp(name, "taUnit") == 0 ? units
           : strcmp(name, "over") == 0   ? overs
           : strcmp(name, "curve") == 0  ? curves
           : strcmp(name, "goal") == 0   ? goals
                                         : yes_or_no;
}

void grain_say_choices(struct pl_buf *out, enum grain_lang lang, const char *name, const char *const *words)
{
    SAY(out, lang, "The field '%s' must be one of: ", "O campo '%s' deve ser um destes: ",
        "El campo '%s' debe ser uno de estos: ", name);
    for (size_t i = 0; words[i] != NULL; i++)
        say_list_item(out, i == 0, words[i]);
    pl_buf_append_cstr(out, ".");
}

void grain_say_missing(struct pl_buf *out, enum grain_lang lang, const char *name, const char *meaning)
{
    SAY(out, lang, "The field '%s' (%s) is missing.", "Falta o campo '%s' (%s).", "Falta el campo '%s' (%s).", name,
        meaning);
}

void grain_say_repeated(struct pl_buf *out, enum grain_lang lang, const char *name)
{
    SAY(out, lang, "The field '%s' is given more than once.", "O campo '%s' aparece mais de uma vez.",
        "El campo '%s' aparece más de una vez.", name);
}

static void say_not_a_number(struct pl_buf *out, enum grain_lang lang, const char *name, const char *meaning)
{
    SAY(out, lang, "The field '%s' (%s) must be a number such as 25.5 or 25,5.",
        "O campo '%s' (%s) deve ser um número como 25,5 ou 25.5.",
        "El campo '%s' (%s) debe ser un número como 25,5 o 25.5.", name, meaning);
}

static void say_no_answer(struct pl_buf *out, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    if (result->inverse) {
        grain_say(
            out, lang, "No humidity between 0 and 100 % is in equilibrium with this 'moisture' at this temperature.",
            "Nenhuma umidade relativa entre 0 e 100 % está em equilíbrio com esta 'moisture' nesta temperatura.",
            "Ninguna humedad relativa entre 0 y 100 % está en equilibrio con esta 'moisture' a esta temperatura.");
        return;
    }
    grain_say(out, lang, "The equation has no finite, positive answer for this 'ur' at this temperature.",
              "A equação não tem resposta finita e positiva para esta 'ur' nesta temperatura.",
              "La ecuación no tiene respuesta finita y positiva para esta 'ur' a esta temperatura.");
    if ((result->warnings & GRAIN_W_FRACTION) != 0)
        grain_say(out, lang, " It is a percentage: 70, not 0.7.", " É uma porcentagem: 70, não 0,7.",
                  " Es un porcentaje: 70, no 0,7.");
}

static void say_no_curve(struct pl_buf *out, const struct grain_result *result)
{
    SAY(out, result->lang,
        "No constants for this curve of %s were found in a public source; without 'curve' the default is used.",
        "Não foram encontradas em fonte pública constantes para essa curva de %s; sem 'curve' vale o padrão.",
        "No se encontraron en una fuente pública constantes para esa curva de %s; sin 'curve' vale la predeterminada.",
        result->culture->name.in[result->lang]);
}

static void say_conflict(struct pl_buf *out, enum grain_lang lang, enum grain_field field)
{
    if (field == GRAIN_F_CURVE)
        grain_say(out, lang, "The set or the equation that was asked for is not of the curve 'curve'.",
                  "O conjunto ou a equação que foi pedida não é da curva 'curve'.",
                  "El conjunto o la ecuación que se pidió no es de la curva 'curve'.");
    else if (field == GRAIN_F_SET)
        grain_say(out, lang, "The fields 'set' and 'model' name different equations.",
                  "Os campos 'set' e 'model' indicam equações diferentes.",
                  "Los campos 'set' y 'model' indican ecuaciones diferentes.");
    else
        grain_say(out, lang, "Give either 'ur' or 'moisture', not both.", "Informe 'ur' ou 'moisture', não ambos.",
                  "Indique 'ur' o 'moisture', no ambos.");
}

void grain_say_error(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    const char *name = grain_field_names[result->field], *meaning = meanings[result->field].in[lang];
    bool number = result->field == GRAIN_F_TA || result->field == GRAIN_F_UR || result->field == GRAIN_F_MOISTURE;
    switch (result->error) {
    case GRAIN_OK:
        break;
    case GRAIN_E_NOT_OBJECT:
        SAY(out, lang, "A calculation must be an object with 'grain', 'ta' and 'ur', not %s.",
            "Um cálculo deve ser um objeto com 'grain', 'ta' e 'ur', não %s.",
            "Un cálculo debe ser un objeto con 'grain', 'ta' y 'ur', no %s.", kinds[request->item].in[lang]);
        break;
    case GRAIN_E_MISSING:
        grain_say_missing(out, lang, name, meaning);
        break;
    case GRAIN_E_REPEATED:
        grain_say_repeated(out, lang, name);
        break;
    case GRAIN_E_TYPE:
        SAY(out, lang, "The field '%s' must be %s, not %s.", "O campo '%s' deve ser %s, não %s.",
            "El campo '%s' debe ser %s, no %s.", name, kinds[number ? GRAIN_NUMBER : GRAIN_STRING].in[lang],
            kinds[request->field[result->field].kind].in[lang]);
        break;
    case GRAIN_E_NUMBER:
        say_not_a_number(out, lang, name, meaning);
        break;
    case GRAIN_E_RANGE:
        say_range(out, result);
        break;
    case GRAIN_E_POLE:
        grain_say_pole(out, result, name);
        break;
    case GRAIN_E_CHOICE:
        grain_say_choices(out, lang, name, grain_choices(name));
        break;
    case GRAIN_E_GRAIN:
        say_unknown_grain(out, &request->field[GRAIN_F_GRAIN], result);
        break;
    case GRAIN_E_MODEL:
    case GRAIN_E_SET:
        say_unknown_set(out, request, result);
        break;
    case GRAIN_E_CURVE:
        say_no_curve(out, result);
        break;
    case GRAIN_E_CONFLICT:
        say_conflict(out, lang, result->field);
        break;
    case GRAIN_E_NO_ANSWER:
        say_no_answer(out, result);
        break;
    }
}

const char *grain_warning_field(const struct grain_result *result, enum grain_warning warning)
{
    const char *field = result->warning_fields[__builtin_ctz(warning)];
    if (field != NULL)
        return field;
    if ((warning & GRAIN_W_OF_TA) != 0)
        return grain_field_names[GRAIN_F_TA];
    if ((warning & GRAIN_W_OF_UR) != 0)
        return grain_field_names[result->inverse ? GRAIN_F_MOISTURE : GRAIN_F_UR];
    return grain_field_names[warning == GRAIN_W_FRACTION ? GRAIN_F_UR : GRAIN_F_GRAIN];
}

static void say_unknown_fields(struct pl_buf *out, const struct grain_request *request, enum grain_lang lang)
{
    bool several = request->unknown_count > 1;
    grain_say(out, lang, several ? "The fields " : "The field ", several ? "Os campos " : "O campo ",
              several ? "Los campos " : "El campo ");
    say_quoted(out, &request->unknown);
    if (several)
        SAY(out, lang, " and %zu more have no meaning here and were ignored.",
            " e mais %zu não têm sentido aqui e foram ignorados.",
            " y %zu más no tienen sentido aquí y fueron ignorados.", request->unknown_count - 1);
    else
        grain_say(out, lang, " has no meaning here and was ignored.", " não tem sentido aqui e foi ignorado.",
                  " no tiene sentido aquí y fue ignorado.");
}

static void say_name_taken(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    say_quoted(out, &request->field[GRAIN_F_GRAIN]);
    SAY(out, lang, " was taken as: %s", " foi entendido como: %s", " se entendió como: %s",
        result->culture->name.in[lang]);
    const char *variant = result->set->variant.in[lang];
    if (variant[0] != '\0')
        pl_buf_printf(out, " (%s)", variant);
    pl_buf_append_cstr(out, ".");
}

static void say_outside(struct pl_buf *out, const struct grain_result *result, double low, double high,
                        const char *unit)
{
    enum grain_lang lang = result->lang;
    grain_say_number(out, lang, round(low * 10) / 10);
    grain_say(out, lang, " to ", " a ", " a ");
    grain_say_number(out, lang, round(high * 10) / 10);
    pl_buf_printf(out, " %s", unit);
    grain_say(out, lang, ", where the constants hold.", ", onde as constantes valem.", ", donde valen las constantes.");
}

static void say_measured_error(struct pl_buf *out, const struct grain_result *result)
{
    enum grain_lang lang = result->lang;
    struct grain_score score = grain_score(result->culture, result->set);
    if (score.evidence == GRAIN_MEASURED && score.points > 0) {
        grain_say(out, lang, "; against measured grain it is off by ", "; em relação a grão medido, o erro médio é de ",
                  "; frente a grano medido, el error medio es de ");
        grain_say_fixed(out, lang, score.mean);
        grain_say(out, lang, " points on average", " ponto", " puntos");
    }
}

void grain_say_agreement(struct pl_buf *out, const struct grain_result *result)
{
    grain_say(out, result->lang, "the sets of constants agree here, which may be chance and is not the doubt",
              "os conjuntos de constantes coincidem aqui, o que pode ser acaso e não é a incerteza",
              "los conjuntos de constantes coinciden aquí, lo que puede ser azar y no es la incertidumbre");
    say_measured_error(out, result);
}

// One set alone has no spread; what is known of its error is told instead.
static void say_alone(struct pl_buf *out, const struct grain_result *result)
{
    grain_say(out, result->lang,
              "There is no second trustworthy set of constants to compare with, so the doubt is not known",
              "Não há um segundo conjunto de constantes confiável para comparar; a incerteza não é conhecida",
              "No hay un segundo conjunto de constantes confiable para comparar; la incertidumbre no se conoce");
    say_measured_error(out, result);
    pl_buf_append_cstr(out, ".");
}

void grain_say_warning(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result,
                       enum grain_warning warning)
{
    enum grain_lang lang = result->lang;
    const struct grain_range *range = result->set != NULL ? grain_set_range(result->set) : NULL;
    switch (warning) {
    case GRAIN_W_TA_RANGE:
        grain_say(out, lang, "The temperature is outside ", "A temperatura está fora de ",
                  "La temperatura está fuera de ");
        if (result->fahrenheit)
            say_outside(out, result, grain_fahrenheit(range->ta_low), grain_fahrenheit(range->ta_high), "°F");
        else
            say_outside(out, result, range->ta_low, range->ta_high, "°C");
        break;
    case GRAIN_W_UR_RANGE:
        grain_say(out, lang, "The humidity is outside ", "A umidade relativa está fora de ",
                  "La humedad relativa está fuera de ");
        say_outside(out, result, range->ur_low, range->ur_high, "%");
        break;
    case GRAIN_W_POLE:
        grain_say(out, lang, "The temperature is near the pole of the equation (",
                  "A temperatura está perto do polo da equação (",
                  "La temperatura está cerca del polo de la ecuación (");
        grain_say_number(out, lang, grain_pole_shown(result));
        pl_buf_append_cstr(out, result->fahrenheit ? " °F); " : " °C); ");
        if (result->inverse)
            grain_say(out, lang, "the humidity tends to be too low there.",
                      "a umidade relativa tende a ser baixa demais aí.",
                      "la humedad relativa tiende a ser demasiado baja allí.");
        else
            grain_say(out, lang, "the moisture tends to be too high there.",
                      "o teor de água tende a ser alto demais aí.", "la humedad tiende a ser demasiado alta allí.");
        break;
    case GRAIN_W_UNCONFIRMED:
        grain_say(out, lang, "These constants are recalled from the standard and not confirmed.",
                  "Estas constantes são citadas de memória da norma e não foram confirmadas.",
                  "Estas constantes se citan de memoria de la norma y no fueron confirmadas.");
        break;
    case GRAIN_W_NAME:
        say_name_taken(out, request, result);
        break;
    case GRAIN_W_FRACTION:
        grain_say(out, lang, "The humidity is a percentage: for seventy percent write 70, not 0.7.",
                  "A umidade relativa é uma porcentagem: para setenta por cento escreva 70, não 0,7.",
                  "La humedad relativa es un porcentaje: para setenta por ciento escriba 70, no 0,7.");
        break;
    case GRAIN_W_NO_MOISTURE:
        grain_say(out, lang, "The equation has no moisture for this air: it is too dry or too cold.",
                  "A equação não tem teor de água para este ar: ele está seco demais ou frio demais.",
                  "La ecuación no tiene humedad del grano para este aire: está demasiado seco o demasiado frío.");
        break;
    case GRAIN_W_ALONE:
        say_alone(out, result);
        break;
    case GRAIN_W_SATURATED:
        grain_say(
            out, lang, "Humidity above 99 % is counted as 99 %: nearer to saturation no moisture can be told.",
            "Umidade relativa acima de 99 % conta como 99 %: mais perto da saturação não se pode dizer o teor de água.",
            "La humedad relativa de más de 99 % cuenta como 99 %: más cerca de la saturación no se puede decir la "
            "humedad del grano.");
        break;
    case GRAIN_W_UNKNOWN_FIELD:
        say_unknown_fields(out, request, lang);
        break;
    }
}
