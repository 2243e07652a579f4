// One calculation's result or error as a JSON object. Written by hand: a batch has ten thousand of them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "grain/calc.h"
#include "grain/published.h"
#include "os/once.h"

#define PUT(out, literal) pl_buf_append((out), "" literal, sizeof(literal) - 1)

// The shortest text of a number. Returns its length.
static size_t number_text(double value, char text[PL_FMT_DOUBLE_MAX])
{
    // With few decimals the value is a whole number divided by a power of ten, both exact: nothing shorter can be
    // right.
    static const double power[] = {1e0, 1e1, 1e2, 1e3};
    double size = fabs(value);
    for (unsigned decimals = 0; decimals <= 3 && size < 1e9; decimals++) {
        double scaled = nearbyint(size * power[decimals]);
        if (scaled / power[decimals] != size)
            continue;
        uint64_t digits = (uint64_t)scaled;
        char *end = text + PL_FMT_DOUBLE_MAX, *at = end;
        for (unsigned i = 0; i <= decimals || digits > 0; i++) {
            if (i == decimals && i > 0)
                *--at = '.';
            *--at = (char)('0' + digits % 10);
            digits /= 10;
        }
        if (value < 0)
            *--at = '-';
        size_t len = (size_t)(end - at);
        memmove(text, at, len);
        return len;
    }
    return pl_format_double(value, text);
}

void grain_put_number(struct pl_buf *out, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    pl_buf_append(out, text, number_text(value, text));
}

void grain_put_text(struct pl_buf *out, const char *before, const char *text)
{
    pl_buf_append_cstr(out, before);
    pl_buf_append_json_string(out, pl_slice_cstr(text));
}

void grain_put_fixed(struct pl_buf *out, double value, unsigned decimals)
{
    if (isfinite(value))
        pl_buf_append_fixed(out, value, decimals);
    else
        pl_buf_append_cstr(out, "null");
}

void grain_put_member(struct pl_buf *out, const char *name, double value, unsigned decimals)
{
    pl_buf_printf(out, ",\"%s\":", name);
    grain_put_fixed(out, value, decimals);
}

void grain_write_humidity(struct pl_buf *out, double ur)
{
    grain_put_member(out, "ur", ur, 1);
    if (ur >= GRAIN_UR_HIGHEST)
        pl_buf_append_cstr(out, ",\"urRelation\":\"atLeast\"");
}

// A sentence as a JSON string; built aside because it may hold bytes of the request.
static void put_sentence(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result,
                         enum grain_warning warning)
{
    struct pl_buf sentence;
    pl_buf_init(&sentence, 2048);
    if (result->error != GRAIN_OK)
        grain_say_error(&sentence, request, result);
    else
        grain_say_warning(&sentence, request, result, warning);
    pl_buf_append_json_string(out, pl_buf_slice(&sentence));
    pl_buf_take_over(out, &sentence);
}

void grain_write_warnings(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    bool first = true;
    for (unsigned bit = 1; bit <= GRAIN_W_LAST; bit <<= 1) {
        if ((result->warnings & bit) == 0)
            continue;
        enum grain_warning warning = (enum grain_warning)bit;
        grain_put_text(out, first ? "{\"code\":" : ",{\"code\":", grain_warning_code(warning));
        if (warning == GRAIN_W_UNKNOWN_FIELD) {
            PUT(out, ",\"field\":");
            pl_buf_append_json_string(out, pl_slice_make(request->unknown.text, request->unknown.len));
        } else {
            grain_put_text(out, ",\"field\":", grain_warning_field(result, warning));
        }
        PUT(out, ",\"message\":");
        put_sentence(out, request, result, warning);
        PUT(out, "}");
        first = false;
    }
}

void grain_write_choices(struct pl_buf *out, const char *const *words)
{
    PUT(out, ",\"allowed\":[");
    for (size_t i = 0; words[i] != NULL; i++)
        grain_put_text(out, i == 0 ? "" : ",", words[i]);
    PUT(out, "]");
}

