// Equilibrium moisture as it was measured and as services publish it, each set's distance from it, the range in which
// measured grain supports a set, and the rule for the defaults.
#include "grain/published.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "os/once.h"

// Measured humidities that count for the score: where grain is stored and dried.
#define SCORE_UR_LOW 30.0
#define SCORE_UR_HIGH 80.0
// A set is not supported where it is further than this from measured grain, in points of moisture; and where it is
// further than the second, it says nothing about other sets either.
#define SUPPORTED 1.5
#define CONTRADICTED 3.0
#define MEASURED_CELSIUS 25.0 // of the tables of measured grain; sets are compared with one another there, too

// Up to these humidities, percent.
static const double band_ends[GRAIN_HUMIDITY_BANDS] = {35, 65, 80, 100};

// clang-format off
enum { NDSU, ISU_WORLD_GRAIN, ISU_FARMS, KENTUCKY, PUBLIC_ANSWER, PAMI, THOMPSON, BRAZIL, MAKER, AIRSTREAM, NOX, HOWLETT, FIELD_TEST, CLASSIC, RAMSTAD, KARON, WFLO, FSA1074, SOURCES };

static const struct {
    const char *name;
    enum grain_evidence evidence;
} sources[SOURCES] = {
    [CLASSIC] = {"Coleman and Fellows 1925, grain at 25 °C, as handbooks print it (Hall; Brooker et al.)", GRAIN_MEASURED},
    [RAMSTAD] = {"soybean at 25 °C in the same handbooks (Ramstad and Geddes 1942)", GRAIN_MEASURED},
    [KARON] = {"Karon and Adams 1949, rough rice at 25 °C, as handbooks print it", GRAIN_MEASURED},
    [WFLO] = {"WFLO Commodity Storage Manual 2008, popcorn that came to rest at 70 °F and 70 %: 13.7 to 14", GRAIN_MEASURED},
    [NDSU] = {"NDSU (Hellevang), long-term storage moistures and field drying", GRAIN_FIGURE},
    [ISU_WORLD_GRAIN] = {"ISU grain app, as World Grain quotes it", GRAIN_FIGURE},
    [ISU_FARMS] = {"ISU grain app, safe storage moistures (65 to 67 %), as farms.com quotes it", GRAIN_FIGURE},
    [KENTUCKY] = {"University of Kentucky (McNeill), calculated charts", GRAIN_FIGURE},
    [PUBLIC_ANSWER] = {"a public answer on safe storage of wheat at 65 %", GRAIN_FIGURE},
    [PAMI] = {"PAMI (Canada), charts after ASABE D245.5", GRAIN_FIGURE},
    [NOX] = {"NOX storage wiki", GRAIN_FIGURE},
    [HOWLETT] = {"Howlett Farms, New York", GRAIN_FIGURE},
    [THOMPSON] = {"Thompson simulator as used in Brazil", GRAIN_COMPUTED},
    [BRAZIL] = {"Chung-Pfost form as used in Brazil", GRAIN_COMPUTED},
    [MAKER] = {"table at 25 °C of an equipment maker (Lotus Harvestec): the two measured tables, interpolated; its wheat is soft red winter", GRAIN_COMPUTED},
    [AIRSTREAM] = {"Airstream heater manual", GRAIN_COMPUTED},
    [FIELD_TEST] = {"public unit test after extension tables", GRAIN_COMPUTED},
    [FSA1074] = {"University of Arkansas FSA1074, long-grain rice (gives henderson-d245.6 to the last digit)", GRAIN_COMPUTED},
};

#define F(degrees) (((degrees) - 32.0) * 5.0 / 9.0)
// A row of the handbooks' table: moistures at 25 °C and 15, 30, 45, 60, 75 and 90 %.
#define ROW(source, culture, kind, a, b, c, d, e, f)                                                                   \
    {source, culture, kind, 25, 15, a}, {source, culture, kind, 25, 30, b}, {source, culture, kind, 25, 45, c},        \
    {source, culture, kind, 25, 60, d}, {source, culture, kind, 25, 75, e}, {source, culture, kind, 25, 90, f}
