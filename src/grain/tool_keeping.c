// Safe keeping and shrink: fields to answers, as JSON and as lines for people.
#include <math.h>

#include "base/fmt.h"
#include "grain/keeping.h"
#include "grain/trade.h"

bool grain_keeping_answer(struct grain_fields *fields, struct grain_keeping_answer *answer)
{
    // `ta` is the other name of `grainTa` here: there is no air whose temperature it could be.
    const enum grain_tool_field ta = grain_fields_has(fields, GRAIN_T_TA) ? GRAIN_T_TA : GRAIN_T_GRAIN_TA;
    *answer = (struct grain_keeping_answer){.damage = 30};
    if (!grain_fields_read_common(fields))
        return false;
    if (ta == GRAIN_T_TA && grain_fields_has(fields, GRAIN_T_GRAIN_TA))
        return grain_fields_refuse(fields, "conflicting_fields", GRAIN_T_GRAIN_TA);
    if (!grain_fields_read_grain(fields, true) ||
        !grain_fields_read_temperature(fields, ta, true, GRAIN_TA_MIN, GRAIN_TA_MAX, false, &answer->celsius) ||
        !grain_fields_read_number(fields, GRAIN_T_MOISTURE, true, 1, 60, &answer->moisture) ||
        !grain_fields_read_number(fields, GRAIN_T_DAMAGE, false, 0, 50, &answer->damage))
        return false;
    const struct grain_culture *culture = fields->chosen.culture;
    const struct grain_set *set = fields->chosen.set;
    if (!grain_fields_check_pole(fields, ta, answer->celsius))
        return false;
    answer->spread = grain_spread_at(culture, set, answer->celsius, answer->moisture, true, false);
    answer->ur = grain_humidity_told(set, answer->celsius, grain_dry_from_wet(answer->moisture));
    if (isnan(answer->ur) || isnan(answer->spread.high))
        return grain_fields_refuse(fields, "no_answer", GRAIN_T_MOISTURE);
    answer->band = grain_band_by(set, answer->celsius, answer->ur);
    // Where the set itself is the most cautious, its band is already the one.
    answer->cautious_band = answer->band;
    if (answer->band != GRAIN_BAND_UNKNOWN && answer->spread.high > answer->ur &&
        grain_band_of(answer->spread.high) > answer->band)
        answer->cautious_band = grain_band_of(answer->spread.high);
    answer->safe_moisture = answer->cautious_moisture = NAN;
    // Near the pole it would be far too high.
    if (grain_known_at(set, answer->celsius) && GRAIN_SAFE_UR <= grain_set_range(set)->ur_high) {
        answer->safe_moisture = grain_wet_from_dry(grain_moisture_in(set, answer->celsius, GRAIN_SAFE_UR));
        answer->cautious_moisture = grain_spread_at(culture, set, answer->celsius, GRAIN_SAFE_UR, false, false).low;
    }
    grain_fields_check_range(fields, answer->celsius, answer->ur, true, ta, GRAIN_T_MOISTURE);
    answer->in_range = (fields->chosen.warnings & (GRAIN_W_TA_RANGE | GRAIN_W_UR_RANGE)) == 0;
    if (answer->spread.sets < 2)
        fields->chosen.warnings |= GRAIN_W_ALONE;
    answer->ndsu = grain_days_ndsu(culture, answer->celsius, answer->moisture);
    answer->steele = grain_days_steele(culture, answer->celsius, answer->moisture, answer->damage);
    if (answer->steele.relation == GRAIN_NO_DAYS)
        grain_fields_note_idle(fields, GRAIN_T_DAMAGE);
    return true;
}

static void write_days(struct pl_buf *out, bool *first, const char *method, const char *source,
                       const struct grain_days *days, double damage)
{
    static const char *const relations[] = {"none", "about", "atLeast", "atMost"};
    if (days->relation == GRAIN_NO_DAYS)
        return;
    pl_buf_printf(out, "%s{\"method\":\"%s\",\"relation\":\"%s\",\"days\":", *first ? "" : ",", method,
                  relations[days->relation]);
    grain_put_number(out, grain_days_shown(days));
    if (!isnan(damage)) {
        pl_buf_append_cstr(out, ",\"damage\":");
        grain_put_number(out, damage);
    }
    pl_buf_printf(out, ",\"source\":\"%s\"}", source);
    *first = false;
}

