// The equations and constants against the published tables, the spot values, and each other.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "grain/grain.h"
#include "unit.h"

static const struct grain_set *set_of(const char *culture, const char *id)
{
    const struct grain_culture *found = grain_find(pl_slice_cstr(culture));
    assert_non_null(found);
    const struct grain_set *set = id == NULL ? &found->sets[0] : grain_set_by_id(found, pl_slice_cstr(id));
    assert_non_null(set);
    return set;
}

static double wet(const struct grain_set *set, double ta, double ur)
{
    return grain_wet_from_dry(grain_moisture(set, ta, ur / 100));
}

// Rows are temperature, C or F, humidity, moisture.
static void check_table(const char *file, const char *culture, const char *set_id, int cells)
{
    const char *shared = getenv("PLATEN_SHARED");
    char path[512];
    snprintf(path, sizeof path, "%s/grain/tables/%s", shared != NULL ? shared : "../shared", file);
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    const struct grain_set *set = set_of(culture, set_id);
    char line[200];
    int seen = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        double temperature, ur, expected;
        char unit;
        if (sscanf(line, "%lf,%c,%lf,%lf", &temperature, &unit, &ur, &expected) != 4)
            continue;
        double got = wet(set, unit == 'F' ? grain_celsius(temperature) : temperature, ur);
        if (!(fabs(got - expected) <= 0.06))
            fail_msg("%s: %g %c and %g %%: %g, the table says %g", file, temperature, unit, ur, got, expected);
        seen++;
    }
    fclose(in);
    assert_int_equal(seen, cells);
}

static void airstream_table_by_the_older_corn_set(void **state)
{
    (void)state;
    check_table("corn_airstream.csv", "corn", "henderson-d245.4", 126);
}

static void wikipedia_table_of_corn(void **state)
{
    (void)state;
    check_table("corn_wikipedia.csv", "corn", "henderson-d245.5", 16);
}

static void wikipedia_table_of_rice(void **state)
{
    (void)state;
    check_table("rice-long_wikipedia.csv", "long-grain-rice", "henderson-d245.6", 12);
}

static void wikipedia_table_of_sorghum(void **state)
{
    (void)state;
    check_table("sorghum_wikipedia.csv", "sorghum", "chung-pfost-d245.5", 16);
}

static void wikipedia_table_of_durum_wheat(void **state)
{
    (void)state;
    check_table("wheat-durum_wikipedia.csv", "wheat", "oswin-durum-d245.5", 12);
}

static void spot_values_at_25_and_70(void **state)
{
    (void)state;
    static const struct {
        const char *culture, *moisture;
    } spots[] = {{"barley", "13.2"},   {"canola", "9.0"},           {"corn", "14.0"},    {"ear-corn", "15.0"},
                 {"oats", "12.9"},     {"long-grain-rice", "14.3"}, {"sorghum", "13.9"}, {"soybean", "12.3"},
                 {"wheat", "14.7"},    {"in-shell-peanut", "9.4"},  {"rye", "14.1"},     {"popcorn", "14.3"},
                 {"sunflower", "7.9"}, {"dry-beans", "14.5"},       {"lentils", "12.5"}, {"flaxseed", "9.3"},
                 {"buckwheat", "15.0"}};
    assert_int_equal(PL_COUNTOF(spots), GRAIN_CULTURES);
    for (size_t i = 0; i < PL_COUNTOF(spots); i++) {
        char text[PL_FMT_DOUBLE_MAX];
        pl_format_fixed(wet(set_of(spots[i].culture, NULL), 25, 70), 1, text);
        if (strcmp(text, spots[i].moisture) != 0)
            fail_msg("%s: %s, expected %s", spots[i].culture, text, spots[i].moisture);
    }
}

static void public_unit_test_of_the_newer_corn_chung_pfost_set(void **state)
{
    (void)state;
    assert_float_equal(wet(set_of("corn", "chung-pfost-d245.5"), grain_celsius(60), 80), 16.06, 0.01);
}

static void inverse_undoes_forward_for_every_set(void **state)
{
    (void)state;
    int answers = 0, refusals = 0;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count; k++) {
            const struct grain_set *set = &culture->sets[k];
            for (double ta = GRAIN_TA_MIN; ta <= GRAIN_TA_MAX; ta += 2.5) {
                for (double ur = 0.5; ur < 100; ur += 0.5) {
                    double m = grain_moisture(set, ta, ur / 100);
                    if (isnan(m)) {
                        refusals++;
                        continue;
                    }
                    answers++;
                    double back = 100 * grain_humidity(set, ta, m);
                    if (!(fabs(back - ur) < 1e-9))
                        fail_msg("%s %s at %g: %g came back as %.12g", culture->id, set->id, ta, ur, back);
                }
            }
        }
    }
    assert_true(answers > 300000);
    assert_true(refusals < answers / 10);
}

static void in_range_only_one_corner_of_one_set_has_no_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count; k++) {
            const struct grain_set *set = &culture->sets[k];
            // Chung-Pfost goes negative in dry, hot air: the one set that does so within the range is known.
            bool known = strcmp(culture->id, "soybean") == 0 && strcmp(set->id, "chung-pfost-d245.4") == 0;
            for (double ta = GRAIN_TA_LOW; ta <= GRAIN_TA_HIGH; ta++) {
                for (double ur = GRAIN_UR_LOW; ur <= GRAIN_UR_HIGH; ur++) {
                    double m = grain_moisture(set, ta, ur / 100);
                    if (!(m > 0) && !(known && ta > 40 && ur < 13))
                        fail_msg("%s %s at %g and %g: %g", culture->id, set->id, ta, ur, m);
                }
            }
        }
    }
}

