// Judges grain in store: by the humidity between its kernels, by the time that published tables give, by the air.
#include "grain/verdict.h"

#include <math.h>
#include <string.h>

#include "base/fmt.h"
#include "grain/air.h"
#include "grain/trade.h"

// Grain that keeps at least this long by published tables does not count as spoiling, though mould could grow: it is
// cold.
#define LONG_DAYS 180.0

const char *grain_verdict_id(enum grain_verdict verdict)
{
    static const char *const ids[] = {"safe", "watch", "spoils", "unknown"};
    return ids[verdict];
}

static bool in_doubt(const struct grain_verdict_answer *answer)
{
    return grain_band_of(answer->spread.high) >= GRAIN_BAND_MOULD;
}

static enum grain_verdict verdict_of(const struct grain_verdict_answer *answer)
{
    const struct grain_days *days = grain_days_told(&answer->ndsu, &answer->steele);
    if (answer->band == GRAIN_BAND_UNKNOWN)
        return GRAIN_VERDICT_UNKNOWN;
    if (answer->band == GRAIN_BAND_SAFE) {
        // Safe is what the most cautious set does not call mouldy.
        return in_doubt(answer) ? GRAIN_VERDICT_WATCH : GRAIN_VERDICT_SAFE;
    }
    if (answer->band == GRAIN_BAND_WATCH)
        return GRAIN_VERDICT_WATCH;
    // Judged by the days as they are shown.
    bool lasts = days != NULL && days->relation != GRAIN_AT_MOST && grain_days_shown(days) >= LONG_DAYS;
    return lasts ? GRAIN_VERDICT_WATCH : GRAIN_VERDICT_SPOILS;
}

// In air beyond the range of the set the grain is moister than at its moist end, or drier than at its dry one; beyond
// its temperatures nothing is known.
static void bound_moisture(const struct grain_set *set, struct grain_verdict_answer *answer)
{
    const struct grain_range *range = grain_set_range(set);
    answer->at_least = answer->moisture_known ? answer->moisture : -INFINITY;
    answer->at_most = answer->moisture_known ? answer->moisture : INFINITY;
    if (answer->moisture_known || !grain_known_at(set, answer->celsius))
        return;
    if (answer->ur > range->ur_high)
        answer->at_least = grain_wet_from_dry(grain_moisture_in(set, answer->celsius, range->ur_high));
    else if (answer->ur < range->ur_low)
        answer->at_most = grain_wet_from_dry(grain_moisture_in(set, answer->celsius, range->ur_low));
}

// The verdict on grain of a moisture and temperature; of grain that came to rest in air, with that air's humidity. That
// one is not computed, so no range ends it; but the moisture is, and beyond the range nothing rests on it.
static void judge(const struct grain_culture *culture, const struct grain_set *set, double celsius, double moisture,
                  double ur, struct grain_verdict_answer *answer)
{
    answer->celsius = celsius;
    answer->moisture = moisture;
    answer->of_air = !isnan(ur);
    answer->spread = (struct grain_spread){ur, ur, 1};
    answer->ur = ur;
    if (!answer->of_air) {
        answer->ur = grain_humidity_told(set, celsius, grain_dry_from_wet(moisture));
        answer->spread = grain_spread_at(culture, set, celsius, moisture, true, false);
    }
    const unsigned range = GRAIN_W_TA_RANGE | GRAIN_W_UR_RANGE;
    answer->in_range = (grain_range_warnings(set, celsius, answer->ur, !answer->of_air) & range) == 0;
    answer->moisture_known = !answer->of_air || (answer->in_range && grain_known_at(set, celsius));
    if (isnan(answer->ur) || !grain_known_at(set, celsius))
        answer->band = GRAIN_BAND_UNKNOWN;
    else
        answer->band = answer->of_air ? grain_band_of(ur) : grain_band_by(set, celsius, answer->ur);
    answer->ndsu = answer->steele = (struct grain_days){GRAIN_NO_DAYS, NAN};
    if (answer->moisture_known) {
        answer->ndsu = grain_days_ndsu(culture, celsius, moisture);
        answer->steele = grain_days_steele(culture, celsius, moisture, 30);
    }
    answer->verdict = verdict_of(answer);
    bound_moisture(set, answer);
}

