// What the ways of telling the hours of a season share: words and texts of the file; and the hours as CSV.
#include "grain/hours_out.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/utf8.h"
#include "grain/catalog.h"

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
        grain_say(out, lang, "more cells than the header has: decimal commas between commas?",
                  "mais células do que o cabeçalho: vírgulas decimais entre vírgulas?",
                  "más celdas que el encabezado: ¿comas decimales entre comas?");
        break;
    case GRAIN_HOUR_NO_TA:
        grain_say(out, lang, "no temperature", "sem temperatura", "sin temperatura");
        break;
    case GRAIN_HOUR_BAD_TA:
        grain_say(out, lang, "the temperature is not a number", "a temperatura não é um número",
                  "la temperatura no es un número");
        break;
    case GRAIN_HOUR_TA_RANGE:
        grain_say(out, lang, "the temperature is not between -30 and 80 °C", "a temperatura não está entre -30 e 80 °C",
                  "la temperatura no está entre -30 y 80 °C");
        break;
    case GRAIN_HOUR_NO_UR:
        grain_say(out, lang, "no humidity", "sem umidade relativa", "sin humedad relativa");
        break;
    case GRAIN_HOUR_BAD_UR:
        grain_say(out, lang, "the humidity is not a number", "a umidade relativa não é um número",
                  "la humedad relativa no es un número");
        break;
    case GRAIN_HOUR_UR_RANGE:
        grain_say(out, lang, "the humidity is not above 0 and at most 105 %",
                  "a umidade relativa não está acima de 0 e até 105 %", "la humedad relativa no está entre 0 y 105 %");
        break;
    case GRAIN_HOUR_DEW_RANGE:
        grain_say(out, lang, "the dew point is above the temperature, or below -80 °C",
                  "o ponto de orvalho está acima da temperatura, ou abaixo de -80 °C",
                  "el punto de rocío está por encima de la temperatura, o por debajo de -80 °C");
        break;
    case GRAIN_HOUR_SUSPECT:
        grain_say(out, lang, "the service marks the value as suspect or wrong",
                  "o serviço marca o valor como suspeito ou errado",
                  "el servicio marca el valor como sospechoso o erróneo");
        break;
    case GRAIN_HOUR_BAD_TIME:
        grain_say(out, lang, "the time cannot be read", "a data ou a hora não pode ser lida",
                  "la fecha o la hora no se puede leer");
        break;
    case GRAIN_HOUR_NO_ANSWER:
        grain_say(out, lang, "the equation has no answer for this air", "a equação não tem resposta para este ar",
                  "la ecuación no tiene respuesta para este aire");
        break;
    }
}

void grain_hours_put_clean(struct pl_buf *out, struct pl_slice text, bool double_quotes)
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

// Weather services write at least every three hours; means of a day hide what a fan waits for.
#define COARSE_MINUTES 180

// What is to be noted about a file, in the order in which it is told.
enum {
    UNIT,
    SAYS_FAHRENHEIT,
    SAYS_CELSIUS,
    CELLS_SAY,
    FRACTIONS,
    NOT_READ,
    DAY_FIRST,
    MONTH_FIRST,
    COARSE,
    GAPS,
    REPEATED,
    OUT_OF_ORDER,
    CHANGES,
    WARMS,
    WETTED,
    NOTES
};

