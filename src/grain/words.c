// The sentences of errors and warnings in English and Portuguese.
#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "grain/calc.h"

// Either of two literal formats, so that the compiler checks both.
#define SAY(out, lang, en, pt, ...)                                                                                    \
    ((lang) == GRAIN_PT ? pl_buf_printf(out, pt, __VA_ARGS__) : pl_buf_printf(out, en, __VA_ARGS__))
// The same without anything to put in.
#define WORDS(out, lang, en, pt) pl_buf_append_cstr(out, (lang) == GRAIN_PT ? (pt) : (en))

static const struct {
    enum grain_error error;
    const char *code;
} codes[] = {
    {GRAIN_E_NOT_OBJECT, "not_an_object"}, {GRAIN_E_MISSING, "missing_field"}, {GRAIN_E_REPEATED, "repeated_field"},
    {GRAIN_E_TYPE, "wrong_type"},          {GRAIN_E_NUMBER, "not_a_number"},   {GRAIN_E_RANGE, "out_of_range"},
    {GRAIN_E_POLE, "out_of_range"},        {GRAIN_E_CHOICE, "unknown_value"},  {GRAIN_E_GRAIN, "unknown_grain"},
    {GRAIN_E_MODEL, "unknown_model"},      {GRAIN_E_SET, "unknown_set"},       {GRAIN_E_CONFLICT, "conflicting_fields"},
    {GRAIN_E_NO_ANSWER, "no_answer"},
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
    case GRAIN_W_UNKNOWN_FIELD:
        break;
    }
    return "unknown_field";
}

static const struct grain_text meanings[GRAIN_FIELDS] = {
    [GRAIN_F_GRAIN] = {{"the culture", "a cultura"}},
    [GRAIN_F_TA] = {{"air temperature", "temperatura do ar"}},
    [GRAIN_F_UR] = {{"relative humidity of the air in percent", "umidade relativa do ar em porcento"}},
    [GRAIN_F_MOISTURE] = {{"moisture of the grain in percent", "umidade do grão em porcento"}},
    [GRAIN_F_MODEL] = {{"the equation", "a equação"}},
    [GRAIN_F_SET] = {{"the set of constants", "o conjunto de constantes"}},
    [GRAIN_F_BASIS] = {{"basis of the moisture", "base da umidade"}},
    [GRAIN_F_TA_UNIT] = {{"unit of the temperature", "unidade da temperatura"}},
    [GRAIN_F_LANG] = {{"language", "idioma"}},
};

static const struct grain_text kinds[] = {
    [GRAIN_ABSENT] = {{"null", "null"}},         [GRAIN_NUMBER] = {{"a number", "um número"}},
    [GRAIN_STRING] = {{"a string", "um texto"}}, [GRAIN_BOOL] = {{"a boolean", "um booleano"}},
    [GRAIN_ARRAY] = {{"an array", "uma lista"}}, [GRAIN_OBJECT] = {{"an object", "um objeto"}},
};

static void say_with_mark(struct pl_buf *out, enum grain_lang lang, char text[PL_FMT_DOUBLE_MAX], size_t len)
{
    char *point = lang == GRAIN_PT ? memchr(text, '.', len) : NULL;
    if (point != NULL)
        *point = ',';
    pl_buf_append(out, text, len);
}

void grain_say_number(struct pl_buf *out, enum grain_lang lang, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    say_with_mark(out, lang, text, pl_format_double(value, text));
}

void grain_say_fixed(struct pl_buf *out, enum grain_lang lang, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    say_with_mark(out, lang, text, pl_format_fixed(value, 1, text));
}

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

static void say_unknown_grain(struct pl_buf *out, const struct grain_value *value, const struct grain_culture *nearest,
                              enum grain_lang lang)
{
    WORDS(out, lang, "The grain ", "A cultura ");
    say_quoted(out, value);
    WORDS(out, lang, " is not known", " não é conhecida");
    if (nearest != NULL)
        SAY(out, lang, "; did you mean '%s'?", "; seria '%s'?", nearest->id);
    else
        pl_buf_append_cstr(out, ".");
    WORDS(out, lang, " Known are: ", " São conhecidas: ");
    for (size_t i = 0; i < GRAIN_CULTURES; i++)
        say_list_item(out, i == 0, grain_cultures()[i].id);
    pl_buf_append_cstr(out, ".");
}

static void say_unknown_set(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    const struct grain_culture *culture = result->culture;
    SAY(out, result->lang, "%s has no constants for ", "Não há constantes de %s para ", culture->name.in[result->lang]);
    say_quoted(out, &request->field[result->field]);
    SAY(out, result->lang, "; '%s' may be: ", "; '%s' pode ser: ", grain_field_names[result->field]);
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
            f ? "-22" : "-30", f ? "176 °F" : "80 °C");
    } else if (result->field == GRAIN_F_MOISTURE && result->dry) {
        WORDS(out, lang, "The field 'moisture' must be above 0 and below 1000 %.",
              "O campo 'moisture' deve ser maior que 0 e menor que 1000 %.");
    } else {
        SAY(out, lang, "The field '%s' must be above 0 and below 100 %%.",
            "O campo '%s' deve ser maior que 0 e menor que 100 %%.", grain_field_names[result->field]);
    }
}

static void say_pole(struct pl_buf *out, const struct grain_result *result)
{
    WORDS(out, result->lang, "The field 'ta' must be above ", "O campo 'ta' deve ser maior que ");
    grain_say_number(out, result->lang, grain_pole_shown(result));
    SAY(out, result->lang, " %s, where the %s equation of %s has its pole.",
        " %s, onde fica o polo da equação de %s (%s).", result->fahrenheit ? "°F" : "°C",
        grain_equation_info(result->set->equation)->name.in[result->lang], result->culture->name.in[result->lang]);
}

