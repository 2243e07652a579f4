// What the page's chart shows, as JSON for the script that draws it: curves, band, point and texts.
#include <math.h>

#include "base/ckd.h"
#include "page.h"

#define FIRST_UR 2 // the curves have a value for each percent
#define LAST_UR 99

struct drawing {
    const struct page_state *state;
    const struct grain_set *set;
    double centre; // temperature of the bold curve, in the page's unit
    bool fahrenheit;
};

static double celsius_of(const struct drawing *drawing, double degrees)
{
    return drawing->fahrenheit ? grain_celsius(degrees) : degrees;
}

static double moisture_at(const struct drawing *drawing, double degrees, double ur)
{
    return grain_wet_from_dry(grain_moisture(drawing->set, celsius_of(drawing, degrees), ur / 100));
}

static void put_text(struct pl_buf *out, const char *name, struct pl_buf *text)
{
    pl_buf_printf(out, ",\"%s\":", name);
    pl_buf_append_json_string(out, pl_buf_slice(text));
    pl_buf_take_over(out, text);
}

static void say_degrees(struct pl_buf *out, const struct drawing *drawing, double degrees)
{
    grain_say_number(out, drawing->state->lang, round(degrees * 10) / 10);
    pl_buf_append_cstr(out, drawing->fahrenheit ? " °F" : " °C");
}

static void put_curve(struct pl_buf *out, const struct drawing *drawing, double degrees)
{
    struct pl_buf text;
    pl_buf_append_cstr(out, "{\"ta\":");
    grain_put_fixed(out, degrees, 1);
    pl_buf_init(&text, 64);
    say_degrees(&text, drawing, degrees);
    put_text(out, "text", &text);
    pl_buf_append_cstr(out, ",\"moisture\":[");
    for (int ur = FIRST_UR; ur <= LAST_UR; ur++) {
        pl_buf_append_cstr(out, ur == FIRST_UR ? "" : ",");
        grain_put_fixed(out, moisture_at(drawing, degrees, ur), 2);
    }
    pl_buf_append_cstr(out, "]}");
}

// The bold curve is the last, so that it lies above the others. Those are shown only where constants hold: near a pole
// they would dwarf the one that matters.
static void put_curves(struct pl_buf *out, const struct drawing *drawing)
{
    static const int places[] = {-2, -1, 1, 2, 0};
    bool first = true;
    pl_buf_printf(out, "\"firstUr\":%d,\"curves\":[", FIRST_UR);
    for (size_t i = 0; i < PL_COUNTOF(places); i++) {
        double degrees = drawing->centre + places[i] * (drawing->fahrenheit ? 20 : 10);
        double celsius = celsius_of(drawing, degrees);
        if (places[i] != 0 && !(celsius >= 0 && celsius <= 50))
            continue;
        pl_buf_append_cstr(out, first ? "" : ",");
        put_curve(out, drawing, degrees);
        first = false;
    }
    pl_buf_append_byte(out, ']');
}

// Between the lowest and the highest that trustworthy sets give at the bold curve's temperature.
static void put_band(struct pl_buf *out, const struct drawing *drawing)
{
    double celsius = celsius_of(drawing, drawing->centre);
    bool first = true;
    pl_buf_append_cstr(out, ",\"band\":[");
    for (int ur = 10; ur <= 95; ur++) {
        struct grain_spread spread = grain_spread_at(drawing->state->culture, drawing->set, celsius, ur, false, false);
        if (spread.sets < 2 || isnan(spread.low))
            continue;
        pl_buf_printf(out, "%s[%d,", first ? "" : ",", ur);
        grain_put_fixed(out, spread.low, 2);
        pl_buf_append_byte(out, ',');
        grain_put_fixed(out, spread.high, 2);
        pl_buf_append_byte(out, ']');
        first = false;
    }
    const struct grain_range *range = grain_set_range(drawing->set);
    pl_buf_append_cstr(out, "],\"range\":[");
    grain_put_fixed(out, range->ur_low, 1);
    pl_buf_append_byte(out, ',');
    grain_put_fixed(out, fmin(95, range->ur_high), 1);
    pl_buf_append_byte(out, ']');
}

