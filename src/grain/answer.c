// One calculation's result or error as a JSON object. Written by hand: a batch has ten thousand of them.
#include <math.h>
#include <string.h>

#include "base/fmt.h"
#include "grain/calc.h"

#define PUT(out, literal) pl_buf_append((out), "" literal, sizeof(literal) - 1)

void grain_put_number(struct pl_buf *out, double value)
{
    // With few decimals the value is a whole number divided by a power of ten, both exact: nothing shorter can be
    // right.
    static const double power[] = {1e0, 1e1, 1e2, 1e3};
    char text[PL_FMT_DOUBLE_MAX];
    for (unsigned decimals = 0; decimals <= 3 && fabs(value) < 1e9; decimals++) {
        double scaled = nearbyint(value * power[decimals]);
        if (scaled / power[decimals] == value) {
            pl_buf_append(out, text, pl_format_fixed(value, decimals, text));
            return;
        }
    }
    pl_buf_append(out, text, pl_format_double(value, text));
}

static void put_fixed(struct pl_buf *out, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    pl_buf_append(out, text, pl_format_fixed(value, 1, text));
}

static void put_key_text(struct pl_buf *out, const char *key_with_colon, const char *text)
{
    pl_buf_append_cstr(out, key_with_colon);
    pl_buf_append_json_string(out, pl_slice_cstr(text));
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
    pl_buf_fini(&sentence);
}

void grain_write_warnings(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    bool first = true;
    for (unsigned bit = 1; bit <= GRAIN_W_UNKNOWN_FIELD; bit <<= 1) {
        if ((result->warnings & bit) == 0)
            continue;
        enum grain_warning warning = (enum grain_warning)bit;
        put_key_text(out, first ? "{\"code\":" : ",{\"code\":", grain_warning_code(warning));
        if (warning == GRAIN_W_UNKNOWN_FIELD) {
            PUT(out, ",\"field\":");
            pl_buf_append_json_string(out, pl_slice_make(request->unknown.text, request->unknown.len));
        } else {
            put_key_text(out, ",\"field\":", grain_field_names[grain_warning_field(warning)]);
        }
        PUT(out, ",\"message\":");
        put_sentence(out, request, result, warning);
        PUT(out, "}");
        first = false;
    }
}

static void put_allowed_texts(struct pl_buf *out, const struct grain_result *result)
{
    PUT(out, ",\"allowed\":[");
    bool first = true;
    if (result->error == GRAIN_E_GRAIN) {
        for (size_t i = 0; i < GRAIN_CULTURES; i++)
            put_key_text(out, i == 0 ? "" : ",", grain_cultures()[i].id);
    } else if (result->error == GRAIN_E_CHOICE) {
        pl_buf_append_cstr(out, result->field == GRAIN_F_LANG    ? "\"en\",\"pt\""
                                : result->field == GRAIN_F_BASIS ? "\"wet\",\"dry\""
                                                                 : "\"C\",\"F\"");
    } else {
        for (size_t i = 0; i < result->culture->set_count; i++) {
            const struct grain_set *set = &result->culture->sets[i];
            if (result->error == GRAIN_E_MODEL && grain_set_by_equation(result->culture, set->equation) != set)
                continue;
            const char *id = result->error == GRAIN_E_SET ? set->id : grain_equation_info(set->equation)->id;
            put_key_text(out, first ? "" : ",", id);
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
        double pole = grain_pole(result->set);
        PUT(out, ",\"allowed\":{\"above\":");
        grain_put_number(out, result->fahrenheit ? grain_fahrenheit(pole) : pole);
        PUT(out, ",\"max\":");
    } else if (result->field == GRAIN_F_TA) {
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
    put_key_text(out, ",\"code\":", grain_error_code(result->error));
    if (result->error != GRAIN_E_NOT_OBJECT)
        put_key_text(out, ",\"field\":", grain_field_names[result->field]);
    if (result->error == GRAIN_E_GRAIN && result->nearest != NULL)
        put_key_text(out, ",\"nearest\":", result->nearest->id);
    if (result->error == GRAIN_E_GRAIN || result->error == GRAIN_E_CHOICE || result->error == GRAIN_E_MODEL ||
        result->error == GRAIN_E_SET)
        put_allowed_texts(out, result);
    else if (result->error == GRAIN_E_RANGE || result->error == GRAIN_E_POLE)
        put_allowed_numbers(out, result);
    PUT(out, "}");
}

void grain_write_answer(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result)
{
    if (result->error != GRAIN_OK) {
        put_error(out, request, result);
        return;
    }
    // Ids and names come from our tables: nothing in them needs escaping.
    const struct grain_culture *culture = result->culture;
    PUT(out, "{\"ok\":true,\"grain\":\"");
    pl_buf_append_cstr(out, culture->id);
    PUT(out, "\",\"name\":{\"en\":\"");
    pl_buf_append_cstr(out, culture->name.in[GRAIN_EN]);
    PUT(out, "\",\"pt\":\"");
    pl_buf_append_cstr(out, culture->name.in[GRAIN_PT]);
    PUT(out, "\"},\"ta\":");
    grain_put_number(out, result->ta);
    pl_buf_append_cstr(out, result->fahrenheit ? ",\"taUnit\":\"F\",\"ur\":" : ",\"taUnit\":\"C\",\"ur\":");
    if (result->inverse)
        put_fixed(out, result->ur);
    else
        grain_put_number(out, result->ur);
    PUT(out, ",\"moisture\":");
    if (result->inverse)
        grain_put_number(out, result->moisture);
    else
        put_fixed(out, result->moisture);
    pl_buf_append_cstr(out, result->dry ? ",\"unit\":\"% d.b.\",\"basis\":\"dry\""
                                        : ",\"unit\":\"% w.b.\",\"basis\":\"wet\"");
    pl_buf_append_cstr(out, result->inverse ? ",\"computed\":\"ur\",\"equation\":\""
                                            : ",\"computed\":\"moisture\",\"equation\":\"");
    pl_buf_append_cstr(out, grain_equation_info(result->set->equation)->id);
    PUT(out, "\",\"set\":\"");
    pl_buf_append_cstr(out, result->set->id);
    PUT(out, "\",\"confidence\":\"");
    pl_buf_append_cstr(out, grain_confidence_id(result->set->confidence));
    pl_buf_append_cstr(out,
                       result->in_range ? "\",\"inRange\":true,\"warnings\":[" : "\",\"inRange\":false,\"warnings\":[");
    if (result->warnings != 0)
        grain_write_warnings(out, request, result);
    PUT(out, "]}");
}
