// The folded parts of the page: air, keeping, hours and shrink. The server writes their forms and their results, with
// and without JavaScript; the script only fetches the page again and takes the result out of it.
#include <string.h>

#include "base/ckd.h"
#include "grain/hours.h"
#include "grain/tools.h"
#include "page.h"
#include "service.h"

enum tool { TOOL_AIR, TOOL_KEEPING, TOOL_HOURS, TOOL_SHRINK, TOOLS };
enum unit { UNIT_NONE, UNIT_DEGREES, UNIT_PERCENT, UNIT_METRES, UNIT_TONNES };

static const struct {
    const char *id;
    struct grain_text title, text;
} tools[TOOLS] = {
    [TOOL_AIR] =
        {"air",
         {{"Air: dew point, wet bulb, heat of the fan", "Ar: ponto de orvalho, bulbo úmido, calor do ventilador",
           "Aire: punto de rocío, bulbo húmedo, calor del ventilador"}},
         {{"Give one of humidity, dew point and wet bulb. The fan heats the air, and the grain sees drier air.",
           "Informe um destes: umidade relativa, ponto de orvalho ou bulbo úmido. O ventilador aquece o ar, e o "
           "grão recebe ar mais seco.",
           "Indique uno de estos: humedad relativa, punto de rocío o bulbo húmedo. El ventilador calienta el "
           "aire, y el grano recibe aire más seco."}}},
    [TOOL_KEEPING] =
        {"keeping",
         {{"Safe keeping: mould and storage time", "Conservação segura: fungos e tempo de armazenagem",
           "Conservación segura: hongos y tiempo de almacenamiento"}},
         {{"The temperature is that of the grain. Storage times are estimates, never a promise: broken "
           "kernels, impurities and a wet past shorten them. Sources: NDSU (Hellevang); Steele et al. 1969 "
           "and Bern et al. (ASABE D535).",
           "A temperatura é a do grão. Os tempos são estimativas, nunca uma promessa: grãos quebrados, "
           "impurezas e um histórico úmido os encurtam. Fontes: NDSU (Hellevang); Steele et al. 1969 e Bern "
           "et al. (ASABE D535).",
           "La temperatura es la del grano. Los tiempos son estimaciones, nunca una promesa: granos "
           "quebrados, impurezas y un historial húmedo los acortan. Fuentes: NDSU (Hellevang); Steele et al. "
           "1969 y Bern et al. (ASABE D535)."}}},
    [TOOL_HOURS] = {"hours",
                    {{"The hours of a season, from a file", "Horas de uma safra, a partir de um arquivo",
                      "Horas de una campaña, a partir de un archivo"}},
                    {{"A CSV with a header and columns for temperature and humidity, as weather stations write it. It "
                      "is only computed; nothing is kept.",
                      "Um CSV com cabeçalho e colunas de temperatura e umidade relativa, como o das estações "
                      "meteorológicas. Ele só é calculado; nada é guardado.",
                      "Un CSV con encabezado y columnas de temperatura y humedad relativa, como el de las estaciones "
                      "meteorológicas. Solo se calcula; no se guarda nada."}}},
    [TOOL_SHRINK] = {"shrink",
                     {{"Shrink and bases", "Quebra de umidade e bases", "Merma y bases"}},
                     {{"Moistures on wet basis.", "Teores de água em base úmida.", "Humedades en base húmeda."}}},
};

