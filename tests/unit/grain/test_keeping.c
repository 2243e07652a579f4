// Storage times against published cells, and the laws of keeping and shrink.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/trade.h"
#include "grain/verdict.h"
#include "unit.h"

static const struct grain_culture *culture(const char *name)
{
    const struct grain_culture *found = grain_find(pl_slice_cstr(name));
    assert_non_null(found);
    return found;
}

// University of Minnesota (Wilcke and Morey, Natural-Air Corn Drying): days by moisture 16 to 26 % and 20 to 70 °F.
// They leave the factor of damage out.
static void steele_and_bern_give_the_cells_that_minnesota_publishes(void **state)
{
    (void)state;
    static const double moistures[] = {16, 18, 20, 22, 24, 26}, degrees[] = {20, 30, 40, 50, 60, 70};
    static const double published[6][6] = {
        {3820, 1459, 722, 427, 287, 212}, {1700, 648, 321, 190, 127, 94}, {756, 288, 142, 84, 56, 41},
        {336, 128, 63, 37, 25, 18},       {149, 57, 28, 16, 11, 8},       {83, 31, 16, 9, 6, 5},
    };
    for (size_t t = 0; t < 6; t++) {
        for (size_t m = 0; m < 6; m++) {
            double days = 230.0 / 24 * grain_steele_moisture(moistures[m]) *
                          grain_steele_temperature(grain_celsius(degrees[t]), moistures[m]);
            if (!(fabs(days - published[t][m]) <= fmax(1, 0.01 * published[t][m])))
                fail_msg("%g °F, %g %%: %g days, published are %g", degrees[t], moistures[m], days, published[t][m]);
        }
    }
}

// A table of a grain system maker with the factor of 30 % damage: days at 40 to 80 °F.
static void steele_and_bern_give_published_cells_with_the_damage_factor(void **state)
{
    (void)state;
    static const double rows[][6] = {{16, 763, 339, 151, 85, 47}, {18, 291, 130, 58, 32, 18}, {20, 144, 64, 29, 16, 9},
                                     {22, 85, 38, 17, 10, 6},     {24, 57, 26, 11, 7, 4},     {28, 33, 15, 7, 4, 3}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        for (size_t k = 0; k < 5; k++) {
            struct grain_days days =
                grain_days_steele(culture("corn"), grain_celsius(40 + 10.0 * (double)k), rows[i][0], 30);
            double expected = fmin(rows[i][k + 1], 300);
            if (!(fabs(days.days - expected) <= fmax(1.05, 0.012 * expected)))
                fail_msg("%zu °F, %g %%: %g days, published are %g", 40 + 10 * k, rows[i][0], days.days, expected);
            assert_int_equal(days.relation, rows[i][k + 1] > 300 ? GRAIN_AT_LEAST : GRAIN_ABOUT);
        }
    }
}

static void steele_and_bern_say_no_more_than_published_cells_hold(void **state)
{
    (void)state;
    static const struct {
        double celsius, moisture, days;
        enum grain_relation relation;
    } rows[] = {{-10, 14, 300, GRAIN_AT_LEAST}, {-30, 20, 300, GRAIN_AT_LEAST}, {0, 16, 300, GRAIN_AT_LEAST},
                {26, 14, 50.5, GRAIN_AT_LEAST}, {26, 16, 50.5, GRAIN_ABOUT},    {-10, 28, 168, GRAIN_AT_LEAST}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_days days = grain_days_steele(culture("corn"), rows[i].celsius, rows[i].moisture, 30);
        if (days.relation != rows[i].relation || !(fabs(days.days - rows[i].days) < 2))
            fail_msg("%g °C, %g %%: %d, %g days", rows[i].celsius, rows[i].moisture, days.relation, days.days);
    }
    // Warmer or moister than any cell: nothing. 80 °F is the last cell, whatever its conversion leaves.
    assert_int_equal(grain_days_steele(culture("corn"), 27, 20, 30).relation, GRAIN_NO_DAYS);
    assert_int_equal(grain_days_steele(culture("corn"), 10, 28.1, 30).relation, GRAIN_NO_DAYS);
    assert_int_equal(grain_days_steele(culture("corn"), grain_celsius(80), 20, 30).relation, GRAIN_ABOUT);
}