static const struct grain_point points[] = {
    {NDSU, "barley", NULL, F(70), 60, 11.8},
    {NDSU, "corn", NULL, F(70), 60, 12.8},
    {NDSU, "corn", NULL, F(47), 70, 16.0},
    {NDSU, "soybean", NULL, F(70), 60, 10.2},
    {NDSU, "sunflower", NULL, F(70), 60, 7.4},
    {NDSU, "wheat", NULL, F(70), 60, 13.3},
    {NDSU, "canola", NULL, F(70), 60, 8.0},
    {ISU_WORLD_GRAIN, "ear-corn", NULL, 25, 70, 14.3},
    {ISU_WORLD_GRAIN, "ear-corn", NULL, 25, 50, 11.6},
    {ISU_WORLD_GRAIN, "soybean", NULL, 25, 70, 13.3},
    {ISU_WORLD_GRAIN, "soybean", NULL, 25, 50, 8.6},
    {ISU_FARMS, "corn", NULL, F(50), 66, 14.3},
    {ISU_FARMS, "corn", NULL, F(40), 66, 14.8},
    {ISU_FARMS, "corn", NULL, F(35), 66, 15.2},
    {ISU_FARMS, "soybean", NULL, F(50), 66, 12.6},
    {KENTUCKY, "corn", NULL, F(70), 50, 11.3},
    {KENTUCKY, "soybean", NULL, F(70), 50, 8.8},
    {KENTUCKY, "wheat", "soft", F(90), 50, 10.8},
    {PUBLIC_ANSWER, "wheat", NULL, F(30), 65, 14.1},
    {PUBLIC_ANSWER, "wheat", NULL, F(60), 65, 13.2},
    {PUBLIC_ANSWER, "wheat", NULL, F(77.5), 65, 13.0},
    {PAMI, "wheat", NULL, 10, 60, 14.2},
    {THOMPSON, "corn", NULL, 25, 70, 13.6},
    {BRAZIL, "corn", NULL, 25, 70, 14.0},
    {MAKER, "barley", NULL, 25, 40, 9.7}, {MAKER, "barley", NULL, 25, 50, 10.8}, {MAKER, "barley", NULL, 25, 60, 12.1}, {MAKER, "barley", NULL, 25, 70, 13.5}, {MAKER, "barley", NULL, 25, 80, 15.8},
    {MAKER, "corn", NULL, 25, 40, 9.8}, {MAKER, "corn", NULL, 25, 50, 11.2}, {MAKER, "corn", NULL, 25, 60, 12.9}, {MAKER, "corn", NULL, 25, 70, 14.0}, {MAKER, "corn", NULL, 25, 80, 15.6},
    {MAKER, "long-grain-rice", NULL, 25, 40, 9.4}, {MAKER, "long-grain-rice", NULL, 25, 50, 10.8}, {MAKER, "long-grain-rice", NULL, 25, 60, 12.2}, {MAKER, "long-grain-rice", NULL, 25, 70, 13.4}, {MAKER, "long-grain-rice", NULL, 25, 80, 14.8},
    {MAKER, "sorghum", NULL, 25, 40, 9.8}, {MAKER, "sorghum", NULL, 25, 50, 11.0}, {MAKER, "sorghum", NULL, 25, 60, 12.0}, {MAKER, "sorghum", NULL, 25, 70, 13.8}, {MAKER, "sorghum", NULL, 25, 80, 15.8},
    {MAKER, "wheat", "soft", 25, 40, 9.7}, {MAKER, "wheat", "soft", 25, 50, 10.9}, {MAKER, "wheat", "soft", 25, 60, 11.9}, {MAKER, "wheat", "soft", 25, 70, 13.6}, {MAKER, "wheat", "soft", 25, 80, 15.7},
    {AIRSTREAM, "corn", NULL, F(40), 50, 12.7}, {AIRSTREAM, "corn", NULL, F(40), 60, 14.5}, {AIRSTREAM, "corn", NULL, F(40), 70, 16.4}, {AIRSTREAM, "corn", NULL, F(40), 80, 18.7},
    {AIRSTREAM, "corn", NULL, F(60), 50, 11.7}, {AIRSTREAM, "corn", NULL, F(60), 60, 13.3}, {AIRSTREAM, "corn", NULL, F(60), 70, 15.1}, {AIRSTREAM, "corn", NULL, F(60), 80, 17.2},
    {AIRSTREAM, "corn", NULL, F(80), 50, 10.8}, {AIRSTREAM, "corn", NULL, F(80), 60, 12.4}, {AIRSTREAM, "corn", NULL, F(80), 70, 14.0}, {AIRSTREAM, "corn", NULL, F(80), 80, 16.0},
    {NOX, "wheat", NULL, 20, 70, 14.5},
    {NOX, "soybean", NULL, 20, 70, 11.5},
    {NOX, "sunflower", NULL, 20, 70, 8.2},
    {HOWLETT, "wheat", "soft", F(50), 75, 14.5},
    {FIELD_TEST, "corn", NULL, F(60), 80, 16.06},
    {FIELD_TEST, "soybean", NULL, F(60), 80, 18.25},
    ROW(CLASSIC, "barley", NULL, 6.0, 8.4, 10.0, 12.1, 14.4, 19.5),
    ROW(CLASSIC, "corn", NULL, 6.4, 8.4, 10.5, 12.9, 14.8, 19.1),
    ROW(CLASSIC, "popcorn", NULL, 6.8, 8.5, 9.8, 12.2, 13.6, 18.3),
    ROW(CLASSIC, "oats", NULL, 5.7, 8.0, 9.6, 11.8, 13.8, 18.5),
    ROW(CLASSIC, "rye", NULL, 7.0, 8.7, 10.5, 12.2, 14.8, 20.6),
    ROW(CLASSIC, "sorghum", NULL, 6.4, 8.6, 10.5, 12.0, 15.2, 18.8),
    // Hard red winter, hard red spring; soft red winter, white; durum.
    ROW(CLASSIC, "wheat", NULL, 6.4, 8.5, 10.5, 12.5, 14.6, 20.1),
    ROW(CLASSIC, "wheat", NULL, 6.8, 8.5, 10.1, 11.8, 14.8, 19.7),
    ROW(CLASSIC, "wheat", "soft", 6.3, 8.6, 10.6, 11.9, 14.6, 19.7),
    ROW(CLASSIC, "wheat", "soft", 6.7, 8.6, 9.9, 11.8, 15.0, 19.7),
    ROW(CLASSIC, "wheat", "durum", 6.6, 8.5, 10.0, 11.5, 14.1, 19.3),
    ROW(RAMSTAD, "soybean", NULL, 4.3, 6.5, 7.4, 9.3, 13.1, 18.8),
    {KARON, "long-grain-rice", NULL, 25, 10, 4.6}, {KARON, "long-grain-rice", NULL, 25, 20, 6.5}, {KARON, "long-grain-rice", NULL, 25, 30, 7.9},
    {KARON, "long-grain-rice", NULL, 25, 40, 9.4}, {KARON, "long-grain-rice", NULL, 25, 50, 10.8}, {KARON, "long-grain-rice", NULL, 25, 60, 12.2},
    {KARON, "long-grain-rice", NULL, 25, 70, 13.4}, {KARON, "long-grain-rice", NULL, 25, 80, 14.8}, {KARON, "long-grain-rice", NULL, 25, 90, 16.7},
    {WFLO, "popcorn", NULL, F(70), 70, 13.85},
};
// clang-format on

