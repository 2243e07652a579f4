// The hours of a season as JSON, as CSV and as lines for people.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "grain/hours.h"

#define PERIODS_MAX 400
#define TIME_MAX 40 // bytes of a time that are told back

const char *grain_effect_id(enum grain_effect effect)
{
    static const char *const ids[GRAIN_EFFECTS] = {"dries", "holds", "wets"};
    return ids[effect];
}

void grain_hour_say_error(struct pl_buf *out, enum grain_lang lang, enum grain_hour_error error)
{
    switch (error) {
    case GRAIN_HOUR_OK:
        break;
    case GRAIN_HOUR_CELLS:
        pl_buf_append_cstr(out, grain_words(lang, "more cells than the header has: decimal commas between commas?",
                                            "mais células do que o cabeçalho: vírgulas decimais entre vírgulas?",
                                            "más celdas que el encabezado: ¿comas decimales entre comas?"));
        break;
    case GRAIN_HOUR_NO_TA:
        pl_buf_append_cstr(out, grain_words(lang, "no temperature", "sem temperatura", "sin temperatura"));
        break;
    case GRAIN_HOUR_BAD_TA:
        pl_buf_append_cstr(out, grain_words(lang, "the temperature is not a number", "a temperatura não é um número",
                                            "la temperatura no es un número"));
        break;
    case GRAIN_HOUR_TA_RANGE:
        pl_buf_append_cstr(out, grain_words(lang, "the temperature is not between -30 and 80 °C",
                                            "a temperatura não está entre -30 e 80 °C",
                                            "la temperatura no está entre -30 y 80 °C"));
        break;
    case GRAIN_HOUR_NO_UR:
        pl_buf_append_cstr(out, grain_words(lang, "no humidity", "sem umidade relativa", "sin humedad relativa"));
        break;
    case GRAIN_HOUR_BAD_UR:
        pl_buf_append_cstr(out, grain_words(lang, "the humidity is not a number", "a umidade relativa não é um número",
                                            "la humedad relativa no es un número"));
        break;
    case GRAIN_HOUR_UR_RANGE:
        pl_buf_append_cstr(out, grain_words(lang, "the humidity is not above 0 and at most 105 %",
                                            "a umidade relativa não está acima de 0 e até 105 %",
                                            "la humedad relativa no está entre 0 y 105 %"));
        break;
    case GRAIN_HOUR_DEW_RANGE:
        pl_buf_append_cstr(out,
                           grain_words(lang, "the dew point is above the temperature, or below -80 °C",
                                       "o ponto de orvalho está acima da temperatura, ou abaixo de -80 °C",
                                       "el punto de rocío está por encima de la temperatura, o por debajo de -80 °C"));
        break;
    case GRAIN_HOUR_BAD_TIME:
        pl_buf_append_cstr(out, grain_words(lang, "the time cannot be read", "a data ou a hora não pode ser lida",
                                            "la fecha o la hora no se puede leer"));
        break;
    case GRAIN_HOUR_NO_ANSWER:
        pl_buf_append_cstr(out, grain_words(lang, "the equation has no answer for this air",
                                            "a equação não tem resposta para este ar",
                                            "la ecuación no tiene respuesta para este aire"));
        break;
    }
}

// The file may be in Latin-1 and hold anything, and what is written is text in UTF-8.
static void put_clean(struct pl_buf *out, struct pl_slice text, bool double_quotes)
{
    for (size_t pos = 0; pos < text.len;) {
        size_t start = pos;
        uint32_t letter = pl_utf8_next(text, &pos);
        // In the file a quote inside quotes is written twice: it is one.
        if (letter == '"' && pos < text.len && text.ptr[pos] == '"')
            start = pos++;
        if (letter == '"' && double_quotes)
            pl_buf_append_byte(out, '"');
        uint8_t byte = text.ptr[start];
        if (letter == PL_UTF8_BAD && byte >= 0xA0)
            // Not UTF-8: a letter of Latin-1.
            pl_buf_append(out, (uint8_t[]){(uint8_t)(0xC0 | byte >> 6), (uint8_t)(0x80 | (byte & 0x3F))}, 2);
        else if (letter < ' ' || letter == 0x7F || letter == PL_UTF8_BAD)
            pl_buf_append_byte(out, '?');
        else
            pl_buf_append(out, text.ptr + start, pos - start);
    }
}