static void put_point(struct pl_buf *out, const struct page_state *state)
{
    const struct grain_result *result = &state->result;
    struct pl_buf text;
    pl_buf_append_cstr(out, ",\"point\":[");
    grain_put_fixed(out, result->ur, 3);
    pl_buf_append_byte(out, ',');
    grain_put_fixed(out, result->moisture, 3);
    pl_buf_append_byte(out, ']');
    pl_buf_init(&text, 64);
    grain_say_fixed(&text, state->lang, state->inverse ? result->ur : result->moisture);
    pl_buf_append_cstr(&text, state->inverse ? page_words(state, " % RH", " % UR", " % HR") : " %");
    put_text(out, "tag", &text);
}

static void say_label(struct pl_buf *out, const struct drawing *drawing)
{
    const struct page_state *state = drawing->state;
    enum grain_lang lang = state->lang;
    pl_buf_append_cstr(out, page_words(state, "Moisture of ", "Teor de água de ", "Humedad de "));
    grain_say_name(out, lang, state->culture, drawing->set);
    pl_buf_append_cstr(out, page_words(state, " over relative humidity at ", " conforme a umidade relativa a ",
                                       " según la humedad relativa a "));
    say_degrees(out, drawing, drawing->centre);
    pl_buf_append_cstr(out, page_words(state, ": from ", ": de ", ": de "));
    grain_say_fixed(out, lang, moisture_at(drawing, drawing->centre, 10));
    pl_buf_append_cstr(out, page_words(state, " % at 10 % humidity to ", " % com 10 % até ", " % con 10 % hasta "));
    grain_say_fixed(out, lang, moisture_at(drawing, drawing->centre, 95));
    pl_buf_append_cstr(out, page_words(state, " % at 95 %.", " % com 95 %.", " % con 95 %."));
    if (state->result.error != GRAIN_OK)
        return;
    pl_buf_append_cstr(out, page_words(state, " Your point: ", " Seu ponto: ", " Su punto: "));
    (state->inverse ? grain_say_fixed : grain_say_number)(out, lang, state->result.ur);
    pl_buf_append_cstr(out, page_words(state, " % humidity, ", " % de umidade relativa, ", " % de humedad relativa, "));
    (state->inverse ? grain_say_number : grain_say_fixed)(out, lang, state->result.moisture);
    pl_buf_append_cstr(out, page_words(state, " % moisture.", " % de teor de água.", " % de humedad del grano."));
}

// The typed temperature, or where nothing can be computed for it a usual one.
static double centre_of(const struct page_state *state, const struct grain_set *set, bool fahrenheit)
{
    double typed;
    if (!grain_parse_number(state->ta, &typed))
        return fahrenheit ? 77 : 25;
    double celsius = fahrenheit ? grain_celsius(typed) : typed;
    bool usable = celsius >= GRAIN_TA_MIN && celsius <= GRAIN_TA_MAX && celsius > grain_pole(set);
    return usable ? typed : fahrenheit ? 77 : 25;
}

void page_put_chart(struct pl_buf *out, const struct page_state *state)
{
    struct drawing drawing = {.state = state, .set = page_set(state), .fahrenheit = state->result.fahrenheit};
    struct pl_buf json, text;
    drawing.centre = centre_of(state, drawing.set, drawing.fahrenheit);
    pl_buf_init(&json, 1 << 16);
    pl_buf_append_byte(&json, '{');
    put_curves(&json, &drawing);
    put_band(&json, &drawing);
    if (state->result.error == GRAIN_OK)
        put_point(&json, state);
    pl_buf_init(&text, 4096);
    say_label(&text, &drawing);
    put_text(&json, "label", &text);
    pl_buf_append_byte(&json, '}');
    page_put_html(out, pl_buf_slice(&json));
    pl_buf_take_over(out, &json);
}
