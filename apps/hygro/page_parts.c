// The larger parts of the page: every culture side by side, the table, the list of sets, and how the value is computed.
#include <math.h>
#include <string.h>

#include "base/fmt.h"
#include "grain/catalog.h"
#include "grain/published.h"
#include "page.h"

// The row or column within half a step of a value; -1: none.
static int nearest_row(const struct page_state *state)
{
    bool fahrenheit = state->result.fahrenheit;
    for (size_t row = 0; page_has_answer(state) && row < grain_table_rows(fahrenheit); row++) {
        if (fabs(grain_table_ta(row, fahrenheit) - state->result.ta) <= (fahrenheit ? 5 : 2.5))
            return (int)row;
    }
    return -1;
}

static int nearest_column(const struct page_state *state)
{
    for (size_t column = 0; page_has_answer(state) && column < GRAIN_TABLE_COLUMNS; column++) {
        if (fabs(grain_table_ur(column) - state->result.ur) <= 2.5)
            return (int)column;
    }
    return -1;
}

static int shade(double value)
{
    double step = floor((value - 4) / 3);
    return step < 0 ? 0 : step > 6 ? 6 : (int)step;
}

static void put_cell(struct pl_buf *out, const struct page_state *state, double value, bool here)
{
    const char *current = here ? " aria-current=\"true\"" : "";
    if (isnan(value))
        pl_buf_printf(out, "<td%s>", current);
    else
        pl_buf_printf(out, "<td class=\"h%d%s\"%s>", shade(value), here ? " here" : "", current);
    page_put_fixed(out, state, value, !isnan(value));
    pl_buf_append_cstr(out, "</td>");
}

void page_put_table(struct pl_buf *out, const struct page_state *state)
{
    bool fahrenheit = state->result.fahrenheit;
    const struct grain_result chosen = {.set = page_set(state), .culture = state->culture, .fahrenheit = fahrenheit};
    int here_row = nearest_row(state), here_column = nearest_column(state);
    pl_buf_printf(out, "<table aria-describedby=\"table-units\"><thead><tr><th scope=\"col\">%s</th>",
                  fahrenheit ? "°F" : "°C");
    for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++)
        pl_buf_printf(out, "<th scope=\"col\"%s>%d</th>", (int)column == here_column ? " class=\"on\"" : "",
                      (int)grain_table_ur(column));
    pl_buf_append_cstr(out, "</tr></thead><tbody>");
    for (size_t row = 0; row < grain_table_rows(fahrenheit); row++) {
        pl_buf_printf(out, "<tr><th scope=\"row\"%s>%d</th>", (int)row == here_row ? " class=\"on\"" : "",
                      (int)grain_table_ta(row, fahrenheit));
        for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++)
            put_cell(out, state, grain_table_cell(&chosen, row, column),
                     (int)row == here_row && (int)column == here_column);
        pl_buf_append_cstr(out, "</tr>");
    }
    pl_buf_append_cstr(out, "</tbody></table>");
}

// Every culture at the same values, each a link to it, with a bar for the eye.
void page_put_comparison(struct pl_buf *out, const struct page_state *state)
{
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        bool here = culture == state->culture && !state->no_grain;
        const struct grain_set *set = here ? page_set(state) : &culture->sets[0];
        struct grain_request request = state->request;
        grain_value_set_text(&request.field[GRAIN_F_GRAIN], pl_slice_cstr(culture->id));
        grain_value_set_text(&request.field[GRAIN_F_SET], pl_slice_cstr(set->id));
        struct grain_result result;
        grain_calculate(&request, &result);
        bool known = result.error == GRAIN_OK;
        double value = state->inverse ? result.ur : result.moisture;
        pl_buf_append_cstr(out, "<li><a href=\"");
        page_put_link(out, state, culture, state->lang);
        pl_buf_printf(out, "\" data-grain=\"%s\"%s><span>%s</span>", culture->id, here ? " aria-current=\"true\"" : "",
                      culture->name.in[state->lang]);
        if (set->confidence == GRAIN_CONF_M)
            pl_buf_printf(out, "<small>%s</small>",
                          page_words(state, "unconfirmed", "não confirmado", "sin confirmar"));
        pl_buf_append_cstr(out, "<b>");
        page_put_fixed(out, state, value, known);
        double width = known ? round(value / (state->inverse ? 100 : 30) * 100) : 0;
        pl_buf_printf(
            out,
            "%s</b><svg class=\"bar\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            "<rect width=\"%d\" height=\"1\"/></svg></a></li>",
            known ? " %" : "", width > 100 ? 100 : (int)width);
    }
}