const struct grain_point *grain_points(size_t *count)
{
    *count = PL_COUNTOF(points);
    return points;
}

const char *grain_point_source(unsigned source)
{
    return sources[source].name;
}

enum grain_evidence grain_point_evidence(unsigned source)
{
    return sources[source].evidence;
}

static bool is_of(const struct grain_point *point, const struct grain_culture *culture, const char *kind)
{
    return strcmp(point->culture, culture->id) == 0 && grain_same_kind(point->kind, kind);
}

static double error_of(const struct grain_set *set, const struct grain_point *point)
{
    return grain_wet_from_dry(grain_moisture(set, point->ta, point->ur / 100)) - point->moisture;
}

// The best evidence that there is of a kind of grain.
static enum grain_evidence best_evidence(const struct grain_culture *culture, const char *kind)
{
    enum grain_evidence best = GRAIN_EVIDENCES;
    for (size_t i = 0; i < PL_COUNTOF(points); i++) {
        if (is_of(&points[i], culture, kind))
            best = PL_MIN(best, sources[points[i].source].evidence);
    }
    return best;
}

static size_t band_of(double ur)
{
    size_t band = 0;
    while (band < GRAIN_HUMIDITY_BANDS - 1 && ur > band_ends[band])
        band++;
    return band;
}

