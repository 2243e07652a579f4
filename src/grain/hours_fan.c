// The fan hour by hour: when to run it for a goal, and what the layers of a bin come to.
#include <math.h>

#include "base/fmt.h"
#include "grain/air.h"
#include "grain/hours.h"

// To cool, the air must be this much colder than the grain (extension services say 10 °F).
#define COOLER 5.5
// Warmer by this much than the coldest layer it is told that cooling air warms that layer.
#define WARMER 0.5
// Cooling air may be moister than the grain by so many points: the cold front passes before much water does.
#define COOLING_MOISTER 2.0
// Air that is to wet the grain again is never so moist that the bottom spoils.
#define REWET_UR_MAX 80.0
// Points from what the air holds at which the top counts as having reached it.
#define NEAR 0.5
// Steps of an hour; rows that stand for more than a day have longer ones.
#define SUBSTEP_HOURS 1.0
#define SUBSTEPS_MAX 24

// The humidity of the outside air at which its vapour pressure is that of the grain (grain-aeration.com, RHthres):
// below it the grain loses water. Grain whose temperature is not known is taken as warm as the air behind the fan.
static double threshold_of(const struct grain_hours *hours, const struct grain_hour *hour)
{
    double celsius = grain_hours_stay_as_warm(hours) ? hours->grain_celsius : hour->celsius + grain_hours_heat(hours);
    double r = grain_humidity(hours->set, celsius, grain_dry_from_wet(hours->grain_moisture));
    double vapour = r * grain_air_saturation_over(celsius, GRAIN_OVER_WATER);
    return fmin(100, 100 * vapour / grain_air_saturation_over(hour->celsius, GRAIN_OVER_WATER));
}

// The grain as it is: by the layers where a bin is computed, else as it was given.
struct present {
    double coldest, mean; // °C
    double moisture;      // of the layer that has the longest way to go, percent wet basis
    bool done;            // the target that was asked for is reached
};

static struct present present_of(const struct grain_hours *hours, bool bin, bool target)
{
    struct present grain = {hours->grain_celsius, hours->grain_celsius, hours->grain_moisture, false};
    if (!bin)
        return grain;
    double sum = 0, moist = 0, dry = INFINITY;
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++) {
        double celsius = hours->bin.layers[i].celsius, moisture = grain_bin_moisture(&hours->bin, i);
        grain.coldest = i == 0 ? celsius : fmin(grain.coldest, celsius);
        sum += celsius;
        moist = fmax(moist, moisture);
        dry = fmin(dry, moisture);
    }
    grain.mean = sum / GRAIN_BIN_LAYERS;
    // Water that one layer gives to the next makes that one moister than the grain was at first: that is no reason to
    // take moister air.
    grain.moisture = hours->bin.rewets ? fmax(dry, hours->grain_moisture) : fmin(moist, hours->grain_moisture);
    grain.done = target && !isnan(hours->bin.finished);
    return grain;
}

static bool advise(const struct grain_hours *hours, const struct grain_hour *hour, const struct present *grain)
{
    double ta = hour->celsius + grain_hours_heat(hours);
    double ur = 100 * hour->vapour / grain_air_saturation_over(ta, GRAIN_OVER_WATER);
    if (hour->condensation || hour->saturated)
        return false;
    switch (hours->goal) {
    case GRAIN_GOAL_DRY:
        // It must dry the grain as it is, and not end above it either.
        return !grain->done && hour->effect == GRAIN_DRIES && hour->moisture < grain->moisture;
    case GRAIN_GOAL_COOL:
        return ta <= grain->mean - COOLER && hour->moisture <= hours->grain_moisture + COOLING_MOISTER;
    case GRAIN_GOAL_HOLD:
        return hour->effect == GRAIN_HOLDS && fabs(hour->moisture - hours->grain_moisture) <= 1;
    case GRAIN_GOAL_REWET:
        return !grain->done && hour->effect == GRAIN_WETS && hour->moisture > grain->moisture + hours->hold &&
               ur <= REWET_UR_MAX;
    case GRAIN_NO_GOAL:
    case GRAIN_GOALS:
        break;
    }
    return false;
}