static void the_reference_is_230_hours(void **state)
{
    (void)state;
    // 25 % wet basis, 60 °F: every factor is one, within what rounding of the constants leaves.
    assert_true(fabs(grain_steele_moisture(25) - 1) < 0.02);
    assert_true(fabs(grain_steele_temperature(grain_celsius(60), 25) - 1) < 0.01);
    assert_true(fabs(grain_steele_damage(30) - 1) < 0.02);
}

// NDSU's own cells, and sentences that NDSU prints beside them.
static void ndsu_gives_its_own_cells(void **state)
{
    (void)state;
    static const struct {
        const char *grain;
        double f, moisture, days;
        enum grain_relation relation;
    } rows[] = {
        {"corn", 60, 20, 25, GRAIN_ABOUT},     {"corn", 50, 20, 50, GRAIN_ABOUT},
        {"corn", 40, 20, 90, GRAIN_ABOUT},     {"wheat", 70, 16, 70, GRAIN_ABOUT},
        {"barley", 60, 16, 120, GRAIN_ABOUT},  {"corn", 50, 16, 230, GRAIN_ABOUT},
        {"corn", 60, 19, 35, GRAIN_ABOUT},     {"corn", 60, 18, 50, GRAIN_ABOUT},
        {"corn", 60, 17, 75, GRAIN_ABOUT},     {"soybean", 70, 13, 70, GRAIN_ABOUT},
        {"soybean", 50, 16, 70, GRAIN_ABOUT},  {"soybean", 80, 27, 1, GRAIN_ABOUT},
        {"corn", 30, 20, 300, GRAIN_AT_LEAST}, {"corn", 80, 12, 140, GRAIN_AT_LEAST},
        {"corn", 90, 20, 7, GRAIN_AT_MOST},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_days days = grain_days_ndsu(culture(rows[i].grain), grain_celsius(rows[i].f), rows[i].moisture);
        assert_int_equal(days.relation, rows[i].relation);
        assert_true(fabs(days.days - rows[i].days) < 0.01);
    }
    assert_int_equal(grain_days_ndsu(culture("sunflower"), 20, 10).relation, GRAIN_NO_DAYS);
    assert_int_equal(grain_days_ndsu(culture("corn"), 20, 31).relation, GRAIN_NO_DAYS);
    assert_int_equal(grain_days_ndsu(culture("corn"), 40, 12).relation, GRAIN_NO_DAYS);
    assert_int_equal(grain_days_steele(culture("wheat"), 20, 18, 30).relation, GRAIN_NO_DAYS);
}

static void warmer_and_moister_never_keeps_longer(void **state)
{
    (void)state;
    const struct grain_culture *corn = culture("corn");
    for (double moisture = 14; moisture <= 27.75; moisture += 0.25) {
        for (double ta = -1; ta <= 26; ta += 0.25) {
            double ndsu = grain_days_ndsu(corn, ta, moisture).days;
            assert_true(grain_days_ndsu(corn, ta + 0.25, moisture).days <= ndsu + 1e-9);
            assert_true(grain_days_ndsu(corn, ta, moisture + 0.25).days <= ndsu + 1e-9);
            double steele = grain_days_steele(corn, ta, moisture, 30).days;
            // The pieces of the published model meet within one part in a thousand.
            assert_true(grain_days_steele(corn, ta + 0.25, moisture, 30).days <= steele * 1.001);
            assert_true(grain_days_steele(corn, ta, moisture + 0.25, 30).days <= steele * 1.001);
            assert_true(grain_days_steele(corn, ta, moisture, 35).days <= steele);
        }
    }
}