void grain_write_above_pole(struct pl_buf *out, const struct grain_result *result)
{
    PUT(out, ",\"allowed\":{\"above\":");
    grain_put_number(out, grain_pole_shown(result));
    PUT(out, ",\"max\":");
    grain_put_number(out, result->fahrenheit ? grain_fahrenheit(GRAIN_TA_MAX) : GRAIN_TA_MAX);
    PUT(out, "}");
}

void grain_write_spread(struct pl_buf *out, const struct grain_spread *spread)
{
    if (isnan(spread->low) || isnan(spread->high)) {
        PUT(out, ",\"spread\":null");
        return;
    }
    PUT(out, ",\"spread\":{\"low\":");
    pl_buf_append_fixed(out, spread->low, 1);
    PUT(out, ",\"high\":");
    pl_buf_append_fixed(out, spread->high, 1);
    pl_buf_printf(out, ",\"sets\":%u}", spread->sets);
}

static void put_allowed_texts(struct pl_buf *out, const struct grain_result *result)
{
    bool first = true;
    if (result->error == GRAIN_E_CHOICE) {
        grain_write_choices(out, grain_choices(grain_field_names[result->field]));
        return;
    }
    PUT(out, ",\"allowed\":[");
    if (result->error == GRAIN_E_GRAIN) {
        for (size_t i = 0; i < GRAIN_CULTURES; i++)
            grain_put_text(out, i == 0 ? "" : ",", grain_cultures()[i].id);
    } else {
        for (size_t i = 0; i < result->culture->set_count; i++) {
            const struct grain_set *set = &result->culture->sets[i];
            if (result->error == GRAIN_E_MODEL && grain_set_by_equation(result->culture, set->equation) != set)
                continue;
            const char *id = result->error == GRAIN_E_SET ? set->id : grain_equation_info(set->equation)->id;
            grain_put_text(out, first ? "" : ",", id);
            first = false;
        }
    }
    PUT(out, "]");
}

static void put_allowed_numbers(struct pl_buf *out, const struct grain_result *result)
{
    double min = result->fahrenheit ? grain_fahrenheit(GRAIN_TA_MIN) : GRAIN_TA_MIN;
    double max = result->fahrenheit ? grain_fahrenheit(GRAIN_TA_MAX) : GRAIN_TA_MAX;
    if (result->error == GRAIN_E_POLE) {
        grain_write_above_pole(out, result);
        return;
    }
    if (result->field == GRAIN_F_TA) {
        PUT(out, ",\"allowed\":{\"min\":");
        grain_put_number(out, min);
        PUT(out, ",\"max\":");
    } else {
        PUT(out, ",\"allowed\":{\"above\":0,\"below\":");
        max = result->field == GRAIN_F_MOISTURE && result->dry ? 1000 : 100;
    }
    grain_put_number(out, max);
    PUT(out, "}");
}

static void put_error(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    PUT(out, "{\"ok\":false,\"error\":");
    put_sentence(out, request, result, GRAIN_W_UNKNOWN_FIELD);
    grain_put_text(out, ",\"code\":", grain_error_code(result->error));
    if (result->error != GRAIN_E_NOT_OBJECT)
        grain_put_text(out, ",\"field\":", grain_field_names[result->field]);
    if (result->error == GRAIN_E_GRAIN && result->nearest != NULL)
        grain_put_text(out, ",\"nearest\":", result->nearest->id);
    if (result->error == GRAIN_E_GRAIN || result->error == GRAIN_E_CHOICE || result->error == GRAIN_E_MODEL ||
        result->error == GRAIN_E_SET)
        put_allowed_texts(out, result);
    else if (result->error == GRAIN_E_RANGE || result->error == GRAIN_E_POLE)
        put_allowed_numbers(out, result);
    PUT(out, "}");
}

// The parts of an answer that depend on the culture or the set alone, written once.
struct fragment {
    char text[256];
    size_t len;
};