// A text of the file as a JSON string.
static void put_json_text(struct pl_buf *out, struct pl_slice text)
{
    struct pl_buf clean;
    pl_buf_init(&clean, 4096);
    put_clean(&clean, text, false);
    pl_buf_append_json_string(out, pl_buf_slice(&clean));
    pl_buf_inherit(out, &clean);
    pl_buf_fini(&clean);
}

static void put_time(struct pl_buf *out, const struct grain_hour *hour)
{
    struct pl_buf text;
    pl_buf_init(&text, 2 * TIME_MAX + 8);
    pl_buf_append_slice(&text, pl_slice_sub(hour->time, 0, TIME_MAX));
    if (hour->time.len > 0 && hour->hour.len > 0)
        pl_buf_append_byte(&text, ' ');
    pl_buf_append_slice(&text, pl_slice_sub(hour->hour, 0, TIME_MAX));
    put_json_text(out, pl_buf_slice(&text));
    pl_buf_inherit(out, &text);
    pl_buf_fini(&text);
}

// Hours, whole or with two decimals.
static void put_hours(struct pl_buf *out, const char *name, double hours)
{
    pl_buf_printf(out, ",\"%s\":", name);
    grain_put_number(out, round(hours * 100) / 100);
}

static void put_count(struct pl_buf *out, const char *name, size_t count)
{
    pl_buf_printf(out, ",\"%s\":%zu", name, count);
}

static void put_errors(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    size_t shown = 0;
    pl_buf_append_cstr(out, ",\"errors\":[");
    for (size_t i = 0; i < hours->count && shown < GRAIN_BAD_ROWS_TOLD; i++) {
        if (hours->list[i].error == GRAIN_HOUR_OK)
            continue;
        pl_buf_printf(out, "%s{\"row\":%zu,\"message\":\"", shown++ == 0 ? "" : ",", hours->list[i].row);
        grain_hour_say_error(out, fields->lang, hours->list[i].error);
        pl_buf_append_cstr(out, "\"}");
    }
    pl_buf_append_byte(out, ']');
}

static void put_hour(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                     const struct grain_hour *hour)
{
    pl_buf_printf(out, "{\"row\":%zu,\"time\":", hour->row);
    put_time(out, hour);
    grain_put_member(out, "ta", grain_fields_shown(fields, hour->celsius), 1);
    grain_put_member(out, "ur", hour->ur, 1);
    grain_put_member(out, "moisture", hour->moisture, 1);
    if (!isnan(hours->grain_moisture))
        pl_buf_printf(out, ",\"effect\":\"%s\"", grain_effect_id(hour->effect));
    if (!isnan(hours->grain_celsius))
        pl_buf_append_cstr(out, hour->condensation ? ",\"condensation\":true" : ",\"condensation\":false");
    if (hours->goal != GRAIN_NO_GOAL) {
        pl_buf_append_cstr(out, hour->run ? ",\"fan\":\"run\"" : ",\"fan\":\"stop\"");
        grain_put_member(out, "threshold", hour->threshold, 1);
    }
    if (hour->saturated)
        pl_buf_append_cstr(out, ",\"saturated\":true");
    pl_buf_append_byte(out, '}');
}

