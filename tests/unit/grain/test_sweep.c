// Every set of constants over humidity and temperature: the value, its range, the verdict and its sentence say the
// same.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/air.h"
#include "grain/keeping.h"
#include "grain/verdict.h"
#include "unit.h"

// What each way to ask answers for one point.
struct asked {
    const struct grain_culture *culture;
    const struct grain_set *set;
    double celsius;
    struct grain_result result;
    struct grain_fields fields;
    struct grain_verdict_answer verdict;
    char sentence[600];
};

// Texts of numbers, which fields do not copy.
struct texts {
    char degrees[40], value[40];
};

static void write_numbers(struct texts *texts, double celsius, double value)
{
    snprintf(texts->degrees, sizeof texts->degrees, "%.17g", celsius);
    snprintf(texts->value, sizeof texts->value, "%.17g", value);
}

static void fill(struct grain_fields *fields, uint32_t takes, const struct asked *asked, const struct texts *texts,
                 const char *degrees, const char *name)
{
    grain_fields_init(fields, takes);
    grain_fields_put(fields, pl_slice_cstr("grain"), pl_slice_cstr(asked->culture->id));
    grain_fields_put(fields, pl_slice_cstr("set"), pl_slice_cstr(asked->set->id));
    grain_fields_put(fields, pl_slice_cstr(degrees), pl_slice_cstr(texts->degrees));
    grain_fields_put(fields, pl_slice_cstr(name), pl_slice_cstr(texts->value));
}

// The calculation and the verdict, of air by its humidity or of grain by its moisture. False: both refuse.
static bool ask(struct asked *asked, const char *name, double value)
{
    struct grain_request request;
    struct texts texts;
    bool of_air = strcmp(name, "ur") == 0;
    write_numbers(&texts, asked->celsius, value);
    grain_request_init(&request);
    grain_request_put(&request, pl_slice_cstr("grain"), pl_slice_cstr(asked->culture->id));
    grain_request_put(&request, pl_slice_cstr("set"), pl_slice_cstr(asked->set->id));
    grain_request_put(&request, pl_slice_cstr("ta"), pl_slice_cstr(texts.degrees));
    grain_request_put(&request, pl_slice_cstr(name), pl_slice_cstr(texts.value));
    grain_calculate(&request, &asked->result);
    fill(&asked->fields, GRAIN_VERDICT_FIELDS, asked, &texts, of_air ? "ta" : "grainTa", name);
    bool judged = grain_verdict_answer(&asked->fields, &asked->verdict);
    // Grain too moist for any humidity has a verdict all the same.
    if (of_air && judged != (asked->result.error == GRAIN_OK))
        fail_msg("%s %s, %g °C, %g %%: %s, %d", asked->culture->id, asked->set->id, asked->celsius, value,
                 judged ? "judged" : asked->fields.code, asked->result.error);
    if (!judged)
        return false;
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    grain_say_verdict(&text, &asked->fields, &asked->verdict);
    snprintf(asked->sentence, sizeof asked->sentence, "%.*s", (int)text.len, (const char *)text.data);
    pl_buf_fini(&text);
    return true;
}

static bool says(const struct asked *asked, const char *before, double value, const char *after)
{
    struct pl_buf text;
    char words[80];
    pl_buf_init(&text, 64);
    grain_say_number(&text, GRAIN_EN, round(value * 10) / 10);
    snprintf(words, sizeof words, "%s%.*s%s", before, (int)text.len, (const char *)text.data, after);
    pl_buf_fini(&text);
    return strstr(asked->sentence, words) != NULL;
}

static bool unknown_temperature(const struct asked *asked)
{
    const struct grain_range *range = grain_set_range(asked->set);
    return asked->celsius < range->ta_low || asked->celsius > range->ta_high ||
           asked->celsius - grain_pole(asked->set) < 25;
}

static enum grain_verdict verdict_by(double ur, const struct grain_verdict_answer *verdict)
{
    double told = round(ur * 10) / 10;
    const struct grain_days *days = grain_days_told(&verdict->ndsu, &verdict->steele);
    bool lasts = days != NULL && days->relation != GRAIN_AT_MOST && grain_days_shown(days) >= 180;
    return told < 65 && !(round(verdict->spread.high * 10) / 10 > 70) ? GRAIN_VERDICT_SAFE
           : told <= 70 || lasts                                      ? GRAIN_VERDICT_WATCH
                                                                      : GRAIN_VERDICT_SPOILS;
}

static void check_air_tool(const struct asked *asked, double ur)
{
    struct grain_fields fields;
    struct grain_air_answer air;
    struct texts texts;
    write_numbers(&texts, asked->celsius, ur);
    fill(&fields, GRAIN_AIR_FIELDS, asked, &texts, "ta", "ur");
    assert_true(grain_air_answer(&fields, &air));
    assert_true(air.moisture == asked->result.moisture);
    assert_true(air.spread.low == asked->result.spread.low && air.spread.high == asked->result.spread.high);
}