static const struct input {
    enum tool tool;
    enum grain_tool_field field;
    struct grain_text label;
    enum unit unit;
    const char *start; // what it holds at first; "ta" and "ur" are those of the page
} inputs[] = {
    {TOOL_AIR, GRAIN_T_TA, {{"Air temperature", "Temperatura do ar", "Temperatura del aire"}}, UNIT_DEGREES, "ta"},
    {TOOL_AIR, GRAIN_T_UR, {{"Relative humidity", "Umidade relativa", "Humedad relativa"}}, UNIT_PERCENT, "ur"},
    {TOOL_AIR, GRAIN_T_DEW_POINT, {{"or dew point", "ou ponto de orvalho", "o punto de rocío"}}, UNIT_DEGREES, ""},
    {TOOL_AIR, GRAIN_T_WET_BULB, {{"or wet bulb", "ou bulbo úmido", "o bulbo húmedo"}}, UNIT_DEGREES, ""},
    {TOOL_AIR, GRAIN_T_ALTITUDE, {{"Altitude", "Altitude", "Altitud"}}, UNIT_METRES, "0"},
    {TOOL_AIR,
     GRAIN_T_FAN_HEAT,
     {{"Heat of the fan", "Aquecimento do ventilador", "Calentamiento del ventilador"}},
     UNIT_DEGREES,
     "2"},
    {TOOL_KEEPING,
     GRAIN_T_GRAIN_TA,
     {{"Grain temperature", "Temperatura do grão", "Temperatura del grano"}},
     UNIT_DEGREES,
     "ta"},
    {TOOL_KEEPING,
     GRAIN_T_MOISTURE,
     {{"Grain moisture", "Teor de água do grão", "Humedad del grano"}},
     UNIT_PERCENT,
     "14"},
    {TOOL_KEEPING,
     GRAIN_T_DAMAGE,
     {{"Damaged kernels (corn)", "Grãos danificados (milho)", "Granos dañados (maíz)"}},
     UNIT_PERCENT,
     "30"},
    {TOOL_HOURS,
     GRAIN_T_MOISTURE,
     {{"Grain moisture", "Teor de água do grão", "Humedad del grano"}},
     UNIT_PERCENT,
     "14"},
    {TOOL_HOURS,
     GRAIN_T_GRAIN_TA,
     {{"Grain temperature, in the unit of the file", "Temperatura do grão, na unidade do arquivo",
       "Temperatura del grano, en la unidad del archivo"}},
     UNIT_NONE,
     ""},
    {TOOL_HOURS,
     GRAIN_T_FAN_HEAT,
     {{"Heat of the fan, in the unit of the file", "Aquecimento do ventilador, na unidade do arquivo",
       "Calentamiento del ventilador, en la unidad del archivo"}},
     UNIT_NONE,
     ""},
    {TOOL_HOURS,
     GRAIN_T_AIRFLOW,
     {{"Airflow, m³ a minute and tonne", "Vazão de ar, m³ por minuto e tonelada",
       "Caudal de aire, m³ por minuto y tonelada"}},
     UNIT_NONE,
     ""},
    {TOOL_HOURS,
     GRAIN_T_TARGET,
     {{"Moisture to reach", "Teor de água a atingir", "Humedad a alcanzar"}},
     UNIT_PERCENT,
     ""},
    {TOOL_SHRINK, GRAIN_T_FROM, {{"Moisture before", "Teor de água inicial", "Humedad inicial"}}, UNIT_PERCENT, "18"},
    {TOOL_SHRINK, GRAIN_T_TO, {{"Moisture after", "Teor de água final", "Humedad final"}}, UNIT_PERCENT, "13"},
    {TOOL_SHRINK, GRAIN_T_MASS, {{"Mass before", "Massa inicial", "Masa inicial"}}, UNIT_TONNES, "1"},
};

static const char *text_of(const struct page_state *state, const struct grain_text *text)
{
    return text->in[state->lang];
}

static bool is_asked(const struct page_state *state, enum tool tool)
{
    struct pl_slice name;
    // Without a grain a tool would answer for another one.
    if (state->no_grain)
        return false;
    if (tool == TOOL_HOURS)
        return state->hours != NULL;
    return http_query(state->req, "tool", &name) && pl_slice_eq_cstr(name, tools[tool].id);
}

// "air-ta": the fields of a tool beside those of the page.
static bool query_value(const struct page_state *state, enum tool tool, enum grain_tool_field field,
                        struct pl_slice *value)
{
    const char *id = tools[tool].id, *name = grain_tool_field_names[field];
    size_t id_len = strlen(id);
    for (size_t i = 0; i < state->req->query_count; i++) {
        struct pl_slice have = state->req->query[i].name;
        if (have.len == id_len + 1 + strlen(name) && memcmp(have.ptr, id, id_len) == 0 && have.ptr[id_len] == '-' &&
            memcmp(have.ptr + id_len + 1, name, strlen(name)) == 0) {
            *value = pl_slice_trim(state->req->query[i].value);
            return true;
        }
    }
    return false;
}

