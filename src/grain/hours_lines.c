// The hours of a season as lines for people, and the sentences about a file that is refused.
#include <math.h>
#include <stdio.h>

#include "base/ckd.h"
#include "grain/hours.h"
#include "grain/hours_out.h"

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

static void say_choices(struct pl_buf *out, enum grain_lang lang, const struct grain_csv_choices *choices, bool first)
{
    for (size_t i = 0; i < choices->count; i++) {
        pl_buf_append_cstr(out, i == 0 && first ? "'" : ", '");
        grain_hours_put_clean(out, pl_slice_cstr(choices->list[i].name), false);
        pl_buf_append_byte(out, '\'');
        if (grain_csv_is_twin(choices, i))
            pl_buf_printf(out, " (%s %d)", grain_words(lang, "column", "coluna", "columna"),
                          choices->list[i].column + 1);
    }
}

// The name of a field in the interface behind its meaning; people who see labels are spared it.
static void say_field(struct pl_buf *out, const struct grain_fields *fields, const char *name, const char *option)
{
    if (!fields->for_people)
        pl_buf_printf(
            out, " (%s, %s %s)", name,
            grain_words(fields->lang, "on the command line", "na linha de comando", "en la línea de comandos"), option);
}

void grain_hours_say_problem(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    const struct grain_csv *csv = &hours->csv;
    enum grain_lang lang = fields->lang;
    if (hours->problem == GRAIN_HOURS_AMBIGUOUS_UNIT) {
        grain_say(out, lang, "The unit of the temperature in column '", "A unidade da temperatura na coluna '",
                  "La unidad de la temperatura en la columna '");
        const struct grain_csv_choice *column =
            hours->cells_differ == GRAIN_COLUMN_DEW ? &csv->taken_ur : &csv->taken_ta;
        grain_hours_put_clean(out, pl_slice_cstr(column->name), false);
        grain_say(out, lang, "' is not clear: choose °C or °F", "' não está clara: escolha °C ou °F",
                  "' no está clara: elija °C o °F");
        say_field(out, fields, "taUnit", "--unit");
        pl_buf_append_byte(out, '.');
        return;
    }
    if (hours->problem == GRAIN_HOURS_FRACTIONS) {
        grain_say(out, lang, "The humidity in column '", "A umidade relativa na coluna '",
                  "La humedad relativa en la columna '");
        grain_hours_put_clean(out, pl_slice_cstr(csv->taken_ur.name), false);
        grain_say(out, lang, "' looks like a fraction: write percentages, 70, not 0.7, or choose another column",
                  "' parece uma fração: escreva porcentagens, 70, não 0,7, ou escolha outra coluna",
                  "' parece una fracción: escriba porcentajes, 70, no 0,7, o elija otra columna");
        say_field(out, fields, "humidityColumn", "--humidity-column");
        pl_buf_append_byte(out, '.');
        return;
    }
    pl_buf_append_cstr(out, hours->problem == GRAIN_HOURS_UNKNOWN_COLUMN
                                ? grain_words(lang, "The file has no such column.", "O arquivo não tem essa coluna.",
                                              "El archivo no tiene esa columna.")
                                : grain_words(lang, "It is not clear which columns belong together.",
                                              "Não está claro quais colunas pertencem uma à outra.",
                                              "No está claro qué columnas van juntas."));
    grain_say(out, lang, " Choose a temperature", " Escolha uma temperatura", " Elija una temperatura");
    say_field(out, fields, "temperatureColumn", "--temperature-column");
    pl_buf_append_cstr(out, ": ");
    say_choices(out, lang, &csv->ta, true);
    grain_say(out, lang, "; and a humidity or dew point", "; e uma umidade relativa ou um ponto de orvalho",
              "; y una humedad relativa o un punto de rocío");
    say_field(out, fields, "humidityColumn", "--humidity-column");
    pl_buf_append_cstr(out, ": ");
    say_choices(out, lang, &csv->ur, true);
    say_choices(out, lang, &csv->dew, csv->ur.count == 0);
    pl_buf_append_byte(out, '.');
}

static void count_row(grain_row *row, struct pl_buf *out, const char *label, size_t count)
{
    struct pl_buf text;
    pl_buf_init(&text, 128);
    pl_buf_printf(&text, "%zu", count);
    grain_end_row(row, out, label, &text);
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
    grain_end_row(row, out, label, &text);
}

