// Checks the fields of a request one by one, each refusal naming its field, and computes.
#include "grain/calc.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"

// Dry-basis moisture beyond this is no grain, and not asked about.
#define DRY_MAX 1000.0

const char *const grain_field_names[GRAIN_FIELDS] = {
    [GRAIN_F_GRAIN] = "grain",    [GRAIN_F_TA] = "ta",    [GRAIN_F_UR] = "ur",       [GRAIN_F_MOISTURE] = "moisture",
    [GRAIN_F_MODEL] = "model",    [GRAIN_F_SET] = "set",  [GRAIN_F_CURVE] = "curve", [GRAIN_F_BASIS] = "basis",
    [GRAIN_F_TA_UNIT] = "taUnit", [GRAIN_F_LANG] = "lang"};

bool grain_field_by_name(struct pl_slice name, enum grain_field *field)
{
    for (int i = 0; i < GRAIN_FIELDS; i++) {
        if (pl_slice_eq_nocase(name, pl_slice_cstr(grain_field_names[i]))) {
            *field = (enum grain_field)i;
            return true;
        }
    }
    return false;
}

void grain_request_init(struct grain_request *request)
{
    // The texts stay as they are: a batch makes ten thousand of these.
    for (int i = 0; i < GRAIN_FIELDS; i++) {
        request->field[i].kind = GRAIN_ABSENT;
        request->repeated[i] = false;
    }
    request->unknown.kind = GRAIN_ABSENT;
    request->unknown_count = 0;
    request->item = GRAIN_OBJECT;
}

void grain_value_set_text(struct grain_value *value, struct pl_slice text)
{
    value->kind = GRAIN_STRING;
    value->cut = text.len > GRAIN_TEXT_MAX;
    size_t len = PL_MIN(text.len, GRAIN_TEXT_MAX);
    // Never cut inside a character.
    while (value->cut && len > 0 && (text.ptr[len] & 0xC0) == 0x80)
        len--;
    value->len = (uint8_t)len;
    if (value->len > 0)
        memcpy(value->text, text.ptr, value->len);
}

void grain_request_put_unknown(struct grain_request *request, struct pl_slice name)
{
    if (request->unknown_count++ == 0)
        grain_value_set_text(&request->unknown, name);
}

void grain_request_put(struct grain_request *request, struct pl_slice name, struct pl_slice value)
{
    enum grain_field field;
    if (!grain_field_by_name(name, &field)) {
        grain_request_put_unknown(request, name);
        return;
    }
    struct grain_value *held = &request->field[field];
    const bool again = held->kind != GRAIN_ABSENT;
    const struct grain_value before = *held;
    grain_value_set_text(held, value);
    // The same value twice is one value.
    if (again &&
        (held->cut || !pl_slice_eq(pl_slice_make(before.text, before.len), pl_slice_make(held->text, held->len))))
        request->repeated[field] = true;
}

bool grain_parse_decimal(struct pl_slice text, double *out)
{
    char copy[60]; // pl_parse_double takes no more than this
    const uint8_t *point = text.len > sizeof copy ? memchr(text.ptr, '.', text.len) : NULL;
    if (point == NULL)
        return pl_parse_double(text, out);
    // Decimals that no double can tell apart are left out; an exponent behind them stays.
    size_t head = (size_t)(point - text.ptr) + 1, end = head;
    while (end < text.len && text.ptr[end] >= '0' && text.ptr[end] <= '9')
        end++;
    size_t tail = text.len - end;
    if (head + tail > sizeof copy - 30)
        return false;
    size_t kept = sizeof copy - tail;
    memcpy(copy, text.ptr, kept);
    memcpy(copy + kept, text.ptr + end, tail);
    return pl_parse_double(pl_slice_make(copy, sizeof copy), out);
}

