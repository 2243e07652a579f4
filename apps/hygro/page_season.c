// The hours of a season on the page: what its form offers, and the result with its chart.
#include <math.h>

#include "base/ckd.h"
#include "page.h"

#define CHART_WIDTH 720
#define CHART_HEIGHT 340
#define CHART_LEFT 48
#define CHART_BOTTOM 302
#define CHART_TOP 24
#define CHART_PERIODS 366
#define RUN_HEIGHT 44     // of a bar whose period the fan runs throughout
#define CHART_TIME_MAX 10 // bytes of a time that was not read

static double chart_y(double value, double low, double high)
{
    return CHART_BOTTOM - (value - low) / (high - low) * (CHART_BOTTOM - CHART_TOP);
}

static void put_points(struct pl_buf *out, const struct grain_period *periods, size_t count, bool lower, bool upper,
                       double low, double high)
{
    for (size_t k = 0; k < count; k++) {
        size_t i = lower ? count - 1 - k : k;
        double x = CHART_LEFT + (double)i / (double)PL_MAX(count - 1, (size_t)1) * (CHART_WIDTH - CHART_LEFT - 8);
        double value = upper ? periods[i].high : lower ? periods[i].low : periods[i].mean;
        pl_buf_printf(out, "%d,%d ", (int)lround(x), (int)lround(chart_y(value, low, high)));
    }
}

// When the first, the middle and the last period begin: the day, or what the file writes.
static void put_times(struct pl_buf *out, enum grain_lang lang, const struct grain_hours *hours,
                      const struct grain_period *periods, size_t count)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    for (size_t i = 0; i < 3; i += count == 2 ? 2 : 1) { // of two periods none is in the middle
        const struct grain_hour *hour = &hours->list[periods[i * (count - 1) / 2].first];
        double x = CHART_LEFT + (double)(i * (count - 1) / 2) / (double)(count - 1) * (CHART_WIDTH - CHART_LEFT - 8);
        pl_buf_printf(out, "<text class=\"time\" x=\"%d\" y=\"%d\" text-anchor=\"%s\">", (int)lround(x),
                      CHART_BOTTOM + 28, anchors[i]);
        if (hours->clock.read)
            grain_hours_say_day(out, lang, hours, grain_hour_clock(hour));
        else
            page_put_html(out, pl_slice_sub(hour->time, 0, CHART_TIME_MAX));
        pl_buf_append_cstr(out, "</text>");
    }
}

