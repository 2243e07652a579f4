// Advice for the fan: the threshold of vapour pressures, the goals, and condensation that is never advised.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/air.h"
#include "grain/hours.h"
#include "grain/hours_out.h"
#include "unit.h"

struct asked {
    struct grain_fields fields;
    struct grain_hours hours;
    struct pl_error err;
};

// A day of each of these airs: temperatures from -5 to 40 °C, humidities from 20 to 100 %.
static void ask(struct asked *asked, const char *goal, const char *moisture, const char *celsius)
{
    struct pl_buf text;
    pl_buf_init(&text, 1 << 20);
    pl_buf_append_cstr(&text, "temp (C),rh\n");
    for (int ta = -5; ta <= 40; ta += 3) {
        for (int ur = 20; ur <= 100; ur += 5)
            pl_buf_printf(&text, "%d,%d\n", ta, ur);
    }
    grain_fields_init(&asked->fields, GRAIN_HOURS_FIELDS);
    grain_fields_put(&asked->fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
    grain_fields_put(&asked->fields, pl_slice_cstr("goal"), pl_slice_cstr(goal));
    grain_fields_put(&asked->fields, pl_slice_cstr("moisture"), pl_slice_cstr(moisture));
    grain_fields_put(&asked->fields, pl_slice_cstr("grainTa"), pl_slice_cstr(celsius));
    assert_int_equal(grain_hours_answer(&asked->fields, pl_buf_slice(&text), NULL, &asked->hours, &asked->err), PL_OK);
    pl_buf_fini(&text);
}

static void condensation_is_never_advised(void **state)
{
    (void)state;
    static const char *const goals[] = {"dry", "cool", "hold", "rewet"};
    static const char *const moistures[] = {"10", "14", "18", "24"}, *const degrees[] = {"-5", "5", "15", "30"};
    for (size_t g = 0; g < PL_COUNTOF(goals); g++) {
        size_t run = 0;
        for (size_t m = 0; m < PL_COUNTOF(moistures); m++) {
            for (size_t d = 0; d < PL_COUNTOF(degrees); d++) {
                struct asked asked;
                ask(&asked, goals[g], moistures[m], degrees[d]);
                for (size_t i = 0; i < asked.hours.count; i++) {
                    const struct grain_hour *hour = &asked.hours.list[i];
                    double dew = grain_air_dew_point(hour->vapour, GRAIN_OVER_WATER);
                    run += hour->run;
                    if (hour->run && (dew > asked.hours.grain_celsius || hour->ur > 99))
                        fail_msg("%s: grain at %s °C, air %g °C %g %%", goals[g], degrees[d], hour->celsius, hour->ur);
                }
                grain_hours_free(&asked.hours);
            }
        }
        assert_true(run > 5);
    }
}

// grain-aeration.com: run while the humidity of the outside air is below the threshold, at which its vapour pressure is
// that of the grain.
static void drying_hours_are_below_the_threshold_and_wetting_ones_above(void **state)
{
    (void)state;
    struct asked asked;
    ask(&asked, "dry", "17", "20");
    for (size_t i = 0; i < asked.hours.count; i++) {
        const struct grain_hour *hour = &asked.hours.list[i];
        if (hour->error != GRAIN_HOUR_OK)
            continue;
        assert_true(!hour->run || hour->ur < hour->threshold);
        assert_true(hour->effect != GRAIN_WETS || hour->ur > hour->threshold - 1e-9);
        double grain = grain_humidity(asked.hours.set, 20, grain_dry_from_wet(17)) * grain_air_saturation(20);
        double air = hour->threshold / 100 * grain_air_saturation_over(hour->celsius, GRAIN_OVER_WATER);
        assert_true(hour->threshold >= 100 - 1e-9 || fabs(air - grain) < 1e-6 * grain);
    }
    // What runs dries: the bin tends to less than the grain has.
    assert_true(asked.hours.run_hours > 0 && asked.hours.run_mean < 17);
    grain_hours_free(&asked.hours);
    ask(&asked, "cool", "14", "25");
    for (size_t i = 0; i < asked.hours.count; i++)
        assert_true(!asked.hours.list[i].run || asked.hours.list[i].celsius <= 19.5);
    grain_hours_free(&asked.hours);
    ask(&asked, "rewet", "11", "15");
    for (size_t i = 0; i < asked.hours.count; i++)
        assert_true(!asked.hours.list[i].run || asked.hours.list[i].moisture > 11);
    grain_hours_free(&asked.hours);
}

// Hellevang: air of 40 °F and 70 % that a fan warms by 3 to 5 °F has about 60 % and dries corn to about 14 to 14.5 %.
static void ndsus_april_air_dries_corn_to_what_ndsu_says(void **state)
{
    (void)state;
    double outside = grain_celsius(40), inside = grain_celsius(45);
    double ur = 70 * grain_air_saturation(outside) / grain_air_saturation(inside);
    assert_true(fabs(ur - 60) < 3);
    const struct grain_set *set = grain_find(pl_slice_cstr("corn"))->sets;
    double moisture = grain_wet_from_dry(grain_moisture(set, inside, ur / 100));
    assert_true(moisture > 13.5 && moisture < 14.6);
}

struct lines {
    char text[8][160];
    size_t count;
};
static struct lines lines;

static void keep_line(struct pl_buf *out, const char *label, const struct pl_buf *value)
{
    (void)out;
    if (lines.count < PL_COUNTOF(lines.text))
        snprintf(lines.text[lines.count++], sizeof lines.text[0], "%s: %.*s", label, (int)value->len,
                 (const char *)value->data);
}

static void ask_file(struct asked *asked, const char *text, const char *grain, const char *set, const char *moisture,
                     const char *celsius)
{
    grain_fields_init(&asked->fields, GRAIN_HOURS_FIELDS);
    const char *const fields[][2] = {
        {"grain", grain}, {"set", set}, {"goal", "dry"}, {"moisture", moisture}, {"grainTa", celsius}};
    for (size_t i = 0; i < PL_COUNTOF(fields); i++)
        grain_fields_put(&asked->fields, pl_slice_cstr(fields[i][0]), pl_slice_cstr(fields[i][1]));
    assert_int_equal(grain_hours_answer(&asked->fields, pl_slice_cstr(text), NULL, &asked->hours, &asked->err), PL_OK);
}

// PAMI (Agnew): air of 10 °C and 60 % has an equilibrium moisture of 14.2 % for wheat. While that is below the moisture
// of the grain, the fan dries it; while it is above, it wets it.
static void pamis_rule_decides_for_wheat(void **state)
{
    (void)state;
    static const struct {
        const char *moisture;
        bool run;
    } rows[] = {{"17", true}, {"15", true}, {"14.6", true}, {"14.1", false}, {"13", false}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        ask_file(&asked, "temp (C),rh\n10,60\n", "wheat", "henderson-d245.4", rows[i].moisture, "10");
        assert_float_equal(round(asked.hours.list[0].moisture * 10) / 10, 14.2, 1e-9);
        assert_int_equal(asked.hours.list[0].run, rows[i].run);
        grain_hours_free(&asked.hours);
    }
}

static void check_plan(const char *text, const char *const *expected, size_t count)
{
    struct asked asked;
    ask_file(&asked, text, "corn", "chung-pfost-d245.4", "17", "20");
    lines.count = 0;
    grain_hours_plan_rows(GRAIN_EN, &asked.hours, keep_line, NULL);
    assert_int_equal(lines.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(lines.text[i], expected[i]);
    grain_hours_free(&asked.hours);
}

// Hours of 40 % dry the grain, hours of 95 % do not.
static void the_plan_has_spans_by_the_clock_of_the_file(void **state)
{
    (void)state;
    check_plan("time,temp (C),rh\n2024-06-01 21:00,20,95\n2024-06-01 22:00,20,40\n2024-06-01 23:00,20,40\n"
               "2024-06-02 00:00,20,40\n2024-06-02 01:00,20,95\n2024-06-02 02:00,20,40\n2024-06-03 00:00,20,95\n",
               (const char *const[]){"2024-06-01: run 22:00–24:00 (2 h)",
                                     "2024-06-02: run 00:00–01:00, 02:00–03:00 (2 h)", "2024-06-03: stop all day"},
               3);
    // By the clock on the wall, also where the file says its distance from UTC.
    check_plan("time,temp (C),rh\n2024-06-01T22:00-03:00,20,95\n2024-06-01T23:00-03:00,20,40\n"
               "2024-06-02T00:00-03:00,20,40\n",
               (const char *const[]){"2024-06-01: run 23:00–24:00 (1 h)", "2024-06-02: run 00:00–01:00 (1 h)"}, 2);
    check_plan("time,temp (C),rh\n2024-06-01T22:00Z,20,40\n2024-06-01T23:00Z,20,40\n",
               (const char *const[]){"2024-06-01 UTC: run 22:00–24:00 (2 h)"}, 1);
    // The night in which 02:00 becomes 01:00: the hours behind it are those of the new clock.
    check_plan("time,temp (C),rh\n2024-11-03 00:00,20,95\n2024-11-03 01:00,20,95\n2024-11-03 01:00,20,95\n"
               "2024-11-03 02:00,20,95\n2024-11-03 03:00,20,40\n2024-11-03 04:00,20,95\n",
               (const char *const[]){"2024-11-03: run 03:00–04:00 (1 h)"}, 1);
    // Without times there is no plan.
    check_plan("temp (C),rh\n20,40\n20,40\n", NULL, 0);
}

// A bin with an airflow of 1; a goal or "none".
static void ask_bin_file(struct asked *asked, const char *goal, const char *moisture, const char *celsius,
                         const char *target, struct pl_slice text)
{
    grain_fields_init(&asked->fields, GRAIN_HOURS_FIELDS);
    const char *const fields[][2] = {{"grain", "corn"},    {"goal", goal},   {"moisture", moisture},
                                     {"grainTa", celsius}, {"airflow", "1"}, {"target", target}};
    for (size_t i = 0; i < PL_COUNTOF(fields); i++) {
        if (strcmp(fields[i][1], "none") != 0)
            grain_fields_put(&asked->fields, pl_slice_cstr(fields[i][0]), pl_slice_cstr(fields[i][1]));
    }
    assert_int_equal(grain_hours_answer(&asked->fields, text, NULL, &asked->hours, &asked->err), PL_OK);
}

// Hours of `first`, then of `second`.
static void ask_bin(struct asked *asked, const char *goal, const char *moisture, const char *celsius,
                    const char *target, const char *first, const char *second)
{
    struct pl_buf text;
    pl_buf_init(&text, 1 << 20);
    pl_buf_append_cstr(&text, "temp (C),rh\n");
    for (int hour = 0; hour < 480; hour++)
        pl_buf_printf(&text, "%s\n", hour < 240 ? first : second);
    ask_bin_file(asked, goal, moisture, celsius, target, pl_buf_slice(&text));
    pl_buf_fini(&text);
}

static double coldest(const struct grain_bin *bin)
{
    double celsius = bin->layers[0].celsius;
    for (size_t i = 1; i < GRAIN_BIN_LAYERS; i++)
        celsius = fmin(celsius, bin->layers[i].celsius);
    return celsius;
}

// Ten days of cold air, then air whose dew point is above grain that they cooled, though not above what it was at
// first.
static void advice_goes_by_the_grain_as_the_fan_has_left_it(void **state)
{
    (void)state;
    static const char *const goals[] = {"dry", "cool"};
    for (size_t g = 0; g < PL_COUNTOF(goals); g++) {
        struct asked asked;
        ask_bin(&asked, goals[g], "20", "25", "14", "2,60", "18,78");
        size_t cold = 0;
        for (size_t i = 0; i < asked.hours.count; i++) {
            cold += i < 240 && asked.hours.list[i].run;
            if (i >= 240 && asked.hours.list[i].run)
                fail_msg("%s: row %zu runs, the coldest layer has %g °C", goals[g], i, coldest(&asked.hours.bin));
        }
        assert_true(cold > 5 && coldest(&asked.hours.bin) < 8);
        grain_hours_free(&asked.hours);
    }
    // Grain that is cold is not warmed to be cooled.
    struct asked asked;
    ask_bin(&asked, "cool", "14", "25", "14", "2,60", "12,40");
    for (size_t i = 240; i < asked.hours.count; i++)
        assert_false(asked.hours.list[i].run);
    grain_hours_free(&asked.hours);
}

static bool is_noted(const struct grain_hours *hours, const char *code)
{
    size_t next = 0;
    for (const struct grain_hours_note *note; (note = grain_hours_next_note(hours, &next)) != NULL;) {
        if (strcmp(note->code, code) == 0)
            return true;
    }
    return false;
}

// A row told condensation by the temperature at first: none on layers that the fan had cooled, and some on layers that
// it had warmed.
static void condensation_of_a_row_is_that_on_the_layers(void **state)
{
    (void)state;
    static const struct {
        const char *celsius, *first, *second;
        bool condensation;
    } rows[] = {{"25", "2,60", "18,78", true}, {"5", "25,20", "18,60", false}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        ask_bin(&asked, "none", "14", rows[i].celsius, "14", rows[i].first, rows[i].second);
        const struct grain_hour *hour = &asked.hours.list[240];
        double dew = grain_air_dew_point(hour->vapour, GRAIN_OVER_WATER);
        assert_int_equal(dew > asked.hours.grain_celsius, !rows[i].condensation);
        assert_int_equal(hour->condensation, rows[i].condensation);
        double hours = 0;
        for (size_t k = 0; k < asked.hours.count; k++)
            hours += asked.hours.list[k].condensation ? asked.hours.list[k].weight : 0;
        assert_float_equal(hours, asked.hours.condensation, 1e-9);
        grain_hours_free(&asked.hours);
    }
}

// A night cools the bottom of a warm bin; the day after it cools the bin and warms that bottom.
static void cooling_that_warms_the_coldest_layer_is_told(void **state)
{
    (void)state;
    struct asked asked;
    struct pl_buf text;
    static const char *const goals[] = {"cool", "dry"};
    for (size_t g = 0; g < PL_COUNTOF(goals); g++) {
        pl_buf_init(&text, 4096);
        pl_buf_append_cstr(&text, "temp (C),rh\n");
        for (int hour = 0; hour < 12; hour++)
            pl_buf_append_cstr(&text, hour < 2 ? "2,50\n" : "12,40\n");
        ask_bin_file(&asked, goals[g], "16", "30", "14", pl_buf_slice(&text));
        pl_buf_fini(&text);
        assert_true(asked.hours.list[0].run && asked.hours.list[2].run);
        assert_int_equal(is_noted(&asked.hours, "coldest_layer_warms"), g == 0);
        grain_hours_free(&asked.hours);
    }
    // Air that is always as cold warms nothing.
    ask_bin(&asked, "cool", "14", "25", "14", "2,60", "2,60");
    assert_true(asked.hours.run_hours > 5);
    assert_false(is_noted(&asked.hours, "coldest_layer_warms"));
    grain_hours_free(&asked.hours);
}

static void a_fan_that_did_not_run_has_moved_no_front_and_over_dried_nothing(void **state)
{
    (void)state;
    struct asked asked;
    struct pl_buf out;
    pl_buf_init(&out, 8192);
    ask_bin(&asked, "dry", "20", "20", "14", "20,97", "20,97");
    assert_true(asked.hours.bin.fan_hours == 0 && isnan(asked.hours.bin.finished));
    assert_true(grain_bin_front(&asked.hours.bin, 20) == 0);
    grain_hours_free(&asked.hours);
    ask_bin(&asked, "dry", "13", "20", "15", "20,97", "20,97");
    assert_true(asked.hours.bin.fan_hours == 0 && asked.hours.bin.finished == 0);
    grain_hours_write_fan(&out, &asked.fields, &asked.hours);
    pl_buf_append_byte(&out, 0);
    if (strstr((const char *)out.data, "\"hoursToFinish\":0,") == NULL ||
        strstr((const char *)out.data, "\"overDried\":0.0,") == NULL)
        fail_msg("%s", (const char *)out.data);
    grain_hours_free(&asked.hours);
    pl_buf_fini(&out);
}

// The lines for people had the moisture of the bottom, but not that it is too dry; and the advice came behind the
// counts.
static void a_bottom_that_is_over_dried_is_told_and_the_advice_comes_first(void **state)
{
    (void)state;
    struct asked asked;
    ask_bin(&asked, "dry", "18", "20", "14", "25,40", "25,40");
    lines.count = 0;
    grain_hours_rows(&asked.fields, &asked.hours, keep_line, NULL);
    assert_non_null(strstr(lines.text[0], "Hours to run the fan: "));
    char wanted[100];
    snprintf(wanted, sizeof wanted, "Over-dried, in the driest layer: %.1f points below 14.0 %%",
             14 - grain_bin_moisture(&asked.hours.bin, 0));
    bool told = false;
    for (size_t i = 0; i < lines.count; i++)
        told = told || strstr(lines.text[i], wanted) != NULL;
    if (!told)
        fail_msg("no line '%s'", wanted);
    grain_hours_free(&asked.hours);
}

// Dry air dries the bottom too much, then moist air wets it again: the layers above it stay too dry.
static void a_layer_above_the_bottom_that_is_over_dried_is_told(void **state)
{
    (void)state;
    struct asked asked;
    ask_bin(&asked, "none", "18", "20", "14", "25,40", "15,90");
    assert_true(grain_bin_moisture(&asked.hours.bin, 0) > 14);
    double driest = 100;
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++)
        driest = fmin(driest, grain_bin_moisture(&asked.hours.bin, i));
    assert_true(driest < 13.5);
    struct pl_buf out;
    pl_buf_init(&out, 1 << 16);
    grain_hours_write_fan(&out, &asked.fields, &asked.hours);
    pl_buf_append_byte(&out, 0);
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\"overDried\":%.1f,", 14 - driest);
    if (strstr((const char *)out.data, wanted) == NULL)
        fail_msg("no %s in %s", wanted, (const char *)out.data);
    pl_buf_fini(&out);
    grain_hours_free(&asked.hours);
}