static bool keep(struct grain_keeping_answer *answer, struct grain_fields *fields, const char *grain, const char *ta,
                 const char *moisture)
{
    grain_fields_init(fields, GRAIN_KEEPING_FIELDS);
    grain_fields_put(fields, pl_slice_cstr("grain"), pl_slice_cstr(grain));
    grain_fields_put(fields, pl_slice_cstr("ta"), pl_slice_cstr(ta));
    grain_fields_put(fields, pl_slice_cstr("moisture"), pl_slice_cstr(moisture));
    return grain_keeping_answer(fields, answer);
}

static void put_line(struct pl_buf *out, const char *label, const struct pl_buf *value)
{
    pl_buf_printf(out, "%s: %.*s\n", label, (int)value->len, (const char *)value->data);
}

static void one_day_is_singular_in_every_language(void **state)
{
    (void)state;
    static const char *const expected[GRAIN_LANGS] = {"at most 1 day\n", "no máximo 1 dia\n", "como máximo 1 día\n"};
    for (int lang = 0; lang < GRAIN_LANGS; lang++) {
        struct grain_fields fields;
        struct grain_keeping_answer answer;
        assert_true(keep(&answer, &fields, "corn", "30", "30"));
        fields.lang = (enum grain_lang)lang;
        struct pl_buf out;
        pl_buf_init(&out, 8192);
        grain_keeping_rows(&fields, &answer, put_line, &out);
        pl_buf_append_byte(&out, 0);
        if (strstr((const char *)out.data, expected[lang]) == NULL)
            fail_msg("%s", (const char *)out.data);
        pl_buf_fini(&out);
    }
}

static void the_cautious_band_is_never_below_the_band(void **state)
{
    (void)state;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        enum grain_band last = GRAIN_BAND_SAFE;
        static const char *const moistures[] = {"5", "8", "10", "12", "14", "16", "18", "22", "30", "45"};
        for (size_t k = 0; k < PL_COUNTOF(moistures); k++) {
            struct grain_fields fields;
            struct grain_keeping_answer answer;
            if (!keep(&answer, &fields, grain_cultures()[i].id, "20", moistures[k]))
                fail_msg("%s %s: %s", grain_cultures()[i].id, moistures[k], fields.code);
            assert_true(answer.cautious_band >= answer.band && answer.band >= last);
            assert_true(answer.cautious_moisture <= answer.safe_moisture);
            assert_true(answer.ur > 0 && answer.ur <= 100 && answer.spread.high <= 100);
            last = answer.band;
        }
        // No set calls grain worse than its range reaches.
        assert_int_equal(last, grain_band_of(grain_set_range(grain_cultures()[i].sets)->ur_high));
        assert_true(last >= GRAIN_BAND_MOULD);
    }
    assert_int_equal(grain_band_of(64.9), GRAIN_BAND_SAFE);
    assert_int_equal(grain_band_of(65), GRAIN_BAND_WATCH);
    assert_int_equal(grain_band_of(70), GRAIN_BAND_WATCH);
    assert_int_equal(grain_band_of(70.1), GRAIN_BAND_MOULD);
    assert_int_equal(grain_band_of(80), GRAIN_BAND_DANGER);
}

static void corn_of_15_5_percent_at_10_degrees_is_in_the_mould_band(void **state)
{
    (void)state;
    struct grain_fields fields;
    struct grain_keeping_answer answer;
    assert_true(keep(&answer, &fields, "corn", "10", "15.5"));
    assert_int_equal(answer.band, GRAIN_BAND_MOULD);
    assert_int_equal(answer.cautious_band, GRAIN_BAND_MOULD);
}

static void shrink_is_the_water_over_what_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *basis;
        double shrink;
    } rows[] = {{"20", "15", NULL, 5.8824},  {"18", "13", NULL, 5.7471}, {"14", "14", NULL, 0},
                {"10", "13", NULL, -3.4483}, {"25", "0", "dry", 20},     {"0", "0", NULL, 0}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_fields fields;
        struct grain_shrink_answer answer;
        grain_fields_init(&fields, GRAIN_SHRINK_FIELDS);
        grain_fields_put(&fields, pl_slice_cstr("from"), pl_slice_cstr(rows[i].from));
        grain_fields_put(&fields, pl_slice_cstr("to"), pl_slice_cstr(rows[i].to));
        if (rows[i].basis != NULL)
            grain_fields_put(&fields, pl_slice_cstr("basis"), pl_slice_cstr(rows[i].basis));
        assert_true(grain_shrink_answer(&fields, &answer));
        assert_true(fabs(answer.shrink - rows[i].shrink) < 0.0001);
        assert_true(fabs(answer.water - 10 * rows[i].shrink) < 0.001);
        // Dry matter stays: what was there before is there after.
        assert_true(fabs(answer.mass * (100 - answer.from) - answer.mass_after * (100 - answer.to)) < 1e-9);
    }
}