static void moisture_rises_with_humidity_and_falls_with_temperature(void **state)
{
    (void)state;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count; k++) {
            const struct grain_set *set = &culture->sets[k];
            for (double ta = GRAIN_TA_LOW; ta <= GRAIN_TA_HIGH; ta += 0.5) {
                double drier = 0;
                for (double ur = GRAIN_UR_LOW; ur <= GRAIN_UR_HIGH; ur += 0.25) {
                    double m = grain_moisture(set, ta, ur / 100), warmer = grain_moisture(set, ta + 0.5, ur / 100);
                    if (isnan(m) || isnan(warmer))
                        continue;
                    if (!(m > drier) || !(warmer < m))
                        fail_msg("%s %s at %g and %g: %g after %g, %g half a degree warmer", culture->id, set->id, ta,
                                 ur, m, drier, warmer);
                    drier = m;
                }
            }
        }
    }
}

static void no_answer_is_nan_and_never_a_number(void **state)
{
    (void)state;
    const struct grain_set *corn = set_of("corn", "henderson-d245.5"), *soy = set_of("soybean", NULL);
    const double bad_r[] = {0, 1, -0.5, 1.5, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < PL_COUNTOF(bad_r); i++) {
        assert_true(isnan(grain_moisture(corn, 25, bad_r[i])));
        assert_true(isnan(grain_moisture(soy, 25, bad_r[i])));
    }
    assert_true(isnan(grain_moisture(corn, NAN, 0.7)));
    assert_true(isnan(grain_moisture(corn, -42.143, 0.7))); // the pole
    assert_true(isnan(grain_moisture(corn, -60, 0.7)));
    assert_true(isnan(grain_moisture(set_of("corn", "oswin-d245.5"), 1000, 0.7)));        // A + B T below zero
    assert_true(isnan(grain_moisture(set_of("wheat", "chung-pfost-d245.5"), 25, 0.001))); // Chung-Pfost below zero
    const double bad_m[] = {0, -1, NAN, INFINITY, 1e300};
    for (size_t i = 0; i < PL_COUNTOF(bad_m); i++) {
        assert_true(isnan(grain_humidity(corn, 25, bad_m[i])));
        assert_true(isnan(grain_humidity(soy, 25, bad_m[i])) || bad_m[i] == 1e300);
    }
    assert_true(isnan(grain_humidity(set_of("corn", "oswin-d245.5"), 1000, 10)));
}

static void bases_and_units_convert(void **state)
{
    (void)state;
    assert_float_equal(grain_wet_from_dry(25), 20, 1e-12);
    assert_float_equal(grain_dry_from_wet(20), 25, 1e-12);
    assert_float_equal(grain_celsius(77), 25, 1e-12);
    assert_float_equal(grain_fahrenheit(-40), -40, 1e-12);
}

static double wet_at(const struct grain_set *set, double celsius, double ur)
{
    return grain_wet_from_dry(grain_moisture_in(set, celsius, ur));
}

// The guide said about 0.1 for a degree of all. At 25 °C and 70 %.
static void a_percent_and_a_degree_change_the_moisture_as_the_guide_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        const struct grain_set *set = &culture->sets[0];
        double percent = (wet_at(set, 25, 71) - wet_at(set, 25, 69)) / 2;
        double degree = (wet_at(set, 24, 70) - wet_at(set, 26, 70)) / 2;
        bool buckwheat = strcmp(culture->id, "buckwheat") == 0;
        if (!(percent > 0.05 && percent < 0.35) ||
            !(buckwheat ? fabs(degree) < 0.001 : degree > 0.015 && degree < 0.135))
            fail_msg("%s: %.3f for a percent, %.3f for a degree", culture->id, percent, degree);
    }
    assert_float_equal(
        (wet_at(&grain_cultures()[0].sets[0], 24, 70) - wet_at(&grain_cultures()[0].sets[0], 26, 70)) / 2, 0.08, 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(airstream_table_by_the_older_corn_set),
        cmocka_unit_test(wikipedia_table_of_corn),
        cmocka_unit_test(wikipedia_table_of_rice),
        cmocka_unit_test(wikipedia_table_of_sorghum),
        cmocka_unit_test(wikipedia_table_of_durum_wheat),
        cmocka_unit_test(spot_values_at_25_and_70),
        cmocka_unit_test(public_unit_test_of_the_newer_corn_chung_pfost_set),
        cmocka_unit_test(inverse_undoes_forward_for_every_set),
        cmocka_unit_test(in_range_only_one_corner_of_one_set_has_no_answer),
        cmocka_unit_test(moisture_rises_with_humidity_and_falls_with_temperature),
        cmocka_unit_test(no_answer_is_nan_and_never_a_number),
        cmocka_unit_test(bases_and_units_convert),
        cmocka_unit_test(a_percent_and_a_degree_change_the_moisture_as_the_guide_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
