// What the page says about its fields and its result.
#include "page.h"

// No line may end between a number and its unit (U+00A0).
#define NB "\u00a0"

static void say(struct pl_buf *out, const struct page_state *state, const char *en, const char *pt, const char *es)
{
    pl_buf_append_cstr(out, page_words(state, en, pt, es));
}

static void say_temperature_error(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    if (result->error == GRAIN_E_MISSING) {
        say(out, state, "Enter the air temperature.", "Informe a temperatura do ar.",
            "Indique la temperatura del aire.");
    } else if (result->error == GRAIN_E_NUMBER) {
        say(out, state, "Enter a number, such as 25.5 or 25,5.", "Informe um número, como 25,5 ou 25.5.",
            "Indique un número, como 25,5 o 25.5.");
    } else if (result->error == GRAIN_E_POLE) {
        say(out, state, "These constants hold only above ", "Estas constantes só valem acima de ",
            "Estas constantes solo valen por encima de ");
        grain_say_number(out, state->lang, grain_pole_shown(result));
        pl_buf_append_cstr(out, result->fahrenheit ? " °F." : " °C.");
    } else if (result->fahrenheit) {
        say(out, state, "The temperature must lie between -22 and 176 °F.",
            "A temperatura deve ficar entre -22 e 176 °F.", "La temperatura debe estar entre -22 y 176 °F.");
    } else {
        say(out, state, "The temperature must lie between -30 and 80 °C.",
            "A temperatura deve ficar entre -30 e 80 °C.", "La temperatura debe estar entre -30 y 80 °C.");
    }
}

static bool is_missing(const struct page_state *state)
{
    return state->result.error == GRAIN_E_MISSING || (state->given.len == 0 && state->result.field != GRAIN_F_TA);
}

static void say_humidity_error(struct pl_buf *out, const struct page_state *state)
{
    if (is_missing(state))
        say(out, state, "Enter the relative humidity.", "Informe a umidade relativa.", "Indique la humedad relativa.");
    else if (state->result.error == GRAIN_E_NUMBER)
        say(out, state, "Enter a number, such as 70.5 or 70,5.", "Informe um número, como 70,5 ou 70.5.",
            "Indique un número, como 70,5 o 70.5.");
    else if (state->result.error == GRAIN_E_NO_ANSWER)
        say(out, state, "The equation has no answer for this humidity at this temperature.",
            "A equação não tem resposta para esta umidade relativa nesta temperatura.",
            "La ecuación no tiene respuesta para esta humedad relativa a esta temperatura.");
    else
        say(out, state, "The humidity must be above 0 and below 100 %.",
            "A umidade relativa deve ser maior que 0 e menor que 100 %.",
            "La humedad relativa debe ser mayor que 0 y menor que 100 %.");
}