// Ear corn of 20 % at -5 °C was called safe, beside a warning that the equation fails there.
static void a_verdict_never_rests_on_an_extrapolation(void **state)
{
    (void)state;
    struct grain_fields fields;
    struct grain_keeping_answer answer;
    assert_true(keep(&answer, &fields, "ear-corn", "-5", "20"));
    assert_int_equal(answer.band, GRAIN_BAND_UNKNOWN);
    assert_int_equal(answer.cautious_band, GRAIN_BAND_UNKNOWN);
    assert_true(keep(&answer, &fields, "corn", "20", "13"));
    assert_int_equal(answer.band, GRAIN_BAND_SAFE);
}

static void a_humidity_that_no_decimal_shows_is_a_bound(void **state)
{
    (void)state;
    struct grain_fields fields;
    struct grain_keeping_answer answer;
    struct pl_buf out;
    assert_true(keep(&answer, &fields, "corn", "25", "60"));
    pl_buf_init(&out, 8192);
    grain_keeping_rows(&fields, &answer, put_line, &out);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((const char *)out.data, "kernels: more than 95 %"));
    assert_non_null(strstr((const char *)out.data, "cautious set: at least 99.9 %"));
    pl_buf_fini(&out);
}

static void count_days(struct pl_buf *out, const char *label, const struct pl_buf *value)
{
    (void)label;
    if (memmem(value->data, value->len, "days", 4) != NULL)
        pl_buf_append_byte(out, 'd');
}

// "At least 156 days" was shown beside "at least 56 days".
static void of_two_lower_bounds_the_longer_is_shown(void **state)
{
    (void)state;
    struct grain_fields fields;
    struct grain_keeping_answer answer;
    struct pl_buf days;
    assert_true(keep(&answer, &fields, "corn", "25", "13"));
    assert_true(answer.ndsu.relation == GRAIN_AT_LEAST && answer.steele.relation == GRAIN_AT_LEAST);
    pl_buf_init(&days, 64);
    grain_keeping_rows(&fields, &answer, count_days, &days);
    assert_int_equal(days.len, 1);
    pl_buf_fini(&days);
}

static enum grain_verdict judge(const char *grain, const char *set, const char *moisture, const char *celsius)
{
    struct grain_fields fields;
    struct grain_verdict_answer answer;
    grain_fields_init(&fields, GRAIN_VERDICT_FIELDS);
    grain_fields_put(&fields, pl_slice_cstr("grain"), pl_slice_cstr(grain));
    if (*set)
        grain_fields_put(&fields, pl_slice_cstr("set"), pl_slice_cstr(set));
    grain_fields_put(&fields, pl_slice_cstr("moisture"), pl_slice_cstr(moisture));
    grain_fields_put(&fields, pl_slice_cstr("grainTa"), pl_slice_cstr(celsius));
    assert_true(grain_verdict_answer(&fields, &answer));
    return answer.verdict;
}