// Below the curve: how much of each period the fan runs.
static void put_run_bars(struct pl_buf *out, const struct grain_period *periods, size_t count)
{
    double width = (CHART_WIDTH - CHART_LEFT - 8) / (double)count;
    for (size_t i = 0; i < count; i++) {
        int height = (int)lround(RUN_HEIGHT * periods[i].run / fmax(periods[i].hours, 1e-9));
        pl_buf_printf(out, "<rect class=\"run\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                      CHART_LEFT + (double)i * width, CHART_BOTTOM - height, width, height);
    }
}

static void put_chart(struct pl_buf *out, const struct page_state *state, const struct grain_hours *hours)
{
    struct grain_period periods[CHART_PERIODS];
    size_t count = grain_hours_periods(hours, periods, CHART_PERIODS);
    if (count < 2)
        return;
    double grain = hours->grain_moisture;
    double low = isnan(grain) ? hours->low : fmin(hours->low, grain),
           high = isnan(grain) ? hours->high : fmax(hours->high, grain);
    low = floor(low / 5) * 5;
    high = fmax(low + 5, ceil(high / 5) * 5);
    pl_buf_printf(
        out, "<svg class=\"season\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\"><g class=\"grid\">",
        CHART_WIDTH, CHART_HEIGHT,
        page_words(state, "Equilibrium moisture over the hours of the file: lowest, mean and highest of each period",
                   "Teor de água de equilíbrio ao longo das horas do arquivo: menor, médio e maior de cada período",
                   "Humedad de equilibrio a lo largo de las horas del archivo: menor, media y mayor de cada período"));
    for (double tick = low; tick <= high + 0.1; tick += 5) {
        int y = (int)lround(chart_y(tick, low, high));
        pl_buf_printf(
            out, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>",
            CHART_LEFT, CHART_WIDTH - 8, y, y, CHART_LEFT - 6, y + 4, (int)tick);
    }
    pl_buf_append_cstr(out, "</g><polygon class=\"band\" points=\"");
    put_points(out, periods, count, false, true, low, high);
    put_points(out, periods, count, true, false, low, high);
    pl_buf_append_cstr(out, "\"/><polyline class=\"mean\" points=\"");
    put_points(out, periods, count, false, false, low, high);
    pl_buf_append_cstr(out, "\"/>");
    if (hours->goal != GRAIN_NO_GOAL)
        put_run_bars(out, periods, count);
    put_times(out, state->lang, hours, periods, count);
    if (!isnan(grain)) {
        int y = (int)lround(chart_y(grain, low, high));
        pl_buf_printf(out, "<line class=\"grain\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", CHART_LEFT,
                      CHART_WIDTH - 8, y, y);
    }
    pl_buf_printf(
        out, "</svg><p class=\"units\">%s</p>",
        page_words(state,
                   "Equilibrium moisture, %: mean of each period with its lowest and highest; dashed: the grain.",
                   "Teor de água de equilíbrio, %: média de cada período com o menor e o maior; tracejado: o grão.",
                   "Humedad de equilibrio, %: media de cada período con la menor y la mayor; a trazos: el grano."));
    if (hours->goal != GRAIN_NO_GOAL)
        pl_buf_printf(out, "<p class=\"units\">%s</p>",
                      page_words(state, "Bars at the bottom: the share of the hours in which the fan should run.",
                                 "Barras embaixo: a parte das horas em que o ventilador deve ficar ligado.",
                                 "Barras abajo: la parte de las horas en que el ventilador debe estar encendido."));
}

#define LAYER_HEIGHT 15
#define LAYERS_LEFT 112
#define LAYERS_TOP 10

static double layers_x(double moisture, double low, double high)
{
    return LAYERS_LEFT + (moisture - low) / (high - low) * (CHART_WIDTH - LAYERS_LEFT - 24);
}

// The bin at the end as it stands: a bar for the moisture of each layer, the top one above; dashed: where they shall
// be.
static void put_layers(struct pl_buf *out, const struct page_state *state, const struct grain_hours *hours)
{
    const struct grain_bin *bin = &hours->bin;
    const int bottom = LAYERS_TOP + GRAIN_BIN_LAYERS * LAYER_HEIGHT;
    double low = fmin(hours->target, hours->grain_moisture), high = fmax(hours->target, hours->grain_moisture);
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++) {
        low = fmin(low, grain_bin_moisture(bin, i));
        high = fmax(high, grain_bin_moisture(bin, i));
    }
    low = floor(low / 5) * 5;
    high = fmax(low + 5, ceil(high / 5) * 5);
    pl_buf_printf(out, "<svg class=\"season layers\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                  CHART_WIDTH, bottom + 40,
                  page_words(state, "Moisture of the layers of the bin at the end, from the top to the bottom",
                             "Teor de água das camadas do silo no fim, do topo à base",
                             "Humedad de las capas del silo al final, del tope a la base"));
    for (int i = 0; i < GRAIN_BIN_LAYERS; i++) {
        double moisture = grain_bin_moisture(bin, (size_t)(GRAIN_BIN_LAYERS - 1 - i));
        bool done = bin->rewets ? moisture >= bin->target : moisture <= bin->target;
        pl_buf_printf(out, "<rect class=\"layer%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                      done ? " done" : "", LAYERS_LEFT, LAYERS_TOP + i * LAYER_HEIGHT,
                      layers_x(moisture, low, high) - LAYERS_LEFT, LAYER_HEIGHT - 1);
    }
    pl_buf_append_cstr(out, "<g class=\"grid\">");
    for (double tick = low; tick <= high + 0.1; tick += 5) {
        double x = layers_x(tick, low, high);
        pl_buf_printf(out,
                      "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" "
                      "text-anchor=\"middle\">%d</text>",
                      x, x, LAYERS_TOP, bottom, x, bottom + 28, (int)tick);
    }
    double target = layers_x(hours->target, low, high);
    pl_buf_printf(out,
                  "</g><line class=\"grain\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\" "
                  "text-anchor=\"end\">%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text></svg>",
                  target, target, LAYERS_TOP, bottom, LAYERS_LEFT - 8, LAYERS_TOP + 24,
                  page_words(state, "top", "topo", "tope"), LAYERS_LEFT - 8, bottom - 4,
                  page_words(state, "bottom", "base", "base"));
    pl_buf_printf(out, "<p class=\"units\">%s</p>",
                  page_words(state, "The bin at the end: moisture of its layers, %; dashed: the moisture to reach.",
                             "O silo no fim: teor de água das camadas, %; tracejado: o teor a atingir.",
                             "El silo al final: humedad de sus capas, %; a trazos: la humedad a alcanzar."));
}

