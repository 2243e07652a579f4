// The small values of the page's template: what stands in the inputs, the result, its sentences, the links.
#include <math.h>
#include <stddef.h>

#include "base/ckd.h"
#include "page.h"

// ---- values that a row describes

// What a text of two depends on.
enum condition { INVERSE, FAHRENHEIT, ANSWER, NO_GRAIN, ONE_SET, OWN_GRAIN };

static bool holds(const struct page_state *state, int condition)
{
    switch ((enum condition)condition) {
    case INVERSE:
        return state->inverse;
    case FAHRENHEIT:
        return state->result.fahrenheit;
    case ANSWER:
        return page_has_answer(state);
    case NO_GRAIN:
        return state->no_grain;
    case ONE_SET:
        return state->culture->set_count < 2;
    case OWN_GRAIN:
        return state->own.len > 0 || state->own_ta.len > 0;
    }
    return false;
}

static void put_choice(struct pl_buf *out, const struct page_state *state, const struct page_value *value)
{
    const char *const *texts = holds(state, value->of) ? value->yes : value->no;
    const char *own = texts[state->lang];
    pl_buf_append_cstr(out, own ? own : texts[0] ? texts[0] : "");
}

static void put_typed(struct pl_buf *out, const struct page_state *state, const struct page_value *value)
{
    page_put_html(out, *(const struct pl_slice *)((const char *)state + value->of));
}

static void put_error(struct pl_buf *out, const struct page_state *state, const struct page_value *value)
{
    page_say_error(out, state, (enum grain_field)value->of);
}

static void put_current(struct pl_buf *out, const struct page_state *state, const struct page_value *value)
{
    pl_buf_append_cstr(out, (int)state->lang == value->of ? "aria-current=\"true\"" : "");
}

static void put_link_in(struct pl_buf *out, const struct page_state *state, const struct page_value *value)
{
    page_put_link(out, state, state->culture, (enum grain_lang)value->of);
}

// ---- others

static void put_lang(struct pl_buf *out, const struct page_state *state)
{
    pl_buf_append_cstr(out, grain_lang_id(state->lang));
}

static void put_title(struct pl_buf *out, const struct page_state *state)
{
    if (page_has_answer(state)) {
        page_put_fixed(out, state, state->inverse ? state->result.ur : state->result.moisture, true);
        pl_buf_append_cstr(out, " % · ");
    }
    if (state->no_grain)
        pl_buf_append_cstr(out, "Hygro");
    else
        grain_say_name(out, state->lang, state->culture, page_set(state));
    pl_buf_append_cstr(out, state->inverse
                                ? page_words(state, " · equilibrium humidity of the air",
                                             " · umidade relativa de equilíbrio", " · humedad relativa de equilibrio")
                                : page_words(state, " · equilibrium moisture of grain",
                                             " · teor de água de equilíbrio de grãos",
                                             " · humedad de equilibrio de granos"));
}

static void put_options(struct pl_buf *out, const struct page_state *state)
{
    if (state->no_grain)
        pl_buf_printf(out, "<option value=\"\" selected>%s</option>",
                      page_words(state, "Choose a grain", "Escolha uma cultura", "Elija un cultivo"));
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        pl_buf_printf(out, "<option value=\"%s\"%s>%s</option>", culture->id,
                      culture == state->culture && !state->no_grain ? " selected" : "", culture->name.in[state->lang]);
    }
}

// The one of humidity and moisture that is not known starts at a usual value, for whoever looks at it.
static void put_ur(struct pl_buf *out, const struct page_state *state)
{
    page_put_html(out, state->inverse ? pl_slice_cstr("70") : state->given);
}

static void put_moisture(struct pl_buf *out, const struct page_state *state)
{
    page_put_html(out, state->inverse ? state->given : pl_slice_cstr("14"));
}

static void put_invalid_field(struct pl_buf *out, const struct page_state *state, enum grain_field field)
{
    if (state->result.error != GRAIN_OK && state->result.field == field)
        pl_buf_append_cstr(out, "aria-invalid=\"true\"");
}

static void put_invalid(struct pl_buf *out, const struct page_state *state, const struct page_value *value)
{
    put_invalid_field(out, state, (enum grain_field)value->of);
}

