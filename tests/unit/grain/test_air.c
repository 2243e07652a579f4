// Moist air against ASHRAE's published figures, and the laws it must keep.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "grain/air.h"
#include "unit.h"

static void near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= fabs(expected) * relative))
        fail_msg("%.9g, published is %.9g", got, expected);
}

// ASHRAE Handbook, Fundamentals 2017, chapter 1, table 3.
static void saturation_pressure_is_that_of_the_table(void **state)
{
    (void)state;
    static const double rows[][2] = {{-20, 103.24}, {-5, 401.74},    {5, 872.6},     {25, 3169.7},
                                     {50, 12351.3}, {100, 101418.0}, {150, 476101.4}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        near(grain_air_saturation(rows[i][0]), rows[i][1], 0.0003);
    assert_true(isnan(grain_air_saturation(-101)) && isnan(grain_air_saturation(NAN)) &&
                isnan(grain_air_saturation(INFINITY)));
}

// The same, table 1: standard atmosphere.
static void pressure_of_an_altitude_is_that_of_the_table(void **state)
{
    (void)state;
    static const double rows[][2] = {{-500, 107478}, {0, 101325}, {500, 95461}, {1000, 89875}, {4000, 61640}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        assert_true(fabs(grain_air_pressure(rows[i][0]) - rows[i][1]) <= 1);
}

// The same, table 2: humidity ratio of saturated air at sea level.
static void saturated_humidity_ratio_is_that_of_the_table(void **state)
{
    (void)state;
    static const double rows[][2] = {{-5, 0.0024863}, {5, 0.005425}, {25, 0.020173}, {50, 0.086863}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        near(grain_air_ratio(grain_air_saturation(rows[i][0]), 101325), rows[i][1], 0.01);
}

// The same, example 1: 40 °C dry bulb, 20 °C wet bulb: 6.5 g/kg, dew point 7 °C, 14 %.
static void example_1_of_the_handbook(void **state)
{
    (void)state;
    struct grain_fields fields;
    struct grain_air_answer answer;
    grain_fields_init(&fields, GRAIN_AIR_FIELDS);
    grain_fields_put(&fields, pl_slice_cstr("ta"), pl_slice_cstr("40"));
    grain_fields_put(&fields, pl_slice_cstr("wetBulb"), pl_slice_cstr("20"));
    assert_true(grain_air_answer(&fields, &answer));
    assert_true(fabs(answer.air.ratio * 1000 - 6.5) < 0.1);
    assert_true(fabs(answer.air.dew_point - 7) < 0.5);
    assert_true(fabs(answer.air.ur - 14) < 0.5);
    // Formulas of the handbook, computed by hand elsewhere: 30 and 25 °C, -1 and -5 °C, at 500 m.
    near(grain_air_ratio_from_wet_bulb(30, 25, 95461), 0.0192281274, 0.0003);
    near(grain_air_ratio_from_wet_bulb(-1, -5, 95461), 0.0012039982, 0.0003);
}

static void humidity_dew_point_and_wet_bulb_lead_back_to_each_other(void **state)
{
    (void)state;
    for (double altitude = 0; altitude <= 3000; altitude += 1500) {
        double pressure = grain_air_pressure(altitude);
        for (double ta = -20; ta <= 60; ta += 4) {
            for (double ur = 5; ur <= 100; ur += 5) {
                double vapour = ur / 100 * grain_air_saturation(ta);
                double dew = grain_air_dew_point(vapour, GRAIN_OVER_ICE),
                       wet = grain_air_wet_bulb(ta, vapour, pressure);
                assert_true(fabs(grain_air_saturation(dew) / vapour - 1) < 1e-9);
                // At 0 °C the equations over ice and over water meet with a small step.
                assert_true(dew <= wet + 0.01 && wet <= ta + 1e-9);
                double ratio = grain_air_ratio_from_wet_bulb(ta, wet, pressure);
                if (fabs(wet) > 0.5 && !(fabs(ratio / grain_air_ratio(vapour, pressure) - 1) < 1e-6))
                    fail_msg("%g °C, %g %%, %g m: wet bulb %g", ta, ur, altitude, wet);
            }
        }
    }
}

static void heat_of_the_fan_dries_at_constant_vapour_pressure(void **state)
{
    (void)state;
    double last = 85;
    for (int tenths = 5; tenths <= 200; tenths += 5) {
        char heat[16];
        struct grain_fields fields;
        struct grain_air_answer answer;
        snprintf(heat, sizeof heat, "%d.%d", tenths / 10, tenths % 10);
        grain_fields_init(&fields, GRAIN_AIR_FIELDS);
        grain_fields_put(&fields, pl_slice_cstr("ta"), pl_slice_cstr("20"));
        grain_fields_put(&fields, pl_slice_cstr("ur"), pl_slice_cstr("85"));
        grain_fields_put(&fields, pl_slice_cstr("fanHeat"), pl_slice_cstr(heat));
        assert_true(grain_air_answer(&fields, &answer));
        assert_true(answer.after.ur < last);
        assert_true(fabs(answer.after.dew_point - answer.air.dew_point) < 1e-9);
        assert_true(tenths != 30 || fabs(answer.after.ur - 70.7) < 0.1);
        last = answer.after.ur;
    }
}

// Air without a moisture says why, and air behind the fan has its own notes.
static void what_the_equation_cannot_say_is_a_warning(void **state)
{
    (void)state;
    static const struct {
        const char *ta, *ur, *heat;
        unsigned warnings;
    } rows[] = {
        {"20", "100", "0", GRAIN_W_UR_RANGE | GRAIN_W_SATURATED},
        {"20", "100", "5", GRAIN_W_UR_RANGE | GRAIN_W_SATURATED},
        {"20", "0.1", "0", GRAIN_W_UR_RANGE | GRAIN_W_NO_MOISTURE},
        {"20", "70", "0", 0},
        {"30", "50", "35", GRAIN_W_TA_RANGE | GRAIN_W_UR_RANGE},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_fields fields;
        struct grain_air_answer answer;
        grain_fields_init(&fields, GRAIN_AIR_FIELDS);
        grain_fields_put(&fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
        grain_fields_put(&fields, pl_slice_cstr("ta"), pl_slice_cstr(rows[i].ta));
        grain_fields_put(&fields, pl_slice_cstr("ur"), pl_slice_cstr(rows[i].ur));
        grain_fields_put(&fields, pl_slice_cstr("fanHeat"), pl_slice_cstr(rows[i].heat));
        assert_true(grain_air_answer(&fields, &answer));
        if (fields.chosen.warnings != rows[i].warnings)
            fail_msg("%s °C, %s %%, heat %s: %u", rows[i].ta, rows[i].ur, rows[i].heat, fields.chosen.warnings);
        assert_true(isnan(answer.moisture) || (answer.spread.low <= answer.moisture + 1e-9 &&
                                               answer.moisture <= answer.spread.high + 1e-9 && answer.spread.sets > 1));
    }
}

static void saturated_air_is_answered_in_both_units(void **state)
{
    (void)state;
    // The bound went from °F to °C and back, and lost a bit on the way.
    for (int tenths = -200; tenths <= 1760; tenths += 3) {
        for (int unit = 0; unit < 2; unit++) {
            for (int wet = 0; wet < 2; wet++) {
                char text[32];
                struct grain_fields fields;
                struct grain_air_answer answer;
                snprintf(text, sizeof text, "%s%d.%d", tenths < 0 ? "-" : "", abs(tenths) / 10, abs(tenths) % 10);
                if (unit == 1 && tenths > 800)
                    continue;
                grain_fields_init(&fields, GRAIN_AIR_FIELDS);
                grain_fields_put(&fields, pl_slice_cstr("taUnit"), pl_slice_cstr(unit == 0 ? "F" : "C"));
                grain_fields_put(&fields, pl_slice_cstr("ta"), pl_slice_cstr(text));
                grain_fields_put(&fields, pl_slice_cstr(wet ? "wetBulb" : "dewPoint"), pl_slice_cstr(text));
                // A wet bulb below 0 °C is frozen: it tells of ice.
                grain_fields_put(&fields, pl_slice_cstr("over"), pl_slice_cstr(wet ? "ice" : "water"));
                if (!grain_air_answer(&fields, &answer) || !(answer.air.ur > 99.99 && answer.air.ur <= 100))
                    fail_msg("%s °%c: %s, %g %%", text, unit == 0 ? 'F' : 'C', fields.code, answer.air.ur);
            }
        }
    }
}

// Weather services report dew points below 0 °C over water (WMO No. 8, annex 4.B: 421.8 Pa at -5 °C, 125.4 at -20 °C).
static void a_dew_point_below_zero_is_over_water_unless_asked(void **state)
{
    (void)state;
    static const struct {
        const char *over;
        double ur;
    } rows[] = {{"", 69.0}, {"water", 69.0}, {"ice", 65.7}};
    assert_true(fabs(grain_air_saturation_over(-5, GRAIN_OVER_WATER) - 421.8) < 0.8);
    assert_true(fabs(grain_air_saturation_over(-20, GRAIN_OVER_WATER) - 125.4) < 0.6);
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_fields fields;
        struct grain_air_answer answer;
        grain_fields_init(&fields, GRAIN_AIR_FIELDS);
        grain_fields_put(&fields, pl_slice_cstr("ta"), pl_slice_cstr("0"));
        grain_fields_put(&fields, pl_slice_cstr("dewPoint"), pl_slice_cstr("-5"));
        if (*rows[i].over)
            grain_fields_put(&fields, pl_slice_cstr("over"), pl_slice_cstr(rows[i].over));
        assert_true(grain_air_answer(&fields, &answer));
        if (!(fabs(answer.air.ur - rows[i].ur) < 0.1) || !(fabs(answer.air.dew_point + 5) < 1e-6))
            fail_msg("over %s: %g %%, dew point %g", rows[i].over, answer.air.ur, answer.air.dew_point);
    }
}

static void refused(const char *names[][2], size_t count, const char *code, enum grain_tool_field field)
{
    struct grain_fields fields;
    struct grain_air_answer answer;
    grain_fields_init(&fields, GRAIN_AIR_FIELDS);
    for (size_t i = 0; i < count; i++)
        grain_fields_put(&fields, pl_slice_cstr(names[i][0]), pl_slice_cstr(names[i][1]));
    assert_false(grain_air_answer(&fields, &answer));
    assert_string_equal(fields.code, code);
    assert_int_equal(fields.field, field);
    struct pl_buf out;
    pl_buf_init(&out, 8192);
    grain_fields_write_error(&out, &fields);
    assert_false(out.failed);
    assert_true(out.len > 20);
    pl_buf_fini(&out);
}

static void what_is_wrong_names_its_field(void **state)
{
    (void)state;
    refused((const char *[][2]){{"ur", "50"}}, 1, "missing_field", GRAIN_T_TA);
    refused((const char *[][2]){{"ta", "20"}}, 1, "missing_field", GRAIN_T_UR);
    refused((const char *[][2]){{"ta", "20"}, {"ur", "50"}, {"wetBulb", "9"}}, 3, "conflicting_fields",
            GRAIN_T_WET_BULB);
    refused((const char *[][2]){{"ta", "20"}, {"dewPoint", "21"}}, 2, "out_of_range", GRAIN_T_DEW_POINT);
    refused((const char *[][2]){{"ta", "20"}, {"wetBulb", "-10"}}, 2, "no_answer", GRAIN_T_WET_BULB);
    refused((const char *[][2]){{"ta", "20"}, {"ur", "NaN"}}, 2, "not_a_number", GRAIN_T_UR);
    refused((const char *[][2]){{"ta", "20"}, {"ur", "101"}}, 2, "out_of_range", GRAIN_T_UR);
    refused((const char *[][2]){{"ta", "20"}, {"ta", "21"}, {"ur", "50"}}, 3, "repeated_field", GRAIN_T_TA);
    refused((const char *[][2]){{"ta", "20"}, {"ur", "50"}, {"lang", "de"}}, 3, "unknown_value", GRAIN_T_LANG);
    refused((const char *[][2]){{"ta", "20"}, {"ur", "50"}, {"grain", "café"}}, 3, "unknown_grain", GRAIN_T_GRAIN);
    refused((const char *[][2]){{"ta", "20"}, {"ur", "50"}, {"grain", "corn"}, {"set", "x"}}, 4, "unknown_set",
            GRAIN_T_SET);
    refused((const char *[][2]){{"ta", "20"}, {"ur", "50"}, {"altitude", "1e9"}}, 3, "out_of_range", GRAIN_T_ALTITUDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturation_pressure_is_that_of_the_table),
        cmocka_unit_test(pressure_of_an_altitude_is_that_of_the_table),
        cmocka_unit_test(saturated_humidity_ratio_is_that_of_the_table),
        cmocka_unit_test(example_1_of_the_handbook),
        cmocka_unit_test(humidity_dew_point_and_wet_bulb_lead_back_to_each_other),
        cmocka_unit_test(heat_of_the_fan_dries_at_constant_vapour_pressure),
        cmocka_unit_test(what_the_equation_cannot_say_is_a_warning),
        cmocka_unit_test(saturated_air_is_answered_in_both_units),
        cmocka_unit_test(a_dew_point_below_zero_is_over_water_unless_asked),
        cmocka_unit_test(what_is_wrong_names_its_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