static const struct grain_hours_note notes[NOTES] = {
    [UNIT] = {"unit_not_said",
              "taUnit",
              {{"The file does not say the unit of its temperatures; they were read as °C.",
                "O arquivo não diz a unidade das temperaturas; elas foram lidas em °C.",
                "El archivo no dice la unidad de las temperaturas; se leyeron en °C."}}},
    [SAYS_FAHRENHEIT] =
        {"unit_overruled",
         "taUnit",
         {{"The file's header says Fahrenheit, but Celsius was asked for: its temperatures were read as Celsius.",
           "O cabeçalho do arquivo diz Fahrenheit, mas foi pedido Celsius: as temperaturas foram lidas em Celsius.",
           "El encabezado dice Fahrenheit, pero se pidió Celsius: las temperaturas se leyeron en Celsius."}}},
    [SAYS_CELSIUS] =
        {"unit_overruled",
         "taUnit",
         {{"The file's header says Celsius, but Fahrenheit was asked for: its temperatures were read as Fahrenheit.",
           "O cabeçalho do arquivo diz Celsius, mas foi pedido Fahrenheit: as temperaturas foram lidas em Fahrenheit.",
           "El encabezado dice Celsius, pero se pidió Fahrenheit: las temperaturas se leyeron en Fahrenheit."}}},
    [CELLS_SAY] = {"unit_overruled",
                   "taUnit",
                   {{"Cells of the file say another unit than the header or the request: these were read as they say.",
                     "Células do arquivo dizem outra unidade que o cabeçalho ou o pedido: foram lidas como elas dizem.",
                     "Celdas del archivo dicen otra unidad que el encabezado o la solicitud: se leyeron como dicen."}}},
    [FRACTIONS] = {"humidity_looks_like_fraction",
                   "ur",
                   {{"Some humidities are 1 or less: they were read as percentages, 0.7 as 0.7 %.",
                     "Algumas umidades relativas são 1 ou menos: foram lidas como porcentagens, 0,7 como 0,7 %.",
                     "Algunas humedades relativas son 1 o menos: se leyeron como porcentajes, 0,7 como 0,7 %."}}},
    [NOT_READ] = {"times_not_read",
                  "time",
                  {{"No times could be read: each row counts as one hour.",
                    "Nenhuma data ou hora pôde ser lida: cada linha conta como uma hora.",
                    "No se pudo leer ninguna fecha u hora: cada fila cuenta como una hora."}}},
    [DAY_FIRST] =
        {"date_order_assumed",
         "time",
         {{"The dates do not show whether the day or the month comes first; they were read with the day first.",
           "As datas não mostram se vem antes o dia ou o mês; elas foram lidas com o dia antes.",
           "Las fechas no muestran si va antes el día o el mes; se leyeron con el día antes."}}},
    [MONTH_FIRST] =
        {"date_order_assumed",
         "time",
         {{"The dates do not show whether the day or the month comes first; they were read with the month first.",
           "As datas não mostram se vem antes o dia ou o mês; elas foram lidas com o mês antes.",
           "Las fechas no muestran si va antes el día o el mes; se leyeron con el mes antes."}}},
    [COARSE] =
        {"rows_too_far_apart",
         "time",
         {{"The rows are more than three hours apart: they do not tell day from night, so the advice for the fan "
           "is not one by the hour.",
           "As linhas estão a mais de três horas umas das outras: elas não distinguem o dia da noite, e o "
           "conselho para o ventilador não vale hora a hora.",
           "Las filas están a más de tres horas entre sí: no distinguen el día de la noche, y el consejo para "
           "el ventilador no vale hora a hora."}}},
    [GAPS] = {"gaps_in_time",
              "time",
              {{"Hours are missing between the rows.", "Faltam horas entre as linhas.",
                "Faltan horas entre las filas."}}},
    [REPEATED] = {"repeated_times",
                  "time",
                  {{"Rows repeat the time of another row; they are not used.",
                    "Há linhas que repetem a hora de outra; elas não são usadas.",
                    "Hay filas que repiten la hora de otra; no se usan."}}},
    [OUT_OF_ORDER] = {"times_out_of_order",
                      "time",
                      {{"Rows were not in the order of time; they were sorted.",
                        "As linhas não estavam em ordem; foram ordenadas.",
                        "Las filas no estaban en orden; se ordenaron."}}},
    [CHANGES] = {"clock_changes",
                 "time",
                 {{"The clock changed to or from daylight saving time; the hours were put in line.",
                   "O relógio mudou por causa do horário de verão; as horas foram alinhadas.",
                   "El reloj cambió por el horario de verano; las horas se alinearon."}}},
    [WARMS] = {"coldest_layer_warms",
               "goal",
               {{"In some hours the fan is advised to blow air that is warmer than the coldest layer: that layer warms "
                 "while the bin as a whole cools.",
                 "Em algumas horas se aconselha soprar ar mais quente que a camada mais fria: ela se aquece enquanto o "
                 "silo como um todo esfria.",
                 "En algunas horas se aconseja soplar aire más cálido que la capa más fría: esta se calienta mientras "
                 "el silo en conjunto se enfría."}}},
    [WETTED] = {"bin_wetted",
                "airflow",
                {{"The bin ends wetter than it began: a layer has taken up more than half a point of water.",
                  "O silo termina mais úmido do que começou: uma camada absorveu mais de meio ponto de água.",
                  "El silo termina más húmedo de lo que empezó: una capa absorbió más de medio punto de agua."}}},
};