static bool read_air(struct grain_fields *fields, struct grain_verdict_answer *answer)
{
    double heat = 0;
    // Also where there is no air for it to heat: a value that is wrong is refused.
    if (!grain_fields_read_temperature(fields, GRAIN_T_FAN_HEAT, false, 0, 40, true, &heat))
        return false;
    if (!grain_fields_has(fields, GRAIN_T_TA) && !grain_fields_has(fields, GRAIN_T_UR))
        return true;
    if (!grain_fields_read_temperature(fields, GRAIN_T_TA, true, GRAIN_TA_MIN, GRAIN_TA_MAX, false,
                                       &answer->air_celsius) ||
        !grain_fields_read_number(fields, GRAIN_T_UR, true, 0.1, 100, &answer->air_ur))
        return false;
    // Without heat it is the same to the last bit, and so is what is computed from it.
    if (heat > 0) {
        double before = grain_air_saturation_over(answer->air_celsius, GRAIN_OVER_WATER);
        answer->air_celsius += heat;
        answer->air_ur *= before / grain_air_saturation_over(answer->air_celsius, GRAIN_OVER_WATER);
    }
    answer->with_air = true;
    answer->towards = grain_wet_from_dry(grain_moisture_in(fields->chosen.set, answer->air_celsius, answer->air_ur));
    return grain_fields_check_pole(fields, GRAIN_T_TA, answer->air_celsius);
}

static void judge_air(struct grain_verdict_answer *answer, double hold)
{
    double vapour = answer->air_ur / 100 * grain_air_saturation_over(answer->air_celsius, GRAIN_OVER_WATER);
    answer->condensation = vapour > grain_air_saturation_over(answer->celsius, GRAIN_OVER_WATER);
    // Air so dry that the equation has no moisture for it dries any grain.
    double difference = isnan(answer->towards) ? -INFINITY : answer->towards - answer->moisture;
    // Grain that rests in it is as moist as it makes it.
    difference = answer->of_air ? 0 : difference;
    answer->effect = answer->condensation || difference > hold ? GRAIN_WETS
                     : difference < -hold                      ? GRAIN_DRIES
                                                               : GRAIN_HOLDS;
}