static void init_bin(struct grain_hours *hours, const struct grain_culture *culture)
{
    // Without a target it is what the season's air holds, as near as the top comes in good time; but nothing dries to
    // more than it has.
    if (isnan(hours->target))
        hours->target = hours->goal == GRAIN_GOAL_REWET ? hours->air.moisture - NEAR
                                                        : fmin(hours->air.moisture + NEAR, hours->grain_moisture);
    grain_bin_init(&hours->bin, hours->set, hours->grain_moisture, hours->grain_celsius);
    hours->bin.airflow = hours->airflow;
    hours->bin.target = hours->target;
    hours->bin.corn = pl_slice_eq_cstr(pl_slice_cstr(culture->id), "corn");
    hours->bin.rewets = hours->goal == GRAIN_GOAL_REWET;
    if (hours->bin.rewets ? hours->grain_moisture >= hours->target : hours->grain_moisture <= hours->target)
        hours->bin.finished = 0;
}

static void step_bin(struct grain_hours *hours, const struct grain_hour *hour)
{
    if (hours->goal != GRAIN_NO_GOAL && !hour->run) {
        grain_bin_rest(&hours->bin, hour->weight);
        return;
    }
    double step = fmax(SUBSTEP_HOURS, hour->weight / SUBSTEPS_MAX);
    for (double left = hour->weight; left > 1e-9; left -= step)
        grain_bin_blow(&hours->bin, hour->celsius + grain_hours_heat(hours), hour->vapour, fmin(left, step));
}

// A bin that was dry when it was filled and is wet in the end is not finished.
static void look_for_wetted(struct grain_hours *hours)
{
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++)
        hours->wetted = fmax(hours->wetted, grain_bin_moisture(&hours->bin, i) - hours->grain_moisture);
    if (grain_hours_wet_bin(hours) && hours->bin.finished == 0)
        hours->bin.finished = NAN;
}

enum pl_errc grain_hours_run_fan(struct grain_hours *hours, const struct grain_culture *culture,
                                 const struct pl_job *job, struct pl_error *err)
{
    const bool advice = hours->goal != GRAIN_NO_GOAL, bin = !isnan(hours->airflow) && hours->answered > 0,
               target = !isnan(hours->target);
    double sum = 0, counted = 0;
    if (bin) {
        init_bin(hours, culture);
        hours->condensation = 0;
    }
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_hour *hour = &hours->list[i];
        if (i % 64 == 0)
            PL_TRY(pl_job_check(job, err));
        if (hour->error != GRAIN_HOUR_OK)
            continue;
        struct present grain = present_of(hours, bin, target);
        // Where layers are computed, water condenses on the coldest of them, whatever the grain was at first.
        if (bin) {
            hour->condensation = hour->vapour > grain_air_saturation_over(grain.coldest, GRAIN_OVER_WATER);
            hours->condensation += hour->condensation ? hour->weight : 0;
        }
        if (advice) {
            hour->threshold = threshold_of(hours, hour);
            hour->run = advise(hours, hour, &grain);
            bool warms = bin && hour->run && hour->celsius + grain_hours_heat(hours) > grain.coldest + WARMER;
            hours->warms = hours->warms || (warms && hours->goal == GRAIN_GOAL_COOL);
            counted += isnan(hour->threshold) ? 0 : hour->weight;
            sum += isnan(hour->threshold) ? 0 : hour->threshold * hour->weight;
        }
        hours->run_hours += hour->run ? hour->weight : 0;
        if (bin && hour->weight > 0)
            step_bin(hours, hour);
    }
    if (bin)
        look_for_wetted(hours);
    hours->threshold = counted > 0 ? sum / counted : NAN;
    hours->run_mean = grain_hours_mean_air(hours, 0, hours->count, true).moisture;
    return PL_OK;
}