// Grain of 14 % in fog: its target was 28 %, which it had reached at once.
static void a_bin_that_is_wetted_is_told_and_has_no_target_above_its_grain(void **state)
{
    (void)state;
    struct asked asked;
    ask_bin(&asked, "none", "14", "20", "none", "10,99", "10,99");
    assert_float_equal(asked.hours.target, 14, 1e-9);
    assert_true(asked.hours.wetted > 5 && isnan(asked.hours.bin.finished));
    assert_true(is_noted(&asked.hours, "bin_wetted"));
    grain_hours_free(&asked.hours);
    // Not where it dries, nor where it is to be wetted.
    ask_bin(&asked, "none", "18", "20", "none", "20,55", "20,55");
    assert_true(asked.hours.target < 13.5);
    assert_false(is_noted(&asked.hours, "bin_wetted"));
    grain_hours_free(&asked.hours);
    ask_bin(&asked, "rewet", "10", "20", "none", "20,70", "20,70");
    assert_true(asked.hours.wetted > 0.5);
    assert_false(is_noted(&asked.hours, "bin_wetted"));
    grain_hours_free(&asked.hours);
}

// Dry grain was said to have reached a target above it at once, and its top to be dry.
static void rewetting_ends_when_the_top_is_moist_enough(void **state)
{
    (void)state;
    static const struct {
        const char *target, *air;
        bool reached;
    } rows[] = {{"12", "20,78", true}, {"15.9", "20,70", false}, {"none", "20,70", false}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        ask_bin(&asked, "rewet", "10", "20", rows[i].target, rows[i].air, rows[i].air);
        const struct grain_bin *bin = &asked.hours.bin;
        double top = grain_bin_moisture(bin, GRAIN_BIN_LAYERS - 1), front = grain_bin_front(bin, 10);
        assert_true(bin->fan_hours > 100 && front > 0 && (top >= bin->target) == rows[i].reached);
        if (rows[i].reached ? !(bin->finished > 1 && bin->finished <= bin->fan_hours) : !isnan(bin->finished))
            fail_msg("target %s: %g hours, top %g", rows[i].target, bin->finished, top);
        // Without a target it is below what the air holds: above it the grain never comes.
        if (strcmp(rows[i].target, "none") == 0)
            assert_true(fabs(bin->target - (asked.hours.air.moisture - 0.5)) < 1e-9);
        lines.count = 0;
        grain_hours_fan_rows(&asked.fields, &asked.hours, keep_line, NULL);
        bool told = false;
        for (size_t k = 0; k < lines.count; k++) {
            assert_null(strstr(lines.text[k], "top is dry"));
            assert_null(strstr(lines.text[k], "drying front"));
            told = told || strstr(lines.text[k], "Fan hours until the top is moist enough: ") != NULL;
        }
        assert_true(told);
        grain_hours_free(&asked.hours);
    }
    // Grain that is at the target, or moister, has reached it.
    static const char *const moistures[] = {"14", "12", "12.1", "13.7"};
    for (size_t i = 0; i < PL_COUNTOF(moistures); i++) {
        struct asked asked;
        ask_bin(&asked, "rewet", moistures[i], "20", i == 0 ? "12" : moistures[i], "20,70", "20,70");
        assert_true(asked.hours.bin.finished == 0);
        grain_hours_free(&asked.hours);
    }
}