static void put_periods(struct pl_buf *out, const struct grain_hours *hours)
{
    struct grain_period periods[PERIODS_MAX];
    size_t count = grain_hours_periods(hours, periods, PERIODS_MAX);
    pl_buf_append_cstr(out, ",\"periods\":[");
    for (size_t i = 0; i < count; i++) {
        const struct grain_period *period = &periods[i];
        pl_buf_printf(out, "%s{\"row\":%zu,\"time\":", i == 0 ? "" : ",", hours->list[period->first].row);
        put_time(out, &hours->list[period->first]);
        put_count(out, "count", period->count);
        put_hours(out, "hours", period->hours);
        grain_put_member(out, "low", period->low, 1);
        grain_put_member(out, "mean", period->mean, 1);
        grain_put_member(out, "high", period->high, 1);
        if (!isnan(hours->grain_moisture)) {
            for (int k = 0; k < GRAIN_EFFECTS; k++)
                put_hours(out, grain_effect_id((enum grain_effect)k), period->effects[k]);
        }
        if (hours->goal != GRAIN_NO_GOAL)
            put_hours(out, "run", period->run);
        pl_buf_append_byte(out, '}');
    }
    pl_buf_append_byte(out, ']');
}

static void put_summary(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    pl_buf_printf(out, ",\"summary\":{\"count\":%zu", hours->answered);
    put_hours(out, "hours", hours->clock.covered);
    grain_put_member(out, "low", hours->answered > 0 ? hours->low : NAN, 1);
    grain_put_member(out, "mean", hours->mean, 1);
    grain_put_member(out, "high", hours->answered > 0 ? hours->high : NAN, 1);
    grain_write_spread(out, &hours->spread);
    if (hours->answered > 0) {
        pl_buf_append_cstr(out, ",\"method\":\"balance\",\"air\":{\"ta\":");
        grain_put_number(out, round(grain_fields_shown(fields, hours->air.celsius) * 10) / 10);
        grain_put_member(out, "ur", hours->air.ur, 1);
        grain_put_member(out, "vapourPressure", hours->air.vapour / 1000, 3);
        pl_buf_append_cstr(out, hours->mean_out_of_range ? "},\"inRange\":false" : "},\"inRange\":true");
    }
    put_hours(out, "saturated", hours->saturated);
    put_hours(out, "outOfRange", hours->out_of_range);
    if (!isnan(hours->grain_moisture)) {
        for (int i = 0; i < GRAIN_EFFECTS; i++)
            put_hours(out, grain_effect_id((enum grain_effect)i), hours->effects[i]);
    }
    if (!isnan(hours->grain_celsius))
        put_hours(out, "condensation", hours->condensation);
    pl_buf_append_byte(out, '}');
}

static void put_columns(struct pl_buf *out, const struct grain_hours *hours)
{
    pl_buf_append_cstr(out, ",\"columns\":{\"temperature\":");
    put_json_text(out, pl_slice_cstr(hours->csv.taken_ta.name));
    pl_buf_append_cstr(out, ",\"humidity\":");
    put_json_text(out, pl_slice_cstr(hours->csv.taken_ur.name));
    pl_buf_append_byte(out, '}');
}

static void put_stamp(struct pl_buf *out, const char *name, int64_t minutes)
{
    char text[GRAIN_STAMP_TEXT];
    grain_minutes_text(minutes, text);
    pl_buf_printf(out, ",\"%s\":\"%s\"", name, text);
}

static void put_clock(struct pl_buf *out, const struct grain_clock *clock)
{
    pl_buf_printf(out, ",\"times\":{\"read\":%s", clock->read ? "true" : "false");
    if (clock->read) {
        put_stamp(out, "first", clock->first);
        put_stamp(out, "last", clock->last);
        pl_buf_append_cstr(out, ",\"intervalMinutes\":");
        grain_put_number(out, clock->interval);
        put_hours(out, "covered", clock->covered);
        put_hours(out, "expected", clock->expected);
        put_count(out, "gaps", clock->gaps);
        put_hours(out, "longestGap", clock->longest_gap);
        if (clock->gaps > 0)
            put_stamp(out, "longestGapAt", clock->longest_at);
        put_count(out, "repeated", clock->repeated);
        put_count(out, "outOfOrder", clock->backward);
        put_count(out, "clockChanges", clock->changes);
    }
    pl_buf_append_byte(out, '}');
}