static const char *goal_id(enum grain_goal goal)
{
    static const char *const ids[GRAIN_GOALS] = {"none", "dry", "cool", "hold", "rewet"};
    return ids[goal];
}

static void put_hours(struct pl_buf *out, const char *name, double hours)
{
    pl_buf_printf(out, ",\"%s\":", name);
    if (isnan(hours))
        pl_buf_append_cstr(out, "null");
    else
        grain_put_number(out, round(hours * 100) / 100);
}

// Points by which the fan dried any layer below the target. Grain that came drier than that was not dried by the fan.
static double over_dried(const struct grain_hours *hours)
{
    double dried = 0;
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++)
        dried = fmax(dried, fmin(hours->target, hours->grain_moisture) - grain_bin_moisture(&hours->bin, i));
    return dried;
}

static void write_bin(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    const struct grain_bin *bin = &hours->bin;
    pl_buf_append_cstr(out, ",\"bin\":{\"airflow\":");
    grain_put_number(out, hours->airflow);
    grain_put_member(out, "target", hours->target, 1);
    put_hours(out, "fanHours", bin->fan_hours);
    put_hours(out, "hoursToFinish", bin->finished);
    grain_put_member(out, "mean", grain_bin_mean(bin), 1);
    grain_put_member(out, "bottom", grain_bin_moisture(bin, 0), 1);
    grain_put_member(out, "top", grain_bin_moisture(bin, GRAIN_BIN_LAYERS - 1), 1);
    grain_put_member(out, "overDried", over_dried(hours), 1);
    grain_put_member(out, "wetted", hours->wetted, 1);
    grain_put_member(out, "front", grain_bin_front(bin, hours->grain_moisture), 2);
    grain_put_member(out, "dryMatterLoss", grain_bin_loss(bin), 2);
    pl_buf_append_cstr(out, ",\"layers\":[");
    for (size_t i = 0; i < GRAIN_BIN_LAYERS; i++) {
        pl_buf_append_cstr(out, i == 0 ? "{\"moisture\":" : ",{\"moisture\":");
        grain_put_number(out, round(grain_bin_moisture(bin, i) * 10) / 10);
        grain_put_member(out, "ta", grain_fields_shown(fields, bin->layers[i].celsius), 1);
        pl_buf_append_byte(out, '}');
    }
    pl_buf_append_cstr(out, "]}");
}

void grain_hours_write_fan(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours)
{
    if (hours->goal != GRAIN_NO_GOAL) {
        pl_buf_printf(out, ",\"advice\":{\"goal\":\"%s\"", goal_id(hours->goal));
        put_hours(out, "run", hours->run_hours);
        put_hours(out, "stop", hours->clock.covered - hours->run_hours);
        grain_put_member(out, "threshold", hours->threshold, 1);
        grain_put_member(out, "tendsTo", hours->run_mean, 1);
        pl_buf_append_byte(out, '}');
    }
    if (!isnan(hours->airflow) && hours->answered > 0)
        write_bin(out, fields, hours);
}

struct line {
    grain_row *row;
    struct pl_buf *out, text;
};

static struct pl_buf *begin(struct line *line)
{
    pl_buf_init(&line->text, 512);
    return &line->text;
}

static void end(struct line *line, const char *label)
{
    line->row(line->out, label, &line->text);
    pl_buf_fini(&line->text);
}

static void advice_rows(struct line *line, enum grain_lang lang, const struct grain_hours *hours)
{
    struct pl_buf *text = begin(line);
    grain_say_number(text, lang, round(hours->run_hours * 10) / 10);
    grain_say(text, lang, " of ", " de ", " de ");
    grain_say_number(text, lang, round(hours->clock.covered * 10) / 10);
    end(line, grain_words(lang, "Hours to run the fan", "Horas para ligar o ventilador",
                          "Horas para encender el ventilador"));
    if (!isnan(hours->threshold)) {
        text = begin(line);
        grain_say_number(text, lang, round(hours->threshold));
        pl_buf_append_cstr(text, " %");
        end(line, grain_words(lang, "Outside air dries the grain below, on average",
                              "O ar externo seca o grão abaixo de, em média",
                              "El aire exterior seca el grano por debajo de, en promedio"));
    }
    if (!isnan(hours->run_mean)) {
        text = begin(line);
        grain_say_fixed(text, lang, hours->run_mean);
        pl_buf_printf(text, " %s", grain_unit(lang, false));
        end(line, grain_words(lang, "With the fan on in these hours the bin tends to",
                              "Com o ventilador ligado nessas horas o silo tende a",
                              "Con el ventilador encendido en esas horas el silo tiende a"));
    }
}