bool grain_parse_number(struct pl_slice text, double *out)
{
    static const char minus[] = "\xE2\x88\x92"; // U+2212, which pages and spreadsheets write
    char copy[GRAIN_TEXT_MAX];
    if (text.len >= 3 && text.len <= sizeof copy && memcmp(text.ptr, minus, 3) == 0) {
        copy[0] = '-';
        memcpy(copy + 1, text.ptr + 3, text.len - 3);
        text = pl_slice_make(copy, text.len - 2);
    }
    if (text.len == 0 || text.len > sizeof copy)
        return false;
    memmove(copy, text.ptr, text.len);
    char *comma = memchr(copy, ',', text.len);
    if (comma != NULL) {
        if (memchr(copy, '.', text.len) != NULL)
            return false;
        *comma = '.';
    }
    return grain_parse_decimal(pl_slice_make(copy, text.len), out);
}

static bool refuse(struct grain_result *result, enum grain_error error, enum grain_field field)
{
    result->error = error;
    result->field = field;
    return false;
}

static struct pl_slice text_of(const struct grain_value *value)
{
    return pl_slice_make(value->text, value->len);
}

static bool read_number(const struct grain_request *request, enum grain_field field, struct grain_result *result,
                        double *out)
{
    const struct grain_value *value = &request->field[field];
    if (request->repeated[field])
        return refuse(result, GRAIN_E_REPEATED, field);
    switch (value->kind) {
    case GRAIN_ABSENT:
        return refuse(result, GRAIN_E_MISSING, field);
    case GRAIN_NUMBER:
        *out = value->number;
        return isfinite(*out) ? true : refuse(result, GRAIN_E_RANGE, field);
    case GRAIN_STRING:
        return !value->cut && grain_parse_number(text_of(value), out) ? true : refuse(result, GRAIN_E_NUMBER, field);
    case GRAIN_BOOL:
    case GRAIN_ARRAY:
    case GRAIN_OBJECT:
        break;
    }
    return refuse(result, GRAIN_E_TYPE, field);
}

// True with *present false when the field is not there.
static bool read_text(const struct grain_request *request, enum grain_field field, struct grain_result *result,
                      bool *present, struct pl_slice *out)
{
    const struct grain_value *value = &request->field[field];
    *present = value->kind != GRAIN_ABSENT;
    if (request->repeated[field])
        return refuse(result, GRAIN_E_REPEATED, field);
    if (*present && value->kind != GRAIN_STRING)
        return refuse(result, GRAIN_E_TYPE, field);
    if (*present)
        *out = text_of(value);
    return true;
}

// One of two words; the first is the default.
static bool read_choice(const struct grain_request *request, enum grain_field field, const char *first,
                        const char *second, struct grain_result *result, bool *is_second)
{
    bool present;
    struct pl_slice text;
    if (!read_text(request, field, result, &present, &text))
        return false;
    if (!present)
        return true;
    *is_second = pl_slice_eq_nocase(text, pl_slice_cstr(second));
    return *is_second || pl_slice_eq_nocase(text, pl_slice_cstr(first)) ? true : refuse(result, GRAIN_E_CHOICE, field);
}

// The first set of the curve that is asked for.
static bool choose_curve(const struct grain_request *request, struct grain_result *result, bool *present,
                         enum grain_curve *curve)
{
    struct pl_slice text;
    if (!read_text(request, GRAIN_F_CURVE, result, present, &text))
        return false;
    if (!*present)
        return true;
    if (!grain_curve_by_id(text, curve))
        return refuse(result, GRAIN_E_CHOICE, GRAIN_F_CURVE);
    if (result->set->curve == *curve)
        return true;
    const struct grain_set *set = grain_set_by_curve(result->culture, *curve);
    // Another kind of grain than the name means is no answer either.
    if (set == NULL || !grain_same_kind(set->kind, result->set->kind))
        return refuse(result, GRAIN_E_CURVE, GRAIN_F_CURVE);
    result->set = set;
    return true;
}