bool grain_verdict_answer(struct grain_fields *fields, struct grain_verdict_answer *answer)
{
    double hold = 0.3, moisture = NAN, celsius = NAN;
    *answer = (struct grain_verdict_answer){.ur = NAN, .towards = NAN};
    if (!grain_fields_read_common(fields) || !grain_fields_read_grain(fields, true) || !read_air(fields, answer))
        return false;
    bool own = grain_fields_has(fields, GRAIN_T_MOISTURE) || !answer->with_air;
    if (!grain_fields_read_number(fields, GRAIN_T_MOISTURE, own, 1, 60, &moisture) ||
        !grain_fields_read_temperature(fields, GRAIN_T_GRAIN_TA, own && !answer->with_air, GRAIN_TA_MIN, GRAIN_TA_MAX,
                                       false, &celsius) ||
        !grain_fields_read_number(fields, GRAIN_T_HOLD, false, 0, 5, &hold))
        return false;
    const struct grain_set *set = fields->chosen.set;
    // Grain whose temperature is not told is taken as being as warm as the air.
    celsius = isnan(celsius) ? answer->air_celsius : celsius;
    if (!grain_fields_check_pole(fields, GRAIN_T_GRAIN_TA, celsius))
        return false;
    // Colder grain makes the air between its kernels moister. Warmer grain dries it, but only until it has cooled.
    double ur = NAN;
    if (!own) {
        double cooler = grain_air_saturation_over(answer->air_celsius, GRAIN_OVER_WATER) /
                        grain_air_saturation_over(celsius, GRAIN_OVER_WATER);
        ur = fmin(answer->air_ur * fmax(cooler, 1), 100);
        moisture = grain_wet_from_dry(grain_moisture_in(set, celsius, ur));
    }
    if (!own && (isnan(answer->towards) || isnan(moisture)))
        return grain_fields_refuse(fields, "no_answer", GRAIN_T_UR);
    judge(fields->chosen.culture, set, celsius, moisture, own ? NAN : fmin(ur, GRAIN_SATURATED_UR), answer);
    if (answer->with_air) {
        judge_air(answer, hold);
        grain_fields_check_range(fields, answer->air_celsius, answer->air_ur, false, GRAIN_T_TA, GRAIN_T_UR);
    } else {
        grain_fields_note_idle(fields, GRAIN_T_FAN_HEAT);
    }
    if (!own || !answer->with_air)
        grain_fields_note_idle(fields, GRAIN_T_HOLD);
    if (!own && celsius != answer->air_celsius)
        grain_fields_check_range(fields, celsius, ur, false, GRAIN_T_GRAIN_TA, GRAIN_T_UR);
    const struct grain_spread spread =
        own ? answer->spread : grain_spread_at(fields->chosen.culture, set, celsius, ur, false, false);
    // The humidity of air is the same by all of them; the moisture that it gives is not.
    answer->spread.sets = spread.sets;
    if (spread.sets < 2)
        fields->chosen.warnings |= GRAIN_W_ALONE;
    if (own && !isnan(answer->ur))
        grain_fields_check_range(fields, answer->celsius, answer->ur, true,
                                 grain_fields_has(fields, GRAIN_T_GRAIN_TA) ? GRAIN_T_GRAIN_TA : GRAIN_T_TA,
                                 GRAIN_T_MOISTURE);
    return true;
}

// ---- sentences ----

static void say_percent(struct pl_buf *out, enum grain_lang lang, double value)
{
    grain_say_fixed(out, lang, value);
    pl_buf_append_cstr(out, "\u00a0%");
}

static void say_lot(struct pl_buf *out, const struct grain_fields *fields, const struct grain_verdict_answer *answer)
{
    enum grain_lang lang = fields->lang;
    grain_say_name(out, lang, fields->chosen.culture, fields->chosen.set);
    if (!answer->moisture_known) {
        pl_buf_append_cstr(out, answer->celsius == answer->air_celsius
                                    ? grain_words(lang, " in air of ", " em ar de ", " en aire de ")
                                    : grain_words(lang, " at ", " a ", " a "));
    } else {
        grain_say(out, lang, " at ", " com ", " con ");
        say_percent(out, lang, answer->moisture);
        grain_say(out, lang, " moisture and ", " de umidade e ", " de humedad y ");
    }
    grain_say_number(out, lang, round(grain_fields_shown(fields, answer->celsius) * 10) / 10);
    pl_buf_append_cstr(out, fields->fahrenheit ? "\u00a0°F" : "\u00a0°C");
}

// "about 40 days", "at least 300 days".
static void say_days(struct pl_buf *out, enum grain_lang lang, const struct grain_days *days)
{
    pl_buf_append_cstr(out,
                       days->relation == GRAIN_AT_LEAST  ? grain_words(lang, "at least ", "pelo menos ", "al menos ")
                       : days->relation == GRAIN_AT_MOST ? grain_words(lang, "at most ", "no máximo ", "como máximo ")
                                                         : grain_words(lang, "about ", "cerca de ", "unos "));
    double count = grain_days_shown(days);
    grain_say_number(out, lang, count);
    pl_buf_printf(out, " %s",
                  count == 1 ? grain_words(lang, "day", "dia", "día") : grain_words(lang, "days", "dias", "días"));
}