struct grain_score grain_score(const struct grain_culture *culture, const struct grain_set *set)
{
    struct grain_score score = {.evidence = best_evidence(culture, set->kind)};
    double sum[SOURCES] = {0};
    size_t count[SOURCES] = {0};
    if (score.evidence >= GRAIN_COMPUTED)
        return score;
    for (size_t i = 0; i < PL_COUNTOF(points); i++) {
        const struct grain_point *point = &points[i];
        if (!is_of(point, culture, set->kind) || sources[point->source].evidence != score.evidence)
            continue;
        double error = error_of(set, point);
        size_t band = band_of(point->ur);
        score.band_error[band] += error;
        score.band_points[band]++;
        if (!(point->ur >= SCORE_UR_LOW && point->ur <= SCORE_UR_HIGH))
            continue;
        score.points++;
        score.worst = fmax(score.worst, fabs(error));
        sum[point->source] += fabs(error);
        count[point->source]++;
    }
    for (size_t i = 0; i < SOURCES; i++) {
        if (count[i] == 0)
            continue;
        score.sources++;
        score.mean += sum[i] / (double)count[i];
    }
    if (score.sources > 0)
        score.mean /= (double)score.sources;
    for (size_t i = 0; i < GRAIN_HUMIDITY_BANDS; i++)
        score.band_error[i] /= (double)PL_MAX(score.band_points[i], (size_t)1);
    return score;
}

// ---- ranges ----

// The mean error of a set against measured grain at one humidity; NaN: none was measured there.
static double measured_error(const struct grain_culture *culture, const struct grain_set *set, double ur)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < PL_COUNTOF(points); i++) {
        if (points[i].ur == ur && is_of(&points[i], culture, set->kind) &&
            sources[points[i].source].evidence == GRAIN_MEASURED) {
            sum += error_of(set, &points[i]);
            count++;
        }
    }
    return count > 0 ? sum / (double)count : NAN;
}

// From the middle of the humidities outwards to where the error passes the bound, between two measured humidities by a
// straight line. Beyond the last measured one the service's own bound counts.
static double find_end(const struct grain_culture *culture, const struct grain_set *set, int step, double limit,
                       double bound)
{
    const int middle = 50;
    double last_ur = NAN, last_error = NAN;
    for (int ur = middle; ur > 0 && ur < 100; ur += step) {
        double error = fabs(measured_error(culture, set, ur));
        if (isnan(error))
            continue;
        if (error > limit) {
            // Not even the nearest to the middle is supported: nothing that could be told.
            if (isnan(last_ur))
                return bound;
            double share = (limit - last_error) / (error - last_error);
            double end = last_ur + share * (ur - last_ur);
            return step > 0 ? floor(end) : ceil(end);
        }
        last_ur = ur;
        last_error = error;
    }
    return bound;
}

static bool is_measured(const struct grain_culture *culture, const struct grain_set *set)
{
    for (size_t i = 0; i < PL_COUNTOF(points); i++) {
        if (is_of(&points[i], culture, set->kind) && sources[points[i].source].evidence == GRAIN_MEASURED)
            return true;
    }
    return false;
}

// Where no grain was measured, the humidity up to which the sets for one kind of grain do not contradict one another.
static double find_discord(const struct grain_culture *culture, const struct grain_set *set, double bound)
{
    for (int ur = (int)SCORE_UR_LOW; ur < bound && !is_measured(culture, set); ur++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < culture->set_count; i++) {
            const struct grain_set *other = &culture->sets[i];
            if (!grain_same_kind(other->kind, set->kind) || other->curve != set->curve)
                continue;
            double moisture = grain_wet_from_dry(grain_moisture_in(other, MEASURED_CELSIUS, ur + 1));
            low = fmin(low, moisture);
            high = fmax(high, moisture);
        }
        if (high - low > CONTRADICTED)
            return ur;
    }
    return bound;
}

static struct grain_range ranges[GRAIN_CULTURES][GRAIN_SETS_MAX], spread_ranges[GRAIN_CULTURES][GRAIN_SETS_MAX];
static struct pl_once ranges_once = PL_ONCE_INIT;

static void find_ranges(void)
{
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count && k < GRAIN_SETS_MAX; k++) {
            const struct grain_set *set = &culture->sets[k];
            struct grain_range range = {GRAIN_TA_LOW, GRAIN_TA_HIGH, GRAIN_UR_LOW, GRAIN_UR_HIGH};
            if (set->range != NULL)
                range = *set->range;
            range.ur_low = fmax(range.ur_low, find_end(culture, set, -1, SUPPORTED, range.ur_low));
            range.ur_high = fmin(range.ur_high, find_end(culture, set, 1, SUPPORTED, range.ur_high));
            range.ur_high = find_discord(culture, set, range.ur_high);
            ranges[i][k] = range;
            spread_ranges[i][k] =
                (struct grain_range){GRAIN_TA_MIN, GRAIN_TA_MAX, find_end(culture, set, -1, CONTRADICTED, 0),
                                     find_end(culture, set, 1, CONTRADICTED, 100)};
        }
    }
}