static void say_moisture_error(struct pl_buf *out, const struct page_state *state)
{
    if (is_missing(state))
        say(out, state, "Enter the moisture of the grain.", "Informe o teor de água do grão.",
            "Indique la humedad del grano.");
    else if (state->result.error == GRAIN_E_NUMBER)
        say(out, state, "Enter a number, such as 14.5 or 14,5.", "Informe um número, como 14,5 ou 14.5.",
            "Indique un número, como 14,5 o 14.5.");
    else if (state->result.error == GRAIN_E_NO_ANSWER)
        say(out, state, "No humidity between 0 and 100 % is in equilibrium with this moisture at this temperature.",
            "Nenhuma umidade relativa entre 0 e 100 % está em equilíbrio com este teor de água nesta temperatura.",
            "Ninguna humedad relativa entre 0 y 100 % está en equilibrio con esta humedad del grano a esta "
            "temperatura.");
    else
        say(out, state, "The moisture must be above 0 and below 100 %.",
            "O teor de água do grão deve ser maior que 0 e menor que 100 %.",
            "La humedad del grano debe ser mayor que 0 y menor que 100 %.");
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

static void say_nothing(struct pl_buf *out, const struct page_state *state)
{
    if (state->no_grain && state->result.error == GRAIN_OK)
        say(out, state, "Choose a grain to see the result.", "Escolha uma cultura para ver o resultado.",
            "Elija un cultivo para ver el resultado.");
    else if (is_missing(state))
        say(out, state, "Fill in the marked field to see the result.", "Preencha o campo marcado para ver o resultado.",
            "Complete el campo marcado para ver el resultado.");
    else
        say(out, state, "Correct the marked field to see the result.", "Corrija o campo marcado para ver o resultado.",
            "Corrija el campo marcado para ver el resultado.");
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
    say(out, state, "in air of ", "em ar a ", "en aire a ");
    grain_say_number(out, state->lang, result->ta);
    pl_buf_append_cstr(out, result->fahrenheit ? NB "°F" : NB "°C");
    say(out, state, " and ", " e ", " y ");
    say_number_of(out, state, result->ur, state->inverse);
    say(out, state, NB "% humidity", NB "% de umidade relativa", NB "% de humedad relativa");
}

void page_say_sentence(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    if (!page_has_answer(state)) {
        say_nothing(out, state);
        return;
    }
    grain_say_name(out, state->lang, result->culture, result->set);
    if (state->inverse) {
        say(out, state, " with ", " com ", " con ");
        say_number_of(out, state, result->moisture, false);
        say(out, state, NB "% moisture stays as it is ", NB "% de teor de água fica como está ",
            NB "% de humedad se mantiene como está ");
        say_air(out, state);
        say(out, state, ". Drier air dries it, moister air wets it.",
            ". Ar mais seco seca o grão, ar mais úmido o umedece.",
            ". Un aire más seco lo seca, uno más húmedo lo humedece.");
        return;
    }
    pl_buf_append_cstr(out, " ");
    say_air(out, state);
    say(out, state, " settles at ", " se estabiliza em ", " se estabiliza en ");
    say_number_of(out, state, result->moisture, true);
    say(out, state, NB "% moisture. Moister grain dries in this air, drier grain takes up water.",
        NB "% de teor de água. Grão mais úmido seca nesse ar, grão mais seco absorve água.",
        NB "% de humedad. El grano más húmedo se seca en ese aire, el más seco absorbe agua.");
}

void page_say_comparison(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    // What one culture's constants refuse, another's may answer.
    bool usable = result->error == GRAIN_OK || result->error == GRAIN_E_NO_ANSWER || result->error == GRAIN_E_POLE;
    double given;
    if (!usable || !grain_parse_number(state->given, &given) || !(given > 0 && given < 100)) {
        say_nothing(out, state);
        return;
    }
    if (state->inverse) {
        say(out, state, "Relative humidity in equilibrium with ", "Umidade relativa em equilíbrio com ",
            "Humedad relativa en equilibrio con ");
        grain_say_number(out, state->lang, given);
        say(out, state, NB "% moisture at ", NB "% de teor de água a ", NB "% de humedad del grano a ");
    } else {
        say(out, state, "Equilibrium moisture in % wet basis at ", "Teor de água de equilíbrio em % base úmida a ",
            "Humedad de equilibrio en % base húmeda a ");
    }
    grain_say_number(out, state->lang, result->ta);
    pl_buf_append_cstr(out, result->fahrenheit ? NB "°F" : NB "°C");
    if (!state->inverse) {
        say(out, state, " and ", " e ", " y ");
        grain_say_number(out, state->lang, given);
        say(out, state, NB "% humidity", NB "% de umidade relativa", NB "% de humedad relativa");
    }
}

void page_say_spread(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_spread *spread = &state->result.spread;
    if (!page_has_answer(state))
        return;
    if (spread->sets < 2) {
        grain_say_warning(out, &state->request, &state->result, GRAIN_W_ALONE);
        return;
    }
    if (grain_spread_is_narrow(spread)) {
        say(out, state, "No range: ", "Sem faixa: ", "Sin rango: ");
        grain_say_agreement(out, &state->result);
        pl_buf_append_cstr(out, ".");
        return;
    }
    say(out, state, "Expect ", "Espere de ", "Espere de ");
    grain_say_fixed(out, state->lang, spread->low);
    say(out, state, " to ", " a ", " a ");
    grain_say_fixed(out, state->lang, spread->high);
    pl_buf_append_cstr(out, NB "%.");
    if (!state->inverse)
        return;
    say(out, state, " The cautious value is the highest: ", " O valor prudente é o mais alto: ",
        " El valor prudente es el más alto: ");
    grain_say_fixed(out, state->lang, spread->high);
    pl_buf_append_cstr(out, NB "%.");
}

void page_put_asked(struct pl_buf *out, const struct page_state *state)
{
    struct pl_buf sentence;
    if (state->no_grain) {
        pl_buf_init(&sentence, 4096);
        grain_say_error(&sentence, &state->asked, &state->refused);
        page_put_sentence(out, "<li>", &sentence, "</li>");
    }
    if ((state->result.warnings & GRAIN_W_NAME) != 0) {
        pl_buf_init(&sentence, 4096);
        grain_say_warning(&sentence, &state->request, &state->result, GRAIN_W_NAME);
        page_put_sentence(out, "<li>", &sentence, "</li>");
    }
    if (state->lost_set.len > 0) {
        pl_buf_init(&sentence, 4096);
        pl_buf_append_cstr(&sentence, state->culture->name.in[state->lang]);
        say(&sentence, state, " has no set of constants '", ": não há conjunto de constantes '",
            ": no hay un conjunto de constantes '");
        // A query can be long; a sentence cannot. A cut character is no matter: the browser shows it as one.
        pl_buf_append_slice(&sentence, pl_slice_sub(state->lost_set, 0, 40));
        say(&sentence, state, "'; the default is used.", "'; foi usado o padrão.", "'; se usó el predeterminado.");
        page_put_sentence(out, "<li>", &sentence, "</li>");
    }
}