static void say_time(struct pl_buf *out, enum grain_lang lang, const struct grain_verdict_answer *answer)
{
    const struct grain_days *days = grain_days_told(&answer->ndsu, &answer->steele);
    if (!answer->moisture_known) {
        grain_say(out, lang, " How long it keeps cannot be said: the constants do not tell its moisture there.",
                  " Não se pode dizer por quanto tempo se conserva: as constantes não dão seu teor de água aí.",
                  " No se puede decir cuánto tiempo se conserva: las constantes no dan su humedad allí.");
        return;
    }
    if (days == NULL) {
        grain_say(out, lang, " How long it keeps, no published table says.",
                  " Nenhuma tabela publicada diz por quanto tempo se conserva.",
                  " Ninguna tabla publicada dice cuánto tiempo se conserva.");
        return;
    }
    // What spoils has its days all the same, and something can be done.
    pl_buf_append_cstr(out, answer->verdict == GRAIN_VERDICT_SPOILS
                                ? grain_words(lang, " Unless it is dried or cooled, it keeps ",
                                              " Sem secar nem resfriar, conserva-se ",
                                              " Sin secarlo ni enfriarlo, se conserva ")
                                : grain_words(lang, " It keeps ", " Conserva-se ", " Se conserva "));
    say_days(out, lang, days);
    pl_buf_append_cstr(out, ".");
}

// What the humidity between the kernels means.
static void say_reason(struct pl_buf *out, enum grain_lang lang, const struct grain_verdict_answer *answer)
{
    switch (answer->band) {
    case GRAIN_BAND_SAFE:
        if (answer->verdict == GRAIN_VERDICT_SAFE) {
            grain_say(out, lang, "below 65\u00a0% no mould of the store grows.",
                      "abaixo de 65\u00a0% não cresce fungo de armazenamento.",
                      "por debajo de 65\u00a0% no crece ningún hongo de almacén.");
            return;
        }
        grain_say(out, lang, "by the most cautious constants it is ", "pelas constantes mais prudentes são ",
                  "según las constantes más prudentes son ");
        grain_say_number(out, lang, round(answer->spread.high * 10) / 10);
        grain_say(out, lang, "\u00a0%, and above 70\u00a0% moulds grow.",
                  "\u00a0%, e acima de 70\u00a0% os fungos crescem.",
                  "\u00a0%, y por encima de 70\u00a0% crecen hongos.");
        return;
    case GRAIN_BAND_WATCH:
        grain_say(out, lang, "from 65 to 70\u00a0% the first moulds grow.",
                  "de 65 a 70\u00a0% crescem os primeiros fungos.", "de 65 a 70\u00a0% crecen los primeros hongos.");
        return;
    case GRAIN_BAND_MOULD:
        grain_say(out, lang, "above 70\u00a0% moulds grow.", "acima de 70\u00a0% os fungos crescem.",
                  "por encima de 70\u00a0% crecen hongos.");
        return;
    default:
        grain_say(out, lang, "from 80\u00a0% moulds grow fast.", "a partir de 80\u00a0% os fungos crescem depressa.",
                  "desde 80\u00a0% los hongos crecen rápido.");
    }
}

void grain_say_verdict(struct pl_buf *out, const struct grain_fields *fields, const struct grain_verdict_answer *answer)
{
    enum grain_lang lang = fields->lang;
    switch (answer->verdict) {
    case GRAIN_VERDICT_SAFE:
        grain_say(out, lang, "Yes, safe to store: ", "Sim, pode ser armazenado: ", "Sí, se puede almacenar: ");
        break;
    case GRAIN_VERDICT_WATCH:
        grain_say(out, lang, "At the limit, watch it: ", "No limite, acompanhe: ", "En el límite, vigílelo: ");
        break;
    case GRAIN_VERDICT_SPOILS:
        grain_say(out, lang, "No, it will spoil: ", "Não, vai estragar: ", "No, se va a dañar: ");
        break;
    case GRAIN_VERDICT_UNKNOWN:
        grain_say(out, lang, "No verdict: ", "Sem parecer: ", "Sin dictamen: ");
        break;
    }
    say_lot(out, fields, answer);
    if (answer->verdict == GRAIN_VERDICT_UNKNOWN) {
        grain_say(out, lang, ": this is outside of what the constants are known for.",
                  ": isto está fora do que se conhece para as constantes.",
                  ": esto está fuera de lo que se conoce para las constantes.");
        // Tables go by the moisture, not by the constants.
        if (grain_days_told(&answer->ndsu, &answer->steele) != NULL)
            say_time(out, lang, answer);
        return;
    }
    grain_say(out, lang, ": the air between the kernels has ", ": o ar entre os grãos tem ",
              ": el aire entre los granos tiene ");
    if (answer->of_air)
        grain_say_number(out, lang, round(answer->ur * 10) / 10);
    else
        grain_say_kernel_humidity(out, lang, fields->chosen.set, answer->ur);
    grain_say(out, lang, "\u00a0% humidity; ", "\u00a0% de umidade relativa; ", "\u00a0% de humedad relativa; ");
    say_reason(out, lang, answer);
    say_time(out, lang, answer);
}