// The culture of a set of the catalogue; NULL: it is of none.
static const struct grain_culture *culture_of(const struct grain_set *set)
{
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        if (set >= culture->sets && set < culture->sets + culture->set_count)
            return culture;
    }
    return NULL;
}

static const struct grain_range *range_in(struct grain_range table[GRAIN_CULTURES][GRAIN_SETS_MAX],
                                          const struct grain_set *set)
{
    static const struct grain_range general = {GRAIN_TA_LOW, GRAIN_TA_HIGH, GRAIN_UR_LOW, GRAIN_UR_HIGH};
    const struct grain_culture *culture = culture_of(set);
    pl_once(&ranges_once, find_ranges);
    return culture != NULL ? &table[culture - grain_cultures()][set - culture->sets] : &general;
}

const struct grain_range *grain_set_range(const struct grain_set *set)
{
    return range_in(ranges, set);
}

const struct grain_range *grain_set_spread_range(const struct grain_set *set)
{
    return range_in(spread_ranges, set);
}

enum grain_range_from grain_set_range_from(const struct grain_set *set)
{
    const struct grain_range *range = grain_set_range(set);
    double low = set->range != NULL ? set->range->ur_low : GRAIN_UR_LOW,
           high = set->range != NULL ? set->range->ur_high : GRAIN_UR_HIGH;
    if (range->ur_low > low || range->ur_high < high)
        return is_measured(culture_of(set), set) ? GRAIN_RANGE_MEASURED : GRAIN_RANGE_SETS;
    return set->range != NULL ? GRAIN_RANGE_SOURCE : GRAIN_RANGE_SERVICE;
}

// ---- the default ----

static bool may_be_default(const struct grain_set *set)
{
    return set->kind == NULL && !set->broad;
}

const struct grain_set *grain_default_by_rule(const struct grain_culture *culture)
{
    double best = INFINITY;
    const struct grain_set *chosen = NULL;
    for (size_t k = 0; k < culture->set_count; k++) {
        if (may_be_default(&culture->sets[k]))
            best = fmin(best, grain_score(culture, &culture->sets[k]).mean);
    }
    for (size_t k = 0; k < culture->set_count; k++) {
        const struct grain_set *set = &culture->sets[k];
        double mean = grain_score(culture, set).mean;
        if (!may_be_default(set) || mean > best + GRAIN_TIE)
            continue;
        if (chosen == NULL || set->confidence < chosen->confidence ||
            (set->confidence == chosen->confidence && mean < grain_score(culture, chosen).mean))
            chosen = set;
    }
    return chosen;
}

// Every set's ratings, found once.
static enum grain_agreement agreements[GRAIN_CULTURES][GRAIN_SETS_MAX];
static bool trusted[GRAIN_CULTURES][GRAIN_SETS_MAX];
static struct pl_once agreements_once = PL_ONCE_INIT;

static enum grain_agreement agreement_of(const struct grain_score *score)
{
    return score->points == 0   ? GRAIN_AGREE_UNKNOWN
           : score->mean <= 0.3 ? GRAIN_AGREE_CLOSE
           : score->mean <= 0.6 ? GRAIN_AGREE_FAIR
                                : GRAIN_AGREE_FAR;
}

// Is there a better traced copy of the same constants?
static bool is_copy(const struct grain_culture *culture, const struct grain_set *set)
{
    for (size_t k = 0; k < culture->set_count; k++) {
        const struct grain_set *other = &culture->sets[k];
        if (other != set && other->equation == set->equation && grain_same_kind(other->kind, set->kind) &&
            strcmp(other->standard, set->standard) == 0 && other->confidence < set->confidence)
            return true;
    }
    return false;
}

static void find_agreements(void)
{
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count && k < GRAIN_SETS_MAX; k++) {
            const struct grain_set *set = &culture->sets[k];
            struct grain_score score = grain_score(culture, set);
            enum grain_agreement agreement = agreement_of(&score);
            bool near =
                agreement == GRAIN_AGREE_CLOSE || (score.evidence == GRAIN_MEASURED && agreement == GRAIN_AGREE_FAIR);
            agreements[i][k] = agreement;
            trusted[i][k] = set->confidence <= GRAIN_CONF_B || (near && !is_copy(culture, set));
        }
    }
}

