// Advice for the fan: the threshold of vapour pressures, the goals, and condensation that is never advised.
#include <math.h>

#include "base/ckd.h"
#include "grain/air.h"
#include "grain/hours.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(condensation_is_never_advised),
        cmocka_unit_test(drying_hours_are_below_the_threshold_and_wetting_ones_above),
        cmocka_unit_test(ndsus_april_air_dries_corn_to_what_ndsu_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
