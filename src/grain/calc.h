// From the fields of a request, as they came, to a result or an error; and both of these as JSON.
#ifndef GRAIN_CALC_H
#define GRAIN_CALC_H

#include "base/buf.h"
#include "base/err.h"
#include "grain/grain.h"
#include "grain/say.h"
#include "grain/spread.h"

enum grain_field {
    GRAIN_F_GRAIN,
    GRAIN_F_TA,
    GRAIN_F_UR,
    GRAIN_F_MOISTURE,
    GRAIN_F_MODEL,
    GRAIN_F_SET,
    GRAIN_F_CURVE,
    GRAIN_F_BASIS,
    GRAIN_F_TA_UNIT,
    GRAIN_F_LANG,
    GRAIN_FIELDS
};

enum grain_kind {
    GRAIN_ABSENT, // also null
    GRAIN_NUMBER,
    GRAIN_STRING,
    GRAIN_BOOL,
    GRAIN_ARRAY,
    GRAIN_OBJECT
};

// Longer texts than any that is valid are cut here.
#define GRAIN_TEXT_MAX 96

struct grain_value {
    enum grain_kind kind;
    bool cut; // the text was longer
    uint8_t len;
    double number; // not finite when the number in the request was too large
    char text[GRAIN_TEXT_MAX];
};

struct grain_request {
    struct grain_value field[GRAIN_FIELDS];
    struct grain_value unknown; // name of the first field that we do not know
    size_t unknown_count;
    enum grain_kind item; // what the item itself was: an object, if all is well
    bool repeated[GRAIN_FIELDS];
};

enum grain_error {
    GRAIN_OK,
    GRAIN_E_NOT_OBJECT,
    GRAIN_E_MISSING,
    GRAIN_E_REPEATED,
    GRAIN_E_TYPE,
    GRAIN_E_NUMBER, // a text that is no number
    GRAIN_E_RANGE,
    GRAIN_E_POLE,
    GRAIN_E_CHOICE,
    GRAIN_E_GRAIN,
    GRAIN_E_MODEL,
    GRAIN_E_SET,
    GRAIN_E_CURVE, // the culture has no constants of it
    GRAIN_E_CONFLICT,
    GRAIN_E_NO_ANSWER
};

enum grain_warning {
    GRAIN_W_TA_RANGE = 1,
    GRAIN_W_UR_RANGE = 2,
    GRAIN_W_POLE = 4,
    GRAIN_W_UNCONFIRMED = 8,
    GRAIN_W_UNKNOWN_FIELD = 16,
    GRAIN_W_NAME = 32,         // the name was taken as a culture or a set that has another
    GRAIN_W_FRACTION = 64,     // a humidity below 1 %: was a fraction meant?
    GRAIN_W_NO_MOISTURE = 128, // of the tool for air: the equation has none for it
    GRAIN_W_ALONE = 256,       // no other set to compare with
    GRAIN_W_SATURATED = 512    // a humidity above GRAIN_SATURATED_UR counts as that
};
#define GRAIN_W_LAST GRAIN_W_SATURATED
#define GRAIN_WARNINGS 10
_Static_assert(1u << (GRAIN_WARNINGS - 1) == GRAIN_W_LAST, "each warning has a place");
// Those about the temperature, and those about the humidity, whatever field it was given by.
#define GRAIN_W_OF_TA (GRAIN_W_TA_RANGE | GRAIN_W_POLE)
#define GRAIN_W_OF_UR (GRAIN_W_UR_RANGE | GRAIN_W_NO_MOISTURE | GRAIN_W_SATURATED)
// Which of them are due where a set is used: its range, its pole, saturation. A humidity that was computed is taken as
// it is told, with one decimal.
unsigned grain_range_warnings(const struct grain_set *set, double celsius, double ur, bool computed);