static void dry_and_cold_grain_is_safe_moist_and_warm_grain_spoils(void **state)
{
    (void)state;
    assert_int_equal(judge("corn", "", "13", "20"), GRAIN_VERDICT_SAFE);
    assert_int_equal(judge("corn", "", "15.5", "5"), GRAIN_VERDICT_WATCH);
    assert_int_equal(judge("corn", "", "18", "25"), GRAIN_VERDICT_SPOILS);
    assert_int_equal(judge("soybean", "", "11", "25"), GRAIN_VERDICT_SAFE);
    assert_int_equal(judge("soybean", "", "15", "28"), GRAIN_VERDICT_SPOILS);
    assert_int_equal(judge("ear-corn", "", "20", "-5"), GRAIN_VERDICT_UNKNOWN);
    // Drier never spoils sooner.
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        enum grain_verdict last = GRAIN_VERDICT_SAFE;
        static const char *const moistures[] = {"5", "8", "10", "12", "14", "16", "20", "30"};
        for (size_t k = 0; k < PL_COUNTOF(moistures); k++) {
            enum grain_verdict verdict = judge(grain_cultures()[i].id, "", moistures[k], "20");
            assert_true(verdict >= last);
            last = verdict;
        }
        assert_int_equal(last, GRAIN_VERDICT_SPOILS);
    }
}

static struct grain_verdict_answer judge_grain_in_air(const char *grain, const char *set, const char *celsius,
                                                      const char *ur, const char *grain_celsius)
{
    struct grain_fields fields;
    struct grain_verdict_answer answer;
    grain_fields_init(&fields, GRAIN_VERDICT_FIELDS);
    grain_fields_put(&fields, pl_slice_cstr("grain"), pl_slice_cstr(grain));
    grain_fields_put(&fields, pl_slice_cstr("set"), pl_slice_cstr(set));
    grain_fields_put(&fields, pl_slice_cstr("ta"), pl_slice_cstr(celsius));
    grain_fields_put(&fields, pl_slice_cstr("ur"), pl_slice_cstr(ur));
    if (grain_celsius != NULL)
        grain_fields_put(&fields, pl_slice_cstr("grainTa"), pl_slice_cstr(grain_celsius));
    assert_true(grain_verdict_answer(&fields, &answer));
    return answer;
}

static struct grain_verdict_answer judge_air(const char *grain, const char *set, const char *celsius, const char *ur)
{
    return judge_grain_in_air(grain, set, celsius, ur, NULL);
}

// Without a moisture the temperature of the grain was dropped, and with it the water that condenses on it.
static void grain_without_a_moisture_has_its_temperature(void **state)
{
    (void)state;
    static const char set[] = "chung-pfost-d245.4";
    struct grain_verdict_answer air = judge_air("corn", set, "25", "60");
    assert_true(air.verdict == GRAIN_VERDICT_SAFE && !air.condensation);
    struct grain_verdict_answer cold = judge_grain_in_air("corn", set, "25", "60", "5");
    assert_true(cold.condensation && cold.verdict == GRAIN_VERDICT_SPOILS && cold.celsius == 5);
    struct grain_verdict_answer cooler = judge_grain_in_air("corn", set, "25", "60", "22");
    assert_true(!cooler.condensation && cooler.ur > 70 && cooler.ur < 73 && cooler.effect == GRAIN_HOLDS);
    // Warmer grain is not drier for good.
    struct grain_verdict_answer warm = judge_grain_in_air("corn", set, "25", "80", "35");
    assert_true(warm.verdict == GRAIN_VERDICT_SPOILS && warm.ur == 80 && warm.celsius == 35);
}

// Beyond the range of the set "above it" was said of a moisture that nobody knows.
static void a_limit_of_trade_is_compared_with_what_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *set, *celsius, *ur;
        enum grain_above above; // 14 %
    } rows[] = {
        {"halsey-d245.5", "25", "60", GRAIN_NOT_ABOVE},       {"halsey-d245.5", "25", "75", GRAIN_ABOVE_UNKNOWN},
        {"henderson-d245.4", "25", "75", GRAIN_NOT_ABOVE},    {"henderson-d245.4", "25", "90", GRAIN_ABOVE},
        {"henderson-d245.4", "25", "98", GRAIN_ABOVE},        {"henderson-d245.4", "25", "20", GRAIN_NOT_ABOVE},
        {"henderson-d245.4", "60", "80", GRAIN_ABOVE_UNKNOWN}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_verdict_answer answer = judge_air("soybean", rows[i].set, rows[i].celsius, rows[i].ur);
        if (grain_above_limit(answer.at_least, answer.at_most, 14) != rows[i].above)
            fail_msg("%s at %s %%: %g to %g", rows[i].set, rows[i].ur, answer.at_least, answer.at_most);
    }
}