static void put_ur_input(struct pl_buf *out, const struct page_state *state)
{
    pl_buf_append_cstr(out, state->inverse ? "disabled" : "");
    put_invalid_field(out, state, GRAIN_F_UR);
}

static void put_moisture_input(struct pl_buf *out, const struct page_state *state)
{
    pl_buf_append_cstr(out, state->inverse ? "" : "disabled");
    put_invalid_field(out, state, GRAIN_F_MOISTURE);
}

static void put_value(struct pl_buf *out, const struct page_state *state)
{
    page_put_fixed(out, state, state->inverse ? state->result.ur : state->result.moisture, page_has_answer(state));
}

static void put_basis(struct pl_buf *out, const struct page_state *state)
{
    double dry = page_has_answer(state) ? grain_dry_from_wet(state->result.moisture) : NAN;
    pl_buf_append_cstr(out, state->inverse
                                ? page_words(state, "relative humidity · the grain has ",
                                             "umidade relativa · o grão tem ", "humedad relativa · el grano tiene ")
                                : page_words(state, "wet basis · ", "base úmida · ", "base húmeda · "));
    page_put_fixed(out, state, dry, page_has_answer(state));
    pl_buf_append_cstr(out, page_words(state, " % dry basis", " % base seca", " % base seca"));
}

static void put_note(struct pl_buf *out, const struct page_state *state, enum grain_warning warning)
{
    struct pl_buf sentence;
    pl_buf_init(&sentence, 4096);
    grain_say_warning(&sentence, &state->request, &state->result, warning);
    page_put_sentence(out, "<li>", &sentence, "</li>");
}

static void put_notes(struct pl_buf *out, const struct page_state *state)
{
    // What is said about the query and about the spread has a place of its own.
    unsigned warnings = state->result.warnings & ~(unsigned)(GRAIN_W_UNKNOWN_FIELD | GRAIN_W_NAME | GRAIN_W_ALONE);
    if (!page_has_answer(state))
        return;
    for (unsigned bit = 1; bit <= GRAIN_W_LAST; bit <<= 1) {
        if ((warnings & bit) != 0)
            put_note(out, state, (enum grain_warning)bit);
    }
}

static void put_link(struct pl_buf *out, const struct page_state *state)
{
    page_put_link(out, state, state->culture, state->lang);
}

// The same point, asked for the other way round.
static void put_find(struct pl_buf *out, const struct page_state *state, const struct page_value *of)
{
    const bool inverse = of->of;
    if (inverse == state->inverse) {
        put_link(out, state);
        return;
    }
    struct pl_buf value;
    pl_buf_init(&value, 64);
    if (page_has_answer(state))
        grain_say_fixed(&value, state->lang, inverse ? state->result.moisture : state->result.ur);
    else
        pl_buf_append_cstr(&value, inverse ? "14" : "70");
    page_put_link_at(out, state, state->culture, state->lang, inverse, pl_buf_slice(&value));
    pl_buf_take_over(out, &value);
}

static void put_csv(struct pl_buf *out, const struct page_state *state)
{
    pl_buf_printf(out, "api/table?grain=%s&amp;format=csv", state->culture->id);
    if (state->result.fahrenheit)
        pl_buf_append_cstr(out, "&amp;taUnit=F");
    if (state->set.len > 0)
        page_put_query_value(out, "&amp;set=", state->set);
    pl_buf_append_cstr(out, state->lang == GRAIN_EN ? "" : "&amp;decimal=comma");
}

static void put_table_units(struct pl_buf *out, const struct page_state *state)
{
    grain_say_name(out, state->lang, state->culture, page_set(state));
    pl_buf_append_cstr(out,
                       page_words(state, ": moisture in % wet basis; columns are relative humidity in %",
                                  ": teor de água do grão em % base úmida; as colunas são a umidade relativa em %",
                                  ": humedad del grano en % base húmeda; las columnas son la humedad relativa en %"));
}

#define IF(name, condition, text, otherwise)                                                                           \
    {                                                                                                                  \
        name, .write_of = put_choice, .of = condition, .yes = {text}, .no = { otherwise }                              \
    }
#define TYPED(name, member)                                                                                            \
    {                                                                                                                  \
        name, .write_of = put_typed, .of = offsetof(struct page_state, member)                                         \
    }
