// The hours of a season as JSON.
#include <math.h>

#include "base/ckd.h"
#include "grain/hours.h"
#include "grain/hours_out.h"

#define PERIODS_MAX 400

// A text of the file as a JSON string.
static void put_json_text(struct pl_buf *out, struct pl_slice text)
{
    struct pl_buf clean;
    pl_buf_init(&clean, 4096);
    grain_hours_put_clean(&clean, text, false);
    pl_buf_append_json_string(out, pl_buf_slice(&clean));
    pl_buf_take_over(out, &clean);
}

static void put_time(struct pl_buf *out, const struct grain_hour *hour)
{
    struct pl_buf text;
    pl_buf_init(&text, 2 * GRAIN_TIME_TOLD + 8);
    pl_buf_append_slice(&text, pl_slice_sub(hour->time, 0, GRAIN_TIME_TOLD));
    if (hour->time.len > 0 && hour->hour.len > 0)
        pl_buf_append_byte(&text, ' ');
    pl_buf_append_slice(&text, pl_slice_sub(hour->hour, 0, GRAIN_TIME_TOLD));
    put_json_text(out, pl_buf_slice(&text));
    pl_buf_take_over(out, &text);
}

// Hours, whole or with two decimals.
static void put_hours(struct pl_buf *out, const char *name, double hours)
{
    pl_buf_printf(out, ",\"%s\":", name);
    grain_put_number(out, round(hours * 100) / 100);
}

static void put_count(struct pl_buf *out, const char *name, size_t count)
{
    pl_buf_printf(out, ",\"%s\":%zu", name, count);
}

static void put_errors(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    size_t shown = 0;
    pl_buf_append_cstr(out, ",\"errors\":[");
    for (size_t i = 0; i < hours->count && shown < GRAIN_BAD_ROWS_TOLD; i++) {
        if (hours->list[i].error == GRAIN_HOUR_OK)
            continue;
        pl_buf_printf(out, "%s{\"row\":%zu,\"message\":\"", shown++ == 0 ? "" : ",", hours->list[i].row);
        grain_hour_say_error(out, fields->lang, hours->list[i].error);
        pl_buf_append_cstr(out, "\"}");
    }
    pl_buf_append_byte(out, ']');
}

static void put_hour(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                     const struct grain_hour *hour)
{
    pl_buf_printf(out, "{\"row\":%zu,\"time\":", hour->row);
    put_time(out, hour);
    grain_put_member(out, "ta", grain_fields_shown(fields, hour->celsius), 1);
    grain_put_member(out, "ur", hour->ur, 1);
    grain_put_member(out, "moisture", hour->moisture, 1);
    if (!isnan(hours->grain_moisture))
        pl_buf_printf(out, ",\"effect\":\"%s\"", grain_effect_id(hour->effect));
    if (!isnan(hours->grain_celsius))
        pl_buf_append_cstr(out, hour->condensation ? ",\"condensation\":true" : ",\"condensation\":false");
    if (hours->goal != GRAIN_NO_GOAL) {
        pl_buf_append_cstr(out, hour->run ? ",\"fan\":\"run\"" : ",\"fan\":\"stop\"");
        grain_put_member(out, "threshold", hour->threshold, 1);
    }
    if (hour->saturated)
        pl_buf_append_cstr(out, ",\"saturated\":true");
    pl_buf_append_byte(out, '}');
}

static void put_periods(struct pl_buf *out, const struct grain_hours *hours)
{
    struct grain_period periods[PERIODS_MAX];
    size_t count = grain_hours_periods(hours, periods, PERIODS_MAX);
    pl_buf_append_cstr(out, ",\"periods\":[");
    for (size_t i = 0; i < count; i++) {
        const struct grain_period *period = &periods[i];
        pl_buf_printf(out, "%s{\"row\":%zu,\"time\":", i == 0 ? "" : ",", hours->list[period->first].row);
        put_time(out, &hours->list[period->first]);
        put_count(out, "count", period->count);
        put_hours(out, "hours", period->hours);
        grain_put_member(out, "low", period->low, 1);
        grain_put_member(out, "mean", period->mean, 1);
        grain_put_member(out, "high", period->high, 1);
        if (!isnan(hours->grain_moisture)) {
            for (int k = 0; k < GRAIN_EFFECTS; k++)
                put_hours(out, grain_effect_id((enum grain_effect)k), period->effects[k]);
        }
        if (hours->goal != GRAIN_NO_GOAL)
            put_hours(out, "run", period->run);
        pl_buf_append_byte(out, '}');
    }
    pl_buf_append_byte(out, ']');
}