// At 70 % the verdict was that of the last bit that a division had left.
static void what_is_told_is_what_is_judged(void **state)
{
    (void)state;
    for (unsigned tenths = 0; tenths <= 500; tenths++) {
        char celsius[16];
        snprintf(celsius, sizeof celsius, "%u.%u", tenths / 10, tenths % 10);
        struct grain_verdict_answer at = judge_air("rye", "chung-pfost-storage", celsius, "70"),
                                    above = judge_air("rye", "chung-pfost-storage", celsius, "70.06"),
                                    below = judge_air("rye", "chung-pfost-storage", celsius, "65");
        assert_int_equal(at.verdict, GRAIN_VERDICT_WATCH);
        assert_int_equal(below.verdict, GRAIN_VERDICT_WATCH);
        const struct grain_days *days = grain_days_told(&above.ndsu, &above.steele);
        if (days == NULL || grain_days_shown(days) < 180)
            assert_int_equal(above.verdict, GRAIN_VERDICT_SPOILS);
        assert_int_equal(judge_air("rye", "chung-pfost-storage", celsius, "64.94").verdict, GRAIN_VERDICT_SAFE);
    }
    assert_int_equal(grain_band_of(64.96), GRAIN_BAND_WATCH);
    assert_int_equal(grain_band_of(70.04), GRAIN_BAND_WATCH);
}

// This set is known up to 64 %: air of 85 % was taken as 64 % and called safe.
static void beyond_its_range_a_set_calls_nothing_safe(void **state)
{
    (void)state;
    assert_int_equal(judge_air("soybean", "halsey-d245.5", "25", "60").verdict, GRAIN_VERDICT_SAFE);
    // The humidity of air is no extrapolation: mould grows at 85 %. That of grain is.
    struct grain_verdict_answer air = judge_air("soybean", "halsey-d245.5", "25", "85");
    assert_true(air.verdict == GRAIN_VERDICT_SPOILS && !air.moisture_known && !air.in_range);
    assert_int_equal(judge("soybean", "halsey-d245.5", "18", "25"), GRAIN_VERDICT_UNKNOWN);
    assert_int_equal(judge_air("soybean", "henderson-d245.4", "25", "85").verdict, GRAIN_VERDICT_SPOILS);
}