const struct page_value hygro_page_values[] = {
    {.name = "lang", .write = put_lang},
    {.name = "title", .write = put_title},
    {.name = "options", .write = put_options},
    TYPED("ta", ta),
    {"ta_invalid", .write_of = put_invalid, .of = GRAIN_F_TA},
    {"ta_error", .write_of = put_error, .of = GRAIN_F_TA},
    {.name = "ur", .write = put_ur},
    IF("ur_field", INVERSE, "hidden", ""),
    {.name = "ur_input", .write = put_ur_input},
    {"ur_error", .write_of = put_error, .of = GRAIN_F_UR},
    {.name = "moisture", .write = put_moisture},
    IF("moisture_field", INVERSE, "", "hidden"),
    {.name = "moisture_input", .write = put_moisture_input},
    {"moisture_error", .write_of = put_error, .of = GRAIN_F_MOISTURE},
    IF("unit_c", FAHRENHEIT, "", "checked"),
    IF("unit_f", FAHRENHEIT, "checked", ""),
    IF("result_state", ANSWER, "", "data-empty"),
    {"heading", .write_of = put_choice, .of = INVERSE,
     .yes = {"Which air keeps the grain as it is?", "Que ar mantém o grão como está?",
             "¿Qué aire mantiene el grano como está?"},
     .no = {"At what moisture will the grain settle?", "Em que teor de água o grão vai se estabilizar?",
            "¿En qué humedad se estabilizará el grano?"}},
    {"caption", .write_of = put_choice, .of = INVERSE,
     .yes = {"Equilibrium humidity of the air", "Umidade relativa de equilíbrio", "Humedad relativa de equilibrio"},
     .no = {"Equilibrium moisture", "Teor de água de equilíbrio", "Humedad de equilibrio"}},
    {.name = "value", .write = put_value},
    {.name = "basis", .write = put_basis},
    {.name = "sentence", .write = page_say_sentence},
    {.name = "notes", .write = put_notes},
    {.name = "link", .write = put_link},
    {"link_en", .write_of = put_link_in, .of = GRAIN_EN},
    {"link_pt", .write_of = put_link_in, .of = GRAIN_PT},
    {"link_es", .write_of = put_link_in, .of = GRAIN_ES},
    {"current_en", .write_of = put_current, .of = GRAIN_EN},
    {"current_pt", .write_of = put_current, .of = GRAIN_PT},
    {"current_es", .write_of = put_current, .of = GRAIN_ES},
    IF("main_state", NO_GRAIN, "data-nograin", ""),
    {.name = "asked", .write = page_put_asked},
    {.name = "spread", .write = page_say_spread},
    {"find_moisture", .write_of = put_find, .of = false},
    {"find_ur", .write_of = put_find, .of = true},
    IF("finds_moisture", INVERSE, "", "aria-current=\"true\""),
    IF("finds_ur", INVERSE, "aria-current=\"true\"", ""),
    {"compare_title", .write_of = put_choice, .of = INVERSE,
     .yes = {"All " GRAIN_CULTURES_TEXT " grains with this moisture",
             "As " GRAIN_CULTURES_TEXT " culturas com este teor de água",
             "Los " GRAIN_CULTURES_TEXT " cultivos con esta humedad"},
     .no = {"All " GRAIN_CULTURES_TEXT " grains in this air", "As " GRAIN_CULTURES_TEXT " culturas neste ar",
            "Los " GRAIN_CULTURES_TEXT " cultivos en este aire"}},
    {.name = "compare_units", .write = page_say_comparison},
    {.name = "compare", .write = page_put_comparison},
    {.name = "csv", .write = put_csv},
    IF("set_hidden", ONE_SET, "hidden", ""),
    {.name = "sets", .write = page_put_sets},
    {.name = "chart", .write = page_put_chart},
    {.name = "table", .write = page_put_table},
    {.name = "table_units", .write = put_table_units},
    {.name = "how", .write = page_put_how},
    {.name = "tools", .write = page_put_tools},
    TYPED("own", own),
    TYPED("own_ta", own_ta),
    IF("own_open", OWN_GRAIN, "open", ""),
    IF("degrees", FAHRENHEIT, "°F", "°C"),
    {.name = "verdict", .write = page_put_verdict},
};
const size_t hygro_page_value_count = PL_COUNTOF(hygro_page_values);