static void put_summary(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    pl_buf_printf(out, ",\"summary\":{\"count\":%zu", hours->answered);
    put_hours(out, "hours", hours->clock.covered);
    grain_put_member(out, "low", hours->answered > 0 ? hours->low : NAN, 1);
    grain_put_member(out, "mean", hours->air.moisture, 1);
    grain_put_member(out, "high", hours->answered > 0 ? hours->high : NAN, 1);
    grain_write_spread(out, &hours->spread);
    if (hours->answered > 0) {
        pl_buf_append_cstr(out, ",\"method\":\"balance\",\"air\":{\"ta\":");
        grain_put_number(out, round(grain_fields_shown(fields, hours->air.celsius) * 10) / 10);
        grain_put_member(out, "ur", hours->air.ur, 1);
        grain_put_member(out, "vapourPressure", hours->air.vapour / 1000, 3);
        pl_buf_append_cstr(out, hours->mean_out_of_range ? "},\"inRange\":false" : "},\"inRange\":true");
    }
    put_hours(out, "saturated", hours->saturated);
    put_hours(out, "outOfRange", hours->out_of_range);
    if (!isnan(hours->grain_moisture)) {
        for (int i = 0; i < GRAIN_EFFECTS; i++)
            put_hours(out, grain_effect_id((enum grain_effect)i), hours->effects[i]);
    }
    if (!isnan(hours->grain_celsius))
        put_hours(out, "condensation", hours->condensation);
    pl_buf_append_byte(out, '}');
}

static void put_columns(struct pl_buf *out, const struct grain_hours *hours)
{
    pl_buf_append_cstr(out, ",\"columns\":{\"temperature\":");
    put_json_text(out, pl_slice_cstr(hours->csv.taken_ta.name));
    pl_buf_append_cstr(out, ",\"humidity\":");
    put_json_text(out, pl_slice_cstr(hours->csv.taken_ur.name));
    pl_buf_append_byte(out, '}');
}

// "2024-06-01T22:00", or "Day 1 22:00" where there are no dates.
static void put_stamp(struct pl_buf *out, const char *name, const struct grain_hours *hours, int64_t minutes)
{
    char text[GRAIN_STAMP_TEXT];
    grain_minutes_text(minutes, text);
    pl_buf_printf(out, ",\"%s\":\"", name);
    grain_hours_say_day(out, GRAIN_EN, hours, minutes);
    pl_buf_printf(out, "%c%s\"", hours->clock.dated ? 'T' : ' ', text + GRAIN_STAMP_CLOCK);
}

static void put_clock(struct pl_buf *out, const struct grain_hours *hours)
{
    const struct grain_clock *clock = &hours->clock;
    pl_buf_printf(out, ",\"times\":{\"read\":%s", clock->read ? "true" : "false");
    if (clock->read) {
        put_stamp(out, "first", hours, clock->starts);
        put_stamp(out, "last", hours, clock->ends);
        pl_buf_append_cstr(out, ",\"intervalMinutes\":");
        grain_put_number(out, clock->interval);
        put_hours(out, "covered", clock->covered);
        put_hours(out, "expected", clock->expected);
        put_count(out, "gaps", clock->gaps);
        put_hours(out, "longestGap", clock->longest_gap);
        if (clock->gaps > 0)
            put_stamp(out, "longestGapAt", hours, clock->longest_at);
        put_count(out, "repeated", clock->repeated);
        put_count(out, "outOfOrder", clock->backward);
        put_count(out, "clockChanges", clock->changes);
    }
    pl_buf_append_byte(out, '}');
}