// What is to be noted about the times; NULL beyond the last.
static const struct {
    const char *code;
    struct grain_text text;
} clock_notes[] = {
    {"times_not_read",
     {{"No times could be read: each row counts as one hour.",
       "Nenhuma data ou hora pôde ser lida: cada linha conta como uma hora.",
       "No se pudo leer ninguna fecha u hora: cada fila cuenta como una hora."}}},
    {"gaps_in_time",
     {{"Hours are missing between the rows.", "Faltam horas entre as linhas.", "Faltan horas entre las filas."}}},
    {"repeated_times",
     {{"Rows repeat the time of another row; they are not used.",
       "Há linhas que repetem a hora de outra; elas não são usadas.",
       "Hay filas que repiten la hora de otra; no se usan."}}},
    {"times_out_of_order",
     {{"Rows were not in the order of time; they were sorted.", "As linhas não estavam em ordem; foram ordenadas.",
       "Las filas no estaban en orden; se ordenaron."}}},
    {"clock_changes",
     {{"The clock changed to or from daylight saving time; the hours were put in line.",
       "O relógio mudou por causa do horário de verão; as horas foram alinhadas.",
       "El reloj cambió por el horario de verano; las horas se alinearon."}}},
};

static bool clock_note(const struct grain_hours *hours, size_t index)
{
    const struct grain_clock *clock = &hours->clock;
    const bool noted[PL_COUNTOF(clock_notes)] = {!clock->read, clock->gaps > 0, clock->repeated > 0,
                                                 clock->backward > 0, clock->changes > 0};
    return hours->answered > 0 && noted[index];
}

static const char *fraction_words(enum grain_lang lang)
{
    return grain_words(lang, "Every humidity is 1 or less: the file must hold percentages, 70, not 0.7.",
                       "Toda umidade relativa é 1 ou menos: o arquivo deve ter porcentagens, 70, não 0,7.",
                       "Toda humedad relativa es 1 o menos: el archivo debe tener porcentajes, 70, no 0,7.");
}

static void put_warnings(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    pl_buf_append_cstr(out, ",\"warnings\":[");
    size_t before = out->len;
    grain_fields_write_warnings(out, fields);
    if (hours->fractions)
        pl_buf_printf(out, "%s{\"code\":\"humidity_looks_like_fraction\",\"field\":\"ur\",\"message\":\"%s\"}",
                      out->len > before ? "," : "", fraction_words(fields->lang));
    for (size_t i = 0; i < PL_COUNTOF(clock_notes); i++) {
        if (clock_note(hours, i))
            pl_buf_printf(out, "%s{\"code\":\"%s\",\"field\":\"time\",\"message\":\"%s\"}",
                          out->len > before ? "," : "", clock_notes[i].code, clock_notes[i].text.in[fields->lang]);
    }
    pl_buf_append_byte(out, ']');
}

void grain_hours_write(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                       bool detail)
{
    pl_buf_printf(out, "{\"ok\":true,\"grain\":\"%s\",\"set\":\"%s\",\"taUnit\":\"%s\"", fields->chosen.culture->id,
                  fields->chosen.set->id, fields->fahrenheit ? "F" : "C");
    put_columns(out, hours);
    put_count(out, "rows", hours->count);
    put_count(out, "errorCount", hours->count - hours->answered);
    put_errors(out, fields, hours);
    put_summary(out, fields, hours);
    put_clock(out, &hours->clock);
    grain_hours_write_fan(out, fields, hours);
    put_periods(out, hours);
    if (detail) {
        bool first = true;
        pl_buf_append_cstr(out, ",\"hours\":[");
        for (size_t i = 0; i < hours->count; i++) {
            if (hours->list[i].error != GRAIN_HOUR_OK)
                continue;
            pl_buf_append_cstr(out, first ? "" : ",");
            put_hour(out, fields, hours, &hours->list[i]);
            first = false;
        }
        pl_buf_append_byte(out, ']');
    }
    put_warnings(out, fields, hours);
    pl_buf_append_byte(out, '}');
}