// The fan was advised to run on, by the moisture at first, when the bin had long been dry or moist enough.
// At 12 °C this air has 94 % humidity, and would wet grain that stayed so cold. Layers do not.
static void warm_dry_air_dries_a_cold_bin(void **state)
{
    (void)state;
    struct asked asked;
    ask_bin(&asked, "dry", "18", "12", "15", "22,50", "22,50");
    const struct grain_hours *hours = &asked.hours;
    assert_int_equal(hours->list[0].effect, GRAIN_DRIES);
    double bottom = grain_bin_moisture(&hours->bin, 0);
    if (!(hours->list[0].run && hours->list[0].threshold > 60 && bottom < 12))
        fail_msg("run %d, threshold %g, bottom %g", hours->list[0].run, hours->list[0].threshold, bottom);
    grain_hours_free(&asked.hours);
    // Where the dew point is above the coldest layer, it would condense there.
    ask_bin(&asked, "dry", "18", "5", "15", "22,50", "22,50");
    assert_true(asked.hours.list[0].condensation && asked.hours.run_hours == 0);
    grain_hours_free(&asked.hours);
}

static void advice_ends_when_the_layers_have_reached_the_target(void **state)
{
    (void)state;
    static const struct {
        const char *goal, *moisture, *target, *air;
    } rows[] = {{"dry", "16", "13", "25,30"}, {"rewet", "10", "12", "20,78"}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct asked asked;
        ask_bin(&asked, rows[i].goal, rows[i].moisture, "25", rows[i].target, rows[i].air, rows[i].air);
        const struct grain_bin *bin = &asked.hours.bin;
        if (!(bin->finished > 20 && bin->finished < 400 && asked.hours.run_hours == bin->finished))
            fail_msg("%s: finished %g, run %g", rows[i].goal, bin->finished, asked.hours.run_hours);
        grain_hours_free(&asked.hours);
        // Without a target it goes on.
        ask_bin(&asked, rows[i].goal, rows[i].moisture, "25", "none", rows[i].air, rows[i].air);
        if (!(asked.hours.run_hours > 400))
            fail_msg("%s: %g hours without a target", rows[i].goal, asked.hours.run_hours);
        grain_hours_free(&asked.hours);
    }
    // Air that would dry the grain as it came wets what dry air has made of it.
    struct asked asked;
    ask_bin(&asked, "dry", "14", "25", "none", "40,15", "25,60");
    assert_true(asked.hours.list[239].run && asked.hours.list[240].effect == GRAIN_DRIES);
    for (size_t i = 240; i < asked.hours.count; i++)
        assert_false(asked.hours.list[i].run);
    grain_hours_free(&asked.hours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(condensation_is_never_advised),
        cmocka_unit_test(drying_hours_are_below_the_threshold_and_wetting_ones_above),
        cmocka_unit_test(ndsus_april_air_dries_corn_to_what_ndsu_says),
        cmocka_unit_test(pamis_rule_decides_for_wheat),
        cmocka_unit_test(advice_goes_by_the_grain_as_the_fan_has_left_it),
        cmocka_unit_test(condensation_of_a_row_is_that_on_the_layers),
        cmocka_unit_test(cooling_that_warms_the_coldest_layer_is_told),
        cmocka_unit_test(a_fan_that_did_not_run_has_moved_no_front_and_over_dried_nothing),
        cmocka_unit_test(rewetting_ends_when_the_top_is_moist_enough),
        cmocka_unit_test(a_bottom_that_is_over_dried_is_told_and_the_advice_comes_first),
        cmocka_unit_test(advice_ends_when_the_layers_have_reached_the_target),
        cmocka_unit_test(warm_dry_air_dries_a_cold_bin),
        cmocka_unit_test(the_plan_has_spans_by_the_clock_of_the_file),
        cmocka_unit_test(a_layer_above_the_bottom_that_is_over_dried_is_told),
        cmocka_unit_test(a_bin_that_is_wetted_is_told_and_has_no_target_above_its_grain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