static void put_bad_row(struct pl_buf *out, const char *label, const struct pl_buf *text)
{
    pl_buf_printf(out, "<li>%s: ", label);
    page_put_html(out, pl_buf_slice(text));
    pl_buf_append_cstr(out, "</li>");
    pl_buf_inherit(out, text);
}

static void put_bad_rows(struct pl_buf *out, const struct page_state *state, const struct grain_hours *hours)
{
    if (hours->answered == hours->count)
        return;
    pl_buf_append_cstr(out, "<ul class=\"notes\">");
    grain_hours_bad_rows(state->lang, hours, put_bad_row, out);
    pl_buf_append_cstr(out, "</ul>");
}

// The days of the file, each with the hours in which the fan should run.
static void put_plan(struct pl_buf *out, const struct page_state *state, const struct grain_hours *hours)
{
    struct pl_buf rows;
    pl_buf_init(&rows, 1 << 16);
    grain_hours_plan_rows(state->lang, hours, page_put_row, &rows);
    if (pl_buf_slice(&rows).len > 0) {
        pl_buf_printf(
            out, "<h3>%s</h3><dl class=\"plan\">",
            page_words(state, "When to run the fan", "Quando ligar o ventilador", "Cuándo encender el ventilador"));
        pl_buf_append_slice(out, pl_buf_slice(&rows));
        pl_buf_append_cstr(out, "</dl>");
    }
    pl_buf_take_over(out, &rows);
}

void page_put_season(struct pl_buf *out, const struct page_state *state)
{
    struct page_hours *asked = state->hours;
    if (asked->code != PL_OK) {
        if (asked->fields.code != NULL) {
            page_put_problem(out, &asked->fields);
        } else if (asked->hours.problem != GRAIN_HOURS_NO_PROBLEM) {
            struct pl_buf sentence;
            pl_buf_init(&sentence, 8192);
            grain_hours_say_problem(&sentence, &asked->fields, &asked->hours);
            page_put_sentence(out, "<p class=\"error\">", &sentence, "</p>");
        } else {
            pl_buf_append_cstr(out, "<p class=\"error\">");
            page_put_html_cstr(out, asked->err.message);
            pl_buf_append_cstr(out, "</p>");
        }
        return;
    }
    if (grain_hours_refused(&asked->hours)) {
        pl_buf_append_cstr(out, "<p class=\"error\">");
        grain_hours_say_refusal(out, state->lang, &asked->hours);
        pl_buf_append_cstr(out, "</p>");
        put_bad_rows(out, state, &asked->hours);
        return;
    }
    page_put_grain(out, state, asked->fields.chosen.culture, asked->fields.chosen.set);
    pl_buf_append_cstr(out, "<dl>");
    grain_hours_rows(&asked->fields, &asked->hours, page_put_row, out);
    pl_buf_append_cstr(out, "</dl>");
    put_chart(out, state, &asked->hours);
    if (!isnan(asked->hours.airflow))
        put_layers(out, state, &asked->hours);
    put_bad_rows(out, state, &asked->hours);
    // Up to 31 lines: what is to be seen at once comes before them.
    put_plan(out, state, &asked->hours);
}