void grain_hours_say_refusal(struct pl_buf *out, enum grain_lang lang, const struct grain_hours *hours)
{
    pl_buf_printf(out, "%s: %zu.",
                  hours->answered == 0
                      ? grain_words(lang, "No row of the file can be used; rows that cannot be read",
                                    "Nenhuma linha do arquivo pode ser usada; linhas que não podem ser lidas",
                                    "Ninguna fila del archivo se puede usar; filas que no se pueden leer")
                      : grain_words(lang, "Rows that cannot be read, and 'strict' refuses the whole file",
                                    "Linhas que não podem ser lidas, e 'strict' recusa o arquivo inteiro",
                                    "Filas que no se pueden leer, y 'strict' rechaza el archivo entero"),
                  hours->count - hours->answered);
}

static void say_choices(struct pl_buf *out, const struct grain_csv_choices *choices, bool first)
{
    for (size_t i = 0; i < choices->count; i++) {
        pl_buf_append_cstr(out, i == 0 && first ? "'" : ", '");
        put_clean(out, pl_slice_cstr(choices->list[i].name), false);
        pl_buf_append_byte(out, '\'');
    }
}

void grain_hours_say_problem(struct pl_buf *out, enum grain_lang lang, const struct grain_hours *hours)
{
    const struct grain_csv *csv = &hours->csv;
    if (hours->problem == GRAIN_HOURS_AMBIGUOUS_UNIT) {
        pl_buf_append_cstr(out, grain_words(lang, "The unit of the temperature in column '",
                                            "A unidade da temperatura na coluna '",
                                            "La unidad de la temperatura en la columna '"));
        put_clean(out, pl_slice_cstr(csv->taken_ta.name), false);
        pl_buf_append_cstr(out,
                           grain_words(lang, "' is not clear: choose °C or °F (taUnit, on the command line --unit).",
                                       "' não está clara: escolha °C ou °F (taUnit; na linha de comando, --unit).",
                                       "' no está clara: elija °C o °F (taUnit; en la línea de comandos, --unit)."));
        return;
    }
    pl_buf_append_cstr(out, hours->problem == GRAIN_HOURS_UNKNOWN_COLUMN
                                ? grain_words(lang, "The file has no such column.", "O arquivo não tem essa coluna.",
                                              "El archivo no tiene esa columna.")
                                : grain_words(lang, "It is not clear which columns belong together.",
                                              "Não está claro quais colunas pertencem uma à outra.",
                                              "No está claro qué columnas van juntas."));
    pl_buf_append_cstr(out, grain_words(lang, " Choose a temperature (temperatureColumn): ",
                                        " Escolha uma temperatura (temperatureColumn): ",
                                        " Elija una temperatura (temperatureColumn): "));
    say_choices(out, &csv->ta, true);
    pl_buf_append_cstr(out, grain_words(lang, "; and a humidity or dew point (humidityColumn): ",
                                        "; e uma umidade relativa ou um ponto de orvalho (humidityColumn): ",
                                        "; y una humedad relativa o un punto de rocío (humidityColumn): "));
    say_choices(out, &csv->ur, true);
    say_choices(out, &csv->dew, csv->ur.count == 0);
    pl_buf_append_byte(out, '.');
}

static void put_names(struct pl_buf *out, const struct grain_csv_choices *choices, bool *first)
{
    for (size_t i = 0; i < choices->count; i++) {
        pl_buf_append_cstr(out, *first ? "" : ",");
        put_json_text(out, pl_slice_cstr(choices->list[i].name));
        *first = false;
    }
}