const struct grain_hours_note *grain_hours_next_note(const struct grain_hours *hours, size_t *next)
{
    const struct grain_clock *clock = &hours->clock;
    const bool any = hours->answered > 0;
    const bool noted[NOTES] = {[UNIT] = any && hours->unit_assumed,
                               [SAYS_FAHRENHEIT] = any && hours->overruled == GRAIN_UNIT_FAHRENHEIT,
                               [SAYS_CELSIUS] = any && hours->overruled == GRAIN_UNIT_CELSIUS,
                               [CELLS_SAY] = any && hours->cells_differ != GRAIN_COLUMN_OTHER,
                               [FRACTIONS] = any && hours->fractions > 0,
                               [NOT_READ] = any && !clock->read,
                               [DAY_FIRST] = any && clock->read && clock->order_assumed && !clock->month_first,
                               [MONTH_FIRST] = any && clock->read && clock->order_assumed && clock->month_first,
                               [COARSE] = any && clock->read && clock->interval > COARSE_MINUTES,
                               [GAPS] = any && clock->gaps > 0,
                               [REPEATED] = any && clock->repeated > 0,
                               [OUT_OF_ORDER] = any && clock->backward > 0,
                               [CHANGES] = any && clock->changes > 0,
                               [WARMS] = any && hours->warms,
                               [WETTED] = any && grain_hours_wet_bin(hours)};
    while (*next < NOTES) {
        size_t i = (*next)++;
        if (noted[i])
            return &notes[i];
    }
    return NULL;
}

// A text from the file as a cell of ours. One that a spreadsheet would take for a formula is marked as text.
static void put_cell(struct pl_buf *out, struct pl_slice text)
{
    text = pl_slice_sub(text, 0, GRAIN_TIME_TOLD);
    pl_buf_append_byte(out, '"');
    if (text.len > 0 && strchr("=+-@\t", text.ptr[0]) != NULL && text.ptr[0] != '\0')
        pl_buf_append_byte(out, '\'');
    grain_hours_put_clean(out, text, true);
    pl_buf_append_byte(out, '"');
}

static void put_csv_row(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                        const struct grain_hour *hour, bool decimal_comma)
{
    uint8_t separator = decimal_comma ? ';' : ',';
    bool ok = hour->error == GRAIN_HOUR_OK;
    pl_buf_printf(out, "\r\n%zu%c", hour->row, separator);
    put_cell(out, hour->time);
    pl_buf_append_byte(out, separator);
    put_cell(out, hour->hour);
    grain_put_cell(out, separator, ok ? grain_fields_shown(fields, hour->celsius) : NAN, decimal_comma);
    grain_put_cell(out, separator, ok ? hour->ur : NAN, decimal_comma);
    grain_put_cell(out, separator, hour->moisture, decimal_comma);
    pl_buf_append_byte(out, separator);
    if (ok && !isnan(hours->grain_moisture))
        pl_buf_append_cstr(out, grain_effect_id(hour->effect));
    pl_buf_append_byte(out, separator);
    if (ok && !isnan(hours->grain_celsius))
        pl_buf_append_byte(out, hour->condensation ? '1' : '0');
    pl_buf_append_byte(out, separator);
    grain_hour_say_error(out, fields->lang, hour->error);
    if (hours->goal != GRAIN_NO_GOAL) {
        pl_buf_printf(out, "%c%s", separator, !ok ? "" : hour->run ? "run" : "stop");
        grain_put_cell(out, separator, ok ? hour->threshold : NAN, decimal_comma);
    }
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
    for (size_t i = 0; i < hours->count; i++)
        put_csv_row(out, fields, hours, &hours->list[i], decimal_comma);
    pl_buf_append_cstr(out, "\r\n");
}