static const char ndsu_source[] = "NDSU (Hellevang), approximate allowable storage time, interpolated";
static const char steele_source[] =
    "Steele et al. 1969, Bern et al., ASABE D535: 0.5 % dry matter loss of shelled corn";

void grain_keeping_write(struct pl_buf *out, const struct grain_fields *fields,
                         const struct grain_keeping_answer *answer)
{
    pl_buf_printf(out, "{\"ok\":true,\"grain\":\"%s\",\"set\":\"%s\",\"grainTa\":", fields->chosen.culture->id,
                  fields->chosen.set->id);
    grain_put_number(out, round(grain_fields_shown(fields, answer->celsius) * 1e6) / 1e6);
    pl_buf_printf(out, ",\"taUnit\":\"%s\",\"moisture\":", fields->fahrenheit ? "F" : "C");
    grain_put_number(out, answer->moisture);
    grain_write_humidity(out, answer->ur);
    pl_buf_printf(out, ",\"inRange\":%s", answer->in_range ? "true" : "false");
    grain_write_spread(out, &answer->spread);
    pl_buf_printf(out, ",\"band\":\"%s\",\"cautiousBand\":\"%s\",\"highestSafe\":{\"ur\":65",
                  grain_band_id(answer->band), grain_band_id(answer->cautious_band));
    grain_put_member(out, "moisture", answer->safe_moisture, 1);
    grain_put_member(out, "cautious", answer->cautious_moisture, 1);
    pl_buf_printf(out, "},\"bandSource\":\"%s\",\"storage\":[", grain_band_source);
    bool first = true;
    write_days(out, &first, "ndsu", ndsu_source, &answer->ndsu, NAN);
    write_days(out, &first, "steele-bern", steele_source, &answer->steele, answer->damage);
    pl_buf_append_byte(out, ']');
    grain_fields_end_answer(out, fields);
}

static const char *band_words(enum grain_lang lang, enum grain_band band)
{
    switch (band) {
    case GRAIN_BAND_SAFE:
        return grain_words(lang, "below 65 %: mould hardly grows", "abaixo de 65 %: fungos quase não crescem",
                           "menos de 65 %: los hongos casi no crecen");
    case GRAIN_BAND_WATCH:
        return grain_words(lang, "65 to 70 %: at the limit, watch it", "65 a 70 %: no limite, observe",
                           "65 a 70 %: en el límite, vigílelo");
    case GRAIN_BAND_MOULD:
        return grain_words(lang, "above 70 %: mould grows", "acima de 70 %: fungos crescem",
                           "más de 70 %: crecen hongos");
    case GRAIN_BAND_UNKNOWN:
        return grain_words(lang, "no verdict: outside of what the constants are known for",
                           "sem parecer: fora do que se conhece para as constantes",
                           "sin dictamen: fuera de lo que se conoce para las constantes");
    default:
        return grain_words(lang, "80 % or more: mould grows fast", "80 % ou mais: fungos crescem depressa",
                           "80 % o más: los hongos crecen rápido");
    }
}

static void days_row(const struct grain_days *days, enum grain_lang lang, const char *label, grain_row *row,
                     struct pl_buf *out)
{
    if (days->relation == GRAIN_NO_DAYS)
        return;
    struct pl_buf line;
    pl_buf_init(&line, 512);
    pl_buf_append_cstr(&line,
                       days->relation == GRAIN_AT_LEAST  ? grain_words(lang, "at least ", "pelo menos ", "al menos ")
                       : days->relation == GRAIN_AT_MOST ? grain_words(lang, "at most ", "no máximo ", "como máximo ")
                                                         : grain_words(lang, "about ", "cerca de ", "alrededor de "));
    grain_say_number(&line, lang, grain_days_shown(days));
    pl_buf_append_cstr(&line, grain_days_shown(days) == 1 ? grain_words(lang, " day", " dia", " día")
                                                          : grain_words(lang, " days", " dias", " días"));
    grain_end_row(row, out, label, &line);
}