void page_put_sets(struct pl_buf *out, const struct page_state *state)
{
    for (size_t i = 0; i < state->culture->set_count; i++) {
        const struct grain_set *set = &state->culture->sets[i];
        const char *variant = set->variant.in[state->lang];
        pl_buf_printf(out, "<option value=\"%s\"%s>%s, %s%s%s (%s)</option>", i == 0 ? "" : set->id,
                      set == page_set(state) ? " selected" : "",
                      grain_equation_info(set->equation)->name.in[state->lang], set->standard,
                      variant[0] != '\0' ? ", " : "", variant, grain_confidence_id(set->confidence));
    }
}

static void put_row(struct pl_buf *out, const struct page_state *state, const char *en, const char *pt, const char *es)
{
    pl_buf_printf(out, "<div><dt>%s</dt><dd>", page_words(state, en, pt, es));
}

// As one writes it: 1.9677, or 6.6612 × 10⁻⁵ when it is very small.
static void put_constant(struct pl_buf *out, const struct page_state *state, const char *name, double value)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    unsigned exponent = 0;
    while (fabs(value) * pow(10, exponent) < (exponent == 0 ? 1e-4 : 1) && exponent < 9)
        exponent++;
    pl_buf_printf(out, "<span>%s = ", name);
    // Rounded to what the tables hold: the multiplication leaves a last bit that nobody wrote.
    grain_say_number(out, state->lang, exponent == 0 ? value : round(value * pow(10, exponent + 9)) / 1e9);
    if (exponent > 0)
        pl_buf_printf(out, " × 10⁻%s", raised[exponent]);
    pl_buf_append_cstr(out, "</span>");
}

static void put_two_decimals(struct pl_buf *out, const struct page_state *state, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t len = pl_format_fixed(value, 2, text);
    char *point = state->lang != GRAIN_EN ? memchr(text, '.', len) : NULL;
    if (point != NULL)
        *point = ',';
    pl_buf_append(out, text, len);
}

static void put_agreement(struct pl_buf *out, const struct page_state *state, const struct grain_set *set)
{
    struct grain_score score = grain_score(state->culture, set);
    put_row(out, state, "Agrees with published tables", "Concorda com tabelas publicadas",
            "Concuerda con tablas publicadas");
    pl_buf_append_cstr(out, grain_agreement_text(grain_agreement(state->culture, set))->in[state->lang]);
    if (score.points > 0) {
        pl_buf_append_cstr(out, page_words(state, " (mean distance ", " (distância média ", " (distancia media "));
        put_two_decimals(out, state, score.mean);
        pl_buf_printf(out, ", %zu ", score.points);
        pl_buf_append_cstr(out, page_words(state, "published figures)", "valores publicados)", "valores publicados)"));
    }
    pl_buf_append_cstr(out, "</dd></div>");
}

static void put_range(struct pl_buf *out, const struct page_state *state, const struct grain_set *set)
{
    const struct grain_range *range = grain_set_range(set);
    const char *to = page_words(state, " to ", " a ", " a ");
    put_row(out, state, "Range", "Faixa de validade", "Rango de validez");
    grain_say_number(out, state->lang, range->ta_low);
    pl_buf_append_cstr(out, to);
    grain_say_number(out, state->lang, range->ta_high);
    pl_buf_append_cstr(out, " °C, ");
    grain_say_number(out, state->lang, range->ur_low);
    pl_buf_append_cstr(out, to);
    grain_say_number(out, state->lang, range->ur_high);
    pl_buf_append_cstr(
        out,
        grain_set_range_from(set) == GRAIN_RANGE_MEASURED
            ? page_words(state, " % (where measured grain supports it)", " % (onde grão medido o confirma)",
                         " % (donde el grano medido lo confirma)")
        : grain_set_range_from(set) == GRAIN_RANGE_SETS
            ? page_words(state, " % (where its constants do not contradict one another)",
                         " % (onde suas constantes não se contradizem)", " % (donde sus constantes no se contradicen)")
        : set->range != NULL
            ? page_words(state, " % (given by its source)", " % (dada pela fonte)", " % (dado por la fuente)")
            : page_words(state, " % (its source gives none)", " % (a fonte não indica)",
                         " % (la fuente no lo indica)"));
    pl_buf_append_cstr(out, "</dd></div>");
}

// The answer near the point: for another temperature, or another humidity or moisture.
static double answer_near(const struct page_state *state, double celsius, double given)
{
    const struct grain_set *set = page_set(state);
    return state->inverse ? 100 * grain_humidity(set, celsius, grain_dry_from_wet(given))
                          : grain_wet_from_dry(grain_moisture(set, celsius, given / 100));
}

