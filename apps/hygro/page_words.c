// What the page says about its fields and its result; the script's words in web/grain/src/strings.ts are the same.
#include "page.h"

// No line may end between a number and its unit (U+00A0).
#define NB "\u00a0"

static void say(struct pl_buf *out, const struct page_state *state, const char *en, const char *pt)
{
    pl_buf_append_cstr(out, page_words(state, en, pt));
}

static void say_temperature_error(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    if (result->error == GRAIN_E_MISSING) {
        say(out, state, "Enter the air temperature.", "Informe a temperatura do ar.");
    } else if (result->error == GRAIN_E_NUMBER) {
        say(out, state, "Enter a number, such as 25.5 or 25,5.", "Informe um número, como 25,5 ou 25.5.");
    } else if (result->error == GRAIN_E_POLE) {
        say(out, state, "These constants hold only above ", "Estas constantes só valem acima de ");
        grain_say_number(out, state->lang, grain_pole_shown(result));
        pl_buf_append_cstr(out, result->fahrenheit ? " °F." : " °C.");
    } else if (result->fahrenheit) {
        say(out, state, "The temperature must lie between -22 and 176 °F.",
            "A temperatura deve ficar entre -22 e 176 °F.");
    } else {
        say(out, state, "The temperature must lie between -30 and 80 °C.",
            "A temperatura deve ficar entre -30 e 80 °C.");
    }
}

static bool is_missing(const struct page_state *state)
{
    return state->result.error == GRAIN_E_MISSING || (state->given.len == 0 && state->result.field != GRAIN_F_TA);
}

static void say_humidity_error(struct pl_buf *out, const struct page_state *state)
{
    if (is_missing(state))
        say(out, state, "Enter the relative humidity.", "Informe a umidade relativa.");
    else if (state->result.error == GRAIN_E_NUMBER)
        say(out, state, "Enter a number, such as 70.5 or 70,5.", "Informe um número, como 70,5 ou 70.5.");
    else if (state->result.error == GRAIN_E_NO_ANSWER)
        say(out, state, "The equation has no answer for this humidity at this temperature.",
            "A equação não tem resposta para esta umidade relativa nesta temperatura.");
    else
        say(out, state, "The humidity must be above 0 and below 100 %.",
            "A umidade relativa deve ser maior que 0 e menor que 100 %.");
}

static void say_moisture_error(struct pl_buf *out, const struct page_state *state)
{
    if (is_missing(state))
        say(out, state, "Enter the moisture of the grain.", "Informe a umidade do grão.");
    else if (state->result.error == GRAIN_E_NUMBER)
        say(out, state, "Enter a number, such as 14.5 or 14,5.", "Informe um número, como 14,5 ou 14.5.");
    else if (state->result.error == GRAIN_E_NO_ANSWER)
        say(out, state, "No humidity between 0 and 100 % is in equilibrium with this moisture at this temperature.",
            "Nenhuma umidade relativa entre 0 e 100 % está em equilíbrio com esta umidade do grão nesta temperatura.");
    else
        say(out, state, "The moisture must be above 0 and below 100 %.",
            "A umidade do grão deve ser maior que 0 e menor que 100 %.");
}

void page_say_error(struct pl_buf *out, const struct page_state *state, enum grain_field field)
{
    if (state->result.error == GRAIN_OK || state->result.field != field)
        return;
    if (field == GRAIN_F_TA)
        say_temperature_error(out, state);
    else if (field == GRAIN_F_UR)
        say_humidity_error(out, state);
    else
        say_moisture_error(out, state);
}

void page_say_nothing(struct pl_buf *out, const struct page_state *state)
{
    if (is_missing(state))
        say(out, state, "Fill in the marked field to see the result.",
            "Preencha o campo marcado para ver o resultado.");
    else
        say(out, state, "Correct the marked field to see the result.", "Corrija o campo marcado para ver o resultado.");
}

static void say_number_of(struct pl_buf *out, const struct page_state *state, double value, bool computed)
{
    if (computed)
        grain_say_fixed(out, state->lang, value);
    else
        grain_say_number(out, state->lang, value);
}

static void say_air(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    say(out, state, "in air of ", "em ar a ");
    grain_say_number(out, state->lang, result->ta);
    pl_buf_append_cstr(out, result->fahrenheit ? NB "°F" : NB "°C");
    say(out, state, " and ", " e ");
    say_number_of(out, state, result->ur, state->inverse);
    say(out, state, NB "% humidity", NB "% de umidade relativa");
}

void page_say_sentence(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    if (!page_has_answer(state)) {
        page_say_nothing(out, state);
        return;
    }
    pl_buf_append_cstr(out, result->culture->name.in[state->lang]);
    if (state->inverse) {
        say(out, state, " with ", " com ");
        say_number_of(out, state, result->moisture, false);
        say(out, state, NB "% moisture stays as it is ", NB "% de umidade fica como está ");
        say_air(out, state);
        say(out, state, ". Drier air dries it, moister air wets it.",
            ". Ar mais seco seca o grão, ar mais úmido o umedece.");
        return;
    }
    pl_buf_append_cstr(out, " ");
    say_air(out, state);
    say(out, state, " settles at ", " se estabiliza em ");
    say_number_of(out, state, result->moisture, true);
    say(out, state, NB "% moisture. Moister grain dries in this air, drier grain takes up water.",
        NB "% de umidade. Grão mais úmido seca nesse ar, grão mais seco absorve água.");
}

void page_say_comparison(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    // What one culture's constants refuse, another's may answer.
    bool usable = result->error == GRAIN_OK || result->error == GRAIN_E_NO_ANSWER || result->error == GRAIN_E_POLE;
    double given;
    if (!usable || !grain_parse_number(state->given, &given) || !(given > 0 && given < 100)) {
        page_say_nothing(out, state);
        return;
    }
    if (state->inverse) {
        say(out, state, "Relative humidity in equilibrium with ", "Umidade relativa em equilíbrio com ");
        grain_say_number(out, state->lang, given);
        say(out, state, NB "% moisture at ", NB "% de umidade do grão a ");
    } else {
        say(out, state, "Equilibrium moisture in % wet basis at ", "Umidade de equilíbrio em % base úmida a ");
    }
    grain_say_number(out, state->lang, result->ta);
    pl_buf_append_cstr(out, result->fahrenheit ? NB "°F" : NB "°C");
    if (!state->inverse) {
        say(out, state, " and ", " e ");
        grain_say_number(out, state->lang, given);
        say(out, state, NB "% humidity", NB "% de umidade relativa");
    }
}