// `meant`: the set that the name of the grain itself names, or NULL.
static bool choose_set(const struct grain_request *request, struct grain_result *result, const struct grain_set *meant)
{
    bool with_model, with_set, with_curve;
    enum grain_curve curve = GRAIN_CURVE_MEAN;
    struct pl_slice model, id;
    enum grain_equation equation = GRAIN_EQUATIONS;
    if (!read_text(request, GRAIN_F_MODEL, result, &with_model, &model) ||
        !read_text(request, GRAIN_F_SET, result, &with_set, &id))
        return false;
    result->set = meant != NULL ? meant : &result->culture->sets[0];
    if (!choose_curve(request, result, &with_curve, &curve))
        return false;
    if (with_model) {
        const struct grain_set *set =
            grain_equation_by_id(model, &equation) ? grain_set_by_equation(result->culture, equation) : NULL;
        if (set == NULL)
            return refuse(result, GRAIN_E_MODEL, GRAIN_F_MODEL);
        // Of a curve the first set was chosen already.
        if (!with_curve || result->set->equation != equation)
            result->set = set;
    }
    if (with_set) {
        const struct grain_set *set = grain_set_by_id(result->culture, id);
        if (set == NULL)
            return refuse(result, GRAIN_E_SET, GRAIN_F_SET);
        if (with_model && set->equation != equation)
            return refuse(result, GRAIN_E_CONFLICT, GRAIN_F_SET);
        result->set = set;
    }
    return with_curve && result->set->curve != curve ? refuse(result, GRAIN_E_CONFLICT, GRAIN_F_CURVE) : true;
}

static bool read_lang(const struct grain_request *request, struct grain_result *result)
{
    bool present;
    struct pl_slice text;
    if (!read_text(request, GRAIN_F_LANG, result, &present, &text))
        return false;
    for (int lang = 0; present && lang < GRAIN_LANGS; lang++) {
        if (pl_slice_eq_nocase(text, pl_slice_cstr(grain_lang_id((enum grain_lang)lang)))) {
            result->lang = (enum grain_lang)lang;
            return true;
        }
    }
    return present ? refuse(result, GRAIN_E_CHOICE, GRAIN_F_LANG) : true;
}

static bool choose(const struct grain_request *request, struct grain_result *result)
{
    *result = (struct grain_result){.lang = GRAIN_EN};
    if (request->item != GRAIN_OBJECT)
        return refuse(result, GRAIN_E_NOT_OBJECT, GRAIN_F_GRAIN);
    bool present;
    if (!read_lang(request, result))
        return false;
    if (request->unknown_count > 0)
        result->warnings |= GRAIN_W_UNKNOWN_FIELD;
    struct pl_slice name;
    if (!read_text(request, GRAIN_F_GRAIN, result, &present, &name))
        return false;
    if (!present)
        return refuse(result, GRAIN_E_MISSING, GRAIN_F_GRAIN);
    struct grain_meaning meaning;
    if (request->field[GRAIN_F_GRAIN].cut || !grain_find_meaning(name, &meaning)) {
        result->why = grain_no_constants(name);
        result->nearest = result->why == NULL ? grain_nearest(name) : NULL;
        return refuse(result, GRAIN_E_GRAIN, GRAIN_F_GRAIN);
    }
    result->culture = meaning.culture;
    if (meaning.taken)
        result->warnings |= GRAIN_W_NAME;
    if (!choose_set(request, result, meaning.set))
        return false;
    if (!read_choice(request, GRAIN_F_BASIS, "wet", "dry", result, &result->dry) ||
        !read_choice(request, GRAIN_F_TA_UNIT, "C", "F", result, &result->fahrenheit))
        return false;
    if (result->set->confidence == GRAIN_CONF_M)
        result->warnings |= GRAIN_W_UNCONFIRMED;
    return true;
}

void grain_choose(const struct grain_request *request, struct grain_result *result)
{
    // What it found and what it refused are both in the result.
    (void)choose(request, result);
}

double grain_pole_shown(const struct grain_result *result)
{
    double pole = grain_pole(result->set);
    return result->fahrenheit ? round(grain_fahrenheit(pole) * 1e6) / 1e6 : pole;
}

