// The fields of the tools beside the calculation (air, keeping, shrink, hours): taken as texts, read one by one,
// refused by name.
#ifndef GRAIN_FIELDS_H
#define GRAIN_FIELDS_H

#include "grain/calc.h"

enum grain_tool_field {
    GRAIN_T_GRAIN,
    GRAIN_T_MODEL,
    GRAIN_T_SET,
    GRAIN_T_CURVE,
    GRAIN_T_TA,
    GRAIN_T_UR,
    GRAIN_T_DEW_POINT,
    GRAIN_T_WET_BULB,
    GRAIN_T_ALTITUDE,
    GRAIN_T_FAN_HEAT,
    GRAIN_T_MOISTURE,
    GRAIN_T_DAMAGE,
    GRAIN_T_FROM,
    GRAIN_T_TO,
    GRAIN_T_MASS,
    GRAIN_T_BASIS,
    GRAIN_T_GRAIN_TA,
    GRAIN_T_HOLD,
    GRAIN_T_STRICT,
    GRAIN_T_TEMPERATURE_COLUMN,
    GRAIN_T_HUMIDITY_COLUMN,
    GRAIN_T_OVER,
    GRAIN_T_GOAL,
    GRAIN_T_AIRFLOW,
    GRAIN_T_TARGET,
    GRAIN_T_TA_UNIT,
    GRAIN_T_LANG,
    GRAIN_TOOL_FIELDS
};

// What was given, as it came; borrowed.
struct grain_fields {
    uint32_t takes; // bits of the fields that the tool has
    uint32_t given, repeated;
    struct pl_slice value[GRAIN_TOOL_FIELDS];
    struct pl_slice unknown; // name of the first field that the tool has not
    size_t unknown_count;
    uint32_t idle; // bits of the fields that were given and change nothing about this answer
    bool fahrenheit;
    bool for_people;            // sentences name a field by its meaning, not by its name in the interface
    const char *const *options; // the fields' names on the command line, for sentences; NULL: elsewhere
    bool of_form;               // the fields that are put are parts of a form
    enum grain_lang lang;
    // The problem, when one of the readers below has returned false.
    const char *code; // NULL: none
    enum grain_tool_field field;
    struct grain_request request; // for the sentences about a grain, a model or a set
    struct grain_result chosen;
    double low, high; // the bounds that a number missed
    bool has_bounds;
    bool at_pole; // the temperature is not above the pole of the set
};

#define GRAIN_BIT(field) (1u << (field))

extern const char *const grain_tool_field_names[GRAIN_TOOL_FIELDS];
extern const struct grain_text grain_tool_field_meanings[GRAIN_TOOL_FIELDS]; // for people

void grain_fields_init(struct grain_fields *fields, uint32_t takes);
// What pages and forms send without a text was left empty and counts as not given; elsewhere it is refused when it is
// read.
void grain_fields_put(struct grain_fields *fields, struct pl_slice name, struct pl_slice value);
static inline bool grain_fields_has(const struct grain_fields *fields, enum grain_tool_field field)
{
    return (fields->given & GRAIN_BIT(field)) != 0;
}

// Readers: false is a refusal, kept in the fields. Language and unit first: the sentences and bounds need them.
bool grain_fields_read_common(struct grain_fields *fields);
// Culture and set; `chosen.culture` is NULL when none was given and none is required.
bool grain_fields_read_grain(struct grain_fields *fields, bool required);
// A number between low and high, both allowed. A field that is not given leaves *out as it is, unless it is required.
bool grain_fields_read_number(struct grain_fields *fields, enum grain_tool_field field, bool required, double low,
                              double high, double *out);
// A temperature in the unit of the fields; bounds and *out are in °C. `difference`: of two temperatures.
bool grain_fields_read_temperature(struct grain_fields *fields, enum grain_tool_field field, bool required, double low,
                                   double high, bool difference, double *out);
// Is a temperature in °C above the pole of the chosen set?
bool grain_fields_check_pole(struct grain_fields *fields, enum grain_tool_field field, double celsius);
// Below 0 °C humidity and dew point refer to supercooled water, as weather services report them, or to ice.
enum grain_over { GRAIN_OVER_WATER, GRAIN_OVER_ICE };
// What a fan is wanted for. No goal: no advice.
enum grain_goal { GRAIN_NO_GOAL, GRAIN_GOAL_DRY, GRAIN_GOAL_COOL, GRAIN_GOAL_HOLD, GRAIN_GOAL_REWET, GRAIN_GOALS };
bool grain_fields_read_goal(struct grain_fields *fields, enum grain_goal *goal);
bool grain_fields_read_over(struct grain_fields *fields, enum grain_over *over);
bool grain_fields_read_bool(struct grain_fields *fields, enum grain_tool_field field, bool *out);
// Is the value this word? Words have no case.
bool grain_fields_is(const struct grain_fields *fields, enum grain_tool_field field, const char *word);
bool grain_fields_refuse(struct grain_fields *fields, const char *code, enum grain_tool_field field);

// What was chosen, as the result that sentences speak about.
struct grain_result grain_fields_result(const struct grain_fields *fields);
// The refusal as a sentence, and as the JSON body of an error.
void grain_fields_say(struct pl_buf *out, const struct grain_fields *fields);
void grain_fields_write_error(struct pl_buf *out, const struct grain_fields *fields);
// Notes warnings that are about a field.
void grain_fields_warn(struct grain_fields *fields, unsigned warnings, enum grain_tool_field about);
// Notes where the air or the grain is outside the range of the chosen set, or near its pole.
// `ta` and `ur_by` are the fields that temperature and humidity were given by; a warning names the first that it is
// about.
void grain_fields_check_range(struct grain_fields *fields, double celsius, double ur, bool inverse,
                              enum grain_tool_field ta, enum grain_tool_field ur_by);
// Notes a field that changes nothing about this answer, if it was given.
void grain_fields_note_idle(struct grain_fields *fields, enum grain_tool_field field);
// Warnings about fields that are not known or change nothing, about a name, about constants and about ranges, as JSON
// objects; and with them the end of an answer.
void grain_fields_write_warnings(struct pl_buf *out, const struct grain_fields *fields);
void grain_fields_end_answer(struct pl_buf *out, const struct grain_fields *fields);

// A temperature of °C in the unit of the fields.
static inline double grain_fields_shown(const struct grain_fields *fields, double celsius)
{
    return fields->fahrenheit ? grain_fahrenheit(celsius) : celsius;
}

// One line of a result for people: a label and a value, which may have failed for lack of memory.
typedef void grain_row(struct pl_buf *out, const char *label, const struct pl_buf *value);
// Hands over the value of a line that was put together, and frees it.
void grain_end_row(grain_row *row, struct pl_buf *out, const char *label, struct pl_buf *value);
// A number with its unit; a dash where it is not finite.
void grain_put_row(grain_row *row, struct pl_buf *out, enum grain_lang lang, const char *label, double value,
                   unsigned decimals, const char *unit);

// The same warnings as lines for people; those of a calculation alone.
void grain_warning_rows(const struct grain_request *request, const struct grain_result *result, grain_row *row,
                        struct pl_buf *out);
void grain_fields_warning_rows(const struct grain_fields *fields, grain_row *row, struct pl_buf *out);

#endif