void grain_hours_write_problem(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    static const char *const codes[] = {"bad_csv", "ambiguous_columns", "unknown_column", "ambiguous_unit"};
    struct pl_buf sentence;
    pl_buf_init(&sentence, 8192);
    grain_hours_say_problem(&sentence, fields->lang, hours);
    pl_buf_append_cstr(out, "{\"ok\":false,\"error\":");
    pl_buf_append_json_string(out, pl_buf_slice(&sentence));
    pl_buf_inherit(out, &sentence);
    pl_buf_fini(&sentence);
    pl_buf_printf(out, ",\"code\":\"%s\",\"choices\":{", codes[hours->problem]);
    if (hours->problem == GRAIN_HOURS_AMBIGUOUS_UNIT) {
        pl_buf_append_cstr(out, "\"taUnit\":[\"C\",\"F\"]}}");
        return;
    }
    bool first = true;
    pl_buf_append_cstr(out, "\"temperatureColumn\":[");
    put_names(out, &hours->csv.ta, &first);
    pl_buf_append_cstr(out, "],\"humidityColumn\":[");
    first = true;
    put_names(out, &hours->csv.ur, &first);
    put_names(out, &hours->csv.dew, &first);
    pl_buf_append_cstr(out, "]}}");
}

void grain_hours_write_refusal(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    pl_buf_append_cstr(out, "{\"ok\":false,\"error\":\"");
    grain_hours_say_refusal(out, fields->lang, hours);
    pl_buf_printf(out, "\",\"code\":\"%s\"", hours->answered == 0 ? "no_usable_rows" : "bad_rows");
    put_count(out, "errorCount", hours->count - hours->answered);
    put_errors(out, fields, hours);
    pl_buf_append_byte(out, '}');
}

// A text from the file as a cell of ours. One that a spreadsheet would take for a formula is marked as text.
static void put_cell(struct pl_buf *out, struct pl_slice text)
{
    text = pl_slice_sub(text, 0, TIME_MAX);
    pl_buf_append_byte(out, '"');
    if (text.len > 0 && strchr("=+-@\t", text.ptr[0]) != NULL && text.ptr[0] != '\0')
        pl_buf_append_byte(out, '\'');
    put_clean(out, text, true);
    pl_buf_append_byte(out, '"');
}

static void put_number_cell(struct pl_buf *out, uint8_t separator, double value, bool decimal_comma)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t len = isfinite(value) ? pl_format_fixed(value, 1, text) : 0;
    char *point = decimal_comma && len > 0 ? memchr(text, '.', len) : NULL;
    if (point != NULL)
        *point = ',';
    pl_buf_append_byte(out, separator);
    pl_buf_append(out, text, len);
}

void grain_hours_write_csv(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                           bool decimal_comma)
{
    uint8_t separator = decimal_comma ? ';' : ',';
    const char *const heads[] = {"row",   "time",       "hour",          fields->fahrenheit ? "ta_F" : "ta_C",
                                 "ur_%",  "moisture_%", "effect",        "condensation",
                                 "error", "fan",        "threshold_ur_%"};
    bool advice = hours->goal != GRAIN_NO_GOAL;
    for (size_t i = 0; i < PL_COUNTOF(heads) - (advice ? 0 : 2); i++)
        pl_buf_printf(out, "%.*s%s", i > 0, (const char *)&separator, heads[i]);
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        bool ok = hour->error == GRAIN_HOUR_OK;
        pl_buf_printf(out, "\r\n%zu%c", hour->row, separator);
        put_cell(out, hour->time);
        pl_buf_append_byte(out, separator);
        put_cell(out, hour->hour);
        put_number_cell(out, separator, ok ? grain_fields_shown(fields, hour->celsius) : NAN, decimal_comma);
        put_number_cell(out, separator, ok ? hour->ur : NAN, decimal_comma);
        put_number_cell(out, separator, hour->moisture, decimal_comma);
        pl_buf_append_byte(out, separator);
        if (ok && !isnan(hours->grain_moisture))
            pl_buf_append_cstr(out, grain_effect_id(hour->effect));
        pl_buf_append_byte(out, separator);
        if (ok && !isnan(hours->grain_celsius))
            pl_buf_append_byte(out, hour->condensation ? '1' : '0');
        pl_buf_append_byte(out, separator);
        grain_hour_say_error(out, fields->lang, hour->error);
        if (advice) {
            pl_buf_printf(out, "%c%s", separator, !ok ? "" : hour->run ? "run" : "stop");
            put_number_cell(out, separator, ok ? hour->threshold : NAN, decimal_comma);
        }
    }
    pl_buf_append_cstr(out, "\r\n");
}