static bool read_temperature(const struct grain_request *request, struct grain_result *result)
{
    if (!read_number(request, GRAIN_F_TA, result, &result->ta))
        return false;
    result->ta_c = result->fahrenheit ? grain_celsius(result->ta) : result->ta;
    if (!(result->ta_c >= GRAIN_TA_MIN && result->ta_c <= GRAIN_TA_MAX))
        return refuse(result, GRAIN_E_RANGE, GRAIN_F_TA);
    if (!(result->ta_c > grain_pole(result->set) + (result->fahrenheit ? GRAIN_CONVERSION_ERROR : 0)))
        return refuse(result, GRAIN_E_POLE, GRAIN_F_TA);
    return true;
}

static bool moisture_from_humidity(const struct grain_request *request, struct grain_result *result)
{
    if (!read_number(request, GRAIN_F_UR, result, &result->ur))
        return false;
    if (!(result->ur > 0 && result->ur < 100))
        return refuse(result, GRAIN_E_RANGE, GRAIN_F_UR);
    if (result->ur <= 1)
        result->warnings |= GRAIN_W_FRACTION;
    double dry = grain_moisture_in(result->set, result->ta_c, result->ur);
    if (isnan(dry))
        return refuse(result, GRAIN_E_NO_ANSWER, GRAIN_F_UR);
    result->moisture = result->dry ? dry : grain_wet_from_dry(dry);
    return true;
}

static bool humidity_from_moisture(const struct grain_request *request, struct grain_result *result)
{
    result->inverse = true;
    if (!read_number(request, GRAIN_F_MOISTURE, result, &result->moisture))
        return false;
    if (!(result->moisture > 0 && result->moisture < (result->dry ? DRY_MAX : 100)))
        return refuse(result, GRAIN_E_RANGE, GRAIN_F_MOISTURE);
    double dry = result->dry ? result->moisture : grain_dry_from_wet(result->moisture);
    result->ur = 100 * grain_humidity(result->set, result->ta_c, dry);
    if (!(result->ur >= GRAIN_UR_TOLD_LOW && result->ur < GRAIN_UR_TOLD_HIGH))
        return refuse(result, GRAIN_E_NO_ANSWER, GRAIN_F_MOISTURE);
    return true;
}

unsigned grain_range_warnings(const struct grain_set *set, double celsius, double ur, bool computed)
{
    const struct grain_range *range = grain_set_range(set);
    double told = computed ? round(ur * 10) / 10 : ur;
    unsigned warnings = 0;
    if (!(celsius >= range->ta_low && celsius <= range->ta_high))
        warnings |= GRAIN_W_TA_RANGE;
    if (!(told >= range->ur_low && told <= range->ur_high))
        warnings |= GRAIN_W_UR_RANGE;
    if (celsius - grain_pole(set) < GRAIN_POLE_MARGIN)
        warnings |= GRAIN_W_POLE;
    if (!computed && ur > GRAIN_SATURATED_UR)
        warnings |= GRAIN_W_SATURATED;
    return warnings;
}

void grain_calculate(const struct grain_request *request, struct grain_result *result)
{
    if (!choose(request, result) || !read_temperature(request, result))
        return;
    bool with_moisture = request->field[GRAIN_F_MOISTURE].kind != GRAIN_ABSENT;
    if (with_moisture && request->field[GRAIN_F_UR].kind != GRAIN_ABSENT) {
        (void)refuse(result, GRAIN_E_CONFLICT, GRAIN_F_MOISTURE);
        return;
    }
    bool done = with_moisture ? humidity_from_moisture(request, result) : moisture_from_humidity(request, result);
    if (!done)
        return;
    result->warnings |= grain_range_warnings(result->set, result->ta_c, result->ur, with_moisture);
    result->in_range = (result->warnings & (GRAIN_W_TA_RANGE | GRAIN_W_UR_RANGE)) == 0;
    result->spread = grain_spread_at(result->culture, result->set, result->ta_c,
                                     with_moisture ? result->moisture : result->ur, with_moisture, result->dry);
    if (result->spread.sets < 2)
        result->warnings |= GRAIN_W_ALONE;
}