static void put_warnings(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    pl_buf_append_cstr(out, ",\"warnings\":[");
    size_t before = out->len;
    grain_fields_write_warnings(out, fields);
    size_t next = 0;
    for (const struct grain_hours_note *note; (note = grain_hours_next_note(hours, &next)) != NULL;)
        pl_buf_printf(out, "%s{\"code\":\"%s\",\"field\":\"%s\",\"message\":\"%s\"}", out->len > before ? "," : "",
                      note->code, note->field, note->text.in[fields->lang]);
    pl_buf_append_byte(out, ']');
}

void grain_hours_write(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                       bool detail)
{
    pl_buf_printf(out, "{\"ok\":true,\"grain\":\"%s\",\"set\":\"%s\",\"taUnit\":\"%s\"", fields->chosen.culture->id,
                  fields->chosen.set->id, fields->fahrenheit ? "F" : "C");
    put_columns(out, hours);
    put_count(out, "rows", hours->count);
    put_count(out, "errorCount", hours->count - hours->answered);
    put_errors(out, fields, hours);
    put_summary(out, fields, hours);
    put_clock(out, hours);
    grain_hours_write_fan(out, fields, hours);
    put_periods(out, hours);
    if (detail) {
        bool first = true;
        pl_buf_append_cstr(out, ",\"hours\":[");
        for (size_t i = 0; i < hours->count; i++) {
            if (hours->list[i].error != GRAIN_HOUR_OK)
                continue;
            pl_buf_append_cstr(out, first ? "" : ",");
            put_hour(out, fields, hours, &hours->list[i]);
            first = false;
        }
        pl_buf_append_byte(out, ']');
    }
    put_warnings(out, fields, hours);
    pl_buf_append_byte(out, '}');
}

// What a request names the columns by: a name that two of them have is none, their numbers are.
static void put_names(struct pl_buf *out, const struct grain_csv_choices *choices, bool *first)
{
    for (size_t i = 0; i < choices->count; i++) {
        pl_buf_append_cstr(out, *first ? "" : ",");
        if (grain_csv_is_twin(choices, i))
            pl_buf_printf(out, "\"%d\"", choices->list[i].column + 1);
        else
            put_json_text(out, pl_slice_cstr(choices->list[i].name));
        *first = false;
    }
}

void grain_hours_write_problem(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    static const char *const codes[] = {"bad_csv", "ambiguous_columns", "unknown_column", "ambiguous_unit",
                                        "humidity_looks_like_fraction"};
    struct pl_buf sentence;
    pl_buf_init(&sentence, 8192);
    grain_hours_say_problem(&sentence, fields, hours);
    pl_buf_append_cstr(out, "{\"ok\":false,\"error\":");
    pl_buf_append_json_string(out, pl_buf_slice(&sentence));
    pl_buf_take_over(out, &sentence);
    pl_buf_printf(out, ",\"code\":\"%s\",\"choices\":{", codes[hours->problem]);
    if (hours->problem == GRAIN_HOURS_AMBIGUOUS_UNIT) {
        pl_buf_append_cstr(out, "\"taUnit\":[\"C\",\"F\"]}}");
        return;
    }
    bool first = true;
    pl_buf_append_cstr(out, "\"temperatureColumn\":[");
    put_names(out, &hours->csv.ta, &first);
    pl_buf_append_cstr(out, "],\"humidityColumn\":[");
    first = true;
    put_names(out, &hours->csv.ur, &first);
    put_names(out, &hours->csv.dew, &first);
    pl_buf_append_cstr(out, "]}}");
}

void grain_hours_write_refusal(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    pl_buf_append_cstr(out, "{\"ok\":false,\"error\":\"");
    grain_hours_say_refusal(out, fields->lang, hours);
    pl_buf_printf(out, "\",\"code\":\"%s\"", hours->answered == 0 ? "no_usable_rows" : "bad_rows");
    put_count(out, "errorCount", hours->count - hours->answered);
    put_errors(out, fields, hours);
    pl_buf_append_byte(out, '}');
}