void grain_say_air_effect(struct pl_buf *out, const struct grain_fields *fields,
                          const struct grain_verdict_answer *answer)
{
    enum grain_lang lang = fields->lang;
    if (!answer->with_air || (answer->of_air && !answer->condensation))
        return;
    if (answer->condensation) {
        grain_say(out, lang, "This air condenses on the grain: do not blow it in.",
                  "Este ar condensa no grão: não o insufle.", "Este aire condensa en el grano: no lo insufle.");
        return;
    }
    pl_buf_append_cstr(out, answer->effect == GRAIN_DRIES
                                ? grain_words(lang, "This air dries it", "Este ar o seca", "Este aire lo seca")
                            : answer->effect == GRAIN_WETS
                                ? grain_words(lang, "This air wets it", "Este ar o umedece", "Este aire lo humedece")
                                : grain_words(lang, "This air keeps it as it is", "Este ar o mantém como está",
                                              "Este aire lo mantiene como está"));
    if (!isnan(answer->towards)) {
        grain_say(out, lang, ", towards ", ", rumo a ", ", hacia ");
        say_percent(out, lang, answer->towards);
    }
    pl_buf_append_cstr(out, ".");
}

void grain_say_trade(struct pl_buf *out, const struct grain_fields *fields, const struct grain_verdict_answer *answer)
{
    size_t count;
    const struct grain_trade_limit *limits = grain_trade_limits(&count);
    enum grain_lang lang = fields->lang;
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(limits[i].culture, fields->chosen.culture->id) != 0)
            continue;
        if (first)
            grain_say(out, lang, "Limits of trade: ", "Limites do comércio: ", "Límites del comercio: ");
        pl_buf_printf(out, "%s%s ", first ? "" : "; ", limits[i].country);
        grain_say_number(out, lang, limits[i].moisture);
        pl_buf_append_cstr(out, "\u00a0%");
        enum grain_above above = grain_above_limit(answer->at_least, answer->at_most, limits[i].moisture);
        if (above == GRAIN_ABOVE)
            grain_say(out, lang, " (above it)", " (acima)", " (por encima)");
        else if (above == GRAIN_ABOVE_UNKNOWN)
            grain_say(out, lang, " (not known whether above it)", " (não se sabe se está acima)",
                      " (no se sabe si está por encima)");
        first = false;
    }
    if (!first)
        pl_buf_append_cstr(out, ".");
}

void grain_say_verdict_source(struct pl_buf *out, const struct grain_fields *fields,
                              const struct grain_verdict_answer *answer)
{
    enum grain_lang lang = fields->lang;
    const struct grain_days *days = grain_days_told(&answer->ndsu, &answer->steele);
    pl_buf_printf(
        out, "%s %s",
        grain_words(lang, "Limits of 65, 70 and 80 %:", "Limites de 65, 70 e 80 %:", "Límites de 65, 70 y 80 %:"),
        grain_band_source);
    if (days != NULL)
        pl_buf_printf(out, ". %s %s", grain_words(lang, "Days:", "Dias:", "Días:"),
                      days == &answer->ndsu ? "NDSU (Hellevang)" : "Steele et al. 1969, Bern et al. (ASABE D535)");
    pl_buf_append_cstr(out, ".");
}