static void count_row(grain_row *row, struct pl_buf *out, const char *label, size_t count)
{
    struct pl_buf text;
    pl_buf_init(&text, 128);
    pl_buf_printf(&text, "%zu", count);
    row(out, label, &text);
    pl_buf_fini(&text);
}

static void say_hours(struct pl_buf *out, enum grain_lang lang, double hours)
{
    grain_say_number(out, lang, round(hours * 10) / 10);
}

static void hours_row(grain_row *row, struct pl_buf *out, enum grain_lang lang, const char *label, double hours,
                      double of)
{
    struct pl_buf text;
    pl_buf_init(&text, 128);
    say_hours(&text, lang, hours);
    if (of > 0)
        pl_buf_printf(&text, " (%d %%)", (int)lround(100 * hours / of));
    row(out, label, &text);
    pl_buf_fini(&text);
}

// "718 of 720 hours, one gap of 2 h".
static void coverage_row(grain_row *row, struct pl_buf *out, enum grain_lang lang, const struct grain_clock *clock)
{
    struct pl_buf text;
    pl_buf_init(&text, 512);
    say_hours(&text, lang, clock->covered);
    if (clock->read) {
        pl_buf_append_cstr(&text, grain_words(lang, " of ", " de ", " de "));
        say_hours(&text, lang, clock->expected);
    }
    pl_buf_append_cstr(&text, grain_words(lang, " hours", " horas", " horas"));
    if (clock->gaps == 1)
        pl_buf_append_cstr(&text, grain_words(lang, ", one gap of ", ", uma falha de ", ", un hueco de "));
    else if (clock->gaps > 1)
        pl_buf_printf(&text, ", %zu %s", clock->gaps,
                      grain_words(lang, "gaps, the longest of ", "falhas, a maior de ", "huecos, el mayor de "));
    if (clock->gaps > 0) {
        say_hours(&text, lang, clock->longest_gap);
        pl_buf_append_cstr(&text, " h");
    }
    if (clock->read && clock->interval != 60) {
        pl_buf_append_cstr(&text, grain_words(lang, ", a row every ", ", uma linha a cada ", ", una fila cada "));
        grain_say_number(&text, lang, clock->interval);
        pl_buf_append_cstr(&text, " min");
    }
    row(out, grain_words(lang, "Hours covered", "Horas cobertas", "Horas cubiertas"), &text);
    pl_buf_fini(&text);
}