static void air_dries_holds_wets_or_condenses(void **state)
{
    (void)state;
    static const struct {
        const char *ta, *ur, *grain_ta;
        enum grain_effect effect;
        bool condensation;
    } rows[] = {{"25", "50", "25", GRAIN_DRIES, false},
                {"25", "70", "25", GRAIN_HOLDS, false},
                {"25", "85", "25", GRAIN_WETS, false},
                {"25", "70", "10", GRAIN_WETS, true}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_fields fields;
        struct grain_verdict_answer answer;
        grain_fields_init(&fields, GRAIN_VERDICT_FIELDS);
        grain_fields_put(&fields, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
        grain_fields_put(&fields, pl_slice_cstr("moisture"), pl_slice_cstr("14"));
        grain_fields_put(&fields, pl_slice_cstr("grainTa"), pl_slice_cstr(rows[i].grain_ta));
        grain_fields_put(&fields, pl_slice_cstr("ta"), pl_slice_cstr(rows[i].ta));
        grain_fields_put(&fields, pl_slice_cstr("ur"), pl_slice_cstr(rows[i].ur));
        assert_true(grain_verdict_answer(&fields, &answer));
        assert_true(answer.effect == rows[i].effect && answer.condensation == rows[i].condensation);
    }
}

static void days_are_never_more_than_there_are(void **state)
{
    (void)state;
    static const double rows[][2] = {{2.69, 2.6}, {2.7, 2.7}, {0.96, 0.9}, {9.99, 9.9}, {24.9999999, 25}, {179.9, 179}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        assert_float_equal(grain_days_shown(&(struct grain_days){GRAIN_ABOUT, rows[i][0]}), rows[i][1], 1e-12);
}

// Grain too moist for any humidity has a bound, and a set alone is told as alone, in both.
static void the_verdict_says_what_keeping_says(void **state)
{
    (void)state;
    static const struct {
        const char *grain, *celsius, *moisture, *expected;
        bool alone;
    } rows[] = {{"corn", "25", "60", "\"ur\":99.9,\"urRelation\":\"atLeast\",", false},
                {"corn", "25", "14", "\"ur\":69.9,\"inRange\"", false},
                {"popcorn", "25", "12", "\"nothing_to_compare\"", true}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_fields fields;
        struct grain_verdict_answer answer;
        struct grain_keeping_answer kept;
        struct pl_buf out[2];
        pl_buf_init(&out[0], 1 << 16);
        pl_buf_init(&out[1], 1 << 16);
        assert_true(keep(&kept, &fields, rows[i].grain, rows[i].celsius, rows[i].moisture));
        grain_keeping_write(&out[0], &fields, &kept);
        grain_fields_init(&fields, GRAIN_VERDICT_FIELDS);
        grain_fields_put(&fields, pl_slice_cstr("grain"), pl_slice_cstr(rows[i].grain));
        grain_fields_put(&fields, pl_slice_cstr("moisture"), pl_slice_cstr(rows[i].moisture));
        grain_fields_put(&fields, pl_slice_cstr("grainTa"), pl_slice_cstr(rows[i].celsius));
        assert_true(grain_verdict_answer(&fields, &answer));
        assert_int_equal((fields.chosen.warnings & GRAIN_W_ALONE) != 0, rows[i].alone);
        grain_verdict_write(&out[1], &fields, &answer);
        for (size_t k = 0; k < 2; k++) {
            pl_buf_append_byte(&out[k], 0);
            if (strstr((const char *)out[k].data, rows[i].expected) == NULL)
                fail_msg("%s", (const char *)out[k].data);
            pl_buf_fini(&out[k]);
        }
    }
}

static void limits_of_trade_have_a_source(void **state)
{
    (void)state;
    size_t count;
    const struct grain_trade_limit *limits = grain_trade_limits(&count);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(grain_find(pl_slice_cstr(limits[i].culture)));
        assert_true(limits[i].moisture > 5 && limits[i].moisture < 20 && strlen(limits[i].source) > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_never_rests_on_an_extrapolation),
        cmocka_unit_test(of_two_lower_bounds_the_longer_is_shown),
        cmocka_unit_test(dry_and_cold_grain_is_safe_moist_and_warm_grain_spoils),
        cmocka_unit_test(grain_without_a_moisture_has_its_temperature),
        cmocka_unit_test(a_limit_of_trade_is_compared_with_what_is_known),
        cmocka_unit_test(what_is_told_is_what_is_judged),
        cmocka_unit_test(beyond_its_range_a_set_calls_nothing_safe),
        cmocka_unit_test(air_dries_holds_wets_or_condenses),
        cmocka_unit_test(a_humidity_that_no_decimal_shows_is_a_bound),
        cmocka_unit_test(days_are_never_more_than_there_are),
        cmocka_unit_test(the_verdict_says_what_keeping_says),
        cmocka_unit_test(limits_of_trade_have_a_source),
        cmocka_unit_test(steele_and_bern_give_the_cells_that_minnesota_publishes),
        cmocka_unit_test(steele_and_bern_give_published_cells_with_the_damage_factor),
        cmocka_unit_test(steele_and_bern_say_no_more_than_published_cells_hold),
        cmocka_unit_test(one_day_is_singular_in_every_language),
        cmocka_unit_test(the_reference_is_230_hours),
        cmocka_unit_test(ndsu_gives_its_own_cells),
        cmocka_unit_test(warmer_and_moister_never_keeps_longer),
        cmocka_unit_test(the_cautious_band_is_never_below_the_band),
        cmocka_unit_test(corn_of_15_5_percent_at_10_degrees_is_in_the_mould_band),
        cmocka_unit_test(shrink_is_the_water_over_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
