// Equilibrium moisture as extension services, makers of equipment and others publish it, and each set's distance
// from it. Tables that were only computed from the newest constants (Wikipedia's) are left out: they say which
// constants are the standard's, not what others use.
#include "grain/published.h"

#include <math.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "os/once.h"

// clang-format off
enum { NDSU, ISU_WORLD_GRAIN, ISU_FARMS, KENTUCKY, PUBLIC_ANSWER, PAMI, THOMPSON, BRAZIL, MAKER, AIRSTREAM, NOX, HOWLETT, FIELD_TEST, SOURCES };

static const char *const source_names[SOURCES] = {
    [NDSU] = "NDSU (Hellevang), long-term storage moistures and field drying",
    [ISU_WORLD_GRAIN] = "ISU grain app, as World Grain quotes it",
    [ISU_FARMS] = "ISU grain app, safe storage moistures (65 to 67 %), as farms.com quotes it",
    [KENTUCKY] = "University of Kentucky (McNeill)",
    [PUBLIC_ANSWER] = "a public answer on safe storage of wheat at 65 %",
    [PAMI] = "PAMI (Canada)",
    [THOMPSON] = "Thompson simulator as used in Brazil",
    [BRAZIL] = "Chung-Pfost form as used in Brazil",
    [MAKER] = "table at 25 °C of an equipment maker (Lotus Harvestec)",
    [AIRSTREAM] = "Airstream heater manual",
    [NOX] = "NOX storage wiki",
    [HOWLETT] = "Howlett Farms, New York",
    [FIELD_TEST] = "public unit test after extension tables",
};

#define F(degrees) (((degrees) - 32.0) * 5.0 / 9.0)
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
    {MAKER, "wheat", NULL, 25, 40, 9.7}, {MAKER, "wheat", NULL, 25, 50, 10.9}, {MAKER, "wheat", NULL, 25, 60, 11.9}, {MAKER, "wheat", NULL, 25, 70, 13.6}, {MAKER, "wheat", NULL, 25, 80, 15.7},
    {AIRSTREAM, "corn", NULL, F(40), 50, 12.7}, {AIRSTREAM, "corn", NULL, F(40), 60, 14.5}, {AIRSTREAM, "corn", NULL, F(40), 70, 16.4}, {AIRSTREAM, "corn", NULL, F(40), 80, 18.7},
    {AIRSTREAM, "corn", NULL, F(60), 50, 11.7}, {AIRSTREAM, "corn", NULL, F(60), 60, 13.3}, {AIRSTREAM, "corn", NULL, F(60), 70, 15.1}, {AIRSTREAM, "corn", NULL, F(60), 80, 17.2},
    {AIRSTREAM, "corn", NULL, F(80), 50, 10.8}, {AIRSTREAM, "corn", NULL, F(80), 60, 12.4}, {AIRSTREAM, "corn", NULL, F(80), 70, 14.0}, {AIRSTREAM, "corn", NULL, F(80), 80, 16.0},
    {NOX, "wheat", NULL, 20, 70, 14.5},
    {NOX, "soybean", NULL, 20, 70, 11.5},
    {NOX, "sunflower", NULL, 20, 70, 8.2},
    {HOWLETT, "wheat", "soft", F(50), 75, 14.5},
    {FIELD_TEST, "corn", NULL, F(60), 80, 16.06},
    {FIELD_TEST, "soybean", NULL, F(60), 80, 18.25},
};
// clang-format on

const struct grain_point *grain_points(size_t *count)
{
    *count = PL_COUNTOF(points);
    return points;
}

const char *grain_point_source(unsigned source)
{
    return source_names[source];
}

struct grain_score grain_score(const struct grain_culture *culture, const struct grain_set *set)
{
    struct grain_score score = {.points = 0};
    double sum[SOURCES] = {0};
    size_t count[SOURCES] = {0};
    for (size_t i = 0; i < PL_COUNTOF(points); i++) {
        const struct grain_point *point = &points[i];
        if (strcmp(point->culture, culture->id) != 0 || !grain_same_kind(point->kind, set->kind))
            continue;
        double own = grain_wet_from_dry(grain_moisture(set, point->ta, point->ur / 100));
        double distance = fabs(own - point->moisture);
        score.points++;
        score.worst = fmax(score.worst, distance);
        sum[point->source] += distance;
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
    return score;
}

// Every set's rating, found once.
static enum grain_agreement agreements[GRAIN_CULTURES][GRAIN_SETS_MAX];
static struct pl_once agreements_once = PL_ONCE_INIT;

static void find_agreements(void)
{
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count && k < GRAIN_SETS_MAX; k++) {
            struct grain_score score = grain_score(culture, &culture->sets[k]);
            agreements[i][k] = score.points == 0   ? GRAIN_AGREE_UNKNOWN
                               : score.mean <= 0.3 ? GRAIN_AGREE_CLOSE
                               : score.mean <= 0.6 ? GRAIN_AGREE_FAIR
                                                   : GRAIN_AGREE_FAR;
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
    return set->confidence <= GRAIN_CONF_B || grain_agreement(culture, set) == GRAIN_AGREE_CLOSE;
}

static void put_fixed(struct pl_buf *out, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    pl_buf_append(out, text, pl_format_fixed(value, 2, text));
}

void grain_write_scores(struct pl_buf *out)
{
    pl_buf_append_cstr(out, "| culture | set | default | traced | points | sources | mean distance | worst | agrees |\n"
                            "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (size_t k = 0; k < culture->set_count; k++) {
            const struct grain_set *set = &culture->sets[k];
            struct grain_score score = grain_score(culture, set);
            pl_buf_printf(out, "| %s | `%s` | %s | %s | ", culture->id, set->id, k == 0 ? "yes" : "",
                          grain_confidence_id(set->confidence));
            if (score.points == 0) {
                pl_buf_append_cstr(out, "0 | | | | ");
            } else {
                pl_buf_printf(out, "%zu | %zu | ", score.points, score.sources);
                put_fixed(out, score.mean);
                pl_buf_append_cstr(out, " | ");
                put_fixed(out, score.worst);
                pl_buf_append_cstr(out, " | ");
            }
            pl_buf_printf(out, "%s |\n", grain_agreement_id(grain_agreement(culture, set)));
        }
    }
}