void page_put_season_choices(struct pl_buf *out, const struct page_state *state)
{
    static const struct {
        const char *value;
        struct grain_text text;
    } goals[] = {{"", {{"no advice", "sem recomendação", "sin recomendación"}}},
                 {"dry", {{"dry", "secar", "secar"}}},
                 {"cool", {{"cool", "resfriar", "enfriar"}}},
                 {"hold", {{"hold the moisture", "manter o teor de água", "mantener la humedad"}}},
                 {"rewet", {{"wet again", "reumedecer", "rehumedecer"}}}};
    struct pl_slice chosen = state->hours != NULL ? state->hours->fields.value[GRAIN_T_GOAL] : pl_slice_make("", 0);
    pl_buf_printf(out,
                  "<div class=\"field\"><label for=\"hours-goal\">%s</label><select id=\"hours-goal\" name=\"goal\">",
                  page_words(state, "Fan: run to", "Ventilador: ligar para", "Ventilador: encender para"));
    for (size_t i = 0; i < PL_COUNTOF(goals); i++)
        pl_buf_printf(out, "<option value=\"%s\"%s>%s</option>", goals[i].value,
                      pl_slice_eq_cstr(chosen, goals[i].value) ? " selected" : "", goals[i].text.in[state->lang]);
    pl_buf_append_cstr(out, "</select></div>");
    static const struct {
        enum grain_tool_field field;
        struct grain_text label;
    } texts[] = {
        {GRAIN_T_TEMPERATURE_COLUMN,
         {{"Temperature column, if it is asked for", "Coluna da temperatura, se for pedida",
           "Columna de la temperatura, si se pide"}}},
        {GRAIN_T_HUMIDITY_COLUMN,
         {{"Humidity column, if it is asked for", "Coluna da umidade relativa, se for pedida",
           "Columna de la humedad, si se pide"}}},
    };
    for (size_t i = 0; i < PL_COUNTOF(texts); i++) {
        const char *name = grain_tool_field_names[texts[i].field];
        pl_buf_printf(
            out,
            "<div class=\"field\"><label for=\"hours-%s\">%s</label><div class=\"entry\"><input id=\"hours-%s\" "
            "name=\"%s\" type=\"text\" autocomplete=\"off\" value=\"",
            name, texts[i].label.in[state->lang], name, name);
        if (state->hours != NULL)
            page_put_html(out, state->hours->fields.value[texts[i].field]);
        pl_buf_append_cstr(out, "\"></div></div>");
    }
    pl_buf_printf(
        out, "<div class=\"field\"><label for=\"hours-taUnit\">%s</label><select id=\"hours-taUnit\" name=\"taUnit\">",
        page_words(state, "Unit of the file", "Unidade do arquivo", "Unidad del archivo"));
    struct pl_slice unit = state->hours != NULL ? state->hours->fields.value[GRAIN_T_TA_UNIT] : pl_slice_make("", 0);
    pl_buf_printf(out,
                  "<option value=\"\">%s</option><option value=\"C\"%s>°C</option><option "
                  "value=\"F\"%s>°F</option></select></div>",
                  page_words(state, "as its header says", "como no cabeçalho", "como dice el encabezado"),
                  pl_slice_eq_cstr(unit, "C") ? " selected" : "", pl_slice_eq_cstr(unit, "F") ? " selected" : "");
}
