// When to run the fan: the advice of the hours as spans of time, a line for each day.
#include <math.h>

#include "grain/hours.h"

#define DAY_MINUTES 1440

// The end of a day is 24:00, not the 00:00 of the next.
static void say_clock(struct pl_buf *out, int64_t minutes, bool is_end)
{
    char text[GRAIN_STAMP_TEXT];
    grain_minutes_text(minutes, text);
    bool midnight = is_end && minutes % DAY_MINUTES == 0;
    pl_buf_append_cstr(out, midnight ? "24:00" : text + GRAIN_STAMP_CLOCK);
}

static void say_span(struct pl_buf *out, enum grain_lang lang, bool first, int64_t from, int64_t to)
{
    pl_buf_append_cstr(out, first ? grain_words(lang, "run ", "ligar ", "encender ") : ", ");
    say_clock(out, from, false);
    pl_buf_append_cstr(out, "–");
    say_clock(out, to, true);
}

// The spans of one day from the row `at` on; returns the first row of another day.
static size_t say_day(struct pl_buf *out, enum grain_lang lang, const struct grain_hours *hours, size_t at)
{
    int64_t day = grain_day_of(grain_hour_clock(&hours->list[at])), from = 0, to = 0, end = 0;
    double total = 0;
    bool open = false, any = false;
    for (; at < hours->count && grain_day_of(grain_hour_clock(&hours->list[at])) == day; at++) {
        const struct grain_hour *hour = &hours->list[at];
        if (hour->error != GRAIN_HOUR_OK || !(hour->weight > 0) || !hour->run)
            continue;
        int64_t length = (int64_t)llround(hour->weight * 60);
        if (open && hour->minutes > end) {
            say_span(out, lang, !any, from, to);
            any = true;
            open = false;
        }
        if (!open)
            from = grain_hour_clock(hour);
        open = true;
        to = grain_hour_clock(hour) + length;
        end = hour->minutes + length;
        total += hour->weight;
    }
    if (open)
        say_span(out, lang, !any, from, to);
    if (total > 0) {
        pl_buf_append_cstr(out, " (");
        grain_say_number(out, lang, round(total * 10) / 10);
        pl_buf_append_cstr(out, " h)");
    } else {
        grain_say(out, lang, "stop all day", "desligado o dia todo", "apagado todo el día");
    }
    return at;
}

void grain_hours_plan_rows(enum grain_lang lang, const struct grain_hours *hours, grain_row *row, struct pl_buf *out)
{
    if (hours->goal == GRAIN_NO_GOAL || hours->answered == 0 || !hours->clock.read ||
        hours->clock.interval > DAY_MINUTES)
        return;
    size_t days = 0;
    for (size_t at = 0; at < hours->count && days < GRAIN_PLAN_DAYS;) {
        const struct grain_hour *hour = &hours->list[at];
        if (hour->error != GRAIN_HOUR_OK) {
            at++;
            continue;
        }
        struct pl_buf label, text;
        pl_buf_init(&label, 64);
        grain_hours_say_day(&label, lang, hours, grain_hour_clock(hour));
        if (hour->stamp.zoned && hour->stamp.east == 0)
            pl_buf_append_cstr(&label, " UTC");
        pl_buf_append_byte(&label, '\0');
        pl_buf_init(&text, 1024);
        at = say_day(&text, lang, hours, at);
        pl_buf_inherit(&text, &label);
        row(out, label.failed ? "" : (const char *)label.data, &text);
        pl_buf_fini(&label);
        pl_buf_fini(&text);
        days++;
    }
}