void grain_hours_rows(const struct grain_fields *fields, const struct grain_hours *hours, grain_row *row,
                      struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    struct pl_buf text;
    if (hours->answered > 0 && !isnan(hours->mean)) {
        pl_buf_init(&text, 512);
        grain_say_fixed(&text, lang, hours->mean);
        pl_buf_printf(&text, " %s", grain_unit(lang, false));
        if (hours->spread.sets > 1) {
            pl_buf_append_cstr(&text, grain_words(lang, " (expect ", " (espere ", " (espere "));
            grain_say_fixed(&text, lang, hours->spread.low);
            pl_buf_append_cstr(&text, grain_words(lang, " to ", " a ", " a "));
            grain_say_fixed(&text, lang, hours->spread.high);
            pl_buf_append_cstr(&text, ")");
        }
        row(out,
            grain_words(lang, "With the fan on throughout the bin tends to",
                        "Com o ventilador sempre ligado o silo tende a",
                        "Con el ventilador siempre encendido el silo tiende a"),
            &text);
        pl_buf_fini(&text);
        pl_buf_init(&text, 256);
        grain_say_fixed(&text, lang, grain_fields_shown(fields, hours->air.celsius));
        pl_buf_printf(&text, " %s, ", fields->fahrenheit ? "°F" : "°C");
        grain_say_fixed(&text, lang, hours->air.ur);
        pl_buf_append_cstr(&text, " %");
        row(out,
            grain_words(lang, "Mean air, by its water and its heat", "Ar médio, por sua água e seu calor",
                        "Aire medio, por su agua y su calor"),
            &text);
        pl_buf_fini(&text);
    }
    coverage_row(row, out, lang, &hours->clock);
    double of = hours->clock.covered;
    if (!isnan(hours->grain_moisture)) {
        hours_row(row, out, lang, grain_words(lang, "Hours that dry", "Horas que secam", "Horas que secan"),
                  hours->effects[GRAIN_DRIES], of);
        hours_row(row, out, lang, grain_words(lang, "Hours that hold", "Horas que mantêm", "Horas que mantienen"),
                  hours->effects[GRAIN_HOLDS], of);
        hours_row(row, out, lang, grain_words(lang, "Hours that wet", "Horas que umedecem", "Horas que humedecen"),
                  hours->effects[GRAIN_WETS], of);
    }
    if (!isnan(hours->grain_celsius))
        hours_row(row, out, lang,
                  grain_words(lang, "Hours with condensation on the grain", "Horas com condensação no grão",
                              "Horas con condensación en el grano"),
                  hours->condensation, of);
    grain_hours_fan_rows(fields, hours, row, out);
    if (hours->saturated > 0)
        hours_row(row, out, lang, grain_words(lang, "Hours of fog", "Horas de ar saturado", "Horas de aire saturado"),
                  hours->saturated, of);
    if (hours->out_of_range > 0)
        hours_row(row, out, lang,
                  grain_words(lang, "Hours outside the range of the constants", "Horas fora da faixa das constantes",
                              "Horas fuera del rango de las constantes"),
                  hours->out_of_range, of);
    if (hours->count > hours->answered)
        count_row(row, out,
                  grain_words(lang, "Rows that could not be read", "Linhas que não puderam ser lidas",
                              "Filas que no se pudieron leer"),
                  hours->count - hours->answered);
    pl_buf_init(&text, 1024);
    put_clean(&text, pl_slice_cstr(hours->csv.taken_ta.name), false);
    pl_buf_printf(&text, " (%s), ", fields->fahrenheit ? "°F" : "°C");
    put_clean(&text, pl_slice_cstr(hours->csv.taken_ur.name), false);
    row(out, grain_words(lang, "Columns taken", "Colunas usadas", "Columnas usadas"), &text);
    pl_buf_fini(&text);
    grain_fields_warning_rows(fields, row, out);
    for (size_t i = 0; i < PL_COUNTOF(clock_notes); i++) {
        if (!clock_note(hours, i))
            continue;
        pl_buf_init(&text, 512);
        pl_buf_append_cstr(&text, clock_notes[i].text.in[lang]);
        row(out, grain_words(lang, "Note", "Aviso", "Aviso"), &text);
        pl_buf_fini(&text);
    }
    if (hours->fractions) {
        pl_buf_init(&text, 512);
        pl_buf_append_cstr(&text, fraction_words(lang));
        row(out, grain_words(lang, "Note", "Aviso", "Aviso"), &text);
        pl_buf_fini(&text);
    }
}

void grain_hours_bad_rows(enum grain_lang lang, const struct grain_hours *hours, grain_row *row, struct pl_buf *out)
{
    size_t told = 0, bad = hours->count - hours->answered;
    struct pl_buf text;
    char label[48];
    for (size_t i = 0; i < hours->count && told < GRAIN_BAD_ROWS_TOLD; i++) {
        if (hours->list[i].error == GRAIN_HOUR_OK)
            continue;
        snprintf(label, sizeof label, "%s %zu", grain_words(lang, "Row", "Linha", "Fila"), hours->list[i].row);
        pl_buf_init(&text, 512);
        grain_hour_say_error(&text, lang, hours->list[i].error);
        row(out, label, &text);
        pl_buf_fini(&text);
        told++;
    }
    if (bad > told)
        count_row(row, out,
                  grain_words(lang, "More rows that cannot be read", "Outras linhas que não podem ser lidas",
                              "Otras filas que no se pueden leer"),
                  bad - told);
}