typedef void say(struct pl_buf *out, const struct grain_fields *fields, const struct grain_verdict_answer *answer);

static void put_sentence(struct pl_buf *out, const char *name, say *sentence, const struct grain_fields *fields,
                         const struct grain_verdict_answer *answer)
{
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    sentence(&text, fields, answer);
    pl_buf_printf(out, ",\"%s\":", name);
    pl_buf_append_json_string(out, pl_buf_slice(&text));
    pl_buf_take_over(out, &text);
}

void grain_verdict_write(struct pl_buf *out, const struct grain_fields *fields,
                         const struct grain_verdict_answer *answer)
{
    static const char *const relations[] = {"none", "about", "atLeast", "atMost"};
    const struct grain_days *days = grain_days_told(&answer->ndsu, &answer->steele);
    pl_buf_printf(out, "{\"ok\":true,\"grain\":\"%s\",\"set\":\"%s\",\"verdict\":\"%s\"", fields->chosen.culture->id,
                  fields->chosen.set->id, grain_verdict_id(answer->verdict));
    put_sentence(out, "sentence", grain_say_verdict, fields, answer);
    put_sentence(out, "source", grain_say_verdict_source, fields, answer);
    grain_put_member(out, "moisture", answer->moisture, 1);
    grain_put_member(out, "grainTa", grain_fields_shown(fields, answer->celsius), 1);
    pl_buf_printf(out, ",\"taUnit\":\"%s\"", fields->fahrenheit ? "F" : "C");
    grain_write_humidity(out, answer->ur);
    pl_buf_printf(out, ",\"inRange\":%s", answer->in_range ? "true" : "false");
    grain_write_spread(out, &answer->spread);
    if (days != NULL) {
        pl_buf_printf(out, ",\"storage\":{\"relation\":\"%s\",\"days\":", relations[days->relation]);
        grain_put_number(out, grain_days_shown(days));
        pl_buf_append_byte(out, '}');
    } else {
        pl_buf_append_cstr(out, ",\"storage\":null");
    }
    if (answer->with_air) {
        pl_buf_append_cstr(out, ",\"air\":{\"ta\":");
        grain_put_number(out, round(grain_fields_shown(fields, answer->air_celsius) * 10) / 10);
        grain_put_member(out, "ur", answer->air_ur, 1);
        grain_put_member(out, "moisture", answer->towards, 1);
        pl_buf_printf(out, ",\"effect\":\"%s\",\"condensation\":%s", grain_effect_id(answer->effect),
                      answer->condensation ? "true" : "false");
        put_sentence(out, "sentence", grain_say_air_effect, fields, answer);
        pl_buf_append_byte(out, '}');
    }
    pl_buf_append_cstr(out, ",\"trade\":");
    grain_write_trade(out, fields->chosen.culture, answer->at_least, answer->at_most);
    grain_fields_end_answer(out, fields);
}

void grain_verdict_rows(const struct grain_fields *fields, const struct grain_verdict_answer *answer, grain_row *row,
                        struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    const struct {
        const char *label;
        say *sentence;
    } lines[] = {
        {grain_words(lang, "May it be stored like this?", "Pode ser armazenado assim?", "¿Se puede almacenar así?"),
         grain_say_verdict},
        {grain_words(lang, "The air", "O ar", "El aire"), grain_say_air_effect},
        {grain_words(lang, "Trade", "Comércio", "Comercio"), grain_say_trade},
        {grain_words(lang, "Source", "Fonte", "Fuente"), grain_say_verdict_source},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct pl_buf text;
        pl_buf_init(&text, 4096);
        lines[i].sentence(&text, fields, answer);
        if (text.len > 0)
            row(out, lines[i].label, &text);
        pl_buf_fini(&text);
    }
    grain_fields_warning_rows(fields, row, out);
}