static void check_air(struct asked *asked, double ur)
{
    if (!ask(asked, "ur", ur))
        return;
    const struct grain_result *result = &asked->result;
    const struct grain_verdict_answer *verdict = &asked->verdict;
    // One number: of the calculation, of the verdict, of the tool for air. Above 99 % it is that of 99 %.
    assert_true(verdict->moisture == result->moisture && verdict->towards == result->moisture);
    assert_true(result->moisture == grain_wet_from_dry(grain_moisture(asked->set, asked->celsius, fmin(ur, 99) / 100)));
    assert_int_equal((result->warnings & GRAIN_W_SATURATED) != 0, ur > 99);
    check_air_tool(asked, ur);
    // One range.
    const unsigned range = GRAIN_W_TA_RANGE | GRAIN_W_UR_RANGE | GRAIN_W_POLE | GRAIN_W_SATURATED | GRAIN_W_ALONE;
    assert_int_equal(verdict->in_range, result->in_range);
    assert_int_equal(asked->fields.chosen.warnings & range, result->warnings & range);
    // The humidity is given, so the verdict follows it; what is computed beyond the range is neither said nor used.
    bool known = result->in_range && !unknown_temperature(asked);
    assert_int_equal(verdict->verdict,
                     unknown_temperature(asked) ? GRAIN_VERDICT_UNKNOWN : verdict_by(fmin(ur, 99), verdict));
    assert_int_equal(strstr(asked->sentence, "% moisture") != NULL, known);
    assert_true(known || (verdict->ndsu.relation == GRAIN_NO_DAYS && verdict->steele.relation == GRAIN_NO_DAYS));
    if (!unknown_temperature(asked)) {
        assert_true(says(asked, "kernels has ", fmin(ur, 99), "\u00a0% humidity"));
        assert_int_equal(strstr(asked->sentence, "grow fast") != NULL, round(ur * 10) / 10 >= 80);
    }
}

static void check_keeping(const struct asked *asked, double moisture)
{
    struct grain_fields fields;
    struct grain_keeping_answer keeping;
    const struct grain_verdict_answer *verdict = &asked->verdict;
    struct texts texts;
    write_numbers(&texts, asked->celsius, moisture);
    fill(&fields, GRAIN_KEEPING_FIELDS, asked, &texts, "grainTa", "moisture");
    assert_int_equal(grain_keeping_answer(&fields, &keeping), !isnan(verdict->ur));
    if (isnan(verdict->ur))
        return;
    assert_true(keeping.ur == verdict->ur && keeping.band == verdict->band && keeping.in_range == verdict->in_range);
    assert_true(keeping.cautious_band >= keeping.band);
    assert_int_equal(isnan(keeping.safe_moisture),
                     unknown_temperature(asked) || grain_set_range(asked->set)->ur_high < 65);
}

static void check_grain(struct asked *asked, double moisture)
{
    if (!ask(asked, "moisture", moisture))
        return;
    const struct grain_result *result = &asked->result;
    const struct grain_verdict_answer *verdict = &asked->verdict;
    const struct grain_range *range = grain_set_range(asked->set);
    check_keeping(asked, moisture);
    if (result->error != GRAIN_OK) {
        // No humidity below 100 % holds it, or none above 0.
        assert_true(isnan(verdict->ur) || verdict->ur >= 99.9);
        return;
    }
    assert_true(verdict->ur == result->ur);
    assert_int_equal(verdict->in_range, result->in_range);
    double told = round(result->ur * 10) / 10;
    bool above = told > range->ur_high, below = told < range->ur_low;
    // Beyond its range a set says "more than its end", and judges by that.
    bool unknown = unknown_temperature(asked) || (above && range->ur_high <= 70);
    assert_int_equal(verdict->verdict, unknown ? GRAIN_VERDICT_UNKNOWN
                                               : verdict_by(fmin(fmax(told, range->ur_low), range->ur_high), verdict));
    if (unknown)
        return;
    assert_int_equal(says(asked, "has more than ", range->ur_high, "\u00a0% humidity"), above);
    assert_int_equal(says(asked, "has less than ", range->ur_low, "\u00a0% humidity"), below);
    assert_int_equal(says(asked, "kernels has ", told, "\u00a0% humidity"), !above && !below);
    assert_int_equal(strstr(asked->sentence, "grow fast") != NULL, fmin(told, range->ur_high) >= 80);
}

static void sweep(struct asked *asked)
{
    const struct grain_range *range = grain_set_range(asked->set);
    const double ends[] = {range->ur_low, range->ur_high, 65, 70, 80, 99};
    for (double ur = 1; ur < 100; ur += 1)
        check_air(asked, ur);
    for (size_t i = 0; i < PL_COUNTOF(ends); i++) {
        for (int tenths = -1; tenths <= 1; tenths++)
            check_air(asked, ends[i] + tenths / 10.0);
    }
    check_air(asked, 99.9);
    check_air(asked, 99.99);
    for (double moisture = 2; moisture <= 40; moisture += 1)
        check_grain(asked, moisture);
    // Grain at the very end of the range, and a little beside it.
    for (size_t i = 0; i < 2; i++) {
        double moisture = grain_wet_from_dry(grain_moisture(asked->set, asked->celsius, ends[i] / 100));
        for (int hundredths = -2; hundredths <= 2; hundredths++) {
            if (moisture > 2)
                check_grain(asked, moisture + hundredths / 100.0);
        }
    }
}

static void value_range_verdict_and_sentence_agree_everywhere(void **state)
{
    (void)state;
    size_t sets = 0;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        for (size_t k = 0; k < grain_cultures()[i].set_count; k++, sets++) {
            struct asked asked = {.culture = &grain_cultures()[i], .set = &grain_cultures()[i].sets[k]};
            for (asked.celsius = -10; asked.celsius <= 50; asked.celsius += 5)
                sweep(&asked);
        }
    }
    assert_true(sets > GRAIN_CULTURES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_range_verdict_and_sentence_agree_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