struct grain_result {
    enum grain_error error;
    enum grain_field field; // that the error is about
    enum grain_lang lang;
    const struct grain_culture *culture; // NULL until it is known
    const struct grain_culture *nearest; // to a name that is not known; may be NULL
    const struct grain_text *why;        // for a crop that is known to have no constants; else NULL
    const struct grain_set *set;
    bool fahrenheit;            // unit of `ta`
    bool dry;                   // basis of `moisture`
    bool inverse;               // `ur` was computed from `moisture`
    double ta;                  // as given
    double ta_c;                // the same in °C
    double ur;                  // percent
    double moisture;            // percent
    struct grain_spread spread; // of what was computed
    unsigned warnings;
    const char
        *warning_fields[GRAIN_WARNINGS]; // what each is about, by the number of its bit; NULL: as of a calculation
    bool in_range;
};

extern const char *const grain_field_names[GRAIN_FIELDS];
bool grain_field_by_name(struct pl_slice name, enum grain_field *field);

void grain_request_init(struct grain_request *request);
// Puts a text (of a query, a form, a command line) into a field; an unknown name is kept for the warning.
void grain_request_put(struct grain_request *request, struct pl_slice name, struct pl_slice value);
void grain_request_put_unknown(struct grain_request *request, struct pl_slice name);
void grain_value_set_text(struct grain_value *value, struct pl_slice text);

// The number in a text: decimal point or decimal comma, nothing else around it.
bool grain_parse_number(struct pl_slice text, double *out);
// The number in a text with a decimal point, however many decimals it has.
bool grain_parse_decimal(struct pl_slice text, double *out);

// The pole of the result's set in the unit of its temperature, without the last bits that a conversion leaves.
double grain_pole_shown(const struct grain_result *result);

// Checks and computes. The culture, set, language, basis and unit alone (for tables) with grain_choose.
void grain_choose(const struct grain_request *request, struct grain_result *result);
void grain_calculate(const struct grain_request *request, struct grain_result *result);
// ---- words and JSON (answer.c, words.c) ----

// The shortest text of a number; "25" and "25.5" without the slow way.
void grain_put_number(struct pl_buf *out, double value);
// A text as a JSON string behind what is before it: a comma, a name with its colon, nothing.
void grain_put_text(struct pl_buf *out, const char *before, const char *text);
// JSON with one or more decimals: a value, which is null where it is not finite, and as a member ",\"name\":12.3".
void grain_put_fixed(struct pl_buf *out, double value, unsigned decimals);
void grain_put_member(struct pl_buf *out, const char *name, double value, unsigned decimals);
// A humidity as the member "ur", the highest of all as a bound.
void grain_write_humidity(struct pl_buf *out, double ur);
const char *grain_error_code(enum grain_error error);
const char *grain_warning_code(enum grain_warning warning);
// The field that it is about, as it was given.
const char *grain_warning_field(const struct grain_result *result, enum grain_warning warning);
// One sentence in the result's language.
void grain_say_error(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result);
void grain_say_warning(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result,
                       enum grain_warning warning);

// What is said in place of a narrow spread: that the sets agree, and the error of this one where it is known.
void grain_say_agreement(struct pl_buf *out, const struct grain_result *result);

// Sentences that the calculation and the tools share, about a field by its name and its meaning.
void grain_say_missing(struct pl_buf *out, enum grain_lang lang, const char *name, const char *meaning);
void grain_say_repeated(struct pl_buf *out, enum grain_lang lang, const char *name);
// The words that a field may have, ended by NULL: a sentence, and the JSON array of them.
const char *const *grain_choices(const char *name);
void grain_say_choices(struct pl_buf *out, enum grain_lang lang, const char *name, const char *const *words);
void grain_write_choices(struct pl_buf *out, const char *const *words);
// The temperature of a field is not above the pole of the result's set.
void grain_say_pole(struct pl_buf *out, const struct grain_result *result, const char *name);
void grain_write_above_pole(struct pl_buf *out, const struct grain_result *result);
// ",\"spread\":{...}"
void grain_write_spread(struct pl_buf *out, const struct grain_spread *spread);

// The warnings of a result as JSON objects with commas between.
void grain_write_warnings(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result);
// The answer to one calculation, result or error, as one JSON object.
void grain_write_answer(struct pl_buf *out, const struct grain_request *request, const struct grain_result *result);

#endif