static void bin_rows(struct line *line, enum grain_lang lang, const struct grain_hours *hours)
{
    const struct grain_bin *bin = &hours->bin;
    struct pl_buf *text = begin(line);
    grain_say_fixed(text, lang, grain_bin_moisture(bin, 0));
    pl_buf_append_cstr(text, " / ");
    grain_say_fixed(text, lang, grain_bin_mean(bin));
    pl_buf_append_cstr(text, " / ");
    grain_say_fixed(text, lang, grain_bin_moisture(bin, GRAIN_BIN_LAYERS - 1));
    pl_buf_append_cstr(text, " %");
    end(line, grain_words(lang, "Bin at the end: bottom / mean / top", "Silo no fim: base / média / topo",
                          "Silo al final: base / media / tope"));
    text = begin(line);
    if (isnan(bin->finished)) {
        pl_buf_append_cstr(text, bin->rewets ? grain_words(lang, "not in this season; the wetting front is at ",
                                                           "não nesta safra; a frente de umedecimento está a ",
                                                           "no en esta campaña; el frente de humedecimiento está al ")
                                             : grain_words(lang, "not in this season; the drying front is at ",
                                                           "não nesta safra; a frente de secagem está a ",
                                                           "no en esta campaña; el frente de secado está al "));
        grain_say_number(text, lang, round(100 * grain_bin_front(bin, hours->grain_moisture)));
        grain_say(text, lang, " % of the depth", " % da altura", " % de la altura");
    } else {
        grain_say_number(text, lang, round(bin->finished));
    }
    end(line, bin->rewets ? grain_words(lang, "Fan hours until the top is moist enough",
                                        "Horas de ventilador até o topo umedecer",
                                        "Horas de ventilador hasta humedecer el tope")
                          : grain_words(lang, "Fan hours until the top is dry", "Horas de ventilador até o topo secar",
                                        "Horas de ventilador hasta secar el tope"));
    if (over_dried(hours) >= 0.05) {
        text = begin(line);
        grain_say_fixed(text, lang, over_dried(hours));
        grain_say(text, lang, " points below ", " pontos abaixo de ", " puntos por debajo de ");
        grain_say_fixed(text, lang, fmin(hours->target, hours->grain_moisture));
        pl_buf_append_cstr(text, " %");
        end(line, grain_words(lang, "Over-dried, in the driest layer", "Seco demais, na camada mais seca",
                              "Demasiado seco, en la capa más seca"));
    }
    if (!isnan(grain_bin_loss(bin))) {
        text = begin(line);
        grain_say_number(text, lang, round(grain_bin_loss(bin) * 100) / 100);
        grain_say(text, lang, " % (0.5 % is the limit)", " % (o limite é 0,5 %)", " % (el límite es 0,5 %)");
        end(line, grain_words(lang, "Dry matter lost in the worst layer", "Matéria seca perdida na pior camada",
                              "Materia seca perdida en la peor capa"));
    }
}

void grain_hours_fan_rows(const struct grain_fields *fields, const struct grain_hours *hours, grain_row *row,
                          struct pl_buf *out)
{
    struct line line = {.row = row, .out = out};
    if (hours->goal != GRAIN_NO_GOAL)
        advice_rows(&line, fields->lang, hours);
    if (!isnan(hours->airflow) && hours->answered > 0)
        bin_rows(&line, fields->lang, hours);
}