static void safe_moisture_row(const struct grain_keeping_answer *answer, enum grain_lang lang, grain_row *row,
                              struct pl_buf *out)
{
    struct pl_buf line;
    pl_buf_init(&line, 512);
    grain_say_fixed(&line, lang, answer->safe_moisture);
    pl_buf_append_cstr(&line, " %");
    if (answer->spread.sets > 1) {
        grain_say(&line, lang, ", cautiously ", ", com prudência ", ", con prudencia ");
        grain_say_fixed(&line, lang, answer->cautious_moisture);
        pl_buf_append_cstr(&line, " %");
    }
    grain_end_row(row, out,
                  grain_words(lang, "Highest safe moisture at this temperature (65 % RH)",
                              "Maior teor de água seguro nesta temperatura (65 % UR)",
                              "Humedad máxima segura a esta temperatura (65 % HR)"),
                  &line);
}

void grain_keeping_rows(const struct grain_fields *fields, const struct grain_keeping_answer *answer, grain_row *row,
                        struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    struct pl_buf line;
    pl_buf_init(&line, 512);
    grain_say_kernel_humidity(&line, lang, fields->chosen.set, answer->ur);
    pl_buf_printf(&line, " %%, %s", band_words(lang, answer->band));
    grain_end_row(row, out,
                  grain_words(lang, "Humidity between the kernels", "Umidade relativa entre os grãos",
                              "Humedad relativa entre los granos"),
                  &line);
    // Beyond its range the number of the set itself is not told.
    if (answer->spread.sets > 1 && (answer->in_range || answer->spread.high > answer->ur)) {
        pl_buf_init(&line, 512);
        if (answer->spread.high >= GRAIN_UR_HIGHEST)
            grain_say(&line, lang, "at least ", "pelo menos ", "al menos ");
        grain_say_fixed(&line, lang, answer->spread.high);
        pl_buf_printf(&line, " %%, %s", band_words(lang, answer->cautious_band));
        grain_end_row(row, out,
                      grain_words(lang, "By the most cautious set", "Pelo conjunto mais prudente",
                                  "Por el conjunto más prudente"),
                      &line);
    }
    if (!isnan(answer->safe_moisture))
        safe_moisture_row(answer, lang, row, out);
    // Two lower bounds side by side confuse: the longer says it all.
    bool both = answer->ndsu.relation == GRAIN_AT_LEAST && answer->steele.relation == GRAIN_AT_LEAST;
    const struct grain_days *longer = grain_days_told(&answer->ndsu, &answer->steele);
    if (!both || longer == &answer->ndsu)
        days_row(&answer->ndsu, lang,
                 grain_words(lang, "Keeps, by NDSU's tables", "Conserva-se, pelas tabelas da NDSU",
                             "Se conserva, según las tablas de NDSU"),
                 row, out);
    if (!both || longer == &answer->steele)
        days_row(&answer->steele, lang,
                 grain_words(lang, "Keeps, by Steele and Bern (0.5 % dry matter loss)",
                             "Conserva-se, por Steele e Bern (0,5 % de perda de matéria seca)",
                             "Se conserva, según Steele y Bern (0,5 % de pérdida de materia seca)"),
                 row, out);
    grain_fields_warning_rows(fields, row, out);
}

// ---- shrink ----

bool grain_shrink_answer(struct grain_fields *fields, struct grain_shrink_answer *answer)
{
    *answer = (struct grain_shrink_answer){.mass = 1, .bushel = NAN};
    bool dry = false;
    if (!grain_fields_read_common(fields) || !grain_fields_read_grain(fields, false))
        return false;
    if (fields->chosen.culture != NULL) {
        answer->bushel = grain_bushel(fields->chosen.culture);
        fields->chosen.warnings &= GRAIN_W_NAME; // its constants do not matter here
    }
    // The page's form has the set of the page.
    if (!fields->for_people)
        grain_fields_note_idle(fields, GRAIN_T_SET);
    if (grain_fields_has(fields, GRAIN_T_BASIS)) {
        dry = grain_fields_is(fields, GRAIN_T_BASIS, "dry");
        if ((fields->repeated & GRAIN_BIT(GRAIN_T_BASIS)) != 0)
            return grain_fields_refuse(fields, "repeated_field", GRAIN_T_BASIS);
        if (!dry && !grain_fields_is(fields, GRAIN_T_BASIS, "wet"))
            return grain_fields_refuse(fields, "unknown_value", GRAIN_T_BASIS);
    }
    double high = dry ? 400 : 80;
    if (!grain_fields_read_number(fields, GRAIN_T_FROM, true, 0, high, &answer->from) ||
        !grain_fields_read_number(fields, GRAIN_T_TO, true, 0, high, &answer->to) ||
        !grain_fields_read_number(fields, GRAIN_T_MASS, false, 0.001, 1e7, &answer->mass))
        return false;
    answer->from_dry = dry ? answer->from : grain_dry_from_wet(answer->from);
    answer->to_dry = dry ? answer->to : grain_dry_from_wet(answer->to);
    if (dry) {
        answer->from = grain_wet_from_dry(answer->from);
        answer->to = grain_wet_from_dry(answer->to);
    }
    answer->shrink = 100 * (answer->from - answer->to) / (100 - answer->to);
    answer->water = answer->shrink * 10;
    answer->mass_after = answer->mass * (1 - answer->shrink / 100);
    return true;
}