// "718 of 720 hours, one gap of 2 h".
static void coverage_row(grain_row *row, struct pl_buf *out, enum grain_lang lang, const struct grain_clock *clock)
{
    struct pl_buf text;
    pl_buf_init(&text, 512);
    say_hours(&text, lang, clock->covered);
    if (clock->read) {
        grain_say(&text, lang, " of ", " de ", " de ");
        say_hours(&text, lang, clock->expected);
    }
    grain_say(&text, lang, " hours", " horas", " horas");
    if (clock->gaps == 1)
        grain_say(&text, lang, ", one gap of ", ", uma falha de ", ", un hueco de ");
    else if (clock->gaps > 1)
        pl_buf_printf(&text, ", %zu %s", clock->gaps,
                      grain_words(lang, "gaps, the longest of ", "falhas, a maior de ", "huecos, el mayor de "));
    if (clock->gaps > 0) {
        say_hours(&text, lang, clock->longest_gap);
        pl_buf_append_cstr(&text, " h");
    }
    if (clock->read && clock->interval != 60) {
        grain_say(&text, lang, ", a row every ", ", uma linha a cada ", ", una fila cada ");
        grain_say_number(&text, lang, clock->interval);
        pl_buf_append_cstr(&text, " min");
    }
    grain_end_row(row, out, grain_words(lang, "Hours covered", "Horas cobertas", "Horas cubiertas"), &text);
}

void grain_hours_rows(const struct grain_fields *fields, const struct grain_hours *hours, grain_row *row,
                      struct pl_buf *out)
{
    enum grain_lang lang = fields->lang;
    // What was asked for comes first: when to run the fan, and what becomes of the bin.
    grain_hours_fan_rows(fields, hours, row, out);
    struct pl_buf text;
    if (hours->answered > 0 && !isnan(hours->air.moisture)) {
        pl_buf_init(&text, 512);
        grain_say_fixed(&text, lang, hours->air.moisture);
        pl_buf_printf(&text, " %s", grain_unit(lang, false));
        if (hours->spread.sets > 1 && grain_spread_is_narrow(&hours->spread)) {
            pl_buf_append_cstr(&text, " (");
            grain_say_agreement(&text, &fields->chosen);
            pl_buf_append_cstr(&text, ")");
        } else if (hours->spread.sets > 1) {
            grain_say(&text, lang, " (expect ", " (espere ", " (espere ");
            grain_say_fixed(&text, lang, hours->spread.low);
            grain_say(&text, lang, " to ", " a ", " a ");
            grain_say_fixed(&text, lang, hours->spread.high);
            pl_buf_append_cstr(&text, ")");
        }
        grain_end_row(row, out,
                      grain_words(lang, "With the fan on throughout the bin tends to",
                                  "Com o ventilador sempre ligado o silo tende a",
                                  "Con el ventilador siempre encendido el silo tiende a"),
                      &text);
        pl_buf_init(&text, 256);
        grain_say_fixed(&text, lang, grain_fields_shown(fields, hours->air.celsius));
        pl_buf_printf(&text, " %s, ", fields->fahrenheit ? "°F" : "°C");
        grain_say_fixed(&text, lang, hours->air.ur);
        pl_buf_append_cstr(&text, " %");
        grain_end_row(row, out,
                      grain_words(lang, "Mean air, by its water and its heat", "Ar médio, por sua água e seu calor",
                                  "Aire medio, por su agua y su calor"),
                      &text);
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
    grain_hours_put_clean(&text, pl_slice_cstr(hours->csv.taken_ta.name), false);
    pl_buf_printf(&text, " (%s), ", fields->fahrenheit ? "°F" : "°C");
    grain_hours_put_clean(&text, pl_slice_cstr(hours->csv.taken_ur.name), false);
    grain_end_row(row, out, grain_words(lang, "Columns taken", "Colunas usadas", "Columnas usadas"), &text);
    grain_fields_warning_rows(fields, row, out);
    size_t next = 0;
    for (const struct grain_hours_note *note; (note = grain_hours_next_note(hours, &next)) != NULL;) {
        pl_buf_init(&text, 512);
        pl_buf_append_cstr(&text, note->text.in[lang]);
        grain_end_row(row, out, grain_words(lang, "Note", "Aviso", "Aviso"), &text);
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
        grain_end_row(row, out, label, &text);
        told++;
    }
    if (bad > told)
        count_row(row, out,
                  grain_words(lang, "More rows that cannot be read", "Outras linhas que não podem ser lidas",
                              "Otras filas que no se pueden leer"),
                  bad - told);
}