static struct pl_slice shown_value(const struct page_state *state, const struct input *input)
{
    struct pl_slice value;
    if (input->tool == TOOL_HOURS && state->hours != NULL)
        return state->hours->fields.value[input->field];
    if (is_asked(state, input->tool))
        return query_value(state, input->tool, input->field, &value) ? value : pl_slice_make("", 0);
    if (strcmp(input->start, "ta") == 0)
        return state->ta;
    if (strcmp(input->start, "ur") == 0)
        return state->inverse ? pl_slice_cstr("70") : state->given;
    return pl_slice_cstr(input->start);
}

static void put_input(struct pl_buf *out, const struct page_state *state, const struct input *input)
{
    // The form of a file is sent as parts, whose names are the fields themselves.
    const char *id = tools[input->tool].id, *field = grain_tool_field_names[input->field];
    pl_buf_printf(out, "<div class=\"field\"><label for=\"%s-%s\">%s</label><div class=\"entry\">", id, field,
                  text_of(state, &input->label));
    pl_buf_printf(
        out, "<input id=\"%s-%s\" name=\"%s%s%s\" type=\"text\" inputmode=\"decimal\" autocomplete=\"off\"%s value=\"",
        id, field, input->tool == TOOL_HOURS ? "" : id, input->tool == TOOL_HOURS ? "" : "-", field,
        // The script converts these with the page's unit.
        input->unit != UNIT_DEGREES        ? ""
        : input->field == GRAIN_T_FAN_HEAT ? " data-degrees=\"difference\""
                                           : " data-degrees=\"temperature\"");
    page_put_html(out, shown_value(state, input));
    pl_buf_append_cstr(out, "\">");
    static const char *const units[] = {
        [UNIT_NONE] = "", [UNIT_PERCENT] = "%", [UNIT_METRES] = "m", [UNIT_TONNES] = "t"};
    const char *unit = input->unit == UNIT_DEGREES ? (state->result.fahrenheit ? "°F" : "°C") : units[input->unit];
    if (unit[0] != '\0')
        pl_buf_printf(out, "<span class=\"suffix\" aria-hidden=\"true\">%s</span>", unit);
    pl_buf_append_cstr(out, "</div></div>");
}