void grain_shrink_write(struct pl_buf *out, const struct grain_fields *fields, const struct grain_shrink_answer *answer)
{
    pl_buf_append_cstr(out, "{\"ok\":true");
    grain_put_member(out, "from", answer->from, 2);
    grain_put_member(out, "to", answer->to, 2);
    grain_put_member(out, "fromDry", answer->from_dry, 2);
    grain_put_member(out, "toDry", answer->to_dry, 2);
    grain_put_member(out, "shrink", answer->shrink, 2);
    grain_put_member(out, "waterPerTonne", answer->water, 1);
    pl_buf_append_cstr(out, ",\"mass\":");
    grain_put_number(out, answer->mass);
    grain_put_member(out, "massAfter", answer->mass_after, 3);
    grain_put_member(out, "waterMass", answer->mass - answer->mass_after, 3);
    if (!isnan(answer->bushel)) {
        grain_put_member(out, "bushels", answer->mass * 1000 / answer->bushel, 1);
        grain_put_member(out, "bushelsAfter", answer->mass_after * 1000 / answer->bushel, 1);
    }
    grain_fields_end_answer(out, fields);
}

void grain_shrink_rows(const struct grain_fields *fields, const struct grain_shrink_answer *answer, grain_row *row,
                       struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    bool adds = answer->shrink < 0;
    struct pl_buf line;
    grain_put_row(row, out, lang,
                  adds ? grain_words(lang, "Gain of mass", "Ganho de massa", "Aumento de masa")
                       : grain_words(lang, "Shrink", "Quebra de umidade", "Merma por secado"),
                  fabs(answer->shrink), 2, "%");
    grain_put_row(row, out, lang,
                  adds ? grain_words(lang, "Water taken up", "Água absorvida", "Agua absorbida")
                       : grain_words(lang, "Water to remove", "Água a retirar", "Agua a retirar"),
                  fabs(answer->water), 1, "kg/t");
    pl_buf_init(&line, 512);
    grain_say_decimals(&line, lang, answer->mass_after, 3);
    pl_buf_append_cstr(&line, " t");
    if (!isnan(answer->bushel)) {
        pl_buf_append_cstr(&line, " = ");
        grain_say_decimals(&line, lang, answer->mass_after * 1000 / answer->bushel, 1);
        pl_buf_append_cstr(&line, " bu");
    }
    grain_end_row(row, out, grain_words(lang, "Mass after", "Massa final", "Masa final"), &line);
    pl_buf_init(&line, 512);
    grain_say_decimals(&line, lang, answer->from, 1);
    pl_buf_printf(&line, " %s = ", grain_unit(lang, false));
    grain_say_decimals(&line, lang, answer->from_dry, 1);
    pl_buf_printf(&line, " %s; ", grain_unit(lang, true));
    grain_say_decimals(&line, lang, answer->to, 1);
    pl_buf_printf(&line, " %s = ", grain_unit(lang, false));
    grain_say_decimals(&line, lang, answer->to_dry, 1);
    pl_buf_printf(&line, " %s", grain_unit(lang, true));
    grain_end_row(row, out, grain_words(lang, "Bases", "Bases", "Bases"), &line);
    grain_fields_warning_rows(fields, row, out);
}