static void put_change(struct pl_buf *out, const struct page_state *state, double change)
{
    double rounded = round(change * 100) / 100;
    pl_buf_append_cstr(out, rounded < 0 ? "<span>−" : "<span>+");
    put_two_decimals(out, state, fabs(rounded));
}

// In Portuguese a quantity below two is singular: 0,3 ponto, 2 pontos.
static const char *points_of(const struct page_state *state, double change)
{
    return page_words(state, " points", fabs(change) < 2 ? " ponto percentual" : " pontos percentuais", " puntos");
}

static void put_sensitivity(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    // Above 99 % more humidity changes nothing: it counts as 99 %.
    if (!page_has_answer(state) || (result->warnings & GRAIN_W_SATURATED) != 0)
        return;
    double celsius = result->fahrenheit ? grain_celsius(result->ta) : result->ta;
    double given = state->inverse ? result->moisture : result->ur, half = (result->fahrenheit ? 5.0 / 9 : 1) / 2;
    double change = answer_near(state, celsius, given + 0.5) - answer_near(state, celsius, given - 0.5);
    double warmth = answer_near(state, celsius + half, given) - answer_near(state, celsius - half, given);
    const char *humidity = page_words(state, " % humidity", " % de umidade relativa", " % de humedad relativa");
    if (!isfinite(change) || !isfinite(warmth))
        return;
    put_row(out, state, "Around this point", "Em torno deste ponto", "Alrededor de este punto");
    put_change(out, state, change);
    pl_buf_append_cstr(out, state->inverse ? humidity : points_of(state, change));
    pl_buf_append_cstr(
        out, state->inverse
                 ? page_words(state, " for 1 point more moisture", " para cada ponto percentual a mais de teor de água",
                              " por cada punto más de humedad del grano")
                 : page_words(state, " for 1 % more humidity", " para cada 1 % a mais de umidade relativa",
                              " por cada 1 % más de humedad relativa"));
    pl_buf_append_cstr(out, "</span>");
    put_change(out, state, warmth);
    pl_buf_append_cstr(out, state->inverse ? humidity : points_of(state, warmth));
    pl_buf_append_cstr(out, page_words(state, " for 1 ", " para cada 1 ", " por cada 1 "));
    pl_buf_append_cstr(out, result->fahrenheit ? "°F" : "°C");
    pl_buf_append_cstr(
        out, page_words(state, " more</span></dd></div>", " a mais</span></dd></div>", " más</span></dd></div>"));
}

void page_put_how(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_set *set = page_set(state);
    const struct grain_equation_info *equation = grain_equation_info(set->equation);
    pl_buf_append_cstr(out, "<dl>");
    put_row(out, state, "Equation", "Equação", "Ecuación");
    pl_buf_printf(out, "<span>%s</span><code>%s</code><small>%s</small></dd></div>", equation->name.in[state->lang],
                  state->inverse ? equation->inverse : equation->forward,
                  page_words(state, "M moisture, % dry basis; T temperature, °C; r relative humidity, 0 to 1",
                             "M teor de água, % base seca; T temperatura, °C; r umidade relativa, 0 a 1",
                             "M humedad del grano, % base seca; T temperatura, °C; r humedad relativa, 0 a 1"));
    put_row(out, state, "Constants", "Constantes", "Constantes");
    pl_buf_append_cstr(out, "<code>");
    put_constant(out, state, "A", set->a);
    put_constant(out, state, "B", set->b);
    put_constant(out, state, "C", set->c);
    pl_buf_append_cstr(out, "</code></dd></div>");
    put_row(out, state, "Curve", "Curva", "Curva");
    pl_buf_printf(out, "%s</dd></div>", grain_curve_text(set->curve)->in[state->lang]);
    put_row(out, state, "Source", "Fonte", "Fuente");
    page_put_html_cstr(out, set->standard);
    for (size_t i = 0; i < 2 && set->sources[i] != NULL; i++) {
        pl_buf_append_cstr(out, i == 0 ? ": " : "; ");
        page_put_html_cstr(out, set->sources[i]->in[state->lang]);
    }
    pl_buf_append_cstr(out, "</dd></div>");
    put_row(out, state, "Constants traced", "Rastreabilidade das constantes", "Trazabilidad de las constantes");
    pl_buf_printf(out, "<b class=\"grade\">%s</b> %s</dd></div>", grain_confidence_id(set->confidence),
                  grain_confidence_text(set->confidence)->in[state->lang]);
    put_agreement(out, state, set);
    put_range(out, state, set);
    put_sensitivity(out, state);
    pl_buf_append_cstr(out, "</dl>");
}