static struct {
    struct fragment culture[GRAIN_CULTURES];             // up to the temperature
    struct fragment set[GRAIN_CULTURES][GRAIN_SETS_MAX]; // equation, set and both ratings
} fragments;
static struct pl_once fragments_once = PL_ONCE_INIT;

static void make_fragments(void)
{
    // Ids and names come from our tables: nothing in them needs escaping.
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        struct fragment *fragment = &fragments.culture[i];
        fragment->len = (size_t)snprintf(
            fragment->text, sizeof fragment->text,
            "{\"ok\":true,\"grain\":\"%s\",\"name\":{\"en\":\"%s\",\"pt\":\"%s\",\"es\":\"%s\"},\"ta\":", culture->id,
            culture->name.in[GRAIN_EN], culture->name.in[GRAIN_PT], culture->name.in[GRAIN_ES]);
        for (size_t k = 0; k < culture->set_count && k < GRAIN_SETS_MAX; k++) {
            const struct grain_set *set = &culture->sets[k];
            fragment = &fragments.set[i][k];
            fragment->len = (size_t)snprintf(
                fragment->text, sizeof fragment->text,
                "\"equation\":\"%s\",\"set\":\"%s\",\"confidence\":\"%s\",\"agreement\":\"%s\",\"inRange\":",
                grain_equation_info(set->equation)->id, set->id, grain_confidence_id(set->confidence),
                grain_agreement_id(grain_agreement(culture, set)));
        }
    }
}

// Writing without a check at each step: the caller has reserved room for all of it.
static char *add(char *at, const void *data, size_t len)
{
    memcpy(at, data, len);
    return at + len;
}
#define ADD(at, literal) add((at), "" literal, sizeof(literal) - 1)

static char *add_fixed(char *at, double value)
{
    return at + pl_format_fixed(value, 1, at);
}

static char *add_number(char *at, double value)
{
    return at + number_text(value, at);
}

void grain_write_answer(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    if (result->error != GRAIN_OK) {
        put_error(out, request, result);
        return;
    }
    pl_once(&fragments_once, make_fragments);
    size_t index = (size_t)(result->culture - grain_cultures());
    const struct fragment *culture = &fragments.culture[index];
    const struct fragment *set = &fragments.set[index][result->set - result->culture->sets];
    char *start = (char *)pl_buf_reserve(out, 2 * sizeof culture->text + 320 + 6 * PL_FMT_DOUBLE_MAX);
    if (start == NULL)
        return;
    char *at = add(start, culture->text, culture->len);
    at = add_number(at, result->ta);
    at = result->fahrenheit ? ADD(at, ",\"taUnit\":\"F\",\"ur\":") : ADD(at, ",\"taUnit\":\"C\",\"ur\":");
    at = result->inverse ? add_fixed(at, result->ur) : add_number(at, result->ur);
    at = ADD(at, ",\"moisture\":");
    at = result->inverse ? add_number(at, result->moisture) : add_fixed(at, result->moisture);
    const char *unit = grain_unit(result->lang, result->dry);
    at = ADD(at, ",\"unit\":\"");
    at = add(at, unit, strlen(unit));
    at = result->dry ? ADD(at, "\",\"basis\":\"dry\",") : ADD(at, "\",\"basis\":\"wet\",");
    at = result->inverse ? ADD(at, "\"computed\":\"ur\",") : ADD(at, "\"computed\":\"moisture\",");
    at = ADD(at, "\"spread\":{\"low\":");
    at = add_fixed(at, result->spread.low);
    at = ADD(at, ",\"high\":");
    at = add_fixed(at, result->spread.high);
    at = ADD(at, ",\"sets\":");
    at = add_number(at, result->spread.sets);
    at = ADD(at, "},");
    at = add(at, set->text, set->len);
    at = result->in_range ? ADD(at, "true,\"warnings\":[") : ADD(at, "false,\"warnings\":[");
    out->len += (size_t)(at - start);
    if (result->warnings != 0)
        grain_write_warnings(out, request, result);
    PUT(out, "]}");
}