static void say_choice(struct pl_buf *out, const struct grain_result *result)
{
    const char *words = result->field == GRAIN_F_LANG ? "en, pt" : result->field == GRAIN_F_BASIS ? "wet, dry" : "C, F";
    SAY(out, result->lang, "The field '%s' must be one of: %s.", "O campo '%s' deve ser um destes: %s.",
        grain_field_names[result->field], words);
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
            "Um cálculo deve ser um objeto com 'grain', 'ta' e 'ur', não %s.", kinds[request->item].in[lang]);
        break;
    case GRAIN_E_MISSING:
        SAY(out, lang, "The field '%s' (%s) is missing.", "Falta o campo '%s' (%s).", name, meaning);
        break;
    case GRAIN_E_REPEATED:
        SAY(out, lang, "The field '%s' is given more than once.", "O campo '%s' aparece mais de uma vez.", name);
        break;
    case GRAIN_E_TYPE:
        SAY(out, lang, "The field '%s' must be %s, not %s.", "O campo '%s' deve ser %s, não %s.", name,
            kinds[number ? GRAIN_NUMBER : GRAIN_STRING].in[lang], kinds[request->field[result->field].kind].in[lang]);
        break;
    case GRAIN_E_NUMBER:
        SAY(out, lang, "The field '%s' (%s) must be a number such as 25.5 or 25,5.",
            "O campo '%s' (%s) deve ser um número como 25,5 ou 25.5.", name, meaning);
        break;
    case GRAIN_E_RANGE:
        say_range(out, result);
        break;
    case GRAIN_E_POLE:
        say_pole(out, result);
        break;
    case GRAIN_E_CHOICE:
        say_choice(out, result);
        break;
    case GRAIN_E_GRAIN:
        say_unknown_grain(out, &request->field[GRAIN_F_GRAIN], result->nearest, lang);
        break;
    case GRAIN_E_MODEL:
    case GRAIN_E_SET:
        say_unknown_set(out, request, result);
        break;
    case GRAIN_E_CONFLICT:
        if (result->field == GRAIN_F_SET)
            WORDS(out, lang, "The fields 'set' and 'model' name different equations.",
                  "Os campos 'set' e 'model' indicam equações diferentes.");
        else
            WORDS(out, lang, "Give either 'ur' or 'moisture', not both.", "Informe 'ur' ou 'moisture', não ambos.");
        break;
    case GRAIN_E_NO_ANSWER:
        if (result->inverse)
            WORDS(out, lang,
                  "No humidity between 0 and 100 % is in equilibrium with this 'moisture' at this temperature.",
                  "Nenhuma umidade relativa entre 0 e 100 % está em equilíbrio com esta 'moisture' nesta temperatura.");
        else
            WORDS(out, lang, "The equation has no finite, positive answer for this 'ur' at this temperature.",
                  "A equação não tem resposta finita e positiva para esta 'ur' nesta temperatura.");
        break;
    }
}

enum grain_field grain_warning_field(enum grain_warning warning)
{
    if (warning == GRAIN_W_TA_RANGE || warning == GRAIN_W_POLE)
        return GRAIN_F_TA;
    return warning == GRAIN_W_UR_RANGE ? GRAIN_F_UR : GRAIN_F_GRAIN;
}

static void say_unknown_fields(struct pl_buf *out, const struct grain_request *request, enum grain_lang lang)
{
    bool several = request->unknown_count > 1;
    WORDS(out, lang, several ? "The fields " : "The field ", several ? "Os campos " : "O campo ");
    say_quoted(out, &request->unknown);
    if (several)
        SAY(out, lang, " and %zu more are not known and were ignored.",
            " e mais %zu não são conhecidos e foram ignorados.", request->unknown_count - 1);
    else
        WORDS(out, lang, " is not known and was ignored.", " não é conhecido e foi ignorado.");
}

void grain_say_warning(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result,
                       enum grain_warning warning)
{
    enum grain_lang lang = result->lang;
    switch (warning) {
    case GRAIN_W_TA_RANGE:
        SAY(out, lang, "The temperature lies outside %s, where the constants hold.",
            "A temperatura está fora de %s, onde as constantes valem.",
            result->fahrenheit ? lang == GRAIN_PT ? "32 a 122 °F" : "32 to 122 °F"
            : lang == GRAIN_PT ? "0 a 50 °C"
                               : "0 to 50 °C");
        break;
    case GRAIN_W_UR_RANGE:
        WORDS(out, lang, "The humidity lies outside 10 to 95 %, where the constants hold.",
              "A umidade relativa está fora de 10 a 95 %, onde as constantes valem.");
        break;
    case GRAIN_W_POLE:
        WORDS(out, lang, "The temperature is near the pole of the equation (",
              "A temperatura está perto do polo da equação (");
        grain_say_number(out, lang, grain_pole_shown(result));
        pl_buf_append_cstr(out, result->fahrenheit ? " °F); " : " °C); ");
        if (result->inverse)
            WORDS(out, lang, "the humidity tends to be too low there.",
                  "a umidade relativa tende a ser baixa demais aí.");
        else
            WORDS(out, lang, "the moisture tends to be too high there.", "a umidade tende a ser alta demais aí.");
        break;
    case GRAIN_W_UNCONFIRMED:
        WORDS(out, lang, "These constants are recalled from the standard and not confirmed.",
              "Estas constantes são citadas de memória da norma e não foram confirmadas.");
        break;
    case GRAIN_W_UNKNOWN_FIELD:
        say_unknown_fields(out, request, lang);
        break;
    }
}