static void put_hidden(struct pl_buf *out, const char *name, struct pl_slice value)
{
    pl_buf_printf(out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
    page_put_html(out, value);
    pl_buf_append_cstr(out, "\">");
}

// What the rest of the page shows stays when a tool's form is sent.
static void put_kept(struct pl_buf *out, const struct page_state *state, enum tool tool)
{
    put_hidden(out, "grain", pl_slice_cstr(state->culture->id));
    put_hidden(out, "ta", state->ta);
    put_hidden(out, state->inverse ? "moisture" : "ur", state->given);
    if (state->result.fahrenheit)
        put_hidden(out, "taUnit", pl_slice_cstr("F"));
    if (state->set.len > 0)
        put_hidden(out, "set", state->set);
    put_hidden(out, "lang", pl_slice_cstr(grain_lang_id(state->lang)));
    put_hidden(out, "tool", pl_slice_cstr(tools[tool].id));
}

static void take_fields(const struct page_state *state, enum tool tool, uint32_t takes, struct grain_fields *fields)
{
    grain_fields_init(fields, takes);
    fields->for_people = true;
    grain_fields_put(fields, pl_slice_cstr("lang"), pl_slice_cstr(grain_lang_id(state->lang)));
    if ((fields->takes & GRAIN_BIT(GRAIN_T_GRAIN)) != 0) {
        grain_fields_put(fields, pl_slice_cstr("grain"), pl_slice_cstr(state->culture->id));
        grain_fields_put(fields, pl_slice_cstr("set"), pl_slice_cstr(page_set(state)->id));
    }
    if ((fields->takes & GRAIN_BIT(GRAIN_T_TA_UNIT)) != 0)
        grain_fields_put(fields, pl_slice_cstr("taUnit"), pl_slice_cstr(state->result.fahrenheit ? "F" : "C"));
    for (size_t i = 0; i < PL_COUNTOF(inputs); i++) {
        struct pl_slice value;
        if (inputs[i].tool == tool && query_value(state, tool, inputs[i].field, &value))
            grain_fields_put(fields, pl_slice_cstr(grain_tool_field_names[inputs[i].field]), value);
    }
}

static void put_result(struct pl_buf *out, const struct page_state *state, enum tool tool)
{
    struct grain_fields fields;
    if (!is_asked(state, tool))
        return;
    if (tool == TOOL_HOURS) {
        page_put_season(out, state);
        return;
    }
    struct pl_buf rows;
    pl_buf_init(&rows, 1 << 16);
    const struct grain_tool *computed = grain_tool_by_id(tools[tool].id);
    take_fields(state, tool, computed->takes, &fields);
    if (computed->run(&fields, page_put_row, &rows)) {
        if (fields.chosen.culture != NULL)
            page_put_grain(out, state, fields.chosen.culture, fields.chosen.set);
        pl_buf_append_cstr(out, "<dl>");
        pl_buf_append_slice(out, pl_buf_slice(&rows));
        pl_buf_append_cstr(out, "</dl>");
    } else {
        page_put_problem(out, &fields);
    }
    pl_buf_take_over(out, &rows);
}

static void put_form_head(struct pl_buf *out, const struct page_state *state, enum tool tool)
{
    if (tool != TOOL_HOURS) {
        pl_buf_printf(out, "<form method=\"get\" action=\"./#tool-%s\">", tools[tool].id);
        put_kept(out, state, tool);
        return;
    }
    pl_buf_append_cstr(out, "<form method=\"post\" enctype=\"multipart/form-data\" action=\"./");
    page_put_link(out, state, state->culture, state->lang);
    pl_buf_printf(out, "#tool-hours\"><div class=\"field\"><label for=\"hours-file\">%s</label>",
                  page_words(state, "File (CSV)", "Arquivo (CSV)", "Archivo (CSV)"));
    pl_buf_append_cstr(
        out, "<input id=\"hours-file\" name=\"file\" type=\"file\" accept=\".csv,.txt,text/csv,text/plain\"></div>");
}

static void put_buttons(struct pl_buf *out, const struct page_state *state, enum tool tool)
{
    pl_buf_printf(out, "<p class=\"buttons\"><button class=\"button\" type=\"submit\">%s</button>",
                  page_words(state, "Calculate", "Calcular", "Calcular"));
    if (tool == TOOL_HOURS) {
        pl_buf_append_cstr(out,
                           " <button class=\"button\" type=\"submit\" data-download formaction=\"api/hours?format=csv");
        pl_buf_printf(out, "&amp;grain=%s&amp;set=%s&amp;lang=%s%s\">%s</button>", state->culture->id,
                      page_set(state)->id, grain_lang_id(state->lang),
                      state->lang == GRAIN_EN ? "" : "&amp;decimal=comma",
                      page_words(state, "Every hour as CSV", "Todas as horas em CSV", "Todas las horas en CSV"));
    }
    pl_buf_append_cstr(out, "</p></form>");
}

void page_put_tools(struct pl_buf *out, const struct page_state *state)
{
    for (int i = 0; i < TOOLS; i++) {
        enum tool tool = (enum tool)i;
        const char *id = tools[i].id;
        pl_buf_printf(out, "<details id=\"tool-%s\" data-tool=\"%s\"%s><summary>%s</summary><p class=\"units\">%s</p>",
                      id, id, is_asked(state, tool) ? " open" : "", text_of(state, &tools[i].title),
                      text_of(state, &tools[i].text));
        put_form_head(out, state, tool);
        for (size_t k = 0; k < PL_COUNTOF(inputs); k++) {
            if (inputs[k].tool == tool)
                put_input(out, state, &inputs[k]);
        }
        if (tool == TOOL_HOURS)
            page_put_season_choices(out, state);
        put_buttons(out, state, tool);
        pl_buf_printf(out, "<div class=\"tool-result\" id=\"%s-result\" role=\"status\">", id);
        put_result(out, state, tool);
        pl_buf_append_cstr(out, "</div></details>");
    }
}