enum grain_agreement grain_agreement(const struct grain_culture *culture, const struct grain_set *set)
{
    pl_once(&agreements_once, find_agreements);
    return agreements[culture - grain_cultures()][set - culture->sets];
}

bool grain_trustworthy(const struct grain_culture *culture, const struct grain_set *set)
{
    pl_once(&agreements_once, find_agreements);
    return trusted[culture - grain_cultures()][set - culture->sets];
}

static void put_signed(struct pl_buf *out, double value)
{
    pl_buf_append_cstr(out, value > 0 ? "+" : "");
    pl_buf_append_fixed(out, value, 1);
}

static void put_score_row(struct pl_buf *out, const struct grain_culture *culture, const struct grain_set *set)
{
    static const char *const evidences[] = {"measured", "figures", "", ""};
    struct grain_score score = grain_score(culture, set);
    const struct grain_range *range = grain_set_range(set);
    pl_buf_printf(out, "| %s%s%s | `%s` | %s | %s | %s | ", culture->id, set->kind != NULL ? ", " : "",
                  set->kind != NULL ? set->kind : "", set->id, grain_default_by_rule(culture) == set ? "yes" : "",
                  grain_confidence_id(set->confidence), evidences[score.evidence]);
    if (score.points > 0) {
        pl_buf_printf(out, "%zu | ", score.points);
        pl_buf_append_fixed(out, score.mean, 2);
        pl_buf_append_cstr(out, " | ");
        pl_buf_append_fixed(out, score.worst, 2);
    } else {
        pl_buf_append_cstr(out, "0 | |");
    }
    for (size_t i = 0; i < GRAIN_HUMIDITY_BANDS; i++) {
        pl_buf_append_cstr(out, " | ");
        if (score.band_points[i] > 0)
            put_signed(out, score.band_error[i]);
    }
    pl_buf_append_cstr(out, " | ");
    pl_buf_append_double(out, range->ur_low);
    pl_buf_append_cstr(out, "–");
    pl_buf_append_double(out, range->ur_high);
    pl_buf_printf(out, " %% | %s |\n", grain_agreement_id(grain_agreement(culture, set)));
}

void grain_write_scores(struct pl_buf *out)
{
    pl_buf_append_cstr(
        out,
        "| culture | set | default | traced | evidence | points | mean error | worst | to 35 % | 35–65 % | 65–80 % | "
        "above 80 % | range | agrees |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count; k++)
            put_score_row(out, culture, &culture->sets[k]);
    }
    pl_buf_append_cstr(
        out,
        "\nRule: measured points from 30 to 80 % decide; where there are none, figures that services publish; computed "
        "tables never. A source counts as one. A set for the culture's own kind of grain goes before one for a broader "
        "group. Sets within 0.1 points of the best count as equal; of these the best traced is the default, then the "
        "nearer. A set's range ends where it is more than 1.5 points from measured grain, or, where none was measured, "
        "where the sets are more than 3 points apart.\n");
}

void grain_write_points(struct pl_buf *out)
{
    static const char *const evidences[] = {"measured", "figure", "computed"};
    pl_buf_append_cstr(out, "culture,kind,ta_C,ur_%,moisture_%,evidence,default_minus_figure,source\n");
    for (size_t i = 0; i < PL_COUNTOF(points); i++) {
        const struct grain_point *point = &points[i];
        const struct grain_culture *culture = grain_find(pl_slice_cstr(point->culture));
        const struct grain_set *set = culture->sets;
        for (size_t k = 0; k < culture->set_count && !grain_same_kind(set->kind, point->kind); k++)
            set = &culture->sets[k];
        pl_buf_printf(out, "%s,%s,", point->culture, point->kind != NULL ? point->kind : "");
        pl_buf_append_double(out, round(point->ta * 10) / 10);
        pl_buf_append_byte(out, ',');
        pl_buf_append_double(out, point->ur);
        pl_buf_append_byte(out, ',');
        pl_buf_append_double(out, point->moisture);
        pl_buf_printf(out, ",%s,", evidences[sources[point->source].evidence]);
        pl_buf_append_fixed(out, error_of(set, point), 2);
        pl_buf_printf(out, ",\"%s\"\n", sources[point->source].name);
    }
}
